/* Memory errors: those that are events, and the location of the latest correctable one.
 *
 *          31 30 29    26 25 24 23 22        14 13     5 4  3 2 1  0
 *    cache   0  |  way   | 0 0 | 0 |     0     | index  | 0  |0| type
 *    TCM     0  |   0    | side| 0 |        address          |0| type
 *
 * Source: ARM DDI 0363G, Correctable Fault Location Register; ARM DDI 0363E, Error detection
 * events. */
#include "pmu/device.h"

#define WAY_LSB      26
#define WAY_MASK     0xfu
#define SIDE_LSB     24
#define SIDE_MASK    3u
#define INDEX_MASK   UINT64_C(0x3fe0)
#define ADDRESS_MASK UINT64_C(0x7ffff8)

/* Errors whose place the register takes, and the Type field that tells who met them. */
static const struct located {
    enum armpmu_signal signal;
    bool in_cache, by_slave;
    uint8_t type;
} located[] = {
    {ARMPMU_SIGNAL_L1I_TAG_ERROR, true, false, 0},
    {ARMPMU_SIGNAL_L1I_DATA_ERROR, true, false, 0},
    {ARMPMU_SIGNAL_L1D_TAG_ERROR, true, false, 1},
    {ARMPMU_SIGNAL_L1D_DATA_ERROR, true, false, 1},
    {ARMPMU_SIGNAL_TCM_CORRECTABLE_FETCH, false, false, 0},
    {ARMPMU_SIGNAL_TCM_CORRECTABLE_DATA, false, false, 1},
    {ARMPMU_SIGNAL_TCM_CORRECTABLE_SLAVE, false, true, 2},
};

/* Errors that a TCM port signals for every read, wanted or not. */
static const enum armpmu_signal seen_by_ports[] = {
    ARMPMU_SIGNAL_ATCM_CORRECTABLE,  ARMPMU_SIGNAL_ATCM_FATAL,
    ARMPMU_SIGNAL_B0TCM_CORRECTABLE, ARMPMU_SIGNAL_B0TCM_FATAL,
    ARMPMU_SIGNAL_B1TCM_CORRECTABLE, ARMPMU_SIGNAL_B1TCM_FATAL,
};

static bool is_seen_by_a_port(enum armpmu_signal signal)
{
    for (size_t i = 0; i < sizeof seen_by_ports / sizeof seen_by_ports[0]; i++)
        if (seen_by_ports[i] == signal)
            return true;
    return false;
}

static const struct located *located_find(enum armpmu_signal signal)
{
    for (size_t i = 0; i < sizeof located / sizeof located[0]; i++)
        if (located[i].signal == signal)
            return &located[i];
    return NULL;
}

/* CHOICE(cflr-way): the Way field takes the caller's four bits as they are. */
static uint64_t place_of(const struct armpmu_fault *fault, const struct located *kind)
{
    if (kind->in_cache)
        return (uint64_t)(fault->way & WAY_MASK) << WAY_LSB | (fault->address & INDEX_MASK) |
               kind->type;
    return (uint64_t)((unsigned)fault->side & SIDE_MASK) << SIDE_LSB |
           (fault->address & ADDRESS_MASK) | kind->type;
}

/* The latest error stays, but within one clock that of another bus master gives way to the core's
 * own. */
static void locate(struct armpmu *pmu, const struct armpmu_fault *fault, const struct located *kind)
{
    if (kind->by_slave && pmu->state.fault_this_clock)
        return;
    pmu_sync(pmu);
    pmu->state.slot[ARMPMU_SLOT_FAULT] = place_of(fault, kind);
    pmu->state.fault_this_clock = !kind->by_slave;
    pmu_update_thresholds(pmu);
}

void armpmu_post_fault(struct armpmu *pmu, const struct armpmu_fault *fault)
{
    const struct located *const kind = located_find(fault->signal);

    /* CHOICE(speculative-fault): an error that no instruction meets is one for the TCM ports
     * only. */
    if (fault->speculative && !is_seen_by_a_port(fault->signal))
        return;
    armpmu_post(pmu, fault->signal, 1);
    if (kind != NULL && pmu->model->locates_faults)
        locate(pmu, fault, kind);
}
