/* Looking things up in the tables of all cores. */
#include "armpmu/catalog.h"

#include "catalog/cores.h"
#include "catalog/names.h"

static const struct armpmu_core *const cores[] = {
#define CORE(name, id, ...) &catalog_core_##id,
#include "catalog/cores.def"
#undef CORE
};

#define N_CORES (sizeof cores / sizeof cores[0])

static const char *const signal_names[] = {
#define SIGNAL(id, unit, meaning) #id,
#include "armpmu/signal.def"
#undef SIGNAL
};

static const char *const signal_meanings[] = {
#define SIGNAL(id, unit, meaning) meaning,
#include "armpmu/signal.def"
#undef SIGNAL
};

const char *armpmu_signal_name(enum armpmu_signal signal)
{
    return signal < ARMPMU_SIGNAL_COUNT ? signal_names[signal] : "";
}

const char *armpmu_signal_meaning(enum armpmu_signal signal)
{
    return signal < ARMPMU_SIGNAL_COUNT ? signal_meanings[signal] : "";
}

const char *armpmu_unit_name(enum armpmu_unit unit)
{
    static const char *const texts[] = {
        [ARMPMU_UNIT_OCCURRENCES] = "occurrences", [ARMPMU_UNIT_INSTRUCTIONS] = "instructions",
        [ARMPMU_UNIT_OPERATIONS] = "operations",   [ARMPMU_UNIT_CYCLES] = "cycles",
        [ARMPMU_UNIT_TRANSFERS] = "transfers",
    };

    return TEXT_BY(texts, unit);
}

const char *armpmu_fidelity_name(enum armpmu_fidelity fidelity)
{
    static const char *const texts[] = {
        [ARMPMU_EXACT] = "exact",
        [ARMPMU_MODELLED] = "modelled",
        [ARMPMU_INPUT] = "input",
        [ARMPMU_RESERVED] = "reserved",
    };

    return TEXT_BY(texts, fidelity);
}

const char *armpmu_naming_name(enum armpmu_naming naming)
{
    static const char *const texts[] = {
        [ARMPMU_NAMING_LINUX] = "linux",     [ARMPMU_NAMING_LIBPFM4] = "libpfm4",
        [ARMPMU_NAMING_PAPI] = "papi",       [ARMPMU_NAMING_GATOR] = "gator",
        [ARMPMU_NAMING_OTHER] = "customary",
    };

    return TEXT_BY(texts, naming);
}

const struct armpmu_core *const *armpmu_cores(size_t *count)
{
    *count = N_CORES;
    return cores;
}

static bool core_is_called(const struct armpmu_core *core, const char *name)
{
    if (catalog_names_equal(name, core->name) || catalog_names_equal(name, core->pmu))
        return true;
    for (size_t i = 0; core->pmu_aliases[i] != NULL; i++)
        if (catalog_names_equal(name, core->pmu_aliases[i]))
            return true;
    return false;
}

const struct armpmu_core *armpmu_core_find(const char *name)
{
    for (size_t i = 0; i < N_CORES; i++)
        if (core_is_called(cores[i], name))
            return cores[i];
    return NULL;
}

const struct armpmu_event *armpmu_event_by_number(const struct armpmu_core *core, unsigned number)
{
    size_t low = 0, high = core->n_events;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct armpmu_event *const event = &core->events[middle];
        if (number < event->first)
            high = middle;
        else if (number > event->last)
            low = middle + 1;
        else
            return event;
    }
    return NULL;
}

/* One alias after the other: *next is where the coming one starts, NULL after the last. */
static const char *alias_step(const char **next, size_t *length)
{
    const char *const start = *next;

    *length = 0;
    while (start[*length] != '\0' && start[*length] != '|')
        ++*length;
    *next = start[*length] == '|' ? start + *length + 1 : NULL;
    return start;
}

static size_t copy_name(const char *start, size_t length, char *name, size_t size)
{
    if (size > 0) {
        const size_t copied = length < size ? length : size - 1;
        for (size_t i = 0; i < copied; i++)
            name[i] = start[i];
        name[copied] = '\0';
    }
    return length;
}

size_t armpmu_event_alias(const struct armpmu_event *event, enum armpmu_naming naming, size_t index,
                          char *name, size_t size)
{
    const char *next = event->aliases[naming];

    for (size_t i = 0; next != NULL; i++) {
        size_t length = 0;
        const char *const alias = alias_step(&next, &length);
        if (i == index)
            return copy_name(alias, length, name, size);
    }
    return copy_name("", 0, name, size);
}

static bool has_name(const struct armpmu_event *event, const char *name)
{
    return event->name[0] != '\0' && catalog_names_equal(name, event->name);
}

static bool has_alias(const struct armpmu_event *event, const char *name)
{
    for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++) {
        const char *next = event->aliases[naming];
        while (next != NULL) {
            size_t length = 0;
            const char *const alias = alias_step(&next, &length);
            if (catalog_name_equals(name, alias, length))
                return true;
        }
    }
    return false;
}

static const struct armpmu_event *find_event(const struct armpmu_core *core, const char *name,
                                             bool (*is)(const struct armpmu_event *, const char *))
{
    for (size_t i = 0; i < core->n_events; i++)
        if (core->events[i].fidelity != ARMPMU_RESERVED && is(&core->events[i], name))
            return &core->events[i];
    return NULL;
}

/* First all names, which are quicker to read. */
const struct armpmu_event *armpmu_event_by_name(const struct armpmu_core *core, const char *name)
{
    const struct armpmu_event *const named = find_event(core, name, has_name);

    return named != NULL ? named : find_event(core, name, has_alias);
}

/* "0x03" and "r03", with this many digits; without a formatted print: the library needs no standard
 * I/O. */
static bool digits_match(unsigned number, unsigned digits, const char *glob)
{
    char hex[] = "0x0000";

    for (unsigned i = 0; i < digits; i++)
        hex[2 + i] = "0123456789abcdef"[number >> (digits - 1 - i) * 4 & 15];
    hex[2 + digits] = '\0';
    if (armpmu_glob_matches(glob, hex))
        return true;
    hex[1] = 'r';
    return armpmu_glob_matches(glob, hex + 1);
}

/* Two digits where they are enough, or four as the architecture writes them. */
static bool number_matches(unsigned number, const char *glob)
{
    return (number <= 0xff && digits_match(number, 2, glob)) || digits_match(number, 4, glob);
}

static bool names_match(const struct armpmu_event *event, const char *glob)
{
    char alias[80];

    if (event->name[0] != '\0' && armpmu_glob_matches(glob, event->name))
        return true;
    for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++)
        for (size_t i = 0; armpmu_event_alias(event, naming, i, alias, sizeof alias) > 0; i++)
            if (armpmu_glob_matches(glob, alias))
                return true;
    return false;
}

bool armpmu_event_matches(const struct armpmu_event *event, const char *glob)
{
    for (unsigned number = event->first; number <= event->last; number++)
        if (number_matches(number, glob))
            return true;
    /* A name may itself hold glob characters: "PMUEXTIN[0]". */
    return has_name(event, glob) || has_alias(event, glob) || names_match(event, glob);
}

uint64_t armpmu_event_count(const struct armpmu_event *event, const uint64_t *signals)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < event->n_signals; i++)
        count += signals[event->signals[i]];
    return count;
}
