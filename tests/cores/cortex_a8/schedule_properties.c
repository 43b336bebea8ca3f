/* What must hold of any program on any machine: seeded random sequences, shortened when one fails.
 * Usage: properties [SEED] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../reference/cortex_a8/schedule.h"
#include "../../seeds.h"
#include "schedule_programs.h"
#include "cores/cortex_a8/schedule.h"

#define SEQUENCES seeds_of(100000)

/* A property holds of a program on a machine; says on stderr what does not, if aloud. */
typedef bool (*property_fn)(const struct armpmu_machine *machine, const struct insn *insns,
                            unsigned n, bool aloud);

static struct schedule_result run(const struct armpmu_machine *machine, const struct insn *insns,
                                  unsigned n, const struct schedule_state *before)
{
    struct block *block = make_block(insns, n);
    struct schedule_result result;

    schedule_run(machine, block, 0, n, before, &result);
    free(block);
    return result;
}

static bool agrees_with_the_clock(const struct armpmu_machine *machine, const struct insn *insns,
                                  unsigned n, bool aloud)
{
    const struct schedule_state idle = {0};
    const struct schedule_result fast = run(machine, insns, n, &idle);
    const struct clocked_result slow = clocked_run(machine, insns, n);
    const bool same = fast.counts.cycles == slow.cycles && fast.counts.issued == slow.issued &&
                      fast.counts.operations == slow.operations &&
                      fast.counts.pairs == slow.pairs && fast.after.slot_open == slow.open;

    if (aloud)
        fprintf(stderr,
                "  scheduled: %u cycles, %u issued, %u operations, %u pairs, open %u\n"
                "  clocked:   %u cycles, %u issued, %u operations, %u pairs, open %u\n",
                fast.counts.cycles, fast.counts.issued, fast.counts.operations, fast.counts.pairs,
                fast.after.slot_open, slow.cycles, slow.issued, slow.operations, slow.pairs,
                slow.open);
    return same;
}

static bool equal_results(const struct schedule_result *a, const struct schedule_result *b)
{
    return a->counts.cycles == b->counts.cycles && a->counts.issued == b->counts.issued &&
           a->counts.operations == b->counts.operations && a->counts.pairs == b->counts.pairs &&
           memcmp(&a->after, &b->after, sizeof a->after) == 0;
}

/* A run is its two parts, wherever it is cut. */
static bool parts_make_the_whole(const struct armpmu_machine *machine, const struct insn *insns,
                                 unsigned n, bool aloud)
{
    const struct schedule_state idle = {0};
    const struct schedule_result whole = run(machine, insns, n, &idle);
    struct block *block = make_block(insns, n);
    bool same = true;

    for (unsigned cut = 0; cut <= n && same; cut++) {
        struct schedule_result front, back;
        schedule_run(machine, block, 0, cut, &idle, &front);
        schedule_run(machine, block, cut, n, &front.after, &back);
        back.counts.cycles += front.counts.cycles;
        back.counts.issued += front.counts.issued;
        back.counts.operations += front.counts.operations;
        back.counts.pairs += front.counts.pairs;
        same = equal_results(&whole, &back);
        if (!same && aloud)
            fprintf(stderr, "  cut at %u: %u cycles, whole: %u\n", cut, back.counts.cycles,
                    whole.counts.cycles);
    }
    free(block);
    return same;
}

/* Issued at most two a cycle, each at least one operation, and every cycle with issue has an
 * older instruction. */
static bool counts_are_related(const struct armpmu_machine *machine, const struct insn *insns,
                               unsigned n, bool aloud)
{
    const struct schedule_state idle = {0};
    const struct schedule_result result = run(machine, insns, n, &idle);
    const uint32_t begun = result.counts.cycles + result.after.slot_open;

    if (aloud)
        fprintf(stderr, "  %u cycles begun, %u issued, %u operations, %u pairs\n", begun,
                result.counts.issued, result.counts.operations, result.counts.pairs);
    return result.counts.issued == n && result.counts.issued <= result.counts.operations &&
           result.counts.issued - result.counts.pairs <= begun &&
           result.counts.operations - result.counts.pairs <= begun &&
           result.counts.operations <= machine->issue_width * begun &&
           result.counts.pairs <= result.counts.issued / 2 &&
           result.counts.cycles == result.counts.pairs + result.counts.singles +
                                       (result.counts.operations - result.counts.issued) +
                                       result.counts.waits;
}

/* After a gap longer than any latency a program cannot tell what came before. */
static bool a_long_gap_is_idle(const struct armpmu_machine *machine, const struct insn *insns,
                               unsigned n, bool aloud)
{
    const struct schedule_state idle = {0};
    const struct schedule_result front = run(machine, insns, n / 2, &idle);
    const struct schedule_state rested = schedule_wait(machine, &front.after, 256);

    (void)aloud;
    return memcmp(&rested, &idle, sizeof idle) == 0;
}

/* A wait is what an instruction sees that stalls: waiting in parts is waiting once, and a program
 * ends no later than without the wait, counting the wait. */
