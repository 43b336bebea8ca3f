#include "pmu/export.h"

bool pmu_exports(const struct armpmu *pmu)
{
    return (pmu->config.exported != NULL || pmu->config.event_bus != NULL) &&
           pmu->model->is_exporting != NULL && pmu->model->is_exporting(pmu);
}

void pmu_start_exporting(struct armpmu *pmu)
{
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        pmu->summed_by[signal] = (struct rows){1, 0};
    for (size_t i = 0; i < pmu->core->n_events; i++)
        for (unsigned j = 0; j < pmu->core->events[i].n_signals; j++) {
            struct rows *const rows = &pmu->summed_by[pmu->core->events[i].signals[j]];
            rows->first = rows->last < rows->first ? (uint16_t)i : rows->first;
            rows->last = (uint16_t)i;
        }
}

static bool sums(const struct armpmu_event *event, enum armpmu_signal signal)
{
    for (unsigned i = 0; i < event->n_signals; i++)
        if (event->signals[i] == signal)
            return true;
    return false;
}

static void put_out(struct armpmu *pmu, const struct armpmu_event *event, uint32_t n)
{
    if (event->bus_bit != ARMPMU_NOT_ON_BUS)
        pmu->state.bus |= UINT64_C(1) << event->bus_bit;
    if (pmu->config.exported != NULL)
        pmu->config.exported(pmu->config.user, event, n);
}

static void end_clock(struct armpmu *pmu)
{
    const uint64_t bits = pmu->state.bus;

    pmu->state.bus = 0;
    if (bits != 0 && pmu->config.event_bus != NULL)
        pmu->config.event_bus(pmu->config.user, bits);
}

void pmu_export_events(struct armpmu *pmu, enum armpmu_signal signal, uint32_t n)
{
    const struct rows rows = pmu->summed_by[signal];

    if (signal == ARMPMU_SIGNAL_CPU_CYCLES)
        end_clock(pmu);
    for (size_t i = rows.first; i <= rows.last; i++)
        if (sums(&pmu->core->events[i], signal))
            put_out(pmu, &pmu->core->events[i], n);
}
