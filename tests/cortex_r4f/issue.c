/* The issue schedule of the Cortex-R4F: rows of the timing tables by hand, and random code against
 * a reference that moves one clock cycle at a time and sees the next instruction coming. */
#include "uarch/cortex_r4f_issue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../uarch/pick.h"

enum { RUN_MAX = 64, SLOW_START = 10 /* everything is long ready */ };

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

/* ---- the reference ---- */

/* What the manual and the table of ports say, in the reference's own words. */
struct slow_shape {
    const char *ports[2]; /* two ways to issue */
    unsigned steps, latency, per_step;
    bool divides, vfp, blocks_vfp, only;
};

static struct slow_shape slow_shape_of(const struct insn *insn)
{
    const bool list = insn->memory.multiple || insn->operations > 1;
    switch (insn->klass) {
    case CLASS_MOVE:
        return (struct slow_shape){.ports = {"A", "BU"}, 1, 1};
    case CLASS_ALU:
        if (insn->reads == 0 && insn->writes == 0)
            return (struct slow_shape){.ports = {"A", "B"}, 1, 1};
        return (struct slow_shape){.ports = {"AU", "BU"}, 1, 1};
    case CLASS_ALU_SHIFT:
        return (struct slow_shape){.ports = {"AU", insn->shifts_by_register ? "BCU" : "BU"}, 1, 1};
    case CLASS_MULTIPLY:
        return (struct slow_shape){.ports = {"AU", "AU"}, 2, 4};
    case CLASS_MULTIPLY_HALF:
        return (struct slow_shape){.ports = {"AU", "AU"}, 1, 3};
    case CLASS_DIVIDE:
        return (struct slow_shape){.ports = {"AU", "AU"}, 1, 9, .divides = true};
    case CLASS_BRANCH:
        return (struct slow_shape){.ports = {"B", "B"}, 1, 1};
    case CLASS_LOAD:
    case CLASS_STORE:
    case CLASS_NEON_LOAD:
        if (list)
            return (struct slow_shape){{"ABCU", "ABCU"},
                                       insn->operations > 4 ? (insn->operations + 1u) / 2 : 2,
                                       3,
                                       2,
                                       .only = true};
        return (struct slow_shape){.ports = {"AC", "AC"}, 1, 2};
    case CLASS_VFP:
        if (insn->doubles)
            return (struct slow_shape){
                .ports = {"ABCU", "ABCU"}, 1, 10, .vfp = true, .blocks_vfp = true, .only = true};
        return (struct slow_shape){.ports = {"A", "B"}, 1, insn->reads_late ? 6 : 3, .vfp = true};
    default:
        return (struct slow_shape){.ports = {"ABCU", "ABCU"}, 1, 1, .only = true};
    }
}

struct slow {
    unsigned clock;
    unsigned usable[64]; /* by register bit: cycle at which a plain operand may be read */
    bool from_divider[64];
    unsigned divider_write; /* cycle, 0 for none */
    unsigned vfp_free;
    unsigned dependency, divide, pairs[R4F_PAIRS];
};

/* Cycles later than a plain operand that this one is needed, negative for earlier. */
static int slow_slack(const struct insn *insn, unsigned bit)
{
    const uint64_t set = UINT64_C(1) << bit;
    if ((insn->reads_late & set) || insn->klass == CLASS_MOVE)
        return 1;
    if (!(insn->reads_early & set))
        return 0;
    return insn->memory.bytes != 0 ? -2 : -1;
}

static bool slow_waits(const struct slow *slow, const struct insn *insn, bool for_divider)
{
    for (unsigned bit = 0; bit < 64; bit++)
        if ((insn->reads >> bit & 1) && slow->from_divider[bit] == for_divider &&
            slow->clock + (unsigned)(slow_slack(insn, bit) + 2) < slow->usable[bit] + 2)
            return true;
    return for_divider && insn->klass == CLASS_DIVIDE && slow->divider_write != 0 &&
           slow->clock <= slow->divider_write;
}

static bool slow_pair(const struct insn *first, const struct insn *second)
{
    const struct slow_shape a = slow_shape_of(first), b = slow_shape_of(second);
    if (first->branch != BRANCH_NONE || a.only || b.only || (second->reads & first->writes) ||
        (second->reads & REG_PC))
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (strpbrk(a.ports[i], b.ports[j]) == NULL)
                return true;
    return false;
}

