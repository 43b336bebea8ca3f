#include "cli/run/whatif_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory_stream.h"
#include "base/order.h"
#include "cli/profile/profile_table.h"
#include "machine/core_descriptor.h"

/* Candidates below this part of all cycles are left out. */
#define LEAST_SHARE 0.002

enum {
    OF_CYCLES,
    OF_INSNS,
    OF_L1D,
    OF_L2,
    OF_TLB,
    OF_STORES,
    OF_STALLS,
    OF_FLUSHES,
    OF_L1I,
    COUNTS
};

#define COUNT_OF(text, ...)                                                                        \
    {                                                                                              \
        .name = (text), .meaning = "", .signals = {__VA_ARGS__},                                   \
        .n_signals = sizeof((uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t)                          \
    }

static const struct armpmu_event counts[COUNTS] = {
    [OF_CYCLES] = COUNT_OF("cycles", ARMPMU_SIGNAL_CPU_CYCLES),
    [OF_INSNS] = COUNT_OF("insns", ARMPMU_SIGNAL_INST_RETIRED),
    [OF_L1D] = COUNT_OF("l1d", ARMPMU_SIGNAL_L1D_REFILL, ARMPMU_SIGNAL_L1D_WORD_MISS),
    [OF_L2] = COUNT_OF("l2", ARMPMU_SIGNAL_L2_MISS),
    [OF_TLB] = COUNT_OF("tlb", ARMPMU_SIGNAL_DTLB_READ_REFILL, ARMPMU_SIGNAL_DTLB_WRITE_REFILL,
                        ARMPMU_SIGNAL_DTLB_WALK),
    [OF_STORES] = COUNT_OF("stores", ARMPMU_SIGNAL_L1D_WRITE_REFILL),
    [OF_STALLS] =
        COUNT_OF("store stalls", ARMPMU_SIGNAL_STALL_BACKEND_ST, ARMPMU_SIGNAL_DATA_BUFFER_STALL),
    [OF_FLUSHES] =
        COUNT_OF("flushes", ARMPMU_SIGNAL_BRANCH_FLUSH, ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT),
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
    [CURE_CONFLICTS] = {OF_L1D, "l2.hit_cycles", true, 1},
    [CURE_LEVEL2] = {OF_L2, "memory.latency_cycles", true, 0.7},
    [CURE_PREFETCH] = {OF_L1D, "memory.latency_cycles", true, 0.9},
    [CURE_TLB] = {OF_TLB, "memory.latency_cycles", true, 0.8},
    [CURE_STORES] = {OF_STORES, "memory.latency_cycles", false, 0.3},
    [CURE_BRANCH] = {OF_FLUSHES, "branch.mispredict_cycles", false, 1.5},
    [CURE_CODE] = {OF_L1I, "l2.hit_cycles", false, 1},
    [CURE_LATENCY] = {OF_CYCLES, NULL, true, 0.5},
};

/* A bit for each cure of data that the core model can do. */
static unsigned cures_of_data(const struct armpmu_machine *machine)
{
    return core_descriptor_of(armpmu_machine_core(machine))->model->cures &
           (1u << CURE_LEVEL1 | 1u << CURE_LEVEL2 | 1u << CURE_CONFLICTS | 1u << CURE_TLB);
}

enum armpmu_status whatif_collection_new(struct profile_collection **out, struct armpmu_error *err)
{
    static const struct armpmu_event *const events[COUNTS] = {
        &counts[OF_CYCLES], &counts[OF_INSNS],   &counts[OF_L1D],
        &counts[OF_L2],     &counts[OF_TLB],     &counts[OF_STORES],
        &counts[OF_STALLS], &counts[OF_FLUSHES], &counts[OF_L1I]};

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
    const struct profile_table *table; /* NULL: of data */
    const struct profile_group *group;
    uint32_t datum;
    enum cure kind;
    double cost;
};

struct candidates {
    const struct whatif_base *base;
    const struct profile *profile;
    struct candidate *items;
    size_t n, room;
};

static const struct core_model *model_of(const struct whatif_base *base)
{
    return core_descriptor_of(armpmu_machine_core(base->machine))->model;
}

static double value_of(const struct whatif_base *base, const char *key)
{
    const char *const value = armpmu_machine_value(base->machine, key);

    return value != NULL ? strtod(value, NULL) : 0;
}

/* Without a level 2, memory takes its place. */
static double cycles_of(const struct whatif_base *base, const char *key)
{
    const double cycles = value_of(base, key);

    return cycles != 0 ? cycles : value_of(base, "memory.latency_cycles");
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
    double cost = key == NULL ? waits_of(base, self)
                              : (double)self[causes[kind].count] * cycles_of(base, key);

    if (kind == CURE_STORES)
        cost += (double)self[OF_STALLS];
    if (causes[kind].is_bounded && cost > (double)self[OF_CYCLES])
        cost = (double)self[OF_CYCLES];
    return cost * causes[kind].weight;
}

static enum armpmu_status add_candidate(struct candidates *to, const struct candidate *made,
                                        struct armpmu_error *err)
{
    const double whole = (double)to->profile->totals[OF_CYCLES];

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

    if (table->profile->insns[group->insn].n_bytes == 0 || kind == CURE_CONFLICTS)
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
            const struct candidate made = {table, group, PROFILE_NONE, kind,
                                           cost_of(to->base, kind, group->self)};
            if ((model_of(to->base)->cures >> kind & 1) != 0 &&
                suits(table, group, kind, has_lines))
                status = add_candidate(to, &made, err);
        }
    return status;
}

