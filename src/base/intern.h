/* Interning: equal things get the same number.
 *
 * The caller keeps the things by number, numbers them and says when two are the same; the table
 * finds a number by the thing's hash. Open addressing, at most half full; each slot has the whole
 * hash, so that nearly every comparison finds what it looks for and growing asks for nothing.
 *
 * Plain data, empty when zeroed; one thread at a time. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTERN_NONE UINT32_MAX

struct intern_slot {
    uint32_t hash, next_number; /* number + 1, 0 when free */
};

struct intern {
    struct intern_slot *slots;
    uint32_t n_slots, n; /* a power of two, or 0 */
};

/* True if the thing of a number is the same as key. */
typedef bool intern_same(const void *things, uint32_t number, const void *key);

/* The number of what is the same as key, which has this hash; INTERN_NONE if nothing is. */
static inline uint32_t intern_find(const struct intern *table, uint32_t hash, intern_same *same,
                                   const void *things, const void *key)
{
    if (table->n_slots == 0)
        return INTERN_NONE;
    const uint32_t mask = table->n_slots - 1;
    for (uint32_t i = hash & mask; table->slots[i].next_number != 0; i = (i + 1) & mask)
        if (table->slots[i].hash == hash && same(things, table->slots[i].next_number - 1, key))
            return table->slots[i].next_number - 1;
    return INTERN_NONE;
}

/* Makes sure that the next intern_add succeeds. False, with everything as it was, without memory.
 */
bool intern_reserve(struct intern *table);

/* Enters a number whose thing is not there yet. False, with everything as it was, without memory.
 */
bool intern_add(struct intern *table, uint32_t hash, uint32_t number);

/* Takes out a number that is there. */
void intern_remove(struct intern *table, uint32_t hash, uint32_t number);

/* Takes out all; keeps the memory. */
void intern_clear(struct intern *table);
void intern_free(struct intern *table);

/* FNV-1a of n bytes, going on from HASH_START or from an earlier hash. */
#define HASH_START 2166136261u

static inline uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 16777619u;
    return hash;
}

/* The same of a number, in one step: the upper half of a product depends on all bits of both. */
static inline uint32_t hash_number(uint32_t hash, uint64_t number)
{
    return (uint32_t)(((number ^ hash) * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

#endif
