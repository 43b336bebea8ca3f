/* The report of a machine, the profile in it, and the tasks that the profile names. */
#ifndef QEMU_PLUGIN_GUEST_REPORT_H
#define QEMU_PLUGIN_GUEST_REPORT_H

#include <stdio.h>

#include "qemu/plugin/guest_cpu.h"

/* Where reports go, and after how many cycles; see guest_report.c. keeps_running: a file that
 * cannot be written to any more ends the reports, not the machine. */
const char *guest_report_open(const char *path, uint64_t every_cycles, bool keeps_running);

/* Reports are made while the machine runs. */
bool guest_report_runs(void);

/* After counting: writes a report when one is due; at the end the last one, which says whether the
 * list of accesses is written. */
void guest_report_follow(const struct guest_cpu *cpu);
void guest_report_end(bool accesses_written);

/* Before a write to the monitor: where marks are asked for, a report before each of PMNC. */
void guest_report_mark(const struct armpmu_encoding *at);

/* Marks are asked for. */
void guest_report_marks(void);

/* ---- guest_profile.c ---- */

/* The files of a profile's rows. SYNC(guest-profile) */
enum { GUEST_PROFILE_KERNEL = 1, GUEST_PROFILE_USER };

/* The arguments profile=, edges= and mem=. Returns NULL, or what is wrong. */
const char *guest_profile_parse(const char *text, const char *edges, const char *mem);

/* At the end: ends the traces of all processors; then writes the profile's part of the report. */
void guest_profile_finish(void);
void guest_profile_write(FILE *stream);

/* ---- guest_task.c ---- */

/* For a profile: watches an instruction that may change which task runs; User mode is about to be
 * entered; writes the tasks' part of the report. */
void guest_task_watch(struct qemu_plugin_insn *insn, enum armpmu_isa isa, uint32_t word);
void guest_task_enters_user(struct guest_cpu *cpu);
void guest_task_write(FILE *stream);

#endif
