/* Blocks of the walk. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "isa/code.h"
#include "trace/trace_reader_internal.h"

static struct walk_shape shape_of(const struct block *code, unsigned index)
{
    const struct insn *insn = &code->insns[index];
    const struct insn_memory *memory = &insn->memory;
    const bool optional = insn_is_conditional(insn) || (memory->exclusive && memory->store);
    const bool marked = optional && index + 1u < code->n_insns;
    const enum armpmu_record_kind kind =
        memory->multiple ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS;
    return (struct walk_shape){
        .tag = (uint16_t)(armpmu_record(kind, index) >> ARMPMU_RECORD_INDEX_LSB),
        .index = (uint16_t)index,
        .bytes = memory->bytes,
        .multiple = memory->multiple,
        .optional = optional,
        .mark_follows = marked,
        .marked = marked,
    };
}

static void collect_shapes(struct walk_entry *entry)
{
    bool single = true;
    for (unsigned i = 0; i < entry->code->n_insns; i++) {
        const struct insn_memory *memory = &entry->code->insns[i].memory;
        if (memory->bytes == 0)
            continue;
        const struct walk_shape shape = shape_of(entry->code, i);
        single &= !shape.optional && !shape.multiple;
        entry->shapes[entry->n_shapes++] = shape;
    }
    if (entry->n_shapes != 0)
        entry->records = single ? WORDS_SINGLE : WORDS_MIXED;
}

static void describe_end(struct walk_entry *entry)
{
    if (entry->n_insns == 0)
        return;
    const struct insn *last = &entry->code->insns[entry->n_insns - 1];
    if (last->branch != BRANCH_NONE) {
        entry->end = END_BRANCH;
        entry->conditional = insn_is_conditional(last);
        entry->indirect = last->branch != BRANCH_IMMEDIATE;
        entry->returns_exception = last->branch == BRANCH_EXCEPTION_RETURN;
        entry->target = last->target;
    } else if (last->effect == EFFECT_SYSCALL) {
        entry->end = END_SYSCALL;
    }
}

void walk_hold(struct walk *walk, const void *memory)
{
    code_hold(&walk->share, memory);
}

void walk_drop(struct walk *walk, const void *memory)
{
    code_drop(&walk->share, memory);
}

void walk_forget(struct walk *walk, struct walk_entry *entry)
{
    if (entry == NULL)
        return;
    walk->by_index[entry->code->index] = NULL;
    code_unuse(&walk->share, entry->code);
    walk_drop(walk, entry->data);
    walk->model->forget(walk->core, entry->data);
    walk_drop(walk, entry);
    free(entry);
}

static bool make_room(struct walk *walk, size_t n_accesses)
{
    if (n_accesses <= walk->accesses_room)
        return true;
    struct walk_access *grown = realloc(walk->accesses, n_accesses * sizeof *grown);
    if (grown == NULL)
        return false;
    walk->now.accesses = walk->accesses = grown;
    walk->accesses_room = n_accesses;
    return true;
}

static struct walk_entry *new_entry(struct walk *walk, const struct block *code)
{
    struct walk_entry *entry = calloc(1, sizeof *entry + code->n_insns * sizeof entry->shapes[0]);
    if (entry == NULL || !make_room(walk, code->n_insns)) {
        free(entry);
        return NULL;
    }
    entry->code = code;
    entry->start = code->address;
    entry->fall_through = code->address + code->n_bytes;
    entry->n_insns = code->n_insns;
    entry->it_before = code->it_before;
    entry->it_after = code->it_after;
    entry->it_open = code->it_open ? 0xff : 0;
    collect_shapes(entry);
    describe_end(entry);
    entry->data = walk->model->define(walk->core, code);
    if (entry->data == NULL) {
        free(entry);
        return NULL;
    }
    walk_hold(walk, entry);
    walk_hold(walk, entry->data);
    code_use(&walk->share, code);
    return entry;
}

/* ---- forgetting ---- */

static bool is_hidden(const struct walk *walk, const struct walk_entry *entry)
{
    for (uint32_t i = 0; i < walk->n_hidden; i++)
        if (walk->hidden[i] == entry)
            return true;
    return false;
}

/* Forgets the blocks that did not run since the last time, or all, but those that the stream may
 * still be about. */
static void forget_blocks(struct walk *walk, bool all)
{
    for (uint32_t i = 0; i < walk->n_index; i++) {
        struct walk_entry *entry = walk->by_index[i];
        if (entry == NULL)
            continue;
        entry->forgettable = (all || !entry->ran) && entry != walk->last && !is_hidden(walk, entry);
        entry->ran = false;
    }
    for (uint32_t id = 0; id < walk->n_ids; id++)
        if (walk->by_id[id] != NULL && walk->by_id[id]->forgettable)
            walk->by_id[id] = NULL;
    for (uint32_t i = 0; i < walk->n_index; i++)
        if (walk->by_index[i] != NULL && walk->by_index[i]->forgettable)
            walk_forget(walk, walk->by_index[i]);
}

/* Leaves room for as much again: else it would be full again at once. */
static RARE void make_room_for_blocks(struct walk *walk)
{
    const size_t before = walk->share.bytes;
    forget_blocks(walk, false);
    if (walk->share.bytes > code_allowed(&walk->share) / 2)
        forget_blocks(walk, true);
    code_forgot(&walk->share, before);
}

void walk_rename(struct walk *walk)
{
    if (walk->n_ids != 0)
        memset(walk->by_id, 0, walk->n_ids * sizeof walk->by_id[0]);
}

/* ---- ids ---- */

static bool grow(struct walk_entry ***table, uint32_t *size, uint32_t index)
{
    if (index < *size)
        return true;
    size_t wanted = *size == 0 ? 1024 : *size;
    while (wanted <= index)
        wanted *= 2;
    struct walk_entry **grown = realloc(*table, wanted * sizeof **table);
    if (grown == NULL)
        return false;
    memset(grown + *size, 0, (wanted - *size) * sizeof **table);
    *table = grown;
    *size = (uint32_t)wanted;
    return true;
}

static struct walk_entry *enter_block(struct walk *walk, uint32_t id, const struct block *code)
{
    if (!grow(&walk->by_id, &walk->n_ids, id) ||
        !grow(&walk->by_index, &walk->n_index, code->index))
        return NULL;
    if (walk->by_index[code->index] == NULL)
        walk->by_index[code->index] = new_entry(walk, code);
    return walk->by_id[id] = walk->by_index[code->index];
}

RARE enum armpmu_status walk_define(struct walk *walk, uint32_t id, struct walk_entry **out,
                                    struct armpmu_error *err)
{
    const struct block *code;
    if (code_is_full(&walk->share))
        make_room_for_blocks(walk);
    const enum armpmu_status status =
        code_block(walk->share.code, id, walk_it(walk), walk->model->isas, &code, err);
    if (status != ARMPMU_OK)
        return status;
    *out = enter_block(walk, id, code);
    code_release(walk->share.code, code); /* the entry has one of its own */
    return *out != NULL ? ARMPMU_OK : fail(err, ARMPMU_NO_MEMORY, "out of memory for block %u", id);
}
