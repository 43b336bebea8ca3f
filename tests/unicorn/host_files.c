/* Files below one folder: whatever a path says, and whoever moves folders meanwhile, nothing
 * outside is opened, made, removed or renamed, by either way of resolving a path. */
#include "unicorn/host_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define PRECIOUS "precious"

struct scene {
    char top[64];
    struct host_files files;
};

static void make_file(const char *path)
{
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(PRECIOUS, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* inside/file, inside/sub/file, outside/file, and links from inside; the folder of all is current.
 */
static int begin(struct scene *scene, bool walks)
{
    struct armpmu_error err;

    strcpy(scene->top, "/tmp/armpmu-host-files-XXXXXX");
    assert_non_null(mkdtemp(scene->top));
    assert_int_equal(chdir(scene->top), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(
            mkdir((const char *[]){"inside", "inside/sub", "inside/sub/deep", "outside"}[i], 0700),
            0);
    make_file("inside/file");
    make_file("inside/sub/file");
    make_file("outside/file");
    assert_int_equal(symlink("sub", "inside/inner"), 0);
    assert_int_equal(symlink("../outside", "inside/out"), 0);
    assert_int_equal(symlink("../outside/file", "inside/outfile"), 0);
    assert_int_equal(symlink("../outside/new", "inside/dangling"), 0);
    assert_int_equal(symlink("/proc/self/exe", "inside/magic"), 0);
    assert_int_equal(mkfifo("inside/fifo", 0600), 0);
    assert_int_equal(host_files_begin(&scene->files, "inside", &err), ARMPMU_OK);
    scene->files.walks = walks || scene->files.walks;
    return 0;
}

static int begin_resolving(void **state)
{
    static struct scene scene;

    *state = &scene;
    return begin(&scene, false);
}

static int begin_walking(void **state)
{
    static struct scene scene;

    *state = &scene;
    return begin(&scene, true);
}

static int end(void **state)
{
    struct scene *const scene = *state;
    char command[128];

    host_files_end(&scene->files);
    assert_int_equal(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", scene->top);
    return system(command);
}

static bool exists(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0;
}

static void check_outside(int line)
{
    char text[sizeof PRECIOUS] = "";
    FILE *const file = fopen("outside/file", "r");

    if (file == NULL || fgets(text, sizeof text, file) == NULL || strcmp(text, PRECIOUS) != 0 ||
        exists("outside/new"))
        fail_msg("line %d: the folder outside has changed", line);
    fclose(file);
}

/* What opening, removing and renaming come to: 0, or an errno; links: where they are followed. */
static const struct {
    int line;
    const char *path;
    int open, with_links, refused; /* refused: a line of it */
} cases[] = {
    {__LINE__, "file", 0, 0, 0},
    {__LINE__, "./sub//file", 0, 0, 0},
    {__LINE__, "sub/../file", 0, 0, 0},
    {__LINE__, "sub/deep/../../file", 0, 0, 0},
    {__LINE__, "none", ENOENT, ENOENT, 0},
    {__LINE__, "none/file", ENOENT, ENOENT, 0},
    {__LINE__, "", ENOENT, ENOENT, 0},
    {__LINE__, "sub", EISDIR, EISDIR, 0},
    {__LINE__, ".", EISDIR, EISDIR, 0},
    {__LINE__, "sub/..", EISDIR, EISDIR, 0},
    {__LINE__, "file/file", ENOTDIR, ENOTDIR, 0},
    {__LINE__, "..", EACCES, EACCES, 1},
    {__LINE__, "../inside/file", EACCES, EACCES, 1},
    {__LINE__, "../outside/file", EACCES, EACCES, 1},
    {__LINE__, "sub/../../outside/file", EACCES, EACCES, 1},
    {__LINE__, "/etc/passwd", EACCES, EACCES, 1},
    {__LINE__, "//etc/passwd", EACCES, EACCES, 1},
    {__LINE__, "out/file", EACCES, EACCES, 1},
    {__LINE__, "outfile", EACCES, EACCES, 1},
    {__LINE__, "magic", EACCES, EACCES, 1},
    {__LINE__, "fifo", EACCES, EACCES, 1},
    {__LINE__, "inner/file", EACCES, 0, 1},
};

static void paths_are_below_the_folder_or_refused(void **state)
{
    const struct scene *const scene = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct host_refusal refusal;
        const int want = scene->files.walks ? cases[i].open : cases[i].with_links;
        const int fd = host_files_open(&scene->files, cases[i].path, O_RDONLY, &refusal);
        const int got = fd < 0 ? errno : 0;
        if (got != want)
            fail_msg("line %d: '%s': got %s, want %s", cases[i].line, cases[i].path, strerror(got),
                     strerror(want));
        if (want != 0 && (refusal.path != NULL) != cases[i].refused)
            fail_msg("line %d: '%s': refused: %s", cases[i].line, cases[i].path, refusal.why);
        if (fd >= 0)
            close(fd);
    }
    check_outside(__LINE__);
}

static void nothing_outside_is_made_or_emptied(void **state)
{
    static const char *const paths[] = {
        "../outside/new",         "out/new", "dangling", "outfile", "out/file",
        "sub/../../outside/file", "fifo"};
    const struct scene *const scene = *state;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct host_refusal refusal;
        const int flags[] = {O_WRONLY | O_CREAT | O_TRUNC, O_RDWR | O_CREAT | O_APPEND, O_RDWR};
        for (size_t j = 0; j < sizeof flags / sizeof flags[0]; j++) {
            const int fd = host_files_open(&scene->files, paths[i], flags[j], &refusal);
            if (fd >= 0 || errno != EACCES || refusal.path == NULL ||
                strcmp(refusal.path, paths[i]) != 0)
                fail_msg("'%s' with flags %#x: %d", paths[i], (unsigned)flags[j], fd);
        }
        check_outside(__LINE__);
    }
}

static void nothing_outside_is_removed_or_renamed(void **state)
{
    static const char *const paths[] = {
        "../outside/file", "out/file",    "sub/../../outside/file", "..",
        "../outside",      "/etc/passwd", "out/../../outside/file"};
    const struct scene *const scene = *state;
    struct host_refusal refusal;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_false(host_files_remove(&scene->files, paths[i], &refusal));
        assert_int_equal(errno, EACCES);
        assert_ptr_equal(refusal.path, paths[i]);
        assert_false(host_files_rename(&scene->files, paths[i], "mine", &refusal));
        assert_int_equal(errno, EACCES);
        assert_ptr_equal(refusal.path, paths[i]);
        assert_false(host_files_rename(&scene->files, "file", paths[i], &refusal));
        assert_int_equal(errno, EACCES);
        assert_ptr_equal(refusal.path, paths[i]);
        check_outside(__LINE__);
    }
    assert_true(exists("inside/file"));
    assert_false(exists("inside/mine"));
}

static void what_is_inside_moves_and_goes(void **state)
{
    const struct scene *const scene = *state;
    struct host_refusal refusal;

    assert_true(host_files_rename(&scene->files, "file", "sub/deep/../moved", &refusal));
    assert_true(exists("inside/sub/moved"));
    assert_true(host_files_remove(&scene->files, "./sub/moved", &refusal));
    assert_false(exists("inside/sub/moved"));
    assert_true(host_files_remove(&scene->files, "outfile", &refusal)); /* the link, not the file */
    for (size_t i = 0; i < 4; i++) {
        assert_false(host_files_remove(&scene->files,
                                       (const char *[]){"", ".", "sub/", "sub/.."}[i], &refusal));
        assert_null(refusal.path);
    }
    check_outside(__LINE__);
}

static void a_long_path_is_an_error(void **state)
{
    const struct scene *const scene = *state;
    char path[3 * PATH_MAX];
    struct host_refusal refusal;

    for (size_t n = PATH_MAX - 3; n < sizeof path; n += n < PATH_MAX + 3 ? 1 : PATH_MAX) {
        for (size_t i = 0; i < n; i++)
            path[i] = i % 2 == 0 ? '.' : '/';
        path[n] = '\0';
        const int fd = host_files_open(&scene->files, path, O_RDONLY, &refusal);
        assert_int_equal(fd, -1);
        assert_int_equal(errno, n < PATH_MAX ? EISDIR : ENAMETOOLONG);
        assert_false(host_files_rename(&scene->files, path, "x", &refusal));
        path[n - 1] = 'x';
        assert_false(host_files_remove(&scene->files, path, &refusal));
    }
}

/* ---- races ---- */

static atomic_bool racing;

/* Exchanges a folder with a link to the one outside, for as long as somebody uses it. */
static void *swap(void *unused)
{
    while (atomic_load(&racing))
        syscall(SYS_renameat2, AT_FDCWD, "inside/sub", AT_FDCWD, "inside/out", RENAME_EXCHANGE);
    return unused;
}

static void use_all(const struct scene *scene, unsigned round)
{
    struct host_refusal refusal;
    const int fd =
        host_files_open(&scene->files, "sub/new", O_WRONLY | O_CREAT | O_TRUNC, &refusal);

    if (fd >= 0)
        close(fd);
    (void)host_files_rename(&scene->files, "sub/file", "sub/gone", &refusal);
    (void)host_files_rename(&scene->files, "sub/gone", "sub/file", &refusal);
    if (round % 2 == 0)
        (void)host_files_remove(&scene->files, "sub/file", &refusal);
}

static void a_race_leads_nowhere(void **state)
{
    const struct scene *const scene = *state;
    pthread_t thread;

    atomic_store(&racing, true);
    assert_int_equal(pthread_create(&thread, NULL, swap, NULL), 0);
    for (unsigned round = 0; round < 5000; round++)
        use_all(scene, round);
    atomic_store(&racing, false);
    pthread_join(thread, NULL);
    check_outside(__LINE__);
}

static void no_folder_is_no_file(void **state)
{
    struct host_files files;
    struct host_refusal refusal;
    struct armpmu_error err;

    (void)state;
    assert_int_equal(host_files_begin(&files, NULL, &err), ARMPMU_OK);
    assert_int_equal(host_files_open(&files, "inside/file", O_RDONLY, &refusal), -1);
    assert_int_equal(errno, EACCES);
    assert_non_null(refusal.path);
    host_files_end(&files);
    assert_int_equal(host_files_begin(&files, "/nowhere", &err), ARMPMU_BAD_CONFIG);
    assert_string_equal(err.message, "--semihosting-root '/nowhere': No such file or directory");
    host_files_end(&files);
}

#define BOTH(test)                                                                                 \
    {#test, test, begin_resolving, end, NULL},                                                     \
    {                                                                                              \
#test ", walking", test, begin_walking, end, NULL                                          \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(paths_are_below_the_folder_or_refused),
        BOTH(nothing_outside_is_made_or_emptied),
        BOTH(nothing_outside_is_removed_or_renamed),
        BOTH(what_is_inside_moves_and_goes),
        BOTH(a_long_path_is_an_error),
        BOTH(a_race_leads_nowhere),
        cmocka_unit_test(no_folder_is_no_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
