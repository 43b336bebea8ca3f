/* `armpmu completion`: scripts for the shells, printed from the tables of the commands. Options and
 * words are in the script; names of events, machines, cores and registers come from `armpmu list`
 * when they are asked for. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

/* What the scripts call what completes a value or an operand. */
static const char *const kinds[] = {
    [COMPLETE_NOTHING] = "nothing",   [COMPLETE_FILE] = "file",
    [COMPLETE_FOLDER] = "folder",     [COMPLETE_PROGRAM] = "program",
    [COMPLETE_EVENT] = "event",       [COMPLETE_EVENTS] = "events",
    [COMPLETE_CORE] = "core",         [COMPLETE_MACHINE] = "machine",
    [COMPLETE_REGISTER] = "register", [COMPLETE_COMMAND] = "command",
};

/* A command's table, or that before the commands, of which the name is "". */
struct scope {
    const char *name;
    const struct option_row *rows;
};

static struct scope scope_of(const struct command *command)
{
    return command != NULL ? (struct scope){command->name, command->options}
                           : (struct scope){"", front_rows};
}

/* Calls print for each option of a scope, without headings. */
static void each_option(const struct scope *scope, FILE *out,
                        void (*print)(const struct scope *, const struct option_row *, FILE *))
{
    for (struct option_cursor at = options_begin(scope->rows); at.row != NULL; options_next(&at))
        if (option_is_one(at.row))
            print(scope, at.row, out);
}

/* The same for all scopes, the one before the commands first. */
static void each_scope(FILE *out, void (*print)(const struct command *, FILE *))
{
    print(NULL, out);
    for (size_t i = 0; commands[i] != NULL; i++)
        print(commands[i], out);
}

static void print_words(const char *const *words, FILE *out)
{
    for (; words != NULL && *words != NULL; words++)
        fprintf(out, " %s", *words);
}

static void print_commands(FILE *out)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        fprintf(out, " %s", commands[i]->name);
}

/* A word in single quotes as all three shells take it, special characters after a '\'. */
static void print_quoted(const char *text, size_t length, const char *special, FILE *out)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr(special, text[i]) != NULL ? "\\" : "", text[i]);
    }
}

/* The first part of an option's help. */
static size_t short_help(const struct option_row *row)
{
    return strcspn(row->help, ";\n");
}

/* ---- bash ---- */

static const char bash_begin[] =
    "# bash completion for armpmu, printed by 'armpmu completion bash'\n"
    "\n"
    "# Names of a KIND, for the core or machine that the command line names.\n"
    "_armpmu_names() {\n"
    "    local name number\n"
    "    \"$program\" list \"$1\" \"${core[@]}\" 2>/dev/null | while read -r number name _; do\n"
    "        [[ $1 = event ]] && echo \"$name\" || echo \"$number\"\n"
    "    done\n"
    "}\n"
    "\n"
    "# Offers what a KIND stands for, and WORDS.\n"
    "_armpmu_offer() {\n"
    "    local kind=$1 prefix= list=\"${*:2}\"\n"
    "    case $kind in\n"
    "    events)\n"
    "        prefix=${cur%\"${cur##*[,{]}\"} cur=${cur##*[,{]}\n"
    "        list=\"$(_armpmu_names event) all\"\n"
    "        compopt -o nospace 2>/dev/null ;;\n"
    "    event)\n"
    "        if [[ -n ${operands[0]} && \" $list \" = *\" ${operands[0]} \"* ]]; then\n"
    "            list=$(_armpmu_names \"${operands[0]}\")\n"
    "        else\n"
    "            list+=\" $(_armpmu_names event)\"\n"
    "        fi ;;\n"
    "    register)\n"
    "        [[ \" $list \" = *\" ${operands[0]} \"* ]] && operands=(\"${operands[@]:1}\") list=\n"
    "        case ${#operands[@]} in\n"
    "        0) list+=\" $(_armpmu_names core)\" ;;\n"
    "        1) core=(--core \"${operands[0]}\") list=$(_armpmu_names reg) ;;\n"
    "        *) list= ;;\n"
    "        esac ;;\n"
    "    core | machine) list=$(_armpmu_names $kind) ;;\n"
    "    esac\n"
    "    mapfile -t COMPREPLY < <(compgen -P \"$prefix\" -W \"$list\" -- \"$cur\"\n"
    "        case $kind in\n"
    "        program) [[ -n $cur && $cur != */* ]] && compgen -c -- \"$cur\" ;;\n"
    "        folder) compgen -d -- \"$cur\" ;;\n"
    "        esac\n"
    "        case $kind in file | machine | program) compgen -f -- \"$cur\" ;; esac)\n"
    "    case $kind in file | folder | machine | program) compopt -o filenames 2>/dev/null ;; "
    "esac\n"
    "}\n"
    "\n"
    "# What the value of an OPTION of a COMMAND is; nothing where it has none.\n"
    "_armpmu_value() {\n"
    "    case $1$2 in\n";

