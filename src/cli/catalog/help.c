/* `armpmu help` and --help, printed from the tables of the commands. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/text_wrap.h"

#define HELP_COLUMN 24 /* where the texts of options begin */

/* "  -e, --event LIST" */
static int print_spelling(const struct option_row *row, FILE *out)
{
    int n = fprintf(out, row->letter != '\0' ? "  -%c, " : "      ", row->letter);

    n += fprintf(out, "--%s%s", row->negated ? "[no-]" : "", row->name);
    if (row->metavar != NULL)
        n += fprintf(out, row->optional ? "[=%s]" : " %s", row->metavar);
    return n;
}

static void print_option(const struct option_row *row, FILE *out)
{
    int column = print_spelling(row, out);

    column += fprintf(out, "%*s", column + 2 < HELP_COLUMN ? HELP_COLUMN - column : 2, "");
    text_wrap_wrapped(row->help, column, HELP_COLUMN, out);
}

static void print_options(const struct option_row *rows, FILE *out)
{
    bool heading = true;

    for (struct option_cursor at = options_begin(rows); at.row != NULL; options_next(&at)) {
        if (!options_tells(&at))
            continue;
        if (option_is_one(at.row))
            print_option(at.row, out);
        else
            fprintf(out, "%s%s\n", heading ? "" : "\n", at.row->help);
        heading = false;
    }
}

static void print_front(FILE *out)
{
    fputs("usage: armpmu [--machine NAME|FILE] [--color WHEN] COMMAND [OPTIONS] ...\n"
          "       armpmu help [COMMAND]\n"
          "       armpmu --version\n"
          "\n"
          "Hardware performance counters for Arm cores you do not have on your desk.\n"
          "\n",
          out);
    for (size_t i = 0; commands[i] != NULL; i++)
        text_wrap_fitted(commands[i]->summary, fprintf(out, "  %-10s  ", commands[i]->name), 14,
                         out);
    putc('\n', out);
    print_options(front_rows, out);
    fputs("\n'armpmu help COMMAND' lists the options of a command.\n", out);
}

static void print_exit_code(const struct exit_code *code, FILE *out)
{
    text_wrap_fitted(code->meaning, fprintf(out, "  %-7s  ", code->text), 11, out);
}

void command_print_help(const struct command *command, FILE *out)
{
    if (command == NULL) {
        print_front(out);
        return;
    }
    const char *word = "usage:";
    for (const char *line = command->synopsis; *line != '\0'; word = "      ") {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "%s armpmu %.*s\n", word, (int)length, line);
        line += length + (line[length] == '\n');
    }
    fprintf(out, "\n%s\n", command->text);
    print_options(command->options, out);
    if (command->print_table != NULL) {
        putc('\n', out);
        command->print_table(out);
    }
    if (command->notes != NULL)
        fprintf(out, "\n%s", command->notes);
    fputs("\nExit status:\n", out);
    exit_codes_of(command, print_exit_code, out);
}

int command_help_of(const char *name, FILE *out)
{
    const struct command *const command = name != NULL ? command_find(name) : NULL;

    if (name != NULL && command == NULL)
        return EXIT_ARMPMU;
    command_print_help(command, out);
    return 0;
}

struct help_options {
    bool manual;
};

static int print_manual(const char *name, FILE *out)
{
    const struct command *const command = name != NULL ? command_find(name) : NULL;

    if (name == NULL)
        manual_print(out);
    else if (command == NULL)
        return EXIT_ARMPMU;
    else if (!manual_print_command(command, out))
        return GIVE_UP("out of memory for the manual page");
    return 0;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    const struct help_options *const o = options;

    (void)err;
    return o->manual ? print_manual(operands[0], out) : command_help_of(operands[0], out);
}

static const struct option_row rows[] = {
    {0, "man", NULL, "print the manual page in man(1)'s format",
     OPTION_FLAG_TO(struct help_options, manual)},
    {.kind = OPTION_END},
};

const struct command command_help = {
    .name = "help",
    .summary = "describe armpmu or one of its commands",
    .synopsis = "help [--man] [COMMAND]",
    .text = "Describes a command and its options, or lists the commands.\n",
    .options = rows,
    .operands = COMPLETE_COMMAND,
    .options_bytes = sizeof(struct help_options),
    .run = run,
};
