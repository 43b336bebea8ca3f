#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/suggest.h"

const char *const option_colors[] = {"auto", "always", "never", NULL};

bool option_wants_color(enum option_color color, int fd)
{
    const char *const refused = getenv("NO_COLOR"), *const terminal = getenv("TERM");

    if (color != OPTION_COLOR_AUTO)
        return color == OPTION_COLOR_ALWAYS;
    if (terminal != NULL && strcmp(terminal, "dumb") == 0)
        return false;
    return (refused == NULL || *refused == '\0') && isatty(fd);
}

/* ---- rows ---- */

static const struct option_row help_rows[] = {
    {'h', "help", NULL, "show this help", .kind = OPTION_FLAG},
    {.kind = OPTION_END},
};

/* From a row of any kind to one that is an option or a heading. */
static void resolve(struct option_cursor *at)
{
    while (at->row != NULL && (at->row->kind == OPTION_ROWS || at->row->kind == OPTION_END)) {
        if (at->row->kind == OPTION_ROWS) {
            at->outer = at->row;
            at->row = at->outer->rows;
        } else if (at->outer != NULL) {
            at->row = at->outer + 1;
            at->outer = NULL;
        } else {
            at->row = at->row == &help_rows[1] ? NULL : help_rows;
        }
    }
    if (at->row != NULL)
        at->offset = at->row->offset + (at->outer != NULL ? at->outer->offset : 0);
}

struct option_cursor options_begin(const struct option_row *rows)
{
    struct option_cursor at = {.row = rows};

    resolve(&at);
    return at;
}

void options_next(struct option_cursor *at)
{
    at->row++;
    resolve(at);
}

bool option_is_one(const struct option_row *row)
{
    return row->kind != OPTION_HEADING;
}

bool options_tells(const struct option_cursor *at)
{
    return at->outer == NULL || at->outer->listed_by == NULL;
}

/* ---- one option ---- */

struct option_parser {
    const struct option_table *table;
    char prefix[32], see[48]; /* "stat: " and "'armpmu help stat'", for messages */
    char **next;              /* the next word */
    char *options;
    struct command_line *line;
    struct armpmu_error *err;
};

/* An option as it was given. */
struct given {
    const struct option_row *row;
    const struct option_row *outer;
    size_t offset;
    bool negated;
    char text[SUGGEST_WORD_MAX + 8]; /* "--name" or "-n" */
};

/* Returns our name of an option that gcc, gem5 and QEMU name otherwise. */
static const char *own_name(const char *option)
{
    static const char *const machine[] = {"--core", "--cpu", "--cpu-type", "--mcpu", "--model"};

    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++)
        if (strcmp(option, machine[i]) == 0)
            return "--machine";
    return option;
}

static enum armpmu_status unknown_option(struct option_parser *p, const char *word)
{
    struct suggest s;
    char hint[256], bare[SUGGEST_WORD_MAX], offered[SUGGEST_WORD_MAX];

    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    suggest_begin(&s, own_name(bare));
    for (struct option_cursor at = options_begin(p->table->rows); at.row != NULL && word[1] == '-';
         options_next(&at)) {
        if (!option_is_one(at.row))
            continue;
        snprintf(offered, sizeof offered, "--%s", at.row->name);
        suggest_offer(&s, offered, NULL);
    }
    suggest_sentence(&s, hint, sizeof hint);
    return fail(p->err, ARMPMU_BAD_CONFIG, "%sunknown option %.60s%s%s %s lists them", p->prefix,
                word, hint, s.count > 0 ? "" : ";", p->see);
}

bool options_number(const char *text, uint64_t *value)
{
    static const char letters[] = "KMG";
    const bool hexadecimal = strncasecmp(text, "0x", 2) == 0;
    const char *const digits = text + (hexadecimal ? 2 : 0);
    const size_t n = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
    const char *const end = digits + n;
    const char *const letter = *end != '\0' ? strchr(letters, *end & ~0x20) : NULL;
    const unsigned shift = letter != NULL ? 10 * (unsigned)(letter - letters + 1) : 0;

    if (n == 0 || (*end != '\0' && (letter == NULL || end[1] != '\0')))
        return false;
    errno = 0;
    const uint64_t number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    *value = number << shift;
    return errno == 0 && *value >> shift == number;
}

