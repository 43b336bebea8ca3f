#include "cores/neoverse/ooo_timing.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"

/* The most bytes an instruction accesses. */
#define ACCESS_BYTES_MAX 256

#define LOOK_AHEAD 24 /* instructions */

/* The units taken in a cycle: lanes of four bits. Each counts the instructions that can only use
 * the units of a certain set, and is full when they are as many as the units. A lane for each kind
 * of unit is enough where kinds are apart or one within another. Vector pipes overlap: an
 * instruction counts in the lane of each set that has all its pipes, and there is a lane for every
 * union of sets that overlap. By Hall's theorem pipes can be given to all instructions of a cycle
 * exactly when no lane has more of them than pipes. */
#define LANE_BITS 4
#define LANE_FULL (UINT64_C(1) << (LANE_BITS - 1))

/* Vector pipes as bits, by kind of unit. */
static const uint8_t pipes_of[OOO_UNITS] = {
    [UNIT_VECTOR] = 15, [UNIT_V0] = 1,  [UNIT_V1] = 2,
    [UNIT_V01] = 3,     [UNIT_V02] = 5, [UNIT_V13] = 10,
};

/* Those of the lanes after UNIT_STORE's. */
static const uint8_t pipes_of_lane[] = {15, 1, 2, 3, 5, 10, 1 | 2 | 5, 1 | 2 | 10};

enum {
    PIPE_LANES = sizeof pipes_of_lane / sizeof pipes_of_lane[0],
    LANE_M0 = UNIT_VECTOR + PIPE_LANES, /* of units within others */
    LANE_LOAD01,
    LANE_FLAGS,
    LANES
};

_Static_assert(LANE_BITS *LANES <= 64, "lanes");

static uint64_t lane(unsigned number, uint64_t value)
{
    return value << (LANE_BITS * number);
}

/* The least mask, at least 1, that tells this number apart. */
static uint32_t mask_for(uint32_t n)
{
    return UINT32_MAX >> __builtin_clz((n - 1) | 1);
}

/* The lanes in which an instruction counts that can use some of the pipes that there are; pipes
 * that there are not leave it V0. */
static uint64_t takes_of(uint32_t pipes, uint32_t there)
{
    const uint32_t usable = (pipes & there) != 0 ? pipes & there : 1;
    uint64_t takes = 0;

    for (unsigned i = 0; i < PIPE_LANES; i++)
        if ((usable & ~pipes_of_lane[i]) == 0)
            takes |= lane(UNIT_VECTOR + i, 1);
    return takes;
}

/* stores_load: stores take load units. apart: units that multiply are none of the integer units. */
static void set_up_takes(struct ooo_timing *window, uint32_t pipes_there, bool stores_load,
                         bool apart)
{
    for (unsigned unit = 0; unit < UNIT_VECTOR; unit++)
        window->takes[unit] = lane(unit, 1);
    if (!apart)
        window->takes[UNIT_MULTICYCLE] |= lane(UNIT_INTEGER, 1);
    for (unsigned unit = UNIT_VECTOR; unit <= UNIT_V13; unit++)
        window->takes[unit] = takes_of(pipes_of[unit], pipes_there);
    window->takes[UNIT_M0] = window->takes[UNIT_MULTICYCLE] | lane(LANE_M0, 1);
    window->takes[UNIT_LOAD01] = window->takes[UNIT_LOAD] | lane(LANE_LOAD01, 1);
    if (stores_load) /* CHOICE(neoverse-store-units) */
        window->takes[UNIT_STORE] |= window->takes[UNIT_LOAD01];
    window->takes[UNIT_FLAGS] = lane(LANE_FLAGS, 1);
}

