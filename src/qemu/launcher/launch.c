#include "qemu/launcher/launch.h"

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "qemu/launcher/foreground.h"
#include "qemu/launcher/plugin_option.h"
#include "qemu/launcher/stable.h"
#include "qemu/launcher/stable_streams.h"

#define PROGRAM_LOOK_MS 100

/* How many addresses an AArch64 program has. With a number QEMU chooses where its memory is mapped,
 * the same on each host, as it does for 32-bit programs. Without, from version 8.2 on, the host's
 * kernel chooses at random. As large a part as fits between QEMU, the ring (ring/writer.c) and
 * libraries on a host with 47 bits of addresses, several times. */
#define AARCH64_ADDRESSES "16384G"

/* QEMU's arguments; the guest's own follow its file. */
static const char **arguments(const struct launch *launch, const char *option)
{
    const struct core_emulator *const emulator = &launch->core->emulator;
    const char *const addresses = emulator->elf_class == ELFCLASS64 ? AARCH64_ADDRESSES : "0";
    const char *const fixed[] = {launch->qemu, "-cpu", launch->cpu,    "-seed",
                                 "1",          "-R",   addresses,      "-plugin",
                                 option,       "-0",   launch->argv[0]};
    size_t n_guest = 0, n = 0;
    while (launch->argv[n_guest] != NULL)
        n_guest++;
    const char **argv = calloc(sizeof fixed / sizeof fixed[0] + n_guest + 4, sizeof *argv);
    if (argv == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        argv[n++] = fixed[i];
    if (launch->sysroot[0] != '\0') {
        argv[n++] = "-L";
        argv[n++] = launch->sysroot;
    }
    argv[n++] = launch->program;
    for (size_t i = 1; i < n_guest; i++)
        argv[n++] = launch->argv[i];
    return argv;
}

/* Runs it with pipes in place of its streams where its surroundings are fixed. */
static enum armpmu_status start(struct foreground *guest, bool is_stable,
                                struct stable_streams *streams, struct armpmu_error *err)
{
    enum armpmu_status status = is_stable ? stable_streams_open(streams, err) : ARMPMU_OK;

    if (status == ARMPMU_OK && is_stable) {
        guest->output = streams->output;
        guest->error = streams->error;
    }
    if (status == ARMPMU_OK)
        status = foreground_start(guest, err);
    stable_streams_started(streams);
    return status;
}

static void watch_program(struct run_watch *watch, struct foreground *program)
{
    watch->start = clock_now();
    watch->pid = program->pid;
    program->look_ms = PROGRAM_LOOK_MS;
    program->look = run_watch_look;
    program->user = watch;
}

enum armpmu_status launch_and_wait(const struct launch *launch, struct launched *out,
                                   struct armpmu_error *err)
{
    static const char *const only[] = {
        [ENGINE_ALL] = NULL, [ENGINE_INSNS] = "insns", [ENGINE_BRANCHES] = "branches"};
    const int ring = ring_descriptor(launch->ring);
    char number[16], vector[16];
    snprintf(number, sizeof number, "%d", ring);
    snprintf(vector, sizeof vector, "%u", launch->core->emulator.vector_bytes);
    const struct plugin_argument plugin[] = {
        {"file", launch->plugin},
        {"ring", number},
        {"target", launch->core->emulator.target},
        {"files", launch->names_files ? "1" : NULL},
        {"allocations", launch->tells_allocations ? "1" : NULL},
        {"only", only[launch->only]},
        {"vector", launch->core->emulator.vector_bytes != 0 ? vector : NULL},
        {"children", launch->only_first ? "0" : NULL},
        {NULL, NULL}};
    char *option = plugin_option(plugin);
    const char **argv = option != NULL ? arguments(launch, option) : NULL;
    struct foreground guest = {.argv = argv,
                               .environment = launch->environment,
                               .stack_bytes = launch->environment != NULL ? STABLE_STACK_BYTES : 0,
                               .kept = ring,
                               .death_signal = launch->keep_running ? 0 : SIGKILL};

    struct stable_streams streams = {.output = -1, .error = -1, .control = -1, .copier = -1};

    *out = (struct launched){0};
    enum armpmu_status status = argv != NULL
                                    ? start(&guest, launch->environment != NULL, &streams, err)
                                    : fail_no_memory(err, "the program's arguments");
    if (status == ARMPMU_OK) {
        ring_set_program(launch->ring, guest.pid);
        if (launch->watch != NULL)
            watch_program(launch->watch, &guest);
        const int wait_status = foreground_wait(&guest);
        *out = (struct launched){guest.pid, wait_status, foreground_interrupted(wait_status)};
    }
    stable_streams_finish(&streams);
    free(argv);
    free(option);
    return status;
}
