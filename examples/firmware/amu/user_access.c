/* Who may use the monitors: EL0 with AMUSERENR_EL0.EN 0 and 1, EL1 with CPTR_EL3.TAM. */
#include "monitors.h"

REGISTER(cptr_el3, "cptr_el3")

#define CPTR_TAM     (UINT64_C(1) << 30)
#define CLASS(trap)  ((trap).syndrome >> 26)
#define CLASS_SYSTEM 0x18 /* MSR or MRS */
#define CLASS_SVC    0x15
/* ISS of a read of AMEVCNTR02_EL0, op0 3, op1 3, CRn 13, CRm 4, op2 2, without its register. */
#define ISS_READ_RETIRED (3u << 20 | 2u << 17 | 3u << 14 | 13u << 10 | 4u << 1 | 1u)
#define ISS_REGISTER     (31u << 5)

static uint64_t read_it(void)
{
    return read_retired();
}

static uint64_t write_it(void)
{
    write_retired(7);
    return 0;
}

static uint64_t syndrome_of(uint64_t level, uint64_t (*function)(void))
{
    (void)call_in_level(level, function);
    return trap.syndrome;
}

int main(void)
{
    write_retired(1234);
    write_amuserenr(0);
    const uint64_t syndrome = syndrome_of(0, read_it);
    check("EN 0: a read by EL0 is trapped", CLASS(trap), CLASS_SYSTEM);
    check("to EL1", trap.level, 1);
    check("which learns what was read", syndrome & 0x1ffffff & ~ISS_REGISTER, ISS_READ_RETIRED);
    write_amuserenr(1);
    check("EN 1: EL0 reads", call_in_level(0, read_it), 1234);
    check("and comes back by its own call", CLASS(trap), CLASS_SVC);
    (void)syndrome_of(0, write_it);
    check("EN 1: a write by EL0 is undefined", CLASS(trap), 0);
    (void)syndrome_of(1, write_it);
    check("so is one by EL1", CLASS(trap), 0);
    check("and the count is as it was", read_retired(), 1234);
    write_cptr_el3(CPTR_TAM);
    (void)syndrome_of(1, read_it);
    check("CPTR_EL3.TAM: a read by EL1 is trapped", CLASS(trap), CLASS_SYSTEM);
    check("to EL3", trap.level, 3);
    return n_wrong != 0;
}
