/* What only a system shows, or needs an instruction that User mode or the host's emulator does not
 * have, by hand-made streams through the whole Cortex-R4F model; and errors in its memories. */
#include <string.h>

#include "../../test.h"
#include "../model.h"
#include "armpmu/pmu.h"

/* A32 encodings. */
#define NOP            0xe320f000
#define BX_LR          0xe12fff1e
#define MOV_PC_LR      0xe1a0f00e
#define LDR_R0_R1      0xe5910000
#define STR_R0_R1      0xe5810000
#define STRB_R0_R1     0xe5c10000
#define STRD_R0_R1     0xe1c100f0
#define ADD_R2_R3_R4   0xe0832004
#define SDIV_R0_R1_R2  0xe710f211
#define UDIV_R0_R1_R2  0xe730f211
#define ADD_R3_R0_R4   0xe0803004
#define PLD_R1         0xf5d1f000
#define MCR_SWINC      0xee090f9c /* MCR p15, 0, r0, c9, c12, 4 */
#define MCR_CNTENS     0xee090f3c /* MCR p15, 0, r0, c9, c12, 1 */
#define MCR_CONTEXTIDR 0xee0d0f30 /* MCR p15, 0, r0, c13, c0, 1 */
#define MRC_CONTEXTIDR 0xee1d0f30
#define BEQ_BLOCK_2    0x0a0001fd /* as the second instruction of block 0 */
#define MOVS_PC_LR     0xe1b0f00e
#define SUBS_PC_LR_4   0xe25ef004
#define RFEIA_SP       0xf8bd0a00
#define LDM_SP_PC_USER 0xe8fd8000 /* LDM sp!, {pc}^ */
#define SVC            0xef000000
#define CLEAN_LINE     0xee070f3a /* MCR p15, 0, r0, c7, c10, 1 */

#define BASE        0x8000u
#define BLOCK_BYTES 0x400u /* block n stands at BASE + n * BLOCK_BYTES */
#define DATA        0x100000u
#define MAX_BLOCKS  5
#define MAX_INSNS   256

struct program {
    struct {
        uint32_t words[MAX_INSNS];
        uint32_t n;
    } blocks[MAX_BLOCKS];
    bool from_zero; /* block 0 stands at address 0 */
};

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct program *program = user;
    if (id >= MAX_BLOCKS || program->blocks[id].n == 0)
        return false;
    *out = (struct armpmu_block_source){
        .address = (program->from_zero ? 0 : BASE) + id * BLOCK_BYTES,
        .bytes = (const uint8_t *)program->blocks[id].words,
        .n_bytes = 4 * program->blocks[id].n,
        .n_insns = program->blocks[id].n,
        .isa = ARMPMU_A32,
    };
    return true;
}

static void put(struct program *program, uint32_t id, uint32_t word)
{
    program->blocks[id].words[program->blocks[id].n++] = word;
}

/* A block that ends with BX LR. */
static void put_block(struct program *program, uint32_t id, const uint32_t *words, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        put(program, id, words[i]);
    put(program, id, BX_LR);
}

static uint64_t event(const struct model *model, unsigned number)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    armpmu_sim_signals(model->sim, signals);
    return armpmu_event_count(armpmu_event_by_number(armpmu_core_find("cortex-r4f"), number),
                              signals);
}

static void expect(const struct model *model, unsigned number, uint64_t want)
{
    const uint64_t got = event(model, number);
    if (got != want)
        fail_msg("event 0x%02x: %llu, want %llu", number, (unsigned long long)got,
                 (unsigned long long)want);
}

/* proves: 0x00 a privileged write to the register counts, writes to its neighbours do not
 * proves: 0x0B a privileged write to the register counts, a read does not
 * proves: 0x45 CP15 cache maintenance drains the store buffer
 * proves: 0x03 CP15 cache maintenance does not count
 * proves: 0x04 CP15 cache maintenance does not count */
