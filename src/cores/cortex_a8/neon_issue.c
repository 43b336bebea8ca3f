/* NEON and VFP instructions on the Cortex-A8, handed to their unit at the cycles at which the
 * integer pipeline issued them.
 *
 * CHOICE(transfer): a move to a core register or to the flags stops the integer pipeline until its
 * data has come, but for further such moves after it.
 *
 * CHOICE(vector-store): what NEON stores past L1D is in the write buffer when the instruction comes
 * out of NEON's pipeline.
 *
 * CHOICE(neon-busy): the integer pipeline is idle while it waits for NEON, and at work else (0x5A).
 *
 * Source: ARM DDI 0344K, Values for predefined events, 0x58 to 0x5A; Instruction timing, NEON. */
#include "cores/cortex_a8/core.h"

/* It issues no sooner than the block begins: an exception or a miss may have come between. */
OUT_OF_LINE static void wait_for_transfer(struct a8 *a8, const struct a8_block *block)
{
    const uint64_t start = a8->memory.now;
    const uint64_t next = a8->sysreg_insn_next > start ? a8->sysreg_insn_next : start;
    if (a8->sysreg_insn_arrives > next) {
        a8_attribute(a8, block, a8->sysreg_insn_end);
        if (unlikely(a8->busy != NULL))
            a8_waited_for_neon(a8, next, a8->sysreg_insn_arrives);
        a8->memory.tally[ARMPMU_SIGNAL_NEON_TRANSFER_STALL] += a8->sysreg_insn_arrives - next;
        a8->memory.now += a8->sysreg_insn_arrives - next;
        a8_charge(a8, start);
    }
    a8->sysreg_insn_arrives = 0;
    a8->waits = 0;
}

/* The integer pipeline waits until a time, for room in NEON's queues. */
static void await_room(struct a8 *a8, uint64_t at, uint64_t entered)
{
    if (likely(entered == at))
        return;
    a8->memory.tally[ARMPMU_SIGNAL_NEON_QUEUE_STALL] += entered - at;
    a8->memory.tally[ARMPMU_SIGNAL_CPU_CYCLES] += entered - at;
    a8->memory.now += entered - at;
}

/* The instruction after a run of transfers waits for their data. */
static void await_transfer(struct a8 *a8, const struct a8_block *block)
{
    if (unlikely(a8->sysreg_insn_arrives != 0))
        wait_for_transfer(a8, block);
}

/* issued: since the block began. */
static void hand_over(struct a8 *a8, const struct a8_block *block, const struct neon_insn *insn,
                      uint32_t issued)
{
    if (!insn->transfer || insn->index != a8->sysreg_insn_end)
        await_transfer(a8, block);
    a8_attribute(a8, block, insn->index);
    const uint64_t at = a8->memory.now + issued;
    const struct neon_outcome out = neon_accept(&a8->neon, insn, at, a8->memory.neon_data);
    a8->memory.neon_data = 0;
    a8->memory.tally[ARMPMU_SIGNAL_NEON_BUSY] += out.busy;
    await_room(a8, at, out.entered);
    if (unlikely(a8->busy != NULL))
        a8_neon_worked(a8, at, out);
    if (unlikely(a8->memory.writes.awaits_neon))
        a8_vector_store_has_data(&a8->memory,
                                 a8->neon.last_start + a8->core.machine->neon_store_cycles);
    if (!insn->transfer)
        return;
    a8->sysreg_insn_arrives = a8->neon.last_start + insn->busy;
    a8->waits = a8->sysreg_insn_arrives != 0 ? A8_VECTORS : 0;
    a8->sysreg_insn_next = out.entered + 1;
    a8->sysreg_insn_end = insn->index + 1u;
}

static void hand_over_below(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    const struct a8_block *block = a8_memo_block(memo);
    for (; a8->next_vector < block->n_vectors; a8->next_vector++) {
        const struct neon_insn *insn = &block->vectors[a8->next_vector];
        if (insn->index >= n)
            return;
        if (a8->vectors_ahead == 0)
            hand_over(a8, block, insn, memo->handed_at[a8->next_vector]);
        else
            a8->vectors_ahead--;
    }
}

typedef void units_fn(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n);

/* The units of all machines of a front do it, each at its own time. */
static OUT_OF_LINE void in_backs(struct a8 *front, units_fn *does,
                                 const struct a8_schedule_memo *memo, unsigned n)
{
    front->sysreg_insn_arrives = 0;
    A8_EACH_BACK(memory, &front->memory)
    {
        struct a8 *const back = a8_of_memory(memory);
        memory->now = front->memory.now + memory->ahead;
        does(back, memo, n);
        memory->ahead = memory->now - front->memory.now;
        front->sysreg_insn_arrives |= back->sysreg_insn_arrives;
    }
    front->waits = front->sysreg_insn_arrives != 0 ? A8_VECTORS : 0;
}

static ALWAYS_INLINE void in_units(struct a8 *a8, units_fn *does,
                                   const struct a8_schedule_memo *memo, unsigned n)
{
    if (unlikely(a8->memory.backs != NULL))
        in_backs(a8, does, memo, n);
    else
        does(a8, memo, n);
}

static void reach(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned index)
{
    hand_over_below(a8, memo, index);
    if (a8->sysreg_insn_end < index)
        await_transfer(a8, a8_memo_block(memo));
}

void a8_vectors_reached(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned index)
{
    if (a8_has_vectors(a8, a8_memo_block(memo)))
        in_units(a8, reach, memo, index);
}

static void make_room(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned index)
{
    const struct a8_block *block = a8_memo_block(memo);
    hand_over_below(a8, memo, index);
    await_transfer(a8, block);
    const uint32_t i = a8->next_vector;
    if (i == block->n_vectors || block->vectors[i].index != index || a8->vectors_ahead != 0)
        return;
    a8_attribute(a8, block, index);
    const uint64_t at = a8->memory.now + memo->handed_at[i];
    const uint64_t room = neon_room(&a8->neon, &block->vectors[i], at);
    if (unlikely(a8->busy != NULL))
        a8_waited_for_neon(a8, at, room);
    await_room(a8, at, room);
}

void a8_vectors_before(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned index)
{
    in_units(a8, make_room, memo, index);
}

static void end_vectors(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    hand_over_below(a8, memo, n);
    if (a8->sysreg_insn_end < n)
        await_transfer(a8, a8_memo_block(memo));
    a8->sysreg_insn_end = 0;
    a8->next_vector = 0;
}

static void retire_vectors(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    const struct a8_block *block = a8_memo_block(memo);
    if (likely(!a8->vectors_handed)) {
        end_vectors(a8, memo, n);
        return;
    }
    a8->vectors_handed = false;
    for (uint32_t i = 0; i < block->n_vectors; i++)
        a8->vectors_ahead += block->vectors[i].index >= n;
}

void a8_retire_vectors(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    in_units(a8, retire_vectors, memo, n);
    a8->vectors_handed = false;
}

static void hand_over_all(struct a8 *a8, const struct a8_schedule_memo *memo, unsigned n)
{
    end_vectors(a8, memo, n);
    a8->vectors_handed = a8_memo_block(memo)->n_vectors != 0;
}

void a8_hand_over_open(struct a8 *a8)
{
    const struct a8_schedule_memo *memo = a8_open(a8);
    if (memo == NULL || a8->vectors_handed)
        return;
    const struct a8_block *block = a8_memo_block(memo);
    if (!a8_has_vectors(a8, block))
        return;
    in_units(a8, hand_over_all, memo, block->entry.n_insns);
    a8->vectors_handed = block->n_vectors != 0;
}