static void set_up_units(struct ooo_timing *window, const struct armpmu_machine *machine)
{
    const uint32_t units[UNIT_VECTOR] = {[UNIT_INTEGER] = machine->units_integer,
                                         [UNIT_MULTICYCLE] = machine->units_multicycle,
                                         [UNIT_BRANCH] = machine->units_branch,
                                         [UNIT_LOAD] = machine->units_load,
                                         [UNIT_STORE] = machine->units_store};
    const uint32_t there = (UINT32_C(1) << machine->units_vector) - 1;

    set_up_takes(window, there, machine->units_store_takes_load == YESNO_YES,
                 machine->units_multicycle_apart == YESNO_YES);
    for (unsigned unit = 0; unit < UNIT_VECTOR; unit++)
        window->nothing_taken |= lane(unit, LANE_FULL - units[unit]);
    for (unsigned i = 0; i < PIPE_LANES; i++)
        window->nothing_taken |= lane(
            UNIT_VECTOR + i, LANE_FULL - (uint64_t)__builtin_popcount(pipes_of_lane[i] & there));
    window->nothing_taken |= lane(LANE_M0, LANE_FULL - 1) | lane(LANE_LOAD01, LANE_FULL - 2) |
                             lane(LANE_FLAGS, LANE_FULL - machine->units_flags);
    for (unsigned cycle = 0; cycle < OOO_SLOTS; cycle++)
        window->taken[cycle] = window->nothing_taken;
}

/* Returns whether there is memory for it. */
static bool set_up_banks(struct ooo_banks *banks, const struct armpmu_machine *machine)
{
    const uint32_t bytes = machine->l1d_banks * machine->l1d_bank_bytes;

    if (bytes != 0) {
        banks->bank_bits = bytes - machine->l1d_bank_bytes;
        banks->row_bits = ~(bytes - 1);
    }
    banks->reads =
        calloc(ooo_bank_read(banks, UINT64_MAX, OOO_HORIZON - 1) + 1, sizeof *banks->reads);
    return banks->reads != NULL;
}

/* So many instructions that fit even if all are loads, or all stores. */
static void set_up_look_ahead(struct ooo_timing *window)
{
    const uint32_t limits[] = {window->queue, window->entries, window->loads, window->stores};
    uint32_t n = LOOK_AHEAD;
    for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++)
        n = limits[i] < n ? limits[i] : n;
    window->look_ahead = (struct ooo_row){n, n, n};
}

enum armpmu_status ooo_init(struct ooo_timing *window, const struct armpmu_machine *machine,
                            struct armpmu_error *err)
{
    const size_t lines = ACCESS_BYTES_MAX / machine->l1d_line_bytes + 1;

    memset(window, 0, sizeof *window);
    window->width = machine->dispatch_width;
    window->queue = machine->dispatch_queue;
    window->entries = machine->window_entries;
    window->loads = machine->window_loads;
    window->stores = machine->window_stores;
    window->in_order = machine->dispatch_in_order == YESNO_YES;
    if (window->in_order) { /* no window: a scoreboard */
        window->after = window->entries;
        window->entries = window->loads = OOO_RING;
        window->late_time = (uint32_t)ooo_time(machine->latency_late);
    }
    window->ring_mask = 4 * greater(greater(window->entries, window->queue), window->width);
    window->ring_mask = mask_for(smaller(window->ring_mask, OOO_RING));
    window->load_mask = mask_for(window->loads);
    window->store_mask = mask_for(window->stores);
    window->before = -(ptrdiff_t)(window->width * sizeof window->held[0]);
    window->pace.to_deliver = window->pace.to_dispatch = OOO_FIRST;
    window->alu_latency = ooo_time(machine->latency_alu);
    set_up_look_ahead(window);
    set_up_units(window, machine);
    if (!set_up_banks(&window->banks, machine))
        return fail_no_memory(err, "the banks of the data cache");
    return miss_intervals_init(&window->intervals, lines * (window->loads + window->stores), err);
}

void ooo_free(struct ooo_timing *window)
{
    miss_intervals_free(&window->intervals);
    free(window->banks.reads);
    window->banks.reads = NULL;
}

/* ---- steps ---- */

