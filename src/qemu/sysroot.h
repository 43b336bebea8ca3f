/* Where Debian has the libraries of Arm programs. Used by armpmu and inside QEMU. */
#ifndef QEMU_SYSROOT_H
#define QEMU_SYSROOT_H

#include <stdbool.h>

struct sysroot {
    const char *interpreter, *folder, *package;
};

bool sysroot_holds(const char *root, const char *file);

/* Debian's folder and package for a dynamic loader, NULL where it is not known. */
const struct sysroot *sysroot_of_debian(const char *interpreter);

#endif
