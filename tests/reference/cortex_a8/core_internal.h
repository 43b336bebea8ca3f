/* The inside of the slow Cortex-A8: what its two files share. */
#ifndef TESTS_REFERENCE_CORTEX_A8_CORE_INTERNAL_H
#define TESTS_REFERENCE_CORTEX_A8_CORE_INTERNAL_H

#include "armpmu/sim.h"
#include "parts/cache.h"
#include "cores/cortex_a8/neon.h"
#include "parts/page_map.h"
#include "parts/branch_predictor.h"
#include "cores/cortex_a8/schedule.h"
#include "parts/tlb.h"
#include "trace/trace_reader_internal.h"
#include "parts/way_predictor.h"

enum { LINE = 64 };

struct level1 {
    struct cache cache;
    struct way_predictor hash;
    struct tlb tlb;
};

/* An entry of the write buffer. */
struct slow_write {
    uint64_t line, since;
    bool bytes[LINE];
    enum { TO_L2, FETCHES, TO_MEMORY, TO_DEVICE } kind;
    bool store, awaits_neon;
};

/* A line that memory was asked for: when its word at an offset comes, and when all of it is there.
 */
struct slow_request {
    uint64_t line, offset, first, complete;
};

struct slow {
    const struct armpmu_machine *machine;
    uint64_t now;
    uint64_t tally[ARMPMU_SIGNAL_COUNT];
    struct level1 code, data;
    struct cache l2;
    struct page_map pages;
    struct slow_write writes[64]; /* oldest first */
    unsigned n_writes;
    bool draining;                    /* the oldest write is ... */
    uint64_t drained;                 /* ... and has drained then; when the last one had */
    struct slow_request requests[16]; /* of lines, newest first */
    uint64_t written;                 /* memory has all that was written to it... */
    bool latest_was_read;             /* ...after which it has read */
    struct branch_predictor predictor;
    bool untranslated;

    struct schedule_state state;
    bool goes_on; /* the next block is entered from the one before it in memory */
    bool went_on; /* the last one was */

    struct neon_unit neon;
    uint64_t neon_data; /* when what NEON loads has come */
    struct {
        bool pending, just_now;    /* not waited for yet; the last instruction was one */
        uint64_t arrives, issuing; /* its data; the instruction behind it, if it did not wait */
    } transfer;
};

#define COUNT(signal, n) (slow->tally[ARMPMU_SIGNAL_##signal] += (uint64_t)(n))

/* ---- slow_cortex_a8_memory.c ---- */

void slow_memory_init(struct slow *slow); /* slow->machine is set */
void slow_memory_free(struct slow *slow);

/* Fetches a line; speculative: one that will be flushed, which costs no time. */
void slow_fetch(struct slow *slow, uint64_t line, bool speculative);

/* An instruction's access to memory. */
void slow_access(struct slow *slow, const struct retired_access *access,
                 const struct insn_memory *memory);

/* NEON has the data of what it stored last. */
void slow_vector_stored(struct slow *slow, uint64_t time);

/* A PLD of an address. */
void slow_preload(struct slow *slow, uint32_t address);

/* Cache maintenance, as the stream's word says. */
void slow_maintain(struct slow *slow, unsigned bits, uint32_t operand);

#endif
