#include "base/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* ---- opening ----------------------------------------------------------------------------------
 */

static enum armpmu_status cannot_read(const struct elf_file *file, struct armpmu_error *err)
{
    if (errno == ENOMEM)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%s'", file->path);
    return fail(err, ARMPMU_IO, "'%s' cannot be read: %s", file->path,
                errno != 0 ? strerror(errno) : elf_errmsg(-1));
}

static enum armpmu_status cut_short(const struct elf_file *file, const char *what, uint64_t end,
                                    struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "'%s' is truncated: %s end at byte %" PRIu64 ", the file has %" PRIu64
                ": copy or build it again",
                file->path, what, end, file->n_bytes);
}

static enum armpmu_status cannot_open(const struct elf_file *file, struct armpmu_error *err)
{
    if (errno == ENOENT)
        return fail(err, ARMPMU_NOT_FOUND, "'%s' is not there: build it, or correct its path",
                    file->path);
    if (errno == EACCES || errno == EPERM)
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' cannot be opened: look at its permissions",
                    file->path);
    return fail(err, errno == EMFILE || errno == ENFILE ? ARMPMU_IO : ARMPMU_NOT_ALLOWED,
                "'%s' cannot be opened: %s", file->path, strerror(errno));
}

/* A FIFO without a writer does not block. */
static enum armpmu_status open_regular(struct elf_file *file, struct armpmu_error *err)
{
    struct stat status;

    file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->fd < 0)
        return cannot_open(file, err);
    if (fstat(file->fd, &status) != 0 || !S_ISREG(status.st_mode))
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' is not a regular file: name the program's own",
                    file->path);
    file->n_bytes = (uint64_t)status.st_size;
    return pread(file->fd, file->header.e_ident, EI_NIDENT, 0) >= 0 ? ARMPMU_OK
                                                                    : cannot_read(file, err);
}

/* libelf takes a file with another identity for none of ELF, without saying why. */
static enum armpmu_status check_identity(const struct elf_file *file, const char *advice,
                                         struct armpmu_error *err)
{
    const unsigned char *const ident = file->header.e_ident;
    const size_t n = ident[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);

    if (memcmp(ident, ELFMAG, SELFMAG) != 0)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is not an ELF file: %s", file->path, advice);
    if (file->n_bytes < n)
        return cut_short(file, "its headers", n, err);
    if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is of ELF class %u, ELF has 1 and 2: %s",
                    file->path, ident[EI_CLASS], advice);
    if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has byte order %u, ELF has 1 and 2: %s",
                    file->path, ident[EI_DATA], advice);
    if (ident[EI_VERSION] != EV_CURRENT)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is of ELF version %u, ELF has 1: %s", file->path,
                    ident[EI_VERSION], advice);
    return ARMPMU_OK;
}

static enum armpmu_status read_header(struct elf_file *file, struct armpmu_error *err)
{
    errno = 0;
    elf_version(EV_CURRENT);
    file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
    if (file->elf == NULL || gelf_getehdr(file->elf, &file->header) == NULL)
        return cannot_read(file, err);
    if (file->header.e_phoff != 0 &&
        file->header.e_phentsize == gelf_fsize(file->elf, ELF_T_PHDR, 1, EV_CURRENT))
        file->n_segments = file->header.e_phnum;
    return ARMPMU_OK;
}

enum armpmu_status elf_file_open(const char *path, const char *advice, struct elf_file *out,
                                 struct armpmu_error *err)
{
    *out = (struct elf_file){.path = path, .fd = -1};
    enum armpmu_status status = open_regular(out, err);
    if (status == ARMPMU_OK)
        status = check_identity(out, advice, err);
    return status == ARMPMU_OK ? read_header(out, err) : status;
}

void elf_file_close(struct elf_file *file)
{
    elf_end(file->elf);
    if (file->path != NULL && file->fd >= 0)
        close(file->fd);
    *file = (struct elf_file){0};
}

