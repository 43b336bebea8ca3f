/* The stack of this process: libdw keeps arrays of 230 KB on it while it reads lines of a source,
 * and the kernel ends a process that has less. */
#ifndef BASE_OWN_STACK_H
#define BASE_OWN_STACK_H

#include "armpmu/status.h"

/* Raises a small soft limit, of the first thread and of its threads. Returns ARMPMU_OK, or
 * ARMPMU_NO_MEMORY where the hard limit is too small. */
ARMPMU_MUST_USE enum armpmu_status own_stack_grow(struct armpmu_error *err);

/* In the child, for exec: the limit of armpmu's caller. */
void own_stack_leave(void);

#endif
