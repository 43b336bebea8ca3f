/* The program that the user named: where it is, and whether this engine can run it. */
#ifndef QEMU_LAUNCHER_PROGRAM_H
#define QEMU_LAUNCHER_PROGRAM_H

#include "armpmu/status.h"
#include "machine/core_descriptor.h"

struct program {
    char path[4096];                  /* of the file                                           */
    struct arm_attributes attributes; /* all zero where it says nothing */
    char interpreter[256];            /* the dynamic loader it asks for, "" for a static program */
};

/* Finds the program as execvp would (PATH if the name has no '/') and checks that it is a complete
 * little-endian executable of the emulator's kind.
 * Returns ARMPMU_OK, ARMPMU_NOT_FOUND, ARMPMU_NOT_ALLOWED (no execute permission, a directory),
 * ARMPMU_BAD_INPUT (no Arm program) or ARMPMU_IO. */
enum armpmu_status program_find(const char *name, const struct core_descriptor *core,
                                struct program *out, struct armpmu_error *err);

/* The file that a name without '/' means under PATH. Returns ARMPMU_OK, ARMPMU_NOT_FOUND or
 * ARMPMU_NOT_ALLOWED (found, but not executable). */
enum armpmu_status path_search(const char *name, char *path, unsigned path_size);

#endif
