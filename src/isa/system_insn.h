/* Classifies system instructions by their word: accesses to system registers and coprocessors, and
 * the other system instructions of A64. A word of T32 has its first halfword high. */
#ifndef ISA_SYSTEM_INSN_H
#define ISA_SYSTEM_INSN_H

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

/* Returns whether two encodings are of the same register. */
static inline bool sysreg_insn_same(const struct armpmu_encoding *left,
                                    const struct armpmu_encoding *right)
{
    return left->access == right->access && left->coproc == right->coproc &&
           left->op1 == right->op1 && left->crn == right->crn && left->crm == right->crm &&
           left->op2 == right->op2;
}

/* Reads an instruction; false when it is none of these. */
bool sysreg_insn_decode(enum armpmu_isa isa, uint32_t word, struct sysreg_insn *sysreg);

/* Returns whether a program may or may not access it, as a register says when the access executes:
 * those of the performance monitor, and of A64 DAIF. */
bool sysreg_insn_may_be_refused(const struct armpmu_encoding *at);

/* The same of an MCR or MCRR of coprocessor 15 alone. */
bool sysreg_insn_writes_cp15(enum armpmu_isa isa, uint32_t word, struct sysreg_insn *sysreg);

/* The same of an MSR of S3_<op1>_<CRn>_<CRm>_<op2>, which may be looked at then. */
bool sysreg_insn_writes_a64(uint32_t word, struct sysreg_insn *sysreg);

/* An LDC or STC of one register: a word between memory and a coprocessor. */
struct memory_transfer {
    struct armpmu_encoding at;
    bool load;
    unsigned rn;
    int32_t offset;  /* added to Rn: */
    bool before;     /* for the address    */
    bool write_back; /* and put into Rn    */
};

/* As sysreg_insn_decode. */
bool memory_sysreg_insn_decode(enum armpmu_isa isa, uint32_t word, struct memory_transfer *sysreg);

/* Instructions of A64 that are no accesses to registers. */
enum system_insn64 {
    SYSTEM_INSN_NONE,
    SYSTEM_INSN_RETURN, /* ERET, ERETAA, ERETAB */
    SYSTEM_INSN_HVC,
    SYSTEM_INSN_SMC,
    SYSTEM_INSN_HLT,
    SYSTEM_INSN_TLB_ALL,   /* TLBI, but: */
    SYSTEM_INSN_TLB_PAGE,  /* by address of the first stage */
    SYSTEM_INSN_CACHE_EL0, /* cache maintenance that EL0 may be let */
};

enum system_insn64 system_insn64_of(uint32_t word);

/* The immediate of SVC, HVC, SMC, BRK and HLT. */
static inline uint32_t system_insn64_immediate(uint32_t word)
{
    return word >> 5 & 0xffff;
}

#define CONDITION_ALWAYS 14u

/* Returns whether a condition field passes with these flags. */
bool condition_passes(unsigned condition, uint32_t cpsr);

#endif
