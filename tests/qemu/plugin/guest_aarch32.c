/* Instructions of the system that the core model hears of: which they are, and what is announced.
 */
#include "../../test.h"
#include "base/arm.h"
#include "qemu/plugin/guest_memory.h"
#include "qemu/plugin/guest_translation.h"
#include "cosim/maintenance_insn.h"

struct guest guest;

static struct guest_cpu cpu;
static uint32_t rt_value;
static bool passes;
static const struct code_block *entered;
static const struct code_block own = {.isa = ARMPMU_A32}, thumb = {.isa = ARMPMU_T32}, failed;

void guest_die(const char *reason)
{
    fail_msg("%s", reason);
}

struct qemu_plugin_register *qemu_api_register_find(const struct qemu_api_array *registers,
                                                    const char *name)
{
    (void)registers, (void)name;
    return NULL;
}

void guest_tables_new(struct guest_cpu *of, const struct qemu_api_array *registers)
{
    (void)of, (void)registers;
}

unsigned guest_condition(const struct pmu_access *access)
{
    return access->own->isa == ARMPMU_A32 ? access->word >> 28 : 14;
}

void guest_enter(struct guest_cpu *of, const struct code_block *code_block)
{
    (void)of;
    entered = code_block;
}

uint64_t qemu_api_register_read(struct qemu_plugin_register *reg)
{
    return reg != NULL ? rt_value : passes ? 0 : CPSR_Z; /* the CPSR is none: NE or not */
}

static uint64_t execute(const struct code_block *code_block, uint32_t word, uint32_t value)
{
    struct pmu_access access = {NULL, code_block, &failed, word};

    cpu = (struct guest_cpu){.number = 0};
    cpu.reg[1] = (struct qemu_plugin_register *)(uintptr_t)1;
    guest.cpus[0] = &cpu;
    rt_value = value;
    entered = NULL;
    guest_aarch32.sysop(0, &access);
    return cpu.announced[0];
}

#define FLUSH_ALL        armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0)
#define FLUSH_PAGE(page) (FLUSH_ALL | ARMPMU_RECORD_ONE_PAGE | (uint64_t)(page) << 20)
#define MMU(on)          (armpmu_record(ARMPMU_RECORD_MMU, 0) | (on))

#define CACHE(bits, operand)     (armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits) | (operand))
#define PREDICTOR(bits, operand) (armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, bits) | (operand))
#define I                        ARMPMU_CACHE_INSTRUCTION
#define D                        ARMPMU_CACHE_DATA
#define INVALIDATE               ARMPMU_CACHE_INVALIDATE
#define CLEAN                    ARMPMU_CACHE_CLEAN
#define LINE                     ARMPMU_CACHE_ADDRESS
#define COHERENT                 (ARMPMU_CACHE_ADDRESS | ARMPMU_CACHE_COHERENCY)
#define SET_WAY                  ARMPMU_CACHE_SET_WAY

