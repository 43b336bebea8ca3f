#include "profile/access_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory_stream.h"
#include "profile/data_symbols.h"
#include "profile/demangle.h"
#include "profile/spans.h"

#define STACK_GRAIN UINT64_C(4096)
#define STACK_MOST  (UINT64_C(64) << 20) /* what is further apart is no stack */

/* The things of a file; value of a span: its number. */
struct file_data {
    struct spans spans;
    struct datum_source {
        const char *name; /* of a symbol, or a section */
        bool is_section;
        uint32_t datum; /* PROFILE_NONE: not yet in the profile */
    } * at;
    size_t n, room;
};

/* ---- of a file ---- */

static bool add_source(void *user, const char *name, bool is_section, uint64_t start,
                       uint64_t n_bytes)
{
    struct file_data *const data = user;

    if (!ARRAY_RESERVE(data->at, data->room, data->n + 1) ||
        !spans_add(&data->spans, start, start + n_bytes, (uint32_t)data->n))
        return false;
    data->at[data->n++] = (struct datum_source){name, is_section, PROFILE_NONE};
    return true;
}

/* The innermost span that holds both addresses, or SPAN_NONE. */
static uint32_t find_both(const struct file_data *data, uint64_t low, uint64_t high)
{
    uint32_t span = spans_find(&data->spans, low);

    while (span != SPAN_NONE && data->spans.at[span].end <= high)
        span = spans_outer(&data->spans, span, low);
    return span;
}

static bool is_of(const struct profile *profile, const struct access_data_source *source,
                  const struct profile_access *access)
{
    return access->datum == PROFILE_NONE &&
           (source->process == PROFILE_NONE ||
            profile->threads[access->thread].process == source->process);
}

/* Names accesses to several things in a file. */
static enum armpmu_status name_several(struct profile *profile, const struct file_data *data,
                                       struct profile_access *access, uint32_t *number,
                                       struct armpmu_error *err)
{
    const struct profile_datum several = {"[several]", 0, 0};
    enum armpmu_status status = ARMPMU_OK;

    if (spans_find(&data->spans, access->of.low) == SPAN_NONE &&
        spans_find(&data->spans, access->of.high) == SPAN_NONE)
        return ARMPMU_OK;
    if (*number == PROFILE_NONE)
        status = profile_add_datum(profile, &several, number, err);
    access->datum = *number;
    return status;
}

static enum armpmu_status make_datum(struct profile *profile, const struct span *span,
                                     const char *object, struct datum_source *source,
                                     struct armpmu_error *err)
{
    char *const demangled = source->is_section ? NULL : demangle(source->name);
    char *of_object = NULL;
    struct profile_datum datum = {demangled != NULL ? demangled : source->name, span->start,
                                  span->end - span->start};

    if (source->is_section) {
        datum = (struct profile_datum){.address = 0};
        if (asprintf(&of_object, "%s of %s", source->name, basename(object)) < 0)
            return fail_no_memory(err, "names of data");
        datum.name = of_object;
    }
    const enum armpmu_status status = profile_add_datum(profile, &datum, &source->datum, err);
    free(demangled);
    free(of_object);
    return status;
}

static enum armpmu_status name_accesses(struct profile *profile, struct file_data *data,
                                        const struct access_data_source *from,
                                        struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    uint32_t several = PROFILE_NONE;

    for (size_t i = 0; i < profile->n_accesses && status == ARMPMU_OK; i++) {
        struct profile_access *const access = &profile->accesses[i];
        if (!is_of(profile, from, access))
            continue;
        const uint32_t span = find_both(data, access->of.low, access->of.high);
        if (span == SPAN_NONE) {
            status = name_several(profile, data, access, &several, err);
            continue;
        }
        struct datum_source *const source = &data->at[data->spans.at[span].value];
        if (source->datum == PROFILE_NONE)
            status = make_datum(profile, &data->spans.at[span], profile->objects[from->object].path,
                                source, err);
        profile->accesses[i].datum = source->datum;
    }
    return status;
}

enum armpmu_status access_data_name(struct profile *profile,
                                    const struct access_data_source *source,
                                    struct armpmu_error *err)
{
    struct file_data data = {.n = 0};

    if (profile->n_accesses == 0)
        return ARMPMU_OK;
    const bool is_loaded = source->module != NULL
                               ? data_symbols_each(source->module, source->bias, add_source, &data)
                               : kernel_symbols_each_variable(source->kernel, source->kernel_module,
                                                              add_source, &data);
    enum armpmu_status status = is_loaded ? ARMPMU_OK : fail_no_memory(err, "names of data");
    if (status == ARMPMU_OK) {
        spans_sort(&data.spans);
        status = name_accesses(profile, &data, source, err);
    }
    spans_free(&data.spans);
    free(data.at);
    return status;
}

