/* A profile: how often each event happened at each instruction of a run, by thread and call
 * path. What `armpmu record` writes and `report`, `annotate`, `diff`, `script` and `convert`
 * read (profile_file.h); here it is in memory.
 *
 * All tables are numbered from 0 and only grow; a number means the thing everywhere else.
 * Strings are owned by the profile, each kept once: those of one profile are the same where
 * their pointers are. The sum over all rows is the total of each event.
 *
 * Does not know: engines, core models, the command line. */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "armpmu/profile.h"
#include "armpmu/sim.h"
#include "armpmu/status.h"
#include "base/intern.h"
#include "base/versions.h"

#define PROFILE_NONE UINT32_MAX /* no object, no function, no file */
#define PROFILE_ROOT 0          /* the outermost call path */

/* How a thread's call paths are limited (armpmu/profile.h). */
enum profile_lack {
    PATHS_WHOLE,
    PATHS_MERGED, /* by function, whatever instruction called it */
    PATHS_LOST,   /* some calls are in their caller's path */
};

/* How it was recorded. NULL and 0 where that is not known. */
struct profile_setup {
    const char *armpmu;       /* version */
    const char *core;         /* "cortex-a8" */
    const char *machine;      /* name or file */
    const char *machine_text; /* canonical text of all its settings */
    const char *machine_hash; /* of that */
    const char *engine;       /* "qemu", "unicorn", "guest" */
    const char *command;      /* program and arguments, quoted for a shell */
    double clock_mhz;
    uint64_t seed;
    int exit_status;  /* as a shell has it */
    bool is_complete; /* the program ran to its end, and all was counted */
    bool has_paths;   /* rows are by call path */
    enum profile_lack lacks_paths;
    const char *access_latency; /* what the cycles of accesses are; NULL: no accesses are known */
    const char *versions[VERSIONS];
};

struct profile_event {
    const char *name, *meaning; /* name: canonical, or the label it was asked for by */
    const char *fidelity, *unit;
    uint32_t number; /* its code in the core's catalogue */
};

/* A file that code came from; or [vdso], [vectors], [anonymous] and the like. */
struct profile_object {
    const char *path;
    const char *build_id; /* lower-case hex; NULL: none */
    uint64_t bias;        /* address in memory - address in the file's headers (p_vaddr) */
    uint64_t offset;      /* address in memory - offset in the file, where that is one number */
    const char *lacks;    /* why its debug data are not all there; NULL: they are, or it has none.
                           * Not in a profile's file */
};

struct profile_function {
    uint32_t object;
    uint64_t address, n_bytes; /* in memory, without the Thumb bit */
    const char *symbol; /* as the file has it; made from the address where it has none. NULL until
                         * symbols_resolve */
    const char *name;   /* demangled; NULL until then */
};

struct profile_file {
    const char *path;
};

struct profile_thread {
    uint32_t process, thread; /* numbered from 1 in order of creation */
    const char *name;         /* NULL: not known */
};

/* A line of source; file PROFILE_NONE where there is none. */
struct profile_line {
    uint32_t file, line; /* file: number; line from 1 */
};

struct profile_insn {
    uint64_t address; /* in memory */
    uint32_t object, function;
    struct profile_line line;
    uint32_t first_inline, n_inlines; /* outermost first; the line is in the last of them */
    enum armpmu_isa isa;
    uint8_t n_bytes, bytes[4]; /* 0: at no instruction */
};

/* A function that was inlined where it was called. */
struct profile_inline {
    const char *name; /* demangled */
    struct profile_line call;
};

struct profile_path {
    uint32_t parent;   /* smaller than its own number; of the root: itself */
    uint32_t caller;   /* insn; PROFILE_NONE of the root, and of a handler that nothing calls */
    uint32_t function; /* that was called; PROFILE_NONE of the root */
    uint64_t n_calls;
};

/* Packed, since a profile of call paths has millions of them. */
struct __attribute__((packed, aligned(4))) profile_count {
    uint32_t event;
    uint64_t n; /* never 0 */
};

/* The events at an instruction, in a thread, in a call path. Rows of the same three are one. */
struct profile_row {
    uint32_t thread, path, insn;
    uint32_t first_count, n_counts; /* in counts, by rising event; counts of no row are dead */
};

struct profile_interval {
    uint64_t end_cycles; /* of the interval, by the clock of the longest-running thread */
    uint64_t *counts;    /* n_events: in this interval */
};

/* A cache whose misses are known by address, time and set. */
struct profile_cache {
    const char *name;                     /* "L1D" */
    uint32_t event;                       /* that counts its misses; PROFILE_NONE: none does */
    uint32_t n_sets;                      /* of all its ways, and those of a part beside it */
    uint64_t region_bytes, column_cycles; /* powers of two */
    bool is_physical;                     /* its regions are of physical addresses */
    uint64_t n;                           /* misses: kept by profile_add_miss */
};