bool elf_file_is_64(const struct elf_file *file)
{
    return file->header.e_ident[EI_CLASS] == ELFCLASS64;
}

bool elf_file_is_big_endian(const struct elf_file *file)
{
    return file->header.e_ident[EI_DATA] == ELFDATA2MSB;
}

/* ---- segments ---------------------------------------------------------------------------------
 */

static bool is_inside(const struct elf_file *file, uint64_t offset, uint64_t n_bytes)
{
    return offset <= file->n_bytes && n_bytes <= file->n_bytes - offset;
}

bool elf_file_segment(const struct elf_file *file, unsigned index, Elf64_Phdr *out)
{
    return gelf_getphdr(file->elf, (int)index, out) != NULL;
}

const void *elf_file_bytes(const struct elf_file *file, uint64_t offset, uint64_t n_bytes)
{
    const Elf_Data *const data =
        is_inside(file, offset, n_bytes)
            ? elf_getdata_rawchunk(file->elf, (int64_t)offset, n_bytes, ELF_T_BYTE)
            : NULL;

    return data != NULL ? data->d_buf : NULL;
}

/* Where a loader puts what must not overlap. */
struct extent {
    uint64_t address, n_bytes;
};

static struct extent extent_of(const Elf64_Phdr *segment, const struct elf_loader *loader)
{
    /* Linker scripts give .bss physical addresses that nothing is loaded to. */
    return loader->physical ? (struct extent){segment->p_paddr, segment->p_filesz}
                            : (struct extent){segment->p_vaddr, segment->p_memsz};
}

static bool overlap(const struct extent *a, const struct extent *b)
{
    return a->address < b->address + b->n_bytes && b->address < a->address + a->n_bytes;
}

/* Segments of lower index do not overlap this one. */
static enum armpmu_status check_overlap(const struct elf_file *file, unsigned index,
                                        const Elf64_Phdr *segment, const struct elf_loader *loader,
                                        struct armpmu_error *err)
{
    const struct extent here = extent_of(segment, loader);

    for (unsigned i = 0; i < index; i++) {
        Elf64_Phdr lower;
        if (!elf_file_segment(file, i, &lower) || lower.p_type != PT_LOAD || lower.p_memsz == 0)
            continue;
        const struct extent there = extent_of(&lower, loader);
        if (overlap(&there, &here))
            return fail(err, ARMPMU_BAD_INPUT,
                        "'%s' has segments that overlap, of 0x%" PRIx64 " bytes at 0x%" PRIx64
                        " and of 0x%" PRIx64 " at 0x%" PRIx64 ": %s",
                        file->path, there.n_bytes, there.address, here.n_bytes, here.address,
                        loader->remedy);
    }
    return ARMPMU_OK;
}

static enum armpmu_status check_loaded(const struct elf_file *file, const Elf64_Phdr *segment,
                                       const struct elf_loader *loader, struct armpmu_error *err)
{
    const uint64_t space = UINT64_C(1) << (elf_file_is_64(file) ? loader->address_bits_64 : 32);
    const uint64_t address = extent_of(segment, loader).address;

    if (segment->p_filesz > segment->p_memsz)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has a segment of %" PRIu64 " bytes that loads %" PRIu64
                    ": build it again",
                    file->path, segment->p_memsz, segment->p_filesz);
    if (address > space || segment->p_memsz > space - address)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has a segment of 0x%" PRIx64 " bytes at 0x%" PRIx64
                    ", past the end of the address space: %s",
                    file->path, segment->p_memsz, address, loader->remedy);
    return ARMPMU_OK;
}

static enum armpmu_status check_segment(const struct elf_file *file, unsigned index,
                                        const Elf64_Phdr *segment, const struct elf_loader *loader,
                                        struct armpmu_error *err)
{
    if (segment->p_type != PT_LOAD && segment->p_type != PT_INTERP)
        return ARMPMU_OK;
    /* Memory alone (.bss) has nothing in the file, and may have an offset past its end. */
    if (segment->p_filesz > 0 && !is_inside(file, segment->p_offset, segment->p_filesz))
        return cut_short(file, "its segments", segment->p_offset + segment->p_filesz, err);
    if (segment->p_type != PT_LOAD)
        return ARMPMU_OK;
    const enum armpmu_status status = check_loaded(file, segment, loader, err);
    return status == ARMPMU_OK && segment->p_memsz > 0
               ? check_overlap(file, index, segment, loader, err)
               : status;
}

