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

/* The program headers of this computer's programs; none where the file is no sound one. */
static const Elf64_Phdr *segments_of(const char *image, size_t size, size_t *n)
{
    const Elf64_Ehdr *const head = (const void *)image;

    *n = 0;
    if (size < sizeof *head || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_phoff > size ||
        head->e_phoff % sizeof(uint64_t) != 0 || head->e_phentsize != sizeof(Elf64_Phdr) ||
        head->e_phnum > (size - head->e_phoff) / sizeof(Elf64_Phdr))
        return NULL;
    *n = head->e_phnum;
    return (const void *)(image + head->e_phoff);
}

/* Looks for text everywhere but in code, which is half of QEMU; NULL where there is none. */
static const char *image_find(const char *image, size_t size, const char *text, size_t n_bytes)
{
    size_t from = 0, n;
    const Elf64_Phdr *const segments = segments_of(image, size, &n);

    for (size_t i = 0; i < n; i++) {
        const Elf64_Phdr *const code = &segments[i];
        if (code->p_type != PT_LOAD || (code->p_flags & PF_X) == 0 || code->p_offset < from ||
            code->p_offset > size || code->p_filesz > size - code->p_offset)
            continue;
        const char *const found = memmem(image + from, code->p_offset - from, text, n_bytes);
        if (found != NULL)
            return found;
        from = code->p_offset + code->p_filesz;
    }
    return memmem(image + from, size - from, text, n_bytes);
}

static bool image_holds(const char *image, size_t size, const char *text)
{
    return image_find(image, size, text, strlen(text) + 1) != NULL;
}

/* A QEMU that loads plugins exports their interface and is itself linked dynamically. What is no
 * ELF file (a wrapper script) gets the benefit of the doubt. */
static bool image_loads_plugins(const char *image, size_t size)
{
    static const char needed[] = "qemu_plugin_register_vcpu_tb_trans_cb";
    if (size < SELFMAG || memcmp(image, ELFMAG, SELFMAG) != 0)
        return true;
    return image_holds(image, size, needed);
}

/* A QEMU has the names of its processors in its file. */
static bool image_knows_cpu(const char *image, size_t size, const char *cpu)
{
    return size < SELFMAG || memcmp(image, ELFMAG, SELFMAG) != 0 || image_holds(image, size, cpu);
}

/* The file to look into: what a launcher of scripts/release starts, where it is one. */
static int open_image(const char *path)
{
    char started[FIND_PATH_BYTES + 8];

    snprintf(started, sizeof started, "%s.elf", path);
    const int fd = open(started, O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? fd : open(path, O_RDONLY | O_CLOEXEC);
}

/* MAP_FAILED, with errno, where it cannot be read. */
static char *map_image(const char *path, size_t *size)
{
    const int fd = open_image(path);
    struct stat file;
    void *image = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &file) == 0)
        image = mmap(NULL, *size = (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    const int cause = errno;
    if (fd >= 0)
        close(fd);
    errno = cause;
    return image;
}

static enum armpmu_status check_image(struct found_qemu *qemu, const struct core_emulator *emulator,
                                      struct armpmu_error *err)
{
    const char *const path = qemu->path;
    size_t size;
    char *const image = map_image(path, &size);

    if (image == MAP_FAILED)
        return fail(err, ARMPMU_BAD_CONFIG, "cannot read QEMU '%s': %s", path, strerror(errno));
    bool loads = image_loads_plugins(image, size);
    qemu->cpu = emulator->older_cpu == NULL || image_knows_cpu(image, size, emulator->cpu)
                    ? emulator->cpu
                    : emulator->older_cpu;
    munmap(image, size);
    if (loads)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "QEMU '%s' loads no plugins (Debian's does not from Debian 13 on): run "
                "scripts/setup of armpmu's sources, which builds one, or name another with --qemu "
                "or ARMPMU_QEMU",
                path);
}

