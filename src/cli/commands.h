/* The subcommands of armpmu, one file each: a description, from which help, completion and the
 * manual page are printed, and a function. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "armpmu/status.h"
#include "cli/options.h"

enum {
#define EXIT_CODE(name, status, text, meaning) EXIT_##name = (status),
#include "cli/exit_codes.def"
#undef EXIT_CODE
};

enum exit_code_bit {
#define EXIT_CODE(name, status, text, meaning) NTH_##name,
#include "cli/exit_codes.def"
#undef EXIT_CODE
#define EXIT_CODE(name, status, text, meaning) ENDS_##name = 1 << NTH_##name,
#include "cli/exit_codes.def"
#undef EXIT_CODE
    ENDS_AS_PROGRAM = ENDS_NOT_EXECUTABLE | ENDS_NOT_FOUND | ENDS_SIGNAL,
};

struct exit_code {
    unsigned bit; /* enum exit_code_bit */
    const char *text, *meaning;
};

/* Does the work. out is standard output, and main says when it cannot be written; of a command with
 * a report the file of -o, which keeps what it had when EXIT_ARMPMU is returned. options were read
 * and are freed by the caller. Returns the exit status of the process; a message in err is printed
 * by the caller. */
typedef int (*command_fn)(void *options, char *const *operands, FILE *out,
                          struct armpmu_error *err);

/* Texts are lines of at most 100 characters. Those that begin with a blank are printed as they are
 * in the manual page, too; others are paragraphs. */
struct command {
    const char *name;
    const char *summary;  /* one line */
    const char *synopsis; /* lines of the text after "armpmu " */
    const char *text;     /* before the options */
    const struct option_row *options;
    void (*print_table)(FILE *out); /* after the options, lines for a table that is code; NULL */
    const char *notes;              /* after the options */
    enum completes operands;
    const char *const *words; /* that may also be operands; NULL-terminated, or NULL */
    bool runs_program;        /* its operands are a program and what belongs to that */
    size_t options_bytes;
    bool has_report;      /* out is -o's file where that is named: */
    size_t report;        /* struct table_options in the options */
    const void *defaults; /* of the options; NULL: zero */
    unsigned ends;        /* exit statuses beside ENDS_ARMPMU: enum exit_code_bit */
    command_fn run;
};

/* The options of a report, in a command's own. */
#define COMMAND_REPORT(type, member)                                                               \
    .options_bytes = sizeof(type), .has_report = true, .report = offsetof(type, member)

extern const struct command command_annotate, command_calibrate, command_check, command_completion,
    command_convert, command_diff, command_doctor, command_dtb, command_explain, command_guest,
    command_help, command_list, command_record, command_regs, command_replay, command_report,
    command_run, command_script, command_stat, command_sweep, command_trend, command_whatif;

/* In the order in which the help names them, NULL after them. */
extern const struct command *const commands[];

/* Calls a function for each exit status of a command, of armpmu if it is NULL. */
typedef void (*exit_code_fn)(const struct exit_code *code, FILE *out);
void exit_codes_of(const struct command *command, exit_code_fn call, FILE *out);

/* The command of a name. Returns NULL after complaining. */
const struct command *command_find(const char *name);

/* Reads argv, of which the first word is the command's name, and runs the command, or prints its
 * help. Returns the exit status of the process. */
int command_execute(const struct command *command, int argc, char **argv, FILE *out);

/* Options before the command are the command's, but for these. */
struct front_options {
    const char *machine, *color; /* read again by the command */
    bool version;
};
extern const struct option_row front_rows[];

/* The help of a command; of armpmu, for NULL. */
void command_print_help(const struct command *command, FILE *out);

/* The same for the command of a name, NULL for armpmu. Returns the exit status of the process. */
int command_help_of(const char *name, FILE *out);

/* armpmu(1): what all commands have in common. */
void manual_print(FILE *out);

/* armpmu-NAME(1). Returns false when there is no memory for a part of it. */
bool manual_print_command(const struct command *command, FILE *out);

/* The exit status of a command that has no other. */
static inline int command_exit(enum armpmu_status status)
{
    return status == ARMPMU_OK ? 0 : EXIT_ARMPMU;
}

/* Prints "armpmu: " and the formatted sentence on standard error, with a newline. Returns false,
 * for what complains and gives up. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
bool print_error(const char *format, ...);

/* Complains as print_error; the exit status of a command that gives up. */
#define GIVE_UP(...) (print_error(__VA_ARGS__), (int)EXIT_ARMPMU)

/* True when a sentence could not be written: the exit status alone can say so. */
bool print_lost(void);

#endif
