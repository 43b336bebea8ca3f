/* Finds the events that a word of the list means: by name, number or glob. */
#include "cli/event_list_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "cli/suggest.h"

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

/* The row of an event that the core has and that is not modelled; NULL if there is none. */
static const struct armpmu_event *not_modelled(const struct armpmu_core *core, const char *name)
{
    for (size_t i = 0; i < core->n_events; i++)
        if (is_reserved(&core->events[i]) && core->events[i].name[0] != '\0' &&
            strcasecmp(core->events[i].name, name) == 0)
            return &core->events[i];
    return NULL;
}

static enum armpmu_status refuse_known(const struct event_parser *p, const char *name,
                                       const struct armpmu_event *known)
{
    return fail(p->err, ARMPMU_NOT_FOUND, QUOTED " is %s (0x%04x) of %s, %s; leave it out", name,
                known->name, known->first, p->core->name, known->meaning);
}

static enum armpmu_status unknown_event(const struct event_parser *p, const char *name)
{
    struct suggest s;
    char hint[3 * SUGGEST_WORD_MAX + 32], ranges[96], alias[SUGGEST_WORD_MAX];

    const struct armpmu_event *const known = not_modelled(p->core, name);
    if (known != NULL)
        return refuse_known(p, name, known);
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

static bool is_hidden(const struct event_parser *p, const struct armpmu_event *event)
{
    return event->needs_system && p->list->of_program;
}

static enum armpmu_status refuse_hidden(const struct event_parser *p, const struct event_request *r)
{
    return fail(p->err, ARMPMU_NOT_FOUND,
                QUOTED ": only a whole machine shows this event ('armpmu guest'), a program does "
                       "not; leave it out",
                r->whole);
}

enum armpmu_status event_parser_add(const struct event_parser *p, const struct event_request *r,
                                    const struct armpmu_event *event)
{
    if (is_hidden(p, event))
        return refuse_hidden(p, r);
    return event_list_append(p->list, event, p->group, r, p->err);
}

enum armpmu_status event_parser_add_number(const struct event_parser *p,
                                           const struct event_request *r, unsigned long number)
{
    char ranges[96];
    if (number == p->core->cycles_config && number != 0)
        number = p->core->cycles_event;
    const struct armpmu_event *event =
        number <= 0xffff ? armpmu_event_by_number(p->core, (unsigned)number) : NULL;

    if (event != NULL && !is_reserved(event))
        return event_parser_add(p, r, event);
    if (event != NULL && event->name[0] != '\0')
        return refuse_known(p, r->whole, event);
    valid_ranges(p->core, ranges, sizeof ranges);
    if (number == ULONG_MAX) /* or more: what event_list_parse_number makes of it */
        return fail(p->err, ARMPMU_NOT_FOUND,
                    QUOTED ": the event number is out of range; %s counts %s", r->whole,
                    p->core->name, ranges);
    return fail(p->err, ARMPMU_NOT_FOUND, QUOTED ": event number 0x%02lx %s; %s counts %s",
                r->whole, number,
                event != NULL ? "is reserved and never counts" : "is out of range", p->core->name,
                ranges);
}

bool event_list_parse_number(const char *word, int base, unsigned long *out)
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

bool event_list_parse_raw(const char *word, unsigned long *out)
{
    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
        return event_list_parse_number(word + 2, 16, out);
    return (word[0] == 'r' || word[0] == 'R') && event_list_parse_number(word + 1, 16, out);
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
    bool by_name = glob != NULL && matches_any_name(glob, p->core), found = false, hides = false;
    struct event_request each = *r;

    if (r->label != NULL || r->counter != COUNTER_ANY)
        return fail(p->err, ARMPMU_BAD_CONFIG,
                    QUOTED ": 'name=' and 'counter=' are for a single event", r->whole);
    each.is_glob = true;
    for (size_t i = 0; i < p->core->n_events; i++) {
        const struct armpmu_event *event = &p->core->events[i];
        bool wanted = glob == NULL || (by_name ? armpmu_glob_matches(glob, event->name)
                                               : armpmu_event_matches(event, glob));
        if (is_reserved(event) || !wanted)
            continue;
        hides |= is_hidden(p, event);
        found |= !is_hidden(p, event);
        if (event_list_has(p->list, event) || is_hidden(p, event))
            continue;
        enum armpmu_status status = event_parser_add(p, &each, event);
        if (status != ARMPMU_OK)
            return status;
    }
    if (!found && hides)
        return refuse_hidden(p, r);
    if (!found)
        return fail(p->err, ARMPMU_NOT_FOUND,
                    QUOTED " matches no event of %s; 'armpmu list' shows them all", r->whole,
                    p->core->name);
    return ARMPMU_OK;
}

static enum armpmu_status add_software(const struct event_parser *p, const struct event_request *r,
                                       const struct armpmu_event *event)
{
    if (p->list->takes_software)
        return event_parser_add(p, r, event);
    return fail(p->err, ARMPMU_NOT_FOUND,
                QUOTED ": the Linux kernel counts this event, no core does; leave it out",
                r->whole);
}

bool event_parser_names_event(const struct event_parser *p, const char *word)
{
    unsigned long number;

    return armpmu_event_by_name(p->core, word) != NULL || event_list_parse_raw(word, &number) ||
           event_list_software(word) != NULL;
}

enum armpmu_status event_parser_add_word(const struct event_parser *p,
                                         const struct event_request *r, const char *word)
{
    unsigned long number;
    const struct armpmu_event *event = armpmu_event_by_name(p->core, word);

    if (event != NULL)
        return event_parser_add(p, r, event);
    if (event_list_software(word) != NULL)
        return add_software(p, r, event_list_software(word));
    if (strcasecmp(word, "all") == 0)
        return add_matching(p, r, NULL);
    if (event_list_parse_raw(word, &number))
        return event_parser_add_number(p, r, number);
    if (is_glob(word))
        return add_matching(p, r, word);
    return unknown_event(p, word);
}
