/* `armpmu completion`: a short script for a shell, which asks `armpmu completion line WORD...` for
 * the completions of the last word. Command lines are thus parsed in one place, in C, and the
 * shells need no tables. The answer: a line that says what else the shell may offer (":file",
 * ":folder", ":program", ":words", ":events", or ":rest N" where word N begins another program's
 * command line), then a line for each candidate, its meaning after a tab. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "armpmu/machine.h"
#include "cli/machine_choice.h"

struct words_so_far {
    char *const *words; /* all after "armpmu"; the last one is to be completed */
    size_t n;
    const struct command *command; /* NULL: none named yet */
    const char *core, *machine;    /* that were named */
    const char *operands[3];
    size_t n_operands;
    bool no_options;    /* after "--" */
    const char *prefix; /* of each candidate */
    int prefix_length;
    const char *part; /* what candidates begin with after the prefix */
    FILE *out;
};

static void offer(const struct words_so_far *line, const char *name, const char *meaning)
{
    if (strncmp(name, line->part, strlen(line->part)) == 0)
        fprintf(line->out, "%.*s%s\t%.*s\n", line->prefix_length, line->prefix, name,
                (int)strcspn(meaning, ";\n"), meaning);
}

static void offer_all(const struct words_so_far *line, const char *const *names)
{
    for (; names != NULL && *names != NULL; names++)
        offer(line, *names, "");
}

static void offer_commands(const struct words_so_far *line)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        offer(line, commands[i]->name, commands[i]->summary);
}

static const struct armpmu_core *core_of(const struct words_so_far *line)
{
    const struct armpmu_core *const core = line->core != NULL ? armpmu_core_find(line->core) : NULL;

    return core != NULL ? core : machine_choice_core(line->machine);
}

static void offer_events(const struct words_so_far *line)
{
    const struct armpmu_core *const core = core_of(line);

    for (size_t i = 0; core != NULL && i < core->n_events; i++)
        if (core->events[i].name[0] != 0)
            offer(line, core->events[i].name, core->events[i].meaning);
}

static void offer_registers(const struct words_so_far *line, const struct armpmu_core *core)
{
    for (size_t i = 0; core != NULL && i < core->n_registers; i++)
        offer(line, core->registers[i].name, "");
}

static void offer_cores(const struct words_so_far *line)
{
    size_t n = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n);

    for (size_t i = 0; i < n; i++)
        offer(line, cores[i]->name, cores[i]->title);
}

static void offer_machines(const struct words_so_far *line)
{
    for (size_t i = 0; armpmu_machine_built_in(i) != NULL; i++)
        offer(line, armpmu_machine_built_in(i), "");
}

static bool has_word(const char *const *words, const char *word)
{
    while (words != NULL && *words != NULL && strcmp(*words, word) != 0)
        words++;
    return words != NULL && *words != NULL;
}

/* Names of what the first operand says: "machine", "reg", ... */
static void offer_kind(const struct words_so_far *line, const char *kind)
{
    if (strcmp(kind, "machine") == 0)
        offer_machines(line);
    else if (strcmp(kind, "core") == 0)
        offer_cores(line);
    else if (strncmp(kind, "reg", 3) == 0)
        offer_registers(line, core_of(line));
    else
        offer_events(line);
}

/* A core and one of its registers, after a word of the command or not. */
static void offer_register(const struct words_so_far *line, const char *const *words)
{
    const bool has_action = line->n_operands > 0 && has_word(words, line->operands[0]);
    const size_t n = line->n_operands - has_action;

    if (n == 0)
        offer_cores(line);
    else if (n == 1)
        offer_registers(line, armpmu_core_find(line->operands[has_action]));
}

/* Events of a list: candidates follow the last ',' or '{'. */
static void begin_last(struct words_so_far *line)
{
    const char *at = line->part;

    for (const char *c = at; *c != '\0'; c++)
        if (*c == ',' || *c == '{')
            at = c + 1;
    if (line->prefix_length == 0)
        line->prefix = line->part;
    line->prefix_length += (int)(at - line->part);
    line->part = at;
}

static void complete(struct words_so_far *line, enum completes kind, const char *const *words)
{
    static const char *const also[] = {
        [COMPLETE_FILE] = "file",       [COMPLETE_MACHINE] = "file",  [COMPLETE_FOLDER] = "folder",
        [COMPLETE_PROGRAM] = "program", [COMPLETE_EVENTS] = "events", [COMPLETE_COMMAND] = NULL,
    };
    const bool is_of_kind = kind == COMPLETE_EVENT && line->n_operands > 0;

    fprintf(line->out, ":%s\n", also[kind] != NULL ? also[kind] : "words");
    if (kind == COMPLETE_EVENTS) {
        begin_last(line);
        offer(line, "all", "");
        offer_events(line);
    } else if (kind == COMPLETE_MACHINE) {
        offer_machines(line);
    } else if (kind == COMPLETE_CORE) {
        offer_cores(line);
    } else if (kind == COMPLETE_COMMAND) {
        offer_commands(line);
    } else if (kind == COMPLETE_REGISTER) {
        offer_register(line, words);
    } else if (kind == COMPLETE_EVENT) {
        offer_kind(line, is_of_kind ? line->operands[0] : "event");
    }
    if (line->n_operands == 0)
        offer_all(line, words);
}

/* ---- reading the words ---- */

