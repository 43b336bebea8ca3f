/* A session: one run from its options to its exit status, for stat, record, replay, guest, sweep
 * and run.
 *
 * The commands differ in their use of the counts. Set-up, choice of the engine, progress and exit
 * status are implemented here, so that no two commands can differ. Programs, firmware, machines and
 * traces are all a struct run and end in a struct run_result (cosim/run.h). */
#ifndef CLI_RUN_SESSION_H
#define CLI_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/machine.h"
#include "armpmu/status.h"
#include "cli/profile/debuginfod_option.h"
#include "cli/run/firmware_options.h"
#include "cli/run/interval.h"
#include "cli/run/region.h"
#include "cli/machine_choice.h"
#include "cli/options.h"
#include "cli/output.h"
#include "qemu/engine.h"
#include "trace/trace_file.h"
#include "unicorn/firmware_run.h"

/* --stable and --env: fixed surroundings of the program. */
struct stable_options {
    bool is_stable;
    struct option_list variables; /* "NAME=VALUE" */
};

#define STABLE_ROWS_TO(type, field)                                                                \
    {0, "stable", NULL,                                                                            \
     "fix the program's environment, stack and path, so that counts do not depend on the "         \
     "caller's variables and folder",                                                              \
     OPTION_FLAG_TO(type, field.is_stable)},                                                       \
    {                                                                                              \
        0, "env", "NAME=VALUE", "with --stable: also set this variable for the program",           \
            OPTION_LIST_TO(type, field.variables)                                                  \
    }

/* The options of a run. Strings are borrowed from argv. */
struct run_options {
    const char *machine, *sysroot, *qemu;
    struct machine_settings settings;
    bool keep_running, no_inherit;
    double timeout_seconds;
    struct interval_choice interval;
    struct region_options region;
    struct stable_options stable;
    enum engine_choice engine;
    struct firmware_options firmware;
    bool has_firmware;           /* one of these was given */
    uint64_t from_insn, to_insn; /* of a trace, as struct run has them... */
    unsigned jobs;
    uint64_t warm_up;
    struct trace_slices *slices; /* ...and these */
};

#define NO_INHERIT_ROW(type, field)                                                                \
    {                                                                                              \
        'i', "no-inherit", NULL, "do not count the threads and processes that the program starts", \
            OPTION_FLAG_TO(type, field.no_inherit)                                                 \
    }

#define SYSROOT_ROW(type, field)                                                                   \
    {                                                                                              \
        0, "sysroot", "DIR", "folder with the libraries of dynamic programs",                      \
            OPTION_TEXT_TO(type, field.sysroot), .completes = COMPLETE_FOLDER                      \
    }

#define QEMU_ROW(type, field)                                                                      \
    {                                                                                              \
        0, "qemu", "FILE", "the QEMU to use", OPTION_TEXT_TO(type, field.qemu),                    \
            .completes = COMPLETE_FILE                                                             \
    }

/* The target of sweep and whatif, which run a program once and replay it: field, the options of the
 * run; trace: the member for a trace in its place. */
#define REPEATED_ROWS_TO(type, field, trace)                                                       \
    SYSROOT_ROW(type, field), QEMU_ROW(type, field), STABLE_ROWS_TO(type, field.stable),           \
    {                                                                                              \
        0, "replay", "FILE", "a trace of 'armpmu record --trace' instead of a program",            \
            OPTION_TEXT_TO(type, trace), .completes = COMPLETE_FILE                                \
    }