/* The next register of a set, which is taken out; `none` when it is empty. */
static uint8_t next_register(uint64_t *set, uint8_t none)
{
    const uint8_t found = *set != 0 ? (uint8_t)__builtin_ctzll(*set) : none;
    *set &= *set - 1;
    return found;
}

/* A barrier before it can hold it up. */
static bool is_ordered(const struct ooo_op *op)
{
    return op->load || op->store || op->barrier == OOO_SERIALIZES;
}

/* others: those that an in-order core needs at times of their own. */
static void list_reads(struct ooo_step *step, const struct ooo_op *op, uint64_t others,
                       bool late_flags)
{
    unsigned n = 0;
    uint64_t first = op->first;

    step->first = next_register(&first, OOO_ALWAYS);
    step->first_by = (uint32_t)ooo_time(op->first_by);
    step->more_reads = op->reads & ~op->first & ~op->accumulator & ~others;
    if (op->reads_flags && !late_flags)
        step->reads[n++] = OOO_FLAGS;
    if (is_ordered(op))
        step->reads[n++] = OOO_ORDERED;
    if (op->barrier == OOO_WAITS)
        step->reads[n++] = OOO_RETIRED;
    for (uint32_t left = op->predicate_reads; left != 0; left &= left - 1)
        step->reads[n++] = (uint8_t)(OOO_PREDICATES + __builtin_ctz(left));
    while (n < OOO_PLAIN_READS)
        step->reads[n++] = next_register(&step->more_reads, OOO_ALWAYS);
}

static void list_writes(struct ooo_step *step, const struct ooo_op *op)
{
    uint64_t base = op->writes_back;
    unsigned n = 0;
    step->base = next_register(&base, OOO_NOWHERE);
    step->more_writes = op->writes & ~op->writes_back;
    if (op->writes_flags)
        step->writes[n++] = OOO_FLAGS;
    for (uint32_t left = op->predicate_writes; left != 0; left &= left - 1)
        step->writes[n++] = (uint8_t)(OOO_PREDICATES + __builtin_ctz(left));
    while (n < OOO_PLAIN_WRITES)
        step->writes[n++] = next_register(&step->more_writes, OOO_NOWHERE);
}

void ooo_step_make(const struct ooo_timing *window, struct ooo_step *step, const struct ooo_op *op,
                   const struct ooo_in_order *in_order)
{
    const uint64_t also = op->also != UNIT_INTEGER ? window->takes[op->also] : 0;
    const uint64_t takes = window->takes[op->unit] | also;
    const bool sets_flags = op->unit == UNIT_INTEGER && op->also == UNIT_FLAGS;

    *step = (struct ooo_step){
        .takes = takes,
        .busy = takes * LANE_FULL,
        .times = op->times,
        .unit = (uint8_t)(also == 0    ? op->unit
                          : sets_flags ? UNIT_FLAGS
                                       : UNIT_NONE),
        .slots = op->slots,
        .load = op->load,
        .store = op->store,
        .divides = op->divides,
        .within_pipe = op->within_pipe,
        .divider = (uint8_t)op->divider,
        .barrier = (uint8_t)op->barrier,
        .after_loads = op->after_loads,
        .after_stores = op->after_stores,
        .latency = (uint32_t)ooo_time(op->latency),
        .divide_time = (uint32_t)ooo_time(op->divide_cycles),
        .accumulator =
            op->accumulator != 0 ? (uint8_t)__builtin_ctzll(op->accumulator) : OOO_NOWHERE,
        .forward = (uint32_t)ooo_time(op->forward),
    };
    if (in_order != NULL) {
        const uint64_t half = window->takes[UNIT_VECTOR];
        const unsigned more =
            in_order->halves - ((step->takes & half) != 0 && in_order->halves != 0);
        step->takes += half * more;
        step->busy |= half * (in_order->halves != 0) * LANE_FULL;
    }
    list_reads(step, op, in_order != NULL ? in_order->early | in_order->late : 0,
               in_order != NULL && in_order->late_flags);
    list_writes(step, op);
    const bool is_simple =
        op->times <= 1 && step->more_writes == 0 && op->barrier == OOO_NO_BARRIER;
    const bool once = is_simple && !op->divides;
    step->accesses = (op->load ? is_simple : once && op->store) && op->accumulator == 0;
    step->accumulates = once && !op->load && !op->store && step->base == OOO_NOWHERE &&
                        step->more_reads == 0 && step->first == OOO_ALWAYS;
    step->plain = step->accumulates && op->accumulator == 0;
}

