/* Prepares a block: its instructions as steps, grouped by the line they are fetched from, and the
 * counts of one complete execution. */
#include "cores/neoverse/core.h"

#include <stdlib.h>
#include <string.h>

static struct tage_branch branch_of(const struct block *block)
{
    if (block->n_insns == 0)
        return (struct tage_branch){0};
    const struct insn *insn = &block->insns[block->n_insns - 1];
    return (struct tage_branch){
        .address = block->address + insn->offset,
        .conditional = insn_is_conditional(insn),
        .direct = insn->branch == BRANCH_IMMEDIATE,
        .is_return = insn->branch == BRANCH_RETURN,
        .links = insn->links,
    };
}

static bool is_perfect(const struct armpmu_machine *machine, const struct block *block)
{
    return machine_predicts(machine, block->address + block->insns[block->n_insns - 1].offset);
}

static enum neoverse_end end_of(const struct armpmu_machine *machine, const struct block *block)
{
    if (block->n_insns == 0)
        return ENDS_PLAINLY;
    const struct insn *insn = &block->insns[block->n_insns - 1];
    if (insn->branch == BRANCH_NONE)
        return insn->barrier == BARRIER_INSTRUCTION ? ENDS_IN_BARRIER : ENDS_PLAINLY;
    if (insn->branch == BRANCH_EXCEPTION_RETURN)
        return ENDS_IN_RETURN;
    return is_perfect(machine, block) ? ENDS_IN_PERFECT : ENDS_IN_BRANCH;
}

/* The longest way from the target of the first branch of a pair to the end of the second. */
#define PAIR_BYTES 32

static bool may_end_pair(const struct tage_branch *branch, const struct block *block)
{
    return branch->direct && !branch->conditional &&
           branch->address + 4 - block->address <= PAIR_BYTES;
}

/* All that instructions count by themselves. */
static const enum armpmu_signal counted[] = {
    ARMPMU_SIGNAL_LOAD_RETIRED,        ARMPMU_SIGNAL_STORE_RETIRED,
    ARMPMU_SIGNAL_EXCEPTION_RETURN,    ARMPMU_SIGNAL_CONTEXTIDR_WRITE,
    ARMPMU_SIGNAL_BRANCH_IMMEDIATE,    ARMPMU_SIGNAL_BRANCH_RETURN,
    ARMPMU_SIGNAL_OPERATION_RETIRED,   ARMPMU_SIGNAL_BRANCH_RETIRED,
    ARMPMU_SIGNAL_BRANCH_INDIRECT,     ARMPMU_SIGNAL_TTBR_WRITE,
    ARMPMU_SIGNAL_EXCLUSIVE_LOAD,      ARMPMU_SIGNAL_EXCLUSIVE_STORE_PASS,
    ARMPMU_SIGNAL_ACQUIRE_LOAD,        ARMPMU_SIGNAL_RELEASE_STORE,
    ARMPMU_SIGNAL_DATA_PROCESSING,     ARMPMU_SIGNAL_SIMD_OPERATION,
    ARMPMU_SIGNAL_FLOAT_OPERATION,     ARMPMU_SIGNAL_CRYPTO_OPERATION,
    ARMPMU_SIGNAL_FLOAT_HALF,          ARMPMU_SIGNAL_FLOAT_SINGLE,
    ARMPMU_SIGNAL_FLOAT_DOUBLE,        ARMPMU_SIGNAL_FLOAT_ELEMENT,
    ARMPMU_SIGNAL_SIMD_INTEGER8,       ARMPMU_SIGNAL_SIMD_INTEGER16,
    ARMPMU_SIGNAL_SIMD_INTEGER32,      ARMPMU_SIGNAL_SIMD_INTEGER64,
    ARMPMU_SIGNAL_SCALABLE_OPERATION,  ARMPMU_SIGNAL_FLOAT_SCALABLE,
    ARMPMU_SIGNAL_PREDICATED,          ARMPMU_SIGNAL_FIRST_FAULT_LOAD,
    ARMPMU_SIGNAL_INSTRUCTION_BARRIER, ARMPMU_SIGNAL_SYNC_BARRIER,
    ARMPMU_SIGNAL_MEMORY_BARRIER,      ARMPMU_SIGNAL_BRANCH_CONDITIONAL,
    ARMPMU_SIGNAL_INST_RETIRED,
};

enum { INCREMENTS_MAX = sizeof counted / sizeof counted[0] };

