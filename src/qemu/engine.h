/* Engines run programs and feed core models; nothing else knows an engine exists. */
#ifndef QEMU_ENGINE_H
#define QEMU_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/profile.h"
#include "armpmu/sim.h"
#include "base/versions.h"

#define ENGINE_PROGRAM_NAME 44u /* SYNC(program-name) */

struct engine_thread;
struct engine_file;
struct trace_recording;
struct trace_file;

/* Which signals need to be there. Those that the program's execution alone decides are counted
 * without a core model where QEMU can. */
enum engine_only {
    ENGINE_ALL,
    ENGINE_INSNS,    /* ARMPMU_SIGNAL_INST_RETIRED */
    ENGINE_BRANCHES, /* and ARMPMU_SIGNAL_BRANCH_RETIRED, of A64 */
};

/* A program to run. All pointers are borrowed for the call. */
struct engine_job {
    const struct armpmu_machine *machine;
    /* Further machines that count the same run, of the same instruction set; they have neither
     * intervals nor profiles. */
    const struct armpmu_machine *const *beside;
    size_t n_beside;
    const char *const *argv;  /* program and arguments, NULL-terminated                       */
    const char *sysroot;      /* where dynamic programs find their loader, NULL: look for it  */
    const char *qemu;         /* the qemu-arm to use, NULL: look for it in PATH               */
    enum armpmu_signal every; /* interval clock: CPU_CYCLES or INST_RETIRED                   */
    uint64_t period;          /* 0: no intervals                                              */
    bool keep_running;        /* the program goes on, uncounted, when armpmu is killed        */
    /* Surroundings that are fixed (qemu/launcher/stable.h), with these variables, NULL for none. */
    bool is_stable;
    const char *const *variables;
    double timeout_seconds; /* of the host, then the program is ended; 0: none */
    /* NULL, or called some times a second while the program runs, from the calling thread: seconds
     * of the host, cycles of the thread with the most, instructions of all. */
    void (*on_progress)(void *user, double seconds, uint64_t cycles, uint64_t insns);
    bool only_first;       /* not the threads and processes that the program starts        */
    enum engine_only only; /* but for ENGINE_ALL without intervals, profile and trace */
    /* Not NULL: what is executed is written there, up to trace_recording_finish, and nothing is
     * counted. */
    struct trace_recording *trace_to;
    bool names_files; /* the result has files, as with a profile */
    /* Not NULL: the program that was recorded there, in place of a run; argv and what is about QEMU
     * do not matter. Of each thread the instructions from from_insn on, numbered from 0 as its
     * blocks have them, to before to_insn; 0: to the end. */
    struct trace_file *trace_from;
    /* The recording that made it, which knows the files of its code, or NULL. */
    const struct trace_recording *trace_made_by;
    uint64_t from_insn, to_insn;
    /* The models see the code so many bytes behind where it is: of another layout. */
    uint64_t code_offset;
    /* Called for each interval `count` (from 1) with the tallies from the start to its end summed
     * over all threads, each by its own clock, in order, one at a time: while the program runs,
     * from another thread, up to where it starts a second thread or process, then when it has
     * ended. */
    void (*on_interval)(void *user, uint64_t count, const uint64_t *signals);
    /* With a profile: called for each thread when it has ended, in no fixed order, one at a time.
     * An error ends the counting. */
    enum armpmu_profile_detail profile;
    bool maps_misses; /* and its core model has maps of its caches' misses, of the whole run */
    enum armpmu_status (*on_profile)(void *user, const struct engine_thread *thread,
                                     struct armpmu_sim *sim, struct armpmu_error *err);
    /* The profile's region, NULL: everywhere. In place of its mark, of which only matters whether
     * there is one, mark is called, one at a time; file: that code at the address is from, NULL for
     * none. */
    const struct armpmu_region *region;
    enum armpmu_mark (*mark)(void *user, const struct engine_file *file, uint64_t address);
    /* Called before the program runs, with a sentence about what may go wrong. NULL: nobody minds.
     */
    void (*warn)(const char *sentence);
    void *user;
};

