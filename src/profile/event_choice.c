#include "profile/event_choice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

static void take(struct event_choice *choice, uint32_t event)
{
    for (size_t i = 0; i < choice->n; i++)
        if (choice->events[i] == event)
            return;
    choice->events[choice->n++] = event;
}

static bool take_matching(const struct profile *p, const char *glob, struct event_choice *choice)
{
    const size_t before = choice->n;

    for (uint32_t i = 0; i < p->n_events; i++)
        if (armpmu_glob_matches(glob, p->events[i].name))
            take(choice, i);
    return choice->n > before;
}

static bool take_numbers(const struct profile *p, uint32_t first, uint32_t last,
                         struct event_choice *choice)
{
    for (uint32_t i = 0; i < p->n_events; i++)
        if (p->events[i].number >= first && p->events[i].number <= last) {
            take(choice, i);
            return true;
        }
    return false;
}

/* "r11", "0x11" */
static bool take_number(const struct profile *p, const char *word, struct event_choice *choice)
{
    const char *const digits = word + (word[0] == '0' ? 2 : 1);
    char *end;

    if (strncasecmp(word, "r", 1) != 0 && strncasecmp(word, "0x", 2) != 0)
        return false;
    const unsigned long number = strtoul(digits, &end, 16);
    return isxdigit((unsigned char)digits[0]) && *end == '\0' && number <= UINT32_MAX &&
           take_numbers(p, (uint32_t)number, (uint32_t)number, choice);
}

/* By another name that the catalogue knows. */
static bool take_alias(const struct profile *p, const char *name, struct event_choice *choice)
{
    const struct armpmu_core *const core =
        p->setup.core != NULL ? armpmu_core_find(p->setup.core) : NULL;
    const struct armpmu_event *const event = core != NULL ? armpmu_event_by_name(core, name) : NULL;

    return event != NULL && take_numbers(p, event->first, event->last, choice);
}

/* The names of all events, as many as fit. */
static void name_events(const struct profile *p, char *text, size_t size)
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < p->n_events && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ? ", " : "", p->events[i].name);
    if (n >= size)
        memcpy(text + size - 4, "...", 4);
}

static enum armpmu_status take_word(const struct profile *p, const char *word,
                                    struct event_choice *choice, struct armpmu_error *err)
{
    char names[120];
    const uint32_t found = profile_find_event(p, word);

    if (found != PROFILE_NONE) {
        take(choice, found);
        return ARMPMU_OK;
    }
    if (take_matching(p, strcasecmp(word, "all") == 0 ? "*" : word, choice) ||
        take_number(p, word, choice) || take_alias(p, word, choice))
        return ARMPMU_OK;
    name_events(p, names, sizeof names);
    return fail(err, ARMPMU_NOT_FOUND, "-e '%.60s': not recorded; the profile has %s", word, names);
}

static enum armpmu_status take_list(const struct profile *p, char *list,
                                    struct event_choice *choice, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (char *word; status == ARMPMU_OK && (word = strsep(&list, ",")) != NULL;)
        status = take_word(p, word, choice, err);
    return status;
}

enum armpmu_status event_choice_make(const struct profile *profile, const char *list,
                                     struct event_choice *choice, struct armpmu_error *err)
{
    char *const words = strdup(list != NULL ? list : "all");

    *choice = (struct event_choice){malloc((profile->n_events + 1) * sizeof *choice->events), 0};
    enum armpmu_status status = ARMPMU_OK;
    if (words == NULL || choice->events == NULL)
        status = fail(err, ARMPMU_NO_MEMORY, "out of memory for the events");
    else if (list != NULL || profile->n_events > 0)
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
        (void)take_alias(profile, names[i], choice);
    return choice->n > 0 ? ARMPMU_OK : take_word(profile, "all", choice, err);
}

void event_choice_free(struct event_choice *choice)
{
    free(choice->events);
    *choice = (struct event_choice){NULL, 0};
}
