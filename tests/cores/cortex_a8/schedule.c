/* The issue rules, worked by hand: a row is a program and the cycle, from 1, in which each of its
 * instructions takes its (last) step. The first rows are the examples of the manual's table of
 * dual-issue restrictions (ARM DDI 0344, Dual-instruction issue restrictions). */
#include "../../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schedule_programs.h"
#include "cores/cortex_a8/schedule.h"
#include "parts/schedule_memo.h"

#define R(n) REG_R(n)

#define ROW_MAX 6

struct row {
    int line;
    struct insn program[ROW_MAX];
    unsigned cycles[ROW_MAX]; /* 0 ends the row */
};

static struct insn alu(uint64_t writes, uint64_t reads)
{
    return make(CLASS_ALU, writes, reads);
}

static struct insn mov(uint64_t writes, uint64_t reads)
{
    return make(CLASS_MOVE, writes, reads);
}

static struct insn shift(uint64_t writes, uint64_t reads, uint64_t shifted)
{
    return with_early(make(CLASS_ALU_SHIFT, writes, reads), shifted);
}

static struct insn cmp(uint64_t reads)
{
    return make(CLASS_ALU, REG_FLAGS, reads);
}

static struct insn ldr(uint64_t writes, uint64_t base)
{
    return with_early(make(CLASS_LOAD, writes, 0), base);
}

static struct insn str(uint64_t stored, uint64_t base)
{
    return with_early(with_late(make(CLASS_STORE, 0, 0), stored), base);
}

static struct insn ldm(uint64_t writes, uint8_t registers, uint64_t base)
{
    return with_operations(with_early(make(CLASS_LOAD_MULTIPLE, writes, 0), base), registers);
}

static struct insn stm(uint64_t stored, uint8_t registers, uint64_t base)
{
    const struct insn store = with_late(make(CLASS_STORE_MULTIPLE, 0, 0), stored);

    return with_operations(with_early(store, base), registers);
}

static struct insn mul(uint64_t writes, uint64_t reads)
{
    return make(CLASS_MULTIPLY, writes, reads);
}

static struct insn half(uint64_t writes, uint64_t reads)
{
    return make(CLASS_MULTIPLY_HALF, writes, reads);
}

static struct insn mla(uint64_t writes, uint64_t reads, uint64_t accumulator)
{
    return with_late(mul(writes, reads), accumulator);
}

static struct insn smull(uint64_t writes, uint64_t reads)
{
    return make(CLASS_MULTIPLY_LONG, writes, reads);
}

static struct insn b(void)
{
    return with_branch(make(CLASS_BRANCH, 0, 0), BRANCH_IMMEDIATE);
}

static struct insn bx(uint64_t reads)
{
    return with_branch(make(CLASS_BRANCH, 0, reads), BRANCH_INDIRECT);
}

static struct insn neon(enum insn_class klass)
{
    return make(klass, REG_D(0), REG_D(1));
}

/* The cycle, from 1, of the last step of the program's last instruction: the one the clock
 * still stands at when its younger slot is free, else the one before. */
static unsigned last_cycle(const struct armpmu_machine *machine, const struct insn *program,
                           unsigned n)
{
    const struct schedule_state idle = {0};
    struct block *block = make_block(program, n);
    struct schedule_result result;

    schedule_run(machine, block, 0, n, &idle, &result);
    free(block);
    return result.counts.cycles + result.after.slot_open;
}

static unsigned wrong_cycles(const struct armpmu_machine *machine, const struct row *row)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < ROW_MAX && row->cycles[i]; i++) {
        const unsigned got = last_cycle(machine, row->program, i + 1);
        if (got == row->cycles[i])
            continue;
        fprintf(stderr, "%s:%d: instruction %u: got cycle %u, want %u\n", __FILE__, row->line, i,
                got, row->cycles[i]);
        wrong++;
    }
    return wrong;
}

static void check(const struct armpmu_machine *machine, const struct row *rows, size_t n_rows)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < n_rows; i++)
        wrong += wrong_cycles(machine, &rows[i]);
    assert_int_equal(wrong, 0);
}

#define CHECK(machine, rows) check((machine), (rows), sizeof(rows) / sizeof *(rows))

