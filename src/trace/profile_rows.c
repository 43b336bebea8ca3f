#include "trace/profile_rows.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/order.h"
#include "base/sparse.h"

static void copy_code(struct profile_block *to, const struct block *block, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < block->n_insns; i++)
        to->offsets[i] = block->insns[i].offset;
    to->offsets[block->n_insns] = (uint16_t)block->n_bytes;
    if (bytes == NULL)
        return;
    to->bytes = (const uint8_t *)(to->offsets + block->n_insns + 1);
    memcpy(to->offsets + block->n_insns + 1, bytes, block->n_bytes);
}

struct profile_block *profile_rows_block(struct profile_rows *rows, struct armpmu_code *code,
                                         const struct block *block, uint32_t path)
{
    const size_t offset_bytes = (block->n_insns + 1u) * sizeof(uint16_t);
    const uint32_t n_rows = block->n_insns != 0 ? block->n_insns : 1; /* profile_rows_first */
    uint32_t n_bytes;
    const uint8_t *bytes = code_bytes(code, block, &n_bytes);
    struct profile_block *made =
        calloc(1, sizeof *made + n_rows * sizeof made->rows[0] + offset_bytes + block->n_bytes);
    if (made == NULL) {
        rows->lost = true;
        return NULL;
    }
    made->address = block->address;
    made->isa = block->isa;
    made->path = path;
    made->file = block->file;
    made->n_insns = block->n_insns;
    made->offsets = (uint16_t *)(made->rows + n_rows);
    copy_code(made, block, n_bytes >= block->n_bytes ? bytes : NULL);
    made->next = rows->blocks;
    rows->blocks = made;
    rows->index_mask = rows->detail == ARMPMU_PROFILE_BLOCKS ? 0 : UINT_MAX;
    rows->n_blocks++;
    return made;
}

/* Rows that are zero, apart from where the next one is in the first count: the ones to be made
 * next. Of malloc each would take more than all its counts. */
static uint64_t *take_spare(struct profile_rows *rows)
{
    uint64_t *const row = rows->spare;

    if (row == NULL)
        return calloc(rows->n_signals, sizeof *row);
    memcpy(&rows->spare, row, sizeof rows->spare);
    row[0] = 0;
    return row;
}

static void keep_spare(struct profile_rows *rows, uint64_t *row)
{
    memcpy(row, &rows->spare, sizeof rows->spare);
    rows->spare = row;
}

static void free_block(struct profile_block *block)
{
    free(block->packed);
    for (uint32_t i = 0; i < block->n_insns; i++)
        free(block->rows[i]);
    free(block);
}

void profile_rows_free(struct profile_rows *rows)
{
    for (struct profile_block *block = rows->blocks, *next; block != NULL; block = next) {
        next = block->next;
        free_block(block);
    }
    for (uint64_t *row; (row = rows->spare) != NULL; free(row))
        memcpy(&rows->spare, row, sizeof rows->spare);
    free(rows->packing);
    *rows = (struct profile_rows){.detail = rows->detail, .n_signals = rows->n_signals};
}

/* ---- packed rows ----
 *
 * A block's rows one after the other: index + 1 and how many signals, 16 bits each, then for each
 * its number and its count in groups of 7 bits, the lowest first. An index of 0 ends them. */

static uint8_t *put_count(uint8_t *to, uint64_t n)
{
    for (; n > 0x7f; n >>= 7)
        *to++ = (uint8_t)(n | 0x80);
    *to++ = (uint8_t)n;
    return to;
}

static const uint8_t *get_count(const uint8_t *from, uint64_t *n)
{
    *n = 0;
    for (unsigned shift = 0;; shift += 7) {
        *n |= (uint64_t)(*from & 0x7f) << shift;
        if ((*from++ & 0x80) == 0)
            return from;
    }
}

static_assert(ARMPMU_SIGNAL_COUNT < 1 << 14, "a signal is two groups of 7 bits");

enum {
    PACKED_HEAD = 4,
    PACKED_COUNT_MAX = 2 + 10,
    PACKED_ROW_MAX = PACKED_HEAD + ARMPMU_SIGNAL_COUNT * PACKED_COUNT_MAX
};

