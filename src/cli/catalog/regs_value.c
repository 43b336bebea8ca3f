/* Values of registers: from bits to their meaning, and from named fields to bits. */
#include "cli/catalog/regs.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/suggest.h"

/* Returns true if the field holds the number of the event that a counter counts. */
static bool selects_event(const struct regs_target *target, const struct armpmu_field *field)
{
    const struct armpmu_core *const core = target->core;
    const unsigned slot = target->reg->slot + target->element;
    const unsigned lsb = target->reg->slot_lsb + field->lsb;

    for (size_t i = 0; i < core->n_counters; i++) {
        const struct armpmu_slot_bit event = core->counters[i].event;
        if (event.slot != ARMPMU_SLOT_NONE && event.slot == slot && event.lsb == lsb)
            return true;
    }
    return false;
}

/* Returns whether a read-only field holds the same in every device. What an activity monitor unit
 * has is configuration, and its read-only fields say so. */
static bool is_constant(const struct regs_target *target, const struct armpmu_field *field)
{
    const enum armpmu_permission permission = target->reg->permission;

    return field->rule == ARMPMU_FIELD_RO &&
           (permission == ARMPMU_PERMIT_PRIVILEGED || permission == ARMPMU_PERMIT_USEREN ||
            permission == ARMPMU_PERMIT_USER_READS);
}

static void name_event(const struct armpmu_core *core, uint64_t number, char *text, size_t size)
{
    const struct armpmu_event *const event =
        number <= UINT16_MAX ? armpmu_event_by_number(core, (unsigned)number) : NULL;

    if (event == NULL)
        snprintf(text, size, "not an event of %s", core->name);
    else if (event->fidelity == ARMPMU_RESERVED)
        snprintf(text, size, "reserved, %s", event->meaning);
    else
        snprintf(text, size, "%s", event->name);
}

bool regs_remark(const struct regs_target *target, const struct armpmu_field *field, uint64_t value,
                 char *text, size_t size)
{
    const uint64_t held = armpmu_field_get(field, value);
    text[0] = '\0';
    if (field->rule == ARMPMU_FIELD_RAZ && held != 0) {
        snprintf(text, size, "reads as zero, must be written as zero");
        return true;
    }
    if (is_constant(target, field) && held != field->reset) {
        snprintf(text, size, "reads as 0x%" PRIx64 ", writes are ignored", field->reset);
        return true;
    }
    if (selects_event(target, field))
        name_event(target->core, held, text, size);
    return false;
}

/* ---- numbers ---- */

enum number { NOT_A_NUMBER, NUMBER, NUMBER_TOO_LARGE };

static unsigned digit_of(char c)
{
    if (isdigit((unsigned char)c))
        return (unsigned)(c - '0');
    return isxdigit((unsigned char)c) ? (unsigned)(tolower((unsigned char)c) - 'a') + 10 : 16;
}

/* 0x1f, 0b11111 or 31. strtoull takes signs and blanks and octal numbers as well. */
static enum number parse_number(const char *word, uint64_t *number)
{
    unsigned base = 10;
    enum number kind = NUMBER;

    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
        base = 16;
    else if (word[0] == '0' && (word[1] == 'b' || word[1] == 'B'))
        base = 2;
    word += base == 10 ? 0 : 2;
    *number = 0;
    if (*word == '\0')
        return NOT_A_NUMBER;
    for (; *word != '\0'; word++) {
        const unsigned digit = digit_of(*word);
        if (digit >= base)
            return NOT_A_NUMBER;
        if (*number > (UINT64_MAX - digit) / base)
            kind = NUMBER_TOO_LARGE;
        *number = *number * base + digit;
    }
    return kind;
}

bool regs_parse_value(const struct regs_target *target, const char *word, uint64_t *value)
{
    const uint64_t limit = UINT64_MAX >> (64 - target->reg->bits);
    const enum number kind = parse_number(word, value);

    if (kind == NOT_A_NUMBER)
        return print_error("'%.80s' is not a number; write a value like 0x2009, 0b1001 or 8201",
                           word);
    if (kind == NUMBER_TOO_LARGE || *value > limit)
        return print_error("'%.80s' does not fit %s of %s, which has %u bits: at most 0x%" PRIx64,
                           word, target->reg->name, target->core->name, target->reg->bits, limit);
    return true;
}

