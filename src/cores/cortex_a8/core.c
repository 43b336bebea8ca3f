/* The Cortex-A8 core model: executed blocks in, signals out.
 *
 * A block of the trace becomes an a8_block: what its instructions always do is added up once
 * (per_run), what its last branch does when taken too (per_taken), and its schedule is remembered
 * per entry state (a8_schedule_memo). Executing it then costs an increment, its line and access
 * checks, and its branch. Tallies are put together when somebody asks.
 *
 * Assumes: as cores/cortex_a8/schedule.h, parts/branch_predictor.h and cores/cortex_a8/memory.h;
 * the trace's meaning is in armpmu/trace.h. For a user program, a system call is an exception
 * taken and an exception return, a fault the program handles too. Does not model: interworking
 * cost; for a user program, the kernel's own instructions and asynchronous interrupts (signals
 * delivered between two instructions); for a system, the time that maintenance takes,
 * CHOICE(maintenance), and the time it sleeps, CHOICE(asleep). */
#include "cores/cortex_a8/core.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/core_descriptor.h"

/* ---- data accesses, the fast path ---- */

/* Whether an access is a hit that changes nothing but static counts, given that it stays in one
 * line; adds its colour alias, if it is one. */
static inline bool is_fast_hit(const struct a8_memory *memory, const struct a8_access *access,
                               uint32_t address, uint32_t *aliased)
{
    const uint32_t known = line_filter_entry(&memory->data[access->store], address, LINE_SHIFT);
    if (!likely(line_filter_matches(known, address, access->line_mask, FILTER_ALIAS)))
        return false;
    *aliased += known & FILTER_ALIAS;
    return true;
}

static inline bool crosses_line(const struct a8_access *access, uint32_t address)
{
    return (address ^ (address + access->span)) >= LINE_BYTES;
}

static inline void count_aliases(struct a8 *a8, uint32_t aliased)
{
    if (aliased != 0)
        a8->tally[ARMPMU_SIGNAL_L1D_COLOUR_ALIAS] += aliased / FILTER_ALIAS;
}

static inline bool has_tag(const struct a8_access *access, uint64_t word)
{
    return likely(word >> ARMPMU_RECORD_INDEX_LSB == access->tag);
}

/* Accesses of a block that come as one ACCESS record each; returns the record after them. */
static inline const uint64_t *single_accesses(struct a8 *a8, struct a8_block *block,
                                              const uint64_t *word, const uint64_t *end)
{
    const uint32_t n = block->n_accesses;
    uint32_t aliased = 0;
    if (unlikely((size_t)(end - word) < n))
        return a8_slow_accesses(a8, block, 0, word, end);
    for (const struct a8_access *access = block->accesses; access != block->accesses + n;
         access++, word++) {
        if (unlikely(!has_tag(access, *word))) {
            word = a8_slow_accesses(a8, block, (uint32_t)(access - block->accesses), word, end);
            break;
        }
        if (unlikely(!is_fast_hit(&a8->memory, access, (uint32_t)*word, &aliased)))
            a8_access_data(a8, access, *word);
    }
    count_aliases(a8, aliased);
    return word;
}

/* As single_accesses, when some come as BURST. */
static inline const uint64_t *fixed_accesses(struct a8 *a8, struct a8_block *block,
                                             const uint64_t *records, const uint64_t *end)
{
    uint32_t aliased = 0;
    if (unlikely(end - records < block->n_records))
        return a8_slow_accesses(a8, block, 0, records, end);
    const uint64_t *behind = records + block->n_records;
    for (uint32_t i = 0; i < block->n_accesses; i++) {
        const struct a8_access *access = &block->accesses[i];
        const uint64_t *word = records + access->at;
        const uint32_t address = (uint32_t)*word;
        if (unlikely(!has_tag(access, *word) || (access->multiple && word[1] != access->bytes))) {
            behind = a8_slow_accesses(a8, block, i, word, end);
            break;
        }
        if (unlikely(crosses_line(access, address) ||
                     !is_fast_hit(&a8->memory, access, address, &aliased)))
            a8_access_data(a8, access, *word);
    }
    count_aliases(a8, aliased);
    return behind;
}

