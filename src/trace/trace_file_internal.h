/* A recorded trace that is open, for the files that read it. */
#ifndef TRACE_TRACE_FILE_INTERNAL_H
#define TRACE_TRACE_FILE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "trace/trace_file.h"
#include "trace/trace_frame.h"

#define NO_FRAME SIZE_MAX

/* A frame, as the index has it. */
struct stored_frame {
    uint32_t kind, thread;
    uint64_t at, n_bytes;   /* in the file */
    uint64_t insn, n_insns; /* of records: the thread's number of the first, and how many */
    size_t next;            /* frame of the same thread, NO_FRAME: none */
};

struct trace_file {
    char *path;
    int fd;
    uint64_t n_bytes;
    struct stored_frame *frames;
    size_t n_frames, frames_room;
    uint8_t **plain; /* of the frames that define blocks, whose code lies there */
    size_t n_plain, plain_room;
    struct armpmu_block_source *blocks;
    size_t n_blocks, blocks_room;
    struct trace_setup setup;
    char *texts[4], *byte_order; /* of the setup */
    char **arguments;
    size_t arguments_room;
    struct trace_outcome outcome;
    char *problem;
    struct trace_thread *threads; /* by index */
    size_t *first;                /* frame of each thread */
    size_t n_threads;
};

enum armpmu_status trace_file_no_memory(const struct trace_file *file, struct armpmu_error *err);

/* at: where the part begins that is not as it was written. */
enum armpmu_status trace_file_damaged(const struct trace_file *file, uint64_t at,
                                      struct armpmu_error *err);

/* The number of items of a frame, as its header has it. Returns as trace_cursor_next. */
enum armpmu_status trace_file_read_items(const struct trace_file *file,
                                         const struct stored_frame *place, uint32_t *n_items,
                                         struct armpmu_error *err);

/* *out: the bytes of a frame, freed by the caller in any case. Returns as trace_cursor_next. */
enum armpmu_status trace_file_read_frame(const struct trace_file *file,
                                         const struct stored_frame *place,
                                         struct trace_frame *frame, uint8_t **out,
                                         struct armpmu_error *err);

#endif
