/* A program that a core as reset leaves it would not run, or slowly: floating point, and the same
 * memory again and again. Its status is 0 when the sum is right. */
#include <stddef.h>

#define NUMBERS 2048 /* 16 KB */
#define ROUNDS  50

static double numbers[NUMBERS];

int main(void)
{
    volatile double half = 0.5;
    double sum = 0;

    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = (double)i * half;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < NUMBERS; i++)
            sum += numbers[i];
    return sum == half * ROUNDS * NUMBERS * (NUMBERS - 1) / 2 ? 0 : 1;
}
