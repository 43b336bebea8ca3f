/* The issue schedule of the Cortex-R4F.
 *
 * Each result has one time at which an address can use it; an operand needed later takes it this
 * many cycles earlier in time: a shift address_extra - early_extra, a plain one address_extra, a
 * late one (data of a store, MOV, accumulators) one more. */
#include "cores/cortex_r4f/issue.h"

#include <string.h>

#include "base/arithmetic.h"
#include "cores/core.h"

#define TRACKED_SET (UINT64_C(0x7fff) | REG_FLAGS | REG_GE | REG_FPSCR | (UINT64_C(0xffff) << 32))

_Static_assert(sizeof(struct r4f_issue_state) == 56, "states are compared bytewise: no padding");

enum port { PORT_A = 1, PORT_B = 2, PORT_C = 4, PORT_ALU = 8, PORTS_ALL = 15 };

/* r4f_issue_state.open: a kind, and flags. */
enum { OPEN_KIND = 7, OPEN_DIVIDES = 8, OPEN_CONDITIONAL = 16 };

/* The kind of an instruction in the rules of dual issue. */
enum issue_kind {
    KIND_NONE,
    KIND_DATA,       /* integer data processing */
    KIND_ACCESS,     /* integer load or store */
    KIND_VFP_ACCESS, /* VFP load or store */
    KIND_OTHER,
};

/* The facts of an instruction that the issue rules need. */
struct issue_facts {
    enum issue_kind kind;
    uint8_t ways[2];     /* masks of ports; equal when there is one way */
    uint32_t steps;      /* cycles in the issue stage */
    uint32_t latency;    /* result to a plain operand, from its first cycle there */
    uint32_t per_step;   /* registers of a list that come with a step, 0: all with the first */
    uint32_t float_busy; /* cycles until the VFP unit takes another operation */
    bool divides, uses_float;
};

/* A run in progress: times in cycles since its start. */
struct issue_run {
    const struct armpmu_machine *machine;
    uint64_t address; /* of the block */
    uint32_t now;
    uint32_t ready[R4F_TRACKED];
    uint32_t divider, float_free; /* divider: cycle of its write plus one, 0 when idle */
    uint64_t divided;
    struct issue_facts
        open; /* kind KIND_NONE when nothing is: its results are noted when it closes */
    uint64_t open_writes, open_writes_back;
    bool open_conditional;
    struct r4f_issue_result *out;
};

/* The place of a register in r4f_issue_state.ready. */
static unsigned index_of(unsigned bit)
{
    return bit & 32 ? bit - 12 : bit;
}

static void take_ports(struct issue_facts *shape, unsigned one, unsigned other)
{
    shape->ways[0] = (uint8_t)one;
    shape->ways[1] = (uint8_t)other;
}

/* A transfer of several registers: two cycles at least. */
static void shape_list(const struct armpmu_machine *machine, const struct insn *insn,
                       struct issue_facts *shape)
{
    const bool vfp = insn->memory.neon;
    const uint32_t per_step = vfp ? 1 : machine->issue_block_registers_per_cycle;

    take_ports(shape, PORTS_ALL, PORTS_ALL);
    shape->steps = greater((insn->operations + per_step - 1) / per_step, 2);
    shape->per_step = per_step;
    shape->latency = machine->issue_load_latency + 1;
}

/* CHOICE(r4f-pairs): VLDR and VSTR pair whatever their width (F2, F2D); other accesses of 64 bits
 * do not. */
static void shape_access(const struct armpmu_machine *machine, const struct insn *insn,
                         struct issue_facts *shape)
{
    shape->kind = insn->memory.neon ? KIND_VFP_ACCESS : KIND_ACCESS;
    shape->latency = machine->issue_load_latency;
    take_ports(shape, PORT_A | PORT_C, PORT_A | PORT_C);
    if (insn->memory.multiple || insn->operations > 1)
        shape_list(machine, insn, shape);
}

/* Any other kind: accesses do not pair with it. */
static void shape_multiply(uint32_t cycles, uint32_t latency, struct issue_facts *shape)
{
    take_ports(shape, PORT_A | PORT_ALU, PORT_A | PORT_ALU);
    shape->steps = cycles;
    shape->latency = latency;
}

