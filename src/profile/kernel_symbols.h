/* The functions and variables of a Linux kernel and its modules, from a text file: System.map, or a
 * guest's copy of /proc/kallsyms.
 *
 *     c0101a34 T do_one_initcall
 *     bf000000 t cfi_probe	[cfi_cmdset_0001]
 *
 * Symbols have no sizes: each reaches to the next of its kind. */
#ifndef PROFILE_KERNEL_SYMBOLS_H
#define PROFILE_KERNEL_SYMBOLS_H

#include <stdbool.h>

#include "armpmu/status.h"
#include "profile/data_symbols.h"
#include "profile/object_symbols.h"

struct kernel_variable {
    struct code_symbol symbol;
    uint32_t module;
};

struct kernel_symbols {
    char *text;                  /* of the file; names point into it */
    struct code_symbol *symbols; /* by address */
    uint32_t *modules;           /* of each: a number; 0 the kernel itself */
    size_t n, room, modules_room;
    struct kernel_variable *variables; /* by address */
    size_t n_variables, variables_room;
    const char **names; /* of modules, from number 1 on */
    size_t n_names, names_room;
};

/* Fills zeroed symbols. is_64: the kernel's addresses must be of 64 bits. Returns ARMPMU_OK,
 * ARMPMU_NOT_FOUND, ARMPMU_BAD_INPUT (not such a file, cut off, of a kernel of the other size, or
 * one whose addresses were hidden), ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status kernel_symbols_read(const char *path, bool is_64,
                                                       struct kernel_symbols *out,
                                                       struct armpmu_error *err);
void kernel_symbols_free(struct kernel_symbols *symbols);

#define KERNEL_SYMBOLS_NONE UINT32_MAX

/* The module whose code an address is, 0 for the kernel's own, KERNEL_SYMBOLS_NONE for neither. */
uint32_t kernel_symbols_module(const struct kernel_symbols *symbols, uint64_t address);

/* Calls back for each variable of a module, or of the kernel, as data_symbols_each does. */
bool kernel_symbols_each_variable(const struct kernel_symbols *symbols, uint32_t module,
                                  data_symbols_fn each, void *user);

/* Gives an object the symbols of a module, or of the kernel. False without memory. */
bool kernel_symbols_load(const struct kernel_symbols *symbols, uint32_t module,
                         struct object_symbols *out);

#endif
