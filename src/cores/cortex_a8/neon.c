#include "cores/cortex_a8/neon.h"

#include <string.h>

#include "base/arithmetic.h"

void neon_init(struct neon_unit *unit, const struct armpmu_machine *machine)
{
    memset(unit, 0, sizeof *unit);
    unit->queue_size = machine->neon_instruction_queue;
    unit->load_size = machine->neon_load_queue;
}

static void set_times(struct neon_insn *out, uint32_t latency, uint32_t cycles)
{
    out->latency = (uint8_t)latency;
    out->cycles = (uint8_t)cycles;
}

static uint32_t vfp_cycles(const struct armpmu_machine *machine, const struct insn *insn)
{
    if (insn->klass == CLASS_VFP_DIVIDE)
        return insn->doubles ? machine->neon_vfp_double_divide_cycles
                             : machine->neon_vfp_divide_cycles;
    if (insn->multiplies && insn->reads_late != 0)
        return insn->doubles ? machine->neon_vfp_double_accumulate_cycles
                             : machine->neon_vfp_accumulate_cycles;
    if (insn->multiplies)
        return insn->doubles ? machine->neon_vfp_double_multiply_cycles
                             : machine->neon_vfp_multiply_cycles;
    if (insn->converts)
        return machine->neon_vfp_convert_cycles;
    return insn->adds ? machine->neon_vfp_cycles : machine->neon_vfp_move_cycles;
}

/* Latency, and how long the pipe is taken, by class. */
static bool set_class(const struct armpmu_machine *machine, const struct insn *insn,
                      struct neon_insn *out)
{
    out->pipe = NEON_PIPE_DATA;
    switch (insn->klass) {
    case CLASS_NEON_ALU:
        set_times(out, machine->neon_alu_latency, 1);
        return true;
    case CLASS_NEON_MULTIPLY:
        set_times(out, machine->neon_multiply_latency, 1);
        return true;
    case CLASS_NEON_FLOAT:
        set_times(out, machine->neon_float_latency, 1);
        return true;
    case CLASS_VFP:
    case CLASS_VFP_DIVIDE:
        set_times(out, vfp_cycles(machine, insn), vfp_cycles(machine, insn));
        out->pipe = NEON_PIPE_BOTH;
        return true;
    default:
        break;
    }
    out->pipe = NEON_PIPE_PERMUTE;
    switch (insn->klass) {
    case CLASS_NEON_PERMUTE:
        set_times(out, machine->neon_permute_latency, 1);
        return true;
    case CLASS_NEON_LOAD:
    case CLASS_NEON_STORE: /* two D registers a cycle */
        set_times(out, machine->neon_load_latency, (insn->operations + 1u) / 2);
        return true;
    case CLASS_CORE_TO_NEON:
        set_times(out, machine->neon_load_latency, 1);
        return true;
    case CLASS_NEON_TO_CORE: /* writes none of its registers, but has work until it is done */
        set_times(out, machine->neon_transfer_cycles, 1);
        return true;
    default:
        return false;
    }
}

bool neon_describe(const struct armpmu_machine *machine, const struct insn *insn, unsigned index,
                   struct neon_insn *out)
{
    *out = (struct neon_insn){.index = (uint16_t)index};
    if (!set_class(machine, insn, out))
        return false;
    out->load = insn->klass == CLASS_NEON_LOAD;
    out->transfer = insn->klass == CLASS_NEON_TO_CORE;
    out->reads = (uint32_t)((insn->reads & REGS_NEON) >> 32);
    out->writes = (uint32_t)((insn->writes & REGS_NEON) >> 32);
    return true;
}

static uint64_t operands_ready(const struct neon_unit *unit, uint32_t reads)
{
    uint64_t time = 0;
    for (; reads != 0; reads &= reads - 1)
        time = later(time, unit->ready[__builtin_ctz(reads)]);
    return time;
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
    uint64_t start = later(later(entered, unit->last_start), data);
    start = later(start, operands_ready(unit, insn->reads));
    for (unsigned pipe = 0; pipe < 2; pipe++)
        if (insn->pipe >> pipe & 1)
            start = later(start, unit->pipe_free[pipe]);
    for (unsigned pipe = 0; pipe < 2; pipe++)
        if (insn->pipe >> pipe & 1)
            unit->pipe_free[pipe] = start + insn->cycles;
    const uint64_t done = start + insn->latency;
    for (uint32_t writes = insn->writes; writes != 0; writes &= writes - 1)
        unit->ready[__builtin_ctz(writes)] = done;
    unit->last_start = start;
    push(unit->queued, unit->queue_size, &unit->queue_next, start);
    if (insn->load)
        push(unit->loaded, unit->load_size, &unit->load_next, start);
    return (struct neon_outcome){entered, start,
                                 prolong(unit, entered, later(done, start + insn->cycles))};
}
