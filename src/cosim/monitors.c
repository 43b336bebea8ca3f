#include "cosim/monitors.h"

/* ---- their cores ---- */

struct monitor_cores monitor_cores_of(const struct armpmu_core *own, const char *beside)
{
    struct monitor_cores cores = {1, {own}};

    if (beside != NULL)
        cores.core[cores.n++] = armpmu_core_find(beside);
    return cores;
}

const struct armpmu_core *monitor_cores_at(const struct monitor_cores *cores,
                                           const struct armpmu_encoding *at)
{
    for (unsigned i = 0; i < cores->n; i++)
        if (armpmu_claims(cores->core[i], *at))
            return cores->core[i];
    return cores->core[0];
}

bool monitors_place(const struct armpmu_core *core, struct armpmu_slot_bit bit,
                    struct monitor_place *out)
{
    for (size_t i = 0; bit.slot != ARMPMU_SLOT_NONE && i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        if (!reg->readable || bit.slot < reg->slot || bit.slot >= reg->slot + reg->count ||
            bit.lsb < reg->slot_lsb)
            continue;
        *out = (struct monitor_place){reg, bit.slot - reg->slot, bit.lsb - reg->slot_lsb};
        return true;
    }
    return false;
}

/* ---- the devices ---- */

enum armpmu_status monitors_create(struct monitors *monitors, const struct monitor_cores *cores,
                                   const struct armpmu_config *config, struct armpmu_error *error)
{
    struct armpmu_config own = *config;
    enum armpmu_status status = ARMPMU_OK;

    monitors->n = cores->n;
    monitors->levels_alike = 0;
    for (unsigned i = 0; i < cores->n && status == ARMPMU_OK; i++) {
        own.core = cores->core[i]->name;
        status = armpmu_create(&monitors->memory[i], sizeof monitors->memory[i], &own,
                               &monitors->pmu[i], error);
    }
    return status;
}

struct armpmu *monitors_at(const struct monitors *monitors, const struct armpmu_encoding *at)
{
    for (unsigned i = 0; i < monitors->n; i++)
        if (armpmu_claims(armpmu_core_of(monitors->pmu[i]), *at))
            return monitors->pmu[i];
    return monitors->pmu[0];
}

struct armpmu *monitors_with(const struct monitors *monitors, const char *name,
                             const struct armpmu_register **reg)
{
    for (unsigned i = 0; i < monitors->n; i++) {
        *reg = armpmu_register_find(armpmu_core_of(monitors->pmu[i]), name, NULL);
        if (*reg != NULL)
            return monitors->pmu[i];
    }
    return NULL;
}

static void post(struct armpmu *pmu, enum armpmu_signal signal, uint64_t n)
{
    for (; n > UINT32_MAX; n -= UINT32_MAX)
        armpmu_post(pmu, signal, UINT32_MAX);
    armpmu_post(pmu, signal, (uint32_t)n);
}

/* An overflow may stop counters. */
void monitors_post(struct monitors *monitors, enum armpmu_signal signal, uint64_t n)
{
    for (unsigned i = 0; i < monitors->n; i++)
        post(monitors->pmu[i], signal, n);
    monitors_changed(monitors);
}

static uint64_t lesser(uint64_t left, uint64_t right)
{
    return left < right ? left : right;
}

uint64_t monitors_headroom(const struct monitors *monitors)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < monitors->n; i++)
        least = lesser(least, armpmu_headroom(monitors->pmu[i]));
    return least;
}

uint64_t monitors_headroom_of(const struct monitors *monitors, enum armpmu_signal signal)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < monitors->n; i++)
        least = lesser(least, armpmu_headroom_of(monitors->pmu[i], signal));
    return least;
}

/* A pin that keeps its value is not set: setting one costs as much as a write. */
void monitors_set_pin(struct monitors *monitors, enum armpmu_pin pin, uint64_t value)
{
    for (unsigned i = 0; i < monitors->n; i++) {
        if (armpmu_pin(monitors->pmu[i], pin) == value)
            continue;
        armpmu_set_pin(monitors->pmu[i], pin, value);
        monitors_changed(monitors);
    }
}

bool monitors_level_matters(struct monitors *monitors, unsigned level)
{
    if (monitors->levels_alike >> level & 1)
        return false;
    for (unsigned i = 0; i < monitors->n; i++)
        if (armpmu_pin_matters(monitors->pmu[i], ARMPMU_PIN_EL, level))
            return true;
    monitors->levels_alike |= 1u << level;
    return false;
}

bool monitors_interrupt(const struct monitors *monitors)
{
    for (unsigned i = 0; i < monitors->n; i++)
        if (armpmu_output(monitors->pmu[i], ARMPMU_OUTPUT_PMUIRQ) ||
            armpmu_output(monitors->pmu[i], ARMPMU_OUTPUT_PMU_REQUEST))
            return true;
    return false;
}

void monitors_reset(struct monitors *monitors, enum armpmu_reset reset)
{
    for (unsigned i = 0; i < monitors->n; i++)
        armpmu_reset(monitors->pmu[i], reset);
    monitors_changed(monitors);
}
