/* Names of C++ and Rust as programmers write them. */
#ifndef PROFILE_DEMANGLE_H
#define PROFILE_DEMANGLE_H

/* What a symbol stands for, name@plt included, in memory that the caller frees; NULL where the
 * symbol is not mangled, or without memory, or stands for more than 32 KiB: it is shown as it is.
 */
char *demangle(const char *symbol);

#endif
