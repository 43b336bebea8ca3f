/* The common part of the slow devices: pins, and events posted one by one. */
#include "reference.h"

#include <string.h>

static const struct reference_kind *const kinds[] = {
    &reference_amuv1,   &reference_cortex_a8, &reference_cortex_r4f,
    &reference_xscale1, &reference_xscale2,
#define PMUV3_CORE(name, id, ...) &reference_##id,
#include "../../manual/pmuv3_cores.def"
#undef PMUV3_CORE
};

static const struct reference_kind *kind_of(const char *core)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i]->core, core) == 0)
            return kinds[i];
    return NULL;
}

bool reference_knows(const char *core)
{
    return kind_of(core) != NULL;
}

void reference_create(struct reference *r, const struct armpmu_config *config)
{
    static const enum armpmu_pin high[] = {ARMPMU_PIN_DBGEN, ARMPMU_PIN_NIDEN, ARMPMU_PIN_SPIDEN,
                                           ARMPMU_PIN_SPNIDEN, ARMPMU_PIN_EL2_ENABLED};

    memset(r, 0, sizeof *r);
    r->kind = kind_of(config->core);
    r->config = *config;
    for (size_t i = 0; i < sizeof high / sizeof high[0]; i++)
        r->pin[high[i]] = 1;
    r->pin[ARMPMU_PIN_EL] = 3;
    reference_reset(r, ARMPMU_RESET_COLD);
}

void reference_reset(struct reference *r, enum armpmu_reset reset)
{
    r->kind->reset(r, reset);
}

void reference_post(struct reference *r, enum armpmu_signal signal, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        r->kind->increment(r, signal);
}

void reference_post_fault(struct reference *r, const struct armpmu_fault *fault)
{
    if (r->kind->post_fault != NULL)
        r->kind->post_fault(r, fault);
    else
        reference_post(r, fault->signal, 1);
}

static uint64_t pin_mask(enum armpmu_pin pin)
{
    switch ((int)pin) {
    case ARMPMU_PIN_EL:
    case ARMPMU_PIN_BUS_WORLD:
        return 3;
    case ARMPMU_PIN_HSTR:
        return 0xffff;
    case ARMPMU_PIN_HAFGRTR:
    case ARMPMU_PIN_MDCR_EL2:
    case ARMPMU_PIN_MDCR_EL3:
    case ARMPMU_PIN_HDFGRTR:
    case ARMPMU_PIN_HDFGWTR:
        return UINT64_MAX;
    default:
        return 1;
    }
}

void reference_set_pin(struct reference *r, enum armpmu_pin pin, uint64_t value)
{
    const uint64_t before = r->pin[pin];

    r->pin[pin] = value & pin_mask(pin);
    if (r->kind->pin_moves != NULL)
        r->kind->pin_moves(r, pin, before == 0 && r->pin[pin] != 0);
}

bool reference_output(const struct reference *r, enum armpmu_output output)
{
    return r->kind->output != NULL && r->kind->output(r, output);
}

enum armpmu_outcome reference_read(struct reference *r, struct armpmu_encoding at, uint64_t *value)
{
    return r->kind->read(r, at, value);
}

enum armpmu_outcome reference_write(struct reference *r, struct armpmu_encoding at, uint64_t value)
{
    return r->kind->write(r, at, value);
}

enum armpmu_outcome reference_load(struct reference *r, uint32_t offset, unsigned bytes,
                                   uint64_t *value)
{
    return r->kind->load == NULL ? ARMPMU_BUS_FAULT : r->kind->load(r, offset, bytes, value);
}

enum armpmu_outcome reference_store(struct reference *r, uint32_t offset, unsigned bytes,
                                    uint64_t value)
{
    return r->kind->store == NULL ? ARMPMU_BUS_FAULT : r->kind->store(r, offset, bytes, value);
}

uint64_t reference_peek(struct reference *r, const char *name, unsigned element)
{
    return r->kind->peek(r, name, element);
}

void reference_poke(struct reference *r, const char *name, unsigned element, uint64_t value)
{
    r->kind->poke(r, name, element, value);
}
