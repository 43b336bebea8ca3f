/* The activity monitors of Armv8: the counters of a unit, and the conditions under which they
 * count.
 *
 * There is no enable for all counters, no flag and no interrupt; counters wrap silently after 64
 * bits. Who may use a register, and how a counter looks from below, is src/pmu/access/amu.c.
 * In the memory-mapped view what is not there reads as zero, and the bus answers without an error.
 * Source: ARM DDI 0487, Activity Monitors Extension; Memory-mapped interface to the Activity
 * Monitors, whose layouts are FEAT_AMU_EXT32 and FEAT_AMU_EXT64. */
#include "pmu/device.h"

#include "pmu/error_format.h"

#define AMCR_HDBG (UINT64_C(1) << 10)

#define CFGR_NCG (UINT64_C(1) << 28) /* two groups instead of one */

#define ARM_JEP106      0x43bu
#define DEVARCH_EXT64   UINT64_C(0x47700a67)
#define AFFINITY_VALID  (UINT64_C(1) << 31)
#define JEP106_RESERVED 0x80u

/* AMEVTYPER0<n>.evtCount: processor cycles, constant cycles, instructions, memory stalls. */
static const uint16_t group0_events[] = {0x0011, 0x4004, 0x0008, 0x4005};

#define GROUP0_COUNTERS (sizeof group0_events / sizeof group0_events[0])

static unsigned ones(unsigned bits)
{
    unsigned n = 0;

    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

/* --- Configuration --------------------------------------------------------------------------- */

static enum armpmu_status configure_group1(struct armpmu_amu_config *config,
                                           struct armpmu_error *error)
{
    if (config->group1_counters > ARMPMU_AMU_GROUP1_MAX)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG, "amu.group1_counters: %u, at most %u",
                          config->group1_counters, (unsigned)ARMPMU_AMU_GROUP1_MAX);
    if (!config->v1p1 && config->group1_map != 0)
        return pmu_refuse(
            error, ARMPMU_BAD_CONFIG,
            "amu.group1_map: 0x%x needs amu.v1p1; without it amu.group1_counters says "
            "how many counters there are",
            config->group1_map);
    if (!config->v1p1 && config->group1_offsets != 0)
        return pmu_refuse(
            error, ARMPMU_BAD_CONFIG,
            "amu.group1_offsets: 0x%x needs amu.v1p1; without it there are no offsets",
            config->group1_offsets);
    if (config->group1_map == 0)
        config->group1_map = (uint16_t)bits_below(config->group1_counters);
    config->group1_counters = (uint8_t)ones(config->group1_map);
    config->group1_offsets &= config->group1_map;
    return ARMPMU_OK;
}

static enum armpmu_status configure_levels(struct armpmu_amu_config *config,
                                           struct armpmu_error *error)
{
    if (config->highest_el > 3)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG, "amu.highest_el: %u, at most 3",
                          config->highest_el);
    if (config->highest_el == 0)
        config->highest_el = 3;
    if (config->highest_el == 2 && config->without_el2)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG,
                          "amu.highest_el: 2 with amu.without_el2; it is 1 then, or 3");
    config->without_el2 = config->without_el2 || config->highest_el < 2;
    return ARMPMU_OK;
}

/* AMPIDR0 to 4 repeat what AMIIDR says, where there is one. */
static enum armpmu_status configure_identity(struct armpmu_amu_config *config,
                                             struct armpmu_error *error)
{
    const uint32_t id = config->implementer_id;

    if (config->external_control > 2)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG, "amu.external_control: %u, at most 2",
                          config->external_control);
    if (config->part > 0xfff)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG, "amu.part: 0x%x, at most 0xfff", config->part);
    if (id == 0)
        return ARMPMU_OK;
    if ((id & 0xfff) == 0 || (id & JEP106_RESERVED))
        return pmu_refuse(
            error, ARMPMU_BAD_CONFIG,
            "amu.implementer_id: 0x%x, whose bits 11 to 0 are no JEP106 code; Arm's is "
            "0x%x",
            id, ARM_JEP106);
    if (config->part != 0 && config->part != id >> 20)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG,
                          "amu.part: 0x%x, but amu.implementer_id has the part number 0x%x in bits "
                          "31 to 20; leave amu.part out",
                          config->part, id >> 20);
    config->part = (uint16_t)(id >> 20);
    return ARMPMU_OK;
}

