/* The execution trace: what an engine says about a running program, or about a whole system.
 *
 * One 64-bit record per fact, in program order, one trace per guest thread (vCPU):
 *
 *   63..60   kind
 *   BLOCK     31..0  block id: the block starts executing
 *   ACCESS    59..48 instruction index in the block, 47..0 virtual address: a data access
 *   BURST     as ACCESS, for an instruction that makes several accesses at rising addresses; the
 *             next record is the plain number of bytes covered so far, counted from the address
 *   PROGRESS  59..48 instruction index: execution reached this instruction. Engines emit it after
 *             every access that may be left out (a condition, a store-exclusive) unless that is
 *             the block's last instruction, so that an interrupted block can be counted exactly;
 * they may emit it after others. 2..0: enum armpmu_predicate: what governs this instruction of SVE,
 * or what happened to the one before it SYSCALL   31..0  number: the block's last instruction
 * called the system SYSRET           the system call came back (absent when it never did) GAP the
 * engine lost the thread here (its process executed another program)
 *
 * A block may have no instructions: it says where execution has come to, so that all before it is
 * known. A block's accesses follow its BLOCK record. An instruction whose access is missing did not
 * make it: its condition failed, or the block was interrupted by a fault at or before it. Addresses
 * are 48 bits, sign extended.
 *
 * The trace of a system, in which the kernel's own instructions are blocks too, has other records
 * instead of SYSCALL and SYSRET. From the first of them on every exception is announced, and
 * returns from exceptions are instructions:
 *
 *   EXCEPTION 59..48 how many instructions of the last block executed, 0xfff for all of them: the
 *             processor took an exception, the rest of the block did not execute. It follows the
 *             block's accesses, with them in one call of armpmu_sim_run unless all executed. An SVC
 *             that made the call executed. The next BLOCK is the vector's. 47..0, with all
 *             executed: the address at which execution would have gone on, which is where the
 *             block's branch went; 0 if the engine does not know
 *   MAP       39..20 virtual page, 19..0 physical page: from now on this 4 KiB page of the running
 *             address space lies there. A context switch is one MAP for each page that moved; to
 *             name a page where it is already costs next to nothing. Until the first MAP the
 *             machine's page map holds, from then on each page lies at its own address until it is
 *             named. Bit 40: Normal memory that data caches do not keep
 *   DEVICE    as ACCESS, to Device or Strongly-ordered memory; the instruction has no other
 *             records. One record for the instruction; further ones of it are ignored. A page that
 *             held Normal memory may hold Device memory once a MAP has moved it to another physical
 *             page
 *   TLB_FLUSH bit 40 clear: the TLBs lose all entries; set: those of the virtual page 39..20
 *   MAP64     35..0 virtual page; the next record is the plain number of the physical page: as MAP,
 *             for addresses of 48 bits
 *   TLBI64    35..0 virtual page: as TLB_FLUSH of one page, for addresses of 48 bits
 *   MMU       bit 0: translation is on (as at the start of a trace) or off
 *   SYSTEM    59..56 enum armpmu_system, 55..48 bits of its own, 47..0 what it acts on: an
 *             instruction of the system did something to the core that a model may follow. Traces
 * of user programs have FAULT, PRELOAD, COUNTED, MAPPED, ALLOCATION, and CACHE with
 * ARMPMU_CACHE_BY_PROGRAM
 *
 * A system's engine may continue the rest of a block as another block, without a record: one that
 * begins at the next instruction to execute. It must be visible: a later access of the block is
 * missing, or the block does not end with a branch that may lead there. */
#ifndef ARMPMU_TRACE_H
#define ARMPMU_TRACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum armpmu_record_kind {
    ARMPMU_RECORD_BYTES = 0, /* second record of a BURST or a MAP64 */
    ARMPMU_RECORD_BLOCK = 1,
    ARMPMU_RECORD_ACCESS = 2,
    ARMPMU_RECORD_BURST = 3,
    ARMPMU_RECORD_PROGRESS = 4,
    ARMPMU_RECORD_SYSCALL = 5,
    ARMPMU_RECORD_SYSRET = 6,
    ARMPMU_RECORD_GAP = 7,
    ARMPMU_RECORD_EXCEPTION = 8,
    ARMPMU_RECORD_MAP = 9,
    ARMPMU_RECORD_DEVICE = 10,
    ARMPMU_RECORD_TLB_FLUSH = 11,
    ARMPMU_RECORD_MMU = 12,
    ARMPMU_RECORD_MAP64 = 13,
    ARMPMU_RECORD_TLBI64 = 14,
    ARMPMU_RECORD_SYSTEM = 15,
};

