/* The A32 instruction set, from the encodings of the Arm Architecture Reference Manual ARMv7-A
 * (ARM DDI 0406). Should-be-zero and should-be-one bits are not checked where no other instruction
 * lives behind them; UNPREDICTABLE forms are the instruction they look like. */
#include "facts.h"

#define RN(word) field(word, 19, 16)
#define RD(word) field(word, 15, 12)
#define RS(word) field(word, 11, 8)
#define RM(word) field(word, 3, 0)

static struct operand shifted_register(uint32_t word)
{
    const struct operand by_register = {REG_R(RM(word)) | REG_R(RS(word)), true, false};

    return bit(word, 4) ? by_register
                        : operand_register(RM(word), field(word, 6, 5), field(word, 11, 7));
}

static bool data_processing(uint32_t word, struct insn *insn)
{
    const struct operand last = bit(word, 25) ? operand_immediate() : shifted_register(word);

    fact_alu(insn, (enum alu)field(word, 24, 21), bit(word, 20), RD(word), RN(word), last);
    return true;
}

static bool saturating_add(uint32_t word, struct insn *insn)
{
    fact_operation(insn, RD(word), REG_R(RN(word)) | REG_R(RM(word)), 0);
    fact_writes(insn, REG_Q);
    if (bit(word, 22)) /* QDADD, QDSUB */
        insn->reads_twice = REG_R(RN(word));
    return true;
}

static bool status_register(uint32_t word, struct insn *insn)
{
    const bool saved = bit(word, 22), banked = bit(word, 9), writes = bit(word, 21);

    if (writes)
        fact_write_status(insn, REG_R(RM(word)), field(word, 19, 16), saved);
    else
        fact_read_status(insn, RD(word), saved);
    return !banked && !(writes && field(word, 19, 16) == 0); /* banks came with virtualization */
}

static bool breakpoint_or_call(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 22, 21);
    static const enum insn_effect effects[4] = {EFFECT_UNDEFINED, EFFECT_BREAKPOINT,
                                                EFFECT_SYSTEM /* HVC */, EFFECT_SYSTEM /* SMC */};

    fact_system(insn, effects[op]);
    return insn->effect != EFFECT_UNDEFINED;
}

/* What stands where the comparing operations would not set flags. */
static bool miscellaneous(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 22, 21);

    switch (field(word, 6, 4)) {
    case 0:
        return status_register(word, insn);
    case 1:
        if (op == 1)
            fact_branch_register(insn, RM(word), true, false);
        else
            fact_operation(insn, RD(word), REG_R(RM(word)), 0); /* CLZ */
        return op == 1 || op == 3;
    case 2: /* BXJ */
        fact_branch_register(insn, RM(word), false, false);
        return op == 1;
    case 3: /* BLX */
        fact_branch_register(insn, RM(word), false, true);
        return op == 1;
    case 5:
        return saturating_add(word, insn);
    case 6: /* ERET */
        fact_system(insn, EFFECT_SYSTEM);
        fact_return_from_exception(insn);
        return op == 3;
    case 7:
        return breakpoint_or_call(word, insn);
    }
    return false;
}

static bool halfword_multiply(uint32_t word, struct insn *insn)
{
    const uint64_t factors = REG_R(RM(word)) | REG_R(RS(word));
    const uint64_t high = REG_R(RN(word)), low = REG_R(RD(word));
    const unsigned op = field(word, 22, 21);
    const bool adds_word = op == 0 || (op == 1 && !bit(word, 5)); /* SMLAxy, SMLAWy */

    if (op == 2) { /* SMLALxy */
        fact_multiply(insn, CLASS_MULTIPLY_HALF, high | low, factors, high | low);
        return true;
    }
    fact_multiply(insn, CLASS_MULTIPLY_HALF, high, factors, adds_word ? low : 0);
    if (adds_word)
        fact_writes(insn, REG_Q);
    return true;
}

static bool multiply(uint32_t word, struct insn *insn)
{
    const uint64_t factors = REG_R(RM(word)) | REG_R(RS(word));
    const uint64_t high = REG_R(RN(word)), low = REG_R(RD(word));
    const unsigned op = field(word, 23, 20);

    if (op == 5 || op == 7)
        return false;
    if (op >= 8 || op == 4) { /* UMULL, UMLAL, SMULL, SMLAL, UMAAL */
        const bool accumulates = op == 4 || bit(word, 21);
        fact_multiply(insn, CLASS_MULTIPLY_LONG, high | low, factors, accumulates ? high | low : 0);
    } else { /* MUL, MLA, MLS */
        fact_multiply(insn, CLASS_MULTIPLY, high, factors, bit(word, 21) ? low : 0);
    }
    if (bit(word, 20))
        fact_writes(insn, REG_FLAGS);
    return true;
}

