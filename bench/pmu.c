/* Measures the device library: a post of a signal, a wrap, an access to a register.
 *
 * A post is compared, in the same run, with a plain tally, the least that counting can be, and with
 * an eager monitor that looks at every counter at every post. The best of several rounds: other
 * load on the host only ever makes a round slower. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "armpmu/pmu.h"

#define MIX      (1 << 14)             /* posts until a mix begins again                         */
#define POSTS    (MIX * UINT64_C(256)) /* a round: several times the longest period              */
#define ROUNDS   25
#define SERVICED 64 /* posts between two looks at the interrupt line */
#define COUNTERS 5  /* the cycle counter and four event counters     */
#define NO_TIME  1e30
#define ALONE    __attribute__((noinline)) /* the same code for every case: alignment matters */

static uint64_t sum; /* of every result, printed at the end: no call can be left out */

/* Of this thread's own time: others may run in between. */
static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The best time of a round so far becomes the shorter of it and the time since start. */
static void keep_best(double *best, double start)
{
    const double took = now_ns() - start;
    if (took < *best)
        *best = took;
}

/* What is posted, one signal after the other. */
struct mix {
    const char *name;
    uint8_t signals[MIX];
};

/* What the counters listen to; the cycle counter first. */
static const struct {
    enum armpmu_signal signal;
    uint32_t event;
} listened[COUNTERS] = {
    {ARMPMU_SIGNAL_CPU_CYCLES, 0},      {ARMPMU_SIGNAL_INST_RETIRED, 0x08},
    {ARMPMU_SIGNAL_L1D_ACCESS, 0x04},   {ARMPMU_SIGNAL_L1D_REFILL, 0x03},
    {ARMPMU_SIGNAL_BRANCH_FLUSH, 0x10},
};

static struct mix one_signal = {.name = "one signal"};
static struct mix instructions = {.name = "a core's mix"};
static struct mix all_signals = {.name = "all signals in turn"};

static void fill_mixes(void)
{
    static const struct {
        enum armpmu_signal signal;
        unsigned every; /* so many instructions */
    } core[] = {
        {ARMPMU_SIGNAL_INST_RETIRED, 1},       {ARMPMU_SIGNAL_CPU_CYCLES, 1},
        {ARMPMU_SIGNAL_L1I_ACCESS, 4},         {ARMPMU_SIGNAL_L1D_ACCESS, 3},
        {ARMPMU_SIGNAL_LOAD_RETIRED, 4},       {ARMPMU_SIGNAL_STORE_RETIRED, 9},
        {ARMPMU_SIGNAL_BRANCH_PREDICTABLE, 6}, {ARMPMU_SIGNAL_L1D_REFILL, 50},
        {ARMPMU_SIGNAL_BRANCH_FLUSH, 100},
    };
    size_t n = 0;

    for (unsigned insn = 1; n < MIX; insn++)
        for (size_t i = 0; i < sizeof core / sizeof core[0] && n < MIX; i++)
            if (insn % core[i].every == 0)
                instructions.signals[n++] = (uint8_t)core[i].signal;
    for (unsigned i = 0; i < MIX; i++) {
        one_signal.signals[i] = ARMPMU_SIGNAL_INST_RETIRED;
        all_signals.signals[i] = (uint8_t)(i % ARMPMU_SIGNAL_COUNT);
    }
}

/* ---- a plain tally ---- */

static uint64_t tally[ARMPMU_SIGNAL_COUNT];

static ALONE void post_plain(const struct mix *mix)
{
    for (uint64_t i = 0; i < POSTS; i += SERVICED) {
        const uint8_t *const signals = &mix->signals[i % MIX];
        for (unsigned j = 0; j < SERVICED; j++)
            tally[signals[j]] += 1;
    }
}

/* ---- an eager monitor ---- */

static struct {
    uint32_t count[COUNTERS];
    uint8_t signal[COUNTERS];
    uint32_t enabled, flags, interrupts;
    bool irq;
} eager;

static inline void eager_post(uint8_t signal, uint32_t n)
{
    for (unsigned i = 0; i < COUNTERS; i++) {
        if (!(eager.enabled >> i & 1) || eager.signal[i] != signal)
            continue;
        eager.count[i] += n;
        if (eager.count[i] < n)
            eager.flags |= 1u << i;
    }
    eager.irq = (eager.flags & eager.interrupts) != 0;
}

