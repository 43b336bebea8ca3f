/* Compilers leave their versions in .comment, that of Go in
 * .go.buildinfo; the loader of glibc has its version among its constants. */
#include "base/versions.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/elf_file.h"
#include "base/text.h"

/* Adds printable text to a list, unless it is there. */
static void add(char list[VERSION_BYTES], const char *text, size_t n)
{
    char word[VERSION_BYTES];

    n = n < sizeof word ? n : sizeof word - 1;
    for (size_t i = 0; i < n; i++)
        word[i] = (char)(isprint((unsigned char)text[i]) ? text[i] : '?');
    word[n] = '\0';
    if (n > 0 && strstr(list, word) == NULL)
        text_join(list, VERSION_BYTES, "; ", "%s", word);
}

static void read_id(const struct elf_file *file, char *id, size_t room)
{
    size_t n;
    const char *const note = elf_file_section(file, ".note.gnu.build-id", &n);

    for (size_t i = sizeof(Elf32_Nhdr) + sizeof "GNU"; i < n && room > 2; i++, id += 2, room -= 2)
        snprintf(id, room, "%02x", (unsigned char)note[i]);
}

static void read_comments(const struct elf_file *file, char compiler[VERSION_BYTES])
{
    size_t n;
    const char *const comments = elf_file_section(file, ".comment", &n);

    for (size_t i = 0, length; i < n; i += length + 1) {
        length = strnlen(comments + i, n - i);
        add(compiler, comments + i, length);
    }
}

/* From Go 1.18 on: a head of 32 bytes, whose flag 2 says that the text follows in the place, after
 * its length. */
static void read_go(const struct elf_file *file, char compiler[VERSION_BYTES])
{
    enum { FLAGS = 15, IN_PLACE = 2, LENGTH = 32 };
    size_t n;
    const char *const info = elf_file_section(file, ".go.buildinfo", &n);

    if (n <= LENGTH || (info[FLAGS] & IN_PLACE) == 0)
        return;
    const size_t length = (unsigned char)info[LENGTH];
    if (length < 128 && length <= n - LENGTH - 1)
        add(compiler, info + LENGTH + 1, length);
}

/* "ld.so (Debian GLIBC 2.36-9+deb12u10) stable release version 2.36." */
static void read_libc(const struct elf_file *file, char libc[VERSION_BYTES])
{
    static const char before[] = "ld.so (";
    size_t n;
    const char *const constants = elf_file_section(file, ".rodata", &n);
    const char *const at = n > 0 ? memmem(constants, n, before, strlen(before)) : NULL;

    if (at == NULL)
        return;
    const char *const from = at + strlen(before);
    const char *const end = memchr(from, ')', n - (size_t)(from - constants));
    if (end != NULL)
        add(libc, from, (size_t)(end - from));
}

void versions_of_file(const char *path, struct versions *out)
{
    struct armpmu_error ignored;
    struct elf_file file;

    *out = (struct versions){.text = {""}};
    if (elf_file_open(path, "", &file, &ignored) == ARMPMU_OK) {
        read_id(&file, out->text[VERSION_BUILD_ID], VERSION_BYTES);
        read_comments(&file, out->text[VERSION_COMPILER]);
        read_go(&file, out->text[VERSION_COMPILER]);
        read_libc(&file, out->text[VERSION_LIBC]);
    }
    elf_file_close(&file);
}
