#include "work.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define LINE 64u
#define PAGE 4096u

static _Alignas(4096) unsigned char lines[WORK_LINES * LINE];
/* A line further in each page, so that the pages do not share a few sets of the cache. */
static _Alignas(4096) unsigned char pages[WORK_PAGES * (PAGE + LINE)];

void work_prepare(void)
{
    memset(lines, 1, sizeof lines);
    memset(pages, 1, sizeof pages);
}

void work_nothing(void)
{
}

void work_loop(void)
{
    unsigned turns = WORK_TURNS;

    __asm__ volatile("1: subs %0, %0, #1\n"
                     "   bne 1b\n"
                     : "+r"(turns)
                     :
                     : "cc");
}

static void touch(const unsigned char *at, unsigned n, unsigned stride)
{
    unsigned value;

    __asm__ volatile("1: ldr %0, [%1]\n"
                     "   add %1, %1, %3\n"
                     "   subs %2, %2, #1\n"
                     "   bne 1b\n"
                     : "=&r"(value), "+r"(at), "+r"(n)
                     : "r"(stride)
                     : "cc", "memory");
}

void work_lines(void)
{
    for (unsigned pass = 0; pass < WORK_PASSES; pass++)
        touch(lines, WORK_LINES, LINE);
}

void work_pages(void)
{
    for (unsigned pass = 0; pass < WORK_PASSES; pass++)
        touch(pages, WORK_PAGES, PAGE + LINE);
}

void work_coins(void)
{
    unsigned coin, heads = 0, turns = WORK_COINS;
    static uint32_t random = 2463534242u; /* xorshift, goes on from call to call */

    __asm__ volatile("1: eor %0, %0, %0, lsl #13\n"
                     "   eor %0, %0, %0, lsr #17\n"
                     "   eor %0, %0, %0, lsl #5\n"
                     "   tst %0, #0x10000\n"
                     "   beq 2f\n"
                     "   add %1, %1, #1\n"
                     "2: subs %2, %2, #1\n"
                     "   bne 1b\n"
                     : "=&r"(coin), "+r"(heads), "+r"(turns)
                     : "0"(random)
                     : "cc");
    random = coin;
}

static void work_vectors(void)
{
    const unsigned char *at = lines;
    unsigned turns = 1000, sum;

    __asm__ volatile("1: vld1.32 {d0, d1}, [%0]\n"
                     "   add %0, %0, #16\n"
                     "   vadd.i32 q1, q0, q0\n"
                     "   vmov %1, s4\n"
                     "   subs %2, %2, #1\n"
                     "   bne 1b\n"
                     : "+r"(at), "=&r"(sum), "+r"(turns)
                     :
                     : "cc", "memory", "d0", "d1", "d2", "d3");
}

static void work_unaligned(void)
{
    unsigned char *at = lines + 61;
    unsigned turns = 1000, value;

    __asm__ volatile("1: ldr %1, [%0]\n"
                     "   str %1, [%0]\n"
                     "   add %0, %0, #64\n"
                     "   subs %2, %2, #1\n"
                     "   bne 1b\n"
                     : "+r"(at), "=&r"(value), "+r"(turns)
                     :
                     : "cc", "memory");
}

/* A store to each line of more than level 2 holds: they come faster than memory takes them. */
static void work_stores(void)
{
    unsigned char *at = pages;
    unsigned turns = sizeof pages / LINE;

    __asm__ volatile("1: str %1, [%0], #64\n"
                     "   subs %1, %1, #1\n"
                     "   bne 1b\n"
                     : "+r"(at), "+r"(turns)
                     :
                     : "cc", "memory");
}

/* More calls than a return stack holds, so that some returns are predicted wrongly. */
static __attribute__((noinline)) unsigned nest(unsigned depth)
{
    __asm__ volatile("" ::: "memory");
    return depth == 0 ? 0 : 1 + nest(depth - 1) * 3;
}

/* More vector instructions, each waiting for the one before it, than their queue holds. */
static void work_vector_chain(void)
{
    __asm__ volatile("   vmov.i32 q8, #3\n"
                     "   .rept 64\n"
                     "   vmul.i32 q8, q8, q8\n"
                     "   .endr\n"
                     :
                     :
                     : "q8");
}

void work_mixed(void)
{
    work_loop();
    work_lines();
    work_pages();
    work_coins();
    work_vectors(); /* past the L1 data cache, which NEON's reads need not fill */
    touch(lines, 250, LINE);
    work_vectors();
    work_vector_chain();
    work_unaligned();
    memset(lines, 2, sizeof lines);
    work_stores();
    for (unsigned i = 0; i < 100; i++) {
        nest(30);
        getppid();
    }
}

/* In assembler, so that where they end is known. */
__asm__(".pushsection .text\n"
        ".arm\n"
        ".balign 64\n"
        ".global work_hot, work_hot_end, work_cold, work_cold_end\n"
        ".type work_hot, %function\n"
        ".type work_cold, %function\n"
        "work_hot:\n"
        "1:  subs r0, r0, #1\n"
        "    bne 1b\n"
        "    bx lr\n"
        "work_hot_end:\n"
        ".size work_hot, . - work_hot\n"
        ".balign 64\n"
        "work_cold:\n"
        "1:  subs r0, r0, #1\n"
        "    bne 1b\n"
        "    bx lr\n"
        "work_cold_end:\n"
        ".size work_cold, . - work_cold\n"
        ".popsection\n");
