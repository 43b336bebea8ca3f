/* armpmu diff: what changed between two runs. */
#include <stdlib.h>

#include "cli/profile/comparison.h"
#include "cli/commands.h"
#include "cli/profile/profile_input.h"
#include "cli/profile/diff_report.h"

struct diff_options {
    const char *events;
    double limit;
    struct option_list limits;
    struct diff_remark remark;
    struct table_options table;
    bool force;
};

static enum armpmu_status set_format(void *options, const char *option, const char *value,
                                     struct armpmu_error *err)
{
    return table_options_set_word(options, diff_formats, option, value, err);
}

static const struct option_row rows[] = {
    {'e', "event", "LIST",
     "events, separated by ',', by which functions and lines are compared; default cycles",
     OPTION_TEXT_TO(struct diff_options, events), .completes = COMPLETE_EVENTS},
    FOREIGN_FILE_ROW(struct diff_options, force),
    {0, "percent-limit", "PCT",
     "leave out functions and lines that changed by less than this percentage of each event's "
     "total; default 0.01",
     OPTION_CALL_TO(struct diff_options, limit, profile_set_limit)},
    {0, "fail-above", "NAME=PCT",
     "exit status 3 if this event or metric rose by more; may be given several times",
     OPTION_LIST_TO(struct diff_options, limits)},
    {0, "format", "FORMAT",
     "text, csv, json, md, github (annotations for exceeded limits of --fail-above), or html (a "
     "page "
     "for a browser, from files of record)",
     OPTION_CALL_TO(struct diff_options, table, set_format), .words = diff_formats},
    {0, "comment", "NAME",
     "Markdown for the comment of a pull request: the largest changes with their causes, all "
     "tables "
     "folded; NAME identifies the comment",
     OPTION_TEXT_TO(struct diff_options, remark.name)},
    {0, "link", "URL", "with --comment: address of the page of 'armpmu convert --to html'",
     OPTION_TEXT_TO(struct diff_options, remark.link)},
    {OPTION_ROWS_TO(struct diff_options, table, table_rows)},
    TABLE_PAGER_ROW(struct diff_options, table),
    {.kind = OPTION_END},
};

/* ---- the command ---- */

static enum armpmu_status compare(const struct diff_options *o, struct comparison *c,
                                  char *const *paths, FILE *out, struct armpmu_error *err)
{
    enum armpmu_status status = comparison_limits(c, &o->limits, err);
    char *usual = NULL;

    if (status == ARMPMU_OK)
        status = diff_comment_check(&o->remark, &o->table, err);
    c->diff.sides[0].force = c->diff.sides[1].force = o->force;
    if (status == ARMPMU_OK)
        status = diff_side_read(&c->diff.sides[0], paths[0], err);
    if (status == ARMPMU_OK)
        status = diff_side_read(&c->diff.sides[1], paths[1], err);
    if (status == ARMPMU_OK && o->table.format == TABLE_PAGE && o->events == NULL)
        status = diff_page_events(&c->diff, &usual, err);
    if (status == ARMPMU_OK)
        status = diff_compare(&c->diff, usual != NULL ? usual : o->events, o->limit, err);
    free(usual);
    if (status == ARMPMU_OK)
        status = comparison_judge(c, err);
    if (status == ARMPMU_OK)
        status = o->remark.name != NULL ? diff_comment(&c->diff, &c->limits, &o->remark, out, err)
                                        : diff_print(&c->diff, &c->limits, &o->table, out, err);
    if (status == ARMPMU_OK)
        status = comparison_say(c, o->table.format, err);
    return status;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct comparison comparison = {.has_failed = false};

    if (operands[0] == NULL || operands[1] == NULL || operands[2] != NULL)
        return GIVE_UP("diff: two files are compared, before and after; see 'armpmu help diff'");
    const enum armpmu_status status = compare(options, &comparison, operands, out, err);
    comparison_free(&comparison);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    return comparison.has_failed ? EXIT_ROSE : 0;
}

static const struct diff_options defaults = {.limit = 0.01, .table = {.wants_pager = true}};

const struct command command_diff = {
    .name = "diff",
    .summary = "compare two runs, and fail if something rose",
    .synopsis =
        "diff [-e LIST] [--fail-above NAME=PCT]... [-x SEP | -j | --format=FORMAT] BEFORE AFTER",
    .text = "Compares two files of 'armpmu record' or outputs of 'armpmu stat -j': the events,\n"
            "metrics, functions and lines that changed, largest change first. Counts are\n"
            "exact, so a change is never noise. Lines are matched by file name and number.\n",
    .options = rows,
    .notes = "For example:\n"
             "  armpmu diff before.data after.data\n"
             "  armpmu diff -e cycles,L1D_CACHE_REFILL before.data after.data\n"
             "  armpmu diff --fail-above cycles=2 --fail-above l1d_miss_rate=5 old.json new.json\n"
             "  armpmu diff --format=github --fail-above cycles=2 before.data after.data\n"
             "  armpmu diff --format=html -o changes.html before.data after.data\n",
    .operands = COMPLETE_FILE,
    .ends = ENDS_ROSE,
    COMMAND_REPORT(struct diff_options, table),
    .defaults = &defaults,
    .run = run,
};
