#include "issue.h"

#include <string.h>

enum { START = 1000 };

/* What the manual and the table of ports say, in the reference's own words. */
struct slow_shape {
    const char *ports[2]; /* two ways to issue; NULL: alone */
    unsigned steps, latency, per_step;
    bool divides, vfp;
    unsigned vfp_busy;
};

static struct slow_shape list_of(const struct armpmu_machine *m, const struct insn *insn)
{
    const unsigned at_once = insn->memory.neon ? 1 : m->issue_block_registers_per_cycle;
    unsigned steps = 0;
    for (unsigned moved = 0; moved < insn->operations; moved += at_once)
        steps++;
    return (struct slow_shape){
        .steps = steps < 2 ? 2 : steps, .latency = m->issue_load_latency + 1, .per_step = at_once};
}

static struct slow_shape vfp_of(const struct armpmu_machine *m, const struct insn *insn)
{
    const bool divide = insn->klass == CLASS_VFP_DIVIDE;
    struct slow_shape shape = {.ports = {"A", "B"}, .steps = 1, .vfp = true};
    if (!insn->doubles) {
        shape.latency = m->vfp_latency;
        if (insn->reads_late != 0)
            shape.latency = m->vfp_accumulate_latency;
        if (divide)
            shape.latency = shape.vfp_busy = m->vfp_divide_latency;
        return shape;
    }
    shape.ports[0] = shape.ports[1] = NULL;
    shape.latency = m->vfp_double_latency;
    if (insn->reads_late != 0)
        shape.latency = m->vfp_double_accumulate_latency;
    if (divide)
        shape.latency = m->vfp_double_divide_latency;
    if (insn->converts)
        shape.latency = m->vfp_convert_latency;
    shape.vfp_busy = shape.latency;
    return shape;
}

static struct slow_shape multiply_of(unsigned steps, unsigned latency)
{
    return (struct slow_shape){.ports = {"AU", "AU"}, .steps = steps, .latency = latency};
}

static struct slow_shape slow_shape_of(const struct armpmu_machine *m, const struct insn *insn)
{
    struct slow_shape shape = {.steps = 1, .latency = m->issue_alu_latency};
    switch (insn->klass) {
    case CLASS_MOVE:
        shape.ports[0] = "A";
        shape.ports[1] = "BU";
        return shape;
    case CLASS_ALU:
    case CLASS_ALU_SHIFT:
        shape.ports[0] = insn->reads + insn->writes == 0 ? "A" : "AU";
        shape.ports[1] = insn->reads + insn->writes == 0 ? "B"
                         : insn->shifts_by_register      ? "BCU"
                                                         : "BU";
        return shape;
    case CLASS_MULTIPLY:
        return multiply_of(m->issue_multiply_cycles, m->issue_multiply_latency);
    case CLASS_MULTIPLY_LONG:
        return multiply_of(m->issue_long_multiply_cycles, m->issue_long_multiply_latency);
    case CLASS_MULTIPLY_HALF:
        return multiply_of(m->issue_half_multiply_cycles, m->issue_half_multiply_latency);
    case CLASS_DIVIDE:
        shape = multiply_of(1, m->issue_divide_latency);
        if (insn->divides_signed)
            shape.latency = m->issue_signed_divide_latency;
        shape.divides = true;
        return shape;
    case CLASS_BRANCH:
        shape.ports[0] = shape.ports[1] = "B";
        return shape;
    case CLASS_LOAD:
    case CLASS_STORE:
    case CLASS_LOAD_MULTIPLE:
    case CLASS_STORE_MULTIPLE:
    case CLASS_SWAP:
    case CLASS_PRELOAD:
    case CLASS_NEON_LOAD:
    case CLASS_NEON_STORE:
        if (insn->memory.multiple || insn->operations > 1)
            return list_of(m, insn);
        shape.ports[0] = shape.ports[1] = "AC";
        shape.latency = m->issue_load_latency;
        return shape;
    case CLASS_VFP:
    case CLASS_VFP_DIVIDE:
        return vfp_of(m, insn);
    case CLASS_CORE_TO_NEON:
    case CLASS_NEON_TO_CORE:
        shape.ports[0] = shape.ports[1] = "A";
        shape.latency = m->vfp_transfer_latency;
        return shape;
    default:
        return shape;
    }
}

/* R0 to R14, flags, GE, FPSCR, D0 to D15; Q gathers, and is waited for by nobody. */
static bool is_tracked(unsigned bit)
{
    return bit != 15 && bit != 18 && (bit < 20 || (bit >= 32 && bit < 48));
}

/* Cycles earlier than a plain operand that this one is needed, negative for later. */
static int slow_ahead(const struct armpmu_machine *m, const struct insn *insn, unsigned bit)
{
    const uint64_t set = UINT64_C(1) << bit;
    if ((insn->reads_late & set) || insn->klass == CLASS_MOVE)
        return -1;
    if (!(insn->reads_early & set))
        return 0;
    if (insn->memory.bytes != 0 || insn->klass == CLASS_PRELOAD)
        return (int)m->issue_address_extra;
    return (int)(m->issue_early_extra < m->issue_address_extra ? m->issue_early_extra
                                                               : m->issue_address_extra);
}

