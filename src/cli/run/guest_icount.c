#include "cli/run/guest_devices.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cli/commands.h"

/* True for this option of QEMU's, which takes one '-' or two. */
static bool is_option(const char *argument, const char *name)
{
    if (argument[0] != '-')
        return false;
    return strcmp(argument + 1 + (argument[1] == '-'), name) == 0;
}

static bool has(const char *const *argv, const char *name)
{
    while (*argv != NULL && !is_option(*argv, name))
        argv++;
    return *argv != NULL;
}

/* True when one of the options -M and -machine, which may be repeated, says so. */
static bool machine_says(const char *const *argv, const char *word)
{
    for (; argv[0] != NULL && argv[1] != NULL; argv++)
        if ((is_option(argv[0], "M") || is_option(argv[0], "machine")) &&
            strstr(argv[1], word) != NULL)
            return true;
    return false;
}

void guest_icount_warn(const char *const *argv)
{
    const bool random_tree = machine_says(argv, "virt") && !has(argv, "dtb") &&
                             !machine_says(argv, "dtb-randomness=off");
    const bool seedless = !has(argv, "seed");

    if (has(argv, "icount") && (random_tree || seedless))
        print_error("warning: -icount: two runs may differ, because QEMU gives the machine "
                    "different random numbers each time; add %s%s%s",
                    random_tree ? "-M virt,dtb-randomness=off" : "",
                    random_tree && seedless ? " and " : "", seedless ? "-seed N" : "");
}
