/* The inside of the Cortex-A8's memory system: what its files share.
 *
 *   memory_setup.c set-up, the filters
 *   translation.c  TLBs and walks, what a system changes
 *   fetch_side.c   L1I
 *   data_side.c    L1D
 *   level2.c       level 2, the bus
 *   write_side.c   the write buffer
 *
 * The functions on the path of a miss are inline. Each function takes the time as `now` and returns
 * it with the waiting time added, so the clock is stored only once for each access. */
#ifndef CORES_CORTEX_A8_MEMORY_INTERNAL_H
#define CORES_CORTEX_A8_MEMORY_INTERNAL_H

#include "cores/cortex_a8/memory.h"

#define PART_BYTES 16 /* level 2 keeps a dirty bit for each */
#define ALL_PARTS  ((1u << LINE_BYTES / PART_BYTES) - 1)

static inline void count(struct a8_memory *memory, enum armpmu_signal signal, uint64_t n)
{
    memory->tally[signal] += n;
}

/* Beats that write parts of a line. */
static inline uint64_t part_beats(const struct a8_memory *memory, uint8_t parts)
{
    static const uint8_t ones[ALL_PARTS + 1] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return (uint64_t)ones[parts & ALL_PARTS] * memory->part_beats;
}

RARE void a8_note_miss(const struct a8_memory *memory, enum armpmu_miss_cache which,
                       const struct cache *cache, uint64_t line, uint64_t now);

static inline void note_miss(const struct a8_memory *memory, bool are_kept,
                             enum armpmu_miss_cache which, const struct cache *cache, uint64_t line,
                             uint64_t now)
{
    if (unlikely(are_kept))
        a8_note_miss(memory, which, cache, line, now);
}

/* ---- the machine ---- */

/* State that data accesses depend on and that seldom changes. */
struct a8_shape {
    struct cache_shape l1d, l2;
    bool has_l2, hashes_ways, stores_allocate;
    bool keeps_misses; /* for maps of them */
    bool is_front;
};

/* The value of memory.is_usual, known when this is compiled. */
#define A8_USUAL_SHAPE(misses, front)                                                              \
    ((struct a8_shape){.l1d = {.ways = 4, .tag_ways = 4, .policy = REPLACEMENT_RANDOM},            \
                       .l2 = {.ways = 8, .tag_ways = 8, .policy = REPLACEMENT_RANDOM},             \
                       .has_l2 = true,                                                             \
                       .hashes_ways = true,                                                        \
                       .keeps_misses = (misses),                                                   \
                       .is_front = (front)})

static inline struct a8_shape a8_shape_of(const struct a8_memory *memory)
{
    return (struct a8_shape){
        .l1d = cache_shape(&memory->l1d),
        .l2 = cache_shape(&memory->l2),
        .has_l2 = memory->has_l2,
        .hashes_ways = way_predictor_is_on(&memory->l1d_hash),
        .stores_allocate = memory->machine->l1d_write_allocate != YESNO_NO,
        .keeps_misses = memory->misses.are_kept,
        .is_front = memory->backs != NULL,
    };
}

/* ---- level 2 ---- */

/* Entries that have drained from the write buffer by now leave it. */
void a8_advance_writes(struct a8_memory *memory, uint64_t now);

/* A line that is not present comes in. dirty: its parts that are. Returns the bus beats that write
 * the line which it replaces. */
static ALWAYS_INLINE uint64_t l2_fill(struct a8_memory *memory, struct cache_shape shape,
                                      uint64_t line, uint8_t dirty)
{
    struct cache *const l2 = &memory->l2;
    const size_t set = cache_set(l2, line);
    const uint32_t way = cache_way_to_fill(l2, shape, set);
    const struct cache_line *const victim = cache_line_at(l2, shape, set, way);
    uint64_t beats = 0;
    if (unlikely(victim->valid && victim->dirty != 0)) {
        beats = part_beats(memory, victim->dirty);
        count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT, beats);
    }
    cache_replace(l2, shape, set, way,
                  (struct cache_line){.physical = (uint32_t)line,
                                      .virtual_line = (uint32_t)line,
                                      .dirty = dirty,
                                      .valid = true});
    return beats;
}

/* Reads a physical line for the word at an offset in it; returns when the word is there, which
 * is `cycles` later if level 2 has it. */
static ALWAYS_INLINE uint64_t l2_read(struct a8_memory *memory, const struct a8_shape *shape,
                                      uint64_t line, uint32_t offset, uint64_t now, uint32_t cycles,
                                      bool *hit)
{
    *hit = false;
    if (likely(shape->has_l2)) {
        const size_t set = cache_set(&memory->l2, line);
        const uint32_t way = cache_find_way(&memory->l2, shape->l2, set, line);
        count(memory, ARMPMU_SIGNAL_L2_ACCESS, 1);
        if (way != CACHE_NO_WAY) {
            cache_touch(&memory->l2, shape->l2, set, way);
            *hit = true;
            return external_memory_arrival(&memory->external, line, offset, now + cycles);
        }
        count(memory, ARMPMU_SIGNAL_L2_MISS, 1);
        note_miss(memory, shape->keeps_misses, ARMPMU_MISS_L2, &memory->l2, line, now);
        if (unlikely(memory->writes.used != 0))
            a8_advance_writes(memory, now);
        external_memory_write(&memory->external, l2_fill(memory, shape->l2, line, 0), now + cycles);
    }
    count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, memory->external.line_beats);
    return external_memory_read(&memory->external, line, offset, now + cycles);
}

