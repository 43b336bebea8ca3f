/* A fully associative translation lookaside buffer.
 *
 * Assumes: 4 KiB pages, all global; the page map is fixed for a run.
 * Does not model: lockdown, larger pages, ASIDs, maintenance operations. */
#ifndef UARCH_TLB_H
#define UARCH_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "catalog/machine.h"
#include "uarch/random.h"

struct tlb_entry {
    uint64_t virtual_page, physical_page;
    uint64_t used; /* LRU clock */
    bool valid;
};

struct tlb {
    struct tlb_entry *entries;
    uint32_t n_entries;
    uint32_t next; /* round robin */
    uint64_t clock;
    enum machine_replacement policy;
    struct random random;
};

enum armpmu_status tlb_init(struct tlb *tlb, uint32_t n_entries, enum machine_replacement policy,
                            uint64_t seed, struct armpmu_error *err);
void tlb_free(struct tlb *tlb);

/* The entry that maps the page, NULL if none. */
const struct tlb_entry *tlb_lookup(struct tlb *tlb, uint64_t virtual_page);

/* Enters a mapping that is not present; *victim is the displaced entry (valid false if none). */
const struct tlb_entry *tlb_fill(struct tlb *tlb, uint64_t virtual_page, uint64_t physical_page,
                                 struct tlb_entry *victim);

#endif