/* ---- data ---- */

#define NEARLY_ALL 0.9

/* The misses of a symbol, or of the blocks of one call. */
struct data_sum {
    uint64_t self[COUNTS];
    bool is_place;     /* where it lies is known */
    double of_line[2]; /* misses in the line that has most, and all of this line */
};

/* Misses of a line on something. */
struct line_misses {
    uint64_t line;
    uint32_t datum;
    double n;
};

static int by_line_and_datum(const void *a, const void *b)
{
    const struct line_misses *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->datum > y->datum) - (x->datum < y->datum);
}

static uint64_t line_of(const struct profile *p, uint32_t insn)
{
    const struct profile_insn *const at = insn != PROFILE_NONE ? &p->insns[insn] : NULL;

    if (at == NULL || at->line.file == PROFILE_NONE)
        return UINT64_MAX - insn;
    return (uint64_t)at->line.file << 32 | at->line.line;
}

static double misses_of(const struct armpmu_data_access *of)
{
    return (double)(of->refills + of->tlb_refills);
}

/* Sums up equal ones, which are beside each other. Returns how many are left. */
static size_t join_misses(struct line_misses *at, size_t n)
{
    size_t n_left = 0;

    for (size_t i = 0; i < n; i++)
        if (n_left != 0 && by_line_and_datum(&at[n_left - 1], &at[i]) == 0)
            at[n_left - 1].n += at[i].n;
        else
            at[n_left++] = at[i];
    return n_left;
}

/* The line that misses most on each. */
static enum armpmu_status find_lines(const struct profile *p, struct data_sum *sums,
                                     struct armpmu_error *err)
{
    struct line_misses *const at = calloc(p->n_accesses + 1, sizeof *at);
    size_t n = 0;

    if (at == NULL)
        return fail_no_memory(err, "the places");
    for (size_t i = 0; i < p->n_accesses; i++)
        if (p->accesses[i].datum != PROFILE_NONE)
            at[n++] = (struct line_misses){line_of(p, p->accesses[i].insn), p->accesses[i].datum,
                                           misses_of(&p->accesses[i].of)};
    qsort(at, n, sizeof *at, by_line_and_datum);
    n = join_misses(at, n);
    for (size_t first = 0, end; first < n; first = end) {
        double all = 0;
        for (end = first; end < n && at[end].line == at[first].line; end++)
            all += at[end].n;
        for (size_t i = first; i < end; i++)
            if (at[i].n > sums[at[i].datum].of_line[0])
                memcpy(sums[at[i].datum].of_line, (double[]){at[i].n, all}, 2 * sizeof all);
    }
    free(at);
    return ARMPMU_OK;
}

