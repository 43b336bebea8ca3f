/* The timing of an out-of-order core: when instructions are delivered, dispatched, issued,
 * completed and retired.
 *
 * Each instruction comes once, in program order, with five calls: ooo_deliver,
 * ooo_dispatch, ooo_issue, ooo_result for what it writes, ooo_retire. Every time is a
 * cycle number. The calls come in program order although issue does not. That is no approximation:
 * an instruction waits for older ones only, so its times are known when it comes.
 *
 * Assumes:
 *  - The front end delivers up to `width` instructions a cycle, in order, into a queue of `queue`
 *    instructions; an entry is free in the cycle after its instruction's dispatch.
 *  - Dispatch sends up to `width` slots a cycle, in order, from the cycle of delivery on; what
 *    this one has no room for of an instruction's comes in the next. It needs
 *    an entry of the window, and of the load or store queue: free in the cycle after the
 *    retirement of the instruction `entries` (`loads`) back, or after the write of the store
 *    `stores` back.
 *  - Issue is after dispatch, when operands are ready and a unit of its kind is free; the oldest
 *    first. Units take an instruction every cycle. Dividers take one at a time, in program order.
 *  - Vector pipes differ. Those of a cycle are given to the instructions so that the oldest that
 * can go together do: who can use any pipe leaves V0 to who needs it. CHOICE(amu-pipes)
 *  - CHOICE(neoverse-accumulate): an instruction that accumulates needs its accumulator later than
 *    its factors when another one of the kind wrote it: links of a chain are as far apart as the
 *    machine's latency from accumulator to accumulator, every second one where the kind has two
 *    pipes.
 *  - CHOICE(l1d-banks): a bank of the data cache gives one row a cycle. A load whose bank gives
 *    another row to an older load takes its unit again in a later cycle.
 *  - Results are there `latency` cycles after issue, and forwarded at once. The updated base of a
 *    store does not wait for its data.
 *  - Up to `width` instructions retire in a cycle, in order, from the cycle of completion on.
 *  - A cycle in which dispatch sends nothing is lost to the front end until the next instruction
 *    is delivered, then to the back end.
 *  - From the cycle after the delivery of a branch that is predicted wrongly, instructions of one
 *    slot each are dispatched from the wrong path, `width` a cycle, until the branch completes or
 *    the window has no entry that is free by then. CHOICE(neoverse-wrong-path)
 *  - An instruction that is not issued OOO_HORIZON cycles after its dispatch needs no unit from
 *    then on: it finds one free when it is ready, and takes none from others.
 *
 * With `dispatch.in_order` it is the timing of an in-order core:
 *  - CHOICE(a53-issue): an instruction is issued in the cycle after its dispatch, when its operands
 *    and its unit are there, and none before the one before it: up to `width` in a cycle. Each
 *    result has a time for ALU operands; operands that are shifted or multiplied are needed
 *    `latency.early` cycles before, addresses `latency.address`, data of a store
 * `latency.late` after. A scoreboard lets long latencies overlap.
 *  - CHOICE(a53-late-load): a load that finds no data lets `window.entries` more instructions be
 *    issued, as many as are in the pipeline, then the next waits for it.
 *  - The vector datapath is two halves of 64 bits. An instruction on 128 bits takes both and is the
 *    first of its cycle; a vector load or store takes the halves that it moves.
 *  - Loads take a cycle of issue for each `units.load_bytes`, stores for each `units.store_bytes`.
 *    Transfers of several registers and of 128 bits, and multiplications, are issued alone.
 *
 * Does not model: separate schedulers with limits of their own, the size of the register file,
 * elimination of moves of registers; what instructions of a wrong path do after dispatch: units,
 * caches and TLBs do not see them. */
#ifndef CORES_NEOVERSE_OOO_TIMING_H
#define CORES_NEOVERSE_OOO_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "base/compiler.h"
#include "machine/machine.h"
#include "parts/miss_intervals.h"

enum ooo_unit {
    UNIT_INTEGER,
    UNIT_MULTICYCLE, /* those of the integer units that multiply, shift and divide: takes both */
    UNIT_BRANCH,
    UNIT_LOAD,
    UNIT_STORE,
    UNIT_VECTOR, /* any vector pipe; the next ones in the order of enum machine_pipes */
    UNIT_V0,
    UNIT_V1,
    UNIT_V01,
    UNIT_V02,
    UNIT_V13,
    UNIT_M0,     /* the first of UNIT_MULTICYCLE, which makes predicates */
    UNIT_LOAD01, /* the two of UNIT_LOAD for scalable vectors of 32 bytes and addresses of stores */
    UNIT_FLAGS,  /* no unit of its own: beside an integer unit, of what sets flags */
    UNIT_NONE,   /* none at all, of an instruction that is fused with the one before it */
    OOO_UNITS
};

