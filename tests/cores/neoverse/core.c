/* The core with the activity monitors by hand: few instructions, every number worked out. */
#include "cores/neoverse/core.h"

#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "armpmu/trace.h"

#define MACHINES SOURCE_ROOT "/machines"

/* ---- a core and its code ---- */

struct bench {
    struct armpmu_machine machine; /* a copy, so that tests can change it */
    struct neoverse *amu;
};

static struct armpmu_machine plain_machine(void)
{
    struct armpmu_machine *loaded, machine;
    struct armpmu_error err = {""};
    if (armpmu_machine_load("neoverse-v1", MACHINES, &loaded, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    machine = *loaded;
    armpmu_machine_free(loaded);
    machine.memory_page_map = PAGE_MAP_IDENTITY;
    machine.prefetch_lines = 0;
    return machine;
}

static void start(struct bench *bench)
{
    struct armpmu_error err = {""};
    struct core *core;
    if (core_new(&core_model_neoverse, &bench->machine, NULL, &core, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    bench->amu = (struct neoverse *)core;
}

static uint64_t count(const struct bench *bench, enum armpmu_signal signal)
{
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    neoverse_signals(bench->amu, tally);
    return tally[signal];
}

#define PLAIN .size = 4, .condition = 14, .operations = 1

/* Runs an instruction n times, each in a block of its own at the same address. */
static void repeat(struct bench *bench, struct insn insn, unsigned n, const uint64_t *addresses,
                   bool device)
{
    struct block *block = calloc(1, sizeof *block + sizeof insn);
    assert_non_null(block);
    *block = (struct block){.address = 0x400000, .n_bytes = 4, .n_insns = 1, .isa = ARMPMU_A64};
    block->insns[0] = insn;
    void *defined = neoverse_ops.new_block(bench->amu, block);
    assert_non_null(defined);
    for (unsigned i = 0; i < n; i++) {
        const struct retired_access access = {addresses != NULL ? addresses[i] : 0, 0, device};
        const struct retired_block walked = {.block = block,
                                             .data = defined,
                                             .n_executed = 1,
                                             .accesses = &access,
                                             .n_accesses = addresses != NULL};
        neoverse_ops.retire_block(bench->amu, &walked);
        neoverse_ops.block_exit(bench->amu, &walked, EXIT_SEQUENTIAL, block->address + 4);
    }
    neoverse_ops.free_block(bench->amu, defined);
    free(block);
}

static void stop(struct bench *bench)
{
    core_free(&core_model_neoverse, &bench->amu->core);
}

static struct insn alu(uint64_t reads, uint64_t writes)
{
    return (struct insn){PLAIN, .klass = CLASS_ALU, .reads = reads, .writes = writes};
}

/* LDR X1,[X1] */
static struct insn chase(void)
{
    return (struct insn){PLAIN, .klass = CLASS_LOAD, .reads = REG_X(1), .writes = REG_X(1),
                         .memory = {.load = true, .bytes = 8, .align = 8}};
}

/* ---- time ---- */

TEST(a_chain_takes_its_latency_and_no_chain_the_width)
{
    struct bench bench = {.machine = plain_machine()};
    uint64_t before;

    start(&bench);
    repeat(&bench, alu(REG_X(1), REG_X(1)), 100, NULL, false);
    before = count(&bench, ARMPMU_SIGNAL_CPU_CYCLES);
    repeat(&bench, alu(REG_X(1), REG_X(1)), 1000, NULL, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_CPU_CYCLES) - before, 1000);
    before = count(&bench, ARMPMU_SIGNAL_CPU_CYCLES);
    /* Four units; those that fit the window with the chain's end are done beside it. */
    repeat(&bench, alu(0, REG_X(2)), 4000, NULL, false);
    assert_in_range(count(&bench, ARMPMU_SIGNAL_CPU_CYCLES) - before, (4000 - 256) / 4, 1000);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_INST_RETIRED), 5100);
    stop(&bench);
}

/* proves: 0x4004 ticks and cycles have the ratio of the frequencies at any time, not only at the
 * end */
TEST(the_constant_counter_has_the_ratio_of_the_clocks)
{
    static const struct {
        uint32_t mhz, khz;
    } clocks[] = {{2600, 1000000}, {2600, 25000}, {1000, 1000000}, {3000, 19200}, {50, 3000000}};

    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        struct bench bench = {.machine = plain_machine()};
        bench.machine.clock_mhz = clocks[i].mhz;
        bench.machine.clock_counter_khz = clocks[i].khz;
        start(&bench);
        for (unsigned n = 0; n < 50; n++) {
            repeat(&bench, alu(REG_X(1), REG_X(1)), 777, NULL, false);
            /* The core's cycles and the counter's ticks in the same time, to the tick. */
            const uint64_t cycles = count(&bench, ARMPMU_SIGNAL_CPU_CYCLES);
            const uint64_t ticks = count(&bench, ARMPMU_SIGNAL_CONSTANT_CYCLES);
            const uint64_t passed = cycles * clocks[i].khz, tick = clocks[i].mhz * UINT64_C(1000);
            assert_true(ticks * tick <= passed && passed < (ticks + 1) * tick);
        }
        stop(&bench);
    }
}

/* proves: 0x0011 WFI and WFE take no time */
TEST(sleep_takes_no_time)
{
    struct bench bench = {.machine = plain_machine()};
    struct insn wait = {PLAIN, .klass = CLASS_BARRIER, .effect = EFFECT_WAIT};

    start(&bench);
    repeat(&bench, wait, 100, NULL, false);
    const uint64_t before = count(&bench, ARMPMU_SIGNAL_CPU_CYCLES);
    repeat(&bench, wait, 4000, NULL, false);
    assert_in_range(count(&bench, ARMPMU_SIGNAL_CPU_CYCLES) - before, 990, 1000);
    stop(&bench);
}

/* ---- memory ---- */

#define N_LINES 64

static void spread_addresses(uint64_t *addresses, uint64_t base, uint64_t step)
{
    for (unsigned i = 0; i < N_LINES; i++)
        addresses[i] = base + i * step;
}

