/* Records of where a Cortex-A8's pages lie, as the program's translation tables have them.
 *
 * The library shows virtual addresses only. So the tables are walked (page_walk.h) for each page
 * that a
 * code block executes in or accesses, once until something happens that may move it: a write to a
 * register of translation, or maintenance of TLBs. Pages that have moved become records before the
 * code block's.
 *
 * Does not model: what descriptors say of memory types; a page that is moved without TLB
 * maintenance, CHOICE(firmware-frames). */
#ifndef UNICORN_PAGE_RECORDS_H
#define UNICORN_PAGE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "cosim/page_walk.h"
#include "isa/insn.h"

struct firmware;

#define PAGE_RECORDS_PAGES (1u << 20)

struct page_records {
    struct page_tables tables;
    uint32_t generation; /* of answers, from 1 */
    bool moved;          /* registers are to be read anew */
    uint32_t
        known[PAGE_RECORDS_PAGES]; /* by virtual page: the generation in which it was looked up */
    uint32_t placed[PAGE_RECORDS_PAGES]; /* virtual page xor the frame that the model knows */
};

/* Whether an instruction writes where tables are. */
bool page_records_depend_on(enum armpmu_isa isa, uint32_t word);

/* Pages may lie elsewhere from the next code block on. */
void page_records_invalidate(struct firmware *fw);

/* The executing code block is at its end, its records are all there: writes the records of its
 * pages.
 */
void page_records_write(struct firmware *fw);

#endif
