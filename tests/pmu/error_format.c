/* What the device library says when it refuses: whole sentences, every digit. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../test.h"
#include "armpmu/pmu.h"
#include "random.h"

static struct armpmu *make(const struct armpmu_config *config, struct armpmu_error *error)
{
    static union armpmu_memory memory;
    struct armpmu *pmu;

    memset(error, 'x', sizeof *error);
    return armpmu_create(&memory, sizeof memory, config, &pmu, error) == ARMPMU_OK ? pmu : NULL;
}

/* A snapshot of a length that is not right is named with that length, in decimal. */
static void expect_length(struct armpmu *pmu, uint32_t bytes)
{
    char wanted[128];
    struct armpmu_error error;

    if (bytes == armpmu_snapshot_bytes(pmu))
        return;
    snprintf(wanted, sizeof wanted, "a snapshot of %" PRIu32 " bytes: one of cortex-a8 has %u",
             bytes, (unsigned)armpmu_snapshot_bytes(pmu));
    assert_int_equal(armpmu_restore(pmu, &error, bytes, &error), ARMPMU_BAD_INPUT);
    assert_string_equal(error.message, wanted);
}

TEST(decimal_numbers_are_printed_in_full)
{
    const struct armpmu_config config = {.core = "cortex-a8"};
    struct armpmu_error error;
    struct armpmu *const pmu = make(&config, &error);
    struct random random = {1};

    for (uint64_t power = 1; power <= UINT32_MAX; power *= 10)
        for (unsigned digit = 1; digit <= 9 && digit * power <= UINT32_MAX; digit++) {
            expect_length(pmu, (uint32_t)(digit * power));
            expect_length(pmu, (uint32_t)(digit * power - 1));
            expect_length(pmu, (uint32_t)(digit * power + power / 2));
        }
    expect_length(pmu, 0);
    expect_length(pmu, UINT32_MAX);
    for (unsigned i = 0; i < 1000; i++)
        expect_length(pmu, (uint32_t)(random_bits(&random) >> random_below(&random, 32)));
}

/* An identity without a JEP106 code is named in hexadecimal. */
TEST(hexadecimal_numbers_are_printed_in_full)
{
    struct armpmu_config config = {.core = "amuv1"};
    struct armpmu_error error;
    struct random random = {1};

    for (unsigned i = 0; i < 1000; i++) {
        char wanted[64];

        config.amu.implementer_id =
            (uint32_t)(random_bits(&random) >> (32 + random_below(&random, 24))) | 0x80;
        snprintf(wanted, sizeof wanted, "amu.implementer_id: 0x%" PRIx32 ", ",
                 config.amu.implementer_id);
        assert_null(make(&config, &error));
        assert_memory_equal(error.message, wanted, strlen(wanted));
    }
}

/* A code is seven bits of identity, not all zero with the bank, and four bits of bank. */
TEST(every_jep106_code_is_an_implementer)
{
    struct armpmu_config config = {.core = "amuv1"};
    struct armpmu_error error;

    for (uint32_t code = 0; code <= 0xfff; code++) {
        config.amu.implementer_id = 0x12345000 | code;
        assert_int_equal(make(&config, &error) != NULL, code != 0 && !(code & 0x80));
    }
    config.amu.implementer_id = 1; /* the first of all */
    struct armpmu *const pmu = make(&config, &error);
    assert_non_null(pmu);
    assert_int_equal(armpmu_peek(pmu, armpmu_register_find(armpmu_core_of(pmu), "AMIIDR", NULL), 0),
                     1);
}

/* A number of one digit and one of none to spare. */
TEST(small_hexadecimal_numbers_are_printed_in_full)
{
    struct armpmu_config config = {.core = "amuv1"};
    struct armpmu_error error;

    for (unsigned map = 1; map <= 0xffff; map++) {
        char wanted[64];

        config.amu.group1_map = (uint16_t)map;
        snprintf(wanted, sizeof wanted, "amu.group1_map: 0x%x needs ", map);
        assert_null(make(&config, &error));
        assert_memory_equal(error.message, wanted, strlen(wanted));
    }
}

TEST(a_message_that_does_not_fit_is_cut_off_and_ended)
{
    static const char begins[] = "no device for the core '";
    char name[2 * sizeof(struct armpmu_error)];
    char wanted[sizeof(struct armpmu_error)];
    struct {
        struct armpmu_error error;
        char after;
    } there = {.after = '!'};
    struct armpmu_config config = {.core = name};

    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_null(make(&config, &there.error));
    memset(wanted, 'n', sizeof wanted);
    memcpy(wanted, begins, strlen(begins));
    wanted[sizeof wanted - 1] = '\0';
    assert_string_equal(there.error.message, wanted);
    assert_int_equal(there.after, '!');
    assert_int_equal(strlen(there.error.message), sizeof there.error.message - 1);
}

TEST(nobody_has_to_listen)
{
    static union armpmu_memory memory;
    const struct armpmu_config config = {.core = "cortex-a9"};
    struct armpmu *pmu = (struct armpmu *)&memory;

    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_NOT_FOUND);
    assert_null(pmu);
}
