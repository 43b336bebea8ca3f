/* Works until it is killed. */
#include <stdio.h>

int main(void)
{
    volatile unsigned n = 0;
    puts("started");
    fflush(stdout);
    for (;;)
        n++;
}