static enum armpmu_status check_table(const struct elf_file *file, struct armpmu_error *err)
{
    const uint64_t at = file->header.e_phoff,
                   n_bytes = (uint64_t)file->n_segments * file->header.e_phentsize;

    if (file->n_segments > ELF_SEGMENTS_MAX)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has %u segments, at most %u: build it again",
                    file->path, file->n_segments, ELF_SEGMENTS_MAX);
    return is_inside(file, at, n_bytes) ? ARMPMU_OK
                                        : cut_short(file, "its program headers", at + n_bytes, err);
}

enum armpmu_status elf_file_check_segments(const struct elf_file *file,
                                           const struct elf_loader *loader,
                                           struct armpmu_error *err)
{
    enum armpmu_status status = check_table(file, err);
    bool loads = false;

    for (unsigned i = 0; i < file->n_segments && status == ARMPMU_OK; i++) {
        Elf64_Phdr segment;
        errno = 0;
        status = elf_file_segment(file, i, &segment) ? check_segment(file, i, &segment, loader, err)
                                                     : cannot_read(file, err);
        loads = loads || (status == ARMPMU_OK && segment.p_type == PT_LOAD && segment.p_memsz > 0);
    }
    if (status != ARMPMU_OK || loads)
        return status;
    return fail(err, ARMPMU_BAD_INPUT, "'%s' has no segments to load: link it as a program",
                file->path);
}

/* ---- sections ---------------------------------------------------------------------------------
 */

static int by_address(const void *left, const void *right)
{
    const struct elf_symbol *const l = left, *const r = right;

    if (l->address != r->address)
        return l->address < r->address ? -1 : 1;
    return strcmp(l->name, r->name);
}

/* Mapping symbols ("$a") are for tools. */
static bool is_label(const Elf64_Sym *symbol, const Elf_Data *names)
{
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);
    const char *const name = names->d_buf;

    return (type == STT_FUNC || type == STT_NOTYPE) && symbol->st_shndx != SHN_UNDEF &&
           symbol->st_shndx < SHN_LORESERVE && symbol->st_name < names->d_size &&
           name[symbol->st_name] != '\0' && name[symbol->st_name] != '$';
}

static size_t read_symbols(Elf_Data *table, size_t n, const Elf_Data *names,
                           struct elf_symbol *symbols)
{
    size_t n_symbols = 0;
    Elf64_Sym symbol;

    for (size_t i = 0; i < n && gelf_getsym(table, (int)i, &symbol) != NULL; i++)
        if (is_label(&symbol, names))
            symbols[n_symbols++] = (struct elf_symbol){
                symbol.st_value & ~UINT64_C(1), symbol.st_size,
                (const char *)names->d_buf + symbol.st_name, (symbol.st_value & 1) != 0,
                ELF64_ST_BIND(symbol.st_info) == STB_LOCAL};
    if (n_symbols > 0)
        qsort(symbols, n_symbols, sizeof *symbols, by_address);
    return n_symbols;
}

/* A table of strings ends with a zero byte: so does every name. */
static bool is_sound(const Elf_Data *table, const Elf_Data *names)
{
    return table != NULL && names != NULL && names->d_buf != NULL && names->d_size > 0 &&
           ((const char *)names->d_buf)[names->d_size - 1] == '\0';
}

struct symbol_table {
    Elf_Data *symbols;
    const Elf_Data *names;
    size_t n; /* 0: it is not there, or not sound */
};

static struct symbol_table find_symbols(const struct elf_file *file)
{
    Elf_Scn *section = NULL;
    Elf64_Shdr head = {0};

