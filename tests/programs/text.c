/* Text: formatting, parsing, searching, splitting. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char verse[] =
    "the quick brown fox jumps over the lazy dog and the dog looks at the fox as the fox goes by";

static int count_words(const char *word)
{
    char copy[sizeof(verse)];
    int n = 0;
    strcpy(copy, verse);
    for (char *token = strtok(copy, " "); token; token = strtok(NULL, " "))
        n += strcmp(token, word) == 0;
    return n;
}

int main(void)
{
    char line[128];
    long total = 0;
    for (int i = 0; i < 200; i++) {
        snprintf(line, sizeof(line), "%d %5x %-8s|%s", i * 7919, i, i & 1 ? "odd" : "even",
                 strstr(verse, "lazy"));
        total += strtol(line, NULL, 10) + (long)strlen(line);
        for (char *c = line; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        total += strchr(line, '|') - line;
    }
    printf("%ld %d %d\n%s\n", total, count_words("the"), count_words("fox"), line);
    return 0;
}
