/* armpmu annotate: the counts of source lines and instructions. */
#include <unistd.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/pager.h"
#include "cli/profile/profile_input.h"
#include "cli/profile/annotate_report.h"
#include "cli/profile/type_report.h"
#include "cli/profile/whatif_input.h"

struct annotate_options {
    struct profile_options input;
    double limit;
    uint64_t context;
    const char *source_path, *whatif;
    struct type_options {
        bool are_shown;
        const char *name; /* NULL: all */
    } types;
    struct table_options table;
};

static enum armpmu_status set_type(void *member, const char *option, const char *value,
                                   struct armpmu_error *err)
{
    (void)option;
    (void)err;
    *(struct type_options *)member = (struct type_options){true, value};
    return ARMPMU_OK;
}

static const struct option_row rows[] = {
    {.help = "What to show", .kind = OPTION_HEADING},
    PROFILE_OPTION_ROWS(struct annotate_options, input),
    PROFILE_METRICS_ROW(struct annotate_options, input),
    PROFILE_TOPDOWN_ROW(struct annotate_options, input, "source line"),
    {0, "context", "N", "source lines around those with counts; default 2",
     OPTION_NUMBER_TO(struct annotate_options, context), .most = 1000000,
     .expects = "a number of lines from 0 to 1000000"},
    {0, "percent-limit", "PCT",
     "show only lines with at least this percentage of one of the events; default 0.01",
     OPTION_CALL_TO(struct annotate_options, limit, profile_set_limit)},
    {0, "source-path", "OLD=NEW|FOLDER",
     "new place of moved source files: a replacement for the beginning of their paths, or a folder "
     "to search",
     OPTION_TEXT_TO(struct annotate_options, source_path), .completes = COMPLETE_FOLDER},
    WHATIF_ROW(struct annotate_options, whatif),
    {0, "data-type", "NAME",
     "after record --mem: instead of source, the members of a structure (default: of all) with "
     "accesses and misses, by offset",
     OPTION_CALL_TO(struct annotate_options, types, set_type), .optional = true},
    {.help = "Output", .kind = OPTION_HEADING},
    TABLE_ROWS_TO(
        struct annotate_options, table,
        "text; json: an object for each source line; csv or md: a line for each instruction"),
    TABLE_PAGER_ROW(struct annotate_options, table),
    {.kind = OPTION_END},
};

static enum armpmu_status print(const struct annotate_options *o, struct profile_input *input,
                                const char *what, FILE *stream, struct armpmu_error *err)
{
    struct whatif_rows whatif = {0};
    const struct annotate_print how = {
        .what = what,
        .source_path = o->source_path,
        .context = (unsigned)o->context,
        .limit = o->limit,
        .table = &o->table,
        .metrics = &input->metrics,
        .whatif = &whatif,
        .columns = o->table.output != NULL ? 0 : pager_columns(STDOUT_FILENO),
        .color = table_options_color(&o->table),
        .has_topdown = o->input.topdown,
        .chose_events = o->input.events == NULL && o->input.metrics.n == 0 && !o->input.topdown,
    };
    struct annotation annotation;
    enum armpmu_status status =
        annotation_make(&annotation, input->profile, &input->events, &how, err);

    if (status == ARMPMU_OK && o->whatif != NULL)
        status = whatif_input_read(&whatif, o->whatif, input->profile->setup.machine, err);
    if (status == ARMPMU_OK)
        status = (o->table.format == TABLE_TEXT ? annotate_print_text : annotate_print_rows)(
            &annotation, &how, stream, err);
    annotation_free(&annotation);
    whatif_input_free(&whatif);
    return status;
}

/* Refuses options that --data-type has no use for. */
static enum armpmu_status check_types(const struct annotate_options *o, char *const *operands,
                                      struct armpmu_error *err)
{
    const char *const other = operands[0] != NULL       ? operands[0]
                              : o->input.events != NULL ? "-e"
                              : o->input.metrics.n != 0 ? "-M"
                              : o->input.topdown        ? "--topdown"
                              : o->source_path != NULL  ? "--source-path"
                              : o->whatif != NULL       ? "--whatif"
                                                        : NULL;

    return !o->types.are_shown || other == NULL ? ARMPMU_OK
                                                : fail(err, ARMPMU_BAD_CONFIG,
                                                       "annotate: --data-type shows structures, "
                                                       "without '%.60s': leave one of them out",
                                                       other);
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct annotate_options *const o = options;
    struct profile_input input;
    enum armpmu_status status;

    if (operands[0] != NULL && operands[1] != NULL)
        return GIVE_UP("annotate: '%.60s': one function or source file at a time", operands[1]);
    if (o->input.topdown && (o->table.format == TABLE_CSV || o->table.format == TABLE_MD))
        return GIVE_UP("--topdown: separated values and Markdown have its columns with -e "
                       "cycles,'TOPDOWN_*'");
    if (check_types(o, operands, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    status = profile_input_open(&input, &o->input, false, err);
    if (status == ARMPMU_OK && o->types.are_shown)
        status = type_report(input.profile,
                             &(struct type_choice){o->types.name, o->limit, &o->table}, out, err);
    else if (status == ARMPMU_OK)
        status = print(o, &input, operands[0], out, err);
    profile_input_close(&input);
    return command_exit(status);
}

static const struct annotate_options defaults = {
    .limit = 0.01,
    .context = 2,
    .table = {.wants_pager = true},
};

const struct command command_annotate = {
    .name = "annotate",
    .summary = "show source lines and instructions with their events",
    .synopsis = "annotate [-i FILE] [-e LIST] [-M LIST] [--topdown] [--context N] [--source-path "
                "OLD=NEW|FOLDER] "
                "[-x SEP | -j] [FUNCTION|SOURCE]",
    .text = "Prints the source of a function or a source file. Each line has its event counts,\n"
            "and its instructions below it. Without a name, the command shows the function\n"
            "with most cycles. Without -e, it shows cycles and what costs the function most,\n"
            "such as cache misses. '-->' marks the line with most of the first event, '^'\n"
            "says why a line is slow.\n",
    .options = rows,
    .notes =
        "The instructions are those recorded at execution, so the program's file is not needed.\n"
        "For example:\n"
        "  armpmu annotate                             the function with most cycles\n"
        "  armpmu annotate -e L1D_CACHE_REFILL main    where main misses the data cache\n"
        "  armpmu annotate --source-path /build=. matrix.c\n"
        "  armpmu annotate --topdown                   why its lines are slow\n"
        "  armpmu whatif -j=1 -o whatif.json -- ./program; armpmu annotate --whatif whatif.json\n"
        "                                              what changes of its lines would save\n"
        "  armpmu annotate --data-type=node            members of struct node, after record --mem\n"
        "  armpmu annotate -j main                     JSON: lines with their instructions\n",
    .operands = COMPLETE_FILE,
    COMMAND_REPORT(struct annotate_options, table),
    .defaults = &defaults,
    .run = run,
};
