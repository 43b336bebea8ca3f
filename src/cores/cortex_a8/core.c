/* The Cortex-A8 core model: executed blocks in, signals out.
 *
 * A block of the trace becomes an a8_block, whose schedule is remembered per entry state
 * (a8_schedule_memo). Each later execution costs an increment, the checks of its lines and
 * accesses, and its branch. It counts, and the clock moves on, when the next record shows how it
 * ended. Tallies are put together when somebody asks.
 *
 * Assumes: as cores/cortex_a8/schedule.h, parts/branch_predictor.h and cores/cortex_a8/memory.h;
 * the trace's meaning is in armpmu/trace.h. For a user program, a system call is an exception
 * taken and an exception return, a fault the program handles too. Does not model: interworking
 * cost; for a user program, the kernel's own instructions and asynchronous interrupts (signals
 * delivered between two instructions); for a system, the time that maintenance takes,
 * CHOICE(maintenance), and the time it sleeps, CHOICE(asleep). */
#include "cores/cortex_a8/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/core_descriptor.h"

/* ---- data accesses, the fast path ---- */

/* Returns whether an access is a hit that changes nothing but static counts, given that it stays in
 * one line; *aliased: FILTER_ALIAS if it is a colour alias. */
static inline bool is_fast_hit(const struct a8_access *access, uint32_t address, uint32_t *aliased)
{
    const uint32_t known = line_filter_entry(access->known.hits, address, LINE_SHIFT);
    *aliased = known ^ (address & a8_line_mask(access)); /* line_filter_matches, and the flag */
    return likely((*aliased & ~FILTER_ALIAS) == 0);
}

/* The same of any record; false where its access may cross a line or is of several words. */
static inline bool hits(struct reader_access *known, uint64_t record)
{
    const uint64_t differs = reader_differs(known, record, LINE_SHIFT);
    if (unlikely((differs & ~(uint64_t)FILTER_ALIAS) != 0))
        return false;
    ((struct a8_access *)known)->aliased += differs;
    return true;
}

static inline bool crosses_line(const struct a8_access *access, uint32_t address)
{
    return (address ^ (address + access->span)) >= LINE_BYTES;
}

/* records: RECORDS_SINGLE for an access that crosses no line and always happens. Nothing is added
 * up. */
static inline uint32_t access_data(void *core, const struct trace_position *position,
                                   const struct reader_access *known, uint64_t record,
                                   enum block_records records)
{
    struct a8 *a8 = core;
    struct a8_access *access = (struct a8_access *)(uintptr_t)known;
    const uint32_t address = (uint32_t)record;
    uint32_t aliased = 0;
    if (records == RECORDS_MIXED || records == RECORDS_IRREGULAR)
        access->happened += known->optional;
    if (records != RECORDS_SINGLE &&
        unlikely(
            crosses_line(access, address) ||
            (records == RECORDS_IRREGULAR && armpmu_record_kind(record) == ARMPMU_RECORD_DEVICE))) {
        a8_access_crossing(a8, a8_memo_of(position), access, record);
        return 0;
    }
    if (records == RECORDS_SINGLE || /* it is not, or `hits` would have known */
        unlikely(!is_fast_hit(access, address, &aliased))) {
        a8_access_data(a8, a8_memo_of(position), access, record);
        return 0;
    }
    access->aliased += aliased;
    return 0;
}

static inline void accessed(void *core, uint32_t sum)
{
    (void)core, (void)sum;
}

/* ---- from block to block ---- */

static void fetch_line(struct a8 *a8, const struct a8_block *block, uint32_t line)
{
    const uint64_t since = a8->memory.now;
    unsigned first = 0; /* instruction that begins in the line */
    while (first + 1 < block->entry.n_insns &&
           (block->entry.start + block->entry.code->insns[first].offset) >> LINE_SHIFT < line)
        first++;
    a8_attribute(a8, block, first);
    if (unlikely(cures_fetch(a8->core.machine->cures, block->entry.start, block->entry.fall_through,
                             (uint64_t)line << LINE_SHIFT, LINE_BYTES)))
        a8_cure_fetch(&a8->memory, line);
    a8_fetch_line(&a8->memory, line, false);
    a8_charge(a8, since);
}

