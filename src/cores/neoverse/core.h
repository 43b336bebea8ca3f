/* The core with the Activity Monitors: an out-of-order AArch64 core, of the class of a Neoverse
 * V1 or N2; and, with `dispatch.in_order`, an in-order one of the class of a Cortex-A53: its
 * caches, translation, prediction, profile and devices are the same parts, and only what lets an
 * instruction be dispatched differs (op_in_order.c, and a section of ooo_timing.c), so a folder of
 * its own would be ten times as much.
 *
 * Parts: the timing of instructions (cores/neoverse/ooo_timing.h), the memory system
 * (cores/neoverse/memory.h) and branch prediction (parts/tage.h); core.c puts them together and
 * turns outcomes into signals, blocks.c makes blocks ready for it, counts.c adds up what was
 * counted, attribution.c says where it happened.
 *
 * Assumes:
 *  - CPU_CYCLES is the cycle in which the latest instruction retired.
 *  - CONSTANT_CYCLES has risen by one for each `mhz` / `counter_khz` of them: a phase accumulator.
 *  - MEMORY_STALL: dispatch sends nothing, the front end is not the reason, and a demand data miss
 *    of level 2 is outstanding.
 *  - A mispredicted branch: nothing is delivered until `branch.mispredict_cycles` after its
 *    resolution; until then the wrong path is dispatched, whose instructions are of the kinds of
 *    the block that ends with the branch, in its proportions. CHOICE(neoverse-wrong-path)
 *  - A taken branch ends a cycle of delivery. One that only the decoder finds costs
 *    `branch.late_cycles` more.
 *  - CHOICE(neoverse-fetch-ahead): a line that the instruction cache does not have is asked for
 *    when the predictor reaches it, and stops delivery until it comes.
 *  - Exceptions and their returns: the pipeline is empty, `exception.entry_cycles` or
 *    `exception.return_cycles` after the last retirement delivery continues.
 * Does not model: sleep (no time passes in WFI and WFE), the waits of DSB and DMB. */
#ifndef CORES_NEOVERSE_CORE_H
#define CORES_NEOVERSE_CORE_H

#include "cores/core.h"
#include "armpmu/catalog.h"
#include "machine/machine.h"
#include "isa/insn.h"
#include "cores/neoverse/memory.h"
#include "parts/schedule_memo.h"
#include "parts/tage.h"
#include "trace/trace_reader.h"
#include "trace/trace_reader_internal.h"
#include "trace/profile_rows.h"
#include "cores/neoverse/ooo_timing.h"

#define AMUV1_GEARS 3

/* An instruction as this core executes it. */
struct neoverse_op {
    struct ooo_op window;
    struct ooo_in_order in_order; /* of an in-order core */
    uint16_t offset;              /* from the start of its block */
    uint16_t bytes;               /* of its data access, 0 without one */
    bool begins_line;             /* of instructions: another one than the instruction before it */
    uint8_t quads;                /* as in struct neoverse_step */
    bool active;                  /* for power mitigation */
};

#define NEOVERSE_COUNTED 8
#define NEOVERSE_MANY    UINT8_MAX

/* How much there is to an instruction's execution. */
enum neoverse_kind {
    KIND_SHORT,  /* plain, with two operands and a result at most */
    KIND_PLAIN,  /* to the window, and not active */
    KIND_VECTOR, /* besides that it may be active, and accumulate */
    KIND_LOAD,   /* besides that it loads, and may update its base */
    KIND_STORE,  /* the same of a store, which may have more operands */
    KIND_PAIR,   /* a load as above that also waits for its divider, as LDP does */
    KIND_ANY
};

/* The same, made ready to be executed many times. */
struct neoverse_step {
    struct ooo_step window;
    uint16_t index; /* in its block */
    uint16_t offset, bytes, latency;
    uint16_t record;   /* of its access, among the block's if it makes all, plus 1: 0 for none */
    uint8_t quads;     /* of 16 bytes, for which a load takes its unit again at no multiple of 4 */
    uint8_t unaligned; /* bits of an address of which none is set where it is aligned... */
    int8_t scattered;  /* ...and where its bytes are one or two whole granules, or part of one */
    bool monitors;     /* load-exclusive, store-exclusive */
    bool active;       /* for power mitigation */
    bool queued;       /* takes an entry of the load or store queue */
    bool cured;        /* in the place that a replay of armpmu whatif cures */
    enum neoverse_kind kind;
    struct memory_stride *stride; /* what the prefetcher may know of it */
    /* In a profile by instruction it counts one of each of these signals.
     * NEOVERSE_MANY: more than fit. */
    uint8_t n_counted;
    uint16_t counted[NEOVERSE_COUNTED];
};

