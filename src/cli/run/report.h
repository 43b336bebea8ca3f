/* The report of `armpmu stat` and `armpmu guest`, ready to print, and the ways to print it.
 *
 * A report is built from tallies (report.c) and printed a section at a time: a section is the whole
 * run, one guest thread or processor of it, or one interval. Printers only lay out: every figure is
 * here. */
#ifndef CLI_RUN_REPORT_H
#define CLI_RUN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/catalog.h"
#include "armpmu/machine.h"
#include "cli/event_list.h"
#include "qemu/engine.h"

#define REPORT_METRICS_MAX 8

struct report_metric {
    const char *name; /* in the catalogue; of a time, "simulated_ms" */
    double value;
    const char *unit; /* "insn/cycle" */
    char shown[96]; /* what is printed after the figure: the unit, with -M and the name, as perf */
};

enum report_state {
    REPORT_COUNTED,
    REPORT_NO_INPUT,  /* the event is a pin that nothing drives: there is no count, not even 0 */
    REPORT_NOT_KNOWN, /* only a whole system shows it, and the report is of a program */
    REPORT_NOT_SUPPORTED, /* a software event: the Linux kernel counts it, no core does */
};

struct report_row {
    const struct armpmu_event *event;
    const char *label;
    const char *asked, *echo; /* as event_item has them */
    enum report_state state;
    uint64_t count;         /* the true count; with several runs their mean or median         */
    uint64_t least, most;   /* with medians */
    double deviation;       /* of the mean, in percent, as perf's -r; of a median half of what is
                               between least and most */
    char counter[8];        /* mode hw: "PMN0", "CCNT"                                        */
    uint64_t counter_value; /* mode hw: what the counter reads in the end                     */
    uint64_t overflows;     /* mode hw: how often it wrapped                                  */
    struct report_metric metrics[REPORT_METRICS_MAX];
    size_t n_metrics;
};

/* Rows belong to the section: report_section_free. */
struct report_section {
    double seconds;      /* simulated time at the section's end                    */
    const char *thread;  /* "PROGRAM-1.2", of a process "PROGRAM-1", a region's name, else NULL */
    unsigned cpu;        /* with --per-cpu */
    uint64_t runtime_ns; /* simulated core time in which the section counted       */
    bool is_first;       /* of the report */
    struct report_row *rows;
    size_t n_rows;
    uint64_t *signals; /* means of all, where the report has topdown or methodology; else NULL */
    /* For a machine: the same rows in User mode and in the privileged modes. */
    const struct report_section *user, *privileged;
};

/* The subject of a report. */
struct report_subject {
    const char *command;                       /* "stat" */
    const char *noun;                          /* "program" */
    const char *core;                          /* "thread": what runs beside others of its kind */
    const char *summed;                        /* unit of the time of several cores together */
    const char *cut_short, *cut_short_comment; /* what is missing then: a sentence, and for CSV */
};

extern const struct report_subject report_program, report_guest;

struct report_printer;

/* All pointers are borrowed and outlive the report. */
struct report {
    const struct report_printer *printer;
    bool began; /* its first line is printed */
    const struct report_subject *subject;
    const struct armpmu_machine *machine;
    const char *machine_choice; /* the name or file it was loaded by */
    const struct event_list *events;
    const bool *metrics;     /* of the core's, those to print; NULL: all */
    const char *const *argv; /* the program and its arguments */
    bool is_stable;          /* in fixed surroundings */
    bool of_program;         /* of User mode, no firmware and no machine */
    enum count_mode mode;
    unsigned runs;                            /* asked for */
    bool has_medians;                         /* of runs, as the tally: those are of layouts */
    bool per_thread, per_process, per_region; /* the sections are threads, processes, or regions */
    bool per_cpu;
    bool by_mode; /* of the processor: sections have their user and privileged */
    bool intervals;
    bool topdown;     /* with where the cycles went */
    bool methodology; /* with what Arm's decision tree says */
    bool lacks_time;  /* nothing models it: no cycles are known */
    bool big_numbers; /* thousands separators         */
    bool color;
    bool in_file;                    /* -o: comments name the set-up */
    const char *argument;            /* of the format's option */
    const struct versions *versions; /* NULL: not asked for */
    const struct run_result *result; /* of the last run; zero until it ended */
    /* Known when the program has ended. */
    unsigned runs_done;   /* fewer than asked for after an interrupt */
    size_t program_width; /* of the longest name of a program */
    bool runs_differ;
    int exit_status;  /* as a shell has it */
    const char *note; /* a sentence about the run, NULL for none */
    double seconds;   /* simulated, of the longest-running core */
};

