/* A machine file as read: which keys it gives, checked one by one but not yet a whole machine. */
#ifndef MACHINE_MACHINE_FILE_H
#define MACHINE_MACHINE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "machine/machine.h"

/* The keys of [machine]. */
enum { LABEL_NAME, LABEL_CORE, LABEL_TITLE, LABEL_BASE, LABELS };

/* A key that a file gave. */
struct machine_slot {
    unsigned line; /* 0: it did not */
    uint32_t value;
    char text[16];
};

struct machine_draft {
    struct machine_slot slots[MACHINE_KEYS];
    unsigned label_lines[LABELS];
    char label_texts[LABELS][128];
    struct armpmu_machine_stub stubs[ARMPMU_MACHINE_STUBS_MAX];
    unsigned n_stubs;
};

/* Reads a file into a draft of zeros. A mistake is an error with path, line, key, value and limits.
 * Returns ARMPMU_OK, ARMPMU_BAD_CONFIG, ARMPMU_IO or ARMPMU_NO_MEMORY. */
enum armpmu_status machine_draft_read(FILE *file, const char *path, struct machine_draft *draft,
                                      struct armpmu_error *err);

/* Gives a key another value: "l2.size_kb=512". A mistake is an error with the key, its value and
 * the limits. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
enum armpmu_status machine_draft_set(struct machine_draft *draft, const char *setting,
                                     struct armpmu_error *err);

#endif
