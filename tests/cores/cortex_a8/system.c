/* What a system's stream says and a user program's does not: hand-made streams against counts made
 * by arithmetic. The machine's latencies are those of machines/cortex-a8.ini. */
#include <string.h>

#include "../../reference/trace/counting.h"
#include "../../test.h"
#include "../model.h"

enum { MAX_INSNS = 5 };

/* A32 blocks by id. */
struct source {
    uint32_t address, n_insns, records[MAX_INSNS];
};

#define ADD        UINT32_C(0xe2800001) /* add r0, r0, #1 */
#define LDR        UINT32_C(0xe5912004) /* ldr r2, [r1, #4] */
#define STR        UINT32_C(0xe5810000) /* str r0, [r1] */
#define LDRNE      UINT32_C(0x15913000) /* ldrne r3, [r1] */
#define LDM        UINT32_C(0xe89100f0) /* ldm r1, {r4-r7} */
#define VLDR       UINT32_C(0xed910b00) /* vldr d0, [r1] */
#define BNE_BACK   UINT32_C(0x1afffffd) /* bne .-4 */
#define B_TARGET   UINT32_C(0xea0003fd) /* b .+0xffc */
#define BX_LR      UINT32_C(0xe12fff1e)
#define POPNE_PC   UINT32_C(0x18bd8000) /* ldmne sp!, {pc} */
#define SVC        UINT32_C(0xef000000)
#define MOVS_PC_LR UINT32_C(0xe1b0f00e)

enum {
    LOADS,
    LOADS_FROM_2,
    LOADS_FROM_4,
    CALL,
    AFTER_CALL,
    LOOP,
    RESUME,
    OTHER_LOOP,
    OTHER_RESUME,
    JUMP,
    TARGET,
    RETURN,
    POP,
    VECTOR,
    MIXED,
    OPTIONAL,
    LIST,
    VECTOR_LOAD,
    READ,
    PLAIN,
    MAINTENANCE,
    ENTRY,
    AT_CALL, /* no instruction: execution has come there */
    AT_TARGET,
};

static const struct source program[] = {
    [LOADS] = {0x10000, 5, {LDR, ADD, LDR, STR, ADD}},
    [LOADS_FROM_2] = {0x10008, 3, {LDR, STR, ADD}},
    [LOADS_FROM_4] = {0x10010, 1, {ADD}},
    [CALL] = {0x11000, 2, {ADD, SVC}},
    [AFTER_CALL] = {0x11008, 1, {ADD}},
    [LOOP] = {0x13000, 2, {ADD, BNE_BACK}},
    [RESUME] = {0x13008, 1, {ADD}},
    [OTHER_LOOP] = {0x13100, 2, {ADD, BNE_BACK}},
    [OTHER_RESUME] = {0x13108, 1, {ADD}},
    [JUMP] = {0x14000, 2, {ADD, B_TARGET}},
    [TARGET] = {0x15000 + 8, 1, {ADD}},
    [RETURN] = {0x16000, 2, {ADD, BX_LR}},
    [POP] = {0x17000, 1, {POPNE_PC}},
    [VECTOR] = {0x20000, 2, {ADD, MOVS_PC_LR}},
    [MIXED] = {0x18000, 5, {LDR, LDR, STR, LDR, BX_LR}},
    [OPTIONAL] = {0x18100, 2, {ADD, LDRNE}},
    [LIST] = {0x18200, 2, {LDM, BX_LR}},
    [VECTOR_LOAD] = {0x18300, 2, {VLDR, BX_LR}},
    [READ] = {0x18400, 2, {LDR, BX_LR}},
    [PLAIN] = {0x18500, 2, {ADD, ADD}},
    /* cpsid i; clean a line; invalidate the TLBs; write the context ID; rfeia sp! */
    [MAINTENANCE] = {0x18600, 5, {0xf10c0080, 0xee070f3a, 0xee080f17, 0xee0d0f30, 0xf8bd0a00}},
    /* srsdb sp!, #19; mrs r0, cpsr; msr cpsr_c, r0; wfi; smc #0 */
    [AT_CALL] = {0x11000, 0, {0}},
    [AT_TARGET] = {0x15000 + 8, 0, {0}},
    [ENTRY] = {0x18700, 5, {0xf96d0513, 0xe10f0000, 0xe121f000, 0xe320f003, 0xe1600070}},
};

static bool lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    if (id >= sizeof program / sizeof program[0])
        return false;
    *out = (struct armpmu_block_source){
        .address = program[id].address,
        .bytes = (const uint8_t *)program[id].records,
        .n_bytes = program[id].n_insns * 4,
        .n_insns = program[id].n_insns,
        .isa = ARMPMU_A32,
    };
    return true;
}

#define DATA         UINT64_C(0x40000)
#define DATA_PAGE    (DATA >> 12)
#define ALL          ARMPMU_RECORD_ALL
#define MEMORY_COST  125 /* memory.minimum_cycles + memory.latency_cycles */
#define ENTRY_COST   13
#define PLAIN_LOADS  ACCESS(0, DATA), ACCESS(2, DATA), ACCESS(3, DATA)
#define SIGNAL(name) model_signal(&model, ARMPMU_SIGNAL_##name)

