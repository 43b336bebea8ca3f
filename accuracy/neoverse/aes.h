/* AES-128 by its instructions. Source: FIPS 197. */
#ifndef AES_H
#define AES_H

#include "kernel.h"

enum { ROUND_KEYS = 11 };

/* S-box of the last word of a round key in each word, turned by a byte. */
static inline uint32x4_t aes_turned(uint32x4_t key)
{
    const uint32x4_t last = vdupq_laneq_u32(key, 3);
    const uint8x16_t s = vaeseq_u8(vreinterpretq_u8_u32(last), vdupq_n_u8(0));
    const uint32x4_t word = vreinterpretq_u32_u8(s);
    return vorrq_u32(vshrq_n_u32(word, 8), vshlq_n_u32(word, 24));
}

static inline void aes_expand(const uint8_t *key, uint8x16_t *keys)
{
    uint32_t constant = 1;
    keys[0] = vld1q_u8(key);
    for (unsigned i = 1; i < ROUND_KEYS; i++) {
        const uint32x4_t before = vreinterpretq_u32_u8(keys[i - 1]), zero = vdupq_n_u32(0);
        uint32x4_t sum = veorq_u32(before, vextq_u32(zero, before, 3));
        sum = veorq_u32(sum, vextq_u32(zero, sum, 2));
        sum = veorq_u32(sum, veorq_u32(aes_turned(before), vdupq_n_u32(constant)));
        keys[i] = vreinterpretq_u8_u32(sum);
        constant = constant << 1 ^ (constant >> 7) * 0x11b;
    }
}

/* Nine rounds and the substitution of the tenth: without its key. */
#define AES_ROUNDS(state, first_key, keys)                                                         \
    do {                                                                                           \
        state = vaesmcq_u8(vaeseq_u8(state, first_key));                                           \
        state = vaesmcq_u8(vaeseq_u8(state, (keys)[1]));                                           \
        state = vaesmcq_u8(vaeseq_u8(state, (keys)[2]));                                           \
        state = vaesmcq_u8(vaeseq_u8(state, (keys)[3]));                                           \
        state = vaesmcq_u8(vaeseq_u8(state, (keys)[4]));                                           \
        state = vaesmcq_u8(vaeseq_u8(state, (keys)[5]));                                           \
        state = vaesmcq_u8(vaeseq_u8(state, (keys)[6]));                                           \
        state = vaesmcq_u8(vaeseq_u8(state, (keys)[7]));                                           \
        state = vaesmcq_u8(vaeseq_u8(state, (keys)[8]));                                           \
        state = vaeseq_u8(state, (keys)[9]);                                                       \
    } while (0)

static const uint8_t aes_key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* The example of the standard. */
static inline bool aes_check(void)
{
    static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                      0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
    static const uint8_t cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                       0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    uint8x16_t keys[ROUND_KEYS], state = vld1q_u8(plain);
    uint8_t result[16];
    aes_expand(aes_key, keys);
    AES_ROUNDS(state, keys[0], keys);
    vst1q_u8(result, veorq_u8(state, keys[10]));
    return memcmp(result, cipher, sizeof result) == 0;
}

#endif
