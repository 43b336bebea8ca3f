/* A walk along a ring of nodes that lie in random order, one to a cache line.
 *
 *     for kib in 8 64 512 4096; do build/armpmu stat -- build/examples/chase $kib; done
 *
 * What to look for: every step waits for the one before, so the cycles a step are the latency of
 * whatever holds the ring. 8 KiB live in the first-level data cache: next to no L1D_CACHE_REFILL.
 * 64 KiB live in the second level: most steps are a refill and wait for it. 512 KiB miss there too
 * (L2_CACHE_MISS), and lie on more pages than the TLB holds (L1D_TLB_REFILL): tens of times the
 * cycles. 4 MiB find nothing anywhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64 };

struct node {
    struct node *next;
    char rest_of_line[LINE - sizeof(struct node *)];
};

static uint32_t random_below(uint32_t n)
{
    static uint32_t x = 1;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x % n;
}

/* Links all nodes into one ring: a random permutation that is a single cycle (Sattolo). */
static void link_ring(struct node *nodes, uint32_t n, uint32_t *order)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n - 1; i > 0; i--) {
        const uint32_t j = random_below(i), swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
    for (uint32_t i = 0; i < n; i++)
        nodes[i].next = &nodes[order[i]];
}

static const struct node *walk(const struct node *at, unsigned long steps)
{
    while (steps-- > 0)
        at = at->next;
    return at;
}

int main(int argc, char **argv)
{
    const unsigned long kib = argc > 1 ? strtoul(argv[1], NULL, 10) : 64;
    const unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

    if (kib < 1 || kib > 65536) {
        fprintf(stderr, "usage: chase [KIB, 1 to 65536] [ROUNDS, at least 1]\n");
        return 2;
    }
    const uint32_t n = (uint32_t)(kib * 1024 / LINE);
    /* By default the same million steps or so, whatever the size of the ring. */
    const unsigned long steps = n * (rounds ? rounds : 1 + 1000000 / n);
    struct node *nodes = aligned_alloc(LINE, (size_t)n * LINE);
    uint32_t *order = malloc(n * sizeof *order);
    if (!nodes || !order) {
        fprintf(stderr, "chase: no memory for %lu KiB\n", kib);
        return 1;
    }
    link_ring(nodes, n, order);

    /* Whole rounds of a single cycle end where they began. */
    const int is_home = walk(nodes, steps) == nodes;
    printf("%u nodes, %lu steps, back %s\n", (unsigned)n, steps, is_home ? "home" : "astray");
    free(order);
    free(nodes);
    return is_home ? 0 : 1;
}