/* The subject of a SYSTEM record. A core model leaves alone what it does not know. */
enum armpmu_system {
    /* Cache maintenance; ARMPMU_CACHE_ bits say which. Acts on everything, on the line of a virtual
     * address, or on what the instruction named as set and way. */
    ARMPMU_SYSTEM_CACHE = 0,
    /* Branch prediction forgets all, or with ARMPMU_PREDICTOR_ADDRESS the branch at an address. */
    ARMPMU_SYSTEM_PREDICTOR = 1,
    /* From now on interrupts are masked as the ARMPMU_MASKS_ bits say: when a CPS, an MSR, an
     * exception or a return from one has changed that. At the start of a trace none is. */
    ARMPMU_SYSTEM_MASKS = 2,
    /* A preload named this address, the last instruction of the block before; the ARMPMU_PRELOAD_
     * bits say for what. Of an engine that sees registers, also in traces of user programs. */
    ARMPMU_SYSTEM_PRELOAD = 3,
    /* Another context runs from the next block on: a task of the system. Acts on its number, 0 at
     * the start of a trace; numbers are dense. For a profile only: it changes no count. */
    ARMPMU_SYSTEM_CONTEXT = 4,
    /* The EXCEPTION record that follows at once is of this kind: enum armpmu_exception, and
     * ARMPMU_EXCEPTION_TRAPPED. Of AArch64 systems. */
    ARMPMU_SYSTEM_EXCEPTION = 5,
    /* User programs only, before a handler's BLOCK record: a signal for a fault came; without
     * it, execution would have continued at this address. A signal that interrupts has no
     * record. */
    ARMPMU_SYSTEM_FAULT = 6,
    /* From now on the caches and branch prediction are off that the ARMPMU_CONTROL_ bits name, as
     * SCTLR says. At the start of a trace all are on. */
    ARMPMU_SYSTEM_CONTROL = 7,
    /* User programs whose engine counts instead of recording: the number of instructions
     * executed that no block has; with ARMPMU_COUNTED_BRANCHES, branches among them; with
     * ARMPMU_COUNTED_HELPERS, calls of the kernel's helper page. */
    ARMPMU_SYSTEM_COUNTED = 8,
    /* A64 user programs, between a SYSCALL record and its SYSRET: the aligned block of 2 MB at
     * this address is now wholly in an anonymous mapping that can be written, or with
     * ARMPMU_MAPPED_NO_MORE no longer is. Bits 20..0: so are as many blocks after it. */
    ARMPMU_SYSTEM_MAPPED = 9,
    /* In a user program, three before the BLOCK record that a function which allocates returns to:
     * how many bytes it was asked for, where it returns to, and the address of the block. For a
     * profile only: it changes no count. */
    ARMPMU_SYSTEM_ALLOCATION = 10,
};

enum armpmu_allocation_bits {
    ARMPMU_ALLOCATION_BYTES = 1,
    ARMPMU_ALLOCATION_RETURNS = 2,
    ARMPMU_ALLOCATION_BLOCK = 3,
    ARMPMU_ALLOCATION_MAPPED = 4, /* a block, by mmap() */
};

enum armpmu_system_bits {
    ARMPMU_CACHE_INVALIDATE = 0x01,
    ARMPMU_CACHE_CLEAN = 0x02,
    ARMPMU_CACHE_INSTRUCTION = 0x04,
    ARMPMU_CACHE_DATA = 0x08,      /* or unified */
    ARMPMU_CACHE_COHERENCY = 0x10, /* to the point of coherency, past level 1 */
    ARMPMU_CACHE_ADDRESS = 0x20,
    ARMPMU_CACHE_SET_WAY = 0x40,
    ARMPMU_CACHE_BY_PROGRAM = 0x80, /* in the trace of a user program */
    ARMPMU_PREDICTOR_ADDRESS = 0x01,
    ARMPMU_PRELOAD_OUTER = 0x01, /* for level 2 or beyond, else for level 1 */
    ARMPMU_PRELOAD_STORE = 0x02, /* for a store: PST */
    ARMPMU_PRELOAD_CODE = 0x04,  /* of instructions: PLI */
    ARMPMU_MASKS_FIQ = 0x01,     /* CPSR.F */
    ARMPMU_MASKS_IRQ = 0x02,     /* CPSR.I */
    ARMPMU_COUNTED_HELPERS = 0x01,
    ARMPMU_COUNTED_BRANCHES = 0x02,
    ARMPMU_MAPPED_NO_MORE = 0x01,
    ARMPMU_CONTROL_NO_DATA_CACHE = 0x01,
    ARMPMU_CONTROL_NO_CODE_CACHE = 0x02,
    ARMPMU_CONTROL_NO_PREDICTION = 0x04, /* A core that cannot switch it off ignores this. */
};

