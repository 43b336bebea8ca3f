/* Call paths after calls, returns, jumps and exceptions, as trace/call_paths.h defines them. */
#include "../test.h"
#include "trace/call_paths.h"

/* Functions begin at multiples of 0x1000; a call at an address returns to the one after it. */
enum { MAIN = 0x1000, F = 0x2000, G = 0x3000, H = 0x4000, HANDLER = 0x5000, SIZE = 4 };

struct fixture {
    struct call_paths paths;
    uint32_t path;
    bool repeatable;
};

static int setup(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.repeatable = true};
    *state = &fixture;
    return call_paths_init(&fixture.paths) ? 0 : -1;
}

static int teardown(void **state)
{
    call_paths_free(&((struct fixture *)*state)->paths);
    return 0;
}

static uint32_t call(struct fixture *f, uint64_t from, uint64_t function)
{
    f->repeatable = true;
    f->path =
        call_paths_call(&f->paths, f->path, from, function, from + SIZE, false, &f->repeatable);
    return f->path;
}

static uint32_t jump(struct fixture *f, uint64_t to)
{
    f->repeatable = true;
    f->path = call_paths_jump(&f->paths, f->path, to, &f->repeatable);
    return f->path;
}

TEST_WITH(a_call_and_its_return, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t inside = call(f, MAIN, F);
    assert_int_not_equal(inside, 0);
    assert_true(f->repeatable);
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    assert_true(f->repeatable);
    assert_int_equal(call(f, MAIN, F), inside);
    assert_int_equal(f->paths.paths[inside].path.caller, MAIN);
    assert_int_equal(f->paths.paths[inside].path.function, F);
}

TEST_WITH(another_call_is_another_path, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t first = call(f, MAIN, F);
    jump(f, MAIN + SIZE);
    const uint32_t second = call(f, MAIN + 8, F);
    assert_int_not_equal(first, second);
    const uint32_t inner = call(f, F, G);
    assert_int_equal(f->paths.paths[inner].path.parent, second);
    assert_int_equal(jump(f, F + SIZE), second);
    assert_int_equal(jump(f, MAIN + 8 + SIZE), 0);
    const uint32_t other_function = call(f, MAIN + 8, G); /* by a register */
    assert_true(other_function != first && other_function != second && other_function != inner);
}

/* A table jump, a call by a jump at the end of a function: what was called returns to its caller.
 */
TEST_WITH(jumps_stay, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t inside = call(f, MAIN, F);
    assert_int_equal(jump(f, F + 0x100), inside);
    assert_int_equal(jump(f, G), inside);
    assert_int_equal(jump(f, MAIN + SIZE), 0);
}

static uint64_t calls_of(const struct fixture *f, uint32_t path)
{
    return f->paths.paths[path].path.n_calls;
}

/* What a jump of a path did the last time is not known of another tree. */
TEST_WITH(a_jump_that_stayed_leads_to_a_later_call, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t inside = call(f, MAIN, F);
    for (unsigned times = 0; times < 2; times++) {
        assert_int_equal(jump(f, H + SIZE), inside);
        assert_true(f->repeatable);
    }
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    call(f, H, G);
    assert_int_equal(jump(f, H + SIZE), 0);
    assert_int_equal(call(f, MAIN, F), inside);
    assert_int_equal(jump(f, H + SIZE), 0);
    assert_false(f->repeatable);
}

TEST_WITH(recursion_is_one_path_more, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t outermost = call(f, MAIN, F), inside = call(f, F + 0x10, F);
    assert_int_not_equal(inside, outermost);
    for (unsigned depth = 1; depth < 10000; depth++) {
        assert_int_equal(call(f, F + 0x10, F), inside);
        assert_false(f->repeatable);
    }
    for (unsigned depth = 1; depth < 10000; depth++) {
        assert_int_equal(jump(f, F + 0x10 + SIZE), inside);
        assert_false(f->repeatable);
    }
    assert_int_equal(jump(f, F + 0x10 + SIZE), outermost);
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    assert_int_equal(f->paths.frames.n, 0);
    assert_int_equal(f->paths.n_paths, 3);
    assert_true(calls_of(f, outermost) == ARMPMU_PROFILE_NOT_COUNTED);
    assert_int_equal(calls_of(f, inside), 10000);
}

