/* The memory system of the Activity Monitors' core: level 1 caches, a level 2 of the core or of its
 * cluster, a shared last level after it, two levels of TLBs, page walks and a stride prefetcher.
 *
 * CHOICE(amu-state-order): state changes in program order, times are those of ooo_timing: an
 * access finds the caches as all accesses before it in the program left them, and waits for a line
 * that is on its way.
 *
 * Assumes:
 *  - Caches are physically indexed, write back, and allocate on reads and writes. Level 2 holds
 *    all that the data cache holds; the instruction cache and the shared cache are on their own.
 *  - CHOICE(l2-victims): with `l2.holds = victims` level 2 holds what the data cache has lost,
 * clean lines too, and never what that has. A line that the data cache reads leaves level 2, and
 * one from beyond passes it; those of code, walks, streams of stores and prefetches into level 2 go
 *    there. Code that is fetched from a line of the data cache moves it to level 2.
 *  - A line of the private caches has one size.
 *  - A miss of the data cache takes one of `window.misses` entries, in program order: a miss waits
 *    for the one that many before it.
 *  - A load that misses takes `l2.hit_cycles` from its issue when level 2 has the line. Beyond it,
 *    `llc.hit_cycles` more from the shared cache, or else `memory.latency_cycles` more.
 *  - CHOICE(l2-line-cycles): level 2 passes a line that it holds to the data cache each
 *    `l2.line_cycles`, on average: a line comes no earlier than `window.misses` times that after
 *    the one `window.misses` before it. Lines that level 2 still waits for are not limited.
 *  - CHOICE(neoverse-fill-buffers): level 2 has `l2.fill_buffers` lines on their way at most, those
 *    of the prefetcher and of instructions among them. They are given in program order: a line is
 *    asked for when the one that many before it has come. Walks take none.
 *  - CHOICE(neoverse-bandwidth): lines that memory reads and writes take `memory.line_cycles` each.
 *    A line comes so much later than the one `l2.fill_buffers` before it as all lines in between
 *    take, those that are written and those of walks among them. A read
 *    that hits the shared cache takes nothing of that. The shared cache writes a line to memory
 * when it loses one that a core has written; what it holds when a program ends is never written.
 *  - CHOICE(memory-turnaround): a line that is written after one that was read takes
 *    `memory.turnaround_cycles` more.
 *  - CHOICE(llc-line-cycles): in the same way, lines that a core reads from the shared cache take
 *    `llc.line_cycles` each; walks and streams of stores do not.
 *  - CHOICE(llc-victims): with `llc.holds = victims` the shared cache holds the lines that level 2
 *    has lost, clean ones too. A line that level 2 reads leaves it, unless another core has the
 *    line.
 *  - A demand miss of level 2 is intervals from the end of its `l2.hit_cycles` until the line is
 *    there. A prefetch is not, until a load or store waits for it.
 *  - Stores ask for their line when they retire, and enter the store buffer; their entries of the
 *    store queue are its own. It writes an entry each `store_buffer.drain_cycles`, in order.
 *  - CHOICE(neoverse-store-merge): an entry is `store_buffer.merge_bytes` aligned bytes. A store
 *    to an entry that waits to be written is added to it and is no access of its own; all
 *    other entries of a store in a line are one access together. The latest entry of a number is
 *    known in a table of MEMORY_DRAINS. A store across pages merges with nothing, nor does one that
 *    fills an entry: the next of its bytes is written `store_buffer.rewrite_cycles` later at the
 *    earliest.
 *  - CHOICE(write-stream): a stream is a run of lines that miss the data cache and that stores
 *    write completely, one after the other, upwards or downwards. Those after the first
 * `write_stream.l2_lines` are not read: they are written to level 2, after `write_stream.llc_lines`
 * to the shared cache, after `write_stream.memory_lines` to memory, or to the first of these that
 * has the line. The first store to a line decides, as if the line was whole. Such a line waits for
 * bandwidth alone, and nothing is prefetched. Lines of more than 64 bytes are never in a stream.
 *  - CHOICE(neoverse-split): an access of several lines takes its unit once more, for all but the
 *    first of them.
 *  - A load gets what older stores have not written yet from the store queue, as fast as from the
 *    cache. The latest writer of each byte is known in a table of MEMORY_GRANULES, of 8 bytes each.
 *  - CHOICE(neoverse-forwarding): with `store_buffer.unforwarded_cycles` a register's bytes come
 *    from there only where they begin with a store or in its middle and are all its; of 8 bytes or
 *    more also each half, or from the cache. Else the load reads the cache that long after all of
 *    these stores are written.
 *  - A first-level TLB miss costs `l2tlb.cycles`; a miss there `walk.cycles` more and what
 *    descriptors cost that level 2 does not have. Walks of data are not demand misses.
 *  - CHOICE(neoverse-walk-cache): a walk begins at the lowest table that one of the latest
 *    `walk.cache_entries` partial translations names; each table that it reads becomes one.
 *  - CHOICE(neoverse-prefetch): an instruction whose accesses advance by the same number of lines,
 *    for the third time, is followed: lines `prefetch.lines` strides ahead come into level 2, of
 *    strides of more than one line `prefetch.wide_lines`, those `prefetch.l1_lines` ahead into
 * level 1, `prefetch.degree` at most at a time, when the access misses level 1 or is the first to
 * use a line that was prefetched. CHOICE(prefetch-arrival): with `prefetch.on_arrival` the latter
 *    continues a stream of consecutive lines when that line is there. With
 * `prefetch.downwards = no` loads of falling addresses are
 * followed into level 1 alone. Loads are followed by virtual address across pages
 * (`prefetch.pages`): a translation that is missing is looked up as a load's. Stores are followed
 * by physical address, within a page, into level 2.
 *  - CHOICE(neoverse-l1-index): with `l1d.index = virtual` each page is placed so that its physical
 *    address has the bits of its virtual one that choose a set of level 1. Then lines of contiguous
 *    virtual addresses fill level 1 evenly, as in a cache with virtual indexes and physical tags.
 *  - CHOICE(neoverse-preload): a preload looks its address up as a load does, and fetches the line:
 *    into level 1, or into level 2 when its hint says so or it is one of instructions. It waits for
 *    nothing, and nothing waits for it.
 *  - CHOICE(neoverse-late-prefetch): the first load or store that waits for such a line counts as
 *    the refill of that level; a load whose data is there as soon as a hit's does not wait. With
 *    `prefetch.refills` the prefetch itself counts as the refill of level 2.
 *  - CHOICE(neoverse-huge-pages): with `memory.huge_pages` each aligned block of 2 MB of an
 *    anonymous mapping is one page: it has one TLB entry, its walks read a descriptor less, and its
 *    lines are contiguous in physical memory.
 * Does not model: entries that prefetches take among outstanding misses of level 1, write-backs'
 * time, wrong paths, other pages than these; in firmware and guests, which place pages
 * of 4 KB themselves, level-1 caches that virtual addresses index. */