/* Returns whether an access is more than one or two granules, or a part of one. At address 0, where
 * no access has all bits, memory_load_again and memory_store_again know of no line. */
static inline bool neoverse_scatters(const struct neoverse_step *step, uint64_t address)
{
    return (address & (uint64_t)(int64_t)step->scattered) != 0;
}

#define NEOVERSE_APART UINT32_MAX /* more than there ever is room for */

/* The part of a block that lies in one line of instructions. */
struct neoverse_fetch_group {
    struct neoverse_step *first;
    uint64_t line; /* by virtual number */
    struct ooo_row row;
    bool cured;                    /* its code is in the instruction cache */
    struct memory_fetched fetched; /* where the line was found */
    /* Its instructions if they can be dispatched together where there is room: one slot each, and
     * few enough; else NEOVERSE_APART. */
    uint32_t together;
};

/* Other facts of the end of a block. */
enum neoverse_end {
    ENDS_PLAINLY,
    ENDS_IN_BARRIER,
    ENDS_IN_RETURN,
    ENDS_IN_BRANCH,
    ENDS_IN_PERFECT /* in a branch that is predicted right, whatever the predictor knows */
};

/* A block as this core executes it. */
struct neoverse_block {
    struct tage_branch branch; /* at its end: what is known of it beforehand */
    struct tage_memo memo;
    enum neoverse_end end;
    bool has_records; /* its steps know theirs... */
    bool is_ready;    /* ...and nothing is attributed, nor is the core in order */
    bool ends_pair;   /* its branch may be predicted together with a taken one before it */
    bool announces;   /* its branch to the predictor, before its instructions execute */
    bool governed;    /* some by predicates of SVE */
    uint32_t n_groups, n_increments, n_wrong;
    uint32_t n_insns, n_slots; /* of dispatch */
    uint64_t per_slot;         /* 2^32 / n_slots, rounded up, to divide by multiplying; 0: divide */
    struct ooo_in_order *in_order; /* of each step, after the steps; NULL: out of order */
    struct neoverse_fetch_group *groups, *groups_end; /* after these */
    struct run_increment *increments; /* what it counts each time it executes whole; its own */
    struct run_increment *wrong; /* what a wrong path after it counts if it is as long as this */
    uint64_t runs;               /* since they were added last, minus 1 */
    struct neoverse_block *next_ran; /* another one with runs */
    uint64_t *row;                   /* of a profile by block: where they are added... */
    struct profile_block *profile;   /* ...of one by instruction: the rows of these */
    const struct block *code;
    struct neoverse_step steps[];
};

struct neoverse_miss;
struct neoverse_phases;

/* Where the cycles of dispatch went, but for those lost to data misses (memory_stall): by enum
 * ooo_hold, then the first ones below. Then the sums of what is lost, in cycles and in slots. */
enum {
    LOST_TO_LOADS = OOO_HOLDS,
    LOST_TO_STORES,
    LOST_TO_WINDOW,
    LOST_TO_OPERANDS, /* of an in-order core: the next three, by enum ooo_cause */
    LOST_TO_INTERLOCK,
    LOST_TO_ADDRESS,
    LOST_TO_VECTOR,
    LOST_TO_WRONG_PATH,
    NOT_LOST,
    LOST_IN_FRONT,
    LOST_BEHIND,
    SLOTS_IN_FRONT,
    SLOTS_BEHIND,
    STORE_WAITS,
    NEOVERSE_ACCOUNTS
};

struct neoverse_lost {
    uint64_t of[NEOVERSE_ACCOUNTS];
};