/* As of a tree: the other call is another path, which only says how often it was. */
TEST_WITH(recursion_from_two_places, setup, teardown)
{
    struct fixture *f = *state;
    call(f, MAIN, F);
    const uint32_t inside = call(f, F + 0x10, F);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(call(f, F + 0x20, F), inside);
        assert_int_equal(jump(f, F + 0x20 + SIZE), inside);
    }
    assert_int_equal(calls_of(f, inside), 1);
    const struct call_path *const other = &f->paths.paths[f->paths.n_paths - 1];
    assert_int_equal(other->path.parent, inside);
    assert_int_equal(other->path.caller, F + 0x20);
    assert_int_equal(other->path.n_calls, 3);
}

/* A path says which functions are active, so each of them is on it. */
TEST_WITH(mutual_recursion_goes_back_where_it_came_from, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t in_f = call(f, MAIN, F), in_g = call(f, F, G);
    assert_true(f->repeatable);
    const uint32_t again_f = call(f, G, F), again_g = call(f, F, G);
    assert_true(again_f != in_f && again_g != in_g);
    assert_false(f->repeatable);
    assert_int_equal(call(f, G, F), again_f);
    assert_int_equal(call(f, F, G), again_g);
    assert_int_equal(jump(f, F + SIZE), again_f);
    assert_int_equal(jump(f, G + SIZE), again_g);
    assert_int_equal(jump(f, F + SIZE), again_f);
    assert_false(f->repeatable);
    assert_int_equal(jump(f, G + SIZE), in_g);
    assert_int_equal(jump(f, F + SIZE), in_f);
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    assert_int_equal(f->paths.frames.n, 0);
    assert_int_equal(f->paths.n_paths, 5);
    assert_int_equal(calls_of(f, again_f), 2);
    assert_int_equal(calls_of(f, again_g), 2);
}

/* setjmp is H, called by main; longjmp jumps to behind that call. */
TEST_WITH(longjmp_goes_back_to_who_called_setjmp, setup, teardown)
{
    struct fixture *f = *state;
    call(f, MAIN, H);
    jump(f, MAIN + SIZE);
    call(f, MAIN + 0x10, F);
    call(f, F, G);
    call(f, G, F); /* recursion that nobody returns from */
    call(f, F, F);
    call(f, F, F);
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    assert_int_equal(f->paths.frames.n, 0);
    call(f, MAIN + 0x10, F);
    assert_int_equal(jump(f, MAIN + 0x10 + SIZE), 0);
}

TEST_WITH(a_return_past_several_calls, setup, teardown)
{
    struct fixture *f = *state;
    call(f, MAIN, F);
    call(f, F, G);
    call(f, G, H);
    assert_int_equal(jump(f, MAIN + SIZE), 0);
}

TEST_WITH(handlers_are_paths_of_their_own, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t in_f = call(f, MAIN, F);
    f->path = call_paths_exception(&f->paths, f->path, HANDLER, F + 8);
    const uint32_t handler = f->path;
    assert_int_equal(f->paths.paths[handler].path.parent, 0);
    call(f, HANDLER, G);
    f->path = call_paths_exception(&f->paths, f->path, HANDLER, G + 8); /* again, inside it */
    assert_int_equal(f->path, handler);
    f->path = call_paths_resume(&f->paths, f->path, G + 8);
    assert_int_equal(f->paths.paths[f->path].path.function, G);
    assert_int_equal(jump(f, HANDLER + SIZE), handler);
    assert_int_equal(call_paths_resume(&f->paths, f->path, F + 8), in_f);
}

/* siglongjmp: out of a handler to behind a call of a function that was interrupted. */
TEST_WITH(a_handler_left_by_a_jump, setup, teardown)
{
    struct fixture *f = *state;
    call(f, MAIN, H);
    jump(f, MAIN + SIZE);
    call(f, MAIN + 0x10, F);
    f->path = call_paths_exception(&f->paths, f->path, HANDLER, F + 8);
    call(f, HANDLER, G);
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    assert_int_equal(f->paths.frames.n, 0);
}