#ifndef CORES_NEOVERSE_MEMORY_H
#define CORES_NEOVERSE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "armpmu/status.h"
#include "machine/machine.h"
#include "parts/access_table.h"
#include "parts/miss_map.h"
#include "parts/page_map48.h"
#include "parts/page_map.h"
#include "parts/recency.h"
#include "parts/tlb.h"
#include "parts/tag_array.h"
#include "cores/neoverse/ooo_timing.h"

#define MEMORY_GRANULES  1024                       /* a power of two */
#define MEMORY_PART      32                         /* bytes */
#define MEMORY_DRAINS    64                         /* a power of two */
#define MEMORY_STRIDES   256                        /* as many as prefetch.entries may be */
#define MEMORY_PAGES     32                         /* a power of two */
#define MEMORY_RECENT    1024                       /* a power of two */
#define MEMORY_FORGOTTEN UINT64_C(0x3ff00000000000) /* the bits of `forgotten` */
#define MEMORY_FORGET    (UINT64_C(1) << 44)        /* the lowest of them */
#define MEMORY_PAGE_BITS 36
#define MEMORY_PAGE_MASK ((UINT64_C(1) << MEMORY_PAGE_BITS) - 1)

/* Pages of 4 KB that a huge one has, as a power of two, and how many huge ones there may be. */
#define MEMORY_HUGE_SHIFT 9
#define MEMORY_HUGE_PAGES (UINT64_C(1) << (MEMORY_PAGE_BITS - MEMORY_HUGE_SHIFT))

/* The facts known of a line of a cache. */
struct memory_line {
    uint64_t arrives; /* the cycle from which it is there */
    uint64_t beyond;  /* while it is not: since when it is waited for beyond level 2; 0 never */
    bool dirty;
    bool prefetched; /* by the prefetcher, and no demand access waited for it yet */
    bool unused;     /* in level 1 by a prefetch, and no demand access found it there yet */
    bool outer;      /* of such a line: it comes from outside the cluster */
    bool shared;     /* of the core's last own cache: other cores may have it (cluster.c) */
};

