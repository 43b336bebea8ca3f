/* Instructions as the pipeline of the XScale core sees them.
 *
 * Source: Intel XScale Core Developer's Manual (273473-002), Performance Considerations,
 * Instruction Latencies. What no source has is a key of the machine file. */
#include "cores/xscale/core.h"

enum {
    LOAD_LATENCY = 3,
    LIST_CYCLES = 2, /* LDM and STM, besides one for each register */
};

static bool sets_flags(const struct insn *insn)
{
    return (insn->writes & REG_FLAGS) != 0;
}

/* CHOICE(xscale-multiply-class): how early the multiplier ends depends on a factor's value, which
 * is not in the trace; it is the same for all. */
static void multiply(const struct insn *insn, unsigned steps, struct xs_op *op)
{
    op->latency = (uint8_t)(1 + steps);
    op->multiplier = (uint8_t)steps;
    if (sets_flags(insn))
        op->issue = op->latency;
}

static void multiply_long(const struct insn *insn, unsigned steps, struct xs_op *op)
{
    const bool accumulates = insn->reads_late != 0;
    op->latency = (uint8_t)(1 + steps);
    op->multiplier = (uint8_t)(1 + steps);
    op->issue = accumulates ? 2 : 1;
    op->second = (uint32_t)insn->writes_high & XS_CORE_SET;
    if (!sets_flags(insn))
        return;
    op->issue = op->latency = (uint8_t)(2 + steps);
    op->second = 0;
}

static void multiply_half(const struct insn *insn, struct xs_op *op)
{
    op->issue = insn->writes_high != 0 ? 2 : 1;
    op->latency = 2;
    if (insn->word_by_half) {
        op->latency = 3;
        op->multiplier = 2;
    }
    op->second = (uint32_t)insn->writes_high & XS_CORE_SET;
}

static uint32_t lowest(uint32_t set)
{
    return set & -set;
}

static void load(const struct insn *insn, struct xs_op *op)
{
    op->unit = XS_LOAD;
    op->latency = LOAD_LATENCY;
    if (insn->operations == 2) { /* LDRD */
        const uint32_t loaded = (uint32_t)(insn->writes & ~insn->writes_back) & XS_CORE_SET;
        op->issue = lowest(loaded) == REG_R(12) ? 2 : 1;
        op->back_latency = 2;
        op->holds_memory = true;
    } else if ((insn->writes & REG_PC) != 0) {
        op->issue = 2;
    }
}

static void store(const struct insn *insn, struct xs_op *op)
{
    op->unit = XS_STORE;
    if (insn->operations == 2) /* STRD */
        op->issue = op->back_latency = 2;
}

/* All of a list is there when the next instruction may issue. */
static void list(const struct insn *insn, enum xs_unit unit, struct xs_op *op)
{
    op->unit = (uint8_t)unit;
    op->list = true;
    op->issue = (uint8_t)(LIST_CYCLES + insn->operations + ((insn->writes & REG_PC) != 0));
}

/* CHOICE(xscale-untimed): swaps and accesses to system registers, for which the sources have no
 * times, take those of the machine file. */
static void system_access(const struct insn *insn, const struct armpmu_machine *machine,
                          struct xs_op *op)
{
    if ((insn->writes & XS_CORE_SET & ~(uint64_t)(REG_FLAGS | REG_GE | REG_Q)) != 0)
        op->latency = (uint8_t)machine->issue_system_read_latency;
    else
        op->issue = (uint8_t)machine->issue_system_write_cycles;
}

static void shift(const struct insn *insn, struct xs_op *op)
{
    if (insn->shifts_by_register)
        op->issue = op->latency = 2;
    else
        op->early = (uint32_t)insn->reads_early & XS_CORE_SET;
}

static void time_class(const struct insn *insn, const struct armpmu_machine *machine,
                       struct xs_op *op)
{
    const unsigned steps = machine->issue_multiply_class;
    switch (insn->klass) {
    case CLASS_ALU: /* QDADD and QDSUB double in the shifter */
        op->early = (uint32_t)insn->reads_twice & XS_CORE_SET;
        return;
    case CLASS_ALU_SHIFT:
        shift(insn, op);
        return;
    case CLASS_MULTIPLY:
        op->unit = XS_MULTIPLY;
        multiply(insn, steps, op);
        return;
    case CLASS_MULTIPLY_LONG:
        op->unit = XS_MULTIPLY;
        multiply_long(insn, steps, op);
        return;
    case CLASS_MULTIPLY_HALF:
        op->unit = XS_MULTIPLY;
        multiply_half(insn, op);
        return;
    case CLASS_LOAD:
        load(insn, op);
        return;
    case CLASS_PRELOAD:
        op->unit = XS_LOAD;
        return;
    case CLASS_STORE:
        store(insn, op);
        return;
    case CLASS_LOAD_MULTIPLE:
    case CLASS_NEON_LOAD: /* LDC */
        list(insn, XS_LOAD, op);
        return;
    case CLASS_STORE_MULTIPLE:
    case CLASS_NEON_STORE: /* STC */
        list(insn, XS_STORE, op);
        return;
    case CLASS_SWAP:
        op->unit = XS_SWAP;
        op->issue = (uint8_t)machine->issue_swap_cycles;
        return;
    case CLASS_BARRIER: /* of this core a write to CP15, which names a register */
        if (insn->reads == 0)
            return;
        system_access(insn, machine, op);
        op->drains = insn->orders_stores; /* CHOICE(xscale-drain) */
        return;
    case CLASS_SYSTEM:
        system_access(insn, machine, op);
        return;
    default:
        return; /* plain data processing and what is not timed: a cycle */
    }
}

struct xs_op xs_op_of(const struct insn *insn, const struct armpmu_machine *machine)
{
    const uint32_t used = (uint32_t)(insn->reads | insn->writes) & XS_CORE_SET;
    struct xs_op op = {
        .waits = used & ~(uint32_t)REG_PC,
        .back = (uint32_t)insn->writes_back & XS_CORE_SET,
        .offset = insn->offset,
        .issue = 1,
        .latency = 1,
        .back_latency = 1,
    };
    time_class(insn, machine, &op);
    op.first = (uint32_t)insn->writes & XS_CORE_SET & ~op.back & ~op.second;
    if (op.unit == XS_ALU || op.unit == XS_MULTIPLY)
        op.first &= ~(uint32_t)REG_PC; /* nothing waits for it */
    if (insn->memory.bytes != 0) {
        op.words = (uint8_t)(insn->memory.bytes < 4 ? 1 : insn->memory.bytes / 4);
        op.bytes = (uint8_t)(insn->memory.bytes < 4 ? insn->memory.bytes : 4);
    }
    return op;
}
