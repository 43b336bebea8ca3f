/* The NEON unit against one that is looked at every clock: a list of waiting instructions whose
 * head starts when nothing holds it. */
#include "cores/cortex_a8/neon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../reference/pick.h"

enum { PROGRAM = 300, QUEUE = 5, LOADS = 3 };

struct slow_insn {
    struct neon_insn facts;
    uint64_t wants;      /* when the integer pipeline comes with it, if nothing held it up before */
    uint64_t data_after; /* cycles from entering the queue until its data has come */
    uint64_t entered, start;
    bool in, started;
};

struct slow_unit {
    struct slow_insn insn[PROGRAM];
    unsigned n_in, n_started;
    uint64_t held; /* cycles the integer pipeline was held up */
};

static unsigned waiting(const struct slow_unit *slow, bool loads)
{
    unsigned n = 0;
    for (unsigned i = slow->n_started; i < slow->n_in; i++)
        n += !loads || slow->insn[i].facts.load;
    return n;
}

/* Whether an instruction that started still makes a register or keeps a pipe at this clock. */
static bool holds(const struct slow_insn *earlier, const struct neon_insn *insn, uint64_t clock)
{
    return ((earlier->facts.pipe & insn->pipe) != 0 &&
            clock < earlier->start + earlier->facts.cycles);
}

/* The last one that writes a register decides when it is ready. */
static bool register_is_ready(const struct slow_unit *slow, unsigned reg, uint64_t clock)
{
    for (unsigned i = slow->n_started; i-- > 0;)
        if (slow->insn[i].facts.writes >> reg & 1)
            return clock >= slow->insn[i].start + slow->insn[i].facts.latency;
    return true;
}

static bool may_start(const struct slow_unit *slow, const struct slow_insn *insn, uint64_t clock)
{
    if (clock < insn->entered + insn->data_after)
        return false;
    for (unsigned i = 0; i < slow->n_started; i++)
        if (holds(&slow->insn[i], &insn->facts, clock))
            return false;
    for (unsigned reg = 0; reg < 32; reg++)
        if ((insn->facts.reads >> reg & 1) && !register_is_ready(slow, reg, clock))
            return false;
    return true;
}

static void start_what_can(struct slow_unit *slow, uint64_t clock)
{
    while (slow->n_started < slow->n_in && may_start(slow, &slow->insn[slow->n_started], clock)) {
        slow->insn[slow->n_started].start = clock;
        slow->n_started++;
    }
}

/* An entry that is left in a clock can be taken in it. */
static bool enter_one(struct slow_unit *slow, uint64_t clock)
{
    struct slow_insn *insn = &slow->insn[slow->n_in];
    if (slow->n_in == PROGRAM || clock < insn->wants + slow->held)
        return false;
    if (waiting(slow, false) == QUEUE || (insn->facts.load && waiting(slow, true) == LOADS))
        return false;
    slow->held = clock - insn->wants;
    insn->entered = clock;
    slow->n_in++;
    return true;
}

static void run_slow(struct slow_unit *slow)
{
    for (uint64_t clock = 0; slow->n_started < PROGRAM; clock++) {
        start_what_can(slow, clock);
        while (enter_one(slow, clock))
            start_what_can(slow, clock);
    }
}

static struct neon_insn random_insn(uint64_t *picks)
{
    const uint8_t pipe = (uint8_t)(1 + pick(picks, 3));
    const uint8_t latency = (uint8_t)(1 + pick(picks, 12));
    return (struct neon_insn){
        .latency = latency,
        .cycles = (uint8_t)(pipe == NEON_PIPE_BOTH ? latency : 1 + pick(picks, 3)),
        .pipe = pipe,
        .load = pipe == NEON_PIPE_PERMUTE && one_in(picks, 2),
        .reads = one_in(picks, 2) ? 1u << pick(picks, 6) : 0,
        .writes = one_in(picks, 2) ? 1u << pick(picks, 6) : 0,
    };
}

