/* Positions for cores that have one for each block. Such a core learns of accesses when their block
 * retires, so most functions of struct position_ops do nothing. */
#include "trace/trace_reader_internal.h"

static struct trace_position *enter(void *core, struct reader_entry *entry, bool *repeatable)
{
    (void)core, (void)repeatable;
    return &entry->position;
}

static void reached(void *core, const struct reader_entry *entry, unsigned first, unsigned index,
                    const uint64_t *records, const uint64_t *end)
{
    (void)core, (void)entry, (void)first, (void)index, (void)records, (void)end;
}

static void cut_short(void *core, const struct reader_entry *entry, unsigned n)
{
    (void)core, (void)entry, (void)n;
}

static void forget_exits(void *core, struct reader_entry *entry)
{
    (void)core, (void)entry;
}

static bool is_full(const void *core)
{
    (void)core;
    return false;
}

static void forgetting(void *core)
{
    (void)core;
}

const struct position_ops block_positions = {
    .retires_late = true,
    .enter = enter,
    .reached = reached,
    .cut_short = cut_short,
    .forget_exits = forget_exits,
    .is_full = is_full,
    .before_forgetting = forgetting,
    .after_forgetting = forgetting,
};
