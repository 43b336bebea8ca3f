/* The Intel XScale, of both generations, as the rest of armpmu knows it. */
#include "machine/core_descriptor.h"

#include <elf.h>

#include "cores/xscale/core.h"

static const bool keys[MACHINE_KEYS] = {
#define KEY(section, key) [KEY_##section##_##key] = true,
#include "cores/xscale/keys.def"
#undef KEY
};

static const struct core_measured_key measured[] = {
#define MEASURED(section, key, unit, formula) {KEY_##section##_##key, unit, formula},
#include "cores/xscale/measured.def"
#undef MEASURED
    {MACHINE_KEYS, NULL, NULL},
};

/* Of QEMU's XScales, and of the library's, only one with iWMMXt executes MIA; the others die of it.
 * Linux knows the monitor by the CPU's ID register. */
const struct core_descriptor core_xscale1 = {
    .name = "xscale1",
    .machine = "xscale-80200",
    .keys = keys,
    .model = &core_model_xscale,
    .measured = measured,
    .emulator = {.qemu = "qemu-arm",
                 .target = "arm",
                 .cpu = "pxa270",
                 .others = "pxa255", /* what traces of before name */
                 .elf_class = ELFCLASS32,
                 .elf_machine = EM_ARM,
                 .runs = "32-bit Arm",
                 .compiler = "arm-linux-gnueabi-gcc -mcpu=xscale",
                 .has = {.architecture = ARM_V5TE, .fpu = ARM_FPU_NONE}},
    .firmware = {.cpu = "pxa270", .interrupts = {{"PMNC", 0x70}}},
    .events = {.usual = (const uint16_t[]){0x100, 0x07, 0x00, 0x0a, 0x0b, 0x03, 0x04, 0x05, 0x06,
                                           0x01, 0x02, 0x08, CORE_EVENTS_END},
               .hardware = (const uint16_t[]){0x100, 0x07, 0x0b, CORE_EVENTS_END},
               .detail = (const uint16_t[]){0x09, 0x0c, 0x0d, CORE_EVENTS_END}},
};

const struct core_descriptor core_xscale2 = {
    .name = "xscale2",
    .machine = "pxa270",
    .keys = keys,
    .model = &core_model_xscale,
    .measured = measured,
    .emulator = {.qemu = "qemu-arm",
                 .target = "arm",
                 .cpu = "pxa270",
                 .others = "pxa255", /* what traces of before name */
                 .elf_class = ELFCLASS32,
                 .elf_machine = EM_ARM,
                 .runs = "32-bit Arm",
                 .compiler = "arm-linux-gnueabi-gcc -mcpu=xscale",
                 .has = {.architecture = ARM_V5TE, .fpu = ARM_FPU_NONE, .wmmx = true}},
    .firmware = {.cpu = "pxa270", .interrupts = {{"INTEN", UINT32_MAX}}},
    .events = {.usual = (const uint16_t[]){0x100, 0x07, 0x00, 0x0a, 0x0b, 0x03, 0x04, 0x05, 0x06,
                                           0x01, 0x02, 0x08, CORE_EVENTS_END},
               .hardware = (const uint16_t[]){0x100, 0x07, 0x00, 0x0b, 0x06, CORE_EVENTS_END},
               .detail = (const uint16_t[]){0x09, 0x0c, 0x0d, CORE_EVENTS_END}},
};
