/* The options that every command with a report has: how and where it is printed. They are one table
 * of rows, so that a letter means the same in each command. */
#ifndef CLI_TABLE_TABLE_OPTIONS_H
#define CLI_TABLE_TABLE_OPTIONS_H

#include "cli/options.h"

enum table_format {
    TABLE_TEXT,
    TABLE_CSV,
    TABLE_JSON,
    TABLE_MD,
    TABLE_OWN,  /* one that only the command has */
    TABLE_PAGE, /* for a browser, where the command has one */
};

struct table_options {
    enum table_format format;
    bool is_document;      /* of JSON: else an object a line */
    char chosen_by[24];    /* the option that named the format; "" for none */
    const char *separator; /* of CSV; NULL: "," */
    const char *output;    /* NULL: none */
    bool append;
    enum option_color color;
    bool wants_pager; /* where the command has --pager */
};

/* -x, -j, -o, --append and --color, and --format as a row of its own: the help of a command says
 * what its formats are. */
extern const struct option_row table_rows[];
extern const char *const table_formats[]; /* their names, as --format takes them */

#define TABLE_ROWS_TO(type, member, formats)                                                       \
    {0,                                                                                            \
     "format",                                                                                     \
     "FORMAT",                                                                                     \
     formats,                                                                                      \
     OPTION_CALL_TO(type, member, table_options_set_format),                                       \
     .words = table_formats},                                                                      \
    {                                                                                              \
        OPTION_ROWS_TO(type, member, table_rows)                                                   \
    }

#define TABLE_PAGER_ROW(type, member)                                                              \
    {                                                                                              \
        0, "pager", NULL,                                                                          \
            "on a terminal, use $ARMPMU_PAGER, $PAGER or less (default), or no pager",             \
            OPTION_FLAG_TO(type, member.wants_pager), .negated = true                              \
    }

/* Option_set_fn of --format. */
enum armpmu_status table_options_set_format(void *options, const char *option, const char *value,
                                            struct armpmu_error *err);

/* The same of other words, in the order of enum table_format. */
enum armpmu_status table_options_set_word(struct table_options *options, const char *const *words,
                                          const char *option, const char *value,
                                          struct armpmu_error *err);

/* Notes that an option chose a format. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG: another has. */
ARMPMU_MUST_USE enum armpmu_status table_options_choose(struct table_options *options,
                                                        enum table_format format,
                                                        const char *option,
                                                        struct armpmu_error *err);

/* True where the report has colours; a file has them only with --color always. */
bool table_options_color(const struct table_options *options);

#endif
