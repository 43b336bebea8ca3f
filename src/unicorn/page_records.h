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

#include "base/arm.h"
#include "cosim/page_walk.h"
#include "isa/insn.h"

struct firmware;

#define PAGE_RECORDS_PAGES (1u << 20)

struct page_records {
    struct page_tables tables;
    uint32_t generation; /* of answers, from 1 */
    bool moved;          /* registers are to be read again */
    uint32_t
        known[PAGE_RECORDS_PAGES]; /* by virtual page: the generation in which it was looked up */
    uint32_t placed[PAGE_RECORDS_PAGES]; /* virtual page xor the frame that the model knows */
};

/* Returns whether a page was looked up since it may have moved. */
static inline bool page_records_know(const struct page_records *pages, uint32_t page)
{
    return __builtin_expect(pages->known[page] == pages->generation, 1);
}

/* Returns whether no record is to be written for an access or a code block, which lies in two pages
 * at most. pages NULL: the core's model does not ask. */
static inline bool page_records_have(const struct page_records *pages, uint32_t address,
                                     uint32_t n_bytes)
{
    return pages == NULL ||
           (!pages->moved && (!(pages->tables.sctlr & SCTLR_M) ||
                              (page_records_know(pages, address >> PAGE_SHIFT) &&
                               page_records_know(pages, (address + n_bytes - 1) >> PAGE_SHIFT))));
}

/* Returns whether what lies at an address of memory is another address's, or a core's without
 * records never.
 */
bool page_records_moves(struct firmware *fw, uint32_t physical);

/* Returns whether an instruction writes where tables are. */
bool page_records_depend_on(enum armpmu_isa isa, uint32_t word);

/* Pages may lie elsewhere from the next code block on. */
void page_records_invalidate(struct firmware *fw);

/* The executing code block is at its end, its records are all there: writes the records of its
 * pages.
 */
void page_records_write(struct firmware *fw);

#endif