/* The target of stat and record. */
#define RUN_TARGET_ROWS_TO(type, field)                                                            \
    {.help = "Target", .kind = OPTION_HEADING}, OPTION_MACHINE_ROW(type, field.machine),           \
        MACHINE_SETTING_ROWS_TO(type, field.settings), SYSROOT_ROW(type, field), DEBUGINFOD_ROW,   \
        QEMU_ROW(type, field),                                                                     \
        {0, "keep-running", NULL,                                                                  \
         "if armpmu is killed (kill -9), continue the program, uncounted, instead of ending it",   \
         OPTION_FLAG_TO(type, field.keep_running)},                                                \
        STABLE_ROWS_TO(type, field.stable), TIMEOUT_ROW(type, field.timeout_seconds),              \
        ENGINE_CHOICE_ROW(type, field.engine),                                                     \
    {                                                                                              \
        OPTION_ROWS_TO(type, field.firmware, firmware_rows),                                       \
            .listed_by = "run", .given = offsetof(type, field.has_firmware)                        \
    }

enum session_source {
    SESSION_PROGRAM,  /* for Linux, under QEMU */
    SESSION_FIRMWARE, /* on the bare core */
    SESSION_MACHINE,  /* a whole machine under QEMU */
    SESSION_TRACE,    /* of a program that ran before */
};

/* All zero at first, but for what the command sets. */
struct session {
    /* Set by the command; borrowed. */
    const char *command; /* "stat" */
    struct run_options *options;
    char *const *program; /* and its arguments, NULL-terminated */
    enum session_source source;
    bool is_quiet; /* no line of progress */
    /* on_profile takes a thread's profile; file: the number of the file that all its code is from,
     * or 0. on_interval takes the counts at the end of interval `count`. */
    enum armpmu_status (*on_profile)(void *user, const struct engine_thread *thread,
                                     struct armpmu_sim *sim, uint32_t file,
                                     struct armpmu_error *err);
    void (*on_interval)(void *user, uint64_t count, const uint64_t *signals);
    void *user;
    struct armpmu_error *err;

    /* Made by session_open, or set in place of it. */
    struct armpmu_machine *machine;
    struct region region;
    struct output output;
    bool shows_progress; /* a line on the terminal, to be taken away */

    struct run job;           /* the command sets its own members, session_run the rest */
    uint64_t interval_cycles; /* length of each; 0 when it is not in cycles */

    struct run_result result; /* the last run's */
    bool is_running;          /* an engine has not returned ARMPMU_OK */
    bool is_lost;             /* something that belongs to the run was not written */
    bool has_risen;           /* an event, beyond what --fail-above allows */
    bool lacks_results;       /* of other runs, which it gathers */
};

/* Finds out what runs, and loads its machine and region. output: the file that the command will
 * write, NULL for none. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG, ARMPMU_NOT_FOUND, ARMPMU_IO or
 * ARMPMU_NO_MEMORY; session_close in any case. */
ARMPMU_MUST_USE enum armpmu_status session_open(struct session *session, const char *output);

/* Refuses a session without a program. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status session_needs_program(const struct session *session);

/* The same of commands that trace the program, which is not for firmware: --engine qemu says that
 * it is none. */
ARMPMU_MUST_USE enum armpmu_status session_needs_linux_program(const struct session *s);

/* A trace in place of the program, where options for the program say nothing. */
ARMPMU_MUST_USE enum armpmu_status session_open_trace(struct session *s, const char *path,
                                                      bool force);

/* Runs the program, firmware, machine or trace to its end. May be called several times: result is
 * the last run's. Returns as engine_qemu_run, engine_firmware_run and engine_guest_run. */
ARMPMU_MUST_USE enum armpmu_status session_run(struct session *session);

/* The end of interval `count`, in cycles; signals: those since the start. */
uint64_t session_interval_end(const struct session *session, uint64_t count,
                              const uint64_t *signals);

/* Explains the end of the run on standard error. is_reported: the report says who killed the
 * program. */
void session_explain(struct session *session, bool is_reported);

/* The versions of what made the program and ran it, after the run; all "" for a trace and a
 * machine. */
void session_versions(const struct session *session, struct versions *out);

/* The exit status of what ran, as a shell has it. */
int session_program_status(const struct session *session);

/* Closes everything, and returns the exit status of the command. status: of the command's own work,
 * which err explains if it is not ARMPMU_OK. */
int session_close(struct session *session, enum armpmu_status status);

#endif
