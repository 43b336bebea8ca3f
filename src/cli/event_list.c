#include "cli/event_list.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/suggest.h"

/* How much of a word a message quotes. */
#define QUOTED "'%.60s'"

#define LIST_MAX 4096 /* events: more is a mistake, not a measurement */

struct event_parser {
    struct event_list *list;
    const struct armpmu_core *core;
    enum count_mode mode;
    unsigned group;
    struct armpmu_error *err;
};

/* What one event of the list says besides which event it is. */
struct event_request {
    const char *whole; /* as written, for messages */
    const char *label; /* NULL: the canonical name */
    int counter;
};

/* --- the list -------------------------------------------------------------------------------- */

bool event_list_has(const struct event_list *list, const struct armpmu_event *event)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].event == event)
            return true;
    }
    return false;
}

static enum armpmu_status append(struct event_list *list, const struct armpmu_event *event,
                                 unsigned group, const struct event_request *r,
                                 struct armpmu_error *err)
{
    if (list->count >= LIST_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "more than %d events listed; list each once", LIST_MAX);
    char *const label = printable_copy(r->label != NULL ? r->label : event->name);
    char *const asked = r->whole != NULL ? printable_copy(r->whole) : NULL;
    if (label == NULL || (r->whole != NULL && asked == NULL) ||
        !ARRAY_RESERVE(list->items, list->room, list->count + 1)) {
        free(label);
        free(asked);
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the event list");
    }
    list->items[list->count++] = (struct event_item){event, label, asked, group, r->counter};
    return ARMPMU_OK;
}

enum armpmu_status event_list_add(struct event_list *list, const struct armpmu_event *event,
                                  struct armpmu_error *err)
{
    return append(list, event, 0, &(struct event_request){.counter = COUNTER_ANY}, err);
}

static void shorten(struct event_list *list, size_t count)
{
    while (list->count > count) {
        free(list->items[--list->count].label);
        free(list->items[list->count].asked);
    }
}

void event_list_free(struct event_list *list)
{
    shorten(list, 0);
    free(list->items);
    *list = (struct event_list){0};
}

/* --- counters -------------------------------------------------------------------------------- */

static enum armpmu_status too_many(const struct event_list *list, const struct armpmu_core *core,
                                   unsigned group, struct armpmu_error *err)
{
    size_t wanted = 0;
    for (size_t i = 0; i < list->count; i++)
        wanted += group == 0 || list->items[i].group == group;
    if (group != 0)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "group %u has %zu events, the %s has %u counters and the cycle counter; make the "
            "group smaller or use --mode all",
            group, wanted, core->title, core->n_event_counters);
    return fail(err, ARMPMU_BAD_CONFIG,
                "%zu events in --mode hw, the %s has %u counters and the cycle counter; list fewer "
                "or use --mode all",
                wanted, core->title, core->n_event_counters);
}

/* The counter of an event that does not name one; -1 when none is free. */
static int free_counter(const struct armpmu_event *event, const struct armpmu_core *core,
                        const bool *taken)
{
    if (event->first == core->cycles_event && !taken[core->n_event_counters])
        return (int)core->n_event_counters;
    for (unsigned i = 0; i < core->n_event_counters; i++) {
        if (!taken[i])
            return (int)i;
    }
    return COUNTER_ANY;
}

enum armpmu_status event_list_assign(struct event_list *list, const struct armpmu_core *core,
                                     struct armpmu_error *err)
{
    bool taken[256] = {false};

    if (core->n_event_counters >= sizeof taken)
        return fail(err, ARMPMU_BAD_CONFIG, "%s: %u counters, at most 255", core->name,
                    core->n_event_counters);
    for (size_t i = 0; i < list->count; i++) {
        const struct event_item *item = &list->items[i];
        if (item->counter == COUNTER_ANY)
            continue;
        if (taken[item->counter])
            return fail(err, ARMPMU_BAD_CONFIG, QUOTED ": its counter already has another event",
                        item->label);
        taken[item->counter] = true;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct event_item *item = &list->items[i];
        if (item->counter != COUNTER_ANY)
            continue;
        item->counter = free_counter(item->event, core, taken);
        if (item->counter == COUNTER_ANY)
            return too_many(list, core, 0, err);
        taken[item->counter] = true;
    }
    return ARMPMU_OK;
}

static enum armpmu_status check_group(const struct event_parser *p)
{
    unsigned others = 0;
    bool cycles = false;

    for (size_t i = 0; i < p->list->count; i++) {
        const struct event_item *item = &p->list->items[i];
        if (item->group != p->group)
            continue;
        if (item->event->first == p->core->cycles_event && !cycles)
            cycles = true;
        else
            others++;
    }
    if (p->mode == MODE_HW && others > p->core->n_event_counters)
        return too_many(p->list, p->core, p->group, p->err);
    return ARMPMU_OK;
}

