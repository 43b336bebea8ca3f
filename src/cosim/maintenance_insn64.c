#include "cosim/maintenance_insn64.h"

#include <stdbool.h>

#include "armpmu/sim.h"
#include "base/arm.h"
#include "isa/system_insn.h"

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