/* The instruction cache is off: the fetches from it that are presumed of the block are taken back.
 */
static RARE void fetch_uncached(struct a8 *a8, const struct a8_schedule_memo *memo)
{
    const struct a8_block *block = a8_memo_block(memo);
    if (memo->fetches == 0)
        return;
    a8_attribute(a8, block, 0);
    a8_add_fetches(a8, memo, -UINT64_C(1));
    const uint64_t since = a8->memory.now;
    a8_fetch_uncached(&a8->memory, block->entry.start >> LINE_SHIFT, memo->fetches);
    a8_charge(a8, since);
}

/* Fetches the lines of a block that are not known to hit, as of its end. */
static OUT_OF_LINE void fetch_closely(struct a8 *a8, const struct a8_schedule_memo *memo)
{
    struct a8_block *block = a8_memo_block(memo);
    const struct a8_epoch *const epoch = &block->lines.pages->epoch;
    const uint32_t number = epoch->number; /* before: a line may displace another */
    memo_block_mark(&a8->dirty_blocks, &block->memos);
    block->entry.ran = true;
    if (unlikely(a8->memory.no_code_cache)) {
        fetch_uncached(a8, memo);
        return;
    }
    a8->memory.now += memo->memo.cycles;
    for (uint32_t line = block->lines.first; line <= block->lines.last; line++)
        if (!a8_fetch_hits(&a8->memory, line))
            fetch_line(a8, block, line);
    a8->memory.now -= memo->memo.cycles;
    if (a8->memory.fetch_filtered)
        block->fetched_at = (struct a8_epoch){epoch->page, number};
}

/* Most lines hit still: another one of their page left the cache since. */
static OUT_OF_LINE void fetch_lines(struct a8 *a8, const struct a8_schedule_memo *memo)
{
    struct a8_block *block = a8_memo_block(memo);
    const struct a8_lines *lines = &block->lines;
    if (unlikely(lines->last - lines->first > 1 ||
                 lines->pages->epoch.page != lines->first >> PAGE_LINE_SHIFT ||
                 !a8_has_code(&a8->memory, lines->first) ||
                 !a8_has_code(&a8->memory, lines->last))) {
        fetch_closely(a8, memo);
        return;
    }
    memo_block_mark(&a8->dirty_blocks, &block->memos);
    block->entry.ran = true;
    block->fetched_at = lines->pages->epoch;
}

static inline void start_block(void *core, struct trace_position *position)
{
    const struct a8_block *block = a8_block_of(position->entry);
    if (unlikely(!a8_hit_since(&block->lines, &block->fetched_at)))
        fetch_lines(core, a8_memo_of(position));
}

/* agrees_quickly of a branch that is not in the BTB where it was last time. Most were never taken,
 * and are nowhere. */
static inline bool agrees_elsewhere(struct a8 *a8, struct a8_block *block, unsigned branch,
                                    bool taken)
{
    struct branch_predictor *predictor = &a8->predictor;
    if (branch == A8_CONDITIONAL && !taken && likely(a8_misses_btb_again(block))) {
        branch_predictor_learn_direction(
            predictor, branch_predictor_counter(predictor, block->counter), false);
        return true;
    }
    a8_find_branch(a8, block);
    return branch_predictor_agrees(predictor, &block->flow, &block->btb, taken, block->flow.target);
}

/* Returns whether the direct branch that ends a block is predicted right: branch_predictor_agrees
 * for the common case that it hits the BTB where it did last time. */
static ALWAYS_INLINE bool agrees_quickly(struct a8 *a8, struct a8_block *block, unsigned branch,
                                         bool taken)
{
    struct branch_predictor *predictor = &a8->predictor;
    if (unlikely(!a8_hits_btb_again(block)))
        return agrees_elsewhere(a8, block, branch, taken);
    if (branch == A8_JUMP) {
        if (block->flow.links)
            branch_predictor_push_return(predictor, block->flow.fall_through);
        return true;
    }
    uint8_t *counter = branch_predictor_counter(predictor, block->counter);
    if (unlikely((*counter >> 1 != 0) != taken))
        return false;
    branch_predictor_confirm_direction(predictor, counter, taken);
    return true;
}

