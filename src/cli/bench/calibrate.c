/* `armpmu calibrate`: prints a program that measures a board, writes a machine file from the output
 * of that program, and compares a board's counts with the model's. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read_file.h"
#include "base/text.h"
#include "calibrate_program.h"
#include "cli/bench/measurements.h"
#include "cli/bench/machine_writer.h"
#include "cli/bench/silicon.h"
#include "cli/commands.h"
#include "cli/machine_choice.h"
#include "machine/core_descriptor.h"

/* The most bytes of a machine file: a line of 200 for each key. */
#define MACHINE_BYTES (64 * 1024)
#define NAME_MOST     63 /* characters of a machine's name */

struct calibrate_options {
    const char *core, *read, *base, *name;
    struct silicon_options compare;
    struct table_options table;
};

static enum armpmu_status set_compare(void *member, const char *option, const char *value,
                                      struct armpmu_error *err)
{
    struct silicon_options *const o = member;

    (void)option;
    (void)err;
    o->is_asked_for = true;
    o->file = value;
    return ARMPMU_OK;
}

static const struct option_row rows[] = {
    {.help = "The program", .kind = OPTION_HEADING},
    {0, "core", "CORE", "for a board with this core",
     OPTION_TEXT_TO(struct calibrate_options, core), .completes = COMPLETE_CORE},
    {.help = "The machine file", .kind = OPTION_HEADING},
    {0, "read", "FILE", "output of the program; '-' is standard input",
     OPTION_TEXT_TO(struct calibrate_options, read), .completes = COMPLETE_FILE},
    {0, "name", "NAME", "name of the machine", OPTION_TEXT_TO(struct calibrate_options, name)},
    {0, "base", "NAME", "base of the machine; default: the first machine with the core",
     OPTION_TEXT_TO(struct calibrate_options, base), .completes = COMPLETE_MACHINE},
    {.help = "The comparison", .kind = OPTION_HEADING},
    {0, "compare", "FILE",
     "count PROGRAM on this board with perf, and here; =FILE: perf's counts, of 'perf stat -x,' or "
     "-j",
     OPTION_CALL_TO(struct calibrate_options, compare, set_compare), .optional = true,
     .completes = COMPLETE_FILE},
    {'e', "event", "LIST", "events to count with perf; default: as armpmu stat",
     OPTION_LIST_TO(struct calibrate_options, compare.events), .completes = COMPLETE_EVENTS},
    OPTION_MACHINE_ROW(struct calibrate_options, compare.run.machine),
    MACHINE_SETTING_ROWS_TO(struct calibrate_options, compare.run.settings),
    SYSROOT_ROW(struct calibrate_options, compare.run),
    QEMU_ROW(struct calibrate_options, compare.run),
    STABLE_ROWS_TO(struct calibrate_options, compare.run.stable),
    {.help = "Output", .kind = OPTION_HEADING},
    TABLE_ROWS_TO(struct calibrate_options, table,
                  "of the comparison: text, csv, json, or md to send it in as an issue"),
    {.kind = OPTION_END},
};

/* ---- the program ---- */

/* The cores that the program measures. */
static const char *known_cores(char *text, size_t size)
{
    const struct core_descriptor *core;

    text[0] = '\0';
    for (size_t i = 0; (core = core_descriptor_at(i)) != NULL; i++)
        if (core->measured != NULL)
            text_join(text, size, ", ", "%s", core->name);
    return text;
}

static enum armpmu_status unknown_core(const char *name, struct armpmu_error *err)
{
    char cores[128];

    return fail(err, ARMPMU_BAD_CONFIG,
                "--core '%.40s': the program does not measure it; it measures %s", name,
                known_cores(cores, sizeof cores));
}

/* CORTEX_A8 of cortex-a8. */
static const char *macro_name(const char *core, char *name, size_t size)
{
    size_t n = 0;

    for (; core[n] != '\0' && n + 1 < size; n++)
        name[n] = (char)(core[n] == '-' ? '_' : toupper((unsigned char)core[n]));
    name[n] = '\0';
    return name;
}

static enum armpmu_status print_program(const struct calibrate_options *o, FILE *out,
                                        struct armpmu_error *err)
{
    const struct armpmu_core *const found = armpmu_core_find(o->core);
    const struct core_descriptor *const core = found != NULL ? core_descriptor_of(found) : NULL;

