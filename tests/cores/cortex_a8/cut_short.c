/* Blocks that end early, and what a signal hides: hand-made streams against hand-made counts. */
#include <string.h>

#include "../../reference/trace/counting.h"
#include "../../test.h"
#include "../model.h"

enum { MAX_INSNS = 8 };

/* A32 blocks by id. */
struct source {
    uint64_t address;
    uint32_t n_insns;
    uint32_t records[MAX_INSNS];
};

#define ADD      UINT32_C(0xe2800001) /* add r0, r0, #1 */
#define LDR      UINT32_C(0xe5912004) /* ldr r2, [r1, #4] */
#define STR      UINT32_C(0xe5810000) /* str r0, [r1] */
#define LDRNE    UINT32_C(0x15913000) /* ldrne r3, [r1] */
#define LDM      UINT32_C(0xe89100f0) /* ldm r1, {r4-r7} */
#define LDMNE    UINT32_C(0x189100f0) /* ldmne r1, {r4-r7} */
#define BNE_BACK UINT32_C(0x1afffffd) /* bne .-4 */
#define BX_LR    UINT32_C(0xe12fff1e)
#define SVC      UINT32_C(0xef000000)
#define UDF      UINT32_C(0xe7f000f0)
#define VADD     UINT32_C(0xee300b01) /* vadd.f64 d0, d0, d1 */

enum {
    LOADS,
    CONDITIONAL,
    MAYBE_LAST,
    LIST,
    HANDLER,
    LOOP,
    RESUME,
    ILLEGAL,
    TAIL,
    VECTORS,
    VECTORS_FROM_1,
    LISTS,
    LIST_LAST,
    VECTORS_AND_LOAD,
    ILLEGAL_ALONE,
    EMPTY
};

static const struct source program[] = {
    [LOADS] = {0x10000, 5, {LDR, ADD, LDR, STR, ADD}},
    [CONDITIONAL] = {0x11000, 4, {ADD, LDRNE, ADD, LDR}},
    [MAYBE_LAST] = {0x11100, 2, {LDR, LDRNE}},
    [LIST] = {0x12000, 3, {ADD, LDM, ADD}},
    [HANDLER] = {0x20000, 2, {ADD, SVC}},
    [LOOP] = {0x13000, 2, {ADD, BNE_BACK}},
    [RESUME] = {0x13008, 1, {ADD}},
    [ILLEGAL] = {0x14000, 2, {ADD, UDF}},
    [TAIL] = {0x15000, 2, {LDR, BX_LR}},
    [VECTORS] = {0x16000, 3, {ADD, VADD, ADD}},
    [VECTORS_FROM_1] = {0x16004, 2, {VADD, ADD}},
    [LIST_LAST] = {0x18000, 2, {ADD, LDMNE}},
    [VECTORS_AND_LOAD] = {0x19000, 3, {VADD, LDR, VADD}},
    [ILLEGAL_ALONE] = {0x1a000, 1, {UDF}},
    [EMPTY] = {0x1300c, 0, {0}},
    [LISTS] = {0x17000, 4, {LDMNE, LDMNE, LDMNE, ADD}},
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

#define DATA UINT64_C(0x40000)

struct counts {
    uint64_t retired, loads, stores, taken, returned, pc_writes;
};

static struct counts run(const uint64_t *records, size_t n, enum armpmu_end end)
{
    struct model model = model_new("cortex-a8-plain", lookup, NULL);
    model_run(&model, records, n);
    armpmu_sim_finish(model.sim, end);
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    armpmu_sim_signals(model.sim, tally);
    model_free(&model);
    struct counting *counting = counting_new(lookup, NULL);
    counting_run(counting, records, n);
    counting_finish(counting, end);
    counting_expect(counting, tally, "the stream");
    counting_free(counting);
    return (struct counts){
        .retired = tally[ARMPMU_SIGNAL_INST_RETIRED],
        .loads = tally[ARMPMU_SIGNAL_LOAD_RETIRED],
        .stores = tally[ARMPMU_SIGNAL_STORE_RETIRED],
        .taken = tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN],
        .returned = tally[ARMPMU_SIGNAL_EXCEPTION_RETURN],
        .pc_writes = tally[ARMPMU_SIGNAL_PC_WRITE],
    };
}

