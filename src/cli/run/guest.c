/* `armpmu guest`: runs a machine with a live performance monitor and prints what it did. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/file_uses.h"
#include "cli/run/guest_options.h"
#include "cli/run/report.h"
#include "cli/run/session.h"

/* Simulated time between the reports that are not asked for: what is left of a machine whose
 * QEMU is killed. */
#define KEPT_MILLISECONDS 100

typedef uint64_t signal_tally[ARMPMU_SIGNAL_COUNT];

/* Counts of each processor by enum engine_guest_mode. */
struct guest_counts {
    uint64_t cycles; /* of the first */
    unsigned n_cpus;
    signal_tally cpu[ENGINE_GUEST_CPUS_MAX][ENGINE_GUEST_MODES];
};

/* One `armpmu guest`, from its options to its report. */
struct guest_session {
    struct guest_options *options;
    struct session run;
    struct guest_setup setup; /* of its run */
    struct event_list events;
    struct report report;

    struct guest_counts now;            /* since the start                                     */
    struct guest_counts before;         /* at the end of the last interval                     */
    enum armpmu_status interval_status; /* the first failure inside on_record    */
    struct armpmu_error *err;
};

/* --- printing -------------------------------------------------------------------------------- */

/* The rows of one mode, or of both. */
static enum armpmu_status fill(struct guest_session *s, const signal_tally *privileged,
                               const signal_tally *user, struct report_section *section)
{
    struct report_tally tally = {0};
    signal_tally sum = {0};

    for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        sum[i] = (privileged != NULL ? (*privileged)[i] : 0) + (user != NULL ? (*user)[i] : 0);
    enum armpmu_status status = report_tally_add(&tally, &s->events, sum, s->err);
    if (status == ARMPMU_OK)
        status = report_section_fill(&s->report, &tally, section, s->err);
    report_tally_free(&tally);
    return status;
}

/* Prints the counts of one processor, or of all, in the two modes. */
static enum armpmu_status print_modes(struct guest_session *s,
                                      const signal_tally modes[ENGINE_GUEST_MODES], unsigned cpu,
                                      double seconds)
{
    struct report_section user = {.seconds = seconds, .cpu = cpu}, privileged = user, all = user;

    enum armpmu_status status = fill(s, &modes[ENGINE_PRIVILEGED], &modes[ENGINE_USER], &all);
    if (status == ARMPMU_OK)
        status = fill(s, NULL, &modes[ENGINE_USER], &user);
    if (status == ARMPMU_OK)
        status = fill(s, &modes[ENGINE_PRIVILEGED], NULL, &privileged);
    all.user = &user;
    all.privileged = &privileged;
    if (status == ARMPMU_OK)
        status = report_put(&s->report, &all, s->run.output.stream, s->err);
    report_section_free(&user);
    report_section_free(&privileged);
    report_section_free(&all);
    return status;
}

/* Prints the counts between two moments. */
static enum armpmu_status print_counts(struct guest_session *s, const struct guest_counts *from,
                                       const struct guest_counts *to)
{
    const double seconds = report_seconds(s->run.machine, to->cycles);
    signal_tally sum[ENGINE_GUEST_MODES] = {0}, one[ENGINE_GUEST_MODES];
    enum armpmu_status status = ARMPMU_OK;

    for (unsigned cpu = 0; cpu < to->n_cpus && status == ARMPMU_OK; cpu++) {
        for (unsigned mode = 0; mode < ENGINE_GUEST_MODES; mode++) {
            for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++) {
                one[mode][i] = to->cpu[cpu][mode][i] - from->cpu[cpu][mode][i];
                sum[mode][i] += one[mode][i];
            }
        }
        if (s->report.per_cpu)
            status = print_modes(s, (const signal_tally *)one, cpu, seconds);
    }
    if (!s->report.per_cpu)
        status = print_modes(s, (const signal_tally *)sum, 0, seconds);
    return status;
}

static uint64_t busiest_cycles(const struct guest_counts *counts)
{
    uint64_t most = 0;

    for (unsigned cpu = 0; cpu < counts->n_cpus; cpu++) {
        uint64_t cycles = 0;
        for (unsigned mode = 0; mode < ENGINE_GUEST_MODES; mode++)
            cycles += counts->cpu[cpu][mode][ARMPMU_SIGNAL_CPU_CYCLES];
        most = cycles > most ? cycles : most;
    }
    return most;
}

