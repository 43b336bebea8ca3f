#include "qemu/launcher/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

#define ADDRESS_BITS_64 52  /* of a process, at most */
#define SEGMENTS_MAX    256 /* looked at in pairs; linkers make a dozen */
#define ADVICE          "build it for Arm Linux (%s)"

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
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' is no regular file", path);
    if (access(path, X_OK) != 0)
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s' may not be executed: chmod +x it", path);
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

static enum armpmu_status truncated(const char *path, const char *what, uint64_t end, uint64_t size,
                                    struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "'%s' is cut short: %s end at byte %llu, the file has %llu: copy or build it again",
                path, what, (unsigned long long)end, (unsigned long long)size);
}

/* A program for another machine: the remedy is another machine file, where one runs it. */
static enum armpmu_status foreign(const char *path, unsigned elf_class, unsigned machine,
                                  const struct emulator *emulator, struct armpmu_error *err)
{
    const struct emulator *other = emulator_for(elf_class, machine);
    char text[32];

    if (machine == emulator->elf_machine)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is a program for %s, but of ELF class %u, not %u: " ADVICE, path,
                    emulator->runs, elf_class, emulator->elf_class, emulator->compiler);
    if (other != NULL)
        return fail(
            err, ARMPMU_BAD_INPUT,
            "'%s' is a program for %s, not for %s as the machine's core %s: choose a machine "
            "that runs it, as with --machine %s, or " ADVICE,
            path, other->runs, emulator->runs, emulator->core, other->machine, emulator->compiler);
    return fail(err, ARMPMU_BAD_INPUT, "'%s' is a program for %s, not for %s: " ADVICE, path,
                machine_name(machine, text, sizeof text), emulator->runs, emulator->compiler);
}

/* The first bytes say what kind of file it is, whatever its machine. */
static enum armpmu_status check_ident(const char *path, const unsigned char *start, size_t size,
                                      const struct emulator *emulator, struct armpmu_error *err)
{
    if (size >= 2 && memcmp(start, "#!", 2) == 0)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is a script: run its interpreter, an Arm program, with the script as "
                    "argument",
                    path);
    if (size < SELFMAG || memcmp(start, ELFMAG, SELFMAG) != 0)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' is not an ELF program: " ADVICE, path,
                    emulator->compiler);
    if (size < sizeof(Elf32_Ehdr))
        return truncated(path, "its headers", sizeof(Elf32_Ehdr), size, err);
    if (start[EI_DATA] != ELFDATA2LSB && start[EI_DATA] != ELFDATA2MSB)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has byte order %u, ELF has 1 and 2: " ADVICE, path,
                    start[EI_DATA], emulator->compiler);
    bool little = start[EI_DATA] == ELFDATA2LSB;
    unsigned machine =
        little ? start[18] | (unsigned)start[19] << 8 : start[19] | (unsigned)start[18] << 8;
    if (machine != emulator->elf_machine || start[EI_CLASS] != emulator->elf_class)
        return foreign(path, start[EI_CLASS], machine, emulator, err);
    if (!little)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is a big-endian Arm program; only little-endian ones can be run: " ADVICE,
                    path, emulator->compiler);
    if (start[EI_CLASS] == ELFCLASS64 && size < sizeof(Elf64_Ehdr))
        return truncated(path, "its headers", sizeof(Elf64_Ehdr), size, err);
    return ARMPMU_OK;
}

/* What is looked at of the headers, of either class. */
struct headers {
    unsigned type, n_segments, segment_bytes;
    uint64_t segments_at;
    bool wide;
};

struct segment {
    uint32_t type;
    uint64_t at, bytes;              /* in the file */
    uint64_t address, address_bytes; /* in memory   */
};

static struct headers read_headers(const void *start)
{
    const Elf64_Ehdr *wide = start;
    const Elf32_Ehdr *narrow = start;

    if (wide->e_ident[EI_CLASS] == ELFCLASS64)
        return (struct headers){wide->e_type, wide->e_phnum, wide->e_phentsize, wide->e_phoff,
                                true};
    return (struct headers){narrow->e_type, narrow->e_phnum, narrow->e_phentsize, narrow->e_phoff,
                            false};
}

static bool read_segment(int fd, const struct headers *headers, unsigned index, struct segment *out)
{
    const off_t at = (off_t)(headers->segments_at + (uint64_t)index * headers->segment_bytes);
    Elf64_Phdr wide;
    Elf32_Phdr narrow;

    if (headers->wide) {
        const bool read = pread(fd, &wide, sizeof wide, at) == (ssize_t)sizeof wide;
        if (read)
            *out = (struct segment){wide.p_type, wide.p_offset, wide.p_filesz, wide.p_vaddr,
                                    wide.p_memsz};
        return read;
    }
    if (pread(fd, &narrow, sizeof narrow, at) != (ssize_t)sizeof narrow)
        return false;
    *out = (struct segment){narrow.p_type, narrow.p_offset, narrow.p_filesz, narrow.p_vaddr,
                            narrow.p_memsz};
    return true;
}

static enum armpmu_status read_interpreter(int fd, const struct segment *segment,
                                           struct program *out, struct armpmu_error *err)
{
    if (segment->bytes == 0 || segment->bytes > sizeof out->interpreter)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' names its dynamic loader with %llu bytes, at most %zu: build it again",
                    out->path, (unsigned long long)segment->bytes, sizeof out->interpreter);
    if (pread(fd, out->interpreter, segment->bytes, (off_t)segment->at) != (ssize_t)segment->bytes)
        return fail(err, ARMPMU_IO, "'%s': %s", out->path, strerror(errno));
    out->interpreter[segment->bytes - 1] = '\0';
    return ARMPMU_OK;
}

