#include "qemu/launcher/stable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "base/error.h"
#include "qemu/sysroot.h"

/* QEMU hands variables over in the opposite order: these lie above the padding, the others below.
 */
static const char *const fixed[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "LC_ALL=C",
                                    "TZ=UTC0"};
#define N_FIXED (sizeof fixed / sizeof fixed[0])

#define PADDING "ARMPMU_PADDING="
#define STRINGS_BYTES                                                                              \
    ((size_t)16 << 10) /* of arguments, added variables and padding: a multiple                    \
                        */

static size_t count(const char *const *strings)
{
    size_t n = 0;

    while (strings != NULL && strings[n] != NULL)
        n++;
    return n;
}

static size_t bytes_of(const char *const *strings)
{
    size_t n = 0;

    for (size_t i = 0; strings != NULL && strings[i] != NULL; i++)
        n += strlen(strings[i]) + 1;
    return n;
}

/* ---- strings --------------------------------------------------------------------------------- */

static enum armpmu_status copy_arguments(struct stable *s, const char *const *argv,
                                         struct armpmu_error *err)
{
    const size_t n = count(argv);
    const char *const slash = strrchr(argv[0], '/');

    s->argv = calloc(n + 1, sizeof *s->argv);
    if (s->argv == NULL)
        return fail_no_memory(err, "the program's arguments");
    memcpy(s->argv, argv, n * sizeof *s->argv);
    if (slash != NULL)
        s->argv[0] = slash + 1;
    return ARMPMU_OK;
}

static enum armpmu_status make_padding(struct stable *s, const char *const *extra,
                                       struct armpmu_error *err)
{
    const size_t others = bytes_of(s->argv) + bytes_of(extra) + sizeof PADDING;
    const size_t n = STRINGS_BYTES - others % STRINGS_BYTES;

    s->padding = malloc(sizeof PADDING + n);
    if (s->padding == NULL)
        return fail_no_memory(err, "the program's arguments");
    memcpy(s->padding, PADDING, sizeof PADDING - 1);
    memset(s->padding + sizeof PADDING - 1, '.', n);
    s->padding[sizeof PADDING - 1 + n] = '\0';
    return ARMPMU_OK;
}

static enum armpmu_status make_environment(struct stable *s, const char *const *extra,
                                           struct armpmu_error *err)
{
    const size_t n = count(extra);

    s->environment = calloc(N_FIXED + 1 + n + 1, sizeof *s->environment);
    if (s->environment == NULL)
        return fail_no_memory(err, "the program's arguments");
    memcpy(s->environment, fixed, sizeof fixed);
    s->environment[N_FIXED] = s->padding;
    if (n > 0)
        memcpy(s->environment + N_FIXED + 1, extra, n * sizeof *s->environment);
    return ARMPMU_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Returns 0 or why not. */
static int copy_all(int from, int to)
{
    ssize_t n;

    do
        n = sendfile(to, from, NULL, (size_t)1 << 30);
    while (n > 0 || (n < 0 && errno == EINTR));
    return n == 0 ? 0 : errno;
}

static int copy_file(const char *from, const char *to)
{
    const int source = open(from, O_RDONLY | O_CLOEXEC);
    const int copy = source >= 0 ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700) : -1;
    int cause = copy >= 0 ? copy_all(source, copy) : errno;

    if (copy >= 0 && close(copy) != 0 && cause == 0)
        cause = errno;
    if (source >= 0)
        close(source);
    return cause;
}

static enum armpmu_status place_program(struct stable *s, const struct program *program,
                                        struct armpmu_error *err)
{
    int cause = 0;

    if (realpath(program->path, s->original) == NULL)
        return fail(err, ARMPMU_IO, "cannot find where '%s' is: %s", program->path,
                    strerror(errno));
    s->lock = stable_folder_make(s->folder);
    if (s->lock < 0) {
        cause = errno;
        s->folder[0] = '\0';
        return fail(err, ARMPMU_IO, "--stable needs a folder in /tmp for the program: %s",
                    strerror(cause));
    }
    snprintf(s->path, sizeof s->path, "%s/program", s->folder);
    if (program->interpreter[0] == '\0')
        cause = copy_file(s->original, s->path);
    else if (symlink(s->original, s->path) != 0)
        cause = errno;
    return cause == 0 ? ARMPMU_OK
                      : fail(err, ARMPMU_IO, "--stable cannot place '%s' at '%s': %s",
                             program->path, s->path, strerror(cause));
}

static enum armpmu_status place_root(struct stable *s, const char *sysroot,
                                     struct armpmu_error *err)
{
    if (sysroot[0] == '\0' || sysroot_holds(sysroot, "/etc/ld.so.cache"))
        return ARMPMU_OK;
    const int cause = stable_folder_add_root(s->folder, sysroot);
    snprintf(s->root, sizeof s->root, "%s/root", s->folder);
    return cause == 0 ? ARMPMU_OK
                      : fail(err, ARMPMU_IO, "--stable cannot link '%s' at '%s': %s", sysroot,
                             s->root, strerror(cause));
}

/* ---------------------------------------------------------------------------------------------- */

enum armpmu_status stable_make(struct stable *stable, const struct stable_request *request,
                               struct armpmu_error *err)
{
    enum armpmu_status status = copy_arguments(stable, request->argv, err);

    if (status == ARMPMU_OK)
        status = make_padding(stable, request->variables, err);
    if (status == ARMPMU_OK)
        status = make_environment(stable, request->variables, err);
    if (status == ARMPMU_OK)
        status = place_program(stable, request->program, err);
    return status == ARMPMU_OK ? place_root(stable, request->sysroot, err) : status;
}

void stable_remove(struct stable *stable)
{
    if (stable->folder[0] != '\0')
        stable_folder_remove(stable->folder, stable->lock);
    free(stable->argv);
    free(stable->environment);
    free(stable->padding);
}

bool stable_name_file(const struct stable *stable, char **path)
{
    if (stable->folder[0] == '\0' || *path == NULL || strcmp(*path, stable->path) != 0)
        return true;
    free(*path);
    *path = strdup(stable->original);
    return *path != NULL;
}