static enum armpmu_status configure(struct armpmu *pmu, struct armpmu_error *error)
{
    struct armpmu_amu_config *const config = &pmu->config.amu;
    enum armpmu_status status = configure_group1(config, error);

    if (status == ARMPMU_OK)
        status = configure_levels(config, error);
    return status == ARMPMU_OK ? configure_identity(config, error) : status;
}

/* --- Reset ----------------------------------------------------------------------------------- */

/* CHOICE(amu-identity): AMPIDR0 to 4 agree with AMIIDR; without one the designer is Arm. */
static void shape_identity(const struct armpmu_amu_config *config, uint64_t *slot)
{
    const uint32_t id = config->implementer_id;
    const uint32_t designer = id != 0 ? id & 0xfff : ARM_JEP106;
    uint64_t *const peripheral = &slot[ARMPMU_SLOT_PERIPHERAL];

    slot[ARMPMU_SLOT_IMPLEMENTER] = id;
    slot[ARMPMU_SLOT_AFFINITY] = config->affinity | AFFINITY_VALID;
    if (config->layout64)
        slot[ARMPMU_SLOT_ARCHITECTURE] = DEVARCH_EXT64;
    peripheral[0] = config->part & 0xff;
    peripheral[1] = (designer & 0xf) << 4 | config->part >> 8;
    peripheral[2] = (id >> 16 & 0xf) << 4 | 1 << 3 | (designer >> 4 & 7);
    peripheral[3] = (id >> 12 & 0xf) << 4;
    peripheral[4] = designer >> 8;
}

/* The constants that the configuration decides. */
static void shape(struct armpmu *pmu)
{
    const struct armpmu_amu_config *const config = &pmu->config.amu;
    uint64_t *const slot = pmu->state.slot;
    const unsigned group1 = config->group1_counters;

    slot[ARMPMU_SLOT_CONFIG] += group1 + (group1 > 0 ? CFGR_NCG : 0);
    /* CHOICE(amu-sparse-group): CG1NC is how many auxiliary counters there are, also with gaps. */
    slot[ARMPMU_SLOT_GROUPS] |= (uint64_t)group1 << 8;
    slot[ARMPMU_SLOT_GROUP1] = (uint64_t)config->group1_offsets << 16 | config->group1_map;
    for (unsigned n = 0; n < GROUP0_COUNTERS; n++)
        slot[ARMPMU_SLOT_EVENT + n] = group0_events[n];
    /* CHOICE(amu-event-reset): a programmable counter's event number is the configured one after
     * every reset. */
    for (unsigned n = 0; n < ARMPMU_AMU_GROUP1_MAX; n++)
        slot[ARMPMU_SLOT_EVENT + GROUP1_FIRST + n] = config->group1_events[n];
    shape_identity(config, slot);
}

/* CHOICE(amu-reset): the reset of the unit's own domain is the cold one. A warm reset leaves
 * counts, enables and the control of the memory-mapped view alone. */
static void reset(struct armpmu *pmu, enum armpmu_reset reset, const struct state *keep)
{
    uint64_t *const slot = pmu->state.slot;

    shape(pmu);
    if (reset == ARMPMU_RESET_COLD)
        return;
    for (size_t i = 0; i < pmu->core->n_counters; i++) {
        const unsigned count = pmu->core->counters[i].count.slot;
        slot[count] = keep->slot[count];
    }
    slot[ARMPMU_SLOT_ENABLE] = keep->slot[ARMPMU_SLOT_ENABLE];
    slot[ARMPMU_SLOT_EXTERNAL_CONTROL] = keep->slot[ARMPMU_SLOT_EXTERNAL_CONTROL];
    slot[ARMPMU_SLOT_ROOT_CONTROL] = keep->slot[ARMPMU_SLOT_ROOT_CONTROL];
}

/* --- Counting -------------------------------------------------------------------------------- */

/* CHOICE(amu-standby): no counter moves in WFI and WFE, auxiliary ones neither.
 * CHOICE(amu-write-enabled): enables, counts and event numbers act as soon as they are written. */
