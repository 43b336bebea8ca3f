#include "qemu/launcher/intervals.h"

#include <stdlib.h>

#include "armpmu/trace.h"
#include "base/array.h"
#include "base/error.h"

struct interval {
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
};

/* Linux's numbers. */
enum {
    ARM_SYSCALL_FORK = 2,
    ARM_SYSCALL_CLONE = 120,
    ARM_SYSCALL_VFORK = 190,
    AARCH64_SYSCALL_CLONE = 220,
    ANY_SYSCALL_CLONE3 = 435,
};

static void add_to(uint64_t *sum, const uint64_t *signals)
{
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        sum[i] += signals[i];
}

static void add_row(const struct intervals *intervals, uint64_t *sum, size_t row)
{
    const struct interval_rows *const first = &intervals->first, *const others = &intervals->others;
    const size_t k = intervals->n_live;

    if (row < first->room)
        add_to(sum, first->rows[row].signals);
    if (row >= k && row - k < others->room)
        add_to(sum, others->rows[row - k].signals);
}

/* Reports the row after those that are reported. */
static void report(struct intervals *intervals)
{
    add_row(intervals, intervals->reported, intervals->n_reported++);
    intervals->job->on_interval(intervals->job->user, intervals->n_reported, intervals->reported);
}

enum armpmu_status intervals_add(struct intervals *intervals, const struct interval_part *part,
                                 struct armpmu_error *err)
{
    struct interval_rows *const rows = part->is_first ? &intervals->first : &intervals->others;
    const size_t n = part->index + 1;

    if (!ARRAY_RESERVE(rows->rows, rows->room, n))
        return fail(err, ARMPMU_NO_MEMORY, "no memory for interval %zu: choose longer ones", n);
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        rows->rows[n - 1].signals[i] += part->now[i] - part->before[i];
    if (part->is_whole && n > rows->n_whole)
        rows->n_whole = n;
    if (part->is_first && part->is_whole && !intervals->has_others) {
        intervals->n_live++;
        report(intervals);
    }
    return ARMPMU_OK;
}

bool intervals_starts_another(uint32_t number, bool is_a64)
{
    if (number == ANY_SYSCALL_CLONE3)
        return true;
    if (is_a64)
        return number == AARCH64_SYSCALL_CLONE;
    return number == ARM_SYSCALL_FORK || number == ARM_SYSCALL_CLONE || number == ARM_SYSCALL_VFORK;
}

/* A trace is cut where a block begins. */
size_t intervals_alone(bool *starts, const uint64_t *records, size_t n_records, bool is_a64)
{
    for (size_t i = 0; i < n_records; i++) {
        const enum armpmu_record_kind kind = armpmu_record_kind(records[i]);
        if (*starts && kind == ARMPMU_RECORD_BLOCK)
            return i;
        if (kind == ARMPMU_RECORD_SYSCALL)
            *starts |= intervals_starts_another((uint32_t)records[i], is_a64);
    }
    return n_records;
}

void intervals_finish(struct intervals *intervals)
{
    const size_t with_others =
        intervals->others.n_whole > 0 ? intervals->n_live + intervals->others.n_whole : 0;
    const size_t n =
        intervals->first.n_whole > with_others ? intervals->first.n_whole : with_others;

    while (intervals->n_reported < n)
        report(intervals);
}

void intervals_free(struct intervals *intervals)
{
    free(intervals->first.rows);
    free(intervals->others.rows);
}
