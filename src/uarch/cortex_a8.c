/* The Cortex-A8 core model: executed blocks in, signals out.
 *
 * A block of the stream becomes an a8_block: what its instructions always do is added up once
 * (always), what its last branch does when taken too (when_taken), and its schedule is remembered
 * per entry state (a8_variant). Executing it then costs an increment, its line and access checks,
 * and its branch. Tallies are put together when somebody asks.
 *
 * Assumes: as uarch/schedule.h, uarch/predictor.h and uarch/cortex_a8_memory.h; the stream's
 * meaning is in armpmu/stream.h. A system call is an exception taken and an exception return, a
 * fault the program handles too.
 * Does not model: the kernel's own instructions, asynchronous interrupts (signals delivered between
 * two instructions), thumb interworking cost. */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "isa/code.h"
#include "isa/insn.h"
#include "uarch/core.h"
#include "uarch/cortex_a8_memory.h"
#include "uarch/predictor.h"
#include "uarch/schedule.h"
#include "uarch/schedule_table.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define IDLE_KEY (SCHEDULE_IDLE_ID << 1) /* nothing in flight, entered by a jump */

/* System calls by which a signal handler returns (Arm EABI numbers). */
enum { SYSCALL_SIGRETURN = 119, SYSCALL_RT_SIGRETURN = 173 };

struct a8_access {
    uint16_t tag; /* bits 63..48 of its ACCESS or RUN word */
    uint8_t align_mask;
    bool store, neon, multiple;
    bool optional;     /* may not happen although execution goes on: condition, STREX */
    bool mark_follows; /* the engine must mark the instruction after it */
    bool marked;       /* the engine does: also where it is not sure of the condition */
    uint16_t index;    /* instruction */
    uint16_t bytes;
    uint8_t span; /* bytes - 1, or 0 when no aligned address makes it cross a line */
};

/* A block's schedule from one entry state, and where it led: what running it again needs comes
 * first. */
struct a8_variant {
    /* The BLOCK word that came next when last nothing special happened, the schedule it led to and
     * the cycles up to the end of that: on to the next block in memory, or to where its branch,
     * correctly predicted, went. 0 where that never happened. */
    uint64_t next_word[2]; /* [taken] */
    struct a8_variant *next_variant[2];
    uint64_t left[2]; /* times it ran and was left, [1]: to next_variant[1] */
    uint32_t next_cycles[2];
    struct a8_block *block;
    uint32_t cycles;
    uint32_t key; /* interned entry state, bit 0: entered from the block before it in memory */
    struct a8_variant *sibling; /* of the same block */
    uint32_t after[2];          /* interned states: of going on, of a jump */
    uint32_t issued, operations, fetches;
    uint32_t open_cycles; /* 1 for a half-filled last cycle, which a jump closes */
    uint32_t jump_cycles; /* what a right predicted jump costs besides */
    uint32_t *issued_at;  /* cycle of each access's instruction, from the start of the block */
};

enum block_end {
    END_FALL_THROUGH,
    END_CONDITIONAL, /* direct branch, no call: the common cases of END_BRANCH ... */
    END_JUMP,        /* ... told apart for speed */
    END_BRANCH,
    END_SYSCALL,
};

/* The words that a block's accesses come as. */
enum block_words {
    WORDS_NONE,
    WORDS_SINGLE, /* one ACCESS each, every time */
    WORDS_MIXED,  /* some as RUN, some left out, some marked */
    WORDS_ODD,    /* some as two of the same instruction (SWP, store-exclusive) */
};

struct a8_block {
    uint64_t start;
    uint32_t first_line, last_line;
    uint32_t fetched_at; /* memory.fetch_epoch when its lines were last seen to hit */
    uint32_t n_accesses;
    struct a8_access *accesses;
    enum block_end end;
    enum block_words words;
    bool indirect; /* target not known from the instruction */
    bool returns_exception;
    uint64_t taken;              /* times its branch was taken, without those in its variants */
    const struct btb_entry *btb; /* where the branch was last found in the BTB */
    struct a8_variant *variants; /* the last one used first */
    struct flow flow;            /* of the last branch */
    uint64_t fall_through;
    uint32_t n_insns;
    const struct block *code;
    uint64_t always[ARMPMU_SIGNAL_COUNT];
    uint64_t when_taken[ARMPMU_SIGNAL_COUNT];
};

/* A conditional branch whose direction an asynchronous signal hid: it shows when the handler
 * returns. */
#define INTERRUPTED_MAX 16

struct a8 {
    struct a8_memory memory;
    struct predictor predictor;
    struct schedule_table states;
    uint64_t tally[ARMPMU_SIGNAL_COUNT]; /* what blocks and variants do not hold */

    uint64_t flushed_taken; /* branches predicted taken that flushed */

    struct a8_variant *variant; /* of the last block; nowhere at a start and after a fault */
    struct a8_variant nowhere;  /* of no block, leads to none */
    struct a8_block **by_id;
    uint32_t n_ids;
    struct a8_block **by_index; /* by dense block number */
    uint32_t n_index;

    bool cut;    /* the last block was cut short by a fault */
    bool steady; /* the last block was left by the way its schedule goes on, with nothing lost */
    bool called; /* the last block ended with a system call that was made */
    uint32_t syscall;
    struct a8_block *interrupted[INTERRUPTED_MAX];
    uint32_t n_interrupted;