static enum r4f_pair slow_case(const struct insn *first, const struct insn *second)
{
    const struct insn *both[] = {first, second};
    bool access = false, data = false;
    if ((second->branch == BRANCH_IMMEDIATE && !second->links) ||
        (second->klass == CLASS_ALU && second->reads + second->writes == 0))
        return R4F_PAIR_A;
    for (int i = 0; i < 2; i++) {
        access |= both[i]->memory.bytes != 0;
        data |= both[i]->klass <= CLASS_MULTIPLY_HALF || both[i]->klass == CLASS_DIVIDE;
    }
    return access && data ? R4F_PAIR_B : R4F_PAIR_OTHER;
}

/* A cycle passes in which nothing issues, for the divider's sake or not. */
static void slow_stall(struct slow *slow, bool for_divider)
{
    if (slow->clock == slow->divider_write && slow->divider_write != 0) {
        slow->divide += !for_divider;
        slow->divider_write = 0;
    }
    slow->divide += for_divider;
    slow->clock++;
}

static void slow_wait(struct slow *slow, const struct insn *insn)
{
    const struct slow_shape shape = slow_shape_of(insn);
    while (slow_waits(slow, insn, false)) {
        slow->dependency++;
        slow_stall(slow, false);
    }
    while (slow_waits(slow, insn, true))
        slow_stall(slow, true);
    while (shape.vfp && slow->clock < slow->vfp_free)
        slow_stall(slow, false);
    if (slow->divider_write != 0 && slow->clock == slow->divider_write)
        slow_stall(slow, false); /* counts the write */
}

static void slow_write(struct slow *slow, const struct insn *insn)
{
    const struct slow_shape shape = slow_shape_of(insn);
    unsigned nth = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        if (!(insn->writes >> bit & 1))
            continue;
        unsigned at = slow->clock + 1;
        if (!(insn->writes_back >> bit & 1)) {
            at = slow->clock + shape.latency + (shape.per_step ? nth / shape.per_step : 0);
            nth++;
        }
        if (insn->condition == 14 || at > slow->usable[bit])
            slow->usable[bit] = at;
        slow->from_divider[bit] = shape.divides;
    }
    if (shape.divides)
        slow->divider_write = slow->clock + shape.latency - 1;
    if (shape.blocks_vfp)
        slow->vfp_free = slow->clock + shape.latency;
}

static void slow_run(struct slow *slow, const struct insn *insns, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct insn *first = &insns[i];
        const struct insn *second =
            i + 1 < n && slow_pair(first, &insns[i + 1]) ? &insns[i + 1] : NULL;
        unsigned steps = slow_shape_of(first).steps;
        slow_wait(slow, first);
        if (second) {
            const unsigned other = slow_shape_of(second).steps;
            slow_wait(slow, second);
            steps = other > steps ? other : steps;
            slow->pairs[slow_case(first, second)]++;
            i++;
        }
        slow_write(slow, first);
        if (second)
            slow_write(slow, second);
        for (slow->clock++; --steps > 0; slow->clock++)
            if (slow->divider_write != 0 && slow->clock == slow->divider_write) {
                slow->divider_write = 0;
                slow->divide++;
                steps++;
            }
    }
}

/* ---- random code ---- */

static uint64_t some_register(uint64_t *state)
{
    return REG_R(pick(state, 6));
}

