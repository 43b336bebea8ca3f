#include "cosim/maintenance_insn64.h"

#include <stdbool.h>

#include "armpmu/sim.h"
#include "base/arm.h"

/* TLBI is SYS with CRn 8, with the suffix nXS 9. By address are the odd ones, unless they are of
 * ranges or of the second stage.
 * Source: ARM DDI 0487, A64 System instructions for TLB maintenance. */
static enum maintenance64 tlb_operation(uint32_t word)
{
    const uint32_t crm = word >> 8 & 15, op2 = word >> 5 & 7;
    const bool of_page = crm == 1 || crm == 3 || crm == 7;

    return of_page && (op2 & 1) ? OPERATION64_TLB_PAGE : OPERATION64_TLB_ALL;
}

enum maintenance64 maintenance_insn64_of(uint32_t word)
{
    const uint32_t crn = word >> 12 & 15;

    if ((word & 0xfff80000) == 0xd5080000 && (crn == 8 || crn == 9))
        return tlb_operation(word);
    if ((word & 0xfff8ffe0) == 0xd5181000) /* MSR SCTLR_ELx */
        return OPERATION64_TRANSLATION;
    if ((word & 0xffffffe0) == 0xd51c1100) /* MSR HCR_EL2 */
        return OPERATION64_HOST;
    return OPERATION64_NONE;
}

unsigned maintenance_insn64_level(uint32_t word, unsigned level, uint64_t hcr_el2)
{
    const uint32_t op1 = word >> 16 & 7;

    if (op1 == 0 && level == 2)
        return hcr_el2 & HCR_E2H ? 2 : 1;
    return op1 == 4 ? 2 : op1 == 6 ? 3 : 1;
}

uint64_t maintenance_insn64_word(uint32_t word, uint64_t value)
{
    switch (maintenance_insn64_of(word)) {
    case OPERATION64_TLB_ALL:
        return armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0);
    case OPERATION64_TLB_PAGE:
        return armpmu_record(ARMPMU_RECORD_TLBI64, 0) | (value & ARMPMU_RECORD_WIDE_PAGE);
    case OPERATION64_NONE:
    case OPERATION64_TRANSLATION:
    case OPERATION64_HOST:
        break;
    }
    return 0;
}
