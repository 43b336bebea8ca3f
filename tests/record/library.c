/* A library that is opened while the program runs. */
int from_library(int n);

__attribute__((visibility("default"))) int from_library(int n)
{
    int sum = 0;
    for (volatile int i = 0; i < n; i++)
        sum += i;
    return sum;
}