    char name[32];

    if (core == NULL || core->measured == NULL)
        return unknown_core(o->core, err);
    fprintf(out,
            "/* Build it, run it on the board while nothing else runs there:\n"
            " *\n"
            " *     %s -O2 -static calibrate.c -o calibrate\n"
            " *     ./calibrate > board.txt\n"
            " *\n"
            " * and make a machine file of what it printed:\n"
            " *\n"
            " *     armpmu calibrate --read=board.txt --name=my-board -o my-board.ini\n"
            " */\n"
            "#define CORE \"%s\"\n"
            "#define CORE_%s 1\n\n",
            core->emulator.compiler, core->name, macro_name(core->name, name, sizeof name));
    fwrite(calibrate_program, 1, sizeof calibrate_program, out);
    return ARMPMU_OK;
}

/* ---- the machine file ---- */

static enum armpmu_status read_file(const char *path, struct measurements *measured,
                                    struct armpmu_error *err)
{
    const struct file_source source = {path, "name a file with the program's output", 0};
    FILE *file;

    if (strcmp(path, "-") == 0)
        return measurements_read(stdin, "standard input", measured, err);
    enum armpmu_status status = read_file_start(&source, &file, err);
    if (status != ARMPMU_OK)
        return status;
    status = measurements_read(file, path, measured, err);
    fclose(file);
    return status;
}

/* The base, or the machine that the core's descriptor names. */
static enum armpmu_status load_base(const struct calibrate_options *o,
                                    const struct measurements *measured, const char **name,
                                    struct armpmu_machine **base, struct armpmu_error *err)
{
    const struct armpmu_core *const core = armpmu_core_find(measured->core);

    if (core == NULL)
        return fail(err, ARMPMU_BAD_INPUT, "%s: '%s' is not a core; 'armpmu list core' shows them",
                    o->read, measured->core);
    *name = o->base != NULL ? o->base : core_descriptor_of(core)->machine;
    const enum armpmu_status status = machine_choice_load(*name, NULL, base, err);
    if (status != ARMPMU_OK || armpmu_machine_core(*base) == core)
        return status;
    return fail(err, ARMPMU_BAD_CONFIG,
                "--base %s is a %s, %s was measured on a %s; name a machine with that core", *name,
                armpmu_machine_core(*base)->name, o->read, core->name);
}

/* A stream on a text of a fixed size, which needs no memory but for itself: no request that fails
 * leaves out a part. */
