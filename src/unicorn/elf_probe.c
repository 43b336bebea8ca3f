/* Tells firmware from a program for Linux. */
#include <string.h>

#include "unicorn/elf_probe.h"
#include "unicorn/firmware_run.h"

#define ABI_TAG_NAME "GNU"

/* The note of C libraries: its name, and which system. */
struct abi_tag {
    Elf64_Nhdr head;
    char name[sizeof ABI_TAG_NAME];
    uint32_t system;
};

/* Linkers for Linux say how the stack is to be, and C libraries leave a note. */
static bool names_system(uint32_t type)
{
    return type == PT_INTERP || type == PT_GNU_STACK || type == PT_NOTE || type == PT_TLS ||
           type == PT_GNU_RELRO;
}

static bool is_bare(const struct elf_file *file)
{
    Elf64_Phdr segment;
    bool bare = file->n_segments > 0 &&
                (file->header.e_type == ET_EXEC || file->header.e_type == ET_DYN) &&
                file->header.e_machine == (elf_file_is_64(file) ? EM_AARCH64 : EM_ARM);

    for (unsigned i = 0; i < file->n_segments && bare; i++)
        bare = elf_file_segment(file, i, &segment) && !names_system(segment.p_type);
    return bare;
}

static bool has_abi_tag(const struct elf_file *file, const Elf64_Phdr *notes)
{
    const unsigned char *const bytes = elf_file_bytes(file, notes->p_offset, notes->p_filesz);
    struct abi_tag tag;

    for (uint64_t at = 0; bytes != NULL && at + sizeof tag <= notes->p_filesz;) {
        memcpy(&tag, bytes + at, sizeof tag);
        if (tag.head.n_type == NT_GNU_ABI_TAG && tag.head.n_namesz == sizeof tag.name &&
            memcmp(tag.name, ABI_TAG_NAME, sizeof tag.name) == 0)
            return tag.system == ELF_NOTE_OS_LINUX;
        at += sizeof tag.head + ((tag.head.n_namesz + UINT64_C(3)) & ~UINT64_C(3)) +
              ((tag.head.n_descsz + UINT64_C(3)) & ~UINT64_C(3));
    }
    return false;
}

const char *elf_probe_linux(const struct elf_file *file)
{
    Elf64_Phdr segment;

    for (unsigned i = 0; i < file->n_segments; i++) {
        if (!elf_file_segment(file, i, &segment))
            continue;
        if (segment.p_type == PT_INTERP)
            return "it asks for a dynamic loader";
        if (segment.p_type == PT_NOTE && !elf_file_is_big_endian(file) &&
            has_abi_tag(file, &segment))
            return "its C library's note says so";
    }
    return NULL;
}

bool engine_firmware_is(const char *path)
{
    struct elf_file file;
    bool bare = false;

    /* No emulator of programs for Linux here runs big-endian ones. */
    if (elf_file_open(path, "", &file, NULL) == ARMPMU_OK)
        bare = is_bare(&file) || (elf_file_is_big_endian(&file) && !elf_file_is_64(&file));
    elf_file_close(&file);
    return bare;
}
