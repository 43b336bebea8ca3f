#include "qemu/plugin/exec_target.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum file_kind { FILE_OTHER, FILE_PROGRAM, FILE_SCRIPT };

/* ---- ELF ---------------------------------------------------------------------------------------
 */

static bool read_at(int fd, void *to, size_t bytes, uint64_t offset)
{
    return pread(fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static void read_interpreter(int fd, uint64_t offset, uint64_t bytes, char *interpreter)
{
    if (bytes == 0 || bytes > EXEC_LINE_BYTES || !read_at(fd, interpreter, bytes, offset))
        bytes = 1;
    interpreter[bytes - 1] = '\0';
}

#define FIND_INTERPRETER(bits)                                                                     \
    static void find_interpreter_##bits(int fd, const Elf##bits##_Ehdr *header, char *interpreter) \
    {                                                                                              \
        Elf##bits##_Phdr segment;                                                                  \
        for (unsigned i = 0; i < header->e_phnum; i++)                                             \
            if (read_at(fd, &segment, sizeof segment, header->e_phoff + i * sizeof segment) &&     \
                segment.p_type == PT_INTERP)                                                       \
                read_interpreter(fd, segment.p_offset, segment.p_filesz, interpreter);             \
    }
FIND_INTERPRETER(32)
FIND_INTERPRETER(64)

/* e_machine and e_type have the same offset in both classes. */
static bool is_program(const Elf32_Ehdr *header, bool is_a64)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == (is_a64 ? ELFCLASS64 : ELFCLASS32) &&
           header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_machine == (is_a64 ? EM_AARCH64 : EM_ARM) &&
           (header->e_type == ET_EXEC || header->e_type == ET_DYN);
}

static bool read_program(int fd, bool is_a64, char *interpreter)
{
    union {
        Elf32_Ehdr of_32;
        Elf64_Ehdr of_64;
    } header;

    interpreter[0] = '\0';
    if (!read_at(fd, &header, is_a64 ? sizeof header.of_64 : sizeof header.of_32, 0) ||
        !is_program(&header.of_32, is_a64))
        return false;
    if (is_a64)
        find_interpreter_64(fd, &header.of_64, interpreter);
    else
        find_interpreter_32(fd, &header.of_32, interpreter);
    return true;
}

/* ---- scripts -----------------------------------------------------------------------------------
 */

/* The line after "#!", without blanks at its ends. */
static bool read_line(int fd, char *line)
{
    char head[EXEC_LINE_BYTES];
    const ssize_t n = pread(fd, head, sizeof head - 1, 0);

    if (n < 3 || memcmp(head, "#!", 2) != 0)
        return false;
    head[n] = '\0';
    const char *const start = head + 2 + strspn(head + 2, " \t");
    size_t length = strcspn(start, "\n");
    while (length > 0 && strchr(" \t", start[length - 1]) != NULL)
        length--;
    memcpy(line, start, length);
    line[length] = '\0';
    return length > 0;
}

/* The name of the interpreter; its one argument follows, if there is any. */
static char *split(char *line)
{
    char *const blank = line + strcspn(line, " \t");

    if (*blank == '\0')
        return NULL;
    *blank = '\0';
    return blank + 1 + strspn(blank + 1, " \t");
}

/* ---- finding -----------------------------------------------------------------------------------
 */

static enum file_kind look_at(int fd, bool is_a64, char *line, char *interpreter)
{
    if (read_program(fd, is_a64, interpreter))
        return FILE_PROGRAM;
    return read_line(fd, line) ? FILE_SCRIPT : FILE_OTHER;
}

static enum file_kind kind_of(const char *path, bool is_a64, char *line, char *interpreter)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum file_kind kind = FILE_OTHER;

    if (fd < 0)
        return FILE_OTHER;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0)
        kind = look_at(fd, is_a64, line, interpreter);
    close(fd);
    return kind;
}

/* Puts the script's interpreter, its argument and the script before the arguments. */
static const char *put_script(struct exec_target *out, unsigned depth, const char *path)
{
    char *const argument = split(out->lines[depth]);
    const unsigned n_new = argument != NULL ? 3 : 2;

    snprintf(out->scripts[depth], sizeof out->scripts[depth], "%s", path);
    if (out->n_before > 0) /* this script is an interpreter: its name is in argv[0] */
        memmove(out->before, out->before + 1, --out->n_before * sizeof out->before[0]);
    memmove(out->before + n_new, out->before, out->n_before * sizeof out->before[0]);
    out->n_before += n_new;
    out->before[0] = out->lines[depth];
    out->before[1] = argument != NULL ? argument : out->scripts[depth];
    if (argument != NULL)
        out->before[2] = out->scripts[depth];
    return out->lines[depth];
}

static enum file_kind find(const char *path, const char *sysroot, bool is_a64, char *line,
                           struct exec_target *out)
{
    enum file_kind kind = FILE_OTHER;

    if (sysroot[0] != '\0' && path[0] == '/' &&
        (unsigned)snprintf(out->program, PATH_MAX, "%s%s", sysroot, path) < PATH_MAX)
        kind = kind_of(out->program, is_a64, line, out->interpreter);
    if (kind != FILE_OTHER)
        return kind;
    /* A name that begins with '-' would be an option of QEMU's. */
    snprintf(out->program, PATH_MAX, "%s%s", path[0] == '-' ? "./" : "", path);
    return kind_of(out->program, is_a64, line, out->interpreter);
}

bool exec_target_find(const char *path, const char *sysroot, bool is_a64, struct exec_target *out)
{
    out->n_before = 0;
    for (unsigned depth = 0; depth < EXEC_SCRIPT_DEPTH; depth++) {
        switch (find(path, sysroot, is_a64, out->lines[depth], out)) {
        case FILE_PROGRAM:
            return true;
        case FILE_OTHER:
            return false;
        case FILE_SCRIPT:
            path = put_script(out, depth, path);
            break;
        }
    }
    return false;
}
