/* Accesses to named data: a table in steps of a line, an array of structures, the heap, the stack.
 */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 4096

struct row {
    long key;
    int count, unused;
    double weight;
    char text[40];
};

static int table[1 << 16];
struct row rows[ROWS];

static __attribute__((noinline)) long steps(void)
{
    long sum = 0;

    for (int turn = 0; turn < 3; turn++)
        for (unsigned i = 0; i < 1u << 16; i += 16)
            sum += table[i * 37 % (1u << 16)]++;
    return sum;
}

static __attribute__((noinline)) long members(void)
{
    long sum = 0;

    for (unsigned i = 0; i < ROWS; i++)
        sum += rows[i * 37 % ROWS].count;
    return sum;
}

static __attribute__((noinline)) long heap(void)
{
    int *const words = malloc(1 << 16);
    long sum = 0;

    for (unsigned i = 0; i < 1 << 14; i++)
        words[i] = (int)i;
    for (unsigned i = 0; i < 1 << 14; i += 16)
        sum += words[i];
    free(words);
    return sum;
}

static __attribute__((noinline)) long stack(unsigned n)
{
    volatile long frame[4] = {n};

    return n == 0 ? frame[0] : frame[0] + stack(n - 1);
}

int main(void)
{
    printf("%ld\n", steps() + members() + heap() + stack(50));
    return 0;
}
