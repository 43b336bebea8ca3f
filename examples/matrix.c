/* Matrix multiplication, plain and in blocks: the same arithmetic, another order of memory.
 *
 *     build/armpmu stat -- build/examples/matrix naive
 *     build/armpmu stat -- build/examples/matrix blocked
 *
 * What to look for: the plain loop walks down a column of b, a new cache line at every step. Rows a
 * power of two apart share few sets of the data cache, so every step is a refill, and b lies on
 * more pages than the TLB holds. The blocked loop stays in small tiles until it is done with them.
 * It executes more instructions (INST_RETIRED) and mispredicts more of its short loops
 * (BR_MIS_PRED), but L1D_CACHE_REFILL and L1D_TLB_REFILL all but vanish, and with them four fifths
 * of CPU_CYCLES. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16, MOST = 512 };

/* n x n numbers each, row after row. */
static uint32_t a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

static void fill(unsigned n)
{
    uint32_t x = 1;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            x = x * 1664525 + 1013904223;
            a[i * n + j] = x >> 16;
            b[i * n + j] = x & 0xffff;
        }
}

static void multiply_naive(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            uint32_t sum = 0;
            for (unsigned k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void multiply_tile(unsigned n, unsigned i0, unsigned j0, unsigned k0)
{
    for (unsigned i = i0; i < i0 + TILE; i++)
        for (unsigned j = j0; j < j0 + TILE; j++) {
            uint32_t sum = c[i * n + j];
            for (unsigned k = k0; k < k0 + TILE; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

static void multiply_blocked(unsigned n)
{
    for (unsigned i = 0; i < n; i += TILE)
        for (unsigned j = 0; j < n; j += TILE)
            for (unsigned k = 0; k < n; k += TILE)
                multiply_tile(n, i, j, k);
}

/* The elements of a product add up to (columns of a summed) times (rows of b summed). */
static int is_product(unsigned n)
{
    uint32_t want = 0, got = 0;
    for (unsigned k = 0; k < n; k++) {
        uint32_t column = 0, row = 0;
        for (unsigned i = 0; i < n; i++) {
            column += a[i * n + k];
            row += b[k * n + i];
            got += c[k * n + i];
        }
        want += column * row;
    }
    printf("%u x %u, elements add up to %08x\n", n, n, (unsigned)got);
    return got == want;
}

int main(int argc, char **argv)
{
    const char *order = argc > 1 ? argv[1] : "naive";
    const unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 256;

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
