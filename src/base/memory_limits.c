#include "base/memory_limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "armpmu/sim.h"
#include "base/error.h"

#define PATH_BYTES 4096
#define CODE_PART  8 /* of the limit at most this part is for code */

#define NO_LIMIT (UINT64_C(1) << 62) /* version 1 has a number of pages near 2^63 for none */

/* Kept free for the report, and for what is used between two looks. */
#define RESERVE      (UINT64_C(16) << 20)
#define RESERVE_PART 32 /* of the limit, if that is more */

/* Programs take memory at up to 1 GB/s, a byte a nanosecond: so long none can have taken it all. */
#define LOOK_NS      UINT64_C(100000000)
#define LOOK_SOON_NS UINT64_C(5000000)

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

/* The number after a word at the start of a line, `otherwise` when there is none. */
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
    const char *mount, *hard, *soft, *usage, *cached[3], *swap_limit, *swap_usage;
};

static const struct groups version1 = {
    .mount = "/sys/fs/cgroup/memory",
    .hard = "memory.limit_in_bytes",
    .usage = "memory.usage_in_bytes",
    .cached = {"total_inactive_file", "total_active_file"},
    .swap_limit = "memory.memsw.limit_in_bytes",
    .swap_usage = "memory.memsw.usage_in_bytes",
};
static const struct groups version2 = {
    .mount = "/sys/fs/cgroup",
    .hard = "memory.max",
    .soft = "memory.high",
    .usage = "memory.current",
    .cached = {"inactive_file", "active_file", "slab_reclaimable"},
    .swap_limit = "memory.swap.max",
    .swap_usage = "memory.swap.current",
};

/* The question, and the answer so far. */
struct search {
    const char *root;
    bool hard_only; /* limits at which the kernel kills, not those at which it slows down */
    struct memory_limits *memory;
};

static uint64_t number_in_group(const char *folder, const char *file)
{
    char path[PATH_BYTES + 64];

    snprintf(path, sizeof path, "%s/%s", folder, file);
    return number_in(path);
}

static uint64_t room(uint64_t limit, uint64_t used)
{
    return limit > used ? limit - used : 0;
}

/* Parts of files, and what the kernel remembers of them: it drops them before it kills. */
static uint64_t droppable(const struct groups *groups, const char *folder)
{
    char path[PATH_BYTES + 64];
    uint64_t bytes = 0;

    snprintf(path, sizeof path, "%s/memory.stat", folder);
    for (unsigned i = 0; i < 3 && groups->cached[i] != NULL; i++)
        bytes += number_behind(path, groups->cached[i], 0);
    return bytes;
}

/* The bytes that a group may still move to swap space. Version 1 limits memory and swap space
 * together. */
static uint64_t swap_room(const struct search *search, const struct groups *groups,
                          const char *folder, uint64_t used)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/proc/meminfo", search->root);
    const uint64_t free = number_behind(path, "SwapFree", 0) * 1024;
    const uint64_t limit = number_in_group(folder, groups->swap_limit);
    uint64_t swapped = number_in_group(folder, groups->swap_usage);
    if (free == 0 || limit == UINT64_MAX || swapped == UINT64_MAX)
        return free;
    if (groups == &version1)
        swapped = room(swapped, used);
    const uint64_t allowed =
        groups == &version1 ? room(limit, number_in_group(folder, groups->hard)) : limit;
    return room(allowed, swapped) < free ? room(allowed, swapped) : free;
}

static void read_limit(const struct search *search, const struct groups *groups, const char *folder,
                       const char *name, const char *file)
{
    char where[256], what[64];
    const uint64_t limit = number_in_group(folder, file);
    const uint64_t used = limit < NO_LIMIT ? number_in_group(folder, groups->usage) : UINT64_MAX;

    if (used == UINT64_MAX)
        return;
    snprintf(where, sizeof where, "control group %.180s", name[0] != '\0' ? name : "/");
    snprintf(what, sizeof what, " (%s)", file);
    const uint64_t left = room(limit, room(used, droppable(groups, folder)));
    narrow(search->memory, limit, left + swap_room(search, groups, folder, used), where, what);
}

