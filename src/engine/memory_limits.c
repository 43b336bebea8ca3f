#include "engine/memory_limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armpmu/sim.h"
#include "base/fail.h"

#define PATH_BYTES 4096
#define CODE_PART  8 /* of the limit at most this part is for code */

/* The number that a file begins with; UINT64_MAX when there is none ("max", no file). */
static uint64_t number_in(const char *path)
{
    char text[32] = "";
    FILE *file = fopen(path, "re");

    if (file == NULL)
        return UINT64_MAX;
    const bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    return read && text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
}

/* The number behind a word at the start of a line, `otherwise` when there is none. */
static uint64_t number_behind(const char *path, const char *word, uint64_t otherwise)
{
    char line[256];
    uint64_t number = otherwise;
    const size_t length = strlen(word);
    FILE *file = fopen(path, "re");

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, word, length) == 0 && strchr(" :\t", line[length]) != NULL)
            number = strtoull(line + length + strspn(line + length, " :\t"), NULL, 10);
    if (file != NULL)
        fclose(file);
    return number;
}

static void narrow(struct memory_limits *memory, uint64_t limit, uint64_t available,
                   const char *where, const char *what)
{
    if (limit < memory->limit)
        memory->limit = limit;
    if (available >= memory->available)
        return;
    memory->available = available;
    memory->of = limit;
    snprintf(memory->where, sizeof memory->where, "%.200s%.50s", where, what);
}

static void read_machine(const char *root, struct memory_limits *memory)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    const uint64_t total = number_behind(path, "MemTotal", UINT64_MAX);
    const uint64_t available = number_behind(path, "MemAvailable", UINT64_MAX);
    const uint64_t swap = number_behind(path, "SwapFree", 0);
    if (total < UINT64_MAX / 1024 && available < UINT64_MAX / 1024)
        narrow(memory, total * 1024, (available + swap) * 1024, "the machine", "");
}

/* A version of control groups: where its files are, and their names. */
struct groups {
    const char *mount, *limit[2], *usage, *cached;
};

static const struct groups version1 = {"/sys/fs/cgroup/memory",
                                       {"memory.limit_in_bytes"},
                                       "memory.usage_in_bytes",
                                       "total_inactive_file"};
static const struct groups version2 = {
    "/sys/fs/cgroup", {"memory.max", "memory.high"}, "memory.current", "inactive_file"};

/* One group. What the system can drop again, parts of files, is not taken. */
static void read_group(const struct groups *groups, const char *folder, const char *name,
                       struct memory_limits *memory)
{
    char path[PATH_BYTES + 64], where[256], what[64];

    snprintf(path, sizeof path, "%s/%s", folder, groups->usage);
    const uint64_t used = number_in(path);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    const uint64_t cached = number_behind(path, groups->cached, 0);
    if (used == UINT64_MAX)
        return;
    const uint64_t taken = used > cached ? used - cached : 0;
    for (unsigned i = 0; i < 2 && groups->limit[i] != NULL; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, groups->limit[i]);
        const uint64_t limit = number_in(path);
        snprintf(where, sizeof where, "control group %.180s", name[0] != '\0' ? name : "/");
        snprintf(what, sizeof what, " (%s)", groups->limit[i]);
        if (limit != UINT64_MAX)
            narrow(memory, limit, limit > taken ? limit - taken : 0, where, what);
    }
}

/* A group and its parents; one that is not there (its name is of another container) is passed. */
static void read_groups(const char *root, const struct groups *groups, const char *name,
                        struct memory_limits *memory)
{
    char folder[PATH_BYTES], own[PATH_BYTES / 2];

    snprintf(own, sizeof own, "%s", name);
    for (;;) {
        while (own[0] != '\0' && own[strlen(own) - 1] == '/')
            own[strlen(own) - 1] = '\0';
        if (snprintf(folder, sizeof folder, "%s%s%s", root, groups->mount, own) <
            (int)sizeof folder)
            read_group(groups, folder, own, memory);
        char *slash = strrchr(own, '/');
        if (slash == NULL)
            return;
        *slash = '\0';
    }
}

/* "4:memory:/a/b" of version 1, "0::/a/b" of version 2. */
static void read_membership(const char *root, char *line, struct memory_limits *memory)
{
    char *controllers = strchr(line, ':');
    char *name = controllers != NULL ? strchr(controllers + 1, ':') : NULL;

    if (name == NULL)
        return;
    *name++ = '\0';
    name[strcspn(name, "\n")] = '\0';
    controllers++;
    if (controllers[0] == '\0')
        read_groups(root, &version2, name, memory);
    else if (strcmp(controllers, "memory") == 0 || strstr(controllers, "memory,") == controllers ||
             strstr(controllers, ",memory") != NULL)
        read_groups(root, &version1, name, memory);
}

void memory_limits_read(const char *root, struct memory_limits *out)
{
    char path[PATH_BYTES], line[PATH_BYTES];

    *out = (struct memory_limits){.limit = UINT64_MAX, .available = UINT64_MAX, .of = UINT64_MAX};
    read_machine(root, out);
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        read_membership(root, line, out);
    if (file != NULL)
        fclose(file);
}

static enum armpmu_status bytes_named(const char *text, size_t *out, struct armpmu_error *err)
{
    char *end;

    errno = 0;
    const unsigned long long bytes = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || bytes > SIZE_MAX)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "ARMPMU_CODE_MEMORY='%s' is no number of bytes: set it to one, as 536870912, "
                    "or not at all",
                    text);
    *out = (size_t)bytes;
    return ARMPMU_OK;
}

enum armpmu_status memory_for_code(size_t *out, struct armpmu_error *err)
{
    const char *named = getenv("ARMPMU_CODE_MEMORY");
    struct memory_limits memory;

    if (named != NULL && named[0] != '\0')
        return bytes_named(named, out, err);
    memory_limits_read("", &memory);
    *out = memory.limit / CODE_PART < ARMPMU_CODE_BYTES ? (size_t)(memory.limit / CODE_PART)
                                                        : (size_t)ARMPMU_CODE_BYTES;
    return ARMPMU_OK;
}
