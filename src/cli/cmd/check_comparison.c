#include "cli/cmd/check_comparison.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/cmd/check_formula.h"

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

static enum armpmu_status find_unknown(const struct check_verdicts *verdicts, char *const *globs,
                                       struct armpmu_error *err)
{
    for (; *globs != NULL; globs++) {
        bool found = false;
        for (size_t i = 0; i < verdicts->n_events; i++)
            found |= armpmu_event_matches(verdicts->events[i].event, *globs);
        if (!found)
            return fail(err, ARMPMU_NOT_FOUND,
                        "check: no event is called '%.60s'; 'armpmu list' shows them", *globs);
    }
    return ARMPMU_OK;
}

enum armpmu_status check_verdicts_init(struct check_verdicts *verdicts,
                                       const struct armpmu_core *core, char *const *globs,
                                       struct armpmu_error *err)
{
    *verdicts = (struct check_verdicts){.events = calloc(core->n_events, sizeof *verdicts->events)};
    if (verdicts->events == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the checks");
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *event = &core->events[i];
        if (event->fidelity == ARMPMU_RESERVED)
            continue;
        verdicts->events[verdicts->n_events++] =
            (struct check_verdict){.event = event, .wanted = matches(event, globs)};
    }
    return find_unknown(verdicts, globs, err);
}

void check_verdicts_free(struct check_verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->n_complaints; i++)
        free(verdicts->complaints[i]);
    free(verdicts->complaints);
    free(verdicts->events);
    *verdicts = (struct check_verdicts){0};
}

/* ---- what a rule is about ---- */

static bool rule_names(const struct check_rule *rule, const struct armpmu_event *event)
{
    return check_formula_names(rule->left, event->name) ||
           check_formula_names(rule->right, event->name);
}

static bool rules_name(const struct check_rules *rules, const struct armpmu_event *event)
{
    for (size_t i = 0; i < rules->n; i++)
        if (rule_names(&rules->rules[i], event))
            return true;
    return false;
}

bool check_is_wanted(const struct check_verdicts *verdicts, const struct check_run *run)
{
    for (size_t i = 0; i < verdicts->n_events; i++) {
        const struct check_verdict *verdict = &verdicts->events[i];
        if (verdict->wanted &&
            (rules_name(&run->expect, verdict->event) || rules_name(&run->changes, verdict->event)))
            return true;
    }
    return false;
}

/* ---- judging ---- */

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static enum armpmu_status
add_complaint(struct check_verdicts *verdicts, struct armpmu_error *err, const char *format, ...)
{
    va_list words;
    char *complaint = NULL;
    if (!ARRAY_RESERVE(verdicts->complaints, verdicts->room, verdicts->n_complaints + 1))
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the checks");
    va_start(words, format);
    const int length = vasprintf(&complaint, format, words);
    va_end(words);
    if (length < 0)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the checks");
    verdicts->complaints[verdicts->n_complaints++] = complaint;
    return ARMPMU_OK;
}

/* What names stand for in one run, or in the difference of two. */
struct run_counts {
    const struct armpmu_core *core;
    const struct check_run *run, *since_run;
    const uint64_t *signals, *since; /* since NULL: one run */
};

/* In a difference a number that is the same in both runs stands for itself. */
static bool value_of(void *user, const char *name, int64_t *value)
{
    const struct run_counts *counts = user;
    int64_t before = 0;
    if (check_run_value(counts->run, name, value)) {
        if (counts->since != NULL && check_run_value(counts->since_run, name, &before) &&
            before != *value)
            *value -= before;
        return true;
    }
    const struct armpmu_event *event = armpmu_event_by_name(counts->core, name);
    if (event == NULL || event->fidelity == ARMPMU_RESERVED)
        return false;
    *value = (int64_t)armpmu_event_count(event, counts->signals);
    if (counts->since != NULL)
        *value -= (int64_t)armpmu_event_count(event, counts->since);
    return true;
}

static bool holds(int64_t left, const char *comparison, int64_t right)
{
    if (strcmp(comparison, "=") == 0)
        return left == right;
    if (strcmp(comparison, "<=") == 0)
        return left <= right;
    if (strcmp(comparison, ">=") == 0)
        return left >= right;
    return strcmp(comparison, "<") == 0 ? left < right : left > right;
}

