#include <string.h>

#include "cli/profile/annotate_report.h"
#include "profile/metric.h"

#define BAD_PERCENT      10 /* a metric from here on is named */
#define RELEVANT_PERCENT 10 /* of the event's total must be the line's */

/* A cause that is rarer in a run costs little: one stalled cycle, or another event, in this number
 * of cycles.
 */
#define RARE_STALL 20
#define RARE_EVENT 1000

static const struct armpmu_core *core_of(const struct profile *p)
{
    return p->setup.core != NULL ? armpmu_core_find(p->setup.core) : NULL;
}

#define GROUP_OF_MASKS "interrupt" /* a program that takes none has them masked, at no cost */

/* A program does these, whether they cost much or not. */
static const enum armpmu_signal work[] = {
    ARMPMU_SIGNAL_L1D_ACCESS,     ARMPMU_SIGNAL_L1D_READ,      ARMPMU_SIGNAL_L1D_WORD_ACCESS,
    ARMPMU_SIGNAL_LOAD_RETIRED,   ARMPMU_SIGNAL_STORE_RETIRED, ARMPMU_SIGNAL_BRANCH_PREDICTABLE,
    ARMPMU_SIGNAL_BRANCH_RETIRED, ARMPMU_SIGNAL_DIRECT_BRANCH, ARMPMU_SIGNAL_PC_WRITE,
    ARMPMU_SIGNAL_PAIR_RETIRED,
};

static bool is_work(const struct armpmu_event *event)
{
    for (size_t i = 0; i < sizeof work / sizeof *work; i++)
        if (event->n_signals != 0 && event->signals[0] == work[i])
            return true;
    return false;
}

/* How many cycles there may be to one event of what the metric counts; 0: that is no cost. */
static uint64_t cycles_to_one(const struct armpmu_core *core, const struct armpmu_metric *metric)
{
    if (metric_is_in_group(metric, GROUP_OF_MASKS) ||
        is_work(armpmu_event_by_number(core, metric->numerator)))
        return 0;
    if (metric->factor == 100 && metric->denominator == core->cycles_event)
        return RARE_STALL;
    return metric->factor == 1000 ? RARE_EVENT : 0;
}

double annotate_cost(const struct profile *p, const uint64_t *counts, uint32_t event)
{
    const struct armpmu_core *const core = core_of(p);
    const uint32_t cycles =
        core != NULL ? profile_find_number(p, core->cycles_event) : PROFILE_NONE;

    for (size_t i = 0; core != NULL && i < core->n_metrics; i++) {
        const uint64_t most = cycles_to_one(core, &core->metrics[i]);
        if (core->metrics[i].numerator != p->events[event].number || most == 0)
            continue;
        if (cycles == PROFILE_NONE || counts[cycles] == 0)
            return 1;
        const double cost = (double)counts[event] * (double)most / (double)counts[cycles];
        return cost >= 1 ? cost : 0;
    }
    return 0;
}

/* Returns true if more of an event means more time: a metric of the core counts it per thousand
 * instructions, or as a part of the cycles. */
static bool is_cost(const struct profile *p, uint32_t event)
{
    return annotate_cost(p, p->totals, event) > 0;
}

static double share_of(const struct profile *p, const uint64_t *sums, uint32_t event)
{
    return p->totals[event] > 0 ? 100.0 * (double)sums[event] / (double)p->totals[event] : 0;
}

/* ---- of a line ---- */

static const char *after(const char *text, const char *start)
{
    const size_t n = strlen(start);

    return strncmp(text, start, n) == 0 ? text + n : NULL;
}

/* The whole that a metric is a share of: "L1D accesses" of "% of L1D accesses", of a miss ratio
 * ("0.2 per cache access") the event below the line; NULL: it is another figure. */
static const char *whole_of(const struct armpmu_core *core, const struct armpmu_metric *metric)
{
    const char *const suffix = strrchr(metric->name, '_');
    const char *of = after(metric->unit, "% of ");

    if (metric->formula != NULL)
        return NULL;
    if (of == NULL)
        of = after(metric->unit, "percent of ");
    if (of == NULL && suffix != NULL && strcmp(suffix, "_ratio") == 0 &&
        after(metric->unit, "per ") != NULL)
        of = armpmu_event_by_number(core, metric->denominator)->name;
    return of;
}

static bool find_line_reason(const struct profile *p, const struct armpmu_metric *metric,
                             const uint64_t *sums, struct annotate_reason *reason)
{
    const uint32_t above = profile_find_number(p, metric->numerator);
    const uint32_t below = profile_find_number(p, metric->denominator);
    const char *const whole = whole_of(core_of(p), metric);

    if (whole == NULL || above == PROFILE_NONE || below == PROFILE_NONE || sums[below] == 0 ||
        !is_cost(p, above))
        return false;
    *reason = (struct annotate_reason){above, 100.0 * (double)sums[above] / (double)sums[below],
                                       whole, metric->meaning};
    /* Cycles of other lines may count at this one (docs/profiling.md): it is no part of its own. */
    return reason->percent >= BAD_PERCENT && reason->percent <= 100 &&
           share_of(p, sums, above) >= RELEVANT_PERCENT;
}

size_t annotate_line_reasons(const struct profile *p, const uint64_t *sums,
                             struct annotate_reason reasons[ANNOTATE_REASONS_MOST])
{
    const struct armpmu_core *const core = core_of(p);
    size_t n = 0;

