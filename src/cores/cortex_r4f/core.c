/* The Cortex-R4F core model: executed blocks, one after the other, turned into signals.
 *
 * Source: ARM DDI 0363E, Events and Performance Monitor, Level One Memory System, Cycle Timings and
 * Interlock Behavior; what is chosen is in docs/choices.md. */
#include "cores/cortex_r4f/core.h"

#include "armpmu/trace.h"
#include "base/compiler.h"
#include "trace/trace_reader_blocks.h"

/* ---- memory ---- */

/* Before an access. Returns whether it is made by that. */
static RARE bool cure(struct r4f *core, const struct insn *insn, uint64_t pc,
                      const struct retired_access *access)
{
    const uint32_t address = (uint32_t)access->address, bytes = insn->memory.bytes;

    if (access->device || !core_cures_access(&core->core, pc, access->address))
        return false;
    if (core->core.machine->cures->kind == CURE_STORES)
        return insn->memory.store && !insn->memory.load &&
               r4f_memory_cure_store(&core->memory, address, bytes);
    if (core->core.machine->cures->kind == CURE_LEVEL1)
        r4f_memory_cure(&core->memory, address, bytes);
    if (core->core.turns == NULL)
        return false;
    const uint64_t earlier = core_turns_ago(&core->core, pc, core->memory.now);
    for (uint32_t at = address; at < address + bytes; at = (at & R4F_LINE_MASK) + R4F_LINE_BYTES)
        r4f_memory_cure_by_preload(&core->memory, at, earlier);
    return false;
}

static void make_access(struct r4f *core, const struct block *code, const struct r4f_point *point,
                        const struct retired_access *access)
{
    const struct insn *const insn = &code->insns[point->index];
    const struct insn_memory *memory = &insn->memory;

    core->memory.tally[ARMPMU_SIGNAL_UNALIGNED_RETIRED] +=
        (access->address & (memory->align - 1u)) != 0;
    if (unlikely(core->core.machine->cures != NULL) &&
        cure(core, insn, code->address + insn->offset, access))
        return;
    r4f_memory_access(&core->memory, &(struct r4f_access){
                                         .address = access->address & UINT32_MAX,
                                         .bytes = memory->bytes,
                                         .load = memory->load,
                                         .store = memory->store,
                                         .device = access->device,
                                         .exclusive = memory->exclusive,
                                         .spread = point->spread,
                                     });
}

static void count_access(struct r4f *core, const struct insn *insn)
{
    core->memory.tally[ARMPMU_SIGNAL_LOAD_RETIRED] += insn->memory.load;
    core->memory.tally[ARMPMU_SIGNAL_STORE_RETIRED] += insn->memory.store;
}

static void reach_point(struct r4f *core, const struct retired_block *executed,
                        const struct r4f_point *point)
{
    const struct retired_access *access;

    switch ((enum r4f_point_kind)point->kind) {
    case POINT_ACCESS:
        access = retired_access_of(executed, point->index);
        if (access == NULL)
            break;
        count_access(core, &executed->block->insns[point->index]);
        if (unlikely(core->is_attributing) && executed->block->insns[point->index].memory.store)
            r4f_attribute_store(core, access->address, point->bytes);
        make_access(core, executed->block, point, access);
        break;
    case POINT_DRAIN:
        r4f_memory_drain(&core->memory);
        break;
    case POINT_PRELOAD:
        access = retired_access_of(executed, point->preload.beside);
        if (access != NULL)
            r4f_memory_preload(&core->memory, preload_at(&point->preload, access->address));
        break;
    }
}

/* The same for a profile. */
static OUT_OF_LINE void attribute_point(struct r4f *core, const struct retired_block *executed,
                                        const struct r4f_point *point)
{
    const uint64_t since = core->memory.now;
    const struct retired_access *const kept =
        core->core.reader->profile.accesses != NULL && point->kind == POINT_ACCESS
            ? retired_access_of(executed, point->index)
            : NULL;

    r4f_attribute_to(core, executed->profile, point->index);
    if (kept != NULL)
        r4f_log_begin(core, executed, kept);
    reach_point(core, executed, point);
    if (kept != NULL)
        r4f_log_end(core, executed, kept, core->memory.now - since);
    r4f_attribute_time(core, since);
}

/* Returns whether the line that an access begins in is known, and the address is aligned. */
static inline bool is_found(const struct r4f_point *point, uint32_t address)
{
    return line_filter_matches(line_filter_entry(point->filter, address, R4F_LINE_SHIFT), address,
                               point->line_mask, 0);
}

