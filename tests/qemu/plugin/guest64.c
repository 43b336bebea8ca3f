/* The guest mode on AArch64, with a processor that is a table of registers and a vector table that
 * is an array: where accesses come from, what is refused and how, fields that QEMU lacks, the
 * memory-mapped view, and what the model hears. */
#include "../../test.h"

#include <stdlib.h>
#include <string.h>

#include "cosim/pmu_insn.h"
#include "isa/system_insn.h"
#include "qemu/plugin/guest64.h"
#include "qemu/plugin/guest_memory.h"
#include "qemu/plugin/guest_report.h"

#include "known_plugin.h"

#define NAMES_MAX 64u
#define VBAR      0x80000u

struct guest guest;

static struct guest_cpu cpus[2];
static struct code_block before,
    own = {.address = 0x8000, .n_bytes = 4, .n_insns = 1, .isa = ARMPMU_A64};

/* ---- QEMU ---- */

static struct {
    const char *name[NAMES_MAX];
    uint64_t value[NAMES_MAX];
    unsigned n;
} registers;

static uint8_t memory[4096]; /* at VBAR */
static uint64_t next_pc, physical;
static char entered[16];

static uint64_t *value_of(const char *name)
{
    for (unsigned i = 0; i < registers.n; i++)
        if (strcmp(registers.name[i], name) == 0)
            return &registers.value[i];
    assert_true(registers.n < NAMES_MAX);
    registers.name[registers.n] = name;
    return &registers.value[registers.n++];
}

struct qemu_plugin_register *qemu_api_register_find(const struct qemu_api_array *all,
                                                    const char *name)
{
    (void)all;
    for (uintptr_t i = 0; i < registers.n; i++)
        if (strcmp(registers.name[i], name) == 0)
            return (struct qemu_plugin_register *)(i + 1);
    return NULL;
}

uint64_t qemu_api_register_read(struct qemu_plugin_register *reg)
{
    return registers.value[(uintptr_t)reg - 1];
}

void qemu_api_register_write(struct qemu_plugin_register *reg, uint64_t value)
{
    registers.value[(uintptr_t)reg - 1] = value;
}

bool qemu_api_code_read(uint64_t address, uint8_t *bytes, unsigned n)
{
    memcpy(bytes, &memory[address - VBAR], n);
    return true;
}

bool qemu_api_code_write(uint64_t address, const uint8_t *bytes, unsigned n)
{
    if (address >= VBAR && address - VBAR < sizeof memory)
        memcpy(&memory[address - VBAR], bytes, n);
    return true;
}

static void set_pc(uint64_t address)
{
    next_pc = address;
}

static bool translate(uint64_t address, uint64_t *to)
{
    *to = address;
    return true;
}

static struct qemu_plugin_hwaddr *get_hwaddr(uint32_t info, uint64_t address)
{
    (void)info;
    physical = address;
    return (struct qemu_plugin_hwaddr *)(uintptr_t)1;
}

static bool is_io(const struct qemu_plugin_hwaddr *hw)
{
    (void)hw;
    return false;
}

static uint64_t phys_addr(const struct qemu_plugin_hwaddr *hw)
{
    (void)hw;
    return physical;
}

void (*qemu_api_qemu_plugin_set_pc)(uint64_t) = set_pc;
bool (*qemu_api_qemu_plugin_translate_vaddr)(uint64_t, uint64_t *) = translate;
struct qemu_plugin_hwaddr *(*qemu_api_qemu_plugin_get_hwaddr)(uint32_t, uint64_t) = get_hwaddr;
bool (*qemu_api_qemu_plugin_hwaddr_is_io)(const struct qemu_plugin_hwaddr *) = is_io;
uint64_t (*qemu_api_qemu_plugin_hwaddr_phys_addr)(const struct qemu_plugin_hwaddr *) = phys_addr;

/* An instruction is its address. */
static qemu_vcpu_udata_cb called;
static void *called_with;
static qemu_mem_cb loaded;

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_vcpu_udata_cb call,
                                            enum qemu_cb_flags flags, void *user)
{
    (void)insn, (void)flags;
    called = call;
    called_with = user;
}

