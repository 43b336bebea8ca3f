/* The most recently used names, as many as fit: a fully associative array with LRU replacement.
 * What belongs to a name is a byte of the caller's.
 *
 * A use takes the same time for any number of names: they are in a hash table and in a list by
 * their last use. */
#ifndef PARTS_RECENCY_H
#define PARTS_RECENCY_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed it takes no names. */
struct recency {
    struct recent_name {
        uint64_t name;
        uint32_t newer, older; /* in a ring through entry 0, which has no name */
        uint32_t next;         /* in the same bucket, 0 for none */
        uint8_t state;         /* the caller's; 0 of a name that was not there */
    } * entries;
    uint32_t *buckets;
    unsigned bucket_shift;
    uint32_t room, n;
};

/* Makes an empty one for a number of names, from 1 on. False without memory. */
bool recency_init(struct recency *recency, uint32_t room);
void recency_free(struct recency *recency);

/* Uses a name; returns its state, valid until the next use. */
uint8_t *recency_use(struct recency *recency, uint64_t name);

/* The state of a name, NULL where it is not there. */
uint8_t *recency_find(const struct recency *recency, uint64_t name);

#endif
