/* The event counts of a random stream on a machine, a line "EVENT COUNT" each.
 *
 * usage: stream-counts MACHINE MACHINES_FOLDER SEED user|system */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cores/random_trace.h"

enum { BLOCKS = 4000 };

static void print_counts(const struct armpmu_core *core, const uint64_t *signals)
{
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *event = &core->events[i];
        if (event->fidelity != ARMPMU_RESERVED)
            printf("%s %" PRIu64 "\n", event->name, armpmu_event_count(event, signals));
    }
}

int main(int argc, char **argv)
{
    struct armpmu_error err = {""};
    struct armpmu_machine *machine;
    struct armpmu_code *code;
    struct armpmu_sim *sim;
    struct random_stream stream;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    if (argc != 5)
        return 2;
    random_stream_init(&stream, strtoull(argv[3], NULL, 10), strcmp(argv[4], "system") == 0,
                       BLOCKS);
    if (armpmu_machine_load(argv[1], argv[2], &machine, &err) != ARMPMU_OK ||
        armpmu_code_new(random_stream_lookup, &stream, &code, &err) != ARMPMU_OK ||
        armpmu_sim_new(machine, code, &sim, &err) != ARMPMU_OK ||
        armpmu_sim_run(sim, stream.blocks.word, stream.blocks.n, &err) != ARMPMU_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    armpmu_sim_finish(sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(sim, signals);
    print_counts(armpmu_machine_core(machine), signals);
    armpmu_sim_free(sim);
    armpmu_code_free(code);
    armpmu_machine_free(machine);
    random_stream_free(&stream);
    return 0;
}
