/* Measures a core from inside: how many cycles its instructions, caches, TLBs and branches take.
 * Prints a line for each measurement, "NAME VALUE UNIT", from which 'armpmu calibrate --read'
 * writes a machine file. That command interprets the values.
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

/* Bytes of data that is chased through and of code that is written: powers of two. Larger sizes
 * are not measured. */
#ifndef CHASED_BYTES
#define CHASED_BYTES (16u << 20)
#endif
#ifndef WRITTEN_BYTES
#define WRITTEN_BYTES (512u << 10)
#endif

#define LINE         64 /* bytes between the pointers of a chase: no core has longer lines */
#define PAGE_SIZE    4096
#define LINES_A_PAGE (PAGE_SIZE / LINE)
#define WARMED_BYTES (1u << 20) /* of the largest level 2 */
/* Random replacement takes some turns until all that fits is there. */
#define WARM_TURNS 8
#define PAGES_MAX  128  /* of TLBs */
#define OPERATIONS 256  /* in a turn of a chain */
#define NUMBERED   32   /* bytes of a name with its number */
#define TURNS      100  /* of a chain */
#define STEPS      16   /* in a turn of a chase */
#define ACCESSES   4096 /* of a chase, at least */

/* A measurement: this number of turns, with memory if it is about memory. */
typedef void code_fn(uint32_t turns, void *memory);

static unsigned char memory[CHASED_BYTES] __attribute__((aligned(PAGE_SIZE)));
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
CHAIN(pair_free, "mov r4, r3\n add r2, r3, #1");
CHAIN(compare_add, "cmp r2, r3, lsl #31\n addne r2, r2, #0");
CHAIN(multiply, "mul r2, r3, r2");
CHAIN(multiply_free, "mul r2, r3, r3\n mul r4, r3, r3");
CHAIN(long_multiply, "umull r2, r4, r3, r2");
CHAIN(long_multiply_free, "umull r2, r4, r3, r3\n umull r5, r6, r3, r3");
CHAIN(half_multiply, "smulbb r2, r2, r3");
CHAIN(half_multiply_free, "smulbb r2, r3, r3\n smulbb r4, r3, r3");
CHAIN(load_use, "ldr r2, [r1]\n add r4, r2, #1");
CHAIN(system_read, "mrs r2, cpsr\n add r4, r2, #1");
CHAIN(system_write, "msr cpsr_f, r3");
CHAIN(load_any, "ldr r2, [r1]");
CHAIN(store_any, "str r3, [r1]");
CHAIN(load_2, "ldm r1, {r2-r3}");
CHAIN(load_3, "ldm r1, {r2-r4}");
CHAIN(load_4, "ldm r1, {r2-r5}");
CHAIN(load_5, "ldm r1, {r2-r6}");
CHAIN(load_6, "ldm r1, {r2-r7}");
CHAIN(load_7, "ldm r1, {r2-r8}");
CHAIN(load_8, "ldm r1, {r2-r9}");

#if __ARM_ARCH >= 7
#define FLOAT(body) ".fpu vfpv3-d16\n " body
CHAIN(vfp_add, FLOAT("vadd.f32 s0, s0, s1"));
CHAIN(vfp_multiply, FLOAT("vmul.f32 s0, s0, s1"));
CHAIN(vfp_accumulate, FLOAT("vmla.f32 s0, s1, s2\n vmla.f32 s2, s1, s0"));
CHAIN(vfp_divide, FLOAT("vdiv.f32 s0, s0, s1"));
CHAIN(vfp_negate, FLOAT("vneg.f32 s0, s0"));
CHAIN(vfp_double_add, FLOAT("vadd.f64 d0, d0, d1"));
CHAIN(vfp_double_multiply, FLOAT("vmul.f64 d0, d0, d1"));
CHAIN(vfp_double_accumulate, FLOAT("vmla.f64 d0, d1, d2\n vmla.f64 d2, d1, d0"));
CHAIN(vfp_double_divide, FLOAT("vdiv.f64 d0, d0, d1"));
CHAIN(vfp_convert, FLOAT("vcvt.f32.s32 s0, s0"));
CHAIN(vfp_double_convert, FLOAT("vcvt.f32.f64 s0, d0\n vcvt.f64.f32 d0, s0"));
CHAIN(vfp_transfer, FLOAT("vmov r2, s0\n vmov s0, r2"));
#else
CHAIN(swap, "swp r2, r3, [r1]");
#endif

#ifdef CORE_CORTEX_A8
/* Operations that read in the unit's first stage. */
#define NEON(body) ".fpu neon\n " body
CHAIN(neon_shift, NEON("vshl.i32 d0, d0, #1"));
CHAIN(neon_add_pairs, NEON("vpadal.u16 d0, d0"));
CHAIN(neon_float_pairs, NEON("vpadd.f32 d0, d0, d0"));
CHAIN(neon_reverse, NEON("vrev64.32 d0, d0"));
#endif

