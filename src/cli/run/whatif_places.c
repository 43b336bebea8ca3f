#include "cli/run/whatif_places.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory_stream.h"
#include "base/order.h"
#include "cli/profile/profile_table.h"
#include "machine/core_descriptor.h"

/* Candidates below this part of all cycles are left out. */
#define LEAST_SHARE 0.002

enum { OF_CYCLES, OF_INSNS, OF_L1D, OF_L2, OF_TLB, OF_STORES, OF_FLUSHES, OF_L1I, COUNTS };

#define COUNT_OF(text, ...)                                                                        \
    {                                                                                              \
        .name = (text), .meaning = "", .signals = {__VA_ARGS__},                                   \
        .n_signals = sizeof((uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t)                          \
    }

static const struct armpmu_event counts[COUNTS] = {
    [OF_CYCLES] = COUNT_OF("cycles", ARMPMU_SIGNAL_CPU_CYCLES),
    [OF_INSNS] = COUNT_OF("insns", ARMPMU_SIGNAL_INST_RETIRED),
    [OF_L1D] = COUNT_OF("l1d", ARMPMU_SIGNAL_L1D_REFILL),
    [OF_L2] = COUNT_OF("l2", ARMPMU_SIGNAL_L2_MISS),
    [OF_TLB] = COUNT_OF("tlb", ARMPMU_SIGNAL_DTLB_READ_REFILL, ARMPMU_SIGNAL_DTLB_WRITE_REFILL,
                        ARMPMU_SIGNAL_DTLB_WALK),
    [OF_STORES] = COUNT_OF("stores", ARMPMU_SIGNAL_L1D_WRITE_REFILL),
    [OF_FLUSHES] = COUNT_OF("flushes", ARMPMU_SIGNAL_BRANCH_FLUSH),
    [OF_L1I] = COUNT_OF("l1i", ARMPMU_SIGNAL_L1I_REFILL),
};

/* The savings of a cure at most: it prevents all of a count, each of which costs the cycles of a
 * key of the machine; in the place itself no more than its own cycles. The weight is smaller where
 * another cure of the same place includes it. Only the order of candidates depends on this. */
static const struct {
    unsigned count;
    const char *key;
    bool is_bounded;
    double weight;
} causes[CURES] = {
    [CURE_LEVEL1] = {OF_L1D, "memory.latency_cycles", true, 1},
    [CURE_LEVEL2] = {OF_L2, "memory.latency_cycles", true, 0.7},
    [CURE_PREFETCH] = {OF_L1D, "memory.latency_cycles", true, 0.9},
    [CURE_TLB] = {OF_TLB, "memory.latency_cycles", true, 0.8},
    [CURE_STORES] = {OF_STORES, "memory.latency_cycles", false, 0.3},
    [CURE_BRANCH] = {OF_FLUSHES, "branch.mispredict_cycles", false, 1.5},
    [CURE_CODE] = {OF_L1I, "l2.hit_cycles", false, 1},
    [CURE_LATENCY] = {OF_CYCLES, NULL, true, 0.5},
};

enum armpmu_status whatif_collection_new(struct profile_collection **out, struct armpmu_error *err)
{
    static const struct armpmu_event *const events[COUNTS] = {
        &counts[OF_CYCLES], &counts[OF_INSNS],  &counts[OF_L1D],     &counts[OF_L2],
        &counts[OF_TLB],    &counts[OF_STORES], &counts[OF_FLUSHES], &counts[OF_L1I]};

    return profile_collection_new(events, COUNTS, false, out, err);
}

enum armpmu_status whatif_add_events(struct profile *profile, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    uint32_t number;

    for (unsigned i = 0; i < COUNTS && status == ARMPMU_OK; i++) {
        const struct profile_event made = {.name = counts[i].name, .meaning = "", .unit = ""};
        status = profile_add_event(profile, &made, &number, err);
    }
    return status;
}

/* ---- candidates ------------------------------------------------------------------------------ */

struct candidate {
    const struct profile_table *table;
    const struct profile_group *group;
    enum cure kind;
    double cost;
};

struct candidates {
    const struct whatif_base *base;
    struct candidate *items;
    size_t n, room;
};

static double value_of(const struct whatif_base *base, const char *key)
{
    const char *const value = armpmu_machine_value(base->machine, key);

    return value != NULL ? strtod(value, NULL) : 0;
}

/* The cycles of a place beyond one for each instruction, and beyond misses and flushes. */
static double waits_of(const struct whatif_base *base, const uint64_t *self)
{
    const double waits = (double)self[OF_CYCLES] - (double)self[OF_INSNS] -
                         (double)self[OF_L1D] * value_of(base, "memory.latency_cycles") -
                         (double)self[OF_FLUSHES] * value_of(base, "branch.mispredict_cycles");

    return waits > 0 ? waits : 0;
}

static double cost_of(const struct whatif_base *base, enum cure kind, const uint64_t *self)
{
    const char *const key = causes[kind].key;
    double cost =
        key == NULL ? waits_of(base, self) : (double)self[causes[kind].count] * value_of(base, key);

    if (causes[kind].is_bounded && cost > (double)self[OF_CYCLES])
        cost = (double)self[OF_CYCLES];
    return cost * causes[kind].weight;
}

static const struct core_model *model_of(const struct whatif_base *base)
{
    return core_descriptor_of(armpmu_machine_core(base->machine))->model;
}

static enum armpmu_status add_candidate(struct candidates *to, const struct candidate *made,
                                        struct armpmu_error *err)
{
    const double whole = (double)made->table->profile->totals[OF_CYCLES];

    if (made->cost <= whole * LEAST_SHARE)
        return ARMPMU_OK;
    if (!ARRAY_APPEND(to->items, to->n, to->room, *made))
        return fail_no_memory(err, "the places");
    return ARMPMU_OK;
}

/* Code is moved by functions, all else is changed at lines; a function is named if none of its
 * lines is known. */
static bool suits(const struct profile_table *table, const struct profile_group *group,
                  enum cure kind, bool has_lines)
{
    const bool knows_line = table->profile->insns[group->insn].line.file != PROFILE_NONE;
    const enum profile_key key = table->keys.at[0];

    if (table->profile->insns[group->insn].n_bytes == 0)
        return false;
    if (key == KEY_LINE)
        return knows_line && kind != CURE_CODE;
    return key != KEY_SYMBOL || kind == CURE_CODE || !has_lines || !knows_line;
}

static enum armpmu_status add_candidates(struct candidates *to, const struct profile_table *table,
                                         bool has_lines, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < table->n_groups; i++)
        for (enum cure kind = 0; kind < CURES && status == ARMPMU_OK; kind++) {
            const struct profile_group *const group = &table->groups[i];
            const struct candidate made = {table, group, kind,
                                           cost_of(to->base, kind, group->self)};
            if ((model_of(to->base)->cures >> kind & 1) != 0 &&
                suits(table, group, kind, has_lines))
                status = add_candidate(to, &made, err);
        }
    return status;
}

