/* The XScale core model for both generations, which differ only in their PMUs.
 *
 * Assumes: as trace/trace_reader.h, cores/xscale/btb.h and cores/xscale/memory.h.
 * Does not model: coprocessors with registers of their own, CP0; the wrong path's fetches; a
 * multiply's early end, CHOICE(xscale-multiply-class). */
#include "cores/xscale/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "machine/core_descriptor.h"
#include "trace/trace_reader_blocks.h"

enum {
    LOADED_PC_CYCLES = 5, /* from when a loaded PC is there to the instruction it leads to */
    THUMB_EXTRA = 1,      /* more cycles of a wrong prediction in Thumb state */
};

/* ---- blocks ---- */

static enum xs_end end_of(const struct block *code, const struct insn *last)
{
    if (last->branch == BRANCH_NONE)
        return XS_END_PLAIN;
    if (last->memory.load)
        return XS_END_LOAD;
    if (last->branch != BRANCH_IMMEDIATE || last->other_isa)
        return XS_END_OTHER;
    return code->isa == ARMPMU_T32 && last->links ? XS_END_DIRECT : XS_END_PREDICTED;
}

/* Where the branch at a block's end was not foreseen, and leads elsewhere, nothing issues for so
 * long. LDR takes 8 cycles in all, LDM with n registers 10, and one more for each above three.
 * Source: Intel XScale Core Developer's Manual (273473-002), Branch Instruction Timings. */
static uint32_t refill_cycles(const struct armpmu_machine *machine, const struct xs_block *block)
{
    const struct xs_op *op = &block->ops[block->n_insns - 1];
    if (block->end != XS_END_LOAD)
        return machine->branch_mispredict_cycles + (block->thumb ? THUMB_EXTRA : 0);
    return (!op->list ? 8u : op->words > 3 ? 10u + op->words - 3 : 10u) - op->issue;
}

/* One word may be known to hit. */
static void describe_access(const void *core, const struct block *code,
                            struct reader_access *access)
{
    const struct xscale *xscale = core;
    const struct xs_memory *memory = &xscale->memory;
    const struct xs_op op = xs_op_of(&code->insns[access->index], xscale->core.machine);
    if (op.words == 1 && op.unit == XS_LOAD)
        reader_hits_where(access, &memory->loads, -XS_LINE_BYTES, XS_LINE_SHIFT);
    else if (op.words == 1)
        reader_hits_where(access, &memory->stores, -XS_HALF_BYTES, XS_HALF_SHIFT);
}

static void add_access(struct xs_block *block, const struct insn *insn, const struct xs_op *op,
                       uint32_t index)
{
    if (op->words == 0)
        return;
    const bool has_bit = insn_access_is_optional(insn) && block->n_missing < XS_MISSING_MAX;
    block->accesses[block->n_accesses] = (struct xs_block_access){
        .index = index,
        .bytes = 4u * op->words,
        .words = op->words * (op->unit == XS_SWAP ? 2u : 1u),
        .store = op->unit != XS_LOAD,
        .is_known = op->words == 1 && op->unit != XS_SWAP && block->n_accesses < XS_OUTCOMES_MAX,
        .width = op->bytes,
        .latency = op->latency,
        .missing = has_bit ? 1u << (XS_MISSING_SHIFT + block->n_missing) : 0};
    block->n_missing += has_bit;
    block->n_accesses++;
}

static void describe(struct xscale *xscale, const struct block *code, struct xs_block *block)
{
    const struct insn *last = &code->insns[code->n_insns - 1];
    const struct cures *const cures = xscale->core.machine->cures;
    block->start = (uint32_t)code->address;
    block->n_insns = code->n_insns;
    block->first_line = block->start >> XS_LINE_SHIFT;
    block->last_line = (block->start + code->n_bytes - 1) >> XS_LINE_SHIFT;
    block->end = end_of(code, last);
    if (block->end == XS_END_PREDICTED && xscale->core.machine->branch_prediction == YESNO_NO)
        block->end = XS_END_DIRECT;
    block->is_direct_branch = block->end == XS_END_PREDICTED || block->end == XS_END_DIRECT;
    block->is_perfect = machine_predicts(xscale->core.machine, code->address + last->offset);
    block->thumb = code->isa == ARMPMU_T32;
    block->returns_exception = last->branch == BRANCH_EXCEPTION_RETURN;
    block->branch = xs_btb_find(&xscale->btb, block->start + last->offset);
    block->target = (uint32_t)last->target;
    for (unsigned i = 0; i < code->n_insns; i++) {
        struct xs_op *op = &block->ops[i];
        const uint64_t pc = code->address + code->insns[i].offset;
        struct insn plain;
        const bool is_plain = core_makes_plain(cures, pc, &code->insns[i], &plain);
        *op = xs_op_of(is_plain ? &plain : &code->insns[i], xscale->core.machine);
        op->preloads = preload_find(code, i, &op->preload);
        op->preloads_itself = op->words != 0 && cures_by(cures, CURE_PREFETCH, pc);
        block->reaches_memory |= op->drains || op->preloads || op->preloads_itself;
        add_access(block, &code->insns[i], op, i);
    }
    block->refill_cycles = refill_cycles(xscale->core.machine, block);
}

