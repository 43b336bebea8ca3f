/* Measures the issue schedule, and counts the states that a program's blocks start from: the size
 * of a memo of (block, entry state).
 *
 * The program is random code of compiled code's proportions: half ALU and moves, a third loads and
 * stores, a block every six instructions, most operands made a few instructions ago. Blocks are
 * walked at random, each with two successors, as a program would. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parts/random.h"
#include "cores/cortex_a8/schedule.h"
#include "parts/schedule_memo.h"

#define BLOCKS        2000
#define STEPS         2000000
#define MEMO_STATES   4096
#define ROUNDS        9
#define NOT_SCHEDULED UINT32_MAX

static double now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static uint32_t below(struct random *random, uint32_t n)
{
    return (uint32_t)(random_next(random) % n);
}

/* A register, rather one of the last few written. */
static uint64_t recent(struct random *random, unsigned n)
{
    return REG_R(below(random, 2) ? n % 12 : below(random, 12));
}

static struct insn compiled_insn(struct random *random, unsigned n)
{
    const uint32_t kind = below(random, 100);
    struct insn insn = {.size = 4, .condition = 14, .operations = 1};

    insn.reads = recent(random, n - 1) | recent(random, n - 2);
    insn.writes = REG_R(n % 12);
    if (kind < 28) {
        insn.klass = CLASS_ALU;
    } else if (kind < 48) {
        insn.klass = CLASS_MOVE;
        insn.reads = recent(random, n - 1);
    } else if (kind < 55) {
        insn.klass = CLASS_ALU_SHIFT;
        insn.reads_early = recent(random, n - 2);
    } else if (kind < 58) {
        insn.klass = CLASS_MULTIPLY;
    } else if (kind < 78) {
        insn.klass = CLASS_LOAD;
        insn.reads_early = insn.reads = recent(random, n - 2);
    } else if (kind < 88) {
        insn.klass = CLASS_STORE;
        insn.reads_early = recent(random, n - 2);
        insn.reads_late = recent(random, n - 1);
        insn.writes = 0;
    } else if (kind < 92) {
        insn.klass = below(random, 2) ? CLASS_LOAD_MULTIPLE : CLASS_STORE_MULTIPLE;
        insn.operations = (uint8_t)(1 + below(random, 6));
        insn.reads_early = insn.reads = REG_SP;
        insn.writes = insn.klass == CLASS_LOAD_MULTIPLE ? REG_R(4) | REG_R(5) | REG_LR : 0;
        insn.writes |= REG_SP;
        insn.writes_back = REG_SP;
    } else if (kind < 98) {
        insn.klass = CLASS_ALU;
        insn.writes = REG_FLAGS;
    } else {
        insn.klass = below(random, 2) ? CLASS_VFP : CLASS_NEON_TO_CORE;
    }
    insn.reads |= insn.reads_early | insn.reads_late;
    if (below(random, 12) == 0) {
        insn.condition = 0;
        insn.reads |= REG_FLAGS;
    }
    return insn;
}

static struct block *compiled_block(struct random *random)
{
    const unsigned n = 1 + below(random, 11);
    struct block *block = calloc(1, sizeof *block + n * sizeof *block->insns);

    if (!block)
        abort();
    block->n_insns = (uint16_t)n;
    for (unsigned i = 0; i + 1 < n; i++)
        block->insns[i] = compiled_insn(random, below(random, 4) + i + 2);
    block->insns[n - 1] = (struct insn){.size = 4,
                                        .condition = 0,
                                        .operations = 1,
                                        .klass = CLASS_BRANCH,
                                        .branch = BRANCH_IMMEDIATE,
                                        .reads = REG_FLAGS,
                                        .writes = REG_PC};
    return block;
}

static struct armpmu_machine cortex_a8(void)
{
    return (struct armpmu_machine){
        .issue_width = 2,
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

/* Walks the program once with a memo; prints what the memo came to. */
static void count_states(const struct armpmu_machine *machine, struct block *const *blocks)
{
    const size_t n_memo = (size_t)BLOCKS * MEMO_STATES;
    uint32_t *memo = malloc(n_memo * sizeof *memo);
    struct random random = {2};
    struct schedule_states states;
    uint64_t cycles = 0, insns = 0;
    uint32_t id = SCHEDULE_IDLE, scheduled = 0, block = 0;

    if (!memo || schedule_states_init(&states, sizeof(struct schedule_state)) != ARMPMU_OK)
        abort();
    memset(memo, 0xff, n_memo * sizeof *memo);
    for (unsigned step = 0; step < STEPS; step++) {
        uint32_t *after = &memo[(size_t)block * MEMO_STATES + id];
        if (*after == NOT_SCHEDULED) {
            const struct schedule_state before =
                *(const struct schedule_state *)schedule_states_at(&states, id);
            struct schedule_result result;
            schedule_run(machine, blocks[block], 0, blocks[block]->n_insns, &before, &result);
            *after = schedule_states_number(&states, &result.after);
            cycles += result.counts.cycles;
            insns += blocks[block]->n_insns;
            scheduled++;
            if (*after >= MEMO_STATES)
                abort();
        }
        id = *after;
        block = (block * 7 + below(&random, 2) * 911 + 1) % BLOCKS;
    }
    printf("%u block executions over %u blocks: %u states, %u (block, state) pairs, %.2f "
           "instructions a cycle\n",
           STEPS, BLOCKS, states.n, scheduled, (double)insns / (double)cycles);
    schedule_states_free(&states);
    free(memo);
}

static uint64_t schedule_all(const struct armpmu_machine *machine, struct block *const *blocks)
{
    struct schedule_state before = {0};
    uint64_t cycles = 0;

    for (unsigned i = 0; i < BLOCKS; i++) {
        struct schedule_result result;
        schedule_run(machine, blocks[i], 0, blocks[i]->n_insns, &before, &result);
        before = result.after;
        cycles += result.counts.cycles;
    }
    return cycles;
}

static void time_schedule(const struct armpmu_machine *machine, struct block *const *blocks)
{
    unsigned insns = 0;
    uint64_t cycles = 0;
    double best = 1e30;

    for (unsigned i = 0; i < BLOCKS; i++)
        insns += blocks[i]->n_insns;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const double start = now_ns();
        double took;
        cycles = schedule_all(machine, blocks);
        took = now_ns() - start;
        best = took < best ? took : best;
    }
    printf("schedule_run: %.1f ns an instruction, %.0f ns a block (%" PRIu64 " cycles)\n",
           best / insns, best / BLOCKS, cycles);
}

int main(void)
{
    const struct armpmu_machine machine = cortex_a8();
    struct block *blocks[BLOCKS];
    struct random random = {1};

    for (unsigned i = 0; i < BLOCKS; i++)
        blocks[i] = compiled_block(&random);
    time_schedule(&machine, blocks);
    count_states(&machine, blocks);
    for (unsigned i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    return 0;
}
