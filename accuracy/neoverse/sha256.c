/* SHA-256 by its instructions. Source: FIPS 180-4. */
#include "kernel.h"

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct hash {
    uint32x4_t abcd, efgh;
};

static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* Rounds 4 n to 4 n + 3, and the words of the message 16 rounds later. */
#define ROUNDS(n, w0, w1, w2, w3)                                                                  \
    do {                                                                                           \
        const uint32x4_t added = vaddq_u32(w0, vld1q_u32(&constants[4 * (n)]));                    \
        const uint32x4_t before = abcd;                                                            \
        if ((n) < 12)                                                                              \
            w0 = vsha256su0q_u32(w0, w1);                                                          \
        abcd = vsha256hq_u32(abcd, efgh, added);                                                   \
        efgh = vsha256h2q_u32(efgh, before, added);                                                \
        if ((n) < 12)                                                                              \
            w0 = vsha256su1q_u32(w0, w2, w3);                                                      \
    } while (0)

static struct hash hash_block(struct hash hash, const uint8_t *bytes)
{
    uint32x4_t w0 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes)));
    uint32x4_t w1 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16)));
    uint32x4_t w2 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 32)));
    uint32x4_t w3 = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 48)));
    uint32x4_t abcd = hash.abcd, efgh = hash.efgh;
#define SIXTEEN(n)                                                                                 \
    ROUNDS(n, w0, w1, w2, w3);                                                                     \
    ROUNDS((n) + 1, w1, w2, w3, w0);                                                               \
    ROUNDS((n) + 2, w2, w3, w0, w1);                                                               \
    ROUNDS((n) + 3, w3, w0, w1, w2)
    SIXTEEN(0);
    SIXTEEN(4);
    SIXTEEN(8);
    SIXTEEN(12);
    return (struct hash){vaddq_u32(hash.abcd, abcd), vaddq_u32(hash.efgh, efgh)};
}

static bool check(void)
{
    static const uint8_t abc[64] = {'a', 'b', 'c', 0x80, [63] = 24};
    const struct hash hash = hash_block((struct hash){vld1q_u32(start), vld1q_u32(start + 4)}, abc);
    return vgetq_lane_u32(hash.abcd, 0) == 0xba7816bf && vgetq_lane_u32(hash.efgh, 3) == 0xf20015ad;
}

static uint32_t run(unsigned long repeats)
{
    struct hash hash = {vld1q_u32(start), vld1q_u32(start + 4)};
    while (repeats-- > 0)
        for (unsigned at = 0; at < KERNEL_BYTES; at += 64)
            hash = hash_block(hash, buffer + at);
    return kernel_fold(vreinterpretq_u8_u32(veorq_u32(hash.abcd, hash.efgh)));
}

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, check, run);
}
