/* Fuzzes event lists. The first byte is a core and how it counts; what follows are lists, one a
 * line. Whatever they say, events of the core with names and groups, or a message, and then the
 * list is as it was; who has which counter is decided without two having one. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/event_list.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void look(const struct event_list *list, const struct armpmu_core *core)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct event_item *const item = &list->items[i];
        require(item->event >= core->events && item->event < core->events + core->n_events);
        require(item->label[0] != '\0' && item->group <= list->groups);
        require(item->counter == COUNTER_ANY || item->counter <= (int)core->n_event_counters);
    }
}

static void assign(struct event_list *list, const struct armpmu_core *core)
{
    struct armpmu_error err = {""};
    bool taken[256] = {false};

    if (event_list_assign(list, core, &err) != ARMPMU_OK) {
        require(err.message[0] != '\0');
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        require(list->items[i].counter >= 0 && !taken[list->items[i].counter]);
        taken[list->items[i].counter] = true;
    }
}

static void parse(struct event_list *list, const struct armpmu_core *core, enum count_mode mode,
                  const char *text)
{
    const size_t count = list->count;
    const unsigned groups = list->groups;
    struct armpmu_error err = {""};
    const enum armpmu_status status = event_list_parse(list, core, mode, text, &err);

    require((status == ARMPMU_OK) == !err.message[0]);
    require(status == ARMPMU_OK /* "all" adds nothing twice */
                ? list->count > 0 && list->count >= count
                : list->count == count && list->groups == groups);
    look(list, core);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t n_cores;
    const struct armpmu_core *const *const cores = armpmu_cores(&n_cores);
    struct event_list list = {0};

    if (length < 1)
        return 0;
    const struct armpmu_core *const core = cores[bytes[0] % n_cores];
    const enum count_mode mode = (enum count_mode)(bytes[0] / n_cores % 3);
    char *const text = text_of(bytes + 1, length - 1);
    char *rest = text;
    if (text == NULL)
        return 0;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        parse(&list, core, mode, line);
    assign(&list, core);
    event_list_free(&list);
    free(text);
    return 0;
}
