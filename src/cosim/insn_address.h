/* The address of a load, store or preload, computed from the registers before it executes.
 *
 * Assumes: A64 instructions are loads, stores, DC ZVA or preloads without SVE; of several
 * registers, the lowest address. Source: ARM DDI 0487, the addressing modes of A64. */
#ifndef COSIM_INSN_ADDRESS_H
#define COSIM_INSN_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "isa/insn.h"

/* How an emulator's registers are read: 0 to 30 (A32 and T32: to 14); 31 is the stack pointer of
 * A64. */
struct insn_registers {
    uint64_t (*read)(void *user, unsigned n);
    void *user;
    uint64_t pc; /* the address of the instruction */
};

/* Returns whether a word of A64 is DC ZVA. */
static inline bool insn_zeroes_line(uint32_t word)
{
    return (word & ~UINT32_C(31)) == 0xd50b7420;
}

uint64_t insn_address64(const struct insn_registers *registers, uint32_t word);

/* For A32 and T32. carry: the C flag. */
uint32_t insn_address_of_sum(const struct insn_registers *registers, enum armpmu_isa isa,
                             const struct insn_sum *sum, bool carry);

#endif
