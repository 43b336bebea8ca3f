/* Arguments; 64-bit arithmetic; a status of its own. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned long long product = 1;

    for (int i = 1; i < argc; i++) {
        printf("%d: %s\n", i, argv[i]);
        product *= strtoull(argv[i], NULL, 10);
    }
    printf("%llu %llu\n", product, product / 7);
    return argc + 10;
}
