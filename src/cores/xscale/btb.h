/* The branch target buffer of the XScale core: 128 entries, direct mapped, each with the target and
 * two bits of history of a branch.
 *
 *   index address[8:2], tag address[31:9] and [1], as Thumb branches lie at half words
 *
 * A branch that is not in it is predicted not taken; when it is taken it comes in as weakly taken,
 * in place of whatever was there. History is updated each time a branch in it executes.
 * Source: Intel XScale Core Developer's Manual (273473-002), Branch Target Buffer.
 *
 * Assumes: history saturates, CHOICE(xscale-history); a branch predicted taken to another target
 * than it has is mispredicted.
 * Does not model: what the prediction fetches. */
#ifndef CORES_XSCALE_BTB_H
#define CORES_XSCALE_BTB_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define XS_BTB_ENTRIES 128

struct xs_btb_entry {
    uint32_t tag; /* one more than the tag, 0 for an invalid entry */
    uint32_t target;
    uint8_t history; /* 0 strongly, 1 weakly not taken; 2 weakly, 3 strongly taken */
};

struct xs_btb {
    struct xs_btb_entry entry[XS_BTB_ENTRIES];
};

static inline void xs_btb_clear(struct xs_btb *btb)
{
    memset(btb, 0, sizeof *btb);
}

/* Where a branch is. */
struct xs_branch {
    struct xs_btb_entry *entry;
    uint32_t tag;
};

/* One at an address. */
static inline struct xs_branch xs_btb_find(struct xs_btb *btb, uint32_t address)
{
    return (struct xs_branch){.entry = &btb->entry[address >> 2 & (XS_BTB_ENTRIES - 1)],
                              .tag = (address >> 9 << 1 | (address >> 1 & 1)) + 1};
}

/* A branch executes: whether it was predicted right. Learns from it. */
static inline bool xs_btb_branch(const struct xs_branch *branch, uint32_t target, bool taken)
{
    static const uint8_t after[2][4] = {{0, 0, 1, 2}, {1, 2, 3, 3}};
    struct xs_btb_entry *const entry = branch->entry;
    const uint8_t history = entry->history;
    if (entry->tag != branch->tag) {
        if (taken)
            *entry = (struct xs_btb_entry){.tag = branch->tag, .target = target, .history = 2};
        return !taken;
    }
    entry->history = after[taken][history];
    if (taken && entry->target != target) {
        entry->target = target;
        return false;
    }
    return history >> 1 == taken;
}

#endif
