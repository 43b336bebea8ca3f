/* Gives the threads of a recorded trace to a sink, as the ring does with those of a program:
 * each from one thread of the host, as many at a time as there are processors. */
#ifndef QEMU_LAUNCHER_TRACE_REPLAY_H
#define QEMU_LAUNCHER_TRACE_REPLAY_H

#include "qemu/engine.h"
#include "qemu/ring/ring.h"
#include "qemu/launcher/run_watch.h"

/* As recorded_program. */
bool trace_replay_program(const struct trace_file *file, uint32_t process, char *name);

/* The last block of a thread that a fault ended. False if there is none. */
bool trace_replay_faulted_block(struct trace_file *file, struct armpmu_block_source *out);

/* The job's trace, of its range; watch: NULL, or looked at until the end. A sink that fails ends
 * the replay, as does a signal that cuts counting short. Returns ARMPMU_OK, or as
 * trace_cursor_next: then only some has been given. */
enum armpmu_status trace_replay(const struct run *job, const struct ring_sink *sink,
                                struct run_watch *watch, struct armpmu_error *err);

#endif
