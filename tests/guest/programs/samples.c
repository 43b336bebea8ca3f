/* Samples two events at once while work_hot runs nine times as long as work_cold.
 *
 * usage: samples [TIMES]     default 1, of 4 million instructions and 2 million branches each
 *
 * Prints, for each of the two:
 *   samples event=0xNN period=N count=N samples=N hot=N cold=N kernel=N other=N lost=N */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "window.h"
#include "work.h"

#define TURNS       20000u
#define ROUNDS      100u
#define RING_PAGES  64u
#define KERNEL_BASE 0x80000000u /* above it the kernel, below it the program */

struct sampler {
    unsigned event;
    uint64_t period;
    int fd;
    struct perf_event_mmap_page *ring;
    unsigned long samples, hot, cold, kernel, other, lost;
};

static void fail(const char *what)
{
    printf("failed what=%s reason=%s\n", what, strerrorname_np(errno));
    exit(1);
}

static void open_sampler(struct sampler *s)
{
    struct perf_event_attr attributes = ooo_attributes(s->event);

    attributes.sample_period = s->period;
    attributes.sample_type = PERF_SAMPLE_IP;
    attributes.watermark = 1;
    attributes.wakeup_watermark = RING_PAGES * 2048;
    s->fd = ooo_event_open(&attributes, -1);
    if (s->fd < 0) {
        errno = -s->fd;
        fail("open");
    }
    const size_t size = (1 + RING_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    s->ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (s->ring == MAP_FAILED)
        fail("mmap");
}

static bool lies_in(uint64_t at, const void *begin, const void *end)
{
    return at >= (uintptr_t)begin && at < (uintptr_t)end;
}

static void place(struct sampler *s, uint64_t at)
{
    s->samples++;
    if (lies_in(at, (const void *)(uintptr_t)work_hot, work_hot_end))
        s->hot++;
    else if (lies_in(at, (const void *)(uintptr_t)work_cold, work_cold_end))
        s->cold++;
    else if (at >= KERNEL_BASE)
        s->kernel++;
    else
        s->other++;
}

/* Copies from the ring, which ends anywhere. */
static void copy(const struct sampler *s, uint64_t from, void *to, size_t size)
{
    const unsigned char *data = (const unsigned char *)s->ring + s->ring->data_offset;

    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = data[(from + i) % s->ring->data_size];
}

static void drain(struct sampler *s)
{
    const uint64_t head = __atomic_load_n(&s->ring->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = s->ring->data_tail;

    while (tail < head) {
        struct perf_event_header header;
        uint64_t words[2] = {0};
        copy(s, tail, &header, sizeof header);
        if (header.type == PERF_RECORD_SAMPLE) {
            copy(s, tail + sizeof header, words, sizeof words[0]);
            place(s, words[0]);
        } else if (header.type == PERF_RECORD_LOST) {
            copy(s, tail + sizeof header, words, sizeof words);
            s->lost += words[1];
        }
        tail += header.size;
    }
    __atomic_store_n(&s->ring->data_tail, tail, __ATOMIC_RELEASE);
}

static void report(struct sampler *s)
{
    uint64_t count = 0;

    if (read(s->fd, &count, sizeof count) != sizeof count)
        fail("read");
    printf("samples event=0x%02x period=%llu count=%llu samples=%lu hot=%lu cold=%lu kernel=%lu "
           "other=%lu lost=%lu\n",
           s->event, (unsigned long long)s->period, (unsigned long long)count, s->samples, s->hot,
           s->cold, s->kernel, s->other, s->lost);
}

int main(int argc, char **argv)
{
    const unsigned long rounds = ROUNDS * (argc > 1 ? strtoul(argv[1], NULL, 10) : 1);
    struct sampler samplers[] = {{.event = 0x08, .period = 20011},
                                 {.event = 0x0c, .period = 10007}};

    for (unsigned i = 0; i < 2; i++)
        open_sampler(&samplers[i]);
    for (unsigned i = 0; i < 2; i++)
        ioctl(samplers[i].fd, PERF_EVENT_IOC_ENABLE, 0);
    for (unsigned long round = 0; round < rounds; round++) {
        work_hot(9 * TURNS / 10);
        work_cold(TURNS / 10);
        for (unsigned i = 0; i < 2; i++)
            drain(&samplers[i]);
    }
    for (unsigned i = 0; i < 2; i++)
        ioctl(samplers[i].fd, PERF_EVENT_IOC_DISABLE, 0);
    for (unsigned i = 0; i < 2; i++) {
        drain(&samplers[i]);
        report(&samplers[i]);
    }
    return 0;
}
