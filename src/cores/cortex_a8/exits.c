/* The ends of blocks on the Cortex-A8, and the state of the pipeline at the start of the next. */
#include "cores/cortex_a8/core.h"

struct a8_lines a8_wrong_path(const struct a8 *a8, uint64_t address)
{
    const uint64_t bytes = a8->core.machine->l1i_fetch_bytes;
    const uint64_t last =
        (address / bytes + a8->core.machine->branch_wrong_path_fetches) * bytes - 1;
    return a8_lines_of(a8, address, last);
}

static void fetch_lines(struct a8 *a8, struct a8_lines lines)
{
    for (uint64_t line = lines.first; line <= lines.last; line++)
        if (!a8_fetch_hits(&a8->memory, line))
            a8_fetch_line(&a8->memory, line, true);
}

static void flush(struct a8 *a8, unsigned result, struct a8_lines wrong_path)
{
    const uint32_t cycles = a8->core.machine->branch_mispredict_cycles;
    a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += cycles;
    a8->memory.tally[ARMPMU_SIGNAL_BRANCH_FLUSH]++;
    a8->memory.tally[ARMPMU_SIGNAL_DIRECTION_MISPREDICT] += (result & FLOW_WRONG_DIRECTION) != 0;
    a8->memory.tally[ARMPMU_SIGNAL_RETURN_MISPREDICT] += (result & FLOW_WRONG_RETURN) != 0;
    a8->memory.tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += cycles;
    a8->memory.tally[ARMPMU_SIGNAL_STALL_FRONTEND_FLUSH] += cycles;
    a8->memory.now += cycles;
    if (unlikely(a8->memory.no_code_cache))
        return;
    a8->memory.tally[ARMPMU_SIGNAL_L1I_ACCESS] += a8->core.machine->branch_wrong_path_fetches;
    if (a8->core.machine->branch_wrong_path_fetches != 0)
        fetch_lines(a8, wrong_path);
}

/* Ends the cycle that the last block has half filled. Then nothing is in flight. */
static void close_open(struct a8 *a8)
{
    const uint64_t since = a8->memory.now;
    a8->memory.now += a8_state(a8, a8->key >> 1)->slot_open;
    a8->memory.tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += a8->memory.now - since;
    a8_charge(a8, since);
    a8->key = IDLE_KEY;
}

/* The next block starts with nothing in flight, cycles later. */
static void restart(struct a8 *a8, uint32_t cycles)
{
    close_open(a8);
    a8->memory.now += cycles;
    a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += cycles;
    a8->memory.tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += cycles;
    a8->memory.tally[ARMPMU_SIGNAL_STALL_EXCEPTION] += cycles;
}

/* CHOICE(exception-entry): the pipeline refills. */
void a8_exception(void *core)
{
    struct a8 *a8 = core;
    a8->memory.tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
    a8->vectors_ahead = 0;
    A8_EACH_BACK(back, &a8->memory)
    {
        a8_of_memory(back)->vectors_ahead = 0;
    }
    restart(a8, a8->core.machine->exception_entry_cycles);
}

void a8_exception_return(void *core)
{
    struct a8 *a8 = core;
    a8->memory.tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    restart(a8, a8->core.machine->exception_return_cycles);
}

/* The empty cycles that a taken branch has where it was predicted, which are presumed. */
static inline uint64_t bubble(const struct a8 *a8)
{
    return a8->core.machine->branch_taken_bubble_cycles;
}

/* CHOICE(perfect-branches): the predictor learns from it as from any other. */
static OUT_OF_LINE void predict_right(struct a8 *a8, const struct a8_block *block, bool taken,
                                      uint64_t target)
{
    uint64_t wrong_path;
    struct flow flow = block->flow;

    flow.taken = taken;
    flow.target = target;
    (void)branch_predictor_branch(&a8->predictor, &flow, &wrong_path);
}

/* The predictor sees the branch of a block; returns whether it was predicted right. */
static inline bool predicts(struct a8 *a8, struct a8_block *block, bool taken, uint64_t target)
{
    if (branch_predictor_agrees(&a8->predictor, &block->flow, &block->btb, taken, target))
        return true;
    if (block->is_perfect)
        predict_right(a8, block, taken, target);
    return block->is_perfect;
}

/* The last block's branch was not what the predictor said, or not known to it. */
static void mispredict(struct a8 *a8, const struct a8_schedule_memo *memo, bool taken,
                       uint64_t target)
{
    uint64_t wrong_path;
    struct flow flow = a8_memo_block(memo)->flow;
    flow.taken = taken;
    flow.target = target;
    const unsigned result = branch_predictor_branch(&a8->predictor, &flow, &wrong_path);
    /* A taken branch counts as predicted taken unless it is found here that it was not. */
    const bool predicted = result & FLOW_PREDICTED_TAKEN;
    a8->memory.tally[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] +=
        a8->predictor.enabled ? (uint64_t)predicted - taken : 0;
    a8->memory.tally[ARMPMU_SIGNAL_ISSUE_EMPTY] -= a8->predictor.enabled && taken ? bubble(a8) : 0;
    a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += memo->open_cycles;
    a8->memory.tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += memo->open_cycles;
    a8->memory.now += memo->open_cycles;
    flush(a8, result, a8_wrong_path(a8, wrong_path));
}

