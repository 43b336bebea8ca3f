/* The core with the activity monitors on random programs, against the slow one: the same cycles,
 * memory stalls, misses and walks, to the last. */
#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "armpmu/trace.h"
#include "../../reference/pick.h"
#include "../../reference/neoverse/core.h"

#define N_BLOCKS  40
#define MAX_INSNS 14  /* of a block */
#define N_STEPS   250 /* blocks executed */
#define MAX_TOTAL (N_STEPS * MAX_INSNS)
#define STRIDED   512
#define CODE      UINT64_C(0x400000)

/* ---- random code ---- */

static uint64_t some_register(uint64_t *seed)
{
    return one_in(seed, 4) ? REG_V(pick(seed, 6)) : REG_X(pick(seed, 10));
}

static void make_access(struct insn *insn, uint64_t *seed)
{
    static const uint16_t sizes[] = {1, 2, 4, 8, 8, 8, 16, 16, 32, 64};
    insn->memory.bytes = sizes[pick(seed, sizeof sizes / sizeof sizes[0])];
    insn->reads = REG_X(pick(seed, 10));
    insn->memory.load = insn->klass != CLASS_STORE && insn->klass != CLASS_NEON_STORE;
    insn->memory.store = !insn->memory.load || insn->klass == CLASS_ATOMIC;
    insn->reads_early = insn->reads;
    insn->memory.neon = insn->klass == CLASS_NEON_LOAD || insn->klass == CLASS_NEON_STORE;
    if (insn->memory.load) {
        insn->reads_first = one_in(seed, 3) ? insn->reads : 0;
        insn->writes = some_register(seed);
    } else {
        insn->reads |= some_register(seed);
        insn->reads_late = insn->reads & ~insn->reads_early;
    }
    if (one_in(seed, 4)) {
        insn->writes_back = insn->reads & -insn->reads;
        insn->writes |= insn->writes_back;
    }
    if (one_in(seed, 12)) {
        insn->memory.multiple = true;
        insn->operations = 4;
    }
    insn->memory.align = (uint8_t)(1u << pick(seed, 4));
    insn->acquires = insn->memory.load && one_in(seed, 5);
    insn->releases = insn->memory.store && one_in(seed, 5);
    if (insn->klass == CLASS_STORE && one_in(seed, 6))
        insn->memory.exclusive = true;
    insn->monitors =
        insn->klass == CLASS_LOAD ? one_in(seed, 5) : insn->memory.exclusive && !one_in(seed, 4);
}

/* Of no instruction that there is: whatever the facts are, they count. */
static void make_work(struct insn *insn, uint64_t *seed)
{
    insn->work.unit = (enum work_unit)pick(seed, WORK_CRYPTO + 1);
    insn->barrier = (enum insn_barrier)pick(seed, BARRIER_MONITOR + 1);
    insn->after_loads = one_in(seed, 2);
    insn->after_stores = one_in(seed, 2);
    insn->effect = one_in(seed, 6)   ? EFFECT_TTBR_WRITE
                   : one_in(seed, 6) ? EFFECT_CONTEXTIDR_WRITE
                                     : EFFECT_NONE;
    if (insn->work.unit != WORK_SIMD && insn->work.unit != WORK_FLOAT)
        return;
    insn->work.floats = insn->work.unit == WORK_FLOAT || one_in(seed, 2);
    insn->work.element_bytes = (uint8_t)(1u << pick(seed, 5));
    insn->work.elements = insn->work.floats ? (uint8_t)(1 + pick(seed, 8)) : 0;
    insn->work.steps = (uint8_t)(1 + pick(seed, 2));
}

/* AESMC of what an AESE before it wrote. */
static void make_mix(struct insn *insn, uint64_t writes)
{
    insn->size = 4;
    insn->condition = 14;
    insn->operations = 1;
    insn->klass = CLASS_CRYPTO_AES_MIX;
    insn->reads = insn->writes = writes;
}

static struct decoder *decoder;

/* Any of SVE: a random word of the group that is one. */
static void make_scalable(struct insn *insn, uint64_t *seed)
{
    do {
        const uint32_t word =
            ((pick(seed, 1u << 16) << 16 | pick(seed, 1u << 16)) & 0xe1ffffff) | 0x04000000;
        const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                                  (uint8_t)(word >> 24)};
        decode_single(decoder, ARMPMU_A64, bytes, sizeof bytes, 0, insn);
    } while (insn->effect == EFFECT_UNDEFINED);
}

