/* Compares two runs: events, metrics, functions and lines. */
#ifndef CLI_PROFILE_DIFF_REPORT_H
#define CLI_PROFILE_DIFF_REPORT_H

#include <stdio.h>

#include "armpmu/catalog.h"
#include "cli/table/table.h"
#include "profile/profile.h"

/* The total of an event. */
struct diff_event {
    char *name;      /* canonical where the core has it, of a region "sorting/CPU_CYCLES" */
    size_t n_region; /* bytes of it up to the event's own: those of "sorting/", or 0 */
    uint32_t number;
    uint64_t n;
};

/* A run: what armpmu record wrote, or armpmu stat -j. */
struct diff_side {
    const char *path;
    bool force;              /* a profile of another user is read, too */
    struct profile *profile; /* NULL: of stat, without functions and lines */
    const struct armpmu_core *core;
    char *machine, *machine_hash; /* NULL: not known */
    struct diff_event *events;
    size_t n_events, room_events;
    char *versions[VERSIONS]; /* NULL: not known */
    bool is_partial;          /* the counts do not reach the run's end */
};

enum diff_kind { DIFF_EVENT, DIFF_METRIC, DIFF_FUNCTION, DIFF_LINE, DIFF_KINDS };

#define DIFF_EVENTS_MOST 8 /* of functions and lines */

struct diff_change {
    double before, after;
};

struct diff_row {
    enum diff_kind kind;
    char *name;
    const char *unit; /* of a metric; else "" */
    /* A function or line has one for each event of the choice, others have one. */
    struct diff_change changes[DIFF_EVENTS_MOST];
    bool is_time;  /* an event that counts cycles, or a metric of one */
    double moved;  /* of an event or metric: change of the count, of a metric that of its event */
    bool is_in[2]; /* of a function or line: sides that executed it */
    const char *path; /* of a line: of its source file, the profile's; NULL: not known */
    uint32_t line;
};

struct diff {
    struct diff_side sides[2];
    struct diff_row *rows; /* by kind, greatest change first */
    size_t n_rows, room_rows;
    const char *events[DIFF_EVENTS_MOST]; /* of functions and lines; the first decides the order */
    size_t n_events;
};

/* Something that rose by more than a limit. */
struct diff_limit {
    const char *name; /* metric or event, as it was asked for */
    size_t n_name;    /* without what follows */
    double percent;
    const struct diff_row *row; /* that rose; NULL: none */
};

struct diff_limits {
    struct diff_limit *at;
    size_t n;
};

/* Compares two sides that were read. events: by which functions and lines are compared, separated
 * by ',', NULL for cycles; those that changed by less than limit percent of each total are left
 * out. diff is freed by diff_free, also after a failure. Returns ARMPMU_OK, ARMPMU_NOT_FOUND,
 * ARMPMU_BAD_INPUT or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status diff_compare(struct diff *diff, const char *events, double limit,
                                                struct armpmu_error *err);
void diff_free(struct diff *diff);

/* Reads a zeroed side. Returns ARMPMU_OK, ARMPMU_BAD_INPUT, ARMPMU_NO_MEMORY or what
 * profile_file_read returns. */
ARMPMU_MUST_USE enum armpmu_status diff_side_read(struct diff_side *side, const char *path,
                                                  struct armpmu_error *err);
void diff_side_free(struct diff_side *side);

/* Adds an event, of a region or of all for NULL; its name is copied. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status diff_side_add(struct diff_side *side, const char *region,
                                                 const struct diff_event *event,
                                                 struct armpmu_error *err);

/* The event of a number; NULL where it was not counted. like: of the same region; NULL: of any. */
const struct diff_event *diff_side_find(const struct diff_side *side, const struct diff_event *like,
                                        uint32_t number);

/* The event's name without its region. */
static inline const char *diff_event_name(const struct diff_event *event)
{
    return event->name + event->n_region;
}

/* Returns whether a version is known of both programs and differs. Of a build id, false. */
bool diff_version_differs(const struct diff_side *before, const struct diff_side *after,
                          enum version version);

/* Percent; infinity for what was zero and is not. */
double diff_rise(const struct diff_change *change);

/* Finds what rose. Returns ARMPMU_OK or ARMPMU_NOT_FOUND: it is no event or metric of both. */
ARMPMU_MUST_USE enum armpmu_status diff_check(const struct diff *diff, struct diff_limit *limit,
                                              struct armpmu_error *err);

/* Those of a table, github, which is TABLE_OWN, and html: as an option takes them. */
extern const char *const diff_formats[];

/* Prints rows that changed, and limits that were passed. Leaves errors of the stream in ferror.
 * Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status diff_print(const struct diff *diff,
                                              const struct diff_limits *limits,
                                              const struct table_options *options, FILE *stream,
                                              struct armpmu_error *err);

/* Prints a page for a browser: what diff_print has in JSON, and both profiles. As diff_print. */
ARMPMU_MUST_USE enum armpmu_status diff_page(const struct diff *diff,
                                             const struct diff_limits *limits, FILE *stream,
                                             struct armpmu_error *err);

/* The events that a page compares where none are named, separated by ',': what most look for first,
 * as far as both runs have it; NULL: cycles alone, of runs without profiles. The caller frees it.
 * Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status diff_page_events(const struct diff *diff, char **events,
                                                    struct armpmu_error *err);

/* ---- the comment of a pull request ---- */

struct diff_remark {
    const char *name; /* tells it from other comments; NULL: there is none */
    const char *link; /* to a page; NULL */
};

/* Checks that a name can be in the hidden line, and that no other format is asked for. Returns
 * ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status diff_comment_check(const struct diff_remark *remark,
                                                      const struct table_options *options,
                                                      struct armpmu_error *err);

/* Prints Markdown, whose first line is hidden and finds the comment again. As diff_print. */
ARMPMU_MUST_USE enum armpmu_status diff_comment(const struct diff *diff,
                                                const struct diff_limits *limits,
                                                const struct diff_remark *remark, FILE *stream,
                                                struct armpmu_error *err);

/* ---- parts of what diff_print prints ---- */

/* The name of the function or line of an instruction, which the caller frees; NULL without memory.
 */
char *diff_code_name(const struct profile *p, enum diff_kind kind, uint32_t insn);

/* Prints other causes than the program's source: a line for each version that differs. put prints
 * the version, as the format needs it. */
typedef void (*diff_put_fn)(const char *text, FILE *stream);
void diff_put_versions(const struct diff *diff, const char *before, diff_put_fn put, FILE *stream);

/* The tables of all kinds with their rows that changed, at most `most` of functions and of lines;
 * 0: all. As diff_print. */
ARMPMU_MUST_USE enum armpmu_status diff_put_kinds(const struct diff *diff,
                                                  const struct table_options *options, size_t most,
                                                  FILE *stream, struct armpmu_error *err);

/* "+57,694,175 (+44.45 %)", of the first event. */
void diff_put_change(const struct diff_row *row, FILE *stream);

/* "CPU_CYCLES rose by 12.50 % (8 to 9), the limit is 5 %". */
void diff_put_limit(const struct diff_limit *limit, FILE *stream);

#endif