void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_mem_cb call,
                                      enum qemu_cb_flags flags, enum qemu_mem_rw rw, void *user)
{
    (void)insn, (void)flags, (void)rw;
    loaded = call;
    called_with = user;
}

unsigned qemu_plugin_mem_size_shift(uint32_t info)
{
    return info;
}

/* ---- the rest of the plugin ---- */

void guest_die(const char *reason)
{
    fail_msg("%s", reason);
}

void guest_enter(struct guest_cpu *cpu, const struct code_block *code_block)
{
    cpu->code_block = code_block;
    strcat(entered, code_block == &before ? "b" : "o");
}

void guest_run(struct guest_cpu *cpu)
{
    if (cpu->code_block == &own)
        armpmu_post(monitors_own(&cpu->monitors), ARMPMU_SIGNAL_INST_RETIRED, 1);
    cpu->code_block = NULL;
    strcat(entered, "r");
}

/* ---- the bench ---- */

static void start_processor(unsigned number)
{
    struct guest_cpu *const cpu = &cpus[number];
    struct armpmu_config config = {0};

    *cpu = (struct guest_cpu){.number = number};
    guest.cpus[number] = cpu;
    guest.state->find(cpu, NULL);
    guest64_amu_config_configure(cpu, &config.amu);
    assert_int_equal(monitors_create(&cpu->monitors, &guest.cores, &config, NULL), ARMPMU_OK);
    guest_pmu_connect(cpu);
    guest.state->begin(cpu);
}

static int begin(void **state)
{
    static const char *const names[] = {
        "x0",      "x1",      "x2",       "x3",       "x4",         "x5",       "x6",     "x7",
        "x8",      "x30",     "sp",       "pc",       "cpsr",       "SP_EL0",   "SP_EL1", "SP_EL2",
        "HCR_EL2", "SCR_EL3", "CPTR_EL2", "CPTR_EL3", "HFGRTR_EL2", "TTBR1_EL2"};

    (void)state;
    known_core = armpmu_core_find("amuv1");
    guest.cores = monitor_cores_of(known_core, NULL);
    memset(&registers, 0, sizeof registers);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        *value_of(names[i]) = 0;
    *value_of("cpsr") = 0x3cd;
    *value_of("SCR_EL3") = 1;
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)i;
    memset(entered, 0, sizeof entered);
    next_pc = 0;
    assert_null(guest64_amu_config_parse(""));
    guest.state = &guest_aarch64;
    start_processor(0);
    start_processor(1);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        free(cpus[i].a64);
    return 0;
}

static void execute(unsigned cpu, uint32_t word)
{
    struct pmu_access access = {&before, &own, NULL, word};

    memset(entered, 0, sizeof entered);
    next_pc = 0;
    guest_access(cpu, &access);
}

#define MSR_AMCNTENSET0_X0 0xd51bd2a0u
#define MRS_X1_AMEVCNTR02  0xd53bd441u
#define MRS_X1_AMCNTENSET0 0xd53bd2a1u
#define MRS_XZR_AMEVCNTR02 0xd53bd45fu
#define MRS_X1_AMUSERENR   0xd53bd261u

/* ---- accesses ---- */

TEST_WITH(instructions_are_read, begin, finish)
{
    struct sysreg_insn sysreg;

    assert_true(sysreg_insn_decode(ARMPMU_A64, MRS_X1_AMEVCNTR02, &sysreg));
    assert_true(sysreg.read);
    assert_int_equal(sysreg.rt, 1);
    assert_int_equal(sysreg.at.access, ARMPMU_ACCESS_MSR);
    assert_int_equal(sysreg.at.coproc, 3);
    assert_int_equal(sysreg.at.op1, 3);
    assert_int_equal(sysreg.at.crn, 13);
    assert_int_equal(sysreg.at.crm, 4);
    assert_int_equal(sysreg.at.op2, 2);
    assert_false(sysreg_insn_decode(ARMPMU_A64, 0xd5087620, &sysreg)); /* DC IVAC, x0 */
    assert_false(sysreg_insn_decode(ARMPMU_A64, 0xd503201f, &sysreg)); /* NOP */
    assert_false(sysreg_insn_decode(ARMPMU_A64, 0xd50041bf, &sysreg)); /* MSR SPSel, #1 */
    assert_true(pmu_insn_is(known_core, ARMPMU_A64, MRS_X1_AMEVCNTR02));
    assert_true(pmu_insn_is(known_core, ARMPMU_A64, 0xd53c31c0));  /* HAFGRTR_EL2 */
    assert_false(pmu_insn_is(known_core, ARMPMU_A64, 0xd53c3180)); /* HDFGRTR_EL2 */
    assert_false(pmu_insn_is(known_core, ARMPMU_A64, 0xd53bd040)); /* TPIDR_EL0 */
}

