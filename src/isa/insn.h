/* An instruction as plain facts: what the core models need and nothing of the decoder.
 *
 * Conventions, so that every reader counts alike:
 *  - reads has the flags when the condition needs them; the PC only where it is an operand (ADR,
 * LDR literal), not where a branch is relative to it. writes has the PC exactly when branch is not
 *    BRANCH_NONE. Exceptions (SVC, BKPT, undefined) are effects, not writes.
 *  - REG_FLAGS, REG_GE and REG_Q mean all their bits: writing some of them is in writes only.
 *    The same holds for S registers, halves of a D register. Where an element is put into a
 * register whose rest stays (VMOV Dd[x],Rt; VLD1 of one lane; BFI; MOVT) the register is read as
 * well.
 *  - FPSCR is in the sets of VCMP, VMRS and VMSR only: arithmetic does not wait for it.
 *  - reads_early and reads_late have no register in common; a register needed both ways is early.
 *  - In A64 the sets are of other registers (REG_X, REG_XSP, REG_V), and the flags, which do not
 *    fit in, are reads_flags and writes_flags. The zero register and the PC are in no set: branch
 *    says what writes the PC. A write of a B, H, S or D register clears the rest of V and reads
 *    nothing; where the rest stays (MOVK, BFI, INS, XTN2, LD1 of a lane) the register is read.
 *    condition is that of B.cond; CSEL and its like are unconditional readers of the flags.
 *  - A 16-byte register in memory is `multiple` (engines may access its halves), as is a pair.
 *    DC ZVA is a store of 64 bytes; of memory tags (STG) only what they clear is an access.
 */
#ifndef ISA_INSN_H
#define ISA_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

/* Registers as bits of a set: core registers, flags, then the 32 doubleword registers of VFP and
 * NEON (S and Q registers are the D registers that hold them). */
#define REG_R(n)  (UINT64_C(1) << (n)) /* 0..15 */
#define REG_FLAGS (UINT64_C(1) << 16)  /* N Z C V */
#define REG_GE    (UINT64_C(1) << 17)
#define REG_Q     (UINT64_C(1) << 18) /* saturation */
#define REG_FPSCR (UINT64_C(1) << 19)
#define REG_D(n)  (UINT64_C(1) << (32 + (n))) /* 0..31 */
#define REG_SP    REG_R(13)
#define REG_LR    REG_R(14)
#define REG_PC    REG_R(15)
#define REGS_NEON (UINT64_C(0xffffffff) << 32)

/* The same of A64. SVE's Z registers are the V registers they extend; its predicates have sets of
 * their own. */
#define REG_X(n) (UINT64_C(1) << (n)) /* 0..30 */
#define REG_XSP  (UINT64_C(1) << 31)
#define REG_V(n) (UINT64_C(1) << (32 + (n))) /* 0..31 */
#define REG_P(n) (UINT32_C(1) << (n))        /* 0..15 */
#define REG_FFR  (UINT32_C(1) << 16)         /* the first fault register */

enum branch_kind {
    BRANCH_NONE,
    BRANCH_IMMEDIATE, /* B, BL, BLX imm, CBZ, CBNZ, TBZ, TBNZ */
    BRANCH_RETURN,    /* BX LR; MOV PC,LR; POP {..,PC}, LDM SP!,{..,PC}; LDR PC,[SP],#n; RET */
    BRANCH_INDIRECT,  /* any other write of the PC by a register or a load; BR, BLR */
    BRANCH_TABLE,     /* TBB, TBH */
    BRANCH_EXCEPTION_RETURN, /* RFE, MOVS PC and its like, LDM ^ with PC; ERET */
};

