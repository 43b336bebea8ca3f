/* The window against a core that is clocked: every cycle it retires, delivers, dispatches and
 * issues what it can, and knows nothing of times ahead. */
#include "cores/neoverse/ooo_timing.h"

#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "../../reference/neoverse/pipes.h"
#include "../../reference/pick.h"

#define N_INSNS    600
#define MAX_INSNS  3000
#define MAX_CYCLES 200000
#define NEVER      UINT64_MAX

/* An instruction of a random program, and what happens to it. */
struct step {
    struct ooo_op op;
    uint64_t held_for;     /* the front end stops so long behind the instruction before it */
    uint64_t drain_cycles; /* of a store: retired to written */
    uint64_t beyond_after; /* of a load that misses: issue to when the miss is intervals */
    bool misses, mispredicted, ends_delivery;
    bool overtakes; /* a store that need not be written leaves its queue when it retires */
    uint64_t penalty;
};

/* ---- the clocked core ---- */

struct fate {
    uint64_t delivered, dispatched, issued, complete, retired, written;
};

struct clocked {
    const struct armpmu_machine *machine;
    const struct step *steps;
    unsigned n_steps;
    struct fate fates[MAX_INSNS];
    unsigned n_delivered, n_dispatched, n_retired;
    unsigned begun;  /* slots that the next one to dispatch has had in earlier cycles */
    uint64_t resume; /* no delivery before */
    uint64_t now;
    bool *lost, *intervals; /* by cycle */
};

static bool is_past(const struct clocked *core, uint64_t cycle)
{
    return cycle != NEVER && cycle < core->now;
}

static void clock_retire(struct clocked *core)
{
    for (unsigned n = 0; n < core->machine->dispatch_width; n++) {
        struct fate *fate = &core->fates[core->n_retired];
        if (core->n_retired == core->n_dispatched || fate->complete > core->now)
            return;
        fate->retired = core->now;
        if (core->steps[core->n_retired].op.store) {
            uint64_t before = 0; /* stores are written in order */
            for (unsigned i = 0; i < core->n_retired; i++)
                if (core->steps[i].op.store && !core->steps[i].overtakes)
                    before = core->fates[i].written;
            fate->written = core->now + core->steps[core->n_retired].drain_cycles;
            if (fate->written < before)
                fate->written = before;
            if (core->steps[core->n_retired].overtakes)
                fate->written = core->now;
        }
        core->n_retired++;
    }
}

/* When the front end may go on behind instruction i; NEVER: that is not known yet. */
static uint64_t go_on_behind(const struct clocked *core, unsigned i)
{
    const struct step *step = &core->steps[i];
    const struct fate *fate = &core->fates[i];
    uint64_t from = fate->delivered + (step->ends_delivery ? 1 : 0);
    if (step->mispredicted) {
        if (fate->complete == NEVER)
            return NEVER;
        if (fate->complete + step->penalty > from)
            from = fate->complete + step->penalty;
    }
    return from;
}

static void clock_deliver(struct clocked *core)
{
    for (unsigned n = 0; n < core->machine->dispatch_width; n++) {
        const unsigned i = core->n_delivered, queue = core->machine->dispatch_queue;
        uint64_t from = i > 0 ? go_on_behind(core, i - 1) : 0;
        if (i == core->n_steps || from == NEVER || core->now < from + core->steps[i].held_for ||
            (i >= queue && !is_past(core, core->fates[i - queue].dispatched)))
            return;
        core->fates[i].delivered = core->now;
        core->n_delivered++;
    }
}

/* The n-th load or store before instruction i, -1 if there are not so many. */
static int nth_before(const struct clocked *core, unsigned i, unsigned n, bool stores)
{
    for (int at = (int)i - 1; at >= 0; at--)
        if ((stores ? core->steps[at].op.store : core->steps[at].op.load) && --n == 0)
            return at;
    return -1;
}