static void make_insn(struct insn *insn, bool scalable, uint64_t *seed)
{
    static const enum insn_class classes[] = {
        CLASS_ALU,
        CLASS_ALU,
        CLASS_MOVE,
        CLASS_ALU_SHIFT,
        CLASS_MULTIPLY,
        CLASS_MULTIPLY_LONG,
        CLASS_MULTIPLY_HIGH,
        CLASS_DIVIDE,
        CLASS_CRC,
        CLASS_NEON_ALU,
        CLASS_NEON_FLOAT,
        CLASS_FLOAT_MULTIPLY,
        CLASS_NEON_MULTIPLY,
        CLASS_NEON_SHIFT,
        CLASS_NEON_REDUCE_LONG,
        CLASS_NEON_MULTIPLY_LONG,
        CLASS_NEON_TABLE,
        CLASS_NEON_SHIFT_ROUND,
        CLASS_NEON_ADD_DIFFERENCE,
        CLASS_NEON_POLYNOMIAL,
        CLASS_NEON_CONVERT,
        CLASS_VFP_DIVIDE,
        CLASS_CRYPTO,
        CLASS_CRYPTO_AES,
        CLASS_CRYPTO_HASH,
        CLASS_NEON_TO_CORE,
        CLASS_SYSTEM,
        CLASS_CORE_TO_NEON,
        CLASS_CORE_TO_ELEMENT,
        CLASS_CORE_TO_FLOAT,
        CLASS_FLOAT_TO_CORE,
        CLASS_ZERO,
        CLASS_NEON_ZERO,
        CLASS_BARRIER,
        CLASS_LOAD,
        CLASS_LOAD,
        CLASS_LOAD,
        CLASS_LOAD,
        CLASS_NEON_LOAD,
        CLASS_STORE,
        CLASS_STORE,
        CLASS_NEON_STORE,
        CLASS_ATOMIC,
    };
    if (scalable && one_in(seed, 4)) {
        make_scalable(insn, seed);
        return;
    }
    insn->size = 4;
    insn->condition = 14;
    insn->operations = 1;
    insn->klass = classes[pick(seed, sizeof classes / sizeof classes[0])];
    if (insn->klass == CLASS_LOAD || insn->klass == CLASS_NEON_LOAD || insn->klass == CLASS_STORE ||
        insn->klass == CLASS_NEON_STORE || insn->klass == CLASS_ATOMIC) {
        make_access(insn, seed);
        return;
    }
    make_work(insn, seed);
    for (unsigned n = pick(seed, 3); n > 0; n--)
        insn->reads |= some_register(seed);
    insn->writes = some_register(seed);
    if (one_in(seed, 2)) /* accumulates */
        insn->reads_late = insn->writes = insn->reads & -insn->reads;
    insn->accumulates = insn->reads_late != 0;
    if (one_in(seed, 2))
        insn->reads_first = insn->reads & ~insn->reads_late & -(insn->reads & ~insn->reads_late);
    insn->vector.operands = (uint8_t)pick(seed, 3);
    if (one_in(seed, 3)) /* shifts one of them */
        insn->reads_early = insn->reads & ~insn->reads_late & (insn->reads - 1);
    insn->vector.quad =
        insn->klass >= CLASS_NEON_SHIFT && insn->klass < CLASS_ALU_SELECT_ADD && one_in(seed, 2);
    insn->reads_flags = one_in(seed, 8);
    insn->writes_flags = one_in(seed, 5);
    if (insn->klass == CLASS_ZERO || insn->klass == CLASS_NEON_ZERO) {
        insn->reads = insn->reads_early = insn->reads_late = insn->reads_first = 0;
        insn->reads_flags = insn->writes_flags = false;
    }
}

static void make_branch(struct insn *insn, uint64_t target, uint64_t *seed)
{
    insn->size = 4;
    insn->condition = 14;
    insn->operations = 1;
    insn->klass = CLASS_BRANCH;
    insn->branch = BRANCH_IMMEDIATE;
    insn->target = target;
    switch (pick(seed, 6)) {
    case 0:
        insn->condition = 1;
        insn->reads_flags = true;
        break;
    case 1:
        insn->compares_zero = true;
        insn->reads = REG_X(pick(seed, 10));
        break;
    case 2:
        insn->links = true;
        insn->writes = REG_X(30);
        break;
    case 3:
        insn->branch = one_in(seed, 4) ? BRANCH_EXCEPTION_RETURN : BRANCH_RETURN;
        insn->reads = REG_X(30);
        break;
    case 4:
        insn->branch = BRANCH_INDIRECT;
        insn->reads = REG_X(pick(seed, 10));
        break;
    default:
        break;
    }
}

/* code: where the first block is. */
static struct block *make_block(uint32_t number, uint64_t code, bool scalable, uint64_t *seed)
{
    const unsigned n_insns = 1 + pick(seed, MAX_INSNS);
    struct block *block = calloc(1, sizeof *block + MAX_INSNS * sizeof block->insns[0]);
    assert_non_null(block);
    *block = (struct block){.address = code + (uint64_t)number * MAX_INSNS * 4 +
                                       (number % 3 == 0 ? (uint64_t)number * 0x1000 : 0),
                            .n_bytes = n_insns * 4,
                            .n_insns = (uint16_t)n_insns,
                            .isa = ARMPMU_A64,
                            .index = number};
    for (unsigned i = 0; i < n_insns; i++) {
        if (i > 0 && block->insns[i - 1].klass == CLASS_CRYPTO_AES && !one_in(seed, 3))
            make_mix(&block->insns[i], block->insns[i - 1].writes);
        else
            make_insn(&block->insns[i], scalable, seed);
        block->insns[i].offset = (uint16_t)(4 * i);
    }
    if (!one_in(seed, 5)) {
        struct insn *last = &block->insns[n_insns - 1];
        *last = (struct insn){.offset = last->offset};
        make_branch(last, code, seed);
    }
    return block;
}

/* ---- running both ---- */

struct run {
    const struct armpmu_machine *machine;
    bool system; /* that changes pages and has devices */
    struct neoverse *amu;
    struct tage tage; /* says the same as that of the core */
    struct block *blocks[N_BLOCKS];
    void *defined[N_BLOCKS];
    struct slow_insn insns[MAX_TOTAL];
    unsigned n_insns, n_flushes;
    bool begins_pair;        /* the latest branch */
    uint64_t steps[STRIDED]; /* of accesses with a stride, by instruction */
};