/* Lists it; counts: all 0, and so again afterwards. */
static void list_counted(struct neoverse_step *step, const struct insn *insn, uint64_t *counts)
{
    neoverse_count_insn(insn, step->window.slots, counts);
    for (unsigned i = 0; i < INCREMENTS_MAX; i++)
        for (; counts[counted[i]] != 0; counts[counted[i]]--)
            if (step->n_counted < NEOVERSE_COUNTED)
                step->counted[step->n_counted++] = (uint16_t)counted[i];
            else
                step->n_counted = NEOVERSE_MANY;
}

static void list_all_counted(struct neoverse_block *defined, const struct block *block)
{
    uint64_t counts[ARMPMU_SIGNAL_COUNT] = {0};

    for (uint32_t i = 0; i < block->n_insns; i++)
        list_counted(&defined->steps[i], &block->insns[i], counts);
}

static enum neoverse_kind kind_of(const struct neoverse_step *step)
{
    const struct ooo_step *const window = &step->window;

    if (step->monitors)
        return KIND_ANY;
    if (window->plain && !step->active)
        return ooo_is_short(window) ? KIND_SHORT : KIND_PLAIN;
    if (window->accumulates)
        return KIND_VECTOR;
    if (step->active || !window->accesses || step->bytes == 0 || window->load == window->store)
        return KIND_ANY;
    if (window->store)
        return KIND_STORE;
    if (window->more_reads != 0 || window->first != OOO_ALWAYS)
        return KIND_ANY;
    return window->divides ? KIND_PAIR : KIND_LOAD;
}

/* A step in a place that is cured goes by itself, since its cycles are counted. */
static void cure_step(struct neoverse_step *step, const struct cures *cures)
{
    step->cured = true;
    step->kind = KIND_ANY;
    if (cures->kind != CURE_LATENCY || step->queued || step->latency <= 1)
        return;
    step->window.latency = (uint32_t)ooo_time(1);
    step->window.forward = 0;
    step->window.divide_time = (uint32_t)ooo_time(1);
    step->window.times = 1;
}

/* Returns the bits of an address that are clear where an access is one or two whole granules, or
 * part of one: -1, which is all bits of an address, if it never is. */
static int8_t scattered_bits(uint32_t bytes)
{
    return bytes == 16 ? 15
           : bytes > 8 ? -1
           : bytes > 4 ? 7
           : bytes > 2 ? 3
                       : (int8_t)(bytes - (bytes != 0));
}

static void make_step(struct neoverse *core, struct neoverse_block *defined,
                      const struct block *block, uint32_t index)
{
    struct neoverse_step *const step = &defined->steps[index];
    const bool in_order = core->window.in_order;
    const struct cures *const cures = core->core.machine->cures;
    const struct insn *insn = &block->insns[index];
    struct insn plain;
    if (in_order && core_makes_plain(cures, block->address + insn->offset, insn, &plain))
        insn = &plain;
    struct neoverse_op op;
    neoverse_op_make(&op, insn, index > 0 ? &block->insns[index - 1] : NULL, core->core.machine);
    *step = (struct neoverse_step){
        .index = (uint16_t)index,
        .offset = op.offset,
        .bytes = op.bytes,
        .latency = op.window.latency,
        .quads = op.quads,
        .unaligned = (uint8_t)(block->insns[index].memory.align - 1u),
        .monitors = block->insns[index].monitors,
        .active = op.active,
        .queued = op.window.load || op.window.store,
    };
    ooo_step_make(&core->window, &step->window, &op.window, in_order ? &op.in_order : NULL);
    if (in_order)
        defined->in_order[index] = op.in_order;
    step->kind = kind_of(step);
    step->scattered = (int8_t)(step->unaligned | scattered_bits(op.bytes));
    step->stride = memory_stride_of(&core->memory, op.window.store, block->address + op.offset);
    if (unlikely(cures != NULL) &&
        (cures->of_data ? step->queued : cures_have(cures, block->address + op.offset)))
        cure_step(step, cures);
}

static void add_to_group(const struct neoverse *core, struct neoverse_fetch_group *group,
                         const struct neoverse_step *step)
{
    group->row.n++;
    group->row.n_loads += step->window.load;
    group->row.n_stores += step->window.store;
    const bool apart = group->together == NEOVERSE_APART || step->window.slots != 1 ||
                       step->cured || core->window.in_order ||
                       step->window.barrier != OOO_NO_BARRIER ||
                       !ooo_row_fits(&core->window, &group->row);
    group->together = apart ? NEOVERSE_APART : group->row.n;
}

