#include "cosim/sysreg_insn.h"

#include "base/arm.h"

/* Source: ARM DDI 0487, ESR_ELx, ISS encoding for an exception from MSR or MRS. */
#define ISS_OP0_LSB 20
#define ISS_OP2_LSB 17
#define ISS_OP1_LSB 14
#define ISS_CRN_LSB 10
#define ISS_RT_LSB  5
#define ISS_CRM_LSB 1
#define ISS_READ    UINT64_C(1)

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

bool sysreg_insn_writes_cp15(enum armpmu_isa isa, uint32_t word, struct sysreg_insn *sysreg)
{
    return isa != ARMPMU_A64 && decode_aarch32(isa, word, sysreg) && !sysreg->read &&
           sysreg->at.coproc == 15;
}

/* Registers may lie outside of the ranges, alone among those of other units. */
static bool has_register(const struct armpmu_core *core, const struct armpmu_encoding *at)
{
    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        for (size_t j = 0; j < reg->n_encodings; j++) {
            for (unsigned n = 0; n < reg->count; n++) {
                const struct armpmu_encoding own = armpmu_encoding_of(&reg->encodings[j], n);
                if (sysreg_insn_same(&own, at))
                    return true;
            }
        }
    }
    return false;
}

bool sysreg_insn_is_claimed(const struct armpmu_core *core, enum armpmu_isa isa, uint32_t word)
{
    struct sysreg_insn sysreg;

    return sysreg_insn_decode(isa, word, &sysreg) &&
           (armpmu_claims(core, sysreg.at) || has_register(core, &sysreg.at));
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
        .offset = p || w ? (u ? bytes : -bytes) : 0, /* else it means something to nobody here */
        .before = p,
        .write_back = w,
    };
    return true;
}

bool memory_sysreg_insn_is_claimed(const struct armpmu_core *core, enum armpmu_isa isa,
                                   uint32_t word)
{
    struct memory_transfer sysreg;

    return memory_sysreg_insn_decode(isa, word, &sysreg) && armpmu_claims(core, sysreg.at);
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

/* AMCNTENCLR0_EL0 and AMCNTENCLR1_EL0. */
static bool is_amu_enable_clear(const struct armpmu_encoding *at)
{
    return at->crn == 13 && ((at->crm == 2 && at->op2 == 4) || (at->crm == 3 && at->op2 == 0));
}

bool sysreg_insn_stops_counting(const struct sysreg_insn *sysreg, uint32_t value)
{
    const struct armpmu_encoding *const at = &sysreg->at;
    if (at->access == ARMPMU_ACCESS_MSR)
        return is_amu_enable_clear(at);
    const bool armv7 = at->coproc == 15 && at->crn == 9 && at->crm == 12;
    const bool cp14 = at->coproc == 14 && at->crn == 0 && at->crm <= 1; /* after it PMN0 */

    return ((armv7 && at->op2 == 0) || cp14) ? !(value & 1) : armv7 && at->op2 == 2;
}

unsigned sysreg_insn_trap_level(enum armpmu_outcome outcome)
{
    return outcome == ARMPMU_TRAP_EL1   ? 1
           : outcome == ARMPMU_TRAP_EL2 ? 2
           : outcome == ARMPMU_TRAP_EL3 ? 3
                                        : 0;
}

uint64_t sysreg_insn_syndrome(const struct sysreg_insn *sysreg, enum armpmu_outcome outcome)
{
    const struct armpmu_encoding *const at = &sysreg->at;

    return (uint64_t)armpmu_exception_class(outcome, at->access) << ESR_EC_LSB | ESR_IL |
           (uint64_t)at->coproc << ISS_OP0_LSB | (uint64_t)at->op2 << ISS_OP2_LSB |
           (uint64_t)at->op1 << ISS_OP1_LSB | (uint64_t)at->crn << ISS_CRN_LSB |
           (uint64_t)sysreg->rt << ISS_RT_LSB | (uint64_t)at->crm << ISS_CRM_LSB |
           (sysreg->read ? ISS_READ : 0);
}