TEST(the_manuals_examples_issue_in_the_manuals_cycles)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct row rows[] = {
        /* One load/store pipe: the store waits, the MOV goes beside it. */
        {__LINE__, {ldr(R(5), R(6)), str(R(7), R(8)), mov(R(9), R(10))}, {1, 2, 2}},
        /* One multiplier, in the older slot: the first waits for the slot, the next for the
         * multiplier. 16-bit multiplies, whose single step the example's cycles show. */
        {__LINE__, {alu(R(1), R(2) | R(3)), half(R(4), R(5)), half(R(7), R(8))}, {1, 2, 3}},
        /* One change of the PC a cycle. */
        {__LINE__, {bx(R(1)), on_condition(b()), alu(R(1), R(2) | R(3))}, {1, 2, 2}},
        /* Two writers of R1, of which only one will pass its condition. */
        {__LINE__,
         {on_condition(mov(R(1), R(2))), on_condition(mov(R(1), R(3))), ldr(R(5), R(6))},
         {1, 2, 2}},
        /* R1 at 1+1; R4 as an address at 2+1+1. */
        {__LINE__, {alu(R(1), R(2)), alu(R(4), R(1) | R(6)), ldr(R(7), R(4))}, {1, 2, 4}},
        /* Steps at 2 and 3 (the manual's odd-aligned list takes a third); the last one pairs. */
        {__LINE__,
         {mov(R(1), R(2)), ldm(R(4) | R(5) | R(6) | R(7), 4, R(3)), alu(R(8), R(9) | R(10))},
         {1, 3, 3}},
    };

    CHECK(&a8, rows);
}

TEST(slots_and_units_are_shared_by_the_rules)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct row rows[] = {
        /* Independent ALU operations go two by two. */
        {__LINE__, {alu(R(0), 0), alu(R(1), 0), alu(R(2), 0), alu(R(3), 0)}, {1, 1, 2, 2}},
        /* A load or store in either slot. */
        {__LINE__, {alu(R(0), 0), ldr(R(1), R(2)), ldr(R(3), R(2)), alu(R(4), 0)}, {1, 1, 2, 2}},
        {__LINE__, {make(CLASS_PRELOAD, 0, 0), ldr(R(1), R(2))}, {1, 2}},
        /* A NEON load also takes the load/store pipe. */
        {__LINE__, {neon(CLASS_NEON_LOAD), ldr(R(1), R(2))}, {1, 2}},
        /* A branch in either slot. */
        {__LINE__, {alu(R(0), 0), b(), b(), alu(R(1), 0)}, {1, 1, 2, 2}},
        /* A load of the PC is a branch. */
        {__LINE__, {with_branch(ldr(0, R(13)), BRANCH_RETURN), b()}, {1, 2}},
        /* Two compares write the flags: not together. */
        {__LINE__, {cmp(R(0)), cmp(R(1))}, {1, 2}},
        /* The updated base is a result like any other. */
        {__LINE__, {with_write_back(ldr(R(1), R(2)), R(2)), mov(R(2), 0)}, {1, 2}},
        /* Sticky saturation has no order to keep. */
        {__LINE__, {alu(R(0) | REG_Q, 0), alu(R(1) | REG_Q, 0)}, {1, 1}},
        /* NEON: one data-processing with one load, store, permute or transfer. */
        {__LINE__, {neon(CLASS_NEON_ALU), neon(CLASS_NEON_PERMUTE)}, {1, 1}},
        {__LINE__, {neon(CLASS_NEON_ALU), neon(CLASS_NEON_FLOAT)}, {1, 2}},
        {__LINE__, {neon(CLASS_VFP), neon(CLASS_NEON_MULTIPLY)}, {1, 2}},
        {__LINE__, {neon(CLASS_VFP_DIVIDE), neon(CLASS_NEON_LOAD)}, {1, 1}},
        {__LINE__, {neon(CLASS_NEON_LOAD), neon(CLASS_NEON_PERMUTE)}, {1, 2}},
        {__LINE__, {neon(CLASS_NEON_STORE), neon(CLASS_CORE_TO_NEON)}, {1, 2}},
        /* System instructions go alone. */
        {__LINE__, {alu(R(0), 0), make(CLASS_SYSTEM, 0, 0), alu(R(1), 0)}, {1, 2, 3}},
        /* NOP and barriers take a slot. */
        {__LINE__, {make(CLASS_BARRIER, 0, 0), alu(R(0), 0)}, {1, 1}},
    };

    CHECK(&a8, rows);
}