/* --- names ----------------------------------------------------------------------------------- */

static bool is_reserved(const struct armpmu_event *event)
{
    return event->fidelity == ARMPMU_RESERVED;
}

/* "0x00-0x12, 0x40-0x5a and 0x70-0x72" */
static void valid_ranges(const struct armpmu_core *core, char *text, size_t size)
{
    size_t used = 0;
    unsigned n_ranges = 0, last_start = 0;

    text[0] = '\0';
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *first = &core->events[i];
        if (is_reserved(first))
            continue;
        while (i + 1 < core->n_events && !is_reserved(&core->events[i + 1]))
            i++;
        last_start = (unsigned)used;
        int n = snprintf(text + used, size - used, "%s0x%02x-0x%02x", n_ranges++ ? ", " : "",
                         first->first, core->events[i].last);
        used += n > 0 ? (size_t)n : 0;
        if (used >= size)
            return;
    }
    char last[32];
    if (n_ranges > 1) {
        snprintf(last, sizeof last, "%s", text + last_start + 2);
        snprintf(text + last_start, size - last_start, " and %s", last);
    }
}

static enum armpmu_status unknown_event(const struct event_parser *p, const char *name)
{
    struct suggest s;
    char hint[3 * SUGGEST_WORD_MAX + 32], ranges[96], alias[SUGGEST_WORD_MAX];

    suggest_begin(&s, name);
    suggest_offer(&s, "all", NULL);
    for (size_t i = 0; i < p->core->n_events; i++) {
        const struct armpmu_event *event = &p->core->events[i];
        if (is_reserved(event))
            continue;
        suggest_offer(&s, event->name, event);
        for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++) {
            for (size_t j = 0; armpmu_event_alias(event, naming, j, alias, sizeof alias) > 0; j++)
                suggest_offer(&s, alias, event);
        }
    }
    suggest_sentence(&s, hint, sizeof hint);
    valid_ranges(p->core, ranges, sizeof ranges);
    return fail(p->err, ARMPMU_NOT_FOUND,
                QUOTED " is not an event of %s%s%s 'armpmu list' shows them all, numbers are %s",
                name, p->core->name, hint, s.count > 0 ? "" : ";", ranges);
}

static enum armpmu_status add_event(const struct event_parser *p, const struct event_request *r,
                                    const struct armpmu_event *event)
{
    return append(p->list, event, p->group, r, p->err);
}

static enum armpmu_status add_number(const struct event_parser *p, const struct event_request *r,
                                     unsigned long number)
{
    char ranges[96];
    if (number == p->core->cycles_config && number != 0)
        number = p->core->cycles_event;
    const struct armpmu_event *event =
        number <= 0xffff ? armpmu_event_by_number(p->core, (unsigned)number) : NULL;

    if (event != NULL && !is_reserved(event))
        return add_event(p, r, event);
    valid_ranges(p->core, ranges, sizeof ranges);
    if (number == ULONG_MAX) /* or more: what parse_number makes of it */
        return fail(p->err, ARMPMU_NOT_FOUND,
                    QUOTED ": the event number is out of range; %s counts %s", r->whole,
                    p->core->name, ranges);
    return fail(p->err, ARMPMU_NOT_FOUND, QUOTED ": event number 0x%02lx %s; %s counts %s",
                r->whole, number,
                event != NULL ? "is reserved and never counts" : "is out of range", p->core->name,
                ranges);
}

/* Reads a number in base 10 or 16 that fills the word; false if it is none. */
static bool parse_number(const char *word, int base, unsigned long *out)
{
    const char *digits = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
    if (*word == '\0' || word[strspn(word, digits)] != '\0')
        return false;
    errno = 0;
    *out = strtoul(word, NULL, base);
    if (errno == ERANGE)
        *out = ULONG_MAX;
    return true;
}

/* "0x08" or "r08" */
static bool parse_raw(const char *word, unsigned long *out)
{
    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
        return parse_number(word + 2, 16, out);
    return (word[0] == 'r' || word[0] == 'R') && parse_number(word + 1, 16, out);
}

/* --- globs ----------------------------------------------------------------------------------- */

static bool is_glob(const char *word)
{
    return strpbrk(word, "*?[") != NULL;
}

static bool matches_any_name(const char *glob, const struct armpmu_core *core)
{
    for (size_t i = 0; i < core->n_events; i++) {
        if (!is_reserved(&core->events[i]) && armpmu_glob_matches(glob, core->events[i].name))
            return true;
    }
    return false;
}

/* Adds every event the glob matches, in number order, but none a second time. Aliases are looked at
 * only when no canonical name matches: gator's begin with words such as "Cache:". NULL: all. */