#ifdef CORE_CORTEX_R4F
/* In T32: the core has no divisions in A32. */
#define THUMB(body)                                                                                \
    ".arch_extension idiv\n adr r4, 3f + 1\n bx r4\n .thumb\n .balign 4\n3:\n" body                \
    " adr r4, 4f\n bx r4\n .balign 4\n .arm\n4:\n"
FUNCTION(divide, THUMB(TURN(".rept 256\n udiv r2, r2, r3\n .endr\n")));
FUNCTION(signed_divide, THUMB(TURN(".rept 256\n sdiv r2, r2, r3\n .endr\n")));
#endif

/* A step of a chase loads where the next one goes. */
FUNCTION(chase, TURN(".rept 16\n ldr r1, [r1]\n .endr\n"));

/* Writes a word of each line; a line's words, one line after the other. */
FUNCTION(store_apart, TURN(".rept 16\n str r3, [r1], #64\n .endr\n"));
FUNCTION(store_lines, TURN(".rept 16\n str r3, [r1], #4\n .endr\n"));

/* A jump to either of two places, where r4 and r5 say; they change places if r5 is another. A
 * multiplication begins a cycle of its own, whichever way the core came. */
#define JUMPS(other)                                                                               \
    " adr r4, 2f\n adr r5, " other "\n1:\n subs r0, r0, #1\n beq 4f\n mov r6, r4\n mov r4, r5\n"   \
    " mov r5, r6\n mul r7, r3, r3\n add r8, r3, r3\n bx r6\n"                                      \
    "2:\n mul r7, r3, r3\n b 1b\n3:\n mul r7, r3, r3\n b 1b\n4:\n"
FUNCTION(jump_same, JUMPS("2f"));
FUNCTION(jump_other, JUMPS("3f"));

/* A jump that is told by its instruction, in place of the other two. */
FUNCTION(jump_direct, "1:\n subs r0, r0, #1\n beq 4f\n mov r6, r4\n mov r4, r5\n mov r5, r6\n"
                      " mul r7, r3, r3\n add r8, r3, r3\n b 2f\n2:\n mul r7, r3, r3\n b 1b\n4:\n");

/* Branches that the lowest bit of a shift register decides: taken where it is 1. r2 is the
 * register, r9 what is added to it then. */
FUNCTION(branch_by_bit,
         "ldm r1, {r2, r9}\n" TURN(".rept 256\n lsrs r2, r2, #1\n eorcs r2, r2, r9\n"
                                   " bcs 2f\n add r4, r3, r3\n2: add r5, r3, r3\n .endr\n"));

/* ---- time ---- */

#ifdef BARE

static const char *unit = "cycles";

#if __ARM_ARCH >= 7
#define BARRIER "dsb\n isb\n"
#else
#define BARRIER "mcr p15, 0, r0, c7, c10, 4\n"
#endif

/* Instruction and data cache, branch prediction. */
static void use_caches(uint32_t more)
{
    uint32_t control;

    __asm__ volatile(BARRIER "mrc p15, 0, %0, c1, c0, 0" : "=r"(control)::"memory");
    control |= 0x1804 | more;
    __asm__ volatile("mcr p15, 0, %0, c1, c0, 0\n" BARRIER ::"r"(control) : "memory");
}

#ifdef CORE_CORTEX_R4F

static void map_memory(void)
{
    use_caches(0);
}

#else

/* Sections at their own addresses, cacheable: without them the core has no data cache. */
static void map_memory(void)
{
    static uint32_t table[4096] __attribute__((aligned(16384)));

    for (uint32_t i = 0; i < 4096; i++)
        table[i] = i << 20 | 0xc1e;
    __asm__ volatile(BARRIER "mcr p15, 0, %0, c2, c0, 0\n mcr p15, 0, %1, c3, c0, 0\n"
                             "mcr p15, 0, %2, c8, c7, 0\n mcr p15, 0, %2, c7, c5, 0" ::"r"(table),
                     "r"(~0u), "r"(0)
                     : "memory");
#if __ARM_ARCH >= 7
    __asm__ volatile("mcr p15, 0, %0, c2, c0, 2" ::"r"(0));
#endif
    use_caches(1);
}

#endif

