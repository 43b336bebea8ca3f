/* callgrind's output: self costs by function, address and line, and inclusive costs by call.
 *
 * Addresses are those of the objects' files. Readers add a function's calls to its own cost. So
 * that the sum counts everything once however the function recurs, a cost belongs to the last of
 * the function's calls that are active, and the function's own cost to none of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/printable.h"
#include "export/export.h"
#include "export/frames.h"

/* All calls from an instruction to a function. */
struct callgrind_call {
    uint32_t caller, function, path; /* path: of whichever; its costs are what is added up */
    uint64_t n_calls;
};

struct callgrind_writer {
    const struct export_job *job;
    FILE *out;
    uint64_t *insn_sums; /* n_insns times n_events */
    uint64_t
        *path_sums;  /* n_paths times n_events: inclusive; then those of the call, in its path */
    uint32_t *insns; /* by function and address */
    struct callgrind_call *calls; /* by caller and function */
    size_t n_calls;
    bool *is_file_named, *is_function_named, *is_object_named;
};

/* ---- names: in full the first time, then by number ---- */

static void print_numbered(struct callgrind_writer *w, const char *key, uint32_t number,
                           bool *is_named, const char *name)
{
    fprintf(w->out, "%s=(%" PRIu32 ")", key, number + 1);
    if (!is_named[number]) {
        fputc(' ', w->out);
        printable_put(name, w->out);
        is_named[number] = true;
    }
    fputc('\n', w->out);
}

/* An unknown name has the number after the last. */
static void print_file(struct callgrind_writer *w, const char *key, uint32_t file)
{
    const struct profile *const p = w->job->profile;
    const bool is_known = file != PROFILE_NONE;

    print_numbered(w, key, is_known ? file : (uint32_t)p->n_files, w->is_file_named,
                   is_known ? p->files[file].path : "???");
}

static void print_object(struct callgrind_writer *w, const char *key, uint32_t object)
{
    const struct profile *const p = w->job->profile;
    const bool is_known = object != PROFILE_NONE;

    print_numbered(w, key, is_known ? object : (uint32_t)p->n_objects, w->is_object_named,
                   is_known ? p->objects[object].path : "???");
}

static void print_function(struct callgrind_writer *w, const char *key, uint32_t function)
{
    const struct profile *const p = w->job->profile;

    print_numbered(w, key, function != PROFILE_NONE ? function : (uint32_t)p->n_functions,
                   w->is_function_named, frames_function_name(p, function));
}

/* ---- functions ---- */

static uint32_t object_of(const struct profile *p, uint32_t function)
{
    return function != PROFILE_NONE ? p->functions[function].object : PROFILE_NONE;
}

/* The file of a function is that of its first instruction that the profile knows. */
static uint32_t *function_files(const struct callgrind_writer *w)
{
    const struct profile *const p = w->job->profile;
    uint32_t *const files = malloc((p->n_functions + 1) * sizeof *files);

    if (files == NULL)
        return NULL;
    memset(files, 0xff, (p->n_functions + 1) * sizeof *files);
    for (size_t i = 0; i < p->n_insns; i++) {
        const struct profile_insn *const insn = &p->insns[w->insns[i]];
        if (insn->function != PROFILE_NONE && files[insn->function] == PROFILE_NONE)
            files[insn->function] = frames_line(p, insn, 0).file;
    }
    return files;
}

static int by_function(const void *a, const void *b, void *profile)
{
    const struct profile *const p = profile;
    const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct profile_insn *const x = &p->insns[i], *const y = &p->insns[k];

    return ORDER(x->function, y->function, x->address, y->address, i, k);
}

/* ---- calls ---- */

static uint32_t caller_function(const struct profile *p, uint32_t path)
{
    return p->insns[p->paths[path].caller].function;
}

/* The innermost path from this one outwards that a function called; PROFILE_ROOT for none. */
static uint32_t last_call_by(const struct profile *p, uint32_t path, uint32_t function)
{
    while (path != PROFILE_ROOT &&
           (p->paths[path].caller == PROFILE_NONE || caller_function(p, path) != function))
        path = p->paths[path].parent;
    return path;
}

static void subtract(const struct callgrind_writer *w, uint32_t path, const uint64_t *sums)
{
    for (size_t i = 0; i < w->job->n_events && path != PROFILE_ROOT; i++)
        w->path_sums[path * w->job->n_events + i] -= sums[i];
}

