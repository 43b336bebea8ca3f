/* Blocks of the Cortex-R4F model: what they always count, their memory accesses, and a schedule for
 * each state of the pipeline at entry. */
#include "cores/cortex_r4f/core.h"
#include "base/arithmetic.h"

#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

/* Gives an instruction's access to memory; false for none. */
static bool point_of(const struct r4f *core, const struct block *code, unsigned index,
                     struct r4f_point *point)
{
    const struct insn *insn = &code->insns[index];
    const struct cures *const cures = core->core.machine->cures;

    *point = (struct r4f_point){.index = (uint16_t)index};
    if (insn->memory.bytes != 0) {
        point->spread = (insn->memory.bytes - 1u) / R4F_SLOT_BYTES;
        point->simple =
            insn->memory.load != insn->memory.store &&
            (cures == NULL ||
             (insn->memory.load && !cures_by(cures, CURE_PREFETCH, code->address + insn->offset)));
        point->store = insn->memory.store;
        point->plain = point->simple && !point->store && !insn->memory.exclusive &&
                       core->core.machine->cures == NULL;
        point->bytes = insn->memory.bytes;
        point->span = insn->memory.bytes > smaller(insn->memory.align, R4F_SLOT_BYTES)
                          ? insn->memory.bytes - 1
                          : 0;
        point->hits_once = point->simple && !point->store && point->span == 0;
        point->filter = point->store ? &core->memory.stores_to : &core->memory.loads;
        point->line_mask = R4F_LINE_MASK | (insn->memory.align - 1u);
        return true;
    }
    point->kind = POINT_DRAIN;
    if (insn->orders_stores)
        return true;
    point->kind = POINT_PRELOAD;
    return preload_find(code, index, &point->preload);
}

