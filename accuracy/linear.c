/* A dense system of linear equations of doubles, by Gaussian elimination with partial pivoting on
 * columns: the work that Linpack does, in our own words.
 *
 * usage: linear N PASSES     prints the largest error of a solution whose elements are all 1 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 400 };

static double matrix[LARGEST][LARGEST + 1]; /* by column: an odd stride, as of Linpack's 201 */
static double right[LARGEST];
static int pivots[LARGEST];

/* y += a x, the innermost loop */
static __attribute__((noinline)) void add_multiple(int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

static void make(int n)
{
    unsigned seed = 1325;
    for (int i = 0; i < n; i++)
        right[i] = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            seed = 3125 * seed % 65536;
            matrix[j][i] = (seed - 32768.0) / 16384.0;
            right[i] += matrix[j][i];
        }
}

static void exchange(double *a, double *b)
{
    const double was = *a;
    *a = *b;
    *b = was;
}

static void eliminate(int n)
{
    for (int k = 0; k < n - 1; k++) {
        double *const column = matrix[k];
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(column[i]) > fabs(column[pivot]))
                pivot = i;
        pivots[k] = pivot;
        exchange(&column[k], &column[pivot]);
        for (int i = k + 1; i < n; i++)
            column[i] *= -1.0 / column[k];
        for (int j = k + 1; j < n; j++) {
            exchange(&matrix[j][k], &matrix[j][pivot]);
            add_multiple(n - k - 1, matrix[j][k], column + k + 1, matrix[j] + k + 1);
        }
    }
}

static void solve(int n)
{
    for (int k = 0; k < n - 1; k++) {
        exchange(&right[k], &right[pivots[k]]);
        add_multiple(n - k - 1, right[k], matrix[k] + k + 1, right + k + 1);
    }
    for (int k = n - 1; k >= 0; k--) {
        right[k] /= matrix[k][k];
        add_multiple(k, -right[k], matrix[k], right);
    }
}

int main(int argc, char **argv)
{
    const int n = argc == 3 ? atoi(argv[1]) : 0, passes = argc == 3 ? atoi(argv[2]) : 0;
    double worst = 0;
    if (n < 2 || n > LARGEST || passes < 1) {
        fprintf(stderr, "usage: linear N PASSES: 2 to %d equations, 1 pass or more\n", LARGEST);
        return 2;
    }
    for (int pass = 0; pass < passes; pass++) {
        make(n);
        eliminate(n);
        solve(n);
    }
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(right[i] - 1));
    printf("%.1e\n", worst);
    return worst > 1e-9;
}
