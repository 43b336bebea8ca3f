/* Feeds a trace record by record, and checks the calls that trace/trace_reader.h promises. */
#include <inttypes.h>
#include <string.h>

#include "../test.h"
#include "../cores/model.h"
#include "trace/trace_reader_internal.h"

/* ---- blocks ---- */

enum { MAX_INSNS = 5 };

struct source {
    uint64_t address;
    uint32_t n_insns, records[MAX_INSNS];
    enum armpmu_isa isa;
};

#define ADD        UINT32_C(0xe2800001) /* add r0, r0, #1 */
#define LDR        UINT32_C(0xe5912004) /* ldr r2, [r1, #4] */
#define LDRB       UINT32_C(0xe5d10000) /* ldrb r0, [r1] */
#define STR        UINT32_C(0xe5810000) /* str r0, [r1] */
#define LDRNE      UINT32_C(0x15913000) /* ldrne r3, [r1] */
#define LDM        UINT32_C(0xe89100f0) /* ldm r1, {r4-r7} */
#define LDMNE      UINT32_C(0x189100f0) /* ldmne r1, {r4-r7} */
#define SWP        UINT32_C(0xe1010092) /* swp r0, r2, [r1] */
#define STREX      UINT32_C(0xe1813f90) /* strex r3, r0, [r1] */
#define BNE_BACK   UINT32_C(0x1afffffd) /* bne .-4 */
#define B_TARGET   UINT32_C(0xea0003fd) /* b .+0xffc */
#define BX_LR      UINT32_C(0xe12fff1e)
#define POPNE_PC   UINT32_C(0x18bd8000) /* ldmne sp!, {pc} */
#define SVC        UINT32_C(0xef000000)
#define SVCNE      UINT32_C(0x1f000000)
#define UDF        UINT32_C(0xe7f000f0)
#define MOVS_PC_LR UINT32_C(0xe1b0f00e)

enum {
    LOADS,
    LOADS_2, /* its instructions from the third on */
    LOADS_4,
    LOADS_2_TO_3,
    LOADS_3,
    CALL,
    AFTER_CALL,
    MAYBE_CALL,
    LOOP,
    AFTER_LOOP,
    JUMP,
    TARGET,
    RETURN,
    POP,
    HANDLER, /* returns from an exception */
    VECTOR,  /* does not */
    OPTIONAL,
    OPTIONAL_LAST,
    LOAD_OPTIONAL,
    OPTIONAL_FIRST,
    LIST_MAY_BE_LAST,
    BYTE,
    LISTS,
    OPTIONAL_LIST,
    LISTS_ALONE,
    SWAPS,
    EXCLUSIVES,
    ILLEGAL,
    AFTER_ILLEGAL,
    LOAD_TRAPS,
    AFTER_RETURN,
    AFTER_POP,
    AFTER_MAYBE,
    LOOP_1,
    AT_TARGET, /* no instruction */
    A64_CALL,
    A64_LOOP,
    A64_LOADS,
    A64_PREDICATED,
    T32_IT,
    T32_IN_IT,
    LOOPS = 100,       /* and on, loops of their own */
    AFTER_LOOPS = 200, /* and on, what is behind each */
    FAR_IDS = 300,     /* and on, all of them TARGET */
};

static const struct source program[] = {
    [LOADS] = {0x1000, 5, {LDR, ADD, LDR, STR, ADD}, ARMPMU_A32},
    [LOADS_2] = {0x1008, 3, {LDR, STR, ADD}, ARMPMU_A32},
    [LOADS_4] = {0x1010, 1, {ADD}, ARMPMU_A32},
    [LOADS_2_TO_3] = {0x1008, 2, {LDR, STR}, ARMPMU_A32},
    [LOADS_3] = {0x100c, 2, {STR, ADD}, ARMPMU_A32},
    [CALL] = {0x1100, 2, {ADD, SVC}, ARMPMU_A32},
    [AFTER_CALL] = {0x1108, 1, {ADD}, ARMPMU_A32},
    [MAYBE_CALL] = {0x1200, 2, {ADD, SVCNE}, ARMPMU_A32},
    [LOOP] = {0x1300, 2, {ADD, BNE_BACK}, ARMPMU_A32},
    [AFTER_LOOP] = {0x1308, 1, {ADD}, ARMPMU_A32},
    [JUMP] = {0x1400, 2, {ADD, B_TARGET}, ARMPMU_A32},
    [TARGET] = {0x2400, 1, {ADD}, ARMPMU_A32},
    [RETURN] = {0x1500, 2, {ADD, BX_LR}, ARMPMU_A32},
    [POP] = {0x1600, 1, {POPNE_PC}, ARMPMU_A32},
    [HANDLER] = {0x3000, 2, {ADD, MOVS_PC_LR}, ARMPMU_A32},
    [VECTOR] = {0x3100, 2, {ADD, ADD}, ARMPMU_A32},
    [OPTIONAL] = {0x1700, 4, {ADD, LDRNE, ADD, LDR}, ARMPMU_A32},
    [OPTIONAL_LAST] = {0x1800, 2, {ADD, LDRNE}, ARMPMU_A32},
    [LOAD_OPTIONAL] = {0x1880, 2, {LDR, LDRNE}, ARMPMU_A32},
    [OPTIONAL_FIRST] = {0x18c0, 2, {LDRNE, ADD}, ARMPMU_A32},
    [LIST_MAY_BE_LAST] = {0x1980, 2, {ADD, LDMNE}, ARMPMU_A32},
    [BYTE] = {0x1f00, 2, {LDRB, ADD}, ARMPMU_A32},
    [LISTS] = {0x1900, 3, {LDM, LDR, LDM}, ARMPMU_A32},
    [OPTIONAL_LIST] = {0x1a00, 3, {LDMNE, LDM, ADD}, ARMPMU_A32},
    [LISTS_ALONE] = {0x1a80, 2, {LDM, LDM}, ARMPMU_A32},
    [SWAPS] = {0x1b00, 3, {SWP, LDR, SWP}, ARMPMU_A32},
    [EXCLUSIVES] = {0x1c00, 3, {STREX, LDR, STREX}, ARMPMU_A32},
    [ILLEGAL] = {0x1d00, 2, {ADD, UDF}, ARMPMU_A32},
    [AFTER_ILLEGAL] = {0x1d08, 1, {ADD}, ARMPMU_A32},
    [LOAD_TRAPS] = {0x1e00, 2, {LDR, UDF}, ARMPMU_A32},
    [AFTER_RETURN] = {0x1508, 1, {ADD}, ARMPMU_A32},
    [AFTER_POP] = {0x1604, 1, {ADD}, ARMPMU_A32},
    [AFTER_MAYBE] = {0x1208, 1, {ADD}, ARMPMU_A32},
    [LOOP_1] = {0x1304, 1, {BNE_BACK}, ARMPMU_A32},
    [AT_TARGET] = {0x2400, 0, {0}, ARMPMU_A32},
    [A64_CALL] = {0x4000, 2, {0x91000400, 0xd4000001}, ARMPMU_A64}, /* add; svc */
    [A64_LOOP] = {0x4100, 2, {0x91000400, 0x54ffffe1}, ARMPMU_A64}, /* add; b.ne .-4 */
    [A64_LOADS] = {0xffffff0000005000,
                   3,
                   {0xf9400020, 0xa9400440, 0x91000400}, /* ldr; ldp; add */
                   ARMPMU_A64},
    [A64_PREDICATED] = {0x5100,
                        3,
                        {0xe5e0e020, 0x91000400, 0xa5e0a020}, /* st1d; add; ld1d: 16 bytes */
                        ARMPMU_A64},
    [T32_IT] = {0x6000, 1, {0xbf04}, ARMPMU_T32},                   /* itt eq */
    [T32_IN_IT] = {0x6002, 2, {0x3001 | 0x6808 << 16}, ARMPMU_T32}, /* add; ldr */
};

