#include "cores/neoverse/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "machine/core_descriptor.h"
#include "trace/trace_reader_blocks.h"

/* ---- instructions ---- */

/* CHOICE(neoverse-fetch-ahead): the cycle in which the line of the next instruction is asked for.
 */
static uint64_t ask_ahead(const struct neoverse *core, const struct ooo_pace *pace)
{
    const struct armpmu_machine *const machine = core->core.machine;

    if (machine->branch_directs_fetch != YESNO_YES)
        return ooo_cycle(pace->delivered);
    const uint64_t ahead = ooo_time(machine->branch_ahead_cycles);
    const uint64_t begun = ooo_later(core->predicted, core->restarted);
    return ooo_cycle(pace->delivered > begun + ahead ? pace->delivered - ahead : begun);
}

/* The line of instructions of a group, unless it is the one that the latest came from. */
static inline void fetch_line(struct neoverse *core, struct ooo_pace *pace,
                              struct neoverse_fetch_group *group, uint64_t address)
{
    if (group->line == core->fetch_line)
        return;
    core->fetch_line = group->line;
    if (unlikely(group->cured))
        memory_cure_fetch(&core->memory, address + group->first->offset);
    if (likely(memory_fetch_again(&core->memory, &group->fetched)))
        return;
    enum ooo_hold why;
    const uint64_t there = memory_fetch(&core->memory, address + group->first->offset,
                                        ask_ahead(core, pace), &why, &group->fetched);
    ooo_hold(&core->window, pace, ooo_time(there), why);
}

/* The next number of active instructions that some gear has as its threshold. */
static void find_threshold(struct neoverse *core)
{
    core->next_threshold = UINT32_MAX;
    for (unsigned gear = 0; gear < AMUV1_GEARS; gear++)
        if (core->thresholds[gear] >= core->activity)
            core->next_threshold = smaller(core->next_threshold, core->thresholds[gear]);
}

static OUT_OF_LINE void begin_period(struct neoverse *core, uint64_t dispatched)
{
    const uint64_t period_cycles = core->core.machine->mpmm_period_cycles;

    if (unlikely(core->phases != NULL)) {
        neoverse_note_activity(core, dispatched);
        return;
    }
    core->period_end = ooo_time((ooo_cycle(dispatched) / period_cycles + 1) * period_cycles);
    core->activity = 0;
    find_threshold(core);
}

/* One more than the thresholds of some gears is dispatched. */
static OUT_OF_LINE void count_gears(struct neoverse *core)
{
    static const enum armpmu_signal gears[AMUV1_GEARS] = {
        ARMPMU_SIGNAL_MPMM_GEAR0, ARMPMU_SIGNAL_MPMM_GEAR1, ARMPMU_SIGNAL_MPMM_GEAR2};

    for (unsigned gear = 0; gear < AMUV1_GEARS; gear++)
        core->memory.tally[gears[gear]] += core->activity == core->thresholds[gear];
    core->activity++;
    find_threshold(core);
    core->activity--;
}

/* CHOICE(amu-mpmm-activity): a gear counts a period of power mitigation in which more active
 * instructions are dispatched than its threshold, once. */
static inline void add_activity(struct neoverse *core, uint64_t dispatched)
{
    if (unlikely(dispatched >= core->period_end))
        begin_period(core, dispatched);
    if (unlikely(core->activity == core->next_threshold))
        count_gears(core);
    core->activity++;
}

/* The accesses of a block: those of a list that are still to come, or the records of all. */
struct accesses {
    bool are_records; /* a constant where it is inlined */
    const struct retired_access *next, *end;
    const uint64_t *records;
};

/* Takes the access of an instruction; returns false when it made none. */
static ALWAYS_INLINE bool take_access(struct accesses *accesses, const struct neoverse_step *step,
                                      struct retired_access *access)
{
    if (accesses->are_records) {
        if (step->record == 0)
            return false;
        access->address = armpmu_record_address(accesses->records[step->record - 1u]);
        access->device = false;
        return true;
    }
    if (accesses->next == accesses->end || accesses->next->index != step->index)
        return false;
    *access = *accesses->next++;
    return true;
}

/* It was counted as one that wrote. */
static OUT_OF_LINE void fail_exclusive(struct neoverse *core)
{
    core->memory.tally[ARMPMU_SIGNAL_EXCLUSIVE_STORE_PASS]--;
    core->memory.tally[ARMPMU_SIGNAL_EXCLUSIVE_STORE_FAIL]++;
}

static OUT_OF_LINE void count_unaligned(struct neoverse *core, const struct neoverse_step *step)
{
    core->memory.tally[ARMPMU_SIGNAL_UNALIGNED_LOAD] += step->window.load;
    core->memory.tally[ARMPMU_SIGNAL_UNALIGNED_STORE] += step->window.store;
}

/* The same of a gather or scatter, whose first access was taken: an access for each element.
 * CHOICE(sve-gather): each but the first takes the load or store unit once more. */
static OUT_OF_LINE uint64_t execute_elements(struct neoverse *core, struct ooo_pace *pace,
                                             const struct neoverse_step *step, uint64_t pc,
                                             struct accesses *accesses, uint64_t issued)
{
    struct ooo_timing *const window = &core->window;
    const struct retired_access *const first = accesses->next - 1;
    const uint64_t hit = issued + step->window.latency;
    uint64_t from = issued, complete = hit, written = 0;
    struct memory_access where = {.pc = pc,
                                  .dispatched = ooo_cycle(pace->dispatched),
                                  .bytes = step->bytes,
                                  .latency = step->latency};

    while (accesses->next != accesses->end && accesses->next->index == step->index)
        accesses->next++;
    for (const struct retired_access *one = first; one != accesses->next; one++) {
        if (one != first)
            from = ooo_issue_again(window, &step->window, pace->dispatched, from);
        where.address = one->address;
        where.again = ooo_cycle(from);
        if (step->window.load)
            complete =
                ooo_later(complete, ooo_time(memory_load(&core->memory, &where, ooo_cycle(from))));
    }
    if (step->window.load && complete > hit)
        ooo_load_is_late(window, pace, pace->n);
    complete = ooo_later(complete, from + step->window.latency);
    const uint64_t retired = ooo_retire(window, pace, &step->window, complete);
    for (const struct retired_access *one = first; one != accesses->next && step->window.store;
         one++) {
        where.address = one->address;
        written = ooo_later(written,
                            memory_store(&core->memory, &where, step->stride, ooo_cycle(retired)));
    }
    if (step->window.store)
        ooo_store_written(window, pace, ooo_time(written));
    return complete;
}

/* CHOICE(neoverse-split): a load, issued at a time, reads its parts. Returns the time at which one
 * of a single part would have been issued to complete with it. */
static inline uint64_t issue_parts(struct neoverse *core, const struct neoverse_step *step,
                                   const struct memory_access *access, uint64_t issued)
{
    struct neoverse_memory *const memory = &core->memory;
    const bool quads =
        step->quads != 0 && access->address % 4 != 0 && !access->device && !memory->no_data_cache;
    unsigned more = quads
                        ? step->quads
                        : memory_load_splits(memory, access->address, step->bytes, access->device);

    while (unlikely(more-- != 0))
        issued =
            ooo_issue_again(&core->window, &step->window, ooo_time(access->dispatched), issued);
    return quads ? issued + ooo_time(core->core.machine->latency_unaligned_quad - 1) : issued;
}

/* Makes the access of an instruction that takes an entry of the load or store queue and was issued
 * at a time, if it has one, and retires it. Returns the time when it is complete. */
static ALWAYS_INLINE uint64_t execute_access(struct neoverse *core, struct ooo_pace *pace,
                                             const struct neoverse_step *step, uint64_t pc,
                                             struct accesses *accesses, uint64_t issued)
{
    struct ooo_timing *window = &core->window;
    uint64_t complete = issued + step->window.latency;
    struct retired_access access;

