/* SHA-1 by its instructions. Source: FIPS 180-4. */
#include "kernel.h"

struct hash {
    uint32x4_t abcd;
    uint32_t e;
};

static const uint32_t start[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

/* Rounds 4 n to 4 n + 3, and the words of the message 16 rounds later. */
#define ROUNDS(n, op, constant, w0, w1, w2, w3)                                                    \
    do {                                                                                           \
        const uint32x4_t added = vaddq_u32(w0, vdupq_n_u32(constant));                             \
        const uint32_t next = vsha1h_u32(vgetq_lane_u32(abcd, 0));                                 \
        abcd = vsha1##op##q_u32(abcd, e, added);                                                   \
        e = next;                                                                                  \
        if ((n) < 16)                                                                              \
            w0 = vsha1su1q_u32(vsha1su0q_u32(w0, w1, w2), w3);                                     \
    } while (0)

static struct hash hash_block(struct hash hash, const uint8_t *bytes)
{
    uint32x4_t w0 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes)));
    uint32x4_t w1 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16)));
    uint32x4_t w2 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 32)));
    uint32x4_t w3 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 48)));
    uint32x4_t abcd = hash.abcd;
    uint32_t e = hash.e;
    ROUNDS(0, c, 0x5a827999, w0, w1, w2, w3);
    ROUNDS(1, c, 0x5a827999, w1, w2, w3, w0);
    ROUNDS(2, c, 0x5a827999, w2, w3, w0, w1);
    ROUNDS(3, c, 0x5a827999, w3, w0, w1, w2);
    ROUNDS(4, c, 0x5a827999, w0, w1, w2, w3);
    ROUNDS(5, p, 0x6ed9eba1, w1, w2, w3, w0);
    ROUNDS(6, p, 0x6ed9eba1, w2, w3, w0, w1);
    ROUNDS(7, p, 0x6ed9eba1, w3, w0, w1, w2);
    ROUNDS(8, p, 0x6ed9eba1, w0, w1, w2, w3);
    ROUNDS(9, p, 0x6ed9eba1, w1, w2, w3, w0);
    ROUNDS(10, m, 0x8f1bbcdc, w2, w3, w0, w1);
    ROUNDS(11, m, 0x8f1bbcdc, w3, w0, w1, w2);
    ROUNDS(12, m, 0x8f1bbcdc, w0, w1, w2, w3);
    ROUNDS(13, m, 0x8f1bbcdc, w1, w2, w3, w0);
    ROUNDS(14, m, 0x8f1bbcdc, w2, w3, w0, w1);
    ROUNDS(15, p, 0xca62c1d6, w3, w0, w1, w2);
    ROUNDS(16, p, 0xca62c1d6, w0, w1, w2, w3);
    ROUNDS(17, p, 0xca62c1d6, w1, w2, w3, w0);
    ROUNDS(18, p, 0xca62c1d6, w2, w3, w0, w1);
    ROUNDS(19, p, 0xca62c1d6, w3, w0, w1, w2);
    return (struct hash){vaddq_u32(hash.abcd, abcd), hash.e + e};
}

static bool check(void)
{
    static const uint8_t abc[64] = {'a', 'b', 'c', 0x80, [63] = 24};
    const struct hash hash = hash_block((struct hash){vld1q_u32(start), start[4]}, abc);
    return vgetq_lane_u32(hash.abcd, 0) == 0xa9993e36 && hash.e == 0x9cd0d89d;
}

static uint32_t run(unsigned long repeats)
{
    struct hash hash = {vld1q_u32(start), start[4]};
    while (repeats-- > 0)
        for (unsigned at = 0; at < KERNEL_BYTES; at += 64)
            hash = hash_block(hash, buffer + at);
    return kernel_fold(vreinterpretq_u8_u32(hash.abcd)) ^ hash.e;
}

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, check, run);
}
