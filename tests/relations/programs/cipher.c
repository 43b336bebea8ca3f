/* ChaCha20's block function and SipHash-like mixing: additions, rotations, exclusive ors. */
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static void quarter(uint32_t *s, int a, int b, int c, int d)
{
    s[a] += s[b], s[d] = rotate(s[d] ^ s[a], 16);
    s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 12);
    s[a] += s[b], s[d] = rotate(s[d] ^ s[a], 8);
    s[c] += s[d], s[b] = rotate(s[b] ^ s[c], 7);
}

static void block(const uint32_t *key, uint32_t counter, uint32_t *out)
{
    uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (int i = 0; i < 8; i++)
        s[4 + i] = key[i];
    s[12] = counter;
    for (int i = 0; i < 16; i++)
        out[i] = s[i];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++)
            quarter(s, i, 4 + i, 8 + i, 12 + i);
        for (int i = 0; i < 4; i++)
            quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    for (int i = 0; i < 16; i++)
        out[i] += s[i];
}

int main(void)
{
    const uint32_t key[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t out[16], sum = 0;
    for (uint32_t counter = 0; counter < 400; counter++) {
        block(key, counter, out);
        for (int i = 0; i < 16; i++)
            sum = rotate(sum, 5) ^ out[i];
    }
    printf("%08x\n", sum);
    return 0;
}
