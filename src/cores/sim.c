/* The public interface of the core models: picks the one that a machine names. */
#include "armpmu/sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "armpmu/profile.h"
#include "cores/core.h"
#include "cores/several.h"
#include "cores/sharing.h"
#include "machine/machine.h"
#include "isa/code.h"
#include "parts/miss_map.h"
#include "trace/access_log.h"
#include "trace/trace_reader.h"

struct armpmu_sim {
    const struct core_descriptor *core;
    const struct core_model *model; /* the core's */
    struct core *state;
    struct core **backs; /* of several machines, by their index; else NULL */
    size_t n_backs;
};

void core_free(const struct core_model *model, struct core *core)
{
    if (core == NULL)
        return;
    trace_reader_free(core->reader);
    model->release(core);
    free(core->joined);
    free(core->turns);
    free(core);
}

#define KNOWN_TURNS 128 /* a power of two: instructions of which they are known */

static enum armpmu_status make_turns(struct core *core, struct armpmu_error *err)
{
    const struct cures *const cures = core->machine->cures;

    if (cures == NULL || cures->kind != CURE_PREFETCH)
        return ARMPMU_OK;
    core->turns = calloc(KNOWN_TURNS, sizeof *core->turns);
    return core->turns != NULL ? ARMPMU_OK : fail_no_memory(err, "turns of loads");
}

uint64_t core_turns_ago(struct core *core, uint64_t pc, uint64_t at)
{
    struct core_turns *const turns = &core->turns[pc >> 1 & (KNOWN_TURNS - 1)];
    const uint64_t back = core->machine->cures->turns;

    if (turns->pc != pc)
        *turns = (struct core_turns){.pc = pc};
    const uint64_t ago = turns->n >= back ? turns->at[(turns->n - back) % CURE_TURNS_MAX] : at;
    turns->at[turns->n++ % CURE_TURNS_MAX] = at;
    return ago;
}

enum armpmu_status core_new(const struct core_model *model, const struct armpmu_machine *machine,
                            struct armpmu_code *code, struct core **out, struct armpmu_error *err)
{
    struct core *core = calloc(1, model->bytes);

    *out = NULL;
    if (core == NULL)
        return fail_no_memory(err, "a core model");
    core->machine = machine;
    enum armpmu_status status = model->init(core, err);
    if (status == ARMPMU_OK)
        status = make_turns(core, err);
    if (code != NULL)
        code_have_vectors(code,
                          core_descriptor_of(armpmu_machine_core(machine))->emulator.vector_bytes);
    if (status == ARMPMU_OK && code != NULL)
        status = trace_reader_new(model->ops, core, code, &core->reader, err);
    if (status == ARMPMU_OK && code != NULL && machine->cures != NULL &&
        machine->cures->n_calls != 0)
        status = trace_reader_follow_blocks(core->reader, err);
    if (status != ARMPMU_OK) {
        core_free(model, core);
        return status;
    }
    *out = core;
    return ARMPMU_OK;
}

bool core_cures_data(const struct core *core, uint64_t address)
{
    const struct cures *const cures = core->machine->cures;
    uint64_t call;

    if (core->reader == NULL || !trace_reader_block_from(core->reader, address, &call))
        return cures_reach(cures, address);
    for (size_t i = 0; i < cures->n_calls; i++)
        if (cures->calls[i] == call)
            return true;
    return false;
}

struct core *sim_state_of(const struct armpmu_sim *sim)
{
    return sim->state;
}

const struct core_model *sim_model_of(const struct armpmu_sim *sim)
{
    return sim->model;
}

enum armpmu_status armpmu_sim_new(const struct armpmu_machine *machine, struct armpmu_code *code,
                                  struct armpmu_sim **out, struct armpmu_error *err)
{
    const struct core_descriptor *const core = core_descriptor_of(armpmu_machine_core(machine));
    struct armpmu_sim *sim = calloc(1, sizeof *sim);

    *out = NULL;
    if (sim == NULL)
        return fail_no_memory(err, "a core model");
    *sim = (struct armpmu_sim){.core = core, .model = core->model};
    enum armpmu_status status = core_new(core->model, machine, code, &sim->state, err);
    if (status != ARMPMU_OK) {
        free(sim);
        return status;
    }
    *out = sim;
    return ARMPMU_OK;
}

