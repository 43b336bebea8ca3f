#include "unicorn/raw_image.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/read_file.h"
#include "unicorn/raw_format.h"

#define RECORD_BYTES_MAX 260u /* with its length, address and checksum */
#define ADDRESS_END      (UINT64_C(1) << 32)

/* A record on a line. */
struct record {
    const char *text;
    unsigned n_digits;
    uint8_t bytes[RECORD_BYTES_MAX];
    unsigned n_bytes;
};

struct raw_reader {
    struct image *image;
    struct armpmu_error *err;
    uint64_t offset; /* added to all addresses */
    uint64_t base;   /* of Intel hex, added to those of data */
    size_t line;
    bool has_entry, is_over;
    uint8_t *data; /* of all records, one after the other */
    size_t n_data, room;
};

static enum armpmu_status bad(const struct raw_reader *reader, const char *what, uint64_t value,
                              uint64_t wanted)
{
    return fail(reader->err, ARMPMU_BAD_INPUT,
                "'%s' line %zu: %s 0x%02" PRIx64 ", not 0x%02" PRIx64 ": make the file again",
                reader->image->file.path, reader->line, what, value, wanted);
}

/* ---- lines -------------------------------------------------------------------------------------
 */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char letter = (char)(c | 0x20);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static enum armpmu_status read_digits(const struct raw_reader *reader, struct record *record)
{
    if (record->n_digits % 2 != 0 || record->n_digits / 2 > RECORD_BYTES_MAX)
        return bad(reader, "the number of its digits is", record->n_digits,
                   (record->n_digits + 1) & ~1u);
    record->n_bytes = record->n_digits / 2;
    for (unsigned i = 0; i < record->n_digits; i++) {
        const int digit = digit_of(record->text[i]);
        if (digit < 0)
            return fail(reader->err, ARMPMU_BAD_INPUT,
                        "'%s' line %zu: character 0x%02x is not a hexadecimal digit: make the file "
                        "again",
                        reader->image->file.path, reader->line, (uint8_t)record->text[i]);
        record->bytes[i / 2] = (uint8_t)(record->bytes[i / 2] << 4 | digit);
    }
    return ARMPMU_OK;
}

/* The sum of all bytes; checksums make it 0 or 0xff. */
static uint8_t sum_of(const struct record *record)
{
    uint8_t sum = 0;

    for (unsigned i = 0; i < record->n_bytes; i++)
        sum = (uint8_t)(sum + record->bytes[i]);
    return sum;
}

/* least: bytes that a record has at least; around: those that its length does not count. */
static enum armpmu_status check(const struct raw_reader *reader, const struct record *record,
                                unsigned least, unsigned around, uint8_t wanted_sum)
{
    if (record->n_bytes < least)
        return bad(reader, "the number of its bytes is", record->n_bytes, least);
    if (record->bytes[0] + around != record->n_bytes)
        return bad(reader, "its length says", record->bytes[0], record->n_bytes - around);
    const uint8_t sum = sum_of(record), own = record->bytes[record->n_bytes - 1];
    if (sum == wanted_sum)
        return ARMPMU_OK;
    return bad(reader, "its checksum is", own, (uint8_t)(own - sum + wanted_sum));
}

static uint64_t number_at(const struct record *record, unsigned at, unsigned n)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < n; i++)
        number = number << 8 | record->bytes[at + i];
    return number;
}

/* ---- memory ------------------------------------------------------------------------------------
 */

static enum armpmu_status add_segment(struct raw_reader *reader, uint64_t address)
{
    struct image *const image = reader->image;

    if (image->n_segments == IMAGE_SEGMENTS_MAX)
        return fail(reader->err, ARMPMU_BAD_INPUT,
                    "'%s' line %zu: more than %u pieces of memory: sort the records",
                    image->file.path, reader->line, IMAGE_SEGMENTS_MAX);
    image->segments[image->n_segments++] = (struct image_segment){.address = address};
    return ARMPMU_OK;
}

static enum armpmu_status check_place(const struct raw_reader *reader, uint64_t address, size_t n)
{
    const struct image *const image = reader->image;

