#include "snippet.h"

void check_aspects(const char *where, const char *kind, const char *name,
                   const struct aspect *aspects, unsigned n)
{
    unsigned i = 0;

    while (i + 1 < n && aspects[i].got == aspects[i].right)
        i++;
    const int is_right = aspects[i].got == aspects[i].right;
    check_words((const char *const[CHECK_WORDS]){where, kind, name, is_right ? 0 : aspects[i].name},
                aspects[i].got, aspects[i].right);
}
