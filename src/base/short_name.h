/* Names of C++ and Rust that are too long for their column. */
#ifndef BASE_SHORT_NAME_H
#define BASE_SHORT_NAME_H

#include <stddef.h>

/* Shortens a printable name to at most width bytes, in its place; blanks before it stay. What tells
 * it from others stays longest: parameters and template arguments go from the innermost out, and
 * each only where that is needed, then the first namespaces and the type that is returned, then the
 * end. A name that fits is not changed. */
void short_name(char *name, size_t width);

#endif
