/* Checksums over a buffer: CRC-32 by table, Adler-32, FNV-1a in 64 bits. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];

static uint32_t crc32(const uint8_t *bytes, unsigned n)
{
    uint32_t crc = ~0u;
    for (unsigned i = 0; i < n; i++)
        crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

static uint32_t adler32(const uint8_t *bytes, unsigned n)
{
    uint32_t a = 1, b = 0;
    for (unsigned i = 0; i < n; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint64_t fnv1a(const uint8_t *bytes, unsigned n)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (unsigned i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

int main(void)
{
    static uint8_t buffer[20000];
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (unsigned i = 0; i < sizeof(buffer); i++)
        buffer[i] = (uint8_t)(i * 31 + (i >> 7));
    printf("%08" PRIx32 " %08" PRIx32 " %016" PRIx64 "\n", crc32(buffer, sizeof(buffer)),
           adler32(buffer, sizeof(buffer)), fnv1a(buffer, sizeof(buffer)));
    return 0;
}
