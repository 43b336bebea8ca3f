#include "reference.h"

#include "facts.h"

static bool decode(enum armpmu_isa isa, uint32_t word, uint64_t address, bool in_it,
                   struct insn *insn)
{
    if (isa == ARMPMU_A32)
        return reference_a32(word, address, insn);
    return insn->size == 4 ? t32_decode(word, address, insn)
                           : t16_decode(word, address, in_it, insn);
}

static void complete(struct insn *insn)
{
    if (insn->condition == 15 || insn->effect == EFFECT_BREAKPOINT)
        insn->condition = 14;
    if (insn->condition != 14)
        fact_reads(insn, REG_FLAGS);
    if ((insn->writes & REG_PC) != 0 && insn->branch == BRANCH_NONE)
        insn->branch = BRANCH_INDIRECT;
    insn->reads_late &= ~insn->reads_early;
    if (insn->operations == 0)
        insn->operations = 1;
}

struct insn reference_decode(enum armpmu_isa isa, uint32_t word, unsigned size, uint64_t address,
                             uint8_t it)
{
    const bool in_it = (it & 0xf) != 0;
    const struct insn blank = {
        .size = (uint8_t)size, .condition = in_it && it >> 4 != 15 ? it >> 4 : 14, .operations = 1};
    struct insn insn = blank;

    if (!decode(isa, word, address, in_it, &insn)) {
        insn = blank;
        insn.condition = 14;
        fact_system(&insn, EFFECT_UNDEFINED);
    }
    if (isa == ARMPMU_T32 && size == 2 && (word & 0xff00) == 0xbf00 && (word & 0xf) != 0)
        insn.condition = 14; /* IT itself */
    complete(&insn);
    return insn;
}