    if (unlikely(!take_access(accesses, step, &access))) {
        if (step->monitors)
            fail_exclusive(core);
        const uint64_t retired = ooo_retire(window, pace, &step->window, complete);
        if (step->window.store)
            ooo_store_written(window, pace, retired);
        return complete;
    }
    if (unlikely(accesses->next != accesses->end && !accesses->are_records &&
                 accesses->next->index == step->index))
        return execute_elements(core, pace, step, pc, accesses, issued);
    if (step->window.load && !access.device)
        issued = ooo_read_bank(window, &step->window, pace->dispatched, issued, access.address);
    struct memory_access where = {
        .pc = pc,
        .dispatched = ooo_cycle(pace->dispatched),
        .address = access.address,
        .bytes = step->bytes,
        .latency = step->latency,
        .device = access.device,
    };
    uint64_t again = issued;
    if (step->window.load)
        again = issue_parts(core, step, &where, issued);
    else if (unlikely(memory_splits(&core->memory, access.address, step->bytes, access.device)))
        again = ooo_issue_again(window, &step->window, pace->dispatched, issued);
    where.again = ooo_cycle(again);
    complete = again + step->window.latency;
    if (unlikely((access.address & step->unaligned) != 0))
        count_unaligned(core, step);
    if (step->window.load) {
        const uint64_t hit = complete;
        complete = ooo_time(memory_load(&core->memory, &where, ooo_cycle(issued)));
        if (unlikely(complete > hit))
            ooo_load_is_late(window, pace, pace->n);
    }
    const uint64_t retired = ooo_retire(window, pace, &step->window, complete);
    if (step->window.store) {
        const uint64_t written =
            memory_store(&core->memory, &where, step->stride, ooo_cycle(retired));
        ooo_store_written(window, pace, ooo_time(written));
    }
    return complete;
}

/* execute of any instruction. */
static ALWAYS_INLINE uint64_t execute_any(struct neoverse *core, struct ooo_pace *pace,
                                          const struct neoverse_step *step,
                                          struct accesses *accesses, uint64_t address)
{
    struct ooo_timing *window = &core->window;
    const uint64_t dispatched = pace->dispatched;

    if (step->active)
        add_activity(core, dispatched);
    if (unlikely(step->window.barrier != OOO_NO_BARRIER))
        ooo_order(window, pace, &step->window);
    const uint64_t issued = ooo_issue(window, &step->window, dispatched);
    uint64_t complete = issued + step->window.latency;
    if (unlikely(step->window.barrier == OOO_SERIALIZES))
        ooo_serialize(window, complete);
    if (step->queued)
        complete = execute_access(core, pace, step, address + step->offset, accesses, issued);
    else
        ooo_retire(window, pace, &step->window, complete);
    ooo_result(window, &step->window, dispatched, issued, complete);
    return complete;
}

/* The rest of an instruction that was dispatched. Returns the time when it is complete. */
static ALWAYS_INLINE uint64_t execute(struct neoverse *core, struct ooo_pace *pace,
                                      const struct neoverse_step *step, struct accesses *accesses,
                                      uint64_t address)
{
    struct ooo_timing *window = &core->window;

    if (step->kind <= KIND_PLAIN) {
        const bool is_short = step->kind == KIND_SHORT;
        const uint64_t issued = is_short ? ooo_issue_short(window, &step->window, pace->dispatched)
                                         : ooo_issue_plain(window, &step->window, pace->dispatched);
        const uint64_t complete = issued + step->window.latency;
        ooo_retire_plain(window, pace, complete);
        window->ready[step->window.writes[0]] = complete;
        if (!is_short)
            window->ready[step->window.writes[1]] = complete;
        return complete;
    }
    return execute_any(core, pace, step, accesses, address);
}

/* Returns whether an access is in the place that is cured. */
static bool cure_access(struct neoverse *core, const struct neoverse_step *step,
                        const struct memory_access *where)
{
    const bool is_in_place =
        !core->core.machine->cures->of_data || core_cures_data(&core->core, where->address);
    const uint64_t prefetched =
        core->core.turns != NULL ? core_turns_ago(&core->core, where->pc, where->dispatched) : 0;
    memory_cure(&core->memory, where, step->window.store, is_in_place, prefetched);
    return is_in_place;
}

/* The accesses that an instruction is going to make. Returns whether one is in the place. */
static bool cure_accesses(struct neoverse *core, const struct neoverse_step *step,
                          const struct accesses *accesses, struct memory_access *where)
{
    bool is_in_place = false;

    if (accesses->are_records) {
        where->address = armpmu_record_address(accesses->records[step->record - 1u]);
        return cure_access(core, step, where);
    }
    for (const struct retired_access *one = accesses->next;
         one != accesses->end && one->index == step->index; one++) {
        where->address = one->address;
        where->device = one->device;
        is_in_place |= cure_access(core, step, where);
    }
    return is_in_place;
}

/* CHOICE(cures): execute of an instruction in the place that a replay of armpmu whatif cures. */
static OUT_OF_LINE uint64_t execute_cured(struct neoverse *core, struct ooo_pace *pace,
                                          const struct neoverse_step *step,
                                          struct accesses *accesses, uint64_t address)
{
    const uint64_t before = ooo_cycle(pace->retired), drained = core->memory.drained;
    const bool stores = step->window.store && core->core.machine->cures->kind == CURE_STORES;
    bool is_in_place = !core->core.machine->cures->of_data;
    struct memory_access where = {.pc = address + step->offset,
                                  .dispatched = ooo_cycle(pace->dispatched),
                                  .bytes = step->bytes};

    if (step->queued && (!accesses->are_records || step->record != 0))
        is_in_place |= cure_accesses(core, step, accesses, &where);
    if (!is_in_place)
        return execute_any(core, pace, step, accesses, address);
    if (stores)
        core->memory.drained = 0;
    const uint64_t complete = execute_any(core, pace, step, accesses, address);
    if (stores)
        core->memory.drained = drained;
    core->memory.tally[ARMPMU_SIGNAL_CURED_CYCLES] += ooo_cycle(pace->retired) - before;
    return complete;
}

/* execute of any instruction that goes by itself. */
static ALWAYS_INLINE uint64_t execute_one(struct neoverse *core, struct ooo_pace *pace,
                                          const struct neoverse_step *step,
                                          struct accesses *accesses, uint64_t address)
{
    return unlikely(step->cured) ? execute_cured(core, pace, step, accesses, address)
                                 : execute(core, pace, step, accesses, address);
}

/* An instruction that is delivered and dispatched by itself. */
static ALWAYS_INLINE uint64_t execute_alone(struct neoverse *core, struct ooo_pace *pace,
                                            const struct neoverse_block *block,
                                            const struct neoverse_step *step,
                                            struct accesses *accesses, uint64_t address)
{
    struct ooo_timing *const window = &core->window;

    ooo_deliver(window, pace);
    if (likely(block->in_order == NULL)) {
        ooo_dispatch(window, pace, &step->window);
        return execute_one(core, pace, step, accesses, address);
    }
    const struct ooo_in_order *const in_order = &block->in_order[step->index];
    ooo_dispatch_in_order(window, pace, &step->window, in_order);
    const uint64_t complete = execute_one(core, pace, step, accesses, address);
    ooo_result_in_order(window, pace, &step->window, in_order, complete);
    return complete;
}

/* Returns whether a group can be dispatched together now. */
static inline bool lies_together(struct ooo_timing *window,
                                 const struct neoverse_fetch_group *group)
{
    return window->pace.n + group->together <= window->room_until ||
           (group->together != NEOVERSE_APART && ooo_find_room(window, &window->pace, &group->row));
}