TEST_WITH(what_enables_a_counter_is_not_counted_by_it, begin, finish)
{
    *value_of("x0") = 4;
    execute(0, MSR_AMCNTENSET0_X0);
    assert_string_equal(entered, "bror");
    assert_int_equal(next_pc, 0x8004);
    execute(0, MRS_X1_AMEVCNTR02);
    assert_string_equal(entered, "bro");
    assert_int_equal(*value_of("x1"), 0);
    execute(0, MRS_X1_AMEVCNTR02);
    assert_int_equal(*value_of("x1"),
                     0); /* the code_block in front of it was emptied by the bench */
    armpmu_post(monitors_own(&cpus[0].monitors), ARMPMU_SIGNAL_INST_RETIRED, 7);
    execute(0, MRS_XZR_AMEVCNTR02);
    execute(0, MRS_X1_AMEVCNTR02);
    assert_int_equal(*value_of("x1"), 7);
    execute(1, MRS_X1_AMCNTENSET0);
    assert_int_equal(*value_of("x1"), 0); /* the other processor's is another unit */
}

TEST_WITH(firmware_may_have_enabled_all, begin, finish)
{
    assert_null(guest64_amu_config_parse("enabled"));
    guest64_begin(&cpus[0]);
    execute(0, MRS_X1_AMCNTENSET0);
    assert_int_equal(*value_of("x1"), 0xf);
}

