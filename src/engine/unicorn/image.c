#include "engine/unicorn/image.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fail.h"
#include "engine/unicorn/image_order.h"

#define ADVICE "build it for bare metal (arm-none-eabi-gcc)"

/* ---- the file ---------------------------------------------------------------------------------
 */

static enum armpmu_status read_file(FILE *file, const char *path, struct image *image,
                                    struct armpmu_error *err)
{
    struct stat status;

    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode))
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' is no regular file", path);
    if ((uint64_t)status.st_size > IMAGE_BYTES_MAX)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has %lld bytes; firmware may have %" PRIu64, path,
                    (long long)status.st_size, IMAGE_BYTES_MAX);
    image->n_file_bytes = (size_t)status.st_size;
    image->file = malloc(image->n_file_bytes + 1);
    if (image->file == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%s'", path);
    if (fread(image->file, 1, image->n_file_bytes, file) != image->n_file_bytes)
        return fail(err, ARMPMU_IO, "'%s' cannot be read", path);
    image->file[image->n_file_bytes] = '\0';
    return ARMPMU_OK;
}

static enum armpmu_status open_and_read(const char *path, struct image *image,
                                        struct armpmu_error *err)
{
    FILE *const file = fopen(path, "rbe");

    if (file == NULL)
        return fail(err, errno == ENOENT ? ARMPMU_NOT_FOUND : ARMPMU_NOT_ALLOWED,
                    errno == ENOENT ? "'%s' is not there: build it, or correct its path"
                                    : "'%s' cannot be opened: look at its permissions",
                    path);
    const enum armpmu_status status = read_file(file, path, image, err);
    fclose(file);
    return status;
}

/* ---- headers ----------------------------------------------------------------------------------
 */

static enum armpmu_status cut_short(const char *path, const char *what, uint64_t end,
                                    const struct image *image, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "'%s' is cut short: %s end at byte %" PRIu64
                ", the file has %zu: copy or build it again",
                path, what, end, image->n_file_bytes);
}

static enum armpmu_status check_header(const char *path, const struct image *image, Elf32_Ehdr *elf,
                                       struct armpmu_error *err)
{
    if (image->n_file_bytes < SELFMAG || memcmp(image->file, ELFMAG, SELFMAG) != 0)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is not an ELF file: " ADVICE, path);
    if (image->n_file_bytes < sizeof *elf)
        return cut_short(path, "its headers", sizeof *elf, image, err);
    memcpy(elf, image->file, sizeof *elf);
    if (elf->e_ident[EI_DATA] != ELFDATA2LSB)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is big-endian, which is for 32-bit Arm only: build it with "
                    "-mlittle-endian",
                    path);
    if (elf->e_ident[EI_CLASS] != ELFCLASS32 || elf->e_machine != EM_ARM)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is not a program for 32-bit Arm: " ADVICE, path);
    if (elf->e_type != ET_EXEC)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is an ELF file of type %u, not a linked program: link it without -r "
                    "and -pie",
                    path, elf->e_type);
    const uint64_t end = elf->e_phoff + (uint64_t)elf->e_phnum * sizeof(Elf32_Phdr);
    if (elf->e_phnum == 0 || elf->e_phentsize != sizeof(Elf32_Phdr))
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has no segments to load: link it to a program",
                    path);
    return end > image->n_file_bytes ? cut_short(path, "its program headers", end, image, err)
                                     : ARMPMU_OK;
}

static enum armpmu_status add_segment(const char *path, struct image *image, const Elf32_Phdr *head,
                                      struct armpmu_error *err)
{
    const uint64_t file_end = (uint64_t)head->p_offset + head->p_filesz;

    if (file_end > image->n_file_bytes)
        return cut_short(path, "its segments", file_end, image, err);
    if (head->p_filesz > head->p_memsz)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has a segment of %u bytes that loads %u: build it again", path,
                    head->p_memsz, head->p_filesz);
    if ((uint64_t)head->p_paddr + head->p_memsz > UINT64_C(1) << 32)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has a segment of 0x%x bytes at 0x%x, past the end of the address space: "
                    "correct its linker script",
                    path, head->p_memsz, head->p_paddr);
    if (image->n_segments == IMAGE_SEGMENTS_MAX)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' loads more than %u segments", path,
                    IMAGE_SEGMENTS_MAX);
    image->segments[image->n_segments++] = (struct image_segment){
        .address = head->p_paddr,
        .n_bytes = head->p_memsz,
        .n_file_bytes = head->p_filesz,
        .bytes = image->file + head->p_offset,
    };
    return ARMPMU_OK;
}

static enum armpmu_status add_segments(const char *path, struct image *image, const Elf32_Ehdr *elf,
                                       struct armpmu_error *err)
{
    uint64_t n_bytes = 0;

