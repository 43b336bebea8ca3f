/* Annotated code: the counts of source lines and of their instructions.
 *
 * The instructions are those that were executed, as their bytes were recorded; the program's file
 * is not read. Source files are, where the profile or a moved folder says. */
#ifndef CLI_REPORT_ANNOTATE_H
#define CLI_REPORT_ANNOTATE_H

#include <stdio.h>

#include "profile/event_choice.h"

struct annotate_print {
    const char *what;         /* a function or source file; NULL: the hottest function */
    const char *source_path;  /* OLD=NEW, or a folder to search; NULL */
    unsigned context;         /* lines around those with counts */
    double limit;             /* percent of the first event: lines below are context */
    unsigned columns;         /* of the terminal; 0: no limit */
    bool color, chose_events; /* armpmu chose the events, not the user */
};

/* Of the lines or instructions shown: insns of the profile by source line, then address. */
struct annotation {
    const struct profile *profile;
    struct event_choice *events;
    uint64_t *sums; /* n_events of the profile for each insn */
    uint32_t *insns;
    size_t n;
    const char *title; /* of what is shown: the profile's */
};

/* Adds up, and finds what is to be shown; with chose_events, also which events: cycles and the two
 * cost events that fewest instructions cause. annotation is freed by annotation_free, also after a
 * failure. Returns ARMPMU_OK, ARMPMU_NOT_FOUND (the message names what is near) or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status annotation_make(struct annotation *annotation,
                                                   const struct profile *profile,
                                                   struct event_choice *events,
                                                   const struct annotate_print *how,
                                                   struct armpmu_error *err);
void annotation_free(struct annotation *annotation);

/* The text of the source file, by line: n of them, in memory that annotate_source_free frees. */
struct annotate_source {
    char **lines;
    size_t n, room;
};

/* Returns whether the file could be read; errno says why not. */
bool annotate_source_read(struct annotate_source *source, const char *path,
                          const char *source_path);
void annotate_source_free(struct annotate_source *source);

/* The event that costs a run most of those that are bad in it; PROFILE_NONE for none. */
uint32_t annotate_worst(const struct profile *profile);

/* Prints why a line is slow: the metrics of the core's catalogue that are bad at it. sums: of all
 * events of the profile. Each is a line behind indent blanks. */
void annotate_put_reasons(const struct profile *profile, const uint64_t *sums, int indent,
                          FILE *stream);

/* Whether more of an event means more time: it is counted per thousand instructions, or as a part
 * of the cycles, by a metric of the core. */
bool annotate_is_cost(const struct profile *profile, uint32_t event);

/* Leaves errors of the stream in ferror. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status annotate_print_text(const struct annotation *annotation,
                                                       const struct annotate_print *how,
                                                       FILE *stream, struct armpmu_error *err);

#endif
