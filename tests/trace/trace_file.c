/* Recorded traces as they are written and read, without a program: names of blocks that change,
 * threads whose frames lie between each other's, places in the middle, a file that cannot grow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../test.h"
#include "armpmu/trace.h"
#include "trace/trace_file.h"

/* What ids stand for: blocks of three instructions at address id, from `base` on. */
struct blocks {
    uint64_t base;
};

static const uint8_t code[12] = {1, 2, 3};

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct blocks *const blocks = user;

    *out = (struct armpmu_block_source){
        .address = blocks->base + id * 16, .bytes = code, .n_bytes = sizeof code, .n_insns = 3};
    return id < 1000;
}

static uint64_t block(uint32_t id)
{
    return armpmu_record(ARMPMU_RECORD_BLOCK, 0) | id;
}

static uint64_t access_to(unsigned index, uint64_t address)
{
    return armpmu_record(ARMPMU_RECORD_ACCESS, index) | address;
}

/* ---- a recording into a file without a name ---------------------------------------------------
 */

struct written {
    int fd;
    size_t n_bytes, limit; /* as on a disk that is full then */
    struct trace_recording *recording;
};

static bool keep(void *user, const void *bytes, size_t n)
{
    struct written *const written = user;

    written->n_bytes += n;
    return written->n_bytes <= written->limit && write(written->fd, bytes, n) == (ssize_t)n;
}

static const char *const arguments[] = {"program", "word", NULL};
static const struct trace_setup setup = {.version = "0",
                                         .target = "arm",
                                         .cpu = "cortex-a8",
                                         .machine = "cortex-a8",
                                         .word_bits = 32,
                                         .n_arguments = 2,
                                         .arguments = arguments};

static void begin(struct written *written, size_t limit)
{
    struct armpmu_error err;

    *written = (struct written){.fd = memfd_create("trace", 0), .limit = limit};
    assert_true(written->fd >= 0);
    assert_int_equal(trace_recording_new(&setup, keep, written, &written->recording, &err),
                     ARMPMU_OK);
}

static struct trace_stream *open_stream(const struct written *written, uint32_t process,
                                        uint32_t thread)
{
    struct trace_stream *stream;
    struct armpmu_error err;

    assert_int_equal(trace_stream_open(written->recording, process, thread, &stream, &err),
                     ARMPMU_OK);
    return stream;
}

static enum armpmu_status add(struct trace_stream *stream, const uint64_t *records, size_t n,
                              struct blocks *blocks)
{
    struct armpmu_error err;

    return trace_stream_run(stream, records, n, look_up, blocks, &err);
}

static void end_stream(struct trace_stream *stream)
{
    const struct trace_thread thread = {.program = ""};
    struct armpmu_error err;

    assert_int_equal(trace_stream_end(stream, &thread, &err), ARMPMU_OK);
}

static struct trace_file *finish(struct written *written)
{
    const struct trace_outcome outcome = {.wait_status = 0x300, .problem = ""};
    struct trace_file *file;
    struct armpmu_error err;
    char path[32];

    assert_int_equal(trace_recording_finish(written->recording, &outcome, &err), ARMPMU_OK);
    trace_recording_free(written->recording);
    snprintf(path, sizeof path, "/proc/self/fd/%d", written->fd);
    assert_int_equal(trace_file_open(path, &file, &err), ARMPMU_OK);
    close(written->fd);
    return file;
}

/* All from an instruction on; the caller frees items. *first: the number of the first. */
static struct trace_records read_from(struct trace_file *file, size_t thread, uint64_t insn,
                                      uint64_t *first)
{
    struct trace_records all = {0}, some = {0};
    struct trace_cursor *cursor;
    struct armpmu_error err;

    assert_int_equal(trace_cursor_open(file, thread, insn, &cursor, &err), ARMPMU_OK);
    *first = trace_cursor_insn(cursor);
    do {
        assert_int_equal(trace_cursor_next(cursor, &some, &err), ARMPMU_OK);
        if (some.n > 0)
            assert_int_equal(armpmu_record_kind(some.items[0]), ARMPMU_RECORD_BLOCK);
        all.items = realloc(all.items, (all.n + some.n + 1) * sizeof *all.items);
        assert_non_null(all.items);
        if (some.n > 0)
            memcpy(all.items + all.n, some.items, some.n * sizeof *all.items);
        all.n += some.n;
    } while (some.n > 0);
    trace_cursor_close(cursor);
    free(some.items);
    return all;
}

static uint64_t address_of(struct trace_file *file, uint64_t record)
{
    struct armpmu_block_source source;

    assert_int_equal(armpmu_record_kind(record), ARMPMU_RECORD_BLOCK);
    assert_true(trace_file_look_up(file, (uint32_t)record, &source));
    assert_int_equal(source.n_bytes, sizeof code);
    assert_memory_equal(source.bytes, code, sizeof code);
    return source.address;
}

/* ---- tests ------------------------------------------------------------------------------------
 */

