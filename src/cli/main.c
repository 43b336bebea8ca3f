/* Finds the subcommand and runs it. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "armpmu/catalog.h"
#include "base/debuginfod.h"
#include "base/large_pages.h"
#include "base/own_stack.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/text_wrap.h"

/* The words before the command go after its name: they are its options. */
static int run(const struct command *command, int argc, char **argv, char *const *operands,
               FILE *out)
{
    const size_t n_front = (size_t)(operands - argv) - 1;
    char *const name = operands[0];

    memmove(&argv[2], &argv[1], n_front * sizeof *argv);
    argv[1] = name;
    return command_execute(command, argc - 1, &argv[1], out);
}

static int dispatch(int argc, char **argv, FILE *out, struct armpmu_error *err)
{
    const struct option_table front = {"", front_rows, true};
    struct front_options options = {NULL, NULL, false};
    struct command_line line = {.argc = argc, .argv = argv};

    if (options_parse(&front, &line, &options, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    if (options.version) {
        fprintf(out, "armpmu %s\n", armpmu_version);
        return 0;
    }
    if (line.help)
        return command_help_of(line.operands[0], out);
    if (line.operands[0] == NULL) {
        command_print_help(NULL, stderr);
        return EXIT_ARMPMU;
    }
    const struct command *const command = command_find(line.operands[0]);
    return command == NULL ? EXIT_ARMPMU : run(command, argc, argv, line.operands, out);
}

static bool is_unlimited(int resource)
{
    struct rlimit limit;

    return getrlimit(resource, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

/* A short program's counts take a few thousand pages, a profile by call path fifty times as many,
 * and a page costs a microsecond or more when it is first used: so the heap is of large ones, where
 * the system has them. Room that is not used takes only address space; where that is limited, the
 * heap begins small. What malloc writes before they are asked for lies below the first. A model's
 * thread would have an arena of its own, which grows by a system call a page. */
static void prepare_heap(void)
{
    const unsigned n_pages = is_unlimited(RLIMIT_AS) && is_unlimited(RLIMIT_DATA) ? 128 : 9;
    const size_t page = LARGE_PAGE, below = page / 16, bytes = n_pages * page + below / 2;

    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_TOP_PAD, (int)bytes);
    (void)mallopt(M_TRIM_THRESHOLD, (int)(2 * bytes));
    char *const start = sbrk((intptr_t)((-(uintptr_t)sbrk(0) - below) % page));
    char *volatile first = malloc(below / 2); /* which makes the heap as large as said */
    char *const end = sbrk(0);
    if (first > start && first < end)
        large_pages_ask(start, (size_t)(end - start));
    free(first);
}

int main(int argc, char **argv)
{
    struct armpmu_error err = {""};
    struct output out;
    int status = EXIT_ARMPMU;

    prepare_heap();
    output_prepare_process();
    debuginfod_forbid();
    text_wrap_fit(pager_columns(STDOUT_FILENO));
    if (own_stack_grow(&err) == ARMPMU_OK && output_open_standard(&out, &err) == ARMPMU_OK) {
        status = dispatch(argc, argv, out.stream, &err);
        if (err.message[0] != '\0')
            print_error("%s", err.message);
        err.message[0] = '\0';
        if (output_close(&out, &err) != ARMPMU_OK)
            status = EXIT_ARMPMU;
    }
    if (err.message[0] != '\0')
        print_error("%s", err.message);
    return print_lost() ? EXIT_ARMPMU : status;
}
