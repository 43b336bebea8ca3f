#include "cores/neoverse/memory.h"

#include "armpmu/trace.h"
#include "base/compiler.h"

/* Lines of translation tables have names of their own, above all lines of physical pages. */
#define TABLE_LINES      (UINT64_C(1) << 56)
#define TABLE_LEVEL_LSB  48
#define DESCRIPTOR_SHIFT 3 /* 8 bytes each */

/* Frames of huge pages, and names of their TLB entries, have a bit that no others have. */
#define HUGE_FRAMES (UINT64_C(1) << MEMORY_PAGE_BITS)
#define HUGE_ENTRY  (UINT64_C(1) << 63)

#define STREAM_LINE_BYTES 64 /* at most: `written` has a bit for each */

#define STRIDE_REPEATS 2 /* how often a stride is seen in a row before lines are fetched by it */

/* Counts by the kind of request. Loads and stores have the same TLB. */
static const struct {
    enum armpmu_signal access, refill, l2_access, l2_miss, tlb_refill, walk;
} signals_of[MEMORY_USES] = {
    [USE_FETCH] = {ARMPMU_SIGNAL_L1I_ACCESS, ARMPMU_SIGNAL_L1I_REFILL, ARMPMU_SIGNAL_L2_READ,
                   ARMPMU_SIGNAL_L2_READ_MISS, ARMPMU_SIGNAL_ITLB_REFILL, ARMPMU_SIGNAL_ITLB_WALK},
    [USE_LOAD] = {ARMPMU_SIGNAL_L1D_READ, ARMPMU_SIGNAL_L1D_READ_REFILL, ARMPMU_SIGNAL_L2_READ,
                  ARMPMU_SIGNAL_L2_READ_MISS, ARMPMU_SIGNAL_DTLB_READ_REFILL,
                  ARMPMU_SIGNAL_DTLB_READ_WALK},
    [USE_STORE] = {ARMPMU_SIGNAL_STORE_LINE, ARMPMU_SIGNAL_L1D_WRITE_REFILL, ARMPMU_SIGNAL_L2_WRITE,
                   ARMPMU_SIGNAL_L2_WRITE_MISS, ARMPMU_SIGNAL_DTLB_WRITE_REFILL,
                   ARMPMU_SIGNAL_DTLB_WRITE_WALK},
};

static inline enum memory_side side_of(enum memory_use use)
{
    return use == USE_FETCH ? SIDE_FETCH : SIDE_DATA;
}

/* ---- caches ---- */

/* CHOICE(pmuv3-bus): what passes between the core and its cluster is whole lines, and what is read
 * from and written to Device memory. A beat is as wide as the bus. */
uint64_t memory_beats(const struct armpmu_machine *machine, uint32_t bytes)
{
    const uint32_t beat_bytes = machine->bus_width_bits / 8;
    return (bytes + beat_bytes - 1) / beat_bytes;
}

/* CHOICE(memory-turnaround): memory reads or writes a line. */
static inline void transfer(struct neoverse_memory *memory, bool writes)
{
    struct memory_level2 *const l2 = memory->l2;
    const struct armpmu_machine *const machine = memory->machine;

    l2->transferred += machine->memory_line_cycles;
    l2->transferred += writes && l2->has_read ? machine->memory_turnaround_cycles : 0;
    l2->has_read = !writes;
}

void memory_keep_in_llc(struct neoverse_memory *memory, uint64_t line, bool dirty)
{
    struct memory_llc *const llc = memory->llc;
    uint32_t slot = tag_array_lookup(&llc->tags, line);
    uint64_t victim;

    if (slot != TAG_ARRAY_NO_SLOT) {
        llc->dirty[slot] |= dirty;
        return;
    }
    slot = tag_array_fill(&llc->tags, line, &victim);
    if (victim != TAG_ARRAY_NO_NAME && llc->dirty[slot])
        transfer(memory, true);
    llc->dirty[slot] = dirty;
}

/* The answer of the cluster to level 2. */
struct cluster_answer {
    bool has_it; /* the shared cache, or another core */
    bool dirty;  /* level 2 gets it written, and has to write it back */
};

/* CHOICE(llc-victims): of a line that the shared cache has. */
static struct cluster_answer take_from_llc(struct neoverse_memory *memory, uint64_t line,
                                           uint32_t slot)
{
    struct cluster_answer answer = {.has_it = true};

    if (memory->machine->llc_holds != HOLDS_VICTIMS ||
        (unlikely(memory->cluster != NULL) && cluster_has(memory, line)))
        return answer;
    answer.dirty = memory->llc->dirty[slot];
    tag_array_drop(&memory->llc->tags, slot);
    return answer;
}

/* CHOICE(pmuv3-prefetch): level 2 reads a line from its cluster, for a miss, a walk or the
 * prefetcher: all look it up in the shared cache, if there is one. */
static struct cluster_answer read_from_cluster(struct neoverse_memory *memory, uint64_t line)
{
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    memory->tally[ARMPMU_SIGNAL_BUS_READ_BEAT] += memory->line_beats;
    if (memory->machine->llc_size_kb != 0) {
        memory->tally[ARMPMU_SIGNAL_L3_READ]++;
        const uint32_t slot = tag_array_lookup(&memory->llc->tags, line);
        if (slot != TAG_ARRAY_NO_SLOT)
            return take_from_llc(memory, line, slot);
        if (unlikely(memory->cluster != NULL) && cluster_has(memory, line))
            return (struct cluster_answer){.has_it = true};
        memory->tally[ARMPMU_SIGNAL_L3_MISS]++;
        if (memory->machine->llc_holds == HOLDS_MISSED)
            memory_keep_in_llc(memory, line, false);
    }
    transfer(memory, false);
    return (struct cluster_answer){0};
}

/* The cycles that takes. */
static uint64_t cluster_cycles(const struct neoverse_memory *memory, bool shared_cache_has_it)
{
    return shared_cache_has_it ? memory->machine->llc_hit_cycles
                               : memory->machine->memory_latency_cycles;
}

/* CHOICE(neoverse-bandwidth): returns when a line is there that could be in the cycle `arrives`,
 * after what memory reads and writes before it. */
static uint64_t after_transfers(const struct neoverse_memory *memory,
                                const struct memory_fills *fills, uint64_t arrives)
{
    const struct armpmu_machine *const machine = memory->machine;
    const struct memory_fill *const before =
        &fills->latest[(fills->n - machine->l2_fill_buffers) % OOO_RING];

    if (unlikely(memory->cluster != NULL) && machine->l2_shared == YESNO_YES)
        return cluster_fill(memory, fills == &memory->writes, arrives);
    if (fills->n < machine->l2_fill_buffers)
        return arrives;
    return ooo_later(arrives, before->ends + memory->l2->transferred - before->transferred);
}

/* CHOICE(llc-line-cycles): what each line takes that the shared cache passes to a core. */
static uint32_t shared_cycles(const struct neoverse_memory *memory,
                              const struct memory_fills *fills)
{
    return fills == &memory->reads ? memory->machine->llc_line_cycles : 0;
}

/* CHOICE(neoverse-fill-buffers): returns when a line has arrived that level 2 reads or writes at
 * `due`. cycles: its latency. */
static uint64_t fill_arrives(const struct neoverse_memory *memory, struct memory_fills *fills,
                             uint64_t due, uint64_t cycles, bool shared_cache_has_it)
{
    const struct memory_fill *const before =
        &fills->latest[(fills->n - memory->machine->l2_fill_buffers) % OOO_RING];
    uint64_t arrives = ooo_later(due, before->ends) + cycles;

    fills->n_shared += shared_cache_has_it;
    const uint64_t shared = (fills->n_shared - before->n_shared) * shared_cycles(memory, fills);
    if (unlikely(fills->n < fills->n_before_slice) && before->ends <= fills->came_by)
        fills->is_unsure |=
            fills->came_by + ooo_later(shared, memory->l2->transferred - before->transferred) >
            arrives;
    if (!shared_cache_has_it)
        arrives = after_transfers(memory, fills, arrives);
    else if (fills->n >= memory->machine->l2_fill_buffers)
        arrives = ooo_later(arrives, before->ends + shared);
    fills->latest[fills->n++ % OOO_RING] =
        (struct memory_fill){arrives, memory->l2->transferred, fills->n_shared};
    return arrives;
}

static uint64_t read_arrives(struct neoverse_memory *memory, uint64_t due, bool shared_cache_has_it)
{
    return fill_arrives(memory, &memory->reads, due, cluster_cycles(memory, shared_cache_has_it),
                        shared_cache_has_it);
}

/* Level 2 sends a line to its cluster: a clean one is no write-back. */
static void send_to_cluster(struct neoverse_memory *memory, uint64_t line, bool dirty)
{
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    memory->tally[ARMPMU_SIGNAL_L2_WRITE_BACK] += dirty;
    memory->tally[ARMPMU_SIGNAL_BUS_WRITE_BEAT] += memory->line_beats;
    if (memory->machine->llc_size_kb == 0) {
        transfer(memory, true);
        return;
    }
    memory->tally[ARMPMU_SIGNAL_L3_WRITE]++;
    memory_keep_in_llc(memory, line, dirty);
}

/* Returns whether the shared cache takes a clean line that level 2 loses. */
static bool llc_wants(const struct neoverse_memory *memory, uint64_t line)
{
    return memory->machine->llc_holds == HOLDS_VICTIMS && memory->machine->llc_size_kb != 0 &&
           tag_array_peek(&memory->llc->tags, line) == TAG_ARRAY_NO_SLOT;
}

