#include "profile/collect.h"
#include "profile/collect_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/elf_file.h"
#include "base/error.h"
#include "base/order.h"
#include "base/sparse.h"

/* Lists the events of each signal. False without memory. */
static bool list_events(struct profile_collection *collection)
{
    uint32_t n = 0;

    collection->sums = calloc(collection->n_events + 1, sizeof *collection->sums);
    collection->of_signals = malloc((collection->n_events * ARMPMU_EVENT_SIGNALS_MAX + 1) *
                                    sizeof *collection->of_signals);
    if (collection->sums == NULL || collection->of_signals == NULL)
        return false;
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        for (uint32_t i = 0; i < collection->n_events; i++)
            for (unsigned k = 0; k < collection->events[i]->n_signals; k++)
                if (collection->events[i]->signals[k] == signal)
                    collection->of_signals[n++] = i;
        collection->events_of[signal + 1] = n;
    }
    return true;
}

enum armpmu_status profile_collection_new(const struct armpmu_event *const *events, size_t n_events,
                                          bool has_paths, struct profile_collection **out,
                                          struct armpmu_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return fail_no_memory(err, "a profile");
    (*out)->events = events;
    (*out)->n_events = n_events;
    (*out)->has_paths = has_paths;
    if (list_events(*out))
        return ARMPMU_OK;
    profile_collection_free(*out);
    *out = NULL;
    return fail_no_memory(err, "a profile");
}

void profile_collection_free(struct profile_collection *collection)
{
    if (collection == NULL)
        return;
    for (size_t i = 0; i < collection->n_threads; i++) {
        free(collection->threads[i].paths);
        free(collection->threads[i].rows);
        free(collection->threads[i].counts);
        free(collection->threads[i].edges);
        free(collection->threads[i].accesses);
        free(collection->threads[i].allocations);
        free(collection->threads[i].allocated);
        free(collection->threads[i].allocation_numbers);
        free(collection->threads[i].path_numbers);
        free(collection->threads[i].insn_numbers);
        free(collection->threads[i].tasks);
    }
    free(collection->threads);
    for (size_t i = 0; i < collection->n_contexts; i++)
        free(collection->contexts[i].name);
    for (size_t i = 0; i < ARMPMU_MISS_CACHES; i++)
        armpmu_miss_map_free(collection->misses[i]);
    ARRAY_FREE_EACH(collection->task_names, collection->task_names_room);
    free(collection->contexts);
    free(collection->edges);
    free(collection->sums);
    free(collection->of_signals);
    free(collection);
}

/* ---- of a core model ---- */

/* Adds up events: most signals of a row are zero. */
static void add_up(const struct profile_collection *collection, const uint64_t *signals)
{
    SPARSE_EACH(i, signals, ARMPMU_SIGNAL_COUNT)
    for (uint32_t k = collection->events_of[i]; k < collection->events_of[i + 1]; k++)
        collection->sums[collection->of_signals[k]] += signals[i];
}

/* False without memory. */
static bool add_row(const struct profile_collection *collection, struct collected_thread *thread,
                    const struct armpmu_profile_row *row, uint32_t file)
{
    const uint32_t n_events = (uint32_t)collection->n_events;
    const size_t at = thread->n_counts;

    if (!ARRAY_ROOM(thread->rows, thread->rows_room, thread->n_rows + 1) ||
        !ARRAY_ROOM(thread->counts, thread->counts_room, at + collection->n_events))
        return false;
    add_up(collection, row->signals);
    SPARSE_EACH(i, collection->sums, n_events)
    {
        thread->counts[thread->n_counts++] = (struct profile_count){i, collection->sums[i]};
        collection->sums[i] = 0;
    }
    thread->rows[thread->n_rows++] = (struct collected_row){
        .address = row->address,
        .retired = row->signals[ARMPMU_SIGNAL_INST_RETIRED],
        .counts_at = at,
        .n_counts = (uint32_t)(thread->n_counts - at),
        .path = row->path,
        .file = file,
        .isa = (uint8_t)row->isa,
        .n_bytes = row->n_bytes,
        .bytes = {row->bytes[0], row->bytes[1], row->bytes[2], row->bytes[3]},
    };
    return true;
}

