/* The counts of an instruction that do not depend on its operands.
 *
 * CHOICE(pmuv3-data-kinds): a scalar in Advanced SIMD's encodings is Advanced SIMD; moves between X
 * and V registers are neither that nor floating point; bitwise logic has elements of 8 bits; PMULL
 * is no cryptographic instruction, and of doublewords it has no size of integers.
 * CHOICE(sve-events): all of SVE is SVE and nothing else, what it does with X registers and
 * predicates included; of its floating-point operations those in each 128 bits count, whatever its
 * predicate says. CHOICE(pmuv3-store-exclusive): a store-exclusive that does not write is a store.
 */
#include "cores/neoverse/core.h"

static void count_branch(const struct insn *insn, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_EXCEPTION_RETURN] += insn->branch == BRANCH_EXCEPTION_RETURN;
    if (insn->branch == BRANCH_NONE || insn->branch == BRANCH_EXCEPTION_RETURN)
        return;
    tally[ARMPMU_SIGNAL_BRANCH_RETIRED]++;
    tally[ARMPMU_SIGNAL_BRANCH_CONDITIONAL] += insn_is_conditional(insn);
    tally[ARMPMU_SIGNAL_BRANCH_IMMEDIATE] += insn->branch == BRANCH_IMMEDIATE;
    tally[ARMPMU_SIGNAL_BRANCH_RETURN] += insn->branch == BRANCH_RETURN;
    tally[ARMPMU_SIGNAL_BRANCH_INDIRECT] += insn->branch != BRANCH_IMMEDIATE;
}

/* A store-exclusive counts as if it wrote. */
static void count_memory(const struct insn *insn, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_LOAD_RETIRED] += insn->memory.load;
    tally[ARMPMU_SIGNAL_STORE_RETIRED] += insn->memory.store;
    tally[ARMPMU_SIGNAL_EXCLUSIVE_LOAD] += insn->monitors && insn->memory.load;
    tally[ARMPMU_SIGNAL_EXCLUSIVE_STORE_PASS] += insn->monitors && insn->memory.store;
    tally[ARMPMU_SIGNAL_ACQUIRE_LOAD] += insn->acquires;
    tally[ARMPMU_SIGNAL_RELEASE_STORE] += insn->releases;
}

static void count_system(const struct insn *insn, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_TTBR_WRITE] += insn->effect == EFFECT_TTBR_WRITE;
    tally[ARMPMU_SIGNAL_CONTEXTIDR_WRITE] += insn->effect == EFFECT_CONTEXTIDR_WRITE;
    tally[ARMPMU_SIGNAL_INSTRUCTION_BARRIER] += insn->barrier == BARRIER_INSTRUCTION;
    tally[ARMPMU_SIGNAL_SYNC_BARRIER] += insn->barrier == BARRIER_SYNC;
    tally[ARMPMU_SIGNAL_MEMORY_BARRIER] += insn->barrier == BARRIER_MEMORY;
}

/* CHOICE(pmuv3-float-elements): comparisons, conversions and FABS are one operation an element, a
 * reduction one for each that it reads, a dot product two for each of its products. */
static void count_floats(const struct insn_work *work, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_FLOAT_HALF] += work->element_bytes == 2;
    tally[ARMPMU_SIGNAL_FLOAT_SINGLE] += work->element_bytes == 4;
    tally[ARMPMU_SIGNAL_FLOAT_DOUBLE] += work->element_bytes == 8;
    tally[work->unit == WORK_SCALABLE ? ARMPMU_SIGNAL_FLOAT_SCALABLE
                                      : ARMPMU_SIGNAL_FLOAT_ELEMENT] +=
        (uint64_t)work->elements * work->steps;
}

static void count_work(const struct insn_work *work, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_DATA_PROCESSING] += work->unit == WORK_INTEGER;
    tally[ARMPMU_SIGNAL_SIMD_OPERATION] += work->unit == WORK_SIMD;
    tally[ARMPMU_SIGNAL_FLOAT_OPERATION] += work->unit == WORK_FLOAT;
    tally[ARMPMU_SIGNAL_CRYPTO_OPERATION] += work->unit == WORK_CRYPTO;
    tally[ARMPMU_SIGNAL_SCALABLE_OPERATION] += work->unit == WORK_SCALABLE;
    if (work->floats) {
        count_floats(work, tally);
        return;
    }
    tally[ARMPMU_SIGNAL_SIMD_INTEGER8] += work->element_bytes == 1;
    tally[ARMPMU_SIGNAL_SIMD_INTEGER16] += work->element_bytes == 2;
    tally[ARMPMU_SIGNAL_SIMD_INTEGER32] += work->element_bytes == 4;
    tally[ARMPMU_SIGNAL_SIMD_INTEGER64] += work->element_bytes == 8;
}

void neoverse_count_insn(const struct insn *insn, unsigned slots, uint64_t *tally)
{
    tally[ARMPMU_SIGNAL_INST_RETIRED]++;
    tally[ARMPMU_SIGNAL_OPERATION_RETIRED] += slots;
    count_branch(insn, tally);
    count_memory(insn, tally);
    count_system(insn, tally);
    count_work(&insn->work, tally);
    tally[ARMPMU_SIGNAL_PREDICATED] +=
        insn->scalable.kind != SVE_NONE && insn->scalable.governor != NO_GOVERNOR;
    tally[ARMPMU_SIGNAL_FIRST_FAULT_LOAD] += insn->memory.first_fault;
}