/* Level 1 with a single set has lost a line, has it, or has it again for an access that is cured.
 */
enum memory_conflict { CONFLICT_ABSENT, CONFLICT_HELD, CONFLICT_CURED };

void memory_forget_line(struct neoverse_memory *memory, uint64_t line)
{
    uint8_t *const state = recency_find(&memory->recency, line);

    if (unlikely(state != NULL))
        *state = CONFLICT_ABSENT;
}

bool memory_lose_line(struct neoverse_memory *memory, uint64_t line)
{
    const uint32_t held = tag_array_peek(&memory->l1d, line);

    memory_forget_line(memory, line);
    if (held == TAG_ARRAY_NO_SLOT)
        return false;
    const bool written = memory->l1d_lines[held].dirty;
    memory->tally[ARMPMU_SIGNAL_L1D_INVALIDATED]++;
    memory->tally[ARMPMU_SIGNAL_L1D_WRITE_BACK] += written;
    tag_array_drop(&memory->l1d, held);
    return written;
}

/* CHOICE(amu-inclusion): a line leaves level 2, and the data cache with it; the shared cache takes
 * what was written. CHOICE(pmuv3-write-back): what the data cache loses that way and has written is
 * a write-back of level 1, then one of level 2. */
static void evict_from_l2(struct neoverse_memory *memory, uint64_t line, bool dirty)
{
    if (!memory_l2_has_victims(memory))
        dirty |= memory_lose_line(memory, line);
    if (unlikely(memory->cluster != NULL))
        dirty |= cluster_lose(memory, line);
    if (dirty || llc_wants(memory, line))
        send_to_cluster(memory, line, dirty);
}

/* filled: in cycles of the core. */
static struct memory_line *fill_l2(struct neoverse_memory *memory, uint64_t line,
                                   const struct memory_line *filled)
{
    uint64_t victim;
    const uint32_t slot = tag_array_fill(&memory->l2->tags, line, &victim);
    struct memory_line *const state = &memory->l2->lines[slot];

    if (victim != TAG_ARRAY_NO_NAME)
        evict_from_l2(memory, victim, state->dirty);
    *state = *filled;
    state->arrives += memory->start;
    state->beyond += memory->start;
    return state;
}

/* CHOICE(l2-victims): level 2 gets a line that the data cache has lost. */
static void lose_to_l2(struct neoverse_memory *memory, uint64_t line,
                       const struct memory_line *state)
{
    const struct memory_line lost = {.arrives = state->arrives,
                                     .beyond = state->beyond,
                                     .dirty = state->dirty,
                                     .prefetched = state->prefetched,
                                     .shared = state->shared};

    memory->tally[ARMPMU_SIGNAL_L1D_WRITE_BACK] += lost.dirty;
    memory->tally[ARMPMU_SIGNAL_L2_WRITE] += !lost.dirty;
    memory->tally[ARMPMU_SIGNAL_L2_ALLOCATED] += !lost.dirty;
    fill_l2(memory, line, &lost);
}

static struct memory_line *fill_l1d(struct neoverse_memory *memory, uint64_t line)
{
    uint64_t victim;
    struct memory_line *state = &memory->l1d_lines[tag_array_fill(&memory->l1d, line, &victim)];

    if (victim == TAG_ARRAY_NO_NAME)
        return state;
    if (unlikely(memory_l2_has_victims(memory))) {
        lose_to_l2(memory, victim, state);
    } else if (state->dirty) { /* level 2 has it */
        memory->tally[ARMPMU_SIGNAL_L1D_WRITE_BACK]++;
        memory->l2->lines[tag_array_peek(&memory->l2->tags, victim)].dirty = true;
    }
    return state;
}

/* CHOICE(l2-victims): a line leaves level 2 for the data cache. */
static void take_from_l2(struct neoverse_memory *memory, uint32_t slot, struct memory_line *passing)
{
    *passing = memory->l2->lines[slot];
    tag_array_drop(&memory->l2->tags, slot);
}

/* CHOICE(l2-victims): a line that level 2 has read passes it. Returns its state, *passing. filled:
 * in cycles of the core. */
static struct memory_line *pass_l2(const struct neoverse_memory *memory,
                                   const struct memory_line *filled, struct memory_line *passing)
{
    *passing = *filled;
    passing->arrives += memory->start;
    passing->beyond += memory->start;
    return passing;
}

static inline void note_miss(struct neoverse_memory *memory, enum armpmu_miss_cache cache,
                             const struct tag_array *tags, uint64_t line, uint64_t address,
                             uint64_t cycle)
{
    miss_map_note(&memory->misses, cache, tag_array_set(tags, line), address, cycle);
}

/* The answer of level 2. */
struct l2_answer {
    uint64_t arrives;   /* when the line is there */
    uint64_t beyond;    /* since when it comes from beyond level 2, 0 if it does not */
    bool outer;         /* it comes from outside the cluster */
    bool dirty, shared; /* CHOICE(l2-victims): level 2 does not have it, and the line is that */
};

/* CHOICE(l2-victims): code is fetched from a line that the data cache has: level 2 gets it. */
static void fetch_from_l1d(struct neoverse_memory *memory, uint64_t line)
{
    const uint32_t slot = tag_array_peek(&memory->l1d, line);

    if (slot == TAG_ARRAY_NO_SLOT)
        return;
    tag_array_drop(&memory->l1d, slot);
    memory_forget_line(memory, line);
    lose_to_l2(memory, line, &memory->l1d_lines[slot]);
}

static void count_l2_miss(struct neoverse_memory *memory, enum memory_use use, uint64_t line,
                          uint64_t cycle)
{
    memory->tally[signals_of[use].l2_miss]++;
    note_miss(memory, ARMPMU_MISS_L2, &memory->l2->tags, line, line << memory->line_shift, cycle);
}

/* Level 2 answers: it holds a line, or that is on its way there. */
static struct l2_answer held_answer(struct neoverse_memory *memory, enum memory_use use,
                                    uint64_t line, struct memory_line *state, uint64_t due)
{
    const uint64_t arrives = memory_cycle_here(memory, state->arrives);

    access_comes_from(&memory->seen, arrives <= due ? ARMPMU_FROM_L2 : ARMPMU_FROM_FILL);
    if (arrives <= due)
        return (struct l2_answer){.arrives = due};
    if (state->prefetched) {
        state->prefetched = false;
        count_l2_miss(memory, use, line, due);
    }
    return (struct l2_answer){.arrives = arrives,
                              .beyond = ooo_later(memory_cycle_here(memory, state->beyond), due)};
}

/* CHOICE(amu-last-private-cache): what level 2 does not have comes from beyond the core's clock
 * domain. due: when level 2 would have answered. */
static struct l2_answer ask_cluster(struct neoverse_memory *memory, enum memory_use use,
                                    uint64_t line, uint64_t due)
{
    struct memory_line passing;

    count_l2_miss(memory, use, line, due);
    const struct cluster_answer answer = read_from_cluster(memory, line);
    access_comes_from(&memory->seen, answer.has_it ? ARMPMU_FROM_L3 : ARMPMU_FROM_RAM);
    const struct memory_line filled = {
        .arrives = read_arrives(memory, due, answer.has_it), .beyond = due, .dirty = answer.dirty};
    const bool passes = unlikely(memory_l2_has_victims(memory)) && use != USE_FETCH;
    struct memory_line *const state =
        passes ? pass_l2(memory, &filled, &passing) : fill_l2(memory, line, &filled);
    if (unlikely(memory->cluster != NULL))
        cluster_ask(memory, line, state, use == USE_STORE, due);
    return (struct l2_answer){memory_cycle_here(memory, state->arrives), due, !answer.has_it,
                              passes && state->dirty, passes && state->shared};
}

/* CHOICE(l2-victims): ask_l2 where level 2 holds them. */
static OUT_OF_LINE struct l2_answer ask_victims(struct neoverse_memory *memory, enum memory_use use,
                                                uint64_t line, uint64_t due)
{
    struct memory_line passing = {0};

    if (use == USE_FETCH)
        fetch_from_l1d(memory, line);
    const uint32_t slot = tag_array_lookup(&memory->l2->tags, line);
    memory->tally[signals_of[use].l2_access]++;
    if (slot == TAG_ARRAY_NO_SLOT)
        return ask_cluster(memory, use, line, due);
    struct l2_answer answer = held_answer(memory, use, line, &memory->l2->lines[slot], due);
    if (use != USE_FETCH)
        take_from_l2(memory, slot, &passing);
    answer.dirty = passing.dirty;
    answer.shared = passing.shared;
    return answer;
}

/* Level 2 is asked by a miss whose answer it has at `due`. */
static struct l2_answer ask_l2(struct neoverse_memory *memory, enum memory_use use, uint64_t line,
                               uint64_t due)
{
    if (unlikely(memory_l2_has_victims(memory)))
        return ask_victims(memory, use, line, due);
    const uint32_t slot = tag_array_lookup(&memory->l2->tags, line);

    memory->tally[signals_of[use].l2_access]++;
    if (slot != TAG_ARRAY_NO_SLOT)
        return held_answer(memory, use, line, &memory->l2->lines[slot], due);
    return ask_cluster(memory, use, line, due);
}

