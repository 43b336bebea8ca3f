/* The issue schedule: a scoreboard of ready times and one open slot, moved by one instruction at a
 * time.
 *
 * Latencies are kept as stages would give them. A result has one time at which an operand needed
 * early (a stage before the ALU) can take it; a plain operand is needed early_extra cycles later, a
 * late one (store data, accumulator) another alu_latency later, so that an ALU result reaches the
 * store of the same cycle. Flags and GE have one reading stage; only a branch looks at the flags
 * flag_latency later. */
#include "cores/cortex_a8/schedule.h"

#include <string.h>

#include "base/arithmetic.h"
#include "cores/core.h"
#include "cores/cortex_a8/neon.h"

#define FIRST_STATUS 16 /* flags and GE: not read early or late */
#define TRACKED      (((UINT64_C(1) << SCHEDULE_REGISTERS) - 1) & ~REG_PC)

_Static_assert(REG_FLAGS == UINT64_C(1) << FIRST_STATUS, "flags follow the PC");
_Static_assert(REG_GE == UINT64_C(1) << (FIRST_STATUS + 1), "GE follows the flags");
_Static_assert(sizeof(struct schedule_state) == 32, "states are compared bytewise: no padding");

/* A run in progress: times in cycles since its start. */
struct schedule_run {
    const struct armpmu_machine *machine;
    uint64_t address; /* of the block */
    uint32_t now;
    uint32_t ready[SCHEDULE_REGISTERS];
    bool slot_open;
    unsigned open_units;
    uint64_t open_writes;
    uint64_t multiply_results[SCHEDULE_PRODUCTS];
    struct schedule_result *out;
};

/* The facts of an instruction that the issue rules need. */
struct schedule_facts {
    uint32_t steps;    /* issue cycles */
    unsigned units;    /* enum schedule_unit */
    bool older_only;   /* never in the younger slot */
    bool alone;        /* nothing issues beside it */
    bool accumulates;  /* late operands come straight from the multiplier */
    uint32_t latency;  /* result to a plain operand, from the step that makes it */
    uint32_t per_step; /* registers of a list one step transfers, 0: all come with the first */
};

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Multiply latencies are the manual's, to an operand needed early; plain ones wait less. */
static void shape_multiply(const struct armpmu_machine *machine, uint32_t cycles, uint32_t latency,
                           struct schedule_facts *shape)
{
    shape->steps = cycles;
    shape->latency = minus(latency, machine->issue_early_extra);
    shape->older_only = true;
}

static void shape_list(const struct armpmu_machine *machine, const struct insn *insn,
                       struct schedule_facts *shape)
{
    const uint32_t per_step = machine->issue_block_registers_per_cycle;

    shape->steps = (greater(insn->operations, 1) + per_step - 1) / per_step;
    shape->per_step = per_step;
    shape->latency = machine->issue_load_latency;
    shape->units |= UNIT_LOAD_STORE;
}

static struct schedule_facts shape_of(const struct armpmu_machine *machine, const struct insn *insn)
{
    struct schedule_facts shape = {.steps = 1, .latency = machine->issue_alu_latency};

    if (insn->branch != BRANCH_NONE || (insn->writes & REG_PC))
        shape.units |= UNIT_BRANCH;
    switch (insn->klass) {
    case CLASS_ALU:
    case CLASS_ALU_SHIFT:
    case CLASS_BRANCH:
    case CLASS_BARRIER:
    case CLASS_CRC: /* this and the following: no instructions of this core */
    default:        /* only of A64 */
        break;
    case CLASS_MOVE:
        shape.latency = machine->issue_move_latency;
        break;
    case CLASS_MULTIPLY:
        shape_multiply(machine, machine->issue_multiply_cycles, machine->issue_multiply_latency,
                       &shape);
        shape.accumulates = true;
        break;
    case CLASS_MULTIPLY_HALF:
        shape_multiply(machine, machine->issue_half_multiply_cycles,
                       machine->issue_half_multiply_latency, &shape);
        shape.accumulates = true;
        break;
    case CLASS_MULTIPLY_LONG:
    case CLASS_DIVIDE: /* none of this core's */
        shape_multiply(machine, machine->issue_long_multiply_cycles,
                       machine->issue_long_multiply_latency, &shape);
        shape.accumulates = insn->klass == CLASS_MULTIPLY_LONG;
        break;
    case CLASS_LOAD:
    case CLASS_STORE:
    case CLASS_LOAD_MULTIPLE:
    case CLASS_STORE_MULTIPLE:
        shape_list(machine, insn, &shape);
        break;
    case CLASS_SWAP: /* a load step and a store step */
        shape.steps = 2;
        shape.latency = machine->issue_load_latency;
        shape.units |= UNIT_LOAD_STORE;
        break;
    case CLASS_PRELOAD:
        shape.units |= UNIT_LOAD_STORE;
        break;
    case CLASS_SYSTEM:
        shape.alone = true;
        break;
    case CLASS_NEON_ALU:
    case CLASS_NEON_MULTIPLY:
    case CLASS_NEON_FLOAT:
    case CLASS_VFP:
    case CLASS_VFP_DIVIDE:
        shape.units |= UNIT_NEON_DATA;
        break;
    case CLASS_NEON_LOAD:
    case CLASS_NEON_STORE:
        shape.units |= UNIT_NEON_PERMUTE | UNIT_LOAD_STORE;
        break;
    case CLASS_NEON_PERMUTE:
    case CLASS_CORE_TO_NEON:
    case CLASS_NEON_TO_CORE: /* what follows waits for its data: neon_issue.c */
        shape.units |= UNIT_NEON_PERMUTE;
        break;
    }
    shape.older_only = shape.older_only || shape.alone || shape.steps > 1;
    return shape;
}