/* A system that switches between tasks resumes another one than was interrupted last. */
TEST_WITH(handlers_that_return_in_another_order, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t in_f = call(f, MAIN, F);
    f->path = call_paths_exception(&f->paths, f->path, HANDLER, F + 8);
    const uint32_t in_g = f->path =
        call_paths_call(&f->paths, 0, MAIN, G, MAIN + SIZE, false, &f->repeatable);
    f->path = call_paths_exception(&f->paths, f->path, HANDLER, G + 8);
    assert_int_equal(call_paths_resume(&f->paths, f->path, F + 8), in_f);
    assert_int_not_equal(in_f, in_g);
    assert_int_equal(f->paths.frames.n, 0);
    assert_int_equal(call_paths_resume(&f->paths, in_f, 0x77), in_f); /* nothing was interrupted */
}

/* Of functions that are called once each. */
static void make_paths(struct fixture *f, uint32_t n_paths)
{
    for (uint32_t n = (uint32_t)f->paths.n_paths; n < n_paths;
         n++) /* few below each, or the search takes long */
        (void)call_paths_call(&f->paths, n / 256, MAIN + n * 4, MAIN + n * 4, MAIN + n * 4 + SIZE,
                              false, &f->repeatable);
    assert_int_equal(f->paths.n_paths, n_paths);
}

/* Where there are many, lines that call the same function are not told apart; where they return to
 * is. */
TEST_WITH(calls_beyond_many_paths_are_merged, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t in_f = call(f, MAIN, F);
    jump(f, MAIN + SIZE);
    make_paths(f, CALL_PATHS_MAX);
    f->path = 0;
    assert_int_equal(call(f, MAIN + 0x10, F), in_f);
    assert_true(f->paths.paths[in_f].path.is_merged);
    assert_false(f->repeatable);
    assert_int_equal(jump(f, MAIN + 0x10 + SIZE), 0);
    assert_false(f->repeatable);
    assert_int_equal(call(f, MAIN, F), in_f);
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    assert_int_equal(f->paths.frames.n, 0);
    assert_int_not_equal(call(f, MAIN + 0x10, HANDLER), 0);
    assert_int_equal(f->paths.n_paths, CALL_PATHS_MAX + 1);
}

TEST_WITH(there_are_no_more_than_the_limit, setup, teardown)
{
    struct fixture *f = *state;
    make_paths(f, CALL_PATHS_LAST);
    f->repeatable = true;
    for (uint64_t n = 0; n < 100; n++)
        assert_int_equal(
            call_paths_call(&f->paths, 0, F + n * 4, H, F + n * 4 + SIZE, false, &f->repeatable),
            0);
    assert_false(f->repeatable);
    assert_int_equal(f->paths.n_paths, CALL_PATHS_LAST);
}

TEST_WITH(the_list_is_of_all_paths, setup, teardown)
{
    struct fixture *f = *state;
    size_t n;
    call(f, MAIN, F);
    const uint32_t inner = call(f, F + 8, G);
    const struct armpmu_profile_path *list = call_paths_list(&f->paths, &n);
    assert_int_equal(n, 3);
    assert_int_equal(list[inner].parent, 1);
    assert_int_equal(list[inner].caller, F + 8);
    assert_int_equal(list[inner].function, G);
}

static uint32_t change(struct fixture *f, uint32_t context)
{
    return f->path = call_paths_switch(&f->paths, f->path, context);
}

/* Two tasks that call the same function of the kernel to switch, and are interrupted. */
TEST_WITH(contexts_have_paths_of_their_own, setup, teardown)
{
    struct fixture *f = *state;
    const uint32_t first = call(f, MAIN, F);
    const uint32_t root = change(f, 7);
    assert_int_not_equal(root, 0);
    assert_int_equal(f->paths.paths[root].path.parent, root);
    const uint32_t second = call(f, MAIN, F);
    assert_int_not_equal(first, second);
    assert_int_equal(f->paths.paths[second].path.context, 7);
    f->path = call_paths_exception(&f->paths, f->path, HANDLER, F + 8);
    assert_int_equal(f->paths.paths[f->path].path.parent, root);
    const uint32_t handler = f->path;
    assert_int_equal(change(f, 0), first);
    assert_int_equal(call_paths_resume(&f->paths, f->path, F + 8), first); /* the other's handler */
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    assert_int_equal(change(f, 7), handler);
    f->path = call_paths_resume(&f->paths, f->path, F + 8);
    assert_int_equal(f->path, second);
    assert_int_equal(jump(f, MAIN + SIZE), root);
    assert_int_equal(change(f, 7), root);
    assert_int_equal(call_paths_switch(&f->paths, root, CALL_CONTEXTS_MAX), UINT32_MAX);
    assert_int_equal(f->paths.context, 7);
}