static const char bash_end[] =
    "_armpmu() {\n"
    "    local program=$1 cur=${COMP_WORDS[COMP_CWORD]} command= word value i at\n"
    "    local -a core=() operands=()\n"
    "    [[ $cur != = ]] || cur=\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]} at=$((i + 1))\n"
    "        if [[ $word != -?* ]]; then\n"
    "            [[ -n $command ]] && operands+=(\"$word\") || command=$word\n"
    "            [[ -n ${operands[0]} && $(_armpmu_operands \"$command\") = program ]] && break\n"
    "            continue\n"
    "        fi\n"
    "        value=$(_armpmu_value \"$command\" \"$word\")\n"
    "        if [[ ${COMP_WORDS[at]} = = ]]; then\n"
    "            ((at++))\n"
    "            value=${value:-$(_armpmu_value \"$command\" \"$word=\")}\n"
    "        fi\n"
    "        [[ -n $value ]] || continue\n"
    "        if ((at >= COMP_CWORD)); then\n"
    "            _armpmu_offer $value\n"
    "            return\n"
    "        fi\n"
    "        case $word in --core | --machine) core=(\"$word\" \"${COMP_WORDS[at]}\") ;; esac\n"
    "        i=$at\n"
    "    done\n"
    "    if ((i < COMP_CWORD)); then # a program's arguments\n"
    "        if declare -F _command_offset >/dev/null; then\n"
    "            _command_offset \"$i\"\n"
    "        else\n"
    "            _armpmu_offer file\n"
    "        fi\n"
    "    elif [[ $cur = -* ]]; then\n"
    "        _armpmu_offer words $(_armpmu_options \"$command\")\n"
    "    else\n"
    "        _armpmu_offer $(_armpmu_operands \"$command\")\n"
    "    fi\n"
    "}\n"
    "\n"
    "complete -F _armpmu armpmu\n";

static void bash_value(const struct scope *scope, const struct option_row *row, FILE *out)
{
    const char *const equals = row->optional ? "=" : "";

    if (row->metavar == NULL)
        return;
    fprintf(out, "    ");
    if (row->letter != '\0' && !row->optional)
        fprintf(out, "%s-%c | ", scope->name, row->letter);
    fprintf(out, "%s--%s%s", scope->name, row->name, equals);
    if (row->other_name != NULL)
        fprintf(out, " | %s--%s", scope->name, row->other_name);
    fprintf(out, ") echo %s", row->words != NULL ? "words" : kinds[row->completes]);
    print_words(row->words, out);
    fputs(" ;;\n", out);
}

static void bash_values(const struct command *command, FILE *out)
{
    const struct scope scope = scope_of(command);
    each_option(&scope, out, bash_value);
}

static void bash_option(const struct scope *scope, const struct option_row *row, FILE *out)
{
    (void)scope;
    if (row->letter != '\0')
        fprintf(out, " -%c", row->letter);
    fprintf(out, " --%s", row->name);
    if (row->negated)
        fprintf(out, " --no-%s", row->name);
}

