#include "cli/commands.h"

#include <limits.h>

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/suggest.h"
#include "cli/table/table_options.h"
#include "cli/text_wrap.h"

const struct command *const commands[] = {&command_stat,
                                          &command_record,
                                          &command_replay,
                                          &command_report,
                                          &command_annotate,
                                          &command_explain,
                                          &command_diff,
                                          &command_trend,
                                          &command_script,
                                          &command_run,
                                          &command_guest,
                                          &command_sweep,
                                          &command_whatif,
                                          &command_list,
                                          &command_regs,
                                          &command_check,
                                          &command_convert,
                                          &command_dtb,
                                          &command_calibrate,
                                          &command_doctor,
                                          &command_completion,
                                          &command_help,
                                          NULL};

const struct option_row front_rows[] = {
    {0, "machine", "NAME|FILE", "the command's --machine",
     OPTION_TEXT_TO(struct front_options, machine), .completes = COMPLETE_MACHINE},
    {0, "color", "WHEN", "the command's --color: auto, always or never",
     OPTION_TEXT_TO(struct front_options, color), .words = option_colors},
    {0, "version", NULL, "the version", OPTION_FLAG_TO(struct front_options, version)},
    {.kind = OPTION_END},
};

static void print_unknown(const char *name)
{
    struct suggest s;
    char hint[256];

    suggest_begin(&s, name);
    for (size_t i = 0; commands[i] != NULL; i++)
        suggest_offer(&s, commands[i]->name, NULL);
    suggest_sentence(&s, hint, sizeof hint);
    print_error("'%s' is not a command%s%s", name, hint,
                s.count == 0 ? "; 'armpmu help' lists them" : "");
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    print_unknown(name);
    return NULL;
}

/* Checks that the file can be written before the work, and writes it afterwards. */
static int run_to_file(const struct command *command, const struct table_options *report,
                       void *options, char *const *operands, struct armpmu_error *err)
{
    struct output file;

    if (output_open(&file, "-o", report->output, report->append, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    text_wrap_fit(0); /* lines of a file do not depend on the terminal */
    const int status = command->run(options, operands, file.stream, err);
    if (status == EXIT_ARMPMU)
        output_discard(&file);
    else if (output_close(&file, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    return status;
}

/* Keeps the report until it is whole, for a pager. */
static int run_to_pager(const struct command *command, void *options, char *const *operands,
                        FILE *out, struct armpmu_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = memory_stream_open(&text, &size);
    int status = EXIT_ARMPMU;

    if (stream != NULL)
        status = command->run(options, operands, stream, err);
    if (stream == NULL || (!memory_stream_close(stream, &text) && status != EXIT_ARMPMU)) {
        (void)!fail_no_memory(err, "the report");
        return EXIT_ARMPMU;
    }
    if (status != EXIT_ARMPMU)
        pager_deliver(text, size, out);
    free(text);
    return status;
}

static int run(const struct command *command, void *options, char *const *operands, FILE *out,
               struct armpmu_error *err)
{
    const struct table_options *const report =
        command->has_report ? (void *)((char *)options + command->report) : NULL;

    if (report != NULL && (report->output != NULL || report->append))
        return run_to_file(command, report, options, operands, err);
    if (report != NULL && report->wants_pager)
        return run_to_pager(command, options, operands, out, err);
    return command->run(options, operands, out, err);
}

static int execute(const struct command *command, struct command_line *line, void *options,
                   FILE *out, struct armpmu_error *err)
{
    const struct option_table table = {command->name, command->options, command->runs_program};

    if (command->defaults != NULL)
        memcpy(options, command->defaults, command->options_bytes);
    if (options_parse(&table, line, options, err) != ARMPMU_OK)
        return EXIT_ARMPMU;
    if (!line->help)
        return run(command, options, line->operands, out, err);
    command_print_help(command, out);
    return 0;
}

int command_execute(const struct command *command, int argc, char **argv, FILE *out)
{
    struct armpmu_error err = {""};
    struct command_line line = {.argc = argc, .argv = argv};
    void *const options = calloc(1, command->options_bytes + 1);
    int status = EXIT_ARMPMU;

    if (options == NULL)
        return GIVE_UP("out of memory");
    status = execute(command, &line, options, out, &err);
    if (err.message[0] != '\0')
        print_error("%s", err.message);
    options_free(command->options, options);
    free(options);
    return status;
}

/* ---- exit statuses ---- */

static const struct exit_code codes[] = {
#define EXIT_CODE(name, status, text, meaning) {ENDS_##name, text, meaning},
#include "cli/exit_codes.def"
#undef EXIT_CODE
};

void exit_codes_of(const struct command *command, exit_code_fn call, FILE *out)
{
    const unsigned ends = command != NULL ? command->ends | ENDS_ARMPMU : UINT_MAX;

    if (command != NULL)
        call(command->runs_program
                 ? &(struct exit_code){0, "its own", "the program (of guest: QEMU) ended by itself"}
                 : &(struct exit_code){0, "0", "success"},
             out);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (ends & codes[i].bit)
            call(&codes[i], out);
}