    if ((address >= ADDRESS_END || n > ADDRESS_END - address) && reader->line == 0)
        return fail(reader->err, ARMPMU_BAD_INPUT,
                    "'%s' has %zu bytes, which at 0x%" PRIx64 " pass the end, 0x%" PRIx64
                    ": lower --load",
                    image->file.path, n, address, ADDRESS_END);
    if (address >= ADDRESS_END || n > ADDRESS_END - address)
        return fail(reader->err, ARMPMU_BAD_INPUT,
                    "'%s' line %zu: address 0x%" PRIx64 " is past the end, 0x%" PRIx64
                    ": lower --load",
                    image->file.path, reader->line, address, ADDRESS_END);
    for (unsigned i = 0; i < image->n_segments; i++)
        if (address < image->segments[i].address + image->segments[i].n_bytes &&
            image->segments[i].address < address + n)
            return fail(reader->err, ARMPMU_BAD_INPUT,
                        "'%s' line %zu: address 0x%08" PRIx64 " has a byte already: make the file "
                        "again",
                        image->file.path, reader->line, address);
    return ARMPMU_OK;
}

static enum armpmu_status put(struct raw_reader *reader, uint64_t address, const uint8_t *bytes,
                              size_t n)
{
    struct image *const image = reader->image;
    const struct image_segment *const last =
        image->n_segments > 0 ? &image->segments[image->n_segments - 1] : NULL;

    if (n == 0)
        return ARMPMU_OK;
    enum armpmu_status status = check_place(reader, address, n);
    if (status == ARMPMU_OK && (last == NULL || last->address + last->n_bytes != address))
        status = add_segment(reader, address);
    if (status != ARMPMU_OK)
        return status;
    if (reader->n_data + n > IMAGE_BYTES_MAX ||
        !ARRAY_RESERVE(reader->data, reader->room, reader->n_data + n))
        return fail(reader->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", image->file.path);
    memcpy(reader->data + reader->n_data, bytes, n);
    reader->n_data += n;
    image->segments[image->n_segments - 1].n_bytes += n;
    return ARMPMU_OK;
}

static void set_entry(struct raw_reader *reader, uint64_t address)
{
    reader->image->entry = address + reader->offset;
    reader->has_entry = true;
}

/* ---- records -----------------------------------------------------------------------------------
 */

enum hex_type { HEX_DATA, HEX_END, HEX_SEGMENT, HEX_START_REAL, HEX_LINEAR, HEX_START };

static enum armpmu_status take_hex(struct raw_reader *reader, const struct record *record)
{
    const uint8_t type = record->bytes[3];
    const unsigned n = record->bytes[0];
    static const uint8_t sizes[] = {
        [HEX_SEGMENT] = 2, [HEX_START_REAL] = 4, [HEX_LINEAR] = 2, [HEX_START] = 4};

    if (type > HEX_START)
        return bad(reader, "its type is", type, HEX_DATA);
    if (type != HEX_DATA && n != sizes[type])
        return bad(reader, "its length says", n, sizes[type]);
    if (type == HEX_DATA)
        return put(reader, reader->base + number_at(record, 1, 2) + reader->offset,
                   record->bytes + 4, n);
    if (type == HEX_SEGMENT)
        reader->base = number_at(record, 4, 2) << 4;
    else if (type == HEX_LINEAR)
        reader->base = number_at(record, 4, 2) << 16;
    else if (type == HEX_START_REAL) /* linkers write it for addresses below 1 MiB */
        set_entry(reader, (number_at(record, 4, 2) << 4) + number_at(record, 6, 2));
    else if (type == HEX_START)
        set_entry(reader, number_at(record, 4, 4));
    reader->is_over = type == HEX_END;
    return ARMPMU_OK;
}

static enum armpmu_status read_hex(struct raw_reader *reader, struct record *record)
{
    enum armpmu_status status = ARMPMU_OK;

    if (record->text[-1] != ':')
        return bad(reader, "its first character is", (uint8_t)record->text[-1], ':');
    status = read_digits(reader, record);
    if (status == ARMPMU_OK)
        status = check(reader, record, 5, 5, 0);
    return status == ARMPMU_OK ? take_hex(reader, record) : status;
}

static enum armpmu_status take_srecord(struct raw_reader *reader, const struct record *record,
                                       unsigned type)
{
    static const uint8_t address_bytes[10] = {2, 2, 3, 4, 0, 2, 3, 4, 3, 2};
    const unsigned n = address_bytes[type];

    if (n == 0)
        return bad(reader, "its type is", type, 1);
    if (record->n_bytes < n + 2)
        return bad(reader, "the number of its bytes is", record->n_bytes, n + 2);
    const uint64_t address = number_at(record, 1, n);
    if (type >= 1 && type <= 3)
        return put(reader, address + reader->offset, record->bytes + 1 + n,
                   record->n_bytes - n - 2);
    if (type >= 7)
        set_entry(reader, address);
    reader->is_over = type >= 7;
    return ARMPMU_OK;
}

static enum armpmu_status read_srecord(struct raw_reader *reader, struct record *record)
{
    if (record->text[-1] != 'S' || record->n_digits == 0)
        return bad(reader, "its first character is", (uint8_t)record->text[-1], 'S');
    const int type = digit_of(record->text[0]);
    if (type < 0 || type > 9)
        return bad(reader, "its type is", (uint8_t)record->text[0], '1');
    record->text++;
    record->n_digits--;
    enum armpmu_status status = read_digits(reader, record);
    if (status == ARMPMU_OK)
        status = check(reader, record, 4, 1, 0xff);
    return status == ARMPMU_OK ? take_srecord(reader, record, (unsigned)type) : status;
}

static enum armpmu_status read_records(struct raw_reader *reader, const char *text, size_t n,
                                       enum armpmu_status (*read)(struct raw_reader *,
                                                                  struct record *))
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t at = 0; at < n && status == ARMPMU_OK && !reader->is_over;) {
        const char *const end = memchr(text + at, '\n', n - at);
        size_t length = end != NULL ? (size_t)(end - text) - at : n - at;
        const size_t next = at + length + 1;
        reader->line++;
        while (length > 0 && strchr(" \t\r", text[at + length - 1]) != NULL)
            length--;
        struct record record = {.text = text + at + 1, .n_digits = (unsigned)length - 1};
        if (length > 2 * RECORD_BYTES_MAX + 2)
            status =
                bad(reader, "the number of its characters is", length, 2 * RECORD_BYTES_MAX + 2);
        else if (length > 0)
            status = read(reader, &record);
        at = next;
    }
    if (status == ARMPMU_OK && !reader->is_over)
        return fail(reader->err, ARMPMU_BAD_INPUT,
                    "'%s' ends after line %zu without an end record: it is truncated",
                    reader->image->file.path, reader->line);
    return status;
}

