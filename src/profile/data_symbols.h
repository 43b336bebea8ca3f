/* Names the regions where caches miss: by the symbol of an ELF file, of data or code, that covers
 * most bytes of the region, else by its section.
 *
 * Leaves out: stacks and mapped memory, which no file names; physical addresses. */
#ifndef PROFILE_DATA_SYMBOLS_H
#define PROFILE_DATA_SYMBOLS_H

#include <elfutils/libdwfl.h>

#include "profile/profile.h"

#define HEAP_MOST (UINT64_C(1) << 29) /* above a program: further up mappings begin */

/* Takes a section or a symbol of a file, with its place in memory, which is not empty. name is
 * borrowed until the module ends. Returns false to stop. */
typedef bool (*data_symbols_fn)(void *user, const char *name, bool is_section, uint64_t start,
                                uint64_t n_bytes);

/* Gives the sections of a file, then its symbols of data and functions, since literals lie among
 * code. bias: of its addresses in memory. Returns whether each
 * returned true to the end. */
bool data_symbols_each(Dwfl_Module *module, uint64_t bias, data_symbols_fn each, void *user);

/* Names the regions that the file lies in, if nothing has named them. object: its number; bias: of
 * its addresses in memory. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status data_symbols_name(struct profile *profile, Dwfl_Module *module,
                                                     uint32_t object, uint64_t bias,
                                                     struct armpmu_error *err);

/* Where the file ends in memory; 0 where it has nothing there, and of a library. */
uint64_t data_symbols_end(Dwfl_Module *module, uint64_t bias);

/* Names the heap of a program for Linux: what has no name, above its end in memory. */
ARMPMU_MUST_USE enum armpmu_status data_symbols_name_heap(struct profile *profile, uint64_t end,
                                                          struct armpmu_error *err);

#endif