static void swap(uint32_t word, struct insn *insn)
{
    const uint8_t bytes = bit(word, 22) ? 1 : 4;

    insn->klass = CLASS_SWAP;
    insn->memory =
        (struct insn_memory){.load = true, .store = true, .bytes = bytes, .align = bytes};
    insn->operations = 2;
    fact_reads_early(insn, REG_R(RN(word)));
    fact_reads_late(insn, REG_R(RM(word)));
    fact_writes(insn, REG_R(RD(word)));
}

static bool synchronisation(uint32_t word, struct insn *insn)
{
    static const uint8_t bytes[4] = {4, 8, 1, 2};
    const unsigned size = field(word, 22, 21);
    const unsigned first = bit(word, 20) ? RD(word) : RM(word);
    const uint64_t pair = size == 1 ? REG_R((first + 1) & 15) : 0;

    if (!bit(word, 23)) {
        swap(word, insn);
        return field(word, 21, 20) == 0;
    }
    if (field(word, 11, 8) != 15)
        return false; /* load-acquire and store-release came with Armv8 */
    if (bit(word, 20))
        fact_load_exclusive(insn, bytes[size], RN(word), REG_R(first) | pair);
    else
        fact_store_exclusive(insn, bytes[size], RN(word), REG_R(first) | pair, RD(word));
    return size != 1 || ((first & 1) == 0 && first != LR);
}

/* Base, index and write-back are in the same bits for all loads and stores but their unprivileged
 * forms (P=0, W=1), which write back as every post-indexed form does. */
static struct transfer sysreg_insn_at(uint32_t word, bool load, uint64_t index)
{
    const bool before = bit(word, 24);

    return (struct transfer){.load = load,
                             .post = !before,
                             .writes_back = !before || bit(word, 21),
                             .base = RN(word),
                             .index = index,
                             .data = REG_R(RD(word))};
}

/* LDRH, LDRSB, LDRSH, STRH, LDRD, STRD */
static bool extra_load_store(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 6, 5);
    const bool dual = op != 1 && !bit(word, 20);
    const bool load = bit(word, 20) || op == 2;
    struct transfer transfer = sysreg_insn_at(word, load, bit(word, 22) ? 0 : REG_R(RM(word)));

    transfer.bytes = dual ? 8 : op == 2 ? 1 : 2;
    transfer.align = dual ? 4 : transfer.bytes;
    if (dual)
        transfer.data |= REG_R((RD(word) + 1) & 15);
    transfer.pair = dual;
    fact_transfer(insn, &transfer);
    return !dual || ((RD(word) & 1) == 0 && (bit(word, 24) || !bit(word, 21)));
}

static bool load_store(uint32_t word, struct insn *insn)
{
    struct transfer transfer =
        sysreg_insn_at(word, bit(word, 20), bit(word, 25) ? REG_R(RM(word)) : 0);

    transfer.bytes = transfer.align = bit(word, 22) ? 1 : 4;
    fact_transfer(insn, &transfer);
    if (bit(word, 25) && field(word, 11, 5) == 3)
        fact_reads(insn, REG_FLAGS); /* the index goes through RRX */
    return true;
}

static bool load_store_multiple(uint32_t word, struct insn *insn)
{
    const bool load = bit(word, 20), user = bit(word, 22);
    const struct multiple multiple = {.load = load,
                                      .after = field(word, 24, 23) == 1,
                                      .writes_back = bit(word, 21),
                                      .user = user,
                                      .base = RN(word),
                                      .list = field(word, 15, 0)};
    fact_multiple(insn, &multiple);
    return multiple.list != 0;
}

/* The immediate forms behind MOVW's neighbours: MOVT, MSR, NOP and the hints. */
static bool wide_move_or_hint(uint32_t word, struct insn *insn)
{
    const bool saved = bit(word, 22);
    const unsigned mask = field(word, 19, 16);

    if (!bit(word, 21)) { /* MOVW, MOVT */
        if (bit(word, 22))
            fact_operation(insn, RD(word), REG_R(RD(word)), 0);
        else
            fact_alu(insn, ALU_MOV, false, RD(word), 0, operand_immediate());
    } else if (!saved && mask == 0) {
        fact_hint(insn, field(word, 7, 0));
    } else {
        fact_write_status(insn, 0, mask, saved);
        return mask != 0;
    }
    return true;
}