static void bash_options(const struct command *command, FILE *out)
{
    const struct scope scope = scope_of(command);

    fprintf(out, "    '%s') echo", scope.name);
    each_option(&scope, out, bash_option);
    fputs(" ;;\n", out);
}

static void bash_operands(const struct command *command, FILE *out)
{
    const bool is_command = command == NULL || command->operands == COMPLETE_COMMAND;

    fprintf(out, "    '%s') echo %s", command != NULL ? command->name : "",
            is_command ? "words" : kinds[command->operands]);
    if (is_command)
        print_commands(out);
    else
        print_words(command->words, out);
    fputs(" ;;\n", out);
}

static void print_bash(FILE *out)
{
    fputs(bash_begin, out);
    each_scope(out, bash_values);
    fputs("    esac\n}\n\n_armpmu_options() {\n    case $1 in\n", out);
    each_scope(out, bash_options);
    fputs("    esac\n}\n\n# What the operands are: a kind, and words.\n"
          "_armpmu_operands() {\n    case $1 in\n",
          out);
    each_scope(out, bash_operands);
    fputs("    esac\n}\n\n", out);
    fputs(bash_end, out);
}

/* ---- zsh ---- */

static const char zsh_begin[] =
    "#compdef armpmu\n"
    "# zsh completion for armpmu, printed by 'armpmu completion zsh'\n"
    "\n"
    "# Names of a KIND, for the core or machine that the command line names.\n"
    "_armpmu_names() {\n"
    "    local kind=$1 i\n"
    "    local -a core lines\n"
    "    shift\n"
    "    for ((i = 1; i < CURRENT - 1; i++)); do\n"
    "        case $words[i] in\n"
    "        --core | --machine) core=($words[i] $words[i+1]) ;;\n"
    "        --core=* | --machine=*) core=($words[i]) ;;\n"
    "        esac\n"
    "    done\n"
    "    [[ $words[1] = regs ]] && core=(--core ${words[CURRENT-1]})\n"
    "    lines=(${(f)\"$($program list $kind $core 2>/dev/null)\"})\n"
    "    [[ $kind = event ]] && lines=(${${lines#* }## #})\n"
    "    compadd \"$@\" -- ${lines%% *}\n"
    "}\n"
    "_armpmu_event() { _armpmu_names event \"$@\" }\n"
    "_armpmu_events() { compset -P '*[,{]'; compadd -- all; _armpmu_names event -qS , }\n"
    "_armpmu_core() { _armpmu_names core \"$@\" }\n"
    "_armpmu_machine_name() { _armpmu_names machine \"$@\" }\n"
    "_armpmu_machine() { _alternative 'machines:machine:_armpmu_machine_name' 'files:file:_files' "
    "}\n"
    "_armpmu_list() {\n"
    "    case $words[2] in\n"
    "    reg | metric | machine | core) _armpmu_names $words[2] ;;\n"
    "    *) _armpmu_event ;;\n"
    "    esac\n"
    "}\n"
    "_armpmu_register() {\n"
    "    local first=2\n"
    "    case $words[2] in decode | encode | asm) first=3 ;; esac\n"
    "    case $((CURRENT - first)) in\n"
    "    0) _armpmu_core ;;\n"
    "    1) _armpmu_names reg ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_armpmu() {\n"
    "    local curcontext=$curcontext state program=${(Q)words[1]}\n"
    "    local -a line commands\n"
    "    local -A opt_args\n"
    "    setopt localoptions extendedglob\n"
    "    commands=(\n";

/* What zsh calls to complete a kind. */
static const char *zsh_action(enum completes completes)
{
    static const char *const actions[] = {
        [COMPLETE_NOTHING] = " ",
        [COMPLETE_FILE] = "_files",
        [COMPLETE_FOLDER] = "_files -/",
        [COMPLETE_PROGRAM] = "_command_names -e",
        [COMPLETE_EVENT] = "_armpmu_event",
        [COMPLETE_EVENTS] = "_armpmu_events",
        [COMPLETE_CORE] = "_armpmu_core",
        [COMPLETE_MACHINE] = "_armpmu_machine",
        [COMPLETE_REGISTER] = "_armpmu_register",
        [COMPLETE_COMMAND] = " _describe command commands",
    };
    return actions[completes];
}