/* The row is zero afterwards. */
static uint8_t *put_row(struct profile_rows *rows, uint8_t *to, unsigned index, uint64_t *row)
{
    uint8_t *const begin = to;
    unsigned n = 0;

    to += PACKED_HEAD;
    SPARSE_EACH(signal, row, rows->n_signals)
    {
        to = put_count(put_count(to, signal), row[signal]);
        rows->in_packed[signal] += row[signal];
        row[signal] = 0;
        n++;
    }
    begin[0] = (uint8_t)(index + 1);
    begin[1] = (uint8_t)((index + 1) >> 8);
    begin[2] = (uint8_t)n;
    begin[3] = (uint8_t)(n >> 8);
    return to;
}

/* The index + 1 of a row that is packed; 0 at the end. */
static unsigned number_at(const uint8_t *at)
{
    return at[0] | (unsigned)at[1] << 8;
}

/* The same of the row there, whose counts are added `times` times to `row` unless that is NULL; -1
 * subtracts them. *from moves after it. */
static unsigned get_row(const uint8_t **from, uint64_t *row, uint64_t times)
{
    const uint8_t *at = *from;
    const unsigned number = number_at(at);
    unsigned n = number != 0 ? at[2] | (unsigned)at[3] << 8 : 0;

    for (at += PACKED_HEAD; n > 0; n--) {
        uint64_t signal, count;
        at = get_count(get_count(at, &signal), &count);
        if (row != NULL)
            row[signal] += times * count;
    }
    *from = at;
    return number;
}

/* Adds the rows that are packed there to the block's, and takes them out of the sum of packed rows.
 */
static void take_back(struct profile_rows *rows, const struct profile_block *block,
                      const uint8_t *at)
{
    for (unsigned number; (number = number_at(at)) != 0;) {
        const uint8_t *again = at;
        (void)get_row(&again, rows->in_packed, UINT64_MAX);
        (void)get_row(&at, block->rows[number - 1], 1);
    }
}

/* The rows are zero. */
static void drop_rows(struct profile_rows *rows, struct profile_block *block)
{
    for (uint32_t i = 0; i < block->n_insns; i++) {
        if (block->rows[i] == NULL)
            continue;
        keep_spare(rows, block->rows[i]);
        rows->n_dense--;
        block->rows[i] = NULL;
    }
}

/* False without memory: the rows stay as they are. */
static bool pack_block(struct profile_rows *rows, struct profile_block *block)
{
    if (!ARRAY_RESERVE(rows->packing, rows->packing_room,
                       (size_t)block->n_insns * PACKED_ROW_MAX + 2))
        return false;
    uint8_t *end = rows->packing;
    for (uint32_t i = 0; i < block->n_insns; i++)
        if (block->rows[i] != NULL)
            end = put_row(rows, end, i, block->rows[i]);
    *end++ = 0;
    *end++ = 0;
    block->packed = malloc((size_t)(end - rows->packing));
    if (block->packed == NULL) {
        take_back(rows, block, rows->packing);
        return false;
    }
    memcpy(block->packed, rows->packing, (size_t)(end - rows->packing));
    drop_rows(rows, block);
    return true;
}

static uint64_t *new_row(struct profile_rows *rows, struct profile_block *block, unsigned index)
{
    block->rows[index] = take_spare(rows);
    rows->n_dense += block->rows[index] != NULL;
    rows->lost |= block->rows[index] == NULL;
    return block->rows[index];
}

/* False without memory: the rows stay packed. */
static bool unpack_block(struct profile_rows *rows, struct profile_block *block)
{
    const uint8_t *at = block->packed;

    for (unsigned number; (number = number_at(at)) != 0; (void)get_row(&at, NULL, 0))
        if (new_row(rows, block, number - 1) == NULL) {
            drop_rows(rows, block);
            return false;
        }
    take_back(rows, block, block->packed);
    free(block->packed);
    block->packed = NULL;
    return true;
}

static bool is_held(const struct profile_block *block, uint64_t *const *held, size_t n_held)
{
    for (uint32_t i = 0; i < block->n_insns; i++)
        for (size_t k = 0; k < n_held && block->rows[i] != NULL; k++)
            if (block->rows[i] == held[k])
                return true;
    return false;
}

