/* `armpmu regs -j`: keys as those of `armpmu list -j`. */
#include "cli/report/regs.h"

#include <string.h>

#include "cli/report/json_build.h"

static json_t *build_fields(const struct armpmu_register *reg)
{
    json_t *fields = json_array();

    for (size_t i = 0; i < reg->n_fields; i++) {
        const struct armpmu_field *const field = &reg->fields[i];
        fields = build_append(fields, json_pack("{s:s, s:i, s:i, s:s, s:o, s:s}", "Name",
                                                field->name, "Msb", field->msb, "Lsb", field->lsb,
                                                "Rule", armpmu_field_rule_name(field->rule),
                                                "Reset", build_hexadecimal(1, field->reset),
                                                "Meaning", field->meaning));
    }
    return fields;
}

/* The numbers that make up an encoding on its access. */
static json_t *build_encoding(const struct armpmu_encoding *at, unsigned bytes)
{
    const char *const access = armpmu_access_name(at->access);

    switch (at->access) {
    case ARMPMU_ACCESS_MCR:
        return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "Face", access, "Coprocessor",
                         at->coproc, "Op1", at->op1, "CRn", at->crn, "CRm", at->crm, "Op2",
                         at->op2);
    case ARMPMU_ACCESS_MCRR:
        return json_pack("{s:s, s:i, s:i, s:i}", "Face", access, "Coprocessor", at->coproc, "Op1",
                         at->op1, "CRm", at->crm);
    case ARMPMU_ACCESS_LDC:
        return json_pack("{s:s, s:i, s:i}", "Face", access, "Coprocessor", at->coproc, "CRd",
                         at->crn);
    case ARMPMU_ACCESS_MSR:
        return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i}", "Face", access, "Op0", at->coproc, "Op1",
                         at->op1, "CRn", at->crn, "CRm", at->crm, "Op2", at->op2);
    case ARMPMU_ACCESS_EXT32:
    case ARMPMU_ACCESS_EXT64:
        return json_pack("{s:s, s:o, s:i}", "Face", access, "Offset",
                         build_hexadecimal(3, at->offset), "Bytes", (int)bytes);
    }
    return NULL;
}

static json_t *build_element(const struct armpmu_register *reg, unsigned n)
{
    char name[REGS_TEXT_MAX], arch_name[REGS_TEXT_MAX];
    json_t *encodings = json_array();

    regs_element_name(reg->name, reg->count, n, name, sizeof name);
    regs_element_name(reg->arch_name, reg->count, n, arch_name, sizeof arch_name);
    for (size_t i = 0; i < reg->n_encodings; i++) {
        const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[i], n);
        encodings = build_append(encodings, build_encoding(&at, reg->encodings[i].bytes));
    }
    return json_pack("{s:s, s:s, s:o}", "Name", name, "ArchitectureName", arch_name, "Encodings",
                     encodings);
}

static json_t *build_elements(const struct regs_target *target)
{
    json_t *elements = json_array();

    for (unsigned n = 0; n < target->reg->count; n++)
        if (!target->element_is_named || n == target->element)
            elements = build_append(elements, build_element(target->reg, n));
    return elements;
}

json_t *regs_build_register(const struct regs_target *target)
{
    const struct armpmu_register *const reg = target->reg;
    char encoding[2 * REGS_TEXT_MAX] = "";

    for (size_t i = 0; i < reg->n_encodings; i++) {
        const size_t used = strlen(encoding);
        snprintf(encoding + used, sizeof encoding - used, "%s", i > 0 ? "; " : "");
        regs_encoding_text(reg, &reg->encodings[i], encoding + strlen(encoding),
                           sizeof encoding - strlen(encoding));
    }
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:o, s:i, s:s, s:o, s:o}", "Unit",
        target->core->pmu, "RegisterName", reg->name, "ArchitectureName", reg->arch_name, "Purpose",
        reg->purpose, "Encoding", encoding, "Type", regs_type(reg), "Bits", reg->bits, "Access",
        regs_access(reg), "UserAccess", regs_user_access(reg), "Reset",
        build_hexadecimal(regs_digits(reg), armpmu_register_reset(reg)), "Copies", reg->count,
        "Source", reg->source, "Fields", build_fields(reg), "Elements", build_elements(target));
}

static json_t *build_held(const struct regs_target *target, const struct armpmu_field *field,
                          uint64_t value)
{
    char remark[REGS_TEXT_MAX];
    const bool wrong = regs_remark(target, field, value, remark, sizeof remark);
    json_t *const held =
        json_pack("{s:s, s:i, s:i, s:s, s:o, s:s}", "Name", field->name, "Msb", field->msb, "Lsb",
                  field->lsb, "Rule", armpmu_field_rule_name(field->rule), "Value",
                  build_hexadecimal(1, armpmu_field_get(field, value)), "Meaning", field->meaning);

    if (remark[0] == '\0')
        return held;
    return build_put(held, wrong ? "Problem" : "Event", build_text(remark));
}

json_t *regs_build_value(const struct regs_target *target, uint64_t value)
{
    const struct armpmu_register *const reg = target->reg;
    const uint64_t reserved = value & armpmu_register_mask(reg, ARMPMU_FIELD_RAZ);
    char name[REGS_TEXT_MAX];
    json_t *fields = json_array();

    regs_target_name(target, name, sizeof name);
    for (size_t i = 0; i < reg->n_fields; i++)
        fields = build_append(fields, build_held(target, &reg->fields[i], value));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "Unit", target->core->pmu, "RegisterName",
                     name, "Purpose", reg->purpose, "Value",
                     build_hexadecimal(regs_digits(reg), value), "ReservedSet",
                     build_hexadecimal(regs_digits(reg), reserved), "Fields", fields);
}

json_t *regs_build_assembly(const struct regs_target *target, const struct regs_operand *operand)
{
    struct regs_line lines[REGS_LINES_MAX];
    const size_t n = regs_lines(target, operand, lines);
    const struct armpmu_register *const selector = regs_selector(target->core, target->reg);
    char name[REGS_TEXT_MAX];
    json_t *accesses = json_array();

    regs_target_name(target, name, sizeof name);
    for (size_t i = 0; i < n; i++) {
        json_t *access = build_encoding(&lines[i].at, lines[i].bytes);
        access = build_put(access, "Access", build_text(lines[i].write ? "write" : "read"));
        if (lines[i].bytes == 0)
            access = build_put(access, "Assembly", build_text(lines[i].assembly));
        accesses = build_append(accesses, access);
    }
    json_t *const object = json_pack("{s:s, s:s, s:o}", "Unit", target->core->pmu, "RegisterName",
                                     name, "Accesses", accesses);
    return selector == NULL ? object : build_put(object, "SelectedBy", build_text(selector->name));
}
