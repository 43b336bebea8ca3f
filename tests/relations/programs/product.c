/* Products of matrices, of floats and of integers; a column is a cache line away from the next. */
#include <stdint.h>
#include <stdio.h>

enum { N = 40 };

static float a[N][N], b[N][N], c[N][N];
static int32_t x[N][N], y[N][N], z[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (float)(i + j);
            b[i][j] = (float)(i - j);
            x[i][j] = i ^ j;
            y[i][j] = i * j;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                c[i][j] += a[i][k] * b[k][j];
                z[i][j] += x[i][k] * y[k][j];
            }
    float sum = 0;
    int32_t total = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            sum += c[i][j];
            total ^= z[i][j];
        }
    printf("%d %d\n", (int)sum, (int)total);
    return 0;
}