    /* Intervals; period 0 for none. clock: cycles or instructions, the latter counted only here. */
    enum armpmu_signal clock;
    uint64_t retired, next_end, period, interval;
    armpmu_interval_fn on_interval;
    void *interval_user;

    struct armpmu_code *code;
    const struct armpmu_machine *machine;
};

/* ---- blocks ---- */

static bool ends_with_branch(const struct a8_block *block)
{
    return block->end == END_CONDITIONAL || block->end == END_JUMP || block->end == END_BRANCH;
}

/* Adds what an instruction that passes its condition always does; accesses that may not happen are
 * left out. */
static void add_insn(const struct insn *insn, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_INST_RETIRED]++;
    tally[ARMPMU_SIGNAL_BRANCH_IMMEDIATE] += insn->branch == BRANCH_IMMEDIATE;
    tally[ARMPMU_SIGNAL_CONTEXTIDR_WRITE] += insn->effect == EFFECT_CONTEXTIDR_WRITE;
    tally[ARMPMU_SIGNAL_SW_INCREMENT] += insn->effect == EFFECT_SW_INCREMENT;
}

static void add_access(const struct a8_access *access, const struct insn *insn, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_LOAD_RETIRED] += insn->memory.load;
    tally[ARMPMU_SIGNAL_STORE_RETIRED] += insn->memory.store;
    tally[ARMPMU_SIGNAL_L1D_ACCESS]++;
    tally[ARMPMU_SIGNAL_NEON_L1D_ACCESS] += access->neon;
    tally[ARMPMU_SIGNAL_NEON_L1D_HIT] += access->neon;
}

static struct a8_access access_of(const struct insn *insn, unsigned index)
{
    const struct insn_memory *memory = &insn->memory;
    return (struct a8_access){
        .tag = (uint16_t)(armpmu_word(memory->multiple ? ARMPMU_WORD_RUN : ARMPMU_WORD_ACCESS,
                                      index) >>
                          ARMPMU_WORD_INDEX_LSB),
        .index = (uint16_t)index,
        .store = memory->store,
        .neon = memory->neon,
        .multiple = memory->multiple,
        .optional = insn_is_conditional(insn) || (memory->exclusive && memory->store),
        .align_mask = (uint8_t)(memory->align - 1),
        .bytes = memory->bytes,
        .span = (uint8_t)(memory->bytes > memory->align ? memory->bytes - 1 : 0),
    };
}

static void describe_branch(struct a8_block *block, const struct insn *last, uint64_t address,
                            bool predict)
{
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
    block->always[ARMPMU_SIGNAL_BRANCH_PREDICTABLE] = predictable;
    block->when_taken[ARMPMU_SIGNAL_PC_WRITE] = 1;
    block->when_taken[ARMPMU_SIGNAL_BRANCH_TAKEN] = predictable;
    block->when_taken[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] = predictable; /* see branch() */
    block->when_taken[ARMPMU_SIGNAL_BRANCH_RETURN] = last->branch == BRANCH_RETURN;
    block->when_taken[ARMPMU_SIGNAL_EXCEPTION_RETURN] = block->returns_exception;
}

static void collect_accesses(struct a8_block *block, const struct block *code)
{
    bool single = true, regular = true;
    for (unsigned i = 0; i < code->n_insns; i++) {
        const struct insn *insn = &code->insns[i];
        if (insn->memory.bytes == 0)
            continue;
        struct a8_access *access = &block->accesses[block->n_accesses++];
        *access = access_of(insn, i);
        access->marked = access->mark_follows = access->optional && i + 1u < code->n_insns;
        regular &= !(insn->memory.load && insn->memory.store) && !insn->memory.exclusive;
        single &= !access->optional && !access->multiple && access->span == 0;
        if (!access->optional)
            add_access(access, insn, block->always);
    }
    if (block->n_accesses != 0)
        block->words = !regular ? WORDS_ODD : single ? WORDS_SINGLE : WORDS_MIXED;
}

static struct a8_block *new_block(const struct a8 *a8, const struct block *code)
{
    struct a8_block *block = calloc(1, sizeof *block);
    if (block == NULL)
        return NULL;
    block->accesses = calloc(code->n_insns + 1u, sizeof *block->accesses);
    if (block->accesses == NULL) {
        free(block);
        return NULL;
    }
    block->code = code;
    block->start = code->address;
    block->fall_through = code->address + code->n_bytes;
    block->first_line = (uint32_t)(block->start >> LINE_SHIFT);
    block->last_line = (uint32_t)((block->fall_through - 1) >> LINE_SHIFT);
    block->n_insns = code->n_insns;
    for (unsigned i = 0; i < code->n_insns; i++)
        add_insn(&code->insns[i], block->always);
    collect_accesses(block, code);
    const struct insn *last = &code->insns[code->n_insns - 1];
    if (last->branch != BRANCH_NONE)
        describe_branch(block, last, code->address + last->offset,
                        a8->machine->branch_prediction == YESNO_YES);
    else if (last->effect == EFFECT_SYSCALL)
        block->end = END_SYSCALL;
    return block;
}

static void free_variant(struct a8_variant *variant)
{
    free(variant->issued_at);
    free(variant);
}

