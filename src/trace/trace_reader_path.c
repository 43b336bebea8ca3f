/* Finds the call path of the next block, for a profile. */
#include <stdlib.h>

#include "base/error.h"
#include "trace/trace_reader_internal.h"

/* The branch at the end of a block was taken. */
static uint32_t after_branch(struct trace_reader *reader, const struct reader_entry *last,
                             const struct reader_entry *next, bool *repeatable)
{
    const struct insn *const insn = &last->code->insns[last->n_insns - 1];
    const uint64_t pc = last->start + insn->offset;
    const bool is_region = next->mark == ARMPMU_MARK_FUNCTION;
    const uint32_t from = reader->path;
    if (last->calls)
        return call_paths_call(&reader->paths, from, pc, next->start, last->fall_through, is_region,
                               repeatable);
    const uint32_t path =
        last->indirect ? call_paths_jump(&reader->paths, from, next->start, repeatable) : from;
    return is_region && path == from ? call_paths_tail_call(&reader->paths, path, pc, next->start)
                                     : path;
}

/* A user program's kernel continues at resumes_at, except with a signal handler; code that only
 * the engine knows (the kernel's helper page) returns. */
static uint32_t after_kernel(struct trace_reader *reader, uint64_t next)
{
    bool repeatable = false;
    if (next == reader->resumes_at)
        return reader->path;
    const uint32_t path = call_paths_jump(&reader->paths, reader->path, next, &repeatable);
    return path != reader->path
               ? path
               : call_paths_exception(&reader->paths, reader->path, next, reader->resumes_at);
}

static uint32_t after_last(struct trace_reader *reader, const struct reader_entry *last,
                           const struct reader_entry *next, bool *repeatable)
{
    const enum reader_mode mode = reader->mode;
    reader->mode = MODE_ON;
    switch (mode) {
    case MODE_ON:
        break;
    case MODE_BRANCH:
        return after_branch(reader, last, next, repeatable);
    case MODE_HANDLER:
        return call_paths_exception(&reader->paths, reader->path, next->start, reader->resumes_at);
    case MODE_RESUMED:
        return call_paths_resume(&reader->paths, reader->path, next->start);
    case MODE_KERNEL:
        return after_kernel(reader, next->start);
    }
    return reader->path;
}

/* The regions that are on in the next block, after one in that path. */
static uint32_t regions_at(const struct trace_reader *reader, uint32_t path,
                           const struct reader_entry *next)
{
    const uint32_t are_on = reader->paths.paths[path].are_on;
    const uint32_t region = UINT32_C(1) << ((unsigned)next->mark >> 2);
    if (reader->region.delay != 0)
        return !reader->is_delayed;
    if (((unsigned)next->mark & 3) == ARMPMU_MARK_BEGIN)
        return are_on | region;
    return ((unsigned)next->mark & 3) == ARMPMU_MARK_END ? are_on & ~region : are_on;
}

/* The path, or its twin, as the region has it. */
static uint32_t in_region(struct trace_reader *reader, uint32_t path,
                          const struct reader_entry *next, bool *repeatable)
{
    if (reader->is_delayed && reader->model->positions->retires_late)
        *repeatable = false; /* the delay may end with any block */
    return call_paths_twin(&reader->paths, path, regions_at(reader, reader->path, next));
}

/* Changes to the context that runs now, whose paths the way to the next block is of. A new context
 * begins with the function at that block. */
static void change_context(struct trace_reader *reader, const struct reader_entry *next)
{
    const size_t n_paths = reader->paths.n_paths;
    bool repeatable = true; /* not asked here */
    const uint32_t there = call_paths_switch(&reader->paths, reader->path, reader->context);
    if (there == UINT32_MAX) {
        reader->profile.lost = true;
        reader->context = reader->paths.context;
        return;
    }
    reader->path = there;
    if (reader->paths.n_paths == n_paths)
        return;
    reader->paths.paths[there].path.function = next->start;
    if (next->mark ==
        ARMPMU_MARK_FUNCTION) /* which handlers, below the outermost path, are not in */
        reader->path = call_paths_call(&reader->paths, there, 0, next->start, 0, true, &repeatable);
}

