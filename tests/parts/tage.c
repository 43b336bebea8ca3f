/* The large core's branch prediction against a slow reference that keeps every taken branch ever
 * and works out the path and its folds anew for each question, and against sequences worked out by
 * hand. */
#include "parts/tage.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

static const struct armpmu_machine small = {.branch_btb_entries = 16,
                                            .branch_btb_ways = 2,
                                            .branch_return_stack = 4,
                                            .branch_base_counters = 32,
                                            .branch_table_entries = 64,
                                            .branch_history_branches = 48,
                                            .branch_indirect_entries = 8};
static const struct armpmu_machine large = {.branch_btb_entries = 1024,
                                            .branch_btb_ways = 4,
                                            .branch_near_entries = 4,
                                            .branch_middle_entries = 7,
                                            .branch_return_stack = 16,
                                            .branch_base_counters = 4096,
                                            .branch_table_entries = 1024,
                                            .branch_history_branches = 64,
                                            .branch_indirect_entries = 256};
static const struct armpmu_machine wide = {.branch_btb_entries = 16,
                                           .branch_btb_ways = 2,
                                           .branch_base_counters = 32,
                                           .branch_table_entries = 8192,
                                           .branch_history_branches = 512,
                                           .branch_indirect_entries = 65536};

static const struct armpmu_machine history_alone = {.branch_btb_entries = 16,
                                                    .branch_btb_ways = 2,
                                                    .branch_history_bits = 8,
                                                    .branch_base_counters = 1024,
                                                    .branch_indirect_entries = 16};

/* ---- what a caller keeps of branches ---- */

static struct kept {
    uint64_t address; /* + 1, 0 for none */
    struct tage_memo memo;
} kept[64];

static void start(struct tage *tage, const struct armpmu_machine *machine)
{
    memset(kept, 0, sizeof kept);
    assert_int_equal(tage_init(tage, machine, NULL), ARMPMU_OK);
}

/* Of a branch that others may have displaced: a caller need not keep them all. */
static struct tage_memo *memo_of(const struct tage *tage, uint64_t address)
{
    struct kept *const found = &kept[address / 4 % 64];

    if (found->address != address + 1)
        *found = (struct kept){address + 1, tage_memo_of(tage, address)};
    return &found->memo;
}

static enum tage_result see(struct tage *tage, const struct tage_branch *branch)
{
    return tage_see(tage, branch, memo_of(tage, branch->address));
}

/* ---- the slow reference of directions ---- */

#define MAX_OUTCOMES 100000
#define MAX_ENTRIES  8192
#define MAX_LENGTH   512

struct slow_entry {
    bool used;
    unsigned tag;
    int taken;  /* -4..3: taken from 0 on */
    int useful; /* 0..3 */
};

struct slow {
    const struct armpmu_machine *machine;
    bool outcomes[MAX_OUTCOMES];
    unsigned n_outcomes;
    unsigned footprints[MAX_OUTCOMES]; /* of taken branches */
    unsigned n_taken;
    bool path[2 * MAX_LENGTH]; /* of all of them, the newest first */
    unsigned n_crowded; /* wrong answers with no room to learn: all longer histories are of use */
    int base[4096];     /* -2..1 */
    struct slow_entry tables[4][MAX_ENTRIES];
};

/* Bit `to` of a footprint is the sum of these bits of the branch's address and of its target. */
static const struct {
    int from[2], target; /* -1: none */
} footprint_bits[10] = {{{2, -1}, 7}, {{3, -1}, 8}, {{4, -1}, 9}, {{5, -1}, 10},  {{6, 12}, 11},
                        {{7, 13}, 2}, {{8, 14}, 3}, {{9, 15}, 4}, {{10, 16}, -1}, {{11, 17}, 6}};

static unsigned bit_of(uint64_t number, int bit)
{
    return bit < 0 ? 0 : number >> bit & 1;
}