static void add_sums(const struct profile *p, struct data_sum *sums)
{
    for (size_t i = 0; i < p->n_data; i++) {
        sums[i].is_place = p->data[i].n_bytes != 0;
        sums[i].self[OF_CYCLES] = p->totals[OF_CYCLES];
    }
    for (size_t i = 0; i < p->n_allocations; i++)
        if (p->allocations[i].datum != PROFILE_NONE)
            sums[p->allocations[i].datum].is_place = true;
    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct armpmu_data_access *const of = &p->accesses[i].of;
        uint64_t *const self =
            p->accesses[i].datum != PROFILE_NONE ? sums[p->accesses[i].datum].self : NULL;
        if (self == NULL)
            continue;
        self[OF_L1D] += of->refills;
        self[OF_TLB] += of->tlb_refills;
        self[OF_L2] +=
            of->source > ARMPMU_FROM_L2 && of->source != ARMPMU_FROM_PAST ? of->refills : 0;
    }
}

/* The misses of a datum are those of a line. */
static bool is_a_line(const struct data_sum *sum)
{
    const double all = (double)(sum->self[OF_L1D] + sum->self[OF_TLB]);

    return sum->of_line[0] >= NEARLY_ALL * all && sum->of_line[0] >= NEARLY_ALL * sum->of_line[1];
}

static enum armpmu_status add_data(struct candidates *to, bool has_lines, struct armpmu_error *err)
{
    const struct profile *const p = to->profile;
    struct data_sum *const sums = calloc(p->n_data + 1, sizeof *sums);
    enum armpmu_status status =
        sums != NULL ? find_lines(p, sums, err) : fail_no_memory(err, "the places");

    if (status == ARMPMU_OK)
        add_sums(p, sums);
    for (uint32_t i = 0; i < p->n_data && status == ARMPMU_OK; i++)
        for (enum cure kind = 0; kind < CURES && status == ARMPMU_OK; kind++) {
            const struct candidate made = {NULL, NULL, i, kind,
                                           cost_of(to->base, kind, sums[i].self)};
            if ((cures_of_data(to->base->machine) >> kind & 1) != 0 && sums[i].is_place &&
                (kind == CURE_CONFLICTS || !has_lines || !is_a_line(&sums[i])))
                status = add_candidate(to, &made, err);
        }
    free(sums);
    return status;
}

static int by_cost(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    if (x->datum != y->datum || x->table == NULL)
        return ORDER(x->datum, y->datum, x->kind, y->kind);
    return ORDER(x->group->insn, y->group->insn, x->kind, y->kind);
}

/* ---- trials -------------------------------------------------------------------------------- */