static void equals_a_clocked_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct slow_unit slow;
        struct neon_unit unit;
        uint64_t picks = seed, held = 0, wants = 1;
        memset(&slow, 0, sizeof slow);
        neon_init(&unit, &(struct armpmu_machine){.neon_instruction_queue = QUEUE,
                                                  .neon_load_queue = LOADS});
        for (unsigned i = 0; i < PROGRAM; i++) {
            struct slow_insn *insn = &slow.insn[i];
            insn->facts = random_insn(&picks);
            wants += pick(&picks, 3);
            insn->wants = wants;
            insn->data_after = insn->facts.load && one_in(&picks, 3) ? pick(&picks, 40) : 0;
        }
        run_slow(&slow);
        for (unsigned i = 0; i < PROGRAM; i++) {
            const struct slow_insn *insn = &slow.insn[i];
            const uint64_t at = insn->wants + held;
            const struct neon_outcome out =
                neon_accept(&unit, &insn->facts, at, insn->entered + insn->data_after);
            if (out.entered != insn->entered || out.start != insn->start)
                fail_msg("seed %d, instruction %u: entered %d, started %d, not %d, %d", (int)seed,
                         i, (int)out.entered, (int)out.start, (int)insn->entered, (int)insn->start);
            held += out.entered - at;
        }
        assert_int_equal(held, slow.held);
    }
}

/* The union of the times in which there is work, added up in any order of ends. */
static void busy_is_a_union(void **state)
{
    (void)state;
    struct neon_unit unit;
    const struct neon_insn slow = {.latency = 10, .cycles = 10, .pipe = NEON_PIPE_BOTH};
    const struct neon_insn quick = {.latency = 2, .cycles = 1, .pipe = NEON_PIPE_DATA};
    neon_init(&unit, &(struct armpmu_machine){.neon_instruction_queue = 16, .neon_load_queue = 12});
    assert_int_equal(neon_accept(&unit, &slow, 100, 0).busy, 10); /* 100 to 110 */
    assert_int_equal(neon_accept(&unit, &quick, 104, 0).busy, 2); /* waits, 110 to 112 */
    assert_int_equal(neon_accept(&unit, &quick, 120, 0).busy, 2); /* 120 to 122 */
    assert_int_equal(neon_accept(&unit, &quick, 121, 0).busy, 1); /* 121 to 123 */
    const struct neon_insn late = {.latency = 10, .cycles = 1, .pipe = NEON_PIPE_DATA};
    const struct neon_insn beside = {.latency = 2, .cycles = 1, .pipe = NEON_PIPE_PERMUTE};
    const struct neon_insn wide = {.latency = 1, .cycles = 4, .pipe = NEON_PIPE_PERMUTE};
    assert_int_equal(neon_accept(&unit, &late, 130, 0).busy, 10);  /* 130 to 140 */
    assert_int_equal(neon_accept(&unit, &beside, 131, 0).busy, 0); /* 131 to 133 */
    assert_int_equal(neon_accept(&unit, &wide, 150, 0).busy, 4);   /* keeps its pipe to 154 */
}

static void the_first_may_start_at_once(void **state)
{
    (void)state;
    struct neon_unit unit;
    const struct neon_insn insn = {.latency = 2, .cycles = 1, .pipe = NEON_PIPE_DATA, .reads = 3};
    neon_init(&unit, &(struct armpmu_machine){.neon_instruction_queue = 16, .neon_load_queue = 12});
    assert_int_equal(neon_accept(&unit, &insn, 0, 0).start, 0);
}

/* A number of its own for every key. */
static const struct armpmu_machine numbers = {
    .neon_transfer_cycles = 101,
    .neon_alu_latency = 102,
    .neon_multiply_latency = 103,
    .neon_float_latency = 104,
    .neon_permute_latency = 105,
    .neon_load_latency = 106,
    .neon_vfp_cycles = 107,
    .neon_vfp_move_cycles = 108,
    .neon_vfp_convert_cycles = 109,
    .neon_vfp_multiply_cycles = 110,
    .neon_vfp_double_multiply_cycles = 111,
    .neon_vfp_accumulate_cycles = 112,
    .neon_vfp_double_accumulate_cycles = 113,
    .neon_vfp_divide_cycles = 114,
    .neon_vfp_double_divide_cycles = 115,
};

#define ACCUMULATES .reads = REG_D(3) | REG_D(9), .reads_late = REG_D(9)
#define D1          .writes = REG_D(1), .operations = 1

