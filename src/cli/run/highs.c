#include "cli/run/report.h"

#include <string.h>

#include "cli/text_wrap.h"

enum { HIGHS_MAX = 3, LEFT = 7 };

static const struct {
    const char *metric;
    double at;
} limits[] = {
#define HIGH(metric, at) {#metric, at},
#include "cli/run/highs.def"
#undef HIGH
};

struct high {
    const struct report_row *row;
    const struct report_metric *metric;
    double over; /* times its limit; below 1: it is not high */
};

static double times_limit(const struct report_metric *metric)
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (strcmp(limits[i].metric, metric->name) == 0)
            return metric->value / limits[i].at;
    return 0;
}

/* Keeps the highest, in falling order. */
static void keep(struct high *highs, struct high high)
{
    for (size_t i = 0; i < HIGHS_MAX && high.over >= 1; i++)
        if (high.over > highs[i].over) {
            const struct high lower = highs[i];
            highs[i] = high;
            high = lower;
        }
}

static const char *meaning_of(const struct report *report, const char *metric)
{
    const struct armpmu_core *const core = armpmu_machine_core(report->machine);

    for (size_t i = 0; i < core->n_metrics; i++)
        if (strcmp(core->metrics[i].name, metric) == 0)
            return core->metrics[i].meaning;
    return "";
}

static void print_high(const struct report *report, const struct high *high, FILE *stream)
{
    char sentence[400];

    snprintf(sentence, sizeof sentence, "%.2f %s (%s): %s.", high->metric->value,
             high->metric->unit, high->row->label, meaning_of(report, high->metric->name));
    fputs(" High: ", stream);
    text_wrap_wrapped(sentence, LEFT, LEFT, stream);
}

void highs_print(const struct report *report, const struct report_section *section, FILE *stream)
{
    struct high highs[HIGHS_MAX] = {{NULL, NULL, 0}};

    for (size_t i = 0; i < section->n_rows; i++)
        for (size_t j = 0; j < section->rows[i].n_metrics; j++) {
            const struct report_metric *const metric = &section->rows[i].metrics[j];
            keep(highs, (struct high){&section->rows[i], metric, times_limit(metric)});
        }
    for (size_t i = 0; i < HIGHS_MAX && highs[i].over >= 1; i++)
        print_high(report, &highs[i], stream);
    if (highs[0].over >= 1)
        fputc('\n', stream);
}