static bool waits_add_up(const struct armpmu_machine *machine, const struct insn *insns, unsigned n,
                         bool aloud)
{
    const struct schedule_state idle = {0};
    const struct schedule_result front = run(machine, insns, n / 2, &idle);
    const struct schedule_result back = run(machine, insns + n / 2, n - n / 2, &front.after);
    struct schedule_state stepped = front.after;

    for (uint32_t waited = 1; waited <= 24; waited++) {
        const struct schedule_state once = schedule_wait(machine, &front.after, waited);
        struct schedule_result later;
        stepped = schedule_wait(machine, &stepped, 1);
        later = run(machine, insns + n / 2, n - n / 2, &stepped);
        if (memcmp(&once, &stepped, sizeof once) == 0 &&
            later.counts.cycles <= back.counts.cycles + 1 &&
            later.counts.cycles + waited >= back.counts.cycles)
            continue;
        if (aloud)
            fprintf(stderr, "  after waiting %u: %u cycles, without: %u\n", waited,
                    later.counts.cycles, back.counts.cycles);
        return false;
    }
    return true;
}

/* Whether one instruction is scheduled differently from the two states. */
static bool tells_apart(const struct armpmu_machine *machine, struct insn probe,
                        const struct schedule_state *a, const struct schedule_state *b)
{
    const struct schedule_result from_a = run(machine, &probe, 1, a);
    const struct schedule_result from_b = run(machine, &probe, 1, b);

    return from_a.counts.cycles != from_b.counts.cycles ||
           from_a.counts.pairs != from_b.counts.pairs ||
           from_a.after.slot_open != from_b.after.slot_open;
}

static bool some_probe_tells_apart(const struct armpmu_machine *machine,
                                   const struct schedule_state *a, const struct schedule_state *b)
{
    const struct insn units[] = {
        make(CLASS_ALU, 0, 0),
        make(CLASS_PRELOAD, 0, 0),
        with_branch(make(CLASS_BRANCH, 0, 0), BRANCH_IMMEDIATE),
        make(CLASS_NEON_ALU, 0, 0),
        make(CLASS_NEON_PERMUTE, 0, 0),
    };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (tells_apart(machine, units[i], a, b))
            return true;
    for (uint64_t reg = 1; reg <= REG_GE; reg <<= 1)
        if (tells_apart(machine, with_early(make(CLASS_ALU, 0, 0), reg), a, b) ||
            tells_apart(machine, make(CLASS_ALU, reg, 0), a, b) ||
            tells_apart(machine, with_late(make(CLASS_MULTIPLY, 0, 0), reg), a, b))
            return true;
    return false;
}

/* No two states for one future: if a program with and without its middle instruction leaves
 * different states, some instruction sees the difference. */
static bool states_that_differ_can_be_told_apart(const struct armpmu_machine *machine,
                                                 const struct insn *insns, unsigned n, bool aloud)
{
    const struct schedule_state idle = {0};
    const struct schedule_state with = run(machine, insns, n, &idle).after;
    struct insn fewer[PROGRAM_MAX];
    struct schedule_state without;
    const unsigned middle = n / 2;

    if (n == 0)
        return true;
    memcpy(fewer, insns, middle * sizeof *insns);
    memcpy(fewer + middle, insns + middle + 1, (n - middle - 1) * sizeof *insns);
    without = run(machine, fewer, n - 1, &idle).after;
    if (aloud)
        for (size_t i = 0; i < sizeof idle; i++)
            fprintf(stderr, "  byte %zu of the state: %u with, %u without instruction %u\n", i,
                    ((const unsigned char *)&with)[i], ((const unsigned char *)&without)[i],
                    middle);
    return memcmp(&with, &without, sizeof with) == 0 ||
           some_probe_tells_apart(machine, &with, &without);
}

/* Takes out instructions as long as the property still fails without them. */
static unsigned shorten(property_fn holds, const struct armpmu_machine *machine, struct insn *insns,
                        unsigned n)
{
    for (unsigned i = 0; i < n;) {
        struct insn fewer[PROGRAM_MAX];
        memcpy(fewer, insns, i * sizeof *insns);
        memcpy(fewer + i, insns + i + 1, (n - i - 1) * sizeof *insns);
        if (holds(machine, fewer, n - 1, false)) {
            i++;
            continue;
        }
        memcpy(insns, fewer, --n * sizeof *insns);
        i = 0;
    }
    return n;
}

/* Half the programs run on the Cortex-A8's own latencies. */
static bool holds_of_random_programs(const char *name, property_fn holds, uint64_t seed)
{
    struct random random = {seed};

    for (unsigned sequence = 0; sequence < SEQUENCES; sequence++) {
        const struct armpmu_machine machine = sequence % 2 ? random_machine(&random) : cortex_a8();
        struct insn insns[PROGRAM_MAX];
        unsigned n = (unsigned)(random_next(&random) % (PROGRAM_MAX + 1));
        for (unsigned i = 0; i < n; i++)
            insns[i] = random_insn(&random);
        if (holds(&machine, insns, n, false))
            continue;
        n = shorten(holds, &machine, insns, n);
        fprintf(stderr, "%s fails: seed %" PRIu64 ", sequence %u\n", name, seed, sequence);
        print_machine(&machine);
        print_program(insns, n);
        (void)holds(&machine, insns, n, true);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        property_fn holds;
    } properties[] = {
        {"agrees_with_the_clock", agrees_with_the_clock},
        {"parts_make_the_whole", parts_make_the_whole},
        {"counts_are_related", counts_are_related},
        {"a_long_gap_is_idle", a_long_gap_is_idle},
        {"waits_add_up", waits_add_up},
        {"states_that_differ_can_be_told_apart", states_that_differ_can_be_told_apart},
    };
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    bool all = true;

    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        const bool holds = holds_of_random_programs(properties[i].name, properties[i].holds, seed);
        printf("%s: %s, seed %" PRIu64 "\n", properties[i].name, holds ? "holds" : "FAILS", seed);
        all = all && holds;
    }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
