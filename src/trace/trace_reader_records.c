#include "base/array.h"
#include "trace/trace_reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "trace/trace_reader_blocks.h"

/* ---- what a system changes ---- */

static enum armpmu_status map_page(const struct trace_reader *reader, uint64_t virtual_page,
                                   uint64_t physical_page)
{
    const struct core_ops *const model = reader->model;

    return model->map_page == NULL ? ARMPMU_OK
                                   : model->map_page(reader->core, virtual_page, physical_page);
}

static void flush_page(const struct trace_reader *reader, uint64_t virtual_page)
{
    if (reader->model->flush_page != NULL)
        reader->model->flush_page(reader->core, virtual_page);
}

static enum armpmu_status change(struct trace_reader *reader, uint64_t word, uint64_t second)
{
    const struct core_ops *model = reader->model;
    const uint64_t page = word >> ARMPMU_RECORD_PAGE_LSB & ARMPMU_RECORD_PAGE_MASK;
    switch (armpmu_record_kind(word)) {
    case ARMPMU_RECORD_MAP:
        if (model->set_uncached != NULL &&
            model->set_uncached(reader->core, page, (word & ARMPMU_RECORD_UNCACHED) != 0) !=
                ARMPMU_OK)
            return ARMPMU_NO_MEMORY;
        return map_page(reader, page, word & ARMPMU_RECORD_PAGE_MASK);
    case ARMPMU_RECORD_MAP64:
        return map_page(reader, word & ARMPMU_RECORD_WIDE_PAGE, second);
    case ARMPMU_RECORD_TLBI64:
        flush_page(reader, word & ARMPMU_RECORD_WIDE_PAGE);
        return ARMPMU_OK;
    case ARMPMU_RECORD_SYSTEM:
        if (model->system != NULL)
            model->system(reader->core, armpmu_record_system(word), armpmu_record_system_bits(word),
                          armpmu_record_address(word));
        return ARMPMU_OK;
    case ARMPMU_RECORD_TLB_FLUSH:
        if (word & ARMPMU_RECORD_ONE_PAGE)
            flush_page(reader, page);
        else if (model->flush_tlbs != NULL)
            model->flush_tlbs(reader->core);
        return ARMPMU_OK;
    default:
        if (model->set_mmu != NULL)
            model->set_mmu(reader->core, word & 1);
        return ARMPMU_OK;
    }
}

static enum armpmu_status changed(enum armpmu_status status, struct armpmu_error *err)
{
    return status == ARMPMU_OK ? status : fail(err, status, "out of memory for the page map");
}

/* Makes the changes that waited for the last block. */
static RARE enum armpmu_status make_delayed(struct trace_reader *reader, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    const struct reader_changes *changes = &reader->changes;
    for (size_t i = 0; i < changes->n && status == ARMPMU_OK; i++)
        status = change(reader, changes->change[i].word, changes->change[i].second);
    reader->changes.n = 0;
    return changed(status, err);
}

static enum armpmu_status change_later(struct trace_reader *reader, uint64_t word, uint64_t second)
{
    struct reader_changes *changes = &reader->changes;
    if (!ARRAY_APPEND(changes->change, changes->n, changes->room,
                      (struct reader_change){word, second}))
        return ARMPMU_NO_MEMORY;
    reader->from = &reader->nowhere;
    return ARMPMU_OK;
}

/* ---- records ---- */

static enum armpmu_status announced(struct trace_reader *reader, uint64_t word,
                                    struct armpmu_error *err)
{
    const struct reader_entry *entry = reader->last;
    const unsigned index = armpmu_record_index(word);
    if (entry != NULL) {
        const unsigned n = index == ARMPMU_RECORD_ALL ? entry->n_insns : index;
        if (n > entry->n_insns)
            return fail(err, ARMPMU_BAD_INPUT,
                        "the trace has an exception after %u instructions of the block "
                        "at 0x%" PRIx64 ", which has %u; it must count those of the last block",
                        n, entry->start, entry->n_insns);
        if (n < entry->n_insns || reader->cut)
            reader_stop(reader, n);
        else
            reader_leave_whole(reader, armpmu_record_address(word));
        reader->cut = false;
    }
    reader->model->exception(reader->core);
    reader_goes(reader, MODE_HANDLER, armpmu_record_address(word));
    reader_end_intervals(reader);
    return ARMPMU_OK;
}