struct collecting {
    const struct profile_collection *collection;
    struct collected_thread *thread;
    uint32_t file; /* of all rows; 0: as they say */
    bool is_out_of_memory;
};

static bool take_row(void *user, const struct armpmu_profile_row *row)
{
    struct collecting *const to = user;
    const uint32_t file = to->file != 0 && row->n_bytes != 0 ? to->file : row->file;

    to->is_out_of_memory = !add_row(to->collection, to->thread, row, file);
    return !to->is_out_of_memory;
}

static bool take_paths_and_edges(struct collected_thread *thread, const struct armpmu_sim *sim)
{
    size_t n, n_edges;
    const struct armpmu_profile_edge *const edges = armpmu_sim_profile_edges(sim, &n_edges);
    for (size_t i = 0; i < n_edges; i++)
        if (!collect_edge(thread, &edges[i]))
            return false;
    const struct armpmu_profile_path *const paths = armpmu_sim_profile_paths(sim, &n);
    thread->paths = paths != NULL ? malloc(n * sizeof *paths) : NULL;
    if (thread->paths == NULL)
        return false;
    memcpy(thread->paths, paths, n * sizeof *paths);
    thread->n_paths = n;
    return true;
}

enum armpmu_status profile_collect(struct profile_collection *collection, uint32_t process,
                                   uint32_t thread, struct armpmu_sim *sim, uint32_t file,
                                   struct armpmu_error *err)
{
    if (!ARRAY_RESERVE(collection->threads, collection->threads_room, collection->n_threads + 1))
        return fail_no_memory(err, "the profile of a thread");
    struct collected_thread *const to = &collection->threads[collection->n_threads++];
    *to = (struct collected_thread){.process = process, .thread = thread};
    struct collecting collecting = {collection, to, file, false};
    profile_collect_misses(collection, sim);
    enum armpmu_status status = collect_accesses(collection, to, sim, err);
    if (status == ARMPMU_OK)
        status = armpmu_sim_profile(sim, take_row, &collecting, err);
    if (status != ARMPMU_OK)
        return status;
    if (collecting.is_out_of_memory || !take_paths_and_edges(to, sim))
        return fail_no_memory(err, "the profile of a thread");
    return ARMPMU_OK;
}

bool profile_collection_has_run(const struct profile_collection *collection)
{
    for (size_t i = 0; i < collection->n_threads; i++)
        for (size_t row = 0; row < collection->threads[i].n_rows; row++)
            if (collection->threads[i].rows[row].retired != 0)
                return true;
    return false;
}

/* ---- of a system ---- */

enum armpmu_status profile_collect_task(struct profile_collection *collection,
                                        const struct collected_task *task, struct armpmu_error *err)
{
    const size_t n = collection->n_contexts;
    char *const name = strdup(task->name);

    if (name == NULL || !ARRAY_RESERVE(collection->contexts, collection->contexts_room, n + 1)) {
        free(name);
        return fail_no_memory(err, "the tasks of a profile");
    }
    collection->contexts[n] =
        (struct collected_context){.process = task->process, .thread = task->thread, .name = name};
    collection->n_contexts++;
    return ARMPMU_OK;
}

/* The thread of a processor; NULL without memory. */
static struct collected_thread *thread_of(struct profile_collection *collection, unsigned cpu)
{
    collection->is_system = true;
    for (size_t i = 0; i < collection->n_threads; i++)
        if (collection->threads[i].thread == cpu)
            return &collection->threads[i];
    if (!ARRAY_RESERVE(collection->threads, collection->threads_room, collection->n_threads + 1))
        return NULL;
    collection->threads[collection->n_threads] = (struct collected_thread){.thread = cpu};
    return &collection->threads[collection->n_threads++];
}

