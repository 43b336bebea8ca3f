/* What a run's end says, and that a result is freed once however often that is asked. */
#include "cosim/run.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"

TEST(a_run_is_complete_unless_something_ended_it)
{
    const struct run_result results[] = {
        {.interrupted = 2}, {.killed = 9}, {.cut_short = true}, {.timed_out = true}};
    struct run_result result = {.wait_status = 0x100};
    assert_true(run_is_complete(&result));
    strcpy(result.problem.message, "lost");
    assert_false(run_is_complete(&result));
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        assert_false(run_is_complete(&results[i]));
}

TEST(a_result_may_be_freed_again)
{
    struct run_result result = {.n_threads = 1, .n_files = 1};
    result.threads = calloc(1, sizeof *result.threads);
    result.files = calloc(1, sizeof *result.files);
    result.beside = calloc(1, sizeof *result.beside);
    assert_non_null(result.threads);
    assert_non_null(result.files);
    result.files[0].path = strdup("/bin/true");
    for (int i = 0; i < 2; i++) {
        run_result_free(&result);
        assert_null(result.threads);
        assert_null(result.files);
        assert_null(result.beside);
        assert_int_equal(result.n_threads + result.n_files, 0);
    }
}
