#include "unicorn/host_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"

#define NEW_FILE_MODE 0666
#define TRIES         16 /* while somebody else moves folders */

static void close_keeping_errno(int fd)
{
    const int error = errno;

    close(fd);
    errno = error;
}

static int refuse(struct host_refusal *refusal, const char *path, const char *why)
{
    *refusal = (struct host_refusal){path, why};
    errno = EACCES;
    return -1;
}

/* ---- from a path to a descriptor --------------------------------------------------------------
 */

static int open_beneath(int folder, const char *path, int flags)
{
    const struct open_how how = {
        .flags = (unsigned)flags | O_CLOEXEC,
        .mode = flags & O_CREAT ? NEW_FILE_MODE : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    int fd = -1;

    for (unsigned i = 0; i < TRIES; i++) {
        fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (fd >= 0 || errno != EAGAIN)
            break;
    }
    return fd;
}

/* "./a//b/../c" becomes "a/c". False when it leaves the folder. */
static bool normalize(const char *path, char out[PATH_MAX])
{
    size_t n = 0;

    while (*path != '\0') {
        const size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "..", 2) == 0) {
            if (n == 0)
                return false;
            while (n > 0 && out[--n] != '/')
                ;
        } else if (length > 1 || (length == 1 && *path != '.')) {
            if (n > 0)
                out[n++] = '/';
            memcpy(out + n, path, length);
            n += length;
        }
        path += length + (path[length] == '/');
    }
    out[n] = '\0';
    return true;
}

/* One component. A symbolic link is ELOOP. */
static int step(int folder, const char *name, int flags)
{
    struct stat status;
    const int fd = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, NEW_FILE_MODE);

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISLNK(status.st_mode)) {
        close(fd);
        errno = ELOOP;
        return -1;
    }
    return fd;
}

static int walk(int folder, const char *path, int flags)
{
    char names[PATH_MAX];
    char *name = names, *slash;
    int at = folder;

    if (!normalize(path, names)) {
        errno = EXDEV;
        return -1;
    }
    while (at >= 0 && (slash = strchr(name, '/')) != NULL) {
        *slash = '\0';
        const int next = step(at, name, O_PATH);
        if (at != folder)
            close_keeping_errno(at);
        at = next;
        name = slash + 1;
    }
    if (at < 0)
        return -1;
    const int fd = step(at, *name != '\0' ? name : ".", flags);
    if (at != folder)
        close_keeping_errno(at);
    return fd;
}

/* A refusal, if the path asks for what is not below the folder. */
static int resolve(const struct host_files *files, const char *path, int flags,
                   struct host_refusal *refusal)
{
    int fd = -1;

    *refusal = (struct host_refusal){NULL, NULL};
    if (!files->given)
        return refuse(refusal, path,
                      "it has no files; --semihosting-root DIR gives it those below DIR");
    if (path[0] == '/')
        return refuse(refusal, path, "it is absolute; names are relative to --semihosting-root");
    errno = path[0] == '\0' ? ENOENT : ENAMETOOLONG;
    if (path[0] != '\0' && strlen(path) < PATH_MAX)
        fd = files->walks ? walk(files->folder, path, flags)
                          : open_beneath(files->folder, path, flags);
    if (fd < 0 && errno == EXDEV)
        return refuse(refusal, path, "it leads out of --semihosting-root");
    if (fd < 0 && errno == ELOOP)
        return refuse(refusal, path, "it has a symbolic link that cannot be followed");
    return fd;
}

/* ---- files ------------------------------------------------------------------------------------
 */

static bool is_plain_file(int fd, const char *path, struct host_refusal *refusal)
{
    struct stat status;
    struct statfs system;

    if (fstat(fd, &status) != 0 || fstatfs(fd, &system) != 0)
        return false;
    errno = EISDIR;
    if (S_ISDIR(status.st_mode))
        return false;
    if (S_ISREG(status.st_mode) && system.f_type != PROC_SUPER_MAGIC)
        return true;
    refuse(refusal, path, "it is a FIFO, a device, a socket or a file of /proc");
    return false;
}

int host_files_open(const struct host_files *files, const char *path, int flags,
                    struct host_refusal *refusal)
{
    const int seen = resolve(files, path, O_PATH, refusal);

    if (seen < 0 && errno != ENOENT) /* not there: it may be made */
        return -1;
    const bool fits = seen < 0 || is_plain_file(seen, path, refusal);
    if (seen >= 0)
        close_keeping_errno(seen);
    if (!fits)
        return -1;
    const int fd = resolve(files, path, (flags & ~O_TRUNC) | O_NOCTTY | O_NONBLOCK, refusal);
    if (fd >= 0 &&
        (!is_plain_file(fd, path, refusal) || ((flags & O_TRUNC) && ftruncate(fd, 0) != 0))) {
        close_keeping_errno(fd);
        return -1;
    }
    return fd;
}

/* The folder that a path names an entry of, and the entry's name. */
static int open_parent(const struct host_files *files, const char *path, const char **name,
                       struct host_refusal *refusal)
{
    const char *const slash = strrchr(path, '/');
    const size_t n = slash != NULL ? (size_t)(slash - path) : 0;
    char folder[PATH_MAX] = ".";

    *name = slash != NULL ? slash + 1 : path;
    const bool is_entry = (*name)[0] != '\0' && strcmp(*name, ".") != 0 && strcmp(*name, "..") != 0;
    if (!is_entry || path[0] == '/' || strlen(path) >= sizeof folder) {
        const int fd = resolve(files, path, O_PATH, refusal);
        if (fd >= 0) {
            close(fd);
            errno = EINVAL;
        }
        return -1;
    }
    if (n > 0)
        memcpy(folder, path, n + 1);
    folder[n > 0 ? n : 1] = '\0';
    const int parent = resolve(files, folder, O_PATH, refusal);
    if (refusal->path != NULL)
        refusal->path = path;
    return parent;
}

bool host_files_remove(const struct host_files *files, const char *path,
                       struct host_refusal *refusal)
{
    const char *name;
    const int parent = open_parent(files, path, &name, refusal);

    if (parent < 0)
        return false;
    const bool removed = unlinkat(parent, name, 0) == 0;
    close_keeping_errno(parent);
    return removed;
}

bool host_files_rename(const struct host_files *files, const char *from, const char *to,
                       struct host_refusal *refusal)
{
    const char *name, *new_name;
    const int parent = open_parent(files, from, &name, refusal);

    if (parent < 0)
        return false;
    const int new_parent = open_parent(files, to, &new_name, refusal);
    const bool renamed = new_parent >= 0 && renameat(parent, name, new_parent, new_name) == 0;
    close_keeping_errno(parent);
    if (new_parent >= 0)
        close_keeping_errno(new_parent);
    return renamed;
}

/* ---- the folder -------------------------------------------------------------------------------
 */

enum armpmu_status host_files_begin(struct host_files *files, const char *folder,
                                    struct armpmu_error *err)
{
    *files = (struct host_files){.given = folder != NULL, .folder = -1};
    if (folder == NULL)
        return ARMPMU_OK;
    files->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (files->folder < 0) {
        files->given = false;
        return fail(err, ARMPMU_BAD_CONFIG, "--semihosting-root '%.200s': %s", folder,
                    strerror(errno));
    }
    const int probe = open_beneath(files->folder, ".", O_PATH | O_DIRECTORY);
    files->walks = probe < 0;
    if (probe >= 0)
        close(probe);
    return ARMPMU_OK;
}

void host_files_end(struct host_files *files)
{
    if (files->given)
        close(files->folder);
    files->given = false;
}