struct counts {
    uint64_t retired, loads, stores, taken, returned, pc_writes;
};

static struct model new_model(void)
{
    return model_new("cortex-a8-plain", lookup, NULL);
}

static struct counts run(const uint64_t *records, size_t n)
{
    struct model model = new_model();
    model_run(&model, records, n);
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    const struct counts counts = {
        SIGNAL(INST_RETIRED),    SIGNAL(LOAD_RETIRED),     SIGNAL(STORE_RETIRED),
        SIGNAL(EXCEPTION_TAKEN), SIGNAL(EXCEPTION_RETURN), SIGNAL(PC_WRITE),
    };
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    armpmu_sim_signals(model.sim, tally);
    model_free(&model);
    struct counting *counting = counting_new(lookup, NULL);
    counting_run(counting, records, n);
    counting_finish(counting, ARMPMU_END_EXIT);
    counting_expect(counting, tally, "the stream");
    counting_free(counting);
    return counts;
}

static void expect(int line, struct counts have, struct counts want)
{
    if (memcmp(&have, &want, sizeof want) == 0)
        return;
    fail_msg("line %d: retired %d loads %d stores %d taken %d returned %d PC %d, "
             "want %d %d %d %d %d %d",
             line, (int)have.retired, (int)have.loads, (int)have.stores, (int)have.taken,
             (int)have.returned, (int)have.pc_writes, (int)want.retired, (int)want.loads,
             (int)want.stores, (int)want.taken, (int)want.returned, (int)want.pc_writes);
}

#define WORDS(...)                                                                                 \
    (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)
#define EXPECT(have, ...) expect(__LINE__, have, (struct counts){__VA_ARGS__})

/* What each signal rose by since the last call. */
static const uint64_t *taken(struct model *model)
{
    static uint64_t delta[ARMPMU_SIGNAL_COUNT];
    memset(delta, 0, sizeof delta);
    armpmu_sim_read_delta(model->sim, delta);
    return delta;
}

/* ---- EXCEPTION ---- */

TEST(an_exception_retires_what_was_before_it)
{
    EXPECT(run(WORDS(BLOCK(LOADS), EXCEPTION(0), BLOCK(VECTOR))), 0 + 2, 0, 0, 1, 0, 0);
    EXPECT(run(WORDS(BLOCK(LOADS), ACCESS(0, DATA), EXCEPTION(1), BLOCK(VECTOR))), 1 + 2, 1, 0, 1,
           0, 0);
    EXPECT(run(WORDS(BLOCK(LOADS), ACCESS(0, DATA), EXCEPTION(2), BLOCK(VECTOR))), 2 + 2, 1, 0, 1,
           0, 0);
    EXPECT(run(WORDS(BLOCK(LOADS), PLAIN_LOADS, EXCEPTION(4), BLOCK(VECTOR))), 4 + 2, 2, 1, 1, 0,
           0);
    EXPECT(run(WORDS(BLOCK(LOADS), PLAIN_LOADS, EXCEPTION(5), BLOCK(VECTOR))), 5 + 2, 2, 1, 1, 0,
           0);
    EXPECT(run(WORDS(BLOCK(LOADS), PLAIN_LOADS, EXCEPTION(ALL), BLOCK(VECTOR))), 5 + 2, 2, 1, 1, 0,
           0);
    /* half of a list, then the exception */
    EXPECT(run(WORDS(BLOCK(LIST), RUN(0, DATA), 8, EXCEPTION(0), BLOCK(VECTOR))), 0 + 2, 0, 0, 1, 0,
           0);
    /* a condition that failed, and one whose access aborted */
    EXPECT(run(WORDS(BLOCK(OPTIONAL), EXCEPTION(ALL), BLOCK(VECTOR))), 2 + 2, 0, 0, 1, 0, 0);
    EXPECT(run(WORDS(BLOCK(OPTIONAL), EXCEPTION(1), BLOCK(VECTOR))), 1 + 2, 0, 0, 1, 0, 0);
}

