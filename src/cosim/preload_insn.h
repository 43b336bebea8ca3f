/* Preloads, PRFM and PRFUM of AArch64, PLD and PLDW of AArch32: what an engine that sees registers
 * records of them.
 *
 * Leaves out: preloads of SVE, of which each names many addresses; those whose hint is reserved;
 * PLI of AArch32; addresses that depend on the carry flag. Source: ARM DDI 0487, PRFM and PLD. */
#ifndef COSIM_PRELOAD_INSN_H
#define COSIM_PRELOAD_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

/* Returns whether a word of A64 is such a preload. */
bool preload_insn64_is(uint32_t word);

/* Its record, ARMPMU_SYSTEM_PRELOAD, with the address as in cosim/insn_address.h. */
uint64_t preload_insn64_record(uint32_t word, uint64_t address);

/* Returns whether a word of A32 or T32 (its first halfword high) is such a preload; *sum: its
 * address. */
bool preload_insn_find(struct decoder *decoder, enum armpmu_isa isa, uint32_t word,
                       struct insn_sum *sum);

/* The record of one of this address. */
uint64_t preload_insn_record(uint32_t address);

#endif
