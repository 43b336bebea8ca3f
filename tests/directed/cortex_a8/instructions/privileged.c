/* What User mode cannot execute, shown to the core model by hand-made streams: events 0x00, 0x0A
 * and 0x0B in a privileged mode, and 0x4B against the page map itself. */
#include "../../../test.h"
#include "armpmu/sim.h"
#include "machine/machine.h"
#include "parts/page_map.h"

#ifndef MACHINES
#error "MACHINES is the folder of the shipped machine files"
#endif

/* A32 encodings. */
#define NOP               0xe320f000
#define BX_LR             0xe12fff1e
#define LDR_R0_R1         0xe5910000
#define MCR_SWINC         0xee090f9c /* MCR p15, 0, r0, c9, c12, 4 */
#define MCR_CNTENS        0xee090f3c /* MCR p15, 0, r0, c9, c12, 1 */
#define MCR_CONTEXTIDR    0xee0d0f30 /* MCR p15, 0, r0, c13, c0, 1 */
#define MRC_CONTEXTIDR    0xee1d0f30 /* MRC p15, 0, r0, c13, c0, 1 */
#define MCR_TPIDRURW      0xee0d0f50 /* MCR p15, 0, r0, c13, c0, 2 */
#define MOVS_PC_LR        0xe1b0f00e
#define SUBS_PC_LR_4      0xe25ef004
#define MOVSNE_PC_LR      0x11b0f00e
#define RFEIA_SP          0xf8bd0a00 /* RFEIA sp! */
#define LDM_SP_R0_PC_SPSR 0xe8fd8001 /* LDM sp!, {r0, pc}^ */

#define BLOCK_BYTES 0x100 /* block n stands at BASE + n * BLOCK_BYTES */
#define BASE        0x8000
#define DATA        0x100000

struct program {
    struct {
        const uint32_t *words;
        uint32_t n;
    } blocks[4];
};

struct run {
    struct armpmu_machine *machine;
    struct armpmu_code *code;
    struct armpmu_sim *sim;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
};

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct program *program = user;
    if (id >= 4 || program->blocks[id].n == 0)
        return false;
    *out = (struct armpmu_block_source){
        .address = BASE + (uint64_t)id * BLOCK_BYTES,
        .bytes = (const uint8_t *)program->blocks[id].words,
        .n_bytes = 4 * program->blocks[id].n,
        .n_insns = program->blocks[id].n,
        .isa = ARMPMU_A32,
    };
    return true;
}

