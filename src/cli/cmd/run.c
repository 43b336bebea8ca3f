/* `armpmu run`: runs a bare-metal program that sees its performance monitor. */
#include "cli/commands.h"

#include <stdio.h>

#include "armpmu/sim.h"
#include "base/error.h"
#include "cli/cmd/firmware_options.h"
#include "cli/machine_choice.h"
#include "cli/undefined.h"
#include "base/termination.h"

struct run_options {
    struct firmware_options firmware;
    const char *machine;
    struct machine_settings settings;
};

static const struct option_row rows[] = {
    {.help = "Target", .kind = OPTION_HEADING},
    OPTION_MACHINE_ROW(struct run_options, machine),
    MACHINE_SETTING_ROWS_TO(struct run_options, settings),
    {OPTION_ROWS_TO(struct run_options, firmware, firmware_rows)},
    TIMEOUT_ROW(struct run_options, firmware),
    {.kind = OPTION_END},
};

static void print_kinds(FILE *out)
{
    fputs("Kinds of --inject, for a Cortex-R4F\n", out);
    for (unsigned kind = 0; kind < ARMPMU_INJECTIONS; kind++)
        fprintf(out, "      %s\n        %s\n", armpmu_injection_name((enum armpmu_injection)kind),
                armpmu_injection_meaning((enum armpmu_injection)kind));
}

static int run(void *options, char *const *program, FILE *out, struct armpmu_error *err)
{
    struct run_options *const o = options;
    struct engine_firmware_result result;
    struct armpmu_machine *machine;

    (void)out;
    termination_catch();
    if (program[0] == NULL) {
        fail(err, ARMPMU_BAD_CONFIG,
             "run: no program to run; 'armpmu help run' shows how to name one");
        return EXIT_ARMPMU;
    }
    if (machine_choice_load(o->machine, &o->settings, &machine, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    o->firmware.job.warn = undefined_warn;
    enum armpmu_status status =
        firmware_options_check_files(&o->firmware, program[0], o->machine, NULL, err);
    if (status == ARMPMU_OK)
        status = firmware_options_run(&o->firmware, machine, program, &result, err);
    armpmu_machine_free(machine);
    return status == ARMPMU_OK ? firmware_end(&o->firmware, &result, program[0])
                               : engine_failure(status);
}

static const struct run_options defaults = {.firmware = FIRMWARE_DEFAULTS};

const struct command command_run = {
    .name = "run",
    .summary = "run firmware with a working performance monitor",
    .synopsis = "run [OPTIONS] [--] FIRMWARE.elf [ARGUMENTS]",
    .text = "Runs bare-metal firmware with a working performance monitor: MRC and MCR read and\n"
            "control its counters, and an overflow interrupts. Arm semihosting provides the\n"
            "console and the exit status. 'armpmu stat FIRMWARE.elf' runs it in the same way\n"
            "and prints its counts.\n",
    .options = rows,
    .print_table = print_kinds,
    .operands = COMPLETE_PROGRAM,
    .runs_program = true,
    .ends = ENDS_AS_PROGRAM | ENDS_LIMIT | ENDS_FIRMWARE,
    .options_bytes = sizeof(struct run_options),
    .defaults = &defaults,
    .run = run,
};
