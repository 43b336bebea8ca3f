/* The recorder: writes what a program executes into the memory shared with armpmu.
 *
 *   recorder.c              its state, and its start
 *   recorder_watch.c        the end of armpmu
 *   recorder_traces.c       the place where each thread writes
 *   recorder_callbacks.c    what it writes there while blocks execute
 *   recorder_syscalls.c     and around system calls
 *   recorder_mappings.c     and after those that map memory
 *   recorder_signals.c      and when it gets a signal for a fault
 *   recorder_maintenance.c  and where it makes code known that it has written
 *   recorder_addresses.c    addresses that QEMU does not tell: of preloads, of DC ZVA
 *   recorder_allocations.c  blocks of memory that the program gets
 *   recorder_scalable.c     predicates of SVE, and the accesses that depend on them
 *   recorder_registers.c    the registers that these look at
 *   recorder_processes.c    processes and threads that come and go
 *   recorder_translation.c  blocks, as they are translated
 *   recorder_counts.c       all there is where only instructions are asked for
 *
 *   translate  a block gets an id and a definition (address, code), and callbacks
 *   flush      all blocks so far are gone: a new generation of ids begins
 *   execute    a BLOCK record when a block starts, an ACCESS or BURST record after each access, a
 *              PROGRESS record after a conditional access, SYSCALL and SYSRET around system calls
 *
 * Each thread of the program writes one trace. Where it writes next is in a table that is indexed
 * by QEMU's vCPU number and mapped from the shared memory to a fixed place (recorder_callbacks.h).
 * (A thread-local pointer in place of the table cost 9 % of the time of a program that hashes.)
 * When a program forks, the child's table is another part of the shared memory, and all its traces
 * are new.
 *
 * Where a program executes another one (exec_follow.h), the trace ends after its SYSCALL record,
 * and the recorder of the new QEMU begins as if a process had started.
 *
 * Leaves out: system emulation, big-endian programs, host programs that the program executes. */
#ifndef QEMU_PLUGIN_RECORDER_INTERNAL_H
#define QEMU_PLUGIN_RECORDER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "qemu/plugin/abi.h"
#include "qemu/plugin/tb_info.h"
#include "qemu/ring/layout.h"

/* How long a producer sleeps before it looks whether armpmu is still alive. */
#define ARMPMU_POLL_NS 500000000L

#define SEGMENT_NONE UINT32_MAX

struct recorder {
    void *ring;
    struct ring_header *header;
    pthread_mutex_t lock;    /* the fields below and the block index                   */
    struct intern blocks;    /* see block_index.h */
    uint32_t process;        /* number of this process                                 */
    uint32_t generation;     /* how often QEMU has thrown its translations away        */
    uint32_t segment;        /* where blocks are defined now, SEGMENT_NONE for nowhere */
    uint32_t segment_blocks; /* of it, how much is taken                               */
    uint64_t segment_text;
    unsigned vector_bytes;              /* of a scalable vector, 0 where the core has none        */
    int descriptor;                     /* of the ring while a thread is to take it, else -1 */
    _Atomic uint32_t kept;              /* futex: whether it has                                  */
    uint32_t replaces;                  /* number of the program that executed this one, or 0     */
    uint32_t next_process;              /* number of the child being forked                       */
    uint32_t n_threads;                 /* that QEMU told of in this process so far               */
    _Atomic uint32_t n_begun;           /* of them, that have executed something; a futex         */
    _Atomic uint32_t n_created;         /* besides the first, by system calls that have returned  */
    bool creates[RING_SLOTS];           /* by vCPU: its system call is to create a thread         */
    uint32_t thread_number[RING_SLOTS]; /* by vCPU, 0: not known                         */
    bool names_files;                   /* says which file code is from                         */
    bool tells_allocations;             /* and which blocks of memory its functions return      */
    bool is_a64;                        /* all its code is A64                                    */
    bool is_parallel;                   /* has had a second thread, or a parent that had  */
    bool only_insns;                    /* are counted: nothing else is recorded */
    bool counts_branches;               /* besides them: A64's, each the last of its block */
    bool counts_children;               /* threads and processes that the program starts */
    bool is_child;                      /* of a process that is counted                          */
    bool only_thread_unnamed;           /* just forked: whichever vCPU runs next is thread 1      */
};
extern struct recorder recorder;

/* Nothing more is recorded, and the program runs on. The first message is kept. */
void recorder_fail(const char *message);

/* ---- recorder_watch.c ---- */

bool recorder_owner_has_died(void);

/* Nobody reads any more: armpmu has ended, or has let the guest go. */
bool recorder_consumer_is_gone(void);

/* The guest does not outlive armpmu, unless armpmu has let it go or --keep-running was said. */
void recorder_end_with_armpmu(void);

/* Starts the thread that ends the guest with armpmu; the ring's descriptor becomes its own. */
void recorder_start_watch(void);

/* Closes the ring's descriptor here; taken: once the other thread has it. */
void recorder_hand_over_descriptor(bool taken);

/* ---- recorder_processes.c ---- */

/* The number of the thread that runs on this vCPU, in its process; called under the lock. */
uint32_t recorder_thread_number(unsigned vcpu);

