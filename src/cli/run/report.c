#include "cli/run/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/error.h"
#include "base/order.h"
#include "base/printable.h"
#include "cli/run/ended.h"
#include "cli/text_wrap.h"
#include "profile/metric.h"

const struct report_subject report_program = {
    .command = "stat",
    .noun = "program",
    .core = "thread",
    .summed = "ms simulated by all threads",
    .cut_short = "The counting ended before the program did: what it executed last is missing.",
    .cut_short_comment = "what the program executed last is not counted",
};
const struct report_subject report_guest = {
    .command = "guest",
    .noun = "machine",
    .core = "processor",
    .summed = "ms simulated by all processors",
    .cut_short = "The machine ended without a last report: these are the counts up to the one "
                 "before.",
    .cut_short_comment = "counts up to the last report",
};

bool report_print_setup(const struct report *report, const char *before, FILE *stream)
{
    const char *const settings = armpmu_machine_settings(report->machine);
    char *const name = printable_copy(armpmu_machine_name(report->machine));
    char geometry[256], *setup;

    armpmu_machine_describe(report->machine, geometry, sizeof geometry);
    const bool is_ready =
        name != NULL &&
        asprintf(&setup, "armpmu %s: %s @ %s%s  [machine %s%s%s]", report->subject->command,
                 armpmu_machine_core(report->machine)->name, geometry,
                 report->by_mode           ? ""
                 : report->mode == MODE_HW ? ", mode=hw"
                                           : ", mode=all",
                 name, settings[0] != '\0' ? ", " : "", settings) >= 0;
    if (is_ready) {
        fputs(before, stream);
        text_wrap_fitted(setup, (int)strlen(before), (int)strlen(before) + 6, stream);
        free(setup);
    }
    free(name);
    return is_ready;
}

int report_signal(const struct report *report)
{
    const struct run_result *const result = report->result;

    return !report->by_mode && result->interrupted == 0 && WIFSIGNALED(result->wait_status)
               ? WTERMSIG(result->wait_status)
               : 0;
}

bool report_is_cut(const struct report *report)
{
    return report->result->cut_short || report->result->problem.message[0] != '\0';
}

static enum armpmu_status begin(struct report *report, FILE *stream, struct armpmu_error *err)
{
    if (report->began)
        return ARMPMU_OK;
    report->began = true;
    return report->printer->begin(report, stream) ? ARMPMU_OK : fail_no_memory(err, "the report");
}

enum armpmu_status report_put(struct report *report, struct report_section *section, FILE *stream,
                              struct armpmu_error *err)
{
    section->is_first = !report->began;
    const enum armpmu_status status = begin(report, stream, err);
    if (status == ARMPMU_OK && !report->printer->section(report, section, stream))
        return fail_no_memory(err, "the report");
    return status;
}

enum armpmu_status report_finish(struct report *report, FILE *stream, struct armpmu_error *err)
{
    const enum armpmu_status status = begin(report, stream, err);

    if (status == ARMPMU_OK && !report->printer->end(report, stream))
        return fail_no_memory(err, "the report");
    return status;
}

void report_print_gaps(const struct report *report, const char *before, FILE *stream)
{
    if (report->result->interrupted)
        fprintf(stream, "%sinterrupted: counts up to then\n", before);
    if (report->result->killed != 0)
        fprintf(stream, "%skilled by signal %d: counts up to then\n", before,
                report_signal(report));
    if (report->result->timed_out)
        fprintf(stream, "%stimed out: counts up to then\n", before);
    if (report_is_cut(report))
        fprintf(stream, "%struncated: %s\n", before, report->subject->cut_short_comment);
    if (report->result->n_execs > 0)
        fprintf(stream, "%sprograms executed by the program and not counted: %u\n", before,
                report->result->n_execs);
    if (report->result->n_helper_calls > 0)
        fprintf(stream, "%scalls of the kernel's helper page, not counted: %" PRIu64 "\n", before,
                report->result->n_helper_calls);
}

double report_seconds(const struct armpmu_machine *machine, uint64_t cycles)
{
    return (double)cycles / ((double)armpmu_machine_clock_mhz(machine) * 1e6);
}

bool report_is_complete(const struct report *report)
{
    return report->result->interrupted == 0 && !report_is_cut(report) &&
           !report->result->timed_out && report->result->killed == 0;
}

const char *report_fidelity(const struct report *report, const struct armpmu_event *event)
{
    const bool lacks_some = event->fidelity == ARMPMU_EXACT && report->result->n_helper_calls != 0;

    if (event->needs_system && report->of_program)
        return "unknown";
    return lacks_some ? armpmu_fidelity_name(ARMPMU_MODELLED)
                      : ended_fidelity(event, report_is_complete(report));
}

