#include "parts/miss_intervals.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum armpmu_status miss_intervals_init(struct miss_intervals *outstanding, size_t capacity,
                                       struct armpmu_error *err)
{
    *outstanding = (struct miss_intervals){.spans = calloc(capacity, sizeof *outstanding->spans)};
    if (outstanding->spans == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for %zu outstanding misses", capacity);
    return ARMPMU_OK;
}

void miss_intervals_free(struct miss_intervals *outstanding)
{
    free(outstanding->spans);
    *outstanding = (struct miss_intervals){0};
}

static void replace(struct miss_intervals *outstanding, size_t first, size_t end,
                    struct miss_intervals_span span)
{
    memmove(&outstanding->spans[first + 1], &outstanding->spans[end],
            (outstanding->n_spans - end) * sizeof span);
    outstanding->spans[first] = span;
    outstanding->n_spans = outstanding->n_spans + 1 - (end - first);
}

void miss_intervals_add(struct miss_intervals *outstanding, uint64_t from, uint64_t until)
{
    if (from >= until)
        return;
    size_t end = outstanding->n_spans;
    while (end > 0 && outstanding->spans[end - 1].from > until)
        end--;
    size_t first = end;
    while (first > 0 && outstanding->spans[first - 1].until >= from)
        first--;
    struct miss_intervals_span span = {from, until};
    if (first < end) {
        if (outstanding->spans[first].from < span.from)
            span.from = outstanding->spans[first].from;
        if (outstanding->spans[end - 1].until > span.until)
            span.until = outstanding->spans[end - 1].until;
    }
    replace(outstanding, first, end, span);
}

void miss_intervals_forget(struct miss_intervals *outstanding, uint64_t cycle)
{
    size_t gone = 0;
    while (gone < outstanding->n_spans && outstanding->spans[gone].until <= cycle)
        gone++;
    if (gone == 0)
        return;
    outstanding->n_spans -= gone;
    memmove(outstanding->spans, outstanding->spans + gone,
            outstanding->n_spans * sizeof *outstanding->spans);
}

uint64_t miss_intervals_within(struct miss_intervals *outstanding, uint64_t from, uint64_t until)
{
    uint64_t cycles = 0;
    for (size_t i = 0; i < outstanding->n_spans; i++) {
        const struct miss_intervals_span *span = &outstanding->spans[i];
        const uint64_t first = span->from > from ? span->from : from;
        const uint64_t end = span->until < until ? span->until : until;
        cycles += first < end ? end - first : 0;
    }
    miss_intervals_forget(outstanding, until);
    return cycles;
}