/* Some near, some far; of every third instruction in step, by a line or three. */
static uint64_t some_address(struct run *run, uint64_t pc, uint64_t *seed)
{
    const uint64_t instruction = pc / 4 % STRIDED;
    if (instruction % 3 == 0)
        return UINT64_C(0x6600000000) + instruction * 0x100000 +
               run->steps[instruction]++ * (instruction % 2 == 0 ? 64 : 192);
    switch (pick(seed, 6)) {
    case 5:
        return pick(seed, 32);
    case 4:
        return UINT64_C(0xffff800000000000) + pick(seed, 1 << 12);
    case 0:
        return UINT64_C(0x7ffff000) + pick(seed, 256);
    case 1:
        return UINT64_C(0x7fffef80) + pick(seed, 32) * 8;
    case 2:
        return UINT64_C(0x5500000000) + pick(seed, 1 << 16);
    default:
        return UINT64_C(0x10000) + pick(seed, 1 << 12);
    }
}

/* How long the predictor takes for a taken branch that it predicts right, which goes to `next`. */
static unsigned predictor_cycles(const struct run *run, const struct block *block,
                                 const struct tage_branch *branch, bool ends_pair)
{
    const struct armpmu_machine *const m = run->machine;

    if (ends_pair && branch->direct && !branch->conditional &&
        branch->address + 4 <= block->address + 32)
        return 0;
    switch (run->tage.level) {
    case TAGE_NEAR:
        return 1;
    case TAGE_MIDDLE:
        return 1 + m->branch_middle_cycles;
    default:
        return 1 + (tage_is_alone(&run->tage, branch->address) ? m->branch_alone_cycles
                                                               : m->branch_far_cycles);
    }
}

static enum slow_flow flow_of(struct run *run, const struct block *block, bool taken, uint64_t next)
{
    const struct insn *insn = &block->insns[block->n_insns - 1];
    const bool ends_pair = run->begins_pair && run->machine->branch_pairs == YESNO_YES;
    run->begins_pair = false;
    if (insn->branch == BRANCH_NONE)
        return insn->barrier == BARRIER_INSTRUCTION ? SLOW_SYNCHRONIZE : SLOW_ON;
    if (insn->branch == BRANCH_EXCEPTION_RETURN)
        return SLOW_EXCEPTION_RETURN;
    const bool conditional = insn->compares_zero || insn->condition != 14;
    const struct tage_branch branch = {block->address + insn->offset,
                                       next,
                                       conditional,
                                       taken || !conditional,
                                       insn->branch == BRANCH_IMMEDIATE,
                                       insn->branch == BRANCH_RETURN,
                                       insn->links};
    struct tage_memo memo = tage_memo_of(&run->tage, branch.address);
    const enum tage_result result = tage_see(&run->tage, &branch, &memo);
    if (run->machine->branch_perfect == YESNO_YES)
        return branch.taken ? SLOW_TAKEN : SLOW_ON;
    switch (result) {
    case TAGE_LATE:
        return SLOW_LATE;
    case TAGE_WRONG:
        run->n_flushes++;
        return SLOW_FLUSH;
    case TAGE_RIGHT:
        break;
    }
    if (!branch.taken)
        return SLOW_ON;
    run->insns[run->n_insns - 1].predictor_cycles =
        predictor_cycles(run, block, &branch, ends_pair);
    run->begins_pair = run->insns[run->n_insns - 1].predictor_cycles != 0;
    return SLOW_TAKEN;
}

/* Of pages that the program has, and of others that lie in their places or have their low bits. */
static struct slow_change some_change(struct run *run, uint64_t *seed)
{
    static const uint64_t pages[] = {
        0x10, 0x400, 0x401, 0x7ffff, 0x5500000, 0x5500004, UINT64_C(0xffff800000000)};
    struct slow_change change = {
        .kind = (enum slow_change_kind)(SLOW_PLACE + pick(seed, SLOW_PRELOAD)),
        .page = pages[pick(seed, sizeof pages / sizeof pages[0])],
        .frame = (1 + pick(seed, 4)) * 0x10000 + pick(seed, 4), /* no page lies there unplaced */
        .on = !one_in(seed, 3),
    };
    change.address = change.kind == SLOW_FORGET_CODE ? CODE + pick(seed, 1 << 12)
                                                     : some_address(run, 4 * pick(seed, 60), seed);
    if (one_in(seed, 8))
        change.page ^= UINT64_C(1) << pick(seed, 40);
    return change;
}

static unsigned maintenance_of(enum slow_change_kind kind)
{
    const unsigned clean = ARMPMU_CACHE_CLEAN | ARMPMU_CACHE_DATA | ARMPMU_CACHE_ADDRESS;
    switch (kind) {
    case SLOW_CLEAN:
        return clean;
    case SLOW_CLEAN_OUT:
        return clean | ARMPMU_CACHE_COHERENCY;
    case SLOW_CLEAN_AND_FORGET:
        return clean | ARMPMU_CACHE_COHERENCY | ARMPMU_CACHE_INVALIDATE;
    case SLOW_FORGET:
        return ARMPMU_CACHE_INVALIDATE | ARMPMU_CACHE_DATA | ARMPMU_CACHE_ADDRESS |
               ARMPMU_CACHE_COHERENCY;
    default:
        return ARMPMU_CACHE_INVALIDATE | ARMPMU_CACHE_INSTRUCTION | ARMPMU_CACHE_ADDRESS;
    }
}

