/* The bus unit of the 80200, which passes the core's requests to memory, and its events.
 *
 *                     +---------------+
 *   lines, page       | at most `room`|
 *   tables -----------> requests on   +----> bus
 *   write buffer -----> their way     |
 *                     +---------------+
 *
 *   0x10  a request is taken
 *   0x11  clocks in which there is no room for another
 *   0x12  everything on its way is waited for, for a drain or an access that nothing may overtake
 *   0x16  memory with ECC, eight bytes at a time, is read first because it is written in part
 *
 * Source: Intel 80200 Processor Developer's Manual (273411), External Bus; Performance Monitoring
 * Events.
 *
 * Assumes: a request stays until its last word has come; the write buffer has one on its way while
 * there is something in it, CHOICE(xscale-bus-unit); reads wait for room, writes have theirs;
 * CHOICE(xscale-rmw): one read and write back for each eight bytes written in part, counted when
 * the write buffer has drained them, in no time of its own.
 * Does not model: errors in memory (0x14, 0x15), which only memory can make: they are pins. */
#ifndef CORES_XSCALE_BUS_UNIT_H
#define CORES_XSCALE_BUS_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "parts/store_buffer.h"

/* Reads that can be on their way or wait for room at once: fill buffers, fetch buffers and the
 * table walk that the core stalls for. A power of two. */
#define XS_READS_MAX 32

struct xs_bus_unit {
    uint64_t *tally; /* ARMPMU_SIGNAL_COUNT, the core's */
    uint32_t room;   /* requests on their way at once, 0 without a bus unit */
    bool ecc;
    uint64_t ends[XS_READS_MAX]; /* when the last word of the latest reads comes: a ring */
    uint32_t next;
    uint64_t written;                 /* when the write buffer is empty */
    uint64_t counted;                 /* clocks without room are in the tally up to here */
    uint16_t lanes[STORE_BUFFER_MAX]; /* of each entry of the write buffer: bytes it writes */
};

void xs_bus_unit_init(struct xs_bus_unit *unit, const struct armpmu_machine *machine,
                      uint64_t *tally);

/* A read is wanted at a time: returns when it is taken. xs_bus_unit_ends says when it ends. Of a
 * core without a bus unit neither is called. */
uint64_t xs_bus_unit_read(struct xs_bus_unit *unit, uint64_t now);
void xs_bus_unit_ends(struct xs_bus_unit *unit, uint64_t end);

/* The newest entry of the write buffer came in at a time, and writes these of its 16 bytes. */
void xs_bus_unit_write(struct xs_bus_unit *unit, const struct store_buffer *writes, uint64_t now,
                       uint16_t lanes);

/* Further bytes join the entry for these 16 that still waits. */
void xs_bus_unit_join(struct xs_bus_unit *unit, const struct store_buffer *writes, uint64_t line,
                      uint16_t lanes);

/* Entries that have drained by a time are about to leave the write buffer. */
void xs_bus_unit_retire(struct xs_bus_unit *unit, const struct store_buffer *writes, uint64_t now);

/* Everything on its way is waited for. */
void xs_bus_unit_drain(struct xs_bus_unit *unit);

/* Adds to a copy of the tally what has happened by a time since it was last asked for anything. */
void xs_bus_unit_add(const struct xs_bus_unit *unit, const struct store_buffer *writes,
                     uint64_t now, uint64_t *tally);

#endif