TEST(register_writes_count_each_its_own)
{
    enum { N = 25 };
    static const uint32_t body[] = {NOP,       MCR_SWINC,      MCR_CNTENS, MRC_CONTEXTIDR,
                                    MCR_SWINC, MCR_CONTEXTIDR, CLEAN_LINE};
    struct program program = {0};
    put_block(&program, 0, body, 7);
    struct model model = model_new("cortex-r4f", look_up, &program);
    for (int i = 0; i < N; i++)
        FEED(&model, BLOCK(0));
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    expect(&model, 0x00, 2 * N);
    expect(&model, 0x0b, N);
    expect(&model, 0x08, 8 * N);
    expect(&model, 0x09, 0);
    expect(&model, 0x45, N);
    expect(&model, 0x03, 0);
    expect(&model, 0x04, 0);
    model_free(&model);
}

/* proves: 0x01 CP15 cache maintenance does not count
 * proves: 0x58 CP15 cache maintenance is no access
 * proves: 0x01 a fetch behind it that finds its line gone counts */
TEST(maintenance_of_the_instruction_cache_counts_nothing)
{
    static const uint32_t body[] = {NOP, NOP, NOP, NOP, NOP, NOP, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 7); /* a line */
    struct model model = model_new("cortex-r4f", look_up, &program);
#define INVALIDATE(how)                                                                            \
    armpmu_system_record(ARMPMU_SYSTEM_CACHE,                                                      \
                         ARMPMU_CACHE_INSTRUCTION | ARMPMU_CACHE_INVALIDATE | (how))
    FEED(&model, MMU(0), BLOCK(0), BLOCK(0), BLOCK(0));
    expect(&model, 0x01, 1);
    expect(&model, 0x58, 3 * 4);
    FEED(&model, EXCEPTION_AT(BASE), INVALIDATE(0), INVALIDATE(0),
         INVALIDATE(ARMPMU_CACHE_ADDRESS) | (BASE + 8));
    expect(&model, 0x01, 1);
    expect(&model, 0x58, 3 * 4);
    FEED(&model, BLOCK(0), BLOCK(0));
    expect(&model, 0x01, 2);
    expect(&model, 0x58, 5 * 4);
    model_free(&model);
}

/* proves: 0x0A MOVS PC, SUBS PC, RFE and LDM with PC and ^ count once each
 * proves: 0x0A MOV PC,LR is none
 * proves: 0x0C an exception return changes the PC
 * proves: 0x0E an exception return is no procedure return
 * proves: 0x12 an exception return is no predictable branch */
TEST(exception_returns_count_by_their_forms)
{
    struct program program = {0};
    put(&program, 0, MOVS_PC_LR);
    put(&program, 1, SUBS_PC_LR_4);
    put(&program, 2, RFEIA_SP);
    put(&program, 3, MOV_PC_LR);
    put(&program, 4, LDM_SP_PC_USER);
    struct model model = model_new("cortex-r4f", look_up, &program);
    FEED(&model, MMU(0), BLOCK(0), BLOCK(1), BLOCK(2), RUN(0, DATA), 8, BLOCK(4), RUN(0, DATA), 4,
         BLOCK(0));
    expect(&model, 0x0a, 4); /* the last MOVS has gone nowhere yet */
    expect(&model, 0x0c, 4);
    expect(&model, 0x0e, 0);
    expect(&model, 0x12, 0);
    expect(&model, 0x10, 0);
    FEED(&model, BLOCK(3), BLOCK(3));
    expect(&model, 0x0a, 5); /* that MOVS, and no MOV */
    expect(&model, 0x0c, 6);
    model_free(&model);
}

/* proves: 0x09 an interrupt is an exception taken
 * proves: 0x46 cycles count while FIQ is masked and no others
 * proves: 0x47 cycles count while IRQ is masked and no others */
