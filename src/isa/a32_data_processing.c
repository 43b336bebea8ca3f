/* Data processing of A32 and T32: sums, writes of the PC, special cases of multiplication and
 * division. */
#include "isa/a32.h"

bool complete_undefined(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    (void)insn;
    return false;
}

bool complete_plain(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    (void)insn;
    return true;
}

bool complete_alu(const struct operands *operands, struct insn *insn)
{
    if ((insn->writes & REG_PC) == 0)
        return true;
    if (operands->sets_flags)
        a32_return_from_exception(insn);
    else
        insn->branch = BRANCH_INDIRECT;
    return true;
}

static uint32_t rotated(uint32_t value, unsigned by)
{
    return by == 0 ? value : value >> by | value << (32 - by);
}

/* Source: Arm DDI 0406C, ThumbExpandImm(). */
static uint32_t expand_t32(uint32_t code)
{
    const uint32_t byte = code & 0xff;

    switch (code >> 8) {
    case 0:
        return byte;
    case 1:
        return byte << 16 | byte;
    case 2:
        return byte << 24 | byte << 8;
    case 3:
        return byte * 0x01010101u;
    }
    return rotated(0x80 | (code & 0x7f), code >> 7);
}

/* A number as the fields k, h and i encode it. */
static uint32_t plain_number(const struct operands *operands)
{
    return a32_field(operands, 'k') << 12 | a32_field(operands, 'h') << 11 |
           a32_field(operands, 'i');
}

/* A modified immediate of data processing. Source: Arm DDI 0406C, ARMExpandImm(). */
static uint32_t number_of(const struct operands *operands)
{
    const uint32_t code = plain_number(operands);

    return operands->t32 ? expand_t32(code) : rotated(code & 0xff, code >> 8 << 1);
}

/* Two registers, the second shifted by the fields s and j. The PC is not aligned here in T32. */
static void add_registers(const struct operands *operands, uint64_t base, struct insn *insn)
{
    const uint64_t index = REG_R(a32_field(operands, 'm'));

    insn->sum = (struct insn_sum){.known = !operands->t32 || ((base | index) & REG_PC) == 0,
                                  .base = base,
                                  .index = index,
                                  .shift_by = (uint8_t)a32_field(operands, 's'),
                                  .shift = (uint8_t)a32_field(operands, 'j')};
}

/* The only register that is read, if any, and a number. */
static void add_number(uint32_t number, struct insn *insn)
{
    insn->sum = (struct insn_sum){
        .known = true, .base = insn->reads & (REG_R(16) - 1), .number = (int32_t)number};
}

bool complete_add(const struct operands *operands, struct insn *insn)
{
    const char first = a32_has_field(operands, 'n') ? 'n' : 'd';

    if (a32_has_field(operands, 'm'))
        add_registers(operands, REG_R(a32_field(operands, first)), insn);
    else
        add_number(number_of(operands), insn);
    return complete_alu(operands, insn);
}

bool complete_subtract(const struct operands *operands, struct insn *insn)
{
    if (!a32_has_field(operands, 'm'))
        add_number(-number_of(operands), insn);
    return complete_alu(operands, insn);
}

bool complete_add_plain(const struct operands *operands, struct insn *insn)
{
    add_number(plain_number(operands), insn);
    return complete_alu(operands, insn);
}

bool complete_subtract_plain(const struct operands *operands, struct insn *insn)
{
    add_number(-plain_number(operands), insn);
    return complete_alu(operands, insn);
}

bool complete_add_words(const struct operands *operands, struct insn *insn)
{
    add_number(plain_number(operands) * 4, insn);
    return true;
}

bool complete_subtract_words(const struct operands *operands, struct insn *insn)
{
    add_number(-plain_number(operands) * 4, insn);
    return true;
}

/* MOVT */
bool complete_move_top(const struct operands *operands, struct insn *insn)
{
    add_number(plain_number(operands) << 16, insn);
    insn->sum.keeps_low_half = true;
    return true;
}

/* MOV of a shifted register: LSL and its like. */
bool complete_shift(const struct operands *operands, struct insn *insn)
{
    add_registers(operands, 0, insn);
    return complete_alu(operands, insn);
}

/* MOV PC,Rm is a branch and nothing else. */
bool complete_move(const struct operands *operands, struct insn *insn)
{
    if (a32_has_field(operands, 'm'))
        add_registers(operands, 0, insn);
    else
        add_number(number_of(operands), insn);
    complete_alu(operands, insn);
    if (insn->branch != BRANCH_INDIRECT || insn->reads == 0)
        return true;
    insn->klass = CLASS_BRANCH;
    if ((insn->reads & REG_LR) != 0)
        insn->branch = BRANCH_RETURN;
    return true;
}

bool complete_multiply_long(const struct operands *operands, struct insn *insn)
{
    const unsigned high = a32_field(operands, 'h');

    if (high != a32_field(operands, 'l'))
        insn->writes_high = REG_R(high);
    return true;
}

A32_SETS(multiply_by_half, word_by_half, true)
A32_SETS(divide_signed, divides_signed, true)

/* T32 has the source of REV, RBIT and CLZ twice. */
bool complete_same_source(const struct operands *operands, struct insn *insn)
{
    (void)insn;
    return a32_field(operands, 'n') == a32_field(operands, 'm');
}