static const enum armpmu_signal neoverse_accounts[NEOVERSE_ACCOUNTS] = {
    [HELD_FLOW] = ARMPMU_SIGNAL_STALL_FRONTEND_FLOW,
    [HELD_FLUSH] = ARMPMU_SIGNAL_STALL_FRONTEND_FLUSH,
    [HELD_LEVEL2] = ARMPMU_SIGNAL_STALL_FRONTEND_L1I,
    [HELD_MEMORY] = ARMPMU_SIGNAL_STALL_FRONTEND_MEM,
    [HELD_WALK] = ARMPMU_SIGNAL_STALL_FRONTEND_TLB,
    [HELD_EXCEPTION] = ARMPMU_SIGNAL_STALL_EXCEPTION,
    [LOST_TO_LOADS] = ARMPMU_SIGNAL_STALL_BACKEND_LOAD,
    [LOST_TO_STORES] = ARMPMU_SIGNAL_STALL_BACKEND_ST,
    [LOST_TO_WINDOW] = ARMPMU_SIGNAL_STALL_BACKEND_WINDOW,
    [LOST_TO_OPERANDS] = ARMPMU_SIGNAL_STALL_BACKEND_ILOCK,
    [LOST_TO_INTERLOCK] = ARMPMU_SIGNAL_INTERLOCK_OTHER,
    [LOST_TO_ADDRESS] = ARMPMU_SIGNAL_INTERLOCK_ADDRESS,
    [LOST_TO_VECTOR] = ARMPMU_SIGNAL_INTERLOCK_VECTOR,
    [LOST_TO_WRONG_PATH] = ARMPMU_SIGNAL_WRONG_PATH,
    [NOT_LOST] = ARMPMU_SIGNAL_ISSUE_DISPATCH,
    [LOST_IN_FRONT] = ARMPMU_SIGNAL_STALL_FRONTEND,
    [LOST_BEHIND] = ARMPMU_SIGNAL_STALL_BACKEND,
    [SLOTS_IN_FRONT] = ARMPMU_SIGNAL_SLOT_STALL_FRONTEND,
    [SLOTS_BEHIND] = ARMPMU_SIGNAL_SLOT_STALL_BACKEND,
    [STORE_WAITS] = ARMPMU_SIGNAL_STORE_BUFFER_WAIT,
};

/* The block that executes whole: the records of its accesses, and where it is. */
struct neoverse_place {
    const uint64_t *records;
    uint64_t address;
};

struct neoverse {
    struct core core;
    struct neoverse_place place;
    struct ooo_timing window;
    struct neoverse_memory memory;
    struct tage tage;
    uint64_t predicted; /* when the predictor had the latest taken branch... */
    uint64_t restarted; /* ...and when it began again, after a wrong prediction or an exception */
    bool begins_pair;   /* the latest branch, which may be predicted together with the next */

    uint64_t fetch_line; /* latest line of instructions, by virtual number */
    uint64_t resolved;   /* the time when the latest instruction completed */
    uint64_t period_end; /* of power mitigation: the first time after it */
    uint32_t activity;   /* in it */
    uint32_t thresholds[AMUV1_GEARS];
    uint32_t next_threshold; /* the least of them that is not below `activity` */

    struct neoverse_block *ran; /* those with runs that are not in the tally */
    unsigned announced;         /* kind of the next exception, 0: not known */

    uint64_t tally[ARMPMU_SIGNAL_COUNT]; /* what memory.tally is without a profile */
    bool by_block;                       /* a profile whose rows are of blocks */
    bool is_slow;                        /* in order, or a profile whose rows are of instructions */

    /* The latest misses that dispatch may wait for, a ring; NULL without a profile by instruction.
     */
    struct neoverse_miss *misses;
    uint32_t first_miss, next_miss;
    uint64_t stall_before, waits_before; /* of the window, what is attributed already */
    struct neoverse_lost lost_before;
    uint64_t retired_before; /* of a profile by block: the cycle */
    uint64_t dispatched;     /* time of the latest instruction */

    /* While the core follows instead of keeping time (slices.c): its operations; in a slice: the
     * activity of power mitigation, whose periods begin somewhere in it; else NULL. */
    struct core_ops *follows;
    struct neoverse_phases *phases;
};

static ALWAYS_INLINE void neoverse_announce(struct neoverse *core,
                                            const struct neoverse_block *block)
{
    if (block->announces)
        tage_announce(&core->tage, block->branch.address, &block->memo);
}

