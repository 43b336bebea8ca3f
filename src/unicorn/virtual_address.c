#include "unicorn/virtual_address.h"

#include <inttypes.h>

#include "unicorn/firmware.h"

static uint32_t register_of(const struct firmware *fw, const struct hook *insn, uint64_t reg)
{
    if (reg == REG_PC)
        return ((uint32_t)insn->address & ~3u) + (insn->isa == ARMPMU_A32 ? 8 : 4);
    return reg != 0 ? (uint32_t)processor_read(fw, (unsigned)__builtin_ctzll(reg)) : 0;
}

static uint32_t shifted(uint32_t value, const struct insn_sum *sum, bool carry)
{
    const unsigned n = sum->shift;

    switch (sum->shift_by) {
    case SHIFT_LSL:
        return value << n;
    case SHIFT_LSR:
        return n == 0 ? 0 : value >> n;
    case SHIFT_ASR:
        return (uint32_t)((int32_t)value >> (n == 0 ? 31 : n));
    default:
        return n == 0 ? (uint32_t)carry << 31 | value >> 1 : value >> n | value << (32 - n);
    }
}

uint32_t virtual_address_of_sum(const struct firmware *fw, const struct hook *insn, uint32_t cpsr)
{
    const struct insn_sum *const sum = &insn->sum;
    const uint32_t index =
        sum->indexed_after ? 0
                           : shifted(register_of(fw, insn, sum->index), sum, (cpsr & CPSR_C) != 0);

    return register_of(fw, insn, sum->base) + (sum->subtracts ? -index : index) +
           (uint32_t)sum->number;
}

static bool is_translated(const struct firmware *fw)
{
    return fw->shows_physical && (processor_cp15(fw, 1, 0, 0) & SCTLR_M);
}

static bool same_place_in_page(const struct firmware *fw, uint64_t address, uint64_t other)
{
    return (address ^ other) % fw->page_bytes == 0;
}

/* Other cores' tables are not walked: CHOICE(firmware-frames). */
static uint64_t without_sum(struct firmware *fw, const struct hook *insn, uint64_t physical)
{
    if (!page_records_moves(fw, (uint32_t)physical))
        return physical;
    firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                  "PC 0x%08" PRIx64 ", instruction 0x%08x, accesses a page that translation has "
                  "moved to 0x%08" PRIx64 ", and this version of the Unicorn library does not say "
                  "from where: use version 2.0.1, or leave that page at its own address",
                  insn->address, insn->word, physical);
    return physical;
}

uint64_t virtual_address(struct firmware *fw, unsigned index, uint64_t physical)
{
    if (!is_translated(fw))
        return physical;
    const struct hook insn = code_blocks_insn(fw, fw->code_block, index);
    if (!insn.sum.known)
        return without_sum(fw, &insn, physical);
    const uint32_t address = virtual_address_of_sum(fw, &insn, processor_status(fw));
    return same_place_in_page(fw, address, physical) ? address : without_sum(fw, &insn, physical);
}

bool virtual_address_is(const struct firmware *fw, uint64_t physical, uint64_t due)
{
    return physical == due ||
           (fw->shows_physical && same_place_in_page(fw, physical, due) && is_translated(fw));
}
