/* The list's grammar: groups, events, and their modifiers. */
#include "cli/event_list_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "cli/suggest.h"

/* --- modifiers ------------------------------------------------------------------------------- */

/* perf's modifiers that cannot be had, or not always, and what they ask for. */
static const struct {
    char letter;
    const char *asks, *answer;
} modifiers[] = {
    {'u', "user mode only", "the PMU of this core has no privilege filter"},
    {'k', "kernel mode only", "only the program itself is run, and that is user mode"},
    {'h', "hypervisor mode only", "only the program itself is run, and that is user mode"},
    {'G', "guest only", "there is no hypervisor here"},
    {'H', "host only", "there is no hypervisor here"},
    {'I', "not when idle", "the program's core is never idle"},
    {'S', "samples read the group", "counting takes no samples"},
    {'b', "BPF counters", "there is no BPF here"},
};

/* Why the modifier at an index cannot be had. */
static const char *refusal(const struct event_parser *p, size_t i)
{
    const bool filter = strchr("ukh", modifiers[i].letter) != NULL;

    if (p->mode == MODE_MACHINE && filter)
        return "the report has each event in every mode";
    if (p->mode == MODE_MACHINE && modifiers[i].letter == 'I')
        return "an idle processor counts nothing";
    return p->mode == MODE_HW && filter ? modifiers[0].answer : modifiers[i].answer;
}

static enum armpmu_status refuse_modifier(const struct event_parser *p, const char *whole,
                                          char letter)
{
    size_t i = 0, n = sizeof modifiers / sizeof modifiers[0];

    while (i < n && modifiers[i].letter != letter)
        i++;
    if (i == n)
        return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": '%c' is not a modifier; %s", whole,
                    isprint((unsigned char)letter) ? letter : '?',
                    p->mode == MODE_MACHINE ? "none is needed here"
                                            : "'u' is the one accepted here");
    return fail(p->err, ARMPMU_BAD_CONFIG,
                QUOTED ": modifier '%c' (%s) is not available: %s; remove it%s", whole, letter,
                modifiers[i].asks, refusal(p, i),
                letter == 'u' && p->mode == MODE_HW ? " or use --mode all" : "");
}

/* Those that ask for what is so anyway: no count ever loses its counter or its place. */
static bool is_fulfilled(const struct event_parser *p, char letter)
{
    return strchr("pPDWe", letter) != NULL || (letter == 'u' && p->mode == MODE_ALL);
}

static enum armpmu_status check_modifiers(const struct event_parser *p, const char *whole,
                                          const char *letters)
{
    if (*letters == '\0')
        return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": nothing follows the ':'; remove it",
                    whole);
    for (; *letters != '\0'; letters++)
        if (!is_fulfilled(p, *letters))
            return refuse_modifier(p, whole, *letters);
    return ARMPMU_OK;
}

/* --- grammar --------------------------------------------------------------------------------- */

/* "pmu/terms/mods" or "name/terms/mods"; text is cut here. */
static enum armpmu_status add_slashed(const struct event_parser *p, struct event_request *r,
                                      char *text)
{
    char *slash = strchr(text, '/'), *end = strrchr(text, '/');
    enum armpmu_status status = ARMPMU_OK;

    if (end[1] != '\0')
        status = check_modifiers(p, r->whole, end + 1 + (end[1] == ':'));
    *slash = *end = '\0';
    if (status != ARMPMU_OK)
        return status;
    if (event_parser_names_event(p, text))
        return event_parser_add_terms(p, r, text, slash + 1);
    status = event_parser_check_pmu(p, text);
    return status != ARMPMU_OK ? status : event_parser_add_terms(p, r, NULL, slash + 1);
}

/* "name:mods", with "pmu::" or "preset:" in front perhaps; text is cut here. */
static enum armpmu_status add_named(const struct event_parser *p, struct event_request *r,
                                    char *text)
{
    char *libpfm = strstr(text, "::"), *name = text;
    enum armpmu_status status = ARMPMU_OK;

    if (libpfm != NULL) {
        *libpfm = '\0';
        name = libpfm + 2;
        status = event_parser_check_pmu(p, text);
    } else if (strncasecmp(text, "preset:", 7) == 0) {
        name = text + 7;
    }
    char *mods = strchr(name, ':');
    if (mods != NULL) {
        *mods = '\0';
        if (status == ARMPMU_OK)
            status = check_modifiers(p, r->whole, mods + 1);
    }
    if (status == ARMPMU_OK && *name == '\0')
        return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED " names no event", r->whole);
    return status != ARMPMU_OK ? status : event_parser_add_word(p, r, name);
}

