/* Maps of misses against a list of them: widths are the narrowest that hold all, no count is lost,
 * and maps add up whatever their widths and order. */
#include "parts/miss_map.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

enum { SETS = 16, MISSES_MOST = 1500, ROUNDS = 60, PARTS_OF = 3 };

struct miss {
    uint64_t address, cycle;
    uint32_t set;
};

static unsigned count_regions(const struct miss *misses, unsigned n, unsigned shift)
{
    unsigned n_regions = 0;

    for (unsigned i = 0; i < n; i++) {
        unsigned before = 0;
        while (before < i && misses[before].address >> shift != misses[i].address >> shift)
            before++;
        n_regions += before == i;
    }
    return n_regions;
}

static void expect_narrowest(const struct armpmu_miss_map *map, const struct miss *misses,
                             unsigned n)
{
    uint64_t last = 0;

    for (unsigned i = 0; i < n; i++)
        last = misses[i].cycle > last ? misses[i].cycle : last;
    assert_true(last >> map->column_shift < ARMPMU_MISS_COLUMNS);
    assert_true(map->column_shift == 0 || last >> (map->column_shift - 1) >= ARMPMU_MISS_COLUMNS);
    assert_int_equal(map->n_rows, count_regions(misses, n, map->row_shift));
    assert_true(map->row_shift == 5 ||
                count_regions(misses, n, map->row_shift - 1) > ARMPMU_MISS_ROWS);
}

static uint32_t row_of(const struct armpmu_miss_map *map, uint64_t address)
{
    for (uint32_t row = 0; row < map->n_rows; row++)
        if (map->regions[row] == address >> map->row_shift)
            return row;
    fail_msg("0x%llx is in no row", (unsigned long long)address);
    return 0;
}

/* Takes each miss out of the map: nothing may be left. */
static void expect_misses(struct armpmu_miss_map *map, const struct miss *misses, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const uint32_t row = row_of(map, misses[i].address);
        map->by_time[row][misses[i].cycle >> map->column_shift]--;
        map->by_set[(size_t)row * SETS + misses[i].set]--;
    }
    for (unsigned row = 0; row < ARMPMU_MISS_ROWS; row++)
        for (unsigned column = 0; column < ARMPMU_MISS_COLUMNS; column++)
            assert_int_equal(map->by_time[row][column], 0);
    for (unsigned i = 0; i < ARMPMU_MISS_ROWS * SETS; i++)
        assert_int_equal(map->by_set[i], 0);
}

/* Addresses near one another in a few places, one of them at the very end. */
static unsigned make_misses(uint64_t *seed, struct miss *misses)
{
    const unsigned n = pick(seed, MISSES_MOST), reach = pick(seed, 40), pace = pick(seed, 50);
    uint64_t cycle = 0;

    for (unsigned i = 0; i < n; i++) {
        const uint64_t near = pick(seed, 1u << 31) & ((UINT64_C(1) << reach % 31) - 1);
        const uint64_t base = (uint64_t)pick(seed, 3) * UINT64_C(0x3fffffffffff);
        cycle += UINT64_C(1) << pick(seed, pace + 1) % 40;
        misses[i] = (struct miss){one_in(seed, 50) ? UINT64_MAX - near : base + near, cycle,
                                  pick(seed, SETS)};
    }
    return n;
}

TEST(agrees_with_a_list_of_misses)
{
    struct miss *const misses = malloc(MISSES_MOST * sizeof *misses);
    uint64_t seed = 1;

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct armpmu_miss_map *const map = miss_map_new(SETS);
        const unsigned n = make_misses(&seed, misses);
        for (unsigned i = 0; i < n; i++)
            miss_map_add(map, misses[i].set, misses[i].address, misses[i].cycle);
        expect_narrowest(map, misses, n);
        expect_misses(map, misses, n);
        armpmu_miss_map_free(map);
    }
    free(misses);
}

TEST(parts_add_up)
{
    struct miss *const misses = malloc(MISSES_MOST * sizeof *misses);
    uint64_t seed = 2;

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct armpmu_miss_map *parts[PARTS_OF], *const all = miss_map_new(SETS);
        const unsigned n = make_misses(&seed, misses);
        for (unsigned i = 0; i < PARTS_OF; i++)
            parts[i] = miss_map_new(SETS);
        for (unsigned i = 0; i < n; i++)
            miss_map_add(parts[(i * PARTS_OF) / n], misses[i].set, misses[i].address,
                         misses[i].cycle);
        for (unsigned i = 0; i < PARTS_OF; i++) {
            armpmu_miss_map_merge(all, parts[i]);
            armpmu_miss_map_free(parts[i]);
        }
        expect_narrowest(all, misses, n);
        expect_misses(all, misses, n);
        armpmu_miss_map_free(all);
    }
    free(misses);
}

TEST(rows_come_by_address)
{
    struct armpmu_miss_map *const map = miss_map_new(1);
    uint32_t rows[ARMPMU_MISS_ROWS];

    for (unsigned i = 0; i < ARMPMU_MISS_ROWS; i++)
        miss_map_add(map, 0, (uint64_t)(i * 37 % ARMPMU_MISS_ROWS) << 20, i);
    armpmu_miss_map_rows(map, rows);
    for (unsigned i = 0; i < ARMPMU_MISS_ROWS; i++)
        assert_int_equal(map->regions[rows[i]] << map->row_shift, (uint64_t)i << 20);
    armpmu_miss_map_free(map);
}