static ALWAYS_INLINE struct trace_position *follow(void *core, struct trace_position *from,
                                                   bool taken, struct trace_position *next)
{
    struct a8 *a8 = core;
    struct a8_schedule_memo *memo = a8_memo_of(from);
    struct a8_block *block = a8_memo_block(memo);
    unsigned branch = block->flags | a8->waits;
    bool agrees = true;
    if (likely(branch == A8_CONDITIONAL)) {
        agrees = agrees_quickly(a8, block, A8_CONDITIONAL, taken);
    } else {
        if (unlikely(branch >= A8_VECTORS)) {
            a8_retire_vectors(a8, memo, block->entry.n_insns);
            branch = block->branch;
        }
        if (branch == A8_OTHER_BRANCH)
            return a8_follow_other(a8, memo, taken, next);
        if (branch != A8_NO_BRANCH)
            agrees = agrees_quickly(a8, block, branch, taken);
    }
    if (unlikely(!agrees))
        return a8_leave_flushed(a8, memo, taken, next->entry);
    memo->exits[taken]++;
    a8->memory.now += memo->exit_cycles[taken];
    return next;
}

/* Returns whether the branch at a block's end is predicted right. True as well where it is not
 * known yet: of A8_OTHER_BRANCH that is not plain. */
static bool agrees_or_is_other(struct a8 *a8, struct a8_block *block, bool taken, uint64_t target)
{
    switch (block->branch) {
    case A8_NO_BRANCH:
        break;
    case A8_CONDITIONAL:
    case A8_JUMP:
        return agrees_quickly(a8, block, block->branch, taken);
    case A8_OTHER_BRANCH:
        if (block->is_plain && !a8_finds_plain(block))
            a8_find_branch(a8, block);
        return !block->is_plain ||
               (a8_finds_plain(block) &&
                branch_predictor_guess(&a8->predictor, &block->flow, block->btb) == target);
    }
    return true;
}

static struct trace_position *enter(void *core, struct reader_entry *entry, bool *repeatable)
{
    struct a8 *a8 = core;
    struct a8_schedule_memo *memo = a8_find_memo(a8, a8_block_of(entry), a8->key);
    *repeatable &= a8->predicted;
    return memo != NULL ? &memo->position : NULL;
}

static struct trace_position *leave(void *core, struct trace_position *from, bool taken,
                                    struct reader_entry *entry, bool *repeatable)
{
    struct a8 *a8 = core;
    struct a8_schedule_memo *memo = a8_memo_of(from);
    struct a8_block *block = a8_memo_block(memo);
    if (unlikely(a8_has_vectors(a8, block)))
        a8_retire_vectors(a8, memo, block->entry.n_insns);
    if (!agrees_or_is_other(a8, block, taken, entry->start)) {
        *repeatable = false;
        return a8_leave_flushed(a8, memo, taken, entry);
    }
    if (block->branch == A8_OTHER_BRANCH) {
        memo->exits[0]++;
        a8->memory.now += memo->memo.cycles;
        a8_attribute_to_last(a8, block);
        a8_leave_regularly(a8, memo, taken, entry->start);
    } else {
        memo->exits[taken]++;
        a8->memory.now += memo->exit_cycles[taken];
        a8->key = taken ? jump_key(memo) : sequential_key(memo);
        a8->predicted = true;
    }
    struct trace_position *next = enter(core, entry, repeatable);
    if (unlikely(next == NULL))
        reader_out_of_memory(a8->core.reader);
    return next;
}

/* Instructions that wait for NEON retire when it is known until when. */
static uint64_t end_of_block(const void *core, const struct trace_position *position)
{
    const struct a8 *a8 = core;
    if (a8_has_vectors(a8, a8_block_of(position->entry)))
        return UINT64_MAX;
    return a8->memory.now + a8_memo_of(position)->memo.cycles;
}

static bool is_full(const void *core)
{
    const struct a8 *a8 = core;
    return schedule_states_are_full(&a8->states);
}

static uint64_t cycles(const void *core)
{
    const struct a8 *a8 = core;
    const struct a8_schedule_memo *open = a8_open(a8);
    return a8->memory.now + (open != NULL ? open->memo.cycles : 0);
}

