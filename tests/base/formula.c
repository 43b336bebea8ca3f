/* The formulas of armpmu check and of metrics. */
#include "base/formula.h"

#include <math.h>
#include <string.h>

#include "../test.h"

static bool value_of(void *user, const char *name, int64_t *value)
{
    (void)user;
    *value = strcmp(name, "SEVEN") == 0 ? 7 : 3;
    return strcmp(name, "SEVEN") == 0 || strcmp(name, "L1D_X") == 0;
}

TEST(formulas_have_their_values)
{
    static const struct {
        const char *formula;
        int64_t value;
    } cases[] = {
        {"0", 0},
        {"0x10", 16},
        {" 1 + 2 * 3 ", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 3 - 2", 5},
        {"-SEVEN + 2", -5},
        {"SEVEN // 2", 3},
        {"-SEVEN // 2", -4},
        {"-SEVEN % 4", 1},
        {"SEVEN % -4", -1},
        {"20 % 6 * 2", 4},
        {"1 << 2 + 1", 8},
        {"(8 + 25 + L1D_X) - 12", 24},
        {"2*(3-(4-5))", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu_error err = {""};
        int64_t value = -1;
        if (formula_value(cases[i].formula, value_of, NULL, &value, &err) != ARMPMU_OK)
            fail_msg("%s", err.message);
        if (value != cases[i].value)
            fail_msg("%s is %d, not %d", cases[i].formula, (int)value, (int)cases[i].value);
    }
}

static bool real_of(void *user, const char *name, double *value)
{
    (void)user;
    *value = strcmp(name, "SEVEN") == 0 ? 7 : strcmp(name, "NONE") == 0 ? NAN : 0.5;
    return strcmp(name, "SIX") != 0;
}

TEST(real_formulas_have_their_values)
{
    static const struct {
        const char *formula;
        double value;
    } cases[] = {
        {"100 * SEVEN / 2", 350}, {"1 / 4 + HALF", 0.75}, {"(1 - HALF) * (SEVEN - 3) / 8", 0.25},
        {"-SEVEN / 2", -3.5},     {"8 / 2 / 2", 2},
    };
    static const char *const without[] = {"1 / 0", "SEVEN / (HALF - HALF) * 0", "NONE + 1"};
    static const char *const mistakes[] = {"SIX", "7 // 2", "7 % 2", "1 << 2", "", "(1"};
    double value;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(formula_real(cases[i].formula, real_of, NULL, &value, NULL), ARMPMU_OK);
        if (value != cases[i].value)
            fail_msg("%s is %g, not %g", cases[i].formula, value, cases[i].value);
    }
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        assert_int_equal(formula_real(without[i], real_of, NULL, &value, NULL), ARMPMU_OK);
        assert_true(isnan(value));
    }
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        assert_int_equal(formula_real(mistakes[i], real_of, NULL, &value, NULL), ARMPMU_BAD_INPUT);
}

TEST(mistakes_are_told)
{
    static const struct {
        const char *formula, *told;
    } cases[] = {
        {"", "the formula '': a number or a name is missing"},
        {"1 +", "the formula '1 +': a number or a name is missing"},
        {"(1", "the formula '(1': a ')' is missing"},
        {"1 2", "the formula '1 2': '2' is not understood"},
        {"SIX", "the formula 'SIX': SIX is not known"},
        {"1 // 0", "the formula '1 // 0': it divides by zero"},
        {"1 % (SEVEN - 7)", "the formula '1 % (SEVEN - 7)': it divides by zero"},
        {"1 << 63", "the formula '1 << 63': it shifts by less than 0 or more than 62"},
        {"1 & 2", "the formula '1 & 2': '& 2' is not understood"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct armpmu_error err = {""};
        int64_t value;
        assert_int_equal(formula_value(cases[i].formula, value_of, NULL, &value, &err),
                         ARMPMU_BAD_INPUT);
        assert_string_equal(err.message, cases[i].told);
    }
}

TEST(values_that_do_not_fit_are_told)
{
    static const char *const formulas[] = {
        "9223372036854775808",
        "9223372036854775807 + 1",
        "-9223372036854775807 - 2",
        "4294967296 * 4294967296",
        "(-9223372036854775807 - 1) // -1",
        "-(-9223372036854775807 - 1)",
        "4 << 62",
    };
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        struct armpmu_error err = {""};
        int64_t value;
        assert_int_equal(formula_value(formulas[i], value_of, NULL, &value, &err),
                         ARMPMU_BAD_INPUT);
        if (strstr(err.message, "': it does not fit into 64 bits") == NULL)
            fail_msg("%s: %s", formulas[i], err.message);
    }
    int64_t value = -1;
    assert_int_equal(formula_value("(-9223372036854775807 - 1) % -1", value_of, NULL, &value, NULL),
                     ARMPMU_OK);
    assert_int_equal(value, 0);
}

TEST(deep_formulas_do_not_use_up_the_stack)
{
    static const char signs[] = "-(";
    for (size_t i = 0; i < 2; i++) {
        static char formula[4 * 1024 * 1024];
        struct armpmu_error err = {""};
        int64_t value;
        memset(formula, signs[i], sizeof formula - 1);
        assert_int_equal(formula_value(formula, value_of, NULL, &value, &err), ARMPMU_BAD_INPUT);
        assert_non_null(strstr(err.message, "its brackets and signs are more than 100 deep"));
    }
}

TEST(names_are_whole_words)
{
    assert_true(formula_names("2 * L1D_CACHE + 1", "L1D_CACHE"));
    assert_true(formula_names("L1D_CACHE", "L1D_CACHE"));
    assert_true(formula_names("L1D_CACHE_REFILL - L1D_CACHE", "L1D_CACHE"));
    assert_false(formula_names("L1D_CACHE_REFILL", "L1D_CACHE"));
    assert_false(formula_names("XL1D_CACHE", "L1D_CACHE"));
}
