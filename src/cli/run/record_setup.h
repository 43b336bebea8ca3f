/* How a profile was recorded, for its file. */
#ifndef CLI_RUN_RECORD_SETUP_H
#define CLI_RUN_RECORD_SETUP_H

#include <stdbool.h>

#include "armpmu/machine.h"
#include "cli/run/session.h"
#include "profile/collect.h"
#include "profile/profile.h"
#include "qemu/engine.h"
#include "trace/trace_file.h"

struct record_run {
    const struct armpmu_machine *machine;
    const char *machine_choice; /* the name or file it was loaded by */
    const char *engine;
    const char *const *argv; /* the program and its arguments, NULL-terminated */
    int exit_status;         /* as a shell has it */
    bool is_complete, has_paths;
    const struct versions *versions; /* NULL: not known */
};

/* Sets profile->setup. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status
record_setup(struct profile *profile, const struct record_run *run, struct armpmu_error *err);

/* Adds an event. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status record_event(struct profile *profile,
                                                const struct armpmu_event *event, const char *label,
                                                struct armpmu_error *err);

/* Adds what was collected of a program; result: NULL of firmware. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status record_rows(struct profile *profile,
                                               struct profile_collection *collection,
                                               const struct run_result *result, const char *program,
                                               struct armpmu_error *err);

/* The name of a program's threads. */
const char *record_program_name(const char *program);

/* Returns what the trace of a run says of it; it borrows from the run. */
struct trace_setup record_trace_setup(const struct session *run);

/* The run has ended: writes the rest of the trace, job.trace_to. Returns as trace_recording_finish.
 */
ARMPMU_MUST_USE enum armpmu_status record_trace_finish(const struct session *run);

/* `record --trace`: writes what the program executes to path, for `armpmu replay`; of the machine
 * only its emulated processor matters. Returns ARMPMU_OK, or what err says. */
ARMPMU_MUST_USE enum armpmu_status record_trace(struct session *run, const char *path);

#endif
