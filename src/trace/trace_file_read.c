/* Reading a recorded trace. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/array.h"
#include "base/error.h"
#include "base/read_file.h"
#include "trace/trace_file_internal.h"

/* Threads of a recording: RING_TRACES_MAX. */
#define THREADS_MAX (1u << 16)

/* ---- what is wrong ----------------------------------------------------------------------------
 */

enum armpmu_status trace_file_no_memory(const struct trace_file *file, struct armpmu_error *err)
{
    return fail(err, ARMPMU_NO_MEMORY, "no memory to read the trace '%.200s'", file->path);
}

static enum armpmu_status cannot_read(const struct trace_file *file, struct armpmu_error *err)
{
    return fail(err, ARMPMU_IO, "cannot read the trace '%.200s': %s", file->path, strerror(errno));
}

enum armpmu_status trace_file_damaged(const struct trace_file *file, uint64_t at,
                                      struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "the trace '%.200s' is damaged in its part at byte %" PRIu64 " of %" PRIu64
                ": copy it again, or record it again",
                file->path, at, file->n_bytes);
}

static enum armpmu_status foreign(const struct trace_file *file, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "'%.200s' is not a trace: 'armpmu record --trace FILE' writes one", file->path);
}

static enum armpmu_status breaks_off(const struct trace_file *file, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "the trace '%.200s' is truncated after %" PRIu64
                " bytes: copy it again, or record it again to its end",
                file->path, file->n_bytes);
}

/* ---- frames -----------------------------------------------------------------------------------
 */

/* False at the end of the file, too. */
static bool read_at(const struct trace_file *file, void *to, size_t n, uint64_t at)
{
    errno = EIO;
    while (n > 0) {
        const ssize_t got = pread(file->fd, to, n, (off_t)at);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got < 0)
            continue;
        to = (char *)to + got;
        n -= (size_t)got;
        at += (uint64_t)got;
    }
    return true;
}

/* stored: the whole frame, n_bytes. *out is freed by the caller. */
static enum armpmu_status expand(const struct trace_file *file, const struct stored_frame *place,
                                 const uint8_t *stored, struct trace_frame *frame, uint8_t **out,
                                 struct armpmu_error *err)
{
    const size_t n_stored = (size_t)place->n_bytes - TRACE_FRAME_BYTES;

    trace_frame_read(stored, frame);
    if (!trace_frame_is_whole(stored, stored + TRACE_FRAME_BYTES, n_stored) ||
        frame->kind != place->kind || frame->thread != place->thread ||
        frame->n_stored != n_stored || frame->n_plain > TRACE_PLAIN_MAX)
        return trace_file_damaged(file, place->at, err);
    *out = malloc((size_t)frame->n_plain + 1);
    if (*out == NULL)
        return trace_file_no_memory(file, err);
    const size_t n = ZSTD_decompress(*out, frame->n_plain, stored + TRACE_FRAME_BYTES, n_stored);
    if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
        return trace_file_no_memory(file, err);
    if (n != frame->n_plain)
        return trace_file_damaged(file, place->at, err);
    return ARMPMU_OK;
}

enum armpmu_status trace_file_read_frame(const struct trace_file *file,
                                         const struct stored_frame *place,
                                         struct trace_frame *frame, uint8_t **out,
                                         struct armpmu_error *err)
{
    *out = NULL;
    if (place->n_bytes < TRACE_FRAME_BYTES ||
        place->n_bytes > TRACE_FRAME_BYTES + ZSTD_COMPRESSBOUND((uint64_t)TRACE_PLAIN_MAX))
        return trace_file_damaged(file, place->at, err);
    uint8_t *const stored = malloc((size_t)place->n_bytes);
    enum armpmu_status status = stored != NULL ? ARMPMU_OK : trace_file_no_memory(file, err);
    if (status == ARMPMU_OK && !read_at(file, stored, (size_t)place->n_bytes, place->at))
        status = cannot_read(file, err);
    if (status == ARMPMU_OK)
        status = expand(file, place, stored, frame, out, err);
    free(stored);
    return status;
}

