#include "parts/access_table.h"

#include <stdlib.h>

#include "base/array.h"

#define NARROWEST 6 /* a line */

struct row_search {
    const struct access_table *table;
    const struct armpmu_data_access *wanted;
};

static uint64_t region_of(const struct access_table *table, const struct armpmu_data_access *access)
{
    return access->source == ARMPMU_FROM_CORE ? access->sample >> table->widened_shared
                                              : access->sample >> (NARROWEST + table->widened);
}

static uint32_t outcome_of(const struct armpmu_data_access *access)
{
    return access->kind | (uint32_t)access->source << 8 | (uint32_t)access->tlb << 16 |
           (uint32_t)access->latency << 24;
}

static uint32_t hash_of(const struct access_table *table, const struct armpmu_data_access *access)
{
    uint64_t hash = access->insn * UINT64_C(0x9e3779b97f4a7c15);

    hash = (hash ^ region_of(table, access)) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ access->allocation ^ (uint64_t)access->context << 32) *
           UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32 ^ outcome_of(access)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32);
}

static bool is_same(const void *rows, uint32_t number, const void *key)
{
    const struct row_search *const search = key;
    const struct armpmu_data_access *const row = (const struct armpmu_data_access *)rows + number;

    return row->insn == search->wanted->insn && row->context == search->wanted->context &&
           row->allocation == search->wanted->allocation &&
           outcome_of(row) == outcome_of(search->wanted) &&
           region_of(search->table, row) == region_of(search->table, search->wanted);
}

static uint64_t common_step(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The step of all, from that of addresses and that of others beside them. */
static uint64_t merge_steps(uint64_t step, uint64_t a, uint64_t b, uint64_t other)
{
    const uint64_t away = a > b ? a - b : b - a;

    if (away != 0 && (step == 0 || away % step != 0))
        step = common_step(away, step);
    return other != 0 ? common_step(other, step) : step;
}

static void merge(struct armpmu_data_access *row, const struct armpmu_data_access *other)
{
    row->low = row->low < other->low ? row->low : other->low;
    row->high = row->high > other->high ? row->high : other->high;
    row->step = merge_steps(row->step, row->sample, other->sample, other->step);
    row->offset_step =
        merge_steps(row->offset_step, row->offset, other->offset, other->offset_step);
    row->bytes = row->bytes > other->bytes ? row->bytes : other->bytes;
    row->n += other->n;
    row->lookups += other->lookups;
    row->refills += other->refills;
    row->tlb_refills += other->tlb_refills;
    row->cycles += other->cycles;
}

/* Adds a row for which there is room. False without memory. */
static bool put(struct access_table *table, const struct armpmu_data_access *row)
{
    const struct row_search search = {table, row};
    const uint32_t hash = hash_of(table, row);
    const uint32_t number = intern_find(&table->index, hash, is_same, table->rows, &search);

    if (number != INTERN_NONE) {
        merge(&table->rows[number], row);
        return true;
    }
    if (table->n < table->most) {
        if (!ARRAY_RESERVE(table->rows, table->room, table->n + 1) ||
            !intern_add(&table->index, hash, (uint32_t)table->n))
            return false;
        table->rows[table->n++] = *row;
        return true;
    }
    return false;
}

/* Regions of twice as many bytes. The memory is there: rows only become fewer. */
static void widen(struct access_table *table, unsigned *bits)
{
    const size_t n = table->n;

    ++*bits;
    table->n = 0;
    intern_clear(&table->index);
    for (size_t i = 0; i < n; i++) {
        const struct armpmu_data_access row = table->rows[i];
        table->lost |= !put(table, &row);
    }
}

/* The tasks of a system are as many programs. What each instruction does to all of memory is never
 * too much. */
static void make_room(struct access_table *table, const struct armpmu_data_access *row)
{
    const size_t most = row->context != 0 ? ARMPMU_ACCESSES_MAX * 4 : ARMPMU_ACCESSES_MAX;

    if (table->most < most) {
        table->most = most;
        return;
    }
    while (table->n == table->most && table->widened < 64 - NARROWEST - 1)
        widen(table, &table->widened);
    while (table->n == table->most && table->widened_shared < 63)
        widen(table, &table->widened_shared);
    if (table->n == table->most)
        table->most = SIZE_MAX;
}

void access_table_add(struct access_table *table, const struct armpmu_data_access *access)
{
    struct armpmu_data_access row = *access;

    row.high = row.sample = row.low;
    row.step = row.offset_step = 0;
    if (put(table, &row))
        return;
    make_room(table, &row);
    table->lost |= !put(table, &row);
}

/* Sums wrap around. */
void access_table_move(struct access_table *table, const struct armpmu_data_access *from,
                       const struct armpmu_data_access *to)
{
    struct armpmu_data_access taken = *from;

    taken.n = -from->n;
    taken.lookups = -from->lookups;
    taken.refills = -from->refills;
    taken.tlb_refills = -from->tlb_refills;
    taken.cycles = -from->cycles;
    access_table_add(table, &taken);
    access_table_add(table, to);
}

void access_table_free(struct access_table *table)
{
    free(table->rows);
    intern_free(&table->index);
    *table = (struct access_table){0};
}
