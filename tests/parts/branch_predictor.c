/* The predictor, by hand-worked sequences and against a slow reference: a dictionary of branches
 * keyed by pc, confidences from -2 to 1, and a list of return addresses. */
#include "parts/branch_predictor.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "../reference/pick.h"

#define NOWHERE UINT64_C(0xbadbadbad) /* what *wrong_path holds when there was no flush */

/* ---- the slow reference ---- */

struct known_branch {
    uint64_t pc, target;
};

struct slow_predictor {
    const struct armpmu_machine *machine;
    struct known_branch known[1024]; /* in the order in which they came */
    unsigned n_known;
    signed char confidence[4096]; /* -2 surely not, -1 likely not, 0 likely, 1 surely taken */
    bool outcome[20];             /* of the last conditional branches, the newest first */
    uint64_t returns[64];         /* oldest first */
    unsigned n_returns;
};

static void slow_init(struct slow_predictor *slow, const struct armpmu_machine *machine)
{
    memset(slow, 0, sizeof *slow);
    slow->machine = machine;
    memset(slow->confidence, -1, sizeof slow->confidence);
}

static struct known_branch *slow_known(struct slow_predictor *slow, uint64_t pc)
{
    for (unsigned i = 0; i < slow->n_known; i++)
        if (slow->known[i].pc == pc)
            return &slow->known[i];
    return NULL;
}

static uint64_t slow_set(const struct slow_predictor *slow, uint64_t pc)
{
    unsigned n_sets = slow->machine->branch_btb_entries / slow->machine->branch_btb_ways;
    return pc / 4 % n_sets;
}

/* Enters a branch; when its set is full the one that came first is forgotten. */
static void slow_remember(struct slow_predictor *slow, uint64_t pc, uint64_t target)
{
    unsigned n_in_set = 0, first = 0;
    for (unsigned i = slow->n_known; i-- > 0;) {
        if (slow_set(slow, slow->known[i].pc) != slow_set(slow, pc))
            continue;
        n_in_set++;
        first = i;
    }
    if (n_in_set == slow->machine->branch_btb_ways) {
        slow->n_known--;
        for (unsigned i = first; i < slow->n_known; i++)
            slow->known[i] = slow->known[i + 1];
    }
    slow->known[slow->n_known++] = (struct known_branch){pc, target};
}

static signed char *slow_confidence(struct slow_predictor *slow, uint64_t pc)
{
    uint64_t history = 0;
    for (unsigned i = slow->machine->branch_history_bits; i-- > 0;)
        history = history * 2 + (slow->outcome[i] ? 1 : 0);
    return &slow->confidence[((history * 4) ^ (pc / 4 % 16)) % slow->machine->branch_counters];
}

static bool slow_direction(struct slow_predictor *slow, const struct flow *flow)
{
    if (!flow->conditional)
        return true;
    signed char *confidence = slow_confidence(slow, flow->pc);
    bool guess = *confidence >= 0;
    if (flow->taken && *confidence < 1)
        ++*confidence;
    if (!flow->taken && *confidence > -2)
        --*confidence;
    memmove(&slow->outcome[1], &slow->outcome[0], sizeof slow->outcome - sizeof slow->outcome[0]);
    slow->outcome[0] = flow->taken;
    return guess;
}

static void slow_call(struct slow_predictor *slow, uint64_t address)
{
    unsigned room = slow->machine->branch_return_stack;
    if (room == 0)
        return;
    if (slow->n_returns == room)
        memmove(&slow->returns[0], &slow->returns[1], --slow->n_returns * sizeof(uint64_t));
    slow->returns[slow->n_returns++] = address;
}

static unsigned slow_compare(const struct flow *flow, bool guess, uint64_t target, bool from_stack)
{
    if (guess && !flow->taken)
        return FLOW_FLUSH | FLOW_WRONG_DIRECTION | FLOW_PREDICTED_TAKEN;
    if (!guess && flow->taken)
        return FLOW_FLUSH | FLOW_WRONG_DIRECTION;
    if (!guess)
        return 0;
    if (target == flow->target)
        return FLOW_PREDICTED_TAKEN;
    return FLOW_FLUSH | FLOW_PREDICTED_TAKEN | (from_stack ? FLOW_WRONG_RETURN : FLOW_WRONG_TARGET);
}

