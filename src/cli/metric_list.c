#include "cli/metric_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "profile/metric.h"

bool metric_list_matches(const struct armpmu_metric *metric, const char *glob)
{
    return armpmu_glob_matches(glob, metric->name) || metric_is_in_group(metric, glob);
}

void metric_list_offer(struct suggest *near, const struct armpmu_metric *metric)
{
    char group[SUGGEST_WORD_MAX];

    suggest_offer(near, metric->name, NULL);
    for (const char *at = metric->group; *at != '\0'; at += *at == ';') {
        const size_t n = strcspn(at, ";");
        snprintf(group, sizeof group, "%.*s", (int)n, at);
        suggest_offer(near, group, NULL);
        at += n;
    }
}

static enum armpmu_status no_such(const struct armpmu_core *core, const char *name,
                                  struct armpmu_error *err)
{
    struct suggest near;
    char hint[256];

    suggest_begin(&near, name);
    for (size_t i = 0; i < core->n_metrics; i++)
        metric_list_offer(&near, &core->metrics[i]);
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
        const bool fits = all || metric_list_matches(&core->metrics[i], glob);
        chosen[i] = chosen[i] || fits;
        any = any || fits;
    }
    return any ? ARMPMU_OK : no_such(core, glob, err);
}

static enum armpmu_status mark_list(const struct armpmu_core *core, const char *text, bool *chosen,
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

enum armpmu_status metric_list_mark(const struct armpmu_core *core, const struct option_list *lists,
                                    bool **chosen, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    *chosen = NULL;
    if (lists->n == 0)
        return ARMPMU_OK;
    *chosen = calloc(core->n_metrics + 1, sizeof **chosen);
    if (*chosen == NULL)
        return fail_no_memory(err, "the metrics");
    for (size_t i = 0; i < lists->n && status == ARMPMU_OK; i++)
        status = mark_list(core, lists->values[i], *chosen, err);
    return status;
}

enum armpmu_status metric_choice_make(const struct armpmu_core *core,
                                      const struct option_list *lists, struct metric_choice *choice,
                                      struct armpmu_error *err)
{
    bool *chosen;
    enum armpmu_status status = metric_list_mark(core, lists, &chosen, err);

    *choice = (struct metric_choice){
        core, chosen != NULL ? calloc(core->n_metrics + 1, sizeof *choice->metrics) : NULL, 0};
    if (status == ARMPMU_OK && chosen != NULL && choice->metrics == NULL)
        status = fail_no_memory(err, "the metrics");
    for (size_t i = 0; status == ARMPMU_OK && chosen != NULL && i < core->n_metrics; i++)
        if (chosen[i])
            choice->metrics[choice->n++] = &core->metrics[i];
    free(chosen);
    return status;
}

void metric_choice_free(struct metric_choice *choice)
{
    free(choice->metrics);
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