static void change_pages(struct neoverse *amu, const struct slow_change *change)
{
    switch (change->kind) {
    case SLOW_NOTHING:
        break;
    case SLOW_PLACE:
        assert_int_equal(neoverse_ops.map_page(amu, change->page, change->frame), ARMPMU_OK);
        break;
    case SLOW_FLUSH_ALL:
        neoverse_ops.flush_tlbs(amu);
        break;
    case SLOW_FLUSH_PAGE:
        neoverse_ops.flush_page(amu, change->page);
        break;
    case SLOW_TRANSLATE:
        neoverse_ops.set_mmu(amu, change->on);
        break;
    case SLOW_MAP:
        neoverse_ops.system(amu, ARMPMU_SYSTEM_MAPPED, change->on ? 0 : ARMPMU_MAPPED_NO_MORE,
                            change->address >> ARMPMU_MAPPED_SHIFT << ARMPMU_MAPPED_SHIFT);
        break;
    case SLOW_PRELOAD:
        neoverse_ops.system(amu, ARMPMU_SYSTEM_PRELOAD, change->on ? ARMPMU_PRELOAD_OUTER : 0,
                            change->address);
        break;
    default:
        neoverse_ops.system(amu, ARMPMU_SYSTEM_CACHE, maintenance_of(change->kind),
                            change->address);
        break;
    }
}

/* The first instructions of a block, for both. */
static struct retired_block execute(struct run *run, uint32_t number, uint32_t n_insns,
                                    struct retired_access *accesses, uint64_t *seed)
{
    const struct block *block = run->blocks[number];
    struct retired_block walked = {
        .block = block, .data = run->defined[number], .n_executed = n_insns, .accesses = accesses};
    for (uint16_t i = 0; i < n_insns; i++) {
        struct slow_insn *insn = &run->insns[run->n_insns++];
        insn->pc = block->address + block->insns[i].offset;
        insn->insn = &block->insns[i];
        neoverse_op_make(&insn->op, &block->insns[i], i > 0 ? &block->insns[i - 1] : NULL,
                         run->machine);
        /* A store-exclusive may fail. */
        if (insn->op.bytes == 0 || (block->insns[i].memory.exclusive && one_in(seed, 2)))
            continue;
        insn->accesses = true;
        insn->device = run->system && one_in(seed, 20);
        insn->address = some_address(run, insn->pc, seed);
        accesses[walked.n_accesses++] = (struct retired_access){insn->address, i, insn->device};
    }
    neoverse_ops.retire_block(run->amu, &walked);
    return walked;
}

static void run_block(struct run *run, uint32_t number, uint32_t next, uint64_t *seed)
{
    struct block *block = run->blocks[number];
    const struct insn *last = &block->insns[block->n_insns - 1];
    const bool interrupted = one_in(seed, 10);
    struct retired_access accesses[MAX_INSNS];
    if (one_in(seed, 6)) {
        run->insns[run->n_insns].before = some_change(run, seed);
        if (!run->system)
            run->insns[run->n_insns].before.kind = one_in(seed, 2) ? SLOW_MAP : SLOW_PRELOAD;
        change_pages(run->amu, &run->insns[run->n_insns].before);
    }
    const uint32_t n = interrupted ? 1 + pick(seed, block->n_insns) : block->n_insns;
    const struct retired_block walked = execute(run, number, n, accesses, seed);
    if (n < block->n_insns && one_in(seed, 2)) { /* the engine goes on with another block */
        neoverse_ops.block_exit(run->amu, &walked, EXIT_SEQUENTIAL, run->blocks[next]->address);
        return;
    }
    if (interrupted) {
        run->insns[run->n_insns - 1].flow = SLOW_EXCEPTION;
        run->begins_pair = false;
        neoverse_ops.block_exit(run->amu, &walked, EXIT_EXCEPTION, 0);
        run->insns[run->n_insns - 1].interrupted = true;
        run->insns[run->n_insns - 1].irq = one_in(seed, 2);
        if (run->insns[run->n_insns - 1].irq)
            neoverse_ops.system(run->amu, ARMPMU_SYSTEM_EXCEPTION, ARMPMU_EXCEPTION_IRQ, 0);
        neoverse_ops.exception(run->amu);
        neoverse_ops.exception_return(run->amu);
        return;
    }
    const bool conditional = last->compares_zero || last->condition != 14;
    const bool taken = last->branch != BRANCH_NONE && (!conditional || next % 2 == 0);
    const uint64_t to = run->blocks[next]->address;
    run->insns[run->n_insns - 1].went = taken;
    run->insns[run->n_insns - 1].flow = flow_of(run, block, taken, to);
    neoverse_ops.block_exit(run->amu, &walked, taken ? EXIT_BRANCH : EXIT_SEQUENTIAL, to);
}

static void check_sides(const uint64_t *tally, const struct slow_counts *slow)
{
    assert_int_equal(tally[ARMPMU_SIGNAL_ITLB_REFILL], slow->tlb_refills[0]);
    assert_int_equal(tally[ARMPMU_SIGNAL_DTLB_READ_REFILL], slow->tlb_refills[1]);
    assert_int_equal(tally[ARMPMU_SIGNAL_DTLB_WRITE_REFILL], slow->tlb_refills[2]);
    assert_int_equal(tally[ARMPMU_SIGNAL_ITLB_WALK], slow->walks[0]);
    assert_int_equal(tally[ARMPMU_SIGNAL_DTLB_READ_WALK], slow->walks[1]);
    assert_int_equal(tally[ARMPMU_SIGNAL_DTLB_WRITE_WALK], slow->walks[2]);
    assert_int_equal(tally[ARMPMU_SIGNAL_DTLB_WALK], slow->walks[1] + slow->walks[2]);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_READ], slow->l1d_accesses[1]);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_WRITE], slow->store_accesses);
    assert_int_equal(tally[ARMPMU_SIGNAL_STORE_LINE], slow->l1d_accesses[2]);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_ACCESS], slow->l1d_accesses[1] + slow->store_accesses);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_READ_REFILL], slow->l1d_refills[1]);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_WRITE_REFILL], slow->l1d_refills[2]);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_REFILL], slow->l1d_refills[1] + slow->l1d_refills[2]);
    assert_int_equal(tally[ARMPMU_SIGNAL_LOAD_SPLIT], slow->splits[1]);
    assert_int_equal(tally[ARMPMU_SIGNAL_STORE_SPLIT], slow->splits[2]);
    assert_int_equal(tally[ARMPMU_SIGNAL_DEVICE_READ], slow->devices[1]);
    assert_int_equal(tally[ARMPMU_SIGNAL_DEVICE_WRITE], slow->devices[2]);
}

