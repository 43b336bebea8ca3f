/* A bare-metal program under the Unicorn library, with a live performance monitor.
 *
 *   engine.c           sets everything up, runs it to its end, says how it ended
 *   image.c            the program's file
 *   overwritten.c      which stores wrote over code
 *   limits.c           the host's time and interrupts
 *   board.c            memory, console, interrupt controller
 *   code_block.c       code blocks: decoded once, split at intercepted instructions
 *   trace_writer.c     executed blocks become records; their counts go to the device
 *   access.c           the instruction that an access of memory belongs to
 *   address_summary.c  addresses of a block's accesses, by the registers it begins with
 *   virtual_address.c  where the program accesses, for versions of the library that do not say
 *   early_accesses.c   accesses whose addresses are known before they happen
 *   processor.h        where AArch32 and AArch64 differ
 *   page_records.c     where the program's translation tables have its pages
 *   intercept.c        intercepted instructions, the system's and WFI
 *   pmu_access.c       the monitor's among them
 *   workarounds.h      what the library does wrong or does not offer, among it stops in IT blocks
 *   exception.c        exceptions as AArch32 takes them
 *   aarch64.h          the same of AArch64
 *   semihosting.c      the program's calls to its host: console, files, time
 *   host_files.c       files of the host, and which of them a program may have
 *   stimulus.c         pins and faults from the command line
 *   register_trace.c   --trace-regs
 *   vcd.c              --vcd
 *   gdb/               --gdb
 *
 * The library calls a hook at each block and at each access. Records gather and go through the
 * model when there are many, on a thread of its own, or before a counter is read. While
 * the monitor could raise an interrupt a hook at each instruction makes every instruction a block
 * of its own, and near an overflow each goes through the model at once: the interrupt comes after
 * the very instruction whose event made the counter wrap. */
#ifndef UNICORN_FIRMWARE_H
#define UNICORN_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "armpmu/pmu.h"
#include "armpmu/sim.h"
#include "base/arm.h"
#include "cosim/model_queue.h"
#include "cosim/monitors.h"
#include "cosim/task_stacks.h"
#include "machine/core_descriptor.h"
#include "unicorn/firmware_run.h"
#include "unicorn/address_summary.h"
#include "unicorn/image.h"
#include "unicorn/library.h"
#include "unicorn/processor.h"

/* A page that the program cannot have, at the end of AArch64's memory: see aarch64.h. */
#define FIRMWARE_TRAMPOLINE UINT64_C(0xffffffff000)
#define FIRMWARE_HOOKED_END (FIRMWARE_TRAMPOLINE - 1)
#define FIRMWARE_RECORDS    (1u << 15)
#define FIRMWARE_SLACK      8192u /* what one block of at most 512 instructions may write */
#define TB_CACHE            (1u << 14)

/* An IT instruction and its block: instructions, and records of the stream that they write, at
 * most.
 */
#define IT_BLOCK_INSNS   5u
#define IT_BLOCK_RECORDS 20u

/* The main loop's work before it continues. */
enum request {
    REQUEST_NONE,
    REQUEST_HOOKS,     /* intercepted instructions were found */
    REQUEST_WATCH,     /* to watch each instruction, or no longer  */
    REQUEST_TRANSLATE, /* .tb again */
    REQUEST_EXCEPTION, /* take one at .at */
    REQUEST_UNALIGNED, /* an LDR or STR as ARMv5 has it */
    REQUEST_IT_BLOCK,  /* to go through it an instruction at a time */
    REQUEST_END,
};

/* A run of the library that executes one instruction. */
enum stepping {
    STEPPING_NONE,
    STEPPING_BEGINS, /* its block comes next: it has been entered already */
    STEPPING_ENDS,   /* any other is after it */
};

/* An access that no memory answered, or from an unaligned address. */
struct bad_access {
    bool present, write, unaligned;
    uint64_t address;
    uint16_t index; /* of its instruction in the code block */
};

