/* Signals for faults: where the program would have gone on.
 *
 * Instructions that cannot be fetched leave nothing in the trace: QEMU translates no block for
 * them. What the program sees of it is a signal, whose frame on the stack has the address. So the
 * first block of each handler of SIGSEGV and SIGBUS looks there.
 *
 * Assumes that a handler's first block is translated after the system call that names the handler.
 * Leaves out: QEMU before version 9, which shows no registers; what a handler on its way to another
 * signal's hides. */
#include "qemu/plugin/recorder_internal.h"

#include <signal.h>

#include "armpmu/trace.h"
#include "base/arm.h"
#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/plugin/tb_info.h"

#define HANDLERS_MAX 256u

/* Facts of Linux: numbers of system calls, and where things are from the stack pointer on when a
 * handler begins. */
enum {
    ARM_SIGACTION = 67,
    ARM_RT_SIGACTION = 174,
    A64_RT_SIGACTION = 134,
    SIGINFO_BYTES = 128,
    SI_CODE = 8,
    ARM_TRAP = 20, /* in a ucontext: its words up to two here are 0, and PSR is of User mode */
    ARM_PC = 92,
    A64_PC = 440,
};

/* Under the recorder's lock. */
static uint64_t handlers[HANDLERS_MAX];
static unsigned n_handlers;

static bool is_of_fault(uint64_t number)
{
    return number == SIGSEGV || number == SIGBUS; /* both as on this host */
}

/* A record for others' handlers would change nothing. */
static bool is_watched(uint64_t number)
{
    return is_of_fault(number) || (recorder.only_insns && number == SIGILL);
}

static bool is_handler(uint64_t address)
{
    for (unsigned i = 0; i < n_handlers; i++)
        if (handlers[i] == address)
            return true;
    return false;
}

void recorder_signals_syscall(int64_t number, const uint64_t *arguments)
{
    const bool names_handler = recorder.is_a64
                                   ? number == A64_RT_SIGACTION
                                   : number == ARM_RT_SIGACTION || number == ARM_SIGACTION;
    uint64_t handler = 0;

    if (!names_handler || !is_watched(arguments[0]) || arguments[1] == 0 ||
        !exec_follow_read(arguments[1], &handler, recorder.is_a64 ? 8 : 4))
        return;
    handler &= recorder.is_a64 ? ~UINT64_C(0) : ~UINT64_C(1); /* T32 */
    pthread_mutex_lock(&recorder.lock);
    if (!is_handler(handler) && n_handlers < HANDLERS_MAX)
        handlers[n_handlers++] = handler;
    pthread_mutex_unlock(&recorder.lock);
}

/* A frame of Arm's for a handler that wants no siginfo begins with a ucontext. */
static bool is_old_frame(uint64_t sp)
{
    uint32_t words[ARM_PC / 4 + 2];

    if (!exec_follow_read(sp, words, sizeof words))
        return false;
    return words[0] == 0 && words[1] == 0 && words[ARM_TRAP / 4] == 0 &&
           words[ARM_TRAP / 4 + 1] == 0 && (words[ARM_PC / 4 + 1] & CPSR_MODE) == MODE_USR;
}

/* Where the program would have gone on, of a handler that the kernel has just called. False where
 * it was called otherwise, or the signal was sent by somebody. */
static bool interrupted_at(uint64_t *pc)
{
    const uint64_t sp = recorder_register(RECORDER_SP);
    const uint64_t info = recorder_register(1);
    const uint64_t context = recorder_register(2);
    const bool has_info = info == sp && context == sp + SIGINFO_BYTES;
    int32_t code = 1;

    *pc = 0;
    if (has_info)
        return exec_follow_read(info + SI_CODE, &code, sizeof code) && code > 0 &&
               exec_follow_read(context + (recorder.is_a64 ? A64_PC : ARM_PC), pc,
                                recorder.is_a64 ? 8 : 4);
    return !recorder.is_a64 && is_old_frame(sp) && exec_follow_read(sp + ARM_PC, pc, 4);
}

/* The same where only instructions are counted, which needs no siginfo: A64's frame has room for
 * one in any case. */
static uint64_t faulted_at(void)
{
    uint64_t pc = 0;

    if (!is_of_fault(recorder_register(0)) || interrupted_at(&pc) || !recorder.is_a64)
        return pc;
    const uint64_t context = recorder_register(RECORDER_SP) + SIGINFO_BYTES;
    return exec_follow_read(context + A64_PC, &pc, sizeof pc) ? pc : 0;
}

static void on_handler(unsigned vcpu, void *user)
{
    struct ring_slot *const slot = recorder_slot(vcpu);
    uint64_t pc;

    (void)user;
    if (recorder.only_insns) {
        recorder_counts_fault(vcpu, faulted_at());
        return;
    }
    if (slot->cursor != NULL && is_of_fault(recorder_register(0)) && interrupted_at(&pc))
        recorder_put(slot, slot->cursor,
                     armpmu_system_record(ARMPMU_SYSTEM_FAULT, 0) | (pc & ARMPMU_RECORD_ADDRESS));
}

void recorder_signals_watch(struct qemu_plugin_tb *tb, uint64_t address)
{
    if (n_handlers != 0 && is_handler(address) && recorder_sees_registers())
        qemu_plugin_register_vcpu_tb_exec_cb(tb, on_handler, QEMU_CB_R_REGS, NULL);
}
