/* Fuzzes the reading of machine files: whatever the bytes, a machine or a message, never both. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    FILE *const file = length > 0 ? fmemopen((void *)(uintptr_t)bytes, length, "r") : NULL;
    struct armpmu_machine *machine = NULL;
    struct armpmu_error err = {""};

    if (file == NULL)
        return 0;
    const enum armpmu_status status = machine_read(file, "fuzz.ini", MACHINES, &machine, &err);
    if ((status == ARMPMU_OK) != (machine != NULL) || (status == ARMPMU_OK) != !err.message[0])
        abort();
    fclose(file);
    armpmu_machine_free(machine);
    return 0;
}