/* The units that instructions of some kinds take one at a time, in program order. */
enum ooo_divider {
    DIVIDER_INTEGER,
    DIVIDER_FLOAT,
    DIVIDER_MULTIPLY, /* of 64 bits, of an in-order core */
    DIVIDER_ATOMIC,   /* that acquires and releases */
    DIVIDER_LOAD_PAIR,
    DIVIDER_STRUCTURE,      /* loads of LD2 to LD4 */
    DIVIDER_SYSTEM,         /* registers */
    DIVIDER_ADD_DIFFERENCE, /* SABA and its like of an in-order core */
    DIVIDER_TABLE,          /* TBL and TBX of an in-order core */
    OOO_DIVIDERS
};

/* A barrier holds up these instructions after it until those before it are done. */
enum ooo_barrier {
    OOO_NO_BARRIER,
    OOO_WAITS,     /* only itself */
    OOO_ORDERS,    /* loads and stores */
    OOO_SERIALIZES /* all */
};

/* The facts of an instruction that its timing depends on. */
struct ooo_op {
    uint64_t reads, writes;                     /* sets of registers as in struct insn, of A64 */
    uint32_t predicate_reads, predicate_writes; /* the same of SVE, at most three and one */
    uint64_t first; /* one of reads: needed first_by cycles before the others */
    uint16_t first_by;
    uint64_t writes_back; /* an updated base, in writes or not: ready as from the ALU */
    uint64_t accumulator; /* one of reads: for another's the result is there `forward` early */
    uint16_t forward;
    bool within_pipe; /* has two pipes, each of which forwards to itself alone */
    bool reads_flags, writes_flags;
    bool load, store; /* takes an entry of that queue */
    bool divides;     /* waits for its divider, and holds it for divide_cycles */
    enum ooo_divider divider;
    enum ooo_unit unit,
        also;      /* also: another one in the same cycle; UNIT_INTEGER, UNIT_NONE: none */
    uint8_t times; /* cycles of both, from its issue on; 0 and 1: one */
    enum ooo_barrier barrier;
    bool after_loads, after_stores; /* what a barrier waits for */
    uint8_t slots;                  /* of dispatch */
    uint16_t latency, divide_cycles;
};

/* The reasons to hold the front end. */
enum ooo_hold {
    HELD_FLOW,      /* a taken branch that was predicted right */
    HELD_FLUSH,     /* one that was predicted wrongly */
    HELD_LEVEL2,    /* a line of instructions from level 2 */
    HELD_MEMORY,    /* from beyond it */
    HELD_WALK,      /* a page's translation */
    HELD_EXCEPTION, /* an exception, a return from one, or an ISB */
    OOO_HOLDS
};

/* Places of ready times after those of the 64 registers. */
enum {
    OOO_FLAGS = 64,
    OOO_PREDICATES,              /* P0 to P15, and FFR */
    OOO_ALWAYS = OOO_FLAGS + 18, /* of nothing: always ready */
    OOO_NOWHERE,                 /* never read */
    OOO_ORDERED,                 /* of barriers: read by loads and stores, and what serializes */
    OOO_RETIRED,                 /* read by OOO_WAITS: when all before it have retired */
    OOO_READY
};

/* Why an instruction of an in-order core could not be issued earlier. */
enum ooo_cause {
    CAUSE_OTHER,   /* an operand, or a unit */
    CAUSE_ADDRESS, /* the address of an access */
    CAUSE_VECTOR,  /* an operand of a vector or floating-point instruction, or its pipes */
    OOO_INTERLOCKS,
    CAUSE_LOAD = OOO_INTERLOCKS, /* data of a load that is late */
    CAUSE_STORE                  /* an entry of the store buffer */
};

/* In order: what the issue of an instruction depends on besides. */
struct ooo_in_order {
    uint64_t early;      /* of its reads: needed before the ALU needs its operands... */
    uint64_t late;       /* ...and after, */
    bool late_flags;     /* as are the flags of a branch */
    uint32_t early_time; /* how much before; an access needs its address at a time of its own */
    uint32_t to_address; /* from its result for the ALU to that for addresses */
    uint8_t cycles;      /* of issue, in which nothing else is issued if more than one */
    uint8_t halves;      /* of the vector datapath that it takes, 64 bits each */
    bool alone;          /* takes all slots */
    bool first;          /* not beside an older instruction */
    bool is_access;
    enum ooo_cause interlock;
};

#define OOO_PLAIN_READS  3 /* most instructions have no more */
#define OOO_PLAIN_WRITES 2