static void count_refill(struct neoverse_memory *memory, enum memory_use use, uint64_t address,
                         uint64_t line, bool outer, uint64_t at)
{
    memory->tally[signals_of[use].refill]++;
    memory->tally[outer ? ARMPMU_SIGNAL_L1D_REFILL_OUTER : ARMPMU_SIGNAL_L1D_REFILL_INNER]++;
    note_miss(memory, ARMPMU_MISS_L1D, &memory->l1d, line, address, at);
}

/* CHOICE(l2-line-cycles): a line comes into the data cache. due: when level 2 answers; arrives:
 * when level 2 has the line. Returns when the data cache has it. */
static uint64_t pass_to_l1d(struct neoverse_memory *memory, uint64_t due, uint64_t arrives)
{
    const struct armpmu_machine *const machine = memory->machine;
    const uint64_t between = machine->window_misses, number = memory->n_passed++;
    uint64_t passed = due;

    if (machine->l2_line_cycles == 0)
        return arrives;
    if (arrives <= due && number >= between)
        passed = ooo_later(due, memory->passed[(number - between) % OOO_RING] +
                                    between * machine->l2_line_cycles);
    memory->passed[number % OOO_RING] = passed;
    return ooo_later(arrives, passed);
}

/* CHOICE(l1d-fill-cycles): when a line is in its set that could be there in the cycle `arrives`.
 * filled: when the line of the set's latest miss was, 0 for none. */
static uint64_t after_fill(const struct neoverse_memory *memory, uint64_t filled, uint64_t arrives)
{
    const uint64_t next = filled + memory->machine->l1d_fill_cycles;

    return filled != 0 && filled <= arrives && arrives < next ? next : arrives;
}

/* CHOICE(amu-miss-order): a miss of the data cache in the cycle `at` waits for the one
 * `window.misses` before it. */
static struct memory_line *miss_line(struct neoverse_memory *memory, enum memory_use use,
                                     uint64_t address, uint64_t line, uint64_t at)
{
    const uint64_t free_at =
        memory->miss_ends[(memory->n_misses - memory->machine->window_misses) % OOO_RING];
    uint64_t *const filled = &memory->filled[tag_array_set(&memory->l1d, line)];
    const uint64_t due = ooo_later(at, free_at) + memory->machine->l2_hit_cycles;
    const struct l2_answer answer = ask_l2(memory, use, line, due);
    uint64_t arrives = after_fill(memory, *filled, pass_to_l1d(memory, due, answer.arrives));
    const bool shared =
        unlikely(memory->cluster != NULL) && cluster_pass(memory, line, use == USE_STORE, &arrives);
    struct memory_line *state = fill_l1d(memory, line);

    count_refill(memory, use, address, line, answer.outer, at);
    memory->miss_ends[memory->n_misses++ % OOO_RING] = *filled = arrives;
    *state = (struct memory_line){.arrives = arrives,
                                  .beyond = answer.beyond,
                                  .dirty = answer.dirty,
                                  .shared = shared || answer.shared};
    return state;
}

/* A load or store is the first that waits for a prefetched line on its way to level 1. A line that
 * level 2 holds and passes late is no refill of level 2. */
static OUT_OF_LINE void take_over(struct neoverse_memory *memory, enum memory_use use,
                                  uint64_t address, uint64_t line, struct memory_line *state,
                                  uint64_t at)
{
    state->prefetched = false;
    access_comes_from(&memory->seen, ARMPMU_FROM_FILL);
    count_refill(memory, use, address, line, state->outer, at);
    if (state->beyond != 0 && state->arrives > at + memory->machine->l2_hit_cycles &&
        !memory->machine->prefetch_refills)
        count_l2_miss(memory, use, line, at);
}

/* CHOICE(amu-demand): a load or store waits for a line from the cycle `at` on, perhaps for one
 * from beyond level 2. */
static inline void wait_for_line(struct neoverse_memory *memory, const struct memory_access *access,
                                 const struct memory_line *state, uint64_t at)
{
    if (state->arrives > at)
        access_comes_from(&memory->seen, ARMPMU_FROM_FILL);
    if (state->beyond != 0 && state->arrives > at)
        ooo_wait(memory->window, access->dispatched, ooo_later(at, state->beyond), state->arrives);
}

/* ---- translation ---- */

/* A table fills a page with descriptors: its level resolves this number of bits of a page number.
 */
static inline unsigned level_bits(const struct neoverse_memory *memory)
{
    return memory->page_shift - DESCRIPTOR_SHIFT;
}

/* The name of a table of pages, which a descriptor of a level gives the address of. */
static uint64_t table_of(const struct neoverse_memory *memory, unsigned level,
                         uint64_t virtual_page)
{
    return (uint64_t)level << TABLE_LEVEL_LSB | virtual_page >> (level * level_bits(memory));
}

static uint64_t table_line(const struct neoverse_memory *memory, unsigned level,
                           uint64_t virtual_page)
{
    return TABLE_LINES | (uint64_t)level << TABLE_LEVEL_LSB |
           virtual_page >> (level * level_bits(memory) + DESCRIPTOR_SHIFT);
}

/* CHOICE(neoverse-walk-cache): the descriptors that a walk reads: those below the lowest table that
 * the walk cache knows. It then knows their tables, too. */
static unsigned levels_to_read(struct neoverse_memory *memory, uint64_t virtual_page,
                               unsigned lowest)
{
    const unsigned levels = memory->machine->walk_levels;
    unsigned level = lowest + 1;
    uint64_t victim;

    if (memory->machine->walk_cache_entries == 0)
        return levels;
    while (level < levels &&
           tag_array_lookup(&memory->walk_cache, table_of(memory, level, virtual_page)) ==
               TAG_ARRAY_NO_SLOT)
        level++;
    for (unsigned read = level; --read > lowest;)
        tag_array_fill(&memory->walk_cache, table_of(memory, read, virtual_page), &victim);
    return level;
}

/* The cycles of a table walk. Only walks read these lines, and do not ask when they arrive.
 * CHOICE(pmuv3-walks): each descriptor is a read of level 2, for a store, too. In maps of misses,
 * a missing one is at the wanted page, whose frame this is. */
static uint64_t walk_tables(struct neoverse_memory *memory, uint64_t virtual_page, uint64_t frame,
                            uint64_t at)
{
    const struct armpmu_machine *machine = memory->machine;
    const unsigned lowest = memory_is_huge(memory, virtual_page);
    const unsigned levels = levels_to_read(memory, virtual_page, lowest);
    uint64_t cycles = machine->walk_cycles;

    memory->tally[ARMPMU_SIGNAL_L2_READ] += levels - lowest;
    for (unsigned level = levels; level-- > lowest;) {
        const uint64_t line = table_line(memory, level, virtual_page);
        if (tag_array_lookup(&memory->l2->tags, line) != TAG_ARRAY_NO_SLOT)
            continue;
        memory->tally[ARMPMU_SIGNAL_L2_READ_MISS]++;
        note_miss(memory, ARMPMU_MISS_L2, &memory->l2->tags, line, frame << memory->page_shift, at);
        const struct cluster_answer answer = read_from_cluster(memory, line);
        cycles += cluster_cycles(memory, answer.has_it);
        fill_l2(memory, line, &(struct memory_line){.dirty = answer.dirty});
    }
    return cycles;
}

/* CHOICE(amu-page-pairs): a TLB entry names a virtual page and its physical page, instead of the
 * number of an address space. Before pages are placed the virtual page alone decides. */
static uint64_t entry_name(uint64_t virtual_page, uint64_t physical)
{
    return virtual_page | physical << MEMORY_PAGE_BITS;
}

/* A TLB miss of the first level in the cycle `at`: fills *entry and returns the cycles it costs. */
static uint64_t refill_tlb(struct neoverse_memory *memory, enum memory_use use,
                           const struct memory_page *page, uint64_t physical, uint64_t at,
                           const struct tlb_entry **entry)
{
    struct tlb_entry displaced;
    const uint64_t cycles = memory->machine->l2tlb_cycles;
    uint64_t victim;

    memory->tally[signals_of[use].tlb_refill]++;
    access_page_from(&memory->seen, ARMPMU_TLB_L2);
    *entry = tlb_fill(&memory->tlbs[side_of(use)], page->name, physical, &displaced);
    if (tag_array_lookup(&memory->l2tlb, page->name) != TAG_ARRAY_NO_SLOT)
        return cycles;
    tag_array_fill(&memory->l2tlb, page->name, &victim);
    memory->tally[signals_of[use].walk]++;
    access_page_from(&memory->seen, ARMPMU_TLB_WALK);
    return cycles + walk_tables(memory, page->virtual_page - 1, physical, at);
}

/* Where a page lies, as translation tables have it. */
static uint64_t frame_of(const struct neoverse_memory *memory, uint64_t virtual_page)
{
    if (memory->mmu_off)
        return virtual_page;
    if (memory->page_map48.entries != NULL)
        return page_map48_physical(&memory->page_map48, virtual_page);
    if (unlikely(memory_is_huge(memory, virtual_page)))
        return HUGE_FRAMES | page_map_physical(&memory->huge_map, virtual_page);
    return page_map_physical(&memory->page_map, virtual_page);
}

/* The name by which a TLB knows a page. Where it depends on the frame, or the entry is of more than
 * this page, *frame becomes that. */
