/* Profiles: how often each signal happened at each instruction, by call path, exactly.
 *
 * Every signal that a core model counts belongs to an instruction (docs/profiling.md has the rule
 * of each): the miss to the load, the stall to the instruction that waits, the flush to the branch.
 * The sum over all rows is what armpmu_sim_signals gives, signal by signal.
 *
 * Call paths come from the executed calls and returns, not from unwinding. A system says which of
 * its tasks runs (ARMPMU_SYSTEM_CONTEXT): each has paths of its own.
 *
 * A region confines a profile to a part of a run; the core model runs all the time, so caches are
 * as they would be. Then the sum over all rows is what happened in the region. */
#ifndef ARMPMU_PROFILE_H
#define ARMPMU_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "armpmu/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum armpmu_profile_detail {
    ARMPMU_PROFILE_OFF,
    ARMPMU_PROFILE_INSNS, /* by instruction */
    ARMPMU_PROFILE_PATHS, /* by call path and instruction */
    /* By block, at its first instruction. Signals that a core model does not tell by block
     * (Neoverse) are at no instruction then. */
    ARMPMU_PROFILE_BLOCKS,
    /* Added to INSNS or PATHS: and where each branch led. */
    ARMPMU_PROFILE_EDGES = 8,
};

/* The counts at an instruction. Valid during the call that brings it. */
struct armpmu_profile_row {
    uint64_t address; /* without the Thumb bit; 0, with n_bytes 0: at no instruction */
    enum armpmu_isa isa;
    uint8_t n_bytes;
    uint8_t bytes[4];        /* of the instruction, in the order of memory */
    uint32_t file;           /* as struct armpmu_block_source has it */
    uint32_t path;           /* without ARMPMU_PROFILE_PATHS the outermost of a context, or one of a
                              * region; 0: that of context 0 */
    const uint64_t *signals; /* ARMPMU_SIGNAL_COUNT */
    uint32_t regions;        /* that it happened in: bit n is region n */
};

#define ARMPMU_PROFILE_NO_FUNCTION UINT64_MAX

/* A call path: which call led to it, and from where. Numbers rise from parent to child. */
struct armpmu_profile_path {
    uint32_t parent;   /* itself: the outermost of its context */
    uint32_t context;  /* as the trace says, ARMPMU_SYSTEM_CONTEXT; 0 where it does not */
    uint64_t caller;   /* address of the instruction that called */
    uint64_t function; /* address that was called; ARMPMU_PROFILE_NO_FUNCTION: the same as parent,
                          in another region */
    uint64_t n_calls;  /* in the region; ARMPMU_PROFILE_NOT_COUNTED: as often as the function's
                          first instruction ran in the path, but not more often than the caller in
                          its parent */
    bool is_merged;    /* other instructions called the function, too: ARMPMU_PROFILE_PATHS_MAX */
};

#define ARMPMU_PROFILE_NOT_COUNTED UINT64_MAX

/* Where a branch led. Every execution of it that is counted in a path is in one of its edges. */
struct armpmu_profile_edge {
    uint32_t path;     /* as a row's */
    uint64_t from, to; /* addresses, without the Thumb bit; to: also of the instruction after
                          a branch that was not taken; ARMPMU_PROFILE_NO_TARGET: an exception
                          hid it, or the trace ended */
    uint64_t n, n_mispredicted; /* as the core's event of mispredictions counts them */
};

#define ARMPMU_PROFILE_NO_TARGET UINT64_MAX

/* How much a core model is to tell of where signals happen. Before the first armpmu_sim_run.
 * Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status
armpmu_sim_set_profile(struct armpmu_sim *sim, enum armpmu_profile_detail detail,
                       struct armpmu_error *err);

/* The relation of an address to a region. */
enum armpmu_mark {
    ARMPMU_MARK_NONE,
    ARMPMU_MARK_FUNCTION, /* inside from its call, or a jump there, until it returns */
    ARMPMU_MARK_BEGIN,    /* inside from there ... */
    ARMPMU_MARK_END,      /* ... to there, each time */
};

/* The begin or end of region n, at most ARMPMU_REGIONS_MAX - 1, of several that each count for
 * themselves and may overlap. Without it, a mark is of region 0. */
#define ARMPMU_REGIONS_MAX             32
#define ARMPMU_MARK_OF_REGION(mark, n) ((enum armpmu_mark)((unsigned)(mark) | (unsigned)(n) << 2))

/* Names the address where a block begins; file: as struct armpmu_block_source has it. Perhaps
 * from several threads, for the core models of each. */