static bool has_room(const struct clocked *core, unsigned i)
{
    const struct armpmu_machine *m = core->machine;
    const struct ooo_op *op = &core->steps[i].op;
    const int load = op->load ? nth_before(core, i, m->window_loads, false) : -1;
    const int store = op->store ? nth_before(core, i, m->window_stores, true) : -1;
    return (i < m->window_entries || is_past(core, core->fates[i - m->window_entries].retired)) &&
           (load < 0 || is_past(core, core->fates[load].retired)) &&
           (store < 0 || is_past(core, core->fates[store].written));
}

static void clock_dispatch(struct clocked *core)
{
    const unsigned width = core->machine->dispatch_width;
    unsigned slots = 0;
    while (core->n_dispatched < core->n_delivered && slots < width) {
        const unsigned i = core->n_dispatched, left = core->steps[i].op.slots - core->begun;
        if (core->begun == 0 && !has_room(core, i))
            break;
        if (slots + left > width) { /* the others in the next cycle */
            core->begun += width - slots;
            slots = width;
            break;
        }
        slots += left;
        core->begun = 0;
        core->fates[i].dispatched = core->now;
        core->n_dispatched++;
    }
    core->lost[core->now] = slots == 0 && core->n_dispatched < core->n_delivered;
}

static uint64_t operand_ready(const struct clocked *core, unsigned i, uint64_t reg, bool flags);

/* When the base that an instruction updates is there: that of a store waits for the base alone. */
static uint64_t base_ready(const struct clocked *core, unsigned i, uint64_t reg)
{
    const struct fate *fate = &core->fates[i];
    uint64_t from = fate->issued;
    if (core->steps[i].op.store) {
        const uint64_t before = operand_ready(core, i, reg, false);
        from = before > fate->dispatched + 1 ? before : fate->dispatched + 1;
    }
    return from == NEVER ? NEVER : from + core->machine->latency_alu;
}

/* When the latest older writer of one of these registers has the value; base: as the address. */
static uint64_t operand_ready(const struct clocked *core, unsigned i, uint64_t reg, bool flags)
{
    for (int at = (int)i - 1; at >= 0; at--) {
        const struct ooo_op *op = &core->steps[at].op;
        const struct fate *fate = &core->fates[at];
        if (!flags && (op->writes_back & reg) != 0)
            return base_ready(core, (unsigned)at, reg);
        if (flags ? op->writes_flags : (op->writes & reg) != 0)
            return fate->complete;
    }
    return 0;
}

static uint64_t operands_ready(const struct clocked *core, unsigned i)
{
    const struct ooo_op *op = &core->steps[i].op;
    uint64_t ready = core->fates[i].dispatched + 1;
    for (uint64_t left = op->reads; left != 0; left &= left - 1) {
        const uint64_t at = operand_ready(core, i, left & -left, false);
        ready = at > ready ? at : ready;
    }
    if (op->reads_flags) {
        const uint64_t at = operand_ready(core, i, 0, true);
        ready = at > ready ? at : ready;
    }
    return ready;
}

/* Dividers are given in program order: all older divides have issued and are done with it. */
static bool divider_is_free(const struct clocked *core, unsigned i)
{
    const struct ooo_op *op = &core->steps[i].op;
    for (unsigned at = 0; at < i && op->divides; at++) {
        const struct ooo_op *older = &core->steps[at].op;
        if (older->divides && older->divider == op->divider &&
            (core->fates[at].issued == NEVER ||
             core->fates[at].issued + older->divide_cycles > core->now))
            return false;
    }
    return true;
}

