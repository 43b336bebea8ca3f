/* Saves the execution trace of a program, for bench-replay; bench/traces.py runs it.
 *
 *   ARMPMU_PLUGIN=build/armpmu-qemu.so bench-record MACHINE FOLDER_OF_MACHINES FILE PROGRAM
 * [ARGUMENT...]
 *
 * Runs the program as `armpmu stat` does, and writes down the calls that the launcher makes of the
 * core models (the linker's --wrap, see meson.build): records, block definitions, renames, the end.
 * Assumes that the program has one thread; another one is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "armpmu/machine.h"
#include "bench/trace_file.h"
#include "qemu/engine.h"

enum armpmu_status __real_armpmu_code_new(armpmu_block_lookup lookup, void *user,
                                          struct armpmu_code **out, struct armpmu_error *err);
enum armpmu_status __wrap_armpmu_code_new(armpmu_block_lookup lookup, void *user,
                                          struct armpmu_code **out, struct armpmu_error *err);
enum armpmu_status __real_armpmu_sim_run(struct armpmu_sim *sim, const uint64_t *records,
                                         size_t n_records, struct armpmu_error *err);
enum armpmu_status __wrap_armpmu_sim_run(struct armpmu_sim *sim, const uint64_t *records,
                                         size_t n_records, struct armpmu_error *err);
void __real_armpmu_sim_rename(struct armpmu_sim *sim);
void __wrap_armpmu_sim_rename(struct armpmu_sim *sim);
void __real_armpmu_sim_finish(struct armpmu_sim *sim, enum armpmu_end end);
void __wrap_armpmu_sim_finish(struct armpmu_sim *sim, enum armpmu_end end);

static FILE *file;
static armpmu_block_lookup real_lookup;
static const struct armpmu_sim *recorded; /* the core model of the one thread */

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench-record: %s: %s\n", what, why);
    exit(1);
}

static void put(const void *bytes, size_t n)
{
    if (n > 0 && fwrite(bytes, n, 1, file) != 1)
        die("the trace", "cannot be written; is there room?");
}

static void put_item(enum trace_item_kind kind, size_t n)
{
    const struct trace_item item = {.kind = kind, .n = (uint32_t)n};
    put(&item, sizeof item);
}

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    static const uint8_t padding[8];

    if (!real_lookup(user, id, out))
        return false;
    const struct trace_block block = {.address = out->address,
                                      .id = id,
                                      .n_insns = out->n_insns,
                                      .isa = (uint8_t)out->isa,
                                      .it_known = out->it_known,
                                      .it_before = out->it_before,
                                      .has_bytes = out->bytes != NULL,
                                      .n_bytes = out->n_bytes};
    const size_t n_code = block.has_bytes ? block.n_bytes : 0;
    put_item(TRACE_BLOCK, n_code);
    put(&block, sizeof block);
    put(out->bytes, n_code);
    put(padding, -n_code & 7);
    return true;
}

enum armpmu_status __wrap_armpmu_code_new(armpmu_block_lookup lookup, void *user,
                                          struct armpmu_code **out, struct armpmu_error *err)
{
    real_lookup = lookup;
    return __real_armpmu_code_new(look_up, user, out, err);
}

static void check_thread(const struct armpmu_sim *sim)
{
    if (recorded != NULL && recorded != sim)
        die("the program", "has more than one thread; choose one with a single thread");
    recorded = sim;
}

enum armpmu_status __wrap_armpmu_sim_run(struct armpmu_sim *sim, const uint64_t *records,
                                         size_t n_records, struct armpmu_error *err)
{
    check_thread(sim);
    put_item(TRACE_RECORDS, n_records);
    put(records, n_records * sizeof *records);
    return __real_armpmu_sim_run(sim, records, n_records, err);
}

void __wrap_armpmu_sim_rename(struct armpmu_sim *sim)
{
    check_thread(sim);
    put_item(TRACE_RENAME, 0);
    __real_armpmu_sim_rename(sim);
}

void __wrap_armpmu_sim_finish(struct armpmu_sim *sim, enum armpmu_end end)
{
    check_thread(sim);
    put_item(TRACE_FINISH, end);
    __real_armpmu_sim_finish(sim, end);
}

static void run(const struct engine_job *job)
{
    struct armpmu_error err = {0};
    struct engine_result result;

    if (engine_qemu_run(job, &result, &err) != ARMPMU_OK)
        die(job->argv[0], err.message);
    if (result.problem.message[0] != '\0')
        die(job->argv[0], result.problem.message);
    if (!WIFEXITED(result.wait_status) || WEXITSTATUS(result.wait_status) != 0)
        die(job->argv[0], "failed");
    engine_result_free(&result);
}

int main(int argc, char **argv)
{
    const uint64_t magic = TRACE_FILE_MAGIC;
    struct armpmu_error err = {0};
    struct armpmu_machine *machine;

    if (argc < 5) {
        fprintf(stderr, "usage: bench-record MACHINE FOLDER_OF_MACHINES FILE PROGRAM "
                        "[ARGUMENT...]\n");
        return 2;
    }
    if (armpmu_machine_load(argv[1], argv[2], &machine, &err) != ARMPMU_OK)
        die(argv[1], err.message);
    file = fopen(argv[3], "wb");
    if (file == NULL)
        die(argv[3], "cannot be written");
    put(&magic, sizeof magic);
    run(&(struct engine_job){.machine = machine, .argv = (const char *const *)argv + 4});
    if (fclose(file) != 0)
        die(argv[3], "cannot be written; is there room?");
    armpmu_machine_free(machine);
    return 0;
}
