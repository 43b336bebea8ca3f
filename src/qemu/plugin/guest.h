/* A machine under system emulation whose processors have a live performance monitor.
 *
 *   guest.c              arguments, processors, running their traces through the core model
 *   guest_translation.c  code blocks, as they are translated
 *   guest_memory.c       data accesses, and where their pages lie
 *   guest_mmu.c          what page tables say of memory
 *   guest_pmu_access.c   the guest's accesses to its monitor, of both execution states
 *   guest_aarch32.c      AArch32's registers; its translation, and maintenance of TLBs, caches and
 *                        prediction, for the model
 *   guest64.h            the same of AArch64, and what QEMU's processors lack there
 *   guest_reset.c        resets from inside
 *   guest_irq.c          the overflow interrupt, through the machine's interrupt controller
 *   guest_report.c       what the machine did, for armpmu or for a person
 *   guest_profile.c      and at which instructions
 *   guest_task.c         which task of a Linux guest runs, for that */
#ifndef QEMU_PLUGIN_GUEST_H
#define QEMU_PLUGIN_GUEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/pmu.h"
#include "armpmu/profile.h"
#include "armpmu/sim.h"
#include "base/arm.h"
#include "base/compiler.h"
#include "cosim/emulated_cpu.h"
#include "cosim/model_queue.h"
#include "cosim/page_walk.h"
#include "isa/block_store.h"
#include "qemu/plugin/abi.h"
#include "qemu/plugin/qemu_api.h"
#include "isa/insn.h"

struct guest64; /* what processors of AArch64 have beside this, see guest64.h */
struct guest_cpu;

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

/* An instruction of a code block, for the callbacks of its accesses. */
struct insn_place {
    const struct code_block *code_block;
    uint64_t address;
    uint16_t index;
};

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
    const struct code_block *refused; /* an undefined instruction stands in its place for once, */
    uint64_t refused_at;              /* at this physical address; UINT64_MAX: not known */
    bool line_changed;                /* of the interrupt, since it was last passed on */
    bool line_repeats;                /* it is asserted, and must be passed on again */
    unsigned clears_seen;             /* see guest_irq.c */
    bool at_block_end;                /* the last instruction of QEMU's block is about to execute */

    /* Of a profile: see guest_task.c. */
    uint32_t context;     /* that the model was told, 0 at first */
    uint64_t task;        /* its address; 0: none is known */
    uint64_t user_tables; /* TTBR0 */
    bool tables_changed;  /* since User mode was entered last */

    uint64_t stopped_at;                   /* PC */
    const uint64_t *waits_from;            /* what was written when it last began to wait */
    bool has_booted;                       /* these are known: */
    uint64_t at_boot[GUEST_CORE_REGS + 1]; /* r0 to r14, or x0 to x30, and CPSR at its first
                                              instruction */

    struct qemu_plugin_register *reg[GUEST_CORE_REGS], *pc, *cpsr, *sp; /* sp: of AArch64 */
    struct guest64 *a64;                                                /* NULL: AArch32 */
};

/* What differs between the execution states AArch32 and AArch64: a row for each. NULL: nothing is
 * to be done. */
struct execution_state {
    unsigned n_regs; /* R0 to R14, X0 to X30 */
    uint64_t frames; /* the highest physical page */
    /* What the arguments amu=, frame= and accesses= say. Returns NULL, or what is wrong. */
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
    /* Whether something else counts from here on, in a mode; then the monitors are told so. NULL:
     * what counts in which mode is posted so. */
    bool (*counting_changes)(struct guest_cpu *cpu, enum guest_mode mode);
    void (*change_counting)(struct guest_cpu *cpu, enum guest_mode mode);

    /* Whether an instruction is one that the core model must hear of; execution reaches it. */
    bool (*is_sysop)(enum armpmu_isa isa, uint32_t word);
    qemu_vcpu_udata_cb sysop;
    /* Whether an instruction may change where pages lie, or which of them are memory. */
    bool (*may_move_pages)(enum armpmu_isa isa, uint32_t word);
    /* While a block is translated: whether it is none of the guest's. */
    bool (*is_foreign)(struct qemu_plugin_tb *tb);
    /* Watches an instruction for what QEMU's processor lacks; previous: the one before it. */
    void (*watch)(struct qemu_plugin_insn *insn, uint64_t address, uint32_t previous,
                  uint32_t word);
    /* Watches an instruction that may read the memory-mapped view. Returns whether it did before:
     * then it stands alone, and execution reaches it. */
    bool (*watch_view)(struct qemu_plugin_insn *insn, uint64_t address, uint32_t word);
    qemu_vcpu_udata_cb view_access;