#define RUN_WORDS(end, ...)                                                                        \
    run((const uint64_t[]){__VA_ARGS__},                                                           \
        sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), end)

#define EXPECT(got, ...)                                                                           \
    do {                                                                                           \
        const struct counts want = {__VA_ARGS__};                                                  \
        const struct counts have = got;                                                            \
        assert_int_equal(have.retired, want.retired);                                              \
        assert_int_equal(have.loads, want.loads);                                                  \
        assert_int_equal(have.stores, want.stores);                                                \
        assert_int_equal(have.taken, want.taken);                                                  \
        assert_int_equal(have.returned, want.returned);                                            \
        assert_int_equal(have.pc_writes, want.pc_writes);                                          \
    } while (0)

TEST(a_whole_block_retires_all_its_instructions)
{
    EXPECT(
        RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LOADS), ACCESS(0, DATA), ACCESS(2, DATA), ACCESS(3, DATA)),
        5, 2, 1, 0, 0, 0);
}

TEST(a_fault_retires_the_instructions_before_it)
{
    /* the second load faults and kills: LDR, ADD retired */
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(LOADS), ACCESS(0, DATA)), 2, 1, 0, 1, 0, 0);
    /* the first one does */
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(LOADS)), 0, 0, 0, 1, 0, 0);
    /* the store does, and the program handles it: 3 + ADD, SVC; exit does not come back */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LOADS), ACCESS(0, DATA), ACCESS(2, DATA),
                     BLOCK(HANDLER), SYSCALL(1)),
           3 + 2, 2, 0, 2, 1, 0);
}

/* ADD, SVC, and what comes back from that: only the handled fault and the call are exceptions. */
TEST(a_handled_fault_is_over_when_its_handler_runs)
{
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LOADS), ACCESS(0, DATA), BLOCK(HANDLER), SYSCALL(4),
                     SYSRET, BLOCK(RESUME), BLOCK(HANDLER)),
           2 + 2 + 1 + 2, 1, 0, 2, 2, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(ILLEGAL), BLOCK(HANDLER), SYSCALL(4), SYSRET,
                     BLOCK(RESUME), BLOCK(HANDLER)),
           1 + 2 + 1 + 2, 0, 0, 2, 2, 0);
    /* of a system, where the handler's last instruction would return */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, MMU(1), BLOCK(LOADS), ACCESS(0, DATA), BLOCK(HANDLER),
                     EXCEPTION(ARMPMU_RECORD_ALL), BLOCK(RESUME)),
           2 + 2 + 1, 1, 0, 2, 0, 0);
    /* that it is one, the first exception shows */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(RESUME), EXCEPTION(ARMPMU_RECORD_ALL), BLOCK(LOADS),
                     ACCESS(0, DATA), BLOCK(RESUME)),
           1 + 2 + 1, 1, 0, 2, 0, 0);
}

TEST(a_failed_condition_is_no_fault)
{
    /* passed, then the last load */
    EXPECT(
        RUN_WORDS(ARMPMU_END_EXIT, BLOCK(CONDITIONAL), ACCESS(1, DATA), MARK(2), ACCESS(3, DATA)),
        4, 2, 0, 0, 0, 0);
    /* failed, then the last load */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(CONDITIONAL), MARK(2), ACCESS(3, DATA)), 4, 1, 0, 0, 0,
           0);
    /* at the end of a block, and the engine was not sure of the load before it; with a block
     * behind, so that the records do not end there */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(MAYBE_LAST), ACCESS(0, DATA), MARK(1), ACCESS(1, DATA),
                     BLOCK(RESUME), BLOCK(RESUME), BLOCK(RESUME), BLOCK(RESUME), BLOCK(RESUME)),
           2 + 5, 2, 0, 0, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(MAYBE_LAST), ACCESS(0, DATA), MARK(1), BLOCK(RESUME),
                     BLOCK(RESUME), BLOCK(RESUME), BLOCK(RESUME), BLOCK(RESUME)),
           2 + 5, 1, 0, 0, 0, 0);
    /* failed, then the last load faults */
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(CONDITIONAL), MARK(2)), 3, 0, 0, 1, 0, 0);
    /* the conditional load itself faults */
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(CONDITIONAL)), 1, 0, 0, 1, 0, 0);
}