/* The modules' own states, each in its module's header. */
struct aarch64;
struct board;
struct code_blocks;
struct gdb;
struct it_translation;
struct limits;
struct overwritten;
struct page_records;
struct semihosting;
struct stimulus;
struct unaligned;
struct vcd;

struct code_block;
struct hook;
struct insn;
struct slot;
struct sysreg_insn;
struct tb;

/* The last access, as it was before it. */
struct last_access {
    bool write;
    uint64_t address;
    uint32_t slot_bytes;
    size_t n;      /* records */
    uint64_t word; /* the last of them */
};

struct firmware {
    const struct run *run;
    const struct firmware_setup *setup; /* of the run */
    const struct library *lib;
    uc_engine *uc;
    const struct core_descriptor *core;
    const struct processor *processor; /* the core's */
    struct aarch64 *a64;               /* NULL: AArch32 */
    struct page_records *pages;        /* NULL: the core's model does not ask */
    struct image image;
    struct board *board;
    struct semihosting *semihosting;
    struct code_blocks *code_blocks;
    struct stimulus *stimulus;

    struct armpmu_code *decoded;
    struct armpmu_sim *sim;
    struct monitor_cores cores;
    struct monitors monitors;
    uint64_t signals[ARMPMU_SIGNAL_COUNT]; /* since the start */

    /* The trace. */
    struct model_queue *queue;
    uint64_t *records; /* the chunk that gathers */
    bool passed;       /* chunks whose counts were not read */
    size_t n, limit;
    size_t block_at;                     /* the BLOCK record of the code block */
    uint64_t announced[2];               /* records before the next code block; 0: none */
    const struct code_block *code_block; /* executing */
    unsigned slot;                       /* of its accesses, the one that is open or comes next */
    uint32_t slot_bytes;                 /* what the open one has accessed; 0: it is not open */
    uint64_t slot_address;               /* where it began */
    struct last_access last;
    bool follows_world; /* whether events count depends on Secure state and User mode */
    struct tb *tb;      /* that is executing, or is to be translated */
    bool known_early;   /* the records of the code block's accesses are there already */
    /* Registers as the code block began with them, and which; .ran: what it does to them, NULL: it
     * is not known, or they are those of its end. */
    uint32_t values[ADDRESS_SUMMARY_VALUES];
    uint16_t known;
    const struct address_summary *ran;
    size_t first_access; /* of the code block, among the records */
    bool pages_known;    /* no record of a page is to be written for it */
    bool has_masks;      /* the core has events about them */
    unsigned masks;      /* ARMPMU_MASKS_ bits that the model knows */
    bool unfinished;     /* the code block may leave accesses out: its end is to be marked */
    bool has_tasks;      /* a profile tells them apart */
    struct task_stacks tasks;
    unsigned stack_effect; /* of the executing code block, */
    uint64_t stack_end;    /* which ends here */
    /* The library shows of accesses where memory is, virtual_address.h: */
    bool shows_physical;
    bool translates;               /* whether the program's addresses are others, */
    uint64_t translation_asked_at; /* when .insns were these */
    uint32_t page_bytes;           /* as the library parts accesses */
    unsigned parts;                /* callbacks to come for parts of an access, */
    uint64_t part_address;         /* the next of them here */

