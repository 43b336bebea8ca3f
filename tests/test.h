/* The tests of a C program: TEST(name) { ... } makes one, and main runs all in their order. Only
 * the file with the tests includes this; what several programs share includes cmocka.h. */
#ifndef TEST_H
#define TEST_H

/* cmocka.h needs these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define TESTS_MOST 64

static struct CMUnitTest tests[TESTS_MOST];
static size_t n_tests;
static CMFixtureFunction set_up_all, tear_down_all; /* NULL: none */

static void add_test(const char *name, CMUnitTestFunction test, CMFixtureFunction set_up,
                     CMFixtureFunction tear_down)
{
    if (n_tests == TESTS_MOST)
        abort();
    tests[n_tests++] = (struct CMUnitTest){name, test, set_up, tear_down, NULL};
}

int main(void)
{
    return _cmocka_run_group_tests("tests", tests, n_tests, set_up_all, tear_down_all);
}

/* Runs a function of another file as a test, too. */
#define TEST_OF(test, set_up, tear_down)                                                           \
    __attribute__((constructor)) static void add_##test(void)                                      \
    {                                                                                              \
        add_test(#test, test, set_up, tear_down);                                                  \
    }

/* A test between two fixtures, which share its state; NULL: none. */
#define TEST_WITH(test, set_up, tear_down)                                                         \
    static void test(void **state);                                                                \
    TEST_OF(test, set_up, tear_down)                                                               \
    static void test(void **state __attribute__((unused)))

#define TEST(test) TEST_WITH(test, NULL, NULL)

/* Fixtures before the first test and after the last one. */
#define TESTS_WITH(set_up, tear_down)                                                              \
    __attribute__((constructor)) static void share_fixtures(void)                                  \
    {                                                                                              \
        set_up_all = set_up;                                                                       \
        tear_down_all = tear_down;                                                                 \
    }

#endif