/* Addresses that a cache missed at: region_bytes of them, from a multiple. */
struct profile_region {
    uint32_t cache;
    uint64_t address;
    const char *name; /* of what lies there; NULL: not known, or not yet (symbols_resolve) */
};

/* Misses in a region, in column_cycles from a multiple. */
struct profile_miss {
    uint32_t region;
    uint64_t start_cycles, n;
};

/* Misses in a set of a cache, in a region; PROFILE_NONE: in all others. */
struct profile_set_miss {
    uint32_t cache, set, region;
    uint64_t n;
};

/* Where a branch led: to another instruction, or the one after it. */
struct profile_edge {
    uint32_t from, to; /* insns; to PROFILE_NONE: not known */
    uint64_t n, n_mispredicted;
};

/* Data in memory: a symbol of an object, or [stack], [heap] and the like. */
struct profile_datum {
    const char *name;
    uint64_t address, n_bytes; /* of a symbol; else 0 */
};

/* Blocks of memory that the program got by one call, on one path (armpmu/profile.h). */
struct profile_allocation {
    uint32_t insn;  /* that called; PROFILE_NONE: not known */
    uint32_t path;  /* that it called in */
    uint32_t datum; /* that accesses to them have; PROFILE_NONE: there are none */
    bool is_mapped; /* by mmap() */
    uint64_t n, n_bytes;
    uint64_t smallest, largest; /* in bytes */
};

#define PROFILE_SEVERAL "[several]" /* the name of members that are accessed together */

/* A member of a structure, or what has a type without members. */
struct profile_member {
    const char *type, *name;  /* "struct node", "next"; name "" of the whole */
    uint64_t offset, n_bytes; /* in the type */
};

/* Data accesses of an instruction with one outcome (armpmu/profile.h). */
struct profile_access {
    uint32_t thread, insn, datum; /* datum: where all lie; PROFILE_NONE: not known, or not yet */
    /* Its insn does not matter; allocation: of the profile, from 1, 0 for none. */
    struct armpmu_data_access of;
    uint32_t member; /* that all are to; PROFILE_NONE: not known */
};

#define PROFILE_TABLES(TABLE)                                                                      \
    TABLE(event, events)                                                                           \
    TABLE(object, objects)                                                                         \
    TABLE(function, functions)                                                                     \
    TABLE(file, files)                                                                             \
    TABLE(thread, threads)                                                                         \
    TABLE(insn, insns)                                                                             \
    TABLE(inline, inlines)                                                                         \
    TABLE(path, paths)                                                                             \
    TABLE(row, rows)                                                                               \
    TABLE(count, counts)                                                                           \
    TABLE(interval, intervals)                                                                     \
    TABLE(cache, caches)                                                                           \
    TABLE(region, regions)                                                                         \
    TABLE(miss, misses)                                                                            \
    TABLE(set_miss, set_misses)                                                                    \
    TABLE(edge, edges)                                                                             \
    TABLE(datum, data)                                                                             \
    TABLE(allocation, allocations)                                                                 \
    TABLE(member, members)                                                                         \
    TABLE(access, accesses)

struct profile {
    struct profile_setup setup;
#define TABLE(one, many)                                                                           \
    struct profile_##one *many;                                                                    \
    size_t n_##many, room_##many;
    PROFILE_TABLES(TABLE)
#undef TABLE
    uint64_t *totals; /* n_events: sums over all rows, kept by profile_add_counts */
    size_t room_totals;
    char **texts;
    size_t n_texts, room_texts;
    /* How each table finds what it has. */
    struct intern text_numbers, object_numbers, function_numbers, file_numbers, insn_numbers,
        path_numbers, row_numbers, allocation_numbers, member_numbers;
};

/* Makes an empty profile with the root path. *out is freed by profile_free, NULL on failure.
 * Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_new(struct profile **out, struct armpmu_error *err);
void profile_free(struct profile *profile); /* NULL is fine */