/* Returns whether an access whose first line is known needs no closer look: a load that takes no
 * time, or a store that only goes to the store buffer. */
static inline bool is_known(const struct r4f_point *point, uint32_t address)
{
    return point->simple &&
           (likely((address ^ (address + point->span)) < R4F_LINE_BYTES) ||
            r4f_filter_has(point->filter, address, point->bytes, point->line_mask));
}

/* Makes an access if it needs no closer look, and its instruction no row of its own. */
static inline bool make_known(struct r4f *core, const struct r4f_point *point,
                              const struct retired_access *access)
{
    struct r4f_memory *const memory = &core->memory;
    const uint32_t address = (uint32_t)access->address;

    if (core->by_insn || core->core.reader->profile.accesses != NULL || access->device ||
        !is_found(point, address) || !is_known(point, address))
        return false;
    memory->tally[point->store ? ARMPMU_SIGNAL_STORE_RETIRED : ARMPMU_SIGNAL_LOAD_RETIRED]++;
    if (point->store)
        r4f_memory_store(memory, address, point->bytes, point->spread);
    else
        memory->tally[ARMPMU_SIGNAL_L1D_ACCESS] += r4f_doublewords(address, point->bytes);
    return true;
}

/* A block of which some accesses are missing, or which has other points. */
static void reach_points(struct r4f *core, const struct retired_block *executed,
                         const struct r4f_block *block, const struct r4f_schedule_memo *memo)
{
    struct r4f_memory *memory = &core->memory;
    uint64_t start = memory->now; /* moves on with every stall */
    const struct retired_access *made = executed->accesses;
    const struct retired_access *const end = made + executed->n_accesses;

    for (uint32_t i = 0; i < block->n_points; i++) {
        const struct r4f_point *point = &block->points[i];
        if (point->index >= executed->n_executed)
            break;
        while (made != end && made->index < point->index)
            made++;
        const bool happened = made != end && made->index == point->index;
        if (point->kind == POINT_ACCESS && !happened)
            continue;
        const uint64_t now = start + memo->issued_at[i];
        memory->now = now;
        if (happened && likely(make_known(core, point, made)))
            r4f_charge(core, now);
        else if (unlikely(core->is_attributing))
            attribute_point(core, executed, point);
        else
            reach_point(core, executed, point);
        start = memory->now - memo->issued_at[i];
    }
    memory->now = start + memo->memo.cycles;
}

/* Makes an access that needs a closer look. */
static inline void make_closely(struct r4f *core, const struct r4f_block *block,
                                const struct r4f_point *point, uint64_t record)
{
    struct r4f_memory *memory = &core->memory;

    if (!point->store) /* the hit that a run counts for each load is none */
        memory->tally[ARMPMU_SIGNAL_L1D_ACCESS]--;
    if (unlikely(!point->plain)) {
        make_access(core, block->code, point,
                    &(struct retired_access){.address = armpmu_record_address(record)});
        return;
    }
    memory->tally[ARMPMU_SIGNAL_UNALIGNED_RETIRED] +=
        ((uint32_t)record & point->line_mask & ~R4F_LINE_MASK) != 0;
    r4f_memory_load(memory, armpmu_record_address(record), point->bytes);
}

/* A load that needs no closer look takes more doublewords than the one that a run counts. */
static inline void load_more(struct r4f *core, const struct r4f_block *block,
                             const struct r4f_point *point, uint32_t address)
{
    const uint32_t more = (address % R4F_SLOT_BYTES + point->span) / R4F_SLOT_BYTES;

    if (unlikely(core->by_insn) && more != 0)
        r4f_attribute_hits(core, block, point, more);
    else if (more != 0)
        core->memory.tally[ARMPMU_SIGNAL_L1D_ACCESS] += more;
}

/* Makes the accesses of a block that made them all, none to Device memory, each at its cycle.
 * Afterwards the clock is at the block's end. */
