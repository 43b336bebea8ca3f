/* Annotated code: the counts of source lines and of their instructions.
 *
 * The instructions are those that were executed, as their bytes were recorded; the program's file
 * is not read. Source files are, where the profile or a moved folder says. */
#ifndef CLI_PROFILE_ANNOTATE_REPORT_H
#define CLI_PROFILE_ANNOTATE_REPORT_H

#include <stdio.h>

#include "cli/profile/disassembly.h"
#include "cli/profile/event_columns.h"
#include "profile/event_choice.h"

struct annotate_print {
    const char *what;        /* a function or source file; NULL: the hottest function */
    const char *source_path; /* OLD=NEW, or a folder to search; NULL */
    unsigned context;        /* lines around those with counts */
    double limit;            /* percent of the first event: lines below are context */
    const struct table_options *table;
    const struct metric_choice *metrics;
    const struct whatif_rows *whatif;
    unsigned columns; /* of the terminal; 0: no limit */
    bool color, has_topdown;
    bool chose_events; /* armpmu did, not the user */
    bool takes_all;    /* all lines of the program, instead of what */
};

/* A source line: insns first to first + n of the annotation. */
struct annotate_line {
    size_t first, n;
    uint32_t line; /* 0: not known */
};

struct annotate_file {
    uint32_t file; /* PROFILE_NONE: not known */
    struct annotate_line *lines;
    size_t n;
    uint64_t heat; /* count of the first event */
};

/* The lines or instructions shown: insns of the profile by source line, then address. */
struct annotation {
    const struct profile *profile;
    struct event_choice *events;
    uint64_t *sums; /* n_events of the profile for each insn */
    uint32_t *insns;
    size_t n;
    const char *title;           /* of what is shown: the profile's */
    struct annotate_file *files; /* greatest count of the first event first */
    size_t n_files;
    struct annotate_line *lines;
    uint64_t hottest;   /* line's count of the first event */
    bool has_own_lines; /* code inlined from a library's header is at the line that called it */
};

/* Adds up, and finds what is to be shown; with chose_events, also which events: cycles and the two
 * that cost most there. annotation is freed by annotation_free, also after a
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

/* The bad event that costs a run most; PROFILE_NONE for none. */
uint32_t annotate_worst(const struct profile *profile);

/* The line that an instruction is shown at. */
struct profile_line annotate_line_of(const struct annotation *annotation, uint32_t insn);

/* Files and lines of what is to be shown. Returns false without memory. */
bool annotate_find_lines(struct annotation *annotation);

/* The counts of a line: sums has room for all events of the profile. */
void annotate_sum(const struct annotation *annotation, const struct annotate_line *line,
                  uint64_t *sums);

/* Returns whether one of the first n_events has limit percent of its total there. */
bool annotate_is_relevant(const struct annotation *annotation, size_t n_events, double limit,
                          const uint64_t *sums);

/* Why a line or an instruction is slow: "33.8 % of L1D accesses", "49.8 % of these loads miss L1D".
 */
struct annotate_reason {
    uint32_t event; /* that there is too much of: the profile's */
    double percent;
    const char *of;      /* "L1D accesses"; of an instruction "loads" */
    const char *meaning; /* what it means; of an instruction "miss L1D" */
};

#define ANNOTATE_REASONS_MOST 16

/* The metrics of the core's catalogue that are bad at a line. sums: of all events of the profile.
 * Returns how many. */
size_t annotate_line_reasons(const struct profile *profile, const uint64_t *sums,
                             struct annotate_reason reasons[ANNOTATE_REASONS_MOST]);

/* The same of a single instruction: how many of its accesses miss, or of its branches are
 * mispredicted. */
size_t annotate_insn_reasons(const struct profile *profile, const uint64_t *sums,
                             struct annotate_reason reasons[ANNOTATE_REASONS_MOST]);

/* The sum of the event that is this signal alone; 0 where the profile has none. */
uint64_t annotate_count(const struct profile *profile, const uint64_t *sums,
                        enum armpmu_signal signal);

/* A load that misses or a branch that is mispredicted, and time that passes after it. */
struct annotate_wait {
    uint32_t insn;
    bool is_branch;
    struct annotate_reason reasons[ANNOTATE_REASONS_MOST]; /* as of an instruction */
    size_t n;
};

/* Finds what the slowest instruction of a line waits for: the load that one of its operands comes
 * from, through other operations too, on the way that most executions come; or the branch right
 * before it. False where it issues most of the time, is that load or branch itself, or waits for
 * none that is bad. */
bool annotate_wait_of(const struct annotation *annotation, struct disassembly *disassembly,
                      const struct annotate_line *line, struct annotate_wait *wait);

/* Members of an object in JSON: of rows and of a page. The last is the load or branch that the line
 * waits for, with its reasons, and nothing if that is not known. */
void annotate_put_address(struct json_writer *json, uint64_t address);
void annotate_put_reasons(struct json_writer *json, const struct profile *profile,
                          const struct annotate_reason *reasons, size_t n);
void annotate_put_wait(struct json_writer *json, const struct annotation *annotation,
                       struct disassembly *disassembly, const struct annotate_line *line);

/* How much, from 1 on, against what is rare; else 0. counts: of all events, of any part of the run.
 */
double annotate_cost(const struct profile *profile, const uint64_t *counts, uint32_t event);

/* Prints what a page shows of code (print_more in export.h): lines, hottest file first, with their
 * source, instructions and reasons; those that cost least are left out of a large program. Then
 * data accesses, where the profile has them, of these instructions and by what was accessed. As
 * the others. */
ARMPMU_MUST_USE enum armpmu_status annotate_print_page(const struct profile *profile, FILE *stream,
                                                       struct armpmu_error *err);

/* As rows, in any format but text; or as text. Leave errors of the stream in ferror. Return
 * ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status annotate_print_rows(const struct annotation *annotation,
                                                       const struct annotate_print *how,
                                                       FILE *stream, struct armpmu_error *err);
ARMPMU_MUST_USE enum armpmu_status annotate_print_text(const struct annotation *annotation,
                                                       const struct annotate_print *how,
                                                       FILE *stream, struct armpmu_error *err);

#endif