static bool is_multiply(enum insn_class klass)
{
    return klass == CLASS_MULTIPLY || klass == CLASS_MULTIPLY_LONG || klass == CLASS_MULTIPLY_HALF;
}

/* Cycles after the time kept in ready[] at which this instruction needs the register. */
static uint32_t reads_after(const struct armpmu_machine *machine, const struct insn *insn,
                            unsigned reg)
{
    const uint64_t bit = UINT64_C(1) << reg;

    if (reg >= FIRST_STATUS)
        return insn->klass == CLASS_BRANCH ? machine->issue_flag_latency : 0;
    if (insn->reads_late & bit)
        return machine->issue_early_extra + machine->issue_alu_latency;
    /* The multiplier starts a stage before the ALU. */
    if ((insn->reads_early & bit) || is_multiply(insn->klass))
        return 0;
    return machine->issue_early_extra;
}

/* Returns whether a result, or an accumulator, is of a kind. */
static bool is_product(const struct insn *insn, enum schedule_product kind, uint64_t reg)
{
    if (insn->klass != CLASS_MULTIPLY_LONG)
        return kind == PRODUCT_WORD;
    return kind == ((insn->writes_high & reg) != 0 ? PRODUCT_LONG_HIGH : PRODUCT_LONG_LOW);
}

/* The registers of a set that are of a kind. */
static uint64_t products(const struct insn *insn, enum schedule_product kind, uint64_t set)
{
    uint64_t found = 0;

    for (uint64_t left = set; left != 0; left &= left - 1) {
        const uint64_t reg = left & -left;
        if (is_product(insn, kind, reg))
            found |= reg;
    }
    return found;
}

/* The first cycle in which all that the instruction reads is there in time. */
static uint32_t operands_ready(const struct schedule_run *run, const struct insn *insn,
                               const struct schedule_facts *shape)
{
    uint64_t reads = insn->reads & TRACKED;
    uint32_t cycle = run->now;

    for (unsigned kind = 0; shape->accumulates && kind < SCHEDULE_PRODUCTS; kind++)
        reads &= ~products(insn, kind, insn->reads_late & run->multiply_results[kind]);
    for (; reads != 0; reads &= reads - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(reads);
        cycle = greater(cycle, minus(run->ready[reg], reads_after(run->machine, insn, reg)));
    }
    return cycle;
}

/* Returns whether the instruction may take the younger slot of the open cycle, operands apart. */
static bool joins(const struct schedule_run *run, const struct insn *insn,
                  const struct schedule_facts *shape)
{
    return run->slot_open && !shape->older_only && !(run->open_units & shape->units) &&
           !(run->open_writes & insn->writes & TRACKED);
}

static void open_cycle(struct schedule_run *run, const struct insn *insn,
                       const struct schedule_facts *shape, uint32_t cycle)
{
    run->now = cycle;
    run->slot_open = true;
    run->open_units = shape->units;
    run->open_writes = insn->writes & TRACKED;
}

static void close_cycle(struct schedule_run *run)
{
    run->now++;
    run->slot_open = false;
}

static void close_single(struct schedule_run *run)
{
    close_cycle(run);
    run->out->counts.singles++;
}

/* When the nth register (from 0) an instruction produces can be read, in terms of ready[]. */
static uint32_t result_ready(const struct armpmu_machine *machine,
                             const struct schedule_facts *shape, unsigned reg, unsigned nth,
                             uint32_t issued)
{
    /* A MOV's flags come no sooner than a compare's. */
    if (reg >= FIRST_STATUS)
        return issued + minus(shape->latency, machine->issue_alu_latency) +
               machine->issue_flag_latency;
    if (shape->per_step > 0)
        issued += nth / shape->per_step;
    return issued + shape->latency + machine->issue_early_extra;
}

/* Notes the results of an instruction that issued in this cycle. A conditional one leaves either
 * its result or the register's old value, so a reader waits for both. */
