/* The write buffer of the Cortex-A8, and what its entries do in level 2 and memory.
 *
 * CHOICE(whole-line): level 2 does not read a line that its stores have written wholly when their
 * entry drains.
 *
 * CHOICE(write-hazard): a load that misses L1D waits until the write buffer holds nothing of its
 * line. */
#include "cores/cortex_a8/memory_internal.h"

_Static_assert((WRITE_BUFFER_MAX & (WRITE_BUFFER_MAX - 1)) == 0, "the ring is indexed by a mask");

/* The parts of a line that bytes, which follow each other, lie in. */
static inline uint8_t parts_of(uint64_t bytes)
{
    const uint32_t first = (uint32_t)__builtin_ctzll(bytes) / PART_BYTES;
    const uint32_t last = (63u - (uint32_t)__builtin_clzll(bytes)) / PART_BYTES;
    return (uint8_t)((2u << last) - (1u << first));
}

/* ---- draining ---- */

/* When an entry that begins to drain has. */
static uint64_t drain(struct a8_memory *memory, const struct write_entry *entry, uint64_t begins)
{
    const uint64_t done = begins + memory->machine->store_buffer_drain_cycles;
    switch ((enum write_kind)entry->kind) {
    case WRITE_FETCHES:
        if (entry->written == UINT64_MAX)
            return done;
        count(memory, ARMPMU_SIGNAL_BUS_READ_BEAT, memory->external.line_beats);
        return external_memory_read(&memory->external, entry->line, 0, done);
    case WRITE_TO_MEMORY:
        return external_memory_write(&memory->external, part_beats(memory, entry->parts), done);
    case WRITE_TO_DEVICE:
        return later(done, memory->external.free) + memory->external.read_cycles;
    case WRITE_TO_L2:
        break;
    }
    return done;
}

static void begin_to_drain(struct a8_memory *memory, struct write_buffer *buffer)
{
    const struct write_entry *const oldest = write_buffer_entry(buffer, 0);
    buffer->drained = drain(memory, oldest, later(oldest->since, buffer->drained));
    buffer->drains = true;
}

static void retire(struct write_buffer *buffer)
{
    buffer->head = (buffer->head + 1) & (WRITE_BUFFER_MAX - 1);
    buffer->used--;
    buffer->drains = false;
}

static bool can_drain(const struct write_buffer *buffer, const struct write_entry *oldest,
                      uint64_t now)
{
    return !oldest->awaits_neon && later(oldest->since, buffer->drained) <= now;
}

void a8_advance_writes(struct a8_memory *memory, uint64_t now)
{
    struct write_buffer *const buffer = &memory->writes;
    while (buffer->used > 0) {
        if (!buffer->drains && !can_drain(buffer, write_buffer_entry(buffer, 0), now))
            return;
        if (!buffer->drains)
            begin_to_drain(memory, buffer);
        if (buffer->drained > now)
            return;
        retire(buffer);
    }
}

/* The oldest entry leaves; returns when. */
static uint64_t await_oldest(struct a8_memory *memory, uint64_t now)
{
    struct write_buffer *const buffer = &memory->writes;
    if (!buffer->drains)
        begin_to_drain(memory, buffer);
    now = later(now, buffer->drained);
    a8_advance_writes(memory, now);
    return now;
}

static RARE uint64_t wait_for_room(struct a8_memory *memory, uint64_t now)
{
    const uint64_t least = now + memory->machine->store_buffer_full_cycles;
    const uint64_t room = await_oldest(memory, now);
    count(memory, ARMPMU_SIGNAL_STORE_BUFFER_FULL, room - now);
    count(memory, ARMPMU_SIGNAL_REPLAY, 1);
    const uint64_t there = later(room, least);
    count(memory, ARMPMU_SIGNAL_STALL_BACKEND_ST, there - now);
    a8_advance_writes(memory, there);
    return there;
}

/* Waits until the write buffer has room. */
static uint64_t make_room(struct a8_memory *memory, uint64_t now)
{
    a8_advance_writes(memory, now);
    return likely(memory->writes.used < memory->writes.n_entries) ? now
                                                                  : wait_for_room(memory, now);
}