/* Accesses of a block of which some may be left out. */
static const uint64_t *mixed_accesses(struct a8 *a8, struct a8_block *block, const uint64_t *word,
                                      const uint64_t *end)
{
    uint32_t aliased = 0;
    if (unlikely(end - word < 3 * block->n_accesses)) /* a BURST, its bytes, a PROGRESS */
        return a8_slow_accesses(a8, block, 0, word, end);
    for (uint32_t i = 0; i < block->n_accesses; i++) {
        struct a8_access *access = &block->accesses[i];
        const bool happened =
            has_tag(access, *word) && (!access->multiple || word[1] == access->bytes);
        const uint64_t *mark = word + (happened ? 1 + access->multiple : 0);
        if (unlikely((!happened &&
                      (!access->optional || (!access->marked && record_is_inside_block(*word)))) ||
                     (access->marked &&
                      *mark != armpmu_record(ARMPMU_RECORD_PROGRESS, access->index + 1u)))) {
            word = a8_slow_accesses(a8, block, i, word, end);
            break;
        }
        if (happened) {
            const uint32_t address = (uint32_t)*word;
            access->happened += access->optional;
            if (unlikely(crosses_line(access, address) ||
                         !is_fast_hit(&a8->memory, access, address, &aliased)))
                a8_access_data(a8, access, *word);
        }
        word = mark + access->marked;
    }
    count_aliases(a8, aliased);
    return word;
}

/* Accesses of a block; returns the record after them. */
static inline const uint64_t *accesses(struct a8 *a8, struct a8_block *block, const uint64_t *word,
                                       const uint64_t *end)
{
    switch ((enum a8_block_records)block->records) {
    case RECORDS_NONE:
        return word;
    case RECORDS_SINGLE:
        return single_accesses(a8, block, word, end);
    case RECORDS_FIXED:
        return fixed_accesses(a8, block, word, end);
    case RECORDS_MIXED:
        return mixed_accesses(a8, block, word, end);
    case RECORDS_IRREGULAR:
        return a8_slow_accesses(a8, block, 0, word, end);
    }
    return word;
}

/* ---- the trace ---- */

static void close_intervals(struct a8 *a8)
{
    const uint64_t now = a8->clock == ARMPMU_SIGNAL_INST_RETIRED ? a8->retired : a8->memory.now;
    while (now >= a8->next_end) {
        a8->next_end += a8->period;
        a8->on_interval(a8->interval_user, ++a8->interval);
    }
}

/* At the end of a block, unless an exception in it is still to come: that counts and closes. */
static void end_intervals(struct a8 *a8, const struct a8_block *block, const uint64_t *word,
                          const uint64_t *end)
{
    if (word < end && armpmu_record_kind(*word) == ARMPMU_RECORD_EXCEPTION &&
        armpmu_record_index(*word) < block->n_insns)
        return;
    a8->retired += a8->cut ? 0 : block->n_insns;
    close_intervals(a8);
}

/* An exception that the trace announces. */
static enum armpmu_status exception(struct a8 *a8, uint64_t word, struct armpmu_error *err)
{
    const enum armpmu_status status = a8_exception(a8, word, err);
    if (a8->period != 0)
        close_intervals(a8);
    return status;
}

static void fetch_lines(struct a8 *a8, struct a8_block *block)
{
    const uint32_t epoch = a8->memory.fetch_epoch; /* before: a line may displace another */
    for (uint32_t line = block->first_line; line <= block->last_line; line++)
        if (unlikely(!a8_filter_has(&a8->memory.fetch, line)))
            a8_fetch_line(&a8->memory, line, false);
    a8_mark_dirty(a8, block);
    if (a8->memory.fetch_filtered)
        block->fetched_at = epoch;
}

/* Whether the direct branch that ends a block is predicted right: branch_predictor_agrees for the
 * common case that it hits the BTB where it did last time. */
