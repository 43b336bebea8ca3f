/* The XScale core model, fed by hand: each row of the core's instruction timing, and what a User
 * program cannot show. Latencies are those of machines/pxa270.ini. */
#include <string.h>
#include <unistd.h>

#include "isa/insn.h"
#include "../../test.h"
#include "../model.h"
#include "../random_trace.h"

enum { MAX_INSNS = 2, PAD = 8 };

#define DATA UINT64_C(0x40000)

/* Blocks by id: reads that bring in the data, instructions that do nothing, the code of a row, and
 * what execution goes on with behind it. */
enum { WARM, NOTHING, ROW, NEXT };

#define WARM_AT    UINT64_C(0x9000)
#define ROW_AT     UINT64_C(0x9010) /* in the line of WARM */
#define TARGET     (ROW_AT + 0x100)
#define NOTHING_AT UINT64_C(0x9200)

struct bench {
    uint64_t next_at;
    const uint32_t *records;
    uint32_t n_insns, n_bytes;
    enum armpmu_isa isa, next_isa;
};

static bool lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    static const uint32_t loads[] = {0xe5910000, 0xe5910000, 0xe5910000, 0xe5910000};
    static const uint32_t nops[PAD] = {0xe1a0b00b, 0xe1a0b00b, 0xe1a0b00b, 0xe1a0b00b,
                                       0xe1a0b00b, 0xe1a0b00b, 0xe1a0b00b, 0xe1a0b00b};
    static const uint16_t thumb_nops[PAD] = {0x46c0, 0x46c0, 0x46c0, 0x46c0,
                                             0x46c0, 0x46c0, 0x46c0, 0x46c0};
    const struct bench *bench = user;
    const bool thumb = bench->next_isa == ARMPMU_T32;
    const struct armpmu_block_source blocks[] = {
        [WARM] = {WARM_AT, (const uint8_t *)loads, sizeof loads, 4, ARMPMU_A32},
        [NOTHING] = {NOTHING_AT, (const uint8_t *)nops, sizeof nops, PAD, ARMPMU_A32},
        [ROW] = {ROW_AT, (const uint8_t *)bench->records, bench->n_bytes, bench->n_insns,
                 bench->isa},
        [NEXT] = {bench->next_at, thumb ? (const uint8_t *)thumb_nops : (const uint8_t *)nops,
                  thumb ? sizeof thumb_nops : sizeof nops, PAD, bench->next_isa},
    };
    if (id >= sizeof blocks / sizeof blocks[0])
        return false;
    *out = blocks[id];
    return true;
}

/* A machine with a key changed. */
static struct armpmu_machine *changed(const char *section, const char *change)
{
    const char *const base = strcmp(section, "product") == 0 ? "xscale-80200" : "pxa270";
    return model_machine("changed", base, "[%s]\n%s\n", section, change);
}

/* section: NULL for the machine as it is. */
static struct model start(struct bench *bench, const char *section, const char *change)
{
    return section == NULL ? model_new("pxa270", lookup, bench)
                           : model_of(changed(section, change), lookup, bench);
}

/* Brings in all lines and pages, and lets everything come. */
static void warm(struct model *model)
{
    FEED(model, BLOCK(WARM), ACCESS(0, DATA), ACCESS(1, DATA + 32), ACCESS(2, DATA + 64),
         ACCESS(3, DATA + 96), BLOCK(NEXT));
    for (int i = 0; i < 100; i++)
        FEED(model, BLOCK(NOTHING));
}

/* Every register list and single transfer of a row reads or writes DATA. */
static size_t put_row(const struct bench *bench, bool executed, uint64_t *records)
{
    struct decoder *decoder;
    struct armpmu_block_source source;
    struct block *block;
    size_t n = 0;
    lookup((void *)(uintptr_t)bench, ROW, &source);
    assert_int_equal(decoder_new(&decoder, NULL), ARMPMU_OK);
    assert_int_equal(decode_block(decoder, &source, 0, &block), ARMPMU_OK);
    records[n++] = BLOCK(ROW);
    for (unsigned i = 0; i < block->n_insns && executed; i++) {
        const struct insn_memory *memory = &block->insns[i].memory;
        if (memory->bytes == 0)
            continue;
        records[n++] = memory->multiple ? RUN(i, DATA) : ACCESS(i, DATA);
        if (memory->multiple)
            records[n++] = memory->bytes;
        if (memory->load && memory->store)
            records[n++] = ACCESS(i, DATA);
    }
    free(block);
    decoder_free(decoder);
    return n;
}

/* Runs the row once, from an idle pipeline; returns its cycles, and the cycles it waited for
 * results. */
static uint64_t run_row(struct model *model, const struct bench *bench, bool executed,
                        uint64_t *stalls)
{
    uint64_t records[8], before[ARMPMU_SIGNAL_COUNT] = {0}, rose[ARMPMU_SIGNAL_COUNT] = {0};
    FEED(model, BLOCK(NOTHING));
    armpmu_sim_read_delta(model->sim, before);
    size_t n = put_row(bench, executed, records);
    records[n++] = BLOCK(NEXT);
    model_run(model, records, n);
    armpmu_sim_read_delta(model->sim, rose);
    if (stalls != NULL)
        *stalls = rose[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL];
    assert_int_equal(rose[ARMPMU_SIGNAL_FETCH_STALL], 0);
    assert_int_equal(rose[ARMPMU_SIGNAL_DATA_BUFFER_STALL], 0);
    assert_int_equal(rose[ARMPMU_SIGNAL_L1D_WORD_MISS], 0);
    return rose[ARMPMU_SIGNAL_CPU_CYCLES] - PAD;
}

/* ---- instruction timing ---- */

