#include "export/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/order.h"
#include "base/error.h"
#include "profile/object_file.h"
#include "profile/object_lines.h"

/* An instruction of a file. */
struct code {
    uint32_t object;
    const char *path;
    uint64_t address, n;
};

/* ---- names ---- */

static bool is_name(const void *names, uint32_t number, const void *key)
{
    return strcmp(((char *const *)names)[number], key) == 0;
}

/* False without memory. */
static bool number_of(struct samples *s, const char *name, uint32_t *number)
{
    const uint32_t hash = hash_bytes(HASH_START, name, strlen(name));

    *number = intern_find(&s->numbers, hash, is_name, s->names, name);
    if (*number != INTERN_NONE)
        return true;
    if (!ARRAY_RESERVE(s->names, s->room_names, s->n_names + 1) || !intern_reserve(&s->numbers))
        return false;
    s->names[s->n_names] = strdup(name);
    if (s->names[s->n_names] == NULL)
        return false;
    *number = (uint32_t)s->n_names++;
    return intern_add(&s->numbers, hash, *number);
}

/* ---- discriminators ---- */

/* clang packs three numbers into a discriminator, each in 1, 7 or 14 bits: which piece of the line,
 * how many copies of its code it made, and which of them. Source: llvm.org, DebugInfoMetadata.h. */
static uint32_t first_number(uint32_t packed)
{
    if ((packed & 1) != 0)
        return 0;
    packed >>= 1;
    return (packed & 0x20) != 0 ? (packed >> 1 & 0xfe0) | (packed & 0x1f) : packed & 0x1f;
}

static uint32_t without_first(uint32_t packed)
{
    return (packed & 1) != 0 ? packed >> 1 : packed >> ((packed & 0x40) != 0 ? 14 : 7);
}

static uint32_t discriminator_of(const struct source_place *place, uint32_t discriminator)
{
    return place->has_encoded_discriminators ? first_number(discriminator) : discriminator;
}

static uint32_t copies_of(const struct source_place *place)
{
    const uint32_t copies =
        place->has_encoded_discriminators ? first_number(without_first(place->discriminator)) : 0;

    return copies != 0 ? copies : 1;
}

/* ---- samples ---- */

/* line 0: not known. False without memory. */
static bool add_frame(struct samples *s, const struct inlined_call *function, uint32_t line,
                      uint32_t discriminator)
{
    struct sample_frame frame = {.line = SAMPLES_NO_LINE};

    if (line != 0)
        frame.line = (line - function->first_line) & 0xffff; /* as clang and gcc have it */
    if (line != 0)
        frame.discriminator = discriminator;
    if (!number_of(s, function->symbol, &frame.function) ||
        !ARRAY_APPEND(s->frames, s->n_frames, s->room_frames, frame))
        return false;
    return true;
}

/* Code below a call of no line belongs to no place of what was called, but to the caller. */
static bool add_sample(struct samples *s, const struct source_place *place, uint64_t address,
                       uint64_t n)
{
    const struct inlined_call *function = place->function;
    struct sample sample = {
        .first_frame = (uint32_t)s->n_frames,
        .is_entry = function->entry == address,
        .copies = copies_of(place),
        .n = n,
    };
    uint32_t line = 1;

    for (unsigned i = 0; i <= place->n_inlined && line != 0; i++) {
        const bool is_call = i < place->n_inlined;
        const struct inlined_call *const call = &place->inlined[i];
        line = is_call ? call->call.line : place->line.line;
        if (!add_frame(s, function, line,
                       discriminator_of(place, is_call ? call->call_discriminator
                                                       : place->discriminator)) ||
            !ARRAY_RESERVE(s->at, s->room, s->n + 1))
            return false;
        function = call;
    }
    sample.n_frames = (uint32_t)s->n_frames - sample.first_frame;
    s->at[s->n++] = sample;
    return true;
}

static bool add_places(struct samples *s, struct object_lines *lines, const struct code *places,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct source_place place;
        if (!object_lines_find(lines, places[i].address, &place))
            return false;
        if (place.function != NULL &&
            !add_sample(s, &place, places[i].address - lines->bias, places[i].n))
            return false;
    }
    return true;
}

/* ---- objects ---- */

static enum armpmu_status add_module(struct samples *s, Dwfl_Module *module,
                                     const struct code *places, size_t n, struct armpmu_error *err)
{
    struct object_lines lines = {0};
    const bool done = object_lines_load(&lines, module) && add_places(s, &lines, places, n);

    object_lines_free(&lines);
    return done ? ARMPMU_OK : export_no_memory(err);
}

/* Code of no file has no places. */
static enum armpmu_status add_object(struct samples *s, const struct export_job *job,
                                     const struct code *places, size_t n, struct armpmu_error *err)
{
    const struct profile_object *const object = &job->profile->objects[places->object];
    struct object_file file;
    enum armpmu_status status = ARMPMU_OK;

    const char *const path = export_file_of(job, object->path);
    if (path[0] == '[')
        return ARMPMU_OK;
    if (!object_file_open(&file, path, NULL))
        status = export_no_memory(err);
    else if (file.module != NULL && (object->build_id != NULL || path == object->path) &&
             !object_file_has_id(file.module, object->build_id))
        status = fail(err, ARMPMU_BAD_INPUT,
                      "'%.160s' is not the recorded file: its build ID differs; record again, or "
                      "restore that file",
                      path);
    else if (file.module != NULL)
        status = add_module(s, file.module, places, n, err);
    object_file_close(&file);
    return status;
}

/* ---- the places of a profile ---- */

static int by_place(const void *a, const void *b)
{
    const struct code *x = a, *y = b;

    if (x->path != y->path)
        return strcmp(x->path, y->path);
    return x->address < y->address ? -1 : x->address > y->address;
}