static void slow_take(struct slow *slow, const struct tage_branch *branch)
{
    unsigned footprint = 0;
    for (unsigned to = 0; to < 10; to++)
        footprint += (bit_of(branch->address, footprint_bits[to].from[0]) ^
                      bit_of(branch->address, footprint_bits[to].from[1]) ^
                      bit_of(branch->target, footprint_bits[to].target))
                     << to;
    slow->footprints[slow->n_taken++] = footprint;
    for (unsigned bit = 0; bit < 2 * slow->machine->branch_history_branches; bit++) {
        slow->path[bit] = false;
        for (unsigned age = bit < 10 ? 0 : bit / 2 - 4; age <= bit / 2 && age < slow->n_taken;
             age++)
            slow->path[bit] ^= slow->footprints[slow->n_taken - 1 - age] >> (bit - 2 * age) & 1;
    }
}

/* From 5 to the longest by the same factor, rounded down. */
static unsigned length_of(const struct slow *slow, unsigned table)
{
    static const unsigned of_48[4] = {5, 10, 22, 48}, of_64[4] = {5, 11, 27, 64},
                          of_512[4] = {5, 23, 109, 512};
    const unsigned longest = slow->machine->branch_history_branches;
    return (longest == 48 ? of_48 : longest == 64 ? of_64 : of_512)[table];
}

static unsigned fold(const struct slow *slow, unsigned length, unsigned bits)
{
    unsigned folded = 0;
    for (unsigned bit = 0; bit < 2 * length; bit++)
        folded ^= (unsigned)slow->path[bit] << bit % bits;
    return folded;
}

static struct slow_entry *slow_entry(struct slow *slow, unsigned table, uint64_t address)
{
    unsigned bits = 0;
    while (1u << bits < slow->machine->branch_table_entries)
        bits++;
    const unsigned path = fold(slow, length_of(slow, table),
                               bits == 6    ? 7
                               : bits == 10 ? 11
                               : bits == 13 ? 13
                                            : 0);
    const uint64_t word = address / 4;
    const uint64_t index = word ^ word >> (bits - table) ^ path ^ path >> bits;
    return &slow->tables[table][index % (1u << bits)];
}

static unsigned slow_tag(const struct slow *slow, unsigned table, uint64_t address)
{
    const uint64_t word = address / 4;
    /* A path that is folded into 13 bits for indices is folded into 11 for tags. */
    const unsigned bits = slow->machine->branch_table_entries == 8192 ? 11 : 13;
    const uint64_t hash =
        word ^ word >> bits ^ (uint64_t)fold(slow, length_of(slow, table), bits) * 2;
    return (unsigned)(hash % (1u << bits));
}

static int nearer(int value, bool up, int low, int high)
{
    if (up)
        return value < high ? value + 1 : high;
    return value > low ? value - 1 : low;
}

static bool slow_see(struct slow *slow, uint64_t address, bool taken)
{
    const unsigned with_address = slow->machine->branch_history_bits;
    const unsigned n_tables = with_address == 0 ? 4 : 0;
    unsigned history = 0;
    for (unsigned age = 0; age < with_address && age < slow->n_outcomes; age++)
        history += (unsigned)slow->outcomes[slow->n_outcomes - 1 - age] << age;
    int *base = &slow->base[(address / 4 ^ history) % slow->machine->branch_base_counters];
    bool answer = *base >= 0, other = answer;
    int longest = -1;
    for (unsigned table = 0; table < n_tables; table++) {
        const struct slow_entry *entry = slow_entry(slow, table, address);
        if (!entry->used || entry->tag != slow_tag(slow, table, address))
            continue;
        other = answer;
        answer = entry->taken >= 0;
        longest = (int)table;
    }
    if (longest < 0) {
        *base = nearer(*base, taken, -2, 1);
    } else {
        struct slow_entry *entry = slow_entry(slow, (unsigned)longest, address);
        entry->taken = nearer(entry->taken, taken, -4, 3);
        if (answer != other)
            entry->useful = nearer(entry->useful, answer == taken, 0, 3);
    }
    if (answer != taken && n_tables != 0) {
        int at = longest + 1;
        while (at < 4 && slow_entry(slow, (unsigned)at, address)->useful > 0)
            at++;
        if (at < 4)
            *slow_entry(slow, (unsigned)at, address) =
                (struct slow_entry){true, slow_tag(slow, (unsigned)at, address), taken ? 0 : -1, 0};
        slow->n_crowded += at == 4 && longest < 3;
        for (int table = longest + 1; at == 4 && table < 4; table++)
            slow_entry(slow, (unsigned)table, address)->useful--;
    }
    slow->outcomes[slow->n_outcomes++] = taken;
    return answer;
}