/* A block of no instructions decides the branch before it, and costs nothing. */
TEST(a_block_of_no_instructions_says_where_execution_is)
{
    EXPECT(run(WORDS(BLOCK(JUMP), EXCEPTION_AT(0))), 2, 0, 0, 1, 0, 1);
    EXPECT(run(WORDS(MMU(1), BLOCK(JUMP), BLOCK(AT_TARGET))), 2, 0, 0, 0, 0, 1);
    EXPECT(run(WORDS(MMU(1), BLOCK(JUMP), BLOCK(AT_TARGET), BLOCK(TARGET))), 3, 0, 0, 0, 0, 1);
    EXPECT(run(WORDS(BLOCK(AT_CALL), EXCEPTION(0), BLOCK(VECTOR))), 2, 0, 0, 1, 0, 0);
    EXPECT(run(WORDS(BLOCK(AT_CALL), EXCEPTION(ALL), BLOCK(VECTOR))), 2, 0, 0, 1, 0, 0);
    EXPECT(run(WORDS(BLOCK(AT_CALL), BLOCK(CALL), EXCEPTION(ALL), BLOCK(VECTOR))), 4, 0, 0, 1, 0,
           0);

    struct model with = new_model(), without = new_model();
    FEED(&with, MMU(1), BLOCK(JUMP), BLOCK(AT_TARGET), BLOCK(TARGET), BLOCK(CALL));
    FEED(&without, MMU(1), BLOCK(JUMP), BLOCK(TARGET), BLOCK(CALL));
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (signal != ARMPMU_SIGNAL_CPU_CYCLES) /* pairs do not form across it */
            assert_int_equal(model_signal(&with, (enum armpmu_signal)signal),
                             model_signal(&without, (enum armpmu_signal)signal));
    model_free(&with);
    model_free(&without);
}

TEST(a_call_executes_and_its_handler_returns_by_itself)
{
    EXPECT(run(WORDS(BLOCK(CALL), EXCEPTION(ALL), BLOCK(VECTOR), BLOCK(AFTER_CALL))), 2 + 2 + 1, 0,
           0, 1, 1, 1);
}

TEST(an_exception_may_come_first_or_follow_another)
{
    EXPECT(run(WORDS(EXCEPTION(0), BLOCK(VECTOR))), 2, 0, 0, 1, 0, 0);
    EXPECT(run(WORDS(BLOCK(CALL), EXCEPTION(ALL), EXCEPTION(0), EXCEPTION(ALL), BLOCK(VECTOR),
                     BLOCK(RESUME))),
           2 + 2 + 1, 0, 0, 3, 1, 1);
}

TEST(an_exception_may_come_in_a_call_of_its_own)
{
    struct model model = new_model();
    FEED(&model, MMU(1), BLOCK(LOADS), PLAIN_LOADS);
    FEED(&model, EXCEPTION(ALL));
    FEED(&model, BLOCK(VECTOR));
    assert_int_equal(SIGNAL(INST_RETIRED), 7);
    assert_int_equal(SIGNAL(EXCEPTION_TAKEN), 1);
    model_free(&model);
}

TEST(an_exception_costs_its_entry)
{
    struct model model = new_model();
    FEED(&model, MMU(1), BLOCK(PLAIN), BLOCK(TARGET), BLOCK(VECTOR));
    taken(&model);
    /* Two dependent ADDs: two cycles, the second half empty; then the refill. */
    FEED(&model, BLOCK(PLAIN), EXCEPTION(ALL));
    const uint64_t *delta = taken(&model);
    const uint64_t return_cost = 13;
    assert_int_equal(delta[ARMPMU_SIGNAL_CPU_CYCLES], return_cost + 2 + ENTRY_COST);
    assert_int_equal(delta[ARMPMU_SIGNAL_ISSUE_EMPTY], return_cost + ENTRY_COST);
    assert_int_equal(delta[ARMPMU_SIGNAL_INST_ISSUED], 2);
    FEED(&model, BLOCK(PLAIN), EXCEPTION(1));
    delta = taken(&model);
    assert_int_equal(delta[ARMPMU_SIGNAL_CPU_CYCLES], 1 + ENTRY_COST);
    assert_int_equal(delta[ARMPMU_SIGNAL_INST_ISSUED], 1);
    model_free(&model);
}

/* BNE, interrupt; the handler returns to where the branch went, and that is all that shows it. */
TEST(a_branch_hidden_by_an_interrupt_shows_when_its_handler_returns)
{
    /* one MOVS each writes the PC, too */
    EXPECT(run(WORDS(BLOCK(LOOP), EXCEPTION(ALL), BLOCK(VECTOR), BLOCK(LOOP), BLOCK(RESUME))), 7, 0,
           0, 1, 1, 1 + 1);
    EXPECT(run(WORDS(BLOCK(LOOP), EXCEPTION(ALL), BLOCK(VECTOR), BLOCK(RESUME))), 5, 0, 0, 1, 1,
           0 + 1);
    /* the engine knows: at once, and not a second time */
    EXPECT(run(WORDS(BLOCK(LOOP), EXCEPTION_AT(0x13000))), 2, 0, 0, 1, 0, 1);
    EXPECT(run(WORDS(BLOCK(LOOP), EXCEPTION_AT(0x13008))), 2, 0, 0, 1, 0, 0);
    EXPECT(
        run(WORDS(BLOCK(LOOP), EXCEPTION_AT(0x13000), BLOCK(VECTOR), BLOCK(LOOP), BLOCK(RESUME))),
        7, 0, 0, 1, 1, 1 + 1);
    /* two tasks, resumed in the order they were interrupted in */
    EXPECT(run(WORDS(BLOCK(LOOP), EXCEPTION(ALL), BLOCK(VECTOR), BLOCK(OTHER_LOOP), EXCEPTION(ALL),
                     BLOCK(VECTOR), BLOCK(LOOP), BLOCK(RESUME), EXCEPTION(ALL), BLOCK(VECTOR),
                     BLOCK(OTHER_RESUME))),
           2 * 3 + 2 * 3 + 2, 0, 0, 3, 3, 1 + 3);
    /* none of them */
    EXPECT(run(WORDS(BLOCK(LOOP), EXCEPTION(ALL), BLOCK(VECTOR), BLOCK(TARGET))), 5, 0, 0, 1, 1,
           0 + 1);
}