/* ---- a system ---- */

static enum armpmu_status map_page(void *core, uint64_t virtual_page, uint64_t physical_page)
{
    struct a8 *a8 = core;
    a8->is_of_system = true;
    return a8_place_page(&a8->memory, (uint32_t)virtual_page, (uint32_t)physical_page);
}

static enum armpmu_status set_uncached(void *core, uint64_t virtual_page, bool uncached)
{
    struct a8 *a8 = core;
    a8->is_of_system = true;
    return a8_set_uncached(&a8->memory, (uint32_t)virtual_page, uncached);
}

static void flush_tlbs(void *core)
{
    struct a8 *a8 = core;
    a8_flush_tlbs(&a8->memory);
}

static void flush_page(void *core, uint64_t virtual_page)
{
    struct a8 *a8 = core;
    a8_flush_page(&a8->memory, (uint32_t)virtual_page);
}

static void set_mmu(void *core, bool on)
{
    struct a8 *a8 = core;
    a8->is_of_system = true;
    a8_translate(&a8->memory, on);
}

/* CHOICE(maintenance): caches and the branch target buffer do what an instruction tells them. */
static void obey(struct a8 *a8, enum armpmu_system about, unsigned bits, uint32_t operand)
{
    switch (about) {
    case ARMPMU_SYSTEM_CACHE:
        a8->is_of_system = true;
        a8_maintain(&a8->memory, bits, operand);
        return;
    case ARMPMU_SYSTEM_PREDICTOR:
        if (bits & ARMPMU_PREDICTOR_ADDRESS)
            branch_predictor_forget(&a8->predictor, operand & ~1u);
        else
            branch_predictor_forget_all(&a8->predictor);
        return;
    case ARMPMU_SYSTEM_PRELOAD:
        a8_preload(&a8->memory, operand, 0);
        return;
    case ARMPMU_SYSTEM_CONTROL:
        a8->is_of_system = true;
        a8_switch_caches(&a8->memory, bits);
        a8_switch_prediction(a8, (bits & ARMPMU_CONTROL_NO_PREDICTION) == 0);
        return;
    case ARMPMU_SYSTEM_MASKS: /* no event of this core is about them */
    case ARMPMU_SYSTEM_CONTEXT:
    case ARMPMU_SYSTEM_EXCEPTION:
    case ARMPMU_SYSTEM_FAULT:
    case ARMPMU_SYSTEM_COUNTED:
    case ARMPMU_SYSTEM_MAPPED:
    case ARMPMU_SYSTEM_ALLOCATION:
        return;
    }
}

/* The instruction was the last of the block that runs, whose end the clock has not reached. */
static void system_record(void *core, enum armpmu_system about, unsigned bits, uint64_t operand)
{
    struct a8 *a8 = core;
    a8_hand_over_open(a8);
    const struct a8_schedule_memo *open = a8_open(a8);
    const uint32_t left = open != NULL ? open->memo.cycles : 0;
    if (open != NULL)
        a8_attribute_to_last(a8, a8_memo_block(open));
    const uint64_t since = a8->memory.now;
    a8->memory.now += left;
    obey(a8, about, bits, (uint32_t)operand);
    a8->memory.now -= left;
    a8_charge(a8, since);
}

static const struct position_ops positions = {
    .keeps_two = true,
    .describe = a8_describe,
    .enter = enter,
    .start = start_block,
    .hits = hits,
    .access = access_data,
    .accessed = accessed,
    .reached = a8_reached,
    .cut_short = a8_cut_short,
    .follow = follow,
    .leave = leave,
    .end_of_block = end_of_block,
    .forget_exits = a8_forget_exits,
    .is_full = is_full,
    .before_forgetting = a8_sync,
    .after_forgetting = a8_forget_states,
};

static const struct core_ops a8_ops = {
    .isas = CODE_AARCH32,
    .n_signals = ARMPMU_SIGNAL_STALL_EXCEPTION + 1,
    .free_block = a8_free_block,
    .describe_access = a8_describe_access,
    .retire_block = a8_retire_block,
    .block_exit = a8_block_exit,
    .late_branch = a8_late_branch,
    .exception = a8_exception,
    .exception_return = a8_exception_return,
    .map_page = map_page,
    .set_uncached = set_uncached,
    .flush_tlbs = flush_tlbs,
    .flush_page = flush_page,
    .set_mmu = set_mmu,
    .system = system_record,
    .pack_rows = a8_pack_rows,
    .cycles = cycles,
    .block_bytes = sizeof(struct a8_block),
    .access_bytes = sizeof(struct a8_access),
    .positions = &positions,
};

