/* The Cortex-R4F core model: executed blocks, one after the other, turned into signals.
 *
 * Source: ARM DDI 0363E, Events and Performance Monitor, Level One Memory System, Cycle Timings and
 * Interlock Behavior; what is chosen is in docs/choices.md. */
#include "cores/cortex_r4f/core.h"

#include <stdlib.h>
#include <string.h>

#include "armpmu/trace.h"
#include "base/error.h"
#include "machine/core_descriptor.h"

#define NO_ADDRESS 1 /* no instruction stands at an odd address */

/* ---- memory ---- */

static void make_access(struct r4f *core, const struct insn *insn, const struct r4f_point *point,
                        const struct retired_access *access)
{
    const struct insn_memory *memory = &insn->memory;

    core->tally[ARMPMU_SIGNAL_LOAD_RETIRED] += memory->load;
    core->tally[ARMPMU_SIGNAL_STORE_RETIRED] += memory->store;
    core->tally[ARMPMU_SIGNAL_UNALIGNED_RETIRED] += (access->address & (memory->align - 1u)) != 0;
    r4f_memory_access(&core->memory, &(struct r4f_access){
                                         .address = access->address & UINT32_MAX,
                                         .bytes = memory->bytes,
                                         .load = memory->load,
                                         .store = memory->store,
                                         .device = access->device,
                                         .exclusive = memory->exclusive,
                                         .spread = point->spread,
                                     });
}

static void reach_point(struct r4f *core, const struct retired_block *executed,
                        const struct r4f_point *point)
{
    const struct retired_access *access;

    switch (point->kind) {
    case POINT_ACCESS:
        access = retired_access_of(executed, point->index);
        if (access != NULL)
            make_access(core, &executed->block->insns[point->index], point, access);
        break;
    case POINT_DRAIN:
        r4f_memory_drain(&core->memory);
        break;
    case POINT_PRELOAD:
        access = retired_access_of(executed, point->preload.beside);
        if (access != NULL)
            r4f_memory_preload(&core->memory, preload_at(&point->preload, access->address));
        break;
    }
}

/* Whether an access is a load that finds its line, complete and without a closer look, in one
 * aligned doubleword: it takes no time and does nothing but count. */
static inline bool is_fast_hit(const struct r4f_memory *memory, const struct r4f_point *point,
                               const struct retired_access *access)
{
    const uint32_t address = (uint32_t)access->address;

    return point->only_loads && !access->device && (address & point->align_mask) == 0 &&
           (address & (R4F_SLOT_BYTES - 1)) + point->bytes <= R4F_SLOT_BYTES &&
           r4f_memory_filters(memory, address);
}

/* Makes the block's accesses, each at its cycle. Afterwards the clock stands at the block's end.
 * The fast_hits ones are counted together: a multiplication of matrices takes 7 % less time. */
static void reach_points(struct r4f *core, const struct retired_block *executed,
                         const struct r4f_block *block, const struct r4f_schedule_memo *memo)
{
    struct r4f_memory *memory = &core->memory;
    uint64_t start = memory->now; /* moves on with every stall */
    uint32_t next = 0, fast_hits = 0;

    for (uint32_t i = 0; i < block->n_points; i++) {
        const struct r4f_point *point = &block->points[i];
        const struct retired_access *access = &executed->accesses[next];
        if (point->index >= executed->n_executed)
            break;
        if (block->only_accesses) {
            if (next == executed->n_accesses || access->index != point->index)
                continue;
            next++;
            if (is_fast_hit(memory, point, access)) {
                fast_hits++;
                continue;
            }
        }
        memory->now = start + memo->issued_at[i];
        if (block->only_accesses)
            make_access(core, &block->code->insns[point->index], point, access);
        else
            reach_point(core, executed, point);
        start = memory->now - memo->issued_at[i];
    }
    core->tally[ARMPMU_SIGNAL_LOAD_RETIRED] += fast_hits;
    core->tally[ARMPMU_SIGNAL_L1D_ACCESS] += fast_hits;
    memory->now = start + memo->result.cycles;
}

/* Whether the lines of a block, looked up and found without error in that state of the cache, need
 * no look until the state changes. */
static bool stays_found(const struct r4f *core, const struct r4f_block *block)
{
    return core->machine->l1i_replacement != REPLACEMENT_LRU &&
           r4f_memory_place(&core->memory, block->start, true) == PLACE_WRITE_BACK;
}