/* Effects of an instruction besides registers and memory. */
enum insn_effect {
    EFFECT_NONE,
    EFFECT_SYSCALL,          /* SVC */
    EFFECT_CONTEXTIDR_WRITE, /* MCR p15,0,Rt,c13,c0,1 */
    EFFECT_SW_INCREMENT,     /* MCR p15,0,Rt,c9,c12,4 */
    EFFECT_UNDEFINED,        /* UDF, or bytes that are no instruction of ARMv7-A */
    EFFECT_BREAKPOINT,       /* BKPT; BRK, HLT */
    EFFECT_SYSTEM,           /* other system instruction: may be undefined in User mode */
    EFFECT_WAIT,             /* A64: WFI, WFE */
    EFFECT_TTBR_WRITE,       /* A64: MSR TTBR0_EL1, MSR TTBR1_EL1 */
};

/* Issue class: what an in-order core's schedule has to know. */
enum insn_class {
    CLASS_ALU,            /* one ALU operation, plain operands */
    CLASS_MOVE,           /* MOV, MVN of a register or immediate without shift */
    CLASS_ALU_SHIFT,      /* ALU operation with a shifted, extended or bit-field operand: early */
    CLASS_MULTIPLY,       /* MUL, MLA, MLS, SMMUL ... 32x32 -> 32 */
    CLASS_MULTIPLY_LONG,  /* SMULL, UMULL, SMLAL, UMLAL, UMAAL */
    CLASS_MULTIPLY_HALF,  /* SMULxy, SMLAxy, SMUAD ... 16-bit and dual 16-bit */
    CLASS_LOAD,           /* single load, LDRD and LDREX included */
    CLASS_STORE,          /* single store, STRD and STREX included */
    CLASS_LOAD_MULTIPLE,  /* LDM, POP */
    CLASS_STORE_MULTIPLE, /* STM, PUSH */
    CLASS_SWAP,           /* SWP, SWPB */
    CLASS_BRANCH,         /* a branch with no other work, MOV PC,Rm included */
    CLASS_PRELOAD,        /* PLD, PLDW, PLI */
    CLASS_BARRIER,  /* DMB, DSB, ISB, CLREX, hints but NOP (which is CLASS_ALU, as are IT, BTI) */
    CLASS_SYSTEM,   /* MRS, MSR, MCR, MRC, CPS, SVC ... */
    CLASS_NEON_ALU, /* integer NEON data processing */
    CLASS_NEON_MULTIPLY,
    CLASS_NEON_FLOAT,   /* NEON single precision */
    CLASS_NEON_PERMUTE, /* VEXT, VTRN, VZIP, VUZP, VTBL, VREV, VDUP ... */
    CLASS_NEON_LOAD,    /* VLDn, VLDR, VLDM, VPOP */
    CLASS_NEON_STORE,
    CLASS_VFP,          /* VFP arithmetic (the A8's VFP is not pipelined) */
    CLASS_VFP_DIVIDE,   /* VDIV, VSQRT */
    CLASS_CORE_TO_NEON, /* VMOV Dn,Rt ..., VMSR, VDUP Rt */
    CLASS_NEON_TO_CORE, /* VMOV Rt,Dn ..., VMRS */
    CLASS_DIVIDE,       /* SDIV, UDIV, of other cores than the Cortex-A8 and XScale */
    CLASS_CRC,          /* A64: CRC32 and its like; signing and checking pointers */
    CLASS_CRYPTO,       /* A64: SHA1H, SHA256SU0, SHA512H, EOR3, SM3TT1A ...: others are below */
    CLASS_ATOMIC,       /* A64: CAS, SWP, LDADD and their like: a load and a store */
    /* A64 alone, which tells more kinds of operations apart: */
    CLASS_MULTIPLY_HIGH,       /* SMULH, UMULH */
    CLASS_FLOAT_MULTIPLY,      /* FMUL, FNMUL, FMULX; of scalars, too */
    CLASS_NEON_SHIFT,          /* SHL, USHR, USHL, SSHLL, SHRN, SLI */
    CLASS_NEON_SHIFT_COMPLEX,  /* those that saturate; SQXTN */
    CLASS_NEON_REDUCE,         /* ADDV, UADDLV, SMAXV of four elements */
    CLASS_NEON_REDUCE_LONG,    /* of more */
    CLASS_NEON_MULTIPLY_LONG,  /* SMULL, SMLAL, SQDMULL */
    CLASS_NEON_DOT,            /* SDOT, SMMLA */
    CLASS_NEON_TABLE,          /* TBL, TBX */
    CLASS_NEON_CONVERT,        /* FCVTZS, SCVTF, FRINTN, FRECPE; of scalars, too */
    CLASS_VFP_COMPARE,         /* FCMP, FCCMP */
    CLASS_CRYPTO_AES,          /* AESE, AESD */
    CLASS_CRYPTO_AES_MIX,      /* AESMC, AESIMC */
    CLASS_CRYPTO_HASH,         /* SHA1C, SHA1P, SHA1M, SHA256H, SHA256H2, SM4E, SM4EKEY */
    CLASS_CRYPTO_MULTIPLY,     /* PMULL of doublewords */
    CLASS_NEON_LOGIC,          /* AND, EOR, NOT and their like */
    CLASS_NEON_ALU_COMPLEX,    /* SQADD, ADDP, CMTST; SADDL, ADDHN */
    CLASS_FLOAT_SIGN,          /* FABS, FNEG, FMAX, FMINNM; of scalars, too */
    CLASS_FLOAT_SELECT,        /* FCMEQ, FACGE; of scalars, too */
    CLASS_FLOAT_PAIRS,         /* FMAXP, FMINNMP; of scalars, too */
    CLASS_FLOAT_STEP,          /* FRECPS, FRSQRTS; of scalars, too */
    CLASS_FLOAT_PAIR_SUM,      /* FADDP */
    CLASS_FLOAT_REDUCE,        /* FMAXV, FMINNMV */
    CLASS_NEON_SELECT,         /* BSL, BIT, BIF */
    CLASS_FLOAT_CHOICE,        /* FCSEL */
    CLASS_NEON_COUNT,          /* CLZ, CLS, CNT */
    CLASS_NEON_DIFFERENCE,     /* SABD, SABDL, ABS, SADDLP */
    CLASS_CRYPTO_SCHEDULE,     /* SHA1SU0, SHA256SU1 */
    CLASS_NEON_SHIFT_ROUND,    /* SRSHR, SRSHL, RSHRN; SSRA */
    CLASS_NEON_POLYNOMIAL,     /* PMUL; PMULL of bytes */
    CLASS_NEON_ADD_DIFFERENCE, /* SABA, SABAL, SADALP; SRSRA */
    CLASS_ALU_SELECT_ADD,      /* CSINC, CSNEG */
    CLASS_ZERO,                /* MOV of 0 to an X register; NOP, BTI */
    CLASS_NEON_ZERO,           /* MOVI of 0 */
    CLASS_CORE_TO_ELEMENT,     /* DUP and INS of an X register */
    CLASS_CORE_TO_FLOAT,       /* SCVTF, UCVTF of an X register */
    CLASS_FLOAT_TO_CORE,       /* FCVTZS and its like, to an X register */
};