static inline bool agrees_quickly(struct branch_predictor *predictor, struct a8_block *block,
                                  bool taken)
{
    if (unlikely(!a8_hits_btb_again(block))) {
        block->btb = branch_predictor_find(predictor, block->flow.pc);
        return branch_predictor_agrees(predictor, &block->flow, block->btb, taken,
                                       block->flow.target);
    }
    if (block->end == END_JUMP)
        return true;
    uint8_t *counter = branch_predictor_counter(predictor, block->flow.pc);
    if (unlikely((*counter >> 1 != 0) != taken))
        return false;
    branch_predictor_learn_direction(predictor, counter, taken);
    return true;
}

/* Whether the predictor agrees with the way a block's schedule was left before. */
static inline bool agrees(struct a8 *a8, const struct a8_schedule_memo *from, bool taken)
{
    struct a8_block *block = from->block;
    if (block->end == END_FALL_THROUGH)
        return true;
    if (block->end == END_BRANCH)
        return branch_predictor_agrees(&a8->predictor, &block->flow, block->btb, taken,
                                       from->next_memo[taken]->block->start);
    return agrees_quickly(&a8->predictor, block, taken);
}

/* Leaves a block by an exit taken before, if the record names one; returns the next schedule, else
 * NULL (also without memory: then the slow path says so). A branch, not an index, chooses between
 * the two exits: the host predicts it, and the next schedule does not wait for the record. */
static inline struct a8_schedule_memo *follow(struct a8 *a8, struct a8_schedule_memo *from,
                                              uint64_t word)
{
    if (word == from->next_word[1]) {
        struct a8_schedule_memo *next = from->next_memo[1];
        if (unlikely(next == NULL)) /* no way was taken yet, and the record is 0: malformed */
            return NULL;
        if (unlikely(!agrees(a8, from, true)))
            return a8_enter_flushed(a8, true);
        from->exits[1]++;
        a8->memory.now += from->next_cycles[1];
        return next;
    }
    if (likely(word == from->next_word[0])) {
        struct a8_schedule_memo *next = from->next_memo[0];
        if (unlikely(next == NULL))
            return NULL;
        if (unlikely(!agrees(a8, from, false)))
            return a8_enter_flushed(a8, false);
        from->exits[0]++;
        a8->memory.now += from->next_cycles[0];
        return next;
    }
    return NULL;
}

static enum armpmu_status place_page(struct a8 *a8, uint64_t word, struct armpmu_error *err)
{
    const uint32_t page = word >> ARMPMU_RECORD_PAGE_LSB & ARMPMU_RECORD_PAGE_MASK;
    enum armpmu_status status = a8_place_page(&a8->memory, page, word & ARMPMU_RECORD_PAGE_MASK);
    if (status == ARMPMU_OK)
        status = a8_set_uncached(&a8->memory, page, (word & ARMPMU_RECORD_UNCACHED) != 0);
    return status == ARMPMU_OK ? status : fail(err, status, "out of memory for the page map");
}

static void flush_tlbs(struct a8 *a8, uint64_t word)
{
    if (word & ARMPMU_RECORD_ONE_PAGE)
        a8_flush_page(&a8->memory, word >> ARMPMU_RECORD_PAGE_LSB & ARMPMU_RECORD_PAGE_MASK);
    else
        a8_flush_tlbs(&a8->memory);
}

/* CHOICE(maintenance): caches and the branch target buffer do what an instruction tells them. */
static void system_word(struct a8 *a8, uint64_t word)
{
    const unsigned bits = armpmu_record_system_bits(word);
    const uint32_t operand = (uint32_t)word;
    switch (armpmu_record_system(word)) {
    case ARMPMU_SYSTEM_CACHE:
        a8_maintain(&a8->memory, bits, operand);
        return;
    case ARMPMU_SYSTEM_PREDICTOR:
        if (bits & ARMPMU_PREDICTOR_ADDRESS)
            branch_predictor_forget(&a8->predictor, operand & ~1u);
        else
            branch_predictor_forget_all(&a8->predictor);
        return;
    case ARMPMU_SYSTEM_PRELOAD:
        a8_preload(&a8->memory, operand);
        return;
    case ARMPMU_SYSTEM_MASKS: /* no event of this core is about them */
        return;
    }
}

