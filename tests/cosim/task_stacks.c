/* Tasks told apart by their stacks: what cosim/task_stacks.h says. */
#include <stdlib.h>

#include "../test.h"
#include "cosim/task_stacks.h"

/* Code, and stacks of 512 bytes one above the other. */
enum { MAIN = 0x100, SWITCH = 0x200, ONE = 0x300, TWO = 0x400, STACKS = 0x8000, STACK = 512 };

static int setup(void **state)
{
    static struct task_stacks tasks;
    *state = &tasks;
    return task_stacks_init(&tasks) ? 0 : -1;
}

static int teardown(void **state)
{
    task_stacks_free(*state);
    return 0;
}

static uint64_t stack(unsigned number)
{
    return STACKS + number * STACK;
}

static uint32_t resumes(struct task_stacks *tasks, uint64_t pc, uint64_t sp)
{
    return task_stacks_follow(tasks, STACK_RETURNS, pc, sp);
}

/* A scheduler that has loaded a stack pointer begins a task; a call says where main's stack ends.
 */
static uint32_t begin(struct task_stacks *tasks, uint64_t pc, uint64_t sp)
{
    task_stacks_load(tasks, 0, stack(0) - 64);
    return resumes(tasks, pc, sp);
}

TEST_WITH(an_interrupt_returns_to_where_it_was, setup, teardown)
{
    struct task_stacks *const tasks = *state;
    task_stacks_interrupt(tasks, MAIN, stack(0));
    assert_int_equal(resumes(tasks, MAIN, stack(0)), 0);
    task_stacks_interrupt(tasks, MAIN, stack(0));
    task_stacks_interrupt(tasks, SWITCH, stack(9)); /* in the handler */
    assert_int_equal(resumes(tasks, SWITCH, stack(9)), 0);
    assert_int_equal(resumes(tasks, MAIN + 4, stack(0)), 0); /* behind the instruction */
    assert_int_equal(tasks->n_left, 0);
}

TEST_WITH(tasks_wait_at_the_same_address, setup, teardown)
{
    struct task_stacks *const tasks = *state;
    assert_int_equal(begin(tasks, ONE, stack(1)), 1);
    for (unsigned round = 0; round < 3; round++) {
        task_stacks_interrupt(tasks, SWITCH, stack(1) - 32);
        assert_int_equal(resumes(tasks, round == 0 ? TWO : SWITCH, stack(2) - (round ? 32 : 0)), 2);
        task_stacks_interrupt(tasks, SWITCH, stack(2) - 32);
        assert_int_equal(resumes(tasks, SWITCH, stack(1) - 32), 1);
    }
    assert_int_equal(tasks->n_contexts, 3);
    assert_int_equal(tasks->n_left, 1);
}

/* To a lower level, whose stack pointer is its own. */
TEST_WITH(a_return_without_an_exception_goes_on, setup, teardown)
{
    struct task_stacks *const tasks = *state;
    assert_int_equal(resumes(tasks, MAIN, 0), 0);
}

static uint32_t switches(struct task_stacks *tasks, uint64_t link, uint64_t sp, uint64_t pc,
                         uint64_t next)
{
    task_stacks_load(tasks, link, sp);
    assert_true(task_stacks_asks(tasks, STACK_LOADED | STACK_JUMPS));
    return task_stacks_follow(tasks, STACK_LOADED | STACK_JUMPS, pc, next);
}

TEST_WITH(tasks_switch_by_calls, setup, teardown)
{
    struct task_stacks *const tasks = *state;
    assert_true(task_stacks_asks(tasks, STACK_CALLS));
    assert_int_equal(task_stacks_follow(tasks, STACK_CALLS, MAIN, stack(0)), 0);
    assert_false(task_stacks_asks(tasks, STACK_CALLS));
    assert_int_equal(switches(tasks, MAIN, stack(0) - 64, ONE, stack(1)), 1);
    assert_int_equal(switches(tasks, SWITCH, stack(1) - 64, TWO, stack(2)), 2);
    assert_int_equal(switches(tasks, SWITCH, stack(2) - 64, SWITCH, stack(1) - 64), 1);
    assert_int_equal(switches(tasks, SWITCH, stack(1) - 64, SWITCH, stack(2) - 64), 2);
    assert_int_equal(switches(tasks, SWITCH, stack(2) - 64, MAIN, stack(0) - 64), 0);
}

