/* `monitor pmu`: what the counters of the program's monitor hold. */
#include <inttypes.h>
#include <string.h>

#include "unicorn/firmware.h"
#include "unicorn/gdb/gdb.h"
#include "unicorn/trace_writer.h"

#define HELP                                                                                       \
    "monitor pmu   the counters of the performance monitor, by the names of their events\n"        \
    "monitor help  these lines\n"

static uint64_t bits_of(struct armpmu *pmu, struct armpmu_slot_bit place, unsigned bits)
{
    struct monitor_place found;

    if (!monitors_place(armpmu_core_of(pmu), place, &found))
        return 0;
    const uint64_t value = armpmu_peek(pmu, found.reg, found.element) >> found.lsb;
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static const char *event_name(struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const struct armpmu_core *const core = armpmu_core_of(pmu);
    const bool cycles = counter->event.slot == ARMPMU_SLOT_NONE;
    const struct armpmu_event *const event = armpmu_event_by_number(
        core,
        cycles ? core->cycles_event : (unsigned)bits_of(pmu, counter->event, counter->event_bits));

    return event != NULL && event->name[0] != '\0' ? event->name
           : cycles                                ? "cycles"
                                                   : "an event that the core does not have";
}

static void print_counter(struct armpmu *pmu, const struct armpmu_counter *counter,
                          struct gdb_text *out)
{
    struct monitor_place place;

    if (!monitors_place(armpmu_core_of(pmu), counter->count, &place) ||
        !armpmu_has_register(pmu, place.reg, place.element))
        return;
    const bool has_enable = counter->enable.slot != ARMPMU_SLOT_NONE;
    gdb_text_add(out, "%-12s %20" PRIu64 "  %s%s%s\n", counter->name,
                 bits_of(pmu, counter->count, counter->bits), event_name(pmu, counter),
                 has_enable && bits_of(pmu, counter->enable, 1) == 0 ? ", not enabled" : "",
                 bits_of(pmu, counter->flag, 1) != 0 ? ", overflowed" : "");
}

static void print_counters(struct gdb *gdb, struct gdb_text *out)
{
    struct firmware *const fw = gdb->fw;
    uint64_t from = 0;
    unsigned after = 0;

    if (!gdb->over && !trace_writer_look(fw, gdb->at, &from, &after)) {
        gdb_text_add(out, "out of memory for the counts\n");
        return;
    }
    for (unsigned i = 0; i < fw->monitors.n; i++) {
        const struct armpmu_core *const core = armpmu_core_of(fw->monitors.pmu[i]);
        for (size_t j = 0; j < core->n_counters; j++)
            print_counter(fw->monitors.pmu[i], &core->counters[j], out);
    }
    if (after > 0)
        gdb_text_add(out,
                     "counted up to 0x%08" PRIx64 ", where the block of code begins: the %u "
                     "instructions since are not in\n",
                     from, after);
    if (out->full)
        gdb_text_add(out, "(more than fits)\n");
}

void gdb_monitor(void *user, const char *command, struct gdb_text *out)
{
    if (strcmp(command, "pmu") == 0) {
        print_counters(user, out);
        return;
    }
    if (strcmp(command, "help") != 0)
        gdb_text_add(out, "'%.80s' is not a command of armpmu:\n", command);
    gdb_text_add(out, HELP);
}