/* The last block was the thread's last here. One that was cut short ends where it was cut. */
static void lose(struct a8 *a8)
{
    if (a8->cut_memo != NULL)
        a8_end_cut(a8);
    a8->memo->exits[0]++;
    a8->memo = &a8->nowhere;
    a8->called = a8->cut = false;
}

/* A record that is no block's and none of its accesses; *at moves after it. */
static RARE enum armpmu_status other_word(struct a8 *a8, const uint64_t **at, const uint64_t *end,
                                          struct armpmu_error *err)
{
    const uint64_t word = **at;
    const enum armpmu_record_kind kind = armpmu_record_kind(word);
    const struct a8_block *block = a8->memo->block;
    if (!word_is_possible(*at, end, block != NULL ? block->n_insns : 0))
        return word_refuse(word, err);
    *at += word_length(*at, end);
    a8->system |= kind >= ARMPMU_RECORD_EXCEPTION;
    switch (kind) {
    case ARMPMU_RECORD_SYSCALL:
        a8->called = true;
        a8->syscall = (uint32_t)word;
        a8->memory.now += a8->memo->open_cycles;
        a8_exception_entry(a8);
        return ARMPMU_OK;
    case ARMPMU_RECORD_SYSRET:
        a8_exception_return(a8);
        return ARMPMU_OK;
    case ARMPMU_RECORD_GAP:
        lose(a8);
        return ARMPMU_OK;
    case ARMPMU_RECORD_EXCEPTION:
        return exception(a8, word, err);
    case ARMPMU_RECORD_MAP:
        return place_page(a8, word, err);
    case ARMPMU_RECORD_TLB_FLUSH:
        flush_tlbs(a8, word);
        return ARMPMU_OK;
    case ARMPMU_RECORD_MMU:
        a8_translate(&a8->memory, word & 1);
        return ARMPMU_OK;
    case ARMPMU_RECORD_SYSTEM:
        system_word(a8, word);
        return ARMPMU_OK;
    case ARMPMU_RECORD_ACCESS: /* of an instruction the decoder takes for one without */
    case ARMPMU_RECORD_BURST:
    case ARMPMU_RECORD_PROGRESS:
    case ARMPMU_RECORD_DEVICE:
    case ARMPMU_RECORD_BYTES:
    case ARMPMU_RECORD_BLOCK:
        return ARMPMU_OK;
    case ARMPMU_RECORD_MAP64: /* of 48-bit addresses */
    case ARMPMU_RECORD_TLBI64:
        break;
    }
    return word_refuse(word, err);
}

/* Enters the block of a record by an exit that was not taken before. */
static enum armpmu_status enter_word(struct a8 *a8, uint64_t word, struct a8_schedule_memo **out,
                                     struct armpmu_error *err)
{
    const uint32_t id = (uint32_t)word;
    if (unlikely(a8_is_full(a8)))
        a8_forget_blocks(a8);
    struct a8_block *block = id < a8->n_ids ? a8->by_id[id] : NULL;
    if (unlikely(block == NULL || a8_is_other(a8, block))) {
        enum armpmu_status status = a8_define_block(a8, id, &block, err);
        if (status != ARMPMU_OK)
            return status;
    }
    *out = a8_enter(a8, block, word);
    return *out != NULL ? ARMPMU_OK : fail(err, ARMPMU_NO_MEMORY, "out of memory for schedules");
}

/* The NEON and VFP instructions of a block that ran, as far as it executed. Those of one that was
 * cut short are handed over where it is known how far that is. */
static RARE void run_vectors(struct a8 *a8, const struct a8_schedule_memo *memo,
                             const uint64_t *word, const uint64_t *end)
{
    unsigned n = memo->block->n_insns;
    if (a8->cut)
        return;
    if (word < end && armpmu_record_kind(*word) == ARMPMU_RECORD_EXCEPTION &&
        armpmu_record_index(*word) < n)
        n = armpmu_record_index(*word);
    a8_end_vectors(a8, memo, n);
}

