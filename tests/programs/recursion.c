/* Recursion: Ackermann, queens, towers, and calls through pointers. */
#include <stdio.h>

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned queens(unsigned row, unsigned columns, unsigned left, unsigned right)
{
    const unsigned all = (1u << 6) - 1;
    if (columns == all)
        return 1;
    unsigned found = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned queen = free & -free;
        found += queens(row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return found;
}

static unsigned towers(unsigned n, unsigned from, unsigned to)
{
    if (n == 0)
        return 0;
    unsigned spare = 3 - from - to;
    return towers(n - 1, from, spare) + 1 + towers(n - 1, spare, to);
}

static unsigned twice(unsigned x)
{
    return 2 * x;
}
static unsigned plus_three(unsigned x)
{
    return x + 3;
}
static unsigned halve(unsigned x)
{
    return x / 2;
}

int main(void)
{
    unsigned (*const steps[])(unsigned) = {twice, plus_three, halve};
    unsigned value = 1;
    for (unsigned i = 0; i < 1000; i++)
        value = steps[value % 3](value) & 0xffff;
    printf("%u %u %u %u\n", ackermann(2, 9), queens(0, 0, 0, 0), towers(9, 0, 2), value);
    return 0;
}
