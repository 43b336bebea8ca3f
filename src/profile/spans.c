#include "profile/spans.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/order.h"

bool spans_add(struct spans *spans, uint64_t start, uint64_t end, uint32_t value)
{
    if (start >= end)
        return true;
    if (spans->n >= SPAN_NONE || !ARRAY_APPEND(spans->at, spans->n, spans->room,
                                               (struct span){start, end, value, SPAN_NONE}))
        return false;
    return true;
}

static int outer_first(const void *left, const void *right)
{
    const struct span *a = left, *b = right;

    return ORDER(a->start, b->start, b->end, a->end, a->value, b->value);
}

void spans_sort(struct spans *spans)
{
    if (spans->n == 0)
        return;
    qsort(spans->at, spans->n, sizeof *spans->at, outer_first);
    for (uint32_t i = 1; i < spans->n; i++)
        spans->at[i].enclosing = spans->at[i - 1].end > spans->at[i].start
                                     ? i - 1
                                     : spans_outer(spans, i - 1, spans->at[i].start);
}

uint32_t spans_outer(const struct spans *spans, uint32_t inner, uint64_t address)
{
    uint32_t i = spans->at[inner].enclosing;

    while (i != SPAN_NONE && spans->at[i].end <= address)
        i = spans->at[i].enclosing;
    return i;
}

uint32_t spans_find(const struct spans *spans, uint64_t address)
{
    size_t low = 0, high = spans->n; /* those before low start at or before the address */

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (spans->at[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return SPAN_NONE;
    const uint32_t last = (uint32_t)low - 1;
    return spans->at[last].end > address ? last : spans_outer(spans, last, address);
}

void spans_free(struct spans *spans)
{
    free(spans->at);
    *spans = (struct spans){0};
}