/* ---- setup ------------------------------------------------------------------------------------
 */

static bool take_argument(struct trace_file *file, struct trace_view *view)
{
    const size_t n = file->setup.n_arguments;

    if (!ARRAY_RESERVE(file->arguments, file->arguments_room, n + 2))
        return false;
    file->arguments[n] = trace_take_text(view);
    file->setup.n_arguments += file->arguments[n] != NULL;
    return file->arguments[n] != NULL;
}

static enum armpmu_status read_setup(struct trace_file *file, const struct stored_frame *place,
                                     struct trace_view *view, uint32_t n_items,
                                     struct armpmu_error *err)
{
    struct trace_setup *const setup = &file->setup;

    if (file->texts[0] != NULL || n_items == 0)
        return trace_file_damaged(file, place->at, err);
    setup->version = file->texts[0] = trace_take_text(view);
    file->byte_order = trace_take_text(view);
    setup->word_bits = trace_take_small(view);
    setup->target = file->texts[1] = trace_take_text(view);
    setup->cpu = file->texts[2] = trace_take_text(view);
    setup->machine = file->texts[3] = trace_take_text(view);
    setup->is_stable = trace_take_number(view) != 0;
    for (size_t i = 0; i < 4; i++)
        if (file->texts[i] == NULL || file->byte_order == NULL)
            return trace_file_no_memory(file, err);
    for (uint32_t i = 0; i < n_items && !view->is_short; i++)
        if (!take_argument(file, view))
            return trace_file_no_memory(file, err);
    setup->arguments = (const char *const *)file->arguments;
    if (view->is_short || view->next != view->end || strcmp(file->byte_order, "little") != 0)
        return trace_file_damaged(file, place->at, err);
    return ARMPMU_OK;
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

static void take_block(struct trace_view *view, struct armpmu_block_source *out)
{
    *out = (struct armpmu_block_source){.address = trace_take_number(view)};
    out->n_insns = trace_take_small(view);
    const uint32_t isa = trace_take_small(view);
    out->isa = (enum armpmu_isa)isa;
    out->it_known = trace_take_number(view) != 0;
    out->it_before = (uint8_t)trace_take_number(view);
    out->n_bytes = trace_take_small(view);
    out->bytes = out->n_bytes > 0 ? trace_take(view, out->n_bytes) : NULL;
    view->is_short |= isa > ARMPMU_A64 || out->n_insns == 0;
}

/* The frame's bytes stay. */
static enum armpmu_status read_blocks(struct trace_file *file, const struct stored_frame *place,
                                      struct trace_view *view, uint32_t n_items,
                                      struct armpmu_error *err)
{
    for (uint32_t i = 0; i < n_items; i++) {
        if (!ARRAY_RESERVE(file->blocks, file->blocks_room, file->n_blocks + 1))
            return trace_file_no_memory(file, err);
        take_block(view, &file->blocks[file->n_blocks]);
        if (view->is_short)
            return trace_file_damaged(file, place->at, err);
        file->n_blocks++;
    }
    return view->next == view->end ? ARMPMU_OK : trace_file_damaged(file, place->at, err);
}

bool trace_file_look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct trace_file *const file = user;

    if (id >= file->n_blocks)
        return false;
    *out = file->blocks[id];
    return true;
}

/* ---- the end ----------------------------------------------------------------------------------
 */