static void clock_issue(struct clocked *core)
{
    const struct armpmu_machine *m = core->machine;
    unsigned left[OOO_UNITS] = {[UNIT_INTEGER] = m->units_integer,
                                [UNIT_MULTICYCLE] = m->units_multicycle,
                                [UNIT_BRANCH] = m->units_branch,
                                [UNIT_LOAD] = m->units_load,
                                [UNIT_STORE] = m->units_store,
                                [UNIT_M0] = 1,
                                [UNIT_LOAD01] = 2,
                                [UNIT_FLAGS] = m->units_flags};
    struct given_pipes given = {0};
    for (unsigned i = core->n_retired; i < core->n_dispatched; i++) {
        const struct ooo_op *op = &core->steps[i].op;
        struct fate *fate = &core->fates[i];
        const bool beyond = core->now >= fate->dispatched + OOO_HORIZON; /* a unit is free */
        const unsigned pipes = pipes_for(op->unit, m->units_vector);
        if (fate->issued == NEVER && op->unit == UNIT_NONE) {
            fate->issued = fate->complete = operands_ready(core, i); /* NEVER: not known yet */
            continue;
        }
        if (fate->issued != NEVER || operands_ready(core, i) > core->now ||
            !divider_is_free(core, i))
            continue;
        unsigned after[OOO_UNITS];
        memcpy(after, left, sizeof after);
        if (!beyond && ((pipes == 0 && !unit_take(after, op->unit, m)) ||
                        (op->also == UNIT_FLAGS && !unit_take(after, UNIT_FLAGS, m)) ||
                        !pipes_give(&given, pipes)))
            continue;
        if (!beyond)
            memcpy(left, after, sizeof left);
        fate->issued = core->now;
        fate->complete = core->now + op->latency;
        for (uint64_t cycle = core->now + core->steps[i].beyond_after;
             core->steps[i].misses && cycle < fate->complete; cycle++)
            core->intervals[cycle] = true;
    }
}

static void clock_all(struct clocked *core)
{
    memset(core->fates, 0xff, sizeof core->fates);
    for (core->now = 1; core->n_retired < core->n_steps; core->now++) {
        assert_true(core->now < MAX_CYCLES - 10000);
        clock_retire(core);
        clock_deliver(core);
        clock_dispatch(core);
        clock_issue(core);
    }
}

/* ---- random programs ---- */

static struct ooo_op random_op(uint64_t *seed, uint32_t width)
{
    struct ooo_op op = {.slots = (uint8_t)(1 + (one_in(seed, 10) ? pick(seed, 2 * width) : 0)),
                        .unit = (enum ooo_unit)pick(seed, OOO_UNITS)};
    if (op.unit == UNIT_FLAGS) /* none takes it alone */
        op.unit = UNIT_INTEGER;
    /* Few registers, so that there are chains. */
    for (unsigned n = one_in(seed, 8) ? pick(seed, 9) : pick(seed, 3); n > 0; n--)
        op.reads |= UINT64_C(1) << pick(seed, 12) << (one_in(seed, 4) ? 50 : 0);
    for (unsigned n = one_in(seed, 8) ? pick(seed, 6) : !one_in(seed, 5); n > 0; n--)
        op.writes |= UINT64_C(1) << pick(seed, 12) << (one_in(seed, 4) ? 50 : 0);
    op.reads_flags = one_in(seed, 6);
    op.writes_flags = one_in(seed, 5);
    if (op.writes_flags && (op.unit == UNIT_INTEGER || op.unit == UNIT_MULTICYCLE))
        op.also = UNIT_FLAGS;
    op.load = op.unit == UNIT_LOAD;
    op.store = op.unit == UNIT_STORE || (op.load && one_in(seed, 10));
    if (one_in(seed, op.load ? 4 : 12)) {
        op.writes_back = UINT64_C(1) << pick(seed, 12);
        op.writes &= ~op.writes_back;
    }
    op.latency = op.unit == UNIT_NONE ? 0 : (uint16_t)(1 + pick(seed, 5));
    op.divides = (op.unit == UNIT_MULTICYCLE || op.unit == UNIT_VECTOR) && one_in(seed, 5);
    op.divider = op.unit == UNIT_VECTOR ? DIVIDER_FLOAT : DIVIDER_INTEGER;
    op.divide_cycles = (uint16_t)(1 + pick(seed, 12));
    return op;
}

