/* Problems of a beginner's firmware on a bare core, in a sentence with what to do about it: an
 * FPU that is not enabled, an endless loop, caches that are off, a program for Linux.
 *
 * Leaves out: the FPU of AArch64. */
#include <inttypes.h>
#include <stdio.h>

#include "base/arm.h"
#include "isa/block_store.h"
#include "unicorn/aarch64.h"
#include "unicorn/board.h"

#define BRANCH_TO_SELF_A32 0xeafffffeu
#define BRANCH_TO_SELF_T32 0xe7feu
#define BRANCH_TO_SELF_A64 0x14000000u
#define LINUX_CALL_A32     0xef000000u /* SVC #0 */
#define LINUX_CALL_T32     0xdf00u
#define LINUX_CALL_A64     0xd4000001u
#define FPEXC_ENABLE       (1u << 30)
#define CPACR_FPU          (0xfu << 20)
/* A program as slow as this, and as long, waits for memory at each access. */
#define SLOW_INSNS  100000u
#define SLOW_CYCLES 8u /* an instruction */

static uint32_t word_at(const struct firmware *fw, uint64_t address)
{
    uint32_t word = 0;

    if (fw->lib->mem_read(fw->uc, address, &word, sizeof word) != UC_ERR_OK)
        return 0;
    return word;
}

/* ---- the FPU -----------------------------------------------------------------------------------
 */

/* Coprocessors 10 and 11, and what NEON has beside. T32 has its first half in the lower bits. */
static bool is_fpu_insn(uint32_t word, bool is_t32)
{
    const uint32_t insn = is_t32 ? word << 16 | word >> 16 : word;
    const bool coprocessor = ((insn >> 8 & 0xf) | 1) == 11 &&
                             ((insn >> 25 & 7) == 6 || (insn >> 24 & 0xf) == 0xe) &&
                             (!is_t32 || insn >> 29 == 7);
    const bool neon = is_t32 ? (insn >> 24 | 0x10) == 0xff || insn >> 24 == 0xf9
                             : insn >> 25 == 0x79 || (insn >> 24 == 0xf4 && !(insn >> 20 & 1));

    return coprocessor || neon;
}

static bool fpu_is_off(const struct firmware *fw)
{
    uint64_t fpexc = 0;

    if (fw->lib->reg_read(fw->uc, UC_ARM_REG_FPEXC, &fpexc) != UC_ERR_OK)
        return false;
    return (fpexc & FPEXC_ENABLE) == 0 || (processor_cp15(fw, 1, 0, 2) & CPACR_FPU) != CPACR_FPU;
}

void advice_note_undefined(struct firmware *fw)
{
    const bool is_t32 = (processor_status(fw) & CPSR_T) != 0;

    if (fw->fpu_at == UINT64_MAX && is_fpu_insn(word_at(fw, fw->at), is_t32) && fpu_is_off(fw))
        fw->fpu_at = fw->at;
}

static int advise_fpu(const struct firmware *fw, char *text, size_t size)
{
    if (fw->core->firmware.thumb2) /* those of Armv7 here have one */
        return snprintf(text, size,
                        "the instruction at 0x%08" PRIx64
                        " is the FPU's, which is off after a reset: enable it "
                        "first (CPACR, p15 0, c1, c0, 2: bits 20 to 23; then FPEXC.EN, bit 30), as "
                        "examples/startup does, or build with -mfloat-abi=soft",
                        fw->fpu_at);
    return snprintf(text, size,
                    "the instruction at 0x%08" PRIx64
                    " is an FPU's, and the %s has none: build with "
                    "-mfloat-abi=soft",
                    fw->fpu_at, fw->core->name);
}

/* ---- loops -------------------------------------------------------------------------------------
 */

static bool is_loop(const struct firmware *fw, uint64_t pc)
{
    const uint32_t word = word_at(fw, pc);

    if (fw->a64 != NULL)
        return word == BRANCH_TO_SELF_A64;
    if (processor_status(fw) & CPSR_T)
        return (word & 0xffff) == BRANCH_TO_SELF_T32;
    return word == BRANCH_TO_SELF_A32;
}

static bool is_masked(const struct firmware *fw)
{
    return (processor_status(fw) & (CPSR_I | CPSR_F)) == (CPSR_I | CPSR_F);
}

bool advice_is_stuck(struct firmware *fw)
{
    return fw->code_block != NULL && fw->code_block->n_insns == 1 &&
           is_loop(fw, fw->code_block->address) && is_masked(fw);
}

