/* Lines that an access is known to find without changing anything: a filter in front of the models
 * of cache and TLB, not a model itself. Everything else takes the slow path, with the same result.
 *
 *   entry   address of the line | flags of the core | LINE_FILTER_AWAY
 *           one for each line of LINE_FILTER_BYTES of addresses; lines further apart share it
 *   page    which of its lines came in: what leaves with a page, or with its entry in the TLB
 *
 * Assumes: 32-bit addresses, pages of 4 KiB, lines of 16 to 64 bytes. The core drops a line when it
 * would not be found so any more.
 * Does not model: anything.
 *
 * line_shift: the logarithm of the line's bytes, the same in every call for one filter; a constant,
 * so that what is inline needs no more than a load and a compare. */
#ifndef PARTS_LINE_FILTER_H
#define PARTS_LINE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arm.h"

#define LINE_FILTER_BYTES     (1u << 18) /* with 16 bits, half of the misses of gzip were hits */
#define LINE_FILTER_MIN_SHIFT 4
#define LINE_FILTER_MAX_SHIFT 6
#define LINE_FILTER_PAGES     1024 /* with 256, three matrices of 256 KiB took turns */
#define LINE_FILTER_NONE      UINT32_MAX
#define LINE_FILTER_PARTS     (1u << (PAGE_SHIFT - LINE_FILTER_MAX_SHIFT)) /* of a page */

_Static_assert(LINE_FILTER_PARTS <= 64, "a bit for each part of a page");

/* The topmost bit below the line's address: the line is there, but its page is not in the TLB. No
 * address matches. */
#define LINE_FILTER_AWAY(line_shift) (1u << ((line_shift)-1))

/* The parts of a page of which lines came in, 64 bytes each, and those of them that may have lines
 * in use. A page that takes the record of another empties the filter of that one's lines, so that
 * none is forgotten. */
struct line_filter_page {
    uint64_t parts, used;
    uint32_t page;
};

struct line_filter {
    uint32_t entry[LINE_FILTER_BYTES >> LINE_FILTER_MIN_SHIFT];
    struct line_filter_page page[LINE_FILTER_PAGES];
};

/* An empty filter. */
void line_filter_clear(struct line_filter *filter, unsigned line_shift);

/* Drops a page's lines; returns whether any came in since they were dropped last. */
bool line_filter_drop_page(struct line_filter *filter, uint32_t page, unsigned line_shift);

/* ---- inline: asked at every access ---- */

static inline uint32_t line_filter_entry(const struct line_filter *filter, uint32_t address,
                                         unsigned line_shift)
{
    return filter->entry[address % LINE_FILTER_BYTES >> line_shift];
}

/* Returns whether an address lies in the line of an entry. mask: the bits of a line's address, and
 * those that are clear in a multiple of the bytes to which the address must be aligned; flags:
 * those that do not matter. */
static inline bool line_filter_matches(uint32_t entry, uint32_t address, uint32_t mask,
                                       uint32_t flags)
{
    return (entry & ~flags) == (address & mask);
}

/* Returns whether the line of an address is there; of a core without flags. */
static inline bool line_filter_has(const struct line_filter *filter, uint32_t address,
                                   unsigned line_shift)
{
    return line_filter_entry(filter, address, line_shift) == (address & -(1u << line_shift));
}

/* ---- inline: asked at every miss ---- */

static inline uint32_t *line_filter_slot(struct line_filter *filter, uint32_t address,
                                         unsigned line_shift)
{
    return &filter->entry[address % LINE_FILTER_BYTES >> line_shift];
}

/* Returns whether an entry is that of the line of an address, in use or not. */
static inline bool line_filter_holds(uint32_t entry, uint32_t address, unsigned line_shift)
{
    return entry >> line_shift == address >> line_shift && entry != LINE_FILTER_NONE;
}

