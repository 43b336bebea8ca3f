/* NEON data processing (Advanced SIMD of ARMv7-A), in the A32 layout.
 *
 * A quadword register is the two D registers it consists of; an odd number where a quadword is
 * asked for is undefined. */
#include "facts.h"

static unsigned number(uint32_t word, unsigned lsb, unsigned extra)
{
    return bit(word, extra) * 16u + field(word, lsb + 3, lsb);
}

#define VD(word) number(word, 12, 22)
#define VN(word) number(word, 16, 7)
#define VM(word) number(word, 0, 5)

/* A register as wide as the operation. */
static uint64_t wide(unsigned d, bool quad)
{
    return quad ? UINT64_C(3) << (32 + d) : REG_D(d);
}

static bool odd(unsigned d, bool quad)
{
    return quad && (d & 1) != 0;
}

static void operate(struct insn *insn, enum insn_class klass, uint64_t destination,
                    uint64_t sources)
{
    insn->klass = klass;
    fact_reads(insn, sources);
    fact_writes(insn, destination);
}

/* The class of an operation of three registers of one length; CLASS_ALU for none at all. */
static enum insn_class class_of_same_length(uint32_t word)
{
    const bool u = bit(word, 24), second = bit(word, 4);

    switch (field(word, 11, 8)) {
    case 9: /* VMLA, VMLS; VMUL */
        return CLASS_NEON_MULTIPLY;
    case 11: /* VQDMULH, VQRDMULH; VPADD */
        return !second ? CLASS_NEON_MULTIPLY : u ? CLASS_ALU : CLASS_NEON_ALU;
    case 12: /* VFMA, VFMS; SHA came with Armv8 */
        return second && !u ? CLASS_NEON_FLOAT : CLASS_ALU;
    case 13:
        return second && u && bit(word, 21) ? CLASS_ALU : CLASS_NEON_FLOAT;
    case 14:
        if (!second)
            return !u && bit(word, 21) ? CLASS_ALU : CLASS_NEON_FLOAT;
        return u ? CLASS_NEON_FLOAT : CLASS_ALU;
    case 15:
        return second && u ? CLASS_ALU : CLASS_NEON_FLOAT;
    }
    return CLASS_NEON_ALU;
}

/* VMLA and its like, VABA, VFMA: the destination is added to. */
static bool same_length_accumulates(uint32_t word)
{
    const bool u = bit(word, 24), second = bit(word, 4);

    switch (field(word, 11, 8)) {
    case 7:
        return second;
    case 9:
        return !second;
    case 12:
        return second;
    case 13:
        return second && !u;
    }
    return false;
}

/* VBSL, VBIT, VBIF keep bits of the destination. */
static bool inserts_bits(uint32_t word)
{
    return field(word, 11, 8) == 1 && bit(word, 4) && bit(word, 24) && field(word, 21, 20) != 0;
}

/* Element sizes and lengths that the encoding has room for and the architecture has not. */
static bool same_length_is_undefined(uint32_t word)
{
    const bool quad = bit(word, 6), u = bit(word, 24), second = bit(word, 4);
    const unsigned size = field(word, 21, 20), op = field(word, 11, 8);
    const bool pairs = op == 10 || (op == 11 && second) || (op == 13 && !second && u && size < 2) ||
                       (op == 15 && !second && u);

    if (pairs && quad)
        return true;
    if (op >= 12)
        return bit(word, 20); /* double precision */
    if (op == 11 && !second)
        return size == 0 || size == 3;
    if (op == 9 && second && u)
        return size != 0; /* polynomials have bytes only */
    if (op == 1 && second)
        return false;
    if ((op == 0 || op == 2) && second)
        return false; /* VQADD, VQSUB have doublewords */
    return (op < 4 || op > 5) && size == 3 && !(op == 8 && !second);
}

static bool same_length(uint32_t word, struct insn *insn)
{
    const bool quad = bit(word, 6);
    const unsigned d = VD(word), n = VN(word), m = VM(word);
    const enum insn_class klass = class_of_same_length(word);

    if (klass == CLASS_ALU || same_length_is_undefined(word))
        return false;
    operate(insn, klass, wide(d, quad), wide(n, quad) | wide(m, quad));
    if (same_length_accumulates(word))
        fact_reads_late(insn, wide(d, quad));
    if (inserts_bits(word))
        fact_reads(insn, wide(d, quad));
    return !odd(d, quad) && !odd(n, quad) && !odd(m, quad);
}

