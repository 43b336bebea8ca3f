/* The rows of `armpmu regs`, with the keys of `armpmu list`. JSON has an object for each register,
 * with its fields inside. Separated values cannot nest: decode, encode and asm print a line for
 * each field or access. */
#include "cli/catalog/regs.h"

#include <string.h>

#include "base/text.h"

static void put_fields(struct report_table *t, const struct armpmu_register *reg)
{
    table_open(t, "Fields", '[');
    for (size_t i = 0; i < reg->n_fields; i++) {
        const struct armpmu_field *const field = &reg->fields[i];
        table_open(t, NULL, '{');
        table_text(t, "Name", field->name);
        table_count(t, "Msb", field->msb);
        table_count(t, "Lsb", field->lsb);
        table_text(t, "Rule", armpmu_field_rule_name(field->rule));
        table_hex(t, "Reset", 1, field->reset);
        table_text(t, "Meaning", field->meaning);
        table_close(t);
    }
    table_close(t);
}

/* The numbers that make up an encoding on its access. */
static void put_encoding(struct report_table *t, const struct armpmu_encoding *at, unsigned bytes)
{
    const bool is_msr = at->access == ARMPMU_ACCESS_MSR, is_mcr = at->access == ARMPMU_ACCESS_MCR;

    table_text(t, "Face", armpmu_access_name(at->access));
    if (at->access == ARMPMU_ACCESS_EXT32 || at->access == ARMPMU_ACCESS_EXT64) {
        table_hex(t, "Offset", 3, at->offset);
        table_count(t, "Bytes", bytes);
        return;
    }
    table_count(t, is_msr ? "Op0" : "Coprocessor", at->coproc);
    if (at->access == ARMPMU_ACCESS_LDC) {
        table_count(t, "CRd", at->crn);
        return;
    }
    table_count(t, "Op1", at->op1);
    if (is_msr || is_mcr)
        table_count(t, "CRn", at->crn);
    table_count(t, "CRm", at->crm);
    if (is_msr || is_mcr)
        table_count(t, "Op2", at->op2);
}

static void put_element(struct report_table *t, const struct armpmu_register *reg, unsigned n)
{
    char name[REGS_TEXT_MAX];

    table_open(t, NULL, '{');
    regs_element_name(reg->name, reg->count, n, name, sizeof name);
    table_text(t, "Name", name);
    regs_element_name(reg->arch_name, reg->count, n, name, sizeof name);
    table_text(t, "ArchitectureName", name);
    table_open(t, "Encodings", '[');
    for (size_t i = 0; i < reg->n_encodings; i++) {
        const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[i], n);
        table_open(t, NULL, '{');
        put_encoding(t, &at, reg->encodings[i].bytes);
        table_close(t);
    }
    table_close(t);
    table_close(t);
}

static void put_elements(struct report_table *t, const struct regs_target *target)
{
    table_open(t, "Elements", '[');
    for (unsigned n = 0; n < target->reg->count; n++)
        if (!target->element_is_named || n == target->element)
            put_element(t, target->reg, n);
    table_close(t);
}

/* For tools: all about a register. */
static void put_register(struct report_table *t, const struct regs_target *target)
{
    const struct armpmu_register *const reg = target->reg;
    char encoding[2 * REGS_TEXT_MAX] = "";

    for (size_t i = 0; i < reg->n_encodings; i++) {
        text_join(encoding, sizeof encoding, "; ", "%s", "");
        regs_encoding_text(reg, &reg->encodings[i], encoding + strlen(encoding),
                           sizeof encoding - strlen(encoding));
    }
    table_text(t, "Unit", target->core->pmu);
    table_text(t, "RegisterName", reg->name);
    table_text(t, "ArchitectureName", reg->arch_name);
    table_text(t, "Purpose", reg->purpose);
    table_text(t, "Encoding", encoding);
    table_text(t, "Type", regs_type(reg));
    table_count(t, "Bits", reg->bits);
    table_text(t, "Access", regs_access(reg));
    table_text(t, "UserAccess", regs_user_access(reg));
    table_hex(t, "Reset", regs_digits(reg), armpmu_register_reset(reg));
    table_count(t, "Copies", reg->count);
    table_text(t, "Source", reg->source);
    put_fields(t, reg);
    put_elements(t, target);
}

/* For people: a line, and one for each further encoding. */
static void put_line(struct report_table *t, const struct armpmu_register *reg)
{
    char text[REGS_TEXT_MAX];

    for (size_t i = 0; i < reg->n_encodings; i++) {
        if (i > 0)
            table_row(t);
        table_text(t, "RegisterName", i == 0 ? reg->name : "");
        table_text(t, "ArchitectureName", i == 0 ? reg->arch_name : "");
        regs_encoding_text(reg, &reg->encodings[i], text, sizeof text);
        table_text(t, "Encoding", text);
        if (i > 0)
            continue;
        table_text(t, "Type", regs_type(reg));
        table_hex(t, "Reset", regs_digits(reg), armpmu_register_reset(reg));
        snprintf(text, sizeof text, "%.*s", (int)strcspn(reg->purpose, ";:"), reg->purpose);
        table_text(t, "Purpose", text);
    }
}