static void random_steps(struct step *steps, unsigned n_steps, uint64_t *seed, uint32_t width,
                         unsigned miss_one_in)
{
    for (unsigned i = 0; i < n_steps; i++) {
        steps[i] = (struct step){.op = random_op(seed, width)};
        struct step *step = &steps[i];
        if (step->op.load && one_in(seed, miss_one_in)) {
            step->misses = true;
            step->beyond_after = pick(seed, 15);
            step->op.latency = (uint16_t)(step->beyond_after + 1 + pick(seed, 300));
        }
        if (step->op.unit == UNIT_BRANCH) {
            step->ends_delivery = one_in(seed, 2);
            step->mispredicted = one_in(seed, 6);
            step->penalty = 1 + pick(seed, 15);
        }
        step->held_for = one_in(seed, 30) ? pick(seed, 60) : 0;
        step->drain_cycles = one_in(seed, 10) ? pick(seed, 200) : 1;
        step->overtakes = one_in(seed, 6);
    }
}

static struct armpmu_machine random_machine(uint64_t *seed)
{
    return (struct armpmu_machine){
        .l1d_line_bytes = 64,
        .latency_alu = 1 + pick(seed, 2),
        .dispatch_width = 1 + pick(seed, 16),
        .dispatch_queue = 1 + pick(seed, 40),
        .window_entries = 1 + pick(seed, 200),
        .window_loads = 1 + pick(seed, 50),
        .window_stores = 1 + pick(seed, 30),
        .units_integer = 1 + pick(seed, 4),
        .units_multicycle = 1 + pick(seed, 2),
        .units_branch = 1 + pick(seed, 2),
        .units_flags = 1 + pick(seed, 4),
        .units_load = 1 + pick(seed, 3),
        .units_store = 1 + pick(seed, 2),
        .units_store_takes_load = one_in(seed, 2) ? YESNO_YES : YESNO_NO,
        .units_vector = 1 + pick(seed, 4),
    };
}

/* ---- both ---- */

/* The window, and what goes through it. */
struct told {
    struct ooo_timing window;
    const struct step *steps;
    unsigned n_steps, n_together;
    struct fate fates[MAX_INSNS];
    uint64_t written; /* the latest store */
};

/* What comes behind dispatch. */
static void tell_rest(struct told *told, unsigned i)
{
    struct ooo_timing *window = &told->window;
    struct ooo_pace *pace = &window->pace;
    const struct step *step = &told->steps[i];
    struct fate *fate = &told->fates[i];
    struct ooo_step made;
    ooo_step_make(window, &made, &step->op, NULL);
    const uint64_t issued = made.plain && ooo_is_short(&made)
                                ? ooo_issue_short(window, &made, pace->dispatched)
                            : made.plain ? ooo_issue_plain(window, &made, pace->dispatched)
                                         : ooo_issue(window, &made, pace->dispatched);
    const uint64_t complete = issued + made.latency;
    fate->delivered = ooo_cycle(pace->delivered);
    fate->dispatched = ooo_cycle(pace->dispatched);
    fate->issued = ooo_cycle(issued);
    if (step->misses)
        ooo_wait(window, fate->dispatched, fate->issued + step->beyond_after, ooo_cycle(complete));
    if (made.plain) {
        ooo_result_plain(window, &made, complete);
        fate->retired = ooo_cycle(ooo_retire_plain(window, pace, complete));
    } else {
        ooo_result(window, &made, pace->dispatched, issued, complete);
        fate->retired = ooo_cycle(ooo_retire(window, pace, &made, complete));
    }
    if (step->op.store && step->overtakes) {
        ooo_store_written(window, pace, pace->retired);
    } else if (step->op.store) {
        told->written = ooo_later(told->written, fate->retired + step->drain_cycles);
        ooo_store_written(window, pace, ooo_time(told->written));
    }
    uint64_t from = pace->delivered + (step->ends_delivery ? OOO_CYCLE : 0);
    if (step->mispredicted)
        from = ooo_later(from, complete + ooo_time(step->penalty));
    ooo_hold(&told->window, pace, from, step->mispredicted ? HELD_FLUSH : HELD_FLOW);
}

/* How many from i on can be told together: up to `most` of one slot each, none held, all but the
 * last without a turn of the front end. */