static void free_block(struct a8_block *block)
{
    if (block == NULL)
        return;
    for (struct a8_variant *variant = block->variants; variant != NULL;) {
        struct a8_variant *sibling = variant->sibling;
        free_variant(variant);
        variant = sibling;
    }
    free(block->accesses);
    free(block);
}

static bool grow(struct a8_block ***table, uint32_t *size, uint32_t index)
{
    if (index < *size)
        return true;
    uint32_t wanted = *size == 0 ? 1024 : *size;
    while (wanted <= index)
        wanted *= 2;
    struct a8_block **grown = realloc(*table, wanted * sizeof **table);
    if (grown == NULL)
        return false;
    memset(grown + *size, 0, (wanted - *size) * sizeof **table);
    *table = grown;
    *size = wanted;
    return true;
}

/* The block of an id met for the first time. */
static enum armpmu_status define_block(struct a8 *a8, uint32_t id, struct a8_block **out,
                                       struct armpmu_error *err)
{
    enum armpmu_status status;
    const uint8_t it = a8->variant->block != NULL ? a8->variant->block->code->it_after : 0;
    const struct block *code = code_block(a8->code, id, it, &status);
    if (code == NULL)
        return fail(err, status, "the engine's stream names block %u, which it never defined", id);
    if (!grow(&a8->by_id, &a8->n_ids, id) || !grow(&a8->by_index, &a8->n_index, code->index))
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for %u blocks", id);
    if (a8->by_index[code->index] == NULL)
        a8->by_index[code->index] = new_block(a8, code);
    if (a8->by_index[code->index] == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for block %u", id);
    *out = a8->by_id[id] = a8->by_index[code->index];
    return ARMPMU_OK;
}

/* ---- schedule ---- */

static uint32_t fetch_groups(const struct a8 *a8, uint64_t start, uint64_t end, bool sequential)
{
    const uint64_t bytes = a8->machine->l1i_fetch_bytes;
    const uint64_t groups = (end - 1) / bytes - start / bytes + 1;
    return (uint32_t)(groups - (sequential && start % bytes != 0));
}

/* Schedules the block from one access to the next, to know when each is made; returns the state
 * after it. */
static struct schedule_state schedule_block(const struct a8 *a8, const struct a8_block *block,
                                            struct a8_variant *variant)
{
    struct schedule_state state = *schedule_state_of(&a8->states, variant->key >> 1);
    unsigned first = 0;
    for (uint32_t i = 0; i <= block->n_accesses; i++) {
        const unsigned end = i < block->n_accesses ? block->accesses[i].index + 1u : block->n_insns;
        struct schedule_result part;
        schedule_run(a8->machine, block->code, first, end, &state, &part);
        variant->cycles += part.cycles;
        variant->issued += part.issued;
        variant->operations += part.operations;
        if (i < block->n_accesses)
            variant->issued_at[i] = variant->cycles;
        state = part.after;
        first = end;
    }
    return state;
}

static struct a8_variant *new_variant(struct a8 *a8, struct a8_block *block, uint32_t key)
{
    struct a8_variant *variant = calloc(1, sizeof *variant);
    if (variant == NULL)
        return NULL;
    variant->issued_at = calloc(block->n_accesses + 1u, sizeof *variant->issued_at);
    if (variant->issued_at == NULL) {
        free(variant);
        return NULL;
    }
    variant->block = block;
    variant->key = key;
    const struct schedule_state open = schedule_block(a8, block, variant);
    variant->fetches = fetch_groups(a8, block->start, block->fall_through, key & 1);
    variant->open_cycles = open.slot_open;
    const struct schedule_state closed = schedule_wait(a8->machine, &open, variant->open_cycles);
    variant->after[0] = schedule_intern(&a8->states, &open);
    variant->after[1] = schedule_intern(&a8->states, &closed);
    variant->jump_cycles = variant->open_cycles + a8->machine->branch_taken_bubble_cycles;
    if (variant->after[0] == SCHEDULE_NO_STATE || variant->after[1] == SCHEDULE_NO_STATE) {
        free_variant(variant);
        return NULL;
    }
    variant->sibling = block->variants;
    block->variants = variant;
    return variant;
}

static uint32_t sequential_key(const struct a8_variant *variant)
{
    return variant->after[0] << 1 | 1;
}

static uint32_t jump_key(const struct a8_variant *variant)
{
    return variant->after[1] << 1;
}

static struct a8_variant *find_variant(struct a8 *a8, struct a8_block *block, uint32_t key)
{
    for (struct a8_variant **link = &block->variants; *link != NULL; link = &(*link)->sibling) {
        struct a8_variant *variant = *link;
        if (variant->key != key)
            continue;
        *link = variant->sibling; /* to the front */
        variant->sibling = block->variants;
        block->variants = variant;
        return variant;
    }
    return new_variant(a8, block, key);
}

/* ---- flow ---- */

static void fetch_wrong_path(struct a8 *a8, uint64_t address)
{
    const uint64_t bytes = a8->machine->l1i_fetch_bytes;
    const uint64_t fetches = a8->machine->branch_wrong_path_fetches;
    if (fetches == 0)
        return;
    a8->tally[ARMPMU_SIGNAL_L1I_ACCESS] += fetches;
    const uint64_t last = (address / bytes + fetches) * bytes - 1;
    for (uint64_t line = address >> LINE_SHIFT; line <= last >> LINE_SHIFT; line++) {
        if (!filter_has(&a8->memory.fetch, line))
            a8_fetch_line(&a8->memory, line, true);
    }
}

static void flush(struct a8 *a8, unsigned result, uint64_t wrong_path)
{
    const uint32_t cycles = a8->machine->branch_mispredict_cycles;
    a8->tally[ARMPMU_SIGNAL_BRANCH_FLUSH]++;
    a8->tally[ARMPMU_SIGNAL_DIRECTION_MISPREDICT] += (result & FLOW_WRONG_DIRECTION) != 0;
    a8->tally[ARMPMU_SIGNAL_RETURN_MISPREDICT] += (result & FLOW_WRONG_RETURN) != 0;
    a8->tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += cycles;
    a8->memory.now += cycles;
    fetch_wrong_path(a8, wrong_path);
}

/* The next block starts with nothing in flight, cycles later. */
static uint32_t restart(struct a8 *a8, uint32_t cycles)
{
    a8->memory.now += cycles;
    a8->tally[ARMPMU_SIGNAL_ISSUE_EMPTY] += cycles;
    return IDLE_KEY;
}

static uint32_t exception_entry(struct a8 *a8)
{
    a8->tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
    return restart(a8, a8->machine->exception_entry_cycles);
}

static uint32_t exception_return(struct a8 *a8)
{
    a8->tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    return restart(a8, a8->machine->exception_return_cycles);
}

/* The last block's branch was executed; returns the key of the next block's schedule. */
static uint32_t branch(struct a8 *a8, struct a8_block *block, bool taken, uint64_t target)
{
    const struct a8_variant *variant = a8->variant;
    block->taken += taken;
    if (unlikely(block->returns_exception))
        return taken ? restart(a8, a8->machine->exception_return_cycles) : sequential_key(variant);
    if (predictor_agrees(&a8->predictor, &block->flow, taken, target)) {
        block->btb = predictor_find(&a8->predictor, block->flow.pc);
        a8->memory.now += taken ? variant->jump_cycles : 0;
        a8->steady = true;
        return taken ? jump_key(variant) : sequential_key(variant);
    }
    uint64_t wrong_path;
    struct flow flow = block->flow;
    flow.taken = taken;
    flow.target = target;
    const unsigned result = predictor_branch(&a8->predictor, &flow, &wrong_path);
    /* A taken branch counts as predicted taken unless it is found here that it was not. */
    const bool predicted = result & FLOW_PREDICTED_TAKEN;
    a8->tally[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] +=
        a8->predictor.enabled ? (uint64_t)predicted - taken : 0;
    a8->flushed_taken += predicted;
    a8->memory.now += variant->open_cycles;
    flush(a8, result, wrong_path);
    return IDLE_KEY;
}

static uint64_t insn_address(const struct a8_block *block, unsigned index)
{
    return block->start + block->code->insns[index].offset;
}

/* The last block executed only its first n instructions: puts its tallies right. */
static void cut_short(struct a8 *a8, struct a8_block *block, unsigned n)
{
    struct a8_variant *variant = a8->variant;
    const struct schedule_state before = *schedule_state_of(&a8->states, variant->key >> 1);
    struct schedule_result result;
    schedule_run(a8->machine, block->code, 0, n, &before, &result);
    a8->memory.now += (uint64_t)result.cycles + result.after.slot_open - variant->cycles;
    a8->retired += n;
    a8->tally[ARMPMU_SIGNAL_INST_ISSUED] += result.issued;
    a8->tally[ARMPMU_SIGNAL_OPERATION_ISSUED] += result.operations;
    const uint64_t end = n < block->n_insns ? insn_address(block, n) + block->code->insns[n].size
                                            : block->fall_through;
    a8->tally[ARMPMU_SIGNAL_L1I_ACCESS] += fetch_groups(a8, block->start, end, variant->key & 1);
    for (unsigned i = 0; i < n; i++)
        add_insn(&block->code->insns[i], a8->tally);
    for (uint32_t i = 0; i < block->n_accesses && block->accesses[i].index < n; i++) {
        const struct a8_access *access = &block->accesses[i];
        if (!access->optional)
            add_access(access, &block->code->insns[access->index], a8->tally);
    }
    a8->cut = true;
    a8->variant = &a8->nowhere;
    exception_entry(a8);
}

/* Whether an instruction of this effect may be refused instead of executed. */
static bool may_trap(enum insn_effect effect)
{
    switch (effect) {
    case EFFECT_UNDEFINED:
    case EFFECT_BREAKPOINT:
    case EFFECT_SYSTEM:
    case EFFECT_CONTEXTIDR_WRITE: /* privileged modes only */
    case EFFECT_SW_INCREMENT:     /* in User mode only when it is enabled */
        return true;
    case EFFECT_NONE:
    case EFFECT_SYSCALL:
        return false;
    }
    return false;
}

/* The next block is none that the last one leads to. Either its last instruction faulted, or an
 * asynchronous signal came after it. */
static uint32_t discontinuity(struct a8 *a8, struct a8_block *block)
{
    const unsigned last = block->n_insns - 1;
    const enum insn_effect effect = block->code->insns[last].effect;
    if (may_trap(effect)) {
        cut_short(a8, block, last);
        a8->cut = false;
        return exception_return(a8);
    }
    if (ends_with_branch(block) && block->flow.conditional) {
        if (a8->n_interrupted == INTERRUPTED_MAX) {
            memmove(a8->interrupted, a8->interrupted + 1,
                    (INTERRUPTED_MAX - 1) * sizeof a8->interrupted[0]);
            a8->n_interrupted--;
        }
        a8->interrupted[a8->n_interrupted++] = block;
    } else if (ends_with_branch(block)) {
        block->taken++;
    }
    return IDLE_KEY;
}

/* A signal handler returned to `start`: a branch it hid may show its direction. */
static void resume(struct a8 *a8, uint64_t start)
{
    if (a8->n_interrupted == 0)
        return;
    struct a8_block *block = a8->interrupted[a8->n_interrupted - 1];
    if (start != block->flow.target && start != block->fall_through)
        return;
    block->taken += start != block->fall_through;
    a8->n_interrupted--;
}

/* The last block ended with SVC. Without a word about it the call was one of the few that QEMU
 * answers itself (set_tls, cacheflush), or its condition failed. */
static uint32_t leave_syscall(struct a8 *a8, const struct a8_block *block,
                              const struct a8_block *next)
{
    if (a8->called) {
        a8->called = false;
        if (a8->syscall == SYSCALL_SIGRETURN || a8->syscall == SYSCALL_RT_SIGRETURN)
            resume(a8, next->start);
        return IDLE_KEY;
    }
    if (insn_is_conditional(&block->code->insns[block->n_insns - 1]))
        return sequential_key(a8->variant);
    a8->memory.now += a8->variant->open_cycles;
    exception_entry(a8);
    return exception_return(a8);
}

/* Settles how the last block ended, now that the next one is known; returns the key of the
 * next block's schedule. */
static uint32_t leave(struct a8 *a8, const struct a8_block *next)
{
    struct a8_block *block = a8->variant->block;
    if (a8->cut) {
        a8->cut = false;
        return exception_return(a8);
    }
    if (block == NULL)
        return IDLE_KEY;
    if (ends_with_branch(block)) {
        if (block->indirect)
            return branch(a8, block, !block->flow.conditional || next->start != block->fall_through,
                          next->start);
        if (next->start == block->fall_through && block->flow.conditional)
            return branch(a8, block, false, 0);
        if (next->start == block->flow.target)
            return branch(a8, block, true, block->flow.target);
        return discontinuity(a8, block);
    }
    if (block->end == END_SYSCALL)
        return leave_syscall(a8, block, next);
    if (next->start != block->fall_through)
        return discontinuity(a8, block);
    a8->steady = true;
    return sequential_key(a8->variant);
}

/* ---- data accesses ---- */

static void access_lines(struct a8 *a8, const struct a8_access *access, uint32_t address)
{
    uint32_t left = access->bytes;
    for (bool first = true; left != 0; first = false) {
        const uint32_t room = LINE_BYTES - (address & (LINE_BYTES - 1));
        const uint32_t here = left < room ? left : room;
        if (!first) {
            a8->tally[ARMPMU_SIGNAL_L1D_ACCESS]++;
            a8->tally[ARMPMU_SIGNAL_NEON_L1D_ACCESS] += access->neon;
            a8->tally[ARMPMU_SIGNAL_NEON_L1D_HIT] += access->neon;
        }
        a8_data_access(&a8->memory, address, here, access->store, access->neon);
        address += here;
        left -= here;
    }
}

static void unaligned(struct a8 *a8, const struct a8_access *access, uint64_t address)
{
    a8->tally[ARMPMU_SIGNAL_UNALIGNED_RETIRED]++;
    const uint64_t boundary = access->store ? a8->machine->replay_store_boundary_bytes
                                            : a8->machine->replay_load_boundary_bytes;
    if (access->neon || (address & (boundary - 1)) + access->bytes <= boundary)
        return;
    a8->tally[ARMPMU_SIGNAL_UNALIGNED_REPLAY]++;
    a8->tally[ARMPMU_SIGNAL_REPLAY]++;
    a8->memory.now += a8->machine->replay_unaligned_cycles;
}

/* An access that may miss, cross a line or be unaligned. The clock already stands at the end of the
 * block: it goes back to the access while the memory system looks at it, for what drains and
 * arrives in between. */
static __attribute__((noinline)) void access_data(struct a8 *a8, const struct a8_access *access,
                                                  uint32_t address)
{
    const struct a8_variant *variant = a8->variant;
    const uint32_t later = variant->cycles - variant->issued_at[access - variant->block->accesses];
    if (unlikely((address & access->align_mask) != 0))
        unaligned(a8, access, address);
    a8->memory.now -= later;
    access_lines(a8, access, address);
    a8->memory.now += later;
}

/* Where a block ended early, when its accesses from `next` on are missing and execution is known
 * to have passed all instructions before `reached`: n_insns if nothing is missing. */
static unsigned first_missing(const struct a8_block *block, uint32_t next, unsigned reached)
{
    for (uint32_t i = next; i < block->n_accesses; i++) {
        const struct a8_access *access = &block->accesses[i];
        if (!access->optional || (access->mark_follows && access->index >= reached))
            return access->index;
    }
    return block->n_insns;
}

/* A block whose instruction set the engine did not know has words for the worst case: RUN for one
 * access, MARK where nothing is conditional. Remembers that of an access, so that the block takes a
 * faster way the next time. */
static void learn_words(struct a8_block *block, struct a8_access *access,
                        enum armpmu_word_kind kind)
{
    if (block->words == WORDS_SINGLE)
        block->words = WORDS_MIXED;
    if (kind == ARMPMU_WORD_MARK) {
        access->marked = true;
        return;
    }
    access->multiple = kind == ARMPMU_WORD_RUN;
    access->tag = (uint16_t)(armpmu_word(kind, access->index) >> ARMPMU_WORD_INDEX_LSB);
}

/* Accesses of a block, from number `next` on, of which some may be missing. Returns the word behind
 * them. */
static const uint64_t *odd_accesses(struct a8 *a8, struct a8_block *block, uint32_t next,
                                    const uint64_t *word, const uint64_t *end)
{
    unsigned reached = 0, stop = block->n_insns;
    while (word < end && stop == block->n_insns) {
        const enum armpmu_word_kind kind = armpmu_word_kind(*word);
        if (kind != ARMPMU_WORD_ACCESS && kind != ARMPMU_WORD_RUN && kind != ARMPMU_WORD_MARK)
            break;
        const unsigned index = armpmu_word_index(*word);
        const uint64_t address = armpmu_word_address(*word++);
        while (next < block->n_accesses && block->accesses[next].index < index)
            next++;
        reached = index;
        if (kind == ARMPMU_WORD_MARK) {
            if (next > 0 && block->accesses[next - 1].index + 1u == index)
                learn_words(block, &block->accesses[next - 1], kind);
            continue;
        }
        const uint32_t covered = kind == ARMPMU_WORD_RUN && word < end ? (uint32_t)*word++ : 0;
        if (next == block->n_accesses || block->accesses[next].index != index)
            continue; /* the second half of a swap or of a store-exclusive */
        struct a8_access *access = &block->accesses[next];
        if (kind == ARMPMU_WORD_RUN && covered < access->bytes) {
            stop = index;
            continue;
        }
        if (access->multiple != (kind == ARMPMU_WORD_RUN))
            learn_words(block, access, kind);
        if (access->optional)
            add_access(access, &block->code->insns[index], a8->tally);
        access_data(a8, access, (uint32_t)address);
        next++;
    }
    if (stop == block->n_insns)
        stop = first_missing(block, next, reached);
    if (unlikely(stop != block->n_insns))
        cut_short(a8, block, stop);
    return word;
}

/* Whether an access is a hit that changes nothing but static counts, given that it stays in one
 * line; adds its colour alias, if it is one. */
static inline bool is_quiet(const struct a8_memory *memory, const struct a8_access *access,
                            uint32_t address, uint32_t *aliased)
{
    const uint32_t known = filter_entry(&memory->data[access->store], address);
    if (!likely(filter_matches(known, address, access->align_mask)))
        return false;
    *aliased += known & FILTER_ALIAS;
    return true;
}

/* Accesses of a block that come as one ACCESS word each; returns the word behind them. Each comes
 * once and in order, so the last one's word in its place shows that none is missing. */
static inline const uint64_t *single_accesses(struct a8 *a8, struct a8_block *block,
                                              const uint64_t *word, const uint64_t *end)
{
    const struct a8_access *access = block->accesses;
    const uint32_t n = block->n_accesses;
    if (unlikely((size_t)(end - word) < n ||
                 word[n - 1] >> ARMPMU_WORD_INDEX_LSB != access[n - 1].tag))
        return odd_accesses(a8, block, 0, word, end);
    uint32_t aliased = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (unlikely(!is_quiet(&a8->memory, &access[i], (uint32_t)word[i], &aliased)))
            access_data(a8, &access[i], (uint32_t)word[i]);
    }
    a8->tally[ARMPMU_SIGNAL_L1D_COLOUR_ALIAS] += aliased / FILTER_ALIAS;
    return word + n;
}

