/* Spans: look-ups agree with trying each span. */
#include "../test.h"

#include <stdlib.h>

#include "profile/spans.h"

static uint32_t below(uint32_t *random, uint32_t n)
{
    *random = *random * 1664525 + 1013904223;
    return (*random >> 8) % n;
}

/* Nested at random: each span lies in one before it or beside all. */
static void fill(struct spans *spans, uint32_t *random)
{
    for (uint32_t i = 0; i < 60; i++) {
        const uint64_t start = below(random, 100), end = start + below(random, 40);
        assert_true(spans_add(spans, start, end, i));
    }
    spans_sort(spans);
}

TEST(all_that_hold_an_address_are_found)
{
    uint32_t random = 1;

    for (unsigned round = 0; round < 200; round++) {
        struct spans spans = {0};
        fill(&spans, &random);
        for (uint64_t address = 0; address < 140; address++) {
            uint32_t found = spans_find(&spans, address);
            for (uint32_t i = (uint32_t)spans.n; i-- > 0;)
                if (spans.at[i].start <= address && address < spans.at[i].end) {
                    assert_int_equal(found, i);
                    found = spans_outer(&spans, found, address);
                }
            assert_int_equal(found, SPAN_NONE);
        }
        spans_free(&spans);
    }
}

TEST(none_hold_an_address_where_there_are_none)
{
    struct spans spans = {0};

    spans_sort(&spans);
    assert_int_equal(spans_find(&spans, 7), SPAN_NONE);
    assert_true(spans_add(&spans, 7, 7, 0));
    assert_int_equal(spans.n, 0);
    spans_free(&spans);
}
