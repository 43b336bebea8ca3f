/* armpmu list: events, machines and everything else that a user can choose. */
#include "base/array.h"
#include "cli/catalog/list.h"
#include "cli/catalog/regs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/machine_choice.h"
#include "cli/metric_list.h"
#include "cli/options.h"
#include "cli/suggest.h"

/* A kind of things: the words for it, of which messages have the first, and what differs. */
struct list_kind {
    const char *words[5];
    const struct table_form *form;
    list_put_fn put;
    list_print_fn print; /* -v */
    bool is_of_core;
    bool (*collect)(const struct list_kind *kind, struct list *list);
    size_t items, n_items, bytes; /* collect_items: members of the core, and of what size each is */
    size_t names[2];              /* members of the thing, the same one twice where it has one */
    bool (*matches)(const void *thing, const char *glob); /* NULL: by its names */
    void (*offer)(struct suggest *s, const void *thing);  /* NULL: its names */
};

struct list_options {
    const struct list_kind *kind; /* NULL: none is named */
    struct table_options table;
    bool verbose, details;
    const char *core, *machine;
    char *const *globs; /* NULL-terminated */
};

static const struct option_row rows[] = {
    {'v', "verbose", NULL, "show definitions, signals and aliases; fields; values",
     OPTION_FLAG_TO(struct list_options, verbose)},
    {0, "details", NULL, "as -v, also reserved event numbers",
     OPTION_FLAG_TO(struct list_options, details)},
    {0, "core", "CORE", "cortex-a8, cortex-r4f, ... or a PMU name such as armv7_cortex_a8",
     OPTION_TEXT_TO(struct list_options, core), .completes = COMPLETE_CORE},
    {0, "machine", "NAME|FILE", "the core of this machine",
     OPTION_TEXT_TO(struct list_options, machine), .completes = COMPLETE_MACHINE},
    TABLE_ROWS_TO(struct list_options, table,
                  "text, csv, json, or md: the page of the core in docs/events"),
    {.kind = OPTION_END},
};

/* ---- collecting ---- */

static bool add(struct list *list, const void *thing)
{
    if (!ARRAY_RESERVE(list->things, list->room, list->n + 1))
        return print_error("out of memory");
    list->things[list->n++] = thing;
    return true;
}

static void machine_free(struct list_machine *listed)
{
    if (listed != NULL) {
        armpmu_machine_free(listed->machine);
        free((char *)(uintptr_t)listed->name);
    }
    free(listed);
}

static void list_free(struct list *list, bool has_machines)
{
    for (size_t i = 0; has_machines && i < list->n; i++)
        machine_free((struct list_machine *)(uintptr_t)list->things[i]);
    free(list->things);
}

static bool has_machine(const struct list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(((const struct list_machine *)list->things[i])->name, name) == 0)
            return true;
    return false;
}

/* Adds the machine of this name. One that cannot be read is complained about and left out. */
static bool add_machine(struct list *list, const char *name, const char *search)
{
    struct armpmu_error err;
    struct list_machine *const listed = calloc(1, sizeof *listed);

    if (listed == NULL || (listed->name = printable_copy(name)) == NULL) {
        print_error("out of memory");
        free(listed);
        return false;
    }
    if (armpmu_machine_load(name, search, &listed->machine, &err) != ARMPMU_OK) {
        print_error("%s", err.message);
        machine_free(listed);
        return false;
    }
    if (!add(list, listed)) {
        machine_free(listed);
        return false;
    }
    return true;
}

static int is_machine_file(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 4, ".ini") == 0;
}

/* By name without ".ini", so that a machine precedes its variants. */
static int by_name(const struct dirent **left, const struct dirent **right)
{
    const char *const a = (*left)->d_name, *const b = (*right)->d_name;
    const size_t a_length = strlen(a) - 4, b_length = strlen(b) - 4;
    const int order = strncmp(a, b, a_length < b_length ? a_length : b_length);

    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* A folder that is not there holds no machines. */
static bool collect_folder(struct list *list, const char *folder, const char *search)
{
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, is_machine_file, by_name);
    bool complete = n >= 0 || errno != ENOMEM;

    if (!complete)
        print_error("out of memory for the machines");
    for (int i = 0; i < n; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - 4] = '\0';
        if (!has_machine(list, entries[i]->d_name))
            complete &= add_machine(list, entries[i]->d_name, search);
        free(entries[i]);
    }
    free(entries);
    return complete;
}

