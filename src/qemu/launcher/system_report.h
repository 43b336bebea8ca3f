/* Reading what the plugin reports of a machine; guest_report.c says how it looks. */
#ifndef QEMU_LAUNCHER_SYSTEM_REPORT_H
#define QEMU_LAUNCHER_SYSTEM_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "qemu/engine.h"

#define SYSTEM_REPORT_LINE 4096

typedef uint64_t system_tally[ENGINE_GUEST_MODES][ARMPMU_SIGNAL_COUNT];

struct system_report {
    const char *machine; /* that the plugin must name */
    bool (*on_record)(void *user, const struct engine_guest_record *record);
    void *user;
    const struct run *profile; /* whose functions get a profile; NULL: there is none */

    char line[SYSTEM_REPORT_LINE]; /* not complete yet */
    size_t length;
    unsigned long line_number;
    bool begun;     /* its first line was read: the plugin runs */
    bool in_record; /* between "at" and "end" or "exit" */
    bool complete;  /* "exit" was read, or "lost" */
    bool lost;      /* "lost": the list of accesses is not whole */
    bool stopped;   /* on_record returned false */
    uint64_t n_records;
    uint64_t cycles;
    bool in_profile; /* "profile" was read */
    uint32_t n_tasks;
    uint32_t n_paths[ENGINE_GUEST_CPUS_MAX];
    unsigned n_cpus;
    system_tally *tallies; /* of the record being read */
    enum armpmu_status status;
    struct armpmu_error error;
};

/* Returns ARMPMU_OK or ARMPMU_NO_MEMORY; the strings are borrowed. */
enum armpmu_status system_report_init(struct system_report *report, const char *machine,
                                      struct armpmu_error *err);

/* Reads on. What does not follow the protocol sets status (ARMPMU_IO) and error; then and after
 * "exit" or "lost" everything is ignored. */
void system_report_feed(struct system_report *report, const char *text, size_t n);

/* Returns whether the processors have counted an instruction in the last record. */
bool system_report_counted(const struct system_report *report);

/* Refuses the line that is read, which does not follow the protocol. */
void system_report_refuse(struct system_report *report);

/* Takes a line that is none of a record's. False when it is no such line. */
bool system_profile_line(struct system_report *report);

void system_report_free(struct system_report *report);

#endif