static void check_memory(const struct armpmu_machine *machine, const uint64_t *tally,
                         const struct slow_counts *slow)
{
    const bool shared = machine->llc_size_kb != 0;
    check_sides(tally, slow);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_REFILL_INNER], slow->inner_refills);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_REFILL_OUTER], slow->outer_refills);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_CLEANED], slow->l1d_cleaned);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_INVALIDATED], slow->l1d_lost);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1D_WRITE_BACK], slow->l1d_write_backs);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_CLEANED], slow->l2_cleaned);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_INVALIDATED], slow->l2_lost);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_WRITE_BACK], slow->l2_write_backs);
    assert_int_equal(tally[ARMPMU_SIGNAL_L3_READ], slow->l3_reads);
    assert_int_equal(tally[ARMPMU_SIGNAL_L3_WRITE], slow->l3_writes);
    assert_int_equal(tally[ARMPMU_SIGNAL_L3_MISS], slow->l3_misses);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_ALLOCATED], slow->l2_allocated);
    assert_int_equal(tally[ARMPMU_SIGNAL_L3_PASS], slow->l3_passed);
    assert_int_equal(tally[ARMPMU_SIGNAL_LLC_READ], shared ? slow->l3_reads : slow->l2_accesses);
    assert_int_equal(tally[ARMPMU_SIGNAL_LLC_MISS], shared ? slow->l3_misses : slow->l2_misses);
    assert_int_equal(tally[ARMPMU_SIGNAL_BUS_READ_BEAT], slow->beats_read);
    assert_int_equal(tally[ARMPMU_SIGNAL_BUS_WRITE_BEAT], slow->beats_written);
}

static void check_stalls(const uint64_t *tally, const struct slow_counts *slow)
{
    assert_int_equal(tally[ARMPMU_SIGNAL_STALL_FRONTEND], slow->front_cycles);
    assert_int_equal(tally[ARMPMU_SIGNAL_STALL_BACKEND], slow->back_cycles);
    assert_int_equal(tally[ARMPMU_SIGNAL_WRONG_OPERATION], slow->wrong_operations);
    assert_int_equal(tally[ARMPMU_SIGNAL_WRONG_PATH], slow->wrong_cycles);
    assert_int_equal(tally[ARMPMU_SIGNAL_INTERLOCK_OTHER], slow->waits_for[CAUSE_OTHER]);
    assert_int_equal(tally[ARMPMU_SIGNAL_INTERLOCK_ADDRESS], slow->waits_for[CAUSE_ADDRESS]);
    assert_int_equal(tally[ARMPMU_SIGNAL_INTERLOCK_VECTOR], slow->waits_for[CAUSE_VECTOR]);
    assert_int_equal(tally[ARMPMU_SIGNAL_STORE_BUFFER_WAIT], slow->store_waits);
    assert_int_equal(tally[ARMPMU_SIGNAL_SLOT_STALL_FRONTEND], slow->front_slots);
    assert_int_equal(tally[ARMPMU_SIGNAL_SLOT_STALL_BACKEND], slow->back_slots);
}

static void check_counts(const struct run *run)
{
    static const enum armpmu_signal gears[AMUV1_GEARS] = {
        ARMPMU_SIGNAL_MPMM_GEAR0, ARMPMU_SIGNAL_MPMM_GEAR1, ARMPMU_SIGNAL_MPMM_GEAR2};
    const struct slow_counts slow = slow_run(run->machine, run->insns, run->n_insns);
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    neoverse_signals(run->amu, tally);
    assert_int_equal(tally[ARMPMU_SIGNAL_INST_RETIRED], run->n_insns);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1I_ACCESS], slow.l1i_accesses);
    assert_int_equal(tally[ARMPMU_SIGNAL_L1I_REFILL], slow.l1i_refills);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_ACCESS], slow.l2_accesses);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_MISS], slow.l2_misses);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_READ], slow.l2_accesses - slow.l2_writes);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_WRITE], slow.l2_writes);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_READ_MISS], slow.l2_misses - slow.l2_write_misses);
    assert_int_equal(tally[ARMPMU_SIGNAL_L2_WRITE_MISS], slow.l2_write_misses);
    check_memory(run->machine, tally, &slow);
    check_stalls(tally, &slow);
    if (run->machine->dispatch_in_order == YESNO_YES) {
        assert_int_equal(tally[ARMPMU_SIGNAL_STALL_BACKEND_LOAD], slow.waits_for[CAUSE_LOAD]);
        assert_int_equal(tally[ARMPMU_SIGNAL_STALL_BACKEND_ST], slow.waits_for[CAUSE_STORE]);
        assert_int_equal(tally[ARMPMU_SIGNAL_STALL_BACKEND_WINDOW], 0);
    }
    assert_int_equal(tally[ARMPMU_SIGNAL_CPU_CYCLES], slow.cycles);
    assert_int_equal(tally[ARMPMU_SIGNAL_MEMORY_STALL], slow.memory_stall);
    assert_int_equal(tally[ARMPMU_SIGNAL_BRANCH_FLUSH], run->n_flushes);
    unsigned n_events = 0;
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++) {
        const uint64_t want = slow_events(run->insns, run->n_insns, (enum armpmu_signal)i);
        n_events += want != SLOW_UNKNOWN;
        if (want != SLOW_UNKNOWN && tally[i] != want)
            fail_msg("%s is %llu, should be %llu", armpmu_signal_name((enum armpmu_signal)i),
                     (unsigned long long)tally[i], (unsigned long long)want);
    }
    assert_int_equal(n_events, 40);
    for (unsigned gear = 0; gear < AMUV1_GEARS; gear++)
        assert_int_equal(tally[gears[gear]], slow.gears[gear]);
}