/* ---- the core model ---- */

static enum armpmu_status run(void *state, const uint64_t *records, size_t n_records,
                              struct armpmu_error *err)
{
    struct a8 *a8 = state;
    const enum armpmu_status status =
        trace_reader_loop(a8->core.reader, &a8_ops, records, n_records, err);
    return status == ARMPMU_OK && a8->is_of_system && a8->memory.backs != NULL
               ? fail(err, ARMPMU_BAD_INPUT,
                      "the trace is of a system, which is counted on one machine at a time")
               : status;
}

/* Level 1 and its TLBs change in program order whatever the time: a front does not read these keys.
 * Without a level 2 it has no preloads. */
static bool can_add(const struct armpmu_machine *machine, const struct armpmu_machine *other)
{
    static const bool back_keys[MACHINE_KEYS] = {
#define KEY(section, key) [KEY_##section##_##key] = true,
#include "cores/cortex_a8/back_keys.def"
#undef KEY
    };

    return (machine->l2_size_kb == 0) == (other->l2_size_kb == 0) &&
           machine_differs_only_in(back_keys, machine, other);
}

static void add_back(void *front, void *back)
{
    a8_add_back(&((struct a8 *)front)->memory, &((struct a8 *)back)->memory);
}

static void release(void *state)
{
    struct a8 *a8 = state;
    free(a8->busy);
    schedule_states_free(&a8->states);
    branch_predictor_free(&a8->predictor);
    a8_memory_free(&a8->memory);
}

static enum armpmu_status init(void *state, struct armpmu_error *err)
{
    struct a8 *a8 = state;
    const struct armpmu_machine *const machine = a8->core.machine;
    neon_init(&a8->neon, machine);
    enum armpmu_status status = a8_memory_init(&a8->memory, machine, a8->tally, err);
    if (status == ARMPMU_OK)
        status = branch_predictor_init(&a8->predictor, machine, err);
    if (status == ARMPMU_OK &&
        schedule_states_init(&a8->states, sizeof(struct schedule_state)) != ARMPMU_OK)
        status = fail_no_memory(err, "schedules");
    return status;
}

/* No line is known to hit before it is looked up. */
static void tell_accesses(void *state)
{
    struct a8_memory *const memory = &((struct a8 *)state)->memory;
    memory->data_filtered = memory->is_plain = false;
}

static struct miss_maps *miss_maps(void *state, struct core_cache *caches)
{
    struct a8_memory *const memory = &((struct a8 *)state)->memory;
    const struct core_cache known[ARMPMU_MISS_CACHES] = {
        [ARMPMU_MISS_L1I] = {memory->l1i.sets, ARMPMU_SIGNAL_L1I_REFILL},
        [ARMPMU_MISS_L1D] = {memory->l1d.sets, ARMPMU_SIGNAL_L1D_REFILL},
        [ARMPMU_MISS_L2] = {memory->l2.sets, ARMPMU_SIGNAL_L2_MISS},
    };

    memcpy(caches, known, sizeof known);
    return &memory->misses;
}

const struct core_model core_model_cortex_a8 = {
    .bytes = sizeof(struct a8),
    .ops = &a8_ops,
    .cures = A8_CURES_ACCESS | 1u << CURE_BRANCH | 1u << CURE_CODE | 1u << CURE_LATENCY,
    .init = init,
    .release = release,
    .run = run,
    .charges = CHARGE_CLOSES,
    .signals = a8_signals,
    .sync = a8_sync_all,
    .attribute = a8_attribute_all,
    .sync_rows = a8_sync_rows,
    .miss_maps = miss_maps,
    .can_add = can_add,
    .add_back = add_back,
    .signals_of = a8_signals_of,
    .tell_accesses = tell_accesses,
    .access_latency = "that the pipeline stands still for it",
};