/* The place of a block's accesses: after its instructions. */
static size_t accesses_at(const struct block *code)
{
    const size_t alignment = _Alignof(struct xs_block_access);
    const size_t end = sizeof(struct xs_block) + code->n_insns * sizeof(struct xs_op);
    return (end + alignment - 1) / alignment * alignment;
}

static void *new_block(void *core, const struct block *code)
{
    struct xs_block *block =
        calloc(1, accesses_at(code) + code->n_insns * sizeof block->accesses[0]);
    if (block == NULL || code->n_insns == 0)
        return block;
    block->accesses = (struct xs_block_access *)((uintptr_t)block + accesses_at(code));
    describe(core, code, block);
    return block;
}

static void free_block(void *core, void *data)
{
    struct xscale *xscale = core;
    struct xs_block *block = data;
    xs_sync(xscale);
    xs_attribute_left(xscale);
    for (struct xs_schedule_memo *memo = block->all_memos; memo != NULL;) {
        struct xs_schedule_memo *next = memo->next;
        reader_drop(xscale->core.reader, memo);
        free(memo);
        memo = next;
    }
    free(block);
}

static const struct core_ops xscale_ops;

/* ---- execution ---- */

/* Returns whether all lines of a block are there: known to hit, and no code is on its way. */
static inline bool is_fetched(struct xscale *xscale, struct xs_block *block)
{
    struct xs_memory *memory = &xscale->memory;
    if (likely(block->fetched_at == memory->fetch_epoch))
        return true;
    if (memory->fetching.done > xscale->now ||
        !xs_fetch_hits(memory, block->first_line, block->last_line))
        return false;
    memo_block_mark(&xscale->dirty_blocks, &block->memos);
    block->fetched_at = memory->fetch_epoch;
    return true;
}

/* Returns whether a block ran whole, though without some accesses; *missing: the bits of the ones
 * left out. Then only the state of the pipeline decides what it does, and what the accesses find.
 */
static bool ran_whole(const struct xs_block *block, const struct retired_block *executed,
                      uint32_t *missing)
{
    const struct retired_access *made = executed->accesses, *const end =
                                                                made + executed->n_accesses;
    if (executed->n_executed != block->n_insns || block->reaches_memory)
        return false;
    for (uint32_t i = 0; i < block->n_accesses; i++) {
        const struct xs_block_access *access = &block->accesses[i];
        const bool is_made = made != end && made->index == access->index;
        if (is_made ? made++->device : access->missing == 0)
            return false;
        *missing |= is_made ? 0 : access->missing;
    }
    return true;
}

/* taken: the branch at its end is, and is counted with it. */
static inline void run_memo(struct xscale *xscale, struct xs_schedule_memo *memo, bool taken)
{
    memo->exits[taken]++;
    xscale->now += memo->memo.cycles;
    xscale->state = memo->after;
}

/* CHOICE(xscale-condition): instructions that fail their condition execute.
 * CHOICE(xscale-thumb-bl): the two halves of a Thumb BL are one. */
