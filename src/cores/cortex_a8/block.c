/* Blocks of the Cortex-A8 model: what their instructions always count, and a schedule for each
 * state of the pipeline at entry. */
#include "cores/cortex_a8/core.h"

#include <stdlib.h>
#include <string.h>

#define CLONES_ASKED 4 /* how many of a block in other paths may lend it a schedule */

/* Adds what an instruction that passes its condition always does; accesses that may not happen are
 * left out. */
void a8_add_insn(const struct insn *insn, uint64_t n, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_INST_RETIRED] += n;
    tally[ARMPMU_SIGNAL_BRANCH_IMMEDIATE] += insn->branch == BRANCH_IMMEDIATE ? n : 0;
    tally[ARMPMU_SIGNAL_CONTEXTIDR_WRITE] += insn->effect == EFFECT_CONTEXTIDR_WRITE ? n : 0;
    tally[ARMPMU_SIGNAL_SW_INCREMENT] += insn->effect == EFFECT_SW_INCREMENT ? n : 0;
}

static void add_lines(const struct a8_access *access, uint64_t n, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_L1D_ACCESS] += n;
    tally[ARMPMU_SIGNAL_NEON_L1D_ACCESS] += access->neon ? n : 0;
    tally[ARMPMU_SIGNAL_NEON_L1D_HIT] += access->neon ? n : 0;
}

void a8_add_access(const struct a8_access *access, const struct insn *insn, uint64_t n,
                   uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_LOAD_RETIRED] += insn->memory.load ? n : 0;
    tally[ARMPMU_SIGNAL_STORE_RETIRED] += insn->memory.store ? n : 0;
    add_lines(access, n, tally);
}

void a8_add_line(const struct a8_access *access, uint64_t *tally)
{
    add_lines(access, 1, tally);
}

void a8_remove_line(const struct a8_access *access, uint64_t *tally)
{
    add_lines(access, -UINT64_C(1), tally);
}

/* Returns whether the core would ask its predictor about the branch. */
static bool is_predictable(const struct a8 *a8, const struct reader_entry *entry)
{
    return a8->predictor.enabled && !entry->returns_exception;
}

void a8_add_branch(const struct a8 *a8, const struct reader_entry *entry, uint64_t runs,
                   uint64_t taken, uint64_t *tally)
{
    const struct insn *last = &entry->code->insns[entry->n_insns - 1];
    const uint64_t predicted = is_predictable(a8, entry) ? taken : 0;

    tally[ARMPMU_SIGNAL_BRANCH_PREDICTABLE] += is_predictable(a8, entry) ? runs : 0;
    tally[ARMPMU_SIGNAL_PC_WRITE] += taken;
    tally[ARMPMU_SIGNAL_BRANCH_TAKEN] += predicted;
    tally[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] += predicted; /* see branch() */
    tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += predicted * a8->core.machine->branch_taken_bubble_cycles;
    tally[ARMPMU_SIGNAL_BRANCH_RETURN] += last->branch == BRANCH_RETURN ? taken : 0;
    tally[ARMPMU_SIGNAL_EXCEPTION_RETURN] += entry->returns_exception ? taken : 0;
}

static void describe_branch(const struct a8 *a8, struct a8_block *block, const struct insn *last)
{
    const struct reader_entry *entry = &block->entry;
    const bool predict = a8->predictor.enabled;
    block->branch = A8_OTHER_BRANCH;
    block->is_perfect = predict && machine_predicts(a8->core.machine, entry->start + last->offset);
    if (predict && !block->is_perfect && last->branch == BRANCH_IMMEDIATE &&
        !(entry->conditional && last->links))
        block->branch = entry->conditional ? A8_CONDITIONAL : A8_JUMP;
    block->is_plain = predict && !block->is_perfect && entry->indirect && !entry->conditional &&
                      !entry->returns_exception;
    block->flow = (struct flow){
        .pc = entry->start + last->offset,
        .fall_through = entry->fall_through,
        .target = last->target,
        .conditional = entry->conditional,
        .is_return = last->branch == BRANCH_RETURN,
        .links = last->links,
    };
    block->wanted = (struct btb_entry){(uint32_t)block->flow.pc, (uint32_t)block->flow.target};
    block->entered = branch_predictor_entered(&a8->predictor, block->flow.pc);
    block->counter = (uint8_t)branch_predictor_hash(&a8->predictor, block->flow.pc);
    block->wrong[0] = a8_wrong_path(a8, block->flow.target);
    block->wrong[1] = a8_wrong_path(a8, block->flow.fall_through);
}