/* --- running --------------------------------------------------------------------------------- */

static bool on_record(void *user, const struct engine_guest_record *record)
{
    struct guest_session *const s = user;

    s->now.cycles = record->cycles;
    s->now.n_cpus = record->n_cpus;
    memcpy(s->now.cpu, record->signals, record->n_cpus * sizeof s->now.cpu[0]);
    const bool moved = memcmp(s->now.cpu, s->before.cpu, sizeof s->now.cpu) != 0;
    if (s->report.intervals && s->interval_status == ARMPMU_OK && moved) {
        s->interval_status = print_counts(s, &s->before, &s->now);
        s->before = s->now;
        if (s->interval_status == ARMPMU_OK)
            s->interval_status = output_flush(&s->run.output, s->err);
    }
    return s->interval_status == ARMPMU_OK;
}

static uint64_t interval_cycles(const struct guest_session *s)
{
    const struct interval_choice usual = {INTERVAL_MILLISECONDS, KEPT_MILLISECONDS};
    const struct interval_choice *const chosen = &s->options->report.run.interval;
    enum armpmu_signal every;

    return interval_of(chosen->unit != INTERVAL_NONE ? chosen : &usual, s->run.machine, &every);
}

static void set_up_machine(struct guest_session *s)
{
    s->setup = (struct guest_setup){
        .irq = s->options->irq[0] != '\0' ? s->options->irq : NULL,
        .amu = s->options->amu[0] != '\0' ? s->options->amu : NULL,
        .frame = s->options->frame,
        .accesses = s->options->accesses,
        .every_cycles = interval_cycles(s),
        .on_record = on_record,
    };
    s->run.job.guest = &s->setup;
    s->run.user = s;
}

static enum armpmu_status print_report(struct guest_session *s)
{
    static struct guest_counts none; /* zero; if const, its 270 KB would be in the executable */
    enum armpmu_status status = s->interval_status;

    s->report.runs_done = 1;
    s->run.result.n_threads = s->now.n_cpus;
    s->report.exit_status = session_program_status(&s->run);
    s->report.seconds = report_seconds(s->run.machine, busiest_cycles(&s->now));
    if (status == ARMPMU_OK && !s->report.intervals)
        status = print_counts(s, &none, &s->now);
    if (status == ARMPMU_OK)
        status = report_finish(&s->report, s->run.output.stream, s->err);
    return status == ARMPMU_OK ? output_close(&s->run.output, s->err) : status;
}

/* --- setting up ------------------------------------------------------------------------------ */

static enum armpmu_status choose_events(struct guest_session *s)
{
    const struct stat_options *const o = &s->options->report;
    const struct armpmu_core *const core = armpmu_machine_core(s->run.machine);
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < o->events.n && status == ARMPMU_OK; i++)
        status = event_list_parse(&s->events, core, MODE_MACHINE, o->events.values[i], s->err);
    return o->events.n > 0 ? status
                           : event_list_parse(&s->events, core, MODE_MACHINE,
                                              o->topdown ? "instructions,cycles" : "all", s->err);
}

static enum armpmu_status check_accesses(const struct guest_options *o, struct armpmu_error *err)
{
    const struct file_use uses[] = {
        {"-o", o->report.print.output, true},
        {"--accesses", o->accesses, true},
    };

    return file_uses_check(uses, sizeof uses / sizeof uses[0], err);
}

static enum armpmu_status set_up(struct guest_session *s)
{
    const struct stat_options *const o = &s->options->report;

