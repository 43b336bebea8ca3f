/* Prints JSON piece by piece: the documents are too large to build in memory. */
#ifndef EXPORT_JSON_TEXT_H
#define EXPORT_JSON_TEXT_H

#include <stdio.h>

#include "base/printable.h"

static inline void json_text(const char *text, FILE *out)
{
    if (text != NULL)
        printable_put_quoted(text, out);
    else
        fputs("null", out);
}

/* ,"key":"text" */
static inline void json_member(const char *key, const char *text, FILE *out)
{
    fprintf(out, ",\"%s\":", key);
    json_text(text, out);
}

#endif
