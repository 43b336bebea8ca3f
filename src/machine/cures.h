/* Places of the code in which a core model takes something for ideal:
 * CHOICE(cures). A machine has none, but for a replay of `armpmu whatif`. */
#ifndef MACHINE_CURES_H
#define MACHINE_CURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cure {
#define CURE(id, name, before, after, meaning) CURE_##id,
#include "machine/cures.def"
#undef CURE
    CURES
};

/* Instructions at addresses from begin to before end. */
struct cure_range {
    uint64_t begin, end;
};

struct cures {
    enum cure kind;
    uint32_t turns;                  /* of CURE_PREFETCH: how much earlier, 1 to CURE_TURNS_MAX */
    const struct cure_range *ranges; /* n_ranges, borrowed */
    size_t n_ranges;
};

#define CURE_TURNS_MAX 64u

/* Returns whether the instruction at an address is in the place. cures: NULL for none.
 */
static inline bool cures_have(const struct cures *cures, uint64_t address)
{
    for (size_t i = 0; cures != NULL && i < cures->n_ranges; i++)
        if (address >= cures->ranges[i].begin && address < cures->ranges[i].end)
            return true;
    return false;
}

/* The same where the place is cured in this way. */
static inline bool cures_by(const struct cures *cures, enum cure kind, uint64_t address)
{
    return cures != NULL && cures->kind == kind && cures_have(cures, address);
}

#endif