/* CHOICE(r4f-divide-latency): the same for all numbers. */
static void shape_divide(const struct armpmu_machine *machine, const struct insn *insn,
                         struct issue_facts *shape)
{
    shape_multiply(1,
                   insn->divides_signed ? machine->issue_signed_divide_latency
                                        : machine->issue_divide_latency,
                   shape);
    shape->divides = true;
}

static void shape_alu(const struct insn *insn, struct issue_facts *shape)
{
    const bool by_register = insn->shifts_by_register;

    shape->kind = KIND_DATA;
    take_ports(shape, PORT_A | PORT_ALU, PORT_B | PORT_ALU | (by_register ? PORT_C : 0));
    if (insn->klass == CLASS_MOVE)
        take_ports(shape, PORT_A, PORT_B | PORT_ALU);
    else if (insn->reads == 0 && insn->writes == 0) /* NOP, IT */
        take_ports(shape, PORT_A, PORT_B);
}

/* Double precision never pairs; it and divisions are not pipelined. */
static void shape_vfp(const struct armpmu_machine *machine, const struct insn *insn,
                      struct issue_facts *shape)
{
    const bool divides = insn->klass == CLASS_VFP_DIVIDE, accumulates = insn->reads_late != 0;

    shape->uses_float = true;
    take_ports(shape, PORT_A, PORT_B);
    if (insn->doubles)
        shape->latency = insn->converts ? machine->vfp_convert_latency
                         : divides      ? machine->vfp_double_divide_latency
                         : accumulates  ? machine->vfp_double_accumulate_latency
                                        : machine->vfp_double_latency;
    else
        shape->latency = divides       ? machine->vfp_divide_latency
                         : accumulates ? machine->vfp_accumulate_latency
                                       : machine->vfp_latency;
    if (insn->doubles)
        take_ports(shape, PORTS_ALL, PORTS_ALL);
    if (insn->doubles || divides)
        shape->float_busy = shape->latency;
}

static struct issue_facts shape_of(const struct armpmu_machine *machine, const struct insn *insn)
{
    struct issue_facts shape = {.kind = KIND_OTHER,
                                .ways = {PORTS_ALL, PORTS_ALL},
                                .steps = 1,
                                .latency = machine->issue_alu_latency};

    switch (insn->klass) {
    case CLASS_ALU:
    case CLASS_MOVE:
    case CLASS_ALU_SHIFT:
        shape_alu(insn, &shape);
        break;
    case CLASS_MULTIPLY:
        shape_multiply(machine->issue_multiply_cycles, machine->issue_multiply_latency, &shape);
        break;
    case CLASS_MULTIPLY_LONG:
        shape_multiply(machine->issue_long_multiply_cycles, machine->issue_long_multiply_latency,
                       &shape);
        break;
    case CLASS_MULTIPLY_HALF:
        shape_multiply(machine->issue_half_multiply_cycles, machine->issue_half_multiply_latency,
                       &shape);
        break;
    case CLASS_DIVIDE:
        shape_divide(machine, insn, &shape);
        break;
    case CLASS_LOAD:
    case CLASS_STORE:
    case CLASS_LOAD_MULTIPLE:
    case CLASS_STORE_MULTIPLE:
    case CLASS_NEON_LOAD:
    case CLASS_NEON_STORE:
    case CLASS_SWAP:
    case CLASS_PRELOAD:
        shape_access(machine, insn, &shape);
        break;
    case CLASS_BRANCH:
        take_ports(&shape, PORT_B, PORT_B);
        break;
    case CLASS_VFP:
    case CLASS_VFP_DIVIDE:
        shape_vfp(machine, insn, &shape);
        break;
    case CLASS_CORE_TO_NEON:
    case CLASS_NEON_TO_CORE:
        take_ports(&shape, PORT_A, PORT_A);
        shape.latency = machine->vfp_transfer_latency;
        break;
    case CLASS_BARRIER:
    case CLASS_SYSTEM:
    case CLASS_NEON_ALU: /* the core has no NEON, and no A64 */
    case CLASS_NEON_MULTIPLY:
    case CLASS_NEON_FLOAT:
    case CLASS_NEON_PERMUTE:
    case CLASS_CRC:
    default: /* only of A64 */
        break;
    }
    return shape;
}