/* The data access an instruction makes if its condition passes. bytes 0: none. */
struct insn_memory {
    bool load, store; /* both for SWP */
    bool neon;        /* made by the NEON and VFP unit */
    bool exclusive;   /* LDREX.., STREX..: a store may not happen; DC ZVA: may not show */
    bool multiple;    /* several registers or elements at rising addresses: LDM, LDRD, VLD1 ... */
    bool extends;     /* A64: a pair of words to X registers, LDPSW */
    bool aligned;     /* of NEON: states its alignment, as [r0:64] does */
    bool faults;      /* of NEON and VFP: unaligned it faults whatever SCTLR.A says */
    bool partial;     /* of SVE: elements that its predicate leaves out are not accessed */
    bool scattered;   /* of SVE: each element at an address of its own, of `bytes` */
    bool first_fault; /* of SVE: ends where an element faults; FFR says where */
    uint16_t bytes;   /* from the lowest address on, all registers together, at most 256 */
    uint8_t align;    /* an address that is no multiple of this is unaligned: 1, 2, 4, 8 ... */
};

/* Kinds of SVE. */
enum sve_kind {
    SVE_NONE,
#define KIND(name, klass) SVE_##name,
#include "isa/sve_kinds.def"
#undef KIND
    SVE_KINDS
};

