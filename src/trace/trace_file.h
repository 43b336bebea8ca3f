/* The recorded trace: all records of a program's threads, and what a core model and a report want
 * to know besides. docs/sweeps.md has the format.
 *
 *   header  frame  frame  ...  frame: index  trailer
 *
 * A frame is compressed by itself and has a checksum over all of it. One frame says what was run,
 * some define blocks, most have records of one thread each, the last but one says how it ended.
 * Blocks have numbers of their own here, one for each content: nothing is renamed later.
 *
 * A trace is written front to back, by several threads at once, and read by any number of threads,
 * from any frame on.
 *
 * Assumes that what is read may have been damaged or made up: no number is taken on trust.
 * Leaves out: data, registers, symbols. */
#ifndef TRACE_TRACE_FILE_H
#define TRACE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

/* Version 2 has the SYSTEM records of user programs (FAULT, CACHE), version 3 their PRELOAD, too.
 * All are read. */
#define TRACE_FILE_VERSION 3u

/* The run that was recorded, and its machine. */
struct trace_setup {
    const char *version;          /* of the armpmu that wrote */
    const char *target;           /* "arm", "aarch64": as struct core_emulator has it */
    const char *cpu;              /* of QEMU */
    const char *machine;          /* as it was named */
    unsigned word_bits;           /* of an address */
    bool is_stable;               /* in fixed surroundings */
    size_t n_arguments;           /* the program's name is the first */
    const char *const *arguments; /* NULL-terminated */
};

/* How the run ended. */
struct trace_outcome {
    int wait_status; /* as waitpid gives it */
    int interrupted; /* by this signal to armpmu, 0: none */
    bool timed_out, cut_short;
    bool is_killed;      /* the signal in wait_status came from outside */
    uint32_t n_programs; /* executed by the program's processes, and recorded */
    const char *problem; /* why not all was recorded, "" if all was */
};

/* A guest thread. */
struct trace_thread {
    uint32_t process, thread;
    const char *program; /* one that was executed, "" in the first */
    bool is_executed;    /* its process replaced another program */
    bool is_replaced;    /* it ended because its process executed another */
    enum armpmu_end end;
    uint32_t last_block;         /* UINT32_MAX: none */
    uint64_t n_records, n_insns; /* as its blocks have them, whole */
};

/* ---- writing ----------------------------------------------------------------------------------
 */

/* Where the bytes go; false: they could not be written, and no more will come. */
typedef bool (*trace_write_fn)(void *user, const void *bytes, size_t n_bytes);

struct trace_recording;
struct trace_stream;

/* Nothing is written before the first records are. setup is borrowed until the end. *out is freed
 * by trace_recording_free. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status trace_recording_new(const struct trace_setup *setup,
                                                       trace_write_fn write, void *user,
                                                       struct trace_recording **out,
                                                       struct armpmu_error *err);

/* A thread's records are written from here on. *out ends with trace_stream_end. Returns ARMPMU_OK
 * or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status trace_stream_open(struct trace_recording *recording,
                                                     uint32_t process, uint32_t thread,
                                                     struct trace_stream **out,
                                                     struct armpmu_error *err);

/* Adds records; look_up says what the ids of blocks mean. Returns ARMPMU_OK, ARMPMU_NO_MEMORY,
 * ARMPMU_BAD_INPUT (an undefined block) or ARMPMU_IO. */
ARMPMU_MUST_USE enum armpmu_status trace_stream_run(struct trace_stream *stream,
                                                    const uint64_t *records, size_t n_records,
                                                    armpmu_block_lookup look_up, void *user,
                                                    struct armpmu_error *err);

/* From here on ids may mean other blocks. */
void trace_stream_rename(struct trace_stream *stream);

/* thread: all but its numbers of records, instructions and of the last block. Frees the stream.
 * Returns as trace_stream_run. */
ARMPMU_MUST_USE enum armpmu_status trace_stream_end(struct trace_stream *stream,
                                                    const struct trace_thread *thread,
                                                    struct armpmu_error *err);

/* Every stream has ended: writes the rest. Returns ARMPMU_OK, ARMPMU_NO_MEMORY or ARMPMU_IO. */
ARMPMU_MUST_USE enum armpmu_status trace_recording_finish(struct trace_recording *recording,
                                                          const struct trace_outcome *outcome,
                                                          struct armpmu_error *err);

/* The bytes written so far, and the threads and instructions of the streams that have ended.
 */
struct trace_size {
    uint64_t n_bytes, n_insns, n_threads;
};
struct trace_size trace_recording_size(const struct trace_recording *recording);

/* The file that the code of a block of the trace is from, as look_up said; it is not in the trace.
 * The recording is finished. */
uint32_t trace_recording_file_of(const struct trace_recording *recording, uint32_t number);

/* NULL is fine. */
void trace_recording_free(struct trace_recording *recording);

/* ---- reading ----------------------------------------------------------------------------------
 */

struct trace_file;

/* Reads all but the records. *out is freed by trace_file_close. Returns ARMPMU_OK, ARMPMU_IO (it
 * cannot be read), ARMPMU_BAD_INPUT (it is no trace, a newer one, or damaged) or ARMPMU_NO_MEMORY.
 */
ARMPMU_MUST_USE enum armpmu_status trace_file_open(const char *path, struct trace_file **out,
                                                   struct armpmu_error *err);

/* NULL is fine. */
void trace_file_close(struct trace_file *file);

/* All borrowed from the file. Threads are in the order in which their first records were written.
 */
const struct trace_setup *trace_file_setup(const struct trace_file *file);
const struct trace_outcome *trace_file_outcome(const struct trace_file *file);
const struct trace_thread *trace_file_threads(const struct trace_file *file, size_t *n_threads);

/* A number that identifies the content; 0: it cannot be read. */
uint64_t trace_file_mark(const struct trace_file *file);

/* An armpmu_block_lookup; user: the struct trace_file. */
bool trace_file_look_up(void *user, uint32_t id, struct armpmu_block_source *out);

/* A place in a thread's trace; of one thread of the host. */
struct trace_cursor;

/* The start of the thread's trace, or the frame that holds its instruction of this number, from 0,
 * as its blocks count them. *out is freed by trace_cursor_close. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status trace_cursor_open(struct trace_file *file, size_t thread,
                                                     uint64_t insn, struct trace_cursor **out,
                                                     struct armpmu_error *err);

/* The number of the first instruction that the first call of trace_cursor_next brings. */
uint64_t trace_cursor_insn(const struct trace_cursor *cursor);

/* Passes whole frames with at most *n_records records together, without unpacking them, and takes
 * their records from *n_records. Only before trace_cursor_next. Returns ARMPMU_OK, ARMPMU_IO or
 * ARMPMU_BAD_INPUT. */
ARMPMU_MUST_USE enum armpmu_status trace_cursor_pass(struct trace_cursor *cursor,
                                                     uint64_t *n_records, struct armpmu_error *err);

/* Records of a trace; empty when zeroed, items are freed by the owner. */
struct trace_records {
    uint64_t *items;
    size_t n, room;
};

/* Replaces the records in out by the next ones; they end where a BLOCK record would follow. out->n
 * 0: there are no more. Returns ARMPMU_OK, ARMPMU_IO, ARMPMU_BAD_INPUT or ARMPMU_NO_MEMORY.
 */
ARMPMU_MUST_USE enum armpmu_status
trace_cursor_next(struct trace_cursor *cursor, struct trace_records *out, struct armpmu_error *err);

/* NULL is fine. */
void trace_cursor_close(struct trace_cursor *cursor);

#endif
