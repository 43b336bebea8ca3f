/* The timing of an out-of-order core: when instructions are delivered, dispatched, issued,
 * completed and retired.
 *
 * Instructions are told once, in program order, each with five calls: window_deliver,
 * window_dispatch, window_issue, window_result for what it writes, window_retire. Every time is a
 * cycle number. That the calls come in program order while issue does not is no approximation: an
 * instruction waits for older ones only, so its times are known when it is told.
 *
 * Assumes:
 *  - The front end delivers up to `width` instructions a cycle, in order, into a queue of `queue`
 *    instructions; an entry is free in the cycle behind its instruction's dispatch.
 *  - Dispatch sends up to `width` slots a cycle, in order, from the cycle of delivery on. It needs
 *    an entry of the window, and of the load or store queue: free in the cycle behind the
 *    retirement of the instruction `entries` (`loads`) back, or behind the write of the store
 *    `stores` back.
 *  - Issue is behind dispatch, when operands are ready and a unit of its kind is free; the oldest
 *    first. Units take an instruction every cycle. Dividers take one at a time, in program order.
 *  - Results are there `latency` cycles behind issue, and forwarded at once.
 *  - Up to `width` instructions retire in a cycle, in order, from the cycle of completion on.
 *  - A cycle in which dispatch sends nothing is lost to the front end until the next instruction
 *    is delivered, then to the back end.
 *  - An instruction that becomes ready WINDOW_HORIZON cycles or more behind its dispatch finds a
 *    unit free.
 * Does not model: separate schedulers with limits of their own, the size of the register file,
 * fusion and elimination of instructions, wrong paths. */
#ifndef UARCH_WINDOW_H
#define UARCH_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/status.h"
#include "catalog/machine.h"
#include "uarch/outstanding.h"

enum window_unit {
    UNIT_INTEGER,
    UNIT_MULTICYCLE, /* those of the integer units that multiply, shift and divide: takes both */
    UNIT_BRANCH,
    UNIT_LOAD,
    UNIT_STORE,
    UNIT_VECTOR,
    WINDOW_UNITS
};

enum window_divider { DIVIDER_INTEGER, DIVIDER_FLOAT, WINDOW_DIVIDERS };

/* What the window has to know of an instruction. */
struct window_op {
    uint64_t reads, writes; /* sets of registers as in struct insn, of A64 */
    uint64_t writes_back;   /* those of writes that are an updated base: ready as from the ALU */
    bool reads_flags, writes_flags;
    bool load, store; /* takes an entry of that queue */
    bool divides;     /* waits for its divider, and holds it for divide_cycles */
    enum window_divider divider;
    enum window_unit unit;
    uint8_t slots; /* of dispatch */
    uint16_t latency, divide_cycles;
};

#define WINDOW_RING    1024 /* a power of two, no less than any queue may have */
#define WINDOW_HORIZON 4096 /* a power of two */
#define WINDOW_FLAGS   64   /* where the flags stand among the registers */

/* How many of each kind of unit are taken in a cycle. */
struct window_slot {
    uint64_t cycle;
    uint8_t taken[WINDOW_UNITS];
};

/* A span of cycles in which all units of a kind are taken: [from, until). */
struct window_full {
    uint64_t from, until;
};

struct window {
    uint32_t width, queue, entries, loads, stores; /* of the machine */
    uint16_t alu_latency;
    uint8_t units[WINDOW_UNITS];

    uint64_t delivered;   /* the cycle of the latest delivery */
    uint32_t n_delivered; /* in that cycle */
    uint64_t dispatched;
    uint32_t n_dispatched; /* slots */
    uint64_t retired;
    uint32_t n_retired;

    uint64_t n, n_loads, n_stores;    /* told so far */
    uint64_t ready[WINDOW_FLAGS + 1]; /* registers and flags */
    uint64_t divider_free[WINDOW_DIVIDERS];
    struct window_full full[WINDOW_UNITS];

    uint64_t backend_stall; /* cycles dispatch lost to the back end... */
    uint64_t memory_stall;  /* ...those of them in which a miss was outstanding */
    struct outstanding outstanding;

    uint64_t dispatches[WINDOW_RING], retires[WINDOW_RING]; /* by instruction, the latest ones */
    uint64_t load_retires[WINDOW_RING], store_writes[WINDOW_RING];
    struct window_slot slots[WINDOW_HORIZON]; /* by cycle */
};

/* Makes a window at rest, from the keys of the machine. line_bytes: of the data caches. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY, then there is nothing to release. */
ARMPMU_MUST_USE enum armpmu_status
window_init(struct window *window, const struct armpmu_machine *machine, struct armpmu_error *err);

/* Releases what window_init took. A zeroed or a freed one is fine. */
void window_free(struct window *window);

/* A data miss is outstanding in the cycles [from, until). */
static inline void window_wait(struct window *window, uint64_t from, uint64_t until)
{
    outstanding_forget(&window->outstanding, window->dispatched);
    outstanding_add(&window->outstanding, from, until);
}

