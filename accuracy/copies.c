/* Copies, fills and reads of memory by what tinymembench uses on a core with NEON
 * (github.com/ssvb/tinymembench): the same instructions a line, in loops of our own.
 *
 * usage: copies WHAT BYTES PASSES
 *
 * WHAT: read and fill by 32 bytes; copy by 32, long by 128 bytes of four loads, list by 128 bytes
 * of one load; doubles up or down, as GCC compiles a copy of 64-bit integers; words by lists of
 * eight; add sums bytes of both arrays into the second, as pixman does.
 * "-near" and "-far" preload each line 256 or 512 bytes before it is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 23, APART = 0x55500, LINE = 64, STEP = 2 * LINE };

static char from[LARGEST + APART] __attribute__((aligned(1 << 20)));
static char to[LARGEST] __attribute__((aligned(1 << 20)));

#define CLOBBERED                                                                                  \
    "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q12", "q13", "q14", "q15", "r4", "r5", "r6",  \
        "r7", "r8", "r9", "r10", "r12", "cc", "memory"

/* A loop whose body takes two lines; a and b move on. */
#define LOOP(name, body)                                                                           \
    static void name(char *b, const char *a, size_t bytes)                                         \
    {                                                                                              \
        __asm__ volatile("1:\n" body "subs %2, %2, #128\n"                                         \
                         "bgt 1b\n"                                                                \
                         : "+r"(a), "+r"(b), "+r"(bytes)                                           \
                         :                                                                         \
                         : CLOBBERED);                                                             \
    }
#define FOUR(part)   part part part part
#define PLD(ahead)   "pld [%0, #" #ahead "]\n"
#define LOAD(q, r)   "vld1.64 {" #q "," #r "}, [%0]!\n"
#define STORE(q, r)  "vst1.64 {" #q "," #r "}, [%1:256]!\n"
#define SUM(into, q) "vadd.u32 " #into "," #into "," #q "\n"
#define READ(pld)                                                                                  \
    LOAD(q0, q1)                                                                                   \
    SUM(q15, q3) SUM(q12, q0) LOAD(q2, q3) SUM(q13, q1) pld SUM(q14, q2)
#define COPY LOAD(q0, q1) STORE(q0, q1)
#define STORES                                                                                     \
    STORE(q0, q1)                                                                                  \
    STORE(q2, q3) STORE(q4, q5) STORE(q6, q7)
#define WORDS(pld) "ldmia %0!, {r4-r10,r12}\n" pld "stmia %1!, {r4-r7}\nstmia %1!, {r8-r10,r12}\n"

/* Of a line, upwards or (sign: -) downwards. */
#define AT(sign, n)      sign #n
#define VLDR(d, sign, n) "vldr " #d ", [%0, #" AT(sign, n) "]\n"
#define VSTR(d, sign, n) "vstr " #d ", [%1, #" AT(sign, n) "]\n"
#define DOUBLES(sign, add)                                                                         \
    VLDR(d5, sign, 0)                                                                              \
    VLDR(d6, sign, 8)                                                                              \
    VLDR(d7, sign, 16)                                                                             \
    VLDR(d3, sign, 24)                                                                             \
    VSTR(d5, sign, 0)                                                                              \
    VSTR(d6, sign, 8)                                                                              \
    VLDR(d4, sign, 32)                                                                             \
    VSTR(d7, sign, 16) VLDR(d5, sign, 40) VLDR(d6, sign, 48) VLDR(d7, sign, 56) VSTR(d3, sign, 24) \
        VSTR(d4, sign, 32) VSTR(d5, sign, 40) VSTR(d6, sign, 48) VSTR(d7, sign, 56) add            \
        " %0, %0, #64\n" add " %1, %1, #64\n"

LOOP(read_plain, READ("") READ(""))
LOOP(read_far, READ(PLD(512)) READ(PLD(512)))
LOOP(fill, FOUR(STORE(q0, q1)))
LOOP(copy, FOUR(COPY))
LOOP(copy_near, PLD(256) COPY COPY PLD(256) COPY COPY)
LOOP(copy_long, LOAD(q0, q1) LOAD(q2, q3) LOAD(q4, q5) LOAD(q6, q7) STORES)
LOOP(copy_long_near,
     LOAD(q0, q1) PLD(256) LOAD(q2, q3) PLD(512) LOAD(q4, q5) PLD(256) LOAD(q6, q7) PLD(512) STORES)
LOOP(copy_list, "vldmia %0!, {d0-d15}\nvstmia %1!, {d0-d15}\n")
LOOP(copy_words_near, FOUR(WORDS(PLD(256))))
LOOP(add, FOUR("vld1.32 {d4-d7}, [%1]\n" LOAD(q0, q1) "vqadd.u8 q14, q0, q2\n"
                                                      "vqadd.u8 q15, q1, q3\n" STORE(q14, q15)))
LOOP(copy_doubles, DOUBLES("", "add") DOUBLES("", "add"))
LOOP(copy_doubles_near, PLD(256) DOUBLES("", "add") PLD(256) DOUBLES("", "add"))
LOOP(downwards, DOUBLES("-", "sub") DOUBLES("-", "sub"))

static void copy_doubles_down(char *b, const char *a, size_t bytes)
{
    downwards(b + bytes - 8, a + bytes - 8, bytes);
}

static void copy_libc(char *b, const char *a, size_t bytes)
{
    memcpy(b, a, bytes);
}

static const struct {
    const char *name;
    void (*pass)(char *b, const char *a, size_t bytes);
} kinds[] = {
    {"read", read_plain},
    {"read-far", read_far},
    {"fill", fill},
    {"copy", copy},
    {"copy-near", copy_near},
    {"long", copy_long},
    {"long-near", copy_long_near},
    {"list", copy_list},
    {"words-near", copy_words_near},
    {"doubles", copy_doubles},
    {"doubles-near", copy_doubles_near},
    {"doubles-down", copy_doubles_down},
    {"memcpy", copy_libc},
    {"add", add},
};

int main(int argc, char **argv)
{
    const size_t bytes = argc == 4 ? strtoul(argv[2], NULL, 0) : 0;
    const int passes = argc == 4 ? atoi(argv[3]) : 0;
    if (bytes < STEP || bytes > LARGEST - STEP || bytes % STEP != 0 || passes < 1) {
        fprintf(stderr, "usage: copies WHAT BYTES PASSES: a multiple of %d bytes, 1 pass or more\n",
                STEP);
        return 2;
    }
    memset(from, 1, sizeof from);
    memset(to, 1, sizeof to);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int pass = 0; strcmp(argv[1], kinds[i].name) == 0 && pass < passes; pass++)
            kinds[i].pass(to, from + APART, bytes);
    return 0;
}
