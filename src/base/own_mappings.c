#include "base/own_mappings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    return found;
}
