/* The unnamed file that holds a trace during a run: it returns what was written, and a missing
 * folder is named as the cause of an error. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "trace/trace_temporary.h"

TEST(keeps_what_was_written)
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

TEST(says_why_it_is_not_there)
{
    struct trace_temporary file;

    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_false(trace_temporary_open(&file));
    assert_int_equal(file.cause, ENOENT);
    assert_string_equal(trace_temporary_folder(), "/nowhere/at/all");
    unsetenv("TMPDIR");
    assert_string_equal(trace_temporary_folder(), "/tmp");
}

TEST(says_why_it_takes_no_more)
{
    struct trace_temporary file;

    assert_true(trace_temporary_open(&file));
    trace_temporary_close(&file);
    assert_false(trace_temporary_write(&file, "abc", 3));
    assert_int_equal(file.cause, EBADF);
}
