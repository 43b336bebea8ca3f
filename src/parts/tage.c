#include "parts/tage.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"

#define TARGET_MASK ((1u << TAGE_TARGET_BITS) - 1)
#define NO_TARGET   UINT64_MAX /* no branch has this target */
#define NO_ENTRY    UINT32_MAX /* of no table */
#define MOSTLY      4          /* of 0..7: taken from here on */

/* What a counter of two bits, of three bits becomes after [an outcome]. */
static const uint8_t learned4[2][4] = {{0, 0, 1, 2}, {1, 2, 3, 3}};
static const uint8_t learned8[2][8] = {{0, 0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 7}};

/* Of each table with a history; a few that nothing fills where there are none. */
static uint32_t entries_of(const struct armpmu_machine *machine)
{
    return machine->branch_history_bits == 0 ? machine->branch_table_entries : 64;
}

/* The tables of all histories together have branch.indirect_entries, each at least one. */
static bool take_targets(struct tage *tage, const struct armpmu_machine *machine)
{
    struct tage_goals *const goals = &tage->goals;

    if (tage->base_history != 0) {
        tage->indirect = calloc(machine->branch_indirect_entries, sizeof *tage->indirect);
        return tage->indirect != NULL;
    }
    while (2u * TAGE_TABLES << goals->bits <= machine->branch_indirect_entries)
        goals->bits++;
    goals->entries = calloc(TAGE_TABLES << goals->bits, sizeof *goals->entries);
    goals->targets = calloc(TAGE_TABLES << goals->bits, sizeof *goals->targets);
    return goals->entries != NULL && goals->targets != NULL;
}

static bool take_tables(struct tage *tage, const struct armpmu_machine *machine)
{
    const size_t entries = entries_of(machine);

    tage->base = malloc(machine->branch_base_counters);
    if (tage->base == NULL || !take_targets(tage, machine))
        return false;
    memset(tage->base, 1, machine->branch_base_counters); /* weakly not taken */
    for (unsigned table = 0; table < TAGE_TABLES; table++)
        tage->first[table] = (uint32_t)(table * entries);
    tage->entries = calloc(TAGE_TABLES * entries, sizeof *tage->entries);
    return tage->entries != NULL;
}

/* The same number for each table. */
static inline tage_lanes each(uint32_t number)
{
    return (tage_lanes){number, number, number, number};
}

/* Returns the least of these primes that is not below index_bits. */
static uint32_t fold_bits(uint32_t index_bits)
{
    return index_bits <= 7 ? 7 : index_bits <= 11 ? 11 : index_bits <= 13 ? 13 : 17;
}

/* Returns the largest number whose third power is at most `power`. */
static uint32_t cube_root(uint64_t power)
{
    uint32_t root = 0;

    while ((uint64_t)(root + 1) * (root + 1) * (root + 1) <= power)
        root++;
    return root;
}

/* The longest first: who knows a branch is a bit each, and the lowest one decides. */
static void choose_lengths(struct tage *tage, uint64_t longest)
{
    tage->lengths[0] = (uint32_t)longest;
    tage->lengths[1] = cube_root(longest * longest * TAGE_SHORTEST);
    tage->lengths[2] = cube_root(longest * TAGE_SHORTEST * TAGE_SHORTEST);
    tage->lengths[3] = TAGE_SHORTEST;
}

static struct tage_folds no_history(uint32_t bits)
{
    const uint32_t top = UINT32_C(1) << bits;
    return (struct tage_folds){.bits = bits, .mask = each(top - 1), .top = each(top)};
}

/* Where the two bits of a branch are in a fold when it leaves the history of a table. */
static uint32_t leaves_fold(const struct tage *tage, unsigned table, uint32_t two, uint32_t bits)
{
    const uint32_t age = 2 * tage->lengths[table];

    return (two & 1) << age % bits | two >> 1 << (age + 1) % bits;
}

static void make_leaves(struct tage *tage)
{
    for (unsigned table = 0; table < TAGE_TABLES; table++)
        for (uint32_t bits = 0; bits < 16; bits++) {
            struct tage_pair *const leaves = &tage->leaves[table / 2][bits];
            const uint32_t two = bits >> table % 2 * 2 & 3;
            leaves->index[table] = leaves_fold(tage, table, two, tage->index.bits);
            leaves->tag[table] = leaves_fold(tage, table, two, tage->tag.bits);
        }
}

