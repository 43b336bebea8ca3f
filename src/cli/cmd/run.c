/* `armpmu run`: runs a bare-metal program that sees its performance monitor. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "armpmu/sim.h"
#include "base/error.h"
#include "cli/cmd/firmware_options.h"
#include "cli/machine_choice.h"
#include "cli/option_grammar.h"
#include "base/termination.h"

static const char usage[] =
    "usage: armpmu run [OPTIONS] [--] FIRMWARE.elf [ARGUMENTS]\n"
    "\n"
    "Runs a program for the bare core of a machine, with its performance monitor behind its real\n"
    "registers: MRC and MCR read and steer counters that count, an overflow interrupts. Arm\n"
    "semihosting is the program's console and exit status. 'armpmu stat FIRMWARE.elf' runs\n"
    "it the same way and prints its counts.\n"
    "\n"
    "On what\n"
    "      --machine NAME|FILE  default $ARMPMU_MACHINE, else cortex-a8; 'armpmu list machine'\n"
    "\n";

static const char usage_end[] =
    "  -h, --help            this text\n"
    "\n"
    "Exit status: the program's; 123 when it cannot go on, 124 when a limit ended it, 128+N when\n"
    "signal N came to armpmu; 125 when armpmu failed, 126 when the file is no such program, 127\n"
    "when it is not there.\n";

struct run_options {
    struct firmware_options firmware;
    const char *machine;
    bool help;
    char *const *program;
};

enum { RUN_MACHINE = 256 };

static const struct option long_options[] = {
    FIRMWARE_LONG_OPTIONS,
    {"machine", required_argument, NULL, RUN_MACHINE},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static enum armpmu_status set(void *options, int option, const char *value,
                              struct armpmu_error *err)
{
    struct run_options *const o = options;

    switch (option) {
    case RUN_MACHINE:
        o->machine = value;
        return ARMPMU_OK;
    case 'h':
        o->help = true;
        return ARMPMU_OK;
    }
    return firmware_options_set(&o->firmware, option, value, err);
}

static void print_help(FILE *out)
{
    fprintf(out, "%s%s\nKinds of --inject, of a Cortex-R4F\n", usage, firmware_usage);
    for (unsigned kind = 0; kind < ARMPMU_INJECTIONS; kind++)
        fprintf(out, "      %s\n        %s\n", armpmu_injection_name((enum armpmu_injection)kind),
                armpmu_injection_meaning((enum armpmu_injection)kind));
    fprintf(out, "\n%s", usage_end);
}

static int run(struct run_options *o, struct armpmu_error *err)
{
    struct engine_firmware_result result;
    struct armpmu_machine *machine;

    termination_catch();
    if (o->program[0] == NULL) {
        fail(err, ARMPMU_BAD_CONFIG,
             "run: no program to run; 'armpmu help run' shows how to name one");
        return EXIT_ARMPMU;
    }
    if (machine_choice_load(o->machine, &machine, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    enum armpmu_status status =
        firmware_options_check_files(&o->firmware, o->program[0], o->machine, NULL, err);
    if (status == ARMPMU_OK)
        status = firmware_options_run(&o->firmware, machine, o->program, &result, err);
    armpmu_machine_free(machine);
    return status == ARMPMU_OK ? firmware_end(&o->firmware, &result, o->program[0])
                               : engine_failure(status);
}

int command_run(int argc, char **argv, FILE *out)
{
    static const struct option_grammar grammar = {"run", "+:h", long_options, set};
    struct armpmu_error err = {""};
    struct run_options options = {.help = false};
    int status = EXIT_ARMPMU;

    if (option_grammar_parse(&grammar, argc, argv, &options, &options.program, &err) == ARMPMU_OK) {
        if (options.help) {
            print_help(out);
            return 0;
        }
        status = run(&options, &err);
    }
    if (err.message[0] != '\0')
        complain("%s", err.message);
    return status;
}
