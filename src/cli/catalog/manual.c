/* The manual pages armpmu(1) and armpmu-COMMAND(1), in the macros of man(7), from the tables of the
 * commands. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "armpmu/catalog.h"
#include "cli/commands.h"

/* roff reads some characters as its own. */
static const char *escape(char c)
{
    switch (c) {
    case '\\':
        return "\\e";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    }
    return NULL;
}

static void print_text(const char *text, size_t length, FILE *out)
{
    if (length > 0 && text[0] == '.')
        fputs("\\&", out);
    for (size_t i = 0; i < length; i++) {
        const char *const escaped = escape(text[i]);
        if (escaped != NULL)
            fputs(escaped, out);
        else
            putc(text[i], out);
    }
}

/* Paragraphs; lines that begin with a blank are printed as they are. A heading needs no distance
 * from the first one. */
static void print_paragraphs(const char *text, bool after_heading, FILE *out)
{
    bool as_is = false, blank = !after_heading;
    const char *const first = after_heading ? text : NULL;

    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        const bool was = as_is;
        as_is = *text == ' ' || (as_is && length == 0 && text[1] == ' ');
        if (as_is != was)
            fputs(!as_is ? ".fi\n" : text == first ? ".nf\n" : ".PP\n.nf\n", out);
        blank = blank || (was && !as_is);
        if (length == 0) {
            blank = true;
            continue;
        }
        if (blank && !as_is)
            fputs(".PP\n", out);
        blank = false;
        print_text(text, length, out);
        putc('\n', out);
    }
    if (as_is)
        fputs(".fi\n", out);
}

static void print_name(const char *dashes, const char *name, FILE *out)
{
    fputs("\\fB", out);
    print_text(dashes, strlen(dashes), out);
    print_text(name, strlen(name), out);
    fputs("\\fR", out);
}

static void print_value(const struct option_row *row, const char *gap, FILE *out)
{
    if (row->metavar == NULL)
        return;
    fprintf(out, "%s\\fI", row->optional ? "[=" : gap);
    print_text(row->metavar, strlen(row->metavar), out);
    fprintf(out, "\\fR%s", row->optional ? "]" : "");
}

/* "-e LIST, --event=LIST" */
static void print_spellings(const struct option_row *row, FILE *out)
{
    if (row->letter != '\0') {
        print_name("-", (const char[]){row->letter, '\0'}, out);
        print_value(row, " ", out);
        fputs(", ", out);
    }
    print_name("--", row->name, out);
    print_value(row, "=", out);
    if (row->other_name != NULL) {
        fputs(", ", out);
        print_name("--", row->other_name, out);
        print_value(row, "=", out);
    }
    if (row->negated) {
        fputs(", ", out);
        print_name("--no-", row->name, out);
    }
    putc('\n', out);
}

static void print_help(const struct option_row *row, FILE *out)
{
    for (const char *text = row->help; *text != '\0';) {
        const size_t length = strcspn(text, "\n");
        print_text(text, length, out);
        putc('\n', out);
        text += length + (text[length] == '\n');
        if (*text != '\0')
            fputs(".br\n", out);
    }
}

static void print_options(const struct option_row *rows, FILE *out)
{
    for (struct option_cursor at = options_begin(rows); at.row != NULL; options_next(&at)) {
        if (!options_tells(&at))
            continue;
        if (option_is_one(at.row)) {
            fputs(".TP\n", out);
            print_spellings(at.row, out);
        } else {
            fputs(".SS ", out);
        }
        print_help(at.row, out);
    }
}

static void print_synopsis(const struct command *command, FILE *out)
{
    for (const char *line = command->synopsis; *line != '\0';) {
        const size_t length = strcspn(line, "\n"), name = strlen(command->name);
        fputs("\\fBarmpmu ", out);
        print_text(line, name, out);
        fputs("\\fR", out);
        print_text(line + name, length - name, out);
        fputs("\n", out);
        line += length + (line[length] == '\n');
        if (*line != '\0')
            fputs(".br\n", out);
    }
}

/* Returns false without memory. */
static bool print_table(const struct command *command, FILE *out)
{
    char *text = NULL;
    size_t size = 0;

    if (command->print_table == NULL)
        return true;
    FILE *const stream = memory_stream_open(&text, &size);
    if (stream == NULL)
        return false;
    command->print_table(stream);
    const bool done = memory_stream_close(stream, &text);
    if (done)
        print_paragraphs(text, false, out);
    free(text);
    return done;
}