/* Fetches a wrong path. a8_add_exits counts its accesses; without the cache there are none. */
static void fetch_wrong_lines(struct a8 *a8, struct a8_lines wrong_path)
{
    if (unlikely(a8->memory.no_code_cache))
        a8->memory.tally[ARMPMU_SIGNAL_L1I_ACCESS] -= a8->core.machine->branch_wrong_path_fetches;
    else if (a8->core.machine->branch_wrong_path_fetches != 0)
        fetch_lines(a8, wrong_path);
}

static void fetch_wrong_path(struct a8 *a8, struct a8_block *block, bool taken)
{
    const struct a8_code_pages *const pages = block->wrong[taken].pages;
    const uint32_t number = pages->epoch.number; /* before: a line may displace another */
    a8_attribute_to_last(a8, block);
    fetch_wrong_lines(a8, block->wrong[taken]);
    if (a8->memory.fetch_filtered && !a8->memory.no_code_cache)
        block->wrong_at[taken] = (struct a8_epoch){pages->epoch.page, number};
}

/* The flush of a direct branch, which a8_add_exits counts as a wrong direction. */
static inline void flush_direct(struct a8 *a8, struct a8_schedule_memo *from,
                                struct a8_block *block, bool taken)
{
    from->flushes[taken]++;
    a8->memory.now += from->flush_cycles;
    if (unlikely(!a8_hit_since(&block->wrong[taken], &block->wrong_at[taken])))
        fetch_wrong_path(a8, block, taken);
}

static inline void learn_direction(struct a8 *a8, const struct a8_block *block, bool taken)
{
    branch_predictor_learn_direction(
        &a8->predictor, branch_predictor_counter(&a8->predictor, block->counter), taken);
}

/* mispredict() for the most frequent case: a direct conditional branch hit the BTB where it did
 * last time, and went the other way than its counter said. Then only the counter and the history
 * learn. */
static inline void mispredict_direction(struct a8 *a8, struct a8_schedule_memo *from,
                                        struct a8_block *block, bool taken)
{
    learn_direction(a8, block, taken);
    flush_direct(a8, from, block, taken);
}

/* mispredict() for a direct or plain branch that is not in the BTB, and was taken. */
static void mispredict_absent(struct a8 *a8, struct a8_schedule_memo *from, struct a8_block *block,
                              uint64_t target)
{
    if (block->branch == A8_CONDITIONAL)
        learn_direction(a8, block, true);
    block->btb = branch_predictor_enter(&a8->predictor, &block->flow, target);
    block->absent_at = 0;
    a8_attribute_to_last(a8, block);
    a8->memory.tally[block->is_plain ? ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN
                                     : ARMPMU_SIGNAL_DIRECTION_MISPREDICT]--; /* see a8_add_exits */
    flush_direct(a8, from, block, true);
}

/* mispredict() for a plain branch that was found in the BTB: it led to another target than the
 * predictor says. What it counts, but for returns, follows from how often it happened. */
static inline void mispredict_target(struct a8 *a8, struct a8_schedule_memo *from,
                                     struct a8_block *block, uint64_t target)
{
    struct branch_predictor *predictor = &a8->predictor;
    const uint64_t guess = branch_predictor_guess(predictor, &block->flow, block->btb);
    a8_attribute_to_last(a8, block);
    a8->memory.tally[ARMPMU_SIGNAL_RETURN_MISPREDICT] +=
        block->flow.is_return && predictor->stack_used != 0;
    branch_predictor_learn_target(predictor, &block->flow, block->btb, target);
    from->flushes[1]++;
    a8->memory.now += from->flush_cycles;
    fetch_wrong_lines(a8, a8_wrong_path(a8, guess));
}

/* The last block's branch was executed. */
static void branch(struct a8 *a8, const struct a8_schedule_memo *memo, bool taken, uint64_t target)
{
    struct a8_block *block = a8_memo_block(memo);
    block->taken += taken;
    a8->key = taken ? jump_key(memo) : sequential_key(memo);
    if (unlikely(block->entry.returns_exception)) {
        a8->key = sequential_key(memo);
        if (taken)
            restart(a8, a8->core.machine->exception_return_cycles);
        return;
    }
    if (predicts(a8, block, taken, target)) {
        a8_find_branch(a8, block);
        a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += memo->exit_cycles[taken] - memo->memo.cycles;
        a8_add_jumps(a8, memo, taken, a8->memory.tally);
        a8->memory.now += memo->exit_cycles[taken] - memo->memo.cycles;
        a8->predicted = true;
        return;
    }
    mispredict(a8, memo, taken, target);
    a8->key = IDLE_KEY;
}