static enum armpmu_status set_number(struct option_parser *p, const struct given *g,
                                     const char *text)
{
    const struct option_row *const row = g->row;
    uint64_t value;

    if (!options_number(text, &value) || value < row->least || value > row->most ||
        (row->multiple != 0 && value % row->multiple != 0))
        return fail(p->err, ARMPMU_BAD_CONFIG, "%s '%.40s': %s", g->text, text, row->expects);
    if (row->wide)
        *(uint64_t *)(p->options + g->offset) = value;
    else
        *(unsigned *)(p->options + g->offset) = (unsigned)value;
    return ARMPMU_OK;
}

void option_choices(const char *const *words, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; words[i] != NULL; i++)
        text_join(text, size, words[i + 1] == NULL ? " and " : ", ", "%s", words[i]);
}

static enum armpmu_status set_choice(struct option_parser *p, const struct given *g,
                                     const char *text)
{
    char choices[128];

    for (unsigned i = 0; g->row->words[i] != NULL; i++)
        if (strcmp(g->row->words[i], text) == 0) {
            *(unsigned *)(p->options + g->offset) = i;
            return ARMPMU_OK;
        }
    option_choices(g->row->words, choices, sizeof choices);
    return fail(p->err, ARMPMU_BAD_CONFIG, "%s '%.40s': there are %s", g->text, text, choices);
}

static enum armpmu_status add_to_list(struct option_parser *p, const struct given *g,
                                      const char *text)
{
    struct option_list *const list = (struct option_list *)(p->options + g->offset);

    if (!ARRAY_RESERVE(list->values, list->room, list->n + 2))
        return fail(p->err, ARMPMU_NO_MEMORY, "out of memory for %s", g->text);
    list->values[list->n++] = text;
    return ARMPMU_OK;
}

static enum armpmu_status set(struct option_parser *p, const struct given *g, const char *value)
{
    char *const member = p->options + g->offset;

    if (g->outer != NULL && g->outer->given != 0)
        *(bool *)(p->options + g->outer->given) = true;
    if (g->row == help_rows) {
        p->line->help = true;
        return ARMPMU_OK;
    }
    switch (g->row->kind) {
    case OPTION_FLAG:
        *(bool *)member = !g->negated;
        break;
    case OPTION_COUNT:
        ++*(unsigned *)member;
        break;
    case OPTION_TEXT:
        *(const char **)member = value;
        break;
    case OPTION_CHOICE:
        return set_choice(p, g, value);
    case OPTION_NUMBER:
        return set_number(p, g, value);
    case OPTION_LIST:
        return add_to_list(p, g, value);
    case OPTION_CALL:
        return g->row->set(member, g->text, value, p->err);
    case OPTION_END:
    case OPTION_HEADING:
    case OPTION_ROWS:
        break;
    }
    return ARMPMU_OK;
}

/* attached: the value in the option's own word, or NULL. Else it is the next word. */
static enum armpmu_status take(struct option_parser *p, const struct given *g, const char *attached)
{
    if (g->row->metavar == NULL && attached != NULL)
        return fail(p->err, ARMPMU_BAD_CONFIG, "%s%s takes no value; leave out '=%.40s'", p->prefix,
                    g->text, attached);
    if (g->row->metavar == NULL || g->row->optional || attached != NULL)
        return set(p, g, attached);
    if (*p->next == NULL)
        return fail(p->err, ARMPMU_BAD_CONFIG, "%s%s needs a value; see %s", p->prefix, g->text,
                    p->see);
    return set(p, g, *p->next++);
}

/* ---- words ---- */

/* The names of a row: ours, perf's, and --no-NAME. */
static const char *spelling(const struct option_row *row, unsigned i,
                            char no_name[SUGGEST_WORD_MAX])
{
    switch (i) {
    case 0:
        return row->name;
    case 1:
        return row->other_name;
    case 2:
        snprintf(no_name, SUGGEST_WORD_MAX, "no-%s", row->name);
        return row->negated ? no_name : NULL;
    }
    return NULL;
}

/* Looks for the option of which the first letters are given. Returns how many there are; 1 for one
 * that is given in full. */
static unsigned find_name(const struct option_table *table, const char *name, size_t length,
                          struct given *g)
{
    char no_name[SUGGEST_WORD_MAX];
    unsigned n = 0;

