/* printf in all its forms. */
#include <stdio.h>

int main(void)
{
    for (int i = -3; i <= 3; i++)
        printf("%d %5u %-5x| %05d %c\n", i, (unsigned)(i * i), (unsigned)i, i, 'a' + i + 3);
    printf("%s %10s %.2s %p\n", "text", "right", "cut", (void *)0);
    fprintf(stderr, "error %ld\n", 123456789L);
    return 3;
}
