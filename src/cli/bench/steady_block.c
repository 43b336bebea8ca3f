#include "cli/bench/steady_block.h"

#include <stdlib.h>
#include <string.h>

#include "armpmu/profile.h"
#include "armpmu/trace.h"
#include "base/error.h"

enum {
    BODY,      /* ids of blocks: the block itself ... */
    LEAD_BACK, /* ... what leads back to it ... */
    RETURNED,  /* ... and, where it returns, what follows the call that leads back */
    BLOCKS,
    WARM_ROUNDS = 192, /* enough for predictors to learn */
    APART = 4,         /* executions that access different lines: a loop seldom stores to the same
                          line twice in a row, which may take store buffers longer */
    LINE = 64,
    LINES = 64, /* of data: less than any level 1 cache has */
};

struct block_run {
    const struct function_code *code;
    unsigned first, end;
    struct armpmu_block_source sources[BLOCKS];
    uint8_t back[BLOCKS][4]; /* code of what leads back */
    bool is_loop, returns, calls_system, taken;
    uint64_t *records;
    size_t n, room;
    struct steady_block *out;
    bool adds; /* rows are added, or taken away */
};

/* ---- what leads back ---- */

static uint32_t thumb_branch(int64_t by, bool links)
{
    const uint32_t offset = (uint32_t)by, s = offset >> 24 & 1;
    const uint32_t j1 = ~(offset >> 23 ^ s) & 1, j2 = ~(offset >> 22 ^ s) & 1;
    const uint32_t high = 0xf000 | s << 10 | (offset >> 12 & 0x3ff);
    const uint32_t low = (links ? 0xd000u : 0x9000u) | j1 << 13 | j2 << 11 | (offset >> 1 & 0x7ff);

    return high | low << 16;
}

static uint32_t branch_word(enum armpmu_isa isa, uint64_t from, uint64_t to, bool links)
{
    const int64_t by = (int64_t)(to - from);

    switch (isa) {
    case ARMPMU_A32:
        return (links ? 0xeb000000u : 0xea000000u) | ((uint32_t)((by - 8) >> 2) & 0xffffff);
    case ARMPMU_A64:
        return (links ? 0x94000000u : 0x14000000u) | ((uint32_t)(by >> 2) & 0x3ffffff);
    case ARMPMU_T32:
        break;
    }
    return thumb_branch(by - 4, links);
}

static void make_branch(struct block_run *run, unsigned id, uint64_t from, uint64_t to, bool links)
{
    const uint32_t word = branch_word(run->code->isa, from, to, links);

    for (unsigned i = 0; i < 4; i++)
        run->back[id][i] = (uint8_t)(word >> 8 * i);
    run->sources[id] = (struct armpmu_block_source){
        .address = from,
        .bytes = run->back[id],
        .n_bytes = 4,
        .n_insns = 1,
        .isa = run->code->isa,
        .it_known = true,
    };
}

/* ---- the blocks ---- */

static const struct insn *insn_of(const struct block_run *run, unsigned i)
{
    return &run->code->code->insns[i];
}

static uint64_t address_of(const struct block_run *run, unsigned i)
{
    return run->code->code->address + insn_of(run, i)->offset;
}

/* The address at which execution continues after the block. */
static uint64_t exit_of(struct block_run *run)
{
    const struct insn *const last = insn_of(run, run->end - 1);
    const uint64_t start = address_of(run, run->first);
    const uint64_t after = address_of(run, run->end - 1) + last->size;
    const bool direct = last->branch == BRANCH_IMMEDIATE;

    run->calls_system = last->effect == EFFECT_SYSCALL;
    run->is_loop = direct && last->target == start;
    run->returns = last->branch == BRANCH_RETURN;
    run->taken = last->branch != BRANCH_NONE && (run->is_loop || !insn_is_conditional(last));
    if (!run->taken)
        return after;
    return direct ? last->target : (after + 3) & ~UINT64_C(3);
}

static void make_blocks(struct block_run *run)
{
    const uint64_t start = address_of(run, run->first), exit = exit_of(run);
    const struct insn *const last = insn_of(run, run->end - 1);

    run->sources[BODY] = (struct armpmu_block_source){
        .address = start,
        .bytes = run->code->bytes + insn_of(run, run->first)->offset,
        .n_bytes = last->offset + last->size - insn_of(run, run->first)->offset,
        .n_insns = run->end - run->first,
        .isa = run->code->isa,
        .it_known = true,
    };
    make_branch(run, LEAD_BACK, exit, start, run->returns);
    make_branch(run, RETURNED, exit + 4, exit, false);
}

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct block_run *const run = user;

    *out = run->sources[id < BLOCKS ? id : BODY];
    return id < BLOCKS;
}

