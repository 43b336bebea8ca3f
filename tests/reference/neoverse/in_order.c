/* The slow core when it issues in order: an instruction is dispatched when it can be issued in the
 * next cycle. Everything that holds it has a time; the latest is why it waits. */
#include "core_internal.h"

/* The latest of what an instruction waits for. */
struct hold {
    uint64_t until;
    enum ooo_cause cause;
};

static void hold(struct hold *hold, uint64_t until, enum ooo_cause cause)
{
    if (until > hold->until)
        *hold = (struct hold){until, cause};
}

/* The latest instruction before i that writes a register, or the flags; NONE. */
static int writer_of(const struct slow *slow, unsigned i, uint64_t reg)
{
    for (int at = (int)i - 1; at >= 0; at--) {
        const struct ooo_op *op = &slow->insns[at].op.window;
        if (reg == 0 ? op->writes_flags : ((op->writes | op->writes_back) & reg) != 0)
            return at;
    }
    return NONE;
}

static bool is_base(const struct slow *slow, int writer, uint64_t reg)
{
    return (slow->insns[writer].op.window.writes_back & reg) != 0;
}

static uint64_t hit(const struct slow *slow, int load)
{
    return slow->fates[load].issued + slow->insns[load].op.window.latency;
}

/* A load that came later than it does from the data cache; one that is not there yet is. */
static bool is_late(const struct slow *slow, int insn)
{
    return slow->insns[insn].op.window.load && slow->fates[insn].complete > hit(slow, insn);
}

static uint64_t sum(uint64_t time, uint64_t cycles)
{
    return time == NEVER ? NEVER : time + cycles;
}

/* reg: 0 for the flags. */
static void hold_for(struct slow *slow, struct hold *held, unsigned i, uint64_t reg)
{
    const struct ooo_in_order *op = &slow->insns[i].op.in_order;
    const int writer = writer_of(slow, i, reg);
    enum ooo_cause cause = op->interlock;
    if (writer == NONE)
        return;
    const bool base = is_base(slow, writer, reg);
    uint64_t there = base ? slow_base_there(slow, (unsigned)writer) : slow->fates[writer].complete;
    if ((op->early & reg) != 0 && op->is_access) {
        cause = CAUSE_ADDRESS;
        if (!base)
            there = sum(there, ooo_cycle(slow->insns[writer].op.in_order.to_address));
    } else if ((op->early & reg) != 0) {
        there = sum(there, ooo_cycle(op->early_time));
    } else if (((op->late & reg) != 0 || (reg == 0 && op->late_flags)) && there != NEVER) {
        there -= there < slow->machine->latency_late ? there : slow->machine->latency_late;
    }
    hold(held, there, !base && is_late(slow, writer) ? CAUSE_LOAD : cause);
}

/* One that accumulates takes what another wrote early. */
static void hold_for_accumulator(struct slow *slow, struct hold *held, unsigned i)
{
    const uint64_t reg = slow->insns[i].op.window.accumulator;
    int at = reg != 0 ? writer_of(slow, i, reg) : NONE;
    if (at == NONE)
        return;
    const uint64_t there =
        is_base(slow, at, reg) ? slow_base_there(slow, (unsigned)at) : slow->fates[at].complete;
    uint64_t early = 0;
    while (at >= 0 && (slow->insns[at].op.window.accumulator == 0 ||
                       (slow->insns[at].op.window.writes & reg) == 0))
        at--;
    if (at >= 0 && slow->fates[at].complete == there && there != NEVER)
        early = slow->insns[at].op.window.forward;
    hold(held, there - early, slow->insns[i].op.in_order.interlock);
}

static void hold_for_divider(const struct slow *slow, struct hold *held, unsigned i)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    uint64_t there = 0;
    for (unsigned at = 0; at < i && op->divides; at++) {
        const struct ooo_op *older = &slow->insns[at].op.window;
        if (older->divides && older->divider == op->divider)
            there = slow->fates[at].issued + older->divide_cycles;
    }
    hold(held, there, slow->insns[i].op.in_order.interlock);
}

