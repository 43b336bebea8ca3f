/* The entries are found through a small chained hash, not by comparing all of them: the same answer
 * as the hardware's parallel compare, in a few nanoseconds for any number of entries. */
#include "parts/tlb.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Log2 of the number of buckets: at least sixteen for each entry, so that a page which is not there
 * nearly always finds its bucket empty, and one that is there is alone in it: the host foresees
 * both.
 */
static unsigned bucket_bits(uint32_t n_entries)
{
    unsigned bits = 1;
    while ((UINT32_C(1) << bits) < 16 * n_entries)
        bits++;
    return bits;
}

enum armpmu_status tlb_init(struct tlb *tlb, uint32_t n_entries, enum machine_replacement policy,
                            uint64_t seed, struct armpmu_error *err)
{
    *tlb = (struct tlb){0};
    if (n_entries < 1 || n_entries > TLB_MAX_ENTRIES)
        return fail(err, ARMPMU_BAD_CONFIG, "TLB entries: %u, must be 1 to %d", n_entries,
                    TLB_MAX_ENTRIES);
    unsigned bits = bucket_bits(n_entries);
    *tlb = (struct tlb){
        .n_entries = n_entries, .bucket_shift = 64 - bits, .policy = policy, .random = {seed}};
    tlb->entries = calloc(n_entries, sizeof *tlb->entries);
    tlb->buckets = calloc((size_t)1 << bits, sizeof *tlb->buckets);
    if (tlb->entries == NULL || tlb->buckets == NULL) {
        tlb_free(tlb);
        return fail(err, ARMPMU_NO_MEMORY, "TLB: no memory for %u entries; make the TLB smaller",
                    n_entries);
    }
    return ARMPMU_OK;
}

void tlb_free(struct tlb *tlb)
{
    free(tlb->entries);
    free(tlb->buckets);
    *tlb = (struct tlb){0};
}

static struct tlb_entry *oldest(const struct tlb *tlb)
{
    struct tlb_entry *found = tlb->entries;
    for (uint32_t i = 1; i < tlb->n_entries; i++)
        if (tlb->entries[i].used < found->used)
            found = &tlb->entries[i];
    return found;
}

static struct tlb_entry *first_empty(struct tlb *tlb)
{
    struct tlb_entry *entry = tlb->entries;
    while (entry->valid)
        entry++;
    return entry;
}

struct tlb_entry *tlb_choose_entry(struct tlb *tlb)
{
    if (tlb->n_filled == tlb->n_entries)
        return oldest(tlb);
    tlb->n_filled++;
    return first_empty(tlb);
}

void tlb_flush(struct tlb *tlb)
{
    memset(tlb->entries, 0, tlb->n_entries * sizeof *tlb->entries);
    memset(tlb->buckets, 0, sizeof *tlb->buckets << (64 - tlb->bucket_shift));
    tlb->n_filled = 0;
}

void tlb_flush_masked(struct tlb *tlb, uint64_t virtual_page, uint64_t mask)
{
    for (struct tlb_entry *entry = tlb->entries; entry != tlb->entries + tlb->n_entries; entry++) {
        if (!entry->valid || ((entry->virtual_page ^ virtual_page) & mask) != 0)
            continue;
        tlb_unchain(tlb, entry);
        *entry = (struct tlb_entry){0};
        tlb->n_filled--;
    }
}

void tlb_flush_page(struct tlb *tlb, uint32_t virtual_page)
{
    tlb_flush_masked(tlb, virtual_page, UINT32_MAX);
}