static struct ooo_row row_at(const struct told *told, unsigned i, unsigned most)
{
    struct ooo_row row = {0};
    for (unsigned at = i; at < told->n_steps && row.n < most; at++) {
        const struct step *step = &told->steps[at];
        if (step->op.slots != 1 || (at > i && step->held_for != 0))
            break;
        row.n++;
        row.n_loads += step->op.load;
        row.n_stores += step->op.store;
        if (step->ends_delivery || step->mispredicted)
            break;
    }
    return row;
}

/* Returns how many were told: with room for them more than one at a time. */
static unsigned tell(struct told *told, unsigned i, unsigned most)
{
    struct ooo_timing *window = &told->window;
    struct ooo_pace *pace = &window->pace;
    const struct ooo_row row = row_at(told, i, most);
    ooo_hold(window, pace, pace->delivered + ooo_time(told->steps[i].held_for), HELD_LEVEL2);
    if (row.n == 0 || !ooo_row_fits(window, &row) ||
        (pace->n + row.n > window->room_until && !ooo_find_room(window, pace, &row))) {
        struct ooo_step made;
        ooo_step_make(window, &made, &told->steps[i].op, NULL);
        ooo_deliver(window, pace);
        ooo_dispatch(window, pace, &made);
        tell_rest(told, i);
        return 1;
    }
    for (unsigned done = 0; done < row.n;) {
        const uint32_t sent = ooo_send(window, pace, row.n - done);
        assert_in_range(sent, 1, row.n - done);
        for (uint32_t n = 0; n < sent; n++)
            tell_rest(told, i + done++);
    }
    told->n_together += row.n;
    return row.n;
}

/* most: so many are told together. Returns how many were. */
static unsigned compare(const struct armpmu_machine *machine, const struct step *steps,
                        unsigned n_steps, unsigned most)
{
    struct told *told = calloc(1, sizeof *told);
    struct clocked *core = calloc(1, sizeof *core);
    uint64_t backend = 0, memory = 0;
    assert_non_null(told);
    assert_non_null(core);
    memset(&told->window, 0xa5, sizeof told->window);
    assert_int_equal(ooo_init(&told->window, machine, NULL), ARMPMU_OK);
    told->steps = steps;
    told->n_steps = n_steps;
    core->machine = machine;
    core->steps = steps;
    core->n_steps = n_steps;
    core->lost = calloc(MAX_CYCLES, sizeof *core->lost);
    core->intervals = calloc(MAX_CYCLES, sizeof *core->intervals);
    clock_all(core);
    for (unsigned i = 0; i < n_steps;)
        i += tell(told, i, most);
    for (unsigned i = 0; i < n_steps; i++) {
        assert_int_equal(told->fates[i].delivered, core->fates[i].delivered);
        assert_int_equal(told->fates[i].dispatched, core->fates[i].dispatched);
        assert_int_equal(told->fates[i].issued, core->fates[i].issued);
        assert_int_equal(told->fates[i].retired, core->fates[i].retired);
    }
    for (uint64_t cycle = 0; cycle < MAX_CYCLES; cycle++) {
        backend += core->lost[cycle];
        memory += core->lost[cycle] && core->intervals[cycle];
    }
    assert_int_equal(told->window.backend_stall, backend);
    assert_int_equal(told->window.memory_stall, memory);
    const unsigned n_together = told->n_together;
    free(core->lost);
    free(core->intervals);
    free(core);
    ooo_free(&told->window);
    ooo_free(&told->window);
    free(told);
    return n_together;
}

TEST(agrees_with_a_clocked_core_to_the_cycle)
{
    static struct step steps[N_INSNS];
    uint64_t seed = 11;

    for (unsigned round = 0; round < 60; round++) {
        const struct armpmu_machine machine = random_machine(&seed);
        random_steps(steps, N_INSNS, &seed, machine.dispatch_width, 1 + pick(&seed, 20));
        compare(&machine, steps, N_INSNS, 0);
    }
}

