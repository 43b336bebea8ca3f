/* The data accesses of a program by instruction, outcome and region of addresses, in bounded
 * memory.
 *
 * Regions begin as wide as a line and double, all at once, when one more would not fit: sums stay
 * exact. Those of lines that another core had keep their one address as long as they can.
 *
 * Assumes: one table for each core model. Does not model: anything. */
#ifndef PARTS_ACCESS_TABLE_H
#define PARTS_ACCESS_TABLE_H

#include <stdbool.h>

#include "armpmu/profile.h"
#include "base/intern.h"

/* The outcome of an access, as the parts of a core see it. */
struct access_seen {
    uint8_t source, tlb; /* enum armpmu_access_source, enum armpmu_access_tlb */
};

static inline void access_comes_from(struct access_seen *seen, enum armpmu_access_source source)
{
    if (seen->source < source)
        seen->source = (uint8_t)source;
}

static inline void access_page_from(struct access_seen *seen, enum armpmu_access_tlb tlb)
{
    if (seen->tlb < tlb)
        seen->tlb = (uint8_t)tlb;
}

/* Zeroed it is empty. */
struct access_table {
    struct armpmu_data_access *rows;
    size_t n, room;
    struct intern index;
    unsigned widened, widened_shared; /* regions: bits beyond the narrowest */
    size_t most;                      /* rows; there are more where regions cannot be wider */
    bool lost;                        /* for lack of memory */
};

/* access: with all its sums; low is its address, high, sample and step do not matter. */
void access_table_add(struct access_table *table, const struct armpmu_data_access *access);
/* One that was added is another: of a row of which all are, nothing is left but the addresses. */
void access_table_move(struct access_table *table, const struct armpmu_data_access *from,
                       const struct armpmu_data_access *to);
void access_table_free(struct access_table *table);

#endif
