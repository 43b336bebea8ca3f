/* A bare-metal program: what its ELF file loads where, where it begins, what its symbols are. */
#ifndef UNICORN_IMAGE_H
#define UNICORN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/elf_file.h"

#define IMAGE_SEGMENTS_MAX 64u
/* All memory that firmware may have. Its segments and RAM are taken from the host. */
#define IMAGE_BYTES_MAX (UINT64_C(1) << 30)

struct image_segment {
    uint64_t address; /* physical: where a loader puts it */
    uint64_t linked;  /* virtual: where its symbols have it */
    uint64_t n_bytes; /* in memory; those after n_file_bytes are zero */
    uint64_t n_file_bytes;
    const void *bytes; /* of the file */
};

struct image {
    struct elf_file file;
    uint64_t entry;  /* bit 0: T32 */
    bool big_endian; /* its data, not its code: BE-8 */
    bool is_64;      /* of AArch64 */
    struct image_segment segments[IMAGE_SEGMENTS_MAX];
    unsigned n_segments;
    uint64_t code_first, code_end; /* from its first executable section to its last */
    bool is_raw;                   /* from a file that is no ELF file: it does not say is_64 */
    void *raw;                     /* its bytes, else NULL */
    struct elf_symbol *symbols;    /* functions, by address */
    size_t n_symbols;
};

/* Reads and checks an ELF file; path outlives the image. load: where the lowest byte of a
 * position-independent one goes; NULL: where it is linked to. It relocates itself, as boot loaders
 * do. Returns ARMPMU_OK, ARMPMU_NOT_FOUND, ARMPMU_NOT_ALLOWED, ARMPMU_BAD_INPUT (not an Arm
 * program, one for Linux, of another byte order, truncated, too large), ARMPMU_IO or
 * ARMPMU_NO_MEMORY. image_free in any case. */
ARMPMU_MUST_USE enum armpmu_status image_load(const char *path, const uint64_t *load,
                                              struct image *out, struct armpmu_error *err);
void image_free(struct image *image);

/* "main+0x1c", or "" where no symbol is near. */
void image_symbol_at(const struct image *image, uint64_t address, char *text, size_t size);

#endif