/* The caller frees it; NULL without memory. */
static char *name_of(const struct profile *p, const struct candidate *candidate)
{
    if (candidate->table == NULL)
        return strdup(p->data[candidate->datum].name);
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

/* A symbol, or where blocks were accessed. Returns how many ranges there are. */
static size_t data_ranges(const struct profile *p, uint32_t datum, struct cure_range *ranges)
{
    const struct profile_datum *const symbol = &p->data[datum];
    size_t n = 0;

    if (symbol->n_bytes != 0)
        ranges[n++] = (struct cure_range){symbol->address, symbol->address + symbol->n_bytes};
    for (size_t i = 0; i < p->n_accesses && symbol->n_bytes == 0; i++)
        if (p->accesses[i].datum == datum)
            ranges[n++] = (struct cure_range){p->accesses[i].of.low,
                                              p->accesses[i].of.high + p->accesses[i].of.bytes};
    return join_ranges(ranges, n);
}

/* Where the calls return to that got blocks; the caller frees them. NULL without memory. */
static uint64_t *calls_of(const struct profile *p, uint32_t datum, size_t *n)
{
    uint64_t *const calls = calloc(p->n_allocations + 1, sizeof *calls);

    for (size_t i = 0; i < p->n_allocations && calls != NULL; i++) {
        const struct profile_allocation *const from = &p->allocations[i];
        if (from->datum == datum && from->datum != PROFILE_NONE && from->insn != PROFILE_NONE)
            calls[(*n)++] = p->insns[from->insn].address + p->insns[from->insn].n_bytes;
    }
    return calls;
}

/* The instructions of a group, or data; the caller frees them. NULL without memory. */
static struct cure_range *ranges_of(const struct profile *p, const struct candidate *candidate,
                                    size_t *n)
{
    const struct profile_table *const table = candidate->table;
    struct cure_range *const ranges =
        calloc((table != NULL ? p->n_rows : p->n_accesses) + 1, sizeof *ranges);

    *n = 0;
    if (ranges == NULL)
        return NULL;
    if (table == NULL) {
        *n = data_ranges(p, candidate->datum, ranges);
        return ranges;
    }
    for (uint32_t row = candidate->group->first_row; row != 0; row = table->next_rows[row - 1]) {
        const struct profile_insn *const insn = &p->insns[p->rows[row - 1].insn];
        ranges[(*n)++] = (struct cure_range){insn->address, insn->address + insn->n_bytes};
    }
    *n = join_ranges(ranges, *n);
    return ranges;
}

static enum armpmu_status add_trial(struct whatif_trials *trials, const struct candidates *from,
                                    const struct candidate *candidate, struct cures *cures,
                                    struct armpmu_error *err)
{
    const bool is_code = candidate->table != NULL;
    const struct whatif_trial like = {.place = name_of(from->profile, candidate),
                                      .place_before =
                                          is_code ? candidate->group->self[OF_CYCLES] : 0,
                                      .cures = cures,
                                      .knows_before = is_code,
                                      .knows_after = is_code && model_of(from->base)->counts_cured,
                                      .number = trials->n + 1};
    const enum armpmu_status status = like.place != NULL
                                          ? whatif_add_cure(trials, from->base, &like, err)
                                          : fail_no_memory(err, "the places");

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
        struct cures cures = {
            .kind = one->kind, .turns = WHATIF_FIRST_TURNS, .of_data = one->table == NULL};
        struct cure_range *const ranges = ranges_of(candidates->profile, one, &cures.n_ranges);
        uint64_t *const calls = calls_of(candidates->profile, one->datum, &cures.n_calls);
        cures.ranges = ranges;
        cures.calls = calls;
        status = ranges != NULL && calls != NULL ? add_trial(trials, candidates, one, &cures, err)
                                                 : fail_no_memory(err, "the places");
        free(ranges);
        free(calls);
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
    struct candidates candidates = {.base = base, .profile = profile};

    for (uint32_t i = 0; i < COUNTS; i++)
        numbers[i] = i;
    enum armpmu_status status = profile_table_make(&fine, 0, err);
    if (status == ARMPMU_OK)
        status = profile_table_make(&functions, 0, err);
    if (status == ARMPMU_OK && (by == BY_LINE || by == BY_INSN))
        status = add_candidates(&candidates, &fine, true, err);
    if (status == ARMPMU_OK && (by == BY_LINE || by == BY_FUNCTION))
        status = add_candidates(&candidates, &functions, by == BY_LINE, err);
    if (status == ARMPMU_OK && (by == BY_LINE || by == BY_DATA))
        status = add_data(&candidates, by == BY_LINE, err);
    if (status == ARMPMU_OK)
        status = make_trials(trials, &candidates, wanted->n, err);
    free(candidates.items);
    profile_table_free(&fine);
    profile_table_free(&functions);
    return status;
}
