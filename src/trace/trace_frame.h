/* The frames of a recorded trace, for the two files that write and read it: bytes, checksums, and
 * how records become few bytes.
 *
 *   frame header, little endian: kind, thread, plain bytes, stored bytes, items, CRC-32 of these
 *   five and of the stored bytes
 *
 * Records are predicted: for each place in a block, the table has the last record and its
 * difference from the one before. Records as predicted are only counted; others are written as the
 * difference from the last. So a loop takes a few equal bytes a turn, and zstd does the rest. */
#ifndef TRACE_TRACE_FRAME_H
#define TRACE_TRACE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_HEADER_BYTES  16u
#define TRACE_TRAILER_BYTES 16u
#define TRACE_FRAME_BYTES   24u /* a frame's header */

/* A frame is full where the first block after this number of records begins, at the latest with
 * the second number. */
#define TRACE_RECORDS_USUAL (1u << 18)
#define TRACE_RECORDS_MAX   (1u << 20)
/* Bytes of a frame, before compression. */
#define TRACE_PLAIN_MAX (64u << 20)

extern const uint8_t trace_magic[8];
#define TRACE_END_MAGIC UINT32_C(0x45545041) /* "APTE" */

/* CRC-32 covers all that precedes it. */
struct trace_frame {
    uint32_t kind; /* enum trace_frame_kind */
    uint32_t thread;
    uint32_t n_plain, n_stored; /* bytes before and after compression */
    uint32_t n_items;           /* records, blocks, threads, frames */
    uint32_t crc;
};

enum trace_frame_kind {
    TRACE_FRAME_SETUP = 1,
    TRACE_FRAME_BLOCKS,
    TRACE_FRAME_RECORDS,
    TRACE_FRAME_END,
    TRACE_FRAME_INDEX,
};

/* ---- bytes ------------------------------------------------------------------------------------
 */

/* A buffer that grows; what does not fit into memory is left out, and is_lost. */
struct trace_bytes {
    uint8_t *items;
    size_t n, room;
    bool is_lost;
};

void trace_put(struct trace_bytes *bytes, const void *from, size_t n);
void trace_put_number(struct trace_bytes *bytes,
                      uint64_t number); /* 7 bits a byte, low ones first */
void trace_put_text(struct trace_bytes *bytes, const char *text);

/* The rest to read. What is not there reads as 0, and is_short. */
struct trace_view {
    const uint8_t *next, *end;
    bool is_short;
};

/* NULL where there are fewer. */
const uint8_t *trace_take(struct trace_view *view, size_t n);
uint64_t trace_take_number(struct trace_view *view);
uint32_t trace_take_small(struct trace_view *view); /* of 32 bits */
/* A copy with a NUL at its end, which the caller frees; NULL without memory. */
char *trace_take_text(struct trace_view *view);

/* ---- checksums --------------------------------------------------------------------------------
 */

void trace_header_write(uint32_t version, uint8_t out[TRACE_HEADER_BYTES]);
/* False for another file; *version is that of the file, if its checksum says so, else 0. */
bool trace_header_read(const uint8_t in[TRACE_HEADER_BYTES], uint32_t *version);

void trace_trailer_write(uint64_t index_at, uint8_t out[TRACE_TRAILER_BYTES]);
bool trace_trailer_read(const uint8_t in[TRACE_TRAILER_BYTES], uint64_t *index_at);

/* Sets crc. */
void trace_frame_write(struct trace_frame *frame, const void *stored,
                       uint8_t out[TRACE_FRAME_BYTES]);
void trace_frame_read(const uint8_t in[TRACE_FRAME_BYTES], struct trace_frame *out);
bool trace_frame_is_whole(const uint8_t in[TRACE_FRAME_BYTES], const void *stored, size_t n_stored);

/* ---- records ----------------------------------------------------------------------------------
 */

struct trace_codec;

/* NULL without memory; freed by free(). */
struct trace_codec *trace_codec_new(void);

/* For a frame. */
void trace_encode(struct trace_codec *codec, const uint64_t *records, size_t n_records,
                  struct trace_bytes *out);
/* The same back, from begin to end in as many parts as one likes. */
void trace_decode_begin(struct trace_codec *codec, struct trace_view *in);
void trace_decode(struct trace_codec *codec, struct trace_view *in, uint64_t *records,
                  size_t n_records);
/* False if the bytes are not this number of records. */
bool trace_decode_end(const struct trace_codec *codec, const struct trace_view *in);

#endif
