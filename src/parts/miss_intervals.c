#include "parts/miss_intervals.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum armpmu_status miss_intervals_init(struct miss_intervals *intervals, size_t capacity,
                                       struct armpmu_error *err)
{
    *intervals = (struct miss_intervals){.spans = calloc(capacity, sizeof *intervals->spans)};
    if (intervals->spans == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for %zu intervals misses", capacity);
    return ARMPMU_OK;
}

void miss_intervals_free(struct miss_intervals *intervals)
{
    free(intervals->spans);
    *intervals = (struct miss_intervals){0};
}

static void replace(struct miss_intervals *intervals, size_t first, size_t end,
                    struct miss_intervals_span span)
{
    memmove(&intervals->spans[first + 1], &intervals->spans[end],
            (intervals->n_spans - end) * sizeof span);
    intervals->spans[first] = span;
    intervals->n_spans = intervals->n_spans + 1 - (end - first);
}

void miss_intervals_add(struct miss_intervals *intervals, uint64_t from, uint64_t until)
{
    if (from >= until)
        return;
    size_t end = intervals->n_spans;
    while (end > 0 && intervals->spans[end - 1].from > until)
        end--;
    size_t first = end;
    while (first > 0 && intervals->spans[first - 1].until >= from)
        first--;
    struct miss_intervals_span span = {from, until};
    if (first < end) {
        if (intervals->spans[first].from < span.from)
            span.from = intervals->spans[first].from;
        if (intervals->spans[end - 1].until > span.until)
            span.until = intervals->spans[end - 1].until;
    }
    replace(intervals, first, end, span);
}

void miss_intervals_forget(struct miss_intervals *intervals, uint64_t cycle)
{
    size_t gone = 0;
    while (gone < intervals->n_spans && intervals->spans[gone].until <= cycle)
        gone++;
    if (gone == 0)
        return;
    intervals->n_spans -= gone;
    memmove(intervals->spans, intervals->spans + gone,
            intervals->n_spans * sizeof *intervals->spans);
}

uint64_t miss_intervals_within(struct miss_intervals *intervals, uint64_t from, uint64_t until)
{
    uint64_t cycles = 0;
    for (size_t i = 0; i < intervals->n_spans; i++) {
        const struct miss_intervals_span *span = &intervals->spans[i];
        const uint64_t first = span->from > from ? span->from : from;
        const uint64_t end = span->until < until ? span->until : until;
        cycles += first < end ? end - first : 0;
    }
    miss_intervals_forget(intervals, until);
    return cycles;
}
