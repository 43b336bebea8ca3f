/* Writing a recorded trace: each thread collects its records, with the numbers that blocks have in
 * the file, and compresses a frame when it is full. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "armpmu/trace.h"
#include "base/array.h"
#include "base/error.h"
#include "base/intern.h"
#include "trace/trace_file.h"
#include "trace/trace_frame.h"

/* Higher levels take longer than QEMU for a tenth of the bytes. */
#define LEVEL 3

/* A block as it is in the file. */
struct definition {
    uint64_t address;
    uint32_t n_insns, n_bytes;
    uint8_t isa, it_known, it_before;
    uint32_t file;  /* not in the trace */
    size_t code_at; /* in code */
};

/* The index's entry for a frame; of one with records, how many instructions its blocks have. */
struct frame_row {
    uint32_t kind, thread;
    uint64_t n_bytes, n_insns;
};

struct trace_recording {
    const struct trace_setup *setup;
    trace_write_fn write;
    void *user;
    pthread_mutex_t lock; /* all below */
    struct intern numbers;
    struct definition *blocks;
    size_t n_blocks, blocks_room;
    size_t n_written; /* blocks in frames */
    struct trace_bytes code;
    struct frame_row *frames;
    size_t n_frames, frames_room;
    struct trace_bytes threads; /* of the streams that have ended, as in the last frame */
    uint32_t n_streams;
    struct trace_size size;
    bool has_failed;
};

/* A block's number in the file, and its instructions. number + 1, 0: not known yet. */
struct known_block {
    uint32_t next_number, n_insns;
};

struct trace_stream {
    struct trace_recording *recording;
    uint32_t index, process, thread;
    struct known_block *known; /* by the recorder's number */
    size_t known_room;
    uint64_t *records;
    size_t n_records, records_room;
    uint64_t n_insns; /* of these */
    struct trace_thread total;
    struct trace_codec *codec;
};

/* ---- frames -----------------------------------------------------------------------------------
 */

static void send(struct trace_recording *recording, const void *bytes, size_t n)
{
    recording->has_failed = recording->has_failed || !recording->write(recording->user, bytes, n);
    recording->size.n_bytes += n;
}

static bool add_row(struct trace_recording *recording, const struct frame_row *row)
{
    return ARRAY_APPEND(recording->frames, recording->n_frames, recording->frames_room, *row);
}

/* Called under the lock. stored: n_stored bytes. */
static enum armpmu_status send_frame(struct trace_recording *recording, struct trace_frame *frame,
                                     uint64_t n_insns, const void *stored, struct armpmu_error *err)
{
    const struct frame_row row = {frame->kind, frame->thread,
                                  TRACE_FRAME_BYTES + (uint64_t)frame->n_stored, n_insns};
    uint8_t header[TRACE_FRAME_BYTES];

    if (!add_row(recording, &row))
        return fail_no_memory(err, "the trace");
    trace_frame_write(frame, stored, header);
    send(recording, header, sizeof header);
    send(recording, stored, frame->n_stored);
    return recording->has_failed ? fail(err, ARMPMU_IO, "the trace cannot be written") : ARMPMU_OK;
}

/* *out is freed by the caller. */
static enum armpmu_status compress(const struct trace_bytes *plain, struct trace_frame *frame,
                                   void **out, struct armpmu_error *err)
{
    const size_t room = ZSTD_compressBound(plain->n);
    size_t n;

    *out = plain->is_lost ? NULL : malloc(room);
    if (*out == NULL)
        return fail_no_memory(err, "the trace");
    n = ZSTD_compress(*out, room, plain->items, plain->n, LEVEL);
    if (ZSTD_isError(n))
        return fail(err, ARMPMU_NO_MEMORY, "the trace cannot be compressed: %s",
                    ZSTD_getErrorName(n));
    frame->n_plain = (uint32_t)plain->n;
    frame->n_stored = (uint32_t)n;
    return ARMPMU_OK;
}

/* A frame without records. Called under the lock. */
static enum armpmu_status write_frame(struct trace_recording *recording, enum trace_frame_kind kind,
                                      const struct trace_bytes *plain, size_t n_items,
                                      struct armpmu_error *err)
{
    struct trace_frame frame = {.kind = kind, .n_items = (uint32_t)n_items};
    void *stored = NULL;
    enum armpmu_status status = compress(plain, &frame, &stored, err);

    if (status == ARMPMU_OK)
        status = send_frame(recording, &frame, 0, stored, err);
    free(stored);
    return status;
}

static enum armpmu_status write_setup(struct trace_recording *recording, struct armpmu_error *err)
{
    const struct trace_setup *const setup = recording->setup;
    struct trace_bytes plain = {0};
    uint8_t header[TRACE_HEADER_BYTES];

