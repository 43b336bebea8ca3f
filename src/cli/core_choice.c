#include "cli/core_choice.h"

#include "cli/commands.h"
#include "cli/machine_choice.h"

const struct armpmu_core *core_choice_by_machine(const char *option)
{
    struct armpmu_machine *machine = NULL;
    struct armpmu_error err;

    const enum armpmu_status status = machine_choice_load(option, NULL, &machine, &err);
    if (status == ARMPMU_NOT_FOUND && option == NULL) {
        /* The catalogue needs no machine files, and the default machine is called as its core. */
        const struct armpmu_core *const core = armpmu_core_find(machine_choice_name(NULL));
        if (core != NULL)
            return core;
    }
    if (status != ARMPMU_OK) {
        print_error("%s", err.message);
        return NULL;
    }
    const struct armpmu_core *const core = armpmu_machine_core(machine);
    armpmu_machine_free(machine);
    return core;
}
