/* Instructions of the system that are read word by word. */
#include "../test.h"
#include "isa/system_insn.h"

TEST(kinds_of_a64)
{
    static const struct {
        uint32_t word;
        enum system_insn64 kind;
    } rows[] = {
        {0xd69f03e0, SYSTEM_INSN_RETURN},    /* eret */
        {0xd69f0bff, SYSTEM_INSN_RETURN},    /* eretaa */
        {0xd69f0fff, SYSTEM_INSN_RETURN},    /* eretab */
        {0xd65f03c0, SYSTEM_INSN_NONE},      /* ret */
        {0xd4000042, SYSTEM_INSN_HVC},       /* hvc #2 */
        {0xd4000043, SYSTEM_INSN_SMC},       /* smc #2 */
        {0xd4000041, SYSTEM_INSN_NONE},      /* svc #2 */
        {0xd45e0000, SYSTEM_INSN_HLT},       /* hlt #0xf000 */
        {0xd4200000, SYSTEM_INSN_NONE},      /* brk #0 */
        {0xd508871f, SYSTEM_INSN_TLB_ALL},   /* tlbi vmalle1 */
        {0xd508831f, SYSTEM_INSN_TLB_ALL},   /* tlbi vmalle1is */
        {0xd5088721, SYSTEM_INSN_TLB_PAGE},  /* tlbi vae1, x1 */
        {0xd50883a1, SYSTEM_INSN_TLB_PAGE},  /* tlbi vale1is, x1 */
        {0xd5088741, SYSTEM_INSN_TLB_ALL},   /* tlbi aside1, x1 */
        {0xd50c8421, SYSTEM_INSN_TLB_ALL},   /* tlbi ipas2e1, x1 */
        {0xd5089721, SYSTEM_INSN_TLB_PAGE},  /* tlbi vae1nxs, x1 */
        {0xd50b7a21, SYSTEM_INSN_CACHE_EL0}, /* dc cvac, x1 */
        {0xd50b7521, SYSTEM_INSN_CACHE_EL0}, /* ic ivau, x1 */
        {0xd508751f, SYSTEM_INSN_NONE},      /* ic iallu */
        {0xd503201f, SYSTEM_INSN_NONE},      /* nop */
        {0xd5181001, SYSTEM_INSN_NONE},      /* msr sctlr_el1, x1 */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (system_insn64_of(rows[i].word) != rows[i].kind)
            fail_msg("%08x: %d", rows[i].word, (int)system_insn64_of(rows[i].word));
    assert_int_equal(system_insn64_immediate(0xd4000042), 2);
    assert_int_equal(system_insn64_immediate(0xd45e0000), 0xf000);
}

TEST(writes_of_registers)
{
    struct sysreg_insn insn;

    assert_true(sysreg_insn_writes_a64(0xd5181001, &insn)); /* msr sctlr_el1, x1 */
    assert_int_equal(insn.at.op1, 0);
    assert_int_equal(insn.at.crn, 1);
    assert_int_equal(insn.rt, 1);
    assert_false(sysreg_insn_writes_a64(0xd5381001, &insn)); /* mrs x1, sctlr_el1 */
    assert_false(sysreg_insn_writes_a64(0xd5100241, &insn)); /* msr mdscr_el1, x1: op0 is 2 */
    assert_false(sysreg_insn_writes_a64(0xd5088721, &insn)); /* tlbi vae1, x1 */
    assert_true(sysreg_insn_writes_cp15(ARMPMU_A32, 0xee021f10, &insn)); /* TTBR0 */
    assert_int_equal(insn.at.crn, 2);
    assert_true(sysreg_insn_writes_cp15(ARMPMU_T32, 0xec432f02, &insn)); /* MCRR of TTBR0 */
    assert_int_equal(insn.rt2, 3);
    assert_false(sysreg_insn_writes_cp15(ARMPMU_A32, 0xee121f10, &insn)); /* MRC */
    assert_false(sysreg_insn_writes_cp15(ARMPMU_A32, 0xee021e10, &insn)); /* p14 */
    assert_false(sysreg_insn_writes_cp15(ARMPMU_T32, 0x0e021f10, &insn)); /* no T32 */
}