static inline uint64_t name_of_page(struct neoverse_memory *memory, uint64_t virtual_page,
                                    uint64_t *frame)
{
    const bool huge = memory_is_huge(memory, virtual_page);

    if (memory->page_map48.entries == NULL && !huge)
        return virtual_page;
    *frame = frame_of(memory, virtual_page);
    return huge ? HUGE_ENTRY | virtual_page >> MEMORY_HUGE_SHIFT : entry_name(virtual_page, *frame);
}

/* Finds a page, through the TLBs unless they are off, and moves *at by what that costs. */
static void find_page(struct neoverse_memory *memory, enum memory_use use, uint64_t virtual_page,
                      struct memory_page *page, uint64_t *at)
{
    const bool placed = memory->page_map48.entries != NULL || memory_is_huge(memory, virtual_page);
    struct tlb *tlb = &memory->tlbs[side_of(use)];
    uint64_t physical = virtual_page;
    const struct tlb_entry *entry = tlb->entries; /* as good as any where they are not used */

    *page = (struct memory_page){.virtual_page = virtual_page + 1, .name = virtual_page};
    if (!memory->mmu_off) {
        page->name = name_of_page(memory, virtual_page, &physical);
        entry = tlb_lookup(tlb, page->name);
        if (entry != NULL) {
            physical = placed ? physical : entry->physical_page;
        } else {
            if (!placed)
                physical = frame_of(memory, virtual_page);
            *at += refill_tlb(memory, use, page, physical, *at, &entry);
        }
    }
    page->first_line = physical << memory->page_lines_shift;
    page->entry = (uint32_t)(entry - tlb->entries);
}

/* The line of an address in a page that begins with a line. */
static inline uint64_t line_in_page(const struct neoverse_memory *memory, uint64_t first_line,
                                    uint64_t address)
{
    return first_line |
           (address >> memory->line_shift & ((UINT64_C(1) << memory->page_lines_shift) - 1));
}

/* Translates an address that is used in the cycle *at, and moves *at by what that costs. Returns
 * the physical line. */
static inline uint64_t translate(struct neoverse_memory *memory, enum memory_use use,
                                 uint64_t address, uint64_t *at)
{
    const enum memory_side side = side_of(use);
    const uint64_t virtual_page = address >> memory->page_shift & MEMORY_PAGE_MASK;
    struct memory_page *page = &memory->pages[side][virtual_page % MEMORY_PAGES];

    if (page->virtual_page != virtual_page + 1 ||
        (!memory->mmu_off && !tlb_hits_again(&memory->tlbs[side], page->entry, page->name)))
        find_page(memory, use, virtual_page, page, at);
    return line_in_page(memory, page->first_line, address);
}

uint64_t memory_line_at(const struct neoverse_memory *memory, uint64_t address)
{
    const uint64_t frame = frame_of(memory, address >> memory->page_shift & MEMORY_PAGE_MASK);
    return line_in_page(memory, frame << memory->page_lines_shift, address);
}

/* ---- prefetch ---- */

enum { INTO_L1, INTO_L2 };

/* Fetches a line into level 2, in the cycle `at`; *outer: from outside the cluster. passing: where
 * it passes level 2; NULL: it does not. Returns its state. */
static struct memory_line *bring_to_l2(struct neoverse_memory *memory, uint64_t line, uint64_t at,
                                       bool *outer, struct memory_line *passing)
{
    const uint64_t asked = at + memory->machine->l2_hit_cycles;
    const bool counts = memory->machine->prefetch_refills == YESNO_YES;

    if (counts)
        count_l2_miss(memory, USE_LOAD, line, asked);
    const struct cluster_answer answer = read_from_cluster(memory, line);
    const struct memory_line filled = {.arrives = read_arrives(memory, asked, answer.has_it),
                                       .beyond = asked,
                                       .dirty = answer.dirty,
                                       .prefetched = !counts};
    struct memory_line *const state =
        passing != NULL ? pass_l2(memory, &filled, passing) : fill_l2(memory, line, &filled);
    *outer = !answer.has_it;
    if (unlikely(memory->cluster != NULL))
        cluster_ask(memory, line, state, false, asked);
    return state;
}

static void prefetch_into_l2(struct neoverse_memory *memory, uint64_t line, uint64_t at)
{
    bool outer;

    if (memory_l2_has_victims(memory) && tag_array_peek(&memory->l1d, line) != TAG_ARRAY_NO_SLOT)
        return;
    memory->tally[ARMPMU_SIGNAL_L2_READ]++;
    if (tag_array_peek(&memory->l2->tags, line) == TAG_ARRAY_NO_SLOT)
        bring_to_l2(memory, line, at, &outer, NULL);
}

/* Level 2 has a line for the prefetcher, or brings it, *outer: from outside the cluster. *passing:
 * its state where it then is not in level 2. Returns its state. */
static const struct memory_line *find_in_l2(struct neoverse_memory *memory, uint64_t line,
                                            uint64_t at, bool *outer, struct memory_line *passing)
{
    const uint32_t slot = tag_array_lookup(&memory->l2->tags, line);
    const bool has_victims = memory_l2_has_victims(memory);

    if (slot == TAG_ARRAY_NO_SLOT)
        return bring_to_l2(memory, line, at, outer, has_victims ? passing : NULL);
    if (!has_victims)
        return &memory->l2->lines[slot];
    take_from_l2(memory, slot, passing);
    return passing;
}

static void prefetch_into_l1(struct neoverse_memory *memory, uint64_t line, uint64_t at)
{
    const uint64_t due = at + memory->machine->l2_hit_cycles;
    struct memory_line passing = {0};
    bool outer = false;

    if (tag_array_peek(&memory->l1d, line) != TAG_ARRAY_NO_SLOT)
        return;
    memory->tally[ARMPMU_SIGNAL_L2_READ]++;
    memory->tally[ARMPMU_SIGNAL_PREFETCH_FILL]++;
    const struct memory_line *const held = find_in_l2(memory, line, at, &outer, &passing);
    const uint64_t there = memory_cycle_here(memory, held->arrives);
    const uint64_t beyond = memory_cycle_here(memory, held->beyond);
    uint64_t arrives = pass_to_l1d(memory, due, ooo_later(there, due));
    const bool shared =
        unlikely(memory->cluster != NULL) && cluster_pass(memory, line, false, &arrives);
    *fill_l1d(memory, line) =
        (struct memory_line){.arrives = arrives,
                             .beyond = there > due ? ooo_later(beyond, due) : 0,
                             .dirty = passing.dirty,
                             .prefetched = true,
                             .unused = true,
                             .outer = outer,
                             .shared = shared || passing.shared};
}

/* The physical line `strides` of them ahead, looked up in the cycle *at. Returns false where the
 * prefetcher does not go. line: the physical line of known->line. */
static bool find_ahead(struct neoverse_memory *memory, const struct memory_stride *known,
                       const struct memory_reach *reach, unsigned strides, uint64_t *line,
                       uint64_t *at)
{
    const uint64_t next = known->line + strides * known->stride;

    if (next >> memory->page_lines_shift == known->line >> memory->page_lines_shift) {
        *line += strides * known->stride;
        return true;
    }
    if (!reach->pages)
        return false;
    *line = translate(memory, USE_LOAD, next << memory->line_shift, at);
    return true;
}

static inline bool stride_is_wide(uint64_t stride)
{
    return stride != 1 && stride != UINT64_MAX;
}

/* How many strides ahead lines come into a level. */
static uint32_t reach_of(const struct memory_reach *reach, int level, uint64_t stride)
{
    if (reach->rising && level == INTO_L2 && (int64_t)stride < 0)
        return 0;
    return level == INTO_L2 && stride_is_wide(stride) ? reach->wide : reach->strides[level];
}

/* The instruction went on by its stride, to the physical line `line`: `prefetch.degree` more are
 * asked for at once, of each level. */
static void run_ahead(struct neoverse_memory *memory, struct memory_stride *known,
                      const struct memory_reach *reach, uint64_t line, uint64_t at)
{
    for (int level = INTO_L2; level >= INTO_L1; level--) {
        unsigned *const ahead = &known->ahead[level];
        const uint32_t most = reach_of(reach, level, known->stride);
        *ahead -= *ahead != 0;
        for (uint32_t n = memory->machine->prefetch_degree; n != 0 && *ahead < most; n--) {
            uint64_t next = line, asked = at;
            if (!find_ahead(memory, known, reach, *ahead + 1, &next, &asked))
                break;
            ++*ahead;
            (level == INTO_L2 ? prefetch_into_l2 : prefetch_into_l1)(memory, next, asked);
        }
    }
}

/* The instruction accesses another line. Returns whether by its stride, as often as it takes. */
static inline bool goes_on(struct memory_stride *known, uint64_t virtual_line)
{
    const uint64_t stride = virtual_line - known->line;

    if (stride != known->stride)
        *known = (struct memory_stride){.address = known->address, .stride = stride};
    else
        known->repeated++;
    known->line = virtual_line;
    return known->repeated >= STRIDE_REPEATS;
}

/* As follow where nothing is asked for: what is ahead comes nearer. */
void memory_learn(struct memory_stride *known, uint64_t pc, uint64_t virtual_line)
{
    if (known->address != pc) {
        *known = (struct memory_stride){.address = pc, .line = virtual_line};
        return;
    }
    if (virtual_line == known->line || !goes_on(known, virtual_line))
        return;
    known->ahead[INTO_L1] -= known->ahead[INTO_L1] != 0;
    known->ahead[INTO_L2] -= known->ahead[INTO_L2] != 0;
}

