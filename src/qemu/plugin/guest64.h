/* The processors of AArch64 machines, for the guest mode.
 *
 *   guest64.c                 their registers, and where an access to the monitors comes from
 *   guest64_sysreg_overlay.c  what QEMU's processor lacks of one that has these monitors
 *   guest64_controls.c        what counts in which Exception level
 *   guest64_memory_view.c     the memory-mapped view: the argument frame=
 *   guest64_trap.c            exceptions that a refused access is taken to
 *   guest64_sysops.c          translation and TLB maintenance, for the model
 *   guest64_amu_config.c      which unit the processors have: the argument amu=
 *   guest64_accesses.c        what the guest accessed: the argument accesses= */
#ifndef QEMU_PLUGIN_GUEST64_H
#define QEMU_PLUGIN_GUEST64_H

#include "isa/system_insn.h"
#include "qemu/plugin/guest_cpu.h"
#include "qemu/plugin/guest_translation.h"

enum guest64_state {
#define STATE(name) STATE_##name,
#define LACKS(op1, crn, crm, op2, lsb, bits, what)
#include "cosim/aarch64.def"
#undef STATE
#undef LACKS
    STATE_COUNT
};

struct guest64_access;

/* Values that the plugin keeps in the place of QEMU's processor. */
enum guest64_kept {
    KEPT_AMU_VERSION,
    KEPT_PMU_VERSION,
    KEPT_PMU_VERSION_32,
    KEPT_SCR_AMVOFFEN,
    KEPT_HCR_AMVOFFEN,
    KEPT_COUNT
};

/* Registers that say what counts, as the guest has written them. */
struct guest64_controls {
    uint64_t secure_control, mdcr_el2, mdcr_el3; /* the first: SCR_EL3 */
};

#define GUEST64_UNDEFINED 0u /* UDF #0 */

/* An exception on its way to an Exception level, see guest64_trap.c. */
struct guest64_trap {
    enum { TRAP_NONE, TRAP_CALLED, TRAP_ENTERED } stage;
    bool placed;           /* the stub is in the vector's place */
    uint64_t from;         /* the refused instruction */
    uint64_t at, physical; /* where the stub runs   */
    uint64_t value[5];     /* what the stub writes */
    uint64_t saved[5];     /* the registers that it is lent */
};

struct guest64 {
    struct qemu_plugin_register *state[STATE_COUNT]; /* NULL: this processor has none */
    uint64_t kept[KEPT_COUNT];
    bool has_el2, has_el3;
    uint64_t sctlr[4];                          /* of an Exception level */
    bool in_host;                               /* EL0 is that of a host in EL2 */
    const struct guest64_access *pending_fixup; /* a read that lacks something, just executed */
    struct guest64_trap trap[4];                /* to EL1, EL2 and EL3 */
    struct cosim_exception deferred; /* a trap that waits for the undefined instruction in the place
                                        of its own; level 0: none */
    bool control_written;            /* since `controls` were read */
    struct guest64_controls controls;
};

/* Xn, zero for XZR. */
static inline uint64_t guest64_register(const struct guest_cpu *cpu, unsigned n)
{
    return n < ZERO_REGISTER ? qemu_api_register_read(cpu->reg[n]) : 0;
}

/* A system register, zero where there is none. */
uint64_t guest64_state_of(const struct guest_cpu *cpu, enum guest64_state state);

/* Returns whether QEMU's processor has the register of an access, and would answer. */
bool guest64_qemu_has(uint32_t word);

/* An access to one of these is trapped: an undefined instruction will replace it. The callback
 * is of such an instruction. */
void guest64_defer_trap(struct guest_cpu *cpu, const struct cosim_exception *what);
void guest64_at_undefined(unsigned vcpu, void *address);

/* An access is trapped: QEMU's processor is about to take its Undefined exception. */
void guest64_trap(struct guest_cpu *cpu, uint64_t address, const struct cosim_exception *what);

/* An exception was taken to an address. */
void guest64_except(struct guest_cpu *cpu, uint64_t from, uint64_t to);

/* A processor was reset: it comes back from no stub. */
void guest64_forget_traps(struct guest_cpu *cpu);

/* While a block is translated: whether it is an stub's and none of the guest's; it is watched
 * then. */
bool guest64_is_stub(struct qemu_plugin_tb *tb);

/* Fields of system registers. Watches an instruction that is an access to such a register, and
 * one after it: their records, in the order of memory. */
void guest64_watch_fields(struct qemu_plugin_insn *insn, uint64_t address, uint32_t previous,
                          uint32_t word);

/* The instruction at an address caused an exception in place of what it does. */
void guest64_forget_read(struct guest_cpu *cpu, uint64_t from);

/* Returns whether an instruction writes a register that says what counts; watches the one after it.
 * After an exception, which may come in between, the registers are looked at, too. */
bool guest64_writes_control(uint32_t word);
void guest64_watch_controls(struct qemu_plugin_insn *insn, uint32_t previous);
void guest64_look_at_controls(struct guest_cpu *cpu);

/* As of struct execution_state. */
bool guest64_counting_changes(struct guest_cpu *cpu, enum guest_mode mode);
void guest64_change_counting(struct guest_cpu *cpu, enum guest_mode mode);

/* Tell the model of a change of translation, TLB maintenance; see guest_aarch32.c. */
bool guest64_is_sysop(enum armpmu_isa isa, uint32_t word);
void guest64_sysop(unsigned vcpu, void *access);
bool guest64_may_move_pages(enum armpmu_isa isa, uint32_t word);
enum guest_mode guest64_mode_of(uint32_t pstate);

/* Returns whether an instruction returns from an exception; execution reaches it. Ends QEMU when it
 * returns to AArch32. */
bool guest64_returns(uint32_t word);
void guest64_return(unsigned vcpu, void *unused);

void guest64_change_regime(struct guest_cpu *cpu, enum guest_mode from, enum guest_mode to);

/* Where the guest's accesses are listed at the end; path NULL: nowhere. Returns NULL, or what is
 * wrong. */
const char *guest64_accesses_open(const char *path);
void guest64_accesses_note(struct guest_cpu *cpu, const struct cosim_insn *insn,
                           const struct sysreg_insn *sysreg, enum armpmu_outcome outcome,
                           uint64_t value);
/* Writes the list. Returns false, having said so, when it is not whole. */
bool guest64_accesses_end(void);

/* Parses "ADDRESS" or "ADDRESS:STRIDE", of the memory-mapped view. Returns NULL, or what is wrong.
 */
const char *guest64_memory_view_parse(const char *text);

/* Watches an instruction that may read the view. Returns true if it did before: then it is a
 * block alone, and execution reaches it. */
bool guest64_memory_view_watch(struct qemu_plugin_insn *insn, uint64_t address, uint32_t word);
void guest64_memory_view_access(unsigned vcpu, void *access);

/* Parses "enabled", "v1p1" and "group1:N", joined by '+'. Returns NULL, or what is wrong. */
const char *guest64_amu_config_parse(const char *text);

/* The unit of a processor: what the arguments and the processor say. */
void guest64_amu_config_configure(const struct guest_cpu *cpu, struct armpmu_amu_config *config);
bool guest64_amu_config_is_v1p1(void);
void guest64_pmuv3_config_configure(const struct guest_cpu *cpu,
                                    struct armpmu_pmuv3_config *config);

/* After a reset: what the plugin keeps of the processor, and the unit as firmware leaves it. */
void guest64_begin(struct guest_cpu *cpu);

#endif