static const struct timing {
    int line;
    unsigned cycles, stalls;
    uint32_t records[MAX_INSNS + 2];
} timings[] = {
    /* Data processing: one cycle, results at once */
    {__LINE__, 1, 0, {0xe1a00000}},             /* mov r0, r0 */
    {__LINE__, 2, 0, {0xe0810002, 0xe0803004}}, /* add r0, r1, r2; add r3, r0, r4 */
    /* ... a cycle later for a shift by an immediate */
    {__LINE__, 3, 1, {0xe0810002, 0xe0843100}}, /* add r0, r1, r2; add r3, r4, r0, lsl #2 */
    {__LINE__,
     3,
     0,
     {0xe0810002, 0xe1a05005, 0xe0843100}}, /* add r0, r1, r2; mov r5, r5; add r3, r4, r0, lsl #2 */
    {__LINE__, 2, 0, {0xe0810002, 0xe0803104}}, /* add r0, r1, r2; add r3, r0, r4, lsl #2 */
    /* ... and for what QDADD doubles */
    {__LINE__, 3, 1, {0xe0810002, 0xe1403054}}, /* add r0, r1, r2; qdadd r3, r4, r0 */
    {__LINE__, 3, 1, {0xe0810002, 0xe1603054}}, /* add r0, r1, r2; qdsub r3, r4, r0 */
    {__LINE__, 2, 0, {0xe0810002, 0xe1443050}}, /* add r0, r1, r2; qdadd r3, r0, r4 */
    {__LINE__, 2, 0, {0xe0810002, 0xe1003054}}, /* add r0, r1, r2; qadd r3, r4, r0 */
    /* Shifts by a register and RRX: two cycles */
    {__LINE__, 2, 0, {0xe0810312}},             /* add r0, r1, r2, lsl r3 */
    {__LINE__, 3, 0, {0xe0810312, 0xe0804005}}, /* add r0, r1, r2, lsl r3; add r4, r0, r5 */
    {__LINE__, 4, 1, {0xe0810312, 0xe0854080}}, /* add r0, r1, r2, lsl r3; add r4, r5, r0, lsl #1 */
    {__LINE__, 2, 0, {0xe1a00061}},             /* mov r0, r1, rrx */
    /* Loads: three cycles to the result, one to the base */
    {__LINE__, 1, 0, {0xe5910000}},             /* ldr r0, [r1] */
    {__LINE__, 4, 2, {0xe5910000, 0xe0802003}}, /* ldr r0, [r1]; add r2, r0, r3 */
    {__LINE__,
     4,
     1,
     {0xe5910000, 0xe1a05005, 0xe0802003}}, /* ldr r0, [r1]; mov r5, r5; add r2, r0, r3 */
    {__LINE__,
     4,
     0,
     {0xe5910000, 0xe1a05005, 0xe1a06006,
      0xe0802003}}, /* ldr r0, [r1]; mov r5, r5; mov r6, r6; add r2, r0, r3 */
    {__LINE__, 4, 2, {0xe5910000, 0xe0832080}}, /* ldr r0, [r1]; add r2, r3, r0, lsl #1 */
    {__LINE__, 4, 2, {0xe5d10000, 0xe0802003}}, /* ldrb r0, [r1]; add r2, r0, r3 */
    {__LINE__, 4, 2, {0xe1d100f0, 0xe0802003}}, /* ldrsh r0, [r1]; add r2, r0, r3 */
    {__LINE__, 2, 0, {0xe4910004, 0xe0812003}}, /* ldr r0, [r1], #4; add r2, r1, r3 */
    {__LINE__, 4, 2, {0xe5910000, 0xe3a00001}}, /* ldr r0, [r1]; mov r0, #1 */
    /* LDRD: a cycle more to the second register, and an access behind it waits */
    {__LINE__, 4, 2, {0xe1c120d0, 0xe0824005}}, /* ldrd r2, [r1]; add r4, r2, r5 */
    {__LINE__, 5, 3, {0xe1c120d0, 0xe0834005}}, /* ldrd r2, [r1]; add r4, r3, r5 */
    {__LINE__, 3, 0, {0xe1c120d0, 0xe5914000}}, /* ldrd r2, [r1]; ldr r4, [r1] */
    {__LINE__,
     3,
     0,
     {0xe1c120d0, 0xe1a05005, 0xe5914000}},     /* ldrd r2, [r1]; mov r5, r5; ldr r4, [r1] */
    {__LINE__, 3, 1, {0xe0c120d8, 0xe0814005}}, /* ldrd r2, [r1], #8; add r4, r1, r5 */
    {__LINE__, 2, 0, {0xe1c1c0d0}},             /* ldrd r12, [r1] */
    /* Stores */
    {__LINE__, 1, 0, {0xe5810000}},             /* str r0, [r1] */
    {__LINE__, 2, 0, {0xe4810004, 0xe0812003}}, /* str r0, [r1], #4; add r2, r1, r3 */
    {__LINE__, 2, 0, {0xe1c120f0}},             /* strd r2, [r1] */
    /* Lists: two cycles and one for each register */
    {__LINE__, 3, 0, {0xe8910004}},             /* ldm r1, {r2} */
    {__LINE__, 6, 0, {0xe891003c}},             /* ldm r1, {r2-r5} */
    {__LINE__, 7, 0, {0xe891003c, 0xe0856007}}, /* ldm r1, {r2-r5}; add r6, r5, r7 */
    {__LINE__, 6, 0, {0xe881003c}},             /* stm r1, {r2-r5} */
    {__LINE__, 18, 0, {0xe88dffff}},            /* stm r13, {r0-r15} */
    /* Multiplies of class 2 */
    {__LINE__, 4, 2, {0xe0000291, 0xe0803004}}, /* mul r0, r1, r2; add r3, r0, r4 */
    {__LINE__, 4, 2, {0xe0203291, 0xe0803004}}, /* mla r0, r1, r2, r3; add r3, r0, r4 */
    {__LINE__, 3, 0, {0xe0000291, 0xe0030594}}, /* mul r0, r1, r2; mul r3, r4, r5 */
    {__LINE__, 3, 0, {0xe0100291}},             /* muls r0, r1, r2 */
    {__LINE__, 4, 0, {0xe0100291, 0xe0803004}}, /* muls r0, r1, r2; add r3, r0, r4 */
    {__LINE__, 4, 2, {0xe0830291, 0xe0804005}}, /* umull r0, r3, r1, r2; add r4, r0, r5 */
    {__LINE__, 5, 3, {0xe0830291, 0xe0834005}}, /* umull r0, r3, r1, r2; add r4, r3, r5 */
    {__LINE__, 4, 1, {0xe0e30291, 0xe0804005}}, /* smlal r0, r3, r1, r2; add r4, r0, r5 */
    {__LINE__, 5, 2, {0xe0e30291, 0xe0834005}}, /* smlal r0, r3, r1, r2; add r4, r3, r5 */
    {__LINE__, 4, 0, {0xe0930291}},             /* umulls r0, r3, r1, r2 */
    {__LINE__, 5, 0, {0xe0930291, 0xe0834005}}, /* umulls r0, r3, r1, r2; add r4, r3, r5 */
    {__LINE__, 4, 0, {0xe0830291, 0xe0040695}}, /* umull r0, r3, r1, r2; mul r4, r5, r6 */
    {__LINE__, 3, 1, {0xe1600281, 0xe0803004}}, /* smulbb r0, r1, r2; add r3, r0, r4 */
    {__LINE__, 4, 2, {0xe12002a1, 0xe0803004}}, /* smulwb r0, r1, r2; add r3, r0, r4 */
    {__LINE__, 3, 0, {0xe1430281, 0xe0804005}}, /* smlalbb r0, r3, r1, r2; add r4, r0, r5 */
    {__LINE__, 4, 1, {0xe1430281, 0xe0834005}}, /* smlalbb r0, r3, r1, r2; add r4, r3, r5 */
    /* What the machine file says */
    {__LINE__, 5, 0, {0xe1010092}},             /* swp r0, r2, [r1] */
    {__LINE__, 5, 3, {0xe10f0000, 0xe0801002}}, /* mrs r0, cpsr; add r1, r0, r2 */
    {__LINE__, 2, 0, {0xe128f000}},             /* msr cpsr_f, r0 */
    {__LINE__, 2, 0, {0xee070f9a}},             /* mcr p15, 0, r0, c7, c10, 4 */
};

