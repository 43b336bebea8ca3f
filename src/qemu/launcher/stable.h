/* The surroundings of a program, fixed: its counts do not depend on the environment, the folder or
 * the length of the path that armpmu was started with.
 *
 * - The program's path (AT_EXECFN) is /tmp/armpmu-XXXXXX/program, of the same length each time: a
 *   link to the file; of a static program a copy, since its C library asks for the path itself.
 * - argv[0] is the file's name without its folder.
 * - The environment is PATH, HOME, LC_ALL and TZ of fixed values, and what was asked for besides.
 * - ARMPMU_PADDING is as long as it takes for argv[0] to have the same address.
 * - The loader of a program that needs a sysroot finds the sysroot's /etc/ld.so.cache, or an empty
 *   one, never the host's.
 * - The soft limit of the stack is 8 MiB: where QEMU puts the stack follows from it. All else that
 * is mapped has the place that QEMU chooses by itself (launch.c), the same on each host.
 *
 * AT_RANDOM follows from QEMU's -seed, the rest of the auxiliary vector from the processor and from
 * the file.
 *
 * Leaves out: the user's and group's numbers (AT_UID and others), the size of the host's pages,
 * which AArch64 programs have, whatever the program asks the system for (files, the time, a
 * terminal), the numbers of processes and threads, and the path that a dynamic program asks for. */
#ifndef QEMU_LAUNCHER_STABLE_H
#define QEMU_LAUNCHER_STABLE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "qemu/launcher/program.h"
#include "qemu/launcher/stable_folder.h"

#define STABLE_STACK_BYTES ((uint64_t)8 << 20)

struct stable {
    char folder[sizeof STABLE_FOLDER]; /* "": none was made */
    int lock;                          /* of it */
    char path[sizeof STABLE_FOLDER + sizeof "/program"];
    char root[sizeof STABLE_FOLDER + sizeof "/root"]; /* in place of the sysroot; "": none */
    char original[PATH_MAX];                          /* of the program's file */
    const char **argv, **environment; /* NULL-terminated; strings but one are borrowed */
    char *padding;
};

struct stable_request {
    const struct program *program;
    const char *sysroot;          /* "" for none */
    const char *const *argv;      /* the program's */
    const char *const *variables; /* "NAME=VALUE" in addition; NULL for none */
};

/* Fills in a zeroed stable; stable_remove in any case. Returns ARMPMU_OK, ARMPMU_NO_MEMORY or
 * ARMPMU_IO. */
ARMPMU_MUST_USE enum armpmu_status
stable_make(struct stable *stable, const struct stable_request *request, struct armpmu_error *err);
void stable_remove(struct stable *stable);

/* Names the file that code is from: the program's own in place of its copy. *path: NULL for none.
 * Returns false without memory. */
ARMPMU_MUST_USE bool stable_name_file(const struct stable *stable, char **path);

#endif