    for (unsigned i = 0; i < elf->e_phnum; i++) {
        Elf32_Phdr head;
        memcpy(&head, image->file + elf->e_phoff + i * sizeof head, sizeof head);
        if (head.p_type != PT_LOAD || head.p_memsz == 0)
            continue;
        const enum armpmu_status status = add_segment(path, image, &head, err);
        if (status != ARMPMU_OK)
            return status;
        n_bytes += head.p_memsz;
    }
    if (image->n_segments == 0)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' loads nothing: link it to a program", path);
    if (n_bytes > IMAGE_BYTES_MAX)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' loads %" PRIu64 " bytes; firmware may have %" PRIu64
                    ": correct its linker script",
                    path, n_bytes, IMAGE_BYTES_MAX);
    return ARMPMU_OK;
}

/* ---- symbols ----------------------------------------------------------------------------------
 */

static int by_address(const void *left, const void *right)
{
    const struct image_symbol *const l = left, *const r = right;

    if (l->address != r->address)
        return l->address < r->address ? -1 : 1;
    return strcmp(l->name, r->name);
}

static bool inside(const struct image *image, uint64_t offset, uint64_t n_bytes)
{
    return offset <= image->n_file_bytes && n_bytes <= image->n_file_bytes - offset;
}

/* Symbols are for people: a table that is not sound is not used. */
static void add_symbols(struct image *image, const Elf32_Shdr *table, const Elf32_Shdr *names)
{
    const size_t n = table->sh_size / sizeof(Elf32_Sym);

    image->symbols = calloc(n + 1, sizeof *image->symbols);
    for (size_t i = 0; i < n && image->symbols != NULL; i++) {
        Elf32_Sym symbol;
        memcpy(&symbol, image->file + table->sh_offset + i * sizeof symbol, sizeof symbol);
        const unsigned type = ELF32_ST_TYPE(symbol.st_info);
        if ((type != STT_FUNC && type != STT_NOTYPE) || symbol.st_shndx == SHN_UNDEF ||
            symbol.st_shndx >= SHN_LORESERVE || symbol.st_name >= names->sh_size)
            continue;
        /* The file is followed by a zero byte: every name ends. */
        const char *const name = (const char *)image->file + names->sh_offset + symbol.st_name;
        if (name[0] == '\0' || name[0] == '$')
            continue;
        image->symbols[image->n_symbols++] =
            (struct image_symbol){symbol.st_value & ~1u, symbol.st_size, name};
    }
    if (image->n_symbols > 0)
        qsort(image->symbols, image->n_symbols, sizeof *image->symbols, by_address);
}

static void find_symbols(struct image *image, const Elf32_Ehdr *elf)
{
    if (elf->e_shentsize != sizeof(Elf32_Shdr) ||
        !inside(image, elf->e_shoff, (uint64_t)elf->e_shnum * sizeof(Elf32_Shdr)))
        return;
    for (unsigned i = 0; i < elf->e_shnum; i++) {
        Elf32_Shdr table, names;
        memcpy(&table, image->file + elf->e_shoff + i * sizeof table, sizeof table);
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= elf->e_shnum)
            continue;
        memcpy(&names, image->file + elf->e_shoff + table.sh_link * sizeof names, sizeof names);
        if (inside(image, table.sh_offset, table.sh_size) &&
            inside(image, names.sh_offset, names.sh_size) && image->symbols == NULL)
            add_symbols(image, &table, &names);
    }
}

void image_symbol_at(const struct image *image, uint64_t address, char *text, size_t size)
{
    const struct image_symbol *best = NULL;

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
    if (address == best->address)
        snprintf(text, size, "%s", best->name);
    else
        snprintf(text, size, "%s+0x%" PRIx64, best->name, address - best->address);
}

/* ---- byte order -------------------------------------------------------------------------------
 */

static enum armpmu_status take_order(const char *path, struct image *image,
                                     struct armpmu_error *err)
{
    Elf32_Ehdr elf;

    if (!image_order_is_big(image->file, image->n_file_bytes))
        return ARMPMU_OK;
    image_order_turn(image->file, image->n_file_bytes);
    memcpy(&elf, image->file, sizeof elf);
    image->big_endian = true;
    if (elf.e_machine == EM_ARM && !(elf.e_flags & EF_ARM_BE8))
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has big-endian code (BE-32), which the Unicorn library does not run: "
                    "link it with -Wl,--be8, or build it with -mlittle-endian",
                    path);
    return ARMPMU_OK;
}

/* ---- all --------------------------------------------------------------------------------------
 */

enum armpmu_status image_load(const char *path, struct image *out, struct armpmu_error *err)
{
    Elf32_Ehdr elf;

    *out = (struct image){0};
    enum armpmu_status status = open_and_read(path, out, err);
    if (status == ARMPMU_OK)
        status = take_order(path, out, err);
    if (status == ARMPMU_OK)
        status = check_header(path, out, &elf, err);
    if (status == ARMPMU_OK)
        status = add_segments(path, out, &elf, err);
    if (status != ARMPMU_OK)
        return status;
    out->entry = elf.e_entry;
    find_symbols(out, &elf);
    return ARMPMU_OK;
}

void image_free(struct image *image)
{
    free(image->file);
    free(image->symbols);
    *image = (struct image){0};
}
