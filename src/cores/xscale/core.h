/* The inside of the XScale core model: what its files share.
 *
 *   core.c            from one block to the next
 *   op.c              instructions as the pipeline sees them
 *   pipeline.c        a block in the pipeline
 *   pipeline_state.c  states of the pipeline, by number
 *   memory.c          caches, TLBs, buffers
 *   bus_unit.c        what the 80200's bus unit counts
 *   btb.h             branch prediction
 *
 * The core issues one instruction a cycle, in order; results come out of order. A block runs
 * instruction by instruction: each waits for its line, its registers, its unit, a free buffer. When
 * no code is on its way, the result depends on the state of the pipeline and on what the memory
 * system does for each access, which is mostly nothing or one wait. It is remembered with the
 * block:
 *
 *   all hit:  state 7 -> 5 cycles, accesses issue at 0 and 3, state 9
 *               access 0 came 31 cycles later than a hit -> 36 cycles, 0 and 34, state 9
 *                 access 1 came 12 cycles later          -> 36 cycles, 0 and 34, state 140
 *               access 1 ...
 */
#ifndef CORES_XSCALE_CORE_H
#define CORES_XSCALE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "cores/core.h"
#include "armpmu/sim.h"
#include "base/compiler.h"
#include "isa/insn.h"
#include "parts/schedule_memo.h"
#include "trace/preload.h"
#include "trace/trace_reader_internal.h"
#include "cores/xscale/btb.h"
#include "cores/xscale/memory.h"

/* R0 to R15, flags, GE, Q, FPSCR: the low bits of isa/insn.h's sets. What coprocessors with
 * registers of their own do is not modelled. */
#define XS_REGISTERS 20
#define XS_CORE_SET  ((1u << XS_REGISTERS) - 1)
#define XS_PC        15

/* ---- op.c ---- */

enum xs_unit { XS_ALU, XS_MULTIPLY, XS_LOAD, XS_STORE, XS_SWAP };

struct xs_op {
    uint32_t waits; /* registers that it reads, or writes */
    uint32_t early; /* those that a shift by a number, or QDADD's, needs a cycle earlier */
    /* Results: ready `latency` cycles after issue, one later, and, the base, back_latency after. Of
     * what is loaded each register is ready one cycle later than the one before. */
    uint32_t first, second, back;
    uint16_t offset;
    uint8_t unit;
    uint8_t issue; /* cycles until the next instruction may issue */
    uint8_t latency, back_latency;
    uint8_t multiplier; /* cycles until the next multiply may issue, if more than `issue` */
    uint8_t words;      /* of its data access, one for less than a word */
    uint8_t bytes;      /* of each access: 4, fewer for a byte or a halfword */
    bool list;
    bool drains;          /* waits until all that data accesses asked for has come */
    bool holds_memory;    /* LDRD: the next access waits a cycle */
    bool preloads;        /* PLD, as below */
    bool preloads_itself; /* CHOICE(cures): its lines, some executions ago */
    struct preload preload;
};

struct xs_op xs_op_of(const struct insn *insn, const struct armpmu_machine *machine);

/* ---- pipeline_state.c ---- */

/* The state of the pipeline, in cycles from now. Compared bytewise: no padding. */
struct xs_state {
    uint8_t ready[XS_REGISTERS];
    uint8_t multiplier, memory; /* until the next multiply, the next access may issue */
    uint16_t longest;           /* until all of it is over */
    uint32_t late;              /* registers that are not there early until a cycle after `ready` */
    uint32_t missed;            /* registers that wait for memory */
};

/* The same in cycles of the clock; times of registers have only the low bits, so that the host
 * compares several at once. A register that waits for nothing is not asked for 2^31 cycles: see
 * xs_timeline_catch_up. */
struct xs_timeline {
    uint32_t ready[XS_REGISTERS];
    uint64_t multiplier, memory;
    uint32_t late, missed;
};

/* The number of the state that a timeline is in at a time; SCHEDULE_NO_STATE for one that lasts too
 * long or when there is no memory or number for another. */
uint32_t xs_state_at(struct schedule_states *states, const struct xs_timeline *timeline,
                     uint64_t now);

/* The same of a state some cycles later. */
uint32_t xs_state_after(struct schedule_states *states, uint32_t number, uint64_t cycles);

/* Brings what is over up to a time. A timeline needs it once in XS_CATCH_UP_CYCLES at least. */
#define XS_CATCH_UP_CYCLES (UINT64_C(1) << 30)
void xs_timeline_catch_up(struct xs_timeline *timeline, uint64_t now);

