/* Programs that are slow for one reason, each with its cure built in: whatif_cures CASE slow|cured.
 *
 * Both ways of a case prepare the same and execute the same instructions, unless its comment says
 * what differs. The line that is slow has the name of the case in a comment. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 15, LARGE = 1 << 19 }; /* LARGE numbers are 4 MB */

static uint64_t large[LARGE];
static uint32_t order[N + 64];
static int32_t values[N];
static uint32_t seed = 1;

static uint32_t draw(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static void draw_order(uint32_t n)
{
    for (unsigned i = 0; i < N + 64; i++)
        order[i] = draw() % n;
}

/* PRFM 32 turns ahead, or of the same number each time, which is no use. A little work in each turn
 * keeps few of them in flight. */
static __attribute__((noinline)) uint64_t gather(uint32_t mask)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < N; i++) {
        __builtin_prefetch(&large[order[i + 32] & mask]);
        for (unsigned k = 0; k < 12; k++)
            __asm__ volatile("eor %0, %0, %1" : "+r"(sum) : "r"(sum));
        sum += large[order[i]]; /* prefetch */
    }
    return sum;
}

/* A field of structures of 64 bytes, or of 8: the numbers lie beside each other. */
static __attribute__((noinline)) uint64_t structures(unsigned shift)
{
    uint64_t sum = 0;

    for (unsigned pass = 0; pass < 8; pass++)
        for (unsigned i = 0; i < N; i++) {
            const uint32_t at = (order[i] + (sum & 1)) << shift;
            sum += large[at]; /* structure of arrays */
        }
    return sum;
}

/* Numbers in any order, or sorted. */
static __attribute__((noinline)) uint64_t compare(int32_t limit)
{
    uint64_t sum = 0;

    for (unsigned pass = 0; pass < 8; pass++)
        for (unsigned i = 0; i < N; i++) {
            const int32_t value = values[i];
            if (value > limit) /* sorting */
                __asm__ volatile("add %0, %0, %1" : "+r"(sum) : "r"((int64_t)value));
        }
    return sum;
}

/* The same without a branch: other instructions. */
static __attribute__((noinline)) uint64_t compare_without(int32_t limit)
{
    uint64_t sum = 0;

    for (unsigned pass = 0; pass < 8; pass++)
        for (unsigned i = 0; i < N; i++) {
            const int64_t value = values[i];
            uint64_t with = sum + (uint64_t)value;
            __asm__ volatile("cmp %1, %2\n\tcsel %0, %3, %0, gt"
                             : "+r"(sum)
                             : "r"(value), "r"((int64_t)limit), "r"(with)
                             : "cc");
        }
    return sum;
}

/* 512 lines, each in a page of its own, or all in eight pages. */
static __attribute__((noinline)) uint64_t pages(unsigned bytes)
{
    uint64_t at = 0;

    for (unsigned pass = 0; pass < 512; pass++)
        for (unsigned i = 0; i < 512; i++) {
            const unsigned in_page = bytes == 4096 ? i / 4 % 64 * 64 : 0;
            const unsigned number = (i * bytes + in_page) / 8;
            at += large[number + at]; /* huge pages */
        }
    return at;
}

/* Stores all over 4 MB, or into 32 KB. */
static __attribute__((noinline)) void scatter(uint32_t mask)
{
    for (unsigned i = 0; i < N; i++)
        large[order[i] & mask] = i; /* stores */
}

/* A chain of multiplications, or of an operation of one cycle. */
static __attribute__((noinline)) uint64_t chain(int is_cured)
{
    uint64_t x = 3;

    for (unsigned i = 0; is_cured && i < 8 * N; i++)
        __asm__ volatile("eor %0, %0, %0" : "+r"(x));
    for (unsigned i = 0; !is_cured && i < 8 * N; i++)
        __asm__ volatile("mul %0, %0, %0" : "+r"(x)); /* latency */
    return x;
}

/* A chain of loads from 4 MB, or from 256 KB, which level 2 holds. */
static __attribute__((noinline)) uint64_t chase(uint32_t mask)
{
    uint64_t at = 0;

    for (unsigned i = 0; i < 8 * N; i++)
        at = large[(order[i % N] + at) & mask]; /* blocking */
    return at;
}

/* One product of 4 K numbers, or four that are multiplied at the end. */
static __attribute__((noinline)) uint64_t product(int is_cured)
{
    double x[4] = {1, 1, 1, 1};

    for (unsigned pass = 0; pass < 8; pass++)
        for (unsigned i = 0; !is_cured && i < N; i += 4) {
            __asm__ volatile("fmul %d0, %d0, %d1\n\tfmul %d0, %d0, %d1\n\t" /* unrolling */
                             "fmul %d0, %d0, %d1\n\tfmul %d0, %d0, %d1"
                             : "+w"(x[0])
                             : "w"(1.0));
        }
    for (unsigned pass = 0; pass < 8; pass++)
        for (unsigned i = 0; is_cured && i < N; i += 4)
            __asm__ volatile("fmul %d0, %d0, %d4\n\tfmul %d1, %d1, %d4\n\t"
                             "fmul %d2, %d2, %d4\n\tfmul %d3, %d3, %d4"
                             : "+w"(x[0]), "+w"(x[1]), "+w"(x[2]), "+w"(x[3])
                             : "w"(1.0));
    return (uint64_t)(x[0] * x[1] * x[2] * x[3]);
}

