#include "qemu/launcher/system_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define FIRST_LINE "armpmu-guest 1 "

enum armpmu_status system_report_init(struct system_report *report, const char *machine,
                                      struct armpmu_error *err)
{
    *report = (struct system_report){.machine = machine, .status = ARMPMU_OK};
    report->tallies = calloc(ENGINE_GUEST_CPUS_MAX, sizeof *report->tallies);
    return report->tallies != NULL ? ARMPMU_OK : fail_no_memory(err, "the counts");
}

void system_report_free(struct system_report *report)
{
    free(report->tallies);
    report->tallies = NULL;
}

void system_report_refuse(struct system_report *report)
{
    report->status = fail(&report->error, ARMPMU_IO,
                          "the plugin reports '%.80s' in line %lu, which this armpmu does not "
                          "understand: install both from one version",
                          report->line, report->line_number);
}

static void read_first_line(struct system_report *report)
{
    const size_t length = strlen(FIRST_LINE);

    if (strncmp(report->line, FIRST_LINE, length) != 0) {
        system_report_refuse(report);
        return;
    }
    report->begun = true;
    if (strcmp(report->line + length, report->machine) != 0)
        report->status = fail(&report->error, ARMPMU_IO,
                              "the plugin counts on machine '%.80s', armpmu on '%.80s': name the "
                              "machine's file with --machine",
                              report->line + length, report->machine);
}

static bool read_number(const char *text, uint64_t *number)
{
    const size_t digits = strspn(text, "0123456789");

    *number = strtoull(text, NULL, 10);
    return digits > 0 && digits < 20 && text[digits] == '\0';
}

static bool find_signal(const char *name, unsigned *signal)
{
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++) {
        if (strcmp(name, armpmu_signal_name((enum armpmu_signal)i)) == 0) {
            *signal = i;
            return true;
        }
    }
    return false;
}

static bool find_mode(const char *name, enum engine_guest_mode *mode)
{
    *mode = strcmp(name, "user") == 0 ? ENGINE_USER : ENGINE_PRIVILEGED;
    return *mode == ENGINE_USER || strcmp(name, "privileged") == 0;
}

/* "PROCESSOR user|privileged SIGNAL COUNT" */
static bool read_count(struct system_report *report)
{
    char records[4][64];
    enum engine_guest_mode mode;
    uint64_t cpu, count;
    unsigned signal;
    int end = 0;

    if (sscanf(report->line, "%63s %63s %63s %63s%n", records[0], records[1], records[2],
               records[3], &end) != 4 ||
        report->line[end] != '\0')
        return false;
    if (!read_number(records[0], &cpu) || cpu >= ENGINE_GUEST_CPUS_MAX ||
        !find_mode(records[1], &mode) || !find_signal(records[2], &signal) ||
        !read_number(records[3], &count))
        return false;
    report->tallies[cpu][mode][signal] = count;
    if (cpu >= report->n_cpus)
        report->n_cpus = (unsigned)cpu + 1;
    return true;
}

static void end_record(struct system_report *report)
{
    const struct engine_guest_record record = {
        .cycles = report->cycles,
        .n_cpus = report->n_cpus,
        .signals = (const uint64_t(*)[ENGINE_GUEST_MODES][ARMPMU_SIGNAL_COUNT])report->tallies};

    report->in_record = false;
    report->n_records++;
    if (report->on_record != NULL)
        report->stopped |= !report->on_record(report->user, &record);
}

/* There is no word between two records: each begins with "at". */
static void read_line(struct system_report *report)
{
    const char *const line = report->line;
    const bool lost = strcmp(line, "lost") == 0, exits = lost || strcmp(line, "exit") == 0;

    report->line_number++;
    if (!report->begun) {
        read_first_line(report);
    } else if (!report->in_record && report->profile != NULL && system_profile_line(report)) {
        return;
    } else if (!report->in_record) {
        report->in_record = strncmp(line, "at ", 3) == 0 && read_number(line + 3, &report->cycles);
        memset(report->tallies, 0, ENGINE_GUEST_CPUS_MAX * sizeof *report->tallies);
        if (!report->in_record)
            system_report_refuse(report);
    } else if (exits || strcmp(line, "end") == 0) {
        report->complete = exits;
        report->lost = lost;
        end_record(report);
    } else if (!read_count(report)) {
        system_report_refuse(report);
    }
}

void system_report_feed(struct system_report *report, const char *text, size_t n)
{
    for (size_t i = 0; i < n && report->status == ARMPMU_OK && !report->complete; i++) {
        const bool fits = report->length + 1 < sizeof report->line;
        if (text[i] != '\n' && fits) {
            report->line[report->length++] = text[i];
            continue;
        }
        report->line[report->length] = '\0';
        report->length = 0;
        if (text[i] == '\n')
            read_line(report);
        else
            system_report_refuse(report);
    }
}

bool system_report_counted(const struct system_report *report)
{
    for (unsigned cpu = 0; cpu < report->n_cpus; cpu++)
        for (unsigned mode = 0; mode < ENGINE_GUEST_MODES; mode++)
            if (report->tallies[cpu][mode][ARMPMU_SIGNAL_INST_RETIRED] > 0)
                return true;
    return false;
}
