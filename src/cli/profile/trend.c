/* armpmu trend: the counts of a program over its commits.
 *
 * Counts are the same in each run, so a change has a cause: every one is a step, however small, and
 * no noise is estimated. */
#include "cli/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/plot.h"
#include "cli/profile/history.h"
#include "cli/table/table.h"
#include "cli/text_wrap.h"
#include "export/export.h"

#define EVENTS_MOST 8
#define SPARKS      40 /* commits of a sparkline, the last ones */
#define KEY_BYTES   128
#define DAY_BYTES   10 /* 2026-11-28 */
#define HASH_BYTES  10 /* of a revision that is a hash; names are whole */

struct trend_options {
    const char *add, *revision, *date, *events, *plot, *badge;
    struct table_options table;
};

static const struct option_row rows[] = {
    {0, "add", "FILE",
     "append this run, of 'armpmu stat --json=1' or 'armpmu record', as a commit; needs --revision",
     OPTION_TEXT_TO(struct trend_options, add), .completes = COMPLETE_FILE},
    {0, "revision", "TEXT", "name of that commit, such as that of 'git rev-parse HEAD'",
     OPTION_TEXT_TO(struct trend_options, revision)},
    {0, "date", "TEXT", "date of that commit, such as that of 'git log -1 --format=%cI'",
     OPTION_TEXT_TO(struct trend_options, date)},
    {'e', "event", "LIST", "events, separated by ','; default cycles and instructions",
     OPTION_TEXT_TO(struct trend_options, events), .completes = COMPLETE_EVENTS},
    {0, "plot", "FILE", "draw the counts over the commits: FILE.svg or FILE.html",
     OPTION_TEXT_TO(struct trend_options, plot), .completes = COMPLETE_FILE},
    {0, "badge", "FILE", "draw a badge with the last count of the first event: FILE.svg",
     OPTION_TEXT_TO(struct trend_options, badge), .completes = COMPLETE_FILE},
    TABLE_ROWS_TO(struct trend_options, table, "text, csv, json or md"),
    TABLE_PAGER_ROW(struct trend_options, table),
    {.kind = OPTION_END},
};

struct trend {
    struct history history;
    const char *events[EVENTS_MOST]; /* names in the history */
    size_t n_events;
    /* The columns of percent have a key of their own. */
    struct table_column columns[3 + 2 * EVENTS_MOST];
    char keys[EVENTS_MOST][KEY_BYTES];
    bool is_short; /* of memory: a cause is missing */
};

/* ---- events ---- */

static enum armpmu_status choose_event(struct trend *t, const char *wanted,
                                       struct armpmu_error *err)
{
    const char *name = history_event(&t->history, wanted, NULL);

    if (name == NULL)
        return fail(err, ARMPMU_NOT_FOUND, "-e '%.60s': no event of the last commit", wanted);
    for (; name != NULL; name = history_event(&t->history, wanted, name)) {
        if (t->n_events == EVENTS_MOST)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "-e '%.60s': more than %d events: name the others in another call", wanted,
                        EVENTS_MOST);
        t->events[t->n_events++] = name;
    }
    return ARMPMU_OK;
}

static enum armpmu_status choose_listed(struct trend *t, const char *list, struct armpmu_error *err)
{
    char *const copy = strdup(list);
    char *rest = copy;
    enum armpmu_status status = copy != NULL ? ARMPMU_OK : fail_no_memory(err, "the events");

    for (char *word; status == ARMPMU_OK && (word = strsep(&rest, ",")) != NULL;)
        status = choose_event(t, word, err);
    free(copy);
    return status;
}

static enum armpmu_status choose_events(struct trend *t, const char *list, struct armpmu_error *err)
{
    static const char *const usual[] = {"cycles", "instructions", "*"};

    if (list != NULL)
        return choose_listed(t, list, err);
    for (size_t i = 0; i < 3 && (i < 2 || t->n_events == 0); i++)
        for (const char *name = history_event(&t->history, usual[i], NULL);
             name != NULL && t->n_events < EVENTS_MOST && (i < 2 || t->n_events == 0);
             name = history_event(&t->history, usual[i], name))
            t->events[t->n_events++] = name;
    return t->n_events > 0 ? ARMPMU_OK
                           : fail(err, ARMPMU_NOT_FOUND,
                                  "no cycles or instructions in the history: name others "
                                  "with -e");
}

/* Percent by which an event of a commit differs from that of an earlier one; NAN: it does not, or
 * one of them lacks it. */
static double step_of(const struct trend *t, size_t event, size_t before, size_t after)
{
    uint64_t was, is;

    if (!history_count(&t->history.commits[before], t->events[event], &was) ||
        !history_count(&t->history.commits[after], t->events[event], &is) || was == is)
        return NAN;
    return was != 0 ? 100 * ((double)is - (double)was) / (double)was : INFINITY;
}

