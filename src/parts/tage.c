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

/* The next value of a counter of two bits, of three bits after [an outcome]. */
static const uint8_t learned4[2][4] = {{0, 0, 1, 2}, {1, 2, 3, 3}};
static const uint8_t learned8[2][8] = {{0, 0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 7}};

/* For each table with a history; some are unused if there are none. */
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
    tage->oldest[0] = -(ptrdiff_t)longest;
    tage->oldest[1] = -(ptrdiff_t)cube_root(longest * longest * TAGE_SHORTEST);
    tage->oldest[2] = -(ptrdiff_t)cube_root(longest * TAGE_SHORTEST * TAGE_SHORTEST);
    tage->oldest[3] = -TAGE_SHORTEST;
}

static struct tage_folds no_history(uint32_t index_bits, uint32_t tag_bits)
{
    const uint32_t index = (UINT32_C(1) << index_bits) - 1, tag = (UINT32_C(1) << tag_bits) - 1;

    return (struct tage_folds){.index_mask = each(index),
                               .upper = each((index & ~3u) | (tag & ~3u) << TAGE_TAG_SHIFT),
                               .index_bits = index_bits,
                               .tag_bits = tag_bits,
                               .index_down = index_bits - 2,
                               .tag_down = tag_bits - 2};
}

/* Where the two bits of a branch are in a fold when it leaves the history of a table. */
static uint32_t leaves_fold(const struct tage *tage, unsigned table, uint32_t two, uint32_t bits)
{
    const uint32_t age = 2 * (uint32_t)-tage->oldest[table];

    return (two & 1) << age % bits | two >> 1 << (age + 1) % bits;
}

static void make_leaves(struct tage *tage)
{
    for (unsigned table = 0; table < TAGE_TABLES; table++)
        for (uint32_t bits = 0; bits < 16; bits++) {
            const uint32_t two = bits >> table % 2 * 2 & 3;
            tage->leaves[table / 2][bits][table] =
                leaves_fold(tage, table, two, tage->folds.index_bits) |
                leaves_fold(tage, table, two, tage->folds.tag_bits) << TAGE_TAG_SHIFT;
        }
}

static tage_entry entry_of(uint32_t tag, uint32_t taken, uint32_t useful)
{
    return tag | taken << TAGE_TAKEN_SHIFT | useful << TAGE_USEFUL_SHIFT;
}

static inline uint32_t taken_of(tage_entry entry)
{
    return entry >> TAGE_TAKEN_SHIFT & 7;
}

static inline uint32_t useful_of(tage_entry entry)
{
    return entry >> TAGE_USEFUL_SHIFT;
}

/* The longest history that knows a branch was of use where the next shorter one, or the base, says
 * otherwise. */