/* Whether a rule shows more of an event than the one that is kept: its very count, then an
 * expectation of the program's own; of counts one that is wrong, then one that is not 0, then one
 * that is no difference. */
static bool shows_more(const struct check_verdict *verdict, const struct check_verdict *by)
{
    if (verdict->rule == NULL || verdict->by_count != by->by_count)
        return verdict->rule == NULL || by->by_count;
    if (!by->by_count)
        return verdict->is_relation && !by->is_relation;
    if ((verdict->measured != verdict->expected) != (by->measured != by->expected))
        return by->measured != by->expected;
    if ((verdict->measured != 0) != (by->measured != 0))
        return by->measured != 0;
    return verdict->is_change && !by->is_change;
}

/* Keeps the rule that shows most of an event's count, or how it changes. */
static void show(struct check_verdict *verdict, const struct run_counts *counts,
                 const struct check_rule *rule, bool is_relation, int64_t measured,
                 int64_t expected)
{
    struct check_verdict by = *verdict;

    by.rule = rule;
    by.by_count =
        strcmp(rule->left, verdict->event->name) == 0 && strcmp(rule->comparison, "=") == 0;
    by.is_relation = is_relation;
    by.is_change = counts->since != NULL;
    by.measured = measured;
    by.expected = expected;
    by.run = counts->run;
    if (shows_more(verdict, &by))
        *verdict = by;
}

static enum armpmu_status judge_rule(struct check_verdicts *verdicts, struct run_counts *counts,
                                     const struct check_rule *rule, bool is_relation,
                                     struct armpmu_error *err)
{
    int64_t left, right;
    enum armpmu_status status = check_formula(rule->left, value_of, counts, &left, err);
    if (status == ARMPMU_OK)
        status = check_formula(rule->right, value_of, counts, &right, err);
    if (status != ARMPMU_OK)
        return status;
    const bool right_so = holds(left, rule->comparison, right);
    verdicts->n_checks++;
    verdicts->n_wrong += !right_so;
    for (size_t i = 0; i < verdicts->n_events; i++) {
        struct check_verdict *verdict = &verdicts->events[i];
        if (!rule_names(rule, verdict->event))
            continue;
        verdict->n_checks++;
        verdict->n_wrong += !right_so;
        show(verdict, counts, rule, is_relation, left, right);
    }
    if (right_so)
        return ARMPMU_OK;
    return add_complaint(
        verdicts, err, "%s, %s: %s %s %s%s: measured %" PRId64 ", expected %" PRId64,
        counts->run->program, counts->run->label, rule->left, rule->comparison, rule->right,
        counts->since != NULL ? ", from one run to the next" : "", left, right);
}

static enum armpmu_status judge_rules(struct check_verdicts *verdicts, struct run_counts *counts,
                                      const struct check_rules *rules, bool are_relations,
                                      struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    for (size_t i = 0; i < rules->n && status == ARMPMU_OK; i++)
        status = judge_rule(verdicts, counts, &rules->rules[i], are_relations, err);
    return status;
}

enum armpmu_status check_judge(struct check_verdicts *verdicts, const struct check_set *set,
                               const struct check_run *run, const uint64_t *signals,
                               const uint64_t *since, struct armpmu_error *err)
{
    struct run_counts counts = {
        .core = armpmu_machine_core(run->machine), .run = run, .signals = signals};
    enum armpmu_status status = judge_rules(verdicts, &counts, &run->expect, false, err);
    if (status == ARMPMU_OK)
        status = judge_rules(verdicts, &counts, &run->relations, true, err);
    if (status != ARMPMU_OK || since == NULL || run->change_since < 0)
        return status;
    counts.since = since;
    counts.since_run = &set->runs[run->change_since];
    return judge_rules(verdicts, &counts, &run->changes, false, err);
}

enum armpmu_status check_failed_run(struct check_verdicts *verdicts, const struct check_run *run,
                                    int status, struct armpmu_error *err)
{
    verdicts->n_checks++;
    verdicts->n_wrong++;
    for (size_t i = 0; i < verdicts->n_events; i++) {
        struct check_verdict *verdict = &verdicts->events[i];
        if (rules_name(&run->expect, verdict->event) || rules_name(&run->changes, verdict->event))
            verdict->n_wrong++;
    }
    return add_complaint(verdicts, err, "%s, %s: exit status %d, expected %d", run->program,
                         run->label, status, run->status);
}