/* Loops, alternation, correlation with the branch before, and chance. */
static bool outcome_of(unsigned branch, unsigned n, bool last, uint64_t *seed)
{
    switch (branch % 6) {
    case 0:
        return n % (branch + 3) != 0;
    case 1:
        return n % 2 == 0;
    case 2:
        return last;
    case 3:
        return one_in(seed, 2);
    case 4:
        return !one_in(seed, 50);
    default:
        return n % 3 == 1;
    }
}

static struct slow *slow_new(const struct armpmu_machine *machine)
{
    struct slow *slow = calloc(1, sizeof *slow);
    assert_non_null(slow);
    slow->machine = machine;
    for (unsigned i = 0; i < machine->branch_base_counters; i++)
        slow->base[i] = -1;
    return slow;
}

static void announce(struct tage *tage, uint64_t address)
{
    if (tage_has_tables(tage))
        tage_announce(tage, address, memo_of(tage, address));
}

static void compare_directions(const struct armpmu_machine *machine, uint64_t seed)
{
    struct tage tage;
    struct slow *slow = slow_new(machine);
    unsigned n_seen[40] = {0};
    bool last = false;

    start(&tage, machine);
    for (unsigned n = 0; n < MAX_OUTCOMES; n++) {
        const unsigned branch = one_in(&seed, 3) ? pick(&seed, 40) : n % 7;
        const uint64_t address = 0x5500000000 + branch * 36;
        const bool taken = outcome_of(branch, n_seen[branch]++, last, &seed);
        const struct tage_branch told = {.address = address,
                                         .target = address + 400,
                                         .conditional = true,
                                         .taken = taken,
                                         .direct = true};
        if (one_in(&seed, 2)) /* perhaps of another one, which is not executed */
            announce(&tage, one_in(&seed, 4) ? address + 36 : address);
        const bool right = see(&tage, &told) != TAGE_WRONG;
        assert_int_equal(right, slow_see(slow, address, taken) == taken);
        if (taken)
            slow_take(slow, &told);
        last = taken;
    }
    tage_free(&tage);
    tage_free(&tage);
    free(slow);
}

/* Few places, and many branches that go as some branch before them went: the places of long
 * histories are of use, and more want them than there are. */
TEST(crowded_tables_agree_with_a_slow_reference)
{
    struct tage tage;
    struct slow *slow = slow_new(&small);
    uint64_t seed = 8;

    start(&tage, &small);
    for (unsigned n = 0; n < MAX_OUTCOMES; n++) {
        const unsigned branch = n % 97;
        const unsigned back = 1 + branch % 45;
        const bool taken =
            n < back || one_in(&seed, 90) ? one_in(&seed, 2) : !slow->outcomes[n - back];
        const struct tage_branch told = {.address = 0x1000 + branch * 20,
                                         .target = 0x100,
                                         .conditional = true,
                                         .taken = taken,
                                         .direct = true};
        const bool right = see(&tage, &told) != TAGE_WRONG;
        assert_int_equal(right, slow_see(slow, told.address, taken) == taken);
        if (taken)
            slow_take(slow, &told);
    }
    assert_in_range(slow->n_crowded, 100, MAX_OUTCOMES);
    tage_free(&tage);
    free(slow);
}

TEST(directions_agree_with_a_slow_reference)
{
    compare_directions(&small, 5);
    compare_directions(&large, 6);
    compare_directions(&wide, 7);
    compare_directions(&history_alone, 9);
}

/* Mispredictions of the last ten of a hundred loops, all of so many turns. */
static unsigned missed(unsigned turns)
{
    struct tage tage;
    unsigned wrong = 0;

    start(&tage, &history_alone);
    for (unsigned n = 0; n < 100 * turns; n++) {
        const struct tage_branch branch = {.address = 0x1000,
                                           .target = 0x100,
                                           .conditional = true,
                                           .taken = n % turns != turns - 1,
                                           .direct = true};
        const bool right = see(&tage, &branch) != TAGE_WRONG;
        wrong += n >= 90 * turns && !right;
    }
    tage_free(&tage);
    return wrong;
}

/* What the history shows whole is learned: eight outcomes before a loop's last. */
TEST(history_alone_learns_loops_that_it_shows)
{
    assert_int_equal(missed(4), 0);
    assert_int_equal(missed(9), 0);
    assert_in_range(missed(10), 10, 20);
    assert_int_equal(missed(30), 10);
}