/* The same, prepared for many executions: sets as lists, cycles as times. */
struct ooo_step {
    uint64_t takes; /* added to what is taken in the cycle of issue: one in some lanes */
    uint64_t busy;  /* those lanes' top bits: of a cycle that has no unit left */
    uint64_t more_reads, more_writes; /* registers that the lists below do not hold */
    uint32_t latency, divide_time;
    uint32_t first_by; /* as a time: how much before the others... */
    uint8_t first;     /* ...a register is needed; OOO_ALWAYS for none */
    uint8_t reads[OOO_PLAIN_READS];
    uint8_t writes[OOO_PLAIN_WRITES];
    uint8_t base;        /* an updated one */
    uint8_t accumulator; /* OOO_NOWHERE for none */
    uint32_t forward;    /* as a time */
    uint8_t unit;        /* UNIT_NONE of two at once */
    uint8_t slots, times, barrier;
    bool load, store, divides, within_pipe;
    bool after_loads, after_stores;
    bool plain;       /* once, does not divide, accumulate or access memory, and has no more */
    bool accumulates; /* the same, but may accumulate */
    bool accesses;    /* the same of a load, which may divide, or a store: with a base and more */
    uint8_t divider;
};

#define OOO_NO_LOAD UINT64_MAX /* in from_late_load: no late load brings it */
#define OOO_RING    1024       /* a power of two, no less than any queue may have */
#define OOO_HORIZON 4096       /* a power of two */
#define OOO_SLOTS   (2 * OOO_HORIZON)
#define OOO_SOON    512 /* bytes by which the host prefetches the units taken, 8 a cycle */

/* The banks of the data cache: for each bank, and each of the cycles ahead, the row that loads read
 * there, below the cycle. A bank and a row are known by bits of an address; without banks, all
 * addresses have one row. A bank's place is a multiple of its bits, which takes no shift to find.
 */
struct ooo_banks {
    uint64_t *reads;
    uint64_t bank_bits;
    uint32_t row_bits;
};

#define OOO_BANK_READS (OOO_HORIZON / 8) /* for each address bit: bank_bytes is 8 at least */

static inline uint64_t ooo_bank_read(const struct ooo_banks *banks, uint64_t address,
                                     uint64_t cycle)
{
    return (address & banks->bank_bits) * OOO_BANK_READS + cycle % OOO_HORIZON;
}

/* A span of cycles in which an instruction finds no unit of its kind: [from, until). */
struct ooo_full {
    uint64_t from, until;
};

/* A place at an end of the window, where up to `width` instructions come in order in a cycle: the
 * cycle and, in the low OOO_PLACE_BITS, a number from 0 to width - 1. A time is the first place
 * of a cycle. */
#define OOO_PLACE_BITS 4
#define OOO_CYCLE      (UINT64_C(1) << OOO_PLACE_BITS) /* as a time */
#define OOO_NUMBERS    (OOO_CYCLE - 1)
#define OOO_FIRST      OOO_CYCLE /* the first instruction comes in cycle 1 */

struct ooo_pace {
    uint64_t delivered, dispatched, retired; /* the times of the latest */
    uint64_t to_deliver, to_dispatch;        /* the next places */
    uint64_t n, n_loads, n_stores;           /* so far */
    uint64_t slots;                          /* of dispatch that are taken so far */
};

/* Instructions that come one after the other. */
struct ooo_row {
    uint32_t n, n_loads, n_stores;
};

struct ooo_timing {
    /* The units taken in each cycle: a lane for each kind of unit, which has its top bit set when
     * all are. Clean as far as dispatch before the time `clean_until` can look ahead. */
    uint64_t taken[OOO_SLOTS];

    struct ooo_pace pace;
    uint32_t width, queue, entries, loads, stores; /* of the machine */
    uint32_t ring_mask, load_mask, store_mask;     /* of the rings below: as much as is needed */
    ptrdiff_t before; /* bytes in `held` from an instruction to the one `width` before it */
    uint64_t alu_latency;

    uint64_t ready[OOO_READY];
    uint64_t accumulated[OOO_READY]; /* the same of the latest that accumulates... */
    uint64_t early[OOO_READY];       /* ...and the time for the accumulator of another one */
    uint64_t divider_free[OOO_DIVIDERS];
    struct ooo_full full[OOO_UNITS];
    uint64_t serialized;       /* nothing more is dispatched before this time */
    uint64_t room_until;       /* there is room for the instructions before this number */
    struct ooo_row look_ahead; /* how far that is looked for */

    uint64_t backend_stall; /* cycles dispatch lost to the back end... */
    uint64_t memory_stall;  /* ...those of them in which a miss was intervals... */
    uint64_t store_stall;   /* ...those of the others for want of an entry of the store queue... */
    uint64_t load_stall;    /* ...or that a late load holds */
    uint64_t backend_slots; /* of dispatch that are empty for want of room */
    uint64_t wrong_cycles;  /* in which only a wrong path is dispatched... */
    uint64_t recovery;      /* ...and those of backend_stall in which dispatch recovers from one */
    uint64_t frontend_stall[OOO_HOLDS]; /* to the front end, by what it was held for... */
    uint64_t starved;                   /* ...and all of them */
    enum ooo_hold held_for;             /* the latest time */
    /* In order: when results are there for addresses, what a late load brings and when, and for how
     * long one holds those after it, by the number of the load. */
    bool in_order;
    uint32_t after;     /* the most instructions issued after a load until it has its data */
    uint32_t late_time; /* data of a store may come so much after other operands */
    uint64_t for_address[OOO_READY], from_late_load[OOO_READY];
    uint64_t load_until[OOO_RING];
    uint64_t interlocks[OOO_INTERLOCKS]; /* cycles of backend_stall */
    uint64_t store_waits;                /* stores that wait for an entry */

