#include "qemu/launcher/stable_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARENT       "/tmp"
#define SYSROOT      "/root"
#define SYSROOT_ETC  "/etc"
#define LOADER_CACHE "/ld.so.cache"
#define PATTERN      "armpmu-[A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9]"

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Returns whether it has been removed meanwhile. */
static bool is_gone(int descriptor)
{
    struct stat info;
    return fstat(descriptor, &info) != 0 || info.st_nlink == 0;
}

/* ---- the root -------------------------------------------------------------------------------- */

static bool is_self_or_parent(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Links in a folder to all that another has but one. Returns 0 or an errno. */
static int link_entries(const char *from, const char *to, const char *but)
{
    DIR *const folder = opendir(from);
    const struct dirent *entry;
    char old[PATH_MAX], new[PATH_MAX];
    int cause = 0;

    if (folder == NULL)
        return errno == ENOENT ? 0 : errno;
    while (cause == 0 && (entry = readdir(folder)) != NULL) {
        if (is_self_or_parent(entry->d_name) || strcmp(entry->d_name, but) == 0)
            continue;
        if ((unsigned)snprintf(old, sizeof old, "%s/%s", from, entry->d_name) >= sizeof old ||
            (unsigned)snprintf(new, sizeof new, "%s/%s", to, entry->d_name) >= sizeof new)
            cause = ENAMETOOLONG;
        else if (symlink(old, new) != 0)
            cause = errno;
    }
    closedir(folder);
    return cause;
}

int stable_folder_add_root(const char *folder, const char *sysroot)
{
    char path[sizeof STABLE_FOLDER + sizeof SYSROOT SYSROOT_ETC LOADER_CACHE], old[PATH_MAX],
        etc[PATH_MAX];
    int cause;

    if (realpath(sysroot, old) == NULL)
        return errno;
    if ((unsigned)snprintf(etc, sizeof etc, "%s" SYSROOT_ETC, old) >= sizeof etc)
        return ENAMETOOLONG;
    snprintf(path, sizeof path, "%s" SYSROOT, folder);
    if (mkdir(path, 0700) != 0)
        return errno;
    cause = link_entries(old, path, &SYSROOT_ETC[1]);
    snprintf(path, sizeof path, "%s" SYSROOT SYSROOT_ETC, folder);
    if (cause == 0 && mkdir(path, 0700) != 0)
        cause = errno;
    if (cause == 0)
        cause = link_entries(etc, path, &LOADER_CACHE[1]);
    snprintf(path, sizeof path, "%s" SYSROOT SYSROOT_ETC LOADER_CACHE, folder);
    const int cache = cause == 0 ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (cause == 0 && (cache < 0 || close(cache) != 0))
        cause = errno;
    return cause;
}

/* Removes a folder of a folder, and the files and links in it. */
static void remove_entries(int parent, const char *name)
{
    const int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    const struct dirent *entry;

    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL)
        if (!is_self_or_parent(entry->d_name))
            unlinkat(descriptor, entry->d_name, 0);
    closedir(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* ---- the folder ------------------------------------------------------------------------------ */

void stable_folder_remove(const char *folder, int descriptor)
{
    unlinkat(descriptor, "program", 0);
    remove_entries(descriptor, &SYSROOT SYSROOT_ETC[1]);
    remove_entries(descriptor, &SYSROOT[1]);
    rmdir(folder);
    close(descriptor);
}

/* Where somebody makes it at this moment he sees that it is gone, and makes another. */
static void remove_if_left(const char *folder)
{
    struct stat info;
    const int descriptor = open_folder(folder);

    if (descriptor < 0)
        return;
    if (fstat(descriptor, &info) == 0 && info.st_uid == geteuid() &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        stable_folder_remove(folder, descriptor);
    else
        close(descriptor);
}

static void remove_left(void)
{
    DIR *const parent = opendir(PARENT);
    const struct dirent *entry;
    char folder[sizeof STABLE_FOLDER];

    while (parent != NULL && (entry = readdir(parent)) != NULL) {
        if (fnmatch(PATTERN, entry->d_name, 0) != 0)
            continue;
        snprintf(folder, sizeof folder, PARENT "/%.13s", entry->d_name);
        remove_if_left(folder);
    }
    if (parent != NULL)
        closedir(parent);
}

int stable_folder_make(char folder[sizeof STABLE_FOLDER])
{
    remove_left();
    for (;;) {
        strcpy(folder, STABLE_FOLDER);
        if (mkdtemp(folder) == NULL)
            return -1;
        const int descriptor = open_folder(folder);
        if (descriptor < 0 && errno != ENOENT)
            return -1;
        if (descriptor >= 0 && flock(descriptor, LOCK_EX) == 0 && !is_gone(descriptor))
            return descriptor;
        if (descriptor >= 0)
            close(descriptor);
    }
}