/* The same where it is not in the way of what comes more often. */
uint64_t a8_l2_read(struct a8_memory *memory, uint64_t line, uint32_t offset, uint64_t now,
                    uint32_t cycles, bool *hit);

/* Reads a line of instructions or page tables; returns whether level 2 has it.
 *
 * CHOICE(fetches-apart): these reads do not wait for other reads and writes of memory, and
 * nothing waits for them. */
bool a8_l2_fetch(struct a8_memory *memory, uint64_t line, uint64_t now);

/* ---- the write buffer ---- */

/* All take the time at which they happen, and return it with what was waited; a front's does not
 * move. */

/* A store that missed L1D goes to level 2 through it; a line that leaves L1D does; a write of a
 * number of beats to a device. */
uint64_t a8_store_to_l2(struct a8_memory *memory, uint64_t physical, uint64_t bytes, bool neon,
                        uint64_t now);
uint64_t a8_evict(struct a8_memory *memory, const struct cache_line *victim, uint64_t now);
uint64_t a8_write_device(struct a8_memory *memory, uint64_t line, uint64_t now);

/* Waits until nothing of a physical line is in it. */
uint64_t a8_await_writes(struct a8_memory *memory, uint64_t line, uint64_t now);

/* ---- the filters ---- */

static inline void add_line(struct line_filter *filter, uint64_t line, uint32_t flags)
{
    line_filter_add(filter, (uint32_t)line << LINE_SHIFT, flags, LINE_SHIFT);
}

/* Nothing is known to hit; a page's lines are not. */
void a8_forget_all(struct a8_memory *memory);
void a8_forget_page(struct a8_memory *memory, uint32_t page);

/* ---- translation ---- */

static RARE uint64_t name_placed(const struct a8_memory *memory, uint64_t page)
{
    return page | (page_map_physical(&memory->pages, page) + 1) << 32;
}

/* The name of a page in the TLBs.
 *
 * CHOICE(page-pairs): once a system places its pages it is the pair of virtual and physical page,
 * so that pages of several processes stay side by side as with ASIDs. */
static inline uint64_t page_name(const struct a8_memory *memory, uint64_t page)
{
    return likely(!page_map_is_placed(&memory->pages)) ? page : name_placed(memory, page);
}

static inline uint64_t physical_line(uint64_t frame, uint64_t virtual_line)
{
    return frame << PAGE_LINE_SHIFT | (virtual_line & ((1u << PAGE_LINE_SHIFT) - 1));
}

/* The frame of a page that code is fetched from; *walks: the TLB does not have it. */
uint64_t a8_translate_fetch(struct a8_memory *memory, uint64_t page, bool *walks);

/* Walks for it, not of a front; returns the cycles. */
uint32_t a8_walk_for_fetch(struct a8_memory *memory, uint64_t page, uint64_t now);

static inline struct a8_page *data_page_slot(struct a8_memory *memory, uint32_t page)
{
    return &memory->data_pages[page % A8_DATA_PAGES];
}

/* Fills the slot of a page which is not known to be in the data TLB, walking if it is not. Returns
 * the time after that. */
uint64_t a8_bring_page(struct a8_memory *memory, struct a8_page *known, uint32_t page,
                       uint64_t now);

/* ---- level 1 ----
 *
 * CHOICE(hash-miss): the hash misleads when it names a way and the line is not there, or names none
 * while the line is present.
 * Source: ARM DDI 0344K, Values for predefined events, 0x49 and 0x4A. */

/* An access to a level 1 cache: the line, the hash of its page plus 1, and the way that the hash
 * names. */
struct line_access {
    uint64_t line, physical;
    size_t set;
    uint32_t way; /* CACHE_NO_WAY: it misses */
    uint32_t way_hash, predicted;
    uint32_t offset; /* of data, in its line */
};

static ALWAYS_INLINE void look_up(const struct cache *cache, struct cache_shape shape,
                                  const struct way_predictor *hash, bool hashes_ways,
                                  struct line_access *access)
{
    access->set = cache_set(cache, access->line);
    access->way = cache_find_way(cache, shape, access->set, access->physical);
    access->predicted = hashes_ways
                            ? way_predictor_find(hash, access->set, shape.ways, access->way_hash)
                            : access->way;
}

/* A line was found or filled: its way gets the hash. Returns the line that lost it, and will be
 * mispredicted; NULL if none did. */
static ALWAYS_INLINE const struct cache_line *train(const struct cache *cache,
                                                    struct cache_shape shape,
                                                    struct way_predictor *hash, bool hashes_ways,
                                                    const struct line_access *access)
{
    if (!hashes_ways)
        return NULL;
    const uint32_t loser = way_predictor_retrain(hash, access->set, shape.ways, access->way_hash,
                                                 access->way, access->predicted);
    return loser != WAY_NONE ? cache_line_at(cache, shape, access->set, loser) : NULL;
}

#endif
