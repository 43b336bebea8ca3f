/* Chases of pointers through an array, several at once, in the order of ramlat
 * (github.com/wtarreau/ramspeed), which sbc-bench runs: the words of the array in the order of
 * their numbers with the bits reversed. So each step goes far, each line is visited once before
 * one is visited again, and no two steps that follow each other have the same stride. Each load of
 * a chain needs the one before it; chains need nothing of each other.
 *
 * chains BYTES CHAINS PASSES: PASSES times BYTES / 64 steps, in each of which all chains go on. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LINE   64
#define CHAINS 8
#define APART  64 /* words between the starts of chains */
#define BYTES  (16 << 20)
#define HUGE   (2 << 20) /* bytes of a huge page */

static void **words; /* in whole aligned blocks of 2 MB, which may be huge pages */

/* Links the words of n bits of number. */
static void link_words(unsigned n)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < UINT32_C(1) << n; i++) {
        uint32_t bit = UINT32_C(1) << (n - 1), next = at;
        while ((next & bit) != 0) {
            next ^= bit;
            bit >>= 1;
        }
        next |= bit;
        words[at] = &words[next];
        at = next;
    }
}

#define STEP(k) p[k] = *(void **)p[k];
#define CHASE(steps, all)                                                                          \
    for (uint64_t i = 0; i < (steps); i += 4) {                                                    \
        all all all all                                                                            \
    }

int main(int argc, char **argv)
{
    const uint32_t bytes = argc == 4 ? (uint32_t)strtoul(argv[1], NULL, 0) : 0;
    const int chains = argc == 4 ? atoi(argv[2]) : 0;
    void *p[CHAINS];

    if (bytes < CHAINS * APART * sizeof(void *) || bytes > BYTES || (bytes & (bytes - 1)) != 0 ||
        (chains & (chains - 1)) != 0 || chains < 1 || chains > CHAINS)
        return 2;
    char *const mapped =
        mmap(NULL, BYTES + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return 1;
    words = (void **)(mapped + (-(uintptr_t)mapped & (HUGE - 1)));
    const uint64_t steps = (uint64_t)atoi(argv[3]) * (bytes / LINE);
    link_words((unsigned)__builtin_ctz(bytes / sizeof(void *)));
    for (int k = 0; k < CHAINS; k++)
        p[k] = &words[APART * k];
    if (chains == 1)
        CHASE(steps, STEP(0))
    if (chains == 2)
        CHASE(steps, STEP(0) STEP(1))
    if (chains == 4)
        CHASE(steps, STEP(0) STEP(1) STEP(2) STEP(3))
    if (chains == 8)
        CHASE(steps, STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7))
    uintptr_t sum = 0;
    for (int k = 0; k < CHAINS; k++)
        sum += (uintptr_t)p[k];
    printf("%d\n", sum != 0);
    return 0;
}