/* The first instructions of a group, n of them. Returns the time when the last is complete. */
static ALWAYS_INLINE uint64_t execute_group(struct neoverse *core, struct ooo_pace *pace,
                                            const struct neoverse_block *block,
                                            struct neoverse_fetch_group *group, uint32_t n,
                                            struct accesses *accesses, uint64_t address)
{
    struct ooo_timing *window = &core->window;
    const struct neoverse_step *step = group->first;
    uint64_t complete = 0;

    fetch_line(core, pace, group, address);
    if (lies_together(window, group)) {
        while (n != 0) {
            const uint32_t sent = ooo_send(window, pace, n);
            n -= sent;
            for (const struct neoverse_step *end = step + sent; step != end; step++)
                complete = execute(core, pace, step, accesses, address);
        }
    } else {
        for (const struct neoverse_step *end = step + n; step != end; step++)
            complete = execute_alone(core, pace, block, step, accesses, address);
    }
    return complete;
}

/* ---- the same of whole blocks, whose accesses are records, as fast as can be ---- */

static inline uint64_t address_of(const struct neoverse *core, const struct neoverse_step *step)
{
    return armpmu_record_address(core->place.records[(ptrdiff_t)step->record - 1]);
}

/* Returns how many instructions of a group have retired. */
static inline uint64_t done_together(const struct ooo_timing *window,
                                     const struct ooo_together *together)
{
    return (uint64_t)(together->held - &window->held[window->pace.n & window->ring_mask]);
}

static inline struct memory_access access_of(const struct neoverse *core,
                                             const struct neoverse_step *step, uint64_t issued)
{
    return (struct memory_access){
        .pc = core->place.address + step->offset,
        .dispatched = ooo_cycle(core->window.pace.dispatched),
        .address = address_of(core, step),
        .again = ooo_cycle(issued),
        .bytes = step->bytes,
        .latency = step->latency,
    };
}

/* The access of a load that reads its bank at `issued` and does not only find its line again; it is
 * the instruction of a number. Returns the time when it is complete. */
static OUT_OF_LINE uint64_t finish_load(struct neoverse *core, const struct neoverse_step *step,
                                        uint64_t issued, uint64_t number)
{
    struct ooo_timing *const window = &core->window;
    struct memory_access where = access_of(core, step, issued);
    const uint64_t again = issue_parts(core, step, &where, issued);

    where.again = ooo_cycle(again);
    if (unlikely((where.address & step->unaligned) != 0))
        count_unaligned(core, step);
    const uint64_t complete = ooo_time(memory_load(&core->memory, &where, ooo_cycle(issued)));
    if (complete > again + step->window.latency)
        ooo_load_is_late(window, &window->pace, number);
    return complete;
}

/* The same of one that only finds its line again, and has the data of stores in the cycle `at`. */
static OUT_OF_LINE uint64_t finish_late_load(struct neoverse *core,
                                             const struct neoverse_step *step, uint64_t at,
                                             uint64_t number)
{
    memory_follow_again(&core->memory, false, step->stride, core->place.address + step->offset,
                        address_of(core, step));
    ooo_load_is_late(&core->window, &core->window.pace, number);
    return ooo_time(at + step->latency);
}

/* divides: a constant where it is inlined. */
static ALWAYS_INLINE uint64_t execute_load(struct neoverse *core, const struct neoverse_step *step,
                                           struct ooo_together *together, bool divides)
{
    struct ooo_timing *const window = &core->window;
    const uint64_t issued =
        divides ? ooo_issue_divided(window, &step->window, ooo_dispatched(together),
                                    ooo_operands(window, &step->window, ooo_dispatched(together)))
                : ooo_issue_plain(window, &step->window, ooo_dispatched(together));
    const uint64_t from = address_of(core, step);
    const uint64_t read =
        ooo_read_bank(window, &step->window, ooo_dispatched(together), issued, from);
    const uint64_t at = unlikely(neoverse_scatters(step, from))
                            ? MEMORY_NO_TIME
                            : memory_load_again(&core->memory, from, step->bytes, ooo_cycle(read));
    uint64_t complete = read + step->window.latency;

    if (likely(at == ooo_cycle(read)))
        memory_follow_again(&core->memory, false, step->stride, core->place.address + step->offset,
                            from);
    else if (at != MEMORY_NO_TIME)
        complete =
            finish_late_load(core, step, at, window->pace.n + done_together(window, together));
    else
        complete = finish_load(core, step, read, window->pace.n + done_together(window, together));
    ooo_retire_together(together, complete);
    ooo_load_retired(window, &window->pace, together->free);
    ooo_result_plain(window, &step->window, complete);
    ooo_result_base(window, &step->window, issued);
    return complete;
}

/* The access of a store that was issued for the last time at `issued` and retired before `free`.
 * Out of line, or instructions that store nothing had fewer of the host's registers. */
static OUT_OF_LINE void finish_store(struct neoverse *core, const struct neoverse_step *step,
                                     uint64_t issued, uint64_t free)
{
    struct ooo_timing *const window = &core->window;
    const uint64_t to = address_of(core, step);
    uint64_t written;

    if (unlikely(neoverse_scatters(step, to) ||
                 !memory_store_again(&core->memory, step->stride,
                                     core->place.address + step->offset, to, step->bytes,
                                     ooo_cycle(issued), ooo_cycle(free), &written))) {
        const struct memory_access where = access_of(core, step, issued);
        if ((to & step->unaligned) != 0)
            count_unaligned(core, step);
        written = memory_store(&core->memory, &where, step->stride, ooo_cycle(free) - 1);
    }
    ooo_store_written(window, &window->pace, ooo_time(written));
}

static ALWAYS_INLINE uint64_t execute_store(struct neoverse *core, const struct neoverse_step *step,
                                            struct ooo_together *together)
{
    struct ooo_timing *const window = &core->window;
    const uint64_t first = together->next, to = address_of(core, step);
    const uint64_t ready = ooo_more_operands(
        window, &step->window, ooo_operands(window, &step->window, ooo_dispatched(together)));
    uint64_t issued = ooo_take_unit(window, &step->window, ooo_dispatched(together), ready);

    if (unlikely(neoverse_scatters(step, to)) &&
        memory_splits(&core->memory, to, step->bytes, false))
        issued = ooo_issue_again(window, &step->window, ooo_dispatched(together), issued);
    const uint64_t complete = issued + step->window.latency;
    ooo_retire_together(together, complete);
    finish_store(core, step, issued, together->free);
    ooo_result_plain(window, &step->window, complete);
    ooo_result_base(window, &step->window, ooo_later(first, window->ready[step->window.base]));
    return complete;
}

/* A vector or any other plain instruction. */
static ALWAYS_INLINE uint64_t execute_vector(struct neoverse *core,
                                             const struct neoverse_step *step,
                                             struct ooo_together *together)
{
    struct ooo_timing *const window = &core->window;
    const bool accumulates = step->kind == KIND_VECTOR && step->window.accumulator != OOO_NOWHERE;
    uint64_t ready = ooo_operands(window, &step->window, ooo_dispatched(together));

    if (step->kind == KIND_VECTOR && step->active)
        add_activity(core, ooo_dispatched(together));
    if (accumulates)
        ready = ooo_later(ready, ooo_accumulator(window, &step->window));
    const uint64_t issued = ooo_take_unit(window, &step->window, ooo_dispatched(together), ready);
    const uint64_t complete = issued + step->window.latency;
    ooo_retire_together(together, complete);
    if (accumulates)
        ooo_accumulated(window, &step->window, issued, complete);
    ooo_result_plain(window, &step->window, complete);
    return complete;
}

/* Any other instruction: it sees the whole window as if it were alone. */
static OUT_OF_LINE uint64_t execute_other(struct neoverse *core, const struct neoverse_step *step)
{
    struct accesses accesses = {true, NULL, NULL, core->place.records};
    struct ooo_pace *const pace = &core->window.pace;

    return unlikely(step->cured) ? execute_cured(core, pace, step, &accesses, core->place.address)
                                 : execute_any(core, pace, step, &accesses, core->place.address);
}

