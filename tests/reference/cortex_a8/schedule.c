/* In every clock, the instructions in the pipeline decide which may enter: first the older slot,
 * then the younger. There is no scoreboard: an operand is traced back through the program to the
 * instructions that may have made it, each with the clock at which it entered.
 *
 * Written from the rules, in signed arithmetic and pipeline stages: an ALU operand is
 * read at stage 0, an early one at stage -early_extra, a late one at stage +alu_latency. A result
 * that a plain operand can take n cycles later is there for an instruction that reads at stage s
 * and entered n - s clocks after its maker. */
#include "schedule.h"

#include "../../cores/cortex_a8/schedule_programs.h"

struct pipe {
    const struct armpmu_machine *machine;
    const struct insn *insns;
    long entered[PROGRAM_MAX]; /* first clock of each instruction already in */
};

static bool multiplies(const struct insn *insn)
{
    return insn->klass == CLASS_MULTIPLY || insn->klass == CLASS_MULTIPLY_HALF ||
           insn->klass == CLASS_MULTIPLY_LONG;
}

static bool makes_word(const struct insn *insn)
{
    return insn->klass == CLASS_MULTIPLY || insn->klass == CLASS_MULTIPLY_HALF;
}

/* Words go to words, of long sums the halves to the same halves. */
static bool forwards_accumulator(const struct insn *from, const struct insn *to, uint64_t reg)
{
    if (from->klass == CLASS_MULTIPLY_LONG && to->klass == CLASS_MULTIPLY_LONG)
        return (from->writes_high == reg) == (to->writes_high == reg);
    return makes_word(from) && makes_word(to);
}

static bool moves_list(const struct insn *insn)
{
    return insn->klass == CLASS_LOAD || insn->klass == CLASS_STORE ||
           insn->klass == CLASS_LOAD_MULTIPLE || insn->klass == CLASS_STORE_MULTIPLE;
}

static long steps_of(const struct armpmu_machine *machine, const struct insn *insn)
{
    long left = insn->operations ? insn->operations : 1, steps = 0;

    if (insn->klass == CLASS_MULTIPLY)
        return machine->issue_multiply_cycles;
    if (insn->klass == CLASS_MULTIPLY_HALF)
        return machine->issue_half_multiply_cycles;
    if (insn->klass == CLASS_MULTIPLY_LONG)
        return machine->issue_long_multiply_cycles;
    if (insn->klass == CLASS_SWAP)
        return 2;
    if (!moves_list(insn))
        return 1;
    for (; left > 0; left -= machine->issue_block_registers_per_cycle)
        steps++;
    return steps;
}

/* Result to plain operand, for a result made in the first step. */
static long latency_of(const struct armpmu_machine *machine, const struct insn *insn)
{
    const long early = machine->issue_early_extra;
    long to_early = 0;

    if (insn->klass == CLASS_MOVE)
        return machine->issue_move_latency;
    if (moves_list(insn) || insn->klass == CLASS_SWAP)
        return machine->issue_load_latency;
    if (insn->klass == CLASS_MULTIPLY)
        to_early = machine->issue_multiply_latency;
    else if (insn->klass == CLASS_MULTIPLY_HALF)
        to_early = machine->issue_half_multiply_latency;
    else if (insn->klass == CLASS_MULTIPLY_LONG)
        to_early = machine->issue_long_multiply_latency;
    else
        return machine->issue_alu_latency;
    return to_early > early ? to_early - early : 0;
}

static bool is_base(const struct insn *maker, uint64_t reg)
{
    return (maker->writes_back & reg) != 0;
}

/* How many core registers below reg the maker loads: its place in the list. */
static long place_in_list(const struct insn *maker, uint64_t reg)
{
    long place = 0;

    for (uint64_t lower = 1; lower < reg; lower <<= 1)
        place += (maker->writes & lower) && !is_base(maker, lower);
    return place;
}

/* The first clock at which instruction `reader` could enter as far as `maker` made reg. */
static long enters_after(const struct pipe *pipe, unsigned reader, unsigned maker, uint64_t reg)
{
    const struct armpmu_machine *machine = pipe->machine;
    const struct insn *from = &pipe->insns[maker], *to = &pipe->insns[reader];
    const long alu = machine->issue_alu_latency;
    long latency = latency_of(machine, from), stage = 0;

    if (reg == REG_FLAGS || reg == REG_GE) {
        const long over_alu = latency > alu ? latency - alu : 0;
        const long flags = to->klass == CLASS_BRANCH ? 0 : machine->issue_flag_latency;
        return pipe->entered[maker] + over_alu + flags;
    }
    if (to->reads_late & reg)
        stage = alu;
    else if ((to->reads_early & reg) || multiplies(to))
        stage = -(long)machine->issue_early_extra;
    if (is_base(from, reg))
        latency = alu;
    else if (moves_list(from))
        latency += place_in_list(from, reg) / machine->issue_block_registers_per_cycle;
    return pipe->entered[maker] + latency - stage;
}

