/* Matrix multiplication, plain and in blocks: the same arithmetic, another order of memory.
 *
 *     armpmu stat -- matrix naive
 *     armpmu stat -- matrix blocked
 *
 * What to look for: the plain loop walks down a column of b, a new cache line at every step; when a
 * column's lines are more than the data cache holds, every step is a refill. The blocked loop stays
 * in a few small tiles until it is done with them. It executes more instructions (INST_RETIRED) and
 * takes far fewer cycles (CPU_CYCLES), because L1D_CACHE_REFILL and DTLB_REFILL all but vanish. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16, MOST = 512 };

static uint32_t a[MOST][MOST], b[MOST][MOST], c[MOST][MOST];

static void fill(unsigned n)
{
    uint32_t x = 1;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            x = x * 1664525 + 1013904223;
            a[i][j] = x >> 16;
            b[i][j] = x & 0xffff;
        }
}

static void multiply_naive(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            uint32_t sum = 0;
            for (unsigned k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void multiply_tile(unsigned i0, unsigned j0, unsigned k0)
{
    for (unsigned i = i0; i < i0 + TILE; i++)
        for (unsigned j = j0; j < j0 + TILE; j++) {
            uint32_t sum = c[i][j];
            for (unsigned k = k0; k < k0 + TILE; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void multiply_blocked(unsigned n)
{
    for (unsigned i = 0; i < n; i += TILE)
        for (unsigned j = 0; j < n; j += TILE)
            for (unsigned k = 0; k < n; k += TILE)
                multiply_tile(i, j, k);
}

/* The elements of a product add up to (columns of a summed) times (rows of b summed). */
static int is_product(unsigned n)
{
    uint32_t want = 0, got = 0;
    for (unsigned k = 0; k < n; k++) {
        uint32_t column = 0, row = 0;
        for (unsigned i = 0; i < n; i++) {
            column += a[i][k];
            row += b[k][i];
            got += c[k][i];
        }
        want += column * row;
    }
    printf("%u x %u, elements add up to %08x\n", n, n, (unsigned)got);
    return got == want;
}

int main(int argc, char **argv)
{
    const char *order = argc > 1 ? argv[1] : "naive";
    const unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 128;

    if (n == 0 || n > MOST || n % TILE != 0 ||
        (strcmp(order, "naive") && strcmp(order, "blocked"))) {
        fprintf(stderr, "usage: matrix [naive|blocked] [SIZE, a multiple of %d up to %d]\n", TILE,
                MOST);
        return 2;
    }
    fill(n);
    if (strcmp(order, "naive") == 0)
        multiply_naive(n);
    else
        multiply_blocked(n);
    return is_product(n) ? 0 : 1;
}
