/* Numbers: matrices in single and double precision, functions, 64-bit division. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define N 16

static float single_precision(void)
{
    static float a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (float)(i + j) / N;
            b[i][j] = (float)(i - 2 * j) * 0.5f;
        }
    float trace = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
        trace += c[i][i];
    }
    return trace;
}

static double double_precision(void)
{
    double sum = 0;
    for (int i = 1; i <= 200; i++)
        sum += sin(i) / sqrt(i) + pow(i, 0.25) - (double)(i % 7);
    return sum;
}

static uint64_t integers(void)
{
    uint64_t x = UINT64_C(0x123456789abcdef), sum = 0;
    for (unsigned i = 1; i < 200; i++) {
        x = x * 6364136223846793005u + 1;
        sum += x / (i * UINT64_C(1000003)) + x % i;
        sum += (uint64_t)((int32_t)x / (int32_t)i);
    }
    return sum;
}

int main(void)
{
    printf("%g %.10g %" PRIu64 "\n", single_precision(), double_precision(), integers());
    return 0;
}
