/* Macros for the descriptors of the core models. */
#ifndef CORES_DESCRIPTOR_H
#define CORES_DESCRIPTOR_H

#include <elf.h>

#include "machine/core_descriptor.h"

/* The rows of keys.def, for a table of flags, and of measured.def, beside each model. */
#define KEY(section, key)                     [KEY_##section##_##key] = true,
#define MEASURED(section, key, unit, formula) {KEY_##section##_##key, unit, formula},
#define MEASURED_END                                                                               \
    {                                                                                              \
        MACHINE_KEYS, NULL, NULL                                                                   \
    }

/* QEMU's emulation of 32-bit programs. */
#define EMULATED_ARM                                                                               \
    .qemu = "qemu-arm", .target = "arm", .elf_class = ELFCLASS32, .elf_machine = EM_ARM,           \
    .runs = "32-bit Arm"

#endif
