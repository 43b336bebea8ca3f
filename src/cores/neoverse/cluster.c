/* Cores that share their last cache: which other core has a line, and the cost of taking it.
 *
 * Each core keeps its private caches; here is only what one asks of the others. There is no
 * directory: the last cache of its own holds all that a core has, so its tags say who has a line,
 * and only what misses there or is not its own yet asks. That is level 2, or with `l2.shared` the
 * data cache. A program of one thread pays one test for it.
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
 *  - CHOICE(cluster-level2): a level 2 that cores share holds all that their data caches hold. A
 * line that it loses leaves them all, and is written back by the core that displaces it. A line
 * that another data cache has written, or has alone, comes from there, `cores.transfer_cycles`
 * later than from level 2; what it has written is in level 2 then. Nothing of that leaves the
 * cluster. A store to a line that is shared asks level 2 first. Lines to and from memory share
 *    `memory.line_cycles`.
 *  - A private level 2 that holds victims (CHOICE(l2-victims)) is no directory of the data cache:
 *    both are asked.
 *  - CHOICE(cluster-end): a thread that ends leaves the lines it has written in the shared cache.
 *
 * Does not model: where in a mesh a core is, several clusters, bandwidth of the snoops, false hits
 * of snoop filters, coherence of instruction caches and of page walks; of a shared level 2: banks,
 * `l2.line_cycles` and `l2.fill_buffers` of all cores together. */
#include "cores/neoverse/memory.h"

#include <stdlib.h>

#include "armpmu/trace.h"
#include "base/array.h"
#include "base/error.h"

struct memory_cluster {
    struct memory_level2 level2;  /* where the machine shares it... */
    struct memory_fills fills[2]; /* ...and what it read from memory; what streams wrote there */
    struct memory_llc llc;
    bool *huge; /* as of a core */
    struct neoverse_memory **cores;
    size_t n_cores, room;
};

static bool shares_l2(const struct neoverse_memory *memory)
{
    return memory->machine->l2_shared == YESNO_YES;
}

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
    memory->huge = cluster->huge;
    if (shares_l2(memory))
        memory->l2 = &cluster->level2;
}

/* Lines of the core become the cluster's. */
static enum armpmu_status begin(struct neoverse_memory *memory, struct armpmu_error *err)
{
    struct memory_cluster *const cluster = calloc(1, sizeof *cluster);

    if (cluster == NULL || make_room(cluster, err) != ARMPMU_OK) {
        free(cluster);
        return fail_no_memory(err, "a cluster of cores");
    }
    cluster->huge = memory->huge;
    cluster->llc = memory->own_llc;
    memory->own_llc = (struct memory_llc){0};
    if (shares_l2(memory)) {
        cluster->level2 = memory->own_l2;
        memory->own_l2 = (struct memory_level2){0};
    }
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
    free(memory->huge);
    if (shares_l2(memory))
        memory_free_level2(&memory->own_l2);
    add(other->cluster, memory);
    memory->start = start;
    return ARMPMU_OK;
}

/* A line in the last own cache of a core that has it. */
struct own_line {
    struct memory_line *state; /* NULL: it has not */
    bool in_l1d;               /* there: `state` knows cycles of the core */
};

static struct own_line in_l1d(const struct neoverse_memory *memory, uint64_t line)
{
    const uint32_t slot = tag_array_peek(&memory->l1d, line);

    return (struct own_line){slot != TAG_ARRAY_NO_SLOT ? &memory->l1d_lines[slot] : NULL, true};
}

/* That is the data cache where level 2 is shared, else level 2, and where that holds victims either
 * of them. */
static struct own_line find_own(const struct neoverse_memory *memory, uint64_t line)
{
    if (shares_l2(memory))
        return in_l1d(memory, line);
    const uint32_t slot = tag_array_peek(&memory->l2->tags, line);

    if (slot != TAG_ARRAY_NO_SLOT)
        return (struct own_line){&memory->l2->lines[slot], false};
    return memory_l2_has_victims(memory) ? in_l1d(memory, line) : (struct own_line){0};
}

