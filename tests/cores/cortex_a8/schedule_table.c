/* The numbers of schedule states. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "schedule_programs.h"
#include "cores/cortex_a8/schedule_table.h"

#define MANY 5000

/* The linker sends the table's allocations here: one at a time can be made to fail. */
void *__real_realloc(void *old, size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);

static unsigned fails_in; /* 1: the next allocation fails, 0: none does */

static int fails_now(void)
{
    return fails_in > 0 && --fails_in == 0;
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return fails_now() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    return fails_now() ? NULL : __real_calloc(n, bytes);
}

/* Different for different n, in one field or another. */
static struct schedule_state numbered(unsigned n)
{
    struct schedule_state state = schedule_idle();

    state.ready[n % 13] = (uint8_t)(1 + n / 13 % 7);
    state.slot_open = 1;
    state.open_writes = n;
    return state;
}

static void idle_is_state_zero(void **state)
{
    const struct schedule_state idle = schedule_idle();
    struct schedule_table table;

    (void)state;
    assert_int_equal(schedule_table_init(&table), ARMPMU_OK);
    assert_int_equal(schedule_intern(&table, &idle), SCHEDULE_IDLE_ID);
    assert_memory_equal(schedule_state_of(&table, SCHEDULE_IDLE_ID), &idle, sizeof idle);
    assert_int_equal(table.n_states, 1);
    schedule_table_free(&table);
}

static void ids_are_dense_and_in_order_of_first_appearance(void **state)
{
    struct schedule_table table;

    (void)state;
    assert_int_equal(schedule_table_init(&table), ARMPMU_OK);
    for (unsigned n = 0; n < MANY; n++) {
        const struct schedule_state fresh = numbered(n), seen = numbered(n / 2);
        assert_int_equal(schedule_intern(&table, &fresh), n + 1);
        assert_int_equal(schedule_intern(&table, &seen), n / 2 + 1);
    }
    assert_int_equal(table.n_states, MANY + 1);
    schedule_table_free(&table);
}

static void every_id_keeps_its_state_as_the_table_grows(void **state)
{
    struct schedule_table table;

    (void)state;
    assert_int_equal(schedule_table_init(&table), ARMPMU_OK);
    for (unsigned n = 0; n < MANY; n++) {
        const struct schedule_state fresh = numbered(n);
        (void)schedule_intern(&table, &fresh);
    }
    for (unsigned n = 0; n < MANY; n++) {
        const struct schedule_state want = numbered(n);
        assert_memory_equal(schedule_state_of(&table, n + 1), &want, sizeof want);
    }
    schedule_table_free(&table);
}

/* A state differs from idle if any one of its bytes does. */
static void every_byte_of_a_state_counts(void **state)
{
    struct schedule_table table;

    (void)state;
    assert_int_equal(schedule_table_init(&table), ARMPMU_OK);
    for (size_t i = 0; i < sizeof(struct schedule_state); i++) {
        struct schedule_state changed = schedule_idle();
        ((unsigned char *)&changed)[i] = 1;
        assert_int_equal(schedule_intern(&table, &changed), i + 1);
    }
    schedule_table_free(&table);
}

static void an_unfilled_table_can_be_freed_twice(void **state)
{
    struct schedule_table table = {0};

    (void)state;
    schedule_table_free(&table);
    assert_int_equal(schedule_table_init(&table), ARMPMU_OK);
    schedule_table_free(&table);
    schedule_table_free(&table);
    assert_null(table.states);
}

static void a_table_without_memory_is_not_made(void **state)
{
    struct schedule_table table;

    (void)state;
    for (unsigned nth = 1; nth <= 2; nth++) {
        fails_in = nth;
        assert_int_equal(schedule_table_init(&table), ARMPMU_NO_MEMORY);
        assert_null(table.states);
        assert_null(table.ids.slots);
    }
}

static void running_out_of_memory_leaves_the_table_as_it_was(void **state)
{
    struct schedule_table table;

    (void)state;
    for (unsigned nth = 1; nth <= 2; nth++) {
        unsigned n = 0;
        struct schedule_state next = numbered(n);
        uint32_t id;
        assert_int_equal(schedule_table_init(&table), ARMPMU_OK);
        fails_in = nth; /* the first allocation to come is the table's growth */
        while ((id = schedule_intern(&table, &next)) != SCHEDULE_NO_STATE) {
            assert_int_equal(id, n + 1);
            next = numbered(++n);
        }
        assert_int_equal(table.n_states, n + 1);
        for (unsigned old = 0; old < n; old++) {
            const struct schedule_state seen = numbered(old);
            assert_int_equal(schedule_intern(&table, &seen), old + 1);
        }
        assert_int_equal(schedule_intern(&table, &next), n + 1);
        schedule_table_free(&table);
    }
}

/* The memo this is for: a block's schedule from an id is its schedule from the state. */
static void a_memo_by_id_gives_the_totals_of_one_run(void **state)
{
    const struct armpmu_machine a8 = cortex_a8();
    struct random random = {7};
    struct insn insns[PROGRAM_MAX];
    struct schedule_table table;
    struct schedule_result whole, part;
    struct schedule_state idle = schedule_idle();
    struct block *block;
    uint32_t id = SCHEDULE_IDLE_ID, cycles = 0;

    (void)state;
    for (unsigned i = 0; i < PROGRAM_MAX; i++)
        insns[i] = random_insn(&random);
    block = make_block(insns, PROGRAM_MAX);
    assert_int_equal(schedule_table_init(&table), ARMPMU_OK);
    for (unsigned i = 0; i < PROGRAM_MAX; i++) {
        const struct schedule_state before = *schedule_state_of(&table, id);
        schedule_run(&a8, block, i, i + 1, &before, &part);
        cycles += part.cycles;
        id = schedule_intern(&table, &part.after);
    }
    schedule_run(&a8, block, 0, PROGRAM_MAX, &idle, &whole);
    assert_int_equal(cycles, whole.cycles);
    assert_memory_equal(schedule_state_of(&table, id), &whole.after, sizeof whole.after);
    schedule_table_free(&table);
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_is_state_zero),
        cmocka_unit_test(ids_are_dense_and_in_order_of_first_appearance),
        cmocka_unit_test(every_id_keeps_its_state_as_the_table_grows),
        cmocka_unit_test(every_byte_of_a_state_counts),
        cmocka_unit_test(an_unfilled_table_can_be_freed_twice),
        cmocka_unit_test(a_table_without_memory_is_not_made),
        cmocka_unit_test(running_out_of_memory_leaves_the_table_as_it_was),
        cmocka_unit_test(a_memo_by_id_gives_the_totals_of_one_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
