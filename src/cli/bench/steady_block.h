/* A block of code in the steady state of a core model: executed again and again with caches,
 * TLBs and predictors that know it.
 *
 * The block runs as the body of a loop. Where its branch leads elsewhere than to its own start,
 * a branch there leads back; that branch and its cost do not belong to the block. Each access
 * is aligned, in Normal memory, and hits. No load waits for a store, or for a bank of the data
 * cache that another load reads: the addresses of the program are not known.
 *
 * Assumes: a conditional branch at its end is taken if it leads to the block's start, else not. */
#ifndef CLI_BENCH_STEADY_BLOCK_H
#define CLI_BENCH_STEADY_BLOCK_H

#include "armpmu/machine.h"
#include "cli/bench/function_code.h"

struct steady_insn {
    uint64_t signals[ARMPMU_SIGNAL_COUNT]; /* of STEADY_ROUNDS executions */
};

#define STEADY_ROUNDS 64u

struct steady_block {
    unsigned first, end;       /* instructions of the function's code */
    bool is_loop;              /* it leads to its own start */
    struct steady_insn *insns; /* end - first of them, then what leads back */
};

/* Runs the instructions of a block of which only first and end are set. Returns ARMPMU_OK,
 * ARMPMU_NO_MEMORY or what the model refuses (code of an instruction set that the core does not
 * execute). steady_block_free in any case. */
ARMPMU_MUST_USE enum armpmu_status steady_block_run(const struct armpmu_machine *machine,
                                                    const struct function_code *code,
                                                    struct steady_block *block,
                                                    struct armpmu_error *err);
void steady_block_free(struct steady_block *block);

#endif
