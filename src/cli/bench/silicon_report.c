/* The report of `armpmu calibrate --compare`, ready to be sent in: where the counts are from, then
 * a row for each event. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/bench/silicon.h"
#include "cli/machine_text.h"
#include "cli/run/report.h"
#include "cli/text_wrap.h"

#define OFF_BY      0.1 /* from here on a row says so */
#define FACT_TEXT   (VERSION_BYTES + 64)
#define REMARK_TEXT 512

static const struct table_column columns[] = {
    {.key = "event", .is_name = true, .gap = 1},
    {.key = "silicon", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "model", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "ratio", .is_right = true, .digits = 3, .gap = 2},
    {.key = "remark", .gap = 2},
};

static const struct table_form form = {"calibrate", "counts", TABLE_COLUMNS(columns),
                                       .has_headings = true};

/* ---- where the counts are from ---- */

enum fact { FACT_CORE, FACT_MIDR, FACT_KERNEL, FACT_PERF, FACT_COMPILER, FACT_MACHINE, FACTS };

static const char *const fact_names[FACTS] = {"core", "midr",     "kernel",
                                              "perf", "compiler", "machine"};

static enum armpmu_status fill_facts(const struct silicon_report *report, char (*texts)[FACT_TEXT],
                                     struct armpmu_error *err)
{
    const struct armpmu_machine *const machine = report->run->machine;
    char *const settings = machine_text(machine);
    char hash[MACHINE_HASH_SIZE];
    struct versions versions;

    if (settings == NULL)
        return fail_no_memory(err, "the report");
    machine_hash(settings, hash);
    free(settings);
    session_versions(report->run, &versions);
    snprintf(texts[FACT_CORE], FACT_TEXT, "%s", armpmu_machine_core(machine)->name);
    for (size_t i = 0; i < PERF_FACTS; i++)
        snprintf(texts[FACT_MIDR + i], FACT_TEXT, "%s",
                 report->counts->facts[i] != NULL ? report->counts->facts[i] : "");
    printable(versions.text[VERSION_COMPILER], texts[FACT_COMPILER], FACT_TEXT);
    snprintf(texts[FACT_MACHINE], FACT_TEXT, "%s, settings %s", armpmu_machine_name(machine), hash);
    return ARMPMU_OK;
}

/* Markdown as an issue has it; before separated values a comment, as perf's. */
static void print_facts(enum table_format format, char (*texts)[FACT_TEXT], FILE *stream)
{
    for (size_t i = 0; i < FACTS; i++) {
        const char *const text = texts[i][0] != '\0' ? texts[i] : "not known";
        if (format == TABLE_TEXT)
            fprintf(stream, " %-9s %s\n", fact_names[i], text);
        else if (format == TABLE_CSV)
            fprintf(stream, "# %s: %s\n", fact_names[i], text);
        else {
            fprintf(stream, "- %s: ", fact_names[i]);
            text_wrap_markdown(text, stream);
            fputc('\n', stream);
        }
    }
    if (format != TABLE_CSV)
        fputc('\n', stream);
}

static void put_facts(struct report_table *t, const struct silicon_report *report,
                      char (*texts)[FACT_TEXT])
{
    table_text(t, "program", report->run->program[0]);
    for (size_t i = 0; i < FACTS; i++)
        if (texts[i][0] != '\0')
            table_text(t, fact_names[i], texts[i]);
    table_flag(t, "is-complete", report->early == NULL);
}

/* ---- the rows ---- */

/* True when perf counted user mode alone: a modifier after the last ':' or '/' says so. */
static bool is_of_user(const char *event)
{
    const char *const colon = strrchr(event, ':'), *const slash = strrchr(event, '/');
    const char *const modifiers = colon > slash ? colon : slash;

    return modifiers != NULL && strchr(modifiers, 'u') != NULL && strchr(modifiers, 'k') == NULL;
}

static void add_remark(char *remark, const char *text)
{
    text_join(remark, REMARK_TEXT, "; ", "%s", text);
}

