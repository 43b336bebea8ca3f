/* The generator against published numbers, and the fairness of random_below. */
#include "parts/random.h"

#include "../test.h"

TEST(splitmix64_gives_its_published_numbers)
{
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    struct random random = {1234567};
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        assert_true(random_next(&random) == published[i]);
}

TEST(random_below_stays_below_and_is_fair)
{
    static const uint32_t limits[] = {1, 2, 3, 4, 7, 8, 32};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        enum { DRAWS_EACH = 10000 };
        uint32_t limit = limits[i], drawn[32] = {0};
        struct random random = {limit};
        for (uint32_t n = 0; n < limit * DRAWS_EACH; n++) {
            uint32_t number = random_below(&random, limit);
            assert_in_range(number, 0, limit - 1);
            drawn[number]++;
        }
        for (uint32_t number = 0; number < limit; number++)
            assert_in_range(drawn[number], DRAWS_EACH * 95 / 100, DRAWS_EACH * 105 / 100);
    }
}
