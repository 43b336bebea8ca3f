/* The value of QEMU's -plugin. */
#ifndef QEMU_LAUNCHER_PLUGIN_OPTION_H
#define QEMU_LAUNCHER_PLUGIN_OPTION_H

struct plugin_argument {
    const char *key, *value; /* value NULL: left out */
};

/* "file=/usr/lib/armpmu-qemu.so,machine=cortex-a8": the arguments up to a key that is NULL. QEMU
 * takes a comma in a value for its end; two mean one. Freed by the caller; NULL without memory. */
char *plugin_option(const struct plugin_argument *arguments);

#endif
