/* What page tables say of memory, with a memory that is a list of records and registers that are
 * written by instructions. */
#include "../../test.h"

#include <stdlib.h>
#include <string.h>

#include "qemu/plugin/guest_memory.h"

struct guest guest;

static struct guest_cpu cpu;
static uint32_t rt, rt2, cpsr;
static bool has_tables = true;

void guest_die(const char *reason)
{
    fail_msg("%s", reason);
}

struct qemu_plugin_register *qemu_api_register_find(const struct qemu_api_array *registers,
                                                    const char *name)
{
    (void)registers, (void)name;
    return has_tables ? (struct qemu_plugin_register *)(uintptr_t)1 : NULL;
}

uint64_t qemu_api_register_read(struct qemu_plugin_register *reg)
{
    return (uintptr_t)reg == 1 ? rt : (uintptr_t)reg == 2 ? rt2 : cpsr;
}

/* ---- memory ---- */

static struct {
    uint64_t address;
    uint64_t word;
} memory[16];

static unsigned n_memory, n_reads;

static void put(uint64_t address, uint64_t word)
{
    for (unsigned i = 0; i < n_memory; i++) {
        if (memory[i].address != address)
            continue;
        memory[i].word = word;
        return;
    }
    assert_true(n_memory < sizeof memory / sizeof memory[0]);
    memory[n_memory].address = address;
    memory[n_memory++].word = word;
}

bool qemu_api_memory_read(uint64_t address, void *data, size_t bytes)
{
    n_reads++;
    for (unsigned i = 0; i < n_memory; i++)
        if (memory[i].address == address)
            memcpy(data, &memory[i].word, bytes);
    for (unsigned i = 0; i < n_memory; i++)
        if (memory[i].address == address)
            return true;
    return false;
}

/* ---- instructions ---- */

#define SCTLR    0xee011f10u
#define TTBR0    0xee021f10u
#define TTBR1    0xee021f30u
#define TTBCR    0xee021f50u
#define PRRR     0xee0a1f12u
#define NMRR     0xee0a1f32u
#define TLBIALL  0xee081f17u
#define TLBIMVA  0xee081f37u
#define TLBIASID 0xee081f57u
#define TTBR0_64 0xec421f02u /* MCRR p15, 0, r1, r2, c2 */
#define TTBR1_64 0xec421f12u

#define M   0x1u
#define TRE 0x10000000u
#define EAE 0x80000000u

static void write(uint32_t word, uint32_t value)
{
    assert_true(guest_writes_tables(ARMPMU_A32, word | 0xe0000000));
    rt = value;
    guest_tables_written(0, (void *)(uintptr_t)word);
}

static void forget_processor(void)
{
    free(cpu.tables);
    free(cpu.uncached);
    cpu = (struct guest_cpu){.number = 0};
}

static int begin(void **state)
{
    (void)state;
    forget_processor();
    cpu.reg[1] = (struct qemu_plugin_register *)(uintptr_t)1;
    cpu.reg[2] = (struct qemu_plugin_register *)(uintptr_t)2;
    cpu.cpsr = (struct qemu_plugin_register *)(uintptr_t)3;
    guest.cpus[0] = &cpu;
    n_memory = 0;
    cpsr = rt2 = 0;
    has_tables = true;
    guest_tables_new(&cpu, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    forget_processor();
    return 0;
}

static enum page_memory type_of(uint32_t address)
{
    return guest_memory_of(&cpu, address >> 12, true);
}

/* ---- the tests ---- */

#define SECTION(tex, cb) (0x2u | (uint32_t)(tex) << 12 | (uint32_t)(cb) << 2)
#define SMALL(tex, cb)   (0x2u | (uint32_t)(tex) << 6 | (uint32_t)(cb) << 2)
#define LARGE(tex, cb)   (0x1u | (uint32_t)(tex) << 12 | (uint32_t)(cb) << 2)

TEST_WITH(plain_attributes, begin, end)
{
    static const struct {
        int line;
        unsigned tex, cb;
        enum page_memory type;
    } cases[] = {
        {__LINE__, 0, 0, PAGE_DEVICE},   {__LINE__, 0, 1, PAGE_DEVICE},
        {__LINE__, 0, 2, PAGE_CACHED},   {__LINE__, 0, 3, PAGE_CACHED},
        {__LINE__, 1, 0, PAGE_UNCACHED}, {__LINE__, 1, 3, PAGE_CACHED},
        {__LINE__, 2, 0, PAGE_DEVICE},   {__LINE__, 4, 0, PAGE_UNCACHED},
        {__LINE__, 5, 1, PAGE_CACHED},   {__LINE__, 7, 3, PAGE_CACHED},
    };

    write(TTBR0, 0x4000);
    write(SCTLR, M);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put(0x4000 + 4 * 0x123, SECTION(cases[i].tex, cases[i].cb));
        put(0x4000 + 4 * 0x124, 0x8001); /* a table */
        put(0x8000 + 4 * 0x05, SMALL(cases[i].tex, cases[i].cb));
        put(0x8000 + 4 * 0x16, LARGE(cases[i].tex, cases[i].cb));
        if (type_of(0x12345000) != cases[i].type || type_of(0x12405000) != cases[i].type ||
            type_of(0x12416000) != cases[i].type)
            fail_msg("line %d", cases[i].line);
    }
}

