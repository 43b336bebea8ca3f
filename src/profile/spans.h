/* Nested spans of addresses: finds the innermost one with an address, and those around it.
 * For symbols, sections, compilation units and inlined functions. */
#ifndef PROFILE_SPANS_H
#define PROFILE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPAN_NONE UINT32_MAX

struct span {
    uint64_t start, end;
    uint32_t value;     /* the caller's; of equal spans the one with the greater is inside */
    uint32_t enclosing; /* the nearest before it that reaches its start, or SPAN_NONE */
};

struct spans {
    struct span *at;
    size_t n, room;
};

/* Adds a span, unless it is empty. False without memory. */
bool spans_add(struct spans *spans, uint64_t start, uint64_t end, uint32_t value);

/* Between the last spans_add and the first look-up. */
void spans_sort(struct spans *spans);

/* The innermost span that holds the address, or SPAN_NONE. */
uint32_t spans_find(const struct spans *spans, uint64_t address);

/* The next of the spans that hold the address after an inner one, or SPAN_NONE. */
uint32_t spans_outer(const struct spans *spans, uint32_t inner, uint64_t address);

void spans_free(struct spans *spans);

#endif
