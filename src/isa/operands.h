/* An instruction of capstone's, its operands sorted by what is done with them. Private to this
 * folder. */
#ifndef ISA_OPERANDS_H
#define ISA_OPERANDS_H

#include <capstone/capstone.h>

#include "isa/decoder.h"

/* What else the operands mean: a function of shapes.c each. */
enum shape {
    SHAPE_NONE, /* no instruction of ARMv7-A */
    SHAPE_PLAIN,
    SHAPE_ORDERING,
    SHAPE_ALU,
    SHAPE_TRANSFER,
    SHAPE_EXCLUSIVE,
    SHAPE_SWAP,
    SHAPE_TABLE,
    SHAPE_MULTIPLE,
    SHAPE_STACK,
    SHAPE_BRANCH,
    SHAPE_CALL,
    SHAPE_EXCHANGE,
    SHAPE_COMPARE_AND_BRANCH,
    SHAPE_EXCEPTION_RETURN,
    SHAPE_READ_STATUS,
    SHAPE_WRITE_STATUS,
    SHAPE_TO_COPROCESSOR,
    SHAPE_COPROCESSOR_TRANSFER,
    SHAPE_LOAD_RETURN_STATE,
    SHAPE_STORE_RETURN_STATE,
    SHAPE_VECTOR,
    SHAPE_VFP,
    SHAPE_CONVERT,
    SHAPE_HALF_PRECISION,
    SHAPE_VECTOR_MOVE,
    SHAPE_VECTOR_STATUS,
    SHAPE_VECTOR_TRANSFER,
    SHAPE_VECTOR_MULTIPLE,
    SHAPE_VECTOR_STACK,
    SHAPE_STRUCTURE,
};

/* A row of instructions.def. */
struct facts {
    uint8_t klass, shape, bytes, effect;
    char roles[5];
    uint64_t reads, writes;
};

struct operands {
    const struct encoding *code;
    const cs_insn *from;
    const cs_arm *arm;
    const struct facts *facts;
    const cs_arm_op *memory; /* the memory operand, NULL when there is none */
    uint64_t base;           /* the register of an address ...              */
    uint64_t index;          /* ... and of its offset, 0 for none           */
    uint64_t data;           /* registers loaded or stored                  */
    unsigned n_data;         /* how many operands they are                  */
    bool post;               /* the base moves after the access             */
    bool writes_back;
    bool shifted; /* an operand goes through the shifter         */
    bool sets_flags;
};

#define REGS_APSR (REG_FLAGS | REG_GE | REG_Q)

/* The bits of one of capstone's registers, 0 for those that struct insn does not know. */
uint64_t registers_of(int reg);

/* Whether an operand is an S register, a register of the core. */
bool is_single(const cs_arm_op *operand);
bool is_core(const cs_arm_op *operand);

/* Completes *insn, whose registers are in their sets already. Returns false for what is no
 * instruction of ARMv7-A. */
bool shape_complete(const struct operands *operands, struct insn *insn);

#endif
