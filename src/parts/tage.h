/* Branch prediction of a large core: direction by histories of several lengths (TAGE), targets by a
 * branch target buffer with smaller and faster ones in front of it, a table of indirect branches
 * and a return stack.
 *
 * CHOICE(amu-predictor): direction: a table of two-bit counters by address, and TAGE_TABLES
 * tables whose entries are found by address and a part of the path. The longest history that knows
 * the branch decides. A wrong answer of it is also learned with a longer history. With
 * `branch.history_bits` there are no such tables: a counter is found by the address and this number
 * of latest outcomes, xored (gshare), as in a small core.
 *
 * CHOICE(neoverse-path): the path is two bits for each of the latest `branch.history_branches`
 * taken branches, of any kind: it is shifted by two, and ten bits of the branch and its target, its
 * footprint, are xored into it. A branch that is not taken leaves it alone. The shortest
 * history has TAGE_SHORTEST branches; the lengths of the four are a geometric series.
 *
 * CHOICE(neoverse-targets): the set of the branch target buffer is that of the branch's aligned
 * 32 bytes, so it has room for as many branches of them as it has ways. The levels in front have
 * the latest taken branches, wherever they lie: their sets are a hash of the address. A branch that
 * any of them has is known.
 *
 * CHOICE(neoverse-indirect): an indirect branch has TAGE_TABLES tables of targets, found by the
 * same histories as directions. The longest that knows it decides, or else where it went last. With
 * `branch.history_bits` it has one table, found by the address and the latest indirect targets.
 *
 * Assumes: tage_see gets every branch once, when it is resolved, in program order; tables learn at
 * once. Conditional branches have a direction; returns take their target from the return stack,
 * other indirect branches from the indirect table, or else from where the branch is known. Does not
 * model: the time a prediction takes, predictions of the wrong path, a loop predictor. */
#ifndef PARTS_TAGE_H
#define PARTS_TAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "armpmu/status.h"
#include "base/match.h"
#include "machine/machine.h"
#include "parts/tag_array.h"

#define TAGE_TABLES      4
#define TAGE_STACK_MAX   64
#define TAGE_TARGET_BITS 12  /* of the history of indirect targets, without tables */
#define TAGE_SHORTEST    5   /* branches; as many as a footprint has pairs of bits */
#define TAGE_PATH_MAX    512 /* branches of the longest history that may be */
#define TAGE_PATH_PLACES (4 * TAGE_PATH_MAX)

/* A value for each table. */
typedef match_lanes tage_lanes;
_Static_assert(TAGE_TABLES * sizeof(uint32_t) == sizeof(tage_lanes), "a lane each");

/* An entry of a table with a history, in one word, so that the entries of all tables are compared
 * at once: its tag in the low 16 bits, and above it its state
 *  - 0..7: from 4 on taken; of a target 0..3: how often it was right
 *  - 0..3: how often it was right where a shorter history was wrong */
typedef uint32_t tage_entry;

#define TAGE_TAG          UINT32_C(0xffff)
#define TAGE_TAKEN_SHIFT  16
#define TAGE_USEFUL_SHIFT 19
#define TAGE_STATES       32

/* The histories, each xored into a prime number of bits, at least as many as an index has, and into
 * another one for tags: bit i of the path, of the newest branch first, is in bit i % bits. So the
 * turns of a loop of a few branches reach all bits. Both are in one word, that of the tag from
 * TAGE_TAG_SHIFT on. */
struct tage_folds {
    tage_lanes value;
    tage_lanes index_mask, upper; /* bits of the index, and of both but the lowest two of each */
    uint32_t index_bits, tag_bits;
    uint32_t index_down, tag_down; /* all but two of them */
};

#define TAGE_TAG_SHIFT 17 /* no fold of an index has more bits */

/* The part of an address in indexes, and in tags. */
struct tage_pair {
    tage_lanes index, tag;
};

/* Where the tables have a branch, or would have it. */
struct tage_places {
    tage_lanes entry; /* its number */
    tage_lanes tag;
};

/* Where a taken branch was known. */
enum tage_level { TAGE_NEAR, TAGE_MIDDLE, TAGE_FAR, TAGE_LEVELS };

/* Branches that were taken, with their targets. */
struct tage_targets {
    struct tag_array branches;
    uint64_t *targets; /* by slot; NULL: the predictor does not have this level */
};

/* Results that depend only on a branch's address and on the latest time that it was taken. A caller
 * keeps it, so that it is not worked out each time. Only tage_ functions look inside. */
struct tage_memo {
    struct tage_pair hash;         /* what the address gives to its places in the tables */
    uint8_t *base;                 /* its counter in the table by address, without history */
    uint64_t names[TAGE_LEVELS];   /* in the branch target buffer and in the others, plus 1... */
    uint32_t *latest[TAGE_LEVELS]; /* ...of the set of that... */
    uint32_t slots[TAGE_LEVELS];   /* ...and where it was known, should it still be there: */
    const uint64_t *held[TAGE_LEVELS], *far_target; /* what these slots hold */
    /* The latest, and that again of a branch that has its target in the instruction and is no call,
     * where there are tables. Its footprint, as it goes into the folds: */
    uint64_t target, plain_target;
    tage_lanes footprint;
    uint32_t older; /* and into the path of the branches before it, a byte each... */
    uint8_t newest; /* ...and its own */
};

