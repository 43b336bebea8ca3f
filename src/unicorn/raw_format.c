#include "unicorn/raw_format.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/read_file.h"

#define MARK         "\xef\xbb\xbf" /* U+FEFF in UTF-8 */
#define MARK_BYTES   3u
#define FORMAT_BYTES 4096u

#define DECOMPRESS "decompress it"
#define CONVERT    "convert it to Intel hex (objcopy -O ihex)"

static const struct {
    const char *start;
    size_t n;
    const char *name, *remedy;
} refused[] = {
#define START(text) text, sizeof text - 1
    {START("\x1f\x8b"), "compressed by gzip", DECOMPRESS},
    {START("\xfd\x37zXZ"), "compressed by xz", DECOMPRESS},
    {START("\x28\xb5\x2f\xfd"), "compressed by zstd", DECOMPRESS},
    {START("BZh"), "compressed by bzip2", DECOMPRESS},
    {START("PK\3\4"), "a zip archive", DECOMPRESS},
    {START("\x27\x05\x19\x56"), "an image of U-Boot's mkimage", "name the file it was made from"},
    {START("UF2\n"), "UF2, for a boot loader over USB", "name the file it was made from"},
    {START("\xff\xfe:\0"), "Intel hex in UTF-16", "save it as ASCII"},
    {START("\xff\xfeS\0"), "S-records in UTF-16", "save it as ASCII"},
#undef START
};

static bool is_digit(char c)
{
    return c != '\0' && strchr("0123456789abcdefABCDEF", c) != NULL;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t raw_format_mark(const char *text, size_t n)
{
    return n >= MARK_BYTES && memcmp(text, MARK, MARK_BYTES) == 0 ? MARK_BYTES : 0;
}

/* Where its first line begins that is not empty. */
static size_t first_line(const char *text, size_t n)
{
    size_t at = raw_format_mark(text, n);

    while (at < n && is_space(text[at]))
        at++;
    return at;
}

static size_t digits_at(const char *text, size_t n)
{
    size_t digits = 0;

    while (digits < n && is_digit(text[digits]))
        digits++;
    return digits;
}

/* "@1000", alone on its line: an address in Verilog's memory files and in TI-TXT. */
static bool has_address_line(const char *text, size_t n)
{
    const size_t digits = n > 0 && text[0] == '@' ? digits_at(text + 1, n - 1) : 0;

    return digits > 0 && digits <= 16 && 1 + digits < n && is_space(text[1 + digits]);
}

/* Its last line is a q. */
static bool is_ti_txt(const char *text, size_t n)
{
    while (n > 0 && is_space(text[n - 1]))
        n--;
    return n > 1 && (text[n - 1] | 0x20) == 'q' && text[n - 2] == '\n';
}

static const char *refused_name(const char *text, size_t n, const char **remedy)
{
    const size_t at = first_line(text, n);

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (n >= refused[i].n && memcmp(text, refused[i].start, refused[i].n) == 0) {
            *remedy = refused[i].remedy;
            return refused[i].name;
        }
    *remedy = CONVERT;
    if (!has_address_line(text + at, n - at))
        return NULL;
    return is_ti_txt(text, n) ? "TI-TXT" : "Verilog hex";
}

enum raw_format raw_format_of(const char *text, size_t n)
{
    const size_t at = first_line(text, n);
    const char *remedy;

    if (refused_name(text, n, &remedy) != NULL)
        return RAW_REFUSED;
    if (n - at > 1 && text[at] == ':' && is_digit(text[at + 1]))
        return RAW_INTEL_HEX;
    return n - at > 3 && text[at] == 'S' && digits_at(text + at + 1, 3) == 3 ? RAW_S_RECORDS
                                                                             : RAW_BYTES;
}

enum armpmu_status raw_format_refuse(const char *path, const char *text, size_t n,
                                     struct armpmu_error *err)
{
    const char *remedy, *const name = refused_name(text, n, &remedy);

    return fail(err, ARMPMU_BAD_INPUT, "'%s' is %s, which is not read: %s", path,
                name != NULL ? name : "of a format", remedy);
}

static size_t read_head(const char *path, char *head)
{
    FILE *const file = read_file_stream(path);
    const size_t n = file != NULL ? fread(head, 1, FORMAT_BYTES, file) : 0;

    if (file != NULL)
        fclose(file);
    return n;
}

enum armpmu_status raw_format_ask(const char *path, struct armpmu_error *err)
{
    char head[FORMAT_BYTES];
    const size_t n = read_head(path, head);

    switch (raw_format_of(head, n)) {
    case RAW_INTEL_HEX:
    case RAW_S_RECORDS:
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%s' is not an ELF file but has records with addresses: add --load 0", path);
    case RAW_REFUSED:
        return raw_format_refuse(path, head, n, err);
    case RAW_BYTES:
        break;
    }
    return fail(err, ARMPMU_BAD_INPUT,
                "'%s' is not an ELF file: add --load ADDRESS if it is a binary for that address, "
                "or " IMAGE_BUILD,
                path);
}
