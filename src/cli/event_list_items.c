/* The items of a list and the counters assigned to them. */
#include "cli/event_list_internal.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"

#define LIST_MAX 4096 /* events: more is a mistake, not a measurement */

/* --- the list -------------------------------------------------------------------------------- */

bool event_list_has(const struct event_list *list, const struct armpmu_event *event)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].event == event)
            return true;
    }
    return false;
}

static void free_names(struct event_item *item)
{
    free(item->label);
    free(item->asked);
    free(item->echo);
}

/* False without memory. */
static bool name_item(struct event_item *item, const struct event_request *r)
{
    const char *const label = r->label != NULL ? r->label : item->event->name;
    const bool has_word = r->whole != NULL && r->label == NULL && !r->is_glob;

    item->label = printable_copy(label);
    item->echo = printable_copy(has_word ? r->whole : label);
    item->asked = r->whole != NULL ? printable_copy(r->whole) : NULL;
    return item->label != NULL && item->echo != NULL && (r->whole == NULL || item->asked != NULL);
}

enum armpmu_status event_list_append(struct event_list *list, const struct armpmu_event *event,
                                     unsigned group, const struct event_request *r,
                                     struct armpmu_error *err)
{
    if (list->count >= LIST_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "more than %d events listed; list each once", LIST_MAX);
    struct event_item item = {.event = event, .group = group, .counter = r->counter};
    if (!name_item(&item, r) || !ARRAY_RESERVE(list->items, list->room, list->count + 1)) {
        free_names(&item);
        return fail_no_memory(err, "the event list");
    }
    list->items[list->count++] = item;
    return ARMPMU_OK;
}

enum armpmu_status event_list_add(struct event_list *list, const struct armpmu_event *event,
                                  struct armpmu_error *err)
{
    return event_list_append(list, event, 0, &(struct event_request){.counter = COUNTER_ANY}, err);
}

void event_list_shorten(struct event_list *list, size_t count)
{
    while (list->count > count)
        free_names(&list->items[--list->count]);
}

void event_list_free(struct event_list *list)
{
    event_list_shorten(list, 0);
    free(list->items);
    *list = (struct event_list){0};
}

/* --- counters -------------------------------------------------------------------------------- */

static enum armpmu_status too_many(const struct event_list *list, const struct armpmu_core *core,
                                   unsigned group, struct armpmu_error *err)
{
    size_t wanted = 0;
    for (size_t i = 0; i < list->count; i++)
        wanted += group == 0 || list->items[i].group == group;
    if (group != 0)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "group %u has %zu events, the %s has %u counters and the cycle counter; make the "
            "group smaller or use --mode all",
            group, wanted, core->title, core->n_event_counters);
    return fail(err, ARMPMU_BAD_CONFIG,
                "%zu events in --mode hw, the %s has %u counters and the cycle counter; list fewer "
                "or use --mode all",
                wanted, core->title, core->n_event_counters);
}

/* The counter of an event that does not name one; -1 when none is free. */
static int free_counter(const struct armpmu_event *event, const struct armpmu_core *core,
                        const bool *taken)
{
    if (event->first == core->cycles_event && !taken[core->n_event_counters])
        return (int)core->n_event_counters;
    for (unsigned i = 0; i < core->n_event_counters; i++) {
        if (!taken[i])
            return (int)i;
    }
    return COUNTER_ANY;
}

enum armpmu_status event_list_assign(struct event_list *list, const struct armpmu_core *core,
                                     struct armpmu_error *err)
{
    bool taken[256] = {false};

    if (core->n_event_counters >= sizeof taken)
        return fail(err, ARMPMU_BAD_CONFIG, "%s: %u counters, at most 255", core->name,
                    core->n_event_counters);
    for (size_t i = 0; i < list->count; i++) {
        const struct event_item *item = &list->items[i];
        if (item->counter == COUNTER_ANY)
            continue;
        if (taken[item->counter])
            return fail(err, ARMPMU_BAD_CONFIG, QUOTED ": its counter already has another event",
                        item->label);
        taken[item->counter] = true;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct event_item *item = &list->items[i];
        if (item->counter != COUNTER_ANY || event_is_software(item->event))
            continue;
        item->counter = free_counter(item->event, core, taken);
        if (item->counter == COUNTER_ANY)
            return too_many(list, core, 0, err);
        taken[item->counter] = true;
    }
    return ARMPMU_OK;
}

enum armpmu_status event_list_check_group(const struct event_parser *p)
{
    unsigned others = 0;
    bool cycles = false;

    for (size_t i = 0; i < p->list->count; i++) {
        const struct event_item *item = &p->list->items[i];
        if (item->group != p->group || event_is_software(item->event))
            continue;
        if (item->event->first == p->core->cycles_event && !cycles)
            cycles = true;
        else
            others++;
    }
    if (p->mode == MODE_HW && others > p->core->n_event_counters)
        return too_many(p->list, p->core, p->group, p->err);
    return ARMPMU_OK;
}
