/* Sorting three ways: qsort, insertion, heap. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 600

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static int compare(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void insertion_sort(uint32_t *values, int n)
{
    for (int i = 1; i < n; i++) {
        uint32_t value = values[i];
        int j = i;
        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

static void sift(uint32_t *values, int root, int n)
{
    for (int child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && values[child + 1] > values[child])
            child++;
        if (values[root] >= values[child])
            return;
        uint32_t swap = values[root];
        values[root] = values[child];
        values[child] = swap;
    }
}

static void heap_sort(uint32_t *values, int n)
{
    for (int i = n / 2; i-- > 0;)
        sift(values, i, n);
    while (--n > 0) {
        uint32_t swap = values[0];
        values[0] = values[n];
        values[n] = swap;
        sift(values, 0, n);
    }
}

int main(void)
{
    static uint32_t a[N], b[N], c[N];
    uint32_t state = 1;
    for (int i = 0; i < N; i++)
        a[i] = b[i] = c[i] = next(&state);
    qsort(a, N, sizeof(a[0]), compare);
    insertion_sort(b, N);
    heap_sort(c, N);
    if (memcmp(a, b, sizeof(a)) != 0 || memcmp(a, c, sizeof(a)) != 0)
        return 1;
    printf("%u %u %u\n", a[0], a[N / 2], a[N - 1]);
    return 0;
}