    /* The loop. */
    enum request request;
    enum exception exception;
    unsigned exception_kind; /* as ARMPMU_SYSTEM_EXCEPTION has it, 0: not announced */
    uint64_t at;             /* of an exception */
    unsigned executed;       /* instructions of the code block that it lets count */
    struct bad_access bad;
    struct unaligned *unaligned; /* NULL before the first access of that kind */
    bool undoes;                 /* what the library does is to be undone */
    bool watching, watch;        /* each instruction: now, and from the next start on */
    enum stepping stepping;
    uint32_t translated; /* instructions, since the library's translations were thrown away */
    struct it_translation *translation;
    uc_hook step_hook, access_hook;
    uint64_t block_end; /* of the library's */
    uint64_t after;     /* an instruction of the system that executes: what is not entered yet */
    uint32_t state;     /* of the CPSR: mode and T as they were lately */
    bool state_known;   /* and are when the code block ends */
    bool undisturbed; /* code blocks executed one after another since, and nothing is to be done */
    bool stopped;     /* execution stopped before a block, */
    uint64_t stopped_at; /* at this address */
    uint64_t return_at;  /* where a return from the entry function leads: no memory is there */
    uint64_t insns;      /* begun */
    uint64_t fpu_at;     /* the first instruction of an FPU that was off; UINT64_MAX: none */
    uint64_t max_insns;  /* UINT64_MAX: no limit */
    uint64_t insns_of_exception; /* the last one, */
    unsigned exceptions;         /* and how many came at that number */
    uint64_t trace_insns;        /* before the access that is traced */
    struct limits *limits;
    struct overwritten *overwritten;
    struct tb *cache[TB_CACHE];
    uint32_t epoch;                                /* of what plain_pages says, in steps of 2 */
    uint32_t plain_pages[1u << (32 - PAGE_SHIFT)]; /* see early_accesses.c */

    struct firmware_end *result;
    int interrupted;           /* the signal that ended it; 0: none, or the one to armpmu */
    struct armpmu_error error; /* of the model */
    struct vcd *vcd;           /* NULL: no waves */
    struct gdb *gdb;           /* NULL: no debugger */
    uint32_t starts;           /* of the library */
};

/* ---- registers ---- */

/* R0 to R15; X0 to X30. */
uint64_t processor_read(const struct firmware *fw, unsigned reg);
void processor_write(struct firmware *fw, unsigned reg, uint64_t value);
uint64_t processor_pc(const struct firmware *fw);
void processor_set_pc(struct firmware *fw, uint64_t address, enum armpmu_isa isa);
/* The CPSR; of AArch64 what matters of PSTATE, in the same places. */
uint32_t processor_status(const struct firmware *fw);

uint32_t processor_cpsr(const struct firmware *fw);
void processor_set_cpsr(struct firmware *fw, uint32_t value);
void processor_set_spsr(struct firmware *fw, uint32_t value);
/* A 32-bit register of CP15, MRC p15, 0, x, crn, crm, op2; 0 where the core has none. Of a banked
 * one, the register of the processor's Security state. */
uint32_t processor_cp15(const struct firmware *fw, unsigned crn, unsigned crm, unsigned op2);
void processor_set_cp15(struct firmware *fw, unsigned crn, unsigned crm, unsigned op2,
                        uint32_t value);

/* Sets bits of SCTLR, of both Security states. */
void processor_switch_on(struct firmware *fw, uint32_t bits);

/* The same of Secure state. */
uint32_t processor_secure_cp15(const struct firmware *fw, unsigned crn, unsigned crm, unsigned op2);
void processor_set_secure_cp15(struct firmware *fw, unsigned crn, unsigned crm, unsigned op2,
                               uint32_t value);
/* Returns whether it is in Secure state with this CPSR; a core without the security extensions
 * always. */
bool processor_is_secure(const struct firmware *fw, uint32_t cpsr);

/* The number of User mode, and of EL0, ends in zeros. */
static inline bool cpsr_is_user(uint32_t cpsr)
{
    return (cpsr & (CPSR_MODE >> 1)) == 0;
}

static inline enum armpmu_isa cpsr_isa(uint32_t cpsr)
{
    return !(cpsr & CPSR_AARCH32) ? ARMPMU_A64 : cpsr & CPSR_T ? ARMPMU_T32 : ARMPMU_A32;
}

/* ITSTATE of a CPSR; 0 in A32. */
static inline uint8_t it_of(uint32_t cpsr)
{
    return cpsr & CPSR_T ? it_of_cpsr(cpsr) : 0;
}

