/* Texts for things of the catalogue, the same in every format. */
#include "base/text.h"
#include "cli/catalog/list.h"

bool list_counts(const struct armpmu_event *event, enum armpmu_signal signal)
{
    bool counts = false;

    for (unsigned i = 0; i < event->n_signals; i++)
        counts = counts || event->signals[i] == signal;
    return counts && event->fidelity != ARMPMU_RESERVED;
}

bool list_has_cycle_counter(const struct armpmu_core *core)
{
    return core->counters[0].count.slot == ARMPMU_SLOT_CYCLES;
}

void list_core_summary(const struct armpmu_core *core, char *text, size_t size)
{
    snprintf(text, size, "%s: PMU %s, %u counters of %u bits%s", core->title, core->pmu,
             core->n_event_counters, core->counter_bits,
             list_has_cycle_counter(core) ? " and a cycle counter" : "");
}

void list_aliases(const struct armpmu_event *event, enum armpmu_naming naming, char *text,
                  size_t size)
{
    char name[80];

    text[0] = '\0';
    for (size_t i = 0; armpmu_event_alias(event, naming, i, name, sizeof name) > 0; i++)
        text_join(text, size, ", ", "%s", name);
}

bool list_is_reserved(const struct armpmu_event *event)
{
    return event->name[0] == '\0';
}

const char *list_fidelity(const struct armpmu_event *event)
{
    if (event->fidelity == ARMPMU_RESERVED && !list_is_reserved(event))
        return "not modelled";
    return event->needs_system ? "exact; unknown of a program"
                               : armpmu_fidelity_name(event->fidelity);
}

void list_number(const struct armpmu_event *event, char *text, size_t size)
{
    if (event->first == event->last)
        snprintf(text, size, "0x%02x", event->first);
    else
        snprintf(text, size, "0x%02x-0x%02x", event->first, event->last);
}