static ALWAYS_INLINE uint64_t execute_short(struct neoverse *core, const struct neoverse_step *step,
                                            struct ooo_together *together)
{
    struct ooo_timing *const window = &core->window;
    const uint64_t complete =
        ooo_issue_short(window, &step->window, ooo_dispatched(together)) + step->window.latency;

    ooo_retire_together(together, complete);
    window->ready[step->window.writes[0]] = complete;
    return complete;
}

/* An instruction that was dispatched, of a group that lies together. Returns the time when it is
 * complete. */
static ALWAYS_INLINE uint64_t execute_step(struct neoverse *core, const struct neoverse_step *step,
                                           struct ooo_together *together)
{
    if (step->kind == KIND_SHORT)
        return execute_short(core, step, together);
    if (step->kind <= KIND_VECTOR)
        return execute_vector(core, step, together);
    if (step->kind == KIND_LOAD)
        return execute_load(core, step, together, false);
    if (step->kind == KIND_STORE)
        return execute_store(core, step, together);
    if (step->kind == KIND_PAIR)
        return execute_load(core, step, together, true);
    struct ooo_timing *const window = &core->window;
    const uint64_t first = window->pace.n;
    ooo_scatter(&window->pace, together, done_together(window, together));
    const uint64_t complete = execute_other(core, step);
    *together = ooo_gather(window, &window->pace);
    window->pace.n = first;
    return complete;
}

/* Counts what the predicates of a block say; of a profile by instruction, of each. */
static OUT_OF_LINE void count_predicates(struct neoverse *core,
                                         const struct retired_block *executed)
{
    static const enum armpmu_signal signals[] = {
        [ARMPMU_PREDICATE_EMPTY] = ARMPMU_SIGNAL_PREDICATE_EMPTY,
        [ARMPMU_PREDICATE_FULL] = ARMPMU_SIGNAL_PREDICATE_FULL,
        [ARMPMU_PREDICATE_PARTIAL] = ARMPMU_SIGNAL_PREDICATE_PARTIAL,
    };

    for (uint32_t i = 0; i < executed->n_predicates; i++) {
        const struct retired_predicate *const one = &executed->predicates[i];
        const bool faulted = (one->state & ARMPMU_PREDICATE_FAULTED) != 0;
        const unsigned index = one->index - faulted; /* the one before it */
        if (index >= executed->n_executed)
            continue;
        if (core->misses != NULL)
            neoverse_attribute(core, executed->profile, index);
        if (faulted)
            core->memory.tally[ARMPMU_SIGNAL_FIRST_FAULT]++;
        else
            core->memory.tally[signals[one->state]]++;
    }
}

/* An instruction of a block that did not execute whole counts by itself. */
static void count_step(struct neoverse *core, const struct neoverse_step *step,
                       const struct insn *insn)
{
    if (step->n_counted == NEOVERSE_MANY)
        neoverse_count_insn(insn, step->window.slots, core->memory.tally);
    else
        for (unsigned i = 0; i < step->n_counted; i++)
            core->memory.tally[step->counted[i]]++;
}

/* An access that an instruction has made, and the next begins. Elements of a gather or scatter
 * share their outcome; the first has the counts. */
static void log_access(struct neoverse *core, const struct neoverse_block *block,
                       const struct neoverse_step *step, uint64_t address, uint64_t cycles)
{
    struct data_access_log *const log = core->core.reader->profile.accesses;
    struct access_seen seen = core->memory.seen;

    if (core->memory.mmu_off)
        access_page_from(&seen, ARMPMU_TLB_NONE);
    access_log_end(log, core->memory.tally, &seen,
                   &(struct logged_access){.insn = &block->code->insns[step->index],
                                           .isa = block->code->isa,
                                           .pc = block->code->address + step->offset,
                                           .address = address,
                                           .cycles = cycles});
    access_log_begin(log, NULL, core->memory.tally, &core->memory.seen);
    core->memory.seen = seen;
}

/* All of an instruction that has completed; made: the first. */
static OUT_OF_LINE void log_accesses(struct neoverse *core, const struct neoverse_block *block,
                                     const struct neoverse_step *step,
                                     const struct accesses *accesses,
                                     const struct retired_access *made)
{
    const uint64_t cycles = ooo_cycle(core->resolved) - ooo_cycle(core->window.pace.dispatched);

    if (accesses->are_records && step->record != 0)
        log_access(core, block, step, armpmu_record_address(accesses->records[step->record - 1u]),
                   cycles);
    for (; made != accesses->next; made++)
        log_access(core, block, step, made->address, cycles);
}

/* execute_group for a profile: what happens belongs to each instruction. counts: what it counts by
 * itself, too. */
static void attribute_group(struct neoverse *core, const struct neoverse_block *block,
                            struct neoverse_fetch_group *group, uint32_t n, bool counts,
                            struct accesses *accesses, struct profile_block *profile)
{
    struct ooo_timing *window = &core->window;
    struct ooo_pace *const pace = &window->pace;
    const struct neoverse_step *step = group->first;
    const uint64_t address = block->code->address;
    uint32_t sent = 0;

    neoverse_attribute(core, profile, step->index);
    fetch_line(core, pace, group, address);
    const bool together = lies_together(window, group);
    for (const struct neoverse_step *end = step + n; step != end; step++) {
        neoverse_attribute(core, profile, step->index);
        if (unlikely(counts))
            count_step(core, step, &block->code->insns[step->index]);
        if (together && sent == 0)
            sent = ooo_send(window, pace, (uint32_t)(end - step));
        sent -= together;
        const uint64_t before = ooo_cycle(pace->retired);
        const struct retired_access *const made = accesses->next;
        struct data_access_log *const log =
            step->queued ? core->core.reader->profile.accesses : NULL;
        if (log != NULL)
            access_log_begin(log, profile, core->memory.tally, &core->memory.seen);
        core->resolved = together ? execute(core, pace, step, accesses, address)
                                  : execute_alone(core, pace, block, step, accesses, address);
        if (log != NULL)
            log_accesses(core, block, step, accesses, made);
        neoverse_attribute_retired(core, pace, ooo_cycle(pace->retired) - before);
    }
}

/* A block executes whole: what its instructions count is added later. */
static ALWAYS_INLINE void count_whole(struct neoverse *core, struct neoverse_block *block)
{
    if (likely(++block->runs != 0))
        return;
    block->row = core->memory.tally;
    block->next_ran = core->ran;
    core->ran = block;
}

/* Counts the instructions that executed, of a profile in each if they are not all. */
static void count_block(struct neoverse *core, struct neoverse_block *block,
                        const struct retired_block *executed)
{
    block->profile = executed->profile;
    if (unlikely(block->governed))
        count_predicates(core, executed);
    if (executed->n_executed != block->n_insns && core->misses != NULL)
        return;
    if (executed->n_executed != block->n_insns)
        neoverse_add_insns(block, executed->block, executed->n_executed, core->memory.tally);
    else
        count_whole(core, block);
}

static void retire_block(void *state, const struct retired_block *executed)
{
    struct neoverse *core = state;
    struct neoverse_block *block = executed->data;
    struct neoverse_fetch_group *group = block->groups;
    struct accesses accesses = {false, executed->accesses, executed->accesses, NULL};

    if (executed->n_accesses > 0) /* else there may be no array */
        accesses.end += executed->n_accesses;

    if (core->by_block)
        neoverse_attribute_block(core, executed->profile);
    count_block(core, block, executed);
    neoverse_announce(core, block);
    for (uint32_t left = executed->n_executed; left != 0; group++) {
        const uint32_t n = group->row.n < left ? group->row.n : left;
        if (core->misses != NULL)
            attribute_group(core, block, group, n, executed->n_executed != block->n_insns,
                            &accesses, executed->profile);
        else
            core->resolved = execute_group(core, &core->window.pace, block, group, n, &accesses,
                                           executed->block->address);
        left -= n;
    }
}