static unsigned count_insns(const uint32_t *records)
{
    unsigned n = 0;
    while (n < MAX_INSNS + 2 && records[n] != 0)
        n++;
    return n;
}

static struct bench bench_of(const uint32_t *records)
{
    const unsigned n = count_insns(records);
    return (struct bench){.next_at = ROW_AT + 4 * n,
                          .records = records,
                          .n_insns = n,
                          .n_bytes = 4 * n,
                          .isa = ARMPMU_A32,
                          .next_isa = ARMPMU_A32};
}

static void expect_timing(const struct timing *row, const char *section, const char *change)
{
    struct bench bench = bench_of(row->records);
    struct model model = start(&bench, section, change);
    warm(&model);
    for (int round = 0; round < 3; round++) { /* as it is met, remembered, and remembered again */
        uint64_t stalls;
        const uint64_t cycles = run_row(&model, &bench, true, &stalls);
        if (cycles != row->cycles || stalls != row->stalls)
            fail_msg("line %d, round %d: %d cycles and %d stalls, want %u and %u", row->line, round,
                     (int)cycles, (int)stalls, row->cycles, row->stalls);
    }
    model_free(&model);
}

/* proves: 0x100 each instruction takes the cycles of the manual's tables */
TEST(instructions_take_their_cycles)
{
    for (size_t i = 0; i < sizeof timings / sizeof timings[0]; i++)
        expect_timing(&timings[i], NULL, NULL);
}

