/* Cores that share their last-level cache: who else has a line, and what it costs to take it.
 *
 * Each core keeps its private caches; here is only what one asks of the others. There is no
 * directory: level 2 holds all that its data cache holds, so its tags say who has a line, and only
 * what misses level 2 or is not its own yet asks. A program of one thread pays one test for it.
 *
 *  - CHOICE(cluster-states): a line is in one core, or in several of which none has written it. A
 *    written line that another core loads is cleaned into the shared cache and stays, shared; one
 *    that another stores to leaves. The snooped core counts that as what it is by the manuals: a
 *    write-back for coherency (0x47, 0x57), an invalidation (0x48, 0x58), beats of the bus.
 *  - CHOICE(cluster-transfer): a line that another core has written, or that only another core has,
 *    takes `cores.transfer_cycles` from the time when it is there in that core. A store to a line
 *    that is shared takes as long when another core still has it, else `llc.hit_cycles`.
 *    With `llc.holds = victims`, a line that a second core loads is also put into the shared cache,
 *    and stays there while several cores have it.
 *  - CHOICE(cluster-end): a thread that ends leaves the lines it has written in the shared cache.
 *
 * Does not model: where in a mesh a core is, several clusters, bandwidth of the snoops, false hits
 * of snoop filters, coherence of instruction caches and of page walks. */
#include "cores/neoverse/memory.h"

#include <stdlib.h>

#include "armpmu/trace.h"
#include "base/array.h"
#include "base/error.h"

struct memory_cluster {
    struct memory_llc llc;
    struct neoverse_memory **cores;
    size_t n_cores, room;
};

/* ---- who shares ---- */

static enum armpmu_status make_room(struct memory_cluster *cluster, struct armpmu_error *err)
{
    return ARRAY_RESERVE(cluster->cores, cluster->room, cluster->n_cores + 1)
               ? ARMPMU_OK
               : fail_no_memory(err, "another core of the cluster");
}

static void add(struct memory_cluster *cluster, struct neoverse_memory *memory)
{
    cluster->cores[cluster->n_cores++] = memory;
    memory->cluster = cluster;
    memory->llc = &cluster->llc;
}

/* The core's own shared cache becomes the cluster's. */
static enum armpmu_status begin(struct neoverse_memory *memory, struct armpmu_error *err)
{
    struct memory_cluster *const cluster = calloc(1, sizeof *cluster);

    if (cluster == NULL || make_room(cluster, err) != ARMPMU_OK) {
        free(cluster);
        return fail_no_memory(err, "a cluster of cores");
    }
    cluster->llc = memory->own_llc;
    memory->own_llc = (struct memory_llc){0};
    add(cluster, memory);
    return ARMPMU_OK;
}

enum armpmu_status memory_join(struct neoverse_memory *memory, struct neoverse_memory *other,
                               uint64_t start, struct armpmu_error *err)
{
    enum armpmu_status status = other->cluster == NULL ? begin(other, err) : ARMPMU_OK;

    if (status == ARMPMU_OK)
        status = make_room(other->cluster, err);
    if (status != ARMPMU_OK)
        return status;
    memory_free_llc(&memory->own_llc);
    add(other->cluster, memory);
    memory->start = start;
    return ARMPMU_OK;
}

static bool is_written(const struct neoverse_memory *memory, uint64_t line, uint32_t slot)
{
    const uint32_t held = tag_array_peek(&memory->l1d, line);

    return memory->l2_lines[slot].dirty ||
           (held != TAG_ARRAY_NO_SLOT && memory->l1d_lines[held].dirty);
}

static void leave_lines(struct neoverse_memory *memory)
{
    for (uint32_t slot = 0; slot < memory->l2.sets * memory->l2.ways; slot++)
        if (memory->l2.names[slot] != 0 && is_written(memory, memory->l2.names[slot] - 1, slot))
            memory_keep_in_llc(memory, memory->l2.names[slot] - 1, true);
}

void memory_leave(struct neoverse_memory *memory)
{
    struct memory_cluster *const cluster = memory->cluster;
    size_t i = 0;

    if (cluster == NULL)
        return;
    leave_lines(memory);
    memory->cluster = NULL;
    while (cluster->cores[i] != memory)
        i++;
    cluster->cores[i] = cluster->cores[--cluster->n_cores];
    if (cluster->n_cores != 0)
        return;
    memory_free_llc(&cluster->llc);
    free(cluster->cores);
    free(cluster);
}