TEST_WITH(remapped_attributes, begin, end)
{
    write(TTBR0, 0x4000);
    write(PRRR, 0x000a0000 | 1u << 2 | 2u << 4 | 2u << 14); /* 1 Device, 2 and 7 Normal */
    write(NMRR, 3u << 14);                                  /* 7 with inner cache */
    write(SCTLR, M | TRE);
    put(0x4000, SECTION(0, 1));
    assert_int_equal(type_of(0), PAGE_DEVICE);
    put(0x4000, SECTION(0, 2));
    assert_int_equal(type_of(0), PAGE_UNCACHED);
    put(0x4000, SECTION(7, 3)); /* TEX[2:1] are software's */
    assert_int_equal(type_of(0), PAGE_CACHED);
    put(0x4000, SECTION(6, 2));
    assert_int_equal(type_of(0), PAGE_UNCACHED);
}

/* With N of 2 the first quarter is TTBR0's, whose table is a quarter as large. */
TEST_WITH(two_tables_share_the_addresses, begin, end)
{
    write(TTBR0, 0x1000 | 0x4a);
    write(TTBR1, 0x8000 | 0x4a);
    write(TTBCR, 2);
    write(SCTLR, M);
    put(0x1000 + 4 * 0x3ff, SECTION(1, 0));
    put(0x8000 + 4 * 0x400, SECTION(0, 1));
    put(0x8000 + 4 * 0xfff, SECTION(1, 0));
    assert_int_equal(type_of(0x3ff00000), PAGE_UNCACHED);
    assert_int_equal(type_of(0x40000000), PAGE_DEVICE);
    assert_int_equal(type_of(0xfffff000), PAGE_UNCACHED);
}

TEST_WITH(long_descriptors, begin, end)
{
    static const uint32_t kinds[8] = {0x00, 0x04, 0x44, 0xff, 0xbb, 0x4f, 0xf4, 0x0c};
    static const enum page_memory types[8] = {PAGE_DEVICE, PAGE_DEVICE, PAGE_UNCACHED, PAGE_CACHED,
                                              PAGE_CACHED, PAGE_CACHED, PAGE_UNCACHED, PAGE_DEVICE};

    write(PRRR, kinds[0] | kinds[1] << 8 | kinds[2] << 16 | kinds[3] << 24);
    write(NMRR, kinds[4] | kinds[5] << 8 | kinds[6] << 16 | kinds[7] << 24);
    write(TTBCR, EAE);
    rt2 = 1; /* above 4 GiB */
    write(TTBR0_64, 0x3000);
    write(SCTLR, M);
    for (uint32_t i = 0; i < 8; i++) {
        put(0x100003000 + 8 * 1, 0x5003);    /* level 1: a table */
        put(0x5000 + 8 * 2, 0x401 | i << 2); /* level 2: a block */
        put(0x5000 + 8 * 3, 0x6003);         /* and a table */
        put(0x6000 + 8 * 4, 0x403 | i << 2); /* level 3: a page */
        assert_int_equal(type_of(0x40400000), types[i]);
        assert_int_equal(type_of(0x40604000), types[i]);
    }
}

