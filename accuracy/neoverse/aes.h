/* AES by its instructions, with keys of 128, 192 or 256 bits: of 10, 12 or 14 rounds. Source: FIPS
 * 197. */
#ifndef AES_H
#define AES_H

#include "kernel.h"

#ifndef ROUNDS
#define ROUNDS 10
#endif

enum { ROUND_KEYS = ROUNDS + 1, KEY_WORDS = ROUNDS - 6 };

/* S-box of each byte of a word. */
static inline uint32_t aes_substituted(uint32_t word)
{
    const uint8x16_t all = vreinterpretq_u8_u32(vdupq_n_u32(word));
    return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(all, vdupq_n_u8(0))), 0);
}

static inline void aes_expand(const uint8_t *key, uint8x16_t *keys)
{
    uint32_t words[4 * ROUND_KEYS], constant = 1;
    memcpy(words, key, 4 * KEY_WORDS);
    for (unsigned i = KEY_WORDS; i < 4 * ROUND_KEYS; i++) {
        uint32_t last = words[i - 1];
        if (i % KEY_WORDS == 0) {
            last = aes_substituted(last >> 8 | last << 24) ^ constant;
            constant = constant << 1 ^ (constant >> 7) * 0x11b;
        } else if (KEY_WORDS > 6 && i % KEY_WORDS == 4) {
            last = aes_substituted(last);
        }
        words[i] = words[i - KEY_WORDS] ^ last;
    }
    memcpy(keys, words, sizeof words);
}

#define AES_ROUND(state, key) state = vaesmcq_u8(vaeseq_u8(state, key))
#if ROUNDS > 10
#define AES_MORE(state, keys, n)                                                                   \
    AES_ROUND(state, (keys)[n]);                                                                   \
    AES_ROUND(state, (keys)[n + 1]);
#else
#define AES_MORE(state, keys, n)
#endif
#if ROUNDS > 12
#define AES_MOST(state, keys, n) AES_MORE(state, keys, n)
#else
#define AES_MOST(state, keys, n)
#endif

/* All rounds but the last, and the substitution of that: without its key. */
#define AES_ROUNDS(state, first_key, keys)                                                         \
    do {                                                                                           \
        AES_ROUND(state, first_key);                                                               \
        AES_ROUND(state, (keys)[1]);                                                               \
        AES_ROUND(state, (keys)[2]);                                                               \
        AES_ROUND(state, (keys)[3]);                                                               \
        AES_ROUND(state, (keys)[4]);                                                               \
        AES_ROUND(state, (keys)[5]);                                                               \
        AES_ROUND(state, (keys)[6]);                                                               \
        AES_ROUND(state, (keys)[7]);                                                               \
        AES_ROUND(state, (keys)[8]);                                                               \
        AES_MORE(state, keys, 9)                                                                   \
        AES_MOST(state, keys, 11)                                                                  \
        state = vaeseq_u8(state, (keys)[ROUNDS - 1]);                                              \
    } while (0)

static const uint8_t aes_key[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/* The examples of the standard. */
static inline bool aes_check(void)
{
    static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                      0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
    static const uint8_t ciphers[3][16] = {{0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8,
                                            0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
                                           {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e,
                                            0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91},
                                           {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea,
                                            0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}};
    uint8x16_t keys[ROUND_KEYS], state = vld1q_u8(plain);
    uint8_t result[16];
    aes_expand(aes_key, keys);
    AES_ROUNDS(state, keys[0], keys);
    vst1q_u8(result, veorq_u8(state, keys[ROUNDS]));
    return memcmp(result, ciphers[(ROUNDS - 10) / 2], sizeof result) == 0;
}

#endif