TEST(a_multiply_takes_the_steps_of_its_class)
{
    static const struct {
        const char *change;
        struct timing timing;
    } rows[] = {
        {"multiply_class = 1", {__LINE__, 3, 1, {0xe0000291, 0xe0803004}}}, /* mul; add r3, r0 */
        {"multiply_class = 3", {__LINE__, 5, 3, {0xe0000291, 0xe0803004}}},
        {"multiply_class = 1", {__LINE__, 2, 0, {0xe0100291}}}, /* muls */
        {"multiply_class = 3", {__LINE__, 4, 0, {0xe0100291}}},
        {"multiply_class = 1", {__LINE__, 2, 0, {0xe0000291, 0xe0030594}}}, /* mul; mul */
        {"multiply_class = 3", {__LINE__, 4, 0, {0xe0000291, 0xe0030594}}},
        {"multiply_class = 1", {__LINE__, 3, 1, {0xe0830291, 0xe0804005}}}, /* umull; add r4, r0 */
        {"multiply_class = 3", {__LINE__, 5, 3, {0xe0830291, 0xe0804005}}},
        {"multiply_class = 3", {__LINE__, 6, 4, {0xe0830291, 0xe0834005}}}, /* ... add r4, r3 */
        {"multiply_class = 1", {__LINE__, 4, 1, {0xe0e30291, 0xe0834005}}}, /* smlal; add r4, r3 */
        {"multiply_class = 3", {__LINE__, 5, 0, {0xe0930291}}},             /* umulls */
        {"swap_cycles = 9", {__LINE__, 9, 0, {0xe1010092}}},
        {"system_read_latency = 7", {__LINE__, 8, 6, {0xe10f0000, 0xe0801002}}}, /* mrs; add */
        {"system_write_cycles = 6", {__LINE__, 6, 0, {0xe128f000}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_timing(&rows[i].timing, "issue", rows[i].change);
}

static const struct {
    int line;
    enum armpmu_isa isa;
    uint32_t word;
    unsigned size;
    bool taken;
    unsigned first, again; /* cycles, the first time and the second */
} branches[] = {
    {__LINE__, ARMPMU_A32, 0xe591f000, 4, true, 8, 8},   /* ldr pc, [r1] */
    {__LINE__, ARMPMU_A32, 0x1591f000, 4, false, 2, 2},  /* ldrne pc, [r1] */
    {__LINE__, ARMPMU_A32, 0xe8918000, 4, true, 10, 10}, /* ldm r1, {pc} */
    {__LINE__, ARMPMU_A32, 0xe891800c, 4, true, 10, 10}, /* ldm r1, {r2, r3, pc} */
    {__LINE__, ARMPMU_A32, 0xe891803c, 4, true, 12, 12}, /* ldm r1, {r2-r5, pc} */
    {__LINE__, ARMPMU_A32, 0x18918004, 4, false, 5, 5},  /* ldmne r1, {r2, pc} */
    {__LINE__, ARMPMU_A32, 0xea00003e, 4, true, 5, 1},   /* b .+0x100 */
    {__LINE__, ARMPMU_A32, 0x1a00003e, 4, false, 1, 1},  /* bne .+0x100 */
    {__LINE__, ARMPMU_A32, 0xeb00003e, 4, true, 5, 1},   /* bl .+0x100 */
    {__LINE__, ARMPMU_A32, 0xfa00003e, 4, true, 5, 5},   /* blx .+0x100 */
    {__LINE__, ARMPMU_A32, 0xe12fff31, 4, true, 5, 5},   /* blx r1 */
    {__LINE__, ARMPMU_A32, 0xe12fff1e, 4, true, 5, 5},   /* bx lr */
    {__LINE__, ARMPMU_A32, 0x112fff1e, 4, false, 1, 1},  /* bxne lr */
    {__LINE__, ARMPMU_A32, 0xe1a0f00e, 4, true, 5, 5},   /* mov pc, lr */
    {__LINE__, ARMPMU_A32, 0xe081f002, 4, true, 5, 5},   /* add pc, r1, r2 */
    {__LINE__, ARMPMU_A32, 0xe081f312, 4, true, 6, 6},   /* add pc, r1, r2, lsl r3 */
    {__LINE__, ARMPMU_T32, 0x0000e07e, 2, true, 6, 1},   /* b .+0x100 */
    {__LINE__, ARMPMU_T32, 0x0000d13e, 2, false, 1, 1},  /* bne .+0x80 */
    {__LINE__, ARMPMU_T32, 0xf87ef000, 4, true, 6, 6},   /* bl .+0x100 */
    {__LINE__, ARMPMU_T32, 0x00004770, 2, true, 6, 6},   /* bx lr */
    {__LINE__, ARMPMU_T32, 0x0000bd04, 2, true, 10, 10}, /* pop {r2, pc} */
};

/* proves: 0x100 each branch takes the cycles of the manual's tables */
TEST(branches_take_their_cycles)
{
    for (size_t i = 0; i < sizeof branches / sizeof branches[0]; i++) {
        const bool blx = branches[i].word == 0xfa00003e;
        struct bench bench = {
            .next_at = branches[i].taken ? TARGET : ROW_AT + branches[i].size,
            .records = &branches[i].word,
            .n_insns = 1,
            .n_bytes = branches[i].size,
            .isa = branches[i].isa,
            .next_isa = blx ? ARMPMU_T32 : branches[i].isa,
        };
        struct model model = start(&bench, NULL, NULL);
        warm(&model);
        const uint64_t first = run_row(&model, &bench, branches[i].taken, NULL);
        const uint64_t again = run_row(&model, &bench, branches[i].taken, NULL);
        if (first != branches[i].first || again != branches[i].again)
            fail_msg("line %d: %d cycles, then %d; want %u, then %u", branches[i].line, (int)first,
                     (int)again, branches[i].first, branches[i].again);
        model_free(&model);
    }
}

/* Cycles of the row and of the instructions that do nothing behind it. */
static uint64_t cycles_since(struct model *model)
{
    uint64_t rose[ARMPMU_SIGNAL_COUNT] = {0};
    armpmu_sim_read_delta(model->sim, rose);
    return rose[ARMPMU_SIGNAL_CPU_CYCLES];
}

/* Memory answers after 78 cycles, with a word every 5. */
TEST(what_misses_takes_the_time_of_memory)
{
    static const uint32_t jump[] = {0xe591f000, 0};                        /* ldr pc, [r1] */
    static const uint32_t sum[] = {0xe5910000, 0xe5932000, 0xe0824000, 0}; /* add r4, r2, r0 */
    const uint64_t address = DATA + 0x400;
    struct bench bench = bench_of(jump);
    bench.next_at = TARGET;
    struct model model = start(&bench, NULL, NULL);
    warm(&model);
    FEED(&model, BLOCK(NOTHING));
    cycles_since(&model);
    FEED(&model, BLOCK(ROW), ACCESS(0, address), BLOCK(NEXT));
    assert_int_equal(cycles_since(&model), 78 + 5 + PAD);
    model_free(&model);

    bench = bench_of(sum);
    model = start(&bench, NULL, NULL);
    warm(&model);
    FEED(&model, BLOCK(NOTHING));
    cycles_since(&model);
    /* the second line begins behind the last word of the first */
    FEED(&model, BLOCK(ROW), ACCESS(0, address), ACCESS(1, address + 64), BLOCK(NEXT));
    assert_int_equal(cycles_since(&model), 78 + 8 * 5 + 1 + PAD);
    model_free(&model);
}

#define STORE       UINT32_C(0xe5810000) /* str r0, [r1] */
#define LOAD        UINT32_C(0xe5910000) /* ldr r0, [r1] */
#define LOAD_R2     UINT32_C(0xe5912000) /* ldr r2, [r1] */
#define DRAIN_WRITE UINT32_C(0xee070f9a) /* mcr p15, 0, r0, c7, c10, 4 */

/* The row with these accesses, and what follows it. */
static void run_accesses(struct model *model, const uint64_t *accesses, size_t n)
{
    uint64_t records[8] = {BLOCK(ROW)};
    memcpy(records + 1, accesses, n * sizeof accesses[0]);
    records[1 + n] = BLOCK(NEXT);
    model_run(model, records, n + 2);
}

/* On a PXA270 a write buffer drains in 30 cycles; a line comes after 78, eight records 5 apart. */
TEST(what_orders_memory_waits_for_all_of_it)
{
    static const uint64_t far = DATA + 0x400;
    const struct {
        int line;
        uint32_t records[3];
        uint64_t access[2];
        unsigned cycles;
    } rows[] = {
        {__LINE__, {STORE, DRAIN_WRITE}, {ACCESS(0, far)}, 30},
        {__LINE__, {LOAD, DRAIN_WRITE}, {ACCESS(0, far)}, 78 + 7 * 5},
        {__LINE__, {STORE, STORE}, {ACCESS(0, far), ACCESS(1, far + 64)}, 2},
        {__LINE__, {STORE, STORE}, {DEVICE(0, far), DEVICE(1, far)}, 2 * (30 + 1)},
        {__LINE__, {STORE, LOAD}, {ACCESS(0, far), DEVICE(1, far)}, 30 + 78 + 1},
        {__LINE__, {LOAD, STORE}, {ACCESS(0, far), DEVICE(1, far)}, 78 + 7 * 5 + 30 + 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench bench = bench_of(rows[i].records);
        struct model model = start(&bench, NULL, NULL);
        warm(&model);
        FEED(&model, BLOCK(NOTHING));
        cycles_since(&model);
        run_accesses(&model, rows[i].access, rows[i].access[1] != 0 ? 2 : 1);
        const uint64_t cycles = cycles_since(&model);
        if (cycles != rows[i].cycles + PAD)
            fail_msg("line %d: %d cycles, want %u", rows[i].line, (int)cycles - PAD,
                     rows[i].cycles);
        model_free(&model);
    }
}

/* What a User program sees of a call of the system: machines/xscale-80200.ini times both. */
TEST(a_call_of_the_system_is_an_exception_and_its_return)
{
    static const uint32_t svc[] = {0xef000000, 0};
    struct bench bench = bench_of(svc);
    struct model model = start(&bench, NULL, NULL);
    warm(&model);
    FEED(&model, BLOCK(NOTHING));
    cycles_since(&model);
    FEED(&model, BLOCK(ROW), SYSCALL(4), SYSRET, BLOCK(NEXT));
    assert_int_equal(cycles_since(&model), 2 + 6 + 6 + PAD); /* issue.system_write_cycles */
    assert_int_equal(model_signal(&model, ARMPMU_SIGNAL_EXCEPTION_TAKEN), 1);
    assert_int_equal(model_signal(&model, ARMPMU_SIGNAL_EXCEPTION_RETURN), 1);
    assert_int_equal(model_signal(&model, ARMPMU_SIGNAL_PC_WRITE), 0);
    model_free(&model);
}

/* ---- what a User program cannot show ---- */

#define READ_WORD  UINT32_C(0xe5910000) /* ldr r0, [r1] */
#define WRITE_WORD UINT32_C(0xe5810000) /* str r0, [r1] */
#define MOVS_PC_LR UINT32_C(0xe1b0f00e)
#define MCR_PC     UINT32_C(0xee07ff9a) /* mcr p15, 0, pc, c7, c10, 4 */
#define CACHE(bits, address)                                                                       \
    (armpmu_system_record(ARMPMU_SYSTEM_CACHE, ARMPMU_CACHE_DATA | (bits)) | (address))
#define SIGNAL(name) model_signal(&model, ARMPMU_SIGNAL_##name)

static const uint32_t reads[] = {READ_WORD, 0}, writes[] = {WRITE_WORD, 0};

/* proves: 0x0C a clean operation counts each dirty half line that it writes back */
/* proves: 0x0C an invalidate operation writes nothing back */
/* proves: 0x0A operations on lines of the cache do not count */
/* proves: 0x0B operations on lines of the cache do not count */
TEST(maintenance_writes_back_what_it_cleans)
{
    static const struct {
        int line;
        unsigned bits, written_back;
        bool stays;
    } rows[] = {
        {__LINE__, ARMPMU_CACHE_ADDRESS | ARMPMU_CACHE_CLEAN, 2, true},
        {__LINE__, ARMPMU_CACHE_ADDRESS | ARMPMU_CACHE_CLEAN | ARMPMU_CACHE_INVALIDATE, 2, false},
        {__LINE__, ARMPMU_CACHE_ADDRESS | ARMPMU_CACHE_INVALIDATE, 0, false},
        {__LINE__, ARMPMU_CACHE_INVALIDATE, 0, false},
        {__LINE__, ARMPMU_CACHE_SET_WAY | ARMPMU_CACHE_CLEAN, 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench bench = bench_of(writes);
        struct model model = start(&bench, NULL, NULL);
        warm(&model);
        FEED(&model, BLOCK(ROW), ACCESS(0, DATA), BLOCK(ROW), ACCESS(0, DATA + 16), BLOCK(NOTHING));
        const uint64_t accesses = SIGNAL(L1D_WORD_ACCESS), misses = SIGNAL(L1D_WORD_MISS);
        const uint64_t word = CACHE(rows[i].bits, DATA + 4);
        FEED(&model, word, BLOCK(NOTHING), word, BLOCK(NOTHING)); /* what is clean stays so */
        if (SIGNAL(L1D_HALF_LINE_WRITE_BACK) != rows[i].written_back)
            fail_msg("line %d: %d half lines written back, want %u", rows[i].line,
                     (int)SIGNAL(L1D_HALF_LINE_WRITE_BACK), rows[i].written_back);
        assert_int_equal(SIGNAL(L1D_WORD_ACCESS), accesses);
        assert_int_equal(SIGNAL(L1D_WORD_MISS), misses);
        FEED(&model, BLOCK(WARM), ACCESS(0, DATA), ACCESS(1, DATA), ACCESS(2, DATA),
             ACCESS(3, DATA), BLOCK(NOTHING));
        assert_int_equal(SIGNAL(L1D_WORD_MISS) > misses, !rows[i].stays);
        model_free(&model);
    }
}

TEST(maintenance_of_instructions_empties_their_cache)
{
    struct bench bench = bench_of(reads);
    struct model model = start(&bench, NULL, NULL);
    warm(&model);
    FEED(&model, BLOCK(NEXT));
    const uint64_t before = SIGNAL(L1I_REFILL);
    const unsigned bits = ARMPMU_CACHE_INSTRUCTION | ARMPMU_CACHE_INVALIDATE;
    FEED(&model, armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits), BLOCK(NOTHING), BLOCK(NEXT));
    assert_int_equal(SIGNAL(L1I_REFILL), before + 3);
    FEED(&model,
         armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits | ARMPMU_CACHE_ADDRESS) | NOTHING_AT,
         BLOCK(NOTHING), BLOCK(NEXT));
    assert_int_equal(SIGNAL(L1I_REFILL), before + 4);
    FEED(&model, armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits | ARMPMU_CACHE_ADDRESS) | DATA,
         BLOCK(NOTHING), BLOCK(NEXT));
    assert_int_equal(SIGNAL(L1I_REFILL), before + 4);
    model_free(&model);
}

/* proves: 0x06 behind an invalidation of the instruction cache no branch is known */
TEST(maintenance_empties_the_branch_target_buffer)
{
    const uint64_t records[] = {
        armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, 0),
        armpmu_system_record(ARMPMU_SYSTEM_CACHE,
                             ARMPMU_CACHE_INSTRUCTION | ARMPMU_CACHE_INVALIDATE),
    };
    static const uint32_t branch[] = {0xea00003e, 0}; /* b .+0x100 */
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        struct bench bench = bench_of(branch);
        bench.next_at = TARGET;
        struct model model = start(&bench, NULL, NULL);
        warm(&model);
        FEED(&model, BLOCK(ROW), BLOCK(NEXT), BLOCK(ROW), BLOCK(NEXT), BLOCK(NOTHING));
        assert_int_equal(SIGNAL(DIRECT_BRANCH_MISPREDICT), 1);
        FEED(&model, records[i], BLOCK(ROW), BLOCK(NEXT));
        assert_int_equal(SIGNAL(DIRECT_BRANCH_MISPREDICT), 2);
        model_free(&model);
    }
}

