/* The rows of `armpmu whatif`. */
#include "cli/run/whatif.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/text_wrap.h"

#define WIDE_COLUMNS 100

static const struct table_column columns[] = {
    {.key = "cycles-saved", .is_right = true, .is_separated = true, .gap = 1},
    {.key = "percent", .is_right = true, .digits = 1, .gap = 2},
    {.key = "cycles", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "place-before", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "place-after", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "what-if", .is_name = true, .shortens = TABLE_WORDS, .gap = 2},
    {.key = "change", .gap = 2},
};

static bool is_narrow(void)
{
    return text_wrap_columns() > 0 && text_wrap_columns() < WIDE_COLUMNS;
}

/* Text has no columns of places where there is none with cycles of its own, and not the cycles of
 * the whole run where the terminal is too narrow for sentences beside them. Returns how many there
 * are. */
static size_t columns_of(const struct whatif_report *report, enum table_format format,
                         struct table_column *to)
{
    const bool has_cycles = format != TABLE_TEXT || !is_narrow();
    bool has_places = format != TABLE_TEXT;
    size_t n = 0;

    for (size_t i = 0; i < report->cures->n; i++)
        has_places |= report->cures->items[i].knows_before;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if ((has_places || strncmp(columns[i].key, "place-", 6) != 0) &&
            (has_cycles || strcmp(columns[i].key, "cycles") != 0))
            to[n++] = columns[i];
    return n;
}

/* The greatest saving comes first, a trial that cannot be replayed last. */
static int by_cycles(const void *a, const void *b)
{
    const struct whatif_trial *const x = *(const struct whatif_trial *const *)a,
                                     *const y = *(const struct whatif_trial *const *)b;

    if ((x->machine == NULL) != (y->machine == NULL))
        return x->machine == NULL ? 1 : -1;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? -1 : 1;
    if ((x->cures == NULL) != (y->cures == NULL))
        return x->cures == NULL ? 1 : -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The trials of both lists in order; the caller frees it. NULL without memory. */
static const struct whatif_trial **sort(const struct whatif_report *report, size_t *n)
{
    const struct whatif_trials *const lists[] = {report->cures, report->ideals};
    const struct whatif_trial **const sorted =
        calloc(report->cures->n + report->ideals->n + 1, sizeof *sorted);

    *n = 0;
    for (size_t list = 0; sorted != NULL && list < 2; list++)
        for (size_t i = 0; i < lists[list]->n; i++)
            sorted[(*n)++] = &lists[list]->items[i];
    if (*n != 0)
        qsort(sorted, *n, sizeof *sorted, by_cycles);
    return sorted;
}

/* In percent: less than 0 where cycles are saved. */
static double change_of(uint64_t before, uint64_t after)
{
    return before != 0 ? 100.0 * ((double)after - (double)before) / (double)before : NAN;
}

static const char *const cure_names[CURES] = {
#define CURE(id, name, before, after, meaning) [CURE_##id] = (name),
#include "machine/cures.def"
#undef CURE
};

static void put_place(struct report_table *t, const struct whatif_trial *trial)
{
    table_text(t, "place", trial->place);
    table_text(t, "cure", cure_names[trial->cures->kind]);
    if (trial->cures->kind == CURE_PREFETCH)
        table_count(t, "turns", trial->cures->turns);
    if (trial->knows_before)
        table_count(t, "place-before", trial->place_before);
    if (trial->knows_after)
        table_count(t, "place-after", trial->place_after);
}

static void put_trial(struct report_table *t, const struct whatif_report *report,
                      const struct whatif_trial *trial)
{
    const int64_t saved = (int64_t)(report->cycles - trial->cycles);

    table_row(t);
    table_text(t, "what-if", trial->text);
    if (trial->machine == NULL || trial->change != NULL)
        table_text(t, "change", trial->machine != NULL ? trial->change : trial->reason);
    if (trial->machine == NULL)
        return;
    table_count(t, "cycles", trial->cycles);
    table_integer(t, "cycles-saved", saved);
    table_real(t, "percent", change_of(report->cycles, trial->cycles));
    if (trial->cures != NULL)
        put_place(t, trial);
}

static void print_before(const struct whatif_report *report, FILE *stream)
{
    char cycles[TEXT_WRAP_COUNT];

    text_wrap_count(report->cycles, true, cycles);
    fprintf(stream, "\n armpmu whatif: %s cycles of '", cycles);
    printable_put(report->program, stream);
    fprintf(stream, "' on %s,%sreplayed with one thing changed\n\n", report->machine,
            is_narrow() ? "\n   " : " ");
}

static void put_run(struct report_table *t, const struct whatif_report *report)
{
    table_text(t, "program", report->program);
    table_text(t, "machine", report->machine);
    table_count(t, "cycles", report->cycles);
    table_flag(t, "is-complete", report->early == NULL);
    if (report->early != NULL)
        table_text(t, "ended-early", report->early);
}

enum armpmu_status whatif_print(const struct whatif_report *report,
                                const struct table_options *options, FILE *stream,
                                struct armpmu_error *err)
{
    size_t n;
    const struct whatif_trial **const sorted = sort(report, &n);
    struct report_table t;
    struct table_column shown[sizeof columns / sizeof *columns];
    const struct table_form form = {"whatif", "trials", shown,
                                    columns_of(report, options->format, shown),
                                    .has_headings = true};

    if (sorted == NULL)
        return fail_no_memory(err, "the report");
    if (options->format == TABLE_TEXT)
        print_before(report, stream);
    table_begin(&t, options, &form, stream);
    put_run(&t, report);
    for (size_t i = 0; i < n; i++)
        put_trial(&t, report, sorted[i]);
    free(sorted);
    const enum armpmu_status status = table_end(&t, err);
    if (options->format == TABLE_TEXT && report->early != NULL)
        fprintf(stream, "\n Not complete: the program was %s; these are the counts up to then.\n",
                report->early);
    if (options->format == TABLE_TEXT)
        fputc('\n', stream);
    return status;
}
