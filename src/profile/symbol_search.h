/* The addresses of a file's functions with a given name. */
#ifndef PROFILE_SYMBOL_SEARCH_H
#define PROFILE_SYMBOL_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

/* The symbols of include/armpmu/mark.h begin so: "armpmu.begin.NAME.7". */
#define SYMBOL_MARK "armpmu."

/* Addresses in the file (p_vaddr), in no order. */
struct symbol_matches {
    uint64_t *addresses;
    size_t n, room;
};

/* Called with each other name there is, and its address in the file. */
typedef void (*symbol_offer_fn)(void *user, const char *name, uint64_t address);

/* Functions and labels with a name: as the linker knows them, or as programmers write them, with or
 * without arguments. Several static functions may have one name; none has "". */
struct symbol_lookup {
    const char *name;
    struct symbol_matches *matches;
    symbol_offer_fn offer; /* may be NULL */
    void *user;
};

/* Adds the matches of a file; one that cannot be read has none. Returns false without memory. */
ARMPMU_MUST_USE bool symbol_search(const char *path, const char *sysroot,
                                   const struct symbol_lookup *search);

#endif
