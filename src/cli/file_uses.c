#include "cli/file_uses.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static bool has_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *const slash = strrchr(path, '/');
    const int length = slash == NULL ? 0 : (int)(slash + 1 - path);
    const int n = snprintf(folder, sizeof folder, "%.*s.", length, path);

    return n > 0 && (size_t)n < sizeof folder && access(folder, F_OK) == 0;
}

/* The name that a file would be created with, without links: what realpath() of glibc leaves where
 * the last part is missing. */
static bool name_when_created(const char *path, char name[PATH_MAX])
{
    return has_folder(path) && realpath(path, name) == NULL && errno == ENOENT;
}

static bool same_new_file(const char *left, const char *right)
{
    char names[2][PATH_MAX];

    return name_when_created(left, names[0]) && name_when_created(right, names[1]) &&
           strcmp(names[0], names[1]) == 0;
}

static bool same_file(const char *left, const char *right)
{
    struct stat l, r;
    const bool left_there = stat(left, &l) == 0, right_there = stat(right, &r) == 0;

    if (!left_there && !right_there)
        return same_new_file(left, right);
    return left_there && right_there && (S_ISREG(l.st_mode) || S_ISBLK(l.st_mode)) &&
           l.st_dev == r.st_dev && l.st_ino == r.st_ino;
}

static enum armpmu_status check_pair(const struct file_use *writer, const struct file_use *other,
                                     struct armpmu_error *err)
{
    if (!writer->written || writer->path == NULL || other->path == NULL ||
        !same_file(writer->path, other->path))
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "%s '%.160s' is also the file of %s, which would be overwritten; name another file",
                writer->what, writer->path, other->what);
}

enum armpmu_status file_uses_check(const struct file_use *uses, size_t n, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i && status == ARMPMU_OK; j++) {
            status = check_pair(&uses[i], &uses[j], err);
            if (status == ARMPMU_OK)
                status = check_pair(&uses[j], &uses[i], err);
        }
    return status;
}
