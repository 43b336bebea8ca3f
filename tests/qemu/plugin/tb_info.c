/* How the plugin reads QEMU's blocks: what an instruction does with memory, whether its access may
 * be left out, and which instruction set it is of. */
#include <stdbool.h>
#include <string.h>
#include "../../test.h"
#include "base/arm.h"
#include "qemu/plugin/tb_info.h"

/* ---- a block of QEMU's -------------------------------------------------------------------------
 */

struct qemu_plugin_insn {
    uint64_t address;
    size_t size;
    const void *bytes;
    const char *text;
};

struct qemu_plugin_tb {
    size_t n;
    struct qemu_plugin_insn insns[4];
};

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
    return tb->n;
}

uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb)
{
    return tb->insns[0].address;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index)
{
    return (struct qemu_plugin_insn *)&tb->insns[index];
}

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
    return insn->size;
}

uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn)
{
    return insn->address;
}

char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn)
{
    return strdup(insn->text != NULL ? insn->text : "");
}

static const void *insn_data(const struct qemu_plugin_insn *insn)
{
    return insn->bytes;
}

/* ---- accesses ----------------------------------------------------------------------------------
 */

#define A32 RING_ISA_A32
#define T32 RING_ISA_T32
#define A64 RING_ISA_A64

enum { NONE = MEM_CLASS_NONE, SINGLE = MEM_CLASS_SINGLE, MULTIPLE = MEM_CLASS_MULTIPLE };

/* word: as it lies in memory, T32's second halfword on top. */
static struct access_facts facts_of(enum ring_isa isa, uint32_t word, unsigned size, uint8_t it)
{
    static struct tb_info info;

    info.isa = isa;
    for (unsigned i = 0; i < 4; i++)
        info.bytes[8 + i] = (uint8_t)(word >> 8 * i);
    return tb_info_access(&info, 8, size, it);
}

TEST(accesses_have_a_class)
{
    static const struct {
        enum ring_isa isa;
        uint32_t word;
        unsigned size;
        unsigned shape;
    } rows[] = {
        {A32, 0xe5912000, 4, SINGLE},   /* ldr r2, [r1] */
        {A32, 0xe0812003, 4, NONE},     /* add r2, r1, r3 */
        {A32, 0xe8bd8010, 4, MULTIPLE}, /* pop {r4, pc} */
        {A32, 0xe8bd0010, 4, SINGLE},   /* pop {r4} */
        {A32, 0xe1012093, 4, SINGLE},   /* swp r2, r3, [r1] */
        {A32, 0xe1c120d0, 4, MULTIPLE}, /* ldrd r2, r3, [r1] */
        {A32, 0xed910b00, 4, SINGLE},   /* vldr d0, [r1] */
        {A32, 0xf421000f, 4, MULTIPLE}, /* vld4.8 {d0-d3}, [r1] */
        {A32, 0xf5d1f040, 4, NONE},     /* pld [r1, #64] */
        {A32, 0xe7f000f0, 4, NONE},     /* udf */
        {T32, 0x0000680a, 2, SINGLE},   /* ldr r2, [r1] */
        {T32, 0x0000b510, 2, MULTIPLE}, /* push {r4, lr} */
        {T32, 0x20c0f8d1, 4, SINGLE},   /* ldr.w r2, [r1, #0xc0] */
        {T32, 0xf003e8d1, 4, SINGLE},   /* tbb [r1, r3] */
        {T32, 0x2300e9d1, 4, MULTIPLE}, /* ldrd r2, r3, [r1] */
        {A64, 0xf9400020, 4, SINGLE},   /* ldr x0, [x1] */
        {A64, 0xa9400820, 4, MULTIPLE}, /* ldp x0, x2, [x1] */
        {A64, 0x3dc00020, 4, MULTIPLE}, /* ldr q0, [x1] */
        {A64, 0x8b020020, 4, NONE},     /* add x0, x1, x2 */
        {A64, 0xd50b7420, 4, SINGLE},   /* dc zva, x0 */
        {A64, 0x85804020, 4, MULTIPLE}, /* ldr z0, [x1] */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct access_facts facts = facts_of(rows[i].isa, rows[i].word, rows[i].size, 0);
        if (facts.mem_class != rows[i].shape)
            fail_msg("%08x: class %u, not %u", rows[i].word, facts.mem_class, rows[i].shape);
    }
}

