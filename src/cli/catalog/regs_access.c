/* Asks a device for facts that the tables lack: who may access a register, and each element's
 * reset value. */
#include "cli/catalog/regs.h"

#include <elf.h>
#include <string.h>

#include "armpmu/pmu.h"
#include "catalog/names.h"
#include "machine/core_descriptor.h"

/* The columns of a manual's table, and the pins that put the processor there. */
struct access_mode {
    const char *title;
    struct {
        enum armpmu_pin pin;
        uint64_t value;
    } pins[2];
};

static const struct access_mode world_modes[] = {
    {"Secure privileged", {{ARMPMU_PIN_USER_MODE, 0}, {ARMPMU_PIN_NONSECURE, 0}}},
    {"Nonsecure privileged", {{ARMPMU_PIN_USER_MODE, 0}, {ARMPMU_PIN_NONSECURE, 1}}},
    {"Secure User", {{ARMPMU_PIN_USER_MODE, 1}, {ARMPMU_PIN_NONSECURE, 0}}},
    {"Nonsecure User", {{ARMPMU_PIN_USER_MODE, 1}, {ARMPMU_PIN_NONSECURE, 1}}},
};

static const struct access_mode plain_modes[] = {
    {"Privileged", {{ARMPMU_PIN_USER_MODE, 0}, {ARMPMU_PIN_USER_MODE, 0}}},
    {"User", {{ARMPMU_PIN_USER_MODE, 1}, {ARMPMU_PIN_USER_MODE, 1}}},
};

static const struct access_mode level_modes[] = {
    {"EL0", {{ARMPMU_PIN_EL, 0}, {ARMPMU_PIN_EL, 0}}},
    {"EL1", {{ARMPMU_PIN_EL, 1}, {ARMPMU_PIN_EL, 1}}},
    {"EL2", {{ARMPMU_PIN_EL, 2}, {ARMPMU_PIN_EL, 2}}},
    {"EL3", {{ARMPMU_PIN_EL, 3}, {ARMPMU_PIN_EL, 3}}},
};

static const struct columns {
    const struct access_mode *modes;
    unsigned n;
    const char *circumstances; /* in which the device is asked, where pins have a say in it */
} plain = {plain_modes, 2, ""}, worlds = {world_modes, 4, ""},
  levels = {
      level_modes, 4,
      "The Exception levels are in AArch64 state, but for registers that AArch32 alone has; no "
      "trap control is set, and SCR_EL3.AMVOFFEN is zero."};

static const struct columns *columns_of(const struct armpmu_core *core)
{
    const struct core_descriptor *const descriptor = core_descriptor_of(core);

    return descriptor->emulator.elf_class == ELFCLASS64 ? &levels
           : descriptor->security                       ? &worlds
                                                        : &plain;
}

const char *regs_circumstances(const struct armpmu_core *core)
{
    return columns_of(core)->circumstances;
}

#define PMUV3_NEWEST       8
#define PMUV3_COUNTERS_MAX 31

/* A device that has all that the core may have. */
static struct armpmu *make_device(union armpmu_memory *memory, const struct armpmu_core *core)
{
    const struct armpmu_config config = {
        .core = core->name,
        .amu = {.v1p1 = true, .group1_map = UINT16_MAX, .group1_offsets = UINT16_MAX},
        .pmuv3 = {.version = PMUV3_NEWEST, .counters = PMUV3_COUNTERS_MAX},
    };
    struct armpmu *pmu = NULL;

    return armpmu_create(memory, sizeof *memory, &config, &pmu, NULL) == ARMPMU_OK ? pmu : NULL;
}

/* The value of a register that a device has as the core comes. */
static bool usual_value(const struct regs_target *target, uint64_t *value)
{
    const struct armpmu_config config = {.core = target->core->name};
    union armpmu_memory memory;
    struct armpmu *pmu = NULL;

    if (armpmu_create(&memory, sizeof memory, &config, &pmu, NULL) != ARMPMU_OK ||
        !armpmu_has_register(pmu, target->reg, target->element))
        return false;
    *value = armpmu_peek(pmu, target->reg, target->element);
    return true;
}