static const struct source loop_n = {0, 2, {ADD, BNE_BACK}, ARMPMU_A32};
static const struct source after_loop_n = {8, 1, {ADD}, ARMPMU_A32};

static bool lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct source *source = &program[TARGET];
    uint64_t base = 0;
    (void)user;
    if (id < LOOPS) {
        if (id >= sizeof program / sizeof program[0])
            return false;
        source = &program[id];
    } else if (id < FAR_IDS) {
        source = id < AFTER_LOOPS ? &loop_n : &after_loop_n;
        base = 0x10000 + UINT64_C(0x100) * (id - (id < AFTER_LOOPS ? LOOPS : AFTER_LOOPS));
    }
    *out = (struct armpmu_block_source){
        .address = base + source->address,
        .bytes = (const uint8_t *)source->records,
        .n_bytes = source->n_insns * (source->isa == ARMPMU_T32 ? 2 : 4),
        .n_insns = source->n_insns,
        .isa = source->isa,
    };
    return true;
}

/* ---- what is told ---- */

struct listener {
    struct armpmu_code *code;
    struct trace_reader *reader;
    const struct block *told; /* and not left yet */
    uint64_t cycles;          /* one for each told instruction, ten for each exception */
    uint64_t period, intervals;
    char log[4096];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void say(struct listener *listener, const char *format,
                                                      ...)
{
    va_list records;
    const size_t room = sizeof listener->log - listener->length;
    va_start(records, format);
    const int n = vsnprintf(listener->log + listener->length, room, format, records);
    va_end(records);
    assert_true(n >= 0 && (size_t)n < room);
    listener->length += (size_t)n;
}

static void *new_block(void *core, const struct block *block)
{
    (void)core;
    uint64_t *made = malloc(sizeof *made);
    assert_non_null(made);
    *made = block->address;
    return made;
}

static void free_block(void *core, void *data)
{
    (void)core;
    free(data);
}

/* Intervals end before anything more is told. */
static void expect_intervals(const struct listener *listener)
{
    if (listener->period != 0)
        assert_int_equal(listener->intervals, listener->cycles / listener->period);
}

static void retire_block(void *core, const struct retired_block *block)
{
    struct listener *listener = core;
    assert_int_equal(*(const uint64_t *)block->data, block->block->address);
    expect_intervals(listener);
    listener->told = block->block;
    listener->cycles += block->n_executed;
    say(listener, "%" PRIx64 ":%u", block->block->address, block->n_executed);
    for (uint32_t i = 0; i < block->n_accesses; i++)
        say(listener, "%s%u@%" PRIx64 "%s", i == 0 ? "(" : " ", block->accesses[i].index,
            block->accesses[i].address, block->accesses[i].device ? "d" : "");
    say(listener, block->n_accesses != 0 ? ") " : " ");
}

static void block_exit(void *core, const struct retired_block *block, enum block_exit exit,
                       uint64_t next)
{
    static const char *const exits[] = {
        [EXIT_SEQUENTIAL] = "on", [EXIT_BRANCH] = "branch", [EXIT_EXCEPTION] = "stop",
        [EXIT_HIDDEN] = "hidden", [EXIT_END] = "end",
    };
    struct listener *listener = core;
    if (listener->told != block->block)
        say(core, "(%" PRIx64 ":%u) ", block->block->address, block->n_executed);
    listener->told = NULL;
    say(core, "%s", exits[exit]);
    if (exit == EXIT_SEQUENTIAL || exit == EXIT_BRANCH)
        say(core, " %" PRIx64, next);
    say(core, "; ");
}

static void late_branch(void *core, const struct retired_block *executed, bool taken)
{
    const struct block *block = executed->block;
    say(core, "showed %" PRIx64 "%s; ", block->address, taken ? " taken" : "");
}

static void exception(void *core)
{
    struct listener *listener = core;
    listener->cycles += 10;
    say(core, "exception; ");
}

static void exception_return(void *core)
{
    say(core, "return; ");
}

static enum armpmu_status map_page(void *core, uint64_t virtual_page, uint64_t physical_page)
{
    say(core, "place %" PRIx64 " %" PRIx64 "; ", virtual_page, physical_page);
    return physical_page == 0xbad ? ARMPMU_NO_MEMORY : ARMPMU_OK;
}

static void flush_tlbs(void *core)
{
    say(core, "flush; ");
}

static void flush_page(void *core, uint64_t virtual_page)
{
    say(core, "flush %" PRIx64 "; ", virtual_page);
}

static void set_mmu(void *core, bool on)
{
    say(core, "mmu %d; ", on);
}

static void about_system(void *core, enum armpmu_system about, unsigned bits, uint64_t operand)
{
    say(core, "system %u %x %" PRIx64 "; ", (unsigned)about, bits, operand);
}

static uint64_t cycles(const void *core)
{
    const struct listener *listener = core;
    return listener->cycles;
}

static const struct core_ops listening = {
    .isas = CODE_AARCH32 | CODE_AARCH64,
    .n_signals = ARMPMU_SIGNAL_COUNT,
    .new_block = new_block,
    .free_block = free_block,
    .retire_block = retire_block,
    .block_exit = block_exit,
    .late_branch = late_branch,
    .exception = exception,
    .exception_return = exception_return,
    .map_page = map_page,
    .flush_tlbs = flush_tlbs,
    .flush_page = flush_page,
    .set_mmu = set_mmu,
    .system = about_system,
    .cycles = cycles,
    ONE_POSITION_A_BLOCK,
};

static void interval_ended(void *user, uint64_t count)
{
    struct listener *listener = user;
    listener->intervals++;
    assert_int_equal(count, listener->intervals);
    trace_reader_sync(listener->reader); /* as one who reads: nothing retires twice */
}

/* ---- running ---- */

/* Not records: the call of trace_reader_run ends here, and the walk is settled. The kind is that of
 * a plain number. */
#define CUT    UINT64_C(0x0fffffffffffffff)
#define SETTLE UINT64_C(0x0ffffffffffffffe)

static struct listener *start(void)
{
    struct armpmu_error err = {""};
    struct listener *listener = calloc(1, sizeof *listener);
    assert_non_null(listener);
    if (armpmu_code_new(lookup, NULL, &listener->code, &err) != ARMPMU_OK ||
        trace_reader_new(&listening, listener, listener->code, &listener->reader, &err) !=
            ARMPMU_OK)
        fail_msg("%s", err.message);
    return listener;
}

static void stop(struct listener *listener)
{
    trace_reader_free(listener->reader);
    armpmu_code_free(listener->code);
    free(listener);
}

static void run_piece(struct listener *listener, const uint64_t *records, size_t n)
{
    struct armpmu_error err = {""};
    if (trace_reader_run(listener->reader, records, n, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
}

static void run(struct listener *listener, const uint64_t *records, size_t n)
{
    size_t first = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && records[i] != CUT && records[i] != SETTLE)
            continue;
        run_piece(listener, records + first, i - first);
        if (i < n && records[i] == SETTLE)
            trace_reader_sync(listener->reader);
        first = i + 1;
    }
}

static void expect_log(int line, const struct listener *listener, const char *want)
{
    if (strcmp(listener->log, want) != 0)
        fail_msg("line %d: \"%s\", want \"%s\"", line, listener->log, want);
}

/* The same with intervals, of which none is late. */
static void expect_in_time(const uint64_t *records, size_t n, enum armpmu_end end)
{
    for (uint64_t period = 1; period < 16; period += 4) {
        struct listener *listener = start();
        listener->period = period;
        trace_reader_set_interval(listener->reader, ARMPMU_SIGNAL_CPU_CYCLES, period,
                                  interval_ended, listener);
        run(listener, records, n);
        trace_reader_finish(listener->reader, end);
        expect_intervals(listener);
        stop(listener);
    }
}

/* A call may end before any block. */
static void expect_same_in_calls(int line, const uint64_t *records, size_t n, enum armpmu_end end,
                                 const char *want)
{
    struct listener *listener = start();
    for (size_t first = 0, i = 1; i <= n; i++) {
        if (i < n && armpmu_record_kind(records[i]) != ARMPMU_RECORD_BLOCK)
            continue;
        run(listener, records + first, i - first);
        first = i;
    }
    trace_reader_finish(listener->reader, end);
    expect_log(line, listener, want);
    stop(listener);
}

/* What is behind the records of a call is not looked at: here the rest of the stream, or nothing.
 */
static void expect_nothing_behind_counts(int line, const uint64_t *records, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct listener *before = start(), *alone = start();
        uint64_t *copy = calloc(n + 1, sizeof *copy);
        assert_non_null(copy);
        memcpy(copy, records, i * sizeof *copy);
        run(before, records, i);
        run(alone, copy, i);
        expect_log(line, before, alone->log);
        trace_reader_finish(before->reader, ARMPMU_END_FAULT);
        trace_reader_finish(alone->reader, ARMPMU_END_FAULT);
        expect_log(line, before, alone->log);
        free(copy);
        stop(before);
        stop(alone);
    }
}

