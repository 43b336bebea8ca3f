/* Writes everything to a descriptor that may accept less at a time. */
#ifndef BASE_WRITE_ALL_H
#define BASE_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* Writes all bytes, and waits where it takes no more. Returns false with errno on failure. */
bool write_all(int fd, const char *bytes, size_t n);

#endif
