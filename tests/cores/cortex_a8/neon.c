/* The NEON unit against one that is looked at every clock: a list of waiting instructions whose
 * head starts when nothing holds it. */
#include "cores/cortex_a8/neon.h"

#include <string.h>

#include "../../test.h"
#include "../../reference/pick.h"

enum { PROGRAM = 300, QUEUE = 5, LOADS = 3, WAIT = 4 };

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

/* Whether an instruction that started keeps another from starting at this clock: it keeps a pipe,
 * is between its first and its last cycle, or has a float addition ahead. */
static bool holds(const struct slow_insn *earlier, const struct neon_insn *insn, uint64_t clock)
{
    const uint64_t end = earlier->start + earlier->facts.cycles;

    if ((earlier->facts.pipe & insn->pipe) != 0 && clock < end)
        return true;
    if (clock > earlier->start && clock + 1 < end)
        return true;
    return earlier->facts.floats == NEON_FLOAT_ACCUMULATE && insn->floats == NEON_FLOAT_PLAIN &&
           clock < end + WAIT;
}

static const struct neon_operand *result_of(const struct neon_insn *insn, unsigned reg)
{
    const struct neon_operand *found = NULL;

    for (unsigned i = insn->n_operands - (unsigned)insn->n_results; i < insn->n_operands; i++)
        if (insn->operands[i].reg == reg)
            found = &insn->operands[i];
    return found;
}

/* Whether a register is there when it is read; the last one that writes it decides. */
static bool is_there(const struct slow_unit *slow, const struct neon_insn *reader,
                     const struct neon_operand *read, bool accumulator, uint64_t clock)
{
    const uint64_t read_at = clock + NEON_STAGES - read->time;

    for (unsigned i = slow->n_started; i-- > 0;) {
        const struct neon_insn *maker = &slow->insn[i].facts;
        const struct neon_operand *result = result_of(maker, read->reg);
        if (result == NULL)
            continue;
        return (accumulator && maker->multiplies == reader->multiplies) ||
               read_at >= slow->insn[i].start + result->time;
    }
    return true;
}

static bool may_start(const struct slow_unit *slow, const struct slow_insn *insn, uint64_t clock)
{
    const struct neon_insn *facts = &insn->facts;

    if (clock < insn->entered + insn->data_after)
        return false;
    for (unsigned i = 0; i < slow->n_started; i++)
        if (holds(&slow->insn[i], facts, clock))
            return false;
    for (unsigned i = 0; i < facts->n_reads + (unsigned)facts->n_accumulators; i++)
        if (!is_there(slow, facts, &facts->operands[i], i >= facts->n_reads, clock))
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

static void add_random(struct neon_insn *insn, unsigned n, unsigned lowest, unsigned span,
                       uint64_t *picks)
{
    for (; n > 0; n--)
        insn->operands[insn->n_operands++] =
            (struct neon_operand){(uint8_t)pick(picks, 6), (uint8_t)(lowest + pick(picks, span))};
}

static struct neon_insn random_insn(uint64_t *picks)
{
    const uint8_t pipe = (uint8_t)(1 + pick(picks, 3));
    struct neon_insn insn = {
        .cycles = (uint8_t)(1 + pick(picks, pipe == NEON_PIPE_BOTH ? 12 : 4)),
        .pipe = pipe,
        .load = pipe == NEON_PIPE_PERMUTE && one_in(picks, 2),
        .floats = (uint8_t)(pipe == NEON_PIPE_DATA ? pick(picks, 3) : NEON_FLOAT_NONE),
        .multiplies = (uint8_t)(pipe == NEON_PIPE_DATA ? pick(picks, 3) : 0),
    };

    insn.n_reads = (uint8_t)pick(picks, 3);
    insn.n_accumulators = (uint8_t)(insn.multiplies != 0 && one_in(picks, 2));
    add_random(&insn, insn.n_reads + insn.n_accumulators, NEON_STAGES - 4u, 5, picks);
    insn.special = true;
    insn.n_results = (uint8_t)pick(picks, 3);
    add_random(&insn, insn.n_results, 1, 10, picks);
    return insn;
}

TEST(equals_a_clocked_one)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct slow_unit slow;
        struct neon_unit unit;
        uint64_t picks = seed, held = 0, wants = 1;
        memset(&slow, 0, sizeof slow);
        neon_init(&unit, &(struct armpmu_machine){.neon_instruction_queue = QUEUE,
                                                  .neon_load_queue = LOADS,
                                                  .neon_accumulate_wait = WAIT});
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
            if (out.entered != insn->entered || unit.last_start != insn->start)
                fail_msg("seed %d, instruction %u: entered %d, started %d, not %d, %d", (int)seed,
                         i, (int)out.entered, (int)unit.last_start, (int)insn->entered,
                         (int)insn->start);
            held += out.entered - at;
        }
        assert_int_equal(held, slow.held);
    }
}

