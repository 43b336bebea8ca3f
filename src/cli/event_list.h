/* The event list of -e: what perf accepts, and a little more.
 *
 *   list  := item (',' item)*              item := event | '{' event (',' event)* '}' [':' mods]
 *   event := name [':' mods]               a name or alias of any naming, whatever the case, or a
 *                                          software event of perf's, where the list takes those
 *          | 'r' HEX | '0x' HEX            an event number
 *          | pmu '/' term (',' term)* '/' [[':'] mods]    pmu: the core's, or "cpu"
 *          | name '/' term (',' term)* '/' [[':'] mods]   without another event
 *          | pmu '::' name                 as libpfm4 writes it
 *          | glob | 'all'                  every event that matches, those already listed left out
 *   term  := name | 'r' HEX | '0x' HEX | 'event=' NUMBER | 'config=' NUMBER | 'name=' LABEL
 *          | 'counter=' COUNTER            where mode hw counts it: PMN0, PMN1, ... or CCNT */
#ifndef CLI_EVENT_LIST_H
#define CLI_EVENT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "armpmu/catalog.h"
#include "armpmu/status.h"

enum count_mode {
    MODE_ALL,     /* every event at once, 64 bits        */
    MODE_HW,      /* the counters the hardware has       */
    MODE_MACHINE, /* as all, of a whole machine: in each mode of its processors */
};

#define COUNTER_ANY (-1)

struct event_item {
    const struct armpmu_event *event;
    char *label;    /* what the report calls it: the canonical name, or the list's name=LABEL with
                       control characters and what is no UTF-8 as \xNN */
    char *asked;    /* the word of the list that it came by, printable; NULL: it was not named */
    char *echo;     /* what perf's formats call it: as it was asked for, the label without that */
    unsigned group; /* groups are numbered from 1; 0 for none                                 */
    int counter; /* event counter, core->n_event_counters for the cycle counter, or COUNTER_ANY */
};

/* Owns its items and their labels. All zero is an empty list. */
struct event_list {
    struct event_item *items;
    size_t count, room;
    unsigned groups;
    bool takes_software; /* software events may be listed, without a count */
    bool of_program;     /* without the events that only a whole system shows */
};

/* True when executing the program is enough to know it: it counts instructions or branches. */
bool event_needs_execution_alone(const struct armpmu_event *event);

/* True for a software event, which no core counts. */
bool event_is_software(const struct armpmu_event *event);

/* Appends the events of text.
 * Returns ARMPMU_OK, ARMPMU_BAD_CONFIG (the message names the part that is wrong), ARMPMU_NOT_FOUND
 * (no such event or PMU; the nearest names are in the message) or ARMPMU_NO_MEMORY. On failure the
 * list holds what it held before. */
ARMPMU_MUST_USE enum armpmu_status event_list_parse(struct event_list *list,
                                                    const struct armpmu_core *core,
                                                    enum count_mode mode, const char *text,
                                                    struct armpmu_error *err);

/* Appends one event under its canonical name. */
ARMPMU_MUST_USE enum armpmu_status
event_list_add(struct event_list *list, const struct armpmu_event *event, struct armpmu_error *err);

bool event_list_has(const struct event_list *list, const struct armpmu_event *event);

/* Gives every item a counter, as a driver would: the cycle event goes to the cycle counter, the
 * others to the lowest free one. Returns ARMPMU_BAD_CONFIG if there are more than the core has. */
ARMPMU_MUST_USE enum armpmu_status event_list_assign(struct event_list *list,
                                                     const struct armpmu_core *core,
                                                     struct armpmu_error *err);

void event_list_free(struct event_list *list);

#endif
