/* How registers are written, the same in every format. */
#include "cli/catalog/regs.h"
#include "catalog/names.h"

#include <string.h>

void regs_encoding(const struct armpmu_encoding *at, char *text, size_t size)
{
    switch (at->access) {
    case ARMPMU_ACCESS_MCR:
        snprintf(text, size, "p%u, %u, c%u, c%u, %u", at->coproc, at->op1, at->crn, at->crm,
                 at->op2);
        break;
    case ARMPMU_ACCESS_MCRR:
        snprintf(text, size, "p%u, %u, c%u", at->coproc, at->op1, at->crm);
        break;
    case ARMPMU_ACCESS_LDC:
        snprintf(text, size, "p%u, c%u", at->coproc, at->crn);
        break;
    case ARMPMU_ACCESS_MSR:
        snprintf(text, size, "S%u_%u_C%u_C%u_%u", at->coproc, at->op1, at->crn, at->crm, at->op2);
        break;
    case ARMPMU_ACCESS_EXT32:
    case ARMPMU_ACCESS_EXT64:
        snprintf(text, size, "%s 0x%03x", armpmu_access_name(at->access), at->offset);
        break;
    }
}

void regs_encoding_text(const struct armpmu_register *reg, const struct armpmu_encodings *encodings,
                        char *text, size_t size)
{
    const struct armpmu_encoding last = armpmu_encoding_of(encodings, reg->count - 1U);

    regs_encoding(&encodings->first, text, size);
    const size_t used = strlen(text);
    if (reg->count == 1 || encodings->step == ARMPMU_STEP_NONE)
        return;
    if (encodings->step == ARMPMU_STEP_OFFSET) {
        snprintf(text + used, size - used, " + %un", encodings->bytes);
        return;
    }
    snprintf(text + used, size - used, " to ");
    regs_encoding(&last, text + strlen(text), size - strlen(text));
}

bool regs_can_write(const struct armpmu_register *reg, enum armpmu_access access)
{
    const bool in_memory = access == ARMPMU_ACCESS_EXT32 || access == ARMPMU_ACCESS_EXT64;
    return reg->writable && (!in_memory || reg->permission == ARMPMU_PERMIT_BUS);
}

const char *regs_instructions(const struct armpmu_register *reg, enum armpmu_access access)
{
    const bool write = regs_can_write(reg, access);

    switch (access) {
    case ARMPMU_ACCESS_MCR:
        return write ? "MRC, MCR" : "MRC";
    case ARMPMU_ACCESS_MCRR:
        return write ? "MRRC, MCRR" : "MRRC";
    case ARMPMU_ACCESS_LDC:
        return write ? "STC, LDC" : "STC";
    case ARMPMU_ACCESS_MSR:
        return write ? "MRS, MSR" : "MRS";
    case ARMPMU_ACCESS_EXT32:
    case ARMPMU_ACCESS_EXT64:
        return write ? "load, store" : "load";
    }
    return "";
}

void regs_element_name(const char *pattern, unsigned count, unsigned element, char *text,
                       size_t size)
{
    const size_t before = strcspn(pattern, "<");

    if (count == 1)
        snprintf(text, size, "%s", pattern);
    else
        snprintf(text, size, "%.*s%u%s", (int)before, pattern, element,
                 pattern[before] == '<' ? pattern + before + strlen("<n>") : "");
}

void regs_target_name(const struct regs_target *target, char *text, size_t size)
{
    if (target->element_is_named)
        regs_element_name(target->reg->name, target->reg->count, target->element, text, size);
    else
        snprintf(text, size, "%s", target->reg->name);
}

void regs_bits(const struct armpmu_field *field, char *text, size_t size)
{
    if (field->msb == field->lsb)
        snprintf(text, size, "%u", field->msb);
    else
        snprintf(text, size, "%u:%u", field->msb, field->lsb);
}

const char *regs_type(const struct armpmu_register *reg)
{
    if (reg->readable)
        return reg->writable ? "RW" : "RO";
    return "WO";
}

