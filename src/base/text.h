/* Builds a text piece by piece in an array. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Appends to a text in an array of size bytes, after the separator unless the text is empty. What
 * does not fit is left out. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static inline void
text_join(char *text, size_t size, const char *separator, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;

    if (used > 0)
        snprintf(text + used, size - used, "%s", separator);
    used = strlen(text);
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

#endif
