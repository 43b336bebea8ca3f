/* VFPv3 and VFPv4, and the moves and transfers that NEON shares with it, in the A32 layout.
 *
 * S registers count as the D register that holds them. Arithmetic reads the rounding mode and
 * gathers flags in FPSCR; only what a program orders by it (compares, VMRS, VMSR) is in the sets.
 */
#include "facts.h"

#define RN(word) field(word, 19, 16)
#define RT(word) field(word, 15, 12)

/* The D register of a register field of four bits and its extra bit. */
static uint64_t scalar(uint32_t word, unsigned lsb, unsigned extra, bool is_double)
{
    const unsigned vector = field(word, lsb + 3, lsb);

    if (is_double)
        return REG_D(bit(word, extra) * 16 + vector);
    return REG_D(vector); /* holds S(vector * 2 + extra) */
}

static uint64_t vd(uint32_t word, bool is_double)
{
    return scalar(word, 12, 22, is_double);
}

static uint64_t vn(uint32_t word, bool is_double)
{
    return scalar(word, 16, 7, is_double);
}

static uint64_t vm(uint32_t word, bool is_double)
{
    return scalar(word, 0, 5, is_double);
}

static void operate(struct insn *insn, uint64_t destination, uint64_t sources)
{
    insn->klass = CLASS_VFP;
    fact_reads(insn, sources);
    fact_writes(insn, destination);
}

static void convert(struct insn *insn, bool doubles)
{
    insn->converts = true;
    insn->doubles = doubles;
}

static bool compare(uint32_t word, bool with_zero, struct insn *insn)
{
    const bool is_double = bit(word, 8);

    insn->doubles = is_double;
    operate(insn, REG_FPSCR, vd(word, is_double) | (with_zero ? 0 : vm(word, is_double)));
    return true;
}

/* VMOV of an immediate, and the operations of one source. */
static bool operation_of_one(uint32_t word, struct insn *insn)
{
    const bool d = bit(word, 8), high = bit(word, 7);
    const unsigned op = field(word, 19, 16);

    if (!bit(word, 6)) {
        operate(insn, vd(word, d), 0);
        return true;
    }
    switch (op) {
    case 0: /* VMOV, VABS */
    case 1: /* VNEG, VSQRT */
        operate(insn, vd(word, d), vm(word, d));
        insn->doubles = d && (op == 1 || high); /* VMOV computes nothing */
        if (op == 1 && high)
            insn->klass = CLASS_VFP_DIVIDE;
        return true;
    case 2: /* VCVTB, VCVTT: half of a single keeps its other half */
    case 3:
        insn->converts = true;
        operate(insn, vd(word, false), vm(word, false) | (op == 3 ? vd(word, false) : 0));
        return !d;
    case 4:
    case 5:
        return compare(word, op == 5, insn);
    case 7: /* VCVT between single and double */
        convert(insn, true);
        operate(insn, vd(word, !d), vm(word, d));
        return high;
    case 8: /* VCVT from integer */
        convert(insn, d);
        operate(insn, vd(word, d), vm(word, false));
        return true;
    case 10: /* VCVT between fixed point, in place */
    case 11:
    case 14:
    case 15:
        convert(insn, d);
        operate(insn, vd(word, d), vd(word, d));
        return true;
    case 12: /* VCVT to integer */
    case 13:
        convert(insn, d);
        operate(insn, vd(word, false), vm(word, d));
        return true;
    }
    return false;
}

bool vfp_operation(uint32_t word, struct insn *insn)
{
    const bool d = bit(word, 8);
    const unsigned op = field(word, 21, 20) | (unsigned)bit(word, 23) << 2;
    const bool accumulates = op == 0 || op == 1 || op == 5 || op == 6;

    if (op == 7)
        return operation_of_one(word, insn);
    operate(insn, vd(word, d), vn(word, d) | vm(word, d));
    insn->doubles = d;
    insn->adds = op == 3;
    insn->multiplies = accumulates || op == 2;
    if (accumulates)
        fact_reads_late(insn, vd(word, d));
    if (op == 4)
        insn->klass = CLASS_VFP_DIVIDE;
    return op != 4 || !bit(word, 6);
}

static void core_to_neon(struct insn *insn, uint64_t destination, uint64_t sources)
{
    insn->klass = CLASS_CORE_TO_NEON;
    fact_reads(insn, sources);
    fact_writes(insn, destination);
}

static void neon_to_core(struct insn *insn, uint64_t destination, uint64_t sources)
{
    insn->klass = CLASS_NEON_TO_CORE;
    fact_reads(insn, sources);
    fact_writes(insn, destination);
}

/* VMRS, VMSR: of the system registers only FPSCR (1) is there for User mode. FPSID, MVFR1, MVFR0,
 * FPEXC, FPINST, FPINST2 are the others; MVFRn cannot be written. */
