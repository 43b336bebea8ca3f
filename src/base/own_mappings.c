#include "base/own_mappings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A line end in a path is written as these four characters, which a path may have itself. Only the
 * link of the mapping tells. */
static void unescape(struct own_mapping *mapping)
{
    char link[64], path[sizeof mapping->path];

    if (strstr(mapping->path, "\\012") == NULL)
        return;
    snprintf(link, sizeof link, "/proc/self/map_files/%" PRIxPTR "-%" PRIxPTR, mapping->first,
             mapping->end);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    if (n > 0) {
        memcpy(mapping->path, path, (size_t)n);
        mapping->path[n] = '\0';
    }
}

/* A line of /proc/self/maps. */
static bool read_line(const char *line, struct own_mapping *out)
{
    int path_at = -1;
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %*s %n", &out->first, &out->end,
               &out->offset, &path_at) < 3)
        return false;
    const char *const path = path_at > 0 ? line + path_at : "";
    snprintf(out->path, sizeof out->path, "%s", path[0] == '/' ? path : "");
    out->path[strcspn(out->path, "\n")] = '\0';
    return true;
}

bool own_mapping_find(uintptr_t address, struct own_mapping *out)
{
    char line[sizeof out->path + 128];
    bool found = false;
    FILE *const maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL)
        found = read_line(line, out) && out->first <= address && address < out->end;
    if (maps != NULL)
        fclose(maps);
    if (found)
        unescape(out);
    return found;
}
