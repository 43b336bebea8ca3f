#include "cosim/insn_address.h"

#include "base/arm.h"

/* ---- A32 and T32 ---- */

static uint32_t register_of(const struct insn_registers *registers, enum armpmu_isa isa,
                            uint64_t reg)
{
    if (reg == REG_PC)
        return ((uint32_t)registers->pc & ~3u) + (isa == ARMPMU_A32 ? 8 : 4);
    return reg != 0 ? (uint32_t)registers->read(registers->user, (unsigned)__builtin_ctzll(reg))
                    : 0;
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

uint32_t insn_address_of_sum(const struct insn_registers *registers, enum armpmu_isa isa,
                             const struct insn_sum *sum, bool carry)
{
    const uint32_t index =
        sum->indexed_after ? 0 : shifted(register_of(registers, isa, sum->index), sum, carry);

    return register_of(registers, isa, sum->base) + (sum->subtracts ? -index : index) +
           (uint32_t)sum->number;
}

/* ---- A64 ---- */

#define SIZE_LSB   30
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

static uint64_t plain_register(const struct insn_registers *registers, unsigned n)
{
    return n == ZERO_REGISTER ? 0 : registers->read(registers->user, n);
}

/* Size of a register: the power of two of its bytes. */
static unsigned scale_of(uint32_t word)
{
    return field(word, SIZE_LSB, 2) + ((word & VECTOR_128) == VECTOR_128 ? 4 : 0);
}

static unsigned scale_of_pair(uint32_t word)
{
    return 2 + (field(word, 26, 1) ? field(word, SIZE_LSB, 2) : field(word, 31, 1));
}

/* An index that is extended and shifted. */
static uint64_t index_of(const struct insn_registers *registers, uint32_t word)
{
    const unsigned option = field(word, 13, 3);
    const uint64_t value = plain_register(registers, field(word, 16, 5));
    const uint64_t wide = option == 2   ? (uint32_t)value
                          : option == 6 ? (uint64_t)(int64_t)(int32_t)value
                                        : value;

    return wide << (field(word, 12, 1) ? scale_of(word) : 0);
}

/* Returns the offset that is added to the base. */
static uint64_t offset_of(const struct insn_registers *registers, uint32_t word)
{
    const bool after = field(word, 10, 2) == 1;

    if ((word & 0x3b000000) == 0x39000000)
        return (uint64_t)field(word, 10, 12) << scale_of(word);
    if ((word & 0x3a000000) == 0x28000000)
        return field(word, 23, 2) == 1 ? 0 : signed_field(word, 15, 7) << scale_of_pair(word);
    if ((word & 0x3b200000) == 0x38000000)
        return after ? 0 : signed_field(word, 12, 9);
    if ((word & 0x3b200c00) == 0x38200800)
        return index_of(registers, word);
    return (word & 0x3f200c00) == 0x19000000 ? signed_field(word, 12, 9) : 0; /* LDAPUR, STLUR */
}

uint64_t insn_address64(const struct insn_registers *registers, uint32_t word)
{
    if ((word & 0x3b000000) == 0x18000000) /* a literal */
        return registers->pc + (signed_field(word, 5, 19) << 2);
    if (insn_zeroes_line(word))
        return plain_register(registers, field(word, 0, 5));
    return registers->read(registers->user, field(word, 5, 5)) + offset_of(registers, word);
}
