/* Fuzzes the reading of a recorded trace. The first byte says how the others become a file: as they
 * are; as frames, compressed and with right checksums, so that what is in them is reached; or as
 * records that are written, and then have to be read as the same.
 *
 * Whatever the file, a trace or a message, never both; its threads are read to their end or to a
 * message, from any instruction on, and every block that is there has code of its length. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "armpmu/trace.h"
#include "trace/trace_file.h"
#include "trace/trace_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { RECORDS_MAX = 4096, FRAMES_MAX = 64 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static void check_message(enum armpmu_status status, const struct armpmu_error *err)
{
    require((status == ARMPMU_OK) == (err->message[0] == '\0'));
}

/* Returns how many records there are, of which the first max are copied. */
static size_t read_thread(struct trace_file *file, size_t thread, uint64_t insn, uint64_t *out,
                          size_t max)
{
    struct trace_cursor *cursor;
    struct armpmu_error err = {""};
    struct trace_records some = {0};
    size_t total = 0;

    require(trace_cursor_open(file, thread, insn, &cursor, &err) == ARMPMU_OK);
    do {
        const enum armpmu_status status = trace_cursor_next(cursor, &some, &err);
        check_message(status, &err);
        if (status != ARMPMU_OK)
            break;
        for (size_t i = 0; i < some.n && total + i < max; i++)
            out[total + i] = some.items[i];
        total += some.n;
    } while (some.n > 0);
    trace_cursor_close(cursor);
    free(some.items);
    return total;
}

static void check_blocks(struct trace_file *file)
{
    struct armpmu_block_source block;
    unsigned sum = 0;

    for (uint32_t id = 0; trace_file_look_up(file, id, &block); id++)
        for (uint32_t i = 0; i < block.n_bytes; i++)
            sum += block.bytes[i];
    (void)sum;
}

static void check_setup(const struct trace_file *file)
{
    const struct trace_setup *const setup = trace_file_setup(file);

    require(setup->n_arguments > 0 && setup->arguments[setup->n_arguments] == NULL);
    for (size_t i = 0; i < setup->n_arguments; i++)
        require(setup->arguments[i] != NULL);
    require(setup->version != NULL && setup->target != NULL && setup->cpu != NULL);
    require(trace_file_outcome(file)->problem != NULL);
}

static void read_all(struct trace_file *file)
{
    uint64_t records[RECORDS_MAX];
    size_t n_threads;
    const struct trace_thread *const threads = trace_file_threads(file, &n_threads);

    check_setup(file);
    check_blocks(file);
    for (size_t i = 0; i < n_threads; i++) {
        read_thread(file, i, 0, records, RECORDS_MAX);
        read_thread(file, i, threads[i].n_insns / 2, records, RECORDS_MAX);
    }
}

/* NULL: it is refused. */
static struct trace_file *open_bytes(const void *bytes, size_t n)
{
    char path[32];
    struct trace_file *file;
    struct armpmu_error err = {""};
    const int fd = memfd_create("trace", 0);

    require(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const enum armpmu_status status = trace_file_open(path, &file, &err);
    check_message(status, &err);
    require((status == ARMPMU_OK) == (file != NULL));
    close(fd);
    return file;
}

static void read_bytes(const void *bytes, size_t n)
{
    struct trace_file *const file = open_bytes(bytes, n);

    if (file != NULL)
        read_all(file);
    trace_file_close(file);
}

/* ---- frames of any content --------------------------------------------------------------------
 */

struct input {
    const uint8_t *next, *end;
};

static unsigned take(struct input *in)
{
    return in->next < in->end ? *in->next++ : 0;
}

static void add_frame(struct trace_bytes *file, struct trace_frame *frame, const uint8_t *plain)
{
    uint8_t stored[1024], header[TRACE_FRAME_BYTES];

    const size_t n = ZSTD_compress(stored, sizeof stored, plain, frame->n_plain, 1);
    require(!ZSTD_isError(n));
    frame->n_stored = (uint32_t)n;
    trace_frame_write(frame, stored, header);
    trace_put(file, header, sizeof header);
    trace_put(file, stored, n);
}

/* A frame of the input, and its line of the index. */
static void take_frame(struct input *in, struct trace_bytes *file, struct trace_bytes *index)
{
    const unsigned form = take(in), thread = take(in) % 4, n_items = take(in);
    const size_t left = (size_t)(in->end - in->next), wanted = take(in);
    const size_t n = wanted < left ? wanted : left - (left > 0), at = file->n;
    struct trace_frame frame = {
        .kind = form % 8, .thread = thread, .n_plain = (uint32_t)n, .n_items = n_items};

    add_frame(file, &frame, in->next);
    in->next += n;
    trace_put_number(index, form & 0x40 ? form >> 3 : form % 8);
    trace_put_number(index, thread);
    trace_put_number(index, file->n - at);
    trace_put_number(index, form >> 3);
}

static void read_frames(struct input *in)
{
    struct trace_bytes file = {0}, index = {0};
    uint8_t header[TRACE_HEADER_BYTES], trailer[TRACE_TRAILER_BYTES];
    struct trace_frame last = {.kind = TRACE_FRAME_INDEX};

    trace_header_write(TRACE_FILE_VERSION, header);
    trace_put(&file, header, sizeof header);
    while (in->next < in->end && last.n_items < FRAMES_MAX) {
        take_frame(in, &file, &index);
        last.n_items++;
    }
    last.n_plain = (uint32_t)index.n;
    trace_trailer_write(file.n, trailer);
    add_frame(&file, &last, index.items);
    trace_put(&file, trailer, sizeof trailer);
    read_bytes(file.items, file.n);
    free(file.items);
    free(index.items);
}

/* ---- what is written is read ------------------------------------------------------------------
 */

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    static const uint8_t code[16] = {1, 2, 3, 4};