/* The line that a load or store has found, which the prefetcher may continue from. */
struct trigger {
    uint64_t line; /* the physical one */
    uint64_t at;
    uint64_t there; /* when the prefetcher continues from it, with consecutive lines */
    bool asks;      /* for more */
};

static void follow(struct neoverse_memory *memory, bool stores, const struct memory_access *access,
                   const struct trigger *trigger)
{
    struct memory_stride *const known = memory_stride_of(memory, stores, access->pc);
    const uint64_t virtual_line = access->address >> memory->line_shift;

    if (!trigger->asks || known->address != access->pc)
        memory_learn(known, access->pc, virtual_line);
    else if (virtual_line != known->line && goes_on(known, virtual_line)) {
        const struct access_seen seen = memory->seen; /* not of what is prefetched */
        const bool is_wide = stride_is_wide(known->stride);
        run_ahead(memory, known, &memory->reach[stores], trigger->line,
                  is_wide ? trigger->at : trigger->there);
        memory->seen = seen;
    }
}

void memory_preload(struct neoverse_memory *memory, unsigned bits, uint64_t address, uint64_t at)
{
    if (memory->mmu_off || memory->no_data_cache)
        return;
    const uint64_t line = translate(memory, USE_LOAD, address, &at);
    if (bits & (ARMPMU_PRELOAD_OUTER | ARMPMU_PRELOAD_CODE)) {
        prefetch_into_l2(memory, line, at);
    } else {
        memory->tally[ARMPMU_SIGNAL_L1D_READ]++;
        prefetch_into_l1(memory, line, at);
    }
}

/* ---- streams of stores ---- */

/* Where a line is written. */
enum memory_level { LEVEL_L1D, LEVEL_L2, LEVEL_LLC, LEVEL_MEMORY };

/* CHOICE(write-stream): returns where the line of a store goes that misses the data cache. */
static enum memory_level stream_level(struct neoverse_memory *memory, uint64_t address)
{
    const struct armpmu_machine *const m = memory->machine;
    struct memory_stream *const stream = &memory->stream;
    const uint64_t virtual_line = (address >> memory->line_shift) + 1;

    if (m->l1d_line_bytes > STREAM_LINE_BYTES)
        return LEVEL_L1D;
    if (virtual_line != stream->virtual_line) {
        const bool is_next =
            virtual_line == stream->virtual_line + 1 || virtual_line + 1 == stream->virtual_line;
        const bool goes_on = is_next && stream->written == memory->whole_line;
        *stream = (struct memory_stream){.virtual_line = virtual_line,
                                         .n_lines = goes_on ? stream->n_lines + 1 : 0};
    }
    if (m->write_stream_l2_lines == 0 || stream->n_lines < m->write_stream_l2_lines)
        return LEVEL_L1D;
    if (m->write_stream_llc_lines == 0 || stream->n_lines < m->write_stream_llc_lines)
        return LEVEL_L2;
    if (m->llc_size_kb != 0 &&
        (m->write_stream_memory_lines == 0 || stream->n_lines < m->write_stream_memory_lines))
        return LEVEL_LLC;
    return LEVEL_MEMORY;
}

/* Writes a whole line past level 2, which gets it at `due`. Returns when it is written. */
static uint64_t stream_to_cluster(struct neoverse_memory *memory, uint64_t line,
                                  enum memory_level level, uint64_t due)
{
    const bool shared = memory->machine->llc_size_kb != 0;
    const bool held = shared && tag_array_peek(&memory->llc->tags, line) != TAG_ARRAY_NO_SLOT;
    const bool kept = level == LEVEL_LLC || held;

    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    memory->tally[ARMPMU_SIGNAL_BUS_WRITE_BEAT] += memory->line_beats;
    if (kept)
        memory_keep_in_llc(memory, line, true);
    else
        transfer(memory, true);
    if (shared)
        memory->tally[kept ? ARMPMU_SIGNAL_L3_WRITE : ARMPMU_SIGNAL_L3_PASS]++;
    return fill_arrives(memory, &memory->writes, due, 0, kept);
}

/* Writes a whole line past the data cache, to a level or to a cache before it that has the line. */
static struct memory_line *stream_line(struct neoverse_memory *memory, uint64_t line,
                                       enum memory_level level, uint64_t at)
{
    struct memory_line *const state = &memory->stream.state;
    const uint64_t due = at + memory->machine->l2_hit_cycles;
    const uint32_t slot = tag_array_lookup(&memory->l2->tags, line);

    *state = (struct memory_line){.arrives = due, .dirty = true};
    memory->tally[ARMPMU_SIGNAL_L2_WRITE]++;
    if (slot != TAG_ARRAY_NO_SLOT) {
        memory->l2->lines[slot].dirty = true;
    } else if (level == LEVEL_L2) {
        memory->tally[ARMPMU_SIGNAL_L2_ALLOCATED]++;
        fill_l2(memory, line, state);
    } else {
        state->arrives = stream_to_cluster(memory, line, level, due);
    }
    if (unlikely(memory->cluster != NULL))
        cluster_claim_stream(memory, line, state, at);
    return state;
}

/* A store misses the data cache. Returns the state of its line if that goes past the data cache,
 * else NULL. */
static struct memory_line *stream_store(struct neoverse_memory *memory, uint64_t address,
                                        uint64_t line, uint64_t at)
{
    struct memory_stream *const stream = &memory->stream;

    if (stream->virtual_line == (address >> memory->line_shift) + 1 && stream->state.dirty)
        return &stream->state;
    const enum memory_level level = stream_level(memory, address);
    return level != LEVEL_L1D ? stream_line(memory, line, level, at) : NULL;
}

/* ---- accesses ---- */

/* Remembers where a line of addresses was found. */
static inline void keep_recent(struct neoverse_memory *memory, uint64_t address, uint64_t line,
                               uint32_t slot)
{
    const uint64_t virtual_page = address >> memory->page_shift & MEMORY_PAGE_MASK;
    const uint64_t virtual_line = address >> memory->line_shift;
    const struct memory_page *page = &memory->pages[SIDE_DATA][virtual_page % MEMORY_PAGES];

    /* No TLB entry to ask again; neoverse_scatters; tlb_named_hits_again. */
    if (memory->mmu_off || virtual_line == 0 || page->name == 0)
        return;
    memory->recent[memory_recent_of(virtual_line)] =
        (struct memory_recent){.name_of_line = memory_recent_name(memory, virtual_line),
                               .held_line = line + 1,
                               .held = &memory->l1d.names[slot],
                               .name = page->name,
                               .entry = &memory->tlbs[SIDE_DATA].entries[page->entry],
                               .state = &memory->l1d_lines[slot],
                               .stored = memory->drained,
                               .slot = slot,
                               .set = tag_array_set(&memory->l1d, line)};
}

/* CHOICE(cures): a line that misses level 1 would be there with a single set. */
static bool is_conflict(const struct neoverse_memory *memory, uint64_t line)
{
    const uint8_t *const state = recency_find(&memory->recency, line);

    return state != NULL && *state == CONFLICT_CURED;
}

/* find_line where the line is not where it was found last. */
static OUT_OF_LINE struct memory_line *look_for_line(struct neoverse_memory *memory,
                                                     enum memory_use use, uint64_t address,
                                                     uint64_t *at, uint64_t *line)
{
    *line = translate(memory, use, address, at);
    const uint32_t slot = tag_array_lookup(&memory->l1d, *line);
    if (slot != TAG_ARRAY_NO_SLOT) {
        keep_recent(memory, address, *line, slot);
        return &memory->l1d_lines[slot];
    }
    if (unlikely(memory->recency.room != 0) && is_conflict(memory, *line)) {
        memory->beside = (struct memory_line){.dirty = true};
        return &memory->beside;
    }
    if (use == USE_STORE) {
        struct memory_line *const streamed = stream_store(memory, address, *line, *at);
        if (streamed != NULL) {
            access_comes_from(&memory->seen, ARMPMU_FROM_PAST);
            return streamed;
        }
    }
    return miss_line(memory, use, address, *line, *at);
}

/* A load or store asks the data cache for the line of an address, which is used in the cycle *at:
 * moves that by what translation costs. *line is the physical line. */
static inline struct memory_line *find_line(struct neoverse_memory *memory, enum memory_use use,
                                            uint64_t address, uint64_t *at, uint64_t *line)
{
    const uint64_t virtual_line = address >> memory->line_shift;
    const struct memory_recent *recent = &memory->recent[memory_recent_of(virtual_line)];

    memory->tally[signals_of[use].access]++;
    if (recent->name_of_line != memory_recent_name(memory, virtual_line) ||
        *recent->held != recent->held_line || !memory_use_again(memory, recent))
        return look_for_line(memory, use, address, at, line);
    *line = recent->held_line - 1;
    return recent->state;
}

/* Remembers where the line of an address was found. */
static void keep_fetched(const struct neoverse_memory *memory, struct memory_fetched *fetched,
                         uint64_t address, uint64_t line, uint32_t slot)
{
    const uint64_t virtual_page = address >> memory->page_shift & MEMORY_PAGE_MASK;
    const struct memory_page *page = &memory->pages[SIDE_FETCH][virtual_page % MEMORY_PAGES];

    if (memory->mmu_off || page->name == 0) /* no TLB entry to ask again; tlb_named_hits_again */
        return;
    *fetched = (struct memory_fetched){.line = line,
                                       .name = page->name,
                                       .entry = &memory->tlbs[SIDE_FETCH].entries[page->entry],
                                       .slot = slot,
                                       .translations = memory->translations};
}

