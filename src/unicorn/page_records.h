/* Where a Cortex-A8's pages lie, as the program's translation tables have them.
 *
 * The library shows virtual addresses only. So the tables are walked here, for each page that a
 * code block executes in or accesses, once until something happens that may move it: a write to a
 * register of translation, or maintenance of TLBs. Pages that have moved become records before the
 * code block's.
 *
 * Assumes: short descriptors, of TTBR0; one set of registers, not one for each Security state.
 * Does not model: what descriptors say of memory types; a page that is moved without TLB
 * maintenance, CHOICE(firmware-frames). Source: Arm DDI 0406C, VMSA: Short-descriptor translation
 * table format; TTBCR, TTBRn, SCTLR. */
#ifndef UNICORN_PAGE_TABLES_H
#define UNICORN_PAGE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

struct firmware;

#define PAGE_TABLES_PAGES (1u << 20)

struct page_tables {
    uint32_t sctlr, ttbcr, ttbr;
    uint32_t generation; /* of answers, from 1 */
    bool moved;          /* registers are to be read anew */
    uint32_t
        known[PAGE_TABLES_PAGES]; /* by virtual page: the generation in which it was looked up */
    uint32_t placed[PAGE_TABLES_PAGES]; /* virtual page xor the frame that the model knows */
};

/* Whether an instruction writes where tables are. */
bool page_tables_writes_tables(enum armpmu_isa isa, uint32_t word);

/* Pages may lie elsewhere from the next code block on. */
void page_tables_move(struct firmware *fw);

/* The executing code block is at its end, its records are all there: writes the records of its
 * pages.
 */
void page_tables_tell(struct firmware *fw);

#endif
