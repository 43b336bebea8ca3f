/* A replay: trace_replay.c gives threads one by one, trace_process.c those of a process in turns.
 */
#ifndef QEMU_LAUNCHER_TRACE_REPLAY_INTERNAL_H
#define QEMU_LAUNCHER_TRACE_REPLAY_INTERNAL_H

#include <pthread.h>

#include "qemu/engine.h"
#include "qemu/ring/ring.h"
#include "qemu/launcher/trace_ahead.h"

struct replay {
    const struct run *job;
    const struct ring_sink *sink;
    const struct trace_thread *threads;
    size_t n_threads;
    pthread_mutex_t lock; /* all below */
    pthread_cond_t is_done;
    size_t n_taken;
    unsigned n_workers; /* that have not ended */
    _Atomic bool stops;
    enum armpmu_status status; /* of the first thread that cannot be read */
    struct armpmu_error error;
};

/* Where a thread's replay has come to. */
struct replayed_thread {
    struct trace_cursor *cursor;
    struct trace_ahead *ahead;
    void *trace;   /* of the sink; NULL: it could not be opened, the replay stops */
    uint64_t insn; /* of the next record, where a range asks */
    bool is_over;  /* all its records were taken */
    bool is_past;  /* the end of the range */
};

/* Opens the thread of an index in the trace, and a trace for it. To be closed also after a
 * failure. Returns as trace_replay. */
enum armpmu_status replay_open(struct replay *replay, size_t index, struct replayed_thread *thread,
                               struct armpmu_error *err);

/* The thread's next records that are in the range; none: *n_records is 0, and there may be more
 * unless it is over or past. */
enum armpmu_status replay_take(struct replay *replay, struct replayed_thread *thread,
                               const uint64_t **records, size_t *n_records,
                               struct armpmu_error *err);

/* Gives the trace records. */
void replay_give(struct replay *replay, struct replayed_thread *thread, const uint64_t *records,
                 size_t n_records);

/* Ends the trace. */
void replay_close(struct replay *replay, size_t index, struct replayed_thread *thread);

/* ---- trace_slices.c ---- */

/* For a replay with run.slices. Returns ARMPMU_OK, or ARMPMU_BAD_CONFIG where the trace cannot be
 * counted in slices on its machine. */
enum armpmu_status replay_check_slices(const struct replay *replay, struct armpmu_error *err);

/* Returns whether the thread of an index is counted in slices. */
bool replay_slices(const struct replay *replay, size_t index);

/* Counts it. Returns as trace_replay. */
enum armpmu_status replay_in_slices(struct replay *replay, size_t index, struct armpmu_error *err);

/* ---- trace_process.c ---- */

/* replay_shares returns whether the thread of an index shares a cache with others: these are
 * replayed together. replay_is_first returns whether it is the first of them. */
bool replay_shares(const struct replay *replay, size_t index);
bool replay_is_first(const struct replay *replay, size_t index);

/* Replays all threads of a thread's process, in turns. Returns as trace_replay. */
enum armpmu_status replay_process(struct replay *replay, size_t index, struct armpmu_error *err);

#endif