static void read_group(const struct search *search, const struct groups *groups, const char *folder,
                       const char *name)
{
    read_limit(search, groups, folder, name, groups->hard);
    if (groups->soft != NULL && !search->hard_only)
        read_limit(search, groups, folder, name, groups->soft);
}

/* A group and its parents; one that is not there (its name is of another container) is passed. */
static void read_groups(const struct search *search, const struct groups *groups, const char *name)
{
    char folder[PATH_BYTES], own[PATH_BYTES / 2];

    snprintf(own, sizeof own, "%s", name);
    for (;;) {
        while (own[0] != '\0' && own[strlen(own) - 1] == '/')
            own[strlen(own) - 1] = '\0';
        if (snprintf(folder, sizeof folder, "%s%s%s", search->root, groups->mount, own) <
            (int)sizeof folder)
            read_group(search, groups, folder, own);
        char *slash = strrchr(own, '/');
        if (slash == NULL)
            return;
        *slash = '\0';
    }
}

/* "4:memory:/a/b" of version 1, "0::/a/b" of version 2. */
static void read_membership(const struct search *search, char *line)
{
    char *controllers = strchr(line, ':');
    char *name = controllers != NULL ? strchr(controllers + 1, ':') : NULL;

    if (name == NULL)
        return;
    *name++ = '\0';
    name[strcspn(name, "\n")] = '\0';
    controllers++;
    if (controllers[0] == '\0')
        read_groups(search, &version2, name);
    else if (strcmp(controllers, "memory") == 0 || strstr(controllers, "memory,") == controllers ||
             strstr(controllers, ",memory") != NULL)
        read_groups(search, &version1, name);
}

static void read_memberships(const struct search *search)
{
    char path[PATH_BYTES], line[PATH_BYTES];

    snprintf(path, sizeof path, "%s/proc/self/cgroup", search->root);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        read_membership(search, line);
    if (file != NULL)
        fclose(file);
}

static const struct memory_limits unlimited = {UINT64_MAX, UINT64_MAX, UINT64_MAX, ""};

void memory_limits_read(const char *root, struct memory_limits *out)
{
    const struct search search = {.root = root, .memory = out};

    *out = unlimited;
    read_machine(root, out);
    read_memberships(&search);
}

uint64_t memory_watch(const char *root, struct memory_limits *out)
{
    const struct search search = {.root = root, .hard_only = true, .memory = out};

    *out = unlimited;
    read_memberships(&search);
    if (out->available == UINT64_MAX)
        return LOOK_NS;
    const uint64_t part = out->of / RESERVE_PART;
    const uint64_t left = room(out->available, part > RESERVE ? part : RESERVE);
    if (left == 0)
        return 0;
    return left < LOOK_SOON_NS ? LOOK_SOON_NS : left < LOOK_NS ? left : LOOK_NS;
}

static enum armpmu_status bytes_named(const char *text, size_t *out, struct armpmu_error *err)
{
    char *end;

    errno = 0;
    const unsigned long long bytes = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || bytes > SIZE_MAX)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "ARMPMU_CODE_MEMORY='%s' is not a number of bytes: set it to one, such as "
                    "536870912, or unset it",
                    text);
    *out = (size_t)bytes;
    return ARMPMU_OK;
}

/* The narrowest of the process's own limits, of address space and of data. */
static uint64_t limit_of_process(void)
{
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    uint64_t narrowest = UINT64_MAX;
    struct rlimit limit;

    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (getrlimit(kinds[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
            limit.rlim_cur < narrowest)
            narrowest = limit.rlim_cur;
    return narrowest;
}

enum armpmu_status memory_for_code(size_t *out, struct armpmu_error *err)
{
    const char *named = getenv("ARMPMU_CODE_MEMORY");
    struct memory_limits memory;

    if (named != NULL && named[0] != '\0')
        return bytes_named(named, out, err);
    memory_limits_read("", &memory);
    const uint64_t own = limit_of_process();
    const uint64_t part = (own < memory.limit ? own : memory.limit) / CODE_PART;
    *out = part < ARMPMU_CODE_BYTES ? (size_t)part : (size_t)ARMPMU_CODE_BYTES;
    return ARMPMU_OK;
}
