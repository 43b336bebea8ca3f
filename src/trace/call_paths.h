/* The call paths of a profile, from executed calls and returns.
 *
 * A path is (path of the caller, calling instruction, called function): a node of a tree. A
 * recursive call makes one only where the functions that are active are others than at the last
 * such call of its function; else it is in that call's path again, so that recursion of any depth
 * makes few paths, and each says which functions are active. Where it returns to is then on a stack
 * of its own (`frames`), as for signal handlers and exceptions, whose paths begin at the outermost.
 * Where there are no frames, the path itself is the stack.
 *
 * A jump that is no call stays in its path: so a function that was called by a jump at the end of
 * another (a tail call) has the place of the other. A jump to the address after an earlier call of
 * a function that is still open (longjmp) goes back to that function.
 *
 * Each context (ARMPMU_SYSTEM_CONTEXT) has an outermost path and a stack of its own.
 *
 * A region (struct armpmu_region) is a property of paths: those of its functions' calls; else all
 * paths come twice, on and off, and the way goes from one to its twin where the region begins or
 * ends. Of several regions a path has a twin for each set of them that is on at a time. Regions are
 * of context 0.
 *
 * Plain data; one thread at a time. */
#ifndef TRACE_CALL_PATHS_H
#define TRACE_CALL_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/profile.h"

#define CALL_PATHS_MAX    ARMPMU_PROFILE_PATHS_MAX /* of a context, by calling instruction */
#define CALL_PATHS_LAST   ARMPMU_PROFILE_PATHS_LAST
#define CALL_CONTEXTS_MAX (UINT32_C(1) << 20)

struct call_path {
    struct armpmu_profile_path path;
    uint64_t returns_to;           /* the address after the call */
    uint32_t first_child, sibling; /* 0: none */
    uint32_t n_active;             /* different functions on it */
    bool recurs;    /* its function was active when it was called, or it has several callers: it may
                     * be entered by a frame */
    bool is_inside; /* of a region: what happens there counts */
    uint32_t are_on; /* regions, a bit for each: a twin has others */
};

/* An entry of a path that does not make a new one. */
struct call_frame {
    uint32_t entered, back; /* paths: that was entered; where it returns */
    uint64_t returns_to;    /* address there */
    bool is_exception;
};

struct call_frames {
    struct call_frame *at;
    size_t n, room;
};

/* Where a context was left. */
struct call_context {
    bool is_known;
    uint32_t root, path, n_paths;
    struct call_frames frames;
};

/* A jump that stays in its path while there are no frames. */
struct call_jump {
    uint64_t to;
    uint32_t from;
    uint32_t n_paths; /* that there were; 0: none is known */
};

#define CALL_JUMPS 64 /* a power of two */

struct call_paths {
    struct call_path *paths;          /* the first is the outermost of context 0 */
    struct armpmu_profile_path *list; /* as armpmu_sim_profile_paths gives them */
    size_t n_paths, paths_room, list_room;
    uint32_t context, root; /* that runs, and its outermost path */
    struct call_frames frames;
    struct call_context *contexts; /* of the one that runs only is_known, root and n_paths hold */
    size_t n_contexts, contexts_room;
    bool is_lost;                       /* a region's path could not be made */
    struct call_jump jumps[CALL_JUMPS]; /* the latest, as in an interpreter's loop */
};

/* Returns false without memory. */
bool call_paths_init(struct call_paths *paths);

/* Before the first step: which regions the outermost is in, and whether it is inside for that. */
void call_paths_begin(struct call_paths *paths, uint32_t are_on, bool is_inside);
void call_paths_free(struct call_paths *paths); /* zeroed is fine */

/* As armpmu_sim_profile_paths; without memory, none. */
const struct armpmu_profile_path *call_paths_list(struct call_paths *paths, size_t *n_paths);

/* Each gives the path after a step from `from`. *repeatable is cleared where the same step may lead
 * to another path next time. Without memory, and where there are CALL_PATHS_LAST, the path stays.
 */

/* An instruction at `caller` called `function`, which would return to returns_to. is_region: the
 * function is a region's. */
uint32_t call_paths_call(struct call_paths *paths, uint32_t from, uint64_t caller,
                         uint64_t function, uint64_t returns_to, bool is_region, bool *repeatable);

/* An instruction at `caller` jumped to a region's function, in place of a call: it returns where
 * the path does. */
uint32_t call_paths_tail_call(struct call_paths *paths, uint32_t from, uint64_t caller,
                              uint64_t function);

/* The path, or its twin: that in which these regions are on. */
uint32_t call_paths_twin(struct call_paths *paths, uint32_t path, uint32_t are_on);

/* A jump to an address that a register or memory gave. */
uint32_t call_paths_jump(struct call_paths *paths, uint32_t from, uint64_t to, bool *repeatable);

/* A handler at `function` was entered, execution of `from` would have gone on at resumes_at; and it
 * returned to an address. Neither is repeatable. */
uint32_t call_paths_exception(struct call_paths *paths, uint32_t from, uint64_t function,
                              uint64_t resumes_at);
uint32_t call_paths_resume(struct call_paths *paths, uint32_t from, uint64_t to);

/* Another context runs from here on. Returns the path that it was left in, its outermost at
 * first; UINT32_MAX without memory or above CALL_CONTEXTS_MAX: then the old one continues. */
uint32_t call_paths_switch(struct call_paths *paths, uint32_t from, uint32_t context);

#endif
