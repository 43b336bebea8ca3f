/* Something for a compiler to make many forms of instructions from; never run. The C library that
 * is linked in statically adds most of the rest. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

float dot(const float *a, const float *b, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void blend(uint8_t *to, const uint8_t *a, const uint8_t *b, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (uint8_t)((a[i] * 3 + b[i] * 5 + 4) >> 3);
}

void split(int16_t *left, int16_t *right, const int16_t *both, int n)
{
    for (int i = 0; i < n; i++) {
        left[i] = both[2 * i];
        right[i] = both[2 * i + 1];
    }
}

double integrate(double from, double to, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sin(from + (to - from) * i / n) / sqrt(i + 1.0);
    return sum;
}

uint64_t mix(uint64_t x, int64_t y, uint32_t z)
{
    x ^= x >> 33;
    x *= (uint64_t)y + z;
    return x << (z & 31) | (uint64_t)(y >> 7);
}

int number_of(const char *word, unsigned kind)
{
    switch (kind) {
    case 0:
        return atoi(word);
    case 1:
        return (int)strlen(word);
    case 2:
        return word[0] - '0';
    case 3:
        return strcmp(word, "three");
    case 4:
        return __builtin_popcount((unsigned)word[1]);
    case 5:
        return __builtin_bswap16((uint16_t)word[2]);
    case 6:
        return __builtin_clz((unsigned)word[3] | 1);
    }
    return -1;
}

int main(int argc, char **argv)
{
    static float a[256], b[256];
    static uint8_t c[256];
    static int16_t d[128], e[128];
    int sum = 0;

    for (int i = 1; i < argc; i++)
        sum += number_of(argv[i], (unsigned)argv[i][0] & 7);
    blend(c, (const uint8_t *)a, (const uint8_t *)b, 256);
    split(d, e, (const int16_t *)a, 128);
    printf("%d %f %g %llu %d %d\n", sum, (double)dot(a, b, 256), integrate(0, sum, argc),
           (unsigned long long)mix((uint64_t)sum, argc, 3), c[argc], d[argc] + e[argc]);
    return __atomic_add_fetch(&sum, 1, __ATOMIC_SEQ_CST) == 0;
}
