#include "cli/run/replay_slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read_file.h"
#include "cli/commands.h"
#include "cli/machine_choice.h"
#include "cli/machine_text.h"
#include "cli/output.h"

#define FILE_MAX (64u << 20) /* bytes */

/* The trace and machine of a file of slices. hash: room for the machine's. */
static enum armpmu_status make_key(const struct armpmu_machine *machine,
                                   const struct trace_file *trace, char hash[MACHINE_HASH_SIZE],
                                   struct trace_slices_key *key, struct armpmu_error *err)
{
    char *const text = machine_text(machine);

    if (text == NULL)
        return fail_no_memory(err, "the settings of the machine");
    machine_hash(text, hash);
    free(text);
    *key = (struct trace_slices_key){ARMPMU_VERSION, hash, trace_file_mark(trace)};
    return ARMPMU_OK;
}

/* ---- one slice ------------------------------------------------------------------------------- */

static enum armpmu_status parse_slice(const char *text, struct trace_slices *slices,
                                      struct armpmu_error *err)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    const unsigned long n = *end == '/' ? strtoul(end + 1, &end, 10) : 0;

    if (*end != '\0' || number < 1 || n < number || n > TRACE_SLICES_MAX)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--slice '%.40s': must be K/N with N of at most %u, like 3/8", text,
                    TRACE_SLICES_MAX);
    slices->number = (unsigned)number;
    slices->n = (unsigned)n;
    return ARMPMU_OK;
}

static enum armpmu_status write_slice(const char *path, const struct trace_slices *slices,
                                      const struct trace_slices_key *key, struct armpmu_error *err)
{
    struct output out;
    unsigned char *bytes;
    size_t n;
    enum armpmu_status status = output_open(&out, "-o", path, false, err);

    if (status != ARMPMU_OK)
        return status;
    status = trace_slices_write(slices, key, &bytes, &n, err);
    if (status != ARMPMU_OK) {
        output_discard(&out);
        return status;
    }
    fwrite(bytes, 1, n, out.stream);
    free(bytes);
    return output_close(&out, err);
}

static enum armpmu_status count(const struct stat_options *options,
                                const struct armpmu_machine *machine, struct trace_file *trace,
                                struct trace_slices *slices, struct armpmu_error *err)
{
    const struct run job = {.machine = machine,
                            .argv = trace_file_setup(trace)->arguments,
                            .trace_from = trace,
                            .warm_up = options->run.warm_up,
                            .slices = slices};
    struct run_result result;
    const enum armpmu_status status = engine_qemu_run(&job, &result, err);

    if (status != ARMPMU_OK)
        return status;
    *err = result.problem;
    run_result_free(&result);
    return err->message[0] == '\0' ? ARMPMU_OK : ARMPMU_BAD_INPUT;
}

int replay_slice(const struct stat_options *options, struct trace_file *trace,
                 struct armpmu_error *err)
{
    struct armpmu_machine *loaded = NULL;
    struct trace_slices slices = {0};
    struct trace_slices_key key;
    char hash[MACHINE_HASH_SIZE];
    enum armpmu_status status = parse_slice(options->slice, &slices, err);

    if (status == ARMPMU_OK)
        status = machine_choice_load(options->run.machine, &options->run.settings, &loaded, err);
    if (status == ARMPMU_OK)
        status = make_key(loaded, trace, hash, &key, err);
    if (status == ARMPMU_OK)
        status = count(options, loaded, trace, &slices, err);
    if (status == ARMPMU_OK)
        status = write_slice(options->print.output, &slices, &key, err);
    trace_slices_free(&slices);
    armpmu_machine_free(loaded);
    return command_exit(status);
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum armpmu_status add_file(struct trace_slices *slices, const struct trace_slices_key *key,
                                   const char *name, struct armpmu_error *err)
{
    const struct file_source file = {name, "name a file of 'armpmu replay --slice'", FILE_MAX};
    char *bytes;
    size_t n;
    enum armpmu_status status = read_file_whole(&file, &bytes, &n, err);

    if (status == ARMPMU_OK)
        status = trace_slices_read(slices, key, name, (unsigned char *)bytes, n, err);
    free(bytes);
    return status;
}

enum armpmu_status replay_gather(const struct stat_options *options, struct trace_file *trace,
                                 char *const *names, struct trace_slices *slices,
                                 struct armpmu_error *err)
{
    struct armpmu_machine *loaded = NULL;
    struct trace_slices_key key;
    char hash[MACHINE_HASH_SIZE];
    enum armpmu_status status =
        machine_choice_load(options->run.machine, &options->run.settings, &loaded, err);

    *slices = (struct trace_slices){0};
    if (status == ARMPMU_OK)
        status = make_key(loaded, trace, hash, &key, err);
    for (; *names != NULL && status == ARMPMU_OK; names++)
        status = add_file(slices, &key, *names, err);
    armpmu_machine_free(loaded);
    return status;
}