/* ---- instructions together ---- */

static bool is_free(const struct ooo_timing *window, const struct ooo_pace *pace,
                    const struct ooo_row *row)
{
    const uint64_t last = pace->n + row->n - 1, last_load = pace->n_loads + row->n_loads - 1,
                   last_store = pace->n_stores + row->n_stores - 1;
    return window->held[(last - window->entries) & window->ring_mask].entry_free <=
               pace->to_dispatch &&
           window->held[(last - window->queue) & window->ring_mask].queue_free <=
               pace->to_deliver &&
           window->load_free[(last_load - window->loads) & window->load_mask] <=
               pace->to_dispatch &&
           window->stores_free[(last_store - window->stores) & window->store_mask] <=
               pace->to_dispatch;
}

bool ooo_find_room(struct ooo_timing *window, const struct ooo_pace *pace,
                   const struct ooo_row *row)
{
    const struct ooo_row *ahead = &window->look_ahead;
    const uint64_t left = ooo_lie_together(window, pace);
    if (window->serialized > pace->to_dispatch || row->n > left)
        return false;
    if (row->n <= ahead->n && is_free(window, pace, ahead)) {
        window->room_until = pace->n + (left < ahead->n ? left : ahead->n);
        return true;
    }
    return is_free(window, pace, row);
}

/* ---- lost cycles ---- */

/* Returns whether what the next instruction waits for is held by a late load: all before that have
 * retired, or dispatch would have waited for them. */
static bool waits_for_load(const struct ooo_timing *window, const struct ooo_pace *pace,
                           const struct ooo_step *step)
{
    const uint64_t entry = pace->n - window->entries, load = pace->n_loads - window->loads;

    return window->late_entry[entry & window->ring_mask] == entry + 1 ||
           (step->load && window->late_load[load & window->load_mask] == load + 1);
}

/* The cycles [from, end) are lost to the back end. Returns those in which no miss is outstanding.
 */
static uint64_t lose_to_back_end(struct ooo_timing *window, uint64_t from, uint64_t end)
{
    const uint64_t missed =
        window->intervals.n_spans != 0 ? miss_intervals_within(&window->intervals, from, end) : 0;

    window->backend_stall += end - from;
    window->memory_stall += missed;
    return end - from - missed;
}

void ooo_lose(struct ooo_timing *window, const struct ooo_pace *pace, const struct ooo_step *step,
              uint64_t until)
{
    const uint64_t next = pace->dispatched + OOO_CYCLE, had_one = ooo_later(next, pace->delivered);
    const uint64_t end = ooo_cycle(until);

    if (had_one > next)
        ooo_starve(window, next, had_one);
    if (ooo_cycle(had_one) == end)
        return;
    const uint64_t left = lose_to_back_end(window, ooo_cycle(had_one), end);
    if (step->store && ooo_cycle(ooo_store_entry(window, pace)) == end)
        window->store_stall += left;
    else if (waits_for_load(window, pace, step))
        window->load_stall += left;
}

/* ---- an in-order core ---- */

/* When an instruction may be issued, and the cause of the latest thing that it waits for. */
struct latest_wait {
    uint64_t until;
    enum ooo_cause cause;
};

static void wait_until(struct latest_wait *wait, uint64_t time, enum ooo_cause cause)
{
    if (time <= wait->until)
        return;
    *wait = (struct latest_wait){time, cause};
}

