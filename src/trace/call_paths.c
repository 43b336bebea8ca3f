#include "trace/call_paths.h"

#include <stdlib.h>

#include "base/array.h"

/* Handlers are called by no instruction. */
#define NO_CALLER 0

#define NO_PATH UINT32_MAX

bool call_paths_init(struct call_paths *paths)
{
    *paths = (struct call_paths){0};
    if (!ARRAY_RESERVE(paths->paths, paths->paths_room, 1) ||
        !ARRAY_RESERVE(paths->contexts, paths->contexts_room, 1))
        return false;
    paths->n_paths = paths->n_contexts = 1;
    paths->contexts[0] = (struct call_context){.is_known = true, .n_paths = 1};
    call_paths_begin(paths, 1, true);
    return true;
}

void call_paths_begin(struct call_paths *paths, uint32_t are_on, bool is_inside)
{
    paths->paths[0].are_on = are_on;
    paths->paths[0].is_inside = is_inside;
}

void call_paths_free(struct call_paths *paths)
{
    free(paths->paths);
    free(paths->list);
    free(paths->frames.at);
    for (size_t i = 0; i < paths->n_contexts; i++)
        free(paths->contexts[i].frames.at);
    free(paths->contexts);
    *paths = (struct call_paths){0};
}

/* Adds a path, whose path, returns_to, are_on and is_inside are given. Returns its parent where
 * there is no room. */
static uint32_t add(struct call_paths *paths, struct call_path made)
{
    const uint32_t parent = made.path.parent;
    uint32_t *const n_paths = &paths->contexts[paths->context].n_paths;
    if (*n_paths == CALL_PATHS_LAST ||
        !ARRAY_RESERVE(paths->paths, paths->paths_room, paths->n_paths + 1))
        return parent;
    const uint32_t number = (uint32_t)paths->n_paths++;
    ++*n_paths;
    made.path.context = paths->context;
    made.sibling = paths->paths[parent].first_child;
    paths->paths[parent].first_child = number;
    paths->paths[number] = made;
    return number;
}

/* The innermost call of a function that is open in a path; the outermost for none. */
static uint32_t open_call_of(const struct call_paths *paths, uint32_t path, uint64_t function)
{
    while (path != paths->root && paths->paths[path].path.function != function)
        path = paths->paths[path].path.parent;
    return path;
}

/* The child of a path by a call, perhaps merged with others; 0 where there is none. */
static uint32_t find_child(struct call_paths *paths, uint32_t from, uint64_t caller,
                           uint64_t function)
{
    const bool merges = paths->contexts[paths->context].n_paths >= CALL_PATHS_MAX;
    uint32_t merged = 0;
    for (uint32_t i = paths->paths[from].first_child; i != 0; i = paths->paths[i].sibling) {
        if (paths->paths[i].path.function != function)
            continue;
        if (paths->paths[i].path.caller == caller)
            return i;
        merged = merges ? i : 0;
    }
    if (merged != 0)
        paths->paths[merged].path.is_merged = paths->paths[merged].recurs = true;
    return merged;
}

/* The same, made if it is new; the path itself where there is no room. */
static uint32_t child_of(struct call_paths *paths, uint32_t from, uint64_t caller,
                         uint64_t function, uint64_t returns_to, bool is_region)
{
    const uint32_t found = find_child(paths, from, caller, function);
    if (found != 0)
        return found;
    const bool is_active = open_call_of(paths, from, function) != paths->root;
    const uint32_t made =
        add(paths, (struct call_path){
                       .path = {.parent = from,
                                .caller = caller,
                                .function = function,
                                .n_calls = is_active ? 0 : ARMPMU_PROFILE_NOT_COUNTED},
                       .returns_to = returns_to,
                       .n_active = paths->paths[from].n_active + !is_active,
                       .recurs = is_active,
                       .are_on = paths->paths[from].are_on,
                       .is_inside = paths->paths[from].is_inside || is_region,
                   });
    paths->is_lost |= made == from && is_region;
    return made;
}

/* Returns whether `inner` is `outer` or lies below it. */
static bool lies_in(const struct call_paths *paths, uint32_t inner, uint32_t outer)
{
    while (inner > outer && inner != paths->root)
        inner = paths->paths[inner].path.parent;
    return inner == outer;
}

static bool push(struct call_paths *paths, struct call_frame frame)
{
    return ARRAY_APPEND(paths->frames.at, paths->frames.n, paths->frames.room, frame);
}

/* The innermost recursive call of a function that is open in a path, with the same functions
 * active; the outermost path for none. */
