/* The kernel's mappings in this process, and their files. */
#ifndef BASE_OWN_MAPPINGS_H
#define BASE_OWN_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

struct own_mapping {
    uintptr_t first, end;
    uint64_t offset; /* in the file, of first */
    char path[4096]; /* "" for none */
};

/* The mapping that holds an address. False if none does, or the system does not tell. */
bool own_mapping_find(uintptr_t address, struct own_mapping *out);

#endif
