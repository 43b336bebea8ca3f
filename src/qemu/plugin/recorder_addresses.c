/* Addresses that QEMU does not tell plugins, from the registers: of preloads, PRFM of AArch64 and
 * PLD of AArch32, in a record after the block that the preload ends; of DC ZVA, which is a store.
 *
 * Only these instructions pay for the reading of registers. Leaves out: QEMU before version 9,
 * which shows none; preloads that are conditional or whose address depends on the carry flag; PLI
 * of AArch32 and preloads of SVE. */
#include "qemu/plugin/recorder_internal.h"

#include <string.h>

#include "armpmu/trace.h"
#include "base/arm.h"
#include "cosim/insn_address.h"
#include "cosim/preload_insn.h"
#include "isa/insn.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/plugin/tb_info.h"

/* An address of AArch32 as what a callback gets. */
struct packed_sum {
    int32_t number;
    uint8_t base, index; /* registers, NO_REGISTER for none */
    uint8_t shift;       /* enum insn_shift in the upper bits, by how much in the lower 5 */
    uint8_t subtracts;
};
#define NO_REGISTER 0xff
#define SHIFT_BITS  5

#define ZEROED_BYTES UINT64_C(64) /* as QEMU's DCZID_EL0 says */

static uint64_t read_register(void *user, unsigned n)
{
    (void)user;
    return recorder_register(n);
}

static uint8_t pack_register(uint64_t reg)
{
    return reg == 0 ? NO_REGISTER : (uint8_t)__builtin_ctzll(reg);
}

static uint64_t unpack_register(uint8_t n)
{
    return n == NO_REGISTER ? 0 : UINT64_C(1) << n;
}

static void *pack(const struct insn_sum *sum)
{
    const struct packed_sum packed = {
        sum->number, pack_register(sum->base), pack_register(sum->index),
        (uint8_t)(sum->shift_by << SHIFT_BITS | sum->shift), sum->subtracts};
    void *user;

    _Static_assert(sizeof packed == sizeof user, "a sum fits a pointer");
    memcpy(&user, &packed, sizeof user);
    return user;
}

static struct insn_sum unpack(void *user)
{
    struct packed_sum packed;

    memcpy(&packed, &user, sizeof packed);
    return (struct insn_sum){.known = true,
                             .number = packed.number,
                             .base = unpack_register(packed.base),
                             .index = unpack_register(packed.index),
                             .shift_by = packed.shift >> SHIFT_BITS,
                             .shift = packed.shift & ((1u << SHIFT_BITS) - 1),
                             .subtracts = packed.subtracts != 0};
}

static void put(unsigned vcpu, uint64_t record)
{
    struct ring_slot *const slot = recorder_slot(vcpu);

    if (slot->cursor != NULL)
        recorder_put_after(vcpu, slot, record);
}

static void on_known(unsigned vcpu, void *record)
{
    put(vcpu, (uintptr_t)record);
}

static void on_preload64(unsigned vcpu, void *word)
{
    const struct insn_registers registers = {.read = read_register};
    const uint32_t insn = (uint32_t)(uintptr_t)word;

    put(vcpu, preload_insn64_record(insn, insn_address64(&registers, insn)));
}

static void on_preload(unsigned vcpu, void *user)
{
    const struct insn_registers registers = {.read = read_register};
    const struct insn_sum sum = unpack(user);

    put(vcpu, preload_insn_record(insn_address_of_sum(&registers, ARMPMU_A32, &sum, false)));
}

/* user: the record without the address, and the register's number in its low bits. */
static void on_zeroed_line(unsigned vcpu, void *user)
{
    struct ring_slot *const slot = recorder_slot(vcpu);
    const uint64_t record = (uintptr_t)user & ~ARMPMU_RECORD_ADDRESS;
    const unsigned n = (unsigned)((uintptr_t)user & ARMPMU_RECORD_ADDRESS);
    const uint64_t line = n == ZERO_REGISTER ? 0 : recorder_register(n) & ~(ZEROED_BYTES - 1);

    recorder_put(slot, slot->cursor, record | (line & ARMPMU_RECORD_ADDRESS));
}

/* ---- translation ---- */

static bool is_literal(uint32_t word)
{
    return (word & 0x3b000000) == 0x18000000;
}

/* A preload of AArch32 whose address registers tell, outside of an IT block. */
static bool find_sum(const struct tb_info *info, unsigned at, unsigned size, uint8_t it_state,
                     struct insn_sum *sum)
{
    const bool t32 = info->isa == RING_ISA_T32;

    if (size != 4 || info->isa == RING_ISA_UNKNOWN || it_is_inside(it_state))
        return false;
    const uint32_t text = tb_info_word(info->bytes + at);
    return preload_insn_find(tb_info_decoder, t32 ? ARMPMU_T32 : ARMPMU_A32,
                             t32 ? text << 16 | text >> 16 : text, sum);
}

bool recorder_is_preload(const struct tb_info *info, unsigned at, unsigned size, uint8_t it_state)
{
    struct insn_sum sum;

    if (info->isa == RING_ISA_A64)
        return preload_insn64_is(tb_info_word(info->bytes + at)) && recorder_sees_registers();
    return find_sum(info, at, size, it_state, &sum) && recorder_sees_registers();
}

static void watch64(struct qemu_plugin_insn *insn, uint64_t address, uint32_t word)
{
    const struct insn_registers here = {.pc = address};
    const uint64_t record =
        is_literal(word) ? preload_insn64_record(word, insn_address64(&here, word)) : word;

    qemu_plugin_register_vcpu_insn_exec_cb(insn, is_literal(word) ? on_known : on_preload64,
                                           is_literal(word) ? QEMU_CB_NO_REGS : QEMU_CB_R_REGS,
                                           (void *)(uintptr_t)record);
}

static void watch(struct qemu_plugin_insn *insn, const struct tb_info *info, unsigned at,
                  const struct insn_sum *sum)
{
    const struct insn_registers here = {.pc = info->address + at};
    const enum armpmu_isa isa = info->isa == RING_ISA_A32 ? ARMPMU_A32 : ARMPMU_T32;

    if (sum->base == REG_PC)
        qemu_plugin_register_vcpu_insn_exec_cb(
            insn, on_known, QEMU_CB_NO_REGS,
            (void *)(uintptr_t)preload_insn_record(insn_address_of_sum(&here, isa, sum, false)));
    else
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_preload, QEMU_CB_R_REGS, pack(sum));
}

void recorder_preload_watch(struct qemu_plugin_insn *insn, const struct tb_info *info,
                            uint8_t it_state)
{
    const unsigned size = info->size[info->n_insns - 1], at = info->n_bytes - size;
    struct insn_sum sum;

    if (size == 0 || !recorder_is_preload(info, at, size, it_state))
        return;
    if (info->isa == RING_ISA_A64)
        watch64(insn, info->address + at, tb_info_word(info->bytes + at));
    else if (find_sum(info, at, size, it_state, &sum))
        watch(insn, info, at, &sum);
}

void recorder_zeroed_line_watch(struct qemu_plugin_insn *insn, unsigned index, uint32_t word)
{
    if (insn_zeroes_line(word) && recorder_sees_registers())
        qemu_plugin_register_vcpu_insn_exec_cb(
            insn, on_zeroed_line, QEMU_CB_R_REGS,
            (void *)(uintptr_t)(armpmu_record(ARMPMU_RECORD_ACCESS, index) | (word & 31)));
}
