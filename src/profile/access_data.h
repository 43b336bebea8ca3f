/* Names the data that a profile's accesses reach: symbols of ELF files, else their section; blocks
 * of memory by the call that got them; what an instruction accesses by the stack pointer is its
 * function's frame, and the stack of a thread lies where there are such; then the rest of the heap;
 * all else is mapped memory, arguments and environment.
 *
 * Leaves out: coroutines, whose stacks make one with that of their thread, unless that is too wide
 * to be one. Arguments that a function gets on the stack are in its caller's frame, but named as
 * its own. */
#ifndef PROFILE_ACCESS_DATA_H
#define PROFILE_ACCESS_DATA_H

#include <elfutils/libdwfl.h>

#include "profile/kernel_symbols.h"
#include "profile/profile.h"

/* Where data has names. */
struct access_data_source {
    Dwfl_Module *module; /* a file, or NULL: */
    const struct kernel_symbols *kernel;
    uint32_t kernel_module;
    uint32_t object;
    uint64_t bias;
    uint32_t process; /* whose accesses it names; PROFILE_NONE: those of all */
};

/* Names the accesses to its data that have no name yet. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status access_data_name(struct profile *profile,
                                                    const struct access_data_source *source,
                                                    struct armpmu_error *err);

/* Names the accesses that have no name yet, of a program for Linux. end: where the program ends in
 * memory; next: where the next file above it begins, UINT64_MAX if there is none. */
ARMPMU_MUST_USE enum armpmu_status access_data_name_rest(struct profile *profile, uint64_t end,
                                                         uint64_t next, struct armpmu_error *err);

/* The same for firmware or a machine, where only devices and stacks have names: a page of device
 * memory that of its address. */
ARMPMU_MUST_USE enum armpmu_status access_data_name_system(struct profile *profile,
                                                           struct armpmu_error *err);

#endif