#define NO_GOVERNOR 0xff

struct insn_scalable {
    enum sve_kind kind;
    uint8_t element_bytes;  /* 1, 2, 4, 8 */
    uint8_t governor;       /* of its predicate that says which elements are active; NO_GOVERNOR */
    uint32_t reads, writes; /* predicates: REG_P, REG_FFR; the governing one included */
};

enum insn_barrier {
    BARRIER_NONE,
    BARRIER_INSTRUCTION, /* ISB */
    BARRIER_SYNC,        /* DSB */
    BARRIER_MEMORY,      /* DMB */
    BARRIER_MONITOR,     /* MRS, MSR of a monitor's register: only it waits */
};

/* Whose work data processing is. */
enum work_unit {
    WORK_NONE,     /* loads, stores, branches, the system; moves between X and V registers */
    WORK_INTEGER,  /* on X registers */
    WORK_FLOAT,    /* scalar floating point; FMOV from V to V and FCSEL have no elements */
    WORK_SIMD,     /* Advanced SIMD, its scalar forms included; DUP, ZIP, TBL have no elements */
    WORK_CRYPTO,   /* AES, SHA, SM3, SM4 */
    WORK_SCALABLE, /* all of SVE, loads and stores included */
};

/* A64: what data processing computes. */
struct insn_work {
    enum work_unit unit;
    bool floats;           /* elements are floating-point numbers */
    uint8_t element_bytes; /* of the largest elements that it reads or writes, 0: no arithmetic */
    uint8_t elements; /* floats: how many, for a reduction those that it reads; SVE: in 128 bits */
    uint8_t steps;    /* of floats: operations on each: 2 where it multiplies and adds */
};

/* Operations of NEON and VFP that pipelines tell apart; of a multiplication of integers
 * element_bytes does, too. */
