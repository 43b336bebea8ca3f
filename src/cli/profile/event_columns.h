/* The counts of a profile's events, side by side, and metrics of them: the same columns in
 * `armpmu report` and `armpmu annotate`, as text and as rows. */
#ifndef CLI_PROFILE_EVENT_COLUMNS_H
#define CLI_PROFILE_EVENT_COLUMNS_H

#include "cli/metric_list.h"
#include "cli/table/table.h"
#include "profile/event_choice.h"
#include "profile/topdown_leaves.h"

struct event_columns {
    const struct profile *profile;
    const struct event_choice *events;
    const struct metric_choice *metrics;
    bool has_inclusive; /* two counts of each event, else one */
    bool has_all; /* counts are of all events of the profile, else of the events of the choice */
    bool color;
    size_t n;    /* events that are shown: as many as fit a terminal */
    int *widths; /* of the count of each event, and of each metric */
    FILE *stream;
};

/* Measures columns for text, of which all before n are set, and the stream. With fits, only as many
 * events are shown as leave `kept` of the terminal's columns (0: no limit), but always the first.
 * event_columns_close in any case. Returns false without memory. */
bool event_columns_open(struct event_columns *columns, bool fits, unsigned terminal, unsigned kept);
void event_columns_close(struct event_columns *columns);

/* Where what follows the columns begins. */
int event_columns_left(const struct event_columns *columns);

/* The lines of names, and of totals. */
void event_columns_put_head(const struct event_columns *columns);

/* " too wide for the terminal: EVENT EVENT" and a line end, where events are not shown. Returns
 * whether there are any. */
bool event_columns_put_hidden(const struct event_columns *columns);

/* The counts of a row, each with its percentage, and its metrics. inclusive: NULL for none. Of 0
 * counts blanks, if they are to be left out. */
void event_columns_put(const struct event_columns *columns, const uint64_t *self,
                       const uint64_t *inclusive, bool leaves_out);

/* " 84.02 %", by heat as perf paints it. */
void event_columns_put_percent(double percent, bool color, FILE *stream);

/* A count of the i-th event as a percentage of the total. */
double event_percent(const struct profile *profile, const struct event_choice *events, size_t i,
                     uint64_t n);

/* ---- rows ---- */

/* The columns of a table: self and self-percent of each event, inclusive and inclusive-percent, and
 * those of each metric without percentages. columns has room for 4 of each event and metric.
 * Returns how many. */
size_t event_columns_of_table(const struct event_columns *columns, struct table_column *of_table);

/* A member "topdown", a list of cause, cycles and percent. */
void event_columns_put_topdown(struct report_table *table, const struct topdown_part *parts,
                               size_t n);

/* Their cells: objects "events" and, where there are any, "metrics". inclusive: NULL for none. */
void event_columns_put_cells(struct report_table *table, const struct event_columns *columns,
                             const uint64_t *self, const uint64_t *inclusive);

#endif
