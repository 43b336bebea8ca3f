#include "cli/profile_input.h"

#include <stdlib.h>

#include "base/error.h"

enum armpmu_status profile_input_open(struct profile_input *input,
                                      const struct profile_options *options, bool only_usual,
                                      struct armpmu_error *err)
{
    const char *const path = options->path != NULL ? options->path : PROFILE_FILE_DEFAULT;

    *input = (struct profile_input){NULL, {NULL, 0}};
    enum armpmu_status status = foreign_file_check(path, options->force, err);
    if (status == ARMPMU_OK)
        status = profile_file_read(path, &input->profile, err);
    if (status != ARMPMU_OK)
        return status;
    if (options->events == NULL && only_usual)
        return event_choice_usual(input->profile, &input->events, err);
    return event_choice_make(input->profile, options->events, &input->events, err);
}

void profile_input_close(struct profile_input *input)
{
    event_choice_free(&input->events);
    profile_free(input->profile);
}

enum armpmu_status profile_set_limit(void *member, const char *option, const char *value,
                                     struct armpmu_error *err)
{
    char *end;
    const double limit = strtod(value, &end);

    if (end == value || *end != '\0' || !(limit >= 0 && limit <= 100))
        return fail(err, ARMPMU_BAD_CONFIG, "%s '%.40s': a percentage from 0 to 100, like 0.5",
                    option, value);
    *(double *)member = limit;
    return ARMPMU_OK;
}
