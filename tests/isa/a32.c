/* The tables of A32 and T32 obey their own rules. */
#include "../test.h"

#include <ctype.h>
#include <string.h>

#include "isa/table.h"
#include "parts/random.h"

struct row {
    const char *pattern, *registers;
};

#define ROW(pattern, klass, operation, registers, bytes)   {pattern, registers},
#define VECTOR(pattern, klass, kind, operation, registers) {pattern, registers},
static const struct row a32[] = {
#include "isa/a32.def"
};
static const struct row t32[] = {
#include "isa/t32.def"
};
static const struct row t16[] = {
#include "isa/t16.def"
};
#undef ROW
#undef VECTOR

enum { TRIES = 20000 };

static const struct set {
    const struct row *rows;
    unsigned n_rows, n_bits;
} sets[] = {
    {a32, sizeof a32 / sizeof a32[0], 32},
    {t32, sizeof t32 / sizeof t32[0], 32},
    {t16, sizeof t16 / sizeof t16[0], 16},
};

static void for_each_row(void (*check)(const struct row *row, unsigned n_bits))
{
    for (unsigned set = 0; set < 3; set++) {
        for (unsigned row = 0; row < sets[set].n_rows; row++)
            check(&sets[set].rows[row], sets[set].n_bits);
    }
}

static unsigned count_bits(const char *pattern)
{
    unsigned n = 0;

    for (; *pattern != '\0'; pattern++)
        n += *pattern != ' ';
    return n;
}

/* Rows without registers may end early. */
static void check_length(const struct row *row, unsigned n_bits)
{
    const unsigned n = count_bits(row->pattern);

    if (n > n_bits || (n < n_bits && strpbrk(row->pattern, "dtnmis") != NULL &&
                       strchr(row->registers, 'd') != NULL))
        fail_msg("%s: %u bits", row->pattern, n);
}

/* How many parts the field of a letter has. */
static unsigned count_parts(const char *pattern, char letter)
{
    unsigned n = 0;
    char before = ' ';

    for (; *pattern != '\0'; pattern++) {
        if (*pattern == ' ')
            continue;
        n += *pattern == letter && before != letter;
        before = *pattern;
    }
    return n;
}

static void check_fields(const struct row *row, unsigned n_bits)
{
    (void)n_bits;
    for (const char *at = row->pattern; *at != '\0'; at++) {
        if (strchr(" 01.", *at) == NULL &&
            (!isalpha((unsigned char)*at) || count_parts(row->pattern, *at) > 2))
            fail_msg("%s: field %c", row->pattern, *at);
    }
}

static void check_register(const struct row *row, const char role[3])
{
    const bool fixed = role[1] == '=';
    const char *letters = fixed ? "cgquslpf" : "nmdtsulahi";

    if (strchr("wrelauqykbxtsc", role[0]) == NULL || strchr("rzapsSdqvfo=", role[1]) == NULL ||
        strchr(letters, role[2]) == NULL || (!fixed && strchr(row->pattern, role[2]) == NULL))
        fail_msg("%s: register %.3s", row->pattern, role);
    if (role[1] == 'v' && strchr(row->pattern, 'Q') == NULL)
        fail_msg("%s: no Q for %.3s", row->pattern, role);
}

static void check_registers(const struct row *row, unsigned n_bits)
{
    (void)n_bits;
    for (const char *at = row->registers; *at != '\0'; at += at[3] == ' ' ? 4 : 3) {
        check_register(row, at);
        if (at[3] != ' ' && at[3] != '\0')
            fail_msg("%s: registers %s", row->pattern, row->registers);
    }
}

TEST(patterns_are_words)
{
    for_each_row(check_length);
}

TEST(fields_have_two_parts_at_most)
{
    for_each_row(check_fields);
}

TEST(registers_are_fields_of_their_pattern)
{
    for_each_row(check_registers);
}

/* A row that those before it hide would be never used. */
TEST(every_row_holds_for_some_word)
{
    struct random random = {7};

    for (unsigned set = 0; set < 3; set++) {
        struct table table;
        const struct table_rows from = {sets[set].rows, sets[set].n_rows, sizeof sets[set].rows[0],
                                        sets[set].n_bits};
        assert_true(table_init(&table, &from, from.n_bits == 16 ? 8 : 20));
        for (unsigned row = 0; row < sets[set].n_rows; row++) {
            const uint32_t all = sets[set].n_bits == 16 ? 0xffff : UINT32_MAX;
            bool found = false;
            for (unsigned i = 0; i < TRIES && !found; i++) {
                const uint32_t free_bits = (uint32_t)(random_next(&random) >> 32) & all;
                found = table_find(&table, (free_bits & ~table.bits[row].mask) |
                                               table.bits[row].value) == (int)row;
            }
            if (!found)
                fail_msg("%s: hidden", sets[set].rows[row].pattern);
        }
        table_destroy(&table);
    }
}
