/* The first member of every core model's state; cores/sim.c sets it. */
#ifndef CORES_CORE_H
#define CORES_CORE_H

#include "isa/insn.h"
#include "machine/core_descriptor.h"

/* An instruction that CURE_PREFETCH prefetches for: when it executed the latest times. */
struct core_turns {
    uint64_t pc, n;
    uint64_t at[CURE_TURNS_MAX];
};

struct core {
    const struct armpmu_machine *machine;
    struct trace_reader *reader;             /* drives the model; NULL in tests that need none */
    bool is_ending;                          /* the program ends */
    uint64_t last_read[ARMPMU_SIGNAL_COUNT]; /* of the signals, as of the last read */
    uint64_t *joined;                        /* slices counted these (cores/slices.h); NULL */
    struct core_turns *turns;                /* NULL: nothing is prefetched for a cure */
};

/* Makes the state of a core model of a machine, which must live as long. code: what the traces name
 * their blocks in; NULL makes a core without a reader, which a test drives by the model's own
 * functions. BAD_CONFIG, NO_MEMORY. The caller frees *out with core_free(); NULL does nothing
 * there. */
enum armpmu_status core_new(const struct core_model *model, const struct armpmu_machine *machine,
                            struct armpmu_code *code, struct core **out, struct armpmu_error *err);
void core_free(const struct core_model *model, struct core *core);

/* Returns whether an access to an address is to data that a replay of armpmu whatif cures: to a
 * block that the thread got itself, or else in a range. */
bool core_cures_data(const struct core *core, uint64_t address);

/* When the instruction at pc executed some turns ago; it does now, in the cycle `at`. The first
 * turns have none before them: they return `at`. core->turns is not NULL. */
uint64_t core_turns_ago(struct core *core, uint64_t pc, uint64_t at);

/* Returns whether a replay cures the access of the instruction at pc to an address. */
static inline bool core_cures_access(const struct core *core, uint64_t pc, uint64_t address)
{
    const struct cures *const cures = core->machine->cures;

    return cures != NULL &&
           (cures->of_data ? core_cures_data(core, address) : cures_have(cures, pc));
}

/* CHOICE(cures): returns whether CURE_LATENCY makes the instruction at pc, of an in-order core, as
 * quick as an addition with the same registers; *plain: that. */
static inline bool core_makes_plain(const struct cures *cures, uint64_t pc, const struct insn *insn,
                                    struct insn *plain)
{
    if (!cures_by(cures, CURE_LATENCY, pc) || insn->memory.bytes != 0 ||
        insn->branch != BRANCH_NONE || insn->klass == CLASS_PRELOAD || insn->klass == CLASS_BARRIER)
        return false;
    *plain = *insn;
    plain->klass = CLASS_ALU;
    plain->reads_early = plain->reads_late = plain->reads_twice = 0;
    plain->shifts_by_register = false;
    return true;
}

/* The parts of a struct armpmu_sim. */
struct core *sim_state_of(const struct armpmu_sim *sim);
const struct core_model *sim_model_of(const struct armpmu_sim *sim);

#endif