static unsigned slow_branch(struct slow_predictor *slow, const struct flow *flow,
                            uint64_t *wrong_path)
{
    if (slow->machine->branch_prediction == YESNO_NO) {
        *wrong_path = flow->taken ? flow->fall_through : NOWHERE;
        return flow->taken ? FLOW_FLUSH | FLOW_UNPREDICTED : 0;
    }
    bool guess = slow_direction(slow, flow);
    struct known_branch *known = slow_known(slow, flow->pc);
    unsigned result = flow->taken ? FLOW_FLUSH | FLOW_UNPREDICTED : 0;
    uint64_t target = 0;
    if (known != NULL) {
        bool from_stack = flow->is_return && slow->n_returns > 0;
        target = from_stack ? slow->returns[slow->n_returns - 1] : known->target;
        result = slow_compare(flow, guess, target, from_stack);
    }
    *wrong_path = NOWHERE;
    if (result & FLOW_FLUSH)
        *wrong_path = result & FLOW_PREDICTED_TAKEN ? target : flow->fall_through;
    if (!flow->taken)
        return result;
    if (known != NULL)
        known->target = flow->target;
    else
        slow_remember(slow, flow->pc, flow->target);
    if (flow->is_return && slow->n_returns > 0)
        slow->n_returns--;
    if (flow->links)
        slow_call(slow, flow->fall_through);
    return result;
}

/* ---- random programs ---- */

struct program {
    struct flow branch[2048];
    unsigned length;
    uint64_t calls[256]; /* where the calls made so far return to */
    unsigned depth;
};

static void invent(struct program *program, unsigned length, uint64_t *state)
{
    program->length = length;
    program->depth = 0;
    uint64_t pc = 0x10000;
    for (unsigned i = 0; i < length; i++) {
        pc += 2 + 2 * (uint64_t)pick(state, 20);
        program->branch[i] = (struct flow){.pc = pc,
                                           .fall_through = pc + (one_in(state, 3) ? 2 : 4),
                                           .target = 0x20000 + 2 * (uint64_t)pick(state, 5000),
                                           .conditional = !one_in(state, 3),
                                           .is_return = one_in(state, 6),
                                           .links = one_in(state, 5)};
    }
}

/* One branch of the program, executed: a biased outcome, returns that mostly go to their caller. */
static struct flow execute(struct program *program, uint64_t *state)
{
    unsigned which = pick(state, program->length);
    struct flow flow = program->branch[which];
    flow.taken = !flow.conditional || one_in(state, 10) != (which % 3 != 0);
    if (one_in(state, 500)) /* an unconditional branch that an exception cut off */
        flow.taken = false;
    if (one_in(state, 30))
        flow.target += 8;
    if (!flow.taken)
        return flow;
    if (flow.is_return && program->depth > 0 && !one_in(state, 10))
        flow.target = program->calls[--program->depth];
    if (flow.links && program->depth < 256)
        program->calls[program->depth++] = flow.fall_through;
    return flow;
}

static struct armpmu_machine machine_with(unsigned entries, unsigned ways, unsigned history_bits,
                                          unsigned counters, unsigned return_stack)
{
    return (struct armpmu_machine){.branch_prediction = YESNO_YES,
                                   .branch_btb_entries = entries,
                                   .branch_btb_ways = ways,
                                   .branch_history_bits = history_bits,
                                   .branch_counters = counters,
                                   .branch_return_stack = return_stack};
}

