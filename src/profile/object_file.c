#include "profile/object_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program may have put a FIFO in the place of a file that it mapped: libdw would wait for its
 * writer. */
static Dwfl_Module *report_file(Dwfl *dwfl, const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat status;
    Dwfl_Module *module = NULL;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        module = dwfl_report_elf(dwfl, path, path, fd, 0, true);
    if (fd >= 0 && module == NULL)
        close(fd);
    return module;
}

static void report(struct object_file *file, const char *path, const char *sysroot)
{
    char *below = NULL;
    Dwfl_Module *module = NULL;

    dwfl_report_begin(file->dwfl);
    if (sysroot != NULL && asprintf(&below, "%s/%s", sysroot, path) >= 0)
        module = report_file(file->dwfl, below);
    free(sysroot != NULL ? below : NULL);
    if (module == NULL)
        module = report_file(file->dwfl, path);
    file->module = dwfl_report_end(file->dwfl, NULL, NULL) == 0 ? module : NULL;
}

bool object_file_open(struct object_file *out, const char *path, const char *sysroot)
{
    *out = (struct object_file){0};
    const int length =
        sysroot != NULL
            ? asprintf(&out->folders, "+:.debug:%s/usr/lib/debug:/usr/lib/debug", sysroot)
            : asprintf(&out->folders, "+:.debug:/usr/lib/debug");
    if (length < 0) {
        out->folders = NULL;
        return false;
    }
    out->callbacks = (Dwfl_Callbacks){.find_elf = dwfl_build_id_find_elf,
                                      .find_debuginfo = dwfl_standard_find_debuginfo,
                                      .debuginfo_path = &out->folders};
    out->dwfl = dwfl_begin(&out->callbacks);
    if (out->dwfl != NULL)
        report(out, path, sysroot);
    return out->dwfl != NULL;
}

void object_file_close(struct object_file *file)
{
    dwfl_end(file->dwfl);
    free(file->folders);
    *file = (struct object_file){0};
}
