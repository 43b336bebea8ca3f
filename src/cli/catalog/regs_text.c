/* `armpmu regs` for people. */
#include "cli/catalog/regs.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/text_wrap.h"

static void print_encodings(const struct regs_target *target, FILE *stream)
{
    const struct armpmu_register *const reg = target->reg;
    char encodings[REGS_TEXT_MAX], text[2 * REGS_TEXT_MAX];

    for (size_t i = 0; i < reg->n_encodings; i++) {
        const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[i], target->element);
        if (target->element_is_named)
            regs_encoding(&at, encodings, sizeof encodings);
        else
            regs_encoding_text(reg, &reg->encodings[i], encodings, sizeof encodings);
        snprintf(text, sizeof text, "%s (%s)", encodings, regs_instructions(reg, at.access));
        text_wrap_paragraph(i == 0 ? "encoding" : "or", text, stream);
    }
}

/* Prints the names of an array's elements and where each of them is. */
static void print_elements(const struct regs_target *target, FILE *stream)
{
    const struct armpmu_register *const reg = target->reg;
    const struct armpmu_register *const selector = regs_selector(target->core, reg);
    char name[REGS_TEXT_MAX], arch_name[REGS_TEXT_MAX], text[3 * REGS_TEXT_MAX];

    if (selector != NULL) {
        snprintf(text, sizeof text, "%u, one for each event counter; %s says which", reg->count,
                 selector->name);
        text_wrap_paragraph("copies", text, stream);
        return;
    }
    for (unsigned n = 0; n < reg->count; n++) {
        regs_element_name(reg->name, reg->count, n, name, sizeof name);
        regs_element_name(reg->arch_name, reg->count, n, arch_name, sizeof arch_name);
        snprintf(text, sizeof text, "%s", name);
        if (strcmp(name, arch_name) != 0)
            text_join(text, sizeof text, " ", "(%s)", arch_name);
        for (size_t i = 0; i < reg->n_encodings; i++) {
            const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[i], n);
            text_join(text, sizeof text, i == 0 ? ":" : ";", " ");
            regs_encoding(&at, text + strlen(text), sizeof text - strlen(text));
        }
        text_wrap_paragraph(n == 0 ? "elements" : " ", text, stream);
    }
}

static int widest_field(const struct armpmu_register *reg)
{
    int width = 0;

    for (size_t i = 0; i < reg->n_fields; i++)
        width = text_wrap_longest(width, reg->fields[i].name);
    return width;
}

static void print_field(const struct armpmu_field *field, uint64_t reset, int name_width,
                        FILE *stream)
{
    const uint64_t held = armpmu_field_get(field, reset);
    char bits[16];

    regs_bits(field, bits, sizeof bits);
    fprintf(stream, "%*s%5s  %-*s  %-3s  %s", TEXT_WRAP_INDENT, "", bits, name_width, field->name,
            armpmu_field_rule_name(field->rule), field->meaning);
    if (held != 0)
        fprintf(stream, ", 0x%" PRIx64 " after reset", held);
    putc('\n', stream);
}

void regs_print_register(const struct regs_target *target, bool color, FILE *stream)
{
    const struct armpmu_register *const reg = target->reg;
    const uint64_t reset = regs_reset(target);
    char text[REGS_TEXT_MAX];

    regs_target_name(target, text, sizeof text);
    text_wrap_name(color, text, 0, stream);
    if (target->element_is_named)
        regs_element_name(reg->arch_name, reg->count, target->element, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", reg->arch_name);
    fprintf(stream, "  %s\n", text);
    text_wrap_paragraph("", reg->purpose, stream);
    print_encodings(target, stream);
    text_wrap_paragraph("type", regs_type(reg), stream);
    text_wrap_paragraph("access", regs_access(reg), stream);
    snprintf(text, sizeof text, "0x%0*" PRIx64, regs_digits(reg), reset);
    text_wrap_paragraph("reset", text, stream);
    if (reg->count > 1 && !target->element_is_named)
        print_elements(target, stream);
    text_wrap_paragraph("source", reg->source, stream);
    for (size_t i = 0; i < reg->n_fields; i++)
        print_field(&reg->fields[i], reset, widest_field(reg), stream);
}

/* A single bit is a digit, a counter's value is decimal too. */
static void write_value(const struct armpmu_field *field, uint64_t value, char *text, size_t size)
{
    const unsigned width = field->msb - field->lsb + 1U;

    if (width == 1)
        snprintf(text, size, "%" PRIu64, value);
    else if (width < 32)
        snprintf(text, size, "0x%0*" PRIx64, (int)(width + 3) / 4, value);
    else
        snprintf(text, size, "0x%0*" PRIx64 " (%" PRIu64 ")", (int)(width + 3) / 4, value, value);
}

/* Reserved bits that are as they should be are left out. */
static bool is_worth_a_line(const struct armpmu_field *field, uint64_t value)
{
    return field->rule != ARMPMU_FIELD_RAZ || armpmu_field_get(field, value) != 0;
}

/* A value, field by field. */
struct decoding {
    const struct regs_target *target;
    uint64_t value;
    bool color;
    int name_width, held_width;
};

static void print_decoded_field(const struct decoding *d, const struct armpmu_field *field,
                                FILE *stream)
{
    const struct regs_target *const target = d->target;
    const uint64_t value = d->value;
    char bits[16], held[64], remark[REGS_TEXT_MAX];
    const bool wrong = regs_remark(target, field, value, remark, sizeof remark);
    const bool is_red = wrong && d->color;
    const char *const end = is_red ? "\033[m" : "";
    char text[1024 + REGS_TEXT_MAX];

    regs_bits(field, bits, sizeof bits);
    write_value(field, armpmu_field_get(field, value), held, sizeof held);
    fputs(is_red ? "\033[31m" : "", stream);
    const int column = fprintf(stream, "%-*s%5s  %-*s  %-3s  %-*s  ", TEXT_WRAP_INDENT,
                               wrong ? "    !" : "", bits, d->name_width, field->name,
                               armpmu_field_rule_name(field->rule), d->held_width, held);
    if (field->rule == ARMPMU_FIELD_RAZ)
        snprintf(text, sizeof text, "reserved: 0x%" PRIx64 " is set; %s%s",
                 value & armpmu_field_mask(field), remark, end);
    else
        snprintf(text, sizeof text, "%s%s%s%s", field->meaning, remark[0] != '\0' ? ": " : "",
                 remark, end);
    text_wrap_fitted(text, column, column, stream);
}

void regs_print_decoded(const struct regs_target *target, uint64_t value, bool color, FILE *stream)
{
    const struct armpmu_register *const reg = target->reg;
    struct decoding decoding = {target, value, color, widest_field(reg), 0};
    char text[REGS_TEXT_MAX];

    for (size_t i = 0; i < reg->n_fields; i++) {
        if (!is_worth_a_line(&reg->fields[i], value))
            continue;
        write_value(&reg->fields[i], armpmu_field_get(&reg->fields[i], value), text, sizeof text);
        decoding.held_width = text_wrap_longest(decoding.held_width, text);
    }
    regs_target_name(target, text, sizeof text);
    text_wrap_name(color, text, 0, stream);
    const int column = (int)strlen(text) + fprintf(stream, " = 0x%0*" PRIx64 "  on %s it ",
                                                   regs_digits(reg), value, target->core->name);
    text_wrap_fitted(reg->purpose, column, TEXT_WRAP_INDENT, stream);
    for (size_t i = 0; i < reg->n_fields; i++)
        if (is_worth_a_line(&reg->fields[i], value))
            print_decoded_field(&decoding, &reg->fields[i], stream);
}
