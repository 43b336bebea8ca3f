/* The figures of metrics in reports: as text and as cells of a table. NAN means a metric without
 * a value, because it divides by zero or an event of it was not counted: text has "-", JSON
 * null, separated values nothing. */
#ifndef CLI_TABLE_METRIC_CELLS_H
#define CLI_TABLE_METRIC_CELLS_H

#include "armpmu/catalog.h"
#include "cli/table/table.h"

#define METRIC_TEXT 400

/* Decimals that people see: ratios of misses are small. */
int metric_digits(const char *name, double value);

void metric_text(const struct armpmu_metric *metric, double value, char text[METRIC_TEXT]);

/* Adds a cell to a table whose text and Markdown are for people. */
void metric_put_cell(struct report_table *table, const char *key,
                     const struct armpmu_metric *metric, double value);

#endif
