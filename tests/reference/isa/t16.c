/* The 16-bit instructions of T32 (ARM DDI 0406, "16-bit Thumb instruction encoding"). Most data
 * processing sets the flags outside an IT block and leaves them alone inside one. */
#include "facts.h"

struct half {
    uint32_t word;
    uint64_t address;
    bool in_it;
    struct insn *insn;
};

static unsigned low(const struct half *half, unsigned lsb)
{
    return field(half->word, lsb + 2, lsb);
}

/* Shift by immediate, ADD and SUB of three, and the operations with an 8-bit immediate. */
static bool shift_add_move(const struct half *half)
{
    static const enum alu immediates[4] = {ALU_MOV, ALU_CMP, ALU_ADD, ALU_SUB};
    const uint32_t word = half->word;
    const unsigned op = field(word, 12, 11);
    const bool sets = !half->in_it;

    if (bit(word, 13)) {
        fact_alu(half->insn, immediates[op], sets, low(half, 8), low(half, 8), operand_immediate());
    } else if (op == 3) {
        const struct operand last =
            bit(word, 10) ? operand_immediate() : operand_register(low(half, 6), 0, 0);
        fact_alu(half->insn, bit(word, 9) ? ALU_SUB : ALU_ADD, sets, low(half, 0), low(half, 3),
                 last);
    } else {
        const bool moves = op == 0 && field(word, 10, 6) == 0;
        const struct operand last = {REG_R(low(half, 3)), !moves, false};
        fact_alu(half->insn, ALU_MOV, sets, low(half, 0), 0, last);
    }
    return true;
}

static bool data_processing(const struct half *half)
{
    static const enum alu operations[16] = {
        ALU_AND,           ALU_EOR,           ALU_MOV /* LSL */, ALU_MOV /* LSR */,
        ALU_MOV /* ASR */, ALU_ADC,           ALU_SBC,           ALU_MOV /* ROR */,
        ALU_TST,           ALU_RSB,           ALU_CMP,           ALU_CMN,
        ALU_ORR,           ALU_MOV /* MUL */, ALU_BIC,           ALU_MVN};
    const unsigned op = field(half->word, 9, 6), rd = low(half, 0), rm = low(half, 3);
    const bool sets = !half->in_it, shifts = op == 2 || op == 3 || op == 4 || op == 7;

    if (op == 13) {
        fact_multiply(half->insn, CLASS_MULTIPLY, REG_R(rd), REG_R(rd) | REG_R(rm), 0);
        fact_writes(half->insn, sets ? REG_FLAGS : 0);
    } else if (op == 9) { /* RSB from zero */
        fact_alu(half->insn, ALU_RSB, sets, rd, rm, operand_immediate());
    } else if (shifts) {
        const struct operand last = {REG_R(rd) | REG_R(rm), true, false};
        fact_alu(half->insn, ALU_MOV, sets, rd, 0, last);
    } else {
        fact_alu(half->insn, operations[op], sets, rd, rd, operand_register(rm, 0, 0));
    }
    return true;
}

/* ADD, CMP, MOV of any register, BX, BLX */
static bool high_registers(const struct half *half)
{
    static const enum alu operations[3] = {ALU_ADD, ALU_CMP, ALU_MOV};
    const unsigned op = field(half->word, 9, 8), rm = field(half->word, 6, 3);
    const unsigned rd = bit(half->word, 7) * 8u + low(half, 0);

    if (op == 3)
        fact_branch_register(half->insn, rm, !bit(half->word, 7), bit(half->word, 7));
    else
        fact_alu(half->insn, operations[op], false, rd, rd, operand_register(rm, 0, 0));
    return true;
}

static bool transfer(const struct half *half, bool load, unsigned bytes, unsigned rt, unsigned base,
                     uint64_t index)
{
    const struct transfer facts = {.load = load,
                                   .bytes = (uint8_t)bytes,
                                   .align = (uint8_t)bytes,
                                   .base = base,
                                   .index = index,
                                   .data = REG_R(rt)};
    fact_transfer(half->insn, &facts);
    return true;
}

/* STR, STRH, STRB, LDRSB, LDR, LDRH, LDRB, LDRSH with a register as index */
static bool sysreg_insn_by_register(const struct half *half)
{
    static const uint8_t bytes[8] = {4, 2, 1, 1, 4, 2, 1, 2};
    const unsigned op = field(half->word, 11, 9);

    return transfer(half, op >= 3, bytes[op], low(half, 0), low(half, 3), REG_R(low(half, 6)));
}

static bool sysreg_insn_by_immediate(const struct half *half)
{
    const bool load = bit(half->word, 11);

    switch (field(half->word, 15, 12)) {
    case 6:
        return transfer(half, load, 4, low(half, 0), low(half, 3), 0);
    case 7:
        return transfer(half, load, 1, low(half, 0), low(half, 3), 0);
    case 8:
        return transfer(half, load, 2, low(half, 0), low(half, 3), 0);
    }
    return transfer(half, load, 4, low(half, 8), SP, 0);
}

