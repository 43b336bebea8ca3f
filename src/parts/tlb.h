/* A fully associative translation lookaside buffer.
 *
 * Assumes: 4 KiB pages. A page is named by its virtual number, in bits 31..0 or more of them;
 * the bits above tell address spaces apart, if anything does. Does not model: lockdown, larger
 * pages.
 *
 * Victims: empty entries are filled first, in order of their number. Then random draws an entry
 * from the seed; round robin goes round from entry 0; LRU takes the entry whose last hit or fill
 * is longest ago. */
#ifndef PARTS_TLB_H
#define PARTS_TLB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/compiler.h"
#include "machine/machine.h"
#include "parts/random.h"

#define TLB_MAX_ENTRIES 1024

struct tlb_entry {
    uint64_t virtual_page; /* its name */
    uint64_t physical_page;
    uint64_t used; /* LRU clock at its last hit or fill */
    bool valid;
    uint16_t chained; /* number + 1 of the next entry in the same bucket, 0 for none */
};

struct tlb {
    struct tlb_entry *entries;
    uint16_t *buckets; /* number + 1 of the first entry whose page hashes here, 0 for none */
    unsigned bucket_shift;
    uint32_t n_entries, n_filled;
    uint32_t next; /* round robin */
    uint64_t clock;
    enum machine_replacement policy;
    struct random random;
};

/* Makes an empty TLB. n_entries: 1 to TLB_MAX_ENTRIES; seed: of the random policy. The TLB owns its
 * entries, tlb_free releases them; after a failure there is nothing to release.
 * Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status tlb_init(struct tlb *tlb, uint32_t n_entries,
                                            enum machine_replacement policy, uint64_t seed,
                                            struct armpmu_error *err);

/* Releases what tlb_init took. A zeroed or a freed TLB is fine. */
void tlb_free(struct tlb *tlb);

/* ---- inline: asked at every access that is not known to hit ---- */

/* Multiplying by an odd constant near 2^64 / golden ratio spreads neighbouring pages. */
static inline uint16_t *tlb_bucket(const struct tlb *tlb, uint64_t virtual_page)
{
    return &tlb->buckets[virtual_page * UINT64_C(0x9e3779b97f4a7c15) >> tlb->bucket_shift];
}

/* The entry that maps the page, NULL if none. With random and round robin no lookup changes any
 * state; with LRU a hit makes the entry the newest, so a hit on the one that already is changes no
 * later answer. A caller may leave out lookups that change nothing. Valid until the next tlb_fill.
 */
static inline const struct tlb_entry *tlb_lookup(struct tlb *tlb, uint64_t virtual_page)
{
    for (uint16_t link = *tlb_bucket(tlb, virtual_page); link != 0;) {
        struct tlb_entry *entry = &tlb->entries[link - 1];
        if (entry->virtual_page == virtual_page) {
            if (tlb->policy == REPLACEMENT_LRU)
                entry->used = ++tlb->clock;
            return entry;
        }
        link = entry->chained;
    }
    return NULL;
}

/* Returns whether an entry that mapped the page does so still; then this was a hit of tlb_lookup.
 * The page is not 0, which empty entries have. */
static inline bool tlb_named_hits_again(struct tlb *tlb, struct tlb_entry *entry,
                                        uint64_t virtual_page)
{
    if (entry->virtual_page != virtual_page)
        return false;
    if (entry->used != tlb->clock && tlb->policy == REPLACEMENT_LRU)
        entry->used = ++tlb->clock;
    return true;
}

/* The same of the entry with a number, and of any page. */
static inline bool tlb_hits_again(struct tlb *tlb, uint32_t number, uint64_t virtual_page)
{
    struct tlb_entry *const entry = &tlb->entries[number];

    return entry->valid && tlb_named_hits_again(tlb, entry, virtual_page);
}

/* tlb_entry_to_fill where there is an empty one, or the oldest one goes. */
struct tlb_entry *tlb_choose_entry(struct tlb *tlb);

static inline struct tlb_entry *tlb_entry_to_fill(struct tlb *tlb)
{
    const uint32_t next = tlb->next;

    if (unlikely(tlb->n_filled != tlb->n_entries || tlb->policy == REPLACEMENT_LRU))
        return tlb_choose_entry(tlb);
    if (tlb->policy == REPLACEMENT_RANDOM)
        return &tlb->entries[random_below(&tlb->random, tlb->n_entries)];
    tlb->next = next + 1 == tlb->n_entries ? 0 : next + 1;
    return &tlb->entries[next];
}

static inline void tlb_unchain(struct tlb *tlb, const struct tlb_entry *entry)
{
    const uint16_t number = (uint16_t)(entry - tlb->entries + 1);
    uint16_t *link = tlb_bucket(tlb, entry->virtual_page);
    while (*link != number)
        link = &tlb->entries[*link - 1].chained;
    *link = entry->chained;
}

/* Enters a mapping that is not present; *victim is the displaced entry (valid false if none). */
static inline const struct tlb_entry *tlb_fill(struct tlb *tlb, uint64_t virtual_page,
                                               uint64_t physical_page, struct tlb_entry *victim)
{
    struct tlb_entry *const entry = tlb_entry_to_fill(tlb);
    *victim = *entry;
    if (victim->valid)
        tlb_unchain(tlb, entry);
    uint16_t *const bucket = tlb_bucket(tlb, virtual_page);
    *entry = (struct tlb_entry){.virtual_page = virtual_page,
                                .physical_page = physical_page,
                                .used = ++tlb->clock,
                                .valid = true,
                                .chained = *bucket};
    *bucket = (uint16_t)(entry - tlb->entries + 1);
    return entry;
}

/* ---- */

/* Empties all entries, or those whose names have the virtual number in bits 31..0, or in those of a
 * mask. What the policy knows of the others stays. */
void tlb_flush(struct tlb *tlb);
void tlb_flush_page(struct tlb *tlb, uint32_t virtual_page);
void tlb_flush_masked(struct tlb *tlb, uint64_t virtual_page, uint64_t mask);

#endif
