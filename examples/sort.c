/* Quicksort of numbers in random order and of numbers that are sorted already.
 *
 *     build/armpmu stat -- build/examples/sort random
 *     build/armpmu stat -- build/examples/sort sorted
 *
 * What to look for: on random numbers nobody can foresee where a scan of the partition stops: about
 * one branch in five is mispredicted (BR_MIS_PRED), and half the cycles have no instruction to
 * issue (ISSUE_EMPTY_CYCLES). On sorted numbers the same code takes the same way every time: a
 * tenth of the mispredictions, and more instructions a cycle. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sort(uint32_t *left, uint32_t *right)
{
    while (left < right) {
        const uint32_t pivot = left[(right - left) / 2];
        uint32_t *i = left, *j = right;

        while (i <= j) {
            while (*i < pivot)
                i++;
            while (*j > pivot)
                j--;
            if (i <= j) {
                const uint32_t swapped = *i;
                *i++ = *j;
                *j-- = swapped;
            }
        }
        sort(left, j);
        left = i;
    }
}

static void fill(uint32_t *numbers, size_t n, int random)
{
    uint32_t x = 1;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223;
        numbers[i] = random ? x : (uint32_t)i;
    }
}

static int is_sorted(const uint32_t *numbers, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (numbers[i - 1] > numbers[i])
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    const char *order = argc > 1 ? argv[1] : "random";
    const size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 100000;
    uint32_t *numbers = n > 0 && n <= 10000000 ? malloc(n * sizeof *numbers) : NULL;

    if (!numbers || (strcmp(order, "random") && strcmp(order, "sorted"))) {
        fprintf(stderr, "usage: sort [random|sorted] [COUNT, 1 to 10000000]\n");
        return 2;
    }
    fill(numbers, n, strcmp(order, "random") == 0);
    sort(numbers, numbers + n - 1);

    const int sorted = is_sorted(numbers, n);
    printf("%zu numbers, from %u to %u\n", n, (unsigned)numbers[0], (unsigned)numbers[n - 1]);
    free(numbers);
    return sorted ? 0 : 1;
}
