#include "cli/metric_list.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/suggest.h"
#include "profile/metric.h"

static enum armpmu_status no_such(const struct armpmu_core *core, const char *name,
                                  struct armpmu_error *err)
{
    struct suggest near;
    char hint[256];

    suggest_begin(&near, name);
    for (size_t i = 0; i < core->n_metrics; i++)
        suggest_offer(&near, core->metrics[i].name, NULL);
    for (size_t i = 0; i < core->n_metrics; i++)
        suggest_offer(&near, core->metrics[i].group, NULL);
    suggest_sentence(&near, hint, sizeof hint);
    return fail(err, ARMPMU_NOT_FOUND, "-M: %s has no metric and no group '%.40s'%s", core->title,
                name, near.count > 0 ? hint : "; 'armpmu list metric' shows them");
}

static enum armpmu_status choose(const struct armpmu_core *core, const char *glob, bool *chosen,
                                 struct armpmu_error *err)
{
    const bool all = strcmp(glob, "all") == 0;
    bool any = false;

    for (size_t i = 0; i < core->n_metrics; i++) {
        const struct armpmu_metric *const metric = &core->metrics[i];
        const bool fits =
            all || metric_is_in_group(metric, glob) || armpmu_glob_matches(glob, metric->name);
        chosen[i] = chosen[i] || fits;
        any = any || fits;
    }
    return any ? ARMPMU_OK : no_such(core, glob, err);
}

enum armpmu_status metric_list_parse(const struct armpmu_core *core, const char *text, bool *chosen,
                                     struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    char glob[80];

    for (const char *at = text; status == ARMPMU_OK; at++) {
        const size_t n = strcspn(at, ",");
        snprintf(glob, sizeof glob, "%.*s", (int)n, at);
        status = choose(core, glob, chosen, err);
        at += n;
        if (*at == '\0')
            break;
    }
    return status;
}

struct additions {
    struct event_list *list;
    enum armpmu_status status;
    struct armpmu_error *err;
};

static void add_new(void *user, const struct armpmu_event *event)
{
    struct additions *const to = user;

    if (to->status == ARMPMU_OK && !event_list_has(to->list, event))
        to->status = event_list_add(to->list, event, to->err);
}

enum armpmu_status metric_list_events(const struct armpmu_core *core, const bool *chosen,
                                      struct event_list *list, struct armpmu_error *err)
{
    struct additions to = {list, ARMPMU_OK, err};

    for (size_t i = 0; i < core->n_metrics && to.status == ARMPMU_OK; i++)
        if (chosen[i]) {
            add_new(&to, armpmu_event_by_number(core, core->metrics[i].beside));
            metric_each_event(core, &core->metrics[i], add_new, &to);
        }
    return to.status;
}