    g->row = NULL;
    for (struct option_cursor at = options_begin(table->rows); at.row != NULL; options_next(&at))
        for (unsigned i = 0; i < 3 && option_is_one(at.row); i++) {
            const char *const other = spelling(at.row, i, no_name);
            if (other == NULL || strncmp(other, name, length) != 0)
                continue;
            n += g->row != at.row || g->negated != (i == 2);
            *g = (struct given){
                .row = at.row, .outer = at.outer, .offset = at.offset, .negated = i == 2};
            snprintf(g->text, sizeof g->text, "--%s", other);
            if (other[length] == '\0')
                return 1;
        }
    return n;
}

static enum armpmu_status take_name(struct option_parser *p, const char *word)
{
    const size_t length = strcspn(word + 2, "=");
    const char *const value = word[2 + length] == '=' ? &word[2 + length + 1] : NULL;
    struct given g = {0};
    const unsigned n = find_name(p->table, word + 2, length, &g);

    if (n == 0)
        return unknown_option(p, word);
    if (n > 1)
        return fail(p->err, ARMPMU_BAD_CONFIG,
                    "%s%.60s stands for %u options, %s is one of them; write it in full", p->prefix,
                    word, n, g.text);
    return take(p, &g, value);
}

static bool find_letter(const struct option_table *table, char letter, struct given *g)
{
    for (struct option_cursor at = options_begin(table->rows); at.row != NULL; options_next(&at))
        if (at.row->letter == letter && option_is_one(at.row)) {
            *g = (struct given){
                .row = at.row, .outer = at.outer, .offset = at.offset, .text = {'-', letter}};
            return true;
        }
    return false;
}

static enum armpmu_status take_letters(struct option_parser *p, const char *letters)
{
    enum armpmu_status status = ARMPMU_OK;

    for (; *letters != '\0' && status == ARMPMU_OK; letters++) {
        const char text[3] = {'-', *letters};
        struct given g;
        if (!find_letter(p->table, *letters, &g))
            return unknown_option(p, text);
        if (g.row->metavar != NULL && !g.row->optional)
            return take(p, &g, letters[1] != '\0' ? &letters[1] : NULL);
        if (g.row->optional && letters[1] == '=')
            return take(p, &g, &letters[2]);
        status = take(p, &g, NULL);
    }
    return status;
}

static bool is_operand(const char *word)
{
    return word[0] != '-' || word[1] == '\0';
}

/* Operands are moved to the front of argv, in their order; a program and its arguments stay where
 * they are. */
static enum armpmu_status take_words(struct option_parser *p)
{
    const bool runs_program = p->table->runs_program;
    enum armpmu_status status = ARMPMU_OK;
    char **const first = p->next, **end = first;

    while (*p->next != NULL && status == ARMPMU_OK && !(runs_program && is_operand(*p->next))) {
        char *const word = *p->next++;
        if (strcmp(word, "--") == 0)
            break;
        if (is_operand(word))
            *end++ = word;
        else
            status = word[1] == '-' ? take_name(p, word) : take_letters(p, &word[1]);
    }
    p->line->operands = runs_program ? p->next : first;
    while (!runs_program && *p->next != NULL)
        *end++ = *p->next++;
    if (!runs_program)
        *end = NULL;
    return status;
}

enum armpmu_status options_parse(const struct option_table *table, struct command_line *line,
                                 void *options, struct armpmu_error *err)
{
    struct option_parser p = {.table = table,
                              .next = &line->argv[line->argc > 0],
                              .options = options,
                              .line = line,
                              .err = err};
    const char *const name = table->command;

    line->operands = &line->argv[line->argc];
    line->help = false;
    snprintf(p.prefix, sizeof p.prefix, "%s%s", name, *name != '\0' ? ": " : "");
    snprintf(p.see, sizeof p.see, "'armpmu help%s%s'", *name != '\0' ? " " : "", name);
    return take_words(&p);
}

void options_free(const struct option_row *rows, void *options)
{
    for (struct option_cursor at = options_begin(rows); at.row != NULL; options_next(&at)) {
        if (at.row->kind != OPTION_LIST)
            continue;
        struct option_list *const list = (struct option_list *)((char *)options + at.offset);
        free(list->values);
        *list = (struct option_list){0};
    }
}
