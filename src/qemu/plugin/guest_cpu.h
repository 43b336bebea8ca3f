/* A machine under system emulation whose processors have a live performance monitor.
 *
 *   guest.c              arguments, processors, running their traces through the core model
 *   guest_reset.c        resets from inside
 *   guest_translation.h  code blocks, as they are translated, and blocks of one instruction
 *   guest_pmu_access.c   of these, accesses to the monitor, of both execution states
 *   guest_aarch32.c      AArch32's registers; its translation, and maintenance of TLBs, caches and
 *                        prediction, for the model
 *   guest64.h            the same of AArch64, and what QEMU's processors lack there
 *   guest_memory.h       data accesses, and where their pages lie
 *   guest_mmu.c          what page tables say of memory
 *   guest_irq.h          the overflow interrupt, through the machine's interrupt controller
 *   guest_report.h       what the machine did, for armpmu or for a person
 *   guest_profile.c      and at which instructions
 *   guest_task.c         which task of a Linux guest runs, for that
 *
 * Here is what all of these know: the state of a processor that each code block and each access
 * needs, and the machine. What only one of them needs is in its own struct, by processor. */
#ifndef QEMU_PLUGIN_GUEST_CPU_H
#define QEMU_PLUGIN_GUEST_CPU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/profile.h"
#include "armpmu/sim.h"
#include "base/arm.h"
#include "base/compiler.h"
#include "cosim/emulated_cpu.h"
#include "cosim/model_queue.h"
#include "isa/block_store.h"
#include "qemu/plugin/abi.h"
#include "qemu/plugin/qemu_api.h"

/* The modules' own states, each in its module's header. */
struct execution_state;
struct guest64;
struct guest_irq;
struct guest_tables;

#define GUEST_CPUS_MAX   64u /* SYNC(guest-cpus) */
#define GUEST_PAGE_SHIFT 12
#define GUEST_PAGES      (1u << (32 - GUEST_PAGE_SHIFT))
#define GUEST_CORE_REGS  31u /* of AArch64 */
#define GUEST_PC         15u
#define GUEST_KNOWN      256u  /* pages; a power of two */
#define GUEST_RECORDS    4096u /* of a chunk: then it is passed on */
/* Room after them: what one block of at most 512 instructions may still write, with a MAP record
 * before each access. */
#define GUEST_SLACK     8192u
#define GUEST_ANNOUNCED 4u

/* Modes that matter here: User mode, and those in which addresses are translated by tables of their
 * own. */
enum guest_mode { GUEST_PRIVILEGED, GUEST_USER, GUEST_HYP, GUEST_MONITOR };

struct guest_cpu {
    /* Used by each code block and each access. */
    uint64_t *cursor, *limit; /* where the next record goes; after which to stop and look */
    uint64_t *block;          /* the current code block's BLOCK record */
    uint64_t *placed;         /* GUEST_PAGES: where pages lie, as the model knows it */
    const struct code_block *code_block; /* executing */
    struct guest_tables *tables; /* what is known of the guest's page tables; NULL: nothing */
    uint64_t *uncached;          /* a bit for each page, as the model knows it */
    uint64_t announced[GUEST_ANNOUNCED]; /* records for the model, before the next code block; 0:
                                          * none */
    enum guest_mode mode;                /* of the records that wait */
    bool moving;                         /* an instruction that may move pages executes */
    bool controls_changed; /* other counters count from the next code block on; see guest64.c */
    uint64_t known[2][GUEST_KNOWN]; /* [is a store]: see guest_memory.c */

    unsigned number;
    uint64_t *records; /* the queue's chunk; those that were written are before the cursor */
    struct armpmu_sim *sim;
    struct model_queue *queue;
    uint64_t passed, due; /* records since counts were last posted; how many there may be */
    struct monitors monitors;
    struct emulated_cpu emulated;
    uint64_t totals[2][ARMPMU_SIGNAL_COUNT]; /* [1]: in User mode */
    unsigned masks;                          /* of interrupts, as the model knows them */

    struct qemu_plugin_register *reg[GUEST_CORE_REGS], *pc, *cpsr, *sp; /* sp: of AArch64 */
    struct guest64 *a64;                                                /* NULL: AArch32 */
};

extern struct guest {
    struct armpmu_machine *machine;
    struct armpmu_code *code;
    struct monitor_cores cores; /* of each processor's monitors */
    const struct execution_state *state;
    uint64_t frames;    /* the highest physical page */
    bool follows_masks; /* the core has events of masked interrupts */
    bool has_icount;    /* QEMU counts instructions: see guest_irq.c and guest_reset.c */
    enum armpmu_profile_detail profile;
    bool keeps_accesses; /* the profile has data accesses */
    struct guest_irq *irq;
    struct guest_cpu *cpus[GUEST_CPUS_MAX];
    struct qemu_plugin_register *cpsr;
    _Atomic uint64_t epoch; /* moves on by GUEST_EPOCH when pages may have moved, from there */
} guest;

/* Says why and ends QEMU: a machine that runs on uncounted would show wrong numbers. */
void guest_die(const char *reason);

/* A record for the model, before the next code block. Two at most are of an instruction, one of the
 * masks, one of the task. */
static inline void guest_announce(struct guest_cpu *cpu, uint64_t record)
{
    unsigned i = 0;

    while (i < GUEST_ANNOUNCED - 1 && cpu->announced[i] != 0)
        i++;
    cpu->announced[i] = record;
}

/* Runs all records that wait through the model and gives their counts to the device. */
void guest_run(struct guest_cpu *cpu);

/* After a change of the device: how many records may gather before a counter could overflow unseen.
 */
void guest_set_limit(struct guest_cpu *cpu);

/* A code block starts executing; the same as a callback. */
void guest_enter(struct guest_cpu *cpu, const struct code_block *code_block);
void guest_on_code_block(unsigned vcpu, void *code_block);

/* Execution continues elsewhere, after a reset, with translation off. */
void guest_lose(struct guest_cpu *cpu);

/* ---- guest_reset.c ---- */

/* Before an instruction at which it may sleep; next: the address after it. */
void guest_waits(unsigned vcpu, void *next);

/* A processor stops, and continues. */
void guest_stops(struct guest_cpu *cpu);
void guest_goes_on(struct guest_cpu *cpu);

/* Returns whether code is the machine's first and must be watched for resets; execution reaches it.
 */
bool guest_is_boot(uint64_t address);
void guest_boots(unsigned vcpu, void *unused);

#endif
