#include "base/termination.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define SAME_NS UINT64_C(10000000)   /* the same interrupt, sent twice */
#define CUT_NS  UINT64_C(1000000000) /* who interrupts again after this does not want the report */

enum phase { BEFORE, RUNS, REPORTS };

static const struct {
    int number;
    const char *message; /* when nothing has run */
} caught[] = {
    {SIGINT, "armpmu: SIGINT came before there was anything to report\n"},
    {SIGQUIT, "armpmu: SIGQUIT came before there was anything to report\n"},
    {SIGTERM, "armpmu: SIGTERM came before there was anything to report\n"},
    {SIGHUP, "armpmu: SIGHUP came before there was anything to report\n"},
};

#define N_CAUGHT (sizeof caught / sizeof caught[0])

static const char no_report[] = "armpmu: interrupted again: there is no report\n";

static struct {
    struct sigaction before[N_CAUGHT]; /* what armpmu's caller does */
    bool catches;
    /* The handler's own, which it does not interrupt itself. */
    uint64_t last[N_CAUGHT]; /* when a signal came, on the clock CLOCK_MONOTONIC */
    uint64_t cut_at;
    volatile sig_atomic_t phase, program, starts;
    volatile sig_atomic_t first, came, n;
} state;

static _Atomic bool cuts;

static size_t index_of(int number)
{
    size_t i = 0;

    while (caught[i].number != number)
        i++;
    return i;
}

/* By the signal itself, so that a shell sees it. It is delivered when the handler returns. */
static void end_by(int number, const char *message)
{
    const struct sigaction standard = {.sa_handler = SIG_DFL};

    if (state.program > 0)
        kill((pid_t)state.program, SIGKILL);
    ssize_t ignored = write(STDERR_FILENO, message, strlen(message));
    (void)ignored;
    sigaction(number, &standard, NULL);
    raise(number);
}

/* A program that handles SIGTERM and SIGHUP itself may continue. */
static bool asks_to_end(int number)
{
    return number == SIGINT || number == SIGQUIT || state.phase == REPORTS || state.program == 0;
}

static void note(int number, uint64_t time)
{
    if (state.first == 0)
        state.first = number;
    state.came |= 1 << number;
    if (!asks_to_end(number) || ++state.n < 2)
        return;
    if (!atomic_exchange(&cuts, true) || state.cut_at == 0)
        state.cut_at = time;
    else if (time - state.cut_at > CUT_NS)
        end_by(number, no_report);
}

/* The terminal sends its interrupts to the program as well, so those are not passed on; while the
 * program starts it may not have been there yet. */
static void pass_on(int number, const siginfo_t *info)
{
    if (state.program <= 0)
        return;
    if (state.starts || info->si_code != SI_KERNEL)
        kill((pid_t)state.program, number);
    if (atomic_load(&cuts))
        kill((pid_t)state.program, SIGKILL);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    const int saved = errno;
    const size_t i = index_of(number);
    const uint64_t time = clock_now();
    const bool same = state.last[i] != 0 && time - state.last[i] < SAME_NS;

    (void)context;
    state.last[i] = time;
    if (state.phase == BEFORE) {
        end_by(number, caught[i].message);
    } else {
        if (!same)
            note(number, time);
        pass_on(number, info);
    }
    errno = saved;
}

static void caught_set(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < N_CAUGHT; i++)
        sigaddset(set, caught[i].number);
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};

    caught_set(&action.sa_mask);
    for (size_t i = 0; i < N_CAUGHT; i++)
        if (state.before[i].sa_handler != SIG_IGN)
            sigaction(caught[i].number, &action, NULL);
}

void termination_catch(void)
{
    if (state.catches)
        return;
    state.catches = true;
    for (size_t i = 0; i < N_CAUGHT; i++)
        sigaction(caught[i].number, NULL, &state.before[i]);
    install();
}

void termination_report_follows(void)
{
    termination_catch();
    state.phase = REPORTS;
}

void termination_helper(pid_t pid)
{
    state.program = pid;
}

void termination_block(sigset_t *before)
{
    sigset_t held;

    termination_catch();
    caught_set(&held);
    sigprocmask(SIG_BLOCK, &held, before);
}

void termination_started(pid_t pid, const sigset_t *mask)
{
    state.program = pid > 0 ? pid : 0;
    state.phase = pid > 0 ? RUNS : REPORTS;
    for (size_t i = 0; i < N_CAUGHT && pid > 0; i++)
        if (state.came & 1 << caught[i].number)
            kill(pid, caught[i].number);
    state.starts = 1;
    sigprocmask(SIG_SETMASK, mask, NULL);
    state.starts = 0;
}

void termination_leave(const sigset_t *mask)
{
    for (size_t i = 0; i < N_CAUGHT; i++)
        sigaction(caught[i].number, &state.before[i], NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

void termination_runs_here(void)
{
    termination_catch();
    state.program = 0;
    state.phase = RUNS;
}

void termination_over(void)
{
    state.program = 0;
    state.phase = REPORTS;
}

int termination_signal(void)
{
    return state.first;
}

bool termination_came(int number)
{
    return (state.came & 1 << number) != 0;
}

bool termination_cuts(void)
{
    return atomic_load(&cuts);
}

void termination_cut(void)
{
    atomic_store(&cuts, true);
}
