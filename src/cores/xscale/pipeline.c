/* A block's way through the XScale's pipeline. */
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/compiler.h"
#include "cores/xscale/core.h"
#include "trace/access_log.h"
#include "trace/trace_reader_internal.h"

static inline bool keeps_accesses(const struct xscale *xscale)
{
    return xscale->is_attributing && xscale->core.reader->profile.accesses != NULL;
}

/* ---- one instruction after the other ---- */

/* The cost of an instruction's access: the cycles by which it delayed the core, and when the
 * words came that were not there. */
struct access_cost {
    uint64_t start; /* cycle of its first word */
    unsigned bytes; /* of each word that it reads or writes */
    uint64_t delay;
};

/* CHOICE(xscale-scoreboard): an instruction waits for the registers it writes, too, until what an
 * earlier one puts there has come. */
static uint64_t wait_for_registers(const struct xs_timeline *timeline, const struct xs_op *op,
                                   uint64_t now)
{
    const uint32_t late = op->early & timeline->late;
    int32_t most = 0;
    for (uint32_t set = op->waits; set != 0; set &= set - 1) {
        const unsigned r = (unsigned)__builtin_ctz(set);
        const int32_t wait = xs_wait(timeline, r, now) + (int32_t)(late >> r & 1);
        most = wait > most ? wait : most;
    }
    return now + (uint32_t)most;
}

/* Returns whether one of the registers that come last, at a time, comes from memory. */
static bool is_from_memory(const struct xs_timeline *timeline, const struct xs_op *op, uint64_t fed)
{
    for (uint32_t set = op->waits & timeline->missed; set != 0; set &= set - 1)
        if (xs_wait(timeline, (unsigned)__builtin_ctz(set), fed) == 0)
            return true;
    return false;
}

/* An instruction that could issue at a time had its registers at another, and its unit at a third.
 */
static void count_stalls(const struct xscale *xscale, const struct xs_op *op, uint64_t now,
                         uint64_t fed, uint64_t start)
{
    uint64_t *const tally = xscale->memory.tally;
    const bool missed = fed != now && is_from_memory(&xscale->timeline, op, fed);

    tally[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL] += fed - now;
    tally[missed ? ARMPMU_SIGNAL_STALL_BACKEND_MEM : ARMPMU_SIGNAL_STALL_BACKEND_ILOCK] +=
        fed - now;
    tally[ARMPMU_SIGNAL_STALL_BACKEND_BUSY] += start - fed;
}

/* CHOICE(xscale-busy-unit): to wait for the multiplier or for the access after LDRD is no data
 * dependency. */
static uint64_t wait_for_unit(const struct xs_timeline *timeline, const struct xs_op *op,
                              uint64_t now)
{
    const uint64_t free = op->unit == XS_MULTIPLY ? timeline->multiplier
                          : op->unit != XS_ALU    ? timeline->memory
                                                  : 0;
    return free > now ? free : now;
}

static void set_results(struct xs_timeline *timeline, uint32_t set, uint64_t ready)
{
    timeline->missed &= ~set;
    for (; set != 0; set &= set - 1)
        timeline->ready[__builtin_ctz(set)] = (uint32_t)ready;
}

/* The words of an access are made one after the other. */
struct word_access {
    const struct retired_block *executed;
    const struct retired_access *access;
    const struct xs_outcome *known; /* NULL: it is made */
    uint32_t number;                /* of the access, among those of the block */
    uint32_t latency;               /* of what is read */
};

/* The known part of an access costs no more than its only word. */
static uint64_t known_word(struct xscale *xscale, const struct word_access *word,
                           struct access_cost *transfer)
{
    const struct xs_outcome *outcome = word->known;
    xscale->memory.tally[ARMPMU_SIGNAL_L1D_WORD_ACCESS]++;
    transfer->delay += outcome->delay;
    return outcome->wait == 0 ? 0
                              : transfer->start + word->latency + transfer->delay + outcome->wait;
}

/* Reads or writes the word that is number `index` of an access. Returns when a word that is read is
 * there, 0 for at once. */