/* ---- the table ---- */

static void put_spark(const struct trend *t, size_t event, FILE *stream)
{
    static const char *const levels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const struct history *const h = &t->history;
    const size_t first = h->n > SPARKS ? h->n - SPARKS : 0;
    uint64_t low = UINT64_MAX, high = 0, count;

    for (size_t i = first; i < h->n; i++)
        if (history_count(&h->commits[i], t->events[event], &count)) {
            low = count < low ? count : low;
            high = count > high ? count : high;
        }
    for (size_t i = first; i < h->n; i++) {
        const bool is_there = history_count(&h->commits[i], t->events[event], &count);
        const double share = high > low ? (double)(count - low) / (double)(high - low) : 0;
        fputs(is_there ? levels[(size_t)(share * 7.99)] : " ", stream);
    }
}

static void put_sparks(const struct trend *t, FILE *stream)
{
    const struct history *const h = &t->history;
    int width = 0;

    fputs(" armpmu trend: ", stream);
    printable_put(h->path, stream);
    fprintf(stream, ", %zu commit%s\n\n", h->n, h->n == 1 ? "" : "s");
    for (size_t i = 0; i < t->n_events; i++)
        width = text_wrap_longest(width, t->events[i]);
    for (size_t i = 0; i < t->n_events; i++) {
        const double change = step_of(t, i, 0, h->n - 1);
        fputc(' ', stream);
        text_wrap_name(false, t->events[i], width + 2, stream);
        put_spark(t, i, stream);
        if (isfinite(change))
            fprintf(stream, "  %+.2f %% since the first commit", change);
        fputc('\n', stream);
    }
    fputc('\n', stream);
}

static size_t make_columns(struct trend *t)
{
    struct table_column *column = t->columns;

    *column++ = (struct table_column){.key = "date", .gap = 1};
    *column++ = (struct table_column){.key = "revision", .gap = 2};
    for (size_t i = 0; i < t->n_events; i++) {
        snprintf(t->keys[i], KEY_BYTES, "%.100s.percent", t->events[i]);
        *column++ = (struct table_column){
            .key = t->events[i], .is_right = true, .is_separated = true, .gap = 2};
        *column++ = (struct table_column){
            .key = t->keys[i], .name = "%", .is_right = true, .digits = 2, .gap = 2};
    }
    *column++ = (struct table_column){.key = "cause", .gap = 2};
    return (size_t)(column - t->columns);
}

static void put_counts(struct trend *t, size_t commit, struct report_table *table)
{
    uint64_t count;

    for (size_t i = 0; i < t->n_events; i++) {
        const double step = commit > 0 ? step_of(t, i, commit - 1, commit) : NAN;
        if (history_count(&t->history.commits[commit], t->events[i], &count))
            table_count(table, t->events[i], count);
        table_paint(table, step > 0 ? TABLE_RED : TABLE_GREEN);
        if (isfinite(step))
            table_real(table, t->keys[i], step);
        table_paint(table, TABLE_PLAIN);
    }
}

/* The causes at a commit other than changes of the source; NULL: none. The caller frees it. */
static char *causes_of(struct trend *t, size_t commit)
{
    char *causes = NULL;
    size_t size = 0;
    FILE *const stream = commit > 0 ? memory_stream_open(&causes, &size) : NULL;

    if (stream != NULL) {
        history_put_causes(&t->history.commits[commit - 1], &t->history.commits[commit], stream);
        (void)memory_stream_close(stream, &causes);
    }
    t->is_short = t->is_short || (commit > 0 && causes == NULL);
    if (size > 0)
        return causes;
    free(causes);
    return NULL;
}

/* The first digits of a hash; any other name itself. */
static const char *short_revision(const char *revision, char digits[HASH_BYTES + 1])
{
    const size_t n = strlen(revision);

    if ((n != 40 && n != 64) || strspn(revision, "0123456789abcdef") != n)
        return revision;
    memcpy(digits, revision, HASH_BYTES);
    digits[HASH_BYTES] = '\0';
    return digits;
}

/* People see the day and the first digits of a revision, and causes below the table. */
static void put_commit(struct trend *t, size_t commit, bool is_text, struct report_table *table)
{
    const struct history_commit *const c = &t->history.commits[commit];
    char *const causes = is_text ? NULL : causes_of(t, commit);
    char day[DAY_BYTES + 1], digits[HASH_BYTES + 1];

    snprintf(day, sizeof day, "%s", c->date);
    table_row(table);
    table_text(table, "date", is_text ? day : c->date);
    table_text(table, "revision", is_text ? short_revision(c->revision, digits) : c->revision);
    put_counts(t, commit, table);
    if (causes != NULL)
        table_text(table, "cause", causes);
    free(causes);
}