    for (size_t i = 0; core != NULL && i < core->n_metrics && n < ANNOTATE_REASONS_MOST; i++)
        n += find_line_reason(p, &core->metrics[i], sums, &reasons[n]);
    return n;
}

uint32_t annotate_worst(const struct profile *p)
{
    const struct armpmu_core *const core = core_of(p);
    uint32_t worst = PROFILE_NONE;

    for (size_t i = 0; core != NULL && i < core->n_metrics; i++) {
        struct annotate_reason bad;
        if (find_line_reason(p, &core->metrics[i], p->totals, &bad) &&
            (worst == PROFILE_NONE ||
             annotate_cost(p, p->totals, bad.event) > annotate_cost(p, p->totals, worst)))
            worst = bad.event;
    }
    return worst;
}

/* ---- of an instruction ---- */

/* An event is one signal, or the sum of two. */
struct sum {
    enum armpmu_signal a, b;
    unsigned n;
};

#define OF_ONE(a)                                                                                  \
    {                                                                                              \
        ARMPMU_SIGNAL_##a, 0, 1                                                                    \
    }
#define OF_TWO(a, b)                                                                               \
    {                                                                                              \
        ARMPMU_SIGNAL_##a, ARMPMU_SIGNAL_##b, 2                                                    \
    }
#define L1D_BOTH OF_TWO(L1D_READ, L1D_WRITE)

/* The events of an access or a branch that goes wrong, each at most once. */
static const struct {
    struct sum wrong, all;
    const char *meaning;
} failures[] = {
    {OF_ONE(L1D_REFILL), OF_ONE(L1D_ACCESS), "miss L1D"},
    {OF_TWO(L1D_READ_REFILL, L1D_WRITE_REFILL), L1D_BOTH, "miss L1D"},
    {OF_ONE(L1D_WORD_MISS), OF_ONE(L1D_WORD_ACCESS), "miss L1D"},
    {OF_ONE(L2_MISS), OF_ONE(L1D_ACCESS), "miss L2"},
    {OF_ONE(L2_MISS), L1D_BOTH, "miss L2"},
    {OF_ONE(LLC_MISS), L1D_BOTH, "reach memory"},
    {OF_ONE(DTLB_WALK), OF_ONE(L1D_ACCESS), "miss the data TLB"},
    {OF_TWO(DTLB_READ_WALK, DTLB_WRITE_WALK), L1D_BOTH, "miss the data TLBs"},
    {OF_ONE(BRANCH_FLUSH), OF_ONE(BRANCH_PREDICTABLE), "are mispredicted"},
    {OF_ONE(BRANCH_FLUSH), OF_ONE(BRANCH_RETIRED), "are mispredicted"},
    {OF_ONE(DIRECT_BRANCH_MISPREDICT), OF_ONE(DIRECT_BRANCH), "are mispredicted"},
};

/* The profile's event that is this sum; with has_cost, one that a metric makes a cost. */
static uint32_t find_sum(const struct profile *p, const struct sum *sum, bool has_cost)
{
    const struct armpmu_core *const core = core_of(p);

    for (uint32_t i = 0; core != NULL && i < p->n_events; i++) {
        const struct armpmu_event *const event =
            p->events[i].number <= 0xffff ? armpmu_event_by_number(core, p->events[i].number)
                                          : NULL;
        if (event != NULL && event->n_signals == sum->n && event->signals[0] == sum->a &&
            (sum->n == 1 || event->signals[1] == sum->b) && (!has_cost || is_cost(p, i)))
            return i;
    }
    return PROFILE_NONE;
}

static uint64_t count_of(const struct profile *p, const uint64_t *sums, const struct sum *sum)
{
    const uint32_t event = find_sum(p, sum, false);

    return event != PROFILE_NONE ? sums[event] : 0;
}

uint64_t annotate_count(const struct profile *p, const uint64_t *sums, enum armpmu_signal signal)
{
    return count_of(p, sums, &(struct sum){signal, 0, 1});
}

/* The action that the instruction does n times: "accesses" if each execution does several. */
static const char *name_of(const struct profile *p, const uint64_t *sums, enum armpmu_signal all,
                           uint64_t n)
{
    if (all == ARMPMU_SIGNAL_BRANCH_PREDICTABLE || all == ARMPMU_SIGNAL_BRANCH_RETIRED ||
        all == ARMPMU_SIGNAL_DIRECT_BRANCH)
        return "branches";
    const uint64_t loads = annotate_count(p, sums, ARMPMU_SIGNAL_LOAD_RETIRED);
    const uint64_t stores = annotate_count(p, sums, ARMPMU_SIGNAL_STORE_RETIRED);
    if (loads == n && stores == 0)
        return "loads";
    return stores == n && loads == 0 ? "stores" : "accesses";
}

size_t annotate_insn_reasons(const struct profile *p, const uint64_t *sums,
                             struct annotate_reason reasons[ANNOTATE_REASONS_MOST])
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        const uint32_t event = find_sum(p, &failures[i].wrong, true);
        const uint64_t all = count_of(p, sums, &failures[i].all);
        if (event == PROFILE_NONE || all == 0 || sums[event] > all)
            continue;
        const double percent = 100.0 * (double)sums[event] / (double)all;
        if (percent >= BAD_PERCENT && share_of(p, sums, event) >= RELEVANT_PERCENT)
            reasons[n++] = (struct annotate_reason){
                event, percent, name_of(p, sums, failures[i].all.a, all), failures[i].meaning};
    }
    return n;
}