static bool collect_machines(const struct list_kind *kind, struct list *list)
{
    char *const search = machine_choice_search();
    char *const folders = search != NULL ? strdup(search) : NULL;
    bool complete = folders != NULL;

    (void)kind;
    if (!complete)
        print_error("out of memory");
    for (char *rest = folders, *folder; rest != NULL && (folder = strsep(&rest, ":")) != NULL;)
        if (*folder != '\0')
            complete &= collect_folder(list, folder, search);
    for (size_t i = 0; complete && armpmu_machine_built_in(i) != NULL; i++)
        if (!has_machine(list, armpmu_machine_built_in(i)))
            complete &= add_machine(list, armpmu_machine_built_in(i), search);
    free(folders);
    free(search);
    return complete;
}

static bool collect_items(const struct list_kind *kind, struct list *list)
{
    const char *const core = (const char *)list->core;
    const char *const items = *(const char *const *)(core + kind->items);
    bool complete = true;

    for (size_t i = 0; i < *(const size_t *)(core + kind->n_items); i++)
        complete &= add(list, items + i * kind->bytes);
    return complete;
}

static bool collect_cores(const struct list_kind *kind, struct list *list)
{
    size_t n = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n);
    bool complete = true;

    (void)kind;
    for (size_t i = 0; i < n; i++)
        complete &= add(list, cores[i]);
    return complete;
}

static bool is_counted(const struct armpmu_core *core, enum armpmu_signal signal)
{
    for (size_t i = 0; i < core->n_events; i++)
        if (list_counts(&core->events[i], signal))
            return true;
    return false;
}

/* Only signals that the core's events count, which are worth posting to its monitor. */
#define COLLECT_WIRES(function, wire, count, is_of)                                                \
    static bool function(const struct list_kind *kind, struct list *list)                          \
    {                                                                                              \
        static struct list_wire wires[count];                                                      \
        bool complete = true;                                                                      \
        (void)kind;                                                                                \
        for (unsigned i = 0; i < (count); i++) {                                                   \
            const enum armpmu_##wire number = (enum armpmu_##wire)i;                               \
            wires[i] = (struct list_wire){armpmu_##wire##_name(number),                            \
                                          armpmu_##wire##_meaning(number), i};                     \
            if (is_of(list->core, number))                                                         \
                complete &= add(list, &wires[i]);                                                  \
        }                                                                                          \
        return complete;                                                                           \
    }
COLLECT_WIRES(collect_signals, signal, ARMPMU_SIGNAL_COUNT, is_counted)
COLLECT_WIRES(collect_pins, pin, ARMPMU_PIN_COUNT, armpmu_pin_is_of)
COLLECT_WIRES(collect_outputs, output, ARMPMU_OUTPUT_COUNT, armpmu_output_is_of)

/* ---- selecting ---- */

/* A reserved row has only numbers: a glob must look like one to mean it. */
static bool event_matches(const void *thing, const char *glob)
{
    const struct armpmu_event *const event = thing;
    const bool numeric = strncasecmp(glob, "0x", 2) == 0 || strncasecmp(glob, "r", 1) == 0;
    return (!list_is_reserved(event) || numeric) && armpmu_event_matches(event, glob);
}

static bool core_matches(const void *thing, const char *glob)
{
    const struct armpmu_core *const core = thing;

    return armpmu_glob_matches(glob, core->name) || armpmu_glob_matches(glob, core->pmu) ||
           armpmu_core_find(glob) == core;
}

static void offer_event(struct suggest *s, const void *thing)
{
    const struct armpmu_event *const event = thing;
    char alias[SUGGEST_WORD_MAX];

    if (event->name[0] != '\0')
        suggest_offer(s, event->name, event);
    for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++)
        for (size_t i = 0; armpmu_event_alias(event, naming, i, alias, sizeof alias) > 0; i++)
            suggest_offer(s, alias, event);
}

