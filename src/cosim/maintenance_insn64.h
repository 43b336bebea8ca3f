/* AArch64 system instructions that a core model must be told about; see maintenance_insn.h. */
#ifndef COSIM_MAINTENANCE_INSN64_H
#define COSIM_MAINTENANCE_INSN64_H

#include <stdint.h>

enum maintenance64 {
    OPERATION64_NONE,
    OPERATION64_TRANSLATION, /* MSR of a SCTLR: bit 0 switches translation */
    OPERATION64_HOST,        /* MSR HCR_EL2: whose translation EL0 has      */
    OPERATION64_TLB_ALL,
    OPERATION64_TLB_PAGE, /* the page is in bits 35 to 0 of the register  */
    OPERATION64_CACHE,    /* IC, and DC but DC ZVA: an address, or set and way, is there */
};

/* Returns which of these an instruction is. */
enum maintenance64 maintenance_insn64_of(uint32_t word);

/* For OPERATION64_TRANSLATION: the Exception level whose SCTLR it writes, when it executes in a
 * level with this HCR_EL2. */
unsigned maintenance_insn64_level(uint32_t word, unsigned level, uint64_t hcr_el2);

/* The word for the trace about maintenance of TLBs and caches with this register; 0 for others. */
uint64_t maintenance_insn64_record(uint32_t word, uint64_t value);

/* Returns what is off in a translation regime whose SCTLR has this value: without translation data
 * is Device memory, whatever C says (ARM DDI 0487, behavior when stage 1 is disabled). */
uint64_t maintenance_insn64_control(uint64_t sctlr);

/* The words for the trace when the regime is another, or has another SCTLR; words stay as they are
 * where nothing changes. */
void maintenance_insn64_change(uint64_t before, uint64_t after, uint64_t words[2]);

#endif
