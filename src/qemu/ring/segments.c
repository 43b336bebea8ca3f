#include "qemu/ring/segments.h"

#include <stdlib.h>

#include "qemu/ring/layout.h"

#define SEGMENT_STEPS_MAX (UINT64_C(1) << 26)

/* The program can change it between two reads. */
static uint32_t read_once(const volatile uint32_t *number)
{
    return *number;
}

/* The result. Processes are numbered from 1. */
struct needs {
    void *ring;
    uint64_t steps_left; /* steps that may be taken: the program can write owners without end */
    const _Atomic uint32_t *reached;
    uint32_t n_processes, n_traces;
    uint32_t *executes; /* of a process: generation of the blocks it executes, UINT32_MAX: over */
    bool *inherited;    /* of a process: somebody needs blocks that it had when it began */
};

/* A process that is about to begin, or did not come about, has no pid. */
static uint32_t executes(const struct needs *needs, uint32_t number, bool (*is_alive)(int32_t pid))
{
    const struct ring_process *process = ring_process(needs->ring, number);
    const int32_t pid = atomic_load_explicit(&process->pid, memory_order_acquire);

    if (pid != 0 && !is_alive(pid))
        return UINT32_MAX;
    return atomic_load_explicit(&process->generation, memory_order_acquire);
}

/* The latest generation that a trace of the process has records of; a thread that sleeps leaves
 * some out. */
static uint32_t latest(const struct needs *needs, uint32_t index, uint32_t process,
                       const struct ring_trace *trace)
{
    const struct ring_slot *slot = ring_slot(needs->ring, process, trace->slot % RING_SLOTS);

    return slot->trace == index + 1 ? slot->generation : UINT32_MAX;
}

/* Returns whether a trace of the process, still to be read, names blocks of the generation. */
static bool trace_names(const struct needs *needs, uint32_t index, uint32_t process,
                        uint32_t generation)
{
    const struct ring_trace *trace = ring_trace(needs->ring, index);
    const uint32_t come_to = atomic_load(&needs->reached[index]);

    if (atomic_load_explicit(&trace->state, memory_order_acquire) == 0 ||
        trace->process != process || come_to == SEGMENTS_FINISHED)
        return false;
    const uint32_t earliest = come_to == 0 ? trace->opened_in : come_to - 1;
    return earliest <= generation && generation <= latest(needs, index, process, trace);
}

/* Children have higher numbers than their parents. */
static void find_inherited(const struct needs *needs)
{
    for (uint32_t i = 0; i < needs->n_traces; i++) {
        const uint32_t number = read_once(&ring_trace(needs->ring, i)->process);
        if (number != 0 && number <= needs->n_processes && !needs->inherited[number])
            needs->inherited[number] = trace_names(needs, i, number, 0);
    }
    for (uint32_t number = needs->n_processes; number > 0; number--) {
        const struct ring_process *process = ring_process(needs->ring, number);
        const uint32_t parent = read_once(&process->parent);
        needs->inherited[number] |= needs->executes[number] == 0;
        if (needs->inherited[number] && process->parent_generation == 0 && parent < number)
            needs->inherited[parent] = true;
    }
}

/* When no steps are left all that is left counts as needed. */
static bool is_needed(struct needs *needs, uint64_t owner)
{
    const uint32_t number = (uint32_t)(owner >> 32), generation = (uint32_t)owner;
    const uint64_t steps = (uint64_t)needs->n_traces + needs->n_processes;

    if (needs->steps_left < steps)
        return true;
    needs->steps_left -= steps;
    if (number == 0 || number > needs->n_processes || needs->executes[number] == generation)
        return true;
    for (uint32_t i = 0; i < needs->n_traces; i++)
        if (trace_names(needs, i, number, generation))
            return true;
    for (uint32_t child = number + 1; child <= needs->n_processes; child++) {
        const struct ring_process *process = ring_process(needs->ring, child);
        if (needs->inherited[child] && process->parent == number &&
            process->parent_generation == generation)
            return true;
    }
    return false;
}

static uint32_t free_unneeded(struct needs *needs)
{
    uint32_t freed = 0;
    uint64_t last = 0; /* many in a row have the same owner */
    bool needed = true;

    for (uint32_t i = 0; i < RING_SEGMENTS; i++) {
        struct ring_segment *segment = ring_segment(needs->ring, i);
        const uint64_t owner = atomic_load_explicit(&segment->owner, memory_order_acquire);
        if (owner == 0)
            continue;
        if (owner != last)
            needed = is_needed(needs, owner);
        last = owner;
        if (needed)
            continue;
        atomic_store_explicit(&segment->owner, 0, memory_order_release);
        freed++;
    }
    return freed;
}

/* Processes come before traces: the traces of one that has ended have all been announced. A
 * process that began meanwhile may still use blocks of a generation that its parent has left
 * since. */
static uint32_t find_out_and_free(struct needs *needs, bool (*is_alive)(int32_t pid))
{
    const struct ring_header *header = needs->ring;

    for (uint32_t number = 1; number <= needs->n_processes; number++)
        needs->executes[number] = executes(needs, number, is_alive);
    needs->n_traces = atomic_load(&header->n_traces) & ~RING_TRACES_CLOSED;
    if (needs->n_traces > RING_TRACES_MAX)
        needs->n_traces = RING_TRACES_MAX;
    find_inherited(needs);
    return atomic_load(&header->n_processes) == needs->n_processes ? free_unneeded(needs) : 0;
}

uint32_t segments_free(void *ring, const _Atomic uint32_t *reached, bool (*is_alive)(int32_t pid))
{
    const struct ring_header *header = ring;
    const uint32_t n = atomic_load(&header->n_processes);
    uint32_t freed = 0;

    if (n > RING_PROCESSES_MAX)
        return 0;
    struct needs needs = {
        .ring = ring, .steps_left = SEGMENT_STEPS_MAX, .reached = reached, .n_processes = n};
    needs.executes = calloc(n + 1, sizeof *needs.executes);
    needs.inherited = calloc(n + 1, sizeof *needs.inherited);
    if (needs.executes != NULL && needs.inherited != NULL)
        freed = find_out_and_free(&needs, is_alive);
    free(needs.executes);
    free(needs.inherited);
    return freed;
}
