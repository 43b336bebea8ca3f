/* Places in the code, or data, that a core model treats as ideal in one respect: CHOICE(cures). A
 * machine has none, but for a replay of `armpmu whatif`. */
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

/* Addresses from begin to before end. */
struct cure_range {
    uint64_t begin, end;
};

struct cures {
    enum cure kind;
    uint32_t turns; /* of CURE_PREFETCH: how much earlier, 1 to CURE_TURNS_MAX */
    /* Places of instructions: n_ranges, borrowed; in order, none overlap. */
    const struct cure_range *ranges;
    size_t n_ranges;
    /* Or they are of data, as are blocks of memory by the addresses that the calls return to which
     * get them. */
    bool of_data;
    const uint64_t *calls; /* n_calls, borrowed */
    size_t n_calls;
};

#define CURE_TURNS_MAX 64u

/* Returns whether a range has one of the addresses first to last. */
static inline bool cures_overlap(const struct cures *cures, uint64_t first, uint64_t last)
{
    size_t low = 0, high = cures->n_ranges;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (cures->ranges[middle].end <= first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cures->n_ranges && cures->ranges[low].begin <= last;
}

/* Returns whether a range has an address. */
static inline bool cures_reach(const struct cures *cures, uint64_t address)
{
    return cures_overlap(cures, address, address);
}

/* Returns whether the instruction at an address is in the place. cures: NULL for none. */
static inline bool cures_have(const struct cures *cures, uint64_t address)
{
    return cures != NULL && !cures->of_data && cures_reach(cures, address);
}

/* Returns whether CURE_CODE brings a line of some bytes into level 1, of which the code from start
 * to before end is fetched. */
static inline bool cures_fetch(const struct cures *cures, uint64_t start, uint64_t end,
                               uint64_t line, uint32_t bytes)
{
    const uint64_t first = start > line ? start : line;
    const uint64_t last = end < line + bytes ? end - 1 : line + bytes - 1;

    return cures != NULL && cures->kind == CURE_CODE && cures_overlap(cures, first, last);
}

/* cures_have where the place is cured in this way. */
static inline bool cures_by(const struct cures *cures, enum cure kind, uint64_t address)
{
    return cures != NULL && cures->kind == kind && cures_have(cures, address);
}

#endif
