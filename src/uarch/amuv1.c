#include "uarch/amuv1.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "uarch/core.h"

/* ---- blocks ---- */

static void *define_block(void *core, const struct block *block)
{
    const struct amuv1 *amu = core;
    const uint64_t line_bytes = amu->machine->l1i_line_bytes;
    struct amuv1_block *defined = malloc(sizeof *defined + block->n_insns * sizeof defined->ops[0]);

    if (defined == NULL)
        return NULL;
    defined->n_ops = block->n_insns;
    for (uint32_t i = 0; i < block->n_insns; i++) {
        const struct insn *insn = &block->insns[i];
        amuv1_op_make(&defined->ops[i], insn, amu->machine);
        defined->ops[i].begins_line =
            i > 0 && (block->address + insn->offset) / line_bytes !=
                         (block->address + block->insns[i - 1].offset) / line_bytes;
    }
    return defined;
}

static void forget_block(void *data)
{
    free(data);
}

/* ---- instructions ---- */

static void fetch_line(struct amuv1 *amu, uint64_t address)
{
    const uint64_t line = address >> amu->memory.line_shift;
    if (line == amu->fetch_line)
        return;
    amu->fetch_line = line;
    window_hold(&amu->window, memory_fetch(&amu->memory, address, amu->window.delivered));
}

/* CHOICE(amu-mpmm-activity): a gear counts a period of power mitigation in which more active
 * instructions are dispatched than its threshold, once. */
static void add_activity(struct amuv1 *amu, uint64_t cycle)
{
    static const enum armpmu_signal gears[AMUV1_GEARS] = {
        ARMPMU_SIGNAL_MPMM_GEAR0, ARMPMU_SIGNAL_MPMM_GEAR1, ARMPMU_SIGNAL_MPMM_GEAR2};
    const uint64_t period = cycle / amu->machine->mpmm_period_cycles;

    if (period != amu->period) {
        amu->period = period;
        amu->activity = 0;
    }
    for (unsigned gear = 0; gear < AMUV1_GEARS; gear++)
        amu->tally[gears[gear]] += amu->activity == amu->thresholds[gear];
    amu->activity++;
}

/* What an instruction accesses. */
static struct memory_access access_of(const struct amuv1_op *op, uint64_t pc,
                                      const struct walk_access *access)
{
    return (struct memory_access){.pc = pc,
                                  .address = access->address,
                                  .bytes = op->bytes,
                                  .latency = op->window.latency,
                                  .device = access->device};
}

/* Of an instruction that takes an entry of the load or store queue. access: NULL when it made none.
 * Returns when it is complete. */
static uint64_t execute_access(struct amuv1 *amu, const struct amuv1_op *op, uint64_t pc,
                               const struct walk_access *access, uint64_t issued)
{
    struct window *window = &amu->window;
    struct memory_access where;
    uint64_t complete = issued + op->window.latency;

    if (access != NULL)
        where = access_of(op, pc, access);
    if (access != NULL && op->window.load)
        complete = memory_load(&amu->memory, &where, issued);
    const uint64_t retired = window_retire(window, &op->window, complete);
    if (op->window.store)
        window_store_written(
            window, access == NULL ? retired : memory_store(&amu->memory, &where, issued, retired));
    return complete;
}

static void execute(struct amuv1 *amu, const struct amuv1_op *op, uint64_t pc,
                    const struct walk_access *access)
{
    struct window *window = &amu->window;

    window_deliver(window);
    const uint64_t dispatched = window_dispatch(window, &op->window);
    if (op->active)
        add_activity(amu, dispatched);
    const uint64_t issued = window_issue(window, &op->window);
    uint64_t complete = issued + op->window.latency;
    if (op->window.load || op->window.store)
        complete = execute_access(amu, op, pc, access, issued);
    else
        window_retire(window, &op->window, complete);
    window_result(window, &op->window, issued, complete);
    amu->resolved = complete;
}

static void executed(void *core, const struct walk_block *walked)
{
    struct amuv1 *amu = core;
    const struct amuv1_block *block = walked->data;
    const struct walk_access *access = walked->accesses, *end = access + walked->n_accesses;
    const uint64_t address = walked->block->address;

    if (walked->n_executed > 0)
        fetch_line(amu, address);
    for (uint32_t i = 0; i < walked->n_executed; i++) {
        const struct amuv1_op *op = &block->ops[i];
        const bool accesses = access != end && access->index == i;
        if (op->begins_line)
            fetch_line(amu, address + op->offset);
        execute(amu, op, address + op->offset, accesses ? access : NULL);
        access += accesses;
    }
}

/* ---- flow ---- */