/* In the order in which the core looks, where several are there at once. */
static struct hold find_hold(struct slow *slow, unsigned i, uint64_t from)
{
    const struct armpmu_machine *m = slow->machine;
    const struct ooo_op *op = &slow->insns[i].op.window;
    const struct ooo_in_order *in_order = &slow->insns[i].op.in_order;
    struct hold held = {from, in_order->interlock};
    const uint64_t plain = op->reads & ~op->accumulator & ~in_order->late;
    if (op->reads_flags && !in_order->late_flags)
        hold_for(slow, &held, i, 0);
    for (uint64_t left = plain & ~in_order->early; left != 0; left &= left - 1)
        hold_for(slow, &held, i, left & -left);
    for (uint64_t left = in_order->early; left != 0; left &= left - 1)
        hold_for(slow, &held, i, left & -left);
    for (uint64_t left = in_order->late; left != 0; left &= left - 1)
        hold_for(slow, &held, i, left & -left);
    if (in_order->late_flags)
        hold_for(slow, &held, i, 0);
    hold_for_accumulator(slow, &held, i);
    hold_for_divider(slow, &held, i);
    if (i >= m->window_entries && is_late(slow, (int)(i - m->window_entries)))
        hold(&held, slow->fates[i - m->window_entries].complete, CAUSE_LOAD);
    unsigned stores = 0;
    for (int at = (int)i - 1; at >= 0 && op->store; at--)
        if (slow->insns[at].op.window.store && ++stores == m->window_stores) {
            hold(&held, sum(slow->fates[at].written, 2), CAUSE_STORE);
            break;
        }
    return held;
}

/* Whether the units of the next cycle do for instruction i, beside those that have theirs. */
static bool finds_unit(const struct slow *slow, unsigned i)
{
    const struct armpmu_machine *m = slow->machine;
    const uint32_t units[OOO_UNITS] = {[UNIT_INTEGER] = m->units_integer,
                                       [UNIT_MULTICYCLE] = m->units_multicycle,
                                       [UNIT_BRANCH] = m->units_branch,
                                       [UNIT_LOAD] = m->units_load,
                                       [UNIT_STORE] = m->units_store};
    unsigned taken[OOO_UNITS] = {0}, halves = 0;
    for (unsigned at = i < 64 ? 0 : i - 64; at <= i; at++) {
        const bool again = slow->fates[at].issued == slow->now && slow_is_split(slow, at);
        if (at != i && !again && slow->fates[at].issued != slow->now + 1)
            continue;
        const enum ooo_unit unit = slow->insns[at].op.window.unit;
        taken[unit]++;
        taken[UNIT_INTEGER] += unit == UNIT_MULTICYCLE;
        taken[UNIT_LOAD] += unit == UNIT_STORE && m->units_store_takes_load == YESNO_YES;
        halves += slow->insns[at].op.in_order.halves;
    }
    for (unsigned unit = 0; unit < UNIT_VECTOR; unit++)
        if (taken[unit] > units[unit])
            return false;
    return halves <= m->units_vector;
}

bool slow_dispatch_in_order(struct slow *slow, unsigned i, unsigned slots)
{
    const struct slow_insn *insn = &slow->insns[i];
    if (find_hold(slow, i, 0).until > slow->now + 1 || (insn->op.in_order.first && slots != 0) ||
        !finds_unit(slow, i))
        return false;
    slow->fates[i].issued = slow->fates[i].read = slow->now + 1;
    if (!insn->accesses || (!insn->op.window.load && !slow_is_split(slow, i)))
        slow->fates[i].complete = slow->now + 1 + insn->op.window.latency;
    slow->taken_until = slow->now + insn->op.in_order.cycles;
    return true;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The cycle from which on there is a slot for instruction i. */
static uint64_t slot_from(const struct slow *slow, unsigned i, uint64_t end)
{
    const uint64_t before = slow->fates[i - 1].dispatched;
    unsigned slots = 0;
    for (unsigned at = i; at > 0 && slow->fates[at - 1].dispatched == before; at--)
        slots += slow->insns[at - 1].op.window.slots;
    return end > before + 1 || slots == slow->machine->dispatch_width ? end : before;
}

void slow_count_waits(struct slow *slow, const uint64_t *ends)
{
    for (unsigned i = 0; i < slow->n_insns && slow->machine->dispatch_in_order == YESNO_YES; i++) {
        const uint64_t end = i > 0 ? ends[i - 1] : 1, delivered = slow->fates[i].delivered;
        const uint64_t ready = later(i > 0 ? slot_from(slow, i, end) : end, delivered);
        const enum ooo_cause cause = find_hold(slow, i, ready + 1).cause;
        slow->counts.store_waits += cause == CAUSE_STORE;
        for (uint64_t t = later(end, delivered); t < slow->fates[i].dispatched; t++)
            slow->counts.waits_for[cause] += !slow->intervals[t];
    }
}
