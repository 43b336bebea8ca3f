/* A PMU by its name, and the terms between its slashes: pmu/terms/. */
#include "cli/event_list_internal.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "cli/suggest.h"

/* perf's name of the first processor's PMU, whichever it is; Linux's name of each PMUv3 that no
 * driver knows by its core, with or without a number. */
static bool is_general_pmu(const struct armpmu_core *core, const char *pmu)
{
    static const char any_pmuv3[] = "armv8_pmuv3";
    const char *number = pmu + sizeof any_pmuv3 - 1;

    if (strcasecmp(pmu, "cpu") == 0)
        return true;
    if (strncasecmp(core->pmu, "armv8_", 6) != 0 ||
        strncasecmp(pmu, any_pmuv3, sizeof any_pmuv3 - 1) != 0)
        return false;
    return *number == '\0' || (*number == '_' && number[1] != '\0' &&
                               number[1 + strspn(number + 1, "0123456789")] == '\0');
}

enum armpmu_status event_parser_check_pmu(const struct event_parser *p, const char *pmu)
{
    struct suggest s;
    char hint[256];
    const struct armpmu_core *named = armpmu_core_find(pmu);

    if (named == p->core || is_general_pmu(p->core, pmu))
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
    if (strncasecmp(name, "PMN", 3) == 0 && event_list_parse_number(name + 3, 10, &n) &&
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
        return event_parser_add_word(p, r, term);
    size_t key_length = (size_t)(value++ - term);
    bool names_event = (key_length == 5 && strncasecmp(term, "event", 5) == 0) ||
                       (key_length == 6 && strncasecmp(term, "config", 6) == 0);
    if (!names_event)
        return fail(p->err, ARMPMU_BAD_CONFIG,
                    QUOTED
                    ": term '%.20s' is unknown; the terms are event=, config=, counter= and name=",
                    r->whole, term);
    if (event_list_parse_raw(value, &number) || event_list_parse_number(value, 10, &number))
        return event_parser_add_number(p, r, number);
    return fail(p->err, ARMPMU_BAD_CONFIG, QUOTED ": '%.20s' is not a number like 0x08", r->whole,
                value);
}

enum armpmu_status event_parser_add_terms(const struct event_parser *p, struct event_request *r,
                                          const char *event, char *terms)
{
    const char *event_term = event;
    enum armpmu_status status;
    char *rest = terms, *term;

    while ((term = strsep(&rest, ",")) != NULL) {
        if (parse_setting(p, r, term, &status)) {
            if (status != ARMPMU_OK)
                return status;
            continue;
        }
        if (event != NULL && *term == '\0')
            continue; /* "cycles//" */
        if (event != NULL && strchr(term, '=') != NULL)
            return fail(p->err, ARMPMU_BAD_CONFIG,
                        QUOTED ": '%.20s' is not allowed after an event; use name= or counter=",
                        r->whole, term);
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
