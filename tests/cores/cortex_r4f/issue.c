/* The issue schedule of the Cortex-R4F: rows of the timing tables by hand, and random code against
 * a reference that moves one clock cycle at a time and sees the next instruction coming. */
#include "cores/cortex_r4f/issue.h"

#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "../../reference/pick.h"
#include "../../reference/cortex_r4f/issue.h"
#include "random_machine.h"

enum { RUN_MAX = 64 };

static struct armpmu_machine *machine;

static int load_machine(void **state)
{
    struct armpmu_error err = {""};
    (void)state;
    return armpmu_machine_load("cortex-r4f", SOURCE_ROOT "/machines", &machine, &err) != ARMPMU_OK;
}

static int free_machine(void **state)
{
    (void)state;
    armpmu_machine_free(machine);
    return 0;
}

/* ---- random code ---- */

/* Mostly one of a few, so that instructions need each other. */
static uint64_t some_register(uint64_t *state)
{
    return REG_R(one_in(state, 8) ? pick(state, 15) : pick(state, 6));
}

static uint64_t some_double(uint64_t *state)
{
    return REG_D(one_in(state, 8) ? pick(state, 16) : pick(state, 4));
}

/* A load or store of one register, perhaps with write-back. */
static void random_single(struct insn *insn, uint64_t *state)
{
    const uint64_t data = some_register(state), base = some_register(state);
    insn->memory = (struct insn_memory){.bytes = 4, .align = 4};
    insn->reads = insn->reads_early = base;
    if (insn->klass == CLASS_STORE) {
        insn->memory.store = true;
        insn->reads |= data;
        insn->reads_late = data & ~base;
    } else {
        insn->memory.load = true;
        insn->writes = data;
    }
    if (one_in(state, 3)) {
        insn->writes |= base;
        insn->writes_back = base & ~(insn->memory.load ? data : 0);
    }
}

/* LDM, STM, LDRD and their VFP kin: registers from the lowest on. */
static void random_list(struct insn *insn, uint64_t *state)
{
    const unsigned n = 1 + pick(state, 8);
    const bool vfp = one_in(state, 3), load = one_in(state, 2);
    const uint64_t registers = ((UINT64_C(1) << n) - 1) << (vfp ? 32 + pick(state, 9) : 0);
    const uint64_t base = some_register(state);
    insn->klass = vfp    ? (load ? CLASS_NEON_LOAD : CLASS_NEON_STORE)
                  : load ? CLASS_LOAD_MULTIPLE
                         : CLASS_STORE_MULTIPLE;
    insn->memory = (struct insn_memory){.load = load,
                                        .store = !load,
                                        .neon = vfp,
                                        .multiple = n == 1 || one_in(state, 2),
                                        .bytes = (uint16_t)(n * (vfp ? 8 : 4)),
                                        .align = 4};
    insn->operations = (uint8_t)n;
    insn->reads_early = base;
    insn->reads = base | (load ? 0 : registers);
    insn->reads_late = load ? 0 : registers & ~base;
    insn->writes = load ? registers : 0;
    if (one_in(state, 3)) {
        insn->writes |= base;
        insn->writes_back = base & ~(load ? registers : 0);
    }
}

static void random_vfp(struct insn *insn, uint64_t *state)
{
    const uint64_t d = some_double(state), e = some_double(state);
    insn->doubles = one_in(state, 3);
    insn->converts = one_in(state, 4);
    insn->reads = d | e;
    insn->writes = one_in(state, 8) ? REG_FPSCR : e;
    if (insn->klass == CLASS_VFP && one_in(state, 3)) /* accumulates */
        insn->reads_late = e & ~d;
}

static void random_transfer(struct insn *insn, uint64_t *state)
{
    insn->reads = insn->klass == CLASS_CORE_TO_NEON ? some_register(state)
                  : one_in(state, 4)                ? REG_FPSCR
                                                    : some_double(state);
    insn->writes = insn->klass == CLASS_CORE_TO_NEON ? some_double(state)
                   : one_in(state, 4)                ? REG_FLAGS
                                                     : some_register(state);
}

