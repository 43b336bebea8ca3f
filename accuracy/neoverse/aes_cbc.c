/* Encryption with AES in CBC mode: one chain of rounds. The last key of a block, its cipher text's
 * use for the next one and that one's first key are one exclusive-or beside the chain; the next
 * block is loaded during the rounds, as the measured code does. */
#include "aes.h"

static uint32_t run(unsigned long repeats)
{
    uint8x16_t keys[ROUND_KEYS], state = vdupq_n_u8(0);
    aes_expand(aes_key, keys);
    const uint8x16_t first = veorq_u8(keys[0], keys[ROUNDS]);
    uint8x16_t key = veorq_u8(vld1q_u8(buffer), first);
    while (repeats-- > 0)
        for (unsigned at = 0; at < KERNEL_BYTES; at += 16) {
            const uint8x16_t next = vld1q_u8(buffer + at + 16);
            AES_ROUNDS(state, key, keys);
            key = veorq_u8(next, first);
            vst1q_u8(buffer + at, veorq_u8(state, keys[ROUNDS]));
        }
    return kernel_fold(state);
}

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, aes_check, run);
}
