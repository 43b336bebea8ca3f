/* The parts of `armpmu list`: cells of a table, or with -v a paragraph for each thing. */
#ifndef CLI_CATALOG_LIST_H
#define CLI_CATALOG_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "armpmu/catalog.h"
#include "armpmu/machine.h"
#include "armpmu/pmu.h"
#include "cli/event_list.h"
#include "cli/table/table.h"

struct list_machine {
    const char *name; /* as --machine takes it: the file's name without ".ini" */
    struct armpmu_machine *machine;
};

/* A signal, pin or output of a core. */
struct list_wire {
    const char *name, *meaning;
    unsigned number; /* enum armpmu_signal, armpmu_pin or armpmu_output */
};

/* Things of one kind, in the order of their table: struct armpmu_event, armpmu_register,
 * armpmu_metric, list_wire, list_machine or armpmu_core. */
struct list {
    const struct armpmu_core *core; /* of all but machines and cores */
    bool color;
    const void **things;
    size_t n, room;
};

/* For each kind: the cells of a thing, and a paragraph of all about it. */
typedef void (*list_put_fn)(struct report_table *table, const struct list *list, const void *thing);
typedef void (*list_print_fn)(const struct list *list, const void *thing, FILE *stream);

extern const struct table_form list_event_form, list_metric_form, list_signal_form, list_pin_form,
    list_output_form, list_machine_form, list_core_form;
void list_put_event(struct report_table *table, const struct list *list, const void *thing);
void list_put_register(struct report_table *table, const struct list *list, const void *thing);
void list_put_metric(struct report_table *table, const struct list *list, const void *thing);
void list_put_signal(struct report_table *table, const struct list *list, const void *thing);
void list_put_pin(struct report_table *table, const struct list *list, const void *thing);
void list_put_output(struct report_table *table, const struct list *list, const void *thing);
void list_put_machine(struct report_table *table, const struct list *list, const void *thing);
void list_put_core(struct report_table *table, const struct list *list, const void *thing);

void list_print_event(const struct list *list, const void *thing, FILE *stream);
void list_print_register(const struct list *list, const void *thing, FILE *stream);
void list_print_metric(const struct list *list, const void *thing, FILE *stream);
void list_print_signal(const struct list *list, const void *thing, FILE *stream);
void list_print_wire(const struct list *list, const void *thing, FILE *stream);
void list_print_machine(const struct list *list, const void *thing, FILE *stream);
void list_print_core(const struct list *list, const void *thing, FILE *stream);

/* The page of a core: all its events and metrics. */
void list_print_page(const struct armpmu_core *core, FILE *stream);

/* Returns whether it is a row of numbers without an event; an event that is not modelled has a
 * name. */
bool list_is_reserved(const struct armpmu_event *event);

/* Returns whether the event counts the signal. */
bool list_counts(const struct armpmu_event *event, enum armpmu_signal signal);

#define LIST_CORE_WIDTH 12 /* of its name */

/* "ARM Cortex-A8: PMU armv7_cortex_a8, 4 counters of 32 bits and a cycle counter". */
void list_core_summary(const struct armpmu_core *core, char *text, size_t size);

/* Returns whether the core has a counter for nothing but cycles, besides its event counters. */
bool list_has_cycle_counter(const struct armpmu_core *core);

/* All aliases of a naming, ", " between them; "" for none. At most size bytes, terminated. */
void list_aliases(const struct armpmu_event *event, enum armpmu_naming naming, char *text,
                  size_t size);

/* How far its counts can be trusted, and where there are none. */
const char *list_fidelity(const struct armpmu_event *event);

/* "0x03", or "0x13-0x3f" for a reserved range; at most size bytes, terminated. */
void list_number(const struct armpmu_event *event, char *text, size_t size);

#endif