/* Whether the words start with an access, whole. */
static inline bool comes_next(const struct a8_access *access, const uint64_t *word,
                              const uint64_t *end)
{
    if (word == end || *word >> ARMPMU_WORD_INDEX_LSB != access->tag)
        return false;
    return !access->multiple || (end - word >= 2 && word[1] == access->bytes);
}

/* Accesses of a block of which some are register lists or conditional. */
static const uint64_t *mixed_accesses(struct a8 *a8, struct a8_block *block, const uint64_t *word,
                                      const uint64_t *end)
{
    uint32_t aliased = 0;
    for (uint32_t i = 0; i < block->n_accesses; i++) {
        const struct a8_access *access = &block->accesses[i];
        const bool happened = comes_next(access, word, end);
        const uint64_t *mark = word + (happened ? 1 + access->multiple : 0);
        if (unlikely(
                (!happened && !access->optional) ||
                (access->marked &&
                 (mark == end || *mark != armpmu_word(ARMPMU_WORD_MARK, access->index + 1u))))) {
            word = odd_accesses(a8, block, i, word, end);
            break;
        }
        if (happened) {
            const uint32_t address = (uint32_t)*word;
            if (access->optional)
                add_access(access, &block->code->insns[access->index], a8->tally);
            if (unlikely(address >> LINE_SHIFT != (address + access->span) >> LINE_SHIFT ||
                         !is_quiet(&a8->memory, access, address, &aliased)))
                access_data(a8, access, (uint32_t)address);
        }
        word = mark + access->marked;
    }
    a8->tally[ARMPMU_SIGNAL_L1D_COLOUR_ALIAS] += aliased / FILTER_ALIAS;
    return word;
}