/* ---- fields by name ---- */

/* Names of fields are short: what is near to a letter or two says nothing. */
static void print_no_field(const struct regs_target *target, const char *name)
{
    struct suggest s;
    char hint[REGS_TEXT_MAX], all[REGS_TEXT_MAX] = "";

    suggest_begin(&s, name);
    for (size_t i = 0; i < target->reg->n_fields; i++) {
        const struct armpmu_field *const field = &target->reg->fields[i];
        if (field->rule == ARMPMU_FIELD_RAZ)
            continue;
        if (strlen(name) > 2)
            suggest_offer(&s, field->name, field);
        text_join(all, sizeof all, ", ", "%s", field->name);
    }
    suggest_sentence(&s, hint, sizeof hint);
    print_error("%s of %s has no field '%.40s'%s%s", target->reg->name, target->core->name, name,
                s.count > 0 ? hint : "; it has ", s.count > 0 ? "" : all);
}

static void print_no_event(const struct regs_target *target, const struct armpmu_field *field,
                           const char *word)
{
    struct suggest s;
    char hint[REGS_TEXT_MAX];

    suggest_begin(&s, word);
    for (size_t i = 0; i < target->core->n_events; i++)
        suggest_offer(&s, target->core->events[i].name, &target->core->events[i]);
    suggest_sentence(&s, hint, sizeof hint);
    print_error("%s.%s '%.80s': neither a number nor an event of %s%s", target->reg->name,
                field->name, word, target->core->name,
                s.count > 0 ? hint : "; 'armpmu list' shows the events of a core");
}

/* The number in the word, or that of the event it names. */
static bool parse_field_value(const struct regs_target *target, const struct armpmu_field *field,
                              const char *word, uint64_t *value)
{
    const uint64_t limit = armpmu_field_get(field, UINT64_MAX);
    enum number kind = parse_number(word, value);

    if (kind == NOT_A_NUMBER && selects_event(target, field)) {
        const struct armpmu_event *const event = armpmu_event_by_name(target->core, word);
        if (event == NULL) {
            print_no_event(target, field, word);
            return false;
        }
        *value = event->first;
        kind = NUMBER;
    }
    if (kind == NOT_A_NUMBER)
        return print_error("%s.%s '%.80s': not a number; write one like 0x1f, 0b11111 or 31",
                           target->reg->name, field->name, word);
    if (kind == NUMBER_TOO_LARGE || *value > limit) {
        const unsigned bits = field->msb - field->lsb + 1U;
        return print_error("%s.%s '%.80s' does not fit its %u bit%s: at most 0x%" PRIx64,
                           target->reg->name, field->name, word, bits, bits == 1 ? "" : "s", limit);
    }
    return true;
}

/* Applies one "E=1". given: the fields that were there before. */
static bool apply(const struct regs_target *target, char *word, uint64_t *given, uint64_t *value)
{
    const struct armpmu_register *const reg = target->reg;
    char *to = strchr(word, '=');
    uint64_t number = 0;

    if (to == NULL)
        return print_error("'%.80s' is not FIELD=VALUE", word);
    *to++ = '\0';
    const struct armpmu_field *const field = armpmu_field_find(reg, word);
    if (field == NULL) {
        print_no_field(target, word);
        return false;
    }
    if (!parse_field_value(target, field, to, &number))
        return false;
    if (is_constant(target, field) && number != field->reset)
        return print_error("%s.%s '%.80s': read-only, it is 0x%" PRIx64 " on %s; leave it out",
                           reg->name, field->name, to, field->reset, target->core->name);
    if (*given & armpmu_field_mask(field))
        return print_error("%s.%s is given twice", reg->name, field->name);
    *given |= armpmu_field_mask(field);
    *value = armpmu_field_set(field, *value, number);
    return true;
}

bool regs_parse_fields(const struct regs_target *target, char *const *words, uint64_t *value)
{
    uint64_t given = 0;
    bool valid = true;

    *value = regs_reset(target);
    for (; *words != NULL && valid; words++) {
        char *const copy = strdup(*words);
        if (copy == NULL)
            return print_error("out of memory");
        for (char *rest = copy, *word; valid && (word = strsep(&rest, ",")) != NULL;)
            valid = apply(target, word, &given, value);
        free(copy);
    }
    return valid;
}
