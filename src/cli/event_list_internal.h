/* The state of the parser of event lists, shared by its files. */
#ifndef CLI_EVENT_LIST_INTERNAL_H
#define CLI_EVENT_LIST_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/event_list.h"

/* How much of a word a message quotes. */
#define QUOTED "'%.60s'"

struct event_parser {
    struct event_list *list;
    const struct armpmu_core *core;
    enum count_mode mode;
    unsigned group;
    struct armpmu_error *err;
};

/* The properties of one event of the list. */
struct event_request {
    const char *whole; /* as written, for messages */
    const char *label; /* NULL: the canonical name */
    int counter;
    bool is_glob; /* one of several events that the word means */
};

/* ---- event_list_items.c ---- */

/* Appends one event. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG (the list is full) or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status event_list_append(struct event_list *list,
                                                     const struct armpmu_event *event,
                                                     unsigned group, const struct event_request *r,
                                                     struct armpmu_error *err);

/* Drops the items from number `count` on. */
void event_list_shorten(struct event_list *list, size_t count);

/* Returns ARMPMU_OK, or ARMPMU_BAD_CONFIG if the group is larger than mode hw has counters for. */
ARMPMU_MUST_USE enum armpmu_status event_list_check_group(const struct event_parser *p);

/* ---- event_list_names.c ---- */

/* Reads a number in base 10 or 16 that fills the word; false if it is none. */
bool event_list_parse_number(const char *word, int base, unsigned long *out);

/* "0x08" or "r08" */
bool event_list_parse_raw(const char *word, unsigned long *out);

/* True when the word is one event's name or number. */
bool event_parser_names_event(const struct event_parser *p, const char *word);

/* Append the event itself, the one of a number, those of a word. Return as event_list_parse. */
ARMPMU_MUST_USE enum armpmu_status event_parser_add(const struct event_parser *p,
                                                    const struct event_request *r,
                                                    const struct armpmu_event *event);
ARMPMU_MUST_USE enum armpmu_status event_parser_add_number(const struct event_parser *p,
                                                           const struct event_request *r,
                                                           unsigned long number);
ARMPMU_MUST_USE enum armpmu_status event_parser_add_word(const struct event_parser *p,
                                                         const struct event_request *r,
                                                         const char *word);

/* ---- event_list_pmu.c ---- */

/* Returns ARMPMU_OK, or ARMPMU_NOT_FOUND if that is not the PMU of the core. */
ARMPMU_MUST_USE enum armpmu_status event_parser_check_pmu(const struct event_parser *p,
                                                          const char *pmu);

/* event: the one before the slashes, NULL where a PMU is. terms: the text between them, cut into
 * pieces here. Returns as event_list_parse. */
ARMPMU_MUST_USE enum armpmu_status event_parser_add_terms(const struct event_parser *p,
                                                          struct event_request *r,
                                                          const char *event, char *terms);

/* ---- event_list_software.c ---- */

/* The software event of a name; NULL if there is none. */
const struct armpmu_event *event_list_software(const char *name);

#endif