static ALWAYS_INLINE void make_accesses(struct r4f *core, const struct r4f_block *block,
                                        const struct r4f_schedule_memo *memo,
                                        const uint64_t *records)
{
    struct r4f_memory *memory = &core->memory;
    const struct r4f_point *const end = block->points + block->n_points;
    uint64_t start = memory->now; /* moves on with every stall */

    r4f_attribute_to_block(core, block->profile);
    for (const struct r4f_point *point = block->points; point != end; point++) {
        const uint64_t record = records[point->at];
        const uint32_t address = (uint32_t)record;
        const bool found = is_found(point, address);
        if (likely(found && point->hits_once))
            continue;
        const bool known = found && is_known(point, address);
        if (known && !point->store) {
            load_more(core, block, point, address);
            continue;
        }
        const uint32_t later = memo->issued_at[point->number];
        memory->now = start + later;
        if (unlikely(core->by_insn))
            r4f_attribute_access(core, block, point, armpmu_record_address(record));
        if (likely(known))
            r4f_memory_store(memory, address, point->bytes, point->spread);
        else
            make_closely(core, block, point, record);
        if (memory->now != start + later) {
            r4f_charge(core, start + later);
            start = memory->now - later;
        }
    }
    memory->now = start + memo->memo.cycles;
}

/* Returns whether the lines of a block, if they are found without error, need no look until the
 * state of the cache changes. */
static bool stays_found(const struct r4f *core, const struct r4f_block *block)
{
    return block->is_regular && core->core.machine->l1i_replacement != REPLACEMENT_LRU &&
           r4f_memory_place(&core->memory, block->start, true) == PLACE_WRITE_BACK;
}

/* Fetches the first n instructions of a block. */
static void fetch_insns(struct r4f *core, const struct r4f_block *block, uint32_t n)
{
    const struct block *code = block->code;
    const struct cures *const cures = core->core.machine->cures;
    const uint64_t end = n == code->n_insns ? block->end : block->start + code->insns[n].offset;

    for (uint64_t line = block->start & R4F_LINE_MASK; cures != NULL && line < end;
         line += R4F_LINE_BYTES)
        if (cures_fetch(cures, block->start, end, line, R4F_LINE_BYTES))
            r4f_memory_cure_fetch(&core->memory, line);
    if (unlikely(core->is_attributing))
        r4f_attribute_fetch(core, block, n);
    else
        r4f_memory_fetch(&core->memory, block->start, end, core->jumped);
}

/* Returns whether all lines of a block are there, without error, so that no look changes anything
 * until the state of the cache changes. */
static bool finds_lines(const struct r4f *core, const struct r4f_block *block)
{
    const struct cache *const cache = &core->memory.l1i;
    bool found = core->memory.n_errors == 0 && stays_found(core, block);

    for (uint64_t line = block->start >> R4F_LINE_SHIFT;
         found && line <= (block->end - 1) >> R4F_LINE_SHIFT; line++)
        found = cache_peek(cache, line, line) != NULL;
    return found;
}

/* Fetches the whole block, which is not known to be found. */
static RARE void fetch_block(struct r4f *core, struct r4f_block *block)
{
    const uint32_t epoch = core->memory.fetch_epoch; /* before: a line may displace another */

    memo_block_mark(&core->dirty_blocks, &block->memos);
    fetch_insns(core, block, block->code->n_insns);
    if (stays_found(core, block))
        block->fetched_at = epoch;
}

static void fetch(struct r4f *core, struct r4f_block *block)
{
    if (unlikely(block->fetched_at != core->memory.fetch_epoch)) {
        if (unlikely(!finds_lines(core, block))) {
            fetch_block(core, block);
            return;
        }
        memo_block_mark(&core->dirty_blocks, &block->memos);
        block->fetched_at = core->memory.fetch_epoch;
    }
    block->fetches[core->jumped]++;
}

/* ---- whole blocks and parts ---- */

/* The first n instructions ran once, by a schedule that is not remembered. */
static void count_once(struct r4f *core, const struct r4f_block *block, uint32_t n,
                       const struct r4f_schedule_memo *memo)
{
    if (unlikely(core->is_attributing)) {
        r4f_attribute_insns(core, block, n, r4f_state(core), 1);
        return;
    }
    r4f_add_insns(block->code, n, core->tally);
    r4f_add_schedule(&memo->counts, 1, core->tally);
}

/* Only the first n instructions executed. */
static RARE void retire_part(struct r4f *core, const struct retired_block *executed)
{
    const struct r4f_block *block = executed->data;
    const uint32_t n = executed->n_executed;
    const struct r4f_schedule_memo *memo = r4f_schedule_part(core, block, n);

    if (n != 0) {
        fetch_insns(core, block, n);
        core->jumped = false;
    }
    count_once(core, block, n, memo);
    reach_points(core, executed, block, memo);
    if (memo->after == SCHEDULE_NO_STATE)
        core->issue = core->scratch_after;
    core->state = memo->after;
}

/* The schedule of a block that runs in this state for the first time, or has no memory to keep it.
 */