static void put_causes(struct trend *t, FILE *stream)
{
    bool is_any = false;

    for (size_t i = 1; i < t->history.n; i++) {
        char *const causes = causes_of(t, i);
        char *const shown = causes != NULL ? printable_copy(causes) : NULL;
        char digits[HASH_BYTES + 1];
        const char *const revision = short_revision(t->history.commits[i].revision, digits);
        t->is_short = t->is_short || (causes != NULL && shown == NULL);
        if (shown != NULL) {
            fputs(is_any ? "" : "\n", stream);
            fputc(' ', stream);
            printable_put(revision, stream);
            fputs(": ", stream);
            text_wrap_fitted(shown, (int)strlen(revision) + 3, 3, stream);
            is_any = true;
        }
        free(shown);
        free(causes);
    }
}

static enum armpmu_status print(struct trend *t, const struct table_options *options, FILE *stream,
                                struct armpmu_error *err)
{
    const bool is_text = options->format == TABLE_TEXT;
    const struct table_form form = {"trend", "commits", t->columns, make_columns(t) - is_text,
                                    .has_headings = true};
    struct report_table table;

    if (is_text)
        put_sparks(t, stream);
    table_begin(&table, options, &form, stream);
    for (size_t i = 0; i < t->history.n; i++)
        put_commit(t, i, is_text, &table);
    const enum armpmu_status status = table_end(&table, err);
    if (is_text)
        put_causes(t, stream);
    return status == ARMPMU_OK && t->is_short ? fail_no_memory(err, "the causes") : status;
}

/* ---- pictures ---- */

static const char *event_name(const void *user, size_t event)
{
    return ((const struct trend *)user)->events[event];
}

static const char *revision_of(const void *user, size_t commit)
{
    return ((const struct trend *)user)->history.commits[commit].revision;
}

static uint64_t count_of(const void *user, size_t event, size_t curve, size_t commit)
{
    const struct trend *const t = user;
    uint64_t count;

    (void)curve;
    (void)history_count(&t->history.commits[commit], t->events[event], &count);
    return count;
}

static enum armpmu_status check_plot(const struct trend *t, struct armpmu_error *err)
{
    uint64_t count;

    for (size_t i = 0; i < t->history.n; i++)
        for (size_t e = 0; e < t->n_events; e++)
            if (!history_count(&t->history.commits[i], t->events[e], &count))
                return fail(err, ARMPMU_NOT_FOUND,
                            "--plot: commit %.60s has no %s: leave that out with -e",
                            t->history.commits[i].revision, t->events[e]);
    return ARMPMU_OK;
}

static enum armpmu_status print_data(const void *user, FILE *stream, struct armpmu_error *err)
{
    static const struct table_options json = {.format = TABLE_JSON, .is_document = true};

    fputs("{\"trend\":", stream);
    const enum armpmu_status status = print(*(struct trend *const *)user, &json, stream, err);
    fputs("}\n", stream);
    return status;
}

static enum armpmu_status draw_plot(struct trend *t, const char *file, FILE *stream,
                                    struct armpmu_error *err)
{
    const struct plot plot = {
        .x_name = "commit",
        .n_panels = t->n_events,
        .n_curves = 1,
        .n_x = t->history.n,
        .label_bytes = 8,
        .fits = true,
        .panel = event_name,
        .x_value = revision_of,
        .count = count_of,
        .user = t,
    };

    if (plot_is_page(file))
        return export_html_page(print_data, &t, stream, err);
    plot_draw(&plot, stream);
    return ARMPMU_OK;
}

/* "72.1 M". */
static void put_short(uint64_t count, char *text, size_t size)
{
    static const char units[] = "\0kMGT";
    double rest = (double)count;
    size_t unit = 0;

    for (; rest >= 999.95 && unit < 4; unit++)
        rest /= 1000;
    snprintf(text, size, "%.*f%s%.1s", unit == 0 ? 0 : 1, rest, unit == 0 ? "" : " ", &units[unit]);
}

/* The event and its last count, red where that rose, green where it fell. */
static void draw_badge(const struct trend *t, FILE *stream)
{
    const struct history *const h = &t->history;
    const double step = h->n > 1 ? step_of(t, 0, h->n - 2, h->n - 1) : NAN;
    const char *const color = isnan(step) ? "#4c566a" : step > 0 ? "#b3261e" : "#1b6e3c";
    char value[64];
    enum { CHAR = 7, PAD = 6 };

    put_short(count_of(t, 0, 0, h->n - 1), value, sizeof value);
    if (isfinite(step))
        text_join(value, sizeof value, " ", "(%+.2f %%)", step);
    const size_t left = strlen(t->events[0]) * CHAR + 2 * PAD,
                 right = strlen(value) * CHAR + 2 * PAD;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"20\" role=\"img\" "
            "font-family=\"sans-serif\" font-size=\"11\" fill=\"#fff\">\n<title>",
            left + right);
    plot_text(t->events[0], stream);
    fprintf(stream, ": %s</title>\n<rect width=\"%zu\" height=\"20\" fill=\"#333\"/>\n", value,
            left);
    fprintf(stream, "<rect x=\"%zu\" width=\"%zu\" height=\"20\" fill=\"%s\"/>\n", left, right,
            color);
    fprintf(stream, "<text x=\"%d\" y=\"14\" textLength=\"%zu\">", PAD, left - 2 * PAD);
    plot_text(t->events[0], stream);
    fprintf(stream, "</text>\n<text x=\"%zu\" y=\"14\" textLength=\"%zu\">%s</text>\n</svg>\n",
            left + PAD, right - 2 * PAD, value);
}