TEST_WITH(longjmp_stays_on_its_stack, setup, teardown)
{
    struct task_stacks *const tasks = *state;
    assert_int_equal(task_stacks_follow(tasks, STACK_CALLS, MAIN, stack(0)), 0);
    assert_int_equal(switches(tasks, SWITCH, stack(0) - 400, MAIN, stack(0) - 8), 0);
    assert_false(task_stacks_asks(tasks, STACK_JUMPS));
}

/* A start that sets the stack pointer, then calls or jumps. */
TEST_WITH(the_first_stack_is_no_task, setup, teardown)
{
    struct task_stacks *const tasks = *state;
    task_stacks_load(tasks, 0, 0x7000);
    assert_int_equal(task_stacks_follow(tasks, STACK_JUMPS, MAIN, stack(0)), 0);
    task_stacks_load(tasks, 0, stack(0));
    assert_int_equal(task_stacks_follow(tasks, STACK_CALLS, MAIN, stack(3)), 0);
    assert_int_equal(tasks->bases[0], stack(3));
}

TEST_WITH(exceptions_that_do_not_return_are_forgotten, setup, teardown)
{
    struct task_stacks *const tasks = *state;
    for (unsigned i = 0; i < 100000; i++)
        task_stacks_interrupt(tasks, MAIN + i, stack(0));
    assert_in_range(tasks->n_left, 1, 4096);
    assert_int_equal(resumes(tasks, MAIN + 99999, stack(0)), 0);
}

static unsigned effect_of(enum armpmu_isa isa, const uint32_t *words, uint32_t n)
{
    struct armpmu_error err;
    struct decoder *decoder;
    struct block *block;
    const struct armpmu_block_source source = {.isa = isa,
                                               .address = 0x1000,
                                               .bytes = (const uint8_t *)words,
                                               .n_bytes = 4 * n,
                                               .n_insns = n};
    assert_int_equal(decoder_new(&decoder, &err), ARMPMU_OK);
    assert_int_equal(decode_block(decoder, &source, 0, &block), ARMPMU_OK);
    const unsigned effect = task_stacks_effect(block);
    free(block);
    decoder_free(decoder);
    return effect;
}

#define EFFECT(isa, ...)                                                                           \
    effect_of(isa, (const uint32_t[]){__VA_ARGS__},                                                \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

TEST_WITH(effects_of_blocks, setup, teardown)
{
    /* push; str sp, [r0]; ldr sp, [r1]; pop {.., pc} */
    assert_int_equal(EFFECT(ARMPMU_A32, 0xe92d4ff0, 0xe580d000, 0xe591d000, 0xe8bd8ff0),
                     STACK_LOADED | STACK_JUMPS);
    assert_int_equal(EFFECT(ARMPMU_A32, 0xe8bd8ff0), STACK_JUMPS);
    assert_int_equal(EFFECT(ARMPMU_A32, 0xe1a0d00b, 0xe8bd8800), STACK_JUMPS); /* mov sp, fp */
    assert_int_equal(EFFECT(ARMPMU_A32, 0xe24dd008, 0xeb000000), STACK_CALLS); /* sub sp; bl */
    assert_int_equal(
        EFFECT(ARMPMU_A32, 0xe5913000, 0xe1a0d003, 0xe12fff1e), /* ldr r3; mov sp, r3 */
        STACK_LOADED | STACK_JUMPS);
    assert_int_equal(EFFECT(ARMPMU_A32, 0xf8bd0a00), STACK_RETURNS);            /* rfeia sp! */
    assert_int_equal(EFFECT(ARMPMU_A32, 0xe8de7fff, 0xe1a00000), STACK_LOADED); /* ldm lr, {..}^ */
    assert_int_equal(
        EFFECT(ARMPMU_A64, 0xf9400001, 0x9100003f, 0xd69f03e0), /* ldr x1; mov sp, x1 */
        STACK_LOADED | STACK_RETURNS);
    assert_int_equal(EFFECT(ARMPMU_A64, 0x910003bf, 0xa8c17bfd, 0xd65f03c0), STACK_JUMPS);
    assert_int_equal(EFFECT(ARMPMU_A64, 0xa9bf7bfd, 0x94000000), STACK_CALLS);
}