TEST(several_steps_take_the_older_slot_and_pair_in_the_last)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct row rows[] = {
        /* MUL 1-2, joined at 2; the next one 3-4. */
        {__LINE__, {mul(R(0), R(1)), alu(R(2), 0), mul(R(3), R(1))}, {2, 2, 4}},
        /* Not in the younger slot: 2-3. */
        {__LINE__, {alu(R(2), 0), mul(R(0), R(1)), alu(R(4), 0)}, {1, 3, 3}},
        /* Two multiplies: 1-2, 3-4. */
        {__LINE__, {mul(R(0), R(1)), mul(R(2), R(1))}, {2, 4}},
        /* Long: 1-3. */
        {__LINE__, {smull(R(0) | R(1), R(2)), alu(R(3), 0)}, {3, 3}},
        /* Lists by two: 1 and 2 registers 1 cycle, 3 and 4 two, 5 three. */
        {__LINE__, {alu(R(8), 0), ldm(R(0) | R(1), 2, R(9))}, {1, 1}},
        {__LINE__, {ldm(R(0) | R(1) | R(2), 3, R(9)), alu(R(8), 0)}, {2, 2}},
        {__LINE__, {stm(R(0) | R(1) | R(2) | R(3) | R(4), 5, R(13)), alu(R(8), 0)}, {3, 3}},
        /* The load/store pipe is taken to the last step. */
        {__LINE__, {stm(R(0) | R(1) | R(2), 3, R(13)), ldr(R(5), R(6))}, {2, 3}},
        /* LDRD is one transfer. */
        {__LINE__, {with_operations(ldr(R(0) | R(1), R(2)), 2), alu(R(3), 0)}, {1, 1}},
        /* SWP: a load and a store, 1-2. */
        {__LINE__, {make(CLASS_SWAP, R(0), R(1)), alu(R(2), 0)}, {2, 2}},
    };

    CHECK(&a8, rows);
}