static bool data_processing_and_miscellaneous(uint32_t word, struct insn *insn)
{
    const bool compares_without_flags = field(word, 24, 23) == 2 && !bit(word, 20);

    if (bit(word, 25))
        return compares_without_flags ? wide_move_or_hint(word, insn) : data_processing(word, insn);
    if (bit(word, 7) && bit(word, 4)) {
        if (field(word, 6, 5) != 0)
            return extra_load_store(word, insn);
        return bit(word, 24) ? synchronisation(word, insn) : multiply(word, insn);
    }
    if (compares_without_flags)
        return bit(word, 7) ? halfword_multiply(word, insn) : miscellaneous(word, insn);
    return data_processing(word, insn);
}

static bool branch(uint32_t word, uint64_t address, bool to_thumb, struct insn *insn)
{
    const int64_t offset = signed_field(field(word, 23, 0), 24) * 4;
    const bool half = to_thumb && bit(word, 24); /* BLX reaches halfwords */

    fact_branch(insn, address + 8 + (uint64_t)offset + (half ? 2 : 0), to_thumb || bit(word, 24));
    return true;
}

static bool unconditional_preload(uint32_t word, struct insn *insn)
{
    const uint64_t index = bit(word, 25) ? REG_R(RM(word)) : 0;

    if (bit(word, 25) && bit(word, 4))
        return false;
    fact_preload(insn, REG_R(RN(word)) | index);
    if (bit(word, 25) && field(word, 11, 5) == 3)
        fact_reads(insn, REG_FLAGS); /* the index goes through RRX */
    return true;
}

/* CPS, SETEND */
static bool change_state(uint32_t word, struct insn *insn)
{
    fact_system(insn, bit(word, 16) ? EFFECT_NONE : EFFECT_SYSTEM);
    if (field(word, 24, 20) != 0x10)
        return false;
    return bit(word, 16) || bit(word, 19) || (!bit(word, 18) && bit(word, 17));
}

static bool control(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 7, 4);

    if (op != 1)
        return fact_barrier(insn, op);
    fact_clear_exclusive(insn);
    return true;
}

static bool unconditional_load_store(uint32_t word, struct insn *insn)
{
    if (!bit(word, 25) && bit(word, 24) && field(word, 23, 20) == 7)
        return control(word, insn);
    if (field(word, 21, 20) == 1) /* PLI, PLD, PLDW; and, without PLI's bit 22, a reserved hint */
        return unconditional_preload(word, insn);
    return !bit(word, 25) && !bit(word, 24) && !bit(word, 20) && neon_transfer(word, insn);
}

static bool return_state(uint32_t word, struct insn *insn)
{
    const bool load = bit(word, 20);

    if (load == bit(word, 22))
        return false;
    if (load)
        fact_load_return_state(insn, RN(word), bit(word, 21));
    else
        fact_store_return_state(insn, bit(word, 21));
    return true;
}

static bool unconditional(uint32_t word, uint64_t address, struct insn *insn)
{
    switch (field(word, 27, 25)) {
    case 0:
        return change_state(word, insn);
    case 1:
        return neon_operation(word, insn);
    case 2:
    case 3:
        return unconditional_load_store(word, insn);
    case 4:
        return return_state(word, insn);
    case 5:
        return branch(word, address, true, insn);
    }
    return !(bit(word, 25) && bit(word, 24)) && coprocessor_decode(word, insn);
}

bool reference_a32(uint32_t word, uint64_t address, struct insn *insn)
{
    const unsigned condition = field(word, 31, 28);

    if (condition == 15)
        return unconditional(word, address, insn);
    insn->condition = (uint8_t)condition;
    switch (field(word, 27, 25)) {
    case 0:
    case 1:
        return data_processing_and_miscellaneous(word, insn);
    case 3:
        if (bit(word, 4))
            return a32_media(word, insn);
        return load_store(word, insn);
    case 2:
        return load_store(word, insn);
    case 4:
        return load_store_multiple(word, insn);
    case 5:
        return branch(word, address, false, insn);
    }
    if (field(word, 27, 24) != 15)
        return coprocessor_decode(word, insn);
    fact_system(insn, EFFECT_SYSCALL);
    return true;
}
