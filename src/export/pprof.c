/* pprof's profile.proto, compressed: one value for each event in each sample, so all events are in
 * one file. A message is what its parts are one after the other, so each is written as a
 * message of its own, and nothing is kept but the tables of names. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "base/intern.h"
#include "export/export.h"
#include "export/frames.h"
#include "pprof.pb-c.h"

/* Numbers in the table of strings. */
struct function {
    int64_t name, symbol, file;
};

struct pprof_writer {
    const struct export_job *job;
    FILE *out;
    z_stream zip;
    const char **strings;
    struct function *functions;
    size_t n_strings, room_strings, n_functions, room_functions;
    struct intern string_numbers, function_numbers;
    uint8_t *packed; /* of the last message */
    size_t room_packed;
    bool is_out_of_memory;
};

/* ---- the file ---- */

static void deflate_all(struct pprof_writer *w, const void *bytes, size_t n, int flush)
{
    uint8_t zipped[16384];

    w->zip.next_in = (Bytef *)bytes;
    w->zip.avail_in = (uInt)n;
    do {
        w->zip.next_out = zipped;
        w->zip.avail_out = sizeof zipped;
        deflate(&w->zip, flush);
        fwrite(zipped, 1, sizeof zipped - w->zip.avail_out, w->out);
    } while (w->zip.avail_out == 0);
}

static void put(struct pprof_writer *w, const Pprof__Profile *message)
{
    const size_t n = pprof__profile__get_packed_size(message);

    if (!ARRAY_RESERVE(w->packed, w->room_packed, n)) {
        w->is_out_of_memory = true;
        return;
    }
    pprof__profile__pack(message, w->packed);
    deflate_all(w, w->packed, n, Z_NO_FLUSH);
}

/* ---- names ---- */

static bool same_string(const void *things, uint32_t number, const void *key)
{
    return strcmp(((const struct pprof_writer *)things)->strings[number], key) == 0;
}

/* NULL is "". */
static int64_t string(struct pprof_writer *w, const char *text)
{
    text = text != NULL ? text : "";
    const uint32_t hash = hash_bytes(HASH_START, text, strlen(text));
    const uint32_t found = intern_find(&w->string_numbers, hash, same_string, w, text);

    if (found != INTERN_NONE)
        return found;
    if (!ARRAY_RESERVE(w->strings, w->room_strings, w->n_strings + 1) ||
        !intern_add(&w->string_numbers, hash, (uint32_t)w->n_strings)) {
        w->is_out_of_memory = true;
        return 0;
    }
    w->strings[w->n_strings] = text;
    return (int64_t)w->n_strings++;
}

static bool same_function(const void *things, uint32_t number, const void *key)
{
    return memcmp(&((const struct pprof_writer *)things)->functions[number], key,
                  sizeof(struct function)) == 0;
}

/* The id of a function: its number + 1. */
static uint64_t function(struct pprof_writer *w, const char *name, const char *symbol,
                         const char *file)
{
    const struct function f = {string(w, name), string(w, symbol), string(w, file)};
    const uint32_t hash = hash_bytes(HASH_START, &f, sizeof f);
    const uint32_t found = intern_find(&w->function_numbers, hash, same_function, w, &f);

    if (found != INTERN_NONE)
        return (uint64_t)found + 1;
    if (!ARRAY_RESERVE(w->functions, w->room_functions, w->n_functions + 1) ||
        !intern_add(&w->function_numbers, hash, (uint32_t)w->n_functions)) {
        w->is_out_of_memory = true;
        return 0;
    }
    w->functions[w->n_functions] = f;
    return ++w->n_functions;
}

/* ---- messages ---- */

static void put_value_types(struct pprof_writer *w)
{
    for (size_t i = 0; i < w->job->n_events; i++) {
        Pprof__Profile message = PPROF__PROFILE__INIT;
        Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types[] = {&type};

        type.type = string(w, export_event(w->job, i)->name);
        type.unit = string(w, "count");
        message.n_sample_type = 1;
        message.sample_type = types;
        put(w, &message);
    }
}