static void check(int line, enum armpmu_end end, const char *want, const uint64_t *records,
                  size_t n)
{
    struct listener *listener = start();
    run(listener, records, n);
    trace_reader_finish(listener->reader, end);
    expect_log(line, listener, want);
    stop(listener);
    expect_in_time(records, n, end);
    expect_same_in_calls(line, records, n, end, want);
    expect_nothing_behind_counts(line, records, n);
}

#define CHECK_END(end, want, ...)                                                                  \
    check(__LINE__, end, want, (const uint64_t[]){__VA_ARGS__},                                    \
          sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
#define CHECK(...)  CHECK_END(ARMPMU_END_EXIT, __VA_ARGS__)
#define FAULTS(...) CHECK_END(ARMPMU_END_FAULT, __VA_ARGS__)
#define ALL         ARMPMU_RECORD_ALL
#define LOST        armpmu_record(ARMPMU_RECORD_GAP, 0)
#define A(index)    ACCESS(index, 0x40 + (index))
#define D(index)    DEVICE(index, 0x80 + (index))
#define R(index)    RUN(index, 0x40 + (index))
#define ALL_LOADS   BLOCK(LOADS), A(0), A(2), A(3)

/* ---- accesses ---- */

TEST(a_block_is_told_with_its_accesses)
{
    CHECK("1000:5(0@40 2@42 3@43) end; ", BLOCK(LOADS), A(0), A(2), A(3));
    CHECK("1000:5(0@40 2@82d 3@43) end; ", BLOCK(LOADS), A(0), D(2), A(3));
    CHECK("1000:5(0@ffffff0000005000 2@42 3@43) end; ", BLOCK(LOADS), ACCESS(0, 0xff0000005000),
          A(2), A(3));
    CHECK("3100:2 end; ", BLOCK(VECTOR));
    CHECK("", BLOCK(AT_TARGET));
    /* what an instruction without accesses, as the decoder sees it, does is left alone */
    CHECK("1000:5(0@40 2@42 3@43) end; ", BLOCK(LOADS), A(0), A(1), A(2), R(1), 8, A(3), A(4), R(4),
          8);
    CHECK("3100:2 stop; 2400:1 end; ", BLOCK(VECTOR), A(0), D(1), R(1), 8, MARK(1), BLOCK(TARGET));
    /* an access of a later instruction shows that execution went past an earlier one */
    CHECK("1000:5(2@42 3@43) end; ", BLOCK(LOADS), A(2), A(3));
    CHECK("1000:5(3@43) end; ", BLOCK(LOADS), MARK(3), A(3));
}

TEST(a_list_is_one_access_when_it_is_complete)
{
    CHECK("1900:3(0@40 1@41 2@42) end; ", BLOCK(LISTS), R(0), 16, A(1), R(2), 16);
    CHECK("1900:3(0@40 1@41 2@42) end; ", BLOCK(LISTS), R(0), 20, A(1), R(2), 16);
    CHECK("1900:3(0@80d 1@41 2@42) end; ", BLOCK(LISTS), D(0), A(1), R(2), 16);
    CHECK("1900:3(0@80d 1@81d 2@82d) end; ", BLOCK(LISTS), D(0), D(0), D(0), D(1), D(2), D(2));
    CHECK("1a80:2(0@40 1@41) end; ", BLOCK(LISTS_ALONE), R(0), 16, R(1), 16);
    FAULTS("1a80:1(0@40) stop; exception; ", BLOCK(LISTS_ALONE), R(0), 16, R(1), 8);
    FAULTS("1a80:0 stop; exception; ", BLOCK(LISTS_ALONE), R(0), 8);
    FAULTS("1900:0 stop; exception; ", BLOCK(LISTS), R(0), 8);
    FAULTS("1900:0 stop; exception; ", BLOCK(LISTS), R(0), 15);
    FAULTS("1f00:0 stop; exception; ", BLOCK(BYTE), R(0), 0);
    FAULTS("1f00:0 stop; exception; ", BLOCK(BYTE), R(0)); /* how much does not show */
    FAULTS("1008:1(0@40) stop; exception; ", BLOCK(LOADS_2_TO_3), A(0));
    FAULTS("1900:2(0@40 1@41) stop; exception; ", BLOCK(LISTS), R(0), 16, A(1), R(2), 12);
    CHECK("1900:0 stop; exception; return; 2400:1 end; ", BLOCK(LISTS), R(0), 12, BLOCK(TARGET));
    CHECK("1900:0 stop; exception; 2400:1 end; ", BLOCK(LISTS), R(0), 12, EXCEPTION(0),
          BLOCK(TARGET));
}

TEST(what_fails_its_condition_makes_no_access)
{
    CHECK("1700:4(1@41 3@43) end; ", BLOCK(OPTIONAL), A(1), MARK(2), A(3));
    CHECK("1700:4(3@43) end; ", BLOCK(OPTIONAL), MARK(2), A(3));
    CHECK("1700:4(3@43) end; ", BLOCK(OPTIONAL), A(3));
    FAULTS("1700:1 stop; exception; ", BLOCK(OPTIONAL));
    FAULTS("1700:3 stop; exception; ", BLOCK(OPTIONAL), MARK(2));
    FAULTS("1700:3(1@41) stop; exception; ", BLOCK(OPTIONAL), A(1), MARK(2));
    FAULTS("1700:3(1@41) stop; exception; ", BLOCK(OPTIONAL), A(1));
    CHECK("1800:2 end; ", BLOCK(OPTIONAL_LAST));
    CHECK("1800:2(1@41) end; ", BLOCK(OPTIONAL_LAST), A(1));
    FAULTS("18c0:0 stop; exception; ", BLOCK(OPTIONAL_FIRST));
    CHECK("18c0:2 end; ", BLOCK(OPTIONAL_FIRST), MARK(1));
    CHECK("1980:2 end; ", BLOCK(LIST_MAY_BE_LAST));
    CHECK("1980:2(1@41) end; ", BLOCK(LIST_MAY_BE_LAST), R(1), 16);
    FAULTS("1980:1 stop; exception; ", BLOCK(LIST_MAY_BE_LAST), R(1), 12);
    CHECK("1880:2(0@40) end; ", BLOCK(LOAD_OPTIONAL), A(0));
    CHECK("1880:2(0@40) end; ", BLOCK(LOAD_OPTIONAL), A(0), MARK(1));
    CHECK("1880:2(0@40 1@41) end; ", BLOCK(LOAD_OPTIONAL), A(0), MARK(1), A(1));
    CHECK("1a00:3(0@40 1@41) end; ", BLOCK(OPTIONAL_LIST), R(0), 16, MARK(1), R(1), 16);
    CHECK("1a00:3(1@41) end; ", BLOCK(OPTIONAL_LIST), MARK(1), R(1), 16);
    CHECK("1a00:3(0@80d 1@41) end; ", BLOCK(OPTIONAL_LIST), D(0), MARK(1), R(1), 16);
    FAULTS("1a00:0 stop; exception; ", BLOCK(OPTIONAL_LIST));
    FAULTS("1a00:0 stop; exception; ", BLOCK(OPTIONAL_LIST), R(0), 12);
    FAULTS("1a00:1 stop; exception; ", BLOCK(OPTIONAL_LIST), MARK(1));
}

/* Elements that a predicate leaves out are in no record: bursts are shorter, or several, or none.
 */
TEST(a_predicate_leaves_elements_out)
{
    CHECK("5100:3(0@40 2@42) end; ", BLOCK(A64_PREDICATED), R(0), 16, MARK(1), R(2), 16);
    CHECK("5100:3(0@40 2@42) end; ", BLOCK(A64_PREDICATED), R(0), 3, MARK(1), R(2), 8);
    CHECK("5100:3(0@40 2@42) end; ", BLOCK(A64_PREDICATED), R(0), 1, R(0), 1, MARK(1), R(2), 32);
    CHECK("5100:3(2@42) end; ", BLOCK(A64_PREDICATED), MARK(1), R(2), 16);
    CHECK("5100:3(0@40) end; ", BLOCK(A64_PREDICATED), R(0), 16, MARK(1));
    CHECK("5100:3 end; ", BLOCK(A64_PREDICATED), MARK(1));
    FAULTS("5100:0 stop; exception; ", BLOCK(A64_PREDICATED));
    FAULTS("5100:0 stop; exception; ", BLOCK(A64_PREDICATED), R(0), 8);
    FAULTS("5100:0 stop; exception; ", BLOCK(A64_PREDICATED), R(0), 1, R(0), 1);
}

TEST(a_swap_is_one_access_of_two_words)
{
    CHECK("1b00:3(0@40 1@41 2@42) end; ", BLOCK(SWAPS), A(0), A(0), A(1), A(2), A(2));
    CHECK("1b00:3(0@80d 1@41 2@42) end; ", BLOCK(SWAPS), D(0), D(0), A(1), A(2), A(2));
    FAULTS("1b00:1(0@40) stop; exception; ", BLOCK(SWAPS), A(0), A(0));
    FAULTS("1b00:0 stop; exception; ", BLOCK(SWAPS));
    CHECK("1c00:3(0@40 1@41 2@42) end; ", BLOCK(EXCLUSIVES), A(0), A(0), MARK(1), A(1), A(2), A(2));
    CHECK("1c00:3(1@41) end; ", BLOCK(EXCLUSIVES), MARK(1), A(1));
    FAULTS("1c00:0 stop; exception; ", BLOCK(EXCLUSIVES));
    FAULTS("1c00:1 stop; exception; ", BLOCK(EXCLUSIVES), MARK(1));
}

/* An engine that did not know the instruction set has other records for the same. */
TEST(a_block_may_come_in_other_words_each_time)
{
#define LOADS_TOLD "1000:5(0@40 2@42 3@43) stop; "
    CHECK(LOADS_TOLD LOADS_TOLD LOADS_TOLD LOADS_TOLD "3100:2 end; ", /* marked, then not */
          BLOCK(LOADS), A(0), MARK(1), A(2), MARK(3), A(3), MARK(4), BLOCK(LOADS), A(0), MARK(1),
          A(2), MARK(3), A(3), MARK(4), ALL_LOADS, BLOCK(LOADS), A(0), A(2), A(3), MARK(4),
          BLOCK(VECTOR));
    CHECK(LOADS_TOLD LOADS_TOLD LOADS_TOLD LOADS_TOLD "3100:2 end; ", /* as a list, then not */
          BLOCK(LOADS), A(0), R(2), 4, A(3), BLOCK(LOADS), A(0), R(2), 4, A(3), ALL_LOADS,
          BLOCK(LOADS), R(0), 4, R(2), 4, R(3), 4, BLOCK(VECTOR));
    CHECK(LOADS_TOLD "1000:2(0@40) stop; exception; return; 3100:2 end; ", BLOCK(LOADS), A(0), R(2),
          4, A(3), BLOCK(LOADS), A(0), R(2), 3, BLOCK(VECTOR));
    FAULTS(LOADS_TOLD "1000:3(0@40 2@42) stop; exception; ", BLOCK(LOADS), A(0), A(2), R(3), 4,
           BLOCK(LOADS), A(0), A(2), R(3), 3);
    FAULTS(LOADS_TOLD "1000:3(0@40 2@42) stop; exception; ", BLOCK(LOADS), A(0), R(2), 4, MARK(3),
           A(3), BLOCK(LOADS), A(0), R(2), 4, MARK(3));
    CHECK("1900:3(0@40 1@41 2@42) stop; 1900:3(0@40 1@41 2@42) stop; "
          "1900:3(0@40 1@41 2@42) end; ",
          BLOCK(LISTS), A(0), A(1), R(2), 16, BLOCK(LISTS), A(0), A(1), R(2), 16, BLOCK(LISTS),
          R(0), 16, A(1), R(2), 16);
}

/* ---- where a block leads ---- */

TEST(a_branch_goes_where_the_next_block_is)
{
    CHECK("1008:2(0@40 1@41) on 1010; 1010:1 end; ", BLOCK(LOADS_2_TO_3), A(0), A(1),
          BLOCK(LOADS_4));
    CHECK("1400:2 branch 2400; 2400:1 end; ", BLOCK(JUMP), BLOCK(TARGET));
    CHECK("1400:2 branch 2400; 2400:1 end; ", BLOCK(JUMP), BLOCK(AT_TARGET), BLOCK(TARGET));
    CHECK("1300:2 branch 1300; 1300:2 on 1308; 1308:1 end; ", BLOCK(LOOP), BLOCK(LOOP),
          BLOCK(AFTER_LOOP));
    CHECK("1500:2 branch 2400; 2400:1 end; ", BLOCK(RETURN), BLOCK(TARGET));
    CHECK("1500:2 branch 1508; 1508:1 end; ", BLOCK(RETURN), BLOCK(AFTER_RETURN));
    CHECK("1600:1(0@40) branch 2400; 2400:1 end; ", BLOCK(POP), A(0), BLOCK(TARGET));
    CHECK("1600:1 on 1604; 1604:1 end; ", BLOCK(POP), BLOCK(AFTER_POP));
    CHECK("1600:1 on 1604; 1604:1 end; ", BLOCK(POP), MARK(1), BLOCK(AFTER_POP));
    FAULTS("1500:2 branch 0; exception; ", BLOCK(RETURN));
    FAULTS("1400:2 branch 2400; exception; ", BLOCK(JUMP));
    FAULTS("1300:2 hidden; exception; ", BLOCK(LOOP));
    CHECK("1500:2 end; ", BLOCK(RETURN));
}

TEST(an_it_block_goes_on_in_the_next_block)
{
    CHECK("6000:1 on 6002; 6002:2 end; ", BLOCK(T32_IT), BLOCK(T32_IN_IT));
    CHECK("6000:1 on 6002; 6002:2(1@41) end; ", BLOCK(T32_IT), BLOCK(T32_IN_IT), A(1));
    CHECK("6002:1 stop; exception; ", BLOCK(T32_IN_IT));
    CHECK("6000:1 end; 6002:1 stop; exception; ", BLOCK(T32_IT), LOST, BLOCK(T32_IN_IT));
    CHECK("ffffff0000005000:3(0@40 1@41) end; ", BLOCK(A64_LOADS), A(0), R(1), 16);
}

/* ---- of a user program ---- */

#define FAULT_AT(address) armpmu_system_record(ARMPMU_SYSTEM_FAULT, 0) | UINT64_C(address)

TEST(a_fetch_that_faults_is_an_exception_after_the_block)
{
    CHECK("1400:2 branch 2400; exception; return; 3100:2 end; ", BLOCK(JUMP), FAULT_AT(0x2400),
          BLOCK(VECTOR));
    CHECK("1500:2 branch 7000; exception; return; 3100:2 end; ", BLOCK(RETURN), FAULT_AT(0x7000),
          BLOCK(VECTOR));
    CHECK("1300:2 on 1308; exception; return; 3100:2 end; ", BLOCK(LOOP), FAULT_AT(0x1308),
          BLOCK(VECTOR));
    CHECK("3100:2 on 3108; exception; return; 2400:1 end; ", BLOCK(VECTOR), FAULT_AT(0x3108),
          BLOCK(TARGET));
    /* the block does not lead there: the signal interrupted it */
    CHECK("1400:2 hidden; showed 1400 taken; 3100:2 end; ", BLOCK(JUMP), FAULT_AT(0x7000),
          BLOCK(VECTOR));
    /* known by an access that is missing, or by the call of the system */
    CHECK("1000:2(0@40) stop; exception; return; 3100:2 end; ", BLOCK(LOADS), A(0),
          FAULT_AT(0x1008), BLOCK(VECTOR));
    CHECK("1100:2 stop; exception; return; 3100:2 end; ", BLOCK(CALL), SYSCALL(4), SYSRET,
          FAULT_AT(0x1108), BLOCK(VECTOR));
    /* a conditional access at the end of a block */
    CHECK("1600:0 stop; exception; return; 3100:2 end; ", BLOCK(POP), FAULT_AT(0x1600),
          BLOCK(VECTOR));
}

TEST(a_fault_is_an_exception_before_the_instruction)
{
    FAULTS("1000:0 stop; exception; ", BLOCK(LOADS));
    FAULTS("1000:2(0@40) stop; exception; ", BLOCK(LOADS), A(0));
    CHECK("1000:2(0@40) stop; exception; return; 3100:2 stop; 2400:1 end; ", BLOCK(LOADS), A(0),
          BLOCK(VECTOR), BLOCK(TARGET));
    CHECK("1000:0 stop; exception; return; 1100:2 stop; exception; return; 1108:1 end; ",
          BLOCK(LOADS), BLOCK(CALL), SYSCALL(4), SYSRET, BLOCK(AFTER_CALL));
    CHECK("1300:2 hidden; 1100:2 stop; exception; return; 2400:1 stop; "
          "1000:0 stop; exception; return; 1308:1 end; ",
          BLOCK(LOOP), BLOCK(CALL), SYSCALL(173), SYSRET, BLOCK(TARGET), BLOCK(LOADS),
          BLOCK(AFTER_LOOP));
    CHECK("1d00:1 stop; exception; return; 3100:2 end; ", BLOCK(ILLEGAL), BLOCK(VECTOR));
    CHECK("1d00:2 on 1d08; 1d08:1 end; ", BLOCK(ILLEGAL), BLOCK(AFTER_ILLEGAL));
    CHECK("1d00:2 end; ", BLOCK(ILLEGAL));
    FAULTS("1d00:1 stop; exception; ", BLOCK(ILLEGAL));
    FAULTS("3100:2 on 3108; exception; ", BLOCK(VECTOR));
    FAULTS("1100:2 end; ", BLOCK(CALL));
    FAULTS("", BLOCK(AT_TARGET));
    /* no other block of a user program begins in the midst of one */
    CHECK("1000:5(0@40 2@42 3@43) stop; 1010:1 end; ", ALL_LOADS, BLOCK(LOADS_4));
    CHECK("1000:2(0@40) stop; exception; return; 1008:3(0@40 1@41) end; ", BLOCK(LOADS), A(0),
          BLOCK(LOADS_2), A(0), A(1));
}

TEST(a_call_is_an_exception_behind_its_instruction)
{
    CHECK("1100:2 stop; exception; return; 1108:1 end; ", BLOCK(CALL), SYSCALL(4), SYSRET,
          BLOCK(AFTER_CALL));
    CHECK("1100:2 stop; exception; ", BLOCK(CALL), SYSCALL(1));
    /* QEMU answered it itself */
    CHECK("1100:2 stop; exception; return; 1108:1 end; ", BLOCK(CALL), BLOCK(AFTER_CALL));
    CHECK("1200:2 on 1208; 1208:1 end; ", BLOCK(MAYBE_CALL), BLOCK(AFTER_MAYBE));
    CHECK("1200:2 stop; exception; return; 1208:1 end; ", BLOCK(MAYBE_CALL), SYSCALL(4), SYSRET,
          BLOCK(AFTER_MAYBE));
    CHECK("exception; return; 1108:1 end; ", SYSCALL(4), SYSRET, BLOCK(AFTER_CALL));
}

TEST(a_branch_that_a_signal_hides_shows_when_its_handler_returns)
{
#define HIDDEN_LOOP "1300:2 hidden; 1100:2 stop; exception; return; "
    CHECK(HIDDEN_LOOP "showed 1300 taken; 1300:2 on 1308; 1308:1 end; ", BLOCK(LOOP), BLOCK(CALL),
          SYSCALL(173), SYSRET, BLOCK(LOOP), BLOCK(AFTER_LOOP));
    CHECK(HIDDEN_LOOP "showed 1300; 1308:1 end; ", BLOCK(LOOP), BLOCK(CALL), SYSCALL(119), SYSRET,
          BLOCK(AFTER_LOOP));
    CHECK(HIDDEN_LOOP "2400:1 end; ", BLOCK(LOOP), BLOCK(CALL), SYSCALL(173), SYSRET,
          BLOCK(TARGET));
    CHECK(HIDDEN_LOOP "1308:1 end; ", BLOCK(LOOP), BLOCK(CALL), SYSCALL(4), SYSRET,
          BLOCK(AFTER_LOOP));
    CHECK(HIDDEN_LOOP "1308:1 end; ", BLOCK(LOOP), BLOCK(CALL), SYSCALL(139), SYSRET,
          BLOCK(AFTER_LOOP)); /* AArch64's number */
    /* only the first block behind the return says so */
    CHECK(HIDDEN_LOOP "2400:1 stop; 1308:1 end; ", BLOCK(LOOP), BLOCK(CALL), SYSCALL(173), SYSRET,
          BLOCK(TARGET), BLOCK(AFTER_LOOP));
    CHECK("4100:2 hidden; 4000:2 stop; exception; return; showed 4100 taken; 4100:2 end; ",
          BLOCK(A64_LOOP), BLOCK(A64_CALL), SYSCALL(139), SYSRET, BLOCK(A64_LOOP));
    CHECK("4100:2 hidden; 4000:2 stop; exception; return; 4100:2 end; ", BLOCK(A64_LOOP),
          BLOCK(A64_CALL), SYSCALL(173), SYSRET, BLOCK(A64_LOOP));
    CHECK("1300:2 hidden; 1100:2 end; exception; showed 1300 taken; 1300:2 end; ", BLOCK(LOOP),
          BLOCK(CALL), LOST, SYSCALL(173), BLOCK(LOOP));
    /* each once, the newest first */
    CHECK("1300:2 hidden; 3100:2 stop; 1300:2 hidden; 3100:2 stop; "
          "1100:2 stop; exception; showed 1300; 1308:1 stop; "
          "1100:2 stop; exception; showed 1300; 1308:1 stop; "
          "1100:2 stop; exception; 1308:1 end; ",
          BLOCK(LOOP), BLOCK(VECTOR), BLOCK(LOOP), BLOCK(VECTOR), BLOCK(CALL), SYSCALL(173),
          BLOCK(AFTER_LOOP), BLOCK(CALL), SYSCALL(173), BLOCK(AFTER_LOOP), BLOCK(CALL),
          SYSCALL(173), BLOCK(AFTER_LOOP));
    /* no condition, or a target that does not show */
    CHECK("1400:2 hidden; showed 1400 taken; 3100:2 end; ", BLOCK(JUMP), BLOCK(VECTOR));
    CHECK("3100:2 stop; 1100:2 stop; exception; 3100:2 end; ", BLOCK(VECTOR), BLOCK(CALL),
          SYSCALL(173), BLOCK(VECTOR));
}

enum { REMEMBERED = 16 };

/* One more branch is hidden than is remembered; the handlers return from every step-th. */
static void expect_newest_remembered(unsigned first, unsigned step)
{
    enum { N = REMEMBERED + 1 };
    struct listener *listener = start();
    for (unsigned k = 0; k < N; k++)
        run(listener, (const uint64_t[]){BLOCK(LOOPS + k), BLOCK(VECTOR)}, 2);
    for (unsigned i = 0; i < N; i++) {
        const unsigned k = (first + i * step) % N;
        char want[64] = "";
        run(listener, (const uint64_t[]){BLOCK(CALL), SYSCALL(173)}, 2);
        listener->length = 0;
        run(listener, (const uint64_t[]){BLOCK(AFTER_LOOPS + k), LOST}, 2);
        if (k != 0)
            snprintf(want, sizeof want, "showed %x; ", 0x10000 + 0x100 * k);
        snprintf(want + strlen(want), sizeof want - strlen(want), "%x:1 end; ",
                 0x10008 + 0x100 * k);
        expect_log(__LINE__, listener, want);
    }
    stop(listener);
}

TEST(sixteen_hidden_branches_are_remembered)
{
    expect_newest_remembered(0, 1);
    expect_newest_remembered(REMEMBERED, REMEMBERED);
    expect_newest_remembered(5, 7);
}

TEST(a_lost_thread_leaves_nothing_open)
{
    CHECK("1000:5(0@40 2@42 3@43) end; 3100:2 end; ", ALL_LOADS, LOST, BLOCK(VECTOR));
    CHECK("1000:2(0@40) stop; exception; 3100:2 end; ", BLOCK(LOADS), A(0), LOST, BLOCK(VECTOR));
    CHECK("1300:2 hidden; 1100:2 stop; exception; 1308:1 end; ", BLOCK(LOOP), BLOCK(CALL),
          SYSCALL(173), LOST, BLOCK(AFTER_LOOP));
    CHECK("mmu 1; 1000:2(0@40) end; 1000:5(0@40 2@42 3@43) stop; 3100:2 end; ", MMU(1),
          BLOCK(LOADS), A(0), LOST, ALL_LOADS, BLOCK(VECTOR));
    CHECK("mmu 1; 1000:5(0@40 2@42 3@43) (1008:2) end; 2400:1 end; ", MMU(1), ALL_LOADS, SETTLE,
          BLOCK(LOADS_2_TO_3), A(0), A(1), LOST, BLOCK(TARGET));
    CHECK("", LOST, LOST);
}

/* ---- of a system ---- */

TEST(an_exception_says_how_much_executed)
{
    CHECK("1000:0 stop; exception; 3100:2 end; ", BLOCK(LOADS), EXCEPTION(0), BLOCK(VECTOR));
    CHECK("1000:1(0@40) stop; exception; ", BLOCK(LOADS), A(0), EXCEPTION(1));
    CHECK("1000:2(0@40) stop; exception; ", BLOCK(LOADS), A(0), EXCEPTION(2));
    CHECK("1000:1(0@40) stop; exception; ", ALL_LOADS, EXCEPTION(1));
    CHECK("1000:3(0@40 2@42) stop; exception; ", ALL_LOADS, EXCEPTION(3));
    CHECK("1000:5(0@40 2@42 3@43) stop; exception; ", ALL_LOADS, EXCEPTION(5));
    CHECK("1000:5(0@40 2@42 3@43) stop; exception; exception; 3100:2 end; ", ALL_LOADS,
          EXCEPTION(ALL), EXCEPTION(0), BLOCK(VECTOR));
    CHECK("1800:2 stop; exception; ", BLOCK(OPTIONAL_LAST), EXCEPTION(ALL));
    CHECK("1800:1 stop; exception; ", BLOCK(OPTIONAL_LAST), EXCEPTION(1));
    CHECK("1700:1 stop; exception; ", BLOCK(OPTIONAL), EXCEPTION(1));
    CHECK("exception; 3100:2 end; ", EXCEPTION(0), BLOCK(VECTOR));
    CHECK("exception; 1000:2(0@40) on 1008; 1008:3(0@40 1@41) end; ", EXCEPTION(0), BLOCK(LOADS),
          A(0), BLOCK(LOADS_2), A(0), A(1)); /* which makes it a system */
    CHECK("exception; flush; exception; 3100:2 end; ", BLOCK(AT_TARGET), EXCEPTION(ALL), TLB_FLUSH,
          EXCEPTION(0), BLOCK(VECTOR));
    CHECK("exception; ", BLOCK(AT_TARGET), EXCEPTION(0));
    CHECK("exception; ", BLOCK(AT_TARGET), EXCEPTION(ALL));
    CHECK("1100:2 stop; exception; 3000:2 branch 1108; 1108:1 end; ", BLOCK(CALL), EXCEPTION(ALL),
          BLOCK(HANDLER), BLOCK(AFTER_CALL));
    /* in a call of its own */
    CHECK("mmu 1; 1000:1(0@40) stop; exception; 1000:5(0@40 2@42 3@43) stop; 3100:2 end; ", MMU(1),
          BLOCK(LOADS), A(0), CUT, EXCEPTION(1), ALL_LOADS, BLOCK(VECTOR));
    CHECK("mmu 1; 1000:2(0@40) stop; exception; ", MMU(1), BLOCK(LOADS), A(0), CUT, EXCEPTION(2));
    CHECK("mmu 1; 1e00:0 end; ", MMU(1), BLOCK(LOAD_TRAPS));
    FAULTS("mmu 1; 1e00:0 end; ", MMU(1), BLOCK(LOAD_TRAPS));
    FAULTS("mmu 1; 1e00:1(0@40) stop; exception; ", MMU(1), BLOCK(LOAD_TRAPS), A(0));
}

TEST(an_exception_may_hide_where_a_branch_went)
{
    CHECK("1400:2 branch 2400; exception; ", BLOCK(JUMP), EXCEPTION(ALL));
    CHECK("1300:2 hidden; exception; ", BLOCK(LOOP), EXCEPTION(ALL));
    CHECK("1300:2 branch 1300; exception; ", BLOCK(LOOP), EXCEPTION_AT(0x1300));
    CHECK("1300:2 on 1308; exception; ", BLOCK(LOOP), EXCEPTION_AT(0x1308));
    CHECK("1500:2 hidden; showed 1500 taken; exception; ", BLOCK(RETURN), EXCEPTION(ALL));
    CHECK("1500:2 branch 2400; exception; ", BLOCK(RETURN), EXCEPTION_AT(0x2400));
    CHECK("1500:2 branch 1508; exception; ", BLOCK(RETURN), EXCEPTION_AT(0x1508));
    CHECK("1600:1(0@40) hidden; exception; ", BLOCK(POP), A(0), EXCEPTION(ALL));
    CHECK("1600:1(0@40) branch ffffff0000005000; exception; ", BLOCK(POP), A(0),
          EXCEPTION_AT(0xff0000005000));
    CHECK("1600:1 on 1604; exception; ", BLOCK(POP), EXCEPTION_AT(0x1604));
    /* a handler returns to where it went, or elsewhere */
    CHECK("1300:2 hidden; exception; showed 1300 taken; 3000:2 branch 1300; 1300:2 end; ",
          BLOCK(LOOP), EXCEPTION(ALL), BLOCK(HANDLER), BLOCK(LOOP));
    CHECK("1300:2 hidden; exception; showed 1300; 3000:2 branch 1308; 1308:1 end; ", BLOCK(LOOP),
          EXCEPTION(ALL), BLOCK(HANDLER), BLOCK(AFTER_LOOP));
    CHECK("1300:2 hidden; exception; 3000:2 branch 2400; 2400:1 end; ", BLOCK(LOOP), EXCEPTION(ALL),
          BLOCK(HANDLER), BLOCK(TARGET));
    CHECK("1300:2 hidden; exception; 1500:2 branch 1308; 1308:1 end; ", BLOCK(LOOP), EXCEPTION(ALL),
          BLOCK(RETURN), BLOCK(AFTER_LOOP));
    CHECK("1600:1 hidden; exception; showed 1600; 3000:2 branch 1604; 1604:1 end; ", BLOCK(POP),
          EXCEPTION(ALL), BLOCK(HANDLER), BLOCK(AFTER_POP));
    CHECK("1600:1 hidden; exception; 3000:2 branch 2400; 2400:1 end; ", BLOCK(POP), EXCEPTION(ALL),
          BLOCK(HANDLER), BLOCK(TARGET));
    /* nothing was announced */
    CHECK("mmu 1; 1300:2 hidden; 3100:2 end; ", MMU(1), BLOCK(LOOP), BLOCK(VECTOR));
    CHECK("mmu 1; 1d00:2 stop; 3100:2 end; ", MMU(1), BLOCK(ILLEGAL), BLOCK(VECTOR));
    CHECK("mmu 1; 1100:2 on 1108; 1108:1 end; ", MMU(1), BLOCK(CALL), BLOCK(AFTER_CALL));
}

TEST(the_rest_of_a_block_may_be_another_block)
{
    CHECK("mmu 1; 1000:2(0@40) on 1008; 1008:3(0@40 1@41) end; ", MMU(1), BLOCK(LOADS), A(0),
          BLOCK(LOADS_2), A(0), A(1));
    CHECK("mmu 1; 1000:0 on 1000; 1000:5(0@40 2@42 3@43) end; ", MMU(1), BLOCK(LOADS), ALL_LOADS);
    CHECK("mmu 1; 1000:4(0@40 2@42 3@43) on 1010; 1010:1 end; ", MMU(1), ALL_LOADS, BLOCK(LOADS_4));
    CHECK("mmu 1; 1000:2(0@40) on 1008; 1008:3(0@40 1@41) end; ", MMU(1), BLOCK(LOADS), A(0), A(2),
          BLOCK(LOADS_2), A(0), A(1));
    CHECK("mmu 1; 1300:1 on 1304; 1304:1 branch 1300; 1300:2 end; ", MMU(1), BLOCK(LOOP),
          BLOCK(LOOP_1), BLOCK(LOOP));
    /* behind what is missing, or elsewhere */
    CHECK("mmu 1; 1000:2(0@40) stop; exception; 100c:2(0@40) end; ", MMU(1), BLOCK(LOADS), A(0),
          BLOCK(LOADS_3), A(0));
    CHECK("mmu 1; 1000:2(0@40) stop; exception; 3100:2 stop; 2400:1 end; ", MMU(1), BLOCK(LOADS),
          A(0), BLOCK(VECTOR), BLOCK(TARGET));
}

TEST(what_was_settled_is_told_once)
{
#define SETTLED "mmu 1; 1000:5(0@40 2@42 3@43) "
    CHECK("", SETTLE);
    CHECK("2400:1 end; ", BLOCK(AT_TARGET), SETTLE, BLOCK(TARGET), SETTLE, SETTLE);
    CHECK(SETTLED "stop; 2400:1 end; ", MMU(1), ALL_LOADS, SETTLE, BLOCK(TARGET));
    CHECK(SETTLED "stop; exception; ", MMU(1), ALL_LOADS, SETTLE, EXCEPTION(3));
    /* the rest, anew; in brackets: left, not told */
    CHECK(SETTLED "(1010:1) stop; 2400:1 end; ", MMU(1), ALL_LOADS, SETTLE, BLOCK(LOADS_4),
          BLOCK(TARGET));
    CHECK(SETTLED "(1008:2) on 1010; (1010:1) stop; 2400:1 end; ", MMU(1), ALL_LOADS, SETTLE,
          BLOCK(LOADS_2_TO_3), A(0), A(1), BLOCK(LOADS_4), BLOCK(TARGET));
    CHECK(SETTLED "(100c:2) stop; 2400:1 end; ", MMU(1), ALL_LOADS, SETTLE, BLOCK(LOADS_2_TO_3),
          A(0), A(1), SETTLE, BLOCK(LOADS_3), A(0), BLOCK(TARGET));
    CHECK("mmu 1; 1008:2(0@40 1@41) 100c:2(0@40) stop; 2400:1 end; ", MMU(1), BLOCK(LOADS_2_TO_3),
          A(0), A(1), SETTLE, BLOCK(LOADS_3), A(0), BLOCK(TARGET));
    CHECK("mmu 1; 1000:2(0@40) stop; exception; 3100:2 end; ", MMU(1), BLOCK(LOADS), A(0), SETTLE,
          BLOCK(VECTOR));
}

#define PLACE(page)   (armpmu_record(ARMPMU_RECORD_MAP64, 0) | (page))
#define FORGET(page)  (armpmu_record(ARMPMU_RECORD_TLBI64, 0) | (page))
#define SYSTEM(about) (armpmu_system_record(ARMPMU_SYSTEM_##about, 0x2a) | 0xff0000005000)

TEST(a_system_changes_the_core_behind_a_block)
{
    CHECK("place 40 100; place fffff ffffe; place ffffffffe 123456789; flush; flush 41; "
          "flush ffffffffe; mmu 0; mmu 1; system 0 2a ffffff0000005000; "
          "system 3 2a ffffff0000005000; ",
          MAP(0x40, 0x100), MAP_UNCACHED(0xfffff, 0xffffe), PLACE(0xffffffffe), 0x123456789,
          TLB_FLUSH, TLB_FLUSH_PAGE(0x41), FORGET(0xffffffffe), MMU(0), MMU(1), SYSTEM(CACHE),
          SYSTEM(PRELOAD));
    CHECK("3100:2 stop; place 40 100; place 41 123456789; flush 41; 2400:1 end; ", BLOCK(VECTOR),
          MAP(0x40, 0x100), PLACE(0x41), 0x123456789, TLB_FLUSH_PAGE(0x41), BLOCK(TARGET));
    CHECK("3100:2 stop; exception; place 40 100; flush; 2400:1 end; ", BLOCK(VECTOR),
          MAP(0x40, 0x100), EXCEPTION(ALL), TLB_FLUSH, BLOCK(TARGET));
    CHECK("3100:2 end; mmu 0; ", BLOCK(VECTOR), MMU(0));
    CHECK("place 41 0; ", PLACE(0x41)); /* where to does not show */
    CHECK("3100:2 end; mmu 0; 2400:1 end; ", BLOCK(VECTOR), MMU(0), LOST, BLOCK(TARGET));
    /* what the last block did is known: at once, in order */
    CHECK("3100:2 mmu 0; stop; 2400:1 end; ", BLOCK(VECTOR), SETTLE, MMU(0), BLOCK(TARGET));
    CHECK("3100:2 stop; mmu 0; mmu 1; 2400:1 end; ", BLOCK(VECTOR), MMU(0), SETTLE, MMU(1),
          BLOCK(TARGET));
}

TEST(many_changes_wait_for_a_block)
{
    enum { N = 200 };
    struct listener *listener = start();
    char want[sizeof listener->log] = "2400:1 end; ";
    run(listener, (const uint64_t[]){BLOCK(TARGET)}, 1);
    for (unsigned i = 0; i < N; i++) {
        run(listener, (const uint64_t[]){PLACE(i), i + 1}, 2);
        snprintf(want + strlen(want), sizeof want - strlen(want), "place %x %x; ", i, i + 1);
    }
    run(listener, (const uint64_t[]){LOST}, 1);
    expect_log(__LINE__, listener, want);
    stop(listener);
}

/* ---- blocks by number ---- */

TEST(a_block_may_have_any_number)
{
    struct listener *listener = start();
    for (uint32_t power = 512; power <= 65536; power *= 2) {
        for (int i = 0; i < 6; i++) {
            listener->length = 0;
            run(listener, (const uint64_t[]){BLOCK(power - 1 + i % 3), LOST}, 2);
            expect_log(__LINE__, listener, "2400:1 end; ");
        }
    }
    stop(listener);
    trace_reader_free(NULL);
}

/* ---- intervals ---- */

TEST(intervals_follow_either_clock)
{
    const uint64_t block[] = {BLOCK(VECTOR), LOST}, exception_word[] = {EXCEPTION(0)};
    struct listener *listener = start();
    run(listener, block, 2);
    trace_reader_set_interval(listener->reader, ARMPMU_SIGNAL_CPU_CYCLES, 3, interval_ended,
                              listener);
    run(listener, block, 2);
    assert_int_equal(listener->intervals, 0);
    run(listener, block, 2);
    assert_int_equal(listener->intervals, 1);
    run(listener, exception_word, 1);
    assert_int_equal(listener->intervals, 14 / 3);
    listener->intervals = 0;
    trace_reader_set_interval(listener->reader, ARMPMU_SIGNAL_INST_RETIRED, 3, interval_ended,
                              listener);
    run(listener, exception_word, 1);
    run(listener, block, 2);
    assert_int_equal(listener->intervals, 0);
    run(listener, block, 2);
    assert_int_equal(listener->intervals, 1);
    listener->intervals = 0;
    trace_reader_set_interval(listener->reader, ARMPMU_SIGNAL_INST_RETIRED, 4, interval_ended,
                              listener);
    run(listener, block, 2);
    assert_int_equal(listener->intervals, 0);
    run(listener, block, 2);
    assert_int_equal(listener->intervals, 1);
    trace_reader_set_interval(listener->reader, ARMPMU_SIGNAL_INST_RETIRED, 0, interval_ended,
                              listener);
    run(listener, block, 2);
    assert_int_equal(listener->intervals, 1);
    stop(listener);
}

/* A core's reader of its tallies asks for what is known, in the midst of a loop. */
TEST(a_read_in_an_interval_retires_nothing_twice)
{
    const uint64_t loop[] = {BLOCK(LOOP), BLOCK(LOOP), BLOCK(LOOP), BLOCK(LOOP), BLOCK(LOOP), LOST};
    struct listener *listener = start();
    trace_reader_set_interval(listener->reader, ARMPMU_SIGNAL_INST_RETIRED, 1, interval_ended,
                              listener);
    run(listener, loop, 6);
    assert_int_equal(listener->intervals, 5 * 2);
    stop(listener);
}

/* ---- what cannot be ---- */

#define EXPECT_REFUSED(status, message, ...)                                                       \
    expect_refused(__LINE__, status, message, (const uint64_t[]){__VA_ARGS__},                     \
                   sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void expect_refused(int line, enum armpmu_status want, const char *message,
                           const uint64_t *records, size_t n)
{
    struct listener *listener = start();
    struct armpmu_error err = {""};
    const enum armpmu_status status = trace_reader_run(listener->reader, records, n, &err);
    if (status != want || strcmp(err.message, message) != 0)
        fail_msg("line %d: status %d, \"%s\"", line, (int)status, err.message);
    stop(listener);
}

TEST(what_cannot_be_is_refused)
{
    EXPECT_REFUSED(ARMPMU_BAD_INPUT, "the trace names block 77, which it never defined",
                   BLOCK(TARGET), BLOCK(77));
    EXPECT_REFUSED(ARMPMU_BAD_INPUT,
                   "the trace has an exception after 3 instructions of the block at "
                   "0x3100, which has 2; it must count those of the last block",
                   BLOCK(VECTOR), EXCEPTION(3));
    /* 0xbad: the listener has no memory for it */
    EXPECT_REFUSED(ARMPMU_NO_MEMORY, "out of memory for the page map", MAP(1, 0xbad));
    EXPECT_REFUSED(ARMPMU_NO_MEMORY, "out of memory for the page map", BLOCK(TARGET), MAP(1, 0xbad),
                   BLOCK(TARGET));
    EXPECT_REFUSED(ARMPMU_NO_MEMORY, "out of memory for the page map", BLOCK(TARGET), MAP(1, 0xbad),
                   EXCEPTION(ALL));
    EXPECT_REFUSED(ARMPMU_NO_MEMORY, "out of memory for the page map", BLOCK(TARGET), MAP(1, 0xbad),
                   MAP(1, 1), LOST);
}