static bool system_register_move(uint32_t word, struct insn *insn)
{
    const unsigned number = field(word, 19, 16);
    const bool status = number == 1;
    const bool exists = number < 2 || (number >= 8 && number <= 10) ||
                        ((number == 6 || number == 7) && bit(word, 20));
    const uint64_t vfp = status ? REG_FPSCR : 0;

    if (!bit(word, 20))
        core_to_neon(insn, vfp, REG_R(RT(word)));
    else
        neon_to_core(insn, RT(word) == PC ? REG_FLAGS : REG_R(RT(word)), vfp);
    if (!status)
        insn->effect = EFFECT_SYSTEM;
    return exists && (status || !bit(word, 20) || RT(word) != PC);
}

static bool duplicate(uint32_t word, struct insn *insn)
{
    const uint64_t d = scalar(word, 16, 7, true);
    const bool quad = bit(word, 21);

    if (bit(word, 6) || (bit(word, 22) && bit(word, 5)) || (quad && bit(word, 16)))
        return false;
    core_to_neon(insn, quad ? d | d << 1 : d, REG_R(RT(word)));
    return true;
}

/* VMOV between a core register and an element of a D register. */
static bool element_move(uint32_t word, struct insn *insn)
{
    const uint64_t d = scalar(word, 16, 7, true);
    const unsigned size = field(word, 22, 21) << 2 | field(word, 6, 5);
    const bool is_word = (size & 0xb) == 0, word_unsigned = is_word && bit(word, 23);

    if ((size & 0xb) == 2 || word_unsigned)
        return false;
    if (bit(word, 20))
        neon_to_core(insn, REG_R(RT(word)), d);
    else
        core_to_neon(insn, d, REG_R(RT(word)) | d);
    return true;
}

bool vfp_move(uint32_t word, struct insn *insn)
{
    const unsigned op = field(word, 23, 21);
    const uint64_t single = scalar(word, 16, 7, false);

    if (bit(word, 8)) {
        if (bit(word, 23) && !bit(word, 20))
            return duplicate(word, insn);
        return element_move(word, insn);
    }
    if (op == 7)
        return system_register_move(word, insn);
    if (bit(word, 20))
        neon_to_core(insn, REG_R(RT(word)), single);
    else
        core_to_neon(insn, single, REG_R(RT(word)));
    return op == 0;
}

/* The D registers of a list that starts at the destination field. */
static uint64_t list(uint32_t word, unsigned count)
{
    const bool is_double = bit(word, 8);
    const unsigned vector = field(word, 15, 12), extra = bit(word, 22);
    const unsigned first = is_double ? extra * 16 + vector : vector * 2 + extra;
    uint64_t set = 0;

    for (unsigned n = first; n < first + count; n++)
        set |= REG_D(is_double ? n : n / 2);
    return set;
}

/* Registers that there are, and not more than 16 doublewords. */
static bool list_fits(uint32_t word, unsigned count)
{
    const unsigned vector = field(word, 15, 12), extra = bit(word, 22);

    return bit(word, 8) ? count <= 16 && extra * 16 + vector + count <= 32
                        : vector * 2 + extra + count <= 32;
}

/* VMOV between two core registers and a D register or two S registers. */
static bool pair_move(uint32_t word, struct insn *insn)
{
    const uint64_t pair = REG_R(RT(word)) | REG_R(RN(word));
    const unsigned vector = field(word, 3, 0), extra = bit(word, 5);
    const uint64_t singles = REG_D(vector) | (extra != 0 && vector < 15 ? REG_D(vector + 1) : 0);
    const uint64_t vfp = bit(word, 8) ? vm(word, true) : singles;

    if (field(word, 7, 6) != 0 || !bit(word, 4))
        return false;
    if (!bit(word, 8) && vector == 15 && extra != 0)
        return false; /* there is no S32 */
    if (bit(word, 20))
        neon_to_core(insn, pair, vfp);
    else
        core_to_neon(insn, vfp, pair);
    return true;
}

static void transfer(uint32_t word, unsigned count, bool writes_back, struct insn *insn)
{
    const unsigned register_bytes = bit(word, 8) ? 8 : 4;
    const struct transfer facts = {.load = bit(word, 20),
                                   .writes_back = writes_back,
                                   .bytes = (uint8_t)(register_bytes * count),
                                   .align = 4,
                                   .base = RN(word),
                                   .data = list(word, count)};

    fact_transfer(insn, &facts);
    insn->klass = facts.load ? CLASS_NEON_LOAD : CLASS_NEON_STORE;
    insn->memory.neon = true;
    insn->memory.multiple = count > 1;
}

bool vfp_transfer(uint32_t word, struct insn *insn)
{
    const bool before = bit(word, 24), up = bit(word, 23), writes_back = bit(word, 21);
    const unsigned count = field(word, 7, 0) >> (bit(word, 8) ? 1 : 0); /* FLDMX adds an odd word */

    if (!before && !up && !writes_back)
        return bit(word, 22) && pair_move(word, insn);
    if (before && !writes_back) { /* VLDR, VSTR */
        transfer(word, 1, false, insn);
        return true;
    }
    if (before == up || count == 0 || !list_fits(word, count))
        return false;
    transfer(word, count, writes_back, insn);
    return true;
}