    struct miss_intervals intervals;
    uint64_t n_waits, waits_until; /* data misses that an instruction waits for; the latest */

    /* The times after dispatch and after retirement of the latest instructions, after retirement
     * of the latest loads, and after the write of the latest stores: when what they held is free.
     */
    struct ooo_held {
        uint64_t queue_free, entry_free;
    } held[OOO_RING];
    uint64_t load_free[OOO_RING], store_free[OOO_RING];
    uint64_t stores_free[OOO_RING]; /* of a store and all before it: one may overtake others */
    /* Numbers plus 1, of instructions and of loads, that were late loads. */
    uint64_t late_entry[OOO_RING], late_load[OOO_RING];

    uint64_t takes[OOO_UNITS]; /* by an instruction for a unit of that kind */
    uint64_t nothing_taken;
    uint64_t clean_until;
    struct ooo_banks banks;
};

/* Makes a window at rest, from the keys of the machine. line_bytes: of the data caches. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY, then there is nothing to release. */
ARMPMU_MUST_USE enum armpmu_status
ooo_init(struct ooo_timing *window, const struct armpmu_machine *machine, struct armpmu_error *err);

/* Releases what ooo_init took. A zeroed or a freed one is fine. */
void ooo_free(struct ooo_timing *window);

/* Prepares an instruction. in_order: NULL of an out-of-order core. */
void ooo_step_make(const struct ooo_timing *window, struct ooo_step *step, const struct ooo_op *op,
                   const struct ooo_in_order *in_order);

static inline uint64_t ooo_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A data miss is intervals in the cycles [from, until). Dispatch has come to the cycle `now`. */
static inline void ooo_wait(struct ooo_timing *window, uint64_t now, uint64_t from, uint64_t until)
{
    window->n_waits++;
    window->waits_until = until;
    miss_intervals_forget(&window->intervals, now);
    miss_intervals_add(&window->intervals, from, until);
}

/* ---- times and places ---- */

static inline uint64_t ooo_time(uint64_t cycle)
{
    return cycle << OOO_PLACE_BITS;
}

/* The cycle of a time or a place. */
static inline uint64_t ooo_cycle(uint64_t place)
{
    return place >> OOO_PLACE_BITS;
}

/* The time that a place belongs to. */
static inline uint64_t ooo_time_of(uint64_t place)
{
    return place & ~OOO_NUMBERS;
}

/* A place, or the first one of the next cycle if its cycle has fewer. */
static inline uint64_t ooo_wrap(const struct ooo_timing *window, uint64_t place)
{
    return (place & OOO_NUMBERS) == (window->width & OOO_NUMBERS) ? ((place - 1) | OOO_NUMBERS) + 1
                                                                  : place;
}

/* ---- in order: the front end ---- */

/* The front end delivers nothing more before a time, later than that of the latest instruction. */
static inline void ooo_hold_on(struct ooo_timing *window, struct ooo_pace *pace, uint64_t time,
                               enum ooo_hold why)
{
    pace->delivered = pace->to_deliver = time;
    window->held_for = why;
}

/* The same of any time. */
static inline void ooo_hold(struct ooo_timing *window, struct ooo_pace *pace, uint64_t time,
                            enum ooo_hold why)
{
    if (time > pace->delivered)
        ooo_hold_on(window, pace, time, why);
}

/* The times [from, until) are lost to the front end: dispatch has no instruction. */
static inline void ooo_starve(struct ooo_timing *window, uint64_t from, uint64_t until)
{
    window->frontend_stall[window->held_for] += ooo_cycle(until - from);
    window->starved += ooo_cycle(until - from);
}

/* Returns the time. */
static inline uint64_t ooo_deliver(const struct ooo_timing *window, struct ooo_pace *pace)
{
    const uint64_t place = ooo_later(
        pace->to_deliver, window->held[(pace->n - window->queue) & window->ring_mask].queue_free);
    pace->to_deliver = ooo_wrap(window, place + 1);
    return pace->delivered = ooo_time_of(place);
}

/* CHOICE(amu-lost-cycle): the times from dispatch on, until the next instruction is dispatched,
 * are lost to the front end until it is delivered, then to the back end: dispatch has an
 * instruction and sends nothing. */
void ooo_lose(struct ooo_timing *window, const struct ooo_pace *pace, const struct ooo_step *step,
              uint64_t until);

