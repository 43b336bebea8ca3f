#include "cosim/maintenance_insn64.h"

#include <stdbool.h>
#include <stddef.h>

#include "armpmu/sim.h"
#include "base/arm.h"
#include "isa/system_insn.h"

/* SYS with CRn 7. Those of memory tags alone are left out. Source: ARM DDI 0487, A64 system
 * instructions for cache maintenance. */
static const struct {
    uint8_t op1, crm, op2, bits;
} cache_insns[] = {
#define AT_ADDRESS (ARMPMU_CACHE_DATA | ARMPMU_CACHE_ADDRESS)
#define OUT        (AT_ADDRESS | ARMPMU_CACHE_COHERENCY)
#define SET_WAY    (ARMPMU_CACHE_DATA | ARMPMU_CACHE_SET_WAY)
#define CLEAN      ARMPMU_CACHE_CLEAN
#define INVALIDATE ARMPMU_CACHE_INVALIDATE
#define CODE       (ARMPMU_CACHE_INVALIDATE | ARMPMU_CACHE_INSTRUCTION)
    {0, 1, 0, CODE},                          /* IC IALLUIS */
    {0, 5, 0, CODE},                          /* IC IALLU   */
    {3, 5, 1, CODE | ARMPMU_CACHE_ADDRESS},   /* IC IVAU    */
    {0, 6, 1, OUT | INVALIDATE},              /* DC IVAC    */
    {0, 6, 2, SET_WAY | INVALIDATE},          /* DC ISW     */
    {0, 10, 2, SET_WAY | CLEAN},              /* DC CSW     */
    {0, 14, 2, SET_WAY | CLEAN | INVALIDATE}, /* DC CISW    */
    {3, 10, 1, OUT | CLEAN},                  /* DC CVAC    */
    {3, 11, 1, AT_ADDRESS | CLEAN},           /* DC CVAU    */
    {3, 12, 1, OUT | CLEAN},                  /* DC CVAP    */
    {3, 13, 1, OUT | CLEAN},                  /* DC CVADP   */
    {3, 14, 1, OUT | CLEAN | INVALIDATE},     /* DC CIVAC   */
#undef AT_ADDRESS
#undef OUT
#undef SET_WAY
#undef CLEAN
#undef INVALIDATE
#undef CODE
};

/* Bits of ARMPMU_CACHE_; 0: it is none of these. */
static unsigned cache_bits_of(uint32_t word)
{
    const uint32_t op1 = word >> 16 & 7, crm = word >> 8 & 15, op2 = word >> 5 & 7;

    if ((word & 0xfff8f000) != 0xd5087000)
        return 0;
    for (size_t i = 0; i < sizeof cache_insns / sizeof cache_insns[0]; i++)
        if (cache_insns[i].op1 == op1 && cache_insns[i].crm == crm && cache_insns[i].op2 == op2)
            return cache_insns[i].bits;
    return 0;
}

enum maintenance64 maintenance_insn64_of(uint32_t word)
{
    struct sysreg_insn insn;

    switch (system_insn64_of(word)) {
    case SYSTEM_INSN_TLB_ALL:
        return OPERATION64_TLB_ALL;
    case SYSTEM_INSN_TLB_PAGE:
        return OPERATION64_TLB_PAGE;
    default:
        break;
    }
    if (cache_bits_of(word) != 0)
        return OPERATION64_CACHE;
    if (!sysreg_insn_writes_a64(word, &insn) || insn.at.crn != 1 || insn.at.op2 != 0)
        return OPERATION64_NONE;
    if (insn.at.crm == 0) /* SCTLR_ELx */
        return OPERATION64_TRANSLATION;
    return insn.at.crm == 1 && insn.at.op1 == 4 ? OPERATION64_HOST : OPERATION64_NONE;
}

unsigned maintenance_insn64_level(uint32_t word, unsigned level, uint64_t hcr_el2)
{
    const uint32_t op1 = word >> 16 & 7;

    if (op1 == 0 && level == 2)
        return hcr_el2 & HCR_E2H ? 2 : 1;
    return op1 == 4 ? 2 : op1 == 6 ? 3 : 1;
}

uint64_t maintenance_insn64_record(uint32_t word, uint64_t value)
{
    switch (maintenance_insn64_of(word)) {
    case OPERATION64_TLB_ALL:
        return armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0);
    case OPERATION64_TLB_PAGE:
        return armpmu_record(ARMPMU_RECORD_TLBI64, 0) | (value & ARMPMU_RECORD_WIDE_PAGE);
    case OPERATION64_CACHE:
        return armpmu_system_record(ARMPMU_SYSTEM_CACHE, cache_bits_of(word)) |
               (value & ARMPMU_RECORD_ADDRESS);
    case OPERATION64_NONE:
    case OPERATION64_TRANSLATION:
    case OPERATION64_HOST:
        break;
    }
    return 0;
}

uint64_t maintenance_insn64_control(uint64_t sctlr)
{
    const bool cached = (sctlr & SCTLR_M) && (sctlr & SCTLR_C);

    return armpmu_system_record(ARMPMU_SYSTEM_CONTROL,
                                (cached ? 0u : ARMPMU_CONTROL_NO_DATA_CACHE) |
                                    (sctlr & SCTLR_I ? 0u : ARMPMU_CONTROL_NO_CODE_CACHE));
}

void maintenance_insn64_change(uint64_t before, uint64_t after, uint64_t words[2])
{
    const uint64_t changed = before ^ after;

    if (changed & SCTLR_M)
        *words++ = armpmu_record(ARMPMU_RECORD_MMU, 0) | (after & SCTLR_M);
    if (changed & (SCTLR_M | SCTLR_C | SCTLR_I))
        *words = maintenance_insn64_control(after);
}