static void zsh_spelling(const struct option_row *row, FILE *out)
{
    const bool repeats = row->kind == OPTION_LIST || row->kind == OPTION_COUNT;
    const char *const behind = row->metavar == NULL ? "" : row->optional ? "=-" : "=";
    const char *const plus = row->metavar != NULL && !row->optional ? "+" : "";

    fputs("            ", out);
    if (row->letter == '\0')
        fprintf(out, "'%s--%s%s", repeats ? "*" : "", row->name, behind);
    else if (repeats)
        fprintf(out, "'*'{-%c%s,--%s%s}'", row->letter, plus, row->name, behind);
    else
        fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'", row->letter, row->name, row->letter, plus,
                row->name, behind);
}

static void zsh_option(const struct scope *scope, const struct option_row *row, FILE *out)
{
    (void)scope;
    zsh_spelling(row, out);
    putc('[', out);
    print_quoted(row->help, short_help(row), "[]", out);
    putc(']', out);
    if (row->metavar != NULL) {
        fputs(row->optional ? "::" : ":", out);
        print_quoted(row->metavar, strlen(row->metavar), ":", out);
        if (row->words != NULL) {
            fputs(":(", out);
            print_words(row->words, out);
            putc(')', out);
        } else {
            fprintf(out, ":%s", zsh_action(row->completes));
        }
    }
    fputs("' \\\n", out);
    if (row->negated)
        fprintf(out, "            '--no-%s[the opposite]' \\\n", row->name);
}

static void zsh_operands(const struct command *command, FILE *out)
{
    const char *const action = zsh_action(command->operands);

    if (command->runs_program) {
        fputs("            '(-)1:program:_files' '*::argument:_normal'\n", out);
    } else if (command->words == NULL) {
        fprintf(out, "            '*:name:%s'\n", action);
    } else if (command->operands == COMPLETE_NOTHING) {
        fputs("            '1:word:(", out);
        print_words(command->words, out);
        fputs(")'\n", out);
    } else {
        fputs("            '1:word: _alternative \"words:word:(", out);
        print_words(command->words, out);
        fprintf(out, ")\" \"names:name:%s\"' \\\n            '*:name:%s'\n", action,
                command->operands == COMPLETE_EVENT ? "_armpmu_list" : action);
    }
}

static void zsh_command(const struct command *command, FILE *out)
{
    const struct scope scope = scope_of(command);

    if (command == NULL)
        return;
    fprintf(out, "    %s)\n        _arguments -s -S%s \\\n", command->name,
            command->runs_program ? " -A '-*'" : "");
    each_option(&scope, out, zsh_option);
    zsh_operands(command, out);
    fputs("        ;;\n", out);
}

static void zsh_name(const struct command *command, FILE *out)
{
    if (command != NULL)
        fprintf(out, "        '%s:%s'\n", command->name, command->summary);
}

static void print_zsh(FILE *out)
{
    const struct scope front = scope_of(NULL);

    fputs(zsh_begin, out);
    each_scope(out, zsh_name);
    fputs("    )\n    _arguments -C -S -A '-*' \\\n", out);
    each_option(&front, out, zsh_option);
    fputs("            '1:command:->command' '*::argument:->argument'\n"
          "    if [[ $state = command ]]; then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    [[ $state = argument ]] || return\n"
          "    case $words[1] in\n",
          out);
    each_scope(out, zsh_command);
    fputs("    esac\n}\n\n"
          "if [[ $funcstack[1] = _armpmu ]]; then\n    _armpmu \"$@\"\nelse\n"
          "    compdef _armpmu armpmu\nfi\n",
          out);
}

/* ---- fish ---- */

