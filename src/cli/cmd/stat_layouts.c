#include "cli/cmd/stat_layouts.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/machine_choice.h"

#define INSN_BYTES 4u
#define OFFSETS    9u /* 0 to 8 instructions: more is another line, as one of fewer is */

uint64_t stat_layout_offset(unsigned run)
{
    return INSN_BYTES * (run % OFFSETS);
}

enum armpmu_status stat_layout_machine(const struct stat_options *options,
                                       const struct armpmu_machine *chosen, unsigned run,
                                       struct armpmu_machine **out, struct armpmu_error *err)
{
    const char *const first = armpmu_machine_value(chosen, "random.seed");
    struct machine_settings settings = options->settings;
    char seed[24];

    snprintf(seed, sizeof seed, "%llu", (first != NULL ? strtoull(first, NULL, 0) : 0) + run);
    settings.seed = seed;
    return machine_choice_load(options->machine, &settings, out, err);
}