TEST(masked_cycles_are_those_between_the_words)
{
    static const uint32_t body[] = {NOP, NOP, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 3);
    struct model model = model_new("cortex-r4f", look_up, &program);
    uint64_t at[4];
#define MASKS(bits) armpmu_system_record(ARMPMU_SYSTEM_MASKS, bits)
    FEED(&model, MMU(0), BLOCK(0), BLOCK(0));
    FEED(&model, BLOCK(0));
    expect(&model, 0x47, 0);
    /* Behind an exception no block is open: the word acts at the cycle that is read then. */
    FEED(&model, EXCEPTION_AT(BASE), MASKS(ARMPMU_MASKS_IRQ));
    at[0] = event(&model, 0x11);
    FEED(&model, BLOCK(0), BLOCK(0), EXCEPTION_AT(BASE),
         MASKS(ARMPMU_MASKS_IRQ | ARMPMU_MASKS_FIQ));
    at[1] = event(&model, 0x11);
    FEED(&model, BLOCK(0), BLOCK(0), BLOCK(0), EXCEPTION_AT(BASE), MASKS(ARMPMU_MASKS_FIQ));
    at[2] = event(&model, 0x11);
    FEED(&model, BLOCK(0), EXCEPTION_AT(BASE), MASKS(0));
    at[3] = event(&model, 0x11);
    FEED(&model, BLOCK(0), BLOCK(0));
    expect(&model, 0x09, 4);
    assert_true(at[0] < at[1] && at[1] < at[2] && at[2] < at[3]);
    const uint64_t irq = at[2] - at[0], fiq = at[3] - at[1];
    expect(&model, 0x47, irq);
    expect(&model, 0x46, fiq);
    FEED(&model, BLOCK(0), BLOCK(0));
    expect(&model, 0x47, irq);
    expect(&model, 0x46, fiq);
    model_free(&model);
}

/* proves: 0x53 SDIV and UDIV count, multiplies do not
 * proves: 0x54 each divide takes a cycle to write its result, one that nobody waits for no more
 * proves: 0x11 a divide that nobody waits for costs two cycles: its own and that of its result */
TEST(a_divide_beside_other_work_costs_one_cycle_to_write)
{
    enum { N = 40 };
    struct program program = {0};
    put(&program, 0, SDIV_R0_R1_R2);
    for (int i = 0; i < 30; i++)
        put(&program, 0, ADD_R2_R3_R4 | 0x00005000); /* add r7, r3, r4 */
    put(&program, 0, BX_LR);
    program.blocks[1] = program.blocks[0];
    program.blocks[1].words[0] = ADD_R2_R3_R4 | 0x00005000;
    struct model model = model_new("cortex-r4f", look_up, &program);
    for (int i = 0; i < N; i++)
        FEED(&model, BLOCK(0), BLOCK(1));
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    expect(&model, 0x53, N);
    expect(&model, 0x54, N);
    expect(&model, 0x41, 0);
    const uint64_t with = event(&model, 0x11);
    model_free(&model);
    program.blocks[0].words[0] = program.blocks[1].words[0];
    model = model_new("cortex-r4f", look_up, &program);
    for (int i = 0; i < N; i++)
        FEED(&model, BLOCK(0), BLOCK(1));
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    expect(&model, 0x53, 0);
    expect(&model, 0x54, 0);
    assert_int_equal(with - event(&model, 0x11), N);
    model_free(&model);
}

/* proves: 0x54 waiting for a quotient stalls until it is there, the cycle of its result included
 * proves: 0x41 waiting for a quotient is a stall of the divide
 * proves: 0x53 a divide counts once, however long it takes */
TEST(waiting_for_a_quotient_is_a_stall_of_the_divide)
{
    enum { N = 40 };
    static const uint32_t body[] = {SDIV_R0_R1_R2, ADD_R3_R0_R4, UDIV_R0_R1_R2, ADD_R3_R0_R4};
    struct program program = {0};
    put_block(&program, 0, body, 4);
    struct model model = model_new("cortex-r4f", look_up, &program);
    for (int i = 0; i < N; i++)
        FEED(&model, BLOCK(0));
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    expect(&model, 0x53, 2 * N);
    expect(&model, 0x54, N * (9 + 8));
    expect(&model, 0x41, 0);
    model_free(&model);
}

/* proves: 0x59 a store to a line of which the buffer holds data of another kind counts
 * proves: 0x50 such a store does not merge */
TEST(stores_of_two_kinds_to_a_line_clash)
{
    static const uint32_t body[] = {STR_R0_R1, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 2);
    struct model model = model_new("cortex-r4f", look_up, &program);
    FEED(&model, MMU(0), BLOCK(0), ACCESS(0, DATA));
    FEED(&model, BLOCK(0), DEVICE(0, DATA + 8));
    expect(&model, 0x59, 1);
    FEED(&model, BLOCK(0), DEVICE(0, DATA + 0x1000)); /* another line */
    FEED(&model, BLOCK(0));
    expect(&model, 0x59, 1);
    expect(&model, 0x50, 0);
    expect(&model, 0x57, 2);
    model_free(&model);
}

