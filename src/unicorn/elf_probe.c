/* Is a file firmware, or a program for Linux? */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "unicorn/firmware_run.h"
#include "unicorn/image_order.h"

/* Linkers for Linux say how the stack is to be, and C libraries leave a note. */
static bool names_system(uint32_t type)
{
    return type == PT_INTERP || type == PT_GNU_STACK || type == PT_NOTE || type == PT_TLS ||
           type == PT_GNU_RELRO;
}

/* The type is the first field of a program header of either class. */
static bool is_bare(FILE *file, uint64_t offset, unsigned n, size_t bytes)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t type;
        if (fseek(file, (long)(offset + i * bytes), SEEK_SET) != 0 ||
            fread(&type, sizeof type, 1, file) != 1)
            return false;
        if (names_system(type))
            return false;
    }
    return n > 0;
}

static bool is_bare_32(FILE *file, const Elf32_Ehdr *elf)
{
    return elf->e_machine == EM_ARM && elf->e_type == ET_EXEC &&
           elf->e_phentsize == sizeof(Elf32_Phdr) &&
           is_bare(file, elf->e_phoff, elf->e_phnum, sizeof(Elf32_Phdr));
}

static bool is_bare_64(FILE *file, const Elf64_Ehdr *elf)
{
    return elf->e_machine == EM_AARCH64 && elf->e_type == ET_EXEC &&
           elf->e_phentsize == sizeof(Elf64_Phdr) &&
           is_bare(file, elf->e_phoff, elf->e_phnum, sizeof(Elf64_Phdr));
}

bool engine_firmware_is(const char *path)
{
    union {
        unsigned char identity[EI_NIDENT];
        Elf32_Ehdr narrow;
        Elf64_Ehdr wide;
    } elf = {{0}};
    FILE *const file = image_open(path);

    if (file == NULL)
        return false;
    const size_t n = fread(&elf, 1, sizeof elf, file);
    bool bare = n >= sizeof elf.narrow && memcmp(elf.identity, ELFMAG, SELFMAG) == 0;
    if (bare && elf.identity[EI_CLASS] == ELFCLASS64)
        bare = n >= sizeof elf.wide && is_bare_64(file, &elf.wide);
    else
        bare = bare && elf.identity[EI_CLASS] == ELFCLASS32 && is_bare_32(file, &elf.narrow);
    fclose(file);
    /* No emulator of programs for Linux here runs big-endian ones. */
    bare = bare || image_order_is_big((const uint8_t *)&elf, sizeof elf);
    return bare;
}