static void retire_block(void *core, const struct retired_block *executed)
{
    struct xscale *xscale = core;
    struct xs_block *block = executed->data;
    uint32_t missing = 0;
    xs_attribute_left(xscale);
    if (unlikely(executed->n_executed == 0)) /* a helper of the kernel */
        return;
    const bool fetched = is_fetched(xscale, block);
    struct xs_schedule_memo *memo = NULL;
    if (likely(fetched && ran_whole(block, executed, &missing) &&
               xs_number_state(xscale) != SCHEDULE_NO_STATE))
        memo = xs_find_memo(xscale, executed, xscale->state | missing);
    if (unlikely(memo == NULL)) {
        xs_run_slowly(xscale, executed, fetched);
        return;
    }
    memo = xs_make_some_accesses(xscale, memo, executed);
    if (likely(memo != NULL))
        run_memo(xscale, memo, false);
}

/* ---- branches ---- */

/* CHOICE(xscale-pc-changed): whatever instruction writes the PC counts, BX and data processing
 * included, with its return from an exception; a branch that is not taken writes none. */
static void count_taken(struct xscale *xscale, bool returns_exception)
{
    xscale->memory.tally[ARMPMU_SIGNAL_PC_WRITE]++;
    xscale->memory.tally[ARMPMU_SIGNAL_EXCEPTION_RETURN] += returns_exception;
}

/* memo: that the block ran with; NULL: none. */
static OUT_OF_LINE void refill(struct xscale *xscale, const struct xs_block *block,
                               struct profile_block *profile, struct xs_schedule_memo *memo)
{
    const uint64_t least = block->refill_cycles;
    uint64_t lost = least;
    xs_attribute(xscale, profile, block->n_insns - 1);
    if (block->end == XS_END_LOAD) {
        const uint64_t wait = xs_pc_wait(xscale);
        lost = wait != 0 ? later(wait + LOADED_PC_CYCLES, least) : least;
    }
    xs_count_refills(block, 1, lost, xscale->memory.tally);
    xs_pass(xscale, lost);
    if (memo == NULL || xscale->state == SCHEDULE_NO_STATE)
        return;
    memo->lost = (uint32_t)lost;
    memo->refilled = xscale->state;
}

/* A whole block, or one that left by a branch, which is counted; target: of that. */
static ALWAYS_INLINE void leave(struct xscale *xscale, const struct xs_block *block,
                                struct profile_block *profile, struct xs_schedule_memo *memo,
                                bool taken, uint32_t target)
{
    bool foreseen = !taken;
    if (block->end == XS_END_PREDICTED && likely(!xscale->btb_off))
        foreseen = xs_btb_branch(&block->branch, target, taken) || block->is_perfect;
    if (foreseen)
        return;
    if (unlikely(memo == NULL || memo->lost == 0)) {
        refill(xscale, block, profile, memo);
        return;
    }
    memo->refills++;
    xscale->now += memo->lost;
    xscale->state = memo->refilled;
}

/* A block that is in no memo was left by a branch. */
static void leave_by_branch(struct xscale *xscale, const struct xs_block *block,
                            struct profile_block *profile)
{
    xs_attribute(xscale, profile, block->n_insns - 1);
    count_taken(xscale, block->returns_exception);
}

static void block_exit(void *core, const struct retired_block *executed, enum block_exit exit,
                       uint64_t next)
{
    struct xscale *xscale = core;
    const struct xs_block *block = executed->data;
    const bool is_whole = executed->n_executed == block->n_insns;
    const bool leaves = exit == EXIT_BRANCH || (exit == EXIT_SEQUENTIAL && is_whole);
    if (exit == EXIT_BRANCH)
        leave_by_branch(xscale, block, executed->profile);
    if (!leaves || xscale->by_insn)
        xs_attribute(xscale, executed->profile, executed->n_executed - is_whole);
    if (leaves)
        leave(xscale, block, executed->profile, NULL, exit == EXIT_BRANCH, (uint32_t)next);
}

/* ---- the fast path ---- */

const struct retired_block *xs_executed(struct xscale *xscale, const struct xs_whole *whole)
{
    return reader_whole_block(xscale->core.reader, &xscale_ops, whole->position, whole->records);
}

/* A whole block without a memo for its state gets one, or runs: then NULL. */
static OUT_OF_LINE struct xs_schedule_memo *find_or_run(struct xscale *xscale, bool fetched,
                                                        const struct trace_position *position,
                                                        const uint64_t *records)
{
    const struct xs_block *block = position->entry->data;
    const struct retired_block *executed =
        reader_whole_block(xscale->core.reader, &xscale_ops, position, records);
    struct xs_schedule_memo *memo = NULL;
    if (fetched && !block->reaches_memory && xs_number_state(xscale) != SCHEDULE_NO_STATE)
        memo = xs_find_memo(xscale, executed, xscale->state);
    if (memo == NULL)
        xs_run_slowly(xscale, executed, fetched);
    return memo;
}

