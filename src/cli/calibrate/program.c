/* Measures a core from inside: how many cycles its instructions, caches, TLBs and branches take.
 * Prints a line for each measurement, "NAME VALUE UNIT", which 'armpmu calibrate --read' makes a
 * machine file of. What follows from the values, that command decides.
 *
 * Each value is the median of RUNS runs after one that warms up, divided by the operations of a
 * run. Cycles are those of perf where the kernel has a counter for it; else the values are
 * nanoseconds, of which the reader knows how many a cycle has: an addition takes one.
 *
 * With -DBARE it is a program for the bare core with newlib, which reads the core's own counter.
 *
 * Assumes: nothing else runs on the core most of the time, its clock does not change meanwhile.
 * Does not measure: what only events, not time, tell. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BARE
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#endif

#define RUNS 9 /* odd */

#define LINE          64 /* bytes between the pointers of a chase: no core has longer lines */
#define PAGE_SIZE     4096
#define LINES_A_PAGE  (PAGE_SIZE / LINE)
#define CHASED_BYTES  (16u << 20)
#define WRITTEN_BYTES (512u << 10)
#define PAGES_MAX     128  /* of TLBs */
#define OPERATIONS    256  /* in a turn of a chain */
#define TURNS         100  /* of a chain */
#define STEPS         16   /* in a turn of a chase */
#define ACCESSES      4096 /* of a chase, at least */

/* What is measured: so many turns, with memory where it is about memory. */
typedef void code_fn(uint32_t turns, void *memory);

static unsigned char memory[CHASED_BYTES] __attribute__((aligned(1 << 20)));
static uint32_t *code;
static unsigned n_rows;

/* ---- the core's instructions ----
 *
 * A chain is one instruction or a few, OPERATIONS times, which need each other's result, or do not.
 * r0 counts the turns, r1 points to memory. */

#define FUNCTION(name, body)                                                                       \
    code_fn name;                                                                                  \
    __asm__(".text\n .arm\n .syntax unified\n .balign 64\n .type " #name ", %function\n" #name     \
            ":\n push {r4-r11, lr}\n mov r2, #1\n mov r3, #1\n" body                               \
            " pop {r4-r11, lr}\n bx lr\n")
#define TURN(body)        "1:\n" body " subs r0, r0, #1\n bne 1b\n"
#define CHAIN(name, body) FUNCTION(name, TURN(".rept 256\n" body "\n .endr\n"))

CHAIN(add, "add r2, r2, r2");
CHAIN(shift, "add r2, r2, r2, lsl #1");
CHAIN(add_mov, "add r2, r4, #1\n mov r4, r2");
CHAIN(adds_free, "add r2, r3, #1\n add r4, r3, #1");
CHAIN(compare_add, "cmp r2, r3, lsl #31\n addne r2, r2, #0");
CHAIN(multiply, "mul r2, r2, r2");
CHAIN(multiply_free, "mul r2, r3, r3\n mul r4, r3, r3");
CHAIN(long_multiply, "umull r2, r4, r2, r3");
CHAIN(long_multiply_free, "umull r2, r4, r3, r3\n umull r5, r6, r3, r3");
CHAIN(half_multiply, "smulbb r2, r2, r3");
CHAIN(half_multiply_free, "smulbb r2, r3, r3\n smulbb r4, r3, r3");
CHAIN(load_any, "ldr r2, [r1]");
CHAIN(store_any, "str r3, [r1]");
CHAIN(load_2, "ldm r1, {r2-r3}");
CHAIN(load_3, "ldm r1, {r2-r4}");
CHAIN(load_4, "ldm r1, {r2-r5}");
CHAIN(load_5, "ldm r1, {r2-r6}");
CHAIN(load_6, "ldm r1, {r2-r7}");
CHAIN(load_7, "ldm r1, {r2-r8}");
CHAIN(load_8, "ldm r1, {r2-r9}");

/* A step of a chase loads where the next one goes. */
FUNCTION(chase, TURN(".rept 16\n ldr r1, [r1]\n .endr\n"));

/* A jump to either of two places, where r4 and r5 say; they change places if r5 is another. A
 * multiplication begins a cycle of its own, whichever way the core came. */
#define JUMPS(other)                                                                               \
    " adr r4, 2f\n adr r5, " other "\n1:\n subs r0, r0, #1\n beq 4f\n mov r6, r4\n mov r4, r5\n"   \
    " mov r5, r6\n mul r7, r3, r3\n add r8, r3, r3\n bx r6\n"                                      \
    "2:\n mul r7, r3, r3\n b 1b\n3:\n mul r7, r3, r3\n b 1b\n4:\n"
