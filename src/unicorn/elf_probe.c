/* Whether a file is firmware or a program for Linux. */
#include "base/elf_file.h"
#include "unicorn/firmware_run.h"

/* Linkers for Linux say how the stack is to be, and C libraries leave a note. */
static bool names_system(uint32_t type)
{
    return type == PT_INTERP || type == PT_GNU_STACK || type == PT_NOTE || type == PT_TLS ||
           type == PT_GNU_RELRO;
}

static bool is_bare(const struct elf_file *file)
{
    Elf64_Phdr segment;
    bool bare = file->n_segments > 0 && file->header.e_type == ET_EXEC &&
                file->header.e_machine == (elf_file_is_64(file) ? EM_AARCH64 : EM_ARM);

    for (unsigned i = 0; i < file->n_segments && bare; i++)
        bare = elf_file_segment(file, i, &segment) && !names_system(segment.p_type);
    return bare;
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
