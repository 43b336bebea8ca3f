/* Program flow prediction of the Cortex-R4F, by hand and against a reference that keeps whole
 * histories. */
#include "cores/cortex_r4f/predictor.h"

#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "../../reference/pick.h"
#include "../../reference/cortex_r4f/predictor.h"
#include "random_machine.h"

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

enum { STEPS = 4000, SITES = 24 };

/* ---- random programs ---- */

/* Branches of a program: loops of steady and of changing counts, calls, returns, others. */
static struct r4f_branch random_branch(uint64_t *state, unsigned *left, uint64_t *addresses,
                                       unsigned *depth)
{
    const unsigned site = pick(state, SITES);
    struct r4f_branch branch = {.pc = 0x8000 + 4 * site * 7};
    branch.fall_through = branch.pc + 4;
    branch.direct = site < 18;
    branch.target = site == 13 ? branch.pc : site % 2 == 0 ? branch.pc - 64 : branch.pc + 64;
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

static void compare(uint64_t seed)
{
    uint64_t random = seed, addresses[64];
    unsigned left = 0, depth = 0, wrong = 0;
    struct armpmu_machine other = *machine;
    struct r4f_predictor predictor;
    struct slow_predictor *slow = malloc(sizeof *slow);
    assert_non_null(slow);
    if (!one_in(&random, 3))
        vary_prediction(&other, &random);
    slow_predictor_init(slow, &other);
    assert_int_equal(r4f_predictor_init(&predictor, &other), ARMPMU_OK);
    struct r4f_branch branch = {0};
    for (unsigned step = 0; step < STEPS; step++) {
        /* A loop's branch mostly comes several times in a row. */
        if (left == 0 || branch.pc != 0x8000 || one_in(&random, 6))
            branch = random_branch(&random, &left, addresses, &depth);
        else
            branch.taken = --left > 0;
        const enum r4f_flow fast = r4f_predictor_branch(&predictor, &branch);
        const enum r4f_flow want = slow_predictor_branch(slow, &branch);
        wrong += want != R4F_FLOW_RIGHT;
        if (fast != want)
            fail_msg("seed %d, step %u, branch %llx: %d, the reference has %d", (int)seed, step,
                     (unsigned long long)branch.pc, fast, want);
    }
    assert_in_range(wrong, 400, 3600); /* neither always right nor always wrong */
    r4f_predictor_free(&predictor);
    free(slow);
}

TEST(random_branches_are_predicted_as_by_whole_histories)
{
    for (uint64_t seed = 1; seed <= 30; seed++)
        compare(seed);
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

TEST(the_loop_counter_knows_up_to_31_iterations)
{
    for (unsigned iterations = 12; iterations <= 40; iterations++) {
        struct r4f_predictor predictor;
        assert_int_equal(r4f_predictor_init(&predictor, machine), ARMPMU_OK);
        wrong_in_loops(&predictor, iterations, 4);
        assert_int_equal(wrong_in_loops(&predictor, iterations, 10), iterations <= 31 ? 0 : 10);
        r4f_predictor_free(&predictor);
    }
}

TEST(forgetting_is_a_fresh_start)
{
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

TESTS_WITH(load_machine, free_machine)
