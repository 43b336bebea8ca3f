/* `armpmu explain`: the schedule of a function's blocks, and what their instructions wait for. */
#include "cli/commands.h"

#include <stdlib.h>

#include "base/error.h"
#include "cli/profile/debuginfod_option.h"
#include "cli/machine_choice.h"
#include "cli/text_wrap.h"
#include "cli/bench/explain_report.h"
#include "machine/core_descriptor.h"

struct explain_options {
    const char *machine;
    struct machine_settings settings;
    bool only_loops;
    struct table_options table;
};

static const struct option_row rows[] = {
    OPTION_MACHINE_ROW(struct explain_options, machine),
    MACHINE_SETTING_ROWS_TO(struct explain_options, settings),
    {'l', "loops", NULL, "only blocks that branch to their own start",
     OPTION_FLAG_TO(struct explain_options, only_loops)},
    DEBUGINFOD_ROW,
    TABLE_ROWS_TO(struct explain_options, table,
                  "text; json: an object for each block; csv or md: a line for each instruction"),
    {.kind = OPTION_END},
};

struct explain_session {
    const struct explain_options *options;
    const char *what; /* a function, an address, or NULL */
    struct armpmu_machine *machine;
    struct elf_file file;
    struct decoder *decoder;
    struct function_code code;
    struct capstone *capstone;
    struct report_table table; /* of all formats but text */
    unsigned n_printed;
    FILE *out;
    struct armpmu_error *err;
};

static void print_machine(const struct explain_session *s)
{
    static const char assumed[] = "Every access hits, and branches go the same way each time: what "
                                  "the pipeline alone costs.";
    char geometry[256], text[512];

    armpmu_machine_describe(s->machine, geometry, sizeof geometry);
    snprintf(text, sizeof text, "armpmu explain: %s @ %s  [machine %s]",
             armpmu_machine_core(s->machine)->name, geometry, armpmu_machine_name(s->machine));
    fputc(' ', s->out);
    text_wrap_fitted(text, 1, 7, s->out);
    fputc(' ', s->out);
    text_wrap_fitted(assumed, 1, 1, s->out);
    fprintf(s->out, " %s\n",
            issue_times_are_in_order(s->machine)
                ? "First the cycle in which an instruction issues; +: beside the one before."
                : "First the cycles from the retirement of the instruction before to its own.");
}

static enum armpmu_status print(struct explain_session *s, const struct steady_block *block)
{
    struct issue_time *const times = calloc(block->end - block->first, sizeof *times);
    struct explanation e = {.machine = s->machine,
                            .code = &s->code,
                            .block = block,
                            .times = times,
                            .capstone = s->capstone,

                            .color = table_options_color(&s->options->table)};
    const bool is_text = s->options->table.format == TABLE_TEXT;

    if (times == NULL)
        return fail_no_memory(s->err, "an explanation");
    e.cycles = issue_times(s->machine, &s->code, block, times);
    if (s->n_printed++ == 0 && is_text)
        print_machine(s);
    if (is_text)
        explain_print(&e, s->out);
    else
        explain_put(&s->table, &e);
    free(times);
    return ARMPMU_OK;
}

static enum armpmu_status explain_block(struct explain_session *s, unsigned first, unsigned end)
{
    struct steady_block block = {.first = first, .end = end};
    enum armpmu_status status = steady_block_run(s->machine, &s->code, &block, s->err);

    if (status == ARMPMU_BAD_INPUT)
        status = fail(s->err, ARMPMU_BAD_CONFIG,
                      "explain: %s is code of %s, which the core %s does not execute; choose "
                      "another with --machine",
                      s->code.name, s->code.isa == ARMPMU_A64 ? "A64" : "A32 and T32",
                      armpmu_machine_core(s->machine)->name);
    if (status == ARMPMU_OK && (block.is_loop || !s->options->only_loops))
        status = print(s, &block);
    steady_block_free(&block);
    return status;
}

