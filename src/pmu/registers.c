/* Reading and writing registers, whoever asks. Every write of every register goes the same way:
 * counts become exact, the table's rules are applied, the model does what the table cannot say, and
 * the outputs follow. */
#include "pmu/device.h"

static uint64_t *slot_of(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element)
{
    return &pmu->state.slot[reg->slot + element];
}

static uint64_t value_of(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element)
{
    if (reg->slot == ARMPMU_SLOT_NONE)
        return 0;
    return *slot_of(pmu, reg, element) >> reg->slot_lsb & bits_below(reg->bits);
}

uint64_t pmu_register_get(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element)
{
    pmu_sync(pmu);
    return value_of(pmu, reg, element);
}

/* The value after a write, by the rules of the fields. */
static uint64_t merge(const struct armpmu_register *reg, uint64_t old, uint64_t written)
{
    const uint64_t rw = armpmu_register_mask(reg, ARMPMU_FIELD_RW);
    const uint64_t next = (old & ~rw) | (written & rw);

    return (next | (written & armpmu_register_mask(reg, ARMPMU_FIELD_W1S))) &
           ~(written & armpmu_register_mask(reg, ARMPMU_FIELD_W1C));
}

static uint64_t present_bits(const struct armpmu *pmu, const struct armpmu_register *reg,
                             unsigned element)
{
    const uint64_t all = bits_below(reg->bits);

    if (pmu->model->present_bits == NULL)
        return all;
    return pmu->model->present_bits(pmu, reg, element) & all;
}

void pmu_register_set(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                      uint64_t value)
{
    const uint64_t written = value & present_bits(pmu, reg, element);

    pmu_sync(pmu);
    const uint64_t before = value_of(pmu, reg, element);
    if (reg->slot != ARMPMU_SLOT_NONE) {
        uint64_t *const slot = slot_of(pmu, reg, element);
        *slot &= ~(bits_below(reg->bits) << reg->slot_lsb);
        *slot |= merge(reg, before, written) << reg->slot_lsb;
    }
    if (pmu->model->wrote != NULL)
        pmu->model->wrote(pmu, reg, element, written, before);
    pmu_update_thresholds(pmu);
    pmu_update_outputs(pmu);
}

bool armpmu_has_register(const struct armpmu *pmu, const struct armpmu_register *reg,
                         unsigned element)
{
    return element < reg->count &&
           (pmu->model->has_register == NULL || pmu->model->has_register(pmu, reg, element));
}

uint64_t armpmu_peek(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element)
{
    return armpmu_has_register(pmu, reg, element) ? pmu_register_get(pmu, reg, element) : 0;
}

void armpmu_poke(struct armpmu *pmu, const struct armpmu_register *reg, unsigned element,
                 uint64_t value)
{
    if (armpmu_has_register(pmu, reg, element) && reg->writable)
        pmu_register_set(pmu, reg, element, value);
}
