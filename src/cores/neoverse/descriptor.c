/* The server cores as the rest of armpmu knows them: with PMUv3, and with the activity monitors
 * alone. */
#include "machine/core_descriptor.h"

#include <elf.h>

#include "cores/neoverse/core.h"

static const bool keys[MACHINE_KEYS] = {
#define KEY(section, key) [KEY_##section##_##key] = true,
#include "cores/neoverse/keys.def"
#undef KEY
};

/* Neoverse N1 is the newest server core that QEMU 7.2 knows: Armv8.2 with LSE, dot products and
 * RCpc, no SVE. */
#define EMULATOR                                                                                   \
    {                                                                                              \
        .qemu = "qemu-aarch64", .target = "aarch64", .cpu = "neoverse-n1",                         \
        .elf_class = ELFCLASS64, .elf_machine = EM_AARCH64, .runs = "AArch64 (64-bit Arm)",        \
        .compiler = "aarch64-linux-gnu-gcc"                                                        \
    }

/* Linux knows the monitor by the architecture's ID registers. */
const struct core_descriptor core_amuv1 = {
    .name = "amuv1",
    .machine = "amuv1",
    .keys = keys,
    .model = &core_model_neoverse,
    .emulator = EMULATOR,
    .firmware = {.cpu = "max"},
};

#define EVENTS                                                                                     \
    {                                                                                              \
        .usual =                                                                                   \
            (const uint16_t[]){0x11, 0x08, 0x14, 0x01, 0x04, 0x03, 0x16, 0x17, 0x36,               \
                               0x37, 0x02, 0x05, 0x34, 0x21, 0x10, 0x23, 0x24, CORE_EVENTS_END},   \
        .hardware = (const uint16_t[]){0x11, 0x08, 0x03, 0x17, 0x10, CORE_EVENTS_END},             \
        .detail = (const uint16_t[])                                                               \
        {                                                                                          \
            0x70, 0x71, 0x73, 0x74, 0x75, 0x40, 0x41, 0x42, 0x43, 0x15, 0x18, 0x19, 0x2d, 0x35,    \
                0x6a, 0x78, 0x79, 0x7a, 0x09, CORE_EVENTS_END                                      \
        }                                                                                          \
    }

/* The compatible strings are those of Linux drivers/perf/arm_pmuv3.c. */
#define DESCRIPTOR(id, title, string)                                                              \
    const struct core_descriptor core_##id = {                                                     \
        .name = title,                                                                             \
        .machine = title,                                                                          \
        .keys = keys,                                                                              \
        .model = &core_model_neoverse,                                                             \
        .beside = "amuv1",                                                                         \
        .emulator = EMULATOR,                                                                      \
        .firmware = {.cpu = "max", .interrupts = {{"PMINTENSET_EL1", UINT32_MAX}}},                \
        .events = EVENTS,                                                                          \
        .compatible = string,                                                                      \
    }

DESCRIPTOR(neoverse_n1, "neoverse-n1", "arm,neoverse-n1-pmu");
DESCRIPTOR(neoverse_v1, "neoverse-v1", "arm,neoverse-v1-pmu");
DESCRIPTOR(neoverse_n2, "neoverse-n2", "arm,neoverse-n2-pmu");
