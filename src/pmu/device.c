/* Creates, resets, saves and restores a device. */
#include "pmu/device.h"

#include "pmu/error_format.h"

_Static_assert(sizeof(struct armpmu) <= ARMPMU_DEVICE_BYTES, "ARMPMU_DEVICE_BYTES is too small");
_Static_assert(ARMPMU_SIGNAL_COUNT <= UINT16_MAX, "a signal does not fit");
_Static_assert(ARMPMU_SLOTS <= UINT8_MAX, "a slot does not fit its byte");
_Static_assert(ARMPMU_OUTPUT_COUNT <= 32, "an output does not fit the word of outputs");

#define CORE(name, id, ...) extern const struct model pmu_model_##id;
#include "catalog/cores.def"
#undef CORE

static const struct {
    const char *core;
    const struct model *model;
} models[] = {
#define CORE(name, id, ...) {name, &pmu_model_##id},
#include "catalog/cores.def"
#undef CORE
};

/* The header before the state in a snapshot. */
struct snapshot_header {
    uint32_t magic, bytes;
    uint64_t device; /* a hash of its core and configuration */
    uint64_t state;  /* a hash of what follows               */
};

#define SNAPSHOT_MAGIC 0x55504d41u /* "AMPU" */

const struct model *pmu_model_of(const struct armpmu_core *core)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (armpmu_core_find(models[i].core) == core)
            return models[i].model;
    return NULL;
}

static void copy_bytes(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

/* The registers' values after reset, put together from all fields. */
static void reset_slots(struct armpmu *pmu)
{
    for (unsigned i = 0; i < ARMPMU_SLOTS; i++)
        pmu->state.slot[i] = 0;
    for (size_t i = 0; i < pmu->core->n_registers; i++) {
        const struct armpmu_register *const reg = &pmu->core->registers[i];
        for (unsigned n = 0; n < reg->count && reg->slot != ARMPMU_SLOT_NONE; n++)
            pmu->state.slot[reg->slot + n] |= armpmu_register_reset(reg) << reg->slot_lsb;
    }
}

static void reset_state(struct armpmu *pmu, enum armpmu_reset reset)
{
    const struct state before = pmu->state;

    reset_slots(pmu);
    pmu->state.bus = 0;
    pmu->state.prescaler = 0;
    pmu->state.fault_this_clock = false;
    if (pmu->model->reset != NULL)
        pmu->model->reset(pmu, reset, &before);
    pmu_update_thresholds(pmu);
}

static enum armpmu_status check_memory(const void *memory, size_t bytes, struct armpmu_error *error)
{
    const unsigned alignment = (unsigned)_Alignof(struct armpmu);
    const unsigned beyond = (unsigned)((uintptr_t)memory & (alignment - 1));

    if (memory == NULL)
        return pmu_refuse(error, ARMPMU_NO_MEMORY, "no memory for a device: it needs %u bytes",
                          (unsigned)ARMPMU_DEVICE_BYTES);
    if (bytes < ARMPMU_DEVICE_BYTES)
        return pmu_refuse(error, ARMPMU_NO_MEMORY, "%u bytes of memory for a device: it needs %u",
                          (unsigned)bytes, (unsigned)ARMPMU_DEVICE_BYTES);
    if (beyond != 0)
        return pmu_refuse(error, ARMPMU_NO_MEMORY,
                          "misaligned memory for a device: it begins %u bytes beyond a multiple of "
                          "%u; align it, as union armpmu_memory is",
                          beyond, alignment);
    return ARMPMU_OK;
}

/* The caller's structure may be that of an older header, and is zero from its end on, or of a newer
 * one, if what this library does not know is zero. */
static enum armpmu_status take_config(const struct armpmu_config *config, struct armpmu_config *out,
                                      struct armpmu_error *error)
{
    const size_t least = offsetof(struct armpmu_config, amu), known = sizeof *out;
    const size_t size = config->struct_size != 0 ? config->struct_size : known;
    const unsigned char *const bytes = (const unsigned char *)config;

    if (size < least)
        return pmu_refuse(error, ARMPMU_BAD_CONFIG,
                          "struct_size: %u, at least %u; say sizeof(struct armpmu_config)",
                          (unsigned)size, (unsigned)least);
    for (size_t i = known; i < size; i++)
        if (bytes[i] != 0)
            return pmu_refuse(error, ARMPMU_BAD_CONFIG,
                              "struct_size: %u, and byte %u is not zero: this library knows %u "
                              "bytes; use one as new as the header",
                              (unsigned)size, (unsigned)i, (unsigned)known);
    *out = (struct armpmu_config){0};
    copy_bytes(out, config, size < known ? size : known);
    return ARMPMU_OK;
}

size_t armpmu_device_bytes(void)
{
    return ARMPMU_DEVICE_BYTES;
}

enum armpmu_status armpmu_create(void *memory, size_t bytes, const struct armpmu_config *config,
                                 struct armpmu **out, struct armpmu_error *error)
{
    struct armpmu *const pmu = memory;

    struct armpmu_config known;
    enum armpmu_status status = check_memory(memory, bytes, error);

    *out = NULL;
    if (status == ARMPMU_OK)
        status = take_config(config, &known, error);
    if (status != ARMPMU_OK)
        return status;
    const char *const name = known.core != NULL ? known.core : "";
    const struct armpmu_core *const core = armpmu_core_find(name);
    const struct model *const model = core != NULL ? pmu_model_of(core) : NULL;
    if (model == NULL)
        return pmu_refuse(error, ARMPMU_NOT_FOUND,
                          "no device for the core '%s'; armpmu_cores() lists the cores", name);

    *pmu = (struct armpmu){.core = core, .model = model, .config = known, .reached = UINT32_MAX};
    pmu->config.core = core->name;
    pmu->config.flag_erratum = known.flag_erratum && model->has_flag_erratum;
    for (unsigned pin = 0; pin < ARMPMU_PIN_COUNT; pin++)
        pmu->state.pin[pin] = pmu_pin_initial((enum armpmu_pin)pin);
    if (model->configure != NULL) {
        status = model->configure(pmu, error);
        if (status != ARMPMU_OK)
            return status;
    }
    pmu_start_counting(pmu);
    pmu_start_exporting(pmu);
    reset_state(pmu, ARMPMU_RESET_COLD);
    *out = pmu;
    return ARMPMU_OK;
}

void armpmu_reset(struct armpmu *pmu, enum armpmu_reset reset)
{
    pmu_sync(pmu);
    reset_state(pmu, reset);
    pmu_update_outputs(pmu);
}

const struct armpmu_core *armpmu_core_of(const struct armpmu *pmu)
{
    return pmu->core;
}

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    return hash_bytes(hash, &number, sizeof number);
}