const char *report_unit(const struct report_row *row)
{
    return row->state == REPORT_NOT_SUPPORTED ? "" : armpmu_unit_name(row->event->unit);
}

const char *report_state_text(enum report_state state)
{
    switch (state) {
    case REPORT_COUNTED:
        return NULL;
    case REPORT_NO_INPUT:
        return "<no input>";
    case REPORT_NOT_KNOWN:
        return "<not counted>";
    case REPORT_NOT_SUPPORTED:
        return "<not supported>";
    }
    return NULL;
}

enum armpmu_status report_tally_add(struct report_tally *tally, const struct event_list *events,
                                    const uint64_t *signals, struct armpmu_error *err)
{
    if (tally->means == NULL) {
        /* One more than needed: an empty list (-n) is no failure. */
        tally->means = calloc(events->count + 1, sizeof *tally->means);
        tally->squares = calloc(events->count + 1, sizeof *tally->squares);
        if (tally->means == NULL || tally->squares == NULL) {
            report_tally_free(tally);
            return fail_no_memory(err, "the counts");
        }
    }
    if (tally->has_medians) {
        if (!ARRAY_RESERVE(tally->each, tally->room, tally->runs + 1) ||
            !ARRAY_RESERVE(tally->scratch, tally->scratch_room, tally->runs + 1))
            return fail_no_memory(err, "the counts");
        memcpy(tally->each[tally->runs], signals, sizeof tally->each[0]);
    }
    tally->runs++;
    for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        tally->sum[i] += signals[i];
    for (size_t i = 0; i < events->count; i++) {
        double count = (double)armpmu_event_count(events->items[i].event, signals);
        double step = count - tally->means[i];
        tally->means[i] += step / (double)tally->runs;
        tally->squares[i] += step * (count - tally->means[i]);
    }
    return ARMPMU_OK;
}

void report_tally_free(struct report_tally *tally)
{
    free(tally->each);
    free(tally->scratch);
    free(tally->means);
    free(tally->squares);
    *tally = (struct report_tally){0};
}

/* Standard deviation of the mean in percent of the mean: what perf prints with -r. */
static double deviation_percent(const struct report_tally *tally, size_t i)
{
    if (tally->runs < 2 || tally->means[i] == 0)
        return 0;
    double variance = tally->squares[i] / (double)(tally->runs - 1);
    return 100 * sqrt(variance / (double)tally->runs) / tally->means[i];
}

static uint64_t mean_count(uint64_t sum, uint64_t runs)
{
    return sum / runs + (sum % runs >= runs - runs / 2);
}

/* least, most: of the runs. */
struct spread {
    uint64_t least, median, most;
};

static struct spread spread_of(const struct report_tally *tally, const struct armpmu_event *event)
{
    const size_t n = tally->runs;
    uint64_t *const counts = tally->scratch;
    struct spread spread;

    for (size_t i = 0; i < n; i++)
        counts[i] = armpmu_event_count(event, tally->each[i]);
    qsort(counts, n, sizeof *counts, order_numbers);
    spread = (struct spread){counts[0], counts[n / 2], counts[n - 1]};
    if (n % 2 == 0)
        spread.median = mean_count(counts[n / 2 - 1] + counts[n / 2], 2);
    return spread;
}

static uint64_t count_of(const struct report_tally *tally, const struct armpmu_event *event)
{
    return tally->has_medians ? spread_of(tally, event).median
                              : mean_count(armpmu_event_count(event, tally->sum), tally->runs);
}

uint64_t report_tally_cycles(const struct report_tally *tally)
{
    static const struct armpmu_event cycles = {.signals = {ARMPMU_SIGNAL_CPU_CYCLES},
                                               .n_signals = 1};

    return count_of(tally, &cycles);
}

enum report_state report_state_of(const struct armpmu_machine *machine, bool of_program,
                                  const struct armpmu_event *event, uint64_t count)
{
    if (event_is_software(event))
        return REPORT_NOT_SUPPORTED;
    if (event->needs_system && of_program)
        return REPORT_NOT_KNOWN;
    if (event->fidelity == ARMPMU_INPUT && count == 0 &&
        !armpmu_machine_drives(machine, event->signals[0]))
        return REPORT_NO_INPUT;
    return REPORT_COUNTED;
}

static enum report_state row_state(const struct report *report, const struct armpmu_event *event,
                                   uint64_t count)
{
    return report_state_of(report->machine, report->of_program, event, count);
}

static void add_metric(struct report_row *row, bool is_named, const char *name, double value,
                       const char *unit)
{
    if (row->n_metrics == REPORT_METRICS_MAX)
        return;
    struct report_metric *const metric = &row->metrics[row->n_metrics++];
    *metric = (struct report_metric){.name = name, .value = value, .unit = unit};
    if (is_named)
        snprintf(metric->shown, sizeof metric->shown, "%s  %s", unit, name);
    else
        snprintf(metric->shown, sizeof metric->shown, "%s", unit);
}

