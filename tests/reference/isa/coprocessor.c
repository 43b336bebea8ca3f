/* Coprocessor instructions of both instruction sets, in the A32 layout. Coprocessors 10 and 11 are
 * VFP and NEON. */
#include "facts.h"

#define RN(word)  field(word, 19, 16)
#define RT(word)  field(word, 15, 12)
#define RT2(word) field(word, 19, 16)

/* A system register of CP15 by opc1, CRn, CRm, opc2. */
#define CP15(opc1, crn, crm, opc2) ((opc1) << 11 | (crn) << 7 | (crm) << 3 | (opc2))

static unsigned system_register(uint32_t word)
{
    return CP15(field(word, 23, 21), field(word, 19, 16), field(word, 3, 0), field(word, 7, 5));
}

static void move_to_cp15(uint32_t word, struct insn *insn)
{
    switch (system_register(word)) {
    case CP15(0, 13, 0, 1):
        insn->effect = EFFECT_CONTEXTIDR_WRITE;
        break;
    case CP15(0, 9, 12, 4):
        insn->effect = EFFECT_SW_INCREMENT;
        break;
    case CP15(0, 7, 5, 4):  /* ISB */
    case CP15(0, 7, 10, 4): /* DSB */
    case CP15(0, 7, 10, 5): /* DMB, as ARMv6 wrote them: allowed in User mode */
        insn->klass = CLASS_BARRIER;
        insn->effect = EFFECT_NONE;
        insn->orders_stores = field(word, 3, 0) == 10;
        return;
    }
    if (field(word, 19, 16) == 7 && (1u << field(word, 3, 0) & 0x4ce2) != 0)
        insn->orders_stores = true; /* c1, c5, c6, c7, c10, c11, c14: the caches' */
}

static bool register_move(uint32_t word, struct insn *insn)
{
    const bool to_core = bit(word, 20), cp15 = field(word, 11, 8) == 15;

    fact_system(insn, EFFECT_SYSTEM);
    if (to_core) {
        fact_writes(insn, RT(word) == PC ? REG_FLAGS : REG_R(RT(word)));
        return true;
    }
    fact_reads(insn, REG_R(RT(word)));
    if (cp15 && field(word, 31, 28) != 15)
        move_to_cp15(word, insn);
    return true;
}

/* MCRR, MRRC */
static bool register_pair_move(uint32_t word, struct insn *insn)
{
    const uint64_t pair = REG_R(RT(word)) | REG_R(RT2(word));

    fact_system(insn, EFFECT_SYSTEM);
    if (bit(word, 20))
        fact_writes(insn, pair);
    else
        fact_reads(insn, pair);
    return true;
}

/* LDC, STC: how much they transfer is the coprocessor's affair; a word at least. */
static bool memory_move(uint32_t word, struct insn *insn)
{
    const bool before = bit(word, 24), writes_back = bit(word, 21);
    const struct transfer transfer = {.load = bit(word, 20),
                                      .post = !before,
                                      .writes_back = writes_back,
                                      .bytes = 4,
                                      .align = 4,
                                      .base = RN(word)};

    if (!before && !writes_back && !bit(word, 23))
        return false;
    fact_transfer(insn, &transfer);
    insn->effect = EFFECT_SYSTEM;
    return true;
}

static bool vfp_decode(uint32_t word, struct insn *insn)
{
    const bool transfers = !bit(word, 25);

    if (field(word, 31, 28) == 15)
        return false; /* VSEL and its like came with Armv8 */
    if (transfers)
        return vfp_transfer(word, insn);
    return bit(word, 4) ? vfp_move(word, insn) : vfp_operation(word, insn);
}

bool coprocessor_decode(uint32_t word, struct insn *insn)
{
    if (field(word, 11, 9) == 5)
        return vfp_decode(word, insn);
    if (bit(word, 25)) {
        if (bit(word, 4))
            return register_move(word, insn);
        fact_system(insn, EFFECT_SYSTEM); /* CDP */
        return true;
    }
    if (field(word, 24, 21) == 2)
        return register_pair_move(word, insn);
    return memory_move(word, insn);
}
