/* The instruction side of the Cortex-A8's level 1. */
#include "cores/cortex_a8/memory_internal.h"

static void train_fetch(struct a8_memory *memory, const struct line_access *access)
{
    const struct cache_line *const loser =
        train(&memory->l1i, cache_shape(&memory->l1i), &memory->l1i_hash,
              way_predictor_is_on(&memory->l1i_hash), access);
    if (loser != NULL)
        a8_forget_fetch_line(memory, loser->virtual_line);
}

static void refill_l1i(struct a8_memory *memory, struct line_access *access)
{
    struct cache *const l1i = &memory->l1i;
    const struct cache_shape shape = cache_shape(l1i);
    count(memory, ARMPMU_SIGNAL_L1I_REFILL, 1);
    note_miss(memory, memory->misses.are_kept, ARMPMU_MISS_L1I, l1i, access->line, memory->now);
    access->way = cache_way_to_fill(l1i, shape, access->set);
    const struct cache_line *const victim = cache_line_at(l1i, shape, access->set, access->way);
    if (victim->valid)
        a8_forget_fetch_line(memory, victim->virtual_line);
    cache_replace(l1i, shape, access->set, access->way,
                  (struct cache_line){.physical = (uint32_t)access->physical,
                                      .virtual_line = (uint32_t)access->line,
                                      .valid = true});
    train_fetch(memory, access);
}

/* Returns the cycles. */
static uint32_t hit_l1i(struct a8_memory *memory, const struct line_access *access)
{
    cache_touch(&memory->l1i, cache_shape(&memory->l1i), access->set, access->way);
    if (likely(access->predicted == access->way))
        return 0;
    train_fetch(memory, access);
    return memory->machine->way_hash_replay_cycles;
}

/* walk: cycles of them that translation takes; why: the signal of the others. Returns the time
 * after them. */
static uint64_t wait_for_fetch(struct a8_memory *memory, uint64_t now, uint32_t cycles,
                               uint32_t walk, enum armpmu_signal why)
{
    count(memory, ARMPMU_SIGNAL_ISSUE_EMPTY, cycles);
    count(memory, ARMPMU_SIGNAL_STALL_FRONTEND_TLB, walk);
    count(memory, why, cycles - walk);
    return now + cycles;
}

/* A line that level 1 did not simply have. */
struct fetched_line {
    uint64_t line, physical;
    bool walks, refills, speculative;
    uint32_t replay_cycles;
};

/* Level 2 and memory serve it; returns the time after that. */
static uint64_t await_line(struct a8_memory *memory, const struct fetched_line *fetched,
                           uint64_t now)
{
    const struct armpmu_machine *const machine = memory->machine;
    uint32_t walk = 0, cycles = fetched->replay_cycles;
    if (fetched->walks)
        walk = a8_walk_for_fetch(memory, fetched->line >> PAGE_LINE_SHIFT, now);
    if (fetched->refills)
        cycles = machine->l2_fetch_hit_cycles +
                 (a8_l2_fetch(memory, fetched->physical, now) ? 0 : memory->external.read_cycles);
    if (fetched->speculative)
        return now;
    return wait_for_fetch(memory, now, cycles + walk, walk,
                          cycles <= machine->l2_fetch_hit_cycles
                              ? ARMPMU_SIGNAL_STALL_FRONTEND_L1I
                              : ARMPMU_SIGNAL_STALL_FRONTEND_MEM);
}

void a8_fetch_line(struct a8_memory *memory, uint64_t line, bool speculative)
{
    const struct cache_shape shape = cache_shape(&memory->l1i);
    struct fetched_line fetched = {.line = line, .speculative = speculative};
    const uint64_t frame = a8_translate_fetch(memory, line >> PAGE_LINE_SHIFT, &fetched.walks);
    struct line_access access = {
        .line = line, .physical = physical_line(frame, line), .way_hash = way_predictor_hash(line)};
    look_up(&memory->l1i, shape, &memory->l1i_hash, way_predictor_is_on(&memory->l1i_hash),
            &access);
    count(memory, ARMPMU_SIGNAL_L1I_WAY_MISS, access.predicted != access.way);
    fetched.physical = access.physical;
    fetched.refills = access.way == CACHE_NO_WAY;
    if (fetched.refills)
        refill_l1i(memory, &access);
    else
        fetched.replay_cycles = hit_l1i(memory, &access);
    struct cache_line *const present = cache_line_at(&memory->l1i, shape, access.set, access.way);
    if (unlikely(page_map_is_placed(&memory->pages)) && present->virtual_line != (uint32_t)line) {
        a8_forget_fetch_line(memory, present->virtual_line);
        present->virtual_line = (uint32_t)line;
    }
    if (memory->fetch_filtered)
        add_line(&memory->fetch, line, 0);
    A8_EACH_BACK(back, memory)
    {
        back->ahead = await_line(back, &fetched, memory->now + back->ahead) - memory->now;
    }
    if (memory->backs == NULL)
        memory->now = await_line(memory, &fetched, memory->now);
}

void a8_cure_fetch(struct a8_memory *memory, uint64_t line)
{
    uint64_t aside[ARMPMU_SIGNAL_COUNT] = {0}, *const tally = memory->tally;
    struct line_access access = {.line = line,
                                 .physical = a8_physical_line(memory, line),
                                 .way_hash = way_predictor_hash(line)};

    look_up(&memory->l1i, cache_shape(&memory->l1i), &memory->l1i_hash,
            way_predictor_is_on(&memory->l1i_hash), &access);
    if (access.way != CACHE_NO_WAY)
        return;
    memory->tally = aside;
    refill_l1i(memory, &access);
    memory->tally = tally;
}

/* CHOICE(caches-off): each read has the bytes that the core fetches at once, and nothing is kept of
 * them. */
void a8_fetch_uncached(struct a8_memory *memory, uint64_t line, uint32_t reads)
{
    const uint32_t bus_bytes = memory->machine->bus_width_bits / 8;
    const uint32_t beats = (memory->machine->l1i_fetch_bytes + bus_bytes - 1) / bus_bytes;
    bool walks = false;

    (void)a8_translate_fetch(memory, line >> PAGE_LINE_SHIFT, &walks);
    const uint32_t walk =
        walks ? a8_walk_for_fetch(memory, line >> PAGE_LINE_SHIFT, memory->now) : 0;
    count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, (uint64_t)reads * beats);
    memory->now = wait_for_fetch(memory, memory->now, walk + reads * memory->external.read_cycles,
                                 walk, ARMPMU_SIGNAL_STALL_FRONTEND_MEM);
}