static int by_cost(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return ORDER(x->group->insn, y->group->insn, x->kind, y->kind);
}

/* ---- trials -------------------------------------------------------------------------------- */

/* The caller frees it; NULL without memory. */
static char *name_of(const struct candidate *candidate)
{
    const struct profile *const p = candidate->table->profile;
    const struct profile_line line = p->insns[candidate->group->insn].line;
    char *text = NULL;
    size_t size;
    FILE *const stream = memory_stream_open(&text, &size);

    if (stream == NULL)
        return NULL;
    if (candidate->table->keys.at[0] == KEY_LINE)
        fprintf(stream, "%s:%u", profile_basename(p->files[line.file].path), (unsigned)line.line);
    else if (candidate->table->keys.at[0] == KEY_SYMBOL)
        fputs(profile_symbol(p, candidate->group->insn), stream);
    else
        profile_print_symbol(p, candidate->group->insn, stream);
    (void)memory_stream_close(stream, &text);
    return text;
}

static int by_begin(const void *a, const void *b)
{
    const struct cure_range *x = a, *y = b;

    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Ranges that touch or are the same become one. Returns how many are left. */
static size_t join_ranges(struct cure_range *ranges, size_t n)
{
    size_t n_left = 0;

    qsort(ranges, n, sizeof *ranges, by_begin);
    for (size_t i = 0; i < n; i++) {
        struct cure_range *const last = n_left != 0 ? &ranges[n_left - 1] : NULL;
        if (last == NULL || ranges[i].begin > last->end)
            ranges[n_left++] = ranges[i];
        else if (ranges[i].end > last->end)
            last->end = ranges[i].end;
    }
    return n_left;
}

/* The instructions of a group; the caller frees them. NULL without memory. */
static struct cure_range *ranges_of(const struct candidate *candidate, size_t *n)
{
    const struct profile_table *const table = candidate->table;
    const struct profile *const p = table->profile;
    struct cure_range *const ranges = calloc(p->n_rows + 1, sizeof *ranges);

    *n = 0;
    if (ranges == NULL)
        return NULL;
    for (uint32_t row = candidate->group->first_row; row != 0; row = table->next_rows[row - 1]) {
        const struct profile_insn *const insn = &p->insns[p->rows[row - 1].insn];
        ranges[(*n)++] = (struct cure_range){insn->address, insn->address + insn->n_bytes};
    }
    *n = join_ranges(ranges, *n);
    return ranges;
}

/* The turns ahead that a prefetch is tried for, of which the best is shown. */
static const uint32_t turns[] = {4, 16, 64};

static enum armpmu_status add_trials(struct whatif_trials *trials, const struct candidates *from,
                                     const struct candidate *candidate, struct cures *cures,
                                     struct armpmu_error *err)
{
    const size_t n = candidate->kind == CURE_PREFETCH ? sizeof turns / sizeof turns[0] : 1;
    const struct whatif_trial like = {.place = name_of(candidate),
                                      .place_before = candidate->group->self[OF_CYCLES],
                                      .cures = cures,
                                      .knows_after = model_of(from->base)->counts_cured,
                                      .number = trials->n + 1};
    enum armpmu_status status = like.place != NULL ? ARMPMU_OK : fail_no_memory(err, "the places");

    for (size_t i = 0; i < n && status == ARMPMU_OK; i++) {
        cures->turns = turns[i];
        status = whatif_add_cure(trials, from->base, &like, err);
    }
    free(like.place);
    return status;
}

static enum armpmu_status make_trials(struct whatif_trials *trials, struct candidates *candidates,
                                      size_t n, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    if (candidates->n != 0)
        qsort(candidates->items, candidates->n, sizeof *candidates->items, by_cost);
    for (size_t i = 0; i < candidates->n && i < n && status == ARMPMU_OK; i++) {
        const struct candidate *const one = &candidates->items[i];
        struct cures cures = {.kind = one->kind};
        struct cure_range *const ranges = ranges_of(one, &cures.n_ranges);
        cures.ranges = ranges;
        status = ranges != NULL ? add_trials(trials, candidates, one, &cures, err)
                                : fail_no_memory(err, "the places");
        free(ranges);
    }
    return status;
}

enum armpmu_status whatif_add_places(struct whatif_trials *trials, const struct whatif_base *base,
                                     const struct profile *profile,
                                     const struct whatif_wanted *wanted, struct armpmu_error *err)
{
    const enum whatif_by by = wanted->by;
    uint32_t numbers[COUNTS];
    const struct event_choice events = {numbers, COUNTS, 0};
    struct profile_table fine = {
        .profile = profile, .events = &events, .keys = {{by == BY_INSN ? KEY_INSN : KEY_LINE}, 1}};
    struct profile_table functions = {
        .profile = profile, .events = &events, .keys = {{KEY_SYMBOL}, 1}};
    struct candidates candidates = {.base = base};

    for (uint32_t i = 0; i < COUNTS; i++)
        numbers[i] = i;
    enum armpmu_status status = profile_table_make(&fine, 0, err);
    if (status == ARMPMU_OK)
        status = profile_table_make(&functions, 0, err);
    if (status == ARMPMU_OK && by != BY_FUNCTION)
        status = add_candidates(&candidates, &fine, true, err);
    if (status == ARMPMU_OK && by != BY_INSN)
        status = add_candidates(&candidates, &functions, by == BY_LINE, err);
    if (status == ARMPMU_OK)
        status = make_trials(trials, &candidates, wanted->n, err);
    free(candidates.items);
    profile_table_free(&fine);
    profile_table_free(&functions);
    return status;
}
