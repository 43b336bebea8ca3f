#include "qemu/launcher/stable_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARENT  "/tmp"
#define PATTERN "armpmu-[A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9][A-Za-z0-9]"

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

void stable_folder_remove(const char *folder, int descriptor)
{
    unlinkat(descriptor, "program", 0);
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
