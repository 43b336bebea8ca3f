/* Where translation tables have a page: each size of both formats, and random tables against a walk
 * that is written bit by bit. */
#include "../test.h"

#include <string.h>

#include "cosim/page_walk.h"

#define MEMORY_BYTES 0x20000u
#define EAE          (1u << 31)

static uint8_t memory[MEMORY_BYTES];
static unsigned n_reads;

static bool read_memory(void *user, uint64_t physical, void *data, size_t n_bytes)
{
    (void)user;
    n_reads++;
    if (physical > MEMORY_BYTES - n_bytes)
        return false;
    memcpy(data, memory + physical, n_bytes);
    return true;
}

static struct page_tables tables(void)
{
    memset(memory, 0, sizeof memory);
    return (struct page_tables){.sctlr = 1, .read = read_memory};
}

static void put(uint64_t address, uint64_t value, size_t n_bytes)
{
    assert_true(address + n_bytes <= MEMORY_BYTES);
    memcpy(memory + address, &value, n_bytes);
}

static void expect(const struct page_tables *of, uint32_t address, uint64_t physical)
{
    struct page page;

    assert_true(page_walk(of, address, &page));
    assert_int_equal(page.physical, physical);
}

static void expect_none(const struct page_tables *of, uint32_t address)
{
    struct page page;

    assert_false(page_walk(of, address, &page));
}

/* ---- short descriptors ---- */

TEST(each_size_of_a_short_descriptor)
{
    struct page_tables of = tables();

    of.ttbr[0] = 0x4000;
    put(0x4000 + 4 * 0x123, 0x8a000c02, 4); /* a section of 1 MiB */
    put(0x4000 + 4 * 0x124, 0x8b040c02, 4); /* part of a supersection of 16 MiB */
    put(0x4000 + 4 * 0x125, 0x00008001, 4); /* a second table */
    put(0x8000 + 4 * 0x34, 0x9c000002, 4);  /* a page of 4 KiB */
    put(0x8000 + 4 * 0x45, 0x9d000001, 4);  /* part of one of 64 KiB */
    put(0x4000 + 4 * 0x126, 0xfffff001, 4); /* a table that is nowhere */
    expect(&of, 0x12345678, 0x8a045678);
    expect(&of, 0x12445678, 0x8b445678);
    expect(&of, 0x12534567, 0x9c000567);
    expect(&of, 0x12545678, 0x9d005678);
    expect_none(&of, 0x12546000); /* nothing in the second table, */
    expect_none(&of, 0x12600000); /* no second table, */
    expect_none(&of, 0x12700000); /* nothing in the first */
}

/* TTBCR.N: addresses with one of the top N bits set are TTBR1's, whose table is whole. */
TEST(the_top_of_the_addresses_has_a_table_of_its_own)
{
    struct page_tables of = tables();

    of.ttbcr = 2;
    of.ttbr[0] = 0x1000; /* of 4 KiB */
    of.ttbr[1] = 0x4000;
    put(0x1000 + 4 * 0x3ff, 0x11100002, 4);
    put(0x4000 + 4 * 0x400, 0x22200002, 4);
    expect(&of, 0x3ff00004, 0x11100004);
    expect(&of, 0x40000004, 0x22200004);
}

/* ---- long descriptors ---- */

TEST(each_size_of_a_long_descriptor)
{
    struct page_tables of = tables();

    of.ttbcr = EAE;
    of.ttbr[0] = 0x1000;
    put(0x1000, 0x2003, 8);                   /* addresses below 1 GiB: a table, */
    put(0x1000 + 8, 0x1240000401, 8);         /* a block of 1 GiB */
    put(0x2000 + 8 * 5, 0x3003, 8);           /* in it a table, */
    put(0x2000 + 8 * 6, 0x7800200401, 8);     /* a block of 2 MiB */
    put(0x3000 + 8 * 7, 0x40000456789403, 8); /* in it a page of 4 KiB */
    expect(&of, 0x45678901, 0x1245678901);
    expect(&of, 0x00d23456, 0x7800323456);
    expect(&of, 0x00a07123, 0x456789123);
    expect_none(&of, 0x00a08000);
    expect_none(&of, 0x80000000);
}