/* Cycles until a register is ready, not above zero when it is. */
static inline int32_t xs_wait(const struct xs_timeline *timeline, unsigned r, uint64_t now)
{
    return (int32_t)(timeline->ready[r] - (uint32_t)now);
}

void xs_timeline_of(const struct schedule_states *states, uint32_t number, uint64_t now,
                    struct xs_timeline *timeline);

/* ---- blocks ---- */

/* How a block ends, when its last instruction writes the PC. */
enum xs_end {
    XS_END_PLAIN,
    XS_END_PREDICTED, /* in the branch target buffer: B and BL, in Thumb state B */
    XS_END_DIRECT,    /* counts as a branch, is never predicted: BL in Thumb state */
    XS_END_OTHER,     /* BX, BLX, data processing */
    XS_END_LOAD,      /* LDR, LDM */
};

/* The cost of an access to one word above a hit: cycles for which it held up the core, and by
 * which what it read came later still. */
struct xs_outcome {
    uint32_t delay, wait;
};

/* The counts of a block's schedule, each time the block runs. */
#define XS_SCHEDULED 6
static const enum armpmu_signal xs_scheduled[XS_SCHEDULED] = {
    ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL,
    ARMPMU_SIGNAL_L1D_WORD_ACCESS, /* of the accesses that are made */
    ARMPMU_SIGNAL_STALL_BACKEND_ILOCK,
    ARMPMU_SIGNAL_STALL_BACKEND_MEM,
    ARMPMU_SIGNAL_STALL_BACKEND_BUSY,
    ARMPMU_SIGNAL_ISSUE_STEP,
};

/* The effect of a block entered in a state. If all its accesses hit, it is one of the block's
 * memos; key: the state, and above XS_MISSING_SHIFT a bit for each conditional access that is
 * left out, as its condition failed. Else it is one of the memos of `base`, from which it
 * differs by the outcome of one access, the last that did not hit; key: that access and its
 * outcome. */
struct xs_schedule_memo {
    struct schedule_memo memo;
    struct schedule_memos later; /* an access further on did not hit, too */
    const struct xs_schedule_memo *base;
    struct xs_schedule_memo *next; /* any of the same block */
    uint64_t exits[2]; /* runs; [1]: with a taken branch at the end that is counted with them */
    struct xs_outcome outcome;
    uint32_t access;
    uint32_t after;
    uint32_t lost, refilled; /* cycles of a wrong prediction at its end, and after; 0: not known */
    uint64_t refills;        /* runs with one that is counted with them */
    uint32_t counts[XS_SCHEDULED];
    uint32_t issued_at[]; /* of each of the block's accesses, from its start */
};

#define XS_MISSING_SHIFT 18
#define XS_MISSING_MAX   13

_Static_assert(SCHEDULE_STATES_MAX <= 1u << XS_MISSING_SHIFT, "a number leaves room for accesses");
_Static_assert(XS_MISSING_SHIFT + XS_MISSING_MAX < 32, "no memo has the key SCHEDULE_NO_STATE");

/* Outcomes of accesses that are known. */
#define XS_OUTCOMES_MAX 32
struct xs_known {
    uint32_t n; /* accesses that are not made, since their outcomes are known: they hit ... */
    struct xs_outcome outcome[XS_OUTCOMES_MAX]; /* ... or these do not */
    uint64_t issued_at[XS_OUTCOMES_MAX];
};

/* So many memos at most are those of one block: where outcomes do not recur, nothing is won. */
#define XS_MEMOS_MAX 512

/* A data access of a block. */
struct xs_block_access {
    uint32_t index; /* of its instruction */
    uint32_t bytes; /* whole words */
    uint32_t words; /* accesses it counts as */
    bool store;     /* it dirties */
    bool is_known;  /* its outcome can be: it is to one word, and not a swap */
    uint8_t width;  /* the bytes of it that are read or written */
    uint8_t latency;
    uint32_t missing; /* the bit in a memo's key where it is left out; 0: no memo has that */
};