/* ---- files -------------------------------------------------------------------------------------
 */

static enum armpmu_status read_any(struct raw_reader *reader, const char *text, size_t n)
{
    const size_t mark = raw_format_mark(text, n);

    switch (raw_format_of(text, n)) {
    case RAW_INTEL_HEX:
        return read_records(reader, text + mark, n - mark, read_hex);
    case RAW_S_RECORDS:
        return read_records(reader, text + mark, n - mark, read_srecord);
    case RAW_REFUSED:
        return raw_format_refuse(reader->image->file.path, text, n, reader->err);
    case RAW_BYTES:
        break;
    }
    return put(reader, reader->offset, (const uint8_t *)text, n);
}

/* The segments' bytes no longer move; the lowest is where it starts if nothing else is said. */
static void finish(struct raw_reader *reader)
{
    struct image *const image = reader->image;
    uint64_t lowest = UINT64_MAX;
    size_t at = 0;

    for (unsigned i = 0; i < image->n_segments; i++) {
        struct image_segment *const segment = &image->segments[i];
        segment->bytes = reader->data + at;
        segment->linked = segment->address;
        segment->n_file_bytes = segment->n_bytes;
        at += segment->n_bytes;
        lowest = segment->address < lowest ? segment->address : lowest;
        image->code_end = segment->address + segment->n_bytes > image->code_end
                              ? segment->address + segment->n_bytes
                              : image->code_end;
    }
    image->code_first = lowest;
    if (!reader->has_entry)
        image->entry = lowest;
}

enum armpmu_status raw_image_load(const char *path, uint64_t address, struct image *out,
                                  struct armpmu_error *err)
{
    const struct file_source file = {path, "name a firmware image", IMAGE_BYTES_MAX};
    struct raw_reader reader = {.image = out, .err = err, .offset = address};
    char *text;
    size_t n;

    *out = (struct image){.is_raw = true, .file = {.path = path, .fd = -1}};
    enum armpmu_status status = read_file_whole(&file, &text, &n, err);
    if (status == ARMPMU_OK && n >= SELFMAG && memcmp(text, ELFMAG, SELFMAG) == 0) {
        free(text);
        return image_load(path, &address, out, err);
    }
    if (status == ARMPMU_OK)
        status = read_any(&reader, text, n);
    if (status == ARMPMU_OK && out->n_segments == 0)
        status = fail(err, ARMPMU_BAD_INPUT, "'%s' has no bytes to load", path);
    free(text);
    out->raw = reader.data;
    if (status == ARMPMU_OK)
        finish(&reader);
    return status;
}
