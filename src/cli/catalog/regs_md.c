/* `armpmu regs --format=md`: the page of a core in docs/registers. */
#include "cli/catalog/regs.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "cli/text_wrap.h"

/* Where a heading is linked to: its letters, digits and underscores in lower case. */
static void print_anchor(const char *heading, FILE *stream)
{
    for (; *heading != '\0'; heading++)
        if (isalnum((unsigned char)*heading) || *heading == '_')
            putc(tolower((unsigned char)*heading), stream);
}

/* The value after reset; those of all elements where they are constants of their own. */
static void print_reset(const struct armpmu_core *core, const struct armpmu_register *reg,
                        FILE *stream)
{
    struct regs_target target = {core, reg, 0, false};
    const uint64_t first = regs_reset(&target);
    bool differ = false;

    for (unsigned n = 1; n < reg->count; n++) {
        target.element = n;
        differ |= regs_reset(&target) != first;
    }
    for (unsigned n = 0; n < (differ ? reg->count : 1U); n++) {
        target.element = n;
        fprintf(stream, "%s0x%0*" PRIx64, n > 0 ? ", " : "", regs_digits(reg), regs_reset(&target));
    }
}

static void print_overview(const struct armpmu_core *core, FILE *stream)
{
    fputs("| Register | Type | Bits | Reset | Purpose |\n"
          "|---|---|---|---|---|\n",
          stream);
    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        fputs("| [", stream);
        text_wrap_markdown(reg->name, stream);
        fputs("](#", stream);
        print_anchor(reg->name, stream);
        fprintf(stream, ") | %s | %u | ", regs_type(reg), reg->bits);
        print_reset(core, reg, stream);
        fputs(" | ", stream);
        text_wrap_markdown(reg->purpose, stream);
        fputs(" |\n", stream);
    }
}

/* One encoding goes into the sentence, several into a table. */
static void print_only_encoding(const struct armpmu_register *reg, FILE *stream)
{
    char encodings[REGS_TEXT_MAX];

    if (reg->n_encodings != 1)
        return;
    regs_encoding_text(reg, &reg->encodings[0], encodings, sizeof encodings);
    fprintf(stream, ", `%s` (%s)", encodings,
            regs_instructions(reg, reg->encodings[0].first.access));
}

static void print_routes(const struct armpmu_register *reg, FILE *stream)
{
    char encodings[REGS_TEXT_MAX];

    if (reg->n_encodings == 1)
        return;
    fputs("\n| Access | Encoding |\n|---|---|\n", stream);
    for (size_t i = 0; i < reg->n_encodings; i++) {
        regs_encoding_text(reg, &reg->encodings[i], encodings, sizeof encodings);
        fprintf(stream, "| %s | `%s` |\n", regs_instructions(reg, reg->encodings[i].first.access),
                encodings);
    }
}

static void print_elements(const struct armpmu_core *core, const struct armpmu_register *reg,
                           FILE *stream)
{
    const struct armpmu_register *const selector = regs_selector(core, reg);

    if (selector != NULL)
        fprintf(stream, " There are %u, one for each event counter; %s says which.", reg->count,
                selector->name);
    else if (reg->count > 1)
        fprintf(stream, " n is 0 to %u.", reg->count - 1U);
}

static void print_fields(const struct armpmu_register *reg, FILE *stream)
{
    char bits[16];

    fputs("\n| Bits | Field | Rule | Reset | Meaning |\n"
          "|---|---|---|---|---|\n",
          stream);
    for (size_t i = 0; i < reg->n_fields; i++) {
        const struct armpmu_field *const field = &reg->fields[i];
        regs_bits(field, bits, sizeof bits);
        fprintf(stream, "| %s | %s | %s | 0x%" PRIx64 " | ", bits, field->name,
                armpmu_field_rule_name(field->rule), field->reset);
        text_wrap_markdown(field->meaning, stream);
        fputs(" |\n", stream);
    }
}

static bool rows_differ(const struct regs_access_table *table)
{
    for (unsigned i = 0; i < table->n_modes; i++)
        if (strcmp(table->read[0][i], table->read[1][i]) != 0 ||
            strcmp(table->write[0][i], table->write[1][i]) != 0)
            return true;
    return false;
}