TEST(a_branch_without_condition_is_taken_whatever_comes)
{
    EXPECT(run(WORDS(BLOCK(JUMP), EXCEPTION(ALL), BLOCK(VECTOR), BLOCK(TARGET))), 5, 0, 0, 1, 1,
           1 + 1);
    EXPECT(run(WORDS(BLOCK(RETURN), EXCEPTION(ALL), BLOCK(VECTOR), BLOCK(TARGET))), 5, 0, 0, 1, 1,
           1 + 1);
    EXPECT(run(WORDS(BLOCK(RETURN), EXCEPTION_AT(0x15008), BLOCK(VECTOR), BLOCK(TARGET))), 5, 0, 0,
           1, 1, 1 + 1);
    /* with a condition and a target from memory: known if the engine says so, else not taken */
    EXPECT(run(WORDS(BLOCK(POP), ACCESS(0, DATA), EXCEPTION_AT(0x15008), BLOCK(VECTOR),
                     BLOCK(TARGET))),
           4, 1, 0, 1, 1, 1 + 1);
    EXPECT(run(WORDS(BLOCK(POP), EXCEPTION(ALL), BLOCK(VECTOR), BLOCK(TARGET))), 4, 0, 0, 1, 1,
           0 + 1);
}

/* A branch that missed the branch target buffer flushes; the interrupt behind it does not keep it
 * from being learned. */
TEST(the_predictor_learns_of_a_branch_before_an_interrupt)
{
    struct model model = new_model();
    FEED(&model, BLOCK(JUMP), EXCEPTION(ALL));
    assert_int_equal(SIGNAL(BRANCH_FLUSH), 1);
    FEED(&model, BLOCK(VECTOR), BLOCK(JUMP), EXCEPTION(ALL));
    assert_int_equal(SIGNAL(BRANCH_FLUSH), 1);
    assert_int_equal(SIGNAL(BRANCH_TAKEN), 2);
    assert_int_equal(SIGNAL(BRANCH_PREDICTED_TAKEN), 1);
    model_free(&model);
}

static void interval_passed(void *user, uint64_t count)
{
    *(uint64_t *)user = count;
}

TEST(intervals_count_what_retired_only)
{
    struct model model = new_model();
    uint64_t intervals = 0;
    armpmu_sim_set_interval(model.sim, ARMPMU_SIGNAL_INST_RETIRED, 1, interval_passed, &intervals);
    FEED(&model, MMU(1), BLOCK(LOADS), PLAIN_LOADS, EXCEPTION(4), BLOCK(CALL), EXCEPTION(ALL),
         BLOCK(LOADS), ACCESS(0, DATA), EXCEPTION(1));
    assert_int_equal(intervals, 4 + 2 + 1);
    assert_int_equal(SIGNAL(INST_RETIRED), 4 + 2 + 1);
    /* asked for once more, they begin anew, of either clock */
    armpmu_sim_set_interval(model.sim, ARMPMU_SIGNAL_INST_RETIRED, 2, interval_passed, &intervals);
    FEED(&model, BLOCK(PLAIN), EXCEPTION(ALL), BLOCK(PLAIN), EXCEPTION(ALL));
    assert_int_equal(intervals, 2);
    armpmu_sim_set_interval(model.sim, ARMPMU_SIGNAL_CPU_CYCLES, 5, interval_passed, &intervals);
    FEED(&model, BLOCK(PLAIN), EXCEPTION(ALL));
    assert_int_equal(intervals, (2 + ENTRY_COST) / 5);
    armpmu_sim_set_interval(model.sim, ARMPMU_SIGNAL_INST_RETIRED, 2, interval_passed, &intervals);
    intervals = 0;
    FEED(&model, BLOCK(LOOP));
    assert_int_equal(intervals, 0);
    FEED(&model, BLOCK(LOOP));
    assert_int_equal(intervals, 1);
    model_free(&model);

    struct counting *counting = counting_new(lookup, NULL);
    const uint64_t records[] = {MMU(1),       BLOCK(LOADS),   PLAIN_LOADS,  EXCEPTION(4),
                                BLOCK(CALL),  EXCEPTION(ALL), BLOCK(LOADS), ACCESS(0, DATA),
                                EXCEPTION(1), BLOCK(LOADS),   PLAIN_LOADS};
    intervals = 0;
    counting_every(counting, 1, interval_passed, &intervals);
    counting_run(counting, records, sizeof records / sizeof records[0]);
    assert_int_equal(intervals, 4 + 2 + 1); /* the last block is open */
    counting_finish(counting, ARMPMU_END_EXIT);
    assert_int_equal(intervals, 4 + 2 + 1 + 5);
    counting_free(counting);
}

