/* Fuzzes the options of the subcommands. The first byte is one of them, each line that follows a
 * word. Whatever they are, the command does what it can without running a program and without
 * writing a file, or complains. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/run/guest_options.h"
#include "cli/run/stat_options.h"
#include "base/termination.h"
#include "text.h"

#define WORDS_MAX 24

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Reads the options of a command that would run a program. */
static int read_options(const struct command *command, int argc, char **argv)
{
    const struct option_table table = {command->name, command->options, command->runs_program};
    union {
        struct stat_options stat; /* first member of the other, too */
        struct guest_options guest;
    } options = {.guest = {.report = {.runs = 1}}};
    struct command_line line = {.argc = argc, .argv = argv};
    struct armpmu_error err = {""};
    enum armpmu_status status = options_parse(&table, &line, &options, &err);

    if (status == ARMPMU_OK)
        status = stat_options_check(&options.stat, &err);
    require((status == ARMPMU_OK) == !err.message[0]);
    options_free(command->options, &options);
    return status == ARMPMU_OK ? 0 : EXIT_ARMPMU;
}

static const struct command *const fuzzed[] = {&command_stat, &command_guest, &command_list,
                                               &command_regs, &command_run,   &command_check,
                                               &command_dtb};

/* Words for the command, NULL behind them. */
static int split(char *text, char **argv)
{
    static char name[] = "command";
    int argc = 0;

    argv[argc++] = name;
    for (char *word; argc < WORDS_MAX && (word = strsep(&text, "\n")) != NULL;)
        argv[argc++] = word;
    argv[argc] = NULL;
    return argc;
}

/* In the place of print_error.c: nobody reads them. */
bool print_error(const char *format, ...)
{
    char text[4096];
    va_list values;

    va_start(values, format);
    require(vsnprintf(text, sizeof text, format, values) >= 0);
    va_end(values);
    return false;
}

/* In the place of termination.c: signals are the fuzzer's. */
void termination_catch(void)
{
}

void termination_report_follows(void)
{
}

void termination_helper(pid_t pid)
{
    (void)pid;
}

int termination_signal(void)
{
    return 0;
}

bool termination_cuts(void)
{
    return false;
}

void termination_cut(void)
{
}

static void begin(FILE **nothing)
{
    *nothing = fopen("/dev/null", "w");
    require(*nothing != NULL);
    setenv("ARMPMU_CHECK_PATH", "/proc/self/task", 1);
    setenv("ARMPMU_MACHINE_PATH", MACHINES, 1);
}

/* --trace-regs and --vcd, however short; `armpmu stat` reads them as well. */
static bool writes_files(const struct command *command, int argc, char **argv)
{
    bool writes = false;

    for (int i = 0; i < argc; i++)
        writes |= strncmp(argv[i], "--t", 3) == 0 || strncmp(argv[i], "--v", 3) == 0;
    return writes && command == &command_run;
}

static int execute(const struct command *command, int argc, char **argv, FILE *out)
{
    if (command == &command_stat || command == &command_guest)
        return read_options(command, argc, argv);
    return writes_files(command, argc, argv) ? 0 : command_execute(command, argc, argv, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static FILE *nothing;
    FILE *const err = stderr;
    char *argv[WORDS_MAX + 1];

    if (length < 1 || memchr(bytes, '/', length) != NULL)
        return 0; /* no files elsewhere */
    if (nothing == NULL)
        begin(&nothing);
    const struct command *const command = fuzzed[bytes[0] % (sizeof fuzzed / sizeof *fuzzed)];
    char *const text = text_of(bytes + 1, length - 1);
    require(text != NULL);
    const int argc = split(text, argv);
    stderr = nothing;
    const int status = execute(command, argc, argv, nothing);
    stderr = err;
    require(status >= 0 && status <= 127);
    free(text);
    return 0;
}
