/* Firmware counts the same whether its accesses are known before they happen or observed when they
 * do: every signal of every program.
 *
 * usage: early_accesses MACHINES MACHINE PROGRAM.elf...; MACHINES: their folder */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unicorn/firmware_run.h"

static bool run(const struct armpmu_machine *machine, const char *program, bool watch_accesses,
                struct run_result *out)
{
    const char *const argv[] = {program, NULL};
    const struct firmware_setup setup = {
        .semihosting = ENGINE_SEMIHOSTING_FILES,
        .semihosting_root = ".",
        .watch_accesses = watch_accesses,
    };
    const struct run job = {
        .machine = machine, .argv = argv, .timeout_seconds = 60, .firmware = &setup};
    struct armpmu_error error;

    if (engine_firmware_run(&job, out, &error) == ARMPMU_OK) {
        run_result_free(out);
        return true;
    }
    fprintf(stderr, "%s: %s\n", program, error.message);
    return false;
}

/* How many signals differ. Both must have come to the same end, and have done something. */
static unsigned compare(const char *program, const struct run_result *known_early,
                        const struct run_result *watched)
{
    unsigned wrong = 0;

    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        if (known_early->signals[signal] == watched->signals[signal])
            continue;
        wrong++;
        fprintf(stderr, "%s: %s is %" PRIu64 " with accesses known_early, %" PRIu64 " watched\n",
                program, armpmu_signal_name((enum armpmu_signal)signal),
                known_early->signals[signal], watched->signals[signal]);
    }
    if (known_early->firmware.end == watched->firmware.end &&
        known_early->firmware.status == watched->firmware.status &&
        known_early->firmware.insns == watched->firmware.insns &&
        known_early->firmware.r[15] == watched->firmware.r[15] && known_early->firmware.insns > 0 &&
        known_early->firmware.end != ENGINE_FIRMWARE_TIMEOUT)
        return wrong;
    fprintf(stderr,
            "%s: ends (%d, %d, %s) after %" PRIu64 " instructions and (%d, %d, %s) after %" PRIu64
            "\n",
            program, known_early->firmware.end, known_early->firmware.status,
            known_early->firmware.reason, known_early->firmware.insns, watched->firmware.end,
            watched->firmware.status, watched->firmware.reason, watched->firmware.insns);
    return wrong + 1;
}

int main(int argc, char **argv)
{
    struct armpmu_machine *machine;
    struct armpmu_error error;
    unsigned wrong = 0;

    if (argc < 4)
        return 2;
    if (armpmu_machine_load(argv[2], argv[1], &machine, &error) != ARMPMU_OK) {
        fprintf(stderr, "%s: %s\n", argv[2], error.message);
        return 1;
    }
    for (int i = 3; i < argc; i++) {
        struct run_result known_early, watched;
        if (run(machine, argv[i], false, &known_early) && run(machine, argv[i], true, &watched))
            wrong += compare(argv[i], &known_early, &watched);
        else
            wrong++;
    }
    armpmu_machine_free(machine);
    return wrong > 0;
}