/* A store, or one of its parts of MEMORY_PART bytes, as loads of its bytes find it. */
struct memory_writer {
    uint64_t written; /* when it leaves the store queue */
    uint64_t ready;   /* when its data is there for a load */
    uint16_t begin;   /* the low bits of its first byte's address... */
    uint16_t bytes;   /* ...and how many there are */
};

/* The latest stores to 8 bytes, since one to other bytes was in their place in the table. */
struct memory_granule {
    uint64_t number;             /* address / 8 */
    uint64_t until;              /* from when on none of its bytes is waited for, at the latest */
    struct memory_writer writer; /* the latest */
    uint8_t latest;              /* a bit for each byte that it wrote... */
    uint8_t earlier; /* ...and for each other one that a store before it wrote: memory_earlier */
};

/* Those stores. */
struct memory_earlier {
    uint64_t bits; /* eight for each, of the bytes that it wrote last; where there are any */
    struct memory_writer writers[8];
};

/* The latest entry of the store buffer for some bytes. */
struct memory_drain {
    uint64_t number; /* address / bytes of an entry + 1, 0 for none */
    uint64_t at;     /* when it is written */
    uint8_t closed;  /* one store filled it, 2: with others */
};

/* The line of the latest store that missed the data cache, and the stream that it may belong to. */
struct memory_stream {
    uint64_t virtual_line;    /* + 1, 0 for none */
    uint64_t written;         /* a bit for each of its bytes that stores have written so far */
    uint32_t n_lines;         /* whole lines of the stream before it */
    struct memory_line state; /* dirty where the line goes past the data cache, else zero */
};

/* The prefetcher's entry of a load or store instruction. */
struct memory_stride {
    uint64_t address;  /* of the instruction; 0 for none */
    uint64_t line;     /* of addresses, the one that it touched last */
    uint64_t stride;   /* lines, modulo 2^64 */
    unsigned repeated; /* how often in a row */
    unsigned ahead[2]; /* strides from `line` on that are fetched into level 1, level 2 */
};

/* How far ahead of an instruction's accesses lines are fetched, and whether across pages. */
struct memory_reach {
    uint32_t strides[2]; /* into level 1, level 2 */
    uint32_t wide;       /* in place of the second, of strides of more than one line */
    bool rising;         /* falling addresses: 0 in place of the second */
    bool pages;
};

/* The translation that a page had. */
struct memory_page {
    uint64_t virtual_page; /* + 1, 0 for none */
    uint64_t first_line;   /* the physical line of its first byte */
    uint64_t name;         /* of its TLB entry */
    uint32_t entry;        /* the number of that, should it still be there */
};

/* A line of addresses that data was found in: where it may still be. As long as a line of the
 * host's caches, so that it is found by a shift. */
struct memory_recent {
    uint64_t name_of_line;   /* memory_recent_name, 0 for none */
    uint64_t held_line;      /* what its slot of the data cache holds: the physical line + 1 */
    const uint64_t *held;    /* ...and where */
    uint64_t name;           /* of its page's TLB entry, not 0... */
    struct tlb_entry *entry; /* ...and that */
    struct memory_line *state;
    uint64_t stored; /* when all stores to it so far are written, at the latest */
    uint32_t slot, set;
};
_Static_assert(sizeof(struct memory_recent) == 64, "a power of two");

/* The same of a line of instructions; zeroed: none. */
struct memory_fetched {
    uint64_t line, name;
    struct tlb_entry *entry;
    uint32_t slot;
    uint64_t translations; /* as many as there had been */
};

/* The latest lines that level 2 had from its cluster, or that streams of stores sent there: when
 * each was there, and how long memory had read and written by then. */
struct memory_fills {
    uint64_t n;        /* so far... */
    uint64_t n_shared; /* ...of which the shared cache had */
    /* In a slice: up to this number the times that matter are of lines before it, which had come by
     * this cycle; is_unsure: the exact time would have mattered (slices.c). */
    uint64_t n_before_slice, came_by;
    bool is_unsure;
    struct memory_fill {
        uint64_t ends, transferred, n_shared;
    } latest[OOO_RING];
};

/* Level 2. Its lines know cycles of the cluster, which are the core's where it is alone. */
struct memory_level2 {
    struct tag_array tags;
    struct memory_line *lines; /* by slot */
    uint64_t transferred;      /* cycles that memory has read and written lines for it... */
    bool has_read;             /* ...the latest of which it has read */
};

/* The shared last-level cache. */
struct memory_llc {
    struct tag_array tags;
    bool *dirty; /* by slot: memory does not have what is in it */
};

struct memory_cluster;

enum memory_side { SIDE_FETCH, SIDE_DATA, MEMORY_SIDES };

