#include "unicorn/image.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/printable.h"
#include "unicorn/image_order.h"

#define ADVICE "build it for bare metal (arm-none-eabi-gcc, or aarch64-linux-gnu-gcc -nostdlib)"

/* ---- the file ---------------------------------------------------------------------------------
 */

static enum armpmu_status read_file(FILE *file, const char *path, struct image *image,
                                    struct armpmu_error *err)
{
    struct stat status;

    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode))
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' is no regular file: name the program's own",
                    path);
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
    FILE *const file = image_open(path);

    if (file == NULL && errno == ENOMEM)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%s'", path);
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

/* The headers of both classes, as those of 64 bits. */
static const struct sizes {
    size_t header, segment, section, symbol;
    uint16_t machine;
} sizes_32 = {sizeof(Elf32_Ehdr), sizeof(Elf32_Phdr), sizeof(Elf32_Shdr), sizeof(Elf32_Sym),
              EM_ARM},
  sizes_64 = {sizeof(Elf64_Ehdr), sizeof(Elf64_Phdr), sizeof(Elf64_Shdr), sizeof(Elf64_Sym),
              EM_AARCH64};

static const struct sizes *sizes_of(const struct image *image)
{
    return image->is_64 ? &sizes_64 : &sizes_32;
}

#define WIDEN(type, narrow_type, read, ...)                                                        \
    static type read(const struct image *image, uint64_t at)                                       \
    {                                                                                              \
        type wide;                                                                                 \
        narrow_type narrow;                                                                        \
        if (image->is_64) {                                                                        \
            memcpy(&wide, image->file + at, sizeof wide);                                          \
            return wide;                                                                           \
        }                                                                                          \
        memcpy(&narrow, image->file + at, sizeof narrow);                                          \
        return (type){__VA_ARGS__};                                                                \
    }
#define SAME(field) .field = narrow.field

WIDEN(Elf64_Ehdr, Elf32_Ehdr, read_header, SAME(e_type), SAME(e_machine), SAME(e_entry),
      SAME(e_phoff), SAME(e_phnum), SAME(e_phentsize), SAME(e_shoff), SAME(e_shnum),
      SAME(e_shentsize))
WIDEN(Elf64_Phdr, Elf32_Phdr, read_segment, SAME(p_type), SAME(p_offset), SAME(p_paddr),
      SAME(p_filesz), SAME(p_memsz))
WIDEN(Elf64_Shdr, Elf32_Shdr, read_section, SAME(sh_type), SAME(sh_flags), SAME(sh_addr),
      SAME(sh_link), SAME(sh_offset), SAME(sh_size))
WIDEN(Elf64_Sym, Elf32_Sym, read_symbol, SAME(st_info), SAME(st_shndx), SAME(st_name),
      SAME(st_value), SAME(st_size))

static bool inside(const struct image *image, uint64_t offset, uint64_t n_bytes)
{
    return offset <= image->n_file_bytes && n_bytes <= image->n_file_bytes - offset;
}

static enum armpmu_status check_identity(const char *path, struct image *image,
                                         struct armpmu_error *err)
{
    const uint8_t *const identity = image->file;

    if (image->n_file_bytes < SELFMAG || memcmp(identity, ELFMAG, SELFMAG) != 0)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is not an ELF file: " ADVICE, path);
    image->is_64 = image->n_file_bytes > EI_CLASS && identity[EI_CLASS] == ELFCLASS64;
    if (image->n_file_bytes < sizes_of(image)->header)
        return cut_short(path, "its headers", sizes_of(image)->header, image, err);
    if (!image->is_64 && identity[EI_CLASS] != ELFCLASS32)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is of ELF class %u, Arm has 1 and 2: " ADVICE,
                    path, identity[EI_CLASS]);
    if (identity[EI_DATA] != ELFDATA2LSB && identity[EI_DATA] != ELFDATA2MSB)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has byte order %u, ELF has 1 and 2: " ADVICE, path,
                    identity[EI_DATA]);
    if (identity[EI_DATA] != ELFDATA2LSB)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is big-endian, which is for 32-bit Arm only: build it with "
                    "-mlittle-endian",
                    path);
    return ARMPMU_OK;
}

static enum armpmu_status check_header(const char *path, const struct image *image,
                                       const Elf64_Ehdr *elf, struct armpmu_error *err)
{
    const struct sizes *const sizes = sizes_of(image);

    if (elf->e_machine != sizes->machine)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is not a program for Arm: " ADVICE, path);
    if (elf->e_type != ET_EXEC)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is an ELF file of type %u, not a linked program: link it without -r "
                    "and -pie",
                    path, elf->e_type);
    const uint64_t n_bytes = elf->e_phnum * (uint64_t)sizes->segment;
    if (elf->e_phnum == 0 || elf->e_phentsize != sizes->segment)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has no segments to load: link it to a program",
                    path);
    return inside(image, elf->e_phoff, n_bytes)
               ? ARMPMU_OK
               : cut_short(path, "its program headers", elf->e_phoff + n_bytes, image, err);
}