static uint64_t access_word(struct xscale *xscale, const struct word_access *word,
                            struct access_cost *transfer, unsigned index, bool store)
{
    if (word->known != NULL)
        return known_word(xscale, word, transfer);
    const struct retired_access *access = word->access;
    const uint32_t address = ((uint32_t)access->address & -transfer->bytes) + 4 * index;
    const unsigned stored = store ? transfer->bytes : 0;
    const uint64_t planned = transfer->start + index + transfer->delay;
    uint64_t now = planned;
    const bool uncached = access->device || !xs_caches_data(&xscale->memory);
    if (uncached)
        access_comes_from(&xscale->memory.seen,
                          access->device ? ARMPMU_FROM_DEVICE : ARMPMU_FROM_UNCACHED);
    const uint64_t there = uncached ? xs_uncached(&xscale->memory, &now, address, stored)
                                    : xs_access(&xscale->memory, &now, address, stored);
    transfer->delay += now - planned;
    return there;
}

/* CHOICE(xscale-words): each word is an access; those of a list come one a cycle. Returns the
 * cycles by which the core was held up. */
static uint64_t load_words(struct xscale *xscale, const struct xs_op *op,
                           const struct word_access *word, uint64_t start)
{
    struct xs_timeline *timeline = &xscale->timeline;
    struct access_cost transfer = {start, op->bytes, 0};
    uint32_t left = op->first;
    for (unsigned i = 0; i < op->words; i++) {
        const uint64_t there = access_word(xscale, word, &transfer, i, false);
        const uint64_t ready = start + op->latency + i + transfer.delay;
        set_results(timeline, left & -left, later(ready, there));
        timeline->missed |= there > ready ? left & -left : 0;
        left &= left - 1;
    }
    return transfer.delay;
}

static uint64_t store_words(struct xscale *xscale, const struct xs_op *op,
                            const struct word_access *word, uint64_t start)
{
    struct access_cost transfer = {start, op->bytes, 0};
    for (unsigned i = 0; i < op->words; i++)
        access_word(xscale, word, &transfer, i, true);
    return transfer.delay;
}

/* A word is read, then written; it is there when the next instruction may issue. */
static uint64_t swap_word(struct xscale *xscale, const struct xs_op *op,
                          const struct word_access *word, uint64_t start)
{
    struct access_cost transfer = {start, op->bytes, 0};
    const uint64_t there = access_word(xscale, word, &transfer, 0, false);
    const uint64_t waits = there > start ? there - start : 0, delay = transfer.delay + waits;
    xscale->memory.tally[ARMPMU_SIGNAL_STALL_BACKEND_MEM] += waits;
    transfer.delay = delay;
    access_word(xscale, word, &transfer, 0, true);
    return transfer.delay;
}

uint64_t xs_cure_access(struct xscale *xscale, const struct block *code,
                        const struct retired_access *made, uint64_t start)
{
    const struct insn *const insn = &code->insns[made->index];
    const uint64_t pc = code->address + insn->offset;
    const uint32_t address = (uint32_t)made->address, last = address + insn->memory.bytes - 1;
    struct xs_memory *const memory = &xscale->memory;

    if (made->device || !xs_caches_data(memory) ||
        !core_cures_access(&xscale->core, pc, made->address))
        return 0;
    switch (xscale->core.machine->cures->kind) {
    case CURE_STORES:
        if (!insn->memory.store)
            return 0;
        xs_cure(memory, address, insn->memory.bytes);
        return 0;
    case CURE_LEVEL1:
        xs_cure(memory, address, insn->memory.bytes);
        return 0;
    case CURE_TLB:
        xs_cure_page(memory, address);
        xs_cure_page(memory, last);
        return 0;
    case CURE_PREFETCH:
        break;
    default:
        return 0;
    }
    const uint64_t earlier = core_turns_ago(&xscale->core, pc, start);
    uint64_t now = start;
    for (uint32_t at = address; at <= last; at = (at & -XS_LINE_BYTES) + XS_LINE_BYTES)
        xs_cure_by_preload(memory, &now, at, earlier);
    return now - start;
}

