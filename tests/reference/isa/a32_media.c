/* A32 media instructions: parallel arithmetic, packing, saturation, bit fields, dual multiplies. */
#include "facts.h"

#define RN(word) field(word, 19, 16)
#define RD(word) field(word, 15, 12)
#define RS(word) field(word, 11, 8)
#define RM(word) field(word, 3, 0)

static bool parallel(uint32_t word, struct insn *insn)
{
    const unsigned kind = field(word, 21, 20), op = field(word, 7, 5);

    if (kind == 0 || op == 5 || op == 6)
        return false;
    fact_parallel(insn, kind, RD(word), RN(word), RM(word));
    return true;
}

/* SXTB and its like; with a first operand they add. */
static bool extend(uint32_t word, struct insn *insn)
{
    const uint64_t addend = RN(word) == 15 ? 0 : REG_R(RN(word));

    fact_operation(insn, RD(word), addend, REG_R(RM(word)));
    return true;
}

static bool saturate(uint32_t word, struct insn *insn)
{
    fact_operation(insn, RD(word), 0, REG_R(RM(word)));
    fact_writes(insn, REG_Q);
    return true;
}

static bool reverse(uint32_t word, struct insn *insn)
{
    fact_operation(insn, RD(word), REG_R(RM(word)), 0);
    return true;
}

static bool select_or_pack(uint32_t word, struct insn *insn)
{
    if (field(word, 7, 5) == 5) {
        fact_operation(insn, RD(word), REG_R(RN(word)) | REG_R(RM(word)), 0);
        fact_reads(insn, REG_GE);
        return true;
    }
    fact_operation(insn, RD(word), REG_R(RN(word)), REG_R(RM(word))); /* PKH */
    return !bit(word, 5);
}

static bool pack(uint32_t word, struct insn *insn)
{
    const unsigned op1 = field(word, 22, 20), op2 = field(word, 7, 5);

    if (op2 == 3)
        return op1 != 1 && op1 != 5 && extend(word, insn);
    if (op1 == 0)
        return select_or_pack(word, insn);
    if ((op1 & 2) != 0 && !bit(word, 5))
        return saturate(word, insn);
    if ((op1 & 3) == 2 && op2 == 1)
        return saturate(word, insn); /* SSAT16, USAT16 */
    if ((op1 & 3) == 3 && (op2 == 1 || op2 == 5))
        return reverse(word, insn);
    return false;
}

static bool divide(uint32_t word, struct insn *insn)
{
    fact_multiply(insn, CLASS_DIVIDE, REG_R(RN(word)), REG_R(RM(word)) | REG_R(RS(word)), 0);
    insn->divides_signed = !bit(word, 21);
    return true;
}

static bool dual_multiply(uint32_t word, bool may_overflow, struct insn *insn)
{
    const uint64_t addend = RD(word) == 15 ? 0 : REG_R(RD(word));

    fact_multiply(insn, CLASS_MULTIPLY_HALF, REG_R(RN(word)), REG_R(RM(word)) | REG_R(RS(word)),
                  addend);
    if (may_overflow)
        fact_writes(insn, REG_Q);
    return true;
}

static bool dual_multiply_long(uint32_t word, struct insn *insn)
{
    const uint64_t sum = REG_R(RN(word)) | REG_R(RD(word));

    fact_multiply(insn, CLASS_MULTIPLY_HALF, sum, REG_R(RM(word)) | REG_R(RS(word)), sum);
    return true;
}

static bool most_significant_multiply(uint32_t word, struct insn *insn)
{
    const bool subtracts = bit(word, 7); /* SMMLS: no form without a first operand */
    const uint64_t addend = RD(word) == 15 && !subtracts ? 0 : REG_R(RD(word));

    fact_multiply(insn, CLASS_MULTIPLY, REG_R(RN(word)), REG_R(RM(word)) | REG_R(RS(word)), addend);
    return true;
}

static bool signed_multiply(uint32_t word, struct insn *insn)
{
    const unsigned op2 = field(word, 7, 5);
    const bool subtracts = bit(word, 6);

    switch (field(word, 22, 20)) {
    case 0: /* SMLAD, SMUAD, SMLSD, SMUSD; a plain difference cannot overflow */
        return op2 < 4 && dual_multiply(word, !subtracts || RD(word) != 15, insn);
    case 1: /* SDIV */
    case 3: /* UDIV */
        return op2 == 0 && divide(word, insn);
    case 4: /* SMLALD, SMLSLD */
        return op2 < 4 && dual_multiply_long(word, insn);
    case 5: /* SMMLA, SMMUL, SMMLS */
        return (op2 < 2 || op2 > 5) && most_significant_multiply(word, insn);
    }
    return false;
}

static bool bit_field(uint32_t word, struct insn *insn)
{
    const bool inserts = field(word, 22, 21) == 2;

    if (!inserts)
        fact_operation(insn, RD(word), 0, REG_R(RM(word)));
    else /* BFI, and BFC without a source */
        fact_operation(insn, RD(word), REG_R(RD(word)), RM(word) == 15 ? 0 : REG_R(RM(word)));
    return field(word, 6, 5) == (inserts ? 0u : 2u);
}

bool a32_media(uint32_t word, struct insn *insn)
{
    switch (field(word, 24, 23)) {
    case 0:
        return parallel(word, insn);
    case 1:
        return pack(word, insn);
    case 2:
        return signed_multiply(word, insn);
    }
    if (field(word, 22, 20) == 0) /* USADA8, USAD8 */
        return field(word, 7, 5) == 0 && dual_multiply(word, false, insn);
    return bit(word, 22) || bit(word, 21) ? bit_field(word, insn) : false;
}
