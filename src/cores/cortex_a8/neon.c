#include "cores/cortex_a8/neon.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/compiler.h"

void neon_init(struct neon_unit *unit, const struct armpmu_machine *machine)
{
    memset(unit, 0, sizeof *unit);
    unit->queue_size = machine->neon_instruction_queue;
    unit->load_size = machine->neon_load_queue;
    unit->float_wait = machine->neon_accumulate_wait;
}

static uint64_t operands_ready(const struct neon_unit *unit, const struct neon_operand *at,
                               unsigned n)
{
    uint64_t time = 0;

    for (const struct neon_operand *end = at + n; at < end; at++)
        time = later(time, unit->ready[at->reg] + at->time);
    return time;
}

static void make_results(struct neon_unit *unit, const struct neon_insn *insn, uint64_t start)
{
    const struct neon_operand *end = insn->operands + insn->n_operands;

    for (const struct neon_operand *at = end - insn->n_results; at < end; at++) {
        unit->ready[at->reg] = start + at->time;
        unit->multiplies[at->reg] = insn->multiplies;
    }
}

/* Accumulators, and what an instruction of single precision waits for. */
OUT_OF_LINE static uint64_t special_start(const struct neon_unit *unit,
                                          const struct neon_insn *insn, uint64_t start)
{
    const struct neon_operand *at = insn->operands + insn->n_reads;

    for (unsigned i = 0; i < insn->n_accumulators; i++)
        if (unit->multiplies[at[i].reg] != insn->multiplies)
            start = later(start + NEON_STAGES, operands_ready(unit, at + i, 1)) - NEON_STAGES;
    return later(start, unit->float_free[insn->floats]);
}

OUT_OF_LINE static void hold_others(struct neon_unit *unit, const struct neon_insn *insn,
                                    uint64_t end)
{
    if (insn->cycles > 2)
        unit->alone_until = later(unit->alone_until, end - 1);
    if (insn->floats == NEON_FLOAT_ACCUMULATE)
        unit->float_free[NEON_FLOAT_PLAIN] = end + unit->float_wait;
}

/* Between the first and the last cycle of an instruction nothing starts. */
OUT_OF_LINE static uint64_t start_alone(const struct neon_unit *unit, uint64_t start)
{
    return start == unit->last_start ? start : unit->alone_until;
}

static void take_pipes(struct neon_unit *unit, const struct neon_insn *insn, uint64_t end)
{
    unit->pipe_free[insn->pipe] = end;
    if (insn->pipe == NEON_PIPE_BOTH)
        unit->pipe_free[NEON_PIPE_DATA] = unit->pipe_free[NEON_PIPE_PERMUTE] = end;
    else
        unit->pipe_free[NEON_PIPE_BOTH] = later(unit->pipe_free[NEON_PIPE_BOTH], end);
    if (unlikely(insn->special))
        hold_others(unit, insn, end);
}

/* Enters a start into a ring. */
static void push(uint64_t *ring, uint32_t size, uint32_t *next, uint64_t start)
{
    ring[*next] = start;
    *next = *next + 1 == size ? 0 : *next + 1;
}

static uint64_t prolong(struct neon_unit *unit, uint64_t from, uint64_t to)
{
    const uint64_t begin = later(from, unit->busy_until);
    if (to <= begin)
        return 0;
    unit->busy_until = to;
    return to - begin;
}

uint64_t neon_room(const struct neon_unit *unit, const struct neon_insn *insn, uint64_t at)
{
    const uint64_t room = later(at, unit->queued[unit->queue_next]);
    return insn->load ? later(room, unit->loaded[unit->load_next]) : room;
}

struct neon_outcome neon_accept(struct neon_unit *unit, const struct neon_insn *insn, uint64_t at,
                                uint64_t data)
{
    const uint64_t entered = neon_room(unit, insn, at);
    const uint64_t operands = operands_ready(unit, insn->operands, insn->n_reads);
    uint64_t start = later(later(entered, unit->last_start), data);
    start = later(start + NEON_STAGES, operands) - NEON_STAGES;
    start = later(start, unit->pipe_free[insn->pipe]);
    if (unlikely(insn->special))
        start = special_start(unit, insn, start);
    if (unlikely(start < unit->alone_until))
        start = start_alone(unit, start);
    take_pipes(unit, insn, start + insn->cycles);
    make_results(unit, insn, start);
    unit->last_start = start;
    push(unit->queued, unit->queue_size, &unit->queue_next, start);
    if (insn->load)
        push(unit->loaded, unit->load_size, &unit->load_next, start);
    return (struct neon_outcome){entered, prolong(unit, entered, start + insn->busy)};
}
