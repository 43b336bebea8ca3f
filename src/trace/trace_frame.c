#include "trace/trace_frame.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "armpmu/trace.h"
#include "base/array.h"

/* As PNG's: the first byte is not a text, and whatever changes line ends changes this. */
const uint8_t trace_magic[8] = {0x89, 'A', 'P', 'T', '\r', '\n', 0x1a, '\n'};

/* ---- bytes ------------------------------------------------------------------------------------
 */

void trace_put(struct trace_bytes *bytes, const void *from, size_t n)
{
    bytes->is_lost |= !ARRAY_RESERVE(bytes->items, bytes->room, bytes->n + n);
    if (bytes->is_lost || n == 0)
        return;
    memcpy(bytes->items + bytes->n, from, n);
    bytes->n += n;
}

/* The most that a number of 64 bits takes. */
#define NUMBER_BYTES 10u

static inline size_t write_number(uint8_t *out, uint64_t number)
{
    size_t n = 0;

    for (; number > 0x7f; number >>= 7)
        out[n++] = (uint8_t)(number | 0x80);
    out[n++] = (uint8_t)number;
    return n;
}

void trace_put_number(struct trace_bytes *bytes, uint64_t number)
{
    uint8_t out[NUMBER_BYTES];

    trace_put(bytes, out, write_number(out, number));
}

void trace_put_text(struct trace_bytes *bytes, const char *text)
{
    const size_t n = strlen(text);

    trace_put_number(bytes, n);
    trace_put(bytes, text, n);
}

const uint8_t *trace_take(struct trace_view *view, size_t n)
{
    const uint8_t *const taken = view->next;

    if ((size_t)(view->end - taken) < n) {
        view->is_short = true;
        view->next = view->end;
        return NULL;
    }
    view->next += n;
    return taken;
}