struct xs_block {
    struct memo_block memos;
    uint32_t start;
    uint32_t first_line, last_line;
    uint32_t fetched_at; /* memory.fetch_epoch when its lines were last seen to hit */
    uint32_t n_insns;
    uint32_t n_accesses; /* instructions with one */
    uint32_t n_missing;  /* accesses with a bit for being left out */
    uint32_t n_memos;
    struct xs_schedule_memo *all_memos;
    struct xs_block_access *accesses;
    enum xs_end end;
    bool thumb, returns_exception;
    bool reaches_memory;               /* one of its instructions drains or preloads */
    struct xs_branch branch;           /* at its end ... */
    uint32_t target;                   /* ... and where it leads, of a direct one */
    uint32_t refill_cycles;            /* until the code comes where it leads */
    bool is_direct_branch, is_perfect; /* perfect: predicted right, whatever the BTB says */
    struct profile_block *profile;     /* where its memos are attributed */
    struct xs_op ops[];
};

/* States that idle cycles lead to, by number and cycles. */
#define XS_IDLES 256
struct xs_idled {
    uint32_t number, after;
    uint64_t cycles; /* 0 for none */
};

struct xscale {
    struct core core;
    struct xs_memory memory;
    struct xs_btb btb;
    bool btb_off;
    struct schedule_states states;
    struct xs_timeline timeline; /* of a state that has no number */
    uint64_t caught_up_at;       /* when that was laid out, or caught up */
    uint32_t state;              /* of the pipeline; SCHEDULE_NO_STATE: it is `timeline` */
    uint64_t now;
    uint64_t tally[ARMPMU_SIGNAL_COUNT]; /* counts that are in no memo */
    struct memo_block *dirty_blocks;
    struct xs_known known; /* of the block that runs slowly */
    struct xs_idled idled[XS_IDLES];

    /* For a profile. */
    bool is_attributing;
    bool by_insn;                      /* and rows are of instructions, not of blocks */
    const struct trace_position *left; /* the block that was left last on the fast path; NULL: its
                                          last instruction is the current one already */
    struct xs_part *parts;             /* of the memo that is being made; NULL: a block runs */
    uint64_t *tail_row; /* that has what the bus unit had not counted as of the last read ... */
    uint64_t tail[2];   /* ... of these */
};

/* ---- attribution.c ---- */

/* Instructions issue one a cycle. */
static inline void xs_count_insns(uint64_t *tally, uint64_t n)
{
    tally[ARMPMU_SIGNAL_INST_RETIRED] += n;
    tally[ARMPMU_SIGNAL_ISSUE_SINGLE] += n;
}

static inline uint64_t xs_runs(const struct xs_schedule_memo *memo)
{
    return memo->exits[0] + memo->exits[1];
}

/* CHOICE(xscale-refill): the cycles of a wrong prediction are no fetch stalls. lost: all cycles of
 * each. */
static inline void xs_count_refills(const struct xs_block *block, uint64_t n, uint64_t lost,
                                    uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT] += block->is_direct_branch ? n : 0;
    tally[ARMPMU_SIGNAL_STALL_BACKEND_MEM] += n * lost - n * block->refill_cycles;
    tally[ARMPMU_SIGNAL_STALL_FRONTEND_FLUSH] += n * block->refill_cycles;
    tally[ARMPMU_SIGNAL_CPU_CYCLES] += n * lost; /* read with a profile only */
}

/* Adds the counts of branches at the end of a block with a memo: taken, or predicted wrong. */
static inline void xs_count_ends(const struct xs_block *block, const struct xs_schedule_memo *memo,
                                 uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_PC_WRITE] += memo->exits[1];
    tally[ARMPMU_SIGNAL_EXCEPTION_RETURN] += block->returns_exception ? memo->exits[1] : 0;
    xs_count_refills(block, memo->refills, memo->lost, tally);
}

/* The part of an instruction in each run of its block with a memo. */
struct xs_part {
    uint32_t cycles, counts[XS_SCHEDULED];
};

/* They follow issued_at. */
static inline struct xs_part *xs_parts(const struct xs_block *block, struct xs_schedule_memo *memo)
{
    return (struct xs_part *)(memo->issued_at + block->n_accesses);
}

/* From here on what happens belongs to an instruction; to the one before if there is none of the
 * index. A block of no instructions leaves the current row: a helper of the kernel, which was
 * called. */
static inline void xs_attribute_to(struct xscale *xscale, struct profile_block *profile,
                                   unsigned index)
{
    if (profile != NULL && index >= profile->n_insns)
        return;
    xscale->memory.tally = profile_rows_at(&xscale->core.reader->profile, profile, index);
    xscale->memory.unit.tally = xscale->memory.tally;
}

