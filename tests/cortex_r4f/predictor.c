/* Program flow prediction of the Cortex-R4F, by hand and against a reference that keeps whole
 * histories: every outcome of every loop, every call since the start. */
#include "uarch/cortex_r4f_predictor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../uarch/pick.h"

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

enum { STEPS = 20000, SITES = 24 };

struct outcome {
    uint64_t pc;
    bool taken;
};

struct slow {
    struct outcome conditional[STEPS]; /* all conditional branches so far */
    unsigned n;
    struct outcome backward[STEPS]; /* those that lead backward */
    unsigned n_backward;
    int counters[256];
    uint64_t calls[STEPS]; /* return addresses, 0 for one that was used */
    unsigned n_calls;
};

static unsigned slow_index(const struct slow *slow, uint64_t pc)
{
    unsigned history = 0;
    for (unsigned i = 0; i < 8 && i < slow->n; i++)
        history |= (unsigned)slow->conditional[slow->n - 1 - i].taken << i;
    return ((unsigned)(pc / 2) ^ history) % 256;
}

/* How often the branch at pc was taken without another backward one being taken, or itself not. */
static unsigned slow_current_run(const struct slow *slow, uint64_t pc)
{
    unsigned run = 0;
    for (unsigned i = slow->n_backward; i-- > 0;) {
        const struct outcome *outcome = &slow->backward[i];
        if (outcome->pc != pc || !outcome->taken)
            break;
        run++;
    }
    return run;
}

/* Replays all loops from the start: which one is known, with how many iterations, steady or not. */
static void slow_loop(const struct slow *slow, uint64_t *branch, unsigned *iterations, bool *steady)
{
    uint64_t running = 0;
    unsigned taken = 0;
    *branch = 0;
    *iterations = 0;
    *steady = false;
    for (unsigned i = 0; i < slow->n_backward; i++) {
        const struct outcome *outcome = &slow->backward[i];
        if (running != outcome->pc)
            taken = 0;
        if (outcome->taken) {
            running = outcome->pc;
            taken++;
            if (*branch == outcome->pc && taken >= *iterations)
                *steady = false;
            continue;
        }
        running = 0;
        if (taken == 0 && *branch != outcome->pc)
            continue;
        if (taken + 1 > 31) {
            *branch = *branch == outcome->pc ? 0 : *branch;
        } else {
            *steady = *branch == outcome->pc && *iterations == taken + 1;
            *branch = outcome->pc;
            *iterations = taken + 1;
        }
        taken = 0;
    }
}

static bool slow_direction(const struct slow *slow, uint64_t pc)
{
    uint64_t branch;
    unsigned iterations;
    bool steady;
    slow_loop(slow, &branch, &iterations, &steady);
    if (branch == pc && steady)
        return slow_current_run(slow, pc) + 1 < iterations;
    return slow->counters[slow_index(slow, pc)] >= 2;
}

/* Takes the newest address of the last four calls that are still there; 0 for none. */
static uint64_t slow_pop(struct slow *slow)
{
    return slow->n_calls == 0 ? 0 : slow->calls[--slow->n_calls];
}

static void slow_push(struct slow *slow, uint64_t address)
{
    if (slow->n_calls == 4) {
        memmove(slow->calls, slow->calls + 1, 3 * sizeof slow->calls[0]);
        slow->n_calls = 3;
    }
    slow->calls[slow->n_calls++] = address;
}

static enum r4f_flow slow_branch(struct slow *slow, const struct r4f_branch *branch)
{
    const bool predictable = branch->direct || branch->returns;
    const bool expected = predictable && (!branch->conditional || slow_direction(slow, branch->pc));
    enum r4f_flow flow = expected == branch->taken ? R4F_FLOW_RIGHT
                         : predictable             ? R4F_FLOW_DIRECTION
                                                   : R4F_FLOW_TARGET;
    if (predictable && branch->conditional) {
        int *counter = &slow->counters[slow_index(slow, branch->pc)];
        *counter += branch->taken ? 1 : -1;
        *counter = *counter < 0 ? 0 : *counter > 3 ? 3 : *counter;
        slow->conditional[slow->n++] = (struct outcome){branch->pc, branch->taken};
        if (branch->direct && branch->target < branch->pc)
            slow->backward[slow->n_backward++] = (struct outcome){branch->pc, branch->taken};
    }
    if (branch->taken && branch->returns && slow_pop(slow) != branch->target &&
        flow == R4F_FLOW_RIGHT)
        flow = R4F_FLOW_TARGET;
    if (branch->taken && branch->links)
        slow_push(slow, branch->fall_through);
    return flow;
}

/* ---- random programs ---- */