static void start(struct run *run, struct program *program, const char *machine)
{
    struct armpmu_error err = {""};
    if (armpmu_machine_load(machine, MACHINES, &run->machine, &err) != ARMPMU_OK ||
        armpmu_code_new(look_up, program, &run->code, &err) != ARMPMU_OK ||
        armpmu_sim_new(run->machine, run->code, &run->sim, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
}

static void feed(struct run *run, const uint64_t *words, size_t n)
{
    struct armpmu_error err = {""};
    if (armpmu_sim_run(run->sim, words, n, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
}

static void stop(struct run *run)
{
    armpmu_sim_finish(run->sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(run->sim, run->signals);
    armpmu_sim_free(run->sim);
    armpmu_code_free(run->code);
    armpmu_machine_free(run->machine);
}

static uint64_t block(uint32_t id)
{
    return armpmu_record(ARMPMU_RECORD_BLOCK, 0) | id;
}

/* Event number -> count, through the catalogue. */
static uint64_t event(const struct run *run, unsigned number)
{
    const struct armpmu_core *core = armpmu_core_find("cortex-a8");
    assert_non_null(core);
    return armpmu_event_count(armpmu_event_by_number(core, number), run->signals);
}

/* proves: 0x00 a privileged write to the register counts, writes to its neighbours do not
 * proves: 0x0B a privileged write to the register counts, a read does not
 *
 * 0x00 counts writes to the software increment register, 0x0B those to the context ID register, and
 * neither counts reads or writes of their neighbours. */
TEST(register_writes_count_each_its_own)
{
    static const uint32_t body[] = {NOP,       MCR_SWINC,      MCR_CNTENS,   MRC_CONTEXTIDR,
                                    MCR_SWINC, MCR_CONTEXTIDR, MCR_TPIDRURW, BX_LR};
    enum { N = 25 };
    struct program program = {.blocks = {{body, 8}}};
    struct run run;
    start(&run, &program, "cortex-a8-plain");
    for (int i = 0; i < N; i++)
        feed(&run, (const uint64_t[]){block(0)}, 1);
    stop(&run);
    assert_int_equal(event(&run, 0x00), 2 * N);
    assert_int_equal(event(&run, 0x0b), N);
    assert_int_equal(event(&run, 0x08), 8 * N);
    assert_int_equal(event(&run, 0x09), 0);
}

/* proves: 0x0A RFE, MOVS PC, SUBS PC and LDM with PC and the saved status count once each
 * proves: 0x0C an exception return changes the PC
 * proves: 0x0E an exception return is no procedure return
 * proves: 0x12 an exception return is no predictable branch
 *
 * 0x0A counts RFE, the data processing forms and the load with ^ once each; they change the PC,
 * they are no procedure returns, and the predictor has no part in them. */
TEST(exception_returns_count_by_all_their_forms)
{
    static const uint32_t moves[] = {NOP, MOVS_PC_LR};
    static const uint32_t subtracts[] = {NOP, SUBS_PC_LR_4};
    static const uint32_t pops[] = {NOP, RFEIA_SP};
    static const uint32_t loads[] = {LDM_SP_R0_PC_SPSR};
    struct program program = {.blocks = {{moves, 2}, {subtracts, 2}, {pops, 2}, {loads, 1}}};
    const uint64_t words[] = {
        block(0),
        block(1),
        block(2),
        armpmu_record(ARMPMU_RECORD_BURST, 1) | DATA,
        8,
        block(3),
        armpmu_record(ARMPMU_RECORD_BURST, 0) | DATA,
        8,
        block(0),
    };
    struct run run;
    start(&run, &program, "cortex-a8-plain");
    feed(&run, words, sizeof words / sizeof words[0]);
    stop(&run);
    assert_int_equal(event(&run, 0x0a), 4); /* the last MOVS has gone nowhere yet */
    assert_int_equal(event(&run, 0x0c), 4);
    assert_int_equal(event(&run, 0x0e), 0);
    assert_int_equal(event(&run, 0x12), 0);
    assert_int_equal(event(&run, 0x10), 0);
    assert_int_equal(event(&run, 0x09), 0);
    assert_int_equal(event(&run, 0x06), 2);
    assert_int_equal(event(&run, 0x08), 9);
}

/* proves: 0x0A an exception return that fails its condition does not count
 *
 * One that fails its condition falls through and counts as an instruction only. */
TEST(failed_exception_return_does_not_count)
{
    enum { N = BLOCK_BYTES / 4 };
    uint32_t fails[N]; /* the block after it begins where it ends */
    for (int i = 0; i < N; i++)
        fails[i] = NOP;
    fails[N - 1] = MOVSNE_PC_LR;
    static const uint32_t then[] = {NOP, BX_LR};
    struct program program = {.blocks = {{fails, N}, {then, 2}}};
    struct run run;
    start(&run, &program, "cortex-a8-plain");
    feed(&run, (const uint64_t[]){block(0), block(1)}, 2);
    stop(&run);
    assert_int_equal(event(&run, 0x0a), 0);
    assert_int_equal(event(&run, 0x0c), 0);
    assert_int_equal(event(&run, 0x08), N + 2);
}

/* proves: 0x4B of 512 pages exactly those whose colour differs from their frame's count
 *
 * 0x4B: of 512 pages those whose bit 12 differs from their frame's, each time they are read. Two
 * pages a way, so one colour bit. */
TEST(colour_aliases_follow_the_page_map)
{
    enum { PAGES = 512, ROUNDS = 3 };
    static const uint32_t read[] = {LDR_R0_R1, BX_LR};
    struct program program = {.blocks = {{read, 2}}};
    struct run run;
    start(&run, &program, "cortex-a8");
    assert_int_equal(run.machine->l1d_size_kb * 1024 / run.machine->l1d_ways, 2 << PAGE_SHIFT);
    assert_int_equal(run.machine->memory_page_map, PAGE_MAP_SCATTERED);
    struct page_map pages; /* the core model's own: its seed is derived from the machine's */
    page_map_init(&pages, PAGE_MAP_SCATTERED, run.machine->random_seed ^ 6);

    uint64_t aliased = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint64_t page = DATA >> 12; page < (DATA >> 12) + PAGES; page++) {
            const uint64_t address = page << 12 | (page * 64 & 0xfff);
            feed(&run,
                 (const uint64_t[]){block(0), armpmu_record(ARMPMU_RECORD_ACCESS, 0) | address}, 2);
            aliased += (page ^ page_map_physical(&pages, page)) & 1;
        }
    }
    stop(&run);
    assert_in_range(aliased, PAGES * ROUNDS / 3, PAGES * ROUNDS * 2 / 3);
    assert_int_equal(event(&run, 0x4b), aliased);
    assert_int_equal(event(&run, 0x04), PAGES * ROUNDS);
}
