/* Names of C++ and Rust as programmers write them. */
#ifndef PROFILE_DEMANGLE_H
#define PROFILE_DEMANGLE_H

/* The source name of a symbol, name@plt included, in memory that the caller frees; NULL if the
 * symbol is not mangled, or without memory, or if the name has more than 32 KiB: it is shown as it
 * is.
 */
char *demangle(const char *symbol);

#endif
