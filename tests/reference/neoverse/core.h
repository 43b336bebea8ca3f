/* A slow reference for the Neoverse model: caches and TLBs as lists, and a clock that goes from
 * cycle to cycle. What each instruction is (unit, latency, slots) and what the predictor said of
 * each branch it is told; the rest it works out by itself. */
#ifndef TESTS_REFERENCE_NEOVERSE_CORE_H
#define TESTS_REFERENCE_NEOVERSE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "cores/neoverse/core.h"

/* How the front end goes on behind an instruction. */
enum slow_flow {
    SLOW_ON,
    SLOW_TAKEN,
    SLOW_LATE,
    SLOW_FLUSH,
    SLOW_EXCEPTION, /* and back at once */
    SLOW_EXCEPTION_RETURN,
    SLOW_SYNCHRONIZE /* an ISB */
};

/* What a system does to pages and, at an address, to caches. */
enum slow_change_kind {
    SLOW_NOTHING,
    SLOW_PLACE,
    SLOW_FLUSH_ALL,
    SLOW_FLUSH_PAGE,
    SLOW_TRANSLATE,
    SLOW_MAP,       /* the block of 2 MB at an address is a huge page from now on, or no longer */
    SLOW_CLEAN,     /* to the point of unification */
    SLOW_CLEAN_OUT, /* to the point of coherency */
    SLOW_CLEAN_AND_FORGET, /* the same */
    SLOW_FORGET,           /* to the point of coherency */
    SLOW_FORGET_CODE,
    SLOW_PRELOAD /* the instruction before it is a preload; on: into level 2 alone */
};

struct slow_change {
    enum slow_change_kind kind;
    uint64_t page, frame, address;
    bool on;
};

/* An instruction that executed. */
struct slow_insn {
    struct neoverse_op op;
    struct slow_change before;
    uint64_t pc, address; /* of its access */
    bool accesses, device;
    enum slow_flow flow;
    unsigned predictor_cycles; /* of a taken branch that is predicted right */
    const struct insn *insn;
    bool went;             /* its branch was taken */
    bool interrupted, irq; /* an exception came after it, and returned */
};

struct slow_counts {
    uint64_t cycles, memory_stall;
    uint64_t l1i_accesses, l1i_refills, l2_accesses, l2_misses;
    uint64_t l2_writes, l2_write_misses; /* of stores, in those above, too */
    /* By who asks: fetches, loads, stores. */
    uint64_t tlb_refills[3], walks[3], l1d_accesses[3], l1d_refills[3], splits[3], devices[3];
    uint64_t store_accesses; /* of the data cache: lines of stores that did not merge wholly */
    uint64_t inner_refills, outer_refills, l1d_cleaned, l1d_lost, l1d_write_backs;
    uint64_t l2_cleaned, l2_lost, l2_write_backs, l3_reads, l3_misses, l3_writes, l2_allocated,
        l3_passed;
    uint64_t beats_read, beats_written;
    uint64_t front_cycles, back_cycles, front_slots, back_slots;
    uint64_t wrong_cycles, wrong_operations;
    uint64_t waits_for[CAUSE_STORE + 1], store_waits; /* of an in-order core: cycles by cause */
    uint64_t gears[AMUV1_GEARS];
};

#define SLOW_UNKNOWN UINT64_MAX

/* A signal about kinds of instructions and exceptions; SLOW_UNKNOWN of another. */
uint64_t slow_events(const struct slow_insn *insns, unsigned n_insns, enum armpmu_signal signal);

/* All replacement policies of the machine must be LRU. */
struct slow_counts slow_run(const struct armpmu_machine *machine, const struct slow_insn *insns,
                            unsigned n_insns);

#endif