/* ---- going on without a word ---- */

TEST(the_rest_of_a_block_may_be_another_block)
{
    /* at the instruction whose access is missing */
    EXPECT(run(WORDS(MMU(1), BLOCK(LOADS), ACCESS(0, DATA), BLOCK(LOADS_FROM_2), ACCESS(0, DATA),
                     ACCESS(1, DATA), BLOCK(TARGET))),
           5 + 1, 2, 1, 0, 0, 0);
    /* behind the store that changed the code, which is the last access */
    EXPECT(run(WORDS(MMU(1), BLOCK(LOADS), PLAIN_LOADS, BLOCK(LOADS_FROM_4), BLOCK(TARGET))), 5 + 1,
           2, 1, 0, 0, 0);
    /* as a whole, before anything executed */
    EXPECT(run(WORDS(MMU(1), BLOCK(LOADS), BLOCK(LOADS), PLAIN_LOADS, BLOCK(TARGET))), 5 + 1, 2, 1,
           0, 0, 0);
    /* an engine that says nothing at all took an exception */
    EXPECT(run(WORDS(MMU(1), BLOCK(LOADS), ACCESS(0, DATA), BLOCK(VECTOR))), 2 + 2, 1, 0, 1, 0, 0);
    /* nothing followed */
    EXPECT(run(WORDS(MMU(1), BLOCK(LOADS), ACCESS(0, DATA))), 2, 1, 0, 0, 0, 0);
    /* an exception after all */
    EXPECT(run(WORDS(MMU(1), BLOCK(LOADS), ACCESS(0, DATA), EXCEPTION(1), BLOCK(VECTOR))), 1 + 2, 1,
           0, 1, 0, 0);
}

TEST(the_rest_of_a_settled_block_counts_once)
{
    struct counting *counting = counting_new(lookup, NULL);
    const uint64_t first[] = {MMU(1), BLOCK(LOADS), PLAIN_LOADS};
    const uint64_t second[] = {BLOCK(LOADS_FROM_4), BLOCK(TARGET)};
    counting_run(counting, first, sizeof first / sizeof first[0]);
    assert_int_equal(counting_signals(counting)[ARMPMU_SIGNAL_INST_RETIRED], 5);
    counting_run(counting, second, 1);
    assert_int_equal(counting_signals(counting)[ARMPMU_SIGNAL_INST_RETIRED], 5);
    counting_run(counting, second + 1, 1);
    assert_int_equal(counting_signals(counting)[ARMPMU_SIGNAL_INST_RETIRED], 6);
    counting_finish(counting, ARMPMU_END_EXIT);
    counting_free(counting);
}

TEST(a_call_that_the_engine_answers_is_no_exception)
{
    EXPECT(run(WORDS(MMU(1), BLOCK(CALL), BLOCK(AFTER_CALL))), 3, 0, 0, 0, 0, 0);
    EXPECT(run(WORDS(BLOCK(CALL), BLOCK(AFTER_CALL))), 3, 0, 0, 1, 1, 0); /* a user program's */
}

/* ---- MAP, TLB_FLUSH, MMU ---- */

/* Two processes have a page at the same address, each its own; nothing is lost at a switch. */
TEST(pages_of_two_processes_stay_side_by_side)
{
    static const char *const machines[] = {"cortex-a8", "cortex-a8-plain"};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct model model = model_new(machines[i], lookup, NULL);
        for (int round = 0; round < 10; round++) {
            FEED(&model, MAP(DATA_PAGE, 0x100), BLOCK(READ), ACCESS(0, DATA), BLOCK(READ),
                 ACCESS(0, DATA));
            FEED(&model, MAP(DATA_PAGE, 0x200), BLOCK(READ), ACCESS(0, DATA), BLOCK(READ),
                 ACCESS(0, DATA));
        }
        assert_int_equal(SIGNAL(DTLB_WALK), 2);
        assert_int_equal(SIGNAL(L1D_REFILL), 2);
        assert_int_equal(SIGNAL(L1D_ACCESS), 40);
        assert_int_equal(SIGNAL(ITLB_WALK), 1);
        model_free(&model);
    }
}

/* The same for code: one block at one address, in two frames. */
TEST(code_moves_with_its_page)
{
    struct model model = model_new("cortex-a8", lookup, NULL);
    const uint64_t page = program[RETURN].address >> 12;
    for (int round = 0; round < 10; round++)
        FEED(&model, MAP(page, 0x100), BLOCK(RETURN), BLOCK(RETURN), MAP(page, 0x200),
             BLOCK(RETURN), BLOCK(RETURN), MAP(page, 0x200));
    assert_int_equal(SIGNAL(ITLB_WALK), 2);
    assert_int_equal(SIGNAL(L1I_REFILL), 2);
    model_free(&model);
}

/* proves: 0x4B a line under another colour is cast out before it comes in again
 * proves: 0x03 a line that comes in again under another colour is refilled each time
 *
 * Two addresses of one frame share a line of one colour; under two colours it goes to and fro, and
 * takes what was stored with it. */
