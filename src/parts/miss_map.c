#include "parts/miss_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"

#define MAP_ROWS        ARMPMU_MISS_ROWS
#define MAP_COLUMNS     ARMPMU_MISS_COLUMNS
#define INDEX_SLOTS     (2 * MAP_ROWS)
#define INDEX_SHIFT     (64 - 8) /* to the 8 bits of a slot */
#define FIRST_ROW_SHIFT 5        /* the smallest line */

_Static_assert(INDEX_SLOTS == 1 << (64 - INDEX_SHIFT), "a slot for each value of the hash");

struct armpmu_miss_map *miss_map_new(uint32_t n_sets)
{
    struct armpmu_miss_map *const map = calloc(1, sizeof *map);

    if (map == NULL)
        return NULL;
    map->n_sets = n_sets;
    map->row_shift = FIRST_ROW_SHIFT;
    map->by_set = calloc((size_t)MAP_ROWS * n_sets, sizeof *map->by_set);
    if (map->by_set != NULL)
        return map;
    free(map);
    return NULL;
}

void armpmu_miss_map_free(struct armpmu_miss_map *map)
{
    if (map == NULL)
        return;
    free(map->by_set);
    free(map);
}

/* ---- rows ---- */

/* The slot of a region, or the empty one where it would go. */
static uint16_t *find_slot(struct armpmu_miss_map *map, uint64_t region)
{
    uint64_t slot = region * UINT64_C(0x9e3779b97f4a7c15) >> INDEX_SHIFT;

    while (map->index[slot] != 0 && map->regions[map->index[slot] - 1] != region)
        slot = (slot + 1) % INDEX_SLOTS;
    return &map->index[slot];
}

static void add_counts(uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

/* Adds the counts of a row to another; the row is 0 then. */
static void move_row(struct armpmu_miss_map *map, uint32_t to, uint32_t from)
{
    uint64_t *const sets = map->by_set + (size_t)from * map->n_sets;

    if (to == from)
        return;
    add_counts(map->by_time[to], map->by_time[from], MAP_COLUMNS);
    add_counts(map->by_set + (size_t)to * map->n_sets, sets, map->n_sets);
    memset(map->by_time[from], 0, sizeof map->by_time[from]);
    memset(sets, 0, map->n_sets * sizeof *sets);
}

/* Rows of twice as many bytes. */
static void widen_rows(struct armpmu_miss_map *map)
{
    const uint32_t n_rows = map->n_rows;

    map->n_rows = 0;
    map->row_shift++;
    memset(map->index, 0, sizeof map->index);
    for (uint32_t row = 0; row < n_rows; row++) {
        const uint64_t region = map->regions[row] >> 1;
        uint16_t *const slot = find_slot(map, region);
        if (*slot == 0) {
            map->regions[map->n_rows++] = region;
            *slot = (uint16_t)map->n_rows;
        }
        move_row(map, *slot - 1u, row);
    }
}

/* The row of an address. */
static uint32_t find_row(struct armpmu_miss_map *map, uint64_t address)
{
    uint16_t *slot = find_slot(map, address >> map->row_shift);

    while (*slot == 0 && map->n_rows == MAP_ROWS) {
        widen_rows(map);
        slot = find_slot(map, address >> map->row_shift);
    }
    if (*slot == 0) {
        map->regions[map->n_rows++] = address >> map->row_shift;
        *slot = (uint16_t)map->n_rows;
    }
    return *slot - 1u;
}

/* ---- columns ---- */

/* Columns of twice as many cycles. */
static void widen_columns(struct armpmu_miss_map *map)
{
    map->column_shift++;
    for (uint32_t row = 0; row < map->n_rows; row++) {
        uint64_t *const counts = map->by_time[row];
        for (unsigned column = 0; column < MAP_COLUMNS / 2; column++)
            counts[column] = counts[2 * column] + counts[2 * column + 1];
        memset(counts + MAP_COLUMNS / 2, 0, MAP_COLUMNS / 2 * sizeof *counts);
    }
}

static uint32_t find_column(struct armpmu_miss_map *map, uint64_t cycle)
{
    while (cycle >> map->column_shift >= MAP_COLUMNS)
        widen_columns(map);
    return (uint32_t)(cycle >> map->column_shift);
}

/* ---- */

void miss_map_add(struct armpmu_miss_map *map, uint32_t set, uint64_t address, uint64_t cycle)
{
    const uint32_t column = find_column(map, cycle), row = find_row(map, address);

    map->by_time[row][column]++;
    map->by_set[(size_t)row * map->n_sets + set]++;
}

void miss_maps_add(const struct miss_maps *maps, enum armpmu_miss_cache cache, uint32_t set,
                   uint64_t address, uint64_t cycle)
{
    if (maps->of[cache] != NULL)
        miss_map_add(maps->of[cache], set, address, cycle);
}

static void merge_row(struct armpmu_miss_map *to, const struct armpmu_miss_map *from, uint32_t row)
{
    const uint32_t into = find_row(to, from->regions[row] << from->row_shift);

    for (uint64_t column = 0; column < MAP_COLUMNS; column++)
        to->by_time[into][column << from->column_shift >> to->column_shift] +=
            from->by_time[row][column];
    add_counts(to->by_set + (size_t)into * to->n_sets, from->by_set + (size_t)row * from->n_sets,
               from->n_sets);
}

void armpmu_miss_map_merge(struct armpmu_miss_map *to, const struct armpmu_miss_map *from)
{
    while (to->column_shift < from->column_shift)
        widen_columns(to);
    while (to->row_shift < from->row_shift)
        widen_rows(to);
    for (uint32_t row = 0; row < from->n_rows; row++)
        merge_row(to, from, row);
}

void armpmu_miss_map_rows(const struct armpmu_miss_map *map, uint32_t *rows)
{
    struct {
        uint64_t region;
        uint32_t row;
    } sorted[MAP_ROWS];

    for (uint32_t row = 0; row < map->n_rows; row++) {
        sorted[row].region = map->regions[row];
        sorted[row].row = row;
    }
    qsort(sorted, map->n_rows, sizeof *sorted, order_numbers);
    for (uint32_t row = 0; row < map->n_rows; row++)
        rows[row] = sorted[row].row;
}