/* Fetches the first n instructions. */
static void fetch(struct r4f *core, struct r4f_block *block, uint32_t n)
{
    struct r4f_memory *memory = &core->memory;
    const uint32_t epoch = memory->fetch_epoch; /* before: a line may displace another */
    const bool whole = n == block->code->n_insns;
    const uint64_t end = whole ? block->end : block->start + block->code->insns[n].offset;

    if (n == 0)
        return;
    if (block->fetched_at == epoch && whole) {
        memory->tally[ARMPMU_SIGNAL_L1I_ACCESS] +=
            r4f_fetch_groups(memory, block->start, end, core->jumped);
    } else {
        r4f_memory_fetch(memory, block->start, end, core->jumped);
        if (whole && stays_found(core, block))
            block->fetched_at = epoch;
    }
    core->jumped = false;
}

/* An exception stopped the block at an instruction, which was fetched too. */
static void fetch_stopped(struct r4f *core, const struct r4f_block *block, uint32_t n)
{
    const struct insn *insn = &block->code->insns[n];
    const uint64_t start = block->start + insn->offset;

    r4f_memory_fetch(&core->memory, start, start + insn->size, core->jumped);
}

/* ---- issue ---- */

/* The pipeline refills: nothing issues for so long. What is in flight completes meanwhile. */
static void refill(struct r4f *core, uint32_t cycles)
{
    uint32_t written;

    core->memory.now += r4f_issue_close(&core->issue, core->machine, &written);
    core->tally[ARMPMU_SIGNAL_INTEGER_DIVIDE_STALL] += written;
    core->tally[ARMPMU_SIGNAL_INTEGER_DIVIDE_STALL] += r4f_issue_wait(&core->issue, cycles);
    r4f_memory_stall(&core->memory, ARMPMU_SIGNAL_ISSUE_EMPTY, cycles);
}

static void add_schedule(struct r4f *core, const struct r4f_issue_result *result)
{
    uint64_t *tally = core->tally;

    tally[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL] += result->dependency_stalls;
    tally[ARMPMU_SIGNAL_INTEGER_DIVIDE_STALL] += result->divide_stalls;
    tally[ARMPMU_SIGNAL_PAIR_WITH_BRANCH] += result->pairs[R4F_PAIR_A];
    tally[ARMPMU_SIGNAL_PAIR_WITH_ACCESS] += result->pairs[R4F_PAIR_B];
    tally[ARMPMU_SIGNAL_PAIR_OTHER] += result->pairs[R4F_PAIR_OTHER];
    tally[ARMPMU_SIGNAL_PAIR_RETIRED] +=
        result->pairs[R4F_PAIR_A] + result->pairs[R4F_PAIR_B] + result->pairs[R4F_PAIR_OTHER];
}

static void add_increments(struct r4f *core, const struct r4f_increments *increments)
{
    uint64_t *tally = core->tally;

    tally[ARMPMU_SIGNAL_INST_RETIRED] += increments->insns;
    tally[ARMPMU_SIGNAL_BRANCH_IMMEDIATE] += increments->immediates;
    tally[ARMPMU_SIGNAL_CONTEXTIDR_WRITE] += increments->context_writes;
    tally[ARMPMU_SIGNAL_SW_INCREMENT] += increments->increments;
    tally[ARMPMU_SIGNAL_INTEGER_DIVIDE] += increments->divides;
    tally[ARMPMU_SIGNAL_DOUBLE_PRECISION] += increments->doubles;
}

/* CHOICE(r4f-livelock): an exception at the first instruction of an exception's vector, which leads
 * to that vector again. */
static void watch_vectors(struct r4f *core, const struct retired_block *executed)
{
    const uint64_t start = executed->block->address;

    core->tally[ARMPMU_SIGNAL_LIVELOCK] += core->entered && core->stuck_at == start;
    core->at_vector = core->entered && executed->n_executed == 0;
    core->last_start = start;
    core->entered = false;
}

static void retire_block(void *user, const struct retired_block *executed)
{
    struct r4f *core = user;
    struct r4f_block *block = executed->data;
    const uint32_t n = executed->n_executed;
    struct r4f_increments part = {0};

    fetch(core, block, n);
    const struct r4f_schedule_memo *memo = r4f_schedule(core, block, n);
    if (n != block->code->n_insns)
        r4f_add_increments(block->code, n, &part);
    add_increments(core, n == block->code->n_insns ? &block->increments : &part);
    add_schedule(core, &memo->result);
    reach_points(core, executed, block, memo);
    core->issue = memo->result.after;
}

