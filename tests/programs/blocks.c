/* Moving memory: every copy length and alignment, and block transfers of many registers. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static uint8_t from[4096], to[4096];
    uint32_t sum = 0;
    for (unsigned i = 0; i < sizeof(from); i++)
        from[i] = (uint8_t)(i * 7 + 3);
    for (unsigned length = 0; length < 200; length += 3)
        for (unsigned shift = 0; shift < 4; shift++) {
            memcpy(to + shift, from + 5 * shift + length, length);
            memmove(to + shift + 7, to + shift, length);
            sum += (uint32_t)memcmp(to, from, length) & 1;
            sum = sum * 3 + to[length];
        }
    for (unsigned line = 0; line < sizeof(to); line += 1024)
        memset(to + line, (int)line, 1000);
    printf("%u %u\n", (unsigned)sum, to[2049]);
    return 0;
}