/* The latest instruction is a branch that was predicted wrongly. Dispatches its wrong path up to a
 * time that is not before the branch is dispatched; dispatch then recovers for some cycles, which
 * are lost to the back end. Returns how many operations were dispatched. */
uint64_t ooo_wrong_path(struct ooo_timing *window, struct ooo_pace *pace, uint64_t until,
                        uint32_t recovery_cycles);

/* Cleans what is taken in cycles further ahead of the time `now`, in place of cycles that are past.
 */
void ooo_clean(struct ooo_timing *window, uint64_t now);

/* The time when the next store finds an entry of its queue. */
static inline uint64_t ooo_store_entry(const struct ooo_timing *window, const struct ooo_pace *pace)
{
    return window->store_free[(pace->n_stores - window->stores) & window->store_mask];
}

/* The place where the window and its queues let an instruction be dispatched, not before `place`.
 */
static inline uint64_t ooo_entry(const struct ooo_timing *window, const struct ooo_pace *pace,
                                 const struct ooo_step *step, uint64_t place)
{
    place =
        ooo_later(place, window->held[(pace->n - window->entries) & window->ring_mask].entry_free);
    if (step->load)
        place = ooo_later(place,
                          window->load_free[(pace->n_loads - window->loads) & window->load_mask]);
    if (step->store)
        place = ooo_later(place, ooo_store_entry(window, pace));
    return ooo_later(place, window->serialized);
}

/* The slots of dispatch from the first one of cycle 0 to a place. */
static inline uint64_t ooo_slots(const struct ooo_timing *window, uint64_t place)
{
    return ooo_cycle(place) * window->width + (place & OOO_NUMBERS);
}

/* Those that are left empty because no instruction is there. CHOICE(pmuv3-slots): slots before the
 * next instruction's are empty until the cycle of its delivery for want of it, then for want of
 * room. Those after the latest instruction are still open. */
static inline uint64_t ooo_frontend_slots(const struct ooo_timing *window,
                                          const struct ooo_pace *pace)
{
    return ooo_slots(window, pace->to_dispatch) - ooo_slots(window, OOO_FIRST) - pace->slots -
           window->backend_slots;
}

/* The place some slots after another. */
static inline uint64_t ooo_after(const struct ooo_timing *window, uint64_t place, uint32_t slots)
{
    uint64_t cycle = ooo_time_of(place), number = (place & OOO_NUMBERS) + slots;

    for (; number >= window->width; number -= window->width)
        cycle += OOO_CYCLE;
    return cycle + number;
}

/* Returns the time: that of the last of its slots, which follow each other from cycle to cycle. */
static inline uint64_t ooo_dispatch(struct ooo_timing *window, struct ooo_pace *pace,
                                    const struct ooo_step *step)
{
    const uint64_t ready = ooo_later(pace->to_dispatch, pace->delivered);
    const uint64_t place = ooo_entry(window, pace, step, ready);
    const uint64_t first = ooo_time_of(place);
    const uint64_t last =
        likely(step->slots == 1) ? place : ooo_after(window, place, step->slots - 1u);
    const uint64_t at = ooo_time_of(last);
    if (first > pace->dispatched + OOO_CYCLE)
        ooo_lose(window, pace, step, first);
    if (place != ready)
        window->backend_slots += ooo_slots(window, place) - ooo_slots(window, ready);
    if (at >= window->clean_until)
        ooo_clean(window, at);
    pace->slots += step->slots;
    pace->to_dispatch = ooo_wrap(window, last + 1);
    return pace->dispatched = at;
}

/* ---- in order: instructions together ---- */

/* Returns whether instructions of one slot each are so few that those before them alone decide
 * whether there is room for them. */
static inline bool ooo_row_fits(const struct ooo_timing *window, const struct ooo_row *row)
{
    return row->n <= window->queue && row->n <= window->entries && row->n_loads <= window->loads &&
           row->n_stores <= window->stores;
}

/* Returns whether the next instructions, which fit, find their entries of the queue, of the window
 * and of the load and store queue without waiting, and what they hold is in one piece of the ring
 * with that of the `width` before them. Those before window->room_until do. */
bool ooo_find_room(struct ooo_timing *window, const struct ooo_pace *pace,
                   const struct ooo_row *row);

/* Delivers the next instructions, up to n, and dispatches them, all in one cycle: those of one slot
 * each for which there is room. No cycle is lost to the back end. Returns how many. */
