/* The counts of single instructions and exceptions. */
#include "core.h"

static uint64_t matches(const struct slow_insn *at, enum armpmu_signal signal)
{
    const struct insn *insn = at->insn;
    const struct insn_memory *memory = &insn->memory;
    const bool branches = insn->branch != BRANCH_NONE && insn->branch != BRANCH_EXCEPTION_RETURN;
    const bool is_scalable = insn->work.unit == WORK_SCALABLE;
    const bool integers = (insn->work.unit == WORK_SIMD || is_scalable) && !insn->work.floats;
    const bool unaligned = at->accesses && at->address % memory->align != 0;

    switch ((int)signal) {
    case ARMPMU_SIGNAL_OPERATION_RETIRED:
        return at->op.window.slots;
    case ARMPMU_SIGNAL_LOAD_RETIRED:
        return memory->bytes != 0 && memory->load;
    case ARMPMU_SIGNAL_STORE_RETIRED:
        return memory->bytes != 0 && memory->store;
    case ARMPMU_SIGNAL_BRANCH_RETIRED:
        return branches;
    case ARMPMU_SIGNAL_BRANCH_CONDITIONAL:
        return branches && (insn->condition != 14 || insn->compares_zero);
    case ARMPMU_SIGNAL_BRANCH_IMMEDIATE:
        return insn->branch == BRANCH_IMMEDIATE;
    case ARMPMU_SIGNAL_BRANCH_RETURN:
        return insn->branch == BRANCH_RETURN;
    case ARMPMU_SIGNAL_BRANCH_INDIRECT:
        return insn->branch == BRANCH_RETURN || insn->branch == BRANCH_INDIRECT;
    case ARMPMU_SIGNAL_PC_WRITE:
        return at->went;
    case ARMPMU_SIGNAL_EXCEPTION_RETURN:
        return (uint64_t)(insn->branch == BRANCH_EXCEPTION_RETURN) + at->interrupted;
    case ARMPMU_SIGNAL_EXCEPTION_TAKEN:
        return at->interrupted;
    case ARMPMU_SIGNAL_IRQ_TAKEN:
        return at->interrupted && at->irq;
    case ARMPMU_SIGNAL_TTBR_WRITE:
        return insn->effect == EFFECT_TTBR_WRITE;
    case ARMPMU_SIGNAL_CONTEXTIDR_WRITE:
        return insn->effect == EFFECT_CONTEXTIDR_WRITE;
    case ARMPMU_SIGNAL_UNALIGNED_LOAD:
        return unaligned && memory->load;
    case ARMPMU_SIGNAL_UNALIGNED_STORE:
        return unaligned && memory->store;
    case ARMPMU_SIGNAL_EXCLUSIVE_LOAD:
        return insn->monitors && !memory->store;
    case ARMPMU_SIGNAL_EXCLUSIVE_STORE_PASS:
        return insn->monitors && memory->store && at->accesses;
    case ARMPMU_SIGNAL_EXCLUSIVE_STORE_FAIL:
        return insn->monitors && memory->store && !at->accesses;
    case ARMPMU_SIGNAL_ACQUIRE_LOAD:
        return insn->acquires;
    case ARMPMU_SIGNAL_RELEASE_STORE:
        return insn->releases;
    case ARMPMU_SIGNAL_DATA_PROCESSING:
        return insn->work.unit == WORK_INTEGER;
    case ARMPMU_SIGNAL_SIMD_OPERATION:
        return insn->work.unit == WORK_SIMD;
    case ARMPMU_SIGNAL_FLOAT_OPERATION:
        return insn->work.unit == WORK_FLOAT;
    case ARMPMU_SIGNAL_CRYPTO_OPERATION:
        return insn->work.unit == WORK_CRYPTO;
    case ARMPMU_SIGNAL_FLOAT_HALF:
        return insn->work.floats && insn->work.element_bytes == 2;
    case ARMPMU_SIGNAL_FLOAT_SINGLE:
        return insn->work.floats && insn->work.element_bytes == 4;
    case ARMPMU_SIGNAL_FLOAT_DOUBLE:
        return insn->work.floats && insn->work.element_bytes == 8;
    case ARMPMU_SIGNAL_FLOAT_ELEMENT:
        return insn->work.floats && !is_scalable ? insn->work.elements * insn->work.steps : 0;
    case ARMPMU_SIGNAL_FLOAT_SCALABLE:
        return insn->work.floats && is_scalable ? insn->work.elements * insn->work.steps : 0;
    case ARMPMU_SIGNAL_SCALABLE_OPERATION:
        return is_scalable;
    case ARMPMU_SIGNAL_PREDICATED:
        return is_scalable && insn->scalable.governor <= 15;
    case ARMPMU_SIGNAL_FIRST_FAULT_LOAD:
        return is_scalable && memory->load && memory->first_fault;
    case ARMPMU_SIGNAL_SIMD_INTEGER8:
        return integers && insn->work.element_bytes == 1;
    case ARMPMU_SIGNAL_SIMD_INTEGER16:
        return integers && insn->work.element_bytes == 2;
    case ARMPMU_SIGNAL_SIMD_INTEGER32:
        return integers && insn->work.element_bytes == 4;
    case ARMPMU_SIGNAL_SIMD_INTEGER64:
        return integers && insn->work.element_bytes == 8;
    case ARMPMU_SIGNAL_INSTRUCTION_BARRIER:
        return insn->barrier == BARRIER_INSTRUCTION;
    case ARMPMU_SIGNAL_SYNC_BARRIER:
        return insn->barrier == BARRIER_SYNC;
    case ARMPMU_SIGNAL_MEMORY_BARRIER:
        return insn->barrier == BARRIER_MEMORY;
    default:
        return SLOW_UNKNOWN;
    }
}

uint64_t slow_events(const struct slow_insn *insns, unsigned n_insns, enum armpmu_signal signal)
{
    uint64_t sum = 0;

    if (n_insns == 0 || matches(&insns[0], signal) == SLOW_UNKNOWN)
        return SLOW_UNKNOWN;
    for (unsigned i = 0; i < n_insns; i++)
        sum += matches(&insns[i], signal);
    return sum;
}