    if (s->run.program[0] == NULL)
        return fail(s->err, ARMPMU_BAD_CONFIG,
                    "guest: no QEMU to run; name qemu-system-arm and its arguments, as 'armpmu "
                    "help guest' shows");
    enum armpmu_status status = session_open(&s->run, o->print.output);
    if (status == ARMPMU_OK)
        status = check_accesses(s->options, s->err);
    if (status == ARMPMU_OK)
        status = choose_events(s);
    if (status == ARMPMU_OK)
        status = output_open_parts(&s->run.output, o->print.output, o->print.append,
                                   o->run.interval.unit != INTERVAL_NONE, s->err);
    s->report = stat_options_report(o, &s->run);
    s->report.subject = &report_guest;
    s->report.events = &s->events;
    s->report.mode = MODE_MACHINE;
    s->report.per_cpu = s->options->per_cpu;
    s->report.by_mode = true;
    return status;
}

static enum armpmu_status count(struct guest_session *s)
{
    enum armpmu_status status = set_up(s);
    if (status != ARMPMU_OK)
        return status;
    set_up_machine(s);
    status = session_run(&s->run);
    if (status != ARMPMU_OK || s->run.result.n_records != 0)
        return status == ARMPMU_OK ? print_report(s) : status;
    (void)fail(s->err, ARMPMU_IO,
               "guest: QEMU ended before its first report: nothing is known of the machine");
    return ARMPMU_OK; /* the exit status is QEMU's */
}

/* --print-args */
static enum armpmu_status print_arguments(struct guest_session *s, FILE *out)
{
    const struct run_options *const o = s->run.options;
    char *plugin = NULL;

    enum armpmu_status status =
        machine_choice_load(o->machine, &o->settings, &s->run.machine, s->err);
    if (status != ARMPMU_OK)
        return status;
    set_up_machine(s);
    s->run.job.machine = s->run.machine;
    s->run.job.machine_choice = machine_choice_name(o->machine);
    status = engine_guest_plugin(&s->run.job, &plugin, s->err);
    if (status == ARMPMU_OK)
        fprintf(out, "-plugin %s\n", plugin);
    free(plugin);
    return status;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct guest_options *const o = options;
    struct guest_session *const s = calloc(1, sizeof *s);

    if (s == NULL)
        return GIVE_UP("out of memory");
    s->options = o;
    s->err = err;
    s->run = (struct session){.command = "guest",
                              .options = &o->report.run,
                              .program = operands,
                              .source = SESSION_MACHINE,
                              .err = err};
    enum armpmu_status status = stat_options_check(&o->report, err);
    if (status == ARMPMU_OK)
        status = o->print_args ? print_arguments(s, out) : count(s);
    const int end = session_close(&s->run, status);
    event_list_free(&s->events);
    free(s);
    return end;
}

static const struct guest_options defaults = {
    .report = {.runs = 1, .print = {.big_numbers = true}}};

const struct command command_guest = {
    .name = "guest",
    .summary = "run a QEMU machine whose guest has a performance monitor",
    .synopsis = "guest [OPTIONS] [--] qemu-system-arm|qemu-system-aarch64 [ARGUMENTS]\n"
                "guest [--machine NAME|FILE] [--irq LIST] [--amu LIST] --print-args",
    .text = "Runs a machine under QEMU 11 or newer with a working performance monitor: the\n"
            "guest's own perf counts what the core would count. A report at the end counts the\n"
            "whole machine, in all modes, in User mode and in privileged modes. The report\n"
            "goes to standard error; terminal, standard output and exit status are QEMU's.\n",
    .options = guest_rows,
    .notes =
        "Examples\n"
        "  armpmu guest --irq spi:100 -- qemu-system-arm -M virt -cpu cortex-a15 -nographic \\\n"
        "      -dtb virt-a8.dtb -kernel vmlinuz -initrd initrd -append console=ttyAMA0\n"
        "  armpmu guest --machine neoverse-n2 --amu enabled -- qemu-system-aarch64 -M virt \\\n"
        "      -cpu neoverse-n2 -nographic -kernel vmlinuz -initrd initrd -append console=ttyAMA0\n"
        "  armpmu guest -I 100 -e cycles,instructions -- qemu-system-arm ...\n"
        "  qemu-system-arm $(armpmu guest --irq spi:100 --print-args) -M virt ...\n",
    .operands = COMPLETE_PROGRAM,
    .runs_program = true,
    .ends = ENDS_AS_PROGRAM | ENDS_LIMIT,
    .options_bytes = sizeof(struct guest_options),
    .defaults = &defaults,
    .run = run,
};
