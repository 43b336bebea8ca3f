#include "uarch/foresight.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static const uint8_t history_lengths[FORESIGHT_TABLES] = {5, 12, 28, 64};

#define TAG_BITS    13 /* a prime, so that index and tag fold histories differently... */
#define TAG_BITS_13 11 /* ...also where the index has so many */
#define TARGET_MASK ((1u << FORESIGHT_TARGET_BITS) - 1)
#define MOSTLY      4 /* of 0..7: taken from here on */
#define USEFUL_MAX  3

static bool take_tables(struct foresight *foresight, const struct armpmu_machine *machine)
{
    const size_t entries = machine->branch_table_entries;

    foresight->base = malloc(machine->branch_base_counters);
    foresight->btb_targets = calloc(machine->branch_btb_entries, sizeof *foresight->btb_targets);
    foresight->indirect = calloc(machine->branch_indirect_entries, sizeof *foresight->indirect);
    if (foresight->base == NULL || foresight->btb_targets == NULL || foresight->indirect == NULL)
        return false;
    memset(foresight->base, 1, machine->branch_base_counters); /* weakly not taken */
    for (unsigned table = 0; table < FORESIGHT_TABLES; table++) {
        foresight->tables[table] = calloc(entries, sizeof *foresight->tables[table]);
        if (foresight->tables[table] == NULL)
            return false;
    }
    return true;
}

static void set_up_folds(struct foresight *foresight)
{
    for (unsigned table = 0; table < FORESIGHT_TABLES; table++) {
        foresight->index_folds[table] = (struct foresight_fold){
            .bits = (uint8_t)foresight->table_bits, .length = history_lengths[table]};
        foresight->tag_folds[table] = (struct foresight_fold){.bits = (uint8_t)foresight->tag_bits,
                                                              .length = history_lengths[table]};
    }
}

enum armpmu_status foresight_init(struct foresight *foresight, const struct armpmu_machine *machine,
                                  struct armpmu_error *err)
{
    const uint32_t ways = machine->branch_btb_ways;

    *foresight = (struct foresight){0};
    const enum armpmu_status status = wide_cache_init(
        &foresight->btb, machine->branch_btb_entries / ways, ways, REPLACEMENT_ROUND_ROBIN, 0, err);
    if (status != ARMPMU_OK)
        return status;
    foresight->base_mask = machine->branch_base_counters - 1;
    foresight->table_bits = (uint32_t)__builtin_ctz(machine->branch_table_entries);
    foresight->tag_bits = foresight->table_bits == TAG_BITS ? TAG_BITS_13 : TAG_BITS;
    foresight->indirect_mask = machine->branch_indirect_entries - 1;
    foresight->stack_size = machine->branch_return_stack;
    set_up_folds(foresight);
    if (!take_tables(foresight, machine)) {
        foresight_free(foresight);
        return fail(err, ARMPMU_NO_MEMORY, "no memory for a branch predictor");
    }
    return ARMPMU_OK;
}

void foresight_free(struct foresight *foresight)
{
    wide_cache_free(&foresight->btb);
    free(foresight->base);
    free(foresight->btb_targets);
    free(foresight->indirect);
    for (unsigned table = 0; table < FORESIGHT_TABLES; table++)
        free(foresight->tables[table]);
    *foresight = (struct foresight){0};
}

/* ---- direction ---- */

static struct foresight_entry *entry_of(const struct foresight *foresight, unsigned table,
                                        uint64_t address)
{
    const uint64_t word = address >> 2;
    const uint64_t hash =
        word ^ word >> (foresight->table_bits - table) ^ foresight->index_folds[table].value;
    return &foresight->tables[table][hash & ((UINT32_C(1) << foresight->table_bits) - 1)];
}

/* Never 0, so that an entry nobody wrote belongs to no branch. */
static uint16_t tag_of(const struct foresight *foresight, unsigned table, uint64_t address)
{
    const uint64_t word = address >> 2;
    const uint64_t hash =
        word ^ word >> foresight->tag_bits ^ (uint64_t)foresight->tag_folds[table].value << 1;
    return (uint16_t)((hash & ((1u << foresight->tag_bits) - 1)) | 1u << foresight->tag_bits);
}

static void learn_outcome(uint8_t *counter, bool taken, uint8_t most)
{
    if (taken)
        *counter = (uint8_t)(*counter + (*counter < most));
    else
        *counter = (uint8_t)(*counter - (*counter > 0));
}

static void shift_fold(struct foresight_fold *fold, uint64_t history, bool taken)
{
    const uint32_t oldest = (uint32_t)(history >> (fold->length - 1)) & 1;
    const uint32_t value = fold->value << 1 | fold->value >> (fold->bits - 1);
    fold->value = (value ^ oldest << fold->length % fold->bits ^ (uint32_t)taken) &
                  ((UINT32_C(1) << fold->bits) - 1);
}

static void remember_outcome(struct foresight *foresight, bool taken)
{
    for (unsigned table = 0; table < FORESIGHT_TABLES; table++) {
        shift_fold(&foresight->index_folds[table], foresight->history, taken);
        shift_fold(&foresight->tag_folds[table], foresight->history, taken);
    }
    foresight->history = foresight->history << 1 | taken;
}

