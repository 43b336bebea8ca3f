#include "cli/foreign_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum armpmu_status foreign_file_check(const char *path, bool force, struct armpmu_error *err)
{
    struct stat info;

    if (force || stat(path, &info) != 0 || info.st_uid == 0 || info.st_uid == geteuid())
        return ARMPMU_OK;
    return fail(err, ARMPMU_NOT_ALLOWED,
                "'%.200s' belongs neither to you nor to root, but to the user with ID %lu; -f "
                "reads it anyway",
                path, (unsigned long)info.st_uid);
}
