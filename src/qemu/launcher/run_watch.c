#include "qemu/launcher/run_watch.h"

#include <signal.h>

#include "base/clock.h"
#include "base/termination.h"

#define GRACE_SECONDS 1

void run_watch_open(struct run_watch *watch, const struct run *job)
{
    watch->job = job;
    watch->is_cut = job->trace_from != NULL && termination_signal() != 0;
    pthread_mutex_init(&watch->lock, NULL);
}

void run_watch_close(struct run_watch *watch)
{
    pthread_mutex_destroy(&watch->lock);
}

static void cut(struct run_watch *watch)
{
    watch->is_cut = true;
    termination_cut();
    if (watch->pid > 0)
        kill(watch->pid, SIGKILL);
}

static void end_by_signal(struct run_watch *watch, double seconds)
{
    if (termination_signal() == 0 || watch->is_cut)
        return;
    if (watch->interrupted_at == 0)
        watch->interrupted_at = seconds;
    if (watch->pid == 0 || seconds >= watch->interrupted_at + RUN_WATCH_GRACE)
        cut(watch);
}

/* Asks the program to end once no more of it can be counted, or in time. */
static void end_program(struct run_watch *watch, double seconds)
{
    const double limit = watch->job->timeout_seconds;
    const bool fails =
        (atomic_load(&watch->fails) || termination_cuts()) && !watch->job->keep_running;

    if (watch->pid == 0 || watch->is_cut)
        return;
    if (watch->asked_at > 0) {
        if (seconds >= watch->asked_at + GRACE_SECONDS)
            cut(watch);
    } else if (fails || (limit > 0 && seconds >= limit)) {
        watch->is_over = !fails;
        watch->asked_at = seconds;
        kill(watch->pid, SIGTERM);
    }
}

void run_watch_fail(struct run_watch *watch)
{
    atomic_store(&watch->fails, true);
}

void run_watch_ended(struct run_watch *watch)
{
    watch->pid = 0;
    watch->is_cut = true;
}

static void show_progress(struct run_watch *watch, double seconds)
{
    pthread_mutex_lock(&watch->lock);
    const uint64_t cycles = watch->cycles, insns = watch->insns;
    pthread_mutex_unlock(&watch->lock);
    watch->job->on_progress(watch->job->user, seconds, cycles, insns);
    atomic_fetch_add(&watch->looks, 1);
}

void run_watch_look(void *user)
{
    struct run_watch *const watch = user;
    const double seconds = (double)(clock_now() - watch->start) / 1e9;

    end_program(watch, seconds);
    end_by_signal(watch, seconds);
    if (watch->job->on_progress != NULL)
        show_progress(watch, seconds);
}

void run_watch_add(struct run_watch *watch, struct run_watch_part *part,
                   const struct armpmu_sim *sim)
{
    uint64_t now[ARMPMU_SIGNAL_COUNT];
    const uint64_t *const cycles = &now[ARMPMU_SIGNAL_CPU_CYCLES];

    part->looks = atomic_load_explicit(&watch->looks, memory_order_relaxed);
    armpmu_sim_signals(sim, now);
    pthread_mutex_lock(&watch->lock);
    watch->insns += now[ARMPMU_SIGNAL_INST_RETIRED] - part->insns;
    watch->cycles = *cycles > watch->cycles ? *cycles : watch->cycles;
    pthread_mutex_unlock(&watch->lock);
    part->insns = now[ARMPMU_SIGNAL_INST_RETIRED];
}