TEST(a_short_long_table_begins_at_level_two)
{
    struct page_tables of = tables();

    of.ttbcr = EAE | 2 | 1u << 16; /* T0SZ 2: 1 GiB; T1SZ 1: 2 GiB at the top */
    of.ttbr[0] = 0x1000;
    of.ttbr[1] = 0x2000;
    put(0x1000 + 8 * 2, 0x5500000401, 8);
    put(0x2000 + 8, 0x6600000401, 8);
    n_reads = 0;
    expect(&of, 0x00412345, 0x5500012345);
    assert_int_equal(n_reads, 1);
    expect(&of, 0xc0012345, 0x6600012345);
}

/* ---- against another walk ---- */

static uint32_t seed;

static uint32_t next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static uint32_t bits(uint32_t value, unsigned high, unsigned low)
{
    return value >> low & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

static uint32_t word_at(uint32_t address)
{
    uint32_t word;

    memcpy(&word, memory + address, sizeof word);
    return word;
}

/* Tables lie in memory. Writes the address as the manual's figures build it. */
static bool slow_walk(const struct page_tables *of, uint32_t va, uint32_t *pa)
{
    const unsigned n = bits(of->ttbcr, 2, 0);
    const bool high = n != 0 && bits(va, 31, 32 - n) != 0;
    const uint32_t base = high ? bits((uint32_t)of->ttbr[1], 31, 14) * 0x4000
                               : bits((uint32_t)of->ttbr[0], 31, 14 - n) * (0x4000u >> n);
    const uint32_t index = high || n == 0 ? bits(va, 31, 20) : bits(va, 31 - n, 20);
    const uint32_t first = word_at(base + 4 * index);

    if (bits(first, 1, 0) == 0)
        return false;
    if (bits(first, 1, 0) >= 2 && bits(first, 18, 18)) {
        *pa = bits(first, 31, 24) * 0x1000000 + bits(va, 23, 0);
        return true;
    }
    if (bits(first, 1, 0) >= 2) {
        *pa = bits(first, 31, 20) * 0x100000 + bits(va, 19, 0);
        return true;
    }
    const uint32_t second = word_at(bits(first, 31, 10) * 0x400 + 4 * bits(va, 19, 12));
    if (bits(second, 1, 0) == 0)
        return false;
    *pa = bits(second, 1, 0) == 1 ? bits(second, 31, 16) * 0x10000 + bits(va, 15, 0)
                                  : bits(second, 31, 12) * 0x1000 + bits(va, 11, 0);
    return true;
}

TEST(random_tables_are_walked_alike)
{
    struct page_tables of = tables();
    unsigned n_found = 0;

    for (seed = 1; seed < 200; seed++) {
        const uint32_t start = seed;
        for (uint32_t at = 0; at < MEMORY_BYTES; at += 4) {
            const uint32_t word = next() << 8 ^ next();
            put(at, (word & 3) == 1 ? (word & 0x1fc03) : word, 4); /* second tables lie in it */
        }
        of.ttbcr = next() & 7;
        of.ttbr[0] = next() & 0xc000;
        of.ttbr[1] = next() & 0xc000;
        for (unsigned i = 0; i < 500; i++) {
            const uint32_t va = next() << 8 ^ next();
            uint32_t pa;
            struct page page;
            const bool there = slow_walk(&of, va, &pa);
            if (page_walk(&of, va, &page) != there || (there && page.physical != pa))
                fail_msg("seed %u, address 0x%08x", start, va);
            n_found += there;
        }
        seed = start;
    }
    assert_in_range(n_found, 30000, 90000);
}
