/* A processor of AArch64 with its Exception levels.
 *
 *   el_switch.c going to an Exception level; system registers
 *   exception64.c  exceptions, to whichever level they are taken
 *   intercept64.c intercepted instructions
 *   memory_view64.c the memory-mapped view of the activity monitors
 *
 * The library executes all of EL0 to EL3, with their registers and returns; exceptions it leaves to
 * us. It works out how it translates code (the level, floating point, alignment) when it returns
 * from an exception, and its interface cannot ask for that. So going to a level ends with an ERET,
 * in a page that the program cannot have. EL0 has no ERET: what comes from there begins with the
 * processor as it was when it went there, and EL0's registers are put back.
 *
 * Assumes: what code of EL0 changes is general, floating-point and thread registers. Does not
 * model: AArch32, SVE, virtual interrupts, interrupts of the generic timers; traps of floating
 * point, which the library never takes. */
#ifndef UNICORN_AARCH64_H
#define UNICORN_AARCH64_H

#include "cosim/amu_config.h"
#include "cosim/maintenance_insn64.h"
#include "unicorn/firmware.h"

/* System registers, op0 3, as system64_read() and system64_write() take them. */
#define SYSTEM64(op1, crn, crm, op2)                                                               \
    ((unsigned)(op1) << 11 | (unsigned)(crn) << 7 | (unsigned)(crm) << 3 | (unsigned)(op2))

enum system64 {
#define SYSTEM(name, op1, crn, crm, op2) SYSTEM_##name = SYSTEM64(op1, crn, crm, op2),
#include "unicorn/system64.def"
#undef SYSTEM
};

/* That of a level from 1 on: they differ in op1. */
#define SYSTEM_OF_LEVEL(name, level)                                                               \
    (enum system64)((SYSTEM_##name##_EL1 & ~SYSTEM64(7, 0, 0, 0)) |                                \
                    SYSTEM64((level) == 1 ? 0 : 2 * (level), 0, 0, 0))

struct aarch64 {
    unsigned highest; /* Exception level */
    struct amu_config unit;
    bool scr_amvoffen, hcr_amvoffen; /* fields that the library's processor does not have */
    uint64_t counter_hz;             /* CNTFRQ_EL0 */
    uc_context *above;               /* the library's processor when it last went to EL0 */
    uint64_t syndrome;               /* of an exception on its way: ESR_ELx */
    unsigned target;                 /* the level it must go to; 0: where its kind goes */
};

/* ---- el_switch.c ---- */

/* Takes the place of the library's processor. False when the library cannot do that. */
bool el_switch_start(struct firmware *fw);
uint32_t el_switch_pstate(const struct firmware *fw); /* as SPSR has it */
unsigned el_switch_now(const struct firmware *fw);
/* Goes on at an address with this PSTATE, of an Exception level from 1 on that is not below, with
 * its own stack pointer; the library does not run. */
void el_switch_go(struct firmware *fw, uint32_t pstate, uint64_t pc);
/* In front of an ERET to this PSTATE, which the library executes. */
void el_switch_leave(struct firmware *fw, uint32_t pstate);
/* The next code block executes with this PSTATE: where something else counts there, all before is
 * counted first. */
void el_switch_follow(struct firmware *fw, uint32_t pstate);
/* All before is counted, and a register that says what counts was written. */
void el_switch_show_controls(struct firmware *fw);
bool el_switch_has_el2(const struct firmware *fw); /* in the current security state */
/* SCTLR of the translation regime of a level. */
uint64_t el_switch_sctlr(const struct firmware *fw, unsigned level);

uint64_t system64_read(const struct firmware *fw, enum system64 reg);
void system64_write(struct firmware *fw, enum system64 reg, uint64_t value);

/* ---- exception64.c ---- */

/* An exception with a syndrome, at an address after n instructions of the code block; target 0:
 * the level that such exceptions go to. */
void exception64_raise(struct firmware *fw, uint64_t syndrome, unsigned target, uint64_t at,
                       unsigned n);

#define ESR_OF(class, iss) ((uint64_t)(class) << ESR_EC_LSB | ESR_IL | (iss))

/* ---- memory_view64.c ---- */

/* Maps the view at the job's address; false when something else is there. */
bool frame64_map(struct firmware *fw);

/* ---- intercept64.c ---- */

enum intercept_kind intercept64_kind(const struct firmware *fw, enum armpmu_isa isa, uint32_t word,
                                     const struct insn *insn);
void intercept64_act(struct firmware *fw, const struct hook *hook, uint32_t status);

#endif
