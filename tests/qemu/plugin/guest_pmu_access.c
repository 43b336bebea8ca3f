/* The guest's accesses to its monitor, with a processor that is only an array of registers: which
 * instructions are taken over, what they do to registers and device, and what counts when. */
#include "../../test.h"

#include <stdlib.h>
#include <string.h>

#include "qemu/plugin/guest_irq.h"
#include "qemu/plugin/guest_memory.h"
#include "qemu/plugin/guest_report.h"
#include "qemu/plugin/guest_translation.h"
#include "cosim/pmu_insn.h"

/* ---- what guest_pmu.c needs of the rest ---- */

struct guest guest;

static struct guest_cpu cpu;
static const struct execution_state no_state; /* as AArch32 where it matters here */
static uint32_t registers[17];                /* r0 to r15, cpsr */
static uint32_t next_pc;                      /* 0: QEMU runs the instruction itself */
static char
    order[16]; /* b: what is before, o: the instruction itself, d: its data, f: failed, r: run
                */
static const struct code_block before = {.address = 0x8000};
static const struct code_block failed = {.address = 0x8000, .n_bytes = 4, .n_insns = 1};
static struct code_block own = {.address = 0x8000, .n_bytes = 4, .n_insns = 1, .isa = ARMPMU_A32};

static void note(char what)
{
    const size_t n = strlen(order);

    assert_true(n + 1 < sizeof order);
    order[n] = what;
}

void guest_enter(struct guest_cpu *of, const struct code_block *code_block)
{
    of->code_block = code_block;
    note(code_block == &before ? 'b' : code_block == &failed ? 'f' : 'o');
}

/* The instruction itself is one executed instruction. */
void guest_run(struct guest_cpu *of)
{
    note('r');
    if (of->code_block == &own)
        armpmu_post(monitors_own(&of->monitors), ARMPMU_SIGNAL_INST_RETIRED, 1);
    of->code_block = NULL;
}

static uint32_t accessed;

void guest_memory_accessed(struct guest_cpu *of, uint64_t address)
{
    assert_ptr_equal(of->code_block, &own);
    note('d');
    accessed = address;
}

void guest_set_limit(struct guest_cpu *of)
{
    (void)of;
}

bool qemu_api_word_write(uint64_t address, uint32_t value)
{
    (void)address, (void)value;
    return false;
}

void guest_report_mark(const struct armpmu_encoding *at)
{
    (void)at;
}

void guest_irq_follow(struct guest_cpu *of)
{
    (void)of;
}

uint64_t qemu_api_register_read(struct qemu_plugin_register *reg)
{
    return registers[(uintptr_t)reg - 1];
}

void qemu_api_register_write(struct qemu_plugin_register *reg, uint64_t value)
{
    registers[(uintptr_t)reg - 1] = (uint32_t)value;
}

static void set_pc(uint64_t address)
{
    next_pc = (uint32_t)address;
}

static bool translate(uint64_t address, uint64_t *to)
{
    *to = address;
    return true;
}

void (*qemu_api_qemu_plugin_set_pc)(uint64_t) = set_pc;
bool (*qemu_api_qemu_plugin_translate_vaddr)(uint64_t, uint64_t *) = translate;

/* The guest's code where the instruction stands. */
static uint8_t memory[4];
static bool memory_is_fixed;

bool qemu_api_code_write(uint64_t address, const uint8_t *bytes, unsigned n)
{
    assert_int_equal(address, 0x8000);
    assert_int_equal(n, 4);
    if (!memory_is_fixed)
        memcpy(memory, bytes, n);
    return !memory_is_fixed;
}

static uint32_t code_word(void)
{
    return memory[0] | (uint32_t)memory[1] << 8 | (uint32_t)memory[2] << 16 |
           (uint32_t)memory[3] << 24;
}

/* Words at addresses below 64; there is no other memory. */
static uint32_t data[16];