/* CHOICE(neoverse-fetch-ahead): level 2 passes lines to the instruction cache one after the other.
 */
static uint64_t pass_code(struct neoverse_memory *memory, uint64_t arrives)
{
    const uint32_t between = memory->machine->l2_line_cycles;

    return memory->code_passed = ooo_later(arrives, memory->code_passed + between);
}

uint64_t memory_fetch(struct neoverse_memory *memory, uint64_t address, uint64_t at,
                      enum ooo_hold *why, struct memory_fetched *fetched)
{
    const uint64_t line = translate(memory, USE_FETCH, address, &at);
    uint64_t victim;

    *why = HELD_WALK;
    if (unlikely(memory->no_code_cache)) {
        *why = HELD_MEMORY;
        memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
        memory->tally[ARMPMU_SIGNAL_BUS_READ_BEAT] += memory->line_beats;
        return at + memory->machine->memory_latency_cycles;
    }
    memory->tally[ARMPMU_SIGNAL_L1I_ACCESS]++;
    uint32_t slot = tag_array_lookup(&memory->l1i, line);
    if (slot != TAG_ARRAY_NO_SLOT) {
        keep_fetched(memory, fetched, address, line, slot);
        return at;
    }
    memory->tally[ARMPMU_SIGNAL_L1I_REFILL]++;
    note_miss(memory, ARMPMU_MISS_L1I, &memory->l1i, line, address, at);
    slot = tag_array_fill(&memory->l1i, line, &victim);
    keep_fetched(memory, fetched, address, line, slot);
    const struct l2_answer answer =
        ask_l2(memory, USE_FETCH, line, at + memory->machine->l2_hit_cycles);
    *why = answer.beyond != 0 ? HELD_MEMORY : HELD_LEVEL2;
    return answer.beyond != 0 ? answer.arrives : pass_code(memory, answer.arrives);
}

/* The bytes of an access from an address to the end of that granule. */
static uint32_t bytes_in_granule(uint64_t address, uint32_t left)
{
    const uint32_t in_granule = 8 - (uint32_t)(address & 7);
    return left < in_granule ? left : in_granule;
}

#define EACH_OF_EIGHT UINT64_C(0x0101010101010101)

/* The earlier stores that wrote some of the bytes of a granule: all bits of any of them, from which
 * next_earlier takes one after the other. */
static inline uint64_t earlier_of(const struct neoverse_memory *memory, uint64_t place,
                                  uint8_t bits)
{
    return (memory->granules[place].earlier & bits) != 0
               ? memory->earlier[place].bits & bits * EACH_OF_EIGHT
               : 0;
}

static inline unsigned next_earlier(uint64_t *left)
{
    const unsigned i = (unsigned)__builtin_ctzll(*left) / 8;

    *left &= ~(UINT64_C(0xff) << 8 * i);
    return i;
}

/* Returns when the data of older stores to bytes within a granule that was stored to is there. */
static uint64_t ready_of(const struct neoverse_memory *memory, uint64_t place, uint8_t bits)
{
    const struct memory_granule *const granule = &memory->granules[place];
    uint64_t ready = (granule->latest & bits) != 0 ? granule->writer.ready : 0;

    for (uint64_t left = earlier_of(memory, place, bits); left != 0;)
        ready = ooo_later(ready, memory->earlier[place].writers[next_earlier(&left)].ready);
    return ready;
}

const struct memory_writer *memory_writer_of(const struct neoverse_memory *memory, uint64_t place,
                                             unsigned byte)
{
    uint64_t left = earlier_of(memory, place, (uint8_t)(1u << byte));

    if (memory->granules[place].latest >> byte & 1)
        return &memory->granules[place].writer;
    return left != 0 ? &memory->earlier[place].writers[next_earlier(&left)] : NULL;
}

/* Returns the store that a byte is waiting in to be written in the cycle `at`; NULL: in none. */
static const struct memory_writer *waiting_in(const struct neoverse_memory *memory,
                                              uint64_t address, uint64_t at)
{
    const uint64_t place = address >> 3 & (MEMORY_GRANULES - 1);
    const struct memory_writer *const writer =
        memory->granules[place].number == address >> 3
            ? memory_writer_of(memory, place, (unsigned)address & 7)
            : NULL;

    return writer != NULL && writer->written > at ? writer : NULL;
}

/* Returns whether bytes from an address on begin with a store or in its middle. */
static inline bool begins_well(const struct memory_writer *writer, uint64_t address)
{
    const uint16_t into = (uint16_t)(address - writer->begin);

    return into == 0 || 2 * into == writer->bytes;
}

/* How bytes within a granule wait to be written. */
enum waiting {
    WAITS_NOTHING,
    WAITS_WHOLE, /* all, in one store, which begins well */
    WAITS_OTHERWISE,
};

static enum waiting part_waits(const struct memory_writer *writer, uint8_t missing,
                               uint64_t address)
{
    return missing == 0 && begins_well(writer, address) ? WAITS_WHOLE : WAITS_OTHERWISE;
}

static enum waiting what_waits(const struct neoverse_memory *memory, uint64_t address, uint8_t bits,
                               uint64_t at)
{
    const uint64_t place = address >> 3 & (MEMORY_GRANULES - 1);
    const struct memory_granule *const granule = &memory->granules[place];

    if ((granule->latest & bits) != 0 && granule->writer.written > at)
        return part_waits(&granule->writer, bits & (uint8_t)~granule->latest, address);
    for (uint64_t left = earlier_of(memory, place, bits); left != 0;) {
        const unsigned i = next_earlier(&left);
        const struct memory_writer *const writer = &memory->earlier[place].writers[i];
        if (writer->written > at)
            return part_waits(writer, bits & (uint8_t) ~(memory->earlier[place].bits >> 8 * i),
                              address);
    }
    return WAITS_NOTHING;
}

/* Returns the store that all bytes within a granule are waiting in; NULL: there is none. */
static const struct memory_writer *all_waiting_in(const struct neoverse_memory *memory,
                                                  uint64_t address, uint8_t bits, uint64_t at)
{
    const struct memory_writer *const writer = waiting_in(memory, address, at);
    const uint64_t place = address >> 3 & (MEMORY_GRANULES - 1);
    const struct memory_granule *const granule = &memory->granules[place];

    if (writer == NULL)
        return NULL;
    if (writer == &granule->writer)
        return (granule->latest & bits) == bits ? writer : NULL;
    const size_t i = (size_t)(writer - memory->earlier[place].writers);
    return (bits & ~(memory->earlier[place].bits >> 8 * i)) == 0 ? writer : NULL;
}

/* Returns whether bytes come from one store that begins well for them, or from none. */
static bool come_together(const struct neoverse_memory *memory, uint64_t address, uint32_t bytes,
                          uint64_t at)
{
    const struct memory_writer *const first = waiting_in(memory, address, at);

    if (first != NULL && !begins_well(first, address))
        return false;
    for (uint32_t n; bytes != 0; bytes -= n, address += n) {
        n = bytes_in_granule(address, bytes);
        const uint8_t bits = memory_bits_of(address, n);
        if (first == NULL) {
            if (memory->granules[address >> 3 & (MEMORY_GRANULES - 1)].number == address >> 3 &&
                what_waits(memory, address, bits, at) != WAITS_NOTHING)
                return false;
            continue;
        }
        const struct memory_writer *const other = all_waiting_in(memory, address, bits, at);
        if (other == NULL || other->begin != first->begin || other->bytes != first->bytes)
            return false;
    }
    return true;
}

/* CHOICE(neoverse-forwarding): returns whether stores that are not written yet forward what a load
 * wants of them. */
static bool stores_forward(const struct neoverse_memory *memory, uint64_t address, uint32_t bytes,
                           uint64_t at)
{
    for (uint32_t n; bytes != 0; bytes -= n, address += n) {
        n = bytes < 16 ? bytes : 16;
        if (!come_together(memory, address, n, at) &&
            (n < 8 || !come_together(memory, address, n / 2, at) ||
             !come_together(memory, address + n / 2, n - n / 2, at)))
            return false;
    }
    return true;
}

/* When the data of bytes within a granule is there for a load that is ready in the cycle `at`. */
static inline uint64_t after_ready(const struct neoverse_memory *memory, uint64_t address,
                                   uint32_t bytes, uint64_t at)
{
    const uint64_t place = address >> 3 & (MEMORY_GRANULES - 1);
    const struct memory_granule *const granule = &memory->granules[place];

    if (granule->number != address >> 3 || granule->until <= at)
        return at;
    return ooo_later(at, ready_of(memory, place, memory_bits_of(address, bytes)));
}

/* Returns whether bytes within a granule are not all waiting in one store that begins well, or in
 * none. */
static inline bool are_mixed(const struct neoverse_memory *memory, uint64_t address, uint32_t bytes,
                             uint64_t at)
{
    const uint64_t place = address >> 3 & (MEMORY_GRANULES - 1);
    const struct memory_granule *const granule = &memory->granules[place];
    const uint8_t bits = memory_bits_of(address, bytes);

    if (granule->number != address >> 3)
        return false;
    if ((granule->latest & bits) == bits)
        return granule->writer.written > at && !begins_well(&granule->writer, address);
    return what_waits(memory, address, bits, at) == WAITS_OTHERWISE;
}