static enum armpmu_status make_level(struct tage_targets *level, uint32_t entries, uint32_t ways,
                                     enum machine_replacement policy, struct armpmu_error *err)
{
    const enum armpmu_status status =
        tag_array_init(&level->branches, entries / ways, ways, policy, 0, err);

    if (status != ARMPMU_OK)
        return status;
    level->targets = calloc(entries, sizeof *level->targets);
    return level->targets != NULL ? ARMPMU_OK : fail_no_memory(err, "a branch predictor");
}

/* One in front of the branch target buffer, in sets of four to seven. Silicon has them in one. */
static enum armpmu_status make_front_level(struct tage_targets *level, uint32_t entries,
                                           struct armpmu_error *err)
{
    uint32_t ways = entries;

    while (ways >= 8 && ways % 2 == 0)
        ways /= 2;
    return entries == 0 ? ARMPMU_OK : make_level(level, entries, ways, REPLACEMENT_LRU, err);
}

static enum armpmu_status make_levels(struct tage *tage, const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    struct tage_targets *const levels = tage->levels;
    enum armpmu_status status = make_level(&levels[TAGE_FAR], machine->branch_btb_entries,
                                           machine->branch_btb_ways, REPLACEMENT_ROUND_ROBIN, err);

    if (status == ARMPMU_OK)
        status = make_front_level(&levels[TAGE_NEAR], machine->branch_near_entries, err);
    if (status == ARMPMU_OK)
        status = make_front_level(&levels[TAGE_MIDDLE], machine->branch_middle_entries, err);
    return status;
}

enum armpmu_status tage_init(struct tage *tage, const struct armpmu_machine *machine,
                             struct armpmu_error *err)
{
    *tage = (struct tage){0};
    enum armpmu_status status = make_levels(tage, machine, err);

    tage->base_mask = machine->branch_base_counters - 1;
    tage->base_history = (UINT32_C(1) << machine->branch_history_bits) - 1;
    tage->newest = TAGE_PATH_MAX - 1;
    tage->index_bits = (uint32_t)__builtin_ctz(entries_of(machine));
    choose_lengths(tage, machine->branch_history_branches);
    tage->index_mask = each(entries_of(machine) - 1);
    tage->index = no_history(fold_bits(tage->index_bits));
    tage->tag = no_history(tage->index.bits == 13 ? 11 : 13);
    make_leaves(tage);
    tage->announced = UINT64_MAX;
    tage->indirect_mask = machine->branch_indirect_entries - 1;
    tage->stack_size = machine->branch_return_stack;
    if (status == ARMPMU_OK && !take_tables(tage, machine))
        status = fail_no_memory(err, "a branch predictor");
    if (status != ARMPMU_OK)
        tage_free(tage);
    return status;
}

void tage_free(struct tage *tage)
{
    for (unsigned i = 0; i < TAGE_LEVELS; i++) {
        tag_array_free(&tage->levels[i].branches);
        free(tage->levels[i].targets);
    }
    free(tage->base);
    free(tage->indirect);
    free(tage->goals.entries);
    free(tage->goals.targets);
    free(tage->entries);
    *tage = (struct tage){0};
}

/* ---- direction ---- */

static struct tage_pair hash_of(const struct tage *tage, uint64_t address)
{
    const struct tage_folds *const tag = &tage->tag;
    const uint64_t word = address >> 2, upper = word >> (tage->index_bits - (TAGE_TABLES - 1));
    const tage_lanes shifted = {(uint32_t)upper, (uint32_t)(upper >> 1), (uint32_t)(upper >> 2),
                                (uint32_t)(upper >> 3)};

    /* A tag is never 0, so that an entry nobody wrote belongs to no branch. */
    return (struct tage_pair){
        .index = ((each((uint32_t)word) ^ shifted) & tage->index_mask) + tage->first,
        .tag = (each((uint32_t)(word ^ word >> tag->bits)) & tag->mask) | tag->top,
    };
}

/* What a taken branch leaves in the path: bits of its address and of its target, as measured on a
 * Neoverse V3. */
static uint32_t footprint_of(uint64_t address, uint64_t target)
{
    const uint32_t from = (uint32_t)(address >> 2), to = (uint32_t)target;

    return ((from ^ (from >> 10 & 0x3f) << 4) & 0x3ff) ^ (to >> 7 & 0x1f) ^ (to >> 2 & 7) << 5 ^
           (to >> 6 & 1) << 9;
}