static bool is_cured(const struct a8 *a8, const struct block *code, const struct insn *insn)
{
    const struct cures *const cures = a8->core.machine->cures;

    if (cures == NULL || (cures->kind == CURE_STORES && !insn->memory.store))
        return false;
    return (1u << cures->kind & A8_CURES_ACCESS) != 0 &&
           (cures->of_data || cures_have(cures, code->address + insn->offset));
}

void a8_describe_access(const void *core, const struct block *code, struct reader_access *access)
{
    const struct a8 *a8 = core;
    const struct insn *insn = &code->insns[access->index];
    uint32_t mask = LINE_MASK | (insn->memory.align - 1u);
    if (a8->core.turns != NULL && is_cured(a8, code, insn))
        mask &= ~LINE_MASK; /* each is looked at, as if no line were known */
    reader_hits_where(access, &a8->memory.data[insn->memory.store], mask, LINE_SHIFT);
}

static void describe_access(const struct a8 *a8, const struct block *code, uint32_t number,
                            struct a8_access *access)
{
    const struct insn *insn = &code->insns[access->known.index];
    const struct insn_memory *memory = &insn->memory;
    access->number = (uint16_t)number;
    access->store = memory->store;
    access->neon = memory->neon;
    access->cured = is_cured(a8, code, insn);
    access->span = (uint8_t)(memory->bytes > memory->align ? memory->bytes - 1 : 0);
}

/* Accesses that may cross a line are not the simple ones, RECORDS_SINGLE. */
static void describe_accesses(const struct a8 *a8, struct a8_block *block)
{
    struct reader_entry *entry = &block->entry;
    for (uint32_t i = 0; i < entry->n_accesses; i++) {
        struct a8_access *access = &a8_accesses(block)[i];
        describe_access(a8, entry->code, i, access);
        if (access->span != 0 || access->known.multiple)
            access->known.hit_tag |= UINT64_C(1) << 32; /* as of no record: see hits() */
        if (access->span != 0 && entry->records == RECORDS_SINGLE)
            entry->records = RECORDS_FIXED;
    }
}

static void describe(const struct a8 *a8, struct a8_block *block)
{
    const struct reader_entry *entry = &block->entry;
    const struct block *code = entry->code;
    if (code->n_insns == 0) { /* fetches nothing */
        block->lines = (struct a8_lines){1, 0, a8->memory.code_pages};
        return;
    }
    const struct insn *last = &code->insns[code->n_insns - 1];
    block->lines = a8_lines_of(a8, entry->start, entry->fall_through - 1);
    describe_accesses(a8, block);
    if (entry->end == END_BRANCH)
        describe_branch(a8, block, last);
    block->flags = (uint8_t)(block->branch | (block->n_vectors != 0 ? A8_VECTORS : 0));
}

static bool describe_vector(const struct a8 *a8, const struct block *code, unsigned index,
                            struct neon_insn *out)
{
    const struct insn *const insn = &code->insns[index];

    if (!neon_describe(a8->core.machine, insn, index, out))
        return false;
    if (cures_by(a8->core.machine->cures, CURE_LATENCY, code->address + insn->offset))
        neon_make_plain(out);
    return true;
}

static bool collect_vectors(const struct a8 *a8, struct a8_block *block)
{
    const struct block *code = block->entry.code;
    struct neon_insn one;
    for (unsigned i = 0; i < code->n_insns; i++)
        block->n_vectors += describe_vector(a8, code, i, &one);
    if (block->n_vectors == 0)
        return true;
    block->vectors = calloc(block->n_vectors, sizeof *block->vectors);
    if (block->vectors == NULL)
        return false;
    struct neon_insn *vector = block->vectors;
    for (unsigned i = 0; i < code->n_insns; i++)
        if (describe_vector(a8, code, i, &one))
            *vector++ = one;
    return true;
}

static bool collect_preloads(struct a8_block *block)
{
    const struct block *code = block->entry.code;
    struct preload one;
    for (unsigned i = 0; i < code->n_insns; i++)
        block->n_preloads += preload_find(code, i, &one);
    if (block->n_preloads == 0)
        return true;
    block->entry.records = RECORDS_IRREGULAR; /* each record is looked at */
    block->preloads = calloc(block->n_preloads, sizeof *block->preloads);
    if (block->preloads == NULL)
        return false;
    struct preload *preload = block->preloads;
    for (unsigned i = 0; i < code->n_insns; i++)
        if (preload_find(code, i, &one))
            *preload++ = one;
    return true;
}

static void free_parts(struct a8_block *block)
{
    free(block->preloads);
    free(block->vectors);
}

