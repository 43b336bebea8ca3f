/* The report of a machine: each signal of each processor, in User and in privileged modes.
 *
 * Without a file the events of the whole machine are printed for a person when QEMU ends. A file,
 * or a pipe that armpmu reads, gets records, each complete and of all counts since the start:
 *
 *     armpmu-guest 1 MACHINE
 *     at CYCLES                             of the first processor
 *     PROCESSOR user|privileged SIGNAL COUNT
 *     ...
 *     end                                   of a record; "exit" after the last one, "lost" if the
 *                                           list of accesses could not be written; "mark" after
 *                                           one made before a write to PMNC, PMCR_EL0, AMCNTENSET0
 * or AMCNTENCLR0 (marks=on)
 *
 * With a profile, before the last record, whose counts are all "privileged" then; numbers of paths
 * and contexts are those of armpmu/profile.h, what is marked with x is hexadecimal:
 *
 *     profile SIGNALS                       how many there are
 *     task CONTEXT task|space PROCESS THREAD NAME
 *     path PROCESSOR NUMBER PARENT CONTEXT CALLERx FUNCTIONx CALLS MERGED
 *     row PROCESSOR PATH FILE ISA ADDRESSx BYTES CODEx SIGNAL:COUNT ...
 *     edge PROCESSOR PATH FROMx TOx COUNT MISPREDICTED
 *     access PROCESSOR CONTEXT KIND SOURCE TLB LATENCY BYTES BASE DISPLACEMENT N LOOKUPS REFILLS
 *            TLB-REFILLS CYCLES INSNx LOWx HIGHx SAMPLEx STEPx
 */
#include "qemu/plugin/guest_report.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread.h"

#define SECONDS_TO_END 3 /* for QEMU, once its reports have no reader */

static struct {
    FILE *stream;
    uint64_t every, next; /* cycles of the first processor; every 0: only at the end */
    bool marks;
    bool keeps_running; /* without reports, when the file cannot be written to any more */
    bool is_watched;    /* the thread that waits for the reader's end runs */
    bool lost;
} report;

/* ---- the end of the reader ---- */

/* QEMU ends in order, as SIGTERM makes it, or is killed where it hangs. A processor's thread cannot
 * end it by exit(): handlers of that would wait for the main thread, which waits for the processor.
 */
static void *wait_for_reader(void *unused)
{
    struct pollfd reader = {.fd = fileno(report.stream)};

    (void)unused;
    while (poll(&reader, 1, -1) < 0 && errno == EINTR)
        ;
    kill(getpid(), SIGTERM);
    sleep(SECONDS_TO_END);
    kill(getpid(), SIGKILL);
    return NULL;
}

static void watch_reader(void)
{
    struct stat file;
    pthread_t thread;

    if (report.keeps_running || fstat(fileno(report.stream), &file) != 0 || !S_ISFIFO(file.st_mode))
        return;
    report.is_watched = thread_start(&thread, NULL, wait_for_reader, NULL);
    if (report.is_watched)
        pthread_detach(thread);
}

/* ---- reports ---- */

const char *guest_report_open(const char *path, uint64_t every_cycles, bool keeps_running)
{
    static char message[512];

    report.every = report.next = every_cycles;
    report.keeps_running = keeps_running;
    if (path == NULL)
        return every_cycles != 0 ? "every: name the file for the reports, report=FILE" : NULL;
    report.stream = fopen(path, "we");
    if (report.stream == NULL) {
        snprintf(message, sizeof message, "report: %.400s: %s", path, strerror(errno));
        return message;
    }
    fprintf(report.stream, "armpmu-guest 1 %s\n", armpmu_machine_name(guest.machine));
    fflush(report.stream); /* the reader knows from here on that the plugin runs */
    watch_reader();
    return NULL;
}

