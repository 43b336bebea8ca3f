/* Streams and chains through memory, in the manner of lmbench's lat_mem_rd and bw_mem and of
 * STREAM.
 *
 * usage: memory WHAT BYTES PASSES
 *
 * WHAT: chase reads pointers a stride of 128 bytes apart, each from the word before it; rd, wr,
 * rdwr and cp take every fourth word, frd, fwr and fcp all; bcopy and bzero are the C library's;
 * copy, scale, add and triad take doubles. Arrays that a program only writes to were never read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 23, STRIDE = 128 };

static char from[LARGEST] __attribute__((aligned(4096)));
static char to[LARGEST] __attribute__((aligned(4096)));
static char also[LARGEST] __attribute__((aligned(4096)));

/* What is computed is used, as far as the compiler knows. */
#define USED(value) __asm__ volatile("" : : "r"(value) : "memory")

static void chase(size_t bytes, int passes)
{
    const size_t steps = bytes / STRIDE;
    for (size_t i = 0; i < steps; i++)
        *(char **)(from + i * STRIDE) = from + (i + 1) % steps * STRIDE;
    char **place = (char **)from;
    for (size_t n = steps * (size_t)passes; n > 0; n--)
        place = (char **)*place;
    USED(place);
}

#define EACH(step, statement)                                                                      \
    for (size_t i = 0; i < bytes / sizeof(int); i += 32)                                           \
        for (size_t j = i; j < i + 32; j += (step))                                                \
            statement;

static void words(const char *what, size_t bytes)
{
    volatile int *const source = (volatile int *)from, *const target = (volatile int *)to;
    if (strcmp(what, "rd") == 0)
        EACH(4, (void)source[j])
    if (strcmp(what, "frd") == 0)
        EACH(1, (void)source[j])
    if (strcmp(what, "wr") == 0)
        EACH(4, target[j] = 1)
    if (strcmp(what, "fwr") == 0)
        EACH(1, target[j] = 1)
    if (strcmp(what, "rdwr") == 0)
        EACH(4, source[j] = source[j] + 1)
    if (strcmp(what, "cp") == 0)
        EACH(4, target[j] = source[j])
    if (strcmp(what, "fcp") == 0)
        EACH(1, target[j] = source[j])
}

static void doubles(const char *what, size_t bytes)
{
    const double *const a = (const double *)from, *const b = (const double *)also;
    double *const c = (double *)to;
    const size_t n = bytes / sizeof *c;
    if (strcmp(what, "copy") == 0)
        for (size_t i = 0; i < n; i++) {
            c[i] = a[i];
            USED(c);
        }
    if (strcmp(what, "scale") == 0)
        for (size_t i = 0; i < n; i++)
            c[i] = 3.0 * a[i];
    if (strcmp(what, "add") == 0)
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] + b[i];
    if (strcmp(what, "triad") == 0)
        for (size_t i = 0; i < n; i++)
            c[i] = a[i] + 3.0 * b[i];
    USED(c);
}

int main(int argc, char **argv)
{
    const size_t bytes = argc == 4 ? strtoul(argv[2], NULL, 0) : 0;
    const int passes = argc == 4 ? atoi(argv[3]) : 0;
    if (bytes < STRIDE || bytes > LARGEST || passes < 1) {
        fprintf(stderr, "usage: memory WHAT BYTES PASSES: %d to %d bytes, 1 pass or more\n", STRIDE,
                LARGEST);
        return 2;
    }
    if (strcmp(argv[1], "chase") == 0) {
        chase(bytes, passes);
        return 0;
    }
    for (int pass = 0; pass < passes; pass++) {
        words(argv[1], bytes);
        doubles(argv[1], bytes);
        if (strcmp(argv[1], "bcopy") == 0)
            memcpy(to, from, bytes);
        if (strcmp(argv[1], "bzero") == 0)
            memset(to, 0, bytes);
        USED(to);
    }
    return 0;
}