/* The counts of a branch and its exits differ without prediction. */
void a8_switch_prediction(struct a8 *a8, bool on)
{
    const bool enabled = on && a8->core.machine->branch_prediction == YESNO_YES;
    if (enabled == a8->predictor.enabled)
        return;
    a8_sync(a8);
    a8->predictor.enabled = enabled;
    READER_EACH_ENTRY(entry, a8->core.reader)
    {
        describe(a8, a8_block_of(entry));
    }
    reader_forget_exits(a8->core.reader);
}

bool a8_describe(void *core, struct reader_entry *entry)
{
    const struct a8 *a8 = core;
    struct a8_block *block = a8_block_of(entry);
    static struct btb_entry nowhere = {.pc = BTB_EMPTY};
    block->btb = &nowhere;
    if (!collect_vectors(a8, block) || !collect_preloads(block)) {
        free_parts(block);
        return false;
    }
    describe(a8, block);
    reader_hold(a8->core.reader, block->preloads);
    reader_hold(a8->core.reader, block->vectors);
    return true;
}

void a8_free_block(void *core, void *data)
{
    const struct a8 *a8 = core;
    struct a8_block *block = data;
    for (struct a8_schedule_memo *memo = a8_first_memo(block); memo != NULL;) {
        struct a8_schedule_memo *sibling = a8_next_memo(memo);
        reader_drop(a8->core.reader, memo);
        free(memo);
        memo = sibling;
    }
    reader_drop(a8->core.reader, block->preloads);
    reader_drop(a8->core.reader, block->vectors);
    free_parts(block);
}

void a8_forget_exits(void *core, struct reader_entry *entry)
{
    (void)core;
    for (struct a8_schedule_memo *memo = a8_first_memo(a8_block_of(entry)); memo != NULL;
         memo = a8_next_memo(memo))
        memo->position = (struct trace_position){.entry = entry};
}

/* ---- schedule ---- */

uint32_t a8_fetch_groups(const struct a8 *a8, uint64_t start, uint64_t end, bool sequential)
{
    const uint64_t bytes = a8->core.machine->l1i_fetch_bytes;
    const uint64_t groups = (end - 1) / bytes - start / bytes + 1;
    return (uint32_t)(groups - (sequential && start % bytes != 0));
}

/* The end of the run from an instruction on whose time is asked for. */
static unsigned next_stop(const struct a8_block *block, unsigned first, uint32_t access,
                          uint32_t vector, uint32_t preload)
{
    unsigned end = block->entry.n_insns;
    if (access < block->entry.n_accesses && a8_accesses(block)[access].known.index < end)
        end = a8_accesses(block)[access].known.index + 1u;
    if (vector < block->n_vectors && block->vectors[vector].index < end)
        end = block->vectors[vector].index + 1u;
    if (preload < block->n_preloads && block->preloads[preload].index < end)
        end = block->preloads[preload].index;
    return end > first ? end : first;
}

/* Schedules the block from one access, NEON instruction or preload to the next, to know when each
 * is made; returns the state after it. */
static struct schedule_state schedule_block(const struct a8 *a8, const struct a8_block *block,
                                            struct a8_schedule_memo *memo)
{
    const struct reader_entry *entry = &block->entry;
    const struct a8_access *accesses = a8_accesses(block);
    struct schedule_state state = *a8_state(a8, memo->memo.key >> 1);
    uint32_t access = 0, vector = 0, preload = 0;
    for (unsigned first = 0, end; first < entry->n_insns; first = end) {
        struct schedule_result part;
        if (preload < block->n_preloads && block->preloads[preload].index == first)
            memo->asked_at[preload++] = memo->memo.cycles;
        end = next_stop(block, first, access, vector, preload);
        schedule_run(a8->core.machine, entry->code, first, end, &state, &part);
        memo->memo.cycles += part.counts.cycles;
        schedule_counts_add(&memo->schedule, &part.counts);
        if (access < entry->n_accesses && accesses[access].known.index + 1u == end)
            memo->issued_at[access++] = memo->memo.cycles;
        if (vector < block->n_vectors && block->vectors[vector].index + 1u == end)
            memo->handed_at[vector++] = memo->memo.cycles - !part.after.slot_open;
        state = part.after;
    }
    return state;
}

/* Returns the memo of the same block in one of the last paths that it was new in; NULL if none has
 * it. */
static const struct a8_schedule_memo *memo_elsewhere(const struct a8_block *block, uint32_t key)
{
    struct schedule_memo *found = NULL;
    struct reader_entry *entry = block->entry.clone;
    for (unsigned i = 0; i < CLONES_ASKED && entry != NULL && found == NULL; i++) {
        found = schedule_memo_find(&a8_block_of(entry)->memos.memos, key);
        entry = entry->clone;
    }
    return found != NULL ? a8_found_memo(found) : NULL;
}