    /* Of struct emulated_cpu_ops; show_state NULL: the pin USER_MODE. */
    void (*show_state)(struct guest_cpu *cpu, uint32_t status);
    void (*trap)(struct guest_cpu *cpu, uint64_t address, const struct cosim_exception *what);
    /* Whether QEMU's processor would perform an access that the monitor refuses; such a trap is put
     * off until an undefined instruction stands in its place. NULL: it would. */
    bool (*qemu_has)(uint32_t word);
    void (*defer_trap)(struct guest_cpu *cpu, const struct cosim_exception *what);
    void (*accessed)(struct guest_cpu *cpu, const struct cosim_insn *insn,
                     const struct sysreg_insn *sysreg, enum armpmu_outcome outcome, uint64_t value);
};

extern const struct execution_state guest_aarch32, guest_aarch64;

/* How overflow interrupts reach the guest: controller NULL: not at all. */
struct guest_irq {
    const struct irq_controller *controller;
    uint64_t base; /* physical address of its registers */
    uint64_t own;  /* of the first processor's private ones, from GIC version 3 on; 0: not known */
    _Atomic unsigned version; /* of the GIC; 0: nobody has looked yet */
    uint16_t number[GUEST_CPUS_MAX];
    unsigned n_numbers; /* 1: of all processors, else each processor's own */
    bool at_block_end;  /* with -icount: raised before a block's last instruction */
};

extern struct guest {
    struct armpmu_machine *machine;
    struct armpmu_code *code;
    struct monitor_cores cores; /* of each processor's monitors */
    const struct execution_state *state;
    bool follows_masks; /* the core has events of masked interrupts */
    enum armpmu_profile_detail profile;
    struct guest_irq irq;
    struct guest_cpu *cpus[GUEST_CPUS_MAX];
    struct qemu_plugin_register *cpsr;
    _Atomic uint64_t epoch; /* moves on by GUEST_EPOCH when pages may have moved, from there */
} guest;

/* Says why and ends QEMU: a machine that goes on uncounted would show wrong numbers. */
void guest_die(const char *reason);

/* Where reports go, and after how many cycles; see guest_report.c. keeps_running: a file that
 * cannot be written to any more ends the reports, not the machine. */
const char *guest_report_open(const char *path, uint64_t every_cycles, bool keeps_running);

/* Reports are made while the machine runs. */
bool guest_report_runs(void);

/* After counting: writes a report when one is due; at the end the last one, which says whether the
 * list of accesses is written. */
void guest_report_follow(const struct guest_cpu *cpu);
void guest_report_end(bool accesses_written);

/* Before a write to the monitor: where marks are asked for, a report before each of PMNC. */
void guest_report_mark(const struct armpmu_encoding *at);

/* Marks are asked for. */
void guest_report_marks(void);

/* The files of a profile's rows. SYNC(guest-profile) */
enum { GUEST_PROFILE_KERNEL = 1, GUEST_PROFILE_USER };

/* The argument profile=. Returns NULL, or what is wrong. */
const char *guest_profile_parse(const char *text);

/* At the end: ends the traces of all processors; then writes the profile's part of the report. */
void guest_profile_finish(void);
void guest_profile_write(FILE *stream);

/* Of a profile: watches an instruction that may change which task runs; User mode is about to be
 * entered; writes the tasks' part of the report. */
void guest_task_watch(struct qemu_plugin_insn *insn, enum armpmu_isa isa, uint32_t word);
void guest_task_enters_user(struct guest_cpu *cpu);
void guest_task_write(FILE *stream);

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

/* An exception is taken after the first n instructions of the current code block, or
 * ARMPMU_RECORD_ALL; then next is where execution would have gone on. */
void guest_except(struct guest_cpu *cpu, unsigned n, uint64_t next);

/* Execution goes on elsewhere, after a reset, with translation off. */
void guest_lose(struct guest_cpu *cpu);

/* Before an instruction at which it may sleep; next: the address after it. */
void guest_waits(unsigned vcpu, void *next);

/* A processor stands still, and goes on. */
void guest_stops(struct guest_cpu *cpu);
void guest_goes_on(struct guest_cpu *cpu);

/* Whether code is the machine's first and must be watched for resets; execution reaches it. */
bool guest_is_boot(uint64_t address);
void guest_boots(unsigned vcpu, void *unused);

/* Above the number of a page, so that one word has both. */
#define GUEST_EPOCH (ARMPMU_RECORD_WIDE_PAGE + 1)

/* Pages of any processor may have moved: which are memory, and where, is asked anew. */
static inline void guest_pages_move(void)
{
    atomic_fetch_add_explicit(&guest.epoch, GUEST_EPOCH, memory_order_release);
}

static inline uint64_t guest_page_of(uint64_t address)
{
    return address >> GUEST_PAGE_SHIFT & ARMPMU_RECORD_WIDE_PAGE;
}

static inline uint64_t guest_frame_of(uint64_t physical)
{
    return physical >> GUEST_PAGE_SHIFT & guest.state->frames;
}