/* ---- flow ---- */

static void flush(struct r4f *core, enum r4f_flow flow)
{
    const struct armpmu_machine *machine = core->machine;

    core->tally[ARMPMU_SIGNAL_BRANCH_FLUSH]++;
    refill(core, machine->branch_mispredict_cycles +
                     (flow == R4F_FLOW_TARGET ? machine->branch_register_cycles : 0));
}

/* A branch that is no exception return went one way. */
static void count_branch(struct r4f *core, const struct r4f_branch *branch)
{
    core->tally[ARMPMU_SIGNAL_PC_WRITE] += branch->taken;
    core->tally[ARMPMU_SIGNAL_BRANCH_PREDICTABLE] +=
        core->predictor.enabled && (branch->direct || branch->returns);
    core->tally[ARMPMU_SIGNAL_BRANCH_RETURN] += branch->taken && branch->returns;
}

static void predict(struct r4f *core, const struct r4f_branch *branch)
{
    const enum r4f_flow flow = r4f_predictor_branch(&core->predictor, branch);

    if (flow != R4F_FLOW_RIGHT)
        flush(core, flow);
}

static void return_from_exception(struct r4f *core)
{
    core->tally[ARMPMU_SIGNAL_PC_WRITE]++;
    core->tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    refill(core, core->machine->exception_return_cycles);
}

static void branch(struct r4f *core, const struct r4f_block *block, bool taken, uint64_t target)
{
    struct r4f_branch branch = block->branch;

    if (block->returns_exception) {
        if (taken)
            return_from_exception(core);
        return;
    }
    branch.taken = taken;
    if (!branch.direct)
        branch.target = target;
    count_branch(core, &branch);
    predict(core, &branch);
}

static void block_exit(void *user, const struct retired_block *executed, enum block_exit exit,
                       uint64_t next)
{
    struct r4f *core = user;
    const struct r4f_block *block = executed->data;
    const bool whole = executed->n_executed == block->code->n_insns;

    if (!whole && exit == EXIT_EXCEPTION)
        fetch_stopped(core, block, executed->n_executed);
    if (executed->n_executed != 0 || exit != EXIT_SEQUENTIAL) { /* else it comes once more */
        core->jumped = exit != EXIT_SEQUENTIAL;
        watch_vectors(core, executed);
    }
    if (whole && block->branches && (exit == EXIT_BRANCH || exit == EXIT_SEQUENTIAL))
        branch(core, block, exit == EXIT_BRANCH, next);
}

/* Where an indirect branch led does not show: the predictor hears of the direct ones. The exception
 * that hid the branch refilled the pipeline. */
static void late_branch(void *user, const struct block *code, bool taken)
{
    struct r4f *core = user;
    struct r4f_branch branch = r4f_branch_of(code);

    branch.taken = taken;
    if (code->insns[code->n_insns - 1].branch == BRANCH_EXCEPTION_RETURN) {
        core->tally[ARMPMU_SIGNAL_PC_WRITE] += taken;
        core->tally[ARMPMU_SIGNAL_EXCEPTION_RETURN] += taken;
        return;
    }
    count_branch(core, &branch);
    if (branch.direct)
        core->tally[ARMPMU_SIGNAL_BRANCH_FLUSH] +=
            r4f_predictor_branch(&core->predictor, &branch) != R4F_FLOW_RIGHT;
}

/* CHOICE(r4f-exception): the pipeline refills; what is stored stays in the store buffer. */
static void exception(void *user)
{
    struct r4f *core = user;

    core->tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
    core->stuck_at = core->at_vector ? core->last_start : NO_ADDRESS;
    core->entered = true;
    core->jumped = true;
    refill(core, core->machine->exception_entry_cycles);
}

static void exception_return(void *user)
{
    struct r4f *core = user;

    core->tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    core->entered = false;
    refill(core, core->machine->exception_return_cycles);
}

/* ---- the system ---- */

/* Adds the cycles of the masks up to now. */
static void add_masked(const struct r4f *core, uint64_t *tally)
{
    const uint64_t cycles = core->memory.now - core->masked_since;

    if (core->masks & ARMPMU_MASKS_FIQ)
        tally[ARMPMU_SIGNAL_FIQ_MASKED] += cycles;
    if (core->masks & ARMPMU_MASKS_IRQ)
        tally[ARMPMU_SIGNAL_IRQ_MASKED] += cycles;
}