/* The copy has not run. */
static void copy_memo(struct a8_schedule_memo *memo, const struct a8_schedule_memo *from,
                      size_t n_times)
{
    memcpy(memo->issued_at, from->issued_at, n_times * sizeof memo->issued_at[0]);
    memo->memo.cycles = from->memo.cycles;
    memo->schedule = from->schedule;
    memo->fetches = from->fetches;
    memo->open_cycles = from->open_cycles;
    memo->flush_cycles = from->flush_cycles;
    memcpy(memo->after, from->after, sizeof memo->after);
    memcpy(memo->exit_cycles, from->exit_cycles, sizeof memo->exit_cycles);
}

static void make_memo(struct a8 *a8, const struct a8_block *block, struct a8_schedule_memo *memo)
{
    const struct schedule_state open = schedule_block(a8, block, memo);
    memo->fetches =
        a8_fetch_groups(a8, block->entry.start, block->entry.fall_through, memo->memo.key & 1);
    memo->open_cycles = open.slot_open;
    const struct schedule_state closed = schedule_wait(a8->core.machine, &open, memo->open_cycles);
    memo->after[0] = schedule_states_number(&a8->states, &open);
    memo->after[1] = schedule_states_number(&a8->states, &closed);
    memo->exit_cycles[0] = memo->memo.cycles;
    memo->flush_cycles =
        memo->memo.cycles + memo->open_cycles + a8->core.machine->branch_mispredict_cycles;
    memo->exit_cycles[1] =
        memo->memo.cycles + memo->open_cycles + a8->core.machine->branch_taken_bubble_cycles;
}

static struct a8_schedule_memo *new_memo(struct a8 *a8, struct a8_block *block, uint32_t key)
{
    const size_t n_times = block->entry.n_accesses + (size_t)block->n_vectors + block->n_preloads;
    struct a8_schedule_memo *memo = calloc(1, sizeof *memo + n_times * sizeof memo->issued_at[0]);
    if (memo == NULL)
        return NULL;
    memo->issued_at = (uint32_t *)(memo + 1);
    memo->handed_at = memo->issued_at + block->entry.n_accesses;
    memo->asked_at = memo->handed_at + block->n_vectors;
    memo->position.entry = &block->entry;
    memo->memo.key = key;
    const struct a8_schedule_memo *const known = memo_elsewhere(block, key);
    if (known != NULL)
        copy_memo(memo, known, n_times);
    else
        make_memo(a8, block, memo);
    if (memo->after[0] == SCHEDULE_NO_STATE || memo->after[1] == SCHEDULE_NO_STATE) {
        free(memo);
        return NULL;
    }
    reader_hold(a8->core.reader, memo);
    schedule_memo_add(&block->memos.memos, &memo->memo);
    return memo;
}

struct a8_schedule_memo *a8_find_memo(struct a8 *a8, struct a8_block *block, uint32_t key)
{
    if (key == IDLE_KEY && block->idle != NULL)
        return block->idle;
    struct schedule_memo *const found = schedule_memo_find(&block->memos.memos, key);
    if (found != NULL)
        return a8_found_memo(found);
    struct a8_schedule_memo *memo = new_memo(a8, block, key);
    if (key == IDLE_KEY)
        block->idle = memo;
    return memo;
}

static uint32_t move_state(struct schedule_states *to, const struct schedule_states *from,
                           uint32_t number)
{
    return schedule_states_number(to, schedule_states_at(from, number));
}

/* Numbers the states that are still in use again. Without memory the table stays as it is. */
void a8_forget_states(void *core)
{
    struct a8 *a8 = core;
    if (!schedule_states_are_full(&a8->states))
        return;
    struct schedule_states old = a8->states;
    if (schedule_states_init(&a8->states, old.state_bytes) != ARMPMU_OK) {
        a8->states = old;
        return;
    }
    READER_EACH_ENTRY(entry, a8->core.reader)
    {
        for (struct a8_schedule_memo *v = a8_first_memo(a8_block_of(entry)); v != NULL;
             v = a8_next_memo(v)) {
            v->memo.key = move_state(&a8->states, &old, v->memo.key >> 1) << 1 | (v->memo.key & 1);
            v->after[0] = move_state(&a8->states, &old, v->after[0]);
            v->after[1] = move_state(&a8->states, &old, v->after[1]);
        }
    }
    schedule_states_free(&old);
}