static inline uint64_t window_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The front end delivers nothing more before a cycle. */
static inline void window_hold(struct window *window, uint64_t cycle)
{
    if (cycle <= window->delivered)
        return;
    window->delivered = cycle;
    window->n_delivered = 0;
}

static inline uint64_t window_deliver(struct window *window)
{
    window_hold(window, window->dispatches[(window->n - window->queue) % WINDOW_RING] + 1);
    if (window->n_delivered == window->width)
        window_hold(window, window->delivered + 1);
    window->n_delivered++;
    return window->delivered;
}

/* CHOICE(amu-lost-cycle): the cycles [from, until) are lost to the back end: dispatch has an
 * instruction and sends nothing. */
static inline void window_lose(struct window *window, uint64_t from, uint64_t until)
{
    if (from >= until)
        return;
    window->backend_stall += until - from;
    window->memory_stall += outstanding_within(&window->outstanding, from, until);
}

static inline uint64_t window_dispatch(struct window *window, const struct window_op *op)
{
    uint64_t at = window_later(window->dispatched, window->delivered);
    at = window_later(at, window->retires[(window->n - window->entries) % WINDOW_RING] + 1);
    if (op->load)
        at = window_later(
            at, window->load_retires[(window->n_loads - window->loads) % WINDOW_RING] + 1);
    if (op->store)
        at = window_later(
            at, window->store_writes[(window->n_stores - window->stores) % WINDOW_RING] + 1);
    if (at == window->dispatched && window->n_dispatched + op->slots > window->width)
        at++;
    if (at != window->dispatched) {
        window_lose(window, window_later(window->dispatched + 1, window->delivered), at);
        window->dispatched = at;
        window->n_dispatched = 0;
    }
    window->n_dispatched += op->slots;
    return at;
}

/* The cycle in which its operands are there, at least the one behind dispatch. */
static inline uint64_t window_operands(const struct window *window, const struct window_op *op)
{
    uint64_t at = window->dispatched + 1;
    for (uint64_t reads = op->reads; reads != 0; reads &= reads - 1)
        at = window_later(at, window->ready[__builtin_ctzll(reads)]);
    if (op->reads_flags)
        at = window_later(at, window->ready[WINDOW_FLAGS]);
    return at;
}

/* window_take_unit where the cycle `at` may have no unit free, or is far ahead. */
uint64_t window_search_unit(struct window *window, enum window_unit unit, uint64_t at);

/* What is taken in a cycle. The entry of a cycle long past becomes that of this one. */
static inline struct window_slot *window_slot_of(struct window *window, uint64_t cycle)
{
    struct window_slot *slot = &window->slots[cycle % WINDOW_HORIZON];
    if (slot->cycle != cycle)
        *slot = (struct window_slot){.cycle = cycle};
    return slot;
}

/* The first cycle from `at` on with a unit free, which is then taken. */
static inline uint64_t window_take_unit(struct window *window, enum window_unit unit, uint64_t at)
{
    if (unit == UNIT_MULTICYCLE || at - window->dispatched >= WINDOW_HORIZON)
        return window_search_unit(window, unit, at);
    struct window_slot *slot = window_slot_of(window, at);
    if (slot->taken[unit] >= window->units[unit])
        return window_search_unit(window, unit, at);
    slot->taken[unit]++;
    return at;
}

static inline uint64_t window_issue(struct window *window, const struct window_op *op)
{
    uint64_t at = window_operands(window, op);
    if (!op->divides)
        return window_take_unit(window, op->unit, at);
    uint64_t *free_at = &window->divider_free[op->divider];
    at = window_take_unit(window, op->unit, window_later(at, *free_at));
    *free_at = at + op->divide_cycles;
    return at;
}

/* Its results are there at `complete`, an updated base as the ALU makes it behind `issued`. */
static inline void window_result(struct window *window, const struct window_op *op, uint64_t issued,
                                 uint64_t complete)
{
    for (uint64_t writes = op->writes; writes != 0; writes &= writes - 1)
        window->ready[__builtin_ctzll(writes)] = complete;
    for (uint64_t bases = op->writes_back; bases != 0; bases &= bases - 1)
        window->ready[__builtin_ctzll(bases)] = issued + window->alu_latency;
    if (op->writes_flags)
        window->ready[WINDOW_FLAGS] = complete;
}

/* Returns the cycle in which it retires. A store is told when it is written by
 * window_store_written, behind this. */
static inline uint64_t window_retire(struct window *window, const struct window_op *op,
                                     uint64_t complete)
{
    if (complete > window->retired) {
        window->retired = complete;
        window->n_retired = 0;
    } else if (window->n_retired == window->width) {
        window->retired++;
        window->n_retired = 0;
    }
    window->n_retired++;
    window->dispatches[window->n % WINDOW_RING] = window->dispatched;
    window->retires[window->n % WINDOW_RING] = window->retired;
    window->n++;
    if (op->load)
        window->load_retires[window->n_loads++ % WINDOW_RING] = window->retired;
    return window->retired;
}

static inline void window_store_written(struct window *window, uint64_t at)
{
    window->store_writes[window->n_stores++ % WINDOW_RING] = at;
}

#endif