static void system_word(void *user, enum armpmu_system about, unsigned bits, uint64_t operand)
{
    struct r4f *core = user;

    switch (about) {
    case ARMPMU_SYSTEM_CACHE:
        r4f_memory_maintain(&core->memory, bits, (uint32_t)operand);
        break;
    case ARMPMU_SYSTEM_PREDICTOR:
        if ((bits & ARMPMU_PREDICTOR_ADDRESS) == 0)
            r4f_predictor_forget(&core->predictor);
        break;
    case ARMPMU_SYSTEM_MASKS:
        add_masked(core, core->tally);
        core->masks = bits;
        core->masked_since = core->memory.now;
        break;
    case ARMPMU_SYSTEM_PRELOAD:
        r4f_memory_preload(&core->memory, operand & UINT32_MAX);
        break;
    }
}

static uint64_t cycles(const void *user)
{
    const struct r4f *core = user;
    return core->memory.now;
}

/* The core has an MPU: there are no pages and no TLBs. */
static const struct core_ops way = {
    .isas = CODE_AARCH32,
    .new_block = r4f_define,
    .free_block = r4f_forget,
    .retire_block = retire_block,
    .block_exit = block_exit,
    .late_branch = late_branch,
    .exception = exception,
    .exception_return = exception_return,
    .system = system_word,
    .cycles = cycles,
};

/* ---- the core model ---- */

static enum armpmu_status run(void *state, const uint64_t *records, size_t n_records,
                              struct armpmu_error *err)
{
    struct r4f *core = state;
    return trace_reader_run(core->reader, records, n_records, err);
}

static void rename_blocks(void *state)
{
    struct r4f *core = state;
    reader_rename(core->reader);
}

static void finish(void *state, enum armpmu_end end)
{
    struct r4f *core = state;

    trace_reader_finish(core->reader, end);
    refill(core, 0);
    r4f_memory_finish(&core->memory);
}

/* The divider still has to write what it works on. */
static void complete(const struct r4f *core, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_INTEGER_DIVIDE_STALL] += core->issue.divider != 0;
    tally[ARMPMU_SIGNAL_CPU_CYCLES] = core->memory.now;
    add_masked(core, tally);
}

static void signals(const void *state, uint64_t *out)
{
    const struct r4f *core = state;

    trace_reader_sync(core->reader);
    memcpy(out, core->tally, sizeof core->tally);
    complete(core, out);
}

static void set_interval(void *state, enum armpmu_signal signal, uint64_t period,
                         armpmu_interval_fn call, void *user)
{
    struct r4f *core = state;
    trace_reader_set_interval(core->reader, signal, period, call, user);
}

static enum armpmu_status inject(void *state, enum armpmu_injection kind, uint64_t address,
                                 struct armpmu_error *err)
{
    struct r4f *core = state;

    trace_reader_sync(core->reader);
    return r4f_inject(&core->memory, kind, address & UINT32_MAX, err);
}

static void on_fault(void *state, armpmu_fault_fn call, void *user)
{
    struct r4f *core = state;
    core->memory.on_fault = call;
    core->memory.fault_user = user;
}

static void destroy(void *state)
{
    struct r4f *core = state;

    if (core == NULL)
        return;
    trace_reader_free(core->reader);
    free(core->scratch);
    r4f_predictor_free(&core->predictor);
    r4f_memory_free(&core->memory);
    free(core);
}

static enum armpmu_status create(const struct armpmu_machine *machine, struct armpmu_code *code,
                                 void **out, struct armpmu_error *err)
{
    struct r4f *core = calloc(1, sizeof *core);
    if (core == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for a core model");
    core->machine = machine;
    core->jumped = true;
    enum armpmu_status status = r4f_memory_init(&core->memory, machine, core->tally, err);
    if (status == ARMPMU_OK && r4f_predictor_init(&core->predictor, machine) != ARMPMU_OK)
        status = fail(err, ARMPMU_NO_MEMORY, "out of memory for a branch predictor");
    if (status == ARMPMU_OK)
        status = trace_reader_new(&way, core, code, &core->reader, err);
    if (status != ARMPMU_OK) {
        destroy(core);
        return status;
    }
    *out = core;
    return ARMPMU_OK;
}

const struct core_model core_model_cortex_r4f = {
    .create = create,
    .destroy = destroy,
    .run = run,
    .rename = rename_blocks,
    .finish = finish,
    .signals = signals,
    .set_interval = set_interval,
    .inject = inject,
    .on_fault = on_fault,
};
