/* `armpmu help` and --help, printed from the tables of the commands. */
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
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

static void print_all(const struct command *command, FILE *out)
{
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

/* ---- in a narrow terminal ---- */

/* Where the last column of a line begins. */
static size_t text_begin(const char *line, size_t n)
{
    size_t at = strncmp(line, "usage: ", 7) == 0 ? 7 : strspn(line, " ");

    for (size_t i = at; i + 2 < n; i++)
        if (line[i] == ' ' && line[i + 1] == ' ')
            at = i + 2;
    return at;
}

/* Joins the lines of a paragraph, if one of them is wider than the terminal. */
static void join_paragraph(char *text, size_t columns)
{
    bool is_wide = false;
    size_t end = 0;

    for (size_t n = strcspn(text, "\n");
         n > 0 && text[end] != ' ' && text[end + n] == '\n' && text_begin(text + end, n) == 0;
         n = strcspn(text + end, "\n")) {
        is_wide |= n > columns;
        end += n + 1;
    }
    for (size_t i = 0; is_wide && i + 1 < end; i++)
        text[i] = text[i] == '\n' ? ' ' : text[i];
}

static void put_fitted(char *text, size_t columns, FILE *out)
{
    for (bool is_first = true; *text != '\0';) {
        if (is_first)
            join_paragraph(text, columns);
        const size_t n = strcspn(text, "\n");
        const bool has_more = text[n] != '\0';
        is_first = n == 0 || text[0] == ' ';
        text[n] = '\0';
        text_wrap_fitted(text, 0, (int)text_begin(text, n), out);
        text += n + has_more;
    }
}

void command_print_help(const struct command *command, FILE *out)
{
    const int columns = text_wrap_columns();
    char *text = NULL;
    size_t n;
    FILE *const kept = command != NULL && columns > 0 ? memory_stream_open(&text, &n) : NULL;

    if (command == NULL) {
        print_front(out);
        return;
    }
    print_all(command, kept != NULL ? kept : out);
    if (kept != NULL && memory_stream_close(kept, &text))
        put_fitted(text, (size_t)columns, out);
    else if (kept != NULL)
        print_all(command, out);
    free(text);
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