static uint32_t call_region(struct fixture *f, uint64_t from, uint64_t function)
{
    f->path =
        call_paths_call(&f->paths, f->path, from, function, from + SIZE, true, &f->repeatable);
    return f->path;
}

static bool is_inside(const struct fixture *f)
{
    return f->paths.paths[f->path].is_inside;
}

TEST_WITH(what_a_regions_function_calls_is_inside, setup, teardown)
{
    struct fixture *f = *state;
    call_paths_begin(&f->paths, true, false);
    call(f, MAIN, G);
    assert_false(is_inside(f));
    call_region(f, G + 8, F);
    assert_true(is_inside(f));
    call(f, F + 8, H);
    assert_true(is_inside(f));
    jump(f, F + 8 + SIZE);
    call_region(f, F + 12, F); /* recursion */
    jump(f, F + 12 + SIZE);
    assert_true(is_inside(f));
    jump(f, G + 8 + SIZE);
    assert_false(is_inside(f));
}

/* G goes to F in place of a call, which returns to the caller of G. */
TEST_WITH(a_regions_function_may_be_jumped_to, setup, teardown)
{
    struct fixture *f = *state;
    call_paths_begin(&f->paths, true, false);
    const uint32_t in_g = call(f, MAIN, G);
    f->path = call_paths_tail_call(&f->paths, f->path, G + 8, F);
    assert_true(is_inside(f));
    assert_int_equal(f->paths.paths[f->path].path.parent, 0);
    assert_int_equal(call_paths_tail_call(&f->paths, f->path, F + 8, F), f->path); /* its loop */
    assert_int_equal(jump(f, MAIN + SIZE), 0);
    assert_false(is_inside(f));
    assert_int_equal(call(f, MAIN, G), in_g);
}

TEST_WITH(each_path_has_a_twin, setup, teardown)
{
    struct fixture *f = *state;
    call_paths_begin(&f->paths, false, false);
    call(f, MAIN, F);
    const uint32_t off = call(f, F + 8, G), on = call_paths_twin(&f->paths, off, true);
    const struct call_path *const twin = &f->paths.paths[on];
    assert_int_not_equal(on, off);
    assert_true(twin->are_on == 1 && twin->is_inside && twin->path.function == G);
    assert_int_equal(f->paths.paths[twin->path.parent].path.function, F);
    assert_int_equal(call_paths_twin(&f->paths, on, true), on);
    assert_int_equal(call_paths_twin(&f->paths, on, false), off);
    f->path = on;
    assert_true(f->paths.paths[jump(f, F + 8 + SIZE)].are_on == 1);
    const uint32_t outermost = jump(f, MAIN + SIZE);
    assert_int_equal(f->paths.paths[outermost].path.function, ARMPMU_PROFILE_NO_FUNCTION);
    assert_int_equal(call_paths_twin(&f->paths, outermost, false), 0);
    assert_false(f->paths.is_lost);
}

/* A path that cannot be made would count in the wrong place. */
TEST_WITH(a_regions_path_that_does_not_fit_is_told, setup, teardown)
{
    struct fixture *f = *state;
    call_paths_begin(&f->paths, true, false);
    make_paths(f, CALL_PATHS_LAST);
    assert_false(f->paths.is_lost);
    call_region(f, MAIN, G);
    assert_true(f->paths.is_lost);
    f->paths.is_lost = false;
    assert_int_equal(call_paths_twin(&f->paths, 0, false), 0);
    assert_true(f->paths.is_lost);
}
