/* `armpmu check`: runs the programs whose counts follow by arithmetic, and says of each event
 * whether it counted them. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "cli/check_set.h"
#include "cli/check_verdict.h"
#include "cli/commands.h"
#include "cli/core_choice.h"
#include "cli/json_build.h"
#include "cli/layout.h"
#include "cli/option_grammar.h"
#include "cli/option_word.h"
#include "engine/engine.h"

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
    "      --qemu FILE     the QEMU to use\n"
    "      --color WHEN    auto, always or never\n"
    "  -h, --help          this text\n"
    "\n"
    "Exits with 0 when all is as expected, with 1 when something is not.\n";

enum { EXIT_WRONG = 1, OPTION_CORE = 256, OPTION_QEMU, OPTION_COLOR };

struct options {
    const char *core, *qemu;
    enum option_color color;
    bool json, help;
};

struct session {
    struct options options;
    const struct armpmu_core *core;
    struct check_set set;
    struct check_verdicts verdicts;
    uint64_t (*signals)[ARMPMU_SIGNAL_COUNT]; /* of each run that is done */
    bool *done;
    size_t n_done, n_wanted;
    bool interrupted;
    struct armpmu_error *err;
};

/* ---- options ---- */

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
        o->json = true;
        break;
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
    fflush(stdout);
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

