/* Blocks of the Cortex-A8 model: what their instructions always do, added up once, and their
 * schedules from each state they are entered in. */
#include "base/array.h"
#include "cores/cortex_a8/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "isa/code.h"

/* Adds what an instruction that passes its condition always does; accesses that may not happen are
 * left out. */
void a8_add_insn(const struct insn *insn, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_INST_RETIRED]++;
    tally[ARMPMU_SIGNAL_BRANCH_IMMEDIATE] += insn->branch == BRANCH_IMMEDIATE;
    tally[ARMPMU_SIGNAL_CONTEXTIDR_WRITE] += insn->effect == EFFECT_CONTEXTIDR_WRITE;
    tally[ARMPMU_SIGNAL_SW_INCREMENT] += insn->effect == EFFECT_SW_INCREMENT;
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

static struct a8_access access_of(const struct insn *insn, unsigned index)
{
    const struct insn_memory *memory = &insn->memory;
    return (struct a8_access){
        .tag =
            (uint16_t)(armpmu_record(memory->multiple ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS,
                                     index) >>
                       ARMPMU_RECORD_INDEX_LSB),
        .index = (uint16_t)index,
        .store = memory->store,
        .neon = memory->neon,
        .multiple = memory->multiple,
        .optional = insn_is_conditional(insn) || (memory->exclusive && memory->store),
        .line_mask = LINE_MASK | (memory->align - 1u),
        .bytes = memory->bytes,
        .span = (uint8_t)(memory->bytes > memory->align ? memory->bytes - 1 : 0),
    };
}

/* What a block's instructions always do, and what its branch does when taken. */
struct sums {
    uint64_t per_run[ARMPMU_SIGNAL_COUNT];
    uint64_t per_taken[ARMPMU_SIGNAL_COUNT];
};

static void describe_branch(const struct a8 *a8, struct a8_block *block, const struct insn *last,
                            uint64_t address, struct sums *sums)
{
    const bool predict = a8->machine->branch_prediction == YESNO_YES;
    block->end = END_BRANCH;
    if (predict && last->branch == BRANCH_IMMEDIATE && !last->links)
        block->end = insn_is_conditional(last) ? END_CONDITIONAL : END_JUMP;
    block->indirect = last->branch != BRANCH_IMMEDIATE;
    block->returns_exception = last->branch == BRANCH_EXCEPTION_RETURN;
    const bool predictable = predict && !block->returns_exception;
    block->flow = (struct flow){
        .pc = address,
        .fall_through = block->fall_through,
        .target = last->target,
        .conditional = insn_is_conditional(last),
        .is_return = last->branch == BRANCH_RETURN,
        .links = last->links,
    };
    block->wrong[0] = a8_wrong_path(a8, block->flow.target);
    block->wrong[1] = a8_wrong_path(a8, block->flow.fall_through);
    sums->per_run[ARMPMU_SIGNAL_BRANCH_PREDICTABLE] = predictable;
    sums->per_taken[ARMPMU_SIGNAL_PC_WRITE] = 1;
    sums->per_taken[ARMPMU_SIGNAL_BRANCH_TAKEN] = predictable;
    sums->per_taken[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] = predictable; /* see branch() */
    sums->per_taken[ARMPMU_SIGNAL_BRANCH_RETURN] = last->branch == BRANCH_RETURN;
    sums->per_taken[ARMPMU_SIGNAL_EXCEPTION_RETURN] = block->returns_exception;
}

static void collect_accesses(struct a8_block *block, struct sums *sums)
{
    const struct block *code = block->code;
    bool single = true, fixed = true, regular = true;
    for (unsigned i = 0; i < code->n_insns; i++) {
        const struct insn *insn = &code->insns[i];
        if (insn->memory.bytes == 0)
            continue;
        struct a8_access *access = &block->accesses[block->n_accesses++];
        *access = access_of(insn, i);
        access->marked = access->mark_follows = access->optional && i + 1u < code->n_insns;
        access->at = block->n_records;
        block->n_records += 1 + access->multiple;
        regular &= !(insn->memory.load && insn->memory.store) && !insn->memory.exclusive;
        single &= !access->multiple && access->span == 0;
        fixed &= !access->optional;
        if (!access->optional)
            a8_add_access(access, insn, 1, sums->per_run);
    }
    if (block->n_accesses != 0)
        block->records = !regular ? RECORDS_IRREGULAR
                         : !fixed ? RECORDS_MIXED
                         : single ? RECORDS_SINGLE
                                  : RECORDS_FIXED;
}

