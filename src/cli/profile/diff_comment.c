/* The comment of a pull request: the most important facts first, then all tables, folded. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/profile/annotate_report.h"
#include "cli/profile/diff_report.h"
#include "cli/profile/profile_table.h"
#include "cli/text_wrap.h"

#define EVENTS_NAMED   3
#define TOPDOWN_PREFIX "TOPDOWN_"
#define LINES_NAMED    3
#define ROWS_FOLDED    20 /* of functions, and of lines: a comment has at most 65,536 characters */

enum armpmu_status diff_comment_check(const struct diff_remark *remark,
                                      const struct table_options *options, struct armpmu_error *err)
{
    const char *const name = remark->name;

    if (name == NULL && remark->link != NULL)
        return fail(err, ARMPMU_BAD_CONFIG, "--link needs --comment");
    if (name == NULL)
        return ARMPMU_OK;
    if (options->format != TABLE_TEXT)
        return fail(err, ARMPMU_BAD_CONFIG, "--comment is Markdown: leave %s out",
                    options->chosen_by);
    if (remark->link != NULL && strpbrk(remark->link, "<>\n\r") != NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--link '%.60s': an address without '<', '>' and line ends", remark->link);
    if (name[0] != '\0' && strpbrk(name, "<>`\n\r") == NULL)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "--comment '%.60s': a name without '<', '>', '`' and line ends", name);
}

/* In code, where a quotation mark of that kind would end it. */
static void put_code(const char *text, FILE *stream)
{
    fputc('`', stream);
    for (; *text != '\0'; text++)
        fputc(*text == '`' ? '\'' : *text, stream);
    fputc('`', stream);
}

/* The next row of a kind that changed, after another or NULL. */
static const struct diff_row *next_changed(const struct diff *diff, enum diff_kind kind,
                                           const struct diff_row *last)
{
    for (size_t i = last != NULL ? (size_t)(last - diff->rows) + 1 : 0; i < diff->n_rows; i++)
        if (diff->rows[i].kind == kind &&
            diff->rows[i].changes[0].before != diff->rows[i].changes[0].after)
            return &diff->rows[i];
    return NULL;
}

static void put_events(const struct diff *diff, FILE *stream)
{
    const struct diff_row *row = NULL;
    size_t n = 0;

    while (n < EVENTS_NAMED && (row = next_changed(diff, DIFF_EVENT, row)) != NULL) {
        if (strncmp(row->name, TOPDOWN_PREFIX, strlen(TOPDOWN_PREFIX)) == 0)
            continue; /* a part of the cycles */
        fprintf(stream, "%s%s ", n++ > 0 ? ", " : "", row->name);
        diff_put_change(row, stream);
    }
    fputs(n > 0 ? ".\n" : "Nothing changed.\n", stream);
}

/* Adds up all events of the profile at the line of a row. */
static enum armpmu_status sum_line(const struct diff_side *side, const char *name, uint64_t *sums,
                                   struct armpmu_error *err)
{
    const struct profile *const p = side->profile;
    struct event_choice all;
    struct profile_table table = {.profile = p, .events = &all, .keys = {{KEY_LINE}, 1}};
    enum armpmu_status status = event_choice_make(p, NULL, &all, err);

    if (status == ARMPMU_OK)
        status = profile_table_make(&table, 0, err);
    for (size_t i = 0; status == ARMPMU_OK && i < table.n_groups; i++) {
        char *const found = diff_code_name(p, DIFF_LINE, table.groups[i].insn);
        for (size_t e = 0; found != NULL && strcmp(found, name) == 0 && e < all.n; e++)
            sums[all.events[e]] += table.groups[i].self[e];
        free(found);
    }
    profile_table_free(&table);
    event_choice_free(&all);
    return status;
}

/* Why the line is slow, as annotate says it; of a line that is gone, why it was. */
static enum armpmu_status put_reasons(const struct diff *diff, const struct diff_row *row,
                                      FILE *stream, struct armpmu_error *err)
{
    const struct diff_side *const side = &diff->sides[row->is_in[1]];
    const struct profile *const p = side->profile;
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];
    uint64_t *const sums = calloc((size_t)p->n_events + 1, sizeof *sums);

    if (sums == NULL)
        return fail_no_memory(err, "the comment");
    const enum armpmu_status status = sum_line(side, row->name, sums, err);
    const size_t n = status == ARMPMU_OK ? annotate_line_reasons(p, sums, reasons) : 0;
    for (size_t i = 0; i < n; i++)
        fprintf(stream, "%s %s %s %.1f %% of %s: %s", i > 0 ? ";" : ".",
                p->events[reasons[i].event].name, row->is_in[1] ? "is" : "was", reasons[i].percent,
                reasons[i].of, reasons[i].meaning);
    fputs(".\n", stream);
    free(sums);
    return status;
}

static enum armpmu_status put_lines(const struct diff *diff, FILE *stream, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    const struct diff_row *row = NULL;

    for (size_t n = 0; n < LINES_NAMED && status == ARMPMU_OK; n++) {
        row = next_changed(diff, DIFF_LINE, row);
        if (row == NULL)
            return ARMPMU_OK;
        fputs(n == 0 ? "\n" : "", stream);
        fputs("- ", stream);
        put_code(row->name, stream);
        fprintf(stream, ": %s ", diff->events[0]);
        diff_put_change(row, stream);
        status = put_reasons(diff, row, stream, err);
    }
    return status;
}

enum armpmu_status diff_comment(const struct diff *diff, const struct diff_limits *limits,
                                const struct diff_remark *remark, FILE *stream,
                                struct armpmu_error *err)
{
    const struct table_options how = {.format = TABLE_MD};

    fprintf(stream, "<!-- armpmu diff: %s -->\n### armpmu: `%s`\n", remark->name, remark->name);
    diff_put_versions(diff, "\n", text_wrap_markdown, stream);
    for (size_t i = 0; i < limits->n; i++)
        if (limits->at[i].row != NULL) {
            fputs("\n**Failed**: ", stream);
            diff_put_limit(&limits->at[i], stream);
            fputs(".\n", stream);
        }
    fputc('\n', stream);
    put_events(diff, stream);
    enum armpmu_status status = put_lines(diff, stream, err);
    fputs("\n<details><summary>All events and metrics, functions and lines</summary>\n", stream);
    if (status == ARMPMU_OK)
        status = diff_put_kinds(diff, &how, ROWS_FOLDED, stream, err);
    fputs("\n</details>\n", stream);
    if (remark->link != NULL)
        fprintf(stream, "\n[Page with source and instructions](<%s>)\n", remark->link);
    return status;
}
