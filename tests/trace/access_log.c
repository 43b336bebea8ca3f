/* Each access gets the counts that its row gained during the access, for any signals. */
#include "../test.h"
#include "armpmu/trace.h"
#include "trace/access_log.h"

static const struct armpmu_data_access *one_access(struct data_access_log *log,
                                                   const struct insn *insn, enum armpmu_isa isa,
                                                   enum armpmu_signal lookups,
                                                   enum armpmu_signal refills)
{
    uint64_t row[ARMPMU_SIGNAL_COUNT] = {[ARMPMU_SIGNAL_L1D_ACCESS] = 7};
    struct access_seen seen = {ARMPMU_FROM_RAM, ARMPMU_TLB_WALK};

    access_log_begin(log, NULL, row, &seen);
    assert_int_equal(seen.source, ARMPMU_FROM_L1);
    row[lookups] += 2;
    row[refills]++;
    row[ARMPMU_SIGNAL_DTLB_WRITE_REFILL]++;
    access_comes_from(&seen, ARMPMU_FROM_L2);
    access_comes_from(&seen, ARMPMU_FROM_FILL); /* nearer */
    access_log_end(log, row, &seen,
                   &(struct logged_access){
                       .insn = insn, .isa = isa, .pc = 0x400, .address = 0x8004, .cycles = 12});
    return &log->table.rows[log->table.n - 1];
}

TEST(counts_are_of_the_access)
{
    static const enum armpmu_signal signals[][2] = {
        {ARMPMU_SIGNAL_L1D_ACCESS, ARMPMU_SIGNAL_L1D_REFILL},
        {ARMPMU_SIGNAL_L1D_READ, ARMPMU_SIGNAL_L1D_READ_REFILL},
        {ARMPMU_SIGNAL_L1D_WRITE, ARMPMU_SIGNAL_L1D_WRITE_REFILL},
        {ARMPMU_SIGNAL_L1D_WORD_ACCESS, ARMPMU_SIGNAL_L1D_WORD_MISS}};
    const struct insn load = {.memory = {.load = true, .bytes = 4}};

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct data_access_log log = {.n_signals = ARMPMU_SIGNAL_COUNT};
        const struct armpmu_data_access *const access =
            one_access(&log, &load, ARMPMU_A64, signals[i][0], signals[i][1]);
        assert_int_equal(access->lookups, 2);
        assert_int_equal(access->refills, 1);
        assert_int_equal(access->tlb_refills, 1);
        assert_int_equal(access->source, ARMPMU_FROM_L2);
        assert_int_equal(access->kind, ARMPMU_ACCESS_LOADS);
        assert_int_equal(access->cycles, 12);
        assert_int_equal(access->latency, 4); /* 8 <= 12 < 16 */
        access_table_free(&log.table);
    }
}

TEST(stores_have_no_cycles)
{
    const struct insn store = {.memory = {.store = true, .bytes = 4}, .reads = REG_XSP},
                      old = {.memory = {.store = true, .bytes = 4}, .reads = REG_SP};
    struct data_access_log log = {.n_signals = ARMPMU_SIGNAL_COUNT};

    const struct armpmu_data_access *access =
        one_access(&log, &store, ARMPMU_A64, ARMPMU_SIGNAL_L1D_WRITE, ARMPMU_SIGNAL_L1D_REFILL);
    assert_int_equal(access->kind, ARMPMU_ACCESS_STORES | ARMPMU_ACCESS_ON_STACK);
    assert_int_equal(access->cycles, 0);
    assert_int_equal(access->latency, 0);
    access = one_access(&log, &old, ARMPMU_A32, ARMPMU_SIGNAL_L1D_WRITE, ARMPMU_SIGNAL_L1D_REFILL);
    assert_int_equal(access->kind, ARMPMU_ACCESS_STORES); /* SP is what it stores */
    access_table_free(&log.table);
}

static void allocate(struct data_access_log *log, uint64_t bytes, uint64_t returns_to, uint64_t at)
{
    access_log_allocation(log, ARMPMU_ALLOCATION_BYTES, bytes, 0);
    access_log_allocation(log, ARMPMU_ALLOCATION_RETURNS, returns_to, 0);
    access_log_allocation(log, ARMPMU_ALLOCATION_BLOCK, at, 0);
}

TEST(blocks_have_their_latest_allocation)
{
    const struct insn load = {.memory = {.load = true, .bytes = 4}},
                      by_sp = {.memory = {.load = true, .bytes = 4}, .reads = REG_XSP};
    struct data_access_log log = {.n_signals = ARMPMU_SIGNAL_COUNT};

    allocate(&log, 0x100, 0x500, 0x8000);
    const struct armpmu_data_access *access =
        one_access(&log, &load, ARMPMU_A64, ARMPMU_SIGNAL_L1D_ACCESS, ARMPMU_SIGNAL_L1D_REFILL);
    assert_int_equal(access->allocation, 1);
    assert_int_equal(access->offset, 4);
    assert_int_equal(access->bytes, 4);
    allocate(&log, 24, 0x600, 0x8000); /* the first was freed */
    allocate(&log, 48, 0x600, 0x9000);
    access =
        one_access(&log, &load, ARMPMU_A64, ARMPMU_SIGNAL_L1D_ACCESS, ARMPMU_SIGNAL_L1D_REFILL);
    assert_int_equal(access->allocation, 2);
    access =
        one_access(&log, &by_sp, ARMPMU_A64, ARMPMU_SIGNAL_L1D_ACCESS, ARMPMU_SIGNAL_L1D_REFILL);
    assert_int_equal(access->allocation, 0);
    assert_int_equal(log.n_allocations, 2);
    assert_int_equal(log.allocations[1].returns_to, 0x600);
    assert_int_equal(log.allocations[1].n, 2);
    assert_int_equal(log.allocations[1].bytes, 72);
    assert_int_equal(log.allocations[1].smallest, 24);
    assert_int_equal(log.allocations[1].largest, 48);
    access_log_free(&log);
}

/* Two stores of 8 bytes to one line, at 0x8004 each: one turns out to miss, and then once more, as
 * a store to two lines does. */
TEST(amended_accesses_have_other_sources)
{
    const struct insn store = {.memory = {.store = true, .bytes = 8}};
    const uint64_t row[ARMPMU_SIGNAL_COUNT] = {0};
    struct data_access_log log = {.n_signals = ARMPMU_SIGNAL_COUNT};
    struct access_seen seen;

    access_log_begin(&log, NULL, row, &seen);
    struct armpmu_data_access one = access_log_read(
        &log, row, &seen,
        &(struct logged_access){.insn = &store, .pc = 0x400, .address = 0x8004, .lookups = 1});
    access_log_add(&log, &one);
    access_log_add(&log, &one);
    access_log_amend(&log, &one, ARMPMU_FROM_RAM, 1);
    access_log_amend(&log, &one, ARMPMU_FROM_L2, 1); /* nearer */
    assert_int_equal(log.table.n, 2);
    const struct armpmu_data_access *const near = &log.table.rows[0], *const far = near + 1;
    assert_int_equal(near->source, ARMPMU_FROM_L1);
    assert_int_equal(near->n, 1);
    assert_int_equal(near->lookups, 1);
    assert_int_equal(near->refills, 0);
    assert_int_equal(far->source, ARMPMU_FROM_RAM);
    assert_int_equal(far->n, 1);
    assert_int_equal(far->lookups, 1);
    assert_int_equal(far->refills, 2);
    assert_int_equal(far->low, 0x8004);
    assert_int_equal(far->step, 0);
    access_log_free(&log);
}