/* A word of the program's data as it lies in memory, or the other way round. */
static inline uint32_t image_word(const struct image *image, uint32_t word)
{
    return image->big_endian ? __builtin_bswap32(word) : word;
}

/* ---- the loop ---- */

/* Something happened besides code blocks one after another: registers are not what they left. */
static inline void firmware_disturb(struct firmware *fw)
{
    fw->undisturbed = fw->state_known = false;
    fw->known = 0;
    fw->ran = NULL;
}

/* Code is where none was, or pages may lie elsewhere. */
static inline void firmware_forget_pages(struct firmware *fw)
{
    fw->epoch += 2;
    if (fw->epoch != 0)
        return;
    memset(fw->plain_pages, 0, sizeof fw->plain_pages);
    fw->epoch = 2;
}

/* Reads the state with which the next code block executes. */
void firmware_read_state(struct firmware *fw);

/* A block of the library's begins, like the one before it or not. */
void firmware_enter_block(struct firmware *fw, uint64_t address, uint32_t size);

/* Ends emulation for something to do; the first request wins. */
void firmware_request(struct firmware *fw, enum request request);

/* Returns whether something is to be done, or an access found no memory, after which the library
 * enters one block more now and then. It forgets a stop when the PC is written after it: hooks that
 * find it running on stop it again. */
bool firmware_is_stopping(struct firmware *fw);

/* Takes an exception at an address after the first n instructions of the current code block (or
 * ARMPMU_RECORD_ALL), once emulation has stopped. */
void firmware_raise(struct firmware *fw, enum exception exception, uint64_t at, unsigned n);

/* The library has executed an instruction of the system and continues in the same block. */
void firmware_go_on(struct firmware *fw, uint64_t address, uint32_t cpsr);

/* Executes until there is something to do. */
uc_err firmware_execute(struct firmware *fw);

/* The result of a run of the library that ended with an error. */
void firmware_error(struct firmware *fw, uc_err error);

/* Ends the program with a status. */
void firmware_exit(struct firmware *fw, int status);

/* Ends it because it cannot continue; the user sees the sentence. */
__attribute__((format(printf, 3, 4))) void
firmware_stop(struct firmware *fw, enum engine_firmware_end how, const char *format, ...);

/* Ends it because the caller wants no more, and says why. */
void firmware_abandon(struct firmware *fw);

/* ---- access.c ---- */

void access_memory(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                   void *user);
bool access_bad(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                void *user);
/* Has the library call access_memory(). */
bool access_add_hook(struct firmware *fw);
/* The code block ended before its instruction n; fault: the address at which that one failed, if
 * has_fault. Takes back the records of what did not happen. */
void access_cut(struct firmware *fw, unsigned n, bool has_fault, uint64_t fault);
/* Execution has reached an instruction of the code_block: accesses from now on are its or later. */
void access_reach(struct firmware *fw, uint64_t address);

/* ---- unaligned.c ---- */

/* Returns whether something is to be done about an access from an address: it is unaligned, and
 * faults. */
bool unaligned_matters(const struct firmware *fw, uint64_t address, unsigned align, bool faults);
/* Such an access is about to happen: the processor returns to before its instruction. */
void unaligned_begin(struct firmware *fw, const struct slot *slot, uint64_t address, bool write);
/* Until it does, memory that is written is noted. */
void unaligned_note_write(struct firmware *fw, uint64_t address, unsigned size);
/* The library has stopped after it. */
void unaligned_end(struct firmware *fw);

/* Finds the address where the library itself refuses an instruction, without a call for the access:
 * version 2.1 refuses exclusive loads from unaligned addresses first. */
void unaligned_by_library(struct firmware *fw, uint64_t at);

/* Executes the LDR or STR at the PC, as ARMv5 does. */
void unaligned_transfer(struct firmware *fw);
void unaligned_free(struct firmware *fw);

/* ---- intercept.c ---- */