/* ---- the slow reference of targets ---- */

#define MAX_BRANCHES   60000
#define N_SITES        60
#define TARGETS_HASHED 6 /* with two bits each of their own, in a hash of twelve */

struct slow_jump {
    uint64_t address, target;
};

/* A target by the path. */
struct slow_goal {
    bool used;
    unsigned tag;
    uint64_t target;
    int sure, useful; /* 0..3 each */
};

struct slow_targets {
    const struct armpmu_machine *machine;
    struct slow *directions;
    struct slow_jump buffer[1024]; /* in the order in which they came */
    unsigned n_buffer;
    struct slow_jump latest[7]; /* taken branches, the latest first */
    enum tage_level level;      /* of the latest one, before it was that */
    bool alone;
    struct slow_jump indirect[16];  /* without tables; NEVER: none */
    uint64_t targets[MAX_BRANCHES]; /* of all indirect branches so far */
    struct slow_goal goals[4][16384];
    bool skip; /* every other time a wrong answer is learned by a longer history */
    unsigned n_crowded;
    unsigned n_targets;
    uint64_t returns[MAX_BRANCHES]; /* of all calls that no return took */
    unsigned n_returns, n_lost;
};

#define NEVER UINT64_MAX

/* The buffer's place for a branch, NULL if it is not there. */
static struct slow_jump *slow_known(struct slow_targets *slow, uint64_t address)
{
    for (unsigned i = 0; i < slow->n_buffer; i++)
        if (slow->buffer[i].address == address)
            return &slow->buffer[i];
    return NULL;
}

/* A branch the buffer does not have yet; of a full set the one that came first goes. */
static void slow_enter(struct slow_targets *slow, uint64_t address, uint64_t target)
{
    const unsigned ways = slow->machine->branch_btb_ways;
    const unsigned sets = slow->machine->branch_btb_entries / ways;
    unsigned first = 0, n_in_set = 0;
    for (unsigned i = slow->n_buffer; i-- > 0;) {
        if (slow->buffer[i].address / 32 % sets != address / 32 % sets)
            continue;
        first = i;
        n_in_set++;
    }
    if (n_in_set == ways) {
        slow->n_buffer--;
        memmove(&slow->buffer[first], &slow->buffer[first + 1],
                (slow->n_buffer - first) * sizeof slow->buffer[0]);
    }
    slow->buffer[slow->n_buffer++] = (struct slow_jump){address, target};
}

/* Its place among the latest, whose first it becomes; as many as there are if it is not there. */
static unsigned slow_make_latest(struct slow_targets *slow, uint64_t address, uint64_t *target)
{
    const unsigned most = sizeof slow->latest / sizeof slow->latest[0];
    const struct slow_jump now = {address, *target};
    unsigned place = 0;
    while (place < most && slow->latest[place].address != address)
        place++;
    if (place < most)
        *target = slow->latest[place].target;
    memmove(&slow->latest[1], &slow->latest[0],
            (place < most ? place : most - 1) * sizeof slow->latest[0]);
    slow->latest[0] = now;
    return place;
}

/* Where a taken branch is known, and its target there; then it is known. */
static enum tage_level slow_find(struct slow_targets *slow, const struct tage_branch *branch,
                                 uint64_t *guess)
{
    struct slow_jump *const known = slow_known(slow, branch->address);
    const bool was_known = known != NULL;
    uint64_t target = branch->target;
    const unsigned place = slow_make_latest(slow, branch->address, &target);

    if (known != NULL) {
        *guess = known->target;
        known->target = branch->target;
    } else {
        slow_enter(slow, branch->address, branch->target);
    }
    slow->alone = true;
    for (uint64_t after = branch->address + 4; after % 32 != 0; after += 4)
        slow->alone = slow->alone && slow_known(slow, after) == NULL;
    const unsigned near = slow->machine->branch_near_entries,
                   middle = slow->machine->branch_middle_entries;
    if (place < near || place < middle)
        *guess = target;
    return place < near     ? TAGE_NEAR
           : place < middle ? TAGE_MIDDLE
           : was_known      ? TAGE_FAR
                            : TAGE_LEVELS;
}