/* System calls by which a signal handler returns: the numbers of the Arm EABI and of AArch64. */
enum {
    SYSCALL_SIGRETURN = 119,
    SYSCALL_RT_SIGRETURN = 173,
    AARCH64_SYSCALL_RT_SIGRETURN = 139,
};

static bool is_sigreturn(enum armpmu_isa isa, uint32_t number)
{
    if (isa == ARMPMU_A64)
        return number == AARCH64_SYSCALL_RT_SIGRETURN;
    return number == SYSCALL_SIGRETURN || number == SYSCALL_RT_SIGRETURN;
}

static void call_system(struct trace_reader *reader, uint32_t number)
{
    const enum armpmu_isa isa = reader->last != NULL ? reader->last->code->isa : ARMPMU_A32;

    if (reader->last != NULL) {
        reader_goes(reader, MODE_KERNEL, reader->last->fall_through);
        reader_stop(reader, reader->last->n_insns);
    }
    reader->model->exception(reader->core);
    reader->called = true;
    reader->sigreturn = is_sigreturn(isa, number);
    reader_end_intervals_after(reader);
}

/* A change of the core or its address space: now, or when it is known what the last block did
 * before it. A core with positions knows that by its accesses. */
static enum armpmu_status make_change(struct trace_reader *reader, uint64_t word, uint64_t second,
                                      struct armpmu_error *err)
{
    const bool waits = reader->last != NULL && reader->model->positions->retires_late &&
                       (!reader->was_retired || reader->changes.n != 0);
    return changed(waits ? change_later(reader, word, second) : change(reader, word, second), err);
}

static void lose(struct trace_reader *reader)
{
    if (reader->last != NULL)
        reader_leave(reader, reader->cut ? reader->cut_at : reader->last->n_insns, EXIT_END, 0);
    reader->cut = reader->called = reader->faulted = false;
    reader_goes(reader, MODE_ON, 0);
    reader->ahead = 0;
    reader_end_intervals_after(reader);
}

/* Returns whether a SYSTEM record is also in the traces of user programs. */
static bool is_of_program(uint64_t word)
{
    return armpmu_record_kind(word) == ARMPMU_RECORD_SYSTEM &&
           (armpmu_record_system(word) == ARMPMU_SYSTEM_PRELOAD ||
            armpmu_record_system(word) == ARMPMU_SYSTEM_MAPPED ||
            (armpmu_record_system(word) == ARMPMU_SYSTEM_CACHE &&
             (armpmu_record_system_bits(word) & ARMPMU_CACHE_BY_PROGRAM) != 0));
}

static void add_counted(struct trace_reader *reader, uint64_t word)
{
    const unsigned bits = armpmu_record_system_bits(word);
    uint64_t *const sum = bits & ARMPMU_COUNTED_HELPERS    ? &reader->n_helper_calls
                          : bits & ARMPMU_COUNTED_BRANCHES ? &reader->counted.branches
                                                           : &reader->counted.insns;

    *sum += word & ARMPMU_RECORD_ADDRESS;
}

/* Takes a record that is about the program and changes nothing of the system. Returns whether it is
 * one. */
static bool take_of_program(struct trace_reader *reader, uint64_t word)
{
    if (armpmu_record_kind(word) != ARMPMU_RECORD_SYSTEM)
        return false;
    const enum armpmu_system about = armpmu_record_system(word);
    if (about == ARMPMU_SYSTEM_FAULT)
        reader_fault(reader, armpmu_record_address(word) + code_offset(reader->share.code));
    else if (about == ARMPMU_SYSTEM_COUNTED)
        add_counted(reader, word);
    else if (about == ARMPMU_SYSTEM_ALLOCATION)
        reader_allocates(reader, word);
    else
        return false;
    return true;
}

/* A record that is no block's and none of its accesses, and the one after it, 0 if there is none.
 */