TEST(results_arrive_after_their_latency)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct row rows[] = {
        /* MOV 0 to a plain operand, 1 to an early one. */
        {__LINE__, {mov(R(0), 0), alu(R(1), R(0))}, {1, 1}},
        {__LINE__, {mov(R(0), 0), shift(R(1), 0, R(0))}, {1, 2}},
        {__LINE__, {mov(R(0), 0), ldr(R(1), R(0))}, {1, 2}},
        /* ALU 1 to a plain operand, 2 to an early one, 0 to store data. */
        {__LINE__, {alu(R(0), 0), alu(R(1), R(0))}, {1, 2}},
        {__LINE__, {alu(R(0), 0), shift(R(1), R(0), R(2))}, {1, 2}},
        {__LINE__, {alu(R(0), 0), shift(R(1), R(2), R(0))}, {1, 3}},
        {__LINE__, {alu(R(0), 0), str(R(1), R(0))}, {1, 3}},
        {__LINE__, {alu(R(0), 0), str(R(0), R(1))}, {1, 1}},
        {__LINE__, {shift(R(0), 0, R(1)), str(R(0), R(1))}, {1, 1}},
        /* Load 2, early 3, store data 2-1. */
        {__LINE__, {ldr(R(0), R(1)), alu(R(2), R(0))}, {1, 3}},
        {__LINE__, {ldr(R(0), R(1)), ldr(R(2), R(0))}, {1, 4}},
        {__LINE__, {ldr(R(0), R(1)), str(R(0), R(2))}, {1, 2}},
        /* The updated base comes from the ALU: 1, early 2. */
        {__LINE__, {with_write_back(ldr(R(0), R(1)), R(1)), alu(R(2), R(1))}, {1, 2}},
        {__LINE__,
         {with_write_back(ldr(R(0), R(1)), R(1)), with_write_back(ldr(R(3), R(1)), R(1))},
         {1, 3}},
        /* LDM {R4-R7}: steps 1, 2. R5 in the first: 1+2. R6 in the second: 2+2. */
        {__LINE__, {ldm(R(4) | R(5) | R(6) | R(7), 4, R(3)), alu(R(0), R(5))}, {2, 3}},
        {__LINE__, {ldm(R(4) | R(5) | R(6) | R(7), 4, R(3)), alu(R(0), R(6))}, {2, 4}},
        /* An updated base below the list takes no place in it: R5 still comes first. */
        {__LINE__,
         {with_write_back(ldm(R(5) | R(6) | R(7), 3, R(3)), R(3)), alu(R(0), R(6)),
          alu(R(1), R(7))},
         {2, 3, 4}},
        /* MUL: 6 to an operand of E1, so 5 to a plain one and 4 to store data. */
        {__LINE__, {mul(R(0), R(1)), shift(R(2), 0, R(0))}, {2, 7}},
        {__LINE__, {mul(R(0), R(1)), alu(R(2), R(0))}, {2, 6}},
        {__LINE__, {mul(R(0), R(1)), str(R(0), R(3))}, {2, 5}},
        /* A multiply reads its factors early: 2 after an ALU result, 6 after a multiply. */
        {__LINE__, {alu(R(0), 0), mul(R(1), R(0))}, {1, 4}},
        {__LINE__, {mul(R(0), R(1)), mul(R(2), R(0))}, {2, 8}},
        /* SMULL 7-1, 16-bit multiplies 5-1. */
        {__LINE__, {smull(R(0) | R(1), R(2)), alu(R(3), R(1))}, {3, 7}},
        {__LINE__, {half(R(0), R(1)), alu(R(3), R(0))}, {1, 5}},
        /* MLA takes its accumulator from the multiplier without a wait: 3-4, 5-6. */
        {__LINE__,
         {mul(R(0), R(1)), mla(R(0), R(2), R(0)), mla(R(0), R(3), R(0)), alu(R(4), R(0))},
         {2, 4, 6, 10}},
        /* SMULBB, SMLABB: 1, 2, and to a plain operand 2+4. */
        {__LINE__,
         {half(R(0), R(1)), with_late(half(R(0), R(2)), R(0)), alu(R(3), R(0))},
         {1, 2, 6}},
        /* Not from a long multiply: R0 at 1+7 early, late two sooner, so steps 6-7. */
        {__LINE__, {smull(R(0) | R(1), R(2)), mla(R(3), R(4), R(0))}, {3, 7}},
        /* Not from a conditional one: it may have left the old value. 1+6-2 = 5-6. */
        {__LINE__, {on_condition(mul(R(0), R(1))), mla(R(3), R(4), R(0))}, {2, 6}},
        /* Nor past a conditional MOV: the multiply's value may still be the one. 5-6 again. */
        {__LINE__, {mul(R(0), R(1)), on_condition(mov(R(0), 0)), mla(R(3), R(4), R(0))}, {2, 3, 6}},
        /* NEON to core: like an ALU result, what the unit takes comes on top. Core to NEON needs
           its register as a plain operand. */
        {__LINE__, {make(CLASS_NEON_TO_CORE, R(0), REG_D(0)), alu(R(1), R(0))}, {1, 2}},
        {__LINE__, {alu(R(0), 0), make(CLASS_CORE_TO_NEON, REG_D(0), R(0))}, {1, 2}},
        /* NEON results never hold the integer side. */
        {__LINE__,
         {neon(CLASS_VFP_DIVIDE), make(CLASS_NEON_ALU, REG_D(2), REG_D(0)), alu(R(0), 0)},
         {1, 2, 2}},
        /* STREX's status comes like a load: 2. */
        {__LINE__, {with_late(make(CLASS_STORE, R(0), 0), R(1)), alu(R(2), R(0))}, {1, 3}},
        /* BL's link register is an ALU result. */
        {__LINE__,
         {with_branch(make(CLASS_BRANCH, R(14), 0), BRANCH_IMMEDIATE), alu(R(0), R(14))},
         {1, 2}},
        /* The PC is always at hand. */
        {__LINE__, {alu(R(0), 0), alu(R(1), R(15))}, {1, 1}},
    };

    CHECK(&a8, rows);
}