/* By file and address, each once. Returns how many. */
static size_t take_places(const struct export_job *job, const uint64_t *sums, struct code *places)
{
    const struct profile *const p = job->profile;
    size_t n = 0, kept = 0;

    for (uint32_t i = 0; i < p->n_insns; i++) {
        const uint32_t object = p->insns[i].object;
        if (object != PROFILE_NONE && sums[i] != 0 && export_has_object(job, object))
            places[n++] =
                (struct code){object, p->objects[object].path,
                              export_file_address(p, object, p->insns[i].address), sums[i]};
    }
    qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0; i < n; i++) {
        if (kept != 0 && by_place(&places[kept - 1], &places[i]) == 0)
            places[kept - 1].n += places[i].n;
        else
            places[kept++] = places[i];
    }
    return kept;
}

static enum armpmu_status add_objects(struct samples *s, const struct export_job *job,
                                      const struct code *places, size_t n, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t first = 0, end; first < n && status == ARMPMU_OK; first = end) {
        for (end = first + 1; end < n && places[end].path == places[first].path;)
            end++;
        status = add_object(s, job, places + first, end - first, err);
    }
    return status;
}

/* ---- order ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* context: the samples. */
static int in_order(const void *a, const void *b, void *context)
{
    const struct samples *const s = context;
    const struct sample *const x = a, *const y = b;

    for (uint32_t i = 0; i < x->n_frames && i < y->n_frames; i++) {
        const struct sample_frame *const f = &s->frames[x->first_frame + i],
                                         *const g = &s->frames[y->first_frame + i];
        const int order =
            ORDER(f->function, g->function, f->line, g->line, f->discriminator, g->discriminator);
        if (order != 0)
            return order;
    }
    return ORDER(x->n_frames, y->n_frames, x->copies, y->copies);
}

/* Numbers names in their order. False without memory. */
static bool sort_names(struct samples *s)
{
    char **const before = malloc(s->n_names * sizeof *before + 1);
    if (before == NULL)
        return false;
    memcpy(before, s->names, s->n_names * sizeof *before);
    qsort(s->names, s->n_names, sizeof *s->names, by_text);
    for (size_t i = 0; i < s->n_frames; i++) {
        char **const found = bsearch(&before[s->frames[i].function], s->names, s->n_names,
                                     sizeof *s->names, by_text);
        s->frames[i].function = (uint32_t)(found - s->names);
    }
    free(before);
    return true;
}

static enum armpmu_status sort_all(struct samples *s, struct armpmu_error *err)
{
    if (s->n == 0)
        return fail(err, ARMPMU_NOT_FOUND,
                    "the profile has no code with debug information: compile the program with -g "
                    "(clang: and -fdebug-info-for-profiling), and record again");
    if (!sort_names(s))
        return export_no_memory(err);
    qsort_r(s->at, s->n, sizeof *s->at, in_order, s);
    return ARMPMU_OK;
}

enum armpmu_status samples_init(struct samples *samples, const struct export_job *job,
                                struct armpmu_error *err)
{
    *samples = (struct samples){0};
    uint64_t *const sums = export_sums_by_insn(job);
    struct code *const places = malloc(job->profile->n_insns * sizeof *places + 1);
    enum armpmu_status status = sums != NULL && places != NULL ? ARMPMU_OK : export_no_memory(err);

    if (status == ARMPMU_OK)
        status = add_objects(samples, job, places, take_places(job, sums, places), err);
    if (status == ARMPMU_OK)
        status = sort_all(samples, err);
    free(places);
    free(sums);
    return status;
}

void samples_free(struct samples *samples)
{
    ARRAY_FREE_EACH(samples->names, samples->n_names);
    free(samples->frames);
    free(samples->at);
    intern_free(&samples->numbers);
}

/* ---- parts ---- */

size_t samples_of_function(const struct samples *samples, size_t first, size_t end, unsigned depth)
{
    const uint32_t function = samples_frame(samples, first, depth)->function;
    size_t i = first + 1;

    while (i < end && samples_frame(samples, i, depth)->function == function)
        i++;
    return i;
}

size_t samples_of_place(const struct samples *samples, size_t first, size_t end, unsigned depth)
{
    const struct sample_frame *const place = samples_frame(samples, first, depth);
    const bool are_own = samples_are_own(samples, first, depth);
    size_t i = first + 1;

    while (i < end && samples_frame(samples, i, depth)->line == place->line &&
           samples_frame(samples, i, depth)->discriminator == place->discriminator &&
           samples_are_own(samples, i, depth) == are_own)
        i++;
    return are_own ? i : samples_of_function(samples, first, i, depth + 1);
}

uint64_t samples_count(const struct samples *samples, size_t first, size_t end)
{
    uint64_t count = 0;

    for (size_t next; first < end; first = next) {
        const uint32_t copies = samples->at[first].copies;
        uint64_t most = 0;
        for (next = first; next < end && samples->at[next].copies == copies; next++)
            most = samples->at[next].n > most ? samples->at[next].n : most;
        count += copies == 1 ? most : samples_total(samples, first, next) * copies / (next - first);
    }
    return count;
}

uint64_t samples_total(const struct samples *samples, size_t first, size_t end)
{
    uint64_t sum = 0;

    for (size_t i = first; i < end; i++)
        sum += samples->at[i].n;
    return sum;
}

uint64_t samples_entries(const struct samples *samples, size_t first, size_t end)
{
    uint64_t sum = 0;

    for (size_t i = first; i < end; i++)
        sum += samples->at[i].is_entry ? samples->at[i].n : 0;
    return sum;
}