void armpmu_sim_free(struct armpmu_sim *sim)
{
    if (sim == NULL)
        return;
    for (enum armpmu_miss_cache cache = ARMPMU_MISS_L1I; cache < ARMPMU_MISS_CACHES; cache++)
        armpmu_miss_map_free(armpmu_sim_take_miss_map(sim, cache));
    core_free(sim->model, sim->state);
    for (size_t i = 0; i < sim->n_backs; i++)
        core_free(sim->model, sim->backs[i]);
    free(sim->backs);
    free(sim);
}

enum armpmu_status armpmu_sim_run(struct armpmu_sim *sim, const uint64_t *records, size_t n_records,
                                  struct armpmu_error *err)
{
    const enum armpmu_status status = sim->model->run(sim->state, records, n_records, err);

    return status == ARMPMU_OK ? trace_reader_check_profile(sim->state->reader, err) : status;
}

void armpmu_sim_rename(struct armpmu_sim *sim)
{
    reader_rename(sim->state->reader);
}

void armpmu_sim_finish(struct armpmu_sim *sim, enum armpmu_end end)
{
    if (sim->state->joined != NULL)
        return;
    sim->state->is_ending = true;
    trace_reader_finish(sim->state->reader, end);
    if (sim->model->finish != NULL)
        sim->model->finish(sim->state);
}

/* ---- several machines ---- */

bool sim_can_add(const struct armpmu_machine *machine, const struct armpmu_machine *other)
{
    const struct core_model *const model = core_descriptor_of(armpmu_machine_core(machine))->model;

    return model->can_add != NULL && model->can_add(machine, other);
}

static enum armpmu_status add_back(struct armpmu_sim *sim, const struct armpmu_machine *machine,
                                   struct armpmu_error *err)
{
    struct core **const backs = realloc(sim->backs, (sim->n_backs + 1) * sizeof *backs);

    if (backs == NULL)
        return fail_no_memory(err, "another machine");
    sim->backs = backs;
    const enum armpmu_status status =
        core_new(sim->model, machine, NULL, &backs[sim->n_backs], err);
    if (status != ARMPMU_OK)
        return status;
    sim->model->add_back(sim->state, backs[sim->n_backs++]);
    return ARMPMU_OK;
}

enum armpmu_status sim_add_machine(struct armpmu_sim *sim, const struct armpmu_machine *machine,
                                   struct armpmu_error *err)
{
    const enum armpmu_status status =
        sim->n_backs == 0 ? add_back(sim, sim->state->machine, err) : ARMPMU_OK;

    return status == ARMPMU_OK ? add_back(sim, machine, err) : status;
}

bool sim_shares(const struct armpmu_machine *machine)
{
    return machine->cores_count > 1 &&
           (machine->l2_shared == YESNO_YES || machine->llc_size_kb != 0) &&
           core_descriptor_of(armpmu_machine_core(machine))->model->share != NULL;
}

enum armpmu_status sim_share(struct armpmu_sim *sim, struct armpmu_sim *other, uint64_t start,
                             struct armpmu_error *err)
{
    return sim->model->share(sim->state, other->state, start, err);
}

uint64_t sim_cycles(const struct armpmu_sim *sim)
{
    return sim->model->ops->cycles(sim->state);
}

/* A core with positions retires each access as it comes; nothing is left to retire. */
static void sync_reader(const struct armpmu_sim *sim)
{
    if (sim->model->ops->positions->retires_late)
        trace_reader_sync(sim->state->reader);
}

/* The sums of what the core and its engine counted. machine: its index. */
static void add_up(const struct armpmu_sim *sim, size_t machine, uint64_t *signals)
{
    const struct trace_counted *const counted = trace_reader_counted(sim->state->reader);

    if (sim->n_backs == 0)
        sim->model->signals(sim->state, signals);
    else
        sim->model->signals_of(sim->state, sim->backs[machine], signals);
    signals[ARMPMU_SIGNAL_INST_RETIRED] += counted->insns;
    signals[ARMPMU_SIGNAL_BRANCH_RETIRED] += counted->branches;
}