#ifdef CORE_XSCALE1
#define WRITE_CONTROL "mcr p14, 0, %0, c0, c0, 0"
#define READ_CYCLES   "mrc p14, 0, %0, c1, c0, 0"
#elif defined CORE_XSCALE2
#define WRITE_CONTROL "mcr p14, 0, %0, c0, c1, 0"
#define READ_CYCLES   "mrc p14, 0, %0, c1, c1, 0"
#else
#define WRITE_CONTROL "mcr p15, 0, %0, c9, c12, 0"
#define READ_CYCLES   "mrc p15, 0, %0, c9, c13, 0"
#endif

static void open_time(void)
{
    map_memory();
#if __ARM_ARCH >= 7
    __asm__ volatile("mcr p15, 0, %0, c9, c12, 1" ::"r"(1u << 31));
    __asm__ volatile(
        "mcr p15, 0, %0, c1, c0, 2\n isb\n .fpu vfpv3-d16\n vmsr fpexc, %1" ::"r"(0xf << 20),
        "r"(1 << 30));
#endif
    __asm__ volatile(WRITE_CONTROL ::"r"(5));
}

static uint64_t now(void)
{
    uint32_t cycles;

    __asm__ volatile(READ_CYCLES : "=r"(cycles)::"memory");
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

/* Makes written code executable: the data cache's lines are cleaned, all instructions and
 * branches forgotten. */
static void code_is_written(void)
{
    for (uintptr_t at = (uintptr_t)code; at < (uintptr_t)code + WRITTEN_BYTES; at += LINE / 2)
#if __ARM_ARCH >= 7
        __asm__ volatile("mcr p15, 0, %0, c7, c11, 1" ::"r"(at) : "memory");
#else
        __asm__ volatile("mcr p15, 0, %0, c7, c10, 1" ::"r"(at) : "memory");
#endif
    __asm__ volatile(BARRIER
                     "mcr p15, 0, %0, c7, c5, 0\n mcr p15, 0, %0, c7, c5, 6\n" BARRIER ::"r"(0)
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

/* "NAME_NUMBER" */
static const char *numbered(char text[NUMBERED], const char *name, unsigned number)
{
    snprintf(text, NUMBERED, "%s_%u", name, number);
    return text;
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
        ROW(pair_free),
        ROW(load_use),
        ROW(system_read),
        ROW(system_write),
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
#if __ARM_ARCH >= 7
        ROW(vfp_add),
        ROW(vfp_multiply),
        ROW(vfp_accumulate),
        ROW(vfp_divide),
        ROW(vfp_negate),
        ROW(vfp_double_add),
        ROW(vfp_double_multiply),
        ROW(vfp_double_accumulate),
        ROW(vfp_double_divide),
        ROW(vfp_convert),
        ROW(vfp_double_convert),
        ROW(vfp_transfer),
#else
        ROW(swap),
#endif
#ifdef CORE_CORTEX_A8
        ROW(neon_shift),
        ROW(neon_add_pairs),
        ROW(neon_float_pairs),
        ROW(neon_reverse),
#endif
#ifdef CORE_CORTEX_R4F
        ROW(divide),
        ROW(signed_divide),
#endif
#undef ROW
    };

    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        measure_chain(chains[i].name, chains[i].code, memory);
}

/* Branches that go one way all the time, and as chance has it: half of these are not foreseen. */
static void measure_directions(void)
{
    static const struct {
        const char *name;
        uint32_t bits, added;
    } ways[] = {{"branch_not_taken", 0, 0},
                {"branch_taken", ~0u, 1u << 31},
                {"branch_random", 0x2545f491, 0xa3000000}};

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        uint32_t start[] = {ways[i].bits, ways[i].added};
        measure(ways[i].name, branch_by_bit, OPERATIONS, start, OPERATIONS * OPERATIONS);
    }
}

/* Words that begin two bytes before a multiple of 4, 8, 16, 32, 64. */
static void measure_unaligned(void)
{
#if __ARM_ARCH >= 6
    measure_chain("aligned_load", load_any, memory);
    measure_chain("aligned_store", store_any, memory);
    for (unsigned boundary = 4; boundary <= LINE; boundary *= 2) {
        char name[32];
        snprintf(name, sizeof name, "unaligned_load_%u", boundary);
        measure_chain(name, load_any, memory + boundary - 2);
        snprintf(name, sizeof name, "unaligned_store_%u", boundary);
        measure_chain(name, store_any, memory + boundary - 2);
    }
#endif
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
    if (lines < LINES_A_PAGE)
        return step * 37 % lines;
    return (step & -(uint32_t)LINES_A_PAGE) | (step * 37 & (LINES_A_PAGE - 1));
}

static void warm_up(uint32_t bytes, uint32_t steps)
{
    if (bytes <= WARMED_BYTES)
        chase(steps / STEPS * WARM_TURNS, memory);
}

static void measure_size(uint32_t bytes)
{
    const uint32_t lines = bytes / LINE;
    const uint32_t laps = lines < ACCESSES ? ACCESSES / lines : 1;

    for (uint32_t i = 0; i < lines; i++)
        *line_at(shuffled(i, lines)) = line_at(shuffled(i + 1 == lines ? 0 : i + 1, lines));
    warm_up(bytes, lines);
    measure(numbered((char[NUMBERED]){0}, "chase", bytes), chase, laps * lines / STEPS, memory,
            laps * lines);
}

static void measure_sizes(void)
{
    for (uint32_t bytes = 1024; bytes <= CHASED_BYTES; bytes *= 2) {
        measure_size(bytes);
        if (bytes > 1024 && bytes <= WARMED_BYTES)
            measure_size(bytes + bytes / 2);
    }
}

/* Two lines in turn, of which a way predictor takes one for the other: the slowest pair. */
static void measure_pairs(void)
{
    enum { LOADS = ACCESSES / 8 };
    uint64_t slowest = 0;

    for (uint32_t pages = 1; pages <= 1024 && pages < CHASED_BYTES / PAGE_SIZE; pages++) {
        void **const other = line_at(pages * LINES_A_PAGE);
        *line_at(0) = other;
        *other = line_at(0);
        const uint64_t took = median(chase, LOADS / STEPS, memory);
        slowest = took > slowest ? took : slowest;
    }
    print_row("pair", (slowest * 1000 + LOADS / 2) / LOADS, unit);
}

/* So many bytes apart. */
static void measure_stride(const char *name, uint32_t stride, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += stride)
        *(void **)(memory + at) = memory + (at + stride) % bytes;
    warm_up(bytes, bytes / stride);
    measure(numbered((char[NUMBERED]){0}, name, stride), chase, bytes / stride / STEPS, memory,
            bytes / stride);
}

