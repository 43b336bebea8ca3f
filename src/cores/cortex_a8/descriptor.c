/* The Cortex-A8 as the rest of armpmu knows it. */
#include "cores/descriptor.h"

#include "cores/cortex_a8/core.h"

static const bool keys[MACHINE_KEYS] = {
#include "cores/cortex_a8/keys.def"
};

static const struct core_measured_key measured[] = {
#include "cores/cortex_a8/measured.def"
    MEASURED_END,
};

/* The compatible string is that of Linux drivers/perf/arm_v7_pmu.c, armv7_pmu_of_device_ids. */
const struct core_descriptor core_cortex_a8 = {
    .name = "cortex-a8",
    .machine = "cortex-a8",
    .keys = keys,
    .model = &core_model_cortex_a8,
    .security = true,
    .measured = measured,
    .emulator = {EMULATED_ARM, .cpu = "cortex-a8", .compiler = "arm-linux-gnueabihf-gcc",
                 .has = {.architecture = ARM_V7, .fpu = ARM_VFPV3}},
    .firmware = {.cpu = "cortex-a8",
                 .interrupts = {{"INTENS", UINT32_MAX}},
                 .be8 = true,
                 .thumb2 = true,
                 .vinithi = true,
                 .frames = true},
    .events = {.usual = (const uint16_t[]){0x11, 0x08, 0x50, 0x01, 0x04, 0x03, 0x43, 0x44, 0x02,
                                           0x05, 0x12, 0x10, 0x56, CORE_EVENTS_END},
               .hardware = (const uint16_t[]){0x11, 0x08, 0x03, 0x44, 0x10, CORE_EVENTS_END},
               .detail =
                   (const uint16_t[]){0x06, 0x07, 0x0f, 0x48, 0x47, 0x40, 0x45, 0x46, 0x0c, 0x0d,
                                      0x0e, 0x51, 0x52, 0x54, 0x55, 0x57, 0x09, CORE_EVENTS_END}},
    .compatible = "arm,cortex-a8-pmu",
};