/* next: where execution went on. */
static void resolve(struct amuv1 *amu, const struct block *block, bool taken, uint64_t next)
{
    const struct insn *insn = &block->insns[block->n_insns - 1];
    const bool conditional = insn_is_conditional(insn);
    const struct foresight_branch branch = {
        .address = block->address + insn->offset,
        .target = next,
        .conditional = conditional,
        .taken = taken || !conditional, /* to the instruction behind it: taken all the same */
        .direct = insn->branch == BRANCH_IMMEDIATE,
        .is_return = insn->branch == BRANCH_RETURN,
        .links = insn->links,
    };
    uint64_t from = amu->window.delivered;

    switch (foresight_see(&amu->foresight, &branch)) {
    case FORESIGHT_RIGHT:
        from += branch.taken;
        break;
    case FORESIGHT_LATE:
        from += 1 + amu->machine->branch_late_cycles;
        break;
    case FORESIGHT_WRONG:
        amu->tally[ARMPMU_SIGNAL_BRANCH_FLUSH]++;
        from = window_later(from, amu->resolved + amu->machine->branch_mispredict_cycles);
        break;
    }
    window_hold(&amu->window, from);
}

static void restart_behind(struct amuv1 *amu, uint64_t cycles)
{
    window_hold(&amu->window, amu->window.retired + cycles);
}

static void left(void *core, const struct walk_block *walked, enum walk_exit exit, uint64_t next)
{
    struct amuv1 *amu = core;
    const struct block *block = walked->block;

    if ((exit != WALK_SEQUENTIAL && exit != WALK_BRANCH) || walked->n_executed < block->n_insns ||
        block->n_insns == 0)
        return;
    switch (block->insns[block->n_insns - 1].branch) {
    case BRANCH_NONE:
        break;
    case BRANCH_EXCEPTION_RETURN:
        restart_behind(amu, amu->machine->exception_return_cycles);
        break;
    case BRANCH_IMMEDIATE:
    case BRANCH_RETURN:
    case BRANCH_INDIRECT:
    case BRANCH_TABLE:
        resolve(amu, block, exit == WALK_BRANCH, next);
        break;
    }
}

/* The exception has emptied the pipeline; the predictor does not see the branch. */
static void showed(void *core, const struct block *block, bool taken)
{
    (void)core;
    (void)block;
    (void)taken;
}

static void exception(void *core)
{
    struct amuv1 *amu = core;
    restart_behind(amu, amu->machine->exception_entry_cycles);
}

static void exception_return(void *core)
{
    struct amuv1 *amu = core;
    restart_behind(amu, amu->machine->exception_return_cycles);
}

static enum armpmu_status place(void *core, uint64_t virtual_page, uint64_t physical_page)
{
    struct amuv1 *amu = core;
    amu->fetch_line = UINT64_MAX;
    return memory_place(&amu->memory, virtual_page, physical_page);
}

static void flush_tlbs(void *core)
{
    struct amuv1 *amu = core;
    amu->fetch_line = UINT64_MAX;
    memory_flush_tlbs(&amu->memory);
}

static void flush_page(void *core, uint64_t virtual_page)
{
    struct amuv1 *amu = core;
    amu->fetch_line = UINT64_MAX;
    memory_flush_page(&amu->memory, virtual_page);
}

static void translate(void *core, bool on)
{
    struct amuv1 *amu = core;
    amu->fetch_line = UINT64_MAX;
    memory_translate(&amu->memory, on);
}

/* What maintenance does to caches and predictors is not modelled. */
static void maintain(void *core, enum armpmu_system about, unsigned bits, uint64_t operand)
{
    (void)core;
    (void)about;
    (void)bits;
    (void)operand;
}

static uint64_t cycles(const void *core)
{
    const struct amuv1 *amu = core;
    return amu->window.retired;
}

const struct walk_model amuv1_walk = {
    .define = define_block,
    .forget = forget_block,
    .executed = executed,
    .left = left,
    .showed = showed,
    .exception = exception,
    .exception_return = exception_return,
    .place = place,
    .flush_tlbs = flush_tlbs,
    .flush_page = flush_page,
    .translate = translate,
    .system = maintain,
    .cycles = cycles,
};

/* ---- the core model ---- */

/* The private caches exchange whole lines, and data misses are counted where they leave level 2. */
static enum armpmu_status check_machine(const struct armpmu_machine *machine,
                                        struct armpmu_error *err)
{
    if (machine->l2_size_kb == 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: l2.size_kb = 0: this core has a level 2; make it at least 1",
                    armpmu_machine_name(machine));
    if (machine->l1i_line_bytes != machine->l1d_line_bytes ||
        machine->l1d_line_bytes != machine->l2_line_bytes)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: l1i.line_bytes = %u, l1d.line_bytes = %u and l2.line_bytes = %u: "
                    "the caches of this core have one line size; make them equal",
                    armpmu_machine_name(machine), machine->l1i_line_bytes, machine->l1d_line_bytes,
                    machine->l2_line_bytes);
    if (machine->l2tlb_entries % machine->l2tlb_ways != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: l2tlb.entries = %u: must be a multiple of l2tlb.ways = %u",
                    armpmu_machine_name(machine), machine->l2tlb_entries, machine->l2tlb_ways);
    if (machine->latency_vector_load < machine->latency_load ||
        machine->latency_atomic < machine->latency_load)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: latency.vector_load = %u, latency.atomic = %u: neither may be "
                    "less than latency.load = %u",
                    armpmu_machine_name(machine), machine->latency_vector_load,
                    machine->latency_atomic, machine->latency_load);
    return ARMPMU_OK;
}