static void print_access_row(const struct regs_access_table *table, const char *label, unsigned row,
                             FILE *stream)
{
    if (table->has_user_enable)
        fprintf(stream, "| %s ", label);
    for (unsigned i = 0; i < table->n_modes; i++)
        fprintf(stream, "| %s | %s ", table->read[row][i], table->write[row][i]);
    fputs("|\n", stream);
}

/* As the manuals print it: a row for each state of the enable bit, a column for each mode. */
static void print_access(const struct armpmu_core *core, const struct armpmu_register *reg,
                         FILE *stream)
{
    struct regs_access_table table;

    if (!regs_ask_access(core, reg, &table)) {
        fprintf(stream, "\nAccess: %s.\n", regs_access(reg));
        return;
    }
    fputs(table.has_user_enable ? "\n| EN " : "\n", stream);
    for (unsigned i = 0; i < table.n_modes; i++)
        fprintf(stream, "| %s | ", table.modes[i]);
    fputs(table.has_user_enable ? "|\n|---" : "|\n", stream);
    for (unsigned i = 0; i < table.n_modes; i++)
        fputs("|---|---", stream);
    fputs(table.has_user_enable ? "|\n| " : "|\n", stream);
    for (unsigned i = 0; i < table.n_modes; i++)
        fputs("| Read | Write ", stream);
    fputs("|\n", stream);
    if (!table.has_user_enable || !rows_differ(&table)) {
        print_access_row(&table, "0 or 1", 0, stream);
        return;
    }
    print_access_row(&table, "0", 0, stream);
    print_access_row(&table, "1", 1, stream);
}

static void print_register(const struct armpmu_core *core, const struct armpmu_register *reg,
                           FILE *stream)
{
    fputs("\n## ", stream);
    text_wrap_markdown(reg->name, stream);
    fputs("\n\nIt ", stream);
    text_wrap_markdown(reg->purpose, stream);
    fputs(".", stream);
    if (strcmp(reg->name, reg->arch_name) != 0) {
        fputs(" Also called ", stream);
        text_wrap_markdown(reg->arch_name, stream);
        fputs(".", stream);
    }
    fprintf(stream, "\n\n%s, %u bits, ", regs_type(reg), reg->bits);
    print_reset(core, reg, stream);
    fputs(" after reset", stream);
    print_only_encoding(reg, stream);
    putc('.', stream);
    print_elements(core, reg, stream);
    fprintf(stream, "\nSource: %s.\n", reg->source);
    print_routes(reg, stream);
    print_fields(reg, stream);
    print_access(core, reg, stream);
}

static void print_legend(const struct armpmu_core *core, FILE *stream)
{
    const struct armpmu_register *const enable = regs_user_enable(core);

    fputs(
        "\nRO reads a constant; RW reads what was written; W1S and W1C: a one sets or clears; W1A: "
        "a "
        "one acts\nand reads as zero; RAZ reads as zero and must be written as zero. A register of "
        "type WO reads as zero.\n\n"
        "The tables of accesses are the answers of the device library, one access for each entry. "
        "Data: it is\nperformed. RAZ: it is performed and reads as zero. Undefined: an Undefined "
        "Instruction exception.\n",
        stream);
    if (enable != NULL)
        fprintf(stream, "EN is the bit of %s.\n", enable->name);
    if (*regs_circumstances(core) != '\0')
        fprintf(stream, "%s\n", regs_circumstances(core));
}

void regs_print_page(const struct armpmu_core *core, FILE *stream)
{
    fprintf(stream,
            "# %s: registers\n\n"
            "Printed by `armpmu regs --format=md %s`: change the catalogue, not this page.\n\n"
            "Source: %s.\n"
            "The explanations are our own words. The events: [docs/events](../events/%s.md).\n\n",
            core->title, core->name, core->document, core->name);
    print_overview(core, stream);
    print_legend(core, stream);
    for (size_t i = 0; i < core->n_registers; i++)
        print_register(core, &core->registers[i], stream);
}