TEST(instructions_told_together_take_the_same_cycles)
{
    static struct step steps[N_INSNS];
    uint64_t seed = 13;
    unsigned n_together = 0;

    for (unsigned round = 0; round < 120; round++) {
        struct armpmu_machine machine = random_machine(&seed);
        if (round % 3 == 0) { /* much room, little to wait for */
            machine.window_entries = 256;
            machine.window_loads = machine.window_stores = 64;
            machine.dispatch_queue = 32;
        }
        random_steps(steps, N_INSNS, &seed, machine.dispatch_width, 1 + pick(&seed, 60));
        n_together += compare(&machine, steps, N_INSNS, 1 + pick(&seed, 30));
    }
    assert_in_range(n_together, 120 * N_INSNS / 4, 120 * N_INSNS);
}

/* As many as a machine can have: rings that are full to the last place. */
TEST(queues_may_be_as_large_as_they_can)
{
    static struct step steps[MAX_INSNS];
    uint64_t seed = 14;

    for (unsigned round = 0; round < 4; round++) {
        struct armpmu_machine machine = random_machine(&seed);
        machine.dispatch_width = 16;
        machine.dispatch_queue = machine.window_entries = OOO_RING;
        machine.window_loads = machine.window_stores = OOO_RING;
        random_steps(steps, MAX_INSNS, &seed, machine.dispatch_width, 60);
        for (unsigned i = 0; i < MAX_INSNS; i++) { /* at the end of what the queue holds, long */
            steps[i].op.store |= round == 1;
            steps[i].op.load |= round == 2;
            if (steps[i].op.unit != UNIT_NONE)
                steps[i].op.latency = i % 1100 == 0 ? 2000 : 1;
            steps[i].drain_cycles = i % 1100 == 5 ? 1500 : 1;
            steps[i].overtakes = steps[i].mispredicted = false;
            steps[i].held_for = 0;
        }
        compare(&machine, steps, MAX_INSNS, round % 2 * 20);
    }
}

/* Few registers and one unit of each kind: many wait for one result, as long as units are looked
 * ahead for, a little less or a little longer. */
TEST(what_waits_to_the_horizon_finds_a_unit)
{
    static struct step steps[N_INSNS];
    uint64_t seed = 15;

    for (unsigned round = 0; round < 12; round++) {
        struct armpmu_machine machine = random_machine(&seed);
        machine.window_entries = 20 + pick(&seed, 60);
        machine.units_integer = 1 + pick(&seed, 2);
        machine.units_branch = machine.units_load = machine.units_store = machine.units_vector = 1;
        random_steps(steps, N_INSNS, &seed, machine.dispatch_width, 20);
        for (unsigned i = 0; i < N_INSNS; i++) {
            steps[i].op.reads = UINT64_C(1) << (i % 80 < 60 ? i / 80 : 8 + i % 4);
            if (i % 80 != 0)
                continue;
            if (steps[i].op.unit == UNIT_NONE)
                steps[i].op.unit = UNIT_INTEGER;
            steps[i].op.latency = (uint16_t)(OOO_HORIZON - 40 + pick(&seed, 60));
            steps[i].op.writes = UINT64_C(1) << i / 80;
        }
        compare(&machine, steps, N_INSNS, 0);
    }
}

/* One kind of unit for everything: what waits is searched past, not through. */
TEST(a_long_queue_for_one_unit_is_in_order_of_age)
{
    static struct step steps[N_INSNS];
    uint64_t seed = 12;

    for (unsigned unit = 0; unit < UNIT_NONE; unit++) {
        struct armpmu_machine machine = random_machine(&seed);
        machine.dispatch_width = 8;
        machine.window_entries = 256;
        random_steps(steps, N_INSNS, &seed, machine.dispatch_width, 20);
        for (unsigned i = 0; i < N_INSNS; i++)
            if (steps[i].op.unit != UNIT_NONE) {
                steps[i].op.unit = (enum ooo_unit)(one_in(&seed, 10) ? UNIT_INTEGER : unit);
                if (steps[i].op.unit == UNIT_FLAGS)
                    steps[i].op.also = UNIT_NONE;
            }
        compare(&machine, steps, N_INSNS, 0);
    }
}