TEST_WITH(words_for_the_unit_are_checked, begin, finish)
{
    static const char *const wrong[] = {"on",        "enabled,v1p1", "group1",    "group1:",
                                        "group1:17", "group1:-1",    "group1:5x", "enabled+x"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_non_null(guest64_amu_config_parse(wrong[i]));
}

/* ---- refusals ---- */

TEST_WITH(undefined_is_left_to_the_processor, begin, finish)
{
    *value_of("cpsr") = 0x3c5; /* EL1h */
    execute(0, MSR_AMCNTENSET0_X0);
    assert_string_equal(entered, "bro");
    assert_int_equal(next_pc, 0);
    assert_int_equal(*value_of("cpsr"), 0x3c5);
    guest64_except(&cpus[0], 0x8000, VBAR + 0x200);
    assert_int_equal(memory[0], 0);
}

static uint32_t word_at(unsigned offset)
{
    uint32_t word;

    memcpy(&word, &memory[offset], sizeof word);
    return word;
}

/* From EL1 with its own stack pointer, by CPTR_EL2.TAM. */
static void call_trap(unsigned cpu)
{
    *value_of("CPTR_EL2") = 1u << 30;
    *value_of("cpsr") = 0x600003c5;
    *value_of("sp") = 0x1111;
    *value_of("SP_EL0") = 0x2222;
    *value_of("SP_EL1") = 0xbad;
    for (unsigned i = 0; i < 5; i++)
        registers.value[i] = 0x70 + i;
    execute(cpu, MRS_X1_AMEVCNTR02);
    assert_int_equal(next_pc, 0);
    assert_int_equal(*value_of("cpsr"), 0x600003c8); /* EL2t */
    guest64_except(&cpus[cpu], 0x8000, VBAR);
}

static void run_errand(unsigned cpu)
{
    called = NULL;
    assert_true(guest64_is_stub((struct qemu_plugin_tb *)(uintptr_t)VBAR));
    assert_non_null(called);
    next_pc = 0;
    called(cpu, called_with);
    assert_int_equal(next_pc, VBAR + 0x400);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(registers.value[i], 0x70 + i);
}

TEST_WITH(a_trap_sets_right_what_qemu_cannot_know, begin, finish)
{
    assert_false(guest64_is_stub((struct qemu_plugin_tb *)(uintptr_t)VBAR));
    call_trap(0);
    /* ESR: class 0x18, S3_3_C13_C4_2 read into x1. */
    assert_int_equal(*value_of("x0"), 0x62000000u | 3u << 20 | 2u << 17 | 3u << 14 | 13u << 10 |
                                          1u << 5 | 4u << 1 | 1u);
    assert_int_equal(*value_of("x1"), 0x600003c5);
    assert_int_equal(*value_of("x2"), 0x2222);
    assert_int_equal(*value_of("x3"), 0x1111);
    assert_int_equal(word_at(0), 0xd51c5200);  /* MSR ESR_EL2, x0 */
    assert_int_equal(word_at(4), 0xd51c4001);  /* MSR SPSR_EL2, x1 */
    assert_int_equal(word_at(8), 0xd5184102);  /* MSR SP_EL0, x2 */
    assert_int_equal(word_at(12), 0xd51c4103); /* MSR SP_EL1, x3 */
    run_errand(0);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(memory[i], i);
    assert_false(guest64_is_stub((struct qemu_plugin_tb *)(uintptr_t)VBAR));
}

TEST_WITH(two_processors_share_a_vector, begin, finish)
{
    call_trap(0);
    call_trap(1);
    run_errand(0);
    assert_int_equal(word_at(0), 0xd51c5200); /* the other still needs it */
    for (unsigned i = 0; i < 5; i++)
        registers.value[i] = 0;
    run_errand(1);
    assert_int_equal(memory[0], 0);
    assert_int_equal(memory[5], 5);
}

TEST_WITH(an_interrupt_between_is_no_trap, begin, finish)
{
    call_trap(0);
    run_errand(0);
    guest64_except(&cpus[0], 0x8000, VBAR); /* another exception from there later */
    assert_int_equal(memory[1], 1);
}

static void memory_is_the_guests(void)
{
    for (size_t i = 0; i < sizeof memory; i++)
        assert_int_equal(memory[i], (uint8_t)i);
}

/* The handler of an interrupt to EL2 accesses the unit, which EL3 traps. */
TEST_WITH(an_errand_is_interrupted_by_another, begin, finish)
{
    call_trap(0);
    const uint64_t lent = *value_of("x0");
    *value_of("cpsr") = 0x3c9; /* EL2h */
    *value_of("CPTR_EL3") = 1u << 30;
    execute(0, MRS_X1_AMEVCNTR02);
    assert_int_equal(*value_of("cpsr"), 0x3cc); /* EL3t */
    guest64_except(&cpus[0], 0x8000, VBAR + 0x800);
    assert_true(guest64_is_stub((struct qemu_plugin_tb *)(uintptr_t)(VBAR + 0x800)));
    called(0, called_with);
    assert_int_equal(next_pc, VBAR + 0xc00);
    assert_int_equal(*value_of("x0"), lent);
    assert_int_equal(memory[0x801], 1);
    *value_of("cpsr") = 0x3c8; /* back in EL2t */
    run_errand(0);
    memory_is_the_guests();
}

TEST_WITH(an_errand_that_is_not_come_back_from_ends_with_the_next, begin, finish)
{
    for (unsigned i = 0; i < 4 * GUEST_CPUS_MAX; i++) {
        call_trap(0);
        assert_int_equal(word_at(0), 0xd51c5200);
        *value_of("cpsr") = 0x600003c5;
        execute(0, MRS_X1_AMEVCNTR02);
        guest64_except(&cpus[0], 0x8000, VBAR + 0x800);
        assert_int_equal(memory[1], 1);
    }
    call_trap(0);
    run_errand(0);
    memory_is_the_guests();
}

TEST_WITH(a_reset_processor_is_on_no_errand, begin, finish)
{
    call_trap(0);
    guest64_begin(&cpus[0]);
    memory_is_the_guests();
    call_trap(0);
    memset(memory, 0x55, sizeof memory); /* other code was loaded */
    guest64_begin(&cpus[0]);
    assert_int_equal(memory[0], 0x55);
    assert_false(guest64_is_stub((struct qemu_plugin_tb *)(uintptr_t)VBAR));
}

/* ---- fields ---- */

#define MRS_X2_PFR0 0xd5380402u
#define MSR_HCR_X2  0xd51c1102u
#define MRS_X3_HCR  0xd53c1103u

TEST_WITH(id_register_says_there_is_a_unit, begin, finish)
{
    guest64_watch_fields(NULL, 0x9000, 0, MRS_X2_PFR0);
    called(0, called_with);
    guest64_watch_fields(NULL, 0x9004, MRS_X2_PFR0, 0xd503201f);
    *value_of("x2") = 0x1111;
    called(0, called_with);
    assert_int_equal(*value_of("x2"), 0x100000001111);
    *value_of("x2") = 0x2222;
    called(0, called_with); /* reached again, from elsewhere */
    assert_int_equal(*value_of("x2"), 0x2222);
}

TEST_WITH(a_trapped_read_is_not_made_whole, begin, finish)
{
    guest64_watch_fields(NULL, 0x9000, 0, MRS_X2_PFR0);
    called(0, called_with);
    guest64_except(&cpus[0], 0x9000, VBAR + 0x400);
    guest64_watch_fields(NULL, 0x9004, MRS_X2_PFR0, 0xd503201f);
    *value_of("x2") = 0;
    called(0, called_with);
    assert_int_equal(*value_of("x2"), 0);
}

TEST_WITH(v1p1_keeps_what_qemu_does_not, begin, finish)
{
    *value_of("x2") = UINT64_C(1) << 51;
    guest64_watch_fields(NULL, 0x9000, 0, MSR_HCR_X2);
    called(0, called_with);
    assert_int_equal(cpus[0].a64->kept[KEPT_HCR_AMVOFFEN], 0); /* not of AMUv1 */
    assert_null(guest64_amu_config_parse("v1p1"));
    called(0, called_with);
    assert_int_equal(cpus[0].a64->kept[KEPT_HCR_AMVOFFEN], 1);
    *value_of("cpsr") = 0x3c5;
    *value_of("x2") = 0;
    called(0, called_with); /* EL1 does not write it */
    assert_int_equal(cpus[0].a64->kept[KEPT_HCR_AMVOFFEN], 1);
}

/* ---- the model ---- */

static uint64_t announced_by(uint32_t word, uint64_t x0)
{
    struct pmu_access access = {&before, &own, NULL, word};

    *value_of("x0") = x0;
    cpus[0].announced[0] = 0;
    assert_true(guest64_is_sysop(ARMPMU_A64, word));
    guest64_sysop(0, &access);
    return cpus[0].announced[0];
}

TEST_WITH(maintenance_and_translation_are_announced, begin, finish)
{
    cpus[0].mode = GUEST_PRIVILEGED;
    *value_of("cpsr") = 0x3c5;
    assert_int_equal(announced_by(0xd5088720, 0x0042000ffff80123), /* TLBI VAE1, x0 */
                     armpmu_record(ARMPMU_RECORD_TLBI64, 0) | 0xffff80123);
    assert_int_equal(announced_by(0xd5088760, 0x1234), /* TLBI VAAE1, x0 */
                     armpmu_record(ARMPMU_RECORD_TLBI64, 0) | 0x1234);
    assert_int_equal(announced_by(0xd508871f, 0), armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0));
    assert_int_equal(announced_by(0xd5088220, 0x1234), /* TLBI RVAE1IS: a range */
                     armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0));
    assert_int_equal(announced_by(0xd5181000, 0x1005), armpmu_record(ARMPMU_RECORD_MMU, 0) | 1);
    guest64_change_regime(&cpus[0], GUEST_PRIVILEGED, GUEST_MONITOR);
    assert_int_equal(cpus[0].announced[0], armpmu_record(ARMPMU_RECORD_MMU, 0));
    assert_int_equal(announced_by(0xd51c1000, 1), 0); /* SCTLR_EL2, from where it does not act */
    assert_false(guest64_is_sysop(ARMPMU_A64, 0xd503201f));
    assert_false(guest64_is_sysop(ARMPMU_A64, 0xd5381000)); /* MRS */
}