void armpmu_sim_signals(const struct armpmu_sim *sim, uint64_t *signals)
{
    sim_signals_of(sim, 0, signals);
}

void sim_signals_of(const struct armpmu_sim *sim, size_t machine, uint64_t *signals)
{
    if (sim->state->joined != NULL) {
        memcpy(signals, sim->state->joined, ARMPMU_SIGNAL_COUNT * sizeof *signals);
        return;
    }
    sync_reader(sim);
    add_up(sim, machine, signals);
}

uint64_t armpmu_sim_helper_calls(const struct armpmu_sim *sim)
{
    return trace_reader_helper_calls(sim->state->reader);
}

uint64_t armpmu_sim_system_calls(const struct armpmu_sim *sim, uint32_t number)
{
    return trace_reader_system_calls(sim->state->reader, number);
}

void armpmu_sim_read_delta(struct armpmu_sim *sim, uint64_t *delta)
{
    uint64_t total[ARMPMU_SIGNAL_COUNT];

    trace_reader_pack(sim->state->reader);
    sync_reader(sim);
    sim->model->sync(sim->state);
    add_up(sim, 0, total);
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        delta[signal] += total[signal] - sim->state->last_read[signal];
    memcpy(sim->state->last_read, total, sizeof total);
}

void armpmu_sim_set_interval(struct armpmu_sim *sim, enum armpmu_signal signal, uint64_t period,
                             armpmu_interval_fn call, void *user)
{
    trace_reader_set_interval(sim->state->reader, signal, period, call, user);
}

/* ---- a profile ---- */

enum armpmu_status armpmu_sim_set_profile(struct armpmu_sim *sim, enum armpmu_profile_detail detail,
                                          struct armpmu_error *err)
{
    if (detail == ARMPMU_PROFILE_OFF)
        return ARMPMU_OK;
    const enum armpmu_status status = trace_reader_set_profile(sim->state->reader, detail, err);
    if (status != ARMPMU_OK)
        return status;
    return sim->model->attribute(sim->state) == ARMPMU_OK ? ARMPMU_OK
                                                          : fail_no_memory(err, "a profile");
}

void armpmu_sim_set_region(struct armpmu_sim *sim, const struct armpmu_region *region)
{
    trace_reader_set_region(sim->state->reader, region);
}

enum armpmu_status armpmu_sim_profile(struct armpmu_sim *sim, armpmu_profile_fn call, void *user,
                                      struct armpmu_error *err)
{
    trace_reader_pack(sim->state->reader);
    sync_reader(sim);
    sim->model->sync_rows(sim->state);
    return trace_reader_profile(sim->state->reader, call, user, err);
}

const struct armpmu_profile_path *armpmu_sim_profile_paths(const struct armpmu_sim *sim,
                                                           size_t *n_paths)
{
    return trace_reader_paths(sim->state->reader, n_paths);
}

const struct armpmu_profile_edge *armpmu_sim_profile_edges(const struct armpmu_sim *sim,
                                                           size_t *n_edges)
{
    return trace_reader_edges(sim->state->reader, n_edges);
}

/* ---- misses of caches ---- */

enum armpmu_status armpmu_sim_map_misses(struct armpmu_sim *sim, struct armpmu_error *err)
{
    struct core_cache caches[ARMPMU_MISS_CACHES] = {{0}};
    struct miss_maps *const maps = sim->model->miss_maps(sim->state, caches);

    maps->are_kept = true;
    for (int i = 0; i < ARMPMU_MISS_CACHES; i++) {
        if (caches[i].sets == 0)
            continue;
        maps->of[i] = miss_map_new(caches[i].sets);
        if (maps->of[i] == NULL)
            return fail_no_memory(err, "a map of a cache's misses");
    }
    return ARMPMU_OK;
}

const struct armpmu_miss_map *armpmu_sim_miss_map(const struct armpmu_sim *sim,
                                                  enum armpmu_miss_cache cache,
                                                  enum armpmu_signal *signal)
{
    struct core_cache caches[ARMPMU_MISS_CACHES] = {{0}};
    const struct miss_maps *const maps = sim->model->miss_maps(sim->state, caches);

    *signal = caches[cache].misses;
    return maps->of[cache];
}

