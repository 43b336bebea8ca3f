#include "cli/run/whatif_trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "armpmu/sim.h"
#include "base/array.h"
#include "base/error.h"
#include "base/order.h"

enum change { CHANGE_TIMES, CHANGE_PART, CHANGE_MORE, CHANGE_AT_LEAST, CHANGE_YES };

struct ideal {
    const char *key;
    enum change change;
    unsigned amount;
    const char *text;
};

static const struct ideal ideals[] = {
#define IDEAL(key, change, amount, text) {key, CHANGE_##change, amount, text},
#include "cli/run/whatif_ideals.def"
#undef IDEAL
};

static unsigned long better_number(const struct ideal *ideal, unsigned long now)
{
    switch (ideal->change) {
    case CHANGE_TIMES:
        return now * ideal->amount;
    case CHANGE_PART:
        return now / ideal->amount;
    case CHANGE_MORE:
        return now + ideal->amount;
    case CHANGE_AT_LEAST:
    case CHANGE_YES:
        break;
    }
    return now < ideal->amount ? ideal->amount : now;
}

/* The ideal's value of the key in place of one, which may be the same. */
static void better(const struct ideal *ideal, const char *value, char *text, size_t size)
{
    if (ideal->change == CHANGE_YES)
        snprintf(text, size, "yes");
    else
        snprintf(text, size, "%lu", better_number(ideal, strtoul(value, NULL, 10)));
}

/* The machine with one more setting; NULL: as it is. */
static enum armpmu_status load(const struct whatif_base *base, const char *setting,
                               struct armpmu_machine **out, struct armpmu_error *err)
{
    const struct option_list *const set = &base->settings->set;
    struct machine_settings changed = *base->settings;

    changed.set.values = calloc(set->n + 2, sizeof *changed.set.values);
    if (changed.set.values == NULL)
        return fail_no_memory(err, "the machines");
    for (size_t i = 0; i < set->n; i++)
        changed.set.values[i] = set->values[i];
    if (setting != NULL)
        changed.set.values[changed.set.n++] = setting;
    const enum armpmu_status status = machine_choice_load(base->option, &changed, out, err);
    free(changed.set.values);
    return status;
}

/* Returns an error where the core model does not take a machine: caches have limits beyond those of
 * each key. */
static enum armpmu_status try_machine(const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    struct armpmu_sim *sim;
    const enum armpmu_status status = armpmu_sim_new(machine, NULL, &sim, err);

    armpmu_sim_free(sim);
    return status;
}

/* A machine that no core can be keeps its reason. */
static enum armpmu_status fill(struct whatif_trial *trial, const struct whatif_base *base,
                               const char *setting, struct armpmu_error *err)
{
    enum armpmu_status status = load(base, setting, &trial->machine, err);

    if (status == ARMPMU_OK)
        status = try_machine(trial->machine, err);
    if (status == ARMPMU_NO_MEMORY)
        return status;
    if (status == ARMPMU_OK)
        return ARMPMU_OK;
    armpmu_machine_free(trial->machine);
    trial->machine = NULL;
    trial->reason = strdup(err->message);
    err->message[0] = '\0';
    return trial->reason != NULL ? ARMPMU_OK : fail_no_memory(err, "the machines");
}

static enum armpmu_status add_ideal(struct whatif_trials *trials, const struct ideal *ideal,
                                    const char *value, const struct whatif_base *base,
                                    struct armpmu_error *err)
{
    char now[16], setting[64];

    better(ideal, value, now, sizeof now);
    if (strcmp(now, value) == 0)
        return ARMPMU_OK;
    snprintf(setting, sizeof setting, "%s=%s", ideal->key, now);
    if (!ARRAY_RESERVE(trials->items, trials->room, trials->n + 1))
        return fail_no_memory(err, "the machines");
    struct whatif_trial *const trial = &trials->items[trials->n++];
    *trial = (struct whatif_trial){.text = strdup(ideal->text), .number = trials->n};
    if (asprintf(&trial->change, "%s = %s, not %s", ideal->key, now, value) < 0)
        trial->change = NULL;
    if (trial->text == NULL || trial->change == NULL)
        return fail_no_memory(err, "the machines");
    return fill(trial, base, setting, err);
}

enum armpmu_status whatif_add_ideals(struct whatif_trials *trials, const struct whatif_base *base,
                                     struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < sizeof ideals / sizeof ideals[0] && status == ARMPMU_OK; i++) {
        const char *const value = armpmu_machine_value(base->machine, ideals[i].key);
        if (value != NULL)
            status = add_ideal(trials, &ideals[i], value, base, err);
    }
    return status;
}

/* ---- places ---------------------------------------------------------------------------------- */

static const struct {
    const char *before, *after;
} texts[CURES] = {
#define CURE(id, name, before, after, meaning) [CURE_##id] = {before, after},
#include "machine/cures.def"
#undef CURE
};

