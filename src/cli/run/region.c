#include "cli/run/region.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "profile/collect.h"

#define BETWEEN ".."
#define MARKED  "mark:"

/* A file where it was mapped, with the addresses in it that end a region. */
struct region_file {
    char *path;
    uint64_t start, bias;
    struct symbol_matches matches[2];
};

struct region_thread {
    uint32_t process, thread;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
};

/* ---- what is asked for ---- */

static enum armpmu_status read_end(struct region_end *end, const char *text, size_t n,
                                   struct armpmu_error *err)
{
    char *rest;

    if (n == 0)
        return ARMPMU_OK;
    end->name = strndup(text, n);
    if (end->name == NULL)
        return fail_no_memory(err, "a region");
    if (end->name[0] != '0' || (end->name[1] | 0x20) != 'x')
        return ARMPMU_OK;
    errno = 0;
    end->address = strtoull(end->name, &rest, 16) & ~UINT64_C(1);
    end->is_address = end->is_found = true;
    return errno == 0 && *rest == '\0'
               ? ARMPMU_OK
               : fail(err, ARMPMU_BAD_CONFIG, "--roi '%.60s': no address", end->name);
}

/* One end of a region that is marked in the program. */
static enum armpmu_status read_mark(struct region_end *end, const char *which, const char *name,
                                    struct armpmu_error *err)
{
    return asprintf(&end->name, SYMBOL_MARK "%s.%s", which, name) < 0
               ? fail_no_memory(err, "a region")
               : ARMPMU_OK;
}

static enum armpmu_status read_marks(struct region *region, const char *name,
                                     struct armpmu_error *err)
{
    if (name[0] == '\0')
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--roi '" MARKED "': no name: that of an ARMPMU_REGION_BEGIN in the program");
    const enum armpmu_status status = read_mark(&region->ends[0], "begin", name, err);
    return status == ARMPMU_OK ? read_mark(&region->ends[1], "end", name, err) : status;
}

static enum armpmu_status read_symbols(struct region *region, const char *roi,
                                       struct armpmu_error *err)
{
    const char *const between = strstr(roi, BETWEEN);
    const size_t first = between != NULL ? (size_t)(between - roi) : strlen(roi);
    const char *const second = between != NULL ? between + strlen(BETWEEN) : "";

    enum armpmu_status status = read_end(&region->ends[0], roi, first, err);
    if (status == ARMPMU_OK)
        status = read_end(&region->ends[1], second, strlen(second), err);
    if (status == ARMPMU_OK && region->ends[0].name == NULL && region->ends[1].name == NULL)
        status = fail(err, ARMPMU_BAD_CONFIG,
                      "--roi '%.60s': no symbol: a function, or two symbols with '..' between them",
                      roi);
    region->region.has_functions = between == NULL;
    region->region.begins_inside = first == 0;
    return status;
}

static enum armpmu_status read_roi(struct region *region, const char *roi, struct armpmu_error *err)
{
    const bool is_mark = strncmp(roi, MARKED, strlen(MARKED)) == 0;
    const enum armpmu_status status =
        is_mark ? read_marks(region, roi + strlen(MARKED), err) : read_symbols(region, roi, err);

    for (unsigned i = 0; i < 2; i++)
        if (region->ends[i].name != NULL)
            suggest_begin(&region->near[i], region->ends[i].name);
    return status;
}

enum armpmu_status region_open(struct region *region, const struct region_options *options,
                               const struct armpmu_machine *machine, bool has_intervals,
                               struct armpmu_error *err)
{
    const char *const roi = options->rois.n > 0 ? options->rois.values[0] : NULL;

    region->region.delay = interval_of(&options->delay, machine, &region->region.delay_clock);
    if (roi == NULL && region->region.delay == 0)
        return ARMPMU_OK;
    if (options->rois.n > 1)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "--roi '%.60s' and --roi '%.60s': one region is counted in a run; leave one out, "
            "and count the other in a run of its own",
            roi, options->rois.values[1]);
    if (roi != NULL && region->region.delay != 0)
        return fail(err, ARMPMU_BAD_CONFIG, "--roi and -D exclude each other; choose one");
    if (has_intervals)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "-I and %s do not go together: intervals are of the whole run; leave one out",
                    roi != NULL ? "--roi" : "-D");
    return roi != NULL ? read_roi(region, roi, err) : ARMPMU_OK;
}

void region_close(struct region *region)
{
    for (size_t i = 0; i < region->n_files; i++) {
        free(region->files[i].path);
        free(region->files[i].matches[0].addresses);
        free(region->files[i].matches[1].addresses);
    }
    free(region->files);
    free(region->threads);
    free(region->ends[0].name);
    free(region->ends[1].name);
    *region = (struct region){0};
}

/* ---- marks ---- */

static void offer(void *near, const char *name)
{
    suggest_offer(near, name, NULL);
}

/* Without memory, or where it cannot be read, a file has no symbols. */
static void search(struct region *region, struct region_file *file)
{
    struct armpmu_error unused;

    for (unsigned i = 0; i < 2; i++) {
        struct region_end *const end = &region->ends[i];
        if (end->name == NULL || end->is_address)
            continue;
        (void)!symbol_search(file->path, region->sysroot, end->name, &file->matches[i], offer,
                             &region->near[i], &unused);
        end->is_found |= file->matches[i].n != 0;
    }
}

