/* AES-128 in counter mode: five independent blocks at a time, whose counters are made by
 * integer instructions. */
#include "aes.h"

#define FIVE(do)                                                                                   \
    do                                                                                             \
    (0) do(1) do(2) do(3) do(4)

static uint32_t run(unsigned long repeats)
{
    const uint32x4_t nonce = vdupq_n_u32(0x01020304);
    uint8x16_t keys[ROUND_KEYS];
    uint32_t counter = 0;
    aes_expand(aes_key, keys);
    while (repeats-- > 0)
        for (unsigned at = 0; at < KERNEL_BYTES; at += 80) {
#define START(n)                                                                                   \
    uint8x16_t s##n = vreinterpretq_u8_u32(vsetq_lane_u32(__builtin_bswap32(counter++), nonce, 3));
#define ROUND(n) s##n = vaesmcq_u8(vaeseq_u8(s##n, keys[round]));
#define LAST(n)                                                                                    \
    s##n = veorq_u8(vaeseq_u8(s##n, keys[9]), keys[10]);                                           \
    vst1q_u8(buffer + at + 16 * n, veorq_u8(vld1q_u8(buffer + at + 16 * n), s##n));
            FIVE(START)
#pragma GCC unroll 9
            for (unsigned round = 0; round < 9; round++) {
                FIVE(ROUND)
            }
            FIVE(LAST)
        }
    return kernel_fold(vld1q_u8(buffer));
}

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, aes_check, run);
}