/* Returns whether the core has written a line that it has. */
static bool is_written(const struct neoverse_memory *memory, uint64_t line, struct own_line own)
{
    const uint32_t held = tag_array_peek(&memory->l1d, line);

    return own.state->dirty || (held != TAG_ARRAY_NO_SLOT && memory->l1d_lines[held].dirty);
}

static void leave_line(struct neoverse_memory *memory, uint64_t line)
{
    const struct own_line own = find_own(memory, line);

    if (own.state == NULL || !is_written(memory, line, own))
        return;
    if (shares_l2(memory))
        memory->l2->lines[tag_array_peek(&memory->l2->tags, line)].dirty = true;
    else
        memory_keep_in_llc(memory, line, true);
}

static void leave_lines(struct neoverse_memory *memory, const struct tag_array *own)
{
    for (uint32_t slot = 0; slot < own->sets * own->ways; slot++)
        if (own->names[slot] != 0)
            leave_line(memory, own->names[slot] - 1);
}

void memory_leave(struct neoverse_memory *memory)
{
    struct memory_cluster *const cluster = memory->cluster;
    size_t i = 0;

    if (cluster == NULL)
        return;
    if (shares_l2(memory) || memory_l2_has_victims(memory))
        leave_lines(memory, &memory->l1d);
    if (!shares_l2(memory))
        leave_lines(memory, &memory->l2->tags);
    memory->cluster = NULL;
    memory->huge = NULL;
    while (cluster->cores[i] != memory)
        i++;
    cluster->cores[i] = cluster->cores[--cluster->n_cores];
    if (cluster->n_cores != 0)
        return;
    memory_free_level2(&cluster->level2);
    memory_free_llc(&cluster->llc);
    free(cluster->huge);
    free(cluster->cores);
    free(cluster);
}

void cluster_forget_pages(struct neoverse_memory *memory)
{
    for (size_t i = 0; i < memory->cluster->n_cores; i++)
        memory_forget_pages(memory->cluster->cores[i]);
}

/* As in one core, of the lines of all of them: so each has as many as it asks for in its turn. */
uint64_t cluster_fill(const struct neoverse_memory *memory, bool writes, uint64_t arrives)
{
    const struct armpmu_machine *const machine = memory->machine;
    struct memory_fills *const fills = &memory->cluster->fills[writes];
    const struct memory_fill *const before =
        &fills->latest[(fills->n - machine->l2_fill_buffers) % OOO_RING];
    const uint64_t transferred = memory->l2->transferred;
    uint64_t there = memory->start + arrives;

    if (fills->n >= machine->l2_fill_buffers)
        there = ooo_later(there, before->ends + transferred - before->transferred);
    fills->latest[fills->n++ % OOO_RING] = (struct memory_fill){there, transferred, 0};
    return there - memory->start;
}

/* ---- who has a line ---- */

/* A line of a core, but not of the one that asks. */
static struct own_line find_in_other(const struct neoverse_memory *memory,
                                     const struct neoverse_memory *asks, uint64_t line)
{
    return memory != asks ? find_own(memory, line) : (struct own_line){0};
}

bool cluster_has(const struct neoverse_memory *memory, uint64_t line)
{
    const struct memory_cluster *const cluster = memory->cluster;

    if (shares_l2(memory)) /* which would have it */
        return false;
    for (size_t i = 0; i < cluster->n_cores; i++)
        if (find_in_other(cluster->cores[i], memory, line).state != NULL)
            return true;
    return false;
}

/* Answers of the other cores. */
struct snoop {
    bool held, written,
        alone;     /* some of them had it, one of them had written it, only one had it */
    uint64_t from; /* the asking core's cycle from which it could be had */
};

/* A core gives up a line that it has, or the right to write it. */
static void give_up(struct neoverse_memory *owner, uint64_t line, struct own_line own,
                    bool for_store)
{
    const bool written = is_written(owner, line, own);
    const unsigned bits = ARMPMU_CACHE_CLEAN | (for_store ? ARMPMU_CACHE_INVALIDATE : 0);

    own.state->shared = true;
    if (shares_l2(owner)) {
        memory_maintain_l1d(owner, line, bits);
        return;
    }
    if (written || (!for_store && owner->machine->llc_holds == HOLDS_VICTIMS))
        memory_keep_in_llc(owner, line, written);
    memory_maintain_line(owner, line, bits);
}

