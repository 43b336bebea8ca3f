/* How much memory this process and its children may use: what the machine has, and what the control
 * groups (versions 1 and 2) of the process allow, each and its parents. */
#ifndef BASE_MEMORY_LIMITS_H
#define BASE_MEMORY_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

struct memory_limits {
    uint64_t limit;     /* bytes of the narrowest: the machine, a control group  */
    uint64_t available; /* bytes, of the one that has the fewest left ...        */
    uint64_t of;        /* ... out of this number ...                            */
    char where[256];    /* ... "the machine", "control group /a/b (memory.max)"  */
};

/* root: "" for this host; a folder in which proc/ and sys/ are looked for. What cannot be read
 * limits nothing: UINT64_MAX. */
void memory_limits_read(const char *root, struct memory_limits *out);

/* Tells if the kernel is about to kill for lack of memory. It looks at the limits of control
 * groups at which it does, not at the machine. *out is the group that has the fewest bytes left;
 * parts of files and free swap space count as left. Returns 0 when less than a small reserve is
 * left, else in how many nanoseconds to look again: sooner where less is left. */
uint64_t memory_watch(const char *root, struct memory_limits *out);

/* The memory that the blocks of a program may take (armpmu_code_limit): $ARMPMU_CODE_MEMORY in
 * bytes, else ARMPMU_CODE_BYTES, but at most an eighth of the host's limit and of the process's
 * own (RLIMIT_AS, RLIMIT_DATA). Returns ARMPMU_OK, or ARMPMU_BAD_CONFIG when the variable is no
 * number. */
ARMPMU_MUST_USE enum armpmu_status memory_for_code(size_t *out, struct armpmu_error *err);

#endif
