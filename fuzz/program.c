/* Fuzzes what is read of a file that should be a program for Linux, firmware, or a QEMU: whatever
 * the bytes, an answer or a message, never both, and the name of a loader that ends. The first byte
 * chooses the core. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unicorn/firmware_run.h"
#include "qemu/launcher/find.h"
#include "qemu/launcher/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void find(const char *path, const struct core_descriptor *core)
{
    struct program program;
    struct armpmu_error err = {""};
    const enum armpmu_status status = program_find(path, core, &program, &err);

    require((status == ARMPMU_OK) == !err.message[0]);
    require(strlen(program.interpreter) < sizeof program.interpreter);
    if (status == ARMPMU_OK && program.interpreter[0] != '\0') {
        char root[FIND_PATH_BYTES];
        struct armpmu_error why = {""};
        const enum armpmu_status found = find_sysroot(NULL, program.interpreter, root, &why);
        require((found == ARMPMU_OK) == !why.message[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const cores[] = {"cortex-a8", "cortex-r4f", "xscale1", "amuv1"};
    const struct core_descriptor *const core = core_descriptor_of(
        armpmu_core_find(cores[length > 0 ? bytes[0] % (sizeof cores / sizeof *cores) : 0]));
    const size_t size = length > 0 ? length - 1 : 0;
    const int file = memfd_create("program", 0);
    struct armpmu_error err = {""};
    char path[32];
    struct found_qemu qemu;

    require(core != NULL && file >= 0);
    require(write(file, bytes + (length > 0), size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    find(path, core);
    (void)engine_firmware_is(path);
    require((find_qemu(path, core, &qemu, &err) == ARMPMU_OK) == !err.message[0]);
    close(file);
    return 0;
}
