#include "trace/trace_reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "trace/inside_block.h"
#include "trace/trace_reader_internal.h"

/* ---- what a system changes ---- */

static enum armpmu_status change(struct walk *walk, uint64_t word, uint64_t second)
{
    const struct walk_model *model = walk->model;
    const uint64_t page = word >> ARMPMU_RECORD_PAGE_LSB & ARMPMU_RECORD_PAGE_MASK;
    switch (armpmu_record_kind(word)) {
    case ARMPMU_RECORD_MAP:
        return model->place(walk->core, page, word & ARMPMU_RECORD_PAGE_MASK);
    case ARMPMU_RECORD_MAP64:
        return model->place(walk->core, word & ARMPMU_RECORD_WIDE_PAGE, second);
    case ARMPMU_RECORD_TLBI64:
        model->flush_page(walk->core, word & ARMPMU_RECORD_WIDE_PAGE);
        return ARMPMU_OK;
    case ARMPMU_RECORD_SYSTEM:
        model->system(walk->core, armpmu_record_system(word), armpmu_record_system_bits(word),
                      armpmu_record_address(word));
        return ARMPMU_OK;
    case ARMPMU_RECORD_TLB_FLUSH:
        if (word & ARMPMU_RECORD_ONE_PAGE)
            model->flush_page(walk->core, page);
        else
            model->flush_tlbs(walk->core);
        return ARMPMU_OK;
    default:
        model->translate(walk->core, word & 1);
        return ARMPMU_OK;
    }
}

static enum armpmu_status changed(enum armpmu_status status, struct armpmu_error *err)
{
    return status == ARMPMU_OK ? status : fail(err, status, "out of memory for the page map");
}

/* Makes the changes that waited for the last block. */
static RARE enum armpmu_status make_delayed(struct walk *walk, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    const struct walk_changes *changes = &walk->changes;
    for (size_t i = 0; i < changes->n && status == ARMPMU_OK; i++)
        status = change(walk, changes->change[i].word, changes->change[i].second);
    walk->changes.n = 0;
    return changed(status, err);
}

static enum armpmu_status change_later(struct walk *walk, uint64_t word, uint64_t second)
{
    struct walk_changes *changes = &walk->changes;
    if (changes->n == changes->room) {
        const size_t room = changes->room + 64;
        struct walk_change *grown = realloc(changes->change, room * sizeof *grown);
        if (grown == NULL)
            return ARMPMU_NO_MEMORY;
        changes->change = grown;
        changes->room = room;
    }
    changes->change[changes->n++] = (struct walk_change){word, second};
    return ARMPMU_OK;
}

/* ---- records ---- */