uint32_t reader_next_path(struct trace_reader *reader, const struct reader_entry *last,
                          const struct reader_entry *next, bool *repeatable)
{
    if (unlikely(reader->context != reader->paths.context)) {
        change_context(reader, next);
        *repeatable = false;
    }
    const uint32_t path =
        reader->has_calls ? after_last(reader, last, next, repeatable) : reader->paths.root;
    return reader->has_region && reader->context == 0 ? in_region(reader, path, next, repeatable)
                                                      : path;
}

/* Where an exception comes right after a branch, handlers return to what that one led to. */
void reader_branched(struct trace_reader *reader, const struct reader_entry *last, uint64_t to)
{
    const struct insn *const insn = &last->code->insns[last->n_insns - 1];
    bool repeatable = true; /* not asked here */
    if (!reader->has_calls || reader->has_region)
        return;
    if (last->returns_exception)
        reader->path = call_paths_resume(&reader->paths, reader->path, to);
    else if (last->calls)
        reader->path = call_paths_call(&reader->paths, reader->path, last->start + insn->offset, to,
                                       last->fall_through, false, &repeatable);
    else if (last->indirect)
        reader->path = call_paths_jump(&reader->paths, reader->path, to, &repeatable);
}

void reader_set_context(struct trace_reader *reader, uint32_t context)
{
    if (reader->profile.detail == ARMPMU_PROFILE_OFF)
        return;
    reader->context = context;
    reader->has_clones = true;
    reader->from = &reader->nowhere;
}

/* ---- a profile ---- */

enum armpmu_status trace_reader_set_profile(struct trace_reader *reader,
                                            enum armpmu_profile_detail detail,
                                            struct armpmu_error *err)
{
    reader->edges.are_kept = (detail & ARMPMU_PROFILE_EDGES) != 0;
    reader->watched |= reader->edges.are_kept ? UINTPTR_MAX : 0;
    detail &= ~(unsigned)ARMPMU_PROFILE_EDGES;
    reader->profile.detail = detail;
    reader->profile.n_signals = reader->model->n_signals;
    reader->has_clones = reader->has_calls = detail == ARMPMU_PROFILE_PATHS;
    if (detail != ARMPMU_PROFILE_OFF && !call_paths_init(&reader->paths))
        return fail_no_memory(err, "call paths");
    return ARMPMU_OK;
}

enum armpmu_status trace_reader_keep_accesses(struct trace_reader *reader, struct armpmu_error *err)
{
    reader->profile.accesses = calloc(1, sizeof *reader->profile.accesses);
    if (reader->profile.accesses == NULL)
        return fail_no_memory(err, "data accesses");
    reader->profile.accesses->paths = &reader->paths;
    reader->profile.accesses->n_signals = reader->model->n_signals;
    return ARMPMU_OK;
}

enum armpmu_status trace_reader_follow_blocks(struct trace_reader *reader, struct armpmu_error *err)
{
    reader->blocks = calloc(1, sizeof *reader->blocks);
    return reader->blocks != NULL ? ARMPMU_OK : fail_no_memory(err, "blocks of memory");
}

bool trace_reader_block_from(const struct trace_reader *reader, uint64_t address, uint64_t *call)
{
    const struct data_access_log *const log = reader->blocks;
    const struct mapped_block *const block =
        log != NULL ? block_map_find(&log->blocks, address) : NULL;

    if (block != NULL)
        *call = log->allocations[block->value - 1].returns_to;
    return block != NULL;
}

/* The function that allocates has not returned yet: its caller's path is the one around it. */
void reader_allocates(struct trace_reader *reader, uint64_t word)
{
    const uint32_t last = reader->has_calls && reader->last != NULL ? reader->last->path : 0;

    if (reader->blocks != NULL)
        access_log_allocation(reader->blocks, armpmu_record_system_bits(word),
                              word & ARMPMU_RECORD_ADDRESS, 0);
    if (reader->profile.accesses == NULL || reader->paths.paths == NULL)
        return;
    access_log_allocation(reader->profile.accesses, armpmu_record_system_bits(word),
                          word & ARMPMU_RECORD_ADDRESS, reader->paths.paths[last].path.parent);
}

const struct data_access_log *trace_reader_access_log(const struct trace_reader *reader)
{
    return reader->profile.accesses;
}

