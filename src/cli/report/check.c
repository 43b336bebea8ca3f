/* The output of armpmu check: text, JSON, or a page of tables, whose first section is in
 * docs/events.
 */
#include "cli/report/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/report/json_build.h"
#include "cli/text_wrap.h"

static const char *verdict_word(const struct check_report *r, const struct check_verdict *verdict)
{
    if (verdict->n_wrong != 0)
        return "WRONG";
    if (verdict->n_checks != 0)
        return "ok";
    if (verdict->event->fidelity == ARMPMU_INPUT)
        return "input";
    return r->interrupted ? "not run" : "not shown";
}

/* The widest name of what is printed. */
static int name_width(const struct check_verdicts *verdicts)
{
    int width = 0;
    for (size_t i = 0; i < verdicts->n_events; i++)
        if (verdicts->events[i].wanted)
            width = layout_longest(width, verdicts->events[i].event->name);
    return width;
}

static void print_line(const struct check_report *r, const struct check_verdict *verdict, int width)
{
    const char *word = verdict_word(r, verdict);
    const char *paint = !r->color || verdict->n_checks == 0 ? ""
                        : verdict->n_wrong != 0             ? "\033[31m"
                                                            : "\033[32m";
    char number[8];
    snprintf(number, sizeof number, "0x%02X", verdict->event->first);
    fprintf(r->out, "  %-6s  %-*s  %-8s  ", number, width, verdict->event->name,
            armpmu_fidelity_name(verdict->event->fidelity));
    if (verdict->by_count)
        fprintf(r->out, "expected %8" PRId64 "  measured %8" PRId64, verdict->expected,
                verdict->measured);
    else
        fprintf(r->out, "%37s", "");
    fprintf(r->out, "  %s%-9s%s", paint, word, *paint != '\0' ? "\033[m" : "");
    if (verdict->n_checks != 0)
        fprintf(r->out, " %zu check%s", verdict->n_checks, verdict->n_checks == 1 ? "" : "s");
    if (verdict->rule != NULL)
        fprintf(r->out, ", %s %s, %s", verdict->is_change ? "here rising in" : "here",
                verdict->run->program, verdict->run->label);
    if (verdict->rule != NULL && !verdict->by_count)
        fprintf(r->out, ": %s %s %s", verdict->rule->left, verdict->rule->comparison,
                verdict->rule->right);
    putc('\n', r->out);
}

void check_print_text(const struct check_report *r)
{
    const int width = name_width(r->verdicts);
    size_t n_ok = 0, n_wrong = 0, n_other = 0;
    fprintf(r->out, "armpmu check: %s, %zu runs\n\n", r->core->name, r->n_runs);
    for (size_t i = 0; i < r->verdicts->n_events; i++) {
        const struct check_verdict *verdict = &r->verdicts->events[i];
        if (!verdict->wanted)
            continue;
        print_line(r, verdict, width);
        n_wrong += verdict->n_wrong != 0;
        n_ok += verdict->n_wrong == 0 && verdict->n_checks != 0;
        n_other += verdict->n_wrong == 0 && verdict->n_checks == 0;
    }
    putc('\n', r->out);
    for (size_t i = 0; i < r->verdicts->n_complaints; i++)
        fprintf(r->out, "WRONG %s\n", r->verdicts->complaints[i]);
    if (r->left_out != NULL)
        fprintf(r->out, "left out what runs as firmware: %s\n", r->left_out);
    fprintf(r->out,
            "%zu events ok, %zu wrong, %zu that nothing here shows; %zu checks, %zu wrong%s\n",
            n_ok, n_wrong, n_other, r->verdicts->n_checks, r->verdicts->n_wrong,
            r->interrupted ? "; interrupted, the rest was not run" : "");
}

static json_t *verdict_object(const struct check_report *r, const struct check_verdict *verdict)
{
    json_t *object = json_pack("{s:s, s:o, s:s, s:I, s:I, s:s}", "event", verdict->event->name,
                               "number", build_hexadecimal(2, verdict->event->first), "fidelity",
                               armpmu_fidelity_name(verdict->event->fidelity), "checks",
                               (json_int_t)verdict->n_checks, "wrong", (json_int_t)verdict->n_wrong,
                               "verdict", verdict_word(r, verdict));
    if (!verdict->by_count)
        return object;
    object = build_put(object, "expected", json_integer(verdict->expected));
    object = build_put(object, "measured", json_integer(verdict->measured));
    object = build_put(object, "change", json_boolean(verdict->is_change));
    object = build_put(object, "program", build_text(verdict->run->program));
    return build_put(object, "run", build_text(verdict->run->label));
}

enum armpmu_status check_print_json(const struct check_report *r, struct armpmu_error *err)
{
    json_t *array = json_array();
    for (size_t i = 0; i < r->verdicts->n_events; i++)
        if (r->verdicts->events[i].wanted)
            array = build_append(array, verdict_object(r, &r->verdicts->events[i]));
    return build_print(array, r->out)
               ? ARMPMU_OK
               : fail(err, ARMPMU_IO, "check: the output cannot be written, or memory is short");
}

/* ---- a page ---- */

static void print_row(const struct check_verdict *verdict, FILE *out)
{
    const struct check_rule *const rule = verdict->rule;
    fprintf(out, "| 0x%02x | `%s` |", verdict->event->first, verdict->event->name);
    if (rule == NULL) {
        fputs(" | | | |\n", out);
        return;
    }
    fprintf(out, " `%s`, %s%s |", verdict->run->program, verdict->run->label,
            verdict->is_change ? ", what it adds" : "");
    if (verdict->by_count)
        fprintf(out, " %" PRId64 " | %" PRId64 " |", verdict->expected, verdict->measured);
    else
        fprintf(out, " `%s` %s `%s` = %" PRId64 " | %" PRId64 " |", rule->left, rule->comparison,
                rule->right, verdict->expected, verdict->measured);
    fputs(verdict->n_wrong > 0 ? " WRONG |\n" : " ok |\n", out);
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
    for (size_t i = 0; i < r->verdicts->n_events; i++)
        if (r->verdicts->events[i].wanted)
            print_row(&r->verdicts->events[i], r->out);
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
    for (size_t i = 0; i < r->verdicts->n_events; i++)
        if (r->verdicts->events[i].wanted)
            print_claims(r, r->verdicts->events[i].event);
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
