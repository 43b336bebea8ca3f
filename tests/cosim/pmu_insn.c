/* Accesses to the monitor on a CPU that is an array of registers and a few words of memory: what an
 * emulator is asked for, in which order, in both execution states. */
#include "../test.h"

#include <string.h>

#include "base/arm.h"
#include "cosim/pmu_insn.h"
#include "isa/system_insn.h"

/* s: show_state, e: the instruction executes, E: with data, c: all is counted, w: before a write,
 * C: changed, a: accessed, n: execution goes on, u, t, d: Undefined, a trap, a Data Abort */
static char calls[32];
static uint64_t reg[32];
static uint32_t cpsr, memory[4];
static struct cosim_exception raised;
static struct cosim_data data_of_insn;
static uint64_t told;
static union armpmu_memory space;
static struct armpmu *pmu;

static void note(char what)
{
    const size_t n = strlen(calls);

    assert_true(n + 1 < sizeof calls);
    calls[n] = what;
}

static uint64_t read_reg(void *cpu, unsigned n)
{
    (void)cpu;
    assert_true(n < 31);
    return reg[n];
}

static void write_reg(void *cpu, unsigned n, uint64_t value)
{
    (void)cpu;
    assert_true(n < 31);
    reg[n] = value;
}

static void write_cpsr(void *cpu, uint32_t value)
{
    (void)cpu;
    cpsr = value;
}

static bool read_mem(void *cpu, uint32_t address, uint32_t *word)
{
    (void)cpu;
    if (address >= sizeof memory)
        return false;
    *word = memory[address / 4];
    return true;
}

static bool write_mem(void *cpu, uint32_t address, uint32_t word)
{
    (void)cpu;
    memory[address / 4] = word;
    return true;
}

static void go_on(void *cpu, const struct cosim_insn *insn)
{
    (void)cpu, (void)insn;
    note('n');
}

static void raise_exception(void *cpu, const struct cosim_insn *insn,
                            const struct cosim_exception *what)
{
    (void)cpu, (void)insn;
    raised = *what;
    note(what->kind == COSIM_UNDEFINED ? 'u' : what->kind == COSIM_TRAP ? 't' : 'd');
}

static void retire(void *cpu, const struct cosim_insn *insn, const struct cosim_data *data)
{
    (void)cpu, (void)insn;
    note(data != NULL ? 'E' : 'e');
    if (data != NULL)
        data_of_insn = *data;
}

static void sync_counts(void *cpu)
{
    (void)cpu;
    note('c');
}

static void show_state(void *cpu, uint32_t status)
{
    (void)cpu;
    note('s');
    if (status & CPSR_AARCH32) {
        armpmu_set_pin(pmu, ARMPMU_PIN_USER_MODE, (status & CPSR_MODE) == MODE_USR);
        return;
    }
    armpmu_set_pin(pmu, ARMPMU_PIN_EL, pstate_level(status));
}

static void before_write(void *cpu, const struct armpmu_encoding *at)
{
    (void)cpu, (void)at;
    note('w');
}

static void changed(void *cpu)
{
    (void)cpu;
    note('C');
}

static void accessed(void *cpu, const struct cosim_insn *insn, const struct sysreg_insn *sysreg,
                     enum armpmu_outcome outcome, uint64_t value)
{
    (void)cpu, (void)insn, (void)sysreg, (void)outcome;
    told = value;
    note('a');
}

static const struct emulated_cpu_ops ops = {.read_reg = read_reg,
                                            .write_reg = write_reg,
                                            .write_cpsr = write_cpsr,
                                            .read_mem = read_mem,
                                            .write_mem = write_mem,
                                            .skip = go_on,
                                            .raise = raise_exception,
                                            .retire = retire,
                                            .sync = sync_counts,
                                            .show_state = show_state,
                                            .before_write = before_write,
                                            .changed = changed,
                                            .accessed = accessed};

static void begin(const char *core)
{
    const struct armpmu_config config = {.core = core};

    memset(reg, 0, sizeof reg);
    memset(memory, 0, sizeof memory);
    assert_int_equal(armpmu_create(&space, sizeof space, &config, &pmu, NULL), ARMPMU_OK);
}

static void execute(enum armpmu_isa isa, uint32_t word, uint32_t status)
{
    static struct monitors monitors;
    const struct emulated_cpu cpu = {
        .ops = &ops, .monitors = &monitors, .has_fine_traps = true, .has_el3 = true};
    const struct cosim_insn insn = {isa, word, 0x8000, status, NULL};

    monitors.n = 1;
    monitors.pmu[0] = pmu;
    memset(calls, 0, sizeof calls);
    pmu_insn_execute(&cpu, &insn);
}

#define SVC (MODE_SVC | CPSR_AARCH32)
#define USR (MODE_USR | CPSR_AARCH32)

#define MCR_PMNC_R1   0xee091f1cu
#define MRC_PMNC_R2   0xee192f1cu
#define MRC_PMNC_R15  0xee19ff1cu
#define MCR_CNTENC_R1 0xee091f5cu

TEST(a_write_counts_itself_before_it_takes_effect)
{
    begin("cortex-a8");
    reg[1] = 1;
    execute(ARMPMU_A32, MCR_PMNC_R1, SVC);
    assert_string_equal(calls, "secwCan");
    assert_int_equal(told, 1);
    execute(ARMPMU_T32, MRC_PMNC_R2, SVC);
    assert_string_equal(calls, "sean");
    assert_int_equal(reg[2] & 1, 1);
}

