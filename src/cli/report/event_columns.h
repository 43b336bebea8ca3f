/* The counts of a profile's events, side by side: the same columns in `armpmu report` and
 * `armpmu annotate`, as text and as rows. */
#ifndef CLI_REPORT_EVENT_COLUMNS_H
#define CLI_REPORT_EVENT_COLUMNS_H

#include "cli/table/table.h"
#include "profile/event_choice.h"

struct event_columns {
    const struct profile *profile;
    const struct event_choice *events;
    bool has_inclusive; /* two counts of each event, else one */
    bool color;
    size_t n;    /* events that are shown: as many as fit a terminal */
    int *widths; /* of the count of each event */
    FILE *stream;
};

/* Measures columns, of which profile, events, has_inclusive, color and stream are set. With fits,
 * only as many are shown as leave `kept` of the terminal's columns (0: no limit), but always the
 * first. event_columns_close in any case. Returns false without memory. */
bool event_columns_open(struct event_columns *columns, bool fits, unsigned terminal, unsigned kept);
void event_columns_close(struct event_columns *columns);

/* Where what follows the columns begins. */
int event_columns_left(const struct event_columns *columns);

/* The lines of names, and of totals. */
void event_columns_put_head(const struct event_columns *columns);

/* " too wide for the terminal: EVENT EVENT" and a line end, where events are not shown. Returns
 * whether there are any. */
bool event_columns_put_hidden(const struct event_columns *columns);

/* A count of the i-th event with its percentage; of 0 counts blanks, if they are to be left out. */
void event_columns_put(const struct event_columns *columns, size_t i, uint64_t n, bool leaves_out);

/* " 84.02 %", by heat as perf paints it. */
void event_columns_put_percent(double percent, bool color, FILE *stream);

/* Of a count of the i-th event, its percentage of the total. */
double event_percent(const struct profile *profile, const struct event_choice *events, size_t i,
                     uint64_t n);

/* ---- rows ---- */

/* The columns of a table: self and self-percent of each event, inclusive and inclusive-percent.
 * columns has room for 2 or 4 each. Returns how many. */
size_t event_columns_of_table(const struct profile *profile, const struct event_choice *events,
                              bool has_inclusive, struct table_column *columns);

/* Their cells. inclusive: NULL for none. */
void event_columns_put_cells(struct report_table *table, const struct profile *profile,
                             const struct event_choice *events, size_t i, uint64_t self,
                             const uint64_t *inclusive);

#endif
