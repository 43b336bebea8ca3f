#include "schedule_programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[] = {
    [CLASS_ALU] = "alu",
    [CLASS_MOVE] = "move",
    [CLASS_ALU_SHIFT] = "alu_shift",
    [CLASS_MULTIPLY] = "multiply",
    [CLASS_MULTIPLY_LONG] = "multiply_long",
    [CLASS_MULTIPLY_HALF] = "multiply_half",
    [CLASS_LOAD] = "load",
    [CLASS_STORE] = "store",
    [CLASS_LOAD_MULTIPLE] = "load_multiple",
    [CLASS_STORE_MULTIPLE] = "store_multiple",
    [CLASS_SWAP] = "swap",
    [CLASS_BRANCH] = "branch",
    [CLASS_PRELOAD] = "preload",
    [CLASS_BARRIER] = "barrier",
    [CLASS_SYSTEM] = "system",
    [CLASS_NEON_ALU] = "neon_alu",
    [CLASS_NEON_MULTIPLY] = "neon_multiply",
    [CLASS_NEON_FLOAT] = "neon_float",
    [CLASS_NEON_PERMUTE] = "neon_permute",
    [CLASS_NEON_LOAD] = "neon_load",
    [CLASS_NEON_STORE] = "neon_store",
    [CLASS_VFP] = "vfp",
    [CLASS_VFP_DIVIDE] = "vfp_divide",
    [CLASS_CORE_TO_NEON] = "core_to_neon",
    [CLASS_NEON_TO_CORE] = "neon_to_core",
};
enum { CLASS_COUNT = sizeof class_names / sizeof *class_names };

struct armpmu_machine cortex_a8(void)
{
    return (struct armpmu_machine){
        .issue_width = 2,
        .issue_move_latency = 0,
        .issue_alu_latency = 1,
        .issue_load_latency = 2,
        .issue_early_extra = 1,
        .issue_multiply_latency = 6,
        .issue_multiply_cycles = 2,
        .issue_long_multiply_latency = 7,
        .issue_long_multiply_cycles = 3,
        .issue_half_multiply_latency = 5,
        .issue_half_multiply_cycles = 1,
        .issue_block_registers_per_cycle = 2,
        .issue_flag_latency = 1,
        .neon_transfer_cycles = 20,
    };
}

static uint32_t between(struct random *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(random_next(random) % (high - low + 1));
}

/* Nine times in ten from the lower end of the range, else anywhere in it. */
static uint32_t mostly_low(struct random *random, uint32_t low, uint32_t high)
{
    const uint32_t near = low + 4 < high ? low + 4 : high;

    return between(random, low, between(random, 0, 9) ? near : high);
}

struct armpmu_machine random_machine(struct random *random)
{
    return (struct armpmu_machine){
        .issue_width = between(random, 0, 7) ? 2 : 1,
        .issue_move_latency = mostly_low(random, 0, 10),
        .issue_alu_latency = mostly_low(random, 1, 10),
        .issue_load_latency = mostly_low(random, 1, 20),
        .issue_early_extra = mostly_low(random, 0, 5),
        .issue_multiply_latency = mostly_low(random, 1, 30),
        .issue_multiply_cycles = mostly_low(random, 1, 10),
        .issue_long_multiply_latency = mostly_low(random, 1, 30),
        .issue_long_multiply_cycles = mostly_low(random, 1, 10),
        .issue_half_multiply_latency = mostly_low(random, 1, 30),
        .issue_half_multiply_cycles = mostly_low(random, 1, 10),
        .issue_block_registers_per_cycle = mostly_low(random, 1, 8),
        .issue_flag_latency = mostly_low(random, 0, 10),
        .neon_transfer_cycles = mostly_low(random, 1, 200),
    };
}

struct insn make(enum insn_class klass, uint64_t writes, uint64_t reads)
{
    return (struct insn){
        .size = 4,
        .condition = 14,
        .klass = klass,
        .reads = reads,
        .writes = writes,
        .operations = 1,
    };
}

struct insn with_early(struct insn insn, uint64_t reads)
{
    insn.reads |= reads;
    insn.reads_early |= reads;
    return insn;
}

struct insn with_late(struct insn insn, uint64_t reads)
{
    insn.reads |= reads;
    insn.reads_late |= reads;
    return insn;
}

struct insn with_operations(struct insn insn, uint8_t operations)
{
    insn.operations = operations;
    return insn;
}

struct insn with_write_back(struct insn insn, uint64_t base)
{
    insn.writes |= base;
    insn.writes_back |= base;
    return insn;
}

