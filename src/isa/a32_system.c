/* The system's instructions of A32 and T32: exceptions, status registers, coprocessors. */
#include "isa/a32.h"

A32_SETS(supervisor_call, effect, EFFECT_SYSCALL)
A32_SETS(breakpoint, effect, EFFECT_BREAKPOINT)
A32_SETS(privileged, effect, EFFECT_SYSTEM)
A32_SETS(wait_for_interrupt, waits_for_interrupt, true)
A32_SETS(order_stores, orders_stores, true)

/* MSR of the fields k (8: flags, 4: GE, the rest not for User mode) of the CPSR, or of the SPSR. */
bool complete_write_status(const struct operands *operands, struct insn *insn)
{
    const unsigned fields = a32_field(operands, 'k');
    const bool saved = a32_field(operands, 'R') != 0;

    if (saved || (fields & 3) != 0)
        insn->effect = EFFECT_SYSTEM;
    if (!saved)
        insn->writes |=
            ((fields & 8) != 0 ? REG_FLAGS | REG_Q : 0) | ((fields & 4) != 0 ? REG_GE : 0);
    return true;
}

/* A system register of CP15 by opc1, CRn, CRm, opc2. */
#define CP15(opc1, crn, crm, opc2) ((opc1) << 11 | (crn) << 7 | (crm) << 3 | (opc2))

/* CRm of the cache operations of c7: caches to a point, invalidation, cleaning, both. */
static bool maintains_cache(unsigned crm)
{
    return crm == 1 || crm == 5 || crm == 6 || crm == 7 || crm == 10 || crm == 11 || crm == 14;
}

/* MCR */
bool complete_to_coprocessor(const struct operands *operands, struct insn *insn)
{
    const unsigned crn = a32_field(operands, 'n'), crm = a32_field(operands, 'm');

    insn->effect = EFFECT_SYSTEM;
    if (a32_field(operands, 'p') != 15)
        return true;
    switch (CP15(a32_field(operands, 'o'), crn, crm, a32_field(operands, 'k'))) {
    case CP15(0, 13, 0, 1):
        insn->effect = EFFECT_CONTEXTIDR_WRITE;
        break;
    case CP15(0, 9, 12, 4):
        insn->effect = EFFECT_SW_INCREMENT;
        break;
    case CP15(0, 7, 0, 4): /* WFI before Armv7 */
        insn->waits_for_interrupt = true;
        break;
    case CP15(0, 7, 10, 4):         /* DSB */
    case CP15(0, 7, 10, 5):         /* DMB, as ARMv6 wrote them: allowed in User mode */
        insn->orders_stores = true; /* fall through */
    case CP15(0, 7, 5, 4):          /* ISB */
        insn->klass = CLASS_BARRIER;
        insn->effect = EFFECT_NONE;
        return true;
    }
    if (crn == 7 && maintains_cache(crm))
        insn->orders_stores = true;
    return true;
}

/* LDC, STC: how much they transfer is the coprocessor's affair; a word at least. */
bool complete_coprocessor_transfer(const struct operands *operands, struct insn *insn)
{
    a32_access_memory(operands, 4, 4, insn);
    a32_locate(operands, 4, insn);
    if (a32_field(operands, 'W') != 0)
        a32_write_back(operands, insn);
    insn->effect = EFFECT_SYSTEM;
    return true;
}

static void transfer_return_state(const struct operands *operands, struct insn *insn)
{
    a32_access_memory(operands, 8, 4, insn);
    insn->memory.multiple = true;
    insn->operations = 2;
    insn->effect = EFFECT_SYSTEM;
    if (a32_field(operands, 'W') != 0)
        a32_write_back(operands, insn);
}

/* RFE */
bool complete_load_return_state(const struct operands *operands, struct insn *insn)
{
    struct operands state = *operands;

    state.data = REG_PC;
    transfer_return_state(&state, insn);
    a32_return_from_exception(insn);
    return true;
}

/* SRS stores LR and SPSR; the flags represent the latter. */
bool complete_store_return_state(const struct operands *operands, struct insn *insn)
{
    transfer_return_state(operands, insn);
    insn->reads |= REG_LR | REGS_APSR;
    insn->reads_late |= REG_LR | REGS_APSR;
    return true;
}
