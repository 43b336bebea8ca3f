/* What the cryptographic kernels share: each checks itself on a published example, processes a
 * buffer of KERNEL_BYTES as often as its argument says, and prints a checksum of the result. */
#ifndef KERNEL_H
#define KERNEL_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_BYTES 3840 /* a multiple of 64 and of five blocks of 16 */

static uint8_t buffer[KERNEL_BYTES + 16]; /* a block is read ahead */

static inline int kernel_main(int argc, char **argv, bool (*check)(void),
                              uint32_t (*run)(unsigned long repeats))
{
    const unsigned long repeats = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    if (repeats == 0) {
        fprintf(stderr, "usage: %s REPEATS    processes %d bytes so many times\n", argv[0],
                KERNEL_BYTES);
        return 2;
    }
    if (!check()) {
        fprintf(stderr, "%s: the published example came out wrong\n", argv[0]);
        return 1;
    }
    for (unsigned i = 0; i < KERNEL_BYTES; i++)
        buffer[i] = (uint8_t)(i * 7 + i / 256);
    printf("%08x\n", run(repeats));
    return 0;
}

static inline uint32_t kernel_fold(uint8x16_t x)
{
    const uint32x4_t words = vreinterpretq_u32_u8(x);
    return vgetq_lane_u32(words, 0) ^ vgetq_lane_u32(words, 1) ^ vgetq_lane_u32(words, 2) ^
           vgetq_lane_u32(words, 3);
}

#endif
