/* Packets of gdb's remote serial protocol: $DATA#SS, SS the sum of DATA's bytes in hexadecimal.
 *
 * Source: "Debugging with GDB", appendix "GDB Remote Serial Protocol", Overview. Assumes that the
 * link loses nothing, as TCP: sums are verified until the client asks for no acknowledgements. */
#ifndef UNICORN_GDB_PACKET_H
#define UNICORN_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GDB_PACKET_BYTES 4096u /* of DATA */

enum gdb_input {
    GDB_INPUT_NONE,      /* more is to come */
    GDB_INPUT_PACKET,    /* .data is whole */
    GDB_INPUT_BAD,       /* its sum is wrong: ask for it again */
    GDB_INPUT_TOO_LONG,  /* whole, but for what there is no room */
    GDB_INPUT_AGAIN,     /* '-': the last packet is to be sent again */
    GDB_INPUT_INTERRUPT, /* the byte 3 between packets */
};

/* Zero is the beginning. */
struct gdb_reader {
    char data[GDB_PACKET_BYTES + 1]; /* unescaped, followed by a zero byte */
    size_t n;
    uint8_t sum, wanted;
    bool escaped, too_long;
    enum { GDB_BETWEEN, GDB_IN_DATA, GDB_IN_SUM, GDB_IN_SUM_END } state;
};

enum gdb_input gdb_reader_take(struct gdb_reader *reader, uint8_t byte);

/* Text that is being written; what there is no room for is left out, and .full says so. */
#define GDB_TEXT_BYTES (2 * GDB_PACKET_BYTES)
struct gdb_text {
    char data[GDB_TEXT_BYTES + 1];
    size_t n;
    bool full;
};

void gdb_text_clear(struct gdb_text *text);
__attribute__((format(printf, 2, 3))) void gdb_text_add(struct gdb_text *text, const char *format,
                                                        ...);
/* Bytes as pairs of hexadecimal digits. */
void gdb_text_add_hex(struct gdb_text *text, const void *bytes, size_t n);

/* Pairs of digits as bytes: how many were read, at most room. *text ends after them. */
size_t gdb_hex_bytes(const char **text, uint8_t *bytes, size_t room);
/* A number; false where there is no digit, or more than 64 bits. */
bool gdb_hex_number(const char **text, uint64_t *number);

/* The text as a packet; room for GDB_FRAME_BYTES. How many it takes. */
#define GDB_FRAME_BYTES (2 * GDB_TEXT_BYTES + 4)
size_t gdb_frame(const struct gdb_text *text, char *frame);

#endif