static void compare(const struct armpmu_machine *machine, bool system, uint64_t seed)
{
    struct run *run = calloc(1, sizeof *run);
    const uint64_t code = one_in(&seed, 3) ? 0 : CODE;
    uint32_t at = 0;
    struct armpmu_error err = {""};
    assert_non_null(run);
    run->machine = machine;
    run->system = system;
    struct core *core;
    if (core_new(&core_model_neoverse, machine, NULL, &core, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    run->amu = (struct neoverse *)core;
    assert_int_equal(tage_init(&run->tage, machine, NULL), ARMPMU_OK);
    for (uint32_t i = 0; i < N_BLOCKS; i++) {
        run->blocks[i] = make_block(i, code, machine->dispatch_in_order != YESNO_YES, &seed);
        run->defined[i] = neoverse_ops.new_block(run->amu, run->blocks[i]);
        assert_non_null(run->defined[i]);
    }
    for (unsigned n = 0; n < N_STEPS; n++) {
        /* Mostly around, so that there is something to predict. */
        const uint32_t next = one_in(&seed, 3) ? pick(&seed, N_BLOCKS) : (at + 1) % 9;
        run_block(run, at, next, &seed);
        at = next;
    }
    check_counts(run);
    for (uint32_t i = 0; i < N_BLOCKS; i++) {
        neoverse_ops.free_block(run->amu, run->defined[i]);
        free(run->blocks[i]);
    }
    tage_free(&run->tage);
    core_free(&core_model_neoverse, &run->amu->core);
    free(run);
}

/* ---- machines ---- */

static uint32_t power(uint64_t *seed, unsigned low, unsigned high)
{
    return UINT32_C(1) << (low + pick(seed, high - low + 1));
}

/* A size that is a power of two, or three times one: as many sets then. */
static uint32_t some_size(uint64_t *seed, unsigned low, unsigned high)
{
    return power(seed, low, high) * (one_in(seed, 3) ? 3 : 1);
}

static struct armpmu_machine random_machine(uint64_t *seed)
{
    const uint32_t line = power(seed, 5, 6), load = 2 + pick(seed, 4);
    return (struct armpmu_machine){
        .core = armpmu_core_find("amuv1"),
        .clock_mhz = 1000,
        .clock_counter_khz = 25000,
        .l1i_size_kb = some_size(seed, 0, 1),
        .l1i_ways = power(seed, 0, 2),
        .l1i_line_bytes = line,
        .l1i_replacement = REPLACEMENT_LRU,
        .l1d_size_kb = one_in(seed, 4) ? 32 : some_size(seed, 0, 1),
        .l1d_ways = power(seed, 0, 2),
        .l1d_line_bytes = line,
        .l1d_index = one_in(seed, 2) ? INDEX_PHYSICAL : INDEX_VIRTUAL,
        .l1d_replacement = REPLACEMENT_LRU,
        .l1d_fill_cycles = one_in(seed, 2) ? 0 : pick(seed, 20),
        .l2_size_kb = some_size(seed, 1, 4),
        .l2_ways = power(seed, 0, 3),
        .l2_line_bytes = line,
        .l2_replacement = REPLACEMENT_LRU,
        .l2_hit_cycles = 5 + pick(seed, 12),
        .l2_holds = one_in(seed, 2) ? HOLDS_MISSED : HOLDS_VICTIMS,
        .write_stream_l2_lines = pick(seed, 3),
        .write_stream_llc_lines = pick(seed, 4),
        .write_stream_memory_lines = pick(seed, 5),
        .l2_line_cycles = one_in(seed, 2) ? 0 : 1 + pick(seed, 8),
        .l2_fill_buffers = 1 + pick(seed, 12),
        .llc_size_kb = one_in(seed, 3) ? 0 : some_size(seed, 0, 6),
        .llc_ways = 4,
        .llc_replacement = REPLACEMENT_LRU,
        .llc_hit_cycles = 10 + pick(seed, 50),
        .llc_holds = one_in(seed, 2) ? HOLDS_MISSED : HOLDS_VICTIMS,
        .itlb_entries = 1 + pick(seed, 4),
        .itlb_replacement = REPLACEMENT_LRU,
        .dtlb_entries = 1 + pick(seed, 6),
        .dtlb_replacement = REPLACEMENT_LRU,
        .l2tlb_entries = 10,
        .l2tlb_ways = 5,
        .l2tlb_replacement = REPLACEMENT_LRU,
        .l2tlb_cycles = 1 + pick(seed, 5),
        .walk_levels = 1 + pick(seed, 4),
        .bus_width_bits = power(seed, 5, 8),
        .walk_cache_entries = one_in(seed, 3) ? 0 : 1 + pick(seed, 8),
        .walk_cycles = 1 + pick(seed, 30),
        .memory_latency_cycles = 50 + pick(seed, 200),
        .memory_line_cycles = one_in(seed, 3) ? 0 : pick(seed, 90),
        .memory_page_map = one_in(seed, 2) ? PAGE_MAP_IDENTITY : PAGE_MAP_SCATTERED,
        .memory_page_kb = power(seed, 2, 6),
        .memory_page_run = power(seed, 0, 4),
        .branch_btb_entries = 16,
        .branch_btb_ways = 2,
        .branch_return_stack = 4,
        .branch_mispredict_cycles = 1 + pick(seed, 15),
        .branch_wrong_path_cycles = one_in(seed, 3) ? 0 : pick(seed, 18),
        .branch_recovery_cycles = pick(seed, 5),
        .branch_base_counters = 64,
        .branch_table_entries = 64,
        .branch_history_branches = 8 + pick(seed, 20),
        .branch_indirect_entries = 16,
        .branch_late_cycles = pick(seed, 6),
        .branch_near_entries = 4 + pick(seed, 16),
        .branch_middle_entries = one_in(seed, 2) ? 0 : 10 + pick(seed, 16),
        .branch_middle_cycles = pick(seed, 3),
        .branch_far_cycles = pick(seed, 4),
        .branch_alone_cycles = pick(seed, 4),
        .branch_pairs = one_in(seed, 2) ? YESNO_YES : YESNO_NO,
        .branch_perfect = one_in(seed, 8) ? YESNO_YES : YESNO_NO,
        .branch_ahead_cycles = pick(seed, 12),
        .branch_directs_fetch = one_in(seed, 4) ? YESNO_NO : YESNO_YES,
        .dispatch_width = 1 + pick(seed, 16),
        .dispatch_queue = 1 + pick(seed, 40),
        .window_entries = 8 + pick(seed, 250),
        .window_loads = 1 + pick(seed, 60),
        .window_stores = 1 + pick(seed, 40),
        .store_buffer_drain_cycles = 1 + pick(seed, 3),
        .store_buffer_merge_bytes = one_in(seed, 3) ? 0 : power(seed, 3, 6),
        .store_buffer_rewrite_cycles = pick(seed, 60),
        .store_buffer_page_cycles = pick(seed, 12),
        .store_buffer_unforwarded_cycles = one_in(seed, 3) ? 0 : 1 + pick(seed, 6),
        .window_misses = 1 + pick(seed, 12),
        .units_integer = 1 + pick(seed, 4),
        .units_multicycle = 1 + pick(seed, 2),
        .units_branch = 1 + pick(seed, 2),
        .units_load = 1 + pick(seed, 3),
        .units_load_row_bytes = one_in(seed, 3) ? 0 : power(seed, 3, 4),
        .latency_unaligned_quad = one_in(seed, 3) ? 0 : 1 + pick(seed, 8),
        .units_store = 1 + pick(seed, 2),
        .units_store_takes_load = one_in(seed, 2) ? YESNO_YES : YESNO_NO,
        .units_store_takes_vector = one_in(seed, 2) ? YESNO_YES : YESNO_NO,
        .units_vector = 1 + pick(seed, 4),
        .latency_alu = 1,
        .latency_shift = 2,
        .latency_multiply = 2,
        .latency_multiply_long = 3 + pick(seed, 2),
        .latency_multiply_high = 5,
        .latency_multiply_long_interval = pick(seed, 4),
        .latency_multiply_high_interval = pick(seed, 5),
        .latency_accumulate = 1 + pick(seed, 2),
        .latency_ordered_atomic = load + pick(seed, 9),
        .latency_load_pair_interval = pick(seed, 3),
        .latency_float_multiply = 3,
        .latency_float_multiply_add = 4,
        .latency_float_accumulate = 1 + pick(seed, 4),
        .latency_divide = 12,
        .latency_divide_interval = 5,
        .latency_crc = 2,
        .latency_load = load,
        .latency_vector_load = load + pick(seed, 4),
        .latency_atomic = load + pick(seed, 4),
        .latency_system = 1,
        .latency_vector = 2,
        .latency_vector_shift_complex = 4,
        .latency_vector_shift_round = 3,
        .latency_vector_complex = 2,
        .latency_vector_logic = 2,
        .latency_float_select = 2,
        .latency_float_sign = 2,
        .latency_float_pairs = 3,
        .units_vector_bytes = power(seed, 3, 4),
        .units_multiply_bytes = power(seed, 3, 4),
        .units_load_bytes = power(seed, 3, 5),
        .units_store_bytes = power(seed, 3, 5),
        .units_multicycle_apart = one_in(seed, 2) ? YESNO_YES : YESNO_NO,
        .units_select_adds = one_in(seed, 2) ? YESNO_YES : YESNO_NO,
        .units_flags = pick(seed, 4),
        .dispatch_ends_zeros = one_in(seed, 2) ? YESNO_YES : YESNO_NO,
        .dispatch_vector_bytes = one_in(seed, 2) ? 0 : power(seed, 3, 4),
        .latency_vector_reduce = 2,
        .latency_vector_reduce_long = 4,
        .latency_vector_reduce_bytes = 5,
        .latency_vector_multiply = 4,
        .latency_vector_multiply_long = 3,
        .latency_vector_dot = 3,
        .latency_float = 3,
        .latency_float_convert = 3,
        .latency_float_compare = 2,
        .latency_float_divide = 10,
        .latency_float_divide_interval = 7,
        .latency_float_divide_double = 15,
        .latency_float_divide_double_interval = 9,
        .latency_crypto = 2,
        .latency_aes = 1 + pick(seed, 3),
        .latency_hash = 4,
        .latency_hash_schedule = 2,
        .latency_polynomial = 2,
        .latency_polynomial_bytes = 3,
        .pipes_shift = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_multiply = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_multiply_long = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_table = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_convert = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_compare = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_difference = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_select = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_to_core = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_divide = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_aes = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_hash = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .pipes_polynomial = (enum machine_pipes)pick(seed, PIPES_V13 + 1),
        .latency_to_vector = 3,
        .latency_from_vector = 2,
        .latency_core_to_element = 3,
        .latency_core_to_float = 3,
        .latency_float_to_core = 4,
        .prefetch_lines = one_in(seed, 2) ? 0 : 1 + pick(seed, 4),
        .prefetch_wide_lines = pick(seed, 4),
        .prefetch_l1_lines = pick(seed, 4),
        .prefetch_store_lines = one_in(seed, 2) ? 0 : 1 + pick(seed, 4),
        .prefetch_entries = power(seed, 0, 6),
        .prefetch_degree = 1 + pick(seed, 3),
        .prefetch_pages = (enum machine_yesno)pick(seed, 2),
        .prefetch_downwards = one_in(seed, 3) ? YESNO_NO : YESNO_YES,
        .prefetch_on_arrival = one_in(seed, 2) ? YESNO_NO : YESNO_YES,
        .prefetch_refills = one_in(seed, 3) ? YESNO_YES : YESNO_NO,
        .mpmm_period_cycles = 1 + pick(seed, 300),
        .mpmm_gear0_threshold = pick(seed, 8),
        .mpmm_gear1_threshold = pick(seed, 30),
        .mpmm_gear2_threshold = pick(seed, 60),
        .barrier_instruction_cycles = pick(seed, 20),
        .exception_entry_cycles = 1 + pick(seed, 20),
        .exception_return_cycles = 1 + pick(seed, 20),
        .random_seed = 1,
    };
}

/* The same machine with an in-order core. */
static struct armpmu_machine in_order(struct armpmu_machine m, uint64_t *seed)
{
    m.core = armpmu_core_find("cortex-a53");
    m.dispatch_in_order = YESNO_YES;
    m.branch_history_bits = 1 + pick(seed, 8);
    m.dispatch_width = 1 + pick(seed, 4);
    m.window_entries = 8 + pick(seed, 30);
    m.units_vector = 2 + pick(seed, 3);
    m.units_store_takes_vector = YESNO_NO;
    m.latency_unaligned_quad = 0;
    m.store_buffer_unforwarded_cycles = 0;
    m.units_load_bytes = power(seed, 2, 5);
    m.units_store_bytes = power(seed, 2, 5);
    m.units_multiply_alone = m.units_store_takes_load;
    m.latency_early = pick(seed, 3);
    m.latency_address = pick(seed, 4);
    m.latency_load_address = pick(seed, 3);
    m.latency_late = pick(seed, 3);
    m.pipes_shift = m.pipes_multiply = m.pipes_multiply_long = m.pipes_table = PIPES_ANY;
    m.pipes_convert = m.pipes_compare = m.pipes_divide = m.pipes_aes = PIPES_ANY;
    m.pipes_hash = m.pipes_polynomial = m.pipes_difference = m.pipes_select = PIPES_ANY;
    m.pipes_to_core = PIPES_ANY;
    m.units_vector_bytes = m.units_multiply_bytes = 0;
    m.dispatch_vector_bytes = 0;
    m.units_multicycle_apart = m.units_select_adds = m.dispatch_ends_zeros = YESNO_NO;
    m.units_flags = 0;
    m.latency_add_difference_interval = pick(seed, 4);
    return m;
}

TEST(agrees_in_order)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t draws = seed * 1511;
        struct armpmu_machine random = random_machine(&draws);
        random.memory_huge_pages = random.memory_page_kb == 4 && seed % 3 != 0;
        struct armpmu_machine machine = in_order(random, &draws);
        machine.llc_line_cycles = one_in(&draws, 2) ? 0 : pick(&draws, 30);
        machine.memory_turnaround_cycles = one_in(&draws, 2) ? 0 : pick(&draws, 60);
        compare(&machine, seed % 2 == 0, seed);
    }
}

TEST(agrees_with_the_slow_one_to_the_cycle)
{
    for (uint64_t seed = 1; seed <= 80; seed++) {
        uint64_t draws = seed * 977;
        struct armpmu_machine machine = random_machine(&draws);
        machine.memory_huge_pages = machine.memory_page_kb == 4 && seed % 3 != 0;
        machine.l1d_banks = one_in(&draws, 2) ? 0 : power(&draws, 0, 2);
        machine.l1d_bank_bytes = power(&draws, 3, 6);
        machine.llc_line_cycles = one_in(&draws, 2) ? 0 : pick(&draws, 30);
        machine.memory_turnaround_cycles = one_in(&draws, 2) ? 0 : pick(&draws, 60);
        compare(&machine, seed % 2 == 0, seed);
    }
}

static int make_decoder(void **state)
{
    (void)state;
    return decoder_new(&decoder, NULL) == ARMPMU_OK ? 0 : -1;
}

static int free_decoder(void **state)
{
    (void)state;
    decoder_free(decoder);
    return 0;
}

TESTS_WITH(make_decoder, free_decoder)
