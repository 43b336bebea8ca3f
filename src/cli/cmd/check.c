/* `armpmu check`: runs the programs whose counts follow by arithmetic, and says of each event
 * whether it counted them. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/report/check.h"
#include "cli/cmd/check_set.h"
#include "cli/cmd/check_comparison.h"
#include "cli/commands.h"
#include "cli/core_choice.h"
#include "cli/option_grammar.h"
#include "cli/option_word.h"
#include "qemu/engine.h"
#include "unicorn/firmware_run.h"
#include "base/termination.h"

static const char usage[] =
    "usage: armpmu check [OPTIONS] [EVENT...]\n"
    "\n"
    "Runs small programs whose counts follow from the core's manual by arithmetic, and prints for\n"
    "each event what was expected and what was measured. Without EVENT (a name, a number like "
    "0x03,\n"
    "or a pattern like 'L1D_*') all events of the core are checked.\n"
    "\n"
    "      --core CORE     the core; that of the machine which stat would take if not given\n"
    "  -j, --json-output   a JSON array with an object for each event\n"
    "      --format FORMAT text, json, or md: tables of what was measured of each event, what "
    "each\n"
    "                      program shows of it, and what cycles each kernel took\n"
    "      --qemu FILE     the QEMU to use\n"
    "      --color WHEN    auto, always or never\n"
    "  -h, --help          this text\n"
    "\n"
    "Exits with 0 when all is as expected, with 1 when something is not.\n";

#define BARE_SECONDS 60.0 /* a program that has not ended by then is wrong */

enum { EXIT_WRONG = 1, OPTION_CORE = 256, OPTION_QEMU, OPTION_COLOR, OPTION_FORMAT };

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_PAGE };

struct options {
    const char *core, *qemu;
    enum option_color color;
    enum format format;
    bool help;
};

struct session {
    struct options options;
    const struct armpmu_core *core;
    struct check_set set;
    struct check_verdicts verdicts;
    uint64_t (*signals)[ARMPMU_SIGNAL_COUNT]; /* of each run that is done */
    bool *done;
    size_t n_done, n_wanted;
    bool no_bare; /* nothing here runs firmware */
    struct armpmu_error why_no_bare;
    bool interrupted;
    struct armpmu_error *err;
};

/* ---- options ---- */

static enum armpmu_status set_format(struct options *o, const char *value, struct armpmu_error *err)
{
    static const char *const names[] = {"text", "json", "md"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(value, names[i]) == 0) {
            o->format = (enum format)i;
            return ARMPMU_OK;
        }
    }
    return fail(err, ARMPMU_BAD_CONFIG, "--format '%.40s': text, json or md", value);
}

static enum armpmu_status set_option(void *user, int option, const char *value,
                                     struct armpmu_error *err)
{
    struct options *o = user;
    switch (option) {
    case OPTION_CORE:
        o->core = value;
        break;
    case OPTION_QEMU:
        o->qemu = value;
        break;
    case OPTION_COLOR:
        if (!option_color(value, &o->color))
            return fail(err, ARMPMU_BAD_CONFIG, "%s", "");
        break;
    case 'j':
        o->format = FORMAT_JSON;
        break;
    case OPTION_FORMAT:
        return set_format(o, value, err);
    default:
        o->help = true;
        break;
    }
    return ARMPMU_OK;
}

static const struct option_grammar grammar = {
    .command = "check",
    .short_options = "+:jh",
    .long_options =
        (const struct option[]){
            {"core", required_argument, NULL, OPTION_CORE},
            {"json-output", no_argument, NULL, 'j'},
            {"format", required_argument, NULL, OPTION_FORMAT},
            {"qemu", required_argument, NULL, OPTION_QEMU},
            {"color", required_argument, NULL, OPTION_COLOR},
            {"help", no_argument, NULL, 'h'},
            {NULL, 0, NULL, 0},
        },
    .set = set_option,
};

static enum armpmu_status choose_core(struct session *s)
{
    if (s->options.core == NULL) {
        s->core = core_choice_by_machine(NULL);
        return s->core != NULL ? ARMPMU_OK : fail(s->err, ARMPMU_BAD_CONFIG, "%s", "");
    }
    s->core = armpmu_core_find(s->options.core);
    if (s->core != NULL)
        return ARMPMU_OK;
    return fail(s->err, ARMPMU_NOT_FOUND,
                "--core '%.40s' is not a core; 'armpmu list core' shows them", s->options.core);
}

/* ---- running ---- */

/* The programs' standard streams lead nowhere while one runs: what they say is no result. */
struct quiet {
    int kept[3];
};

static void begin_quiet(struct quiet *quiet)
{
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++) {
        quiet->kept[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        if (nowhere >= 0)
            dup2(nowhere, fd);
    }
    if (nowhere >= 0)
        close(nowhere);
}

static void end_quiet(const struct quiet *quiet)
{
    for (int fd = 0; fd < 3; fd++) {
        if (quiet->kept[fd] < 0)
            continue;
        dup2(quiet->kept[fd], fd);
        close(quiet->kept[fd]);
    }
}