/* Before each system call and after it: one that creates a thread returns once the thread has
 * begun, which it says when it has its number. */
void recorder_thread_may_begin(unsigned vcpu, int64_t number, const uint64_t *arguments);
void recorder_thread_begins(void);
void recorder_thread_has_begun(unsigned vcpu, int64_t result);

/* Puts the slots of a process (numbered from 1) where recorder_callbacks.c has this process's. */
bool recorder_map_slots(uint32_t process);

/* Tells armpmu of this process, which is no fork's child. */
void recorder_enter_process(void);

/* From now on each child of a fork gets slots and a number of its own. */
void recorder_follow_forks(void);

/* ---- recorder_counts.c ---- */

/* Once QEMU's functions are found. False where it has none that count without a call. */
bool recorder_counts_start(void);

/* Counts the instructions of a block; under the recorder's lock. */
void recorder_counts_watch(struct qemu_plugin_tb *tb, const struct tb_info *info);

/* A handler begins, of a fault of the instruction at an address, 0 where that is not known, or of
 * an instruction that was refused. */
void recorder_counts_fault(unsigned vcpu, uint64_t address);

/* Brings what a thread has executed into its trace, and then a record. */
void recorder_counts_put(unsigned vcpu, uint64_t word);

/* The same as a thread begins, and as one ends. */
void recorder_counts_begin(unsigned vcpu);
void recorder_counts_end(unsigned vcpu);

/* The same of all threads of the process, at any time and, if it ends, as that does. */
void recorder_counts_show(bool ends);

/* In the child of a fork. */
void recorder_counts_forked(void);

/* ---- recorder_signals.c ---- */

/* A system call that may name a signal handler. */
void recorder_signals_syscall(int64_t number, const uint64_t *arguments);

/* A block that may be a handler's first, before it gets other callbacks; under the lock. */
void recorder_signals_watch(struct qemu_plugin_tb *tb, uint64_t address);

/* ---- recorder_mappings.c ---- */

/* Before a system call, and after it. */
void recorder_mappings_starts(unsigned vcpu, const uint64_t *arguments);
void recorder_mappings_returns(unsigned vcpu, int64_t number, int64_t result);

/* ---- recorder_maintenance.c ---- */

/* Returns whether an instruction of A64 is maintenance of caches by address, which ends its block.
 */
bool recorder_is_maintenance(const uint8_t *bytes);

/* A block whose last instruction may be one, or make code known to the core, after it got other
 * callbacks; first: the number of its first instruction in QEMU's block; under the lock. */
void recorder_maintenance_watch(const struct qemu_plugin_tb *tb, const struct tb_info *info,
                                unsigned first);

/* ---- recorder_addresses.c ---- */

/* Returns whether the instruction of `size` bytes at byte `at` is a preload whose address is
 * recorded: it ends its block. it_state: before it, of T32. */
bool recorder_is_preload(const struct tb_info *info, unsigned at, unsigned size, uint8_t it_state);

/* Watches the last instruction of a block, `insn`, if it is one, after it got other callbacks. */
void recorder_preload_watch(struct qemu_plugin_insn *insn, const struct tb_info *info,
                            uint8_t it_state);

/* Watches an instruction of A64 that executes as number `index` of its block, if it is DC ZVA. */
void recorder_zeroed_line_watch(struct qemu_plugin_insn *insn, unsigned index, uint32_t word);

/* ---- recorder_allocations.c ---- */

/* A block of code, before it gets other callbacks; under the lock. */
void recorder_allocations_watch(struct qemu_plugin_tb *tb, uint64_t address);

/* ---- recorder_scalable.c ---- */

struct insn;

/* Returns whether QEMU shows the registers that they depend on. */
bool recorder_scalable_sees(void);

/* Returns whether an instruction of SVE has its accesses recorded from the registers, not as QEMU
 * shows them. */
bool recorder_scalable_is_unseen(const struct insn *insn);

/* Watches an instruction of A64 that executes as number `index` of its block, if a predicate
 * governs it. next: the next one in the block, NULL for none. */
void recorder_scalable_watch(struct qemu_plugin_insn *insn, struct qemu_plugin_insn *after,
                             const struct insn *facts, unsigned index, uint32_t word);

/* ---- recorder_registers.c ---- */

enum { RECORDER_SP_AARCH32 = 13, RECORDER_LR = 14, RECORDER_SP = 31 };

/* Returns whether QEMU shows the program's registers; then recorder_register reads them. */
bool recorder_sees_registers(void);

/* In a callback with QEMU_CB_R_REGS: X0 to X30, or R0 to R14; the stack pointer of both is 31. */
uint64_t recorder_register(unsigned n);

/* ---- what QEMU calls, as in plugin_mode.h ---- */

void recorder_translate(struct qemu_plugin_tb *tb);
void recorder_flush(void);
void recorder_thread_created(unsigned vcpu);
void recorder_thread_ended(unsigned vcpu);
void recorder_syscall_starts(unsigned vcpu, int64_t number, const uint64_t *arguments);
void recorder_syscall_returns(unsigned vcpu, int64_t number, int64_t result);

#endif
