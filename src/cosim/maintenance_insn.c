/* CHOICE(guest-asid-flush): invalidating the entries of one address space invalidates all; the
 * model's TLBs know pages, not address spaces. */
#include "cosim/maintenance_insn.h"

#include <stddef.h>

#include "base/arm.h"
#include "isa/system_insn.h"

enum operation {
    OPERATION_NONE,
    OPERATION_CONTEXT,
    OPERATION_TRANSLATION,
    OPERATION_TLB_ALL,
    OPERATION_TLB_PAGE,
    OPERATION_CACHE,
    OPERATION_PREDICTOR,
};

/* c7: the same in the cores that have an operation at all. With the instruction cache the branch
 * target buffer goes: CHOICE(guest-predictor).
 * Source: Arm DDI 0406C, Cache and branch predictor maintenance operations, VMSA; Arm DDI 0344K,
 * c7, Cache operations; Intel 273473-002, Cache Functions. */
static const struct maintenance {
    uint8_t crm, op2;
    enum operation operation;
    uint8_t bits;
    bool predictor; /* that, too */
} maintenance[] = {
#define I          ARMPMU_CACHE_INSTRUCTION
#define D          ARMPMU_CACHE_DATA
#define INVALIDATE ARMPMU_CACHE_INVALIDATE
#define CLEAN      ARMPMU_CACHE_CLEAN
#define LINE       ARMPMU_CACHE_ADDRESS
#define COHERENT   (ARMPMU_CACHE_ADDRESS | ARMPMU_CACHE_COHERENCY)
#define SET_WAY    ARMPMU_CACHE_SET_WAY
    {1, 0, OPERATION_CACHE, I | INVALIDATE, true}, /* ICIALLUIS */
    {1, 6, OPERATION_PREDICTOR, 0, false},         /* BPIALLIS  */
    {5, 0, OPERATION_CACHE, I | INVALIDATE, true}, /* ICIALLU   */
    {5, 1, OPERATION_CACHE, I | INVALIDATE | LINE, false},
    {5, 6, OPERATION_PREDICTOR, 0, false},
    {5, 7, OPERATION_PREDICTOR, ARMPMU_PREDICTOR_ADDRESS, false},
    {6, 0, OPERATION_CACHE, D | INVALIDATE, false}, /* XScale */
    {6, 1, OPERATION_CACHE, D | INVALIDATE | COHERENT, false},
    {6, 2, OPERATION_CACHE, D | INVALIDATE | SET_WAY, false},
    {7, 0, OPERATION_CACHE, I | D | INVALIDATE, true}, /* XScale */
    {10, 1, OPERATION_CACHE, D | CLEAN | COHERENT, false},
    {10, 2, OPERATION_CACHE, D | CLEAN | SET_WAY, false},
    {11, 1, OPERATION_CACHE, D | CLEAN | LINE, false},
    {14, 1, OPERATION_CACHE, D | CLEAN | INVALIDATE | COHERENT, false},
    {14, 2, OPERATION_CACHE, D | CLEAN | INVALIDATE | SET_WAY, false},
#undef I
#undef D
#undef INVALIDATE
#undef CLEAN
#undef LINE
#undef COHERENT
#undef SET_WAY
};

static const struct maintenance *maintenance_of(uint32_t word)
{
    for (size_t i = 0; i < sizeof maintenance / sizeof maintenance[0]; i++)
        if (maintenance[i].crm == (word & 15) && maintenance[i].op2 == (word >> 5 & 7))
            return &maintenance[i];
    return NULL;
}

/* MCR p15, 0, Rt, CRn, CRm, op2: the same fields in both instruction sets. */
static enum operation operation_of(enum armpmu_isa isa, uint32_t word)
{
    const uint32_t top = word >> 28, crn = word >> 16 & 15, crm = word & 15, op2 = word >> 5 & 7;
    struct sysreg_insn insn;

    if (!sysreg_insn_writes_cp15(isa, word, &insn) || insn.at.access != ARMPMU_ACCESS_MCR ||
        insn.at.op1 != 0)
        return OPERATION_NONE;
    if (crn == 13 && crm == 0 && op2 == 1 && (isa == ARMPMU_T32 || top < CONDITION_ALWAYS))
        return OPERATION_CONTEXT;
    if (crn == 1 && crm == 0 && op2 == 0)
        return OPERATION_TRANSLATION;
    if (crn == 7)
        return maintenance_of(word) != NULL ? maintenance_of(word)->operation : OPERATION_NONE;
    if (crn != 8)
        return OPERATION_NONE;
    return op2 == 1 || op2 == 3 ? OPERATION_TLB_PAGE : OPERATION_TLB_ALL;
}

bool maintenance_insn_is(enum armpmu_isa isa, uint32_t word)
{
    return operation_of(isa, word) != OPERATION_NONE;
}

static void maintenance_words(uint32_t word, uint32_t value, uint64_t *words)
{
    const struct maintenance *const row = maintenance_of(word);

    if (row->operation == OPERATION_CACHE)
        words[0] = armpmu_system_record(ARMPMU_SYSTEM_CACHE, row->bits) | value;
    if (row->operation == OPERATION_PREDICTOR)
        words[0] = armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, row->bits) | value;
    if (row->predictor)
        words[1] = armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, 0);
}

void maintenance_insn_records(enum armpmu_isa isa, uint32_t word, uint32_t value, uint64_t words[2])
{
    const uint64_t page = value >> PAGE_SHIFT;

    switch (operation_of(isa, word)) {
    case OPERATION_NONE:
    case OPERATION_CONTEXT:
        break;
    case OPERATION_TRANSLATION:
        words[0] = armpmu_record(ARMPMU_RECORD_MMU, 0) | (value & SCTLR_M);
        words[1] = maintenance_insn_control(value);
        break;
    case OPERATION_TLB_ALL:
        words[0] = armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0);
        break;
    case OPERATION_TLB_PAGE:
        words[0] = armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0) | ARMPMU_RECORD_ONE_PAGE |
                   page << ARMPMU_RECORD_PAGE_LSB;
        break;
    case OPERATION_CACHE:
    case OPERATION_PREDICTOR:
        maintenance_words(word, value, words);
        break;
    }
}

uint64_t maintenance_insn_control(uint32_t sctlr)
{
    return armpmu_system_record(ARMPMU_SYSTEM_CONTROL,
                                (sctlr & SCTLR_C ? 0u : ARMPMU_CONTROL_NO_DATA_CACHE) |
                                    (sctlr & SCTLR_I ? 0u : ARMPMU_CONTROL_NO_CODE_CACHE) |
                                    (sctlr & SCTLR_Z ? 0u : ARMPMU_CONTROL_NO_PREDICTION));
}

/* ---- masked interrupts ---- */

static bool has_event(const struct armpmu_core *core, enum armpmu_signal signal)
{
    for (size_t i = 0; i < core->n_events; i++)
        for (unsigned n = 0; n < core->events[i].n_signals; n++)
            if (core->events[i].signals[n] == signal)
                return true;
    return false;
}

bool maintenance_insn_has_masks(const struct armpmu_core *core)
{
    return has_event(core, ARMPMU_SIGNAL_FIQ_MASKED) || has_event(core, ARMPMU_SIGNAL_IRQ_MASKED);
}

unsigned maintenance_insn_masks(uint32_t cpsr)
{
    return (cpsr & CPSR_F ? ARMPMU_MASKS_FIQ : 0u) | (cpsr & CPSR_I ? ARMPMU_MASKS_IRQ : 0u);
}
