#include "parts/recency.h"

#include <stdlib.h>

bool recency_init(struct recency *recency, uint32_t room)
{
    unsigned bits = 1;

    while (UINT32_C(1) << bits < room)
        bits++;
    *recency = (struct recency){.room = room, .bucket_shift = 64 - bits};
    recency->entries = calloc((size_t)room + 1, sizeof *recency->entries);
    recency->buckets = calloc((size_t)1 << bits, sizeof *recency->buckets);
    if (recency->entries != NULL && recency->buckets != NULL)
        return true;
    recency_free(recency);
    return false;
}

void recency_free(struct recency *recency)
{
    free(recency->entries);
    free(recency->buckets);
    *recency = (struct recency){0};
}

/* Multiplying by an odd constant near 2^64 / golden ratio spreads neighbouring names. */
static uint32_t *bucket_of(const struct recency *recency, uint64_t name)
{
    return &recency->buckets[name * UINT64_C(0x9e3779b97f4a7c15) >> recency->bucket_shift];
}

static uint32_t number_of(const struct recency *recency, uint64_t name)
{
    uint32_t number = recency->room != 0 ? *bucket_of(recency, name) : 0;

    while (number != 0 && recency->entries[number].name != name)
        number = recency->entries[number].next;
    return number;
}

uint8_t *recency_find(const struct recency *recency, uint64_t name)
{
    const uint32_t number = number_of(recency, name);

    return number != 0 ? &recency->entries[number].state : NULL;
}

static void leave_list(struct recency *recency, uint32_t number)
{
    const struct recent_name *const entry = &recency->entries[number];

    recency->entries[entry->newer].older = entry->older;
    recency->entries[entry->older].newer = entry->newer;
}

static void make_newest(struct recency *recency, uint32_t number)
{
    struct recent_name *const ring = recency->entries;

    ring[number].newer = 0;
    ring[number].older = ring[0].older;
    ring[ring[0].older].newer = number;
    ring[0].older = number;
}

/* An entry that is in no list; the oldest gives up its own once there is no other. */
static uint32_t take_entry(struct recency *recency)
{
    if (recency->n < recency->room)
        return ++recency->n;
    const uint32_t oldest = recency->entries[0].newer;
    uint32_t *link = bucket_of(recency, recency->entries[oldest].name);
    while (*link != oldest)
        link = &recency->entries[*link].next;
    *link = recency->entries[oldest].next;
    leave_list(recency, oldest);
    return oldest;
}

uint8_t *recency_use(struct recency *recency, uint64_t name)
{
    uint32_t number = number_of(recency, name);

    if (number != 0) {
        leave_list(recency, number);
    } else {
        number = take_entry(recency);
        uint32_t *const bucket = bucket_of(recency, name);
        recency->entries[number] = (struct recent_name){.name = name, .next = *bucket};
        *bucket = number;
    }
    make_newest(recency, number);
    return &recency->entries[number].state;
}
