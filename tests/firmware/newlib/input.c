/* Standard input, to its end. */
#include <stdio.h>

int main(void)
{
    int c;
    unsigned sum = 0, lines = 0;

    while ((c = getchar()) != EOF) {
        sum = sum * 31 + (unsigned)c;
        lines += c == '\n';
    }
    printf("%u lines, %x\n", lines, sum);
    return 0;
}
