/* Instructions as the Activity Monitors' core executes them: unit, latency, slots. */
#include "cores/neoverse/core.h"

/* What executes a class. CHOICE(amu-units): classes are those of struct insn, coarser than the
 * tables of a core's optimization guide. */
struct execution {
    enum ooo_unit unit;
    uint32_t latency;
};

static struct execution execution_of(enum insn_class klass, const struct armpmu_machine *m)
{
    switch (klass) {
    case CLASS_ALU:
    case CLASS_MOVE:
    case CLASS_BARRIER: /* CHOICE(amu-asleep): WFI and WFE, too */
        return (struct execution){UNIT_INTEGER, m->latency_alu};
    case CLASS_ALU_SHIFT:
        return (struct execution){UNIT_MULTICYCLE, m->latency_shift};
    case CLASS_MULTIPLY:
    case CLASS_MULTIPLY_HALF:
        return (struct execution){UNIT_MULTICYCLE, m->latency_multiply};
    case CLASS_MULTIPLY_LONG:
        return (struct execution){UNIT_MULTICYCLE, m->latency_multiply_long};
    case CLASS_DIVIDE:
        return (struct execution){UNIT_MULTICYCLE, m->latency_divide};
    case CLASS_CRC:
        return (struct execution){UNIT_MULTICYCLE, m->latency_crc};
    case CLASS_LOAD:
    case CLASS_LOAD_MULTIPLE:
        return (struct execution){UNIT_LOAD, m->latency_load};
    case CLASS_NEON_LOAD:
        return (struct execution){UNIT_LOAD, m->latency_vector_load};
    case CLASS_SWAP:
    case CLASS_ATOMIC:
        return (struct execution){UNIT_LOAD, m->latency_atomic};
    case CLASS_PRELOAD:
        return (struct execution){UNIT_LOAD, m->latency_alu};
    case CLASS_STORE:
    case CLASS_STORE_MULTIPLE:
    case CLASS_NEON_STORE:
        return (struct execution){UNIT_STORE, m->latency_alu};
    case CLASS_BRANCH:
        return (struct execution){UNIT_BRANCH, m->latency_alu};
    case CLASS_SYSTEM:
        return (struct execution){UNIT_INTEGER, m->latency_system};
    case CLASS_NEON_ALU:
    case CLASS_NEON_PERMUTE:
        return (struct execution){UNIT_VECTOR, m->latency_vector};
    case CLASS_NEON_MULTIPLY:
        return (struct execution){UNIT_VECTOR, m->latency_vector_multiply};
    case CLASS_NEON_FLOAT:
    case CLASS_VFP:
        return (struct execution){UNIT_VECTOR, m->latency_float};
    case CLASS_VFP_DIVIDE:
        return (struct execution){UNIT_VECTOR, m->latency_float_divide};
    case CLASS_CRYPTO:
        return (struct execution){UNIT_VECTOR, m->latency_crypto};
    case CLASS_CORE_TO_NEON:
        return (struct execution){UNIT_MULTICYCLE, m->latency_to_vector};
    case CLASS_NEON_TO_CORE:
        return (struct execution){UNIT_VECTOR, m->latency_from_vector};
    }
    return (struct execution){UNIT_INTEGER, m->latency_alu};
}

/* CHOICE(amu-activity): what draws much power is arithmetic in the vector units. */
static bool is_active(enum insn_class klass)
{
    return klass == CLASS_NEON_ALU || klass == CLASS_NEON_MULTIPLY || klass == CLASS_NEON_FLOAT ||
           klass == CLASS_NEON_PERMUTE || klass == CLASS_VFP || klass == CLASS_VFP_DIVIDE ||
           klass == CLASS_CRYPTO;
}

/* CHOICE(amu-slots): one slot of dispatch an instruction; two for a load and store in one, and one
 * for each two registers of a longer list of them. */
static uint32_t slots_of(const struct insn *insn)
{
    if (insn->memory.load && insn->memory.store)
        return 2;
    return insn->memory.multiple ? (insn->operations + 1u) / 2 : 1;
}

static void make_divide(struct ooo_op *op, enum insn_class klass,
                        const struct armpmu_machine *machine)
{
    op->divides = klass == CLASS_DIVIDE || klass == CLASS_VFP_DIVIDE;
    op->divider = klass == CLASS_DIVIDE ? DIVIDER_INTEGER : DIVIDER_FLOAT;
    op->divide_cycles = (uint16_t)(klass == CLASS_DIVIDE ? machine->latency_divide_interval
                                                         : machine->latency_float_divide_interval);
}

void neoverse_op_make(struct neoverse_op *op, const struct insn *insn,
                      const struct armpmu_machine *machine)
{
    struct execution execution = execution_of(insn->klass, machine);
    const uint32_t slots = slots_of(insn);

    if (insn->memory.bytes != 0 && execution.unit != UNIT_LOAD && execution.unit != UNIT_STORE)
        execution =
            (struct execution){insn->memory.load ? UNIT_LOAD : UNIT_STORE,
                               insn->memory.load ? machine->latency_load : machine->latency_alu};
    if (insn->memory.exclusive && !insn->memory.load)
        execution.latency = machine->latency_load; /* its status comes as a load's result */
    op->offset = insn->offset;
    op->bytes = insn->memory.bytes;
    op->active = is_active(insn->klass);
    op->window = (struct ooo_op){
        .reads = insn->reads,
        .writes = insn->writes & ~insn->writes_back,
        .writes_back = insn->writes_back,
        .reads_flags = insn->reads_flags,
        .writes_flags = insn->writes_flags,
        .load = insn->memory.load,
        .store = insn->memory.store,
        .unit = execution.unit,
        .slots = (uint8_t)(slots < machine->dispatch_width ? slots : machine->dispatch_width),
        .latency = (uint16_t)execution.latency,
    };
    make_divide(&op->window, insn->klass, machine);
}