/* proves: 0x62 an exception at the first instruction of a vector that leads to the vector counts
 * proves: 0x62 one behind the first instruction, or that leads elsewhere, does not */
TEST(an_exception_at_its_own_vector_is_livelock)
{
    static const uint32_t body[] = {NOP, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 2);
    put_block(&program, 1, body, 2); /* the vector */
    put_block(&program, 2, body, 2); /* another one */
    struct model model = model_new("cortex-r4f", look_up, &program);
    FEED(&model, MMU(0), BLOCK(0), EXCEPTION(1));
    FEED(&model, BLOCK(1), EXCEPTION(1)); /* behind its first instruction */
    FEED(&model, BLOCK(1), EXCEPTION(0)); /* at its first, but on to another */
    FEED(&model, BLOCK(2));
    FEED(&model, BLOCK(0), EXCEPTION(0)); /* not at a vector */
    FEED(&model, BLOCK(1));
    expect(&model, 0x62, 0);
    FEED(&model, BLOCK(0), EXCEPTION(1));
    FEED(&model, BLOCK(1), EXCEPTION(0));
    FEED(&model, BLOCK(1), EXCEPTION(0));
    FEED(&model, BLOCK(1));
    FEED(&model, BLOCK(0));
    expect(&model, 0x62, 2);
    expect(&model, 0x09, 7);
    model_free(&model);
}

TEST(a_vector_at_address_0_is_one_like_others)
{
    static const uint32_t body[] = {NOP, NOP};
    struct program program = {.from_zero = true};
    put_block(&program, 0, body, 2); /* the vector */
    put_block(&program, 1, body, 2);
    struct model model = model_new("cortex-r4f", look_up, &program);
    FEED(&model, MMU(0), BLOCK(1), EXCEPTION(1), BLOCK(0));
    FEED(&model, BLOCK(1), EXCEPTION(1), BLOCK(0), BLOCK(1));
    expect(&model, 0x62, 0);
    FEED(&model, BLOCK(1), EXCEPTION(1), BLOCK(0), EXCEPTION(0), BLOCK(0), BLOCK(1));
    expect(&model, 0x62, 1);
    model_free(&model);
}

/* Its direction shows when the handler returns to where it led; a cold predictor had it wrong. */
TEST(a_branch_hidden_by_an_interrupt_counts_when_the_handler_returns)
{
    struct program program = {0};
    put(&program, 0, NOP);
    put(&program, 0, BEQ_BLOCK_2);
    put(&program, 1, MOVS_PC_LR); /* the handler */
    put(&program, 2, NOP);
    struct model model = model_new("cortex-r4f", look_up, &program);
    FEED(&model, MMU(0), BLOCK(0), EXCEPTION_AT(0));
    expect(&model, 0x0c, 0);
    expect(&model, 0x10, 0);
    expect(&model, 0x12, 0);
    FEED(&model, BLOCK(1), BLOCK(2));
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    expect(&model, 0x0a, 1);
    expect(&model, 0x0c, 2); /* the branch and the handler's return */
    expect(&model, 0x0d, 1);
    expect(&model, 0x10, 1);
    expect(&model, 0x12, 1);
    model_free(&model);
}

/* proves: 0x62 a fault at the first instruction behind a system call, which is handled, is none */
TEST(a_fault_behind_a_system_call_is_no_livelock)
{
    static const uint32_t body[] = {LDR_R0_R1, NOP};
    struct program program = {0};
    put(&program, 0, SVC);
    put_block(&program, 1, body, 2);
    struct model model = model_new("cortex-r4f", look_up, &program);
    FEED(&model, BLOCK(0), SYSCALL(4), SYSRET, BLOCK(1)); /* its access is missing */
    FEED(&model, BLOCK(1), ACCESS(0, DATA), BLOCK(1), ACCESS(0, DATA));
    expect(&model, 0x62, 0);
    expect(&model, 0x09, 2);
    expect(&model, 0x0a, 2);
    model_free(&model);
}

/* proves: 0x55 a preload whose address the engine tells starts a linefill
 * proves: 0x56 or is dropped */
