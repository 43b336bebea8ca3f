/* The members of structures that are accessed, by the types of DWARF.
 *
 * A variable at a fixed address has its type. An instruction that accesses by a register has the
 * type that a variable in this register points to. Blocks of memory have the type that the variable
 * points to which gets the allocation's result, or else the one that all typed accesses to them
 * agree on, if their sizes are multiples of its size. All else is not known.
 *
 * Members of a union, and bit fields that share bytes, are told apart by where an access begins and
 * how wide it is: all that it may be to are named, with '/'.
 *
 * Leaves out: pointers that lie in no register of their own, as without optimization; thread-local
 * variables. */
#ifndef PROFILE_DATA_TYPES_H
#define PROFILE_DATA_TYPES_H

#include <elfutils/libdwfl.h>

#include "profile/profile.h"

/* Gives members to the accesses to a file's variables, by its code, and to blocks that its code
 * got. object: its number; bias: of its addresses in memory. Returns ARMPMU_OK or ARMPMU_NO_MEMORY.
 */
ARMPMU_MUST_USE enum armpmu_status data_types_name(struct profile *profile, Dwfl_Module *module,
                                                   uint32_t object, uint64_t bias,
                                                   struct armpmu_error *err);

#endif
