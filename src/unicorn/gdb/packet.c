#include "unicorn/gdb/packet.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ESCAPE    '}'
#define ESCAPED   0x20
#define INTERRUPT 3

static const char digits[] = "0123456789abcdef";

static int digit_value(char c)
{
    const char *const at = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;

    return at != NULL ? (int)(at - digits) : -1;
}

/* ---- reading ---- */

static enum gdb_input begin(struct gdb_reader *reader, uint8_t byte)
{
    if (byte == '-')
        return GDB_INPUT_AGAIN;
    if (byte == INTERRUPT)
        return GDB_INPUT_INTERRUPT;
    if (byte == '$')
        *reader = (struct gdb_reader){.state = GDB_IN_DATA};
    return GDB_INPUT_NONE;
}

static void take_data(struct gdb_reader *reader, uint8_t byte)
{
    if (byte == '#') {
        reader->state = GDB_IN_SUM;
        return;
    }
    reader->sum = (uint8_t)(reader->sum + byte);
    if (byte == ESCAPE && !reader->escaped) {
        reader->escaped = true;
        return;
    }
    if (reader->n < GDB_PACKET_BYTES)
        reader->data[reader->n++] = (char)(reader->escaped ? byte ^ ESCAPED : byte);
    else
        reader->too_long = true;
    reader->escaped = false;
}

static enum gdb_input end(struct gdb_reader *reader)
{
    reader->state = GDB_BETWEEN;
    reader->data[reader->n] = '\0';
    if (reader->wanted != reader->sum)
        return GDB_INPUT_BAD;
    return reader->too_long ? GDB_INPUT_TOO_LONG : GDB_INPUT_PACKET;
}

enum gdb_input gdb_reader_take(struct gdb_reader *reader, uint8_t byte)
{
    const int digit = digit_value((char)byte);

    switch (reader->state) {
    case GDB_BETWEEN:
        return begin(reader, byte);
    case GDB_IN_DATA:
        if (byte == '$') /* the one before was broken off */
            return begin(reader, byte);
        take_data(reader, byte);
        return GDB_INPUT_NONE;
    case GDB_IN_SUM:
    case GDB_IN_SUM_END:
        break;
    }
    if (digit < 0) {
        reader->state = GDB_BETWEEN;
        return GDB_INPUT_BAD;
    }
    reader->wanted = (uint8_t)(reader->wanted << 4 | digit);
    if (reader->state == GDB_IN_SUM_END)
        return end(reader);
    reader->state = GDB_IN_SUM_END;
    return GDB_INPUT_NONE;
}

size_t gdb_hex_bytes(const char **text, uint8_t *bytes, size_t room)
{
    size_t n = 0;

    for (; n < room && digit_value((*text)[0]) >= 0 && digit_value((*text)[1]) >= 0; *text += 2)
        bytes[n++] = (uint8_t)(digit_value((*text)[0]) << 4 | digit_value((*text)[1]));
    return n;
}

bool gdb_hex_number(const char **text, uint64_t *number)
{
    const char *const first = *text;

    *number = 0;
    for (int digit; (digit = digit_value(**text)) >= 0; (*text)++) {
        if (*number >> 60 != 0)
            return false;
        *number = *number << 4 | (uint64_t)digit;
    }
    return *text != first;
}

/* ---- writing ---- */

void gdb_text_clear(struct gdb_text *text)
{
    text->n = 0;
    text->data[0] = '\0';
    text->full = false;
}

void gdb_text_add(struct gdb_text *text, const char *format, ...)
{
    const size_t room = sizeof text->data - text->n;
    va_list arguments;

    va_start(arguments, format);
    const int n = vsnprintf(text->data + text->n, room, format, arguments);
    va_end(arguments);
    text->full = text->full || n < 0 || (size_t)n >= room;
    text->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

void gdb_text_add_hex(struct gdb_text *text, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n && text->n + 2 <= GDB_TEXT_BYTES; i++) {
        const uint8_t byte = ((const uint8_t *)bytes)[i];
        text->data[text->n++] = digits[byte >> 4];
        text->data[text->n++] = digits[byte & 15];
    }
    text->data[text->n] = '\0';
}

size_t gdb_frame(const struct gdb_text *text, char *frame)
{
    uint8_t sum = 0;
    size_t n = 0;

    frame[n++] = '$';
    for (size_t i = 0; i < text->n; i++) {
        const char c = text->data[i];
        const bool escapes = c == '$' || c == '#' || c == ESCAPE || c == '*';
        if (escapes)
            frame[n++] = ESCAPE;
        frame[n++] = (char)(escapes ? c ^ ESCAPED : c);
    }
    for (size_t i = 1; i < n; i++)
        sum = (uint8_t)(sum + (uint8_t)frame[i]);
    frame[n++] = '#';
    frame[n++] = digits[sum >> 4];
    frame[n++] = digits[sum & 15];
    return n;
}
