#include "unicorn/virtual_address.h"

#include <inttypes.h>

#include "unicorn/aarch64.h"

/* ---- A32 and T32 ---- */

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

/* ---- A64 ---- */

#define SIZE_LSB   30
#define DC_ZVA     0xd50b7420u
#define VECTOR_128 UINT32_C(0x04800000) /* a vector of 16 bytes, whose size is 0 */

static uint32_t field(uint32_t word, unsigned lsb, unsigned n_bits)
{
    return word >> lsb & ((UINT32_C(1) << n_bits) - 1);
}

static uint64_t signed_field(uint32_t word, unsigned lsb, unsigned n_bits)
{
    const uint64_t sign = UINT64_C(1) << (n_bits - 1);

    return (field(word, lsb, n_bits) ^ sign) - sign;
}

static uint64_t register64(const struct firmware *fw, unsigned n, bool is_base)
{
    uint64_t value = 0;

    if (n < 31)
        value = processor_read(fw, n);
    else if (is_base)
        (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_SP, &value);
    return value;
}

/* Of a register: the power of two of its bytes. */
static unsigned scale_of(uint32_t word)
{
    return field(word, SIZE_LSB, 2) + ((word & VECTOR_128) == VECTOR_128 ? 4 : 0);
}

static unsigned scale_of_pair(uint32_t word)
{
    return 2 + (field(word, 26, 1) ? field(word, SIZE_LSB, 2) : field(word, 31, 1));
}

/* An index that is extended and shifted. */
static uint64_t index64(const struct firmware *fw, uint32_t word)
{
    const unsigned option = field(word, 13, 3);
    const uint64_t value = register64(fw, field(word, 16, 5), false);
    const uint64_t wide = option == 2   ? (uint32_t)value
                          : option == 6 ? (uint64_t)(int64_t)(int32_t)value
                                        : value;

    return wide << (field(word, 12, 1) ? scale_of(word) : 0);
}

/* What is added to the base. Source: ARM DDI 0487, loads and stores. */
static uint64_t offset64(const struct firmware *fw, uint32_t word)
{
    const bool after = field(word, 10, 2) == 1;

    if ((word & 0x3b000000) == 0x39000000)
        return (uint64_t)field(word, 10, 12) << scale_of(word);
    if ((word & 0x3a000000) == 0x28000000)
        return field(word, 23, 2) == 1 ? 0 : signed_field(word, 15, 7) << scale_of_pair(word);
    if ((word & 0x3b200000) == 0x38000000)
        return after ? 0 : signed_field(word, 12, 9);
    if ((word & 0x3b200c00) == 0x38200800)
        return index64(fw, word);
    return (word & 0x3f200c00) == 0x19000000 ? signed_field(word, 12, 9) : 0; /* LDAPUR, STLUR */
}

static uint64_t address64(const struct firmware *fw, const struct hook *insn)
{
    const uint32_t word = insn->word;

    if ((word & 0x3b000000) == 0x18000000) /* a literal */
        return insn->address + (signed_field(word, 5, 19) << 2);
    if ((word & ~31u) == DC_ZVA)
        return register64(fw, field(word, 0, 5), false);
    return register64(fw, field(word, 5, 5), true) + offset64(fw, word);
}

/* ---- both ---- */

static bool translates(const struct firmware *fw)
{
    return fw->a64 != NULL ? (el_switch_sctlr(fw, el_switch_now(fw)) & SCTLR_M) != 0
                           : (processor_cp15(fw, 1, 0, 0) & SCTLR_M) != 0;
}

/* It stays as it is while a code block executes. */
static bool is_translated(struct firmware *fw)
{
    if (!fw->shows_physical)
        return false;
    if (fw->translation_asked_at != fw->insns) {
        fw->translation_asked_at = fw->insns;
        fw->translates = translates(fw);
    }
    return fw->translates;
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
    uint64_t address = ~physical;
    if (insn.isa == ARMPMU_A64)
        address = address64(fw, &insn);
    else if (insn.sum.known)
        address = virtual_address_of_sum(fw, &insn, processor_status(fw));
    return same_place_in_page(fw, address, physical) ? address : without_sum(fw, &insn, physical);
}

bool virtual_address_is(struct firmware *fw, uint64_t physical, uint64_t due)
{
    return physical == due ||
           (fw->shows_physical && same_place_in_page(fw, physical, due) && is_translated(fw));
}