static uint64_t cycles_of(const struct guest_cpu *cpu)
{
    return cpu->totals[0][ARMPMU_SIGNAL_CPU_CYCLES] + cpu->totals[1][ARMPMU_SIGNAL_CPU_CYCLES];
}

static void write_processor(const struct guest_cpu *cpu)
{
    static const char *const modes[2] = {"privileged", "user"};

    for (unsigned user = 0; user < 2; user++)
        for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            if (cpu->totals[user][signal] != 0)
                fprintf(report.stream, "%u %s %s %" PRIu64 "\n", cpu->number, modes[user],
                        armpmu_signal_name((enum armpmu_signal)signal), cpu->totals[user][signal]);
}

static void lose_file(void)
{
    if (!report.keeps_running && !(report.is_watched && errno == EPIPE))
        guest_die("report: the file cannot be written to any more");
    report.lost = true;
}

static void write_record(const char *end)
{
    if (report.lost)
        return;
    fprintf(report.stream, "at %" PRIu64 "\n",
            guest.cpus[0] != NULL ? cycles_of(guest.cpus[0]) : 0);
    for (unsigned i = 0; i < GUEST_CPUS_MAX; i++)
        if (guest.cpus[i] != NULL)
            write_processor(guest.cpus[i]);
    fprintf(report.stream, "%s\n", end);
    if (fflush(report.stream) != 0)
        lose_file();
}

bool guest_report_runs(void)
{
    return report.every != 0;
}

void guest_report_follow(const struct guest_cpu *cpu)
{
    if (report.every == 0 || cpu->number != 0)
        return;
    const uint64_t now = cycles_of(cpu);
    if (now < report.next)
        return;
    report.next = now - now % report.every + report.every;
    write_record("end");
}

void guest_report_marks(void)
{
    report.marks = true;
}

/* PMNC and PMCR_EL0; AMCNTENSET0 and AMCNTENCLR0. */
static bool is_marked(const struct armpmu_encoding *at)
{
    if (at->access == ARMPMU_ACCESS_MSR)
        return (at->crn == 13 && at->crm == 2 && (at->op2 == 4 || at->op2 == 5)) ||
               (at->op1 == 3 && at->crn == 9 && at->crm == 12 && at->op2 == 0);
    if (at->coproc == 14) /* XScale: CRm 0 or 1, by its generation */
        return at->crn == 0 && at->crm <= 1;
    return at->coproc == 15 && at->crm == 12 && at->op2 == 0;
}

void guest_report_mark(const struct armpmu_encoding *at)
{
    if (report.marks && report.stream != NULL && is_marked(at))
        write_record("mark");
}

static uint64_t total_of(const struct armpmu_event *event, unsigned user)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < GUEST_CPUS_MAX; i++)
        if (guest.cpus[i] != NULL)
            total += armpmu_event_count(event, guest.cpus[i]->totals[user]);
    return total;
}

static void print_for_people(FILE *stream)
{
    const struct armpmu_core *const core = armpmu_machine_core(guest.machine);
    char geometry[512];

    armpmu_machine_describe(guest.machine, geometry, sizeof geometry);
    fprintf(stream, "\n armpmu guest: %s, %s\n\n%20s %20s %20s\n", core->name, geometry,
            "all modes", "User mode", "privileged");
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *const event = &core->events[i];
        if (event->fidelity != ARMPMU_EXACT && event->fidelity != ARMPMU_MODELLED)
            continue;
        const uint64_t user = total_of(event, 1), privileged = total_of(event, 0);
        fprintf(stream, "%20" PRIu64 " %20" PRIu64 " %20" PRIu64 "   %s\n", user + privileged, user,
                privileged, event->name);
    }
}

void guest_report_end(bool accesses_written)
{
    if (report.stream == NULL) {
        print_for_people(stderr);
        return;
    }
    guest_profile_write(report.stream);
    write_record(accesses_written ? "exit" : "lost");
    fclose(report.stream);
    report.stream = NULL;
}
