/* armpmu list: what there is to count, and on what. */
#include "base/array.h"
#include "cli/report/list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/core_choice.h"
#include "cli/machine_choice.h"
#include "cli/options.h"
#include "cli/suggest.h"

struct list_options {
    enum list_what what;
    enum option_format format;
    enum option_color color;
    bool what_given, verbose, details;
    const char *core, *machine;
    char *const *globs; /* NULL-terminated */
};

static const struct option_row rows[] = {
    {'v', "verbose", NULL, "definitions, signals, aliases; fields; values",
     OPTION_FLAG_TO(struct list_options, verbose)},
    {0, "details", NULL, "as -v, and reserved event numbers too",
     OPTION_FLAG_TO(struct list_options, details)},
    {'j', "json", NULL, "one JSON array",
     OPTION_SET_TO(struct list_options, format, OPTION_FORMAT_JSON)},
    {0, "format", "FORMAT", "text, json, or md: the page of the core in docs/events",
     OPTION_CHOICE_TO(struct list_options, format, option_formats)},
    {0, "core", "CORE", "cortex-a8, cortex-r4f, ... or a PMU name such as armv7_cortex_a8",
     OPTION_TEXT_TO(struct list_options, core), .completes = COMPLETE_CORE},
    {0, "machine", "NAME|FILE", "the core of this machine",
     OPTION_TEXT_TO(struct list_options, machine), .completes = COMPLETE_MACHINE},
    OPTION_COLOR_ROW(struct list_options, color),
    {.kind = OPTION_END},
};

/* Words for each kind; the first is the one used in messages. */
static const struct {
    const char *words[5];
} kinds[] = {
    [LIST_EVENT] = {{"event", "events", NULL}},
    [LIST_REGISTER] = {{"register", "registers", "reg", "regs", NULL}},
    [LIST_METRIC] = {{"metric", "metrics", NULL}},
    [LIST_SIGNAL] = {{"signal", "signals", NULL}},
    [LIST_PIN] = {{"pin", "pins", NULL}},
    [LIST_OUTPUT] = {{"output", "outputs", NULL}},
    [LIST_MACHINE] = {{"machine", "machines", NULL}},
    [LIST_CORE] = {{"core", "cores", "pmu", "pmus", NULL}},
};

#define N_LIST_KINDS (sizeof kinds / sizeof kinds[0])

static bool take_kind(struct list_options *o, const char *word)
{
    for (size_t kind = 0; kind < N_LIST_KINDS; kind++)
        for (size_t i = 0; kinds[kind].words[i] != NULL; i++)
            if (strcasecmp(word, kinds[kind].words[i]) == 0) {
                o->what = (enum list_what)kind;
                o->what_given = true;
                return true;
            }
    return false;
}

/* ---- collecting ---- */

static bool add(struct list *list, const void *thing)
{
    if (!ARRAY_RESERVE(list->things, list->room, list->n + 1)) {
        print_error("out of memory");
        return false;
    }
    list->things[list->n++] = thing;
    return true;
}

static void machine_free(struct list_machine *listed)
{
    if (listed != NULL) {
        armpmu_machine_free(listed->machine);
        free(listed->name);
    }
    free(listed);
}