TEST(flags_reach_a_branch_at_once_and_others_later)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct row rows[] = {
        /* CMP and the branch on it share a cycle. */
        {__LINE__, {cmp(R(0)), on_condition(b())}, {1, 1}},
        /* Any other condition waits 1. */
        {__LINE__, {cmp(R(0)), on_condition(mov(R(1), 0))}, {1, 2}},
        {__LINE__, {cmp(R(0)), on_condition(with_branch(ldm(0, 1, R(13)), BRANCH_RETURN))}, {1, 2}},
        /* So does a carry. */
        {__LINE__, {cmp(R(0)), alu(R(1), R(2) | REG_FLAGS)}, {1, 2}},
        /* MOVS: its flags come no sooner than CMP's, though its result does. */
        {__LINE__, {mov(R(0) | REG_FLAGS, 0), on_condition(alu(R(1), 0))}, {1, 2}},
        {__LINE__, {mov(R(0) | REG_FLAGS, 0), alu(R(1), R(0))}, {1, 1}},
        /* MULS: 5 to a plain operand is 4 more than the ALU, for the branch 1+4. */
        {__LINE__, {mul(R(0) | REG_FLAGS, R(1)), on_condition(b())}, {2, 5}},
        /* VMRS APSR: as a compare. */
        {__LINE__, {make(CLASS_NEON_TO_CORE, REG_FLAGS, 0), on_condition(b())}, {1, 1}},
        {__LINE__, {make(CLASS_NEON_TO_CORE, REG_FLAGS, 0), on_condition(alu(R(0), 0))}, {1, 2}},
        /* SADD8, SEL. */
        {__LINE__, {alu(R(0) | REG_GE, 0), alu(R(1), REG_GE)}, {1, 2}},
    };

    CHECK(&a8, rows);
}

TEST(an_operand_waits_for_every_value_it_may_be)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct row rows[] = {
        /* MOVEQ at 2 may leave the load's R0: 1+2. */
        {__LINE__,
         {ldr(R(0), R(1)), b(), on_condition(mov(R(0), 0)), alu(R(2), R(0))},
         {1, 1, 2, 3}},
        /* MUL R0, then MOV R0: only the MOV counts. */
        {__LINE__, {mul(R(0), R(1)), b(), mov(R(0), 0), alu(R(2), R(0))}, {2, 2, 3, 3}},
        /* MUL R0, then MOVEQ R0: the multiply's 1+5. */
        {__LINE__,
         {mul(R(0), R(1)), b(), on_condition(mov(R(0), 0)), alu(R(2), R(0))},
         {2, 2, 3, 6}},
    };

    CHECK(&a8, rows);
}

TEST(one_slot_a_cycle_pairs_nothing)
{
    struct armpmu_machine narrow = cortex_a8();
    const struct row rows[] = {
        {__LINE__, {alu(R(0), 0), alu(R(1), 0), mul(R(2), R(3)), alu(R(4), 0)}, {1, 2, 4, 5}},
        /* MOV to ALU needs two slots for its latency of 0. */
        {__LINE__, {mov(R(0), 0), alu(R(1), R(0))}, {1, 2}},
        {__LINE__, {cmp(R(0)), on_condition(b()), alu(R(1), 0)}, {1, 2, 3}},
    };

    narrow.issue_width = 1;
    CHECK(&narrow, rows);
}

TEST(counts_follow_from_the_slots)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct schedule_state idle = {0};
    /* Cycle 1: ADD, ADD. 2-3: MUL, joined by SUB in 3. 4-6: LDM of 6 registers, joined by ADD in 6.
     * 7: ADD and a free slot. */
    const struct insn program[] = {
        alu(R(0), 0),    alu(R(1), 0), mul(R(2), R(3)), alu(R(4), 0), ldm(0x3f << 5, 6, R(13)),
        alu(R(1), R(0)), alu(R(3), 0),
    };
    const unsigned n = sizeof program / sizeof *program;
    struct block *block = make_block(program, n);
    struct schedule_result result;

    schedule_run(&a8, block, 0, n, &idle, &result);
    free(block);
    assert_int_equal(result.counts.cycles, 6);
    assert_int_equal(result.after.slot_open, 1);
    assert_int_equal(result.counts.issued, 7);
    assert_int_equal(result.counts.operations, 5 + 2 + 3);
    assert_int_equal(result.counts.pairs, 3);
}