/* proves: 0x03 no fetch misses the instruction TLB while the MMU is off */
/* proves: 0x04 no access misses the data TLB while the MMU is off */
/* proves: 0x0A accesses that are not cacheable count */
/* proves: 0x0B accesses that are not cacheable do not count */
TEST(nothing_is_translated_while_the_mmu_is_off)
{
    struct bench bench = bench_of(reads);
    struct model model = start(&bench, NULL, NULL);
    FEED(&model, MMU(0), BLOCK(ROW), ACCESS(0, DATA), BLOCK(NEXT), BLOCK(ROW), ACCESS(0, DATA + 64),
         BLOCK(NEXT));
    assert_int_equal(SIGNAL(ITLB_WALK), 0);
    assert_int_equal(SIGNAL(DTLB_WALK), 0);
    assert_int_equal(SIGNAL(L1D_WORD_ACCESS), 2);
    assert_int_equal(SIGNAL(L1D_WORD_MISS), 0);
    FEED(&model, MMU(1), BLOCK(ROW), ACCESS(0, DATA), BLOCK(NEXT));
    assert_int_equal(SIGNAL(ITLB_WALK), 1);
    assert_int_equal(SIGNAL(DTLB_WALK), 1);
    assert_int_equal(SIGNAL(L1D_WORD_MISS), 1);
    FEED(&model, BLOCK(ROW), DEVICE(0, DATA + 0x1000), BLOCK(NEXT));
    assert_int_equal(SIGNAL(L1D_WORD_ACCESS), 4);
    assert_int_equal(SIGNAL(L1D_WORD_MISS), 1);
    FEED(&model, TLB_FLUSH, BLOCK(ROW), ACCESS(0, DATA), BLOCK(NEXT));
    assert_int_equal(SIGNAL(ITLB_WALK), 2);
    assert_int_equal(SIGNAL(DTLB_WALK), 3);
    FEED(&model, TLB_FLUSH_PAGE(DATA >> 12), BLOCK(ROW), ACCESS(0, DATA), BLOCK(NEXT));
    assert_int_equal(SIGNAL(ITLB_WALK), 2);
    assert_int_equal(SIGNAL(DTLB_WALK), 4);
    model_free(&model);
}

