/* `armpmu check`: runs the programs whose counts follow by arithmetic, and compares the counts
 * of each event. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/bench/check_report.h"
#include "cli/bench/check_set.h"
#include "cli/bench/check_comparison.h"
#include "cli/commands.h"
#include "cli/machine_choice.h"
#include "cli/options.h"
#include "qemu/engine.h"
#include "unicorn/firmware_run.h"
#include "base/termination.h"

#define BARE_SECONDS 60.0 /* a program that has not ended by then is wrong */

struct check_options {
    const char *core, *qemu;
    struct table_options table;
};

struct check_session {
    const struct check_options *options;
    const struct armpmu_core *core;
    struct check_set set;
    struct check_comparisons comparisons;
    uint64_t (*signals)[ARMPMU_SIGNAL_COUNT]; /* of each run that is done */
    bool *done;
    size_t n_done, n_wanted;
    bool no_bare; /* nothing here runs firmware */
    struct armpmu_error why_no_bare;
    bool interrupted;
    struct armpmu_error *err;
};

/* ---- options ---- */

static const struct option_row rows[] = {
    {0, "core", "CORE", "the core; default: the core of stat's default machine",
     OPTION_TEXT_TO(struct check_options, core), .completes = COMPLETE_CORE},
    {0, "qemu", "FILE", "the QEMU to use", OPTION_TEXT_TO(struct check_options, qemu),
     .completes = COMPLETE_FILE},
    TABLE_ROWS_TO(struct check_options, table,
                  "text, csv, json, or md: tables of the measured events, of the evidence in each "
                  "program, and of the cycles of each kernel"),
    {.kind = OPTION_END},
};

static enum armpmu_status choose_core(struct check_session *s)
{
    if (s->options->core == NULL) {
        s->core = machine_choice_core(NULL);
        return s->core != NULL ? ARMPMU_OK : fail(s->err, ARMPMU_BAD_CONFIG, "%s", "");
    }
    s->core = armpmu_core_find(s->options->core);
    if (s->core != NULL)
        return ARMPMU_OK;
    return fail(s->err, ARMPMU_NOT_FOUND,
                "--core '%.40s' is not a core; 'armpmu list core' shows them", s->options->core);
}

/* ---- running ---- */

/* The programs' standard streams lead nowhere while one runs: what they say is no result. */
struct muted {
    int kept[3];
};

static void mute_streams(struct muted *muted)
{
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++) {
        muted->kept[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        if (nowhere >= 0)
            dup2(nowhere, fd);
    }
    if (nowhere >= 0)
        close(nowhere);
}

static void unmute_streams(const struct muted *muted)
{
    for (int fd = 0; fd < 3; fd++) {
        if (muted->kept[fd] < 0)
            continue;
        dup2(muted->kept[fd], fd);
        close(muted->kept[fd]);
    }
}

static int status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* The exit status of a run that has ended; one of the system's is no status of a program. */
static enum armpmu_status run_under_system(struct check_session *s, const struct check_run *run,
                                           uint64_t *signals, int *exit_status)
{
    const char *const argv[] = {run->path, NULL};
    const struct run job = {.machine = run->machine, .argv = argv, .qemu = s->options->qemu};
    struct run_result result = {0};
    enum armpmu_status status = engine_qemu_run(&job, &result, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->interrupted = result.interrupted != 0;
    memcpy(signals, result.signals, sizeof result.signals);
    *exit_status = status_of(result.wait_status);
    run_result_free(&result);
    if (result.problem.message[0] == '\0')
        return ARMPMU_OK;
    *s->err = result.problem;
    return ARMPMU_IO;
}

static enum armpmu_status run_bare(struct check_session *s, const struct check_run *run,
                                   uint64_t *signals, int *exit_status)
{
    const char *const argv[] = {run->path, NULL};
    const struct firmware_setup setup = {.caches_on = true, /* as programs for Linux find them */
                                         .pins = run->pins,
                                         .faults = run->faults};
    const struct run job = {
        .machine = run->machine, .argv = argv, .timeout_seconds = BARE_SECONDS, .firmware = &setup};
    struct run_result result;
    enum armpmu_status status = engine_firmware_run(&job, &result, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->interrupted = result.firmware.end == ENGINE_FIRMWARE_INTERRUPTED;
    memcpy(signals, result.signals, sizeof result.signals);
    *exit_status = result.firmware.end == ENGINE_FIRMWARE_EXIT ? result.firmware.status : -1;
    if (result.firmware.end == ENGINE_FIRMWARE_FAILED)
        status = fail(s->err, ARMPMU_NO_MEMORY, "check: %s, %s: %s", run->program, run->label,
                      result.firmware.reason);
    run_result_free(&result);
    return status;
}

static enum armpmu_status run_one(struct check_session *s, size_t i)
{
    const struct check_run *run = &s->set.runs[i];
    struct muted muted;
    int exit_status = 0;
    mute_streams(&muted);
    enum armpmu_status status = run->bare ? run_bare(s, run, s->signals[i], &exit_status)
                                          : run_under_system(s, run, s->signals[i], &exit_status);
    unmute_streams(&muted);
    if (status != ARMPMU_OK)
        return status;
    if (s->interrupted)
        return ARMPMU_OK;
    if (exit_status != run->status)
        return check_failed_run(&s->comparisons, run, exit_status, s->err);
    s->done[i] = true;
    struct check_counts counts = {.run = run, .signals = s->signals[i]};
    if (run->change_since >= 0 && s->done[run->change_since]) {
        counts.since = s->signals[run->change_since];
        counts.since_run = &s->set.runs[run->change_since];
    }
    return check_judge(&s->comparisons, &counts, s->err);
}

static void show_progress(const struct check_session *s)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rcheck: %zu of %zu runs%s", s->n_done, s->n_wanted,
                s->n_done == s->n_wanted ? "\r\033[K" : "");
}