/* Operations whose result, or whose first operand too, is twice as wide as the others. */
static bool different_length(uint32_t word, struct insn *insn)
{
    const unsigned d = VD(word), n = VN(word), m = VM(word), op = field(word, 11, 8);
    const bool multiplies = op >= 8, narrows = op == 4 || op == 6, wide_first = op == 1 || op == 3;
    const bool accumulates = op == 5 || (op >= 8 && op <= 11);
    const bool doubles = op == 9 || op == 11 || op == 13;
    const unsigned size = field(word, 21, 20);

    if (op == 15 || (bit(word, 24) && (doubles || op == 14)))
        return false;
    if ((doubles && size == 0) || (op == 14 && size != 0))
        return false;
    operate(insn, multiplies ? CLASS_NEON_MULTIPLY : CLASS_NEON_ALU, wide(d, !narrows),
            wide(n, narrows || wide_first) | wide(m, narrows));
    if (accumulates)
        fact_reads_late(insn, wide(d, true));
    return !odd(d, !narrows) && !odd(n, narrows || wide_first) && !odd(m, narrows);
}

/* The D register that holds the element another operand is multiplied with. */
static unsigned scalar_register(uint32_t word)
{
    return field(word, 21, 20) == 1 ? field(word, 2, 0) : field(word, 3, 0);
}

static bool by_scalar(uint32_t word, struct insn *insn)
{
    const unsigned d = VD(word), n = VN(word), op = field(word, 11, 8);
    const bool u = bit(word, 24);
    const bool lengthens = op == 2 || op == 3 || op == 6 || op == 7 || op == 10 || op == 11;
    const bool quad = lengthens || u, quad_source = !lengthens && u;
    const bool floats = op == 1 || op == 5 || op == 9;
    const bool saturates_long = op == 3 || op == 7 || op == 11;
    const unsigned size = field(word, 21, 20);

    if (op > 13 || size == 0 || (floats && size == 1) || (saturates_long && u))
        return false;
    operate(insn, floats ? CLASS_NEON_FLOAT : CLASS_NEON_MULTIPLY, wide(d, quad),
            wide(n, quad_source) | REG_D(scalar_register(word)));
    if (op < 8)
        fact_reads_late(insn, wide(d, quad));
    return !odd(d, quad) && !odd(n, quad_source);
}

static bool modified_immediate(uint32_t word, struct insn *insn)
{
    const bool quad = bit(word, 6), inverts = bit(word, 5);
    const unsigned d = VD(word), mode = field(word, 11, 8);
    const bool combines = mode < 12 && (mode & 1) != 0; /* VORR, VBIC */

    operate(insn, CLASS_NEON_ALU, wide(d, quad), combines ? wide(d, quad) : 0);
    return !odd(d, quad) && !(inverts && mode == 15);
}

static bool shift_narrow(uint32_t word, struct insn *insn)
{
    operate(insn, CLASS_NEON_ALU, REG_D(VD(word)), wide(VM(word), true));
    return !bit(word, 7) && !odd(VM(word), true);
}

static bool shift_long(uint32_t word, struct insn *insn)
{
    operate(insn, CLASS_NEON_ALU, wide(VD(word), true), REG_D(VM(word)));
    return !bit(word, 7) && !bit(word, 6) && !odd(VD(word), true);
}

static bool shift(uint32_t word, struct insn *insn)
{
    const bool quad = bit(word, 6), u = bit(word, 24);
    const unsigned d = VD(word), m = VM(word), op = field(word, 11, 8);
    const bool accumulates = op == 1 || op == 3, inserts = op == 4 || (op == 5 && u);

    if (op == 8 || op == 9)
        return shift_narrow(word, insn);
    if (op == 10)
        return shift_long(word, insn);
    if (op == 11 || op == 12 || op == 13 || (op == 4 && !u) || (op == 6 && !u))
        return false;
    operate(insn, op > 13 ? CLASS_NEON_FLOAT : CLASS_NEON_ALU, wide(d, quad), wide(m, quad));
    if (accumulates)
        fact_reads_late(insn, wide(d, quad));
    if (inserts)
        fact_reads(insn, wide(d, quad));
    if (op > 13 && (bit(word, 7) || !bit(word, 21)))
        return false; /* VCVT has 32-bit elements only */
    return !odd(d, quad) && !odd(m, quad);
}

static bool extract(uint32_t word, struct insn *insn)
{
    const bool quad = bit(word, 6);
    const unsigned d = VD(word), n = VN(word), m = VM(word);

    operate(insn, CLASS_NEON_PERMUTE, wide(d, quad), wide(n, quad) | wide(m, quad));
    return !odd(d, quad) && !odd(n, quad) && !odd(m, quad) && (quad || !bit(word, 11));
}

/* VTBL, VTBX */
static bool table_lookup(uint32_t word, struct insn *insn)
{
    const unsigned first = VN(word), length = field(word, 9, 8) + 1;
    uint64_t table = 0;

    if (first + length > 32)
        return false;
    for (unsigned n = first; n < first + length; n++)
        table |= REG_D(n);
    operate(insn, CLASS_NEON_PERMUTE, REG_D(VD(word)), table | REG_D(VM(word)));
    if (bit(word, 6))
        fact_reads(insn, REG_D(VD(word)));
    return true;
}

static bool duplicate(uint32_t word, struct insn *insn)
{
    const bool quad = bit(word, 6);

    operate(insn, CLASS_NEON_PERMUTE, wide(VD(word), quad), REG_D(VM(word)));
    return !bit(word, 7) && field(word, 18, 16) != 0 && !odd(VD(word), quad);
}