static FILE *open_text(char *text, size_t size, const char *mode, struct armpmu_error *err)
{
    FILE *const stream = fmemopen(text, size, mode);

    if (stream == NULL)
        (void)fail(err, ARMPMU_NO_MEMORY, "calibrate: out of memory");
    else
        setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

/* The new machine can be loaded, from where the file will be. */
static enum armpmu_status check_machine(char *text, const struct calibrate_options *o,
                                        struct armpmu_error *err)
{
    const char *const path = o->table.output != NULL ? o->table.output : "calibrate";
    struct armpmu_machine *machine = NULL;
    char *const search = machine_choice_search();

    if (search == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "calibrate: out of memory");
    FILE *const file = open_text(text, strlen(text), "r", err);
    const enum armpmu_status status =
        file != NULL ? machine_read(file, path, search, &machine, err) : ARMPMU_NO_MEMORY;
    armpmu_machine_free(machine);
    if (file != NULL)
        fclose(file);
    free(search);
    return status;
}

static enum armpmu_status write_machine(struct machine_writer *writer,
                                        const struct calibrate_options *o, FILE *out,
                                        struct armpmu_error *err)
{
    static char text[MACHINE_BYTES];

    writer->stream = open_text(text, sizeof text, "w", err);
    if (writer->stream == NULL)
        return ARMPMU_NO_MEMORY;
    const unsigned found = machine_write(writer);
    if (fclose(writer->stream) != 0)
        return fail(err, ARMPMU_NO_MEMORY, "calibrate: out of memory");
    if (found == 0)
        return fail(err, ARMPMU_BAD_INPUT, "%s: it determines no key of a machine file", o->read);
    const enum armpmu_status status = check_machine(text, o, err);
    if (status == ARMPMU_OK)
        fputs(text, out);
    return status;
}

static enum armpmu_status make_machine(const struct calibrate_options *o, FILE *out,
                                       struct armpmu_error *err)
{
    struct measurements measured = {.n = 0};
    struct armpmu_machine *base = NULL;
    struct machine_writer writer = {
        .measured = &measured, .path = o->read, .name = o->name, .note = print_error};
    enum armpmu_status status = read_file(o->read, &measured, err);

    if (status == ARMPMU_OK)
        status = load_base(o, &measured, &writer.base_name, &base, err);
    writer.base = base;
    if (status == ARMPMU_OK)
        status = write_machine(&writer, o, out, err);
    armpmu_machine_free(base);
    measurements_free(&measured);
    return status;
}

/* ---- the command ---- */

static void print_cores(FILE *out)
{
    char cores[128];
    fprintf(out, "Cores that the program measures\n      %s\n", known_cores(cores, sizeof cores));
}

/* The words ask for a program, a machine file or a comparison: returns what is wrong with them. */
static const char *wrong_words(const struct calibrate_options *o)
{
    const bool is_compared = o->compare.is_asked_for;

    if ((o->core != NULL) + (o->read != NULL) + is_compared != 1)
        return "one of --core, which prints the program, --read, which takes what it printed, and "
               "--compare";
    if (o->read == NULL && (o->name != NULL || o->base != NULL))
        return "--name and --base belong to --read";
    if (!is_compared && (o->table.chosen_by[0] != '\0' || o->compare.run.machine != NULL ||
                         o->compare.events.n != 0))
        return "formats, --machine and -e belong to --compare";
    if (o->read != NULL && o->name == NULL)
        return "--name is missing";
    if (o->read != NULL && strlen(o->name) > NAME_MOST)
        return "--name is longer than 63 characters";
    if (o->base != NULL && machine_is_file(o->base))
        return "--base is the name of a machine, not a file";
    return NULL;
}

static enum armpmu_status check_options(const struct calibrate_options *o, char *const *operands,
                                        struct armpmu_error *err)
{
    const char *const wrong = wrong_words(o);

    if (operands[0] != NULL && !o->compare.is_asked_for)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "calibrate: '%.60s': files are named with --read and -o; see 'armpmu help "
                    "calibrate'",
                    operands[0]);
    return wrong == NULL
               ? ARMPMU_OK
               : fail(err, ARMPMU_BAD_CONFIG, "calibrate: %s; see 'armpmu help calibrate'", wrong);
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct calibrate_options *const o = options;
    enum armpmu_status status = check_options(o, operands, err);

    if (status == ARMPMU_OK && o->compare.is_asked_for)
        return silicon_compare(&o->compare, &o->table, operands, out, err);
    if (status == ARMPMU_OK)
        status = o->core != NULL ? print_program(o, out, err) : make_machine(o, out, err);
    return command_exit(status);
}

const struct command command_calibrate = {
    .name = "calibrate",
    .summary = "measure a board and write a machine file for it, or compare its counts",
    .synopsis = "calibrate --core CORE [-o FILE]\n"
                "calibrate --read FILE --name NAME [--base NAME] [-o FILE]\n"
                "calibrate --compare[=FILE] [OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .text = "With --core, prints a C program that measures the board on which it runs:\n"
            "latencies, caches, TLBs, branches. With --read, makes a machine file from the\n"
            "program's output: a base and the measured keys. Keys that could not be measured\n"
            "keep the base's values; standard error says why. With --compare, prints what\n"
            "perf counted of a program on a board beside what is counted here.\n",
    .options = rows,
    .print_table = print_cores,
    .notes = "For example:\n"
             "  armpmu calibrate --core cortex-a8 -o calibrate.c\n"
             "  arm-linux-gnueabihf-gcc -O2 -static calibrate.c -o calibrate\n"
             "  ssh board ./calibrate > board.txt\n"
             "  armpmu calibrate --read board.txt --name my-board -o my-board.ini\n"
             "  armpmu stat --machine ./my-board.ini -- ./program\n"
             "  armpmu calibrate --compare --format=md -o issue.md -- ./program\n",
    .operands = COMPLETE_PROGRAM,
    .runs_program = true,
    .ends = ENDS_AS_PROGRAM,
    COMMAND_REPORT(struct calibrate_options, table),
    .run = run,
};