/* proves: 0x4005 nothing behind a miss, nothing lost to it */
/* One page, so that one walk is all there is of translation. */
TEST(a_chase_stalls_its_length_times_the_latency)
{
    struct bench bench = {.machine = plain_machine()};
    uint64_t addresses[N_LINES];

    bench.machine.memory_latency_cycles = 300;
    start(&bench);
    spread_addresses(addresses, 0x7700000000, 64);
    repeat(&bench, chase(), N_LINES, addresses, false);
    repeat(&bench, alu(REG_X(1), REG_X(1)), 300, NULL, false); /* fills the window */
    /* A line of instructions, and 4 descriptors of each page, the topmost in one line. */
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L2_MISS), N_LINES + 1 + 7);
    stop(&bench);

    /* With a window that holds one load, every cycle of every miss is lost. */
    bench.machine.window_entries = 1;
    start(&bench);
    repeat(&bench, chase(), N_LINES, addresses, false);
    const uint64_t last = 300; /* nothing is behind the last one */
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_MEMORY_STALL), N_LINES * 300 - last);
    stop(&bench);
}

TEST(what_level_2_has_is_no_memory_stall)
{
    struct bench bench = {.machine = plain_machine()};
    uint64_t addresses[N_LINES];

    bench.machine.l1d_size_kb = 1;
    bench.machine.l1d_ways = 1;
    bench.machine.window_entries = 1;
    start(&bench);
    spread_addresses(addresses, 0x7700000000, 64);
    repeat(&bench, chase(), N_LINES, addresses, false);
    repeat(&bench, chase(), N_LINES, addresses, false); /* the last miss is lost here */
    const uint64_t before = count(&bench, ARMPMU_SIGNAL_MEMORY_STALL);
    const uint64_t refills = count(&bench, ARMPMU_SIGNAL_L1D_REFILL);
    repeat(&bench, chase(), N_LINES, addresses, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_MEMORY_STALL), before);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_REFILL) - refills, N_LINES);
    stop(&bench);
}

/* proves: 0x4005 a load from Device memory stalls, a store to it does not */
/* A window of one: each load of the device is lost, but for the cycle behind it. */
TEST(loads_of_a_device_stall_and_stores_do_not)
{
    struct bench bench = {.machine = plain_machine()};
    uint64_t addresses[N_LINES];
    struct insn store = {PLAIN, .klass = CLASS_STORE, .reads = REG_X(1),
                         .memory = {.store = true, .bytes = 8, .align = 8}};

    bench.machine.window_entries = 1;
    start(&bench);
    spread_addresses(addresses, 0x9000000, 0);
    repeat(&bench, store, N_LINES, addresses, true);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_MEMORY_STALL), 0);
    repeat(&bench, chase(), N_LINES, addresses, true);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_MEMORY_STALL),
                     (N_LINES - 1) * bench.machine.memory_latency_cycles);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_ACCESS), 0);
    stop(&bench);
}

TEST(pages_are_walked_again_when_they_move_or_are_flushed)
{
    struct bench bench = {.machine = plain_machine()};
    const uint64_t page = 0xffff80000, address = page << 12;

    start(&bench);
    repeat(&bench, chase(), 1, &address, false);
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 1);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_REFILL), 1);
    assert_int_equal(neoverse_ops.map_page(bench.amu, page, 0x12345), ARMPMU_OK);
    repeat(&bench, chase(), 1, &address, false); /* lies elsewhere: another line */
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 2);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_REFILL), 2);
    assert_int_equal(neoverse_ops.map_page(bench.amu, page, 0x12346), ARMPMU_OK);
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(neoverse_ops.map_page(bench.amu, page, 0x12345), ARMPMU_OK);
    repeat(&bench, chase(), 1, &address, false); /* back: the TLB still knows it there */
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 3);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_REFILL), 3);
    neoverse_ops.flush_page(bench.amu, page + 1);
    neoverse_ops.flush_page(bench.amu, page ^ UINT64_C(1) << 32); /* the low 32 bits alike */
    neoverse_ops.flush_page(bench.amu, page ^ UINT64_C(1) << 35);
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 3);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_ITLB_WALK), 2); /* one before pages were placed */
    neoverse_ops.flush_page(bench.amu, 0x400);
    repeat(&bench, chase(), 1, &address, false); /* the instruction's page */
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_ITLB_WALK), 3);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 3);
    neoverse_ops.flush_page(bench.amu, page);
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 4);
    neoverse_ops.flush_tlbs(bench.amu);
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 5);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_ITLB_WALK), 4);
    neoverse_ops.set_mmu(bench.amu, false);
    repeat(&bench, chase(), 1, &address, false); /* nobody asks the TLB: the address is the line */
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 5);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_REFILL), 3);
    assert_int_equal(neoverse_ops.map_page(bench.amu, page, 0x12347), ARMPMU_OK); /* for later */
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_REFILL), 3);
    neoverse_ops.set_mmu(bench.amu, true);
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 6);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_REFILL), 4);
    stop(&bench);
}

TEST(the_first_page_is_a_page_like_others)
{
    struct bench bench = {.machine = plain_machine()};
    const uint64_t address = 64;

    start(&bench);
    repeat(&bench, chase(), 1, &address, false);
    neoverse_ops.flush_page(bench.amu, 1);
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 1);
    neoverse_ops.flush_page(bench.amu, 0);
    repeat(&bench, chase(), 1, &address, false);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_DTLB_WALK), 2);
    stop(&bench);
}

/* A load in the cycle that is so far from the write of a store to the same bytes, whose line has
 * left the data cache: returns its cycles. */
static uint64_t load_behind_store(uint16_t bytes, int after)
{
    static struct neoverse_memory memory;
    static struct ooo_timing window;
    struct armpmu_machine machine = plain_machine();
    uint64_t tally[ARMPMU_SIGNAL_COUNT] = {0};
    const struct memory_access access = {.pc = 0x400000,
                                         .address = 0x8000,
                                         .bytes = bytes,
                                         .again = 1000,
                                         .latency = (uint16_t)machine.latency_load};
    struct memory_access other = access;

    machine.l1d_ways = 1;
    other.address += machine.l1d_size_kb * 1024;
    assert_int_equal(ooo_init(&window, &machine, NULL), ARMPMU_OK);
    memset(&memory, 0xa5, sizeof memory);
    assert_int_equal(memory_init(&memory, &machine, &window, tally, NULL), ARMPMU_OK);
    memory_translate(&memory, false);
    const uint64_t written =
        memory_store(&memory, &access, memory_stride_of(&memory, true, access.pc), 1100);
    memory_load(&memory, &other, 1050);
    const uint64_t at = written + (uint64_t)after;
    const uint64_t cycles = memory_load(&memory, &access, at) - at;
    memory_free(&memory);
    ooo_free(&window);
    return cycles;
}