/* ---- blocks that end elsewhere ---- */

static void add_accesses(struct a8 *a8, const struct reader_entry *entry, unsigned n)
{
    const struct a8_block *block = a8_block_of(entry);
    for (uint32_t i = 0; i < entry->n_accesses; i++) {
        const struct a8_access *access = &a8_accesses(block)[i];
        const unsigned index = access->known.index;
        if (index >= n || access->known.optional)
            continue;
        a8_attribute(a8, block, index);
        a8_add_access(access, &entry->code->insns[index], 1, a8->memory.tally);
    }
}

void a8_cut_short(void *core, const struct reader_entry *entry, unsigned n)
{
    struct a8 *a8 = core;
    add_accesses(a8, entry, n);
    a8->cut = true;
}

/* The first n instructions of an interrupted block retire. */
static void retire_part(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    const struct a8_block *block = a8_memo_block(memo);
    const struct block *code = block->entry.code;
    a8->part = *a8_state(a8, memo->memo.key >> 1);
    for (unsigned i = 0; i < n; i++) {
        struct schedule_result result;
        a8_attribute(a8, block, i);
        schedule_run(a8->core.machine, code, i, i + 1, &a8->part, &result);
        a8->memory.now += result.counts.cycles;
        a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += result.counts.cycles;
        a8_add_issue(&result.counts, 1, a8->memory.tally);
        a8_add_insn(&code->insns[i], 1, a8->memory.tally);
        a8->part = result.after;
    }
    if (!a8->cut)
        add_accesses(a8, &block->entry, n);
    a8->cut = false;
}

void a8_add_fetches(struct a8 *a8, const struct a8_schedule_memo *memo, uint64_t times)
{
    const struct a8_block *block = a8_memo_block(memo);
    if (a8->busy != NULL && block->entry.n_insns != 0)
        a8_attribute_fetches(a8, block, block->entry.n_insns, block->entry.fall_through,
                             memo->memo.key & 1, times);
    else
        a8->memory.tally[ARMPMU_SIGNAL_L1I_ACCESS] += times * memo->fetches;
}

/* The instruction fetches of a block up to an address; its first n instructions begin before that.
 */
static void count_fetches(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n,
                          uint64_t end)
{
    const struct a8_block *block = a8_memo_block(memo);
    if (unlikely(a8->memory.no_code_cache)) /* all were taken back as it began */
        a8_add_fetches(a8, memo, 1);
    else if (a8->busy != NULL)
        a8_attribute_fetches(a8, block, n, end, memo->memo.key & 1, 1);
    else
        a8->memory.tally[ARMPMU_SIGNAL_L1I_ACCESS] +=
            a8_fetch_groups(a8, block->entry.start, end, memo->memo.key & 1);
}

/* After the first n instructions of a block an exception was taken, which found the next one
 * fetched; or (on) the engine continues with another block, which the core does not notice. */
static void leave_part(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n, bool on)
{
    const struct reader_entry *entry = memo->position.entry;
    const struct insn *next = &entry->code->insns[n];
    const uint64_t fetched = n == entry->n_insns
                                 ? entry->fall_through
                                 : entry->start + next->offset + (on ? 0 : next->size);
    const unsigned last = n < entry->n_insns ? n : entry->n_insns - 1;
    count_fetches(a8, memo, last + 1, fetched);
    a8_attribute(a8, a8_memo_block(memo), last);
    const uint32_t state = on ? schedule_states_number(&a8->states, &a8->part) : SCHEDULE_NO_STATE;
    a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += on ? 0 : a8->part.slot_open;
    a8->memory.tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += on ? 0 : a8->part.slot_open;
    a8->memory.now += on ? 0 : a8->part.slot_open;
    a8->key = state == SCHEDULE_NO_STATE ? IDLE_KEY : state << 1 | 1;
}

/* ---- what the reader calls ---- */

void a8_retire_block(void *core, const struct retired_block *executed)
{
    struct a8 *a8 = core;
    struct a8_schedule_memo *memo = a8_memo_of(a8->core.reader->position);
    const struct a8_block *block = a8_memo_block(memo);
    if (a8_has_vectors(a8, block))
        a8_retire_vectors(a8, memo, executed->n_executed);
    if (executed->n_executed < block->entry.n_insns || a8->cut) {
        a8->partly = true;
        retire_part(a8, memo, executed->n_executed);
        return;
    }
    a8->memory.now += memo->memo.cycles;
    a8->key = sequential_key(memo);
    memo->exits[0]++;
}

