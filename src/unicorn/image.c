#include "unicorn/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/printable.h"
#include "unicorn/elf_probe.h"
#include "unicorn/raw_format.h"

#define BOARD_ADDRESS_BITS 44 /* of AArch64 */
#define IMAGE_PAGE_BYTES   0x1000u

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
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is not a program for Arm: " IMAGE_BUILD,
                    file->path);
    if (file->header.e_type != ET_EXEC && file->header.e_type != ET_DYN)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is an ELF file of type %u, not a linked program: link it without -r",
                    file->path, file->header.e_type);
    const char *const sign = elf_probe_linux(file);
    return sign == NULL ? ARMPMU_OK
                        : fail(err, ARMPMU_BAD_INPUT,
                               "'%s' is a program for Linux (%s), which the bare core lacks: "
                               "'armpmu stat %s' counts it",
                               file->path, sign, file->path);
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

/* Linkers for programs with an operating system leave physical addresses 0: then there are none. As
 * objcopy takes them. */
static bool has_physical(const struct elf_file *file)
{
    bool has = false;
    Elf64_Phdr head;

    for (unsigned i = 0; i < file->n_segments; i++)
        has = has || (elf_file_segment(file, i, &head) && head.p_type == PT_LOAD &&
                      head.p_memsz > 0 && head.p_paddr != 0);
    return has;
}

static enum armpmu_status add_segments(struct image *image, bool physical, struct armpmu_error *err)
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
        *segment = (struct image_segment){.address = physical ? head.p_paddr : head.p_vaddr,
                                          .linked = head.p_vaddr,
                                          .n_bytes = head.p_memsz,
                                          .n_file_bytes = head.p_filesz,
                                          .bytes = ""};
        if (head.p_filesz > 0)
            segment->bytes = elf_file_bytes(&image->file, head.p_offset, head.p_filesz);
        if (segment->bytes == NULL)
            return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%s'", image->file.path);
    }
    return ARMPMU_OK;
}

/* ---- addresses ---------------------------------------------------------------------------------
 */

static const struct image_segment *loaded_at(const struct image *image, uint64_t address)
{
    for (unsigned i = 0; i < image->n_segments; i++)
        if (address - image->segments[i].address < image->segments[i].n_bytes)
            return &image->segments[i];
    return NULL;
}

static const struct image_segment *linked_at(const struct image *image, uint64_t address)
{
    for (unsigned i = 0; i < image->n_segments; i++)
        if (address - image->segments[i].linked < image->segments[i].n_bytes)
            return &image->segments[i];
    return NULL;
}

/* CHOICE(firmware-entry): translation is off at the start, so an entry point that only has virtual
 * memory lies where that is loaded. */
static uint64_t entry_of(const struct image *image)
{
    const uint64_t entry = image->file.header.e_entry;
    const struct image_segment *const segment = linked_at(image, entry);

    return loaded_at(image, entry) != NULL || segment == NULL
               ? entry
               : entry - segment->linked + segment->address;
}

static void move(struct image *image, uint64_t by)
{
    image->entry += by;
    image->code_first += by;
    image->code_end += by;
    for (unsigned i = 0; i < image->n_segments; i++) {
        image->segments[i].address += by;
        image->segments[i].linked += by;
    }
    for (size_t i = 0; i < image->n_symbols; i++)
        image->symbols[i].address += by;
}

/* Code finds its data by distance in pages. */
static enum armpmu_status move_to(struct image *image, uint64_t load, struct armpmu_error *err)
{
    uint64_t lowest = UINT64_MAX;

    if (image->file.header.e_type != ET_DYN)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is an ELF file with fixed addresses: leave --load out", image->file.path);
    for (unsigned i = 0; i < image->n_segments; i++)
        lowest = image->segments[i].address < lowest ? image->segments[i].address : lowest;
    if ((load - lowest) % IMAGE_PAGE_BYTES != 0)
        return fail(err, ARMPMU_BAD_INPUT,
                    "--load 0x%" PRIx64 " does not move '%s' by whole pages of 0x%x bytes: its "
                    "lowest byte is linked to 0x%" PRIx64 ", so choose 0x%" PRIx64,
                    load, image->file.path, IMAGE_PAGE_BYTES, lowest,
                    load - (load - lowest) % IMAGE_PAGE_BYTES);
    move(image, load - lowest);
    return ARMPMU_OK;
}

static enum armpmu_status read_image(struct image *out, const uint64_t *load,
                                     struct armpmu_error *err)
{
    struct elf_file *const file = &out->file;
    const struct elf_loader loader = {has_physical(file), BOARD_ADDRESS_BITS,
                                      "correct its linker script"};
    enum armpmu_status status = elf_file_check_segments(file, &loader, err);

    if (status == ARMPMU_OK)
        status = check_size(file, err);
    if (status == ARMPMU_OK)
        status = add_segments(out, loader.physical, err);
    if (status != ARMPMU_OK)
        return status;
    out->is_64 = elf_file_is_64(file);
    out->big_endian = elf_file_is_big_endian(file);
    out->entry = entry_of(out);
    out->n_symbols = elf_file_symbols(file, &out->symbols);
    elf_file_code(file, IMAGE_BYTES_MAX, &out->code_first, &out->code_end);
    return load != NULL ? move_to(out, *load, err) : ARMPMU_OK;
}

enum armpmu_status image_load(const char *path, const uint64_t *load, struct image *out,
                              struct armpmu_error *err)
{
    *out = (struct image){0};
    enum armpmu_status status = elf_file_open(path, IMAGE_BUILD, &out->file, err);
    if (status == ARMPMU_BAD_INPUT && memcmp(out->file.header.e_ident, ELFMAG, SELFMAG) != 0)
        return raw_format_ask(path, err);
    if (status == ARMPMU_OK)
        status = check_header(&out->file, err);
    return status == ARMPMU_OK ? read_image(out, load, err) : status;
}

void image_free(struct image *image)
{
    elf_file_close(&image->file);
    free(image->symbols);
    free(image->raw);
    *image = (struct image){0};
}

/* Before translation is on code runs where it is loaded, and its symbols are where it is linked. */
void image_symbol_at(const struct image *image, uint64_t address, char *text, size_t size)
{
    const struct image_segment *const loaded = loaded_at(image, address);
    const bool linked = linked_at(image, address) != NULL;
    const struct elf_symbol *best = NULL;

    text[0] = '\0';
    if (loaded == NULL && !linked)
        return;
    const uint64_t at = linked ? address : address - loaded->address + loaded->linked;
    for (size_t i = 0; i < image->n_symbols && image->symbols[i].address <= at; i++)
        if (image->symbols[i].n_bytes == 0 ||
            at - image->symbols[i].address < image->symbols[i].n_bytes)
            best = &image->symbols[i];
    if (best == NULL)
        return;
    const size_t n = printable(best->name, text, size);
    if (at != best->address)
        snprintf(text + n, size - n, "+0x%" PRIx64, at - best->address);
}