/* ---- who has a line ---- */

bool cluster_has(const struct neoverse_memory *memory, uint64_t line)
{
    const struct memory_cluster *const cluster = memory->cluster;

    for (size_t i = 0; i < cluster->n_cores; i++)
        if (cluster->cores[i] != memory &&
            tag_array_peek(&cluster->cores[i]->l2, line) != TAG_ARRAY_NO_SLOT)
            return true;
    return false;
}

/* Answers of the other cores. */
struct snoop {
    bool held, written; /* some of them had it, one of them had written it */
    uint64_t from;      /* the asking core's cycle from which it could be had */
};

/* A core gives up a line that it has in a slot, or the right to write it. */
static void give_up(struct neoverse_memory *owner, uint64_t line, uint32_t slot, bool for_store)
{
    const bool written = is_written(owner, line, slot);

    if (written || (!for_store && owner->machine->llc_holds == LLC_VICTIMS))
        memory_keep_in_llc(owner, line, written);
    owner->l2_lines[slot].shared = true;
    memory_maintain_line(owner, line,
                         ARMPMU_CACHE_CLEAN | (for_store ? ARMPMU_CACHE_INVALIDATE : 0));
}

/* A cycle of another core as this one counts them; before its first: 0. */
static uint64_t cycle_here(const struct neoverse_memory *memory,
                           const struct neoverse_memory *other, uint64_t cycle)
{
    const uint64_t of_cluster = other->start + cycle;

    return of_cluster > memory->start ? of_cluster - memory->start : 0;
}

static struct snoop snoop(struct neoverse_memory *memory, uint64_t line, bool for_store)
{
    const struct memory_cluster *const cluster = memory->cluster;
    struct snoop found = {0};

    for (size_t i = 0; i < cluster->n_cores; i++) {
        struct neoverse_memory *const owner = cluster->cores[i];
        const uint32_t slot =
            owner != memory ? tag_array_peek(&owner->l2, line) : TAG_ARRAY_NO_SLOT;
        if (slot == TAG_ARRAY_NO_SLOT)
            continue;
        const uint64_t there = cycle_here(memory, owner, owner->l2_lines[slot].arrives);
        found.held = true;
        found.written |= is_written(owner, line, slot);
        found.from = ooo_later(found.from, there);
        give_up(owner, line, slot, for_store);
    }
    return found;
}

void cluster_ask(struct neoverse_memory *memory, uint64_t line, struct memory_line *state,
                 bool for_store, uint64_t at)
{
    const bool was_shared = tag_array_peek(&memory->llc->tags, line) != TAG_ARRAY_NO_SLOT;
    const struct snoop found = snoop(memory, line, for_store);

    if (!found.held)
        return;
    state->shared = !for_store;
    if (found.written || !was_shared) {
        access_comes_from(&memory->seen, ARMPMU_FROM_CORE);
        state->arrives = ooo_later(at, found.from) + memory->machine->cores_transfer_cycles;
    }
    memory->reads.latest[(memory->reads.n - 1) % OOO_RING].ends = state->arrives;
}

void cluster_claim_stream(struct neoverse_memory *memory, uint64_t line, struct memory_line *state,
                          uint64_t at)
{
    const struct snoop found = snoop(memory, line, true);

    if (!found.held)
        return;
    access_comes_from(&memory->seen, ARMPMU_FROM_CORE);
    state->arrives = ooo_later(state->arrives,
                               ooo_later(at, found.from) + memory->machine->cores_transfer_cycles);
}

void cluster_claim(struct neoverse_memory *memory, uint64_t line, struct memory_line *state,
                   uint64_t at)
{
    struct memory_line *const held = &memory->l2_lines[tag_array_peek(&memory->l2, line)];

    if (!held->shared)
        return;
    const struct snoop found = snoop(memory, line, true);
    const uint64_t asked = ooo_later(ooo_later(at, state->arrives), found.from);
    held->shared = false;
    if (found.held)
        access_comes_from(&memory->seen, ARMPMU_FROM_CORE);
    state->arrives = asked + (found.held ? memory->machine->cores_transfer_cycles
                                         : memory->machine->llc_hit_cycles);
    held->arrives = state->arrives;
}
