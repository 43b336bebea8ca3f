#include "parts/store_buffer.h"

#include <assert.h>

static_assert((STORE_BUFFER_MAX & (STORE_BUFFER_MAX - 1)) == 0, "the ring is indexed by a mask");

void store_buffer_init(struct store_buffer *buffer, uint32_t n_entries)
{
    assert(n_entries >= 1 && n_entries <= STORE_BUFFER_MAX);
    *buffer = (struct store_buffer){.n_entries = n_entries};
}

void store_buffer_push(struct store_buffer *buffer, uint64_t now, uint64_t line,
                       uint32_t drain_cycles, bool mergeable)
{
    assert(buffer->used < buffer->n_entries && drain_cycles >= 1);
    /* of the newest entry, or of the last one that an empty buffer had */
    const uint64_t drained = buffer->drained[store_buffer_slot(buffer, buffer->used - 1)];
    const uint64_t begins = drained > now ? drained : now;
    uint32_t at = store_buffer_slot(buffer, buffer->used++);
    buffer->line[at] = line;
    buffer->drained[at] = begins + drain_cycles;
    buffer->mergeable[at] = mergeable;
}
