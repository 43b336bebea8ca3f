#include "uarch/store_buffer.h"

#include <assert.h>

static_assert((STORE_BUFFER_MAX & (STORE_BUFFER_MAX - 1)) == 0, "the ring is indexed by a mask");

/* The slot of the i-th oldest entry. */
static uint32_t slot(const struct store_buffer *buffer, uint32_t i)
{
    return (buffer->head + i) & (STORE_BUFFER_MAX - 1);
}

void store_buffer_init(struct store_buffer *buffer, uint32_t n_entries)
{
    assert(n_entries >= 1 && n_entries <= STORE_BUFFER_MAX);
    *buffer = (struct store_buffer){.n_entries = n_entries};
}

void store_buffer_advance(struct store_buffer *buffer, uint64_t now)
{
    while (buffer->used > 0 && buffer->drained[buffer->head] <= now) {
        buffer->head = slot(buffer, 1);
        buffer->used--;
    }
}

bool store_buffer_merges(const struct store_buffer *buffer, uint64_t line)
{
    /* Newest first: runs of stores to one line find it at once. */
    for (uint32_t i = buffer->used; i-- > 1;) {
        uint32_t at = slot(buffer, i);
        if (buffer->line[at] == line && buffer->mergeable[at])
            return true;
    }
    return false;
}

uint64_t store_buffer_full_for(const struct store_buffer *buffer, uint64_t now)
{
    uint64_t first_free = buffer->drained[buffer->head];
    if (buffer->used < buffer->n_entries || first_free <= now)
        return 0;
    return first_free - now;
}

void store_buffer_push(struct store_buffer *buffer, uint64_t now, uint64_t line,
                       uint32_t drain_cycles, bool mergeable)
{
    assert(buffer->used < buffer->n_entries && drain_cycles >= 1);
    uint64_t begins = now;
    if (buffer->used > 0 && buffer->drained[slot(buffer, buffer->used - 1)] > now)
        begins = buffer->drained[slot(buffer, buffer->used - 1)];
    uint32_t at = slot(buffer, buffer->used++);
    buffer->line[at] = line;
    buffer->drained[at] = begins + drain_cycles;
    buffer->mergeable[at] = mergeable;
}