void profile_rows_pack(struct profile_rows *rows, uint64_t *const *held, size_t n_held)
{
    struct profile_block **link = &rows->dense_blocks;

    if (rows->n_again > rows->n_dense / 4 && rows->dense_shift < PROFILE_ROWS_SHIFT)
        rows->dense_shift++;
    rows->n_again = 0;
    while (*link != NULL) {
        struct profile_block *const block = *link;
        const bool is_packed = block->packed != NULL; /* since it was closed */
        if (!is_packed && (is_held(block, held, n_held) || !pack_block(rows, block))) {
            link = &block->next_dense;
            continue;
        }
        block->is_dense = false;
        *link = block->next_dense;
    }
}

/* Its rows count in profile_rows_sum. */
static void add_dense(struct profile_rows *rows, struct profile_block *block)
{
    if (block->is_dense)
        return;
    block->is_dense = true;
    block->next_dense = rows->dense_blocks;
    rows->dense_blocks = block;
}

static bool has_rows(const struct profile_block *block)
{
    uint32_t i = 0;

    while (i < block->n_insns && block->rows[i] == NULL)
        i++;
    return i < block->n_insns;
}

bool profile_rows_open(struct profile_rows *rows, struct profile_block *block)
{
    if (block != NULL && block->packed != NULL)
        return unpack_block(rows, block);
    return block != NULL && !has_rows(block);
}

void profile_rows_close(struct profile_rows *rows, struct profile_block *block, bool packs)
{
    if (packs && has_rows(block) && !pack_block(rows, block))
        add_dense(rows, block);
}

OUT_OF_LINE uint64_t *profile_rows_new(struct profile_rows *rows, struct profile_block *block,
                                       unsigned index)
{
    const size_t n_dense = rows->n_dense;

    if (block == NULL || index >= block->n_insns ||
        (block->packed != NULL && !unpack_block(rows, block)))
        return rows->elsewhere;
    rows->n_again += rows->n_dense - n_dense;
    add_dense(rows, block);
    if (block->rows[index] == NULL && new_row(rows, block, index) == NULL)
        return rows->elsewhere;
    return block->rows[index];
}

/* Adds n signals `times` times; -1 subtracts them. */
static void add(uint64_t *to, const uint64_t *from, unsigned n, uint64_t times)
{
    for (unsigned signal = 0; signal < n; signal++)
        to[signal] += times * from[signal];
}

void profile_rows_sum(const struct profile_rows *rows, uint64_t *tally)
{
    add(tally, rows->elsewhere, ARMPMU_SIGNAL_COUNT, 1);
    add(tally, rows->in_packed, ARMPMU_SIGNAL_COUNT, 1);
    for (const struct profile_block *block = rows->dense_blocks; block != NULL;
         block = block->next_dense)
        for (uint32_t i = 0; i < block->n_insns; i++)
            if (block->rows[i] != NULL)
                add(tally, block->rows[i], rows->n_signals, 1);
}

/* ---- to tell them ---- */

/* A row of a block: what is sorted. */
struct place {
    uint64_t address;
    const struct profile_block *block;
    uint32_t path, met; /* met: in which order its block was */
    uint32_t index;
    uint32_t packed_at; /* where it is in block->packed */
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return ORDER(x->path, y->path, x->address, y->address, x->met, y->met);
}

static struct place place_of(const struct place *block, uint32_t index, uint32_t packed_at)
{
    struct place place = *block;
    place.address += block->block->offsets[index];
    place.index = index;
    place.packed_at = packed_at;
    return place;
}

/* Writes the places of a block's rows, at most one for each instruction, and returns how many. */
static size_t rows_of(const struct place *of, struct place *place)
{
    const struct profile_block *const block = of->block;
    const uint8_t *const at = block->packed;
    size_t n = 0;

    for (const uint8_t *row = at; at != NULL; n++) {
        const uint32_t packed_at = (uint32_t)(row - at);
        const unsigned number = get_row(&row, NULL, 0);
        if (number == 0)
            return n;
        place[n] = place_of(of, number - 1, packed_at);
    }
    for (uint32_t i = 0; i < block->n_insns; i++)
        if (block->rows[i] != NULL)
            place[n++] = place_of(of, i, 0);
    return n;
}

/* All blocks in order; NULL without memory. */
static struct place *sort_blocks(const struct profile_rows *rows)
{
    struct place *const places = malloc(rows->n_blocks * sizeof *places + 1);
    uint32_t met = (uint32_t)rows->n_blocks;