uint64_t trace_take_number(struct trace_view *view)
{
    uint64_t number = 0;

    for (unsigned shift = 0; view->next < view->end && shift < 64; shift += 7) {
        const uint8_t byte = *view->next++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    view->is_short = true;
    return 0;
}

uint32_t trace_take_small(struct trace_view *view)
{
    const uint64_t number = trace_take_number(view);

    view->is_short |= number > UINT32_MAX;
    return (uint32_t)number;
}

char *trace_take_text(struct trace_view *view)
{
    const uint64_t n = trace_take_number(view);
    const uint8_t *const text = trace_take(view, (size_t)n);

    char *const copy = malloc(text != NULL ? (size_t)n + 1 : 1);

    if (copy == NULL)
        return NULL;
    if (text != NULL)
        memcpy(copy, text, (size_t)n);
    copy[text != NULL ? (size_t)n : 0] = '\0';
    return copy;
}

/* ---- numbers of fixed size --------------------------------------------------------------------
 */

static void write_little(uint8_t *out, uint64_t number, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++)
        out[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t read_little(const uint8_t *in, unsigned n_bytes)
{
    uint64_t number = 0;

    for (unsigned i = n_bytes; i-- > 0;)
        number = number << 8 | in[i];
    return number;
}

static uint32_t crc_of(const uint8_t *bytes, size_t n)
{
    return (uint32_t)crc32(0, bytes, (uInt)n);
}

void trace_header_write(uint32_t version, uint8_t out[TRACE_HEADER_BYTES])
{
    memcpy(out, trace_magic, sizeof trace_magic);
    write_little(out + 8, version, 4);
    write_little(out + 12, crc_of(out, 12), 4);
}

bool trace_header_read(const uint8_t in[TRACE_HEADER_BYTES], uint32_t *version)
{
    const bool is_whole = crc_of(in, 12) == read_little(in + 12, 4);

    *version = is_whole ? (uint32_t)read_little(in + 8, 4) : 0;
    return memcmp(in, trace_magic, sizeof trace_magic) == 0;
}

void trace_trailer_write(uint64_t index_at, uint8_t out[TRACE_TRAILER_BYTES])
{
    write_little(out, index_at, 8);
    write_little(out + 8, TRACE_END_MAGIC, 4);
    write_little(out + 12, crc_of(out, 12), 4);
}

bool trace_trailer_read(const uint8_t in[TRACE_TRAILER_BYTES], uint64_t *index_at)
{
    *index_at = read_little(in, 8);
    return read_little(in + 8, 4) == TRACE_END_MAGIC && read_little(in + 12, 4) == crc_of(in, 12);
}

static uint32_t frame_crc(const uint8_t header[TRACE_FRAME_BYTES], const void *stored,
                          size_t n_stored)
{
    const uLong crc = crc32(0, header, TRACE_FRAME_BYTES - 4);

    return (uint32_t)crc32(crc, stored, (uInt)n_stored);
}

void trace_frame_write(struct trace_frame *frame, const void *stored,
                       uint8_t out[TRACE_FRAME_BYTES])
{
    const uint32_t numbers[] = {frame->kind, frame->thread, frame->n_plain, frame->n_stored,
                                frame->n_items};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        write_little(out + 4 * i, numbers[i], 4);
    frame->crc = frame_crc(out, stored, frame->n_stored);
    write_little(out + TRACE_FRAME_BYTES - 4, frame->crc, 4);
}

void trace_frame_read(const uint8_t in[TRACE_FRAME_BYTES], struct trace_frame *out)
{
    *out = (struct trace_frame){
        .kind = (uint32_t)read_little(in, 4),
        .thread = (uint32_t)read_little(in + 4, 4),
        .n_plain = (uint32_t)read_little(in + 8, 4),
        .n_stored = (uint32_t)read_little(in + 12, 4),
        .n_items = (uint32_t)read_little(in + 16, 4),
        .crc = (uint32_t)read_little(in + 20, 4),
    };
}

bool trace_frame_is_whole(const uint8_t in[TRACE_FRAME_BYTES], const void *stored, size_t n_stored)
{
    return frame_crc(in, stored, n_stored) == read_little(in + TRACE_FRAME_BYTES - 4, 4);
}

/* ---- records ----------------------------------------------------------------------------------
 */

#define TABLE_BITS 16

/* The last record at a place in a block, and its difference from the one before it there. */
struct prediction {
    uint64_t last, stride;
};

struct trace_codec {
    uint64_t place;       /* in which block, and how many records after its first */
    uint64_t n_predicted; /* when decoding: the number of next records that are as predicted */
    struct prediction table[1u << TABLE_BITS];
};

/* Odd numbers without a pattern in their bits, whose multiples fill the table evenly. */
#define BLOCK_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define NEXT_PLACE   UINT64_C(0xc2b2ae3d27d4eb4f)

struct trace_codec *trace_codec_new(void)
{
    return malloc(sizeof(struct trace_codec));
}

static inline struct prediction *predict(struct trace_codec *codec)
{
    return &codec->table[codec->place >> (64 - TABLE_BITS)];
}

/* Numbers of blocks have no stride. */
static inline void learn(struct trace_codec *codec, struct prediction *prediction, uint64_t record)
{
    if (armpmu_record_kind(record) == ARMPMU_RECORD_BLOCK) {
        prediction->stride = 0;
        codec->place = record * BLOCK_FACTOR;
    } else {
        prediction->stride = record - prediction->last;
        codec->place += NEXT_PLACE;
    }
    prediction->last = record;
}

/* Small for small differences of either sign. */
static inline uint64_t fold(uint64_t difference)
{
    return difference << 1 ^ (UINT64_C(0) - (difference >> 63));
}

static inline uint64_t unfold(uint64_t folded)
{
    return folded >> 1 ^ (UINT64_C(0) - (folded & 1));
}

static void forget(struct trace_codec *codec)
{
    memset(codec, 0, sizeof *codec);
}

/* As trace_put_number, for many: out has room. */
static inline void add_number(struct trace_bytes *out, uint64_t number)
{
    out->n += write_number(out->items + out->n, number);
}

void trace_encode(struct trace_codec *codec, const uint64_t *records, size_t n_records,
                  struct trace_bytes *out)
{
    uint64_t n_predicted = 0;

    out->is_lost |=
        !ARRAY_RESERVE(out->items, out->room, out->n + (n_records + 1) * 2 * NUMBER_BYTES);
    if (out->is_lost)
        return;
    forget(codec);
    for (size_t i = 0; i < n_records; i++) {
        struct prediction *const prediction = predict(codec);
        if (records[i] == prediction->last + prediction->stride) {
            n_predicted++;
        } else {
            add_number(out, n_predicted);
            add_number(out, fold(records[i] - prediction->last));
            n_predicted = 0;
        }
        learn(codec, prediction, records[i]);
    }
    add_number(out, n_predicted);
}

void trace_decode_begin(struct trace_codec *codec, struct trace_view *in)
{
    forget(codec);
    codec->n_predicted = trace_take_number(in);
}

void trace_decode(struct trace_codec *codec, struct trace_view *in, uint64_t *records,
                  size_t n_records)
{
    for (size_t i = 0; i < n_records; i++) {
        struct prediction *const prediction = predict(codec);
        if (codec->n_predicted > 0) {
            records[i] = prediction->last + prediction->stride;
            codec->n_predicted--;
        } else {
            records[i] = prediction->last + unfold(trace_take_number(in));
            codec->n_predicted = trace_take_number(in);
        }
        learn(codec, prediction, records[i]);
    }
}

bool trace_decode_end(const struct trace_codec *codec, const struct trace_view *in)
{
    return codec->n_predicted == 0 && in->next == in->end && !in->is_short;
}