/* quick: the inline case is asked first, as the core model does. */
static void compare(const struct armpmu_machine *machine, unsigned program_length, uint64_t seed,
                    unsigned operations, bool quick)
{
    static struct slow_predictor slow;
    static struct program program;
    struct branch_predictor predictor;
    uint64_t state = seed;
    unsigned seen = 0;
    struct btb_entry *before[16] = {NULL}; /* where branches were found, some of them of others */
    invent(&program, program_length, &state);
    slow_init(&slow, machine);
    assert_int_equal(branch_predictor_init(&predictor, machine, NULL), ARMPMU_OK);
    for (unsigned op = 0; op < operations; op++) {
        struct flow flow = execute(&program, &state);
        uint64_t path = NOWHERE, want_path;
        struct btb_entry **const found = &before[flow.pc >> 2 & 15];
        unsigned result =
            quick && branch_predictor_agrees(&predictor, &flow, found, flow.taken, flow.target)
                ? (flow.taken ? FLOW_PREDICTED_TAKEN : 0)
                : branch_predictor_branch(&predictor, &flow, &path);
        *found = branch_predictor_find(&predictor, flow.pc);
        unsigned want = slow_branch(&slow, &flow, &want_path);
        seen |= result;
        if (result != want || path != want_path)
            fail_msg("seed %llu operation %u, branch at %llx: result %u path %llx, want %u %llx",
                     (unsigned long long)seed, op, (unsigned long long)flow.pc, result,
                     (unsigned long long)path, want, (unsigned long long)want_path);
    }
    branch_predictor_free(&predictor);
    /* The programs reach every kind of result, or they prove little. */
    unsigned all = FLOW_PREDICTED_TAKEN | FLOW_WRONG_DIRECTION | FLOW_WRONG_TARGET |
                   FLOW_UNPREDICTED | FLOW_FLUSH;
    if (machine->branch_return_stack > 0)
        all |= FLOW_WRONG_RETURN;
    assert_int_equal(seen,
                     machine->branch_prediction == YESNO_YES ? all : FLOW_UNPREDICTED | FLOW_FLUSH);
}

TEST(branch_predictor_agrees_with_the_slow_reference)
{
    static const struct {
        unsigned entries, ways, history_bits, counters, return_stack, program_length, operations;
    } geometries[] = {{2, 1, 0, 2, 0, 6, 200000},        {4, 4, 3, 16, 1, 8, 200000},
                      {16, 2, 10, 4096, 3, 30, 200000},  {128, 128, 20, 1024, 8, 150, 100000},
                      {64, 1, 4, 4096, 64, 60, 200000},  {512, 2, 10, 4096, 8, 500, 100000},
                      {512, 2, 10, 4096, 8, 1500, 50000}};
    for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++) {
        struct armpmu_machine machine =
            machine_with(geometries[i].entries, geometries[i].ways, geometries[i].history_bits,
                         geometries[i].counters, geometries[i].return_stack);
        compare(&machine, geometries[i].program_length, 77 + i, geometries[i].operations, false);
        compare(&machine, geometries[i].program_length, 77 + i, geometries[i].operations, true);
    }
    struct armpmu_machine off = machine_with(512, 2, 10, 4096, 8);
    off.branch_prediction = YESNO_NO;
    compare(&off, 100, 99, 50000, false);
    compare(&off, 100, 99, 50000, true);
}

/* ---- by hand ---- */

static const uint64_t TARGET = 0x9000;

static struct flow conditional(uint64_t pc, bool taken)
{
    return (struct flow){
        .pc = pc, .fall_through = pc + 4, .target = TARGET, .conditional = true, .taken = taken};
}

static struct flow call(uint64_t pc, uint64_t target)
{
    return (struct flow){
        .pc = pc, .fall_through = pc + 4, .target = target, .taken = true, .links = true};
}

static struct flow return_to(uint64_t pc, uint64_t target)
{
    return (struct flow){
        .pc = pc, .fall_through = pc + 4, .target = target, .taken = true, .is_return = true};
}

static struct flow jump(uint64_t pc, uint64_t target)
{
    return (struct flow){.pc = pc, .fall_through = pc + 4, .target = target, .taken = true};
}

