#include "profile/event_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

static const struct armpmu_core *core_of(const struct profile *p)
{
    return p->setup.core != NULL ? armpmu_core_find(p->setup.core) : NULL;
}

static void take(struct event_choice *choice, uint32_t event)
{
    for (size_t i = 0; i < choice->n; i++)
        if (choice->events[i] == event)
            return;
    choice->events[choice->n++] = event;
}

/* Cycles first, since tools show the first event where none is asked for; what never happened comes
 * last. */
static void take_all(const struct profile *p, struct event_choice *choice)
{
    const struct armpmu_core *const core = core_of(p);

    for (uint32_t i = 0; core != NULL && i < p->n_events; i++)
        if (p->events[i].number == core->cycles_event && p->totals[i] > 0)
            take(choice, i);
    for (uint32_t i = 0; i < p->n_events; i++)
        if (p->totals[i] > 0)
            take(choice, i);
    for (uint32_t i = 0; i < p->n_events; i++)
        take(choice, i);
}

/* Returns whether the profile calls an event so, or the core's catalogue: by an alias, number or
 * pattern.
 */
static bool is_event(const struct profile *p, uint32_t number, const char *word)
{
    const struct profile_event *const event = &p->events[number];
    const struct armpmu_core *const core = core_of(p);
    const struct armpmu_event *const known =
        core != NULL ? armpmu_event_by_number(core, event->number) : NULL;

    return strcasecmp(event->name, word) == 0 || armpmu_glob_matches(word, event->name) ||
           (known != NULL && armpmu_event_matches(known, word));
}

static bool take_matching(const struct profile *p, const char *word, struct event_choice *choice)
{
    bool is_recorded = false;

    for (uint32_t i = 0; i < p->n_events; i++) {
        if (!is_event(p, i, word))
            continue;
        take(choice, i);
        is_recorded = true;
    }
    return is_recorded;
}

void event_choice_name(const struct profile *profile, char *text, size_t size)
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < profile->n_events && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ? ", " : "",
                              profile->events[i].name);
    if (n >= size)
        memcpy(text + size - 4, "...", 4);
}

/* list: a copy, which is cut up. */
static enum armpmu_status take_list(const struct profile *p, char *list,
                                    struct event_choice *choice, struct armpmu_error *err)
{
    char names[300];

    for (char *word; (word = strsep(&list, ",")) != NULL;) {
        if (strcasecmp(word, "all") == 0)
            take_all(p, choice);
        else if (!take_matching(p, word, choice)) {
            event_choice_name(p, names, sizeof names);
            return fail(err, ARMPMU_NOT_FOUND, "-e '%.60s': not recorded; the profile has %s", word,
                        names);
        }
    }
    return ARMPMU_OK;
}

enum armpmu_status event_choice_make(const struct profile *profile, const char *list,
                                     struct event_choice *choice, struct armpmu_error *err)
{
    char *const words = strdup(list != NULL ? list : "all");
    enum armpmu_status status;

    *choice = (struct event_choice){malloc((profile->n_events + 1) * sizeof *choice->events), 0, 0};
    if (words == NULL || choice->events == NULL)
        status = fail_no_memory(err, "the events");
    else
        status = take_list(profile, words, choice, err);
    free(words);
    return status;
}

enum armpmu_status event_choice_usual(const struct profile *profile, struct event_choice *choice,
                                      struct armpmu_error *err)
{
    static const char *const names[] = {"cycles", "instructions", "cache-misses", "branch-misses"};
    const size_t n = sizeof names / sizeof *names;
    const enum armpmu_status status = event_choice_make(profile, NULL, choice, err);

    if (status != ARMPMU_OK || profile->n_events <= n)
        return status;
    choice->n = 0;
    for (size_t i = 0; i < n; i++)
        (void)take_matching(profile, names[i], choice);
    if (choice->n == 0)
        take_all(profile, choice);
    return ARMPMU_OK;
}

size_t event_choice_n_counts(const struct event_choice *choice)
{
    return choice->n + choice->n_beside;
}

void event_choice_add_beside(struct event_choice *choice, uint32_t event)
{
    const size_t n = event_choice_n_counts(choice);

    for (size_t i = 0; i < n; i++)
        if (choice->events[i] == event)
            return;
    choice->events[n] = event;
    choice->n_beside++;
}

void event_choice_free(struct event_choice *choice)
{
    free(choice->events);
    *choice = (struct event_choice){NULL, 0, 0};
}