struct metric_counts {
    const struct report *report;
    const struct report_tally *tally;
};

static bool count_for_metric(void *user, const struct armpmu_event *event, double *count)
{
    const struct metric_counts *const counts = user;
    const struct report_tally *const tally = counts->tally;
    const uint64_t n =
        tally->has_medians ? count_of(tally, event) : armpmu_event_count(event, tally->sum);

    *count = (double)n;
    return row_state(counts->report, event, n) == REPORT_COUNTED;
}

/* Threads are counted when they have ended: the unit must not change in the last interval. */
static bool is_summed(const struct report *report)
{
    return report->result->n_threads > 1 && report_part(report) == NULL && !report->per_cpu &&
           !report->intervals;
}

static void add_metrics(const struct report *report, const struct report_tally *tally,
                        struct report_row *row)
{
    const struct armpmu_core *core = armpmu_machine_core(report->machine);
    struct metric_counts counts = {report, tally};

    if (report->lacks_time)
        return;
    if (row->event->first == core->cycles_event)
        add_metric(row, false, "simulated_ms", report_seconds(report->machine, row->count) * 1e3,
                   is_summed(report) ? report->subject->summed : "ms simulated");
    for (size_t i = 0; i < core->n_metrics; i++) {
        const struct armpmu_metric *metric = &core->metrics[i];
        double value;
        if (metric->beside == row->event->first &&
            (report->metrics == NULL || report->metrics[i]) &&
            metric_value(core, metric, count_for_metric, &counts, &value))
            add_metric(row, report->metrics != NULL, metric->name, value, metric->unit);
    }
}

/* The value of a counter of the core after a count that began at 0. */
static void fill_counter(const struct armpmu_core *core, int counter, struct report_row *row)
{
    unsigned bits = core->counter_bits < 64 ? core->counter_bits : 64;

    if (counter == (int)core->n_event_counters)
        snprintf(row->counter, sizeof row->counter, "CCNT");
    else
        snprintf(row->counter, sizeof row->counter, "PMN%d", counter);
    row->counter_value = bits == 64 ? row->count : row->count & ((UINT64_C(1) << bits) - 1);
    row->overflows = bits == 64 ? 0 : row->count >> bits;
}

static void fill_spread(const struct report_tally *tally, struct report_row *row)
{
    const struct spread spread = spread_of(tally, row->event);

    row->least = spread.least;
    row->most = spread.most;
    row->deviation =
        row->count == 0 ? 0 : 50 * (double)(spread.most - spread.least) / (double)row->count;
}

static void fill_row(const struct report *report, const struct report_tally *tally, size_t i,
                     struct report_row *row)
{
    const struct event_item *item = &report->events->items[i];

    row->event = item->event;
    row->label = item->label;
    row->asked = item->asked;
    row->echo = item->echo;
    row->count = count_of(tally, item->event);
    row->state = row_state(report, item->event, row->count);
    if (row->state != REPORT_COUNTED)
        return;
    row->deviation = deviation_percent(tally, i);
    if (tally->has_medians)
        fill_spread(tally, row);
    add_metrics(report, tally, row);
    if (report->mode == MODE_HW)
        fill_counter(armpmu_machine_core(report->machine), item->counter, row);
}

static bool fill_signals(const struct report_tally *tally, struct report_section *section)
{
    section->signals = calloc(ARMPMU_SIGNAL_COUNT, sizeof *section->signals);
    for (size_t i = 0; section->signals != NULL && i < ARMPMU_SIGNAL_COUNT; i++)
        section->signals[i] = mean_count(tally->sum[i], tally->runs);
    return section->signals != NULL;
}

enum armpmu_status report_section_fill(const struct report *report,
                                       const struct report_tally *tally,
                                       struct report_section *section, struct armpmu_error *err)
{
    const uint64_t cycles = report_tally_cycles(tally);

    section->rows = calloc(report->events->count + 1, sizeof *section->rows);
    if (section->rows == NULL)
        return fail_no_memory(err, "the report");
    section->n_rows = report->events->count;
    if ((report->topdown || report->methodology) && !fill_signals(tally, section))
        return fail_no_memory(err, "the report");
    section->runtime_ns = (uint64_t)llround(report_seconds(report->machine, cycles) * 1e9);
    for (size_t i = 0; i < section->n_rows; i++)
        fill_row(report, tally, i, &section->rows[i]);
    return ARMPMU_OK;
}

void report_section_free(struct report_section *section)
{
    free(section->rows);
    free(section->signals);
    *section = (struct report_section){0};
}
