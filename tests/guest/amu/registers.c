/* What the registers hold, as EL3 writes and reads them. */
#include "amu.h"

static void check_bits(void)
{
    write_amcr(UINT64_MAX);
    check("AMCR keeps", "HDBG, and CG1RZ of v1p1", read_amcr(),
          AMCR_HDBG | (unit.v1p1 ? AMCR_CG1RZ : 0));
    write_amcr(0);
    check("AMCR clears", "all", read_amcr(), 0);
    write_amuserenr(UINT64_MAX);
    check("AMUSERENR keeps", "EN", read_amuserenr(), 1);
    write_amuserenr(~UINT64_C(1));
    check("AMUSERENR clears", "EN", read_amuserenr(), 0);
    if (!unit.fine_traps)
        return;
    write_hafgrtr(UINT64_MAX);
    check("HAFGRTR_EL2 keeps", "a bit for each trap", read_hafgrtr(), 0x3fffffffe001f);
    write_hafgrtr(0);
}

static void check_enables(void)
{
    const uint64_t all = unit.exists;

    write_amcntenset0(UINT64_MAX);
    check("AMCNTENSET0 sets", "P0 to P3", read_amcntenset0(), 0xf);
    check("AMCNTENCLR0 shows", "the same", read_amcntenclr0(), 0xf);
    write_amcntenset0(0);
    write_amcntenclr0(0);
    check("zeros change", "nothing", read_amcntenset0(), 0xf);
    write_amcntenclr0(0x5);
    check("AMCNTENCLR0 clears", "what it names", read_amcntenset0(), 0xa);
    write_amcntenset0(0x4);
    check("AMCNTENSET0 adds", "what it names", read_amcntenclr0(), 0xe);
    write_amcntenclr0(UINT64_MAX);
    check("AMCNTENCLR0 clears", "all", read_amcntenset0(), 0);
    if (unit.group1 == 0)
        return;
    write_amcntenset1(UINT64_MAX);
    check("AMCNTENSET1 sets", "the counters there are", read_amcntenset1(), all);
    check("group 1 leaves alone", "group 0", read_amcntenset0(), 0);
    write_amcntenclr1(1);
    check("AMCNTENCLR1 clears", "what it names", read_amcntenclr1(), all & ~UINT64_C(1));
    write_amcntenclr1(UINT64_MAX);
    check("AMCNTENCLR1 clears", "all", read_amcntenset1(), 0);
}

void check_registers(void)
{
    static const char *const levels[4] = {"EL0", "EL1", "EL2", "EL3"};

    check("ID_AA64PFR0_EL1.AMU is", "1, or 2 for v1p1", read_pfr0() >> 44 & 15, 1 + unit.v1p1);
    for (unsigned level = 0; level < 4; level++)
        check("ID_AA64PFR0_EL1 keeps", levels[level], (read_pfr0() >> 4 * level & 15) != 0, true);
    check("ID_PFR0_EL1.AMU is", "the same", read_pfr0_aarch32() >> 20 & 15, 1 + unit.v1p1);
    check_bits();
    check_enables();
}
