#include "unicorn/image_order.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

FILE *image_open(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    FILE *const file = fd >= 0 ? fdopen(fd, "rb") : NULL;

    if (fd >= 0 && file == NULL)
        close(fd);
    return file;
}

bool image_order_is_big(const uint8_t *file, size_t n_bytes)
{
    return n_bytes >= sizeof(Elf32_Ehdr) && memcmp(file, ELFMAG, SELFMAG) == 0 &&
           file[EI_CLASS] == ELFCLASS32 && file[EI_DATA] == ELFDATA2MSB;
}

/* A field of a structure in the file. */
static void turn(uint8_t *field, size_t size)
{
    for (size_t i = 0; i < size / 2; i++) {
        const uint8_t byte = field[i];
        field[i] = field[size - 1 - i];
        field[size - 1 - i] = byte;
    }
}

#define TURN(at, type, field) turn((at) + offsetof(type, field), sizeof(((type *)0)->field))

static void turn_header(uint8_t *at)
{
    TURN(at, Elf32_Ehdr, e_type);
    TURN(at, Elf32_Ehdr, e_machine);
    TURN(at, Elf32_Ehdr, e_version);
    TURN(at, Elf32_Ehdr, e_entry);
    TURN(at, Elf32_Ehdr, e_phoff);
    TURN(at, Elf32_Ehdr, e_shoff);
    TURN(at, Elf32_Ehdr, e_flags);
    TURN(at, Elf32_Ehdr, e_ehsize);
    TURN(at, Elf32_Ehdr, e_phentsize);
    TURN(at, Elf32_Ehdr, e_phnum);
    TURN(at, Elf32_Ehdr, e_shentsize);
    TURN(at, Elf32_Ehdr, e_shnum);
    TURN(at, Elf32_Ehdr, e_shstrndx);
}

/* Program and section headers are records throughout. */
static void turn_words(uint8_t *at, size_t n_bytes)
{
    for (size_t i = 0; i + 4 <= n_bytes; i += 4)
        turn(at + i, 4);
}

static void turn_symbol(uint8_t *at)
{
    TURN(at, Elf32_Sym, st_name);
    TURN(at, Elf32_Sym, st_value);
    TURN(at, Elf32_Sym, st_size);
    TURN(at, Elf32_Sym, st_shndx);
}

static bool inside(uint64_t offset, uint64_t n, size_t n_bytes)
{
    return offset <= n_bytes && n <= n_bytes - offset;
}

/* Tables do not overlap in a sound file, and in another nothing is turned that is read: what a part
 * turned twice says is refused, or is no worse than what the file could have said itself. */
void image_order_turn(uint8_t *file, size_t n_bytes)
{
    Elf32_Ehdr elf;

    turn_header(file);
    file[EI_DATA] = ELFDATA2LSB;
    memcpy(&elf, file, sizeof elf);
    const uint64_t segments = (uint64_t)elf.e_phnum * sizeof(Elf32_Phdr);
    const uint64_t sections = (uint64_t)elf.e_shnum * sizeof(Elf32_Shdr);
    if (inside(elf.e_phoff, segments, n_bytes))
        turn_words(file + elf.e_phoff, segments);
    if (elf.e_shentsize != sizeof(Elf32_Shdr) || !inside(elf.e_shoff, sections, n_bytes))
        return;
    turn_words(file + elf.e_shoff, sections);
    for (unsigned i = 0; i < elf.e_shnum; i++) {
        Elf32_Shdr head;
        memcpy(&head, file + elf.e_shoff + i * sizeof head, sizeof head);
        if (head.sh_type != SHT_SYMTAB || !inside(head.sh_offset, head.sh_size, n_bytes))
            continue;
        for (uint64_t at = 0; at + sizeof(Elf32_Sym) <= head.sh_size; at += sizeof(Elf32_Sym))
            turn_symbol(file + head.sh_offset + at);
        return; /* the one that is read */
    }
}