static enum armpmu_status add_matching(const struct event_parser *p, const struct event_request *r,
                                       const char *glob)
{
    bool by_name = glob != NULL && matches_any_name(glob, p->core), found = false;

    if (r->label != NULL || r->counter != COUNTER_ANY)
        return fail(p->err, ARMPMU_BAD_CONFIG,
                    QUOTED ": 'name=' and 'counter=' are for a single event", r->whole);
    for (size_t i = 0; i < p->core->n_events; i++) {
        const struct armpmu_event *event = &p->core->events[i];
        bool wanted = glob == NULL || (by_name ? armpmu_glob_matches(glob, event->name)
                                               : armpmu_event_matches(event, glob));
        if (is_reserved(event) || !wanted)
            continue;
        found = true;
        if (event_list_has(p->list, event))
            continue;
        enum armpmu_status status = add_event(p, r, event);
        if (status != ARMPMU_OK)
            return status;
    }
    if (!found)
        return fail(p->err, ARMPMU_NOT_FOUND,
                    QUOTED " matches no event of %s; 'armpmu list' shows them all", r->whole,
                    p->core->name);
    return ARMPMU_OK;
}

static enum armpmu_status add_word(const struct event_parser *p, const struct event_request *r,
                                   const char *word)
{
    unsigned long number;
    const struct armpmu_event *event = armpmu_event_by_name(p->core, word);

    if (event != NULL)
        return add_event(p, r, event);
    if (strcasecmp(word, "all") == 0)
        return add_matching(p, r, NULL);
    if (parse_raw(word, &number))
        return add_number(p, r, number);
    if (is_glob(word))
        return add_matching(p, r, word);
    return unknown_event(p, word);
}

/* --- modifiers ------------------------------------------------------------------------------- */

/* perf's modifiers and what they ask for; 'u' alone can be honoured. */
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
    {'p', "precise addresses", "counts have no addresses"},
    {'P', "the most precise addresses", "counts have no addresses"},
    {'S', "samples read the group", "counting takes no samples"},
    {'D', "pinned to the PMU", "no event ever loses its counter"},
    {'W', "weak group", "a group is never broken up"},
    {'e', "the group has the PMU alone", "nothing else uses the PMU"},
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

static enum armpmu_status check_modifiers(const struct event_parser *p, const char *whole,
                                          const char *letters)
{
    if (*letters == '\0')
        return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": nothing follows the ':'; remove it",
                    whole);
    for (; *letters != '\0'; letters++) {
        size_t i = 0, n = sizeof modifiers / sizeof modifiers[0];
        while (i < n && modifiers[i].letter != *letters)
            i++;
        if (i == n)
            return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": '%c' is not a modifier; %s", whole,
                        isprint((unsigned char)*letters) ? *letters : '?',
                        p->mode == MODE_MACHINE ? "none is needed here"
                                                : "'u' is the one accepted here");
        if (*letters == 'u' && p->mode == MODE_ALL)
            continue; /* everything counted is user mode already */
        return fail(p->err, ARMPMU_BAD_CONFIG,
                    QUOTED ": modifier '%c' (%s) cannot be had: %s; remove it%s", whole, *letters,
                    modifiers[i].asks, refusal(p, i),
                    *letters == 'u' && p->mode == MODE_HW ? " or use --mode all" : "");
    }
    return ARMPMU_OK;
}

/* --- pmu/terms/ ------------------------------------------------------------------------------ */

static enum armpmu_status check_pmu(const struct event_parser *p, const char *pmu)
{
    struct suggest s;
    char hint[256];
    const struct armpmu_core *named = armpmu_core_find(pmu);

    if (named == p->core)
        return ARMPMU_OK;
    if (named != NULL)
        return fail(p->err, ARMPMU_NOT_FOUND,
                    QUOTED " is the PMU of %s, the machine is a %s; choose another with --machine",
                    pmu, named->name, p->core->name);
    suggest_begin(&s, pmu);
    suggest_offer(&s, p->core->pmu, p->core);
    suggest_offer(&s, p->core->name, p->core);
    for (size_t i = 0;
         i < sizeof p->core->pmu_aliases / sizeof *p->core->pmu_aliases && p->core->pmu_aliases[i];
         i++)
        suggest_offer(&s, p->core->pmu_aliases[i], p->core);
    suggest_sentence(&s, hint, sizeof hint);
    return fail(p->err, ARMPMU_NOT_FOUND, QUOTED " is not a PMU%s%s the PMU of this machine is %s",
                pmu, hint, s.count > 0 ? "" : ";", p->core->pmu);
}