const char *regs_user_access(const struct armpmu_register *reg)
{
    static const char *const texts[] = {
        [ARMPMU_PERMIT_PRIVILEGED] = "none",
        [ARMPMU_PERMIT_BUS] = "none",
        [ARMPMU_PERMIT_AMU_OFFSET] = "none",
        [ARMPMU_PERMIT_PMUV3_EL1] = "none",
        [ARMPMU_PERMIT_USEREN] = "as USEREN.EN says",
        [ARMPMU_PERMIT_AMU] = "reads as AMUSERENR.EN says",
        [ARMPMU_PERMIT_USER_READS] = "reads only",
        [ARMPMU_PERMIT_AMUSERENR] = "reads only",
        [ARMPMU_PERMIT_PMUV3_USER] = "reads only",
        [ARMPMU_PERMIT_PMUV3] = "as PMUSERENR.EN says",
        [ARMPMU_PERMIT_PMUV3_CYCLES] = "as PMUSERENR.EN says, reads as CR says",
        [ARMPMU_PERMIT_PMUV3_COUNTS] = "as PMUSERENR.EN says, reads as ER says",
        [ARMPMU_PERMIT_PMUV3_SELECT] = "as PMUSERENR.EN or ER says",
        [ARMPMU_PERMIT_PMUV3_SWINC] = "writes as PMUSERENR.EN or SW says",
    };

    return TEXT_BY(texts, reg->permission);
}

const char *regs_access(const struct armpmu_register *reg)
{
    static const char *const texts[] = {
        [ARMPMU_PERMIT_PRIVILEGED] = "privileged modes; Undefined in User mode",
        [ARMPMU_PERMIT_USEREN] = "privileged modes; User mode while USEREN.EN is one",
        [ARMPMU_PERMIT_USER_READS] = "privileged modes; User mode reads, whatever USEREN.EN is",
        [ARMPMU_PERMIT_AMUSERENR] =
            "reads from every Exception level, writes from EL1 up, as the traps say",
        [ARMPMU_PERMIT_AMU_OFFSET] = "EL2 and EL3, as the traps say",
        [ARMPMU_PERMIT_BUS] = "the memory-mapped view only",
        [ARMPMU_PERMIT_PMUV3] = "EL1 up, as the traps say; EL0 while PMUSERENR_EL0.EN is one",
        [ARMPMU_PERMIT_PMUV3_CYCLES] =
            "EL1 up, as the traps say; EL0 while PMUSERENR_EL0.EN is one, to read CR",
        [ARMPMU_PERMIT_PMUV3_COUNTS] =
            "EL1 up, as the traps say; EL0 while PMUSERENR_EL0.EN is one, to read ER",
        [ARMPMU_PERMIT_PMUV3_SELECT] =
            "EL1 up, as the traps say; EL0 while PMUSERENR_EL0.EN or ER is one",
        [ARMPMU_PERMIT_PMUV3_SWINC] =
            "EL1 up, as the traps say; EL0 while PMUSERENR_EL0.EN or SW is one",
        [ARMPMU_PERMIT_PMUV3_USER] =
            "reads from every Exception level, writes from EL1 up, as the traps say",
        [ARMPMU_PERMIT_PMUV3_EL1] = "EL1 up, as the traps say",
        [ARMPMU_PERMIT_AMU] = "reads as the traps and AMUSERENR.EN say",
    };

    if (reg->permission == ARMPMU_PERMIT_AMU && reg->writable)
        return "reads as the traps and AMUSERENR.EN say; writes from the highest Exception level";
    return TEXT_BY(texts, reg->permission);
}

int regs_digits(const struct armpmu_register *reg)
{
    return reg->bits / 4;
}

const struct armpmu_register *regs_selector(const struct armpmu_core *core,
                                            const struct armpmu_register *reg)
{
    if (reg->count == 1 || reg->n_encodings == 0 || reg->encodings[0].step != ARMPMU_STEP_NONE)
        return NULL;
    for (size_t i = 0; i < core->n_registers; i++)
        if (core->registers[i].slot == ARMPMU_SLOT_SELECT)
            return &core->registers[i];
    return NULL;
}