static struct branch_predictor branch_predictor_of(const struct armpmu_machine machine)
{
    struct branch_predictor predictor;
    assert_int_equal(branch_predictor_init(&predictor, &machine, NULL), ARMPMU_OK);
    return predictor;
}

/* line: of the test, for the message. path: where the front end went, NOWHERE without a flush. */
static void expect(struct branch_predictor *predictor, struct flow flow, unsigned want,
                   uint64_t want_path, int line)
{
    uint64_t path = NOWHERE;
    unsigned result = branch_predictor_branch(predictor, &flow, &path);
    if (result != want || path != want_path)
        fail_msg("line %d: result %u path %llx, want %u %llx", line, result,
                 (unsigned long long)path, want, (unsigned long long)want_path);
}

enum {
    MISSED = FLOW_UNPREDICTED | FLOW_FLUSH,
    RIGHT = FLOW_PREDICTED_TAKEN,
    NOT_TAKEN_AFTER_ALL = FLOW_PREDICTED_TAKEN | FLOW_WRONG_DIRECTION | FLOW_FLUSH,
    TAKEN_AFTER_ALL = FLOW_WRONG_DIRECTION | FLOW_FLUSH,
    BAD_RETURN = FLOW_PREDICTED_TAKEN | FLOW_WRONG_RETURN | FLOW_FLUSH,
    BAD_TARGET = FLOW_PREDICTED_TAKEN | FLOW_WRONG_TARGET | FLOW_FLUSH,
};

/* One counter matters (no history, one pc). Its value before each step is in the comment. */
TEST(two_bits_forgive_one_wrong_outcome)
{
    struct branch_predictor p = branch_predictor_of(machine_with(4, 2, 0, 16, 2));
    uint64_t pc = 0x100, next = 0x104;
    expect(&p, conditional(pc, false), 0, NOWHERE, __LINE__);                  /* 1, BTB empty */
    expect(&p, conditional(pc, true), MISSED, next, __LINE__);                 /* 0, BTB empty */
    expect(&p, conditional(pc, true), TAKEN_AFTER_ALL, next, __LINE__);        /* 1 */
    expect(&p, conditional(pc, true), RIGHT, NOWHERE, __LINE__);               /* 2 */
    expect(&p, conditional(pc, true), RIGHT, NOWHERE, __LINE__);               /* 3 */
    expect(&p, conditional(pc, false), NOT_TAKEN_AFTER_ALL, TARGET, __LINE__); /* 3 */
    expect(&p, conditional(pc, true), RIGHT, NOWHERE, __LINE__);               /* 2 */
    expect(&p, conditional(pc, false), NOT_TAKEN_AFTER_ALL, TARGET, __LINE__); /* 3 */
    expect(&p, conditional(pc, false), NOT_TAKEN_AFTER_ALL, TARGET, __LINE__); /* 2 */
    expect(&p, conditional(pc, false), 0, NOWHERE, __LINE__);                  /* 1 */
    expect(&p, conditional(pc, false), 0, NOWHERE, __LINE__);                  /* 0 */
    expect(&p, conditional(pc, true), TAKEN_AFTER_ALL, next, __LINE__);        /* 0 */
    expect(&p, conditional(pc, true), TAKEN_AFTER_ALL, next, __LINE__);        /* 1 */
    expect(&p, conditional(pc, true), RIGHT, NOWHERE, __LINE__);               /* 2 */
    branch_predictor_free(&p);
}

/* With one bit of history an alternating branch has a counter for each phase: taken follows not
 * taken (counter 0), not taken follows taken (counter 4). Counter 0 starts at 1. */
TEST(history_tells_the_phases_of_an_alternating_branch_apart)
{
    struct branch_predictor p = branch_predictor_of(machine_with(4, 2, 1, 16, 2));
    expect(&p, conditional(0x100, true), MISSED, 0x104, __LINE__); /* counter 0: 1 to 2 */
    expect(&p, conditional(0x100, false), 0, NOWHERE, __LINE__);   /* counter 4: 1 to 0 */
    for (int i = 0; i < 50; i++) {
        expect(&p, conditional(0x100, true), RIGHT, NOWHERE, __LINE__);
        expect(&p, conditional(0x100, false), 0, NOWHERE, __LINE__);
    }
    assert_int_equal(p.counters[0], 3);
    assert_int_equal(p.counters[4], 0);
    branch_predictor_free(&p);
}