static uint32_t same_call_of(const struct call_paths *paths, uint32_t path, uint64_t function)
{
    const uint32_t n_active = paths->paths[path].n_active;
    for (; path != paths->root && paths->paths[path].n_active == n_active;
         path = paths->paths[path].path.parent)
        if (paths->paths[path].path.function == function && paths->paths[path].recurs)
            return path;
    return paths->root;
}

/* Counts a call that is in the path `again`, by its own instruction. */
static void count_again(struct call_paths *paths, uint32_t from, uint32_t again, uint64_t caller)
{
    uint32_t counted = again;
    if (caller != paths->paths[again].path.caller) {
        counted = child_of(paths, from, caller, paths->paths[again].path.function, 0, false);
        counted = counted != from ? counted : again;
    }
    paths->paths[counted].path.n_calls += paths->paths[from].is_inside;
}

uint32_t call_paths_call(struct call_paths *paths, uint32_t from, uint64_t caller,
                         uint64_t function, uint64_t returns_to, bool is_region, bool *repeatable)
{
    const uint32_t again = same_call_of(paths, from, function);
    if (again != paths->root) {
        *repeatable = false;
        count_again(paths, from, again, caller);
        return push(paths, (struct call_frame){again, from, returns_to, false}) ? again : from;
    }
    const uint32_t child = child_of(paths, from, caller, function, returns_to, is_region);
    struct call_path *const called = &paths->paths[child];
    *repeatable &= child != from && !called->recurs;
    if (child != from && called->path.n_calls != ARMPMU_PROFILE_NOT_COUNTED)
        called->path.n_calls += called->is_inside;
    if (child != from && called->returns_to != returns_to)
        return push(paths, (struct call_frame){child, from, returns_to, false}) ? child : from;
    return child;
}

uint32_t call_paths_tail_call(struct call_paths *paths, uint32_t from, uint64_t caller,
                              uint64_t function)
{
    if (open_call_of(paths, from, function) != paths->root)
        return from;
    const struct call_path *const left = &paths->paths[from];
    return child_of(paths, left->path.parent, caller, function, left->returns_to, true);
}

/* Twins of the outermost path are its children by no call. */
static bool is_outermost(const struct call_paths *paths, uint32_t path)
{
    return path == 0 || (paths->paths[path].path.parent == 0 &&
                         paths->paths[path].path.function == ARMPMU_PROFILE_NO_FUNCTION);
}

static uint32_t root_of(struct call_paths *paths, uint32_t are_on)
{
    if (paths->paths[0].are_on == are_on)
        return 0;
    for (uint32_t i = paths->paths[0].first_child; i != 0; i = paths->paths[i].sibling)
        if (is_outermost(paths, i) && paths->paths[i].are_on == are_on)
            return i;
    return add(paths, (struct call_path){.path = {.function = ARMPMU_PROFILE_NO_FUNCTION},
                                         .are_on = are_on,
                                         .is_inside = are_on != 0});
}

uint32_t call_paths_twin(struct call_paths *paths, uint32_t path, uint32_t are_on)
{
    const struct call_path from = paths->paths[path];
    if (from.are_on == are_on)
        return path;
    const uint32_t to =
        is_outermost(paths, path)
            ? root_of(paths, are_on)
            : child_of(paths, call_paths_twin(paths, from.path.parent, are_on), from.path.caller,
                       from.path.function, from.returns_to, false);
    paths->is_lost |= paths->paths[to].are_on != are_on;
    return to;
}

/* The frame that a jump to an address from a path returns from, at least the outermost exception's;
 * n_frames for none. */
static size_t frame_of(const struct call_paths *paths, uint32_t from, uint64_t to)
{
    for (size_t i = paths->frames.n; i-- > 0 && !paths->frames.at[i].is_exception;)
        if (paths->frames.at[i].returns_to == to &&
            lies_in(paths, from, paths->frames.at[i].entered))
            return i;
    return paths->frames.n;
}

/* Frames of what was entered in a path and is left; the path itself, too, if it is. */
static void drop_frames(struct call_paths *paths, uint32_t path, bool is_left)
{
    const struct call_frames *const frames = &paths->frames;
    while (frames->n != 0 && !frames->at[frames->n - 1].is_exception &&
           (is_left || frames->at[frames->n - 1].entered != path) &&
           lies_in(paths, frames->at[frames->n - 1].entered, path))
        paths->frames.n--;
}

/* Returns whether a function that was called from a path returned, or would have, to an address. */
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
    size_t i = paths->frames.n;
    while (i-- > 0)
        if (paths->frames.at[i].is_exception)
            return i;
    return paths->frames.n;
}

/* Where a jump to an address leads that leaves calls of a path: the path of their caller.
 * NO_PATH if it leaves none. */