/* For a register that is there at a time: what a late load brings is waited for because of it. */
static void wait_for(const struct ooo_timing *window, struct latest_wait *wait, unsigned reg,
                     uint64_t time, enum ooo_cause cause)
{
    const bool late = window->from_late_load[reg] == window->ready[reg];
    wait_until(wait, time, late && time != 0 ? CAUSE_LOAD : cause);
}

static void wait_for_early(const struct ooo_timing *window, struct latest_wait *wait,
                           const struct ooo_in_order *op)
{
    for (uint64_t left = op->early; left != 0; left &= left - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(left);
        const uint64_t ready = window->ready[reg];
        wait_for(window, wait, reg,
                 op->is_access ? window->for_address[reg] : ready + (ready != 0) * op->early_time,
                 op->is_access ? CAUSE_ADDRESS : op->interlock);
    }
}

static void wait_for_late(const struct ooo_timing *window, struct latest_wait *wait, unsigned reg,
                          const struct ooo_in_order *op)
{
    if (window->ready[reg] > window->late_time)
        wait_for(window, wait, reg, window->ready[reg] - window->late_time, op->interlock);
}

static void wait_for_operands(const struct ooo_timing *window, struct latest_wait *wait,
                              const struct ooo_step *step, const struct ooo_in_order *op)
{
    for (unsigned i = 0; i < OOO_PLAIN_READS; i++)
        wait_for(window, wait, step->reads[i], window->ready[step->reads[i]], op->interlock);
    for (uint64_t left = step->more_reads; left != 0; left &= left - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(left);
        wait_for(window, wait, reg, window->ready[reg], op->interlock);
    }
    wait_for_early(window, wait, op);
    for (uint64_t left = op->late; left != 0; left &= left - 1)
        wait_for_late(window, wait, (unsigned)__builtin_ctzll(left), op);
    if (op->late_flags)
        wait_for_late(window, wait, OOO_FLAGS, op);
    if (step->accumulator != OOO_NOWHERE)
        wait_until(wait, ooo_accumulator(window, step), op->interlock);
    if (step->divides)
        wait_until(wait, window->divider_free[step->divider], op->interlock);
}

/* Nothing is dispatched from the latest instruction until a time. */
static void lose_in_order(struct ooo_timing *window, const struct ooo_pace *pace, uint64_t until,
                          enum ooo_cause cause)
{
    const uint64_t next = pace->dispatched + OOO_CYCLE, had_one = ooo_later(next, pace->delivered);

    if (had_one > next)
        ooo_starve(window, next, had_one);
    if (ooo_cycle(had_one) >= ooo_cycle(until))
        return;
    const uint64_t left = lose_to_back_end(window, ooo_cycle(had_one), ooo_cycle(until));
    if (cause == CAUSE_LOAD)
        window->load_stall += left;
    else if (cause == CAUSE_STORE)
        window->store_stall += left;
    else
        window->interlocks[cause] += left;
}

/* The first place from one on in whose cycle an instruction fits in, and has its unit in the next.
 */
static uint64_t place_with_unit(struct ooo_timing *window, const struct ooo_step *step,
                                const struct ooo_in_order *op, uint64_t place)
{
    const uint64_t number = place & OOO_NUMBERS;
    const uint64_t other = op->halves > 1 ? window->takes[UNIT_VECTOR] : 0; /* half */

    if (number != 0 && (op->first || number + step->slots > window->width))
        place = ooo_time_of(place) + OOO_CYCLE;
    if (ooo_time_of(place) >= window->clean_until)
        ooo_clean(window, ooo_time_of(place));
    while (((window->taken[(ooo_cycle(place) + 1) % OOO_SLOTS] + other) & step->busy) != 0)
        place = ooo_time_of(place) + OOO_CYCLE;
    return place;
}

