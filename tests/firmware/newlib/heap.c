/* malloc, realloc and free of many sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    unsigned char *blocks[64] = {0};
    unsigned sum = 0, seed = 1;

    for (unsigned i = 0; i < 4000; i++) {
        seed = seed * 1664525 + 1013904223;
        const unsigned at = seed >> 26, size = 1 + (seed >> 12 & 1023);
        blocks[at] = realloc(blocks[at], size);
        memset(blocks[at], (int)i, size);
        sum += blocks[at][size / 2];
        if (seed & 0x100) {
            free(blocks[at]);
            blocks[at] = NULL;
        }
    }
    printf("%u\n", sum);
    return 0;
}