/* "PMN1" or "CCNT" */
static enum armpmu_status parse_counter(const struct event_parser *p, struct event_request *r,
                                        const char *name)
{
    unsigned long n;

    if (strcasecmp(name, "CCNT") == 0) {
        r->counter = (int)p->core->n_event_counters;
        return ARMPMU_OK;
    }
    if (strncasecmp(name, "PMN", 3) == 0 && parse_number(name + 3, 10, &n) &&
        n < p->core->n_event_counters) {
        r->counter = (int)n;
        return ARMPMU_OK;
    }
    return fail(p->err, ARMPMU_BAD_CONFIG,
                QUOTED ": no counter '%.20s'; there are PMN0 to PMN%u and CCNT", r->whole, name,
                p->core->n_event_counters - 1);
}

/* A term that says how, not which event: true if it was one. */
static bool parse_setting(const struct event_parser *p, struct event_request *r, const char *term,
                          enum armpmu_status *status)
{
    *status = ARMPMU_OK;
    if (strncasecmp(term, "name=", 5) == 0) {
        r->label = term + 5;
        if (*r->label == '\0')
            *status = fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": 'name=' needs a name", r->whole);
        return true;
    }
    if (strncasecmp(term, "counter=", 8) == 0) {
        *status = parse_counter(p, r, term + 8);
        return true;
    }
    return false;
}

static enum armpmu_status add_term(const struct event_parser *p, const struct event_request *r,
                                   const char *term)
{
    const char *value = strchr(term, '=');
    unsigned long number;

    if (value == NULL)
        return add_word(p, r, term);
    size_t key_length = (size_t)(value++ - term);
    bool names_event = (key_length == 5 && strncasecmp(term, "event", 5) == 0) ||
                       (key_length == 6 && strncasecmp(term, "config", 6) == 0);
    if (!names_event)
        return fail(p->err, ARMPMU_BAD_CONFIG,
                    QUOTED
                    ": term '%.20s' is not known; there are event=, config=, counter= and name=",
                    r->whole, term);
    if (parse_raw(value, &number) || parse_number(value, 10, &number))
        return add_number(p, r, number);
    return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": '%.20s' is not a number like 0x08", r->whole,
                value);
}

/* terms: the text between the slashes, cut into pieces here. */
static enum armpmu_status add_pmu_event(const struct event_parser *p, struct event_request *r,
                                        char *terms)
{
    const char *event_term = NULL;
    enum armpmu_status status;
    char *rest = terms, *term;

    while ((term = strsep(&rest, ",")) != NULL) {
        if (parse_setting(p, r, term, &status)) {
            if (status != ARMPMU_OK)
                return status;
            continue;
        }
        if (event_term != NULL || *term == '\0')
            return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": one event between the slashes, not %s",
                        r->whole, *term == '\0' ? "an empty term" : "two");
        event_term = term;
    }
    if (event_term == NULL)
        return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": no event between the slashes", r->whole);
    status = add_term(p, r, event_term);
    if (status != ARMPMU_OK)
        return status;
    const struct event_item *item = &p->list->items[p->list->count - 1];
    if (r->counter == (int)p->core->n_event_counters && item->event->first != p->core->cycles_event)
        return fail(p->err, ARMPMU_BAD_CONFIG,
                    QUOTED ": the cycle counter counts cycles only; choose a "
                           "counter from PMN0 to PMN%u",
                    r->whole, p->core->n_event_counters - 1);
    return ARMPMU_OK;
}

/* --- grammar --------------------------------------------------------------------------------- */

/* "pmu/terms/mods"; text is cut here. */
static enum armpmu_status add_slashed(const struct event_parser *p, struct event_request *r,
                                      char *text)
{
    char *slash = strchr(text, '/'), *end = strrchr(text, '/');
    enum armpmu_status status = ARMPMU_OK;

    if (end[1] != '\0')
        status = check_modifiers(p, r->whole, end + 1 + (end[1] == ':'));
    *slash = *end = '\0';
    if (status == ARMPMU_OK)
        status = check_pmu(p, text);
    return status != ARMPMU_OK ? status : add_pmu_event(p, r, slash + 1);
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
        status = check_pmu(p, text);
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
    return status != ARMPMU_OK ? status : add_word(p, r, name);
}

/* word: one event as written; scratch: a copy to cut. */
static enum armpmu_status parse_event(const struct event_parser *p, const char *word, char *scratch)
{
    struct event_request r = {.whole = word, .counter = COUNTER_ANY};
    const struct armpmu_event *event = armpmu_event_by_name(p->core, word);

    if (event != NULL) /* first, because gator's names have ':', '/' and '[' in them */
        return add_event(p, &r, event);
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
    enum armpmu_status status =
        word == NULL || scratch == NULL
            ? fail(p->err, ARMPMU_NO_MEMORY, "out of memory for the event list")
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
    status = check_group(p);
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
        shorten(list, count);
        list->groups = groups;
    }
    return status;
}