FUNCTION(jump_same, JUMPS("2f"));
FUNCTION(jump_other, JUMPS("3f"));

/* ---- time ---- */

#ifdef BARE

static const char *unit = "cycles";

/* Sections at their own addresses, cacheable: without them the core has no data cache. */
static void map_memory(void)
{
    static uint32_t table[4096] __attribute__((aligned(16384)));
    uint32_t control;

    for (uint32_t i = 0; i < 4096; i++)
        table[i] = i << 20 | 0xc0e;
    __asm__ volatile("dsb\n mcr p15, 0, %1, c2, c0, 0\n mcr p15, 0, %2, c2, c0, 2\n"
                     "mcr p15, 0, %3, c3, c0, 0\n mcr p15, 0, %2, c8, c7, 0\n"
                     "mcr p15, 0, %2, c7, c5, 0\n mrc p15, 0, %0, c1, c0, 0\n"
                     "orr %0, %0, #0x1000\n orr %0, %0, #0x800\n orr %0, %0, #5\n dsb\n"
                     "mcr p15, 0, %0, c1, c0, 0\n isb"
                     : "=&r"(control)
                     : "r"(table), "r"(0), "r"(~0u)
                     : "memory");
}

static void open_time(void)
{
    map_memory();
    __asm__ volatile("mcr p15, 0, %0, c9, c12, 1\n mcr p15, 0, %1, c9, c12, 0" ::"r"(1u << 31),
                     "r"(5));
}

static uint64_t now(void)
{
    uint32_t cycles;

    __asm__ volatile("mrc p15, 0, %0, c9, c13, 0" : "=r"(cycles)::"memory");
    return cycles;
}

/* One run takes less than the counter goes round in. */
static uint64_t since(uint64_t start)
{
    return (uint32_t)(now() - start);
}

static uint32_t *take_code(void)
{
    static uint32_t words[WRITTEN_BYTES / sizeof(uint32_t)] __attribute__((aligned(PAGE_SIZE)));
    return words;
}

/* What was written is executed. */
static void code_is_written(void)
{
    for (uintptr_t at = (uintptr_t)code; at < (uintptr_t)code + WRITTEN_BYTES; at += LINE)
        __asm__ volatile("mcr p15, 0, %0, c7, c11, 1" ::"r"(at) : "memory");
    __asm__ volatile(
        "dsb\n mcr p15, 0, %0, c7, c5, 0\n mcr p15, 0, %0, c7, c5, 6\n dsb\n isb" ::"r"(0)
        : "memory");
}

#else

static const char *unit = "ns";
static int counter = -1;

static void open_time(void)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_HW_CPU_CYCLES,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};

    counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    uint64_t value = 0;
    if (counter >= 0 && read(counter, &value, sizeof value) == sizeof value && value != 0)
        unit = "cycles";
    else
        counter = -1;
}

static uint64_t nanoseconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t now(void)
{
    uint64_t cycles = 0;

    if (counter < 0)
        return nanoseconds();
    if (read(counter, &cycles, sizeof cycles) != sizeof cycles)
        exit(2);
    return cycles;
}

static uint64_t since(uint64_t start)
{
    return now() - start;
}