static void write_results(struct schedule_run *run, const struct insn *insn,
                          const struct schedule_facts *shape, uint32_t issued)
{
    const uint64_t writes = insn->writes & TRACKED;
    const bool may_keep = insn_is_conditional(insn);
    unsigned nth = 0;

    for (uint64_t left = writes; left != 0; left &= left - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(left);
        const uint64_t bit = left & -left;
        uint32_t ready;
        if (insn->writes_back & bit)
            ready = issued + run->machine->issue_alu_latency + run->machine->issue_early_extra;
        else
            ready = result_ready(run->machine, shape, reg, nth++, issued);
        run->ready[reg] = may_keep ? greater(run->ready[reg], ready) : ready;
    }
    for (unsigned kind = 0; kind < SCHEDULE_PRODUCTS; kind++) {
        run->multiply_results[kind] &= ~writes;
        if (shape->accumulates && !may_keep)
            run->multiply_results[kind] |= products(insn, kind, writes & (REG_PC - 1));
    }
}

static void issue(struct schedule_run *run, const struct insn *insn)
{
    struct insn plain;

    if (!neon_takes(insn->klass) && /* which has its latency */
        core_makes_plain(run->machine->cures, run->address + insn->offset, insn, &plain))
        insn = &plain;
    const struct schedule_facts shape = shape_of(run->machine, insn);
    uint32_t cycle = operands_ready(run, insn, &shape);

    if (joins(run, insn, &shape) && cycle == run->now) {
        close_cycle(run);
        run->out->counts.pairs++;
    } else {
        if (run->slot_open)
            close_single(run);
        cycle = greater(cycle, run->now);
        run->out->counts.waits += cycle - run->now;
        open_cycle(run, insn, &shape, cycle + shape.steps - 1);
        if (shape.alone || run->machine->issue_width == 1)
            close_single(run);
    }
    write_results(run, insn, &shape, cycle);
    run->out->counts.issued++;
    run->out->counts.operations += shape.steps;
}

/* Drops what can no longer matter, so that equal futures are equal bytes. */
static void normalize(const struct armpmu_machine *machine, struct schedule_state *state)
{
    /* A multiply cannot join an open cycle: it reads a cycle later anyway. */
    const uint32_t first_late_read =
        machine->issue_early_extra + machine->issue_alu_latency + state->slot_open;

    for (unsigned kind = 0; kind < SCHEDULE_PRODUCTS; kind++)
        for (uint32_t left = state->multiply_results[kind]; left != 0; left &= left - 1)
            if (state->ready[__builtin_ctz(left)] <= first_late_read)
                state->multiply_results[kind] &= (uint16_t) ~(left & -left);
    if (!state->slot_open) {
        state->open_units = 0;
        state->open_writes = 0;
    }
}

static struct schedule_state state_of(const struct schedule_run *run)
{
    struct schedule_state state = {
        .slot_open = run->slot_open,
        .open_units = (uint8_t)run->open_units,
        .open_writes = (uint32_t)run->open_writes,
    };

    for (unsigned kind = 0; kind < SCHEDULE_PRODUCTS; kind++)
        state.multiply_results[kind] = (uint16_t)run->multiply_results[kind];
    for (unsigned reg = 0; reg < SCHEDULE_REGISTERS; reg++)
        state.ready[reg] = (uint8_t)lesser(minus(run->ready[reg], run->now), UINT8_MAX);
    normalize(run->machine, &state);
    return state;
}

struct schedule_state schedule_wait(const struct armpmu_machine *machine,
                                    const struct schedule_state *before, uint32_t cycles)
{
    struct schedule_state state = *before;

    if (cycles == 0)
        return state;
    state.slot_open = 0;
    for (unsigned reg = 0; reg < SCHEDULE_REGISTERS; reg++)
        state.ready[reg] = (uint8_t)minus(state.ready[reg], cycles);
    normalize(machine, &state);
    return state;
}

void schedule_run(const struct armpmu_machine *machine, const struct block *block, unsigned first,
                  unsigned end, const struct schedule_state *before, struct schedule_result *out)
{
    struct schedule_run run = {
        .machine = machine,
        .address = block->address,
        .slot_open = before->slot_open,
        .open_units = before->open_units,
        .open_writes = before->open_writes,
        .out = out,
    };

    for (unsigned kind = 0; kind < SCHEDULE_PRODUCTS; kind++)
        run.multiply_results[kind] = before->multiply_results[kind];
    for (unsigned reg = 0; reg < SCHEDULE_REGISTERS; reg++)
        run.ready[reg] = before->ready[reg];
    out->counts = (struct schedule_counts){0};
    for (unsigned i = first; i < end; i++)
        issue(&run, &block->insns[i]);
    out->counts.cycles = run.now;
    out->after = state_of(&run);
}