void a8_leave_regularly(struct a8 *a8, const struct a8_schedule_memo *memo, bool taken,
                        uint64_t next)
{
    const struct a8_block *block = a8_memo_block(memo);
    a8->predicted = block->branch == A8_NO_BRANCH;
    if (a8->predicted)
        a8->key = sequential_key(memo);
    else
        branch(a8, memo, taken, taken || block->entry.indirect ? next : 0);
}

void a8_block_exit(void *core, const struct retired_block *executed, enum block_exit exit,
                   uint64_t next)
{
    struct a8 *a8 = core;
    const struct a8_schedule_memo *memo = a8_memo_of(a8->core.reader->position);
    const struct reader_entry *entry = memo->position.entry;
    const bool on = exit == EXIT_SEQUENTIAL || exit == EXIT_BRANCH;
    a8->predicted = false;
    a8_attribute_to_last(a8, a8_memo_block(memo));
    if (a8->partly || executed->n_executed < entry->n_insns) {
        a8->partly = false;
        leave_part(a8, memo, executed->n_executed, on);
        return;
    }
    if (on && !a8->core.is_ending) {
        a8_leave_regularly(a8, memo, exit == EXIT_BRANCH, next);
        return;
    }
    a8_memo_block(memo)->taken += exit == EXIT_BRANCH; /* to where nothing is: the program ends */
    a8->key = sequential_key(memo);
    if (on || exit == EXIT_END)
        a8->key = IDLE_KEY;
    else
        close_open(a8);
}

/* A branch that an exception hid: its prediction cost no time. */
void a8_late_branch(void *core, const struct retired_block *executed, bool taken)
{
    struct a8 *a8 = core;
    struct a8_block *block = a8_block_of(executed->data);
    memo_block_mark(&a8->dirty_blocks,
                    &block->memos); /* it ran before, perhaps before the last read */
    if (!taken)
        return;
    a8_attribute_to_last(a8, block);
    block->taken++;
    if (a8->predictor.enabled && !block->entry.returns_exception)
        a8->memory.tally[ARMPMU_SIGNAL_ISSUE_EMPTY] -= bubble(a8);
}

struct trace_position *a8_leave_flushed(struct a8 *a8, struct a8_schedule_memo *from, bool taken,
                                        struct reader_entry *to)
{
    struct a8_block *block = a8_memo_block(from), *next = a8_block_of(to);
    if (likely(block->branch == A8_CONDITIONAL && a8_hits_btb_again(block))) {
        mispredict_direction(a8, from, block, taken);
    } else if (a8_finds_plain(block)) {
        mispredict_target(a8, from, block, to->start);
    } else if ((block->branch != A8_OTHER_BRANCH || block->is_plain) && taken &&
               a8_misses_btb_again(block)) {
        mispredict_absent(a8, from, block, to->start);
    } else {
        from->exits[taken]++;
        a8->memory.now += from->memo.cycles;
        a8_attribute_to_last(a8, block);
        a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] -= from->exit_cycles[taken] - from->memo.cycles;
        a8_add_jumps(a8, from, -(uint64_t)taken, a8->memory.tally);
        mispredict(a8, from, taken, next->entry.start);
    }
    struct a8_schedule_memo *memo = next->idle;
    if (unlikely(memo == NULL))
        memo = a8_find_memo(a8, next, IDLE_KEY);
    if (likely(memo != NULL))
        return &memo->position;
    a8->key = IDLE_KEY;
    reader_out_of_memory(a8->core.reader);
    return NULL;
}

static OUT_OF_LINE struct trace_position *follow_closely(struct a8 *a8,
                                                         struct a8_schedule_memo *from, bool taken,
                                                         struct trace_position *next)
{
    struct a8_block *block = a8_memo_block(from);
    taken |= !block->flow.conditional; /* position_ops.keeps_two */
    if (block->is_plain)
        a8_find_branch(a8, block);
    if (unlikely(!predicts(a8, block, taken, next->entry->start)))
        return a8_leave_flushed(a8, from, taken, next->entry);
    from->exits[taken]++;
    a8->memory.now += from->exit_cycles[taken];
    return next;
}

struct trace_position *a8_follow_other(struct a8 *a8, struct a8_schedule_memo *from, bool taken,
                                       struct trace_position *next)
{
    struct a8_block *block = a8_memo_block(from);
    const uint64_t target = next->entry->start;
    if (unlikely(!a8_finds_plain(block)))
        return follow_closely(a8, from, taken, next);
    if (unlikely(branch_predictor_guess(&a8->predictor, &block->flow, block->btb) != target))
        return a8_leave_flushed(a8, from, true, next->entry);
    branch_predictor_learn_target(&a8->predictor, &block->flow, block->btb, target);
    from->exits[1]++;
    a8->memory.now += from->exit_cycles[1];
    return next;
}
