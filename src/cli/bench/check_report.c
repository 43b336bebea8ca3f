/* The output of armpmu check: text, rows of a table, or a page of tables, whose first section is in
 * docs/events. */
#include "cli/bench/check_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/text_wrap.h"

static const char *comparison_word(const struct check_report *r,
                                   const struct check_comparison *comparison)
{
    if (comparison->n_wrong != 0)
        return "WRONG";
    if (comparison->n_checks != 0)
        return "ok";
    if (comparison->event->fidelity == ARMPMU_INPUT)
        return "input";
    return r->interrupted ? "not run" : "not shown";
}

/* The widest name of what is printed. */
static int name_width(const struct check_comparisons *comparisons)
{
    int width = 0;
    for (size_t i = 0; i < comparisons->n_events; i++)
        if (comparisons->events[i].wanted)
            width = text_wrap_longest(width, comparisons->events[i].event->name);
    return width;
}

static void print_line(const struct check_report *r, const struct check_comparison *comparison,
                       int width)
{
    const char *word = comparison_word(r, comparison);
    const char *paint = !r->color || comparison->n_checks == 0 ? ""
                        : comparison->n_wrong != 0             ? "\033[31m"
                                                               : "\033[32m";
    char number[8];
    snprintf(number, sizeof number, "0x%02X", comparison->event->first);
    fprintf(r->out, "  %-6s  %-*s  %-8s  ", number, width, comparison->event->name,
            armpmu_fidelity_name(comparison->event->fidelity));
    if (comparison->by_count)
        fprintf(r->out, "expected %8" PRId64 "  measured %8" PRId64, comparison->expected,
                comparison->measured);
    else
        fprintf(r->out, "%37s", "");
    fprintf(r->out, "  %s%-9s%s", paint, word, *paint != '\0' ? "\033[m" : "");
    if (comparison->n_checks != 0)
        fprintf(r->out, " %zu check%s", comparison->n_checks, comparison->n_checks == 1 ? "" : "s");
    if (comparison->rule != NULL)
        fprintf(r->out, ", %s %s, %s", comparison->is_change ? "here rising in" : "here",
                comparison->run->program, comparison->run->label);
    if (comparison->rule != NULL && !comparison->by_count)
        fprintf(r->out, ": %s %s %s", comparison->rule->left, comparison->rule->relation,
                comparison->rule->right);
    putc('\n', r->out);
}

void check_print_text(const struct check_report *r)
{
    const int width = name_width(r->comparisons);
    size_t n_ok = 0, n_wrong = 0, n_other = 0;
    fprintf(r->out, "armpmu check: %s, %zu runs\n\n", r->core->name, r->n_runs);
    for (size_t i = 0; i < r->comparisons->n_events; i++) {
        const struct check_comparison *comparison = &r->comparisons->events[i];
        if (!comparison->wanted)
            continue;
        print_line(r, comparison, width);
        n_wrong += comparison->n_wrong != 0;
        n_ok += comparison->n_wrong == 0 && comparison->n_checks != 0;
        n_other += comparison->n_wrong == 0 && comparison->n_checks == 0;
    }
    putc('\n', r->out);
    for (size_t i = 0; i < r->comparisons->n_complaints; i++)
        fprintf(r->out, "WRONG %s\n", r->comparisons->complaints[i]);
    if (r->left_out != NULL)
        fprintf(r->out, "firmware programs left out: %s\n", r->left_out);
    fprintf(r->out,
            "%zu events ok, %zu wrong, %zu that nothing here shows; %zu checks, %zu wrong%s\n",
            n_ok, n_wrong, n_other, r->comparisons->n_checks, r->comparisons->n_wrong,
            r->interrupted ? "; interrupted, the rest was not run" : "");
}

/* ---- rows ---- */

static void put_row(struct report_table *t, const struct check_report *r,
                    const struct check_comparison *comparison)
{
    table_row(t);
    table_text(t, "event", comparison->event->name);
    table_hex(t, "number", 2, comparison->event->first);
    table_text(t, "fidelity", armpmu_fidelity_name(comparison->event->fidelity));
    table_count(t, "checks", comparison->n_checks);
    table_count(t, "wrong", comparison->n_wrong);
    table_text(t, "verdict", comparison_word(r, comparison));
    if (!comparison->by_count)
        return;
    table_integer(t, "expected", comparison->expected);
    table_integer(t, "measured", comparison->measured);
    table_flag(t, "change", comparison->is_change);
    table_text(t, "program", comparison->run->program);
    table_text(t, "run", comparison->run->label);
}

enum armpmu_status check_print_rows(const struct check_report *r,
                                    const struct table_options *options, struct armpmu_error *err)
{
    static const struct table_form form = {
        "check", "events",
        .keys = "event number fidelity checks wrong verdict expected measured change program run"};
    struct report_table t;

    table_begin(&t, options, &form, r->out);
    table_text(&t, "core", r->core->name);
    table_flag(&t, "interrupted", r->interrupted);
    for (size_t i = 0; i < r->comparisons->n_events; i++)
        if (r->comparisons->events[i].wanted)
            put_row(&t, r, &r->comparisons->events[i]);
    return table_end(&t, err);
}

