/* Performance events around a piece of work, as any Linux program would count them.
 *
 * The Cortex-A8's monitor has no filter for the privilege level, so the kernel's own work between
 * switching the counters on and off is counted too: that is the noise of a window. */
#ifndef WINDOW_H
#define WINDOW_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOW_EVENTS_MAX 5      /* four counters and the cycle counter */
#define WINDOW_CYCLES     0x100u /* in place of an event's number: the cycle counter */

struct window {
    int fds[WINDOW_EVENTS_MAX]; /* the first leads the group */
    size_t n_events;
};

/* The attributes of an event's number; disabled, everything counted. */
struct perf_event_attr window_attributes(unsigned event);

/* Opens an event on this process; group: the leader's descriptor, or -1. Returns the descriptor, or
 * -errno. */
int window_event_open(struct perf_event_attr *attributes, int group);

/* Opens events as one group. Ends the program with a "failed" line when the kernel refuses one. */
void window_open(struct window *w, const unsigned *events, size_t n_events);

/* Counts one call of work from zero; counts in the order of the events. */
void window_count(const struct window *w, void (*work)(void), uint64_t *counts);

void window_close(struct window *w);

#endif