static bool is_counting(const struct armpmu *pmu, const struct armpmu_counter *counter)
{
    const bool halted = pin_is_high(pmu, ARMPMU_PIN_DEBUG_HALTED) &&
                        (pmu->state.slot[ARMPMU_SLOT_CONTROL] & AMCR_HDBG);

    return slot_get(pmu, counter->enable, 1) && !halted && !pin_is_high(pmu, ARMPMU_PIN_STANDBY);
}

/* CHOICE(amu-auxiliary-event): an auxiliary counter whose event the catalogue does not know counts
 * an input of its own, whatever the number is. */
static unsigned own_signal(const struct armpmu_counter *counter)
{
    const unsigned element = counter->count.slot - ARMPMU_SLOT_COUNT;

    return element < GROUP1_FIRST ? ARMPMU_SIGNAL_COUNT
                                  : ARMPMU_SIGNAL_AUXILIARY0 + element - GROUP1_FIRST;
}

/* --- What the unit has ----------------------------------------------------------------------- */

static bool is_group1(const struct armpmu_register *reg)
{
    return reg->slot == ARMPMU_SLOT_COUNT + GROUP1_FIRST ||
           reg->slot == ARMPMU_SLOT_EVENT + GROUP1_FIRST;
}

static bool is_group1_enable(const struct armpmu_register *reg)
{
    return reg->slot == ARMPMU_SLOT_ENABLE && reg->slot_lsb != 0;
}

static uint64_t present_bits(const struct armpmu *pmu, const struct armpmu_register *reg,
                             unsigned element)
{
    const struct armpmu_amu_config *const config = &pmu->config.amu;

    (void)element;
    if (is_group1_enable(reg))
        return config->group1_map;
    if (reg->slot == ARMPMU_SLOT_CONTROL && !config->v1p1)
        return ~AMCR_CG1RZ;
    if (reg->permission == ARMPMU_PERMIT_AMU_OFFSET && config->without_el2)
        return 0;
    return UINT64_MAX;
}

/* A register of the memory-mapped view alone is there when the layout has a place for it. */
static bool is_in_layout(const struct armpmu *pmu, const struct armpmu_register *reg)
{
    const enum armpmu_access layout =
        pmu->config.amu.layout64 ? ARMPMU_ACCESS_EXT64 : ARMPMU_ACCESS_EXT32;

    for (size_t i = 0; i < reg->n_encodings; i++)
        if (reg->encodings[i].first.access == layout)
            return true;
    return false;
}

static bool has_offset(const struct armpmu_amu_config *config, const struct armpmu_register *reg,
                       unsigned element)
{
    if (!config->v1p1)
        return false;
    return reg->slot == ARMPMU_SLOT_OFFSET ? element != 1 : config->group1_offsets >> element & 1;
}

static bool has_bus_register(const struct armpmu *pmu, const struct armpmu_register *reg)
{
    const struct armpmu_amu_config *const config = &pmu->config.amu;

    if (reg->slot == ARMPMU_SLOT_IMPLEMENTER)
        return config->implementer_id != 0;
    if (reg->slot == ARMPMU_SLOT_EXTERNAL_CONTROL)
        return config->external_control == 1;
    if (reg->slot == ARMPMU_SLOT_ROOT_CONTROL)
        return config->external_control == 2;
    return is_in_layout(pmu, reg);
}

static bool has_register(const struct armpmu *pmu, const struct armpmu_register *reg,
                         unsigned element)
{
    const struct armpmu_amu_config *const config = &pmu->config.amu;

    if (reg->permission == ARMPMU_PERMIT_BUS)
        return has_bus_register(pmu, reg);
    if (reg->permission == ARMPMU_PERMIT_AMU_OFFSET)
        return has_offset(config, reg, element);
    if (is_group1(reg))
        return config->group1_map >> element & 1;
    if (is_group1_enable(reg))
        return config->group1_map != 0;
    return reg->slot != ARMPMU_SLOT_GROUP1 || config->v1p1;
}

/* The number of a fixed event stays, also when somebody writes without asking who may. */
static void wrote(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                  uint64_t written, uint64_t before)
{
    (void)written;
    if (reg->slot == ARMPMU_SLOT_EVENT + GROUP1_FIRST &&
        (pmu->config.amu.group1_fixed >> element & 1))
        pmu->state.slot[reg->slot + element] = before;
}