TEST(each_operation_is_announced)
{
    const struct {
        int line;
        uint32_t word, value;
        uint64_t announced;
    } cases[] = {
        {__LINE__, 0xee081f17, 0, FLUSH_ALL},                    /* c8, c7, 0: TLBIALL     */
        {__LINE__, 0xee081f15, 0, FLUSH_ALL},                    /* c8, c5, 0: ITLBIALL    */
        {__LINE__, 0xee081f16, 0, FLUSH_ALL},                    /* c8, c6, 0: DTLBIALL    */
        {__LINE__, 0xee081f13, 0, FLUSH_ALL},                    /* c8, c3, 0: TLBIALLIS   */
        {__LINE__, 0xee081f37, 0x12345042, FLUSH_PAGE(0x12345)}, /* c8, c7, 1: TLBIMVA     */
        {__LINE__, 0xee081f77, 0xfffff000, FLUSH_PAGE(0xfffff)}, /* c8, c7, 3: TLBIMVAA    */
        {__LINE__, 0xee081f57, 0x42, FLUSH_ALL},                 /* c8, c7, 2: TLBIASID    */
        {__LINE__, 0xee011f10, 0x00c51879, MMU(1)},              /* SCTLR with M           */
        {__LINE__, 0xee011f10, 0x00c51878, MMU(0)},              /* and without            */
        {__LINE__, 0xee071f15, 0, CACHE(I | INVALIDATE, 0)},     /* c7, c5, 0: ICIALLU     */
        {__LINE__, 0xee071f11, 0, CACHE(I | INVALIDATE, 0)},     /* c7, c1, 0: ICIALLUIS   */
        {__LINE__, 0xee071f35, 0x8040, CACHE(I | INVALIDATE | LINE, 0x8040)}, /* ICIMVAU  */
        {__LINE__, 0xee071fd5, 0, PREDICTOR(0, 0)},           /* c7, c5, 6: BPIALL      */
        {__LINE__, 0xee071fd1, 0, PREDICTOR(0, 0)},           /* c7, c1, 6: BPIALLIS    */
        {__LINE__, 0xee071ff5, 0x8004, PREDICTOR(1, 0x8004)}, /* c7, c5, 7: BPIMVA      */
        {__LINE__, 0xee071f36, 0x9000, CACHE(D | INVALIDATE | COHERENT, 0x9000)}, /* DCIMVAC */
        {__LINE__, 0xee071f56, 0x40000042, CACHE(D | INVALIDATE | SET_WAY, 0x40000042)},
        {__LINE__, 0xee071f3a, 0x9000, CACHE(D | CLEAN | COHERENT, 0x9000)}, /* DCCMVAC */
        {__LINE__, 0xee071f5a, 0x42, CACHE(D | CLEAN | SET_WAY, 0x42)},      /* DCCSW   */
        {__LINE__, 0xee071f3b, 0x9000, CACHE(D | CLEAN | LINE, 0x9000)},     /* DCCMVAU */
        {__LINE__, 0xee071f3e, 0x9000, CACHE(D | CLEAN | INVALIDATE | COHERENT, 0x9000)},
        {__LINE__, 0xee071f5e, 0x42, CACHE(D | CLEAN | INVALIDATE | SET_WAY, 0x42)},
        {__LINE__, 0xee071f17, 0, CACHE(I | D | INVALIDATE, 0)}, /* c7, c7, 0 of an XScale */
        {__LINE__, 0xee071f16, 0, CACHE(D | INVALIDATE, 0)},     /* c7, c6, 0              */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!maintenance_insn_is(ARMPMU_A32, cases[i].word) ||
            !maintenance_insn_is(ARMPMU_T32, cases[i].word))
            fail_msg("line %d: not seen", cases[i].line);
        if (execute(&own, cases[i].word, cases[i].value) != cases[i].announced)
            fail_msg("line %d: 0x%016llx", cases[i].line, (unsigned long long)cpu.announced[0]);
        assert_ptr_equal(entered, &own);
        assert_int_equal(execute(&thumb, cases[i].word, cases[i].value), cases[i].announced);
    }
}

TEST(others_are_left_alone)
{
    static const uint32_t records[] = {
        0xee181f17, /* MRC */
        0xee081e17, /* p14 */
        0xee281f17, /* opcode 1 */
        0xfe081f17, /* MCR2 */
        0xee0d1f30, /* CONTEXTIDR, always */
        0xee021f10, /* TTBR0 */
        0xee011f30, /* ACTLR */
        0xee071f9a, /* c7, c10, 4: a barrier */
        0xee071f95, /* c7, c5, 4: another */
        0xee070f90, /* c7, c0, 4: WFI */
    };

    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        assert_false(maintenance_insn_is(ARMPMU_A32, records[i]));
}

/* A word when something has changed, behind what else was announced. */
TEST(masks_are_told_when_they_change)
{
    static struct qemu_plugin_register *const cpsr = (struct qemu_plugin_register *)(uintptr_t)1;

    cpu = (struct guest_cpu){.cpsr = cpsr, .announced = {FLUSH_ALL}};
    guest.cpus[0] = &cpu;
    rt_value = 0x1f;
    guest_look_at_masks(0, NULL);
    assert_int_equal(cpu.announced[1], 0);
    rt_value = 0xdf;
    guest_look_at_masks(0, NULL);
    assert_int_equal(cpu.announced[0], FLUSH_ALL);
    assert_int_equal(cpu.announced[1], armpmu_system_record(ARMPMU_SYSTEM_MASKS, 3));
    cpu.announced[0] = cpu.announced[1] = 0;
    guest_look_at_masks(0, NULL);
    assert_int_equal(cpu.announced[0], 0);
    rt_value = 0x9f;
    guest_look_at_masks(0, NULL);
    assert_int_equal(cpu.announced[0], armpmu_system_record(ARMPMU_SYSTEM_MASKS, 2));
    assert_true(maintenance_insn_has_masks(armpmu_core_find("cortex-r4f")));
    assert_false(maintenance_insn_has_masks(armpmu_core_find("cortex-a8")));
}