static uint64_t slow_return(struct slow_targets *slow)
{
    if (slow->n_returns == slow->n_lost)
        return NEVER;
    return slow->returns[--slow->n_returns];
}

static void slow_call(struct slow_targets *slow, uint64_t address)
{
    slow->returns[slow->n_returns++] = address + 4;
    if (slow->n_returns - slow->n_lost > slow->machine->branch_return_stack)
        slow->n_lost++;
}

/* Each table has a fourth of the entries; its place is that of a direction and the tag above it, in
 * as many bits as there are here. */
static struct slow_goal *slow_goal(struct slow_targets *slow, unsigned table, uint64_t address)
{
    struct slow *const directions = slow->directions;
    const uint64_t entries = slow->machine->branch_table_entries,
                   goals = slow->machine->branch_indirect_entries / 4;
    const uint64_t tag = slow_tag(directions, table, address) + (entries == 8192 ? 2048 : 8192),
                   at = (uint64_t)(slow_entry(directions, table, address) -
                                   directions->tables[table]) +
                        tag * entries;
    return &slow->goals[table][(at ^ at / goals) % goals];
}

static uint64_t slow_after_path(struct slow_targets *slow, uint64_t address, uint64_t target,
                                uint64_t guess)
{
    uint64_t other = guess;
    int longest = -1;
    for (unsigned table = 0; table < 4; table++) {
        const struct slow_goal *goal = slow_goal(slow, table, address);
        if (!goal->used || goal->tag != slow_tag(slow->directions, table, address))
            continue;
        other = guess;
        guess = goal->target;
        longest = (int)table;
    }
    if (longest >= 0) {
        struct slow_goal *goal = slow_goal(slow, (unsigned)longest, address);
        if (guess != target && goal->sure == 0)
            goal->target = target;
        goal->sure = nearer(goal->sure, guess == target, 0, 3);
        if (guess != other)
            goal->useful = nearer(goal->useful, guess == target, 0, 3);
    }
    if (guess == target)
        return guess;
    if (longest < 2)
        longest += slow->skip;
    slow->skip = !slow->skip;
    int at = longest + 1;
    while (at < 4 && slow_goal(slow, (unsigned)at, address)->useful > 0)
        at++;
    if (at < 4)
        *slow_goal(slow, (unsigned)at, address) = (struct slow_goal){
            true, slow_tag(slow->directions, (unsigned)at, address), target, 0, 0};
    slow->n_crowded += at == 4 && longest < 3;
    for (int table = longest + 1; at == 4 && table < 4; table++)
        slow_goal(slow, (unsigned)table, address)->useful--;
    return guess;
}

/* What is expected of an indirect branch of which the buffer says `guess`, without tables. */
static uint64_t slow_after_targets(struct slow_targets *slow, uint64_t address, uint64_t target,
                                   uint64_t guess)
{
    uint64_t hash = 0;
    for (unsigned age = 0; age < TARGETS_HASHED && age < slow->n_targets; age++)
        hash ^= slow->targets[slow->n_targets - 1 - age] / 4 << 2 * age;
    const uint64_t place = (address / 4 ^ hash % 4096) % slow->machine->branch_indirect_entries;
    if (slow->indirect[place].address == address)
        guess = slow->indirect[place].target;
    slow->indirect[place] = (struct slow_jump){address, target};
    slow->targets[slow->n_targets++] = target;
    return guess;
}

static enum tage_result slow_foresee(struct slow_targets *slow, const struct tage_branch *branch)
{
    const bool direction = !branch->conditional || slow_see(slow->directions, branch->address,
                                                            branch->taken) == branch->taken;
    if (!branch->taken)
        return direction ? TAGE_RIGHT : TAGE_WRONG;
    uint64_t guess = branch->direct ? branch->target : NEVER;
    slow->level = slow_find(slow, branch, &guess);
    if (branch->is_return)
        guess = slow_return(slow);
    else if (!branch->direct)
        guess = slow->machine->branch_history_bits == 0
                    ? slow_after_path(slow, branch->address, branch->target, guess)
                    : slow_after_targets(slow, branch->address, branch->target, guess);
    slow_take(slow->directions, branch);
    if (branch->links)
        slow_call(slow, branch->address);
    if (!direction || guess != branch->target)
        return TAGE_WRONG;
    return slow->level != TAGE_LEVELS ? TAGE_RIGHT : TAGE_LATE;
}