/* Makes the inclusive cost of each path that of its call: less what is a cost of its caller's own
 * instructions or of a later call of its caller. Paths are in an order in which what is subtracted
 * is still inclusive. */
static bool count_once(const struct callgrind_writer *w)
{
    const struct profile *const p = w->job->profile;
    const size_t n = w->job->n_events;
    uint64_t *const own = export_new_sums(w->job, 1);

    for (uint32_t i = 1; i < p->n_paths && own != NULL; i++)
        if (p->paths[i].caller != PROFILE_NONE)
            subtract(w, last_call_by(p, p->paths[i].parent, caller_function(p, i)),
                     w->path_sums + i * n);
    for (size_t i = 0; i < p->n_rows && own != NULL; i++) {
        memset(own, 0, n * sizeof *own);
        export_add_row(w->job, &p->rows[i], own);
        subtract(w, last_call_by(p, p->rows[i].path, p->insns[p->rows[i].insn].function), own);
    }
    free(own);
    return own != NULL;
}

static void sum_paths(const struct callgrind_writer *w)
{
    const struct profile *const p = w->job->profile;
    const size_t n = w->job->n_events;

    for (size_t i = 0; i < p->n_rows; i++)
        export_add_row(w->job, &p->rows[i], w->path_sums + p->rows[i].path * n);
    for (size_t i = p->n_paths - 1; i > 0; i--)
        export_add(w->job, w->path_sums + p->paths[i].parent * n, w->path_sums + i * n);
}

static int by_caller(const void *a, const void *b)
{
    const struct callgrind_call *const x = a, *const y = b;

    return ORDER(x->caller, y->caller, x->function, y->function, x->path, y->path);
}

/* Makes one of the calls from an instruction to a function, whatever their paths. */
static void merge_calls(struct callgrind_writer *w)
{
    const size_t n = w->job->n_events;
    size_t last = 0;

    for (size_t i = 1; i < w->n_calls; i++) {
        struct callgrind_call *const to = &w->calls[last], *const from = &w->calls[i];
        if (to->caller != from->caller || to->function != from->function) {
            w->calls[++last] = *from;
            continue;
        }
        to->n_calls += from->n_calls;
        export_add(w->job, w->path_sums + to->path * n, w->path_sums + from->path * n);
    }
    w->n_calls = w->n_calls > 0 ? last + 1 : 0;
}

static void find_calls(struct callgrind_writer *w)
{
    const struct profile *const p = w->job->profile;

    for (uint32_t i = 1; i < p->n_paths; i++)
        if (p->paths[i].caller != PROFILE_NONE)
            w->calls[w->n_calls++] = (struct callgrind_call){
                p->paths[i].caller, p->paths[i].function, i, p->paths[i].n_calls};
    qsort(w->calls, w->n_calls, sizeof *w->calls, by_caller);
    merge_calls(w);
}

/* The first call from an instruction or a later one. */
static const struct callgrind_call *calls_from(const struct callgrind_writer *w, uint32_t insn)
{
    size_t low = 0, high = w->n_calls;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (w->calls[middle].caller < insn)
            low = middle + 1;
        else
            high = middle;
    }
    return w->calls + low;
}

/* ---- lines ---- */

static void print_position(const struct callgrind_writer *w, const struct profile_insn *insn)
{
    fprintf(w->out, "0x%" PRIx64 " %" PRIu32,
            export_file_address(w->job->profile, insn->object, insn->address), insn->line.line);
}

static uint64_t function_address(const struct profile *p, uint32_t function)
{
    return function == PROFILE_NONE ? 0
                                    : export_file_address(p, p->functions[function].object,
                                                          p->functions[function].address);
}

static void print_call(struct callgrind_writer *w, const struct callgrind_call *call,
                       const uint32_t *files)
{
    const struct profile *const p = w->job->profile;
    const struct profile_insn *const insn = &p->insns[call->caller];

    print_object(w, "cob", object_of(p, call->function));
    print_file(w, "cfi", call->function != PROFILE_NONE ? files[call->function] : PROFILE_NONE);
    print_function(w, "cfn", call->function);
    fprintf(w->out, "calls=%" PRIu64 " 0x%" PRIx64 " 0\n", call->n_calls,
            function_address(p, call->function));
    print_position(w, insn);
    export_print_sums(w->job, w->path_sums + call->path * w->job->n_events, w->out);
}

