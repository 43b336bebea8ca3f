/* An input as text. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A copy that ends, which the caller frees; NULL without memory. */
static inline char *text_of(const uint8_t *bytes, size_t length)
{
    char *const text = malloc(length + 1);

    if (text != NULL) {
        memcpy(text, bytes, length);
        text[length] = '\0';
    }
    return text;
}

#endif