/* QEMU would end with a failed assertion, or with "Invalid argument". */
static enum armpmu_status check_place(const struct segment *segment, uint64_t space,
                                      const char *path, struct armpmu_error *err)
{
    if (segment->bytes > segment->address_bytes)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has a segment of %" PRIu64 " bytes that loads %" PRIu64
                    ": build it again",
                    path, segment->address_bytes, segment->bytes);
    if (segment->address > space || segment->address_bytes > space - segment->address)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has a segment of 0x%" PRIx64 " bytes at 0x%" PRIx64
                    ", past the end of the address space: build it again",
                    path, segment->address_bytes, segment->address);
    return ARMPMU_OK;
}

static bool overlap(const struct segment *a, const struct segment *b)
{
    return a->address < b->address + b->address_bytes && b->address < a->address + a->address_bytes;
}

/* The segments that are loaded, up to and without the one at an index, do not overlap it. */
static enum armpmu_status check_overlap(int fd, const struct headers *headers, unsigned index,
                                        const struct segment *segment, const char *path,
                                        struct armpmu_error *err)
{
    for (unsigned i = 0; i < index; i++) {
        struct segment other;
        if (!read_segment(fd, headers, i, &other) || other.type != PT_LOAD ||
            !overlap(&other, segment))
            continue;
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' has segments that overlap, of 0x%" PRIx64 " bytes at 0x%" PRIx64
                    " and of 0x%" PRIx64 " at 0x%" PRIx64 ": build it again",
                    path, other.address_bytes, other.address, segment->address_bytes,
                    segment->address);
    }
    return ARMPMU_OK;
}

static enum armpmu_status check_segment(int fd, const struct segment *segment, uint64_t file_bytes,
                                        struct program *out, struct armpmu_error *err)
{
    if (segment->type != PT_LOAD && segment->type != PT_INTERP)
        return ARMPMU_OK;
    if (segment->at > file_bytes || segment->bytes > file_bytes - segment->at)
        return truncated(out->path, "its segments", segment->at + segment->bytes, file_bytes, err);
    return segment->type == PT_INTERP ? read_interpreter(fd, segment, out, err) : ARMPMU_OK;
}

static enum armpmu_status check_loaded(int fd, const struct headers *headers, unsigned index,
                                       const struct segment *segment, const char *path,
                                       struct armpmu_error *err)
{
    const uint64_t space = UINT64_C(1) << (headers->wide ? ADDRESS_BITS_64 : 32);
    const enum armpmu_status status = check_place(segment, space, path, err);

    return status != ARMPMU_OK ? status : check_overlap(fd, headers, index, segment, path, err);
}

static enum armpmu_status check_segments(int fd, const struct headers *headers, uint64_t file_bytes,
                                         struct program *out, struct armpmu_error *err)
{
    const size_t size = headers->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    const uint64_t bytes = (uint64_t)headers->n_segments * size;

    if (headers->n_segments == 0 || headers->segment_bytes != size)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has no segments to load: link it to a program",
                    out->path);
    if (headers->n_segments > SEGMENTS_MAX)
        return fail(err, ARMPMU_BAD_INPUT, "'%s' has %u segments, at most %d: build it again",
                    out->path, headers->n_segments, SEGMENTS_MAX);
    if (headers->segments_at > file_bytes || bytes > file_bytes - headers->segments_at)
        return truncated(out->path, "its program headers", headers->segments_at + bytes, file_bytes,
                         err);
    bool loads = false;
    for (unsigned i = 0; i < headers->n_segments; i++) {
        struct segment segment;
        if (!read_segment(fd, headers, i, &segment))
            return fail(err, ARMPMU_IO, "'%s': %s", out->path, strerror(errno));
        enum armpmu_status status = check_segment(fd, &segment, file_bytes, out, err);
        if (status == ARMPMU_OK && segment.type == PT_LOAD)
            status = check_loaded(fd, headers, i, &segment, out->path, err);
        if (status != ARMPMU_OK)
            return status;
        loads = loads || segment.type == PT_LOAD;
    }
    return loads ? ARMPMU_OK
                 : fail(err, ARMPMU_BAD_INPUT, "'%s' has no segments to load: link it to a program",
                        out->path);
}

static enum armpmu_status check_file(int fd, const struct emulator *emulator, struct program *out,
                                     struct armpmu_error *err)
{
    union {
        Elf64_Ehdr largest;
        unsigned char bytes[sizeof(Elf64_Ehdr)];
    } start;
    struct stat file;
    ssize_t n = pread(fd, &start, sizeof start, 0);
    if (n < 0 || fstat(fd, &file) != 0)
        return fail(err, ARMPMU_IO, "'%s': %s", out->path, strerror(errno));
    enum armpmu_status status = check_ident(out->path, start.bytes, (size_t)n, emulator, err);
    if (status != ARMPMU_OK)
        return status;
    const struct headers headers = read_headers(&start);
    if (headers.type != ET_EXEC && headers.type != ET_DYN)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is an ELF file of type %u, not a program: link it to a program",
                    out->path, headers.type);
    return check_segments(fd, &headers, (uint64_t)file.st_size, out, err);
}

enum armpmu_status program_find(const char *name, const struct emulator *emulator,
                                struct program *out, struct armpmu_error *err)
{
    *out = (struct program){.path = ""};
    enum armpmu_status status = find_file(name, out, err);
    if (status == ARMPMU_OK)
        status = check_permission(out->path, err);
    if (status != ARMPMU_OK)
        return status;
    int fd = open(out->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(err, ARMPMU_NOT_ALLOWED, "'%s': %s", out->path, strerror(errno));
    status = check_file(fd, emulator, out, err);
    close(fd);
    return status;
}
