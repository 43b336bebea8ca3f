/* The files of the host that a program may have: those below one folder, whatever a path says.
 *
 * A path is relative to the folder. Refused are absolute ones, those that lead out of the folder by
 * ".." or by a symbolic link, and what is not a regular file: opening a FIFO waits for its other
 * end, opening a device may move it, and a file of /proc may be this very process. A file is looked
 * at before it is opened, and emptied only when it turned out to be the one that was looked at.
 *
 * Assumes: the kernel resolves a path without leaving the folder (openat2, Linux 5.6); older ones,
 * and sandboxes that hide openat2, walk component by component, where no symbolic link is followed.
 * Does not see: a hard link to a file outside, or a file system mounted below the folder; who makes
 * those may do so. */
#ifndef UNICORN_HOST_FILES_H
#define UNICORN_HOST_FILES_H

#include <stdbool.h>

#include "armpmu/status.h"

struct host_files {
    bool given; /* there is a folder */
    bool walks; /* component by component */
    int folder;
};

/* Why a path was refused; errno is EACCES then. */
struct host_refusal {
    const char *path; /* NULL: it was not; errno is the kernel's */
    const char *why;
};

/* folder: NULL for none, then every path is refused. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG (it
 * cannot be opened). */
ARMPMU_MUST_USE enum armpmu_status host_files_begin(struct host_files *files, const char *folder,
                                                    struct armpmu_error *err);
void host_files_end(struct host_files *files);

/* Opens a regular file; flags: an access mode, O_CREAT, O_TRUNC and O_APPEND. Returns its
 * descriptor, or -1 with errno. */
int host_files_open(const struct host_files *files, const char *path, int flags,
                    struct host_refusal *refusal);

/* Both return false with errno. */
bool host_files_remove(const struct host_files *files, const char *path,
                       struct host_refusal *refusal);
bool host_files_rename(const struct host_files *files, const char *from, const char *to,
                       struct host_refusal *refusal);

#endif