bool qemu_api_data_read(uint32_t address, uint32_t *value)
{
    if (address / 4 >= 16)
        return false;
    *value = data[address / 4];
    return true;
}

bool qemu_api_data_write(uint32_t address, uint32_t value)
{
    if (address / 4 >= 16)
        return false;
    data[address / 4] = value;
    return true;
}

/* ---- the bench ---- */

static void start_core(const char *core)
{
    const struct armpmu_config config = {0};
    const struct monitor_cores cores = monitor_cores_of(armpmu_core_find(core), NULL);

    memset(registers, 0, sizeof registers);
    memset(order, 0, sizeof order);
    memset(&cpu, 0, sizeof cpu);
    registers[16] = MODE_SVC;
    next_pc = 0;
    memset(data, 0, sizeof data);
    own.isa = ARMPMU_A32;
    own.it_state = 0;
    own.bytes = (uint8_t *)(uintptr_t) "\x11\x22\x33\x44";
    memory_is_fixed = false;
    assert_int_equal(monitors_create(&cpu.monitors, &cores, &config, NULL), ARMPMU_OK);
    for (uintptr_t i = 0; i < GUEST_CORE_REGS; i++)
        cpu.reg[i] = (struct qemu_plugin_register *)(i + 1);
    cpu.cpsr = (struct qemu_plugin_register *)(uintptr_t)17;
    guest.cpus[0] = &cpu;
    guest.state = &no_state;
    guest_pmu_connect(&cpu);
}

static void start(void)
{
    start_core("cortex-a8");
}

static void execute(uint32_t word)
{
    struct pmu_access access = {&before, &own, &failed, word};

    memset(order, 0, sizeof order);
    next_pc = 0;
    guest_access(0, &access);
}

#define MCR_PMNC_R1   0xee091f1cu
#define MRC_PMNC_R2   0xee192f1cu
#define MRCEQ_PMNC_R2 0x0e192f1cu
#define MCR_CNTENS_R1 0xee091f3cu
#define MCR_CNTENC_R1 0xee091f5cu
#define MCR_EVTSEL_R1 0xee091f3du
#define MCR_PMCNT_R1  0xee091f5du
#define MRC_PMCNT_R2  0xee192f5du
#define MRC_PMCNT_R15 0xee19ff5du
#define MCR_USEREN_R1 0xee091f1eu
#define MCR_INTENS_R1 0xee091f3eu
#define MRC_PMCEID_R2 0xee192fdcu

static void write_register(uint32_t word, uint32_t value)
{
    registers[1] = value;
    execute(word);
}