/* Drops the line of an address, if it is there. */
static inline void line_filter_drop(struct line_filter *filter, uint32_t address,
                                    unsigned line_shift)
{
    uint32_t *const slot = line_filter_slot(filter, address, line_shift);
    const uint32_t entry = *slot;

    /* Without a branch, which the host could not foresee. */
    *slot = (entry ^ address) >> line_shift == 0 ? LINE_FILTER_NONE : entry;
}

static inline struct line_filter_page *line_filter_record(struct line_filter *filter, uint32_t page)
{
    return &filter->page[page % LINE_FILTER_PAGES];
}

/* Gives a page the record of another one, whose lines it drops. */
void line_filter_new_record(struct line_filter *filter, uint32_t page, unsigned line_shift);

static inline uint64_t line_filter_part_bit(uint32_t address)
{
    return UINT64_C(1) << (address >> LINE_FILTER_MAX_SHIFT & (LINE_FILTER_PARTS - 1));
}

/* Enters the line of an address. flags: the core's, in the bits below the line that no mask has
 * which the core compares with. */
static inline void line_filter_add(struct line_filter *filter, uint32_t address, uint32_t flags,
                                   unsigned line_shift)
{
    const uint32_t page = address >> PAGE_SHIFT;
    struct line_filter_page *record = line_filter_record(filter, page);

    if (record->page != page)
        line_filter_new_record(filter, page, line_shift);
    record->parts |= line_filter_part_bit(address);
    record->used |= line_filter_part_bit(address);
    *line_filter_slot(filter, address, line_shift) = (address & -(1u << line_shift)) | flags;
}

/* The address of the first of some parts of a page. */
static inline uint32_t line_filter_part(uint32_t page, uint64_t parts)
{
    return page << PAGE_SHIFT | (uint32_t)__builtin_ctzll(parts) << LINE_FILTER_MAX_SHIFT;
}

/* Returns whether any line of the part is there still. */
static inline bool line_filter_set_part(struct line_filter *filter, uint32_t start, bool away,
                                        unsigned line_shift)
{
    bool any = false;

    for (uint32_t offset = 0; offset < 1u << LINE_FILTER_MAX_SHIFT; offset += 1u << line_shift) {
        const uint32_t at = start + offset;
        uint32_t *slot = line_filter_slot(filter, at, line_shift);
        const uint32_t entry = *slot, used = entry & ~LINE_FILTER_AWAY(line_shift);
        /* An empty entry that is put out of use stays empty. */
        const bool holds =
            away ? (entry ^ at) >> line_shift == 0 : line_filter_holds(entry, at, line_shift);
        /* Without a branch, which the host could not foresee. */
        *slot = holds ? used | (away ? LINE_FILTER_AWAY(line_shift) : 0) : entry;
        any |= holds;
    }
    return any;
}

/* Puts the line of an address in use again whose page has come back, if it is there; returns
 * whether it was out of use. */
static inline bool line_filter_restore(struct line_filter *filter, uint32_t address, uint32_t flags,
                                       unsigned line_shift)
{
    uint32_t *const slot = line_filter_slot(filter, address, line_shift);
    const uint32_t used = *slot ^ LINE_FILTER_AWAY(line_shift);

    if (!line_filter_matches(used, address, -(1u << line_shift), flags))
        return false;
    *slot = used;
    line_filter_record(filter, address >> PAGE_SHIFT)->used |= line_filter_part_bit(address);
    return true;
}

/* A page leaves the TLB, or comes back: its lines are out of use, or in use again. For a page that
 * seldom stays long it costs less to restore the lines that are asked for. */
static inline void line_filter_set_away(struct line_filter *filter, uint32_t page, bool away,
                                        unsigned line_shift)
{
    struct line_filter_page *record = line_filter_record(filter, page);

    if (record->page != page)
        return;
    for (uint64_t parts = away ? record->used : record->parts; parts != 0; parts &= parts - 1)
        if (!line_filter_set_part(filter, line_filter_part(page, parts), away, line_shift))
            record->parts &= ~(parts & -parts); /* others have taken their entries */
    record->used = away ? 0 : record->parts;
}

#endif