/* Who asks for a line or a page. */
enum memory_use { USE_FETCH, USE_LOAD, USE_STORE, MEMORY_USES };

struct neoverse_memory {
    const struct armpmu_machine *machine;
    struct ooo_timing *window;
    uint64_t *tally; /* ARMPMU_SIGNAL_COUNT entries, the caller's */
    unsigned line_shift, page_shift, page_lines_shift; /* bytes of a line, of a page; its lines */
    uint32_t strides_mask;        /* instructions that the prefetcher knows, minus 1... */
    bool follows[2];              /* ...if it follows loads, stores... */
    struct memory_reach reach[2]; /* ...so far */
    uint32_t row_mask;            /* bytes that a load reads at a time, minus 1; 0: any */
    unsigned drain_shift;         /* bytes of an entry of the store buffer... */
    uint64_t drain_mask;          /* ...minus 1 */
    uint64_t line_beats;          /* of the bus */

    struct tag_array l1i, l1d, l2tlb, walk_cache;
    struct memory_level2 own_l2, *l2; /* its own, and that or the one of the cluster */
    struct memory_llc own_llc, *llc;  /* the same */
    struct memory_cluster *cluster;   /* the cores that it shares with; NULL: none (cluster.c) */
    uint64_t start;                   /* in cycles of the cluster */
    struct miss_maps misses;
    struct access_seen seen;       /* of the latest access, for who asks */
    struct memory_line *l1d_lines; /* by slot */
    uint64_t *filled;              /* by set of l1d: when the line of its latest miss was there */
    struct tlb tlbs[MEMORY_SIDES];
    struct memory_page pages[MEMORY_SIDES][MEMORY_PAGES]; /* saves looking them up... */
    struct memory_recent recent[MEMORY_RECENT];           /* ...as this does for lines */
    uint64_t forgotten; /* in their names: how often pages were forgotten, never 0 */
    struct page_map page_map;
    struct page_map48 page_map48;
    struct page_map huge_map; /* the same of pages that are part of a huge one */
    bool *huge;               /* by aligned block of 2 MB: it is one; NULL: there are none */
    bool mmu_off, no_data_cache, no_code_cache;
    uint64_t translations; /* changes of these and of the page map, plus 1 */

    uint64_t n_misses;
    uint64_t miss_ends[OOO_RING];
    uint64_t n_passed;                 /* lines that the data cache had from level 2... */
    uint64_t passed[OOO_RING];         /* ...and when level 2 had them for it... */
    uint64_t code_passed;              /* ...and the latest one for the instruction cache */
    struct memory_fills reads, writes; /* without those of walks; without write-backs */
    struct memory_stream stream;
    uint64_t whole_line; /* a bit for each byte of a line */
    uint64_t drained;    /* when the latest entry of the store buffer is written */
    struct memory_drain drains[MEMORY_DRAINS];
    struct memory_granule granules[MEMORY_GRANULES];
    struct memory_earlier earlier[MEMORY_GRANULES];
    struct memory_stride strides[2][MEMORY_STRIDES]; /* of loads, of stores */
    struct recency recency;    /* enum memory_conflict by line, of CURE_CONFLICTS */
    struct memory_line beside; /* one that is in no set of level 1 */
};

/* ---- memory_setup.c ---- */

/* Makes empty caches and TLBs. machine, window and tally are borrowed and must outlive it; it owns
 * its arrays, memory_free releases them. After a failure there is nothing to release. Returns
 * ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status memory_init(struct neoverse_memory *memory,
                                               const struct armpmu_machine *machine,
                                               struct ooo_timing *window, uint64_t *tally,
                                               struct armpmu_error *err);

/* Releases what memory_init took. A zeroed or a freed one is fine. */
void memory_free(struct neoverse_memory *memory);

/* Release a level 2, a shared cache, which is empty then. */
void memory_free_level2(struct memory_level2 *level2);
void memory_free_llc(struct memory_llc *llc);

/* Turns the caches on and off. */
void memory_set_caches(struct neoverse_memory *memory, bool no_data_cache, bool no_code_cache);

/* For a system, as in struct core_ops. */
ARMPMU_MUST_USE enum armpmu_status memory_place(struct neoverse_memory *memory,
                                                uint64_t virtual_page, uint64_t physical_page);
void memory_translate(struct neoverse_memory *memory, bool on);

/* The page map changed, or what is on: what was remembered of pages is no more. */
void memory_forget_pages(struct neoverse_memory *memory);