/* ---- operands ---- */

static bool makes_address(const struct insn *insn)
{
    return insn->memory.bytes != 0 || insn->klass == CLASS_PRELOAD;
}

/* How many cycles later than an address this operand is needed. */
static uint32_t reads_after(const struct armpmu_machine *machine, const struct insn *insn,
                            uint64_t bit)
{
    if ((insn->reads_late & bit) != 0 || insn->klass == CLASS_MOVE)
        return machine->issue_address_extra + 1;
    if ((insn->reads_early & bit) == 0)
        return machine->issue_address_extra;
    return makes_address(insn) ? 0
                               : minus(machine->issue_address_extra, machine->issue_early_extra);
}

/* The first cycles in which what the instruction reads is there in time, that of the divider and
 * all else. */
static void operands_ready(const struct issue_run *run, const struct insn *insn, uint32_t *divided,
                           uint32_t *other)
{
    *divided = *other = 0;
    for (uint64_t reads = insn->reads & TRACKED_SET; reads != 0; reads &= reads - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(reads);
        const uint32_t ready =
            minus(run->ready[index_of(bit)], reads_after(run->machine, insn, UINT64_C(1) << bit));
        uint32_t *cycle = (run->divided >> bit & 1) != 0 ? divided : other;
        *cycle = greater(*cycle, ready);
    }
}

/* ---- pairs ---- */

static bool is_nop(const struct insn *insn)
{
    return insn->klass == CLASS_ALU && insn->reads == 0 && insn->writes == 0;
}

static bool is_plain_branch(const struct insn *insn)
{
    return insn->branch == BRANCH_IMMEDIATE && !insn->links;
}

static bool ports_suffice(const struct issue_facts *first, const struct issue_facts *second)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++)
            if ((first->ways[i] & second->ways[j]) == 0)
                return true;
    return false;
}

/* Returns whether the instruction joins the open one. */
static bool pairs(const struct issue_run *run, const struct insn *insn,
                  const struct issue_facts *shape)
{
    return run->open.kind != KIND_NONE && !(run->open.float_busy != 0 && shape->uses_float) &&
           (insn->reads & (run->open_writes | REG_PC)) == 0 && ports_suffice(&run->open, shape);
}

/* CHOICE(r4f-cases): case A is a pair whose second is a branch to an address it holds, NOP or IT;
 * B1, B2, F2 and F2D are pairs of an access with integer data processing. */
static enum r4f_pair case_of(enum issue_kind first, const struct insn *second,
                             enum issue_kind second_kind)
{
    if (is_plain_branch(second) || is_nop(second))
        return R4F_PAIR_A;
    const bool data = first == KIND_DATA || second_kind == KIND_DATA;
    const bool access = first == KIND_ACCESS || first == KIND_VFP_ACCESS ||
                        second_kind == KIND_ACCESS || second_kind == KIND_VFP_ACCESS;
    return data && access ? R4F_PAIR_B : R4F_PAIR_OTHER;
}

/* ---- issue ---- */

/* When an instruction issues: its operands but those of the divider are ready at `operands`, all of
 * them at `quotient`, and it issues at `cycle`. */
struct wait {
    uint32_t operands, quotient, cycle;
};

/* The divider takes one cycle of the pipeline to write its result. A stall that lies there anyway
 * covers it; when that waits for the quotient the cycle is counted already. */
static void pass_divider(struct issue_run *run, struct wait *wait)
{
    const uint32_t write = run->divider - 1;

    if (run->divider == 0 || write > wait->cycle)
        return;
    run->divider = 0;
    run->out->counts.divide_stalls += write < wait->operands || write >= wait->quotient;
    wait->cycle += write == wait->cycle;
}

/* CHOICE(r4f-divide-stall): cycles that wait for a quotient are stalls of the divide and not of the
 * dependency. */
