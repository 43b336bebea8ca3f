/* Reads of random bytes, each of which needs the one before it, as tinymembench
 * (github.com/ssvb/tinymembench) makes them: its figures are what a read takes more than one of two
 * bytes does, so the time of the numbers falls out. Where it makes a million of them and then goes
 * to another place, as sbc-bench has it do in its short runs, the first read of each line counts.
 *
 * random_reads BITS ALL PASSES: PASSES times READS reads of 2^BITS bytes, the next PLACE of them
 * after these, then as many of two bytes as make ALL passes of both. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define READS     (1 << 16)
#define PLACE     16 /* passes, a million reads */
#define BITS_MOST 23
#define BYTES     (16 << 20)
#define HUGE      (2 << 20) /* bytes of a huge page */

static uint32_t next(uint32_t seed)
{
    return seed * 1103515245 + 12345;
}

static uint32_t read_all(const uint8_t *bytes, unsigned bits, uint32_t seed)
{
    const uint32_t mask = (UINT32_C(1) << bits) - 1;

    for (int i = 0; i < READS; i++) {
        const uint32_t first = next(seed), second = next(first);
        seed = next(second);
        seed |= bytes[((first >> 16 & 0xff) | (second >> 8 & 0xff00) | (seed & 0x7fff0000)) & mask];
    }
    return seed;
}

int main(int argc, char **argv)
{
    const unsigned bits = argc == 4 ? (unsigned)atoi(argv[1]) : 0;
    const int all = argc == 4 ? atoi(argv[2]) : 0, passes = argc == 4 ? atoi(argv[3]) : 0;
    uint32_t seed = 0;

    if (bits < 1 || bits > BITS_MOST || passes < 0 || passes > all || passes > 2 * PLACE)
        return 2;
    uint8_t *const mapped =
        mmap(NULL, BYTES + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return 1;
    uint8_t *const bytes = mapped + (-(uintptr_t)mapped & (HUGE - 1));
    memset(bytes, 0, (size_t)1 << bits);
    for (int i = 0; i < all; i++)
        seed = i < passes ? read_all(bytes + ((size_t)(i / PLACE) << bits), bits, seed)
                          : read_all(bytes, 1, seed);
    printf("%u\n", seed);
    return 0;
}
