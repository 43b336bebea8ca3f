/* Instructions as an in-order core executes them: the further conditions of their issue.
 *
 * CHOICE(a53-operands): operands have four times. Addresses come first, then what is shifted or
 * multiplied, what the ALU adds, then data of a store from an X register and flags of a branch. A
 * load of a whole X register forwards directly to the next address; an updated base is ready for
 * the next access. CHOICE(a53-alone): transfers of several registers or of 128 bits, and on some
 * cores multiplications, are issued alone, a cycle for each 8 bytes loaded or 16 bytes stored; the
 * last register decides. CHOICE(a55-pipeline): a Cortex-A55 differs in keys of its machine alone.
 * Source: GCC's and LLVM's scheduler descriptions of the Cortex-A53; what the machine's file names.
 */
#include "cores/neoverse/core.h"

static unsigned parts(unsigned bytes, unsigned part)
{
    return (bytes + part - 1) / part;
}

/* CHOICE(a53-vectors): SHRN2, SQXTN2 and their like fill half of a register, two a cycle; FMAXP of
 * two numbers goes once a cycle. */
static bool works_on_quads(const struct insn *insn)
{
    const bool shifts = insn->klass == CLASS_NEON_SHIFT || insn->klass == CLASS_NEON_SHIFT_ROUND ||
                        insn->klass == CLASS_NEON_SHIFT_COMPLEX;

    return insn->klass == CLASS_FLOAT_PAIRS ||
           (insn->vector.quad && !(insn->vector.narrow && shifts));
}

/* Halves of vector registers that are worked on or moved at a time. */
static uint8_t halves_of(const struct insn *insn, bool is_vector, bool is_fused)
{
    if (insn->memory.bytes != 0)
        return !insn->memory.neon ? 0 : insn->memory.bytes > 8 ? 2 : 1;
    if (is_fused)
        return 0;
    return works_on_quads(insn) ? 2 : is_vector ? 1 : 0;
}

static bool multiplies(const struct insn *insn)
{
    return insn->klass == CLASS_MULTIPLY || insn->klass == CLASS_MULTIPLY_LONG ||
           insn->klass == CLASS_MULTIPLY_HIGH;
}

static bool is_whole_load(const struct insn *insn)
{
    return insn->klass == CLASS_LOAD && insn->memory.bytes == 8u * insn->operations;
}

static void make_access(struct ooo_in_order *in_order, struct ooo_op *op, const struct insn *insn,
                        const struct armpmu_machine *m)
{
    const bool spreads =
        insn->vector.kind == VECTOR_LOAD_LANES || insn->vector.kind == VECTOR_LOAD_ALLS;
    const unsigned cycles =
        parts(insn->memory.bytes, op->load ? m->units_load_bytes : m->units_store_bytes) + spreads;

    in_order->is_access = true;
    in_order->cycles = (uint8_t)cycles;
    in_order->alone = insn->memory.multiple || cycles > 1;
    if (op->load)
        op->latency = (uint16_t)(op->latency + cycles - 1);
    if (op->store)
        in_order->late = insn->reads_late & insn->reads & UINT32_MAX & ~in_order->early;
}

/* CHOICE(a53-vectors): a look-up takes a cycle for each register of the table, TBX one more. */
static void look_up(struct ooo_op *op, const struct insn *insn)
{
    const unsigned cycles = insn->operations + (insn->vector.kind == VECTOR_TABLE_KEEP);

    op->latency = (uint16_t)(op->latency + cycles - 1);
    neoverse_take_divider(op, DIVIDER_TABLE, cycles > 1 ? cycles : 0);
}

void neoverse_in_order_make(struct ooo_in_order *in_order, struct ooo_op *op,
                            const struct insn *insn, const struct armpmu_machine *m)
{
    const bool is_vector =
        (op->unit >= UNIT_VECTOR && op->unit <= UNIT_V13) || insn->klass == CLASS_CORE_TO_NEON ||
        insn->klass == CLASS_CORE_TO_ELEMENT || insn->klass == CLASS_CORE_TO_FLOAT;
    const bool is_fused = op->unit == UNIT_NONE;

    *in_order = (struct ooo_in_order){
        .early = insn->reads_early & insn->reads,
        .late_flags = insn->reads_flags && insn->branch != BRANCH_NONE,
        .early_time = (uint32_t)ooo_time(m->latency_early),
        .to_address =
            (uint32_t)ooo_time(is_whole_load(insn) ? m->latency_load_address : m->latency_address),
        .cycles = 1,
        .halves = halves_of(insn, is_vector, is_fused),
        .alone = m->units_multiply_alone == YESNO_YES && multiplies(insn),
        .first = works_on_quads(insn) && !is_fused,
        .interlock = is_vector || insn->memory.neon ? CAUSE_VECTOR : CAUSE_OTHER,
    };
    if (insn->memory.bytes != 0)
        make_access(in_order, op, insn, m);
    if (insn->klass == CLASS_NEON_TABLE)
        look_up(op, insn);
    op->slots = (uint8_t)(in_order->alone ? m->dispatch_width : 1);
    if (is_fused) /* what it is fused with has its result, and is not waited for */
        op->reads = op->writes = 0;
}