/* ---- a page ---- */

static void print_row(const struct check_comparison *comparison, FILE *out)
{
    const struct check_rule *const rule = comparison->rule;
    fprintf(out, "| 0x%02x | `%s` |", comparison->event->first, comparison->event->name);
    if (rule == NULL) {
        fputs(" | | | |\n", out);
        return;
    }
    fprintf(out, " `%s`, %s%s |", comparison->run->program, comparison->run->label,
            comparison->is_change ? ", what it adds" : "");
    if (comparison->by_count)
        fprintf(out, " %" PRId64 " | %" PRId64 " |", comparison->expected, comparison->measured);
    else
        fprintf(out, " `%s` %s `%s` = %" PRId64 " | %" PRId64 " |", rule->left, rule->relation,
                rule->right, comparison->expected, comparison->measured);
    fputs(comparison->n_wrong > 0 ? " WRONG |\n" : " ok |\n", out);
}

static void print_evidence(const struct check_report *r)
{
    fprintf(
        r->out,
        "## Evidence\n\n"
        "What `armpmu check --core %s` expects by arithmetic and measures, in one run of the many "
        "that check\nthe event. The programs, with the arithmetic beside them, are in "
        "[tests/directed](../../tests/directed).\n\n"
        "| No. | Name | Program, run | Expected | Measured | Verdict |\n"
        "|---|---|---|---|---|---|\n",
        r->core->name);
    for (size_t i = 0; i < r->comparisons->n_events; i++)
        if (r->comparisons->events[i].wanted)
            print_row(&r->comparisons->events[i], r->out);
}

/* A program's runs lie side by side in the set. */
static bool is_first_of_program(const struct check_set *set, size_t i)
{
    return i == 0 || strcmp(set->runs[i].program, set->runs[i - 1].program) != 0;
}

static void print_claims(const struct check_report *r, const struct armpmu_event *event)
{
    char head[160];
    snprintf(head, sizeof head, "0x%02x `%s`", event->first, event->name);
    for (size_t i = 0; i < r->set->n_runs; i++) {
        const struct check_run *run = &r->set->runs[i];
        for (size_t c = 0; r->done[i] && is_first_of_program(r->set, i) && c < run->n_claims; c++) {
            if (run->claims[c].event != event->first)
                continue;
            fprintf(r->out, "| %s | %s | `%s` |\n", head, run->claims[c].sentence, run->program);
            head[0] = '\0';
        }
    }
}

static void print_shown(const struct check_report *r)
{
    fputs("\n## What each program shows\n\n"
          "| Event | What is shown | Program |\n"
          "|---|---|---|\n",
          r->out);
    for (size_t i = 0; i < r->comparisons->n_events; i++)
        if (r->comparisons->events[i].wanted)
            print_claims(r, r->comparisons->events[i].event);
}

static double round_figure(const struct check_report *r, size_t i, const char *name)
{
    const struct armpmu_event *event = armpmu_event_by_name(r->core, name);
    const struct check_run *run = &r->set->runs[i];
    if (event == NULL)
        return 0;
    return (double)(armpmu_event_count(event, r->signals[i]) -
                    armpmu_event_count(event, r->signals[run->change_since])) /
           run->kernel.rounds;
}

static void print_kernel(const struct check_report *r, size_t i)
{
    const struct check_kernel *kernel = &r->set->runs[i].kernel;
    const double instructions = round_figure(r, i, kernel->instructions);
    const double cycles = round_figure(r, i, kernel->cycles);
    const bool right =
        instructions == kernel->expected_instructions && cycles == kernel->expected_cycles;
    fprintf(r->out, "| `%s` | %s: %s | %.10g | %d | %.10g | %.3f%s |\n", r->set->runs[i].program,
            kernel->name, kernel->work, instructions, kernel->expected_cycles, cycles,
            cycles / instructions, right ? "" : " WRONG");
}

static bool shows_kernel(const struct check_report *r, const struct check_run *run)
{
    return run->kernel.name != NULL && run->change_since >= 0 && r->done[run - r->set->runs] &&
           r->done[run->change_since];
}

static void print_kernels(const struct check_report *r)
{
    const char *head =
        "\n## Kernels\n\n"
        "What a round of a small loop takes: the difference of two runs by that of their "
        "rounds.\n\n"
        "| Program | Kernel and what a round does | Instructions | Cycles by arithmetic "
        "| Cycles measured | CPI measured |\n"
        "|---|---|---:|---:|---:|---:|\n";
    for (size_t i = 0; i < r->set->n_runs; i++) {
        if (!shows_kernel(r, &r->set->runs[i]))
            continue;
        fputs(head, r->out);
        head = "";
        print_kernel(r, i);
    }
}

void check_print_page(const struct check_report *r)
{
    print_evidence(r);
    print_shown(r);
    print_kernels(r);
}