    (void)user;
    *out = (struct armpmu_block_source){
        .address = id * UINT64_C(16), .bytes = code, .n_bytes = id % 16, .n_insns = 1 + id % 4};
    return id < 0x100;
}

static bool keep(void *user, const void *bytes, size_t n)
{
    trace_put(user, bytes, n);
    return true;
}

static size_t take_records(struct input *in, uint64_t *records)
{
    size_t n = 0;

    while (in->next < in->end && n < RECORDS_MAX) {
        const unsigned form = take(in);
        const enum armpmu_record_kind kind = (enum armpmu_record_kind)(form & 15);
        records[n] = armpmu_record(kind, form >> 6) | take(in);
        if (form & 0x20)
            records[n] ^= (uint64_t)take(in) << 40 | take(in) << 16;
        n++;
    }
    return n;
}

/* Blocks have other numbers, and equal ones the same. */
static void check_record(struct trace_file *file, uint64_t written, uint64_t read)
{
    struct armpmu_block_source before, now;

    if (armpmu_record_kind(written) != ARMPMU_RECORD_BLOCK) {
        require(written == read);
        return;
    }
    require(armpmu_record_kind(read) == ARMPMU_RECORD_BLOCK);
    require(look_up(NULL, (uint32_t)written, &before));
    require(trace_file_look_up(file, (uint32_t)read, &now));
    require(before.address == now.address && before.n_insns == now.n_insns &&
            before.n_bytes == now.n_bytes &&
            (now.n_bytes == 0 || memcmp(before.bytes, now.bytes, now.n_bytes) == 0));
}

static void write_file(const uint64_t *records, size_t n, struct trace_bytes *file)
{
    static const char *const arguments[] = {"program", NULL};
    const struct trace_setup setup = {.version = "",
                                      .target = "arm",
                                      .cpu = "cortex-a8",
                                      .machine = "cortex-a8",
                                      .n_arguments = 1,
                                      .arguments = arguments};
    const struct trace_thread thread = {.program = ""};
    const struct trace_outcome outcome = {.problem = ""};
    struct trace_recording *recording;
    struct trace_stream *stream;
    struct armpmu_error err;

    require(trace_recording_new(&setup, keep, file, &recording, &err) == ARMPMU_OK);
    require(trace_stream_open(recording, 1, 1, &stream, &err) == ARMPMU_OK);
    (void)!trace_stream_run(stream, records, n, look_up, NULL, &err);
    require(trace_stream_end(stream, &thread, &err) == ARMPMU_OK);
    require(trace_recording_finish(recording, &outcome, &err) == ARMPMU_OK);
    trace_recording_free(recording);
}

static void write_and_read(struct input *in)
{
    uint64_t records[RECORDS_MAX], read[RECORDS_MAX];
    struct trace_bytes bytes = {0};
    const size_t n = take_records(in, records);
    struct trace_file *file;

    write_file(records, n, &bytes);
    file = open_bytes(bytes.items, bytes.n);
    require(file != NULL);
    const size_t n_read = read_thread(file, 0, 0, read, RECORDS_MAX);
    require(n_read <= n);
    for (size_t i = 0; i < n_read; i++)
        check_record(file, records[i], read[i]);
    if (n_read < n) /* up to a block that nobody defined */
        require(armpmu_record_kind(records[n_read]) == ARMPMU_RECORD_BLOCK &&
                (uint32_t)records[n_read] >= 0x100);
    trace_file_close(file);
    free(bytes.items);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct input in = {bytes, bytes + length};

    switch (take(&in) % 3) {
    case 0:
        read_bytes(in.next, (size_t)(in.end - in.next));
        break;
    case 1:
        read_frames(&in);
        break;
    default:
        write_and_read(&in);
    }
    return 0;
}
