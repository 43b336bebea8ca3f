/* Blocks of the reader. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "isa/code.h"
#include "trace/trace_reader_internal.h"

static struct reader_access access_of(const struct reader_entry *entry, unsigned index, unsigned at)
{
    const struct block *code = entry->code;
    const struct insn *insn = &code->insns[index];
    const struct insn_memory *memory = &insn->memory;
    const bool optional = insn_access_is_optional(insn);
    const bool marked = optional && index + 1u < code->n_insns;
    const enum armpmu_record_kind kind =
        memory->multiple ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS;
    return (struct reader_access){
        .tag = (uint16_t)(armpmu_record(kind, index) >> ARMPMU_RECORD_INDEX_LSB),
        .index = (uint16_t)index,
        .at = (uint16_t)at,
        .bytes = memory->bytes,
        .multiple = memory->multiple,
        .optional = optional,
        .partial = memory->partial,
        .scattered = memory->scattered,
        .mark_follows = marked,
        .marked = marked,
    };
}

/* Returns whether it has instructions of SVE that a predicate governs. */
static bool is_governed(const struct block *code)
{
    bool governed = false;

    for (unsigned i = 0; i < code->n_insns; i++)
        governed |= code->insns[i].scalable.kind != SVE_NONE &&
                    code->insns[i].scalable.governor != NO_GOVERNOR;
    return governed;
}

static void collect_accesses(const struct trace_reader *reader, struct reader_entry *entry)
{
    const struct core_ops *const model = reader->model;
    bool single = true, fixed = true, regular = true, may_hit = true;
    unsigned n_records = 0;
    for (unsigned i = 0; i < entry->code->n_insns; i++) {
        const struct insn_memory *memory = &entry->code->insns[i].memory;
        if (memory->bytes == 0)
            continue;
        struct reader_access access = access_of(entry, i, n_records);
        if (model->describe_access != NULL)
            model->describe_access(reader->core, entry->code, &access);
        *reader_access_at(model, entry, entry->n_accesses++) = access;
        n_records += 1u + access.multiple;
        may_hit &= access.hits != NULL;
        regular &= !(memory->load && memory->store) && !memory->exclusive;
        single &= !access.multiple;
        fixed &= !access.optional;
    }
    if (is_governed(entry->code))
        entry->records = RECORDS_IRREGULAR;
    else if (entry->n_accesses != 0)
        entry->records = !regular ? RECORDS_IRREGULAR
                         : !fixed ? RECORDS_MIXED
                         : single ? RECORDS_SINGLE
                                  : RECORDS_FIXED;
    entry->may_hit = may_hit && entry->records == RECORDS_SINGLE;
    entry->whole_bytes =
        entry->records > RECORDS_FIXED ? SIZE_MAX : (n_records + 1) * sizeof(uint64_t);
}

#define A32_MOV_LR_PC 0x01a0e00fu /* without its condition */

/* Before ARMv5, and in glibc's calls of the kernel's helper page: MOV LR, PC, then any write of the
 * PC. */
static bool calls_by_two(const struct trace_reader *reader, const struct block *code)
{
    uint32_t n_bytes, word[2];
    const uint8_t *const bytes = code_bytes(reader->share.code, code, &n_bytes);

    if (bytes == NULL || code->isa != ARMPMU_A32 || n_bytes < sizeof word ||
        code->insns[code->n_insns - 1].branch == BRANCH_IMMEDIATE)
        return false;
    memcpy(word, bytes + n_bytes - sizeof word, sizeof word);
    return (word[0] & 0x0fffffff) == A32_MOV_LR_PC &&
           (word[0] >> 28 == 14 || word[0] >> 28 == word[1] >> 28);
}

static void describe_end(const struct trace_reader *reader, struct reader_entry *entry)
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
        entry->calls = last->links || calls_by_two(reader, entry->code);
    } else if (last->effect == EFFECT_SYSCALL) {
        entry->end = END_SYSCALL;
    }
}

void reader_hold(struct trace_reader *reader, const void *memory)
{
    code_hold(&reader->share, memory);
}

void reader_drop(struct trace_reader *reader, const void *memory)
{
    code_drop(&reader->share, memory);
}

/* ---- entries by block and path ----
 *
 * The paths of a kernel are many, and so are the clones of what they all call. */