static struct wait wait_for_operands(struct issue_run *run, const struct insn *insn,
                                     const struct issue_facts *shape)
{
    struct wait wait;
    uint32_t divided, other;

    operands_ready(run, insn, &divided, &other);
    wait.operands = greater(run->now, other);
    if (shape->divides)
        divided = greater(divided, run->divider);
    wait.cycle = wait.quotient = greater(wait.operands, divided);
    if (shape->uses_float)
        wait.cycle = greater(wait.cycle, run->float_free);
    run->out->counts.dependency_stalls += wait.operands - run->now;
    run->out->counts.divide_stalls += wait.quotient - wait.operands;
    pass_divider(run, &wait);
    run->out->counts.interlocks += wait.operands - run->now;
    run->out->counts.busy += wait.cycle - wait.operands;
    return wait;
}

/* The results of an instruction, and when they are there. */
struct result {
    uint64_t writes, writes_back;
    uint32_t issued, latency, per_step; /* per_step: as in struct issue_facts */
    bool conditional;
};

/* A conditional instruction leaves its result or the old value: a reader waits for both. */
static void write_registers(struct issue_run *run, const struct result *result, bool divides)
{
    unsigned nth = 0;

    for (uint64_t writes = result->writes & TRACKED_SET; writes != 0; writes &= writes - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(writes);
        uint32_t *ready = &run->ready[index_of(bit)];
        uint32_t latency = run->machine->issue_alu_latency;
        if ((result->writes_back >> bit & 1) == 0) {
            latency = result->latency + (result->per_step != 0 ? nth / result->per_step : 0);
            nth++;
        }
        const uint32_t time = result->issued + latency + run->machine->issue_address_extra;
        *ready = result->conditional ? greater(*ready, time) : time;
        run->divided = (run->divided & ~(UINT64_C(1) << bit)) | (uint64_t)divides << bit;
    }
}

static void write_results(struct issue_run *run, const struct issue_facts *shape,
                          const struct result *result)
{
    write_registers(run, result, shape->divides);
    if (shape->divides)
        run->divider = result->issued + shape->latency;
    if (shape->float_busy != 0)
        run->float_free = result->issued + shape->float_busy;
}

static void close_open(struct issue_run *run)
{
    const struct result result = {.writes = run->open_writes,
                                  .writes_back = run->open_writes_back,
                                  .issued = run->now,
                                  .latency = run->open.latency,
                                  .per_step = run->open.per_step,
                                  .conditional = run->open_conditional};

    if (run->open.kind == KIND_NONE)
        return;
    if (run->divider != 0 && run->divider - 1 < run->now + run->open.steps) {
        run->divider = 0; /* it writes while the instruction takes its steps */
        run->out->counts.divide_stalls++;
        run->open.steps++;
    }
    write_results(run, &run->open, &result);
    run->now += run->open.steps;
    run->out->counts.singles++;
    run->out->counts.steps += run->open.steps - 1;
    run->open = (struct issue_facts){.kind = KIND_NONE};
}

/* The pair of the open instruction. */
static void issue_second(struct issue_run *run, const struct insn *insn,
                         const struct issue_facts *shape, uint32_t cycle)
{
    const struct result result = {.writes = insn->writes,
                                  .writes_back = insn->writes_back,
                                  .issued = cycle,
                                  .latency = shape->latency,
                                  .conditional = insn_is_conditional(insn)};

    run->out->counts.pairs[case_of(run->open.kind, insn, shape->kind)]++;
    run->now = cycle;
    run->open.steps = greater(run->open.steps, shape->steps);
    close_open(run);
    run->out->counts.singles--; /* it is a pair's */
    write_results(run, shape, &result);
}

static void issue_first(struct issue_run *run, const struct insn *insn,
                        const struct issue_facts *shape, uint32_t cycle)
{
    run->now = cycle;
    run->open = *shape;
    run->open_writes = insn->writes;
    run->open_writes_back = insn->writes_back;
    run->open_conditional = insn_is_conditional(insn);
    if (insn->branch != BRANCH_NONE || shape->ways[0] == PORTS_ALL ||
        run->machine->issue_width == 1)
        close_open(run); /* nothing can join it */
}