/* ---- flow ---- */

/* CHOICE(neoverse-wrong-path) */
static ALWAYS_INLINE void mispredict(struct neoverse *core, const struct neoverse_block *block)
{
    struct ooo_timing *const window = &core->window;
    const struct armpmu_machine *const machine = core->core.machine;
    const uint32_t penalty = machine->branch_mispredict_cycles,
                   wrong = smaller(machine->branch_wrong_path_cycles, penalty),
                   recovery = smaller(machine->branch_recovery_cycles, penalty - wrong);
    const uint64_t n =
        ooo_wrong_path(window, &window->pace, core->resolved + ooo_time(wrong), recovery);

    core->memory.tally[ARMPMU_SIGNAL_BRANCH_FLUSH]++;
    neoverse_add_wrong_path(block, n, core->memory.tally);
    if (core->misses != NULL)
        neoverse_attribute_lost(core, &window->pace);
}

/* The cycles that the predictor takes longer for a taken branch that its first level does not have.
 */
static uint32_t far_cycles(const struct neoverse *core, uint64_t address)
{
    const struct armpmu_machine *const machine = core->core.machine;

    if (core->tage.level == TAGE_NEAR)
        return 0;
    if (core->tage.level == TAGE_MIDDLE)
        return machine->branch_middle_cycles;
    return tage_is_alone(&core->tage, address) ? machine->branch_alone_cycles
                                               : machine->branch_far_cycles;
}

/* CHOICE(neoverse-taken-branches): the predictor takes a cycle for a taken branch, and more for one
 * that its first level does not have, but none for one that it predicts together with the branch
 * before it. It is ahead of the fetch of instructions, so that this shows where taken branches are
 * close together. Returns when the branch's target is fetched at the earliest, of a branch that was
 * predicted right and delivered at a time. */
static uint64_t predict_taken(struct neoverse *core, uint64_t address, bool ends_pair,
                              uint64_t delivered)
{
    const uint64_t ahead = ooo_time(core->core.machine->branch_ahead_cycles);

    if (ends_pair)
        return core->predicted;
    core->begins_pair = true;
    if (delivered > ahead)
        core->predicted = ooo_later(core->predicted, delivered - ahead);
    core->predicted += OOO_CYCLE + ooo_time(far_cycles(core, address));
    return core->predicted;
}

/* CHOICE(perfect-branches) */
static OUT_OF_LINE void predict_right(struct neoverse *core, struct neoverse_block *block,
                                      bool taken, uint64_t next)
{
    struct ooo_pace *const pace = &core->window.pace;
    struct tage_branch *const branch = &block->branch;

    branch->target = next;
    branch->taken = taken || !branch->conditional;
    (void)tage_see(&core->tage, branch, &block->memo);
    core->begins_pair = false;
    if (branch->taken)
        ooo_hold(&core->window, pace, ooo_later(pace->delivered + OOO_CYCLE, core->predicted),
                 HELD_FLOW);
}

/* Prediction and delivery begin again at a time, if that is later. */
static void restart(struct neoverse *core, uint64_t time, enum ooo_hold why)
{
    ooo_hold(&core->window, &core->window.pace, time, why);
    core->restarted = core->window.pace.delivered;
}

/* A branch was predicted wrongly. */
static OUT_OF_LINE void resolve_wrong(struct neoverse *core, const struct neoverse_block *block)
{
    core->memory.tally[ARMPMU_SIGNAL_CONDITIONAL_FLUSH] += block->branch.conditional;
    core->memory.tally[ARMPMU_SIGNAL_INDIRECT_FLUSH] += !block->branch.direct;
    mispredict(core, block);
    restart(core, core->resolved + core->core.machine->branch_mispredict_cycles * OOO_CYCLE,
            HELD_FLUSH);
}

/* The branch at the end of a block was taken. */
static ALWAYS_INLINE void resolve_taken(struct neoverse *core, struct neoverse_block *block,
                                        uint64_t next)
{
    struct tage_branch *const branch = &block->branch;
    struct ooo_timing *const window = &core->window;
    const struct armpmu_machine *const machine = core->core.machine;
    const bool ends_pair = core->begins_pair && block->ends_pair;
    branch->target = next;
    const enum tage_result result = tage_see_taken(&core->tage, branch, &block->memo);
    const uint64_t delivered = window->pace.delivered;
    uint64_t from = delivered + OOO_CYCLE;

    core->begins_pair = false;
    if (unlikely(result == TAGE_WRONG)) {
        resolve_wrong(core, block);
        return;
    }
    if (unlikely(result == TAGE_LATE)) {
        restart(core, from + machine->branch_late_cycles * OOO_CYCLE, HELD_FLOW);
        return;
    }
    if (machine->branch_far_cycles != 0)
        from = ooo_later(from, predict_taken(core, branch->address, ends_pair, delivered));
    ooo_hold_on(window, &window->pace, from, HELD_FLOW);
}

static ALWAYS_INLINE void resolve(struct neoverse *core, struct neoverse_block *block, bool taken,
                                  uint64_t next)
{
    if (taken || !block->branch.conditional) { /* to the instruction after it: all the same */
        resolve_taken(core, block, next);
        return;
    }
    core->begins_pair = false;
    if (unlikely(tage_see_not_taken(&core->tage, &block->branch, &block->memo) == TAGE_WRONG))
        resolve_wrong(core, block);
}

static void restart_behind(struct neoverse *core, uint64_t cycles)
{
    core->begins_pair = false;
    restart(core, core->window.pace.retired + cycles * OOO_CYCLE, HELD_EXCEPTION);
}

/* A user program's system call is an exception to EL1 that has no record. */
static void note_call(struct neoverse *core, const struct retired_block *executed)
{
    const struct block *block = executed->block;
    const bool whole = executed->n_executed == block->n_insns;

    if (block->n_insns == 0)
        return;
    if (unlikely(core->misses != NULL))
        neoverse_attribute(core, executed->profile, executed->n_executed - whole);
    if (core->announced == 0 && whole &&
        block->insns[block->n_insns - 1].effect == EFFECT_SYSCALL && core->core.reader != NULL &&
        !core->core.reader->system)
        core->announced = ARMPMU_EXCEPTION_CALL;
}

/* A block that executed whole continues unless it ends with a branch that may be mispredicted.
 */
static OUT_OF_LINE void leave_otherwise(struct neoverse *core, struct neoverse_block *block,
                                        bool taken, uint64_t next)
{
    switch (block->end) {
    case ENDS_PLAINLY:
    case ENDS_IN_BRANCH:
        core->begins_pair = false;
        break;
    case ENDS_IN_BARRIER: /* CHOICE(neoverse-barriers) */
        restart_behind(core, core->core.machine->barrier_instruction_cycles);
        break;
    case ENDS_IN_RETURN:
        restart_behind(core, core->core.machine->exception_return_cycles);
        break;
    case ENDS_IN_PERFECT:
        predict_right(core, block, taken, next);
        break;
    }
}

/* A block that executed whole is left, with the branch at its end taken or not. */
static ALWAYS_INLINE void leave(struct neoverse *core, struct neoverse_block *block, bool taken,
                                uint64_t next)
{
    core->memory.tally[ARMPMU_SIGNAL_PC_WRITE] += taken;
    if (likely(block->end == ENDS_IN_BRANCH))
        resolve(core, block, taken, next);
    else
        leave_otherwise(core, block, taken, next);
}

