/* Profiles in memory: what is the same gets one number, counts add up, and no memory leaves what
 * was there. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing_memory.h"
#include "profile/profile.h"
#include "profile/sample.h"

TEST(what_is_the_same_has_one_number)
{
    struct profile *p = sample_profile();
    struct profile_object object = p->objects[1];
    struct profile_function function = p->functions[2];
    struct profile_insn insn = p->insns[8];
    uint32_t number;

    assert_int_equal(profile_add_object(p, &object, &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 1);
    object.bias++; /* the same library, loaded elsewhere */
    assert_int_equal(profile_add_object(p, &object, &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 3);
    assert_ptr_equal(p->objects[3].path, p->objects[1].path);
    function.name = "another";
    assert_int_equal(profile_add_function(p, &function, &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 2);
    assert_string_equal(p->functions[2].name, "fib");
    assert_int_equal(profile_add_file(p, "/opt/demo/list.h", &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 1);
    insn.line.line = 99;
    assert_int_equal(profile_add_insn(p, &insn, &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 8);
    assert_int_equal(p->insns[8].line.line, 13);
    insn.bytes[0]++; /* code that changed */
    assert_int_equal(profile_add_insn(p, &insn, &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 13);
    insn.isa = ARMPMU_A32;
    assert_int_equal(profile_add_insn(p, &insn, &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 14);
    profile_free(p);
}

TEST(calls_of_a_path_add_up)
{
    struct profile *p = sample_profile();
    struct profile_path path = p->paths[4];
    uint32_t number;

    path.n_calls = 7;
    assert_int_equal(profile_add_path(p, &path, &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 4);
    assert_int_equal(p->paths[4].n_calls, 87);
    path.parent = 4; /* one deeper */
    assert_int_equal(profile_add_path(p, &path, &number, NULL), ARMPMU_OK);
    assert_int_equal(number, 8);
    profile_free(p);
}

static const struct profile_row *row_of(const struct profile *p, uint32_t path, uint32_t insn)
{
    for (size_t i = 0; i < p->n_rows; i++)
        if (p->rows[i].thread == 0 && p->rows[i].path == path && p->rows[i].insn == insn)
            return &p->rows[i];
    return NULL;
}

TEST(counts_of_a_row_add_up)
{
    static const uint64_t same[SAMPLE_EVENTS] = {1, 1, 0, 0}, more[SAMPLE_EVENTS] = {1, 0, 4, 5},
                          none[SAMPLE_EVENTS] = {0};
    static const uint64_t wanted[SAMPLE_EVENTS] = {12, 11, 4, 5};
    struct profile *p = sample_profile();
    const size_t n_rows = p->n_rows, n_counts = p->n_counts;

    assert_int_equal(profile_add_row(p, 0, 1, 4, same, NULL), ARMPMU_OK);
    assert_int_equal(p->n_counts, n_counts);
    assert_int_equal(profile_add_row(p, 0, 1, 4, more, NULL), ARMPMU_OK);
    assert_int_equal(profile_add_row(p, 1, 1, 4, none, NULL), ARMPMU_OK);
    assert_int_equal(p->n_rows, n_rows);
    for (uint32_t event = 0; event < SAMPLE_EVENTS; event++)
        assert_int_equal(profile_row_count(p, row_of(p, 1, 4), event), wanted[event]);
    assert_int_equal(p->totals[SAMPLE_L1D_CACHE_REFILL], 1011);
    profile_free(p);
}

TEST(totals_are_the_sums_over_rows)
{
    static const uint64_t wanted[SAMPLE_EVENTS] = {11330, 6210, 1007, 46};
    struct profile *p = sample_profile();

    for (uint32_t event = 0; event < SAMPLE_EVENTS; event++) {
        uint64_t rows = 0, intervals = 0;
        for (size_t i = 0; i < p->n_rows; i++)
            rows += profile_row_count(p, &p->rows[i], event);
        for (size_t i = 0; i < p->n_intervals; i++)
            intervals += p->intervals[i].counts[event];
        assert_int_equal(rows, wanted[event]);
        assert_int_equal(intervals, wanted[event]);
        assert_int_equal(p->totals[event], wanted[event]);
    }
    profile_free(p);
}

TEST(rows_hold_only_what_happened)
{
    struct profile *p = sample_profile();
    size_t n = 0;

    for (size_t i = 0; i < p->n_rows; i++)
        for (uint32_t j = 0; j < p->rows[i].n_counts; j++, n++) {
            const struct profile_count *count = &p->counts[p->rows[i].first_count + j];
            assert_true(count->n != 0);
            assert_true(j == 0 || count[-1].event < count->event);
        }
    assert_int_equal(n, p->n_counts);
    profile_free(p);
}

TEST(events_are_found_in_any_case)
{
    struct profile *p = sample_profile();

    assert_int_equal(profile_find_event(p, "l1d_cache_Refill"), SAMPLE_L1D_CACHE_REFILL);
    assert_int_equal(profile_find_event(p, "L1D_CACHE"), PROFILE_NONE);
    profile_free(p);
}

TEST(library_files_are_told_apart)
{
    static const char *const libraries[] = {
        "/usr/include/stdlib.h", "/usr/arm-linux-gnueabihf/include/stdlib.h",
        "/opt/include/c++/12/map", "/x/lib/gcc/arm/12/include/arm_neon.h"};
    static const char *const own[] = {"/usr/src/x-1/include/x.h", "/usr/src/include/x.h", "list.h",
                                      "/usr/local/include/x.h"};

    for (unsigned i = 0; i < sizeof own / sizeof *own; i++) {
        assert_true(profile_is_library_file(libraries[i]));
        assert_false(profile_is_library_file(own[i]));
    }
}

/* Adds one of everything that is not there yet; the first status that is not ARMPMU_OK. */
static enum armpmu_status add_all(struct profile *p, unsigned salt)
{
    static const uint64_t counts[SAMPLE_EVENTS + 1] = {1, 2, 3, 4};
    char text[32];
    struct armpmu_error err;
    uint32_t n;
    snprintf(text, sizeof text, "text %u", salt);
    const struct profile_object object = {text, text, salt, 0, NULL};
    const struct profile_function function = {0, salt, 1, text, text};
    const struct profile_insn insn = {.address = salt, .object = PROFILE_NONE};
    const struct profile_path path = {0, 1, salt, 1};
    const struct profile_thread thread = {2, salt, text};
    const struct profile_inline inlined = {text, {0, 1}};
    const struct profile_setup setup = {.armpmu = text};
    enum armpmu_status status = profile_add_object(p, &object, &n, &err);

    status = status == ARMPMU_OK ? profile_add_function(p, &function, &n, &err) : status;
    status = status == ARMPMU_OK ? profile_add_file(p, text, &n, &err) : status;
    status = status == ARMPMU_OK ? profile_add_insn(p, &insn, &n, &err) : status;
    status = status == ARMPMU_OK ? profile_add_path(p, &path, &n, &err) : status;
    status = status == ARMPMU_OK ? profile_add_thread(p, &thread, &n, &err) : status;
    status = status == ARMPMU_OK ? profile_add_inline(p, &inlined, &n, &err) : status;
    status = status == ARMPMU_OK ? profile_add_interval(p, salt, counts, &err) : status;
    status = status == ARMPMU_OK ? profile_add_row(p, 0, 1, 1000 + salt, counts, &err) : status;
    return status == ARMPMU_OK ? profile_set_setup(p, &setup, &err) : status;
}

TEST(without_memory_nothing_is_lost)
{
    struct profile *p;
    unsigned failed_at = 0;

    failing_memory.left = 0;
    assert_int_equal(profile_new(&p, NULL), ARMPMU_NO_MEMORY);
    assert_null(p);
    failing_memory.left = MEMORY_FOR_ALL;
    p = sample_profile();
    for (unsigned salt = 1; salt < 500; salt++) {
        failing_memory.left = salt % 7;
        const enum armpmu_status status = add_all(p, salt);
        failing_memory.left = MEMORY_FOR_ALL;
        failed_at += status == ARMPMU_NO_MEMORY;
        assert_true(status == ARMPMU_OK || status == ARMPMU_NO_MEMORY);
        assert_int_equal(add_all(p, salt), ARMPMU_OK);
    }
    assert_true(failed_at > 100);
    assert_int_equal(p->n_objects, 3 + 499);
    assert_int_equal(p->n_functions, 6 + 499);
    assert_int_equal(p->n_paths, 8 + 499);
    assert_int_equal(p->n_rows, 18 + 499);
    profile_free(p);
}
