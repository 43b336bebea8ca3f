/* The call path of the next block, and what a profile is told. */
#include "base/array.h"
#include "base/error.h"
#include "trace/trace_reader_internal.h"

/* The branch at the end of a block was taken. */
static uint32_t after_branch(struct trace_reader *reader, const struct reader_entry *last,
                             uint64_t next, bool *repeatable)
{
    const struct insn *const insn = &last->code->insns[last->n_insns - 1];
    if (insn->links)
        return call_paths_call(&reader->paths, last->path, last->start + insn->offset, next,
                               last->fall_through, repeatable);
    return last->indirect ? call_paths_jump(&reader->paths, last->path, next, repeatable)
                          : last->path;
}

/* A user program's kernel goes on at resumes_at, except with a signal handler; code that only the
 * engine knows (the kernel's helper page) returns. */
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
                           uint64_t next, bool *repeatable)
{
    const enum reader_way way = reader->way;
    reader->way = WAY_ON;
    switch (way) {
    case WAY_ON:
        break;
    case WAY_BRANCH:
        return after_branch(reader, last, next, repeatable);
    case WAY_HANDLER:
        return call_paths_exception(&reader->paths, reader->path, next, reader->resumes_at);
    case WAY_RESUMED:
        return call_paths_resume(&reader->paths, reader->path, next);
    case WAY_KERNEL:
        return after_kernel(reader, next);
    }
    return reader->path;
}

uint32_t reader_next_path(struct trace_reader *reader, const struct reader_entry *last,
                          uint64_t next, bool *repeatable)
{
    const uint32_t path = reader->profile.detail == ARMPMU_PROFILE_PATHS
                              ? after_last(reader, last, next, repeatable)
                              : reader->paths.root;
    if (likely(reader->context == reader->paths.context))
        return path;
    const uint32_t there = call_paths_switch(&reader->paths, path, reader->context);
    *repeatable = false;
    if (there != UINT32_MAX)
        return reader->path = there;
    reader->profile.lost = true;
    reader->context = reader->paths.context;
    return path;
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
    reader->profile.detail = detail;
    reader->has_clones = detail == ARMPMU_PROFILE_PATHS;
    if (detail != ARMPMU_PROFILE_OFF && !call_paths_init(&reader->paths))
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for call paths");
    return ARMPMU_OK;
}

enum armpmu_status trace_reader_profile(const struct trace_reader *reader, armpmu_profile_fn call,
                                        void *user, struct armpmu_error *err)
{
    if (reader->profile.lost)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for a profile: some of it is missing");
    return profile_rows_each(&reader->profile, call, user, err);
}

void trace_reader_pack(struct trace_reader *reader)
{
    if (reader->profile.detail != ARMPMU_PROFILE_OFF && reader->model->pack_rows != NULL)
        reader->model->pack_rows(reader->core);
}

const struct armpmu_profile_path *trace_reader_paths(struct trace_reader *reader, size_t *n_paths)
{
    return call_paths_list(&reader->paths, n_paths);
}
