/* The report's file: whole or untouched, whatever goes wrong. */
#include "cli/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../test.h"

/* Every test works in an empty folder of its own. */
static int enter_folder(void **state)
{
    char *folder = strdup("/tmp/armpmu-output-XXXXXX");
    *state = folder;
    return folder == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave_folder(void **state)
{
    DIR *folder = opendir(".");
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        unlink(entry->d_name);
    closedir(folder);
    int failed = chdir("/") != 0 || rmdir(*state) != 0;
    free(*state);
    return failed;
}

static unsigned files_here(void)
{
    unsigned n = 0;
    DIR *folder = opendir(".");
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        n += entry->d_name[0] != '.';
    closedir(folder);
    return n;
}

static const char *content(const char *path)
{
    static char text[256];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static enum armpmu_status write_report(const char *path, bool append, const char *text,
                                       struct armpmu_error *err)
{
    struct output output;
    enum armpmu_status status = output_open(&output, "-o", path, append, err);
    if (status != ARMPMU_OK)
        return status;
    fputs(text, output.stream);
    return output_close(&output, err);
}

TEST_WITH(a_report_replaces_the_file, enter_folder, leave_folder)
{
    assert_int_equal(write_report("r", false, "one\n", NULL), ARMPMU_OK);
    assert_string_equal(content("r"), "one\n");
    assert_int_equal(chmod("r", 0640), 0);
    assert_int_equal(write_report("r", false, "two\n", NULL), ARMPMU_OK);
    assert_string_equal(content("r"), "two\n");
    assert_int_equal(files_here(), 1);

    struct stat info;
    assert_int_equal(stat("r", &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640); /* the old file's */
}

TEST_WITH(a_report_is_added_with_append, enter_folder, leave_folder)
{
    assert_int_equal(write_report("r", true, "one\n", NULL), ARMPMU_OK);
    assert_int_equal(write_report("r", true, "two\n", NULL), ARMPMU_OK);
    assert_string_equal(content("r"), "one\ntwo\n");
}

TEST_WITH(a_symbolic_link_stays_one, enter_folder, leave_folder)
{
    struct stat info;

    assert_int_equal(write_report("target", false, "old\n", NULL), ARMPMU_OK);
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(write_report("link", false, "new\n", NULL), ARMPMU_OK);
    assert_string_equal(content("target"), "new\n");
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

TEST_WITH(nothing_is_created_before_the_report_is_whole, enter_folder, leave_folder)
{
    struct output output;

    assert_int_equal(output_open(&output, "-o", "r", false, NULL), ARMPMU_OK);
    fputs("half", output.stream);
    assert_int_equal(output_flush(&output, NULL), ARMPMU_OK);
    assert_int_equal(files_here(), 0);
    output_discard(&output);
    assert_int_equal(files_here(), 0);
}

TEST_WITH(a_full_device_is_named, enter_folder, leave_folder)
{
    struct armpmu_error err = {""};

    assert_int_equal(write_report("/dev/full", false, "text\n", &err), ARMPMU_IO);
    assert_string_equal(err.message,
                        "cannot write /dev/full: No space left on device; make room or "
                        "choose another file with -o");
    assert_int_equal(write_report("/dev/full", true, "text\n", &err), ARMPMU_IO);
}

/* A limit on file size stands in for a full disk: the write stops in the middle. */
TEST_WITH(a_report_that_does_not_fit_leaves_the_old_one, enter_folder, leave_folder)
{
    struct armpmu_error err = {""};
    struct rlimit old, small;
    char longer[65];

    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(write_report("r", false, "old\n", NULL), ARMPMU_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 20;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum armpmu_status replaced = write_report("r", false, longer, &err);
    enum armpmu_status added = write_report("r", true, longer, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);

    assert_int_equal(replaced, ARMPMU_IO);
    assert_string_equal(err.message, "cannot write r: File too large; choose another file with -o");
    assert_int_equal(added, ARMPMU_IO);
    assert_string_equal(content("r"), "old\n");
    assert_int_equal(files_here(), 1);
}

TEST_WITH(what_cannot_be_written_is_said_before_anything_runs, enter_folder, leave_folder)
{
    struct output output;
    struct armpmu_error err = {""};

    assert_int_equal(output_open(&output, "-o", "absent/r", false, &err), ARMPMU_IO);
    assert_string_equal(
        err.message,
        "cannot write absent/r: No such file or directory; choose another file with -o");
    assert_int_equal(output_open(&output, "-o", ".", false, &err), ARMPMU_IO);
    assert_string_equal(err.message, "cannot write .: Is a directory; choose another file with -o");
    assert_int_equal(output_open(&output, "-o", "", false, &err), ARMPMU_IO);
}
