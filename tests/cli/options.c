/* The reader of command lines, on a table of its own. */
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../test.h"

struct inner {
    bool deep;
    const char *text;
};

struct values {
    bool flag, on, json, given;
    unsigned count, choice, small;
    uint64_t large;
    const char *text;
    struct option_list list;
    char called[32];
    struct inner inner;
};

static enum armpmu_status set_called(void *member, const char *option, const char *value,
                                     struct armpmu_error *err)
{
    if (value != NULL && strcmp(value, "bad") == 0) {
        snprintf(err->message, sizeof err->message, "%s refused", option);
        return ARMPMU_BAD_CONFIG;
    }
    strcpy(member, value != NULL ? value : "nothing");
    return ARMPMU_OK;
}

static const char *const words[] = {"red", "green", "blue", NULL};

static const struct option_row inner_rows[] = {
    {.help = "Inner", .kind = OPTION_HEADING},
    {0, "deep", NULL, "", OPTION_FLAG_TO(struct inner, deep)},
    {'t', "inner-text", "T", "", OPTION_TEXT_TO(struct inner, text)},
    {.kind = OPTION_END},
};

static const struct option_row rows[] = {
    {'f', "flag", NULL, "", OPTION_FLAG_TO(struct values, flag)},
    {'o', "on", NULL, "", OPTION_FLAG_TO(struct values, on), .negated = true},
    {'c', "count", NULL, "", OPTION_COUNT_TO(struct values, count), .other_name = "tally"},
    {'j', "json", NULL, "", OPTION_FLAG_TO(struct values, json)},
    {0, "choice", "C", "", OPTION_CHOICE_TO(struct values, choice, words)},
    {'n', "number", "N", "", OPTION_NUMBER_TO(struct values, small), .least = 2, .most = 4096,
     .expects = "from 2 to 4096"},
    {0, "large", "N", "", OPTION_NUMBER_TO(struct values, large), .most = UINT64_MAX,
     .multiple = 4096, .expects = "a multiple of 4096"},
    {'x', "text", "T", "", OPTION_TEXT_TO(struct values, text)},
    {'l', "list", "L", "", OPTION_LIST_TO(struct values, list)},
    {'k', "call", "C", "", OPTION_CALL_TO(struct values, called, set_called), .optional = true},
    {OPTION_ROWS_TO(struct values, inner, inner_rows), .given = offsetof(struct values, given)},
    {.kind = OPTION_END},
};

#define WORDS_MAX 24

static struct values values;
static struct command_line line;
static struct armpmu_error err;
static char *argv[WORDS_MAX];

static int teardown(void **state)
{
    (void)state;
    options_free(rows, &values);
    return 0;
}

/* Reads words that are parted by blanks. */
static enum armpmu_status parse(bool runs_program, const char *text)
{
    static char copy[256];
    const struct option_table table = {"cmd", rows, runs_program};
    int argc = 1;

    options_free(rows, &values);
    values = (struct values){0};
    err.message[0] = '\0';
    strcpy(copy, text);
    argv[0] = copy;
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    line = (struct command_line){.argc = argc, .argv = argv};
    return options_parse(&table, &line, &values, &err);
}

static void refuse(const char *text, const char *message)
{
    assert_int_equal(parse(false, text), ARMPMU_BAD_CONFIG);
    assert_string_equal(err.message, message);
}

TEST(each_kind_goes_where_its_row_says)
{
    assert_int_equal(parse(false, "--flag --on -cc --tally --json --choice blue -n 0x10 --large 8K "
                                  "-xy"),
                     ARMPMU_OK);
    assert_true(values.flag && values.on && values.json && !values.given);
    assert_int_equal(values.count, 3);
    assert_int_equal(values.choice, 2);
    assert_int_equal(values.small, 16);
    assert_int_equal(values.large, 8192);
    assert_string_equal(values.text, "y");
}

