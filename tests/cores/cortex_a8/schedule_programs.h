/* Instructions and machines made by hand, and random ones, for the tests of the issue schedule. */
#ifndef TESTS_CORES_CORTEX_A8_SCHEDULE_PROGRAMS_H
#define TESTS_CORES_CORTEX_A8_SCHEDULE_PROGRAMS_H

#include "machine/machine.h"
#include "isa/insn.h"
#include "parts/random.h"

#define PROGRAM_MAX 40

/* The latencies of the Cortex-A8: all other numbers are zero. */
struct armpmu_machine cortex_a8(void);

/* Any latencies the machine file allows, small ones more often; width 1 now and then. */
struct armpmu_machine random_machine(struct random *random);

/* An unconditional instruction of a class: reads plain operands. */
struct insn make(enum insn_class klass, uint64_t writes, uint64_t reads);
struct insn with_early(struct insn insn, uint64_t reads);
struct insn with_late(struct insn insn, uint64_t reads);
struct insn with_operations(struct insn insn, uint8_t operations);
struct insn with_write_back(struct insn insn, uint64_t base);
/* Executes on condition EQ: reads the flags. */
struct insn on_condition(struct insn insn);
/* Changes the PC. */
struct insn with_branch(struct insn insn, enum branch_kind branch);

/* Any instruction: few registers, so that they depend on each other. */
struct insn random_insn(struct random *random);

/* A block of n instructions; freed with free(). */
struct block *make_block(const struct insn *insns, unsigned n);

/* One line an instruction on stderr. */
void print_program(const struct insn *insns, unsigned n);
void print_machine(const struct armpmu_machine *machine);

#endif