/* Whether operand reg lets the reader in at this clock. */
static bool operand_there(const struct pipe *pipe, unsigned reader, uint64_t reg, long clock)
{
    const struct insn *to = &pipe->insns[reader];
    bool certain = true; /* no conditional writer passed on the way back */

    for (unsigned maker = reader; maker-- > 0;) {
        const struct insn *from = &pipe->insns[maker];
        if (!(from->writes & reg))
            continue;
        /* Multiplier to accumulator, if that is certainly where the value comes from. */
        if (certain && forwards_accumulator(from, to, reg) && (to->reads_late & reg) &&
            !insn_is_conditional(from) && reg < REG_PC)
            return true;
        if (clock < enters_after(pipe, reader, maker, reg))
            return false;
        if (!insn_is_conditional(from))
            return true;
        certain = false;
    }
    return true;
}

static bool operands_there(const struct pipe *pipe, unsigned reader, long clock)
{
    for (uint64_t reg = 1; reg <= REG_GE; reg <<= 1)
        if (reg != REG_PC && (pipe->insns[reader].reads & reg) &&
            !operand_there(pipe, reader, reg, clock))
            return false;
    return true;
}

static bool uses_load_store(const struct insn *insn)
{
    return moves_list(insn) || insn->klass == CLASS_SWAP || insn->klass == CLASS_PRELOAD ||
           insn->klass == CLASS_NEON_LOAD || insn->klass == CLASS_NEON_STORE;
}

static bool writes_pc(const struct insn *insn)
{
    return insn->branch != BRANCH_NONE || (insn->writes & REG_PC);
}

static bool neon_data(const struct insn *insn)
{
    return insn->klass == CLASS_NEON_ALU || insn->klass == CLASS_NEON_MULTIPLY ||
           insn->klass == CLASS_NEON_FLOAT || insn->klass == CLASS_VFP ||
           insn->klass == CLASS_VFP_DIVIDE;
}

static bool neon_other(const struct insn *insn)
{
    return insn->klass == CLASS_NEON_LOAD || insn->klass == CLASS_NEON_STORE ||
           insn->klass == CLASS_NEON_PERMUTE || insn->klass == CLASS_CORE_TO_NEON ||
           insn->klass == CLASS_NEON_TO_CORE;
}

static bool may_share_cycle(const struct pipe *pipe, unsigned older, unsigned younger)
{
    const struct insn *a = &pipe->insns[older], *b = &pipe->insns[younger];

    if (pipe->machine->issue_width < 2)
        return false;
    if (a->klass == CLASS_SYSTEM || b->klass == CLASS_SYSTEM)
        return false;
    if (multiplies(b) || steps_of(pipe->machine, b) > 1)
        return false;
    if (a->writes & b->writes & (REG_PC - 1 + REG_FLAGS + REG_GE))
        return false;
    return !(uses_load_store(a) && uses_load_store(b)) && !(writes_pc(a) && writes_pc(b)) &&
           !(neon_data(a) && neon_data(b)) && !(neon_other(a) && neon_other(b));
}

struct clocked_result clocked_run(const struct armpmu_machine *machine, const struct insn *insns,
                                  unsigned n)
{
    struct pipe pipe = {.machine = machine, .insns = insns};
    struct clocked_result result = {0};
    unsigned next = 0;
    long clock = 0;

    while (next < n) {
        const unsigned older = next;
        if (!operands_there(&pipe, next, clock)) {
            clock++;
            continue;
        }
        pipe.entered[next++] = clock;
        result.issued++;
        for (long step = steps_of(machine, &insns[older]); step > 1; step--, clock++)
            result.operations++;
        result.operations++;
        result.open = machine->issue_width > 1 && insns[older].klass != CLASS_SYSTEM;
        if (next < n && may_share_cycle(&pipe, older, next) && operands_there(&pipe, next, clock)) {
            pipe.entered[next++] = clock;
            result.issued++;
            result.operations++;
            result.pairs++;
            result.open = false;
        }
        if (!result.open || next < n)
            clock++;
    }
    result.cycles = (unsigned)clock;
    return result;
}
