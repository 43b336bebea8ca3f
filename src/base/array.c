#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/large_pages.h"

#define FIRST_ROOM 16u

bool array_grow_room(void *items, size_t *room, size_t wanted, size_t item_bytes)
{
    const size_t most = SIZE_MAX / 2 / item_bytes;
    size_t larger = *room > 0 ? *room : FIRST_ROOM / 2;
    char *old, *grown;

    if (wanted > most)
        return false;
    larger = larger < most / 2 ? 2 * larger : most;
    larger = larger > wanted ? larger : wanted;
    memcpy(&old, items, sizeof old); /* whatever type it points to */
    grown = realloc(old, larger * item_bytes);
    if (grown == NULL)
        return false;
    large_pages_ask(grown, larger * item_bytes);
    memcpy(items, &grown, sizeof grown);
    *room = larger;
    return true;
}

bool array_grow(void *items, size_t *room, size_t wanted, size_t item_bytes)
{
    const size_t before = *room;
    char *grown;

    if (!array_grow_room(items, room, wanted, item_bytes))
        return false;
    memcpy(&grown, items, sizeof grown);
    memset(grown + before * item_bytes, 0, (*room - before) * item_bytes);
    return true;
}