TEST(half_a_load_multiple_does_not_retire)
{
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LIST), RUN(1, DATA), 16), 3, 1, 0, 0, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(LIST), RUN(1, DATA), 8), 1, 0, 0, 1, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(LIST_LAST), RUN(1, DATA), 8), 1, 0, 0, 1, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LIST_LAST)), 2, 0, 0, 0, 0, 0);
}

/* An engine that does not know the instruction set says the worst. */
TEST(an_access_may_come_as_a_list_of_one)
{
#define LOADS_WITH_A_LIST BLOCK(LOADS), RUN(0, DATA), 4, ACCESS(2, DATA), ACCESS(3, DATA)
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, LOADS_WITH_A_LIST, LOADS_WITH_A_LIST, LOADS_WITH_A_LIST,
                     BLOCK(LOADS), ACCESS(0, DATA), MARK(1), ACCESS(2, DATA), ACCESS(3, DATA)),
           4 * 5, 4 * 2, 4, 0, 0, 0);
}

TEST(what_stands_behind_a_stream_is_not_read)
{
    const uint64_t loads[] = {BLOCK(LOADS), ACCESS(0, DATA), ACCESS(2, DATA), ACCESS(3, DATA)};
    EXPECT(run(loads, 1, ARMPMU_END_FAULT), 0, 0, 0, 1, 0, 0);
    EXPECT(run(loads, 2, ARMPMU_END_FAULT), 2, 1, 0, 1, 0, 0);
    EXPECT(run(loads, 3, ARMPMU_END_FAULT), 3, 2, 0, 1, 0, 0);
    const uint64_t conditional[] = {BLOCK(CONDITIONAL), ACCESS(1, DATA), MARK(2), ACCESS(3, DATA)};
    EXPECT(run(conditional, 1, ARMPMU_END_FAULT), 1, 0, 0, 1, 0, 0);
    EXPECT(run(conditional, 2, ARMPMU_END_FAULT), 3, 1, 0, 1, 0, 0);
    EXPECT(run(conditional, 3, ARMPMU_END_FAULT), 3, 1, 0, 1, 0, 0);
    const uint64_t list[] = {BLOCK(LIST), RUN(1, DATA), 16};
    EXPECT(run(list, 1, ARMPMU_END_FAULT), 1, 0, 0, 1, 0, 0);
    EXPECT(run(list, 2, ARMPMU_END_FAULT), 1, 0, 0, 1, 0, 0); /* its length is lost */
    const uint64_t lists[] = {BLOCK(LISTS), RUN(0, DATA), 16,           MARK(1), RUN(1, DATA),
                              16,           MARK(2),      RUN(2, DATA), 16,      MARK(3)};
    EXPECT(run(lists, 10, ARMPMU_END_EXIT), 4, 3, 0, 0, 0, 0);
    EXPECT(run(lists, 8, ARMPMU_END_FAULT), 2, 2, 0, 1, 0, 0);
    EXPECT(run(lists, 5, ARMPMU_END_FAULT), 1, 1, 0, 1, 0, 0);
    const uint64_t exception[] = {BLOCK(LOADS), ACCESS(0, DATA), EXCEPTION(1)};
    EXPECT(run(exception, 2, ARMPMU_END_FAULT), 2, 1, 0, 1, 0, 0);
}

/* The missing access shows that the block was cut short, another word comes, and only then the
 * exception that says where. */
