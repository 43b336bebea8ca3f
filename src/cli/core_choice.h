/* Which core, where a command works without a machine. */
#ifndef CLI_CORE_CHOICE_H
#define CLI_CORE_CHOICE_H

#include "armpmu/catalog.h"

/* The core of the machine that would run: the option's (NULL: none given), else that of
 * machine_choice_name(). Returns NULL after complaining. */
const struct armpmu_core *core_choice_by_machine(const char *option);

#endif