/* A file of code, as it was mapped into the program. */
struct engine_file {
    char *path;
    uint64_t start, bytes; /* addresses in the program */
    uint64_t offset;       /* in the file, of the start */
};

/* One guest thread. Threads are in order of creation, which is their identity: processes and
 * threads are numbered from 1, so that two runs print the same. A program that a process executes
 * in place of its own has another number. */
struct engine_thread {
    uint32_t process, thread;
    int32_t pid; /* of the process on the host; 0: it is not known */
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    char program[ENGINE_PROGRAM_NAME]; /* one that was executed, "" in the first */
};

/* The instruction that was undefined. */
struct engine_undefined {
    uint64_t address;
    enum armpmu_isa isa;
    unsigned n_bytes; /* 0: it is not known */
    uint8_t bytes[4];
    bool is_refused; /* it accesses a register that Linux keeps from programs */
};

/* Where the program accessed memory that is not its own. */
struct engine_fault {
    bool known;
    bool accesses;    /* else it branched to where no code is */
    uint64_t address; /* of the instruction */
    enum armpmu_isa isa;
    uint8_t size, bytes[4];
    uint32_t file; /* engine_result.files, from 1; 0: not known */
};

struct engine_result {
    int wait_status; /* of the program, as waitpid gives it                        */
    int interrupted; /* the signal to armpmu that ended the program, 0: none       */
    int killed;     /* a signal that neither armpmu nor the program itself sent ended it, 0: none */
    bool timed_out; /* timeout_seconds ended the program */
    bool cut_short; /* by its second, or for lack of memory: the last part is missing */
    struct engine_thread *threads; /* n_threads of them, freed by engine_result_free            */
    size_t n_threads;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];   /* the sum                                           */
    uint64_t (*beside)[ARMPMU_SIGNAL_COUNT]; /* the sums of the machines beside, or NULL */
    uint64_t n_helper_calls;                 /* armpmu_sim_helper_calls, of all threads */
    uint64_t n_clock_calls; /* system calls that Linux on such a core answers from its vDSO */
    uint64_t n_perf_calls;  /* of perf_event_open, which fail */
    uint64_t
        others_start;     /* with intervals: where the others' clocks start by the first thread's */
    bool shares_cache;    /* threads ran on cores that share a cache */
    bool lacks_registers; /* QEMU shows the engine none, as those before version 9      */
    unsigned n_processes; /* the first and all it forked                                */
    unsigned n_programs;  /* executed by them, counted as well                          */
    unsigned n_execs;     /* executed by them, not counted from there on                */
    /* With a profile: the files that code is from, by number - 1; not in a fixed order. */
    struct engine_file *files;
    size_t n_files;
    struct engine_undefined undefined; /* where the first process ended by SIGILL */
    struct engine_fault fault;         /* where it ended by SIGSEGV or SIGBUS */
    struct armpmu_error problem;       /* why not all was counted; no message if it was */
};

/* Runs the program under QEMU's user emulation to its end. The program has the caller's standard
 * streams, environment and signals; base/termination.h says what signals to armpmu do. Processes
 * it leaves behind run on uncounted. On failure nothing of the guest has run, unless the message
 * says so. If counting stopped early the result holds what was counted until then, and its
 * `problem` says why. Returns ARMPMU_OK (whatever the program did), ARMPMU_NOT_FOUND (no such
 * program), ARMPMU_NOT_ALLOWED (not executable), ARMPMU_BAD_INPUT (not an Arm program),
 * ARMPMU_BAD_CONFIG (QEMU, the plugin or the program's libraries are not there), ARMPMU_NO_MEMORY
 * or ARMPMU_IO. */
enum armpmu_status engine_qemu_run(const struct engine_job *job, struct engine_result *out,
                                   struct armpmu_error *err);

