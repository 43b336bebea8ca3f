/* Floating point in software and the mathematics library. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    double sum = 0;

    for (int i = 1; i <= 200; i++)
        sum += sin(i) / i + sqrt(i) - log(i) * exp(-i / 50.0);
    printf("%.12g %a %f\n", sum, 0.1, 1e10 / 3);
    return 0;
}
