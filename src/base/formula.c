#include "base/formula.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define NAME_MAX_BYTES 64
#define DEPTH_MAX      100

union formula_number {
    int64_t whole;
    double real;
};

/* A formula while it is read: at points after what is done. Reading ends at the first mistake.
 * Numbers are real where real_of is not NULL. */
struct formula_reader {
    const char *at;
    formula_value_of value_of;
    formula_real_of real_of;
    void *user;
    unsigned depth; /* of brackets and signs */
    char mistake[NAME_MAX_BYTES + 32];
};

static union formula_number read_shift(struct formula_reader *r);

static bool take(struct formula_reader *r, const char *sign)
{
    r->at += strspn(r->at, " ");
    if (strncmp(r->at, sign, strlen(sign)) != 0)
        return false;
    r->at += strlen(sign);
    return true;
}

static union formula_number wrong(struct formula_reader *r, const char *what, const char *name)
{
    if (r->mistake[0] == '\0')
        snprintf(r->mistake, sizeof r->mistake, what, name);
    r->at = "";
    return (union formula_number){.whole = 0};
}

/* The result of a builtin that says whether it overflowed. */
static union formula_number fitting(struct formula_reader *r, bool overflowed, int64_t value)
{
    return overflowed ? wrong(r, "%s", "it does not fit into 64 bits")
                      : (union formula_number){.whole = value};
}

#define OPERATION(name, builtin, sign)                                                             \
    static union formula_number name(struct formula_reader *r, union formula_number a,             \
                                     union formula_number b)                                       \
    {                                                                                              \
        int64_t whole;                                                                             \
        if (r->real_of != NULL)                                                                    \
            return (union formula_number){.real = a.real sign b.real};                             \
        const bool overflowed = builtin(a.whole, b.whole, &whole);                                 \
        return fitting(r, overflowed, whole);                                                      \
    }
OPERATION(add, __builtin_add_overflow, +)
OPERATION(subtract, __builtin_sub_overflow, -)
OPERATION(multiply, __builtin_mul_overflow, *)

static union formula_number read_name(struct formula_reader *r)
{
    char name[NAME_MAX_BYTES];
    size_t n = 0;
    union formula_number value = {.whole = 0};
    for (; isalnum((unsigned char)*r->at) || *r->at == '_'; r->at++)
        if (n + 1 < sizeof name)
            name[n++] = *r->at;
    name[n] = '\0';
    const bool is_known = r->real_of != NULL ? r->real_of(r->user, name, &value.real)
                                             : r->value_of(r->user, name, &value.whole);
    return is_known ? value : wrong(r, "%s is not known", name);
}

static union formula_number read_number(struct formula_reader *r)
{
    char *end;

    errno = 0;
    const int64_t value = strtoll(r->at, &end, 0);
    r->at = end;
    return r->real_of != NULL ? (union formula_number){.real = (double)value}
                              : fitting(r, errno == ERANGE, value);
}

static union formula_number read_atom(struct formula_reader *r);

static union formula_number zero(const struct formula_reader *r)
{
    return r->real_of != NULL ? (union formula_number){.real = 0}
                              : (union formula_number){.whole = 0};
}

/* After a '-' or a '('. */
static union formula_number read_inner(struct formula_reader *r, bool negate)
{
    if (r->depth == DEPTH_MAX)
        return wrong(r, "%s", "its brackets and signs are more than 100 deep");
    r->depth++;
    union formula_number value = negate ? subtract(r, zero(r), read_atom(r)) : read_shift(r);
    r->depth--;
    if (!negate && !take(r, ")"))
        value = wrong(r, "%s", "a ')' is missing");
    return value;
}

static union formula_number read_atom(struct formula_reader *r)
{
    if (take(r, "-"))
        return read_inner(r, true);
    if (take(r, "("))
        return read_inner(r, false);
    if (isdigit((unsigned char)*r->at))
        return read_number(r);
    if (isalpha((unsigned char)*r->at) || *r->at == '_')
        return read_name(r);
    return wrong(r, "%s", "a number or a name is missing");
}

/* Rounds down. */
static union formula_number divide(struct formula_reader *r, union formula_number a,
                                   union formula_number b)
{
    if (b.whole == 0)
        return wrong(r, "%s", "it divides by zero");
    if (b.whole == -1)
        return subtract(r, zero(r), a);
    return (union formula_number){
        .whole = a.whole / b.whole - (a.whole % b.whole != 0 && (a.whole < 0) != (b.whole < 0))};
}

static union formula_number remainder_of(struct formula_reader *r, union formula_number a,
                                         union formula_number b)
{
    return b.whole == -1 ? zero(r) : subtract(r, a, multiply(r, divide(r, a, b), b));
}

static union formula_number divide_real(union formula_number a, union formula_number b)
{
    return (union formula_number){.real = b.real != 0 ? a.real / b.real : NAN};
}

static union formula_number read_product(struct formula_reader *r)
{
    union formula_number value = read_atom(r);
    const bool is_real = r->real_of != NULL;
    for (;;) {
        if (take(r, "*"))
            value = multiply(r, value, read_atom(r));
        else if (is_real && take(r, "/"))
            value = divide_real(value, read_atom(r));
        else if (!is_real && take(r, "//"))
            value = divide(r, value, read_atom(r));
        else if (!is_real && take(r, "%"))
            value = remainder_of(r, value, read_atom(r));
        else
            return value;
    }
}

static union formula_number read_sum(struct formula_reader *r)
{
    union formula_number value = read_product(r);
    for (;;) {
        if (take(r, "+"))
            value = add(r, value, read_product(r));
        else if (take(r, "-"))
            value = subtract(r, value, read_product(r));
        else
            return value;
    }
}

static union formula_number shift(struct formula_reader *r, union formula_number value, int64_t by)
{
    if (by < 0 || by > 62)
        return wrong(r, "%s", "it shifts by less than 0 or more than 62");
    return multiply(r, value, (union formula_number){.whole = INT64_C(1) << by});
}

static union formula_number read_shift(struct formula_reader *r)
{
    union formula_number value = read_sum(r);
    while (r->real_of == NULL && take(r, "<<"))
        value = shift(r, value, read_sum(r).whole);
    return value;
}

static enum armpmu_status read_whole(struct formula_reader *r, union formula_number *out,
                                     struct armpmu_error *err)
{
    const char *const formula = r->at;
    *out = read_shift(r);
    r->at += strspn(r->at, " ");
    if (*r->at != '\0')
        wrong(r, "'%.20s' is not understood", r->at);
    if (r->mistake[0] == '\0')
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_INPUT, "the formula '%.120s': %s", formula, r->mistake);
}

enum armpmu_status formula_value(const char *formula, formula_value_of value_of, void *user,
                                 int64_t *out, struct armpmu_error *err)
{
    struct formula_reader r = {.at = formula, .value_of = value_of, .user = user};
    union formula_number value;
    const enum armpmu_status status = read_whole(&r, &value, err);
    *out = value.whole;
    return status;
}

enum armpmu_status formula_real(const char *formula, formula_real_of value_of, void *user,
                                double *out, struct armpmu_error *err)
{
    struct formula_reader r = {.at = formula, .real_of = value_of, .user = user};
    union formula_number value;
    const enum armpmu_status status = read_whole(&r, &value, err);
    *out = value.real;
    return status;
}

bool formula_names(const char *formula, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = formula; (at = strstr(at, name)) != NULL; at++) {
        const bool begins = at == formula || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !(isalnum((unsigned char)at[length]) || at[length] == '_'))
            return true;
    }
    return false;
}