/* The program has mapped memory, as ARMPMU_SYSTEM_MAPPED has it, where there are huge pages. */
void memory_map(struct neoverse_memory *memory, unsigned bits, uint64_t operand);

/* CHOICE(l2-victims): returns whether level 2 holds what the data cache has lost, and nothing else
 * that it has. */
static inline bool memory_l2_has_victims(const struct neoverse_memory *memory)
{
    return memory->machine->l2_holds == HOLDS_VICTIMS;
}

/* Returns whether a page is part of a huge one. */
static inline bool memory_is_huge(const struct neoverse_memory *memory, uint64_t virtual_page)
{
    return unlikely(memory->huge != NULL) && memory->huge[virtual_page >> MEMORY_HUGE_SHIFT] &&
           memory->page_map48.entries == NULL;
}

/* ---- memory.c ---- */

/* An access of an instruction. */
struct memory_access {
    uint64_t pc;         /* of the instruction */
    uint64_t dispatched; /* the cycle of it */
    uint64_t address;    /* of the lowest byte */
    uint64_t again;      /* when it is issued for all lines but the first, or for its second row */
    uint16_t bytes;      /* at least 1 */
    uint16_t latency;    /* of a load that hits the data cache */
    bool device;         /* to Device memory */
};

/* Fetches a line of instructions in the cycle `at`; returns the cycle in which it is there. *why:
 * what for, if that is later. *fetched: where it is then. */
uint64_t memory_fetch(struct neoverse_memory *memory, uint64_t address, uint64_t at,
                      enum ooo_hold *why, struct memory_fetched *fetched);

/* memory_fetch of a line that only is where it was the last time: it is there at once. Returns
 * false, and has done nothing that memory_fetch does not do again, of any other. */
static ALWAYS_INLINE bool memory_fetch_again(struct neoverse_memory *memory,
                                             const struct memory_fetched *fetched)
{
    if (fetched->translations != memory->translations ||
        !tlb_named_hits_again(&memory->tlbs[SIDE_FETCH], fetched->entry, fetched->name) ||
        !tag_array_hits_again(&memory->l1i, fetched->slot, fetched->line))
        return false;
    memory->tally[ARMPMU_SIGNAL_L1I_ACCESS]++;
    return true;
}

/* Returns whether an access touches several lines of the data cache. */
static inline bool memory_splits(const struct neoverse_memory *memory, uint64_t address,
                                 uint32_t bytes, bool device)
{
    const uint32_t line_bytes = 1u << memory->line_shift;
    return ((uint32_t)address & (line_bytes - 1)) + bytes > line_bytes && !device &&
           !memory->no_data_cache;
}

/* Returns whether a load takes its unit once more: CHOICE(neoverse-split). */
static inline bool memory_load_splits(const struct neoverse_memory *memory, uint64_t address,
                                      uint32_t bytes, bool device)
{
    const uint32_t in_row = memory->row_mask;
    return ((uint32_t)address & in_row) + ((bytes - 1) & in_row) > in_row
               ? !device && !memory->no_data_cache
               : memory_splits(memory, address, bytes, device);
}

/* A load issued in the cycle `at`: returns when its result is there. */
uint64_t memory_load(struct neoverse_memory *memory, const struct memory_access *access,
                     uint64_t at);

/* The place among the latest lines of a line of addresses. The lines of a
 * column of a matrix, whose rows are a power of two apart, have different places. */
static inline uint64_t memory_recent_of(uint64_t virtual_line)
{
    return (virtual_line ^ virtual_line >> 10) % MEMORY_RECENT;
}

/* The name of a line in `recent`. It changes when pages are forgotten, so that the entries need not
 * be cleared. `forgotten` changes some of the bits that only repeat the sign of a 48-bit address,
 * but never all, so two lines never have the same name. */
static inline uint64_t memory_recent_name(const struct neoverse_memory *memory,
                                          uint64_t virtual_line)
{
    return virtual_line ^ memory->forgotten;
}

/* Returns when the data of older stores to the bytes of a load is there, of at most 16 in one or in
 * two granules aligned to as many, which is ready in the cycle `at`; MEMORY_NO_TIME if they do not
 * forward it. */
uint64_t memory_await_stores(const struct neoverse_memory *memory, uint64_t address, uint32_t bytes,
                             uint64_t at);
#define MEMORY_NO_TIME UINT64_MAX

/* The latest store to a byte of the granule in a place of the table; NULL for none. */
const struct memory_writer *memory_writer_of(const struct neoverse_memory *memory, uint64_t place,
                                             unsigned byte);

/* Where an access within a line, not to Device memory, finds its line in a cycle, if that is where
 * it was found last; else NULL. */
