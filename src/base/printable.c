#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long a sequence of UTF-8 is by its first byte; 0 for a byte that begins none. */
static unsigned sequence_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Shorter forms of longer sequences, surrogates and what is beyond U+10FFFF are none. */
static bool is_character(uint32_t code, unsigned length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

    return code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/* Characters that a terminal obeys, or that change the direction or the line of the text around
 * them: with the latter a name could show as another. */
static bool is_control(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                  {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

/* The length of the printable character that text begins with; 0 when it is none. */
static unsigned character_length(const unsigned char *text)
{
    const unsigned length = sequence_length(text[0]);
    uint32_t code = length <= 1 ? text[0] : text[0] & (0x7fu >> length);

    for (unsigned i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    return length > 0 && is_character(code, length) && !is_control(code) ? length : 0;
}

/* Takes one character off the front of the text and makes it printable. Returns its new length. */
static size_t take(const char **text, char shown[PRINTABLE_EXPANSION + 1])
{
    const unsigned length = character_length((const unsigned char *)*text);

    if (length > 0)
        memcpy(shown, *text, length);
    else
        snprintf(shown, PRINTABLE_EXPANSION + 1, "\\x%02x", (unsigned char)**text);
    *text += length > 0 ? length : 1;
    return length > 0 ? length : PRINTABLE_EXPANSION;
}

size_t printable(const char *text, char *out, size_t size)
{
    char shown[PRINTABLE_EXPANSION + 1];
    size_t n = 0;

    while (*text != '\0') {
        const size_t length = take(&text, shown);
        if (n + length >= size)
            break;
        memcpy(out + n, shown, length);
        n += length;
    }
    out[n] = '\0';
    return n;
}

char *printable_copy(const char *text)
{
    const size_t size = PRINTABLE_EXPANSION * strlen(text) + 1;
    char *const copy = malloc(size);

    if (copy != NULL)
        printable(text, copy, size);
    return copy;
}

void printable_put_n(const char *text, size_t n, FILE *stream)
{
    const char *const end = text + n;
    char shown[PRINTABLE_EXPANSION + 1];

    while (text < end && *text != '\0') {
        const size_t length = take(&text, shown);
        fwrite(shown, 1, length, stream);
    }
}

void printable_put(const char *text, FILE *stream)
{
    printable_put_n(text, strlen(text), stream);
}

void printable_put_quoted(const char *text, FILE *stream)
{
    char shown[PRINTABLE_EXPANSION + 1];

    fputc('"', stream);
    while (*text != '\0') {
        const size_t length = take(&text, shown);
        if (shown[0] == '"' || shown[0] == '\\')
            fputc('\\', stream);
        fwrite(shown, 1, length, stream);
    }
    fputc('"', stream);
}
