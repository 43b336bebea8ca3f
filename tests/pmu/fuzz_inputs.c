/* The fuzzer's body over a seeded set of inputs, with whatever compiler builds the tests. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

#define INPUTS       20000
#define LENGTH_LIMIT 160

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    struct random random = {seed};
    uint8_t bytes[LENGTH_LIMIT];

    printf("%d inputs, seed %" PRIu64 "\n", INPUTS, seed);
    fflush(stdout);
    for (unsigned i = 0; i < INPUTS; i++) {
        const size_t length = random_below(&random, LENGTH_LIMIT + 1);

        for (size_t n = 0; n < length; n++)
            bytes[n] = (uint8_t)random_bits(&random);
        LLVMFuzzerTestOneInput(bytes, length);
    }
    return 0;
}
