#include "cores/cortex_a8/neon.h"

#include <string.h>

void neon_init(struct neon_unit *unit, const struct armpmu_machine *machine)
{
    memset(unit, 0, sizeof *unit);
    unit->queue_size = machine->neon_instruction_queue;
    unit->load_size = machine->neon_load_queue;
    unit->float_wait = machine->neon_accumulate_wait;
}

uint64_t neon_special_start(const struct neon_unit *unit, const struct neon_insn *insn,
                            uint64_t start)
{
    const struct neon_operand *at = insn->operands + insn->n_reads;

    for (unsigned i = 0; i < insn->n_accumulators; i++)
        if (unit->multiplies[at[i].reg] != insn->multiplies)
            start = later(start + NEON_STAGES, neon_operands_ready(unit, at + i, 1)) - NEON_STAGES;
    return later(start, unit->float_free[insn->floats]);
}

void neon_hold_others(struct neon_unit *unit, const struct neon_insn *insn, uint64_t end)
{
    if (insn->cycles > 2)
        unit->alone_until = later(unit->alone_until, end - 1);
    if (insn->floats == NEON_FLOAT_ACCUMULATE)
        unit->float_free[NEON_FLOAT_PLAIN] = end + unit->float_wait;
}

uint64_t neon_start_alone(const struct neon_unit *unit, uint64_t start)
{
    return start == unit->last_start ? start : unit->alone_until;
}