    trace_header_write(TRACE_FILE_VERSION, header);
    send(recording, header, sizeof header);
    trace_put_text(&plain, setup->version);
    trace_put_text(&plain, "little");
    trace_put_number(&plain, setup->word_bits);
    trace_put_text(&plain, setup->target);
    trace_put_text(&plain, setup->cpu);
    trace_put_text(&plain, setup->machine);
    trace_put_number(&plain, setup->is_stable);
    for (size_t i = 0; i < setup->n_arguments; i++)
        trace_put_text(&plain, setup->arguments[i]);
    const enum armpmu_status status =
        write_frame(recording, TRACE_FRAME_SETUP, &plain, setup->n_arguments, err);
    free(plain.items);
    return status;
}

static void put_block(const struct trace_recording *recording, const struct definition *block,
                      struct trace_bytes *plain)
{
    trace_put_number(plain, block->address);
    trace_put_number(plain, block->n_insns);
    trace_put_number(plain, block->isa);
    trace_put_number(plain, block->it_known);
    trace_put_number(plain, block->it_before);
    trace_put_number(plain, block->n_bytes);
    if (block->n_bytes > 0)
        trace_put(plain, recording->code.items + block->code_at, block->n_bytes);
}

/* A frame of the blocks that none defines yet, as many as go into one. */
static enum armpmu_status write_some_blocks(struct trace_recording *recording,
                                            struct armpmu_error *err)
{
    struct trace_bytes plain = {0};
    size_t n = 0;

    while (recording->n_written < recording->n_blocks && plain.n < TRACE_PLAIN_MAX / 2) {
        put_block(recording, &recording->blocks[recording->n_written++], &plain);
        n++;
    }
    const enum armpmu_status status = write_frame(recording, TRACE_FRAME_BLOCKS, &plain, n, err);
    free(plain.items);
    return status;
}

/* Called under the lock. */
static enum armpmu_status write_blocks(struct trace_recording *recording, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    while (recording->n_written < recording->n_blocks && status == ARMPMU_OK)
        status = write_some_blocks(recording, err);
    return status;
}

/* A frame of records refers to these. Called under the lock. */
static enum armpmu_status write_before(struct trace_recording *recording, struct armpmu_error *err)
{
    const enum armpmu_status status =
        recording->size.n_bytes == 0 ? write_setup(recording, err) : ARMPMU_OK;

    return status == ARMPMU_OK ? write_blocks(recording, err) : status;
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

static uint32_t hash_of(const struct armpmu_block_source *source)
{
    const uint64_t facts[] = {source->address, source->n_insns,
                              (uint64_t)source->file << 32 | (uint64_t)source->isa << 16 |
                                  (uint64_t)source->it_known << 8 | source->it_before};
    const uint32_t hash = hash_bytes(HASH_START, facts, sizeof facts);

    return source->bytes != NULL ? hash_bytes(hash, source->bytes, source->n_bytes) : hash;
}

static bool same(const void *things, uint32_t number, const void *key)
{
    const struct trace_recording *const recording = things;
    const struct definition *const block = &recording->blocks[number];
    const struct armpmu_block_source *const source = key;
    const uint32_t n_bytes = source->bytes != NULL ? source->n_bytes : 0;

    return block->address == source->address && block->n_insns == source->n_insns &&
           block->isa == source->isa && block->it_known == source->it_known &&
           block->it_before == source->it_before && block->file == source->file &&
           block->n_bytes == n_bytes &&
           (n_bytes == 0 ||
            memcmp(recording->code.items + block->code_at, source->bytes, n_bytes) == 0);
}

static bool add_block(struct trace_recording *recording, const struct armpmu_block_source *source,
                      uint32_t hash)
{
    const struct definition block = {.address = source->address,
                                     .n_insns = source->n_insns,
                                     .n_bytes = source->bytes != NULL ? source->n_bytes : 0,
                                     .isa = (uint8_t)source->isa,
                                     .it_known = source->it_known,
                                     .it_before = source->it_before,
                                     .file = source->file,
                                     .code_at = recording->code.n};

    trace_put(&recording->code, source->bytes, block.n_bytes);
    if (recording->code.is_lost ||
        !ARRAY_RESERVE(recording->blocks, recording->blocks_room, recording->n_blocks + 1) ||
        !intern_add(&recording->numbers, hash, (uint32_t)recording->n_blocks))
        return false;
    recording->blocks[recording->n_blocks++] = block;
    return true;
}

/* The number of a block in the file, INTERN_NONE without memory. */
static uint32_t number_of(struct trace_recording *recording,
                          const struct armpmu_block_source *source)
{
    const uint32_t hash = hash_of(source);

    pthread_mutex_lock(&recording->lock);
    uint32_t number = intern_find(&recording->numbers, hash, same, recording, source);
    if (number == INTERN_NONE && add_block(recording, source, hash))
        number = (uint32_t)recording->n_blocks - 1;
    pthread_mutex_unlock(&recording->lock);
    return number;
}

static enum armpmu_status learn_block(struct trace_stream *stream, uint32_t id,
                                      armpmu_block_lookup look_up, void *user,
                                      struct armpmu_error *err)
{
    struct armpmu_block_source source = {0};