static inline uint32_t ooo_send(struct ooo_timing *window, struct ooo_pace *pace, uint32_t n)
{
    const uint64_t delivered = ooo_time_of(pace->to_deliver);
    const uint64_t place = ooo_later(pace->to_dispatch, delivered);
    const uint64_t dispatched = ooo_time_of(place);
    const uint32_t number =
        (uint32_t)ooo_later(place & OOO_NUMBERS, pace->to_deliver & OOO_NUMBERS);
    const uint32_t left = window->width - number;
    uint32_t sent = n;

    pace->delivered = delivered;
    if (dispatched > pace->dispatched + OOO_CYCLE)
        ooo_starve(window, pace->dispatched + OOO_CYCLE, dispatched);
    pace->dispatched = dispatched;
    if (n < left) { /* neither cycle is full */
        pace->to_deliver += n;
        pace->to_dispatch = place + n;
    } else {
        sent = left;
        pace->to_deliver = ooo_wrap(window, pace->to_deliver + left);
        pace->to_dispatch = ooo_wrap(window, place + left);
    }
    pace->slots += sent;
    if (unlikely(dispatched >= window->clean_until))
        ooo_clean(window, dispatched);
    __builtin_prefetch((const char *)&window->taken[ooo_cycle(dispatched) % OOO_SLOTS] + OOO_SOON,
                       1);
    return sent;
}

/* The part of the window that changes with each of the instructions that were sent together, apart
 * from the others: so the host keeps it in registers. */
struct ooo_together {
    struct ooo_held *held; /* of the next one... */
    ptrdiff_t before;      /* ...and the bytes from there to that of the one `width` before it */
    uint64_t free;         /* the time after the latest one's retirement */
    uint64_t next;         /* the time after their dispatch */
};

/* Returns how many of the next instructions hold what is in one piece with that of the `width`
 * before them. */
static inline uint64_t ooo_lie_together(const struct ooo_timing *window,
                                        const struct ooo_pace *pace)
{
    const uint64_t first = pace->n & window->ring_mask;
    return first < window->width ? 0 : window->ring_mask + 1 - first;
}

/* Where the next instructions hold what: ooo_lie_together counts them, or there is one alone. */
static inline struct ooo_together ooo_gather(struct ooo_timing *window, const struct ooo_pace *pace)
{
    const uint64_t next = pace->n & window->ring_mask,
                   before = (pace->n - window->width) & window->ring_mask;

    return (struct ooo_together){&window->held[next],
                                 (ptrdiff_t)((before - next) * sizeof window->held[0]),
                                 pace->retired + OOO_CYCLE, pace->dispatched + OOO_CYCLE};
}

/* The same where ooo_lie_together counts them. */
static inline struct ooo_together ooo_gather_more(struct ooo_timing *window,
                                                  const struct ooo_pace *pace)
{
    return (struct ooo_together){&window->held[pace->n & window->ring_mask], window->before,
                                 pace->retired + OOO_CYCLE, pace->dispatched + OOO_CYCLE};
}

static inline uint64_t ooo_dispatched(const struct ooo_together *together)
{
    return together->next - OOO_CYCLE;
}

/* Puts it back, after n instructions since it was taken. */
static inline void ooo_scatter(struct ooo_pace *pace, const struct ooo_together *together,
                               uint64_t n)
{
    pace->n += n;
    pace->retired = together->free - OOO_CYCLE;
}

/* ---- out of order: execution ---- */

/* The time at which its operands are there, at least the one after dispatch. */
static inline uint64_t ooo_operands(const struct ooo_timing *window, const struct ooo_step *step,
                                    uint64_t dispatched)
{
    uint64_t at = dispatched + OOO_CYCLE;
    for (unsigned i = 0; i < OOO_PLAIN_READS; i++)
        at = ooo_later(at, window->ready[step->reads[i]]);
    return at;
}

/* ooo_take_unit where the cycle of `at` has no unit free. */
uint64_t ooo_search_unit(struct ooo_timing *window, const struct ooo_step *step,
                         uint64_t dispatched, uint64_t at);

/* The first time from `at` on with a unit free, which is then taken. */
static inline uint64_t ooo_take_unit(struct ooo_timing *window, const struct ooo_step *step,
                                     uint64_t dispatched, uint64_t at)
{
    const uint64_t slot = ooo_cycle(at) % OOO_SLOTS;
    if (unlikely(at >= dispatched + ooo_time(OOO_HORIZON)))
        return at;
    if (unlikely((window->taken[slot] & step->busy) != 0))
        return ooo_search_unit(window, step, dispatched, at);
    window->taken[slot] += step->takes;
    return at;
}

/* A plain one: true if only the first two operands and the first result exist. */
static inline bool ooo_is_short(const struct ooo_step *step)
{
    return step->reads[2] == OOO_ALWAYS && step->writes[1] == OOO_NOWHERE;
}

static inline uint64_t ooo_issue_short(struct ooo_timing *window, const struct ooo_step *step,
                                       uint64_t dispatched)
{
    const uint64_t ready = ooo_later(window->ready[step->reads[0]], window->ready[step->reads[1]]);
    return ooo_take_unit(window, step, dispatched, ooo_later(dispatched + OOO_CYCLE, ready));
}

