#include "trace/call_paths.h"

#include <stdlib.h>

#include "base/array.h"

/* Handlers are called by no instruction. */
#define NO_CALLER 0

#define NO_PATH UINT32_MAX

bool call_paths_init(struct call_paths *paths)
{
    *paths = (struct call_paths){0};
    if (!ARRAY_RESERVE(paths->paths, paths->paths_room, 1))
        return false;
    paths->n_paths = 1;
    return true;
}

void call_paths_free(struct call_paths *paths)
{
    free(paths->paths);
    free(paths->list);
    free(paths->frames);
    *paths = (struct call_paths){0};
}

/* The child of a path by a call, made if it is new; the path itself where there is no room. */
static uint32_t child_of(struct call_paths *paths, uint32_t from, uint64_t caller,
                         uint64_t function, uint64_t returns_to)
{
    for (uint32_t i = paths->paths[from].first_child; i != 0; i = paths->paths[i].sibling)
        if (paths->paths[i].path.caller == caller && paths->paths[i].path.function == function)
            return i;
    if (paths->n_paths == CALL_PATHS_MAX ||
        !ARRAY_RESERVE(paths->paths, paths->paths_room, paths->n_paths + 1))
        return from;
    const uint32_t made = (uint32_t)paths->n_paths++;
    paths->paths[made] = (struct call_path){
        .path = {.parent = from, .caller = caller, .function = function},
        .returns_to = returns_to,
        .sibling = paths->paths[from].first_child,
    };
    paths->paths[from].first_child = made;
    return made;
}

/* Whether `inner` is `outer` or lies below it. */
static bool lies_in(const struct call_paths *paths, uint32_t inner, uint32_t outer)
{
    while (inner > outer)
        inner = paths->paths[inner].path.parent;
    return inner == outer;
}

/* The innermost call of a function that is open in a path; 0 for none. */
static uint32_t open_call_of(const struct call_paths *paths, uint32_t path, uint64_t function)
{
    while (path != 0 && paths->paths[path].path.function != function)
        path = paths->paths[path].path.parent;
    return path;
}

static bool push(struct call_paths *paths, struct call_frame frame)
{
    if (!ARRAY_RESERVE(paths->frames, paths->frames_room, paths->n_frames + 1))
        return false;
    paths->frames[paths->n_frames++] = frame;
    return true;
}

uint32_t call_paths_call(struct call_paths *paths, uint32_t from, uint64_t caller,
                         uint64_t function, uint64_t returns_to, bool *repeatable)
{
    const uint32_t again = open_call_of(paths, from, function);
    if (again == 0) {
        const uint32_t child = child_of(paths, from, caller, function, returns_to);
        *repeatable &= child != from;
        return child;
    }
    *repeatable = false;
    paths->paths[again].recurs = true;
    return push(paths, (struct call_frame){again, from, returns_to, false}) ? again : from;
}

/* The frame that a jump to an address from a path returns from, at least the outermost exception's;
 * n_frames for none. */
static size_t frame_of(const struct call_paths *paths, uint32_t from, uint64_t to)
{
    for (size_t i = paths->n_frames; i-- > 0 && !paths->frames[i].is_exception;)
        if (paths->frames[i].returns_to == to && lies_in(paths, from, paths->frames[i].entered))
            return i;
    return paths->n_frames;
}

/* Frames of what was entered in a path and is left. */
static void drop_frames(struct call_paths *paths, uint32_t left)
{
    while (paths->n_frames != 0 && !paths->frames[paths->n_frames - 1].is_exception &&
           lies_in(paths, paths->frames[paths->n_frames - 1].entered, left))
        paths->n_frames--;
}

/* Whether a function that was called from a path returned, or would have, to an address. */
static bool has_called(const struct call_paths *paths, uint32_t path, uint64_t returns_to)
{
    uint32_t child = paths->paths[path].first_child;
    while (child != 0 && paths->paths[child].returns_to != returns_to)
        child = paths->paths[child].sibling;
    return child != 0;
}

/* The frame of the innermost handler; n_frames for none. */
static size_t latest_exception(const struct call_paths *paths)
{
    size_t i = paths->n_frames;
    while (i-- > 0)
        if (paths->frames[i].is_exception)
            return i;
    return paths->n_frames;
}

/* Where a jump to an address leads that leaves calls of a path: the path of their caller.
 * NO_PATH if it leaves none. */
static uint32_t left_to(struct call_paths *paths, uint32_t from, uint64_t to, bool *repeatable)
{
    const size_t frame = frame_of(paths, from, to);
    if (frame != paths->n_frames) {
        *repeatable = false;
        paths->n_frames = frame;
        return paths->frames[frame].back;
    }
    for (uint32_t path = from; path != 0; path = paths->paths[path].path.parent) {
        if (paths->paths[path].returns_to == to) {
            drop_frames(paths, path);
            return paths->paths[path].path.parent;
        }
    }
    const bool in_handler = latest_exception(paths) != paths->n_frames;
    for (uint32_t path = from;; path = paths->paths[path].path.parent) {
        if (path == 0 && in_handler) /* the outermost is not of the handler's */
            return NO_PATH;
        if (has_called(paths, path, to))
            return path;
        if (path == 0)
            return NO_PATH;
    }
}

uint32_t call_paths_jump(struct call_paths *paths, uint32_t from, uint64_t to, bool *repeatable)
{
    *repeatable &= !paths->paths[from].recurs;
    uint32_t path = left_to(paths, from, to, repeatable);
    if (path != NO_PATH)
        return path;
    const size_t n_frames = paths->n_frames;
    for (size_t i; path == NO_PATH && (i = latest_exception(paths)) != paths->n_frames;) {
        paths->n_frames = i;
        path = left_to(paths, paths->frames[i].back, to, repeatable);
    }
    if (path == NO_PATH) {
        paths->n_frames = n_frames;
        return from;
    }
    *repeatable = false;
    return path;
}

uint32_t call_paths_exception(struct call_paths *paths, uint32_t from, uint64_t function,
                              uint64_t resumes_at)
{
    const uint32_t handler = child_of(paths, 0, NO_CALLER, function, 0);
    return push(paths, (struct call_frame){handler, from, resumes_at, true}) ? handler : from;
}

/* Handlers do not return in the order they came in when a system switches between its tasks: the
 * newest frame with that address serves. Without one the handler returns to where no path is known:
 * to the latest that was interrupted. */
uint32_t call_paths_resume(struct call_paths *paths, uint32_t from, uint64_t to)
{
    size_t latest = paths->n_frames;
    for (size_t i = paths->n_frames; i-- > 0;) {
        if (!paths->frames[i].is_exception)
            continue;
        if (latest == paths->n_frames)
            latest = i;
        if (paths->frames[i].returns_to == to) {
            latest = i;
            break;
        }
    }
    if (latest == paths->n_frames)
        return from;
    paths->n_frames = latest;
    return paths->frames[latest].back;
}

const struct armpmu_profile_path *call_paths_list(struct call_paths *paths, size_t *n_paths)
{
    *n_paths = 0;
    if (!ARRAY_RESERVE(paths->list, paths->list_room, paths->n_paths))
        return NULL;
    for (; *n_paths < paths->n_paths; ++*n_paths)
        paths->list[*n_paths] = paths->paths[*n_paths].path;
    return paths->list;
}