TEST(addresses_of_one_frame_share_its_lines)
{
    struct model model = model_new("cortex-a8", lookup, NULL);
    FEED(&model, MAP(0x40, 0x100), MAP(0x42, 0x100), MAP(0x41, 0x100));
    for (int round = 0; round < 10; round++)
        FEED(&model, BLOCK(READ), ACCESS(0, 0x40000), BLOCK(READ), ACCESS(0, 0x42000));
    assert_int_equal(SIGNAL(L1D_REFILL), 1);
    assert_int_equal(SIGNAL(L1D_COLOUR_ALIAS), 0);
    const uint64_t l2_before = SIGNAL(L2_ACCESS);
    FEED(&model, BLOCK(READ), ACCESS(0, 0x41000)); /* two descriptors, the line */
    assert_int_equal(SIGNAL(L2_ACCESS), l2_before + 3);
    for (int round = 0; round < 9; round++)
        FEED(&model, BLOCK(READ), ACCESS(0, 0x42000), BLOCK(READ), ACCESS(0, 0x41000));
    assert_int_equal(SIGNAL(L1D_REFILL), 1 + 1 + 18);
    assert_int_equal(SIGNAL(L1D_COLOUR_ALIAS), 10);
    assert_int_equal(SIGNAL(L2_ACCESS), l2_before + 3 + 18);
    /* dirty, then read under the other colour: the block's code, a cast-out, the line */
    FEED(&model, BLOCK(MIXED), ACCESS(0, 0x41000), ACCESS(1, 0x41000), ACCESS(2, 0x41000),
         ACCESS(3, 0x42000));
    assert_int_equal(SIGNAL(L2_ACCESS), l2_before + 3 + 18 + 3);
    model_free(&model);
}

TEST(until_the_first_map_the_machines_own_holds)
{
    struct model model = model_new("cortex-a8", lookup, NULL);
    FEED(&model, BLOCK(READ), ACCESS(0, DATA), BLOCK(READ), ACCESS(0, DATA));
    assert_int_equal(SIGNAL(DTLB_WALK), 1);
    /* from now on a page lies at its own address: another frame, another line */
    FEED(&model, MAP(1, 2), BLOCK(READ), ACCESS(0, DATA), BLOCK(READ), ACCESS(0, DATA));
    assert_int_equal(SIGNAL(DTLB_WALK), 2);
    assert_int_equal(SIGNAL(L1D_REFILL), 2);
    assert_int_equal(SIGNAL(ITLB_WALK), 2);
    FEED(&model, MAP(DATA_PAGE, DATA_PAGE), BLOCK(READ), ACCESS(0, DATA));
    assert_int_equal(SIGNAL(DTLB_WALK), 2);
    model_free(&model);
}

TEST(a_flush_empties_the_tlbs)
{
    static const char *const machines[] = {"cortex-a8", "cortex-a8-plain"};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct model model = model_new(machines[i], lookup, NULL);
        FEED(&model, BLOCK(READ), ACCESS(0, 0x40000), BLOCK(READ), ACCESS(0, 0x41000));
        FEED(&model, TLB_FLUSH, BLOCK(READ), ACCESS(0, 0x40000), BLOCK(READ), ACCESS(0, 0x41000));
        assert_int_equal(SIGNAL(DTLB_WALK), 4);
        assert_int_equal(SIGNAL(ITLB_WALK), 2);
        FEED(&model, TLB_FLUSH_PAGE(0x41), BLOCK(READ), ACCESS(0, 0x40000), BLOCK(READ),
             ACCESS(0, 0x41000));
        assert_int_equal(SIGNAL(DTLB_WALK), 5);
        assert_int_equal(SIGNAL(ITLB_WALK), 2);
        FEED(&model, TLB_FLUSH_PAGE(program[READ].address >> 12), BLOCK(READ), ACCESS(0, 0x40000));
        assert_int_equal(SIGNAL(DTLB_WALK), 5);
        assert_int_equal(SIGNAL(ITLB_WALK), 3);
        assert_int_equal(SIGNAL(L1D_REFILL), 2);
        assert_int_equal(SIGNAL(L1I_REFILL), 1);
        model_free(&model);
    }
}