static ALWAYS_INLINE struct memory_recent *memory_recent_line(struct neoverse_memory *memory,
                                                              uint64_t address, uint64_t at)
{
    const uint64_t virtual_line = address >> memory->line_shift;
    struct memory_recent *const recent = &memory->recent[memory_recent_of(virtual_line)];

    if (recent->name_of_line != memory_recent_name(memory, virtual_line) ||
        *recent->held != recent->held_line || recent->state->arrives > at || recent->state->unused)
        return NULL;
    return recent;
}

/* Such a line is used again, if its page is in the TLB still. */
static ALWAYS_INLINE bool memory_use_again(struct neoverse_memory *memory,
                                           const struct memory_recent *recent)
{
    if (!tlb_named_hits_again(&memory->tlbs[SIDE_DATA], recent->entry, recent->name))
        return false;
    tag_array_use(&memory->l1d, &memory->l1d.latest[recent->set], recent->slot);
    return true;
}

/* The prefetcher's entry for the load or store at an address. */
static inline struct memory_stride *memory_stride_of(struct neoverse_memory *memory, bool stores,
                                                     uint64_t pc)
{
    return &memory->strides[stores][pc >> 2 & memory->strides_mask];
}

/* The prefetcher sees an access to a line of addresses that asks for no more. */
void memory_learn(struct memory_stride *known, uint64_t pc, uint64_t virtual_line);

/* The same, which mostly is one to the line that it knows. */
static ALWAYS_INLINE void memory_follow_again(const struct neoverse_memory *memory, bool stores,
                                              struct memory_stride *known, uint64_t pc,
                                              uint64_t address)
{
    const uint64_t virtual_line = address >> memory->line_shift;

    if (((known->line ^ virtual_line) | (known->address ^ pc)) != 0 && memory->follows[stores])
        memory_learn(known, pc, virtual_line);
}

/* memory_load of at most 16 bytes that lie in one or in two granules, aligned to as many, and that
 * only finds its line again: returns when older stores have its data, from when on it takes the
 * latency of a hit; memory_follow_again is to come. Returns MEMORY_NO_TIME, and has done nothing,
 * of any other. */
static ALWAYS_INLINE uint64_t memory_load_again(struct neoverse_memory *memory, uint64_t address,
                                                uint32_t bytes, uint64_t at)
{
    const struct memory_recent *const recent = memory_recent_line(memory, address, at);

    if (recent == NULL)
        return MEMORY_NO_TIME;
    if (unlikely(at < recent->stored))
        at = memory_await_stores(memory, address, bytes, at);
    if (at == MEMORY_NO_TIME || !memory_use_again(memory, recent))
        return MEMORY_NO_TIME;
    memory->tally[ARMPMU_SIGNAL_L1D_READ]++;
    return at;
}

/* Notes what a store writes of the latest line that missed: from an address up to `last`. */
static inline void memory_note_bytes(struct neoverse_memory *memory, uint64_t address,
                                     uint64_t last)
{
    const uint64_t in_line = (UINT64_C(1) << memory->line_shift) - 1;

    if (memory->stream.virtual_line == (address >> memory->line_shift) + 1)
        memory->stream.written |= UINT64_MAX >> (63 - (last - address)) << (address & in_line);
}

/* The latest stores to a granule, if they are to that one. */
static inline struct memory_granule *memory_granule_of(struct neoverse_memory *memory,
                                                       uint64_t number)
{
    return &memory->granules[number & (MEMORY_GRANULES - 1)];
}

/* Bits of bytes within a granule. */
static inline uint8_t memory_bits_of(uint64_t address, uint32_t bytes)
{
    return bytes >= 8 ? 0xff : (uint8_t)(((1u << bytes) - 1) << (address & 7));
}

/* The part of memory_note_part for a granule with bytes of several stores. */
void memory_keep_earlier(struct neoverse_memory *memory, uint64_t number, uint8_t bits);

/* A store writes some of the bytes within a granule: the others keep those before it. */
static inline void memory_note_part(struct neoverse_memory *memory, uint64_t address,
                                    uint32_t bytes, const struct memory_writer *writer)
{
    const uint64_t number = address >> 3;
    struct memory_granule *const granule = memory_granule_of(memory, number);
    const uint8_t bits = memory_bits_of(address, bytes);

    if (granule->number != number) {
        *granule = (struct memory_granule){number, writer->ready, *writer, bits, 0};
        return;
    }
    if (unlikely((granule->earlier & ~bits) != 0)) {
        memory_keep_earlier(memory, number, bits);
    } else if ((granule->earlier = granule->latest & (uint8_t)~bits) != 0) { /* the latest alone */
        struct memory_earlier *const earlier = &memory->earlier[number & (MEMORY_GRANULES - 1)];
        earlier->bits = granule->earlier;
        earlier->writers[0] = granule->writer;
    }
    granule->latest = bits;
    granule->writer = *writer;
    granule->until = ooo_later(granule->until, writer->ready);
}

