/* A run, whichever engine makes it: what runs, what is asked of it, and how it ended.
 *
 * A program under QEMU, a recorded trace, firmware and a whole machine differ in what starts them,
 * not in what a command wants of them; so a command fills one struct and reads one result. */
#ifndef COSIM_RUN_H
#define COSIM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/profile.h"
#include "armpmu/sim.h"

#define ENGINE_PROGRAM_NAME 44u /* SYNC(program-name) */

struct firmware_setup; /* unicorn/firmware_run.h */
struct guest_setup;    /* qemu/engine.h */
struct trace_recording;
struct trace_file;
struct trace_slices;

/* Which signals need to be there. Those that the program's execution alone decides are counted
 * without a core model where QEMU can. */
enum engine_only {
    ENGINE_ALL,
    ENGINE_INSNS,    /* ARMPMU_SIGNAL_INST_RETIRED */
    ENGINE_BRANCHES, /* and ARMPMU_SIGNAL_BRANCH_RETIRED, of A64 */
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

/* Where firmware keeps the name of the task that runs. `current` is the address of a pointer to the
 * task; the name is `offset` bytes into what it points to. `call` is called with the number and the
 * name of each further context that runs. */
struct run_task_names {
    uint64_t current; /* 0: it is not known */
    uint64_t offset, n_bytes;
    void (*call)(void *user, uint32_t context, const char *name);
    void *user;
};

/* All pointers are borrowed for the call. */
struct run {
    const struct armpmu_machine *machine;
    const char *machine_choice; /* the name or file it was loaded by; machines need it */
    const char *const *argv;    /* program and arguments, NULL-terminated */
    enum armpmu_signal every;   /* interval clock: CPU_CYCLES or INST_RETIRED */
    uint64_t period;            /* 0: no intervals */
    double timeout_seconds;     /* of the host, then the program is ended; 0: none */
    bool keep_running;          /* what runs continues, uncounted, when armpmu is killed */
    /* NULL, or called some times a second meanwhile: seconds of the host, cycles of the thread with
     * the most, instructions of all. */
    void (*on_progress)(void *user, double seconds, uint64_t cycles, uint64_t insns);
    /* Called for each interval `count` (from 1) with the tallies from the start to its end summed
     * over all threads, each by its own clock, in order, one at a time: while the program runs,
     * from another thread, up to where it starts a second thread or process, then when it has
     * ended. */
    void (*on_interval)(void *user, uint64_t count, const uint64_t *signals);
    /* With a profile: called for each thread when it has ended, with its core model as after
     * armpmu_sim_finish, in no fixed order, one at a time. An error ends the counting. */
    enum armpmu_profile_detail profile;
    bool keeps_accesses; /* and its core model keeps its data accesses, without a region */
    bool maps_misses;    /* and its core model has maps of its caches' misses, of the whole run */
    enum armpmu_status (*on_profile)(void *user, const struct engine_thread *thread,
                                     struct armpmu_sim *sim, struct armpmu_error *err);
    const struct armpmu_region *region; /* the profile's; NULL: everywhere */
    struct run_task_names task_names;   /* of firmware, with a profile */
    /* Called before the program runs, with a sentence about what may go wrong, or NULL. */
    void (*warn)(const char *sentence);
    void *user;

    const struct firmware_setup *firmware; /* what only firmware needs */
    const struct guest_setup *guest;       /* what only a whole machine needs */

    /* ---- programs for Linux, and traces ---- */