TEST(a_list_keeps_all_values)
{
    assert_int_equal(parse(false, "-l a --list=b --list c -ld"), ARMPMU_OK);
    assert_int_equal(values.list.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(values.list.values[i][0], 'a' + i);
    assert_null(values.list.values[4]);
}

TEST(a_table_in_a_table_has_its_part)
{
    assert_int_equal(parse(false, "--deep -t word"), ARMPMU_OK);
    assert_true(values.inner.deep && values.given);
    assert_string_equal(values.inner.text, "word");
}

TEST(an_optional_value_stands_behind_the_sign)
{
    assert_int_equal(parse(false, "--call x"), ARMPMU_OK);
    assert_string_equal(values.called, "nothing");
    assert_string_equal(line.operands[0], "x");
    assert_int_equal(parse(false, "--call=x"), ARMPMU_OK);
    assert_string_equal(values.called, "x");
    assert_int_equal(parse(false, "-kt word"), ARMPMU_OK); /* letters are combined */
    assert_string_equal(values.called, "nothing");
    assert_string_equal(values.inner.text, "word");
    assert_int_equal(parse(false, "--call="), ARMPMU_OK);
    assert_string_equal(values.called, "");
    refuse("--call=bad", "--call refused");
}

TEST(no_takes_back)
{
    assert_int_equal(parse(false, "-o --no-on"), ARMPMU_OK);
    assert_false(values.on);
    assert_int_equal(parse(false, "--no-on --on"), ARMPMU_OK);
    assert_true(values.on);
    refuse("--no-flag", "cmd: unknown option --no-flag; did you mean --flag? 'armpmu help cmd' "
                        "lists them");
}

TEST(names_may_be_cut_short)
{
    assert_int_equal(parse(false, "--fl --ch=red --inner word"), ARMPMU_OK);
    assert_true(values.flag);
    assert_string_equal(values.inner.text, "word");
    refuse("--c", "cmd: --c stands for 3 options, --call is one of them; write it in full");
}

TEST(operands_keep_their_order)
{
    assert_int_equal(parse(false, "a -f b - --text c d -- -f e"), ARMPMU_OK);
    const char *const left[] = {"a", "b", "-", "d", "-f", "e"};
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(line.operands[i], left[i]);
    assert_null(line.operands[6]);
    assert_string_equal(values.text, "c");
}

TEST(what_follows_a_program_is_the_programs)
{
    assert_int_equal(parse(true, "-f prog --bogus -f"), ARMPMU_OK);
    assert_ptr_equal(line.operands, &argv[2]);
    assert_int_equal(parse(true, "-f -- --prog"), ARMPMU_OK);
    assert_ptr_equal(line.operands, &argv[3]);
    assert_int_equal(parse(true, ""), ARMPMU_OK);
    assert_null(line.operands[0]);
}

TEST(help_is_an_option_of_every_command)
{
    assert_int_equal(parse(false, "-fh"), ARMPMU_OK);
    assert_true(line.help);
    assert_int_equal(parse(false, "--help"), ARMPMU_OK);
    assert_true(line.help);
    assert_int_equal(parse(false, "-f"), ARMPMU_OK);
    assert_false(line.help);
}

TEST(messages_name_option_value_and_limit)
{
    refuse("--flat",
           "cmd: unknown option --flat; did you mean --flag? 'armpmu help cmd' lists them");
    refuse("--zzzzzz=3", "cmd: unknown option --zzzzzz=3; 'armpmu help cmd' lists them");
    refuse("-fq", "cmd: unknown option -q; 'armpmu help cmd' lists them");
    refuse("--text", "cmd: --text needs a value; see 'armpmu help cmd'");
    refuse("-fx", "cmd: -x needs a value; see 'armpmu help cmd'");
    refuse("--flag=1", "cmd: --flag takes no value; leave out '=1'");
    refuse("--choice pink", "--choice 'pink': there are red, green and blue");
    refuse("-n 1", "-n '1': from 2 to 4096");
    refuse("--number 4097", "--number '4097': from 2 to 4096");
    refuse("--large 4097", "--large '4097': a multiple of 4096");
}

TEST(numbers)
{
    static const struct {
        const char *text;
        uint64_t value;
    } right[] = {{"0", 0},          {"010", 10},        {"0xfF", 255},
                 {"1k", 1024},      {"0x2M", 2u << 20}, {"18446744073709551615", UINT64_MAX},
                 {"3G", 3ull << 30}};
    static const char *const wrong[] = {"",
                                        "-1",
                                        "x",
                                        "0x",
                                        "1T",
                                        "1KB",
                                        "1.5",
                                        " 1",
                                        "+1",
                                        "18446744073709551616",
                                        "18014398509481984K"};
    uint64_t value;

    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_true(options_number(right[i].text, &value));
        assert_int_equal(value, right[i].value);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(options_number(wrong[i], &value));
}

TESTS_WITH(NULL, teardown)
