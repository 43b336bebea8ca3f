/* The file that a program wants to execute: an Arm program, a script whose interpreter is one, or
 * a program of the host.
 *
 * Files are looked for in the sysroot first, as QEMU does for those that a program opens.
 * Leaves out: the rights that set-user-ID files give; file capabilities. */
#ifndef QEMU_PLUGIN_EXEC_TARGET_H
#define QEMU_PLUGIN_EXEC_TARGET_H

#include <limits.h>
#include <stdbool.h>

#define EXEC_SCRIPT_DEPTH 4 /* interpreters that are scripts, as Linux has it */
#define EXEC_LINE_BYTES   256

struct exec_target {
    char program[PATH_MAX];            /* the Arm program */
    char interpreter[EXEC_LINE_BYTES]; /* its dynamic loader, "" for none */
    /* Arguments from argv[0] on that come before the program's own, which then lose their first. */
    const char *before[3 * EXEC_SCRIPT_DEPTH];
    unsigned n_before;
    /* The memory that they point to. */
    char scripts[EXEC_SCRIPT_DEPTH][PATH_MAX];
    char lines[EXEC_SCRIPT_DEPTH][EXEC_LINE_BYTES];
};

/* sysroot: "" for none. False for what is no program of this target, or may not be executed. */
bool exec_target_find(const char *path, const char *sysroot, bool is_a64, struct exec_target *out);

#endif
