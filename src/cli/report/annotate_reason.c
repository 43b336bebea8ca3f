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

/* What an event costs a run, from 1 on, where it does, against what is rare; else 0. */
static double cost_of(const struct profile *p, uint32_t event)
{
    const struct armpmu_core *const core = core_of(p);
    const uint32_t cycles = core != NULL ? find_number(p, core->cycles_event) : PROFILE_NONE;

    for (size_t i = 0; core != NULL && i < core->n_metrics; i++) {
        const uint64_t most = cycles_to_one(core, &core->metrics[i]);
        if (core->metrics[i].numerator != p->events[event].number || most == 0)
            continue;
        if (cycles == PROFILE_NONE || p->totals[cycles] == 0)
            return 1;
        const double cost = (double)p->totals[event] * (double)most / (double)p->totals[cycles];
        return cost >= 1 ? cost : 0;
    }
    return 0;
}

bool annotate_is_cost(const struct profile *p, uint32_t event)
{
    return cost_of(p, event) > 0;
}

/* A metric that is bad where those are the sums. */
struct bad {
    uint32_t event; /* PROFILE_NONE: it is not bad, or not known */
    double percent;
};

static struct bad bad_of(const struct profile *p, const struct armpmu_metric *metric,
                         const uint64_t *sums)
{
    const uint32_t above = find_number(p, metric->numerator);
    const uint32_t below = find_number(p, metric->denominator);
    const struct bad none = {PROFILE_NONE, 0};

    if (metric->factor != 100 || above == PROFILE_NONE || below == PROFILE_NONE ||
        sums[below] == 0 || !annotate_is_cost(p, above))
        return none;
    const double percent = 100.0 * (double)sums[above] / (double)sums[below];
    const double share = 100.0 * (double)sums[above] / (double)p->totals[above];
    return percent < BAD_PERCENT || share < RELEVANT_PERCENT ? none : (struct bad){above, percent};
}

static void put_reason(const struct profile *p, const struct armpmu_metric *metric,
                       const uint64_t *sums, int indent, FILE *stream)
{
    const struct bad bad = bad_of(p, metric, sums);

    if (bad.event == PROFILE_NONE)
        return;
    fprintf(stream, "%*s^ ", indent, "");
    printable_put(p->events[bad.event].name, stream);
    fprintf(stream, ": %.1f %s\n%*s  %s\n", bad.percent, metric->unit, indent, "", metric->meaning);
}

uint32_t annotate_worst(const struct profile *p)
{
    const struct armpmu_core *const core = core_of(p);
    struct bad worst = {PROFILE_NONE, 0};

    for (size_t i = 0; core != NULL && i < core->n_metrics; i++) {
        const struct bad bad = bad_of(p, &core->metrics[i], p->totals);
        if (bad.event != PROFILE_NONE &&
            (worst.event == PROFILE_NONE || cost_of(p, bad.event) > cost_of(p, worst.event)))
            worst = bad;
    }
    return worst.event;
}

void annotate_put_reasons(const struct profile *p, const uint64_t *sums, int indent, FILE *stream)
{
    const struct armpmu_core *const core = core_of(p);

    for (size_t i = 0; core != NULL && i < core->n_metrics; i++)
        put_reason(p, &core->metrics[i], sums, indent, stream);
}