/* The branch goes elsewhere than the latest time. */
static OUT_OF_LINE void aim(const struct tage *tage, struct tage_memo *memo,
                            const struct tage_branch *branch)
{
    const uint32_t footprint = footprint_of(branch->address, branch->target);
    uint8_t older[TAGE_SHORTEST - 1];

    for (unsigned age = 1; age < TAGE_SHORTEST; age++)
        older[TAGE_SHORTEST - 1 - age] = footprint >> 2 * age & 3;
    memcpy(&memo->older, older, sizeof older);
    memo->newest = footprint & 3;
    memo->footprint.index = each(footprint ^ footprint >> tage->index.bits);
    memo->footprint.tag = each(footprint ^ footprint >> tage->tag.bits);
    memo->target = branch->target;
}

/* leaves, enters: what the branch that leaves each history, and this one, have in the folds. */
static inline void shift_folds(struct tage_folds *folds, tage_lanes leaves, tage_lanes enters)
{
    const tage_lanes turned = folds->value << 2 | folds->value >> (folds->bits - 2);

    folds->value = (turned ^ leaves ^ enters) & folds->mask;
}

/* All places are taken: the latest branches move to the first ones. */
static OUT_OF_LINE void move_path(struct tage *tage)
{
    memmove(tage->path, &tage->path[TAGE_PATH_PLACES - TAGE_PATH_MAX], TAGE_PATH_MAX);
    tage->newest = TAGE_PATH_MAX;
}

/* A taken branch becomes part of the path. */
static inline void remember_taken(struct tage *tage, const struct tage_memo *memo)
{
    if (unlikely(++tage->newest == TAGE_PATH_PLACES))
        move_path(tage);
    uint8_t *const place = &tage->path[tage->newest];
    const struct tage_pair *const first =
        &tage->leaves[0][place[-(ptrdiff_t)tage->lengths[0]] | place[-(ptrdiff_t)tage->lengths[1]]
                                                                   << 2];
    const struct tage_pair *const second =
        &tage->leaves[1][place[-(ptrdiff_t)tage->lengths[2]] | place[-(ptrdiff_t)tage->lengths[3]]
                                                                   << 2];
    uint32_t older;

    memcpy(&older, place - sizeof older, sizeof older);
    older ^= memo->older;
    memcpy(place - sizeof older, &older, sizeof older);
    *place = memo->newest;
    shift_folds(&tage->index, first->index ^ second->index, memo->footprint.index);
    shift_folds(&tage->tag, first->tag ^ second->tag, memo->footprint.tag);
    tage->announced = UINT64_MAX;
}

_Static_assert(sizeof(uint32_t) == TAGE_SHORTEST - 1, "a byte for each older branch");

/* What the tables say about a branch. */
struct answer {
    unsigned table;      /* the longest history that knows it, TAGE_TABLES for the base: decides */
    bool taken, shorter; /* the answer, and that of the next shorter history */
};

static inline uint8_t *base_of(const struct tage *tage, uint64_t address)
{
    return &tage->base[(address >> 2 ^ (tage->history & tage->base_history)) & tage->base_mask];
}

/* Returns a bit for each table that knows the branch with these places. */
static inline uint32_t knowing(const struct tage_entry *entries, const struct tage_places *places)
{
    uint32_t knows = 0;

    for (unsigned table = 0; table < TAGE_TABLES; table++)
        knows |= (uint32_t)(entries[places->entry[table]].tag == places->tag[table]) << table;
    return knows;
}

static inline struct answer ask(const struct tage *tage, uint64_t address)
{
    const struct tage_places *places = &tage->places;
    const struct tage_entry *entries = tage->entries;
    const bool base = *base_of(tage, address) > 1;
    const uint32_t knows = knowing(entries, places);

    if (knows == 0)
        return (struct answer){TAGE_TABLES, base, base};
    const unsigned longest = (unsigned)__builtin_ctz(knows);
    const uint32_t others = knows & (knows - 1);
    const bool shorter =
        others == 0 ? base : entries[places->entry[__builtin_ctz(others)]].taken >= MOSTLY;
    return (struct answer){longest, entries[places->entry[longest]].taken >= MOSTLY, shorter};
}

/* A wrong answer: the shortest of the longer histories with an entry of no use learns the branch.
 * Where all are of use, all become a little less so. Returns the entry's number, or NO_ENTRY. */
static OUT_OF_LINE uint32_t learn_longer(struct tage_entry *entries,
                                         const struct tage_places *places, unsigned table,
                                         uint8_t taken)
{
    for (unsigned longer = table; longer-- > 0;) {
        struct tage_entry *entry = &entries[places->entry[longer]];
        if (entry->useful != 0)
            continue;
        *entry = (struct tage_entry){.tag = (uint16_t)places->tag[longer], .taken = taken};
        return places->entry[longer];
    }
    for (unsigned longer = table; longer-- > 0;)
        entries[places->entry[longer]].useful--;
    return NO_ENTRY;
}

