/* qsort and bsearch. */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const unsigned l = *(const unsigned *)left, r = *(const unsigned *)right;

    return (l > r) - (l < r);
}

int main(void)
{
    static unsigned numbers[2000];
    unsigned seed = 7, found = 0;

    for (unsigned i = 0; i < 2000; i++)
        numbers[i] = seed = seed * 1664525 + 1013904223;
    qsort(numbers, 2000, sizeof numbers[0], compare);
    for (unsigned i = 1; i < 2000; i++)
        if (numbers[i - 1] > numbers[i])
            return 1;
    for (unsigned i = 0; i < 2000; i++)
        found += bsearch(&numbers[i], numbers, 2000, sizeof numbers[0], compare) != NULL;
    printf("%u %u %u\n", numbers[0], numbers[1999], found);
    return 0;
}