/* After taken, not taken, taken the history is 101; pc 0x12c has pc / 4 mod 16 = 11. The counter is
 * 10100 xor 1011 = 11111. */
TEST(the_counter_is_chosen_by_history_and_address)
{
    struct branch_predictor p = branch_predictor_of(machine_with(4, 2, 10, 4096, 2));
    expect(&p, conditional(0x100, true), MISSED, 0x104, __LINE__);
    expect(&p, conditional(0x200, false), 0, NOWHERE, __LINE__);
    expect(&p, conditional(0x300, true), MISSED, 0x304, __LINE__);
    assert_int_equal(p.counters[31], 1);
    expect(&p, conditional(0x12c, true), MISSED, 0x130, __LINE__);
    assert_int_equal(p.counters[31], 2);
    branch_predictor_free(&p);
}

/* Two sets of two ways; pcs 0x100, 0x108, 0x110 share a set, 0x104 is in the other. */
TEST(a_full_set_forgets_the_branch_that_came_first)
{
    struct branch_predictor p = branch_predictor_of(machine_with(4, 2, 0, 16, 0));
    expect(&p, jump(0x100, TARGET), MISSED, 0x104, __LINE__);
    expect(&p, jump(0x108, TARGET), MISSED, 0x10c, __LINE__);
    expect(&p, jump(0x104, TARGET), MISSED, 0x108, __LINE__);
    expect(&p, jump(0x100, TARGET), RIGHT, NOWHERE, __LINE__); /* a hit does not make it younger */
    expect(&p, jump(0x110, TARGET), MISSED, 0x114, __LINE__);  /* 0x100 is gone */
    expect(&p, jump(0x108, TARGET), RIGHT, NOWHERE, __LINE__);
    expect(&p, jump(0x104, TARGET), RIGHT, NOWHERE, __LINE__);
    expect(&p, jump(0x100, TARGET), MISSED, 0x104, __LINE__); /* 0x108 is gone */
    expect(&p, jump(0x110, TARGET), RIGHT, NOWHERE, __LINE__);
    expect(&p, jump(0x108, TARGET), MISSED, 0x10c, __LINE__);
    branch_predictor_free(&p);
}

/* Their directions and the return stack stay. */
TEST(forgotten_branches_miss_the_btb)
{
    struct branch_predictor p = branch_predictor_of(machine_with(4, 2, 0, 16, 0));
    for (uint64_t pc = 0x100; pc < 0x110; pc += 4)
        expect(&p, jump(pc, TARGET), MISSED, pc + 4, __LINE__);
    branch_predictor_forget(&p, 0x108);
    branch_predictor_forget(&p, 0x208); /* which it does not know */
    expect(&p, jump(0x100, TARGET), RIGHT, NOWHERE, __LINE__);
    expect(&p, jump(0x104, TARGET), RIGHT, NOWHERE, __LINE__);
    expect(&p, jump(0x10c, TARGET), RIGHT, NOWHERE, __LINE__);
    expect(&p, jump(0x108, TARGET), MISSED, 0x10c, __LINE__);
    branch_predictor_forget_all(&p);
    for (uint64_t pc = 0x100; pc < 0x110; pc += 4)
        expect(&p, jump(pc, TARGET), MISSED, pc + 4, __LINE__);
    branch_predictor_free(&p);
}

