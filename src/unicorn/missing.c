/* Replaces the engine in a build without the Unicorn library. */
#include "base/error.h"
#include "unicorn/firmware_run.h"

static enum armpmu_status refuse(struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_CONFIG,
                "this armpmu was built without the Unicorn library, which runs firmware: install "
                "it (Debian: libunicorn-dev) and build again");
}

enum armpmu_status engine_firmware_run(const struct run *run, struct run_result *out,
                                       struct armpmu_error *err)
{
    (void)run;
    *out = (struct run_result){0};
    return refuse(err);
}

enum armpmu_status engine_firmware_ready(struct engine_firmware_library *out,
                                         struct armpmu_error *err)
{
    *out = (struct engine_firmware_library){.standing = NULL};
    return refuse(err);
}