/* Before the store is written the load has the bytes from the store queue, then from level 2. */
TEST(a_store_leaves_its_queue_in_the_cycle_it_is_written)
{
    const struct armpmu_machine machine = plain_machine();

    for (uint16_t bytes = 8; bytes <= 16; bytes += 8) {
        assert_int_equal(load_behind_store(bytes, -2), machine.latency_load);
        assert_int_equal(load_behind_store(bytes, -1), machine.latency_load);
        assert_int_equal(load_behind_store(bytes, 0), machine.l2_hit_cycles);
        assert_int_equal(load_behind_store(bytes, 1), machine.l2_hit_cycles);
    }
}

/* ---- lines of one set ---- */

/* Two lines of a set of one way that level 2 has: the cycles of a load of the second one, so long
 * after the first one came. `apart`: the second is of the next set. */
static uint64_t load_after_fill(uint64_t fill_cycles, uint64_t after, bool apart)
{
    static struct neoverse_memory memory;
    static struct ooo_timing window;
    struct armpmu_machine machine = plain_machine();
    uint64_t tally[ARMPMU_SIGNAL_COUNT] = {0}, at = 1000;
    struct memory_access first = {
        .pc = 0x400000, .address = 0x8000, .bytes = 8, .latency = (uint16_t)machine.latency_load};

    machine.l1d_ways = 1;
    machine.l1d_fill_cycles = (uint32_t)fill_cycles;
    struct memory_access second = first, third = first;
    second.address += machine.l1d_size_kb * 1024 + (apart ? machine.l1d_line_bytes : 0);
    third.address += machine.l1d_line_bytes; /* throws out the second one that is apart */
    assert_int_equal(ooo_init(&window, &machine, NULL), ARMPMU_OK);
    assert_int_equal(memory_init(&memory, &machine, &window, tally, NULL), ARMPMU_OK);
    memory_translate(&memory, false);
    for (unsigned i = 0; i < 2; i++)
        at += memory_load(&memory, &first, at) + memory_load(&memory, &second, at + 1000);
    memory_load(&memory, &third, at);
    at += 1000;
    const uint64_t filled = memory_load(&memory, &first, at), asked = filled + after;
    const uint64_t cycles = memory_load(&memory, &second, asked) - asked;
    memory_free(&memory);
    ooo_free(&window);
    return cycles;
}

/* The second line could be there `hit` after it was asked for, and is 15 after the first one. */
TEST(a_set_takes_a_line_each_fill_cycles)
{
    const uint64_t hit = plain_machine().l2_hit_cycles;

    assert_in_range(hit, 1, 14);
    assert_int_equal(load_after_fill(15, 0, false), 15);
    assert_int_equal(load_after_fill(15, 1, false), 14);
    assert_int_equal(load_after_fill(15, 15 - hit, false), hit);
    assert_int_equal(load_after_fill(15, 100, false), hit);
    assert_int_equal(load_after_fill(15, 0, true), hit);
    assert_int_equal(load_after_fill(0, 0, false), hit);
}

/* ---- power mitigation ---- */

/* Four vector units: four a cycle, in periods of 100 cycles. */
TEST(a_gear_counts_the_periods_above_its_threshold)
{
    struct bench bench = {.machine = plain_machine()};
    const struct insn active = {PLAIN, .klass = CLASS_NEON_ALU, .writes = REG_V(1)};

    bench.machine.mpmm_period_cycles = 100;
    bench.machine.mpmm_gear0_threshold = 100;
    bench.machine.mpmm_gear1_threshold = 399;
    bench.machine.mpmm_gear2_threshold = 400;
    bench.machine.dispatch_width = 4;
    start(&bench);
    repeat(&bench, alu(0, REG_X(1)), 100000, NULL, false); /* not active at all */
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_MPMM_GEAR0), 0);
    const uint64_t before = count(&bench, ARMPMU_SIGNAL_CPU_CYCLES);
    repeat(&bench, active, 40000, NULL, false);
    const uint64_t periods = (count(&bench, ARMPMU_SIGNAL_CPU_CYCLES) - before) / 100;
    assert_in_range(periods, 99, 100);
    assert_in_range(count(&bench, ARMPMU_SIGNAL_MPMM_GEAR0), 99, 101);
    assert_in_range(count(&bench, ARMPMU_SIGNAL_MPMM_GEAR1), 98, 100);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_MPMM_GEAR2), 0); /* never more than 400 */
    stop(&bench);
}

/* ---- instructions ---- */

/* Vectors of 128 bits: how often an instruction takes its pipe, and its latency on a core
 * whose pipes are as wide as a vector, and on one where they are half as wide for floats. */
