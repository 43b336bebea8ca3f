#include "cli/bench/board.h"

#include <errno.h>
#include <sched.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/termination.h"
#include "base/text.h"

extern char **environ;

/* The designer and the part in a MIDR: not variant, architecture and revision. */
#define MIDR_CORE 0xff00fff0ul

#define FACT_BYTES 256

/* ---- identity ---- */

const struct armpmu_core *board_core(unsigned long midr)
{
    static const struct {
        const char *core;
        bool is_midr;
        unsigned long value;
    } rows[] = {
#define REGISTER(cores, access, coproc, op1, crn, crm, op2, kind, value, mask)                     \
    {cores, #kind[0] == 'M', (unsigned long)(value)},
#include "cosim/core_registers.def"
#undef REGISTER
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_midr && ((rows[i].value ^ midr) & MIDR_CORE) == 0)
            return armpmu_core_find(rows[i].core);
    return NULL;
}

/* Reads the first line of a file into text of FACT_BYTES; false if there is none. */
static bool read_first_line(const char *path, char *text)
{
    FILE *const file = fopen(path, "re");
    const bool has_line = file != NULL && fgets(text, FACT_BYTES, file) != NULL;

    if (file != NULL)
        fclose(file);
    if (has_line)
        text[strcspn(text, "\r\n")] = '\0';
    return has_line && text[0] != '\0';
}

/* The different MIDRs of the processors that this process may run on, "" where Linux shows none. */
static void read_midrs(char *text)
{
    cpu_set_t mask;
    char path[96], one[FACT_BYTES];

    text[0] = '\0';
    if (sched_getaffinity(0, sizeof mask, &mask) != 0)
        return;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1",
                 cpu);
        if (CPU_ISSET(cpu, &mask) && read_first_line(path, one) && strstr(text, one) == NULL &&
            strlen(text) + strlen(one) + 3 <= FACT_BYTES)
            text_join(text, FACT_BYTES, ", ", "%s", one);
    }
}

static enum armpmu_status start_failed(int cause, struct armpmu_error *err)
{
    return fail(
        err, ARMPMU_NOT_FOUND,
        "cannot start perf: %s; install it, or name a file with its output from elsewhere with "
        "--compare=FILE",
        strerror(cause));
}

/* Runs perf with its output of this number, -1 for the streams it inherits, until it ends. */
static enum armpmu_status run_perf(char *const *argv, int output, struct armpmu_error *err)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    if (output >= 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    const int cause = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (cause != 0)
        return start_failed(cause, err);
    termination_helper(pid);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    termination_helper(0);
    return ARMPMU_OK;
}

/* A file without a name, which perf writes to. */
static FILE *open_answer(struct armpmu_error *err)
{
    FILE *const file = tmpfile();

    if (file == NULL)
        (void)fail(err, ARMPMU_IO, "cannot keep what perf prints: %s", strerror(errno));
    return file;
}

static enum armpmu_status ask_version(char *text, struct armpmu_error *err)
{
    char *const argv[] = {(char[]){"perf"}, (char[]){"--version"}, NULL};
    FILE *const answer = open_answer(err);

    if (answer == NULL)
        return ARMPMU_IO;
    const enum armpmu_status status = run_perf(argv, fileno(answer), err);
    rewind(answer);
    if (fgets(text, FACT_BYTES, answer) == NULL)
        text[0] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    fclose(answer);
    return status;
}

enum armpmu_status board_identify(struct perf_counts *counts, struct armpmu_error *err)
{
    char texts[PERF_FACTS][FACT_BYTES] = {""};
    struct utsname system;

    if (uname(&system) != 0 ||
        (strncmp(system.machine, "arm", 3) != 0 && strncmp(system.machine, "aarch64", 7) != 0))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--compare: this computer is not an Arm board; name a file with perf's output "
                    "from one: "
                    "--compare=FILE");
    const enum armpmu_status status = ask_version(texts[PERF_VERSION], err);
    if (status != ARMPMU_OK)
        return status;
    snprintf(texts[PERF_KERNEL], FACT_BYTES, "%s", system.release);
    read_midrs(texts[PERF_MIDR]);
    for (size_t i = 0; i < PERF_FACTS; i++)
        if (texts[i][0] != '\0' && (counts->facts[i] = printable_copy(texts[i])) == NULL)
            return fail_no_memory(err, "the board's name");
    return ARMPMU_OK;
}

/* ---- counts ---- */

/* The events of a run as perf's -e: "r11:u,r08:u". PMUv3 can leave the kernel's out. */
static void put_events(const struct armpmu_core *core, const struct event_item *items, size_t n,
                       FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned number = items[i].event->first;
        const bool is_cycles = number == core->cycles_event && core->cycles_config != 0;
        fprintf(out, "%sr%x%s", i > 0 ? "," : "", is_cycles ? core->cycles_config : number,
                core->pmu_version != 0 ? ":u" : "");
    }
}

/* perf stat -x, --log-fd FD -e EVENTS -- PROGRAM; the caller frees it. NULL without memory. */
static char **make_command(const char *events, const char *log, char *const *program)
{
    const char *const words[] = {"perf", "stat", "-x,", "--log-fd", log, "-e", events, "--"};
    const size_t n = sizeof words / sizeof *words;
    size_t n_program = 0;

    while (program[n_program] != NULL)
        n_program++;
    char **const argv = calloc(n + n_program + 1, sizeof *argv);
    for (size_t i = 0; argv != NULL && i < n; i++)
        argv[i] = (char *)(uintptr_t)words[i];
    for (size_t i = 0; argv != NULL && i < n_program; i++)
        argv[n + i] = program[i];
    return argv;
}

static enum armpmu_status run_once(struct perf_counts *counts, const char *events,
                                   char *const *program, struct armpmu_error *err)
{
    char log[16];
    FILE *const answer = open_answer(err);

    if (answer == NULL)
        return ARMPMU_IO;
    snprintf(log, sizeof log, "%d", fileno(answer));
    char **const argv = make_command(events, log, program);
    enum armpmu_status status =
        argv != NULL ? run_perf(argv, -1, err) : fail_no_memory(err, "perf's command");
    rewind(answer);
    if (status == ARMPMU_OK)
        status = perf_counts_read(counts, answer, "what perf printed", err);
    free(argv);
    fclose(answer);
    return status;
}

enum armpmu_status board_count(struct perf_counts *counts, const struct armpmu_core *core,
                               const struct event_list *events, char *const *program,
                               struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t first = 0, n; first < events->count && status == ARMPMU_OK; first += n) {
        char *text = NULL;
        size_t size;
        FILE *const stream = open_memstream(&text, &size);
        n = events->count - first < core->n_event_counters ? events->count - first
                                                           : core->n_event_counters;
        if (stream == NULL)
            return fail_no_memory(err, "the events");
        put_events(core, events->items + first, n, stream);
        status = fclose(stream) == 0 ? run_once(counts, text, program, err)
                                     : fail_no_memory(err, "the events");
        free(text);
    }
    return status;
}