/* Replaces *text by the profile's own copy; NULL stays. For strings that are set in what is there:
 * all below copy what they are given. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_own_text(struct profile *profile, const char **text,
                                                    struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_set_setup(struct profile *profile,
                                                     const struct profile_setup *setup,
                                                     struct armpmu_error *err);

/* Each adds a thing, or finds the same that is there, and gives its number. The same are: an
 * object's path and bias; a function's object and address; a file's path; an instruction's address,
 * object, isa and bytes; a path's parent, caller and function. What was there stays as it is, but
 * the calls of a path add up. Events, threads, inlines and intervals are always added; all events
 * come before the first row or interval. Numbers in what is added are of things that are there, or
 * PROFILE_NONE where that is allowed. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_add_event(struct profile *profile,
                                                     const struct profile_event *event,
                                                     uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_object(struct profile *profile,
                                                      const struct profile_object *object,
                                                      uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_function(struct profile *profile,
                                                        const struct profile_function *function,
                                                        uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_file(struct profile *profile, const char *path,
                                                    uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_thread(struct profile *profile,
                                                      const struct profile_thread *thread,
                                                      uint32_t *number, struct armpmu_error *err);
/* Function, line and inlines may be set afterwards (symbols.h). */
ARMPMU_MUST_USE enum armpmu_status profile_add_insn(struct profile *profile,
                                                    const struct profile_insn *insn,
                                                    uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_inline(struct profile *profile,
                                                      const struct profile_inline *inlined,
                                                      uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_path(struct profile *profile,
                                                    const struct profile_path *path,
                                                    uint32_t *number, struct armpmu_error *err);
/* From here on a path is one of another function, unless there is one with that function already.
 */
void profile_name_path(struct profile *profile, uint32_t number, uint32_t function);
/* Moves counts into the profile's table, which owns them from then on, as *counts, which is NULL
 * then; *first: where they begin. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status profile_take_counts(struct profile *profile,
                                                       struct profile_count **counts, size_t n,
                                                       uint32_t *first, struct armpmu_error *err);
/* Adds a row of counts in the profile's table, by rising event and none of them 0, to the row of
 * the same thread, path and insn. A row of no counts is left out. */
ARMPMU_MUST_USE enum armpmu_status profile_add_counts(struct profile *profile,
                                                      const struct profile_row *row,
                                                      struct armpmu_error *err);
/* The same for n_events counts that are not in the table, any of which may be 0. */
ARMPMU_MUST_USE enum armpmu_status profile_add_row(struct profile *profile, uint32_t thread,
                                                   uint32_t path, uint32_t insn,
                                                   const uint64_t *counts,
                                                   struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_interval(struct profile *profile,
                                                        uint64_t end_cycles, const uint64_t *counts,
                                                        struct armpmu_error *err);

/* The same of misses: a cache before its regions, a region before its misses. */
ARMPMU_MUST_USE enum armpmu_status profile_add_cache(struct profile *profile,
                                                     const struct profile_cache *cache,
                                                     uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_region(struct profile *profile,
                                                      const struct profile_region *region,
                                                      uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_miss(struct profile *profile,
                                                    const struct profile_miss *miss,
                                                    struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_set_miss(struct profile *profile,
                                                        const struct profile_set_miss *miss,
                                                        struct armpmu_error *err);

/* An edge that is not there yet; in order of from and to. */
ARMPMU_MUST_USE enum armpmu_status profile_add_edge(struct profile *profile,
                                                    const struct profile_edge *edge,
                                                    struct armpmu_error *err);

ARMPMU_MUST_USE enum armpmu_status profile_add_datum(struct profile *profile,
                                                     const struct profile_datum *datum,
                                                     uint32_t *number, struct armpmu_error *err);
/* One that is there with the same insn, path and kind gets the blocks, too. */
ARMPMU_MUST_USE enum armpmu_status
profile_add_allocation(struct profile *profile, const struct profile_allocation *allocation,
                       uint32_t *number, struct armpmu_error *err);
/* Found if it is there. */
ARMPMU_MUST_USE enum armpmu_status profile_add_member(struct profile *profile,
                                                      const struct profile_member *member,
                                                      uint32_t *number, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status profile_add_access(struct profile *profile,
                                                      const struct profile_access *access,
                                                      struct armpmu_error *err);

/* How often an event happened in a row. */
uint64_t profile_row_count(const struct profile *profile, const struct profile_row *row,
                           uint32_t event);

/* The event of a name, in any case; PROFILE_NONE where there is none. */
uint32_t profile_find_event(const struct profile *profile, const char *name);

/* Returns whether a file is a header of the compiler or the system, for this computer or another:
 * it is not changed for one program. */
bool profile_is_library_file(const char *path);

/* The line that an instruction is shown at: inlined from such a header, where it was called. */
struct profile_line profile_own_line(const struct profile *profile, uint32_t insn);

/* Says, as a part of a sentence, what is wrong with call paths; NULL: nothing. */
const char *profile_lacks_paths(const struct profile *profile);

/* The event of a number in the core's catalogue; PROFILE_NONE where there is none. */
uint32_t profile_find_number(const struct profile *profile, uint32_t number);

/* ---- beside a profile: what `armpmu whatif` measured of the same program ---- */

struct whatif_row {
    char *place;    /* "chase.c:129", "main"; NULL: the machine was changed */
    char *text;     /* "chase.c:129 hit level 1" */
    double percent; /* of the run's cycles: less than 0 where some are saved */
};

/* The greatest saving comes first. */
struct whatif_rows {
    struct whatif_row *items;
    size_t n;
};

#endif
