/* The 32-bit instructions of T32 (ARM DDI 0406, "32-bit Thumb instruction encoding"), as a word
 * with the first halfword on top. NEON and the coprocessors are A32's with a few bits moved. */
#include "facts.h"

#define RN(word) field(word, 19, 16)
#define RT(word) field(word, 15, 12)
#define RD(word) field(word, 11, 8)
#define RM(word) field(word, 3, 0)

/* No SP; no PC stored, and not both LR and PC loaded. */
static bool list_is_allowed(bool load, uint32_t list)
{
    return list != 0 && !bit(list, SP) && !(bit(list, PC) && (!load || bit(list, LR)));
}

static bool load_store_multiple(uint32_t word, struct insn *insn)
{
    const bool load = bit(word, 20), writes_back = bit(word, 21);
    const unsigned op = field(word, 24, 23);
    const struct multiple multiple = {.load = load,
                                      .after = op == 1,
                                      .writes_back = writes_back,
                                      .base = RN(word),
                                      .list = field(word, 15, 0)};

    if (op == 1 || op == 2) {
        fact_multiple(insn, &multiple);
        return list_is_allowed(load, multiple.list);
    }
    if (load)
        fact_load_return_state(insn, RN(word), writes_back);
    else
        fact_store_return_state(insn, writes_back);
    return true;
}

static void table_branch(uint32_t word, struct insn *insn)
{
    const uint8_t bytes = bit(word, 4) ? 2 : 1;
    const struct transfer transfer = {.load = true,
                                      .bytes = bytes,
                                      .align = bytes,
                                      .base = RN(word),
                                      .index = REG_R(RM(word)),
                                      .data = REG_PC};

    fact_transfer(insn, &transfer);
    insn->branch = BRANCH_TABLE;
}

/* LDREXB, LDREXH, LDREXD, their stores, TBB and TBH */
static bool narrow_exclusive(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 7, 4), bytes = 1u << (op & 3);
    const uint64_t data = REG_R(RT(word)) | (op == 7 ? REG_R(RD(word)) : 0);

    if (bit(word, 20) && op < 2) {
        table_branch(word, insn);
        return true;
    }
    if (bit(word, 20))
        fact_load_exclusive(insn, bytes, RN(word), data);
    else
        fact_store_exclusive(insn, bytes, RN(word), data, RM(word));
    return op == 4 || op == 5 || op == 7;
}

static bool dual_or_exclusive(uint32_t word, struct insn *insn)
{
    const bool before = bit(word, 24), writes_back = bit(word, 21), load = bit(word, 20);
    const struct transfer transfer = {.load = load,
                                      .post = !before,
                                      .writes_back = writes_back,
                                      .bytes = 8,
                                      .align = 4,
                                      .base = RN(word),
                                      .data = REG_R(RT(word)) | REG_R(RD(word)),
                                      .pair = true};

    if (before || writes_back)
        fact_transfer(insn, &transfer);
    else if (bit(word, 23))
        return narrow_exclusive(word, insn);
    else if (load)
        fact_load_exclusive(insn, 4, RN(word), REG_R(RT(word)));
    else
        fact_store_exclusive(insn, 4, RN(word), REG_R(RT(word)), RD(word));
    return true;
}

/* The operation of a data-processing encoding; false where there is none. */
static bool operation(uint32_t word, enum alu *op)
{
    static const struct {
        enum alu op;
        bool exists;
    } operations[16] = {[0] = {ALU_AND, true},  [1] = {ALU_BIC, true},  [2] = {ALU_ORR, true},
                        [3] = {ALU_ORN, true},  [4] = {ALU_EOR, true},  [8] = {ALU_ADD, true},
                        [10] = {ALU_ADC, true}, [11] = {ALU_SBC, true}, [13] = {ALU_SUB, true},
                        [14] = {ALU_RSB, true}};
    const unsigned code = field(word, 24, 21);
    const bool tests = RD(word) == 15 && bit(word, 20);

    *op = operations[code].op;
    if (RN(word) == 15 && (code == 2 || code == 3))
        *op = code == 2 ? ALU_MOV : ALU_MVN;
    else if (tests && code == 0)
        *op = ALU_TST;
    else if (tests && code == 4)
        *op = ALU_TEQ;
    else if (tests && code == 8)
        *op = ALU_CMN;
    else if (tests && code == 13)
        *op = ALU_CMP;
    return operations[code].exists;
}

