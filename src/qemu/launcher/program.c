#include "qemu/launcher/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/elf_file.h"
#include "base/error.h"

#define PROCESS_ADDRESS_BITS 52 /* of a process, at most */
#define BUILD_FOR_LINUX      "build it for Arm Linux (%s)"

/* ---- finding ----------------------------------------------------------------------------------
 */

static bool is_executable_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

enum armpmu_status path_search(const char *name, char *path, unsigned path_size)
{
    const char *list = getenv("PATH");
    if (list == NULL)
        list = "/bin:/usr/bin"; /* what execvp takes then */
    enum armpmu_status status = ARMPMU_NOT_FOUND;
    for (const char *entry = list;; entry++) {
        int length = (int)strcspn(entry, ":");
        int n = snprintf(path, path_size, "%.*s%s%s", length, entry, length > 0 ? "/" : "./", name);
        if (n > 0 && (unsigned)n < path_size) {
            if (is_executable_file(path))
                return ARMPMU_OK;
            if (access(path, F_OK) == 0)
                status = ARMPMU_NOT_ALLOWED;
        }
        entry += length;
        if (*entry == '\0')
            return status;
    }
}

static enum armpmu_status find_file(const char *name, struct program *out, struct armpmu_error *err)
{
    if (*name == '\0')
        return fail(err, ARMPMU_NOT_FOUND, "the name of the program is empty");
    if (strchr(name, '/') != NULL) {
        if (strlen(name) >= sizeof out->path)
            return fail(err, ARMPMU_NOT_FOUND, "the name of the program has %zu bytes, at most %zu",
                        strlen(name), sizeof out->path - 1);
        memcpy(out->path, name, strlen(name) + 1);
        return ARMPMU_OK;
    }
    switch (path_search(name, out->path, sizeof out->path)) {
    case ARMPMU_OK:
        return ARMPMU_OK;
    case ARMPMU_NOT_ALLOWED:
        return fail(err, ARMPMU_NOT_ALLOWED,
                    "'%s' is in PATH, but is not an executable file: chmod +x it", name);
    default:
        return fail(err, ARMPMU_NOT_FOUND,
                    "'%s' is not in PATH: write ./%s for a program in this folder", name, name);
    }
}

static enum armpmu_status check_permission(const char *path, struct armpmu_error *err)
{
    struct stat status;
    bool found = stat(path, &status) == 0;
    if (!found && errno == ENOENT)
        return fail(err, ARMPMU_NOT_FOUND, "'%s' is not there: build it, or correct its path",
                    path);
    if (!found)
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' cannot be reached: %s: correct its path", path,
                    strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' is a folder, not a program", path);
    if (!S_ISREG(status.st_mode))
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' is not a regular file", path);
    if (access(path, X_OK) != 0)
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' is not executable: chmod +x it", path);
    return ARMPMU_OK;
}

/* ---- reading ELF ------------------------------------------------------------------------------
 */

static const char *machine_name(unsigned machine, char *text, size_t size)
{
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {
        {EM_386, "32-bit x86"},      {EM_X86_64, "x86-64"}, {EM_AARCH64, "AArch64 (64-bit Arm)"},
        {EM_RISCV, "RISC-V"},        {EM_MIPS, "MIPS"},     {EM_PPC, "PowerPC"},
        {EM_PPC64, "PowerPC 64"},    {EM_S390, "S/390"},    {EM_SPARC, "SPARC"},
        {EM_LOONGARCH, "LoongArch"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].machine == machine)
            return names[i].name;
    snprintf(text, size, "machine number %u", machine);
    return text;
}

/* The first core whose programs these are, NULL if there is none. */
static const struct core_descriptor *core_of_program(unsigned elf_class, unsigned machine)
{
    const struct core_descriptor *core;
    size_t i = 0;

    while ((core = core_descriptor_at(i)) != NULL &&
           (core->emulator.elf_class != elf_class || core->emulator.elf_machine != machine))
        i++;
    return core;
}