static RARE enum armpmu_status other_word(struct trace_reader *reader, uint64_t word,
                                          uint64_t second, struct armpmu_error *err)
{
    const enum armpmu_record_kind kind = armpmu_record_kind(word);
    if (take_of_program(reader, word))
        return ARMPMU_OK;
    reader->system |= kind >= ARMPMU_RECORD_EXCEPTION && !is_of_program(word);
    switch (kind) {
    case ARMPMU_RECORD_SYSCALL:
        if ((uint32_t)word < TRACE_READER_CALLS)
            reader->n_system_calls[(uint32_t)word]++;
        call_system(reader, (uint32_t)word);
        return ARMPMU_OK;
    case ARMPMU_RECORD_SYSRET:
        reader->model->exception_return(reader->core);
        return ARMPMU_OK;
    case ARMPMU_RECORD_GAP:
        lose(reader);
        return ARMPMU_OK;
    case ARMPMU_RECORD_EXCEPTION:
        return announced(reader, word, err);
    case ARMPMU_RECORD_MAP64: /* of 48-bit addresses */
    case ARMPMU_RECORD_TLBI64:
        if ((reader->model->isas & CODE_AARCH64) == 0)
            return record_refuse(word, err);
        return make_change(reader, word, second, err);
    case ARMPMU_RECORD_MAP:
    case ARMPMU_RECORD_TLB_FLUSH:
    case ARMPMU_RECORD_MMU:
    case ARMPMU_RECORD_SYSTEM:
        if (armpmu_record_system(word) == ARMPMU_SYSTEM_CONTEXT) {
            reader_set_context(reader, (uint32_t)word);
            return ARMPMU_OK;
        }
        if (armpmu_record_system(word) == ARMPMU_SYSTEM_EXCEPTION) /* which follows at once */
            return changed(change(reader, word, second), err);
        return make_change(reader, word, second, err);
    default: /* of an instruction the decoder takes for one without accesses */
        return ARMPMU_OK;
    }
}

/* Other records, up to the next block. */
static RARE enum armpmu_status other_words(struct trace_reader *reader, const uint64_t **word,
                                           const uint64_t *end, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    while (status == ARMPMU_OK && *word < end &&
           armpmu_record_kind(**word) != ARMPMU_RECORD_BLOCK) {
        const uint64_t *const at = *word;
        if (!word_is_possible(at, end, reader->last != NULL ? reader->last->n_insns : 0))
            return record_refuse(*at, err);
        *word += word_length(at, end);
        status = other_word(reader, *at, word_length(at, end) == 2 ? at[1] : 0, err);
        if (status == ARMPMU_OK && reader->last == NULL && reader->changes.n != 0)
            status = make_delayed(reader, err);
    }
    return status;
}

/* The position in which the block is entered; NULL without memory. */
static struct trace_position *position_of(const struct trace_reader *reader,
                                          struct reader_entry *entry, bool *repeatable)
{
    return reader->model->positions->enter(reader->core, entry, repeatable);
}

/* Enters a block, and remembers that the last one's exit led to it. */
static enum armpmu_status enter_block(struct trace_reader *reader, uint64_t word,
                                      struct reader_entry *entry, struct trace_position **next,
                                      struct armpmu_error *err)
{
    struct trace_position *const from = reader->from;
    const struct reader_entry *const last = reader->last;
    reader->repeatable = -1;
    reader_arrive(reader, entry->start);
    if (unlikely(reader->changes.n != 0)) {
        const enum armpmu_status status = make_delayed(reader, err);
        if (status != ARMPMU_OK)
            return status;
    }
    bool repeatable = reader->repeatable >= 0 && from != &reader->nowhere;
    reader_limit_rows(reader);
    if (unlikely(reader->has_clones))
        entry = reader_clone(reader, entry, reader_next_path(reader, last, entry, &repeatable));
    if (unlikely(entry == NULL))
        return fail_no_memory(err, "schedules");
    *next = position_of(reader, entry, &repeatable);
    if (unlikely(*next == NULL))
        return fail_no_memory(err, "schedules");
    if (likely(repeatable)) {
        from->next_record[reader->repeatable] = word;
        from->next[reader->repeatable] = *next;
    }
    entry->ran = true;
    reader_enter(reader, *next);
    if (unlikely(reader->ahead != 0))
        reader->from = &reader->nowhere;
    return ARMPMU_OK;
}