/* ---- blocks.c ---- */

/* As core_ops.new_block and core_ops.free_block. */
void *neoverse_new_block(void *state, const struct block *block);
void neoverse_free_block(void *state, void *data);

/* Adds what the first n instructions of a block count by themselves. */
void neoverse_add_insns(const struct neoverse_block *defined, const struct block *block, uint32_t n,
                        uint64_t *tally);

/* Adds the counts of a wrong path of a number of operations, after a block. */
void neoverse_add_wrong_path(const struct neoverse_block *defined, uint64_t operations,
                             uint64_t *tally);

/* Adds what blocks that ran whole have counted and the core's tally does not have yet; the other
 * puts it there. */
void neoverse_add_runs(const struct neoverse *core, uint64_t *tally);
void neoverse_sync_runs(struct neoverse *core);

/* ---- counts.c ---- */

/* Signals that are sums of others are made when somebody looks. */
void neoverse_add_up(const struct armpmu_machine *machine, uint64_t *tally);

/* pace: how far dispatch has come. */
struct neoverse_lost neoverse_lost_of(const struct neoverse *core, const struct ooo_pace *pace);

/* CHOICE(amu-constant): ticks of a counter of `khz` in `cycles` of a clock of `mhz`: a phase
 * accumulator that rises by khz a cycle and gives a tick for each mhz * 1000. */
uint64_t neoverse_constant_cycles(uint64_t cycles, uint64_t khz, uint64_t mhz);

/* Writes all tallies so far, ARMPMU_SIGNAL_COUNT entries. */
void neoverse_signals(const struct neoverse *core, uint64_t *tally);

/* ---- attribution.c ---- */

/* A data access that missed level 2, by the row of its instruction. */
struct neoverse_miss {
    uint64_t *row;
    uint64_t until; /* the cycle in which its line is there */
};

/* The row of an instruction. block: not NULL. */
static inline uint64_t *neoverse_row_of(struct neoverse *core, struct profile_block *block,
                                        unsigned index)
{
    uint64_t *const row = block->rows[index];
    return likely(row != NULL) ? row : profile_rows_at(&core->core.reader->profile, block, index);
}

/* From here on what happens belongs to an instruction. */
static inline void neoverse_attribute(struct neoverse *core, struct profile_block *block,
                                      unsigned index)
{
    core->memory.tally = profile_rows_at(&core->core.reader->profile, block, index);
}

/* Notes a miss of the current instruction that dispatch may wait for. */
void neoverse_attribute_miss(struct neoverse *core);

static inline void neoverse_attribute_misses(struct neoverse *core)
{
    if (core->window.n_waits != core->waits_before)
        neoverse_attribute_miss(core);
}

/* The current instruction has retired a number of cycles after the one before; pace: as it left
 * that.
 */
void neoverse_attribute_retired(struct neoverse *core, const struct ooo_pace *pace,
                                uint64_t cycles);

/* Adds what the instructions of a block that ran whole count by themselves to their rows. */
void neoverse_attribute_runs(struct neoverse *core, const struct neoverse_block *block);

/* Adds the cycles since the last call, and the two sums that dispatch lost, to the row of the
 * current block; all accounts would cost a tenth of the run. */
static ALWAYS_INLINE void neoverse_sync_block(struct neoverse *core)
{
    const struct ooo_timing *const window = &core->window;
    uint64_t *const row = core->memory.tally, *const before = core->lost_before.of;
    const uint64_t retired = ooo_cycle(window->pace.retired);

    row[ARMPMU_SIGNAL_CPU_CYCLES] += retired - core->retired_before;
    core->retired_before = retired;
    row[ARMPMU_SIGNAL_STALL_FRONTEND] += window->starved - before[LOST_IN_FRONT];
    before[LOST_IN_FRONT] = window->starved;
    row[ARMPMU_SIGNAL_STALL_BACKEND] += window->backend_stall - before[LOST_BEHIND];
    before[LOST_BEHIND] = window->backend_stall;
}

/* The same, and all accounts of an in-order core. */
void neoverse_attribute_block_retired(struct neoverse *core);