TEST(an_exception_may_say_later_where_a_block_was_cut)
{
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, MMU(1), BLOCK(LOADS), ACCESS(0, DATA), TLB_FLUSH,
                     EXCEPTION(1), BLOCK(RESUME), BLOCK(HANDLER)),
           1 + 1 + 2, 1, 0, 1, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, MMU(1), BLOCK(LOADS), ACCESS(0, DATA), TLB_FLUSH,
                     EXCEPTION(2), BLOCK(RESUME), BLOCK(HANDLER)),
           2 + 1 + 2, 1, 0, 1, 0, 0);
}

/* Its process executed another program: neither a branch nor a call went on to what comes now. */
TEST(what_comes_behind_a_lost_thread_is_new)
{
    const uint64_t lost = armpmu_record(ARMPMU_RECORD_GAP, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LOOP), lost, BLOCK(LOOP)), 4, 0, 0, 0, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(HANDLER), SYSCALL(11), lost, BLOCK(RESUME)), 3, 0, 0, 1,
           0, 0);
    /* of the second call, there is no word: it counts as answered by the engine */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(HANDLER), SYSCALL(11), lost, BLOCK(RESUME),
                     BLOCK(HANDLER), BLOCK(RESUME)),
           2 + 1 + 2 + 1, 0, 0, 2, 1, 0);
    /* nor did a fault come back */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LOADS), ACCESS(0, DATA), lost, BLOCK(RESUME)), 2 + 1, 1,
           0, 1, 0, 0);
}

TEST(an_undefined_instruction_does_not_retire)
{
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(ILLEGAL)), 1, 0, 0, 1, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(ILLEGAL_ALONE)), 0, 0, 0, 1, 0, 0);
    /* it did, if the program ended by itself */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(ILLEGAL)), 2, 0, 0, 0, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(ILLEGAL), BLOCK(HANDLER), SYSCALL(1)), 1 + 2, 0, 0, 2,
           1, 0);
}

static void note_interval(void *user, uint64_t interval)
{
    *(uint64_t *)user = interval;
}

/* A block counts when the next one shows that it executed. */
TEST(intervals_pass_without_what_did_not_retire)
{
    struct model model = model_new("cortex-a8-plain", lookup, NULL);
    uint64_t passed = 0;
    armpmu_sim_set_interval(model.sim, ARMPMU_SIGNAL_INST_RETIRED, 1, note_interval, &passed);
    FEED(&model, BLOCK(ILLEGAL), BLOCK(LOOP), BLOCK(ILLEGAL), BLOCK(LOOP), BLOCK(LOOP));
    assert_int_equal(passed, 1 + 2 + 1 + 2);
    FEED(&model, BLOCK(EMPTY));
    assert_int_equal(passed, 1 + 2 + 1 + 2 + 2);
    assert_int_equal(model_signal(&model, ARMPMU_SIGNAL_INST_RETIRED), passed);
    model_free(&model);
}

TEST(a_branch_hidden_by_a_signal_shows_when_the_handler_returns)
{
    /* BNE, signal, handler, sigreturn to the branch's target: it was taken, then twice more */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LOOP), BLOCK(HANDLER), SYSCALL(173), SYSRET,
                     BLOCK(LOOP), BLOCK(LOOP), BLOCK(RESUME)),
           2 + 2 + 2 + 2 + 1, 0, 0, 1, 1, 2);
    /* the same, but it returns behind the loop: it was not taken */
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(LOOP), BLOCK(HANDLER), SYSCALL(173), SYSRET,
                     BLOCK(RESUME)),
           2 + 2 + 1, 0, 0, 1, 1, 0);
}

TEST(a_return_to_nowhere_is_a_taken_branch_and_a_fault)
{
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(TAIL), ACCESS(0, DATA)), 2, 1, 0, 1, 0, 1);
    EXPECT(RUN_WORDS(ARMPMU_END_EXIT, BLOCK(TAIL), ACCESS(0, DATA)), 2, 1, 0, 0, 0, 0);
}

TEST(a_fault_of_no_instruction_takes_none_back)
{
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, MMU(1)), 0, 0, 0, 0, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(RESUME), BLOCK(EMPTY)), 1, 0, 0, 0, 0, 0);
    EXPECT(RUN_WORDS(ARMPMU_END_FAULT, BLOCK(HANDLER), SYSCALL(4)), 2, 0, 0, 1, 0, 0);
}

