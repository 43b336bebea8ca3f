/* The result of `armpmu list`, ready to print, and the ways to print it. */
#ifndef CLI_REPORT_LIST_H
#define CLI_REPORT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "armpmu/catalog.h"
#include "armpmu/machine.h"
#include "armpmu/pmu.h"

enum list_what {
    LIST_EVENT,
    LIST_REGISTER,
    LIST_METRIC,
    LIST_SIGNAL,
    LIST_PIN,
    LIST_OUTPUT,
    LIST_MACHINE,
    LIST_CORE,
};

struct list_machine {
    char *name; /* as --machine takes it: the file's name without ".ini" */
    struct armpmu_machine *machine;
};

/* Things of one kind, in the order of their table: struct armpmu_event, armpmu_register,
 * armpmu_metric, list_machine, armpmu_core, or an unsigned, enum armpmu_signal, armpmu_pin or
 * armpmu_output, as `what` says. */
struct list {
    enum list_what what;
    const struct armpmu_core *core; /* of all but machines and cores */
    bool verbose, color;
    const void **things;
    size_t n, room;
};

void list_print_text(const struct list *list, FILE *stream);

/* One array, an object for each thing. Returns false without memory or when the stream fails. */
bool list_print_json(const struct list *list, FILE *stream);

/* The page of a core: all its events and metrics. */
void list_print_page(const struct armpmu_core *core, FILE *stream);

/* The meaning in brief: its first clause, up to ';' or ':'. Returns its length. */
int list_brief(const char *meaning);

/* "100 * L1D_CACHE_REFILL / L1D_CACHE"; at most size bytes, terminated. */
void list_formula(const struct armpmu_core *core, const struct armpmu_metric *metric, char *text,
                  size_t size);

/* Whether the event counts the signal. */
bool list_counts(const struct armpmu_event *event, enum armpmu_signal signal);

/* Of LIST_SIGNAL, LIST_PIN and LIST_OUTPUT: how many there are of all cores, whether the core has
 * it, and what it is. */
unsigned list_wire_count(enum list_what what);
bool list_wire_is_of(const struct armpmu_core *core, enum list_what what, unsigned wire);
const char *list_wire_name(enum list_what what, unsigned wire);
const char *list_wire_meaning(enum list_what what, unsigned wire);

/* Whether the core has a counter for nothing but cycles, besides its event counters. */
bool list_has_cycle_counter(const struct armpmu_core *core);

/* All aliases of a naming, ", " between them; "" for none. At most size bytes, terminated. */
void list_aliases(const struct armpmu_event *event, enum armpmu_naming naming, char *text,
                  size_t size);

/* How far its counts can be trusted, and where there are none. */
const char *list_fidelity(const struct armpmu_event *event);

/* "0x03", or "0x13-0x3f" for a reserved range; at most size bytes, terminated. */
void list_number(const struct armpmu_event *event, char *text, size_t size);

#endif