bool find_qemu_version(const char *path, const char *name, char *version, size_t room)
{
    char sign[64];
    size_t size, n = 0;
    char *const image = map_image(path, &size);

    if (image == MAP_FAILED)
        return false;
    snprintf(sign, sizeof sign, "%s version ", name);
    const char *at = image_find(image, size, sign, strlen(sign));
    if (at != NULL)
        for (at += strlen(sign); at < image + size && (unsigned char)*at >= ' ' && n + 1 < room;
             at++)
            version[n++] = *at;
    version[n] = '\0';
    munmap(image, size);
    return n > 0;
}

/* A file in one of the folders where armpmu's own parts are: beside the running program, where an
 * installation that was moved has it, where it was installed. */
static bool find_own(const char *name, char *path)
{
    char folder[FIND_PATH_BYTES - 64] = "";
    const char *const below[] = {"", "/" PLUGIN_FROM_PROGRAM};

    for (size_t i = 0; own_folder(folder, sizeof folder) && i < sizeof below / sizeof *below; i++)
        if ((unsigned)snprintf(path, FIND_PATH_BYTES, "%s%s/%s", folder, below[i], name) <
                FIND_PATH_BYTES &&
            access(path, R_OK) == 0)
            return true;
    return (unsigned)snprintf(path, FIND_PATH_BYTES, ARMPMU_PLUGIN_DIR "/%s", name) <
               FIND_PATH_BYTES &&
           access(path, R_OK) == 0;
}

/* One that --qemu or ARMPMU_QEMU names: a file, or a name to look for in PATH. */
static bool find_named(const char *name, char *path)
{
    if (strchr(name, '/') == NULL)
        return path_search(name, path, FIND_PATH_BYTES) == ARMPMU_OK;
    return copy(path, name) && access(path, X_OK) == 0;
}

static bool find_unnamed(const char *name, struct found_qemu *qemu)
{
    char own[64];

    snprintf(own, sizeof own, "qemu/%s", name);
    qemu->reason = "armpmu's own";
    if (find_own(own, qemu->path))
        return true;
    qemu->reason = "the system's, since armpmu's own is not built (scripts/setup)";
    return find_named(name, qemu->path);
}

enum armpmu_status find_qemu(const char *wanted, const struct core_descriptor *core,
                             struct found_qemu *qemu, struct armpmu_error *err)
{
    const char *const variable = getenv("ARMPMU_QEMU");
    const char *const named = wanted != NULL ? wanted : variable;
    const char *const name = named != NULL ? named : core->emulator.qemu;
    bool is_there;

    if (named != NULL) {
        qemu->reason = wanted != NULL ? "named by --qemu" : "named by ARMPMU_QEMU";
        is_there = find_named(name, qemu->path);
    } else {
        is_there = find_unnamed(name, qemu);
    }
    if (!is_there)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "QEMU '%s' is not there or not executable: run scripts/setup of armpmu's "
                    "sources, which builds one, or name another with --qemu or ARMPMU_QEMU",
                    name);
    return check_image(qemu, &core->emulator, err);
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
    if (find_own(PLUGIN_NAME, path))
        return ARMPMU_OK;
    char folder[FIND_PATH_BYTES];
    own_folder(folder, sizeof folder);
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
                "/proc is not mounted (/proc/self/fd: %s): armpmu receives QEMU's records through "
                "it; mount it (mount -t proc proc /proc)",
                strerror(errno));
}

/* ---- sysroot ----------------------------------------------------------------------------------
 */

enum armpmu_status find_sysroot(const char *wanted, const char *interpreter, char *path,
                                struct armpmu_error *err)
{
    const char *const prefix = interpreter[0] != '\0' ? getenv("QEMU_LD_PREFIX") : NULL;
    const char *const place = wanted != NULL ? "sysroot" : "QEMU_LD_PREFIX";

    path[0] = '\0';
    if (wanted == NULL && prefix != NULL && prefix[0] != '\0')
        wanted = prefix;
    if (wanted != NULL) {
        if (!copy(path, wanted) || access(path, F_OK) != 0)
            return fail(err, ARMPMU_BAD_CONFIG, "%s '%s': %s", place, wanted, strerror(errno));
        if (interpreter[0] != '\0' && !sysroot_holds(wanted, interpreter))
            return fail(err, ARMPMU_BAD_CONFIG,
                        "%s '%s' does not contain the program's dynamic loader %s", place, wanted,
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