static bool metric_matches(const void *thing, const char *glob)
{
    return metric_list_matches(thing, glob);
}

static void offer_metric(struct suggest *s, const void *thing)
{
    metric_list_offer(s, thing);
}

#define SHOWN(kind, how_verbose)                                                                   \
    .form = &list_##kind##_form, .put = list_put_##kind, .print = list_print_##how_verbose
#define ITEMS(kind)                                                                                \
    .is_of_core = true, .collect = collect_items, .bytes = sizeof(struct armpmu_##kind),           \
    .items = offsetof(struct armpmu_core, kind##s),                                                \
    .n_items = offsetof(struct armpmu_core, n_##kind##s)
#define WIRES(kind)                                                                                \
    .is_of_core = true, .collect = collect_##kind##s, NAMES(struct list_wire, name, name)
#define NAMES(type, first, second) .names = {offsetof(type, first), offsetof(type, second)}

static const struct list_kind kinds[] = {
    {{"event", "events"},
     SHOWN(event, event),
     ITEMS(event),
     .matches = event_matches,
     .offer = offer_event},
    {{"register", "registers", "reg", "regs"},
     SHOWN(register, register),
     ITEMS(register),
     NAMES(struct armpmu_register, name, arch_name)},
    {{"metric", "metrics"},
     SHOWN(metric, metric),
     ITEMS(metric),
     .matches = metric_matches,
     .offer = offer_metric},
    {{"signal", "signals"}, SHOWN(signal, signal), WIRES(signal)},
    {{"pin", "pins"}, SHOWN(pin, wire), WIRES(pin)},
    {{"output", "outputs"}, SHOWN(output, wire), WIRES(output)},
    {{"machine", "machines"},
     SHOWN(machine, machine),
     .collect = collect_machines,
     NAMES(struct list_machine, name, name)},
    {{"core", "cores", "pmu", "pmus"},
     SHOWN(core, core),
     .collect = collect_cores,
     .matches = core_matches,
     NAMES(struct armpmu_core, name, pmu)},
};

static const char *name_of(const struct list_kind *kind, const void *thing, unsigned i)
{
    return *(const char *const *)((const char *)thing + kind->names[i]);
}

#define N_KINDS (sizeof kinds / sizeof *kinds)

static bool take_kind(struct list_options *o, const char *word)
{
    for (size_t kind = 0; kind < N_KINDS; kind++)
        for (size_t i = 0; kinds[kind].words[i] != NULL; i++)
            if (strcasecmp(word, kinds[kind].words[i]) == 0) {
                o->kind = &kinds[kind];
                return true;
            }
    return false;
}

static bool thing_matches(const struct list_kind *kind, const void *thing, const char *glob)
{
    if (kind->matches != NULL)
        return kind->matches(thing, glob);
    return armpmu_glob_matches(glob, name_of(kind, thing, 0)) ||
           armpmu_glob_matches(glob, name_of(kind, thing, 1));
}

static void offer(struct suggest *s, const struct list_kind *kind, const void *thing)
{
    if (kind->offer != NULL)
        kind->offer(s, thing);
    for (unsigned i = 0; kind->offer == NULL && i < 2; i++)
        suggest_offer(s, name_of(kind, thing, i), thing);
}

static void print_unknown(const struct list *all, const struct list_kind *kind, const char *glob)
{
    const char *const word = kind->words[0];
    struct suggest s;
    char hint[256], where[64];

    suggest_begin(&s, glob);
    for (size_t i = 0; i < all->n; i++)
        offer(&s, kind, all->things[i]);
    suggest_sentence(&s, hint, sizeof hint);
    snprintf(where, sizeof where, "; 'armpmu list %s' lists them", word);
    print_error("'%.80s' is not the name of a%s %s%s", glob, word[0] == 'e' ? "n" : "", word,
                s.count > 0 ? hint : where);
}

static bool every_glob_matches(const struct list *all, const struct list_options *o)
{
    bool every = true;

    for (char *const *glob = o->globs; *glob != NULL; glob++) {
        size_t i = 0;
        while (i < all->n && !thing_matches(o->kind, all->things[i], *glob))
            i++;
        if (i == all->n) {
            print_unknown(all, o->kind, *glob);
            every = false;
        }
    }
    return every;
}

static bool is_wanted(const struct list_options *o, const void *thing)
{
    for (char *const *glob = o->globs; *glob != NULL; glob++)
        if (thing_matches(o->kind, thing, *glob))
            return true;
    if (o->globs[0] != NULL)
        return false;
    return o->kind != &kinds[0] || o->details || !list_is_reserved(thing);
}

/* ---- printing ---- */

static bool print(const struct list *all, const struct list_options *o, FILE *out,
                  struct armpmu_error *err)
{
    const bool in_paragraphs = (o->verbose || o->details) && o->table.format == TABLE_TEXT;
    struct report_table table;

    table_begin(&table, &o->table, o->kind->form, out);
    for (size_t i = 0; i < all->n; i++) {
        if (!is_wanted(o, all->things[i]))
            continue;
        if (in_paragraphs) {
            o->kind->print(all, all->things[i], out);
            continue;
        }
        table_row(&table);
        o->kind->put(&table, all, all->things[i]);
    }
    return table_end(&table, err) == ARMPMU_OK;
}

/* The core asked for by name, or that of the machine that would run. */
static const struct armpmu_core *choose_core(const struct list_options *o)
{
    if (o->core == NULL)
        return machine_choice_core(o->machine);
    const struct armpmu_core *const core = armpmu_core_find(o->core);
    if (core == NULL)
        print_error("--core '%.40s': no such core; 'armpmu list core' lists them", o->core);
    return core;
}

static int print_list(const struct list_options *o, FILE *out, struct armpmu_error *err)
{
    struct list all = {.color = table_options_color(&o->table)};

    if (o->kind->is_of_core && (all.core = choose_core(o)) == NULL)
        return EXIT_ARMPMU;
    bool complete = o->kind->collect(o->kind, &all);
    complete = every_glob_matches(&all, o) && print(&all, o, out, err) && complete;
    list_free(&all, o->kind->collect == collect_machines);
    return complete ? 0 : EXIT_ARMPMU;
}

static int print_page(const struct list_options *o, FILE *out)
{
    if (o->kind != NULL || o->globs[0] != NULL)
        return GIVE_UP("--format md prints the whole page of a core: leave out '%.40s'",
                       o->kind != NULL ? o->kind->words[0] : o->globs[0]);
    const struct armpmu_core *const core = choose_core(o);
    if (core == NULL)
        return EXIT_ARMPMU;
    list_print_page(core, out);
    return 0;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct list_options *const o = options;

    o->globs = operands;
    if (operands[0] != NULL && take_kind(o, operands[0]))
        o->globs++;
    if (o->table.format == TABLE_MD)
        return print_page(o, out);
    if (o->kind == NULL)
        o->kind = &kinds[0];
    return print_list(o, out, err);
}

static const char *const words[] = {"event",  "reg",     "metric", "signal", "pin",
                                    "output", "machine", "core",   NULL};

const struct command command_list = {
    .name = "list",
    .summary = "show events, registers, metrics, signals and pins, machines and cores",
    .synopsis = "list [WHAT] [GLOB...] [-v] [--details] [-x SEP | -j] [-o FILE] [--core CORE]",
    .text =
        "Lists events, machines and more. WHAT is\n"
        "  event      events of a core (default)\n"
        "  reg        registers of its PMU\n"
        "  metric     figures derived from events\n"
        "  signal     signals that its events count, to be posted to libarmpmu\n"
        "  pin        input pins of its PMU\n"
        "  output     output lines of its PMU\n"
        "  machine    machines: cores with their geometry and latencies\n"
        "  core, pmu  cores\n"
        "GLOB selects by name, by the name another tool uses, or by number: 'L1D*', cache-misses, "
        "0x03, "
        "r03.\n",
    .options = rows,
    .operands = COMPLETE_EVENT,
    .words = words,
    COMMAND_REPORT(struct list_options, table),
    .run = run,
};
