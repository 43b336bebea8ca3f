/* A table of accesses against a list of them: sums stay exact however often regions widen. */
#include "parts/access_table.h"

#include <stdlib.h>

#include "../test.h"

#define LINES (ARMPMU_ACCESSES_MAX + ARMPMU_ACCESSES_MAX / 2)

static struct armpmu_data_access access_at(uint64_t address, enum armpmu_access_source source)
{
    return (struct armpmu_data_access){
        .insn = 0x400, .low = address, .n = 1, .refills = 1, .source = (uint8_t)source};
}

TEST(rows_have_range_and_step)
{
    struct access_table table = {0};

    for (unsigned i = 0; i < 3; i++) {
        const struct armpmu_data_access one = access_at(0x1000 + 24 * (2 - i), ARMPMU_FROM_L1);
        access_table_add(&table, &one);
    }
    assert_int_equal(table.n, 1);
    assert_int_equal(table.rows[0].n, 3);
    assert_int_equal(table.rows[0].low, 0x1000);
    assert_int_equal(table.rows[0].high, 0x1030);
    assert_int_equal(table.rows[0].sample, 0x1030);
    assert_int_equal(table.rows[0].step, 24);
    access_table_free(&table);
}

TEST(blocks_of_one_allocation_are_one_row)
{
    struct access_table table = {0};
    struct armpmu_data_access one = access_at(0x1000, ARMPMU_FROM_L1);

    for (unsigned i = 0; i < 3; i++) {
        one.low = 0x1000 + 20 * i; /* blocks anywhere, and always the same part of an element */
        one.offset = 8 + 24 * (5 - i);
        one.allocation = 1;
        one.bytes = (uint16_t)(4 * (i + 1));
        access_table_add(&table, &one);
    }
    assert_int_equal(table.n, 1);
    assert_int_equal(table.rows[0].offset, 8 + 24 * 5);
    assert_int_equal(table.rows[0].offset_step, 24);
    assert_int_equal(table.rows[0].step, 20);
    assert_int_equal(table.rows[0].bytes, 12);
    one.allocation = 2;
    access_table_add(&table, &one);
    assert_int_equal(table.n, 2);
    access_table_free(&table);
}

TEST(other_outcomes_are_other_rows)
{
    struct access_table table = {0};
    struct armpmu_data_access one = access_at(0x1000, ARMPMU_FROM_L1);

    access_table_add(&table, &one);
    one.tlb = ARMPMU_TLB_WALK;
    access_table_add(&table, &one);
    one.latency = 5;
    access_table_add(&table, &one);
    one.insn += 4;
    access_table_add(&table, &one);
    one.source = ARMPMU_FROM_CORE;
    access_table_add(&table, &one);
    one.low += 4; /* of a line that another core had each address is a row */
    access_table_add(&table, &one);
    assert_int_equal(table.n, 6);
    access_table_free(&table);
}

TEST(nothing_is_lost_when_full)
{
    struct access_table table = {0};
    uint64_t n = 0;

    for (uint64_t i = 0; i < LINES; i++) {
        const struct armpmu_data_access one = access_at(i * 64 + i % 8 * 8, ARMPMU_FROM_RAM),
                                        other = access_at(i % 64 * 4, ARMPMU_FROM_CORE);
        access_table_add(&table, &one);
        access_table_add(&table, &other);
    }
    assert_false(table.lost);
    assert_true(table.n <= ARMPMU_ACCESSES_MAX);
    for (size_t i = 0; i < table.n; i++) {
        assert_true(table.rows[i].low <= table.rows[i].sample);
        assert_true(table.rows[i].sample <= table.rows[i].high);
        if (table.rows[i].source == ARMPMU_FROM_CORE)
            assert_int_equal(table.rows[i].low, table.rows[i].high);
        else
            assert_true(table.rows[i].high - table.rows[i].low < 128);
        n += table.rows[i].n;
    }
    assert_int_equal(n, 2 * (uint64_t)LINES);
    access_table_free(&table);
}

/* One more instruction than there are rows, all at one address: no region can be wider. */
TEST(more_instructions_have_more_rows)
{
    struct access_table table = {0};

    for (uint64_t i = 0; i <= ARMPMU_ACCESSES_MAX; i++) {
        struct armpmu_data_access one = access_at(0x1000, ARMPMU_FROM_L1);
        one.insn = 4 * i;
        access_table_add(&table, &one);
    }
    assert_false(table.lost);
    assert_int_equal(table.n, ARMPMU_ACCESSES_MAX + 1);
    access_table_free(&table);
}

TEST(contexts_are_apart)
{
    struct access_table table = {0};
    struct armpmu_data_access one = access_at(0x1000, ARMPMU_FROM_L1);

    for (unsigned i = 0; i < 4; i++) {
        one.context = i / 2;
        access_table_add(&table, &one);
    }
    assert_int_equal(table.n, 2);
    assert_int_equal(table.rows[1].context, 1);
    assert_int_equal(table.rows[1].n, 2);
    access_table_free(&table);
}