    for (const struct profile_block *block = rows->blocks; places != NULL && block != NULL;
         block = block->next) {
        met--;
        places[met] =
            (struct place){.address = block->address, block, .path = block->path, .met = met};
    }
    if (places != NULL)
        qsort(places, rows->n_blocks, sizeof *places, by_place);
    return places;
}

/* Where blocks of a path overlap, their rows do not lie one block after the other. */
static void sort_path(struct place *places, size_t n)
{
    size_t i = 1;
    while (i < n && by_place(&places[i - 1], &places[i]) < 0)
        i++;
    if (i < n)
        qsort(places, n, sizeof *places, by_place);
}

/* Adds a row to `out` `times` times: 1 reads it, -1 clears `out`. */
static void add_row(const struct profile_rows *rows, const struct place *place, uint64_t *out,
                    uint64_t times)
{
    const struct profile_block *const block = place->block;

    if (block->packed == NULL) {
        add(out, block->rows[place->index], rows->n_signals, times);
    } else {
        const uint8_t *at = block->packed + place->packed_at;
        (void)get_row(&at, out, times);
    }
}

static bool is_empty(const uint64_t *row)
{
    SPARSE_EACH(signal, row, ARMPMU_SIGNAL_COUNT)
    return false;
    return true;
}

struct telling {
    const struct profile_rows *rows;
    armpmu_profile_fn call;
    void *user;
    uint64_t signals[ARMPMU_SIGNAL_COUNT]; /* all 0 between rows */
    struct place *places;
    size_t room;
};

static bool tell(struct telling *to, const struct place *place)
{
    const struct profile_block *block = place->block;
    const uint16_t at = block->offsets[place->index];
    const unsigned size = block->offsets[place->index + 1] - at;
    struct armpmu_profile_row row = {
        .address = place->address,
        .isa = block->isa,
        .path = block->path,
        .file = block->file,
        .signals = to->signals,
    };
    add_row(to->rows, place, to->signals, 1);
    if (is_empty(to->signals))
        return true;
    row.n_bytes = (uint8_t)(size < sizeof row.bytes ? size : sizeof row.bytes);
    if (block->bytes != NULL)
        memcpy(row.bytes, block->bytes + at, row.n_bytes);
    const bool goes_on = to->call(to->user, &row);
    add_row(to->rows, place, to->signals, UINT64_MAX);
    return goes_on;
}

/* Tells the rows of a path's blocks. False where the caller wants no more, or without memory
 * (*status). */
static bool tell_path(struct telling *to, const struct place *blocks, size_t n_blocks,
                      enum armpmu_status *status)
{
    size_t n = 0;
    bool goes_on = true;

    for (size_t i = 0; i < n_blocks; i++)
        n += blocks[i].block->n_insns;
    if (!ARRAY_ROOM(to->places, to->room, n)) {
        *status = ARMPMU_NO_MEMORY;
        return false;
    }
    n = 0;
    for (size_t i = 0; i < n_blocks; i++)
        n += rows_of(&blocks[i], &to->places[n]);
    sort_path(to->places, n);
    for (size_t i = 0; i < n && goes_on; i++)
        goes_on = tell(to, &to->places[i]);
    return goes_on;
}

enum armpmu_status profile_rows_each(const struct profile_rows *rows, armpmu_profile_fn call,
                                     void *user, struct armpmu_error *err)
{
    struct telling to = {.rows = rows, .call = call, .user = user};
    struct place *const blocks = sort_blocks(rows);
    enum armpmu_status status = blocks != NULL ? ARMPMU_OK : ARMPMU_NO_MEMORY;
    bool goes_on = blocks != NULL;

    for (size_t first = 0, i = 0; i < rows->n_blocks && goes_on; first = i) {
        while (i < rows->n_blocks && blocks[i].path == blocks[first].path)
            i++;
        goes_on = tell_path(&to, &blocks[first], i - first, &status);
    }
    free(blocks);
    free(to.places);
    if (status != ARMPMU_OK)
        return fail_no_memory(err, "a profile");
    const struct armpmu_profile_row elsewhere = {.signals = rows->elsewhere};
    if (goes_on && !is_empty(rows->elsewhere))
        (void)call(user, &elsewhere);
    return ARMPMU_OK;
}