static ALONE void post_eager(const struct mix *mix, uint32_t period)
{
    for (uint64_t i = 0; i < POSTS; i += SERVICED) {
        const uint8_t *const signals = &mix->signals[i % MIX];
        for (unsigned j = 0; j < SERVICED; j++)
            eager_post(signals[j], 1);
        for (unsigned c = 0; eager.irq && c < COUNTERS; c++)
            if (eager.flags >> c & 1)
                eager.count[c] = 0 - period;
        eager.flags = 0;
    }
}

static void start_eager(bool counts, uint32_t period)
{
    eager.interrupts = (1u << COUNTERS) - 1;
    eager.enabled = counts ? eager.interrupts : 0;
    for (unsigned i = 0; i < COUNTERS; i++) {
        eager.signal[i] = (uint8_t)listened[i].signal;
        eager.count[i] = 0 - period;
    }
}

/* ---- the device, driven as a guest's driver does ---- */

static union armpmu_memory memory;
static struct armpmu *pmu;
static bool irq;

static void drive_irq(void *user, enum armpmu_output output, bool asserted)
{
    (void)user;
    if (output == ARMPMU_OUTPUT_PMUIRQ)
        irq = asserted;
}

static struct armpmu *create(const char *core, bool layout64)
{
    const struct armpmu_config config = {
        .core = core, .output = drive_irq, .amu = {.group1_counters = 16, .layout64 = layout64}};
    struct armpmu *made = NULL;
    struct armpmu_error error;

    if (armpmu_create(&memory, sizeof memory, &config, &made, &error) != ARMPMU_OK) {
        fprintf(stderr, "bench-pmu: %s\n", error.message);
        exit(1);
    }
    return made;
}

static void mcr(unsigned crm, unsigned op2, uint32_t value)
{
    if (armpmu_mcr(pmu, 15, 0, 9, crm, op2, value) != ARMPMU_DONE)
        abort();
}

static void load_counter(unsigned counter, uint32_t value)
{
    if (counter == 0) {
        mcr(13, 0, value);
        return;
    }
    mcr(12, 5, counter - 1);
    mcr(13, 2, value);
}

static void start_device(bool counts, uint32_t period)
{
    pmu = create("cortex-a8", false);
    irq = false;
    for (unsigned i = 0; i < COUNTERS; i++) {
        load_counter(i, 0 - period);
        if (i > 0)
            mcr(13, 1, listened[i].event);
    }
    mcr(14, 1, 0x8000000f);
    mcr(12, 1, 0x8000000f);
    mcr(12, 0, counts);
}

/* What an interrupt handler does: read the flags, clear them, begin the next period. */
static void service(uint32_t period)
{
    uint32_t flags = 0;

    if (armpmu_mrc(pmu, 15, 0, 9, 12, 3, &flags) != ARMPMU_DONE)
        abort();
    mcr(12, 3, flags);
    if (flags >> 31)
        load_counter(0, 0 - period);
    for (unsigned i = 1; i < COUNTERS; i++)
        if (flags >> (i - 1) & 1)
            load_counter(i, 0 - period);
}

static ALONE void post_device(const struct mix *mix, uint32_t period)
{
    struct armpmu *const device = pmu;

    for (uint64_t i = 0; i < POSTS; i += SERVICED) {
        const uint8_t *const signals = &mix->signals[i % MIX];
        for (unsigned j = 0; j < SERVICED; j++)
            armpmu_post(device, (enum armpmu_signal)signals[j], 1);
        if (irq)
            service(period);
    }
}

/* A mix, and whether and how the counters count it; the best rounds of each contender so far. */
struct post_case {
    const struct mix *mix;
    const char *what;
    bool counts;
    uint32_t period; /* of events, from one wrap of a counter to the next */
    double plain, device, eager;
};

#define CASES_OF(mix)                                                                              \
    {&mix, "off", false, 0, NO_TIME, NO_TIME, NO_TIME},                                            \
        {&mix, "all, no wrap", true, 0, NO_TIME, NO_TIME, NO_TIME},                                \
        {&mix, "all, wrapping every 1000000", true, 1000000, NO_TIME, NO_TIME, NO_TIME},           \
    {                                                                                              \
        &mix, "all, wrapping every 10000", true, 10000, NO_TIME, NO_TIME, NO_TIME                  \
    }

static struct post_case post_cases[] = {
    CASES_OF(one_signal),
    CASES_OF(instructions),
    CASES_OF(all_signals),
};