/* ---- the rest ---- */

struct data_range {
    uint64_t low, high;
};

/* Where a thread accesses memory by its stack pointer; a range of nothing where it does not. */
static struct data_range stack_of(const struct profile *p, uint32_t thread)
{
    struct data_range range = {UINT64_MAX, 0};

    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct armpmu_data_access *const of = &p->accesses[i].of;
        if (p->accesses[i].thread != thread || (of->kind & ARMPMU_ACCESS_ON_STACK) == 0)
            continue;
        range.low = of->low < range.low ? of->low : range.low;
        range.high = of->high > range.high ? of->high : range.high;
    }
    if (range.low < range.high && range.high - range.low > STACK_MOST)
        return (struct data_range){UINT64_MAX, 0};
    return (struct data_range){range.low, range.high | (STACK_GRAIN - 1)};
}

/* Names what lies in a range, of a thread or with PROFILE_NONE of all. */
static enum armpmu_status name_range(struct profile *profile, uint32_t thread,
                                     struct data_range range, const char *name,
                                     struct armpmu_error *err)
{
    const struct profile_datum datum = {name, 0, 0};
    enum armpmu_status status = ARMPMU_OK;
    uint32_t number = PROFILE_NONE;

    for (size_t i = 0; i < profile->n_accesses && status == ARMPMU_OK; i++) {
        struct profile_access *const access = &profile->accesses[i];
        if (access->datum != PROFILE_NONE || (thread != PROFILE_NONE && access->thread != thread) ||
            access->of.low < range.low || access->of.high > range.high)
            continue;
        if (number == PROFILE_NONE)
            status = profile_add_datum(profile, &datum, &number, err);
        access->datum = number;
    }
    return status;
}

/* ---- blocks of memory ---- */

#define CALLERS_MOST 3

/* Where an instruction is, as its reader has it: in what was inlined there. */
static const char *function_of(const struct profile *p, uint32_t insn)
{
    const struct profile_insn *const at = insn != PROFILE_NONE ? &p->insns[insn] : NULL;

    if (at == NULL || at->function == PROFILE_NONE)
        return "[unknown]";
    return at->n_inlines != 0 ? p->inlines[at->first_inline + at->n_inlines - 1].name
                              : p->functions[at->function].name;
}

static void print_call(const struct profile *p, uint32_t insn, FILE *out)
{
    const struct profile_line line =
        insn != PROFILE_NONE ? p->insns[insn].line : (struct profile_line){PROFILE_NONE, 0};

    fputs(function_of(p, insn), out);
    if (line.file != PROFILE_NONE)
        fprintf(out, " (%s:%u)", basename(p->files[line.file].path), line.line);
}

/* "12 heap blocks of 16 to 24 bytes from push (list.c:12) < main (list.c:40)". */
static void print_blocks(const struct profile *p, const struct profile_allocation *from, FILE *out)
{
    uint32_t path = from->path;

    if (from->n != 1)
        fprintf(out, "%llu ", (unsigned long long)from->n);
    fprintf(out, "%s block%s of %llu", from->is_mapped ? "mapped" : "heap", from->n != 1 ? "s" : "",
            (unsigned long long)from->smallest);
    if (from->largest != from->smallest)
        fprintf(out, " to %llu", (unsigned long long)from->largest);
    fputs(" bytes from ", out);
    print_call(p, from->insn, out);
    for (unsigned i = 0; i < CALLERS_MOST && path != PROFILE_ROOT; i++) {
        if (p->paths[path].caller != PROFILE_NONE) {
            fputs(" < ", out);
            print_call(p, p->paths[path].caller, out);
        }
        path = p->paths[path].parent;
    }
    fputs(path != PROFILE_ROOT ? " < ..." : "", out);
}

static enum armpmu_status make_blocks(struct profile *profile, struct profile_allocation *from,
                                      struct armpmu_error *err)
{
    struct profile_datum datum = {.address = 0};
    char *name = NULL;
    size_t n_bytes;
    FILE *const out = memory_stream_open(&name, &n_bytes);

    if (out == NULL)
        return fail_no_memory(err, "names of data");
    print_blocks(profile, from, out);
    enum armpmu_status status =
        memory_stream_close(out, &name) ? ARMPMU_OK : fail_no_memory(err, "names of data");
    datum.name = name;
    if (status == ARMPMU_OK)
        status = profile_add_datum(profile, &datum, &from->datum, err);
    free(name);
    return status;
}