static void list_free(struct list *list)
{
    for (size_t i = 0; list->what == LIST_MACHINE && i < list->n; i++)
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

/* By name without ".ini", so that a machine stands before its variants. */
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

static bool collect_machines(struct list *list)
{
    char *const search = machine_choice_search();
    char *const folders = search != NULL ? strdup(search) : NULL;
    bool complete = folders != NULL;

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

/* Signals: those that the core's events count, which are worth posting to its monitor. */
static bool collect_wires(struct list *list)
{
    static unsigned wires[ARMPMU_SIGNAL_COUNT];
    bool complete = true;

    for (unsigned i = 0; i < list_wire_count(list->what); i++) {
        wires[i] = i;
        if (list_wire_is_of(list->core, list->what, i))
            complete &= add(list, &wires[i]);
    }
    return complete;
}

/* Everything of the kind. Returns false if something is missing, which has been complained about.
 */
static bool collect(struct list *list)
{
    size_t n_cores = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n_cores);
    bool complete = true;

    switch (list->what) {
    case LIST_EVENT:
        for (size_t i = 0; i < list->core->n_events; i++)
            complete &= add(list, &list->core->events[i]);
        break;
    case LIST_REGISTER:
        for (size_t i = 0; i < list->core->n_registers; i++)
            complete &= add(list, &list->core->registers[i]);
        break;
    case LIST_METRIC:
        for (size_t i = 0; i < list->core->n_metrics; i++)
            complete &= add(list, &list->core->metrics[i]);
        break;
    case LIST_SIGNAL:
    case LIST_PIN:
    case LIST_OUTPUT:
        complete = collect_wires(list);
        break;
    case LIST_MACHINE:
        complete = collect_machines(list);
        break;
    case LIST_CORE:
        for (size_t i = 0; i < n_cores; i++)
            complete &= add(list, cores[i]);
        break;
    }
    return complete;
}

/* ---- selecting ---- */

/* A reserved row has only numbers: a glob must look like one to mean it. */
static bool event_matches(const struct armpmu_event *event, const char *glob)
{
    const bool numeric = strncasecmp(glob, "0x", 2) == 0 || strncasecmp(glob, "r", 1) == 0;
    return (event->fidelity != ARMPMU_RESERVED || numeric) && armpmu_event_matches(event, glob);
}

static bool core_matches(const struct armpmu_core *core, const char *glob)
{
    return armpmu_glob_matches(glob, core->name) || armpmu_glob_matches(glob, core->pmu) ||
           armpmu_core_find(glob) == core;
}

static bool thing_matches(enum list_what what, const void *thing, const char *glob)
{
    const struct armpmu_register *const reg = thing;

    switch (what) {
    case LIST_EVENT:
        return event_matches(thing, glob);
    case LIST_REGISTER:
        return armpmu_glob_matches(glob, reg->name) || armpmu_glob_matches(glob, reg->arch_name);
    case LIST_METRIC:
        return armpmu_glob_matches(glob, ((const struct armpmu_metric *)thing)->name);
    case LIST_SIGNAL:
    case LIST_PIN:
    case LIST_OUTPUT:
        return armpmu_glob_matches(glob, list_wire_name(what, *(const unsigned *)thing));
    case LIST_MACHINE:
        return armpmu_glob_matches(glob, ((const struct list_machine *)thing)->name);
    case LIST_CORE:
        return core_matches(thing, glob);
    }
    return false;
}

static void offer_event(struct suggest *s, const struct armpmu_event *event)
{
    char alias[SUGGEST_WORD_MAX];

    if (event->name[0] != '\0')
        suggest_offer(s, event->name, event);
    for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++)
        for (size_t i = 0; armpmu_event_alias(event, naming, i, alias, sizeof alias) > 0; i++)
            suggest_offer(s, alias, event);
}

static void offer(struct suggest *s, enum list_what what, const void *thing)
{
    switch (what) {
    case LIST_EVENT:
        offer_event(s, thing);
        break;
    case LIST_REGISTER:
        suggest_offer(s, ((const struct armpmu_register *)thing)->name, thing);
        suggest_offer(s, ((const struct armpmu_register *)thing)->arch_name, thing);
        break;
    case LIST_METRIC:
        suggest_offer(s, ((const struct armpmu_metric *)thing)->name, thing);
        break;
    case LIST_SIGNAL:
    case LIST_PIN:
    case LIST_OUTPUT:
        suggest_offer(s, list_wire_name(what, *(const unsigned *)thing), thing);
        break;
    case LIST_MACHINE:
        suggest_offer(s, ((const struct list_machine *)thing)->name, thing);
        break;
    case LIST_CORE:
        suggest_offer(s, ((const struct armpmu_core *)thing)->name, thing);
        suggest_offer(s, ((const struct armpmu_core *)thing)->pmu, thing);
        break;
    }
}

static void print_unknown(const struct list *all, const char *glob)
{
    const char *const kind = kinds[all->what].words[0];
    struct suggest s;
    char hint[256], where[64];

    suggest_begin(&s, glob);
    for (size_t i = 0; i < all->n; i++)
        offer(&s, all->what, all->things[i]);
    suggest_sentence(&s, hint, sizeof hint);
    snprintf(where, sizeof where, "; 'armpmu list %s' shows those there are", kind);
    print_error("'%.80s' is not the name of a%s %s%s", glob, all->what == LIST_EVENT ? "n" : "",
                kind, s.count > 0 ? hint : where);
}