/* VREV, VPADDL, VCLS, VCLZ, VCNT, VMVN, VPADAL, VQABS, VQNEG */
static enum insn_class class_of_first_group(unsigned op, unsigned size)
{
    if (op < 3)
        return op + size < 3 ? CLASS_NEON_PERMUTE : CLASS_ALU;
    if (op == 3 || op == 6 || op == 7 || size == 3)
        return CLASS_ALU; /* nothing, and the cryptography of Armv8 */
    if (op == 10 || op == 11)
        return size == 0 ? CLASS_NEON_ALU : CLASS_ALU;
    return CLASS_NEON_ALU;
}

/* Comparisons with zero, VABS, VNEG */
static enum insn_class class_of_second_group(unsigned op, unsigned size)
{
    const bool floats = (op & 8) != 0;

    if ((op & 7) == 5 || size == 3 || (floats && size != 2))
        return CLASS_ALU;
    return floats ? CLASS_NEON_FLOAT : CLASS_NEON_ALU;
}

/* VRECPE, VRSQRTE, VCVT of integers */
static enum insn_class class_of_fourth_group(unsigned op, unsigned size)
{
    if (op < 8 || size != 2)
        return CLASS_ALU;
    return (op & 4) != 0 || (op & 2) != 0 ? CLASS_NEON_FLOAT : CLASS_NEON_ALU;
}

/* VSWP, VTRN, VUZP, VZIP change both their registers. */
static bool exchange(uint32_t word, struct insn *insn)
{
    const bool quad = bit(word, 6);
    const unsigned d = VD(word), m = VM(word), op = field(word, 10, 7), size = field(word, 19, 18);
    const uint64_t both = wide(d, quad) | wide(m, quad);
    const bool words_in_one = (op == 2 || op == 3) && !quad && size == 2;

    operate(insn, CLASS_NEON_PERMUTE, both, both);
    if (size == 3 || (op == 0 && size != 0) || words_in_one)
        return false;
    return !odd(d, quad) && !odd(m, quad);
}

/* VMOVN, VQMOVN, VQMOVUN, VSHLL by the element's size, VCVT of half precision */
static bool narrow_or_long(uint32_t word, struct insn *insn)
{
    const unsigned d = VD(word), m = VM(word), op = field(word, 10, 6), size = field(word, 19, 18);
    const bool narrows = op >= 8 && op <= 11, to_half = op == 24, from_half = op == 28;

    if (op == 8) /* VMOVN only picks bytes */
        operate(insn, CLASS_NEON_PERMUTE, REG_D(d), wide(m, true));
    else if (narrows || to_half)
        operate(insn, CLASS_NEON_ALU, REG_D(d), wide(m, true));
    else
        operate(insn, CLASS_NEON_ALU, wide(d, true), REG_D(m));
    if (to_half || from_half) {
        insn->klass = CLASS_NEON_FLOAT;
        return size == 1 && !odd(to_half ? m : d, true);
    }
    return (narrows || op == 12) && size != 3 && !odd(narrows ? m : d, true);
}

static bool two_registers(uint32_t word, struct insn *insn)
{
    const bool quad = bit(word, 6);
    const unsigned group = field(word, 17, 16), op = field(word, 10, 7), size = field(word, 19, 18);
    const unsigned d = VD(word), m = VM(word);
    const bool accumulates = group == 0 && (op == 12 || op == 13); /* VPADAL */
    enum insn_class klass;

    if (group == 2)
        return op < 4 ? exchange(word, insn) : narrow_or_long(word, insn);
    if (group == 0)
        klass = class_of_first_group(op, size);
    else if (group == 1)
        klass = class_of_second_group(op, size);
    else
        klass = class_of_fourth_group(op, size);
    if (klass == CLASS_ALU)
        return false;
    operate(insn, klass, wide(d, quad), wide(m, quad));
    if (accumulates)
        fact_reads_late(insn, wide(d, quad));
    return !odd(d, quad) && !odd(m, quad);
}

static bool permutes_and_unary(uint32_t word, struct insn *insn)
{
    if (!bit(word, 24))
        return extract(word, insn);
    if (!bit(word, 11))
        return two_registers(word, insn);
    if (!bit(word, 10))
        return table_lookup(word, insn);
    return field(word, 9, 8) == 0 && duplicate(word, insn);
}

bool neon_operation(uint32_t word, struct insn *insn)
{
    if (!bit(word, 23))
        return same_length(word, insn);
    if (bit(word, 4)) {
        const bool immediate = !bit(word, 7) && field(word, 21, 19) == 0;
        return immediate ? modified_immediate(word, insn) : shift(word, insn);
    }
    if (field(word, 21, 20) == 3)
        return permutes_and_unary(word, insn);
    return bit(word, 6) ? by_scalar(word, insn) : different_length(word, insn);
}