    if (!look_up(user, id, &source))
        return fail(err, ARMPMU_BAD_INPUT, "the trace names block %u, which it never defined", id);
    const uint32_t number = number_of(stream->recording, &source);
    if (number == INTERN_NONE || !ARRAY_RESERVE(stream->known, stream->known_room, (size_t)id + 1))
        return fail_no_memory(err, "the trace");
    stream->known[id] = (struct known_block){number + 1, source.n_insns};
    return ARMPMU_OK;
}

/* ---- a thread ---------------------------------------------------------------------------------
 */

enum armpmu_status trace_stream_open(struct trace_recording *recording, uint32_t process,
                                     uint32_t thread, struct trace_stream **out,
                                     struct armpmu_error *err)
{
    struct trace_stream *const stream = calloc(1, sizeof *stream);

    *out = stream;
    if (stream == NULL || (stream->codec = trace_codec_new()) == NULL) {
        free(stream);
        *out = NULL;
        return fail_no_memory(err, "the trace");
    }
    stream->recording = recording;
    stream->process = process;
    stream->thread = thread;
    stream->total.last_block = UINT32_MAX;
    pthread_mutex_lock(&recording->lock);
    stream->index = recording->n_streams++;
    pthread_mutex_unlock(&recording->lock);
    return ARMPMU_OK;
}

static enum armpmu_status flush(struct trace_stream *stream, struct armpmu_error *err)
{
    struct trace_recording *const recording = stream->recording;
    struct trace_frame frame = {.kind = TRACE_FRAME_RECORDS,
                                .thread = stream->index,
                                .n_items = (uint32_t)stream->n_records};
    struct trace_bytes plain = {0};
    void *stored = NULL;

    if (stream->n_records == 0)
        return ARMPMU_OK;
    trace_encode(stream->codec, stream->records, stream->n_records, &plain);
    enum armpmu_status status = compress(&plain, &frame, &stored, err);
    free(plain.items);
    pthread_mutex_lock(&recording->lock);
    if (status == ARMPMU_OK)
        status = write_before(recording, err);
    if (status == ARMPMU_OK)
        status = send_frame(recording, &frame, stream->n_insns, stored, err);
    pthread_mutex_unlock(&recording->lock);
    free(stored);
    stream->total.n_records += stream->n_records;
    stream->total.n_insns += stream->n_insns;
    stream->n_records = 0;
    stream->n_insns = 0;
    return status;
}

static bool is_known(const struct trace_stream *stream, uint32_t id)
{
    return id < stream->known_room && stream->known[id].next_number != 0;
}

static enum armpmu_status add_record(struct trace_stream *stream, uint64_t record,
                                     struct armpmu_error *err)
{
    if (stream->n_records == TRACE_RECORDS_MAX) {
        const enum armpmu_status status = flush(stream, err);
        if (status != ARMPMU_OK)
            return status;
    }
    if (!ARRAY_APPEND(stream->records, stream->n_records, stream->records_room, record))
        return fail_no_memory(err, "the trace");
    return ARMPMU_OK;
}

static enum armpmu_status begin_block(struct trace_stream *stream, uint32_t id,
                                      armpmu_block_lookup look_up, void *user,
                                      struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    if (!is_known(stream, id))
        status = learn_block(stream, id, look_up, user, err);
    if (status == ARMPMU_OK && stream->n_records >= TRACE_RECORDS_USUAL)
        status = flush(stream, err);
    if (status != ARMPMU_OK)
        return status;
    stream->total.last_block = stream->known[id].next_number - 1;
    stream->n_insns += stream->known[id].n_insns;
    return add_record(stream, armpmu_record(ARMPMU_RECORD_BLOCK, 0) | stream->total.last_block,
                      err);
}

enum armpmu_status trace_stream_run(struct trace_stream *stream, const uint64_t *records,
                                    size_t n_records, armpmu_block_lookup look_up, void *user,
                                    struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < n_records && status == ARMPMU_OK; i++)
        status = armpmu_record_kind(records[i]) == ARMPMU_RECORD_BLOCK
                     ? begin_block(stream, (uint32_t)records[i], look_up, user, err)
                     : add_record(stream, records[i], err);
    return status;
}

