/* Encryption with AES-128 in CBC mode: one chain of rounds. The last key of a block, its cipher
 * text's use for the next one and that one's first key are one exclusive-or beside the chain. */
#include "aes.h"

static uint32_t run(unsigned long repeats)
{
    uint8x16_t keys[ROUND_KEYS], state = vdupq_n_u8(0);
    aes_expand(aes_key, keys);
    const uint8x16_t first = veorq_u8(keys[0], keys[10]);
    while (repeats-- > 0)
        for (unsigned at = 0; at < KERNEL_BYTES; at += 16) {
            const uint8x16_t key = veorq_u8(vld1q_u8(buffer + at), first);
            AES_ROUNDS(state, key, keys);
            vst1q_u8(buffer + at, veorq_u8(state, keys[10]));
        }
    return kernel_fold(state);
}

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, aes_check, run);
}
