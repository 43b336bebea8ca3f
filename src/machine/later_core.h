/* Detects a program that was built for a later core than the machine's, from its ELF attributes.
 *
 * Leaves out: NEON, which C libraries that ask the kernel for it are built with as well. */
#ifndef MACHINE_LATER_CORE_H
#define MACHINE_LATER_CORE_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/core_descriptor.h"

/* A sentence with the attribute, its value, what the machine's core has, and machines that have it.
 * False where the core has all that is asked for. path: of the program. */
bool later_core_sentence(const char *path, const struct arm_attributes *wanted,
                         const struct armpmu_machine *machine, char *text, size_t size);

#endif
