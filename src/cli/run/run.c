/* `armpmu run`: runs a bare-metal program that sees its performance monitor. */
#include "cli/commands.h"

#include <stdio.h>

#include "armpmu/sim.h"
#include "cli/run/session.h"
#include "cli/run/ended.h"

static const struct option_row rows[] = {
    {.help = "Target", .kind = OPTION_HEADING},
    OPTION_MACHINE_ROW(struct run_options, machine),
    MACHINE_SETTING_ROWS_TO(struct run_options, settings),
    {OPTION_ROWS_TO(struct run_options, firmware, firmware_rows)},
    TIMEOUT_ROW(struct run_options, timeout_seconds),
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
    struct session s = {.command = "run",
                        .options = options,
                        .program = program,
                        .source = SESSION_FIRMWARE,
                        .is_quiet = true, /* the terminal is the program's console */
                        .job.warn = undefined_warn,
                        .err = err};

    (void)out;
    enum armpmu_status status = session_open(&s, NULL);
    if (status == ARMPMU_OK)
        status = session_run(&s);
    if (status == ARMPMU_OK)
        session_explain(&s, true);
    return session_close(&s, status);
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
