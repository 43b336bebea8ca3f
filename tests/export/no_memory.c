/* Every format without memory: each allocation of its own fails once, and the format says so; what
 * it had taken is given back (the sanitized build sees that). */
#include <stdlib.h>

#include "../test.h"
#include "export/export.h"
#include "failing_memory.h"
#include "profile/object_file.h"
#include "profile/sample.h"

static enum armpmu_status write_one(const struct export_format *format,
                                    const struct profile *profile, FILE *out)
{
    struct export_job job;
    struct armpmu_error err = {""};
    enum armpmu_status status =
        export_job_init(&job, format, profile, format->counts_insns ? NULL : "CPU_CYCLES", &err);

    if (status == ARMPMU_OK)
        status = format->write(&job, out, &err);
    export_job_free(&job);
    assert_true(status == ARMPMU_OK || err.message[0] != '\0');
    return status;
}

extern const char __executable_start; /* the linker's */

/* Makes the code that was recorded that of this program, which has debug information. */
static void become_recorded(struct profile *profile)
{
    struct object_file file;

    assert_true(object_file_open(&file, "/proc/self/exe", NULL));
    char *const id = object_file_id(file.module);
    for (size_t i = 0; i < profile->n_objects; i++) {
        struct profile_object *const object = &profile->objects[i];
        *object = (struct profile_object){.path = "/proc/self/exe", .build_id = id};
        assert_int_equal(profile_own_text(profile, &object->path, NULL), ARMPMU_OK);
        assert_int_equal(profile_own_text(profile, &object->build_id, NULL), ARMPMU_OK);
    }
    for (size_t i = 0; i < profile->n_insns; i++)
        profile->insns[i].address = (uintptr_t)write_one - (uintptr_t)&__executable_start;
    profile->setup.command = "exe";
    free(id);
    object_file_close(&file);
}

TEST(formats_say_that_memory_is_short)
{
    struct profile *const profile = sample_profile();
    FILE *const out = fopen("/dev/null", "w");

    assert_non_null(out);
    become_recorded(profile);
    for (size_t i = 0; i < export_n_formats; i++) {
        enum armpmu_status status = ARMPMU_NO_MEMORY;
        unsigned n = 0;
        for (; n < 1000 && status == ARMPMU_NO_MEMORY; n++) {
            failing_memory.left = n;
            status = write_one(&export_formats[i], profile, out);
        }
        failing_memory.left = MEMORY_FOR_ALL;
        assert_int_equal(status, ARMPMU_OK);
        assert_true(n > 5);
    }
    fclose(out);
    profile_free(profile);
}

TEST(a_profile_of_nothing_is_written)
{
    struct profile *profile;
    FILE *const out = fopen("/dev/null", "w");
    struct armpmu_error err;
    struct export_job job;

    assert_non_null(out);
    assert_int_equal(profile_new(&profile, &err), ARMPMU_OK);
    for (size_t i = 0; i < export_n_formats; i++) {
        const enum armpmu_status status =
            export_job_init(&job, &export_formats[i], profile, NULL, &err);
        assert_int_equal(status, export_formats[i].has_one_event  ? ARMPMU_BAD_CONFIG
                                 : export_formats[i].counts_insns ? ARMPMU_NOT_FOUND
                                                                  : ARMPMU_OK);
        if (status == ARMPMU_OK)
            assert_int_equal(export_formats[i].write(&job, out, &err), ARMPMU_OK);
        export_job_free(&job);
    }
    fclose(out);
    profile_free(profile);
}