/* hits: all accesses are known to hit. */
static ALWAYS_INLINE void retire(struct xscale *xscale, const struct trace_position *position,
                                 const uint64_t *records, bool taken, bool hits)
{
    struct xs_block *block = position->entry->data;
    const bool fetched = is_fetched(xscale, block);
    struct xs_schedule_memo *memo = NULL;
    if (likely(fetched)) /* none if it drains, or for SCHEDULE_NO_STATE */
        memo = (struct xs_schedule_memo *)schedule_memo_find(&block->memos.memos, xscale->state);
    if (unlikely(memo == NULL))
        memo = find_or_run(xscale, fetched, position, records);
    if (likely(memo != NULL) && !hits)
        memo = xs_make_accesses(
            xscale, memo,
            &(struct xs_whole){position, reader_access_at(&xscale_ops, position->entry, 0),
                               records});
    if (likely(memo != NULL))
        run_memo(xscale, memo, taken);
    else if (taken)
        leave_by_branch(xscale, block, position->entry->profile);
    xscale->left = position;
    leave(xscale, block, position->entry->profile, memo, taken, block->target);
}

static ALWAYS_INLINE void retire_whole(void *core, const struct trace_position *position,
                                       const uint64_t *records, bool taken)
{
    retire(core, position, records, taken, false);
}

static ALWAYS_INLINE void retire_hits(void *core, const struct trace_position *position,
                                      const uint64_t *records, bool taken)
{
    retire(core, position, records, taken, true);
}

static void late_branch(void *core, const struct retired_block *executed, bool taken)
{
    const struct block *code = executed->block;
    xs_attribute(core, executed->profile, code->n_insns - 1u);
    if (taken)
        count_taken(core, code->insns[code->n_insns - 1].branch == BRANCH_EXCEPTION_RETURN);
}

static void exception(void *core)
{
    struct xscale *xscale = core;
    xscale->memory.tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
    xs_stall(xscale, ARMPMU_SIGNAL_STALL_EXCEPTION, xscale->core.machine->exception_entry_cycles);
}

static void exception_return(void *core)
{
    struct xscale *xscale = core;
    xscale->memory.tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    xs_stall(xscale, ARMPMU_SIGNAL_STALL_EXCEPTION, xscale->core.machine->exception_return_cycles);
}

/* ---- a system ---- */

static void flush_tlbs(void *core)
{
    struct xscale *xscale = core;
    xs_flush_tlbs(&xscale->memory);
}

static void flush_page(void *core, uint64_t virtual_page)
{
    struct xscale *xscale = core;
    xs_flush_page(&xscale->memory, (uint32_t)virtual_page);
}

static void set_mmu(void *core, bool on)
{
    struct xscale *xscale = core;
    xs_translate(&xscale->memory, on);
}

/* The record follows the instruction, which issued a cycle ago. */
static void preload(struct xscale *xscale, uint32_t address)
{
    const uint64_t issued = xscale->now - (xscale->now > 0);
    uint64_t now = issued;
    xs_preload(&xscale->memory, &now, address);
    xs_idle(xscale, now - issued);
}

/* To invalidate the instruction cache empties the branch target buffer, too. */
static void system_record(void *core, enum armpmu_system about, unsigned bits, uint64_t operand)
{
    struct xscale *xscale = core;
    const unsigned whole_icache = ARMPMU_CACHE_INSTRUCTION | ARMPMU_CACHE_INVALIDATE;
    const unsigned part = ARMPMU_CACHE_ADDRESS | ARMPMU_CACHE_SET_WAY;
    if (about == ARMPMU_SYSTEM_PRELOAD)
        preload(xscale, (uint32_t)operand);
    if (about == ARMPMU_SYSTEM_CACHE) {
        uint64_t now = xscale->now;
        xs_maintain(&xscale->memory, &now, bits, (uint32_t)operand);
        xs_idle(xscale, now - xscale->now);
    }
    if (about == ARMPMU_SYSTEM_CONTROL) {
        xs_switch_caches(&xscale->memory, bits);
        xscale->btb_off = (bits & ARMPMU_CONTROL_NO_PREDICTION) != 0;
    }
    if (about == ARMPMU_SYSTEM_PREDICTOR ||
        (about == ARMPMU_SYSTEM_CACHE && (bits & (whole_icache | part)) == whole_icache))
        xs_btb_clear(&xscale->btb);
}