/* False without memory. */
static bool take_thread(struct trace_view *view, uint32_t n_threads, struct trace_thread *threads)
{
    const uint32_t index = trace_take_small(view);
    struct trace_thread thread = {.process = trace_take_small(view)};

    thread.thread = trace_take_small(view);
    char *const program = trace_take_text(view);
    thread.program = program;
    thread.is_executed = trace_take_number(view) != 0;
    thread.is_replaced = trace_take_number(view) != 0;
    thread.end = trace_take_number(view) != 0 ? ARMPMU_END_FAULT : ARMPMU_END_EXIT;
    thread.last_block = (uint32_t)(trace_take_number(view) - 1);
    thread.n_records = trace_take_number(view);
    thread.n_insns = trace_take_number(view);
    view->is_short |= index >= n_threads || threads[index].program != NULL || thread.process == 0 ||
                      thread.thread == 0;
    if (view->is_short)
        free(program);
    else
        threads[index] = thread;
    return program != NULL;
}

static enum armpmu_status read_end(struct trace_file *file, const struct stored_frame *place,
                                   struct trace_view *view, uint32_t n_items,
                                   struct armpmu_error *err)
{
    struct trace_outcome *const outcome = &file->outcome;

    if (file->threads != NULL || n_items > THREADS_MAX)
        return trace_file_damaged(file, place->at, err);
    outcome->wait_status = (int)trace_take_small(view);
    outcome->interrupted = (int)trace_take_small(view);
    outcome->timed_out = trace_take_number(view) != 0;
    const uint64_t lacks = trace_take_number(view);
    outcome->cut_short = (lacks & 1) != 0;
    outcome->is_killed = (lacks & 2) != 0;
    outcome->n_programs = trace_take_small(view);
    outcome->problem = file->problem = trace_take_text(view);
    file->threads = calloc((size_t)n_items + 1, sizeof *file->threads);
    file->first = calloc((size_t)n_items + 1, sizeof *file->first);
    if (file->problem == NULL || file->threads == NULL || file->first == NULL)
        return trace_file_no_memory(file, err);
    file->n_threads = n_items;
    for (uint32_t i = 0; i < n_items && !view->is_short; i++)
        if (!take_thread(view, n_items, file->threads))
            return trace_file_no_memory(file, err);
    return view->is_short || view->next != view->end ? trace_file_damaged(file, place->at, err)
                                                     : ARMPMU_OK;
}

/* ---- the index --------------------------------------------------------------------------------
 */

static enum armpmu_status read_index(struct trace_file *file, const struct stored_frame *index,
                                     struct trace_view *view, uint32_t n_items,
                                     struct armpmu_error *err)
{
    uint64_t at = TRACE_HEADER_BYTES;

    for (uint32_t i = 0; i < n_items && !view->is_short; i++) {
        if (!ARRAY_RESERVE(file->frames, file->frames_room, file->n_frames + 1))
            return trace_file_no_memory(file, err);
        struct stored_frame *const place = &file->frames[file->n_frames++];
        *place = (struct stored_frame){.kind = trace_take_small(view), .at = at, .next = NO_FRAME};
        place->thread = trace_take_small(view);
        place->n_bytes = trace_take_number(view);
        place->n_insns = trace_take_number(view);
        if (place->n_bytes > index->at - at)
            return trace_file_damaged(file, index->at, err);
        at += place->n_bytes;
    }
    if (view->is_short || view->next != view->end || at != index->at)
        return trace_file_damaged(file, index->at, err);
    return ARMPMU_OK;
}

static enum armpmu_status read_place(struct trace_file *file, const struct stored_frame *place,
                                     struct armpmu_error *err)
{
    struct trace_frame frame;
    uint8_t *plain;
    enum armpmu_status status = trace_file_read_frame(file, place, &frame, &plain, err);
    struct trace_view view = {plain, plain != NULL ? plain + frame.n_plain : NULL, false};

    if (status == ARMPMU_OK && !ARRAY_RESERVE(file->plain, file->plain_room, file->n_plain + 1))
        status = trace_file_no_memory(file, err);
    if (status != ARMPMU_OK) {
        free(plain);
        return status;
    }
    file->plain[file->n_plain++] = plain;
    switch ((enum trace_frame_kind)place->kind) {
    case TRACE_FRAME_SETUP:
        return read_setup(file, place, &view, frame.n_items, err);
    case TRACE_FRAME_BLOCKS:
        return read_blocks(file, place, &view, frame.n_items, err);
    case TRACE_FRAME_END:
        return read_end(file, place, &view, frame.n_items, err);
    case TRACE_FRAME_INDEX:
        return read_index(file, place, &view, frame.n_items, err);
    case TRACE_FRAME_RECORDS:
        break;
    }
    return trace_file_damaged(file, place->at, err);
}

