#include "qemu/launcher/find.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/own_path.h"
#include "base/paths.h"
#include "qemu/launcher/program.h"
#include "qemu/sysroot.h"

#define PLUGIN_NAME "armpmu-qemu.so"

static bool copy(char *path, const char *from)
{
    return (unsigned)snprintf(path, FIND_PATH_BYTES, "%s", from) < FIND_PATH_BYTES;
}

/* ---- QEMU -------------------------------------------------------------------------------------
 */

/* A QEMU that loads plugins exports their interface and is itself linked dynamically. What is no
 * ELF file (a wrapper script) gets the benefit of the doubt. */
static bool image_loads_plugins(const char *image, size_t size)
{
    static const char needed[] = "qemu_plugin_register_vcpu_tb_trans_cb";
    if (size < SELFMAG || memcmp(image, ELFMAG, SELFMAG) != 0)
        return true;
    return memmem(image, size, needed, sizeof needed) != NULL;
}

static enum armpmu_status check_plugins(const char *path, struct armpmu_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat file;
    void *image = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &file) == 0)
        image = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    int cause = errno;
    if (fd >= 0)
        close(fd);
    if (image == MAP_FAILED)
        return fail(err, ARMPMU_BAD_CONFIG, "cannot read QEMU '%s': %s", path, strerror(cause));
    bool loads = image_loads_plugins(image, (size_t)file.st_size);
    munmap(image, (size_t)file.st_size);
    if (loads)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "QEMU '%s' was built without plugins (so are all static ones): install Debian 12's "
                "package qemu-user, or name another with --qemu or ARMPMU_QEMU",
                path);
}

enum armpmu_status find_qemu(const char *wanted, const struct core_descriptor *core, char *path,
                             struct armpmu_error *err)
{
    if (wanted == NULL)
        wanted = getenv("ARMPMU_QEMU");
    bool by_path = wanted == NULL || strchr(wanted, '/') == NULL;
    const char *name = wanted != NULL ? wanted : core->emulator.qemu;
    if (by_path ? path_search(name, path, FIND_PATH_BYTES) != ARMPMU_OK
                : !copy(path, name) || access(path, X_OK) != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "QEMU '%s' is not there or not executable: apt install qemu-user, or name "
                    "another with --qemu or ARMPMU_QEMU",
                    name);
    return check_plugins(path, err);
}

/* ---- plugin -----------------------------------------------------------------------------------
 */

enum armpmu_status find_plugin(char *path, struct armpmu_error *err)
{
    const char *wanted = getenv("ARMPMU_PLUGIN");
    if (wanted != NULL) {
        if (copy(path, wanted) && access(path, R_OK) == 0)
            return ARMPMU_OK;
        return fail(err, ARMPMU_BAD_CONFIG, "ARMPMU_PLUGIN names '%s': %s", wanted,
                    strerror(errno));
    }
    char folder[FIND_PATH_BYTES - sizeof "/" PLUGIN_FROM_PROGRAM "/" PLUGIN_NAME];
    if (own_folder(folder, sizeof folder)) {
        snprintf(path, FIND_PATH_BYTES, "%s/" PLUGIN_NAME, folder);
        if (access(path, R_OK) == 0)
            return ARMPMU_OK;
        snprintf(path, FIND_PATH_BYTES, "%s/" PLUGIN_FROM_PROGRAM "/" PLUGIN_NAME, folder);
        if (access(path, R_OK) == 0)
            return ARMPMU_OK;
    }
    if (copy(path, ARMPMU_PLUGIN_DIR "/" PLUGIN_NAME) && access(path, R_OK) == 0)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                PLUGIN_NAME " is neither in %s%s%s nor in '" ARMPMU_PLUGIN_DIR
                            "': install armpmu again, or name it with ARMPMU_PLUGIN",
                folder[0] != '\0' ? "'" : "", folder[0] != '\0' ? folder : "armpmu's own folder",
                folder[0] != '\0' ? "'" : " (unknown: /proc is not mounted)");
}

enum armpmu_status find_proc(struct armpmu_error *err)
{
    if (access("/proc/self/fd", F_OK) == 0)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "/proc is not mounted (/proc/self/fd: %s): what QEMU records comes to armpmu that "
                "way; mount it (mount -t proc proc /proc)",
                strerror(errno));
}

/* ---- sysroot ----------------------------------------------------------------------------------
 */

enum armpmu_status find_sysroot(const char *wanted, const char *interpreter, char *path,
                                struct armpmu_error *err)
{
    path[0] = '\0';
    if (wanted != NULL) {
        if (!copy(path, wanted) || access(path, F_OK) != 0)
            return fail(err, ARMPMU_BAD_CONFIG, "sysroot '%s': %s", wanted, strerror(errno));
        if (interpreter[0] != '\0' && !sysroot_holds(wanted, interpreter))
            return fail(err, ARMPMU_BAD_CONFIG,
                        "sysroot '%s' does not hold the program's dynamic loader %s", wanted,
                        interpreter);
        return ARMPMU_OK;
    }
    if (interpreter[0] == '\0' || sysroot_holds("", interpreter))
        return ARMPMU_OK;
    const struct sysroot *const cross = sysroot_of_debian(interpreter);
    if (cross != NULL) {
        copy(path, cross->folder);
        if (sysroot_holds(path, interpreter))
            return ARMPMU_OK;
        return fail(err, ARMPMU_BAD_CONFIG,
                    "the program's dynamic loader %s is not in '%s': apt install %s, or name a "
                    "folder with Arm libraries with --sysroot",
                    interpreter, path, cross->package);
    }
    return fail(err, ARMPMU_BAD_CONFIG,
                "the program's dynamic loader %s is not on this computer: name a folder with its "
                "libraries with --sysroot",
                interpreter);
}
