/* The Cortex-A8's memory system: level 1 caches, TLBs, walks, write buffer, level 2, bus.
 *
 * Assumes: memory is Normal, cacheable, write-back, or Device; 4 KiB pages; L1D hits need no time
 * beyond the schedule; L1D is write-back and casts out whole lines; table descriptors are cacheable
 * in level 2 and lie outside the program's pages, one set of tables for all address spaces; one
 * integer miss at a time (the pipeline replays), several NEON read misses at a time.
 * Does not model: speculative data accesses, level 2 bank conflicts, bus
 * arbitration, what cache maintenance costs, Normal memory that is not cacheable. */
#ifndef CORES_CORTEX_A8_MEMORY_H
#define CORES_CORTEX_A8_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "base/compiler.h"
#include "cores/cortex_a8/external_memory.h"
#include "cores/cortex_a8/write_buffer.h"
#include "parts/access_table.h"
#include "parts/cache.h"
#include "parts/line_filter.h"
#include "parts/miss_map.h"
#include "parts/page_map.h"
#include "parts/tlb.h"
#include "parts/way_predictor.h"

/* All lines of the core are 64 bytes: the machine file may not say otherwise. */
#define LINE_SHIFT      6
#define LINE_BYTES      (1u << LINE_SHIFT)
#define LINE_MASK       (~(LINE_BYTES - 1))
#define PAGE_LINE_SHIFT (PAGE_SHIFT - LINE_SHIFT)

/* A flag of a line in the filters: the page's colours differ, so each access counts an alias. */
#define FILTER_ALIAS 16u

/* The facts of a page that an access to it needs. */
struct a8_page {
    uint32_t page;        /* in the data TLB; A8_PAGE_AWAY besides: not there; or A8_NO_PAGE */
    uint32_t first_line;  /* physical */
    uint16_t table_place; /* of level 2, where a walk found its second level last */
    uint8_t way_hash;     /* of its lines, plus 1 */
    bool aliased;         /* its colours differ */
    uint8_t has_lines;    /* it may have lines in use in the filters, a bit for each */
};

#define A8_PAGE_AWAY  (1u << 31)
#define A8_NO_PAGE    UINT32_MAX
#define A8_DATA_PAGES 512

/* A time: while both numbers stay the same, lines of the page that hit once hit again. */
struct a8_epoch {
    uint32_t page;   /* it is in the instruction TLB; or A8_NO_PAGE */
    uint32_t number; /* moves on when a line leaves */
};

/* Pages of code with the same low bits. */
struct a8_code_pages {
    struct a8_epoch epoch; /* of the one that was fetched from last */
    uint16_t table_place;  /* of level 2, where a walk for one found its second level last */
};

#define A8_CODE_PAGES 1024

struct a8_memory {
    uint64_t now;    /* core cycles so far; the core adds the schedule's */
    uint64_t *tally; /* ARMPMU_SIGNAL_COUNT: the core's; of a profile, the current instruction's */

    /* Lines and pages that are known to hit without changing any state: valid in the cache, the
     * way predicted right, page in the TLB. Fetches, loads, stores to dirty lines. Pages of code
     * are kept apart from their lines, since they come and go more often. */
    struct line_filter fetch;
    struct a8_code_pages code_pages[A8_CODE_PAGES + 1]; /* the last one: any */
    struct line_filter data[2];                         /* [is a store] */
    bool fetch_filtered, data_filtered;                 /* false when a hit changes state (LRU) */

    struct cache l1i, l1d, l2;
    struct way_predictor l1i_hash, l1d_hash; /* off unless the machine predicts ways */
    struct miss_maps misses;
    struct access_seen seen; /* of the latest access, for who asks */
    struct tlb itlb, dtlb;
    struct page_map pages;
    struct a8_page data_pages[A8_DATA_PAGES]; /* by the low bits of their numbers */
    uint64_t *uncached; /* a bit for each virtual page; NULL before the first */
    bool translates;    /* the MMU is on */
    bool no_data_cache, no_code_cache;
    bool walks_for_nothing; /* CHOICE(cures): a page comes into the data TLB */
    struct write_buffer writes;
    struct external_memory external;
    uint64_t
        neon_data; /* when the data of the latest NEON read misses has come; the core zeroes it */

    uint32_t colour_mask; /* page number bits that are index bits of L1D */
    bool has_l2;
    bool is_usual;     /* the machine is of A8_USUAL_SHAPE */
    bool is_plain;     /* it is, the MMU is on, all memory cached; no cures, no kept accesses */
    bool keeps_places; /* a line of level 2 that is where it was last needs no search: no LRU */
    uint16_t first_table_place; /* of level 2, where a walk found the first level last */
    uint32_t part_beats;        /* bus beats of a dirty part (16 bytes) of a line of level 2 */
    const struct armpmu_machine *machine;

    /* A model of several machines (cores/several.h) has one front, whose clock waits for nothing,
     * and a back for each machine, in which time passes: level 2, the write buffer, memory. */
    struct a8_memory *backs;     /* of a front: the first one */
    struct a8_memory *next_back; /* of a back */
    uint64_t ahead;              /* of a back: its clock, less the front's */
};

#define A8_EACH_BACK(back, memory)                                                                 \
    for (struct a8_memory *back = (memory)->backs; back != NULL; back = back->next_back)

/* From here on memory is a front, and back one of its machines'. */
void a8_add_back(struct a8_memory *memory, struct a8_memory *back);

/* memory: zeroed. After a failure a8_memory_free releases what was taken. */
enum armpmu_status a8_memory_init(struct a8_memory *memory, const struct armpmu_machine *machine,
                                  uint64_t *tally, struct armpmu_error *err);
void a8_memory_free(struct a8_memory *memory);