static void block_exit(void *state, const struct retired_block *executed, enum block_exit exit,
                       uint64_t next)
{
    struct neoverse *core = state;
    const struct block *block = executed->block;

    if (exit == EXIT_EXCEPTION)
        note_call(core, executed);
    if ((exit != EXIT_SEQUENTIAL && exit != EXIT_BRANCH) || executed->n_executed < block->n_insns ||
        block->n_insns == 0)
        return;
    if (unlikely(core->misses != NULL))
        neoverse_attribute(core, executed->profile, block->n_insns - 1u);
    leave(core, executed->data, exit == EXIT_BRANCH, next);
}

/* ---- both in one ---- */

/* The steps of a block get to know their records. */
static OUT_OF_LINE void find_records(const struct neoverse *core, struct neoverse_block *block,
                                     const struct reader_entry *entry)
{
    block->has_records = true;
    block->is_ready = !core->is_slow && block->n_insns != 0;
    for (uint32_t i = 0; i < entry->n_accesses; i++) {
        const struct reader_access *const access = reader_access_at(&neoverse_ops, entry, i);
        block->steps[access->index].record = (uint16_t)(access->at + 1u);
    }
}

/* For a profile: the first instruction that is sent in a cycle has what dispatch lost before it.
 */
static ALWAYS_INLINE void attribute_first(struct neoverse *core, const struct neoverse_step *step,
                                          struct profile_block *profile)
{
    if (profile == NULL || core->window.pace.dispatched == core->dispatched)
        return;
    core->memory.tally = neoverse_row_of(core, profile, step->index);
    neoverse_attribute_sent(core);
}

/* An instruction of a group that lies together, for a profile: what happens belongs to it. Others
 * than accesses and vector instructions only take time. Returns the time when it is complete. */
static ALWAYS_INLINE uint64_t attribute_step(struct neoverse *core,
                                             const struct neoverse_step *step,
                                             struct ooo_together *together,
                                             struct profile_block *profile)
{
    const uint64_t before = together->free;

    if (step->kind > KIND_PLAIN)
        core->memory.tally = neoverse_row_of(core, profile, step->index);
    const uint64_t complete = execute_step(core, step, together);
    const uint64_t time = together->free - before;
    if (time != 0)
        neoverse_row_of(core, profile, step->index)[ARMPMU_SIGNAL_CPU_CYCLES] += ooo_cycle(time);
    if (step->kind > KIND_PLAIN)
        neoverse_attribute_misses(core);
    return complete;
}

/* Returns whether the instruction of a number finds entries of the queue and of the window. */
static inline bool finds_entries(const struct ooo_timing *window, uint64_t number)
{
    const struct ooo_pace *const pace = &window->pace;

    return window->held[(number - window->entries) & window->ring_mask].entry_free <=
               pace->dispatched &&
           window->held[(number - window->queue) & window->ring_mask].queue_free <=
               pace->to_deliver;
}

/* The latest instruction is dispatched. Sends those after it, n at most, which find room in the
 * same cycle: all that surely do if they are worth it, at least two. Returns how many. */
static ALWAYS_INLINE uint32_t send_along(struct ooo_timing *window,
                                         const struct neoverse_fetch_group *group, uint32_t n)
{
    struct ooo_pace *const pace = &window->pace;
    const uint64_t at = pace->dispatched, deliver = pace->to_deliver, place = pace->to_dispatch;
    const uint64_t load = pace->n_loads + group->row.n_loads - 1 - window->loads,
                   store = pace->n_stores + group->row.n_stores - 1 - window->stores;
    const uint64_t lie = ooo_lie_together(window, pace);
    uint32_t sent = 2;

    if (n < 2 || place - at > OOO_NUMBERS || group->together == NEOVERSE_APART ||
        !finds_entries(window, pace->n + 2) || ooo_time_of(deliver) > at || lie < 2 ||
        window->load_free[load & window->load_mask] > at ||
        window->stores_free[store & window->store_mask] > at)
        return 0;
    n = smaller(n, window->width - (uint32_t)ooo_later(place - at, deliver & OOO_NUMBERS));
    n = smaller(n, (uint32_t)lie - 1);
    while (sent < n && finds_entries(window, pace->n + 1 + sent))
        sent++;
    sent = smaller(sent, n);
    pace->delivered = ooo_time_of(deliver);
    pace->to_deliver = ooo_wrap(window, deliver + sent);
    pace->to_dispatch = ooo_wrap(window, place + sent);
    pace->slots += sent;
    return sent;
}

/* The instructions of a group that does not lie together or has no room for all. */
static ALWAYS_INLINE uint64_t execute_each(struct neoverse *core,
                                           const struct neoverse_fetch_group *group,
                                           struct profile_block *profile)
{
    struct ooo_timing *const window = &core->window;
    const struct neoverse_step *step = group->first, *const last = step + group->row.n - 1;
    uint64_t complete = 0;

    while (step <= last) {
        ooo_deliver(window, &window->pace);
        ooo_dispatch(window, &window->pace, &step->window);
        const uint32_t sent = 1 + send_along(window, group, (uint32_t)(last - step));
        const struct neoverse_step *const end = step + sent;
        struct ooo_together together = ooo_gather(window, &window->pace);
        attribute_first(core, step, profile);
        do
            complete = profile != NULL ? attribute_step(core, step, &together, profile)
                                       : execute_step(core, step, &together);
        while (++step != end);
        ooo_scatter(&window->pace, &together, sent);
    }
    return complete;
}

static OUT_OF_LINE uint64_t execute_apart(struct neoverse *core,
                                          const struct neoverse_fetch_group *group)
{
    return execute_each(core, group, NULL);
}

/* execute_apart for a profile. */
static OUT_OF_LINE uint64_t attribute_apart(struct neoverse *core,
                                            const struct neoverse_fetch_group *group,
                                            struct profile_block *profile)
{
    return execute_each(core, group, profile);
}

/* The instructions of a group that lies together; profile: NULL without one. Returns the time when
 * the last is complete. */
static ALWAYS_INLINE uint64_t execute_together(struct neoverse *core,
                                               const struct neoverse_fetch_group *group,
                                               struct profile_block *profile)
{
    struct ooo_timing *const window = &core->window;
    struct ooo_pace *const pace = &window->pace;
    const struct neoverse_step *step = group->first;
    uint32_t n = group->row.n;
    uint64_t complete;

    struct ooo_together together = ooo_gather_more(window, pace);
    do {
        const uint32_t sent = ooo_send(window, pace, n);
        const struct neoverse_step *const end = step + sent;
        n -= sent;
        together.next = pace->dispatched + OOO_CYCLE;
        attribute_first(core, step, profile);
        do
            complete = profile != NULL ? attribute_step(core, step, &together, profile)
                                       : execute_step(core, step, &together);
        while (++step != end);
    } while (n != 0);
    ooo_scatter(pace, &together, group->row.n);
    return complete;
}

/* A group of a block. Returns the time when its last instruction is complete. */
static ALWAYS_INLINE uint64_t execute_whole_group(struct neoverse *core,
                                                  struct neoverse_fetch_group *group)
{
    struct ooo_timing *const window = &core->window;

    fetch_line(core, &window->pace, group, core->place.address);
    if (unlikely(!lies_together(window, group)))
        return execute_apart(core, group);
    return execute_together(core, group, NULL);
}

/* execute_whole_group for a profile. */
static ALWAYS_INLINE void attribute_whole_group(struct neoverse *core,
                                                struct neoverse_fetch_group *group,
                                                struct profile_block *profile)
{
    struct ooo_timing *const window = &core->window;

    if (group->line != core->fetch_line) {
        core->memory.tally = neoverse_row_of(core, profile, group->first->index);
        fetch_line(core, &window->pace, group, core->place.address);
    }
    core->resolved = lies_together(window, group) ? execute_together(core, group, profile)
                                                  : attribute_apart(core, group, profile);
}