static void random_data(struct insn *insn, uint64_t *state)
{
    const uint64_t a = some_register(state), b = some_register(state), c = some_register(state);
    insn->writes = a | (one_in(state, 3) ? REG_FLAGS : 0) | (one_in(state, 8) ? REG_GE : 0);
    insn->reads = b | c | (one_in(state, 8) ? REG_GE : 0) | (one_in(state, 16) ? REG_PC : 0);
    if (insn->klass == CLASS_MOVE)
        insn->reads = one_in(state, 2) ? b : 0;
    if (insn->klass == CLASS_ALU_SHIFT) {
        insn->reads_early = c;
        insn->shifts_by_register = one_in(state, 2);
    }
    if (insn->klass == CLASS_MULTIPLY_LONG)
        insn->writes |= some_register(state);
    if (insn->klass == CLASS_MULTIPLY || insn->klass == CLASS_MULTIPLY_LONG ||
        insn->klass == CLASS_MULTIPLY_HALF || insn->klass == CLASS_DIVIDE)
        insn->reads_early = b | c;
    if (insn->klass == CLASS_DIVIDE) {
        insn->writes = a;
        insn->divides_signed = one_in(state, 2);
    }
    if (insn->klass == CLASS_MULTIPLY && one_in(state, 2)) { /* MLA */
        insn->reads |= a;
        insn->reads_late = a & ~(b | c);
    }
}

static struct insn random_insn(uint64_t *state)
{
    static const enum insn_class classes[] = {
        CLASS_ALU,          CLASS_ALU,           CLASS_MOVE,          CLASS_ALU_SHIFT,
        CLASS_MULTIPLY,     CLASS_MULTIPLY_LONG, CLASS_MULTIPLY_HALF, CLASS_DIVIDE,
        CLASS_LOAD,         CLASS_LOAD,          CLASS_STORE,         CLASS_LOAD_MULTIPLE,
        CLASS_NEON_LOAD,    CLASS_NEON_STORE,    CLASS_PRELOAD,       CLASS_SWAP,
        CLASS_VFP,          CLASS_VFP,           CLASS_VFP_DIVIDE,    CLASS_CORE_TO_NEON,
        CLASS_NEON_TO_CORE, CLASS_SYSTEM,        CLASS_BARRIER,
    };
    struct insn insn = {.condition = one_in(state, 6) ? 0 : 14,
                        .operations = 1,
                        .klass = classes[pick(state, sizeof classes / sizeof classes[0])]};
    const uint64_t base = some_register(state);
    switch (insn.klass) {
    case CLASS_LOAD:
    case CLASS_STORE:
        random_single(&insn, state);
        break;
    case CLASS_LOAD_MULTIPLE:
        random_list(&insn, state);
        break;
    case CLASS_NEON_LOAD:
    case CLASS_NEON_STORE:
        insn.memory = (struct insn_memory){.load = insn.klass == CLASS_NEON_LOAD,
                                           .store = insn.klass == CLASS_NEON_STORE,
                                           .neon = true,
                                           .bytes = 8,
                                           .align = 4};
        insn.reads = insn.reads_early = base;
        if (insn.memory.load)
            insn.writes = some_double(state);
        else
            insn.reads |= insn.reads_late = some_double(state);
        break;
    case CLASS_PRELOAD:
        insn.reads = insn.reads_early = base;
        break;
    case CLASS_SWAP:
        insn.memory = (struct insn_memory){.load = true, .store = true, .bytes = 4, .align = 4};
        insn.operations = 2;
        insn.reads = insn.reads_early = base;
        insn.writes = some_register(state);
        break;
    case CLASS_VFP:
    case CLASS_VFP_DIVIDE:
        random_vfp(&insn, state);
        break;
    case CLASS_CORE_TO_NEON:
    case CLASS_NEON_TO_CORE:
        random_transfer(&insn, state);
        break;
    case CLASS_SYSTEM:
        insn.writes = base;
        break;
    case CLASS_BARRIER:
        break;
    default:
        random_data(&insn, state);
        if (insn.klass == CLASS_ALU && one_in(state, 5))
            insn.reads = insn.writes = 0; /* NOP */
        break;
    }
    if (insn.condition != 14)
        insn.reads |= REG_FLAGS;
    return insn;
}

static struct block *random_code(uint64_t *state, unsigned n)
{
    struct block *block = calloc(1, sizeof *block + n * sizeof block->insns[0]);
    assert_non_null(block);
    block->n_insns = (uint16_t)n;
    for (unsigned i = 0; i < n; i++)
        block->insns[i] = random_insn(state);
    if (one_in(state, 2)) {
        struct insn *last = &block->insns[n - 1];
        *last = (struct insn){.klass = CLASS_BRANCH,
                              .branch = one_in(state, 3) ? BRANCH_INDIRECT : BRANCH_IMMEDIATE,
                              .links = one_in(state, 3),
                              .condition = one_in(state, 2) ? 1 : 14,
                              .operations = 1,
                              .writes = REG_PC};
        if (last->links)
            last->writes |= REG_LR;
        if (last->branch == BRANCH_INDIRECT)
            last->reads = some_register(state);
        if (last->condition != 14)
            last->reads |= REG_FLAGS;
    }
    return block;
}

