/* Fuzzes the reading of a file of slices. The first byte says how the others become one: as they
 * are, or as what stands in one with a right checksum, of the right trace and machine.
 *
 * Whatever the file, slices or a message, never both; slices that were read can be written, and
 * then are read as the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "qemu/launcher/trace_slices.h"
#include "trace/trace_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const struct trace_slices_key key = {"1", "machine", 7};

static void require(bool holds)
{
    if (!holds)
        abort();
}

static enum armpmu_status read_slices(struct trace_slices *slices, const uint8_t *bytes, size_t n)
{
    struct armpmu_error err = {""};
    const enum armpmu_status status = trace_slices_read(slices, &key, "file", bytes, n, &err);

    require((status == ARMPMU_OK) == (err.message[0] == '\0'));
    return status;
}

static void check_same(const struct trace_slice *one, const struct trace_slice *other)
{
    const struct sim_slice *const a = &one->counted, *const b = &other->counted;

    require(one->thread == other->thread && one->number == other->number);
    require(a->is_unsure == b->is_unsure && a->n_more == b->n_more);
    require(memcmp(&a->begins, &b->begins, sizeof a->begins) == 0);
    require(memcmp(&a->ends, &b->ends, sizeof a->ends) == 0);
    require(memcmp(a->signals, b->signals, sizeof a->signals) == 0);
    require(memcmp(a->n_system_calls, b->n_system_calls, sizeof a->n_system_calls) == 0);
    require(memcmp(a->more, b->more, a->n_more * sizeof *a->more) == 0);
}

static void check(const uint8_t *file, size_t n)
{
    struct trace_slices slices = {0}, again = {0};
    struct armpmu_error err;
    unsigned char *written;
    size_t n_written;

    if (read_slices(&slices, file, n) == ARMPMU_OK) {
        require(trace_slices_write(&slices, &key, &written, &n_written, &err) == ARMPMU_OK);
        require(read_slices(&again, written, n_written) == ARMPMU_OK);
        require(again.n == slices.n && again.n_items == slices.n_items);
        for (size_t i = 0; i < slices.n_items; i++)
            check_same(&slices.items[i], &again.items[i]);
        free(written);
    }
    trace_slices_free(&slices);
    trace_slices_free(&again);
}

/* So many items, and their bytes. */
static void check_framed(const uint8_t *bytes, size_t length, uint32_t n_items)
{
    struct trace_bytes plain = {0}, file = {0};
    uint8_t header[TRACE_FRAME_BYTES];

    trace_put_text(&plain, key.version);
    trace_put_text(&plain, key.machine);
    trace_put_number(&plain, key.trace);
    trace_put(&plain, bytes, length);
    struct trace_frame frame = {
        .kind = 6, .n_plain = (uint32_t)plain.n, .n_stored = (uint32_t)plain.n, .n_items = n_items};
    trace_frame_write(&frame, plain.items, header);
    trace_put(&file, "armpmu slices 1\n", 16);
    trace_put(&file, header, sizeof header);
    trace_put(&file, plain.items, plain.n);
    check(file.items, file.n);
    free(plain.items);
    free(file.items);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0)
        return 0;
    if (bytes[0] % 4 == 0)
        check(bytes + 1, length - 1);
    else
        check_framed(bytes + 1, length - 1, bytes[0] % 4 - 1u);
    return 0;
}
