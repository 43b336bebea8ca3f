#include "unicorn/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/printable.h"

#define BOARD_ADDRESS_BITS 44 /* of AArch64 */

#define BUILD_FOR_BARE_METAL                                                                       \
    "build it for bare metal (arm-none-eabi-gcc, or aarch64-linux-gnu-gcc -nostdlib)"

/* Code is little-endian always; data may be big-endian in A32 and T32 (BE-8). */
static enum armpmu_status check_order(const struct elf_file *file, struct armpmu_error *err)
{
    if (!elf_file_is_big_endian(file))
        return ARMPMU_OK;
    if (elf_file_is_64(file))
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is big-endian, which is for 32-bit Arm only: build it with "
                    "-mlittle-endian",
                    file->path);
    if (file->header.e_machine == EM_ARM && !(file->header.e_flags & EF_ARM_BE8))
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has big-endian code (BE-32), which the Unicorn library does not run: "
                    "link it with -Wl,--be8, or build it with -mlittle-endian",
                    file->path);
    return ARMPMU_OK;
}

static enum armpmu_status check_header(const struct elf_file *file, struct armpmu_error *err)
{
    const enum armpmu_status status = check_order(file, err);

    if (status != ARMPMU_OK)
        return status;
    if (file->header.e_machine != (elf_file_is_64(file) ? EM_AARCH64 : EM_ARM))
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is not a program for Arm: " BUILD_FOR_BARE_METAL,
                    file->path);
    if (file->header.e_type != ET_EXEC)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is an ELF file of type %u, not a linked program: link it without -r "
                    "and -pie",
                    file->path, file->header.e_type);
    return ARMPMU_OK;
}

/* Before anything of the file but its headers is read into memory. */
static enum armpmu_status check_size(const struct elf_file *file, struct armpmu_error *err)
{
    uint64_t n_bytes = 0;
    Elf64_Phdr head;

    if (file->n_bytes > IMAGE_BYTES_MAX)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has %" PRIu64 " bytes; firmware may have %" PRIu64,
                    file->path, file->n_bytes, IMAGE_BYTES_MAX);
    for (unsigned i = 0; i < file->n_segments; i++)
        if (elf_file_segment(file, i, &head) && head.p_type == PT_LOAD)
            n_bytes += head.p_memsz;
    if (n_bytes > IMAGE_BYTES_MAX)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' loads %" PRIu64 " bytes; firmware may have %" PRIu64
                    ": correct its linker script",
                    file->path, n_bytes, IMAGE_BYTES_MAX);
    return ARMPMU_OK;
}

static enum armpmu_status add_segments(struct image *image, struct armpmu_error *err)
{
    Elf64_Phdr head;

    for (unsigned i = 0; i < image->file.n_segments; i++) {
        if (!elf_file_segment(&image->file, i, &head) || head.p_type != PT_LOAD ||
            head.p_memsz == 0)
            continue;
        if (image->n_segments == IMAGE_SEGMENTS_MAX)
            return fail(err, ARMPMU_BAD_INPUT, "'%s' loads more than %u segments", image->file.path,
                        IMAGE_SEGMENTS_MAX);
        struct image_segment *const segment = &image->segments[image->n_segments++];
        *segment = (struct image_segment){head.p_paddr, head.p_memsz, head.p_filesz, ""};
        if (head.p_filesz > 0)
            segment->bytes = elf_file_bytes(&image->file, head.p_offset, head.p_filesz);
        if (segment->bytes == NULL)
            return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%s'", image->file.path);
    }
    return ARMPMU_OK;
}

enum armpmu_status image_load(const char *path, struct image *out, struct armpmu_error *err)
{
    const struct elf_loader loader = {true, BOARD_ADDRESS_BITS, "correct its linker script"};
    struct elf_file *const file = &out->file;

    *out = (struct image){0};
    enum armpmu_status status = elf_file_open(path, BUILD_FOR_BARE_METAL, file, err);
    if (status == ARMPMU_OK)
        status = check_header(file, err);
    if (status == ARMPMU_OK)
        status = elf_file_check_segments(file, &loader, err);
    if (status == ARMPMU_OK)
        status = check_size(file, err);
    if (status == ARMPMU_OK)
        status = add_segments(out, err);
    if (status != ARMPMU_OK)
        return status;
    out->is_64 = elf_file_is_64(file);
    out->big_endian = elf_file_is_big_endian(file);
    out->entry = file->header.e_entry;
    out->n_symbols = elf_file_symbols(file, &out->symbols);
    elf_file_code(file, IMAGE_BYTES_MAX, &out->code_first, &out->code_end);
    return ARMPMU_OK;
}

void image_free(struct image *image)
{
    elf_file_close(&image->file);
    free(image->symbols);
    free(image->raw);
    *image = (struct image){0};
}

void image_symbol_at(const struct image *image, uint64_t address, char *text, size_t size)
{
    const struct elf_symbol *best = NULL;

    text[0] = '\0';
    for (size_t i = 0; i < image->n_symbols && image->symbols[i].address <= address; i++)
        if (image->symbols[i].n_bytes == 0 ||
            address - image->symbols[i].address < image->symbols[i].n_bytes)
            best = &image->symbols[i];
    bool loaded = false;
    for (unsigned i = 0; i < image->n_segments; i++)
        loaded = loaded || address - image->segments[i].address < image->segments[i].n_bytes;
    if (best == NULL || !loaded)
        return;
    const size_t n = printable(best->name, text, size);
    if (address != best->address)
        snprintf(text + n, size - n, "+0x%" PRIx64, address - best->address);
}
