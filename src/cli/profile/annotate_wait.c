/* The load or the branch that a line waits for, where its own counts do not say it: a count belongs
 * to the load that misses and to the branch that is mispredicted, and the time may pass at what
 * comes after them. */
#include "cli/profile/annotate_report.h"
#include "isa/decoder.h"

#define WAITING_PERCENT 10 /* of a line's cycles: what its instructions do not issue in */
#define LINE_PERCENT    1  /* of the run's cycles */
#define STEPS_MOST      64 /* instructions back */

struct way {
    const struct annotation *a;
    struct disassembly *d;
    uint64_t needs; /* registers whose values come from further back */
    bool needs_flags;
};

static const uint64_t *counts_of(const struct annotation *a, uint32_t insn)
{
    return &a->sums[insn * a->profile->n_events];
}

static uint64_t executions(const struct annotation *a, uint32_t insn)
{
    return annotate_count(a->profile, counts_of(a, insn), ARMPMU_SIGNAL_INST_RETIRED);
}

/* ---- where execution came from ---- */

/* The branch of the same function to an instruction that executes most; PROFILE_NONE for none. */
static uint32_t branch_to(const struct way *w, uint32_t insn)
{
    const struct profile *const p = w->a->profile;
    const struct profile_insn *const to = &p->insns[insn];
    const uint64_t mask = to->isa == ARMPMU_A64 ? UINT64_MAX : UINT32_MAX;
    uint32_t best = PROFILE_NONE;
    struct insn decoded;

    for (uint32_t i = 0; i < p->n_insns; i++) {
        const struct profile_insn *const from = &p->insns[i];
        if (from->function == to->function && from->isa == to->isa &&
            disassembly_decode(w->d, i, &decoded) && decoded.branch == BRANCH_IMMEDIATE &&
            !decoded.links && ((decoded.target + from->address) & mask) == to->address &&
            (best == PROFILE_NONE || executions(w->a, i) > executions(w->a, best)))
            best = i;
    }
    return best;
}

static bool falls_through(const struct way *w, uint32_t insn)
{
    struct insn decoded;

    return disassembly_decode(w->d, insn, &decoded) &&
           (decoded.branch == BRANCH_NONE || (insn_is_conditional(&decoded) && !decoded.links));
}

/* The instruction that most executions of another one come from: the one before it in memory, or a
 * branch. */
static uint32_t came_from(const struct way *w, uint32_t insn)
{
    const uint32_t before = disassembly_before(w->d, insn);

    return before != PROFILE_NONE && falls_through(w, before) &&
                   executions(w->a, before) >= executions(w->a, insn) / 2
               ? before
               : branch_to(w, insn);
}

/* ---- what it waits for ---- */

static bool fails(const struct way *w, uint32_t insn, struct annotate_wait *wait)
{
    wait->insn = insn;
    wait->n = annotate_insn_reasons(w->a->profile, counts_of(w->a, insn), wait->reasons);
    return wait->n > 0;
}

/* Returns whether an instruction on the way back is awaited; else adds what it needs itself. */
static bool is_awaited(struct way *w, uint32_t insn, const struct insn *decoded,
                       struct annotate_wait *wait)
{
    const bool makes_flags = w->needs_flags && decoded->writes_flags;

    if ((decoded->writes & w->needs) == 0 && !makes_flags)
        return false;
    if (decoded->memory.load && fails(w, insn, wait))
        return true;
    if (!insn_is_conditional(decoded))
        w->needs &= ~decoded->writes;
    w->needs |= decoded->reads;
    w->needs_flags = (w->needs_flags && !makes_flags) || decoded->reads_flags;
    return false;
}

static bool look_back(struct way *w, uint32_t insn, struct annotate_wait *wait)
{
    struct insn decoded;
    uint32_t at = insn;

    if (!disassembly_decode(w->d, insn, &decoded))
        return false;
    w->needs = decoded.reads;
    w->needs_flags = decoded.reads_flags;
    for (int i = 0; i < STEPS_MOST; i++) {
        at = came_from(w, at);
        if (at == PROFILE_NONE || !disassembly_decode(w->d, at, &decoded) || decoded.links)
            return false;
        wait->is_branch = decoded.branch != BRANCH_NONE;
        if (i == 0 && wait->is_branch && fails(w, at, wait))
            return true;
        if (is_awaited(w, at, &decoded, wait) || at == insn)
            return wait->n > 0;
    }
    return false;
}

/* Cycles of the counts in which nothing issues; 0 where that was not recorded. */
static uint64_t waiting_cycles(const struct profile *p, const uint64_t *counts)
{
    static const enum armpmu_signal issue[] = {ARMPMU_SIGNAL_ISSUE_PAIR, ARMPMU_SIGNAL_ISSUE_SINGLE,
                                               ARMPMU_SIGNAL_ISSUE_DISPATCH,
                                               ARMPMU_SIGNAL_ISSUE_STEP};
    uint64_t cycles = annotate_count(p, counts, ARMPMU_SIGNAL_CPU_CYCLES), issuing = 0;
    bool has_leaves = false;

    for (uint32_t i = 0; i < p->n_events; i++) {
        if (!topdown_is_leaf(p->events[i].number))
            continue;
        const struct armpmu_event *const leaf =
            topdown_leaf_event(p->events[i].number - TOPDOWN_NUMBER);
        for (size_t k = 0; k < sizeof issue / sizeof *issue; k++)
            issuing += leaf->signals[0] == issue[k] ? counts[i] : 0;
        has_leaves = true;
    }
    return has_leaves && issuing < cycles ? cycles - issuing : 0;
}

bool annotate_wait_of(const struct annotation *a, struct disassembly *d,
                      const struct annotate_line *line, struct annotate_wait *wait)
{
    const struct profile *const p = a->profile;
    const uint64_t all = annotate_count(p, p->totals, ARMPMU_SIGNAL_CPU_CYCLES);
    struct way way = {.a = a, .d = d};
    uint64_t cycles = 0, most = 0;
    uint32_t slowest = PROFILE_NONE;

    wait->n = 0;
    for (size_t i = 0; i < line->n; i++) {
        const uint32_t insn = a->insns[line->first + i];
        const uint64_t waiting = waiting_cycles(p, counts_of(a, insn));
        cycles += annotate_count(p, counts_of(a, insn), ARMPMU_SIGNAL_CPU_CYCLES);
        if (waiting > most) {
            most = waiting;
            slowest = insn;
        }
    }
    if (slowest == PROFILE_NONE || most * 100 < cycles * WAITING_PERCENT ||
        cycles * 100 < all * LINE_PERCENT || fails(&way, slowest, wait))
        return false; /* what fails says so itself */
    return look_back(&way, slowest, wait);
}
