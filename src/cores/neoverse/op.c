/* Instructions as the Activity Monitors' core executes them: unit, latency, slots. */
#include "cores/neoverse/core.h"

#include "base/arithmetic.h"

struct execution {
    enum ooo_unit unit;
    uint32_t latency;
    bool active;
    enum ooo_unit also;
    uint8_t times;
};

_Static_assert(UNIT_V13 - UNIT_VECTOR == PIPES_V13, "a unit for each choice of pipes");

static struct execution execution_of(enum insn_class klass, const struct armpmu_machine *m)
{
    switch (klass) {
#define EXECUTION(klass, unit, latency)                                                            \
    case CLASS_##klass:                                                                            \
        return (struct execution){UNIT_##unit, m->latency_##latency, false, UNIT_NONE, 1};
#define VECTOR(klass, pipes, latency, active)                                                      \
    case CLASS_##klass:                                                                            \
        return (struct execution){(enum ooo_unit)(UNIT_VECTOR + (unsigned)(pipes)),                \
                                  m->latency_##latency, active, UNIT_NONE, 1};
#define MOVING(klass, pipes, latency)     VECTOR(klass, pipes, latency, false)
#define ARITHMETIC(klass, pipes, latency) VECTOR(klass, pipes, latency, true)
#include "cores/neoverse/execution.def"
#undef EXECUTION
#undef VECTOR
#undef MOVING
#undef ARITHMETIC
    }
    return (struct execution){UNIT_INTEGER, m->latency_alu, false, UNIT_NONE, 1};
}

/* SVE: arithmetic of vectors is what power mitigation looks for. */
static struct execution scalable_of(const struct insn *insn, const struct armpmu_machine *m)
{
    const struct scalable_time time = neoverse_scalable_time(insn, m);
    const bool divides = insn->klass == CLASS_VFP_DIVIDE;

    const uint32_t at_least = insn->memory.load ? m->latency_load : 0;

    return (struct execution){(enum ooo_unit)time.unit,
                              time.latency > at_least ? time.latency : at_least,
                              time.unit >= UNIT_VECTOR && time.unit <= UNIT_V13,
                              (enum ooo_unit)time.also, divides ? 1 : time.times};
}

/* CHOICE(amu-fused-aes): AESE and AESMC, or AESD and AESIMC, in a row and of one register. */
static bool is_fused(const struct insn *insn, const struct insn *before)
{
    return before != NULL && before->klass == CLASS_CRYPTO_AES &&
           insn->klass == CLASS_CRYPTO_AES_MIX && insn->writes == before->writes &&
           insn->reads == before->writes;
}

/* The slots of what an instruction moves or works on. */
static uint32_t slots_of_data(const struct insn *insn, const struct armpmu_machine *m)
{
    const uint32_t bytes = m->dispatch_vector_bytes;

    if (insn->memory.load && insn->memory.store)
        return 2;
    if (bytes != 0 && insn->memory.neon && insn->memory.multiple)
        return greater(insn->operations, insn->memory.bytes / bytes);
    if (insn->memory.multiple)
        return (insn->operations + 1u) / 2;
    return bytes != 0 && insn->vector.quad && !insn->vector.narrow ? 16 / bytes : 1;
}

/* An access whose address is a base and an index. */
static bool has_index(const struct insn *insn)
{
    const uint64_t address = insn->reads_early & insn->reads;

    return insn->memory.bytes != 0 && !insn->memory.exclusive && (address & (address - 1)) != 0;
}

/* CHOICE(amu-slots): one slot of dispatch an instruction; two for a load and store in one, and one
 * for each two registers of a longer list of them, or each `dispatch.vector_bytes` of vector
 * registers that it writes or stores. Where there is that key, an updated base takes one more, for
 * the integer unit, and so does an index, but of a load of vectors. */
static uint32_t slots_of(const struct insn *insn, const struct armpmu_machine *m)
{
    const bool loads_vector = insn->memory.neon && insn->memory.load;
    const bool adds = (has_index(insn) && !loads_vector) || insn->writes_back != 0;

    return slots_of_data(insn, m) + (m->dispatch_vector_bytes != 0 && adds);
}

/* LDP of 64-bit general registers, LDPSW. */
static bool is_loaded_pair(const struct insn *insn)
{
    return insn->memory.extends ||
           (!insn->memory.neon && insn->memory.bytes == 16 && insn->operations == 2 &&
            insn->memory.load && !insn->memory.store && !insn->memory.exclusive);
}

/* Returns whether the pipes of a core work on 128 bits of some operations in two halves; those of
 * an in-order core have no such key. */
static bool has_half_pipes(const struct armpmu_machine *m)
{
    return m->units_vector_bytes == 8;
}

/* LDPSW of cores whose pipes are 64 bits wide loads a word at a time (insn_bench_aarch64 on a
 * Cortex-A72). */
static uint32_t load_pair_interval(const struct insn *insn, const struct armpmu_machine *m)
{
    return m->latency_load_pair_interval * (insn->memory.extends && has_half_pipes(m) ? 2 : 1);
}

/* Multiplications of 64 bits hold the pipe for some cycles; those of an in-order core come in turn.
 */
static void multiply(struct ooo_op *op, uint32_t cycles, const struct armpmu_machine *m)
{
    if (m->dispatch_in_order == YESNO_YES)
        neoverse_take_divider(op, DIVIDER_MULTIPLY, cycles);
    else if (cycles != 0)
        op->times = (uint8_t)cycles;
}

static bool divides_in_halves(const struct insn *insn, const struct armpmu_machine *m)
{
    return has_half_pipes(m) && insn->vector.quad;
}

static uint32_t float_divide_latency(const struct insn *insn, const struct armpmu_machine *m)
{
    const uint32_t one =
        insn->work.element_bytes == 8 ? m->latency_float_divide_double : m->latency_float_divide;

    return divides_in_halves(insn, m) ? 2 * one : one;
}

/* The halves of a vector one after the other, and no other one meanwhile. */
static uint32_t float_divide_interval(const struct insn *insn, const struct armpmu_machine *m)
{
    if (divides_in_halves(insn, m))
        return float_divide_latency(insn, m);
    return insn->work.element_bytes == 8 ? m->latency_float_divide_double_interval
                                         : m->latency_float_divide_interval;
}

/* Those of a load or store unit: registers that it moves in parts. */
static unsigned moves_of(const struct insn *insn, const struct armpmu_machine *m)
{
    const unsigned bytes = insn->memory.load ? m->units_load_bytes : m->units_store_bytes;

    return insn->memory.multiple ? (insn->memory.bytes + bytes - 1) / bytes : 1;
}

/* The parts of 16 bytes of a load that takes longer for each if it begins at no multiple of 4. */
static unsigned quads_of(const struct insn *insn, const struct armpmu_machine *m)
{
    const bool takes_longer = m->latency_unaligned_quad != 0 && insn->memory.load &&
                              !insn->memory.store && insn->scalable.kind == SVE_NONE;

    return takes_longer && insn->memory.bytes % 16 == 0 ? insn->memory.bytes / 16 : 0;
}

/* CHOICE(neoverse-structures): the cycles between loads of structures of several registers. */
static uint32_t structure_interval(const struct insn *insn, const struct armpmu_machine *m)
{
    const bool four = insn->operations == 4, whole = insn->vector.kind == VECTOR_LOAD_FOUR;
    const uint32_t cycles = insn->operations < 3 ? 1 : whole && (four || has_half_pipes(m)) ? 5 : 2;

    return greater(cycles, moves_of(insn, m) / m->units_load);
}

/* Elements that are loaded pass the vector pipes on their way to the registers, how often. */
static unsigned structure_passes(const struct insn *insn, const struct armpmu_machine *m)
{
    switch (insn->vector.kind) {
    case VECTOR_LOAD_TWO:
        return has_half_pipes(m) ? 2 : 1;
    case VECTOR_LOAD_FOUR:
        return has_half_pipes(m) || insn->operations == 4 ? 2 : 1;
    default:
        return insn->vector.kind != VECTOR_NONE;
    }
}

/* CHOICE(neoverse-intervals): what follows an instruction of its kind some cycles later, though a
 * unit is free. */
static void make_interval(struct ooo_op *op, const struct insn *insn,
                          const struct armpmu_machine *m)
{
    switch (insn->klass) {
    case CLASS_DIVIDE:
        neoverse_take_divider(op, DIVIDER_INTEGER, m->latency_divide_interval);
        break;
    case CLASS_VFP_DIVIDE:
        neoverse_take_divider(op, DIVIDER_FLOAT, float_divide_interval(insn, m));
        break;
    case CLASS_MULTIPLY_LONG:
        multiply(op, m->latency_multiply_long_interval, m);
        break;
    case CLASS_MULTIPLY_HIGH:
        multiply(op, m->latency_multiply_high_interval, m);
        break;
    case CLASS_SYSTEM: /* CHOICE(neoverse-barriers) */
        if (insn->memory.bytes == 0)
            neoverse_take_divider(op, DIVIDER_SYSTEM, m->latency_system);
        break;
    case CLASS_ATOMIC:
        if (insn->acquires && insn->releases)
            neoverse_take_divider(op, DIVIDER_ATOMIC, m->latency_ordered_atomic);
        break;
    case CLASS_NEON_ADD_DIFFERENCE:
        neoverse_take_divider(op, DIVIDER_ADD_DIFFERENCE, m->latency_add_difference_interval);
        break;
    default:
        if (is_loaded_pair(insn))
            neoverse_take_divider(op, DIVIDER_LOAD_PAIR, load_pair_interval(insn, m));
        if (m->dispatch_in_order != YESNO_YES && insn->klass == CLASS_NEON_LOAD &&
            insn->vector.kind != VECTOR_NONE && insn->operations > 1)
            neoverse_take_divider(op, DIVIDER_STRUCTURE, structure_interval(insn, m));
        break;
    }
}

static bool multiplies_and_adds_floats(const struct insn *insn)
{
    return insn->work.floats && insn->work.steps > 1;
}

/* A load of an element for each of some registers, which keep their other elements. */
static bool is_lane(const struct insn *insn)
{
    return insn->vector.kind == VECTOR_LOAD_LANE || insn->vector.kind == VECTOR_LOAD_LANES;
}

/* An accumulator that may come later than the factors. CHOICE(neoverse-structures): so may what a
 * lane is inserted into; of several registers, only the first one is waited for. */
static void make_accumulator(struct ooo_op *op, const struct insn *insn,
                             const struct armpmu_machine *m)
{
    const bool inserts = m->dispatch_in_order != YESNO_YES && is_lane(insn);
    const uint32_t link = insn->scalable.kind != SVE_NONE    ? neoverse_scalable_time(insn, m).link
                          : inserts                          ? m->latency_vector
                          : multiplies_and_adds_floats(insn) ? m->latency_float_accumulate
                                                             : m->latency_accumulate;
    const uint64_t all = insn->reads_late & insn->reads, late = inserts ? all & -all : all;

    if ((insn->scalable.kind != SVE_NONE && link == 0) || (insn->memory.bytes != 0 && !inserts) ||
        late == 0 || (late & (late - 1)) != 0 || link >= op->latency || insn->writes == 0 ||
        insn->writes_flags)
        return;
    op->reads &= ~(all ^ late);
    op->accumulator = late;
    op->forward = (uint16_t)(op->latency - link);
    op->within_pipe = (op->unit == UNIT_V02 && m->units_vector > 2) ||
                      (op->unit == UNIT_V13 && m->units_vector > 3);
}

/* CHOICE(neoverse-first): an index of a load, or the element that a vector is multiplied by. */
static uint16_t needed_first_by(const struct insn *insn, const struct armpmu_machine *m)
{
    if (m->dispatch_in_order == YESNO_YES)
        return 0;
    if (insn->memory.bytes != 0)
        return insn->memory.load && has_half_pipes(m);
    return has_half_pipes(m) ? insn->klass == CLASS_NEON_MULTIPLY
                             : multiplies_and_adds_floats(insn);
}

static void make_first(struct ooo_op *op, const struct insn *insn, const struct armpmu_machine *m)
{
    op->first_by = insn->reads_first != 0 ? needed_first_by(insn, m) : 0;
    op->first = op->first_by != 0 ? insn->reads_first : 0;
}

/* CHOICE(neoverse-barriers): stores are written in order, so a DMB of stores alone has nothing to
 * wait for. */
static void make_barrier(struct ooo_op *op, const struct insn *insn)
{
    if (insn->memory.bytes != 0 || insn->branch != BRANCH_NONE)
        return;
    if (insn->barrier == BARRIER_MONITOR) {
        op->barrier = OOO_WAITS;
        return;
    }
    op->after_loads = insn->after_loads;
    op->after_stores = insn->after_stores;
    if (insn->barrier == BARRIER_SYNC)
        op->barrier = OOO_SERIALIZES;
    if (insn->barrier == BARRIER_MEMORY && insn->after_loads)
        op->barrier = OOO_ORDERS;
}

/* CHOICE(neoverse-shifted): a shifted operand that the decoder's class leaves to a plain ALU. */
static enum insn_class class_of(const struct insn *insn, const struct armpmu_machine *machine)
{
    const bool takes_unit = insn->shifts_by_number && machine->units_shift_all == YESNO_YES;

    return takes_unit && (insn->klass == CLASS_ALU || insn->klass == CLASS_MOVE) ? CLASS_ALU_SHIFT
                                                                                 : insn->klass;
}

/* Shifts each element by one of another vector, adds to it what differs, or inserts into it. */
static bool shifts_by_vector(const struct insn *insn)
{
    return insn->vector.operands > 1 && !insn->vector.narrow;
}

/* CHOICE(neoverse-passes): of a look-up in n registers. Pipes of 64 bits look up halves. */
static unsigned table_passes(const struct insn *insn, const struct armpmu_machine *m)
{
    static const uint8_t passes[2][5] = {{0, 1, 1, 2, 3}, {0, 1, 2, 3, 5}};
    static const uint8_t halves[5] = {0, 3, 6, 10, 14};
    const unsigned n = insn->operations;

    if (has_half_pipes(m))
        return insn->vector.quad ? halves[n] : n;
    return passes[insn->vector.kind == VECTOR_TABLE_KEEP][n];
}

/* URECPE and URSQRTE estimate words. */
static unsigned converted_elements(const struct insn *insn)
{
    return insn->work.floats ? insn->work.elements : insn->vector.quad ? 4 : 2;
}

/* CHOICE(neoverse-passes): how often an instruction takes its pipe. Two elements are rounded or
 * converted at a time, and 16 bytes added up in two halves. */
static unsigned passes_of(const struct insn *insn, const struct armpmu_machine *m)
{
    const bool quad = insn->vector.quad, halves = quad && has_half_pipes(m);

    switch (insn->klass) {
    case CLASS_NEON_TABLE:
        return table_passes(insn, m);
    case CLASS_NEON_CONVERT:
        return converted_elements(insn) > 2 ? converted_elements(insn) / 2 : 1;
    case CLASS_FLOAT_REDUCE:
        return insn->work.elements > 4 ? 3 : 2;
    case CLASS_NEON_REDUCE_LONG:
        return quad && insn->work.element_bytes == 1 ? 2 : 1;
    case CLASS_NEON_MULTIPLY:
        return quad && m->units_multiply_bytes == 8 ? 2 : 1;
    case CLASS_NEON_POLYNOMIAL: /* PMULL has products of two bytes, PMUL their lower halves */
        return quad && insn->work.element_bytes == 1 && m->units_multiply_bytes == 8 ? 2 : 1;
    case CLASS_FLOAT_PAIR_SUM:
        return halves ? 3 : 1;
    case CLASS_NEON_SHIFT:
    case CLASS_NEON_SHIFT_COMPLEX:
    case CLASS_NEON_SHIFT_ROUND:
    case CLASS_NEON_ADD_DIFFERENCE:
        return halves && shifts_by_vector(insn) ? 2 : 1;
    case CLASS_NEON_FLOAT:
    case CLASS_FLOAT_MULTIPLY:
    case CLASS_FLOAT_STEP:
    case CLASS_NEON_SELECT:
        return halves ? 2 : 1;
    case CLASS_CRYPTO_HASH:
    case CLASS_CRYPTO_SCHEDULE:
        return has_half_pipes(m) ? 2 : 1;
    default:
        return 1;
    }
}

/* How much later the result of an instruction is there that takes its pipe several times. */
static uint32_t later_by(const struct insn *insn, unsigned passes, const struct armpmu_machine *m)
{
    const bool halves = has_half_pipes(m);

    switch (insn->klass) {
    case CLASS_NEON_TABLE:
        return m->latency_vector *
               (halves ? insn->operations - !insn->vector.quad
                       : (passes > 1) + (insn->vector.kind == VECTOR_TABLE_KEEP && passes > 2));
    case CLASS_FLOAT_REDUCE:
        return m->latency_float_pairs * (passes - 1);
    case CLASS_NEON_REDUCE_LONG:
        return passes > 1 ? m->latency_vector_reduce_bytes - m->latency_vector_reduce_long : 0;
    case CLASS_CORE_TO_NEON: /* inserted into what the register has: FMOV to its upper half, INS */
    case CLASS_CORE_TO_ELEMENT:
        return !halves && (insn->reads & insn->writes) != 0 ? m->latency_vector : 0;
    case CLASS_NEON_LOAD:
        return m->latency_vector * structure_passes(insn, m);
    case CLASS_LOAD: /* LLVM: an addition extends the words; IB: the second one comes later */
        return insn->memory.extends * m->latency_alu;
    case CLASS_FLOAT_PAIR_SUM:
        return passes > 1 ? m->latency_float : 0;
    case CLASS_NEON_CONVERT:
    case CLASS_NEON_MULTIPLY:
    case CLASS_NEON_POLYNOMIAL:
        return halves ? 0 : passes - 1;
    default:
        return 0;
    }
}

/* The first of the units that shift and multiply has the accumulators, CRC and moves to vectors,
 * others do not. Source: LLVM's models of Neoverse V1, N2 and V2. */
static bool runs_in_first(const struct insn *insn)
{
    const bool multiplies = insn->klass == CLASS_MULTIPLY || insn->klass == CLASS_MULTIPLY_LONG;

    return insn->klass == CLASS_CRC || insn->klass == CLASS_CORE_TO_NEON ||
           insn->klass == CLASS_CORE_TO_ELEMENT || insn->klass == CLASS_CORE_TO_FLOAT ||
           (multiplies && insn->accumulates);
}

/* CHOICE(neoverse-zeros) */
static bool ends_at_dispatch(const struct insn *insn, const struct armpmu_machine *m)
{
    return m->dispatch_ends_zeros == YESNO_YES &&
           (insn->klass == CLASS_ZERO || insn->klass == CLASS_NEON_ZERO);
}

/* The differences of an in-order core. */
static void execute_out_of_order(struct execution *execution, const struct insn *insn,
                                 const struct armpmu_machine *m)
{
    const unsigned passes = insn->memory.bytes != 0 ? moves_of(insn, m) : passes_of(insn, m);

    execution->times = (uint8_t)passes;
    execution->latency += later_by(insn, passes, m);
    if (runs_in_first(insn))
        execution->unit = UNIT_M0;
    if (insn->klass == CLASS_ALU_SELECT_ADD && m->units_select_adds == YESNO_YES)
        execution->unit = UNIT_MULTICYCLE;
    /* CHOICE(neoverse-flags) */
    if (insn->writes_flags && m->units_flags != 0 &&
        (execution->unit == UNIT_INTEGER || execution->unit == UNIT_MULTICYCLE))
        execution->also = UNIT_FLAGS;
    if (ends_at_dispatch(insn, m))
        *execution = (struct execution){UNIT_NONE, 0, execution->active, UNIT_NONE, 1};
}

/* An instruction that is not of SVE. */
static struct execution execution_of_insn(const struct insn *insn, const struct insn *before,
                                          const struct armpmu_machine *machine)
{
    struct execution execution = execution_of(class_of(insn, machine), machine);

    if (insn->memory.bytes != 0 && execution.unit != UNIT_LOAD && execution.unit != UNIT_STORE)
        execution =
            (struct execution){insn->memory.load ? UNIT_LOAD : UNIT_STORE,
                               insn->memory.load ? machine->latency_load : machine->latency_alu,
                               execution.active, UNIT_NONE, 1};
    if (insn->memory.neon && insn->memory.store && machine->units_store_takes_vector == YESNO_YES)
        execution.also = UNIT_V01;
    if (insn->memory.exclusive && !insn->memory.load)
        execution.latency = machine->latency_load; /* its status comes as a load's result */
    if (insn->klass == CLASS_ATOMIC && insn->acquires && insn->releases)
        execution.latency = machine->latency_ordered_atomic;
    if (multiplies_and_adds_floats(insn))
        execution.latency = machine->latency_float_multiply_add;
    if (insn->klass == CLASS_VFP_DIVIDE)
        execution.latency = float_divide_latency(insn, machine);
    if (machine->dispatch_in_order != YESNO_YES)
        execute_out_of_order(&execution, insn, machine);
    if (is_fused(insn, before))
        execution = (struct execution){UNIT_NONE, 0, true, UNIT_NONE, 1};
    return execution;
}

void neoverse_op_make(struct neoverse_op *op, const struct insn *insn, const struct insn *before,
                      const struct armpmu_machine *machine)
{
    const bool is_scalable = insn->scalable.kind != SVE_NONE;
    const struct execution execution =
        is_scalable ? scalable_of(insn, machine) : execution_of_insn(insn, before, machine);

    op->offset = insn->offset;
    op->bytes = insn->memory.bytes;
    op->quads = (uint8_t)quads_of(insn, machine);
    op->active = execution.active && machine->mpmm_period_cycles != 0;
    op->window = (struct ooo_op){
        .reads = insn->reads,
        .writes = insn->writes & ~insn->writes_back,
        .writes_back = insn->writes_back,
        .reads_flags = insn->reads_flags,
        .writes_flags = insn->writes_flags,
        .load = insn->memory.load,
        .store = insn->memory.store,
        .predicate_reads = insn->scalable.reads,
        .predicate_writes = insn->scalable.writes,
        .unit = execution.unit,
        .also = execution.also,
        .times = execution.times,
        .slots = (uint8_t)slots_of(insn, machine),
        .latency = (uint16_t)execution.latency,
    };
    if (machine->dispatch_in_order != YESNO_YES && execution.unit != UNIT_NONE)
        make_barrier(&op->window, insn);
    if (!is_scalable)
        make_interval(&op->window, insn, machine);
    else if (insn->klass == CLASS_VFP_DIVIDE)
        neoverse_take_divider(&op->window, DIVIDER_FLOAT,
                              neoverse_scalable_time(insn, machine).times);
    make_accumulator(&op->window, insn, machine);
    make_first(&op->window, insn, machine);
    if (machine->dispatch_in_order == YESNO_YES)
        neoverse_in_order_make(&op->in_order, &op->window, insn, machine);
}