/* Frames of each thread, in order. */
static enum armpmu_status link_frames(struct trace_file *file, struct armpmu_error *err)
{
    size_t *const last = malloc((file->n_threads + 1) * sizeof *last);
    enum armpmu_status status = last != NULL ? ARMPMU_OK : trace_file_no_memory(file, err);

    for (size_t i = 0; i < file->n_threads && status == ARMPMU_OK; i++)
        file->first[i] = last[i] = NO_FRAME;
    for (size_t i = 0; i < file->n_frames && status == ARMPMU_OK; i++) {
        struct stored_frame *const place = &file->frames[i];
        if (place->kind != TRACE_FRAME_RECORDS)
            continue;
        if (place->thread >= file->n_threads) {
            status = trace_file_damaged(file, place->at, err);
            break;
        }
        const size_t before = last[place->thread];
        *(before == NO_FRAME ? &file->first[place->thread] : &file->frames[before].next) = i;
        if (before != NO_FRAME)
            place->insn = file->frames[before].insn + file->frames[before].n_insns;
        last[place->thread] = i;
    }
    free(last);
    return status;
}

static enum armpmu_status read_parts(struct trace_file *file, uint64_t index_at,
                                     struct armpmu_error *err)
{
    const struct stored_frame index = {.kind = TRACE_FRAME_INDEX,
                                       .at = index_at,
                                       .n_bytes = file->n_bytes - TRACE_TRAILER_BYTES - index_at};
    enum armpmu_status status = read_place(file, &index, err);

    for (size_t i = 0; i < file->n_frames && status == ARMPMU_OK; i++)
        if (file->frames[i].kind == TRACE_FRAME_INDEX)
            status = trace_file_damaged(file, file->frames[i].at, err);
        else if (file->frames[i].kind != TRACE_FRAME_RECORDS)
            status = read_place(file, &file->frames[i], err);
    if (status == ARMPMU_OK && (file->setup.arguments == NULL || file->threads == NULL))
        status = trace_file_damaged(file, index_at, err);
    return status == ARMPMU_OK ? link_frames(file, err) : status;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static enum armpmu_status check_header(const struct trace_file *file, struct armpmu_error *err)
{
    uint8_t header[TRACE_HEADER_BYTES] = {0};
    const size_t n = file->n_bytes < sizeof header ? (size_t)file->n_bytes : sizeof header;
    uint32_t version;

    if (!read_at(file, header, n, 0))
        return cannot_read(file, err);
    if (!trace_header_read(header, &version))
        return foreign(file, err);
    if (n < sizeof header)
        return breaks_off(file, err);
    if (version == 0)
        return trace_file_damaged(file, 0, err);
    if (version > TRACE_FILE_VERSION)
        return fail(err, ARMPMU_BAD_INPUT,
                    "the trace '%.200s' has version %u of the format, this armpmu " ARMPMU_VERSION
                    " reads versions up to %u: use the armpmu that recorded it, or record it again",
                    file->path, version, TRACE_FILE_VERSION);
    return ARMPMU_OK;
}

static enum armpmu_status check_trailer(const struct trace_file *file, uint64_t *index_at,
                                        struct armpmu_error *err)
{
    uint8_t trailer[TRACE_TRAILER_BYTES];