/* One of N_SITES branches, each of one kind, the one at address 0 of that kind. Returns go mostly
 * where the latest call wants, indirect branches to a few places, some in turn. */
static struct tage_branch random_branch(const struct slow_targets *slow, unsigned n,
                                        unsigned kind_at_0, uint64_t *seed)
{
    const unsigned memo = one_in(seed, 2) ? n % 11 : pick(seed, N_SITES),
                   kind = (memo + kind_at_0) % 5;
    struct tage_branch branch = {
        .address = (uint64_t)(memo / 2) * 0x3024 + memo % 2 * 12, /* two in 32 bytes, or not */
        .taken = true,
        .direct = kind < 2,
        .conditional = kind == 0,
        .links = kind == 1 || (kind == 3 && memo % 2 != 0),
        .is_return = kind == 4,
    };
    if (branch.conditional)
        branch.taken = one_in(seed, 3) || n % 4 != 0;
    branch.target = 0x700000000 + memo * 0x100;
    if (branch.is_return && slow->n_returns != 0 && !one_in(seed, 10))
        branch.target = slow->returns[slow->n_returns - 1];
    else if (one_in(seed, 60))
        branch.target = 0;
    else if (!branch.direct)
        branch.target += (one_in(seed, 2) ? pick(seed, 3) : n % 4) * 36;
    else if (one_in(seed, 50))
        branch.target += 4; /* the code was written anew */
    return branch;
}

static struct slow_targets *slow_targets_new(const struct armpmu_machine *machine)
{
    struct slow_targets *slow = calloc(1, sizeof *slow);

    assert_non_null(slow);
    slow->directions = slow_new(machine);
    slow->machine = machine;
    for (unsigned i = 0; i < 16; i++)
        slow->indirect[i].address = NEVER;
    for (unsigned i = 0; i < sizeof slow->latest / sizeof slow->latest[0]; i++)
        slow->latest[i].address = NEVER;
    return slow;
}

static void slow_targets_free(struct slow_targets *slow)
{
    free(slow->directions);
    free(slow);
}

static void compare_targets(const struct armpmu_machine *machine, unsigned kind_at_0, uint64_t seed)
{
    struct tage tage;
    struct slow_targets *slow = slow_targets_new(machine);
    unsigned n_results[3] = {0}, n_levels[TAGE_LEVELS + 1] = {0}, n_alone = 0;

    start(&tage, machine);
    for (unsigned n = 0; n < MAX_BRANCHES; n++) {
        const struct tage_branch branch = random_branch(slow, n, kind_at_0, &seed);
        const enum tage_result expected = slow_foresee(slow, &branch);
        n_results[expected]++;
        assert_int_equal(see(&tage, &branch), expected);
        if (!branch.taken)
            continue;
        n_levels[slow->level]++;
        n_alone += slow->alone;
        assert_int_equal(tage.level, slow->level);
        assert_int_equal(tage_is_alone(&tage, branch.address), slow->alone);
    }
    assert_in_range(n_alone, MAX_BRANCHES / 20, MAX_BRANCHES - MAX_BRANCHES / 20);
    for (unsigned level = TAGE_NEAR; level < TAGE_FAR && machine == &large; level++)
        assert_in_range(n_levels[level], MAX_BRANCHES / 40, MAX_BRANCHES);
    /* The small buffer forgets, the large one is late once. */
    assert_in_range(n_results[TAGE_LATE], 20, MAX_BRANCHES);
    assert_in_range(n_results[TAGE_RIGHT], MAX_BRANCHES / 8, MAX_BRANCHES);
    assert_in_range(n_results[TAGE_WRONG], MAX_BRANCHES / 20, MAX_BRANCHES);
    tage_free(&tage);
    slow_targets_free(slow);
}

