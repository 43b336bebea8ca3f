/* An access from an unaligned address that faults. The library makes it all the same, and has no way
 * to stop before it: so what it does from there on is undone. */
#ifndef UNICORN_UNALIGNED_H
#define UNICORN_UNALIGNED_H

#include <stdbool.h>
#include <stdint.h>

#include "unicorn/library.h"

#define UNALIGNED_WRITES 1024u /* of the rest of a block of the library's */

struct unaligned {
    bool active;
    uint64_t at;         /* of the instruction, */
    uint16_t index;      /* and which it is of its code block */
    uc_context *context; /* the processor before it; NULL: there was none yet */
    unsigned n;
    struct unaligned_write {
        uint64_t address;
        uint8_t size, bytes[16]; /* as they were */
    } writes[UNALIGNED_WRITES];
};

#endif