static int status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* The exit status of a run that has ended; one of the system's is no status of a program. */
static enum armpmu_status run_under_system(struct session *s, const struct check_run *run,
                                           uint64_t *signals, int *exit_status)
{
    const char *const argv[] = {run->path, NULL};
    const struct engine_job job = {.machine = run->machine, .argv = argv, .qemu = s->options.qemu};
    struct engine_result result = {0};
    enum armpmu_status status = engine_qemu_run(&job, &result, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->interrupted = result.interrupted != 0;
    memcpy(signals, result.signals, sizeof result.signals);
    *exit_status = status_of(result.wait_status);
    engine_result_free(&result);
    if (result.problem.message[0] == '\0')
        return ARMPMU_OK;
    *s->err = result.problem;
    return ARMPMU_IO;
}

static enum armpmu_status run_bare(struct session *s, const struct check_run *run,
                                   uint64_t *signals, int *exit_status)
{
    const char *const argv[] = {run->path, NULL};
    const struct engine_firmware_job job = {.machine = run->machine,
                                            .argv = argv,
                                            .timeout_seconds = BARE_SECONDS,
                                            .pins = run->pins,
                                            .faults = run->faults};
    struct engine_firmware_result result;
    enum armpmu_status status = engine_firmware_run(&job, &result, s->err);
    if (status != ARMPMU_OK)
        return status;
    s->interrupted = result.end == ENGINE_FIRMWARE_INTERRUPTED;
    memcpy(signals, result.signals, sizeof result.signals);
    *exit_status = result.end == ENGINE_FIRMWARE_EXIT ? result.status : -1;
    return ARMPMU_OK;
}

static enum armpmu_status run_one(struct session *s, size_t i)
{
    const struct check_run *run = &s->set.runs[i];
    struct quiet quiet;
    int exit_status = 0;
    begin_quiet(&quiet);
    enum armpmu_status status = run->bare ? run_bare(s, run, s->signals[i], &exit_status)
                                          : run_under_system(s, run, s->signals[i], &exit_status);
    end_quiet(&quiet);
    if (status != ARMPMU_OK)
        return status;
    if (s->interrupted)
        return ARMPMU_OK;
    if (exit_status != run->status)
        return check_failed_run(&s->verdicts, run, exit_status, s->err);
    s->done[i] = true;
    const uint64_t *since =
        run->change_since >= 0 && s->done[run->change_since] ? s->signals[run->change_since] : NULL;
    return check_judge(&s->verdicts, &s->set, run, s->signals[i], since, s->err);
}

static void show_progress(const struct session *s)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rcheck: %zu of %zu runs%s", s->n_done, s->n_wanted,
                s->n_done == s->n_wanted ? "\r\033[K" : "");
}

static bool is_to_run(const struct session *s, const struct check_run *run)
{
    return check_is_wanted(&s->verdicts, run) && !(run->bare && s->no_bare);
}

static enum armpmu_status run_all(struct session *s)
{
    const size_t n = s->set.n_runs;
    enum armpmu_status status = ARMPMU_OK;
    s->signals = calloc(n, sizeof *s->signals);
    s->done = calloc(n, sizeof *s->done);
    if (s->signals == NULL || s->done == NULL)
        return fail(s->err, ARMPMU_NO_MEMORY, "out of memory for the checks");
    termination_report_follows(); /* of the events that are not checked any more, too */
    s->no_bare = engine_firmware_ready(&s->why_no_bare) != ARMPMU_OK;
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

static int run_session(struct session *s, char *const *globs, FILE *out)
{
    termination_catch();
    enum armpmu_status status = choose_core(s);
    if (status == ARMPMU_OK)
        status = check_set_read(&s->set, s->core, s->err);
    if (status == ARMPMU_OK)
        status = check_verdicts_init(&s->verdicts, s->core, globs, s->err);
    if (status == ARMPMU_OK)
        status = run_all(s);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    const struct check_report report = {
        .out = out,
        .core = s->core,
        .verdicts = &s->verdicts,
        .set = &s->set,
        .done = s->done,
        .signals = (const uint64_t(*)[ARMPMU_SIGNAL_COUNT])s->signals,
        .n_runs = s->n_done,
        .interrupted = s->interrupted,
        .color = option_wants_color(s->options.color),
        .left_out = s->no_bare ? s->why_no_bare.message : NULL,
    };
    if (s->options.format == FORMAT_TEXT)
        check_print_text(&report);
    else if (s->options.format == FORMAT_PAGE)
        check_print_page(&report);
    else if (check_print_json(&report, s->err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    if (s->interrupted)
        return EXIT_SIGNAL + termination_signal();
    return s->verdicts.n_wrong == 0 ? 0 : EXIT_WRONG;
}

int command_check(int argc, char **argv, FILE *out)
{
    struct armpmu_error err = {""};
    struct session s = {.err = &err};
    char *const *globs = NULL;
    int status = EXIT_ARMPMU;

    if (option_grammar_parse(&grammar, argc, argv, &s.options, &globs, &err) == ARMPMU_OK) {
        if (s.options.help) {
            fputs(usage, out);
            return 0;
        }
        status = run_session(&s, globs, out);
    }
    if (err.message[0] != '\0')
        complain("%s", err.message);
    check_verdicts_free(&s.verdicts);
    check_set_free(&s.set);
    free(s.signals);
    free(s.done);
    return status;
}