static bool holds(struct write_buffer *buffer, uint64_t line)
{
    for (uint32_t i = 0; i < buffer->used; i++)
        if (write_buffer_entry(buffer, i)->line == line)
            return true;
    return false;
}

uint64_t a8_await_writes(struct a8_memory *memory, uint64_t line, uint64_t now)
{
    const uint64_t since = now;
    a8_advance_writes(memory, now);
    while (unlikely(holds(&memory->writes, line)))
        now = await_oldest(memory, now);
    count(memory, ARMPMU_SIGNAL_STALL_BACKEND_ST, now - since);
    return now;
}

/* ---- filling ---- */

static inline struct write_entry *push(struct write_buffer *buffer, uint64_t line,
                                       enum write_kind kind, uint64_t since)
{
    struct write_entry *const entry = write_buffer_entry(buffer, buffer->used++);
    *entry = (struct write_entry){.line = line, .kind = (uint8_t)kind, .since = since};
    return entry;
}

uint64_t a8_write_device(struct a8_memory *memory, uint64_t line, uint64_t now)
{
    now = make_room(memory, now);
    push(&memory->writes, line, WRITE_TO_DEVICE, now);
    return now;
}

/* Writes parts of a physical line. Returns what is left to do when the entry drains; *taken: when
 * memory takes the line that this one replaces. */
static ALWAYS_INLINE enum write_kind l2_write(struct a8_memory *memory,
                                              const struct a8_shape *shape, uint64_t line,
                                              uint8_t parts, bool cast_out, uint64_t *taken)
{
    if (!shape->has_l2)
        return WRITE_TO_MEMORY;
    const size_t set = cache_set(&memory->l2, line);
    const uint32_t way = cache_find_way(&memory->l2, shape->l2, set, line);
    count(memory, ARMPMU_SIGNAL_L2_ACCESS, 1);
    if (way != CACHE_NO_WAY) {
        cache_touch(&memory->l2, shape->l2, set, way);
        cache_line_at(&memory->l2, shape->l2, set, way)->dirty |= parts;
        return WRITE_TO_L2;
    }
    count(memory, ARMPMU_SIGNAL_L2_MISS, 1);
    note_miss(memory, shape->keeps_misses, ARMPMU_MISS_L2, &memory->l2, line, *taken);
    if (!cast_out && memory->machine->l2_write_allocate == YESNO_NO)
        return WRITE_TO_MEMORY;
    *taken =
        external_memory_write(&memory->external, l2_fill(memory, shape->l2, line, parts), *taken);
    return cast_out ? WRITE_TO_L2 : WRITE_FETCHES;
}

static OUT_OF_LINE uint64_t evict_to_backs(struct a8_memory *front, const struct cache_line *victim,
                                           uint64_t now)
{
    A8_EACH_BACK(back, front)
    {
        back->ahead = a8_evict(back, victim, now + back->ahead) - now;
    }
    return now;
}

uint64_t a8_evict(struct a8_memory *memory, const struct cache_line *victim, uint64_t now)
{
    if (unlikely(memory->backs != NULL))
        return evict_to_backs(memory, victim, now);
    const struct a8_shape shape = a8_shape_of(memory);
    now = make_room(memory, now);
    uint64_t taken = now;
    const enum write_kind kind =
        l2_write(memory, &shape, victim->physical, ALL_PARTS, true, &taken);
    push(&memory->writes, victim->physical, kind, taken)->parts = ALL_PARTS;
    count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT,
          kind == WRITE_TO_MEMORY ? part_beats(memory, ALL_PARTS) : 0);
    return now;
}

void a8_cast_out(struct a8_memory *memory, const struct cache_line *victim)
{
    memory->now = a8_evict(memory, victim, memory->now);
}

/* An entry that a store to the line can join, NULL for none. Newest first: runs of stores to one
 * line find it at once. */
static inline struct write_entry *entry_to_join(struct write_buffer *buffer, uint64_t line)
{
    for (uint32_t i = buffer->used; i-- > buffer->drains;) {
        struct write_entry *const entry = write_buffer_entry(buffer, i);
        if (entry->line == line && entry->merges)
            return entry;
    }
    return NULL;
}

