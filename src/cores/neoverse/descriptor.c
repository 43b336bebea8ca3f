/* The server core with the activity monitors as the rest of armpmu knows it. */
#include "machine/core_descriptor.h"

#include <elf.h>

#include "cores/neoverse/core.h"

static const bool keys[MACHINE_KEYS] = {
#define KEY(section, key) [KEY_##section##_##key] = true,
#include "cores/neoverse/keys.def"
#undef KEY
};

/* Neoverse N1 is the newest server core that QEMU 7.2 knows: Armv8.2 with LSE, dot products and
 * RCpc, no SVE. Linux knows the monitor by the architecture's ID registers. */
const struct core_descriptor core_amuv1 = {
    .name = "amuv1",
    .machine = "neoverse-v1",
    .keys = keys,
    .model = &core_model_neoverse,
    .emulator = {.qemu = "qemu-aarch64",
                 .target = "aarch64",
                 .cpu = "neoverse-n1",
                 .elf_class = ELFCLASS64,
                 .elf_machine = EM_AARCH64,
                 .runs = "AArch64 (64-bit Arm)",
                 .compiler = "aarch64-linux-gnu-gcc"},
    .firmware = {.cpu = "max"},
};