static const struct table_column line_columns[] = {{.key = "RegisterName", .is_name = true},
                                                   {.key = "ArchitectureName", .gap = 2},
                                                   {.key = "Encoding", .gap = 2},
                                                   {.key = "Type", .gap = 2},
                                                   {.key = "Reset", .gap = 2},
                                                   {.key = "Purpose", .gap = 2}};

const struct table_form list_register_form = {
    "regs", "registers", TABLE_COLUMNS(line_columns),
    .keys = "Unit RegisterName ArchitectureName Purpose Encoding "
            "Type Bits Access UserAccess Reset Copies Source"};

void regs_put(struct report_table *t, const struct regs_target *target)
{
    if (t->options->format == TABLE_TEXT)
        put_line(t, target->reg);
    else
        put_register(t, target);
}

/* ---- values and accesses ---- */

/* Begins the register's object, or the line of one of its fields or accesses. */
static void begin_part(struct report_table *t, const struct regs_target *target, bool is_first)
{
    char name[REGS_TEXT_MAX];

    if (table_is_json(t) && !is_first) {
        table_open(t, NULL, '{');
        return;
    }
    regs_target_name(target, name, sizeof name);
    table_row(t);
    table_text(t, "Unit", target->core->pmu);
    table_text(t, "RegisterName", name);
}

static void end_part(struct report_table *t)
{
    if (table_is_json(t))
        table_close(t);
}

static void put_held(struct report_table *t, const struct regs_target *target,
                     const struct armpmu_field *field, uint64_t value)
{
    char remark[REGS_TEXT_MAX];
    const bool wrong = regs_remark(target, field, value, remark, sizeof remark);

    begin_part(t, target, false);
    table_text(t, "Name", field->name);
    table_count(t, "Msb", field->msb);
    table_count(t, "Lsb", field->lsb);
    table_text(t, "Rule", armpmu_field_rule_name(field->rule));
    table_hex(t, "Value", 1, armpmu_field_get(field, value));
    table_text(t, "Meaning", field->meaning);
    if (remark[0] != '\0')
        table_text(t, wrong ? "Problem" : "Event", remark);
    end_part(t);
}

enum armpmu_status regs_print_value(const struct regs_target *target, uint64_t value,
                                    const struct table_options *options, FILE *stream,
                                    struct armpmu_error *err)
{
    static const struct table_form form = {
        "regs", "registers",
        .keys = "Unit RegisterName Name Msb Lsb Rule Value Meaning Event Problem"};
    const struct armpmu_register *const reg = target->reg;
    struct report_table t;

    table_begin(&t, options, &form, stream);
    if (table_is_json(&t)) {
        begin_part(&t, target, true);
        table_text(&t, "Purpose", reg->purpose);
        table_hex(&t, "Value", regs_digits(reg), value);
        table_hex(&t, "ReservedSet", regs_digits(reg),
                  value & armpmu_register_mask(reg, ARMPMU_FIELD_RAZ));
        table_open(&t, "Fields", '[');
    }
    for (size_t i = 0; i < reg->n_fields; i++)
        put_held(&t, target, &reg->fields[i], value);
    end_part(&t);
    return table_end(&t, err);
}

enum armpmu_status regs_print_accesses(const struct regs_target *target,
                                       const struct regs_operand *operand,
                                       const struct table_options *options, FILE *stream,
                                       struct armpmu_error *err)
{
    static const struct table_form form = {"regs", "registers",
                                           .keys = "Unit RegisterName Face Coprocessor Op0 Op1 CRn "
                                                   "CRm CRd Op2 Offset Bytes Access Assembly"};
    const struct armpmu_register *const selector = regs_selector(target->core, target->reg);
    struct regs_line lines[REGS_LINES_MAX];
    const size_t n = regs_lines(target, operand, lines);
    struct report_table t;

    table_begin(&t, options, &form, stream);
    if (table_is_json(&t)) {
        begin_part(&t, target, true);
        table_open(&t, "Accesses", '[');
    }
    for (size_t i = 0; i < n; i++) {
        begin_part(&t, target, false);
        put_encoding(&t, &lines[i].at, lines[i].bytes);
        table_text(&t, "Access", lines[i].write ? "write" : "read");
        if (lines[i].bytes == 0)
            table_text(&t, "Assembly", lines[i].assembly);
        end_part(&t);
    }
    end_part(&t);
    if (selector != NULL && table_is_json(&t))
        table_text(&t, "SelectedBy", selector->name);
    return table_end(&t, err);
}
