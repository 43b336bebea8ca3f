#include "base/formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define NAME_MAX_BYTES 64
#define DEPTH_MAX      100

/* A formula while it is read: at points after what is done. Reading ends at the first mistake. */
struct formula_reader {
    const char *at;
    formula_value_of value_of;
    void *user;
    unsigned depth; /* of brackets and signs */
    char mistake[NAME_MAX_BYTES + 32];
};

static int64_t read_shift(struct formula_reader *r);

static bool take(struct formula_reader *r, const char *sign)
{
    r->at += strspn(r->at, " ");
    if (strncmp(r->at, sign, strlen(sign)) != 0)
        return false;
    r->at += strlen(sign);
    return true;
}

static int64_t wrong(struct formula_reader *r, const char *what, const char *name)
{
    if (r->mistake[0] == '\0')
        snprintf(r->mistake, sizeof r->mistake, what, name);
    r->at = "";
    return 0;
}

/* The result of a builtin that says whether it overflowed. */
static int64_t fitting(struct formula_reader *r, bool overflowed, int64_t value)
{
    return overflowed ? wrong(r, "%s", "it does not fit into 64 bits") : value;
}

static int64_t add(struct formula_reader *r, int64_t a, int64_t b)
{
    int64_t sum;
    const bool overflowed = __builtin_add_overflow(a, b, &sum);

    return fitting(r, overflowed, sum);
}

static int64_t subtract(struct formula_reader *r, int64_t a, int64_t b)
{
    int64_t difference;
    const bool overflowed = __builtin_sub_overflow(a, b, &difference);

    return fitting(r, overflowed, difference);
}

static int64_t multiply(struct formula_reader *r, int64_t a, int64_t b)
{
    int64_t product;
    const bool overflowed = __builtin_mul_overflow(a, b, &product);

    return fitting(r, overflowed, product);
}

static int64_t read_name(struct formula_reader *r)
{
    char name[NAME_MAX_BYTES];
    size_t n = 0;
    int64_t value = 0;
    for (; isalnum((unsigned char)*r->at) || *r->at == '_'; r->at++)
        if (n + 1 < sizeof name)
            name[n++] = *r->at;
    name[n] = '\0';
    return r->value_of(r->user, name, &value) ? value : wrong(r, "%s is not known", name);
}

static int64_t read_number(struct formula_reader *r)
{
    char *end;

    errno = 0;
    const int64_t value = strtoll(r->at, &end, 0);
    r->at = end;
    return fitting(r, errno == ERANGE, value);
}

static int64_t read_atom(struct formula_reader *r);

/* After a '-' or a '('. */
static int64_t read_inner(struct formula_reader *r, bool negate)
{
    if (r->depth == DEPTH_MAX)
        return wrong(r, "%s", "its brackets and signs are more than 100 deep");
    r->depth++;
    int64_t value = negate ? subtract(r, 0, read_atom(r)) : read_shift(r);
    r->depth--;
    if (!negate && !take(r, ")"))
        value = wrong(r, "%s", "a ')' is missing");
    return value;
}

static int64_t read_atom(struct formula_reader *r)
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

static int64_t divide(struct formula_reader *r, int64_t a, int64_t b)
{
    if (b == 0)
        return wrong(r, "%s", "it divides by zero");
    if (b == -1)
        return subtract(r, 0, a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t read_product(struct formula_reader *r)
{
    int64_t value = read_atom(r);
    for (;;) {
        if (take(r, "*")) {
            value = multiply(r, value, read_atom(r));
        } else if (take(r, "//")) {
            value = divide(r, value, read_atom(r));
        } else if (take(r, "%")) {
            const int64_t by = read_atom(r);
            value = by == -1 ? 0 : subtract(r, value, multiply(r, divide(r, value, by), by));
        } else {
            return value;
        }
    }
}

static int64_t read_sum(struct formula_reader *r)
{
    int64_t value = read_product(r);
    for (;;) {
        if (take(r, "+"))
            value = add(r, value, read_product(r));
        else if (take(r, "-"))
            value = subtract(r, value, read_product(r));
        else
            return value;
    }
}

static int64_t read_shift(struct formula_reader *r)
{
    int64_t value = read_sum(r);
    while (take(r, "<<")) {
        const int64_t by = read_sum(r);
        value = by >= 0 && by < 63 ? multiply(r, value, INT64_C(1) << by)
                                   : wrong(r, "%s", "it shifts by less than 0 or more than 62");
    }
    return value;
}

enum armpmu_status formula_value(const char *formula, formula_value_of value_of, void *user,
                                 int64_t *out, struct armpmu_error *err)
{
    struct formula_reader r = {.at = formula, .value_of = value_of, .user = user};
    *out = read_shift(&r);
    r.at += strspn(r.at, " ");
    if (*r.at != '\0')
        wrong(&r, "'%.20s' is not understood", r.at);
    if (r.mistake[0] == '\0')
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_INPUT, "the formula '%.120s': %s", formula, r.mistake);
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