/* The same of all of them. */
static inline void memory_note_whole(struct neoverse_memory *memory, uint64_t number,
                                     const struct memory_writer *writer)
{
    *memory_granule_of(memory, number) =
        (struct memory_granule){number, writer->ready, *writer, 0xff, 0};
}

/* The part of a line that a store writes; the line was requested and arrives in these cycles. */
struct memory_stored {
    uint64_t asked, arrives;
    bool missed, merges;
};

/* CHOICE(neoverse-store-merge): an entry of the store buffer, or what waits in one already; one
 * that is filled at once is closed to others. fills: 0, or as closed. Returns when it is written.
 */
static inline uint64_t memory_drain(struct neoverse_memory *memory,
                                    const struct memory_stored *stored, uint64_t number,
                                    uint8_t fills)
{
    struct memory_drain *const latest = &memory->drains[number % MEMORY_DRAINS];
    const uint64_t next = memory->drained + memory->machine->store_buffer_drain_cycles;

    const bool same = stored->merges && latest->number == number + 1;

    if (same && !latest->closed && !fills && !stored->missed && latest->at >= stored->asked)
        return latest->at;
    memory->drained = ooo_later(ooo_later(stored->asked, stored->arrives), next);
    if (same && latest->closed)
        memory->drained =
            ooo_later(memory->drained,
                      latest->at + latest->closed * memory->machine->store_buffer_rewrite_cycles);
    if (stored->merges)
        *latest = (struct memory_drain){number + 1, memory->drained, fills};
    return memory->drained;
}

/* The line of a store to one entry of the store buffer, not to Device memory, that only finds its
 * line again, the cycle after it retired: *written is when it is written. known: as
 * memory_stride_of says. Returns false, and has done nothing, of any other. */
static ALWAYS_INLINE bool memory_write_again(struct neoverse_memory *memory,
                                             struct memory_stride *known, uint64_t pc,
                                             uint64_t address, uint32_t bytes, uint64_t asked,
                                             uint64_t *written)
{
    const uint64_t last = address + bytes - 1, number = address >> memory->drain_shift;
    struct memory_recent *const recent = memory_recent_line(memory, address, asked);

    if (recent == NULL || number != last >> memory->drain_shift)
        return false;
    if (unlikely(memory->cluster != NULL) && !recent->state->dirty)
        return false;
    if (!memory_use_again(memory, recent))
        return false;
    memory_follow_again(memory, true, known, pc, address);
    recent->state->dirty = true;
    memory_note_bytes(memory, address, last);
    memory->tally[ARMPMU_SIGNAL_STORE_LINE]++;
    /* The line has arrived. */
    const uint64_t drained = memory->drained;
    const struct memory_stored stored = {asked, asked, false,
                                         memory->machine->store_buffer_merge_bytes != 0};
    *written = memory_drain(memory, &stored, number, bytes > memory->drain_mask);
    recent->stored = memory->drained;
    memory->tally[ARMPMU_SIGNAL_L1D_WRITE] += memory->drained != drained;
    return true;
}

/* memory_store of a whole aligned granule or two, or of a part of one, in the same case. again: as
 * in struct memory_access. */
static ALWAYS_INLINE bool memory_store_again(struct neoverse_memory *memory,
                                             struct memory_stride *known, uint64_t pc,
                                             uint64_t address, uint32_t bytes, uint64_t again,
                                             uint64_t asked, uint64_t *written)
{
    if (!memory_write_again(memory, known, pc, address, bytes, asked, written))
        return false;
    const struct memory_writer writer = {*written, again + 1, (uint16_t)address, (uint16_t)bytes};
    if (bytes < 8)
        memory_note_part(memory, address, bytes, &writer);
    else
        memory_note_whole(memory, address >> 3, &writer);
    if (bytes > 8)
        memory_note_whole(memory, (address >> 3) + 1, &writer);
    return true;
}

/* A store that was issued and has retired: returns when it is written. known: as memory_stride_of
 * says. */
uint64_t memory_store(struct neoverse_memory *memory, const struct memory_access *access,
                      struct memory_stride *known, uint64_t retired);

/* A preload that is complete in the cycle `at`: ARMPMU_PRELOAD_ bits, and its address. */
void memory_preload(struct neoverse_memory *memory, unsigned bits, uint64_t address, uint64_t at);