/* Hooks of intercepted instructions, and of instructions that tell accesses apart. */
void intercept_hook(uc_engine *uc, uint64_t address, uint32_t size, void *hook);
/* Execution is at an intercepted instruction: everything before it is counted; a pending interrupt
 * is taken, or the instruction acts and the PC is after it. The library itself executes
 * instructions of the system whose condition passes. */
void intercept_reach(struct firmware *fw, const struct hook *hook, uint32_t cpsr);
/* For AArch32. */
enum intercept_kind intercept_kind(const struct firmware *fw, enum armpmu_isa isa, uint32_t word,
                                   const struct insn *insn);
void intercept_act(struct firmware *fw, const struct hook *hook, uint32_t status);
/* The instruction becomes the executing code block; the library continues after it; WFI. */
void intercept_enter(struct firmware *fw, const struct hook *hook, uint32_t status);
void intercept_skip(struct firmware *fw, const struct hook *hook);
/* A preload, which does nothing but make this record. */
void intercept_preload(struct firmware *fw, const struct hook *hook, uint32_t status,
                       uint64_t record);
void intercept_sleep(struct firmware *fw, const struct hook *hook, uint32_t status);

/* ---- pmu_access.c ---- */

/* An access to the monitor. */
void intercept_access(struct firmware *fw, const struct hook *hook, uint32_t status);

/* ---- exception.c ---- */

#define EXCEPTION_CAUSE 96u /* bytes of what is said of one */

/* The cause of an abort without memory, in brackets after a space; "" for all others. */
void exception_cause(const struct firmware *fw, char *cause);
/* Neither zeros nor the header of an ELF file are a vector: CHOICE(firmware-vectors). */
bool exception_has_vector(const struct firmware *fw, uint64_t address);
/* Returns whether a line asks for an interrupt that the CPSR does not mask; then which. */
bool exception_pending(const struct firmware *fw, uint32_t cpsr, enum exception *out);
/* How many instructions of the executing code block precede an address. */
unsigned exception_insns_before(const struct firmware *fw, uint64_t address);

/* ---- register_trace.c ---- */

/* A line for an access to the monitor; before: the register's value before it. */
void trace_access(struct firmware *fw, uint64_t pc, const struct sysreg_insn *sysreg,
                  uint64_t value, uint32_t cpsr, enum armpmu_outcome outcome);

/* ---- stub.c ---- */

/* Takes the registers of the machine's [stub]. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status stub_set_up(struct firmware *fw, struct armpmu_error *err);
uc_err stub_map(struct firmware *fw);

/* ---- advice.c: what a beginner's firmware runs into ---- */

/* An Undefined Instruction is taken at fw->at. */
void advice_note_undefined(struct firmware *fw);
/* Returns whether the program is in a loop of one instruction that no interrupt can end. */
bool advice_is_stuck(struct firmware *fw);
/* The program has ended: fills in the result's advice. */
void advice_give(struct firmware *fw);

/* ---- gdb/ ---- */

/* Somebody is there who could end an endless loop. */
bool gdb_is_there(const struct firmware *fw);
/* The instruction at an address is about to execute: the program may stop there. */
void gdb_look(struct firmware *fw, uint64_t address);
/* An access, before it happens or after: watchpoints. */
void gdb_watch(struct firmware *fw, uint64_t address, unsigned size, bool write);

/* ---- vcd.c ---- */

/* The waves of what has changed, at the cycle that has been counted up to. */
void vcd_follow(struct firmware *fw);

void firmware_on_exception(uc_engine *uc, uint32_t number, void *user); /* a hook */

/* ---- engine_setup.c ---- */

/* A run and its modules' states, all zero; NULL without memory. */
struct firmware *firmware_new(void);

/* Makes what the run of fw->run needs. Returns as engine_firmware_run. */
ARMPMU_MUST_USE enum armpmu_status firmware_set_up(struct firmware *fw, struct armpmu_error *err);

/* Frees a run that was set up, or whose set-up failed. */
void firmware_free(struct firmware *fw);

#endif