static bool data_processing(uint32_t word, struct operand last, struct insn *insn)
{
    enum alu op;

    if (!operation(word, &op))
        return false;
    fact_alu(insn, op, bit(word, 20), RD(word), RN(word), last);
    return true;
}

static bool data_processing_register(uint32_t word, struct insn *insn)
{
    const unsigned amount = field(word, 14, 12) << 2 | field(word, 7, 6);

    if (field(word, 24, 21) == 6) { /* PKH */
        fact_operation(insn, RD(word), REG_R(RN(word)), REG_R(RM(word)));
        return !bit(word, 20) && !bit(word, 4);
    }
    return data_processing(word, operand_register(RM(word), field(word, 5, 4), amount), insn);
}

static bool saturate(uint32_t word, struct insn *insn)
{
    fact_operation(insn, RD(word), 0, REG_R(RN(word)));
    fact_writes(insn, REG_Q);
    return true;
}

/* The instructions with a plain immediate: wide ADD and SUB, MOVW, MOVT, saturation, bit fields. */
static bool plain_immediate(uint32_t word, struct insn *insn)
{
    const uint64_t rn = REG_R(RN(word)), rd = REG_R(RD(word));

    switch (field(word, 24, 20)) {
    case 0:
        fact_alu(insn, ALU_ADD, false, RD(word), RN(word), operand_immediate());
        return true;
    case 10:
        fact_alu(insn, ALU_SUB, false, RD(word), RN(word), operand_immediate());
        return true;
    case 4:
        fact_alu(insn, ALU_MOV, false, RD(word), 0, operand_immediate());
        return true;
    case 12: /* MOVT */
        fact_operation(insn, RD(word), rd, 0);
        return true;
    case 16:
    case 18:
    case 24:
    case 26:
        return saturate(word, insn);
    case 20: /* SBFX, UBFX */
    case 28:
        fact_operation(insn, RD(word), 0, rn);
        return true;
    case 22: /* BFI, and BFC without a source */
        fact_operation(insn, RD(word), rd, RN(word) == 15 ? 0 : rn);
        return true;
    }
    return false;
}

static bool change_state_or_hint(uint32_t word, struct insn *insn)
{
    if (field(word, 10, 8) == 0) {
        fact_hint(insn, field(word, 7, 0));
        return true;
    }
    fact_system(insn, EFFECT_SYSTEM); /* CPS */
    return field(word, 10, 9) != 1;
}

/* CLREX, DSB, DMB, ISB; not ENTERX and LEAVEX of ThumbEE, which QEMU does not have */
static bool control(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 7, 4);

    if (op != 2)
        return fact_barrier(insn, op);
    fact_clear_exclusive(insn);
    return true;
}

static bool system_instruction(uint32_t word, struct insn *insn)
{
    const bool saved = bit(word, 20), banked = bit(word, 5); /* of virtualization */

    switch (field(word, 25, 20)) {
    case 0x38:
    case 0x39:
        fact_write_status(insn, REG_R(RN(word)), field(word, 11, 8), saved);
        return !banked && field(word, 11, 8) != 0;
    case 0x3a:
        return change_state_or_hint(word, insn);
    case 0x3b:
        return control(word, insn);
    case 0x3c: /* BXJ */
        fact_branch_register(insn, RN(word), false, false);
        return true;
    case 0x3d: /* SUBS PC, LR */
        fact_alu(insn, ALU_SUB, true, PC, LR, operand_immediate());
        return true;
    case 0x3e:
    case 0x3f:
        fact_read_status(insn, RD(word), saved);
        return !banked;
    }
    return false;
}

/* HVC, SMC; UDF is between them. */
static bool call_of_monitor(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 26, 20);

    fact_system(insn, EFFECT_SYSTEM);
    return (op == 0x7e || op == 0x7f) && !bit(word, 13);
}

static bool conditional_branch(uint32_t word, uint64_t address, struct insn *insn)
{
    const uint32_t magnitude = field(word, 10, 0) | field(word, 21, 16) << 11 |
                               (uint32_t)bit(word, 13) << 17 | (uint32_t)bit(word, 11) << 18 |
                               (uint32_t)bit(word, 26) << 19;

    insn->condition = (uint8_t)field(word, 25, 22);
    fact_branch(insn, address + 4 + (uint64_t)(signed_field(magnitude, 20) * 2), false);
    return true;
}