/* Why silicon has no count, or one of something else. */
static void remark_silicon(const struct perf_count *count, char *remark)
{
    char shared[64];

    if (count->state == PERF_NOT_SUPPORTED)
        add_remark(remark, "silicon does not support it");
    if (count->state == PERF_NOT_COUNTED)
        add_remark(remark, "silicon did not count it");
    if (count->state != PERF_COUNTED)
        return;
    snprintf(shared, sizeof shared, "silicon counted it for %.1f %% of the run", count->percent);
    if (count->percent < 100)
        add_remark(remark, shared);
    if (!is_of_user(count->event))
        add_remark(remark, "silicon includes the kernel's");
}

/* Returns whether the model has a count, else remarks why not. */
static bool remark_model(const struct silicon_report *report, const struct silicon_row *row,
                         char *remark)
{
    if (row->event == NULL) {
        add_remark(remark, row->why);
        return false;
    }
    switch (report_state_of(report->run->machine, true, row->event, row->model)) {
    case REPORT_COUNTED:
        return true;
    case REPORT_NO_INPUT:
    case REPORT_NOT_KNOWN:
        add_remark(remark, "not counted here of a program");
        return false;
    case REPORT_NOT_SUPPORTED:
        add_remark(remark, "counted by the kernel, not by the core");
        return false;
    }
    return false;
}

static void put_silicon(struct report_table *t, const struct perf_count *count)
{
    if (count->state != PERF_COUNTED)
        return;
    if (count->count == floor(count->count))
        table_count(t, "silicon", (uint64_t)count->count);
    else
        table_real(t, "silicon", count->count);
    table_real(t, "percent-counted", count->percent);
}

static void put_row(struct report_table *t, const struct silicon_report *report,
                    const struct silicon_row *row)
{
    const struct perf_count *const silicon = row->silicon;
    char remark[REMARK_TEXT] = "";
    const bool has_model = remark_model(report, row, remark);
    const double ratio = (double)row->model / silicon->count;

    table_row(t);
    table_text(t, "event", row->event != NULL ? row->event->name : silicon->event);
    table_text(t, "asked", silicon->event);
    put_silicon(t, silicon);
    if (has_model)
        table_count(t, "model", row->model);
    if (has_model && silicon->state == PERF_COUNTED && silicon->count > 0) {
        table_real(t, "ratio", ratio);
        if (fabs(ratio - 1) > OFF_BY)
            add_remark(remark, "off by more than a tenth");
    } else if (has_model && silicon->state == PERF_COUNTED && row->model != 0)
        add_remark(remark, "silicon counted none");
    remark_silicon(silicon, remark);
    table_text(t, "remark", remark);
}

static void print_end(const struct silicon_report *report, enum table_format format, FILE *stream)
{
    if (report->early != NULL && format != TABLE_JSON)
        fprintf(stream,
                "%sNot complete: the program was %s; the model's are the counts up to then.\n",
                format == TABLE_CSV ? "# " : "\n", report->early);
    if (format == TABLE_TEXT)
        fputc('\n', stream);
}

enum armpmu_status silicon_print(const struct silicon_report *report,
                                 const struct table_options *how, FILE *stream,
                                 struct armpmu_error *err)
{
    char texts[FACTS][FACT_TEXT] = {""};
    struct report_table t;
    enum armpmu_status status = fill_facts(report, texts, err);

    if (status != ARMPMU_OK)
        return status;
    if (how->format == TABLE_TEXT || how->format == TABLE_MD) {
        fputs(how->format == TABLE_TEXT ? "\n armpmu calibrate: silicon and model, '"
                                        : "Silicon and model, ",
              stream);
        printable_put(report->run->program[0], stream);
        fputs(how->format == TABLE_TEXT ? "'\n\n" : ":\n\n", stream);
    }
    if (how->format != TABLE_JSON)
        print_facts(how->format, texts, stream);
    table_begin(&t, how, &form, stream);
    put_facts(&t, report, texts);
    for (size_t i = 0; i < report->counts->n; i++)
        put_row(&t, report, &report->rows[i]);
    status = table_end(&t, err);
    print_end(report, how->format, stream);
    return status;
}