/* The same of registers that are not in the list. */
static inline uint64_t ooo_more_operands(const struct ooo_timing *window,
                                         const struct ooo_step *step, uint64_t at)
{
    for (uint64_t more = step->more_reads; more != 0; more &= more - 1)
        at = ooo_later(at, window->ready[__builtin_ctzll(more)]);
    return ooo_later(at, window->ready[step->first] + step->first_by);
}

/* Returns the time at which a plain instruction that was dispatched at `at` is issued. */
static inline uint64_t ooo_issue_plain(struct ooo_timing *window, const struct ooo_step *step,
                                       uint64_t dispatched)
{
    return ooo_take_unit(window, step, dispatched, ooo_operands(window, step, dispatched));
}

/* The time from which on an instruction may be issued for its accumulator's sake. */
static inline uint64_t ooo_accumulator(const struct ooo_timing *window, const struct ooo_step *step)
{
    const uint64_t ready = window->ready[step->accumulator];

    return window->accumulated[step->accumulator] == ready ? window->early[step->accumulator]
                                                           : ready;
}

/* Takes the units of an instruction that uses them several times: each time in the first cycle that
 * has them. */
void ooo_take_more(struct ooo_timing *window, const struct ooo_step *step, uint64_t dispatched,
                   uint64_t issued);

/* The same of an instruction with a divider, whose operands are there at `at`. */
static inline uint64_t ooo_issue_divided(struct ooo_timing *window, const struct ooo_step *step,
                                         uint64_t dispatched, uint64_t at)
{
    uint64_t *const free_at = &window->divider_free[step->divider];
    const uint64_t issued = ooo_take_unit(window, step, dispatched, ooo_later(at, *free_at));

    *free_at = issued + step->divide_time;
    return issued;
}

/* The same of any instruction. */
static inline uint64_t ooo_issue(struct ooo_timing *window, const struct ooo_step *step,
                                 uint64_t dispatched)
{
    uint64_t at = ooo_more_operands(window, step, ooo_operands(window, step, dispatched));
    if (step->accumulator != OOO_NOWHERE)
        at = ooo_later(at, ooo_accumulator(window, step));
    if (step->divides)
        return ooo_issue_divided(window, step, dispatched, at);
    at = ooo_take_unit(window, step, dispatched, at);
    if (unlikely(step->times > 1))
        ooo_take_more(window, step, dispatched, at);
    return at;
}

/* CHOICE(neoverse-barriers): a barrier is dispatched, and waits for all that has not retired, which
 * has all loads, or until the stores before it are written. So do accesses after it. An access to a
 * monitor's register waits for all that has not retired. */
static inline void ooo_order(struct ooo_timing *window, const struct ooo_pace *pace,
                             const struct ooo_step *step)
{
    uint64_t *const ordered = &window->ready[OOO_ORDERED];

    if (step->barrier == OOO_WAITS)
        window->ready[OOO_RETIRED] = pace->retired;
    if (step->after_loads)
        *ordered = ooo_later(*ordered, pace->retired);
    if (step->after_stores)
        *ordered =
            ooo_later(*ordered, window->stores_free[(pace->n_stores - 1) & window->store_mask]);
}

/* Nothing more is dispatched until what serializes is complete. */
static inline void ooo_serialize(struct ooo_timing *window, uint64_t complete)
{
    window->serialized = complete;
    window->room_until = 0;
}

/* CHOICE(neoverse-split): an access that was issued takes its unit once more. Returns the time. */
static inline uint64_t ooo_issue_again(struct ooo_timing *window, const struct ooo_step *step,
                                       uint64_t dispatched, uint64_t issued)
{
    return ooo_take_unit(window, step, dispatched, issued + OOO_CYCLE);
}

/* CHOICE(l1d-banks): returns the time at which a load that was issued reads its bank. */
static inline uint64_t ooo_read_bank(struct ooo_timing *window, const struct ooo_step *step,
                                     uint64_t dispatched, uint64_t issued, uint64_t address)
{
    const uint32_t row = (uint32_t)address & window->banks.row_bits;

    for (uint64_t at = issued;; at = ooo_issue_again(window, step, dispatched, at)) {
        const uint64_t cycle = ooo_cycle(at), read = cycle << 32 | row;
        uint64_t *const latest =
            &window->banks.reads[ooo_bank_read(&window->banks, address, cycle)];
        if (unlikely(at >= dispatched + ooo_time(OOO_HORIZON)))
            return at;
        if (likely((*latest ^ read) - 1 >= UINT32_MAX)) { /* of another cycle, or the same row */
            *latest = read;
            return at;
        }
    }
}

/* The results of a plain instruction are there at `complete`. */
static inline void ooo_result_plain(struct ooo_timing *window, const struct ooo_step *step,
                                    uint64_t complete)
{
    for (unsigned i = 0; i < OOO_PLAIN_WRITES; i++)
        window->ready[step->writes[i]] = complete;
}