static void make_steps(struct neoverse *core, struct neoverse_block *defined,
                       const struct block *block)
{
    uint64_t latest = UINT64_MAX;

    for (uint32_t i = 0; i < block->n_insns; i++) {
        struct neoverse_step *step = &defined->steps[i];
        make_step(core, defined, block, i);
        defined->governed |= block->insns[i].scalable.kind != SVE_NONE &&
                             block->insns[i].scalable.governor != NO_GOVERNOR;
        const uint64_t line = (block->address + step->offset) >> core->memory.line_shift;
        if (line != latest)
            defined->groups[defined->n_groups++] =
                (struct neoverse_fetch_group){.first = step, .line = line};
        if (cures_by(core->core.machine->cures, CURE_CODE, block->address + step->offset))
            defined->groups[defined->n_groups - 1].cured = true;
        add_to_group(core, &defined->groups[defined->n_groups - 1], step);
        latest = line;
    }
}

void neoverse_add_insns(const struct neoverse_block *defined, const struct block *block, uint32_t n,
                        uint64_t *tally)
{
    for (uint32_t i = 0; i < n; i++)
        neoverse_count_insn(&block->insns[i], defined->steps[i].window.slots, tally);
}

/* An instruction of a wrong path counts others in place of these. */
static enum armpmu_signal wrong_of(enum armpmu_signal signal)
{
    static const uint16_t wrong[ARMPMU_SIGNAL_COUNT] = {
        [ARMPMU_SIGNAL_LOAD_RETIRED] = ARMPMU_SIGNAL_WRONG_LOAD,
        [ARMPMU_SIGNAL_STORE_RETIRED] = ARMPMU_SIGNAL_WRONG_STORE,
        [ARMPMU_SIGNAL_DATA_PROCESSING] = ARMPMU_SIGNAL_WRONG_INTEGER,
        [ARMPMU_SIGNAL_SIMD_OPERATION] = ARMPMU_SIGNAL_WRONG_SIMD,
        [ARMPMU_SIGNAL_SCALABLE_OPERATION] = ARMPMU_SIGNAL_WRONG_SCALABLE,
        [ARMPMU_SIGNAL_FLOAT_OPERATION] = ARMPMU_SIGNAL_WRONG_FLOAT,
        [ARMPMU_SIGNAL_CRYPTO_OPERATION] = ARMPMU_SIGNAL_WRONG_CRYPTO,
        [ARMPMU_SIGNAL_BRANCH_IMMEDIATE] = ARMPMU_SIGNAL_WRONG_BRANCH_IMMEDIATE,
        [ARMPMU_SIGNAL_BRANCH_RETURN] = ARMPMU_SIGNAL_WRONG_BRANCH_RETURN,
        [ARMPMU_SIGNAL_BRANCH_INDIRECT] = ARMPMU_SIGNAL_WRONG_BRANCH_INDIRECT,
    };

    return (enum armpmu_signal)wrong[signal];
}

/* Returns the per_slot of a block: 0 where multiplying would not be exact. A wrong path has
 * OOO_RING operations at most. */
static uint64_t reciprocal(const struct neoverse_block *defined, const struct run_increment *list,
                           uint32_t n)
{
    uint64_t most = defined->n_insns;

    for (uint32_t i = 0; i < n; i++)
        most = ooo_later(most, list[i].per_run);
    return defined->n_slots != 0 && most * OOO_RING * defined->n_slots <= UINT32_MAX
               ? UINT32_MAX / defined->n_slots + UINT64_C(1)
               : 0;
}

/* Lists what a block counts, and then what a wrong path after it does. Most blocks count a few of
 * all signals, so that they have as much memory as they need. Returns false without memory. */
static bool make_increments(struct neoverse_block *defined, const struct block *block)
{
    uint64_t counts[ARMPMU_SIGNAL_COUNT] = {0};
    struct run_increment list[2 * INCREMENTS_MAX];
    uint32_t n = 0, n_wrong = 0;

    neoverse_add_insns(defined, block, block->n_insns, counts);
    defined->n_slots = (uint32_t)counts[ARMPMU_SIGNAL_OPERATION_RETIRED];
    for (uint32_t i = 0; i < INCREMENTS_MAX; i++)
        if (counts[counted[i]] != 0)
            list[n++] = (struct run_increment){.tally = counted[i],
                                               .per_run = (uint32_t)counts[counted[i]]};
    for (uint32_t i = 0; i < n; i++)
        if (wrong_of(list[i].tally) != 0)
            list[n + n_wrong++] = (struct run_increment){.tally = wrong_of(list[i].tally),
                                                         .per_run = list[i].per_run};
    defined->per_slot = reciprocal(defined, list, n);
    const size_t bytes = (n + n_wrong) * sizeof list[0];
    if (bytes == 0)
        return true;
    defined->increments = malloc(bytes);
    if (defined->increments == NULL)
        return false;
    memcpy(defined->increments, list, bytes);
    defined->wrong = &defined->increments[n];
    defined->n_increments = n;
    defined->n_wrong = n_wrong;
    return true;
}

