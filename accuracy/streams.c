/* Reads, fills and copies by what tinymembench uses on AArch64 (github.com/ssvb/tinymembench): the
 * same instructions a line, in loops of our own.
 *
 * usage: streams WHAT MEGABYTES PASSES
 *
 * WHAT: read by pairs of Q, with a preload five lines ahead; fill by pairs of Q; copy by pairs of
 * Q, lists by LD1 and ST1 of four registers; words up or down by single X, as GCC compiles a copy
 * of 64-bit integers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define APART 0x55500 /* bytes, so that the arrays begin at different places of a page */

/* A loop whose body takes a line; a and b move on. */
#define LOOP(name, body)                                                                           \
    static void name(char *b, const char *a, size_t left)                                          \
    {                                                                                              \
        __asm__ volatile("1:\n" body "subs %2, %2, #64\n b.ne 1b\n"                                \
                         : "+r"(a), "+r"(b), "+r"(left)                                            \
                         :                                                                         \
                         : "v0", "v1", "v2", "v3", "x9", "cc", "memory");                          \
    }
#define WORD(at) "ldr x9, [%0, #" at "]\n str x9, [%1, #" at "]\n"
#define UP       WORD("0") WORD("8") WORD("16") WORD("24") WORD("32") WORD("40") WORD("48") WORD("56")
#define DOWN     WORD("56") WORD("48") WORD("40") WORD("32") WORD("24") WORD("16") WORD("8") WORD("0")
#define ON(sign) sign " %0, %0, #64\n" sign " %1, %1, #64\n"

LOOP(read_lines,
     "prfm pldl1keep, [%0, #320]\n ldp q0, q1, [%0]\n ldp q2, q3, [%0, #32]\n add %0, %0, #64\n")
LOOP(fill, "stp q0, q1, [%1]\n stp q2, q3, [%1, #32]\n add %1, %1, #64\n")
LOOP(copy, "ldp q0, q1, [%0]\n ldp q2, q3, [%0, #32]\n"
           "stp q0, q1, [%1]\n stp q2, q3, [%1, #32]\n" ON("add"))
LOOP(copy_lists, "ld1 {v0.2d-v3.2d}, [%0]\n st1 {v0.2d-v3.2d}, [%1]\n" ON("add"))
LOOP(copy_words, UP ON("add"))
LOOP(downwards, DOWN ON("sub"))

static void copy_words_down(char *b, const char *a, size_t bytes)
{
    downwards(b + bytes - 64, a + bytes - 64, bytes);
}

static const struct {
    const char *name;
    void (*pass)(char *b, const char *a, size_t bytes);
} kinds[] = {
    {"read", read_lines},  {"fill", fill},        {"copy", copy},
    {"lists", copy_lists}, {"words", copy_words}, {"words-down", copy_words_down},
};

static char *map(size_t bytes)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv)
{
    const size_t bytes = argc == 4 ? strtoul(argv[2], NULL, 0) << 20 : 0;
    const int passes = argc == 4 ? atoi(argv[3]) : 0;
    char *const from = map(bytes + APART), *const to = map(bytes);

    if (bytes == 0 || passes < 1 || from == MAP_FAILED || to == MAP_FAILED)
        return 2;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int pass = 0; strcmp(argv[1], kinds[i].name) == 0 && pass < passes; pass++)
            kinds[i].pass(to, from + APART, bytes);
    return 0;
}