/* Returns what was predicted. */
static inline bool see_direction(struct tage *tage, uint64_t address, bool taken,
                                 const struct tage_memo *memo)
{
    if (unlikely(tage->announced != address))
        tage_announce(tage, address, memo);
    const struct answer answer = ask(tage, address);

    if (answer.table == TAGE_TABLES) {
        uint8_t *const base = base_of(tage, address);
        *base = learned4[taken][*base];
    } else {
        struct tage_entry *entry = &tage->entries[tage->places.entry[answer.table]];
        entry->taken = learned8[taken][entry->taken];
        if (answer.taken != answer.shorter)
            entry->useful = learned4[answer.taken == taken][entry->useful];
    }
    if (unlikely(answer.taken != taken && tage->base_history == 0))
        (void)learn_longer(tage->entries, &tage->places, answer.table, taken ? MOSTLY : MOSTLY - 1);
    tage->history = tage->history << 1 | taken;
    return answer.taken;
}

/* ---- targets ---- */

static void push_return(struct tage *tage, uint64_t address)
{
    if (tage->stack_size == 0)
        return;
    tage->stack[tage->stack_top] = address;
    if (++tage->stack_top == tage->stack_size)
        tage->stack_top = 0;
    if (tage->stack_used < tage->stack_size)
        tage->stack_used++;
}

/* The newest return address, or NO_TARGET where none is left. */
static uint64_t pop_return(struct tage *tage)
{
    if (tage->stack_used == 0)
        return NO_TARGET;
    tage->stack_used--;
    tage->stack_top = (tage->stack_top == 0 ? tage->stack_size : tage->stack_top) - 1;
    return tage->stack[tage->stack_top];
}

/* Names of branches. In the branch target buffer: their aligned 32 bytes below, their place in them
 * above. In the others: all bits of the address have a part in those that choose the set. */
static inline uint64_t far_name(uint64_t address)
{
    return address >> 5 | address >> 2 << 61;
}

static inline uint64_t near_name(uint64_t address)
{
    return __builtin_bswap64((address >> 2) * UINT64_C(0x9e3779b97f4a7c15)) & (UINT64_MAX >> 1);
}

/* Returns whether a level knew the branch; *target is what it knew. Then it knows it, in *slot. */
static inline bool see_in(struct tage_targets *level, uint64_t name, uint32_t *slot, uint64_t goes,
                          uint64_t *target)
{
    struct tag_array *const branches = &level->branches;
    bool known = true;
    uint64_t victim;

    if (unlikely(!tag_array_hits_again(branches, *slot, name))) {
        *slot = tag_array_lookup(branches, name);
        known = *slot != TAG_ARRAY_NO_SLOT;
        if (!known)
            *slot = tag_array_fill(branches, name, &victim);
    }
    if (known)
        *target = level->targets[*slot];
    level->targets[*slot] = goes;
    return known;
}

/* The same of all levels. */
static inline bool see_in_levels(struct tage *tage, struct tage_memo *memo, uint64_t goes,
                                 uint64_t *target)
{
    struct tage_targets *const levels = tage->levels;

    tage->level = TAGE_LEVELS;
    if (see_in(&levels[TAGE_FAR], memo->far_name, &memo->slots[TAGE_FAR], goes, target))
        tage->level = TAGE_FAR;
    for (unsigned i = TAGE_FAR; i-- > 0;)
        if (levels[i].targets != NULL &&
            see_in(&levels[i], memo->near_name, &memo->slots[i], goes, target))
            tage->level = i;
    return tage->level != TAGE_LEVELS;
}

struct tage_memo tage_memo_of(const struct tage *tage, uint64_t address)
{
    return (struct tage_memo){.hash = hash_of(tage, address),
                              .far_name = far_name(address),
                              .near_name = near_name(address),
                              .target = NO_TARGET};
}

bool tage_is_alone(const struct tage *tage, uint64_t address)
{
    const struct tag_array *const btb = &tage->levels[TAGE_FAR].branches;
    const uint64_t name = far_name(address);
    const uint64_t *const names = &btb->names[(size_t)tag_array_set(btb, name) * btb->ways];

    for (uint32_t way = 0; way < btb->ways; way++)
        if ((names[way] - 1) << 3 == name << 3 && names[way] - 1 > name)
            return false;
    return true;
}

