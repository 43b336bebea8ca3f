/* The recorder's state, its start, and its place among the plugin's modes. */
#include "qemu/plugin/recorder_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/plugin_mode.h"
#include "qemu/ring/writer.h"
#include "qemu/plugin/tb_info.h"

struct recorder recorder = {.lock = PTHREAD_MUTEX_INITIALIZER,
                            .process = 1,
                            .descriptor = -1,
                            .segment = SEGMENT_NONE,
                            .counts_children = true};

void recorder_fail(const char *message)
{
    struct ring_header *header = recorder.header;
    if (atomic_load(&header->plugin) == RING_PLUGIN_FAILED)
        return;
    snprintf(header->message, sizeof header->message, "%s", message);
    atomic_store_explicit(&header->plugin, RING_PLUGIN_FAILED, memory_order_release);
    atomic_store(&header->detached, RING_RUNS_ON);
}

/* The value of an argument "name=value", NULL when it is not there. name with its '='. */
static const char *argument(int argc, char **argv, const char *name)
{
    const char *value = NULL;
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], name, strlen(name)) == 0)
            value = argv[i] + strlen(name);
    return value;
}

static const char *attach(const char *descriptor)
{
    const char *const problem = ring_map(descriptor, &recorder.ring, &recorder.descriptor);
    if (problem != NULL)
        return problem;
    recorder.header = recorder.ring;
    if (recorder.header->magic != RING_MAGIC || recorder.header->bytes != RING_BYTES)
        return "armpmu-qemu.so and armpmu are from different versions: install both again";
    if (recorder.replaces != 0)
        recorder.process = atomic_fetch_add(&recorder.header->n_processes, 1) + 1;
    if (!recorder_map_slots(recorder.process))
        return "armpmu-qemu.so cannot map the memory shared with armpmu a second time: the address "
               "space is limited (ulimit -v)";
    return NULL;
}

/* A QEMU that was named for programs of the other kind. */
static const char *wrong_target(bool wants_a64)
{
    return wants_a64 ? "this QEMU does not run AArch64 programs: name a qemu-aarch64 with --qemu "
                       "or ARMPMU_QEMU"
                     : "this QEMU does not run 32-bit little-endian Arm programs: name a qemu-arm "
                       "with --qemu or ARMPMU_QEMU";
}

static const char *start(const struct qemu_info *info, int argc, char **argv)
{
    const char *const replaces = argument(argc, argv, "replaces=");
    recorder.replaces = replaces != NULL ? (uint32_t)strtoul(replaces, NULL, 10) : 0;
    recorder.counts_children = argument(argc, argv, "children=") == NULL;
    const char *problem = attach(argument(argc, argv, "ring="));
    const char *target = argument(argc, argv, "target=");

    if (target == NULL)
        target = "arm";
    recorder.is_a64 = strcmp(target, "aarch64") == 0;
    const char *const only = argument(argc, argv, "only=");
    recorder.only_insns = only != NULL;
    recorder.counts_branches = only != NULL && strcmp(only, "branches") == 0;
    const char *const vector = argument(argc, argv, "vector=");
    recorder.vector_bytes = vector != NULL ? (unsigned)strtoul(vector, NULL, 10) : 0;
    recorder.names_files = argument(argc, argv, "files=") != NULL;
    recorder.tells_allocations = argument(argc, argv, "allocations=") != NULL;
    exec_follow_start(recorder.is_a64);
    if (problem == NULL && strcmp(info->target_name, target) != 0)
        problem = wrong_target(recorder.is_a64);
    return problem;
}

static void at_exit(void)
{
    if (recorder.only_insns)
        recorder_counts_show(true);
}

static void refuse(const char *problem)
{
    if (recorder.header != NULL)
        recorder_fail(problem);
    else
        fprintf(stderr, "%s\n", problem);
}

/* At the program's first instruction no process has a descriptor of the ring, but for one that
 * it does not see. */
static void ready(void)
{
    struct ring_header *const header = recorder.header;

    recorder.only_insns = recorder.only_insns && recorder_counts_start();
    header->is_a64 = recorder.is_a64;
    header->lacks_registers = tb_info_cpsr == NULL;
    recorder_enter_process();
    recorder_follow_forks();
    if (recorder.replaces == 0) {
        atomic_store_explicit(&header->plugin, RING_PLUGIN_READY, memory_order_release);
        ring_announce(header);
    }
    while (atomic_load(&header->closed) == 0 && !recorder_consumer_is_gone())
        ring_wait(&header->closed, 0, ARMPMU_POLL_NS);
    if (recorder.only_insns)
        recorder_counts_begin(0);
    recorder_start_watch();
}

const struct plugin_mode mode_recorder = {
    .start = start,
    .refuse = refuse,
    .ready = ready,
    .translate = recorder_translate,
    .flush = recorder_flush,
    .vcpu_starts = recorder_thread_created,
    .vcpu_ends = recorder_thread_ended,
    .syscall_starts = recorder_syscall_starts,
    .syscall_returns = recorder_syscall_returns,
    .at_exit = at_exit,
};