/* Only of what is loaded: linker scripts give .bss addresses that nothing is loaded to. */
static const struct image_segment *overlapped(const struct image *image, const Elf64_Phdr *head)
{
    for (unsigned i = 0; i < image->n_segments; i++) {
        const struct image_segment *const other = &image->segments[i];
        if (head->p_paddr < other->address + other->n_file_bytes &&
            other->address < head->p_paddr + head->p_filesz)
            return other;
    }
    return NULL;
}

static enum armpmu_status add_segment(const char *path, struct image *image, const Elf64_Phdr *head,
                                      struct armpmu_error *err)
{
    if (!inside(image, head->p_offset, head->p_filesz))
        return cut_short(path, "its segments", head->p_offset + head->p_filesz, image, err);
    if (head->p_filesz > head->p_memsz)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has a segment of %" PRIu64 " bytes that loads %" PRIu64
                    ": build it again",
                    path, head->p_memsz, head->p_filesz);
    const uint64_t end = UINT64_C(1) << (image->is_64 ? IMAGE_ADDRESS_BITS : 32);
    if (head->p_paddr > end || head->p_memsz > end - head->p_paddr)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has a segment of 0x%" PRIx64 " bytes at 0x%" PRIx64
                    ", past the end of the address space: correct its linker script",
                    path, head->p_memsz, head->p_paddr);
    const struct image_segment *const other = overlapped(image, head);
    if (other != NULL)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has segments that overlap, of 0x%" PRIx64 " bytes at 0x%" PRIx64
                    " and of 0x%" PRIx64 " at 0x%" PRIx64 ": correct its linker script",
                    path, other->n_file_bytes, other->address, head->p_filesz, head->p_paddr);
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

static enum armpmu_status add_segments(const char *path, struct image *image, const Elf64_Ehdr *elf,
                                       struct armpmu_error *err)
{
    uint64_t n_bytes = 0;

    for (unsigned i = 0; i < elf->e_phnum; i++) {
        const Elf64_Phdr head =
            read_segment(image, elf->e_phoff + i * (uint64_t)sizes_of(image)->segment);
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

/* Symbols are for people: a table that is not sound is not used. */
static void add_symbols(struct image *image, const Elf64_Shdr *table, const Elf64_Shdr *names)
{
    const size_t bytes = sizes_of(image)->symbol, n = table->sh_size / bytes;

    image->symbols = calloc(n + 1, sizeof *image->symbols);
    for (size_t i = 0; i < n && image->symbols != NULL; i++) {
        const Elf64_Sym symbol = read_symbol(image, table->sh_offset + i * bytes);
        const unsigned type = ELF64_ST_TYPE(symbol.st_info);
        if ((type != STT_FUNC && type != STT_NOTYPE) || symbol.st_shndx == SHN_UNDEF ||
            symbol.st_shndx >= SHN_LORESERVE || symbol.st_name >= names->sh_size)
            continue;
        /* The file is followed by a zero byte: every name ends. */
        const char *const name = (const char *)image->file + names->sh_offset + symbol.st_name;
        if (name[0] == '\0' || name[0] == '$')
            continue;
        image->symbols[image->n_symbols++] =
            (struct image_symbol){symbol.st_value & ~UINT64_C(1), symbol.st_size, name};
    }
    if (image->n_symbols > 0)
        qsort(image->symbols, image->n_symbols, sizeof *image->symbols, by_address);
}

static void add_code(struct image *image, const Elf64_Shdr *section)
{
    if (!(section->sh_flags & SHF_EXECINSTR) || !(section->sh_flags & SHF_ALLOC) ||
        section->sh_size == 0 || section->sh_size > IMAGE_BYTES_MAX)
        return;
    const uint64_t end = section->sh_addr + section->sh_size;
    const bool first = image->code_end == 0;
    image->code_first =
        first || section->sh_addr < image->code_first ? section->sh_addr : image->code_first;
    image->code_end = end > image->code_end ? end : image->code_end;
}

static void find_symbols(struct image *image, const Elf64_Ehdr *elf)
{
    const size_t bytes = sizes_of(image)->section;

    if (elf->e_shentsize != bytes || !inside(image, elf->e_shoff, (uint64_t)elf->e_shnum * bytes))
        return;
    for (unsigned i = 0; i < elf->e_shnum; i++) {
        const Elf64_Shdr table = read_section(image, elf->e_shoff + i * bytes);
        add_code(image, &table);
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= elf->e_shnum)
            continue;
        const Elf64_Shdr names = read_section(image, elf->e_shoff + table.sh_link * bytes);
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
    const size_t n = printable(best->name, text, size);
    if (address != best->address)
        snprintf(text + n, size - n, "+0x%" PRIx64, address - best->address);
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
    Elf64_Ehdr elf;

    *out = (struct image){0};
    enum armpmu_status status = open_and_read(path, out, err);
    if (status == ARMPMU_OK)
        status = take_order(path, out, err);
    if (status == ARMPMU_OK)
        status = check_identity(path, out, err);
    if (status != ARMPMU_OK)
        return status;
    elf = read_header(out, 0);
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