/* Targets by histories: entries as of directions, each with a target. */
struct tage_goals {
    tage_entry *entries;
    uint64_t *targets;
    uint32_t bits; /* of the index of each table */
    uint32_t
        skip; /* 1: a wrong answer is learned from the table after the next on, 0: from it on */
};

/* A target without tables. */
struct tage_indirect {
    uint64_t branch; /* its address + 1, 0 for an empty entry */
    uint64_t target;
};

struct tage {
    uint8_t *base;
    uint32_t base_mask, base_history; /* of its address, and of outcomes: 0 with tables */
    tage_entry *entries;              /* of all tables, one after the other */
    tage_lanes first;                 /* entry of each */
    uint64_t history; /* without tables: outcomes of conditional branches, the newest in bit 0 */
    struct tage_folds folds;
    uint32_t index_bits;
    tage_lanes index_mask, tag_mask, tag_top; /* tag_mask: but for the lowest; top: above them */
    /* The change of an entry by an outcome, which [was taken], where a shorter history or the base
     * [foresees taken], by the entry's state. */
    tage_entry changes[2][2][TAGE_STATES];
    ptrdiff_t oldest[TAGE_TABLES]; /* minus the length of each history, in taken branches */
    /* Bits that leave the folds with the two bits of the branches that leave two histories. */
    tage_lanes leaves[TAGE_TABLES / 2][16];
    uint8_t path[TAGE_PATH_PLACES]; /* two bits each... */
    uint32_t newest;                /* ...up to the place of the latest branch */
    struct tage_places places;      /* of the conditional branch that was announced... */
    uint32_t known;                 /* ...and which tables have it, as tage_known says */
    uint64_t announced;             /* the address of that, UINT64_MAX for none */

    struct tage_targets levels[TAGE_LEVELS];
    enum tage_level level; /* the first that had the latest taken branch; TAGE_LEVELS: none */
    struct tage_goals goals;
    struct tage_indirect *indirect; /* without tables */
    uint32_t indirect_mask;
    uint32_t target_history;

    uint64_t stack[TAGE_STACK_MAX];
    uint32_t stack_size, stack_top, stack_used;
};

/* A branch that was executed. */
struct tage_branch {
    uint64_t address;
    uint64_t target; /* where it went, or would have: of a branch not taken, where known */
    bool conditional, taken;
    bool direct;    /* the target is in the instruction */
    bool is_return; /* takes the newest return address */
    bool links;     /* a call: leaves one */
};

enum tage_result {
    TAGE_RIGHT,
    TAGE_LATE,  /* right, but only the decoder knew that it is there, or where it goes */
    TAGE_WRONG, /* direction or target */
};

/* Makes one that has seen nothing, from the [branch] keys of the machine. It owns its tables,
 * tage_free releases them; after a failure there is nothing to release. Returns ARMPMU_OK,
 * ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status
tage_init(struct tage *tage, const struct armpmu_machine *machine, struct armpmu_error *err);

/* Releases what tage_init took. A zeroed or a freed one is fine. */
void tage_free(struct tage *tage);

/* The branch at an address. */
struct tage_memo tage_memo_of(const struct tage *tage, uint64_t address);

/* Where the tables have the branch of a memo after the path so far. */
static inline struct tage_places tage_places_of(const struct tage *tage,
                                                const struct tage_memo *memo)
{
    const tage_lanes folded = tage->folds.value & tage->folds.index_mask;

    return (struct tage_places){
        .entry = memo->hash.index ^ ((folded ^ folded >> tage->index_bits) & tage->index_mask),
        .tag = memo->hash.tag ^ (tage->folds.value >> (TAGE_TAG_SHIFT - 1) & tage->tag_mask),
    };
}

/* Which tables have a branch with these places: a bit each, the lowest for the longest history. */
static inline uint32_t tage_known(const tage_entry *entries, const struct tage_places *places)
{
    uint32_t numbers[TAGE_TABLES]; /* taking lanes out of a vector one by one takes longer */

    memcpy(numbers, &places->entry, sizeof numbers);
    const tage_lanes held = {entries[numbers[0]], entries[numbers[1]], entries[numbers[2]],
                             entries[numbers[3]]};

    return match_bits((tage_lanes)((held & TAGE_TAG) == places->tag));
}

/* Returns whether there are tables to ask. */
static inline bool tage_has_tables(const struct tage *tage)
{
    return tage->base_history == 0;
}

/* tage_see of a branch that was taken, and of one that was not. */
enum tage_result tage_see_taken(struct tage *tage, const struct tage_branch *branch,
                                struct tage_memo *memo);
enum tage_result tage_see_not_taken(struct tage *tage, const struct tage_branch *branch,
                                    const struct tage_memo *memo);

/* Announces the conditional branch that tage_see gets next, or none, where there are tables: they
 * are asked now, and the host waits for them while it does something else. */
static inline void tage_announce(struct tage *tage, uint64_t address, const struct tage_memo *memo)
{
    const struct tage_places places = tage_places_of(tage, memo);

    tage->announced = address;
    tage->places = places;
    tage->known = tage_known(tage->entries, &tage->places);
}

/* Predicts the branch, compares with what it did, and learns. memo: of its address. */
static inline enum tage_result tage_see(struct tage *tage, const struct tage_branch *branch,
                                        struct tage_memo *memo)
{
    return branch->taken ? tage_see_taken(tage, branch, memo)
                         : tage_see_not_taken(tage, branch, memo);
}

/* Returns whether no branch after the one at an address in its aligned 32 bytes is in the branch
 * target buffer. */
bool tage_is_alone(const struct tage *tage, uint64_t address);

#endif