/* Pages of 48-bit addresses share the entries of `placed`: the value says which of them it is. */
static inline uint64_t guest_placed_as(uint64_t page, uint64_t frame)
{
    return page / GUEST_PAGES << 48 | frame;
}

static inline bool guest_is_placed(const struct guest_cpu *cpu, uint64_t page, uint64_t frame)
{
    return cpu->placed[page % GUEST_PAGES] == guest_placed_as(page, frame);
}

#define GUEST_PLACE_WORDS 2u

/* Tells the model where a page lies. Returns how many records that took. */
static inline unsigned guest_place(struct guest_cpu *cpu, uint64_t page, uint64_t frame,
                                   uint64_t records[GUEST_PLACE_WORDS])
{
    cpu->placed[page % GUEST_PAGES] = guest_placed_as(page, frame);
    if (cpu->uncached != NULL)
        cpu->uncached[page % GUEST_PAGES / 64] &= ~(UINT64_C(1) << page % 64);
    if (page < GUEST_PAGES && frame < GUEST_PAGES) {
        records[0] = armpmu_record(ARMPMU_RECORD_MAP, 0) | page << ARMPMU_RECORD_PAGE_LSB | frame;
        return 1;
    }
    records[0] = armpmu_record(ARMPMU_RECORD_MAP64, 0) | page;
    records[1] = frame;
    return 2;
}

/* moved: the page lies elsewhere than before. All memory counts as cached while nothing is known.
 */
enum page_memory guest_memory_of(struct guest_cpu *cpu, uint64_t page, bool moved);

/* Gives a processor of AArch32 that starts what it needs for that. */
void guest_tables_new(struct guest_cpu *cpu, const struct qemu_api_array *registers);

/* The processor was reset: translation is off. */
void guest_tables_reset(struct guest_cpu *cpu);

/* Whether an instruction writes a register of translation or maintains TLBs; execution reaches it.
 */
bool guest_writes_tables(enum armpmu_isa isa, uint32_t word);
void guest_tables_written(unsigned vcpu, void *word);

static inline bool guest_is_user(uint32_t cpsr)
{
    return (cpsr & CPSR_MODE) == MODE_USR;
}

void guest_translate(struct qemu_plugin_tb *tb);

/* Has the accesses of an instruction written down. */
void guest_watch_accesses(struct qemu_plugin_insn *insn, enum mem_class mem_class,
                          struct insn_place *place);

/* The current code block, of one instruction, has accessed the word at a virtual address; QEMU does
 * not know of it. */
void guest_memory_accessed(struct guest_cpu *cpu, uint64_t address);

/* The code block of no instructions at a code block's address, which says that execution arrives
 * there. */
const struct code_block *guest_arrival(const struct code_block *code_block);

/* struct armpmu_block_lookup for the code_blocks. */
bool guest_lookup(void *user, uint32_t id, struct armpmu_block_source *out);

/* An instruction that stands alone, because it may access the performance monitor or because
 * nothing but its condition tells whether it counts. */
struct pmu_access {
    const struct code_block *before; /* of no instruction: ends what comes before */
    const struct code_block *own;    /* the instruction alone */
    const struct code_block *failed; /* the same when its condition fails: a NOP */
    uint32_t word;                   /* T32 with its first halfword high */
};

/* The condition it depends on, of its own or of its IT block. */
unsigned guest_condition(const struct pmu_access *access);

/* Execution reaches an access to the monitor; may not return. */
void guest_access(unsigned vcpu, void *access);

/* Gives a processor that starts what guest_access needs: after its monitor. */
void guest_pmu_connect(struct guest_cpu *cpu);

/* Which interrupts are masked. On a core with events that depend on it a block of QEMU begins with
 * this: it changes between blocks only. */
void guest_look_at_masks(unsigned vcpu, void *unused);

/* Execution reaches an instruction that may_move_pages. */
void guest_moves_pages(unsigned vcpu, void *unused);

/* After an exception was taken: what was put in place of an instruction goes. */
void guest_undo_refusal(struct guest_cpu *cpu);

/* Parses "none", "gic:NUMBER", "gic@ADDRESS:NUMBER+NUMBER", "vic:NUMBER". board: QEMU's machine, ""
 * when it is not known. Returns NULL, or what is wrong. */
const char *guest_irq_parse(const char *text, const char *board, struct guest_irq *irq);

/* The interrupt that a board's device tree gives the core's monitor, or "none". */
const char *guest_irq_usual(const struct armpmu_core *core, const char *board);

/* Whether there is an interrupt for a processor. Returns NULL, or what is wrong. */
const char *guest_irq_check(const struct guest_irq *irq, unsigned cpu);

/* Passes a change of the line on. */
void guest_irq_follow(struct guest_cpu *cpu);

/* The guest has accessed a device, perhaps the interrupt controller. */
void guest_irq_device_accessed(struct guest_cpu *cpu);

#endif
