#include "cli/bench/issue_times.h"

#include <stdlib.h>

#include "armpmu/catalog.h"
#include "machine/core_descriptor.h"

static enum core_charge charge_of(const struct armpmu_machine *machine)
{
    return core_descriptor_of(armpmu_machine_core(machine))->model->charges;
}

bool issue_times_are_in_order(const struct armpmu_machine *machine)
{
    return charge_of(machine) != CHARGE_RETIRES;
}

double issue_times_count(const struct steady_block *block, unsigned insn, enum armpmu_signal signal)
{
    return (double)(int64_t)block->insns[insn].signals[signal] / STEADY_ROUNDS;
}

/* ---- cycles ---- */

/* Returns whether the cycle of an instruction is still open for a second one when it has issued.
 * opens: the same of the one before. */
static bool leaves_open(const struct steady_block *block, unsigned i, bool opens)
{
    const bool second = issue_times_count(block, i, ARMPMU_SIGNAL_ISSUE_PAIR) > .5;
    const double closed = issue_times_count(block, i, ARMPMU_SIGNAL_ISSUE_SINGLE) - opens;

    return !second && closed < .5;
}

/* One pass over the block shows what is open when it begins. */
static bool opens_at_start(const struct steady_block *block)
{
    const unsigned n = block->end - block->first + !block->is_loop;
    bool opens = true;

    for (unsigned i = 0; i < 2 * n; i++)
        opens = leaves_open(block, i % n, opens);
    return opens;
}

static bool is_multiply(const struct insn *insn)
{
    return insn->klass == CLASS_MULTIPLY || insn->klass == CLASS_MULTIPLY_LONG ||
           insn->klass == CLASS_MULTIPLY_HALF;
}

/* The steps of an instruction that belong to the one before. Only multiplies have some, and wait
 * for another to pair with. */
static bool counts_steps_of(enum core_charge charge, const struct insn *before, bool was_open)
{
    return charge == CHARGE_STEPS && was_open && is_multiply(before);
}

/* Counts an instruction from its own first cycle on. */
static double counted_after(enum core_charge charge, double steps, bool stays_open)
{
    return charge == CHARGE_OWN ? 1 + steps : steps + !stays_open;
}

/* The wait after an instruction, which it counts. */
static double counted_behind(const struct steady_block *block, unsigned i)
{
    return issue_times_count(block, i, ARMPMU_SIGNAL_STALL_FRONTEND_FLOW) +
           issue_times_count(block, i, ARMPMU_SIGNAL_STALL_FRONTEND_FLUSH) +
           issue_times_count(block, i, ARMPMU_SIGNAL_STALL_EXCEPTION);
}

static double set_cycles(const struct function_code *code, const struct steady_block *block,
                         enum core_charge charge, struct issue_time *times)
{
    const unsigned n = block->end - block->first;
    const bool closes = charge == CHARGE_CLOSES || charge == CHARGE_STEPS;
    bool is_open = closes && opens_at_start(block);
    double clock = 0, first = 0, total = 0;

    for (unsigned i = 0; i < n; i++) {
        struct issue_time *const time = &times[i];
        const unsigned before = (i + n - 1) % n;
        const double steps = issue_times_count(block, i, ARMPMU_SIGNAL_ISSUE_STEP);
        const bool of_before =
            counts_steps_of(charge, &code->code->insns[block->first + before], is_open);
        time->cycles = issue_times_count(block, i, ARMPMU_SIGNAL_CPU_CYCLES);
        times[of_before ? before : i].steps += steps;
        clock += time->cycles;
        is_open = closes && leaves_open(block, i, is_open);
        time->is_second = issue_times_count(block, i, ARMPMU_SIGNAL_ISSUE_PAIR) > .5;
        time->cycle = clock - counted_after(charge, of_before ? 0 : steps, is_open) -
                      counted_behind(block, i);
        if (i == 0)
            first = time->cycle;
        time->cycle -= first;
        total = time->cycle + 1;
    }
    return block->is_loop || charge == CHARGE_RETIRES ? clock : total;
}

/* ---- what is waited for ---- */

/* Cycles from issue to a result, by the machine's keys where the core has them. */
static double latency(const struct armpmu_machine *machine, const struct insn *insn)
{
    const char *key = "issue.alu_latency", *value;
    double otherwise = 1;

    switch (insn->klass) {
    case CLASS_LOAD:
    case CLASS_LOAD_MULTIPLE:
        key = "issue.load_latency";
        otherwise = 3;
        break;
    case CLASS_MULTIPLY:
    case CLASS_MULTIPLY_HALF:
    case CLASS_MULTIPLY_LONG:
        key = "issue.multiply_latency";
        otherwise = 4;
        break;
    case CLASS_DIVIDE:
        key = "issue.divide_latency";
        otherwise = 12;
        break;
    default:
        if (insn->klass >= CLASS_NEON_ALU)
            return 4;
        break;
    }
    value = armpmu_machine_value(machine, key);
    return value != NULL ? strtod(value, NULL) : otherwise;
}

/* The latest instruction before i that writes a register; of a loop, in the execution before. */
static int writer_of(const struct function_code *code, const struct steady_block *block, unsigned i,
                     uint64_t reg, unsigned *back)
{
    const unsigned n = block->end - block->first;

    for (*back = 1; *back <= (block->is_loop ? n : i); ++*back) {
        const unsigned at = (i + n - *back) % n;
        if (code->code->insns[block->first + at].writes & reg)
            return (int)at;
    }
    return -1;
}

/* A block as it issues. */
struct schedule {
    const struct armpmu_machine *machine;
    const struct function_code *code;
    const struct steady_block *block;
    struct issue_time *times;
    double total; /* cycles */
};

/* The registers that come last, and who writes them. */
static void find_producer(const struct schedule *s, unsigned i)
{
    const struct insn *const insns = &s->code->code->insns[s->block->first];
    struct issue_time *const times = s->times;
    double latest = -1e9;

    for (uint64_t left = insns[i].reads; left != 0; left &= left - 1) {
        const uint64_t reg = left & -left;
        unsigned back;
        const int at = writer_of(s->code, s->block, i, reg, &back);
        if (at < 0)
            continue;
        const double ready =
            times[at].cycle - ((unsigned)at >= i ? s->total : 0) + latency(s->machine, &insns[at]);
        if (ready < latest)
            continue;
        times[i].registers = ready > latest ? reg : times[i].registers | reg;
        times[i].producer = at;
        latest = ready;
    }
}

double issue_times(const struct armpmu_machine *machine, const struct function_code *code,
                   const struct steady_block *block, struct issue_time *times)
{
    const unsigned n = block->end - block->first;

    for (unsigned i = 0; i < n; i++)
        times[i] = (struct issue_time){.producer = -1};
    const struct schedule schedule = {machine, code, block, times,
                                      set_cycles(code, block, charge_of(machine), times)};
    for (unsigned i = 0; i < n; i++)
        if (issue_times_count(block, i, ARMPMU_SIGNAL_STALL_BACKEND_ILOCK) > .5)
            find_producer(&schedule, i);
    return schedule.total;
}
