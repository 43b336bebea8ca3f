#include "trace/profile_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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
    uint32_t n_bytes;
    const uint8_t *bytes = code_bytes(code, block, &n_bytes);
    struct profile_block *made = calloc(1, sizeof *made + block->n_insns * sizeof made->rows[0] +
                                               offset_bytes + block->n_bytes);
    if (made == NULL) {
        rows->lost = true;
        return NULL;
    }
    made->address = block->address;
    made->isa = block->isa;
    made->path = path;
    made->file = block->file;
    made->n_insns = block->n_insns;
    made->offsets = (uint16_t *)(made->rows + block->n_insns);
    copy_code(made, block, n_bytes >= block->n_bytes ? bytes : NULL);
    made->next = rows->blocks;
    rows->blocks = made;
    rows->n_blocks++;
    return made;
}

static void free_block(struct profile_block *block)
{
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
    rows->blocks = NULL;
}

OUT_OF_LINE uint64_t *profile_rows_new(struct profile_rows *rows, struct profile_block *block,
                                       unsigned index)
{
    if (block == NULL || index >= block->n_insns)
        return rows->elsewhere;
    block->rows[index] = calloc(ARMPMU_SIGNAL_COUNT, sizeof block->rows[index][0]);
    if (block->rows[index] != NULL)
        return block->rows[index];
    rows->lost = true;
    return rows->elsewhere;
}

static void add(uint64_t *to, const uint64_t *from)
{
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        to[signal] += from[signal];
}

void profile_rows_sum(const struct profile_rows *rows, uint64_t *tally)
{
    add(tally, rows->elsewhere);
    for (const struct profile_block *block = rows->blocks; block != NULL; block = block->next)
        for (uint32_t i = 0; i < block->n_insns; i++)
            if (block->rows[i] != NULL)
                add(tally, block->rows[i]);
}

/* ---- to tell them ---- */

/* A row of a block: what is sorted. */
struct place {
    const struct profile_block *block;
    uint32_t index, met; /* met: in which order its block was */
};

static uint64_t address_of(const struct place *place)
{
    return place->block->address + place->block->offsets[place->index];
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->block->path != y->block->path)
        return x->block->path < y->block->path ? -1 : 1;
    if (address_of(x) != address_of(y))
        return address_of(x) < address_of(y) ? -1 : 1;
    return x->met < y->met ? -1 : x->met > y->met;
}

static size_t count_rows(const struct profile_rows *rows)
{
    size_t n = 0;
    for (const struct profile_block *block = rows->blocks; block != NULL; block = block->next)
        for (uint32_t i = 0; i < block->n_insns; i++)
            n += block->rows[i] != NULL;
    return n;
}

static void collect(const struct profile_rows *rows, struct place *place)
{
    uint32_t met = (uint32_t)rows->n_blocks;
    for (const struct profile_block *block = rows->blocks; block != NULL; block = block->next) {
        met--;
        for (uint32_t i = 0; i < block->n_insns; i++)
            if (block->rows[i] != NULL)
                *place++ = (struct place){block, i, met};
    }
}

static bool is_empty(const uint64_t *row)
{
    unsigned signal = 0;
    while (signal < ARMPMU_SIGNAL_COUNT && row[signal] == 0)
        signal++;
    return signal == ARMPMU_SIGNAL_COUNT;
}

static bool tell(const struct place *place, armpmu_profile_fn call, void *user)
{
    const struct profile_block *block = place->block;
    const uint16_t at = block->offsets[place->index];
    const unsigned size = block->offsets[place->index + 1] - at;
    struct armpmu_profile_row row = {
        .address = address_of(place),
        .isa = block->isa,
        .path = block->path,
        .file = block->file,
        .signals = block->rows[place->index],
    };
    if (is_empty(row.signals))
        return true;
    row.n_bytes = (uint8_t)(size < sizeof row.bytes ? size : sizeof row.bytes);
    if (block->bytes != NULL)
        memcpy(row.bytes, block->bytes + at, row.n_bytes);
    return call(user, &row);
}

enum armpmu_status profile_rows_each(const struct profile_rows *rows, armpmu_profile_fn call,
                                     void *user, struct armpmu_error *err)
{
    const size_t n = count_rows(rows);
    struct place *places = malloc(n * sizeof *places + 1);
    if (places == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for a profile of %zu rows", n);
    collect(rows, places);
    qsort(places, n, sizeof *places, by_place);
    bool goes_on = true;
    for (size_t i = 0; i < n && goes_on; i++)
        goes_on = tell(&places[i], call, user);
    free(places);
    const struct armpmu_profile_row elsewhere = {.signals = rows->elsewhere};
    if (goes_on && !is_empty(rows->elsewhere))
        (void)call(user, &elsewhere);
    return ARMPMU_OK;
}