struct insn on_condition(struct insn insn)
{
    insn.condition = 0;
    insn.reads |= REG_FLAGS;
    return insn;
}

struct insn with_branch(struct insn insn, enum branch_kind branch)
{
    insn.branch = branch;
    insn.writes |= REG_PC;
    return insn;
}

/* A set of up to `most` of R0..R5, now and then with a register of the far end. */
static uint64_t some_registers(struct random *random, unsigned most)
{
    static const uint64_t rare[] = {REG_SP, REG_LR, REG_PC, REG_FLAGS, REG_GE, REG_Q, REG_D(3)};
    uint64_t set = 0;

    for (unsigned n = between(random, 0, most); n > 0; n--)
        set |= REG_R(between(random, 0, 5));
    if (between(random, 0, 9) == 0)
        set |= rare[between(random, 0, sizeof rare / sizeof *rare - 1)];
    return set;
}

/* One of its registers is the upper half of its result; it may add to them. */
static struct insn random_long(struct random *random, struct insn insn)
{
    const uint64_t core = insn.writes & (REG_PC - 1);

    if (between(random, 0, 1))
        insn.writes_high = core & -core;
    return between(random, 0, 1) ? with_late(insn, core & ~insn.reads) : insn;
}

struct insn random_insn(struct random *random)
{
    /* Half the time one of the ten common classes. */
    const enum insn_class klass =
        (enum insn_class)between(random, 0, between(random, 0, 1) ? 9 : CLASS_COUNT - 1);
    struct insn insn = make(klass, some_registers(random, 2), some_registers(random, 2));

    if (klass == CLASS_BRANCH) {
        insn = with_branch(make(klass, 0, some_registers(random, 1)), BRANCH_IMMEDIATE);
    } else if (klass == CLASS_ALU && between(random, 0, 3) == 0) {
        insn.writes |= REG_FLAGS;
    } else if (klass == CLASS_LOAD_MULTIPLE || klass == CLASS_STORE_MULTIPLE) {
        insn.writes |= some_registers(random, 6);
        insn.operations = (uint8_t)between(random, 0, 16);
    } else if (klass == CLASS_NEON_TO_CORE && between(random, 0, 1)) {
        insn.writes = REG_FLAGS;
    } else if (klass == CLASS_MULTIPLY_LONG) {
        insn = random_long(random, insn);
    }
    if (between(random, 0, 1))
        insn = with_early(insn, some_registers(random, 2));
    if (between(random, 0, 2) == 0)
        insn = with_late(insn, some_registers(random, 1) & ~insn.reads);
    if (between(random, 0, 7) == 0)
        insn = with_write_back(insn, some_registers(random, 1) & (REG_PC - 1));
    if (between(random, 0, 4) == 0)
        insn = on_condition(insn);
    if (between(random, 0, 19) == 0) {
        insn.compares_zero = true;
        insn.branch = BRANCH_IMMEDIATE;
    }
    return insn;
}

struct block *make_block(const struct insn *insns, unsigned n)
{
    struct block *block = calloc(1, sizeof *block + n * sizeof *insns);

    if (!block)
        abort();
    block->n_insns = (uint16_t)n;
    if (n > 0)
        memcpy(block->insns, insns, n * sizeof *insns);
    return block;
}

static void print_registers(const char *role, uint64_t set)
{
    fprintf(stderr, " %s %" PRIx64, role, set);
}

void print_program(const struct insn *insns, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct insn *insn = &insns[i];
        fprintf(stderr, "  %2u %-14s", i, class_names[insn->klass]);
        print_registers("writes", insn->writes);
        print_registers("back", insn->writes_back);
        print_registers("reads", insn->reads);
        print_registers("early", insn->reads_early);
        print_registers("late", insn->reads_late);
        fprintf(stderr, " condition %u branch %d operations %u\n", insn->condition, insn->branch,
                insn->operations);
    }
}

void print_machine(const struct armpmu_machine *m)
{
    fprintf(stderr,
            "  width %u move %u alu %u load %u early %u multiply %u/%u long %u/%u half %u/%u "
            "registers %u flags %u transfer %u\n",
            m->issue_width, m->issue_move_latency, m->issue_alu_latency, m->issue_load_latency,
            m->issue_early_extra, m->issue_multiply_latency, m->issue_multiply_cycles,
            m->issue_long_multiply_latency, m->issue_long_multiply_cycles,
            m->issue_half_multiply_latency, m->issue_half_multiply_cycles,
            m->issue_block_registers_per_cycle, m->issue_flag_latency, m->neon_transfer_cycles);
}
