/* Code of a machine, as QEMU translates it: code blocks, blocks of one instruction, and what
 * differs between the execution states. */
#ifndef QEMU_PLUGIN_GUEST_TRANSLATION_H
#define QEMU_PLUGIN_GUEST_TRANSLATION_H

#include "qemu/plugin/guest_cpu.h"

void guest_translate(struct qemu_plugin_tb *tb);

/* The code block of no instructions at a code block's address, which says that execution arrives
 * there. */
const struct code_block *guest_arrival(const struct code_block *code_block);

/* struct armpmu_block_lookup for the code blocks. */
bool guest_lookup(void *user, uint32_t id, struct armpmu_block_source *out);

/* An instruction that is a block of its own, because it may access the performance monitor or
 * because nothing but its condition tells whether it counts. */
struct pmu_access {
    const struct code_block *before; /* of no instruction: ends what comes before */
    const struct code_block *own;    /* the instruction alone */
    const struct code_block *failed; /* the same when its condition fails: a NOP */
    uint32_t word;                   /* T32 with its first halfword high */
};

/* ---- guest_pmu_access.c ---- */

/* The condition it depends on, of its own or of its IT block. */
unsigned guest_condition(const struct pmu_access *access);

/* Execution reaches an access to the monitor; may not return. */
void guest_access(unsigned vcpu, void *access);

/* Gives a processor that starts what guest_access needs: after its monitor. */
void guest_pmu_connect(struct guest_cpu *cpu);

/* An undefined instruction replaces the one at an address until its exception is taken. Then the
 * code is restored; after a reset it is not, since other code may be there. */
bool guest_is_refused(const struct guest_cpu *cpu, uint64_t address);
void guest_undo_refusal(struct guest_cpu *cpu);
void guest_forget_refusal(const struct guest_cpu *cpu);

/* ---- guest_aarch32.c, guest64.c ---- */

/* Which interrupts are masked. On a core with events that depend on it a block of QEMU begins with
 * this: it changes between blocks only. */
void guest_look_at_masks(unsigned vcpu, void *unused);

/* The differences between the execution states AArch32 and AArch64: a row for each. NULL: nothing
 * is to be done. */
struct execution_state {
    unsigned n_regs; /* R0 to R14, X0 to X30 */
    uint64_t frames; /* the highest physical page */
    /* Takes the arguments amu=, frame= and accesses=. Returns NULL, or what is wrong. */
    const char *(*parse)(const char *amu, const char *frame, const char *accesses);
    /* The registers of a processor that starts; ends QEMU when it is none of this state. */
    void (*find)(struct guest_cpu *cpu, const struct qemu_api_array *registers);
    void (*configure)(const struct guest_cpu *cpu, struct armpmu_config *config);
    /* After a reset. */
    void (*begin)(struct guest_cpu *cpu);
    /* At the end; false, having said so, when a file is not whole. */
    bool (*end)(void);

    enum guest_mode (*mode_of)(uint32_t psr);
    /* An exception was taken. */
    void (*except)(struct guest_cpu *cpu, uint64_t from, uint64_t to);
    /* The processor goes from one mode's translation to another's. */
    void (*change_regime)(struct guest_cpu *cpu, enum guest_mode from, enum guest_mode to);
    /* Returns whether something else counts from here on, in a mode; then the monitors are told so.
     * NULL: what counts in which mode is posted so. */
    bool (*counting_changes)(struct guest_cpu *cpu, enum guest_mode mode);
    void (*change_counting)(struct guest_cpu *cpu, enum guest_mode mode);

    /* Returns whether an instruction is one that the core model must hear of; execution reaches it.
     */
    bool (*is_sysop)(enum armpmu_isa isa, uint32_t word);
    qemu_vcpu_udata_cb sysop;
    /* Returns whether an instruction may change where pages lie, or which of them are memory. */
    bool (*may_move_pages)(enum armpmu_isa isa, uint32_t word);
    /* While a block is translated: whether it is none of the guest's. */
    bool (*is_foreign)(struct qemu_plugin_tb *tb);
    /* Watches an instruction for what QEMU's processor lacks; previous: the one before it. */
    void (*watch)(struct qemu_plugin_insn *insn, uint64_t address, uint32_t previous,
                  uint32_t word);
    /* Watches an instruction that may read the memory-mapped view. Returns true if it did
     * before: then it is a block alone, and execution reaches it. */
    bool (*watch_view)(struct qemu_plugin_insn *insn, uint64_t address, uint32_t word);
    qemu_vcpu_udata_cb view_access;

    /* The same as in struct emulated_cpu_ops. Without show_state, the pin USER_MODE alone is set.
     */
    void (*show_state)(struct guest_cpu *cpu, uint32_t status);
    void (*trap)(struct guest_cpu *cpu, uint64_t address, const struct cosim_exception *what);
    /* Returns whether QEMU's processor would perform an access that the monitor refuses; such a
     * trap is put off until an undefined instruction has replaced it. NULL: it would. */
    bool (*qemu_has)(uint32_t word);
    void (*defer_trap)(struct guest_cpu *cpu, const struct cosim_exception *what);
    void (*accessed)(struct guest_cpu *cpu, const struct cosim_insn *insn,
                     const struct sysreg_insn *sysreg, enum armpmu_outcome outcome, uint64_t value);
};

extern const struct execution_state guest_aarch32, guest_aarch64;

#endif