/* Cycles in which nothing issues, behind instruction `behind` of the block. */
struct gap {
    unsigned after, cycles;
};

static void add_close(const struct armpmu_machine *other, struct r4f_issue_state *now,
                      struct r4f_issue_result *sum)
{
    uint32_t written;
    sum->counts.cycles += r4f_issue_close(now, other, &written);
    sum->counts.divide_stalls += written;
}

/* Runs the code whole or in pieces; what is open at the gap and at the end is closed. */
static void run_fast(const struct armpmu_machine *other, const struct block *block, uint64_t *state,
                     bool in_pieces, const struct gap *gap, struct r4f_issue_result *sum)
{
    struct r4f_issue_state now = {0};
    memset(sum, 0, sizeof *sum);
    for (unsigned first = 0; first < block->n_insns;) {
        const unsigned end = first <= gap->after ? gap->after + 1 : block->n_insns;
        const unsigned n = in_pieces ? 1 + pick(state, end - first) : end - first;
        struct r4f_issue_result part;
        r4f_issue_run(other, block, first, first + n, &now, &part);
        now = part.after;
        sum->counts.cycles += part.counts.cycles;
        sum->counts.dependency_stalls += part.counts.dependency_stalls;
        sum->counts.divide_stalls += part.counts.divide_stalls;
        for (int i = 0; i < R4F_PAIRS; i++)
            sum->counts.pairs[i] += part.counts.pairs[i];
        first += n;
        if (first == gap->after + 1) {
            add_close(other, &now, sum);
            sum->counts.divide_stalls += r4f_issue_wait(&now, gap->cycles);
            sum->counts.cycles += gap->cycles;
        }
    }
    add_close(other, &now, sum);
    sum->after = now;
}

static void run_slow(struct slow_issue *slow, const struct block *block, const struct gap *gap)
{
    const struct insn *insns[RUN_MAX];
    const unsigned n = gap->after + 1;
    for (unsigned i = 0; i < block->n_insns; i++)
        insns[i] = &block->insns[i];
    slow_issue_run(slow, insns, n, NULL);
    slow_issue_pass(slow, gap->cycles);
    slow_issue_run(slow, insns + n, block->n_insns - n, NULL);
}

static void check(const char *what, uint64_t seed, uint64_t got, uint64_t want)
{
    if (got != want)
        fail_msg("seed %llu, %s: %llu, the clocked reference has %llu", (unsigned long long)seed,
                 what, (unsigned long long)got, (unsigned long long)want);
}

TEST(random_code_takes_as_long_as_cycle_by_cycle)
{
    for (uint64_t seed = 1; seed <= 60000; seed++) {
        uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15);
        struct armpmu_machine other = *machine;
        if (one_in(&random, 2))
            vary_issue(&other, &random);
        struct block *block = random_code(&random, 2 + pick(&random, RUN_MAX - 2));
        const struct gap gap = {pick(&random, block->n_insns), pick(&random, 12)};
        struct r4f_issue_result fast;
        struct slow_issue slow;
        slow_issue_init(&slow, &other);
        const uint64_t start = slow.clock;
        run_slow(&slow, block, &gap);
        run_fast(&other, block, &random, seed % 2 == 0, &gap, &fast);
        check("cycles", seed, fast.counts.cycles, slow.clock - start);
        check("dependency stalls", seed, fast.counts.dependency_stalls, slow.dependency);
        check("pairs A", seed, fast.counts.pairs[R4F_PAIR_A], slow.pairs[R4F_PAIR_A]);
        check("pairs B", seed, fast.counts.pairs[R4F_PAIR_B], slow.pairs[R4F_PAIR_B]);
        check("other pairs", seed, fast.counts.pairs[R4F_PAIR_OTHER], slow.pairs[R4F_PAIR_OTHER]);
        check("divide stalls", seed, fast.counts.divide_stalls, slow.divide);
        check("divider at work", seed, fast.after.divider != 0, slow.divider_write != 0);
        free(block);
    }
}

/* Equal futures are equal bytes: a state in which everything has come to rest is the first one. */
TEST(waiting_long_enough_is_a_fresh_start)
{
    static const struct r4f_issue_state fresh;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t random = seed;
        struct block *block = random_code(&random, 20);
        struct r4f_issue_result result;
        uint32_t written;
        r4f_issue_run(machine, block, 0, 20, &fresh, &result);
        (void)r4f_issue_close(&result.after, machine, &written);
        (void)r4f_issue_wait(&result.after, 300);
        assert_memory_equal(&result.after, &fresh, sizeof fresh);
        free(block);
    }
}

TESTS_WITH(load_machine, free_machine)