void ooo_dispatch_in_order(struct ooo_timing *window, struct ooo_pace *pace,
                           const struct ooo_step *step, const struct ooo_in_order *op)
{
    const uint64_t ready = ooo_later(pace->to_dispatch, pace->delivered);
    const uint64_t before = (pace->n - window->after) & window->ring_mask;
    struct latest_wait wait = {ooo_time_of(ready) + OOO_CYCLE, op->interlock};

    wait_for_operands(window, &wait, step, op);
    if (pace->n >= window->after)
        wait_until(&wait, window->load_until[before], CAUSE_LOAD);
    if (step->store)
        wait_until(&wait, ooo_store_entry(window, pace) + OOO_CYCLE, CAUSE_STORE);
    window->store_waits += wait.cause == CAUSE_STORE;
    const uint64_t place =
        place_with_unit(window, step, op, ooo_later(ready, wait.until - OOO_CYCLE));
    const uint64_t at = ooo_time_of(place);
    if (at > pace->dispatched + OOO_CYCLE)
        lose_in_order(window, pace, at, wait.cause);
    if (place != ready)
        window->backend_slots += ooo_slots(window, place) - ooo_slots(window, ready);
    pace->slots += step->slots;
    pace->to_dispatch = ooo_wrap(window, place + step->slots);
    pace->dispatched = at;
}

/* The result of an instruction is there for addresses later than for the ALU; an updated base,
 * which is made where addresses are, at once. */
void ooo_result_in_order(struct ooo_timing *window, struct ooo_pace *pace,
                         const struct ooo_step *step, const struct ooo_in_order *op,
                         uint64_t complete)
{
    const uint64_t hit = pace->dispatched + OOO_CYCLE + step->latency;
    const bool late = step->load && complete > hit;
    uint64_t more = step->more_writes;

    for (unsigned i = 0; i < OOO_PLAIN_WRITES; i++) {
        window->for_address[step->writes[i]] = complete + op->to_address;
        window->from_late_load[step->writes[i]] = late ? complete : OOO_NO_LOAD;
    }
    for (; more != 0; more &= more - 1) {
        window->for_address[__builtin_ctzll(more)] = complete + op->to_address;
        window->from_late_load[__builtin_ctzll(more)] = late ? complete : OOO_NO_LOAD;
    }
    window->for_address[step->base] = window->ready[step->base];
    window->from_late_load[step->base] = OOO_NO_LOAD;
    window->load_until[(pace->n - 1) & window->ring_mask] = late ? complete : 0;
    if (op->cycles > 1) {
        pace->dispatched += ooo_time(op->cycles - 1u);
        pace->to_dispatch = pace->dispatched + OOO_CYCLE;
        pace->slots += (op->cycles - 1u) * window->width;
    }
}

/* ---- wrong paths ---- */

/* The entries of the window that are free at a time, up to `most`: instructions retire in order, so
 * the last of them tells of all. */
static uint64_t free_entries(const struct ooo_timing *window, const struct ooo_pace *pace,
                             uint64_t time, uint64_t most)
{
    const uint64_t oldest = pace->n - window->entries;
    uint64_t free = 0, end = most < window->entries ? most : window->entries;

    if (end == 0 || window->held[(oldest + end - 1) & window->ring_mask].entry_free <= time)
        return end;
    while (free < end) {
        const uint64_t middle = free + (end - free) / 2;
        if (window->held[(oldest + middle) & window->ring_mask].entry_free <= time)
            free = middle + 1;
        else
            end = middle;
    }
    return free;
}