/* From here on what happens belongs to a block. */
static ALWAYS_INLINE void neoverse_attribute_block(struct neoverse *core,
                                                   struct profile_block *block)
{
    uint64_t *const row = profile_rows_first(&core->core.reader->profile, block);

    if (row == core->memory.tally)
        return;
    if (unlikely(core->window.in_order))
        neoverse_attribute_block_retired(core);
    else
        neoverse_sync_block(core);
    core->memory.tally = row;
}

/* Adds what dispatch lost since the last call to the row of the current instruction. */
void neoverse_attribute_lost(struct neoverse *core, const struct ooo_pace *pace);

/* The same of an out-of-order core, which has dispatched something for the first time since, and
 * mostly lost nothing to the back end. */
static ALWAYS_INLINE void neoverse_attribute_sent(struct neoverse *core)
{
    const struct ooo_timing *const window = &core->window;
    uint64_t *const row = core->memory.tally, *const before = core->lost_before.of;

    if (window->backend_stall != before[LOST_BEHIND] ||
        window->backend_slots != before[SLOTS_BEHIND]) {
        neoverse_attribute_lost(core, &window->pace);
        return;
    }
    const uint64_t starved = window->starved - before[LOST_IN_FRONT],
                   sent = ooo_cycle(window->pace.dispatched - core->dispatched) - starved,
                   slots = ooo_frontend_slots(window, &window->pace);
    if (starved != 0) {
        row[neoverse_accounts[window->held_for]] += starved;
        before[window->held_for] += starved;
        row[ARMPMU_SIGNAL_STALL_FRONTEND] += starved;
        before[LOST_IN_FRONT] = window->starved;
    }
    core->dispatched = window->pace.dispatched;
    row[ARMPMU_SIGNAL_ISSUE_DISPATCH] += sent;
    before[NOT_LOST] += sent;
    row[ARMPMU_SIGNAL_SLOT_STALL_FRONTEND] += slots - before[SLOTS_IN_FRONT];
    before[SLOTS_IN_FRONT] = slots;
}

/* As core_model.attribute and core_model.sync_rows. */
enum armpmu_status neoverse_attribute_all(void *state);
void neoverse_sync_rows(void *state);

/* As core_ops.pack_rows. */
void neoverse_pack_rows(void *state);

/* ---- slices.c ---- */

extern const struct core_slicing neoverse_slicing;

/* As core_model.run while the core follows. */
enum armpmu_status neoverse_follow(struct neoverse *core, const uint64_t *records, size_t n_records,
                                   struct armpmu_error *err);

/* In place of a period of power mitigation: the next active instruction of a slice is dispatched at
 * a time. */
void neoverse_note_activity(struct neoverse *core, uint64_t dispatched);

/* ---- core.c ---- */

/* The core as the reader sees it: its `core` is a struct neoverse. */
extern const struct core_ops neoverse_ops;

/* ---- scalable.c ---- */

/* A row of scalable.def. */
struct scalable_time {
    uint8_t unit, also; /* enum ooo_unit */
    uint8_t times, latency, link;
};

struct scalable_time neoverse_scalable_time(const struct insn *insn,
                                            const struct armpmu_machine *machine);

/* ---- op.c, insn_counts.c ---- */

/* The instruction holds a divider for some cycles, and waits for it; 0 cycles: it needs none. */
static inline void neoverse_take_divider(struct ooo_op *op, enum ooo_divider divider,
                                         uint32_t cycles)
{
    op->divides = cycles != 0;
    op->divider = divider;
    op->divide_cycles = (uint16_t)cycles;
}

/* The operation of an instruction after another, NULL at the start of a block; begins_line is
 * left alone. */
void neoverse_op_make(struct neoverse_op *op, const struct insn *insn, const struct insn *before,
                      const struct armpmu_machine *machine);

/* The same of an in-order core: changes slots and latency. */
void neoverse_in_order_make(struct ooo_in_order *in_order, struct ooo_op *op,
                            const struct insn *insn, const struct armpmu_machine *m);

/* Adds the counts of an executed instruction with this number of dispatch slots; it is one
 * whose branch is not taken, and a store-exclusive that writes. */
void neoverse_count_insn(const struct insn *insn, unsigned slots, uint64_t *tally);

extern const struct core_model core_model_neoverse;

#endif
