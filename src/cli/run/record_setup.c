#include "cli/run/record_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_stream.h"
#include "cli/run/ended.h"
#include "cli/machine_text.h"
#include "cli/shell_words.h"

/* Texts that are printed one by one. */
struct texts {
    char *machine, *command;
    char hash[MACHINE_HASH_SIZE];
};

static bool make_texts(const struct record_run *run, struct texts *out)
{
    size_t size;

    out->machine = machine_text(run->machine);
    if (out->machine == NULL)
        return false;
    machine_hash(out->machine, out->hash);
    FILE *const stream = memory_stream_open(&out->command, &size);
    if (stream == NULL)
        return false;
    shell_words(run->argv, stream);
    return memory_stream_close(stream, &out->command);
}

enum armpmu_status record_setup(struct profile *profile, const struct record_run *run,
                                struct armpmu_error *err)
{
    const char *const seed = armpmu_machine_value(run->machine, "random.seed");
    struct texts texts = {.machine = NULL};
    enum armpmu_status status = ARMPMU_NO_MEMORY;

    if (!make_texts(run, &texts)) {
        (void)fail(err, status, "out of memory for the profile");
    } else {
        struct profile_setup setup = {
            .armpmu = armpmu_version,
            .core = armpmu_machine_core(run->machine)->name,
            .machine = run->machine_choice,
            .machine_text = texts.machine,
            .machine_hash = texts.hash,
            .engine = run->engine,
            .command = texts.command,
            .clock_mhz = armpmu_machine_clock_mhz(run->machine),
            .seed = seed != NULL ? strtoull(seed, NULL, 0) : 0,
            .exit_status = run->exit_status,
            .is_complete = run->is_complete,
            .has_paths = run->has_paths,
        };
        for (size_t i = 0; run->versions != NULL && i < VERSIONS; i++)
            if (run->versions->text[i][0] != '\0')
                setup.versions[i] = run->versions->text[i];
        status = profile_set_setup(profile, &setup, err);
    }
    free(texts.machine);
    free(texts.command);
    return status;
}

enum armpmu_status record_event(struct profile *profile, const struct armpmu_event *event,
                                const char *label, struct armpmu_error *err)
{
    const struct profile_event made = {
        .name = label,
        .meaning = event->meaning,
        .fidelity = ended_fidelity(event, profile->setup.is_complete),
        .unit = armpmu_unit_name(event->unit),
        .number = event->first,
    };
    uint32_t number;

    return profile_add_event(profile, &made, &number, err);
}

const char *record_program_name(const char *program)
{
    const char *const slash = strrchr(program, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : program;
}

enum armpmu_status record_rows(struct profile *profile, struct profile_collection *collection,
                               const struct run_result *result, const char *program,
                               struct armpmu_error *err)
{
    const struct collected_file own = {.path = program, .is_fixed = true};
    const size_t n = result != NULL ? result->n_files : 1;
    struct collected_file *const files = calloc(n + 1, sizeof *files);

    if (files == NULL)
        return fail_no_memory(err, "the profile");
    for (size_t i = 0; i < n; i++)
        files[i] = result == NULL ? own
                                  : (struct collected_file){.path = result->files[i].path,
                                                            .start = result->files[i].start,
                                                            .offset = result->files[i].offset};
    const enum armpmu_status status =
        profile_collection_fill(collection, files, n, record_program_name(program), profile, err);
    free(files);
    return status;
}