/* Each cycle from the dispatch of the branch on is the wrong path's or lost. */
uint64_t ooo_wrong_path(struct ooo_timing *window, struct ooo_pace *pace, uint64_t until,
                        uint32_t recovery_cycles)
{
    const uint64_t from = ooo_later(pace->to_dispatch, pace->delivered + OOO_CYCLE);
    const uint64_t slots = ooo_slots(window, until) - ooo_slots(window, from);
    const uint64_t n = free_entries(window, pace, until, slots);
    const uint32_t in_all = (uint32_t)((from & OOO_NUMBERS) + n) + window->width - 1;
    const uint64_t end = ooo_cycle(from) + in_all / window->width; /* the cycle after it */

    window->wrong_cycles += end - ooo_cycle(pace->dispatched + OOO_CYCLE);
    lose_to_back_end(window, end, ooo_cycle(until));
    window->backend_stall += recovery_cycles;
    window->recovery += recovery_cycles;
    window->backend_slots += slots - n + recovery_cycles * window->width;
    pace->slots += n;
    pace->to_dispatch = until + ooo_time(recovery_cycles);
    pace->dispatched = pace->to_dispatch - OOO_CYCLE;
    return n;
}

/* ---- units ---- */

#define AT_ONCE 16 /* slots that straight code cleans */

/* Cleans the slots of n cycles from one on that are next to each other. */
static void clean_slots(struct ooo_timing *window, uint64_t cycle, uint64_t n)
{
    uint64_t *const first = &window->taken[cycle % OOO_SLOTS];
    const uint64_t nothing = window->nothing_taken;
    uint64_t i = 0;

    for (; i + AT_ONCE <= n; i += AT_ONCE)
        for (unsigned j = 0; j < AT_ONCE; j++)
            first[i + j] = nothing;
    for (; i < n; i++)
        first[i] = nothing;
}

void ooo_clean(struct ooo_timing *window, uint64_t now)
{
    /* Cleans up to OOO_SLOTS cycles ahead: the content is of earlier cycles, which are not
     * needed any more. */
    const uint64_t until = ooo_cycle(now) + OOO_SLOTS;
    uint64_t from = ooo_cycle(window->clean_until) + OOO_HORIZON;

    from = ooo_later(from, until - OOO_SLOTS);
    window->clean_until = now + ooo_time(OOO_HORIZON);
    if (from >= until)
        return;
    const uint64_t n = until - from, to_end = OOO_SLOTS - from % OOO_SLOTS;
    clean_slots(window, from, n < to_end ? n : to_end);
    if (n > to_end)
        clean_slots(window, from + to_end, n - to_end);
}

void ooo_take_more(struct ooo_timing *window, const struct ooo_step *step, uint64_t dispatched,
                   uint64_t issued)
{
    uint64_t at = issued;

    for (unsigned n = 1; n < step->times; n++)
        at = ooo_take_unit(window, step, dispatched, at + OOO_CYCLE);
}

/* Takes a unit in a cycle if one is free, and returns whether it is. */
static inline bool take_if_free(struct ooo_timing *window, const struct ooo_step *step,
                                uint64_t cycle)
{
    uint64_t *const taken = &window->taken[cycle % OOO_SLOTS];

    if ((*taken & step->busy) != 0)
        return false;
    *taken += step->takes;
    return true;
}

/* Mostly the next cycle has a unit. Else passes over the span that is known to be full, which never
 * reaches beyond `end`, or remembers what it finds full: a queue of waiting instructions is not
 * searched again for each of them. */
uint64_t ooo_search_unit(struct ooo_timing *window, const struct ooo_step *step,
                         uint64_t dispatched, uint64_t at)
{
    const uint64_t from = ooo_cycle(at), end = ooo_cycle(dispatched) + OOO_HORIZON;
    struct ooo_full *const full = &window->full[step->unit];
    uint64_t cycle = from + 1;

    if (likely(cycle < end) && take_if_free(window, step, cycle))
        return ooo_time(cycle);
    const bool passes = from >= full->from && from <= full->until;
    if (passes)
        cycle = ooo_later(cycle, full->until);
    while (cycle < end && !take_if_free(window, step, cycle))
        cycle++;
    if (passes)
        full->until = cycle;
    else if (step->unit != UNIT_NONE) /* of two units each pair is full at other times */
        *full = (struct ooo_full){from, cycle};
    return ooo_time(cycle);
}
