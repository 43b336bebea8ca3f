/* Events of the Linux kernel that perf's users list beside those of the core. Nothing counts them
 * here: they are listed without a count, as perf lists what a system does not have. */
#include "cli/event_list_internal.h"

#include <strings.h>

#define SOFTWARE(text)                                                                             \
    {                                                                                              \
        .name = text, .fidelity = ARMPMU_RESERVED                                                  \
    }

static const struct armpmu_event software[] = {
    SOFTWARE("alignment-faults"),
    SOFTWARE("bpf-output"),
    SOFTWARE("cgroup-switches"),
    SOFTWARE("context-switches"),
    SOFTWARE("cpu-clock"),
    SOFTWARE("cpu-migrations"),
    SOFTWARE("dummy"),
    SOFTWARE("duration_time"),
    SOFTWARE("emulation-faults"),
    SOFTWARE("major-faults"),
    SOFTWARE("minor-faults"),
    SOFTWARE("page-faults"),
    SOFTWARE("system_time"),
    SOFTWARE("task-clock"),
    SOFTWARE("user_time"),
    SOFTWARE("cs"),
    SOFTWARE("faults"),
    SOFTWARE("migrations"),
};

#define N_SOFTWARE (sizeof software / sizeof software[0])

bool event_needs_execution_alone(const struct armpmu_event *event)
{
    return event->n_signals == 1 && (event->signals[0] == ARMPMU_SIGNAL_INST_RETIRED ||
                                     event->signals[0] == ARMPMU_SIGNAL_BRANCH_RETIRED);
}

const struct armpmu_event *event_list_software(const char *name)
{
    for (size_t i = 0; i < N_SOFTWARE; i++)
        if (strcasecmp(software[i].name, name) == 0)
            return &software[i];
    return NULL;
}

bool event_is_software(const struct armpmu_event *event)
{
    for (size_t i = 0; i < N_SOFTWARE; i++)
        if (event == &software[i])
            return true;
    return false;
}
