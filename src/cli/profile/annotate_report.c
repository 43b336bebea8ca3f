#include "cli/profile/annotate_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/order.h"
#include "cli/profile/profile_table.h"
#include "cli/suggest.h"

#define COST_EVENTS 2 /* beside the first, where armpmu chooses */

/* ---- counts ---- */

static bool add_up(struct annotation *a)
{
    const struct profile *const p = a->profile;

    a->sums = calloc(p->n_insns * p->n_events + 1, sizeof *a->sums);
    if (a->sums == NULL)
        return false;
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct profile_row *const row = &p->rows[i];
        for (uint32_t j = row->first_count; j < row->first_count + row->n_counts; j++)
            a->sums[row->insn * p->n_events + p->counts[j].event] += p->counts[j].n;
    }
    return true;
}

/* ---- events ---- */

static bool is_chosen(const struct event_choice *events, uint32_t event)
{
    for (size_t i = 0; i < events->n; i++)
        if (events->events[i] == event)
            return true;
    return false;
}

/* Finds what costs most of these events, or of all for NULL. False where none costs anything. */
static bool choose_one(struct annotation *a, const uint64_t *counts, const bool *are_bad)
{
    uint32_t best = PROFILE_NONE;
    double most = 0;

    for (uint32_t i = 0; i < a->profile->n_events; i++) {
        const bool is_left = !is_chosen(a->events, i) && (are_bad == NULL || are_bad[i]);
        const double found = is_left ? annotate_cost(a->profile, counts, i) : 0;
        if (found > most) {
            best = i;
            most = found;
        }
    }
    if (best != PROFILE_NONE)
        a->events->events[a->events->n++] = best;
    return best != PROFILE_NONE;
}

/* Cycles, with which the events begin, then what is bad in what is shown, as '^' says it of lines;
 * then what costs most there. There is room for all. False without memory. */
static bool choose(struct annotation *a)
{
    const size_t n_events = a->profile->n_events;
    uint64_t *const counts = calloc(n_events + 1, sizeof *counts);
    bool *const are_bad = calloc(n_events + 1, sizeof *are_bad);
    const bool has_memory = counts != NULL && are_bad != NULL;
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST];

    for (size_t i = 0; i < a->n && has_memory; i++)
        for (size_t event = 0; event < n_events; event++)
            counts[event] += a->sums[a->insns[i] * n_events + event];
    a->events->n = a->events->n > 0 ? 1 : 0;
    for (size_t i = has_memory ? annotate_line_reasons(a->profile, counts, reasons) : 0; i-- > 0;)
        are_bad[reasons[i].event] = true;
    for (int i = 0; i < COST_EVENTS && has_memory; i++)
        if (!choose_one(a, counts, are_bad))
            (void)choose_one(a, counts, NULL);
    free(counts);
    free(are_bad);
    return has_memory;
}

/* ---- what is shown ---- */

static bool is_function(const struct profile *p, uint32_t insn, const char *name)
{
    const uint32_t number = p->insns[insn].function;

    if (number == PROFILE_NONE)
        return false;
    const struct profile_function *const function = &p->functions[number];
    const size_t n = strcspn(function->name, "(."); /* parameters, or a copy: ".constprop.0" */
    return strcmp(function->name, name) == 0 || strcmp(function->symbol, name) == 0 ||
           (strlen(name) == n && strncmp(function->name, name, n) == 0);
}

/* The path, or the end of it from a folder on. */
static bool is_file(const struct profile *p, uint32_t insn, const char *name)
{
    const uint32_t file = p->insns[insn].line.file;
    const size_t n = strlen(name);

    if (file == PROFILE_NONE || n == 0)
        return false;
    const char *const path = p->files[file].path;
    const size_t length = strlen(path);
    return length >= n && strcmp(path + length - n, name) == 0 &&
           (length == n || path[length - n - 1] == '/');
}

static void take(struct annotation *a, const char *name,
                 bool (*is_it)(const struct profile *, uint32_t, const char *))
{
    for (uint32_t i = 0; i < a->profile->n_insns; i++)
        if (is_it(a->profile, i, name))
            a->insns[a->n++] = i;
}