static enum armpmu_status announced(struct walk *walk, uint64_t word, struct armpmu_error *err)
{
    const struct walk_entry *entry = walk->last;
    const unsigned index = armpmu_record_index(word);
    if (entry != NULL) {
        const unsigned n = index == ARMPMU_RECORD_ALL ? entry->n_insns : index;
        if (n > entry->n_insns)
            return fail(err, ARMPMU_BAD_INPUT,
                        "the engine's stream has an exception behind %u instructions of the block "
                        "at 0x%" PRIx64 ", which has %u; it must count those of the last block",
                        n, entry->start, entry->n_insns);
        if (n < entry->n_insns || walk->cut)
            walk_stop(walk, n);
        else
            walk_leave_whole(walk, armpmu_record_address(word));
        walk->cut = false;
    }
    walk->model->exception(walk->core);
    walk_end_intervals(walk);
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

static void call_system(struct walk *walk, uint32_t number)
{
    const enum armpmu_isa isa = walk->last != NULL ? walk->last->code->isa : ARMPMU_A32;

    if (walk->last != NULL)
        walk_stop(walk, walk->last->n_insns);
    walk->model->exception(walk->core);
    walk->called = true;
    walk->sigreturn = is_sigreturn(isa, number);
    walk_end_intervals(walk);
}

/* A change of the core or its address space: now, or when it is known what the last block did
 * before it. */
static enum armpmu_status make_change(struct walk *walk, uint64_t word, uint64_t second,
                                      struct armpmu_error *err)
{
    const bool waits = walk->last != NULL && (!walk->told || walk->changes.n != 0);
    return changed(waits ? change_later(walk, word, second) : change(walk, word, second), err);
}

static void lose(struct walk *walk)
{
    if (walk->last != NULL)
        walk_leave(walk, walk->cut ? walk->cut_at : walk->last->n_insns, WALK_END, 0);
    walk->cut = walk->called = walk->faulted = false;
    walk->ahead = 0;
    walk_end_intervals(walk);
}

/* A word that is no block's and none of its accesses, and the one behind it, 0 if there is none. */
static RARE enum armpmu_status other_word(struct walk *walk, uint64_t word, uint64_t second,
                                          struct armpmu_error *err)
{
    const enum armpmu_record_kind kind = armpmu_record_kind(word);
    walk->system |= kind >= ARMPMU_RECORD_EXCEPTION;
    switch (kind) {
    case ARMPMU_RECORD_SYSCALL:
        call_system(walk, (uint32_t)word);
        return ARMPMU_OK;
    case ARMPMU_RECORD_SYSRET:
        walk->model->exception_return(walk->core);
        return ARMPMU_OK;
    case ARMPMU_RECORD_GAP:
        lose(walk);
        return ARMPMU_OK;
    case ARMPMU_RECORD_EXCEPTION:
        return announced(walk, word, err);
    case ARMPMU_RECORD_MAP:
    case ARMPMU_RECORD_TLB_FLUSH:
    case ARMPMU_RECORD_MMU:
    case ARMPMU_RECORD_MAP64:
    case ARMPMU_RECORD_TLBI64:
    case ARMPMU_RECORD_SYSTEM:
        return make_change(walk, word, second, err);
    default: /* of an instruction the decoder takes for one without accesses */
        return ARMPMU_OK;
    }
}

/* Other records, up to the next block. */
static RARE enum armpmu_status other_words(struct walk *walk, const uint64_t **word,
                                           const uint64_t *end, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    while (status == ARMPMU_OK && *word < end &&
           armpmu_record_kind(**word) != ARMPMU_RECORD_BLOCK) {
        const uint64_t *const at = *word;
        if (!word_is_possible(at, end, walk->last != NULL ? walk->last->n_insns : 0))
            return word_refuse(*at, err);
        *word += word_length(at, end);
        status = other_word(walk, *at, word_length(at, end) == 2 ? at[1] : 0, err);
        if (status == ARMPMU_OK && walk->last == NULL && walk->changes.n != 0)
            status = make_delayed(walk, err);
    }
    return status;
}

static inline void enter(struct walk *walk, struct walk_entry *entry)
{
    walk->last = entry;
    walk->told = false;
    entry->ran = true;
    walk->now.block = entry->code;
    walk->now.data = entry->data;
    walk->now.n_accesses = 0;
}

enum armpmu_status walk_run(struct walk *walk, const uint64_t *records, size_t n_records,
                            struct armpmu_error *err)
{
    const uint64_t *word = records, *const end = records + n_records;
    while (word < end) {
        enum armpmu_status status = ARMPMU_OK;
        if (unlikely(armpmu_record_kind(*word) != ARMPMU_RECORD_BLOCK)) {
            status = other_words(walk, &word, end, err);
            if (status != ARMPMU_OK)
                return status;
            continue;
        }
        const uint32_t id = (uint32_t)*word;
        struct walk_entry *entry = id < walk->n_ids ? walk->by_id[id] : NULL;
        if (unlikely(entry == NULL || ((entry->it_before ^ walk_it(walk)) & entry->it_open) != 0))
            status = walk_define(walk, id, &entry, err);
        if (unlikely(status != ARMPMU_OK))
            return status;
        walk_arrive(walk, entry->start);
        if (unlikely(walk->changes.n != 0))
            status = make_delayed(walk, err);
        if (unlikely(status != ARMPMU_OK))
            return status;
        enter(walk, entry);
        word = walk_accesses(walk, word + 1, end);
    }
    return ARMPMU_OK;
}

/* A fault ended the program in its last block: finds the instruction that did not retire. */
void walk_finish(struct walk *walk, enum armpmu_end end)
{
    const struct walk_entry *entry = walk->last;
    const bool fault =
        end == ARMPMU_END_FAULT && entry != NULL && entry->n_insns != 0 && !walk->cut;
    if (fault && walk_may_trap(entry->code->insns[entry->n_insns - 1].effect)) {
        walk_stop(walk, entry->n_insns - 1);
        walk->model->exception(walk->core);
    } else if (fault && entry->end == END_BRANCH && entry->indirect) {
        walk_leave(walk, entry->n_insns, WALK_BRANCH, 0);
        walk->model->exception(walk->core);
    }
    lose(walk);
    (void)make_delayed(walk, NULL); /* what the last block did to the core */
}

void walk_every(struct walk *walk, enum armpmu_signal signal, uint64_t period,
                armpmu_interval_fn call, void *user)
{
    walk->clock = signal;
    walk->retired = 0;
    walk->period = period;
    walk->next_end =
        period + (signal == ARMPMU_SIGNAL_INST_RETIRED ? 0 : walk->model->cycles(walk->core));
    walk->interval = 0;
    walk->on_interval = call;
    walk->interval_user = user;
}

void walk_settle(struct walk *walk)
{
    if (walk->last != NULL && !walk->cut && walk->last->n_insns != 0)
        walk_tell(walk, walk->last->n_insns);
}

void walk_free(struct walk *walk)
{
    if (walk == NULL)
        return;
    for (uint32_t i = 0; i < walk->n_index; i++)
        walk_forget(walk, walk->by_index[i]);
    code_leave(&walk->share);
    free(walk->by_index);
    free(walk->by_id);
    free(walk->accesses);
    free(walk->changes.change);
    free(walk);
}

enum armpmu_status walk_new(const struct walk_model *model, void *core, struct armpmu_code *code,
                            struct walk **out, struct armpmu_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for a core model");
    (*out)->model = model;
    (*out)->core = core;
    code_join(&(*out)->share, code);
    return ARMPMU_OK;
}