/* The same of a block whose accesses are kept, or that has no rows. */
static OUT_OF_LINE void attribute_groups(struct neoverse *core, const struct neoverse_block *block,
                                         struct profile_block *profile)
{
    struct neoverse_fetch_group *group = block->groups, *const end = block->groups_end;

    for (; group != end; group++) {
        struct accesses accesses = {true, NULL, NULL, core->place.records};
        attribute_group(core, block, group, group->row.n, false, &accesses, profile);
    }
}

/* With a profile by instruction. */
static OUT_OF_LINE void retire_attributed(struct neoverse *core,
                                          const struct trace_position *position,
                                          const uint64_t *records, bool taken)
{
    const struct reader_entry *entry = position->entry;
    struct neoverse_block *block = entry->data;
    struct profile_block *const profile = entry->profile;

    core->place = (struct neoverse_place){records, entry->start};
    if (!block->has_records)
        find_records(core, block, entry);
    block->profile = profile;
    count_whole(core, block);
    neoverse_announce(core, block);
    if (unlikely(core->core.reader->profile.accesses != NULL || profile == NULL)) {
        attribute_groups(core, block, profile);
        neoverse_attribute(core, profile, block->n_insns - 1);
    } else {
        struct neoverse_fetch_group *group = block->groups, *const end = block->groups_end;
        for (; group != end; group++)
            attribute_whole_group(core, group, profile);
        core->memory.tally = neoverse_row_of(core, profile, block->n_insns - 1);
    }
    leave(core, block, taken, position->next[taken]->entry->start);
}

/* An in-order core's. */
static OUT_OF_LINE void retire_slowly(struct neoverse *core, const struct trace_position *position,
                                      const uint64_t *records, bool taken)
{
    const struct retired_block *const executed =
        reader_whole_block(core->core.reader, &neoverse_ops, position, records);
    retire_block(core, executed);
    block_exit(core, executed, taken ? EXIT_BRANCH : EXIT_SEQUENTIAL,
               position->next[taken]->entry->start);
}

/* All instructions of the block at core->place; at least one. */
static ALWAYS_INLINE void execute_whole(struct neoverse *core, struct neoverse_block *block)
{
    struct neoverse_fetch_group *group = block->groups, *const end = block->groups_end;
    uint64_t resolved;

    count_whole(core, block);
    neoverse_announce(core, block);
    do
        resolved = execute_whole_group(core, group);
    while (++group != end);
    core->resolved = resolved;
}

/* retire_whole where there is more to it. */
static OUT_OF_LINE void retire_specially(struct neoverse *core,
                                         const struct trace_position *position,
                                         const uint64_t *records, bool taken)
{
    const struct reader_entry *const entry = position->entry;
    struct neoverse_block *const block = entry->data;

    if (core->is_slow) {
        retire_slowly(core, position, records, taken);
        return;
    }
    if (!block->has_records)
        find_records(core, block, entry);
    if (core->by_block)
        neoverse_attribute_block(core, entry->profile);
    core->place = (struct neoverse_place){records, entry->start};
    if (block->n_insns != 0)
        execute_whole(core, block);
    leave(core, block, taken, position->next[taken]->entry->start);
}

static ALWAYS_INLINE void retire_whole(void *state, const struct trace_position *position,
                                       const uint64_t *records, bool taken)
{
    struct neoverse *core = state;
    const struct reader_entry *entry = position->entry;
    struct neoverse_block *block = entry->data;

    if (unlikely(!block->is_ready)) {
        (core->misses != NULL && !core->window.in_order ? retire_attributed : retire_specially)(
            core, position, records, taken);
        return;
    }
    if (core->by_block)
        neoverse_attribute_block(core, entry->profile);
    core->place = (struct neoverse_place){records, entry->start};
    execute_whole(core, block);
    leave(core, block, taken, position->next[taken]->entry->start);
}

/* CHOICE(pmuv3-exception-level): an exception that is taken to EL1 is taken locally, one to EL2 or
 * EL3 is trapped, whatever level it comes from. */
static void count_kind(struct neoverse *core, unsigned bits)
{
    static const struct {
        enum armpmu_signal taken, trapped;
    } signals_of[] = {
        [ARMPMU_EXCEPTION_OTHER] = {ARMPMU_SIGNAL_UNDEFINED_TAKEN, ARMPMU_SIGNAL_OTHER_TRAPPED},
        [ARMPMU_EXCEPTION_CALL] = {ARMPMU_SIGNAL_CALL_TAKEN, ARMPMU_SIGNAL_OTHER_TRAPPED},
        [ARMPMU_EXCEPTION_FETCH_ABORT] = {ARMPMU_SIGNAL_FETCH_ABORT_TAKEN,
                                          ARMPMU_SIGNAL_FETCH_ABORT_TRAPPED},
        [ARMPMU_EXCEPTION_DATA_ABORT] = {ARMPMU_SIGNAL_DATA_ABORT_TAKEN,
                                         ARMPMU_SIGNAL_DATA_ABORT_TRAPPED},
        [ARMPMU_EXCEPTION_IRQ] = {ARMPMU_SIGNAL_IRQ_TAKEN, ARMPMU_SIGNAL_IRQ_TRAPPED},
        [ARMPMU_EXCEPTION_FIQ] = {ARMPMU_SIGNAL_FIQ_TAKEN, ARMPMU_SIGNAL_FIQ_TRAPPED},
        [ARMPMU_EXCEPTION_MONITOR_CALL] = {ARMPMU_SIGNAL_MONITOR_CALL_TAKEN,
                                           ARMPMU_SIGNAL_MONITOR_CALL_TAKEN},
        [ARMPMU_EXCEPTION_HYPERVISOR_CALL] = {ARMPMU_SIGNAL_HYPERVISOR_CALL_TAKEN,
                                              ARMPMU_SIGNAL_HYPERVISOR_CALL_TAKEN},
    };
    const unsigned kind = bits & ~(unsigned)ARMPMU_EXCEPTION_TRAPPED;

    if (kind == 0 || kind >= sizeof signals_of / sizeof signals_of[0])
        return;
    core->memory.tally[bits & ARMPMU_EXCEPTION_TRAPPED ? signals_of[kind].trapped
                                                       : signals_of[kind].taken]++;
}

static void system_record(void *state, enum armpmu_system about, unsigned bits, uint64_t operand)
{
    struct neoverse *core = state;

    if (about == ARMPMU_SYSTEM_EXCEPTION)
        core->announced = bits;
    if (about == ARMPMU_SYSTEM_PRELOAD)
        memory_preload(&core->memory, bits, operand, ooo_cycle(core->resolved));
    if (about == ARMPMU_SYSTEM_MAPPED && core->memory.huge != NULL) {
        core->fetch_line = UINT64_MAX;
        memory_map(&core->memory, bits, operand);
    }
    if (about == ARMPMU_SYSTEM_CONTROL) { /* CHOICE(caches-off) */
        core->fetch_line = UINT64_MAX;
        memory_set_caches(&core->memory, (bits & ARMPMU_CONTROL_NO_DATA_CACHE) != 0,
                          (bits & ARMPMU_CONTROL_NO_CODE_CACHE) != 0);
    }
    if (about != ARMPMU_SYSTEM_CACHE)
        return;
    if (bits & ARMPMU_CACHE_INSTRUCTION)
        core->fetch_line = UINT64_MAX;
    memory_maintain(&core->memory, bits, operand);
}

/* The direction of a branch before an exception: the predictor does not see it, since the pipeline
 * is empty. */
static void late_branch(void *state, const struct retired_block *executed, bool taken)
{
    struct neoverse *core = state;

    if (unlikely(core->misses != NULL))
        neoverse_attribute(core, executed->profile, executed->block->n_insns - 1u);
    core->memory.tally[ARMPMU_SIGNAL_PC_WRITE] += taken;
}

static void exception_kind(void *state, enum armpmu_exception kind)
{
    struct neoverse *core = state;

    core->announced = kind;
}