/* B, BL and BLX reach 16 MB: two bits of the offset are stored against its sign. */
static bool branch(uint32_t word, uint64_t address, struct insn *insn)
{
    const bool links = bit(word, 14), stays = bit(word, 12), sign = bit(word, 26);
    const uint32_t i1 = bit(word, 13) == sign, i2 = bit(word, 11) == sign;
    const uint32_t magnitude =
        field(word, 10, 0) | field(word, 25, 16) << 11 | i2 << 21 | i1 << 22 | (uint32_t)sign << 23;
    const uint64_t from = stays ? address + 4 : (address + 4) & ~UINT64_C(3);

    fact_branch(insn, from + (uint64_t)(signed_field(magnitude, 24) * 2), links);
    return stays || !bit(word, 0);
}

static bool branch_or_control(uint32_t word, uint64_t address, struct insn *insn)
{
    if (bit(word, 14) || bit(word, 12))
        return branch(word, address, insn);
    if (field(word, 25, 23) != 7)
        return conditional_branch(word, address, insn);
    return bit(word, 26) ? call_of_monitor(word, insn) : system_instruction(word, insn);
}

static bool immediate_and_branch(uint32_t word, uint64_t address, struct insn *insn)
{
    if (bit(word, 15))
        return branch_or_control(word, address, insn);
    if (bit(word, 25))
        return plain_immediate(word, insn);
    return data_processing(word, operand_immediate(), insn);
}

/* Loads of a byte or halfword into the PC are preloads and reserved hints. */
static bool is_preload(uint32_t word)
{
    const bool negative_or_plain = !bit(word, 11) || field(word, 11, 8) == 12;

    return bit(word, 20) && field(word, 22, 21) < 2 && RT(word) == PC &&
           (RN(word) == PC || bit(word, 23) || negative_or_plain);
}

static bool load_store(uint32_t word, struct insn *insn)
{
    const bool load = bit(word, 20), literal = RN(word) == PC;
    const bool short_form = !literal && !bit(word, 23);
    const bool indexed = short_form && bit(word, 11) && bit(word, 8);
    const uint64_t index = short_form && !bit(word, 11) ? REG_R(RM(word)) : 0;
    const uint8_t bytes = (uint8_t)(1u << field(word, 22, 21));
    const struct transfer transfer = {.load = load,
                                      .post = indexed && !bit(word, 10),
                                      .writes_back = indexed,
                                      .bytes = bytes,
                                      .align = bytes,
                                      .base = RN(word),
                                      .index = index,
                                      .data = REG_R(RT(word))};

    if (field(word, 22, 21) == 3 || (!load && (literal || bit(word, 24))))
        return false;
    if (bit(word, 24) && field(word, 22, 21) == 2)
        return false; /* words have no sign to extend */
    if (short_form && !bit(word, 11) && field(word, 10, 6) != 0)
        return false;
    if (short_form && bit(word, 11) && !bit(word, 10) && !bit(word, 8))
        return false;
    if (is_preload(word))
        fact_preload(insn, REG_R(RN(word)) | index);
    else
        fact_transfer(insn, &transfer);
    return true;
}

static bool extend_or_shift(uint32_t word, struct insn *insn)
{
    const uint64_t rn = REG_R(RN(word)), rm = REG_R(RM(word));

    if (bit(word, 7)) { /* SXTB and its like; with a first operand they add */
        fact_operation(insn, RD(word), RN(word) == 15 ? 0 : rn, rm);
        return field(word, 22, 20) < 6;
    }
    fact_alu(insn, ALU_MOV, bit(word, 20), RD(word), 0, (struct operand){rn | rm, true, false});
    return field(word, 6, 4) == 0;
}

static bool parallel(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 22, 20), kind = field(word, 5, 4);

    fact_parallel(insn, kind + 1, RD(word), RN(word), RM(word));
    return kind != 3 && op != 3 && op != 7;
}

/* QADD and its like, REV and its like, SEL, CLZ */
static bool miscellaneous(uint32_t word, struct insn *insn)
{
    const uint64_t rn = REG_R(RN(word)), rm = REG_R(RM(word));
    const unsigned op = field(word, 5, 4);

    switch (field(word, 22, 20)) {
    case 0:
        fact_operation(insn, RD(word), rn | rm, 0);
        fact_writes(insn, REG_Q);
        if (op & 1) /* QDADD, QDSUB */
            insn->reads_twice = rn;
        return true;
    case 1:
        fact_operation(insn, RD(word), rm, 0);
        return rn == rm; /* the source is encoded twice */
    case 2:
        fact_operation(insn, RD(word), rn | rm, 0);
        fact_reads(insn, REG_GE);
        return op == 0;
    case 3:
        fact_operation(insn, RD(word), rm, 0);
        return op == 0 && rn == rm;
    }
    return false;
}

