/* Fuzzes what armpmu calibrate reads from a board: whatever the bytes, a message, or a machine file
 * that can be loaded. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/bench/machine_writer.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_file(char *text, size_t size)
{
    FILE *const file = fmemopen(text, size, "r");
    struct armpmu_machine *machine = NULL;
    struct armpmu_error err = {""};

    if (file == NULL || machine_read(file, "fuzz.ini", MACHINES, &machine, &err) != ARMPMU_OK)
        abort();
    fclose(file);
    armpmu_machine_free(machine);
}

static bool note(const char *format, ...)
{
    (void)format;
    return false;
}

static void write_file(const struct measurements *measured)
{
    char *text = NULL;
    size_t size = 0;
    struct armpmu_machine *base = NULL;
    FILE *const stream = open_memstream(&text, &size);

    if (stream == NULL || armpmu_machine_load("cortex-a8", MACHINES, &base, NULL) != ARMPMU_OK)
        abort();
    const struct machine_writer writer = {measured, "fuzz.txt", base, "cortex-a8",
                                          "fuzz",   stream,     note};
    (void)machine_write(&writer);
    fclose(stream);
    check_file(text, size);
    armpmu_machine_free(base);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    FILE *const file = length > 0 ? fmemopen((void *)(uintptr_t)bytes, length, "r") : NULL;
    struct measurements measured = {.n = 0};
    struct armpmu_error err = {""};

    if (file == NULL)
        return 0;
    const enum armpmu_status status = measurements_read(file, "fuzz.txt", &measured, &err);
    if ((status == ARMPMU_OK) != !err.message[0])
        abort();
    if (status == ARMPMU_OK)
        write_file(&measured);
    measurements_free(&measured);
    fclose(file);
    return 0;
}
