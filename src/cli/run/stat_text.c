/* The report for people, in the shape of perf's: count, event, # derived figures, fidelity.
 *
 *         38,412,907      INST_RETIRED             #     0.63 insn/cycle              exact
 *
 * A machine's counts in User mode and in the privileged modes are beside the count. */
#include "cli/run/report.h"
#include "cli/run/methodology.h"
#include "cli/table/metric_cells.h"
#include "cli/run/topdown.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/run/ended.h"
#include "cli/pager.h"
#include "cli/text_wrap.h"

#define COUNT_WIDTH   18
#define MODE_WIDTH    18
#define NAME_WIDTH    24 /* at least, where there are ROOMY_COLUMNS */
#define ROOMY_COLUMNS 100
#define METRIC_WIDTH  46 /* in a narrow terminal less, down to METRIC_LEAST */
#define METRIC_LEAST  16
#define FIGURE_WIDTH  9  /* of a metric, before its words */
#define WORD_WIDTH    10 /* of fidelity */
#define SPREAD_WIDTH  17 /* of runs */
#define TIME_WIDTH    16
#define CPU_WIDTH     6

#define BOLD   "1"
#define FAINT  "2"
#define YELLOW "33"

static void paint(const struct report *report, const char *style, FILE *stream)
{
    if (report->color)
        fprintf(stream, "\033[%sm", style);
}

static void unpaint(const struct report *report, FILE *stream)
{
    if (report->color)
        fputs("\033[0m", stream);
}

/* A narrow terminal has other use for blanks. */
static bool is_narrow(void)
{
    return text_wrap_columns() > 0 && text_wrap_columns() < ROOMY_COLUMNS;
}

static int count_width(void)
{
    return is_narrow() ? COUNT_WIDTH - 3 : COUNT_WIDTH;
}

static int time_width(void)
{
    return is_narrow() ? TIME_WIDTH - 4 : TIME_WIDTH;
}

/* Blanks between a count and the event's name. */
static int name_gap(void)
{
    return is_narrow() ? 2 : 6;
}

static int name_width(const struct report *report)
{
    size_t width = is_narrow() ? 0 : NAME_WIDTH;
    for (size_t i = 0; i < report->events->count; i++) {
        size_t length = strlen(report->events->items[i].label);
        width = length > width ? length : width;
    }
    return (int)width;
}

/* The width of everything before an event's name. */
static int counts_width(const struct report *report)
{
    return report->by_mode ? count_width() + 2 * (1 + MODE_WIDTH) : count_width();
}