#define N_POST_CASES (sizeof post_cases / sizeof post_cases[0])

static void run_round(struct post_case *c)
{
    start_device(c->counts, c->period);
    start_eager(c->counts, c->period);
    double start = now_ns();
    post_plain(c->mix);
    keep_best(&c->plain, start);
    start = now_ns();
    post_device(c->mix, c->period);
    keep_best(&c->device, start);
    start = now_ns();
    post_eager(c->mix, c->period);
    keep_best(&c->eager, start);
    sum += tally[0] + eager.count[0] + armpmu_peek(pmu, &armpmu_core_of(pmu)->registers[0], 0);
}

/* Round by round over all cases: a slow second of the host hits none of them in every round. */
static void measure_posts(void)
{
    const double posts = (double)POSTS;

    for (int i = 0; i < ROUNDS; i++)
        for (size_t j = 0; j < N_POST_CASES; j++)
            run_round(&post_cases[j]);
    printf("ns a post; all: the cycle counter and four event counters, interrupts enabled\n");
    printf("%-20s %-28s %6s %6s %6s %9s %9s\n", "signals", "counters", "tally", "post", "eager",
           "post/tally", "post/eager");
    for (const struct post_case *c = post_cases; c < post_cases + N_POST_CASES; c++)
        printf("%-20s %-28s %6.2f %6.2f %6.2f %10.2f %10.2f\n", c->mix->name, c->what,
               c->plain / posts, c->device / posts, c->eager / posts, c->device / c->plain,
               c->device / c->eager);
}

/* ---- single calls ---- */

#define CALLS (1 << 13)

static void print_call(const char *core, const char *what, double best, unsigned calls)
{
    printf("%-12s %-52s %8.1f\n", core, what, best / calls);
}

/* Every post uses up a whole counter: armpmu_threshold_reached(), the flag, the interrupt line. */
static void measure_wraps(void)
{
    double best = NO_TIME;

    start_device(true, 1);
    for (int i = 0; i < ROUNDS; i++) {
        const double start = now_ns();
        for (int call = 0; call < CALLS; call++)
            armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, UINT32_MAX);
        keep_best(&best, start);
    }
    sum += irq;
    print_call("cortex-a8", "a post that makes a counter wrap", best, CALLS);
}

static void measure_pin(void)
{
    double best = NO_TIME;

    start_device(true, 1000000);
    for (int i = 0; i < ROUNDS; i++) {
        const double start = now_ns();
        for (unsigned call = 0; call < CALLS; call++)
            armpmu_set_pin(pmu, ARMPMU_PIN_USER_MODE, call & 1);
        keep_best(&best, start);
    }
    print_call("cortex-a8", "a change of the pin USER_MODE", best, CALLS);
}

static void take_bus(void *user, uint64_t bits)
{
    (void)user;
    sum += bits;
}

/* A tap on the event bus makes every post due. A clock is two posts: an instruction, and itself. */
static void measure_event_bus(void)
{
    const struct armpmu_config config = {.core = "cortex-r4f", .event_bus = take_bus};
    struct armpmu *tapped = NULL;
    double best = NO_TIME;

    if (armpmu_create(&memory, sizeof memory, &config, &tapped, NULL) != ARMPMU_OK)
        return;
    armpmu_mcr(tapped, 15, 0, 9, 12, 1, 0x80000007); /* CNTENS */
    armpmu_mcr(tapped, 15, 0, 9, 12, 0, 0x11);       /* PMNC: X and E */
    for (int i = 0; i < ROUNDS * 4; i++) {
        const double start = now_ns();
        for (unsigned call = 0; call < CALLS / 2; call++) {
            armpmu_post(tapped, ARMPMU_SIGNAL_INST_RETIRED, 1);
            armpmu_post(tapped, ARMPMU_SIGNAL_CPU_CYCLES, 1);
        }
        keep_best(&best, start);
    }
    print_call("cortex-r4f", "a post while the event bus is tapped", best, CALLS);
}

static void measure_snapshot(void)
{
    static uint64_t snapshot[ARMPMU_DEVICE_BYTES / 8];
    double best = NO_TIME;

    start_device(true, 1000000);
    for (int i = 0; i < ROUNDS; i++) {
        const double start = now_ns();
        for (unsigned call = 0; call < CALLS; call++)
            armpmu_snapshot(pmu, snapshot);
        keep_best(&best, start);
    }
    sum += snapshot[0];
    print_call("cortex-a8", "a snapshot", best, CALLS);
}