/* A Thumb branch two bytes on shares the set but not the entry: the whole pc is the tag. */
TEST(the_tag_is_the_whole_address)
{
    struct branch_predictor p = branch_predictor_of(machine_with(4, 2, 0, 16, 0));
    expect(&p, jump(0x100, TARGET), MISSED, 0x104, __LINE__);
    expect(&p, jump(0x102, TARGET), MISSED, 0x106, __LINE__);
    expect(&p, jump(UINT64_C(0x100000100), TARGET), MISSED, UINT64_C(0x100000104), __LINE__);
    branch_predictor_free(&p);
}

TEST(an_indirect_branch_is_sent_where_it_went_last)
{
    struct branch_predictor p = branch_predictor_of(machine_with(4, 2, 0, 16, 2));
    expect(&p, jump(0x100, 0x500), MISSED, 0x104, __LINE__);
    expect(&p, jump(0x100, 0x600), BAD_TARGET, 0x500, __LINE__);
    expect(&p, jump(0x100, 0x600), RIGHT, NOWHERE, __LINE__);
    branch_predictor_free(&p);
}

/* Three calls deep with a stack of two: the oldest address is lost, and its return falls back on
 * the BTB. The return at 0x800 is in the BTB from the start. */
TEST(a_full_return_stack_loses_the_oldest_address)
{
    struct branch_predictor p = branch_predictor_of(machine_with(16, 4, 0, 16, 2));
    expect(&p, return_to(0x800, 0x700), MISSED, 0x804, __LINE__); /* stack empty: pop is nothing */
    expect(&p, call(0x104, 0x200), MISSED, 0x108, __LINE__);
    expect(&p, call(0x208, 0x300), MISSED, 0x20c, __LINE__);
    expect(&p, call(0x30c, 0x800), MISSED, 0x310, __LINE__); /* overwrites 0x108 */
    expect(&p, return_to(0x800, 0x310), RIGHT, NOWHERE, __LINE__);
    expect(&p, return_to(0x800, 0x20c), RIGHT, NOWHERE, __LINE__);
    expect(&p, return_to(0x800, 0x108), BAD_TARGET, 0x20c, __LINE__); /* BTB: where it went last */
    expect(&p, return_to(0x800, 0x108), RIGHT, NOWHERE, __LINE__); /* underflow again, BTB right */
    expect(&p, call(0x104, 0x200), RIGHT, NOWHERE, __LINE__); /* the ring still works after it */
    expect(&p, return_to(0x800, 0x108), RIGHT, NOWHERE, __LINE__);
    branch_predictor_free(&p);
}

/* longjmp: the return goes elsewhere than the stack says. */
TEST(a_return_elsewhere_is_a_wrong_return)
{
    struct branch_predictor p = branch_predictor_of(machine_with(16, 4, 0, 16, 8));
    expect(&p, return_to(0x800, 0x700), MISSED, 0x804, __LINE__);
    expect(&p, call(0x104, 0x800), MISSED, 0x108, __LINE__);
    expect(&p, return_to(0x800, 0x700), BAD_RETURN, 0x108, __LINE__);
    assert_int_equal(p.stack_used, 0);
    branch_predictor_free(&p);
}

/* BXNE LR: popped only when it returns. Its counter goes 1 2 3 2 3. */
TEST(a_conditional_return_pops_only_when_taken)
{
    struct branch_predictor p = branch_predictor_of(machine_with(16, 4, 0, 16, 8));
    struct flow taken = return_to(0x800, 0x108), not_taken = taken;
    taken.conditional = not_taken.conditional = true;
    not_taken.taken = false;
    expect(&p, call(0x104, 0x800), MISSED, 0x108, __LINE__);
    expect(&p, taken, MISSED, 0x804, __LINE__); /* missed the BTB, and popped */
    assert_int_equal(p.stack_used, 0);
    expect(&p, call(0x104, 0x800), RIGHT, NOWHERE, __LINE__);
    expect(&p, not_taken, NOT_TAKEN_AFTER_ALL, 0x108, __LINE__);
    assert_int_equal(p.stack_used, 1);
    expect(&p, taken, TAKEN_AFTER_ALL, 0x804, __LINE__); /* direction wrong, popped all the same */
    assert_int_equal(p.stack_used, 0);
    branch_predictor_free(&p);
}