static uint64_t make_access(struct xscale *xscale, const struct xs_op *op,
                            const struct word_access *word, uint64_t start)
{
    struct xs_timeline *timeline = &xscale->timeline;
    uint64_t delay, held = 0;
    if (unlikely(xscale->core.machine->cures != NULL) && word->known == NULL)
        held = xs_cure_access(xscale, word->executed->block, word->access, start);
    start += held;
    if (op->unit == XS_LOAD)
        delay = load_words(xscale, op, word, start);
    else if (op->unit == XS_STORE)
        delay = store_words(xscale, op, word, start);
    else
        delay = swap_word(xscale, op, word, start);
    set_results(timeline, op->back, start + op->back_latency + delay);
    timeline->late &= ~(op->first | op->back);
    if (op->holds_memory)
        timeline->memory = start + op->issue + 1 + delay;
    return held + delay;
}

/* Cycles from when an access issued until all that it loads is there. */
static uint64_t load_cycles(const struct xscale *xscale, const struct xs_op *op, uint64_t start,
                            uint64_t delay)
{
    uint64_t most = delay + (op->unit == XS_SWAP ? op->issue : op->latency + op->words - 1u);
    for (uint32_t set = op->first; set != 0 && op->unit == XS_LOAD; set &= set - 1) {
        const int32_t wait = xs_wait(&xscale->timeline, (unsigned)__builtin_ctz(set), start);
        most = wait > 0 && (uint32_t)wait > most ? (uint32_t)wait : most;
    }
    return most;
}

/* make_access for a profile that keeps accesses. */
static OUT_OF_LINE uint64_t log_access(struct xscale *xscale, const struct xs_op *op,
                                       const struct word_access *word, uint64_t start)
{
    struct data_access_log *const log = xscale->core.reader->profile.accesses;
    const struct block *const code = word->executed->block;
    const struct insn *const insn = &code->insns[word->access->index];
    const uint32_t address = (uint32_t)word->access->address;
    access_log_begin(log, word->executed->profile, xscale->memory.tally, &xscale->memory.seen);
    const uint64_t delay = make_access(xscale, op, word, start);
    const struct access_seen seen = xs_seen(&xscale->memory, address, insn->memory.bytes);
    access_log_end(log, xscale->memory.tally, &seen,
                   &(struct logged_access){.insn = insn,
                                           .isa = code->isa,
                                           .pc = code->address + insn->offset,
                                           .address = address,
                                           .cycles = load_cycles(xscale, op, start, delay)});
    return delay;
}

/* Returns the cycles by which the core was held up. beside: the access that tells the address. */
static uint64_t preload(struct xscale *xscale, const struct xs_op *op,
                        const struct retired_access *beside, uint64_t start)
{
    uint64_t now = start;
    if (!beside->device)
        xs_preload(&xscale->memory, &now, preload_at(&op->preload, beside->address));
    return now - start;
}

/* Notes when an access issues of which the outcome is or will be known. */
static void note_issue(struct xscale *xscale, const struct word_access *word, uint64_t start)
{
    if (word->number < XS_OUTCOMES_MAX)
        xscale->known.issued_at[word->number] = start;
}

/* Issues an instruction at a time; returns when the next one may. word: of its own access or, of a
 * preload, of that beside it; without access for none. */
static uint64_t issue(struct xscale *xscale, const struct xs_op *op, const struct word_access *word,
                      uint64_t now)
{
    struct xs_timeline *timeline = &xscale->timeline;
    uint64_t *const tally = xscale->memory.tally;
    const uint64_t fed = wait_for_registers(timeline, op, now);
    const uint64_t start = wait_for_unit(timeline, op, fed);
    const uint64_t next = start + op->issue;
    if (start != now)
        count_stalls(xscale, op, now, fed, start);
    if (op->issue != 1)
        tally[ARMPMU_SIGNAL_ISSUE_STEP] += op->issue - 1u;
    if (word->access != NULL && op->preloads)
        return next + preload(xscale, op, word->access, start);
    if (word->access != NULL) {
        note_issue(xscale, word, start);
        return next + (unlikely(keeps_accesses(xscale)) ? log_access(xscale, op, word, start)
                                                        : make_access(xscale, op, word, start));
    }
    if (op->drains) {
        const uint64_t drained = later(next, xs_drain(&xscale->memory, start));
        tally[ARMPMU_SIGNAL_STALL_BACKEND_MEM] += drained - next;
        return drained;
    }
    if (op->words != 0) /* its condition failed */
        return next;
    set_results(timeline, op->first, start + op->latency);
    set_results(timeline, op->second, start + op->latency + 1);
    if (op->unit == XS_MULTIPLY) {
        timeline->multiplier = start + op->multiplier;
        timeline->late &= ~(op->first | op->second);
    } else {
        timeline->late |= op->first;
    }
    return next;
}