/* --- The memory-mapped view ------------------------------------------------------------------ */

#define AMSCR_NSRA      (UINT64_C(1) << 1)
#define AMROOTCR_RA_LSB 4
#define AMROOTCR_RA     7u

enum world { NONSECURE, SECURE, REALM, ROOT };
enum external_control { NO_CONTROL, SECURE_CONTROL, ROOT_CONTROL };

static bool is_powered(const struct armpmu *pmu)
{
    return pmu->config.amu.always_powered || !pin_is_high(pmu, ARMPMU_PIN_CORE_POWERED_OFF);
}

/* AMROOTCR.RA: reserved values open the view to Secure and Realm, as the access rules of the
 * registers read. */
static bool root_admits(const struct armpmu *pmu, enum world world)
{
    const unsigned ra = pmu->state.slot[ARMPMU_SLOT_ROOT_CONTROL] >> AMROOTCR_RA_LSB & AMROOTCR_RA;

    switch (world) {
    case NONSECURE:
        return ra == 3;
    case SECURE:
        return ra != 0 && ra != 1;
    case REALM:
        return ra != 0 && ra != 2;
    case ROOT:
        break;
    }
    return true;
}

/* CHOICE(amu-denied-identity): a world without access reads the identification registers as zero
 * too. */
static bool world_sees(const struct armpmu *pmu, const struct armpmu_register *reg)
{
    const enum world world = (enum world)pmu->state.pin[ARMPMU_PIN_BUS_WORLD];

    if (reg->slot == ARMPMU_SLOT_EXTERNAL_CONTROL)
        return world == SECURE || world == ROOT;
    if (reg->slot == ARMPMU_SLOT_ROOT_CONTROL)
        return world == ROOT;
    if (pmu->config.amu.external_control == SECURE_CONTROL)
        return world != NONSECURE ||
               (pmu->state.slot[ARMPMU_SLOT_EXTERNAL_CONTROL] & AMSCR_NSRA) != 0;
    return pmu->config.amu.external_control != ROOT_CONTROL || root_admits(pmu, world);
}

static enum armpmu_access layout(const struct armpmu *pmu)
{
    return pmu->config.amu.layout64 ? ARMPMU_ACCESS_EXT64 : ARMPMU_ACCESS_EXT32;
}

static uint64_t seen_in_view(const struct armpmu *pmu, const struct armpmu_register *reg)
{
    return is_powered(pmu) && world_sees(pmu, reg) ? UINT64_MAX : 0;
}

/* Nothing can be written but the register that says which worlds may look. */
static bool stores_in_view(const struct armpmu_register *reg)
{
    return reg->permission == ARMPMU_PERMIT_BUS;
}

const struct model pmu_model_amuv1 = {
    .pins = PIN_BIT(STANDBY) | PIN_BIT(DEBUG_HALTED) | PIN_BIT(EL) | PIN_BIT(AARCH32) |
            PIN_BIT(EL1_AARCH32) | PIN_BIT(EL2_AARCH32) | PIN_BIT(EL3_AARCH32) |
            PIN_BIT(EL2_ENABLED) | PIN_BIT(HCR_TGE) | PIN_BIT(HCR_E2H) | PIN_BIT(HCR_NV) |
            PIN_BIT(HCR_NV2) | PIN_BIT(HCR_AMVOFFEN) | PIN_BIT(SCR_AMVOFFEN) | PIN_BIT(SCR_FGTEN) |
            PIN_BIT(CPTR_EL2_TAM) | PIN_BIT(CPTR_EL3_TAM) | PIN_BIT(EL3_DEBUG_UNDEF) |
            PIN_BIT(HSTR) | PIN_BIT(HAFGRTR) | PIN_BIT(CORE_POWERED_OFF) | PIN_BIT(BUS_WORLD),
    .configure = configure,
    .reset = reset,
    .is_counting = is_counting,
    .own_signal = own_signal,
    .present_bits = present_bits,
    .has_register = has_register,
    .wrote = wrote,
    .layout = layout,
    .seen_in_view = seen_in_view,
    .stores_in_view = stores_in_view,
};
