/* QEMU as an engine: it runs programs and machines and feeds core models. No other folder uses
 * QEMU. */
#ifndef QEMU_ENGINE_H
#define QEMU_ENGINE_H

#include "base/versions.h"
#include "cosim/run.h"

/* Runs the program under QEMU's user emulation to its end. The program has the caller's standard
 * streams, environment and signals; base/termination.h says what signals to armpmu do. Processes
 * that outlive it run on uncounted. On failure nothing of the guest has run, unless the message
 * says so. If counting stopped early the result holds what was counted until then, and its
 * `problem` says why. Returns ARMPMU_OK (whatever the program did), ARMPMU_NOT_FOUND (no such
 * program), ARMPMU_NOT_ALLOWED (not executable), ARMPMU_BAD_INPUT (not an Arm program),
 * ARMPMU_BAD_CONFIG (QEMU, the plugin or the program's libraries are not there),
 * ARMPMU_NO_MEMORY or ARMPMU_IO. */
enum armpmu_status engine_qemu_run(const struct run *job, struct run_result *out,
                                   struct armpmu_error *err);

/* ---- what there is ---- */

#define ENGINE_VERSION_BYTES 96

/* Something on this computer that the engine works with. */
struct engine_part {
    const char *name;           /* "qemu-arm" */
    char use[48];               /* what takes it: "32-bit Arm programs" */
    bool is_there, is_optional; /* optional: counting programs for Linux works without it */
    char path[4096], version[ENGINE_VERSION_BYTES]; /* where it is there; a version may be "" */
    const char *reason;                             /* why it is this one of several; may be NULL */
    struct armpmu_error problem;                    /* where it is not: why, and what to do */
};

enum { ENGINE_PARTS_MAX = 8 };

/* The version of the QEMU that programs run on for this machine, "" where it does not say. wanted:
 * as in a job. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
enum armpmu_status engine_qemu_version(const char *wanted, const struct armpmu_machine *machine,
                                       char version[ENGINE_VERSION_BYTES],
                                       struct armpmu_error *err);

/* Checks whether the job's machines run on the emulated processor that its trace is of. Returns
 * ARMPMU_OK or ARMPMU_BAD_CONFIG. */
enum armpmu_status engine_trace_check(const struct run *job, struct armpmu_error *err);

/* Those of a program that a run can execute. */
void engine_versions(const struct run *run, struct versions *out);

/* Looks for each; returns how many. parts: room for ENGINE_PARTS_MAX. */
size_t engine_parts(struct engine_part *parts);

/* ---- whole machines: QEMU's system emulation --------------------------------------------------
 */

#define ENGINE_GUEST_CPUS_MAX 64u /* SYNC(guest-cpus) */

enum engine_guest_mode { ENGINE_PRIVILEGED, ENGINE_USER, ENGINE_GUEST_MODES };

/* The counts of a machine since its start. Borrowed for the call that brings it. */
struct engine_guest_record {
    uint64_t cycles; /* of the first processor */
    unsigned n_cpus; /* that have counted something, from 0 */
    const uint64_t (*signals)[ENGINE_GUEST_MODES][ARMPMU_SIGNAL_COUNT]; /* of each processor */
};

/* Code of a machine's profile, by the mode that it ran in. SYNC(guest-profile) */
enum engine_guest_file { ENGINE_GUEST_KERNEL = 1, ENGINE_GUEST_PROGRAM };

/* A context of a profile: a task of a Linux kernel, with a program's name, or where no task
 * is known an address space. Contexts are told from 1 on; borrowed for the call. */
struct engine_guest_task {
    uint32_t context;
    bool is_space;
    uint32_t process, thread; /* the kernel's numbers */
    const char *name;         /* of a space, the address of its tables */
};

/* The part of a run that only a machine needs. All pointers are borrowed for the call. */
struct guest_setup {
    const char *irq;       /* overflow interrupt as the plugin takes it, NULL: usual */
    const char *amu;       /* activity monitors as the plugin takes them, NULL: the usual */
    const char *frame;     /* their memory-mapped view, NULL: nowhere */
    const char *accesses;  /* a file for the list of accesses, NULL: none */
    uint64_t every_cycles; /* of the first processor between two records; 0: only the last */
    /* Called while the machine runs, for each record, from the calling thread. With a profile all
     * counts are privileged. Returns whether the machine shall run on; else QEMU is asked to
     * end, unless keep_running is set. More records may come before it has. */
    bool (*on_record)(void *user, const struct engine_guest_record *record);
    /* With a profile, called when the machine has ended: for each task, then each path, of each
     * processor from number 0 on, then each row, whose file is one of enum engine_guest_file, then
     * each edge, then each data access. An error ends the run. */
    enum armpmu_status (*on_task)(void *user, const struct engine_guest_task *task,
                                  struct armpmu_error *err);
    enum armpmu_status (*on_path)(void *user, unsigned cpu, const struct armpmu_profile_path *path,
                                  struct armpmu_error *err);
    enum armpmu_status (*on_row)(void *user, unsigned cpu, const struct armpmu_profile_row *row,
                                 struct armpmu_error *err);
    enum armpmu_status (*on_edge)(void *user, unsigned cpu, const struct armpmu_profile_edge *edge,
                                  struct armpmu_error *err);
    enum armpmu_status (*on_access)(void *user, unsigned cpu,
                                    const struct armpmu_data_access *access,
                                    struct armpmu_error *err);
};

/* Runs QEMU in the foreground with the plugin loaded, to its end: argv is a qemu-system-arm and its
 * arguments. The result says cut_short where the last record is not of the machine's end.
 * Returns ARMPMU_OK (whatever QEMU did once its machine ran), ARMPMU_NOT_FOUND (no such program),
 * ARMPMU_NOT_ALLOWED (not executable), ARMPMU_BAD_INPUT (it is not QEMU, or ended before the
 * machine ran), ARMPMU_BAD_CONFIG (this QEMU cannot show a machine's monitor, the plugin is not
 * there or was refused), ARMPMU_NO_MEMORY or ARMPMU_IO. */
enum armpmu_status engine_guest_run(const struct run *job, struct run_result *out,
                                    struct armpmu_error *err);

/* The argument of QEMU's -plugin for the run's machine, irq and amu, for use without armpmu; freed
 * by the caller, NULL on failure. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
enum armpmu_status engine_guest_plugin(const struct run *job, char **out, struct armpmu_error *err);

#endif
