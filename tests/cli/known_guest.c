/* Machines of known counts, as known_engine.c has programs.
 *
 * The name of QEMU says what happens:
 *   work             one processor: some counts in User mode, twice as many in privileged modes
 *   two              two processors, the second with half the counts of the first
 *   idle             a machine that does nothing
 *   exit N, kill N   as work, then this exit status or signal
 *   interrupted      as work, stopped from the terminal
 *   silent           killed by signal 9 before the first record
 *   absent, broken   the engine's failures
 * With records while it runs there are as many as fit, each with its share. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "qemu/engine.h"

typedef uint64_t processors[2][ENGINE_GUEST_MODES][ARMPMU_SIGNAL_COUNT];

static const uint64_t known[ARMPMU_SIGNAL_COUNT] = {
    [ARMPMU_SIGNAL_CPU_CYCLES] = 4000000,     [ARMPMU_SIGNAL_INST_RETIRED] = 3000000,
    [ARMPMU_SIGNAL_EXCEPTION_TAKEN] = 12,     [ARMPMU_SIGNAL_EXCEPTION_RETURN] = 11,
    [ARMPMU_SIGNAL_L1D_ACCESS] = 960000,      [ARMPMU_SIGNAL_L1D_REFILL] = 61200,
    [ARMPMU_SIGNAL_BRANCH_PREDICTABLE] = 420, [ARMPMU_SIGNAL_BRANCH_FLUSH] = 52,
    [ARMPMU_SIGNAL_ISSUE_SINGLE] = 2900000,   [ARMPMU_SIGNAL_STALL_BACKEND_MEM] = 1000000,
};

static bool is(const struct run *job, const char *name)
{
    return strcmp(job->argv[0], name) == 0;
}

/* The share `done` of `all` of what the machine does. */
static void give_record(const struct run *job, uint64_t done, uint64_t all)
{
    processors counts = {0};
    const unsigned n_cpus = is(job, "two") ? 2 : is(job, "idle") ? 0 : 1;

    for (unsigned cpu = 0; cpu < n_cpus; cpu++) {
        for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++) {
            counts[cpu][ENGINE_USER][i] = known[i] * done / all / (1 + cpu);
            counts[cpu][ENGINE_PRIVILEGED][i] = 2 * counts[cpu][ENGINE_USER][i];
        }
    }
    const struct engine_guest_record record = {
        .cycles = 3 * counts[0][ENGINE_USER][ARMPMU_SIGNAL_CPU_CYCLES],
        .n_cpus = n_cpus,
        .signals = (const uint64_t(*)[ENGINE_GUEST_MODES][ARMPMU_SIGNAL_COUNT])counts,
    };
    job->guest->on_record(job->user, &record);
}

enum armpmu_status engine_guest_run(const struct run *job, struct run_result *out,
                                    struct armpmu_error *err)
{
    const uint64_t all = 3 * known[ARMPMU_SIGNAL_CPU_CYCLES];
    const uint64_t every = job->guest->every_cycles;

    *out = (struct run_result){0};
    if (is(job, "absent"))
        return fail(err, ARMPMU_NOT_FOUND, "absent: no such program");
    if (is(job, "broken"))
        return fail(err, ARMPMU_BAD_CONFIG, "QEMU is broken");
    if (is(job, "exit"))
        out->wait_status = atoi(job->argv[1]) << 8;
    if (is(job, "kill")) {
        out->wait_status = atoi(job->argv[1]);
        out->cut_short = true;
    }
    out->interrupted = is(job, "interrupted") ? SIGINT : 0;
    if (is(job, "silent")) {
        *out = (struct run_result){.wait_status = SIGKILL, .cut_short = true};
        return ARMPMU_OK;
    }
    for (uint64_t done = every; done < all; done += every, out->n_records++)
        give_record(job, done, all);
    give_record(job, all, all);
    out->n_records++;
    return ARMPMU_OK;
}

enum armpmu_status engine_guest_plugin(const struct run *job, char **out, struct armpmu_error *err)
{
    if (asprintf(out, "known,machine=%s%s%s,irq=%s%s%s%s%s%s%s", job->machine_choice,
                 armpmu_machine_settings(job->machine)[0] != '\0' ? ",set=" : "",
                 armpmu_machine_settings(job->machine),
                 job->guest->irq != NULL ? job->guest->irq : "none",
                 job->guest->amu != NULL ? ",amu=" : "",
                 job->guest->amu != NULL ? job->guest->amu : "",
                 job->guest->frame != NULL ? ",frame=" : "",
                 job->guest->frame != NULL ? job->guest->frame : "",
                 job->guest->accesses != NULL ? ",accesses=" : "",
                 job->guest->accesses != NULL ? job->guest->accesses : "") < 0)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory");
    return ARMPMU_OK;
}
