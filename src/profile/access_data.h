/* Names of the data that a profile's accesses are to: symbols of ELF files, else their section;
 * blocks of memory by the call that got them; what an instruction accesses by the stack pointer is
 * its function's frame, and the stack of a thread lies where there are such; then the rest of the
 * heap; all else is mapped memory, arguments and environment.
 *
 * Leaves out: coroutines, whose stacks make one with that of their thread, unless that is too wide
 * to be one. Arguments that a function gets on the stack are in its caller's frame, but named as
 * its own. */
#ifndef PROFILE_ACCESS_DATA_H
#define PROFILE_ACCESS_DATA_H

#include <elfutils/libdwfl.h>

#include "profile/profile.h"

/* Names the accesses to a file that have no name yet. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status access_data_name(struct profile *profile, Dwfl_Module *module,
                                                    uint32_t object, uint64_t bias,
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