/* Draws a picture to a file: a badge, or a plot where is_plot. */
static enum armpmu_status draw(struct trend *t, const char *file, bool is_plot,
                               struct armpmu_error *err)
{
    struct output output;
    enum armpmu_status status =
        output_open(&output, is_plot ? "--plot" : "--badge", file, false, err);

    if (status != ARMPMU_OK)
        return status;
    if (is_plot)
        status = draw_plot(t, file, output.stream, err);
    else
        draw_badge(t, output.stream);
    if (status == ARMPMU_OK)
        return output_close(&output, err);
    output_discard(&output);
    return status;
}

/* ---- the command ---- */

static enum armpmu_status add(const struct trend_options *o, const char *path,
                              struct armpmu_error *err)
{
    struct diff_side run;

    if (o->add == NULL || o->revision == NULL || o->revision[0] == '\0')
        return fail(err, ARMPMU_BAD_CONFIG, "%s: give both --add and --revision",
                    o->add != NULL ? "--add" : "--revision or --date");
    enum armpmu_status status = diff_side_read(&run, o->add, err);
    if (status == ARMPMU_OK)
        status = history_append(path, &run, o->revision, o->date, err);
    diff_side_free(&run);
    return status;
}

static enum armpmu_status check_pictures(const struct trend_options *o, struct armpmu_error *err)
{
    const char *const ending = o->badge != NULL ? strrchr(o->badge, '.') : NULL;

    if (o->badge != NULL && (ending == NULL || strcmp(ending, ".svg") != 0))
        return fail(err, ARMPMU_BAD_CONFIG, "--badge %s: the name must end in .svg", o->badge);
    return plot_check("--plot", o->plot, err);
}

static enum armpmu_status show(struct trend *t, const struct trend_options *o, const char *path,
                               FILE *out, struct armpmu_error *err)
{
    enum armpmu_status status = check_pictures(o, err);

    if (status == ARMPMU_OK && (o->add != NULL || o->revision != NULL || o->date != NULL))
        status = add(o, path, err);
    if (status == ARMPMU_OK)
        status = history_read(&t->history, path, err);
    if (status == ARMPMU_OK)
        status = choose_events(t, o->events, err);
    if (status == ARMPMU_OK && o->plot != NULL)
        status = check_plot(t, err);
    if (status == ARMPMU_OK)
        status = print(t, &o->table, out, err);
    if (status == ARMPMU_OK && o->plot != NULL)
        status = draw(t, o->plot, true, err);
    if (status == ARMPMU_OK && o->badge != NULL)
        status = draw(t, o->badge, false, err);
    return status;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct trend t = {.n_events = 0};

    if (operands[0] == NULL || operands[1] != NULL)
        return GIVE_UP("trend: one file, the history; see 'armpmu help trend'");
    const enum armpmu_status status = show(&t, options, operands[0], out, err);
    history_free(&t.history);
    return command_exit(status);
}

static const struct trend_options defaults = {.table = {.wants_pager = true}};

const struct command command_trend = {
    .name = "trend",
    .summary = "show counts over the commits of a program",
    .synopsis = "trend [-e LIST] [--plot FILE] [--badge FILE] [-x SEP | -j | --format=FORMAT] "
                "HISTORY\n"
                "trend --add FILE --revision TEXT [--date TEXT] HISTORY",
    .text = "Shows how counts changed from commit to commit. The history file has a line of JSON\n"
            "for each commit; --add appends one. Counts are exact, so every change is a step. If\n"
            "the compiler, the C library, QEMU or the machine changed, the report names it;\n"
            "otherwise the program's source is the cause.\n",
    .options = rows,
    .notes = "For example:\n"
             "  armpmu stat --stable --json=1 -o counts.json -- ./bench\n"
             "  armpmu trend --add counts.json --revision $(git rev-parse HEAD) history.jsonl\n"
             "  armpmu trend --plot trend.html --badge cycles.svg history.jsonl\n",
    .operands = COMPLETE_FILE,
    COMMAND_REPORT(struct trend_options, table),
    .defaults = &defaults,
    .run = run,
};
