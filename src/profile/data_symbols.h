/* Names of what lies where caches miss: the symbols of data and code of an ELF file that a region
 * holds most bytes of, else its section.
 *
 * Leaves out: stacks and mapped memory, which no file names; physical addresses. */
#ifndef PROFILE_DATA_SYMBOLS_H
#define PROFILE_DATA_SYMBOLS_H

#include <elfutils/libdwfl.h>

#include "profile/profile.h"

#define HEAP_MOST (UINT64_C(1) << 29) /* above a program: further up mappings begin */

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