static enum armpmu_status not_found(const struct profile *p, const char *name,
                                    struct armpmu_error *err)
{
    struct suggest s;
    char hint[256];

    suggest_begin(&s, name);
    for (size_t i = 0; i < p->n_functions; i++)
        suggest_offer(&s, p->functions[i].name, NULL);
    for (size_t i = 0; i < p->n_files; i++)
        suggest_offer(&s, profile_basename(p->files[i].path), NULL);
    suggest_sentence(&s, hint, sizeof hint);
    return fail(err, ARMPMU_NOT_FOUND,
                "'%.100s': no function or source file of that name was executed%s", name,
                s.count > 0 ? hint : "; 'armpmu report' lists functions");
}

static enum armpmu_status take_hottest(struct annotation *a, struct armpmu_error *err)
{
    struct profile_table table = {
        .profile = a->profile, .events = a->events, .keys = {{KEY_SYMBOL}, 1}};
    enum armpmu_status status = profile_table_make(&table, 0, err);

    for (size_t i = 0; status == ARMPMU_OK && i < table.n_groups && a->n == 0; i++) {
        a->title = profile_symbol(a->profile, table.groups[i].insn);
        take(a, a->title, is_function);
    }
    a->has_own_lines = true;
    profile_table_free(&table);
    if (status == ARMPMU_OK && a->n == 0)
        status = fail(err, ARMPMU_NOT_FOUND, "the profile has no counts in any function");
    return status;
}

/* Code that has a line. */
static void take_all(struct annotation *a)
{
    a->title = "";
    a->has_own_lines = true;
    for (uint32_t i = 0; i < a->profile->n_insns; i++)
        if (a->profile->insns[i].line.file != PROFILE_NONE && a->profile->insns[i].line.line > 0)
            a->insns[a->n++] = i;
}

static enum armpmu_status take_named(struct annotation *a, const char *name,
                                     struct armpmu_error *err)
{
    a->title = name;
    take(a, name, is_function);
    a->has_own_lines = a->n > 0;
    if (a->n == 0)
        take(a, name, is_file);
    return a->n > 0 ? ARMPMU_OK : not_found(a->profile, name, err);
}

/* ---- order ---- */

struct profile_line annotate_line_of(const struct annotation *a, uint32_t insn)
{
    return a->has_own_lines ? profile_own_line(a->profile, insn) : a->profile->insns[insn].line;
}

struct annotated {
    struct profile_line line;
    uint64_t address;
    uint32_t number;
};

static int in_order(const void *x, const void *y)
{
    const struct annotated *const a = x, *const b = y;

    return ORDER(a->line.file, b->line.file, a->line.line, b->line.line, a->address, b->address,
                 a->number, b->number);
}

static bool sort(struct annotation *a)
{
    struct annotated *const places = malloc((a->n + 1) * sizeof *places);

    if (places == NULL)
        return false;
    for (size_t i = 0; i < a->n; i++)
        places[i] = (struct annotated){annotate_line_of(a, a->insns[i]),
                                       a->profile->insns[a->insns[i]].address, a->insns[i]};
    qsort(places, a->n, sizeof *places, in_order);
    for (size_t i = 0; i < a->n; i++)
        a->insns[i] = places[i].number;
    free(places);
    return true;
}

enum armpmu_status annotation_make(struct annotation *a, const struct profile *profile,
                                   struct event_choice *events, const struct annotate_print *how,
                                   struct armpmu_error *err)
{
    *a = (struct annotation){.profile = profile, .events = events};
    a->insns = malloc((profile->n_insns + 1) * sizeof *a->insns);
    if (a->insns == NULL || !add_up(a))
        return fail_no_memory(err, "the annotation");
    enum armpmu_status status = ARMPMU_OK;
    if (how->takes_all)
        take_all(a);
    else
        status = how->what != NULL ? take_named(a, how->what, err) : take_hottest(a, err);
    if (status != ARMPMU_OK)
        return status;
    if (how->chose_events && !choose(a))
        return fail_no_memory(err, "the annotation");
    return sort(a) && annotate_find_lines(a) ? ARMPMU_OK : fail_no_memory(err, "the annotation");
}

void annotation_free(struct annotation *a)
{
    free(a->sums);
    free(a->insns);
    free(a->files);
    free(a->lines);
}