/* NULL without memory. */
static const struct region_file *file_of(struct region *region, const struct collected_file *wanted)
{
    for (size_t i = region->n_files; i-- > 0;)
        if (region->files[i].start == wanted->start &&
            strcmp(region->files[i].path, wanted->path) == 0)
            return &region->files[i];
    if (!ARRAY_RESERVE(region->files, region->files_room, region->n_files + 1))
        return NULL;
    struct region_file *const made = &region->files[region->n_files];
    made->path = strdup(wanted->path);
    if (made->path == NULL)
        return NULL;
    region->n_files++;
    made->start = wanted->start;
    made->bias = wanted->is_fixed ? 0 : collected_file_bias(wanted);
    search(region, made);
    return made;
}

static bool is_end(const struct region *region, const struct region_file *file, unsigned i,
                   uint64_t address)
{
    const struct region_end *const end = &region->ends[i];

    if (end->name == NULL || end->is_address)
        return end->name != NULL && end->address == address;
    for (size_t n = 0; file != NULL && n < file->matches[i].n; n++)
        if (file->matches[i].addresses[n] + file->bias == address)
            return true;
    return false;
}

static enum armpmu_mark mark_in(struct region *region, const struct collected_file *wanted,
                                uint64_t address)
{
    const struct region_file *const file = wanted != NULL ? file_of(region, wanted) : NULL;

    if (is_end(region, file, 1, address))
        return ARMPMU_MARK_END;
    if (!is_end(region, file, 0, address))
        return ARMPMU_MARK_NONE;
    return region->region.has_functions ? ARMPMU_MARK_FUNCTION : ARMPMU_MARK_BEGIN;
}

enum armpmu_mark region_mark(struct region *region, const struct engine_file *file,
                             uint64_t address)
{
    if (file == NULL)
        return mark_in(region, NULL, address);
    const struct collected_file wanted = {
        .path = file->path, .start = file->start, .offset = file->offset};
    return mark_in(region, &wanted, address);
}

static enum armpmu_mark mark_of_firmware(void *user, uint64_t address, uint32_t file)
{
    struct region *const region = user;
    const struct collected_file program = {.path = region->program, .is_fixed = true};

    (void)file;
    return mark_in(region, &program, address);
}

/* An engine that knows files has its own, which calls region_mark. */
static enum armpmu_mark no_mark(void *user, uint64_t address, uint32_t file)
{
    (void)user, (void)address, (void)file;
    return ARMPMU_MARK_NONE;
}

static const struct armpmu_region *with_mark(struct region *region, armpmu_mark_fn mark)
{
    region->region.mark = region->region.delay == 0 ? mark : NULL;
    region->region.user = region;
    return region_is_given(region) ? &region->region : NULL;
}

const struct armpmu_region *region_of(struct region *region)
{
    return with_mark(region, no_mark);
}

const struct armpmu_region *region_of_firmware(struct region *region)
{
    return with_mark(region, mark_of_firmware);
}

/* ---- counts ---- */

static bool add_row(void *user, const struct armpmu_profile_row *row)
{
    struct region_thread *const thread = user;

    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        thread->signals[i] += row->signals[i];
    return true;
}

enum armpmu_status region_count(struct region *region, uint32_t process, uint32_t thread,
                                struct armpmu_sim *sim, struct armpmu_error *err)
{
    if (!ARRAY_RESERVE(region->threads, region->threads_room, region->n_threads + 1))
        return fail_no_memory(err, "a region");
    struct region_thread *const to = &region->threads[region->n_threads++];
    *to = (struct region_thread){.process = process, .thread = thread};
    return armpmu_sim_profile(sim, add_row, to, err);
}

static const uint64_t *counts_of(const struct region *region, const struct engine_thread *thread)
{
    static const uint64_t none[ARMPMU_SIGNAL_COUNT];

    for (size_t i = 0; i < region->n_threads; i++)
        if (region->threads[i].process == thread->process &&
            region->threads[i].thread == thread->thread)
            return region->threads[i].signals;
    return none;
}

void region_apply(struct region *region, struct run_result *result)
{
    memset(result->signals, 0, sizeof result->signals);
    for (size_t i = 0; i < result->n_threads; i++) {
        struct engine_thread *const thread = &result->threads[i];
        memcpy(thread->signals, counts_of(region, thread), sizeof thread->signals);
        for (unsigned s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
            result->signals[s] += thread->signals[s];
    }
    region->n_threads = 0;
}

enum armpmu_status region_check(const struct region *region, bool is_entered,
                                struct armpmu_error *err)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct region_end *const end = &region->ends[i];
        char near[SUGGEST_MAX * (SUGGEST_WORD_MAX + 8)];
        if (end->name == NULL || end->is_found)
            continue;
        if (strncmp(end->name, SYMBOL_MARK, strlen(SYMBOL_MARK)) == 0)
            return fail(err, ARMPMU_NOT_FOUND,
                        "--roi: no mark '%.100s' in '%.200s', nor in what it loaded: build it with "
                        "-DARMPMU_MARK, and do not strip it",
                        strchr(end->name + strlen(SYMBOL_MARK), '.') + 1, region->program);
        suggest_sentence(&region->near[i], near, sizeof near);
        return fail(err, ARMPMU_NOT_FOUND,
                    "--roi: no function '%.100s' in '%.200s', nor in what it loaded%s", end->name,
                    region->program, near);
    }
    if (!is_entered && region_is_given(region))
        return fail(err, ARMPMU_NOT_FOUND, "%s: the run ended before it, so nothing was counted",
                    region->region.delay != 0 ? "-D" : "--roi");
    return ARMPMU_OK;
}