static bool keep_increments(struct a8_block *block, const struct sums *sums)
{
    struct a8_increment increments[ARMPMU_SIGNAL_COUNT];
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        if (sums->per_run[signal] != 0 || sums->per_taken[signal] != 0)
            increments[block->n_increments++] =
                (struct a8_increment){(enum armpmu_signal)signal, (uint32_t)sums->per_run[signal],
                                      (uint32_t)sums->per_taken[signal]};
    }
    block->increments = malloc(block->n_increments * sizeof increments[0] + 1);
    if (block->increments == NULL)
        return false;
    memcpy(block->increments, increments, block->n_increments * sizeof increments[0]);
    return true;
}

static void describe(const struct a8 *a8, struct a8_block *block, struct sums *sums)
{
    const struct block *code = block->code;
    block->start = code->address;
    block->fall_through = code->address + code->n_bytes;
    if (code->n_insns == 0) { /* fetches nothing */
        block->first_line = 1;
        return;
    }
    const struct insn *last = &code->insns[code->n_insns - 1];
    block->first_line = (uint32_t)(block->start >> LINE_SHIFT);
    block->last_line = (uint32_t)((block->fall_through - 1) >> LINE_SHIFT);
    block->n_insns = code->n_insns;
    for (unsigned i = 0; i < code->n_insns; i++)
        a8_add_insn(&code->insns[i], sums->per_run);
    collect_accesses(block, sums);
    if (last->branch != BRANCH_NONE)
        describe_branch(a8, block, last, code->address + last->offset, sums);
    else if (last->effect == EFFECT_SYSCALL)
        block->end = END_SYSCALL;
}

static bool collect_vectors(const struct a8 *a8, struct a8_block *block)
{
    const struct block *code = block->code;
    struct neon_insn one;
    for (unsigned i = 0; i < code->n_insns; i++)
        block->n_vectors += neon_describe(a8->machine, &code->insns[i], i, &one);
    if (block->n_vectors == 0)
        return true;
    block->vectors = calloc(block->n_vectors, sizeof *block->vectors);
    if (block->vectors == NULL)
        return false;
    struct neon_insn *vector = block->vectors;
    for (unsigned i = 0; i < code->n_insns; i++)
        if (neon_describe(a8->machine, &code->insns[i], i, &one))
            *vector++ = one;
    return true;
}

/* After collect_accesses: they decide on the block's way. */
static bool collect_preloads(struct a8_block *block)
{
    const struct block *code = block->code;
    struct preload one;
    for (unsigned i = 0; i < code->n_insns; i++)
        block->n_preloads += preload_find(code, i, &one);
    if (block->n_preloads == 0)
        return true;
    block->records = RECORDS_IRREGULAR;
    block->preloads = calloc(block->n_preloads, sizeof *block->preloads);
    if (block->preloads == NULL)
        return false;
    struct preload *preload = block->preloads;
    for (unsigned i = 0; i < code->n_insns; i++)
        if (preload_find(code, i, &one))
            *preload++ = one;
    return true;
}

static unsigned count_accesses(const struct block *code)
{
    unsigned n = 0;
    for (unsigned i = 0; i < code->n_insns; i++)
        n += code->insns[i].memory.bytes != 0;
    return n;
}

static void free_parts(struct a8_block *block)
{
    free(block->preloads);
    free(block->vectors);
    free(block->increments);
    free(block);
}

static struct a8_block *new_block(struct a8 *a8, const struct block *code)
{
    struct sums sums = {{0}, {0}};
    struct a8_block *block =
        calloc(1, sizeof *block + count_accesses(code) * sizeof block->accesses[0]);
    if (block == NULL)
        return NULL;
    block->code = code;
    describe(a8, block, &sums);
    if (!keep_increments(block, &sums) || !collect_vectors(a8, block) || !collect_preloads(block)) {
        free_parts(block);
        return NULL;
    }
    code_use(&a8->share, code);
    code_hold(&a8->share, block->preloads);
    code_hold(&a8->share, block->vectors);
    code_hold(&a8->share, block->increments);
    code_hold(&a8->share, block);
    return block;
}

void a8_free_block(struct a8 *a8, struct a8_block *block)
{
    if (block == NULL)
        return;
    for (struct a8_schedule_memo *memo = block->memos; memo != NULL;) {
        struct a8_schedule_memo *sibling = memo->sibling;
        code_drop(&a8->share, memo);
        free(memo);
        memo = sibling;
    }
    code_unuse(&a8->share, block->code);
    code_drop(&a8->share, block->preloads);
    code_drop(&a8->share, block->vectors);
    code_drop(&a8->share, block->increments);
    code_drop(&a8->share, block);
    free_parts(block);
}

