#include "qemu/plugin/allocators.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qemu/plugin/code_files.h"
#include "qemu/ring/layout.h"

#define NO_MORE     ALLOCATOR_NO_ARGUMENT
#define ENTRIES_MAX 1024u
#define TABLE_BYTES (UINT64_C(1) << 30)

/* C++ names as the Itanium ABI has them; size_t is m in 64 bits, j in 32. */
static const struct allocator allocators[] = {
    {"malloc", 0, NO_MORE, false, false},
    {"calloc", 0, 1, false, false},
    {"realloc", 1, NO_MORE, false, false},
    {"reallocarray", 1, 2, false, false},
    {"aligned_alloc", 1, NO_MORE, false, false},
    {"memalign", 1, NO_MORE, false, false},
    {"valloc", 0, NO_MORE, false, false},
    {"posix_memalign", 2, NO_MORE, true, false},
    {"_Znwm", 0, NO_MORE, false, false},
    {"_Znwj", 0, NO_MORE, false, false},
    {"_Znam", 0, NO_MORE, false, false},
    {"_Znaj", 0, NO_MORE, false, false},
    {"_ZnwmRKSt9nothrow_t", 0, NO_MORE, false, false},
    {"_ZnwjRKSt9nothrow_t", 0, NO_MORE, false, false},
    {"_ZnamRKSt9nothrow_t", 0, NO_MORE, false, false},
    {"_ZnajRKSt9nothrow_t", 0, NO_MORE, false, false},
    {"_ZnwmSt11align_val_t", 0, NO_MORE, false, false},
    {"_ZnwjSt11align_val_t", 0, NO_MORE, false, false},
    {"_ZnamSt11align_val_t", 0, NO_MORE, false, false},
    {"_ZnajSt11align_val_t", 0, NO_MORE, false, false},
    {"mmap", 1, NO_MORE, false, true},
    {"mmap64", 1, NO_MORE, false, true},
};

/* Where they begin in the program, of all files so far. */
static struct allocator_entry {
    uint64_t address;
    const struct allocator *is;
} entries[ENTRIES_MAX];
static unsigned n_entries;

static bool was_read[RING_FILES_MAX + 1];

/* ---- a file ---- */

/* Members have the same names in both classes. */
#define BOTH_CLASSES(name, type)                                                                   \
    union name {                                                                                   \
        Elf32_##type of_32;                                                                        \
        Elf64_##type of_64;                                                                        \
    }
BOTH_CLASSES(elf_header, Ehdr);
BOTH_CLASSES(elf_section, Shdr);
BOTH_CLASSES(elf_segment, Phdr);
BOTH_CLASSES(elf_symbol_entry, Sym);

struct elf_image {
    int fd;
    bool is_64;
    union elf_header header;
    const struct ring_file *file;
};

#define OF_CLASS(image, thing, member)                                                             \
    ((image)->is_64 ? (uint64_t)(thing).of_64.member : (uint64_t)(thing).of_32.member)
#define CLASS_BYTES(image, thing) ((image)->is_64 ? sizeof(thing).of_64 : sizeof(thing).of_32)

static bool read_at(const struct elf_image *image, uint64_t at, void *to, size_t n)
{
    return pread(image->fd, to, n, (off_t)at) == (ssize_t)n;
}

static bool read_header(struct elf_image *image)
{
    return read_at(image, 0, &image->header, CLASS_BYTES(image, image->header)) &&
           image->header.of_32.e_ident[EI_CLASS] == (image->is_64 ? ELFCLASS64 : ELFCLASS32);
}

static bool read_section(const struct elf_image *image, uint64_t i, union elf_section *out)
{
    const size_t n = CLASS_BYTES(image, *out);

    return i < OF_CLASS(image, image->header, e_shnum) &&
           read_at(image, OF_CLASS(image, image->header, e_shoff) + i * n, out, n);
}

static bool read_segment(const struct elf_image *image, uint64_t i, union elf_segment *out)
{
    const size_t n = CLASS_BYTES(image, *out);

    return i < OF_CLASS(image, image->header, e_phnum) &&
           read_at(image, OF_CLASS(image, image->header, e_phoff) + i * n, out, n);
}