/* proves: 0x0D an exception does not count */
/* proves: 0x0D MOVS PC, which returns from an exception, counts */
/* proves: 0x0D MCR with the PC as its source does not count */
/* proves: 0x07 an instruction that an exception squashes does not count */
TEST(an_exception_is_no_change_of_the_pc_by_software)
{
    static const uint32_t returns[] = {MOVS_PC_LR, 0}, to_coprocessor[] = {MCR_PC, 0},
                          hidden[] = {0xe1a05005, MOVS_PC_LR, 0}; /* mov r5, r5 */
    struct bench bench = bench_of(returns);
    struct model model = start(&bench, NULL, NULL);
    FEED(&model, BLOCK(NOTHING), EXCEPTION(3), BLOCK(NEXT), EXCEPTION(ARMPMU_RECORD_ALL));
    assert_int_equal(SIGNAL(PC_WRITE), 0);
    assert_int_equal(SIGNAL(INST_RETIRED), 3 + PAD);
    assert_int_equal(SIGNAL(EXCEPTION_TAKEN), 2);
    FEED(&model, BLOCK(ROW), BLOCK(NOTHING), BLOCK(NOTHING));
    assert_int_equal(SIGNAL(PC_WRITE), 1);
    assert_int_equal(SIGNAL(DIRECT_BRANCH), 0);
    assert_int_equal(SIGNAL(EXCEPTION_RETURN), 1);
    model_free(&model);
    bench = bench_of(hidden);
    model = start(&bench, NULL, NULL);
    FEED(&model, MMU(1), BLOCK(ROW), EXCEPTION(ARMPMU_RECORD_ALL), BLOCK(NOTHING), BLOCK(NOTHING));
    assert_int_equal(SIGNAL(EXCEPTION_RETURN), 1); /* and at once an exception where it leads */
    assert_int_equal(SIGNAL(PC_WRITE), 1);
    model_free(&model);
    bench = bench_of(to_coprocessor);
    model = start(&bench, NULL, NULL);
    FEED(&model, MMU(1), BLOCK(ROW), BLOCK(NEXT), BLOCK(NOTHING));
    assert_int_equal(SIGNAL(PC_WRITE), 0);
    assert_int_equal(SIGNAL(INST_RETIRED), 1 + PAD + PAD);
    model_free(&model);
}