enum armpmu_status profile_collect_path(struct profile_collection *collection, unsigned cpu,
                                        const struct armpmu_profile_path *path,
                                        struct armpmu_error *err)
{
    struct collected_thread *const to = thread_of(collection, cpu);

    if (to == NULL || !ARRAY_APPEND(to->paths, to->n_paths, to->paths_room, *path))
        return fail_no_memory(err, "call paths");
    return ARMPMU_OK;
}

enum armpmu_status profile_collect_row(struct profile_collection *collection, unsigned cpu,
                                       const struct armpmu_profile_row *row,
                                       struct armpmu_error *err)
{
    struct collected_thread *const to = thread_of(collection, cpu);

    if (to == NULL || !add_row(collection, to, row, row->file))
        return fail_no_memory(err, "the profile of a processor");
    return ARMPMU_OK;
}

enum armpmu_status profile_collect_edge(struct profile_collection *collection, unsigned cpu,
                                        const struct armpmu_profile_edge *edge,
                                        struct armpmu_error *err)
{
    struct collected_thread *const to = thread_of(collection, cpu);

    return to != NULL && collect_edge(to, edge) ? ARMPMU_OK
                                                : fail_no_memory(err, "the branches of a profile");
}

enum armpmu_status profile_collect_access(struct profile_collection *collection, unsigned cpu,
                                          const struct armpmu_data_access *access,
                                          const char *latency, struct armpmu_error *err)
{
    struct collected_thread *const to = thread_of(collection, cpu);

    collection->access_latency = latency;
    return to != NULL && ARRAY_APPEND(to->accesses, to->n_accesses, to->accesses_room, *access)
               ? ARMPMU_OK
               : fail_no_memory(err, "data accesses");
}

/* ---- to a profile ---- */

struct filling {
    struct profile *profile;
    const struct collected_file *files;
    size_t n_files;
    uint32_t *objects; /* by number of the file; PROFILE_NONE: not known yet */
    struct profile_collection *collection;
};

uint64_t collected_file_bias(const struct collected_file *file)
{
    struct elf_file elf;
    struct armpmu_error err;
    uint64_t bias = file->start - file->offset;
    Elf64_Phdr segment;

    if (elf_file_open(file->path, "", &elf, &err) == ARMPMU_OK)
        for (unsigned i = 0; i < elf.n_segments; i++)
            if (elf_file_segment(&elf, i, &segment) && segment.p_type == PT_LOAD &&
                (segment.p_flags & PF_X) != 0 &&
                file->offset >= (segment.p_offset & ~UINT64_C(0xfff)) &&
                file->offset < segment.p_offset + segment.p_filesz)
                bias = file->start - file->offset - (segment.p_vaddr - segment.p_offset);
    elf_file_close(&elf);
    return bias;
}

static enum armpmu_status object_of(struct filling *to, uint32_t file, uint32_t *object,
                                    struct armpmu_error *err)
{
    *object = PROFILE_NONE;
    if (file == 0 || file > to->n_files || to->files[file - 1].path == NULL)
        return ARMPMU_OK;
    *object = to->objects[file - 1];
    if (*object != PROFILE_NONE)
        return ARMPMU_OK;
    const struct collected_file *const known = &to->files[file - 1];
    const struct profile_object made = {
        .path = known->path,
        .bias = known->is_fixed ? known->bias : collected_file_bias(known),
        .offset = known->is_fixed ? 0 : known->start - known->offset,
    };
    const enum armpmu_status status = profile_add_object(to->profile, &made, object, err);
    to->objects[file - 1] = *object;
    return status;
}

