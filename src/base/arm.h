/* Bits of Arm's status and system registers, and ITSTATE: each once for the whole tree.
 *
 * A field is REGISTER_FIELD in the manuals' words. Where a field of AArch64 (SCTLR_ELx, SCR_EL3,
 * HCR_EL2, PSTATE) is also one of AArch32, it is in the same bit and has one name here. System
 * registers have 64 bits, so that ~ of a field keeps the upper half; of AArch32 the lower half
 * counts.
 *
 * Source: Arm DDI 0406C, B1.3 (CPSR, ITSTATE, modes), SCTLR, SCR; Arm DDI 0487, SPSR_ELx,
 * SCR_EL3, HCR_EL2, ESR_ELx. */
#ifndef BASE_ARM_H
#define BASE_ARM_H

#include <stdbool.h>
#include <stdint.h>

/* ---- CPSR of AArch32; N to V, A, I and F, and the bit of AArch32 are those of PSTATE as well ----
 */

#define CPSR_MODE    0x1fu
#define CPSR_AARCH32 (1u << 4) /* a bit of all its modes */
#define CPSR_T       (1u << 5)
#define CPSR_F       (1u << 6)
#define CPSR_I       (1u << 7)
#define CPSR_A       (1u << 8)
#define CPSR_E       (1u << 9)
#define CPSR_J       (1u << 24)
#define CPSR_IT      0x0600fc00u
#define CPSR_V       (1u << 28)
#define CPSR_C       (1u << 29)
#define CPSR_Z       (1u << 30)
#define CPSR_N       (1u << 31)
#define CPSR_NZCV    (CPSR_N | CPSR_Z | CPSR_C | CPSR_V)

enum arm_mode {
    MODE_USR = 0x10,
    MODE_FIQ = 0x11,
    MODE_IRQ = 0x12,
    MODE_SVC = 0x13,
    MODE_MON = 0x16,
    MODE_ABT = 0x17,
    MODE_HYP = 0x1a,
    MODE_UND = 0x1b,
    MODE_SYS = 0x1f,
};

/* ---- PSTATE of AArch64, as SPSR_ELx has it ---- */

#define PSTATE_SP    (1u << 0)
#define PSTATE_MODE  0x1fu /* EL, SP, and CPSR_AARCH32 */
#define PSTATE_LEVEL 0xfu  /* EL and SP */
#define PSTATE_DAIF  0x3c0u
#define PSTATE_BTYPE (3u << 10)
#define PSTATE_IL    (1u << 20)
#define PSTATE_SS    (1u << 21)
#define PSTATE_PAN   (1u << 22)
#define PSTATE_UAO   (1u << 23)

/* The Exception level. */
static inline unsigned pstate_level(uint32_t pstate)
{
    return pstate >> 2 & 3;
}

/* ---- system registers ---- */

#define SCTLR_M    (UINT64_C(1) << 0)
#define SCTLR_A    (UINT64_C(1) << 1)
#define SCTLR_C    (UINT64_C(1) << 2)
#define SCTLR_Z    (UINT64_C(1) << 11)
#define SCTLR_I    (UINT64_C(1) << 12)
#define SCTLR_V    (UINT64_C(1) << 13)
#define SCTLR_SPAN (UINT64_C(1) << 23)
#define SCTLR_EE   (UINT64_C(1) << 25)
#define SCTLR_UCI  (UINT64_C(1) << 26)
#define SCTLR_TRE  (UINT64_C(1) << 28)
#define SCTLR_TE   (UINT64_C(1) << 30)

#define SCR_NS           (UINT64_C(1) << 0)
#define SCR_IRQ          (UINT64_C(1) << 1)
#define SCR_FIQ          (UINT64_C(1) << 2)
#define SCR_EA           (UINT64_C(1) << 3)
#define SCR_FW           (UINT64_C(1) << 4) /* AArch32 */
#define SCR_AW           (UINT64_C(1) << 5) /* AArch32 */
#define SCR_SMD          (UINT64_C(1) << 7)
#define SCR_HCE          (UINT64_C(1) << 8)
#define SCR_RW           (UINT64_C(1) << 10)
#define SCR_EEL2         (UINT64_C(1) << 18)
#define SCR_AMVOFFEN_LSB 35

#define HCR_VM           (UINT64_C(1) << 0)
#define HCR_FMO          (UINT64_C(1) << 3)
#define HCR_IMO          (UINT64_C(1) << 4)
#define HCR_VIRTUAL      (UINT64_C(7) << 6) /* VF, VI, VSE */
#define HCR_TSC          (UINT64_C(1) << 19)
#define HCR_TGE          (UINT64_C(1) << 27)
#define HCR_HCD          (UINT64_C(1) << 29)
#define HCR_RW           (UINT64_C(1) << 31)
#define HCR_E2H          (UINT64_C(1) << 34)
#define HCR_TEA          (UINT64_C(1) << 37)
#define HCR_AMVOFFEN_LSB 51

/* ---- exceptions of AArch64 ---- */

#define ESR_EC_LSB 26
#define ESR_IL     (UINT64_C(1) << 25)

enum esr_class {
    EC_SVC = 0x15,
    EC_HVC = 0x16,
    EC_SMC = 0x17,
    EC_SYSTEM = 0x18,
    EC_FETCH = 0x20, /* from a lower level; +1: from the same */
    EC_PC_ALIGNMENT = 0x22,
    EC_DATA = 0x24,
    EC_BREAKPOINT = 0x3c,
};

#define VECTOR_LOWER 0x400u /* in the vector table: from a lower level in AArch64 */

#define PAGE_SHIFT 12 /* of the smallest page */

/* Number 31 of a general register where it reads as zero. */
#define ZERO_REGISTER 31u

/* ---- ITSTATE: the condition's upper three bits, then its last bit for this instruction and for
 * those that follow, ended by a one; 0 outside an IT block. half: an instruction's first halfword.
 */

/* The halfword of code at bytes. */
static inline uint32_t half_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline bool it_is_inside(uint8_t it)
{
    return (it & 0xf) != 0;
}

/* Returns whether a halfword of T32 is an IT instruction. */
static inline bool it_begins(uint32_t half)
{
    return (half & 0xff00) == 0xbf00 && (half & 0xf) != 0;
}

/* Returns whether a halfword is the first of a 32-bit T32 instruction. */
static inline bool t32_is_long(uint32_t half)
{
    return half >= 0xe800;
}

static inline unsigned t32_bytes(uint32_t half)
{
    return t32_is_long(half) ? 4 : 2;
}

/* After an instruction that is no IT: the manual's ITAdvance(). */
static inline uint8_t it_advance(uint8_t it)
{
    return (it & 7) == 0 ? 0 : (uint8_t)((it & 0xe0) | (it << 1 & 0x1f));
}

/* After any instruction of T32. */
static inline uint8_t it_after(uint8_t it, uint32_t half)
{
    return it_begins(half) ? (uint8_t)half : it_advance(it);
}

static inline uint8_t it_of_cpsr(uint32_t cpsr)
{
    return (uint8_t)((cpsr >> 8 & 0xfc) | (cpsr >> 25 & 3));
}

/* In the bits CPSR_IT. */
static inline uint32_t it_in_cpsr(uint8_t it)
{
    return (uint32_t)(it & 0xfc) << 8 | (uint32_t)(it & 3) << 25;
}

#endif
