#include "profile/attribution.h"

#include <string.h>

static const struct event_owner owners[] = {
#define OWNER(id, who, why) {EVENT_OWNER_##id, who, why},
#define SIGNAL_OF(signal, owner)
#define SIGNAL_OF_MODEL(model, signal, owner)
#include "profile/attribution.def"
#undef OWNER
#undef SIGNAL_OF
#undef SIGNAL_OF_MODEL
};

static const struct {
    const char *model; /* NULL: every other */
    enum armpmu_signal signal;
    enum event_owner_id owner;
} signals[] = {
#define OWNER(id, who, why)
#define SIGNAL_OF(signal, owner)              {NULL, ARMPMU_SIGNAL_##signal, EVENT_OWNER_##owner},
#define SIGNAL_OF_MODEL(model, signal, owner) {#model, ARMPMU_SIGNAL_##signal, EVENT_OWNER_##owner},
#include "profile/attribution.def"
#undef OWNER
#undef SIGNAL_OF
#undef SIGNAL_OF_MODEL
};

static const struct {
    const char *core, *model;
} models[] = {
#define CORE(name, id, monitor, model) {name, #model},
#include "catalog/cores.def"
#undef CORE
};

static const char *model_of(const struct armpmu_core *core)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i].core, core->name) == 0)
            return models[i].model;
    return "";
}

const struct event_owner *event_owner_of_signal(const struct armpmu_core *core,
                                                enum armpmu_signal signal)
{
    const struct event_owner *found = NULL;
    const char *const model = model_of(core);

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (signals[i].signal != signal)
            continue;
        if (signals[i].model == NULL && found == NULL)
            found = &owners[signals[i].owner];
        if (signals[i].model != NULL && strcmp(signals[i].model, model) == 0)
            found = &owners[signals[i].owner];
    }
    return found;
}

const struct event_owner *event_owner_of(const struct armpmu_core *core,
                                         const struct armpmu_event *event)
{
    if (event->n_signals == 0)
        return NULL;
    return event_owner_of_signal(core, (enum armpmu_signal)event->signals[0]);
}