    /* Further machines that count the same run, of the same instruction set; they have neither
     * intervals nor profiles. */
    const struct armpmu_machine *const *beside;
    size_t n_beside;
    const char *sysroot; /* where dynamic programs find their loader, NULL: look for it  */
    const char *qemu;    /* the qemu-arm to use, NULL: look for it in PATH               */
    /* Surroundings that are fixed (qemu/launcher/stable.h), with these variables, NULL for none. */
    bool is_stable;
    const char *const *variables;
    bool only_first;       /* not the threads and processes that the program starts        */
    enum engine_only only; /* but for ENGINE_ALL without intervals, profile and trace */
    bool names_files;      /* the result has files, as with a profile */
    /* In place of the region's mark, of which only matters whether there is one, mark is called,
     * one at a time; file: that code at the address is from, NULL for none. */
    enum armpmu_mark (*mark)(void *user, const struct engine_file *file, uint64_t address);
    /* Not NULL: what is executed is written there, up to trace_recording_finish, and nothing is
     * counted. */
    struct trace_recording *trace_to;
    /* Not NULL: the program that was recorded there, in place of a run; argv and what is about QEMU
     * do not matter. Of each thread the instructions from from_insn on, numbered from 0 as its
     * blocks have them, to before to_insn; 0: to the end. */
    struct trace_file *trace_from;
    /* The recording that made it, which knows the files of its code, or NULL. */
    const struct trace_recording *trace_made_by;
    uint64_t from_insn, to_insn;
    /* How many processes count a thread of it at once, at most (qemu/launcher/trace_slices.h); 0 or
     * 1: one. */
    unsigned jobs;
    uint64_t warm_up;            /* records of a slice in which it is not counted yet */
    struct trace_slices *slices; /* NULL, or the trace is counted by other runs, too */
    uint64_t
        code_offset; /* the models see the code this number of bytes further on: another layout */
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

enum engine_firmware_end {
    ENGINE_FIRMWARE_EXIT,        /* by itself, with a status */
    ENGINE_FIRMWARE_FAULT,       /* it cannot continue */
    ENGINE_FIRMWARE_LIMIT,       /* max_insns */
    ENGINE_FIRMWARE_TIMEOUT,     /* timeout_seconds */
    ENGINE_FIRMWARE_INTERRUPTED, /* a termination signal came to armpmu */
    ENGINE_FIRMWARE_FAILED,      /* armpmu itself cannot continue: no memory */
};

#define ENGINE_REFUSALS_MAX  8u
#define ENGINE_REFUSAL_BYTES 256u

/* How firmware ended. */
struct firmware_end {
    enum engine_firmware_end end;
    int status;        /* of EXIT */
    bool returned;     /* EXIT: from its entry function, with R0 as its status */
    uint64_t insns;    /* that began executing */
    int console_cause; /* why text of the program was lost, as errno has it; 0 */
    /* Where it ended, unless by itself; "" where the caller knows why. */
    char reason[768];
    char advice[384];     /* what it ran into, and what to do; "" where nothing is known */
    uint64_t r[32];       /* R0 to R15; X0 to X30 and the PC */
    unsigned n_registers; /* 16 or 32, of 4 or 8 bytes */
    unsigned register_bytes;
    uint64_t pc, lr;
    uint32_t processor_status;            /* what status_name says */
    const char *status_name;              /* "CPSR" */
    char symbol[128], return_symbol[128]; /* of the PC and of the LR, "" for none */
    /* Refused requests of its semihosting: a printable line each, and how many more. */
    char refused[ENGINE_REFUSALS_MAX][ENGINE_REFUSAL_BYTES];
    unsigned n_refused;
    uint64_t n_refused_more;
};

struct run_result {
    int wait_status; /* of the program, as waitpid gives it                        */
    int interrupted; /* the signal to armpmu that ended the program, 0: none       */
    int killed;     /* a signal that neither armpmu nor the program itself sent ended it, 0: none */
    bool timed_out; /* timeout_seconds ended the program */
    bool cut_short; /* by its second, or for lack of memory: the last part is missing */
    struct engine_thread *threads; /* n_threads of them, freed by run_result_free               */
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
    struct firmware_end firmware;
    uint64_t n_records; /* of a machine */
    bool accesses_lost; /* the plugin could not write the list of accesses, and said so */
};

/* Returns whether the program ran to its own end, a signal that it sent itself and a fault
 * included, and all of it was counted. */
static inline bool run_is_complete(const struct run_result *result)
{
    return result->interrupted == 0 && result->killed == 0 && !result->cut_short &&
           !result->timed_out && result->problem.message[0] == '\0';
}

/* Also accepts a zeroed or a freed result. */
void run_result_free(struct run_result *result);

#endif
