/* The Cortex-R4F as the rest of armpmu knows it. */
#include "cores/descriptor.h"

#include "cores/cortex_r4f/core.h"

static const bool keys[MACHINE_KEYS] = {
#include "cores/cortex_r4f/keys.def"
};

static const struct core_measured_key measured[] = {
#include "cores/cortex_r4f/measured.def"
    MEASURED_END,
};

/* The Cortex-R5F has the instructions of the Cortex-R4F, and SDIV and UDIV of A32. Linux has no
 * driver for this monitor. */
const struct core_descriptor core_cortex_r4f = {
    .name = "cortex-r4f",
    .machine = "cortex-r4f",
    .keys = keys,
    .model = &core_model_cortex_r4f,
    .measured = measured,
    .emulator = {EMULATED_ARM, .cpu = "cortex-r5f", .compiler = "arm-linux-gnueabihf-gcc",
                 .has = {.architecture = ARM_V7, .fpu = ARM_VFPV3 + 1}},
    .firmware = {.cpu = "cortex-r5f",
                 .interrupts = {{"INTENS", UINT32_MAX},
                                {"nVALIRQENS", UINT32_MAX},
                                {"nVALFIQENS", UINT32_MAX},
                                {"nVALRESETENS", UINT32_MAX},
                                {"VALEDBGRQENS", UINT32_MAX}},
                 .be8 = true,
                 .thumb2 = true,
                 .mpu = true,
                 .vinithi = true},
    .events = {.usual = (const uint16_t[]){0x11, 0x08, 0x58, 0x01, 0x04, 0x03, 0x43, 0x12, 0x10,
                                           0x40, 0x41, 0x44, 0x5e, CORE_EVENTS_END},
               .hardware = (const uint16_t[]){0x11, 0x08, 0x03, 0x10, CORE_EVENTS_END},
               .detail = (const uint16_t[]){0x06, 0x07, 0x0f, 0x0c, 0x0d, 0x0e, 0x42, 0x45, 0x50,
                                            0x51, 0x52, 0x53, 0x54, 0x5a, 0x5b, 0x5c, 0x5d, 0x09,
                                            CORE_EVENTS_END}},
};
