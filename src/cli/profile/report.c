/* armpmu report: where the events of a recorded program happened. */
#include <unistd.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/pager.h"
#include "cli/profile/c2c_report.h"
#include "cli/profile/memory_report.h"
#include "cli/profile/profile_input.h"
#include "cli/profile/profile_table.h"

#define TREE_PERCENT 0.5

struct sort_keys {
    struct profile_keys keys;
    bool is_given;
    const char *memory; /* the list where only accesses have a key of it, or --mem goes before */
};

struct report_options {
    struct profile_options input;
    struct sort_keys sort;
    double limit; /* below 0: not given */
    bool has_inclusive, has_callers, is_tree, has_inlines, by_access, by_data, by_member, by_line;
    bool is_stdio; /* changes nothing */
    struct table_options table;
};

static enum armpmu_status set_keys(void *member, const char *option, const char *value,
                                   struct armpmu_error *err)
{
    struct sort_keys *const keys = member;

    (void)option;
    keys->is_given = true;
    keys->memory = value;
    if (memory_keys_wanted(value))
        return ARMPMU_OK;
    return profile_keys_parse(value, &keys->keys, err);
}

static const struct option_row rows[] = {
    {.help = "What to show", .kind = OPTION_HEADING},
    PROFILE_OPTION_ROWS(struct report_options, input),
    PROFILE_METRICS_ROW(struct report_options, input),
    PROFILE_TOPDOWN_ROW(struct report_options, input, "line"),
    {'s', "sort", "KEYS",
     "sort keys: symbol, object, line, insn, thread, separated by ','; default symbol,object; for "
     "data accesses also mem, tlb, latency, symbol_daddr, type, typeoff",
     OPTION_CALL_TO(struct report_options, sort, set_keys)},
    {0, "mem", NULL,
     "data accesses of record --mem, by the source of their data; default keys mem,symbol",
     OPTION_FLAG_TO(struct report_options, by_access)},
    {0, "by-data", NULL,
     "the same, by data: variables, heap blocks by the call that allocated them, stack frames; "
     "keys "
     "symbol_daddr",
     OPTION_FLAG_TO(struct report_options, by_data)},
    {0, "members", NULL,
     "the same, by member of a structure where debug data has the type; keys symbol_daddr,typeoff",
     OPTION_FLAG_TO(struct report_options, by_member)},
    {0, "c2c", NULL,
     "cache lines that cores take from each other, with the users of their bytes; shows false "
     "sharing",
     OPTION_FLAG_TO(struct report_options, by_line)},
    {0, "children", NULL, "also inclusive counts: the function and everything that it calls",
     OPTION_FLAG_TO(struct report_options, has_inclusive), .negated = true},
    {'g', "call-graph", NULL, "callers below each line, by the first event",
     OPTION_FLAG_TO(struct report_options, has_callers)},
    {'G', "call-tree", NULL, "call tree from the outermost functions down, with inclusive counts",
     OPTION_FLAG_TO(struct report_options, is_tree)},
    {0, "inline", NULL, "with -g and -G: inlined functions are callers, too; the default",
     OPTION_FLAG_TO(struct report_options, has_inlines), .negated = true},
    {0, "percent-limit", "PCT",
     "leave out lines below this percentage of the first event; default 0, with -G 0.5",
     OPTION_CALL_TO(struct report_options, limit, profile_set_limit)},
    {.help = "Output", .kind = OPTION_HEADING},
    TABLE_ROWS_TO(struct report_options, table, "text, csv, json or md"),
    {0, "stdio", NULL, "no effect: there is no other interface",
     OPTION_FLAG_TO(struct report_options, is_stdio)},
    TABLE_PAGER_ROW(struct report_options, table),
    {.kind = OPTION_END},
};

/* The keys of a report of accesses; NULL: it is one of events. */
static const char *memory_keys_of(const struct report_options *o)
{
    if (o->sort.is_given &&
        (o->by_access || o->by_data || o->by_member || memory_keys_wanted(o->sort.memory)))
        return o->sort.memory;
    return o->by_member   ? "symbol_daddr,typeoff"
           : o->by_data   ? "symbol_daddr"
           : o->by_access ? "mem,symbol"
                          : NULL;
}

static enum armpmu_status check(const struct report_options *o, char *const *operands,
                                struct armpmu_error *err)
{
    if (operands[0] != NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "report: '%.60s': a profile is named with -i; see 'armpmu help report'",
                    operands[0]);
    const bool is_flat = o->table.format == TABLE_CSV || o->table.format == TABLE_MD;
    if (o->by_line && (o->sort.is_given || memory_keys_of(o) != NULL))
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "report: --c2c has keys of its own; leave -s, --mem, --by-data and --members out");
    if ((o->by_line || memory_keys_of(o) != NULL) &&
        (o->has_callers || o->is_tree || o->has_inclusive || o->input.topdown ||
         o->input.events != NULL || o->input.metrics.n != 0))
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "report: -e, -g, -G, --children, -M and --topdown do not apply to data accesses; "
            "leave them out");
    if ((o->has_callers || o->is_tree) && is_flat)
        return fail(err, ARMPMU_BAD_CONFIG, "-%c is not available in %s; use -j",
                    o->is_tree ? 'G' : 'g',
                    o->table.format == TABLE_CSV ? "separated values" : "a table of Markdown");
    if (o->input.topdown && is_flat)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--topdown: separated values and Markdown have its "
                    "columns with -e cycles,'TOPDOWN_*'");
    if (o->is_tree && (o->has_callers || o->sort.is_given))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "-G is a tree of functions: leave -g and -s out, or -G");
    return ARMPMU_OK;
}

