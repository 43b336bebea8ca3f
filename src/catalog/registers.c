/* Registers, their fields and encodings. */
#include "armpmu/catalog.h"

#include "catalog/names.h"

const char *armpmu_field_rule_name(enum armpmu_field_rule rule)
{
    static const char *const texts[] = {
        [ARMPMU_FIELD_RO] = "RO",   [ARMPMU_FIELD_RW] = "RW",   [ARMPMU_FIELD_W1S] = "W1S",
        [ARMPMU_FIELD_W1C] = "W1C", [ARMPMU_FIELD_W1A] = "W1A", [ARMPMU_FIELD_RAZ] = "RAZ",
    };

    return TEXT_BY(texts, rule);
}

const char *armpmu_access_name(enum armpmu_access access)
{
    static const char *const texts[] = {
        [ARMPMU_ACCESS_MCR] = "MCR",     [ARMPMU_ACCESS_MCRR] = "MCRR",
        [ARMPMU_ACCESS_LDC] = "LDC",     [ARMPMU_ACCESS_MSR] = "MSR",
        [ARMPMU_ACCESS_EXT32] = "EXT32", [ARMPMU_ACCESS_EXT64] = "EXT64",
    };

    return TEXT_BY(texts, access);
}

uint64_t armpmu_field_mask(const struct armpmu_field *field)
{
    return UINT64_MAX >> (63 - field->msb + field->lsb) << field->lsb;
}

uint64_t armpmu_field_get(const struct armpmu_field *field, uint64_t value)
{
    return (value & armpmu_field_mask(field)) >> field->lsb;
}

uint64_t armpmu_field_set(const struct armpmu_field *field, uint64_t value, uint64_t to)
{
    const uint64_t mask = armpmu_field_mask(field);
    return (value & ~mask) | (to << field->lsb & mask);
}

const struct armpmu_field *armpmu_field_find(const struct armpmu_register *reg, const char *name)
{
    for (size_t i = 0; i < reg->n_fields; i++)
        if (reg->fields[i].rule != ARMPMU_FIELD_RAZ &&
            catalog_names_equal(name, reg->fields[i].name))
            return &reg->fields[i];
    return NULL;
}

uint64_t armpmu_register_mask(const struct armpmu_register *reg, enum armpmu_field_rule rule)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < reg->n_fields; i++)
        if (reg->fields[i].rule == rule)
            mask |= armpmu_field_mask(&reg->fields[i]);
    return mask;
}

uint64_t armpmu_register_reset(const struct armpmu_register *reg)
{
    uint64_t value = 0;

    for (size_t i = 0; i < reg->n_fields; i++)
        value |= reg->fields[i].reset << reg->fields[i].lsb;
    return value;
}

struct armpmu_encoding armpmu_encoding_of(const struct armpmu_encodings *encodings, unsigned n)
{
    struct armpmu_encoding encoding = encodings->first;

    switch (encodings->step) {
    case ARMPMU_STEP_NONE:
        break;
    case ARMPMU_STEP_CRN:
        encoding.crn = (uint8_t)(encoding.crn + n);
        break;
    case ARMPMU_STEP_CRM_OP2:
        encoding.crm = (uint8_t)(encoding.crm + (n >> 3));
        encoding.op2 = n & 7;
        break;
    case ARMPMU_STEP_CRM_OP1:
        encoding.crm = (uint8_t)(encoding.crm + (n >> 3));
        encoding.op1 = n & 7;
        break;
    case ARMPMU_STEP_OFFSET:
        encoding.offset = (uint16_t)(encoding.offset + n * encodings->bytes);
        break;
    }
    return encoding;
}

/* Steps over the digits of an element's number. Returns NULL when there is none, or when it is
 * not one of count elements. */
static const char *step_number(const char *text, unsigned count, unsigned *number)
{
    if (*text < '0' || *text > '9' || (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
        return NULL;
    *number = 0;
    while (*text >= '0' && *text <= '9' && *number < count)
        *number = *number * 10 + (unsigned)(*text++ - '0');
    return *number < count ? text : NULL;
}

/* Returns whether text names the register, or an element of it. The pattern's "<n>" may be a
 * number; a pattern without one may have a number after it. */
static bool names_element(const char *text, const char *pattern, unsigned count, unsigned *element)
{
    size_t same = 0;

    *element = 0;
    if (catalog_names_equal(text, pattern))
        return true;
    while (pattern[same] != '\0' && pattern[same] != '<')
        same++;
    if (count == 1 || !catalog_name_begins(text, pattern, same))
        return false;
    const char *const rest = step_number(text + same, count, element);
    return rest != NULL &&
           catalog_names_equal(rest, pattern + same + (pattern[same] == '<' ? 3 : 0));
}

const struct armpmu_register *armpmu_register_find(const struct armpmu_core *core, const char *name,
                                                   unsigned *element)
{
    unsigned unused = 0;

    if (element == NULL)
        element = &unused;
    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        if (names_element(name, reg->name, reg->count, element) ||
            names_element(name, reg->arch_name, reg->count, element))
            return reg;
    }
    *element = 0;
    return NULL;
}
