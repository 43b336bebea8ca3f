/* Options of the subcommands. Each is one row of a table beside its command; the command line is
 * read, and --help, shell completion and the manual page are printed, from these rows alone.
 *
 *     {'r', "repeat", "N", "run N times, and print mean and deviation",
 *      OPTION_NUMBER_TO(struct stat_options, runs), .least = 1, .most = 1000000,
 *      .expects = "a number of runs from 1 to 1000000"},
 *
 * Conventions are perf's and getopt_long's: letters may be combined, "-e LIST" and "-eLIST",
 * "--event LIST" and "--event=LIST", names may be abbreviated where that is not ambiguous, "--"
 * ends the options. Everything after a program's name belongs to the program. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

enum option_kind {
    OPTION_END, /* after the last row */
    OPTION_HEADING,
    OPTION_ROWS,   /* the rows of another table, for a part of the command's options */
    OPTION_FLAG,   /* bool: true */
    OPTION_COUNT,  /* unsigned: how often it was given */
    OPTION_CHOICE, /* enum: the index of the word */
    OPTION_NUMBER, /* unsigned or uint64_t: decimal or hexadecimal, K, M or G may follow */
    OPTION_TEXT,   /* const char *, borrowed from argv */
    OPTION_LIST,   /* struct option_list: each value that was given */
    OPTION_CALL,   /* what a function makes of it */
};

/* The completions that a shell offers for a value or an operand. */
enum completes {
    COMPLETE_NOTHING,
    COMPLETE_FILE,
    COMPLETE_FOLDER,
    COMPLETE_PROGRAM, /* a program or file, and after it what belongs to it */
    COMPLETE_EVENT,   /* of the core, or of the machine, that the command line names */
    COMPLETE_EVENTS,  /* the same, separated by ',' */
    COMPLETE_CORE,
    COMPLETE_MACHINE,  /* or a machine's file */
    COMPLETE_REGISTER, /* a core, and after it the name of one of its registers */
    COMPLETE_COMMAND,
};

/* Values in the order in which they were given, NULL after them; values is NULL without any. */
struct option_list {
    const char **values;
    size_t n, room;
};

/* Takes a value, NULL where it is optional and missing; option is its name as given. member: where
 * the row's value goes. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
typedef enum armpmu_status (*option_set_fn)(void *member, const char *option, const char *value,
                                            struct armpmu_error *err);

struct option_row {
    char letter; /* 0: none */
    const char *name;
    const char *metavar; /* what --help calls the value; NULL: it takes none */
    const char *help;    /* or the heading */
    enum option_kind kind;
    size_t offset;                  /* of the value in the command's options */
    const char *other_name;         /* perf's spelling, where ours is another; NULL */
    bool negated;                   /* of a flag: --no-NAME says false */
    bool optional;                  /* the value may be left out; it follows '=' */
    bool wide;                      /* of a number: uint64_t */
    uint64_t least, most, multiple; /* limits of a number; a multiple of 0 is 1 */
    const char *expects;            /* what a number must be, for the message */
    const char *const *words;       /* of OPTION_CHOICE, NULL-terminated */
    option_set_fn set;              /* of OPTION_CALL */
    const struct option_row *rows;  /* of OPTION_ROWS */
    const char *listed_by;          /* of OPTION_ROWS: the command whose help lists them; NULL */
    size_t given;                   /* of OPTION_ROWS: a bool, one of them was given; 0: none */
    enum completes completes;
};

/* Where a value goes. The member's type is checked by the compiler: enums are unsigned here. */
#define OPTION_OFFSET(type, member, of)                                                            \
    .offset = _Generic(&((type *)0)->member, of * : offsetof(type, member))
#define OPTION_FLAG_TO(type, member)  .kind = OPTION_FLAG, OPTION_OFFSET(type, member, bool)
#define OPTION_COUNT_TO(type, member) .kind = OPTION_COUNT, OPTION_OFFSET(type, member, unsigned)
#define OPTION_TEXT_TO(type, member)  .kind = OPTION_TEXT, OPTION_OFFSET(type, member, const char *)
#define OPTION_LIST_TO(type, member)                                                               \
    .kind = OPTION_LIST, OPTION_OFFSET(type, member, struct option_list)
#define OPTION_CHOICE_TO(type, member, list)                                                       \
    .kind = OPTION_CHOICE, OPTION_OFFSET(type, member, unsigned), .words = (list)
#define OPTION_NUMBER_TO(type, member)                                                             \
    .kind = OPTION_NUMBER, .offset = offsetof(type, member),                                       \
    .wide = _Generic(&((type *)0)->member, unsigned *: false, uint64_t *: true)
#define OPTION_CALL_TO(type, member, function)                                                     \
    .kind = OPTION_CALL, .offset = offsetof(type, member), .set = (function)
#define OPTION_ROWS_TO(type, member, table)                                                        \
    .kind = OPTION_ROWS, .offset = offsetof(type, member), .rows = (table)

/* Goes through the rows of a command: those of the tables it shares, in their place, and -h. */
struct option_cursor {
    const struct option_row *row;   /* NULL after the last */
    const struct option_row *outer; /* the row that led into another table; NULL */
    size_t offset;                  /* of the row's value in the command's options */
};

struct option_cursor options_begin(const struct option_row *rows);
void options_next(struct option_cursor *at);

/* True for an option, false for a heading. */
bool option_is_one(const struct option_row *row);

/* True when --help lists the row, and not the help of another command. */
bool options_tells(const struct option_cursor *at);

/* The options to read. */
struct option_table {
    const char *command; /* "" before the commands */
    const struct option_row *rows;
    bool runs_program; /* what follows the first operand is not read */
};

struct command_line {
    int argc;
    char **argv;           /* as main has them */
    char *const *operands; /* NULL-terminated */
    bool help;             /* -h: nothing else counts */
};

/* Reads the line's argv, which may be put in another order, into the command's options; free what
 * they hold with options_free in any case. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG (the message names
 * the option, the nearest one, or what its value must be), ARMPMU_NO_MEMORY or what a set function
 * returned. */
ARMPMU_MUST_USE enum armpmu_status options_parse(const struct option_table *table,
                                                 struct command_line *line, void *options,
                                                 struct armpmu_error *err);

void options_free(const struct option_row *rows, void *options);

/* The words as a message names them: "a, b and c". */
void option_choices(const char *const *words, char *text, size_t size);

/* A number as OPTION_NUMBER takes it. */
bool options_number(const char *text, uint64_t *value);

/* --color, which several commands have. */
enum option_color { OPTION_COLOR_AUTO, OPTION_COLOR_ALWAYS, OPTION_COLOR_NEVER };
extern const char *const option_colors[];

/* --machine and --color. */
#define OPTION_MACHINE_ROW(type, member)                                                           \
    {                                                                                              \
        0, "machine", "NAME|FILE",                                                                 \
            "default $ARMPMU_MACHINE, else cortex-a8; 'armpmu list machine'",                      \
            OPTION_TEXT_TO(type, member), .completes = COMPLETE_MACHINE                            \
    }
#define OPTION_COLOR_ROW(type, member)                                                             \
    {                                                                                              \
        0, "color", "WHEN", "auto, always or never", OPTION_CHOICE_TO(type, member, option_colors) \
    }

/* True when text for the file descriptor gets colours: with AUTO if it is a terminal and
 * NO_COLOR is not set, nor TERM to dumb. */
bool option_wants_color(enum option_color color, int fd);

#endif