/* Few places, and many branches that go where some branch before them went. */
TEST(crowded_targets_agree_with_a_slow_reference)
{
    struct tage tage;
    struct armpmu_machine machine = small;
    machine.branch_indirect_entries = 64;
    struct slow_targets *slow = slow_targets_new(&machine);
    static unsigned went[MAX_BRANCHES];
    uint64_t seed = 8;

    start(&tage, &machine);
    for (unsigned n = 0; n < MAX_BRANCHES; n++) {
        const unsigned memo = n % 37, back = 1 + memo % 30;
        went[n] = n < back || one_in(&seed, 90) ? pick(&seed, 3) : went[n - back];
        const struct tage_branch branch = {
            .address = 0x1000 + memo * 20, .target = 0x9000 + went[n] * 0x180, .taken = true};
        assert_int_equal(see(&tage, &branch), slow_foresee(slow, &branch));
    }
    assert_in_range(slow->n_crowded, 100, MAX_BRANCHES);
    tage_free(&tage);
    slow_targets_free(slow);
}

TEST(targets_agree_with_a_slow_reference)
{
    for (unsigned kind_at_0 = 0; kind_at_0 < 3; kind_at_0++) {
        compare_targets(&small, kind_at_0, 15);
        compare_targets(&large, kind_at_0, 16);
        compare_targets(&wide, kind_at_0, 17);
        compare_targets(&history_alone, kind_at_0, 18);
    }
}

/* ---- by hand ---- */

static unsigned count_wrong(const struct tage_branch *branches, unsigned n_branches,
                            unsigned rounds, unsigned warm_up)
{
    struct tage tage;
    unsigned wrong = 0;

    start(&tage, &large);
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < n_branches; i++)
            wrong += see(&tage, &branches[i]) == TAGE_WRONG && round >= warm_up;
    tage_free(&tage);
    return wrong;
}

#define LOOP(a, t)                                                                                 \
    {                                                                                              \
        .address = a, .target = a - 64, .conditional = true, .taken = t, .direct = true            \
    }

/* A loop of so many turns within another one: mispredictions of the last 50 of 250 times. */
static unsigned wrong_of_nested(unsigned turns)
{
    struct tage_branch loop[100];

    for (unsigned i = 0; i < turns; i++)
        loop[i] = (struct tage_branch)LOOP(0x1000, i != turns - 1);
    loop[turns] = (struct tage_branch)LOOP(0x1010, true);
    return count_wrong(loop, turns + 1, 250, 200);
}

TEST(patterns_within_the_histories_are_learned)
{
    const struct tage_branch steady[] = {LOOP(0x1000, true), LOOP(0x2000, false)};

    assert_int_equal(wrong_of_nested(50), 0);
    assert_int_equal(wrong_of_nested(64), 0); /* 63 taken branches, and the outer one */
    assert_int_equal(wrong_of_nested(70), 50);
    assert_int_equal(count_wrong(steady, 2, 40, 4), 0);
}

/* By chance: wrong about every other time. */
TEST(chance_is_not_learned)
{
    struct tage_branch branches[1000];
    uint64_t seed = 9;

    for (unsigned i = 0; i < 1000; i++)
        branches[i] = (struct tage_branch)LOOP(0x1000, one_in(&seed, 2));
    const unsigned wrong = count_wrong(branches, 1000, 1, 0);
    assert_in_range(wrong, 400, 600);
}

TEST(direct_branches_are_late_once)
{
    struct tage tage;
    const struct tage_branch jump = {
        .address = 0x1000, .target = 0x9000, .taken = true, .direct = true};

    start(&tage, &small);
    assert_int_equal(see(&tage, &jump), TAGE_LATE);
    assert_int_equal(see(&tage, &jump), TAGE_RIGHT);
    tage_free(&tage);
}

TEST(indirect_branches_follow_their_targets)
{
    struct tage tage;
    struct tage_branch jump = {.address = 0x1000, .taken = true};
    unsigned wrong = 0;

    start(&tage, &large);
    jump.target = 0x9000;
    assert_int_equal(see(&tage, &jump), TAGE_WRONG);
    assert_int_equal(see(&tage, &jump), TAGE_RIGHT); /* the buffer knows it */
    for (unsigned n = 0; n < 100; n++) {             /* three targets in turn */
        jump.target = 0x9000 + n % 3 * 0x100;
        wrong += see(&tage, &jump) == TAGE_WRONG && n >= 50;
    }
    assert_int_equal(wrong, 0);
    tage_free(&tage);
}

/* Mispredictions of 20 passes of an interpreter over so many instructions, after 200: one place
 * jumps to one of two, of which the second comes once, and both jump back. */