/* T0SZ of 2: TTBR0 has the first GiB and its walk begins at level 2; TTBR1 has the rest. */
TEST_WITH(long_tables_share_the_addresses, begin, end)
{
    write(PRRR, 0x0000ff44); /* 0 without cache, 1 with, 2 a device's */
    write(TTBCR, EAE | 2);
    write(TTBR0_64, 0x3000);
    write(TTBR1_64, 0x4000);
    write(SCTLR, M);
    put(0x3000 + 8 * 511, 0x401);
    put(0x4000 + 8 * 1, 0x401 | 1u << 2);
    put(0x4000 + 8 * 3, 0x401 | 2u << 2);
    assert_int_equal(type_of(0x3fe00000), PAGE_UNCACHED);
    assert_int_equal(type_of(0x40000000), PAGE_CACHED);
    assert_int_equal(type_of(0xffe00000), PAGE_DEVICE);
}

TEST_WITH(answers_are_kept_until_they_may_change, begin, end)
{
    write(TTBR0, 0x4000);
    write(SCTLR, M);
    put(0x4000, SECTION(1, 0));
    assert_int_equal(guest_memory_of(&cpu, 1, false), PAGE_UNCACHED);
    assert_int_equal(guest_memory_of(&cpu, 2, false), PAGE_UNCACHED);
    put(0x4000, SECTION(0, 0));
    n_reads = 0;
    assert_int_equal(guest_memory_of(&cpu, 1, false), PAGE_UNCACHED);
    write(TTBR0, 0x4000);
    assert_false(guest_writes_tables(ARMPMU_A32, TLBIASID));
    cpsr = 0; /* Z is clear: MCREQ does nothing */
    write(TLBIALL & 0x0fffffff, 0);
    assert_int_equal(guest_memory_of(&cpu, 1, false), PAGE_UNCACHED);
    assert_int_equal(n_reads, 0);
    write(TLBIMVA, 0x1042);
    assert_int_equal(guest_memory_of(&cpu, 1, false), PAGE_DEVICE);
    assert_int_equal(guest_memory_of(&cpu, 2, false), PAGE_UNCACHED);
    write(TLBIALL, 0);
    assert_int_equal(guest_memory_of(&cpu, 2, false), PAGE_DEVICE);
    put(0x4000, SECTION(0, 3));
    assert_int_equal(guest_memory_of(&cpu, 2, true), PAGE_CACHED); /* it moved */
}

TEST_WITH(where_nothing_is_known_memory_is_cached, begin, end)
{
    assert_int_equal(type_of(0x1000), PAGE_CACHED); /* translation is off */
    write(SCTLR, M);
    assert_int_equal(type_of(0x1000), PAGE_CACHED); /* there is no table */
    put(0, 0);
    assert_int_equal(type_of(0x1000), PAGE_CACHED); /* nothing is mapped */
    put(0, SECTION(0, 0));
    assert_int_equal(type_of(0x1000), PAGE_DEVICE);
    guest_tables_reset(&cpu);
    assert_int_equal(type_of(0x1000), PAGE_CACHED);
    forget_processor();
    has_tables = false;
    guest_tables_new(&cpu, NULL);
    assert_null(cpu.tables);
    assert_int_equal(type_of(0x1000), PAGE_CACHED);
    guest_tables_reset(&cpu);
}

TEST_WITH(other_instructions_are_left_alone, begin, end)
{
    assert_false(guest_writes_tables(ARMPMU_A32, 0xee111f10)); /* MRC SCTLR */
    assert_false(guest_writes_tables(ARMPMU_A32, 0xee011f30)); /* ACTLR */
    assert_false(guest_writes_tables(ARMPMU_A32, 0xfe011f10)); /* MCR2 */
    assert_false(guest_writes_tables(ARMPMU_A32, 0xee071f15)); /* ICIALLU */
    assert_false(guest_writes_tables(ARMPMU_T32, 0x0e011f10));
    assert_true(guest_writes_tables(ARMPMU_T32, SCTLR));
    assert_false(guest_writes_tables(ARMPMU_A64, SCTLR));
}
