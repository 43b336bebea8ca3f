/* Eight events on four counters: the kernel takes turns, and says how long each was counted.
 *
 * Prints the instructions of the work, then for each event
 *   multiplex event=0xNN count=N enabled=NANOSECONDS running=NANOSECONDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "window.h"
#include "work.h"

#define TURNS      100000u
#define OOO_LENGTH 600 /* milliseconds: many turns of the kernel's, which last 4 */

static const unsigned events[] = {0x08, 0x0d, 0x0c, 0x12, 0x08, 0x0d, 0x0c, 0x12};

#define N_EVENTS (sizeof events / sizeof events[0])

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int open_event(unsigned event)
{
    struct perf_event_attr attributes = ooo_attributes(event);

    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    const int fd = ooo_event_open(&attributes, -1);
    if (fd < 0) {
        printf("failed what=open event=0x%x reason=%s\n", event, strerrorname_np(-fd));
        exit(1);
    }
    return fd;
}

int main(void)
{
    int fds[N_EVENTS];
    unsigned long long turns = 0;

    for (size_t i = 0; i < N_EVENTS; i++)
        fds[i] = open_event(events[i]);
    for (size_t i = 0; i < N_EVENTS; i++)
        ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
    for (const long end = milliseconds() + OOO_LENGTH; milliseconds() < end; turns += TURNS)
        work_hot(TURNS);
    for (size_t i = 0; i < N_EVENTS; i++)
        ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0);
    printf("multiplexed turns=%llu\n", turns);
    for (size_t i = 0; i < N_EVENTS; i++) {
        uint64_t values[3] = {0};
        if (read(fds[i], values, sizeof values) != sizeof values)
            printf("failed what=read event=0x%x\n", events[i]);
        printf("multiplex event=0x%02x count=%llu enabled=%llu running=%llu\n", events[i],
               (unsigned long long)values[0], (unsigned long long)values[1],
               (unsigned long long)values[2]);
    }
    return 0;
}