static unsigned wrong_of_interpreter(unsigned instructions)
{
    struct tage_branch pass[200];

    for (unsigned i = 0; i < instructions; i++) {
        const uint64_t place = i == instructions - 1 ? 0x9284 : 0x9100;
        pass[2 * i] = (struct tage_branch){.address = 0x1000, .target = place, .taken = true};
        pass[2 * i + 1] = (struct tage_branch){
            .address = place + 8, .target = 0x1000, .taken = true, .direct = true};
    }
    return count_wrong(pass, 2 * instructions, 220, 200);
}

/* 64 taken branches are 32 instructions. */
TEST(indirect_branches_follow_the_path)
{
    assert_int_equal(wrong_of_interpreter(3), 0);
    assert_int_equal(wrong_of_interpreter(14), 0);
    assert_int_equal(wrong_of_interpreter(31), 0);
    assert_int_equal(wrong_of_interpreter(36), 20);
    assert_int_equal(wrong_of_interpreter(90), 20);
}

/* Branches so close together that the buffer has none of them, each with its own target: where two
 * have one place in a table, a longer history learns one of them. 650 are wrong if none does. */
TEST(branches_of_one_place_are_learned)
{
    struct tage_branch crowd[100];

    for (unsigned i = 0; i < 100; i++)
        crowd[i] = (struct tage_branch){
            .address = 0x1000 + i * 4, .target = i < 99 ? 0x1004 + i * 4 : 0x1000, .taken = true};
    assert_in_range(count_wrong(crowd, 100, 60, 50), 0, 200);
}

/* Calls to the depth of the stack return as foreseen, the ones deeper do not. */
static unsigned wrong_returns(unsigned depth)
{
    struct tage tage;
    unsigned wrong = 0;

    start(&tage, &small);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < depth; i++) {
            const struct tage_branch call = {.address = 0x1000 + i * 64,
                                             .target = 0x1000 + (i + 1) * 64,
                                             .taken = true,
                                             .direct = true,
                                             .links = true};
            see(&tage, &call);
        }
        for (unsigned i = depth; i-- > 0;) {
            const struct tage_branch back = {.address = 0x1000 + (i + 1) * 64 + 8,
                                             .target = 0x1000 + i * 64 + 4,
                                             .taken = true,
                                             .is_return = true};
            wrong += see(&tage, &back) == TAGE_WRONG;
        }
    }
    tage_free(&tage);
    return wrong;
}

TEST(returns_are_foreseen_to_the_depth_of_the_stack)
{
    assert_int_equal(wrong_returns(1), 0);
    assert_int_equal(wrong_returns(4), 0);
    assert_int_equal(wrong_returns(5), 2);
    assert_int_equal(wrong_returns(7), 6);
}

/* A function that calls itself: all return addresses are one, but the stack knows four at most. */
TEST(a_full_stack_holds_no_more_than_it_has_places)
{
    struct tage tage;
    const struct tage_branch call = {
        .address = 0x1000, .target = 0x1000, .taken = true, .direct = true, .links = true};
    const struct tage_branch back = {
        .address = 0x1010, .target = 0x1004, .taken = true, .is_return = true};

    for (unsigned places = 0; places <= 4; places++) {
        struct armpmu_machine machine = small;
        unsigned wrong = 0;
        machine.branch_return_stack = places;
        start(&tage, &machine);
        for (unsigned i = 0; i < 7; i++)
            see(&tage, &call);
        for (unsigned i = 0; i < 7; i++)
            wrong += see(&tage, &back) == TAGE_WRONG;
        assert_int_equal(wrong, 7 - places);
        tage_free(&tage);
    }
}

TEST(a_buffer_that_cannot_be_is_told)
{
    struct tage tage;
    struct armpmu_machine machine = small;
    struct armpmu_error err = {""};

    machine.branch_btb_ways = 32;
    memset(&tage, 0xa5, sizeof tage); /* not pointers that could be released */
    assert_int_equal(tage_init(&tage, &machine, &err), ARMPMU_BAD_CONFIG);
    assert_non_null(strstr(err.message, "sets: 0, must be at least 1"));
    tage_free(&tage);
    machine = small;
    machine.branch_near_entries = 2047;
    assert_int_equal(tage_init(&tage, &machine, &err), ARMPMU_BAD_CONFIG);
    assert_non_null(strstr(err.message, "branch.near_entries = 2047"));
    tage_free(&tage);
}
