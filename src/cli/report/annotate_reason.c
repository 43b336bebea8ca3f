#include "base/printable.h"
#include "cli/report/annotate.h"

#define BAD_PERCENT      10 /* a metric from here on is named */
#define RELEVANT_PERCENT 10 /* of the event's total must be the line's */

/* What is rarer in a run costs little: a stalled cycle in so many cycles, or another event. */
#define RARE_STALL 20
#define RARE_EVENT 1000

static const struct armpmu_core *core_of(const struct profile *p)
{
    return p->setup.core != NULL ? armpmu_core_find(p->setup.core) : NULL;
}

static uint32_t find_number(const struct profile *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->n_events; i++)
        if (p->events[i].number == number)
            return i;
    return PROFILE_NONE;
}

/* How many cycles there may be to one event of what the metric counts; 0: that is no cost. */
static uint64_t cycles_to_one(const struct armpmu_core *core, const struct armpmu_metric *metric)
{
    if (metric->factor == 100 && metric->denominator == core->cycles_event)
        return RARE_STALL;
    return metric->factor == 1000 ? RARE_EVENT : 0;
}

bool annotate_is_cost(const struct profile *p, uint32_t event)
{
    const struct armpmu_core *const core = core_of(p);
    const uint32_t cycles = core != NULL ? find_number(p, core->cycles_event) : PROFILE_NONE;

    for (size_t i = 0; core != NULL && i < core->n_metrics; i++) {
        const uint64_t most = cycles_to_one(core, &core->metrics[i]);
        if (core->metrics[i].numerator == p->events[event].number && most > 0)
            return cycles == PROFILE_NONE || p->totals[event] >= p->totals[cycles] / most;
    }
    return false;
}

static void put_reason(const struct profile *p, const struct armpmu_metric *metric,
                       const uint64_t *sums, int indent, FILE *stream)
{
    const uint32_t above = find_number(p, metric->numerator);
    const uint32_t below = find_number(p, metric->denominator);

    if (metric->factor != 100 || above == PROFILE_NONE || below == PROFILE_NONE ||
        sums[below] == 0 || !annotate_is_cost(p, above))
        return;
    const double percent = 100.0 * (double)sums[above] / (double)sums[below];
    const double share = 100.0 * (double)sums[above] / (double)p->totals[above];
    if (percent < BAD_PERCENT || share < RELEVANT_PERCENT)
        return;
    fprintf(stream, "%*s^ ", indent, "");
    printable_put(p->events[above].name, stream);
    fprintf(stream, ": %.1f %s\n%*s  %s\n", percent, metric->unit, indent, "", metric->meaning);
}

void annotate_put_reasons(const struct profile *p, const uint64_t *sums, int indent, FILE *stream)
{
    const struct armpmu_core *const core = core_of(p);

    for (size_t i = 0; core != NULL && i < core->n_metrics; i++)
        put_reason(p, &core->metrics[i], sums, indent, stream);
}
