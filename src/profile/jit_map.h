/* Functions that programs generate at run time, from the files in which they name them for perf,
 * jit-PID.dump (jit_dump.h), and /tmp/perf-PID.map:
 *
 *     4b0c2000 14 LazyCompile:~add file.js:3
 *
 * start and size in hexadecimal, and a name up to the end of the line. Of functions at the same
 * address the last one counts: code that was moved or made again. Other lines are left out. */
#ifndef PROFILE_JIT_MAP_H
#define PROFILE_JIT_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/object_symbols.h"

struct jit_map {
    int64_t since; /* files that are older do not count, as time() has it */
    int32_t *pids;
    size_t n_pids, pids_room;
    char **texts; /* of the files; names point into them */
    size_t n_texts, texts_room;
    struct jit_symbol {
        struct code_symbol symbol;
        size_t number; /* in the order of the files */
    } * symbols;
    size_t n, room;
};

/* A process of the host ran; 0: it is not known which. Then, once all have ended, reads what they
 * wrote: files that are not there or not the user's, links, and more than 256 MiB add nothing. map
 * is zeroed but for .since, and freed by jit_map_free in any case. False without memory. */
bool jit_map_note(struct jit_map *map, int32_t pid);
bool jit_map_read(struct jit_map *map);
void jit_map_free(struct jit_map *map);

/* Reads a file as a whole, into memory that the map frees; NULL where it does not count. And adds a
 * function, whose name is in such a file. Both return false without memory. */
bool jit_map_read_file(struct jit_map *map, const char *path, const char **text, size_t *n_bytes);
bool jit_map_add(struct jit_map *map, uint64_t start, uint64_t n_bytes, const char *name);

/* Gives code of no object these symbols. False without memory. */
bool jit_map_load(struct jit_map *map, struct object_symbols *out);

#endif