/* CHOICE(cures): an access is going to be made, one that stores or not, in the place that a replay
 * of armpmu whatif cures; again and latency do not matter. With CURE_CONFLICTS all others are told,
 * too. prefetched: the cycle in which CURE_PREFETCH asks for its lines. */
void memory_cure(struct neoverse_memory *memory, const struct memory_access *access, bool stores,
                 bool is_in_place, uint64_t prefetched);

/* Other cores, level 2 or maintenance have taken a line. */
void memory_forget_line(struct neoverse_memory *memory, uint64_t line);

/* The instruction cache has the line of an address from here on. */
void memory_cure_fetch(struct neoverse_memory *memory, uint64_t address);

/* The beats of the bus between core and cluster for a number of bytes. */
uint64_t memory_beats(const struct armpmu_machine *machine, uint32_t bytes);

/* Puts a line into the shared cache. dirty: memory does not have its data. */
void memory_keep_in_llc(struct neoverse_memory *memory, uint64_t line, bool dirty);

/* A line leaves the data cache, if it is there, since level 2 loses it. Returns whether level 2
 * gets it written. */
bool memory_lose_line(struct neoverse_memory *memory, uint64_t line);

/* The physical line of an address. Nothing is looked up, nothing counts. */
uint64_t memory_line_at(const struct neoverse_memory *memory, uint64_t address);

/* ---- maintenance.c ---- */

/* Carries out a SYSTEM record about caches (armpmu/trace.h). */
void memory_maintain(struct neoverse_memory *memory, unsigned bits, uint64_t operand);

/* The same of a physical line in the data cache, and in both private caches. */
void memory_maintain_l1d(struct neoverse_memory *memory, uint64_t line, unsigned bits);
void memory_maintain_line(struct neoverse_memory *memory, uint64_t line, unsigned bits);

/* For a system, as in struct core_ops. */
void memory_flush_tlbs(struct neoverse_memory *memory);
void memory_flush_page(struct neoverse_memory *memory, uint64_t virtual_page);

/* ---- cluster.c ---- */

/* From here on shares the last cache of another core of the same machine, which keeps what it has
 * there. start: the cycle of the cluster in which this core's first one is, as counted by the
 * core that was there first. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
enum armpmu_status memory_join(struct neoverse_memory *memory, struct neoverse_memory *other,
                               uint64_t start, struct armpmu_error *err);

/* Gives up what it shares; the others find the lines that it has written in the shared cache. */
void memory_leave(struct neoverse_memory *memory);

/* A cycle of the cluster as the core counts them; before its first: 0. */
static inline uint64_t memory_cycle_here(const struct neoverse_memory *memory, uint64_t of_cluster)
{
    return of_cluster > memory->start ? of_cluster - memory->start : 0;
}

/* All the cores of a cluster forget what they remembered of pages. */
void cluster_forget_pages(struct neoverse_memory *memory);

/* A line is read from memory, or is written there by a stream, of a core that shares level 2, and
 * could be there in the cycle `arrives`: returns when it is, after those of all cores. */
uint64_t cluster_fill(const struct neoverse_memory *memory, bool writes, uint64_t arrives);

/* Returns whether another core has a line in its private level 2. */
bool cluster_has(const struct neoverse_memory *memory, uint64_t line);

/* A line comes into level 2, asked for in the cycle `at`, of a core in a cluster: takes it from
 * others that have a level 2 of their own, for a store so that they lose it. */
void cluster_ask(struct neoverse_memory *memory, uint64_t line, struct memory_line *state,
                 bool for_store, uint64_t at);

/* A line comes into the data cache, which has it in the cycle *arrives, of a core in a cluster:
 * takes it from the data caches of others that share its level 2, for a store so that they lose it,
 * and moves *arrives by what that costs. Returns whether others have it still. */
bool cluster_pass(struct neoverse_memory *memory, uint64_t line, bool for_store, uint64_t *arrives);

/* A line goes past this core's caches in the cycle `at`: the others lose it. */
void cluster_claim_stream(struct neoverse_memory *memory, uint64_t line, struct memory_line *state,
                          uint64_t at);

/* A store in the cycle `at` to a line of the data cache that it has not written: others lose it. */
void cluster_claim(struct neoverse_memory *memory, uint64_t line, struct memory_line *state,
                   uint64_t at);

/* A line leaves a level 2 that others share, and their data caches with it. Returns whether one of
 * them had written it. */
bool cluster_lose(struct neoverse_memory *memory, uint64_t line);

#endif