const struct armpmu_register *regs_user_enable(const struct armpmu_core *core)
{
    for (size_t i = 0; i < core->n_registers; i++)
        if (core->registers[i].slot == ARMPMU_SLOT_USER)
            return &core->registers[i];
    return NULL;
}

static const char *word_for(enum armpmu_outcome outcome)
{
    static const char *const texts[] = {
        [ARMPMU_DONE] = "Data",
        [ARMPMU_UNDEFINED] = "Undefined",
        [ARMPMU_UNDEFINED_TO_EL2] = "Undefined to EL2",
        [ARMPMU_TRAP_EL1] = "Trap to EL1",
        [ARMPMU_TRAP_EL2] = "Trap to EL2",
        [ARMPMU_TRAP_EL3] = "Trap to EL3",
        [ARMPMU_REDIRECTED] = "Memory",
        [ARMPMU_BUS_FAULT] = "Bus fault",
        [ARMPMU_NOT_HERE] = "not of this unit",
    };

    return TEXT_BY(texts, outcome);
}

/* One access from one mode, on a device of its own: a write must not change the next answer. */
static const char *ask(const struct armpmu_core *core, struct armpmu_encoding at,
                       const struct access_mode *mode, bool enabled, bool write)
{
    union armpmu_memory memory;
    struct armpmu *const pmu = make_device(&memory, core);
    const struct armpmu_register *const enable = regs_user_enable(core);
    uint64_t value = 0;

    if (enable != NULL)
        armpmu_poke(pmu, enable, 0, enabled);
    for (size_t i = 0; i < sizeof mode->pins / sizeof mode->pins[0]; i++)
        armpmu_set_pin(pmu, mode->pins[i].pin, mode->pins[i].value);
    armpmu_set_pin(pmu, ARMPMU_PIN_AARCH32, at.access != ARMPMU_ACCESS_MSR);
    return word_for(write ? armpmu_write(pmu, at, 0) : armpmu_read(pmu, at, &value));
}

/* The catalogue says what element 0 of an array holds; others may be constants of their own. */
uint64_t regs_reset(const struct regs_target *target)
{
    union armpmu_memory memory;
    struct armpmu *const pmu = make_device(&memory, target->core);
    uint64_t value;

    if (usual_value(target, &value))
        return value;
    if (target->element == 0 || pmu == NULL ||
        !armpmu_has_register(pmu, target->reg, target->element))
        return armpmu_register_reset(target->reg);
    return armpmu_peek(pmu, target->reg, target->element);
}

bool regs_ask_access(const struct armpmu_core *core, const struct armpmu_register *reg,
                     struct regs_access_table *table)
{
    union armpmu_memory memory;
    const struct columns *const columns = columns_of(core);
    const struct access_mode *const modes = columns->modes;
    const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[0], 0);

    *table = (struct regs_access_table){.n_modes = columns->n,
                                        .has_user_enable = regs_user_enable(core) != NULL};
    if (at.access == ARMPMU_ACCESS_EXT32 || at.access == ARMPMU_ACCESS_EXT64 ||
        make_device(&memory, core) == NULL)
        return false;
    for (unsigned enabled = 0; enabled < 2; enabled++)
        for (unsigned i = 0; i < table->n_modes; i++) {
            table->modes[i] = modes[i].title;
            table->read[enabled][i] = ask(core, at, &modes[i], enabled != 0, false);
            table->write[enabled][i] = ask(core, at, &modes[i], enabled != 0, true);
            if (!reg->readable && strcmp(table->read[enabled][i], word_for(ARMPMU_DONE)) == 0)
                table->read[enabled][i] = "RAZ";
        }
    return true;
}
