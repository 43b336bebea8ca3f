#include "profile/jit_map.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/order.h"

#define MAP_BYTES_MAX (256u << 20)
#define RANK_NAMED    2
#define PIDS_COMPARED 64u /* threads of a process end one after another, or nearly so */

/* The whole of it, which ends with NUL; NULL where it does not count. The caller frees it. Others
 * may write to /tmp, too. */
static char *read_own(const char *path, int64_t since, size_t *n_bytes)
{
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    char *text = NULL;

    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_uid == geteuid() && status.st_mtime >= since &&
        status.st_size <= (off_t)MAP_BYTES_MAX)
        text = malloc((size_t)status.st_size + 1);
    size_t n = 0;
    for (ssize_t got = 1; text != NULL && got > 0 && n < (size_t)status.st_size;) {
        got = read(file, text + n, (size_t)status.st_size - n);
        n += got > 0 ? (size_t)got : 0;
    }
    if (text != NULL)
        text[n] = '\0';
    *n_bytes = n;
    if (file >= 0)
        (void)close(file);
    return text;
}

bool jit_map_read_file(struct jit_map *map, const char *path, const char **text, size_t *n_bytes)
{
    char *const own = read_own(path, map->since, n_bytes);

    *text = own;
    if (own == NULL)
        return true;
    if (!ARRAY_RESERVE(map->texts, map->texts_room, map->n_texts + 1)) {
        free(own);
        return false;
    }
    map->texts[map->n_texts++] = own;
    return true;
}

bool jit_map_add(struct jit_map *map, uint64_t start, uint64_t n_bytes, const char *name)
{
    if (n_bytes == 0 || name[0] == '\0' || start + n_bytes < start)
        return true;
    if (!ARRAY_RESERVE(map->symbols, map->room, map->n + 1))
        return false;
    map->symbols[map->n] = (struct jit_symbol){{name, start, start + n_bytes, RANK_NAMED}, map->n};
    map->n++;
    return true;
}

/* START SIZE NAME. False without memory. */
static bool read_line(struct jit_map *map, const char *line)
{
    char *at, *name;
    const uint64_t start = strtoull(line, &at, 16), n_bytes = strtoull(at, &name, 16);

    if (!isxdigit((unsigned char)line[0]) || *at != ' ' || *name != ' ')
        return true;
    return jit_map_add(map, start, n_bytes, name + 1);
}

bool jit_map_note(struct jit_map *map, int32_t pid)
{
    size_t i = map->n_pids > PIDS_COMPARED ? map->n_pids - PIDS_COMPARED : 0;

    while (i < map->n_pids && map->pids[i] != pid)
        i++;
    if (pid <= 0 || i < map->n_pids)
        return true;
    return ARRAY_APPEND(map->pids, map->n_pids, map->pids_room, pid);
}

static bool read_map(struct jit_map *map, int32_t pid)
{
    char path[64];
    const char *text;
    size_t n_bytes;
    bool done = true;

    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
    if (!jit_map_read_file(map, path, &text, &n_bytes))
        return false;
    char *rest = text != NULL ? map->texts[map->n_texts - 1] : NULL;
    for (char *line; done && (line = strsep(&rest, "\n")) != NULL;)
        done = read_line(map, line);
    return done;
}

bool jit_map_read(struct jit_map *map)
{
    bool done = true;

    for (size_t i = 0; i < map->n_pids && done; i++)
        done = read_map(map, map->pids[i]);
    return done;
}

void jit_map_free(struct jit_map *map)
{
    ARRAY_FREE_EACH(map->texts, map->n_texts);
    free(map->pids);
    free(map->symbols);
    *map = (struct jit_map){0};
}

static int by_address(const void *left, const void *right)
{
    const struct jit_symbol *a = left, *b = right;

    return ORDER(a->symbol.start, b->symbol.start, a->number, b->number);
}

bool jit_map_load(struct jit_map *map, struct object_symbols *out)
{
    bool done = true;

    if (map->n == 0)
        return true;
    qsort(map->symbols, map->n, sizeof *map->symbols, by_address);
    for (size_t i = 0; i < map->n && done; i++) {
        struct code_symbol *const symbol = &map->symbols[i].symbol;
        const uint64_t next = i + 1 < map->n ? map->symbols[i + 1].symbol.start : UINT64_MAX;
        symbol->end = symbol->end < next ? symbol->end : next;
        done = symbol->end == symbol->start || object_symbols_add(out, symbol);
    }
    return done && object_symbols_index(out);
}
