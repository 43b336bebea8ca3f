#include "parts/line_filter.h"

#include <string.h>

void line_filter_clear(struct line_filter *filter, unsigned line_shift)
{
    const struct line_filter_page none = {.page = LINE_FILTER_NONE};

    memset(filter->entry, 0xff, sizeof filter->entry[0] * (LINE_FILTER_BYTES >> line_shift));
    for (uint32_t i = 0; i < LINE_FILTER_PAGES; i++)
        filter->page[i] = none;
}

static void drop_parts(struct line_filter *filter, const struct line_filter_page *record,
                       unsigned line_shift)
{
    for (uint64_t parts = record->parts; parts != 0; parts &= parts - 1) {
        const uint32_t start = line_filter_part(record->page, parts);
        for (uint32_t offset = 0; offset < 1u << LINE_FILTER_MAX_SHIFT; offset += 1u << line_shift)
            line_filter_drop(filter, start + offset, line_shift);
    }
}

void line_filter_new_record(struct line_filter *filter, uint32_t page, unsigned line_shift)
{
    struct line_filter_page *record = line_filter_record(filter, page);

    drop_parts(filter, record, line_shift);
    *record = (struct line_filter_page){.page = page};
}

bool line_filter_drop_page(struct line_filter *filter, uint32_t page, unsigned line_shift)
{
    struct line_filter_page *record = line_filter_record(filter, page);

    if (record->page != page || record->parts == 0)
        return false;
    drop_parts(filter, record, line_shift);
    record->parts = record->used = 0;
    return true;
}
