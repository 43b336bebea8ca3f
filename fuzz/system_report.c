/* Fuzzes the reading of what the plugin reports of a machine: whatever the bytes and however they
 * are cut, the same records or the same message as in one piece, and counts of processors that can
 * be. The first byte is the size of the code_blocks. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "qemu/launcher/system_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool holds)
{
    if (!holds)
        abort();
}

struct sum {
    uint64_t records, cycles, counts, tasks, paths[ENGINE_GUEST_CPUS_MAX], rows;
};

static bool add(void *user, const struct engine_guest_record *record)
{
    struct sum *const sum = user;

    require(record->n_cpus <= ENGINE_GUEST_CPUS_MAX);
    sum->records++;
    sum->cycles = sum->cycles * 31 + record->cycles;
    for (unsigned cpu = 0; cpu < record->n_cpus; cpu++)
        for (unsigned mode = 0; mode < ENGINE_GUEST_MODES; mode++)
            for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
                sum->counts = sum->counts * 31 + record->signals[cpu][mode][i];
    return record->cycles % 2 == 0;
}

static enum armpmu_status add_task(void *user, const struct engine_guest_task *task,
                                   struct armpmu_error *err)
{
    struct sum *const sum = user;

    (void)err;
    require(task->context == ++sum->tasks && task->name != NULL);
    return ARMPMU_OK;
}

static enum armpmu_status add_path(void *user, unsigned cpu, const struct armpmu_profile_path *path,
                                   struct armpmu_error *err)
{
    struct sum *const sum = user;

    (void)err;
    require(cpu < ENGINE_GUEST_CPUS_MAX && path->parent <= sum->paths[cpu] &&
            path->context <= sum->tasks);
    sum->paths[cpu]++;
    return ARMPMU_OK;
}

static enum armpmu_status add_row(void *user, unsigned cpu, const struct armpmu_profile_row *row,
                                  struct armpmu_error *err)
{
    struct sum *const sum = user;

    (void)err;
    require(cpu < ENGINE_GUEST_CPUS_MAX && row->path < sum->paths[cpu] &&
            row->n_bytes <= sizeof row->bytes);
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        sum->rows = sum->rows * 31 + row->signals[i];
    return ARMPMU_OK;
}

static void feed(struct system_report *report, struct sum *sum, const uint8_t *bytes, size_t length,
                 size_t code_block)
{
    static const struct guest_setup setup = {
        .on_task = add_task, .on_path = add_path, .on_row = add_row};
    const struct run job = {.guest = &setup, .user = sum};
    struct armpmu_error err = {""};

    *sum = (struct sum){0};
    if (system_report_init(report, "cortex-a8", &err) != ARMPMU_OK)
        exit(0);
    report->on_record = add;
    report->user = sum;
    report->profile = &job;
    for (size_t at = 0; at < length; at += code_block)
        system_report_feed(report, (const char *)bytes + at,
                           length - at < code_block ? length - at : code_block);
    (void)system_report_counted(report);
    report->profile = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct system_report whole, code_blocks;
    struct sum of_whole, of_pieces;

    if (length < 1)
        return 0;
    feed(&whole, &of_whole, bytes + 1, length - 1, length);
    feed(&code_blocks, &of_pieces, bytes + 1, length - 1, 1 + bytes[0]);
    require(memcmp(&of_whole, &of_pieces, sizeof of_whole) == 0);
    require(whole.status == code_blocks.status && whole.complete == code_blocks.complete);
    require((whole.status == ARMPMU_OK) == !whole.error.message[0]);
    require(strcmp(whole.error.message, code_blocks.error.message) == 0);
    require(of_whole.records == whole.n_records && whole.n_cpus <= ENGINE_GUEST_CPUS_MAX);
    system_report_free(&whole);
    system_report_free(&code_blocks);
    return 0;
}