/* A hash of what must be equal in a device that takes the snapshot. Callbacks may differ. */
static uint64_t hash_of_device(const struct armpmu *pmu)
{
    const struct armpmu_amu_config *const amu = &pmu->config.amu;
    const struct armpmu_pmuv3_config *const pmuv3 = &pmu->config.pmuv3;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (const char *c = pmu->core->name; *c != '\0'; c++)
        hash = hash_number(hash, (unsigned char)*c);
    const uint64_t numbers[] = {
        pmu->config.flag_erratum,
        amu->v1p1,
        amu->group1_counters,
        amu->group1_map,
        amu->group1_offsets,
        amu->group1_fixed,
        amu->highest_el,
        amu->without_el2,
        amu->without_fine_traps,
        amu->layout64,
        amu->always_powered,
        amu->external_control,
        amu->implementer_id,
        amu->affinity,
        amu->part,
        pmuv3->version,
        pmuv3->counters,
        pmuv3->highest_el,
        pmuv3->without_el2,
        pmuv3->without_secure_el2,
        pmuv3->without_fine_traps,
        pmuv3->always_powered,
        pmuv3->affinity,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        hash = hash_number(hash, numbers[i]);
    for (size_t i = 0; i < sizeof amu->group1_events / sizeof amu->group1_events[0]; i++)
        hash = hash_number(hash, amu->group1_events[i]);
    return hash;
}

static struct snapshot_header header_of(const struct armpmu *pmu, const struct state *state)
{
    return (struct snapshot_header){SNAPSHOT_MAGIC, (uint32_t)armpmu_snapshot_bytes(pmu),
                                    hash_of_device(pmu), hash_bytes(0, state, sizeof *state)};
}

size_t armpmu_snapshot_bytes(const struct armpmu *pmu)
{
    return sizeof(struct snapshot_header) + sizeof pmu->state;
}

void armpmu_snapshot(struct armpmu *pmu, void *snapshot)
{
    pmu_sync(pmu);
    const struct snapshot_header header = header_of(pmu, &pmu->state);
    copy_bytes(snapshot, &header, sizeof header);
    copy_bytes((unsigned char *)snapshot + sizeof header, &pmu->state, sizeof pmu->state);
}

enum armpmu_status armpmu_restore(struct armpmu *pmu, const void *snapshot, size_t bytes,
                                  struct armpmu_error *error)
{
    const size_t wanted = armpmu_snapshot_bytes(pmu);
    struct snapshot_header header = {0};
    struct state state;

    if (bytes != wanted)
        return pmu_refuse(error, ARMPMU_BAD_INPUT, "a snapshot of %u bytes: one of %s has %u",
                          (unsigned)bytes, pmu->core->name, (unsigned)wanted);
    copy_bytes(&header, snapshot, sizeof header);
    copy_bytes(&state, (const unsigned char *)snapshot + sizeof header, sizeof state);
    const struct snapshot_header mine = header_of(pmu, &state);
    if (header.magic != mine.magic || header.bytes != mine.bytes || header.device != mine.device)
        return pmu_refuse(error, ARMPMU_BAD_INPUT,
                          "not a snapshot of a %s of this configuration and library version",
                          pmu->core->name);
    if (header.state != mine.state)
        return pmu_refuse(error, ARMPMU_BAD_INPUT, "a snapshot of a %s that was changed or cut",
                          pmu->core->name);
    pmu_sync(pmu);
    state.outputs = pmu->state.outputs;
    pmu->state = state;
    pmu_update_thresholds(pmu);
    pmu_update_outputs(pmu);
    return ARMPMU_OK;
}
