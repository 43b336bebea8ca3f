/* A block's way through the XScale's pipeline. */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/compiler.h"
#include "cores/xscale/core.h"

/* ---- one instruction after the other ---- */

/* What an instruction's access cost: the cycles by which it delayed the core, and when the words
 * came that were not there. */
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
    for (uint32_t set = op->waits; set != 0; set &= set - 1) {
        const unsigned r = (unsigned)__builtin_ctz(set);
        const uint64_t ready = timeline->ready[r] + (late >> r & 1);
        now = ready > now ? ready : now;
    }
    return now;
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
    for (; set != 0; set &= set - 1)
        timeline->ready[__builtin_ctz(set)] = ready;
}

/* Reads or writes the word that is number `index` of an access. Returns when a word that is read is
 * there, 0 for at once. */
static uint64_t sysreg_insn_word(struct xscale *xscale, const struct retired_access *access,
                                 struct access_cost *transfer, unsigned index, bool store)
{
    const uint32_t address = ((uint32_t)access->address & -transfer->bytes) + 4 * index;
    const unsigned stored = store ? transfer->bytes : 0;
    const uint64_t planned = transfer->start + index + transfer->delay;
    uint64_t now = planned;
    const bool uncached = access->device || !xscale->memory.translates;
    const uint64_t there = uncached ? xs_uncached(&xscale->memory, &now, address, stored)
                                    : xs_access(&xscale->memory, &now, address, stored);
    transfer->delay += now - planned;
    return there;
}

/* CHOICE(xscale-words): each word is an access; those of a list come one a cycle. Returns the
 * cycles by which the core was held up. */
static uint64_t load_words(struct xscale *xscale, const struct xs_op *op,
                           const struct retired_access *access, uint64_t start)
{
    struct xs_timeline *timeline = &xscale->timeline;
    struct access_cost transfer = {start, op->bytes, 0};
    uint32_t left = op->first;
    for (unsigned i = 0; i < op->words; i++) {
        const uint64_t there = sysreg_insn_word(xscale, access, &transfer, i, false);
        const uint64_t ready = start + op->latency + i + transfer.delay;
        set_results(timeline, left & -left, later(ready, there));
        left &= left - 1;
    }
    return transfer.delay;
}

static uint64_t store_words(struct xscale *xscale, const struct xs_op *op,
                            const struct retired_access *access, uint64_t start)
{
    struct access_cost transfer = {start, op->bytes, 0};
    for (unsigned i = 0; i < op->words; i++)
        sysreg_insn_word(xscale, access, &transfer, i, true);
    return transfer.delay;
}

/* A word is read, then written; it is there when the next instruction may issue. */
static uint64_t swap_word(struct xscale *xscale, const struct xs_op *op,
                          const struct retired_access *access, uint64_t start)
{
    struct access_cost transfer = {start, op->bytes, 0};
    const uint64_t there = sysreg_insn_word(xscale, access, &transfer, 0, false);
    const uint64_t delay = transfer.delay + (there > start ? there - start : 0);
    transfer.delay = delay;
    sysreg_insn_word(xscale, access, &transfer, 0, true);
    return transfer.delay;
}