/* Accesses of a block; returns the word behind them. */
static inline const uint64_t *accesses(struct a8 *a8, struct a8_block *block, const uint64_t *word,
                                       const uint64_t *end)
{
    switch (block->words) {
    case WORDS_NONE:
        return word;
    case WORDS_SINGLE:
        return single_accesses(a8, block, word, end);
    case WORDS_MIXED:
        return mixed_accesses(a8, block, word, end);
    case WORDS_ODD:
        return odd_accesses(a8, block, 0, word, end);
    }
    return word;
}

/* ---- the stream ---- */

static void end_intervals(struct a8 *a8, const struct a8_block *block)
{
    a8->retired += a8->cut ? 0 : block->n_insns;
    const uint64_t now = a8->clock == ARMPMU_SIGNAL_INST_RETIRED ? a8->retired : a8->memory.now;
    while (now >= a8->next_end) {
        a8->next_end += a8->period;
        a8->on_interval(a8->interval_user, ++a8->interval);
    }
}

static void fetch_lines(struct a8 *a8, struct a8_block *block)
{
    const uint32_t epoch = a8->memory.fetch_epoch; /* before: a line may displace another */
    for (uint32_t line = block->first_line; line <= block->last_line; line++) {
        if (!filter_has(&a8->memory.fetch, line))
            a8_fetch_line(&a8->memory, line, false);
    }
    if (a8->memory.fetch_filtered)
        block->fetched_at = epoch;
}