/* For an address, only the block that holds it. */
static bool is_asked_for(const struct explain_session *s, unsigned first, unsigned end)
{
    const struct block *const code = s->code.code;

    if (s->what == NULL || s->what[0] != '0')
        return true;
    const uint64_t address = strtoull(s->what, NULL, 16) & ~UINT64_C(1);
    const uint64_t after = code->address + code->insns[end - 1].offset + code->insns[end - 1].size;
    return address >= code->address + code->insns[first].offset && address < after;
}

static enum armpmu_status explain_blocks(struct explain_session *s)
{
    enum armpmu_status status = ARMPMU_OK;

    for (unsigned first = function_code_next(&s->code, 0), end;
         first < s->code.code->n_insns && status == ARMPMU_OK;
         first = function_code_next(&s->code, end)) {
        end = function_code_end(&s->code, first);
        if (is_asked_for(s, first, end))
            status = explain_block(s, first, end);
    }
    if (status == ARMPMU_OK && s->n_printed == 0)
        status =
            fail(s->err, ARMPMU_BAD_CONFIG, "explain: %.100s has no %s", s->code.name,
                 s->options->only_loops ? "block that leads to its own start; leave --loops out"
                                        : "such block");
    return status;
}

static enum armpmu_status set_up(struct explain_session *s, const char *path)
{
    enum armpmu_status status =
        machine_choice_load(s->options->machine, &s->options->settings, &s->machine, s->err);

    if (status == ARMPMU_OK)
        status = elf_file_open(path, "name a program for Arm", &s->file, s->err);
    if (status == ARMPMU_OK)
        status = decoder_new(&s->decoder, s->err);
    const unsigned vector_bytes =
        status == ARMPMU_OK
            ? core_descriptor_of(armpmu_machine_core(s->machine))->emulator.vector_bytes
            : 0;
    if (vector_bytes != 0)
        decoder_set_vector(s->decoder, vector_bytes);
    s->capstone = capstone_new();
    if (status == ARMPMU_OK && s->capstone == NULL)
        status = fail_no_memory(s->err, "an explanation");
    return status == ARMPMU_OK ? function_code_find(&s->file, s->what, s->decoder, &s->code, s->err)
                               : status;
}

static void tear_down(struct explain_session *s)
{
    function_code_free(&s->code);
    capstone_free(s->capstone);
    decoder_free(s->decoder);
    elf_file_close(&s->file);
    armpmu_machine_free(s->machine);
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct explain_session s = {.options = options, .out = out, .err = err};

    err->message[0] = '\0';
    if (operands[0] == NULL || (operands[1] != NULL && operands[2] != NULL))
        return GIVE_UP(
            "explain: name a program, and perhaps a function or address of it: 'armpmu help "
            "explain'");
    s.what = operands[1];
    enum armpmu_status status = set_up(&s, operands[0]);
    if (status == ARMPMU_OK) {
        struct armpmu_error own;
        table_begin(&s.table, &s.options->table, &explain_form, out);
        status = explain_blocks(&s);
        const enum armpmu_status end = table_end(&s.table, &own);
        if (status == ARMPMU_OK && end != ARMPMU_OK)
            *err = own;
        status = status == ARMPMU_OK ? end : status;
    }
    tear_down(&s);
    return command_exit(status);
}

const struct command command_explain = {
    .name = "explain",
    .summary = "show when a function's instructions issue, and what they wait for",
    .synopsis = "explain [OPTIONS] PROGRAM [FUNCTION|0xADDRESS]",
    .text = "Runs each block of a function through the machine's core model as a loop in which\n"
            "every access hits. Prints when its instructions issue, which ones pair, and what\n"
            "late ones wait for. Without a function, it takes the program's entry point. An\n"
            "address selects its block.\n",
    .options = rows,
    .notes = "Nothing is executed, so QEMU is not needed. Blocks that only indirect branches\n"
             "reach are left out.\n",
    .operands = COMPLETE_FILE,
    COMMAND_REPORT(struct explain_options, table),
    .run = run,
};