static enum armpmu_status enter_record(struct trace_reader *reader, uint64_t word,
                                       struct trace_position **next, struct armpmu_error *err)
{
    const uint32_t id = (uint32_t)word;
    enum armpmu_status status = ARMPMU_OK;
    const bool is_known = id < reader->n_ids && reader->by_id[id] != NULL;
    if ((!is_known || !reader->model->positions->retires_late) &&
        reader_is_full(reader, reader->model))
        reader_make_room(reader);
    struct reader_entry *entry = id < reader->n_ids ? reader->by_id[id] : NULL;
    if (unlikely(entry == NULL ||
                 ((entry->it_before ^ reader_it_state(reader)) & entry->it_open) != 0))
        status = reader_new_block(reader, id, &entry, err);
    return status == ARMPMU_OK ? enter_block(reader, word, entry, next, err) : status;
}

OUT_OF_LINE enum armpmu_status reader_slow_records(struct trace_reader *reader,
                                                   const uint64_t **word, const uint64_t *end,
                                                   struct trace_position **next,
                                                   struct armpmu_error *err)
{
    *next = NULL;
    if (unlikely(reader->out_of_memory))
        return fail_no_memory(err, "schedules");
    reader_catch_up(reader);
    if (unlikely(armpmu_record_kind(**word) != ARMPMU_RECORD_BLOCK)) {
        const enum armpmu_status status = other_words(reader, word, end, err);
        if (status != ARMPMU_OK || *word == end)
            return status;
    }
    return enter_record(reader, *(*word)++, next, err);
}

enum armpmu_status trace_reader_run(struct trace_reader *reader, const uint64_t *records,
                                    size_t n_records, struct armpmu_error *err)
{
    return trace_reader_loop(reader, reader->model, records, n_records, err);
}

/* A fault ended the program in its last block: finds the instruction that did not retire. */
void trace_reader_finish(struct trace_reader *reader, enum armpmu_end end)
{
    reader_catch_up(reader);
    const struct reader_entry *entry = reader->last;
    const bool fault = end == ARMPMU_END_FAULT && entry != NULL && !reader->cut;
    if (fault && entry->n_insns != 0 &&
        reader_may_trap(entry->code->insns[entry->n_insns - 1].effect)) {
        reader_stop(reader, entry->n_insns - 1);
        reader_take_exception(reader, ARMPMU_EXCEPTION_OTHER);
    } else if (fault) {
        reader_fetch_fault(reader);
    }
    lose(reader);
    (void)make_delayed(reader, NULL); /* what the last block did to the core */
}

void trace_reader_set_interval(struct trace_reader *reader, enum armpmu_signal signal,
                               uint64_t period, armpmu_interval_fn call, void *user)
{
    reader->clock = signal;
    reader->retired = 0;
    reader->period = period;
    reader->watched = period != 0 || reader->edges.are_kept ? UINTPTR_MAX : 0;
    reader->next_end =
        period + (signal == ARMPMU_SIGNAL_INST_RETIRED ? 0 : reader->model->cycles(reader->core));
    reader->interval = 0;
    reader->on_interval = call;
    reader->interval_user = user;
}

void trace_reader_sync(struct trace_reader *reader)
{
    reader_catch_up(reader);
    if (reader->last != NULL && !reader->cut && reader->last->n_insns != 0)
        reader_retire(reader, reader->last->n_insns);
}

static void free_log(struct data_access_log *log)
{
    if (log != NULL)
        access_log_free(log);
    free(log);
}

void trace_reader_free(struct trace_reader *reader)
{
    if (reader == NULL)
        return;
    reader->n_by_path = 0; /* unlinking a block takes longer than freeing it */
    for (uint32_t i = 0; i < reader->n_index; i++)
        while (reader->by_index[i] != NULL)
            reader_free_block(reader, reader->by_index[i]);
    free_log(reader->profile.accesses);
    free_log(reader->blocks);
    profile_rows_free(&reader->profile);
    call_paths_free(&reader->paths);
    edges_free(&reader->edges);
    code_leave(&reader->share);
    free(reader->by_index);
    free(reader->by_path);
    free(reader->by_id);
    free(reader->accesses);
    free(reader->predicates);
    free(reader->changes.change);
    free(reader);
}

enum armpmu_status trace_reader_new(const struct core_ops *model, void *core,
                                    struct armpmu_code *code, struct trace_reader **out,
                                    struct armpmu_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return fail_no_memory(err, "a core model");
    (*out)->model = model;
    (*out)->core = core;
    (*out)->from = &(*out)->nowhere;
    code_join(&(*out)->share, code);
    return ARMPMU_OK;
}
