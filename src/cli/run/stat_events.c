#include "cli/run/stat.h"

#include <stdlib.h>

#include "base/error.h"
#include "cli/metric_list.h"
#include "cli/run/methodology.h"
#include "machine/core_descriptor.h"

static enum armpmu_status add_new(struct event_list *list, const struct armpmu_event *event,
                                  struct armpmu_error *err)
{
    if (event->fidelity == ARMPMU_RESERVED || event_list_has(list, event))
        return ARMPMU_OK;
    return event_list_add(list, event, err);
}

static enum armpmu_status add_numbers(struct event_list *list, const struct armpmu_core *core,
                                      const uint16_t *numbers, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    for (; *numbers != CORE_EVENTS_END && status == ARMPMU_OK; numbers++)
        status = add_new(list, armpmu_event_by_number(core, *numbers), err);
    return status;
}

static enum armpmu_status add_all(struct event_list *list, const struct armpmu_core *core,
                                  struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    for (size_t i = 0; i < core->n_events && status == ARMPMU_OK; i++)
        status = add_new(list, &core->events[i], err);
    return status;
}

/* detail 0: the usual ones; 1: the detail; more: everything. A core without a set has one: all. */
static enum armpmu_status add_set(struct event_list *list, const struct armpmu_core *core,
                                  enum count_mode mode, unsigned detail, struct armpmu_error *err)
{
    const struct core_events *const sets = &core_descriptor_of(core)->events;
    const uint16_t *const set = detail > 0        ? sets->detail
                                : mode == MODE_HW ? sets->hardware
                                                  : sets->usual;

    if (detail < 2 && set != NULL)
        return add_numbers(list, core, set, err);
    return add_all(list, core, err);
}

/* Adds the events that a tree of cycles is read with: cycles and instructions. */
static enum armpmu_status add_speed(struct event_list *list, const struct armpmu_core *core,
                                    struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < core->n_events && status == ARMPMU_OK; i++)
        if (core->events[i].n_signals == 1 &&
            core->events[i].signals[0] == ARMPMU_SIGNAL_INST_RETIRED)
            status = add_new(list, &core->events[i], err);
    return status == ARMPMU_OK
               ? add_new(list, armpmu_event_by_number(core, core->cycles_event), err)
               : status;
}

static enum armpmu_status add_metrics(const struct stat_options *options,
                                      const struct armpmu_core *core, struct event_list *list,
                                      struct armpmu_error *err)
{
    bool *chosen;
    enum armpmu_status status = metric_list_mark(core, &options->metrics, &chosen, err);

    if (status == ARMPMU_OK)
        status = metric_list_events(core, chosen, list, err);
    free(chosen);
    return status;
}

/* With one events are counted only where they are asked for. */
static bool has_tree(const struct stat_options *options)
{
    return options->topdown || options->methodology;
}

enum armpmu_status stat_events(const struct stat_options *options, const struct armpmu_core *core,
                               struct event_list *list, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    if (options->mode == MODE_HW && core->counter_bits > 32)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--mode hw: the counters of %s have %u bits and never overflow; leave it out",
                    core->title, core->counter_bits);
    if (options->methodology && !methodology_of(core))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--methodology: Arm has none for %s; --topdown shows where the cycles went",
                    core->title);
    if (options->no_events)
        return ARMPMU_OK;
    list->takes_software = true;
    for (size_t i = 0; i < options->events.n && status == ARMPMU_OK; i++)
        status = event_list_parse(list, core, options->mode, options->events.values[i], err);
    if (status == ARMPMU_OK && options->metrics.n > 0)
        status = add_metrics(options, core, list, err);
    else if (options->events.n == 0 && !(has_tree(options) && options->detail == 0))
        status = add_set(list, core, options->mode, 0, err);
    else if (options->events.n == 0)
        status = add_speed(list, core, err);
    if (status == ARMPMU_OK && options->detail > 0)
        status = add_set(list, core, options->mode, options->detail, err);
    if (status == ARMPMU_OK && options->mode == MODE_HW)
        status = event_list_assign(list, core, err);
    return status;
}
