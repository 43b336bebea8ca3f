/* A dictionary compressor over a text of records, and back. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 12000, WINDOW = 4096, HASHES = 1024 };

static uint8_t text[SIZE], packed[SIZE + SIZE / 8 + 16], back[SIZE];
static uint16_t latest[HASHES];

static void write_text(void)
{
    static const char *const records[] = {"counter ", "cache ", "branch ", "stall ", "refill "};
    uint32_t random = 1;
    for (unsigned n = 0; n < SIZE;) {
        random = random * 1664525u + 1013904223u;
        for (const char *c = records[random >> 16 & 3]; *c != '\0' && n < SIZE; c++)
            text[n++] = (uint8_t)*c;
    }
}

static unsigned hash(const uint8_t *at)
{
    return (at[0] * 31u + at[1] * 7u + at[2]) % HASHES;
}

/* A literal is 0 and the byte; a match is its length, then how far back it lies. */
static unsigned pack(void)
{
    unsigned out = 0;
    for (unsigned at = 0; at < SIZE;) {
        unsigned length = 0, from = 0;
        if (at + 3 < SIZE) {
            from = latest[hash(text + at)];
            latest[hash(text + at)] = (uint16_t)at;
            while (from < at && at - from < WINDOW && length < 250 && at + length < SIZE &&
                   text[from + length] == text[at + length])
                length++;
        }
        if (length < 4) {
            packed[out++] = 0;
            packed[out++] = text[at++];
            continue;
        }
        packed[out++] = (uint8_t)length;
        packed[out++] = (uint8_t)((at - from) >> 8);
        packed[out++] = (uint8_t)(at - from);
        at += length;
    }
    return out;
}

static unsigned unpack(unsigned n)
{
    unsigned out = 0;
    for (unsigned at = 0; at < n;) {
        const unsigned length = packed[at++];
        if (length == 0) {
            back[out++] = packed[at++];
            continue;
        }
        const unsigned distance = packed[at] << 8 | packed[at + 1];
        at += 2;
        for (unsigned i = 0; i < length; i++, out++)
            back[out] = back[out - distance];
    }
    return out;
}

int main(void)
{
    write_text();
    const unsigned n = pack();
    const int same = unpack(n) == SIZE && memcmp(text, back, SIZE) == 0;
    printf("%d bytes in %u, %s\n", SIZE, n, same ? "and back" : "not back");
    return same ? 0 : 1;
}