static struct reader_entry **list_of(const struct trace_reader *reader, uint32_t index,
                                     uint32_t path)
{
    const uint32_t hash = (index * UINT32_C(0x9e3779b1) ^ path) * UINT32_C(0x85ebca77);
    return &reader->by_path[(hash ^ hash >> 15) & (reader->n_by_path - 1)];
}

static void link_entry(struct trace_reader *reader, struct reader_entry *entry)
{
    struct reader_entry **const list = list_of(reader, entry->code->index, entry->path);
    entry->next_by_path = *list;
    *list = entry;
}

/* Room for one more. False without memory. */
static bool reserve_entry(struct trace_reader *reader)
{
    const size_t n = reader->n_by_path, wanted = n == 0 ? 1024 : 4 * n;
    if (reader->n_entries < n)
        return true;
    struct reader_entry **const old = reader->by_path, **const made = calloc(wanted, sizeof *made);
    if (made == NULL)
        return false;
    reader->by_path = made;
    reader->n_by_path = wanted;
    for (size_t i = 0; i < n; i++)
        for (struct reader_entry *entry = old[i], *next; entry != NULL; entry = next) {
            next = entry->next_by_path;
            link_entry(reader, entry);
        }
    free(old);
    return true;
}

static void unlink_entry(struct trace_reader *reader, const struct reader_entry *entry)
{
    struct reader_entry **link = list_of(reader, entry->code->index, entry->path);
    while (*link != entry)
        link = &(*link)->next_by_path;
    *link = entry->next_by_path;
    reader->n_entries--;
}

void reader_free_block(struct trace_reader *reader, struct reader_entry *entry)
{
    if (entry == NULL)
        return;
    if (reader->n_by_path != 0)
        unlink_entry(reader, entry);
    struct reader_entry **link = &reader->by_index[entry->code->index];
    while (*link != entry)
        link = &(*link)->clone;
    *link = entry->clone;
    if (reader->model->positions->retires_late)
        reader_drop(reader, entry->data);
    reader->model->free_block(reader->core, entry->data); /* which may read its code still */
    code_unuse(&reader->share, entry->code);
    reader_drop(reader, entry);
    free(entry);
}

#define SCATTERED_MAX 64 /* elements of 4 bytes in a vector of the architecture's longest */

/* A scattered access is one for each element; a predicate has two records at most. */
static bool make_room(struct trace_reader *reader, const struct block *code)
{
    const bool governed = is_governed(code);
    const size_t n_predicates = governed ? 2 * (size_t)code->n_insns + 2 : 0;
    const size_t n_accesses = code->n_insns * (size_t)(governed ? SCATTERED_MAX : 1);
    const bool done = ARRAY_RESERVE(reader->accesses, reader->accesses_room, n_accesses) &&
                      ARRAY_RESERVE(reader->predicates, reader->predicates_room, n_predicates);

    reader->now.accesses = reader->accesses;
    reader->now.predicates = reader->predicates;
    return done;
}

/* Has the core prepare the block. */
static void *new_data(const struct trace_reader *reader, struct reader_entry *entry)
{
    if (reader->model->positions->retires_late)
        return reader->model->new_block(reader->core, entry->code);
    return reader->model->positions->describe(reader->core, entry) ? entry : NULL;
}

static unsigned count_accesses(const struct block *code)
{
    unsigned n = 0;
    for (unsigned i = 0; i < code->n_insns; i++)
        n += code->insns[i].memory.bytes != 0;
    return n;
}

static struct reader_entry *new_entry(struct trace_reader *reader, const struct block *code,
                                      uint32_t path)
{
    struct reader_entry *entry =
        calloc(1, (uintptr_t)reader_access_at(reader->model, NULL, count_accesses(code)));
    const bool is_listed = reader->profile.detail != ARMPMU_PROFILE_OFF;
    if (entry == NULL || !make_room(reader, code) || (is_listed && !reserve_entry(reader))) {
        free(entry);
        return NULL;
    }
    entry->position.entry = entry;
    entry->code = code;
    entry->start = code->address;
    entry->fall_through = code->address + code->n_bytes;
    entry->n_insns = code->n_insns;
    entry->it_before = code->it_before;
    entry->it_after = code->it_after;
    entry->it_open = code->it_open ? 0xff : 0;
    entry->path = path;
    if (reader->region.mark != NULL)
        entry->mark = reader->region.mark(reader->region.user, code->address, code->file);
    collect_accesses(reader, entry);
    describe_end(reader, entry);
    entry->data = new_data(reader, entry);
    if (entry->data == NULL) {
        free(entry);
        return NULL;
    }
    reader_hold(reader, entry);
    if (reader->model->positions->retires_late)
        reader_hold(reader, entry->data);
    code_use(&reader->share, code);
    if (is_listed) {
        entry->profile = profile_rows_block(&reader->profile, reader->share.code, code, path);
        link_entry(reader, entry);
        reader->n_entries++;
    }
    entry->clone = reader->by_index[code->index];
    reader->by_index[code->index] = entry;
    return entry;
}

