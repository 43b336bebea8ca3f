#include "qemu/plugin/allocators.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qemu/plugin/code_files.h"
#include "qemu/ring/layout.h"

#define NO_MORE       ALLOCATOR_NO_ARGUMENT
#define ENTRIES_MAX   1024u
#define TABLE_BYTES   (UINT64_C(1) << 30)
#define SYMBOLS_OF_32 sizeof(Elf32_Sym)

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

struct elf_image {
    int fd;
    bool is_64;
    Elf64_Ehdr header;
    const struct ring_file *file;
};

static bool read_at(const struct elf_image *image, uint64_t at, void *to, size_t n)
{
    return pread(image->fd, to, n, (off_t)at) == (ssize_t)n;
}

static bool read_header(struct elf_image *image)
{
    Elf32_Ehdr of_32;

    if (image->is_64)
        return read_at(image, 0, &image->header, sizeof image->header) &&
               image->header.e_ident[EI_CLASS] == ELFCLASS64;
    if (!read_at(image, 0, &of_32, sizeof of_32) || of_32.e_ident[EI_CLASS] != ELFCLASS32)
        return false;
    image->header = (Elf64_Ehdr){.e_phoff = of_32.e_phoff,
                                 .e_shoff = of_32.e_shoff,
                                 .e_phnum = of_32.e_phnum,
                                 .e_shnum = of_32.e_shnum};
    return true;
}

static bool read_section(const struct elf_image *image, unsigned i, Elf64_Shdr *out)
{
    Elf32_Shdr of_32;

    if (image->is_64)
        return read_at(image, image->header.e_shoff + i * sizeof *out, out, sizeof *out);
    if (!read_at(image, image->header.e_shoff + i * sizeof of_32, &of_32, sizeof of_32))
        return false;
    *out = (Elf64_Shdr){.sh_type = of_32.sh_type,
                        .sh_offset = of_32.sh_offset,
                        .sh_size = of_32.sh_size,
                        .sh_link = of_32.sh_link};
    return true;
}

static bool read_segment(const struct elf_image *image, unsigned i, Elf64_Phdr *out)
{
    Elf32_Phdr of_32;

    if (image->is_64)
        return read_at(image, image->header.e_phoff + i * sizeof *out, out, sizeof *out);
    if (!read_at(image, image->header.e_phoff + i * sizeof of_32, &of_32, sizeof of_32))
        return false;
    *out = (Elf64_Phdr){.p_type = of_32.p_type,
                        .p_offset = of_32.p_offset,
                        .p_vaddr = of_32.p_vaddr,
                        .p_filesz = of_32.p_filesz};
    return true;
}

/* The content of a section with a zero after it; the caller frees it. NULL where it is not there.
 */
static char *read_content(const struct elf_image *image, const Elf64_Shdr *section)
{
    char *const content = section->sh_size < TABLE_BYTES ? malloc(section->sh_size + 1) : NULL;

    if (content == NULL || !read_at(image, section->sh_offset, content, section->sh_size)) {
        free(content);
        return NULL;
    }
    content[section->sh_size] = '\0';
    return content;
}

/* Where the program has what the file's headers have at an address; 0 where that is not in the
 * mapping that is known. */
static uint64_t mapped_at(const struct elf_image *image, uint64_t value)
{
    Elf64_Phdr segment;

    for (unsigned i = 0; i < image->header.e_phnum && read_segment(image, i, &segment); i++) {
        const uint64_t at = value - segment.p_vaddr + segment.p_offset - image->file->offset;
        if (segment.p_type == PT_LOAD && value - segment.p_vaddr < segment.p_filesz &&
            at < image->file->bytes)
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

static void add_entry(const struct elf_image *image, const Elf64_Sym *symbol, const char *name)
{
    const struct allocator *const found =
        ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF ? named(name)
                                                                                    : NULL;
    const uint64_t value = image->is_64 ? symbol->st_value : symbol->st_value & ~UINT64_C(1);
    const uint64_t address = found != NULL ? mapped_at(image, value) : 0;

    if (address != 0 && n_entries < ENTRIES_MAX)
        entries[n_entries++] = (struct allocator_entry){address, found};
}

static void read_symbols(const struct elf_image *image, const Elf64_Shdr *table,
                         const Elf64_Shdr *strings)
{
    char *const symbols = read_content(image, table), *const names = read_content(image, strings);
    const size_t size = image->is_64 ? sizeof(Elf64_Sym) : SYMBOLS_OF_32;

    for (uint64_t i = 0; symbols != NULL && names != NULL && i < table->sh_size / size; i++) {
        Elf64_Sym symbol;
        Elf32_Sym of_32;
        memcpy(image->is_64 ? (void *)&symbol : (void *)&of_32, symbols + i * size, size);
        if (!image->is_64)
            symbol = (Elf64_Sym){.st_name = of_32.st_name,
                                 .st_info = of_32.st_info,
                                 .st_shndx = of_32.st_shndx,
                                 .st_value = of_32.st_value};
        if (symbol.st_name < strings->sh_size)
            add_entry(image, &symbol, names + symbol.st_name);
    }
    free(symbols);
    free(names);
}

static void read_file(const struct ring_file *file, bool is_a64)
{
    struct elf_image image = {
        .fd = open(file->path, O_RDONLY | O_CLOEXEC), .is_64 = is_a64, .file = file};
    Elf64_Shdr section, strings;

    if (image.fd < 0)
        return;
    for (unsigned i = 0; (i != 0 || read_header(&image)) && i < image.header.e_shnum &&
                         read_section(&image, i, &section);
         i++)
        if ((section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM) &&
            section.sh_link < image.header.e_shnum &&
            read_section(&image, section.sh_link, &strings))
            read_symbols(&image, &section, &strings);
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
