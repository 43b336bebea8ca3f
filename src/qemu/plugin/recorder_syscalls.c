/* System calls: a record before each and one after it.
 *
 * Some change the process that the recorder is part of, and are seen to before QEMU executes them:
 * those that change what is mapped where code is from (code_files.h), that create a thread, and
 * execve (exec_follow.h). */
#include "qemu/plugin/recorder_internal.h"

#include <unistd.h>

#include "armpmu/trace.h"
#include "qemu/plugin/code_files.h"
#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/ring/writer.h"

/* A forked child comes back from a system call that its own trace knows nothing of: it has none
 * yet. */
static void put_if_open(unsigned vcpu, uint64_t word)
{
    struct ring_slot *slot = recorder_slot(vcpu);

    if (recorder.only_insns)
        recorder_counts_put(vcpu, word);
    else if (slot->cursor != NULL)
        recorder_put(slot, slot->cursor, word);
}

/* The new QEMU counts on where this one would. */
static void execute(const uint64_t *arguments)
{
    const bool counts = recorder.counts_children || !recorder.is_child;
    const int ring = counts && !recorder_consumer_is_gone() ? ring_open_descriptor() : -1;

    exec_follow(arguments, ring, recorder.process);
    if (ring >= 0)
        close(ring);
}

enum { AARCH64_PRCTL = 167, PR_SVE_SET_VL = 50, VECTOR_LENGTH = 0xffff };

/* CHOICE(sve-length): vectors are as long as the core's. A length of more is that, too. */
static void refuse_vector_length(int64_t number, const uint64_t *arguments)
{
    if (recorder.is_a64 && number == AARCH64_PRCTL && arguments[0] == PR_SVE_SET_VL &&
        (arguments[1] & VECTOR_LENGTH) < recorder.vector_bytes)
        recorder_fail("it makes scalable vectors shorter than the core's (prctl, PR_SVE_SET_VL), "
                      "which is not counted: run it without that call");
}

void recorder_syscall_starts(unsigned vcpu, int64_t number, const uint64_t *arguments)
{
    put_if_open(vcpu, armpmu_record(ARMPMU_RECORD_SYSCALL, 0) | (uint32_t)number);
    refuse_vector_length(number, arguments);
    if (recorder.names_files)
        code_files_syscall(number, recorder.is_a64);
    recorder_signals_syscall(number, arguments);
    recorder_mappings_starts(vcpu, arguments);
    if (exec_follow_is_exec(number, recorder.is_a64))
        execute(arguments);
    recorder_thread_may_begin(vcpu, number, arguments);
}

void recorder_syscall_returns(unsigned vcpu, int64_t number, int64_t result)
{
    recorder_thread_has_begun(vcpu, result);
    recorder_mappings_returns(vcpu, number, result);
    put_if_open(vcpu, armpmu_record(ARMPMU_RECORD_SYSRET, 0));
}
