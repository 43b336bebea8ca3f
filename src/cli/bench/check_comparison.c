#include "cli/bench/check_comparison.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/formula.h"

/* ---- the events ---- */

static bool matches(const struct armpmu_event *event, char *const *globs)
{
    if (*globs == NULL)
        return true;
    for (; *globs != NULL; globs++)
        if (armpmu_event_matches(event, *globs))
            return true;
    return false;
}

static enum armpmu_status find_unknown(const struct check_comparisons *comparisons,
                                       char *const *globs, struct armpmu_error *err)
{
    for (; *globs != NULL; globs++) {
        bool found = false;
        for (size_t i = 0; i < comparisons->n_events; i++)
            found |= armpmu_event_matches(comparisons->events[i].event, *globs);
        if (!found)
            return fail(err, ARMPMU_NOT_FOUND,
                        "check: no event is called '%.60s'; 'armpmu list' shows them", *globs);
    }
    return ARMPMU_OK;
}

enum armpmu_status check_comparisons_init(struct check_comparisons *comparisons,
                                          const struct armpmu_core *core, char *const *globs,
                                          struct armpmu_error *err)
{
    *comparisons =
        (struct check_comparisons){.events = calloc(core->n_events, sizeof *comparisons->events)};
    if (comparisons->events == NULL)
        return fail_no_memory(err, "the checks");
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *event = &core->events[i];
        if (event->fidelity == ARMPMU_RESERVED)
            continue;
        comparisons->events[comparisons->n_events++] =
            (struct check_comparison){.event = event, .wanted = matches(event, globs)};
    }
    return find_unknown(comparisons, globs, err);
}

void check_comparisons_free(struct check_comparisons *comparisons)
{
    ARRAY_FREE_EACH(comparisons->complaints, comparisons->n_complaints);
    free(comparisons->events);
    *comparisons = (struct check_comparisons){0};
}

/* ---- what a rule is about ---- */

static bool rule_names(const struct check_rule *rule, const struct armpmu_event *event)
{
    return formula_names(rule->left, event->name) || formula_names(rule->right, event->name);
}

static bool counts_it(const struct armpmu_core *core, const char *name)
{
    const struct armpmu_event *const event = armpmu_event_by_name(core, name);

    return event != NULL && event->fidelity != ARMPMU_RESERVED;
}

/* Cores share programs: whether a rule is about an event that others of them have, and this core
 * has not. */
static bool is_of_another_core(const struct check_rule *rule, const struct armpmu_core *core)
{
    size_t n_cores = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n_cores);

    for (size_t i = 0; i < n_cores; i++)
        for (size_t j = 0; j < cores[i]->n_events; j++) {
            const struct armpmu_event *const event = &cores[i]->events[j];
            if (event->name[0] != '\0' && rule_names(rule, event) && !counts_it(core, event->name))
                return true;
        }
    return false;
}

static bool rules_name(const struct check_rules *rules, const struct armpmu_event *event)
{
    for (size_t i = 0; i < rules->n; i++)
        if (rule_names(&rules->rules[i], event))
            return true;
    return false;
}

bool check_is_wanted(const struct check_comparisons *comparisons, const struct check_run *run)
{
    for (size_t i = 0; i < comparisons->n_events; i++) {
        const struct check_comparison *comparison = &comparisons->events[i];
        if (comparison->wanted && (rules_name(&run->expect, comparison->event) ||
                                   rules_name(&run->changes, comparison->event)))
            return true;
    }
    return false;
}

/* ---- judging ---- */

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static enum armpmu_status
add_complaint(struct check_comparisons *comparisons, struct armpmu_error *err, const char *format,
              ...)
{
    va_list words;
    char *complaint = NULL;
    if (!ARRAY_RESERVE(comparisons->complaints, comparisons->room, comparisons->n_complaints + 1))
        return fail_no_memory(err, "the checks");
    va_start(words, format);
    const int length = vasprintf(&complaint, format, words);
    va_end(words);
    if (length < 0)
        return fail_no_memory(err, "the checks");
    comparisons->complaints[comparisons->n_complaints++] = complaint;
    return ARMPMU_OK;
}

/* The value of a name in one run, or (since) in the difference of two. A number that is the same in
 * both runs is not subtracted. */
static bool value_of(void *user, const char *name, int64_t *value)
{
    const struct check_counts *counts = user;
    int64_t before = 0;
    if (check_run_value(counts->run, name, value)) {
        if (counts->since != NULL && check_run_value(counts->since_run, name, &before) &&
            before != *value)
            *value -= before;
        return true;
    }
    const struct armpmu_event *event =
        armpmu_event_by_name(armpmu_machine_core(counts->run->machine), name);
    if (event == NULL || event->fidelity == ARMPMU_RESERVED)
        return false;
    *value = (int64_t)armpmu_event_count(event, counts->signals);
    if (counts->since != NULL)
        *value -= (int64_t)armpmu_event_count(event, counts->since);
    return true;
}