/* proves: 0x12 a drain of the write buffer counts on the 80200 */
/* proves: 0x12 an access to memory that is neither cacheable nor bufferable counts on the 80200 */
/* proves: 0x12 accesses to cacheable memory, hit or miss, and other barriers do not count */
TEST(drains_of_the_bus_unit_count_where_there_is_one)
{
    const struct {
        int line;
        uint32_t word;
        uint64_t access;
        unsigned drains;
    } rows[] = {
        {__LINE__, DRAIN_WRITE, 0, 1},
        {__LINE__, STORE, DEVICE(0, DATA + 0x400), 1},
        {__LINE__, LOAD, DEVICE(0, DATA + 0x400), 1},
        {__LINE__, STORE, ACCESS(0, DATA + 0x400), 0},
        {__LINE__, LOAD, ACCESS(0, DATA), 0},
        {__LINE__, 0xee070f95, 0, 0}, /* mcr p15, 0, r0, c7, c5, 4 */
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const bool has_unit = i % 2;
        const uint32_t records[] = {rows[i / 2].word, 0};
        struct bench bench = bench_of(records);
        struct model model = model_new(has_unit ? "xscale-80200" : "pxa255", lookup, &bench);
        warm(&model);
        for (unsigned round = 1; round <= 3; round++) {
            run_accesses(&model, &rows[i / 2].access, rows[i / 2].access != 0);
            if (SIGNAL(PRODUCT_INPUT2) != (has_unit ? round * rows[i / 2].drains : 0))
                fail_msg("line %d, round %u: %d drains", rows[i / 2].line, round,
                         (int)SIGNAL(PRODUCT_INPUT2));
        }
        model_free(&model);
    }
}

/* The write buffer has one request on its way as long as there is something in it; a line comes 80
 * cycles later, one beat of 8 bytes every 7. */
/* proves: 0x11 a write that drains takes the room of one request, however many wait behind it */
/* proves: 0x10 a request that finds no room waits */
TEST(writes_take_room_in_the_bus_unit)
{
    static const struct {
        int line;
        const char *requests;
        uint32_t records[5];
        uint64_t full, cycles;
    } rows[] = {
        /* a store drains from 0 to 28, two behind it to 84 */
        {__LINE__, "requests = 1", {STORE, STORE, STORE}, 84, 3},
        {__LINE__, "requests = 2", {STORE, STORE, STORE}, 0, 3},
        /* the line is asked for at 28, its first word comes at 108, the last at 129 */
        {__LINE__, "requests = 1", {STORE, LOAD, DRAIN_WRITE}, 129, 129},
        {__LINE__, "requests = 2", {STORE, LOAD, DRAIN_WRITE}, 27, 102},
        /* until the first store has drained, and then until the first line has come */
        {__LINE__, "requests = 2", {STORE, LOAD, LOAD_R2, DRAIN_WRITE}, 27 + 74, 130},
        {__LINE__, "requests = 3", {STORE, LOAD, LOAD_R2, DRAIN_WRITE}, 26, 130},
    };
    const uint64_t accesses[] = {ACCESS(0, DATA + 0x400), ACCESS(1, DATA + 0x440),
                                 ACCESS(2, DATA + 0x480)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench bench = bench_of(rows[i].records);
        struct model model = start(&bench, "product", rows[i].requests);
        warm(&model);
        FEED(&model, BLOCK(NOTHING));
        cycles_since(&model);
        const uint64_t before = SIGNAL(PRODUCT_INPUT1);
        const unsigned drains = rows[i].records[bench.n_insns - 1] == DRAIN_WRITE;
        run_accesses(&model, accesses, bench.n_insns - drains);
        const uint64_t cycles = cycles_since(&model) - PAD;
        for (unsigned n = 0; n < 100; n++)
            FEED(&model, BLOCK(NOTHING));
        const uint64_t full = SIGNAL(PRODUCT_INPUT1) - before;
        if (cycles != rows[i].cycles || full != rows[i].full)
            fail_msg("line %d: %d cycles, full for %d", rows[i].line, (int)cycles, (int)full);
        model_free(&model);
    }
}

