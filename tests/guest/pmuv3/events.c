/* PMUv3 as a program under Linux sees it, by perf_event_open.
 *
 * Prints, a line each:
 *   window INSTRUCTIONS CYCLES EVENT...   a group around work: see events[]
 *   user LESS MORE                        instructions of EL0 around loops of TURNS and 3 * TURNS
 * turns of two modes USER KERNEL BOTH                of one window multiplex RUNNING ENABLED COUNT
 * a row for each of 20 events: those of INST_RETIRED sampled COUNT PERIOD SAMPLES LOST read SIGNAL
 * that ends a read of PMCCNTR_EL0 in EL0 */
#include <asm/unistd.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TURNS       20000u
#define WINDOWS     3
#define MULTIPLEXED 20
#define PERIOD      1000u
#define RING_PAGES  128u
#define MODES       3

/* INST_RETIRED, CPU_CYCLES; L1I_CACHE_REFILL, L1I_CACHE, BR_MIS_PRED, BR_PRED, EXC_TAKEN */
static const unsigned events[] = {0x08, 0x11, 0x01, 0x14, 0x10, 0x12, 0x09};

#define N_EVENTS (sizeof events / sizeof events[0])

static int open_event(unsigned event, int group, unsigned excluded, uint64_t period)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_RAW,
                                         .size = sizeof attributes,
                                         .config = event,
                                         .disabled = group < 0,
                                         .exclude_user = excluded & 1,
                                         .exclude_kernel = excluded >> 1 & 1,
                                         .sample_period = period,
                                         .sample_type = PERF_SAMPLE_IP,
                                         .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                                        PERF_FORMAT_TOTAL_TIME_RUNNING};
    const int fd = (int)syscall(__NR_perf_event_open, &attributes, 0, -1, group, 0ul);

    if (fd < 0) {
        printf("failed to open 0x%x\n", event);
        exit(1);
    }
    return fd;
}

/* Count, time enabled, time running. */
static void take(int fd, uint64_t values[3])
{
    if (read(fd, values, 3 * sizeof values[0]) != 3 * sizeof values[0])
        exit(1);
}

static __attribute__((noinline)) void work(unsigned turns)
{
    __asm__ volatile("1: subs %w0, %w0, #1\n b.ne 1b" : "+r"(turns)::"cc");
}

static void on(int fd)
{
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

static void off(int fd)
{
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void show_windows(void)
{
    int fds[N_EVENTS];
    uint64_t values[3];

    for (unsigned window = 0; window < WINDOWS; window++) {
        for (unsigned i = 0; i < N_EVENTS; i++)
            fds[i] = open_event(events[i], i > 0 ? fds[0] : -1, 0, 0);
        on(fds[0]);
        for (unsigned i = 0; i < 50; i++) {
            work(TURNS / 50);
            getppid();
        }
        off(fds[0]);
        printf("window");
        for (unsigned i = 0; i < N_EVENTS; i++) {
            take(fds[i], values);
            printf(" %llu", (unsigned long long)values[0]);
        }
        printf("\n");
        for (unsigned i = N_EVENTS; i-- > 0;)
            close(fds[i]);
    }
}

static void show_user(void)
{
    const int fd = open_event(0x08, -1, 2, 0);
    uint64_t values[3], before = 0, shown[2];

    for (volatile unsigned times = 1; times <= 3; times += 2) {
        on(fd);
        work(times * TURNS);
        off(fd);
        take(fd, values);
        shown[times / 2] = values[0] - before;
        before = values[0];
    }
    printf("user %llu %llu\n", (unsigned long long)shown[0], (unsigned long long)shown[1]);
    close(fd);
}

static void show_modes(void)
{
    static const unsigned excluded[MODES] = {2, 1, 0};
    uint64_t values[3];
    int fds[MODES];

    for (unsigned i = 0; i < MODES; i++)
        fds[i] = open_event(0x08, i > 0 ? fds[0] : -1, excluded[i], 0);
    on(fds[0]);
    for (unsigned i = 0; i < 100; i++)
        getppid();
    off(fds[0]);
    printf("modes");
    for (unsigned i = 0; i < MODES; i++) {
        take(fds[i], values);
        printf(" %llu", (unsigned long long)values[0]);
    }
    printf("\n");
    for (unsigned i = MODES; i-- > 0;)
        close(fds[i]);
}

static long milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void show_multiplexed(void)
{
    int fds[MULTIPLEXED];
    uint64_t values[3];
    unsigned long long turns = 0;

    for (unsigned i = 0; i < MULTIPLEXED; i++)
        fds[i] = open_event(0x08, -1, 2, 0);
    for (unsigned i = 0; i < MULTIPLEXED; i++)
        on(fds[i]);
    for (const long end = milliseconds() + 1500; milliseconds() < end; turns += TURNS)
        work(TURNS);
    for (unsigned i = 0; i < MULTIPLEXED; i++)
        off(fds[i]);
    printf("multiplexed %llu\n", turns);
    for (unsigned i = 0; i < MULTIPLEXED; i++) {
        take(fds[i], values);
        printf("multiplex %llu %llu %llu\n", (unsigned long long)values[2],
               (unsigned long long)values[1], (unsigned long long)values[0]);
        close(fds[i]);
    }
}

static void show_sampled(void)
{
    const int fd = open_event(0x08, -1, 2, PERIOD);
    const size_t bytes = (1 + RING_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    struct perf_event_mmap_page *const ring =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    unsigned samples = 0, others = 0;
    uint64_t values[3];

    if (ring == MAP_FAILED)
        exit(1);
    on(fd);
    work(10 * TURNS);
    off(fd);
    for (uint64_t at = 0; at < ring->data_head;) {
        const struct perf_event_header *const header =
            (void *)((char *)ring + ring->data_offset + at);
        samples += header->type == PERF_RECORD_SAMPLE;
        others += header->type != PERF_RECORD_SAMPLE;
        at += header->size;
    }
    take(fd, values);
    printf("sampled %llu %u %u %u\n", (unsigned long long)values[0], PERIOD, samples, others);
}

static sigjmp_buf back;

static void on_signal(int number)
{
    siglongjmp(back, number);
}

static void show_read(void)
{
    uint64_t value;

    signal(SIGILL, on_signal);
    const int number = sigsetjmp(back, 1);
    if (number == 0)
        __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
    printf("read %d\n", number);
}

int main(void)
{
    show_windows();
    show_user();
    show_modes();
    show_multiplexed();
    show_sampled();
    show_read();
    return 0;
}
