/* An engine of known counts: the command is tested with it, so that a report can be compared byte
 * for byte without QEMU and without a core model. Whole machines: known_guest.c.
 *
 * The program's name says what happens:
 *   work             one thread, the counts below
 *   long             the same, 2000 times over: 32-bit counters wrap
 *   threads          three threads in two processes: the counts below, their half and a quarter
 *   noisy            counts that grow by a percent from run to run
 *   pins             external inputs are driven
 *   exit N, kill N   the counts below, then this exit status or signal
 *   killed           the counts below, up to a SIGKILL from outside
 *   interrupted      the counts below, stopped from the terminal
 *   exec             the counts below, then two other programs
 *   absent, forbidden, alien, broken   the engine's failures */
#include "qemu/engine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const uint64_t known[ARMPMU_SIGNAL_COUNT] = {
    [ARMPMU_SIGNAL_CPU_CYCLES] = 61284118,
    [ARMPMU_SIGNAL_INST_RETIRED] = 38412907,
    [ARMPMU_SIGNAL_LOAD_RETIRED] = 7001234,
    [ARMPMU_SIGNAL_STORE_RETIRED] = 2603176,
    [ARMPMU_SIGNAL_EXCEPTION_TAKEN] = 12,
    [ARMPMU_SIGNAL_EXCEPTION_RETURN] = 11,
    [ARMPMU_SIGNAL_PC_WRITE] = 3500001,
    [ARMPMU_SIGNAL_BRANCH_IMMEDIATE] = 4000002,
    [ARMPMU_SIGNAL_BRANCH_RETURN] = 219004,
    [ARMPMU_SIGNAL_L1I_ACCESS] = 20480000,
    [ARMPMU_SIGNAL_L1I_REFILL] = 2048,
    [ARMPMU_SIGNAL_ITLB_WALK] = 31,
    [ARMPMU_SIGNAL_L1D_ACCESS] = 9604410,
    [ARMPMU_SIGNAL_L1D_REFILL] = 612388,
    [ARMPMU_SIGNAL_DTLB_WALK] = 1500,
    [ARMPMU_SIGNAL_L2_ACCESS] = 620000,
    [ARMPMU_SIGNAL_L2_MISS] = 41077,
    [ARMPMU_SIGNAL_BRANCH_PREDICTABLE] = 4219006,
    [ARMPMU_SIGNAL_BRANCH_FLUSH] = 52113,
    [ARMPMU_SIGNAL_ISSUE_EMPTY] = 21900331,
    [ARMPMU_SIGNAL_INST_ISSUED] = 39000000,
    [ARMPMU_SIGNAL_ISSUE_PAIR] = 12000000,
    [ARMPMU_SIGNAL_ISSUE_SINGLE] = 20000000,
    [ARMPMU_SIGNAL_STALL_BACKEND_L1D] = 20000000,
    [ARMPMU_SIGNAL_STALL_BACKEND_MEM] = 9000000,    /* not all cycles: some are unattributed */
    [ARMPMU_SIGNAL_SLOT_STALL_FRONTEND] = 50000000, /* of 8 slots a cycle on a Neoverse V1 */
    [ARMPMU_SIGNAL_SLOT_STALL_BACKEND] = 350000000,
    [ARMPMU_SIGNAL_OPERATION_RETIRED] = 80000000,
    [ARMPMU_SIGNAL_WRONG_OPERATION] = 10272944,
    [ARMPMU_SIGNAL_STALL_FRONTEND] = 10000000,
    [ARMPMU_SIGNAL_STALL_BACKEND] = 20000000,
};

static void scale(uint64_t *out, const uint64_t *in, uint64_t by, uint64_t over)
{
    for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        out[i] = in[i] / over * by + in[i] % over * by / over; /* no overflow for these counts */
}

/* Intervals as long as the job asks for, each with its share of everything. */
static void give_intervals(const struct run *job, const uint64_t *total)
{
    uint64_t so_far[ARMPMU_SIGNAL_COUNT];

    for (uint64_t i = 1; i * job->period <= total[job->every]; i++) {
        scale(so_far, total, i * job->period, total[job->every]);
        job->on_interval(job->user, i, so_far);
    }
}

