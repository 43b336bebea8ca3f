/* Performance events around a piece of work, as any Linux program would count them.
 *
 * The Cortex-A8's monitor has no filter for the privilege level, so the kernel's own work between
 * switching the counters on and off is counted too: that is the noise of a window. */
#ifndef OOO_H
#define OOO_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#define OOO_EVENTS_MAX 5      /* four counters and the cycle counter */
#define OOO_CYCLES     0x100u /* in place of an event's number: the cycle counter */

struct ooo_timing {
    int fds[OOO_EVENTS_MAX]; /* the first leads the group */
    size_t n_events;
};

/* The attributes of an event's number; disabled, everything counted. */
struct perf_event_attr ooo_attributes(unsigned event);

/* Opens an event on this process; group: the leader's descriptor, or -1. Returns the descriptor, or
 * -errno. */
int ooo_event_open(struct perf_event_attr *attributes, int group);

/* Opens events as one group. Ends the program with a "failed" line when the kernel refuses one. */
void ooo_open(struct ooo_timing *w, const unsigned *events, size_t n_events);

/* Counts one call of work from zero; counts in the order of the events. */
void ooo_count(const struct ooo_timing *w, void (*work)(void), uint64_t *counts);

void ooo_close(struct ooo_timing *w);

#endif