/* Leaves the last block for the one a word names, the long way; returns that one's schedule, NULL
 * without memory. Remembers the way when nothing special happened on it. */
static struct a8_variant *enter(struct a8 *a8, struct a8_block *block, uint64_t word)
{
    struct a8_variant *from = a8->variant;
    a8->steady = false;
    const uint32_t key = leave(a8, block);
    if (a8->variant == from)
        from->left[0]++; /* it was not cut short */
    struct a8_variant *variant = block->variants;
    if (variant == NULL || variant->key != key)
        variant = find_variant(a8, block, key);
    if (variant == NULL)
        return NULL;
    if (a8->steady) {
        const bool taken = (key & 1) == 0;
        from->next_word[taken] = word;
        from->next_variant[taken] = variant;
        from->next_cycles[taken] = (taken ? from->jump_cycles : 0) + variant->cycles;
    }
    a8->memory.now += variant->cycles;
    return variant;
}

/* Whether the direct branch that ends a block is predicted right: predictor_agrees for the common
 * case that it hits the BTB where it did last time. */
static inline bool agrees_quickly(struct predictor *predictor, const struct a8_block *block,
                                  bool taken)
{
    if (unlikely(block->btb == NULL || block->btb->pc != block->flow.pc ||
                 block->btb->target != block->flow.target))
        return predictor_agrees(predictor, &block->flow, taken, block->flow.target);
    if (block->end == END_JUMP)
        return true;
    uint8_t *counter = predictor_counter(predictor, block->flow.pc);
    if (unlikely((*counter >> 1 != 0) != taken))
        return false;
    predictor_learn_direction(predictor, counter, taken);
    return true;
}