/* The content of a section with a zero after it; the caller frees it. NULL where it is not there.
 */
static char *read_content(const struct elf_image *image, const union elf_section *section)
{
    const uint64_t n = OF_CLASS(image, *section, sh_size);
    char *const content = n < TABLE_BYTES ? malloc(n + 1) : NULL;

    if (content == NULL || !read_at(image, OF_CLASS(image, *section, sh_offset), content, n)) {
        free(content);
        return NULL;
    }
    content[n] = '\0';
    return content;
}

/* Where the program has what the file's headers have at an address; 0 where that is not in the
 * mapping that is known. */
static uint64_t mapped_at(const struct elf_image *image, uint64_t value)
{
    union elf_segment segment;

    for (unsigned i = 0; read_segment(image, i, &segment); i++) {
        const uint64_t in_segment = value - OF_CLASS(image, segment, p_vaddr),
                       at = in_segment + OF_CLASS(image, segment, p_offset) - image->file->offset;
        if (OF_CLASS(image, segment, p_type) == PT_LOAD &&
            in_segment < OF_CLASS(image, segment, p_filesz) && at < image->file->bytes)
            return image->file->start + at;
    }
    return 0;
}

static const struct allocator *named(const char *name)
{
    for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
        if (strcmp(allocators[i].symbol, name) == 0)
            return &allocators[i];
    return NULL;
}

static void add_entry(const struct elf_image *image, const union elf_symbol_entry *symbol,
                      const char *name)
{
    const bool is_function = ELF64_ST_TYPE(OF_CLASS(image, *symbol, st_info)) == STT_FUNC &&
                             OF_CLASS(image, *symbol, st_shndx) != SHN_UNDEF;
    const struct allocator *const found = is_function ? named(name) : NULL;
    const uint64_t value = OF_CLASS(image, *symbol, st_value),
                   start = image->is_64 ? value : value & ~UINT64_C(1);
    const uint64_t address = found != NULL ? mapped_at(image, start) : 0;

    if (address != 0 && n_entries < ENTRIES_MAX)
        entries[n_entries++] = (struct allocator_entry){address, found};
}

static void read_symbols(const struct elf_image *image, const union elf_section *table,
                         const union elf_section *strings)
{
    char *const symbols = read_content(image, table), *const names = read_content(image, strings);
    const uint64_t n_bytes = OF_CLASS(image, *table, sh_size);
    union elf_symbol_entry symbol;
    const size_t size = CLASS_BYTES(image, symbol);

    for (uint64_t i = 0; symbols != NULL && names != NULL && i < n_bytes / size; i++) {
        memcpy(&symbol, symbols + i * size, size);
        const uint64_t name = OF_CLASS(image, symbol, st_name);
        if (name < OF_CLASS(image, *strings, sh_size))
            add_entry(image, &symbol, names + name);
    }
    free(symbols);
    free(names);
}

static void read_file(const struct ring_file *file, bool is_a64)
{
    struct elf_image image = {
        .fd = open(file->path, O_RDONLY | O_CLOEXEC), .is_64 = is_a64, .file = file};
    union elf_section section, strings;

    if (image.fd < 0)
        return;
    for (unsigned i = 0; (i != 0 || read_header(&image)) && read_section(&image, i, &section);
         i++) {
        const uint64_t type = OF_CLASS(&image, section, sh_type);
        if ((type == SHT_SYMTAB || type == SHT_DYNSYM) &&
            read_section(&image, OF_CLASS(&image, section, sh_link), &strings))
            read_symbols(&image, &section, &strings);
    }
    close(image.fd);
}

const struct allocator *allocator_at(void *ring, uint64_t address, const void *host, bool is_a64)
{
    const uint16_t number = code_files_of(ring, address, host);

    if (number != 0 && !was_read[number]) {
        was_read[number] = true;
        read_file(ring_file(ring, number - 1u), is_a64);
    }
    for (unsigned i = 0; i < n_entries; i++)
        if (entries[i].address == address)
            return entries[i].is;
    return NULL;
}
