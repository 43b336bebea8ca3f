/* Spreads keys over buckets. docs/examples.md has its counts; -DCURED is the cure. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 100000 };

static unsigned filled[1024];

__attribute__((noinline)) static void spread(unsigned buckets)
{
    uint32_t key = 1;

    for (int i = 0; i < KEYS; i++) {
        key = key * 1664525 + 1013904223;
#ifdef CURED
        filled[(key >> 16) & (buckets - 1)]++;
#else
        filled[(key >> 16) % buckets]++;
#endif
    }
}

int main(int argc, char **argv)
{
    spread(argc > 1 ? (unsigned)atoi(argv[1]) : 1024);
    printf("%u\n", filled[7]);
    return 0;
}
