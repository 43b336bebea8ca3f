/* engine_qemu_run: a core model for each guest thread, fed from the recorder's traces.
 *
 *   engine.c          the run: program_find, find_qemu ..., nothing runs before everything is there
 *   engine_traces.c  traces -> trace_open, trace_run, trace_end; what they count in intervals
 *   engine_models.c   the core models of a thread, with those of machines beside the first
 *   engine_shared.c   threads that share a cache: their traces, counted after the program
 *   engine_result.c   what was counted, and what went wrong
 *
 *   ring              whose sink the traces are (ring/ring.h)
 *   recorded_blocks   block ids -> the definitions the recorder wrote
 *
 * Intervals: intervals.h. */
#ifndef QEMU_LAUNCHER_ENGINE_INTERNAL_H
#define QEMU_LAUNCHER_ENGINE_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "qemu/engine.h"
#include "qemu/launcher/find.h"
#include "qemu/launcher/intervals.h"
#include "qemu/launcher/launch.h"
#include "qemu/launcher/model_pool.h"
#include "qemu/launcher/program.h"
#include "qemu/launcher/recorded_blocks.h"
#include "qemu/ring/ring.h"
#include "qemu/launcher/run_watch.h"
#include "qemu/launcher/stable.h"
#include "trace/trace_file.h"
#include "trace/trace_temporary.h"

/* Traces of threads that share a cache. */
struct engine_shared {
    bool keeps; /* there are such cores */
    struct trace_temporary file;
    struct trace_setup setup;
    struct trace_recording *recording; /* NULL: nothing is kept yet */
    struct trace_file *trace;          /* NULL: the program runs */
    struct trace **traces;             /* NULL: it is counted */
    size_t n_traces, room;
    _Atomic bool happened; /* a core shares a cache with another one, also in a replay */
    size_t machine;        /* that counts: 0 the job's, or from 1 one beside it */
};

/* Where a machine is counted: by which of a thread's models, as which of its machines. */
struct engine_place {
    size_t model, index;
};

struct user_run {
    const struct run *job;
    const struct core_descriptor *core;
    struct program program;
    struct stable stable;
    struct found_qemu qemu;
    char plugin[FIND_PATH_BYTES], sysroot[FIND_PATH_BYTES];
    struct ring *ring;
    const struct ring_outcome *recorded; /* once the program has ended; NULL in a replay */
    struct armpmu_code *code;
    struct armpmu_sim *spare;    /* the model that was tried, until a thread takes it */
    struct model_pool *models;   /* with machines beside the first, else NULL */
    struct engine_place *places; /* of the first machine and those beside it */
    size_t n_models;             /* of a thread: some count for several machines */
    struct recorded_blocks blocks;
    pthread_mutex_t lock; /* all below: traces begin and end on their own threads */
    struct engine_thread *threads;
    size_t n_threads, threads_room;
    uint64_t (*beside)[ARMPMU_SIGNAL_COUNT];
    bool beside_apart; /* they are counted by replays of their own */
    unsigned n_execs;
    uint64_t n_helper_calls, n_clock_calls, n_perf_calls;
    struct intervals intervals;
    struct run_watch watch;
    struct engine_shared shared;
    enum armpmu_status status; /* of the first trace that failed */
    struct armpmu_error error;
};

/* A guest thread and its core model. */
struct trace {
    struct user_run *run;
    struct armpmu_sim *sim; /* NULL: its trace is written */
    struct armpmu_sim *now; /* of the machine that counts a trace */
    struct trace_stream *written;
    struct armpmu_sim **all; /* with machines beside the first: run->n_models, its own first */
    uint32_t process, thread;
    uint64_t n_intervals;
    bool starts_others; /* it has made a system call that starts a thread or process */
    struct run_watch_part watched;
    uint64_t before[ARMPMU_SIGNAL_COUNT]; /* at the end of the last whole interval */
};

/* ---- engine.c ---- */

/* The first failure is the run's. Called under the lock, while traces come and go. */
void engine_keep_failure(struct user_run *run, enum armpmu_status status,
                         const struct armpmu_error *error);

/* The same, takes the lock. */
void engine_report_failure(struct user_run *run, enum armpmu_status status,
                           const struct armpmu_error *error);

/* As recorded_program. */
bool engine_find_program_of(const struct user_run *run, uint32_t process, char *name);

/* Returns whether the recorder says which files code is from. */
static inline bool engine_names_files(const struct run *job)
{
    return job->names_files || job->profile != ARMPMU_PROFILE_OFF;
}

/* ---- engine_traces.c ---- */

/* Where the records of the run's threads go. */
struct ring_sink engine_sink_of(struct user_run *run);

/* Makes the thread's models. After a failure they are to be freed. */
enum armpmu_status engine_open_models(struct trace *trace, struct armpmu_error *err);

/* ---- engine_models.c ---- */

/* A machine that no core model takes is refused before anything has run. */
enum armpmu_status engine_try_machines(struct user_run *run, struct armpmu_error *err);

/* A new model of the run's machine: the one that was tried, where no thread has it yet. */
enum armpmu_status engine_take_model(struct user_run *run, struct armpmu_sim **out,
                                     struct armpmu_error *err);

/* Needs of machines beside the first: room for their counts, threads for their models. */
enum armpmu_status engine_make_pool(struct user_run *run, struct armpmu_error *err);

/* Makes those beside trace->sim. */
enum armpmu_status engine_open_beside(struct trace *trace, struct armpmu_error *err);

/* Through the thread's model, and those beside it; or into the file where its trace is written. */
enum armpmu_status engine_run_models(struct trace *trace, const uint64_t *records, size_t n_records,
                                     struct armpmu_error *err);
void engine_rename_models(struct trace *trace);

/* The thread has ended: signals gets what its model counted, the run what those beside it did. */
void engine_end_models(struct trace *trace, enum armpmu_end how, uint64_t *signals);
void engine_free_models(struct trace *trace);

/* ---- engine_shared.c ---- */

/* Returns whether traces of threads are kept until the program has ended: with cores that share. */
bool engine_keeps_shared(const struct user_run *run);

/* The thread's records are kept from here on. Returns ARMPMU_OK, ARMPMU_NO_MEMORY or ARMPMU_IO. */
enum armpmu_status engine_keep_shared(struct trace *trace, struct armpmu_error *err);

/* The program has ended: counts what was kept. A failure is the run's. */
void engine_count_shared(struct user_run *run);
void engine_free_shared(struct user_run *run);

/* If records could not be kept, error becomes the reason. */
void engine_explain_shared(const struct user_run *run, struct armpmu_error *error);

/* An armpmu_block_lookup; user: the run. */
bool engine_look_up(void *user, uint32_t id, struct armpmu_block_source *out);

/* ---- engine_result.c ---- */

/* Checks whether there is something to report. */
enum armpmu_status engine_check_recorded(const struct user_run *run, int wait_status,
                                         struct armpmu_error *err);

/* Hands the threads over to the result. */
void engine_fill_in(struct user_run *run, const struct launched *launched, struct run_result *out);

#endif
