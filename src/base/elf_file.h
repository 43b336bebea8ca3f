/* ELF files, read with libelf, which no other file includes.
 *
 * Headers are given as those of 64 bits in the host's byte order, whatever the file's class and
 * order. The file is read with calls, never mapped: one that is shortened meanwhile is an error.
 *
 * Leaves out: relocations, dynamic symbols, what is compressed. */
#ifndef BASE_ELF_FILE_H
#define BASE_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/arm_attributes.h"

#define ELF_SEGMENTS_MAX 256u /* compared in pairs; linkers make a dozen */

struct elf_file {
    const char *path; /* borrowed */
    int fd;
    struct Elf *elf;
    uint64_t n_bytes;
    Elf64_Ehdr header; /* e_ident: the file's first bytes, also of a file that is none of ELF */
    unsigned n_segments;
};

/* How a loader puts segments into memory. */
struct elf_loader {
    bool physical;            /* at p_paddr, the file's bytes only; else at p_vaddr, all bytes */
    unsigned address_bits_64; /* of a file of 64 bits */
    const char *remedy;       /* for wrong addresses: "build it again" */
};

struct elf_symbol {
    uint64_t address, n_bytes;
    const char *name;
    bool is_thumb; /* a function of T32: bit 0 of its value, which is not in the address */
    bool is_local; /* other files cannot name it */
};

/* Opens a file and checks its header. advice: how to build a file of the right kind. Returns
 * ARMPMU_OK, ARMPMU_NOT_FOUND, ARMPMU_NOT_ALLOWED, ARMPMU_BAD_INPUT, ARMPMU_IO or
 * ARMPMU_NO_MEMORY. elf_file_close in any case. */
ARMPMU_MUST_USE enum armpmu_status elf_file_open(const char *path, const char *advice,
                                                 struct elf_file *out, struct armpmu_error *err);
void elf_file_close(struct elf_file *file); /* zeroed is fine */

bool elf_file_is_64(const struct elf_file *file);
bool elf_file_is_big_endian(const struct elf_file *file);

/* Checks that there are segments to load, and that these lie in the file, fit into the address
 * space and do not overlap; that the name of the dynamic loader lies in the file. */
ARMPMU_MUST_USE enum armpmu_status elf_file_check_segments(const struct elf_file *file,
                                                           const struct elf_loader *loader,
                                                           struct armpmu_error *err);

/* One of n_segments program headers. False where it cannot be read. */
bool elf_file_segment(const struct elf_file *file, unsigned index, Elf64_Phdr *out);

/* A part of the file, valid until that is closed. NULL where it does not lie in the file, or
 * without memory. */
const void *elf_file_bytes(const struct elf_file *file, uint64_t offset, uint64_t n_bytes);

/* Functions and labels, by address; names are valid until the file is closed. Gives their number:
 * 0 without memory, and where the table of symbols is not sound. The caller frees *out. */
size_t elf_file_symbols(const struct elf_file *file, struct elf_symbol **out);

/* Returns whether elf_file_symbols would find any; it reads no more than the first. */
bool elf_file_has_symbols(const struct elf_file *file);

/* The processor that a program for 32-bit Arm says it was built for. False if it names none. */
bool elf_file_attributes(const struct elf_file *file, struct arm_attributes *out);

/* The content of a section, valid until the file is closed. NULL where there is none of that name,
 * or it cannot be read. */
const char *elf_file_section(const struct elf_file *file, const char *name, size_t *n_bytes);

/* From the first executable section to the last; both 0 where there is none. Sections of more than
 * n_bytes_max are none. */
void elf_file_code(const struct elf_file *file, uint64_t n_bytes_max, uint64_t *first,
                   uint64_t *end);

#endif