static const char fish_begin[] =
    "# fish completion for armpmu, printed by 'armpmu completion fish'\n"
    "\n"
    "# The command and its operands so far.\n"
    "function __armpmu_words\n"
    "    set -l command ''\n"
    "    set -l skip 0\n"
    "    for token in (commandline -opc)[2..-1]\n"
    "        if test $skip = 1\n"
    "            set skip 0\n"
    "        else if string match -qr -- '^-.' $token\n"
    "            contains -- \"$command$token\" $__armpmu_values; and set skip 1\n"
    "        else\n"
    "            test -n \"$command\"; or set command $token\n"
    "            echo $token\n"
    "        end\n"
    "    end\n"
    "end\n"
    "\n"
    "# Whether options and operands of a command, \"\" in front of one, are being written.\n"
    "function __armpmu_at\n"
    "    set -l words (__armpmu_words)\n"
    "    test \"$words[1]\" = \"$argv[1]\"; or return 1\n"
    "    not contains -- \"$argv[1]\" $__armpmu_run_programs; or test (count $words) = 1\n"
    "end\n"
    "\n"
    "# Names of a KIND, for the core or machine that the command line names.\n"
    "function __armpmu_names\n"
    "    set -l tokens (commandline -opc)\n"
    "    set -l core $argv[2..-1]\n"
    "    set -l option\n"
    "    for token in $tokens\n"
    "        test -n \"$option\"; and set core $option $token\n"
    "        set option (string match -r '^--(?:core|machine)$' -- $token)\n"
    "        string match -qr '^--(?:core|machine)=' -- $token; and set core $token\n"
    "    end\n"
    "    set -l column 1\n"
    "    test $argv[1] = event; and set column 2\n"
    "    $tokens[1] list $argv[1] $core 2>/dev/null | string match -r '\\S+(?:\\s+\\S+)?' | "
    "string replace -ra '\\s+' ' ' | string split -f $column ' '\n"
    "end\n"
    "\n"
    "function __armpmu_events\n"
    "    set -l prefix (commandline -ct | string replace -r -- '^--[a-z-]+=' '' | "
    "string match -r -- '^.*[,{]')\n"
    "    printf '%s\\n' \"$prefix\"(__armpmu_names event) \"$prefix\"all\n"
    "end\n"
    "\n"
    "# What a command with KINDS as words takes: one of them, names of one, or events.\n"
    "function __armpmu_list\n"
    "    set -l words (__armpmu_words)\n"
    "    if contains -- \"$words[2]\" $argv\n"
    "        __armpmu_names $words[2]\n"
    "    else\n"
    "        printf '%s\\n' $argv\n"
    "        __armpmu_names event\n"
    "    end\n"
    "end\n"
    "\n"
    "# A core, with ACTIONS in front of it, and behind it one of its registers.\n"
    "function __armpmu_register\n"
    "    set -l words (__armpmu_words)[2..-1]\n"
    "    set -l actions $argv\n"
    "    contains -- \"$words[1]\" $argv; and set -e words[1]; and set actions\n"
    "    switch (count $words)\n"
    "        case 0\n"
    "            printf '%s\\n' $actions\n"
    "            __armpmu_names core\n"
    "        case 1\n"
    "            __armpmu_names reg --core $words[1]\n"
    "    end\n"
    "end\n"
    "\n";

static void fish_action(enum completes completes, const char *const *words, FILE *out)
{
    switch (completes) {
    case COMPLETE_NOTHING:
        fputs(" -x -a '", out);
        print_words(words, out);
        putc('\'', out);
        break;
    case COMPLETE_FILE:
    case COMPLETE_PROGRAM:
        fputs(" -r -F", out);
        break;
    case COMPLETE_FOLDER:
        fputs(" -x -a '(__fish_complete_directories (commandline -ct))'", out);
        break;
    case COMPLETE_EVENT:
        fputs(" -x -a '(__armpmu_list", out);
        print_words(words, out);
        fputs(")'", out);
        break;
    case COMPLETE_EVENTS:
        fputs(" -x -a '(__armpmu_events)'", out);
        break;
    case COMPLETE_CORE:
        fputs(" -x -a '(__armpmu_names core)'", out);
        break;
    case COMPLETE_MACHINE:
        fputs(" -r -F -a '(__armpmu_names machine)'", out);
        break;
    case COMPLETE_REGISTER:
        fputs(" -x -a '(__armpmu_register", out);
        print_words(words, out);
        fputs(")'", out);
        break;
    case COMPLETE_COMMAND:
        fputs(" -x -a '", out);
        print_commands(out);
        putc('\'', out);
        break;
    }
}

