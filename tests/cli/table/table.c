/* A table in each format: what is quoted, aligned, nested and escaped, and what memory that runs
 * out comes to. */
#include "cli/table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "armpmu/catalog.h"
#include "cli/text_wrap.h"
#include "failing_memory.h"

static const struct table_column columns[] = {
    {.key = "name", .is_name = true},
    {.key = "n", .gap = 2, .is_right = true, .is_separated = true},
    {.key = "share", .inside = "part", .ending = " %", .gap = 2, .is_right = true, .digits = 2},
    {.key = "list", .gap = 2, .width = 6},
    {.key = "note", .gap = 2}};
static const struct table_form form = {"test", "things", TABLE_COLUMNS(columns),
                                       .has_headings = true};
static const struct table_form keyed = {"test", "things", .keys = "n name"};

static void put_rows(struct report_table *t, const char *name)
{
    table_row(t);
    table_text(t, "name", name);
    table_count(t, "n", 1234567);
    table_open(t, "part", '{');
    table_real(t, "share", 12.3456789);
    table_text(t, "note", "not the row's");
    table_close(t);
    table_open(t, "list", '[');
    table_text(t, NULL, "a");
    table_text(t, NULL, "b");
    table_close(t);
    table_flag(t, "note", true);
    table_hex(t, "hidden", 4, 0x1f);
    table_row(t);
    table_text(t, "name", "last");
}

/* What a table with the name in its first row comes to; the caller frees it. */
static char *print(const struct table_form *what, struct table_options options, const char *name,
                   enum armpmu_status expected)
{
    struct armpmu_error err;
    struct report_table t;
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&text, &size);

    assert_non_null(stream);
    if (options.separator == NULL)
        options.separator = ",";
    table_begin(&t, &options, what, stream);
    table_text(&t, "head", "of the document");
    put_rows(&t, name);
    assert_int_equal(table_end(&t, &err), expected);
    fclose(stream);
    return text;
}

static void assert_prints(const struct table_form *what, struct table_options options,
                          const char *name, const char *expected)
{
    char *const text = print(what, options, name, ARMPMU_OK);

    assert_string_equal(text, expected);
    free(text);
}

TEST(text_is_aligned_without_blanks_at_the_end)
{
    assert_prints(&form, (struct table_options){.format = TABLE_TEXT}, "x",
                  "name          n  share  list    note\n"
                  "x     1,234,567  12.35  a, b    true\n"
                  "last\n");
}

TEST(names_are_bold_and_escapes_of_a_terminal_are_shown)
{
    assert_prints(&form, (struct table_options){.format = TABLE_TEXT, .color = OPTION_COLOR_ALWAYS},
                  "\033[31m",
                  "name              n  share  list    note\n"
                  "\033[1m\\x1b[31m\033[m  1,234,567  12.35  a, b    true\n"
                  "\033[1mlast\033[m\n");
}

/* Sentences are broken between words, lists at ';', names and numbers never; a column without cells
 * is left out. */
TEST(text_fits_a_terminal)
{
    static const struct table_column narrow[] = {
        {.key = "n", .is_right = true, .is_separated = true},
        {.key = "empty", .gap = 2},
        {.key = "name", .gap = 2}};
    static const struct table_form fitted = {"test", "things", TABLE_COLUMNS(narrow),
                                             .has_headings = true};

    text_wrap_fit(33);
    assert_prints(&fitted, (struct table_options){.format = TABLE_TEXT},
                  "a sentence of many words and;a;list;of;several a-name-that-is-as-wide",
                  "        n  name\n"
                  "1,234,567  a sentence of many\n"
                  "           words and;a;list;of;\n"
                  "           several\n"
                  "           a-name-that-is-as-wide\n"
                  "           last\n");
    text_wrap_fit(0);
}

TEST(separated_values_are_quoted_where_they_must_be)
{
    assert_prints(&form, (struct table_options){.format = TABLE_CSV}, "say \"a,b\"",
                  "name,n,share %,list,note\n"
                  "\"say \"\"a,b\"\"\",1234567,12.35,\"a, b\",true\n"
                  "last,,,,\n");
    assert_prints(&form, (struct table_options){.format = TABLE_CSV, .separator = "\t"}, "\a\xff",
                  "name\tn\tshare %\tlist\tnote\n"
                  "\\x07\\xff\t1234567\t12.35\ta, b\ttrue\n"
                  "last\t\t\t\t\n");
    assert_prints(&keyed, (struct table_options){.format = TABLE_CSV}, "x",
                  "n,name\n1234567,x\n,last\n");
}

TEST(lines_of_json_have_every_cell)
{
    assert_prints(
        &keyed, (struct table_options){.format = TABLE_JSON}, "\033\"\xc3\xa9",
        "{\"name\": \"\\\\x1b\\\"\\u00E9\", \"n\": 1234567, \"part\": {\"share\": 12.345679, "
        "\"note\": \"not the row's\"}, \"list\": [\"a\", \"b\"], \"note\": true, "
        "\"hidden\": \"0x001f\"}\n"
        "{\"name\": \"last\"}\n");
}

