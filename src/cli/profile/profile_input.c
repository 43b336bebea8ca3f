#include "cli/profile/profile_input.h"

#include <stdlib.h>

#include "base/error.h"
#include "cli/commands.h"
#include "profile/metric.h"
#include "profile/topdown_leaves.h"

static enum armpmu_status choose_events(struct profile_input *input,
                                        const struct profile_options *options, bool only_usual,
                                        struct armpmu_error *err)
{
    enum armpmu_status status;

    if (options->events == NULL && only_usual)
        status = event_choice_usual(input->profile, &input->events, err);
    else
        status = event_choice_make(input->profile, options->events, &input->events, err);
    if (options->events == NULL && (options->metrics.n > 0 || options->topdown) &&
        input->events.n > 1)
        input->events.n = 1;
    return status;
}

/* ---- metrics ---- */

struct metric_events {
    struct profile_input *input;
    const struct armpmu_event *missing; /* the first */
};

static void need(void *user, const struct armpmu_event *event)
{
    struct metric_events *const needs = user;
    const uint32_t number = profile_find_number(needs->input->profile, event->first);

    if (number != PROFILE_NONE)
        event_choice_add_beside(&needs->input->events, number);
    else if (needs->missing == NULL)
        needs->missing = event;
}

static enum armpmu_status choose_metrics(struct profile_input *input,
                                         const struct option_list *lists, struct armpmu_error *err)
{
    const char *const name = input->profile->setup.core;
    const struct armpmu_core *const core = name != NULL ? armpmu_core_find(name) : NULL;
    struct metric_events needs = {.input = input};
    enum armpmu_status status;

    if (core == NULL)
        return fail(err, ARMPMU_NOT_FOUND, "-M: the profile is of core '%.40s', which is not known",
                    name != NULL ? name : "");
    status = metric_choice_make(core, lists, &input->metrics, err);
    for (size_t i = 0; status == ARMPMU_OK && i < input->metrics.n; i++) {
        const struct armpmu_metric *const metric = input->metrics.metrics[i];
        metric_each_event(core, metric, need, &needs);
        if (needs.missing != NULL)
            status = fail(err, ARMPMU_NOT_FOUND,
                          "-M: %s is made of %s, which was not recorded; 'armpmu record' without "
                          "-e records all events",
                          metric->name, needs.missing->name);
    }
    return status;
}

/* ---- where cycles go ---- */

static enum armpmu_status choose_topdown(struct profile_input *input, struct armpmu_error *err)
{
    struct topdown_part parts[TOPDOWN_LEAVES_MOST];
    const struct profile *const p = input->profile;

    if (topdown_parts(p, p->totals, parts) == 0)
        return fail(err, ARMPMU_NOT_FOUND,
                    "--topdown: where cycles go was not recorded; 'armpmu record' records it "
                    "without -e, or with --topdown and -e cycles");
    for (uint32_t i = 0; i < p->n_events; i++)
        if (topdown_is_leaf(p->events[i].number))
            event_choice_add_beside(&input->events, i);
    event_choice_add_beside(&input->events,
                            profile_find_number(p, armpmu_core_find(p->setup.core)->cycles_event));
    return ARMPMU_OK;
}

enum armpmu_status profile_input_open(struct profile_input *input,
                                      const struct profile_options *options, bool only_usual,
                                      struct armpmu_error *err)
{
    const char *const path = options->path != NULL ? options->path : PROFILE_FILE_DEFAULT;

    *input = (struct profile_input){.profile = NULL};
    enum armpmu_status status = foreign_file_check(path, options->force, err);
    if (status == ARMPMU_OK)
        status = profile_file_read(path, &input->profile, err);
    if (status == ARMPMU_OK)
        status = choose_events(input, options, only_usual, err);
    if (status == ARMPMU_OK && options->metrics.n > 0)
        status = choose_metrics(input, &options->metrics, err);
    if (status == ARMPMU_OK && options->topdown)
        status = choose_topdown(input, err);
    return status;
}

void profile_input_close(struct profile_input *input)
{
    metric_choice_free(&input->metrics);
    event_choice_free(&input->events);
    profile_free(input->profile);
}

enum armpmu_status profile_set_limit(void *member, const char *option, const char *value,
                                     struct armpmu_error *err)
{
    char *end;
    const double limit = strtod(value, &end);

    if (end == value || *end != '\0' || !(limit >= 0 && limit <= 100))
        return fail(err, ARMPMU_BAD_CONFIG, "%s '%.40s': a percentage from 0 to 100, like 0.5",
                    option, value);
    *(double *)member = limit;
    return ARMPMU_OK;
}

void profile_warn_of_paths(const struct profile *profile)
{
    if (profile->setup.lacks_paths != PATHS_WHOLE)
        print_error("warning: not all call paths: %s", profile_lacks_paths(profile));
}
