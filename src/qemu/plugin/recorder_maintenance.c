/* Maintenance of caches by a program: code that it has written and makes known to the core, whose
 * lines the models drop from the instruction cache, and data that it cleans.
 *
 * A program of AArch64 does so by IC IVAU and DC by address, one of AArch32 has the kernel make
 * code known, by the system call cacheflush, which QEMU answers without telling plugins. Each ends
 * a block, so that the records follow those of all its accesses; the registers show the addresses.
 *
 * Leaves out: QEMU before version 9, which shows no registers. Linux cleans and invalidates line by
 * line: arch/arm/mm/cache-v7.S.
 */
#include "qemu/plugin/recorder_internal.h"

#include "armpmu/trace.h"
#include "cosim/maintenance_insn64.h"
#include "isa/system_insn.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/plugin/tb_info.h"

enum {
    CACHEFLUSH = 0xf0002,      /* its number, in R7 */
    CACHEFLUSH_OLD = 0x9f0002, /* its immediate in SVC, of the older convention */
    LINE_BYTES = 32,           /* of the shortest lines of all cores */
    XZR = 31,                  /* of IC */
};
/* More is taken for a mistake of the program; the kernel takes long for it, too. */
#define FLUSH_MAX (UINT64_C(1) << 20)

static void on_maintenance(unsigned vcpu, void *user)
{
    struct ring_slot *const slot = recorder_slot(vcpu);
    const uint32_t insn = (uint32_t)(uintptr_t)user, n = insn & 0x1f;

    if (slot->cursor != NULL)
        recorder_put_after(vcpu, slot,
                           maintenance_insn64_record(insn, n == XZR ? 0 : recorder_register(n)) |
                               armpmu_system_record(ARMPMU_SYSTEM_CACHE, ARMPMU_CACHE_BY_PROGRAM));
}

/* A record for each line; bits: what is done to it. */
static void put_lines(unsigned vcpu, struct ring_slot *slot, unsigned bits, uint64_t start,
                      uint64_t end)
{
    const uint64_t record = armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits | ARMPMU_CACHE_ADDRESS |
                                                                          ARMPMU_CACHE_BY_PROGRAM);

    for (uint64_t line = start & ~(uint64_t)(LINE_BYTES - 1); line < end; line += LINE_BYTES)
        recorder_put_after(vcpu, slot, record | line);
}

static void flush(unsigned vcpu, struct ring_slot *slot, uint64_t start, uint64_t end)
{
    put_lines(vcpu, slot, ARMPMU_CACHE_CLEAN | ARMPMU_CACHE_DATA, start, end);
    put_lines(vcpu, slot, ARMPMU_CACHE_INVALIDATE | ARMPMU_CACHE_INSTRUCTION, start, end);
}

/* user: not NULL for the older convention. */
static void on_system_call(unsigned vcpu, void *user)
{
    struct ring_slot *const slot = recorder_slot(vcpu);
    const uint64_t start = recorder_register(0), end = recorder_register(1);

    if (slot->cursor != NULL && (user != NULL || recorder_register(7) == CACHEFLUSH) &&
        start < end && end - start <= FLUSH_MAX)
        flush(vcpu, slot, start, end);
}

/* Returns whether an instruction of AArch32, the last of its block, may be that system call. */
static bool is_system_call(const struct tb_info *info, unsigned at, bool *old)
{
    const unsigned size = info->n_bytes - at;

    *old = false;
    if (info->isa == RING_ISA_T32)
        return size == 2 && tb_info_halfword(info->bytes + at) >> 8 == 0xdf;
    if (info->isa != RING_ISA_A32)
        return false;
    const uint32_t word = tb_info_word(info->bytes + at);
    *old = (word & 0xffffff) == CACHEFLUSH_OLD;
    return (word >> 24 & 0xf) == 0xf && word >> 28 != 0xf && (*old || (word & 0xffffff) == 0);
}

bool recorder_is_maintenance(const uint8_t *bytes)
{
    const uint32_t word = tb_info_word(bytes);

    return system_insn64_of(word) == SYSTEM_INSN_CACHE_EL0 &&
           maintenance_insn64_of(word) == OPERATION64_CACHE;
}

void recorder_maintenance_watch(const struct qemu_plugin_tb *tb, const struct tb_info *info,
                                unsigned first)
{
    struct qemu_plugin_insn *const last = qemu_plugin_tb_get_insn(tb, first + info->n_insns - 1);
    const unsigned size = info->size[info->n_insns - 1];
    const unsigned at = info->n_bytes - size;
    bool old = false;

    if (recorder.is_a64) {
        const uint32_t word = tb_info_word(info->bytes + at);
        if (recorder_is_maintenance(info->bytes + at) && recorder_sees_registers())
            qemu_plugin_register_vcpu_insn_exec_cb(last, on_maintenance, QEMU_CB_R_REGS,
                                                   (void *)(uintptr_t)word);
    } else if (is_system_call(info, at, &old) && recorder_sees_registers()) {
        qemu_plugin_register_vcpu_insn_exec_cb(last, on_system_call, QEMU_CB_R_REGS,
                                               old ? &recorder : NULL);
    }
}
