/* Engines run programs and feed core models; nothing else knows an engine exists. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

/* What to run. All pointers are borrowed for the call. */
struct engine_job {
    const struct armpmu_machine *machine;
    const char *const *argv;  /* program and arguments, NULL-terminated                       */
    const char *sysroot;      /* where dynamic programs find their loader, NULL: look for it  */
    const char *qemu;         /* the qemu-arm to use, NULL: look for it in PATH               */
    enum armpmu_signal every; /* interval clock: CPU_CYCLES or INST_RETIRED                   */
    uint64_t period;          /* 0: no intervals                                              */
    /* Called for each interval `count` (from 1) with the tallies from the start to its end summed
     * over all threads, each by its own clock from its own start. Calls come in order, one at a
     * time, when the program has ended: only then it is known that no thread will add to an
     * interval. */
    void (*on_interval)(void *user, uint64_t count, const uint64_t *signals);
    void *user;
};

/* One guest thread. Threads are in order of creation, which is their identity: processes and
 * threads are numbered from 1, so that two runs print the same. */
struct engine_thread {
    uint32_t process, thread;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
};

struct engine_result {
    int wait_status;               /* of the program, as waitpid gives it                        */
    bool interrupted;              /* an interrupt came to armpmu and killed the program         */
    struct engine_thread *threads; /* n_threads of them, freed by engine_result_free            */
    size_t n_threads;
    uint64_t signals[ARMPMU_SIGNAL_COUNT]; /* the sum                                           */
    unsigned n_processes; /* the first and all it forked                                */
    unsigned n_execs;     /* programs executed by the guest, not counted from there on  */
};

/* Runs the program under QEMU's user emulation to its end. The program has the caller's standard
 * streams, environment and signals. Processes it leaves behind run on uncounted. On
 * failure nothing of the guest has run, unless the message says so.
 * Returns ARMPMU_OK (whatever the program did), ARMPMU_NOT_FOUND (no such program),
 * ARMPMU_NOT_ALLOWED (not executable), ARMPMU_BAD_INPUT (not an Arm program), ARMPMU_BAD_CONFIG
 * (QEMU, the plugin or the program's libraries are not there), ARMPMU_NO_MEMORY or ARMPMU_IO. */
enum armpmu_status engine_qemu_run(const struct engine_job *job, struct engine_result *out,
                                   struct armpmu_error *err);

void engine_result_free(struct engine_result *result);

#endif
