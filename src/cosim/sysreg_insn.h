/* Instructions that access a performance monitor, for engines that take them over from the emulator
 * below. */
#ifndef COSIM_SYSREG_INSN_H
#define COSIM_SYSREG_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/sim.h"

/* An MRC, MCR, MRRC or MCRR; of A64 an MRS, or an MSR of a register. */
struct sysreg_insn {
    struct armpmu_encoding at;
    bool read;
    unsigned rt, rt2; /* rt2 of MRRC and MCRR; 31 is XZR in A64 */
};

/* Whether two encodings are of the same register. */
static inline bool sysreg_insn_same(const struct armpmu_encoding *left,
                                    const struct armpmu_encoding *right)
{
    return left->access == right->access && left->coproc == right->coproc &&
           left->op1 == right->op1 && left->crn == right->crn && left->crm == right->crm &&
           left->op2 == right->op2;
}

/* Reads an instruction; word: T32 with its first halfword high. False when it is none of these. */
bool sysreg_insn_decode(enum armpmu_isa isa, uint32_t word, struct sysreg_insn *sysreg);

/* The same of an MCR or MCRR of coprocessor 15 alone. */
bool sysreg_insn_writes_cp15(enum armpmu_isa isa, uint32_t word, struct sysreg_insn *sysreg);

/* Whether an instruction is one of them that could be the core's unit's. */
bool sysreg_insn_is_claimed(const struct armpmu_core *core, enum armpmu_isa isa, uint32_t word);

/* Whether a write of value stops a counter: PMNC without E, or an enable clear register. */
bool sysreg_insn_stops_counting(const struct sysreg_insn *sysreg, uint32_t value);

/* The Exception level that an outcome traps to, 0 for none, and what ESR_ELx says of the trapped
 * access; of A64. */
unsigned sysreg_insn_trap_level(enum armpmu_outcome outcome);
uint64_t sysreg_insn_syndrome(const struct sysreg_insn *sysreg, enum armpmu_outcome outcome);

/* An LDC or STC of one register: a word between memory and a coprocessor. */
struct memory_transfer {
    struct armpmu_encoding at;
    bool load;
    unsigned rn;
    int32_t offset;  /* added to Rn: */
    bool before;     /* for the address    */
    bool write_back; /* and put into Rn    */
};

/* As sysreg_insn_decode and sysreg_insn_is_claimed. */
bool memory_sysreg_insn_decode(enum armpmu_isa isa, uint32_t word, struct memory_transfer *sysreg);
bool memory_sysreg_insn_is_claimed(const struct armpmu_core *core, enum armpmu_isa isa,
                                   uint32_t word);

#define CONDITION_ALWAYS 14u

/* Whether a condition field passes with these flags. */
bool condition_passes(unsigned condition, uint32_t cpsr);

#endif
