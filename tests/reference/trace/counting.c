#include "counting.h"

#include "../../cores/model.h"
#include "trace/trace_reader_internal.h"

struct counting {
    struct armpmu_code *code;
    struct trace_reader *reader;
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    const struct block *left; /* the block that was told and not left, else NULL */
    bool untranslated;
};

static void *new_block(void *core, const struct block *block)
{
    (void)core;
    assert_true(block != NULL);
    const struct block **data = malloc(sizeof *data); /* memory of its own, as walk.h wants it */
    assert_non_null(data);
    *data = block;
    return data;
}

static void free_block(void *core, void *data)
{
    (void)core;
    assert_non_null(data);
    free(data);
}

static bool is_unaligned(const struct insn_memory *memory, uint64_t address)
{
    return (address & (memory->align - 1u)) != 0;
}

static void count_access(struct counting *counting, const struct insn *insn,
                         const struct retired_access *access)
{
    uint64_t *tally = counting->tally;
    assert_true(insn->memory.bytes != 0);
    tally[ARMPMU_SIGNAL_LOAD_RETIRED] += insn->memory.load;
    tally[ARMPMU_SIGNAL_STORE_RETIRED] += insn->memory.store;
    if (!access->device && !counting->untranslated)
        tally[ARMPMU_SIGNAL_UNALIGNED_RETIRED] += is_unaligned(&insn->memory, access->address);
}

static void retire_block(void *core, const struct retired_block *block)
{
    struct counting *counting = core;
    uint64_t *tally = counting->tally;
    assert_ptr_equal(*(const struct block **)block->data, block->block);
    assert_true(block->n_executed <= block->block->n_insns);
    assert_null(counting->left);
    counting->left = block->block;
    for (uint32_t i = 0; i < block->n_executed; i++) {
        tally[ARMPMU_SIGNAL_INST_RETIRED]++;
        tally[ARMPMU_SIGNAL_BRANCH_IMMEDIATE] += block->block->insns[i].branch == BRANCH_IMMEDIATE;
    }
    for (uint32_t i = 0; i < block->n_accesses; i++) {
        const struct retired_access *access = &block->accesses[i];
        assert_true(access->index < block->n_executed);
        assert_true(i == 0 || access->index > access[-1].index);
        count_access(counting, &block->block->insns[access->index], access);
    }
}

static void count_branch(struct counting *counting, const struct insn *last)
{
    uint64_t *tally = counting->tally;
    assert_true(last->branch != BRANCH_NONE);
    tally[ARMPMU_SIGNAL_PC_WRITE]++;
    tally[ARMPMU_SIGNAL_BRANCH_TAKEN] += last->branch != BRANCH_EXCEPTION_RETURN;
    tally[ARMPMU_SIGNAL_BRANCH_RETURN] += last->branch == BRANCH_RETURN;
    tally[ARMPMU_SIGNAL_EXCEPTION_RETURN] += last->branch == BRANCH_EXCEPTION_RETURN;
}

/* A block of which all was told before, because the engine started a settled one anew, is left
 * without having been told. */
static void block_exit(void *core, const struct retired_block *block, enum block_exit exit,
                       uint64_t next)
{
    struct counting *counting = core;
    (void)next;
    counting->left = NULL;
    if (exit == EXIT_BRANCH)
        count_branch(counting, &block->block->insns[block->block->n_insns - 1]);
}

static void late_branch(void *core, const struct retired_block *executed, bool taken)
{
    const struct block *block = executed->block;
    if (taken)
        count_branch(core, &block->insns[block->n_insns - 1]);
}

static void exception(void *core)
{
    struct counting *counting = core;
    counting->tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
}

static void exception_return(void *core)
{
    struct counting *counting = core;
    counting->tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
}

static void set_mmu(void *core, bool on)
{
    struct counting *counting = core;
    counting->untranslated = !on;
}

static uint64_t cycles(const void *core)
{
    const struct counting *counting = core;
    return counting->tally[ARMPMU_SIGNAL_INST_RETIRED];
}

static const struct core_ops counting_model = {
    .isas = CODE_AARCH32,
    .n_signals = ARMPMU_SIGNAL_COUNT,
    .new_block = new_block,
    .free_block = free_block,
    .retire_block = retire_block,
    .block_exit = block_exit,
    .late_branch = late_branch,
    .exception = exception,
    .exception_return = exception_return,
    .set_mmu = set_mmu,
    .cycles = cycles,
    ONE_POSITION_A_BLOCK,
};

struct counting *counting_new(armpmu_block_lookup lookup, void *user)
{
    struct armpmu_error err = {""};
    struct counting *counting = calloc(1, sizeof *counting);
    assert_non_null(counting);
    if (armpmu_code_new(lookup, user, &counting->code, &err) != ARMPMU_OK ||
        trace_reader_new(&counting_model, counting, counting->code, &counting->reader, &err) !=
            ARMPMU_OK)
        fail_msg("%s", err.message);
    return counting;
}

void counting_free(struct counting *counting)
{
    trace_reader_free(counting->reader);
    armpmu_code_free(counting->code);
    free(counting);
}

void counting_run(struct counting *counting, const uint64_t *records, size_t n_records)
{
    struct armpmu_error err = {""};
    if (trace_reader_run(counting->reader, records, n_records, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
}

void counting_finish(struct counting *counting, enum armpmu_end end)
{
    trace_reader_finish(counting->reader, end);
    assert_null(counting->left);
}

void counting_every(struct counting *counting, uint64_t period, armpmu_interval_fn call, void *user)
{
    trace_reader_set_interval(counting->reader, ARMPMU_SIGNAL_INST_RETIRED, period, call, user);
}

const uint64_t *counting_signals(struct counting *counting)
{
    trace_reader_sync(counting->reader);
    return counting->tally;
}

void counting_expect(struct counting *counting, const uint64_t *signals, const char *where)
{
    static const enum armpmu_signal compared[] = {
        ARMPMU_SIGNAL_INST_RETIRED,     ARMPMU_SIGNAL_LOAD_RETIRED,
        ARMPMU_SIGNAL_STORE_RETIRED,    ARMPMU_SIGNAL_EXCEPTION_TAKEN,
        ARMPMU_SIGNAL_PC_WRITE,         ARMPMU_SIGNAL_EXCEPTION_RETURN,
        ARMPMU_SIGNAL_BRANCH_TAKEN,     ARMPMU_SIGNAL_BRANCH_RETURN,
        ARMPMU_SIGNAL_BRANCH_IMMEDIATE, ARMPMU_SIGNAL_UNALIGNED_RETIRED,
    };
    const uint64_t *own = counting_signals(counting);
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++) {
        if (own[compared[i]] != signals[compared[i]])
            fail_msg("%s: %s is %llu on the walk, %llu in the Cortex-A8 model", where,
                     armpmu_signal_name(compared[i]), (unsigned long long)own[compared[i]],
                     (unsigned long long)signals[compared[i]]);
    }
}