TEST(pipes_are_taken_once_for_each_part)
{
    static const struct {
        int line;
        struct insn insn;
        unsigned times[2], latency[2];
    } cases[] = {
#define QUAD(klass_, elements_, bytes_)                                                            \
    {.klass = (klass_),                                                                            \
     .vector = {.quad = true},                                                                     \
     .work = {                                                                                     \
         .unit = WORK_SIMD,                                                                        \
         .floats = (elements_) != 0,                                                               \
         .elements = (elements_),                                                                  \
         .element_bytes = (bytes_),                                                                \
     }}
        {__LINE__, QUAD(CLASS_NEON_ALU, 0, 4), {1, 1}, {2, 2}},
        {__LINE__, QUAD(CLASS_NEON_FLOAT, 4, 4), {1, 2}, {2, 2}},
        {__LINE__, QUAD(CLASS_FLOAT_MULTIPLY, 2, 8), {1, 2}, {3, 3}},
        {__LINE__, QUAD(CLASS_FLOAT_SIGN, 4, 4), {1, 1}, {2, 2}},
        {__LINE__, QUAD(CLASS_NEON_CONVERT, 2, 8), {1, 1}, {3, 3}},
        {__LINE__, QUAD(CLASS_NEON_CONVERT, 4, 4), {2, 2}, {4, 3}},
        {__LINE__, QUAD(CLASS_NEON_CONVERT, 8, 2), {4, 4}, {6, 3}},
        {__LINE__, QUAD(CLASS_NEON_MULTIPLY, 0, 4), {1, 2}, {4, 4}},
        {__LINE__, QUAD(CLASS_NEON_MULTIPLY_LONG, 0, 4), {1, 1}, {4, 4}},
        {__LINE__, QUAD(CLASS_NEON_SELECT, 0, 1), {1, 2}, {2, 2}},
        {__LINE__, QUAD(CLASS_NEON_LOGIC, 0, 1), {1, 1}, {2, 2}},
        {__LINE__, QUAD(CLASS_FLOAT_PAIRS, 4, 4), {1, 1}, {3, 3}},
        {__LINE__, QUAD(CLASS_FLOAT_PAIR_SUM, 4, 4), {1, 3}, {3, 3 + 2}},
        {__LINE__, QUAD(CLASS_FLOAT_REDUCE, 4, 4), {2, 2}, {3 + 3, 3 + 3}},
        {__LINE__, QUAD(CLASS_CRYPTO_HASH, 0, 0), {1, 2}, {4, 4}},
        {__LINE__, QUAD(CLASS_NEON_REDUCE_LONG, 0, 1), {2, 2}, {6, 6}},
        {__LINE__, QUAD(CLASS_NEON_REDUCE_LONG, 0, 2), {1, 1}, {5, 5}},
        {__LINE__, QUAD(CLASS_FLOAT_REDUCE, 8, 2), {3, 3}, {3 * 3, 3 * 3}},
        {__LINE__, QUAD(CLASS_NEON_CONVERT, 0, 4), {2, 2}, {4, 3}}, /* URECPE */
#undef QUAD
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned half = 0; half < 2; half++) {
            struct armpmu_machine m = plain_machine();
            struct neoverse_op op;
            m.units_vector_bytes = m.units_multiply_bytes = half ? 8 : 16;
            neoverse_op_make(&op, &cases[i].insn, NULL, &m);
            if (op.window.times != cases[i].times[half] ||
                op.window.latency != cases[i].latency[half])
                fail_msg("line %d, %u: %u times, latency %u", cases[i].line, half, op.window.times,
                         op.window.latency);
        }
}

/* The first of the units that multiply accumulates. */
TEST(accumulators_are_in_the_first_unit)
{
    const struct armpmu_machine m = plain_machine();
    const struct insn alone = {.klass = CLASS_MULTIPLY, .reads = REG_X(1) | REG_X(2)},
                      adds = {.klass = CLASS_MULTIPLY,
                              .reads = REG_X(1) | REG_X(2) | REG_X(3),
                              .reads_late = REG_X(3),
                              .writes = REG_X(4),
                              .accumulates = true};
    struct neoverse_op op;

    neoverse_op_make(&op, &alone, NULL, &m);
    assert_int_equal(op.window.unit, UNIT_MULTICYCLE);
    neoverse_op_make(&op, &adds, NULL, &m);
    assert_int_equal(op.window.unit, UNIT_M0);
}