static enum armpmu_status add_insns(struct filling *to, struct collected_thread *thread,
                                    struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    for (size_t i = 0; i < thread->n_rows && status == ARMPMU_OK; i++) {
        const struct collected_row *const row = &thread->rows[i];
        struct profile_insn insn = {
            .address = row->address,
            .function = PROFILE_NONE,
            .line = {PROFILE_NONE, 0},
            .isa = row->isa,
            .n_bytes = row->n_bytes,
            .bytes = {row->bytes[0], row->bytes[1], row->bytes[2], row->bytes[3]},
        };
        status = object_of(to, row->file, &insn.object, err);
        if (status == ARMPMU_OK)
            status = profile_add_insn(to->profile, &insn, &thread->insn_numbers[i], err);
    }
    return status;
}

static int by_context_and_address(const void *a, const void *b)
{
    const struct by_address *x = a, *y = b;
    return ORDER(x->context, y->context, x->address, y->address, x->path, y->path, x->row, y->row);
}

static struct by_address *sort_rows(const struct collected_thread *thread)
{
    struct by_address *sorted = malloc(thread->n_rows * sizeof *sorted + 1);
    if (sorted == NULL)
        return NULL;
    for (size_t i = 0; i < thread->n_rows; i++) {
        const struct collected_row *const row = &thread->rows[i];
        sorted[i] =
            (struct by_address){row->address, thread->paths[row->path].context, row->path, i};
    }
    qsort(sorted, thread->n_rows, sizeof *sorted, by_context_and_address);
    return sorted;
}

