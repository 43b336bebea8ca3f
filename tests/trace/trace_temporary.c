/* The file without a name that a trace is kept in for the same run: what was written is read, a
 * folder that is not there is the cause. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/trace_temporary.h"

static void keeps_what_was_written(void **state)
{
    static const char *const arguments[] = {"program", NULL};
    const struct trace_setup setup = {.version = "1",
                                      .target = "arm",
                                      .cpu = "cpu",
                                      .machine = "",
                                      .word_bits = 32,
                                      .n_arguments = 1,
                                      .arguments = arguments};
    const struct trace_outcome outcome = {.wait_status = 7, .problem = ""};
    struct trace_temporary file;
    struct trace_recording *recording;
    struct trace_file *trace;
    struct armpmu_error err;

    (void)state;
    assert_true(trace_temporary_open(&file));
    assert_int_equal(trace_recording_new(&setup, trace_temporary_write, &file, &recording, &err),
                     ARMPMU_OK);
    assert_int_equal(trace_recording_finish(recording, &outcome, &err), ARMPMU_OK);
    assert_int_equal(trace_temporary_read(&file, &trace, &err), ARMPMU_OK);
    assert_string_equal(trace_file_setup(trace)->arguments[0], "program");
    assert_int_equal(trace_file_outcome(trace)->wait_status, 7);
    trace_file_close(trace);
    trace_recording_free(recording);
    trace_temporary_close(&file);
    assert_int_equal(file.fd, -1);
}

static void says_why_it_is_not_there(void **state)
{
    struct trace_temporary file;

    (void)state;
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_false(trace_temporary_open(&file));
    assert_int_equal(file.cause, ENOENT);
    assert_string_equal(trace_temporary_folder(), "/nowhere/at/all");
    unsetenv("TMPDIR");
    assert_string_equal(trace_temporary_folder(), "/tmp");
}

static void says_why_it_takes_no_more(void **state)
{
    struct trace_temporary file;

    (void)state;
    assert_true(trace_temporary_open(&file));
    trace_temporary_close(&file);
    assert_false(trace_temporary_write(&file, "abc", 3));
    assert_int_equal(file.cause, EBADF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_was_written),
        cmocka_unit_test(says_why_it_is_not_there),
        cmocka_unit_test(says_why_it_takes_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
