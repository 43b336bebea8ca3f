/* armpmu annotate: the counts of source lines and instructions. */
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "cli/commands.h"
#include "cli/pager.h"
#include "cli/profile_input.h"
#include "cli/report/annotate.h"
#include "cli/table/csv.h"

struct annotate_options {
    struct profile_options input;
    double limit;
    uint64_t context;
    bool wants_pager, is_json;
    const char *source_path, *separator, *output;
    enum option_color color;
};

static enum armpmu_status set_separator(void *member, const char *option, const char *value,
                                        struct armpmu_error *err)
{
    return csv_separator(option, value, member, err);
}

static const struct option_row rows[] = {
    {.help = "What to show", .kind = OPTION_HEADING},
    PROFILE_OPTION_ROWS(struct annotate_options, input),
    {0, "context", "N", "lines of source around those with counts; default 2",
     OPTION_NUMBER_TO(struct annotate_options, context), .most = 1000000,
     .expects = "a number of lines from 0 to 1000000"},
    {0, "percent-limit", "PCT",
     "show a line only if it has so much of one of the events; default 0.01",
     OPTION_CALL_TO(struct annotate_options, limit, profile_set_limit)},
    {0, "source-path", "OLD=NEW|FOLDER",
     "where sources are that moved: another beginning of their paths, or a folder to search",
     OPTION_TEXT_TO(struct annotate_options, source_path), .completes = COMPLETE_FOLDER},
    {.help = "How to print", .kind = OPTION_HEADING},
    {'x', "field-separator", "SEP", "separated values, a line for each instruction",
     OPTION_CALL_TO(struct annotate_options, separator, set_separator)},
    {'j', "json", NULL, "one JSON object a source line",
     OPTION_FLAG_TO(struct annotate_options, is_json)},
    {'o', "output", "FILE", "to a file", OPTION_TEXT_TO(struct annotate_options, output),
     .completes = COMPLETE_FILE},
    {0, "pager", NULL, "on a terminal, through $ARMPMU_PAGER, $PAGER or less (default), or not",
     OPTION_FLAG_TO(struct annotate_options, wants_pager), .negated = true},
    OPTION_COLOR_ROW(struct annotate_options, color),
    {.kind = OPTION_END},
};

static enum armpmu_status print(const struct annotate_options *o, struct profile_input *input,
                                const char *what, FILE *stream, struct armpmu_error *err)
{
    const struct annotate_print how = {
        .what = what,
        .source_path = o->source_path,
        .context = (unsigned)o->context,
        .limit = o->limit,
        .separator = o->separator,
        .columns = o->output != NULL ? 0 : pager_columns(STDOUT_FILENO),
        .color = o->output != NULL ? o->color == OPTION_COLOR_ALWAYS
                                   : option_wants_color(o->color, STDOUT_FILENO),
        .chose_events = o->input.events == NULL,
    };
    struct annotation annotation;
    enum armpmu_status status =
        annotation_make(&annotation, input->profile, &input->events, &how, err);

    if (status == ARMPMU_OK)
        status = (o->is_json             ? annotate_print_json
                  : o->separator != NULL ? annotate_print_csv
                                         : annotate_print_text)(&annotation, &how, stream, err);
    annotation_free(&annotation);
    return status;
}

static enum armpmu_status annotate(const struct annotate_options *o, struct profile_input *input,
                                   const char *what, FILE *out, struct armpmu_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&text, &size);

    if (stream == NULL)
        return fail_no_memory(err, "the annotation");
    enum armpmu_status status = print(o, input, what, stream, err);
    if (!memory_stream_close(stream, &text) && status == ARMPMU_OK)
        status = fail_no_memory(err, "the annotation");
    if (status == ARMPMU_OK)
        status = pager_deliver(text, size, o->output, o->wants_pager, out, err);
    free(text);
    return status;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct annotate_options *const o = options;
    struct profile_input input;
    enum armpmu_status status;

    if (operands[0] != NULL && operands[1] != NULL) {
        print_error("annotate: '%.60s': one function or source file at a time", operands[1]);
        return EXIT_ARMPMU;
    }
    if (o->is_json && o->separator != NULL) {
        print_error("-x and -j are two formats; choose one");
        return EXIT_ARMPMU;
    }
    status = profile_input_open(&input, &o->input, false, err);
    if (status == ARMPMU_OK)
        status = annotate(o, &input, operands[0], out, err);
    profile_input_close(&input);
    return status == ARMPMU_OK ? 0 : EXIT_ARMPMU;
}

static const struct annotate_options defaults = {
    .limit = 0.01,
    .context = 2,
    .wants_pager = true,
};

const struct command command_annotate = {
    .name = "annotate",
    .summary = "show source lines and instructions with their events",
    .synopsis = "annotate [-i FILE] [-e LIST] [--context N] [--source-path OLD=NEW|FOLDER] "
                "[-x SEP | -j] [FUNCTION|SOURCE]",
    .text = "Prints the source of a function, or a source file, with the instructions of each line "
            "below it, and\n"
            "percentage and count of each event beside; without a name, the function with most "
            "cycles. Without\n"
            "-e it shows cycles and the two cost events that fewest instructions cause. '-->' is "
            "the line with\n"
            "most of the first event, '^' says why a line is slow.\n",
    .options = rows,
    .notes =
        "Instructions are those that were executed, as they were recorded; the program's file "
        "is not needed.\n"
        "For example:\n"
        "  armpmu annotate                             the function with most cycles\n"
        "  armpmu annotate -e L1D_CACHE_REFILL main    where main misses the data cache\n"
        "  armpmu annotate --source-path /build=. matrix.c\n"
        "  armpmu annotate -j main                     for programs: lines, their instructions\n",
    .operands = COMPLETE_FILE,
    .options_bytes = sizeof(struct annotate_options),
    .defaults = &defaults,
    .run = run,
};
