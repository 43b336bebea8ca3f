#include "isa/system_insn.h"

#include "base/arm.h"

/* MRS and MSR (register). Source: Arm DDI 0487, A64 system instructions. */
static bool decode_a64(uint32_t word, struct sysreg_insn *sysreg)
{
    if ((word & 0xffd00000) != 0xd5100000)
        return false;
    *sysreg = (struct sysreg_insn){.read = word >> 21 & 1, .rt = word & 31};
    sysreg->at = (struct armpmu_encoding){.access = ARMPMU_ACCESS_MSR,
                                          .coproc = (uint8_t)(2 + (word >> 19 & 1)),
                                          .op1 = word >> 16 & 7,
                                          .crn = word >> 12 & 15,
                                          .crm = word >> 8 & 15,
                                          .op2 = word >> 5 & 7};
    return true;
}

/* Both instruction sets of AArch32 have the same fields below the condition. Two-word forms with
 * the condition field 15 (MRC2 and the like) belong to no unit here. */
static bool decode_aarch32(enum armpmu_isa isa, uint32_t word, struct sysreg_insn *sysreg)
{
    const uint32_t top = word >> 28;
    const uint8_t coproc = word >> 8 & 15, crm = word & 15;

    if (isa == ARMPMU_A32 ? top == 15 : top != 14)
        return false;
    *sysreg = (struct sysreg_insn){.read = word >> 20 & 1, .rt = word >> 12 & 15};
    if ((word & 0x0f000010) == 0x0e000010) {
        sysreg->at = (struct armpmu_encoding){.access = ARMPMU_ACCESS_MCR,
                                              .coproc = coproc,
                                              .op1 = word >> 21 & 7,
                                              .crn = word >> 16 & 15,
                                              .crm = crm,
                                              .op2 = word >> 5 & 7};
        return true;
    }
    if ((word & 0x0fe00000) == 0x0c400000) {
        sysreg->at = (struct armpmu_encoding){
            .access = ARMPMU_ACCESS_MCRR, .coproc = coproc, .op1 = word >> 4 & 15, .crm = crm};
        sysreg->rt2 = word >> 16 & 15;
        return true;
    }
    return false;
}

bool sysreg_insn_decode(enum armpmu_isa isa, uint32_t word, struct sysreg_insn *sysreg)
{
    return isa == ARMPMU_A64 ? decode_a64(word, sysreg) : decode_aarch32(isa, word, sysreg);
}

bool sysreg_insn_may_be_refused(const struct armpmu_encoding *at)
{
    const bool is_monitor = at->crn == 9 && at->crm >= 12 && at->crm <= 14;

    switch (at->access) {
    case ARMPMU_ACCESS_MSR:
        return at->op1 == 3 &&
               (is_monitor || (at->crn == 14 && at->crm >= 8) || (at->crn == 4 && at->crm == 2));
    case ARMPMU_ACCESS_MCRR:
        return at->coproc == 15 && at->op1 == 0 && at->crm == 9;
    default:
        return at->coproc == 15 && at->op1 == 0 && is_monitor;
    }
}

bool sysreg_insn_writes_cp15(enum armpmu_isa isa, uint32_t word, struct sysreg_insn *sysreg)
{
    return isa != ARMPMU_A64 && decode_aarch32(isa, word, sysreg) && !sysreg->read &&
           sysreg->at.coproc == 15;
}

bool sysreg_insn_writes_a64(uint32_t word, struct sysreg_insn *sysreg)
{
    return decode_a64(word, sysreg) && !sysreg->read && sysreg->at.coproc == 3;
}

/* Source: Arm DDI 0406C, LDC, STC: P (24), U (23), D (22), W (21), L (20), an offset in words. */
bool memory_sysreg_insn_decode(enum armpmu_isa isa, uint32_t word, struct memory_transfer *sysreg)
{
    const uint32_t top = word >> 28;
    const bool p = word >> 24 & 1, u = word >> 23 & 1, d = word >> 22 & 1, w = word >> 21 & 1;
    const int32_t bytes = (int32_t)(word & 0xff) * 4;

    if ((isa == ARMPMU_A32 ? top == 15 : top != 14) || (word & 0x0e000000) != 0x0c000000 || d ||
        (!p && !u && !w))
        return false;
    *sysreg = (struct memory_transfer){
        .at = {.access = ARMPMU_ACCESS_LDC, .coproc = word >> 8 & 15, .crn = word >> 12 & 15},
        .load = word >> 20 & 1,
        .rn = word >> 16 & 15,
        .offset = p || w ? (u ? bytes : -bytes) : 0, /* else no model uses it */
        .before = p,
        .write_back = w,
    };
    return true;
}

/* TLBI is SYS with CRn 8, with the suffix nXS 9. By address are the odd ones, unless they are of
 * ranges or of the second stage. Source: ARM DDI 0487, A64 System instructions for TLB maintenance.
 */
static enum system_insn64 tlb_insn(uint32_t word)
{
    const uint32_t crm = word >> 8 & 15, op2 = word >> 5 & 7;
    const bool of_page = crm == 1 || crm == 3 || crm == 7;

    return of_page && (op2 & 1) ? SYSTEM_INSN_TLB_PAGE : SYSTEM_INSN_TLB_ALL;
}

/* Source: ARM DDI 0487, C4.1, Branches, Exception Generating and System instructions. */
enum system_insn64 system_insn64_of(uint32_t word)
{
    const uint32_t crn = word >> 12 & 15;

    if (word == 0xd69f03e0 || word == 0xd69f0bff || word == 0xd69f0fff)
        return SYSTEM_INSN_RETURN;
    if ((word & 0xfff80000) == 0xd5080000 && (crn == 8 || crn == 9))
        return tlb_insn(word);
    if ((word & 0xfffff000) == 0xd50b7000) /* DC, IC with op1 3 */
        return SYSTEM_INSN_CACHE_EL0;
    switch (word & 0xffe0001f) {
    case 0xd4000002:
        return SYSTEM_INSN_HVC;
    case 0xd4000003:
        return SYSTEM_INSN_SMC;
    case 0xd4400000:
        return SYSTEM_INSN_HLT;
    }
    return SYSTEM_INSN_NONE;
}

/* Source: Arm DDI 0406C, ConditionPassed(). */
bool condition_passes(unsigned condition, uint32_t cpsr)
{
    const bool n = cpsr & CPSR_N, z = cpsr & CPSR_Z, c = cpsr & CPSR_C, v = cpsr & CPSR_V;
    bool passes = true;

    switch (condition >> 1) {
    case 0:
        passes = z;
        break;
    case 1:
        passes = c;
        break;
    case 2:
        passes = n;
        break;
    case 3:
        passes = v;
        break;
    case 4:
        passes = c && !z;
        break;
    case 5:
        passes = n == v;
        break;
    case 6:
        passes = n == v && !z;
        break;
    }
    return condition < CONDITION_ALWAYS && (condition & 1) ? !passes : passes;
}