/* While the MMU is off nothing is translated and no data is in the cache. */
TEST(without_the_mmu_there_are_no_walks_and_no_cached_data)
{
    struct model model = model_new("cortex-a8", lookup, NULL);
    FEED(&model, MMU(0), MAP(1, 1), BLOCK(READ), ACCESS(0, DATA), BLOCK(READ), ACCESS(0, DATA));
    assert_int_equal(SIGNAL(LOAD_RETIRED), 2);
    assert_int_equal(SIGNAL(L1D_ACCESS), 0);
    assert_int_equal(SIGNAL(L1D_REFILL), 0);
    assert_int_equal(SIGNAL(DTLB_WALK), 0);
    assert_int_equal(SIGNAL(ITLB_WALK), 0);
    assert_int_equal(SIGNAL(L1I_REFILL), 1);
    assert_int_equal(SIGNAL(BUS_READ_BEAT), 8 + 2); /* a line of code, two records */
    FEED(&model, MMU(1), BLOCK(READ), ACCESS(0, DATA), BLOCK(READ), ACCESS(0, DATA));
    assert_int_equal(SIGNAL(L1D_ACCESS), 2);
    assert_int_equal(SIGNAL(L1D_REFILL), 1);
    assert_int_equal(SIGNAL(DTLB_WALK), 1);
    assert_int_equal(SIGNAL(ITLB_WALK), 1);
    assert_int_equal(SIGNAL(L1I_REFILL), 1); /* the line is still there */
    FEED(&model, MMU(0), BLOCK(READ), ACCESS(0, DATA));
    assert_int_equal(SIGNAL(L1D_ACCESS), 2);
    FEED(&model, MMU(1), BLOCK(READ), ACCESS(0, DATA));
    assert_int_equal(SIGNAL(DTLB_WALK), 1); /* nor is anything lost */
    assert_int_equal(SIGNAL(L1D_REFILL), 1);
    model_free(&model);
}

/* ---- DEVICE ---- */

TEST(device_memory_is_translated_but_not_cached)
{
    struct model model = new_model();
    FEED(&model, BLOCK(MIXED), ACCESS(0, DATA), ACCESS(1, DATA), ACCESS(2, DATA), ACCESS(3, DATA),
         BLOCK(MIXED), ACCESS(0, DATA), ACCESS(1, DATA), ACCESS(2, DATA), ACCESS(3, DATA));
    FEED(&model, BLOCK(READ), DEVICE(0, 0x80000));
    assert_int_equal(SIGNAL(DTLB_WALK), 2);
    FEED(&model, BLOCK(MIXED), ACCESS(0, DATA), ACCESS(1, DATA), ACCESS(2, DATA), ACCESS(3, DATA),
         BLOCK(MIXED), ACCESS(0, DATA), ACCESS(1, DATA), ACCESS(2, DATA), ACCESS(3, DATA));
    taken(&model);
    FEED(&model, BLOCK(MIXED), ACCESS(0, DATA), ACCESS(1, DATA), ACCESS(2, DATA), ACCESS(3, DATA));
    const uint64_t cycles = taken(&model)[ARMPMU_SIGNAL_CPU_CYCLES];
    /* the second and the third, between others */
    FEED(&model, BLOCK(MIXED), ACCESS(0, DATA), DEVICE(1, 0x80000), DEVICE(2, 0x80010),
         ACCESS(3, DATA));
    const uint64_t *delta = taken(&model);
    assert_int_equal(delta[ARMPMU_SIGNAL_INST_RETIRED], 5);
    assert_int_equal(delta[ARMPMU_SIGNAL_LOAD_RETIRED], 3);
    assert_int_equal(delta[ARMPMU_SIGNAL_STORE_RETIRED], 1);
    assert_int_equal(delta[ARMPMU_SIGNAL_L1D_ACCESS], 2);
    assert_int_equal(delta[ARMPMU_SIGNAL_L1D_REFILL], 0);
    assert_int_equal(delta[ARMPMU_SIGNAL_L2_ACCESS], 0);
    assert_int_equal(delta[ARMPMU_SIGNAL_DTLB_WALK], 0);
    assert_int_equal(delta[ARMPMU_SIGNAL_BUS_READ_BEAT], 1);
    assert_int_equal(delta[ARMPMU_SIGNAL_BUS_WRITE_BEAT], 1);
    assert_int_equal(delta[ARMPMU_SIGNAL_STORE_TO_L2], 0);
    assert_int_equal(delta[ARMPMU_SIGNAL_CPU_CYCLES], cycles + MEMORY_COST);
    /* the last */
    FEED(&model, BLOCK(MIXED), ACCESS(0, DATA), ACCESS(1, DATA), ACCESS(2, DATA),
         DEVICE(3, 0x80000));
    delta = taken(&model);
    assert_int_equal(delta[ARMPMU_SIGNAL_LOAD_RETIRED], 3);
    assert_int_equal(delta[ARMPMU_SIGNAL_L1D_ACCESS], 3);
    assert_int_equal(delta[ARMPMU_SIGNAL_CPU_CYCLES], cycles + MEMORY_COST);
    model_free(&model);
}

