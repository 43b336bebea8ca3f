#include "cli/cmd/stat_events.h"

#include <string.h>

#include "base/error.h"

#define SET_MAX 24

/* Per core: what is counted when nobody says what. Ends with END. */
#define END 0xffff

static const struct {
    const char *core;
    uint16_t usual[SET_MAX]; /* cycles, instructions, caches, TLBs, branches, empty issue slots */
    uint16_t hardware[SET_MAX]; /* as many of these as there are counters                         */
    uint16_t detail[SET_MAX];   /* the first -d adds these                                        */
} sets[] = {
    {"cortex-a8",
     {0x11, 0x08, 0x50, 0x01, 0x04, 0x03, 0x43, 0x44, 0x02, 0x05, 0x12, 0x10, 0x56, END},
     {0x11, 0x08, 0x03, 0x44, 0x10, END},
     {0x06, 0x07, 0x0f, 0x48, 0x47, 0x40, 0x45, 0x46, 0x0c, 0x0d, 0x0e, 0x51, 0x52, 0x54, 0x55,
      0x57, 0x09, END}},
    {"cortex-r4f",
     {0x11, 0x08, 0x58, 0x01, 0x04, 0x03, 0x43, 0x12, 0x10, 0x40, 0x41, 0x44, 0x5e, END},
     {0x11, 0x08, 0x03, 0x10, END},
     {0x06, 0x07, 0x0f, 0x0c, 0x0d, 0x0e, 0x42, 0x45, 0x50, 0x51, 0x52, 0x53, 0x54, 0x5a, 0x5b,
      0x5c, 0x5d, 0x09, END}},
    {"xscale1",
     {0x100, 0x07, 0x00, 0x0a, 0x0b, 0x03, 0x04, 0x05, 0x06, 0x01, 0x02, 0x08, END},
     {0x100, 0x07, 0x0b, END},
     {0x09, 0x0c, 0x0d, END}},
    {"xscale2",
     {0x100, 0x07, 0x00, 0x0a, 0x0b, 0x03, 0x04, 0x05, 0x06, 0x01, 0x02, 0x08, END},
     {0x100, 0x07, 0x00, 0x0b, 0x06, END},
     {0x09, 0x0c, 0x0d, END}},
};

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
    for (; *numbers != END && status == ARMPMU_OK; numbers++)
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
    for (size_t i = 0; i < sizeof sets / sizeof sets[0] && detail < 2; i++) {
        if (strcmp(sets[i].core, core->name) == 0)
            return add_numbers(list, core,
                               detail > 0        ? sets[i].detail
                               : mode == MODE_HW ? sets[i].hardware
                                                 : sets[i].usual,
                               err);
    }
    return add_all(list, core, err);
}

enum armpmu_status stat_events(const struct stat_options *options, const struct armpmu_core *core,
                               struct event_list *list, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    if (options->mode == MODE_HW && core->counter_bits > 32)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--mode hw: the counters of %s have %u bits and do not run over; leave it out",
                    core->title, core->counter_bits);
    if (options->no_events)
        return ARMPMU_OK;
    for (size_t i = 0; i < options->events.n && status == ARMPMU_OK; i++)
        status = event_list_parse(list, core, options->mode, options->events.values[i], err);
    if (options->events.n == 0)
        status = add_set(list, core, options->mode, 0, err);
    if (status == ARMPMU_OK && options->detail > 0)
        status = add_set(list, core, options->mode, options->detail, err);
    if (status == ARMPMU_OK && options->mode == MODE_HW)
        status = event_list_assign(list, core, err);
    return status;
}