TEST(a_call_that_is_not_taken_pushes_nothing)
{
    struct branch_predictor p = branch_predictor_of(machine_with(16, 4, 0, 16, 8));
    struct flow blne = call(0x100, 0x200);
    blne.conditional = true;
    blne.taken = false;
    expect(&p, blne, 0, NOWHERE, __LINE__);
    assert_int_equal(p.stack_used, 0);
    blne.taken = true;
    expect(&p, blne, MISSED, 0x104, __LINE__);
    assert_int_equal(p.stack_used, 1);
    branch_predictor_free(&p);
}

TEST(without_a_return_stack_returns_use_the_btb)
{
    struct branch_predictor p = branch_predictor_of(machine_with(16, 4, 0, 16, 0));
    expect(&p, call(0x104, 0x800), MISSED, 0x108, __LINE__);
    expect(&p, return_to(0x800, 0x108), MISSED, 0x804, __LINE__);
    expect(&p, call(0x204, 0x800), MISSED, 0x208, __LINE__);
    expect(&p, return_to(0x800, 0x208), BAD_TARGET, 0x108, __LINE__);
    expect(&p, return_to(0x800, 0x208), RIGHT, NOWHERE, __LINE__);
    branch_predictor_free(&p);
}

TEST(without_prediction_every_taken_branch_flushes_and_nothing_is_learned)
{
    struct armpmu_machine machine = machine_with(16, 4, 4, 16, 8);
    machine.branch_prediction = YESNO_NO;
    struct branch_predictor p = branch_predictor_of(machine);
    for (int i = 0; i < 4; i++) {
        expect(&p, conditional(0x100, true), MISSED, 0x104, __LINE__);
        expect(&p, conditional(0x100, false), 0, NOWHERE, __LINE__);
        expect(&p, call(0x200, 0x300), MISSED, 0x204, __LINE__);
        expect(&p, return_to(0x300, 0x204), MISSED, 0x304, __LINE__);
    }
    assert_int_equal(p.stack_used, 0);
    assert_int_equal(p.history, 0);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(p.counters[i], 1);
        assert_int_equal(p.btb[i].pc, 1);
    }
    branch_predictor_free(&p);
}

TEST(bad_geometry_is_refused_by_name_and_value)
{
    static const struct {
        int line;
        unsigned entries, ways, history_bits, counters, return_stack;
        const char *message;
    } cases[] = {
        {__LINE__, 500, 2, 10, 4096, 8, "branch.btb_entries: 500, must be a power of two"},
        {__LINE__, 0, 2, 10, 4096, 8, "branch.btb_entries: 0, must be a power of two"},
        {__LINE__, 512, 3, 10, 4096, 8, "branch.btb_ways: 3, must be a power of two"},
        {__LINE__, 512, 256, 10, 4096, 8,
         "branch.btb_ways: 256, must be a power of two and at "
         "most 128"},
        {__LINE__, 4, 8, 10, 4096, 8,
         "branch.btb_ways: 8, must be at most branch.btb_entries, "
         "which is 4"},
        {__LINE__, 512, 2, 10, 4095, 8, "branch.counters: 4095, must be a power of two"},
        {__LINE__, 512, 2, 21, 4096, 8, "branch.history_bits: 21, must be at most 20"},
        {__LINE__, 512, 2, 10, 4096, 65, "branch.return_stack: 65, must be at most 64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu_machine machine =
            machine_with(cases[i].entries, cases[i].ways, cases[i].history_bits, cases[i].counters,
                         cases[i].return_stack);
        struct branch_predictor predictor;
        struct armpmu_error err = {""};
        enum armpmu_status status = branch_predictor_init(&predictor, &machine, &err);
        if (status != ARMPMU_BAD_CONFIG || strstr(err.message, cases[i].message) != err.message)
            fail_msg("case of line %d: status %d, message %s", cases[i].line, status, err.message);
        branch_predictor_free(&predictor);
    }
}
