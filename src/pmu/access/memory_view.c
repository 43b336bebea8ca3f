/* The memory-mapped view of the activity monitors: byte lanes to registers.
 *
 * Nothing in the view can be written but the register that says which worlds may look. What is not
 * there reads as zero and ignores writes; the bus answers without an error.
 * Source: ARM DDI 0487, Memory-mapped interface to the Activity Monitors; the layouts are
 * FEAT_AMU_EXT32 and FEAT_AMU_EXT64. */
#include "pmu/access/access.h"

#define AMSCR_NSRA      (UINT64_C(1) << 1)
#define AMROOTCR_RA_LSB 4
#define AMROOTCR_RA     7u

enum world { NONSECURE, SECURE, REALM, ROOT };
enum external_control { NO_CONTROL, SECURE_CONTROL, ROOT_CONTROL };

/* An access, and the part of it that falls on one register. */
struct view_access {
    uint32_t offset;
    unsigned bytes;
};

struct part {
    const struct armpmu_register *reg;
    unsigned element;
    uint32_t start; /* offset of the element */
    unsigned bytes; /* that the element takes in the view */
};

static enum armpmu_access layout_of(const struct armpmu *pmu)
{
    return pmu->config.amu.layout64 ? ARMPMU_ACCESS_EXT64 : ARMPMU_ACCESS_EXT32;
}

static const struct armpmu_encodings *encodings_in_view(const struct armpmu *pmu,
                                                        const struct armpmu_register *reg)
{
    for (size_t i = 0; i < reg->n_encodings; i++)
        if (reg->encodings[i].first.access == layout_of(pmu))
            return &reg->encodings[i];
    return NULL;
}

/* The core has a view, and it answers accesses of this shape. */
static bool answers(const struct armpmu *pmu, struct view_access transfer)
{
    const unsigned bytes = transfer.bytes;
    const bool sized = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;

    if (!sized || (transfer.offset & (bytes - 1)) != 0 || transfer.offset >= ARMPMU_AMU_FRAME_BYTES)
        return false;
    for (size_t i = 0; i < pmu->core->n_registers; i++)
        if (encodings_in_view(pmu, &pmu->core->registers[i]) != NULL)
            return true;
    return false;
}

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

/* Finds the next part of the transfer, in the order of the catalogue, from *reg and *element on;
 * false after the last one. A transfer meets few registers, and each of them once. */
static bool next_part(const struct armpmu *pmu, struct view_access transfer, size_t *reg,
                      unsigned *element, struct part *part)
{
    for (; *reg < pmu->core->n_registers; ++*reg, *element = 0) {
        part->reg = &pmu->core->registers[*reg];
        const struct armpmu_encodings *const encodings = encodings_in_view(pmu, part->reg);
        if (encodings == NULL)
            continue;
        part->bytes = encodings->bytes;
        while (*element < part->reg->count) {
            part->element = (*element)++;
            part->start = encodings->first.offset + (uint32_t)part->element * part->bytes;
            if (part->start < transfer.offset + transfer.bytes &&
                transfer.offset < part->start + part->bytes &&
                armpmu_has_register(pmu, part->reg, part->element) && world_sees(pmu, part->reg))
                return true;
        }
    }
    return false;
}

/* Moves a value by bytes: up where there are more than none, else down. */
static uint64_t move_lanes(uint64_t value, int bytes)
{
    return bytes >= 0 ? value << 8 * bytes : value >> 8 * -bytes;
}

enum armpmu_outcome armpmu_load(struct armpmu *pmu, uint32_t offset, unsigned bytes,
                                uint64_t *value)
{
    const struct view_access transfer = {offset, bytes};
    struct part part;
    size_t reg = 0;
    unsigned element = 0;
    uint64_t loaded = 0;

    if (!answers(pmu, transfer))
        return ARMPMU_BUS_FAULT;
    while (is_powered(pmu) && next_part(pmu, transfer, &reg, &element, &part))
        loaded |= move_lanes(pmu_register_get(pmu, part.reg, part.element),
                             (int)part.start - (int)offset);
    *value = loaded & bits_below(8 * bytes);
    return ARMPMU_DONE;
}

/* The register's value with the lanes of the transfer replaced. All its fields are plain. */
static void store_part(struct armpmu *pmu, const struct part *part, struct view_access transfer,
                       uint64_t value)
{
    const int lanes = (int)transfer.offset - (int)part->start;
    const uint64_t mask = move_lanes(bits_below(8 * transfer.bytes), lanes);
    const uint64_t before = pmu_register_get(pmu, part->reg, part->element);

    pmu_register_set(pmu, part->reg, part->element,
                     (before & ~mask) | (move_lanes(value, lanes) & mask));
}

enum armpmu_outcome armpmu_store(struct armpmu *pmu, uint32_t offset, unsigned bytes,
                                 uint64_t value)
{
    const struct view_access transfer = {offset, bytes};
    struct part part;
    size_t reg = 0;
    unsigned element = 0;

    if (!answers(pmu, transfer))
        return ARMPMU_BUS_FAULT;
    while (is_powered(pmu) && next_part(pmu, transfer, &reg, &element, &part))
        if (part.reg->permission == ARMPMU_PERMIT_BUS && part.reg->writable)
            store_part(pmu, &part, transfer, value);
    return ARMPMU_DONE;
}