static inline uint64_t by_slots(const struct neoverse_block *defined, uint64_t operations,
                                uint32_t per_run, bool multiplies)
{
    return multiplies ? operations * defined->per_slot * per_run >> 32
                      : operations * per_run / defined->n_slots;
}

static ALWAYS_INLINE void add_wrong_path(const struct neoverse_block *defined, uint64_t operations,
                                         uint64_t *tally, bool multiplies)
{
    const struct run_increment *wrong = defined->wrong, *const end = wrong + defined->n_wrong;

    tally[ARMPMU_SIGNAL_WRONG_OPERATION] += operations;
    tally[ARMPMU_SIGNAL_WRONG_INSTRUCTION] +=
        by_slots(defined, operations, defined->n_insns, multiplies);
    for (; wrong != end; wrong++)
        tally[wrong->tally] += by_slots(defined, operations, wrong->per_run, multiplies);
}

void neoverse_add_wrong_path(const struct neoverse_block *defined, uint64_t operations,
                             uint64_t *tally)
{
    if (likely(defined->per_slot != 0))
        add_wrong_path(defined, operations, tally, true);
    else
        add_wrong_path(defined, operations, tally, false);
}

void neoverse_add_runs(const struct neoverse *core, uint64_t *tally)
{
    for (const struct neoverse_block *block = core->ran; block != NULL; block = block->next_ran)
        run_increments_add(block->increments, block->n_increments, block->runs + 1, tally);
}

void neoverse_sync_runs(struct neoverse *core)
{
    for (; core->ran != NULL; core->ran = core->ran->next_ran) {
        struct neoverse_block *const block = core->ran;
        if (core->misses != NULL)
            neoverse_attribute_runs(core, block);
        else
            run_increments_add(block->increments, block->n_increments, block->runs + 1, block->row);
        block->runs = UINT64_MAX;
    }
}

/* The lines of instructions that a block lies in; at least one. */
static size_t groups_of(const struct neoverse *core, const struct block *block)
{
    const uint64_t last = block->address + (block->n_bytes != 0 ? block->n_bytes - 1 : 0);

    return (last >> core->memory.line_shift) - (block->address >> core->memory.line_shift) + 1;
}

void *neoverse_new_block(void *state, const struct block *block)
{
    struct neoverse *core = state;
    const size_t n_groups = groups_of(core, block);
    const size_t n_in_order = core->window.in_order ? block->n_insns : 0;
    struct neoverse_block *defined =
        malloc(sizeof *defined + block->n_insns * sizeof defined->steps[0] +
               n_groups * sizeof defined->groups[0] + n_in_order * sizeof defined->in_order[0]);

    if (defined == NULL)
        return NULL;
    *defined = (struct neoverse_block){
        .branch = branch_of(block),
        .end = end_of(core->core.machine, block),
        .n_insns = block->n_insns,
        .code = block,
        .runs = UINT64_MAX,
    };
    struct ooo_in_order *const in_order =
        (struct ooo_in_order *)(void *)&defined->steps[block->n_insns];
    defined->in_order = core->window.in_order ? in_order : NULL;
    defined->groups = (struct neoverse_fetch_group *)(void *)&in_order[n_in_order];
    defined->ends_pair =
        core->core.machine->branch_pairs == YESNO_YES && may_end_pair(&defined->branch, block);
    defined->announces = defined->branch.conditional && tage_has_tables(&core->tage);
    defined->memo = tage_memo_of(&core->tage, defined->branch.address);
    make_steps(core, defined, block);
    if (core->misses != NULL)
        list_all_counted(defined, block);
    defined->groups_end = &defined->groups[defined->n_groups];
    if (make_increments(defined, block))
        return defined;
    free(defined);
    return NULL;
}

void neoverse_free_block(void *state, void *data)
{
    struct neoverse_block *const block = data;

    neoverse_sync_runs(state);
    free(block->increments);
    free(block);
}