/* Returns whether the program ran to its own end, a signal that it sent itself and a fault
 * included, and all of it was counted. */
static inline bool engine_is_complete(const struct engine_result *result)
{
    return result->interrupted == 0 && result->killed == 0 && !result->cut_short &&
           !result->timed_out && result->problem.message[0] == '\0';
}

void engine_result_free(struct engine_result *result);

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

/* Those of a program that a job can run. */
void engine_versions(const struct engine_job *job, struct versions *out);

/* The version of the QEMU that programs run on for this machine, "" where it does not say. wanted:
 * as in a job. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
enum armpmu_status engine_qemu_version(const char *wanted, const struct armpmu_machine *machine,
                                       char version[ENGINE_VERSION_BYTES],
                                       struct armpmu_error *err);

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

/* A machine to run. All pointers are borrowed for the call. */
struct engine_guest_job {
    const struct armpmu_machine *machine;
    const char *machine_choice; /* the name or file it was loaded by */
    const char *irq;            /* overflow interrupt as the plugin takes it, NULL: usual */
    const char *amu;            /* activity monitors as the plugin takes them, NULL: the usual */
    const char *frame;          /* their memory-mapped view, NULL: nowhere */
    const char *accesses;       /* a file for the list of accesses, NULL: none */
    bool keep_running;          /* the machine goes on, unreported, when armpmu is killed */
    const char *const *argv;    /* a qemu-system-arm and its arguments, NULL-terminated */
    uint64_t every_cycles;      /* of the first processor between two records; 0: only the last */
    /* Called while the machine runs, for each record, from the calling thread. With a profile all
     * counts are privileged. */
    void (*on_record)(void *user, const struct engine_guest_record *record);
    /* With a profile, called when the machine has ended: for each task, then each path, of each
     * processor from number 0 on, then each row, whose file is one of enum engine_guest_file, then
     * each edge. An error ends the run. */
    enum armpmu_profile_detail profile;
    enum armpmu_status (*on_task)(void *user, const struct engine_guest_task *task,
                                  struct armpmu_error *err);
    enum armpmu_status (*on_path)(void *user, unsigned cpu, const struct armpmu_profile_path *path,
                                  struct armpmu_error *err);
    enum armpmu_status (*on_row)(void *user, unsigned cpu, const struct armpmu_profile_row *row,
                                 struct armpmu_error *err);
    enum armpmu_status (*on_edge)(void *user, unsigned cpu, const struct armpmu_profile_edge *edge,
                                  struct armpmu_error *err);
    void *user;
};

struct engine_guest_result {
    int wait_status;    /* of QEMU, as waitpid gives it                       */
    int interrupted;    /* the interrupt to armpmu that ended QEMU, 0: none   */
    bool complete;      /* the last record was of the machine's end           */
    bool accesses_lost; /* the plugin could not write their list, and said so */
    uint64_t n_records;
};

/* Runs QEMU in the foreground with the plugin loaded, to its end.
 * Returns ARMPMU_OK (whatever QEMU did once its machine ran), ARMPMU_NOT_FOUND (no such program),
 * ARMPMU_NOT_ALLOWED (not executable), ARMPMU_BAD_INPUT (it is not QEMU, or ended before the
 * machine ran), ARMPMU_BAD_CONFIG (this QEMU cannot show a machine's monitor, the plugin is not
 * there or was refused), ARMPMU_NO_MEMORY or ARMPMU_IO. */
enum armpmu_status engine_guest_run(const struct engine_guest_job *job,
                                    struct engine_guest_result *out, struct armpmu_error *err);

/* The argument of QEMU's -plugin for the job's machine, irq and amu, for use without armpmu; freed
 * by the caller, NULL on failure. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
enum armpmu_status engine_guest_plugin(const struct engine_guest_job *job, char **out,
                                       struct armpmu_error *err);

#endif
