/* Instructions as the Activity Monitors' core executes them: unit, latency, slots. */
#include "cores/neoverse/core.h"

struct execution {
    enum ooo_unit unit;
    uint32_t latency;
    bool active;
};

_Static_assert(UNIT_V13 - UNIT_VECTOR == PIPES_V13, "a unit for each choice of pipes");

static struct execution execution_of(enum insn_class klass, const struct armpmu_machine *m)
{
    switch (klass) {
#define EXECUTION(klass, unit, latency)                                                            \
    case CLASS_##klass:                                                                            \
        return (struct execution){UNIT_##unit, m->latency_##latency, false};
#define ARITHMETIC(klass, pipes, latency)                                                          \
    case CLASS_##klass:                                                                            \
        return (struct execution){(enum ooo_unit)(UNIT_VECTOR + (unsigned)(pipes)),                \
                                  m->latency_##latency, true};
#include "cores/neoverse/execution.def"
#undef EXECUTION
#undef ARITHMETIC
    }
    return (struct execution){UNIT_INTEGER, m->latency_alu, false};
}

/* CHOICE(amu-fused-aes): AESE and AESMC, or AESD and AESIMC, in a row and of one register. */
static bool is_fused(const struct insn *insn, const struct insn *before)
{
    return before != NULL && before->klass == CLASS_CRYPTO_AES &&
           insn->klass == CLASS_CRYPTO_AES_MIX && insn->writes == before->writes &&
           insn->reads == before->writes;
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

void neoverse_op_make(struct neoverse_op *op, const struct insn *insn, const struct insn *before,
                      const struct armpmu_machine *machine)
{
    struct execution execution = execution_of(insn->klass, machine);
    const uint32_t slots = slots_of(insn);

    if (insn->memory.bytes != 0 && execution.unit != UNIT_LOAD && execution.unit != UNIT_STORE)
        execution = (struct execution){
            insn->memory.load ? UNIT_LOAD : UNIT_STORE,
            insn->memory.load ? machine->latency_load : machine->latency_alu, execution.active};
    if (insn->memory.exclusive && !insn->memory.load)
        execution.latency = machine->latency_load; /* its status comes as a load's result */
    if (is_fused(insn, before))
        execution = (struct execution){UNIT_NONE, 0, true};
    op->offset = insn->offset;
    op->bytes = insn->memory.bytes;
    op->active = execution.active;
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