static const char *program_name(const struct report *report)
{
    const char *slash = strrchr(report->argv[0], '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : report->argv[0];
}

/* Threads have numbers, which are short: the column fits all but very busy programs. */
static int thread_width(const struct report *report)
{
    const size_t own = strlen(program_name(report));
    return (int)(own > report->program_width ? own : report->program_width) + 6;
}

/* A region has a line of its own. */
static bool begins_lines(const struct report *report, const struct report_section *section)
{
    return section->thread != NULL && !report->per_region;
}

static void print_hw_heading(const struct report *report, FILE *stream)
{
    int width = name_width(report);
    if (report->mode != MODE_HW || report->events->count == 0)
        return;
    if (report_part(report) != NULL)
        fprintf(stream, "%-*s ", thread_width(report), "");
    fprintf(stream, "%*s%*s%-*s %-5s %9s %*s\n", count_width(), "counter reads", name_gap(), "",
            width, "event", "in", "overflows", count_width() + 2, "true count");
}

/* Names the columns of counts. */
static void print_mode_heading(const struct report *report, FILE *stream)
{
    if (!report->by_mode || report->events->count == 0)
        return;
    if (report->per_cpu)
        fprintf(stream, "%*s", CPU_WIDTH, "");
    fprintf(stream, "%*s %*s %*s%*sevent\n", count_width(), "all modes", MODE_WIDTH, "User mode",
            MODE_WIDTH, "privileged", name_gap(), "");
}

/* The fidelity of most events, which the heading says: lines say what differs. Inputs that
 * nothing drives have no count. */
static const char *usual_fidelity(const struct report *report)
{
    size_t n_exact = 0, n_modelled = 0;

    for (size_t i = 0; i < report->events->count; i++) {
        const struct armpmu_event *const event = report->events->items[i].event;
        n_exact += strcmp(report_fidelity(report, event), "unknown") != 0 &&
                   event->fidelity == ARMPMU_EXACT;
        n_modelled += event->fidelity == ARMPMU_MODELLED;
    }
    return armpmu_fidelity_name(n_exact > n_modelled ? ARMPMU_EXACT : ARMPMU_MODELLED);
}

static bool is_unusual(const struct report *report, const struct armpmu_event *event)
{
    return !event_is_software(event) && strcmp(report_fidelity(report, event), "unknown") != 0 &&
           strcmp(report_fidelity(report, event), usual_fidelity(report)) != 0;
}

/* For the heading; "" without events. */
static const char *usual_text(const struct report *report)
{
    const bool is_exact = strcmp(usual_fidelity(report), "exact") == 0;
    bool all = true, has_counts = false;

    for (size_t i = 0; i < report->events->count; i++) {
        all = all && !is_unusual(report, report->events->items[i].event);
        has_counts = has_counts || !event_is_software(report->events->items[i].event);
    }
    return !has_counts ? ""
           : all       ? is_exact ? ", all exact" : ", all modelled"
           : is_exact  ? ", exact unless marked"
                       : ", modelled unless marked";
}

static void print_heading(const struct report *report, FILE *stream)
{
    fputs("\n ", stream);
    paint(report, BOLD, stream);
    fputs("Counts for '", stream);
    for (const char *const *arg = report->argv; *arg != NULL; arg++) {
        fputs(arg == report->argv ? "" : " ", stream);
        printable_put(*arg, stream);
    }
    fputc('\'', stream);
    unpaint(report, stream);
    if (report->runs_done < report->runs)
        fprintf(stream, " (%u of %u runs)", report->runs_done, report->runs);
    else if (report->has_medians)
        fprintf(stream, " (median of %u layouts)", report->runs);
    else if (report->runs > 1)
        fprintf(stream, " (%u runs)", report->runs);
    if (report->result->n_processes > 1)
        fprintf(stream, " (%u processes, %zu threads%s", report->result->n_processes,
                report->result->n_threads, report->result->n_programs > 0 ? "" : ")");
    else if (report->result->n_threads > 1)
        fprintf(stream, " (%zu %ss)", report->result->n_threads, report->subject->core);
    if (report->result->n_programs > 0)
        fprintf(stream, "%s%u program%s executed)", report->result->n_processes > 1 ? ", " : " (",
                report->result->n_programs, report->result->n_programs > 1 ? "s" : "");
    fprintf(stream, "%s:\n\n", usual_text(report));
    print_hw_heading(report, stream);
    print_mode_heading(report, stream);
}

static bool text_begin(const struct report *report, FILE *stream)
{
    text_wrap_fit(report->in_file ? 0 : pager_columns(STDERR_FILENO));
    if (!report->in_file) /* apart from what the program has written */
        fputc('\n', stream);
    if (!report_print_setup(report, report->in_file ? "# " : " ", stream))
        return false;
    if (!report->intervals) {
        print_heading(report, stream);
        return true;
    }
    fprintf(stream, "#%*s ", time_width() - 1, "time");
    if (report->by_mode)
        print_mode_heading(report, stream);
    else
        fprintf(stream, "%*s%*sevents%s\n", count_width(), "counts", name_gap(), "",
                usual_text(report));
    return true;
}

static void print_prefix(const struct report *report, const struct report_section *section,
                         FILE *stream)
{
    if (report->intervals)
        fprintf(stream, "%*.9f ", time_width(), section->seconds);
    if (begins_lines(report, section))
        fprintf(stream, "%-*s ", thread_width(report), section->thread);
    if (report->per_cpu)
        fprintf(stream, "CPU%-*u", CPU_WIDTH - 3, section->cpu);
}

/* The end of a line: fidelity where it is unusual, and the deviation of runs. */
static void print_remarks(const struct report *report, const struct report_row *row, FILE *stream)
{
    if (is_unusual(report, row->event)) {
        fputs("  ", stream);
        paint(report, FAINT, stream);
        fputs(report_fidelity(report, row->event), stream);
        unpaint(report, stream);
    } else if (report->runs > 1) {
        fprintf(stream, "%*s", WORD_WIDTH, "");
    }
    if (report->runs > 1)
        fprintf(stream, "  ( +- %.2f%% )", row->deviation);
}

/* Why there is no count. */
static const char *reason_text(const struct report_row *row, char text[80])
{
    if (row->state == REPORT_NOT_KNOWN)
        return "only a whole machine shows it: 'armpmu guest'";
    if (row->state != REPORT_NO_INPUT)
        return "the Linux kernel counts it, no core does";
    snprintf(text, 80, "an input of the core that nothing drives here (0x%02x)", row->event->first);
    return text;
}

/* Where figures begin. */
static int metric_column(const struct report *report, const struct report_section *section)
{
    const int prefix = (report->intervals ? time_width() + 1 : 0) +
                       (begins_lines(report, section) ? thread_width(report) + 1 : 0) +
                       (report->per_cpu ? CPU_WIDTH : 0);
    const int hw = report->mode == MODE_HW ? 5 + 9 + count_width() + 2 + 3 : 0;

    return prefix + counts_width(report) + name_gap() + name_width(report) + hw +
           (int)strlen(" # ");
}

/* How wide figures may be, so that a line with or without remarks stays within a terminal. */
static int metric_width(const struct report *report, const struct report_section *section,
                        bool has_remarks)
{
    const int columns = text_wrap_columns();
    const int remarks = has_remarks ? WORD_WIDTH + (report->runs > 1 ? SPREAD_WIDTH : 0) : 0;
    const int room = columns - metric_column(report, section) - remarks;

    return columns == 0 || room > METRIC_WIDTH ? METRIC_WIDTH
           : room < METRIC_LEAST               ? METRIC_LEAST
                                               : room;
}

/* The lines of a row's metrics. One that continues a metric begins with blanks. */
struct metric_lines {
    char text[3 * REPORT_METRICS_MAX][128];
    size_t n;
};

/* The bytes of a metric that fit, its figure and a word at least. */
static int words_that_fit(const char *text, int width)
{
    size_t n = FIGURE_WIDTH, next = n + strcspn(text + n, " ");

    do {
        n = next;
        next += text[n] != '\0' ? 1 + strcspn(text + n + 1, " ") : 0;
    } while (next > n && (next <= (size_t)width || text_wrap_columns() == 0));
    return (int)n;
}

/* Adds lines for a metric that begins one. rest: the width of lines after the first. */
static void begin_metric(struct metric_lines *lines, char *text, int width, int rest)
{
    const size_t most = sizeof lines->text / sizeof *lines->text;

    while (lines->n < most) {
        const int n = words_that_fit(text, lines->n == 0 ? width : rest);
        snprintf(lines->text[lines->n++], sizeof *lines->text, "%.*s", n - (text[n - 1] == ' '),
                 text);
        if (text[n] == '\0')
            return;
        memset(text, ' ', FIGURE_WIDTH);
        memmove(text + FIGURE_WIDTH, text + n + 1, strlen(text + n));
    }
}

/* As many metrics a line as fit, at least one; in a terminal, words of one that is too wide go to
 * the next line. rest: the width of lines after the first. */
static void make_lines(const struct report_row *row, int width, int rest,
                       struct metric_lines *lines)
{
    lines->n = 0;
    for (size_t i = 0; i < row->n_metrics; i++) {
        const struct report_metric *const metric = &row->metrics[i];
        char *const line = lines->n > 0 ? lines->text[lines->n - 1] : NULL, text[128];
        snprintf(text, sizeof text, "%*.*f %s", FIGURE_WIDTH - 1,
                 metric_digits(metric->name, metric->value), metric->value, metric->shown);
        const char *const bare = text + strspn(text, " ");
        const size_t used = line != NULL ? strlen(line) : 0;
        if (line != NULL &&
            used + strlen(", ") + strlen(bare) <= (size_t)(lines->n > 1 ? rest : width))
            snprintf(line + used, sizeof *lines->text - used, ", %s", bare);
        else
            begin_metric(lines, text, width, rest);
    }
}

static void print_more_metrics(const struct report *report, const struct report_section *section,
                               const struct metric_lines *lines, FILE *stream)
{
    for (size_t i = 1; i < lines->n; i++) {
        const bool continues = strspn(lines->text[i], " ") >= FIGURE_WIDTH;
        fputc('\n', stream);
        print_prefix(report, section, stream);
        fprintf(stream, "%*s", counts_width(report) + name_gap() + name_width(report), "");
        if (report->mode == MODE_HW)
            fprintf(stream, " %-5s %9s %*s", "", "", count_width() + 2, "");
        fprintf(stream, "%s%s", continues ? "   " : " # ", lines->text[i]);
    }
}

/* The two counts beside a machine's count of all modes. */
static void print_modes(const struct report *report, const struct report_section *section, size_t i,
                        FILE *stream)
{
    char user[32], privileged[32];

    if (!report->by_mode)
        return;
    text_wrap_count(section->user->rows[i].count, report->big_numbers, user);
    text_wrap_count(section->privileged->rows[i].count, report->big_numbers, privileged);
    fprintf(stream, " %*s %*s", MODE_WIDTH, user, MODE_WIDTH, privileged);
}

/* A row without a count, and why. */
static void print_uncounted(const struct report *report, const struct report_section *section,
                            const struct report_row *row, FILE *stream)
{
    const int column = metric_column(report, section);
    char text[80];

    paint(report, YELLOW, stream);
    fprintf(stream, "%*s", counts_width(report), report_state_text(row->state));
    unpaint(report, stream);
    fprintf(stream, "%*s%-*s # ", name_gap(), "", name_width(report), row->label);
    text_wrap_fitted(reason_text(row, text), column, column, stream);
}

static void print_row(const struct report *report, const struct report_section *section, size_t i,
                      FILE *stream)
{
    const struct report_row *const row = &section->rows[i];
    char count[32];

    print_prefix(report, section, stream);
    if (row->state != REPORT_COUNTED) {
        print_uncounted(report, section, row, stream);
        return;
    }
    text_wrap_count(report->mode == MODE_HW ? row->counter_value : row->count, report->big_numbers,
                    count);
    fprintf(stream, "%*s", count_width(), count);
    print_modes(report, section, i, stream);
    const bool has_remarks = is_unusual(report, row->event) || report->runs > 1;
    const bool pads = has_remarks || row->n_metrics > 0 || report->mode == MODE_HW;
    fprintf(stream, "%*s%-*s", name_gap(), "", pads ? name_width(report) : 0, row->label);
    if (report->mode == MODE_HW) {
        text_wrap_count(row->count, report->big_numbers, count);
        fprintf(stream, " %-5s %9" PRIu64 " %*s", row->counter, row->overflows, count_width() + 2,
                count);
    }
    const int width = metric_width(report, section, has_remarks);
    struct metric_lines lines;
    make_lines(row, width, metric_width(report, section, false), &lines);
    if (lines.n > 0 || has_remarks)
        fprintf(stream, "%s%-*s", lines.n > 0 ? " # " : "   ", has_remarks ? width : 0,
                lines.n > 0 ? lines.text[0] : "");
    print_remarks(report, row, stream);
    print_more_metrics(report, section, &lines, stream);
    fputc('\n', stream);
}

/* True for the whole run in one report. */
static bool is_whole(const struct report *report, const struct report_section *section)
{
    return !report->intervals && !report->per_cpu && section->thread == NULL && report->runs == 1;
}

static bool text_section(const struct report *report, const struct report_section *section,
                         FILE *stream)
{
    if (report->per_region)
        fprintf(stream, " Region '%s':\n\n", section->thread);
    for (size_t i = 0; i < section->n_rows; i++)
        print_row(report, section, i, stream);
    if (!report->intervals && section->n_rows > 0)
        fputc('\n', stream);
    if (is_whole(report, section))
        highs_print(report, section, stream);
    if (report->topdown)
        topdown_print(report, section, stream);
    if (report->methodology)
        methodology_print(report, section, stream);
    return true;
}

/* As perf does. */
static void print_signal(const struct report *report, FILE *stream)
{
    char name[ENDED_TEXT_BYTES];

    if (report_signal(report) == 0)
        return;
    ended_signal(report_signal(report), name);
    fprintf(stream, " The %s was %s by %s%s.\n\n", report->subject->noun,
            report->result->killed != 0 ? "killed" : "ended", name,
            report->result->killed != 0 ? ": these are the counts up to then" : "");
}

static void print_time(const struct report *report, FILE *stream)
{
    if (report->lacks_time) {
        fputs(" Counted by execution alone, without a model of time: -e cycles adds it.\n\n",
              stream);
        return;
    }
    fprintf(stream, "%*.9f seconds simulated", count_width(), report->seconds);
    if (report->result->n_threads > 1)
        fprintf(stream, " by the busiest %s", report->subject->core);
    fputs("\n\n", stream);
}

/* A sentence about the run's end, or about what its counts leave out. A row is printed where n is
 * not 0. */
struct remark {
    uint64_t n;
    const char *before, *counted, *after; /* counted: what n counts, NULL: n is not printed */
};

static void print_remark(const struct remark *remark, FILE *stream)
{
    if (remark->n == 0)
        return;
    fprintf(stream, " %s", remark->before);
    if (remark->counted != NULL)
        fprintf(stream, "%" PRIu64 " %s%s", remark->n, remark->counted, remark->n > 1 ? "s" : "");
    fprintf(stream, "%s\n\n", remark->after);
}

/* SYNC(shared-cache) */
static const char *shared_words(const struct armpmu_machine *machine)
{
    const char *const shared = armpmu_machine_value(machine, "l2.shared");

    if (shared != NULL && strcmp(shared, "yes") == 0)
        return " cores share level 2 and its way to memory: the threads of a process, each on a "
               "core, take data\n lines from each other. Buffers for lines on their way are not "
               "shared.";
    return " cores share the last-level cache: the threads of a process, each on a core, take data "
           "lines from\n each other. Instruction fetches, page walks and the bandwidth of memory "
           "are not shared.";
}

/* The calls are not what they are on a board. */
static void print_ends(const struct report *report, FILE *stream)
{
    const struct run_result *const result = report->result;
    const char *const cores = armpmu_machine_value(report->machine, "cores.count");
    const struct remark remarks[] = {
        {result->timed_out, "The time of --timeout was over: these are the counts up to then.",
         NULL, ""},
        {report_is_cut(report), report->subject->cut_short, NULL, ""},
        {report->runs_done > 1 && !report->runs_differ,
         "All runs gave the same counts: the model has no noise of its own.", NULL, ""},
        {result->n_execs, "The program executed ", "other program", ": not counted from there on."},
        {result->n_helper_calls, "", "call",
         " of the kernel's helper page (0xffff0f60 and on): QEMU answers them itself, their\n "
         "instructions and accesses are not counted."},
        {result->n_perf_calls, "perf_event_open failed (ENOSYS), called ", "time",
         ": QEMU's plugins cannot answer system calls. To count a\n part of the program, use "
         "--roi, with a function or with a mark of armpmu/mark.h."},
        {result->n_clock_calls, "clock_gettime and gettimeofday: ", "system call",
         ". Linux on this core answers most of them\n from its vDSO, with fewer instructions and "
         "without an exception."},
        {result->shares_cache, cores != NULL ? cores : "", NULL, shared_words(report->machine)},
        {result->lacks_registers,
         "QEMU shows no registers before version 9: docs/stat.md says what armpmu does not see "
         "then.",
         NULL, ""},
    };

    for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++)
        print_remark(&remarks[i], stream);
}

static bool text_end(const struct report *report, FILE *stream)
{
    if (report->intervals)
        fputc('\n', stream);
    print_time(report, stream);
    if (report->result->interrupted)
        fprintf(stream, " The %s was interrupted: these are the counts up to then.\n\n",
                report->subject->noun);
    print_signal(report, stream);
    if (report->note != NULL)
        fprintf(stream, " Note: %s.\n\n", report->note);
    print_ends(report, stream);
    return true;
}

const struct report_printer print_text = {text_begin, text_section, text_end, NULL};