OUT_OF_LINE uint64_t memory_await_stores(const struct neoverse_memory *memory, uint64_t address,
                                         uint32_t bytes, uint64_t at)
{
    at = after_ready(memory, address, bytes, at);
    if (bytes > 8)
        at = after_ready(memory, address + 8, 8, at);
    const bool mixed = are_mixed(memory, address, bytes, at) ||
                       (bytes > 8 && are_mixed(memory, address + 8, 8, at));
    return mixed && memory->machine->store_buffer_unforwarded_cycles != 0 &&
                   !stores_forward(memory, address, bytes, at)
               ? MEMORY_NO_TIME
               : at;
}

void memory_keep_earlier(struct neoverse_memory *memory, uint64_t number, uint8_t bits)
{
    struct memory_granule *const granule = memory_granule_of(memory, number);
    struct memory_earlier *const earlier = &memory->earlier[number & (MEMORY_GRANULES - 1)];
    const uint8_t left = granule->latest & (uint8_t)~bits;

    earlier->bits &= ~(bits * EACH_OF_EIGHT);
    granule->earlier = (granule->earlier | granule->latest) & (uint8_t)~bits;
    if (left != 0) {
        /* The latest store has one of the eight bytes at least, so that one of the eight places is
         * free. */
        const uint64_t free = (earlier->bits - EACH_OF_EIGHT) & ~earlier->bits & EACH_OF_EIGHT << 7;
        const unsigned i = (unsigned)__builtin_ctzll(free) / 8;
        earlier->bits |= (uint64_t)left << 8 * i;
        earlier->writers[i] = granule->writer;
    }
}

/* Lines that an access touches. */
static inline uint32_t lines_of(const struct neoverse_memory *memory,
                                const struct memory_access *access)
{
    const uint32_t line_bytes = 1u << memory->line_shift;
    const uint32_t first = (uint32_t)access->address & (line_bytes - 1);
    return (first + access->bytes + line_bytes - 1) >> memory->line_shift;
}

static inline uint64_t next_line(const struct neoverse_memory *memory, uint64_t address)
{
    return ((address >> memory->line_shift) + 1) << memory->line_shift;
}

/* Returns when a load reads the cache that is ready in the cycle `at`: later if stores to its bytes
 * do not forward them, once all of these are written. */
static OUT_OF_LINE uint64_t after_written(const struct neoverse_memory *memory,
                                          const struct memory_access *access, uint64_t at)
{
    uint64_t written = at;

    if (stores_forward(memory, access->address, access->bytes, at))
        return at;
    for (uint32_t i = 0; i < access->bytes; i++) {
        const struct memory_writer *const writer = waiting_in(memory, access->address + i, at);
        if (writer != NULL)
            written = ooo_later(written, writer->written);
    }
    return written + memory->machine->store_buffer_unforwarded_cycles;
}

/* CHOICE(amu-dependence): a load that is ready at *at waits for the data of older stores to its
 * bytes, or until they are written. Returns whether it has all from the store queue: each byte was
 * stored, and no granule's latest store is written. */
static inline bool forward(struct neoverse_memory *memory, const struct memory_access *access,
                           uint64_t *at)
{
    uint64_t address = access->address, written = UINT64_MAX;
    bool all = true, unsure = false;

    for (uint32_t left = access->bytes; left != 0;) {
        const uint32_t n = bytes_in_granule(address, left);
        const struct memory_granule *granule = memory_granule_of(memory, address >> 3);
        if (granule->number == address >> 3) {
            const uint8_t bits = memory_bits_of(address, n);
            if (granule->until > *at)
                *at = ooo_later(*at, ready_of(memory, address >> 3 & (MEMORY_GRANULES - 1), bits));
            all &= ((granule->latest | granule->earlier) & bits) == bits;
            written = written < granule->writer.written ? written : granule->writer.written;
            unsure |= (granule->earlier & bits) != 0 ||
                      (granule->writer.written > *at &&
                       ((granule->latest & bits) != bits || (n & 7) != (access->bytes & 7) ||
                        !begins_well(&granule->writer, address)));
        } else {
            all = false;
        }
        address += n;
        left -= n;
    }
    if (unlikely(unsure) && memory->machine->store_buffer_unforwarded_cycles != 0) {
        const uint64_t ready = *at;
        *at = after_written(memory, access, ready);
        all &= *at == ready;
    }
    return all && written > *at;
}

/* CHOICE(amu-device): a load from Device memory waits as long as memory takes, and counts as a
 * miss that is intervals. */
static uint64_t load_from_device(struct neoverse_memory *memory, const struct memory_access *access,
                                 uint64_t at)
{
    translate(memory, USE_LOAD, access->address, &at);
    access_comes_from(&memory->seen, access->device ? ARMPMU_FROM_DEVICE : ARMPMU_FROM_UNCACHED);
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    memory->tally[ARMPMU_SIGNAL_DEVICE_READ]++;
    memory->tally[ARMPMU_SIGNAL_BUS_READ_BEAT] += memory_beats(memory->machine, access->bytes);
    const uint64_t done = at + access->latency + memory->machine->memory_latency_cycles;
    ooo_wait(memory->window, access->dispatched, at + access->latency, done);
    return done;
}

/* The prefetcher continues if the access missed, since there were n_misses before it, or if it is
 * the first to use a line that was prefetched. CHOICE(prefetch-arrival): when that is there. */
static inline struct trigger trigger_of(const struct neoverse_memory *memory,
                                        struct memory_line *state, uint64_t n_misses, uint64_t line,
                                        uint64_t at)
{
    struct trigger trigger = {.line = line, .at = at, .there = at, .asks = state->unused};

    if (!state->unused) {
        trigger.asks = memory->n_misses != n_misses;
        return trigger;
    }
    state->unused = false;
    if (memory->machine->prefetch_on_arrival == YESNO_YES)
        trigger.there = ooo_later(at, state->arrives);
    return trigger;
}

/* A load asks for the line of an address in the cycle `at`: returns when its result is there. */
static inline uint64_t load_line(struct neoverse_memory *memory, const struct memory_access *access,
                                 uint64_t address, uint64_t at, bool forwarded)
{
    const uint64_t n_misses = memory->n_misses;
    uint64_t line;
    struct memory_line *state = find_line(memory, USE_LOAD, address, &at, &line);
    const struct trigger trigger = trigger_of(memory, state, n_misses, line, at);
    uint64_t done = at + access->latency;

    if (unlikely(state->arrives > at)) {
        const uint64_t extra = access->latency - memory->machine->latency_load; /* of a vector */
        if (state->prefetched && state->arrives + extra > done)
            take_over(memory, USE_LOAD, address, line, state, at);
        if (!forwarded) {
            wait_for_line(memory, access, state, at);
            done = ooo_later(done, state->arrives + extra);
        }
    }
    if (memory->machine->prefetch_lines != 0 && address == access->address)
        follow(memory, false, access, &trigger);
    return done;
}

uint64_t memory_load(struct neoverse_memory *memory, const struct memory_access *access,
                     uint64_t at)
{
    if (unlikely(access->device || memory->no_data_cache))
        return load_from_device(memory, access, at);
    const bool forwarded = forward(memory, access, &at);
    uint64_t address = access->address, done = load_line(memory, access, address, at, forwarded);
    uint32_t left = lines_of(memory, access);

    if (likely(--left == 0))
        return ooo_later(done, access->again + access->latency);
    memory->tally[ARMPMU_SIGNAL_LOAD_SPLIT]++;
    for (; left != 0; left--) {
        address = next_line(memory, address);
        done = ooo_later(
            done, load_line(memory, access, address, ooo_later(at, access->again), forwarded));
    }
    return done;
}

/* A store on its way to the data cache. */
struct storing {
    const struct memory_access *access;
    uint64_t retired;
    bool merges; /* with others, and others with it */
};

/* A store asks for the line of an address after it has retired: returns when the line has it all,
 * up to the address `last`. */
static inline uint64_t store_line(struct neoverse_memory *memory, const struct storing *store,
                                  uint64_t address, uint64_t last)
{
    const struct memory_access *const access = store->access;
    const uint64_t n_misses = memory->n_misses, drained = memory->drained;
    uint64_t asked = store->retired + 1, line, written = 0;
    struct memory_line *state = find_line(memory, USE_STORE, address, &asked, &line);
    const struct trigger trigger = trigger_of(memory, state, n_misses, line, asked);

    memory_note_bytes(memory, address, last);
    if (unlikely(state->arrives > asked && state->prefetched))
        take_over(memory, USE_STORE, address, line, state, asked);
    wait_for_line(memory, access, state, asked);
    if (unlikely(memory->cluster != NULL) && !state->dirty)
        cluster_claim(memory, line, state, asked);
    state->dirty = true;
    const struct memory_stored stored = {asked, state->arrives, memory->n_misses != n_misses,
                                         store->merges};
    const uint64_t first = address >> memory->drain_shift, end = (last >> memory->drain_shift) + 1,
                   whole = (address + memory->drain_mask) >> memory->drain_shift,
                   end_of_whole = (last + 1) >> memory->drain_shift;
    const uint8_t closed = end_of_whole > whole + 1 ? 2 : 1;
    for (uint64_t number = first; number != end; number++) {
        const uint8_t fills = number >= whole && number < end_of_whole ? closed : 0;
        written = ooo_later(written, memory_drain(memory, &stored, number, fills));
    }
    memory->tally[ARMPMU_SIGNAL_L1D_WRITE] += memory->drained != drained; /* some entry is new */
    if (memory->machine->prefetch_store_lines != 0 && address == access->address)
        follow(memory, true, access, &trigger);
    return written;
}