/* With all of the instruction cache the branch target buffer goes. */
TEST(some_say_two_things)
{
    execute(&own, 0xee071f15, 0);
    assert_int_equal(cpu.announced[1], PREDICTOR(0, 0));
    execute(&own, 0xee071f35, 0x8000);
    assert_int_equal(cpu.announced[1], 0);
}

/* MCRNE: only its condition tells whether it counts, or does anything. */
TEST(conditions_are_looked_at)
{
    assert_true(maintenance_insn_is(ARMPMU_A32, 0x1e0d1f30));  /* CONTEXTIDR */
    assert_false(maintenance_insn_is(ARMPMU_T32, 0x1e0d1f30)); /* no instruction */
    assert_true(maintenance_insn_is(ARMPMU_T32, 0xee0d1f30));  /* an IT block may hold it */
    passes = false;
    assert_int_equal(execute(&own, 0x1e081f17, 0), 0);
    assert_ptr_equal(entered, &failed);
    assert_int_equal(execute(&own, 0x1e0d1f30, 0), 0);
    assert_ptr_equal(entered, &failed);
    passes = true;
    assert_int_equal(execute(&own, 0x1e081f17, 0), FLUSH_ALL);
    assert_int_equal(execute(&own, 0x1e0d1f30, 0), 0);
    assert_ptr_equal(entered, &own);
}

/* Whoever writes what addresses are translated by, or drops translations, moves pages. */
TEST(what_may_move_pages_is_told)
{
    static const struct {
        int line;
        uint32_t word;
        bool moves;
    } cases[] = {
        {__LINE__, 0xee081f17, true},  /* TLBIALL              */
        {__LINE__, 0xee081f33, true},  /* TLBIMVAIS            */
        {__LINE__, 0xee881f97, true},  /* TLBIALLNSNH: op1 4   */
        {__LINE__, 0xee011f10, true},  /* SCTLR                */
        {__LINE__, 0x0e011f10, true},  /* on a condition       */
        {__LINE__, 0xee011f11, true},  /* SCR                  */
        {__LINE__, 0xee021f10, true},  /* TTBR0                */
        {__LINE__, 0xee021f50, true},  /* TTBCR                */
        {__LINE__, 0xee0d1f30, true},  /* CONTEXTIDR           */
        {__LINE__, 0xec421f02, true},  /* MCRR, TTBR0          */
        {__LINE__, 0xee0a1f12, true},  /* PRRR                 */
        {__LINE__, 0xee181f17, false}, /* MRC                  */
        {__LINE__, 0xee081e17, false}, /* of CP14              */
        {__LINE__, 0xee0d1f70, false}, /* TPIDRURO             */
        {__LINE__, 0xee071f15, false}, /* ICIALLU              */
        {__LINE__, 0xee0c1f10, false}, /* VBAR                 */
        {__LINE__, 0xec421f2e, false}, /* MCRR, a timer        */
        {__LINE__, 0xec521f02, false}, /* MRRC                 */
        {__LINE__, 0xe5821000, false}, /* a store              */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool a32 = guest_aarch32.may_move_pages(ARMPMU_A32, cases[i].word);
        const bool t32 = guest_aarch32.may_move_pages(ARMPMU_T32, cases[i].word);
        if (a32 != cases[i].moves || t32 != (cases[i].moves && cases[i].word >> 28 == 14))
            fail_msg("line %d: %d in A32, %d in T32", cases[i].line, a32, t32);
    }
    assert_false(guest_aarch32.may_move_pages(ARMPMU_A32, 0xfe081f17)); /* MCR2 */
}

TEST(modes_are_told_apart)
{
    assert_int_equal(guest_aarch32.mode_of(0x60000010), GUEST_USER);
    assert_int_equal(guest_aarch32.mode_of(0x600001d3), GUEST_PRIVILEGED); /* Supervisor */
    assert_int_equal(guest_aarch32.mode_of(0x1f), GUEST_PRIVILEGED);       /* System     */
    assert_int_equal(guest_aarch32.mode_of(0x1da), GUEST_HYP);
    assert_int_equal(guest_aarch32.mode_of(0x1d6), GUEST_MONITOR);
}