static void print_insn(struct callgrind_writer *w, uint32_t number, const uint32_t *files)
{
    print_position(w, &w->job->profile->insns[number]);
    export_print_sums(w->job, w->insn_sums + number * w->job->n_events, w->out);
    for (const struct callgrind_call *call = calls_from(w, number);
         call < w->calls + w->n_calls && call->caller == number; call++)
        print_call(w, call, files);
}

static void print_head(const struct export_job *job, FILE *out)
{
    const struct profile_setup *const setup = &job->profile->setup;

    fputs("# callgrind format\nversion: 1\ncreator: armpmu " ARMPMU_VERSION "\ncmd: ", out);
    printable_put(setup->command != NULL ? setup->command : "not known", out);
    fputs("\npart: 1\n\ndesc: Machine: ", out);
    printable_put(setup->machine != NULL ? setup->machine : "not known", out);
    fputs("\n\ndesc: Recursion: a call's cost is without its caller's own cost and later calls, so "
          "that a function's inclusive cost counts everything once",
          out);
    if (job->profile->setup.lacks_paths != PATHS_WHOLE)
        fprintf(out, "\n\ndesc: Call paths: %s", profile_lacks_paths(job->profile));
    fputs("\n\npositions: instr line", out);
    export_print_names(job, out);
    export_print_totals(job, "summary:", out);
}

static void print_functions(struct callgrind_writer *w, const uint32_t *files)
{
    const struct profile *const p = w->job->profile;
    uint32_t function = 0, file = PROFILE_NONE;

    for (size_t i = 0; i < p->n_insns; i++) {
        const struct profile_insn *const insn = &p->insns[w->insns[i]];
        if (i == 0 || insn->function != function) {
            function = insn->function;
            file = function != PROFILE_NONE ? files[function] : PROFILE_NONE;
            fputc('\n', w->out);
            print_object(w, "ob", object_of(p, function));
            print_file(w, "fl", file);
            print_function(w, "fn", function);
        }
        if (insn->line.file != file)
            print_file(w, "fi", file = insn->line.file);
        print_insn(w, w->insns[i], files);
    }
    export_print_totals(w->job, "\ntotals:", w->out);
}

/* ---- the whole ---- */

static bool init(struct callgrind_writer *w, const struct export_job *job, FILE *out)
{
    const struct profile *const p = job->profile;

    *w = (struct callgrind_writer){
        .job = job,
        .out = out,
        .insn_sums = export_sums_by_insn(job),
        .path_sums = export_new_sums(job, p->n_paths),
        .insns = calloc(p->n_insns + 1, sizeof *w->insns),
        .calls = calloc(p->n_paths, sizeof *w->calls),
        .is_file_named = calloc(p->n_files + 1, sizeof(bool)),
        .is_function_named = calloc(p->n_functions + 1, sizeof(bool)),
        .is_object_named = calloc(p->n_objects + 1, sizeof(bool)),
    };
    return w->insn_sums != NULL && w->path_sums != NULL && w->insns != NULL && w->calls != NULL &&
           w->is_file_named != NULL && w->is_function_named != NULL && w->is_object_named != NULL;
}

static void free_writer(struct callgrind_writer *w)
{
    free(w->insn_sums);
    free(w->path_sums);
    free(w->insns);
    free(w->calls);
    free(w->is_file_named);
    free(w->is_function_named);
    free(w->is_object_named);
}

static bool write_profile(struct callgrind_writer *w)
{
    const struct profile *const p = w->job->profile;

    for (uint32_t i = 0; i < p->n_insns; i++)
        w->insns[i] = i;
    qsort_r(w->insns, p->n_insns, sizeof *w->insns, by_function, (void *)p);
    sum_paths(w);
    uint32_t *const files = count_once(w) ? function_files(w) : NULL;
    if (files == NULL)
        return false;
    find_calls(w);
    print_head(w->job, w->out);
    print_functions(w, files);
    free(files);
    return true;
}

enum armpmu_status export_callgrind(const struct export_job *job, FILE *out,
                                    struct armpmu_error *err)
{
    struct callgrind_writer w;
    const bool done = init(&w, job, out) && write_profile(&w);

    free_writer(&w);
    return done ? ARMPMU_OK : export_no_memory(err);
}
