#include "profile/jit_dump.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DUMP_MAGIC    0x4a695444u /* "JiTD", as the program's numbers are */
#define CODE_LOAD     0u
#define CODE_MOVE     1u
#define PREFIX_BYTES  16u /* of a record: what it is, its size, when */
#define LOADED_BYTES  (PREFIX_BYTES + 40u)
#define MOVED_BYTES   (PREFIX_BYTES + 48u)
#define PATTERN_BYTES 4096u

static uint32_t number32(const char *at)
{
    uint32_t n;

    memcpy(&n, at, sizeof n);
    return n;
}

static uint64_t number64(const char *at)
{
    uint64_t n;

    memcpy(&n, at, sizeof n);
    return n;
}

/* After process and thread: address twice, size, number, name. */
static bool load(struct jit_map *map, const char *record, uint32_t n_bytes)
{
    const char *const name = record + LOADED_BYTES;

    if (n_bytes <= LOADED_BYTES || memchr(name, '\0', n_bytes - LOADED_BYTES) == NULL)
        return true;
    return jit_map_add(map, number64(record + 32), number64(record + 40), name);
}

/* After process and thread: a new address, the old and the new one, size, number. */
static bool move(struct jit_map *map, const char *record, uint32_t n_bytes)
{
    size_t i = map->n;

    if (n_bytes < MOVED_BYTES)
        return true;
    while (i > 0 && map->symbols[i - 1].symbol.start != number64(record + 32))
        i--;
    return i == 0 || jit_map_add(map, number64(record + 40), number64(record + 48),
                                 map->symbols[i - 1].symbol.name);
}

/* A record that the file does not have whole ends it: the program was writing it. */
static bool read_records(struct jit_map *map, const char *at, const char *end)
{
    bool done = true;

    while (done && (size_t)(end - at) >= PREFIX_BYTES) {
        const uint32_t n_bytes = number32(at + 4);
        if (n_bytes < PREFIX_BYTES || n_bytes > (size_t)(end - at))
            break;
        if (number32(at) == CODE_LOAD)
            done = load(map, at, n_bytes);
        else if (number32(at) == CODE_MOVE)
            done = move(map, at, n_bytes);
        at += n_bytes;
    }
    return done;
}

static bool read_dump(struct jit_map *map, const char *path)
{
    size_t n_bytes;
    const char *text;

    if (!jit_map_read_file(map, path, &text, &n_bytes))
        return false;
    if (text == NULL || n_bytes < PREFIX_BYTES || number32(text) != DUMP_MAGIC ||
        number32(text + 8) > n_bytes)
        return true;
    return read_records(map, text + number32(text + 8), text + n_bytes);
}

/* Without memory, glob() finds nothing or a part. */
static bool read_matching(struct jit_map *map, const char *pattern)
{
    glob_t found;
    bool done = true;

    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return true;
    for (size_t i = 0; i < found.gl_pathc && done; i++)
        done = read_dump(map, found.gl_pathv[i]);
    globfree(&found);
    return done;
}

static bool read_process(struct jit_map *map, int32_t pid)
{
    const char *const chosen = getenv("JITDUMPDIR");
    const char *const folder = chosen != NULL ? chosen : getenv("HOME");
    char path[PATTERN_BYTES];

    snprintf(path, sizeof path, "jit-%d.dump", (int)pid);
    if (!read_dump(map, path))
        return false;
    snprintf(path, sizeof path, "/tmp/jit-%d.dump", (int)pid);
    if (!read_dump(map, path))
        return false;
    snprintf(path, sizeof path, "%s/.debug/jit/*/jit-%d.dump", folder != NULL ? folder : "",
             (int)pid);
    return folder == NULL || read_matching(map, path);
}

bool jit_dump_read(struct jit_map *map)
{
    bool done = true;

    for (size_t i = 0; i < map->n_pids && done; i++)
        done = read_process(map, map->pids[i]);
    return done;
}