static bool extend(const struct half *half)
{
    fact_operation(half->insn, low(half, 0), 0, REG_R(low(half, 3)));
    return true;
}

static bool reverse(const struct half *half)
{
    fact_operation(half->insn, low(half, 0), REG_R(low(half, 3)), 0);
    return field(half->word, 7, 6) != 2;
}

static bool compare_and_branch(const struct half *half)
{
    const uint32_t word = half->word;
    const uint32_t offset = field(word, 7, 3) << 1 | (uint32_t)bit(word, 9) << 6;

    fact_branch(half->insn, half->address + 4 + offset, false);
    half->insn->compares_zero = true;
    fact_reads(half->insn, REG_R(low(half, 0)));
    return true;
}

static bool push_or_pop(const struct half *half)
{
    const bool pops = bit(half->word, 11);
    const uint32_t extra = bit(half->word, 8) ? (pops ? REG_PC : REG_LR) : 0;
    const struct multiple multiple = {.load = pops,
                                      .after = pops,
                                      .writes_back = true,
                                      .base = SP,
                                      .list = field(half->word, 7, 0) | extra};
    fact_multiple(half->insn, &multiple);
    return multiple.list != 0;
}

/* SETEND, CPS */
static bool change_state(const struct half *half)
{
    const uint32_t word = half->word;

    fact_system(half->insn, bit(word, 5) ? EFFECT_SYSTEM : EFFECT_NONE);
    return !bit(word, 7) && bit(word, 6) && (bit(word, 5) ? !bit(word, 3) : (word & 0x17) == 0x10);
}

/* IT changes what follows and nothing else. */
static bool it_or_hint(const struct half *half)
{
    if (field(half->word, 3, 0) == 0)
        fact_hint(half->insn, field(half->word, 7, 4));
    else
        half->insn->klass = CLASS_ALU;
    return true;
}

static bool miscellaneous(const struct half *half)
{
    const uint32_t word = half->word;

    if (bit(word, 8) && !bit(word, 10)) /* CBZ, CBNZ */
        return compare_and_branch(half);
    switch (field(word, 11, 8)) {
    case 0:
        fact_alu(half->insn, bit(word, 7) ? ALU_SUB : ALU_ADD, false, SP, SP, operand_immediate());
        return true;
    case 2:
        return extend(half);
    case 4:
    case 5:
    case 12:
    case 13:
        return push_or_pop(half);
    case 6:
        return change_state(half);
    case 10:
        return reverse(half);
    case 14:
        fact_system(half->insn, EFFECT_BREAKPOINT);
        return true;
    case 15:
        return it_or_hint(half);
    }
    return false;
}

static bool sysreg_insn_multiple(const struct half *half)
{
    const bool load = bit(half->word, 11);
    const unsigned base = low(half, 8);
    const uint32_t list = field(half->word, 7, 0);
    const struct multiple multiple = {.load = load,
                                      .after = true,
                                      .writes_back = !load || !bit(list, base),
                                      .base = base,
                                      .list = list};
    fact_multiple(half->insn, &multiple);
    return multiple.list != 0;
}

static bool conditional_branch(const struct half *half)
{
    const unsigned condition = field(half->word, 11, 8);
    const int64_t offset = signed_field(field(half->word, 7, 0), 8) * 2;

    if (condition == 14)
        return false; /* UDF */
    if (condition == 15) {
        fact_system(half->insn, EFFECT_SYSCALL);
        return true;
    }
    half->insn->condition = (uint8_t)condition;
    fact_branch(half->insn, half->address + 4 + (uint64_t)offset, false);
    return true;
}

static bool branch(const struct half *half)
{
    const int64_t offset = signed_field(field(half->word, 10, 0), 11) * 2;

    fact_branch(half->insn, half->address + 4 + (uint64_t)offset, false);
    return true;
}

bool t16_decode(uint32_t word, uint64_t address, bool in_it, struct insn *insn)
{
    const struct half half = {word, address, in_it, insn};

    switch (field(word, 15, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return shift_add_move(&half);
    case 4:
        if (bit(word, 11))
            return transfer(&half, true, 4, low(&half, 8), PC, 0);
        return bit(word, 10) ? high_registers(&half) : data_processing(&half);
    case 5:
        return sysreg_insn_by_register(&half);
    case 6:
    case 7:
    case 8:
    case 9:
        return sysreg_insn_by_immediate(&half);
    case 10: /* ADR, ADD of SP */
        fact_alu(insn, ALU_ADD, false, low(&half, 8), bit(word, 11) ? SP : PC, operand_immediate());
        return true;
    case 11:
        return miscellaneous(&half);
    case 12:
        return sysreg_insn_multiple(&half);
    case 13:
        return conditional_branch(&half);
    }
    return branch(&half);
}