static RARE struct r4f_schedule_memo *new_schedule(struct r4f *core, struct r4f_block *block)
{
    struct r4f_schedule_memo *memo = r4f_schedule_new(core, block);

    if (memo == core->scratch) {
        count_once(core, block, block->code->n_insns, memo);
        core->issue = core->scratch_after;
    }
    return memo;
}

static void retire_block(void *user, const struct retired_block *executed)
{
    struct r4f *core = user;
    struct r4f_block *block = executed->data;

    block->profile = executed->profile;
    if (unlikely(executed->n_executed != block->code->n_insns)) {
        retire_part(core, executed);
        return;
    }
    r4f_attribute_to_block(core, block->profile);
    fetch(core, block);
    core->jumped = false;
    struct schedule_memo *found = schedule_memo_find(&block->memos.memos, core->state);
    struct r4f_schedule_memo *memo =
        likely(found != NULL) ? (struct r4f_schedule_memo *)found : new_schedule(core, block);
    memo->runs++;
    reach_points(core, executed, block, memo);
    core->state = memo->after;
}

/* ---- exits ---- */

enum outcome { RIGHT, WRONG, OTHER };

/* The branch at the end of a whole block, if it has one, went one way: only the prediction of the
 * common cases, which r4f_add_branches counts. OTHER: of others, and of returns. */
static ALWAYS_INLINE enum outcome branch(struct r4f *core, struct r4f_block *block, bool taken)
{
    const enum r4f_end ends = (enum r4f_end)block->ends;
    bool right;

    if (ends == END_PLAIN || ends == END_ALWAYS) /* nothing to predict, nothing to learn */
        return RIGHT;
    if (ends == END_FORWARD) {
        right = r4f_predictor_forward(&core->predictor, block->branch.pc, taken);
    } else if (ends == END_BACKWARD) {
        right = r4f_predictor_backward(&core->predictor, block->branch.pc, taken);
    } else if (ends == END_CALL) {
        if (likely(taken))
            r4f_predictor_push(&core->predictor, block->branch.fall_through);
        return RIGHT;
    } else {
        return OTHER;
    }
    return likely(right) || block->is_perfect ? RIGHT : WRONG;
}

static OUT_OF_LINE struct r4f_flush mispredict(struct r4f *core, const struct r4f_block *block)
{
    r4f_attribute_to_branch(core, block);
    return r4f_mispredict(core, R4F_FLOW_DIRECTION);
}

static void block_exit(void *user, const struct retired_block *executed, enum block_exit exit,
                       uint64_t next)
{
    struct r4f *core = user;
    struct r4f_block *block = executed->data;

    if (unlikely(core->is_attributing))
        r4f_attribute_exit(core, executed, exit);
    if (unlikely(executed->n_executed != block->code->n_insns ||
                 (exit != EXIT_BRANCH && exit != EXIT_SEQUENTIAL))) {
        r4f_exit_otherwise(core, executed, exit);
        return;
    }
    core->jumped = exit == EXIT_BRANCH;
    core->vectors &= R4F_ENTERED;
    if (unlikely(core->vectors != 0))
        r4f_watch_vectors(core, executed);
    r4f_add_branches(block, 1, exit == EXIT_BRANCH, core->memory.tally);
    const enum outcome outcome = branch(core, block, exit == EXIT_BRANCH);
    if (outcome == WRONG)
        (void)mispredict(core, block);
    else if (outcome == OTHER)
        r4f_other_branch(core, block, exit == EXIT_BRANCH, next);
}

/* A whole block about which nothing is special, and whose lines are there. hits: none of its
 * accesses needs a closer look. */
static ALWAYS_INLINE void retire_regularly(struct r4f *core, struct r4f_block *block,
                                           struct r4f_schedule_memo *memo,
                                           const struct trace_position *position,
                                           const uint64_t *records, bool taken, bool hits)
{
    memo->exits[taken]++;
    core->jumped = taken;
    if (hits)
        core->memory.now += memo->memo.cycles;
    else
        make_accesses(core, block, memo, records);
    core->state = memo->after;
    const enum outcome outcome = branch(core, block, taken);
    if (likely(outcome == RIGHT))
        return;
    if (outcome == OTHER) {
        r4f_other_branch(core, block, taken, position->next[taken]->entry->start);
    } else if (likely(memo->flush.is_known)) {
        memo->flushes++;
        core->memory.now += memo->flush.closed + memo->flush.cycles;
        core->state = memo->flush.after;
    } else {
        memo->flush = mispredict(core, block);
    }
}