/* An accumulating instruction has a result for the next accumulator before it is complete. Its own
 * accumulator is still the one that it read. CHOICE(neoverse-accumulate): after a link of a chain
 * within a pipe, the next instruction is in the other pipe. */
static inline void ooo_accumulated(struct ooo_timing *window, const struct ooo_step *step,
                                   uint64_t issued, uint64_t complete)
{
    const bool linked = issued < window->ready[step->accumulator];

    window->accumulated[step->writes[0]] = step->within_pipe && linked ? 0 : complete;
    window->early[step->writes[0]] = complete - step->forward;
}

/* CHOICE(amu-store-base): an updated base is as the ALU makes it, with the access; that of a store,
 * which waits for its data, as soon as there is a base. */
static inline void ooo_result_base(struct ooo_timing *window, const struct ooo_step *step,
                                   uint64_t issued)
{
    window->ready[step->base] = issued + window->alu_latency;
}

/* Those of any instruction. */
static inline void ooo_result(struct ooo_timing *window, const struct ooo_step *step,
                              uint64_t dispatched, uint64_t issued, uint64_t complete)
{
    const uint64_t *base = &window->ready[step->base];

    if (step->accumulator != OOO_NOWHERE)
        ooo_accumulated(window, step, issued, complete);
    ooo_result_plain(window, step, complete);
    for (uint64_t more = step->more_writes; more != 0; more &= more - 1)
        window->ready[__builtin_ctzll(more)] = complete;
    ooo_result_base(window, step, step->store ? ooo_later(dispatched + OOO_CYCLE, *base) : issued);
}

/* ---- an in-order core ---- */

/* ooo_dispatch of an in-order core: an instruction is dispatched in the cycle before it is issued,
 * so none passes another that waits. */
void ooo_dispatch_in_order(struct ooo_timing *window, struct ooo_pace *pace,
                           const struct ooo_step *step, const struct ooo_in_order *op);

/* The rest of what an instruction leaves there, after ooo_result. */
void ooo_result_in_order(struct ooo_timing *window, struct ooo_pace *pace,
                         const struct ooo_step *step, const struct ooo_in_order *op,
                         uint64_t complete);

/* ---- in order: retirement ---- */

/* The instruction of a number, the next load to retire, comes later than a hit in L1D would. */
static inline void ooo_load_is_late(struct ooo_timing *window, const struct ooo_pace *pace,
                                    uint64_t number)
{
    window->late_entry[number & window->ring_mask] = number + 1;
    window->late_load[pace->n_loads & window->load_mask] = pace->n_loads + 1;
}

/* Returns the time at which it retires: in the cycle after the instruction `width` before it at the
 * earliest, which is when the entry of that is free. */
static inline uint64_t ooo_retire_plain(struct ooo_timing *window, struct ooo_pace *pace,
                                        uint64_t complete)
{
    const uint64_t before = window->held[(pace->n - window->width) & window->ring_mask].entry_free;
    const uint64_t entry = pace->n++ & window->ring_mask;
    pace->retired = ooo_later(ooo_later(pace->retired, complete), before);
    window->held[entry].queue_free = pace->dispatched + OOO_CYCLE;
    window->held[entry].entry_free = pace->retired + OOO_CYCLE;
    return pace->retired;
}

/* The same of one of several together. */
static ALWAYS_INLINE void ooo_retire_together(struct ooo_together *together, uint64_t complete)
{
    const struct ooo_held *const before =
        (const void *)((const char *)together->held + together->before);

    together->free = ooo_later(together->free, ooo_later(complete, before->entry_free) + OOO_CYCLE);
    *together->held++ = (struct ooo_held){together->next, together->free};
}

/* A load has retired: the time after that. */
static inline void ooo_load_retired(struct ooo_timing *window, struct ooo_pace *pace, uint64_t free)
{
    window->load_free[pace->n_loads++ & window->load_mask] = free;
}

static inline uint64_t ooo_retire_load(struct ooo_timing *window, struct ooo_pace *pace,
                                       uint64_t complete)
{
    const uint64_t at = ooo_retire_plain(window, pace, complete);
    ooo_load_retired(window, pace, at + OOO_CYCLE);
    return at;
}

/* The same of any instruction. For a store ooo_store_written follows, which says when it is
 * written. */
static inline uint64_t ooo_retire(struct ooo_timing *window, struct ooo_pace *pace,
                                  const struct ooo_step *step, uint64_t complete)
{
    return step->load ? ooo_retire_load(window, pace, complete)
                      : ooo_retire_plain(window, pace, complete);
}

static inline void ooo_store_written(struct ooo_timing *window, struct ooo_pace *pace,
                                     uint64_t time)
{
    const uint64_t before = window->stores_free[(pace->n_stores - 1) & window->store_mask];
    const uint64_t entry = pace->n_stores++ & window->store_mask;
    window->store_free[entry] = time + OOO_CYCLE;
    window->stores_free[entry] = ooo_later(before, time + OOO_CYCLE);
}

#endif
