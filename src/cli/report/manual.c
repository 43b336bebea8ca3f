/* The manual page armpmu(1), in the macros of man(7), from the tables of the commands. */
#include "cli/report/manual.h"

#include <stdlib.h>
#include <string.h>

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

/* Paragraphs; lines that begin with a blank are printed as they are. */
static void print_paragraphs(const char *text, FILE *out)
{
    bool as_is = false, blank = true;

    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        const bool was = as_is;
        as_is = *text == ' ' || (as_is && length == 0 && text[1] == ' ');
        if (as_is != was)
            fputs(as_is ? ".PP\n.nf\n" : ".fi\n", out);
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
            fputs(".PP\n.B ", out);
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
    FILE *const stream = open_memstream(&text, &size);
    if (stream == NULL)
        return false;
    command->print_table(stream);
    const bool whole = ferror(stream) == 0;
    const bool done = fclose(stream) == 0 && whole && text != NULL;
    if (done)
        print_paragraphs(text, out);
    free(text);
    return done;
}

static bool print_command(const struct command *command, FILE *out)
{
    fprintf(out, ".SS armpmu %s\n", command->name);
    print_synopsis(command, out);
    print_paragraphs(command->text, out);
    print_options(command->options, out);
    const bool done = print_table(command, out);
    if (command->notes != NULL)
        print_paragraphs(command->notes, out);
    return done;
}

static const char exit_status[] =
    ".SH EXIT STATUS\n"
    "That of the program that was run, where one was. armpmu itself ends with\n"
    ".TP\n.B 3\nsomething rose by more than a limit of \\fBdiff\\fR\n"
    ".TP\n.B 123\nfirmware cannot go on\n"
    ".TP\n.B 124\na limit ended firmware\n"
    ".TP\n.B 125\narmpmu failed: a wrong option, a wrong machine file, a full disk\n"
    ".TP\n.B 126\nthe program is there and cannot be run\n"
    ".TP\n.B 127\nthe program is not there\n"
    ".TP\n.B 128+N\nsignal N ended the program\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B ARMPMU_MACHINE\nthe machine, where \\fB\\-\\-machine\\fR names none\n"
    ".TP\n.B ARMPMU_MACHINE_PATH\nfolders of machine files, parted by \\(aq:\\(aq, in front of the "
    "others\n"
    ".TP\n.B ARMPMU_PAGER, PAGER\nthrough which \\fBreport\\fR, \\fBannotate\\fR and "
    "\\fBscript\\fR show long "
    "texts on a terminal; empty or \\fBcat\\fR: none\n"
    ".TP\n.B NO_COLOR, TERM=dumb\nnothing is coloured unless \\fB\\-\\-color=always\\fR is given\n"
    ".SH SEE ALSO\n"
    ".BR perf\\-stat (1),\n.BR qemu\\-arm (1)\n";

bool manual_print(FILE *out)
{
    bool done = true;

    fprintf(out,
            ".TH ARMPMU 1 \"\" \"armpmu %s\" \"User Commands\"\n"
            ".SH NAME\n"
            "armpmu \\- hardware performance counters of Arm cores\n"
            ".SH SYNOPSIS\n"
            "\\fBarmpmu\\fR [\\fB\\-\\-machine\\fR \\fINAME|FILE\\fR] [\\fB\\-\\-color\\fR "
            "\\fIWHEN\\fR] \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n"
            ".SH DESCRIPTION\n"
            "\\fBarmpmu\\fR runs a program for an Arm core under an emulator, feeds every "
            "instruction and every memory access to a model of the core, and prints what that "
            "core\\(aqs performance monitor would have counted.\n"
            ".PP\n"
            "Letters of options may be combined, names of options may be cut short. Everything "
            "behind the name of a program, or behind \\fB\\-\\-\\fR, is the program\\(aqs.\n"
            ".SH OPTIONS\n"
            "In front of the command:\n",
            armpmu_version);
    print_options(front_rows, out);
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; commands[i] != NULL; i++)
        done &= print_command(commands[i], out);
    fputs(exit_status, out);
    return done;
}