static uint32_t left_to(struct call_paths *paths, uint32_t from, uint64_t to, bool *repeatable)
{
    const size_t frame = frame_of(paths, from, to);
    if (frame != paths->frames.n) {
        *repeatable = false;
        paths->frames.n = frame;
        return paths->frames.at[frame].back;
    }
    for (uint32_t path = from; path != paths->root; path = paths->paths[path].path.parent) {
        if (paths->paths[path].returns_to == to) {
            drop_frames(paths, path, true);
            return paths->paths[path].path.parent;
        }
    }
    const bool in_handler = latest_exception(paths) != paths->frames.n;
    for (uint32_t path = from;; path = paths->paths[path].path.parent) {
        if (path == paths->root && in_handler) /* the outermost is not of the handler's */
            return NO_PATH;
        if (has_called(paths, path, to)) {
            *repeatable &= path == from;
            drop_frames(paths, path, false);
            return path;
        }
        if (path == paths->root)
            return NO_PATH;
    }
}

uint32_t call_paths_jump(struct call_paths *paths, uint32_t from, uint64_t to, bool *repeatable)
{
    struct call_jump *const known = &paths->jumps[(to >> 2 ^ from) % CALL_JUMPS];

    *repeatable &= !paths->paths[from].recurs;
    if (known->to == to && known->from == from && known->n_paths == paths->n_paths &&
        paths->frames.n == 0)
        return from;
    uint32_t path = left_to(paths, from, to, repeatable);
    if (path != NO_PATH)
        return path;
    const size_t n_frames = paths->frames.n;
    for (size_t i; path == NO_PATH && (i = latest_exception(paths)) != paths->frames.n;) {
        paths->frames.n = i;
        path = left_to(paths, paths->frames.at[i].back, to, repeatable);
    }
    if (path == NO_PATH) {
        paths->frames.n = n_frames;
        if (n_frames == 0)
            *known = (struct call_jump){to, from, (uint32_t)paths->n_paths};
        return from;
    }
    *repeatable = false;
    return path;
}

uint32_t call_paths_exception(struct call_paths *paths, uint32_t from, uint64_t function,
                              uint64_t resumes_at)
{
    const uint32_t handler = child_of(paths, paths->root, NO_CALLER, function, 0, false);
    return push(paths, (struct call_frame){handler, from, resumes_at, true}) ? handler : from;
}

/* Handlers do not return in the order they came in when a system switches between its tasks: the
 * newest frame with that address serves. Without one the handler returns to where no path is known:
 * to the latest that was interrupted. */
uint32_t call_paths_resume(struct call_paths *paths, uint32_t from, uint64_t to)
{
    size_t latest = paths->frames.n;
    for (size_t i = paths->frames.n; i-- > 0;) {
        if (!paths->frames.at[i].is_exception)
            continue;
        if (latest == paths->frames.n)
            latest = i;
        if (paths->frames.at[i].returns_to == to) {
            latest = i;
            break;
        }
    }
    if (latest == paths->frames.n)
        return from;
    paths->frames.n = latest;
    return paths->frames.at[latest].back;
}

/* ---- contexts ---- */

static bool make_root(struct call_paths *paths, uint32_t context)
{
    const size_t n = (size_t)context + 1;
    if (context >= CALL_CONTEXTS_MAX || paths->n_paths == NO_PATH ||
        !ARRAY_RESERVE(paths->paths, paths->paths_room, paths->n_paths + 1) ||
        !ARRAY_RESERVE(paths->contexts, paths->contexts_room, n))
        return false;
    const uint32_t root = (uint32_t)paths->n_paths++;
    paths->paths[root] = (struct call_path){.path = {.parent = root, .context = context},
                                            .are_on = paths->paths[0].are_on,
                                            .is_inside = paths->paths[0].is_inside};
    paths->n_contexts = n > paths->n_contexts ? n : paths->n_contexts;
    paths->contexts[context] =
        (struct call_context){.is_known = true, .root = root, .path = root, .n_paths = 1};
    return true;
}

uint32_t call_paths_switch(struct call_paths *paths, uint32_t from, uint32_t context)
{
    const bool is_known = context < paths->n_contexts && paths->contexts[context].is_known;
    if (context == paths->context)
        return from;
    if (!is_known && !make_root(paths, context))
        return NO_PATH;
    struct call_context *const left = &paths->contexts[paths->context],
                               *const now = &paths->contexts[context];
    left->path = from;
    left->frames = paths->frames;
    paths->frames = now->frames;
    now->frames = (struct call_frames){0};
    paths->context = context;
    paths->root = now->root;
    return now->path;
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