TEST(instructions_of_the_unit_are_told_from_others)
{
    static const struct {
        int line;
        enum armpmu_isa isa;
        uint32_t word;
        bool taken;
    } cases[] = {
        {__LINE__, ARMPMU_A32, MRC_PMNC_R2, true},
        {__LINE__, ARMPMU_A32, MCR_PMNC_R1, true},
        {__LINE__, ARMPMU_A32, MRCEQ_PMNC_R2, true},
        {__LINE__, ARMPMU_A32, MRC_PMCEID_R2, true}, /* no register of the core: still its space */
        {__LINE__, ARMPMU_T32, MRC_PMNC_R2, true},   /* the same fields */
        {__LINE__, ARMPMU_T32, MRCEQ_PMNC_R2, false},
        {__LINE__, ARMPMU_A32, 0xfe192f1c, false}, /* MRC2 */
        {__LINE__, ARMPMU_A32, 0xee192f0c, false}, /* CDP: bit 4 clear */
        {__LINE__, ARMPMU_A32, 0xee192e1c, false}, /* p14 */
        {__LINE__, ARMPMU_A32, 0xee112f10, false}, /* SCTLR */
        {__LINE__, ARMPMU_A32, 0xee192f1b, false}, /* c9, c11 */
        {__LINE__, ARMPMU_A32, 0xec532f09, true},  /* MRRC p15, 0, r2, r3, c9: Undefined there */
        {__LINE__, ARMPMU_A32, 0xec532f0e, false}, /* MRRC of the timer */
        {__LINE__, ARMPMU_A32, 0xe1a00000, false},
        {__LINE__, ARMPMU_T32, 0x0000bf00, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (pmu_insn_is(armpmu_core_find("cortex-a8"), cases[i].isa, cases[i].word) !=
            cases[i].taken)
            fail_msg("line %d", cases[i].line);
}

TEST(a_read_fills_its_register_and_skips_the_instruction)
{
    start();
    execute(MRC_PMNC_R2);
    assert_int_equal(registers[2], 0x41002000);
    assert_int_equal(next_pc, 0x8004);
    assert_string_equal(order, "bro");
    own.isa = ARMPMU_T32;
    execute(MRC_PMNC_R2);
    assert_int_equal(next_pc, 0x8005); /* stays in Thumb state */
}

TEST(a_read_to_r15_sets_the_flags)
{
    start();
    write_register(MCR_PMCNT_R1, 0xa1234567);
    execute(MRC_PMCNT_R15);
    assert_int_equal(registers[16], 0xa0000000 | MODE_SVC);
    assert_int_equal(registers[15], 0);
}

TEST(a_condition_that_fails_leaves_the_instruction_to_qemu)
{
    start();
    registers[2] = 77;
    execute(MRCEQ_PMNC_R2);
    assert_int_equal(registers[2], 77);
    assert_int_equal(next_pc, 0);
    assert_string_equal(order, "brf");
    registers[16] |= CPSR_Z;
    execute(MRCEQ_PMNC_R2);
    assert_int_equal(registers[2], 0x41002000);
}

/* Each condition with each of the sixteen states of the flags. */
TEST(conditions_are_those_of_the_architecture)
{
    for (uint32_t condition = 0; condition < 15; condition++)
        for (uint32_t flags = 0; flags < 16; flags++) {
            const bool n = flags & 8, z = flags & 4, c = flags & 2, v = flags & 1;
            const bool passes[15] = {
                z,       !z,     c,      !c,           n,           !n,  v, !v, c && !z,
                !c || z, n == v, n != v, !z && n == v, z || n != v, true};
            start();
            registers[16] = flags << 28 | MODE_SVC;
            execute((MRC_PMNC_R2 & 0x0fffffff) | condition << 28);
            assert_int_equal(registers[2] != 0, passes[condition]);
        }
}

/* CFLR is alone among the registers of other units; c15's validation registers are a range. */
TEST(registers_outside_of_the_ranges_are_the_unit_s)
{
    const struct armpmu_core *const r4f = armpmu_core_find("cortex-r4f");

    assert_true(pmu_insn_is(r4f, ARMPMU_A32, 0xee1f2f13));  /* c15, c3, 0 */
    assert_true(pmu_insn_is(r4f, ARMPMU_A32, 0xee1f2ff1));  /* c15, c1, 7 */
    assert_false(pmu_insn_is(r4f, ARMPMU_A32, 0xee1f2f33)); /* c15, c3, 1 */
    assert_false(pmu_insn_is(r4f, ARMPMU_A32, 0xee3f2f13)); /* opcode 1 of 1 */
}

/* Between a start and a stop there are the instructions between, not these two. */
TEST(what_stands_between_is_counted)
{
    start();
    write_register(MCR_EVTSEL_R1, 0x08);
    write_register(MCR_CNTENS_R1, 1);
    write_register(MCR_PMNC_R1, 1);
    assert_string_equal(order, "bror");
    armpmu_post(monitors_own(&cpu.monitors), ARMPMU_SIGNAL_INST_RETIRED, 100);
    write_register(MCR_PMNC_R1, 0);
    assert_string_equal(order, "bro");
    guest_run(&cpu);
    execute(MRC_PMCNT_R2);
    assert_int_equal(registers[2], 100);

    write_register(MCR_PMNC_R1, 1);
    armpmu_post(monitors_own(&cpu.monitors), ARMPMU_SIGNAL_INST_RETIRED, 10);
    write_register(MCR_CNTENC_R1, 1);
    guest_run(&cpu);
    execute(MRC_PMCNT_R2);
    assert_int_equal(registers[2], 110);
}

TEST(a_write_lands_when_its_instruction_has_been_counted)
{
    start();
    write_register(MCR_EVTSEL_R1, 0x08);
    write_register(MCR_CNTENS_R1, 1);
    write_register(MCR_PMNC_R1, 1);
    write_register(MCR_PMCNT_R1, 1000);
    execute(MRC_PMCNT_R2);
    assert_int_equal(registers[2], 1000);
    guest_run(&cpu);
    execute(MRC_PMCNT_R2); /* the read before it has retired */
    assert_int_equal(registers[2], 1001);
}

/* The processor itself takes the exception: at the place of the access stands an undefined
 * instruction until it has. */
TEST(a_refused_access_becomes_an_undefined_instruction)
{
    static const struct {
        int line;
        uint32_t word, mode;
        enum armpmu_isa isa;
        uint32_t pc, code;
    } cases[] = {
        {__LINE__, MRC_PMNC_R2, MODE_USR, ARMPMU_A32, 0x8000, 0xe7f000f0},
        {__LINE__, MCR_PMNC_R1, MODE_USR, ARMPMU_A32, 0x8000, 0xe7f000f0},
        {__LINE__, MRC_PMNC_R2, MODE_USR, ARMPMU_T32, 0x8001, 0xa000f7f0},
        {__LINE__, MRC_PMCEID_R2, MODE_SVC, ARMPMU_A32, 0x8000, 0xe7f000f0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start();
        registers[16] = cases[i].mode;
        registers[1] = 1;
        registers[2] = 55;
        own.isa = cases[i].isa;
        execute(cases[i].word);
        if (next_pc != cases[i].pc || code_word() != cases[i].code || registers[2] != 55)
            fail_msg("line %d: to 0x%x, 0x%08x there", cases[i].line, next_pc, code_word());
        guest_undo_refusal(&cpu);
        assert_int_equal(code_word(), 0x44332211);
        memory[0] = 0;
        guest_undo_refusal(&cpu); /* once */
        assert_int_equal(memory[0], 0);
        registers[16] = MODE_SVC;
        own.isa = ARMPMU_A32;
        execute(MRC_PMNC_R2);
        assert_int_equal(registers[2], 0x41002000); /* the refused write did nothing */
    }
}

TEST(where_nothing_can_be_put_qemu_answers)
{
    start();
    memory_is_fixed = true;
    registers[16] = MODE_USR;
    execute(MRC_PMNC_R2);
    assert_int_equal(next_pc, 0);
    assert_string_equal(order, "bro");
}

TEST(user_mode_may_what_useren_opens)
{
    start();
    write_register(MCR_USEREN_R1, 1);
    assert_int_equal(next_pc, 0x8004);
    registers[16] = MODE_USR;
    execute(MRC_PMNC_R2);
    assert_int_equal(next_pc, 0x8004);
    write_register(MCR_INTENS_R1, 1); /* not even then */
    assert_int_equal(next_pc, 0x8000);
}

/* ---- IT blocks ---- */

#define IT_OF(cpsr) it_of_cpsr(cpsr)

/* ITTE EQ and its like: the instruction, what CPSR's flags and ITSTATE say behind it. QEMU's own
 * ITSTATE is that of where its block began: none. */
TEST(an_it_block_goes_on_behind_an_access)
{
    static const struct {
        int line;
        uint8_t it_state;
        bool z, passes;
        uint8_t after;
    } cases[] = {
        {__LINE__, 0x08, true, true, 0},    /* IT EQ */
        {__LINE__, 0x08, false, false, 0},  /* QEMU goes on itself */
        {__LINE__, 0x18, false, true, 0},   /* IT NE */
        {__LINE__, 0x04, true, true, 0x08}, /* first of ITT EQ */
        {__LINE__, 0x0c, true, true, 0x18}, /* first of ITE EQ: the other follows on NE */
        {__LINE__, 0x01, true, true, 0x02}, /* first of ITTTT EQ */
        {__LINE__, 0xe8, false, true, 0},   /* IT AL */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start();
        own.isa = ARMPMU_T32;
        own.it_state = cases[i].it_state;
        registers[16] |= cases[i].z ? CPSR_Z : 0;
        const uint32_t flags = registers[16];
        execute(MRC_PMNC_R2);
        if (registers[2] != (cases[i].passes ? 0x41002000u : 0) ||
            next_pc != (cases[i].passes ? 0x8005u : 0) || IT_OF(registers[16]) != cases[i].after ||
            (registers[16] & 0xf00000ff) != flags)
            fail_msg("line %d: r2 0x%x, to 0x%x, cpsr 0x%x", cases[i].line, registers[2], next_pc,
                     registers[16]);
        assert_string_equal(order, cases[i].passes ? "bro" : "brf");
    }
}

/* Its block had begun inside of an IT block, which has ended since. */
TEST(an_it_block_that_has_ended_does_not_come_back)
{
    start();
    own.isa = ARMPMU_T32;
    registers[16] |= 0x0400fc00;
    execute(MRC_PMNC_R2);
    assert_int_equal(registers[2], 0x41002000);
    assert_int_equal(registers[16], MODE_SVC);
}

/* The handler's SPSR has the state of the refused instruction. */
TEST(a_refused_access_keeps_its_place_in_the_it_block)
{
    start();
    own.isa = ARMPMU_T32;
    own.it_state = 0x04;
    registers[16] = MODE_USR | CPSR_Z;
    execute(MRC_PMNC_R2);
    assert_int_equal(next_pc, 0x8001);
    assert_int_equal(IT_OF(registers[16]), 0x04);
}

/* ---- XScale ---- */

#define MRC_XSC2_PMNC_R2   0xee102e11u
#define MCR_XSC2_PMNC_R1   0xee001e11u
#define MCR_XSC2_EVTSEL_R1 0xee081e11u
#define MCR_XSC2_PMN0_R1   0xee001e12u
#define MRC_XSC2_PMN0_R2   0xee102e12u
#define MCR_XSC1_CCNT_R1   0xee011e10u
#define MRC_XSC1_CCNT_R2   0xee112e10u
#define LDC_CCNT_R3        0xed931e02u /* ldc p14, c1, [r3, #8] */
#define STC_CCNT_R3_BACK   0xed231e02u /* stc p14, c1, [r3, #-8]! */
#define STC_CCNT_R3_BEHIND 0xeca31e01u /* stc p14, c1, [r3], #4 */
#define STC_CCNT_R3_OPTION 0xec831e01u /* stc p14, c1, [r3], {1} */

TEST(coprocessor_14_reaches_an_xscale_s_unit)
{
    start_core("xscale2");
    execute(MRC_XSC2_PMNC_R2);
    assert_int_equal(registers[2], 0x14000000);
    registers[16] = MODE_USR;
    execute(MRC_XSC2_PMNC_R2);
    assert_int_equal(code_word(), 0xe7f000f0);
    guest_undo_refusal(&cpu);

    start_core("xscale1");
    write_register(MCR_XSC1_CCNT_R1, 1234);
    execute(MRC_XSC1_CCNT_R2);
    assert_int_equal(registers[2], 1234);
}

/* PMN0 has PMNC's CRn. Only PMNC without E counts its own write no more. */
TEST(a_counter_written_with_an_even_number_is_not_stopped)
{
    start_core("xscale2");
    write_register(MCR_XSC2_EVTSEL_R1, 0xffffff07);
    write_register(MCR_XSC2_PMNC_R1, 1);
    write_register(MCR_XSC2_PMN0_R1, 1000);
    assert_string_equal(order, "bror");
    execute(MRC_XSC2_PMN0_R2);
    assert_int_equal(registers[2], 1000);
    write_register(MCR_XSC2_PMNC_R1, 0);
    assert_string_equal(order, "bro");
}

TEST(a_word_goes_between_memory_and_the_unit)
{
    start_core("xscale1");
    data[5] = 77;
    registers[3] = 12;
    execute(LDC_CCNT_R3);
    assert_string_equal(order, "brodr");
    assert_int_equal(accessed, 20);
    assert_int_equal(next_pc, 0x8004);
    execute(MRC_XSC1_CCNT_R2);
    assert_int_equal(registers[2], 77);
    assert_int_equal(registers[3], 12);

    execute(STC_CCNT_R3_BACK);
    assert_string_equal(order, "brod");
    assert_int_equal(data[1], 77);
    assert_int_equal(registers[3], 4);
    registers[3] = 32;
    execute(STC_CCNT_R3_BEHIND);
    assert_int_equal(data[8], 77);
    assert_int_equal(registers[3], 36);
    execute(STC_CCNT_R3_OPTION);
    assert_int_equal(data[9], 77);
    assert_int_equal(registers[3], 36);
}

TEST(a_word_is_refused_to_user_mode)
{
    start_core("xscale1");
    registers[16] = MODE_USR;
    registers[3] = 12;
    execute(STC_CCNT_R3_BACK);
    assert_int_equal(code_word(), 0xe7f000f0);
    assert_int_equal(next_pc, 0x8000);
    assert_int_equal(registers[3], 12);
    assert_string_equal(order, "bro");
}

/* LDR and STR of r0 in its place take the abort: their address is the same, nothing else happens.
 */
TEST(memory_that_is_not_there_aborts)
{
    static const struct {
        uint32_t word, stands;
    } cases[] = {
        {LDC_CCNT_R3, 0xe5930008},
        {STC_CCNT_R3_BACK, 0xe5030008},
        {STC_CCNT_R3_BEHIND, 0xe5830000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start_core("xscale1");
        registers[3] = 0x1000;
        execute(cases[i].word);
        assert_int_equal(code_word(), cases[i].stands);
        assert_int_equal(next_pc, 0x8000);
        assert_int_equal(registers[3], 0x1000);
        guest_undo_refusal(&cpu);
        assert_int_equal(code_word(), 0x44332211);
        registers[3] = 0;
        execute(MRC_XSC1_CCNT_R2);
        assert_int_equal(registers[2], 0);
    }
}

TEST(which_words_are_between_memory_and_the_unit)
{
    static const struct {
        int line;
        const char *core;
        uint32_t word;
        bool claimed;
    } cases[] = {
        {__LINE__, "xscale1", LDC_CCNT_R3, true},  {__LINE__, "xscale1", STC_CCNT_R3_OPTION, true},
        {__LINE__, "xscale1", 0xed934e02, false},  /* c4: no register of the unit's */
        {__LINE__, "xscale1", 0xed931d02, false},  /* p13 */
        {__LINE__, "xscale1", 0xfd931e02, false},  /* LDC2 */
        {__LINE__, "xscale1", 0xedd31e02, false},  /* LDCL */
        {__LINE__, "xscale1", 0xec131e02, false},  /* neither indexed nor up */
        {__LINE__, "xscale2", LDC_CCNT_R3, false}, /* its registers have other CRm */
        {__LINE__, "cortex-a8", 0xed939f02, true}, /* Undefined there */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (pmu_insn_is(armpmu_core_find(cases[i].core), ARMPMU_A32, cases[i].word) !=
            cases[i].claimed)
            fail_msg("line %d", cases[i].line);
}
