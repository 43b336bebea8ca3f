#include "cli/run/region.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"
#include "profile/collect.h"

#define BETWEEN ".."
#define MARKED  "mark:"

/* The place in a file of a mark, of a region by number. */
struct region_mark_at {
    uint64_t address;
    enum armpmu_mark mark;
};

/* A file where it was mapped, with the addresses in it that end a region, or all marks. */
struct region_file {
    char *path;
    uint64_t start, bias;
    struct symbol_matches matches[2];
    struct region_mark_at *marks;
    size_t n_marks, marks_room;
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
    region->all_marks = options->all_marks;
    if (roi == NULL && region->region.delay == 0 && !region->all_marks)
        return ARMPMU_OK;
    if (region->all_marks && (roi != NULL || region->region.delay != 0))
        return fail(err, ARMPMU_BAD_CONFIG, "--regions counts all marked regions; leave %s out",
                    roi != NULL ? "--roi" : "-D");
    if (options->rois.n > 1)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--roi '%.60s' and --roi '%.60s': a run counts one region; leave one out, and "
                    "count it in another run",
                    roi, options->rois.values[1]);
    if (roi != NULL && region->region.delay != 0)
        return fail(err, ARMPMU_BAD_CONFIG, "--roi and -D exclude each other; choose one");
    if (has_intervals)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "-I and %s exclude each other: intervals cover the whole run; leave one out",
                    region->all_marks ? "--regions"
                    : roi != NULL     ? "--roi"
                                      : "-D");
    return roi != NULL ? read_roi(region, roi, err) : ARMPMU_OK;
}

void region_close(struct region *region)
{
    for (size_t i = 0; i < region->n_files; i++) {
        free(region->files[i].path);
        free(region->files[i].matches[0].addresses);
        free(region->files[i].matches[1].addresses);
        free(region->files[i].marks);
    }
    for (size_t i = 0; i < region->n_marked; i++)
        free(region->marked[i].name);
    free(region->marked);
    free(region->files);
    free(region->threads);
    free(region->ends[0].name);
    free(region->ends[1].name);
    *region = (struct region){0};
}

/* ---- marks ---- */

static void offer(void *near, const char *name, uint64_t address)
{
    (void)address;
    suggest_offer(near, name, NULL);
}

/* The number of a region, that it gets with its first mark; ARMPMU_REGIONS_MAX where it has none.
 */
static size_t number_of(struct region *region, const char *name, size_t n)
{
    char *const raw = strndup(name, n), *own = raw != NULL ? printable_copy(raw) : NULL;
    size_t number = 0;

    free(raw);
    while (own != NULL && number < region->n_marked &&
           strcmp(region->marked[number].name, own) != 0)
        number++;
    if (own == NULL ||
        !ARRAY_RESERVE(region->marked, region->marked_room, (size_t)ARMPMU_REGIONS_MAX)) {
        region->lacks_memory = true;
        number = ARMPMU_REGIONS_MAX;
    } else if (number == ARMPMU_REGIONS_MAX) {
        region->has_too_many = true;
    } else if (number == region->n_marked) {
        region->marked[region->n_marked++] = (struct region_marked){.name = own};
        return number;
    }
    free(own);
    return number;
}

struct marks_of {
    struct region *region;
    struct region_file *file;
};

/* Takes a symbol that is a mark: "armpmu.begin.NAME.7". */
static void take_mark(void *user, const char *symbol, uint64_t address)
{
    static const char begin[] = SYMBOL_MARK "begin.", end[] = SYMBOL_MARK "end.";
    const struct marks_of *const of = user;
    struct region_file *const file = of->file;
    const bool begins = strncmp(symbol, begin, sizeof begin - 1) == 0;
    const char *const name = symbol + (begins ? sizeof begin : sizeof end) - 1, *const dot =
                                                                                    strrchr(symbol,
                                                                                            '.');

    if ((!begins && strncmp(symbol, end, sizeof end - 1) != 0) || dot <= name)
        return;
    const size_t number = number_of(of->region, name, (size_t)(dot - name));
    if (number == ARMPMU_REGIONS_MAX)
        return;
    if (!ARRAY_RESERVE(file->marks, file->marks_room, file->n_marks + 1)) {
        of->region->lacks_memory = true;
        return;
    }
    const enum armpmu_mark mark = begins ? ARMPMU_MARK_BEGIN : ARMPMU_MARK_END;
    file->marks[file->n_marks++] =
        (struct region_mark_at){address, ARMPMU_MARK_OF_REGION(mark, number)};
}

static void search_marks(struct region *region, struct region_file *file)
{
    struct marks_of of = {region, file};
    struct symbol_matches none = {0};
    const struct symbol_lookup marks = {"", &none, take_mark, &of};

    region->lacks_memory |= !symbol_search(file->path, region->sysroot, &marks);
    free(none.addresses);
}

/* Without memory, or where it cannot be read, a file has no symbols. */
static void search(struct region *region, struct region_file *file)
{
    if (region->all_marks)
        search_marks(region, file);
    for (unsigned i = 0; i < 2; i++) {
        struct region_end *const end = &region->ends[i];
        if (end->name == NULL || end->is_address)
            continue;
        const struct symbol_lookup named = {end->name, &file->matches[i], offer, &region->near[i]};
        (void)!symbol_search(file->path, region->sysroot, &named);
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

    for (size_t i = 0; file != NULL && i < file->n_marks; i++)
        if (file->marks[i].address + file->bias == address)
            return file->marks[i].mark;
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

struct counted_in {
    struct region *region;
    struct region_thread *thread;
};

static void add_signals(uint64_t *sums, const uint64_t *signals)
{
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        sums[i] += signals[i];
}

static bool add_row(void *user, const struct armpmu_profile_row *row)
{
    const struct counted_in *const in = user;

    add_signals(in->thread->signals, row->signals);
    for (size_t i = 0; i < in->region->n_marked; i++)
        if ((row->regions >> i & 1) != 0)
            add_signals(in->region->marked[i].signals, row->signals);
    return true;
}

enum armpmu_status region_count(struct region *region, uint32_t process, uint32_t thread,
                                struct armpmu_sim *sim, struct armpmu_error *err)
{
    if (!ARRAY_RESERVE(region->threads, region->threads_room, region->n_threads + 1))
        return fail_no_memory(err, "a region");
    struct region_thread *const to = &region->threads[region->n_threads++];
    *to = (struct region_thread){.process = process, .thread = thread};
    return armpmu_sim_profile(sim, add_row, &(struct counted_in){region, to}, err);
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
    if (region->lacks_memory)
        return fail_no_memory(err, "regions");
    if (region->has_too_many)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--regions: more than %d marked regions; count one with --roi mark:NAME",
                    ARMPMU_REGIONS_MAX);
    if (region->all_marks && region->n_marked == 0)
        return fail(err, ARMPMU_NOT_FOUND,
                    "--regions: no mark in '%.200s', nor in what it loaded: build it with "
                    "-DARMPMU_MARK, and do not strip it",
                    region->program);
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
                    region->region.delay != 0 ? "-D"
                    : region->all_marks       ? "--regions"
                                              : "--roi");
    return ARMPMU_OK;
}