TEST(nothing_scheduled_changes_nothing)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct insn program[] = {ldr(R(0), R(1)), mul(R(2), R(3))};
    const struct schedule_state idle = {0};
    struct block *block = make_block(program, 2);
    struct schedule_result result, nothing;

    schedule_run(&a8, block, 0, 2, &idle, &result);
    schedule_run(&a8, block, 2, 2, &result.after, &nothing);
    free(block);
    assert_int_equal(nothing.counts.cycles, 0);
    assert_int_equal(nothing.counts.issued, 0);
    assert_int_equal(nothing.counts.operations, 0);
    assert_int_equal(nothing.counts.pairs, 0);
    assert_memory_equal(&nothing.after, &result.after, sizeof result.after);
}

TEST(waiting_lets_results_arrive)
{
    const struct armpmu_machine a8 = cortex_a8();
    const struct insn program[] = {ldr(R(0), R(1)), alu(R(2), R(0))};
    /* Alone the ADD issues 2 cycles after the load, so ends in the open cycle 2. After a stall of
     * 1 it is 1 cycle away, after 2 it issues at once. */
    static const struct {
        int line;
        uint32_t wait, cycles;
    } cases[] = {{__LINE__, 0, 2}, {__LINE__, 1, 1}, {__LINE__, 2, 0}, {__LINE__, 500, 0}};
    const struct schedule_state idle = {0};
    struct block *block = make_block(program, 2);
    struct schedule_result load, add;
    struct schedule_state unmoved;

    schedule_run(&a8, block, 0, 1, &idle, &load);
    assert_int_equal(load.after.slot_open, 1);
    unmoved = schedule_wait(&a8, &load.after, 0);
    assert_memory_equal(&unmoved, &load.after, sizeof unmoved);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct schedule_state later = schedule_wait(&a8, &load.after, cases[i].wait);
        schedule_run(&a8, block, 1, 2, &later, &add);
        if (add.counts.cycles != cases[i].cycles)
            fprintf(stderr, "%s:%d: got %u cycles, want %u\n", __FILE__, cases[i].line,
                    add.counts.cycles, cases[i].cycles);
        assert_int_equal(add.counts.cycles, cases[i].cycles);
    }
    free(block);
}

TEST(idle_is_the_state_of_zeros)
{
    const struct schedule_state idle = {0};
    struct schedule_states states;

    assert_int_equal(schedule_states_init(&states, sizeof idle), ARMPMU_OK);
    assert_int_equal(schedule_states_number(&states, &idle), SCHEDULE_IDLE);
    schedule_states_free(&states);
}

/* What a memo stands on: a block's schedule from a number is its schedule from the state. */
TEST(a_memo_by_number_gives_the_totals_of_one_run)
{
    const struct armpmu_machine a8 = cortex_a8();
    struct random random = {7};
    struct insn insns[PROGRAM_MAX];
    struct schedule_states states;
    struct schedule_result whole, part;
    struct schedule_state idle = {0};
    struct block *block;
    uint32_t number = SCHEDULE_IDLE, cycles = 0;

    for (unsigned i = 0; i < PROGRAM_MAX; i++)
        insns[i] = random_insn(&random);
    block = make_block(insns, PROGRAM_MAX);
    assert_int_equal(schedule_states_init(&states, sizeof idle), ARMPMU_OK);
    for (unsigned i = 0; i < PROGRAM_MAX; i++) {
        const struct schedule_state before =
            *(const struct schedule_state *)schedule_states_at(&states, number);
        schedule_run(&a8, block, i, i + 1, &before, &part);
        cycles += part.counts.cycles;
        number = schedule_states_number(&states, &part.after);
    }
    schedule_run(&a8, block, 0, PROGRAM_MAX, &idle, &whole);
    assert_int_equal(cycles, whole.counts.cycles);
    assert_memory_equal(schedule_states_at(&states, number), &whole.after, sizeof whole.after);
    schedule_states_free(&states);
    free(block);
}