TEST(instructions_are_executed_where_the_machine_says)
{
    const struct armpmu_machine m = plain_machine();
    const struct {
        int line;
        struct insn insn;
        enum ooo_unit unit;
        unsigned latency, slots;
        bool divides, active;
    } cases[] = {
        {__LINE__, {.klass = CLASS_ALU}, UNIT_INTEGER, 1, 1, false, false},
        {__LINE__, {.klass = CLASS_MOVE}, UNIT_INTEGER, 1, 1, false, false},
        {__LINE__, {.klass = CLASS_ALU_SHIFT}, UNIT_MULTICYCLE, 2, 1, false, false},
        {__LINE__, {.klass = CLASS_MULTIPLY}, UNIT_MULTICYCLE, 2, 1, false, false},
        {__LINE__, {.klass = CLASS_DIVIDE}, UNIT_MULTICYCLE, 12, 1, true, false},
        {__LINE__, {.klass = CLASS_BRANCH}, UNIT_BRANCH, 1, 1, false, false},
        {__LINE__, {.klass = CLASS_NEON_FLOAT}, UNIT_VECTOR, 2, 1, false, true},
        {__LINE__, {.klass = CLASS_FLOAT_MULTIPLY}, UNIT_VECTOR, 3, 1, false, true},
        {__LINE__,
         {.klass = CLASS_NEON_FLOAT, .work = {.floats = true, .steps = 2}},
         UNIT_VECTOR,
         4,
         1,
         false,
         true},
        {__LINE__, {.klass = CLASS_VFP_DIVIDE}, UNIT_V02, 10, 1, true, true},
        {__LINE__, {.klass = CLASS_CRYPTO}, UNIT_V0, 2, 1, false, true},
        {__LINE__, {.klass = CLASS_NEON_TO_CORE}, UNIT_V1, 2, 1, false, false},
        {__LINE__,
         {.klass = CLASS_LOAD, .memory = {.load = true, .bytes = 8}},
         UNIT_LOAD,
         4,
         1,
         false,
         false},
        {__LINE__, /* LDP of X: one a cycle */
         {.klass = CLASS_LOAD,
          .operations = 2,
          .memory = {.load = true, .bytes = 16, .multiple = true}},
         UNIT_LOAD,
         4,
         1,
         true,
         false},
        {__LINE__, /* LD4 */
         {.klass = CLASS_NEON_LOAD,
          .operations = 4,
          .memory = {.load = true, .bytes = 64, .multiple = true, .neon = true}},
         UNIT_LOAD,
         6,
         2,
         false,
         false},
        {__LINE__, /* ST3 */
         {.klass = CLASS_NEON_STORE,
          .operations = 3,
          .memory = {.store = true, .bytes = 48, .multiple = true, .neon = true}},
         UNIT_STORE,
         1,
         2,
         false,
         false},
        {__LINE__, /* LDADD */
         {.klass = CLASS_ATOMIC, .memory = {.load = true, .store = true, .bytes = 8}},
         UNIT_LOAD,
         6,
         2,
         false,
         false},
        {__LINE__, /* STXR */
         {.klass = CLASS_STORE, .memory = {.store = true, .exclusive = true, .bytes = 8}},
         UNIT_STORE,
         4,
         1,
         false,
         false},
        {__LINE__, /* DC ZVA */
         {.klass = CLASS_SYSTEM, .memory = {.store = true, .bytes = 64}},
         UNIT_STORE,
         1,
         1,
         false,
         false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct neoverse_op op;
        neoverse_op_make(&op, &cases[i].insn, NULL, &m);
        if (op.window.unit != cases[i].unit || op.window.latency != cases[i].latency ||
            op.window.slots != cases[i].slots || op.window.divides != cases[i].divides ||
            op.active != cases[i].active || op.window.load != cases[i].insn.memory.load ||
            op.window.store != cases[i].insn.memory.store)
            fail_msg("line %d: unit %u, latency %u, slots %u, divides %d, active %d", cases[i].line,
                     op.window.unit, op.window.latency, op.window.slots, op.window.divides,
                     op.active);
    }
}

/* Each key of the machine a number of its own. */
/* Classes that come one at a time, with the machine of the test below. */
struct interval {
    enum insn_class klass;
    enum ooo_divider divider;
    unsigned cycles;
};

static const struct interval *interval_of(enum insn_class klass)
{
    static const struct interval intervals[] = {
        {CLASS_DIVIDE, DIVIDER_INTEGER, 118},
        {CLASS_VFP_DIVIDE, DIVIDER_FLOAT, 119},
        {CLASS_SYSTEM, DIVIDER_SYSTEM, 110},
    };

    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
        if (intervals[i].klass == klass)
            return &intervals[i];
    return NULL;
}

TEST(every_class_has_the_latency_of_its_key)
{
    struct armpmu_machine m = plain_machine();
    m.latency_alu = 101;
    m.latency_shift = 102;
    m.latency_multiply = 103;
    m.latency_multiply_long = 104;
    m.latency_divide = 105;
    m.latency_crc = 106;
    m.latency_load = 107;
    m.latency_vector_load = 108;
    m.latency_atomic = 109;
    m.latency_system = 110;
    m.latency_vector = 111;
    m.latency_vector_multiply = 112;
    m.latency_float = 113;
    m.latency_float_divide = 114;
    m.latency_crypto = 115;
    m.latency_to_vector = 116;
    m.latency_from_vector = 117;
    m.latency_divide_interval = 118;
    m.latency_float_divide_interval = 119;
    m.latency_vector_shift_complex = 120;
    m.latency_vector_reduce = 121;
    m.latency_vector_reduce_long = 122;
    m.latency_vector_reduce_bytes = 122;
    m.latency_vector_multiply_long = 123;
    m.latency_vector_dot = 124;
    m.latency_float_convert = 125;
    m.latency_float_compare = 126;
    m.latency_aes = 127;
    m.latency_hash = 128;
    m.latency_polynomial = 129;
    m.latency_polynomial_bytes = 149;
    m.latency_multiply_high = 130;
    m.latency_float_multiply = 131;
    m.latency_multiply_long_interval = 132;
    m.latency_multiply_high_interval = 133;
    m.latency_hash_schedule = 134;
    m.latency_float_divide_double = 142;
    m.latency_float_divide_double_interval = 143;
    m.latency_core_to_float = 144;
    m.latency_float_to_core = 145;
    m.latency_core_to_element = 147;
    m.latency_vector_shift_round = 148;
    m.latency_vector_complex = 136;
    m.latency_vector_logic = 137;
    m.latency_float_select = 138;
    m.latency_float_sign = 139;
    m.latency_float_pairs = 140;
    m.latency_float_multiply_add = 141;
    m.units_vector_bytes = 16;
    static const struct {
        enum insn_class klass;
        enum ooo_unit unit;
        unsigned latency;
        bool active;
    } rows[] = {
        {CLASS_ALU, UNIT_INTEGER, 101, false},
        {CLASS_MOVE, UNIT_INTEGER, 101, false},
        {CLASS_BARRIER, UNIT_INTEGER, 101, false},
        {CLASS_ALU_SHIFT, UNIT_MULTICYCLE, 102, false},
        {CLASS_MULTIPLY, UNIT_MULTICYCLE, 103, false},
        {CLASS_MULTIPLY_HALF, UNIT_MULTICYCLE, 103, false},
        {CLASS_MULTIPLY_LONG, UNIT_MULTICYCLE, 104, false},
        {CLASS_MULTIPLY_HIGH, UNIT_MULTICYCLE, 130, false},
        {CLASS_DIVIDE, UNIT_MULTICYCLE, 105, false},
        {CLASS_CRC, UNIT_M0, 106, false},
        {CLASS_LOAD, UNIT_LOAD, 107, false},
        {CLASS_LOAD_MULTIPLE, UNIT_LOAD, 107, false},
        {CLASS_NEON_LOAD, UNIT_LOAD, 108, false},
        {CLASS_SWAP, UNIT_LOAD, 109, false},
        {CLASS_ATOMIC, UNIT_LOAD, 109, false},
        {CLASS_PRELOAD, UNIT_LOAD, 101, false},
        {CLASS_STORE, UNIT_STORE, 101, false},
        {CLASS_STORE_MULTIPLE, UNIT_STORE, 101, false},
        {CLASS_NEON_STORE, UNIT_STORE, 101, false},
        {CLASS_BRANCH, UNIT_BRANCH, 101, false},
        {CLASS_SYSTEM, UNIT_INTEGER, 110, false},
        {CLASS_NEON_ALU, UNIT_VECTOR, 111, true},
        {CLASS_NEON_PERMUTE, UNIT_VECTOR, 111, true},
        {CLASS_NEON_ALU_COMPLEX, UNIT_VECTOR, 136, true},
        {CLASS_NEON_LOGIC, UNIT_VECTOR, 137, true},
        {CLASS_FLOAT_SELECT, UNIT_VECTOR, 138, true},
        {CLASS_FLOAT_SIGN, UNIT_VECTOR, 139, true},
        {CLASS_FLOAT_PAIRS, UNIT_VECTOR, 140, true},
        {CLASS_FLOAT_STEP, UNIT_VECTOR, 141, true},
        {CLASS_FLOAT_CHOICE, UNIT_V01, 138, true},
        {CLASS_FLOAT_PAIR_SUM, UNIT_VECTOR, 140, true},
        {CLASS_FLOAT_REDUCE, UNIT_VECTOR, 2 * 140, true},
        {CLASS_NEON_COUNT, UNIT_VECTOR, 111, true},
        {CLASS_NEON_DIFFERENCE, UNIT_VECTOR, 136, true},
        {CLASS_NEON_SELECT, UNIT_VECTOR, 137, true},
        {CLASS_CRYPTO_SCHEDULE, UNIT_V0, 134, true},
        {CLASS_ALU_SELECT_ADD, UNIT_INTEGER, 101, false},
        {CLASS_NEON_TABLE, UNIT_V01, 111, true},
        {CLASS_NEON_SHIFT, UNIT_V13, 111, true},
        {CLASS_NEON_SHIFT_COMPLEX, UNIT_V13, 120, true},
        {CLASS_NEON_SHIFT_ROUND, UNIT_V13, 148, true},
        {CLASS_NEON_ADD_DIFFERENCE, UNIT_V13, 120, true},
        {CLASS_NEON_REDUCE, UNIT_V13, 121, true},
        {CLASS_NEON_REDUCE_LONG, UNIT_V13, 122, true},
        {CLASS_NEON_MULTIPLY, UNIT_V02, 112, true},
        {CLASS_NEON_MULTIPLY_LONG, UNIT_V02, 123, true},
        {CLASS_NEON_DOT, UNIT_VECTOR, 124, true},
        {CLASS_NEON_FLOAT, UNIT_VECTOR, 113, true},
        {CLASS_VFP, UNIT_VECTOR, 113, true},
        {CLASS_FLOAT_MULTIPLY, UNIT_VECTOR, 131, true},
        {CLASS_NEON_CONVERT, UNIT_V02, 125, true},
        {CLASS_VFP_COMPARE, UNIT_V0, 126, true},
        {CLASS_VFP_DIVIDE, UNIT_V02, 114, true},
        {CLASS_CRYPTO, UNIT_V0, 115, true},
        {CLASS_CRYPTO_HASH, UNIT_V0, 128, true},
        {CLASS_CRYPTO_AES, UNIT_VECTOR, 127, true},
        {CLASS_CRYPTO_AES_MIX, UNIT_VECTOR, 127, true},
        {CLASS_CRYPTO_MULTIPLY, UNIT_VECTOR, 129, true},
        {CLASS_NEON_POLYNOMIAL, UNIT_V02, 149, true},
        {CLASS_CORE_TO_NEON, UNIT_M0, 116, false},
        {CLASS_NEON_TO_CORE, UNIT_V1, 117, false},
        {CLASS_CORE_TO_FLOAT, UNIT_M0, 144, false},
        {CLASS_FLOAT_TO_CORE, UNIT_V0, 145, false},
        {CLASS_CORE_TO_ELEMENT, UNIT_M0, 147, false},
        {CLASS_ZERO, UNIT_NONE, 0, false},
        {CLASS_NEON_ZERO, UNIT_NONE, 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct insn insn = {.klass = rows[i].klass, .operations = 1};
        const struct interval *const one = interval_of(rows[i].klass);
        struct neoverse_op op;
        neoverse_op_make(&op, &insn, NULL, &m);
        if (op.window.unit != rows[i].unit || op.window.latency != rows[i].latency ||
            op.active != rows[i].active || op.window.slots != 1 ||
            op.window.divides != (one != NULL) ||
            (one != NULL &&
             (op.window.divide_cycles != one->cycles || op.window.divider != one->divider)))
            fail_msg("class %u: unit %u, latency %u, active %d", rows[i].klass, op.window.unit,
                     op.window.latency, op.active);
    }
}

/* Where all do: the class of what a Neoverse N1 shifts in an ALU is that of a plain operation. */
TEST(a_shifted_operand_takes_a_unit)
{
    struct armpmu_machine m = plain_machine();
    m.latency_alu = 1;
    m.latency_shift = 2;
    const struct {
        bool shifts;
        unsigned all;
        enum ooo_unit unit;
        unsigned latency;
    } rows[] = {
        {false, YESNO_NO, UNIT_INTEGER, 1},
        {true, YESNO_NO, UNIT_INTEGER, 1},
        {false, YESNO_YES, UNIT_INTEGER, 1},
        {true, YESNO_YES, UNIT_MULTICYCLE, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct insn insn = {
            .klass = CLASS_ALU, .operations = 1, .shifts_by_number = rows[i].shifts};
        struct neoverse_op op;
        m.units_shift_all = rows[i].all;
        neoverse_op_make(&op, &insn, NULL, &m);
        assert_int_equal(op.window.unit, rows[i].unit);
        assert_int_equal(op.window.latency, rows[i].latency);
    }
}

/* CHOICE(neoverse-structures): later by passes of a vector pipe, and some cycles apart. */
TEST(structures_are_loaded_in_turn)
{
    struct armpmu_machine m = plain_machine();
    m.latency_vector_load = 10;
    m.latency_vector = 3;
    const struct {
        enum vector_kind kind;
        unsigned operations, bytes, half_pipes, latency, interval, link; /* 0: none */
    } rows[] = {
        {VECTOR_NONE, 1, 16, 0, 10, 0, 0},       {VECTOR_LOAD_ALL, 1, 4, 0, 13, 0, 0},
        {VECTOR_LOAD_ALL, 2, 8, 0, 13, 1, 0},    {VECTOR_LOAD_ALLS, 3, 12, 0, 13, 2, 0},
        {VECTOR_LOAD_LANE, 1, 4, 0, 13, 0, 3},   {VECTOR_LOAD_LANE, 2, 8, 0, 13, 1, 3},
        {VECTOR_LOAD_LANES, 4, 16, 0, 13, 2, 3}, {VECTOR_LOAD_TWO, 2, 32, 0, 13, 1, 0},
        {VECTOR_LOAD_TWO, 2, 32, 8, 16, 2, 0},   {VECTOR_LOAD_FOUR, 3, 48, 0, 13, 2, 0},
        {VECTOR_LOAD_FOUR, 3, 48, 8, 16, 5, 0},  {VECTOR_LOAD_FOUR, 4, 64, 0, 16, 5, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t set = REG_V(1) * ((1u << rows[i].operations) - 1);
        const uint64_t kept = rows[i].link != 0 ? set : 0;
        const struct insn insn = {.klass = CLASS_NEON_LOAD,
                                  .operations = (uint8_t)rows[i].operations,
                                  .memory = {.load = true,
                                             .neon = true,
                                             .multiple = true,
                                             .bytes = (uint16_t)rows[i].bytes},
                                  .vector.kind = rows[i].kind,
                                  .reads = REG_X(0) | kept,
                                  .reads_early = REG_X(0),
                                  .reads_late = kept,
                                  .writes = set};
        struct neoverse_op op;
        m.units_vector_bytes = rows[i].half_pipes;
        m.units_load = rows[i].half_pipes != 0 ? 1 : 2;
        m.units_load_bytes = 16;
        neoverse_op_make(&op, &insn, NULL, &m);
        if (op.window.latency != rows[i].latency ||
            (op.window.divides ? (unsigned)op.window.divide_cycles : 0) != rows[i].interval ||
            (op.window.accumulator != 0 ? (unsigned)op.window.latency - op.window.forward : 0) !=
                rows[i].link)
            fail_msg("row %zu: latency %u, interval %u, accumulator %d", i, op.window.latency,
                     op.window.divide_cycles, op.window.accumulator != 0);
    }
}

/* CHOICE(amu-slots): where vectors take slots by their bytes, an index and an updated base take
 * one, but not the index of a load of vectors. */
TEST(addresses_take_slots)
{
    struct armpmu_machine m = plain_machine();
    const struct {
        bool load, neon, index, moves;
        unsigned bytes, slots;
    } rows[] = {
        {true, false, false, false, 8, 1}, {true, false, true, false, 8, 2},
        {true, false, false, true, 8, 2},  {true, true, true, false, 8, 1},
        {false, true, true, false, 8, 2},  {true, false, true, true, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t address = REG_X(0) | (rows[i].index ? REG_X(1) : 0);
        const struct insn insn = {.klass = rows[i].load ? CLASS_LOAD : CLASS_STORE,
                                  .operations = 1,
                                  .memory = {.load = rows[i].load,
                                             .store = !rows[i].load,
                                             .neon = rows[i].neon,
                                             .bytes = 8},
                                  .reads = address,
                                  .reads_early = address,
                                  .writes_back = rows[i].moves ? REG_X(0) : 0};
        struct neoverse_op op;
        m.dispatch_vector_bytes = rows[i].bytes;
        neoverse_op_make(&op, &insn, NULL, &m);
        assert_int_equal(op.window.slots, rows[i].slots);
    }
}

/* AESE and AESMC of one register in a row are one operation. */
TEST(aes_pairs_are_fused)
{
    const struct armpmu_machine m = plain_machine();
    const struct insn round = {.klass = CLASS_CRYPTO_AES,
                               .operations = 1,
                               .reads = REG_V(0) | REG_V(1),
                               .writes = REG_V(0)};
    const struct insn mix = {
        .klass = CLASS_CRYPTO_AES_MIX, .operations = 1, .reads = REG_V(0), .writes = REG_V(0)};
    const struct insn of_another = {
        .klass = CLASS_CRYPTO_AES_MIX, .operations = 1, .reads = REG_V(2), .writes = REG_V(2)};
    const struct insn to_another = {
        .klass = CLASS_CRYPTO_AES_MIX, .operations = 1, .reads = REG_V(0), .writes = REG_V(2)};
    const struct {
        const struct insn *insn, *before;
        bool fused;
    } cases[] = {
        {&mix, &round, true},    {&mix, NULL, false},          {&mix, &mix, false},
        {&round, &round, false}, {&of_another, &round, false}, {&to_another, &round, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct neoverse_op op;
        neoverse_op_make(&op, cases[i].insn, cases[i].before, &m);
        assert_int_equal(op.window.unit, cases[i].fused ? UNIT_NONE : UNIT_VECTOR);
        assert_int_equal(op.window.latency, cases[i].fused ? 0 : 2);
        assert_true(op.active);
    }
}

/* A slot for each 8 bytes of vector registers that are written or stored, where the machine says
 * so. */
TEST(slots_are_by_the_width_of_a_result)
{
    const struct insn
        loads_two = {.klass = CLASS_NEON_LOAD,
                     .operations = 2,
                     .memory = {.load = true, .neon = true, .multiple = true, .bytes = 32}},
        stores_singles = {.klass = CLASS_NEON_STORE,
                          .operations = 2,
                          .memory = {.store = true, .neon = true, .multiple = true, .bytes = 8}},
        atomic = {.klass = CLASS_ATOMIC,
                  .operations = 1,
                  .memory = {.load = true, .store = true, .bytes = 8}};
    const struct {
        int line;
        struct insn insn;
        unsigned slots[2]; /* of any width, by 8 bytes */
    } cases[] = {
        {__LINE__, {.klass = CLASS_NEON_ALU, .operations = 1}, {1, 1}},
        {__LINE__, {.klass = CLASS_NEON_ALU, .operations = 1, .vector = {.quad = true}}, {1, 2}},
        {__LINE__,
         {.klass = CLASS_NEON_ALU, .operations = 1, .vector = {.quad = true, .narrow = true}},
         {1, 1}},
        {__LINE__, loads_two, {1, 4}},
        {__LINE__, stores_singles, {1, 2}},
        {__LINE__, atomic, {2, 2}},
    };
    struct armpmu_machine m = plain_machine();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned by_halves = 0; by_halves < 2; by_halves++) {
            struct neoverse_op op;
            m.dispatch_vector_bytes = by_halves ? 8 : 0;
            neoverse_op_make(&op, &cases[i].insn, NULL, &m);
            if (op.window.slots != cases[i].slots[by_halves])
                fail_msg("line %d: %u slots", cases[i].line, op.window.slots);
        }
}

/* ---- flow ---- */

/* The cycles of a hundred rounds of an instruction that ends a block, left as given. */
static uint64_t rounds_of(struct bench *bench, enum branch_kind branch, enum block_exit exit)
{
    struct block *block = calloc(1, sizeof *block + sizeof block->insns[0]);
    assert_non_null(block);
    *block = (struct block){.address = 0x400000, .n_bytes = 4, .n_insns = 1, .isa = ARMPMU_A64};
    block->insns[0] = (struct insn){PLAIN, .klass = CLASS_BRANCH, .branch = branch};
    void *defined = neoverse_ops.new_block(bench->amu, block);
    assert_non_null(defined);
    const struct retired_block walked = {.block = block, .data = defined, .n_executed = 1};
    uint64_t before = 0;
    for (unsigned i = 0; i < 200; i++) {
        if (i == 100)
            before = count(bench, ARMPMU_SIGNAL_CPU_CYCLES);
        neoverse_ops.retire_block(bench->amu, &walked);
        neoverse_ops.block_exit(bench->amu, &walked, exit, 0x400000);
    }
    neoverse_ops.free_block(bench->amu, defined);
    free(block);
    return count(bench, ARMPMU_SIGNAL_CPU_CYCLES) - before;
}

/* proves: 0x0011 a return from an exception empties the pipeline, and no predictor sees it */
TEST(a_return_from_an_exception_empties_the_pipeline)
{
    struct bench bench = {.machine = plain_machine()};

    /* Delivered and dispatched, issued behind that, retired behind its latency of 1. */
    bench.machine.exception_return_cycles = 17;
    start(&bench);
    assert_int_equal(rounds_of(&bench, BRANCH_EXCEPTION_RETURN, EXIT_BRANCH), 100 * (17 + 2));
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_BRANCH_FLUSH), 0);
    stop(&bench);
    start(&bench); /* taken branches to one target, known: a cycle each */
    assert_int_equal(rounds_of(&bench, BRANCH_IMMEDIATE, EXIT_BRANCH), 100);
    stop(&bench);
    start(&bench); /* where it went is not known: nothing is learned, nothing lost */
    assert_in_range(rounds_of(&bench, BRANCH_IMMEDIATE, EXIT_EXCEPTION), 50, 50);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_BRANCH_FLUSH), 0);
    stop(&bench);
}

/* ---- machines ---- */

enum { BAD_MACHINES = 7 };

/* Two written lines of the first set; ways are filled in order. */
TEST(maintenance_by_set_and_way_is_of_a_level)
{
    const uint64_t addresses[] = {0x10000, 0x10000 + 64 * 1024};
    const unsigned clean = ARMPMU_CACHE_DATA | ARMPMU_CACHE_SET_WAY | ARMPMU_CACHE_CLEAN,
                   forget = ARMPMU_CACHE_DATA | ARMPMU_CACHE_SET_WAY | ARMPMU_CACHE_INVALIDATE;
    struct bench bench = {.machine = plain_machine()};
    struct insn store = {PLAIN, .klass = CLASS_STORE, .reads = REG_X(1) | REG_X(2),
                         .memory = {.store = true, .bytes = 8, .align = 8}};
    start(&bench);
    repeat(&bench, store, 2, addresses, false);
    /* 4 ways: the way stands in the topmost two bits of 32. */
    neoverse_ops.system(bench.amu, ARMPMU_SYSTEM_CACHE, clean, UINT64_C(1) << 30);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_CLEANED), 1);
    neoverse_ops.system(bench.amu, ARMPMU_SYSTEM_CACHE, clean, UINT64_C(1) << 30);
    neoverse_ops.system(bench.amu, ARMPMU_SYSTEM_CACHE, clean, UINT64_C(2) << 30);
    neoverse_ops.system(bench.amu, ARMPMU_SYSTEM_CACHE, clean, 64);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_CLEANED), 1);
    neoverse_ops.system(bench.amu, ARMPMU_SYSTEM_CACHE, forget, UINT64_C(1) << 30);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_INVALIDATED), 1);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L2_CLEANED), 0);
    /* Level 2, set 0x10000 / 64 of 2048, of 8 ways: what leaves it leaves level 1. */
    for (uint64_t way = 0; way < 8; way++)
        neoverse_ops.system(bench.amu, ARMPMU_SYSTEM_CACHE, clean | forget,
                            way << 29 | 0x10000 | 1 << 1);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L2_CLEANED), 1);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L2_INVALIDATED), 1);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_CLEANED), 2);
    assert_int_equal(count(&bench, ARMPMU_SIGNAL_L1D_INVALIDATED), 2);
    stop(&bench);
}