TEST(accesses_may_be_left_out)
{
    static const struct {
        enum ring_isa isa;
        uint32_t word;
        unsigned size;
        uint8_t it;
        bool conditional;
    } rows[] = {
        {A32, 0x15912000, 4, 0, true},             /* ldrne r2, [r1] */
        {A32, 0xe5912000, 4, 0, false},            /* ldr r2, [r1] */
        {A32, 0xe1812f93, 4, 0, true},             /* strex r2, r3, [r1] */
        {A32, 0xe1c12f93, 4, 0, true},             /* strexb r2, r3, [r1] */
        {A32, 0xe1912f9f, 4, 0, false},            /* ldrex r2, [r1] */
        {A32, 0xf421000f, 4, 0, false},            /* vld4.8 {d0-d3}, [r1] */
        {T32, 0x0000680a, 2, 0x04 | 1 << 4, true}, /* ldr r2, [r1] in an IT block */
        {T32, 0x0000680a, 2, 0, false},
        {T32, 0x0000680a, 2, 0xe8, false}, /* it al */
        {T32, 0x3200e841, 4, 0, true},     /* strex r2, r3, [r1] */
        {T32, 0x3f42e8c1, 4, 0, true},     /* strexb r2, r3, [r1] */
        {T32, 0x3f00e851, 4, 0, false},    /* ldrex r3, [r1] */
        {A64, 0xf9400020, 4, 0, false},    /* ldr x0, [x1] */
        {A64, 0xc8027c20, 4, 0, true},     /* stxr w2, x0, [x1] */
        {A64, 0xc85f7c20, 4, 0, false},    /* ldxr x0, [x1] */
        {A64, 0xd50b7420, 4, 0, true},     /* dc zva, x0 */
        {A64, 0x85804020, 4, 0, false},    /* ldr z0, [x1] */
        {A64, 0xa5e0a020, 4, 0, true},     /* ld1d {z0.d}, p0/z, [x1] */
        {A64, 0xe5e0e020, 4, 0, true},     /* st1d {z0.d}, p0, [x1] */
        {A64, 0xc5e5c020, 4, 0, true},     /* ld1d {z0.d}, p0/z, [x1, z5.d, lsl #3] */
        {A64, 0x05e138a0, 4, 0, false},    /* rev z0.d, z5.d: no access */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (facts_of(rows[i].isa, rows[i].word, rows[i].size, rows[i].it).conditional !=
            rows[i].conditional)
            fail_msg("%08x", rows[i].word);
    }
}

