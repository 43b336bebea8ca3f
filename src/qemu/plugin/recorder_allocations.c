/* Blocks of memory that the program gets: three records before the block of code that a function
 * which allocates returns to.
 *
 * A function of allocators.h is watched where it begins, which is where its arguments and the
 * address that it returns to are known, and every block of code is asked whether it is that one.
 * What such a function calls to get the block (operator new calls malloc) is not told.
 *
 * Leaves out: QEMU before version 9, which shows no registers; more than one call at a time of a
 * thread, as of a signal handler that allocates while its thread does. */
#include "qemu/plugin/recorder_internal.h"

#include "armpmu/trace.h"
#include "qemu/plugin/allocators.h"
#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/recorder_callbacks.h"

enum { A64_LR = 30 };

/* The call that each vCPU is in; returns_to 0 for none. */
static struct allocation {
    uint64_t returns_to, sp, bytes, pointer_at;
    const struct allocator *by;
} calls[RING_SLOTS];

static uint64_t argument(uint8_t number)
{
    return number == ALLOCATOR_NO_ARGUMENT ? 1 : recorder_register(number);
}

/* A call whose frame is gone did not return: an exception was thrown, or a longjmp() left it. */
static void on_call(unsigned vcpu, void *user)
{
    struct allocation *const call = &calls[vcpu % RING_SLOTS];
    const struct allocator *const by = user;
    const uint64_t sp = recorder_register(RECORDER_SP);
    const uint64_t lr = recorder_register(recorder.is_a64 ? A64_LR : RECORDER_LR);

    if (call->returns_to != 0 && sp <= call->sp)
        return;
    *call = (struct allocation){.returns_to = recorder.is_a64 ? lr : lr & ~UINT64_C(1),
                                .sp = sp,
                                .bytes = argument(by->bytes) * argument(by->times),
                                .pointer_at = by->returns_by_argument ? argument(0) : 0,
                                .by = by};
}

/* The address that it returned; 0 where that is no block. */
static uint64_t result_of(const struct allocation *call)
{
    const uint64_t result = recorder_register(0),
                   failed = recorder.is_a64 ? UINT64_MAX : UINT32_MAX;
    uint64_t at = 0;

    if (call->by->returns_by_argument)
        return result == 0 && exec_follow_read(call->pointer_at, &at, recorder.is_a64 ? 8 : 4) ? at
                                                                                               : 0;
    return call->by->maps && result == failed ? 0 : result;
}

static void put(struct ring_slot *slot, enum armpmu_allocation_bits part, uint64_t value)
{
    recorder_put(slot, slot->cursor,
                 armpmu_system_record(ARMPMU_SYSTEM_ALLOCATION, part) |
                     (value & ARMPMU_RECORD_ADDRESS));
}

static void on_block(unsigned vcpu, void *address)
{
    struct allocation *const call = &calls[vcpu % RING_SLOTS];
    struct ring_slot *const slot = recorder_slot(vcpu);

    if (call->returns_to != (uintptr_t)address || call->returns_to == 0 ||
        recorder_register(RECORDER_SP) != call->sp)
        return;
    const uint64_t block = result_of(call);
    if (block != 0 && call->bytes != 0 && slot->cursor != NULL) {
        put(slot, ARMPMU_ALLOCATION_BYTES, call->bytes);
        put(slot, ARMPMU_ALLOCATION_RETURNS, call->returns_to);
        put(slot, call->by->maps ? ARMPMU_ALLOCATION_MAPPED : ARMPMU_ALLOCATION_BLOCK, block);
    }
    call->returns_to = 0;
}

void recorder_allocations_watch(struct qemu_plugin_tb *tb, uint64_t address)
{
    if (!recorder.tells_allocations || qemu_plugin_tb_n_insns(tb) == 0 ||
        !recorder_sees_registers())
        return;
    const void *const host = qemu_plugin_insn_haddr(qemu_plugin_tb_get_insn(tb, 0));
    const struct allocator *const begins =
        allocator_at(recorder.ring, address, host, recorder.is_a64);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_CB_R_REGS, (void *)(uintptr_t)address);
    if (begins != NULL)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, on_call, QEMU_CB_R_REGS,
                                             (void *)(uintptr_t)begins);
}
