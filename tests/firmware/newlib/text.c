/* Strings and conversions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[] = "the quick brown fox, jumps over; the lazy dog";
    unsigned n = 0;

    for (char *word = strtok(text, " ,;"); word != NULL; word = strtok(NULL, " ,;")) {
        word[0] = (char)toupper((unsigned char)word[0]);
        n += printf("%s ", word);
    }
    printf("\n%u %ld %lu %.3f\n", n, strtol("-0x7f", NULL, 0), strtoul("777", NULL, 8),
           atof("2.71828"));
    return (int)strlen(strstr("haystack with a needle inside", "needle"));
}