TEST(machines_that_cannot_be_are_told)
{
    struct armpmu_machine machines[BAD_MACHINES];
    static const char *const messages[BAD_MACHINES] = {
        "machine neoverse-v1: l2.size_kb = 0: this core has a level 2; make it at least 1",
        "machine neoverse-v1: l1i.line_bytes = 64, l1d.line_bytes = 32 and l2.line_bytes = 64: "
        "the caches of this core have one line size; make them equal",
        "machine neoverse-v1: l1i.line_bytes = 32, l1d.line_bytes = 64 and l2.line_bytes = 64: "
        "the caches of this core have one line size; make them equal",
        "machine neoverse-v1: l1i.line_bytes = 64, l1d.line_bytes = 64 and l2.line_bytes = 32: "
        "the caches of this core have one line size; make them equal",
        "machine neoverse-v1: l2tlb.entries = 1281: must be a multiple of l2tlb.ways = 5",
        "machine neoverse-v1: latency.vector_load = 3, latency.atomic = 6: neither may be less "
        "than latency.load = 4",
        "machine neoverse-v1: latency.vector_load = 6, latency.atomic = 3: neither may be less "
        "than latency.load = 4",
    };

    for (size_t i = 0; i < BAD_MACHINES; i++)
        machines[i] = plain_machine();
    machines[0].l2_size_kb = 0;
    machines[1].l1d_line_bytes = 32;
    machines[2].l1i_line_bytes = 32;
    machines[3].l2_line_bytes = 32;
    machines[4].l2tlb_entries = 1281;
    machines[5].latency_vector_load = 3;
    machines[6].latency_atomic = 3;
    for (size_t i = 0; i < BAD_MACHINES; i++) {
        struct armpmu_error err = {""};
        struct core *core = (struct core *)&err;
        assert_int_equal(core_new(&core_model_neoverse, &machines[i], NULL, &core, &err),
                         ARMPMU_BAD_CONFIG);
        assert_string_equal(err.message, messages[i]);
        assert_null(core);
    }
}
