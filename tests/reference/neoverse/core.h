/* The core behind the activity monitors, slowly: caches and TLBs as lists, and a clock that goes
 * from cycle to cycle. What each instruction is (unit, latency, slots) and what the predictor said
 * of each branch it is told; the rest it works out by itself. */
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
    SLOW_EXCEPTION_RETURN
};

/* What a system does to pages. */
enum slow_change_kind { SLOW_NOTHING, SLOW_PLACE, SLOW_FLUSH_ALL, SLOW_FLUSH_PAGE, SLOW_TRANSLATE };

struct slow_change {
    enum slow_change_kind kind;
    uint64_t page, frame;
    bool on;
};

/* An instruction that executed. */
struct slow_insn {
    struct neoverse_op op;
    struct slow_change before;
    uint64_t pc, address; /* of its access */
    bool accesses, device;
    enum slow_flow flow;
};

struct slow_counts {
    uint64_t cycles, memory_stall;
    uint64_t l1i_accesses, l1i_refills, l1d_accesses, l1d_refills, l2_accesses, l2_misses;
    uint64_t itlb_walks, dtlb_walks;
    uint64_t gears[AMUV1_GEARS];
};

/* All replacement policies of the machine must be LRU. */
struct slow_counts slow_run(const struct armpmu_machine *machine, const struct slow_insn *insns,
                            unsigned n_insns);

#endif