static const struct xs_outcome *known_of(const struct xscale *xscale, uint32_t number)
{
    static const struct xs_outcome hit;
    if (number >= xscale->known.n)
        return NULL;
    return number < XS_OUTCOMES_MAX ? &xscale->known.outcome[number] : &hit;
}

static uint64_t fetch(struct xscale *xscale, const struct xs_block *block, const struct xs_op *op,
                      uint64_t now)
{
    const uint32_t address = block->start + op->offset;
    if (unlikely(cures_by(xscale->core.machine->cures, CURE_CODE, address)))
        xs_cure_fetch(&xscale->memory, address);
    return xs_fetch(&xscale->memory, now, address);
}

/* fetched: the lines of all instructions are there. */
static void run_each(struct xscale *xscale, const struct retired_block *executed, bool fetched)
{
    struct xs_block *block = executed->data;
    const struct retired_access *access = executed->accesses;
    const struct retired_access *const end = access + executed->n_accesses;
    uint64_t now = xscale->now;
    for (uint32_t i = 0; i < executed->n_executed; i++) {
        const struct xs_op *op = &block->ops[i];
        const bool accesses = access != end && access->index == i;
        const uint32_t number = (uint32_t)(access - executed->accesses);
        const struct word_access word = {
            .executed = executed,
            .access = op->preloads                 ? retired_access_of(executed, op->preload.beside)
                      : accesses && op->words != 0 ? access
                                                   : NULL,
            .known = known_of(xscale, number),
            .number = number,
            .latency = op->latency,
        };
        const uint64_t before = now;
        xs_attribute_run(xscale, executed, i);
        if (!fetched)
            now = fetch(xscale, block, op, now);
        now = issue(xscale, op, &word, now);
        xs_charge(xscale, i, now - before);
        access += accesses;
    }
    xscale->now = now;
}

/* Lays the state out in cycles of the clock: it has no number until one is asked for. */
static void lay_out_state(struct xscale *xscale)
{
    const uint64_t now = xscale->now;
    if (xscale->state != SCHEDULE_NO_STATE)
        xs_timeline_of(&xscale->states, xscale->state, now, &xscale->timeline);
    else if (now - xscale->caught_up_at < XS_CATCH_UP_CYCLES)
        return;
    else
        xs_timeline_catch_up(&xscale->timeline, now);
    xscale->state = SCHEDULE_NO_STATE;
    xscale->caught_up_at = now;
}

/* As xs_run_slowly, with what is known of the accesses. */
static void run_live(struct xscale *xscale, const struct retired_block *executed, bool fetched)
{
    const struct xs_block *block = executed->data;
    const bool is_branch = executed->n_executed == block->n_insns && block->is_direct_branch;
    lay_out_state(xscale);
    run_each(xscale, executed, fetched);
    /* The last instruction's, where that is asked. */
    xscale->memory.tally[ARMPMU_SIGNAL_DIRECT_BRANCH] += is_branch;
    if (likely(!xscale->is_attributing))
        xs_count_insns(xscale->memory.tally, executed->n_executed);
}

void xs_run_slowly(struct xscale *xscale, const struct retired_block *executed, bool fetched)
{
    xscale->known.n = 0;
    run_live(xscale, executed, fetched);
}

/* ---- memos ---- */