TEST(test_blocks_keep_their_numbers_when_ids_change)
{
    const uint64_t records[] = {block(5), access_to(1, 0x100), block(6), block(5)};
    struct blocks before = {0x8000}, after = {0x8010};
    struct written written;
    uint64_t insn;

    begin(&written, SIZE_MAX);
    struct trace_stream *const stream = open_stream(&written, 1, 1);
    assert_int_equal(add(stream, records, 4, &before), ARMPMU_OK);
    trace_stream_rename(stream);
    assert_int_equal(add(stream, records, 4, &after), ARMPMU_OK);
    end_stream(stream);
    struct trace_file *const file = finish(&written);
    struct trace_records all = read_from(file, 0, 0, &insn);
    assert_int_equal(all.n, 8);
    assert_int_equal(address_of(file, all.items[0]), 0x8050);
    assert_int_equal(all.items[1], access_to(1, 0x100));
    assert_int_equal(address_of(file, all.items[4]), 0x8060);
    assert_int_equal(all.items[4], all.items[2]); /* the same code: the same block */
    assert_int_equal(address_of(file, all.items[6]), 0x8070);
    free(all.items);
    trace_file_close(file);
}

TEST(test_a_block_that_nobody_defined_is_an_error)
{
    const uint64_t records[] = {block(1), block(1000), block(2)};
    struct blocks blocks = {0x8000};
    struct written written;
    uint64_t insn;

    begin(&written, SIZE_MAX);
    struct trace_stream *const stream = open_stream(&written, 1, 1);
    assert_int_equal(add(stream, records, 3, &blocks), ARMPMU_BAD_INPUT);
    end_stream(stream);
    struct trace_file *const file = finish(&written);
    struct trace_records all = read_from(file, 0, 0, &insn);
    assert_int_equal(all.n, 1);
    free(all.items);
    trace_file_close(file);
}

enum { TURNS = 500000 };

/* Turn i: block i % 7 of thread t, and an access that tells them apart. */
static uint64_t access_of(unsigned thread, unsigned turn)
{
    return access_to(2, (uint64_t)turn * 4 + thread * 0x40000000);
}

static struct trace_file *record_two_threads(void)
{
    struct blocks blocks = {0x8000};
    struct written written;
    struct trace_stream *streams[2];

    begin(&written, SIZE_MAX);
    for (unsigned t = 0; t < 2; t++)
        streams[t] = open_stream(&written, 1 + t, 1);
    for (unsigned i = 0; i < TURNS; i++)
        for (unsigned t = 0; t < 2; t++) {
            const uint64_t records[] = {block(i % 7), access_of(t, i)};
            assert_int_equal(add(streams[t], records, 2, &blocks), ARMPMU_OK);
        }
    for (unsigned t = 0; t < 2; t++)
        end_stream(streams[t]);
    return finish(&written);
}

static void check_thread(struct trace_file *file, unsigned thread, uint64_t insn)
{
    uint64_t first;
    struct trace_records all = read_from(file, thread, insn, &first);
    const unsigned turn = (unsigned)(first / 3);

    assert_true(first <= insn && first % 3 == 0);
    assert_int_equal(all.n, 2 * (TURNS - turn));
    for (unsigned i = 0; i < all.n / 2; i++)
        assert_int_equal(all.items[2 * i + 1], access_of(thread, turn + i));
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(address_of(file, all.items[2 * i]), 0x8000 + (turn + i) % 7 * 16);
    free(all.items);
}

TEST(test_threads_are_read_from_any_frame)
{
    struct trace_file *const file = record_two_threads();
    size_t n_threads;
    const struct trace_thread *const threads = trace_file_threads(file, &n_threads);
    uint64_t first;

    assert_int_equal(n_threads, 2);
    for (unsigned t = 0; t < 2; t++) {
        assert_int_equal(threads[t].process, 1 + t);
        assert_int_equal(threads[t].n_insns, 3 * TURNS);
        assert_int_equal(threads[t].n_records, 2 * TURNS);
        for (uint64_t insn = 0; insn < 3 * TURNS; insn += 3 * TURNS / 5)
            check_thread(file, t, insn);
    }
    free(read_from(file, 0, TURNS * 2, &first).items);
    assert_true(first > TURNS); /* and not from the start */
    assert_int_equal(trace_file_outcome(file)->wait_status, 0x300);
    assert_string_equal(trace_file_setup(file)->arguments[1], "word");
    trace_file_close(file);
}

TEST(test_a_file_that_cannot_grow_is_an_error)
{
    struct blocks blocks = {0x8000};
    struct written written;
    const uint64_t records[] = {block(1), access_of(0, 1)};
    enum armpmu_status status = ARMPMU_OK;
    const struct trace_thread thread = {.program = ""};
    const struct trace_outcome outcome = {.problem = ""};
    struct armpmu_error err;

    begin(&written, 100);
    struct trace_stream *const stream = open_stream(&written, 1, 1);
    for (unsigned i = 0; i < TURNS && status == ARMPMU_OK; i++)
        status = add(stream, records, 2, &blocks);
    assert_int_equal(status, ARMPMU_IO);
    (void)!trace_stream_end(stream, &thread, &err);
    assert_int_equal(trace_recording_finish(written.recording, &outcome, &err), ARMPMU_IO);
    trace_recording_free(written.recording);
    close(written.fd);
}
