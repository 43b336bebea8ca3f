/* engine_guest_run: QEMU's system emulation, from outside. The plugin counts inside QEMU and writes
 * its reports into a pipe; QEMU has the caller's terminal, streams and signals. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "qemu/engine.h"
#include "qemu/launcher/find.h"
#include "qemu/launcher/foreground.h"
#include "qemu/launcher/plugin_option.h"
#include "qemu/launcher/system_find.h"
#include "qemu/launcher/system_report.h"
#include "base/termination.h"

#define LOOK_MS 200 /* between two looks whether a second interrupt came */

struct system_run {
    const struct run *job;
    char qemu[FIND_PATH_BYTES], plugin[FIND_PATH_BYTES];
    int ends[2]; /* of the pipe; -1 when closed */
    const char **argv;
    char *option;
    struct system_report report;
};

/* pipe: the descriptor the plugin writes to, -1 for none. */
static char *make_option(const struct run *job, const char *plugin, int pipe)
{
    static const char *const details[] = {[ARMPMU_PROFILE_OFF] = NULL,
                                          [ARMPMU_PROFILE_INSNS] = "insns",
                                          [ARMPMU_PROFILE_PATHS] = "paths"};
    const char *const settings = armpmu_machine_settings(job->machine);
    char file[32], cycles[24];

    snprintf(file, sizeof file, "/proc/self/fd/%d", pipe);
    snprintf(cycles, sizeof cycles, "%" PRIu64, job->guest->every_cycles);
    const struct plugin_argument arguments[] = {
        {"file", plugin},
        {"machine", job->machine_choice},
        {"set", settings[0] != '\0' ? settings : NULL},
        {"irq", job->guest->irq},
        {"amu", job->guest->amu},
        {"frame", job->guest->frame},
        {"accesses", job->guest->accesses},
        {"report", pipe >= 0 ? file : NULL},
        {"every", pipe >= 0 && job->guest->every_cycles > 0 ? cycles : NULL},
        {"profile", pipe >= 0 ? details[job->profile & ~ARMPMU_PROFILE_EDGES] : NULL},
        {"edges", pipe >= 0 && (job->profile & ARMPMU_PROFILE_EDGES) != 0 ? "on" : NULL},
        {"mem", pipe >= 0 && job->keeps_accesses ? "on" : NULL},
        {"keep-running", pipe >= 0 && job->keep_running ? "on" : NULL},
        {NULL, NULL},
    };
    return plugin_option(arguments);
}

enum armpmu_status engine_guest_plugin(const struct run *job, char **out, struct armpmu_error *err)
{
    char plugin[FIND_PATH_BYTES];

    *out = NULL;
    const enum armpmu_status status = find_plugin(plugin, err);
    if (status != ARMPMU_OK)
        return status;
    *out = make_option(job, plugin, -1);
    return *out != NULL ? ARMPMU_OK : fail_no_memory(err, "the plugin's arguments");
}

/* QEMU, the plugin, then what the person wrote. */
static enum armpmu_status make_arguments(struct system_run *run, struct armpmu_error *err)
{
    const char *const *const given = run->job->argv;
    size_t n = 0;

    while (given[n] != NULL)
        n++;
    run->option = make_option(run->job, run->plugin, run->ends[1]);
    run->argv = calloc(n + 3, sizeof *run->argv);
    if (run->option == NULL || run->argv == NULL)
        return fail_no_memory(err, "QEMU's arguments");
    run->argv[0] = run->qemu;
    run->argv[1] = "-plugin";
    run->argv[2] = run->option;
    memcpy(&run->argv[3], &given[1], (n - 1) * sizeof *given);
    return ARMPMU_OK;
}

static const struct {
    const char *option, *reason;
} refused_options[] = {
    {"-daemonize", "puts QEMU into the background, armpmu waits for its end: leave it out"},
    {"-incoming",
     "takes over a machine whose monitor's counts are not in what QEMU sends: they would "
     "begin at 0; start the machine anew"},
    {"-loadvm",
     "goes on from a snapshot, which has no counts of the monitor: they would begin at 0; "
     "start the machine anew"},
};

/* QEMU takes "--option" for "-option". */
static enum armpmu_status check_argument(const char *arg, struct armpmu_error *err)
{
    const char *const option = strncmp(arg, "--", 2) == 0 ? arg + 1 : arg;

    for (size_t i = 0; i < sizeof refused_options / sizeof *refused_options; i++)
        if (strcmp(option, refused_options[i].option) == 0)
            return fail(err, ARMPMU_BAD_CONFIG, "'%s' %s", arg, refused_options[i].reason);
    return ARMPMU_OK;
}

static enum armpmu_status check_arguments(const struct run *job, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (const char *const *arg = job->argv + 1;
         job->argv[0] != NULL && *arg != NULL && status == ARMPMU_OK; arg++)
        status = check_argument(*arg, err);
    return status;
}

static bool no_blocks(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user, (void)id, (void)out;
    return false;
}

/* A machine that no core model takes is refused before QEMU starts. */
static enum armpmu_status try_machine(const struct armpmu_machine *machine,
                                      struct armpmu_error *err)
{
    struct armpmu_code *code;
    struct armpmu_sim *sim = NULL;

