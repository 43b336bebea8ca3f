/* `armpmu convert`: a profile in the format of another tool. */
#include <stdlib.h>
#include <string.h>

#include "cli/foreign_file.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/profile/annotate_report.h"
#include "cli/profile/profile_input.h"
#include "cli/profile/whatif_input.h"
#include "export/export.h"
#include "profile/profile_file.h"

struct convert_options {
    unsigned format; /* its place in export_formats */
    const char *in, *out, *events, *object, *whatif;
    bool force;
};

enum {
#define FORMAT(id, name, file, events, help) FORMAT_##id,
#include "export/formats.def"
#undef FORMAT
    FORMAT_NONE
};

static const char *const format_names[] = {
#define FORMAT(id, name, file, events, help) name,
#include "export/formats.def"
#undef FORMAT
    NULL};

static const struct option_row rows[] = {
    {0, "to", "FORMAT", "one of the formats below",
     OPTION_CHOICE_TO(struct convert_options, format, format_names)},
    {'i', "input", "FILE", "the profile; default " PROFILE_FILE_DEFAULT,
     OPTION_TEXT_TO(struct convert_options, in), .completes = COMPLETE_FILE},
    FOREIGN_FILE_ROW(struct convert_options, force),
    {'o', "output", "FILE", "output file; '-' is standard output; default as below",
     OPTION_TEXT_TO(struct convert_options, out), .completes = COMPLETE_FILE},
    {'e', "event", "LIST", "only these events, in this order; default all, cycles first",
     OPTION_TEXT_TO(struct convert_options, events), .completes = COMPLETE_EVENTS},
    {0, "object", "NAME[=FILE]",
     "for compilers: only code of this file or program, which is in FILE",
     OPTION_TEXT_TO(struct convert_options, object), .completes = COMPLETE_FILE},
    WHATIF_ROW(struct convert_options, whatif),
    {.kind = OPTION_END},
};

static void print_formats(FILE *out)
{
    fprintf(out, "%-12s%-25s%s\n", "FORMAT", "file", "for");
    for (size_t i = 0; i < export_n_formats; i++)
        fprintf(out, "%-12s%-25s%s\n", export_formats[i].name, export_formats[i].file,
                export_formats[i].help);
}

/* A file is whole or as it was. */
static enum armpmu_status write_file(const struct export_job *job,
                                     const struct export_format *format, const char *path,
                                     struct armpmu_error *err)
{
    struct output file;
    enum armpmu_status status = output_open(&file, "-o", path, false, err);

    if (status != ARMPMU_OK)
        return status;
    status = format->write(job, file.stream, err);
    if (status == ARMPMU_OK)
        return output_close(&file, err);
    output_discard(&file);
    return status;
}

static enum armpmu_status convert(const struct convert_options *o, const struct profile *profile,
                                  FILE *out, struct armpmu_error *err)
{
    const struct export_format *const format = &export_formats[o->format];
    const char *const path = o->out != NULL ? o->out : format->file;
    struct whatif_rows whatif = {0};
    struct export_job job;
    enum armpmu_status status = export_job_init(&job, format, profile, o->events, err);

    char *const object = o->object != NULL ? strdup(o->object) : NULL;
    char *const equals = object != NULL ? strchr(object, '=') : NULL;
    job.object = object;
    job.object_file = equals != NULL ? equals + 1 : NULL;
    if (equals != NULL)
        *equals = '\0';
    if (status == ARMPMU_OK && o->whatif != NULL)
        status = whatif_input_read(&whatif, o->whatif, profile->setup.machine, err);
    job.whatif = &whatif;
    job.print_more = annotate_print_page;
    if (status == ARMPMU_OK)
        status = strcmp(path, "-") == 0 ? format->write(&job, out, err)
                                        : write_file(&job, format, path, err);
    if (status == ARMPMU_OK && o->out == NULL)
        fprintf(out, "%s: for %s\n", path, format->help);
    export_job_free(&job);
    whatif_input_free(&whatif);
    free(object);
    return status;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    const struct convert_options *const o = options;
    struct profile *profile = NULL;

    if (o->whatif != NULL && o->format != FORMAT_html)
        return GIVE_UP("convert: --whatif is for '--to html' alone");
    if (operands[0] != NULL || o->format == FORMAT_NONE)
        return GIVE_UP("convert: %s%.60s; see 'armpmu help convert'",
                       operands[0] != NULL ? "the profile is named with -i, not as "
                                           : "--to is missing",
                       operands[0] != NULL ? operands[0] : "");
    const char *const path = o->in != NULL ? o->in : PROFILE_FILE_DEFAULT;
    enum armpmu_status status = foreign_file_check(path, o->force, err);
    if (status == ARMPMU_OK)
        status = profile_file_read(path, &profile, err);
    if (status == ARMPMU_OK)
        profile_warn_of_paths(profile);
    if (status == ARMPMU_OK)
        status = convert(o, profile, out, err);
    profile_free(profile);
    return command_exit(status);
}

static const struct convert_options defaults = {.format = FORMAT_NONE};

const struct command command_convert = {
    .name = "convert",
    .summary = "write a profile in the format of another tool",
    .synopsis = "convert --to FORMAT [-i FILE] [-o FILE] [-e LIST]",
    .text = "Converts a profile of 'armpmu record' for callgrind_annotate, perf, pprof, a\n"
            "flame graph or a browser. Sums are exactly the profile's totals. In formats with\n"
            "samples, each call path and instruction has one sample, with its count as weight.\n",
    .options = rows,
    .print_table = print_formats,
    .notes =
        "docs/export.md says what each format leaves out. For example:\n"
        "  armpmu convert --to html\n"
        "  armpmu convert --to perf && perf report --stdio -i armpmu.perf.data\n"
        "  armpmu convert --to collapsed -e L1D_CACHE_REFILL -o - | flamegraph.pl > misses.svg\n",
    .options_bytes = sizeof(struct convert_options),
    .defaults = &defaults,
    .run = run,
};