static ALWAYS_INLINE struct r4f_schedule_memo *memo_at_hand(const struct r4f *core,
                                                            struct r4f_block *block)
{
    return (struct r4f_schedule_memo *)schedule_memo_find(&block->memos.memos, core->state);
}

/* A whole block that may be special, or whose lines have to be looked for. */
static OUT_OF_LINE void retire_closely(struct r4f *core, const struct trace_position *position,
                                       const uint64_t *records, bool taken)
{
    struct r4f_block *block = position->entry->data;
    struct r4f_schedule_memo *memo = memo_at_hand(core, block);

    if (likely(memo != NULL && block->is_regular && core->vectors == 0)) {
        fetch(core, block);
        retire_regularly(core, block, memo, position, records, taken, false);
        return;
    }
    const struct retired_block *executed =
        reader_whole_block(core->core.reader, &r4f_ops, position, records);
    retire_block(core, executed);
    block_exit(core, executed, taken ? EXIT_BRANCH : EXIT_SEQUENTIAL,
               position->next[taken]->entry->start);
}

/* Only regular blocks have fetched_at set, so a block whose lines are there is one. */
static ALWAYS_INLINE void retire(struct r4f *core, const struct trace_position *position,
                                 const uint64_t *records, bool taken, bool hits)
{
    struct r4f_block *block = position->entry->data;
    struct r4f_schedule_memo *memo = memo_at_hand(core, block);

    if (unlikely(memo == NULL || core->vectors != 0 ||
                 block->fetched_at != core->memory.fetch_epoch)) {
        retire_closely(core, position, records, taken);
        return;
    }
    block->fetches[core->jumped]++;
    retire_regularly(core, block, memo, position, records, taken, hits);
}

static ALWAYS_INLINE void retire_whole(void *user, const struct trace_position *position,
                                       const uint64_t *records, bool taken)
{
    retire(user, position, records, taken, false);
}

static ALWAYS_INLINE void retire_hits(void *user, const struct trace_position *position,
                                      const uint64_t *records, bool taken)
{
    retire(user, position, records, taken, true);
}

/* ---- the system ---- */

static void system_record(void *user, enum armpmu_system about, unsigned bits, uint64_t operand)
{
    struct r4f *core = user;

    switch (about) {
    case ARMPMU_SYSTEM_CACHE:
        r4f_memory_maintain(&core->memory, bits, (uint32_t)operand);
        break;
    case ARMPMU_SYSTEM_PREDICTOR:
        if ((bits & ARMPMU_PREDICTOR_ADDRESS) == 0)
            r4f_predictor_forget(&core->predictor);
        break;
    case ARMPMU_SYSTEM_MASKS:
        r4f_set_masks(core, bits);
        break;
    case ARMPMU_SYSTEM_PRELOAD:
        r4f_memory_preload(&core->memory, operand & UINT32_MAX);
        break;
    case ARMPMU_SYSTEM_CONTROL: /* SCTLR.Z is one in this core, whatever is written */
        r4f_memory_switch(&core->memory, bits);
        break;
    case ARMPMU_SYSTEM_CONTEXT: /* the reader's */
    case ARMPMU_SYSTEM_EXCEPTION:
    case ARMPMU_SYSTEM_FAULT:
    case ARMPMU_SYSTEM_COUNTED:
    case ARMPMU_SYSTEM_MAPPED:
    case ARMPMU_SYSTEM_ALLOCATION:
        break;
    }
}

static uint64_t cycles(const void *user)
{
    const struct r4f *core = user;
    return core->memory.now;
}

/* The core has an MPU: there are no pages and no TLBs. */
const struct core_ops r4f_ops = {
    .isas = CODE_AARCH32,
    .n_signals = ARMPMU_SIGNAL_LIVELOCK + 1,
    .new_block = r4f_define,
    .free_block = r4f_forget,
    .retire_block = retire_block,
    .block_exit = block_exit,
    .retire_whole = retire_whole,
    .retire_hits = retire_hits,
    .describe_access = r4f_describe_access,
    .late_branch = r4f_late_branch,
    .exception = r4f_exception,
    .exception_return = r4f_exception_return,
    .pack_rows = r4f_pack_rows,
    .system = system_record,
    .cycles = cycles,
    ONE_POSITION_A_BLOCK,
};

enum armpmu_status r4f_run(void *state, const uint64_t *records, size_t n_records,
                           struct armpmu_error *err)
{
    struct r4f *core = state;
    return trace_reader_loop(core->core.reader, &r4f_ops, records, n_records, err);
}
