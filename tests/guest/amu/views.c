/* What the same counter looks like from different Exception levels: CG1RZ, virtual offsets. */
#include "amu.h"

#define COUNT       UINT64_C(0x123456789abcdef0)
#define SHIFT       UINT64_C(0x23456789abcdef01)
#define PSTATE_DAIF (UINT64_C(15) << 6)

enum { GROUP0, GROUP0_TIME, GROUP1, N_VIEWED };

/* Reads of a counter, from EL0 and from elsewhere. */
static const uint32_t reads[N_VIEWED][2][2] = {
    [GROUP0] = {{0xd53bd400, 0xd4000ee1}, {0xd53bd400, 0xd4000ee3}},
    [GROUP0_TIME] = {{0xd53bd420, 0xd4000ee1}, {0xd53bd420, 0xd4000ee3}},
    [GROUP1] = {{0xd53bdc00, 0xd4000ee1}, {0xd53bdc00, 0xd4000ee3}},
};

static uint64_t read_from(unsigned counter, unsigned level)
{
    static const uint64_t stacks[4] = {0x40f00000, 0x40f10000, 0x40f20000, 0x40f30000};

    run_snippet(PSTATE_DAIF | level << 2 | (level > 0), (uintptr_t)reads[counter][level > 0], 0,
                stacks);
    return frame.x[0];
}

static void check_counter(const char *what, unsigned counter, bool zero, bool shifted)
{
    static const char *const levels[4] = {"EL0", "EL1", "EL2", "EL3"};

    for (unsigned level = 0; level < 4; level++) {
        if (zero && level < 3)
            check(what, levels[level], read_from(counter, level), 0);
        else
            check(what, levels[level], read_from(counter, level),
                  shifted && level < 2 ? COUNT - SHIFT : COUNT);
    }
}

static void check_offsets(void)
{
    write_amevcntvoff00(SHIFT);
    write_amevcntvoff10(SHIFT);
    check_counter("an offset that nobody lets act, from", GROUP0, false, false);
    write_scr(SCR_USUAL | SCR_NS | SCR_AMVOFFEN);
    check_counter("an offset that EL2 does not let act, from", GROUP0, false, false);
    write_hcr(HCR_RW | HCR_AMVOFFEN);
    check("HCR_EL2.AMVOFFEN is", "kept", read_hcr(), HCR_RW | HCR_AMVOFFEN);
    check("SCR_EL3.AMVOFFEN is", "kept", read_scr() & SCR_AMVOFFEN, SCR_AMVOFFEN);
    check_counter("an offset, from", GROUP0, false, true);
    check_counter("no offset of the counter of time, from", GROUP0_TIME, false, false);
    check_counter("an offset of an auxiliary counter, from", GROUP1, false, true);
    write_amcr(AMCR_CG1RZ);
    check_counter("CG1RZ before the offset, from", GROUP1, true, true);
    write_scr(SCR_USUAL | SCR_NS);
    check_counter("an offset that EL3 does not let act, from", GROUP0, false, false);
    write_amcr(0);
    write_hcr(HCR_RW);
    write_amevcntvoff00(0);
    write_amevcntvoff10(0);
}

/* After check_access: EL0 may read, no trap is set, all counters are off. */
void check_views(void)
{
    write_cycles(COUNT);
    write_constant(COUNT);
    check_counter("a counter, from", GROUP0, false, false);
    if (unit.group1 == 0)
        return;
    write_amevcntr10(COUNT);
    check_counter("an auxiliary counter, from", GROUP1, false, false);
    write_amcr(AMCR_CG1RZ);
    check_counter("CG1RZ leaves group 0 alone, from", GROUP0, false, false);
    check_counter("CG1RZ is of v1p1, from", GROUP1, unit.v1p1, false);
    write_amcr(0);
    if (unit.v1p1)
        check_offsets();
}
