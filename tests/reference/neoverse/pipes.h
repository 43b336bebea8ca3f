/* Gives the instructions of a cycle vector pipes, by trying all assignments, and other units. */
#ifndef TESTS_REFERENCE_NEOVERSE_PIPES_H
#define TESTS_REFERENCE_NEOVERSE_PIPES_H

#include <stdbool.h>

#include "cores/neoverse/ooo_timing.h"

/* The pipes an instruction may use, as bits, when there are so many; 0: it needs none. */
static inline unsigned pipes_for(enum ooo_unit unit, unsigned n_pipes)
{
    const unsigned there = (1u << n_pipes) - 1;
    unsigned pipes = 0;
    switch (unit) {
    case UNIT_VECTOR:
        return there;
    case UNIT_V0:
        pipes = 1u << 0;
        break;
    case UNIT_V1:
        pipes = 1u << 1;
        break;
    case UNIT_V01:
        pipes = 1u << 0 | 1u << 1;
        break;
    case UNIT_V02:
        pipes = 1u << 0 | 1u << 2;
        break;
    case UNIT_V13:
        pipes = 1u << 1 | 1u << 3;
        break;
    default:
        return 0;
    }
    return (pipes & there) == 0 ? 1u : pipes & there;
}

/* Whether each of n instructions can have one of its pipes. */
static inline bool pipes_fit(const unsigned *pipes, unsigned n, unsigned given)
{
    if (n == 0)
        return true;
    for (unsigned left = pipes[n - 1] & ~given; left != 0; left &= left - 1)
        if (pipes_fit(pipes, n - 1, given | (left & -left)))
            return true;
    return false;
}

/* The instructions of a cycle that have pipes. */
struct given_pipes {
    unsigned n, pipes[8];
};

/* Whether an instruction fits in with them, then it is one of them. */
static inline bool pipes_give(struct given_pipes *given, unsigned pipes)
{
    if (pipes == 0)
        return true;
    if (given->n == 8)
        return false;
    given->pipes[given->n] = pipes;
    if (!pipes_fit(given->pipes, given->n + 1, 0))
        return false;
    given->n++;
    return true;
}

/* The kind of units that those of a kind are some of, or take as well; UNIT_NONE of those that are
 * by themselves. */
static inline enum ooo_unit unit_part_of(enum ooo_unit unit, const struct armpmu_machine *m)
{
    switch (unit) {
    case UNIT_M0:
        return UNIT_MULTICYCLE;
    case UNIT_MULTICYCLE:
        return m->units_multicycle_apart == YESNO_YES ? UNIT_NONE : UNIT_INTEGER;
    case UNIT_STORE:
        return m->units_store_takes_load == YESNO_YES ? UNIT_LOAD01 : UNIT_NONE;
    case UNIT_LOAD01:
        return UNIT_LOAD;
    default:
        return UNIT_NONE;
    }
}

/* Takes a unit of a kind, which is no vector pipe, out of those that are left; returns whether
 * there was one. */
static inline bool unit_take(unsigned left[OOO_UNITS], enum ooo_unit unit,
                             const struct armpmu_machine *m)
{
    for (enum ooo_unit kind = unit; kind != UNIT_NONE; kind = unit_part_of(kind, m))
        if (left[kind]-- == 0)
            return false;
    return true;
}

#endif