/* What the tables say about a branch. */
struct answer {
    struct foresight_entry *longest; /* whose entry decides; NULL: the base */
    int table;                       /* of longest, -1 for the base */
    bool taken, shorter;             /* the answer, and that of the next shorter history */
};

static struct answer ask(const struct foresight *foresight, uint64_t address)
{
    const bool base = foresight->base[address >> 2 & foresight->base_mask] > 1;
    struct answer answer = {NULL, -1, base, base};

    for (unsigned table = 0; table < FORESIGHT_TABLES; table++) {
        struct foresight_entry *entry = entry_of(foresight, table, address);
        if (entry->tag != tag_of(foresight, table, address))
            continue;
        answer = (struct answer){entry, (int)table, entry->taken >= MOSTLY, answer.taken};
    }
    return answer;
}

/* A wrong answer: the shortest of the longer histories with an entry of no use learns the branch.
 * Where all are of use, all become a little less so. */
static void learn_longer(struct foresight *foresight, int table, uint64_t address, bool taken)
{
    for (unsigned longer = (unsigned)(table + 1); longer < FORESIGHT_TABLES; longer++) {
        struct foresight_entry *entry = entry_of(foresight, longer, address);
        if (entry->useful != 0)
            continue;
        *entry = (struct foresight_entry){.tag = tag_of(foresight, longer, address),
                                          .taken = taken ? MOSTLY : MOSTLY - 1};
        return;
    }
    for (unsigned longer = (unsigned)(table + 1); longer < FORESIGHT_TABLES; longer++)
        entry_of(foresight, longer, address)->useful--;
}

/* Returns what was predicted. */
static bool see_direction(struct foresight *foresight, uint64_t address, bool taken)
{
    const struct answer answer = ask(foresight, address);

    if (answer.longest == NULL) {
        learn_outcome(&foresight->base[address >> 2 & foresight->base_mask], taken, 3);
    } else {
        learn_outcome(&answer.longest->taken, taken, 7);
        if (answer.taken != answer.shorter)
            learn_outcome(&answer.longest->useful, answer.taken == taken, USEFUL_MAX);
    }
    if (answer.taken != taken)
        learn_longer(foresight, answer.table, address, taken);
    remember_outcome(foresight, taken);
    return answer.taken;
}

/* ---- targets ---- */

static void push_return(struct foresight *foresight, uint64_t address)
{
    if (foresight->stack_size == 0)
        return;
    foresight->stack[foresight->stack_top] = address;
    foresight->stack_top = (foresight->stack_top + 1) % foresight->stack_size;
    if (foresight->stack_used < foresight->stack_size)
        foresight->stack_used++;
}

/* The newest return address, or 0 where none is left. */
static uint64_t pop_return(struct foresight *foresight)
{
    if (foresight->stack_used == 0)
        return 0;
    foresight->stack_used--;
    foresight->stack_top =
        (foresight->stack_top == 0 ? foresight->stack_size : foresight->stack_top) - 1;
    return foresight->stack[foresight->stack_top];
}

/* Whether the branch target buffer knew the branch; *target is what it knew. Then it knows it. */
static bool see_in_btb(struct foresight *foresight, const struct foresight_branch *branch,
                       uint64_t *target)
{
    uint64_t victim;
    uint32_t slot = wide_cache_lookup(&foresight->btb, branch->address >> 2);
    const bool known = slot != WIDE_CACHE_NO_SLOT;

    if (known)
        *target = foresight->btb_targets[slot];
    else
        slot = wide_cache_fill(&foresight->btb, branch->address >> 2, &victim);
    foresight->btb_targets[slot] = branch->target;
    return known;
}

/* The indirect table's word on the target, or else that of the branch target buffer. */
static uint64_t see_indirect(struct foresight *foresight, const struct foresight_branch *branch,
                             uint64_t guess)
{
    const uint64_t hash = branch->address >> 2 ^ foresight->target_history;
    struct foresight_indirect *entry = &foresight->indirect[hash & foresight->indirect_mask];

    if (entry->branch == branch->address)
        guess = entry->target;
    *entry = (struct foresight_indirect){branch->address, branch->target};
    foresight->target_history =
        (foresight->target_history << 2 ^ (uint32_t)(branch->target >> 2)) & TARGET_MASK;
    return guess;
}

/* Of a taken branch whose direction was foreseen: whether its target was, too. */
static enum foresight_result see_target(struct foresight *foresight,
                                        const struct foresight_branch *branch)
{
    uint64_t guess = 0;
    const bool known = see_in_btb(foresight, branch, &guess);

    if (branch->is_return)
        guess = pop_return(foresight);
    else if (!branch->direct)
        guess = see_indirect(foresight, branch, guess);
    else if (!known)
        guess = branch->target; /* the decoder reads it */
    if (guess != branch->target)
        return FORESIGHT_WRONG;
    return known ? FORESIGHT_RIGHT : FORESIGHT_LATE;
}

enum foresight_result foresight_see(struct foresight *foresight,
                                    const struct foresight_branch *branch)
{
    const bool foreseen =
        branch->conditional ? see_direction(foresight, branch->address, branch->taken) : true;
    enum foresight_result result = FORESIGHT_RIGHT;

    if (branch->taken) {
        result = see_target(foresight, branch);
        if (branch->links)
            push_return(foresight, branch->address + 4);
    }
    return foreseen == branch->taken ? result : FORESIGHT_WRONG;
}
