#include "qemu/launcher/plugin_option.h"

#include <stdlib.h>
#include <string.h>

static char *append(char *to, const char *text, const char *doubled)
{
    for (; *text != '\0'; text++) {
        *to++ = *text;
        if (strchr(doubled, *text) != NULL)
            *to++ = *text;
    }
    *to = '\0';
    return to;
}

char *plugin_option(const struct plugin_argument *arguments)
{
    size_t size = 1;

    for (const struct plugin_argument *a = arguments; a->key != NULL; a++)
        if (a->value != NULL)
            size += strlen(a->key) + 2 * strlen(a->value) + 2;
    char *const option = malloc(size);
    char *end = option;
    if (option != NULL)
        *option = '\0';
    for (const struct plugin_argument *a = arguments; a->key != NULL && option != NULL; a++) {
        if (a->value == NULL)
            continue;
        if (end != option)
            *end++ = ',';
        end = append(end, a->key, "");
        *end++ = '=';
        end = append(end, a->value, ",");
    }
    return option;
}
