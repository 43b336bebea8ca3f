#include "cli/cmd/stable_options.h"

#include <string.h>

#include "base/error.h"

enum armpmu_status stable_options_apply(const struct stable_options *options,
                                        struct engine_job *job, struct armpmu_error *err)
{
    const struct option_list *const variables = &options->variables;

    for (size_t i = 0; i < variables->n; i++)
        if (variables->values[i][0] == '=' || strchr(variables->values[i], '=') == NULL)
            return fail(err, ARMPMU_BAD_CONFIG,
                        "--env '%.60s': a variable and its value, like TZ=UTC0",
                        variables->values[i]);
    if (variables->n > 0 && !options->is_stable)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--env adds to the environment of --stable; without that the program has "
                    "armpmu's own");
    job->is_stable = options->is_stable;
    job->variables = variables->values;
    return ARMPMU_OK;
}