static void fish_option(const struct scope *scope, const struct option_row *row, FILE *out)
{
    fprintf(out, "complete -c armpmu -n '__armpmu_at \"%s\"'", scope->name);
    if (row->letter != '\0')
        fprintf(out, " -s %c", row->letter);
    fprintf(out, " -l %s", row->name);
    if (row->metavar != NULL && !row->optional)
        fish_action(row->completes, row->words, out);
    fputs(" -d '", out);
    print_quoted(row->help, short_help(row), "\\", out);
    fputs("'\n", out);
    if (row->negated)
        fprintf(out, "complete -c armpmu -n '__armpmu_at \"%s\"' -l no-%s -d 'the opposite'\n",
                scope->name, row->name);
}

static void fish_command(const struct command *command, FILE *out)
{
    const struct scope scope = scope_of(command);

    if (command == NULL) {
        fputs("complete -c armpmu -n '__armpmu_at \"\"' -f\n", out);
    } else {
        fprintf(out, "complete -c armpmu -n '__armpmu_at \"\"' -a %s -d '", command->name);
        print_quoted(command->summary, strlen(command->summary), "\\", out);
        fprintf(out, "'\ncomplete -c armpmu -n '__armpmu_at \"%s\"'", command->name);
        fish_action(command->operands, command->words, out);
        putc('\n', out);
    }
    each_option(&scope, out, fish_option);
}

static void fish_value(const struct scope *scope, const struct option_row *row, FILE *out)
{
    if (row->metavar == NULL || row->optional)
        return;
    if (row->letter != '\0')
        fprintf(out, " %s-%c", scope->name, row->letter);
    fprintf(out, " %s--%s", scope->name, row->name);
    if (row->other_name != NULL)
        fprintf(out, " %s--%s", scope->name, row->other_name);
}

static void fish_values(const struct command *command, FILE *out)
{
    const struct scope scope = scope_of(command);
    each_option(&scope, out, fish_value);
}

static void fish_run_program(const struct command *command, FILE *out)
{
    if (command != NULL && command->runs_program)
        fprintf(out, " %s", command->name);
}

static void print_fish(FILE *out)
{
    fputs(fish_begin, out);
    fputs("# Options with a value, behind the name of their command.\nset -g __armpmu_values", out);
    each_scope(out, fish_values);
    fputs("\n# Commands of which everything behind a program's name is the program's.\n"
          "set -g __armpmu_run_programs",
          out);
    each_scope(out, fish_run_program);
    fputs("\n\n", out);
    each_scope(out, fish_command);
}

/* ---- the command ---- */

static const struct shell {
    const char *name;
    void (*print)(FILE *out);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    const char *const name = operands[0] != NULL ? operands[0] : "";

    (void)options, (void)err;
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(name, shells[i].name) == 0 && operands[1] == NULL) {
            shells[i].print(out);
            return 0;
        }
    print_error("completion '%.40s': name one shell: bash, zsh or fish",
                *name != '\0' && operands[1] != NULL ? operands[1] : name);
    return EXIT_ARMPMU;
}

static const struct option_row rows[] = {{.kind = OPTION_END}};
static const char *const words[] = {"bash", "zsh", "fish", NULL};

const struct command command_completion = {
    .name = "completion",
    .summary = "print a script that completes command lines",
    .synopsis = "completion bash|zsh|fish",
    .text = "Prints a script that makes the shell complete commands, options and their values: "
            "events,\n"
            "machines, cores, registers and files. 'make install' puts the three where the shells "
            "look\n"
            "for them. Without that, for this session:\n"
            "  eval \"$(armpmu completion bash)\"\n"
            "  eval \"$(armpmu completion zsh)\"\n"
            "  armpmu completion fish | source\n",
    .options = rows,
    .words = words,
    .run = run,
};