struct reader_entry *reader_clone(struct trace_reader *reader, const struct reader_entry *entry,
                                  uint32_t path)
{
    for (struct reader_entry *found = *list_of(reader, entry->code->index, path); found != NULL;
         found = found->next_by_path)
        if (found->code == entry->code && found->path == path)
            return found;
    return new_entry(reader, entry->code, path);
}

/* ---- forgetting ---- */

void reader_forget_exits(struct trace_reader *reader)
{
    READER_EACH_ENTRY(entry, reader)
    {
        entry->position = (struct trace_position){.entry = entry};
        reader->model->positions->forget_exits(reader->core, entry);
    }
}

static bool is_hidden(const struct trace_reader *reader, const struct reader_entry *entry)
{
    for (uint32_t i = 0; i < reader->n_hidden; i++)
        if (reader->hidden[i] == entry)
            return true;
    return false;
}

/* Forgets the blocks that did not run since the last time, or all, but those that the trace may
 * still be about. */
static void forget_blocks(struct trace_reader *reader, bool all)
{
    READER_EACH_ENTRY(entry, reader)
    {
        entry->forgettable =
            (all || !entry->ran) && entry != reader->last && !is_hidden(reader, entry);
        entry->ran = false;
    }
    reader_forget_exits(reader);
    for (uint32_t id = 0; id < reader->n_ids; id++)
        if (reader->by_id[id] != NULL && reader->by_id[id]->forgettable)
            reader->by_id[id] = NULL;
    for (uint32_t i = 0; i < reader->n_index; i++)
        for (struct reader_entry *entry = reader->by_index[i], *next; entry != NULL; entry = next) {
            next = entry->clone;
            if (entry->forgettable)
                reader_free_block(reader, entry);
        }
}

/* Leaves room for as much again, or it would be full again at once. */
RARE void reader_make_room(struct trace_reader *reader)
{
    const struct position_ops *positions = reader->model->positions;
    const bool all = positions->is_full(reader->core);
    const size_t before = reader->share.bytes;
    positions->before_forgetting(reader->core);
    forget_blocks(reader, all);
    if (!all && reader->share.bytes > code_allowed(&reader->share) / 2)
        forget_blocks(reader, true);
    positions->after_forgetting(reader->core);
    code_forgot(&reader->share, before);
}

void reader_rename(struct trace_reader *reader)
{
    if (reader->n_ids != 0)
        memset(reader->by_id, 0, reader->n_ids * sizeof reader->by_id[0]);
    reader_forget_exits(reader);
}

/* ---- ids ---- */

static struct reader_entry *enter_block(struct trace_reader *reader, uint32_t id,
                                        const struct block *code)
{
    if (!ARRAY_RESERVE(reader->by_id, reader->n_ids, (size_t)id + 1) ||
        !ARRAY_RESERVE(reader->by_index, reader->n_index, (size_t)code->index + 1))
        return NULL;
    if (reader->by_index[code->index] == NULL)
        (void)new_entry(reader, code, 0);
    return reader->by_id[id] = reader->by_index[code->index];
}

RARE enum armpmu_status reader_new_block(struct trace_reader *reader, uint32_t id,
                                         struct reader_entry **out, struct armpmu_error *err)
{
    const struct block *code;
    const enum armpmu_status status = code_decoded(reader->share.code, id, reader_it_state(reader),
                                                   reader->model->isas, &code, err);
    if (status != ARMPMU_OK)
        return status;
    *out = enter_block(reader, id, code);
    code_release(reader->share.code, code); /* the entry has one of its own */
    return *out != NULL ? ARMPMU_OK : fail(err, ARMPMU_NO_MEMORY, "out of memory for block %u", id);
}
