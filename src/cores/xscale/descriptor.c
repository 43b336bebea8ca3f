/* The Intel XScale, of both generations, as the rest of armpmu knows it. */
#include "cores/descriptor.h"

#include "cores/xscale/core.h"

static const bool keys[MACHINE_KEYS] = {
#include "cores/xscale/keys.def"
};

static const struct core_measured_key measured[] = {
#include "cores/xscale/measured.def"
    MEASURED_END,
};

/* Only QEMU's, and the library's, XScale with iWMMXt executes MIA; the others die of it. Linux
 * knows the monitor by the CPU's ID register. */
#define XSCALE(core, usual_machine, has_wmmx, interrupt_register, mask, ...)                       \
    {                                                                                              \
        .name = core, .machine = usual_machine, .keys = keys, .model = &core_model_xscale,         \
        .measured = measured,                                                                      \
        .emulator = {EMULATED_ARM, .cpu = "pxa270",                                                \
                     .others = "pxa255", /* what traces of before name */                          \
                     .compiler = "arm-linux-gnueabi-gcc -mcpu=xscale",                             \
                     .has = {.architecture = ARM_V5TE, .fpu = ARM_FPU_NONE, .wmmx = has_wmmx}},    \
        .firmware = {.cpu = "pxa270", .interrupts = {{interrupt_register, mask}}}, .events = {     \
            .usual = (const uint16_t[]){0x100, 0x07, 0x00, 0x0a, 0x0b, 0x03, 0x04, 0x05, 0x06,     \
                                        0x01, 0x02, 0x08, CORE_EVENTS_END},                        \
            .hardware = (const uint16_t[]){__VA_ARGS__, CORE_EVENTS_END},                          \
            .detail = (const uint16_t[]){0x09, 0x0c, 0x0d, CORE_EVENTS_END},                       \
        }                                                                                          \
    }

const struct core_descriptor core_xscale1 =
    XSCALE("xscale1", "xscale-80200", false, "PMNC", 0x70, 0x100, 0x07, 0x0b);

const struct core_descriptor core_xscale2 =
    XSCALE("xscale2", "pxa270", true, "INTEN", UINT32_MAX, 0x100, 0x07, 0x00, 0x0b, 0x06);
