/* Is a file firmware, or a program for Linux? */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "engine/firmware.h"
#include "engine/unicorn/image_order.h"

/* Linkers for Linux say how the stack is to be, and C libraries leave a note. */
static bool names_system(const Elf32_Phdr *head)
{
    return head->p_type == PT_INTERP || head->p_type == PT_GNU_STACK || head->p_type == PT_NOTE ||
           head->p_type == PT_TLS || head->p_type == PT_GNU_RELRO;
}

static bool is_bare(FILE *file, const Elf32_Ehdr *elf)
{
    for (unsigned i = 0; i < elf->e_phnum; i++) {
        Elf32_Phdr head;
        if (fseek(file, (long)(elf->e_phoff + i * sizeof head), SEEK_SET) != 0 ||
            fread(&head, sizeof head, 1, file) != 1)
            return false;
        if (names_system(&head))
            return false;
    }
    return elf->e_phnum > 0;
}

bool engine_firmware_is(const char *path)
{
    Elf32_Ehdr elf = {0};
    FILE *const file = fopen(path, "rbe");

    if (file == NULL)
        return false;
    bool bare = fread(&elf, sizeof elf, 1, file) == 1 &&
                memcmp(elf.e_ident, ELFMAG, SELFMAG) == 0 && elf.e_ident[EI_CLASS] == ELFCLASS32 &&
                elf.e_machine == EM_ARM && elf.e_type == ET_EXEC &&
                elf.e_phentsize == sizeof(Elf32_Phdr) && is_bare(file, &elf);
    fclose(file);
    /* No emulator of programs for Linux here runs big-endian ones. */
    bare = bare || image_order_is_big((const uint8_t *)&elf, sizeof elf);
    return bare;
}