/* Whether the predictor agrees with the way a block's schedule was left before. */
static inline bool agrees(struct a8 *a8, const struct a8_variant *from, bool taken)
{
    const struct a8_block *block = from->block;
    if (block->end == END_FALL_THROUGH)
        return true;
    if (block->end == END_BRANCH)
        return predictor_agrees(&a8->predictor, &block->flow, taken,
                                from->next_variant[taken]->block->start);
    return agrees_quickly(&a8->predictor, block, taken);
}

/* Leaves a block by a way taken before, if the word names one and the predictor agrees; returns the
 * next schedule, else NULL. The two ways are told apart by a branch, not by an index: the host
 * predicts it, and the next schedule does not have to wait for the word. */
static inline struct a8_variant *follow(struct a8 *a8, struct a8_variant *from, uint64_t word)
{
    if (word == from->next_word[1]) {
        if (unlikely(!agrees(a8, from, true)))
            return NULL;
        from->left[1]++;
        a8->memory.now += from->next_cycles[1];
        return from->next_variant[1];
    }
    if (likely(word == from->next_word[0]) && likely(agrees(a8, from, false))) {
        from->left[0]++;
        a8->memory.now += from->next_cycles[0];
        return from->next_variant[0];
    }
    return NULL;
}

static void other_word(struct a8 *a8, uint64_t word)
{
    switch (armpmu_word_kind(word)) {
    case ARMPMU_WORD_SYSCALL:
        a8->called = true;
        a8->syscall = (uint32_t)word;
        a8->memory.now += a8->variant->open_cycles;
        exception_entry(a8);
        break;
    case ARMPMU_WORD_SYSRET:
        exception_return(a8);
        break;
    case ARMPMU_WORD_LOST:
        a8->variant->left[0]++;
        a8->variant = &a8->nowhere;
        break;
    case ARMPMU_WORD_ACCESS: /* of an instruction the decoder takes for one without */
    case ARMPMU_WORD_RUN:
    case ARMPMU_WORD_MARK:
    case ARMPMU_WORD_BYTES:
    case ARMPMU_WORD_BLOCK:
        break;
    }
}