#define CACHE(bits, operand) (armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits) | (operand))

TEST_WITH(preloads_are_announced, begin, finish)
{
    const uint64_t preload = armpmu_system_record(ARMPMU_SYSTEM_PRELOAD, 0);
    const uint64_t outer = armpmu_system_record(ARMPMU_SYSTEM_PRELOAD, ARMPMU_PRELOAD_OUTER);
    assert_int_equal(announced_by(0xf9802000, 0x1000), preload | 0x1040); /* [x0, #64], L1 */
    assert_int_equal(announced_by(0xf9802002, 0x1000), outer | 0x1040);   /* L2 */
    assert_int_equal(announced_by(0xf89c0000, 0x1000), preload | 0xfc0);  /* PRFUM [x0, #-64] */
    assert_int_equal(announced_by(0xf8a07800, 0x1000), preload | 0x9000); /* [x0, x0, lsl #3] */
    assert_false(guest64_is_sysop(ARMPMU_A64, 0xf9802018));               /* a reserved hint */
    assert_false(guest64_is_sysop(ARMPMU_A64, 0xf9402000));               /* ldr */
}

TEST_WITH(maintenance_of_caches_is_announced, begin, finish)
{
    enum {
        CODE = ARMPMU_CACHE_INVALIDATE | ARMPMU_CACHE_INSTRUCTION,
        AT = ARMPMU_CACHE_DATA | ARMPMU_CACHE_ADDRESS,
        OUT = AT | ARMPMU_CACHE_COHERENCY,
        SET_WAY = ARMPMU_CACHE_DATA | ARMPMU_CACHE_SET_WAY,
        CLEAN = ARMPMU_CACHE_CLEAN,
        INVALIDATE = ARMPMU_CACHE_INVALIDATE,
    };
    static const struct {
        int line;
        uint32_t word;
        unsigned bits;
    } cases[] = {
        {__LINE__, 0xd508711f, CODE},                         /* IC IALLUIS */
        {__LINE__, 0xd508751f, CODE},                         /* IC IALLU */
        {__LINE__, 0xd50b7520, CODE | ARMPMU_CACHE_ADDRESS},  /* IC IVAU, x0 */
        {__LINE__, 0xd5087620, OUT | INVALIDATE},             /* DC IVAC, x0 */
        {__LINE__, 0xd5087640, SET_WAY | INVALIDATE},         /* DC ISW, x0 */
        {__LINE__, 0xd5087a40, SET_WAY | CLEAN},              /* DC CSW, x0 */
        {__LINE__, 0xd5087e40, SET_WAY | CLEAN | INVALIDATE}, /* DC CISW, x0 */
        {__LINE__, 0xd50b7a20, OUT | CLEAN},                  /* DC CVAC, x0 */
        {__LINE__, 0xd50b7b20, AT | CLEAN},                   /* DC CVAU, x0 */
        {__LINE__, 0xd50b7c20, OUT | CLEAN},                  /* DC CVAP, x0 */
        {__LINE__, 0xd50b7d20, OUT | CLEAN},                  /* DC CVADP, x0 */
        {__LINE__, 0xd50b7e20, OUT | CLEAN | INVALIDATE},     /* DC CIVAC, x0 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t x0 = (cases[i].word & 31) == 0 ? UINT64_C(0x800012345678) : 0;
        if (announced_by(cases[i].word, UINT64_C(0xffff800012345678)) != CACHE(cases[i].bits, x0))
            fail_msg("line %d", cases[i].line);
        assert_false(guest64_may_move_pages(ARMPMU_A64, cases[i].word));
    }
    assert_false(guest64_is_sysop(ARMPMU_A64, 0xd50b7420)); /* DC ZVA, x0: a store */
    assert_false(guest64_is_sysop(ARMPMU_A64, 0xd5087800)); /* AT S1E1R, x0 */
}

TEST_WITH(what_moves_pages_is_known, begin, finish)
{
    assert_true(guest64_may_move_pages(ARMPMU_A64, 0xd5182000));  /* MSR TTBR0_EL1 */
    assert_true(guest64_may_move_pages(ARMPMU_A64, 0xd5181000));  /* MSR SCTLR_EL1 */
    assert_true(guest64_may_move_pages(ARMPMU_A64, 0xd508871f));  /* TLBI */
    assert_false(guest64_may_move_pages(ARMPMU_A64, 0xd51bd040)); /* MSR TPIDR_EL0 */
    assert_false(guest64_may_move_pages(ARMPMU_A64, 0xd5382000)); /* MRS TTBR0_EL1 */
    assert_false(guest64_may_move_pages(ARMPMU_A64, 0xf9400000)); /* LDR */
}

TEST_WITH(returns_are_known, begin, finish)
{
    assert_true(guest64_returns(0xd69f03e0));
    assert_true(guest64_returns(0xd69f0bff));  /* ERETAA */
    assert_true(guest64_returns(0xd69f0fff));  /* ERETAB */
    assert_false(guest64_returns(0xd65f03c0)); /* RET */
    assert_false(guest64_returns(0xd6bf03e0)); /* DRPS */
}

/* ---- the memory-mapped view ---- */

static void load(uint32_t word, unsigned shift, uint64_t address)
{
    next_pc = 0;
    loaded = NULL;
    guest64_memory_view_watch(NULL, 0x9000, word);
    assert_non_null(loaded);
    loaded(0, shift, address, called_with);
}

TEST_WITH(a_load_of_the_view_gets_what_the_unit_says, begin, finish)
{
    assert_false(guest64_memory_view_watch(NULL, 0x9000, 0xb9400000)); /* there is none yet */
    assert_non_null(guest64_memory_view_parse("0x81001"));
    assert_non_null(guest64_memory_view_parse("0x81000:5"));
    assert_null(guest64_memory_view_parse("0x100000:0x1000"));
    *value_of("x0") = 0;
    load(0xb9400fc0, 2, 0x200404); /* elsewhere */
    assert_int_equal(next_pc, 0);
    load(0xb9440400, 2, 0x100404);     /* LDR W0, [x0, #0x404] */
    assert_int_equal(next_pc, 0x9000); /* begins anew, with its address */
    assert_int_equal(*value_of("x0"), 0x100000);
    load(0xb9440400, 2, 0x100404);
    assert_int_equal(next_pc, 0);
    assert_int_equal(*value_of("x0"), 0x4004); /* AMEVTYPER01 */
    load(0x39bfd001, 0, 0x100ff4);             /* LDRSB x1, [x0, #0xff4] */
    load(0x39bfd001, 0, 0x100ff4);
    assert_int_equal(*value_of("x1"), 0xffffffffffffff90);
    load(0x39ffd001, 0, 0x100ff4); /* LDRSB w1 */
    load(0x39ffd001, 0, 0x100ff4);
    assert_int_equal(*value_of("x1"), 0xffffff90);
    *value_of("x1") = 5;
    load(0x39ffd001, 0, 0x101ff4); /* the next processor's */
    assert_int_equal(*value_of("x1"), 5);
    assert_true(guest64_memory_view_watch(NULL, 0x9000, 0x39ffd001));
    loaded = NULL;
    assert_false(guest64_memory_view_watch(NULL, 0x9000, 0xb9000000)); /* a store */
    assert_false(guest64_memory_view_watch(NULL, 0x9000, 0xf9800000)); /* PRFM */
    assert_false(guest64_memory_view_watch(NULL, 0x9000, 0x3dc00000)); /* LDR Q0 */
    assert_null(loaded);
}