static enum armpmu_status run_one(struct session *s, size_t i)
{
    const struct check_run *run = &s->set.runs[i];
    const char *const argv[] = {run->path, NULL};
    const struct engine_job job = {.machine = run->machine, .argv = argv, .qemu = s->options.qemu};
    struct engine_result result = {0};
    struct quiet quiet;
    begin_quiet(&quiet);
    enum armpmu_status status = engine_qemu_run(&job, &result, s->err);
    end_quiet(&quiet);
    if (status != ARMPMU_OK)
        return status;
    s->interrupted = result.interrupted;
    memcpy(s->signals[i], result.signals, sizeof s->signals[i]);
    const int exit_status = status_of(result.wait_status);
    engine_result_free(&result);
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

static enum armpmu_status run_all(struct session *s)
{
    const size_t n = s->set.n_runs;
    enum armpmu_status status = ARMPMU_OK;
    s->signals = calloc(n, sizeof *s->signals);
    s->done = calloc(n, sizeof *s->done);
    if (s->signals == NULL || s->done == NULL)
        return fail(s->err, ARMPMU_NO_MEMORY, "out of memory for the checks");
    for (size_t i = 0; i < n; i++)
        s->n_wanted += check_is_wanted(&s->verdicts, &s->set.runs[i]);
    for (size_t i = 0; i < n && status == ARMPMU_OK && !s->interrupted; i++) {
        if (!check_is_wanted(&s->verdicts, &s->set.runs[i]))
            continue;
        status = run_one(s, i);
        s->n_done++;
        show_progress(s);
    }
    return status;
}

/* ---- printing ---- */

static const char *verdict_word(const struct session *s, const struct check_verdict *verdict)
{
    if (verdict->n_wrong != 0)
        return "WRONG";
    if (verdict->n_checks != 0)
        return "ok";
    if (verdict->event->fidelity == ARMPMU_INPUT)
        return "input";
    return s->interrupted ? "not run" : "not shown";
}

/* The widest name of what is printed. */
static int name_width(const struct check_verdicts *verdicts)
{
    int width = 0;
    for (size_t i = 0; i < verdicts->n_events; i++)
        if (verdicts->events[i].wanted)
            width = layout_longest(width, verdicts->events[i].event->name);
    return width;
}

static void print_line(const struct session *s, const struct check_verdict *verdict, int width,
                       bool color)
{
    const char *word = verdict_word(s, verdict);
    const char *paint = !color || verdict->n_checks == 0 ? ""
                        : verdict->n_wrong != 0          ? "\033[31m"
                                                         : "\033[32m";
    char number[8];
    snprintf(number, sizeof number, "0x%02X", verdict->event->first);
    printf("  %-6s  %-*s  %-8s  ", number, width, verdict->event->name,
           armpmu_fidelity_name(verdict->event->fidelity));
    if (verdict->shown)
        printf("expected %8" PRId64 "  measured %8" PRId64, verdict->expected, verdict->measured);
    else
        printf("%37s", "");
    printf("  %s%-9s%s", paint, word, *paint != '\0' ? "\033[m" : "");
    if (verdict->n_checks != 0)
        printf(" %zu check%s", verdict->n_checks, verdict->n_checks == 1 ? "" : "s");
    if (verdict->shown)
        printf(", %s %s, %s", verdict->is_change ? "here rising in" : "here", verdict->run->program,
               verdict->run->label);
    putchar('\n');
}

static void print_text(const struct session *s)
{
    const bool color = option_wants_color(s->options.color);
    const int width = name_width(&s->verdicts);
    size_t n_ok = 0, n_wrong = 0, n_other = 0;
    printf("armpmu check: %s, %zu runs\n\n", s->core->name, s->n_done);
    for (size_t i = 0; i < s->verdicts.n_events; i++) {
        const struct check_verdict *verdict = &s->verdicts.events[i];
        if (!verdict->wanted)
            continue;
        print_line(s, verdict, width, color);
        n_wrong += verdict->n_wrong != 0;
        n_ok += verdict->n_wrong == 0 && verdict->n_checks != 0;
        n_other += verdict->n_wrong == 0 && verdict->n_checks == 0;
    }
    putchar('\n');
    for (size_t i = 0; i < s->verdicts.n_complaints; i++)
        printf("WRONG %s\n", s->verdicts.complaints[i]);
    printf("%zu events ok, %zu wrong, %zu without a user program that shows them; %zu checks, %zu "
           "wrong%s\n",
           n_ok, n_wrong, n_other, s->verdicts.n_checks, s->verdicts.n_wrong,
           s->interrupted ? "; interrupted, the rest was not run" : "");
}

static json_t *verdict_object(const struct session *s, const struct check_verdict *verdict)
{
    json_t *object = json_pack("{s:s, s:o, s:s, s:I, s:I, s:s}", "event", verdict->event->name,
                               "number", build_hexadecimal(2, verdict->event->first), "fidelity",
                               armpmu_fidelity_name(verdict->event->fidelity), "checks",
                               (json_int_t)verdict->n_checks, "wrong", (json_int_t)verdict->n_wrong,
                               "verdict", verdict_word(s, verdict));
    if (!verdict->shown)
        return object;
    object = build_put(object, "expected", json_integer(verdict->expected));
    object = build_put(object, "measured", json_integer(verdict->measured));
    object = build_put(object, "change", json_boolean(verdict->is_change));
    object = build_put(object, "program", build_text(verdict->run->program));
    return build_put(object, "run", build_text(verdict->run->label));
}

static enum armpmu_status print_json(const struct session *s)
{
    json_t *array = json_array();
    for (size_t i = 0; i < s->verdicts.n_events; i++)
        if (s->verdicts.events[i].wanted)
            array = build_append(array, verdict_object(s, &s->verdicts.events[i]));
    return build_print(array, stdout)
               ? ARMPMU_OK
               : fail(s->err, ARMPMU_IO, "check: the output cannot be written, or memory is short");
}

/* ---- the command ---- */

static int run_session(struct session *s, char *const *globs)
{
    enum armpmu_status status = choose_core(s);
    if (status == ARMPMU_OK)
        status = check_set_read(&s->set, s->core, s->err);
    if (status == ARMPMU_OK)
        status = check_verdicts_init(&s->verdicts, s->core, globs, s->err);
    if (status == ARMPMU_OK)
        status = run_all(s);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    if (!s->options.json)
        print_text(s);
    else if (print_json(s) != ARMPMU_OK)
        return EXIT_ARMPMU;
    if (s->interrupted)
        return 128 + SIGINT;
    return s->verdicts.n_wrong == 0 ? 0 : EXIT_WRONG;
}

int command_check(int argc, char **argv)
{
    struct armpmu_error err = {""};
    struct session s = {.err = &err};
    char *const *globs = NULL;
    int status = EXIT_ARMPMU;

    if (option_grammar_parse(&grammar, argc, argv, &s.options, &globs, &err) == ARMPMU_OK) {
        if (s.options.help) {
            fputs(usage, stdout);
            return 0;
        }
        status = run_session(&s, globs);
    }
    if (err.message[0] != '\0')
        complain("%s", err.message);
    check_verdicts_free(&s.verdicts);
    check_set_free(&s.set);
    free(s.signals);
    free(s.done);
    return status;
}