TEST(what_stops_counting_is_not_counted)
{
    begin("cortex-a8");
    execute(ARMPMU_A32, MCR_PMNC_R1, SVC);
    assert_string_equal(calls, "sweCan");
    reg[1] = 0x80000000;
    execute(ARMPMU_A32, MCR_CNTENC_R1, SVC);
    assert_string_equal(calls, "sweCan");
}

/* The top bits of PMNC are IMP, 0x41: only V of NZCV. */
TEST(a_read_into_the_pc_sets_the_flags)
{
    begin("cortex-a8");
    execute(ARMPMU_A32, MRC_PMNC_R15, SVC | CPSR_N | CPSR_C);
    assert_string_equal(calls, "sean");
    assert_int_equal(cpsr, SVC | (0x41000000 & CPSR_NZCV));
}

TEST(a_refused_access_changes_nothing)
{
    begin("cortex-a8");
    reg[1] = 1;
    execute(ARMPMU_A32, MCR_PMNC_R1, USR);
    assert_string_equal(calls, "sau");
    execute(ARMPMU_A32, MRC_PMNC_R2, SVC);
    assert_int_equal(reg[2] & 1, 0);
}

/* ---- LDC and STC, of an XScale with the register at its number ---- */

#define LDC_PMNC_R1_4 0xedb10e01u /* ldc p14, c0, [r1, #4]! */
#define STC_PMNC_R1_4 0xeca10e01u /* stc p14, c0, [r1], #4 */
#define STC_PMNC_PC   0xed0f0e02u /* stc p14, c0, [pc, #-8] */

TEST(a_word_moves_between_memory_and_the_monitor)
{
    begin("xscale1");
    memory[2] = 0x0ff00001;
    reg[1] = 4;
    execute(ARMPMU_A32, LDC_PMNC_R1_4, SVC);
    assert_string_equal(calls, "sEcwCan");
    assert_int_equal(data_of_insn.address, 8);
    assert_false(data_of_insn.write);
    assert_int_equal(reg[1], 8);
    execute(ARMPMU_A32, STC_PMNC_R1_4, SVC);
    assert_string_equal(calls, "sEan");
    assert_int_equal(data_of_insn.address, 8);
    assert_true(data_of_insn.write);
    assert_int_equal(reg[1], 12);
    assert_int_equal(memory[2] & 1, 1);
}

TEST(a_load_that_stops_counting_is_not_counted)
{
    begin("xscale1");
    execute(ARMPMU_A32, LDC_PMNC_R1_4, SVC);
    assert_string_equal(calls, "swECan");
}

TEST(without_memory_the_access_aborts)
{
    begin("xscale1");
    reg[1] = 0x100;
    execute(ARMPMU_A32, LDC_PMNC_R1_4, SVC);
    assert_string_equal(calls, "sd");
    assert_int_equal(raised.data.address, 0x104);
    assert_false(raised.data.write);
    assert_int_equal(reg[1], 0x100); /* no write-back */
    execute(ARMPMU_A32, STC_PMNC_PC, SVC);
    assert_string_equal(calls, "sd");
    assert_int_equal(raised.data.address, 0x8000);
    assert_true(raised.data.write);
}

/* ---- AArch64 ---- */

#define EL(n)               ((n) << 2)
#define MSR_AMCNTENSET0_X0  0xd51bd2a0u
#define MRS_X1_AMCNTENSET0  0xd53bd2a1u
#define MRS_XZR_AMCNTENSET0 0xd53bd2bfu
#define MSR_HAFGRTR_X0      0xd51c31c0u
#define MRS_X1_HAFGRTR      0xd53c31c1u

TEST(activity_monitors_are_accessed_alike)
{
    begin("amuv1");
    reg[0] = 4;
    execute(ARMPMU_A64, MSR_AMCNTENSET0_X0, EL(3));
    assert_string_equal(calls, "secwCan");
    execute(ARMPMU_A64, MRS_X1_AMCNTENSET0, EL(3));
    assert_string_equal(calls, "sean");
    assert_int_equal(reg[1], 4);
    execute(ARMPMU_A64, MRS_XZR_AMCNTENSET0, EL(3));
    assert_string_equal(calls, "sean");
}

TEST(a_trap_has_a_level_and_a_syndrome)
{
    begin("amuv1");
    execute(ARMPMU_A64, MRS_X1_AMCNTENSET0, EL(0)); /* AMUSERENR_EL0.EN is zero */
    assert_string_equal(calls, "sat");
    assert_int_equal(raised.level, 1);
    assert_int_equal(raised.syndrome >> 26, 0x18); /* of a system register */
    assert_int_equal(raised.syndrome >> 5 & 31, 1);
}

TEST(fine_grained_traps_are_a_pin)
{
    begin("amuv1");
    reg[0] = UINT64_MAX;
    execute(ARMPMU_A64, MSR_HAFGRTR_X0, EL(3));
    assert_string_equal(calls, "secwCan");
    execute(ARMPMU_A64, MRS_X1_HAFGRTR, EL(3));
    assert_int_equal(reg[1], UINT64_C(0x3fffffffe001f));
    assert_int_equal(armpmu_pin(pmu, ARMPMU_PIN_HAFGRTR), reg[1]);
    execute(ARMPMU_A64, MRS_X1_HAFGRTR, EL(1));
    assert_string_equal(calls, "sau");
    execute(ARMPMU_A64, MRS_X1_HAFGRTR, EL(2)); /* SCR_EL3.FGTEn is zero */
    assert_string_equal(calls, "sat");
    assert_int_equal(raised.level, 3);
}