enum vector_kind {
    VECTOR_NONE,
    VECTOR_ADD,                  /* VADD, VAND and its like, VMOV, VCNT, VCLZ */
    VECTOR_SUBTRACT,             /* VSUB, VADDW, VSUBW */
    VECTOR_LENGTHEN,             /* VADDL, VSUBL, VPADD, VPADDL, VNEG */
    VECTOR_HALVE,                /* VHADD, VQADD, VTST, VADDHN, VABS, comparisons with zero */
    VECTOR_COMPARE,              /* VCEQ, VMAX, VABD, VHSUB, VQSUB */
    VECTOR_SATURATE,             /* VQABS, VQNEG */
    VECTOR_DIFFERENCE,           /* VABA, VABAL */
    VECTOR_PAIR_ACCUMULATE,      /* VPADAL */
    VECTOR_MULTIPLY,             /* VMUL, VMLA, VQDMULH */
    VECTOR_MULTIPLY_LONG,        /* VMULL, VMLAL, VQDMULL */
    VECTOR_SHIFT,                /* VSHL, VSHR, VSHLL, VSHRN by a number */
    VECTOR_SHIFT_ROUND,          /* VRSHR, VQSHL, VQMOVN and their like by a number */
    VECTOR_SHIFT_INSERT,         /* VSLI, VSRI */
    VECTOR_SHIFT_ACCUMULATE,     /* VSRA, VRSRA */
    VECTOR_SHIFT_REGISTER,       /* VSHL by a register */
    VECTOR_SHIFT_REGISTER_ROUND, /* VQSHL, VRSHL, VQRSHL by a register */
    VECTOR_FLOAT,                /* VADD, VMUL, VCVT, VRECPE */
    VECTOR_FLOAT_PAIR,           /* VPADD, VPMAX */
    VECTOR_FLOAT_ACCUMULATE,     /* VMLA, VRECPS */
    VECTOR_PERMUTE,              /* VREV, VDUP, VMOVN */
    VECTOR_EXCHANGE,             /* VTRN, VSWP */
    VECTOR_ZIP,
    VECTOR_UNZIP,
    VECTOR_EXTRACT,     /* VEXT */
    VECTOR_TABLE,       /* VTBL, VTBX of one or two registers */
    VECTOR_TABLE_KEEP,  /* TBX of A64 */
    VECTOR_TABLE_LARGE, /* of three or four */
    VECTOR_LOAD,        /* VLD1, VLDR, VLDM */
    VECTOR_LOAD_TWO,    /* VLD2 */
    VECTOR_LOAD_FOUR,   /* VLD3, VLD4 */
    VECTOR_LOAD_LANE,   /* VLD1, VLD2 of one element */
    VECTOR_LOAD_LANES,  /* VLD3, VLD4 */
    VECTOR_LOAD_ALL,    /* VLD1, VLD2 of one structure to all elements */
    VECTOR_LOAD_ALLS,   /* VLD3, VLD4 */
    VECTOR_STORE,       /* VST1, VSTR, VSTM, VST2 of two registers, VST1 and VST2 of one element */
    VECTOR_STORE_FOUR,  /* VST2 of four registers, VST3, VST4 */
    VECTOR_STORE_LANES, /* VST3, VST4 of one element */
    VECTOR_VFP_MOVE,    /* VMOV, VABS, VNEG, VCMP */
    VECTOR_VFP_ADD,
    VECTOR_VFP_MULTIPLY,
    VECTOR_VFP_ACCUMULATE,
    VECTOR_VFP_DIVIDE,
    VECTOR_VFP_ROOT,
    VECTOR_VFP_TO_DOUBLE, /* from single precision */
    VECTOR_VFP_TO_SINGLE,
    VECTOR_VFP_FROM_INTEGER, /* and from fixed point */
    VECTOR_VFP_TO_INTEGER,
    VECTOR_KINDS
};

/* NEON and VFP: the D registers read as Vn, as Vm, and as what is written later. Of A64 quad,
 * narrow and operands alone: data processing with an operand of 128 bits. */
struct insn_vector {
    enum vector_kind kind;
    bool quad;             /* of quadwords, where there are doublewords, too */
    bool narrow;           /* A64: of quadwords, but its result is half of a register or less */
    bool by_element;       /* the second operand is one element */
    uint8_t operands;      /* A64: read besides an accumulator, though it may be one register */
    uint8_t element_bytes; /* of the factors of a multiplication of integers */
    uint32_t n, m, d;
};

/* Registers and a number that an instruction of A32 or T32 adds, by their values before it:
 *
 *     base + (index shifted) + number
 *
 * Of an access, and of a preload of data: its lowest address; with indexed_after without the index.
 * A write-back puts base + index + step into the base. Of ADD, SUB, MOV, ADR and LSL by numbers:
 * what is written. Registers are bits, 0 for none; the PC is what it reads as, of T32 aligned. */
struct insn_sum {
    bool known;
    bool subtracts;          /* the index */
    bool indexed_after;      /* the index is of the write-back only */
    bool keeps_low_half;     /* MOVT: number, and the base's lower half */
    uint8_t shift_by, shift; /* enum insn_shift, and by how much */
    uint64_t base, index;
    int32_t number, step;
};

enum insn_shift { SHIFT_LSL, SHIFT_LSR, SHIFT_ASR, SHIFT_ROR /* by 0: RRX */ };