TEST(a_document_has_a_head)
{
    struct armpmu_error err;
    struct report_table t;
    char text[400] = "";
    FILE *const stream = fmemopen(text, sizeof text, "w");
    const struct table_options options = {.format = TABLE_JSON, .is_document = true};

    table_begin(&t, &options, &form, stream);
    table_text(&t, "head", "of the document");
    for (unsigned i = 0; i < 2; i++) {
        table_row(&t);
        table_real(&t, "n", i == 0 ? 2 : INFINITY);
        table_open(&t, "empty", '[');
        table_close(&t);
    }
    assert_int_equal(table_end(&t, &err), ARMPMU_OK);
    fclose(stream);
    char *const version = strstr(text, armpmu_version);
    assert_non_null(version);
    memmove(version + 1, version + strlen(armpmu_version),
            strlen(version + strlen(armpmu_version)) + 1);
    version[0] = 'V';
    assert_string_equal(text, "{\n"
                              "  \"schema\": \"armpmu-test\",\n"
                              "  \"schema-version\": 1,\n"
                              "  \"armpmu\": \"V\",\n"
                              "  \"head\": \"of the document\",\n"
                              "  \"things\": [\n"
                              "    {\n"
                              "      \"n\": 2.0,\n"
                              "      \"empty\": []\n"
                              "    },\n"
                              "    {\n"
                              "      \"n\": null,\n"
                              "      \"empty\": []\n"
                              "    }\n"
                              "  ]\n"
                              "}\n");
}

TEST(markdown_keeps_its_cells)
{
    assert_prints(&form, (struct table_options){.format = TABLE_MD}, "a|b",
                  "| name | n | share % | list | note |\n"
                  "|---|--:|--:|---|---|\n"
                  "| a\\|b | 1,234,567 | 12.35 | a, b | true |\n"
                  "| last |  |  |  |  |\n");
}

TEST(numbers_have_a_sign_only_below_0)
{
    static const struct table_column of[] = {
        {.key = "n", .is_right = true, .is_separated = true},
        {.key = "percent", .gap = 2, .is_right = true, .digits = 1}};
    static const struct table_form signs = {"test", "things", TABLE_COLUMNS(of)};
    static const struct table_options options = {.format = TABLE_TEXT, .separator = ","};
    static const struct {
        int64_t n;
        double percent;
    } rows[] = {{-1234567, -.04}, {INT64_MIN, -.06}, {12, -0.0}};
    struct armpmu_error err;
    struct report_table t;
    char text[200] = "";
    FILE *const stream = fmemopen(text, sizeof text, "w");

    table_begin(&t, &options, &signs, stream);
    for (unsigned i = 0; i < 3; i++) {
        table_row(&t);
        table_integer(&t, "n", rows[i].n);
        table_real(&t, "percent", rows[i].percent);
    }
    assert_int_equal(table_end(&t, &err), ARMPMU_OK);
    fclose(stream);
    assert_string_equal(text, "                -1,234,567   0.0\n"
                              "-9,223,372,036,854,775,808  -0.1\n"
                              "                        12   0.0\n");
}

/* Objects in each other far beyond what columns can be of. */
TEST(depth_has_no_end)
{
    enum { DEEP = 5000 };
    struct armpmu_error err;

    for (enum table_format format = TABLE_TEXT; format <= TABLE_MD; format++) {
        const struct table_options options = {.format = format, .separator = ","};
        struct report_table t;
        char *text = NULL;
        size_t size = 0;
        FILE *const stream = open_memstream(&text, &size);
        table_begin(&t, &options, &form, stream);
        table_row(&t);
        for (unsigned i = 0; i < DEEP; i++)
            table_open(&t, "part", '{');
        table_text(&t, "name", "deep");
        for (unsigned i = 0; i < DEEP; i++)
            table_close(&t);
        table_text(&t, "note", "flat");
        assert_int_equal(table_end(&t, &err), ARMPMU_OK);
        fclose(stream);
        assert_true((strstr(text, "deep") != NULL) == (format == TABLE_JSON));
        assert_non_null(strstr(text, "flat"));
        free(text);
    }
}

/* Each request for memory fails once; all is freed, and the report says so. */
TEST(memory_that_runs_out_is_said)
{
    for (enum table_format format = TABLE_TEXT; format <= TABLE_MD; format++) {
        const struct table_options options = {
            .format = format, .is_document = true, .separator = ","};
        unsigned n_failed = 0;
        for (unsigned left = 0;; left++) {
            struct armpmu_error err = {""};
            struct report_table t;
            char text[2000];
            FILE *const stream = fmemopen(text, sizeof text, "w");
            const int held = failing_memory.n_held;
            failing_memory.left = left;
            table_begin(&t, &options, format == TABLE_CSV ? &keyed : &form, stream);
            put_rows(&t, "x");
            const enum armpmu_status status = table_end(&t, &err);
            failing_memory.left = MEMORY_FOR_ALL;
            assert_int_equal(failing_memory.n_held, held);
            fclose(stream);
            if (status == ARMPMU_OK)
                break;
            assert_int_equal(status, ARMPMU_NO_MEMORY);
            assert_non_null(strstr(err.message, "memory"));
            n_failed++;
        }
        assert_true(n_failed > 2);
    }
}

TEST(two_formats_are_refused)
{
    struct table_options o = {.format = TABLE_TEXT};
    struct armpmu_error err;

    assert_int_equal(table_options_set_format(&o, "--format", "xml", &err), ARMPMU_BAD_CONFIG);
    assert_string_equal(err.message, "--format 'xml': there are text, csv, json and md");
    assert_int_equal(table_options_set_format(&o, "--format", "csv", &err), ARMPMU_OK);
    assert_string_equal(o.separator, ",");
    assert_int_equal(table_options_choose(&o, TABLE_JSON, "-j", &err), ARMPMU_BAD_CONFIG);
    assert_string_equal(err.message, "--format csv and -j are two formats; choose one");
}