    if (file->n_bytes < TRACE_HEADER_BYTES + TRACE_TRAILER_BYTES)
        return breaks_off(file, err);
    if (!read_at(file, trailer, sizeof trailer, file->n_bytes - sizeof trailer))
        return cannot_read(file, err);
    if (!trace_trailer_read(trailer, index_at))
        return breaks_off(file, err);
    if (*index_at < TRACE_HEADER_BYTES || *index_at > file->n_bytes - sizeof trailer)
        return trace_file_damaged(file, file->n_bytes - sizeof trailer, err);
    return ARMPMU_OK;
}

static enum armpmu_status find_size(struct trace_file *file, struct armpmu_error *err)
{
    struct stat status;

    if (file->fd < 0 || fstat(file->fd, &status) != 0)
        return cannot_read(file, err);
    if (!S_ISREG(status.st_mode))
        return fail(err, ARMPMU_IO, "the trace '%.200s' is not a regular file: store it in one",
                    file->path);
    file->n_bytes = (uint64_t)status.st_size;
    return ARMPMU_OK;
}

enum armpmu_status trace_file_open(const char *path, struct trace_file **out,
                                   struct armpmu_error *err)
{
    struct trace_file *const file = calloc(1, sizeof *file);
    uint64_t index_at = 0;

    *out = NULL;
    if (file == NULL || (file->path = strdup(path)) == NULL) {
        free(file);
        return fail(err, ARMPMU_NO_MEMORY, "no memory to read the trace '%.200s'", path);
    }
    file->fd = read_file_open(path);
    enum armpmu_status status = find_size(file, err);
    if (status == ARMPMU_OK)
        status = check_header(file, err);
    if (status == ARMPMU_OK)
        status = check_trailer(file, &index_at, err);
    if (status == ARMPMU_OK)
        status = read_parts(file, index_at, err);
    if (status == ARMPMU_OK)
        *out = file;
    else
        trace_file_close(file);
    return status;
}

void trace_file_close(struct trace_file *file)
{
    if (file == NULL)
        return;
    for (size_t i = 0; i < file->n_plain; i++)
        free(file->plain[i]);
    for (size_t i = 0; i < file->n_threads; i++)
        free((void *)(uintptr_t)file->threads[i].program);
    for (size_t i = 0; i < file->setup.n_arguments; i++)
        free(file->arguments[i]);
    for (size_t i = 0; i < sizeof file->texts / sizeof file->texts[0]; i++)
        free(file->texts[i]);
    free(file->byte_order);
    free(file->arguments);
    free(file->problem);
    free(file->plain);
    free(file->blocks);
    free(file->frames);
    free(file->threads);
    free(file->first);
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    free(file);
}

const struct trace_setup *trace_file_setup(const struct trace_file *file)
{
    return &file->setup;
}

const struct trace_outcome *trace_file_outcome(const struct trace_file *file)
{
    return &file->outcome;
}

const struct trace_thread *trace_file_threads(const struct trace_file *file, size_t *n_threads)
{
    *n_threads = file->n_threads;
    return file->threads;
}

enum armpmu_status trace_file_read_items(const struct trace_file *file,
                                         const struct stored_frame *place, uint32_t *n_items,
                                         struct armpmu_error *err)
{
    uint8_t header[TRACE_FRAME_BYTES];
    struct trace_frame frame;

    if (place->n_bytes < sizeof header)
        return trace_file_damaged(file, place->at, err);
    if (!read_at(file, header, sizeof header, place->at))
        return cannot_read(file, err);
    trace_frame_read(header, &frame);
    *n_items = frame.n_items;
    return ARMPMU_OK;
}

/* FNV-1a of the checksums of all frames. */
uint64_t trace_file_mark(const struct trace_file *file)
{
    uint64_t mark = UINT64_C(0xcbf29ce484222325);
    uint8_t header[TRACE_FRAME_BYTES];

    for (size_t i = 0; i < file->n_frames; i++) {
        if (!read_at(file, header, sizeof header, file->frames[i].at))
            return 0;
        for (size_t byte = 0; byte < sizeof header; byte++)
            mark = (mark ^ header[byte]) * UINT64_C(0x100000001b3);
    }
    return mark;
}
