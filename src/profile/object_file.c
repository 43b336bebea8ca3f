#include "profile/object_file.h"

#include <stdio.h>
#include <stdlib.h>

static void report(struct object_file *file, const char *path, const char *sysroot)
{
    char *below = NULL;
    Dwfl_Module *module = NULL;

    dwfl_report_begin(file->dwfl);
    if (sysroot != NULL && asprintf(&below, "%s/%s", sysroot, path) >= 0)
        module = dwfl_report_elf(file->dwfl, below, below, -1, 0, true);
    free(sysroot != NULL ? below : NULL);
    if (module == NULL)
        module = dwfl_report_elf(file->dwfl, path, path, -1, 0, true);
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