static void each_kind_takes_its_own_time(void **state)
{
    static const struct {
        int line;
        struct insn insn;
        uint8_t latency, cycles, pipe;
        bool load, transfer;
    } rows[] = {
        {__LINE__, {.klass = CLASS_NEON_ALU, D1}, 102, 1, NEON_PIPE_DATA, false, false},
        {__LINE__, {.klass = CLASS_NEON_MULTIPLY, D1}, 103, 1, NEON_PIPE_DATA, false, false},
        {__LINE__, {.klass = CLASS_NEON_FLOAT, D1}, 104, 1, NEON_PIPE_DATA, false, false},
        {__LINE__, {.klass = CLASS_NEON_PERMUTE, D1}, 105, 1, NEON_PIPE_PERMUTE, false, false},
        {__LINE__, {.klass = CLASS_CORE_TO_NEON, D1}, 106, 1, NEON_PIPE_PERMUTE, false, false},
        {__LINE__, {.klass = CLASS_NEON_TO_CORE}, 101, 1, NEON_PIPE_PERMUTE, false, true},
        /* two D registers a cycle */
        {__LINE__, {.klass = CLASS_NEON_LOAD, D1}, 106, 1, NEON_PIPE_PERMUTE, true, false},
        {__LINE__,
         {.klass = CLASS_NEON_LOAD, .operations = 2},
         106,
         1,
         NEON_PIPE_PERMUTE,
         true,
         false},
        {__LINE__,
         {.klass = CLASS_NEON_LOAD, .operations = 5},
         106,
         3,
         NEON_PIPE_PERMUTE,
         true,
         false},
        {__LINE__,
         {.klass = CLASS_NEON_STORE, .operations = 4},
         106,
         2,
         NEON_PIPE_PERMUTE,
         false,
         false},
        {__LINE__, {.klass = CLASS_VFP, .adds = true, D1}, 107, 107, NEON_PIPE_BOTH, false, false},
        {__LINE__,
         {.klass = CLASS_VFP, .adds = true, .doubles = true, D1},
         107,
         107,
         NEON_PIPE_BOTH,
         false,
         false},
        {__LINE__, {.klass = CLASS_VFP, D1}, 108, 108, NEON_PIPE_BOTH, false, false},
        {__LINE__,
         {.klass = CLASS_VFP, .converts = true, .reads_late = REG_D(1)},
         109,
         109,
         NEON_PIPE_BOTH,
         false,
         false},
        {__LINE__,
         {.klass = CLASS_VFP, .multiplies = true, .reads = REG_D(3)},
         110,
         110,
         NEON_PIPE_BOTH,
         false,
         false},
        {__LINE__,
         {.klass = CLASS_VFP, .multiplies = true, .doubles = true},
         111,
         111,
         NEON_PIPE_BOTH,
         false,
         false},
        {__LINE__,
         {.klass = CLASS_VFP, .multiplies = true, ACCUMULATES},
         112,
         112,
         NEON_PIPE_BOTH,
         false,
         false},
        {__LINE__,
         {.klass = CLASS_VFP, .multiplies = true, .doubles = true, ACCUMULATES},
         113,
         113,
         NEON_PIPE_BOTH,
         false,
         false},
        {__LINE__, {.klass = CLASS_VFP_DIVIDE, D1}, 114, 114, NEON_PIPE_BOTH, false, false},
        {__LINE__,
         {.klass = CLASS_VFP_DIVIDE, .doubles = true},
         115,
         115,
         NEON_PIPE_BOTH,
         false,
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct neon_insn got;
        assert_true(neon_describe(&numbers, &rows[i].insn, 7, &got));
        if (got.latency != rows[i].latency || got.cycles != rows[i].cycles ||
            got.pipe != rows[i].pipe || got.load != rows[i].load ||
            got.transfer != rows[i].transfer || got.index != 7 ||
            got.reads != (uint32_t)(rows[i].insn.reads >> 32) ||
            got.writes != (uint32_t)(rows[i].insn.writes >> 32))
            fail_msg("line %d: latency %d, cycles %d, pipe %d", rows[i].line, got.latency,
                     got.cycles, got.pipe);
    }
}

static void what_is_none_of_the_units_is_told(void **state)
{
    struct neon_insn got;
    const struct insn insn = {.klass = CLASS_ALU, .reads = REG_R(1)};
    (void)state;
    assert_false(neon_describe(&numbers, &insn, 0, &got));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_a_clocked_one),
        cmocka_unit_test(busy_is_a_union),
        cmocka_unit_test(the_first_may_start_at_once),
        cmocka_unit_test(each_kind_takes_its_own_time),
        cmocka_unit_test(what_is_none_of_the_units_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