/* ---- the trace ---- */

static void put(struct block_run *run, uint64_t record)
{
    run->records[run->n++] = record;
}

/* Loads read one place, or they would wait for one another's banks; stores write others. */
static void put_access(struct block_run *run, unsigned line, unsigned index)
{
    const struct insn *const insn = insn_of(run, run->first + index);
    const uint64_t offset = insn->memory.store ? (uint64_t)(line % LINES + 1) * LINE : 0;
    const uint64_t address = run->code->data + offset;
    const bool several = insn_mem_class(insn) == MEM_CLASS_MULTIPLE;

    put(run, armpmu_record(several ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS, index) | address);
    if (several)
        put(run, insn->memory.bytes);
    if (insn_is_conditional(insn) || insn->memory.exclusive)
        put(run, armpmu_record(ARMPMU_RECORD_PROGRESS, index));
}

static void put_block(struct block_run *run, uint32_t id)
{
    put(run, armpmu_record(ARMPMU_RECORD_BLOCK, 0) | id);
}

/* One execution; records has room for it. number: below APART. */
static void put_round(struct block_run *run, unsigned number)
{
    unsigned line = number * (LINES / APART);

    if (run->returns)
        put_block(run, LEAD_BACK);
    put_block(run, BODY);
    for (unsigned i = run->first; i < run->end; i++)
        if (insn_of(run, i)->memory.bytes != 0)
            put_access(run, line++, i - run->first);
    if (run->calls_system) {
        put(run, armpmu_record(ARMPMU_RECORD_SYSCALL, 0));
        put(run, armpmu_record(ARMPMU_RECORD_SYSRET, 0));
    }
    if (run->returns)
        put_block(run, RETURNED);
    else if (!run->is_loop)
        put_block(run, LEAD_BACK);
}

/* ---- counting ---- */

static bool add_row(void *user, const struct armpmu_profile_row *row)
{
    struct block_run *const run = user;
    const unsigned n = run->end - run->first;
    unsigned at = n;

    for (unsigned i = 0; i < n; i++)
        if (row->address == address_of(run, run->first + i) &&
            memcmp(row->bytes, run->code->bytes + insn_of(run, run->first + i)->offset,
                   row->n_bytes) == 0)
            at = i;
    for (unsigned s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
        run->out->insns[at].signals[s] += run->adds ? row->signals[s] : -row->signals[s];
    return true;
}

static enum armpmu_status run_rounds(struct block_run *run, const struct armpmu_machine *machine,
                                     unsigned rounds, struct armpmu_error *err)
{
    struct armpmu_code *code = NULL;
    struct armpmu_sim *sim = NULL;
    enum armpmu_status status = armpmu_code_new(look_up, run, &code, err);

    if (status == ARMPMU_OK)
        status = armpmu_sim_new(machine, code, &sim, err);
    if (status == ARMPMU_OK)
        status = armpmu_sim_set_profile(sim, ARMPMU_PROFILE_INSNS, err);
    for (unsigned i = 0; i < rounds && status == ARMPMU_OK; i += APART)
        status = armpmu_sim_run(sim, run->records, run->n, err);
    if (status == ARMPMU_OK) {
        armpmu_sim_finish(sim, ARMPMU_END_EXIT);
        status = armpmu_sim_profile(sim, add_row, run, err);
    }
    armpmu_sim_free(sim);
    armpmu_code_free(code);
    return status;
}

enum armpmu_status steady_block_run(const struct armpmu_machine *machine,
                                    const struct function_code *code, struct steady_block *block,
                                    struct armpmu_error *err)
{
    const unsigned n = block->end - block->first;
    struct block_run run = {.code = code, .first = block->first, .end = block->end, .out = block};
    enum armpmu_status status = ARMPMU_OK;

    block->insns = calloc(n + 1, sizeof *block->insns);
    run.records = calloc(APART * (3 * (size_t)n + 8), sizeof *run.records);
    if (block->insns == NULL || run.records == NULL)
        status = fail_no_memory(err, "a block");
    if (status == ARMPMU_OK) {
        make_blocks(&run);
        for (unsigned i = 0; i < APART; i++)
            put_round(&run, i);
        block->is_loop = run.is_loop;
        status = run_rounds(&run, machine, WARM_ROUNDS, err);
    }
    run.adds = true;
    if (status == ARMPMU_OK)
        status = run_rounds(&run, machine, WARM_ROUNDS + STEADY_ROUNDS, err);
    free(run.records);
    return status;
}

void steady_block_free(struct steady_block *block)
{
    free(block->insns);
    *block = (struct steady_block){0};
}
