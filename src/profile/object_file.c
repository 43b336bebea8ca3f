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
static Dwfl_Module *report_file(struct object_file *file, const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat status;
    Dwfl_Module *module = NULL;
    void **user;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        module = dwfl_report_elf(file->dwfl, path, path, fd, 0, true);
    if (fd >= 0 && module == NULL)
        close(fd);
    if (module != NULL) {
        (void)dwfl_module_info(module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
        *user = file; /* for find_debug_file */
    }
    return module;
}

static void report(struct object_file *file, const char *path, const char *sysroot)
{
    char *below = NULL;
    Dwfl_Module *module = NULL;

    dwfl_report_begin(file->dwfl);
    if (sysroot != NULL && asprintf(&below, "%s/%s", sysroot, path) >= 0)
        module = report_file(file, below);
    free(sysroot != NULL ? below : NULL);
    if (module == NULL)
        module = report_file(file, path);
    file->module = dwfl_report_end(file->dwfl, NULL, NULL) == 0 ? module : NULL;
}

/* ---- separate debug files ---- */

#define DEBUG_FOLDER "/usr/lib/debug"

static bool exists(const char *root, const char *folder, const char *below, const char *name)
{
    char *path;

    if (asprintf(&path, "%s%s/%s/%s", root, folder, below, name) < 0)
        return true; /* as if, without memory */
    const bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

/* Returns whether a file of this name is where libdw looks below root's debug folder: in the
 * object's whole folder, then in that without its first component, and so on. */
static bool is_installed(const char *root, const char *folder, const char *name)
{
    for (const char *below = folder; below != NULL; below = strchr(below + 1, '/'))
        if (exists(root, DEBUG_FOLDER, below, name))
            return true;
    return exists(root, DEBUG_FOLDER, "", name);
}

/* Returns whether there is a file that libdw tries as an object's debug file. link: the name that
 * the object gives, or NULL; root: of the system whose object it is, or NULL. */
static bool has_debug_file(const char *path, const char *link, const char *root)
{
    const char *const slash = strrchr(path, '/'), *const own = slash != NULL ? slash + 1 : path;
    char *const folder = slash != NULL ? strndup(path, (size_t)(slash - path)) : strdup(".");
    char *usual;

    if (asprintf(&usual, "%s.debug", own) < 0)
        usual = NULL;
    const char *const name = link != NULL ? link : usual;
    const bool found = folder == NULL || name == NULL || exists(folder, "", "", name) ||
                       exists(folder, "/.debug", "", name) ||
                       (link != NULL && (is_installed("", folder, name) ||
                                         (root != NULL && is_installed(root, folder, name))));
    free(usual);
    free(folder);
    return found;
}

/* As above, also where the path leads by symbolic links. */
static bool may_have_debug_file(const char *path, const char *link, const char *root)
{
    char *const real = realpath(path, NULL);
    const bool found =
        has_debug_file(path, link, root) ||
        (real != NULL && strcmp(real, path) != 0 && has_debug_file(real, link, root));

    free(real);
    return found;
}

/* dwfl_standard_find_debuginfo loads the library that asks servers, with all that this needs, a
 * sixth of the time of a short run, even where no server is known: it is called only where there is
 * one, or a file to find. A link that has a folder is that of a debug file, to data that several
 * share. */
static int find_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                           const char *path, const char *link, GElf_Word crc, char **found)
{
    const struct object_file *const file = *user;

    if (getenv("DEBUGINFOD_URLS") != NULL || path == NULL ||
        (link != NULL && strchr(link, '/') != NULL) || may_have_debug_file(path, link, file->root))
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

static int list_folders(struct object_file *file)
{
    return file->root != NULL
               ? asprintf(&file->folders, "+:.debug:%s" DEBUG_FOLDER ":" DEBUG_FOLDER, file->root)
               : asprintf(&file->folders, "+:.debug:" DEBUG_FOLDER);
}

bool object_file_open(struct object_file *out, const char *path, const char *sysroot)
{
    /* libdw looks for build IDs in absolute folders alone. */
    *out = (struct object_file){.root = sysroot != NULL ? realpath(sysroot, NULL) : NULL};
    if (list_folders(out) < 0) {
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
    free(file->root);
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