/* Without tables: the latest targets are the history. */
static uint64_t see_after_targets(struct tage *tage, const struct tage_branch *branch,
                                  uint64_t guess)
{
    const uint64_t hash = branch->address >> 2 ^ tage->target_history;
    struct tage_indirect *entry = &tage->indirect[hash & tage->indirect_mask];

    if (entry->branch == branch->address + 1)
        guess = entry->target;
    *entry = (struct tage_indirect){branch->address + 1, branch->target};
    tage->target_history =
        (tage->target_history << 2 ^ (uint32_t)(branch->target >> 2)) & TARGET_MASK;
    return guess;
}

/* Where the tables of targets have the branch: its places in those of directions, in as many bits
 * as these have. */
static struct tage_places goal_places(const struct tage *tage, const struct tage_memo *memo)
{
    const struct tage_goals *const goals = &tage->goals;
    struct tage_places places = tage_places_of(tage, memo);

    places.entry = (places.entry - tage->first) ^ places.tag << tage->index_bits;
    places.entry ^= places.entry >> goals->bits;
    places.entry &= each((UINT32_C(1) << goals->bits) - 1);
    for (unsigned table = 0; table < TAGE_TABLES; table++)
        places.entry[table] |= table << goals->bits;
    return places;
}

/* A target that was wrong as often as it was right gives way. */
static void learn_target(struct tage_goals *goals, uint32_t number, uint64_t goes)
{
    struct tage_entry *const entry = &goals->entries[number];
    const bool right = goals->targets[number] == goes;

    if (!right && entry->taken == 0)
        goals->targets[number] = goes;
    entry->taken = learned4[right][entry->taken];
}

static OUT_OF_LINE uint64_t see_after_path(struct tage *tage, const struct tage_memo *memo,
                                           uint64_t goes, uint64_t guess)
{
    struct tage_goals *const goals = &tage->goals;
    const struct tage_places places = goal_places(tage, memo);
    const uint32_t knows = knowing(goals->entries, &places), others = knows & (knows - 1);
    unsigned table = TAGE_TABLES;

    if (others != 0)
        guess = goals->targets[places.entry[__builtin_ctz(others)]];
    if (knows != 0) {
        table = (unsigned)__builtin_ctz(knows);
        const uint32_t number = places.entry[table];
        const uint64_t shorter = guess;
        guess = goals->targets[number];
        learn_target(goals, number, goes);
        if (guess != shorter)
            goals->entries[number].useful = learned4[guess == goes][goals->entries[number].useful];
    }
    if (guess != goes) {
        const uint32_t fresh = learn_longer(goals->entries, &places, table, 0);
        if (fresh != NO_ENTRY)
            goals->targets[fresh] = goes;
    }
    return guess;
}

/* The tables' word on the target, or else that of where the branch is known. */
static inline uint64_t see_indirect(struct tage *tage, const struct tage_branch *branch,
                                    const struct tage_memo *memo, uint64_t guess)
{
    return tage->base_history == 0 ? see_after_path(tage, memo, branch->target, guess)
                                   : see_after_targets(tage, branch, guess);
}

/* Of a taken branch whose direction was foreseen: whether its target was, too. */
static inline enum tage_result see_target(struct tage *tage, const struct tage_branch *branch,
                                          struct tage_memo *memo)
{
    uint64_t guess = NO_TARGET;
    const bool known = see_in_levels(tage, memo, branch->target, &guess);

    if (branch->is_return)
        guess = pop_return(tage);
    else if (!branch->direct)
        guess = see_indirect(tage, branch, memo, guess);
    else if (!known)
        guess = branch->target; /* the decoder reads it */
    if (guess != branch->target)
        return TAGE_WRONG;
    return known ? TAGE_RIGHT : TAGE_LATE;
}

enum tage_result tage_see(struct tage *tage, const struct tage_branch *branch,
                          struct tage_memo *memo)
{
    const bool foreseen =
        !branch->conditional || see_direction(tage, branch->address, branch->taken, memo);
    enum tage_result result = TAGE_RIGHT;

    if (branch->taken) {
        if (unlikely(memo->target != branch->target))
            aim(tage, memo, branch);
        result = see_target(tage, branch, memo);
        if (branch->links)
            push_return(tage, branch->address + 4);
        if (tage->base_history == 0)
            remember_taken(tage, memo);
    }
    return foreseen == branch->taken ? result : TAGE_WRONG;
}