static bool data_processing_of_registers(uint32_t word, struct insn *insn)
{
    if (field(word, 15, 12) != 15)
        return false;
    if (!bit(word, 23))
        return extend_or_shift(word, insn);
    if (!bit(word, 7))
        return parallel(word, insn);
    return !bit(word, 6) && miscellaneous(word, insn);
}

static bool multiply(uint32_t word, struct insn *insn)
{
    const unsigned op1 = field(word, 22, 20), op2 = field(word, 5, 4), op = field(word, 7, 4);
    const bool subtracts = (op1 == 0 && op2 == 1) || op1 == 6; /* MLS, SMMLS: no form without */
    const bool accumulates = subtracts || field(word, 15, 12) != 15;
    const bool whole = op1 == 0 || op1 == 5 || op1 == 6;
    const bool overflows = accumulates ? op1 >= 1 && op1 <= 4 : op1 == 2;
    const uint64_t addend = accumulates ? REG_R(RT(word)) : 0;

    if (op > 3 || (op1 != 1 && op2 > 1) || (op1 == 7 && op2 != 0))
        return false;
    fact_multiply(insn, whole ? CLASS_MULTIPLY : CLASS_MULTIPLY_HALF, REG_R(RD(word)),
                  REG_R(RN(word)) | REG_R(RM(word)), addend);
    if (overflows)
        fact_writes(insn, REG_Q);
    return true;
}

static bool multiply_long(uint32_t word, struct insn *insn)
{
    const unsigned op1 = field(word, 22, 20), op2 = field(word, 7, 4);
    const uint64_t factors = REG_R(RN(word)) | REG_R(RM(word));
    const uint64_t result = REG_R(RT(word)) | REG_R(RD(word));
    const bool halves = op2 >= 8 && op2 != 15;

    if (op1 == 1 || op1 == 3) { /* SDIV, UDIV */
        fact_multiply(insn, CLASS_DIVIDE, REG_R(RD(word)), factors, 0);
        insn->divides_signed = op1 == 1;
        return op2 == 15;
    }
    fact_multiply(insn, halves ? CLASS_MULTIPLY_HALF : CLASS_MULTIPLY_LONG, result, factors,
                  op1 >= 4 ? result : 0);
    if (op1 == 4) /* SMLAL, SMLALxy, SMLALD */
        return op2 == 0 || (op2 >= 8 && op2 < 14);
    if (op1 == 5) /* SMLSLD */
        return op2 == 12 || op2 == 13;
    return (op1 != 7 && op2 == 0) || (op1 == 6 && op2 == 6); /* SMULL, UMULL, UMLAL, UMAAL */
}

/* NEON data processing has its U bit elsewhere than in A32, and the transfers another prefix. */
static bool coprocessor(uint32_t word, struct insn *insn)
{
    if (field(word, 25, 24) == 3)
        return neon_operation(0xf2000000 | (uint32_t)bit(word, 28) << 24 | field(word, 23, 0),
                              insn);
    return coprocessor_decode(word, insn);
}

static bool multiple_dual_or_register(uint32_t word, struct insn *insn)
{
    if (bit(word, 25))
        return data_processing_register(word, insn);
    return bit(word, 22) ? dual_or_exclusive(word, insn) : load_store_multiple(word, insn);
}

static bool single_or_multiply(uint32_t word, struct insn *insn)
{
    if (bit(word, 25)) {
        if (!bit(word, 24))
            return data_processing_of_registers(word, insn);
        return bit(word, 23) ? multiply_long(word, insn) : multiply(word, insn);
    }
    if (bit(word, 24) && !bit(word, 20))
        return neon_transfer(0xf4000000 | field(word, 23, 0), insn);
    return load_store(word, insn);
}

bool t32_decode(uint32_t word, uint64_t address, struct insn *insn)
{
    if (field(word, 28, 27) == 2)
        return immediate_and_branch(word, address, insn);
    if (bit(word, 26))
        return coprocessor(word, insn);
    return bit(word, 28) ? single_or_multiply(word, insn) : multiple_dual_or_register(word, insn);
}
