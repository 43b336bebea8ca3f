#include "parts/miss_intervals.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum armpmu_status outstanding_init(struct outstanding *outstanding, size_t capacity,
                                    struct armpmu_error *err)
{
    *outstanding = (struct outstanding){.spans = calloc(capacity, sizeof *outstanding->spans)};
    if (outstanding->spans == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for %zu outstanding misses", capacity);
    return ARMPMU_OK;
}

void outstanding_free(struct outstanding *outstanding)
{
    free(outstanding->spans);
    *outstanding = (struct outstanding){0};
}

static void replace(struct outstanding *outstanding, size_t first, size_t end,
                    struct outstanding_span span)
{
    memmove(&outstanding->spans[first + 1], &outstanding->spans[end],
            (outstanding->n_spans - end) * sizeof span);
    outstanding->spans[first] = span;
    outstanding->n_spans = outstanding->n_spans + 1 - (end - first);
}

void outstanding_add(struct outstanding *outstanding, uint64_t from, uint64_t until)
{
    if (from >= until)
        return;
    size_t end = outstanding->n_spans;
    while (end > 0 && outstanding->spans[end - 1].from > until)
        end--;
    size_t first = end;
    while (first > 0 && outstanding->spans[first - 1].until >= from)
        first--;
    struct outstanding_span span = {from, until};
    if (first < end) {
        if (outstanding->spans[first].from < span.from)
            span.from = outstanding->spans[first].from;
        if (outstanding->spans[end - 1].until > span.until)
            span.until = outstanding->spans[end - 1].until;
    }
    replace(outstanding, first, end, span);
}

void outstanding_forget(struct outstanding *outstanding, uint64_t cycle)
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

uint64_t outstanding_within(struct outstanding *outstanding, uint64_t from, uint64_t until)
{
    uint64_t cycles = 0;
    for (size_t i = 0; i < outstanding->n_spans; i++) {
        const struct outstanding_span *span = &outstanding->spans[i];
        const uint64_t first = span->from > from ? span->from : from;
        const uint64_t end = span->until < until ? span->until : until;
        cycles += first < end ? end - first : 0;
    }
    outstanding_forget(outstanding, until);
    return cycles;
}