static enum armpmu_status run(void *state, const uint64_t *records, size_t n_records,
                              struct armpmu_error *err)
{
    struct a8 *a8 = state;
    const uint64_t *word = records, *const end = records + n_records;
    struct a8_schedule_memo *memo = a8->memo;
    while (word < end) {
        memo = follow(a8, memo, *word);
        if (unlikely(memo == NULL)) {
            enum armpmu_status status;
            if (armpmu_record_kind(*word) != ARMPMU_RECORD_BLOCK) {
                status = other_word(a8, &word, end, err);
                if (status != ARMPMU_OK)
                    return status;
                memo = a8->memo;
                continue;
            }
            status = enter_word(a8, *word, &memo, err);
            if (unlikely(status != ARMPMU_OK))
                return status;
        }
        struct a8_block *block = memo->block;
        a8->memo = memo;
        if (unlikely(block->fetched_at != a8->memory.fetch_epoch))
            fetch_lines(a8, block);
        word = accesses(a8, block, word + 1, end);
        if (unlikely(a8_has_vectors(a8, block)))
            run_vectors(a8, memo, word, end);
        if (unlikely(a8->period != 0))
            end_intervals(a8, block, word, end);
        if (unlikely(a8->cut))
            memo = a8->memo;
    }
    return ARMPMU_OK;
}

/* A fault ended the program in its last block: finds the instruction that did not retire. */
static void finish(void *state, enum armpmu_end end)
{
    struct a8 *a8 = state;
    struct a8_block *block = a8->memo->block;
    if (a8->cut_memo != NULL)
        a8_end_cut(a8);
    if (end != ARMPMU_END_FAULT || block == NULL || block->n_insns == 0)
        return;
    const unsigned last = block->n_insns - 1;
    const enum insn_effect effect = block->code->insns[last].effect;
    if (a8_may_trap(effect)) {
        a8_cut_short(a8, last);
    } else if (ends_with_branch(block) && block->indirect) {
        block->taken++; /* it jumped to where nothing can be fetched */
        a8_exception_entry(a8);
    }
}

static void set_interval(void *state, enum armpmu_signal signal, uint64_t period,
                         armpmu_interval_fn call, void *user)
{
    struct a8 *a8 = state;
    a8->clock = signal;
    a8->retired = 0;
    a8->period = period;
    a8->next_end = period + (signal == ARMPMU_SIGNAL_INST_RETIRED ? 0 : a8->memory.now);
    a8->interval = 0;
    a8->on_interval = call;
    a8->interval_user = user;
}

static void destroy(void *state)
{
    struct a8 *a8 = state;
    if (a8 == NULL)
        return;
    for (uint32_t i = 0; i < a8->n_index; i++)
        a8_free_block(a8, a8->by_index[i]);
    code_leave(&a8->share);
    free(a8->by_index);
    free(a8->by_id);
    schedule_states_free(&a8->states);
    branch_predictor_free(&a8->predictor);
    a8_memory_free(&a8->memory);
    free(a8);
}

static enum armpmu_status create(const struct armpmu_machine *machine, struct armpmu_code *code,
                                 void **out, struct armpmu_error *err)
{
    struct a8 *a8 = calloc(1, sizeof *a8);
    if (a8 == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for a core model");
    a8->machine = machine;
    code_join(&a8->share, code);
    a8->memo = &a8->nowhere;
    neon_init(&a8->neon, machine);
    enum armpmu_status status = a8_memory_init(&a8->memory, machine, a8->tally, err);
    if (status == ARMPMU_OK)
        status = branch_predictor_init(&a8->predictor, machine, err);
    if (status == ARMPMU_OK &&
        schedule_states_init(&a8->states, sizeof(struct schedule_state)) != ARMPMU_OK)
        status = fail(err, ARMPMU_NO_MEMORY, "out of memory for schedules");
    if (status != ARMPMU_OK) {
        destroy(a8);
        return status;
    }
    *out = a8;
    return ARMPMU_OK;
}

const struct core_model core_model_cortex_a8 = {
    .create = create,
    .destroy = destroy,
    .run = run,
    .rename = a8_rename,
    .finish = finish,
    .signals = a8_signals,
    .read_delta = a8_read_delta,
    .set_interval = set_interval,
};