/* ---- accesses: every register on every access that its core has ---- */

#define ACCESSES_MAX 512

/* What a guest on this access may read, or write, in the order of the catalogue. */
struct accesses {
    struct armpmu_encoding at[ACCESSES_MAX];
    uint8_t bytes[ACCESSES_MAX]; /* on the memory-mapped view, else 0 */
    unsigned n;
    bool write;
};

static enum armpmu_outcome access_one(const struct accesses *list, unsigned i, uint64_t *value)
{
    if (list->bytes[i] != 0)
        return list->write ? armpmu_store(pmu, list->at[i].offset, list->bytes[i], 0)
                           : armpmu_load(pmu, list->at[i].offset, list->bytes[i], value);
    return list->write ? armpmu_write(pmu, list->at[i], 0) : armpmu_read(pmu, list->at[i], value);
}

static void add_route(struct accesses *list, const struct armpmu_register *reg,
                      const struct armpmu_encodings *encodings)
{
    const unsigned count = encodings->step == ARMPMU_STEP_NONE ? 1 : reg->count;
    uint64_t value = 0;

    for (unsigned n = 0; n < count && list->n < ACCESSES_MAX; n++) {
        list->at[list->n] = armpmu_encoding_of(encodings, n);
        list->bytes[list->n] = encodings->bytes;
        if (armpmu_has_register(pmu, reg, n) && access_one(list, list->n, &value) == ARMPMU_DONE)
            list->n++;
    }
}

static void find_accesses(struct accesses *list, enum armpmu_access access)
{
    const struct armpmu_core *const core = armpmu_core_of(pmu);

    list->n = 0;
    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        for (size_t j = 0; j < reg->n_encodings; j++)
            if (reg->encodings[j].first.access == access &&
                (list->write ? reg->writable : reg->readable))
                add_route(list, reg, &reg->encodings[j]);
    }
}

static void access_all(const struct accesses *list)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < list->n; i++) {
        armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1); /* so that there is something to settle */
        sum += access_one(list, i, &value) + value;
    }
}

/* Where a guest that uses this access runs. */
static void enter_face(enum armpmu_access access)
{
    static const enum armpmu_pin states[] = {ARMPMU_PIN_AARCH32, ARMPMU_PIN_EL1_AARCH32,
                                             ARMPMU_PIN_EL2_AARCH32, ARMPMU_PIN_EL3_AARCH32};

    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        armpmu_set_pin(pmu, states[i], access == ARMPMU_ACCESS_MCR || access == ARMPMU_ACCESS_MCRR);
}

/* ns for each; 0 where there are none. *n: the registers. */
static double measure_face(const char *core, enum armpmu_access access, bool write, unsigned *n)
{
    static struct accesses list;
    double best = NO_TIME;

    pmu = create(core, access == ARMPMU_ACCESS_EXT64);
    enter_face(access);
    list.write = write;
    find_accesses(&list, access);
    *n = list.n;
    if (list.n == 0)
        return 0;
    const unsigned times = CALLS / list.n;
    for (int i = 0; i < ROUNDS; i++) {
        const double start = now_ns();
        for (unsigned j = 0; j < times; j++)
            access_all(&list);
        keep_best(&best, start);
    }
    return best / (times * list.n);
}

static void measure_route(const char *core, enum armpmu_access access)
{
    unsigned n_read, n_written;
    const double read = measure_face(core, access, false, &n_read);
    const double write = measure_face(core, access, true, &n_written);
    char what[64];

    if (n_read == 0 && n_written == 0)
        return;
    snprintf(what, sizeof what, "%s: a read, a write (means of %u, %u registers)",
             armpmu_access_name(access), n_read, n_written);
    printf("%-12s %-52s %8.1f %8.1f\n", core, what, read, write);
}

static void measure_accesses(void)
{
    size_t n_cores = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n_cores);

    for (size_t i = 0; i < n_cores; i++)
        for (int access = ARMPMU_ACCESS_MCR; access <= ARMPMU_ACCESS_EXT64; access++)
            measure_route(cores[i]->name, (enum armpmu_access)access);
}

int main(void)
{
    fill_mixes();
    measure_posts();
    printf("\nns a call\n");
    measure_wraps();
    measure_pin();
    measure_snapshot();
    measure_event_bus();
    measure_accesses();
    fprintf(stderr, "checksum %" PRIx64 "\n", sum);
    return 0;
}