enum armpmu_status trace_reader_check_profile(const struct trace_reader *reader,
                                              struct armpmu_error *err)
{
    const struct data_access_log *const log = reader->profile.accesses;

    if (reader->profile.lost)
        return fail_no_memory(err, "a profile: some of it is missing");
    if (reader->paths.is_lost)
        return fail(err, ARMPMU_NO_MEMORY,
                    "the region has more call paths than the %u that fit: some of it is missing",
                    (unsigned)CALL_PATHS_LAST);
    if (log != NULL && log->table.lost)
        return fail_no_memory(err, "data accesses: some are missing");
    return ARMPMU_OK;
}

enum armpmu_status trace_reader_accesses(const struct trace_reader *reader,
                                         const struct armpmu_data_access **accesses, size_t *n,
                                         struct armpmu_error *err)
{
    const struct data_access_log *const log = reader->profile.accesses;

    *accesses = log != NULL ? log->table.rows : NULL;
    *n = log != NULL ? log->table.n : 0;
    return trace_reader_check_profile(reader, err);
}

/* Links to a path that is off lead to its twin now. */
static void end_delay(void *user, uint64_t interval)
{
    struct trace_reader *const reader = user;
    (void)interval;
    reader->is_delayed = false;
    reader->period = 0;
    reader->watched = reader->edges.are_kept ? UINTPTR_MAX : 0;
    reader->next_end = UINT64_MAX;
    reader_forget_exits(reader);
}

void trace_reader_set_region(struct trace_reader *reader, const struct armpmu_region *region)
{
    const bool is_on = region->delay == 0 &&
                       (region->has_functions || region->mark == NULL || region->begins_inside);
    reader->region = *region;
    reader->has_region = reader->has_clones = true;
    reader->has_calls |= region->has_functions;
    call_paths_begin(&reader->paths, is_on, is_on && !region->has_functions);
    if (region->delay == 0)
        return;
    reader->is_delayed = true;
    trace_reader_set_interval(reader, region->delay_clock, region->delay, end_delay, reader);
}

struct inside {
    const struct call_paths *paths;
    bool has_callers; /* what called into the region is wanted, too */
    armpmu_profile_fn call;
    void *user;
};

static bool call_inside(void *user, const struct armpmu_profile_row *row)
{
    static const uint64_t nothing[ARMPMU_SIGNAL_COUNT];
    const struct inside *const inside = user;
    const struct call_path *const path = &inside->paths->paths[row->path];
    struct armpmu_profile_row given = *row;
    given.regions = path->are_on;
    if (path->is_inside)
        return inside->call(inside->user, &given);
    given.signals = nothing;
    return !inside->has_callers || inside->call(inside->user, &given);
}

enum armpmu_status trace_reader_profile(const struct trace_reader *reader, armpmu_profile_fn call,
                                        void *user, struct armpmu_error *err)
{
    const enum armpmu_status status = trace_reader_check_profile(reader, err);
    if (status != ARMPMU_OK)
        return status;
    struct inside inside = {&reader->paths, reader->profile.detail == ARMPMU_PROFILE_PATHS, call,
                            user};
    return profile_rows_each(&reader->profile, call_inside, &inside, err);
}

void trace_reader_pack(struct trace_reader *reader)
{
    if (reader->profile.detail != ARMPMU_PROFILE_OFF && reader->model->pack_rows != NULL)
        reader->model->pack_rows(reader->core);
}

const struct armpmu_profile_edge *trace_reader_edges(const struct trace_reader *reader,
                                                     size_t *n_edges)
{
    *n_edges = reader->edges.n;
    return reader->edges.at;
}

const struct trace_counted *trace_reader_counted(const struct trace_reader *reader)
{
    return &reader->counted;
}

uint64_t trace_reader_helper_calls(const struct trace_reader *reader)
{
    return reader->n_helper_calls;
}

uint64_t trace_reader_system_calls(const struct trace_reader *reader, uint32_t number)
{
    return number < TRACE_READER_CALLS ? reader->n_system_calls[number] : 0;
}

const struct armpmu_profile_path *trace_reader_paths(struct trace_reader *reader, size_t *n_paths)
{
    return call_paths_list(&reader->paths, n_paths);
}