static size_t memo_bytes(const struct xscale *xscale, const struct xs_block *block)
{
    const struct xs_schedule_memo *memo = NULL;
    return sizeof *memo + block->n_accesses * sizeof memo->issued_at[0] +
           (xscale->is_attributing ? block->n_insns * sizeof(struct xs_part) : 0);
}

/* Finds the effect of a whole block in the core's state, when the outcomes of all its accesses
 * are known: nothing changes but the state's numbers. Returns what is true of it in memory for
 * n_accesses; NULL without memory or number. */
static struct xs_schedule_memo *work_out(struct xscale *xscale,
                                         const struct retired_block *executed)
{
    const struct xs_block *block = executed->data;
    const uint64_t start = xscale->now;
    uint64_t scratch[ARMPMU_SIGNAL_COUNT] = {0}, *const tally = xscale->memory.tally;
    struct xs_schedule_memo *memo = malloc(memo_bytes(xscale, block));
    if (memo == NULL)
        return NULL;
    xs_timeline_of(&xscale->states, xscale->state, start, &xscale->timeline);
    xscale->known.n = UINT32_MAX;
    xscale->memory.tally = scratch;
    xscale->parts = xscale->is_attributing ? xs_parts(block, memo) : NULL;
    run_each(xscale, executed, true);
    xscale->memory.tally = tally;
    xscale->parts = NULL;
    *memo = (struct xs_schedule_memo){
        .memo.cycles = (uint32_t)(xscale->now - start),
        .after = xs_state_at(&xscale->states, &xscale->timeline, xscale->now),
    };
    for (unsigned k = 0; k < XS_SCHEDULED; k++)
        memo->counts[k] = (uint32_t)scratch[xs_scheduled[k]];
    xscale->now = start;
    if (memo->after != SCHEDULE_NO_STATE)
        return memo;
    free(memo);
    return NULL;
}

static struct xs_schedule_memo *new_memo(struct xscale *xscale,
                                         const struct retired_block *executed, uint32_t key,
                                         struct schedule_memos *among)
{
    struct xs_block *block = executed->data;
    if (block->n_memos >= XS_MEMOS_MAX)
        return NULL;
    struct xs_schedule_memo *memo = work_out(xscale, executed);
    if (memo == NULL)
        return NULL;
    for (uint32_t i = 0; i < block->n_accesses && i < XS_OUTCOMES_MAX; i++)
        memo->issued_at[i] = (uint32_t)(xscale->known.issued_at[i] - xscale->now);
    memo->memo.key = key;
    reader_hold(xscale->core.reader, memo);
    schedule_memo_add(among, &memo->memo);
    memo->next = block->all_memos;
    block->all_memos = memo;
    block->profile = executed->profile;
    block->n_memos++;
    return memo;
}

/* The outcomes of a memo's accesses: those that did not hit, and the hits besides. */
static void know(struct xscale *xscale, const struct xs_schedule_memo *memo)
{
    memset(xscale->known.outcome, 0, sizeof xscale->known.outcome);
    for (; memo->base != NULL; memo = memo->base)
        xscale->known.outcome[memo->access] = memo->outcome;
}

/* A profile that keeps accesses makes each of them, so that nothing is remembered. */
struct xs_schedule_memo *xs_find_memo(struct xscale *xscale, const struct retired_block *executed,
                                      uint32_t key)
{
    struct xs_block *block = executed->data;
    struct schedule_memo *const found = schedule_memo_find(&block->memos.memos, key);
    if (likely(found != NULL))
        return (struct xs_schedule_memo *)found;
    if (keeps_accesses(xscale))
        return NULL;
    memset(xscale->known.outcome, 0, sizeof xscale->known.outcome);
    return new_memo(xscale, executed, key, &block->memos.memos);
}

/* Runs the block to its end. number: the first access that was not made yet; those before are
 * known. */
static struct xs_schedule_memo *run_rest(struct xscale *xscale,
                                         const struct retired_block *executed, uint32_t number)
{
    xscale->known.n = number;
    run_live(xscale, executed, true);
    return NULL;
}

/* The outcome of an access to one word, which is made `issued_at` cycles after the block's start.
 * The memo counts it. */