struct insn {
    uint16_t offset;   /* bytes from the start of the block */
    uint8_t size;      /* bytes of the instruction: 2 or 4 */
    uint8_t condition; /* 0..13 as encoded (IT blocks included; A64: of B.cond), 14 always */
    enum insn_class klass;
    enum branch_kind branch;
    enum insn_effect effect;
    bool links;              /* BL, BLX: a call */
    bool exchanges;          /* BX */
    bool other_isa;          /* BLX of an immediate: the target is in the other instruction set */
    bool shifts_by_register; /* a data-processing operand shifted by a register, or RRX */
    bool shifts_by_number;   /* A64: an operand of an addition or logical operation is shifted */
    bool word_by_half;       /* SMULWy, SMLAWy: a word times a half word */
    bool divides_signed;     /* SDIV of A32 and T32 */
    bool acquires;           /* A64: LDAR, LDAXR, LDAPR, CASA, LDADDA of a register ... */
    bool releases;           /* A64: STLR, STLXR, CASL, LDADDL ... */
    bool monitors;           /* A64: load-exclusive and store-exclusive */
    bool orders_stores; /* DMB, DSB, cache maintenance by CP15: the stores before it come first */
    bool converts;      /* VCVT and its like */
    bool doubles;       /* VFP arithmetic, comparison or conversion with a double in it */
    bool adds;          /* VADD and VSUB of VFP */
    bool multiplies;    /* VMUL and its like of VFP, with an accumulator or without */
    bool waits_for_interrupt;       /* WFI */
    bool compares_zero;             /* CBZ, CBNZ, TBZ, TBNZ: conditional without flags */
    bool reads_flags;               /* A64 only: B.cond, CSEL, ADC ... */
    bool writes_flags;              /* A64 only: ADDS, CMP, CCMP, FCMP ... */
    uint64_t target;                /* of BRANCH_IMMEDIATE, without the Thumb bit */
    enum insn_barrier barrier;      /* A64 only... */
    bool after_loads, after_stores; /* ...and the accesses before it that a DSB or DMB waits for */
    struct insn_memory memory;
    struct insn_work work; /* A64 only */
    struct insn_vector vector;
    struct insn_scalable scalable;
    struct insn_sum sum;
    uint64_t reads;       /* all registers read, flags for a condition included */
    uint64_t reads_early; /* those of reads needed a stage early: addresses, shifts, factors */
    uint64_t reads_late;  /* those of reads needed late: data of a store, accumulators */
    uint64_t reads_twice; /* that of reads which QDADD or QDSUB doubles */
    uint64_t writes;      /* all registers written, the base of a write-back included */
    uint64_t writes_back; /* those of writes that are the updated base (ready like an ALU result) */
    uint64_t writes_high; /* of a long multiply: the register of the result's upper half */
    uint64_t reads_first; /* A64: that of reads needed before the others: an index, an element */
    bool accumulates;     /* A64: has reads_late, though they may be needed early, too */
    uint8_t operations;   /* registers transferred (D registers for NEON) or, by TBL and TBX of A64,
                           * looked up; 2 for SWP; at least 1 */
};

/* A block, decoded. Never changes after decode. */
struct block {
    uint64_t address;
    uint32_t n_bytes;
    uint16_t n_insns;
    enum armpmu_isa isa;
    uint8_t it_before, it_after; /* ITSTATE around it (T32), 0 outside an IT block */
    bool it_open;                /* its id may name a block with another it_before, too */
    uint32_t index;              /* dense number of this block in its armpmu_code */
    uint32_t file;               /* as struct armpmu_block_source has it */
    struct insn insns[];
};

/* The register that the address of an access, or of a preload of data, is that of, but for a
 * number: sum.number. 0 where it is anything else. */
static inline uint64_t insn_plain_base(const struct insn *insn)
{
    const bool has_address = insn->memory.bytes > 0 || insn->klass == CLASS_PRELOAD;
    const bool is_plain = insn->sum.index == 0 || insn->sum.indexed_after;

    return has_address && is_plain && insn->sum.base != REG_PC ? insn->sum.base : 0;
}

static inline bool insn_is_conditional(const struct insn *insn)
{
    return insn->condition != 14 || insn->compares_zero;
}

