/* Branches of A32 and T32: targets, conditions, calls and returns. */
#include "isa/a32.h"

static int32_t signed_field(uint32_t value, unsigned width)
{
    const uint32_t sign = UINT32_C(1) << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

/* offset: from the PC as instructions read it. */
static bool branch_to(const struct operands *operands, int32_t offset, struct insn *insn)
{
    insn->branch = BRANCH_IMMEDIATE;
    insn->links = (insn->writes & REG_LR) != 0;
    insn->target = (uint32_t)(operands->address + (operands->t32 ? 4 : 8) + (uint32_t)offset);
    return true;
}

bool complete_branch(const struct operands *operands, struct insn *insn)
{
    return branch_to(operands, signed_field(a32_field(operands, 'i'), 24) * 4, insn);
}

/* BLX: of two halfwords, H tells which. */
bool complete_branch_link_exchange(const struct operands *operands, struct insn *insn)
{
    insn->other_isa = true;
    return branch_to(operands,
                     signed_field(a32_field(operands, 'i'), 24) * 4 +
                         (a32_field(operands, 'H') != 0 ? 2 : 0),
                     insn);
}

bool complete_branch_short(const struct operands *operands, struct insn *insn)
{
    const bool conditional = a32_has_field(operands, 'c');

    if (conditional)
        insn->condition = (uint8_t)a32_field(operands, 'c');
    return branch_to(operands, signed_field(a32_field(operands, 'i'), conditional ? 8 : 11) * 2,
                     insn);
}

bool complete_branch_conditional(const struct operands *operands, struct insn *insn)
{
    const uint32_t word = operands->word;
    const uint32_t magnitude = field(word, 10, 0) | field(word, 21, 16) << 11 |
                               (uint32_t)bit(word, 13) << 17 | (uint32_t)bit(word, 11) << 18 |
                               (uint32_t)bit(word, 26) << 19;

    insn->condition = (uint8_t)a32_field(operands, 'c');
    return branch_to(operands, signed_field(magnitude, 20) * 2, insn);
}

/* B, BL and BLX reach 16 MB: two bits of the offset are stored against its sign. BLX counts from
 * the word that the PC is in. */
bool complete_branch_wide(const struct operands *operands, struct insn *insn)
{
    const uint32_t word = operands->word;
    const bool sign = bit(word, 26), stays = bit(word, 12);
    const uint32_t i1 = bit(word, 13) == sign, i2 = bit(word, 11) == sign;
    const uint32_t magnitude =
        field(word, 10, 0) | field(word, 25, 16) << 11 | i2 << 21 | i1 << 22 | (uint32_t)sign << 23;

    insn->other_isa = !stays;
    branch_to(operands, signed_field(magnitude, 24) * 2, insn);
    if (!stays)
        insn->target &= ~UINT64_C(3);
    return true;
}

bool complete_compare_and_branch(const struct operands *operands, struct insn *insn)
{
    insn->compares_zero = true;
    return branch_to(operands, (int32_t)a32_field(operands, 'i') * 2, insn);
}

/* BX */
bool complete_exchange(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->exchanges = true;
    insn->branch = insn->reads == REG_LR ? BRANCH_RETURN : BRANCH_INDIRECT;
    return true;
}

bool complete_call_register(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->links = true;
    insn->branch = BRANCH_INDIRECT;
    return true;
}

bool complete_table_branch(const struct operands *operands, struct insn *insn)
{
    a32_access_memory(operands, operands->form->bytes, operands->form->bytes, insn);
    insn->branch = BRANCH_TABLE;
    return true;
}

/* ---- returns from exceptions ---- */

void a32_return_from_exception(struct insn *insn)
{
    insn->branch = BRANCH_EXCEPTION_RETURN;
    insn->effect = EFFECT_SYSTEM;
    insn->writes |= REG_PC | REGS_APSR;
}

bool complete_exception_return(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    a32_return_from_exception(insn);
    return true;
}