struct armpmu_miss_map *armpmu_sim_take_miss_map(struct armpmu_sim *sim,
                                                 enum armpmu_miss_cache cache)
{
    struct core_cache caches[ARMPMU_MISS_CACHES];
    struct miss_maps *const maps = sim->model->miss_maps(sim->state, caches);
    struct armpmu_miss_map *const map = maps->of[cache];

    maps->of[cache] = NULL;
    return map;
}

/* ---- data accesses ---- */

enum armpmu_status armpmu_sim_keep_accesses(struct armpmu_sim *sim, struct armpmu_error *err)
{
    if (sim->model->access_latency == NULL)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "the model of the core %s does not report its data accesses; choose a machine of "
            "another core, or leave --mem out",
            sim->core->name);
    if (sim->model->tell_accesses != NULL)
        sim->model->tell_accesses(sim->state);
    return trace_reader_keep_accesses(sim->state->reader, err);
}

enum armpmu_status armpmu_sim_accesses(const struct armpmu_sim *sim,
                                       const struct armpmu_data_access **accesses, size_t *n,
                                       struct armpmu_error *err)
{
    return trace_reader_accesses(sim->state->reader, accesses, n, err);
}

const struct armpmu_allocation *armpmu_sim_allocations(const struct armpmu_sim *sim, size_t *n)
{
    const struct data_access_log *const log = trace_reader_access_log(sim->state->reader);

    *n = log != NULL ? log->n_allocations : 0;
    return log != NULL ? log->allocations : NULL;
}

struct allocated_call {
    armpmu_allocated_fn call;
    void *user;
};

static bool call_allocated(void *user, const struct mapped_block *block)
{
    const struct allocated_call *const to = user;

    return to->call(to->user, &(struct armpmu_allocated){block->start, block->end, block->begins,
                                                         block->value});
}

bool armpmu_sim_each_allocated(const struct armpmu_sim *sim, armpmu_allocated_fn call, void *user)
{
    const struct data_access_log *const log = trace_reader_access_log(sim->state->reader);
    struct allocated_call to = {call, user};

    return log == NULL || block_map_each(&log->blocks, call_allocated, &to);
}

const char *armpmu_sim_access_latency(const struct armpmu_sim *sim)
{
    return sim->model->access_latency;
}

/* ---- errors in memories ---- */

static const struct {
    const char *name, *meaning;
} injections[] = {
#define INJECTION(id, name, meaning) {name, meaning},
#include "armpmu/injection.def"
#undef INJECTION
};

const char *armpmu_injection_name(enum armpmu_injection kind)
{
    return kind < ARMPMU_INJECTIONS ? injections[kind].name : NULL;
}

const char *armpmu_injection_meaning(enum armpmu_injection kind)
{
    return kind < ARMPMU_INJECTIONS ? injections[kind].meaning : NULL;
}

enum armpmu_injection armpmu_injection_find(const char *name)
{
    enum armpmu_injection kind = (enum armpmu_injection)0;

    while (kind < ARMPMU_INJECTIONS && strcmp(injections[kind].name, name) != 0)
        kind++;
    return kind;
}

/* A core whose model knows errors in memories. */
static const char *core_with_errors(void)
{
    size_t i = 0;

    while (core_descriptor_at(i)->model->inject == NULL)
        i++;
    return core_descriptor_at(i)->name;
}

enum armpmu_status armpmu_sim_inject(struct armpmu_sim *sim, enum armpmu_injection kind,
                                     uint64_t address, struct armpmu_error *err)
{
    if (kind >= ARMPMU_INJECTIONS)
        return fail(err, ARMPMU_BAD_INPUT, "injection %u: there is none of this number, at most %u",
                    (unsigned)kind, ARMPMU_INJECTIONS - 1u);
    if (sim->model->inject == NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s: the core %s does not report errors in its memories; choose a machine "
                    "with the core %s",
                    armpmu_injection_name(kind), sim->core->name, core_with_errors());
    return sim->model->inject(sim->state, kind, address, err);
}

void armpmu_sim_on_fault(struct armpmu_sim *sim, armpmu_fault_fn call, void *user)
{
    if (sim->model->on_fault != NULL)
        sim->model->on_fault(sim->state, call, user);
}
