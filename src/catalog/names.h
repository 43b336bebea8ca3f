/* Names typed by people: compared without regard to case, in ASCII whatever the locale. */
#ifndef CATALOG_NAMES_H
#define CATALOG_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether two texts are the same. */
bool catalog_names_equal(const char *left, const char *right);

/* Returns whether text begins with the first length characters of name. */
bool catalog_name_begins(const char *text, const char *name, size_t length);

/* Returns whether text is the same as the length characters at name. */
bool catalog_name_equals(const char *text, const char *name, size_t length);

#endif
