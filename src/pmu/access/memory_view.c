/* The memory-mapped view of a monitor: byte lanes to registers.
 *
 * Absent registers read as zero and ignore writes. The model decides which registers an access
 * sees, and whether the bus answers with an error. */
#include "pmu/access/access.h"

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

static const struct armpmu_encodings *encodings_in_view(const struct armpmu *pmu,
                                                        const struct armpmu_register *reg)
{
    for (size_t i = 0; i < reg->n_encodings; i++)
        if (reg->encodings[i].first.access == pmu->model->layout(pmu))
            return &reg->encodings[i];
    return NULL;
}

/* The core has a view, and it answers accesses of this shape. */
static bool answers(const struct armpmu *pmu, struct view_access transfer)
{
    const unsigned bytes = transfer.bytes;
    const bool sized = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;

    return pmu->model->layout != NULL && sized && (transfer.offset & (bytes - 1)) == 0 &&
           transfer.offset < ARMPMU_AMU_FRAME_BYTES;
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
                armpmu_has_register(pmu, part->reg, part->element) &&
                pmu->model->seen_in_view(pmu, part->reg) != 0)
                return true;
        }
    }
    return false;
}

/* Shifts a value to the left by a number of bytes, to the right if that is negative. */
static uint64_t move_lanes(uint64_t value, int bytes)
{
    return bytes >= 0 ? value << 8 * bytes : value >> 8 * -bytes;
}

/* Returns whether the bus answers an access with an error: it is of no shape that it knows, or
 * falls on a register that the model keeps it from. */
static bool fails(const struct armpmu *pmu, struct view_access transfer)
{
    struct part part;
    size_t reg = 0;
    unsigned element = 0;

    if (!answers(pmu, transfer))
        return true;
    while (pmu->model->fails_in_view != NULL && next_part(pmu, transfer, &reg, &element, &part))
        if (pmu->model->fails_in_view(pmu, part.reg))
            return true;
    return false;
}

enum armpmu_outcome armpmu_load(struct armpmu *pmu, uint32_t offset, unsigned bytes,
                                uint64_t *value)
{
    const struct view_access transfer = {offset, bytes};
    struct part part;
    size_t reg = 0;
    unsigned element = 0;
    uint64_t loaded = 0;

    if (fails(pmu, transfer))
        return ARMPMU_BUS_FAULT;
    while (next_part(pmu, transfer, &reg, &element, &part)) {
        const uint64_t seen = pmu->model->seen_in_view(pmu, part.reg) & bits_below(8 * part.bytes);
        const uint64_t got =
            part.reg->readable ? pmu_register_get(pmu, part.reg, part.element) & seen : 0;
        loaded |= move_lanes(got, (int)part.start - (int)offset);
    }
    *value = loaded & bits_below(8 * bytes);
    return ARMPMU_DONE;
}

/* Plain fields keep the lanes that the transfer does not have; of one that acts on ones, those are
 * zero. */
static uint64_t kept_lanes(struct armpmu *pmu, const struct part *part)
{
    return pmu_register_get(pmu, part->reg, part->element) &
           armpmu_register_mask(part->reg, ARMPMU_FIELD_RW);
}

static void store_part(struct armpmu *pmu, const struct part *part, struct view_access transfer,
                       uint64_t value)
{
    const int lanes = (int)transfer.offset - (int)part->start;
    const uint64_t mask = move_lanes(bits_below(8 * transfer.bytes), lanes);
    const uint64_t before = kept_lanes(pmu, part);

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

    if (fails(pmu, transfer))
        return ARMPMU_BUS_FAULT;
    while (next_part(pmu, transfer, &reg, &element, &part))
        if (part.reg->writable && pmu->model->stores_in_view(part.reg))
            store_part(pmu, &part, transfer, value);
    return ARMPMU_DONE;
}
