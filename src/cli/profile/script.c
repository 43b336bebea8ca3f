/* armpmu script: each count of a profile as a sample, in the form of perf script. */
#include <inttypes.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/profile/profile_input.h"
#include "cli/profile/profile_table.h"

#define CALLERS_MAX 127u /* as perf's --max-stack; a recursion of depth n had n * n lines */

struct script_options {
    struct profile_options input;
    bool has_callers;
    struct table_options table; /* only where it goes */
};

static const struct option_row rows[] = {
    PROFILE_OPTION_ROWS(struct script_options, input),
    {'g', "call-graph", NULL,
     "also callers, a line for each, at most 127, and an empty line after the sample",
     OPTION_FLAG_TO(struct script_options, has_callers)},
    {'o', "output", "FILE", "write to a file", OPTION_TEXT_TO(struct script_options, table.output),
     .completes = COMPLETE_FILE},
    TABLE_PAGER_ROW(struct script_options, table),
    {.kind = OPTION_END},
};

/* perf's readers take a name up to the first blank that a number follows. */
static void put_thread(const struct profile_thread *thread, FILE *out)
{
    printable_put(thread->name != NULL ? thread->name : "program", out);
    fprintf(out, " %" PRIu32 "/%" PRIu32 "     0.000000: ", thread->process, thread->thread);
}

/* "10484 list::sum(int)+0x4 (/opt/demo/prog)" */
static void put_place(const struct profile *p, uint32_t insn, FILE *out)
{
    fprintf(out, "%16" PRIx64 " ", p->insns[insn].address);
    profile_print_symbol(p, insn, out);
    fputs(" (", out);
    printable_put(profile_object_path(p, insn), out);
    fputs(")\n", out);
}

static void put_stack(const struct profile *p, const struct profile_row *row, FILE *out)
{
    uint32_t path = row->path;

    fputs("\n\t", out);
    put_place(p, row->insn, out);
    for (unsigned n = 1; n < CALLERS_MAX && p->paths[path].caller != PROFILE_NONE;
         n++, path = p->paths[path].parent) {
        fputc('\t', out);
        put_place(p, p->paths[path].caller, out);
    }
    fputc('\n', out);
}

static void put_sample(const struct script_options *o, const struct profile *p,
                       const struct profile_row *row, uint32_t event, FILE *out)
{
    const uint64_t n = profile_row_count(p, row, event);

    if (n == 0)
        return;
    put_thread(&p->threads[row->thread], out);
    fprintf(out, "%10" PRIu64 " ", n);
    printable_put(p->events[event].name, out);
    fputs(": ", out);
    if (o->has_callers)
        put_stack(p, row, out);
    else
        put_place(p, row->insn, out);
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    const struct script_options *const o = options;
    struct profile_input input;

    if (operands[0] != NULL)
        return GIVE_UP("script: '%.60s': a profile is named with -i; see 'armpmu help script'",
                       operands[0]);
    enum armpmu_status status = profile_input_open(&input, &o->input, false, err);
    if (status == ARMPMU_OK && o->has_callers && !input.profile->setup.has_paths)
        status = fail(err, ARMPMU_BAD_INPUT, "-g: the profile has no call paths; record with -g");
    if (status == ARMPMU_OK && o->has_callers)
        profile_warn_of_paths(input.profile);
    for (size_t i = 0; status == ARMPMU_OK && i < input.profile->n_rows; i++)
        for (size_t j = 0; j < input.events.n; j++)
            put_sample(o, input.profile, &input.profile->rows[i], input.events.events[j], out);
    profile_input_close(&input);
    return command_exit(status);
}

static const struct script_options defaults = {.table = {.wants_pager = true}};

const struct command command_script = {
    .name = "script",
    .summary = "print a profile's counts as samples, in the format of perf script",
    .synopsis = "script [-i FILE] [-e LIST] [-g] [-o FILE]",
    .text = "Prints a line for each event at each instruction, thread and call path:\n"
            "  NAME PROCESS/THREAD 0.000000: COUNT EVENT: ADDRESS SYMBOL+OFFSET (OBJECT)\n"
            "The count is the sample's weight, so the samples add up to the total. Samples have no "
            "time.\n",
    .options = rows,
    .notes = "With -g the output suits stackcollapse-perf.pl, speedscope and other readers of "
             "'perf script'.\n",
    COMMAND_REPORT(struct script_options, table),
    .defaults = &defaults,
    .run = run,
};
