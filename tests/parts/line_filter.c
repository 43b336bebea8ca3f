/* The filter of lines against a plain set of them. */
#include "parts/line_filter.h"

#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

enum { WINDOW_PAGES = LINE_FILTER_BYTES >> PAGE_SHIFT, STEPS = 200000 };

/* The lines of a window of addresses as large as the filter, by number. */
struct listed {
    uint32_t start;
    uint8_t is_in[LINE_FILTER_BYTES >> LINE_FILTER_MIN_SHIFT];
    uint8_t flags[LINE_FILTER_BYTES >> LINE_FILTER_MIN_SHIFT];
    uint8_t away[LINE_FILTER_BYTES >> LINE_FILTER_MIN_SHIFT];
    uint8_t is_gone[WINDOW_PAGES];
};

static struct line_filter filter;
static struct listed list;

static uint32_t page_of(uint32_t line, unsigned shift)
{
    return line << shift >> PAGE_SHIFT;
}

static void compare(unsigned shift)
{
    for (uint32_t line = 0; line < LINE_FILTER_BYTES >> shift; line++) {
        const uint32_t address = list.start + (line << shift);
        const uint32_t entry = line_filter_entry(&filter, address, shift);
        const bool found = line_filter_matches(entry, address, -(1u << shift), 1);
        assert_int_equal(found, list.is_in[line] && !list.away[line]);
        if (found)
            assert_int_equal(entry & 1, list.flags[line]);
        assert_false(line_filter_matches(entry, address + LINE_FILTER_BYTES, -(1u << shift), 1));
    }
}

static void drop_page(uint32_t page, unsigned shift)
{
    const uint32_t lines = 1u << (PAGE_SHIFT - shift);
    bool any = false;

    for (uint32_t line = page * lines; line < (page + 1) * lines; line++) {
        any |= list.is_in[line];
        list.is_in[line] = 0;
    }
    const bool had = line_filter_drop_page(&filter, (list.start >> PAGE_SHIFT) + page, shift);
    assert_true(had || !any); /* lines that were dropped one by one came in, too */
}

static void set_away(uint32_t page, bool away, unsigned shift)
{
    const uint32_t lines = 1u << (PAGE_SHIFT - shift);

    memset(list.away + page * lines, away, lines);
    list.is_gone[page] = away;
    line_filter_set_away(&filter, (list.start >> PAGE_SHIFT) + page, away, shift);
}

/* One line of a page that is back. */
static void restore(uint32_t line, uint32_t address, unsigned shift)
{
    const bool was_away = list.is_in[line] && list.away[line];

    assert_int_equal(line_filter_restore(&filter, address, 1, shift), was_away);
    list.away[line] = 0;
}

static void step(uint64_t *random, unsigned shift)
{
    const uint32_t line = pick(random, LINE_FILTER_BYTES >> shift),
                   page = pick(random, WINDOW_PAGES);
    const uint32_t address = list.start + (line << shift) + pick(random, 1u << shift);

    switch (pick(random, 16)) {
    case 0:
        drop_page(page, shift);
        break;
    case 1:
    case 2:
        set_away(page, one_in(random, 2), shift);
        break;
    case 6:
    case 7:
        list.is_gone[page_of(line, shift)] = 0;
        restore(line, address, shift);
        break;
    case 3:
    case 4:
    case 5:
        list.is_in[line] = 0;
        line_filter_drop(&filter, address, shift);
        break;
    default: /* a core adds lines of pages that are there */
        if (list.is_gone[page_of(line, shift)])
            break;
        list.is_in[line] = 1;
        list.away[line] = 0;
        list.flags[line] = (uint8_t)pick(random, 2);
        line_filter_add(&filter, address, list.flags[line], shift);
    }
}

TEST(equals_a_set_within_a_window)
{
    static const uint32_t starts[] = {0, LINE_FILTER_BYTES * 77, -LINE_FILTER_BYTES};
    for (unsigned i = 0; i < 9; i++) {
        const unsigned shift = LINE_FILTER_MIN_SHIFT + i % 3;
        uint64_t random = i + 1;
        memset(&list, 0, sizeof list);
        list.start = starts[i / 3];
        line_filter_clear(&filter, shift);
        for (unsigned n = 0; n < STEPS; n++) {
            step(&random, shift);
            if (n % 1000 == 0)
                compare(shift);
        }
    }
}

/* Far apart, lines and pages take each other's places: a line may be forgotten, never invented. */
TEST(invents_nothing_anywhere)
{
    static uint32_t added[64];
    uint64_t random = 5;
    line_filter_clear(&filter, 5);
    for (unsigned n = 0; n < STEPS; n++) {
        const unsigned i = pick(&random, 64);
        const uint32_t address =
            pick(&random, 40) << 24 | pick(&random, 4) << PAGE_SHIFT | pick(&random, 4) << 5;
        if (one_in(&random, 3) && added[i] != 0) {
            line_filter_drop_page(&filter, added[i] >> PAGE_SHIFT, 5);
            for (unsigned k = 0; k < 64; k++)
                if (k != i && added[k] >> PAGE_SHIFT == added[i] >> PAGE_SHIFT)
                    added[k] = 0;
            added[i] = 0;
        }
        bool known = false;
        for (unsigned k = 0; k < 64; k++)
            known |= added[k] == address;
        assert_true(known || !line_filter_has(&filter, address, 5));
        if (address == 0)
            continue;
        for (unsigned k = 0; k < 64; k++) /* one that is about to lose its place in the list */
            if (k == i && added[k] != address)
                line_filter_drop(&filter, added[k], 5);
        added[i] = address;
        line_filter_add(&filter, address, 0, 5);
        assert_true(line_filter_has(&filter, address, 5));
    }
}

TEST(alignment_is_part_of_the_match)
{
    const uint32_t mask = -(1u << 6) | 3;
    line_filter_clear(&filter, 6);
    line_filter_add(&filter, 0x1234567c, 16, 6);
    const uint32_t entry = line_filter_entry(&filter, 0x12345640, 6);
    assert_true(line_filter_matches(entry, 0x12345644, mask, 16));
    assert_false(line_filter_matches(entry, 0x12345645, mask, 16));
    assert_false(line_filter_matches(entry, 0x12345644, mask, 0));
    assert_false(line_filter_matches(entry, 0x12345684, mask, 16));
}

TEST(an_empty_filter_has_no_line)
{
    for (unsigned shift = LINE_FILTER_MIN_SHIFT; shift <= LINE_FILTER_MAX_SHIFT; shift++) {
        line_filter_clear(&filter, shift);
        for (uint32_t at = 0; at < LINE_FILTER_BYTES; at += 8) {
            assert_false(line_filter_has(&filter, at, shift));
            assert_false(line_filter_has(&filter, at - LINE_FILTER_BYTES, shift));
        }
        line_filter_drop(&filter, UINT32_MAX, shift);
        assert_false(line_filter_drop_page(&filter, UINT32_MAX >> PAGE_SHIFT, shift));
    }
}