/* A profile without call paths would show inclusive counts that are not. */
static enum armpmu_status check_paths(const struct report_options *o, const struct profile *p,
                                      struct armpmu_error *err)
{
    if (p->setup.has_paths || (!o->has_callers && !o->has_inclusive && !o->is_tree))
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_INPUT, "%s: the profile has no call paths; record with -g",
                o->is_tree       ? "-G"
                : o->has_callers ? "-g"
                                 : "--children");
}

static enum armpmu_status make(const struct report_options *o, const struct profile_input *input,
                               struct profile_table *table, struct armpmu_error *err)
{
    *table = (struct profile_table){.profile = input->profile,
                                    .events = &input->events,
                                    .keys = o->sort.keys,
                                    .has_inlines = o->has_inlines,
                                    .has_inclusive = o->has_inclusive};
    if (o->is_tree)
        return profile_tree_make(table, o->limit < 0 ? TREE_PERCENT : o->limit, err);
    return profile_table_make(table, o->limit < 0 ? 0 : o->limit, err);
}

static enum armpmu_status print(const struct report_options *o, const struct profile_input *input,
                                FILE *stream, struct armpmu_error *err)
{
    const struct profile_print how = {
        .table = &o->table,
        .metrics = &input->metrics,
        .columns = o->table.output != NULL ? 0 : pager_columns(STDOUT_FILENO),
        .has_callers = o->has_callers,
        .has_topdown = o->input.topdown,
        .chose_events = o->input.events == NULL,
        .color = table_options_color(&o->table),
    };
    struct profile_table table;
    struct memory_keys keys = {.limit = o->limit};

    if (o->by_line)
        return c2c_report(input->profile, o->limit, &o->table, stream, err);
    if (memory_keys_of(o) != NULL) {
        const enum armpmu_status parsed = memory_keys_parse(memory_keys_of(o), &keys, err);
        return parsed == ARMPMU_OK ? memory_report(input->profile, &keys, &o->table, stream, err)
                                   : parsed;
    }
    enum armpmu_status status = make(o, input, &table, err);

    if (status == ARMPMU_OK)
        status = (o->table.format == TABLE_TEXT ? profile_print_text
                                                : profile_print_rows)(&table, &how, stream, err);
    profile_table_free(&table);
    return status;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct report_options *const o = options;
    struct profile_input input;
    enum armpmu_status status = check(o, operands, err);

    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    status = profile_input_open(&input, &o->input, true, err);
    if (status == ARMPMU_OK)
        status = check_paths(o, input.profile, err);
    if (status == ARMPMU_OK && o->table.format != TABLE_TEXT) /* text says so itself */
        profile_warn_of_paths(input.profile);
    if (status == ARMPMU_OK)
        status = print(o, &input, out, err);
    profile_input_close(&input);
    return command_exit(status);
}

static const struct report_options defaults = {
    .sort = {{{KEY_SYMBOL, KEY_OBJECT}, 2}, false},
    .limit = -1,
    .has_inlines = true,
    .table = {.wants_pager = true},
};

const struct command command_report = {
    .name = "report",
    .summary = "show where the events of a recorded program happened",
    .synopsis = "report [-i FILE] [-e LIST] [-M LIST] [--topdown] [-s KEYS | -G] [-g] [--children] "
                "[-x SEP | "
                "-j] [-o FILE]",
    .text = "Summarizes a profile of 'armpmu record': a line for each function (or other keys,\n"
            "-s), with count and percentage of each event. The default events are cycles,\n"
            "instructions, cache misses and branch misses. Counts are exact, and the lines add\n"
            "up to the total.\n",
    .options = rows,
    .notes =
        "For example:\n"
        "  armpmu report -e L1D_CACHE_REFILL,cycles     functions that miss the data cache\n"
        "  armpmu report -s line --percent-limit 1      the lines that matter\n"
        "  armpmu report -G                             the call tree\n"
        "  armpmu report --topdown                      why each function is slow\n"
        "  armpmu report -g --children                  callers, with inclusive counts\n"
        "  armpmu report -s mem,symbol,symbol_daddr     after record --mem: what misses where\n"
        "  armpmu report --members                      which members of structures miss\n"
        "  armpmu report --c2c                          false sharing between threads\n"
        "'sqlite3 armpmu.data' answers other questions; docs/data.md has examples.\n",
    COMMAND_REPORT(struct report_options, table),
    .defaults = &defaults,
    .run = run,
};