/* Fetches a line that is not known to hit, on the path of execution, or (speculative) one that will
 * be flushed: then it costs no time. The line access itself is counted by the caller. */
void a8_fetch_line(struct a8_memory *memory, uint64_t line, bool speculative);

/* Fetches code, whose first line this is, by a number of reads of memory: while the instruction
 * cache is off. */
void a8_fetch_uncached(struct a8_memory *memory, uint64_t line, uint32_t reads);

/* Accesses bytes of one data line, a number of cycles after the clock; counts everything but
 * L1D_ACCESS, NEON_L1D_ACCESS and NEON_L1D_HIT (the caller presumes a hit; a NEON miss takes its
 * hit back). */
void a8_data_access(struct a8_memory *memory, uint32_t address, uint32_t bytes, bool store,
                    bool neon, uint32_t later);

/* The same of loads and stores that are not NEON's, while memory.is_plain; their cycles are
 * counted, too. */
void a8_load(struct a8_memory *memory, uint32_t address, uint32_t later);
void a8_store(struct a8_memory *memory, uint32_t address, uint32_t bytes, uint32_t later);

/* As a8_data_access, for all bytes of an instruction's access to Device or Strongly-ordered memory:
 * no cache is asked. */
void a8_device_access(struct a8_memory *memory, uint64_t address, uint32_t bytes, bool store);

/* A page of the running address space lies somewhere else from now on. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status a8_place_page(struct a8_memory *memory, uint32_t virtual_page,
                                                 uint32_t physical_page);

/* Sets whether data caches keep the lines of a virtual page; they do at first. Returns ARMPMU_OK
 * or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status a8_set_uncached(struct a8_memory *memory, uint32_t virtual_page,
                                                   bool uncached);

static inline bool a8_is_uncached(const struct a8_memory *memory, uint32_t address)
{
    const uint32_t page = address >> PAGE_SHIFT;
    return memory->no_data_cache ||
           (memory->uncached != NULL && (memory->uncached[page / 64] >> page % 64 & 1));
}

/* CHOICE(cures): the line of an address comes into level 1; or into level 2, if level 1 does not
 * have it; or its page comes into the data TLB. Nothing is counted, and it takes no time. */
void a8_cure_level1(struct a8_memory *memory, uint32_t address);
void a8_cure_level2(struct a8_memory *memory, uint32_t address);
void a8_cure_page(struct a8_memory *memory, uint32_t address);

/* Returns whether the data TLB has a page; this is a use of it. */
bool a8_has_page(struct a8_memory *memory, uint32_t page);

/* The same: the instruction cache has a line of code from here on. */
void a8_cure_fetch(struct a8_memory *memory, uint64_t line);

/* The same: a PLD asked for the line of an address in the cycle `at`, which is over. */
void a8_cure_by_preload(struct a8_memory *memory, uint32_t address, uint64_t at);

/* A PLD names an address, a number of cycles after the clock. */
void a8_preload(struct a8_memory *memory, uint32_t address, uint32_t later);

/* Both TLBs lose all entries, or those of a virtual page. */
void a8_flush_tlbs(struct a8_memory *memory);
void a8_flush_page(struct a8_memory *memory, uint32_t virtual_page);

/* NEON has the data of its latest store from a time on. */
void a8_vector_store_has_data(struct a8_memory *memory, uint64_t time);

/* Turns translation on or off. */
void a8_translate(struct a8_memory *memory, bool on);

/* The caches that are off from now on: ARMPMU_CONTROL_ bits. */
void a8_switch_caches(struct a8_memory *memory, unsigned off);

/* ---- maintenance.c ---- */

/* Cache maintenance: bits of enum armpmu_system_bits, and the virtual address or the set and way
 * that the instruction named. */
void a8_maintain(struct a8_memory *memory, unsigned bits, uint32_t operand);

/* Called by these: a line leaves a level 1 cache, and its way has no hash any more; a line leaves
 * L1D through the write buffer; the filters lose a data line, a line of code, a page of code, or
 * all lines that code was fetched from; a line of level 2 goes to memory, which returns when it
 * takes it. */
void a8_drop_line(struct cache *cache, struct way_predictor *hash, struct cache_line *line);
void a8_cast_out(struct a8_memory *memory, const struct cache_line *victim);
void a8_forget_fetch_line(struct a8_memory *memory, uint32_t line);
void a8_forget_code_page(struct a8_memory *memory, uint32_t page);
void a8_forget_fetches(struct a8_memory *memory);
uint64_t a8_write_back(struct a8_memory *memory, const struct cache_line *line, uint64_t now);
uint64_t a8_physical_line(const struct a8_memory *memory, uint64_t virtual_line);

static inline void a8_forget_data_line(struct a8_memory *memory, uint32_t line)
{
    line_filter_drop(&memory->data[0], line << LINE_SHIFT, LINE_SHIFT);
    line_filter_drop(&memory->data[1], line << LINE_SHIFT, LINE_SHIFT);
}

static inline struct a8_code_pages *a8_code_pages_of(struct a8_memory *memory, uint64_t page)
{
    return &memory->code_pages[page % A8_CODE_PAGES];
}

/* Returns whether a fetch from a line is known to hit whenever its page is in the TLB. */
static inline bool a8_has_code(const struct a8_memory *memory, uint64_t line)
{
    return line_filter_has(&memory->fetch, (uint32_t)line << LINE_SHIFT, LINE_SHIFT);
}

/* The same of one whose page is known to be there now. */
static inline bool a8_fetch_hits(struct a8_memory *memory, uint64_t line)
{
    const uint64_t page = line >> PAGE_LINE_SHIFT;
    return a8_has_code(memory, line) && a8_code_pages_of(memory, page)->epoch.page == page;
}

#endif