static uint32_t *take_code(void)
{
    void *const taken = mmap(NULL, WRITTEN_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (taken != MAP_FAILED)
        return taken;
    perror("calibrate: no memory to execute");
    exit(2);
}

static void code_is_written(void)
{
    __builtin___clear_cache((char *)code, (char *)code + WRITTEN_BYTES);
}

#endif

/* ---- measuring ---- */

static void print_row(const char *name, uint64_t thousandths, const char *of)
{
    printf("%s %lu.%03lu %s\n", name, (unsigned long)(thousandths / 1000),
           (unsigned long)(thousandths % 1000), of);
    n_rows++;
}

static int compare(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static uint64_t median(code_fn *what, uint32_t turns, void *where)
{
    uint64_t took[RUNS];

    what(turns, where);
    for (unsigned i = 0; i < RUNS; i++) {
        const uint64_t start = now();
        what(turns, where);
        took[i] = since(start);
    }
    qsort(took, RUNS, sizeof took[0], compare);
    return took[RUNS / 2];
}

/* operations: of all turns. */
static void measure(const char *name, code_fn *what, uint32_t turns, void *where,
                    uint32_t operations)
{
    print_row(name, (median(what, turns, where) * 1000 + operations / 2) / operations, unit);
}

static void measure_chain(const char *name, code_fn *what, void *where)
{
    measure(name, what, TURNS, where, TURNS * OPERATIONS);
}

/* The same with a number behind the name. */
static void measure_at(const char *name, unsigned at, code_fn *what, uint32_t turns, void *where,
                       uint32_t operations)
{
    char text[32];

    snprintf(text, sizeof text, "%s_%u", name, at);
    measure(text, what, turns, where, operations);
}

/* ---- instructions ---- */

static void measure_chains(void)
{
    static const struct {
        const char *name;
        code_fn *code;
    } chains[] = {
#define ROW(name) {#name, name}
        ROW(add),
        ROW(shift),
        ROW(add_mov),
        ROW(adds_free),
        ROW(compare_add),
        ROW(multiply),
        ROW(multiply_free),
        ROW(long_multiply),
        ROW(long_multiply_free),
        ROW(half_multiply),
        ROW(half_multiply_free),
        ROW(load_2),
        ROW(load_3),
        ROW(load_4),
        ROW(load_5),
        ROW(load_6),
        ROW(load_7),
        ROW(load_8),
#undef ROW
    };

    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        measure_chain(chains[i].name, chains[i].code, memory);
}

/* Words that begin two bytes before a multiple of 4, 8, 16, 32, 64. */
static void measure_unaligned(void)
{
    measure_chain("aligned_load", load_any, memory);
    measure_chain("aligned_store", store_any, memory);
    for (unsigned boundary = 4; boundary <= LINE; boundary *= 2) {
        char name[32];
        snprintf(name, sizeof name, "unaligned_load_%u", boundary);
        measure_chain(name, load_any, memory + boundary - 2);
        snprintf(name, sizeof name, "unaligned_store_%u", boundary);
        measure_chain(name, store_any, memory + boundary - 2);
    }
}

/* ---- caches and the data TLB ---- */

static void **line_at(uint32_t line)
{
    return (void **)(memory + (size_t)line * LINE);
}

/* Page after page, the lines of a page in an order that nothing foresees: 37 and 64 have no common
 * factor. */
static uint32_t shuffled(uint32_t step, uint32_t lines)
{
    const uint32_t in_page = lines < LINES_A_PAGE ? lines : LINES_A_PAGE;
    return step / in_page * in_page + step % in_page * 37 % in_page;
}

static void measure_size(uint32_t bytes)
{
    const uint32_t lines = bytes / LINE;
    const uint32_t laps = lines < ACCESSES ? ACCESSES / lines : 1;

    for (uint32_t i = 0; i < lines; i++)
        *line_at(shuffled(i, lines)) = line_at(shuffled((i + 1) % lines, lines));
    chase(lines / STEPS * 8, memory);
    measure_at("chase", bytes, chase, laps * lines / STEPS, memory, laps * lines);
}

static void measure_sizes(void)
{
    for (uint32_t bytes = 1024; bytes <= CHASED_BYTES; bytes *= 2) {
        measure_size(bytes);
        if (bytes > 1024 && bytes < CHASED_BYTES)
            measure_size(bytes + bytes / 2);
    }
}

/* Two lines in turn, of which a way predictor takes one for the other: the slowest pair. */
static void measure_pairs(void)
{
    uint64_t slowest = 0;

    for (uint32_t pages = 1; pages <= 1024; pages++) {
        void **const other = line_at(pages * LINES_A_PAGE);
        *line_at(0) = other;
        *other = line_at(0);
        const uint64_t took = median(chase, ACCESSES / STEPS, memory);
        slowest = took > slowest ? took : slowest;
    }
    print_row("pair", (slowest * 1000 + ACCESSES / 2) / ACCESSES, unit);
}

/* So many bytes apart, in 128 KB, which is more than level 1 has. */
static void measure_strides(void)
{
    const uint32_t bytes = 128 << 10;

    for (uint32_t stride = 8; stride <= 256; stride *= 2) {
        for (uint32_t at = 0; at < bytes; at += stride)
            *(void **)(memory + at) = memory + (at + stride) % bytes;
        measure_at("stride", stride, chase, bytes / stride / STEPS * 2, memory, bytes / stride * 2);
    }
}

/* A line of each page, each in another set of the cache. */
static void measure_pages(void)
{
    for (uint32_t pages = 8; pages <= PAGES_MAX; pages++) {
        const uint32_t laps = ACCESSES / STEPS / pages + 1;
        for (uint32_t i = 0; i < pages; i++) {
            const uint32_t next = (i + 1) % pages;
            *line_at(i * LINES_A_PAGE + i % LINES_A_PAGE) =
                line_at(next * LINES_A_PAGE + next % LINES_A_PAGE);
        }
        measure_at("pages", pages, chase, laps * pages, memory, laps * pages * STEPS);
    }
}

/* ---- code that is written here ---- */

#define ADD    0xe2822001u /* add r2, r2, #1 */
#define ADD_2  0xe2833001u /* add r3, r3, #1 */
#define SUBS   0xe2500001u /* subs r0, r0, #1 */
#define RETURN 0xe12fff1eu /* bx lr */

static uint32_t branch(uint32_t condition, uint32_t from, uint32_t to)
{
    return condition << 28 | 0x0a000000 | ((to - from - 2) & 0xffffff);
}

/* Ends a turn: goes back to the first word, or returns. */
static void write_end(uint32_t at)
{
    code[at] = SUBS;
    code[at + 1] = branch(1, at + 1, 0);
    code[at + 2] = RETURN;
}

static void measure_code(const char *name, unsigned n, uint32_t turns, uint32_t operations)
{
    code_fn *entry;

    memcpy(&entry, &code, sizeof entry);
    code_is_written();
    measure_at(name, n, entry, turns, NULL, operations);
}

/* Straight on through so many bytes; an operation is a line. */
static void measure_code_sizes(void)
{
    for (uint32_t bytes = 1024; bytes <= WRITTEN_BYTES / 2;
         bytes += bytes & (bytes - 1) ? bytes / 3 : bytes / 2) {
        const uint32_t words = bytes / sizeof *code, lines = bytes / LINE;
        const uint32_t turns = lines < ACCESSES / 4 ? ACCESSES / 4 / lines : 2;
        for (uint32_t i = 0; i + 3 < words; i++)
            code[i] = i % 2 ? ADD : ADD_2;
        write_end(words - 3);
        measure_code("code", bytes, turns, turns * lines);
    }
}

/* A branch in each page, in all sets of cache and branch target buffer. */
static uint32_t word_of_page(uint32_t page)
{
    return page * (PAGE_SIZE / 4) + page * 17 % (PAGE_SIZE / 4 - 4);
}

static void measure_code_pages(void)
{
    for (uint32_t pages = 8; pages <= PAGES_MAX - 1; pages++) {
        const uint32_t turns = ACCESSES / pages + 1;
        for (uint32_t i = 0; i + 1 < pages; i++)
            code[word_of_page(i)] = branch(14, word_of_page(i), word_of_page(i + 1));
        write_end(word_of_page(pages - 1));
        measure_code("code_pages", pages, turns, turns * pages);
    }
}

/* Taken branches, eight bytes apart: the first half at even words, the other one at odd ones. */
static uint32_t word_of_branch(uint32_t i, uint32_t n)
{
    return i < n / 2 ? 2 * i : 2 * i + 1;
}

static void measure_branches(void)
{
    for (uint32_t n = 16; n <= 4096; n *= 2) {
        const uint32_t turns = ACCESSES / n + 1;
        for (uint32_t i = 0; i + 1 < n; i++)
            code[word_of_branch(i, n)] = branch(14, word_of_branch(i, n), word_of_branch(i + 1, n));
        write_end(word_of_branch(n - 1, n));
        measure_code("branches", n, turns, turns * n);
    }
}

/* The clock's rate: nanoseconds of an addition, whatever the others are measured in. */
static void measure_clock(void)
{
#ifndef BARE
    const char *const saved_unit = unit;
    const int saved = counter;

    unit = "ns";
    counter = -1;
    measure("clock", add, TURNS * 10, NULL, TURNS * 10 * OPERATIONS);
    unit = saved_unit;
    counter = saved;
#endif
}

int main(void)
{
    open_time();
    code = take_code();
    memset(memory, 0, sizeof memory);
    printf("armpmu-calibrate 1\ncore %s\nruns %d\n", CORE, RUNS);
    measure_clock();
    measure_chains();
    measure_unaligned();
    measure("jump_same", jump_same, 4096, NULL, 4095);
    measure("jump_other", jump_other, 4096, NULL, 4095);
    measure_sizes();
    measure_strides();
    measure_pages();
    measure_pairs();
    measure_code_sizes();
    measure_code_pages();
    measure_branches();
    printf("end %u\n", n_rows);
    return 0;
}
