/* Finding what the engine needs on this computer: QEMU, the plugin, Arm libraries. */
#ifndef QEMU_LAUNCHER_FIND_H
#define QEMU_LAUNCHER_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "armpmu/status.h"
#include "machine/core_descriptor.h"

#define FIND_PATH_BYTES 4096

struct found_qemu {
    char path[FIND_PATH_BYTES];
    const char *reason; /* why it is this one, to be printed after its path */
    const char *cpu;    /* the value of -cpu for the core */
};

/* The QEMU to use: wanted, else the variable ARMPMU_QEMU, else armpmu's own (scripts/build-qemu) in
 * the folder qemu beside the running program or beside the installed plugin, else the emulator in
 * PATH. armpmu's own comes before the system's, so that all computers count the same. It must be
 * able to load plugins. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
enum armpmu_status find_qemu(const char *wanted, const struct core_descriptor *core,
                             struct found_qemu *qemu, struct armpmu_error *err);

/* Finds in a QEMU's file the version that it prints with --version, from the number on; to run it
 * would take as long as to start a program. name: the emulator's, "qemu-arm". Returns false where
 * the file does not have it, such as a script that starts QEMU. */
bool find_qemu_version(const char *path, const char *name, char *version, size_t room);

/* armpmu-qemu.so: the variable ARMPMU_PLUGIN, else beside the running program, else where it was
 * installed. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
enum armpmu_status find_plugin(char *path, struct armpmu_error *err);

/* Checks whether /proc is mounted, by which QEMU finds armpmu's descriptors. Returns ARMPMU_OK or
 * ARMPMU_BAD_CONFIG. */
enum armpmu_status find_proc(struct armpmu_error *err);

/* The folder that holds the program's dynamic loader and libraries: wanted, else the variable
 * QEMU_LD_PREFIX, as for QEMU, else the host's own root, else Debian's cross library folder for
 * that loader. "" when the host's own root will do, or a static program needs none. Returns
 * ARMPMU_OK or ARMPMU_BAD_CONFIG. */
enum armpmu_status find_sysroot(const char *wanted, const char *interpreter, char *path,
                                struct armpmu_error *err);

#endif