static bool holds(int64_t left, const char *relation, int64_t right)
{
    if (strcmp(relation, "=") == 0)
        return left == right;
    if (strcmp(relation, "<=") == 0)
        return left <= right;
    if (strcmp(relation, ">=") == 0)
        return left >= right;
    return strcmp(relation, "<") == 0 ? left < right : left > right;
}

/* Returns whether a rule shows more of an event than the one that is kept: its very count, then an
 * expectation of the program's own; of counts one that is wrong, then one that is not 0, then one
 * that is no difference. */
static bool shows_more(const struct check_comparison *comparison, const struct check_comparison *by)
{
    if (comparison->rule == NULL || comparison->by_count != by->by_count)
        return comparison->rule == NULL || by->by_count;
    if (!by->by_count)
        return comparison->is_relation && !by->is_relation;
    if ((comparison->measured != comparison->expected) != (by->measured != by->expected))
        return by->measured != by->expected;
    if ((comparison->measured != 0) != (by->measured != 0))
        return by->measured != 0;
    return comparison->is_change && !by->is_change;
}

/* A rule with its values. */
struct judged_rule {
    const struct check_rule *rule;
    bool is_relation;
    int64_t measured, expected; /* its left and right */
};

/* Keeps the rule that shows most of an event's count, or how it changes. */
static void show(struct check_comparison *comparison, const struct check_counts *counts,
                 const struct judged_rule *judged)
{
    const struct check_rule *const rule = judged->rule;
    struct check_comparison by = *comparison;

    by.rule = rule;
    by.by_count =
        strcmp(rule->left, comparison->event->name) == 0 && strcmp(rule->relation, "=") == 0;
    by.is_relation = judged->is_relation;
    by.is_change = counts->since != NULL;
    by.measured = judged->measured;
    by.expected = judged->expected;
    by.run = counts->run;
    if (shows_more(comparison, &by))
        *comparison = by;
}

static enum armpmu_status judge_rule(struct check_comparisons *comparisons,
                                     struct check_counts *counts, const struct check_rule *rule,
                                     bool is_relation, struct armpmu_error *err)
{
    int64_t left, right;

    if (is_of_another_core(rule, armpmu_machine_core(counts->run->machine)))
        return ARMPMU_OK;
    enum armpmu_status status = formula_value(rule->left, value_of, counts, &left, err);
    if (status == ARMPMU_OK)
        status = formula_value(rule->right, value_of, counts, &right, err);
    if (status != ARMPMU_OK)
        return status;
    const bool right_so = holds(left, rule->relation, right);
    comparisons->n_checks++;
    comparisons->n_wrong += !right_so;
    for (size_t i = 0; i < comparisons->n_events; i++) {
        struct check_comparison *comparison = &comparisons->events[i];
        if (!rule_names(rule, comparison->event))
            continue;
        comparison->n_checks++;
        comparison->n_wrong += !right_so;
        show(comparison, counts, &(struct judged_rule){rule, is_relation, left, right});
    }
    if (right_so)
        return ARMPMU_OK;
    return add_complaint(
        comparisons, err, "%s, %s: %s %s %s%s: measured %" PRId64 ", expected %" PRId64,
        counts->run->program, counts->run->label, rule->left, rule->relation, rule->right,
        counts->since != NULL ? ", from one run to the next" : "", left, right);
}

static enum armpmu_status judge_rules(struct check_comparisons *comparisons,
                                      struct check_counts *counts, const struct check_rules *rules,
                                      bool are_relations, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    for (size_t i = 0; i < rules->n && status == ARMPMU_OK; i++)
        status = judge_rule(comparisons, counts, &rules->rules[i], are_relations, err);
    return status;
}

enum armpmu_status check_judge(struct check_comparisons *comparisons,
                               const struct check_counts *counts, struct armpmu_error *err)
{
    const struct check_run *const run = counts->run;
    struct check_counts alone = {.run = run, .signals = counts->signals};
    struct check_counts both = *counts;
    enum armpmu_status status = judge_rules(comparisons, &alone, &run->expect, false, err);
    if (status == ARMPMU_OK)
        status = judge_rules(comparisons, &alone, &run->relations, true, err);
    return status == ARMPMU_OK && counts->since != NULL
               ? judge_rules(comparisons, &both, &run->changes, false, err)
               : status;
}

enum armpmu_status check_failed_run(struct check_comparisons *comparisons,
                                    const struct check_run *run, int status,
                                    struct armpmu_error *err)
{
    comparisons->n_checks++;
    comparisons->n_wrong++;
    for (size_t i = 0; i < comparisons->n_events; i++) {
        struct check_comparison *comparison = &comparisons->events[i];
        if (rules_name(&run->expect, comparison->event) ||
            rules_name(&run->changes, comparison->event))
            comparison->n_wrong++;
    }
    return add_complaint(comparisons, err, "%s, %s: exit status %d, expected %d", run->program,
                         run->label, status, run->status);
}