void amuv1_free(struct amuv1 *amu)
{
    if (amu == NULL)
        return;
    walk_free(amu->walk);
    memory_free(&amu->memory);
    foresight_free(&amu->foresight);
    window_free(&amu->window);
    free(amu);
}

static enum armpmu_status make_parts(struct amuv1 *amu, struct armpmu_error *err)
{
    enum armpmu_status status = window_init(&amu->window, amu->machine, err);
    if (status == ARMPMU_OK)
        status = memory_init(&amu->memory, amu->machine, &amu->window, amu->tally, err);
    if (status == ARMPMU_OK)
        status = foresight_init(&amu->foresight, amu->machine, err);
    return status;
}

enum armpmu_status amuv1_new(const struct armpmu_machine *machine, struct amuv1 **out,
                             struct armpmu_error *err)
{
    *out = NULL;
    enum armpmu_status status = check_machine(machine, err);
    if (status != ARMPMU_OK)
        return status;
    struct amuv1 *amu = calloc(1, sizeof *amu);
    if (amu == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for a core model");
    amu->machine = machine;
    amu->fetch_line = UINT64_MAX;
    amu->thresholds[0] = machine->mpmm_gear0_threshold;
    amu->thresholds[1] = machine->mpmm_gear1_threshold;
    amu->thresholds[2] = machine->mpmm_gear2_threshold;
    status = make_parts(amu, err);
    if (status != ARMPMU_OK) {
        amuv1_free(amu);
        return status;
    }
    *out = amu;
    return ARMPMU_OK;
}

static void destroy(void *state)
{
    amuv1_free(state);
}

static enum armpmu_status create(const struct armpmu_machine *machine, struct armpmu_code *code,
                                 void **state, struct armpmu_error *err)
{
    struct amuv1 *amu;
    enum armpmu_status status = amuv1_new(machine, &amu, err);
    if (status != ARMPMU_OK)
        return status;
    status = walk_new(&amuv1_walk, amu, code, &amu->walk, err);
    if (status != ARMPMU_OK) {
        amuv1_free(amu);
        return status;
    }
    *state = amu;
    return ARMPMU_OK;
}

static enum armpmu_status run(void *state, const uint64_t *words, size_t n_words,
                              struct armpmu_error *err)
{
    struct amuv1 *amu = state;
    return walk_run(amu->walk, words, n_words, err);
}

static void finish(void *state, enum armpmu_end end)
{
    struct amuv1 *amu = state;
    walk_finish(amu->walk, end);
}

/* CHOICE(amu-constant): ticks of a counter of `khz` in `cycles` of a clock of `mhz`: a phase
 * accumulator that rises by khz a cycle and gives a tick for each mhz * 1000. In two parts, so that
 * nothing overflows. */
static uint64_t constant_cycles(uint64_t cycles, uint64_t khz, uint64_t mhz)
{
    const uint64_t clock_khz = mhz * 1000;
    return cycles / clock_khz * khz + cycles % clock_khz * khz / clock_khz;
}

void amuv1_signals(const struct amuv1 *amu, uint64_t *tally)
{
    memcpy(tally, amu->tally, sizeof amu->tally);
    tally[ARMPMU_SIGNAL_INST_RETIRED] = amu->window.n;
    tally[ARMPMU_SIGNAL_CPU_CYCLES] = amu->window.retired;
    tally[ARMPMU_SIGNAL_CONSTANT_CYCLES] = constant_cycles(
        amu->window.retired, amu->machine->clock_counter_khz, amu->machine->clock_mhz);
    tally[ARMPMU_SIGNAL_MEMORY_STALL] = amu->window.memory_stall;
}

static void signals(const void *state, uint64_t *tally)
{
    const struct amuv1 *amu = state;
    walk_settle(amu->walk);
    amuv1_signals(amu, tally);
}

static void every(void *state, enum armpmu_signal signal, uint64_t period, armpmu_interval_fn call,
                  void *user)
{
    struct amuv1 *amu = state;
    walk_every(amu->walk, signal, period, call, user);
}

const struct core_model amuv1_model = {
    .core = "amuv1",
    .create = create,
    .destroy = destroy,
    .run = run,
    .finish = finish,
    .signals = signals,
    .every = every,
};