static void put_setup(struct pprof_writer *w)
{
    const struct profile *const p = w->job->profile;
    Pprof__Profile message = PPROF__PROFILE__INIT;
    int64_t comments[] = {string(w, p->setup.command), string(w, p->setup.machine),
                          string(w, "armpmu " ARMPMU_VERSION)};

    message.n_comment = sizeof comments / sizeof comments[0];
    message.comment = comments;
    if (w->job->n_events > 0)
        message.default_sample_type = string(w, export_event(w->job, 0)->name);
    if (p->n_intervals > 0 && p->setup.clock_mhz > 0)
        message.duration_nanos = (int64_t)((double)p->intervals[p->n_intervals - 1].end_cycles *
                                           1000 / p->setup.clock_mhz);
    put(w, &message);
}

static void put_mapping(struct pprof_writer *w, uint32_t number, const struct export_range *range)
{
    const struct profile_object *const object = &w->job->profile->objects[number];
    Pprof__Profile message = PPROF__PROFILE__INIT;
    Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = {&mapping};

    mapping.id = number + 1;
    mapping.memory_start = range->start;
    mapping.memory_limit = range->end;
    mapping.file_offset = object->path[0] == '/' ? range->start - object->offset : 0;
    mapping.filename = string(w, object->path);
    mapping.build_id = string(w, object->build_id);
    mapping.has_functions = mapping.has_filenames = true;
    mapping.has_line_numbers = mapping.has_inline_frames = true;
    message.n_mapping = 1;
    message.mapping = mappings;
    put(w, &message);
}

static bool is_main(const struct profile_function *function)
{
    return function->object != PROFILE_NONE && function->symbol != NULL &&
           strcmp(function->symbol, "main") == 0;
}

/* Pprof takes the first for the program: it is the object with main, else the first that executed.
 */
static uint32_t program_object(const struct profile *p)
{
    for (size_t i = 0; i < p->n_functions; i++)
        if (is_main(&p->functions[i]))
            return p->functions[i].object;
    return 0;
}

static void put_mappings(struct pprof_writer *w)
{
    const uint32_t n = (uint32_t)w->job->profile->n_objects;
    const uint32_t first = program_object(w->job->profile);
    struct export_range *const ranges = export_object_ranges(w->job->profile);

    w->is_out_of_memory |= ranges == NULL;
    for (uint32_t i = 0; ranges != NULL && i < n; i++)
        put_mapping(w, (first + i) % n, &ranges[(first + i) % n]);
    free(ranges);
}

static uint64_t frame_function(struct pprof_writer *w, const struct profile_insn *insn,
                               uint32_t frame)
{
    const struct profile *const p = w->job->profile;
    const char *const symbol =
        frame == 0 && insn->function != PROFILE_NONE ? p->functions[insn->function].symbol : NULL;

    return function(w, frames_name(p, insn, frame), symbol,
                    frames_file(p, frames_line(p, insn, frame)));
}

static void put_location(struct pprof_writer *w, uint32_t number)
{
    const struct profile *const p = w->job->profile;
    const struct profile_insn *const insn = &p->insns[number];
    const uint32_t n = frames_of_insn(insn);
    Pprof__Profile message = PPROF__PROFILE__INIT;
    Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = {&location};
    Pprof__Line *const lines = calloc(n, sizeof *lines), **const line = calloc(n, sizeof *line);

    w->is_out_of_memory |= lines == NULL || line == NULL;
    for (uint32_t i = 0; !w->is_out_of_memory && i < n; i++) {
        const uint32_t frame = n - 1 - i;
        pprof__line__init(&lines[i]);
        lines[i].function_id = frame_function(w, insn, frame);
        lines[i].line = frames_line(p, insn, frame).line;
        line[i] = &lines[i];
    }
    location.id = number + 1;
    location.mapping_id = insn->object != PROFILE_NONE ? insn->object + 1 : 0;
    location.address = insn->address;
    location.n_line = w->is_out_of_memory ? 0 : n;
    location.line = line;
    message.n_location = 1;
    message.location = locations;
    put(w, &message);
    free(lines);
    free(line);
}