/* How long NEON worked beside the pipeline, until both are long done. A system's. */
static uint64_t neon_work(const uint64_t *records, size_t n)
{
    struct model model = model_new("cortex-a8-plain", lookup, NULL);
    FEED(&model, MMU(1));
    model_run(&model, records, n);
    for (int i = 0; i < 10; i++)
        FEED(&model, BLOCK(RESUME), EXCEPTION(ARMPMU_RECORD_ALL));
    const uint64_t busy = model_signal(&model, ARMPMU_SIGNAL_NEON_BUSY);
    model_free(&model);
    return busy;
}

#define NEON_WORK(...)                                                                             \
    neon_work((const uint64_t[]){__VA_ARGS__},                                                     \
              sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* An addition keeps the unit busy for 9 cycles. */
TEST(what_neon_was_handed_counts_once)
{
    assert_int_equal(NEON_WORK(BLOCK(VECTORS)), 9);
    /* the engine starts the rest anew, of a block before others */
    assert_int_equal(NEON_WORK(BLOCK(VECTORS), BLOCK(VECTORS_FROM_1)), 9);
    assert_int_equal(NEON_WORK(BLOCK(VECTORS), BLOCK(VECTORS_FROM_1), BLOCK(VECTORS)), 18);
    /* of a handler that comes before the rest, which did not execute */
    assert_int_equal(NEON_WORK(BLOCK(VECTORS), BLOCK(VECTORS_FROM_1), EXCEPTION(0), BLOCK(VECTORS)),
                     9);
    /* an exception before it, behind it, and behind the end of the records */
    assert_int_equal(NEON_WORK(BLOCK(VECTORS), EXCEPTION(1)), 0);
    assert_int_equal(NEON_WORK(BLOCK(VECTORS), EXCEPTION(2)), 9);
    /* where it was cut short is said later */
    assert_int_equal(NEON_WORK(BLOCK(VECTORS_AND_LOAD), TLB_FLUSH, EXCEPTION(1)), 9);
    assert_int_equal(NEON_WORK(BLOCK(VECTORS_AND_LOAD), TLB_FLUSH, EXCEPTION(0)), 0);
    assert_int_equal(NEON_WORK(BLOCK(VECTORS_AND_LOAD), BLOCK(RESUME)), 9); /* or not at all */
    const uint64_t records[] = {BLOCK(VECTORS), EXCEPTION(1)};
    assert_int_equal(neon_work(records, 1), 9);
}

/* Each hundred numbers name the same blocks. */
static bool lookup_again(void *user, uint32_t id, struct armpmu_block_source *out)
{
    return lookup(user, id % 100, out);
}

TEST(blocks_may_have_any_numbers)
{
    struct model model = model_new("cortex-a8-plain", lookup_again, NULL);
    FEED(&model, BLOCK(LOOP), BLOCK(LOOP + 900), BLOCK(LOOP + 1100), BLOCK(LOOP + 100000),
         BLOCK(LOOP + 1100), BLOCK(LOOP + 900), BLOCK(LOOP), BLOCK(RESUME + 2000), BLOCK(LOADS),
         ACCESS(0, DATA), ACCESS(2, DATA), ACCESS(3, DATA));
    assert_int_equal(model_signal(&model, ARMPMU_SIGNAL_INST_RETIRED), 7 * 2 + 1 + 5);
    assert_int_equal(model_signal(&model, ARMPMU_SIGNAL_PC_WRITE), 6);
    model_free(&model);
}

TEST(an_unknown_block_is_an_error_that_names_it)
{
    struct armpmu_error err = {""};
    struct model model = model_new("cortex-a8-plain", lookup, NULL);
    const uint64_t word = BLOCK(4711);
    assert_int_not_equal(armpmu_sim_run(model.sim, &word, 1, &err), ARMPMU_OK);
    assert_non_null(strstr(err.message, "names block 4711, which it never defined"));
    model_free(&model);
}
