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

/* Returns the cycles. */
static uint32_t refill_l1i(struct a8_memory *memory, struct line_access *access)
{
    struct cache *const l1i = &memory->l1i;
    const struct cache_shape shape = cache_shape(l1i);
    count(memory, ARMPMU_SIGNAL_L1I_REFILL, 1);
    note_miss(memory, memory->misses.are_kept, ARMPMU_MISS_L1I, l1i, access->line, memory->now);
    const bool hit = a8_l2_fetch(memory, access->physical, memory->now);
    access->way = cache_way_to_fill(l1i, shape, access->set);
    const struct cache_line *const victim = cache_line_at(l1i, shape, access->set, access->way);
    if (victim->valid)
        a8_forget_fetch_line(memory, victim->virtual_line);
    cache_replace(l1i, shape, access->set, access->way,
                  (struct cache_line){.physical = (uint32_t)access->physical,
                                      .virtual_line = (uint32_t)access->line,
                                      .valid = true});
    train_fetch(memory, access);
    return memory->machine->l2_fetch_hit_cycles + (hit ? 0 : memory->external.read_cycles);
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

/* walk: cycles of them that translation takes; why: the signal of the others. */
static void wait_for_fetch(struct a8_memory *memory, uint32_t cycles, uint32_t walk,
                           enum armpmu_signal why)
{
    memory->now += cycles;
    count(memory, ARMPMU_SIGNAL_ISSUE_EMPTY, cycles);
    count(memory, ARMPMU_SIGNAL_STALL_FRONTEND_TLB, walk);
    count(memory, why, cycles - walk);
}

void a8_fetch_line(struct a8_memory *memory, uint64_t line, bool speculative)
{
    const struct cache_shape shape = cache_shape(&memory->l1i);
    uint32_t cycles = 0;
    const uint64_t frame = a8_translate_fetch(memory, line >> PAGE_LINE_SHIFT, &cycles);
    struct line_access access = {
        .line = line, .physical = physical_line(frame, line), .way_hash = way_predictor_hash(line)};
    look_up(&memory->l1i, shape, &memory->l1i_hash, way_predictor_is_on(&memory->l1i_hash),
            &access);
    count(memory, ARMPMU_SIGNAL_L1I_WAY_MISS, access.predicted != access.way);
    const uint32_t walk = cycles;
    cycles += access.way == CACHE_NO_WAY ? refill_l1i(memory, &access) : hit_l1i(memory, &access);
    struct cache_line *const present = cache_line_at(&memory->l1i, shape, access.set, access.way);
    if (unlikely(page_map_is_placed(&memory->pages)) && present->virtual_line != (uint32_t)line) {
        a8_forget_fetch_line(memory, present->virtual_line);
        present->virtual_line = (uint32_t)line;
    }
    if (memory->fetch_filtered)
        add_line(&memory->fetch, line, 0);
    if (!speculative)
        wait_for_fetch(memory, cycles, walk,
                       cycles - walk <= memory->machine->l2_fetch_hit_cycles
                           ? ARMPMU_SIGNAL_STALL_FRONTEND_L1I
                           : ARMPMU_SIGNAL_STALL_FRONTEND_MEM);
}

/* CHOICE(caches-off): each read has the bytes that the core fetches at once, and nothing is kept of
 * them. */
void a8_fetch_uncached(struct a8_memory *memory, uint64_t line, uint32_t reads)
{
    const uint32_t bus_bytes = memory->machine->bus_width_bits / 8;
    const uint32_t beats = (memory->machine->l1i_fetch_bytes + bus_bytes - 1) / bus_bytes;
    uint32_t walk = 0;

    (void)a8_translate_fetch(memory, line >> PAGE_LINE_SHIFT, &walk);
    count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, (uint64_t)reads * beats);
    wait_for_fetch(memory, walk + reads * memory->external.read_cycles, walk,
                   ARMPMU_SIGNAL_STALL_FRONTEND_MEM);
}
