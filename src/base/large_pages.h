/* Large pages for memory that is used from its beginning to its end: the system then makes one for
 * 2 MB where it would make 512, each at its first use, which takes a microsecond and more. */
#ifndef BASE_LARGE_PAGES_H
#define BASE_LARGE_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE ((size_t)2 << 20)

/* Asks for them if the memory is as large as one. Where the system has none, nothing happens. The
 * ends, which fill no large page, are asked for as well: realloc can move memory without copying it
 * only if all of it was asked for alike. */
static inline void large_pages_ask(char *start, size_t bytes)
{
    if (bytes < LARGE_PAGE)
        return;
    const size_t before = (uintptr_t)start % (size_t)sysconf(_SC_PAGESIZE);
    (void)madvise(start - before, before + bytes, MADV_HUGEPAGE);
}

#endif