/* Returns whether a page begins between an address and one that is fewer bytes above it than a page
 * has. */
static inline bool page_begins(const struct neoverse_memory *memory, uint64_t address,
                               uint64_t last)
{
    const uint64_t before = address >> memory->page_shift, page = last >> memory->page_shift;

    if (likely(before == page))
        return false;
    return !memory_is_huge(memory, page & MEMORY_PAGE_MASK) ||
           before >> MEMORY_HUGE_SHIFT != page >> MEMORY_HUGE_SHIFT;
}

/* The same of all its lines. */
static uint64_t store_lines(struct neoverse_memory *memory, const struct storing *store)
{
    uint64_t address = store->access->address, written = 0;
    uint32_t left = lines_of(memory, store->access);

    memory->tally[ARMPMU_SIGNAL_STORE_SPLIT]++;
    for (; left != 0; left--) {
        const uint64_t next = next_line(memory, address);
        const uint64_t last =
            left != 1 ? next - 1 : store->access->address + store->access->bytes - 1;
        if (page_begins(memory, address - (address != store->access->address), address))
            memory->drained += memory->machine->store_buffer_page_cycles;
        written = ooo_later(written, store_line(memory, store, address, last));
        address = next;
    }
    return written;
}

static void store_to_device(struct neoverse_memory *memory, const struct memory_access *access)
{
    access_comes_from(&memory->seen, access->device ? ARMPMU_FROM_DEVICE : ARMPMU_FROM_UNCACHED);
    memory->tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST]++;
    memory->tally[ARMPMU_SIGNAL_DEVICE_WRITE]++;
    memory->tally[ARMPMU_SIGNAL_BUS_WRITE_BEAT] += memory_beats(memory->machine, access->bytes);
}

/* The line of an address has a store that is not written yet. */
static inline void note_recent(struct neoverse_memory *memory, uint64_t address)
{
    const uint64_t virtual_line = address >> memory->line_shift;
    struct memory_recent *const recent = &memory->recent[memory_recent_of(virtual_line)];

    if (recent->name_of_line == memory_recent_name(memory, virtual_line))
        recent->stored = memory->drained;
}

/* Its bytes are there for loads when they have left the core's registers, and in the cache later.
 */
static inline void note_stored(struct neoverse_memory *memory, const struct memory_access *access,
                               uint64_t written)
{
    const uint64_t end = access->address + access->bytes;
    struct memory_writer writer = {.written = written, .ready = access->again + 1};

    note_recent(memory, end - 1);
    for (uint64_t part = access->address, next; part != end; part = next) {
        next = end - part < MEMORY_PART ? end : part + MEMORY_PART;
        note_recent(memory, part);
        writer.begin = (uint16_t)part;
        writer.bytes = (uint16_t)(next - part);
        for (uint64_t address = part; address != next;) {
            const uint32_t n = bytes_in_granule(address, (uint32_t)(next - address));
            if (n == 8)
                memory_note_whole(memory, address >> 3, &writer);
            else
                memory_note_part(memory, address, n, &writer);
            address += n;
        }
    }
}

/* The line of an access that does not only find it again. */
static OUT_OF_LINE uint64_t store_anew(struct neoverse_memory *memory,
                                       const struct memory_access *access, uint64_t retired)
{
    const bool crosses = page_begins(memory, access->address, access->address + access->bytes - 1);
    const struct storing store = {access, retired,
                                  memory->machine->store_buffer_merge_bytes != 0 && !crosses};

    if (access->device || memory->no_data_cache) {
        store_to_device(memory, access);
        return memory->drained = ooo_later(retired + 1, memory->drained);
    }
    if (lines_of(memory, access) != 1)
        return store_lines(memory, &store);
    return store_line(memory, &store, access->address, access->address + access->bytes - 1);
}

uint64_t memory_store(struct neoverse_memory *memory, const struct memory_access *access,
                      struct memory_stride *known, uint64_t retired)
{
    uint64_t written;

    if (access->device || !memory_write_again(memory, known, access->pc, access->address,
                                              access->bytes, retired + 1, &written))
        written = store_anew(memory, access, retired);
    note_stored(memory, access, written);
    return written;
}

/* ---- cures ---- */

/* The page of an address is in the data TLB, at no cost. */
static void cure_tlb(struct neoverse_memory *memory, uint64_t address)
{
    const uint64_t virtual_page = address >> memory->page_shift & MEMORY_PAGE_MASK;
    uint64_t physical = frame_of(memory, virtual_page);
    const uint64_t name = name_of_page(memory, virtual_page, &physical);
    struct tlb *const tlb = &memory->tlbs[SIDE_DATA];
    struct tlb_entry displaced;

    if (!memory->mmu_off && tlb_lookup(tlb, name) == NULL)
        (void)tlb_fill(tlb, name, physical, &displaced);
}

/* Level 2 has a line, at no cost. Returns it. */
static struct memory_line *cure_l2(struct neoverse_memory *memory, uint64_t line)
{
    const uint32_t slot = tag_array_peek(&memory->l2->tags, line);
    struct memory_line *const state =
        slot != TAG_ARRAY_NO_SLOT
            ? &memory->l2->lines[slot]
            : fill_l2(memory, line, &(struct memory_line){.shared = memory->cluster != NULL});

    state->arrives = state->beyond = 0;
    state->prefetched = false;
    return state;
}

/* The same of the data cache, which does not have it, and of level 2 where that holds all that the
 * data cache does. */
static void cure_missing(struct neoverse_memory *memory, uint64_t line)
{
    const uint32_t slot = tag_array_peek(&memory->l2->tags, line);
    struct memory_line passing = {0};

    if (!memory_l2_has_victims(memory))
        (void)cure_l2(memory, line);
    else if (slot != TAG_ARRAY_NO_SLOT)
        take_from_l2(memory, slot, &passing);
    *fill_l1d(memory, line) =
        (struct memory_line){.dirty = passing.dirty, .shared = memory->cluster != NULL};
}

static void cure_l1d(struct neoverse_memory *memory, uint64_t line)
{
    const uint32_t slot = tag_array_peek(&memory->l1d, line);

    if (slot == TAG_ARRAY_NO_SLOT) {
        cure_missing(memory, line);
        return;
    }
    struct memory_line *const state = &memory->l1d_lines[slot];
    state->arrives = state->beyond = 0;
    state->prefetched = false;
}

/* A line that is on its way to the data cache comes no later than from level 2. */
static void cure_late(struct neoverse_memory *memory, uint64_t line, uint64_t at)
{
    const uint64_t due = at + memory->machine->l2_hit_cycles;
    const uint32_t slot = tag_array_peek(&memory->l1d, line);

    if (slot == TAG_ARRAY_NO_SLOT) {
        (void)cure_l2(memory, line);
        return;
    }
    struct memory_line *const state = &memory->l1d_lines[slot];
    state->arrives = state->arrives < due ? state->arrives : due;
    state->beyond = 0;
}

/* As a preload would have asked for the line of an address in the cycle `at`. */
static void cure_by_prefetch(struct neoverse_memory *memory, uint64_t address, uint64_t at)
{
    const uint64_t line = translate(memory, USE_LOAD, address, &at);

    prefetch_into_l1(memory, line, at);
}

static void cure_conflict(struct neoverse_memory *memory, uint64_t line, bool is_in_place)
{
    uint8_t *const state = recency_use(&memory->recency, line);

    *state = *state != CONFLICT_ABSENT && is_in_place ? CONFLICT_CURED : CONFLICT_HELD;
}

static void cure_line(struct neoverse_memory *memory, uint64_t address, uint64_t at,
                      uint64_t prefetched)
{
    const uint64_t line = memory_line_at(memory, address);

    switch (memory->machine->cures->kind) {
    case CURE_LEVEL1:
    case CURE_STORES:
        cure_l1d(memory, line);
        break;
    case CURE_LEVEL2:
        cure_late(memory, line, at);
        break;
    case CURE_PREFETCH:
        cure_by_prefetch(memory, address, prefetched);
        break;
    case CURE_TLB:
        cure_tlb(memory, address);
        break;
    case CURE_CONFLICTS: /* of each access */
    case CURE_BRANCH:
    case CURE_CODE:
    case CURE_LATENCY:
    case CURES:
        break;
    }
}

void memory_cure(struct neoverse_memory *memory, const struct memory_access *access, bool stores,
                 bool is_in_place, uint64_t prefetched)
{
    const struct cures *const cures = memory->machine->cures;
    uint64_t address = access->address;

    if (access->device || memory->no_data_cache || (cures->kind == CURE_STORES && !stores))
        return;
    for (uint32_t left = lines_of(memory, access); left != 0; left--) {
        if (cures->kind == CURE_CONFLICTS)
            cure_conflict(memory, memory_line_at(memory, address), is_in_place);
        else if (is_in_place)
            cure_line(memory, address, access->dispatched, prefetched);
        address = next_line(memory, address);
    }
}

void memory_cure_fetch(struct neoverse_memory *memory, uint64_t address)
{
    const uint64_t line = memory_line_at(memory, address);
    uint64_t victim;

    if (tag_array_peek(&memory->l1i, line) == TAG_ARRAY_NO_SLOT)
        tag_array_fill(&memory->l1i, line, &victim);
}