/* Kind of the sections, as a key: "thread", "process" or "region"; NULL: something else. */
static inline const char *report_part(const struct report *report)
{
    if (report->per_region)
        return "region";
    if (report->per_process)
        return "process";
    return report->per_thread ? "thread" : NULL;
}

/* Prints a section, after the report's first lines if it is the first. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status report_put(struct report *report, struct report_section *section,
                                              FILE *stream, struct armpmu_error *err);

/* Prints the last lines; of a report without a section all. As report_put. */
ARMPMU_MUST_USE enum armpmu_status report_finish(struct report *report, FILE *stream,
                                                 struct armpmu_error *err);

/* One way to print. Each writes to stream, leaves its errors in ferror, and returns false without
 * memory: then what was printed is not whole. */
struct report_printer {
    bool (*begin)(const struct report *report, FILE *stream);
    bool (*section)(const struct report *report, const struct report_section *section,
                    FILE *stream);
    bool (*end)(const struct report *report, FILE *stream);
    /* Sets report.argument from the value of the format's option. Borrowed or static.
     * Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
    enum armpmu_status (*take)(const char *option, const char *value, const char **argument,
                               struct armpmu_error *err);
};

#define FORMAT(name, letter, option, metavar, is_optional, help, other_name)                       \
    extern const struct report_printer print_##name;
#define WORD_FORMAT(name) extern const struct report_printer print_##name;
#include "cli/run/stat_formats.def"
#undef FORMAT
#undef WORD_FORMAT

/* Tallies of several runs. All zero is none. */
struct report_tally {
    uint64_t runs;
    uint64_t sum[ARMPMU_SIGNAL_COUNT];
    double *means, *squares; /* per event of the list: Welford's running mean and square sum */
    bool has_medians;        /* counts are those of the runs, and not means */
    uint64_t (*each)[ARMPMU_SIGNAL_COUNT]; /* run; with medians */
    uint64_t *scratch;                     /* as long */
    size_t room, scratch_room;
};

/* Adds one run. events: the list that the rows will have. */
ARMPMU_MUST_USE enum armpmu_status report_tally_add(struct report_tally *tally,
                                                    const struct event_list *events,
                                                    const uint64_t *signals,
                                                    struct armpmu_error *err);
/* The cycles of a tally of at least one run. */
uint64_t report_tally_cycles(const struct report_tally *tally);
void report_tally_free(struct report_tally *tally);

/* Fills in rows, runtime_ns and signals of a section from a tally of at least one run. */
ARMPMU_MUST_USE enum armpmu_status report_section_fill(const struct report *report,
                                                       const struct report_tally *tally,
                                                       struct report_section *section,
                                                       struct armpmu_error *err);
void report_section_free(struct report_section *section);

/* "cortex-a8 @ 720 MHz, ... mode=all  [machine cortex-a8]" after the command's name, and a line
 * end. Returns false without memory. */
bool report_print_setup(const struct report *report, const char *before, FILE *stream);

/* A line for each thing that the counts lack, after `before`. */
void report_print_gaps(const struct report *report, const char *before, FILE *stream);

/* The signal that ended the program, and not armpmu first; 0: none. The report of a machine does
 * not name that of QEMU. */
int report_signal(const struct report *report);

/* True when the counts do not reach the end of the run. */
bool report_is_cut(const struct report *report);

/* True when the counts are of the whole run. */
bool report_is_complete(const struct report *report);

/* How far a count can be trusted: nothing is exact where the engine answered calls itself. Of a run
 * that was not counted to its end it is partial. */
const char *report_fidelity(const struct report *report, const struct armpmu_event *event);

/* The unit of the count; "" for a software event. */
const char *report_unit(const struct report_row *row);

/* Simulated seconds that a number of core cycles takes. */
double report_seconds(const struct armpmu_machine *machine, uint64_t cycles);

/* The state of a count on a machine; of_program: of a program's run, no firmware and no machine's.
 */
enum report_state report_state_of(const struct armpmu_machine *machine, bool of_program,
                                  const struct armpmu_event *event, uint64_t count);

/* "<no input>", "<not counted>", "<not supported>"; NULL for a counted row. */
const char *report_state_text(enum report_state state);

/* Prints the metrics that are highest by highs.def, three at most, each with what a high value
 * means: "High: 15.94 MPKI (L1D_CACHE_REFILL): data cache misses cost much of the run.", and an
 * empty line after them. Nothing where none is high. */
void highs_print(const struct report *report, const struct report_section *section, FILE *stream);

/* The document of armpmu stat and armpmu guest: docs/schema/stat-1.json. */
#define DOCUMENT_SCHEMA  "armpmu-stat"
#define DOCUMENT_VERSION 1

extern const struct report_printer print_document;

#endif
