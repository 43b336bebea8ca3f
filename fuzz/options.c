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
#include "cli/cmd/guest_options.h"
#include "cli/cmd/stat_options.h"
#include "base/termination.h"
#include "text.h"

#define WORDS_MAX 24

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static int parse_stat(int argc, char **argv, FILE *out)
{
    struct stat_options options;
    struct armpmu_error err = {""};
    (void)out;
    const enum armpmu_status status = stat_options_parse(&options, argc, argv, &err);

    require((status == ARMPMU_OK) == !err.message[0]);
    stat_options_free(&options);
    return status == ARMPMU_OK ? 0 : EXIT_ARMPMU;
}

static int parse_guest(int argc, char **argv, FILE *out)
{
    struct guest_options options;
    struct armpmu_error err = {""};
    (void)out;
    const enum armpmu_status status = guest_options_parse(&options, argc, argv, &err);

    require((status == ARMPMU_OK) == !err.message[0]);
    guest_options_free(&options);
    return status == ARMPMU_OK ? 0 : EXIT_ARMPMU;
}

static const command_fn commands[] = {parse_stat,  parse_guest,   command_list, command_regs,
                                      command_run, command_check, command_dtb};

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

/* In the place of complain.c: nobody reads them. */
void complain(const char *format, ...)
{
    char text[4096];
    va_list values;

    va_start(values, format);
    require(vsnprintf(text, sizeof text, format, values) >= 0);
    va_end(values);
}

/* In the place of termination.c: signals are the fuzzer's. */
void termination_catch(void)
{
}

void termination_report_follows(void)
{
}

int termination_signal(void)
{
    return 0;
}

static void begin(FILE **nothing)
{
    *nothing = fopen("/dev/null", "w");
    require(*nothing != NULL);
    setenv("ARMPMU_CHECK_PATH", "/proc/self/task", 1);
    setenv("ARMPMU_MACHINE_PATH", MACHINES, 1);
}

/* --trace-regs and --vcd, however short; `armpmu stat` reads them as well. */
static bool writes_files(command_fn command, int argc, char **argv)
{
    bool writes = false;

    for (int i = 0; i < argc; i++)
        writes |= strncmp(argv[i], "--t", 3) == 0 || strncmp(argv[i], "--v", 3) == 0;
    return writes && command == command_run;
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
    const command_fn command = commands[bytes[0] % (sizeof commands / sizeof *commands)];
    char *const text = text_of(bytes + 1, length - 1);
    require(text != NULL);
    const int argc = split(text, argv);
    stderr = nothing;
    const int status = writes_files(command, argc, argv) ? 0 : command(argc, argv, nothing);
    stderr = err;
    require(status >= 0 && status <= 127);
    free(text);
    return 0;
}