static struct xs_outcome make_word(struct xscale *xscale, const struct xs_block_access *access,
                                   uint32_t at, uint32_t issued_at)
{
    const uint64_t planned = xscale->now + issued_at;
    uint64_t now = planned;
    const uint64_t there = xs_access_unknown(&xscale->memory, &now, at & -(uint32_t)access->width,
                                             access->store ? access->width : 0);
    const uint64_t ready = now + access->latency;
    return (struct xs_outcome){.delay = (uint32_t)(now - planned),
                               .wait =
                                   access->store || there <= ready ? 0 : (uint32_t)(there - ready)};
}

enum { OUTCOME_BITS = 13 }; /* of each of two numbers, below that of the access */

static bool has_key(struct xs_outcome outcome)
{
    return (outcome.delay | outcome.wait) >> OUTCOME_BITS == 0;
}

/* A block that executed whole: as its records tell it, or as retire_block is told. */
struct ran {
    const struct xs_whole *whole; /* or NULL */
    const struct retired_block *executed;
    const struct block *code;
    struct profile_block *profile;
};

static const struct retired_block *executed_of(struct xscale *xscale, const struct ran *ran)
{
    return ran->whole != NULL ? xs_executed(xscale, ran->whole) : ran->executed;
}

static ALWAYS_INLINE struct xs_schedule_memo *later_memo(struct xscale *xscale,
                                                         struct xs_schedule_memo *memo,
                                                         const struct ran *ran, uint32_t access,
                                                         struct xs_outcome outcome)
{
    const uint32_t key = (access << OUTCOME_BITS | outcome.delay) << OUTCOME_BITS | outcome.wait;
    struct schedule_memo *found = schedule_memo_find(&memo->later, key);
    if (likely(found != NULL))
        return (struct xs_schedule_memo *)found;
    know(xscale, memo);
    xscale->known.outcome[access] = outcome;
    struct xs_schedule_memo *made = new_memo(xscale, executed_of(xscale, ran), key, &memo->later);
    if (made == NULL)
        return NULL;
    made->base = memo;
    made->access = access;
    made->outcome = outcome;
    return made;
}

/* Makes access n, unless it hits. Returns the memo with its outcome, in place of one that knows
 * only those before; NULL if the block has run. */
static ALWAYS_INLINE struct xs_schedule_memo *
make_known(struct xscale *xscale, struct xs_schedule_memo *memo, const struct ran *ran, uint32_t n,
           const struct xs_block_access *access, uint32_t address)
{
    struct xs_memory *const memory = &xscale->memory;
    if (access->is_known ? xs_word_hits(memory, address & ~3u, access->store)
                         : xs_hits(memory, address & ~3u, access->bytes, access->store))
        return memo;
    if (unlikely(xscale->core.machine->cures != NULL))
        (void)xs_cure_access(
            xscale, ran->code,
            &(struct retired_access){.index = (uint16_t)access->index, .address = address},
            xscale->now);
    if (!access->is_known || !xs_caches_data(memory)) {
        know(xscale, memo);
        return run_rest(xscale, executed_of(xscale, ran), n);
    }
    xs_attribute(xscale, ran->profile, access->index);
    const struct xs_outcome outcome = make_word(xscale, access, address, memo->issued_at[n]);
    if ((outcome.delay | outcome.wait) == 0)
        return memo;
    struct xs_schedule_memo *later =
        has_key(outcome) ? later_memo(xscale, memo, ran, n, outcome) : NULL;
    if (likely(later != NULL))
        return later;
    know(xscale, memo);
    xscale->known.outcome[n] = outcome;
    return run_rest(xscale, executed_of(xscale, ran), n + 1);
}

struct xs_schedule_memo *xs_make_accesses(struct xscale *xscale, struct xs_schedule_memo *memo,
                                          const struct xs_whole *whole)
{
    const struct reader_entry *const entry = whole->position->entry;
    const struct xs_block *block = entry->data;
    const struct ran ran = {.whole = whole, .code = entry->code, .profile = entry->profile};
    for (uint32_t i = 0; i < block->n_accesses && memo != NULL; i++)
        memo = make_known(xscale, memo, &ran, i, &block->accesses[i],
                          (uint32_t)whole->records[whole->accesses[i].at]);
    return memo;
}

