/* Firmware counts the same whether accesses are known before they happen or looked at when they do:
 * every signal of every program.
 *
 * usage: agree MACHINES MACHINE PROGRAM.elf...; MACHINES: their folder */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unicorn/firmware_run.h"

static bool run(const struct armpmu_machine *machine, const char *program, bool watch_accesses,
                struct engine_firmware_result *out)
{
    const char *const argv[] = {program, NULL};
    const struct engine_firmware_job job = {
        .machine = machine,
        .argv = argv,
        .timeout_seconds = 60,
        .semihosting = ENGINE_SEMIHOSTING_FILES,
        .semihosting_root = ".",
        .watch_accesses = watch_accesses,
    };
    struct armpmu_error error;

    if (engine_firmware_run(&job, out, &error) == ARMPMU_OK)
        return true;
    fprintf(stderr, "%s: %s\n", program, error.message);
    return false;
}

/* How many signals differ. Both must have come to the same end, and have done something. */
static unsigned compare(const char *program, const struct engine_firmware_result *foretold,
                        const struct engine_firmware_result *watched)
{
    unsigned wrong = 0;

    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        if (foretold->signals[signal] == watched->signals[signal])
            continue;
        wrong++;
        fprintf(stderr, "%s: %s is %" PRIu64 " with accesses foretold, %" PRIu64 " watched\n",
                program, armpmu_signal_name((enum armpmu_signal)signal), foretold->signals[signal],
                watched->signals[signal]);
    }
    if (foretold->end == watched->end && foretold->status == watched->status &&
        foretold->insns == watched->insns && foretold->r[15] == watched->r[15] &&
        foretold->insns > 0 && foretold->end != ENGINE_FIRMWARE_TIMEOUT)
        return wrong;
    fprintf(stderr,
            "%s: ends (%d, %d, %s) after %" PRIu64 " instructions and (%d, %d, %s) after %" PRIu64
            "\n",
            program, foretold->end, foretold->status, foretold->reason, foretold->insns,
            watched->end, watched->status, watched->reason, watched->insns);
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
        struct engine_firmware_result foretold, watched;
        if (run(machine, argv[i], false, &foretold) && run(machine, argv[i], true, &watched))
            wrong += compare(argv[i], &foretold, &watched);
        else
            wrong++;
    }
    armpmu_machine_free(machine);
    return wrong > 0;
}