static bool is_to_run(const struct check_session *s, const struct check_run *run)
{
    return check_is_wanted(&s->comparisons, run) && !(run->bare && s->no_bare);
}

static enum armpmu_status run_all(struct check_session *s)
{
    const size_t n = s->set.n_runs;
    struct engine_firmware_library library;
    enum armpmu_status status = ARMPMU_OK;
    s->signals = calloc(n, sizeof *s->signals);
    s->done = calloc(n, sizeof *s->done);
    if (s->signals == NULL || s->done == NULL)
        return fail_no_memory(s->err, "the checks");
    termination_report_follows(); /* of the events that are not checked any more, too */
    s->no_bare = engine_firmware_ready(&library, &s->why_no_bare) != ARMPMU_OK;
    for (size_t i = 0; i < n; i++)
        s->n_wanted += is_to_run(s, &s->set.runs[i]);
    for (size_t i = 0; i < n && status == ARMPMU_OK && !s->interrupted; i++) {
        if (!is_to_run(s, &s->set.runs[i]))
            continue;
        status = run_one(s, i);
        s->interrupted = s->interrupted || termination_signal() != 0;
        s->n_done++;
        show_progress(s);
    }
    return status;
}

/* ---- the command ---- */

static int run_session(struct check_session *s, char *const *globs, FILE *out)
{
    termination_catch();
    enum armpmu_status status = choose_core(s);
    if (status == ARMPMU_OK)
        status = check_set_read(&s->set, s->core, s->err);
    if (status == ARMPMU_OK)
        status = check_comparisons_init(&s->comparisons, s->core, globs, s->err);
    if (status == ARMPMU_OK)
        status = run_all(s);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    const struct check_report report = {
        .out = out,
        .core = s->core,
        .comparisons = &s->comparisons,
        .set = &s->set,
        .done = s->done,
        .signals = (const uint64_t(*)[ARMPMU_SIGNAL_COUNT])s->signals,
        .n_runs = s->n_done,
        .interrupted = s->interrupted,
        .color = table_options_color(&s->options->table),
        .left_out = s->no_bare ? s->why_no_bare.message : NULL,
    };
    if (s->options->table.format == TABLE_TEXT)
        check_print_text(&report);
    else if (s->options->table.format == TABLE_MD)
        check_print_page(&report);
    else if (check_print_rows(&report, &s->options->table, s->err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    if (s->interrupted)
        return EXIT_SIGNAL + termination_signal();
    return s->comparisons.n_wrong == 0 ? 0 : EXIT_WRONG;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct check_session s = {.options = options, .err = err};
    const int status = run_session(&s, operands, out);

    check_comparisons_free(&s.comparisons);
    check_set_free(&s.set);
    free(s.signals);
    free(s.done);
    return status;
}

const struct command command_check = {
    .name = "check",
    .summary = "run programs with known counts and compare the counts",
    .synopsis = "check [OPTIONS] [EVENT...]",
    .text = "Runs small programs whose counts follow from the core's manual by arithmetic, and\n"
            "prints the expected and the measured count of each event. EVENT is a name, a\n"
            "number like 0x03, or a pattern like 'L1D_*'; the default is all events of the\n"
            "core.\n",
    .options = rows,
    .operands = COMPLETE_EVENT,
    .ends = ENDS_WRONG | ENDS_SIGNAL,
    COMMAND_REPORT(struct check_options, table),
    .run = run,
};