static const struct option_row *option_of(const struct words_so_far *line, const char *word)
{
    const size_t length = strcspn(word, "=");
    const struct option_row *const rows =
        line->command != NULL ? line->command->options : front_rows;

    for (struct option_cursor at = options_begin(rows); at.row != NULL; options_next(&at)) {
        const struct option_row *const row = at.row;
        const char *const names[] = {row->name, row->other_name};
        if (option_is_one(row) && word[1] == row->letter && word[1] != '\0' && length == 2)
            return row;
        for (size_t i = 0; option_is_one(row) && word[1] == '-' && i < 2; i++)
            if (names[i] != NULL && strlen(names[i]) == length - 2 &&
                strncmp(names[i], word + 2, length - 2) == 0)
                return row;
    }
    return NULL;
}

static void offer_option(const struct words_so_far *line, const struct option_row *row)
{
    char name[64];
    const char letter[] = {'-', row->letter, '\0'};

    snprintf(name, sizeof name, "--%s", row->name);
    offer(line, name, row->help);
    if (row->letter != '\0')
        offer(line, letter, row->help);
    snprintf(name, sizeof name, "--no-%s", row->name);
    if (row->negated)
        offer(line, name, "the opposite");
}

static void complete_option(const struct words_so_far *line)
{
    const struct option_row *const rows =
        line->command != NULL ? line->command->options : front_rows;

    fputs(":words\n", line->out);
    for (struct option_cursor at = options_begin(rows); at.row != NULL; options_next(&at))
        if (option_is_one(at.row))
            offer_option(line, at.row);
}

static void complete_value(struct words_so_far *line, const struct option_row *row)
{
    line->n_operands = 0; /* of another thing than the value */
    complete(line, row->words != NULL ? COMPLETE_NOTHING : row->completes, row->words);
}

static void take_operand(struct words_so_far *line, const char *word)
{
    if (line->command == NULL) {
        for (size_t i = 0; commands[i] != NULL && line->command == NULL; i++)
            if (strcmp(commands[i]->name, word) == 0)
                line->command = commands[i];
    } else if (line->n_operands < 3) {
        line->operands[line->n_operands++] = word;
    }
}

/* Reads the words before the last; true if one of them has answered already. */
static bool read_words(struct words_so_far *line)
{
    for (size_t i = 0; i + 1 < line->n; i++) {
        const char *const word = line->words[i];
        const struct option_row *row;
        if (!line->no_options && strcmp(word, "--") == 0) {
            line->no_options = true;
            continue;
        }
        if (line->no_options || word[0] != '-' || word[1] == '\0') {
            take_operand(line, word);
            if (line->command != NULL && line->command->runs_program && line->n_operands > 0) {
                fprintf(line->out, ":rest %zu\n", i);
                return true;
            }
            continue;
        }
        row = option_of(line, word);
        /* bash makes three words of --name=value */
        const bool is_split = i + 1 < line->n && strcmp(line->words[i + 1], "=") == 0;
        const char *value = strchr(word, '=') != NULL ? strchr(word, '=') + 1 : NULL;
        if (row == NULL || row->metavar == NULL || (row->optional && !is_split))
            continue;
        if (value == NULL) {
            i += 1 + is_split;
            if (i >= line->n)
                line->part = "";
            if (i + 1 >= line->n) {
                complete_value(line, row);
                return true;
            }
            value = line->words[i];
        }
        if (strcmp(row->name, "core") == 0)
            line->core = value;
        if (strcmp(row->name, "machine") == 0)
            line->machine = value;
    }
    return false;
}

static void answer(struct words_so_far *line)
{
    const char *const value = strchr(line->part, '=');
    const struct option_row *const row = !line->no_options && line->part[0] == '-' && value != NULL
                                             ? option_of(line, line->part)
                                             : NULL;

    if (row != NULL) {
        line->prefix = line->part;
        line->prefix_length = (int)(value + 1 - line->part);
        line->part = value + 1;
        complete_value(line, row);
    } else if (!line->no_options && line->part[0] == '-') {
        complete_option(line);
    } else if (line->command == NULL) {
        complete(line, COMPLETE_COMMAND, NULL);
    } else {
        complete(line, line->command->operands, line->command->words);
    }
}

/* ---- the command ---- */

static const struct script {
    const char *shell, *text;
} scripts[] = {
#define SCRIPT(shell, text) {shell, text},
#include "cli/catalog/completion_scripts.inc"
#undef SCRIPT
};

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    const char *const name = operands[0] != NULL ? operands[0] : "";

    (void)options, (void)err;
    if (strcmp(name, "line") == 0 && operands[1] != NULL) {
        struct words_so_far line = {.words = operands + 1, .out = out, .prefix = ""};
        while (line.words[line.n] != NULL)
            line.n++;
        line.part = line.words[line.n - 1];
        if (!read_words(&line))
            answer(&line);
        return 0;
    }
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        if (strcmp(name, scripts[i].shell) == 0 && operands[1] == NULL) {
            fputs(scripts[i].text, out);
            return 0;
        }
    return GIVE_UP("completion '%.40s': name one shell: bash, zsh or fish",
                   *name != '\0' && operands[1] != NULL ? operands[1] : name);
}

static const struct option_row rows[] = {{.kind = OPTION_END}};
static const char *const words[] = {"bash", "zsh", "fish", NULL};

const struct command command_completion = {
    .name = "completion",
    .summary = "print a shell completion script",
    .synopsis = "completion bash|zsh|fish",
    .text = "Prints a script that makes the shell complete commands, options and their values:\n"
            "events, machines, cores, registers and files. 'make install' installs the\n"
            "scripts. For the current session only:\n"
            "  eval \"$(armpmu completion bash)\"\n"
            "  eval \"$(armpmu completion zsh)\"\n"
            "  armpmu completion fish | source\n",
    .options = rows,
    .words = words,
    .runs_program = false,
    .run = run,
};
