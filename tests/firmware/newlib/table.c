/* A sieve and a checksum: much code that branches, with conditional stores. */
#include <stdio.h>
#include <stdint.h>

int main(void)
{
    static uint8_t composite[20000];
    uint32_t crc = 0xffffffff, primes = 0;

    for (unsigned i = 2; i < sizeof composite; i++) {
        if (composite[i])
            continue;
        primes++;
        for (unsigned j = i * i; j < sizeof composite && i < 200; j += i)
            composite[j] = 1;
    }
    for (unsigned i = 0; i < sizeof composite; i++) {
        crc ^= composite[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    printf("%lu %08lx\n", (unsigned long)primes, (unsigned long)~crc);
    return 0;
}