/* A date would differ from build to build. */
static void print_title(const char *command, FILE *out)
{
    fputs(".TH ARMPMU", out);
    for (const char *c = command; *c != '\0'; c++)
        putc(toupper((unsigned char)*c), out);
    fprintf(out, " 1 \"\" \"armpmu %s\" \"User Commands\"\n.SH NAME\n", armpmu_version);
}

static void print_exit_code(const struct exit_code *code, FILE *out)
{
    fputs(".TP\n.B ", out);
    print_text(code->text, strlen(code->text), out);
    putc('\n', out);
    print_text(code->meaning, strlen(code->meaning), out);
    putc('\n', out);
}

/* command: NULL for armpmu's own page. */
static void print_exit_codes(const struct command *command, FILE *out)
{
    fputs(".SH EXIT STATUS\n", out);
    exit_codes_of(command, print_exit_code, out);
}

bool manual_print_command(const struct command *command, FILE *out)
{
    char title[32];

    snprintf(title, sizeof title, "\\-%s", command->name);
    print_title(title, out);
    fprintf(out, "armpmu%s \\- ", title);
    print_text(command->summary, strlen(command->summary), out);
    fputs("\n.SH SYNOPSIS\n", out);
    print_synopsis(command, out);
    fputs(".SH DESCRIPTION\n", out);
    print_paragraphs(command->text, true, out);
    fputs(".SH OPTIONS\n", out);
    print_options(command->options, out);
    const bool done = print_table(command, out);
    if (command->notes != NULL) {
        fputs(".SH NOTES\n", out);
        print_paragraphs(command->notes, true, out);
    }
    print_exit_codes(command, out);
    fputs(".SH SEE ALSO\n.BR armpmu (1)\n", out);
    return done;
}

static const char surroundings[] =
    ".SH ENVIRONMENT\n"
    ".TP\n.B ARMPMU_MACHINE\nthe machine, where \\fB\\-\\-machine\\fR names none\n"
    ".TP\n.B ARMPMU_MACHINE_PATH\nfolders of machine files, separated by \\(aq:\\(aq, searched "
    "before "
    "the others\n"
    ".TP\n.B ARMPMU_QEMU\nthe QEMU that runs programs, where \\fB\\-\\-qemu\\fR names none\n"
    ".TP\n.B QEMU_LD_PREFIX\nthe folder with the libraries of dynamic programs, where "
    "\\fB\\-\\-sysroot\\fR names none\n"
    ".TP\n.B ARMPMU_PLUGIN\nthe file armpmu\\-qemu.so, where it is not with the program\n"
    ".TP\n.B ARMPMU_CHECK_PATH\nthe folder of the programs of \\fBcheck\\fR\n"
    ".TP\n.B ARMPMU_CODE_MEMORY\nbytes that a program\\(aqs code may take in memory\n"
    ".TP\n.B ARMPMU_PAGER, PAGER\nthrough which \\fBreport\\fR, \\fBannotate\\fR and "
    "\\fBscript\\fR show long "
    "texts on a terminal; empty or \\fBcat\\fR: none\n"
    ".TP\n.B NO_COLOR, TERM=dumb\nnothing is coloured unless \\fB\\-\\-color=always\\fR is given\n"
    ".SH SEE ALSO\n"
    ".BR libarmpmu (3),\n.BR perf\\-stat (1),\n.BR qemu\\-arm (1)\n";

static void print_commands(FILE *out)
{
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; commands[i] != NULL; i++) {
        fprintf(out, ".TP\n.BR armpmu\\-%s (1)\n", commands[i]->name);
        print_text(commands[i]->summary, strlen(commands[i]->summary), out);
        putc('\n', out);
    }
}

void manual_print(FILE *out)
{
    print_title("", out);
    fputs("armpmu \\- hardware performance counters of Arm cores\n"
          ".SH SYNOPSIS\n"
          "\\fBarmpmu\\fR [\\fB\\-\\-machine\\fR \\fINAME|FILE\\fR] [\\fB\\-\\-color\\fR "
          "\\fIWHEN\\fR] \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n"
          ".SH DESCRIPTION\n"
          "\\fBarmpmu\\fR runs a program for an Arm core under an emulator, feeds every "
          "instruction and every memory access to a model of the core, and prints what that "
          "core\\(aqs performance monitor would have counted.\n"
          ".PP\n"
          "Letters of options may be combined, names of options may be abbreviated. Everything "
          "after the name of a program, or after \\fB\\-\\-\\fR, is the program\\(aqs.\n"
          ".SH OPTIONS\n"
          "Before the command:\n",
          out);
    print_options(front_rows, out);
    print_commands(out);
    print_exit_codes(NULL, out);
    fputs(surroundings, out);
}