void r4f_describe_access(const void *user, const struct block *code, struct reader_access *access)
{
    const struct r4f *const core = user;
    struct r4f_point point;

    if (point_of(core, code, access->index, &point) && point.hits_once)
        reader_hits_where(access, point.filter, point.line_mask, R4F_LINE_SHIFT);
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

static void describe_branch(const struct r4f *core, struct r4f_block *block)
{
    const struct insn *last = &block->code->insns[block->code->n_insns - 1];
    const struct r4f_branch *branch = &block->branch;

    if (last->branch == BRANCH_NONE)
        return;
    block->branch = r4f_branch_of(block->code);
    block->is_perfect = r4f_is_perfect(core, branch->pc);
    if (last->branch == BRANCH_EXCEPTION_RETURN)
        block->ends = END_EXCEPTION_RETURN;
    else if (!core->predictor.enabled || (!branch->direct && !branch->returns))
        block->ends = END_ANY_BRANCH;
    else if (!branch->direct || branch->links)
        block->ends = branch->conditional || branch->direct != branch->links ? END_ANY_BRANCH
                      : branch->links                                        ? END_CALL
                                                                             : END_RETURN;
    else
        block->ends = !branch->conditional          ? END_ALWAYS
                      : branch->target < branch->pc ? END_BACKWARD
                                                    : END_FORWARD;
}

static void describe_points(const struct r4f *core, struct r4f_block *block)
{
    const struct block *code = block->code;
    struct r4f_point point;
    uint32_t n_records = 0;

    block->is_regular = core->core.reader->profile.accesses == NULL;
    for (unsigned i = 0; i < code->n_insns; i++) {
        if (!point_of(core, code, i, &point))
            continue;
        point.number = (uint16_t)block->n_points;
        point.at = (uint16_t)n_records;
        block->points[block->n_points++] = point;
        n_records += 1u + code->insns[i].memory.multiple;
        block->is_regular &= point.kind == POINT_ACCESS;
        block->n_loads += code->insns[i].memory.load;
        block->n_stores += code->insns[i].memory.store;
        block->n_only_loads += point.kind == POINT_ACCESS && !point.store;
    }
}

static bool describe(const struct r4f *core, struct r4f_block *block)
{
    const struct block *code = block->code;
    uint64_t per_run[ARMPMU_SIGNAL_COUNT] = {0};

    block->start = code->address;
    block->end = code->address + code->n_bytes;
    describe_points(core, block);
    r4f_add_insns(code, code->n_insns, per_run);
    if (code->n_insns != 0) {
        describe_branch(core, block);
        for (unsigned jumped = 0; jumped < 2; jumped++)
            block->groups[jumped] =
                (uint32_t)r4f_fetch_groups(&core->memory, block->start, block->end, jumped);
    }
    block->increments = run_increments_new(per_run, ARMPMU_SIGNAL_COUNT, &block->n_increments);
    return block->increments != NULL;
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
        n_points += point_of(core, code, i, &point);
    struct r4f_block *block = calloc(1, sizeof *block + n_points * sizeof block->points[0]);
    if (block == NULL || !make_scratch(core, n_points)) {
        free(block);
        return NULL;
    }
    block->code = code;
    if (!describe(core, block)) {
        free(block);
        return NULL;
    }
    reader_hold(core->core.reader, block->increments);
    return block;
}

void r4f_forget(void *user, void *data)
{
    struct r4f *core = user;
    struct r4f_block *block = data;

    r4f_sync(core);
    for (struct schedule_memo *memo = block->memos.memos.all; memo != NULL;) {
        struct schedule_memo *sibling = memo->sibling;
        reader_drop(core->core.reader, memo);
        free(memo);
        memo = sibling;
    }
    reader_drop(core->core.reader, block->increments);
    free(block->increments);
    free(block);
}

/* ---- schedules ---- */

void r4f_set_state(struct r4f *core, const struct r4f_issue_state *state)
{
    core->state = schedule_states_number(&core->states, state);
    if (core->state == SCHEDULE_NO_STATE)
        core->issue = *state;
}

static void add_counts(struct r4f_schedule_memo *sum, const struct r4f_issue_counts *part)
{
    sum->memo.cycles += part->cycles;
    sum->counts.dependency_stalls += part->dependency_stalls;
    sum->counts.divide_stalls += part->divide_stalls;
    for (unsigned i = 0; i < R4F_PAIRS; i++)
        sum->counts.pairs[i] += part->pairs[i];
    sum->counts.singles += part->singles;
    sum->counts.steps += part->steps;
    sum->counts.interlocks += part->interlocks;
    sum->counts.busy += part->busy;
}

/* Schedules the first n instructions from one point to the next, to know when each is reached. */
static void schedule(struct r4f *core, const struct r4f_block *block, uint32_t n,
                     struct r4f_schedule_memo *memo)
{
    struct r4f_issue_result part;
    unsigned first = 0;

    *memo = (struct r4f_schedule_memo){.memo = {.key = core->state}};
    part.after = *r4f_state(core);
    for (uint32_t i = 0; i <= block->n_points && first < n; i++) {
        const unsigned after = i < block->n_points ? block->points[i].index + 1u : n;
        const unsigned end = after < n ? after : n;
        const struct r4f_issue_state before = part.after;
        r4f_issue_run(core->core.machine, block->code, first, end, &before, &part);
        add_counts(memo, &part.counts);
        if (i < block->n_points)
            memo->issued_at[i] = memo->memo.cycles;
        first = end;
    }
    core->scratch_after = part.after;
    memo->after = schedule_states_number(&core->states, &part.after);
}

struct r4f_schedule_memo *r4f_schedule_part(struct r4f *core, const struct r4f_block *block,
                                            uint32_t n)
{
    schedule(core, block, n, core->scratch);
    return core->scratch;
}

/* Without memory, or a number for a state, the schedule is made again each time: slower, but the
 * same. */
struct r4f_schedule_memo *r4f_schedule_new(struct r4f *core, struct r4f_block *block)
{
    struct r4f_schedule_memo *made = r4f_schedule_part(core, block, block->code->n_insns);
    const size_t bytes = sizeof *made + block->n_points * sizeof made->issued_at[0];

    if (made->memo.key == SCHEDULE_NO_STATE || made->after == SCHEDULE_NO_STATE)
        return made;
    struct r4f_schedule_memo *memo = malloc(bytes);
    if (memo == NULL)
        return made;
    memcpy(memo, made, bytes);
    reader_hold(core->core.reader, memo);
    schedule_memo_add(&block->memos.memos, &memo->memo);
    return memo;
}