static void make_changes(struct tage *tage)
{
    for (uint32_t i = 0; i < 4 * TAGE_STATES; i++) {
        const bool taken = i >= 2 * TAGE_STATES, shorter = i / TAGE_STATES % 2 != 0;
        const tage_entry before = i % TAGE_STATES << TAGE_TAKEN_SHIFT;
        const uint32_t mostly = taken_of(before), useful = useful_of(before);
        const bool foreseen = mostly >= MOSTLY;
        const uint32_t then = foreseen != shorter ? learned4[foreseen == taken][useful] : useful;
        tage->changes[taken][shorter][i % TAGE_STATES] =
            before ^ entry_of(0, learned8[taken][mostly], then);
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
static enum armpmu_status make_front_level(struct tage_targets *level, const char *key,
                                           uint32_t entries, struct armpmu_error *err)
{
    uint32_t ways = entries;

    while (ways >= 8 && ways % 2 == 0)
        ways /= 2;
    if (ways > TAG_ARRAY_MAX_WAYS)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "branch.%s = %u: no whole number of sets of at most %d; %u is one", key,
                    entries, TAG_ARRAY_MAX_WAYS, 1u << (31 - __builtin_clz(entries)));
    return entries == 0 ? ARMPMU_OK : make_level(level, entries, ways, REPLACEMENT_LRU, err);
}

static enum armpmu_status make_levels(struct tage *tage, const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    struct tage_targets *const levels = tage->levels;
    enum armpmu_status status = make_level(&levels[TAGE_FAR], machine->branch_btb_entries,
                                           machine->branch_btb_ways, REPLACEMENT_ROUND_ROBIN, err);

    if (status == ARMPMU_OK)
        status =
            make_front_level(&levels[TAGE_NEAR], "near_entries", machine->branch_near_entries, err);
    if (status == ARMPMU_OK)
        status = make_front_level(&levels[TAGE_MIDDLE], "middle_entries",
                                  machine->branch_middle_entries, err);
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
    const uint32_t fold = fold_bits(tage->index_bits), tag_bits = fold == 13 ? 11 : 13;
    tage->index_mask = each(entries_of(machine) - 1);
    tage->tag_mask = each((UINT32_C(1) << tag_bits) - 2);
    tage->tag_top = each(UINT32_C(1) << tag_bits);
    tage->folds = no_history(fold, tag_bits);
    make_leaves(tage);
    make_changes(tage);
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
    const uint64_t word = address >> 2, upper = word >> (tage->index_bits - (TAGE_TABLES - 1));
    const tage_lanes shifted = {(uint32_t)upper, (uint32_t)(upper >> 1), (uint32_t)(upper >> 2),
                                (uint32_t)(upper >> 3)};

    /* A tag is never 0, so that an unwritten entry belongs to no branch. */
    return (struct tage_pair){
        .index = ((each((uint32_t)word) ^ shifted) & tage->index_mask) + tage->first,
        .tag = (each((uint32_t)(word ^ word >> tage->folds.tag_bits)) & (tage->tag_top - 1)) |
               tage->tag_top,
    };
}

/* Bits of a taken branch in the path: bits of its address and of its target, as measured on a
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
    const uint32_t in_index = footprint ^ footprint >> tage->folds.index_bits,
                   in_tag = footprint ^ footprint >> tage->folds.tag_bits;
    uint8_t older[TAGE_SHORTEST - 1];

    for (unsigned age = 1; age < TAGE_SHORTEST; age++)
        older[TAGE_SHORTEST - 1 - age] = footprint >> 2 * age & 3;
    memcpy(&memo->older, older, sizeof older);
    memo->newest = footprint & 3;
    memo->footprint = each((in_index & tage->folds.index_mask[0]) |
                           (in_tag & (tage->tag_top[0] - 1)) << TAGE_TAG_SHIFT);
    memo->target = branch->target;
    if (branch->direct && !branch->is_return && !branch->links && tage_has_tables(tage))
        memo->plain_target = branch->target;
}

/* leaves, enters: what the branch that leaves each history, and this one, have in the folds. */
static inline void shift_folds(struct tage_folds *folds, tage_lanes leaves, tage_lanes enters)
{
    const tage_lanes before = folds->value;

    folds->value = (before << 2 & folds->upper) ^ (before >> folds->index_down & each(3)) ^
                   (before >> folds->tag_down & each(UINT32_C(3) << TAGE_TAG_SHIFT)) ^ leaves ^
                   enters;
}

/* Returns whether the path has a place for one more branch. */
static inline bool path_has_room(const struct tage *tage)
{
    return tage->newest + 1 != TAGE_PATH_PLACES;
}

/* It has none: the latest branches move to the first ones. */
static void move_path(struct tage *tage)
{
    memmove(tage->path, &tage->path[TAGE_PATH_PLACES - TAGE_PATH_MAX], TAGE_PATH_MAX);
    tage->newest = TAGE_PATH_MAX - 1;
}

/* A taken branch becomes part of the path. */
static inline void remember_taken(struct tage *tage, const struct tage_memo *memo)
{
    uint8_t *const place = &tage->path[++tage->newest];
    const ptrdiff_t *const oldest = tage->oldest;
    const tage_lanes leaves = tage->leaves[0][place[oldest[0]] | (size_t)place[oldest[1]] << 2] ^
                              tage->leaves[1][place[oldest[2]] | (size_t)place[oldest[3]] << 2];
    uint32_t older;

    memcpy(&older, place - sizeof older, sizeof older);
    older ^= memo->older;
    memcpy(place - sizeof older, &older, sizeof older);
    *place = memo->newest;
    shift_folds(&tage->folds, leaves, memo->footprint);
    tage->announced = UINT64_MAX;
}

_Static_assert(sizeof(uint32_t) == TAGE_SHORTEST - 1, "a byte for each older branch");

/* A wrong answer of a table, TAGE_TABLES for none of them: the shortest of the longer histories
 * with an entry of no use learns the branch. Where all are of use, all become a little less so.
 * Returns the entry's number, or NO_ENTRY. */
static OUT_OF_LINE uint32_t learn_longer(tage_entry *entries, const struct tage_places *places,
                                         unsigned table, uint32_t taken)
{
    for (unsigned longer = table; longer-- > 0;) {
        tage_entry *const entry = &entries[places->entry[longer]];
        if (useful_of(*entry) != 0)
            continue;
        *entry = entry_of(places->tag[longer], taken, 0);
        return places->entry[longer];
    }
    for (unsigned longer = table; longer-- > 0;)
        entries[places->entry[longer]] -= UINT32_C(1) << TAGE_USEFUL_SHIFT;
    return NO_ENTRY;
}

/* The same of a direction that a table, or none, had wrong. */
static OUT_OF_LINE enum tage_result learn_direction(struct tage *tage, unsigned table, bool taken)
{
    (void)learn_longer(tage->entries, &tage->places, table, taken ? MOSTLY : MOSTLY - 1);
    return TAGE_WRONG;
}

/* A counter of two bits foresees an outcome, and learns it. */
static inline bool see_in_counter(uint8_t *counter, bool taken)
{
    const bool foreseen = *counter > 1;

    *counter = learned4[taken][*counter];
    return foreseen;
}

#define NO_TABLE (TAGE_TABLES + 1) /* was wrong */

/* The direction of a branch that some tables have, a bit each: the longest history decides. */
static inline unsigned see_in_tables(struct tage *tage, uint32_t known, bool taken,
                                     const struct tage_memo *memo)
{
    const unsigned table = (unsigned)__builtin_ctz(known);
    const uint32_t others = known & (known - 1);
    tage_entry *const entry = &tage->entries[tage->places.entry[table]];
    const tage_entry before = *entry;
    const bool foreseen = taken_of(before) >= MOSTLY;
    const bool shorter =
        others == 0
            ? *memo->base > 1
            : taken_of(tage->entries[tage->places.entry[(unsigned)__builtin_ctz(others)]]) >=
                  MOSTLY;

    *entry = before ^ tage->changes[taken][shorter][before >> TAGE_TAKEN_SHIFT];
    return foreseen == taken ? NO_TABLE : table;
}

/* The direction of the branch that was announced: returns the table that was wrong, TAGE_TABLES for
 * the counter by address, which says where no table has the branch. */
static inline unsigned see_announced(struct tage *tage, bool taken, const struct tage_memo *memo)
{
    if (tage->known != 0)
        return see_in_tables(tage, tage->known, taken, memo);
    return see_in_counter(memo->base, taken) == taken ? NO_TABLE : TAGE_TABLES;
}

/* The same where the address and the latest outcomes alone find a counter. */
static OUT_OF_LINE bool see_in_history(struct tage *tage, uint64_t address, bool taken)
{
    const uint64_t place = (address >> 2 ^ (tage->history & tage->base_history)) & tage->base_mask;

    tage->history = tage->history << 1 | taken;
    return see_in_counter(&tage->base[place], taken);
}

/* Returns whether the direction is predicted right. */
static enum tage_result see_direction(struct tage *tage, uint64_t address, bool taken,
                                      const struct tage_memo *memo)
{
    if (!tage_has_tables(tage))
        return see_in_history(tage, address, taken) == taken ? TAGE_RIGHT : TAGE_WRONG;
    if (tage->announced != address)
        tage_announce(tage, address, memo);
    const unsigned wrong = see_announced(tage, taken, memo);
    tage->announced = UINT64_MAX;
    return wrong == NO_TABLE ? TAGE_RIGHT : learn_direction(tage, wrong, taken);
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

/* Returns the slot of a branch in the branch target buffer, which has it from here on. */
static uint32_t see_in_far(struct tage_targets *far, uint64_t name, bool *was_known)
{
    const uint32_t slot = tag_array_lookup(&far->branches, name);
    uint64_t victim;

    *was_known = slot != TAG_ARRAY_NO_SLOT;
    return *was_known ? slot : tag_array_fill(&far->branches, name, &victim);
}

/* Returns whether a level knew the branch; *target is what it knew. Then it knows it. */
static bool see_in(struct tage *tage, enum tage_level level, struct tage_memo *memo, uint64_t goes,
                   uint64_t *target)
{
    struct tage_targets *const known = &tage->levels[level];
    const uint64_t name = memo->names[level] - 1;
    const uint32_t set = (uint32_t)(memo->latest[level] - known->branches.latest);
    bool was_known;
    const uint32_t slot = level == TAGE_FAR
                              ? see_in_far(known, name, &was_known)
                              : tag_array_take(&known->branches, set, name, &was_known);

    if (was_known)
        *target = known->targets[slot];
    known->targets[slot] = goes;
    memo->slots[level] = slot;
    memo->held[level] = &known->branches.names[slot];
    if (level == TAGE_FAR)
        memo->far_target = &known->targets[slot];
    return was_known;
}

/* The same of the levels in front of one. */
static void see_in_front(struct tage *tage, struct tage_memo *memo, uint64_t goes, unsigned level,
                         uint64_t *target)
{
    tage->level = level;
    for (unsigned i = level; i-- > 0;)
        if (tage->levels[i].targets != NULL && see_in(tage, i, memo, goes, target))
            tage->level = i;
}

/* Returns whether the branch target buffer has a branch where it had it, with this target. */
static inline bool is_in_buffer(const struct tage_memo *memo, uint64_t goes)
{
    return *memo->held[TAGE_FAR] == memo->names[TAGE_FAR] && *memo->far_target == goes;
}

/* see_in of all levels. */
static OUT_OF_LINE bool see_in_levels(struct tage *tage, struct tage_memo *memo, uint64_t goes,
                                      uint64_t *target)
{
    see_in_front(tage, memo, goes, is_in_buffer(memo, goes) ? TAGE_FAR : TAGE_LEVELS, target);
    return tage->level != TAGE_LEVELS;
}

/* Returns whether a level in front has the branch where it had it, and uses it then. */
static inline bool is_in_front(struct tage *tage, enum tage_level level,
                               const struct tage_memo *memo)
{
    if (*memo->held[level] != memo->names[level])
        return false;
    tag_array_use(&tage->levels[level].branches, memo->latest[level], memo->slots[level]);
    return true;
}

/* see_in_levels of a branch that went there the latest time, too, and that each level has where it
 * had it. What one level has as the target all have, since each learns it each time. Returns false,
 * and has done nothing that see_in_levels does not do again, of any other. */
static inline bool is_in_levels(struct tage *tage, const struct tage_memo *memo, uint64_t goes)
{
    tage->level = TAGE_NEAR;
    return is_in_buffer(memo, goes) &&
           (tage->levels[TAGE_MIDDLE].targets == NULL || is_in_front(tage, TAGE_MIDDLE, memo)) &&
           is_in_front(tage, TAGE_NEAR, memo);
}

static const uint64_t no_name; /* what a slot of no level holds */

struct tage_memo tage_memo_of(const struct tage *tage, uint64_t address)
{
    struct tage_memo memo = {
        .hash = hash_of(tage, address),
        .base = &tage->base[address >> 2 & tage->base_mask],
        .names = {near_name(address) + 1, near_name(address) + 1, far_name(address) + 1},
        .held = {&no_name, &no_name, &no_name},
        .target = NO_TARGET,
        .plain_target = NO_TARGET,
    };

    for (unsigned i = 0; i < TAGE_LEVELS; i++)
        if (tage->levels[i].targets != NULL)
            memo.latest[i] =
                &tage->levels[i]
                     .branches.latest[tag_array_set(&tage->levels[i].branches, memo.names[i] - 1)];
    return memo;
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

/* A target that was wrong as often as it was right gives way. differs: a shorter history says
 * otherwise. */
static void learn_target(struct tage_goals *goals, uint32_t number, uint64_t goes, bool differs)
{
    tage_entry *const entry = &goals->entries[number];
    const bool right = goals->targets[number] == goes;
    const uint32_t taken = taken_of(*entry), useful = useful_of(*entry);

    if (!right && taken == 0)
        goals->targets[number] = goes;
    *entry = entry_of(*entry & TAGE_TAG, learned4[right][taken],
                      differs ? learned4[right][useful] : useful);
}

/* Every other time passes over a table: two branches with one place in it would displace each other
 * forever. */
static void learn_after_path(struct tage_goals *goals, const struct tage_places *places,
                             unsigned table, uint64_t goes)
{
    const unsigned from = table > 1 ? table - goals->skip : table;
    const uint32_t fresh = learn_longer(goals->entries, places, from, 0);

    goals->skip ^= 1;
    if (fresh != NO_ENTRY)
        goals->targets[fresh] = goes;
}

static OUT_OF_LINE uint64_t see_after_path(struct tage *tage, const struct tage_memo *memo,
                                           uint64_t goes, uint64_t guess)
{
    struct tage_goals *const goals = &tage->goals;
    const struct tage_places places = goal_places(tage, memo);
    const uint32_t knows = tage_known(goals->entries, &places), others = knows & (knows - 1);
    unsigned table = TAGE_TABLES;

    if (others != 0)
        guess = goals->targets[places.entry[__builtin_ctz(others)]];
    if (knows != 0) {
        table = (unsigned)__builtin_ctz(knows);
        const uint32_t number = places.entry[table];
        const uint64_t shorter = guess;
        guess = goals->targets[number];
        learn_target(goals, number, goes, guess != shorter);
    }
    if (guess != goes)
        learn_after_path(goals, &places, table, goes);
    return guess;
}

/* The tables' word on the target, or else that of where the branch is known. */
static inline uint64_t see_indirect(struct tage *tage, const struct tage_branch *branch,
                                    const struct tage_memo *memo, uint64_t guess)
{
    return tage->base_history == 0 ? see_after_path(tage, memo, branch->target, guess)
                                   : see_after_targets(tage, branch, guess);
}

/* A taken branch with a predicted direction: true if its target was predicted, too. */
static enum tage_result see_target(struct tage *tage, const struct tage_branch *branch,
                                   struct tage_memo *memo)
{
    uint64_t guess = branch->target;
    const bool known = is_in_levels(tage, memo, branch->target) ||
                       see_in_levels(tage, memo, branch->target, &guess);

    if (branch->is_return)
        guess = pop_return(tage);
    else if (!branch->direct)
        guess = see_indirect(tage, branch, memo, known ? guess : NO_TARGET);
    if (branch->links)
        push_return(tage, branch->address + 4);
    if (guess != branch->target) /* of a direct branch that is not known the decoder reads it */
        return TAGE_WRONG;
    return known ? TAGE_RIGHT : TAGE_LATE;
}

static OUT_OF_LINE enum tage_result
see_any_taken(struct tage *tage, const struct tage_branch *branch, struct tage_memo *memo)
{
    const enum tage_result direction =
        branch->conditional ? see_direction(tage, branch->address, true, memo) : TAGE_RIGHT;

    if (unlikely(memo->target != branch->target))
        aim(tage, memo, branch);
    const enum tage_result result = see_target(tage, branch, memo);
    if (!path_has_room(tage))
        move_path(tage);
    if (tage_has_tables(tage))
        remember_taken(tage, memo);
    return direction == TAGE_WRONG ? TAGE_WRONG : result;
}

/* A taken branch that each level knows has the direction that was announced. */
static inline enum tage_result see_known(struct tage *tage, const struct tage_branch *branch,
                                         const struct tage_memo *memo)
{
    const unsigned wrong = branch->conditional ? see_announced(tage, true, memo) : NO_TABLE;

    remember_taken(tage, memo);
    return likely(wrong == NO_TABLE) ? TAGE_RIGHT : learn_direction(tage, wrong, true);
}

/* The same of one that only the branch target buffer surely knows. */
static OUT_OF_LINE enum tage_result
see_in_buffer(struct tage *tage, const struct tage_branch *branch, struct tage_memo *memo)
{
    uint64_t target;

    see_in_front(tage, memo, branch->target, TAGE_FAR, &target);
    return see_known(tage, branch, memo);
}

/* Most go where they went the latest time, and were known: then nothing is called before the end,
 * and the host saves no registers. */
enum tage_result tage_see_taken(struct tage *tage, const struct tage_branch *branch,
                                struct tage_memo *memo)
{
    if (unlikely(memo->plain_target != branch->target || !path_has_room(tage) ||
                 (branch->conditional && tage->announced != branch->address)))
        return see_any_taken(tage, branch, memo);
    if (unlikely(!is_in_levels(tage, memo, branch->target)))
        return is_in_buffer(memo, branch->target) ? see_in_buffer(tage, branch, memo)
                                                  : see_any_taken(tage, branch, memo);
    return see_known(tage, branch, memo);
}

static OUT_OF_LINE enum tage_result
see_any_not_taken(struct tage *tage, const struct tage_branch *branch, const struct tage_memo *memo)
{
    return branch->conditional ? see_direction(tage, branch->address, false, memo) : TAGE_WRONG;
}

enum tage_result tage_see_not_taken(struct tage *tage, const struct tage_branch *branch,
                                    const struct tage_memo *memo)
{
    if (unlikely(tage->announced != branch->address))
        return see_any_not_taken(tage, branch, memo);
    const unsigned wrong = see_announced(tage, false, memo);
    tage->announced = UINT64_MAX;
    return likely(wrong == NO_TABLE) ? TAGE_RIGHT : learn_direction(tage, wrong, false);
}