/* word: one event as written; scratch: a copy to cut. */
static enum armpmu_status parse_event(const struct event_parser *p, const char *word, char *scratch)
{
    struct event_request r = {.whole = word, .counter = COUNTER_ANY};
    const struct armpmu_event *event = armpmu_event_by_name(p->core, word);

    if (event != NULL) /* first, because gator's names have ':', '/' and '[' in them */
        return event_parser_add(p, &r, event);
    return strchr(scratch, '/') != NULL ? add_slashed(p, &r, scratch) : add_named(p, &r, scratch);
}

/* The length of the event at text: up to ',' or a brace, except between two slashes. */
static size_t event_length(const char *text, bool *closed)
{
    size_t n = 0;

    *closed = true;
    for (; text[n] != '\0'; n++) {
        if (text[n] == '/')
            *closed = !*closed;
        else if (*closed && strchr(",{}", text[n]) != NULL)
            break;
    }
    return n;
}

static const char *skip_spaces(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* The length of the event name at text, 0 if none is there: gator has names with a '/' in them. */
static size_t name_length(const struct armpmu_core *core, const char *text)
{
    char name[SUGGEST_WORD_MAX];
    size_t length = strcspn(text, ",{}");

    if (length >= sizeof name)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    return armpmu_event_by_name(core, name) != NULL ? length : 0;
}

static enum armpmu_status parse_one(const struct event_parser *p, const char **text)
{
    bool closed = true;
    size_t length = name_length(p->core, *text);
    const char *start = *text;

    if (length == 0)
        length = event_length(start, &closed);

    *text += length;
    while (length > 0 && isspace((unsigned char)start[length - 1]))
        length--;
    if (!closed)
        return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": the closing '/' is missing", start);
    if (length == 0)
        return fail(p->err, ARMPMU_BAD_CONFIG,
                    "the event list has an empty place before %s%.20s%s; put one ',' between two "
                    "events",
                    *start == '\0' ? "" : "'", *start == '\0' ? "its end" : start,
                    *start == '\0' ? "" : "'");
    char *word = strndup(start, length), *scratch = strndup(start, length);
    enum armpmu_status status = word == NULL || scratch == NULL
                                    ? fail_no_memory(p->err, "the event list")
                                    : parse_event(p, word, scratch);
    free(word);
    free(scratch);
    return status;
}

/* text: after the '{'. */
static enum armpmu_status parse_group(struct event_parser *p, const char **text)
{
    const char *start = *text;
    enum armpmu_status status;

    p->group = ++p->list->groups;
    for (;;) {
        *text = skip_spaces(*text);
        if (**text == '{')
            return fail(p->err, ARMPMU_BAD_CONFIG, "'{%.40s': a group inside a group", start);
        status = parse_one(p, text);
        if (status != ARMPMU_OK)
            return status;
        if (**text != ',')
            break;
        ++*text;
    }
    if (**text != '}')
        return fail(p->err, ARMPMU_BAD_CONFIG, "'{%.40s': the closing '}' is missing", start);
    ++*text;
    status = event_list_check_group(p);
    p->group = 0;
    if (status == ARMPMU_OK && **text == ':') {
        char letters[16];
        size_t length = strcspn(++*text, ",");
        snprintf(letters, sizeof letters, "%.*s", (int)(length < 15 ? length : 15), *text);
        *text += length;
        status = check_modifiers(p, start - 1, letters);
    }
    return status;
}

static enum armpmu_status parse_list(struct event_parser *p, const char *text)
{
    for (;;) {
        enum armpmu_status status;
        text = skip_spaces(text);
        if (*text == '{') {
            text++;
            status = parse_group(p, &text);
        } else {
            status = parse_one(p, &text);
        }
        if (status != ARMPMU_OK)
            return status;
        text = skip_spaces(text);
        if (*text == '\0')
            return ARMPMU_OK;
        if (*text != ',')
            return fail(p->err, ARMPMU_BAD_CONFIG, "',' expected before '%.20s' in the event list",
                        text);
        text++;
    }
}

enum armpmu_status event_list_parse(struct event_list *list, const struct armpmu_core *core,
                                    enum count_mode mode, const char *text,
                                    struct armpmu_error *err)
{
    struct event_parser p = {.list = list, .core = core, .mode = mode, .err = err};
    size_t count = list->count;
    unsigned groups = list->groups;

    enum armpmu_status status = parse_list(&p, text);
    if (status != ARMPMU_OK) {
        event_list_shorten(list, count);
        list->groups = groups;
    }
    return status;
}