void trace_stream_rename(struct trace_stream *stream)
{
    if (stream->known_room > 0)
        memset(stream->known, 0, stream->known_room * sizeof *stream->known);
}

static void put_thread(const struct trace_stream *stream, const struct trace_thread *thread,
                       struct trace_bytes *plain)
{
    trace_put_number(plain, stream->index);
    trace_put_number(plain, stream->process);
    trace_put_number(plain, stream->thread);
    trace_put_text(plain, thread->program);
    trace_put_number(plain, thread->is_executed);
    trace_put_number(plain, thread->is_replaced);
    trace_put_number(plain, thread->end);
    trace_put_number(plain, (uint64_t)stream->total.last_block + 1);
    trace_put_number(plain, stream->total.n_records);
    trace_put_number(plain, stream->total.n_insns);
}

enum armpmu_status trace_stream_end(struct trace_stream *stream, const struct trace_thread *thread,
                                    struct armpmu_error *err)
{
    struct trace_recording *const recording = stream->recording;
    const enum armpmu_status status = flush(stream, err);

    pthread_mutex_lock(&recording->lock);
    put_thread(stream, thread, &recording->threads);
    recording->size.n_insns += stream->total.n_insns;
    recording->size.n_threads++;
    pthread_mutex_unlock(&recording->lock);
    free(stream->known);
    free(stream->records);
    free(stream->codec);
    free(stream);
    return status;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

enum armpmu_status trace_recording_new(const struct trace_setup *setup, trace_write_fn write,
                                       void *user, struct trace_recording **out,
                                       struct armpmu_error *err)
{
    struct trace_recording *const recording = calloc(1, sizeof *recording);

    *out = recording;
    if (recording == NULL)
        return fail_no_memory(err, "the trace");
    recording->setup = setup;
    recording->write = write;
    recording->user = user;
    pthread_mutex_init(&recording->lock, NULL);
    return ARMPMU_OK;
}

static enum armpmu_status write_end(struct trace_recording *recording,
                                    const struct trace_outcome *outcome, struct armpmu_error *err)
{
    struct trace_bytes plain = {0};

    trace_put_number(&plain, (uint32_t)outcome->wait_status);
    trace_put_number(&plain, (uint32_t)outcome->interrupted);
    trace_put_number(&plain, outcome->timed_out);
    trace_put_number(&plain, outcome->cut_short | (uint64_t)outcome->is_killed << 1);
    trace_put_number(&plain, outcome->n_programs);
    trace_put_text(&plain, outcome->problem);
    trace_put(&plain, recording->threads.items, recording->threads.n);
    plain.is_lost |= recording->threads.is_lost;
    const enum armpmu_status status =
        write_frame(recording, TRACE_FRAME_END, &plain, recording->size.n_threads, err);
    free(plain.items);
    return status;
}

static enum armpmu_status write_index(struct trace_recording *recording, struct armpmu_error *err)
{
    const uint64_t at = recording->size.n_bytes;
    const size_t n_frames = recording->n_frames;
    struct trace_bytes plain = {0};
    uint8_t trailer[TRACE_TRAILER_BYTES];

    for (size_t i = 0; i < n_frames; i++) {
        trace_put_number(&plain, recording->frames[i].kind);
        trace_put_number(&plain, recording->frames[i].thread);
        trace_put_number(&plain, recording->frames[i].n_bytes);
        trace_put_number(&plain, recording->frames[i].n_insns);
    }
    const enum armpmu_status status =
        write_frame(recording, TRACE_FRAME_INDEX, &plain, n_frames, err);
    free(plain.items);
    trace_trailer_write(at, trailer);
    if (status == ARMPMU_OK)
        send(recording, trailer, sizeof trailer);
    return status;
}

enum armpmu_status trace_recording_finish(struct trace_recording *recording,
                                          const struct trace_outcome *outcome,
                                          struct armpmu_error *err)
{
    enum armpmu_status status = write_before(recording, err);

    if (status == ARMPMU_OK)
        status = write_end(recording, outcome, err);
    if (status == ARMPMU_OK)
        status = write_index(recording, err);
    if (status == ARMPMU_OK && recording->has_failed)
        return fail(err, ARMPMU_IO, "the trace cannot be written");
    return status;
}

struct trace_size trace_recording_size(const struct trace_recording *recording)
{
    return recording->size;
}

uint32_t trace_recording_file_of(const struct trace_recording *recording, uint32_t number)
{
    return recording->blocks[number].file;
}

void trace_recording_free(struct trace_recording *recording)
{
    if (recording == NULL)
        return;
    intern_free(&recording->numbers);
    pthread_mutex_destroy(&recording->lock);
    free(recording->blocks);
    free(recording->code.items);
    free(recording->frames);
    free(recording->threads.items);
    free(recording);
}