typedef enum armpmu_mark (*armpmu_mark_fn)(void *user, uint64_t address, uint32_t file);

struct armpmu_region {
    armpmu_mark_fn mark; /* NULL: no marks ... */
    void *user;
    bool has_functions; /* of its marks: functions, or else begins and ends */
    bool begins_inside; /* of ends without a begin before */
    /* ... but inside as soon as so much was counted of a signal, CPU_CYCLES or INST_RETIRED; 0: all
     * the time. */
    enum armpmu_signal delay_clock;
    uint64_t delay;
};

/* Confines a profile to a region, with marks or a delay. A mark is noticed where a block begins: it
 * is reached by a branch or a call. Handlers of exceptions and signals are outside of functions
 * that they interrupt. After armpmu_sim_set_profile, before the first armpmu_sim_run, instead of
 * armpmu_sim_set_interval if it has a delay. */
ARMPMU_API void armpmu_sim_set_region(struct armpmu_sim *sim, const struct armpmu_region *region);

/* Returns false to end. */
typedef bool (*armpmu_profile_fn)(void *user, const struct armpmu_profile_row *row);

/* After armpmu_sim_finish: calls back for each row that counted anything, by path and address. Two
 * rows may be of the same address with other bytes: code that changed. Outside of a region rows
 * have counts of 0, and come only with ARMPMU_PROFILE_PATHS. Returns ARMPMU_OK or ARMPMU_NO_MEMORY.
 */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_sim_profile(struct armpmu_sim *sim,
                                                                 armpmu_profile_fn call, void *user,
                                                                 struct armpmu_error *err);

/* A context with this number of paths gets no more for other instructions that call the same
 * function from the same path: those are merged. Above the second limit calls are in the path of
 * their caller. */
#define ARMPMU_PROFILE_PATHS_MAX  65536
#define ARMPMU_PROFILE_PATHS_LAST 262144

/* The paths so far, at least the outermost; valid until the next armpmu_sim_run. */
ARMPMU_API const struct armpmu_profile_path *armpmu_sim_profile_paths(const struct armpmu_sim *sim,
                                                                      size_t *n_paths);

/* The edges so far; valid until the next armpmu_sim_run. None without ARMPMU_PROFILE_EDGES. */
ARMPMU_API const struct armpmu_profile_edge *armpmu_sim_profile_edges(const struct armpmu_sim *sim,
                                                                      size_t *n_edges);

/* ---- misses of caches, by set, address and time ---- */

enum armpmu_miss_cache {
    ARMPMU_MISS_L1I,
    ARMPMU_MISS_L1D,
    ARMPMU_MISS_L2, /* by physical address */
    ARMPMU_MISS_CACHES
};

#define ARMPMU_MISS_ROWS    128
#define ARMPMU_MISS_COLUMNS 256

/* How often a cache missed: a row for each region of 2^row_shift bytes that had a miss, a column
 * for each 2^column_shift cycles from the start. Both are the narrowest that hold all. */
struct armpmu_miss_map {
    uint32_t n_sets, n_rows;
    unsigned row_shift, column_shift;
    uint64_t regions[ARMPMU_MISS_ROWS]; /* address >> row_shift, in no order */
    uint64_t by_time[ARMPMU_MISS_ROWS][ARMPMU_MISS_COLUMNS];
    uint64_t *by_set;                     /* n_sets for each row */
    uint16_t index[2 * ARMPMU_MISS_ROWS]; /* by hash of the region: row + 1 */
};

/* Makes a core model keep a map for each of its caches. Before the first armpmu_sim_run. Returns
 * ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_sim_map_misses(struct armpmu_sim *sim,
                                                                    struct armpmu_error *err);

/* The map of a cache so far, and the signal that it adds up to; NULL where there is none. */
ARMPMU_API const struct armpmu_miss_map *armpmu_sim_miss_map(const struct armpmu_sim *sim,
                                                             enum armpmu_miss_cache cache,
                                                             enum armpmu_signal *signal);

/* The same, for the caller to keep: armpmu_sim_miss_map gives NULL for this cache afterwards. */
ARMPMU_API struct armpmu_miss_map *armpmu_sim_take_miss_map(struct armpmu_sim *sim,
                                                            enum armpmu_miss_cache cache);

/* Adds a map to another of as many sets, whatever the widths of both. */
ARMPMU_API void armpmu_miss_map_merge(struct armpmu_miss_map *to,
                                      const struct armpmu_miss_map *from);

/* The n_rows rows in order of addresses. */
ARMPMU_API void armpmu_miss_map_rows(const struct armpmu_miss_map *map, uint32_t *rows);

