#include "qemu/sysroot.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool sysroot_holds(const char *root, const char *file)
{
    char path[PATH_MAX];
    return (unsigned)snprintf(path, sizeof path, "%s%s", root, file) < sizeof path &&
           access(path, F_OK) == 0;
}

const struct sysroot *sysroot_of_debian(const char *interpreter)
{
    static const struct sysroot cross[] = {
        {"ld-linux-armhf.so", "/usr/arm-linux-gnueabihf", "libc6-armhf-cross"},
        {"ld-linux.so", "/usr/arm-linux-gnueabi", "libc6-armel-cross"},
        {"ld-linux-aarch64.so", "/usr/aarch64-linux-gnu", "libc6-arm64-cross"},
    };
    for (size_t i = 0; i < sizeof cross / sizeof cross[0]; i++)
        if (strstr(interpreter, cross[i].interpreter) != NULL)
            return &cross[i];
    return NULL;
}
