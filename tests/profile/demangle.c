/* Names of C++ and Rust, from both of its manglings. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/demangle.h"

TEST(names_are_as_programmers_write_them)
{
    static const struct {
        const char *symbol, *name;
    } cases[] = {
        {"_ZN4list3sumEi", "list::sum(int)"},
        {"_ZN4list3sumEi@plt", "list::sum(int)@plt"},
        {"_Znwj", "operator new(unsigned int)"},
        {"_Z3fooi.constprop.0", "foo(int) [clone .constprop.0]"},
        {"_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE", "core::fmt::Formatter::write_str"},
        {"_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function"},
        {"_RINvNtC3std3mem8align_ofjdE", "std::mem::align_of::<usize, f64>"},
        {"main", NULL},
        {"_start", NULL},
        {"_Z", NULL},
        {"", NULL},
        {"memcpy@plt", NULL},
        {"@plt", NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const name = demangle(cases[i].symbol);
        if (cases[i].name == NULL)
            assert_null(name);
        else if (name == NULL || strcmp(name, cases[i].name) != 0)
            fail_msg("%s: %s", cases[i].symbol, name != NULL ? name : "not mangled");
        free(name);
    }
}

/* Symbols come from files that anybody made. */
TEST(deep_names_are_survived)
{
    enum { LENGTH = 100000 };
    char *const symbol = malloc(LENGTH + 1);

    assert_non_null(symbol);
    memset(symbol, 'P', LENGTH);
    memcpy(symbol, "_Z1f", 4);
    symbol[LENGTH] = '\0';
    free(demangle(symbol));
    memcpy(symbol, "_RY", 3);
    free(demangle(symbol));
    free(symbol);
}

/* Each argument names the one before twice. */
TEST(names_that_double_are_left_as_they_are)
{
    char symbol[400] = "_Z1f1AIiiE";

    for (unsigned i = 0; i < 30; i++) {
        const char digit = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i];
        const size_t n = strlen(symbol);
        snprintf(symbol + n, sizeof symbol - n, "S_IS%c_S%c_E", digit, digit);
        char *const name = demangle(symbol);
        if (i < 8)
            assert_non_null(name);
        else if (i > 12)
            assert_null(name);
        free(name);
    }
}