static void put_functions(struct pprof_writer *w)
{
    for (size_t i = 0; i < w->n_functions; i++) {
        Pprof__Profile message = PPROF__PROFILE__INIT;
        Pprof__Function one = PPROF__FUNCTION__INIT, *functions[] = {&one};

        one.id = i + 1;
        one.name = w->functions[i].name;
        one.system_name = w->functions[i].symbol;
        one.filename = w->functions[i].file;
        message.n_function = 1;
        message.function = functions;
        put(w, &message);
    }
}

static void put_strings(struct pprof_writer *w)
{
    for (size_t i = 0; i < w->n_strings; i++) {
        Pprof__Profile message = PPROF__PROFILE__INIT;

        message.n_string_table = 1;
        message.string_table = (char **)&w->strings[i];
        put(w, &message);
    }
}

/* ---- samples ---- */

static size_t read_stack(const struct profile *p, const struct profile_row *row,
                         uint64_t stack[FRAMES_MOST])
{
    size_t n = 0;

    stack[n++] = row->insn + 1;
    for (uint32_t path = row->path; path != PROFILE_ROOT && n < FRAMES_MOST;
         path = p->paths[path].parent)
        if (p->paths[path].caller != PROFILE_NONE)
            stack[n++] = p->paths[path].caller + 1;
    return n;
}

static void put_sample(struct pprof_writer *w, const struct profile_row *row, int64_t *values)
{
    const struct profile *const p = w->job->profile;
    Pprof__Profile message = PPROF__PROFILE__INIT;
    Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples[] = {&sample};
    Pprof__Label label = PPROF__LABEL__INIT, *labels[] = {&label};
    uint64_t stack[FRAMES_MOST];

    label.key = string(w, "thread");
    label.str = string(w, p->threads[row->thread].name);
    sample.n_location_id = read_stack(p, row, stack);
    sample.location_id = stack;
    sample.n_value = w->job->n_events;
    sample.value = values;
    sample.n_label = label.str != 0;
    sample.label = labels;
    message.n_sample = 1;
    message.sample = samples;
    put(w, &message);
}

static void put_samples(struct pprof_writer *w)
{
    const struct profile *const p = w->job->profile;
    uint64_t *const sums = export_new_sums(w->job, 1);

    w->is_out_of_memory |= sums == NULL;
    for (size_t i = 0; i < p->n_rows && !w->is_out_of_memory; i++) {
        memset(sums, 0, w->job->n_events * sizeof *sums);
        export_add_row(w->job, &p->rows[i], sums);
        put_sample(w, &p->rows[i], (int64_t *)sums);
    }
    free(sums);
}

enum armpmu_status export_pprof(const struct export_job *job, FILE *out, struct armpmu_error *err)
{
    struct pprof_writer w = {.job = job, .out = out};

    if (deflateInit2(&w.zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return export_no_memory(err);
    string(&w, "");
    put_value_types(&w);
    put_setup(&w);
    put_mappings(&w);
    put_samples(&w);
    for (uint32_t i = 0; i < job->profile->n_insns; i++)
        put_location(&w, i);
    put_functions(&w);
    put_strings(&w);
    deflate_all(&w, NULL, 0, Z_FINISH);
    deflateEnd(&w.zip);
    free(w.strings);
    free(w.functions);
    free(w.packed);
    intern_free(&w.string_numbers);
    intern_free(&w.function_numbers);
    return w.is_out_of_memory ? export_no_memory(err) : ARMPMU_OK;
}
