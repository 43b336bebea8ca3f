/* Walks the translation tables of an ARMv7-A processor: the physical address and the memory type of
 * a page.
 *
 * Assumes: no second stage of translation; one set of registers, not one for each Security state.
 * CHOICE(guest-attributes): the inner attributes count, level 1's.
 * Source: Arm DDI 0406C, VMSA: Short-descriptor and Long-descriptor translation table formats,
 * memory region attributes; SCTLR, TTBCR, PRRR, NMRR, MAIRn. */
#ifndef COSIM_PAGE_WALK_H
#define COSIM_PAGE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/insn.h"

enum page_memory { PAGE_CACHED, PAGE_UNCACHED, PAGE_DEVICE };

/* The registers that say where tables are and what attributes mean, and the memory that tables lie
 * in. */
struct page_tables {
    uint32_t sctlr, ttbcr, mair[2]; /* mair: PRRR and NMRR with short descriptors */
    uint64_t ttbr[2];
    bool (*read)(void *user, uint64_t physical, void *data, size_t n_bytes);
    void *user;
};

struct page {
    uint64_t physical; /* address */
    enum page_memory memory;
};

/* Where an address lies, with translation on. False where tables cannot be read or translate
 * nothing. */
bool page_walk(const struct page_tables *tables, uint32_t address, struct page *out);

/* The state that translation depends on and an instruction writes. */
enum page_walk_write {
    PAGE_WALK_NOTHING,
    PAGE_WALK_SCTLR,
    PAGE_WALK_TTBCR,
    PAGE_WALK_TTBR,
    PAGE_WALK_MAIR,
    PAGE_WALK_TLB_PAGE, /* a page's TLB entry is invalidated, */
    PAGE_WALK_TLB_ALL   /* or all */
};

/* Tells what an MCR or an MCRR to CP15 writes. *which: the number of the register, where there are
 * two of a kind. */
enum page_walk_write page_walk_written_by(enum armpmu_isa isa, uint32_t word, unsigned *which);

#endif