static void issue(struct issue_run *run, const struct insn *insn)
{
    struct insn plain;

    if (core_makes_plain(run->machine->cures, run->address + insn->offset, insn, &plain))
        insn = &plain;
    const struct issue_facts shape = shape_of(run->machine, insn);
    const bool second = pairs(run, insn, &shape);

    if (!second)
        close_open(run);
    const struct wait wait = wait_for_operands(run, insn, &shape);
    if (second)
        issue_second(run, insn, &shape, wait.cycle);
    else
        issue_first(run, insn, &shape, wait.cycle);
}

/* ---- states ---- */

static void load_state(struct issue_run *run, const struct r4f_issue_state *state)
{
    for (unsigned i = 0; i < R4F_TRACKED; i++)
        run->ready[i] = state->ready[i];
    run->divider = state->divider;
    run->divided = state->divided;
    run->float_free = state->float_busy;
    run->open = (struct issue_facts){.kind = (enum issue_kind)(state->open & OPEN_KIND),
                                     .ways = {state->open_ways[0], state->open_ways[1]},
                                     .steps = state->open_cycles,
                                     .latency = state->open_latency,
                                     .divides = (state->open & OPEN_DIVIDES) != 0,
                                     .float_busy = state->open_float};
    run->open_writes = state->open_writes;
    run->open_writes_back = state->open_writes_back;
    run->open_conditional = (state->open & OPEN_CONDITIONAL) != 0;
}

/* Fits: the longest latency of a machine file is 200 cycles, and the longest address_extra 5. */
static uint8_t left(uint32_t time, uint32_t now)
{
    return (uint8_t)minus(time, now);
}

static uint16_t waits_for_divider(const struct r4f_issue_state *state)
{
    uint16_t set = 0;

    for (unsigned reg = 0; reg < 15; reg++)
        if (state->ready[reg] != 0)
            set |= (uint16_t)(1u << reg);
    return set;
}

static void save_state(const struct issue_run *run, struct r4f_issue_state *state)
{
    memset(state, 0, sizeof *state);
    for (unsigned i = 0; i < R4F_TRACKED; i++)
        state->ready[i] = left(run->ready[i], run->now);
    state->divider = left(run->divider, run->now);
    state->divided = (uint16_t)run->divided & waits_for_divider(state);
    state->float_busy = left(run->float_free, run->now);
    if (run->open.kind == KIND_NONE)
        return;
    state->open = (uint8_t)(run->open.kind | (run->open.divides ? OPEN_DIVIDES : 0) |
                            (run->open_conditional ? OPEN_CONDITIONAL : 0));
    state->open_latency = (uint8_t)run->open.latency;
    state->open_float = (uint8_t)run->open.float_busy;
    state->open_writes_back = (uint16_t)run->open_writes_back;
    state->open_cycles = (uint8_t)run->open.steps;
    state->open_ways[0] = run->open.ways[0];
    state->open_ways[1] = run->open.ways[1];
    state->open_writes = run->open_writes;
}

void r4f_issue_run(const struct armpmu_machine *machine, const struct block *block, unsigned first,
                   unsigned end, const struct r4f_issue_state *before, struct r4f_issue_result *out)
{
    struct issue_run run = {.machine = machine, .address = block->address, .out = out};

    memset(out, 0, sizeof *out);
    load_state(&run, before);
    for (unsigned i = first; i < end; i++)
        issue(&run, &block->insns[i]);
    out->counts.cycles = run.now;
    save_state(&run, &out->after);
}

uint32_t r4f_issue_wait(struct r4f_issue_state *state, uint32_t cycles)
{
    const bool writes = state->divider != 0 && state->divider <= cycles;

    if (cycles == 0)
        return 0;
    for (unsigned i = 0; i < R4F_TRACKED; i++)
        state->ready[i] = left(state->ready[i], cycles);
    state->divider = left(state->divider, cycles);
    state->float_busy = left(state->float_busy, cycles);
    state->divided &= waits_for_divider(state);
    return writes;
}

uint32_t r4f_issue_close(struct r4f_issue_state *state, const struct armpmu_machine *machine,
                         uint32_t *written)
{
    struct r4f_issue_result result = {0};
    struct issue_run run = {.machine = machine, .out = &result};

    load_state(&run, state);
    close_open(&run);
    save_state(&run, state);
    *written = result.counts.divide_stalls;
    return run.now;
}