size_t first_row_at(const struct by_address *sorted, size_t n, uint32_t context, uint64_t address,
                    uint32_t path)
{
    const struct by_address wanted = {address, context, path, 0};
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_context_and_address(&sorted[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && sorted[low].context == context && sorted[low].address == address ? low : n;
}

/* How often the instruction at an address ran in a path. */
static uint64_t retired_at(const struct collected_thread *thread, const struct by_address *sorted,
                           uint64_t address, uint32_t path)
{
    const size_t n_rows = thread->n_rows;
    const uint32_t context = thread->paths[path].context;
    uint64_t n = 0;
    for (size_t i = first_row_at(sorted, n_rows, context, address, path);
         i < n_rows && sorted[i].address == address && sorted[i].path == path; i++)
        n += thread->rows[sorted[i].row].retired;
    return n;
}

/* How often a path was entered. A function may loop to its first instruction, an instruction may
 * call several functions: the fewer of both are the calls. Handlers have no caller; one outside of
 * a region has no counts. */
static uint64_t calls_of(const struct collected_thread *thread, const struct by_address *sorted,
                         uint32_t number)
{
    const struct armpmu_profile_path *const path = &thread->paths[number];
    if (path->n_calls != ARMPMU_PROFILE_NOT_COUNTED)
        return path->n_calls;
    const uint64_t entered = retired_at(thread, sorted, path->function, number),
                   called = retired_at(thread, sorted, path->caller, path->parent);
    const bool has_caller = path->caller != 0 && called != 0 && !path->is_merged;
    return has_caller && called < entered ? called : entered;
}

/* The function that begins at an address that was called; insn: the instruction there,
 * PROFILE_NONE if it never ran. */
static enum armpmu_status function_at(struct profile *profile, uint64_t address, uint32_t insn,
                                      uint32_t *function, struct armpmu_error *err)
{
    const struct profile_function made = {
        .object = insn != PROFILE_NONE ? profile->insns[insn].object : PROFILE_NONE,
        .address = address,
    };
    return profile_add_function(profile, &made, function, err);
}

static enum armpmu_status add_path(struct profile *profile, struct collected_thread *thread,
                                   const struct by_address *sorted, uint32_t number,
                                   struct armpmu_error *err)
{
    const struct armpmu_profile_path *const path = &thread->paths[number];
    if (path->function == ARMPMU_PROFILE_NO_FUNCTION) {
        thread->path_numbers[number] = thread->path_numbers[path->parent];
        return ARMPMU_OK;
    }
    const size_t n = thread->n_rows,
                 caller = first_row_at(sorted, n, path->context, path->caller, 0),
                 callee = first_row_at(sorted, n, path->context, path->function, 0);
    struct profile_path made = {
        .parent = thread->path_numbers[path->parent],
        .caller = caller < n ? thread->insn_numbers[sorted[caller].row] : PROFILE_NONE,
        .n_calls = calls_of(thread, sorted, number),
    };
    const enum armpmu_status status = function_at(
        profile, path->function,
        callee < n ? thread->insn_numbers[sorted[callee].row] : PROFILE_NONE, &made.function, err);
    if (status != ARMPMU_OK)
        return status;
    return profile_add_path(profile, &made, &thread->path_numbers[number], err);
}

/* Raises *lack to what a context lacks. */
static enum armpmu_status find_lack(const struct collected_thread *thread, enum profile_lack *lack,
                                    struct armpmu_error *err)
{
    uint32_t last = 0;

    for (size_t i = 0; i < thread->n_paths; i++)
        last = thread->paths[i].context > last ? thread->paths[i].context : last;
    uint32_t *const n_paths = calloc((size_t)last + 1, sizeof *n_paths);
    if (n_paths == NULL)
        return fail_no_memory(err, "call paths");
    for (size_t i = 0; i < thread->n_paths; i++) {
        if (++n_paths[thread->paths[i].context] >= ARMPMU_PROFILE_PATHS_LAST)
            *lack = PATHS_LOST;
        else if (thread->paths[i].is_merged && *lack == PATHS_WHOLE)
            *lack = PATHS_MERGED;
    }
    free(n_paths);
    return ARMPMU_OK;
}

/* Without has_paths all numbers of paths stay that of the outermost. */
static enum armpmu_status add_paths(const struct filling *to, struct collected_thread *thread,
                                    struct armpmu_error *err)
{
    const bool has_paths = to->collection->has_paths;
    if (!has_paths && thread->n_edges == 0)
        return ARMPMU_OK;
    struct by_address *const sorted = sort_rows(thread);
    enum armpmu_status status = sorted == NULL || !number_edges(to->collection, thread, sorted)
                                    ? fail_no_memory(err, "call paths")
                                    : ARMPMU_OK;

    if (status == ARMPMU_OK && has_paths)
        status = find_lack(thread, &to->profile->setup.lacks_paths, err);
    for (uint32_t i = 1; i < thread->n_paths && has_paths && status == ARMPMU_OK; i++)
        if (thread->paths[i].parent != i)
            status = add_path(to->profile, thread, sorted, i, err);
    free(sorted);
    return status;
}

uint32_t context_thread(const struct profile_collection *collection,
                        const struct collected_thread *thread, uint32_t own, uint32_t context)
{
    return context == 0            ? own
           : thread->tasks != NULL ? thread->tasks[context]
                                   : collection->contexts[context - 1].number;
}

/* own: the thread in the profile of context 0. */
static enum armpmu_status add_rows(const struct filling *to, uint32_t own,
                                   struct collected_thread *thread, struct armpmu_error *err)
{
    uint32_t first;
    enum armpmu_status status =
        profile_take_counts(to->profile, &thread->counts, thread->n_counts, &first, err);
    for (size_t i = 0; i < thread->n_rows && status == ARMPMU_OK; i++) {
        const struct collected_row *const row = &thread->rows[i];
        const uint32_t context = thread->paths[row->path].context;
        const struct profile_row added = {
            .thread = context_thread(to->collection, thread, own, context),
            .path = thread->path_numbers[row->path],
            .insn = thread->insn_numbers[i],
            .first_count = first + (uint32_t)row->counts_at,
            .n_counts = row->n_counts,
        };
        status = profile_add_counts(to->profile, &added, err);
    }
    return status;
}

static int by_identity(const void *a, const void *b)
{
    const struct collected_thread *x = a, *y = b;
    return ORDER(x->process, y->process, x->thread, y->thread);
}

/* Each task of firmware but the first is another thread of the profile. */
static enum armpmu_status add_tasks(struct profile *profile, struct collected_thread *thread,
                                    struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    for (uint32_t i = 1; i < thread->n_paths && status == ARMPMU_OK; i++) {
        const uint32_t context = thread->paths[i].context;
        if (thread->paths[i].parent != i || context == 0)
            continue;
        if (thread->tasks == NULL)
            thread->tasks = calloc(thread->n_paths, sizeof *thread->tasks);
        if (thread->tasks == NULL)
            return fail_no_memory(err, "the tasks of a profile");
        const struct profile_thread made = {thread->process, thread->thread + context, NULL};
        status = profile_add_thread(profile, &made, &thread->tasks[context], err);
    }
    return status;
}

/* The number of the file of the program that a thread executes: the first that was loaded, but for
 * libraries and what is no file; 0 for none. */
static uint32_t program_of(const struct filling *to, const struct collected_thread *thread)
{
    uint32_t first = 0;

    for (size_t i = 0; i < thread->n_rows; i++) {
        const uint32_t file = thread->rows[i].file;
        const char *const path = file != 0 && file <= to->n_files ? to->files[file - 1].path : NULL;
        if (path != NULL && path[0] == '/' && strstr(path, ".so") == NULL &&
            (first == 0 || file < first))
            first = file;
    }
    return first;
}

/* name and first: of the program that was started; a process that executes another program has that
 * one's name. */
static const char *name_of_thread(const struct filling *to, const struct collected_thread *thread,
                                  const char *name, uint32_t first)
{
    const uint32_t other = program_of(to, thread);

    return first == 0 || other == 0 || first == other ? name
                                                      : strrchr(to->files[other - 1].path, '/') + 1;
}

static enum armpmu_status add_thread(struct filling *to, struct collected_thread *thread,
                                     const char *name, struct armpmu_error *err)
{
    const struct profile_thread made = {thread->process, thread->thread, name};
    uint32_t number;

    thread->path_numbers = calloc(thread->n_paths + 1, sizeof *thread->path_numbers);
    thread->insn_numbers = calloc(thread->n_rows + 1, sizeof *thread->insn_numbers);
    if (thread->path_numbers == NULL || thread->insn_numbers == NULL)
        return fail_no_memory(err, "a profile");
    enum armpmu_status status = add_insns(to, thread, err);
    if (status == ARMPMU_OK)
        status = profile_add_thread(to->profile, &made, &number, err);
    if (status == ARMPMU_OK && to->collection->contexts == NULL)
        status = add_tasks(to->profile, thread, err);
    if (status == ARMPMU_OK)
        status = add_paths(to, thread, err);
    if (status == ARMPMU_OK)
        status = add_rows(to, number, thread, err);
    to->profile->setup.access_latency = to->collection->access_latency;
    return status == ARMPMU_OK ? fill_accesses(to->collection, thread, number, to->profile, err)
                               : status;
}

static int by_task(const void *a, const void *b)
{
    const struct collected_context *const *x = a, *const *y = b;
    return ORDER((*x)->process, (*y)->process, (*x)->thread, (*y)->thread, (uintptr_t)*x,
                 (uintptr_t)*y);
}

/* A thread of the profile for each task, in order of their numbers. */
static enum armpmu_status add_contexts(const struct profile_collection *collection,
                                       struct profile *profile, struct armpmu_error *err)
{
    const size_t n = collection->n_contexts;
    struct collected_context **const sorted = malloc(n * sizeof *sorted + 1);
    enum armpmu_status status = sorted != NULL ? ARMPMU_OK : fail_no_memory(err, "a profile");

    for (size_t i = 0; i < n && status == ARMPMU_OK; i++)
        sorted[i] = &collection->contexts[i];
    if (n != 0 && status == ARMPMU_OK)
        qsort(sorted, n, sizeof *sorted, by_task);
    for (size_t i = 0; i < n && status == ARMPMU_OK; i++) {
        const struct profile_thread made = {sorted[i]->process, sorted[i]->thread, sorted[i]->name};
        status = profile_add_thread(profile, &made, &sorted[i]->number, err);
    }
    free(sorted);
    return status;
}

enum armpmu_status profile_collection_fill(struct profile_collection *collection,
                                           const struct collected_file *files, size_t n_files,
                                           const char *name, struct profile *profile,
                                           struct armpmu_error *err)
{
    struct filling to = {profile, files, n_files, malloc(n_files * sizeof *to.objects + 1),
                         collection};

    if (to.objects == NULL)
        return fail_no_memory(err, "a profile");
    enum armpmu_status status = add_contexts(collection, profile, err);
    memset(to.objects, 0xff, n_files * sizeof *to.objects);
    if (collection->n_threads != 0)
        qsort(collection->threads, collection->n_threads, sizeof *collection->threads, by_identity);
    const uint32_t first =
        collection->n_threads != 0 ? program_of(&to, &collection->threads[0]) : 0;
    for (size_t i = 0; i < collection->n_threads && status == ARMPMU_OK; i++) {
        char processor[16];
        snprintf(processor, sizeof processor, "CPU%u", collection->threads[i].thread);
        status = add_thread(&to, &collection->threads[i],
                            collection->is_system
                                ? processor
                                : name_of_thread(&to, &collection->threads[i], name, first),
                            err);
    }
    free(to.objects);
    if (status == ARMPMU_OK)
        status = fill_edges(collection, profile, err);
    if (status == ARMPMU_OK)
        status = find_latest_blocks(collection, profile, err);
    return status == ARMPMU_OK ? profile_fill_misses(collection, profile, err) : status;
}

bool profile_collection_name_task(struct profile_collection *collection, uint32_t context,
                                  const char *name)
{
    if (!ARRAY_RESERVE(collection->task_names, collection->task_names_room, context + (size_t)1))
        return false;
    if (collection->task_names[context] == NULL)
        collection->task_names[context] = strdup(name);
    return collection->task_names[context] != NULL;
}

/* The task of a row at a function that it begins with. */
static void name_by_function(const struct collected_thread *thread, size_t row,
                             struct profile *profile)
{
    const uint32_t function = profile->insns[thread->insn_numbers[row]].function;
    uint32_t path = thread->rows[row].path;

    while (thread->paths[path].parent != path)
        path = thread->paths[path].parent;
    if (path != 0 && function != PROFILE_NONE &&
        thread->paths[path].function == thread->rows[row].address)
        profile->threads[thread->tasks[thread->paths[path].context]].name =
            profile->functions[function].name;
}

/* The names that the firmware has; context 0 started them. */
static enum armpmu_status set_names(const struct profile_collection *collection,
                                    const struct collected_thread *thread, struct profile *profile,
                                    struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t path = 1; path < thread->n_paths && status == ARMPMU_OK; path++) {
        const uint32_t context = thread->paths[path].context;
        if (context == 0 || thread->paths[path].parent != path ||
            context >= collection->task_names_room || collection->task_names[context] == NULL)
            continue;
        const char **const name = &profile->threads[thread->tasks[context]].name;
        *name = collection->task_names[context];
        status = profile_own_text(profile, name, err);
    }
    return status;
}

enum armpmu_status profile_collection_name_tasks(const struct profile_collection *collection,
                                                 struct profile *profile, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < collection->n_threads && status == ARMPMU_OK; i++) {
        const struct collected_thread *const thread = &collection->threads[i];
        if (thread->tasks == NULL)
            continue;
        for (size_t row = 0; row < thread->n_rows; row++)
            name_by_function(thread, row, profile);
        status = set_names(collection, thread, profile, err);
    }
    return status;
}