    enum armpmu_status status = armpmu_code_new(no_blocks, NULL, &code, err);
    if (status != ARMPMU_OK)
        return status;
    status = armpmu_sim_new(machine, code, &sim, err);
    armpmu_sim_free(sim);
    armpmu_code_free(code);
    return status;
}

static enum armpmu_status prepare(struct system_run *run, struct armpmu_error *err)
{
    const struct run *const job = run->job;

    enum armpmu_status status = check_arguments(job, err);
    if (status == ARMPMU_OK)
        status = try_machine(job->machine, err);
    if (status == ARMPMU_OK)
        status = system_find_qemu(job->argv[0], run->qemu, err);
    if (status == ARMPMU_OK)
        status = find_plugin(run->plugin, err);
    if (status == ARMPMU_OK)
        status = find_proc(err);
    if (status == ARMPMU_OK)
        status = system_report_init(&run->report, armpmu_machine_name(job->machine), err);
    run->report.on_record = job->guest->on_record;
    run->report.user = job->user;
    run->report.profile = job->profile != ARMPMU_PROFILE_OFF ? job : NULL;
    if (status == ARMPMU_OK && pipe2(run->ends, O_CLOEXEC) != 0)
        status = fail(err, ARMPMU_NO_MEMORY, "cannot make a pipe: %s", strerror(errno));
    return status == ARMPMU_OK ? make_arguments(run, err) : status;
}

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Until the plugin's last record, or until no process holds the pipe any more: when a second
 * interrupt has killed QEMU, a process that it started may. What is not understood is read all
 * the same: QEMU would wait for its reader. */
static void read_reports(struct system_run *run, pid_t qemu)
{
    struct pollfd source = {.fd = run->ends[0], .events = POLLIN};
    bool may_end = !run->job->keep_running;
    char text[4096];
    ssize_t n = 1;

    while (n != 0 && !run->report.complete) {
        const bool cut = termination_cuts();
        const int ready = poll(&source, 1, LOOK_MS);
        if (ready == 0 && cut)
            return;
        if (ready <= 0)
            continue;
        n = read(run->ends[0], text, sizeof text);
        if (n < 0 && errno != EINTR)
            return;
        if (n > 0)
            system_report_feed(&run->report, text, (size_t)n);
        if (run->report.stopped && may_end) {
            kill(qemu, SIGTERM);
            may_end = false;
        }
    }
}

/* The message when nothing, or only a part, was counted. */
static enum armpmu_status check_counted(const struct system_run *run, int wait_status,
                                        struct armpmu_error *err)
{
    char how[64];
    const bool failed = !WIFEXITED(wait_status) || WEXITSTATUS(wait_status) != 0;

    if (WIFSIGNALED(wait_status))
        snprintf(how, sizeof how, "was killed by signal %d", WTERMSIG(wait_status));
    else
        snprintf(how, sizeof how, "ended with status %d", WEXITSTATUS(wait_status));
    if (run->report.status != ARMPMU_OK)
        return fail(err, run->report.status, "%s", run->report.error.message);
    if (termination_signal() != 0)
        return ARMPMU_OK; /* it was not QEMU's fault */
    if (!run->report.begun)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "QEMU '%.160s' %s and had not loaded the plugin '%.160s'; see its message "
                    "above",
                    run->qemu, how, run->plugin);
    const bool is_lost = WIFSIGNALED(wait_status) && run->job->profile != ARMPMU_PROFILE_OFF;
    if (failed && !is_lost && !system_report_counted(&run->report))
        return fail(err, ARMPMU_BAD_INPUT,
                    "QEMU '%.160s' %s before its machine had run and been counted; see its "
                    "message above",
                    run->qemu, how);
    return ARMPMU_OK;
}

static enum armpmu_status run_machine(struct system_run *run, struct run_result *out,
                                      struct armpmu_error *err)
{
    /* SIGTERM: QEMU leaves the images of its drives in order. */
    struct foreground qemu = {.argv = run->argv,
                              .kept = run->ends[1],
                              .death_signal = run->job->keep_running ? 0 : SIGTERM};

    const enum armpmu_status status = foreground_start(&qemu, err);
    if (status != ARMPMU_OK)
        return status;
    close_end(&run->ends[1]);
    read_reports(run, qemu.pid);
    const int wait_status = foreground_wait(&qemu);
    *out = (struct run_result){
        .wait_status = wait_status,
        .interrupted = termination_signal(), /* QEMU itself ends with status 0 then */
        .cut_short = !run->report.complete,
        .accesses_lost = run->report.lost,
        .n_records = run->report.n_records,
    };
    return check_counted(run, wait_status, err);
}

enum armpmu_status engine_guest_run(const struct run *job, struct run_result *out,
                                    struct armpmu_error *err)
{
    struct system_run run = {.job = job, .ends = {-1, -1}};

    *out = (struct run_result){0};
    termination_catch();
    enum armpmu_status status = prepare(&run, err);
    if (status == ARMPMU_OK)
        status = run_machine(&run, out, err);
    close_end(&run.ends[0]);
    close_end(&run.ends[1]);
    system_report_free(&run.report);
    free(run.argv);
    free(run.option);
    return status;
}