/* Branches of a program: loops of steady and of changing counts, calls, returns, others. */
static struct r4f_branch random_branch(uint64_t *state, unsigned *left, uint64_t *addresses,
                                       unsigned *depth)
{
    const unsigned site = pick(state, SITES);
    struct r4f_branch branch = {.pc = 0x8000 + 4 * site * 7};
    branch.fall_through = branch.pc + 4;
    branch.direct = site < 18;
    branch.target = site % 2 == 0 ? branch.pc - 64 : branch.pc + 64;
    branch.conditional = site < 14;
    branch.taken = !branch.conditional || one_in(state, 2);
    if (site < 4) { /* a loop that goes on */
        if (*left == 0)
            *left = site < 2 ? 3 + site * 4 : 2 + pick(state, 36);
        branch.taken = --*left > 0;
    }
    branch.links = site >= 14 && site < 17;
    if (branch.links && *depth < 64)
        addresses[(*depth)++] = branch.fall_through;
    branch.returns = site >= 18 && site < 22;
    if (branch.returns && *depth > 0)
        branch.target = addresses[--*depth] + (one_in(state, 20) ? 4 : 0);
    return branch;
}

static void random_branches_are_predicted_as_by_whole_histories(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t random = seed, addresses[64];
        unsigned left = 0, depth = 0, wrong = 0;
        struct r4f_predictor predictor;
        struct slow *slow = calloc(1, sizeof *slow);
        assert_non_null(slow);
        for (unsigned i = 0; i < 256; i++)
            slow->counters[i] = 1;
        assert_int_equal(r4f_predictor_init(&predictor, machine), ARMPMU_OK);
        struct r4f_branch branch = {0};
        for (unsigned step = 0; step < 4000; step++) {
            /* A loop's branch mostly comes several times in a row. */
            if (left == 0 || branch.pc != 0x8000 || one_in(&random, 6))
                branch = random_branch(&random, &left, addresses, &depth);
            else
                branch.taken = --left > 0;
            const enum r4f_flow fast = r4f_predictor_branch(&predictor, &branch);
            const enum r4f_flow want = slow_branch(slow, &branch);
            wrong += want != R4F_FLOW_RIGHT;
            if (fast != want)
                fail_msg("seed %d, step %u, branch %llx: %d, the reference has %d", (int)seed, step,
                         (unsigned long long)branch.pc, fast, want);
        }
        assert_in_range(wrong, 400, 3600); /* neither always right nor always wrong */
        r4f_predictor_free(&predictor);
        free(slow);
    }
}

/* ---- by hand ---- */

static unsigned wrong_in_loops(struct r4f_predictor *predictor, unsigned iterations, unsigned runs)
{
    unsigned wrong = 0;
    for (unsigned run = 0; run < runs; run++) {
        for (unsigned i = 1; i <= iterations; i++)
            wrong +=
                r4f_predictor_branch(predictor, &(struct r4f_branch){.pc = 0x8010,
                                                                     .fall_through = 0x8014,
                                                                     .target = 0x8000,
                                                                     .conditional = true,
                                                                     .direct = true,
                                                                     .taken = i < iterations}) !=
                R4F_FLOW_RIGHT;
    }
    return wrong;
}

static void the_loop_counter_knows_up_to_31_iterations(void **state)
{
    (void)state;
    for (unsigned iterations = 12; iterations <= 40; iterations++) {
        struct r4f_predictor predictor;
        assert_int_equal(r4f_predictor_init(&predictor, machine), ARMPMU_OK);
        wrong_in_loops(&predictor, iterations, 4);
        assert_int_equal(wrong_in_loops(&predictor, iterations, 10), iterations <= 31 ? 0 : 10);
        r4f_predictor_free(&predictor);
    }
}

static void forgetting_is_a_fresh_start(void **state)
{
    (void)state;
    struct r4f_predictor predictor, fresh;
    assert_int_equal(r4f_predictor_init(&predictor, machine), ARMPMU_OK);
    assert_int_equal(r4f_predictor_init(&fresh, machine), ARMPMU_OK);
    wrong_in_loops(&predictor, 9, 9);
    r4f_predictor_forget(&predictor);
    for (unsigned run = 0; run < 20; run++)
        assert_int_equal(wrong_in_loops(&predictor, 7, 1), wrong_in_loops(&fresh, 7, 1));
    r4f_predictor_free(&predictor);
    r4f_predictor_free(&fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_branches_are_predicted_as_by_whole_histories),
        cmocka_unit_test(the_loop_counter_knows_up_to_31_iterations),
        cmocka_unit_test(forgetting_is_a_fresh_start),
    };
    return cmocka_run_group_tests_name("cortex-r4f predictor", tests, load_machine, free_machine);
}
