#include "machine/built_in.h"

#include <errno.h>
#include <string.h>

#include "armpmu/machine.h"

struct built_in_machine {
    const char *name;
    const unsigned char *text;
    size_t n_bytes;
};

#include "built_in_machines.h"

#define N_MACHINES (sizeof built_in_machines / sizeof built_in_machines[0])

const char *armpmu_machine_built_in(size_t index)
{
    return index < N_MACHINES ? built_in_machines[index].name : NULL;
}

FILE *built_in_open(const char *name)
{
    for (size_t i = 0; i < N_MACHINES; i++) {
        const struct built_in_machine *const machine = &built_in_machines[i];
        if (strcmp(machine->name, name) == 0)
            return fmemopen((void *)(uintptr_t)machine->text, machine->n_bytes, "r");
    }
    errno = ENOENT;
    return NULL;
}