static struct insn random_insn(uint64_t *state)
{
    struct insn insn = {.condition = one_in(state, 6) ? 0 : 14, .operations = 1};
    const uint64_t d = REG_D(pick(state, 4)), e = REG_D(pick(state, 4));
    const uint64_t a = some_register(state), b = some_register(state), c = some_register(state);
    insn.writes = a;
    switch (pick(state, 14)) {
    case 0:
        insn.klass = CLASS_ALU;
        insn.reads = b | c;
        insn.writes |= one_in(state, 3) ? REG_FLAGS : 0;
        break;
    case 1:
        insn.klass = CLASS_MOVE;
        insn.reads = one_in(state, 2) ? b : 0;
        break;
    case 2:
        insn.klass = CLASS_ALU_SHIFT;
        insn.reads = b | c;
        insn.reads_early = c;
        insn.shifts_by_register = one_in(state, 2);
        break;
    case 3:
        insn.klass = one_in(state, 2) ? CLASS_MULTIPLY : CLASS_MULTIPLY_HALF;
        insn.reads = b | c;
        insn.reads_early = b | c;
        break;
    case 4:
        insn.klass = CLASS_DIVIDE;
        insn.reads = insn.reads_early = b | c;
        break;
    case 5:
    case 6:
        insn.klass = CLASS_LOAD;
        insn.memory = (struct insn_memory){.load = true, .bytes = 4, .align = 4};
        insn.reads = insn.reads_early = b;
        if (one_in(state, 3)) {
            insn.writes |= b;
            insn.writes_back = b & ~a;
        }
        break;
    case 7:
        insn.klass = CLASS_STORE;
        insn.memory = (struct insn_memory){.store = true, .bytes = 4, .align = 4};
        insn.reads = a | b;
        insn.reads_early = b;
        insn.reads_late = a & ~b;
        insn.writes = 0;
        break;
    case 8:
        insn.klass = CLASS_LOAD;
        insn.memory = (struct insn_memory){.load = true, .multiple = true, .bytes = 24, .align = 4};
        insn.operations = 6;
        insn.reads = insn.reads_early = b;
        insn.writes = 0x3f;
        break;
    case 9:
        insn.klass = CLASS_ALU; /* NOP */
        insn.writes = 0;
        break;
    case 10:
        insn.klass = CLASS_VFP;
        insn.doubles = one_in(state, 2);
        insn.reads = d | e;
        insn.reads_late = one_in(state, 3) && !insn.doubles ? e & ~d : 0;
        insn.writes = e;
        break;
    case 11:
        insn.klass = CLASS_NEON_LOAD;
        insn.memory = (struct insn_memory){.load = true, .neon = true, .bytes = 8, .align = 4};
        insn.reads = insn.reads_early = b;
        insn.writes = d;
        break;
    case 12:
        insn.klass = CLASS_SYSTEM;
        break;
    case 13:
        insn.klass = CLASS_BARRIER;
        insn.writes = 0;
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
                              .branch = BRANCH_IMMEDIATE,
                              .condition = one_in(state, 2) ? 1 : 14,
                              .operations = 1,
                              .writes = REG_PC};
        if (last->condition != 14)
            last->reads = REG_FLAGS;
    }
    return block;
}

/* Runs the code whole or in pieces; what is open at the end is closed. */
static void run_fast(const struct block *block, uint64_t *state, bool in_pieces,
                     struct r4f_issue_result *sum)
{
    struct r4f_issue_state now = {0};
    uint32_t written;
    memset(sum, 0, sizeof *sum);
    for (unsigned first = 0; first < block->n_insns;) {
        const unsigned left = block->n_insns - first;
        const unsigned n = in_pieces ? 1 + pick(state, left) : left;
        struct r4f_issue_result part;
        r4f_issue_run(machine, block, first, first + n, &now, &part);
        now = part.after;
        sum->cycles += part.cycles;
        sum->dependency_stalls += part.dependency_stalls;
        sum->divide_stalls += part.divide_stalls;
        for (int i = 0; i < R4F_PAIRS; i++)
            sum->pairs[i] += part.pairs[i];
        first += n;
    }
    sum->cycles += r4f_issue_close(&now, machine, &written);
    sum->divide_stalls += written;
}

static void check(const char *what, uint64_t seed, uint64_t got, uint64_t want)
{
    if (got != want)
        fail_msg("seed %llu, %s: %llu, the clocked reference has %llu", (unsigned long long)seed,
                 what, (unsigned long long)got, (unsigned long long)want);
}

static void random_code_takes_as_long_as_cycle_by_cycle(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60000; seed++) {
        uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15);
        struct block *block = random_code(&random, 2 + pick(&random, RUN_MAX - 2));
        struct r4f_issue_result fast;
        struct slow slow = {.clock = SLOW_START};
        slow_run(&slow, block->insns, block->n_insns);
        run_fast(block, &random, seed % 2 == 0, &fast);
        check("cycles", seed, fast.cycles, slow.clock - SLOW_START);
        check("dependency stalls", seed, fast.dependency_stalls, slow.dependency);
        check("pairs A", seed, fast.pairs[R4F_PAIR_A], slow.pairs[R4F_PAIR_A]);
        check("pairs B", seed, fast.pairs[R4F_PAIR_B], slow.pairs[R4F_PAIR_B]);
        check("other pairs", seed, fast.pairs[R4F_PAIR_OTHER], slow.pairs[R4F_PAIR_OTHER]);
        check("divide stalls", seed, fast.divide_stalls, slow.divide);
        free(block);
    }
}

/* Equal futures are equal bytes: a state in which everything has come to rest is the first one. */
static void waiting_long_enough_is_a_fresh_start(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_code_takes_as_long_as_cycle_by_cycle),
        cmocka_unit_test(waiting_long_enough_is_a_fresh_start),
    };
    return cmocka_run_group_tests_name("cortex-r4f issue", tests, load_machine, free_machine);
}
