/* The profile that a command reads, the events of it that -e names, and the metrics of -M. */
#ifndef CLI_PROFILE_PROFILE_INPUT_H
#define CLI_PROFILE_PROFILE_INPUT_H

#include <stdbool.h>

#include "cli/foreign_file.h"
#include "cli/metric_list.h"
#include "cli/options.h"
#include "profile/event_choice.h"
#include "profile/profile_file.h"

/* Options that all such commands have; of metrics those that show them. */
struct profile_options {
    const char *path, *events;
    struct option_list metrics;
    bool force, topdown;
};

#define PROFILE_OPTION_ROWS(type, member)                                                          \
    {'i',                                                                                          \
     "input",                                                                                      \
     "FILE",                                                                                       \
     "what armpmu record wrote; default " PROFILE_FILE_DEFAULT,                                    \
     OPTION_TEXT_TO(type, member.path),                                                            \
     .completes = COMPLETE_FILE},                                                                  \
        FOREIGN_FILE_ROW(type, member.force),                                                      \
    {                                                                                              \
        'e', "event", "LIST",                                                                      \
            "events, separated by ',': names, aliases, globs, all; the first decides the order",   \
            OPTION_TEXT_TO(type, member.events), .completes = COMPLETE_EVENTS                      \
    }

#define PROFILE_METRICS_ROW(type, member)                                                          \
    {                                                                                              \
        'M', "metrics", "LIST",                                                                    \
            "metrics of each line, separated by ',', as in stat -M; the default event is then "    \
            "cycles",                                                                              \
            OPTION_LIST_TO(type, member.metrics)                                                   \
    }

#define PROFILE_TOPDOWN_ROW(type, member, where)                                                   \
    {                                                                                              \
        0, "topdown", NULL,                                                                        \
            "below each " where                                                                    \
            ", where its cycles went, as in stat --topdown; the default event "                    \
            "is then cycles",                                                                      \
            OPTION_FLAG_TO(type, member.topdown)                                                   \
    }

struct profile_input {
    struct profile *profile;
    struct event_choice events; /* beside them those that the metrics are made of */
    struct metric_choice metrics;
};

/* Reads them. Without -e, all events or only the usual ones; with -M cycles alone. input is closed
 * by profile_input_close, also after a failure. Returns ARMPMU_OK, ARMPMU_NOT_FOUND, or what
 * profile_file_read and event_choice_make return. */
ARMPMU_MUST_USE enum armpmu_status profile_input_open(struct profile_input *input,
                                                      const struct profile_options *options,
                                                      bool only_usual, struct armpmu_error *err);
void profile_input_close(struct profile_input *input);

/* Warns where the call paths of a profile are not whole. */
void profile_warn_of_paths(const struct profile *profile);

/* An option_set_fn of a double: a percentage. */
enum armpmu_status profile_set_limit(void *member, const char *option, const char *value,
                                     struct armpmu_error *err);

#endif
