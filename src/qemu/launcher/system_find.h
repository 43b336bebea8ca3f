/* Finding a QEMU whose machines can have a monitor: version 11 or newer of qemu-system-arm. */
#ifndef QEMU_LAUNCHER_SYSTEM_FIND_H
#define QEMU_LAUNCHER_SYSTEM_FIND_H

#include "armpmu/status.h"
#include "qemu/launcher/find.h"

#define SYSTEM_QEMU_MAJOR 11u

/* The file that a person's word for QEMU means, FIND_PATH_BYTES of it: under PATH if there is no
 * '/' in it. Asks it for its version.
 * Returns ARMPMU_OK, ARMPMU_NOT_FOUND, ARMPMU_NOT_ALLOWED (not executable), ARMPMU_BAD_INPUT (not
 * QEMU) or ARMPMU_BAD_CONFIG (another QEMU, or too old a one). */
enum armpmu_status system_find_qemu(const char *name, char *path, struct armpmu_error *err);

#define SYSTEM_ANSWER_BYTES 256

/* The first line of what a QEMU answers to --version, SYSTEM_ANSWER_BYTES of it. Returns ARMPMU_OK,
 * ARMPMU_NO_MEMORY, ARMPMU_NOT_ALLOWED or ARMPMU_BAD_INPUT (it gives none). */
enum armpmu_status system_ask_version(const char *path, char *answer, struct armpmu_error *err);

#endif