static uint64_t cycles(const void *core)
{
    const struct xscale *xscale = core;
    return xscale->now;
}

/* No map_page: caches are looked into by virtual address, so where a page lies does not matter, and
 * an operating system that moves one says so to the caches and the TLBs. */
static const struct core_ops xscale_ops = {
    .isas = CODE_AARCH32,
    .n_signals = ARMPMU_SIGNAL_PRODUCT_INPUT7 + 1,
    .new_block = new_block,
    .free_block = free_block,
    .retire_block = retire_block,
    .block_exit = block_exit,
    .retire_whole = retire_whole,
    .retire_hits = retire_hits,
    .describe_access = describe_access,
    .late_branch = late_branch,
    .exception = exception,
    .exception_return = exception_return,
    .flush_tlbs = flush_tlbs,
    .flush_page = flush_page,
    .set_mmu = set_mmu,
    .pack_rows = xs_pack_rows,
    .system = system_record,
    .cycles = cycles,
    ONE_POSITION_A_BLOCK,
};

/* ---- the core model ---- */

static void release(void *state)
{
    struct xscale *xscale = state;
    schedule_states_free(&xscale->states);
    xs_memory_free(&xscale->memory);
}

static enum armpmu_status init(void *state, struct armpmu_error *err)
{
    struct xscale *xscale = state;
    enum armpmu_status status =
        xs_memory_init(&xscale->memory, xscale->core.machine, xscale->tally, err);
    if (status == ARMPMU_OK &&
        schedule_states_init(&xscale->states, sizeof(struct xs_state)) != ARMPMU_OK)
        status = fail_no_memory(err, "the states of a pipeline");
    return status;
}

static enum armpmu_status run(void *state, const uint64_t *records, size_t n_records,
                              struct armpmu_error *err)
{
    struct xscale *xscale = state;
    return trace_reader_loop(xscale->core.reader, &xscale_ops, records, n_records, err);
}

static void complete(const struct xscale *xscale, uint64_t *tally)
{
    xs_bus_unit_add(&xscale->memory.unit, &xscale->memory.writes, xscale->now, tally);
    xs_remove_tail(xscale, tally);
    tally[ARMPMU_SIGNAL_CPU_CYCLES] = xscale->now;
}

static void signals(const void *state, uint64_t *tally)
{
    const struct xscale *xscale = state;
    memcpy(tally, xscale->tally, sizeof xscale->tally);
    if (xscale->is_attributing)
        profile_rows_sum(&xscale->core.reader->profile, tally);
    xs_add_held(xscale, tally);
    complete(xscale, tally);
}

static void sync(void *state)
{
    xs_sync(state);
}

static struct miss_maps *miss_maps(void *state, struct core_cache *caches)
{
    struct xs_memory *const memory = &((struct xscale *)state)->memory;
    const struct core_cache known[ARMPMU_MISS_CACHES] = {
        [ARMPMU_MISS_L1I] = {memory->l1i.sets, ARMPMU_SIGNAL_L1I_REFILL},
        [ARMPMU_MISS_L1D] = {memory->l1d.sets + memory->mini.sets, ARMPMU_SIGNAL_L1D_WORD_MISS},
    };

    memcpy(caches, known, sizeof known);
    return &memory->misses;
}

const struct core_model core_model_xscale = {
    .bytes = sizeof(struct xscale),
    .ops = &xscale_ops,
    .init = init,
    .release = release,
    .run = run,
    .charges = CHARGE_OWN,
    .cures = 1u << CURE_LEVEL1 | 1u << CURE_STORES | 1u << CURE_PREFETCH | 1u << CURE_TLB |
             1u << CURE_BRANCH | 1u << CURE_CODE | 1u << CURE_LATENCY,
    .signals = signals,
    .sync = sync,
    .attribute = xs_attribute_all,
    .sync_rows = xs_sync_rows,
    .miss_maps = miss_maps,
    .access_latency = "from issue until the data is there",
};