static char *text_of(const struct whatif_trial *like)
{
    const enum cure kind = like->cures->kind;
    const unsigned turns = like->cures->turns;
    char ahead[32] = "", *text;

    if (kind == CURE_PREFETCH)
        snprintf(ahead, sizeof ahead, " %u turn%s ahead", turns, turns == 1 ? "" : "s");
    return asprintf(&text, "%s%s%s%s", texts[kind].before, like->place, texts[kind].after, ahead) <
                   0
               ? NULL
               : text;
}

/* Copies a list and its ranges into one piece of memory. */
static struct cures *copy_cures(const struct cures *cures)
{
    struct cures *const copy = malloc(sizeof *copy + cures->n_ranges * sizeof *cures->ranges +
                                      cures->n_calls * sizeof *cures->calls);

    if (copy == NULL)
        return NULL;
    struct cure_range *const ranges = (struct cure_range *)(void *)(copy + 1);
    *copy = *cures;
    uint64_t *const calls = (uint64_t *)(void *)(ranges + cures->n_ranges);
    memcpy(ranges, cures->ranges, cures->n_ranges * sizeof *ranges);
    copy->ranges = ranges;
    if (cures->n_calls != 0)
        memcpy(calls, cures->calls, cures->n_calls * sizeof *calls);
    copy->calls = calls;
    return copy;
}

enum armpmu_status whatif_add_cure(struct whatif_trials *trials, const struct whatif_base *base,
                                   const struct whatif_trial *like, struct armpmu_error *err)
{
    if (!ARRAY_RESERVE(trials->items, trials->room, trials->n + 1))
        return fail_no_memory(err, "the replays");
    struct whatif_trial *const trial = &trials->items[trials->n++];
    *trial = (struct whatif_trial){.text = text_of(like),
                                   .place = strdup(like->place),
                                   .place_before = like->place_before,
                                   .knows_before = like->knows_before,
                                   .knows_after = like->knows_after,
                                   .cures = copy_cures(like->cures),
                                   .number = like->number};
    if (trial->text == NULL || trial->place == NULL || trial->cures == NULL)
        return fail_no_memory(err, "the replays");
    const enum armpmu_status status = load(base, NULL, &trial->machine, err);
    if (status == ARMPMU_OK)
        trial->machine->cures = trial->cures;
    return status;
}

static void free_trial(struct whatif_trial *trial)
{
    free(trial->text);
    free(trial->change);
    free(trial->reason);
    free(trial->place);
    armpmu_machine_free(trial->machine);
    free(trial->cures);
}

/* The best of alternatives comes first, of equal ones that with fewest turns. */
static int by_number_and_cycles(const void *a, const void *b)
{
    const struct whatif_trial *const x = a, *const y = b;

    return ORDER(x->number, y->number, x->cycles, y->cycles, x->cures->turns, y->cures->turns);
}

static void sort_alternatives(struct whatif_trials *trials)
{
    if (trials->n != 0)
        qsort(trials->items, trials->n, sizeof *trials->items, by_number_and_cycles);
}

static enum armpmu_status add_alternative(struct whatif_trials *trials,
                                          const struct whatif_base *base, size_t best,
                                          uint32_t turns, struct armpmu_error *err)
{
    struct whatif_trial like = trials->items[best];
    struct cures cures = *like.cures;

    for (size_t i = best; i < trials->n; i++)
        if (trials->items[i].number == like.number && trials->items[i].cures->turns == turns)
            return ARMPMU_OK;
    if (turns == 0 || turns > CURE_TURNS_MAX)
        return ARMPMU_OK;
    cures.turns = turns;
    like.cures = &cures;
    return whatif_add_cure(trials, base, &like, err);
}

enum armpmu_status whatif_add_turns(struct whatif_trials *trials, const struct whatif_base *base,
                                    struct armpmu_error *err)
{
    const size_t n = trials->n;
    enum armpmu_status status = ARMPMU_OK;

    sort_alternatives(trials);
    for (size_t i = 0; i < n && status == ARMPMU_OK; i++) {
        const struct whatif_trial *const one = &trials->items[i];
        const uint32_t turns = one->cures->turns;
        if (one->cures->kind != CURE_PREFETCH || (i != 0 && one[-1].number == one->number))
            continue;
        status = add_alternative(trials, base, i, turns / 2, err);
        if (status == ARMPMU_OK)
            status = add_alternative(trials, base, i, turns * 2, err);
    }
    return status;
}

void whatif_keep_best(struct whatif_trials *trials)
{
    size_t n = 0;

    sort_alternatives(trials);
    for (size_t i = 0; i < trials->n; i++)
        if (n == 0 || trials->items[n - 1].number != trials->items[i].number)
            trials->items[n++] = trials->items[i];
        else
            free_trial(&trials->items[i]);
    trials->n = n;
}

void whatif_trials_free(struct whatif_trials *trials)
{
    for (size_t i = 0; i < trials->n; i++)
        free_trial(&trials->items[i]);
    free(trials->items);
}
