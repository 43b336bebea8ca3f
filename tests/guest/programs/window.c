#include "window.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct perf_event_attr ooo_attributes(unsigned event)
{
    struct perf_event_attr attributes;

    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = event == OOO_CYCLES ? PERF_TYPE_HARDWARE : PERF_TYPE_RAW;
    attributes.config = event == OOO_CYCLES ? (uint64_t)PERF_COUNT_HW_CPU_CYCLES : event;
    attributes.disabled = 1;
    return attributes;
}

int ooo_event_open(struct perf_event_attr *attributes, int group)
{
    const long fd = syscall(SYS_perf_event_open, attributes, 0, -1, group, 0ul);
    return fd < 0 ? -errno : (int)fd;
}

void ooo_open(struct ooo_timing *w, const unsigned *events, size_t n_events)
{
    w->n_events = 0;
    for (size_t i = 0; i < n_events; i++) {
        struct perf_event_attr attributes = ooo_attributes(events[i]);
        attributes.disabled = i == 0;
        attributes.read_format = PERF_FORMAT_GROUP;
        const int fd = ooo_event_open(&attributes, i == 0 ? -1 : w->fds[0]);
        if (fd < 0) {
            printf("failed what=open event=0x%x reason=%s\n", events[i], strerrorname_np(-fd));
            exit(1);
        }
        w->fds[w->n_events++] = fd;
    }
}

void ooo_count(const struct ooo_timing *w, void (*work)(void), uint64_t *counts)
{
    uint64_t group[1 + OOO_EVENTS_MAX] = {0}; /* how many, then the counts */
    const int leader = w->fds[0];

    ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
    /* The leader alone: it takes the others along at once, by one switch of all counters. With the
     * flag for the group each would be switched by itself, one after the other. */
    ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
    work();
    ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
    if (read(leader, group, sizeof group) < (ssize_t)sizeof group[0] || group[0] != w->n_events) {
        printf("failed what=read reason=%s\n", strerrorname_np(errno));
        exit(1);
    }
    memcpy(counts, group + 1, w->n_events * sizeof *counts);
}

void ooo_close(struct ooo_timing *w)
{
    for (size_t i = w->n_events; i-- > 0;)
        close(w->fds[i]);
}
