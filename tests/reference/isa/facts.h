/* Helpers that build the facts of an instruction, common to the encodings of A32 and T32. Private
 * to this folder. */
#ifndef TESTS_REFERENCE_ISA_FACTS_H
#define TESTS_REFERENCE_ISA_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/insn.h"

#define SP 13u
#define LR 14u
#define PC 15u

#define REGS_APSR (REG_FLAGS | REG_GE | REG_Q)

static inline uint32_t field(uint32_t word, unsigned msb, unsigned lsb)
{
    return word >> lsb & ((2u << (msb - lsb)) - 1);
}

static inline bool bit(uint32_t word, unsigned n)
{
    return (word >> n & 1) != 0;
}

/* The field, read as a two's complement number of that many bits. */
static inline int64_t signed_field(uint32_t value, unsigned width)
{
    const int64_t sign = INT64_C(1) << (width - 1);
    return ((int64_t)value ^ sign) - sign;
}

static inline void fact_reads(struct insn *insn, uint64_t registers)
{
    insn->reads |= registers;
}

static inline void fact_reads_early(struct insn *insn, uint64_t registers)
{
    insn->reads |= registers;
    insn->reads_early |= registers;
}

static inline void fact_reads_late(struct insn *insn, uint64_t registers)
{
    insn->reads |= registers;
    insn->reads_late |= registers;
}

static inline void fact_writes(struct insn *insn, uint64_t registers)
{
    insn->writes |= registers;
}

/* Data processing, numbered as A32 does; T32 adds ORN. */
enum alu {
    ALU_AND,
    ALU_EOR,
    ALU_SUB,
    ALU_RSB,
    ALU_ADD,
    ALU_ADC,
    ALU_SBC,
    ALU_RSC,
    ALU_TST,
    ALU_TEQ,
    ALU_CMP,
    ALU_CMN,
    ALU_ORR,
    ALU_MOV,
    ALU_BIC,
    ALU_MVN,
    ALU_ORN,
};

/* The last operand of data processing. */
struct operand {
    uint64_t registers; /* none for an immediate          */
    bool shifted;       /* through the shifter            */
    bool carry;         /* RRX shifts the carry flag in   */
};

static inline struct operand operand_immediate(void)
{
    return (struct operand){0, false, false};
}

/* Rm shifted by an immediate: type and amount as both instruction sets encode them. */
static inline struct operand operand_register(unsigned rm, unsigned type, unsigned amount)
{
    return (struct operand){REG_R(rm), type != 0 || amount != 0, type == 3 && amount == 0};
}

/* rd and rn are ignored by the operations that have none. */
void fact_alu(struct insn *insn, enum alu op, bool sets_flags, unsigned rd, unsigned rn,
              struct operand last);

/* One ALU operation outside the table above: rd from plain and shifted registers. */
void fact_operation(struct insn *insn, unsigned rd, uint64_t plain, uint64_t shifted);

/* Parallel addition and subtraction; kind 1: modulo (sets GE), 2: saturating, 3: halving. */
void fact_parallel(struct insn *insn, unsigned kind, unsigned rd, unsigned rn, unsigned rm);

void fact_multiply(struct insn *insn, enum insn_class klass, uint64_t result, uint64_t factors,
                   uint64_t accumulators);

/* A load or store at base + index. */
struct transfer {
    bool load;
    bool post; /* the base is the address, the index is added after */
    bool writes_back;
    uint8_t bytes, align;
    unsigned base;
    uint64_t index; /* the offset's register, none for an immediate      */
    uint64_t data;  /* the registers transferred                         */
    bool pair;      /* two core registers, even when they are the same   */
};

void fact_transfer(struct insn *insn, const struct transfer *transfer);

/* LDM and STM. after: the addresses rise from the base itself (IA). user: the ^ forms. */
struct multiple {
    bool load, after, writes_back, user;
    unsigned base;
    uint32_t list;
};

void fact_multiple(struct insn *insn, const struct multiple *multiple);

/* LDREX.. and STREX..; status: the register that takes a store's outcome. */
void fact_load_exclusive(struct insn *insn, unsigned bytes, unsigned base, uint64_t data);
void fact_store_exclusive(struct insn *insn, unsigned bytes, unsigned base, uint64_t data,
                          unsigned status);

void fact_preload(struct insn *insn, uint64_t address);

void fact_branch(struct insn *insn, uint64_t target, bool links);

/* BX, BXJ and BLX of a register. exchanges: BX itself, which returns when it goes to LR. */
void fact_branch_register(struct insn *insn, unsigned rm, bool exchanges, bool links);

void fact_return_from_exception(struct insn *insn);

void fact_store_return_state(struct insn *insn, bool writes_back);

/* RFE: loads PC and CPSR from the base on. */
void fact_load_return_state(struct insn *insn, unsigned base, bool writes_back);

void fact_system(struct insn *insn, enum insn_effect effect);

/* MRS of the current or saved status register, and MSR of the fields in mask (bit 3: flags). */
void fact_read_status(struct insn *insn, unsigned rd, bool saved);
void fact_write_status(struct insn *insn, uint64_t source, unsigned mask, bool saved);

/* NOP and the hints behind it, by number. */
void fact_hint(struct insn *insn, unsigned number);

/* DSB, DMB, ISB by their number; false when it is none of them. CLREX has one number in A32 and
 * another in T32. */
void fact_clear_exclusive(struct insn *insn);
bool fact_barrier(struct insn *insn, unsigned number);

/* Instruction sets and extensions. Each fills in *insn, prepared by the caller (offset, size,
 * condition 14, the rest zero), and returns false for what is no instruction of ARMv7-A.
 * Words of the NEON and coprocessor space are in the A32 layout, with condition 14 or 15. */
bool reference_a32(uint32_t word, uint64_t address, struct insn *insn);
bool a32_media(uint32_t word, struct insn *insn);
bool t16_decode(uint32_t half, uint64_t address, bool in_it, struct insn *insn);
bool t32_decode(uint32_t word, uint64_t address, struct insn *insn);
bool coprocessor_decode(uint32_t word, struct insn *insn);
bool vfp_operation(uint32_t word, struct insn *insn);
bool vfp_move(uint32_t word, struct insn *insn);
bool vfp_transfer(uint32_t word, struct insn *insn);
bool neon_operation(uint32_t word, struct insn *insn);
bool neon_transfer(uint32_t word, struct insn *insn);

#endif
