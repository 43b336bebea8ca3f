#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16u

bool array_grow(void *items, size_t *room, size_t wanted, size_t item_bytes)
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
    memset(grown + *room * item_bytes, 0, (larger - *room) * item_bytes);
    memcpy(items, &grown, sizeof grown);
    *room = larger;
    return true;
}