static bool every_glob_matches(const struct list *all, char *const *globs)
{
    bool every = true;

    for (; *globs != NULL; globs++) {
        size_t i = 0;
        while (i < all->n && !thing_matches(all->what, all->things[i], *globs))
            i++;
        if (i == all->n) {
            print_unknown(all, *globs);
            every = false;
        }
    }
    return every;
}

static bool is_wanted(const struct list_options *o, const void *thing)
{
    for (char *const *glob = o->globs; *glob != NULL; glob++)
        if (thing_matches(o->what, thing, *glob))
            return true;
    if (o->globs[0] != NULL)
        return false;
    return o->what != LIST_EVENT || o->details ||
           ((const struct armpmu_event *)thing)->fidelity != ARMPMU_RESERVED;
}

/* ---- printing ---- */

static bool print(const struct list *all, const struct list_options *o, FILE *out)
{
    struct list wanted = *all;
    bool complete = true;

    wanted.things = NULL;
    wanted.n = wanted.room = 0;
    for (size_t i = 0; i < all->n; i++)
        if (is_wanted(o, all->things[i]))
            complete &= add(&wanted, all->things[i]);
    if (o->format != OPTION_FORMAT_JSON) {
        list_print_text(&wanted, out);
    } else if (!list_print_json(&wanted, out)) {
        print_error("out of memory for the list");
        complete = false;
    }
    free(wanted.things);
    return complete;
}

/* The core asked for by name, or that of the machine that would run. */
static const struct armpmu_core *choose_core(const struct list_options *o)
{
    if (o->core == NULL)
        return core_choice_by_machine(o->machine);
    const struct armpmu_core *const core = armpmu_core_find(o->core);
    if (core == NULL)
        print_error("--core '%.40s': no such core; 'armpmu list core' shows those there are",
                    o->core);
    return core;
}

static int print_list(const struct list_options *o, FILE *out)
{
    const bool needs_core = o->what != LIST_MACHINE && o->what != LIST_CORE;
    const struct armpmu_core *const core = needs_core ? choose_core(o) : NULL;
    struct list all = {.what = o->what,
                       .core = core,
                       .verbose = o->verbose || o->details,
                       .color = option_wants_color(o->color, STDOUT_FILENO)};

    if (needs_core && core == NULL)
        return EXIT_ARMPMU;
    bool complete = collect(&all);
    if (every_glob_matches(&all, o->globs))
        complete &= print(&all, o, out);
    else
        complete = false;
    list_free(&all);
    return complete ? 0 : EXIT_ARMPMU;
}

static int print_page(const struct list_options *o, FILE *out)
{
    if (o->what_given || o->globs[0] != NULL) {
        print_error("--format md prints the whole page of a core: leave out '%.40s'",
                    o->what_given ? kinds[o->what].words[0] : o->globs[0]);
        return EXIT_ARMPMU;
    }
    const struct armpmu_core *const core = choose_core(o);
    if (core == NULL)
        return EXIT_ARMPMU;
    list_print_page(core, out);
    return 0;
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    struct list_options *const o = options;

    (void)err;
    o->globs = operands;
    if (operands[0] != NULL && take_kind(o, operands[0]))
        o->globs++;
    return o->format == OPTION_FORMAT_MD ? print_page(o, out) : print_list(o, out);
}

static const char *const words[] = {"event",  "reg",     "metric", "signal", "pin",
                                    "output", "machine", "core",   NULL};
static const struct list_options defaults = {.what = LIST_EVENT};

const struct command command_list = {
    .name = "list",
    .summary = "show events, registers, metrics, signals and pins, machines and cores",
    .synopsis = "list [WHAT] [GLOB...] [-v] [--details] [-j] [--core CORE]",
    .text =
        "What there is to count, and on what. WHAT is\n"
        "  event      events of a core (if nothing is said)\n"
        "  reg        registers of its PMU\n"
        "  metric     figures derived from events\n"
        "  signal     what its events count: for those who post it to libarmpmu\n"
        "  pin        what its PMU looks at\n"
        "  output     the lines that its PMU drives\n"
        "  machine    machines, which is cores with their geometry and latencies\n"
        "  core, pmu  cores\n"
        "GLOB selects by name, by the name another tool uses, or by number: 'L1D*', cache-misses, "
        "0x03, "
        "r03.\n",
    .options = rows,
    .operands = COMPLETE_EVENT,
    .words = words,
    .options_bytes = sizeof(struct list_options),
    .defaults = &defaults,
    .run = run,
};
