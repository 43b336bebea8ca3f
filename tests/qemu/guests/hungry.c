/* Takes memory a megabyte at a time and writes to it, up to so many megabytes; 0: without end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const unsigned long most = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

    for (unsigned long n = 0; most == 0 || n < most; n++) {
        char *code_block = malloc(1 << 20);
        if (code_block == NULL)
            break;
        for (size_t i = 0; i < 1 << 20; i += 64)
            ((volatile char *)code_block)[i] = (char)n;
    }
    puts("had enough");
    return 0;
}