/* The 80200's bus unit is asked for lines, descriptors and what the write buffer drains. */
TEST(requests_to_the_bus_unit_count_where_there_is_one)
{
    static const char *const machines[] = {"xscale-80200", "pxa255", "pxa270"};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct bench bench = bench_of(writes);
        struct model model = model_new(machines[i], lookup, &bench);
        const bool has_unit = i == 0;
        FEED(&model, BLOCK(ROW), ACCESS(0, DATA), BLOCK(NEXT)); /* two lines, two walks, a store */
        assert_int_equal(SIGNAL(PRODUCT_INPUT0), has_unit ? 2 + 2 * 2 + 1 : 0);
        FEED(&model, BLOCK(WARM), ACCESS(0, DATA), ACCESS(1, DATA), ACCESS(2, DATA + 32),
             ACCESS(3, DATA), BLOCK(NEXT));
        assert_int_equal(SIGNAL(PRODUCT_INPUT0), has_unit ? 7 + 2 : 0);
        assert_int_equal(SIGNAL(PRODUCT_INPUT1), 0);
        model_free(&model);
    }
}

TEST(a_geometry_that_the_core_cannot_have_is_refused)
{
    static const struct {
        const char *section, *change, *says;
    } rows[] = {
        {"l1d", "line_bytes = 64", "l1d.line_bytes = 64: an XScale core has 32 to 32"},
        {"l1i", "size_kb = 64", "l1i.size_kb = 64: an XScale core has 1 to 32"},
        {"l1d", "size_kb = 64", "l1d.size_kb = 64: an XScale core has 1 to 32"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct armpmu_machine *machine = changed(rows[i].section, rows[i].change);
        struct armpmu_code *code;
        struct armpmu_sim *sim;
        struct armpmu_error err = {""};
        assert_int_equal(armpmu_code_new(lookup, NULL, &code, &err), ARMPMU_OK);
        assert_int_equal(armpmu_sim_new(machine, code, &sim, &err), ARMPMU_BAD_CONFIG);
        assert_non_null(strstr(err.message, rows[i].says));
        armpmu_code_free(code);
        armpmu_machine_free(machine);
    }
}

static void note_interval(void *user, uint64_t count)
{
    unsigned *intervals = user;
    (void)count;
    ++*intervals;
}

TEST(intervals_are_told)
{
    struct bench bench = bench_of(reads);
    struct model model = start(&bench, NULL, NULL);
    unsigned intervals = 0;
    armpmu_sim_set_interval(model.sim, ARMPMU_SIGNAL_INST_RETIRED, 10 * PAD, note_interval,
                            &intervals);
    for (unsigned i = 0; i < 55; i++)
        FEED(&model, BLOCK(NOTHING));
    assert_int_equal(intervals, 5);
    model_free(&model);
}

/* ---- what always holds ---- */

static void expect_relations(const uint64_t *signals, uint64_t seed)
{
    static const enum armpmu_signal at_most[][2] = {
        {ARMPMU_SIGNAL_INST_RETIRED, ARMPMU_SIGNAL_CPU_CYCLES},
        {ARMPMU_SIGNAL_DATA_BUFFER_STALL_RUN, ARMPMU_SIGNAL_DATA_BUFFER_STALL},
        {ARMPMU_SIGNAL_L1D_WORD_MISS, ARMPMU_SIGNAL_L1D_WORD_ACCESS},
        {ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT, ARMPMU_SIGNAL_DIRECT_BRANCH},
        {ARMPMU_SIGNAL_DIRECT_BRANCH, ARMPMU_SIGNAL_INST_RETIRED},
    };
    for (size_t i = 0; i < sizeof at_most / sizeof at_most[0]; i++)
        if (signals[at_most[i][0]] > signals[at_most[i][1]])
            fail_msg("seed %d: %s is more than %s", (int)seed, armpmu_signal_name(at_most[i][0]),
                     armpmu_signal_name(at_most[i][1]));
    const uint64_t stalls = signals[ARMPMU_SIGNAL_FETCH_STALL] +
                            signals[ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL] +
                            signals[ARMPMU_SIGNAL_DATA_BUFFER_STALL];
    assert_true(stalls + signals[ARMPMU_SIGNAL_INST_RETIRED] <= signals[ARMPMU_SIGNAL_CPU_CYCLES]);
}

TEST(counts_keep_their_relations_on_random_streams)
{
    static const char *const machines[] = {"xscale-80200", "pxa255", "pxa270", "ixp425"};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_stream stream;
        uint64_t signals[ARMPMU_SIGNAL_COUNT];
        random_stream_init(&stream, seed, seed % 2, 3000);
        struct model model = model_new(machines[seed % 4], random_stream_lookup, &stream);
        model_run(&model, stream.blocks.word, stream.blocks.n);
        armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
        armpmu_sim_signals(model.sim, signals);
        expect_relations(signals, seed);
        model_free(&model);
        random_stream_free(&stream);
    }
}
