/* How things of the catalogue are written, the same in every format. */
#include "cli/report/list.h"

#include <string.h>

int list_brief(const char *meaning)
{
    return (int)strcspn(meaning, ";:");
}

bool list_counts(const struct armpmu_event *event, enum armpmu_signal signal)
{
    bool counts = false;

    for (unsigned i = 0; i < event->n_signals; i++)
        counts = counts || event->signals[i] == signal;
    return counts && event->fidelity != ARMPMU_RESERVED;
}

unsigned list_wire_count(enum list_what what)
{
    return what == LIST_SIGNAL ? (unsigned)ARMPMU_SIGNAL_COUNT
           : what == LIST_PIN  ? (unsigned)ARMPMU_PIN_COUNT
                               : (unsigned)ARMPMU_OUTPUT_COUNT;
}

bool list_wire_is_of(const struct armpmu_core *core, enum list_what what, unsigned wire)
{
    if (what == LIST_PIN)
        return armpmu_pin_is_of(core, (enum armpmu_pin)wire);
    if (what == LIST_OUTPUT)
        return armpmu_output_is_of(core, (enum armpmu_output)wire);
    for (size_t i = 0; i < core->n_events; i++)
        if (list_counts(&core->events[i], (enum armpmu_signal)wire))
            return true;
    return false;
}

const char *list_wire_name(enum list_what what, unsigned wire)
{
    return what == LIST_SIGNAL ? armpmu_signal_name((enum armpmu_signal)wire)
           : what == LIST_PIN  ? armpmu_pin_name((enum armpmu_pin)wire)
                               : armpmu_output_name((enum armpmu_output)wire);
}

const char *list_wire_meaning(enum list_what what, unsigned wire)
{
    return what == LIST_SIGNAL ? armpmu_signal_meaning((enum armpmu_signal)wire)
           : what == LIST_PIN  ? armpmu_pin_meaning((enum armpmu_pin)wire)
                               : armpmu_output_meaning((enum armpmu_output)wire);
}

void list_formula(const struct armpmu_core *core, const struct armpmu_metric *metric, char *text,
                  size_t size)
{
    const char *const numerator = armpmu_event_by_number(core, metric->numerator)->name;
    const char *const denominator = armpmu_event_by_number(core, metric->denominator)->name;

    if (metric->slots != 0)
        snprintf(text, size, "%u * %s / (%u * %s)", metric->factor, numerator, metric->slots,
                 denominator);
    else if (metric->factor == 1)
        snprintf(text, size, "%s / %s", numerator, denominator);
    else
        snprintf(text, size, "%u * %s / %s", metric->factor, numerator, denominator);
}

bool list_has_cycle_counter(const struct armpmu_core *core)
{
    return core->counters[0].count.slot == ARMPMU_SLOT_CYCLES;
}

void list_aliases(const struct armpmu_event *event, enum armpmu_naming naming, char *text,
                  size_t size)
{
    size_t used = 0;
    char name[80];

    text[0] = '\0';
    for (size_t i = 0; armpmu_event_alias(event, naming, i, name, sizeof name) > 0; i++) {
        const int n = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", name);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}

const char *list_fidelity(const struct armpmu_event *event)
{
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