static void add_thread(struct run_result *result, uint32_t process, uint32_t thread,
                       const uint64_t *signals)
{
    struct engine_thread *t = &result->threads[result->n_threads++];

    t->process = process;
    t->thread = thread;
    memcpy(t->signals, signals, sizeof t->signals);
    for (size_t i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        result->signals[i] += signals[i];
    if (process > result->n_processes)
        result->n_processes = process;
}

static enum armpmu_status failure(const char *program, struct armpmu_error *err)
{
    if (strcmp(program, "absent") == 0)
        return fail(err, ARMPMU_NOT_FOUND, "absent: no such program");
    if (strcmp(program, "forbidden") == 0)
        return fail(err, ARMPMU_NOT_ALLOWED, "forbidden: not executable");
    if (strcmp(program, "alien") == 0)
        return fail(err, ARMPMU_BAD_INPUT, "alien: not an Arm program");
    if (strcmp(program, "broken") == 0)
        return fail(err, ARMPMU_BAD_CONFIG, "QEMU is broken");
    return ARMPMU_OK;
}

enum armpmu_status engine_qemu_run(const struct run *job, struct run_result *out,
                                   struct armpmu_error *err)
{
    static unsigned runs;
    const char *program = job->argv[0], *slash = strrchr(program, '/');
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    if (slash != NULL)
        program = slash + 1;
    enum armpmu_status status = failure(program, err);
    if (status != ARMPMU_OK)
        return status;

    *out = (struct run_result){.threads = calloc(3, sizeof *out->threads)};
    if (out->threads == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory");
    scale(signals, known, strcmp(program, "long") == 0 ? 2000 : 1, 1);
    if (strcmp(program, "noisy") == 0)
        scale(signals, known, 100 + runs++, 100);
    if (strcmp(program, "pins") == 0)
        signals[ARMPMU_SIGNAL_EXTERNAL_INPUT1] = 77;
    if (job->period > 0)
        give_intervals(job, signals);
    add_thread(out, 1, 1, signals);
    if (strcmp(program, "threads") == 0) {
        scale(signals, known, 1, 2);
        add_thread(out, 1, 2, signals);
        scale(signals, known, 1, 4);
        add_thread(out, 2, 1, signals);
    }
    if (strcmp(program, "shell") == 0) {
        scale(signals, known, 1, 2);
        add_thread(out, 2, 1, signals);
        scale(signals, known, 1, 4);
        add_thread(out, 3, 1, signals);
        strcpy(out->threads[2].program, "a longer name");
        out->n_processes = 2;
        out->n_programs = 1;
    }
    if (strcmp(program, "exit") == 0)
        out->wait_status = atoi(job->argv[1]) << 8;
    if (strcmp(program, "kill") == 0)
        out->wait_status = atoi(job->argv[1]);
    if (strcmp(program, "interrupted") == 0) {
        out->wait_status = SIGINT;
        out->interrupted = SIGINT;
    }
    if (strcmp(program, "killed") == 0)
        out->wait_status = out->killed = SIGKILL;
    if (strcmp(program, "exec") == 0)
        out->n_execs = 2;
    return ARMPMU_OK;
}

enum armpmu_status engine_trace_check(const struct run *job, struct armpmu_error *err)
{
    (void)job;
    (void)err;
    return ARMPMU_OK;
}

enum armpmu_status engine_qemu_version(const char *wanted, const struct armpmu_machine *machine,
                                       char version[ENGINE_VERSION_BYTES], struct armpmu_error *err)
{
    (void)wanted, (void)machine, (void)err;
    strcpy(version, "0.0");
    return ARMPMU_OK;
}

void engine_versions(const struct run *job, struct versions *out)
{
    const char *const compiler = getenv("KNOWN_COMPILER");

    (void)job;
    *out = (struct versions){.text = {"GCC: (known) 1.0", "", "0.0", "0123abcd"}};
    if (compiler != NULL)
        snprintf(out->text[VERSION_COMPILER], VERSION_BYTES, "%s", compiler);
}

size_t engine_parts(struct engine_part *parts)
{
    parts[0] = (struct engine_part){.name = "known", .use = "tests", .is_there = true};
    return 1;
}
