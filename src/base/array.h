/* Growable arrays: a pointer to the items and a size_t of how many there is room for, in whichever
 * structure they belong to. They begin as NULL and 0 and end with free(). */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes items[0] to items[wanted - 1] usable. If there is no room yet, it makes at least twice
 * as much; new items are zero. Returns false, with everything as it was, without memory or when
 * the bytes do not fit a size_t. items and room are evaluated more than once. */
#define ARRAY_RESERVE(items, room, wanted)                                                         \
    ((wanted) <= (room) || array_grow(&(items), &(room), (wanted), sizeof *(items)))

/* The same, but new items are not set to zero: what is never used of a large array takes no memory.
 */
#define ARRAY_ROOM(items, room, wanted)                                                            \
    ((wanted) <= (room) || array_grow_room(&(items), &(room), (wanted), sizeof *(items)))

/* Adds the value that the last arguments are as items[n++], once there is room. Returns false, with
 * everything as it was, without memory. All but the value are evaluated more than once. */
#define ARRAY_APPEND(items, n, room, ...)                                                          \
    (ARRAY_RESERVE(items, room, (size_t)(n) + 1) && ((items)[(n)++] = (__VA_ARGS__), true))

/* Frees the items, which are pointers, and the array. */
#define ARRAY_FREE_EACH(items, n)                                                                  \
    do {                                                                                           \
        for (size_t array_at = 0; array_at < (n); array_at++)                                      \
            free((items)[array_at]);                                                               \
        free(items);                                                                               \
    } while (0)

/* items: the address of the pointer. */
bool array_grow(void *items, size_t *room, size_t wanted, size_t item_bytes);
bool array_grow_room(void *items, size_t *room, size_t wanted, size_t item_bytes);

#endif