enum armpmu_exception {
    ARMPMU_EXCEPTION_OTHER = 1, /* synchronous, and none of the others: an undefined instruction */
    ARMPMU_EXCEPTION_CALL = 2,  /* SVC */
    ARMPMU_EXCEPTION_FETCH_ABORT = 3,
    ARMPMU_EXCEPTION_DATA_ABORT = 4, /* or SError */
    ARMPMU_EXCEPTION_IRQ = 5,
    ARMPMU_EXCEPTION_FIQ = 6,
    ARMPMU_EXCEPTION_MONITOR_CALL = 7,    /* SMC */
    ARMPMU_EXCEPTION_HYPERVISOR_CALL = 8, /* HVC */
    ARMPMU_EXCEPTION_TRAPPED = 0x10,      /* a bit: taken to EL2 or EL3 */
};

/* States of SVE, in a PROGRESS record. */
enum armpmu_predicate {
    ARMPMU_PREDICATE_EMPTY = 1, /* no element of the instruction is active... */
    ARMPMU_PREDICATE_FULL = 2,  /* ...all are... */
    ARMPMU_PREDICATE_PARTIAL = 3,
    ARMPMU_PREDICATE_FAULTED = 4, /* the load before it has cleared bits of FFR */
    ARMPMU_PREDICATE_BITS = 7,
};

#define ARMPMU_MAPPED_SHIFT     21 /* the address of a block in a MAPPED record */
#define ARMPMU_RECORD_KIND_LSB  60
#define ARMPMU_RECORD_INDEX_LSB 48
#define ARMPMU_RECORD_INDEX_MAX 0xfff
#define ARMPMU_RECORD_ADDRESS   UINT64_C(0xffffffffffff)
#define ARMPMU_RECORD_ALL       ARMPMU_RECORD_INDEX_MAX /* EXCEPTION: the whole block executed */
#define ARMPMU_RECORD_ONE_PAGE  (UINT64_C(1) << 40)     /* TLB_FLUSH: of one page */
#define ARMPMU_RECORD_UNCACHED  (UINT64_C(1) << 40)     /* MAP */
#define ARMPMU_RECORD_PAGE_LSB  20                      /* virtual page of MAP and TLB_FLUSH */
#define ARMPMU_RECORD_PAGE_MASK 0xfffff
#define ARMPMU_RECORD_WIDE_PAGE UINT64_C(0xfffffffff) /* virtual page of MAP64 and TLBI64 */

/* The constant part of a record about instruction `index`; the address is added with OR. */
static inline uint64_t armpmu_record(enum armpmu_record_kind kind, unsigned index)
{
    return (uint64_t)kind << ARMPMU_RECORD_KIND_LSB | (uint64_t)index << ARMPMU_RECORD_INDEX_LSB;
}

/* A SYSTEM record without what it acts on. */
static inline uint64_t armpmu_system_record(enum armpmu_system about, unsigned bits)
{
    return armpmu_record(ARMPMU_RECORD_SYSTEM, (unsigned)about << 8 | bits);
}

static inline enum armpmu_system armpmu_record_system(uint64_t word)
{
    return (enum armpmu_system)(word >> 56 & 15);
}

static inline unsigned armpmu_record_system_bits(uint64_t word)
{
    return (unsigned)(word >> ARMPMU_RECORD_INDEX_LSB) & 0xff;
}

static inline enum armpmu_record_kind armpmu_record_kind(uint64_t word)
{
    return (enum armpmu_record_kind)(word >> ARMPMU_RECORD_KIND_LSB);
}

static inline unsigned armpmu_record_index(uint64_t word)
{
    return (unsigned)(word >> ARMPMU_RECORD_INDEX_LSB) & ARMPMU_RECORD_INDEX_MAX;
}

static inline uint64_t armpmu_record_address(uint64_t word)
{
    return (uint64_t)((int64_t)(word << 16) >> 16);
}

#ifdef __cplusplus
}
#endif
#endif
