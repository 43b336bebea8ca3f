#include "profile/object_file.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Returns whether a debug file lies beside an object that names none. */
static bool has_neighbour(const char *path)
{
    static const char *const folders[] = {"", ".debug/"};
    const char *const slash = strrchr(path, '/'), *const name = slash != NULL ? slash + 1 : path;
    bool found = false;

    for (size_t i = 0; i < sizeof folders / sizeof *folders && !found; i++) {
        char *at;
        if (asprintf(&at, "%.*s%s%s.debug", (int)(name - path), path, folders[i], name) < 0)
            return true; /* as if, without memory */
        found = access(at, F_OK) == 0;
        free(at);
    }
    return found;
}

/* dwfl_standard_find_debuginfo loads the library that asks servers, with all that this needs, a
 * sixth of the time of a short run, even where no server is known: only where there is one, or a
 * name to look for, is it asked. */
static int find_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                           const char *path, const char *link, GElf_Word crc, char **found)
{
    if (getenv("DEBUGINFOD_URLS") != NULL || link != NULL || path == NULL || has_neighbour(path))
        return dwfl_standard_find_debuginfo(module, user, name, base, path, link, crc, found);
    return dwfl_build_id_find_debuginfo(module, user, name, base, path, link, crc, found);
}

/* Sections of a relocatable object are nowhere in memory: its symbols have no addresses. */
static int section_nowhere(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                           const char *section, GElf_Word number, const GElf_Shdr *header,
                           Dwarf_Addr *address)
{
    (void)module, (void)user, (void)name, (void)base, (void)section, (void)number, (void)header;
    *address = (Dwarf_Addr)-1;
    return DWARF_CB_OK;
}

/* libdw looks for build IDs in absolute folders alone. */
static int list_folders(const char *sysroot, char **folders)
{
    char *const root = sysroot != NULL ? realpath(sysroot, NULL) : NULL;
    const int length = root != NULL
                           ? asprintf(folders, "+:.debug:%s/usr/lib/debug:/usr/lib/debug", root)
                           : asprintf(folders, "+:.debug:/usr/lib/debug");

    free(root);
    return length;
}

bool object_file_open(struct object_file *out, const char *path, const char *sysroot)
{
    *out = (struct object_file){0};
    if (list_folders(sysroot, &out->folders) < 0) {
        out->folders = NULL;
        return false;
    }
    out->callbacks = (Dwfl_Callbacks){.find_elf = dwfl_build_id_find_elf,
                                      .find_debuginfo = find_debug_file,
                                      .section_address = section_nowhere,
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

bool object_file_unit(const Dwarf_Die *unit, Dwarf_Die *whole)
{
    Dwarf_Die split;
    uint8_t kind;

    *whole = *unit;
    if (dwarf_cu_info(unit->cu, NULL, &kind, NULL, NULL, NULL, NULL, NULL) != 0 ||
        kind != DW_UT_skeleton)
        return true;
    if (dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) != 0 ||
        split.addr == NULL)
        return false;
    *whole = split;
    return true;
}

char *object_file_id(Dwfl_Module *module)
{
    const unsigned char *bytes;
    GElf_Addr address;
    const int n = dwfl_module_build_id(module, &bytes, &address);
    char *const text = n > 0 ? malloc(2 * (size_t)n + 1) : NULL;

    for (int i = 0; i < n && text != NULL; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", bytes[i]);
    return text;
}

bool object_file_has_id(Dwfl_Module *module, const char *id)
{
    const unsigned char *bytes;
    GElf_Addr address;
    const int n = dwfl_module_build_id(module, &bytes, &address);
    char digits[3];

    if (n <= 0 || id == NULL)
        return n <= 0 && id == NULL;
    for (int i = 0; i < n; i++) {
        snprintf(digits, sizeof digits, "%02x", bytes[i]);
        if (strncmp(id + 2 * (size_t)i, digits, 2) != 0)
            return false;
    }
    return id[2 * (size_t)n] == '\0';
}