/* Bytes are added to an entry, by an instruction of NEON or another. */
static inline void add_bytes(struct a8_memory *memory, struct write_entry *entry, uint64_t bytes,
                             uint8_t parts, bool neon)
{
    if (entry->kind == WRITE_TO_MEMORY)
        count(memory, ARMPMU_SIGNAL_BUS_WRITE_BEAT,
              part_beats(memory, parts & (uint8_t)~entry->parts));
    entry->written |= bytes;
    entry->parts |= parts;
    entry->awaits_neon |= neon;
    memory->writes.awaits_neon |= neon;
}

/* The store joins an entry that waits for the same line. */
static ALWAYS_INLINE void merge(struct a8_memory *memory, const struct a8_shape *shape,
                                struct write_entry *entry, uint64_t bytes, bool neon)
{
    const uint8_t parts = parts_of(bytes), more = parts & (uint8_t)~entry->parts;
    count(memory, ARMPMU_SIGNAL_STORE_MERGED, 1);
    add_bytes(memory, entry, bytes, parts, neon);
    if (!shape->has_l2 || entry->kind == WRITE_TO_MEMORY || more == 0)
        return;
    const size_t set = cache_set(&memory->l2, entry->line);
    const uint32_t way = cache_find_way(&memory->l2, shape->l2, set, entry->line);
    if (way != CACHE_NO_WAY)
        cache_line_at(&memory->l2, shape->l2, set, way)->dirty |= more;
}

static ALWAYS_INLINE uint64_t store_to_l2(struct a8_memory *memory, const struct a8_shape *shape,
                                          uint64_t physical, uint64_t bytes, bool neon,
                                          uint64_t now)
{
    struct write_buffer *const buffer = &memory->writes;
    count(memory, ARMPMU_SIGNAL_STORE_TO_L2, 1);
    if (buffer->used != 0)
        a8_advance_writes(memory, now);
    struct write_entry *const waiting = entry_to_join(buffer, physical);
    if (waiting != NULL) {
        merge(memory, shape, waiting, bytes, neon);
        return now;
    }
    if (unlikely(buffer->used == buffer->n_entries))
        now = wait_for_room(memory, now);
    uint64_t taken = now;
    const uint8_t parts = parts_of(bytes);
    const enum write_kind kind = l2_write(memory, shape, physical, parts, false, &taken);
    if (neon) {
        count(memory, ARMPMU_SIGNAL_NEON_L2_ACCESS, 1);
        count(memory, ARMPMU_SIGNAL_NEON_L2_HIT, kind == WRITE_TO_L2);
    }
    struct write_entry *const entry = push(buffer, physical, kind, taken);
    entry->merges = true;
    add_bytes(memory, entry, bytes, parts, neon);
    return now;
}

static OUT_OF_LINE uint64_t store_to_backs(struct a8_memory *front, uint64_t physical,
                                           uint64_t bytes, bool neon, uint64_t now)
{
    A8_EACH_BACK(back, front)
    {
        back->ahead = a8_store_to_l2(back, physical, bytes, neon, now + back->ahead) - now;
    }
    return now;
}

uint64_t a8_store_to_l2(struct a8_memory *memory, uint64_t physical, uint64_t bytes, bool neon,
                        uint64_t now)
{
    if (unlikely(memory->backs != NULL))
        return store_to_backs(memory, physical, bytes, neon, now);
    if (likely(memory->is_usual)) {
        const struct a8_shape usual = A8_USUAL_SHAPE(memory->misses.are_kept, false);
        return store_to_l2(memory, &usual, physical, bytes, neon, now);
    }
    const struct a8_shape shape = a8_shape_of(memory);
    return store_to_l2(memory, &shape, physical, bytes, neon, now);
}

void a8_vector_store_has_data(struct a8_memory *memory, uint64_t time)
{
    struct write_buffer *const buffer = &memory->writes;
    buffer->awaits_neon = false;
    for (uint32_t i = buffer->used; i-- > 0;) {
        struct write_entry *const entry = write_buffer_entry(buffer, i);
        if (!entry->awaits_neon)
            continue;
        entry->awaits_neon = false;
        entry->since = later(entry->since, time);
    }
}