TEST(every_kind_of_instruction_reads_devices)
{
    struct model model = new_model();
    FEED(&model, BLOCK(OPTIONAL), DEVICE(1, 0x80000), BLOCK(TARGET), BLOCK(OPTIONAL),
         BLOCK(TARGET));
    assert_int_equal(SIGNAL(LOAD_RETIRED), 1);
    assert_int_equal(SIGNAL(L1D_ACCESS), 0);
    assert_int_equal(SIGNAL(DTLB_WALK), 1);
    assert_int_equal(SIGNAL(INST_RETIRED), 6);
    taken(&model);
    /* one word or four, the registers are read once: 16 bytes are two beats */
    FEED(&model, BLOCK(LIST), DEVICE(0, 0x80000), BLOCK(LIST), DEVICE(0, 0x80000),
         DEVICE(0, 0x80004), DEVICE(0, 0x80008), DEVICE(0, 0x8000c), BLOCK(TARGET));
    const uint64_t *delta = taken(&model);
    assert_int_equal(delta[ARMPMU_SIGNAL_LOAD_RETIRED], 2);
    assert_int_equal(delta[ARMPMU_SIGNAL_L1D_ACCESS], 0);
    assert_int_equal(delta[ARMPMU_SIGNAL_BUS_READ_BEAT], 2 * 2 + 8); /* and a line of code */
    /* afterwards the list is one again */
    FEED(&model, BLOCK(LIST), RUN(0, DATA), 16, BLOCK(TARGET));
    assert_int_equal(taken(&model)[ARMPMU_SIGNAL_L1D_ACCESS], 1);
    FEED(&model, BLOCK(VECTOR_LOAD), DEVICE(0, 0x80000), BLOCK(TARGET));
    delta = taken(&model);
    assert_int_equal(delta[ARMPMU_SIGNAL_LOAD_RETIRED], 1);
    assert_int_equal(delta[ARMPMU_SIGNAL_NEON_L1D_ACCESS], 0);
    assert_int_equal(delta[ARMPMU_SIGNAL_NEON_L1D_HIT], 0);
    assert_int_equal(delta[ARMPMU_SIGNAL_L1D_ACCESS], 0);
    FEED(&model, BLOCK(READ), DEVICE(0, 0), BLOCK(TARGET));
    assert_int_equal(taken(&model)[ARMPMU_SIGNAL_L1D_ACCESS], 0);
    model_free(&model);
}

/* Eight stores wait for the bus, a ninth for the first of them. */
TEST(stores_to_devices_wait_in_the_write_buffer)
{
    struct model model = new_model();
    for (int i = 0; i < 8; i++)
        FEED(&model, BLOCK(MIXED), ACCESS(0, DATA), ACCESS(1, DATA), DEVICE(2, 0x80000),
             ACCESS(3, DATA));
    assert_int_equal(SIGNAL(STORE_BUFFER_FULL), 0);
    FEED(&model, BLOCK(MIXED), ACCESS(0, DATA), ACCESS(1, DATA), DEVICE(2, 0x80000),
         ACCESS(3, DATA));
    assert_true(SIGNAL(STORE_BUFFER_FULL) > 0);
    assert_int_equal(SIGNAL(STORE_MERGED), 0);
    model_free(&model);
}

/* ---- instructions that User mode cannot execute ---- */

TEST(privileged_instructions_count_as_what_they_are)
{
    EXPECT(run(WORDS(MMU(1), BLOCK(ENTRY), RUN(0, DATA), 8, EXCEPTION(ALL), BLOCK(VECTOR))), 5 + 2,
           0, 1, 1, 0, 0);
    struct model model = new_model();
    FEED(&model, MMU(1), BLOCK(MAINTENANCE), RUN(4, DATA), 8, BLOCK(TARGET));
    assert_int_equal(SIGNAL(INST_RETIRED), 6);
    assert_int_equal(SIGNAL(CONTEXTIDR_WRITE), 1);
    assert_int_equal(SIGNAL(LOAD_RETIRED), 1); /* what RFE loads */
    assert_int_equal(SIGNAL(L1D_ACCESS), 1);
    assert_int_equal(SIGNAL(EXCEPTION_RETURN), 1);
    assert_int_equal(SIGNAL(EXCEPTION_TAKEN), 0);
    assert_int_equal(SIGNAL(BRANCH_PREDICTABLE), 0);
    /* RFE does not complete when its load aborts */
    FEED(&model, BLOCK(MAINTENANCE), EXCEPTION(4), BLOCK(VECTOR));
    assert_int_equal(SIGNAL(INST_RETIRED), 6 + 4 + 2);
    assert_int_equal(SIGNAL(EXCEPTION_RETURN), 1);
    assert_int_equal(SIGNAL(EXCEPTION_TAKEN), 1);
    assert_int_equal(SIGNAL(CONTEXTIDR_WRITE), 2);
    model_free(&model);
}

/* ---- what a stream must not have ---- */

static void expect_refused(uint64_t word, const char *message)
{
    struct model model = new_model();
    struct armpmu_error err = {""};
    const uint64_t records[] = {BLOCK(PLAIN), word};
    assert_int_equal(armpmu_sim_run(model.sim, records, 2, &err), ARMPMU_BAD_INPUT);
    assert_string_equal(err.message, message);
    model_free(&model);
}

TEST(words_that_mean_nothing_are_refused)
{
    expect_refused(UINT64_C(0xd000000000000012),
                   "malformed trace record 0xd000000000000012: use an engine of the same version");
    expect_refused(EXCEPTION(3), "the trace has an exception after 3 instructions of the "
                                 "block at 0x18500, which has 2; it must count those of the last "
                                 "block");
}