static inline void xs_attribute(struct xscale *xscale, struct profile_block *profile,
                                unsigned index)
{
    if (unlikely(xscale->is_attributing))
        xs_attribute_to(xscale, profile, index);
}

/* The same of an instruction that runs, which has retired; in a memo that is being made, nothing.
 */
static inline void xs_attribute_run(struct xscale *xscale, const struct retired_block *executed,
                                    unsigned index)
{
    if (likely(!xscale->is_attributing) || xscale->parts != NULL)
        return;
    xs_attribute_to(xscale, executed->profile, index);
    xs_count_insns(xscale->memory.tally, 1);
}

/* Events between blocks belong to the last instruction of the one that was left. */
static inline void xs_attribute_left(struct xscale *xscale)
{
    if (unlikely(xscale->by_insn) && xscale->left != NULL)
        xs_attribute_to(xscale, xscale->left->entry->profile, xscale->left->entry->n_insns - 1);
    xscale->left = NULL;
}

/* It took this number of cycles. */
void xs_charge_to(struct xscale *xscale, unsigned index, uint64_t cycles);

static inline void xs_charge(struct xscale *xscale, unsigned index, uint64_t cycles)
{
    if (unlikely(xscale->is_attributing))
        xs_charge_to(xscale, index, cycles);
}

/* Adds to the rows what blocks hold. */
void xs_attribute_held(struct xscale *xscale);

/* Takes away what the rows have of the bus unit beyond what it counted. */
void xs_remove_tail(const struct xscale *xscale, uint64_t *tally);

/* As core_model.attribute and core_model.sync_rows. */
enum armpmu_status xs_attribute_all(void *state);
/* As core_ops.pack_rows. */
void xs_pack_rows(void *core);
void xs_sync_rows(void *state);

/* ---- pipeline.c ---- */

/* Adds what the blocks hold that ran since the last read; xs_sync moves it into the tally. */
void xs_add_held(const struct xscale *xscale, uint64_t *tally);
void xs_sync(struct xscale *xscale);

/* CHOICE(cures): an access is going to be made that a replay may cure, at a time. Returns the
 * cycles by which the core is held up, as by a PLD before it. */
uint64_t xs_cure_access(struct xscale *xscale, const struct block *code,
                        const struct retired_access *made, uint64_t start);

/* Runs what executed of a block instruction by instruction. fetched: the lines of all of them are
 * there. */
void xs_run_slowly(struct xscale *xscale, const struct retired_block *executed, bool fetched);

/* The memo of a whole block that is entered in the state the core is in, if all accesses hit that
 * it makes; key: its. NULL without memory, or where no state has a number. */
struct xs_schedule_memo *xs_find_memo(struct xscale *xscale, const struct retired_block *executed,
                                      uint32_t key);

/* A block that executed whole, as its records tell it, and as retire_block is told. */
struct xs_whole {
    const struct trace_position *position;
    const struct reader_access *accesses;
    const uint64_t *records;
};

const struct retired_block *xs_executed(struct xscale *xscale, const struct xs_whole *whole);

/* Makes the accesses of a whole block, which may not hit; memo: as if all did. Returns the one with
 * their outcomes; NULL if there can be none: then the block has run to its end.
 * xs_make_some_accesses: where some are left out. */
struct xs_schedule_memo *xs_make_accesses(struct xscale *xscale, struct xs_schedule_memo *memo,
                                          const struct xs_whole *whole);
struct xs_schedule_memo *xs_make_some_accesses(struct xscale *xscale, struct xs_schedule_memo *memo,
                                               const struct retired_block *executed);

/* The number of the pipeline's state; SCHEDULE_NO_STATE where it can have none. */
static inline uint32_t xs_number_state(struct xscale *xscale)
{
    if (unlikely(xscale->state == SCHEDULE_NO_STATE))
        xscale->state = xs_state_at(&xscale->states, &xscale->timeline, xscale->now);
    return xscale->state;
}

/* Nothing issues for some cycles; xs_stall: what for. xs_pass: of which nothing is counted. */
void xs_idle(struct xscale *xscale, uint64_t cycles);
void xs_pass(struct xscale *xscale, uint64_t cycles);

static inline void xs_stall(struct xscale *xscale, enum armpmu_signal why, uint64_t cycles)
{
    xscale->memory.tally[why] += cycles;
    xs_idle(xscale, cycles);
}

/* Cycles until the PC that an executed instruction loads is there. */
uint64_t xs_pc_wait(const struct xscale *xscale);

extern const struct core_model core_model_xscale;

#endif