/* In more than level 1 has, and in more than any cache has. */
static void measure_strides(void)
{
    for (uint32_t stride = 8; stride <= 256; stride *= 2)
        measure_stride("stride", stride, CHASED_BYTES < 128 << 10 ? CHASED_BYTES : 128 << 10);
    measure_stride("far_stride", 8, CHASED_BYTES / 4);
    measure_stride("far_stride", 64, CHASED_BYTES / 4);
}

/* Stores that level 1 does not have: of the lower half of a region that was read before, the upper
 * half later. */
static void measure_stores(void)
{
    enum { HALF = 64 << 10 };

    for (uint32_t bytes = 2 * HALF; bytes >= HALF; bytes -= HALF) {
        unsigned char *const from = memory + 2 * HALF - bytes;
        for (uint32_t at = 0; at < bytes; at += LINE)
            *(void **)(from + at) = from + (at + LINE) % bytes;
        chase(bytes / LINE / STEPS * WARM_TURNS, from);
    }
    measure("store_apart", store_apart, HALF / LINE / STEPS, memory, HALF / LINE);
    measure("store_near", store_lines, HALF / LINE, memory, HALF / LINE);
    measure("store_far", store_lines, CHASED_BYTES / LINE, memory, CHASED_BYTES / LINE);
}

/* A line of each page, each in another set of the cache. */
static void measure_pages(void)
{
    for (uint32_t pages = 8; pages <= PAGES_MAX && pages * PAGE_SIZE <= CHASED_BYTES; pages++) {
        const uint32_t laps = ACCESSES / STEPS / pages + 1;
        for (uint32_t i = 0; i < pages; i++) {
            const uint32_t next = (i + 1) % pages;
            *line_at(i * LINES_A_PAGE + i % LINES_A_PAGE) =
                line_at(next * LINES_A_PAGE + next % LINES_A_PAGE);
        }
        measure(numbered((char[NUMBERED]){0}, "pages", pages), chase, laps * pages, memory,
                laps * pages * STEPS);
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
    entry(WARM_TURNS, NULL);
    measure(numbered((char[NUMBERED]){0}, name, n), entry, turns, NULL, operations);
}

/* Straight on through this number of bytes; an operation is a line. */
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
    for (uint32_t pages = 8; pages < PAGES_MAX && pages * PAGE_SIZE <= WRITTEN_BYTES; pages++) {
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
    for (uint32_t n = 16; n <= 4096 && n * 8 < WRITTEN_BYTES; n *= 2) {
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
    measure_directions();
    measure("jump_direct", jump_direct, 4096, NULL, 4095);
    measure("jump_same", jump_same, 4096, NULL, 4095);
    measure("jump_other", jump_other, 4096, NULL, 4095);
    measure_sizes();
    measure_strides();
    measure_stores();
    measure_pages();
    measure_pairs();
    measure_code_sizes();
    measure_code_pages();
    measure_branches();
    printf("end %u\n", n_rows);
    return 0;
}