/* The cycle of the cluster from which a line is there. */
static uint64_t arrival(const struct neoverse_memory *memory, struct own_line own)
{
    return own.state->arrives + (own.in_l1d ? memory->start : 0);
}

static struct snoop snoop(struct neoverse_memory *memory, uint64_t line, bool for_store)
{
    const struct memory_cluster *const cluster = memory->cluster;
    struct snoop found = {0};

    for (size_t i = 0; i < cluster->n_cores; i++) {
        struct neoverse_memory *const owner = cluster->cores[i];
        const struct own_line own = find_in_other(owner, memory, line);
        if (for_store && owner != memory)
            memory_forget_line(owner, line);
        if (own.state == NULL)
            continue;
        found.held = true;
        found.written |= is_written(owner, line, own);
        found.alone |= !own.state->shared;
        found.from = ooo_later(found.from, memory_cycle_here(memory, arrival(owner, own)));
        give_up(owner, line, own, for_store);
    }
    return found;
}

void cluster_ask(struct neoverse_memory *memory, uint64_t line, struct memory_line *state,
                 bool for_store, uint64_t at)
{
    if (shares_l2(memory))
        return;
    const bool was_shared = tag_array_peek(&memory->llc->tags, line) != TAG_ARRAY_NO_SLOT;
    const struct snoop found = snoop(memory, line, for_store);
    struct memory_fill *const fill = &memory->reads.latest[(memory->reads.n - 1) % OOO_RING];

    if (!found.held)
        return;
    state->shared = !for_store;
    if (found.written || !was_shared) {
        access_comes_from(&memory->seen, ARMPMU_FROM_CORE);
        fill->ends = ooo_later(at, found.from) + memory->machine->cores_transfer_cycles;
        state->arrives = fill->ends + memory->start;
    }
}

bool cluster_pass(struct neoverse_memory *memory, uint64_t line, bool for_store, uint64_t *arrives)
{
    if (!shares_l2(memory))
        return false;
    const struct snoop found = snoop(memory, line, for_store);
    const bool from_core = found.written || found.alone;

    if (!found.held)
        return false;
    memory->tally[ARMPMU_SIGNAL_SNOOPED_LINE] += from_core;
    if (from_core)
        access_comes_from(&memory->seen, ARMPMU_FROM_CORE);
    if (from_core || for_store)
        *arrives = ooo_later(*arrives, found.from) + memory->machine->cores_transfer_cycles;
    return !for_store;
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

/* The cycles of a store's claim of a line that is shared. */
static uint64_t claim_cycles(const struct neoverse_memory *memory, bool others_have_it)
{
    const struct armpmu_machine *const machine = memory->machine;

    if (shares_l2(memory))
        return machine->l2_hit_cycles + (others_have_it ? machine->cores_transfer_cycles : 0);
    return others_have_it ? machine->cores_transfer_cycles : machine->llc_hit_cycles;
}

void cluster_claim(struct neoverse_memory *memory, uint64_t line, struct memory_line *state,
                   uint64_t at)
{
    struct memory_line *const held = find_own(memory, line).state;

    if (!held->shared)
        return;
    const struct snoop found = snoop(memory, line, true);
    const uint64_t asked = ooo_later(ooo_later(at, state->arrives), found.from);
    if (found.held)
        access_comes_from(&memory->seen, ARMPMU_FROM_CORE);
    state->arrives = asked + claim_cycles(memory, found.held);
    held->shared = false;
    if (held != state)
        held->arrives = state->arrives + memory->start;
}

bool cluster_lose(struct neoverse_memory *memory, uint64_t line)
{
    const struct memory_cluster *const cluster = memory->cluster;
    bool written = false;

    for (size_t i = 0; shares_l2(memory) && i < cluster->n_cores; i++)
        if (cluster->cores[i] != memory)
            written |= memory_lose_line(cluster->cores[i], line);
    return written;
}