static uint64_t start_of(struct neon_unit *unit, const struct neon_insn *insn, uint64_t at)
{
    neon_accept(unit, insn, at, 0);
    return unit->last_start;
}

/* The union of the times in which there is work, added up in any order of ends. */
TEST(busy_is_a_union)
{
    struct neon_unit unit;
    const struct neon_insn slow = {.busy = 10, .cycles = 10, .pipe = NEON_PIPE_BOTH};
    const struct neon_insn quick = {.busy = 2, .cycles = 1, .pipe = NEON_PIPE_DATA};
    neon_init(&unit, &(struct armpmu_machine){.neon_instruction_queue = 16, .neon_load_queue = 12});
    assert_int_equal(neon_accept(&unit, &slow, 100, 0).busy, 10); /* 100 to 110 */
    assert_int_equal(neon_accept(&unit, &quick, 104, 0).busy, 2); /* waits, 110 to 112 */
    assert_int_equal(neon_accept(&unit, &quick, 120, 0).busy, 2); /* 120 to 122 */
    assert_int_equal(neon_accept(&unit, &quick, 121, 0).busy, 1); /* 121 to 123 */
    const struct neon_insn late = {.busy = 10, .cycles = 1, .pipe = NEON_PIPE_DATA};
    const struct neon_insn beside = {.busy = 2, .cycles = 1, .pipe = NEON_PIPE_PERMUTE};
    const struct neon_insn wide = {.busy = 4, .cycles = 4, .pipe = NEON_PIPE_PERMUTE};
    assert_int_equal(neon_accept(&unit, &late, 130, 0).busy, 10);  /* 130 to 140 */
    assert_int_equal(neon_accept(&unit, &beside, 131, 0).busy, 0); /* 131 to 133 */
    assert_int_equal(neon_accept(&unit, &wide, 150, 0).busy, 4);   /* keeps its pipe to 154 */
}

TEST(the_first_may_start_at_once)
{
    struct neon_unit unit;
    const struct neon_insn insn = {.busy = 2, .cycles = 1, .pipe = NEON_PIPE_DATA};
    neon_init(&unit, &(struct armpmu_machine){.neon_instruction_queue = 16, .neon_load_queue = 12});
    assert_int_equal(start_of(&unit, &insn, 0), 0);
}

/* Only an accumulation of the same type and size has its sum handed on. */
TEST(sums_go_to_their_like)
{
    const struct neon_insn multiply = {.busy = 6,
                                       .cycles = 1,
                                       .pipe = NEON_PIPE_DATA,
                                       .multiplies = 2,
                                       .n_results = 1,
                                       .n_operands = 1,
                                       .operands = {{4, 6}}};
    struct neon_insn like = multiply, other = multiply;
    struct neon_unit unit;
    like.special = true;
    like.n_accumulators = 1;
    like.n_results = 1;
    like.n_operands = 2;
    like.operands[0] = (struct neon_operand){4, NEON_STAGES - 2}; /* N3 */
    like.operands[1] = (struct neon_operand){4, 6};
    other = like;
    other.multiplies = 4;
    neon_init(&unit, &(struct armpmu_machine){.neon_instruction_queue = 16, .neon_load_queue = 12});
    assert_int_equal(start_of(&unit, &multiply, 100), 100);
    assert_int_equal(start_of(&unit, &like, 100), 101);
    assert_int_equal(start_of(&unit, &other, 100), 101 + 4);
}