/* A program for another machine: the remedy is another machine file, where one runs it. */
static enum armpmu_status foreign(const char *path, unsigned elf_class, unsigned machine,
                                  const struct core_descriptor *core, struct armpmu_error *err)
{
    const struct core_descriptor *other = core_of_program(elf_class, machine);
    char text[32];

    if (machine == core->emulator.elf_machine)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is a program for %s, but of ELF class %u, not %u: " BUILD_FOR_LINUX, path,
                    core->emulator.runs, elf_class, core->emulator.elf_class,
                    core->emulator.compiler);
    if (other != NULL)
        return fail(
            err, ARMPMU_BAD_INPUT,
            "'%s' is a program for %s, not for %s as the machine's core %s: choose a machine "
            "that runs it, as with --machine %s, or " BUILD_FOR_LINUX,
            path, other->emulator.runs, core->emulator.runs, core->name, other->machine,
            core->emulator.compiler);
    return fail(err, ARMPMU_BAD_INPUT, "'%s' is a program for %s, not for %s: " BUILD_FOR_LINUX,
                path, machine_name(machine, text, sizeof text), core->emulator.runs,
                core->emulator.compiler);
}

static enum armpmu_status check_header(const struct elf_file *file,
                                       const struct core_descriptor *core, struct armpmu_error *err)
{
    const Elf64_Ehdr *const header = &file->header;
    const unsigned elf_class = header->e_ident[EI_CLASS];

    if (header->e_machine != core->emulator.elf_machine || elf_class != core->emulator.elf_class)
        return foreign(file->path, elf_class, header->e_machine, core, err);
    if (elf_file_is_big_endian(file))
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is a big-endian Arm program; only little-endian ones can be "
                    "run: " BUILD_FOR_LINUX,
                    file->path, core->emulator.compiler);
    if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is an ELF file of type %u, not a program: link it as a program",
                    file->path, header->e_type);
    return ARMPMU_OK;
}

static enum armpmu_status read_interpreter(const struct elf_file *file, const Elf64_Phdr *segment,
                                           struct program *out, struct armpmu_error *err)
{
    const size_t n_bytes = segment->p_filesz;

    if (n_bytes == 0 || n_bytes > sizeof out->interpreter)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' names its dynamic loader with %zu bytes, at most %zu: build it again",
                    out->path, n_bytes, sizeof out->interpreter);
    const void *const name = elf_file_bytes(file, segment->p_offset, n_bytes);
    if (name == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%s'", out->path);
    memcpy(out->interpreter, name, n_bytes - 1);
    out->interpreter[n_bytes - 1] = '\0';
    return ARMPMU_OK;
}

static enum armpmu_status find_interpreter(const struct elf_file *file, struct program *out,
                                           struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    Elf64_Phdr segment;

    for (unsigned i = 0; i < file->n_segments && status == ARMPMU_OK; i++)
        if (elf_file_segment(file, i, &segment) && segment.p_type == PT_INTERP)
            status = read_interpreter(file, &segment, out, err);
    return status;
}

static enum armpmu_status open_program(struct elf_file *file, const struct core_descriptor *core,
                                       const char *path, struct armpmu_error *err)
{
    char advice[128];

    snprintf(advice, sizeof advice, BUILD_FOR_LINUX, core->emulator.compiler);
    const enum armpmu_status status = elf_file_open(path, advice, file, err);
    if (status == ARMPMU_BAD_INPUT && memcmp(file->header.e_ident, "#!", 2) == 0)
        return fail(err, status,
                    "'%s' is a script: run its interpreter, an Arm program, with the script as "
                    "argument",
                    path);
    return status;
}

/* QEMU would end with a failed assertion, or with "Invalid argument". */
static enum armpmu_status check_file(const struct core_descriptor *core, struct program *out,
                                     struct armpmu_error *err)
{
    const struct elf_loader loader = {false, PROCESS_ADDRESS_BITS, "build it again"};
    struct elf_file file;

    enum armpmu_status status = open_program(&file, core, out->path, err);
    if (status == ARMPMU_OK)
        status = check_header(&file, core, err);
    if (status == ARMPMU_OK)
        status = elf_file_check_segments(&file, &loader, err);
    if (status == ARMPMU_OK)
        status = find_interpreter(&file, out, err);
    if (status == ARMPMU_OK)
        (void)elf_file_attributes(&file, &out->attributes);
    elf_file_close(&file);
    return status;
}

enum armpmu_status program_find(const char *name, const struct core_descriptor *core,
                                struct program *out, struct armpmu_error *err)
{
    *out = (struct program){.path = ""};
    enum armpmu_status status = find_file(name, out, err);
    if (status == ARMPMU_OK)
        status = check_permission(out->path, err);
    return status == ARMPMU_OK ? check_file(core, out, err) : status;
}
