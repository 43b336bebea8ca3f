/* Makes untrusted names printable: file names, symbols, names of events. */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

/* Bytes that one byte of text may become. */
#define PRINTABLE_EXPANSION 4u

/* Copies text to out of size bytes (at least 1). Control characters, which a terminal would obey,
 * those that change the direction of text, and bytes that are no UTF-8 become \xNN. Ends at a whole
 * character where not all fits. Returns the length of what is in out. */
size_t printable(const char *text, char *out, size_t size);

/* The whole text in memory that the caller frees; NULL without memory. */
char *printable_copy(const char *text);

/* Prints the whole text, or its first n bytes. */
void printable_put(const char *text, FILE *stream);
void printable_put_n(const char *text, size_t n, FILE *stream);

/* The same as a JSON string, in quotes. */
void printable_put_quoted(const char *text, FILE *stream);

#endif