ARMPMU_API void armpmu_miss_map_free(struct armpmu_miss_map *map); /* NULL is fine */

/* ---- data accesses, by instruction and address ---- */

enum armpmu_access_source {
#define SOURCE(id, word, meaning) ARMPMU_FROM_##id,
#include "armpmu/access_source.def"
#undef SOURCE
    ARMPMU_ACCESS_SOURCES
};

/* How the page of an access was found; of an access to several the slowest. NONE: not by a TLB,
 * which the core does not have or which is off. */
enum armpmu_access_tlb {
    ARMPMU_TLB_HIT,
    ARMPMU_TLB_L2,
    ARMPMU_TLB_WALK,
    ARMPMU_TLB_NONE,
    ARMPMU_ACCESS_TLBS
};

enum { ARMPMU_ACCESS_LOADS = 1, ARMPMU_ACCESS_STORES = 2, ARMPMU_ACCESS_ON_STACK = 4 };

/* Accesses of an instruction to a region of addresses, with one outcome. Regions are as narrow as
 * ARMPMU_ACCESSES_MAX of these allow, or four times as many where there are several contexts. */
struct armpmu_data_access {
    uint64_t insn;      /* its address */
    uint64_t low, high; /* of the first bytes of all */
    uint64_t sample;    /* of the first one... */
    uint64_t step;      /* ...from which all others are multiples of this away; 0: they are none */
    uint64_t n;
    uint64_t lookups, refills, tlb_refills; /* as the core's events count them */
    uint64_t cycles;                        /* of loads: see armpmu_sim_access_latency */
    uint8_t kind;                           /* ARMPMU_ACCESS_: ON_STACK is by the stack pointer */
    uint8_t source, tlb;
    uint8_t latency; /* of each: the number of its bits, 0 of no cycle; stores: 0 */
    uint16_t bytes;  /* the most that one accesses */
    /* Number of the struct armpmu_allocation, from 1, whose blocks these are to; 0: to none.
     * Where the sample is in its block, and the step of that of all others. */
    uint32_t allocation;
    uint64_t offset, offset_step;
    /* The register that the address is that of, but for a number; 0xff: none, and of A64. */
    uint8_t base;
    int32_t displacement;
    uint32_t context; /* struct armpmu_profile_path, of the instruction's */
};

/* Blocks of memory that the program got from one place, on one path. A block is one of these until
 * others have its addresses, also when it is freed. */
struct armpmu_allocation {
    uint64_t returns_to; /* after the call of the function that allocates */
    uint32_t path;       /* of that call, with ARMPMU_PROFILE_PATHS */
    bool is_mapped;      /* by mmap() */
    uint64_t n, bytes;   /* blocks, and what all were asked for */
    uint64_t smallest, largest;
};

/* The rest of a block at the end; number: of the allocation, from 1. */
struct armpmu_allocated {
    uint64_t start, end, begins; /* begins: of the whole block */
    uint32_t number;
};

#define ARMPMU_ACCESSES_MAX (UINT32_C(1) << 18)

/* Makes a core model keep its data accesses. After armpmu_sim_set_profile, without a region, before
 * the first armpmu_sim_run. Returns ARMPMU_OK, ARMPMU_NO_MEMORY, or ARMPMU_BAD_CONFIG of a core
 * that does not tell. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status armpmu_sim_keep_accesses(struct armpmu_sim *sim,
                                                                       struct armpmu_error *err);

/* All so far, in the order in which they were met first; valid until the next armpmu_sim_run. None
 * where they are not kept. Returns ARMPMU_OK, or ARMPMU_NO_MEMORY: some are lost. */
ARMPMU_API ARMPMU_MUST_USE enum armpmu_status
armpmu_sim_accesses(const struct armpmu_sim *sim, const struct armpmu_data_access **accesses,
                    size_t *n, struct armpmu_error *err);

/* The places where the program got its blocks, valid until the next armpmu_sim_run; none where the
 * engine does not tell. */
ARMPMU_API const struct armpmu_allocation *armpmu_sim_allocations(const struct armpmu_sim *sim,
                                                                  size_t *n);

/* Calls back for each block, by address. Returns false as soon as a call does. */
typedef bool (*armpmu_allocated_fn)(void *user, const struct armpmu_allocated *block);
ARMPMU_API bool armpmu_sim_each_allocated(const struct armpmu_sim *sim, armpmu_allocated_fn call,
                                          void *user);

/* The cycles of a load on the core, as a part of a sentence. */
ARMPMU_API const char *armpmu_sim_access_latency(const struct armpmu_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
