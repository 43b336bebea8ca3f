/* cachegrind's output: counts by file, function and line. What has no line is in line 0; a line
 * that was inlined belongs to the function that it was inlined into, as cachegrind has it. */
#include <stdlib.h>

#include "base/order.h"
#include "base/printable.h"
#include "export/export.h"
#include "export/frames.h"

struct cost {
    const char *file, *function;
    struct profile_line line;
    uint32_t function_number, insn;
};

static int in_order(const void *a, const void *b)
{
    const struct cost *const x = a, *const y = b;

    return ORDER(x->line.file, y->line.file, x->function_number, y->function_number, x->line.line,
                 y->line.line, x->insn, y->insn);
}

static struct cost *sorted_costs(const struct profile *p)
{
    struct cost *const costs = calloc(p->n_insns + 1, sizeof *costs);

    for (uint32_t i = 0; costs != NULL && i < p->n_insns; i++) {
        const struct profile_insn *const insn = &p->insns[i];
        const char *const file = frames_file(p, insn->line);
        costs[i] =
            (struct cost){file != NULL ? file : "???", frames_function_name(p, insn->function),
                          insn->line, insn->function, i};
    }
    if (costs != NULL)
        qsort(costs, p->n_insns, sizeof *costs, in_order);
    return costs;
}

static void print_head(const struct export_job *job, FILE *out)
{
    const struct profile_setup *const setup = &job->profile->setup;

    fputs("desc: armpmu " ARMPMU_VERSION ", machine ", out);
    printable_put(setup->machine != NULL ? setup->machine : "not known", out);
    fputs("\ncmd: ", out);
    printable_put(setup->command != NULL ? setup->command : "not known", out);
    export_print_names(job, out);
}

static void print_place(const char *key, const char *name, FILE *out)
{
    fputs(key, out);
    printable_put(name, out);
    fputc('\n', out);
}

static bool is_same_line(const struct cost *a, const struct cost *b)
{
    return a->line.file == b->line.file && a->line.line == b->line.line &&
           a->function_number == b->function_number;
}

static void print_cost(const struct export_job *job, const struct cost *last,
                       const struct cost *cost, const uint64_t *sums, FILE *out)
{
    const bool is_new_file = last == NULL || last->line.file != cost->line.file;

    if (is_new_file)
        print_place("fl=", cost->file, out);
    if (is_new_file || last->function_number != cost->function_number)
        print_place("fn=", cost->function, out);
    fprintf(out, "%u", cost->line.line);
    export_print_sums(job, sums, out);
}

static void print_costs(const struct export_job *job, const struct cost *costs, uint64_t *sums,
                        FILE *out)
{
    const size_t n = job->profile->n_insns, n_events = job->n_events;
    const struct cost *last = NULL;

    for (size_t i = 0; i < n; i++) {
        uint64_t *const sum = sums + costs[i].insn * n_events;
        if (i + 1 < n && is_same_line(&costs[i], &costs[i + 1])) {
            export_add(job, sums + costs[i + 1].insn * n_events, sum);
            continue;
        }
        print_cost(job, last, &costs[i], sum, out);
        last = &costs[i];
    }
}

enum armpmu_status export_cachegrind(const struct export_job *job, FILE *out,
                                     struct armpmu_error *err)
{
    struct cost *const costs = sorted_costs(job->profile);
    uint64_t *const sums = export_sums_by_insn(job);
    const bool done = costs != NULL && sums != NULL;

    if (done) {
        print_head(job, out);
        print_costs(job, costs, sums, out);
        export_print_totals(job, "summary:", out);
    }
    free(costs);
    free(sums);
    return done ? ARMPMU_OK : export_no_memory(err);
}