struct xs_schedule_memo *xs_make_some_accesses(struct xscale *xscale, struct xs_schedule_memo *memo,
                                               const struct retired_block *executed)
{
    const struct xs_block *block = executed->data;
    const struct xs_block_access *access = block->accesses;
    const struct ran ran = {
        .executed = executed, .code = executed->block, .profile = executed->profile};
    for (uint32_t i = 0; i < executed->n_accesses && memo != NULL; i++) {
        while (access->index != executed->accesses[i].index)
            access++;
        memo = make_known(xscale, memo, &ran, i, access, (uint32_t)executed->accesses[i].address);
    }
    return memo;
}

/* ---- counts ---- */

static void add_memo(const struct xs_block *block, const struct xs_schedule_memo *memo,
                     uint64_t *tally)
{
    const uint64_t runs = xs_runs(memo);
    xs_count_insns(tally, runs * block->n_insns);
    tally[ARMPMU_SIGNAL_DIRECT_BRANCH] += block->is_direct_branch ? runs : 0;
    xs_count_ends(block, memo, tally);
    for (unsigned k = 0; k < XS_SCHEDULED; k++)
        tally[xs_scheduled[k]] += runs * memo->counts[k];
}

void xs_add_held(const struct xscale *xscale, uint64_t *tally)
{
    for (const struct memo_block *block = xscale->dirty_blocks; block != NULL;
         block = block->next_dirty)
        for (const struct xs_schedule_memo *memo = ((const struct xs_block *)block)->all_memos;
             memo != NULL; memo = memo->next)
            add_memo((const struct xs_block *)block, memo, tally);
}

/* Blocks enter the list of dirty blocks where their lines are looked for: all have to look
 * again. */
void xs_sync(struct xscale *xscale)
{
    if (xscale->is_attributing)
        xs_attribute_held(xscale);
    else
        xs_add_held(xscale, xscale->tally);
    for (struct memo_block *block = xscale->dirty_blocks; block != NULL;
         block = block->next_dirty) {
        for (struct xs_schedule_memo *memo = ((struct xs_block *)block)->all_memos; memo != NULL;
             memo = memo->next)
            memo->exits[0] = memo->exits[1] = memo->refills = 0;
        block->is_dirty = false;
    }
    xscale->dirty_blocks = NULL;
    xscale->memory.fetch_epoch++;
}

/* ---- between blocks ---- */

static OUT_OF_LINE uint32_t idle_after(struct xscale *xscale, uint32_t number, uint64_t cycles)
{
    struct xs_idled *const known = &xscale->idled[(number + 29 * cycles) % XS_IDLES];
    if (known->number != number || known->cycles != cycles)
        *known = (struct xs_idled){number, xs_state_after(&xscale->states, number, cycles), cycles};
    return known->after;
}

void xs_idle(struct xscale *xscale, uint64_t cycles)
{
    xscale->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += cycles; /* read with a profile only */
    xs_pass(xscale, cycles);
}

void xs_pass(struct xscale *xscale, uint64_t cycles)
{
    const uint32_t number = xscale->state;
    xscale->now += cycles;
    if (number == SCHEDULE_NO_STATE || number == SCHEDULE_IDLE || cycles == 0)
        return;
    xscale->state = idle_after(xscale, number, cycles);
    if (xscale->state != SCHEDULE_NO_STATE)
        return;
    xscale->caught_up_at = xscale->now - cycles;
    xs_timeline_of(&xscale->states, number, xscale->caught_up_at, &xscale->timeline);
}

uint64_t xs_pc_wait(const struct xscale *xscale)
{
    if (xscale->state != SCHEDULE_NO_STATE)
        return ((const struct xs_state *)schedule_states_at(&xscale->states, xscale->state))
            ->ready[XS_PC];
    const int32_t wait = xs_wait(&xscale->timeline, XS_PC, xscale->now);
    return wait > 0 ? (uint64_t)wait : 0;
}