/* Names what lies in blocks of the heap, or of mmap(). */
static enum armpmu_status name_blocks(struct profile *profile, bool are_mapped,
                                      struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < profile->n_accesses && status == ARMPMU_OK; i++) {
        struct profile_access *const access = &profile->accesses[i];
        struct profile_allocation *const from =
            access->of.allocation != 0 ? &profile->allocations[access->of.allocation - 1] : NULL;
        if (from == NULL || access->datum != PROFILE_NONE || from->is_mapped != are_mapped)
            continue;
        if (from->datum == PROFILE_NONE)
            status = make_blocks(profile, from, err);
        access->datum = from->datum;
    }
    return status;
}

/* ---- frames ---- */

static enum armpmu_status make_frame(struct profile *profile, uint32_t function, uint32_t *datum,
                                     struct armpmu_error *err)
{
    char *name = NULL;

    if (asprintf(&name, "stack frame of %s", profile->functions[function].name) < 0)
        return fail_no_memory(err, "names of data");
    const enum armpmu_status status =
        profile_add_datum(profile, &(struct profile_datum){.name = name}, datum, err);
    free(name);
    return status;
}

static enum armpmu_status name_frames(struct profile *profile, struct armpmu_error *err)
{
    uint32_t *const data = malloc(profile->n_functions * sizeof *data + 1);
    enum armpmu_status status = data != NULL ? ARMPMU_OK : fail_no_memory(err, "names of data");

    for (size_t i = 0; i < profile->n_functions && status == ARMPMU_OK; i++)
        data[i] = PROFILE_NONE;
    for (size_t i = 0; i < profile->n_accesses && status == ARMPMU_OK; i++) {
        struct profile_access *const access = &profile->accesses[i];
        const uint32_t function =
            access->insn != PROFILE_NONE ? profile->insns[access->insn].function : PROFILE_NONE;
        if (access->datum != PROFILE_NONE || (access->of.kind & ARMPMU_ACCESS_ON_STACK) == 0 ||
            function == PROFILE_NONE || profile->functions[function].name == NULL)
            continue;
        if (data[function] == PROFILE_NONE)
            status = make_frame(profile, function, &data[function], err);
        access->datum = data[function];
    }
    free(data);
    return status;
}

/* ---- devices ---- */

#define DEVICE_PAGE UINT64_C(4096) /* peripherals have pages of their own, as a rule */

/* The number of a page of device memory that an access is to. */
static enum armpmu_status find_device(struct profile *profile, size_t first, uint64_t page,
                                      uint32_t *datum, struct armpmu_error *err)
{
    char name[48];

    for (size_t i = first; i < profile->n_data; i++)
        if (profile->data[i].address == page && profile->data[i].n_bytes == DEVICE_PAGE) {
            *datum = (uint32_t)i;
            return ARMPMU_OK;
        }
    snprintf(name, sizeof name, "device at 0x%llx", (unsigned long long)page);
    return profile_add_datum(profile, &(struct profile_datum){name, page, DEVICE_PAGE}, datum, err);
}

static enum armpmu_status name_devices(struct profile *profile, struct armpmu_error *err)
{
    const size_t first = profile->n_data;
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < profile->n_accesses && status == ARMPMU_OK; i++) {
        struct profile_access *const access = &profile->accesses[i];
        const uint64_t page = access->of.low & ~(DEVICE_PAGE - 1);
        if (access->datum == PROFILE_NONE && access->of.source == ARMPMU_FROM_DEVICE &&
            access->of.high - page < DEVICE_PAGE)
            status = find_device(profile, first, page, &access->datum, err);
    }
    return status;
}

enum armpmu_status access_data_name_system(struct profile *profile, struct armpmu_error *err)
{
    const enum armpmu_status status = name_devices(profile, err);

    return status == ARMPMU_OK ? name_frames(profile, err) : status;
}

enum armpmu_status access_data_name_rest(struct profile *profile, uint64_t end, uint64_t next,
                                         struct armpmu_error *err)
{
    enum armpmu_status status = name_blocks(profile, false, err);

    if (status == ARMPMU_OK)
        status = name_frames(profile, err);
    for (uint32_t thread = 0; thread < profile->n_threads && status == ARMPMU_OK; thread++)
        status = name_range(profile, thread, stack_of(profile, thread), "[stack]", err);
    if (status == ARMPMU_OK)
        status = name_blocks(profile, true, err);
    const uint64_t last = next - end > HEAP_MOST ? end + HEAP_MOST - 1 : next - 1;
    if (status == ARMPMU_OK)
        status = name_range(profile, PROFILE_NONE, (struct data_range){end, last}, "[heap]", err);
    return status == ARMPMU_OK ? name_range(profile, PROFILE_NONE,
                                            (struct data_range){0, UINT64_MAX}, "[mapped]", err)
                               : status;
}