    while ((section = elf_nextscn(file->elf, section)) != NULL)
        if (gelf_getshdr(section, &head) != NULL && head.sh_type == SHT_SYMTAB)
            break;
    /* Raw: never a copy that libelf made of what is compressed. */
    struct symbol_table table = {elf_getdata(section, NULL),
                                 elf_rawdata(elf_getscn(file->elf, head.sh_link), NULL), 0};
    if (is_sound(table.symbols, table.names))
        table.n = table.symbols->d_size / gelf_fsize(file->elf, ELF_T_SYM, 1, EV_CURRENT);
    return table;
}

size_t elf_file_symbols(const struct elf_file *file, struct elf_symbol **out)
{
    const struct symbol_table table = find_symbols(file);

    *out = table.n != 0 ? calloc(table.n + 1, sizeof **out) : NULL;
    return *out != NULL ? read_symbols(table.symbols, table.n, table.names, *out) : 0;
}

bool elf_file_has_symbols(const struct elf_file *file)
{
    const struct symbol_table table = find_symbols(file);
    Elf64_Sym symbol;

    for (size_t i = 0; i < table.n && gelf_getsym(table.symbols, (int)i, &symbol) != NULL; i++)
        if (is_label(&symbol, table.names))
            return true;
    return false;
}

#define SECTION_BYTES_MAX (1u << 22)

const char *elf_file_section(const struct elf_file *file, const char *name, size_t *n_bytes)
{
    Elf_Scn *at = NULL;
    Elf64_Shdr head;
    size_t names;

    *n_bytes = 0;
    if (elf_getshdrstrndx(file->elf, &names) != 0)
        return NULL;
    while ((at = elf_nextscn(file->elf, at)) != NULL) {
        const char *const found =
            gelf_getshdr(at, &head) != NULL ? elf_strptr(file->elf, names, head.sh_name) : NULL;
        if (found == NULL || strcmp(found, name) != 0 || head.sh_type == SHT_NOBITS ||
            head.sh_size > SECTION_BYTES_MAX)
            continue;
        const char *const bytes = elf_file_bytes(file, head.sh_offset, head.sh_size);
        *n_bytes = bytes != NULL ? head.sh_size : 0;
        return bytes;
    }
    return NULL;
}

void elf_file_code(const struct elf_file *file, uint64_t n_bytes_max, uint64_t *first,
                   uint64_t *end)
{
    Elf_Scn *section = NULL;
    Elf64_Shdr head;

    *first = *end = 0;
    while ((section = elf_nextscn(file->elf, section)) != NULL) {
        if (gelf_getshdr(section, &head) == NULL || !(head.sh_flags & SHF_EXECINSTR) ||
            !(head.sh_flags & SHF_ALLOC) || head.sh_size == 0 || head.sh_size > n_bytes_max)
            continue;
        const uint64_t after = head.sh_addr + head.sh_size;
        *first = *end == 0 || head.sh_addr < *first ? head.sh_addr : *first;
        *end = after > *end ? after : *end;
    }
}

#ifndef SHT_ARM_ATTRIBUTES
#define SHT_ARM_ATTRIBUTES 0x70000003u
#endif
#define ATTRIBUTES_BYTES_MAX 65536u

bool elf_file_attributes(const struct elf_file *file, struct arm_attributes *out)
{
    Elf_Scn *section = NULL;
    Elf64_Shdr head;

    if (file->header.e_machine != EM_ARM || elf_file_is_big_endian(file))
        return false;
    while ((section = elf_nextscn(file->elf, section)) != NULL) {
        if (gelf_getshdr(section, &head) == NULL || head.sh_type != SHT_ARM_ATTRIBUTES ||
            head.sh_size > ATTRIBUTES_BYTES_MAX)
            continue;
        const void *const bytes = elf_file_bytes(file, head.sh_offset, head.sh_size);
        return bytes != NULL && arm_attributes_read(bytes, head.sh_size, out);
    }
    return false;
}