static uint64_t make_access(struct xscale *xscale, const struct xs_op *op,
                            const struct retired_access *access, uint64_t start)
{
    struct xs_timeline *timeline = &xscale->timeline;
    uint64_t delay;
    if (op->unit == XS_LOAD)
        delay = load_words(xscale, op, access, start);
    else if (op->unit == XS_STORE)
        delay = store_words(xscale, op, access, start);
    else
        delay = swap_word(xscale, op, access, start);
    set_results(timeline, op->back, start + op->back_latency + delay);
    timeline->late &= ~(op->first | op->back);
    if (op->holds_memory)
        timeline->memory = start + op->issue + 1 + delay;
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

/* Issues an instruction at a time; returns when the next one may. access: its own or, of a preload,
 * that beside it; NULL for none. */
static uint64_t issue(struct xscale *xscale, const struct xs_op *op,
                      const struct retired_access *access, uint64_t now)
{
    struct xs_timeline *timeline = &xscale->timeline;
    const uint64_t fed = wait_for_registers(timeline, op, now);
    xscale->tally[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL] += fed - now;
    const uint64_t start = wait_for_unit(timeline, op, fed);
    const uint64_t next = start + op->issue;
    if (access != NULL && op->preloads)
        return next + preload(xscale, op, access, start);
    if (access != NULL)
        return next + make_access(xscale, op, access, start);
    if (op->drains)
        return later(next, xs_drain(&xscale->memory, start));
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

static void run_each(struct xscale *xscale, const struct retired_block *executed)
{
    struct xs_block *block = executed->data;
    const struct retired_access *access = executed->accesses;
    const struct retired_access *const end = access + executed->n_accesses;
    uint64_t now = xscale->now;
    for (uint32_t i = 0; i < executed->n_executed; i++) {
        const struct xs_op *op = &block->ops[i];
        const bool accesses = access != end && access->index == i;
        const struct retired_access *of = op->preloads
                                              ? retired_access_of(executed, op->preload.beside)
                                          : accesses && op->words != 0 ? access
                                                                       : NULL;
        now = xs_fetch(&xscale->memory, now, block->start + op->offset);
        now = issue(xscale, op, of, now);
        access += accesses;
    }
    xscale->now = now;
}

/* ---- the fast path ---- */

/* Whether all lines of a block and all its accesses hit: then only the state of the pipeline
 * decides what it does. In a state that has a number no code is on its way; data that is on its way
 * is not known to hit. (Nor is any while the MMU is off.) */
static inline bool is_fast_hit(struct xscale *xscale, struct xs_block *block,
                               const struct retired_block *executed)
{
    struct xs_memory *memory = &xscale->memory;
    if (xscale->state == XS_EXPLICIT || executed->n_executed != block->n_insns ||
        executed->n_accesses != block->n_accesses || block->reaches_memory)
        return false;
    if (block->fetched_at != memory->fetch_epoch) {
        if (!xs_fetch_hits(memory, block->first_line, block->last_line))
            return false;
        block->fetched_at = memory->fetch_epoch;
    }
    for (uint32_t i = 0; i < executed->n_accesses; i++) {
        const struct retired_access *access = &executed->accesses[i];
        const struct xs_op *op = &block->ops[access->index];
        if (access->device ||
            !xs_hits(memory, (uint32_t)access->address & ~3u, 4u * op->words, op->unit != XS_LOAD))
            return false;
    }
    return true;
}

static inline struct xs_schedule_memo *find_memo(struct xs_block *block, uint32_t before)
{
    for (struct xs_schedule_memo **link = &block->memos; *link != NULL; link = &(*link)->sibling) {
        struct xs_schedule_memo *memo = *link;
        if (memo->before != before)
            continue;
        *link = memo->sibling; /* to the front */
        memo->sibling = block->memos;
        block->memos = memo;
        return memo;
    }
    return NULL;
}

/* Without memory nothing is remembered, and the slow path is taken again. */
static void remember(const struct xscale *xscale, struct xs_block *block,
                     struct xs_schedule_memo memo)
{
    struct xs_schedule_memo *kept = malloc(sizeof *kept);
    if (kept == NULL)
        return;
    reader_hold(xscale->reader, kept);
    memo.sibling = block->memos;
    *kept = memo;
    block->memos = kept;
}

/* Gives the state a number again where it may have one. */
static void normalize_state(struct xscale *xscale)
{
    if (xscale->memory.idle_at <= xscale->now)
        xscale->state = xs_state_at(&xscale->states, &xscale->timeline, xscale->now);
}

static void run_slow_path(struct xscale *xscale, const struct retired_block *executed, bool fast)
{
    const struct xs_schedule_memo before = {
        .before = xscale->state,
        .cycles = (uint32_t)xscale->now,
        .stalls = (uint32_t)xscale->tally[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL],
    };
    if (xscale->state != XS_EXPLICIT)
        xs_timeline_of(&xscale->states, xscale->state, xscale->now, &xscale->timeline);
    xscale->state = XS_EXPLICIT;
    run_each(xscale, executed);
    normalize_state(xscale);
    if (!fast || xscale->state == XS_EXPLICIT)
        return;
    struct xs_schedule_memo memo = before;
    memo.after = xscale->state;
    memo.cycles = (uint32_t)xscale->now - before.cycles;
    memo.stalls = (uint32_t)xscale->tally[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL] - before.stalls;
    remember(xscale, executed->data, memo);
}

void xs_run_block(struct xscale *xscale, const struct retired_block *executed)
{
    struct xs_block *block = executed->data;
    const bool fast = is_fast_hit(xscale, block, executed);
    struct xs_schedule_memo *memo = fast ? find_memo(block, xscale->state) : NULL;
    if (unlikely(memo == NULL)) {
        run_slow_path(xscale, executed, fast);
        return;
    }
    xscale->now += memo->cycles;
    xscale->state = memo->after;
    xscale->tally[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL] += memo->stalls;
    xscale->tally[ARMPMU_SIGNAL_L1D_WORD_ACCESS] += block->n_words;
}

/* ---- between blocks ---- */

void xs_idle(struct xscale *xscale, uint64_t cycles)
{
    xscale->now += cycles;
    if (xscale->state != XS_EXPLICIT) {
        const uint32_t number = xscale->state;
        xscale->state = xs_state_after(&xscale->states, number, cycles);
        if (xscale->state == XS_EXPLICIT)
            xs_timeline_of(&xscale->states, number, xscale->now - cycles, &xscale->timeline);
    }
}

uint64_t xs_pc_wait(const struct xscale *xscale)
{
    if (xscale->state != XS_EXPLICIT)
        return xscale->states.states[xscale->state].ready[XS_PC];
    const uint64_t ready = xscale->timeline.ready[XS_PC];
    return ready > xscale->now ? ready - xscale->now : 0;
}