/* Returns whether an access may be left out though the instruction executes: a condition, the
 * exclusive monitor, a predicate. Engines mark what follows, and the reader expects that they do.
 */
static inline bool insn_access_is_optional(const struct insn *insn)
{
    const struct insn_memory *const memory = &insn->memory;

    return memory->bytes != 0 &&
           (insn_is_conditional(insn) || (memory->exclusive && memory->store) || memory->partial);
}

/* Returns whether an access of AArch32 from an unaligned address faults whatever SCTLR.A says: of
 * several registers, exclusive ones, SWP, and those of VFP and NEON that state an alignment or have
 * one. Source: Arm DDI 0406C, A3.2.1, Unaligned data access. */
static inline bool insn_access_faults_unaligned(const struct insn *insn)
{
    const struct insn_memory *const memory = &insn->memory;

    return memory->neon ? memory->faults
                        : memory->multiple || memory->exclusive || (memory->load && memory->store);
}

/* How often an instruction accesses memory. */
enum mem_class {
    MEM_CLASS_NONE,
    MEM_CLASS_SINGLE,   /* once (SWP: a load and a store at one address) */
    MEM_CLASS_MULTIPLE, /* several registers or elements at rising addresses: LDM, LDRD, VLD1 */
};

static inline enum mem_class insn_mem_class(const struct insn *insn)
{
    if (insn->memory.bytes == 0)
        return MEM_CLASS_NONE;
    return insn->memory.multiple ? MEM_CLASS_MULTIPLE : MEM_CLASS_SINGLE;
}

struct decoder;

/* *out is owned by the caller, NULL on failure. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status decoder_new(struct decoder **out, struct armpmu_error *err);

/* The same without tables of instruction sets, which take a millisecond. decode_block makes them
 * when it needs them; before decode_single the decoder has to learn. */
ARMPMU_MUST_USE enum armpmu_status decoder_new_blank(struct decoder **out,
                                                     struct armpmu_error *err);

/* A32 and T32 are one. False without memory. */
ARMPMU_MUST_USE bool decoder_learn(struct decoder *decoder, enum armpmu_isa isa);

/* How long a vector of SVE is: 16 bytes at first. */
void decoder_set_vector(struct decoder *decoder, unsigned bytes);

/* NULL is fine. */
void decoder_free(struct decoder *decoder);

/* The most instructions a block may have: what a record of the trace can index. */
#define BLOCK_INSNS_MAX (ARMPMU_RECORD_INDEX_MAX + 1)

/* Decodes source into *out, which the caller frees with free(). it_before: ITSTATE at the first
 * instruction (T32), 0 when not inside an IT block. Bytes that are no instruction become an insn
 * with EFFECT_UNDEFINED (2 or 4 bytes by the T32 length rule); so do instructions whose bytes are
 * not there (4 bytes in A32, 2 in T32), so that a block always has source->n_insns instructions.
 * Returns ARMPMU_OK, ARMPMU_BAD_INPUT (more than BLOCK_INSNS_MAX, or beyond the end of the address
 * space: 32 bits, of A64 64) or ARMPMU_NO_MEMORY; *out is NULL on failure. One decoder serves one
 * thread at a time. */
ARMPMU_MUST_USE enum armpmu_status decode_block(struct decoder *decoder,
                                                const struct armpmu_block_source *source,
                                                uint8_t it_before, struct block **out);

/* Decodes one instruction, of `size` bytes, as if it lay at address 0. */
void decode_single(struct decoder *decoder, enum armpmu_isa isa, const uint8_t *bytes, uint8_t size,
                   uint8_t it_before, struct insn *out);

/* Tells A32 from T32 by an engine's text of the instruction in four bytes: "mnemonic operands".
 * False where the text is neither's or both's. */
ARMPMU_MUST_USE bool decode_isa_of_text(struct decoder *decoder, uint64_t address,
                                        const uint8_t *bytes, const char *text,
                                        enum armpmu_isa *isa);

#endif
