#include "cli/table/metric_cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int metric_digits(const char *name, double value)
{
    return strstr(name, "_ratio") != NULL && fabs(value) < 0.095 ? 4 : 2;
}

void metric_text(const struct armpmu_metric *metric, double value, char text[METRIC_TEXT])
{
    if (isnan(value))
        snprintf(text, METRIC_TEXT, "-");
    else
        snprintf(text, METRIC_TEXT, "%.*f", metric_digits(metric->name, value), value);
}

void metric_put_cell(struct report_table *t, const char *key, const struct armpmu_metric *metric,
                     double value)
{
    char text[METRIC_TEXT];

    if (t->options->format == TABLE_TEXT || t->options->format == TABLE_MD) {
        metric_text(metric, value, text);
        table_text(t, key, text);
    } else if (!isnan(value) || table_is_json(t)) {
        table_real(t, key, value);
    }
}