static struct a8_block *enter_block(struct a8 *a8, uint32_t id, const struct block *code)
{
    if (!ARRAY_RESERVE(a8->by_id, a8->n_ids, (size_t)id + 1) ||
        !ARRAY_RESERVE(a8->by_index, a8->n_index, (size_t)code->index + 1))
        return NULL;
    if (a8->by_index[code->index] == NULL)
        a8->by_index[code->index] = new_block(a8, code);
    return a8->by_id[id] = a8->by_index[code->index];
}

/* The block of an id met for the first time. */
enum armpmu_status a8_define_block(struct a8 *a8, uint32_t id, struct a8_block **out,
                                   struct armpmu_error *err)
{
    const struct block *code;
    const enum armpmu_status status =
        code_decoded(a8->share.code, id, a8_it(a8), CODE_AARCH32, &code, err);
    if (status != ARMPMU_OK)
        return status;
    *out = enter_block(a8, id, code);
    code_release(a8->share.code, code); /* the block uses it itself */
    return *out != NULL ? ARMPMU_OK : fail(err, ARMPMU_NO_MEMORY, "out of memory for block %u", id);
}

/* ---- schedule ---- */

uint32_t a8_fetch_groups(const struct a8 *a8, uint64_t start, uint64_t end, bool sequential)
{
    const uint64_t bytes = a8->machine->l1i_fetch_bytes;
    const uint64_t groups = (end - 1) / bytes - start / bytes + 1;
    return (uint32_t)(groups - (sequential && start % bytes != 0));
}

/* Schedules the block from one access or NEON instruction to the next, to know when each is made;
 * returns the state after it. */
static struct schedule_state schedule_block(const struct a8 *a8, const struct a8_block *block,
                                            struct a8_schedule_memo *memo)
{
    struct schedule_state state = *a8_state(a8, memo->key >> 1);
    uint32_t access = 0, vector = 0;
    for (unsigned first = 0, end; first < block->n_insns; first = end) {
        const unsigned at =
            access < block->n_accesses ? block->accesses[access].index + 1u : block->n_insns;
        end = vector < block->n_vectors && block->vectors[vector].index + 1u < at
                  ? block->vectors[vector].index + 1u
                  : at;
        struct schedule_result part;
        schedule_run(a8->machine, block->code, first, end, &state, &part);
        memo->cycles += part.cycles;
        memo->issued += part.issued;
        memo->operations += part.operations;
        if (access < block->n_accesses && block->accesses[access].index + 1u == end)
            memo->issued_at[access++] = memo->cycles;
        if (vector < block->n_vectors && block->vectors[vector].index + 1u == end)
            memo->handed_at[vector++] = memo->cycles - !part.after.slot_open;
        state = part.after;
    }
    return state;
}

static struct a8_schedule_memo *new_memo(struct a8 *a8, struct a8_block *block, uint32_t key)
{
    const size_t n_times = block->n_accesses + (size_t)block->n_vectors;
    struct a8_schedule_memo *memo = calloc(1, sizeof *memo + n_times * sizeof memo->issued_at[0]);
    if (memo == NULL)
        return NULL;
    memo->issued_at = (uint32_t *)(memo + 1);
    memo->handed_at = memo->issued_at + block->n_accesses;
    memo->block = block;
    memo->key = key;
    const struct schedule_state open = schedule_block(a8, block, memo);
    memo->fetches = a8_fetch_groups(a8, block->start, block->fall_through, key & 1);
    memo->open_cycles = open.slot_open;
    const struct schedule_state closed = schedule_wait(a8->machine, &open, memo->open_cycles);
    memo->after[0] = schedule_states_number(&a8->states, &open);
    memo->after[1] = schedule_states_number(&a8->states, &closed);
    memo->jump_cycles = memo->open_cycles + a8->machine->branch_taken_bubble_cycles;
    if (memo->after[0] == SCHEDULE_NO_STATE || memo->after[1] == SCHEDULE_NO_STATE) {
        free(memo);
        return NULL;
    }
    code_hold(&a8->share, memo);
    memo->sibling = block->memos;
    block->memos = memo;
    return memo;
}

struct a8_schedule_memo *a8_find_memo(struct a8 *a8, struct a8_block *block, uint32_t key)
{
    if (key == IDLE_KEY && block->idle != NULL)
        return block->idle;
    for (struct a8_schedule_memo **link = &block->memos; *link != NULL; link = &(*link)->sibling) {
        struct a8_schedule_memo *memo = *link;
        if (memo->key != key)
            continue;
        *link = memo->sibling; /* to the front */
        memo->sibling = block->memos;
        block->memos = memo;
        return memo;
    }
    struct a8_schedule_memo *memo = new_memo(a8, block, key);
    if (key == IDLE_KEY)
        block->idle = memo;
    return memo;
}