/* Names the exception whose handler the program loops in; NULL if it is in none. */
static const char *handled(const struct firmware *fw)
{
    const uint32_t mode = processor_status(fw) & CPSR_MODE;

    if (fw->a64 != NULL)
        return NULL;
    return mode == MODE_UND ? "an Undefined Instruction" : mode == MODE_ABT ? "an abort" : NULL;
}

static int advise_loop(const struct firmware *fw, char *text, size_t size)
{
    const char *const exception = handled(fw);

    if (exception != NULL)
        return snprintf(text, size,
                        "it loops at 0x%08" PRIx64 ", where it handles %s that LR says came from "
                        "about 0x%08" PRIx64 ": look there",
                        processor_pc(fw), exception, processor_read(fw, 14));
    return snprintf(text, size,
                    "the branch at 0x%08" PRIx64 " goes to itself%s: end the program by "
                    "semihosting's SYS_EXIT or a store of its status to 0x%08" PRIx64,
                    processor_pc(fw), is_masked(fw) ? " with interrupts masked" : "",
                    fw->board->devices + BOARD_EXIT);
}

/* ---- caches ------------------------------------------------------------------------------------
 */

static bool is_slow(const struct firmware *fw)
{
    const uint64_t insns = fw->signals[ARMPMU_SIGNAL_INST_RETIRED];

    return insns >= SLOW_INSNS && fw->signals[ARMPMU_SIGNAL_CPU_CYCLES] / insns >= SLOW_CYCLES;
}

/* Caches that are off. Data needs translation for its cache, but in a core with an MPU. */
struct caches_off {
    bool data, insns;
};

static struct caches_off caches_that_are_off(const struct firmware *fw)
{
    const uint64_t sctlr =
        fw->a64 != NULL ? el_switch_sctlr(fw, el_switch_now(fw)) : processor_cp15(fw, 1, 0, 0);
    const uint64_t needed = fw->core->firmware.mpu ? SCTLR_C : SCTLR_M | SCTLR_C;

    return (struct caches_off){(sctlr & needed) != needed, !(sctlr & SCTLR_I)};
}

static int advise_caches(const struct firmware *fw, struct caches_off off, char *text, size_t size)
{
    static const char *const forms[][4] = {
        {"instruction cache is", "fetch", "it", "bit 12"},
        {"data cache is", "load", "it", "bit 2"},
        {"caches are", "fetch and load", "them", "bits 2 and 12"},
    };
    const char *const *const form = forms[off.data + (off.data && off.insns)];

    return snprintf(
        text, size,
        "%.2f instructions a cycle: its %s off, as after a reset, so that each %s goes to memory: "
        "enable %s as the board's start-up code would (%s: %s%s), and as examples/startup does, or "
        "begin with --caches-on",
        (double)fw->signals[ARMPMU_SIGNAL_INST_RETIRED] /
            (double)fw->signals[ARMPMU_SIGNAL_CPU_CYCLES],
        form[0], form[1], form[2], fw->a64 != NULL ? "SCTLR_ELx" : "SCTLR, p15 0, c1, c0, 0",
        form[3], off.data && !fw->core->firmware.mpu ? " and, with page tables, bit 0" : "");
}

/* ---- programs for Linux ------------------------------------------------------------------------
 */

/* Returns whether the program ended by SVC #0, which calls Linux: an assembler's file may have no
 * other mark of it. */
static bool called_linux(const struct firmware *fw)
{
    const uint64_t pc = processor_pc(fw);

    if (fw->result->end != ENGINE_FIRMWARE_FAULT)
        return false;
    if (fw->a64 != NULL)
        return fw->exception == EXCEPTION_SYNCHRONOUS && word_at(fw, pc - 4) == LINUX_CALL_A64;
    return fw->exception == EXCEPTION_SVC && (word_at(fw, pc - 4) == LINUX_CALL_A32 ||
                                              (word_at(fw, pc - 2) & 0xffff) == LINUX_CALL_T32);
}

void advice_give(struct firmware *fw)
{
    struct firmware_end *const out = fw->result;
    const struct caches_off off = caches_that_are_off(fw);

    if (fw->fpu_at != UINT64_MAX && out->end != ENGINE_FIRMWARE_EXIT)
        advise_fpu(fw, out->advice, sizeof out->advice);
    else if (out->end != ENGINE_FIRMWARE_EXIT && is_loop(fw, processor_pc(fw)))
        advise_loop(fw, out->advice, sizeof out->advice);
    else if (called_linux(fw))
        snprintf(out->advice, sizeof out->advice,
                 "SVC #0 is what calls Linux: if this is a program for Linux, whose file does not "
                 "say so, 'armpmu stat --engine qemu' runs it");
    else if (is_slow(fw) && (off.data || off.insns))
        advise_caches(fw, off, out->advice, sizeof out->advice);
}
