/* Which errors can be put into the memories of a Cortex-R4F, and what is said of those that cannot.
 * Machines find other errors by their protection. */
#include <string.h>

#include "../../test.h"
#include "../model.h"

#define FLASH 0x1000u     /* of a TMS570LS, in its ATCM */
#define RAM   0x08000000u /* in its BTCM */

static bool no_block(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user, (void)id, (void)out;
    return false;
}

TEST(what_cannot_be_injected_is_told)
{
    static const struct {
        const char *machine;
        enum armpmu_injection kind;
        uint64_t address;
        enum armpmu_status status;
        const char *message;
    } rows[] = {
        {"cortex-a8", ARMPMU_INJECT_DCACHE_DATA, 0, ARMPMU_BAD_CONFIG,
         "dcache-data-ecc: the core cortex-a8 does not report errors in its memories; choose a "
         "machine with the core cortex-r4f"},
        {"tms570ls", ARMPMU_INJECT_DCACHE_DATA, 0, ARMPMU_BAD_INPUT,
         "dcache-data-ecc: the machine tms570ls has no such cache; inject into a TCM, or give "
         "l1d.size_kb"},
        {"cortex-r4f", ARMPMU_INJECT_TCM, 0x8000, ARMPMU_BAD_INPUT,
         "tcm-ecc: no TCM of the machine cortex-r4f has the address 0x8000; atcm.base_kb and "
         "btcm.base_kb say where they are"},
        {"cortex-r4f", ARMPMU_INJECTIONS, 0, ARMPMU_BAD_INPUT,
         "injection 11: there is none of this number, at most 10"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct model model = model_new(rows[i].machine, no_block, NULL);
        struct armpmu_error err = {""};
        assert_int_equal(armpmu_sim_inject(model.sim, rows[i].kind, rows[i].address, &err),
                         rows[i].status);
        assert_string_equal(err.message, rows[i].message);
        model_free(&model);
    }
}

TEST(errors_that_nothing_finds_are_told)
{
    static const struct {
        const char *base, *sections;
        enum armpmu_injection kind;
        uint64_t address;
        const char *message; /* NULL: it is taken */
    } rows[] = {
        {"cortex-r4f", "[l1d]\nprotection = none\n", ARMPMU_INJECT_DCACHE_TAG, 0,
         "dcache-tag-ecc: such an error would not be detected: the machine other has "
         "l1d.protection = "
         "none; it takes parity or ecc"},
        {"cortex-r4f", "[l1d]\nprotection = parity\n", ARMPMU_INJECT_DCACHE_TAG_FATAL, 0,
         "dcache-tag-ecc-fatal: such an error would not be detected: the machine other has "
         "l1d.protection "
         "= "
         "parity; it takes ecc"},
        {"cortex-r4f", "[l1d]\nprotection = none\n", ARMPMU_INJECT_DCACHE_DATA_FATAL, 0,
         "dcache-data-ecc-fatal: such an error would not be detected: the machine other has "
         "l1d.protection "
         "= "
         "none; it takes ecc"},
        {"cortex-r4f", "[l1d]\nprotection = parity\n", ARMPMU_INJECT_DCACHE_DATA, 0, NULL},
        {"cortex-r4f", "[l1i]\nprotection = none\n", ARMPMU_INJECT_ICACHE_DATA, 0,
         "icache-data-ecc: such an error would not be detected: the machine other has "
         "l1i.protection = "
         "none; it takes parity or ecc"},
        {"cortex-r4f", "[l1i]\nprotection = parity\n", ARMPMU_INJECT_ICACHE_TAG, 0, NULL},
        {"cortex-r4f", "[l1i]\nsize_kb = 0\n", ARMPMU_INJECT_ICACHE_TAG, 0,
         "icache-tag-ecc: the machine other has no such cache; inject into a TCM, or give "
         "l1i.size_kb"},
        {"tms570ls", "[atcm]\nprotection = none\n", ARMPMU_INJECT_TCM, FLASH,
         "tcm-ecc: such an error would not be detected: the machine other has atcm.protection = "
         "none; it "
         "takes parity or ecc"},
        {"tms570ls", "[btcm]\nprotection = parity\n", ARMPMU_INJECT_TCM_FATAL, RAM,
         "tcm-ecc-fatal: such an error would not be detected: the machine other has "
         "btcm.protection = "
         "parity; "
         "it takes ecc"},
        {"tms570ls", "[btcm]\nprotection = parity\n", ARMPMU_INJECT_TCM, RAM, NULL},
        {"tms570ls", "[btcm]\nprotection = none\n", ARMPMU_INJECT_SLAVE_READ, RAM, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct model model =
            model_of(model_machine("other", rows[i].base, "%s", rows[i].sections), no_block, NULL);
        struct armpmu_error err = {""};
        assert_int_equal(armpmu_sim_inject(model.sim, rows[i].kind, rows[i].address, &err),
                         rows[i].message == NULL ? ARMPMU_OK : ARMPMU_BAD_INPUT);
        assert_string_equal(err.message, rows[i].message == NULL ? "" : rows[i].message);
        model_free(&model);
    }
}

TEST(sixty_four_errors_can_wait_to_be_met)
{
    struct armpmu_error err = {""};
    struct model model = model_new("cortex-r4f", no_block, NULL);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(armpmu_sim_inject(model.sim, ARMPMU_INJECT_DCACHE_DATA, 32 * i, &err),
                         ARMPMU_OK);
    assert_int_equal(armpmu_sim_inject(model.sim, ARMPMU_INJECT_DCACHE_TAG, 0, &err),
                     ARMPMU_BAD_INPUT);
    assert_string_equal(err.message,
                        "dcache-tag-ecc: 64 errors are pending already, at most 64; let the "
                        "program access some");
    model_free(&model);
}

TEST(injections_have_names)
{
    for (int kind = 0; kind < ARMPMU_INJECTIONS; kind++) {
        const char *name = armpmu_injection_name((enum armpmu_injection)kind);
        assert_int_equal(armpmu_injection_find(name), kind);
        assert_true(strlen(armpmu_injection_meaning((enum armpmu_injection)kind)) > 10);
    }
    assert_int_equal(armpmu_injection_find("cosmic-ray"), ARMPMU_INJECTIONS);
    assert_null(armpmu_injection_name(ARMPMU_INJECTIONS));
    assert_null(armpmu_injection_meaning(ARMPMU_INJECTIONS));
}
