/* Blocks of the Cortex-R4F model: what they always count, where they meet memory, and their
 * schedules from each state they are entered in. */
#include "cores/cortex_r4f/core.h"

#include <stdlib.h>
#include <string.h>

/* CHOICE(r4f-failed-condition): a divide or a VFP operation counts when it executes, also if its
 * condition fails: which of them fail cannot be seen. */
void r4f_add_increments(const struct block *code, uint32_t n, struct r4f_increments *increments)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = &code->insns[i];
        increments->insns++;
        increments->immediates += insn->branch == BRANCH_IMMEDIATE;
        increments->context_writes += insn->effect == EFFECT_CONTEXTIDR_WRITE;
        increments->increments += insn->effect == EFFECT_SW_INCREMENT;
        increments->divides += insn->klass == CLASS_DIVIDE;
        increments->doubles += insn->doubles;
    }
}

/* ---- points ---- */

/* What an instruction has to do with memory; false for nothing. */
static bool point_of(const struct block *code, unsigned index, struct r4f_point *point)
{
    const struct insn *insn = &code->insns[index];

    *point = (struct r4f_point){.index = (uint16_t)index};
    if (insn->memory.bytes != 0) {
        point->spread = (insn->memory.bytes - 1u) / R4F_SLOT_BYTES;
        point->only_loads = insn->memory.load && !insn->memory.store;
        point->bytes = insn->memory.bytes;
        point->align_mask = (uint8_t)(insn->memory.align - 1);
        return true;
    }
    point->kind = POINT_DRAIN;
    if (insn->orders_stores)
        return true;
    point->kind = POINT_PRELOAD;
    return preload_find(code, index, &point->preload);
}

/* CHOICE(r4f-returns): what loads the PC by LDM or POP, LDR PC,[SP],#n, and BX of any register
 * return; MOV PC,LR does not. */
static bool returns(const struct insn *insn)
{
    return insn->exchanges || (insn->memory.load && insn->branch == BRANCH_RETURN) ||
           (insn->klass == CLASS_LOAD_MULTIPLE && insn->branch == BRANCH_INDIRECT);
}

struct r4f_branch r4f_branch_of(const struct block *code)
{
    const struct insn *last = &code->insns[code->n_insns - 1];

    return (struct r4f_branch){
        .pc = code->address + last->offset,
        .fall_through = code->address + code->n_bytes,
        .target = last->target,
        .conditional = insn_is_conditional(last),
        .direct = last->branch == BRANCH_IMMEDIATE,
        .returns = returns(last),
        .links = last->links,
    };
}

static void describe_branch(struct r4f_block *block)
{
    const struct insn *last = &block->code->insns[block->code->n_insns - 1];

    if (last->branch == BRANCH_NONE)
        return;
    block->branches = true;
    block->returns_exception = last->branch == BRANCH_EXCEPTION_RETURN;
    block->branch = r4f_branch_of(block->code);
}

/* Room for a block's schedule that is not kept. */
static bool make_scratch(struct r4f *core, uint32_t n_points)
{
    if (core->scratch != NULL && n_points <= core->scratch_points)
        return true;
    struct r4f_schedule_memo *scratch =
        realloc(core->scratch, sizeof *scratch + n_points * sizeof scratch->issued_at[0]);
    if (scratch == NULL)
        return false;
    core->scratch = scratch;
    core->scratch_points = n_points;
    return true;
}

void *r4f_define(void *user, const struct block *code)
{
    struct r4f *core = user;
    struct r4f_point point;
    uint32_t n_points = 0;

    for (unsigned i = 0; i < code->n_insns; i++)
        n_points += point_of(code, i, &point);
    struct r4f_block *block = calloc(1, sizeof *block + n_points * sizeof block->points[0]);
    if (block == NULL || !make_scratch(core, n_points)) {
        free(block);
        return NULL;
    }
    block->code = code;
    block->start = code->address;
    block->end = code->address + code->n_bytes;
    block->only_accesses = true;
    for (unsigned i = 0; i < code->n_insns; i++) {
        if (!point_of(code, i, &point))
            continue;
        block->points[block->n_points++] = point;
        block->only_accesses &= point.kind == POINT_ACCESS;
    }
    r4f_add_increments(code, code->n_insns, &block->increments);
    if (code->n_insns != 0)
        describe_branch(block);
    return block;
}

void r4f_forget(void *user, void *data)
{
    struct r4f *core = user;
    struct r4f_block *block = data;

    for (struct r4f_schedule_memo *memo = block->memos; memo != NULL;) {
        struct r4f_schedule_memo *sibling = memo->sibling;
        reader_drop(core->reader, memo);
        free(memo);
        memo = sibling;
    }
    free(block);
}

/* ---- schedules ---- */

static void add_result(struct r4f_issue_result *sum, const struct r4f_issue_result *part)
{
    sum->cycles += part->cycles;
    sum->dependency_stalls += part->dependency_stalls;
    sum->divide_stalls += part->divide_stalls;
    for (unsigned i = 0; i < R4F_PAIRS; i++)
        sum->pairs[i] += part->pairs[i];
    sum->after = part->after;
}

/* Schedules the first n instructions from one point to the next, to know when each is reached. */
static void schedule(const struct r4f *core, const struct r4f_block *block, uint32_t n,
                     struct r4f_schedule_memo *memo)
{
    struct r4f_issue_result part;
    unsigned first = 0;

    memo->before = core->issue;
    memset(&memo->result, 0, sizeof memo->result);
    memo->result.after = core->issue;
    for (uint32_t i = 0; i <= block->n_points && first < n; i++) {
        const unsigned behind = i < block->n_points ? block->points[i].index + 1u : n;
        const unsigned end = behind < n ? behind : n;
        const struct r4f_issue_state before = memo->result.after;
        r4f_issue_run(core->machine, block->code, first, end, &before, &part);
        add_result(&memo->result, &part);
        if (i < block->n_points)
            memo->issued_at[i] = memo->result.cycles;
        first = end;
    }
}

static const struct r4f_schedule_memo *not_kept(struct r4f *core, const struct r4f_block *block,
                                                uint32_t n)
{
    schedule(core, block, n, core->scratch);
    return core->scratch;
}

const struct r4f_schedule_memo *r4f_schedule(struct r4f *core, struct r4f_block *block, uint32_t n)
{
    if (n != block->code->n_insns)
        return not_kept(core, block, n);
    for (struct r4f_schedule_memo **link = &block->memos; *link != NULL; link = &(*link)->sibling) {
        struct r4f_schedule_memo *memo = *link;
        if (memcmp(&memo->before, &core->issue, sizeof core->issue) != 0)
            continue;
        *link = memo->sibling; /* to the front */
        memo->sibling = block->memos;
        block->memos = memo;
        return memo;
    }
    struct r4f_schedule_memo *memo =
        malloc(sizeof *memo + block->n_points * sizeof memo->issued_at[0]);
    if (memo == NULL)
        return not_kept(core, block, n); /* slower, but the same */
    schedule(core, block, n, memo);
    reader_hold(core->reader, memo);
    memo->sibling = block->memos;
    block->memos = memo;
    return memo;
}