static void exception(void *state)
{
    struct neoverse *core = state;

    core->memory.tally[ARMPMU_SIGNAL_EXCEPTION_TAKEN]++;
    count_kind(core, core->announced);
    core->announced = 0;
    restart_behind(core, core->core.machine->exception_entry_cycles);
}

static void exception_return(void *state)
{
    struct neoverse *core = state;

    core->memory.tally[ARMPMU_SIGNAL_EXCEPTION_RETURN]++;
    restart_behind(core, core->core.machine->exception_return_cycles);
}

static enum armpmu_status map_page(void *state, uint64_t virtual_page, uint64_t physical_page)
{
    struct neoverse *core = state;
    core->fetch_line = UINT64_MAX;
    return memory_place(&core->memory, virtual_page, physical_page);
}

static void flush_tlbs(void *state)
{
    struct neoverse *core = state;
    core->fetch_line = UINT64_MAX;
    memory_flush_tlbs(&core->memory);
}

static void flush_page(void *state, uint64_t virtual_page)
{
    struct neoverse *core = state;
    core->fetch_line = UINT64_MAX;
    memory_flush_page(&core->memory, virtual_page);
}

static void set_mmu(void *state, bool on)
{
    struct neoverse *core = state;
    core->fetch_line = UINT64_MAX;
    memory_translate(&core->memory, on);
}

static uint64_t cycles(const void *state)
{
    const struct neoverse *core = state;
    return ooo_cycle(core->window.pace.retired);
}

/* The effects of maintenance on predictors are not modelled. */
const struct core_ops neoverse_ops = {
    .isas = CODE_AARCH32 | CODE_AARCH64,
    .n_signals = ARMPMU_SIGNAL_COUNT,
    .new_block = neoverse_new_block,
    .free_block = neoverse_free_block,
    .retire_block = retire_block,
    .block_exit = block_exit,
    .retire_whole = retire_whole,
    .late_branch = late_branch,
    .exception_kind = exception_kind,
    .exception = exception,
    .exception_return = exception_return,
    .map_page = map_page,
    .flush_tlbs = flush_tlbs,
    .flush_page = flush_page,
    .set_mmu = set_mmu,
    .system = system_record,
    .pack_rows = neoverse_pack_rows,
    .cycles = cycles,
    ONE_POSITION_A_BLOCK,
};

/* ---- the core model ---- */

/* The private caches exchange whole lines, and data misses are counted where they leave level 2. */
static enum armpmu_status check_machine(const struct armpmu_machine *machine,
                                        struct armpmu_error *err)
{
    if (machine->l2_size_kb == 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: l2.size_kb = 0: this core has a level 2; make it at least 1",
                    armpmu_machine_name(machine));
    if (machine->l1i_line_bytes != machine->l1d_line_bytes ||
        machine->l1d_line_bytes != machine->l2_line_bytes)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: l1i.line_bytes = %u, l1d.line_bytes = %u and l2.line_bytes = %u: "
                    "the caches of this core have one line size; make them equal",
                    armpmu_machine_name(machine), machine->l1i_line_bytes, machine->l1d_line_bytes,
                    machine->l2_line_bytes);
    if (machine->l2tlb_entries % machine->l2tlb_ways != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: l2tlb.entries = %u: must be a multiple of l2tlb.ways = %u",
                    armpmu_machine_name(machine), machine->l2tlb_entries, machine->l2tlb_ways);
    if (machine->branch_btb_entries % machine->branch_btb_ways != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: branch.btb_entries = %u: must be a multiple of branch.btb_ways = "
                    "%u",
                    armpmu_machine_name(machine), machine->branch_btb_entries,
                    machine->branch_btb_ways);
    if (core_descriptor_of(machine->core)->keys[KEY_dispatch_in_order] &&
        (machine->dispatch_in_order == YESNO_NO || machine->branch_history_bits == 0))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: dispatch.in_order = %s, branch.history_bits = %u: this core is "
                    "in order and has 1 to 20",
                    armpmu_machine_name(machine),
                    machine->dispatch_in_order == YESNO_NO ? "no" : "yes",
                    machine->branch_history_bits);
    if (machine->dispatch_in_order == YESNO_YES && machine->units_vector < 2)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: units.vector = %u: an in-order core has a vector datapath of two "
                    "halves; make it at least 2",
                    armpmu_machine_name(machine), machine->units_vector);
    if (machine->latency_vector_load < machine->latency_load ||
        machine->latency_atomic < machine->latency_load)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: latency.vector_load = %u, latency.atomic = %u: neither may be "
                    "less than latency.load = %u",
                    armpmu_machine_name(machine), machine->latency_vector_load,
                    machine->latency_atomic, machine->latency_load);
    return ARMPMU_OK;
}

static void release(void *state)
{
    struct neoverse *core = state;
    memory_free(&core->memory);
    free(core->misses);
    tage_free(&core->tage);
    ooo_free(&core->window);
    free(core->follows);
    free(core->phases);
}

static enum armpmu_status init(void *state, struct armpmu_error *err)
{
    struct neoverse *core = state;
    const struct armpmu_machine *const machine = core->core.machine;
    enum armpmu_status status = check_machine(machine, err);

    core->fetch_line = UINT64_MAX;
    core->thresholds[0] = machine->mpmm_gear0_threshold;
    core->thresholds[1] = machine->mpmm_gear1_threshold;
    core->thresholds[2] = machine->mpmm_gear2_threshold;
    if (status == ARMPMU_OK)
        status = ooo_init(&core->window, machine, err);
    core->is_slow = machine->dispatch_in_order == YESNO_YES;
    if (status == ARMPMU_OK)
        status = memory_init(&core->memory, machine, &core->window, core->tally, err);
    if (status == ARMPMU_OK)
        status = tage_init(&core->tage, machine, err);
    return status;
}

static enum armpmu_status run(void *state, const uint64_t *records, size_t n_records,
                              struct armpmu_error *err)
{
    struct neoverse *core = state;
    if (unlikely(core->follows != NULL))
        return neoverse_follow(core, records, n_records, err);
    return trace_reader_loop(core->core.reader, &neoverse_ops, records, n_records, err);
}

static void signals(const void *state, uint64_t *tally)
{
    neoverse_signals(state, tally);
}

static void sync(void *state)
{
    neoverse_sync_runs(state);
}

static struct miss_maps *miss_maps(void *state, struct core_cache *caches)
{
    struct neoverse_memory *const memory = &((struct neoverse *)state)->memory;
    const struct core_cache known[ARMPMU_MISS_CACHES] = {
        [ARMPMU_MISS_L1I] = {memory->l1i.sets, ARMPMU_SIGNAL_L1I_REFILL},
        [ARMPMU_MISS_L1D] = {memory->l1d.sets, ARMPMU_SIGNAL_L1D_REFILL},
        [ARMPMU_MISS_L2] = {memory->l2->tags.sets, ARMPMU_SIGNAL_L2_MISS},
    };

    memcpy(caches, known, sizeof known);
    return &memory->misses;
}

static enum armpmu_status share(void *state, void *other, uint64_t start, struct armpmu_error *err)
{
    struct neoverse *core = state, *with = other;
    return memory_join(&core->memory, &with->memory, start, err);
}

const struct core_model core_model_neoverse = {
    .bytes = sizeof(struct neoverse),
    .ops = &neoverse_ops,
    .cures = (1u << CURES) - 1,
    .counts_cured = true,
    .init = init,
    .release = release,
    .run = run,
    .signals = signals,
    .sync = sync,
    .attribute = neoverse_attribute_all,
    .sync_rows = neoverse_sync_rows,
    .miss_maps = miss_maps,
    .access_latency = "from dispatch until the data is there",
    .share = share,
    .slicing = &neoverse_slicing,
};