static bool slow_waits(const struct slow_issue *slow, const struct insn *insn, bool for_divider)
{
    for (unsigned bit = 0; bit < 48; bit++)
        if (is_tracked(bit) && (insn->reads >> bit & 1) && slow->from_divider[bit] == for_divider &&
            (int64_t)slow->clock - slow_ahead(slow->machine, insn, bit) <
                (int64_t)slow->usable[bit])
            return true;
    return for_divider && insn->klass == CLASS_DIVIDE && slow->divider_write != 0 &&
           slow->clock <= slow->divider_write;
}

static bool slow_pair(const struct armpmu_machine *m, const struct insn *first,
                      const struct insn *second)
{
    const struct slow_shape a = slow_shape_of(m, first), b = slow_shape_of(m, second);
    if (first->branch != BRANCH_NONE || m->issue_width == 1 || a.ports[0] == NULL ||
        b.ports[0] == NULL || (second->reads & first->writes) || (second->reads & REG_PC) ||
        (a.vfp_busy != 0 && b.vfp))
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (strpbrk(a.ports[i], b.ports[j]) == NULL)
                return true;
    return false;
}

static bool is_data(const struct insn *insn)
{
    return insn->klass <= CLASS_MULTIPLY_HALF || insn->klass == CLASS_DIVIDE;
}

static bool is_access(const struct insn *insn)
{
    return insn->memory.bytes != 0 || insn->klass == CLASS_PRELOAD;
}

static enum r4f_pair slow_case(const struct insn *first, const struct insn *second)
{
    if ((second->branch == BRANCH_IMMEDIATE && !second->links) ||
        (second->klass == CLASS_ALU && second->reads + second->writes == 0))
        return R4F_PAIR_A;
    if ((is_data(first) && is_access(second)) || (is_access(first) && is_data(second)))
        return R4F_PAIR_B;
    return R4F_PAIR_OTHER;
}

/* A cycle passes in which nothing issues, for the divider's sake or not. */
static void slow_stall(struct slow_issue *slow, bool for_divider)
{
    if (slow->clock == slow->divider_write && slow->divider_write != 0) {
        slow->divide += !for_divider;
        slow->divider_write = 0;
    }
    slow->divide += for_divider;
    slow->clock++;
}

static void slow_wait(struct slow_issue *slow, const struct insn *insn)
{
    const struct slow_shape shape = slow_shape_of(slow->machine, insn);
    while (slow_waits(slow, insn, false)) {
        slow->dependency++;
        slow_stall(slow, false);
    }
    while (slow_waits(slow, insn, true))
        slow_stall(slow, true);
    while (shape.vfp && slow->clock < slow->vfp_free)
        slow_stall(slow, false);
    if (slow->divider_write != 0 && slow->clock == slow->divider_write)
        slow_stall(slow, false); /* counts the write */
}

static void slow_write(struct slow_issue *slow, const struct insn *insn)
{
    const struct slow_shape shape = slow_shape_of(slow->machine, insn);
    unsigned nth = 0;
    for (unsigned bit = 0; bit < 48; bit++) {
        if (!is_tracked(bit) || !(insn->writes >> bit & 1))
            continue;
        uint64_t at = slow->clock + slow->machine->issue_alu_latency;
        if (!(insn->writes_back >> bit & 1)) {
            at = slow->clock + shape.latency + (shape.per_step ? nth / shape.per_step : 0);
            nth++;
        }
        if (!insn_is_conditional(insn) || at > slow->usable[bit])
            slow->usable[bit] = at;
        slow->from_divider[bit] = shape.divides && bit < 15;
    }
    if (shape.divides)
        slow->divider_write = slow->clock + shape.latency - 1;
    if (shape.vfp_busy != 0)
        slow->vfp_free = slow->clock + shape.vfp_busy;
}

/* One or two instructions issue. */
static void slow_issue(struct slow_issue *slow, const struct insn *first, const struct insn *second,
                       uint64_t *at)
{
    unsigned steps = slow_shape_of(slow->machine, first).steps;
    slow_wait(slow, first);
    at[0] = slow->clock;
    if (second) {
        const unsigned other = slow_shape_of(slow->machine, second).steps;
        slow_wait(slow, second);
        steps = other > steps ? other : steps;
        slow->pairs[slow_case(first, second)]++;
    }
    slow_write(slow, first);
    if (second)
        slow_write(slow, second);
    for (slow->clock++; --steps > 0; slow->clock++)
        if (slow->divider_write != 0 && slow->clock == slow->divider_write) {
            slow->divider_write = 0;
            slow->divide++;
            steps++;
        }
    if (second)
        at[1] = slow->clock;
    else if (first->branch != BRANCH_NONE || slow->machine->issue_width == 1 ||
             slow_shape_of(slow->machine, first).ports[0] == NULL)
        at[0] = slow->clock; /* nothing joins it */
}

void slow_issue_run(struct slow_issue *slow, const struct insn *const *insns, unsigned n,
                    uint64_t *at)
{
    uint64_t unused[2];
    for (unsigned i = 0; i < n;) {
        const bool two = i + 1 < n && slow_pair(slow->machine, insns[i], insns[i + 1]);
        slow_issue(slow, insns[i], two ? insns[i + 1] : NULL, at ? &at[i] : unused);
        i += 1u + two;
    }
}

void slow_issue_pass(struct slow_issue *slow, unsigned cycles)
{
    for (; cycles > 0; cycles--)
        slow_stall(slow, false);
}

void slow_issue_init(struct slow_issue *slow, const struct armpmu_machine *machine)
{
    *slow = (struct slow_issue){.machine = machine, .clock = START};
}