TEST(preloads_that_the_engine_tells)
{
    static const uint32_t body[] = {PLD_R1, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 2);
    struct model model = model_new("cortex-r4f", look_up, &program);
#define PRELOAD(address) (armpmu_system_record(ARMPMU_SYSTEM_PRELOAD, 0) | (address))
    FEED(&model, MMU(0), BLOCK(0), PRELOAD(DATA), PRELOAD(DATA + 4), /* the same line */
         PRELOAD(DATA + 32), PRELOAD(DATA + 64),                     /* both buffers are at work */
         BLOCK(0));
    expect(&model, 0x55, 2);
    expect(&model, 0x56, 1);
    model_free(&model);
}

/* ---- errors in memories ---- */

struct found {
    struct armpmu_fault faults[16];
    unsigned n;
};

static void take_fault(void *user, const struct armpmu_fault *fault)
{
    struct found *found = user;
    assert_true(found->n < 16);
    found->faults[found->n++] = *fault;
}

static void inject(struct model *model, enum armpmu_injection kind, uint64_t address)
{
    struct armpmu_error err = {""};
    if (armpmu_sim_inject(model->sim, kind, address, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
}

#define LAST_FILLED (DATA + 0x20)

/* An error in a cache: a load that finds the line counts the event once, and the line is refilled;
 * the CFLR has its index and way when it is one that is located. */
TEST(an_error_in_a_data_cache_line_is_found_once)
{
    static const struct {
        enum armpmu_injection kind;
        unsigned number;
        uint32_t cflr; /* but for the way */
    } rows[] = {
        {ARMPMU_INJECT_DCACHE_TAG, 0x4c, 0x1 | 0x20},
        {ARMPMU_INJECT_DCACHE_DATA, 0x4d, 0x1 | 0x20},
        {ARMPMU_INJECT_DCACHE_DATA_FATAL, 0x60, 0},
        {ARMPMU_INJECT_DCACHE_TAG_FATAL, 0x61, 0},
    };
    static const uint32_t body[] = {LDR_R0_R1, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct model model = model_new("cortex-r4f", look_up, &program);
        struct found found = {.n = 0};
        armpmu_sim_on_fault(model.sim, take_fault, &found);
        FEED(&model, BLOCK(0), ACCESS(0, LAST_FILLED), BLOCK(0), ACCESS(0, LAST_FILLED));
        inject(&model, rows[i].kind, LAST_FILLED + 4);
        FEED(&model, BLOCK(0), ACCESS(0, DATA + 0x40)); /* another line */
        FEED(&model, BLOCK(0));                         /* which has been told now */
        expect(&model, rows[i].number, 0);
        FEED(&model, BLOCK(0), ACCESS(0, LAST_FILLED), BLOCK(0), ACCESS(0, LAST_FILLED), BLOCK(0));
        expect(&model, rows[i].number, 1);
        expect(&model, 0x03, 3); /* two lines, one of them again */
        assert_int_equal(found.n, 1);
        assert_int_equal(
            found.faults[0].signal,
            armpmu_event_by_number(armpmu_core_find("cortex-r4f"), rows[i].number)->signals[0]);
        assert_int_equal(found.faults[0].address & 0x3fe0, LAST_FILLED & 0x3fe0);
        assert_true(found.faults[0].way < 4);
        model_free(&model);
    }
}

/* A dirty line with an error of one bit is written back; with two bits what it has is lost. */
TEST(a_dirty_line_is_saved_when_its_error_can_be_corrected)
{
    static const uint32_t body[] = {STRD_R0_R1, LDR_R0_R1};
    struct program program = {0};
    put_block(&program, 0, body, 2);
    for (int fatal = 0; fatal < 2; fatal++) {
        struct model model = model_new("cortex-r4f", look_up, &program);
        FEED(&model, BLOCK(0), RUN(0, DATA), 8, ACCESS(1, DATA), BLOCK(0), RUN(0, DATA), 8,
             ACCESS(1, DATA));
        FEED(&model, BLOCK(0), RUN(0, DATA + 64), 8, ACCESS(1, DATA + 64));
        FEED(&model, BLOCK(0), RUN(0, DATA + 64), 8, ACCESS(1, DATA + 64));
        inject(&model, fatal ? ARMPMU_INJECT_DCACHE_DATA_FATAL : ARMPMU_INJECT_DCACHE_DATA, DATA);
        FEED(&model, BLOCK(0), RUN(0, DATA + 64), 8, ACCESS(1, DATA), BLOCK(0));
        expect(&model, 0x42, !fatal);
        expect(&model, fatal ? 0x60 : 0x4d, 1);
        model_free(&model);
    }
}

TEST(an_error_in_a_code_line_is_found_by_a_fetch)
{
    static const struct {
        enum armpmu_injection kind;
        unsigned number, times, livelocks;
    } rows[] = {
        {ARMPMU_INJECT_ICACHE_TAG, 0x4a, 1, 0},
        {ARMPMU_INJECT_ICACHE_DATA, 0x4b, 1, 0},
        {ARMPMU_INJECT_ICACHE_DATA_HARD, 0x4b, 2, 1},
    };
    static const uint32_t body[] = {NOP, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 2);
    put_block(&program, 1, body, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct model model = model_new("cortex-r4f", look_up, &program);
        FEED(&model, BLOCK(0), BLOCK(1), BLOCK(0));
        inject(&model, rows[i].kind, BASE + 4);
        FEED(&model, BLOCK(1), BLOCK(1), BLOCK(1));
        expect(&model, rows[i].number, 0);
        FEED(&model, BLOCK(0), BLOCK(0), BLOCK(0), BLOCK(0), BLOCK(1));
        expect(&model, rows[i].number, rows[i].times);
        expect(&model, 0x01, 2 + rows[i].times);
        expect(&model, 0x62, rows[i].livelocks);
        model_free(&model);
    }
}

TEST(an_error_of_the_data_cache_that_comes_back_is_livelock)
{
    static const uint32_t body[] = {LDR_R0_R1, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 2);
    struct model model = model_new("cortex-r4f", look_up, &program);
    FEED(&model, BLOCK(0), ACCESS(0, DATA), BLOCK(0));
    inject(&model, ARMPMU_INJECT_DCACHE_DATA_HARD, DATA);
    for (int i = 0; i < 5; i++)
        FEED(&model, BLOCK(0), ACCESS(0, DATA));
    FEED(&model, BLOCK(0));
    expect(&model, 0x4d, 2);
    expect(&model, 0x62, 1);
    model_free(&model);
}

/* A TCM's error is seen twice: by the port and by who wanted the data. Reads of other doublewords
 * do not find it, nor do stores of a whole one; a store of less reads first. */
TEST(an_error_in_a_tcm_is_seen_by_its_port_and_its_reader)
{
    enum { FLASH = BASE, RAM = 0x08000000 };
    static const struct {
        enum armpmu_injection kind;
        uint32_t address;
        uint32_t insn; /* what meets it; NOP for the fetch, 0 for another master */
        unsigned port, reader;
    } rows[] = {
        {ARMPMU_INJECT_TCM, RAM, LDR_R0_R1, 0x68, 0x6a},
        {ARMPMU_INJECT_TCM, RAM + 8, LDR_R0_R1, 0x69, 0x6a},
        {ARMPMU_INJECT_TCM_FATAL, RAM, LDR_R0_R1, 0x65, 0x4f},
        {ARMPMU_INJECT_TCM_FATAL, RAM + 8, LDR_R0_R1, 0x66, 0x4f},
        {ARMPMU_INJECT_TCM, RAM, STRB_R0_R1, 0x68, 0x6a},
        {ARMPMU_INJECT_TCM, FLASH, NOP, 0x67, 0x6b},
        {ARMPMU_INJECT_TCM_FATAL, FLASH, NOP, 0x64, 0x4e},
        {ARMPMU_INJECT_TCM, FLASH + 0x100, LDR_R0_R1, 0x67, 0x6a},
        {ARMPMU_INJECT_TCM_FATAL, FLASH + 0x100, LDR_R0_R1, 0x64, 0x4f},
        {ARMPMU_INJECT_TCM, RAM, 0, 0x68, 0x6d},
        {ARMPMU_INJECT_TCM_FATAL, RAM + 8, 0, 0x66, 0x6c},
        {ARMPMU_INJECT_TCM_FATAL, FLASH, 0, 0x64, 0x6c},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t body[] = {rows[i].insn == 0 ? NOP : rows[i].insn, NOP};
        const bool accesses = body[0] != NOP;
        struct program program = {0};
        struct found found = {.n = 0};
        put_block(&program, rows[i].insn == NOP ? 0 : 1, body, 2);
        put_block(&program, 2, (const uint32_t[]){STRD_R0_R1, LDR_R0_R1}, 2);
        struct model model = model_new("tms570ls", look_up, &program);
        armpmu_sim_on_fault(model.sim, take_fault, &found);
        inject(&model, rows[i].kind, rows[i].address);
        FEED(&model, BLOCK(2), RUN(0, RAM + 0x100), 8, ACCESS(1, RAM + 16), BLOCK(2),
             RUN(0, RAM + 32), 8, ACCESS(1, RAM + 24), BLOCK(2));
        expect(&model, rows[i].port, 0);
        const uint64_t block = BLOCK(rows[i].insn == NOP ? 0u : 1u);
        if (rows[i].insn == 0)
            inject(&model, ARMPMU_INJECT_SLAVE_READ, rows[i].address + 4);
        else if (accesses)
            FEED(&model, block, ACCESS(0, rows[i].address), block, ACCESS(0, rows[i].address));
        else
            FEED(&model, block, block, block);
        armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
        expect(&model, rows[i].port, 1);
        expect(&model, rows[i].reader, 1);
        assert_int_equal(found.n, 2);
        assert_int_equal(found.faults[1].side,
                         rows[i].address >= RAM ? ARMPMU_SIDE_BTCM : ARMPMU_SIDE_ATCM);
        model_free(&model);
    }
}

/* What is known of the cache is forgotten when an error comes, whatever line it is in. */
TEST(an_injection_makes_no_line_present)
{
    static const uint32_t body[] = {LDR_R0_R1, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 2);
    struct model model = model_new("cortex-r4f", look_up, &program);
    FEED(&model, BLOCK(0), ACCESS(0, DATA), BLOCK(0), ACCESS(0, DATA));
    inject(&model, ARMPMU_INJECT_DCACHE_DATA, DATA + 0x4000);
    FEED(&model, BLOCK(0), ACCESS(0, 0x20202000), BLOCK(0), ACCESS(0, 0));
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    expect(&model, 0x03, 3);
    model_free(&model);
}

/* What is reported to the device updates its CFLR. */
TEST(a_located_error_reaches_the_cflr)
{
    static const uint32_t body[] = {LDR_R0_R1, NOP};
    const struct armpmu_core *core = armpmu_core_find("cortex-r4f");
    struct program program = {0};
    struct found found = {.n = 0};
    put_block(&program, 0, body, 2);
    struct model model = model_new("cortex-r4f", look_up, &program);
    armpmu_sim_on_fault(model.sim, take_fault, &found);
    FEED(&model, BLOCK(0), ACCESS(0, DATA + 0x60), BLOCK(0));
    inject(&model, ARMPMU_INJECT_DCACHE_DATA, DATA + 0x60);
    FEED(&model, BLOCK(0), ACCESS(0, DATA + 0x60), BLOCK(0));
    assert_int_equal(found.n, 1);
    assert_true(armpmu_event_by_number(core, 0x4d)->locates_a_fault);
    assert_int_equal(found.faults[0].signal, ARMPMU_SIGNAL_L1D_DATA_ERROR);
    assert_int_equal(found.faults[0].side, ARMPMU_SIDE_CACHE);
    assert_int_equal(found.faults[0].address, DATA + 0x60);
    model_free(&model);
}

/* No error, no event. */
TEST(without_injection_no_error_is_found)
{
    static const unsigned errors[] = {0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x60, 0x61, 0x64,
                                      0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d};
    static const uint32_t body[] = {LDR_R0_R1, STR_R0_R1, NOP};
    struct program program = {0};
    put_block(&program, 0, body, 3);
    struct model model = model_new("cortex-r4f", look_up, &program);
    for (uint32_t i = 0; i < 3000; i++)
        FEED(&model, BLOCK(0), ACCESS(0, DATA + i * 36), ACCESS(1, DATA + i * 52));
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        expect(&model, errors[i], 0);
    model_free(&model);
}