/* 24 lines 16 KB apart, which share a set of level 1, or a line more apart. */
static __attribute__((noinline)) uint64_t columns(unsigned padding)
{
    const unsigned row = (16384 + padding) / sizeof large[0];
    uint64_t at = 0;

    for (unsigned pass = 0; pass < N / 4; pass++)
        for (unsigned i = 0; i < 24; i++)
            at = large[i * row + at]; /* padding */
    return at;
}

/* Stores of 8 bytes, each across the end of a line, or within one. */
static __attribute__((noinline)) void store_across(unsigned offset)
{
    unsigned char *const bytes = (unsigned char *)large;

    for (unsigned pass = 0; pass < 1024; pass++)
        for (unsigned i = 0; i < 256; i++)
            *(volatile uint64_t *)(bytes + 64 * i + offset) = i; /* alignment */
}

/* 2,048 branches, each in a line of its own and the next in the set after the next, or side by
 * side: 256 KB of code, or 8. */
#define CODE(name, bytes)                                                                          \
    static __attribute__((noinline)) void name(void)                                               \
    {                                                                                              \
        __asm__ volatile(".rept 2048\n\tb 1f\n\t.balign " #bytes "\n1:\n\t.endr");                 \
    }
CODE(code_apart, 128)
CODE(code_together, 4)

static uint64_t jump(int is_cured)
{
    for (unsigned pass = 0; pass < 64; pass++)
        is_cured ? code_together() : code_apart();
    return 0;
}

/* Four rows that fill the ways of 64 sets of level 1, and weights in the same sets, or in others.
 */
static struct {
    uint64_t at[4][2048]; /* the first 512 are used */
} rows __attribute__((aligned(65536)));
static struct {
    uint64_t at[1024];
} weights __attribute__((aligned(65536)));

static __attribute__((noinline)) uint64_t weigh(const uint64_t *weight)
{
    uint64_t at = 0;

    for (unsigned turn = 0; turn < N; turn++) {
        const unsigned i = order[turn] % 64 * 8;
        at += weight[i + at];
        at += rows.at[0][i + at] + rows.at[1][i + at];
        at += rows.at[2][i + at] + rows.at[3][i + at];
    }
    return at;
}

/* Records with one member that is used often, in blocks of a cache line, or that member alone in a
 * block of its own. */
struct record {
    uint64_t key, rest[7];
};

static __attribute__((noinline)) void *get_records(size_t bytes)
{
    return calloc(1, bytes);
}

static __attribute__((noinline)) uint64_t split(const uint64_t *keys, unsigned stride)
{
    uint64_t at = 0;

    for (unsigned pass = 0; pass < 4; pass++)
        for (unsigned i = 0; i < N; i += 2) {
            at += keys[order[i] * stride + at];
            at += keys[order[i + 1] * stride + at];
        }
    return at;
}

/* 2 MB from the heap, 16 times as a whole, or 256 KB at a time. */
static __attribute__((noinline)) uint64_t tile(const uint64_t *table, unsigned lines)
{
    uint64_t at = 0;

    for (unsigned tile = 0; tile < N; tile += lines)
        for (unsigned pass = 0; pass < 16; pass++)
            for (unsigned i = 0; i < lines; i += 2) {
                at += table[(tile + order[i] % lines) * 8 + at];
                at += table[(tile + order[i + 1] % lines) * 8 + at];
            }
    return at;
}

static uint64_t run(const char *name, int is_cured)
{
    const int is_sorted = strcmp(name, "sorting") == 0 && is_cured;

    draw_order(strcmp(name, "structure") == 0 || strcmp(name, "split") == 0 ? 4095 : LARGE);
    for (unsigned i = 0; i < N; i++) {
        const uint32_t any = draw() % N;
        values[i] = (int32_t)(is_sorted ? i : any);
    }
    if (strcmp(name, "prefetch") == 0)
        return gather(is_cured ? LARGE - 1 : 0);
    if (strcmp(name, "structure") == 0)
        return structures(is_cured ? 0 : 3);
    if (strcmp(name, "sorting") == 0)
        return compare(N / 2);
    if (strcmp(name, "branchless") == 0)
        return is_cured ? compare_without(N / 2) : compare(N / 2);
    if (strcmp(name, "pages") == 0)
        return pages(is_cured ? 64 : 4096);
    if (strcmp(name, "stores") == 0)
        return scatter(is_cured ? 4095 : LARGE - 1), 0;
    if (strcmp(name, "latency") == 0)
        return chain(is_cured);
    if (strcmp(name, "blocking") == 0)
        return chase(is_cured ? (1 << 15) - 1 : LARGE - 1);
    if (strcmp(name, "unrolling") == 0)
        return product(is_cured);
    if (strcmp(name, "padding") == 0)
        return columns(is_cured ? 64 : 0);
    if (strcmp(name, "alignment") == 0)
        return store_across(is_cured ? 56 : 60), 0;
    if (strcmp(name, "layout") == 0)
        return jump(is_cured);
    if (strcmp(name, "sets") == 0)
        return weigh(weights.at + (is_cured ? 512 : 0));
    if (strcmp(name, "split") == 0)
        return split(get_records(N * sizeof(struct record)), is_cured ? 1 : 8);
    if (strcmp(name, "tiles") == 0)
        return tile(get_records(N * sizeof(struct record)), is_cured ? 4096 : N);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    memset(large, 0, sizeof large);
    memset(&rows, 0, sizeof rows);
    memset(&weights, 0, sizeof weights);
    printf("%d\n", run(argv[1], strcmp(argv[2], "cured") == 0) != 12345);
    return 0;
}
