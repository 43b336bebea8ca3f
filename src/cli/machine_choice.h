/* The choice of the machine, and the search for its file. */
#ifndef CLI_MACHINE_CHOICE_H
#define CLI_MACHINE_CHOICE_H

#include <stdbool.h>

#include "armpmu/catalog.h"
#include "armpmu/machine.h"
#include "armpmu/status.h"
#include "cli/options.h"

/* The machine to use: the option's (NULL: none given), else $ARMPMU_MACHINE, else the default. */
const char *machine_choice_name(const char *option);

/* The folders of machine files, ':'-separated: those of $ARMPMU_MACHINE_PATH, then the source
 * tree's for a binary in its build folder, then the installed ones. The caller frees it; NULL
 * without memory. */
char *machine_choice_search(void);

/* --set and --seed. */
struct machine_settings {
    struct option_list set;
    const char *seed; /* NULL: the machine's */
};

extern const struct option_row machine_setting_rows[];

#define MACHINE_SETTING_ROWS_TO(type, member)                                                      \
    {                                                                                              \
        OPTION_ROWS_TO(type, member, machine_setting_rows)                                         \
    }

/* Loads the chosen machine, changed by settings (NULL: none); *out is the caller's. Returns as
 * armpmu_machine_load. */
ARMPMU_MUST_USE enum armpmu_status machine_choice_load(const char *option,
                                                       const struct machine_settings *settings,
                                                       struct armpmu_machine **out,
                                                       struct armpmu_error *err);

/* The file of the chosen machine; the caller frees it. NULL when there is none, or no memory. */
char *machine_choice_file(const char *option);

/* The core of the chosen machine, for a command that works without one. Returns NULL after
 * complaining. */
const struct armpmu_core *machine_choice_core(const char *option);

#endif
