/* Names in tables by value, and names typed by people: compared without regard to case, in ASCII
 * whatever the locale. */
#ifndef CATALOG_NAMES_H
#define CATALOG_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a value in a table by value; "" where it has none. */
#define TEXT_BY(texts, value)                                                                      \
    ((size_t)(value) < sizeof(texts) / sizeof *(texts) && (texts)[value] != NULL ? (texts)[value]  \
                                                                                 : "")

/* Returns whether two texts are the same. */
bool catalog_names_equal(const char *left, const char *right);

/* Returns whether text begins with the first length characters of name. */
bool catalog_name_begins(const char *text, const char *name, size_t length);

/* Returns whether text is the same as the length characters at name. */
bool catalog_name_equals(const char *text, const char *name, size_t length);

#endif