TEST(accesses_happen_once)
{
    static const struct {
        enum ring_isa isa;
        uint32_t word;
        bool once;
    } rows[] = {
        {A32, 0xe5912000, true},  /* ldr r2, [r1] */
        {A32, 0xe1912f9f, true},  /* ldrex r2, [r1] */
        {A32, 0x15912000, false}, /* ldrne r2, [r1] */
        {A32, 0xe1812f93, false}, /* strex r2, r3, [r1] */
        {A32, 0xe1012093, false}, /* swp r2, r3, [r1] */
        {A32, 0xe8bd8010, false}, /* pop {r4, pc} */
        {A32, 0xe0812003, false}, /* add r2, r1, r3 */
        {T32, 0x20c0f8d1, true},  /* ldr.w r2, [r1, #0xc0] */
        {A64, 0xf9400020, false}, /* ldr x0, [x1] */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (facts_of(rows[i].isa, rows[i].word, 4, 0).once != rows[i].once)
            fail_msg("%08x", rows[i].word);
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

TEST(lengths_tell_the_instruction_set)
{
    static const uint16_t short_one[] = {0x4770}, long_one[] = {0xf8d1, 0x20c0};
    static const uint32_t add = 0xe0812003;
    static struct tb_info info;
    struct qemu_plugin_tb tb = {1, {{0x8000, 2, short_one, NULL}}};

    assert_true(tb_info_read(&tb, false, &info));
    assert_int_equal(info.isa, RING_ISA_T32);
    tb = (struct qemu_plugin_tb){2, {{0x8000, 4, &add, NULL}, {0x8004, 4, &add, NULL}}};
    assert_true(tb_info_read(&tb, false, &info));
    assert_int_equal(info.isa, RING_ISA_A32);
    assert_int_equal(info.n_bytes, 8);
    tb = (struct qemu_plugin_tb){1, {{0x8000, 4, long_one, NULL}}};
    assert_true(tb_info_read(&tb, false, &info));
    assert_int_equal(info.isa, RING_ISA_UNKNOWN);
    tb = (struct qemu_plugin_tb){1, {{0x8002, 4, long_one, NULL}}};
    assert_true(tb_info_read(&tb, false, &info));
    assert_int_equal(info.isa, RING_ISA_T32);
}

/* What lengths do not tell: two words that are instructions of both. */
static const uint16_t both[] = {0xeb01, 0x0202, 0xf3bf, 0x8f6f}; /* add.w r2, r1, r2; isb */
static const struct qemu_plugin_tb untold = {
    2, {{0x8000, 4, &both[0], NULL}, {0x8004, 4, &both[2], NULL}}};
static uint32_t cpsr;

static bool read_cpsr(uint32_t *to)
{
    *to = cpsr;
    return true;
}

static bool read_nothing(uint32_t *to)
{
    (void)to;
    return false;
}

static enum ring_isa isa_of(struct qemu_plugin_tb tb, bool (*registers)(uint32_t *cpsr))
{
    static struct tb_info info;

    tb_info_cpsr = registers;
    assert_true(tb_info_read(&tb, false, &info));
    assert_int_equal(tb_info_shows_isa(&tb), info.isa != RING_ISA_UNKNOWN);
    tb_info_cpsr = NULL;
    return info.isa;
}

TEST(the_processor_tells_the_instruction_set)
{
    struct qemu_plugin_tb tb = untold;

    tb.insns[0].text = "blhi #0xffffffff80c4c0c"; /* asked last */
    cpsr = MODE_USR | CPSR_T;
    assert_int_equal(isa_of(tb, read_cpsr), RING_ISA_T32);
    cpsr = MODE_USR;
    assert_int_equal(isa_of(tb, read_cpsr), RING_ISA_A32);
}

TEST(the_text_tells_the_instruction_set)
{
    struct qemu_plugin_tb tb = untold;

    tb.insns[0].text = "add.w r2, r1, r2";
    assert_int_equal(isa_of(tb, NULL), RING_ISA_T32);
    assert_int_equal(isa_of(tb, read_nothing), RING_ISA_T32);
    tb.insns[0].text = "";
    tb.insns[1].text = "isb sy";
    assert_int_equal(isa_of(tb, NULL), RING_ISA_T32);
}

TEST(nothing_is_guessed)
{
    assert_int_equal(isa_of(untold, NULL), RING_ISA_UNKNOWN);
    assert_int_equal(isa_of(untold, read_nothing), RING_ISA_UNKNOWN);
}

TEST(a64_is_not_looked_at)
{
    static struct tb_info info;

    assert_true(tb_info_read(&untold, true, &info));
    assert_int_equal(info.isa, RING_ISA_A64);
}

TEST(it_blocks_end)
{
    uint8_t it = it_after(0, 0xbf1e); /* ittt ne: three instructions */

    assert_int_equal(it, 0x1e);
    for (int i = 0; i < 3; i++) {
        assert_true((it & 0xf) != 0);
        it = it_after(it, 0x680a);
    }
    assert_int_equal(it, 0);
    assert_int_equal(it_after(0, 0xbf00), 0); /* nop */
}

static int set_up(void **state)
{
    (void)state;
    tb_info_insn_data_v1 = insn_data;
    return tb_info_start(&(struct qemu_info){.target_name = "arm", .system_emulation = true}) ? 0
                                                                                              : -1;
}

static int tear_down(void **state)
{
    (void)state;
    decoder_free(tb_info_decoder);
    return 0;
}

TESTS_WITH(set_up, tear_down)
