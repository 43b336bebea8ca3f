/* Reads nested lists of numbers and names from text, by recursive descent. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char text[20000];
static const char *at;
static long lists, numbers, names, deepest;

static void value(long depth)
{
    deepest = depth > deepest ? depth : deepest;
    if (*at == '[') {
        lists++;
        for (at++; *at != ']'; at += *at == ',')
            value(depth + 1);
        at++;
    } else if (isdigit((unsigned char)*at)) {
        while (isdigit((unsigned char)*at))
            at++;
        numbers++;
    } else {
        while (isalpha((unsigned char)*at))
            at++;
        names++;
    }
}

int main(void)
{
    unsigned n = 0;
    text[n++] = '[';
    for (unsigned i = 0; n + 64 < sizeof text; i++)
        n += (unsigned)snprintf(text + n, sizeof text - n,
                                i % 5 == 0 ? "[[%u,x],[y,%u]]," : "%u,n,", i, i * i);
    strcpy(text + n, "end]");
    at = text;
    value(0);
    printf("%ld lists, %ld numbers, %ld names, %ld deep\n", lists, numbers, names, deepest);
    return *at == '\0' ? 0 : 1;
}