/* Enters the block of a word by any way but those taken before. */
static enum armpmu_status enter_word(struct a8 *a8, uint64_t word, struct a8_variant **out,
                                     struct armpmu_error *err)
{
    const uint32_t id = (uint32_t)word;
    struct a8_block *block = id < a8->n_ids ? a8->by_id[id] : NULL;
    if (unlikely(block == NULL)) {
        enum armpmu_status status = define_block(a8, id, &block, err);
        if (status != ARMPMU_OK)
            return status;
    }
    *out = enter(a8, block, word);
    return *out != NULL ? ARMPMU_OK : fail(err, ARMPMU_NO_MEMORY, "out of memory for schedules");
}

static enum armpmu_status run(void *state, const uint64_t *words, size_t n_words,
                              struct armpmu_error *err)
{
    struct a8 *a8 = state;
    const uint64_t *word = words, *const end = words + n_words;
    struct a8_variant *variant = a8->variant;
    while (word < end) {
        variant = follow(a8, variant, *word);
        if (unlikely(variant == NULL)) {
            if (armpmu_word_kind(*word) != ARMPMU_WORD_BLOCK) {
                other_word(a8, *word++);
                variant = a8->variant;
                continue;
            }
            enum armpmu_status status = enter_word(a8, *word, &variant, err);
            if (unlikely(status != ARMPMU_OK))
                return status;
        }
        struct a8_block *block = variant->block;
        a8->variant = variant;
        if (unlikely(block->fetched_at != a8->memory.fetch_epoch))
            fetch_lines(a8, block);
        word = accesses(a8, block, word + 1, end);
        if (unlikely(a8->period != 0))
            end_intervals(a8, block);
        if (unlikely(a8->cut))
            variant = a8->variant;
    }
    return ARMPMU_OK;
}

/* A fault ended the program in its last block: finds the instruction that did not retire. */
static void finish(void *state, enum armpmu_end end)
{
    struct a8 *a8 = state;
    struct a8_block *block = a8->variant->block;
    if (end != ARMPMU_END_FAULT || block == NULL || a8->called)
        return;
    const unsigned last = block->n_insns - 1;
    const enum insn_effect effect = block->code->insns[last].effect;
    if (may_trap(effect)) {
        cut_short(a8, block, last);
    } else if (ends_with_branch(block) && block->indirect) {
        block->taken++; /* it jumped to where nothing can be fetched */
        exception_entry(a8);
    }
}

static void signals(const void *state, uint64_t *out)
{
    const struct a8 *a8 = state;
    memcpy(out, a8->tally, sizeof a8->tally);
    for (uint32_t i = 0; i < a8->n_index; i++) {
        const struct a8_block *block = a8->by_index[i];
        if (block == NULL)
            continue;
        uint64_t executed = 0, taken = block->taken;
        for (const struct a8_variant *v = block->variants; v != NULL; v = v->sibling) {
            const uint64_t n = v->left[0] + v->left[1] + (v == a8->variant);
            executed += n;
            taken += v->left[1];
            out[ARMPMU_SIGNAL_INST_ISSUED] += n * v->issued;
            out[ARMPMU_SIGNAL_OPERATION_ISSUED] += n * v->operations;
            out[ARMPMU_SIGNAL_L1I_ACCESS] += n * v->fetches;
        }
        for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
            out[signal] += executed * block->always[signal] + taken * block->when_taken[signal];
    }
    out[ARMPMU_SIGNAL_ISSUE_EMPTY] +=
        (out[ARMPMU_SIGNAL_BRANCH_PREDICTED_TAKEN] - a8->flushed_taken) *
        a8->machine->branch_taken_bubble_cycles;
    out[ARMPMU_SIGNAL_CPU_CYCLES] = a8->memory.now;
}

static void every(void *state, enum armpmu_signal signal, uint64_t period, armpmu_interval_fn call,
                  void *user)
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
        free_block(a8->by_index[i]);
    free(a8->by_index);
    free(a8->by_id);
    schedule_table_free(&a8->states);
    predictor_free(&a8->predictor);
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
    a8->code = code;
    a8->variant = &a8->nowhere;
    enum armpmu_status status = a8_memory_init(&a8->memory, machine, a8->tally, err);
    if (status == ARMPMU_OK)
        status = predictor_init(&a8->predictor, machine, err);
    if (status == ARMPMU_OK && schedule_table_init(&a8->states) != ARMPMU_OK)
        status = fail(err, ARMPMU_NO_MEMORY, "out of memory for schedules");
    if (status != ARMPMU_OK) {
        destroy(a8);
        return status;
    }
    *out = a8;
    return ARMPMU_OK;
}

const struct core_model cortex_a8_model = {
    .core = "cortex-a8",
    .create = create,
    .destroy = destroy,
    .run = run,
    .finish = finish,
    .signals = signals,
    .every = every,
};
