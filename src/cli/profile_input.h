/* The profile that a command reads, and the events of it that -e names. */
#ifndef CLI_PROFILE_INPUT_H
#define CLI_PROFILE_INPUT_H

#include <stdbool.h>

#include "cli/foreign_file.h"
#include "profile/event_choice.h"
#include "profile/profile_file.h"

/* Options that all such commands have. */
struct profile_options {
    const char *path, *events;
    bool force;
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

struct profile_input {
    struct profile *profile;
    struct event_choice events;
};

/* Reads both. Without -e, all events or only the usual ones. input is closed by
 * profile_input_close, also after a failure. Returns ARMPMU_OK or what profile_file_read and
 * event_choice_make return. */
ARMPMU_MUST_USE enum armpmu_status profile_input_open(struct profile_input *input,
                                                      const struct profile_options *options,
                                                      bool only_usual, struct armpmu_error *err);
void profile_input_close(struct profile_input *input);

/* An option_set_fn of a double: a percentage. */
enum armpmu_status profile_set_limit(void *member, const char *option, const char *value,
                                     struct armpmu_error *err);

#endif
