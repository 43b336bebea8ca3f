/* Primes by a sieve, by division, and greatest common divisors: divisions and remainders. */
#include <stdint.h>
#include <stdio.h>

enum { LIMIT = 20000 };

static uint8_t composite[LIMIT];

static unsigned common_divisor(unsigned a, unsigned b)
{
    while (b != 0) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int is_prime(unsigned n)
{
    for (unsigned d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 0;
    return 1;
}

int main(void)
{
    unsigned sieved = 0, divided = 0, sum = 0;
    for (unsigned i = 2; i < LIMIT; i++) {
        sieved += !composite[i];
        for (unsigned j = 2 * i; j < LIMIT && !composite[i]; j += i)
            composite[j] = 1;
    }
    for (unsigned i = 2; i < LIMIT / 8; i++)
        divided += (unsigned)is_prime(i);
    for (unsigned i = 1; i < 300; i++)
        sum += common_divisor(i * 360, 27720 + i);
    printf("%u %u %u\n", sieved, divided, sum);
    return 0;
}
