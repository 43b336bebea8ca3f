#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 128u
#define MOST_SLOTS  (UINT32_C(1) << 31)

static void put(struct intern *table, struct intern_slot slot)
{
    const uint32_t mask = table->n_slots - 1;
    uint32_t i = slot.hash & mask;

    while (table->slots[i].next_number != 0)
        i = (i + 1) & mask;
    table->slots[i] = slot;
}

static bool grow(struct intern *table)
{
    struct intern larger = {.n_slots = table->n_slots > 0 ? 2 * table->n_slots : FIRST_SLOTS,
                            .n = table->n};

    if (table->n_slots >= MOST_SLOTS)
        return false;
    larger.slots = calloc(larger.n_slots, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (uint32_t i = 0; i < table->n_slots; i++)
        if (table->slots[i].next_number != 0)
            put(&larger, table->slots[i]);
    free(table->slots);
    *table = larger;
    return true;
}

bool intern_reserve(struct intern *table)
{
    return table->n < table->n_slots / 2 || grow(table);
}

bool intern_add(struct intern *table, uint32_t hash, uint32_t number)
{
    if (!intern_reserve(table))
        return false;
    put(table, (struct intern_slot){hash, number + 1});
    table->n++;
    return true;
}

/* Moves up what was put after a slot that is free now because its own was taken. */
static void close_gap(struct intern *table, uint32_t gap)
{
    const uint32_t mask = table->n_slots - 1;

    for (uint32_t i = (gap + 1) & mask; table->slots[i].next_number != 0; i = (i + 1) & mask) {
        if (((i - table->slots[i].hash) & mask) < ((i - gap) & mask))
            continue;
        table->slots[gap] = table->slots[i];
        table->slots[i].next_number = 0;
        gap = i;
    }
}

void intern_remove(struct intern *table, uint32_t hash, uint32_t number)
{
    const uint32_t mask = table->n_slots - 1;
    uint32_t i = hash & mask;

    while (table->slots[i].next_number != number + 1)
        i = (i + 1) & mask;
    table->slots[i].next_number = 0;
    table->n--;
    close_gap(table, i);
}

void intern_clear(struct intern *table)
{
    if (table->n_slots != 0)
        memset(table->slots, 0, table->n_slots * sizeof *table->slots);
    table->n = 0;
}

void intern_free(struct intern *table)
{
    free(table->slots);
    *table = (struct intern){0};
}
