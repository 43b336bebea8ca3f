/* Calls a BLAS as often as asked for: blas gemm|dot N TURNS, on matrices of N by N doubles, or on N * N of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, MOST = 256 };

void cblas_dgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc);
double cblas_ddot(int n, const double *x, int by_x, const double *y, int by_y);

static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

int main(int argc, char **argv)
{
    const int n = argc == 4 ? atoi(argv[2]) : 0, turns = argc == 4 ? atoi(argv[3]) : 0;
    double sum = 0;

    if (n < 1 || n > MOST)
        return 2;
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    for (int turn = 0; turn < turns; turn++)
        if (strcmp(argv[1], "dot") == 0)
            sum += cblas_ddot(n * n, a, 1, b, 1);
        else {
            cblas_dgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, 1, a, n, b, n, 0, c, n);
            sum += c[n * n - 1];
        }
    printf("%g\n", sum);
    return 0;
}
