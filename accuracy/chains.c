/* Chases of pointers through the lines of an array in random order, several at once, as ramlat of
 * sbc-bench has them: each load of a chain needs the one before it, chains need nothing of each
 * other.
 *
 * chains BYTES CHAINS PASSES: so many passes of BYTES / 64 steps, in each of which all chains go
 * on. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE   64
#define CHAINS 8
#define BYTES  (16 << 20)

static void *lines[BYTES / LINE][LINE / sizeof(void *)] __attribute__((aligned(4096)));
static uint32_t order[BYTES / LINE];

static uint32_t draw(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(state >> 33);
}

/* One circle through all lines. */
static void link_lines(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n - 1; i > 0; i--) {
        const uint32_t j = draw() % i, kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (uint32_t i = 0; i < n; i++)
        lines[i][0] = &lines[order[i]][0];
}

#define STEP(k) p[k] = *(void **)p[k];
#define CHASE(steps, all)                                                                          \
    for (uint64_t i = 0; i < (steps); i += 4) {                                                    \
        all all all all                                                                            \
    }

int main(int argc, char **argv)
{
    const uint32_t n = argc == 4 ? (uint32_t)strtoul(argv[1], NULL, 0) / LINE : 0;
    const int chains = argc == 4 ? atoi(argv[2]) : 0;
    void *p[CHAINS];

    if (n < CHAINS || n > BYTES / LINE || (chains & (chains - 1)) != 0 || chains < 1 ||
        chains > CHAINS)
        return 2;
    const uint64_t steps = (uint64_t)atoi(argv[3]) * n;
    link_lines(n);
    for (int k = 0; k < CHAINS; k++)
        p[k] = &lines[(uint64_t)n * (unsigned)k / (unsigned)chains % n][0];
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
