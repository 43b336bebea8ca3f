/* ChaCha20 of four blocks at a time, a word of each in a vector. Source: RFC 8439. */
#include "kernel.h"

static const uint32_t example[16] = {
    0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
    0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c, 0x00000001, 0x09000000, 0x4a000000, 0x00000000};

#define TURN_16(x) vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)))
#define TURN(x, n) vsriq_n_u32(vshlq_n_u32(x, n), x, 32 - (n))

#define STEP(a, b, d, turned)                                                                      \
    a = vaddq_u32(a, b);                                                                           \
    d = veorq_u32(d, a);                                                                           \
    d = turned;

/* A step of four quarter rounds after another keeps the pipes busy. */
#define FOUR(a0, a1, a2, a3, b0, b1, b2, b3, d0, d1, d2, d3, turn)                                 \
    do {                                                                                           \
        STEP(a0, b0, d0, turn(d0))                                                                 \
        STEP(a1, b1, d1, turn(d1))                                                                 \
        STEP(a2, b2, d2, turn(d2))                                                                 \
        STEP(a3, b3, d3, turn(d3))                                                                 \
    } while (0)

#define TURN_12(x) TURN(x, 12)
#define TURN_8(x)  TURN(x, 8)
#define TURN_7(x)  TURN(x, 7)

#define ROUND(b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3)                                      \
    FOUR(x0, x1, x2, x3, b0, b1, b2, b3, d0, d1, d2, d3, TURN_16);                                 \
    FOUR(c0, c1, c2, c3, d0, d1, d2, d3, b0, b1, b2, b3, TURN_12);                                 \
    FOUR(x0, x1, x2, x3, b0, b1, b2, b3, d0, d1, d2, d3, TURN_8);                                  \
    FOUR(c0, c1, c2, c3, d0, d1, d2, d3, b0, b1, b2, b3, TURN_7)

/* Four rows of four words as columns, and to memory. */
static void add_key_stream(uint8_t *to, uint32x4_t a, uint32x4_t b, uint32x4_t c, uint32x4_t d)
{
    const uint64x2_t ab0 = vreinterpretq_u64_u32(vtrn1q_u32(a, b));
    const uint64x2_t ab1 = vreinterpretq_u64_u32(vtrn2q_u32(a, b));
    const uint64x2_t cd0 = vreinterpretq_u64_u32(vtrn1q_u32(c, d));
    const uint64x2_t cd1 = vreinterpretq_u64_u32(vtrn2q_u32(c, d));
    const uint64x2_t rows[4] = {vtrn1q_u64(ab0, cd0), vtrn1q_u64(ab1, cd1), vtrn2q_u64(ab0, cd0),
                                vtrn2q_u64(ab1, cd1)};
    for (unsigned i = 0; i < 4; i++)
        vst1q_u8(to + 64 * i, veorq_u8(vld1q_u8(to + 64 * i), vreinterpretq_u8_u64(rows[i])));
}

/* Adds the key stream of four blocks to as many bytes. */
static void four_blocks(const uint32_t *state, uint8_t *to)
{
    static const uint32_t numbers[4] = {0, 1, 2, 3};
    const uint32x4_t counter = vaddq_u32(vdupq_n_u32(state[12]), vld1q_u32(numbers));
#define LOAD(n) uint32x4_t x##n = (n) == 12 ? counter : vdupq_n_u32(state[n])
    LOAD(0);
    LOAD(1);
    LOAD(2);
    LOAD(3);
    LOAD(4);
    LOAD(5);
    LOAD(6);
    LOAD(7);
    LOAD(8);
    LOAD(9);
    LOAD(10);
    LOAD(11);
    LOAD(12);
    LOAD(13);
    LOAD(14);
    LOAD(15);
    for (unsigned i = 0; i < 10; i++) {
        ROUND(x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15);
        ROUND(x5, x6, x7, x4, x10, x11, x8, x9, x15, x12, x13, x14);
    }
#define SUM(n) vaddq_u32(x##n, (n) == 12 ? counter : vdupq_n_u32(state[n]))
    add_key_stream(to, SUM(0), SUM(1), SUM(2), SUM(3));
    add_key_stream(to + 16, SUM(4), SUM(5), SUM(6), SUM(7));
    add_key_stream(to + 32, SUM(8), SUM(9), SUM(10), SUM(11));
    add_key_stream(to + 48, SUM(12), SUM(13), SUM(14), SUM(15));
}

/* The first bytes of the key stream of the standard's example, 2.3.2. */
static bool check(void)
{
    static const uint8_t stream[16] = {0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15,
                                       0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4};
    uint8_t bytes[256] = {0};
    four_blocks(example, bytes);
    return memcmp(bytes, stream, sizeof stream) == 0;
}

static uint32_t run(unsigned long repeats)
{
    uint32_t state[16];
    memcpy(state, example, sizeof state);
    while (repeats-- > 0)
        for (unsigned at = 0; at < KERNEL_BYTES; at += 256, state[12] += 4)
            four_blocks(state, buffer + at);
    return kernel_fold(vld1q_u8(buffer));
}

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, check, run);
}
