/* Reading the records of a recorded trace: a thread's frames, from any on. */
#include <stdlib.h>
#include <string.h>

#include "armpmu/trace.h"
#include "base/array.h"
#include "trace/trace_file_internal.h"

/* Records that are unpacked at a time: they stay in the processor's cache until they are used. */
#define UNPACKED_RECORDS (1u << 14)

struct trace_cursor {
    struct trace_file *file;
    size_t frame; /* that is unpacked, NO_FRAME after the last */
    uint64_t insn;
    uint8_t *plain; /* of the frame, NULL: it is not open yet */
    struct trace_view view;
    uint32_t n_left; /* records of it */
    struct trace_codec *codec;
    struct trace_records rest; /* unpacked, of a block that may continue */
};

/* Returns whether the frame after this one begins with this instruction or before it. */
static bool begins_by(const struct trace_file *file, size_t frame, uint64_t insn)
{
    const size_t next = file->frames[frame].next;

    return next != NO_FRAME && file->frames[next].insn <= insn;
}

enum armpmu_status trace_cursor_open(struct trace_file *file, size_t thread, uint64_t insn,
                                     struct trace_cursor **out, struct armpmu_error *err)
{
    struct trace_cursor *const cursor = calloc(1, sizeof *cursor);

    *out = cursor;
    if (cursor == NULL || (cursor->codec = trace_codec_new()) == NULL) {
        free(cursor);
        *out = NULL;
        return trace_file_no_memory(file, err);
    }
    cursor->file = file;
    cursor->frame = file->first[thread];
    while (insn > 0 && cursor->frame != NO_FRAME && begins_by(file, cursor->frame, insn))
        cursor->frame = file->frames[cursor->frame].next;
    cursor->insn = cursor->frame != NO_FRAME ? file->frames[cursor->frame].insn : 0;
    return ARMPMU_OK;
}

uint64_t trace_cursor_insn(const struct trace_cursor *cursor)
{
    return cursor->insn;
}

enum armpmu_status trace_cursor_pass(struct trace_cursor *cursor, uint64_t *n_records,
                                     struct armpmu_error *err)
{
    while (cursor->frame != NO_FRAME) {
        const struct stored_frame *const place = &cursor->file->frames[cursor->frame];
        uint32_t n_items;
        const enum armpmu_status status = trace_file_read_items(cursor->file, place, &n_items, err);
        if (status != ARMPMU_OK || n_items > *n_records)
            return status;
        *n_records -= n_items;
        cursor->frame = place->next;
    }
    return ARMPMU_OK;
}

static enum armpmu_status open_frame(struct trace_cursor *cursor, struct armpmu_error *err)
{
    const struct trace_file *const file = cursor->file;
    const struct stored_frame *const place = &file->frames[cursor->frame];
    struct trace_frame frame;
    const enum armpmu_status status =
        trace_file_read_frame(file, place, &frame, &cursor->plain, err);

    if (status != ARMPMU_OK)
        return status;
    if (frame.n_items == 0 || frame.n_items > TRACE_RECORDS_MAX)
        return trace_file_damaged(file, place->at, err);
    cursor->view = (struct trace_view){cursor->plain, cursor->plain + frame.n_plain, false};
    cursor->n_left = frame.n_items;
    trace_decode_begin(cursor->codec, &cursor->view);
    return ARMPMU_OK;
}

static enum armpmu_status close_frame(struct trace_cursor *cursor, struct armpmu_error *err)
{
    const struct stored_frame *const place = &cursor->file->frames[cursor->frame];

    if (!trace_decode_end(cursor->codec, &cursor->view))
        return trace_file_damaged(cursor->file, place->at, err);
    free(cursor->plain);
    cursor->plain = NULL;
    cursor->frame = place->next;
    return ARMPMU_OK;
}

/* Unpacks some more records of the frame. */
static enum armpmu_status unpack(struct trace_cursor *cursor, struct trace_records *out,
                                 struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    if (cursor->plain == NULL)
        status = open_frame(cursor, err);
    if (status != ARMPMU_OK)
        return status;
    const size_t n = cursor->n_left < UNPACKED_RECORDS ? cursor->n_left : UNPACKED_RECORDS;
    if (!ARRAY_RESERVE(out->items, out->room, out->n + n))
        return trace_file_no_memory(cursor->file, err);
    trace_decode(cursor->codec, &cursor->view, out->items + out->n, n);
    out->n += n;
    cursor->n_left -= (uint32_t)n;
    return cursor->n_left == 0 ? close_frame(cursor, err) : ARMPMU_OK;
}

/* Keeps the last block for the next time, unless a frame ends. */
static bool keep_rest(struct trace_cursor *cursor, struct trace_records *out)
{
    struct trace_records *const rest = &cursor->rest;
    size_t n = out->n;

    if (cursor->plain == NULL || n == 0)
        return true;
    while (n > 1 && armpmu_record_kind(out->items[n - 1]) != ARMPMU_RECORD_BLOCK)
        n--;
    rest->n = out->n - (n - 1);
    out->n = n - 1;
    if (!ARRAY_RESERVE(rest->items, rest->room, rest->n))
        return false;
    memcpy(rest->items, out->items + out->n, rest->n * sizeof *rest->items);
    return true;
}

static bool begin_with_rest(struct trace_cursor *cursor, struct trace_records *out)
{
    struct trace_records *const rest = &cursor->rest;

    if (!ARRAY_RESERVE(out->items, out->room, rest->n + 1))
        return false;
    if (rest->n > 0)
        memcpy(out->items, rest->items, rest->n * sizeof *rest->items);
    out->n = rest->n;
    rest->n = 0;
    return true;
}

enum armpmu_status trace_cursor_next(struct trace_cursor *cursor, struct trace_records *out,
                                     struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    out->n = 0;
    while (out->n == 0 && cursor->frame != NO_FRAME && status == ARMPMU_OK) {
        if (!begin_with_rest(cursor, out))
            return trace_file_no_memory(cursor->file, err);
        status = unpack(cursor, out, err);
        if (status == ARMPMU_OK && !keep_rest(cursor, out))
            status = trace_file_no_memory(cursor->file, err);
    }
    return status;
}

void trace_cursor_close(struct trace_cursor *cursor)
{
    if (cursor == NULL)
        return;
    free(cursor->plain);
    free(cursor->codec);
    free(cursor->rest.items);
    free(cursor);
}
