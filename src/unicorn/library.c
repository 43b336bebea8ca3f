#include "unicorn/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "unicorn/firmware_run.h"

#define FILE_NAME        "libunicorn.so.2"
#define STATUS_OF_ARMPMU 125 /* the command's, when it failed itself */

static struct library library;
static bool loaded, is_inside;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define UNICORN(name, result, arguments) {"uc_" #name, offsetof(struct library, name)},
#include "unicorn/library.def"
#undef UNICORN
};

/* By their names in QEMU. */
static const struct {
    const char *name;
    int number;
} cpus[] = {
    {"arm926", UC_CPU_ARM_926},          {"arm946", UC_CPU_ARM_946},
    {"arm1026", UC_CPU_ARM_1026},        {"arm1136", UC_CPU_ARM_1136},
    {"arm1176", UC_CPU_ARM_1176},        {"arm11mpcore", UC_CPU_ARM_11MPCORE},
    {"cortex-r5", UC_CPU_ARM_CORTEX_R5}, {"cortex-r5f", UC_CPU_ARM_CORTEX_R5F},
    {"cortex-a7", UC_CPU_ARM_CORTEX_A7}, {"cortex-a8", UC_CPU_ARM_CORTEX_A8},
    {"cortex-a9", UC_CPU_ARM_CORTEX_A9}, {"cortex-a15", UC_CPU_ARM_CORTEX_A15},
    {"pxa250", UC_CPU_ARM_PXA250},       {"pxa255", UC_CPU_ARM_PXA255},
    {"pxa270", UC_CPU_ARM_PXA270},       {"cortex-a53", UC_CPU_ARM64_A53},
    {"cortex-a57", UC_CPU_ARM64_A57},    {"cortex-a72", UC_CPU_ARM64_A72},
    {"max", UC_CPU_ARM64_MAX},
};

int library_cpu(const char *name)
{
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++)
        if (strcmp(cpus[i].name, name) == 0)
            return cpus[i].number;
    return -1;
}

/* Where the library was found. */
static void tell_path(const struct library *lib, char *path, size_t size)
{
    Dl_info found;
    void *address;

    memcpy(&address, &lib->version, sizeof address);
    if (dladdr(address, &found) != 0 && found.dli_fname != NULL)
        snprintf(path, size, "%s", found.dli_fname);
}

enum armpmu_status engine_firmware_ready(struct engine_firmware_library *out,
                                         struct armpmu_error *err)
{
    const struct library *lib;
    const enum armpmu_status status = library_load(&lib, err);

    *out = (struct engine_firmware_library){.standing = NULL};
    if (status != ARMPMU_OK)
        return status;
    tell_path(lib, out->path, sizeof out->path);
    library_version_text(lib->number, out->version);
    out->standing =
        library_version_standing(lib->number) == LIBRARY_TESTED
            ? "armpmu is tested with this version"
            : "armpmu is not tested with this version, only with " LIBRARY_VERSIONS_TESTED;
    return status;
}

/* Where it has no memory left the library ends the process, with status 1. */
static void on_exit_of_library(void)
{
    static const char message[] = "armpmu: the Unicorn library gave up, for it has no memory left: "
                                  "raise the limit of address "
                                  "space (ulimit -v), or give firmware less (--ram)\n";

    if (!is_inside)
        return;
    fflush(NULL);
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    _exit(STATUS_OF_ARMPMU);
}

static enum armpmu_status refuse_version(struct armpmu_error *err)
{
    char version[LIBRARY_VERSION_TEXT];

    library_version_text(library.number, version);
    return fail(err, ARMPMU_BAD_CONFIG,
                FILE_NAME " is version %s of Unicorn, which armpmu cannot run firmware on: install "
                          "one of " LIBRARY_VERSIONS_TESTED " (Debian: libunicorn2)",
                version);
}

/* Another version may lack one of them: its number comes first. */
static enum armpmu_status find_functions(void *handle, struct armpmu_error *err)
{
    const char *missing = NULL;

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *const function = dlsym(handle, functions[i].name);
        missing = function == NULL ? functions[i].name : missing;
        memcpy((char *)&library + functions[i].offset, &function, sizeof function);
    }
    library.number = library.version != NULL ? library.version(NULL, NULL) : 0;
    if (library.number != 0 && library_version_standing(library.number) == LIBRARY_REFUSED)
        return refuse_version(err);
    return missing == NULL
               ? ARMPMU_OK
               : fail(err, ARMPMU_BAD_CONFIG,
                      FILE_NAME " has no %s: install one of Unicorn " LIBRARY_VERSIONS_TESTED,
                      missing);
}

enum armpmu_status library_load(const struct library **out, struct armpmu_error *err)
{
    *out = &library;
    if (loaded)
        return ARMPMU_OK;
    void *const handle = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *const reason = dlerror();
        return fail(err, ARMPMU_BAD_CONFIG,
                    "firmware runs on the Unicorn library, and " FILE_NAME " cannot be loaded "
                    "(%.200s): install it (Debian: libunicorn2), or raise the limit of address "
                    "space (ulimit -v) if there is one",
                    reason != NULL ? reason : "no reason given");
    }
    const enum armpmu_status status = find_functions(handle, err);
    if (status != ARMPMU_OK)
        return status;
    library.handle = handle;
    loaded = true;
    return atexit(on_exit_of_library) == 0 ? ARMPMU_OK : fail_no_memory(err, "the Unicorn library");
}

/* ---- memory -----------------------------------------------------------------------------------
 */

void library_enter(bool inside)
{
    is_inside = inside;
}

static void name_limit(int resource, const char *name, char *text, size_t size)
{
    struct rlimit limit;

    text[0] = '\0';
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        snprintf(text, size, ", %s is %llu KiB", name, (unsigned long long)limit.rlim_cur / 1024);
}

enum armpmu_status library_reserve(uint64_t n_bytes, const char *what, struct armpmu_error *err)
{
    char space[64], data[64];
    void *const probe =
        mmap(NULL, n_bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (probe != MAP_FAILED)
        return munmap(probe, n_bytes) == 0
                   ? ARMPMU_OK
                   : fail(err, ARMPMU_NO_MEMORY, "out of memory for %s", what);
    name_limit(RLIMIT_AS, "ulimit -v", space, sizeof space);
    name_limit(RLIMIT_DATA, "ulimit -d", data, sizeof data);
    return fail(
        err, ARMPMU_NO_MEMORY,
        "%s takes %llu MiB of address space, which the host does not provide%s%s: raise the "
        "limit by as much, or end other programs",
        what, (unsigned long long)(n_bytes >> 20), space, data);
}
