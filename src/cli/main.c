/* The front door: finds the subcommand and hands over. */
#include "cli/commands.h"
#include "cli/suggest.h"

#include <stdio.h>
#include <string.h>

#include "armpmu/catalog.h"
#include "cli/output.h"

struct command {
    const char *name;
    const char *summary; /* one line of the help */
    command_fn run;
};

static int command_help(int argc, char **argv, FILE *out);

/* In the order in which the help names them. */
static const struct command commands[] = {
    {"stat", "run a program and count its events", command_stat},
    {"run", "run firmware that sees its performance monitor", command_run},
    {"guest", "run a machine whose guest has a performance monitor", command_guest},
    {"list", "show events, registers, metrics, machines and cores", command_list},
    {"regs", "show registers, decode and encode their values", command_regs},
    {"check", "run programs with known counts and compare", command_check},
    {"dtb", "give a device tree the PMU of a core", command_dtb},
    {"help", "explain armpmu or one of its commands", command_help},
};

#define N_COMMANDS (sizeof commands / sizeof commands[0])

static const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static void print_usage(FILE *stream)
{
    fputs("usage: armpmu [--machine NAME|FILE] [--color WHEN] COMMAND [OPTIONS] ...\n"
          "       armpmu help [COMMAND]\n"
          "       armpmu --version\n"
          "\n"
          "Hardware performance counters for Arm cores you do not have on your desk.\n"
          "\n",
          stream);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(stream, "  %-8s  %s\n", commands[i].name, commands[i].summary);
    fputs("\n'armpmu help COMMAND' lists the options of a command.\n", stream);
}

static int unknown_command(const char *name)
{
    struct suggest s;
    char hint[256];

    suggest_begin(&s, name);
    for (size_t i = 0; i < N_COMMANDS; i++)
        suggest_offer(&s, commands[i].name, NULL);
    suggest_sentence(&s, hint, sizeof hint);
    complain("'%s' is not a command%s%s", name, hint,
             s.count == 0 ? "; 'armpmu help' lists them" : "");
    return EXIT_ARMPMU;
}

static int command_help(int argc, char **argv, FILE *out)
{
    if (argc < 2 || argv[1][0] == '-') {
        print_usage(out);
        return 0;
    }
    const struct command *command = command_find(argv[1]);
    if (command == NULL)
        return unknown_command(argv[1]);
    char *words[] = {argv[1], (char[]){"--help"}, NULL};
    return command->run(2, words, out);
}

/* How many words an option in front of the command takes: 0 for one that is not known there. */
static int option_words(const char *option)
{
    static const char *const options[] = {"--machine", "--color"};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        size_t length = strlen(options[i]);
        if (strncmp(option, options[i], length) != 0)
            continue;
        if (option[length] == '=')
            return 1;
        if (option[length] == '\0')
            return 2;
    }
    return 0;
}

/* Options in front of the command are the command's: they go behind its name. */
static int run(const struct command *command, int argc, char **argv, int at, FILE *out)
{
    char *name = argv[at];
    memmove(&argv[2], &argv[1], (size_t)(at - 1) * sizeof *argv);
    argv[1] = name;
    return command->run(argc - 1, &argv[1], out);
}

static int dispatch(int argc, char **argv, FILE *out)
{
    int at = 1;

    while (at < argc && argv[at][0] == '-') {
        if (strcmp(argv[at], "--version") == 0) {
            fprintf(out, "armpmu %s\n", armpmu_version);
            return 0;
        }
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0)
            return command_help(argc - at, &argv[at], out);
        int words = option_words(argv[at]);
        if (words == 0) {
            complain("'%s' is not an option here; 'armpmu help' shows what is", argv[at]);
            return EXIT_ARMPMU;
        }
        if (at + words > argc) {
            complain("%s needs a value", argv[at]);
            return EXIT_ARMPMU;
        }
        at += words;
    }
    if (at >= argc) {
        print_usage(stderr);
        return EXIT_ARMPMU;
    }
    const struct command *command = command_find(argv[at]);
    return command == NULL ? unknown_command(argv[at]) : run(command, argc, argv, at, out);
}

int main(int argc, char **argv)
{
    struct armpmu_error err = {""};
    struct output out;
    int status = EXIT_ARMPMU;

    output_prepare_process();
    if (output_open_standard(&out, &err) == ARMPMU_OK) {
        status = dispatch(argc, argv, out.stream);
        if (output_close(&out, &err) != ARMPMU_OK)
            status = EXIT_ARMPMU;
    }
    if (err.message[0] != '\0')
        complain("%s", err.message);
    return complain_lost() ? EXIT_ARMPMU : status;
}
