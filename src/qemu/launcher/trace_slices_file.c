/* Slices, and their file: a line, and a frame as those of a trace, with numbers and texts as they
 * have them (trace/trace_frame.h), uncompressed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "qemu/launcher/trace_slices.h"
#include "trace/trace_frame.h"

#define SLICES_MAGIC     "armpmu slices 1\n"
#define SLICES_MAGIC_LEN (sizeof SLICES_MAGIC - 1)
#define SLICES_FRAME     6u         /* none of a trace's */
#define MORE_MAX         (8u << 20) /* words that a model adds */

/* ---- those of runs of their own ------------------------------------------------------------- */

void trace_slices_free(struct trace_slices *slices)
{
    for (size_t i = 0; i < slices->n_items; i++)
        free(slices->items[i].counted.more);
    free(slices->items);
    *slices = (struct trace_slices){0};
}

enum armpmu_status trace_slices_add(struct trace_slices *slices, const struct trace_slice *slice,
                                    struct armpmu_error *err)
{
    if (!ARRAY_RESERVE(slices->items, slices->room, slices->n_items + 1)) {
        free(slice->counted.more);
        return fail_no_memory(err, "a slice");
    }
    slices->items[slices->n_items++] = *slice;
    return ARMPMU_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_all(struct trace_bytes *bytes, const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        trace_put_number(bytes, numbers[i]);
}

static void put_slice(struct trace_bytes *bytes, const struct trace_slice *slice)
{
    const struct sim_slice *const counted = &slice->counted;

    trace_put_number(bytes, slice->thread);
    trace_put_number(bytes, slice->number);
    put_all(bytes, counted->begins.words, 2);
    put_all(bytes, counted->ends.words, 2);
    trace_put_number(bytes, counted->is_unsure);
    trace_put_number(bytes, ARMPMU_SIGNAL_COUNT);
    put_all(bytes, counted->signals, ARMPMU_SIGNAL_COUNT);
    trace_put_number(bytes, counted->n_helper_calls);
    put_all(bytes, counted->n_system_calls, TRACE_READER_CALLS);
    trace_put_number(bytes, counted->n_more);
    put_all(bytes, counted->more, counted->n_more);
}

enum armpmu_status trace_slices_write(const struct trace_slices *slices,
                                      const struct trace_slices_key *key, unsigned char **bytes,
                                      size_t *n_bytes, struct armpmu_error *err)
{
    struct trace_bytes plain = {0}, file = {0};
    struct trace_frame frame = {.kind = SLICES_FRAME, .n_items = (uint32_t)slices->n_items};
    uint8_t header[TRACE_FRAME_BYTES];

    trace_put_text(&plain, key->version);
    trace_put_text(&plain, key->machine);
    trace_put_number(&plain, key->trace);
    trace_put_number(&plain, slices->n);
    for (size_t i = 0; i < slices->n_items; i++)
        put_slice(&plain, &slices->items[i]);
    frame.n_plain = frame.n_stored = (uint32_t)plain.n;
    trace_frame_write(&frame, plain.items, header);
    trace_put(&file, SLICES_MAGIC, SLICES_MAGIC_LEN);
    trace_put(&file, header, sizeof header);
    trace_put(&file, plain.items, plain.n);
    free(plain.items);
    *bytes = file.items;
    *n_bytes = file.n;
    if (!plain.is_lost && !file.is_lost)
        return ARMPMU_OK;
    free(file.items);
    *bytes = NULL;
    return fail_no_memory(err, "a file of slices");
}

/* ---- reading --------------------------------------------------------------------------------- */

static void take_all(struct trace_view *view, uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = trace_take_number(view);
}

/* False: it is damaged, or there is no memory for it (*lost). */
static bool take_slice(struct trace_view *view, struct trace_slice *slice, bool *lost)
{
    struct sim_slice *const counted = &slice->counted;

    slice->thread = trace_take_small(view);
    slice->number = trace_take_small(view);
    take_all(view, counted->begins.words, 2);
    take_all(view, counted->ends.words, 2);
    counted->is_unsure = trace_take_number(view) != 0;
    if (trace_take_number(view) != ARMPMU_SIGNAL_COUNT)
        return false;
    take_all(view, counted->signals, ARMPMU_SIGNAL_COUNT);
    counted->n_helper_calls = trace_take_number(view);
    take_all(view, counted->n_system_calls, TRACE_READER_CALLS);
    const uint64_t n_more = trace_take_number(view);
    if (view->is_short || n_more > MORE_MAX || n_more > (size_t)(view->end - view->next))
        return false;
    counted->more = malloc((size_t)n_more * sizeof *counted->more + 1);
    *lost = counted->more == NULL;
    if (*lost)
        return false;
    counted->n_more = (size_t)n_more;
    take_all(view, counted->more, counted->n_more);
    return !view->is_short;
}

static enum armpmu_status damaged(const char *name, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "'%.200s' is damaged, or no file of 'armpmu replay --slice': count the slice again",
                name);
}

static bool is_key(struct trace_view *view, const struct trace_slices_key *key)
{
    char *const version = trace_take_text(view), *const machine = trace_take_text(view);
    const uint64_t trace = trace_take_number(view);
    const bool is_same = version != NULL && machine != NULL && strcmp(version, key->version) == 0 &&
                         strcmp(machine, key->machine) == 0 && trace == key->trace;

    free(version);
    free(machine);
    return is_same;
}

static enum armpmu_status read_items(struct trace_slices *slices, const char *name,
                                     struct trace_view *view, uint32_t n_items,
                                     struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (uint32_t i = 0; i < n_items && status == ARMPMU_OK; i++) {
        struct trace_slice slice = {0};
        bool lost = false;
        if (take_slice(view, &slice, &lost)) {
            status = trace_slices_add(slices, &slice, err);
        } else {
            free(slice.counted.more);
            return lost ? fail_no_memory(err, "a slice") : damaged(name, err);
        }
    }
    return status != ARMPMU_OK || view->next == view->end ? status : damaged(name, err);
}

enum armpmu_status trace_slices_read(struct trace_slices *slices,
                                     const struct trace_slices_key *key, const char *name,
                                     const unsigned char *bytes, size_t n_bytes,
                                     struct armpmu_error *err)
{
    struct trace_frame frame;
    const size_t head = SLICES_MAGIC_LEN + TRACE_FRAME_BYTES;

    if (n_bytes < head || memcmp(bytes, SLICES_MAGIC, SLICES_MAGIC_LEN) != 0)
        return damaged(name, err);
    trace_frame_read(bytes + SLICES_MAGIC_LEN, &frame);
    if (frame.kind != SLICES_FRAME || frame.n_stored != n_bytes - head ||
        frame.n_plain != frame.n_stored ||
        !trace_frame_is_whole(bytes + SLICES_MAGIC_LEN, bytes + head, n_bytes - head))
        return damaged(name, err);
    struct trace_view view = {bytes + head, bytes + n_bytes, false};
    if (!is_key(&view, key))
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%.200s' is a slice of another trace or machine, or of another armpmu: count "
                    "it again",
                    name);
    const uint64_t n = trace_take_number(&view);
    if (n == 0 || n > TRACE_SLICES_MAX)
        return damaged(name, err);
    if (slices->n != 0 && slices->n != n)
        return fail(err, ARMPMU_BAD_INPUT,
                    "'%.200s' is one of %" PRIu64 " slices, the files before it are of %u", name, n,
                    slices->n);
    slices->n = (unsigned)n;
    return read_items(slices, name, &view, frame.n_items, err);
}
